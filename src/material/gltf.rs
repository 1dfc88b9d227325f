//! glTF's own material model, seen through the same `GBuffer` as the game families.
//!
//! Metallic-roughness (glTF 2.0, section 3.9) with the extensions of SCENE.md:
//!
//! - albedo = baseColorFactor · baseColorTexture (sRGB) · COLOR_0 (linear); alpha likewise
//! - metalness = metallicFactor · B, roughness = roughnessFactor · G
//! - t = normalize((2·rgb − 1) · (scale, scale, 1)), normal = normalize(T·t.x + B·t.y + N·t.z), B = cross(N, T)·w
//! - emission = emissiveFactor · emissiveStrength · emissiveTexture (sRGB)
//! - ambient occlusion = 1 + strength·(R − 1)
//!
//! The bitangent has a plus where game families have a minus: glTF's normal maps are green-up. The formula is the same in
//! the game frame as in the scene frame, since the mirrored cross product and the flipped w cancel.
//!
//! Decisions:
//! - The BRDF is the documented one (its F0 for dielectrics is 0.04), so KHR_materials_ior acts on glass alone.
//! - KHR_materials_transmission is thin glass: transmittance = transmissionFactor · R · albedo · (1 − metalness), F0 =
//!   ((ior − 1)/(ior + 1))². White with factor 1 lets all light through that is not reflected. Glass scatters nothing, so
//!   what a factor below 1 holds back is absorbed.
//! - KHR_materials_unlit: emission = base colour, albedo 0 and metalness 1 (F0 = 0), so that light adds next to nothing.
//! - MASK is a hole below alphaCutoff; BLEND is there with probability alpha ([`Material::stochastic_coverage`]).

use std::path::PathBuf;

use glam::{Affine2, Vec3, Vec4, Vec4Swizzles};

use super::bind::Fault;
use super::{Class, Context, Material, Opacity, Point, Slot};
use crate::gbuffer::{GBuffer, Glass};
use crate::scene::gltf::image::file_of;
use crate::scene::gltf::{AlphaMode, Image, Images, MaterialDef, TextureRef};
use crate::texture::Transfer;

/// A bound glTF material.
pub struct GltfMaterial {
    base_color: Vec4,
    base_color_texture: Textured,
    metallic: f32,
    roughness: f32,
    metallic_roughness_texture: Textured,
    normal_scale: f32,
    /// `None`: the vertex normal as it is.
    normal_texture: Option<Textured>,
    normal_encoding: NormalEncoding,
    occlusion_strength: f32,
    /// `None`: the R of the metallic-roughness sample, since both are one texture (ORM).
    occlusion_texture: Option<Textured>,
    emissive: Vec3,
    emissive_texture: Textured,
    alpha: AlphaMode,
    unlit: bool,
    pane: Option<Pane>,
}

/// How a normal map stores its vectors. glTF knows unsigned RGB only; DDS files bring signed and two-channel ones.
#[derive(Clone, Copy, Debug, Default)]
struct NormalEncoding {
    /// Values are −1..1 already.
    signed: bool,
    /// Blue is not stored: z completes the unit vector.
    two_channels: bool,
}

impl NormalEncoding {
    fn decode(self, stored: Vec3) -> Vec3 {
        let v = if self.signed { stored } else { stored * 2.0 - 1.0 };
        match self.two_channels {
            true => v.truncate().extend((1.0 - v.x * v.x - v.y * v.y).max(0.0).sqrt()),
            false => v,
        }
    }
}

/// KHR_materials_transmission as thin glass.
struct Pane {
    factor: f32,
    texture: Textured,
    f0: f32,
}

/// A slot with its own TEXCOORD set and KHR_texture_transform.
struct Textured {
    slot: Slot,
    uv_set: usize,
    transform: Affine2,
}

impl Textured {
    /// White: the neutral value of every factor's texture.
    fn white(name: &'static str) -> Self {
        Self { slot: Slot::constant(name, Vec4::ONE), uv_set: 0, transform: Affine2::IDENTITY }
    }

