//! `MAD_Tex2_TintBFromShaderConstants`: Tex2 whose B layer takes its tint from run-time "Neutral" constants.
//!
//! Documentation 004, "Tex2 height blending". Everything is MAD_Tex2's but the names of B's tint.

use super::mad_tex2::Tex2;
use crate::material::Material;
use crate::material::bind::Binder;
use crate::material::registry::{Family, Permutations};

/// The registry entry.
pub const FAMILY: Family = Family {
    name: "MAD_Tex2_TintBFromShaderConstants",
    summary: "MAD_Tex2 whose B layer is tinted by run-time constants",
    source: "004 Surface formulas and texture roles, Tex2 height blending",
    permutations: Permutations::None,
    inputs: &["normal", "tangent", "uv0", "color"],
    world: &[],
    decisions: &[
        "The Neutral constants are an HSV tint in place of B's: HueNeutral, SaturationNeutral, LuminosityNeutral.",
        "Everything else is decided as for MAD_Tex2.",
    ],
    bind,
};

fn bind(b: &mut Binder) -> Box<dyn Material> {
    Box::new(Tex2::bind(b, ["HueNeutral", "SaturationNeutral", "LuminosityNeutral"]))
}

#[cfg(test)]
mod tests {
    use super::FAMILY;
    use crate::material::bind::{Input, NoTextures, bind as bind_family, describe};

    #[test]
    fn the_neutral_names_replace_those_of_b() {
        let names: Vec<&str> = describe(&FAMILY).parameters.iter().map(|parameter| parameter.name).collect();
        assert!(names.contains(&"HueNeutral") && names.contains(&"HueA"));
        let mut input = Input::default();
        input.parameters.insert("HueB".to_owned(), 0.5.into());
        assert!(bind_family(&FAMILY, &input, &mut NoTextures).is_err());
    }
}
