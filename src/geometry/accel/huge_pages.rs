//! Large arrays on pages of 2 MiB: an incoherent ray touches another page with every node, and misses the TLB less
//! often.

/// Below this an array has no use for such pages.
#[cfg(target_os = "linux")]
const LEAST_BYTES: usize = 4 << 20;

/// An empty array with room for `capacity` items, for which the system is asked for huge pages where it gives them on
/// request. Not for what is soon given back: such an array's pages are slower to get.
pub fn with_capacity<T>(capacity: usize) -> Vec<T> {
    let home = Vec::with_capacity(capacity);
    #[cfg(target_os = "linux")]
    ask(&home);
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
    fn there_is_room() {
        for count in [0, 1, 3_000_000] {
            let mut items = super::with_capacity::<u32>(count);
            let first = items.as_ptr();
            items.extend(0..count as u32);
            assert_eq!((items.as_ptr(), items.len()), (first, count));
            assert!(items.iter().enumerate().all(|(i, &item)| item == i as u32));
        }
    }
}
