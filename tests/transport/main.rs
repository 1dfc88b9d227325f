//! The integrators against quadrature and against each other.

#[path = "../support/brdf_reference.rs"]
mod brdf_reference;
#[path = "../support/chi_square.rs"]
#[allow(dead_code, reason = "only the grid is used here")]
mod chi_square;
#[path = "../support/quadrature.rs"]
mod quadrature;
#[path = "../support/random.rs"]
#[allow(dead_code, reason = "for the tests of the support")]
mod random;
#[path = "../support/scene.rs"]
#[allow(dead_code, reason = "shared by several test files")]
mod scene;

mod agreement;

mod irradiance;
mod parts;
mod sphere;
mod stage;
mod third;
