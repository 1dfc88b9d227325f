//! Materials of a glTF file as plain data (glTF 2.0, section 3.9 and the material extensions that SCENE.md lists).
//! `material::gltf` gives them their meaning.

use glam::{Affine2, Mat2, Vec2};

use super::error::{Checked, Fault, Warnings, resolve};
use super::json::{self, Root};
use crate::texture::{Address, Filter, Sampler};

/// One material, factors as authored, defaults filled in.
#[derive(Clone, Debug, PartialEq)]
pub struct MaterialDef {
    /// Its name, else `material N`.
    pub name: String,
    /// Linear RGBA factor.
    pub base_color: [f32; 4],
    pub base_color_texture: Option<TextureRef>,
    pub metallic: f32,
    pub roughness: f32,
    /// Roughness in G, metalness in B.
    pub metallic_roughness_texture: Option<TextureRef>,
    pub normal_texture: Option<TextureRef>,
    /// Factor of the normal map's x and y.
    pub normal_scale: f32,
    /// Occlusion in R.
    pub occlusion_texture: Option<TextureRef>,
    pub occlusion_strength: f32,
    /// emissiveFactor · emissiveStrength, linear.
    pub emissive: [f32; 3],
    pub emissive_texture: Option<TextureRef>,
    pub alpha: AlphaMode,
    pub double_sided: bool,
    /// KHR_materials_transmission with a factor above 0.
    pub transmission: Option<TransmissionDef>,
    /// Index of refraction; 1.5 unless KHR_materials_ior says otherwise.
    pub ior: f32,
    pub unlit: bool,
}

/// KHR_materials_transmission.
#[derive(Clone, Debug, PartialEq)]
pub struct TransmissionDef {
    pub factor: f32,
    /// Factor in R.
    pub texture: Option<TextureRef>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AlphaMode {
    Opaque,
    /// A hole where alpha is below `cutoff`.
    Mask {
        cutoff: f32,
    },
    /// There with probability alpha.
    Blend,
}

/// A texture of a material slot.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureRef {
    /// Indices into [`Document::images`](super::Document::images), the preferred first.
    pub images: Vec<usize>,
    pub sampler: Sampler,
    /// TEXCOORD set, 0…4.
    pub uv_set: usize,
    /// KHR_texture_transform: TEXCOORD → texture coordinate, both v down.
    pub transform: Affine2,
}

impl Default for MaterialDef {
    /// What glTF prescribes for primitives without a material.
    fn default() -> Self {
        Self {
            name: "default material".to_owned(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            alpha: AlphaMode::Opaque,
            double_sided: false,
            transmission: None,
            ior: 1.5,
            unlit: false,
        }
    }
}

impl MaterialDef {
    /// The TEXCOORD set that generated tangents follow: the normal map's.
    pub fn tangent_set(&self) -> usize {
        self.normal_texture.as_ref().map_or(0, |texture| texture.uv_set)
    }

