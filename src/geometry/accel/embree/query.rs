//! Rays in Embree's structs, and the filter that keeps our order of hits.

use super::ffi::{
    self, FilterArguments, PACKET, QueryArguments, QueryContext, RayHit, RayHit16, RayHitFields, Valid16,
};
use super::library::Device;
use crate::geometry::accel::search::{Search, key};
use crate::geometry::{Hit, Ray};

/// What the filter needs, behind the context that Embree hands on. `searches[id]` is that of the ray with this id.
#[repr(C)]
struct FilterContext<'a> {
    base: QueryContext,
    searches: &'a mut [Option<Search>],
}

impl FilterContext<'_> {
    fn new(searches: &mut [Option<Search>]) -> FilterContext<'_> {
        FilterContext { base: QueryContext { instance: ffi::INVALID, instance_member: ffi::INVALID }, searches }
    }

    /// Arguments that lead to this context; it must not be used while they are.
    fn arguments(&mut self, flags: u32) -> QueryArguments {
        QueryArguments {
            flags: flags | ffi::QUERY_INVOKE_ARGUMENT_FILTER,
            features: ffi::FEATURES_ALL,
            context: std::ptr::from_mut(self).cast(),
            filter: Some(keep_order),
            user_geometry: std::ptr::null(),
        }
    }
}

/// `RTCFilterFunctionN`: refuses hits that do not come before the best one, or not after the given one.
unsafe extern "C" fn keep_order(arguments: *const FilterArguments) {
    // SAFETY: Embree passes pointers to n rays and hits, field by field, and the context of our `QueryArguments`, which
    // is a `FilterContext` that nothing else touches during the query. Ray ids index its searches: we wrote them.
    unsafe {
        let FilterArguments { valid, context, ray, hit, n, .. } = *arguments;
        let searches = &mut *(*context.cast::<FilterContext>()).searches;
        let n = n as usize;
        for i in (0..n).filter(|&i| *valid.add(i) != 0) {
            let word = |part: *mut std::ffi::c_void, field: usize| part.cast::<u32>().add(field * n + i);
            let t = f32::from_bits(*word(ray, ffi::RAY_T_FAR));
            let key = key(*word(hit, ffi::HIT_INSTANCE), *word(hit, ffi::HIT_PRIMITIVE));
            match searches.get_mut(*word(ray, ffi::RAY_ID) as usize) {
                Some(Some(search)) if search.wants(t, key) => {
                    let u = f32::from_bits(*word(hit, ffi::HIT_U));
                    let v = f32::from_bits(*word(hit, ffi::HIT_V));
                    search.accept(t, key, u, v);
                }
                _ => *valid.add(i) = 0,
            }
        }
    }
}

fn fields<const N: usize>() -> RayHitFields<N> {
    RayHitFields {
        origin: [[0.0; N]; 3],
        t_near: [0.0; N],
        direction: [[0.0; N]; 3],
        time: [0.0; N],
        t_far: [f32::NEG_INFINITY; N],
        mask: [0; N],
        id: [0; N],
        flags: [0; N],
        normal: [[0.0; N]; 3],
        u: [0.0; N],
        v: [0.0; N],
        primitive: [ffi::INVALID; N],
        geometry: [ffi::INVALID; N],
        instance: [ffi::INVALID; N],
        instance_member: [ffi::INVALID; N],
    }
}

impl<const N: usize> RayHitFields<N> {
    fn set(&mut self, i: usize, ray: &Ray, mask: u8, search: &Search) {
        for axis in 0..3 {
            self.origin[axis][i] = ray.origin[axis];
            self.direction[axis][i] = ray.direction[axis];
        }
        self.t_near[i] = search.t_min;
        self.t_far[i] = search.t;
        self.mask[i] = mask.into();
        self.id[i] = i as u32;
    }
}

/// Runs `search` for `ray`.
pub fn closest(device: &Device, scene: ffi::Handle, ray: &Ray, mask: u8, search: Search) -> Option<Hit> {
    let mut query = RayHit(fields());
    query.0.set(0, ray, mask, &search);
    let mut searches = [Some(search)];
    let mut context = FilterContext::new(&mut searches);
    let mut arguments = context.arguments(0);
    // SAFETY: a committed scene; the query and its context live through the call.
    unsafe { (device.functions.intersect)(scene, &mut query, &mut arguments) };
    searches[0]?.hit()
}

/// Whether `ray` meets anything within `search`'s range.
pub fn occluded(device: &Device, scene: ffi::Handle, ray: &Ray, mask: u8, search: &Search) -> bool {
    let mut query = RayHit(fields());
    query.0.set(0, ray, mask, search);
    // SAFETY: a committed scene; `RTCRay` is the first part of the query, which lives through the call. No arguments
    // are needed.
    unsafe { (device.functions.occluded)(scene, &mut query, std::ptr::null_mut()) };
    query.0.t_far[0] == f32::NEG_INFINITY
}

/// [`closest`] for up to 16 rays at once.
pub fn closest16(device: &Device, scene: ffi::Handle, rays: &[Ray], mask: u8, hits: &mut [Option<Hit>]) {
    let mut query = RayHit16(fields());
    let mut valid = Valid16([0; PACKET]);
    let mut searches = [None; PACKET];
    for (i, ray) in rays.iter().enumerate().take(PACKET) {
        searches[i] = Search::new(ray);
        if let Some(search) = &searches[i] {
            valid.0[i] = -1;
            query.0.set(i, ray, mask, search);
        }
    }
    let mut context = FilterContext::new(&mut searches);
    let mut arguments = context.arguments(ffi::QUERY_COHERENT);
    // SAFETY: a committed scene; the query, its mask (aligned to 64) and its context live through the call.
    unsafe { (device.functions.intersect16)(valid.0.as_ptr(), scene, &mut query, &mut arguments) };
    for (hit, search) in hits.iter_mut().zip(&searches) {
        *hit = search.as_ref().and_then(Search::hit);
    }
}
