//! The rays of a render, kept to be traced again alone: how much of a render's time is rays.

use std::sync::{Mutex, PoisonError};

use super::Accel;
use crate::geometry::{Hit, Ray};

/// Rays asked in one call, with their mask.
#[derive(Clone, Debug)]
enum Query {
    Closest(Ray, u8),
    After(Ray, u8, Hit),
    Occluded(Ray, u8),
    Packet(Box<[Ray]>, u8),
}

/// The queries of a render, in the order in which they were asked.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    queries: Vec<Query>,
}

impl Journal {
    /// The number of rays.
    pub fn rays(&self) -> usize {
        let rays = |query: &Query| if let Query::Packet(rays, _) = query { rays.len() } else { 1 };
        self.queries.iter().map(rays).sum()
    }

    /// Asks every query again and tells `met` what was met where: the hits of shadow rays are not known. The number of rays
    /// that met something.
    pub fn replay(&self, accel: &Accel, mut met: impl FnMut(&Ray, &Hit)) -> usize {
        let mut hits = Vec::new();
        let mut tell = |ray: &Ray, hit: Option<Hit>| {
            hit.iter().for_each(|hit| met(ray, hit));
            usize::from(hit.is_some())
        };
        let mut ask = |query: &Query| match query {
            Query::Closest(ray, mask) => tell(ray, accel.closest(ray, *mask)),
            Query::After(ray, mask, after) => tell(ray, accel.closest_after(ray, *mask, after)),
            Query::Occluded(ray, mask) => usize::from(accel.occluded(ray, *mask)),
            Query::Packet(rays, mask) => {
                hits.clear();
                hits.resize(rays.len(), None);
                accel.closest_packet(rays, *mask, &mut hits);
                rays.iter().zip(&hits).map(|(ray, hit)| tell(ray, *hit)).sum()
            }
        };
        self.queries.iter().map(&mut ask).sum()
    }
}

/// A backend that writes down what it is asked.
#[derive(Debug)]
pub(super) struct Recorder {
    accel: Box<Accel>,
    journal: Mutex<Journal>,
}

impl Recorder {
    pub fn new(accel: Accel) -> Self {
        Self { accel: Box::new(accel), journal: Mutex::default() }
    }

    pub fn into_parts(self) -> (Accel, Journal) {
        (*self.accel, self.journal.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn accel(&self) -> &Accel {
        &self.accel
    }

    pub fn closest(&self, ray: &Ray, mask: u8) -> Option<Hit> {
        self.note(Query::Closest(*ray, mask));
        self.accel.closest(ray, mask)
    }

    pub fn closest_after(&self, ray: &Ray, mask: u8, after: &Hit) -> Option<Hit> {
        self.note(Query::After(*ray, mask, *after));
        self.accel.closest_after(ray, mask, after)
    }

    pub fn occluded(&self, ray: &Ray, mask: u8) -> bool {
        self.note(Query::Occluded(*ray, mask));
        self.accel.occluded(ray, mask)
    }

    pub fn closest_packet(&self, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
        self.note(Query::Packet(rays.into(), mask));
        self.accel.closest_packet(rays, mask, hits);
    }

    fn note(&self, query: Query) {
        // A panic elsewhere leaves whole queries behind.
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).queries.push(query);
    }
}

#[cfg(test)]
mod tests {
    use glam::{Affine3A, Vec3};

    use super::*;
    use crate::geometry::accel::Backend;
    use crate::geometry::mesh::{Instance, Mesh, mask};

    #[test]
    fn a_replay_asks_the_same_again() {
        let mesh = Mesh { positions: vec![Vec3::ZERO, Vec3::X, Vec3::Y], indices: vec![[0, 1, 2]], ..Mesh::default() };
        let transform = Affine3A::IDENTITY;
        let instance = Instance { mesh: 0, material: 0, transform, variation: [0; 3], mask: mask::SOLID };
        let accel = Accel::build(&[mesh], &[instance], Backend::Bvh, 1).unwrap().recorded();
        let ray = |x: f32| Ray { origin: Vec3::new(x, 0.2, 1.0), direction: -Vec3::Z, t_min: 0.0, t_max: 9.0 };
        let hit = accel.closest(&ray(0.25), mask::ALL).unwrap();
        assert!(accel.occluded(&ray(0.3), mask::ALL) && !accel.occluded(&ray(2.0), mask::ALL));
        assert!(accel.closest_after(&ray(0.25), mask::ALL, &hit).is_none());
        accel.closest_packet(&[ray(0.125), ray(3.0)], mask::ALL, &mut [None; 2]);
        let (accel, journal) = accel.into_recorded();
        let mut places = vec![];
        assert_eq!((journal.rays(), journal.replay(&accel, |_, hit| places.push(hit.u))), (6, 3));
        assert_eq!(places, [0.25, 0.125]);
        assert_eq!(accel.into_recorded().1.rays(), 0);
    }
}
