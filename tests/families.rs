//! Promises that hold for every registered family: one list, one loop.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use glam::{Vec2, Vec3, Vec3Swizzles, Vec4, Vec4Swizzles};
use scrutineer::gbuffer::GBuffer;
use scrutineer::material::bind::{Fault, Input, NoTextures, TextureInput, bind, describe};
use scrutineer::material::registry::{FAMILIES, Family, Permutations};
use scrutineer::material::{Context, Material, Point};
use scrutineer::scene::world::{Dither, World};
use serde_json::Value;

/// A low-discrepancy number in 0..1 for the `index`-th draw of `dimension` (Roberts' R1 sequence, shifted per dimension).
fn stratum(index: usize, dimension: usize) -> f32 {
    let x = (index + 1) as f64 * 0.618_033_988_749_895 + (dimension + 1) as f64 * 0.754_877_666_246_693;
    x.fract() as f32
}

/// Points that cover the inputs: unit vectors of all directions, uv and positions of both signs, colours with exact ends.
fn points() -> Vec<Point> {
    (0..24).map(point).collect()
}

fn point(index: usize) -> Point {
    let u = |dimension: usize| stratum(index, dimension);
    let ends = |x: f32| if x < 0.1 { 0.0 } else { x.min(1.0) };
    let direction = |a: f32, b: f32| {
        let (sin, cos) = (std::f32::consts::TAU * a).sin_cos();
        let z = 2.0 * b - 1.0;
        let r = (1.0 - z * z).sqrt();
        Vec3::new(r * cos, z, r * sin)
    };
    let sign = if index.is_multiple_of(2) { 1.0 } else { -1.0 };
    let position = Vec3::new(u(0) - 0.5, u(1) - 0.5, u(2) - 0.5) * 100.0;
    Point {
        position,
        normal: direction(u(3), u(4)),
        tangent: direction(u(5), u(6)).extend(sign),
        tangent1: direction(u(7), u(8)).extend(-sign),
        uv: std::array::from_fn(|set| Vec2::new(u(9 + set) - 0.5, u(14 + set) - 0.5) * 6.0),
        color: Vec4::new(u(19), u(20), u(21), u(22)).map(ends),
        instance_variation: Vec3::new(u(23), u(24), u(25)).map(ends),
        instance_position: Vec3::new(u(26), u(27), u(28)) * 50.0,
        scale: Vec3::new(u(29), u(30), u(31)) + 0.5,
        front_facing: !index.is_multiple_of(3),
        pixel: [index as i32 * 37, index as i32 * 91],
        uv0_footprint: u(32) * 0.1,
        box_position: position + 0.3 * direction(u(33), u(34)),
        box_scale: Vec3::splat(2.0),
        receiver_position: position + 0.1 * direction(u(35), u(36)),
        receiver_normal: direction(u(37), u(38)),
        ..Point::default()
    }
}

fn world() -> World {
    World { camera: Vec3::new(3.0, 12.0, -20.0), time: 37.25, ..World::default() }
}

/// Every exact permutation; of a token grammar none, each alone, and all.
fn permutations(family: &Family) -> Vec<String> {
    match family.permutations {
        Permutations::None => vec![String::new()],
        Permutations::Names(names) => names.iter().map(|&name| name.to_owned()).collect(),
        Permutations::Tokens { acting, inert, prefixes } => {
            let tokens = acting.iter().chain(inert).chain(prefixes);
            let alone = tokens.map(|token| format!("_{token}"));
            let all = format!("_{}", acting.join("_"));
            [String::new()].into_iter().chain(alone).chain([all]).collect()
        }
    }
}

fn input(permutation: &str) -> Input {
    Input { permutation: Some(permutation.to_owned()), ..Input::default() }
}

/// The valid combinations of the family's bool parameters: all of up to six, else each toggled alone.
fn switches(family: &'static Family, permutation: &str) -> Vec<Input> {
    let parameters = describe(family).parameters;
    let bools: Vec<(&str, bool)> = parameters.iter().filter_map(|p| Some((p.name, p.default.as_bool()?))).collect();
    let masks: Vec<u64> = match bools.len() {
        0..=6 => (0..1 << bools.len()).collect(),
        many => std::iter::once(0).chain((0..many).map(|bit| 1 << bit)).collect(),
    };
    let toggled = |mask: u64| {
        let mut input = input(permutation);
        for (bit, (name, default)) in bools.iter().enumerate() {
            input.parameters.insert((*name).to_owned(), Value::Bool(default ^ (mask >> bit & 1 == 1)));
        }
        input
    };
    masks.into_iter().map(toggled).collect()
}

