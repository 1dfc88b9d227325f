//! Large arrays on pages of 2 MiB: an incoherent ray touches another page with every node, and misses the TLB less
//! often.

/// Below this an array has no use for such pages.
#[cfg(target_os = "linux")]
const LEAST_BYTES: usize = 4 << 20;

/// The same items in an allocation of just their size, for which the system is asked for huge pages where it gives them
/// on request.
pub fn moved<T: Copy>(items: Vec<T>) -> Vec<T> {
    let mut home = Vec::with_capacity(items.len());
    #[cfg(target_os = "linux")]
    ask(&home);
    home.extend_from_slice(&items);
    home
}

/// Asks before the first item is written: pages that are in use already are not merged.
#[cfg(target_os = "linux")]
fn ask<T>(home: &Vec<T>) {
    const PAGE: usize = 4096;
    let bytes = home.capacity() * size_of::<T>();
    if bytes < LEAST_BYTES {
        return;
    }
    let start = home.as_ptr().addr().next_multiple_of(PAGE);
    let skipped = start - home.as_ptr().addr();
    let length = (bytes - skipped) / PAGE * PAGE;
    let first = home.as_ptr().cast_mut().cast::<u8>().wrapping_add(skipped);
    // SAFETY: whole pages of our own allocation; the advice changes how they are backed and nothing that is stored. A
    // refusal is no error: the pages are then small ones.
    unsafe { libc::madvise(first.cast(), length, libc::MADV_HUGEPAGE) };
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_lost() {
        for count in [0, 1, 3_000_000] {
            let items = (0..count).collect::<Vec<u32>>();
            let moved = super::moved(items.clone());
            assert_eq!(moved, items);
        }
    }
}
