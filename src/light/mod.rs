//! Lights: what shines, from where a point may be lit, and with which probability each is tried.
//!
//! [`Lights`] is built once from plain data and never changes. It answers three questions of an estimator with multiple
//! importance sampling: *where shall I look for light?* ([`Lights::sample`]), *what does a ray that leaves the scene see,
//! and how likely was I to look there?* ([`Lights::infinite`]), and *how likely was I to choose this emissive triangle?*
//! ([`Lights::pdf_emitter`]). The answers agree: the pdf of a sample is what the other two say of the same direction.
//!
//! Everything is in the scene frame, positions relative to the scene's centre. The emission of surfaces is the caller's to
//! evaluate: a sample on one names the instance, the triangle and the place.
//!
//! - [`sun`]: discs at infinity, and directional lights as discs of no size.
//! - [`sky`], [`environment`]: constant, Hosek-Wilkie, image.
//! - [`punctual`]: point and spot lights.
//! - [`emitter`]: emissive triangles; [`rectangle`]: area lights of the scene file, which become such triangles.
//! - [`tree`]: the choice among all lamps and triangles.

pub mod emitter;
pub mod environment;
mod error;
mod irradiance;
pub mod punctual;
pub mod rectangle;
pub mod sky;
mod sphere_table;
pub mod sun;
pub mod tree;

use glam::{Vec3, Vec4};

pub use crate::brdf::safe::luminance;
pub use emitter::{EmissiveInstance, EmissiveMesh, EmissiveTriangle};
pub use error::LightError;
pub use punctual::{Punctual, PunctualKind};
pub use rectangle::Rectangle;
pub use sky::{SkyDescription, SkyKind};
pub use sun::Sun;

use punctual::Lamp;
use sky::Sky;
use sun::Disc;
use tree::LightTree;

/// All lights of a scene, as plain data.
#[derive(Clone, Debug, Default)]
pub struct LightsDescription {
    pub sun: Option<Sun>,
    pub sky: Option<SkyDescription>,
    pub punctual: Vec<Punctual>,
    /// Emissive surfaces: meshes by id, and where they stand.
    pub emissive_meshes: Vec<EmissiveMesh>,
    pub emitters: Vec<EmissiveInstance>,
}

/// The point that is to be lit.
#[derive(Clone, Copy, Debug)]
pub struct LightFrom {
    /// Relative to the scene's centre, metres.
    pub p: Vec3,
    /// Unit normal of a surface that reflects nothing from below: lights wholly below it are not tried, others by
    /// their cosine. `None` where light may come from anywhere.
    pub n: Option<Vec3>,
}

/// A point to be lit, with what choosing a light there shares with the densities of that choice: found once for both.
#[derive(Clone, Copy, Debug)]
pub struct Outlook {
    from: LightFrom,
    chances: Chances,
    /// What the parts of the light tree's root may bring.
    root: Vec4,
}

impl Outlook {
    /// The point.
    pub fn from(&self) -> &LightFrom {
        &self.from
    }
}

/// A direction in which light may arrive.
#[derive(Clone, Copy, Debug)]
pub struct LightSample {
    /// Toward the light, unit.
    pub wi: Vec3,
    /// How far the way must be free, metres; infinite for the sun and the sky.
    pub distance: f32,
    /// Density by solid angle with which this light was chosen and this direction on it. For a delta light the probability
    /// of choosing it.
    pub pdf: f32,
    /// No other technique can find this light: its sample has the full weight.
    pub delta: bool,
    /// Light group of the scene file.
    pub group: u16,
    pub kind: SampleKind,
}

