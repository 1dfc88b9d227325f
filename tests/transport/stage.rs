//! A small stage with a surface of every kind, and every kind of light to put over it.

use glam::Vec3;
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use serde_json::json;

use crate::irradiance::write_gradient;
use crate::scene::{Asset, Shape, pbr, write};

/// A light: its name, its tables in the scene file with `COLOUR` for its strength, and that.
pub struct Light {
    pub name: &'static str,
    /// Samples that `path` needs to tell an error of 1 %, and how many times more `naive` needs.
    pub effort: [u32; 2],
    toml: &'static str,
    colour: &'static str,
}

impl Light {
    /// Its tables; dark, it is still there.
    pub fn tables(&self, on: bool) -> String {
        self.toml.replace("COLOUR", if on { self.colour } else { "[0, 0, 0]" })
    }

    /// Its tables alone, with what it cannot do without.
    pub fn alone(&self) -> String {
        let sun = if self.name == "hosek" { LIGHTS[0].tables(false) } else { String::new() };
        sun + &self.tables(true)
    }
}

/// Each in a light group of its name. All but the delta lights are large: `naive` has to find them by chance.
pub const LIGHTS: [Light; 5] = [
    Light {
        name: "sun",
        effort: [4096, 3],
        toml: "[sun]\ndirection = [-0.3, 0.8, 0.5]\nirradiance = COLOUR\nangular_diameter = 110\n",
        colour: "[9, 8, 6]",
    },
    Light {
        name: "sky",
        effort: [1024, 2],
        toml: "[sky]\nkind = \"constant\"\nradiance = COLOUR\n",
        colour: "[0.5, 0.7, 1]",
    },
    Light {
        name: "point",
        effort: [2048, 2],
        toml: "[[lights]]\nkind = \"point\"\nposition = [-0.5, 1.5, 0.8]\nintensity = COLOUR\ngroup = \"point\"\n",
        colour: "[6, 4, 3]",
    },
    Light {
        name: "spot",
        effort: [2048, 2],
        toml: "[[lights]]\nkind = \"spot\"\nposition = [1, 1.8, 0.6]\ndirection = [-0.5, -1, -0.3]\ninner = 15\n\
               outer = 50\nintensity = COLOUR\ngroup = \"spot\"\n",
        colour: "[3, 6, 6]",
    },
    Light {
        name: "rectangle",
        effort: [2048, 3],
        toml: "[[lights]]\nkind = \"rectangle\"\ncenter = [0, 2.4, 0]\nu = [2, 0, 0]\nv = [0, 0.3, 2]\n\
               radiance = COLOUR\ngroup = \"rectangle\"\n",
        colour: "[3, 2, 4]",
    },
];

/// Other skies for the place of the constant one: the model, which follows the sun, and a picture beside the scene.
pub const SKIES: [Light; 2] = [
    Light {
        name: "hosek",
        effort: [2048, 3],
        toml: "[sky]\nkind = \"hosek\"\nturbidity = 4\nground_albedo = COLOUR\nscale = 0.04\n",
        colour: "[0.6, 0.4, 0.2]",
    },
    Light {
        name: "image",
        effort: [1024, 2],
        toml: "[sky]\nkind = \"image\"\nfile = \"sky.hdr\"\nrotation = 70\nscale = 0.5\n",
        colour: "",
    },
];

/// A delta light for the sun's place.
pub const DELTA_SUN: &str = "[sun]\nelevation = 28\nazimuth = 120\nirradiance = [9, 5, 3]\nangular_diameter = 0\n";

/// The emissive surfaces' light group.
pub const EMISSIVE: &str = "emissive";

/// What of the stage's geometry shines.
#[derive(Clone, Copy, PartialEq)]
pub enum Surfaces {
    Dark,
    /// Three surfaces, one of them with holes.
    Emissive,
    /// glTF's own punctual lights.
    Lamps,
    /// Surfaces and punctual lights.
    All,
}

fn asset(surfaces: Surfaces) -> Asset {
    let emissive = matches!(surfaces, Surfaces::Emissive | Surfaces::All);
    let mut asset = Asset::default();
    asset.json["extensionsUsed"] = json!(["KHR_materials_transmission", "KHR_lights_punctual"]);
    if matches!(surfaces, Surfaces::Lamps | Surfaces::All) {
        punctual(&mut asset);
    }
    let floor = asset.plain("floor", 0.6, 0.0, 0.8);
    asset.add("floor", &Shape::quad(Vec3::ZERO, Vec3::Z * 2.0, Vec3::X * 2.0), floor);
    let metal = asset.plain("metal", 0.8, 1.0, 0.45);
    asset.add(
        "metal",
        &Shape::quad(Vec3::new(-0.9, 0.7, -0.9), Vec3::new(0.7, 0.0, 0.3), Vec3::new(0.0, 0.6, -0.2)),
        metal,
    );
    let ball = asset.plain("ball", 0.5, 0.0, 0.4);
    asset.add("ball", &Shape::sphere(Vec3::new(0.7, 0.4, -0.7), 0.4, 3), ball);
    let holes = masked(&mut asset, emissive);
    asset.add("holes", &Shape::quad(Vec3::new(-0.3, 0.9, 0.5), Vec3::X * 0.5, Vec3::new(0.0, 0.2, 0.3)), holes);
    let mut veil = pbr([0.9, 0.6, 0.3, 0.4], 0.0, 0.6);
    veil["alphaMode"] = json!("BLEND");
    let veil = asset.material("veil", veil);
    asset.add("veil", &Shape::quad(Vec3::new(0.8, 0.5, 0.6), Vec3::X * 0.4, Vec3::Y * 0.5), veil);
    let mut pane = pbr([0.9, 0.8, 0.5, 1.0], 0.0, 0.5);
    pane["extensions"] = json!({"KHR_materials_transmission": {"transmissionFactor": 0.8}});
    let pane = asset.material("pane", pane);
    for (x, turn) in [(-0.6, 0.2), (0.1, 0.0)] {
        asset.add("pane", &Shape::quad(Vec3::new(x, 0.5, 0.9), Vec3::new(0.3, 0.0, turn), Vec3::Y * 0.5), pane);
    }
    lamps(&mut asset, emissive);
    asset
}

