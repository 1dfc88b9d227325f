//! What a surface reflects: the BRDF of the game's forward light loop, its density and its sampling.
//!
//! f = specular + diffuse for a light direction l and a viewer v, both pointing away from the surface:
//!
//! - specular = D·G·F / (4 n·l n·v): [`ggx`] with a = max(r, 0.05), Smith-Schlick k = r²/2, [`fresnel`] by Schlick;
//! - diffuse = (1 − metalness)·albedo/π times [`burley`]'s factor. It is *not* scaled by 1 − F, because the
//!   documentation shows no such factor: the directional albedo of a white surface is above one.
//!
//! A direction on the other side of the shading normal n or of the geometric normal Ng gets 0 ([`frame`]). Sampling
//! draws from a cosine lobe or from GGX's visible normals and weighs by the density of the mixture (one-sample
//! multiple importance sampling: Veach, 1997, section 9.2.4). A direction that f excludes is drawn as none: weight 0,
//! which keeps the estimate unbiased.

pub mod burley;
pub mod frame;
pub mod fresnel;
pub mod ggx;
pub mod glass;
pub mod safe;

use std::f32::consts::FRAC_1_PI;
use std::ops::{Add, Mul};

use glam::Vec3;

pub use frame::{Frame, Normals};
use ggx::{Ggx, Half};
use safe::{luminance, sat};

use crate::warp;

/// Cosines below this count as under the horizon: a solid angle of 1e-12 sr, without which n·l could be so small that
/// the documented 1/(n·l) at roughness 0 leaves f32.
const MIN_COS_LIGHT: f32 = 1e-12;

/// The least probability of a lobe that can contribute: bounds the weight where the estimate of a lobe's albedo is off.
const MIN_LOBE: f32 = 0.1;

/// A quantity split by the lobe that it came through.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lobes {
    pub diffuse: Vec3,
    pub specular: Vec3,
}

impl Lobes {
    /// Both lobes together.
    pub fn total(self) -> Vec3 {
        self.diffuse + self.specular
    }
}

impl Add for Lobes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { diffuse: self.diffuse + other.diffuse, specular: self.specular + other.specular }
    }
}

impl Mul<f32> for Lobes {
    type Output = Self;
    fn mul(self, scale: f32) -> Self {
        Self { diffuse: self.diffuse * scale, specular: self.specular * scale }
    }
}

impl Mul<Vec3> for Lobes {
    type Output = Self;
    fn mul(self, scale: Vec3) -> Self {
        Self { diffuse: self.diffuse * scale, specular: self.specular * scale }
    }
}

/// A sampled light direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BrdfSample {
    /// Scene frame, unit, away from the surface.
    pub wi: Vec3,
    /// f·cos/pdf.
    pub lobes_weight: Lobes,
    /// Solid-angle density, 1/sr: what [`Brdf::pdf`] gives for `wi`.
    pub pdf: f32,
}

/// The BRDF at one point for one viewer. Directions are in the scene frame, unit, and point away from the surface.
#[derive(Clone, Copy, Debug)]
pub struct Brdf {
    frame: Frame,
    ng: Vec3,
    wo: Vec3,
    /// `wo` in `frame`; z ≥ [`frame::MIN_COS_VIEW`] but for rounding.
    v: Vec3,
    /// (1 − metalness)·albedo.
    diffuse_albedo: Vec3,
    f0: Vec3,
    roughness: f32,
    ggx: Ggx,
    specular_probability: f32,
}

/// A light direction that the surface can reflect, seen from the BRDF's frame.
struct Pair {
    l: Vec3,
    half: Half,
}

impl Brdf {
    /// An opaque surface from what its family wrote. Values are made safe first: max(`albedo`, 0), sat(`metalness`),
    /// sat(`roughness`). Normals and `wo` (to the viewer, unit) are in the scene frame; [`Normals::toward_viewer`] says
    /// how `n_raw` and `ng` are used.
    pub fn opaque(albedo: Vec3, metalness: f32, roughness: f32, n_raw: Vec3, ng: Vec3, wo: Vec3) -> Self {
        let (albedo, metalness) = (safe::albedo(albedo), sat(metalness));
        let normals = Normals::toward_viewer(n_raw, ng, wo);
        Self::new(albedo * (1.0 - metalness), fresnel::f0(albedo, metalness), sat(roughness), normals, wo)
    }

