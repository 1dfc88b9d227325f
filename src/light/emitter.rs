//! Emissive triangles: how they are described, and how a place on one is chosen.

use glam::{Affine3A, DVec3, Vec3};

/// The emissive triangles of a mesh and material, under an id that [`EmissiveInstance::mesh`] refers to. Meshes with the
/// same geometry but other emission have ids of their own.
#[derive(Clone, Debug, Default)]
pub struct EmissiveMesh {
    pub mesh: u32,
    pub triangles: Vec<EmissiveTriangle>,
}

/// One triangle that may shine.
#[derive(Clone, Copy, Debug)]
pub struct EmissiveTriangle {
    /// Its index in the mesh that rays hit.
    pub primitive: u32,
    /// Object space, metres; counter-clockwise seen from the front.
    pub p: [Vec3; 3],
    /// Luminance of its radiance, averaged over the triangle, W/(m² sr): an estimate that only steers sampling. Triangles
    /// where it is not above zero are not lights: they are found by rays alone.
    pub radiance: f32,
}

/// A mesh of lights placed in the world.
#[derive(Clone, Copy, Debug)]
pub struct EmissiveInstance {
    /// The scene's instance index; each at most once.
    pub instance: u32,
    /// Id of its [`EmissiveMesh`].
    pub mesh: u32,
    /// Object to world, relative to the scene's centre. Any affine map: mirrored, skewed, flat.
    pub transform: Affine3A,
    /// Shines from the back too.
    pub double_sided: bool,
    pub group: u16,
}

/// A place on a triangle as seen from a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct TriangleSample {
    pub wi: Vec3,
    pub distance: f32,
    /// By solid angle.
    pub pdf: f32,
    pub barycentrics: [f32; 2],
}

/// A triangle in the world, as seen from a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeenTriangle {
    /// From the point to the first corner, and the edges to the other two.
    corner: Vec3,
    edges: [Vec3; 2],
    /// Cross product of the edges: twice the area, along the geometric normal of the winding.
    cross: Vec3,
}

/// The solid angle from which on triangles are sampled by it. Below, distances and cosines vary little over a triangle, and
/// its area does nearly as well (0.3 % more error in `cornell` for 8 % less time).
const LEAST_SPHERICAL: f32 = 0.03;
/// The solid angle from which on they are not any more: the point lies almost in the triangle.
const MOST_SPHERICAL: f32 = 6.2;

impl SeenTriangle {
    pub fn new(corner: Vec3, edges: [Vec3; 2]) -> Self {
        Self { corner, edges, cross: edges[0].cross(edges[1]) }
    }

    /// Whether the point is on the side from which the corners run counter-clockwise.
    pub fn seen_from_front(&self) -> bool {
        self.cross.dot(self.corner) < 0.0
    }

    /// Chooses a place, by solid angle where that is stable. `None` for triangles without area or seen edge-on.
    pub fn sample(&self, u: [f32; 2]) -> Option<TriangleSample> {
        if let Some(solid_angle) = self.sampled_solid_angle() {
            return self.sample_solid_angle(solid_angle, u);
        }
        let root = u[0].sqrt();
        let barycentrics = [(1.0 - u[1]) * root, u[1] * root];
        let place = self.corner + self.edges[0] * barycentrics[0] + self.edges[1] * barycentrics[1];
        let distance = place.length();
        let wi = place / distance;
        let pdf = self.area_pdf(wi, distance);
        (pdf > 0.0).then_some(TriangleSample { wi, distance, pdf, barycentrics })
    }

    /// Density by solid angle of [`Self::sample`] for a ray that meets the triangle in direction `wi` after `distance`.
    pub fn pdf(&self, wi: Vec3, distance: f32) -> f32 {
        self.sampled_solid_angle().map_or_else(|| self.area_pdf(wi, distance), f32::recip)
    }

    /// Zero where it would be infinite or is not a number: edge-on and without area.
    fn area_pdf(&self, wi: Vec3, distance: f32) -> f32 {
        let pdf = 2.0 * distance * distance / self.cross.dot(wi).abs();
        if pdf.is_finite() { pdf } else { 0.0 }
    }

    /// The solid angle, where that is what is sampled.
    fn sampled_solid_angle(&self) -> Option<f32> {
        let (sin, cos) = self.half_solid_angle();
        // tan x ≈ x here; the arc tangent is not worth its time for what is small.
        if sin < 0.5 * LEAST_SPHERICAL * cos {
            return None;
        }
        let solid_angle = 2.0 * sin.atan2(cos);
        (solid_angle < MOST_SPHERICAL).then_some(solid_angle)
    }

    /// Sine and cosine of half the solid angle, both times the same factor.
    ///
    /// Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle" (1983). The triple product comes from the edges: of
    /// unit vectors to the corners of a small triangle little would be left.
    fn half_solid_angle(&self) -> (f32, f32) {
        let [a, b, c] = self.corners();
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        (self.cross.dot(a).abs(), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb)
    }

    fn corners(&self) -> [Vec3; 3] {
        [self.corner, self.corner + self.edges[0], self.corner + self.edges[1]]
    }