/// What shines in a sample's direction.
#[derive(Clone, Copy, Debug)]
pub enum SampleKind {
    /// A known radiance, W/(m² sr); for a delta light the irradiance on a facing surface, W/m².
    Radiance(Vec3),
    /// The front of an emissive triangle (or the back, of a double-sided one): the caller evaluates its material there.
    Emitter {
        /// The scene's instance, as [`EmissiveInstance::instance`] named it.
        instance: u32,
        /// Triangle of the instance's mesh, as [`EmissiveTriangle::primitive`] named it.
        primitive: u32,
        /// The point is `(1 − u − v)·p0 + u·p1 + v·p2`.
        barycentrics: [f32; 2],
    },
}

/// One infinitely distant light in the direction of a ray that left the scene.
#[derive(Clone, Copy, Debug)]
pub struct InfiniteRadiance {
    pub group: u16,
    /// W/(m² sr).
    pub radiance: Vec3,
    /// Density by solid angle with which [`Lights::sample`] chooses this light and direction.
    pub pdf: f32,
}

/// The lights of a scene, ready for sampling. Immutable and shared by all threads.
#[derive(Debug)]
pub struct Lights {
    /// The sun and directional lights.
    discs: Vec<Disc>,
    sky: Option<Sky>,
    lamps: Vec<Lamp>,
    tree: LightTree,
}

/// With which probability each family of lights is tried at a point; they sum to one unless all are zero.
#[derive(Clone, Copy, Debug)]
struct Chances {
    discs: f32,
    sky: f32,
    tree: f32,
    /// Sum of the discs' importances, which divides their own.
    disc_importance: f32,
}

/// The least chance of a family that can contribute: estimates know nothing of what is in the way.
const LEAST_CHANCE: f32 = 0.1;

impl Lights {
    /// # Errors
    /// The first value that is out of its range; a light that refers to what is not there.
    pub fn build(description: &LightsDescription) -> Result<Self, LightError> {
        let mut discs: Vec<Disc> = description.sun.iter().map(Disc::new).collect::<Result<_, _>>()?;
        let sun = discs.first().map(|disc| disc.direction);
        let sky = description.sky.as_ref().map(|sky| Sky::new(sky, sun)).transpose()?;
        let mut lamps = Vec::new();
        for Punctual { kind, group } in &description.punctual {
            match *kind {
                PunctualKind::Point { position, intensity } => lamps.push(Lamp::point(position, intensity, *group)?),
                PunctualKind::Spot { position, direction, intensity, inner, outer } => {
                    lamps.push(Lamp::spot(position, intensity, *group, direction, (inner, outer))?);
                }
                PunctualKind::Directional { direction, irradiance } => {
                    let sun = Sun { direction: -direction, irradiance, angular_diameter: 0.0, group: *group };
                    discs.push(Disc::new(&sun)?);
                }
            }
        }
        let tree = LightTree::build(&lamps, &description.emissive_meshes, &description.emitters)?;
        Ok(Self { discs, sky, lamps, tree })
    }

    /// What may light a point.
    pub fn outlook(&self, from: LightFrom) -> Outlook {
        let root = self.tree.root_importance(&from);
        Outlook { chances: self.chances(&from, root.element_sum()), from, root }
    }

    /// Chooses a light by what it may contribute at `from`, and a direction toward it. `u` in [0, 1): the first and the last
    /// choose the light, the middle ones the place on it. `None` where nothing was found that can light the point.
    pub fn sample(&self, from: &LightFrom, u: [f32; 4]) -> Option<LightSample> {
        self.sample_at(&self.outlook(*from), u)
    }

    /// As [`Self::sample`].
    pub fn sample_at(&self, outlook: &Outlook, u: [f32; 4]) -> Option<LightSample> {
        let Outlook { from, chances, root } = outlook;
        let mut choice = Choice::new(u[0], u[3]);
        let place = [u[1], u[2]];
        if choice.take(chances.discs, 1.0) {
            return self.sample_disc(from, chances, choice, place);
        }
        if choice.take(chances.sky, 1.0 - chances.discs) {
            let sky = self.sky.as_ref()?;
            let (wi, pdf) = sky.sample(from.n, choice.refine(place));
            let sample = LightSample {
                wi,
                distance: f32::INFINITY,
                pdf: pdf * chances.sky,
                delta: false,
                group: sky.group,
                kind: SampleKind::Radiance(sky.radiance(wi)),
            };
            return (sample.pdf > 0.0).then_some(sample);
        }
        let sample = self.tree.sample(&self.lamps, from, *root, choice, place)?;
        Some(LightSample { pdf: sample.pdf * chances.tree, ..sample })
    }