    /// From values that are safe already.
    #[inline(always)]
    fn new(diffuse_albedo: Vec3, f0: Vec3, roughness: f32, normals: Normals, wo: Vec3) -> Self {
        let frame = Frame::new(normals.n);
        let mut brdf = Self {
            frame,
            ng: normals.ng,
            wo,
            v: frame.to_local(wo),
            diffuse_albedo,
            f0,
            roughness,
            ggx: Ggx::new(roughness),
            specular_probability: 1.0,
        };
        let diffuse = luminance(diffuse_albedo);
        if diffuse > 0.0 {
            let specular = brdf.specular_estimate();
            brdf.specular_probability = (specular / (specular + diffuse)).clamp(MIN_LOBE, 1.0 - MIN_LOBE);
        }
        brdf
    }

    /// The shading normal: unit, n·wo ≥ 1e-3.
    pub fn n(&self) -> Vec3 {
        self.frame.n
    }

    /// The geometric normal: unit, on the viewer's side.
    pub fn ng(&self) -> Vec3 {
        self.ng
    }

    /// The direction to the viewer, as given.
    pub fn wo(&self) -> Vec3 {
        self.wo
    }

    /// f for light from `wi`, 1/sr, without the cosine; 0 on the other side of n or Ng.
    pub fn eval(&self, wi: Vec3) -> Lobes {
        self.pair(wi).map_or(Lobes::default(), |pair| self.lobes(&pair))
    }

    /// Solid-angle density (1/sr) with which [`Brdf::sample`] returns `wi`; 0 where `eval` is 0 by direction. It
    /// integrates to one less the probability that `sample` returns none.
    pub fn pdf(&self, wi: Vec3) -> f32 {
        self.pair(wi).map_or(0.0, |pair| self.density(&pair))
    }

    /// [`Brdf::eval`] and [`Brdf::pdf`] at once: what multiple importance sampling of a light sample needs.
    pub fn eval_with_pdf(&self, wi: Vec3) -> (Lobes, f32) {
        self.pair(wi).map_or((Lobes::default(), 0.0), |pair| (self.lobes(&pair), self.density(&pair)))
    }

    /// Draws a light direction from three numbers in [0, 1): the first chooses the lobe, the others a direction in it.
    /// None is a sample of weight 0.
    pub fn sample(&self, u: [f32; 3]) -> Option<BrdfSample> {
        let l = if u[0] < self.specular_probability {
            let h = self.ggx.sample_visible_normal(self.v, [u[1], u[2]]);
            h * (2.0 * h.dot(self.v)) - self.v
        } else {
            warp::cosine_hemisphere([u[1], u[2]])
        };
        // From here on everything is computed from the rounded direction, so that it is what eval and pdf say of it.
        let wi = self.frame.to_scene(l).normalize();
        let pair = self.pair(wi)?;
        let pdf = self.density(&pair);
        Some(BrdfSample { wi, lobes_weight: self.lobes(&pair) * (pair.l.z / pdf), pdf })
    }

    /// Luminance of about what the specular lobe reflects to this viewer: the reflectance of the mirror direction, its
    /// rise toward grazing angles held down by roughness (Lagarde and de Rousiers, "Moving Frostbite to Physically Based
    /// Rendering", SIGGRAPH 2014 course notes, use the same bound). Steers probabilities only.
    fn specular_estimate(&self) -> f32 {
        let grazing = self.f0.max(Vec3::splat(1.0 - self.roughness));
        luminance(self.f0 + (grazing - self.f0) * fresnel::schlick_weight(self.v.z))
    }

    /// None where the surface reflects nothing from `wi`.
    fn pair(&self, wi: Vec3) -> Option<Pair> {
        let l = self.frame.to_local(wi);
        (l.z > MIN_COS_LIGHT && wi.dot(self.ng) > 0.0).then(|| Pair { l, half: Half::new(l, self.v) })
    }

    fn lobes(&self, pair: &Pair) -> Lobes {
        let (nl, nv, lh) = (pair.l.z, self.v.z, pair.half.l_dot_h);
        let fresnel = fresnel::schlick(self.f0, lh);
        Lobes {
            diffuse: self.diffuse_albedo * (FRAC_1_PI * burley::diffuse_factor(self.roughness, nl, nv, lh)),
            specular: fresnel * (self.ggx.d(&pair.half) * self.ggx.visibility(nl, nv)),
        }
    }

    fn density(&self, pair: &Pair) -> f32 {
        let p = self.specular_probability;
        p * self.ggx.pdf(self.v, &pair.half) + (1.0 - p) * warp::cosine_hemisphere_pdf(pair.l.z)
    }
}