    /// Every texture with its slot's name.
    pub fn textures(&self) -> impl Iterator<Item = (&'static str, &TextureRef)> {
        let transmission = self.transmission.as_ref().and_then(|transmission| transmission.texture.as_ref());
        [
            ("baseColorTexture", self.base_color_texture.as_ref()),
            ("metallicRoughnessTexture", self.metallic_roughness_texture.as_ref()),
            ("normalTexture", self.normal_texture.as_ref()),
            ("occlusionTexture", self.occlusion_texture.as_ref()),
            ("emissiveTexture", self.emissive_texture.as_ref()),
            ("transmissionTexture", transmission),
        ]
        .into_iter()
        .filter_map(|(slot, texture)| Some((slot, texture?)))
    }
}

/// All materials of the file, in its order.
pub(super) fn read(root: &Root, warnings: &mut Warnings) -> Checked<Vec<MaterialDef>> {
    let materials = root.materials.iter().enumerate();
    materials.map(|(index, material)| read_one(root, material, index, warnings)).collect()
}

fn read_one(root: &Root, json: &json::Material, index: usize, warnings: &mut Warnings) -> Checked<MaterialDef> {
    let at = format!("/materials/{index}");
    let pbr = &json.pbr_metallic_roughness;
    let mut texture = |info: &Option<json::TextureInfo>, slot: &str| match info {
        Some(info) => read_texture(root, info, &format!("{at}/{slot}"), warnings),
        None => Ok(None),
    };
    let transmission = match &json.extensions.transmission {
        Some(transmission) => {
            let slot = "extensions/KHR_materials_transmission/transmissionTexture";
            let texture = texture(&transmission.transmission_texture, slot)?;
            let factor = transmission.transmission_factor.unwrap_or(0.0);
            (factor > 0.0).then_some(TransmissionDef { factor, texture })
        }
        None => None,
    };
    let strength = json.extensions.emissive_strength.as_ref().and_then(|extension| extension.emissive_strength);
    let def = MaterialDef {
        name: json.name.clone().unwrap_or_else(|| format!("material {index}")),
        base_color: pbr.base_color_factor.unwrap_or([1.0; 4]),
        base_color_texture: texture(&pbr.base_color_texture, "pbrMetallicRoughness/baseColorTexture")?,
        metallic: pbr.metallic_factor.unwrap_or(1.0),
        roughness: pbr.roughness_factor.unwrap_or(1.0),
        metallic_roughness_texture: texture(
            &pbr.metallic_roughness_texture,
            "pbrMetallicRoughness/metallicRoughnessTexture",
        )?,
        normal_texture: texture(&json.normal_texture, "normalTexture")?,
        normal_scale: json.normal_texture.as_ref().and_then(|info| info.scale).unwrap_or(1.0),
        occlusion_texture: texture(&json.occlusion_texture, "occlusionTexture")?,
        occlusion_strength: json.occlusion_texture.as_ref().and_then(|info| info.strength).unwrap_or(1.0),
        emissive: json.emissive_factor.unwrap_or([0.0; 3]).map(|channel| channel * strength.unwrap_or(1.0)),
        emissive_texture: texture(&json.emissive_texture, "emissiveTexture")?,
        alpha: alpha_mode(json, &at)?,
        double_sided: json.double_sided,
        transmission,
        ior: index_of_refraction(json, &at)?,
        unlit: json.extensions.unlit.is_some(),
    };
    note_limits(&def, json, &at, warnings);
    Ok(def)
}

fn note_limits(def: &MaterialDef, json: &json::Material, at: &str, warnings: &mut Warnings) {
    if json.extensions.ior.is_some() && def.transmission.is_none() {
        warnings.add(at, "KHR_materials_ior acts on transmissive materials only: others keep an F0 of 0.04");
    }
    if let Some(transmission) = &def.transmission
        && (transmission.factor < 1.0 || transmission.texture.is_some())
    {
        warnings.add(at, "is thin glass: what its transmission does not let through is absorbed, not scattered");
    }
}

fn alpha_mode(json: &json::Material, at: &str) -> Checked<AlphaMode> {
    match json.alpha_mode.as_deref() {
        None | Some("OPAQUE") => Ok(AlphaMode::Opaque),
        Some("MASK") => Ok(AlphaMode::Mask { cutoff: json.alpha_cutoff.unwrap_or(0.5) }),
        Some("BLEND") => Ok(AlphaMode::Blend),
        Some(other) => {
            let message = format!("alpha mode \"{other}\" is unknown; allowed: \"OPAQUE\", \"MASK\", \"BLEND\"");
            Err(Fault::new(format!("{at}/alphaMode"), message))
        }
    }
}

/// 0, which the extension defines as «all reflected», stands for infinity.
fn index_of_refraction(json: &json::Material, at: &str) -> Checked<f32> {
    match json.extensions.ior.as_ref().and_then(|extension| extension.ior) {
        None => Ok(1.5),
        Some(0.0) => Ok(f32::INFINITY),
        Some(ior) if ior >= 1.0 => Ok(ior),
        Some(ior) => {
            let message = format!("{ior} is no index of refraction; allowed: 0, or 1 and more");
            Err(Fault::new(format!("{at}/extensions/KHR_materials_ior/ior"), message))
        }
    }
}

fn read_texture(
    root: &Root,
    info: &json::TextureInfo,
    at: &str,
    warnings: &mut Warnings,
) -> Checked<Option<TextureRef>> {
    let texture = resolve(&root.textures, info.index, "texture", || format!("{at}/index"))?;
    let transform = info.extensions.transform.as_ref();
    let uv_set = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord);
    if uv_set > 4 {
        return Err(Fault::new(format!("{at}/texCoord"), format!("TEXCOORD_{uv_set} is not read; allowed: 0 to 4")));
    }
    let dds = texture.extensions.dds.as_ref().map(|dds| (dds.source, "extensions/MSFT_texture_dds/source"));
    let sources = dds.into_iter().chain(texture.source.map(|source| (source, "source")));
    let images = sources
        .map(|(image, member)| {
            resolve(&root.images, image, "image", || format!("/textures/{}/{member}", info.index)).map(|_| image)
        })
        .collect::<Checked<Vec<usize>>>()?;
    if images.is_empty() {
        warnings.add(&format!("/textures/{}", info.index), format!("has no image that is read: {at} is left out"));
        return Ok(None);
    }
    let sampler = match texture.sampler {
        Some(index) => {
            let sampler = resolve(&root.samplers, index, "sampler", || format!("/textures/{}/sampler", info.index))?;
            read_sampler(sampler, index)?
        }
        None => Sampler::default(),
    };
    Ok(Some(TextureRef { images, sampler, uv_set, transform: transform.map_or(Affine2::IDENTITY, uv_transform) }))
}

/// KHR_texture_transform: translation · rotation · scale. Positive angles turn uv counter-clockwise as seen in the image,
/// whose v grows downward: (1, 0) turns toward −v.
fn uv_transform(json: &json::TextureTransform) -> Affine2 {
    let [scale_u, scale_v] = json.scale.unwrap_or([1.0; 2]);
    let (sin, cos) = json.rotation.unwrap_or(0.0).sin_cos();
    Affine2 {
        matrix2: Mat2::from_cols(Vec2::new(cos, -sin) * scale_u, Vec2::new(sin, cos) * scale_v),
        translation: json.offset.unwrap_or_default().into(),
    }
}

/// Minification filters have no part: supersampling does the filtering, from level 0.
fn read_sampler(json: &json::Sampler, index: usize) -> Checked<Sampler> {
    let fault = |member: &str, code: u32, allowed: &str| {
        Fault::new(format!("/samplers/{index}/{member}"), format!("{code} is unknown; allowed: {allowed}"))
    };
    let wrap = |member: &str, code: Option<u32>| match code {
        None | Some(10497) => Ok(Address::Wrap),
        Some(33071) => Ok(Address::Clamp),
        Some(33648) => Ok(Address::Mirror),
        Some(code) => Err(fault(member, code, "10497 (REPEAT), 33071 (CLAMP_TO_EDGE), 33648 (MIRRORED_REPEAT)")),
    };
    let filter = match json.mag_filter {
        None | Some(9729) => Filter::Linear,
        Some(9728) => Filter::Nearest,
        Some(code) => return Err(fault("magFilter", code, "9728 (NEAREST), 9729 (LINEAR)")),
    };
    Ok(Sampler { address: [wrap("wrapS", json.wrap_s)?, wrap("wrapT", json.wrap_t)?], filter, ..Sampler::default() })
}
