//! A texture slot of a bound material: a texture with its sampler, or a constant. Formulas never branch on which.

use std::sync::Arc;

use glam::{Vec2, Vec4};

use super::point::{Context, Point, TextureSample};
use crate::texture::{Sampler, Texture};

/// One named texture of a family, bound.
#[derive(Clone)]
pub struct Slot {
    name: &'static str,
    source: Source,
}

#[derive(Clone)]
enum Source {
    Constant(Vec4),
    Image { texture: Arc<Texture>, sampler: Sampler },
}

impl Slot {
    /// A slot whose every sample is `value`, RGBA.
    pub fn constant(name: &'static str, value: Vec4) -> Self {
        Self { name, source: Source::Constant(value) }
    }

    /// A slot that samples `texture`.
    pub fn image(name: &'static str, texture: Arc<Texture>, sampler: Sampler) -> Self {
        Self { name, source: Source::Image { texture, sampler } }
    }

    /// The documented texture name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The value of a slot that is the same everywhere.
    pub fn as_constant(&self) -> Option<Vec4> {
        match &self.source {
            Source::Constant(value) => Some(*value),
            Source::Image { .. } => None,
        }
    }

    /// Whether it samples the same texture in the same way as `other`, or has the same constant.
    pub fn samples_as(&self, other: &Self) -> bool {
        match (&self.source, &other.source) {
            (Source::Constant(one), Source::Constant(two)) => one == two,
            (Source::Image { texture, sampler }, Source::Image { texture: other, sampler: others }) => {
                Arc::ptr_eq(texture, other) && sampler == others
            }
            _ => false,
        }
    }

    /// RGBA at `uv` (D3D v down, before wrap): sRGB decoded, SNORM signed.
    #[inline]
    pub fn sample(&self, uv: Vec2, point: &Point, context: &Context) -> Vec4 {
        let value = self.fetch(uv, point);
        if let Some(recorder) = context.recorder {
            recorder.borrow_mut().push(TextureSample { name: self.name, uv: Some(uv), value });
        }
        value
    }

    /// As [`Slot::sample`], for a coordinate that the documentation leaves open: the probe does not report it.
    #[inline]
    pub fn sample_unreported(&self, uv: Vec2, point: &Point, context: &Context) -> Vec4 {
        let value = self.fetch(uv, point);
        if let Some(recorder) = context.recorder {
            recorder.borrow_mut().push(TextureSample { name: self.name, uv: None, value });
        }
        value
    }

    #[inline]
    fn fetch(&self, uv: Vec2, point: &Point) -> Vec4 {
        match &self.source {
            Source::Constant(value) => *value,
            Source::Image { texture, sampler } => texture.sample(uv, point.mip_footprint, sampler),
        }
    }
}