    /// Calls `f` for every distant light that a ray in direction `wi` (unit) sees after leaving the scene: discs and the
    /// sky; delta lights are not seen. The pdfs are those of sampling at `from`, zero without it.
    pub fn infinite(&self, from: Option<&LightFrom>, wi: Vec3, f: impl FnMut(InfiniteRadiance)) {
        self.infinite_at(from.map(|from| self.outlook(*from)).as_ref(), wi, f);
    }

    /// As [`Self::infinite`].
    pub fn infinite_at(&self, outlook: Option<&Outlook>, wi: Vec3, mut f: impl FnMut(InfiniteRadiance)) {
        for disc in &self.discs {
            let radiance = disc.radiance(wi);
            if radiance != Vec3::ZERO {
                let pdf = outlook.map_or(0.0, |o| o.chances.of_disc(disc.importance(o.from.n)) * disc.pdf(wi));
                f(InfiniteRadiance { group: disc.group, radiance, pdf });
            }
        }
        if let Some(sky) = &self.sky {
            let pdf = outlook.map_or(0.0, |o| o.chances.sky * sky.pdf(o.from.n, wi));
            f(InfiniteRadiance { group: sky.group, radiance: sky.radiance(wi), pdf });
        }
    }

    /// Density by solid angle with which [`Self::sample`] at `from` chooses the point that a ray in direction `wi` meets
    /// after `distance` metres on a triangle of an instance. Zero for triangles that are not lights, and from behind.
    pub fn pdf_emitter(&self, from: &LightFrom, instance: u32, primitive: u32, wi: Vec3, distance: f32) -> f32 {
        self.pdf_emitter_at(&self.outlook(*from), instance, primitive, wi, distance)
    }

    /// As [`Self::pdf_emitter`].
    pub fn pdf_emitter_at(&self, outlook: &Outlook, instance: u32, primitive: u32, wi: Vec3, distance: f32) -> f32 {
        self.tree.pdf(&outlook.from, outlook.root, (instance, primitive), wi, distance) * outlook.chances.tree
    }

    /// Every delta light that reaches `p`, each with pdf 1: for an estimator that tries them all. Normals are not asked.
    pub fn delta_lights(&self, p: Vec3) -> impl Iterator<Item = LightSample> + '_ {
        let discs = self.discs.iter().filter(|disc| disc.is_delta());
        let distant = discs.map(|disc| delta_sample(disc.group, (disc.direction, f32::INFINITY, disc.irradiance)));
        let near = self.lamps.iter().filter_map(move |lamp| Some(delta_sample(lamp.group, lamp.illuminate(p)?)));
        distant.chain(near)
    }

    fn sample_disc(
        &self,
        from: &LightFrom,
        chances: &Chances,
        mut choice: Choice,
        place: [f32; 2],
    ) -> Option<LightSample> {
        let mut left = chances.disc_importance;
        for disc in &self.discs {
            let importance = disc.importance(from.n);
            if importance > 0.0 && choice.take(importance, left) {
                let (wi, pdf) = disc.sample(place);
                return Some(LightSample {
                    wi,
                    distance: f32::INFINITY,
                    pdf: pdf * chances.of_disc(importance),
                    delta: disc.is_delta(),
                    group: disc.group,
                    kind: SampleKind::Radiance(disc.sampled_value()),
                });
            }
            left -= importance;
        }
        None
    }

    /// `tree` is the light tree's importance.
    fn chances(&self, from: &LightFrom, tree: f32) -> Chances {
        let discs: f32 = self.discs.iter().map(|disc| disc.importance(from.n)).sum();
        let sky = self.sky.as_ref().map_or(0.0, |sky| sky.importance(from.n));
        let families = [discs, sky, tree];
        let possible = families.iter().filter(|&&importance| importance > 0.0).count() as f32;
        let total: f32 = families.iter().sum();
        let chance = |importance: f32| match importance > 0.0 {
            true => LEAST_CHANCE + (1.0 - possible * LEAST_CHANCE) * (importance / total),
            false => 0.0,
        };
        Chances { discs: chance(discs), sky: chance(sky), tree: chance(tree), disc_importance: discs }
    }
}