    /// Whether every sample of it is one of `other`.
    fn samples_as(&self, other: &Self) -> bool {
        let place = |textured: &Self| (textured.uv_set, textured.transform);
        place(self) == place(other) && self.slot.samples_as(&other.slot)
    }

    fn sample(&self, point: &Point, context: &Context) -> Vec4 {
        self.slot.sample(self.transform.transform_point2(point.uv[self.uv_set]), point, context)
    }
}

impl GltfMaterial {
    /// Binds `def`, opening its images; each texture that does not open is a fault. The slots' own transfer functions
    /// count (sRGB for colours, linear for the rest), whatever the files say.
    pub fn bind(def: &MaterialDef, images: &mut Images) -> Result<Self, Vec<Fault>> {
        let mut binder = TextureBinder { images, normal_encoding: NormalEncoding::default(), faults: vec![] };
        let mut white = |name, texture| binder.open(name, texture).unwrap_or(Textured::white(name));
        let metallic_roughness = white("metallicRoughnessTexture", def.metallic_roughness_texture.as_ref());
        let occlusion = white("occlusionTexture", def.occlusion_texture.as_ref());
        let material = Self {
            base_color: def.base_color.into(),
            base_color_texture: white("baseColorTexture", def.base_color_texture.as_ref()),
            metallic: def.metallic,
            roughness: def.roughness,
            occlusion_strength: def.occlusion_strength,
            occlusion_texture: (!occlusion.samples_as(&metallic_roughness)).then_some(occlusion),
            metallic_roughness_texture: metallic_roughness,
            emissive: def.emissive.into(),
            emissive_texture: white("emissiveTexture", def.emissive_texture.as_ref()),
            pane: def.transmission.as_ref().map(|transmission| Pane {
                factor: transmission.factor,
                texture: white("transmissionTexture", transmission.texture.as_ref()),
                f0: normal_reflectance(def.ior),
            }),
            normal_scale: def.normal_scale,
            normal_texture: binder.open("normalTexture", def.normal_texture.as_ref()),
            normal_encoding: binder.normal_encoding,
            alpha: def.alpha,
            unlit: def.unlit,
        };
        match binder.faults.is_empty() {
            true => Ok(material),
            false => Err(binder.faults),
        }
    }

    /// The image files that [`GltfMaterial::bind`] would open, absolute: for loading many in parallel beforehand.
    pub fn files(def: &MaterialDef, images: &[Image]) -> Vec<(PathBuf, Transfer)> {
        let textures = def.textures();
        textures.filter_map(|(slot, texture)| Some((file_of(images, &texture.images)?, transfer_of(slot)))).collect()
    }

    /// Base colour with alpha: factor · texture · COLOR_0.
    fn base(&self, point: &Point, context: &Context) -> Vec4 {
        self.base_color * self.base_color_texture.sample(point, context) * point.color
    }

    fn opacity_of(&self, alpha: f32) -> Opacity {
        match self.alpha {
            AlphaMode::Opaque => Opacity { discard: false, coverage: 1.0 },
            AlphaMode::Mask { cutoff } => Opacity { discard: alpha < cutoff, coverage: alpha },
            AlphaMode::Blend => Opacity { discard: false, coverage: alpha },
        }
    }

    fn normal(&self, point: &Point, context: &Context) -> Vec3 {
        let Some(texture) = &self.normal_texture else { return point.normal };
        let encoded = self.normal_encoding.decode(texture.sample(point, context).xyz());
        let t = (encoded * Vec3::new(self.normal_scale, self.normal_scale, 1.0)).normalize_or(Vec3::Z);
        let tangent = point.tangent.xyz();
        let bitangent = point.normal.cross(tangent) * point.tangent.w;
        (tangent * t.x + bitangent * t.y + point.normal * t.z).normalize_or(point.normal)
    }

    /// What an unlit material writes: its base colour as light.
    fn unlit(&self, base: Vec4, point: &Point) -> GBuffer {
        let Opacity { discard, coverage } = self.opacity_of(base.w);
        GBuffer {
            discard,
            coverage,
            metalness: 1.0,
            emission: base.xyz(),
            emission_seed: base.xyz(),
            ..GBuffer::new(Vec3::ZERO, point.normal)
        }
    }
}