/// Every texture bound to its own constant in 0..1.
fn with_textures(mut input: Input, family: &'static Family, seed: usize) -> Input {
    for (index, texture) in describe(family).textures.iter().enumerate() {
        let value = Vec4::from_array(std::array::from_fn(|channel| stratum(seed, 40 + 4 * index + channel)));
        input.textures.insert(texture.name.to_owned(), TextureInput::Constant(value));
    }
    input
}

fn bound(family: &'static Family, input: &Input) -> Box<dyn Material> {
    bind(family, input, &mut NoTextures).unwrap_or_else(|faults| panic!("{}: {faults:?}", family.name))
}

fn faults(family: &'static Family, input: &Input) -> Vec<Fault> {
    bind(family, input, &mut NoTextures).err().unwrap_or_default()
}

fn is_finite(g: &GBuffer) -> bool {
    let numbers = [g.coverage, g.metalness, g.roughness, g.ambient_occlusion];
    let vectors = [g.albedo, g.normal, g.emission, g.emission_seed];
    let decal = g.decal.map(|decal| [decal.target0, decal.target1, decal.target2]);
    numbers.iter().all(|number| number.is_finite())
        && vectors.iter().all(|vector| vector.is_finite())
        && g.glass.is_none_or(|glass| glass.transmittance.is_finite() && glass.f0.is_finite())
        && decal.is_none_or(|targets| targets.iter().all(|target| target.is_finite()))
}

/// How many sets of texture constants each switch combination is tried with.
const TEXTURE_SETS: usize = 5;