impl Chances {
    /// The probability of the disc with this importance.
    fn of_disc(&self, importance: f32) -> f32 {
        if importance > 0.0 { self.discs * (importance / self.disc_importance) } else { 0.0 }
    }
}

/// A number in [0, 1) that is used up by decisions: each takes its part and leaves the rest uniform.
///
/// Two f32 numbers make it 48 bits, so that lights with a chance of one in many millions are still chosen.
#[derive(Clone, Copy, Debug)]
struct Choice(f64);

impl Choice {
    fn new(high: f32, low: f32) -> Self {
        const HIGH_BITS: f64 = 1.0 / 16_777_216.0;
        Self((f64::from(high) + f64::from(low) * HIGH_BITS).min(Self::BELOW_ONE))
    }

    const BELOW_ONE: f64 = 1.0 - f64::EPSILON;

    /// True with probability `part / whole`.
    fn take(&mut self, part: f32, whole: f32) -> bool {
        // What is certain needs no division, of which the others wait for each other.
        if part <= 0.0 || part >= whole {
            return part > 0.0;
        }
        let p = f64::from(part) / f64::from(whole);
        let taken = self.0 < p;
        let rest = if taken { self.0 / p } else { (self.0 - p) / (1.0 - p) };
        self.0 = if rest < Self::BELOW_ONE { rest.max(0.0) } else { Self::BELOW_ONE };
        taken
    }

    /// One of some weights (not negative, `total` their sum) in proportion; `None` if all are zero.
    fn pick(&mut self, weights: &[f32], total: f32) -> Option<usize> {
        let mut at = self.0 * f64::from(total);
        let mut last = None;
        for (i, &weight) in weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0) {
            let weight = f64::from(weight);
            last = Some(i);
            if at < weight {
                self.0 = (at / weight).min(Self::BELOW_ONE);
                return last;
            }
            at -= weight;
        }
        // Rounding of the sum may leave a little behind the last one.
        self.0 = Self::BELOW_ONE;
        last
    }

    /// Gives a place's numbers finer steps than f32 has, for tables with more cells than that.
    fn refine(self, place: [f32; 2]) -> [f64; 2] {
        [Self::new(place[0], self.0 as f32).0, Self::new(place[1], (self.0 * 4096.0).fract() as f32).0]
    }
}

fn delta_sample(group: u16, (wi, distance, irradiance): (Vec3, f32, Vec3)) -> LightSample {
    LightSample { wi, distance, pdf: 1.0, delta: true, group, kind: SampleKind::Radiance(irradiance) }
}

/// cos(max(0, a − b)) of angles in 0..=π, from their cosines and sin b.
fn cos_of_difference(cos_a: f32, cos_b: f32, sin_b: f32) -> f32 {
    if cos_a > cos_b { 1.0 } else { cos_a * cos_b + (1.0 - cos_a * cos_a).max(0.0).sqrt() * sin_b }
}

/// Light quantities are finite and not negative.
fn check_quantity(value: Vec3, what: &'static str) -> Result<(), LightError> {
    if value.is_finite() && value.min_element() >= 0.0 { Ok(()) } else { Err(LightError::Quantity(what)) }
}
