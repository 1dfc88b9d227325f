//! The part of Embree 4's C interface that we use, as its headers `rtcore_*.h` of 4.3 and newer state it.
//!
//! Since 4.3 a hit also names the member of an instance array, so structs that hold one are larger than 4.2's: older
//! libraries are refused at load.

use std::ffi::{c_char, c_int, c_uint, c_void};

/// A device, a scene or a geometry.
pub type Handle = *mut c_void;

/// Identifiers of nothing.
pub const INVALID: u32 = u32::MAX;

pub const PROPERTY_VERSION_MAJOR: c_int = 1;
pub const PROPERTY_VERSION_MINOR: c_int = 2;
pub const PROPERTY_VERSION_PATCH: c_int = 3;
pub const PROPERTY_RAY_MASK_SUPPORTED: c_int = 64;
pub const PROPERTY_FILTER_FUNCTION_SUPPORTED: c_int = 66;

pub const GEOMETRY_TRIANGLE: c_uint = 0;
pub const GEOMETRY_INSTANCE: c_uint = 121;
pub const BUFFER_INDEX: c_uint = 0;
pub const BUFFER_VERTEX: c_uint = 1;
pub const FORMAT_UINT3: c_uint = 0x5003;
pub const FORMAT_FLOAT3: c_uint = 0x9003;
pub const FORMAT_FLOAT3X4_COLUMN_MAJOR: c_uint = 0x9234;
pub const SCENE_ROBUST: c_uint = 1 << 2;
pub const SCENE_FILTER_FUNCTION_IN_ARGUMENTS: c_uint = 1 << 3;
pub const QUALITY_MEDIUM: c_uint = 1;
pub const QUERY_INVOKE_ARGUMENT_FILTER: c_uint = 1 << 1;
pub const QUERY_COHERENT: c_uint = 1 << 16;
pub const FEATURES_ALL: c_uint = u32::MAX;

/// Rays that one packet holds.
pub const PACKET: usize = 16;

/// `RTCRay` and `RTCHit` in one; the fields of `N` rays stand side by side. Filters get both parts in this shape too.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct RayHitFields<const N: usize> {
    pub origin: [[f32; N]; 3],
    pub t_near: [f32; N],
    pub direction: [[f32; N]; 3],
    pub time: [f32; N],
    pub t_far: [f32; N],
    pub mask: [u32; N],
    pub id: [u32; N],
    pub flags: [u32; N],
    pub normal: [[f32; N]; 3],
    pub u: [f32; N],
    pub v: [f32; N],
    pub primitive: [u32; N],
    pub geometry: [u32; N],
    pub instance: [u32; N],
    pub instance_member: [u32; N],
}

/// Where fields stand in the parts that a filter gets, in units of N words.
pub const RAY_T_FAR: usize = 8;
pub const RAY_ID: usize = 10;
pub const HIT_U: usize = 3;
pub const HIT_V: usize = 4;
pub const HIT_PRIMITIVE: usize = 5;
pub const HIT_INSTANCE: usize = 7;

/// `RTCRayHit`.
#[repr(C, align(16))]
pub struct RayHit(pub RayHitFields<1>);

/// `RTCRayHit16`.
#[repr(C, align(64))]
pub struct RayHit16(pub RayHitFields<PACKET>);

/// The `valid` of a packet: −1 for a ray that counts, 0 for one that does not.
#[repr(C, align(64))]
pub struct Valid16(pub [c_int; PACKET]);

/// `RTCRayQueryContext`.
#[repr(C)]
pub struct QueryContext {
    pub instance: u32,
    pub instance_member: u32,
}

/// `RTCFilterFunctionNArguments`.
#[repr(C)]
pub struct FilterArguments {
    pub valid: *mut c_int,
    pub geometry_user: *mut c_void,
    pub context: *mut QueryContext,
    pub ray: *mut c_void,
    pub hit: *mut c_void,
    pub n: c_uint,
}

pub type Filter = unsafe extern "C" fn(*const FilterArguments);

