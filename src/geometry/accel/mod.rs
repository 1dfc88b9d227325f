//! Ray acceleration: three backends that answer the same questions.
//!
//! Hits are ordered by (t, instance, primitive), in all queries and backends: what is hit does not depend on how a tree
//! was built or walked. A ray's range includes both ends; a negative `t_min` counts as 0. Rays with NaN or infinite
//! origins or directions hit nothing, nor do rays hit triangles without an area or instances whose transform has no
//! inverse. Triangles are hit from both sides, on edges and corners too, and no ray passes between two that share an
//! edge's vertices.
//!
//! All `unsafe` of the crate is below here, behind safe functions.

mod bounds;
mod brute;
mod bvh;
mod embree;
mod huge_pages;
mod journal;
mod placement;
mod search;
mod simd;
mod triangle;

pub use bounds::Bounds;
pub use journal::Journal;

use self::brute::Brute;
use self::bvh::Bvh;
use self::embree::Embree;
use self::journal::Recorder;
use crate::geometry::mesh::{Instance, Mesh};
use crate::geometry::{Hit, Ray};

/// Which implementation answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// Our own trees, the same bits on every machine.
    #[default]
    Bvh,
    /// Intel's Embree, 4.3 or newer, where it is installed.
    Embree,
    /// All triangles one by one: for tests.
    Brute,
}

/// Why there is no such backend.
#[derive(Debug, thiserror::Error)]
pub enum AccelError {
    #[error("cannot start {threads} threads: {cause}")]
    Threads { threads: usize, cause: String },
    #[error(
        "cannot load Embree from {file}: {cause}\n\
         Install Embree 4.3 or newer (for instance `pip install embreex` and its folder `embreex.libs`), and let \
         {} name the library's file where the system does not find it; or use the default backend, which needs nothing.",
        embree::VARIABLE
    )]
    EmbreeMissing { file: String, cause: String },
    #[error("{file} is Embree {found}: 4.3 or a newer 4 is needed")]
    EmbreeVersion { file: String, found: String },
    #[error("{file} was built without {feature}, which are needed")]
    EmbreeFeature { file: String, feature: &'static str },
    #[error("Embree failed {doing}: error {code}")]
    Embree { doing: &'static str, code: i32 },
}

/// Bytes in use, apart from the meshes' and instances' own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Trees over triangles, and copies of those.
    pub meshes: usize,
    /// The tree over instances and their records.
    pub instances: usize,
}

/// A scene's geometry, ready for rays.
#[derive(Debug)]
pub struct Accel {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Bvh(Bvh),
    Embree(Embree),
    Brute(Brute),
    Recorder(Recorder),
}

impl Accel {
    /// Builds for `instances` of `meshes` on `threads` threads (0: as many as there are cores). Instances of meshes
    /// that are not there are never hit. The same input gives the same hits for any number of threads.
    pub fn build(
        meshes: &[Mesh],
        instances: &[Instance],
        backend: Backend,
        threads: usize,
    ) -> Result<Self, AccelError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|cause| AccelError::Threads { threads, cause: cause.to_string() })?;
        let kind = match backend {
            Backend::Bvh => Kind::Bvh(pool.install(|| Bvh::build(meshes, instances))),
            Backend::Embree => Kind::Embree(Embree::build(meshes, instances, threads)?),
            Backend::Brute => Kind::Brute(Brute::build(meshes, instances)),
        };
        Ok(Self { kind })
    }

    /// The same, without this processor's SIMD: `bvh` only, for tests.
    pub fn portable(self) -> Self {
        match self.kind {
            Kind::Bvh(bvh) => Self { kind: Kind::Bvh(bvh.portable()) },
            kind => Self { kind },
        }
    }

    /// The same, which keeps what it is asked in a [`Journal`].
    pub fn recorded(self) -> Self {
        Self { kind: Kind::Recorder(Recorder::new(self)) }
    }

    /// Ends what [`Self::recorded`] began; an empty journal where nothing did.
    pub fn into_recorded(self) -> (Self, Journal) {
        match self.kind {
            Kind::Recorder(recorder) => recorder.into_parts(),
            kind => (Self { kind }, Journal::default()),
        }
    }

    /// The first hit in the order (t, instance, primitive) on an instance that shares a bit with `mask`.
    pub fn closest(&self, ray: &Ray, mask: u8) -> Option<Hit> {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.closest(ray, mask),
            Kind::Embree(embree) => embree.closest(ray, mask),
            Kind::Brute(brute) => brute.closest(ray, mask),
            Kind::Recorder(recorder) => recorder.closest(ray, mask),
        }
    }

    /// The first hit of the same ray strictly behind `after` in the order (t, instance, primitive). Called again and
    /// again it visits every hit once, also those at the same distance.
    pub fn closest_after(&self, ray: &Ray, mask: u8, after: &Hit) -> Option<Hit> {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.closest_after(ray, mask, after),
            Kind::Embree(embree) => embree.closest_after(ray, mask, after),
            Kind::Brute(brute) => brute.closest_after(ray, mask, after),
            Kind::Recorder(recorder) => recorder.closest_after(ray, mask, after),
        }
    }

    /// Whether anything that shares a bit with `mask` is within the ray's range.
    pub fn occluded(&self, ray: &Ray, mask: u8) -> bool {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.occluded(ray, mask),
            Kind::Embree(embree) => embree.occluded(ray, mask),
            Kind::Brute(brute) => brute.closest(ray, mask).is_some(),
            Kind::Recorder(recorder) => recorder.occluded(ray, mask),
        }
    }

    /// [`closest`](Self::closest) of each ray, in the place of the same index: the same hits, sooner where neighbours
    /// are alike, such as a pixel's camera rays.
    ///
    /// # Panics
    /// Where `hits` is not as long as `rays`.
    pub fn closest_packet(&self, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
        assert_eq!(rays.len(), hits.len());
        match &self.kind {
            Kind::Bvh(bvh) => bvh.closest_packet(rays, mask, hits),
            Kind::Embree(embree) => embree.closest_packet(rays, mask, hits),
            Kind::Brute(brute) => rays.iter().zip(hits).for_each(|(ray, hit)| *hit = brute.closest(ray, mask)),
            Kind::Recorder(recorder) => recorder.closest_packet(rays, mask, hits),
        }
    }

    /// The backend and the path that its hits depend on, such as `bvh-avx2`: for the picture's header.
    pub fn name(&self) -> &str {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.name(),
            Kind::Embree(embree) => embree.name(),
            Kind::Brute(_) => "brute",
            Kind::Recorder(recorder) => recorder.accel().name(),
        }
    }

    pub fn memory(&self) -> MemoryUse {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.memory(),
            Kind::Embree(embree) => embree.memory(),
            Kind::Brute(brute) => brute.memory(),
            Kind::Recorder(recorder) => recorder.accel().memory(),
        }
    }

    /// Bytes in use, apart from the meshes' and instances' own.
    pub fn bytes(&self) -> usize {
        let MemoryUse { meshes, instances } = self.memory();
        meshes + instances
    }

    /// A box around everything that can be hit.
    pub fn bounds(&self) -> Bounds {
        match &self.kind {
            Kind::Bvh(bvh) => bvh.bounds(),
            Kind::Embree(embree) => embree.bounds(),
            Kind::Brute(brute) => brute.bounds(),
            Kind::Recorder(recorder) => recorder.accel().bounds(),
        }
    }
}
