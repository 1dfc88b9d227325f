//! Panics of other people's decoders, turned into input errors without a word on stderr.
//!
//! Damaged files trip assertions and bounds checks in image crates. Such a panic is caught where the decoder is called; the
//! usual report of the panic hook would still reach the user, so the hook stays silent on a thread that is inside [`catch`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static INSIDE: Cell<usize> = const { Cell::new(0) };
}

static HOOK: Once = Once::new();

/// What `read` gives, or `None` where it panics. State that `read` shares with the outside must be thrown away then.
pub fn catch<T>(read: impl FnOnce() -> T) -> Option<T> {
    HOOK.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if INSIDE.with(Cell::get) == 0 {
                usual(panic);
            }
        }));
    });
    INSIDE.with(|inside| inside.set(inside.get() + 1));
    let result = catch_unwind(AssertUnwindSafe(read));
    INSIDE.with(|inside| inside.set(inside.get() - 1));
    result.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_none_and_a_value_comes_through() {
        assert_eq!(catch(|| 7), Some(7));
        assert_eq!(catch(|| -> u8 { panic!("damaged") }), None);
        assert_eq!(INSIDE.with(Cell::get), 0);
    }
}
