//! The one table of output variables (AOVs). Help, documentation, tests, accumulation and files all loop over it.
//!
//! Channel names are `layer.X` with a one-letter channel, which tev, Nuke and Blender group: `R G B A` for colours and
//! render targets, `X Y Z W` for vectors, `U V` for texture coordinates, `V` for a single value. Exceptions by convention
//! of the format: the beauty is plain `R G B A` and the depth is plain `Z`; Cryptomatte has its own names.

use glam::{DVec3, Vec2, Vec3, Vec4};

use super::accumulate::Counters;
use super::sample::{FirstHit, Ids};
use super::sums::{GBufferSums, PathSums, SurfaceSums};

/// Up to four channels of one AOV at a pixel's centre; a row uses as many as it has channel names.
pub type Value = [f32; 4];

/// The same of samples' sums.
pub type Sum = [f64; 4];

/// Where the values of a row come from, and by which rule a pixel's samples become one value.
#[derive(Clone, Copy)]
pub enum Values {
    /// The mean over all samples of the pixel; paths that leave the scene count.
    Samples(fn(&PathSums) -> Sum),
    /// The mean over the samples whose camera ray met a surface; 0 where none did.
    Hits(fn(&SurfaceSums) -> Sum),
    /// Unfiltered: the ray through the pixel's centre. `miss` stands where it met nothing.
    Centre { read: fn(&FirstHit) -> Value, miss: f32 },
    /// Unfiltered id at the pixel's centre, counted from 1; 0 is the background.
    CentreId(fn(&Ids) -> u32),
    /// The standard error of the beauty's mean, from the spread of the batch means.
    StandardError,
    /// A counter of the pixel.
    Count(fn(&Counters) -> u32),
    /// The share of the samples that saw each id: six ranks by the Cryptomatte specification.
    Cryptomatte(fn(&Ids) -> u32),
}

/// How the values of a row may be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pixel {
    /// Colour: float, or half where `precision = "half"`.
    Colour,
    /// Data that half would ruin (positions, depths, hashes): always float.
    Float,
    /// Ids and counts: always uint.
    Uint,
}

/// One row of the table.
pub struct Aov {
    /// What `--aov` and `[output] aovs` call it.
    pub name: &'static str,
    /// Channel names in the file, in the order of the values.
    pub channels: &'static [&'static str],
    pub pixel: Pixel,
    pub values: Values,
    /// Written when nothing is asked for.
    pub default: bool,
    /// One line for help and documentation.
    pub doc: &'static str,
}

impl Aov {
    /// The rule that makes one value of a pixel's samples, in words.
    pub fn rule(&self) -> &'static str {
        match self.values {
            Values::Samples(_) => "mean over all samples",
            Values::Hits(_) => "mean over hits",
            Values::Centre { miss, .. } if miss == f32::INFINITY => "centre ray, +inf on a miss",
            Values::Centre { .. } => "centre ray, 0 on a miss",
            Values::CentreId(_) => "centre ray, counted from 1, 0 on a miss",
            Values::StandardError => "spread of the batch means, +inf below two batches",
            Values::Count(_) => "counted",
            Values::Cryptomatte(_) => "share of all samples, ranked",
        }
    }
}

fn rgb(v: Vec3) -> Value {
    [v.x, v.y, v.z, 0.0]
}

fn one(v: f32) -> Value {
    [v, 0.0, 0.0, 0.0]
}

fn two(v: Vec2) -> Value {
    [v.x, v.y, 0.0, 0.0]
}

fn four(v: Vec4) -> Value {
    v.to_array()
}

fn sum(v: DVec3) -> Sum {
    [v.x, v.y, v.z, 0.0]
}

fn single(v: f64) -> Sum {
    [v, 0.0, 0.0, 0.0]
}

fn rt0(g: &GBufferSums) -> Sum {
    g.rt0.to_array()
}

fn rt1(g: &GBufferSums) -> Sum {
    g.rt1.to_array()
}

fn rt2(g: &GBufferSums) -> Sum {
    sum(g.rt2_coverage.truncate())
}