/// `RTCIntersectArguments` and `RTCOccludedArguments`.
#[repr(C)]
pub struct QueryArguments {
    pub flags: c_uint,
    pub features: c_uint,
    pub context: *mut QueryContext,
    pub filter: Option<Filter>,
    pub user_geometry: *const c_void,
}

pub type MemoryMonitor = unsafe extern "C" fn(*mut c_void, isize, bool) -> bool;

macro_rules! functions {
    ($($name:ident = $symbol:literal ($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// Embree's functions.
        #[derive(Debug)]
        pub struct Functions {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            /// Finds all of them in `library`.
            ///
            /// # Safety
            /// `library` is Embree 4, and stays loaded for as long as the result is used.
            pub unsafe fn of(library: &libloading::Library) -> Result<Self, libloading::Error> {
                // SAFETY: the caller promises Embree 4, whose headers these signatures are taken from.
                unsafe { Ok(Self { $($name: *library.get($symbol)?,)* }) }
            }
        }
    };
}

functions! {
    new_device = b"rtcNewDevice\0" (*const c_char) -> Handle;
    release_device = b"rtcReleaseDevice\0" (Handle);
    device_property = b"rtcGetDeviceProperty\0" (Handle, c_int) -> isize;
    device_error = b"rtcGetDeviceError\0" (Handle) -> c_int;
    set_memory_monitor = b"rtcSetDeviceMemoryMonitorFunction\0" (Handle, MemoryMonitor, *mut c_void);
    new_scene = b"rtcNewScene\0" (Handle) -> Handle;
    release_scene = b"rtcReleaseScene\0" (Handle);
    set_scene_flags = b"rtcSetSceneFlags\0" (Handle, c_uint);
    set_scene_quality = b"rtcSetSceneBuildQuality\0" (Handle, c_uint);
    commit_scene = b"rtcCommitScene\0" (Handle);
    new_geometry = b"rtcNewGeometry\0" (Handle, c_uint) -> Handle;
    release_geometry = b"rtcReleaseGeometry\0" (Handle);
    commit_geometry = b"rtcCommitGeometry\0" (Handle);
    attach_geometry = b"rtcAttachGeometryByID\0" (Handle, Handle, c_uint);
    set_geometry_quality = b"rtcSetGeometryBuildQuality\0" (Handle, c_uint);
    set_geometry_mask = b"rtcSetGeometryMask\0" (Handle, c_uint);
    new_buffer = b"rtcSetNewGeometryBuffer\0" (Handle, c_uint, c_uint, c_uint, usize, usize) -> *mut c_void;
    set_instanced_scene = b"rtcSetGeometryInstancedScene\0" (Handle, Handle);
    set_transform = b"rtcSetGeometryTransform\0" (Handle, c_uint, c_uint, *const c_void);
    enable_argument_filter = b"rtcSetGeometryEnableFilterFunctionFromArguments\0" (Handle, bool);
    intersect = b"rtcIntersect1\0" (Handle, *mut RayHit, *mut QueryArguments);
    occluded = b"rtcOccluded1\0" (Handle, *mut RayHit, *mut QueryArguments);
    intersect16 = b"rtcIntersect16\0" (*const c_int, Handle, *mut RayHit16, *mut QueryArguments);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn structs_are_as_large_as_the_headers_make_them() {
        assert_eq!(size_of::<RayHit>(), 96);
        assert_eq!(size_of::<RayHit16>(), 1344);
        assert_eq!(align_of::<RayHit16>(), 64);
    }

    #[test]
    fn filters_read_the_fields_that_we_write() {
        assert_eq!(offset_of!(RayHitFields<1>, t_far), 4 * RAY_T_FAR);
        assert_eq!(offset_of!(RayHitFields<1>, id), 4 * RAY_ID);
        let hit = offset_of!(RayHitFields<1>, normal);
        assert_eq!(offset_of!(RayHitFields<1>, primitive) - hit, 4 * HIT_PRIMITIVE);
        assert_eq!(offset_of!(RayHitFields<1>, instance) - hit, 4 * HIT_INSTANCE);
    }
}
