//! The alpha test of the world families (documentation 001, head: the threshold is the global cb2\[128\].x).

use crate::material::{Context, Opacity};

/// What a family reports that tests nothing: always there.
pub const SOLID: Opacity = Opacity { discard: false, coverage: 1.0 };

/// `discard = coverage < alpha_reference`, strict; the coverage is reported as computed, unclamped.
#[inline]
pub fn alpha_test(coverage: f32, context: &Context) -> Opacity {
    Opacity { discard: coverage < context.world.alpha_reference, coverage }
}

/// [`alpha_test`] where the permutation has one, else [`SOLID`].
#[inline]
pub fn alpha_test_if(tested: bool, coverage: f32, context: &Context) -> Opacity {
    if tested { alpha_test(coverage, context) } else { SOLID }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::world::World;

    #[test]
    fn the_comparison_is_strict() {
        let world = World { alpha_reference: 0.5, ..World::default() };
        let discards = |coverage| alpha_test(coverage, &Context::new(&world)).discard;
        assert_eq!([0.49, 0.5, 0.51].map(discards), [true, false, false]);
        assert_eq!(alpha_test_if(false, 0.0, &Context::new(&world)), SOLID);
    }
}