const fn row(
    name: &'static str,
    channels: &'static [&'static str],
    pixel: Pixel,
    values: Values,
    default: bool,
    doc: &'static str,
) -> Aov {
    Aov { name, channels, pixel, values, default, doc }
}

const DEFAULT: bool = true;
const ON_REQUEST: bool = false;

use Pixel::{Colour, Float, Uint};
use Values::{Centre, CentreId, Count, Cryptomatte, Hits, Samples, StandardError};

/// Every AOV but the light groups, which the scene names (`light_NAME`, see [`LIGHT_GROUP_DOC`]).
#[rustfmt::skip] // a table reads as a table
pub const TABLE: &[Aov] = &[
    row("beauty", &["R", "G", "B", "A"], Colour, Samples(|s| s.beauty_alpha.to_array()), DEFAULT,
        "radiance, W/(m² sr), linear Rec.709, and coverage by the scene"),
    row("RT0", &["RT0.R", "RT0.G", "RT0.B", "RT0.A"], Colour, Hits(|h| rt0(&h.gbuffer)), DEFAULT,
        "the game's render target 0: albedo, metalness"),
    row("RT1", &["RT1.R", "RT1.G", "RT1.B", "RT1.A"], Colour, Hits(|h| rt1(&h.gbuffer)), DEFAULT,
        "the game's render target 1: emission seed, roughness"),
    row("RT2", &["RT2.R", "RT2.G", "RT2.B"], Float, Hits(|h| rt2(&h.gbuffer)), DEFAULT,
        "the game's render target 2: normal as written, game frame"),
    row("albedo", &["albedo.R", "albedo.G", "albedo.B"], Colour, Hits(|h| sum(h.gbuffer.rt0.truncate())), DEFAULT,
        "albedo as the family writes it, linear Rec.709"),
    row("metalness", &["metalness.V"], Float, Hits(|h| single(h.gbuffer.rt0.w)), DEFAULT,
        "metalness as the family writes it"),
    row("roughness", &["roughness.V"], Float, Hits(|h| single(h.gbuffer.rt1.w)), DEFAULT,
        "perceptual roughness as the family writes it"),
    row("emission", &["emission.R", "emission.G", "emission.B"], Colour, Hits(|h| sum(h.gbuffer.emission_occlusion.truncate())), DEFAULT,
        "the material's emission before `emission_scale`; its light in the picture is `visible_emission`"),
    row("ambient_occlusion", &["ambient_occlusion.V"], Float, Hits(|h| single(h.gbuffer.emission_occlusion.w)), DEFAULT,
        "the family's own ambient occlusion; never part of the light"),
    row("coverage", &["coverage.V"], Float, Hits(|h| single(h.gbuffer.rt2_coverage.w)), DEFAULT,
        "alpha-test value before its comparison"),
    row("N", &["N.X", "N.Y", "N.Z"], Float, Centre { read: |h| rgb(h.n), miss: 0.0 }, DEFAULT,
        "shading normal, unit, scene frame"),
    row("Ng", &["Ng.X", "Ng.Y", "Ng.Z"], Float, Centre { read: |h| rgb(h.ng), miss: 0.0 }, DEFAULT,
        "geometric normal toward the viewer, unit, scene frame"),
    row("P", &["P.X", "P.Y", "P.Z"], Float, Centre { read: |h| rgb(h.p), miss: 0.0 }, DEFAULT,
        "position, metres, scene frame"),
    row("Z", &["Z"], Float, Centre { read: |h| one(h.z), miss: f32::INFINITY }, DEFAULT,
        "planar depth along the camera's axis, metres"),
    row("uv0", &["uv0.U", "uv0.V"], Float, Centre { read: |h| two(h.uv[0]), miss: 0.0 }, DEFAULT,
        "TEXCOORD_0, v down"),
    row("direct_diffuse", &["direct_diffuse.R", "direct_diffuse.G", "direct_diffuse.B"], Colour,
        Samples(|s| sum(s.direct_diffuse)), DEFAULT,
        "light that came from its source straight to the first surface, diffuse part"),
    row("direct_specular", &["direct_specular.R", "direct_specular.G", "direct_specular.B"], Colour,
        Samples(|s| sum(s.direct_specular)), DEFAULT, "the same, specular part"),
    row("indirect_diffuse", &["indirect_diffuse.R", "indirect_diffuse.G", "indirect_diffuse.B"], Colour,
        Samples(|s| sum(s.indirect_diffuse)), DEFAULT,
        "light that met other surfaces before the first one, diffuse part"),
    row("indirect_specular", &["indirect_specular.R", "indirect_specular.G", "indirect_specular.B"], Colour,
        Samples(|s| sum(s.indirect_specular)), DEFAULT, "the same, specular part"),
    row("visible_emission", &["visible_emission.R", "visible_emission.G", "visible_emission.B"], Colour,
        Samples(|s| sum(s.emission)), DEFAULT,
        "emitters, sun disc and sky as the camera sees them; with the four parts above it sums to the beauty"),
    row("beauty_stderr", &["beauty_stderr.R", "beauty_stderr.G", "beauty_stderr.B"], Float, StandardError, DEFAULT,
        "standard error of the beauty, each channel"),
    row("samples", &["samples.V"], Uint, Count(|c| c.samples), DEFAULT,
        "samples in the pixel's mean"),
    row("instance", &["instance.V"], Uint, CentreId(|i| i.instance), DEFAULT,
        "instance id; names in the header"),
    row("mesh", &["mesh.V"], Uint, CentreId(|i| i.mesh), DEFAULT, "mesh id; names in the header"),
    row("material", &["material.V"], Uint, CentreId(|i| i.material), DEFAULT, "material id; names in the header"),
    row("primitive", &["primitive.V"], Uint, CentreId(|i| i.primitive), DEFAULT, "triangle of the mesh"),
    row("crypto_object",
        &["crypto_object00.r", "crypto_object00.g", "crypto_object00.b", "crypto_object00.a",
          "crypto_object01.r", "crypto_object01.g", "crypto_object01.b", "crypto_object01.a",
          "crypto_object02.r", "crypto_object02.g", "crypto_object02.b", "crypto_object02.a"],
        Float, Cryptomatte(|i| i.object), DEFAULT, "Cryptomatte of the named objects, 6 ranks"),
    row("crypto_material",
        &["crypto_material00.r", "crypto_material00.g", "crypto_material00.b", "crypto_material00.a",
          "crypto_material01.r", "crypto_material01.g", "crypto_material01.b", "crypto_material01.a",
          "crypto_material02.r", "crypto_material02.g", "crypto_material02.b", "crypto_material02.a"],
        Float, Cryptomatte(|i| i.material), DEFAULT, "Cryptomatte of the materials, 6 ranks"),
    row("distance", &["distance.V"], Float, Centre { read: |h| one(h.distance), miss: f32::INFINITY }, ON_REQUEST,
        "distance along the ray, metres"),
    row("uv1", &["uv1.U", "uv1.V"], Float, Centre { read: |h| two(h.uv[1]), miss: 0.0 }, ON_REQUEST, "TEXCOORD_1"),
    row("uv2", &["uv2.U", "uv2.V"], Float, Centre { read: |h| two(h.uv[2]), miss: 0.0 }, ON_REQUEST, "TEXCOORD_2"),
    row("uv3", &["uv3.U", "uv3.V"], Float, Centre { read: |h| two(h.uv[3]), miss: 0.0 }, ON_REQUEST, "TEXCOORD_3"),
    row("uv4", &["uv4.U", "uv4.V"], Float, Centre { read: |h| two(h.uv[4]), miss: 0.0 }, ON_REQUEST, "TEXCOORD_4"),
    row("tangent", &["tangent.X", "tangent.Y", "tangent.Z", "tangent.W"], Float,
        Centre { read: |h| four(h.tangent), miss: 0.0 }, ON_REQUEST,
        "tangent, scene frame; W is the bitangent's sign"),
    row("color0", &["color0.R", "color0.G", "color0.B", "color0.A"], Float,
        Centre { read: |h| four(h.color), miss: 0.0 }, ON_REQUEST, "COLOR_0, linear"),
    row("object", &["object.V"], Uint, CentreId(|i| i.object), ON_REQUEST, "object id; names in the header"),
    row("glass_reflection", &["glass_reflection.R", "glass_reflection.G", "glass_reflection.B"], Colour,
        Samples(|s| sum(s.glass_reflection)), ON_REQUEST, "radiance that panes along the camera ray reflect"),
    row("glass_transmittance", &["glass_transmittance.R", "glass_transmittance.G", "glass_transmittance.B"], Colour,
        Samples(|s| sum(s.glass_transmittance)), ON_REQUEST, "product of the transmittances along the camera ray"),
    row("decal_weight", &["decal_weight.V"], Float, Hits(|h| single(h.decal_weight)), ON_REQUEST,
        "how much of the surface decals wrote, 0..1"),
    row("receiver_RT0", &["receiver_RT0.R", "receiver_RT0.G", "receiver_RT0.B", "receiver_RT0.A"], Colour,
        Hits(|h| rt0(&h.receiver)), ON_REQUEST, "RT0 of the surface below the decals"),
    row("receiver_RT1", &["receiver_RT1.R", "receiver_RT1.G", "receiver_RT1.B", "receiver_RT1.A"], Colour,
        Hits(|h| rt1(&h.receiver)), ON_REQUEST, "RT1 of the surface below the decals"),
    row("receiver_RT2", &["receiver_RT2.R", "receiver_RT2.G", "receiver_RT2.B"], Float,
        Hits(|h| rt2(&h.receiver)), ON_REQUEST, "RT2 of the surface below the decals"),
    row("non_finite", &["non_finite.V"], Uint, Count(|c| c.non_finite), ON_REQUEST,
        "samples that were not finite: left out of the means, never dropped silently"),
];

