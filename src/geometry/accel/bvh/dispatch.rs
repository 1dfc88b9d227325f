//! The entry points, compiled once for AVX2 and once for any processor.

#[cfg(target_arch = "x86_64")]
use crate::geometry::accel::simd::avx2::Avx2;
use crate::geometry::accel::simd::portable::Portable;

use super::packet::trace_packet;
use super::trace::{Scene, trace};
use crate::geometry::accel::search::Search;
use crate::geometry::{Hit, Ray};

/// Which instructions queries use.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable(Portable),
}

impl Path {
    /// The quickest one that this processor has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Avx2::detect() {
            return Self::Avx2(token);
        }
        Self::Portable(Portable)
    }

    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => "bvh-avx2",
            Self::Portable(_) => "bvh-portable",
        }
    }

    /// Runs a search to the nearest hit.
    pub fn closest(self, scene: &Scene, ray: &Ray, mask: u8, search: &mut Search) {
        match self {
            // SAFETY: the token proves that the processor has the features that the function enables.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => unsafe { closest_avx2(token, scene, ray, mask, search) },
            Self::Portable(token) => {
                trace::<_, false>(token, scene, ray, mask, search);
            }
        }
    }

    /// Whether there is a hit.
    pub fn occluded(self, scene: &Scene, ray: &Ray, mask: u8, search: &mut Search) -> bool {
        match self {
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => unsafe { occluded_avx2(token, scene, ray, mask, search) },
            Self::Portable(token) => trace::<_, true>(token, scene, ray, mask, search),
        }
    }

    /// The nearest hits of at most [`PACKET`](super::frustum::PACKET) rays.
    pub fn packet(self, scene: &Scene, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
        match self {
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(token) => unsafe { packet_avx2(token, scene, rays, mask, hits) },
            Self::Portable(token) => trace_packet(token, scene, rays, mask, hits),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn closest_avx2(token: Avx2, scene: &Scene, ray: &Ray, mask: u8, search: &mut Search) {
    trace::<_, false>(token, scene, ray, mask, search);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn occluded_avx2(token: Avx2, scene: &Scene, ray: &Ray, mask: u8, search: &mut Search) -> bool {
    trace::<_, true>(token, scene, ray, mask, search)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn packet_avx2(token: Avx2, scene: &Scene, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
    trace_packet(token, scene, rays, mask, hits);
}