impl Material for GltfMaterial {
    fn evaluate(&self, point: &Point, context: &Context) -> GBuffer {
        let base = self.base(point, context);
        if self.unlit {
            return self.unlit(base, point);
        }
        let Opacity { discard, coverage } = self.opacity_of(base.w);
        let surface = self.metallic_roughness_texture.sample(point, context);
        let metalness = self.metallic * surface.z;
        let normal = self.normal(point, context);
        let occlusion = self.occlusion_texture.as_ref().map_or(surface, |texture| texture.sample(point, context)).x;
        let emission = self.emissive * self.emissive_texture.sample(point, context).xyz();
        let glass = self.pane.as_ref().map(|pane| Glass {
            transmittance: base.xyz() * (pane.factor * pane.texture.sample(point, context).x * (1.0 - metalness)),
            f0: pane.f0,
        });
        GBuffer {
            discard,
            coverage,
            albedo: base.xyz(),
            metalness,
            roughness: self.roughness * surface.y,
            normal,
            emission,
            emission_seed: emission,
            ambient_occlusion: 1.0 + self.occlusion_strength * (occlusion - 1.0),
            glass,
            decal: None,
        }
    }

    fn opacity(&self, point: &Point, context: &Context) -> Opacity {
        self.opacity_of(self.base(point, context).w)
    }

    fn may_discard(&self) -> bool {
        self.alpha != AlphaMode::Opaque
    }

    fn may_emit(&self) -> bool {
        self.unlit || self.emissive.max_element() > 0.0
    }

    fn constant_emission(&self) -> Option<Vec3> {
        let texture = self.emissive_texture.slot.as_constant()?;
        (!self.unlit).then(|| self.emissive * texture.xyz())
    }

    fn class(&self) -> Class {
        match self.pane {
            Some(_) if !self.unlit => Class::Glass,
            _ => Class::Opaque,
        }
    }

    fn stochastic_coverage(&self) -> bool {
        self.alpha == AlphaMode::Blend
    }
}

/// Reflectance at normal incidence between air and `ior`, which may be infinite.
fn normal_reflectance(ior: f32) -> f32 {
    let inverse = ior.recip();
    ((1.0 - inverse) / (1.0 + inverse)).powi(2)
}

/// How glTF prescribes that a slot's values are encoded.
fn transfer_of(slot: &str) -> Transfer {
    match slot {
        "baseColorTexture" | "emissiveTexture" => Transfer::Srgb,
        _ => Transfer::Linear,
    }
}

/// Opens textures and notes which do not open.
struct TextureBinder<'a, 'b> {
    images: &'a mut Images<'b>,
    normal_encoding: NormalEncoding,
    faults: Vec<Fault>,
}