/// The documentation line of the light groups, the only AOVs that the scene names.
pub const LIGHT_GROUP_DOC: &str = "light_NAME: the beauty's part of the lights in the group NAME, mean over all samples; all groups sum to the beauty";

/// The table as text, one line an AOV: for `--help` and the documentation.
pub fn help() -> String {
    let line = |row: &Aov| {
        let mark = if row.default { '*' } else { ' ' };
        format!("{mark} {:<20} {} ({})\n", row.name, row.doc, row.rule())
    };
    let rows: String = TABLE.iter().map(line).collect();
    format!("{rows}  {LIGHT_GROUP_DOC}\n  (* = in the default set; \"default\" and \"all\" name sets)\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_and_channels_are_unique_and_rows_have_as_many_channels_as_their_values() {
        let (mut names, mut channels) = (HashSet::new(), HashSet::new());
        for row in TABLE {
            assert!(names.insert(row.name), "{} stands twice", row.name);
            assert!(row.channels.iter().all(|channel| channels.insert(*channel)), "{}", row.name);
            let expected = match row.values {
                Values::Cryptomatte(_) => 12..=12,
                Values::CentreId(_) | Values::Count(_) => 1..=1,
                Values::StandardError => 3..=3,
                _ => 1..=4,
            };
            assert!(expected.contains(&row.channels.len()), "{}", row.name);
        }
    }

    #[test]
    fn ids_and_counts_are_uint_and_nothing_else_is() {
        for row in TABLE {
            let counted = matches!(row.values, Values::CentreId(_) | Values::Count(_));
            assert_eq!(row.pixel == Pixel::Uint, counted, "{}", row.name);
        }
    }

    #[test]
    fn unfiltered_values_are_never_half() {
        let unfiltered = |row: &&Aov| matches!(row.values, Values::Centre { .. } | Values::Cryptomatte(_));
        assert!(TABLE.iter().filter(unfiltered).all(|row| row.pixel == Pixel::Float));
    }

    #[test]
    fn help_has_a_line_for_every_row() {
        let text = help();
        assert!(TABLE.iter().all(|row| text.contains(&format!(" {} ", row.name)) && text.contains(row.doc)));
    }
}
