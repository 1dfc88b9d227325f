//! Decals: paint that other geometry, or a box in space, puts on the surfaces behind it.
//!
//! Three kinds, told apart by [`Class`](crate::material::Class):
//!
//! - **Road decals** lie a few millimetres above what they paint, in stacks about a millimetre apart. The topmost one's
//!   G-buffer replaces its receiver's; light is computed at the *receiver's* point, so the gap between the two is neither lit nor
//!   dark nor leaking. Position, depth and ids of the AOVs are the decal's.
//! - **Mesh decals** (facades) edit the G-buffer of what is behind them through three targets, from the farthest to the nearest.
//! - **Projected boxes** paint what lies inside them, after the mesh decals and in scene order ([`boxes`]).
//!
//! This module holds what can be said without tracing a ray: how G-buffers are composed ([`composite`]), which decals along a
//! ray count for which surface ([`layers`]), which boxes hold a point ([`boxes`]). `integrator::painted` asks the rays.
//!
//! # What is behind a decal
//!
//! Rays meet surfaces and decals separately (`mask::SURFACES`, `mask::DECAL`). The first surface that is there and is not
//! glass, O, is the candidate receiver of all decals in front of it. From the farthest to the nearest:
//!
//! - a road decal within `[world] decal_reach` of O, measured along O's geometric normal, is painted on O;
//! - one that is farther from it (or has no O at all) is an ordinary surface: it takes O's place;
//! - a mesh decal within reach of what is uppermost by then edits it; one that is not has no effect.
//!
//! Decided: a road decal is also an ordinary surface where O stands across it ([`layers::ALIGNED`]): a kerb's face that the ray
//! meets within the gap is not what the decal paints, and must not lend it its horizontal normal.
//!
//! Glass between a road decal and its receiver lies in the gap and is not seen. Behind glass a mesh decal in front of the
//! pane still edits what it can reach, because glass does not receive. Water does not receive either, but for road decals.
//!
//! # From below
//!
//! A ray that leaves a receiver crosses the decals above it, and must not notice: a decal within `decal_reach` of the plane that
//! the ray starts from, aligned with it and crossed from its underside, is passed over ([`layers::Departure`]). That alone is the
//! rule of shadow rays: a road decal stops light unless it paints the surface that the ray comes from. In all other cases it is
//! an ordinary surface, or its receiver behind it stops the light too, or it covers the emitter that the ray goes to. So no
//! receiver has to be searched for along shadow rays and nothing is precomputed. Mesh decals never stop light.
//!
//! # Distances of a millimetre, kilometres away
//!
//! At 2 km from the camera and 6 km from the origin, float32 distances along a ray are uncertain by about a centimetre:
//! more than a stack of patches is high. Distances decide only where they differ by more than [`layers::slack`]; closer than that the order is
//! that of the heights above the receiver's plane, computed in float64 from the triangles themselves ([`layers::Plane`]), whose
//! accuracy is that of the stored placements (half an ulp: 0.25 mm at 6 km). Decals that the float32 distances put behind their
//! receiver are found by looking beyond it by the same slack. Exactly coplanar ones count as above it.

pub mod boxes;
pub mod composite;
pub mod layers;

pub use boxes::{Boxes, DecalBox};