/// Calls `check` for every family, permutation and switch combination, with several sets of bound textures.
fn for_each_material(check: impl Fn(&'static Family, &Input, &dyn Material)) {
    for &family in FAMILIES {
        for permutation in permutations(family) {
            for input in switches(family, &permutation) {
                for set in 0..TEXTURE_SETS {
                    let input = with_textures(input.clone(), family, set);
                    check(family, &input, bound(family, &input).as_ref());
                }
            }
        }
    }
}

#[test]
fn names_are_unique_and_every_entry_is_documented() {
    let names: BTreeSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(names.len(), FAMILIES.len(), "a name is registered twice");
    for family in FAMILIES {
        assert!(!family.summary.is_empty() && !family.source.is_empty(), "{}", family.name);
        let tables = describe(family);
        let parameters: BTreeSet<&str> = tables.parameters.iter().map(|parameter| parameter.name).collect();
        assert_eq!(parameters.len(), tables.parameters.len(), "{}: a parameter is declared twice", family.name);
        let textures: BTreeSet<&str> = tables.textures.iter().map(|texture| texture.name).collect();
        assert_eq!(textures.len(), tables.textures.len(), "{}: a texture is declared twice", family.name);
    }
}

#[test]
fn every_family_file_is_registered() {
    let mut files = 0;
    for folder in ["forza", "mad"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/material").join(folder);
        for entry in fs::read_dir(&folder).expect("the family folders are there") {
            let path = entry.expect("a readable entry").path();
            let source = fs::read_to_string(&path).expect("sources are text");
            let Some((_, declaration)) = source.split_once("pub const FAMILY: Family") else { continue };
            let name = declaration.split('"').nth(1).expect("a family begins with its name");
            assert!(FAMILIES.iter().any(|family| family.name == name), "{} is not registered", path.display());
            files += 1;
        }
    }
    let own = FAMILIES.iter().filter(|family| !family.name.eq_ignore_ascii_case("gltf")).count();
    assert_eq!(files, own, "one file a family");
}

#[test]
fn an_unlisted_name_is_refused_with_its_near_miss() {
    for family in FAMILIES {
        let tables = describe(family);
        let permutation = &permutations(family)[0];
        for parameter in &tables.parameters {
            let mut wrong = input(permutation);
            let typed = format!("{}x", parameter.name);
            wrong.parameters.insert(typed.clone(), parameter.default.clone());
            let faults = faults(family, &wrong);
            assert_eq!(faults.len(), 1, "{}: {typed}: {faults:?}", family.name);
            assert_eq!(faults[0].key, format!("parameters.{typed}"));
            assert!(faults[0].message.contains("did you mean"), "{}", faults[0].message);
        }
        for texture in &tables.textures {
            let mut wrong = input(permutation);
            let typed = format!("{}x", texture.name);
            wrong.textures.insert(typed.clone(), TextureInput::Constant(Vec4::ONE));
            let faults = faults(family, &wrong);
            assert_eq!(faults.len(), 1, "{}: {typed}: {faults:?}", family.name);
            assert_eq!(faults[0].key, format!("textures.{typed}"));
            assert!(faults[0].message.contains("did you mean"), "{}", faults[0].message);
        }
        let faults = faults(family, &input("_NoSuchPermutation"));
        assert_eq!(faults.len(), 1, "{}: {faults:?}", family.name);
        assert_eq!(faults[0].key, "permutation");
        assert!(faults[0].message.contains("NoSuchPermutation"), "{}", faults[0].message);
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused_by_name() {
    for family in FAMILIES {
        for parameter in describe(family).parameters {
            let mut wrong = input(&permutations(family)[0]);
            wrong.parameters.insert(parameter.name.to_owned(), Value::from("text"));
            let faults = faults(family, &wrong);
            assert_eq!(faults.len(), 1, "{}: {faults:?}", family.name);
            assert_eq!(faults[0].key, format!("parameters.{}", parameter.name));
        }
    }
}

#[test]
fn every_permutation_and_switch_gives_finite_outputs() {
    let world = world();
    for_each_material(|family, input, material| {
        for (index, point) in points().iter().enumerate() {
            let g = material.evaluate(point, &Context::new(&world));
            assert!(is_finite(&g), "{} {input:?} point {index}: {g:?}", family.name);
        }
    });
}

#[test]
fn a_parameter_at_zero_gives_finite_outputs_or_is_refused_by_name() {
    let world = world();
    for &family in FAMILIES {
        for parameter in describe(family).parameters.iter().filter(|parameter| parameter.kind == "number") {
            for permutation in permutations(family) {
                let mut input = with_textures(input(&permutation), family, 7);
                input.parameters.insert(parameter.name.to_owned(), 0.into());
                match bind(family, &input, &mut NoTextures) {
                    Err(faults) => assert_eq!(faults[0].key, format!("parameters.{}", parameter.name)),
                    Ok(material) => {
                        for point in points() {
                            let g = material.evaluate(&point, &Context::new(&world));
                            assert!(is_finite(&g), "{}{permutation} {} = 0: {g:?}", family.name, parameter.name);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn an_unbound_texture_is_the_constant_of_its_table() {
    let world = world();
    for &family in FAMILIES {
        let textures = describe(family).textures;
        for permutation in permutations(family) {
            let unbound = bound(family, &input(&permutation));
            let mut explicit = input(&permutation);
            let constants = textures.iter().map(|t| (t.name.to_owned(), TextureInput::Constant(t.default.into())));
            explicit.textures.extend(constants);
            let explicit = bound(family, &explicit);
            for point in points() {
                let context = Context::new(&world);
                let (a, b) = (unbound.evaluate(&point, &context), explicit.evaluate(&point, &context));
                assert_eq!(format!("{a:?}"), format!("{b:?}"), "{}{permutation}", family.name);
            }
        }
    }
}

#[test]
fn opacity_agrees_with_the_evaluation_and_the_hints_keep_their_word() {
    let world = world();
    for_each_material(|family, input, material| {
        for point in points() {
            let context = Context::new(&world);
            let g = material.evaluate(&point, &context);
            let opacity = material.opacity(&point, &context);
            assert_eq!((opacity.discard, opacity.coverage), (g.discard, g.coverage), "{} {input:?}", family.name);
            assert!(material.may_discard() || !g.discard, "{} {input:?}: discards", family.name);
            assert!(material.may_emit() || g.emission == Vec3::ZERO, "{} {input:?}: emits", family.name);
        }
    });
}

/// The name of an input, and a change of it.
type Change<T> = (&'static str, fn(&mut T));

/// Each point input that a family may declare.
const INPUTS: &[Change<Point>] = &[
    ("position", |p| p.position += 1.7),
    ("normal", |p| p.normal = p.normal.yzx()),
    ("tangent", |p| p.tangent = p.tangent.yzxw()),
    ("tangent1", |p| p.tangent1 = p.tangent1.yzxw()),
    ("uv0", |p| p.uv[0] += 0.37),
    ("uv1", |p| p.uv[1] += 0.37),
    ("uv2", |p| p.uv[2] += 0.37),
    ("uv3", |p| p.uv[3] += 0.37),
    ("uv4", |p| p.uv[4] += 0.37),
    ("color", |p| p.color = 1.0 - p.color),
    ("instance_variation", |p| p.instance_variation = 1.0 - p.instance_variation),
    ("instance_position", |p| p.instance_position += 3.0),
    ("scale", |p| p.scale *= 1.5),
    ("front_facing", |p| p.front_facing = !p.front_facing),
    ("pixel", |p| p.pixel = [p.pixel[0] + 5, p.pixel[1] + 3]),
    ("uv0_footprint", |p| p.uv0_footprint += 0.2),
    ("box_position", |p| p.box_position += 0.2),
    ("box_row_a", |p| p.box_row_a = Vec3::Z),
    ("box_row_b", |p| p.box_row_b = Vec3::X),
    ("box_scale", |p| p.box_scale *= 2.0),
    ("receiver_position", |p| p.receiver_position += 0.2),
    ("receiver_normal", |p| p.receiver_normal = -p.receiver_normal),
];

/// Each `[world]` key that a formula may read.
const WORLD: &[Change<World>] = &[
    ("camera", |w| w.camera += 5.0),
    ("time", |w| w.time += 0.51),
    ("alpha_reference", |w| w.alpha_reference = 0.9),
    ("dither", |w| w.dither = Dither::Screen),
    ("weather", |w| w.weather = Vec3::new(0.5, 1.5, 0.7)),
    ("ao_minimum", |w| w.ao_minimum = Vec2::new(0.6, 0.7)),
    ("ao_into_albedo", |w| w.ao_into_albedo = 0.5),
    ("ao_curve", |w| w.ao_curve = Vec2::new(0.5, 2.0)),
    ("exposure", |w| w.exposure = 2.0),
    ("graffiti_state", |w| w.graffiti_state = 3),
    ("fog", |w| w.fog = 0.5),
    ("retro_distance_fade", |w| w.retro_distance_fade = 0.5),
    ("road_uv_origin", |w| w.road_uv_origin += 7.3),
    ("terrain_normal_fade", |w| w.terrain_normal_fade = Vec2::splat(0.5)),
];

/// `color` covers `color.rgb`, `position` covers `position.y`.
fn declares(list: &[&str], key: &str) -> bool {
    list.iter().any(|declared| declared.split('.').next() == Some(key))
}

/// What the probe would print: outputs and sampled coordinates.
fn observed(material: &dyn Material, point: &Point, world: &World) -> String {
    format!("{:?}", scrutineer::probe::answer(material, point, world))
}

#[test]
fn an_input_that_a_family_does_not_declare_changes_nothing() {
    let world = world();
    for_each_material(|family, input, material| {
        for original in points().into_iter().take(6) {
            let before = observed(material, &original, &world);
            for (name, change) in INPUTS.iter().filter(|(name, _)| !declares(family.inputs, name)) {
                let mut point = original;
                change(&mut point);
                assert_eq!(observed(material, &point, &world), before, "{} reads {name}: {input:?}", family.name);
            }
            for (name, change) in WORLD.iter().filter(|(name, _)| !declares(family.world, name)) {
                let mut world = world;
                change(&mut world);
                let after = observed(material, &original, &world);
                assert_eq!(after, before, "{} reads [world] {name}: {input:?}", family.name);
            }
        }
    });
}

#[test]
fn declared_names_are_those_of_the_contract() {
    for family in FAMILIES {
        for name in family.inputs {
            assert!(INPUTS.iter().any(|(known, _)| declares(&[*name], known)), "{}: input {name}", family.name);
        }
        for name in family.world {
            let renderer_only = ["frame_index", "dither_temporal", "decal_composite"].contains(name);
            let known = WORLD.iter().any(|(known, _)| known == name);
            assert!(known || renderer_only, "{}: [world] {name}", family.name);
        }
    }
}

/// A rock material at `permutation` with textures and a strong modulate, whose map is `grey`.
fn rock(name: &str, permutation: &str, grey: f32) -> Box<dyn Material> {
    let family = scrutineer::material::registry::find(name).expect("the rock families are registered");
    let mut input = with_textures(input(permutation), family, 3);
    input.textures.insert("ModulateTexture".to_owned(), TextureInput::Constant(Vec4::splat(grey)));
    input.parameters.insert("TM_Max".to_owned(), 2.0.into());
    bound(family, &input)
}

#[test]
fn a_grey_modulate_of_rock_is_the_identity() {
    let world = world();
    let near =
        |a: &GBuffer, b: &GBuffer| a.albedo.abs_diff_eq(b.albedo, 1e-6) && (a.roughness - b.roughness).abs() < 1e-6;
    let mut acted = false;
    for point in points() {
        let evaluate = |permutation, grey| {
            let point = Point { position: world.camera + 5.0, ..point };
            rock("uber_rock", permutation, grey).evaluate(&point, &Context::new(&world))
        };
        let plain = evaluate("_Micro1", 0.5);
        assert!(near(&evaluate("_Micro1_Modulate", 0.5), &plain));
        acted |= !near(&evaluate("_Micro1_Modulate", 0.8), &plain);
    }
    assert!(acted, "a modulate that is not grey must act somewhere");
}

#[test]
fn without_an_instance_byte_the_modulate_of_the_array_rock_is_the_identity() {
    let world = world();
    for point in points() {
        let point = Point { instance_variation: Vec3::new(0.0, point.instance_variation.y, 0.0), ..point };
        let evaluate =
            |grey| rock("uber_rock_array", "_Array_Up_Modulate_USU", grey).evaluate(&point, &Context::new(&world));
        assert_eq!(evaluate(0.9), evaluate(0.1));
    }
}
