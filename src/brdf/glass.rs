//! The reflection of thin glass: one of the two things that a glass hit does (the other goes straight on).

use glam::Vec3;

use super::safe::{luminance, sat, sat3};
use super::{Brdf, Normals};

/// Neither branch of a pane is chosen more rarely than this while it can carry light.
const MIN_BRANCH: f32 = 0.05;

impl Brdf {
    /// The specular term with a grey F0 = sat(`f0`), no diffuse. Arguments otherwise as [`Brdf::opaque`].
    pub fn glass(f0: f32, roughness: f32, n_raw: Vec3, ng: Vec3, wo: Vec3) -> Self {
        Self::new(Vec3::ZERO, Vec3::splat(sat(f0)), sat(roughness), Normals::toward_viewer(n_raw, ng, wo), wo)
    }

    /// The probability with which an estimator should reflect at a pane that passes `transmittance` (per channel): in
    /// proportion to the luminances of what the two branches carry. 1 where nothing passes; never 0.
    pub fn reflection_probability(&self, transmittance: Vec3) -> f32 {
        let passed = luminance(sat3(transmittance));
        if passed <= 0.0 {
            return 1.0;
        }
        let reflected = self.specular_estimate();
        (reflected / (reflected + passed)).clamp(MIN_BRANCH, 1.0 - MIN_BRANCH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pane(f0: f32, cos: f32) -> Brdf {
        Brdf::glass(f0, 0.1, Vec3::Z, Vec3::Z, Vec3::new((1.0 - cos * cos).sqrt(), 0.0, cos))
    }

    #[test]
    fn reflects_without_diffuse() {
        let wi = Vec3::new(-0.6, 0.0, 0.8);
        let f = pane(0.04, 0.8).eval(wi);
        assert_eq!(f.diffuse, Vec3::ZERO);
        assert!(f.specular.x > 0.0 && f.specular.x == f.specular.z);
    }

    #[test]
    fn branch_probability_follows_what_the_branches_carry() {
        assert_eq!(pane(0.04, 1.0).reflection_probability(Vec3::ZERO), 1.0);
        assert_eq!(pane(0.0, 1.0).reflection_probability(Vec3::ONE), MIN_BRANCH);
        let steep = pane(0.04, 1.0).reflection_probability(Vec3::splat(0.5));
        let grazing = pane(0.04, 0.1).reflection_probability(Vec3::splat(0.5));
        assert!((steep - 0.04 / 0.54).abs() < 1e-6 && grazing > steep);
    }
}
