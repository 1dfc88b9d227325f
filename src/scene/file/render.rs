//! `[render]`: resolution, sampling, filter.

use super::reader::Reader;
use crate::film::filter::FilterKind;

/// `[render]`, with the defaults of SCENE.md.
#[derive(Clone, Debug)]
pub struct RenderFile {
    /// Pixels, width and height.
    pub resolution: [u32; 2],
    /// Per pixel.
    pub samples: u32,
    /// Relative standard error at which a pixel stops, if it may.
    pub noise_target: Option<f64>,
    /// Path segments: 1 = emitters seen directly, 2 = + direct light, …
    pub max_depth: u32,
    pub seed: u64,
    pub filter: FilterKind,
    /// Camera rays pass through backs of surfaces that are not double-sided.
    pub cull: bool,
    /// Whether the G-buffer AOVs show glass itself, or what is behind it.
    pub glass_gbuffer: GlassGBuffer,
}

/// `[render] glass_gbuffer`: what the G-buffer AOVs show where the camera looks at glass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GlassGBuffer {
    /// The glass.
    #[default]
    Glass,
    /// The first surface behind it that is not glass.
    Behind,
}

impl Default for RenderFile {
    fn default() -> Self {
        Self {
            resolution: [1280, 720],
            samples: 256,
            noise_target: None,
            max_depth: 12,
            seed: 0,
            filter: FilterKind::BlackmanHarris,
            cull: false,
            glass_gbuffer: GlassGBuffer::Glass,
        }
    }
}

/// The largest picture side, pixels.
pub const MAX_SIDE: i64 = 65_536;

impl RenderFile {
    /// Reads `[render]`.
    pub fn read(reader: &mut Reader) -> Self {
        let defaults = Self::default();
        let side = |x: &f64| x.fract() == 0.0 && (1.0..=MAX_SIDE as f64).contains(x);
        let resolution = reader.optional("resolution", "two whole numbers from 1 to 65536", |value| {
            super::reader::array::<2>(value).filter(|sides| sides.iter().all(side))
        });
        let kinds = [FilterKind::BlackmanHarris, FilterKind::Box, FilterKind::Gaussian];
        let filters = kinds.map(|kind| (kind.name(), kind));
        Self {
            resolution: resolution.map_or(defaults.resolution, |[w, h]| [w as u32, h as u32]),
            samples: reader.integer("samples", 1, 1 << 24).map_or(defaults.samples, |x| x as u32),
            noise_target: reader.number_in("noise_target", 1e-6, 1e6),
            max_depth: reader.integer("max_depth", 1, 1 << 16).map_or(defaults.max_depth, |x| x as u32),
            seed: reader.integer("seed", 0, i64::MAX).map_or(defaults.seed, |x| x as u64),
            filter: reader.choice("filter", &filters).unwrap_or(defaults.filter),
            cull: reader.boolean("cull", defaults.cull),
            glass_gbuffer: reader
                .choice("glass_gbuffer", &[("glass", GlassGBuffer::Glass), ("behind", GlassGBuffer::Behind)])
                .unwrap_or_default(),
        }
    }
}
