//! Small scenes built in the test that needs them: a glTF made in code, a scene file as text, and their picture.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use glam::{DVec3, Vec2, Vec3};
use scrutineer::cli::progress::Progress;
use scrutineer::film::{AovId, Film, FilmSettings, Plane, Selection};
use scrutineer::integrator::{self, Integrator, Job, Watch};
use scrutineer::sampler;
use scrutineer::scene::Scene;
use scrutineer::scene::load::{self, Options};
use serde_json::{Value, json};

/// Triangles; streams other than positions may be empty.
#[derive(Clone, Default)]
pub struct Shape {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub tangents: Vec<[f32; 4]>,
    pub indices: Vec<u32>,
}

impl Shape {
    /// A parallelogram of half edges `u` and `v` that faces along u × v; uv (0, 0) at center − u + v, v down.
    pub fn quad(center: Vec3, u: Vec3, v: Vec3) -> Self {
        Self {
            positions: vec![center - u - v, center + u - v, center + u + v, center - u + v],
            uvs: [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]].map(Vec2::from).to_vec(),
            indices: vec![0, 1, 2, 0, 2, 3],
            ..Self::default()
        }
    }

    /// A ball of 8 · 4^level triangles with smooth normals: an octahedron, subdivided on the sphere.
    pub fn sphere(center: Vec3, radius: f32, level: u32) -> Self {
        let mut faces = Vec::new();
        for signs in 0..8 {
            let sign = |bit: u32| if signs >> bit & 1 == 0 { 1.0 } else { -1.0 };
            let corners = [Vec3::X * sign(0), Vec3::Y * sign(1), Vec3::Z * sign(2)];
            let outward = sign(0) * sign(1) * sign(2) > 0.0;
            faces.push(if outward { corners } else { [corners[0], corners[2], corners[1]] });
        }
        for _ in 0..level {
            faces = faces.iter().flat_map(subdivided).collect();
        }
        let mut shape = Self::default();
        let mut known = BTreeMap::new();
        for corner in faces.iter().flatten() {
            let index = *known.entry(corner.to_array().map(f32::to_bits)).or_insert_with(|| {
                shape.positions.push(center + *corner * radius);
                shape.normals.push(*corner);
                shape.positions.len() as u32 - 1
            });
            shape.indices.push(index);
        }
        shape
    }
}

fn subdivided(&[a, b, c]: &[Vec3; 3]) -> [[Vec3; 3]; 4] {
    // The sum does not depend on the order of the two ends: neighbours get the same point.
    let [ab, bc, ca] = [a + b, b + c, c + a].map(Vec3::normalize);
    [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
}

/// A glTF in the making.
pub struct Asset {
    pub json: Value,
    bin: Vec<u8>,
}

impl Default for Asset {
    fn default() -> Self {
        Self { json: json!({"asset": {"version": "2.0"}}), bin: vec![] }
    }
}

impl Asset {
    /// Appends to a top-level array; the new element's index.
    pub fn push(&mut self, list: &str, element: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().unwrap();
        list.push(element);
        list.len() - 1
    }

    /// Adds a material: glTF JSON without its name.
    pub fn material(&mut self, name: &str, mut body: Value) -> usize {
        body["name"] = json!(name);
        self.push("materials", body)
    }

    /// Adds a plain opaque material.
    pub fn plain(&mut self, name: &str, albedo: f64, metalness: f64, roughness: f64) -> usize {
        self.material(name, pbr([albedo, albedo, albedo, 1.0], metalness, roughness))
    }

    /// Adds a PNG that is stored in the file; the texture's index.
    pub fn texture(&mut self, image: &image::DynamicImage) -> usize {
        let mut png = std::io::Cursor::new(vec![]);
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let view = self.view(png.get_ref());
        let source = self.push("images", json!({"bufferView": view, "mimeType": "image/png"}));
        let sampler = self.push("samplers", json!({"magFilter": 9728, "minFilter": 9728}));
        self.push("textures", json!({"source": source, "sampler": sampler}))
    }

    /// Adds a mesh of one primitive.
    pub fn mesh(&mut self, name: &str, shape: &Shape, material: usize) -> usize {
        let mut attributes = json!({"POSITION": self.floats(shape.positions.iter().map(|p| p.to_array()))});
        if !shape.normals.is_empty() {
            attributes["NORMAL"] = json!(self.floats(shape.normals.iter().map(|n| n.to_array())));
        }
        if !shape.uvs.is_empty() {
            attributes["TEXCOORD_0"] = json!(self.floats(shape.uvs.iter().map(|uv| uv.to_array())));
        }
        if !shape.tangents.is_empty() {
            attributes["TANGENT"] = json!(self.floats(shape.tangents.iter().copied()));
        }
        let bytes: Vec<u8> = shape.indices.iter().flat_map(|index| index.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let indices =
            json!({"bufferView": view, "componentType": 5125, "type": "SCALAR", "count": shape.indices.len()});
        let indices = self.push("accessors", indices);
        let primitive = json!({"attributes": attributes, "indices": indices, "material": material});
        self.push("meshes", json!({"name": name, "primitives": [primitive]}))
    }

    /// Adds a mesh and a node that places it as it is.
    pub fn add(&mut self, name: &str, shape: &Shape, material: usize) {
        let mesh = self.mesh(name, shape, material);
        self.push("nodes", json!({"name": name, "mesh": mesh}));
    }

    /// Adds float vectors; the accessor's index.
    pub fn floats<const N: usize>(&mut self, values: impl Iterator<Item = [f32; N]>) -> usize {
        let values: Vec<[f32; N]> = values.collect();
        let bytes: Vec<u8> = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        let view = self.view(&bytes);
        let bound = |pick: fn(f32, f32) -> f32| -> Vec<f32> {
            (0..N).map(|c| values.iter().map(|v| v[c]).reduce(pick).unwrap_or(0.0)).collect()
        };
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][N];
        self.push(
            "accessors",
            json!({"bufferView": view, "componentType": 5126, "type": kind, "count": values.len(),
                   "min": bound(f32::min), "max": bound(f32::max)}),
        )
    }

    /// Adds bytes; the buffer view's index.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let offset = self.bin.len();
        self.bin.extend_from_slice(bytes);
        self.push("bufferViews", json!({"buffer": 0, "byteOffset": offset, "byteLength": bytes.len()}))
    }

    /// The GLB's bytes; every node stands at the root.
    pub fn glb(&self) -> Vec<u8> {
        let mut json = self.json.clone();
        json["buffers"] = json!([{"byteLength": self.bin.len()}]);
        let nodes = json["nodes"].as_array().map_or(0, Vec::len);
        json["scenes"] = json!([{"nodes": (0..nodes).collect::<Vec<_>>()}]);
        let mut chunks = vec![];
        for (kind, data, padding) in [(b"JSON", json.to_string().as_bytes(), b' '), (b"BIN\0", &self.bin[..], 0)] {
            let length = data.len().next_multiple_of(4);
            chunks.extend((length as u32).to_le_bytes());
            chunks.extend(kind);
            chunks.extend(data);
            chunks.extend(std::iter::repeat_n(padding, length - data.len()));
        }
        let header = [*b"glTF", 2u32.to_le_bytes(), (12 + chunks.len() as u32).to_le_bytes()];
        [header.concat(), chunks].concat()
    }
}

