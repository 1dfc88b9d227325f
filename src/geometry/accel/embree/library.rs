//! Finding and checking the library.

use std::ffi::{CString, OsString, c_void};
use std::mem::ManuallyDrop;
use std::sync::atomic::{AtomicIsize, Ordering};

use super::ffi::{self, Functions, Handle};
use crate::geometry::accel::AccelError;

/// Names the library's file where it is not where the system looks.
pub const VARIABLE: &str = "SCRUTINEER_EMBREE";

const FILE: &str = if cfg!(windows) {
    "embree4.dll"
} else if cfg!(target_os = "macos") {
    "libembree4.4.dylib"
} else {
    "libembree4.so.4"
};

/// A device of a loaded library.
#[derive(Debug)]
pub struct Device {
    pub functions: Functions,
    pub handle: Handle,
    /// (major, minor, patch).
    pub version: [isize; 3],
    /// Bytes that the device has allocated. Boxed, since the device keeps its address.
    allocated: Box<AtomicIsize>,
    /// Never unloaded: its worker threads may outlive the device.
    _library: ManuallyDrop<libloading::Library>,
}

// SAFETY: rtcore's handles may be used from any thread, and from several at a time for everything but changes to the
// same object; we only change objects that are not shared yet.
unsafe impl Send for Device {}
// SAFETY: as above.
unsafe impl Sync for Device {}

impl Device {
    /// Loads the library and starts a device that builds with `threads` threads (0: as many as there are cores).
    pub fn open(threads: usize) -> Result<Self, AccelError> {
        let file = std::env::var_os(VARIABLE).unwrap_or_else(|| OsString::from(FILE));
        let name = file.to_string_lossy().into_owned();
        let missing = |cause: libloading::Error| AccelError::EmbreeMissing {
            file: name.clone(),
            cause: std::error::Error::source(&cause).map_or_else(|| cause.to_string(), ToString::to_string),
        };
        // SAFETY: loading runs the library's initialisers; the user asked for Embree and names (or the system finds)
        // it.
        let library = unsafe { libloading::Library::new(&file) }.map_err(missing)?;
        // SAFETY: the library's name is Embree 4's, or the user says that it is; it is never unloaded.
        let functions = unsafe { Functions::of(&library) }.map_err(missing)?;
        let configuration = CString::new(format!("threads={threads}")).expect("has no zero byte");
        // SAFETY: a zero-terminated string that lives through the call.
        let handle = unsafe { (functions.new_device)(configuration.as_ptr()) };
        if handle.is_null() {
            // SAFETY: without a device, this asks why the last one was not made.
            let code = unsafe { (functions.device_error)(std::ptr::null_mut()) };
            return Err(AccelError::Embree { doing: "starting a device", code });
        }
        let mut device = Self {
            functions,
            handle,
            version: [0; 3],
            allocated: Box::new(AtomicIsize::new(0)),
            _library: ManuallyDrop::new(library),
        };
        device.check(&name)?;
        let counter = std::ptr::from_ref(&*device.allocated).cast_mut().cast();
        // SAFETY: `count` fits the counter, which lives as long as the device.
        unsafe { (device.functions.set_memory_monitor)(device.handle, count, counter) };
        Ok(device)
    }

    fn check(&mut self, file: &str) -> Result<(), AccelError> {
        self.version = [ffi::PROPERTY_VERSION_MAJOR, ffi::PROPERTY_VERSION_MINOR, ffi::PROPERTY_VERSION_PATCH]
            .map(|p| self.property(p));
        let [major, minor, patch] = self.version;
        if major != 4 || minor < 3 {
            return Err(AccelError::EmbreeVersion { file: file.to_owned(), found: format!("{major}.{minor}.{patch}") });
        }
        let needs = [
            (ffi::PROPERTY_RAY_MASK_SUPPORTED, "ray masks"),
            (ffi::PROPERTY_FILTER_FUNCTION_SUPPORTED, "filter functions"),
        ];
        match needs.into_iter().find(|&(property, _)| self.property(property) == 0) {
            Some((_, feature)) => Err(AccelError::EmbreeFeature { file: file.to_owned(), feature }),
            None => Ok(()),
        }
    }

    fn property(&self, property: i32) -> isize {
        // SAFETY: a live device.
        unsafe { (self.functions.device_property)(self.handle, property) }
    }

    /// The first error since the last call, as one of ours.
    pub fn result(&self, doing: &'static str) -> Result<(), AccelError> {
        // SAFETY: a live device.
        match unsafe { (self.functions.device_error)(self.handle) } {
            0 => Ok(()),
            code => Err(AccelError::Embree { doing, code }),
        }
    }

    pub fn allocated(&self) -> usize {
        self.allocated.load(Ordering::Relaxed).max(0) as usize
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the handle is ours and is not used again; scenes hold their own reference.
        unsafe { (self.functions.release_device)(self.handle) };
    }
}

/// `RTCMemoryMonitorFunction`: adds up what is allocated (or, below 0, freed), and never objects.
unsafe extern "C" fn count(counter: *mut c_void, bytes: isize, _post: bool) -> bool {
    // SAFETY: `open` gave this address, of an atomic that lives as long as the device.
    unsafe { &*counter.cast::<AtomicIsize>() }.fetch_add(bytes, Ordering::Relaxed);
    true
}