    /// Arvo, "Stratified Sampling of Spherical Triangles" (SIGGRAPH 1995), in f64. The dihedral angle α at a is known by its
    /// sine and cosine alone; differences that would cancel for small areas are written as products.
    fn sample_solid_angle(&self, solid_angle: f32, u: [f32; 2]) -> Option<TriangleSample> {
        let [a, b, c] = self.corners().map(|corner| corner.as_dvec3().normalize());
        let (ab, ac) = (a.cross(b), a.cross(c));
        let (sin, cos) = (ab.cross(ac).length(), ab.dot(ac));
        let scale = (sin * sin + cos * cos).sqrt().recip();
        let (sin_alpha, cos_alpha) = (sin * scale, cos * scale);
        // A vertex on the arc from a to c, such that the triangle before it has the part u₀ of the area: s and t are sine and
        // cosine of that area less α.
        let (sin_half, cos_half) = (0.5 * f64::from(u[0]) * f64::from(solid_angle)).sin_cos();
        let (sin_area, versine) = (2.0 * sin_half * cos_half, 2.0 * sin_half * sin_half);
        let cos_area = 1.0 - versine;
        let s = sin_area * cos_alpha - cos_area * sin_alpha;
        let t = cos_area * cos_alpha + sin_area * sin_alpha;
        let (p, q) = (sin_area * sin_alpha - versine * cos_alpha, s + sin_alpha * a.dot(b));
        let cos = ((q * t - p * s) * cos_alpha - q) / ((q * s + p * t) * sin_alpha);
        // At u₀ = 0 both parts of the quotient vanish: the vertex is a.
        let cos = if cos.is_finite() { cos.clamp(a.dot(c).min(1.0), 1.0) } else { 1.0 };
        let vertex = arc(a, c, cos);
        // A place on the arc from b to it.
        let wi = arc(b, vertex, 1.0 - f64::from(u[1]) * (1.0 - vertex.dot(b)));
        self.meet(wi, 1.0 / solid_angle)
    }

    /// The sample where a ray in direction `wi`, known to go through the triangle, meets it.
    fn meet(&self, wi: DVec3, pdf: f32) -> Option<TriangleSample> {
        let (corner, edges) = (self.corner.as_dvec3(), self.edges.map(|e| e.as_dvec3()));
        let cross = edges[0].cross(edges[1]);
        let distance = cross.dot(corner) / cross.dot(wi);
        if !(distance.is_finite() && distance > 0.0) {
            return None;
        }
        let inside = wi * distance - corner;
        let scale = cross.length_squared().recip();
        let first = (inside.cross(edges[1]).dot(cross) * scale).clamp(0.0, 1.0);
        let second = (edges[0].cross(inside).dot(cross) * scale).clamp(0.0, 1.0 - first);
        let barycentrics = [first as f32, second as f32];
        Some(TriangleSample { wi: wi.as_vec3().normalize(), distance: distance as f32, pdf, barycentrics })
    }
}

/// The unit vector at angle arccos(`cos`) from `from` (unit) toward `to`.
fn arc(from: DVec3, to: DVec3, cos: f64) -> DVec3 {
    let across = (to - from * from.dot(to)).normalize_or_zero();
    from * cos + across * (1.0 - cos * cos).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One octant: its solid angle is π/2, and directions are uniform in it.
    #[test]
    fn an_octant_is_sampled_uniformly() {
        let triangle = SeenTriangle::new(Vec3::X, [Vec3::Y - Vec3::X, Vec3::Z - Vec3::X]);
        let (sin, cos) = triangle.half_solid_angle();
        assert!((2.0 * sin.atan2(cos) - std::f32::consts::FRAC_PI_2).abs() < 1e-6);
        let n = 256;
        let mut mean = DVec3::ZERO;
        for i in 0..n * n {
            let u = [(i % n) as f32 + 0.5, (i / n) as f32 + 0.5].map(|x| x / n as f32);
            let sample = triangle.sample(u).unwrap();
            let place = triangle.corner
                + triangle.edges[0] * sample.barycentrics[0]
                + triangle.edges[1] * sample.barycentrics[1];
            assert!((place - sample.wi * sample.distance).length() < 1e-5);
            assert_eq!(triangle.pdf(sample.wi, sample.distance), sample.pdf);
            mean += sample.wi.as_dvec3();
        }
        // The mean of a coordinate over the sphere's octant is 1/2.
        mean /= f64::from(n * n);
        assert!((mean - DVec3::splat(0.5)).abs().max_element() < 1e-4, "{mean}");
    }

    #[test]
    fn the_solid_angle_of_a_small_triangle_is_its_projected_area() {
        let triangle = SeenTriangle::new(Vec3::new(10.0, 0.3, 0.2), [Vec3::Y * 1e-3, Vec3::Z * 1e-3]);
        let distance = triangle.corner.length();
        let expected = 0.5e-6 * (10.0 / distance) / (distance * distance);
        let (sin, cos) = triangle.half_solid_angle();
        assert!((2.0 * sin.atan2(cos) / expected - 1.0).abs() < 1e-3);
    }

    #[test]
    fn triangles_without_area_or_edge_on_give_nothing() {
        for edges in [[Vec3::ZERO; 2], [Vec3::Y, Vec3::Y * 2.0], [Vec3::X, Vec3::Y]] {
            let triangle = SeenTriangle::new(Vec3::new(2.0, 0.5, 0.0), edges);
            assert!(triangle.sample([0.3, 0.6]).is_none(), "{edges:?}");
            assert_eq!(triangle.pdf(Vec3::X, 2.0), 0.0);
        }
    }
}