/// glTF's JSON of a metallic-roughness material.
pub fn pbr(base_color: [f64; 4], metalness: f64, roughness: f64) -> Value {
    json!({"pbrMetallicRoughness":
        {"baseColorFactor": base_color, "metallicFactor": metalness, "roughnessFactor": roughness}})
}

/// Writes scene.toml, and the asset as a.glb, into a folder of their own, and loads them. `toml` must name a.glb itself.
pub fn scene(toml: &str, asset: &Asset) -> Scene {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), toml, asset);
    load::load(&folder.path().join("scene.toml"), &Options::default()).unwrap_or_else(|error| panic!("{error}\n{toml}"))
}

/// Writes scene.toml and a.glb.
pub fn write(folder: &Path, toml: &str, asset: &Asset) {
    std::fs::write(folder.join("scene.toml"), toml).unwrap();
    std::fs::write(folder.join("a.glb"), asset.glb()).unwrap();
}

/// `[camera]` of an orthographic camera that sees `height` metres about `target` from direction `from`, 1 m away.
pub fn orthographic(target: DVec3, from: DVec3, height: f64) -> String {
    let position = (target + from.normalize()).to_array();
    let up = if from.normalize().y.abs() > 0.9 { [0, 0, 1] } else { [0, 1, 0] };
    let target = target.to_array();
    format!(
        "[camera]\nkind = \"orthographic\"\nheight = {height:?}\nposition = {position:?}\ntarget = {target:?}\nup = {up:?}\n"
    )
}

/// How to render.
#[derive(Clone, Copy)]
pub struct Shot {
    pub integrator: Integrator,
    pub crop: Option<[i32; 4]>,
    pub threads: Option<usize>,
}

impl Default for Shot {
    fn default() -> Self {
        Self { integrator: Integrator::Path, crop: None, threads: None }
    }
}

/// The film of a scene's first camera with these AOVs (as `--aov` takes them); the beauty's error is tracked.
pub fn render(scene: &Scene, shot: &Shot, aovs: &[&str]) -> Film {
    let groups = &scene.names.light_groups;
    let names: Vec<String> = aovs.iter().map(|name| (*name).to_owned()).collect();
    let job = Job::new(scene, 0, shot.integrator, shot.crop, shot.threads);
    let mut film = Film::new(FilmSettings {
        resolution: scene.render.resolution,
        crop: shot.crop,
        aovs: Selection::parse(&names, groups).unwrap().into_ids(),
        light_groups: groups.clone(),
        batch: sampler::BATCH,
        track_error: true,
    })
    .unwrap();
    let progress = Progress::new(job.total_samples(), "test");
    let watch = Watch { progress: &progress, stop: &AtomicBool::new(false) };
    assert!(integrator::render(scene, &job, &mut film, &watch).complete);
    assert_eq!(film.non_finite(), 0, "samples that are not finite");
    film
}

/// The channels of an AOV of the table or of a light group (`light_NAME`), row by row.
pub fn planes(film: &Film, name: &str) -> Vec<Plane> {
    let groups = &film.settings().light_groups;
    let id = film.aovs().find(|id: &AovId| id.name(groups) == name).unwrap_or_else(|| panic!("no AOV {name}"));
    film.planes(id, &|id| id as f32).unwrap()
}

/// As [`planes`], interleaved: one vector a pixel; three channels at most are taken.
pub fn vectors(film: &Film, name: &str) -> Vec<DVec3> {
    let planes = planes(film, name);
    let channel = |c: usize, i: usize| match planes.get(c) {
        Some(Plane::Float(values)) => f64::from(values[i]),
        Some(Plane::Uint(values)) => f64::from(values[i]),
        None => 0.0,
    };
    (0..film.window().area()).map(|i| DVec3::new(channel(0, i), channel(1, i), channel(2, i))).collect()
}