/// A directional light from above the camera, a point light, and a spot light from the right.
fn punctual(asset: &mut Asset) {
    asset.json["extensions"] = json!({"KHR_lights_punctual": {"lights": [
        {"type": "directional", "color": [1, 0.8, 0.6], "intensity": 3},
        {"type": "point", "color": [0.4, 1, 0.6], "intensity": 2.5},
        {"type": "spot", "color": [0.5, 0.6, 1], "intensity": 8, "spot": {"innerConeAngle": 0.2, "outerConeAngle": 0.7}}]}});
    // A light shines along its node's −Z: 60° down, and a quarter turn to −X with 45° down.
    let turns =
        [[-0.5, 0.0, 0.0, 0.866_025_4], [0.0, 0.0, 0.0, 1.0], [-0.270_598, 0.653_281_5, 0.270_598, 0.653_281_5]];
    for (light, (rotation, at)) in turns.iter().zip([[0.0, 3.0, 3.0], [-0.4, 1.3, 0.7], [1.8, 1.9, 0.2]]).enumerate() {
        let node = json!({"translation": at, "rotation": rotation,
                          "extensions": {"KHR_lights_punctual": {"light": light}}});
        asset.push("nodes", node);
    }
}

/// A mirrored, stretched, double-sided ball and a mirrored panel that shines from its front; dark unless `emissive`.
fn lamps(asset: &mut Asset, emissive: bool) {
    let factor = if emissive { 1.0 } else { 0.0 };
    let mut lamp = pbr([0.1, 0.1, 0.1, 1.0], 0.0, 0.7);
    lamp["emissiveFactor"] = json!([factor, 0.9 * factor, 0.6 * factor]);
    lamp["doubleSided"] = json!(true);
    let lamp = asset.material("lamp", lamp);
    let shape = asset.mesh("lamp", &Shape::sphere(Vec3::ZERO, 0.3, 2), lamp);
    asset.push("nodes", json!({"mesh": shape, "translation": [-1.2, 1.2, 0.4], "scale": [-1, 1.8, 0.8]}));
    let front = asset.material("front", json!({"emissiveFactor": [0.6 * factor, 0.8 * factor, factor]}));
    let panel = asset.mesh("panel", &Shape::quad(Vec3::ZERO, Vec3::X, Vec3::Y), front);
    // A mirrored node shines to the side that its winding says before it is mirrored: +Z.
    asset.push("nodes", json!({"mesh": panel, "translation": [0, 1.0, -1.8], "scale": [-1.5, 0.9, 1]}));
}

/// A MASK material with a checker of holes; `shines` as well, if asked to.
fn masked(asset: &mut Asset, shines: bool) -> usize {
    let texel = |x: u32, y: u32| image::Rgba([200, 120, 80, if (x + y).is_multiple_of(2) { 255 } else { 40 }]);
    let checker = image::RgbaImage::from_fn(4, 4, texel);
    let texture = asset.texture(&checker.into());
    let mut holes = pbr([1.0; 4], 0.0, 0.7);
    holes["pbrMetallicRoughness"]["baseColorTexture"] = json!({"index": texture});
    holes["alphaMode"] = json!("MASK");
    holes["doubleSided"] = json!(true);
    if shines {
        holes["emissiveFactor"] = json!([0.2, 0.4, 0.1]);
    }
    asset.material("holes", holes)
}

/// The stage under lights given as tables; `sky.hdr` is beside them.
pub fn stage(lights: &str, surfaces: Surfaces, samples: u32, max_depth: u32, seed: u64) -> Scene {
    let toml = format!(
        "[render]\nresolution = [12, 12]\nsamples = {samples}\nmax_depth = {max_depth}\nseed = {seed}\nfilter = \"box\"\n\
         [camera]\nposition = [0.3, 1.5, 3.2]\ntarget = [0, 0.5, 0]\nvertical_fov = 42\n\
         {lights}\n[[geometry]]\nfile = \"a.glb\"\n"
    );
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &toml, &asset(surfaces));
    write_gradient(&folder.path().join("sky.hdr"));
    load::load(&folder.path().join("scene.toml"), &Options::default()).unwrap_or_else(|error| panic!("{error}\n{toml}"))
}

/// The tables of all lights; those that `on` refuses are dark.
pub fn lights(on: impl Fn(&str) -> bool) -> String {
    LIGHTS.iter().map(|light| light.tables(on(light.name))).collect()
}

/// The tables of all lights, under this sky.
pub fn lights_under(sky: &Light) -> String {
    let others = LIGHTS.iter().filter(|light| light.name != "sky").map(|light| light.tables(true));
    others.collect::<String>() + &sky.tables(true)
}