impl TextureBinder<'_, '_> {
    fn open(&mut self, name: &'static str, texture: Option<&TextureRef>) -> Option<Textured> {
        let texture = texture?;
        match self.images.open(&texture.images, transfer_of(name)) {
            Ok(image) => {
                if name == "normalTexture" {
                    self.normal_encoding =
                        NormalEncoding { signed: image.is_signed(), two_channels: image.channels() == 2 };
                }
                Some(Textured {
                    slot: Slot::image(name, image, texture.sampler),
                    uv_set: texture.uv_set,
                    transform: texture.transform,
                })
            }
            Err(message) => {
                self.faults.push(Fault { key: name.to_owned(), message });
                None
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::path::Path;
    use std::sync::Arc;

    use glam::{Vec2, vec3, vec4};

    use super::*;
    use crate::scene::gltf::{ImageSource, TransmissionDef};
    use crate::scene::world::World;
    use crate::texture::Texture;

    struct NoImages;

    impl ImageSource for NoImages {
        fn file(&mut self, _: &Path, _: Transfer) -> Result<Arc<Texture>, String> {
            Err("no files here".to_owned())
        }

        fn bytes(&mut self, _: &str, _: &[u8], _: Transfer) -> Result<Arc<Texture>, String> {
            Err("no bytes here".to_owned())
        }
    }

    fn bind(def: &MaterialDef) -> GltfMaterial {
        GltfMaterial::bind(def, &mut Images::new(&[], &mut NoImages)).unwrap()
    }

    fn evaluate(material: &GltfMaterial, point: &Point) -> GBuffer {
        material.evaluate(point, &Context::new(&World::default()))
    }

    fn constant(name: &'static str, value: Vec4) -> Textured {
        Textured { slot: Slot::constant(name, value), ..Textured::white(name) }
    }

    #[test]
    fn factors_textures_and_vertex_colours_multiply() {
        let mut material = bind(&MaterialDef {
            base_color: [0.5, 1.0, 1.0, 0.5],
            metallic: 0.5,
            roughness: 0.8,
            occlusion_strength: 0.5,
            emissive: [2.0, 0.0, 1.0],
            ..MaterialDef::default()
        });
        material.metallic_roughness_texture = constant("metallicRoughnessTexture", vec4(0.1, 0.5, 0.4, 1.0));
        material.occlusion_texture = Some(constant("occlusionTexture", vec4(0.4, 0.0, 0.0, 1.0)));
        material.emissive_texture = constant("emissiveTexture", vec4(0.5, 0.5, 0.25, 1.0));
        let g = evaluate(&material, &Point { color: vec4(0.5, 0.25, 1.0, 0.5), ..Point::default() });
        assert_eq!(g.albedo, vec3(0.25, 0.25, 1.0));
        assert_eq!((g.metalness, g.roughness), (0.2, 0.4));
        assert!((g.ambient_occlusion - 0.7).abs() < 1e-6);
        assert_eq!(g.emission, vec3(1.0, 0.0, 0.25));
        assert_eq!((g.discard, g.coverage, g.normal), (false, 1.0, Vec3::Y));
        assert!(material.may_emit() && !material.may_discard());
        assert_eq!(material.constant_emission(), Some(g.emission));
    }

    #[test]
    fn a_grey_vertex_colour_equals_a_grey_factor() {
        let by_factor = bind(&MaterialDef { base_color: [0.5, 0.5, 0.5, 1.0], ..MaterialDef::default() });
        let by_color = bind(&MaterialDef::default());
        let grey = Point { color: vec4(0.5, 0.5, 0.5, 1.0), ..Point::default() };
        assert_eq!(evaluate(&by_factor, &Point::default()).albedo, evaluate(&by_color, &grey).albedo);
    }

    /// Scene frame: N = +Z, T = +X, green up = +Y, w = 1. Game frame: Z negated and w flipped.
    #[test]
    fn green_points_up_the_image_in_the_game_frame_too() {
        let mut material = bind(&MaterialDef { normal_scale: 0.5, ..MaterialDef::default() });
        material.normal_texture = Some(constant("normalTexture", vec4(0.5, 1.0, 1.0, 1.0)));
        let point = Point { normal: -Vec3::Z, tangent: vec4(1.0, 0.0, 0.0, -1.0), ..Point::default() };
        let normal = evaluate(&material, &point).normal;
        // (0, 1, 1)·(0.5, 0.5, 1), normalised: up by 1/√5, out by 2/√5.
        let expected = vec3(0.0, 1.0, -2.0) / 5f32.sqrt();
        assert!((normal - expected).length() < 1e-6, "{normal}");
    }

    #[test]
    fn each_texture_has_its_own_set_and_transform() {
        let mut material = bind(&MaterialDef::default());
        material.base_color_texture.uv_set = 3;
        material.base_color_texture.transform =
            Affine2::from_scale_angle_translation(Vec2::ONE, 0.0, Vec2::new(0.25, 0.5));
        let mut point = Point::default();
        point.uv[3] = Vec2::new(2.0, 3.0);
        let recorder = RefCell::new(vec![]);
        material.evaluate(&point, &Context { world: &World::default(), recorder: Some(&recorder) });
        let samples = recorder.into_inner();
        assert_eq!((samples[0].name, samples[0].uv), ("baseColorTexture", Some(Vec2::new(2.25, 3.5))));
        assert_eq!((samples[1].name, samples[1].uv), ("metallicRoughnessTexture", Some(Vec2::ZERO)));
    }

    #[test]
    fn mask_is_a_hole_and_blend_a_probability() {
        let with = |alpha, mode| {
            bind(&MaterialDef { base_color: [1.0, 1.0, 1.0, alpha], alpha: mode, ..MaterialDef::default() })
        };
        let opacity = |material: &GltfMaterial| material.opacity(&Point::default(), &Context::new(&World::default()));
        let mask = AlphaMode::Mask { cutoff: 0.3 };
        assert_eq!(opacity(&with(0.25, mask)), Opacity { discard: true, coverage: 0.25 });
        assert_eq!(opacity(&with(0.3, mask)), Opacity { discard: false, coverage: 0.3 });
        let blend = with(0.25, AlphaMode::Blend);
        assert_eq!(opacity(&blend), Opacity { discard: false, coverage: 0.25 });
        assert!(blend.stochastic_coverage() && blend.may_discard());
        assert!(!with(0.25, mask).stochastic_coverage());
        assert_eq!(opacity(&with(0.25, AlphaMode::Opaque)), Opacity { discard: false, coverage: 1.0 });
    }

    #[test]
    fn white_transmission_is_a_clear_pane() {
        let pane = |base_color, factor, ior| {
            let transmission = Some(TransmissionDef { factor, texture: None });
            bind(&MaterialDef { base_color, transmission, ior, metallic: 0.0, ..MaterialDef::default() })
        };
        let clear = pane([1.0; 4], 1.0, 1.5);
        assert_eq!(clear.class(), Class::Glass);
        let glass = evaluate(&clear, &Point::default()).glass.unwrap();
        assert_eq!(glass.transmittance, Vec3::ONE);
        assert!((glass.f0 - 0.04).abs() < 1e-7);
        let tinted = evaluate(&pane([1.0, 0.5, 0.0, 1.0], 0.5, f32::INFINITY), &Point::default()).glass.unwrap();
        assert_eq!((tinted.transmittance, tinted.f0), (vec3(0.5, 0.25, 0.0), 1.0));
    }

    #[test]
    fn signed_and_two_channel_normal_maps_of_a_flat_surface_point_straight_out() {
        let decode = |signed, two_channels, stored| NormalEncoding { signed, two_channels }.decode(stored);
        assert_eq!(decode(false, false, Vec3::new(0.5, 0.5, 1.0)), Vec3::Z);
        // BC5 returns no blue, SNORM returns what it means.
        assert_eq!(decode(false, true, Vec3::new(0.5, 0.5, 0.0)), Vec3::Z);
        assert_eq!(decode(true, true, Vec3::ZERO), Vec3::Z);
        assert_eq!(decode(true, true, Vec3::new(0.6, 0.0, 0.0)), Vec3::new(0.6, 0.0, 0.8));
    }

    #[test]
    fn unlit_is_light_and_nothing_else() {
        let material = bind(&MaterialDef { base_color: [0.5, 0.25, 1.0, 1.0], unlit: true, ..MaterialDef::default() });
        let g = evaluate(&material, &Point::default());
        assert_eq!((g.emission, g.albedo, g.metalness), (vec3(0.5, 0.25, 1.0), Vec3::ZERO, 1.0));
        assert!(material.may_emit());
        assert_eq!(material.constant_emission(), None, "a vertex colour changes it");
    }

    #[test]
    fn every_texture_that_does_not_open_is_named() {
        let texture =
            TextureRef { images: vec![7], sampler: Default::default(), uv_set: 0, transform: Affine2::IDENTITY };
        let def = MaterialDef {
            base_color_texture: Some(texture.clone()),
            normal_texture: Some(texture),
            ..MaterialDef::default()
        };
        let faults = GltfMaterial::bind(&def, &mut Images::new(&[], &mut NoImages)).err().unwrap();
        let keys: Vec<_> = faults.iter().map(|fault| fault.key.as_str()).collect();
        assert_eq!(keys, ["baseColorTexture", "normalTexture"]);
    }
}
