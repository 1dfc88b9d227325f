//! Pictures without layers: Radiance HDR, and display values of PNG, JPEG and TGA.

use std::path::Path;

use super::{Channel, Facts, Layer, Picture, Sample, Source};
use crate::compare::kind::Kind;
use crate::compare::plane::{Rows, Samples};
use crate::film::Rect;
use crate::quiet;
use crate::texture::raw::{self, Raw, Texels};

/// A decoded picture, as compact as its file has it.
pub(super) struct Image(Raw);

pub(super) fn open(path: &Path) -> Result<Picture, String> {
    let damaged = || Err("the file is damaged: its decoder gave up".to_owned());
    let image = quiet::catch(|| raw::read(path).map_err(|fault| fault.to_string())).unwrap_or_else(damaged)?;
    let window = Rect { x: 0, y: 0, width: image.width, height: image.height };
    let sample = match image.texels {
        Texels::Bytes(_) => Sample::Byte,
        Texels::Shorts(_) => Sample::Short,
        Texels::Floats(_) => Sample::Rgbe,
    };
    let names: &[&str] = match image.channels {
        1 => &["Y"],
        2 => &["Y", "A"],
        3 => &["R", "G", "B"],
        _ => &["R", "G", "B", "A"],
    };
    let channel = |(index, name): (usize, &&str)| Channel { name: (*name).to_owned(), sample, part: 0, index };
    let channels = names.iter().enumerate().map(channel).collect();
    let layer = Layer { name: "beauty".to_owned(), channels, window, kind: Kind::Lighting };
    Ok(Picture {
        path: path.to_owned(),
        display: window,
        layers: vec![layer],
        facts: Facts::default(),
        source: Source::Flat(Image(image)),
    })
}

impl Image {
    /// Fills the bands of the one layer there is: bytes and shorts over their largest value, 0..1.
    pub(super) fn read(&self, layers: &[&Layer], bands: &mut [Rows]) {
        for (layer, band) in layers.iter().zip(bands).filter(|(_, band)| band.rect.height > 0) {
            let (width, channels) = (self.0.width as usize * self.0.channels, layer.channels.len());
            debug_assert_eq!(channels, self.0.channels);
            let range = band.rect.y as usize * width..(band.rect.y as usize + band.rect.height as usize) * width;
            let values: Vec<f32> = match &self.0.texels {
                Texels::Bytes(texels) => texels[range].iter().map(|value| f32::from(*value) / 255.0).collect(),
                Texels::Shorts(texels) => texels[range].iter().map(|value| f32::from(*value) / 65535.0).collect(),
                Texels::Floats(texels) => texels[range].to_vec(),
            };
            band.samples = Samples::Float(values);
        }
    }
}
