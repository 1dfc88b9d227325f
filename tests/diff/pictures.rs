//! EXR files of any arrangement, made in memory.

#![allow(dead_code, reason = "the memory test uses a part")]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use exr::image::{AnyChannel, AnyChannels, Blocks, Encoding, FlatSamples, Image, Layer};
use exr::math::Vec2;
use exr::meta::attribute::{AttributeValue, IntegerBounds, LineOrder, Text};
use exr::meta::header::{ImageAttributes, LayerAttributes};
use exr::prelude::{Compression, WritableImage};
use half::f16;

/// A picture in the making: channels by their full names.
#[derive(Clone)]
pub struct Pic {
    pub size: [usize; 2],
    /// Corner of the data window, and the frame where it is another rectangle.
    pub at: [i32; 2],
    pub frame: Option<[usize; 2]>,
    pub floats: BTreeMap<String, Vec<f32>>,
    pub uints: BTreeMap<String, Vec<u32>>,
    /// Channels that are stored as half.
    pub halves: BTreeSet<String>,
    pub texts: BTreeMap<String, String>,
    pub numbers: BTreeMap<String, i32>,
    pub blocks: Blocks,
    pub compression: Compression,
    pub order: LineOrder,
}

impl Pic {
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            size: [width, height],
            at: [0, 0],
            frame: None,
            floats: BTreeMap::new(),
            uints: BTreeMap::new(),
            halves: BTreeSet::new(),
            texts: BTreeMap::new(),
            numbers: BTreeMap::new(),
            blocks: Blocks::ScanLines,
            compression: Compression::ZIP16,
            order: LineOrder::Increasing,
        }
    }

    /// A channel whose values are `value(x, y)`.
    pub fn float(&mut self, name: &str, value: impl Fn(usize, usize) -> f32) -> &mut Self {
        let [width, height] = self.size;
        let values = (0..width * height).map(|i| value(i % width, i / width)).collect();
        self.floats.insert(name.to_owned(), values);
        self
    }

    pub fn uint(&mut self, name: &str, value: impl Fn(usize, usize) -> u32) -> &mut Self {
        let [width, height] = self.size;
        let values = (0..width * height).map(|i| value(i % width, i / width)).collect();
        self.uints.insert(name.to_owned(), values);
        self
    }

    pub fn text(&mut self, name: &str, value: &str) -> &mut Self {
        self.texts.insert(name.to_owned(), value.to_owned());
        self
    }

    pub fn rename(&mut self, old: &str, new: &str) {
        let values = self.floats.remove(old).expect("a channel of this name");
        self.floats.insert(new.to_owned(), values);
    }

    /// Changes one value.
    pub fn set(&mut self, channel: &str, x: usize, y: usize, value: f32) {
        let index = y * self.size[0] + x;
        self.floats.get_mut(channel).expect("a channel of this name")[index] = value;
    }

    /// Changes all values of channels that begin with `prefix`.
    pub fn map(&mut self, prefix: &str, change: impl Fn(f32) -> f32) {
        let named = self.floats.iter_mut().filter(|(name, _)| name.starts_with(prefix));
        named.flat_map(|(_, values)| values).for_each(|value| *value = change(*value));
    }

    /// Moves every row by `dx`, cyclically.
    pub fn shift(&mut self, prefix: &str, dx: usize) {
        let width = self.size[0];
        for values in self.floats.iter_mut().filter(|(name, _)| name.starts_with(prefix)).map(|(_, values)| values) {
            values.chunks_exact_mut(width).for_each(|row| row.rotate_right(dx));
        }
    }

    pub fn swap(&mut self, a: &str, b: &str) {
        let (x, y) = (self.floats[a].clone(), self.floats[b].clone());
        self.floats.insert(a.to_owned(), y);
        self.floats.insert(b.to_owned(), x);
    }

    /// The part x, y, width, height of the picture, in the same frame.
    pub fn crop(&self, [x, y, width, height]: [usize; 4]) -> Self {
        fn cut<T: Copy>(values: &[T], stride: usize, [x, y, width, height]: [usize; 4]) -> Vec<T> {
            (y..y + height).flat_map(|row| values[row * stride + x..][..width].to_vec()).collect()
        }
        let mut part = self.clone();
        part.size = [width, height];
        part.at = [self.at[0] + x as i32, self.at[1] + y as i32];
        part.frame = Some(self.frame.unwrap_or(self.size));
        part.floats.values_mut().for_each(|values| *values = cut(values, self.size[0], [x, y, width, height]));
        part.uints.values_mut().for_each(|values| *values = cut(values, self.size[0], [x, y, width, height]));
        part
    }

    /// One part.
    pub fn write(&self, path: &Path) {
        let mut image = Image::from_layer(self.layer(None, |_| true));
        image.attributes = self.attributes();
        image.write().to_file(path).expect("an EXR in the temporary folder");
    }

    /// A part a layer, named by it; bare channels are in "rgba". The layers' names are left out of the channels' where
    /// `short`.
    pub fn write_parts(&self, path: &Path, short: bool) {
        let layer_of = |name: &str| name.rsplit_once('.').map_or("rgba", |(layer, _)| layer).to_owned();
        let names: BTreeSet<String> = self.floats.keys().chain(self.uints.keys()).map(|name| layer_of(name)).collect();
        let layers: Vec<Layer<AnyChannels<FlatSamples>>> = names
            .iter()
            .map(|layer| {
                let mut part = self.layer(Some(layer), |name| layer_of(name) == *layer);
                if short {
                    for channel in &mut part.channel_data.list {
                        let name = String::from_utf8(channel.name.as_slice().to_vec()).expect("a name");
                        channel.name = Text::from(name.rsplit('.').next().expect("a name"));
                    }
                    part.channel_data = AnyChannels::sort(part.channel_data.list.clone());
                }
                part
            })
            .collect();
        let image = Image { attributes: self.attributes(), layer_data: exr::prelude::SmallVec::from_vec(layers) };
        image.write().to_file(path).expect("an EXR in the temporary folder");
    }

    fn attributes(&self) -> ImageAttributes {
        let [width, height] = self.frame.unwrap_or(self.size);
        ImageAttributes::new(IntegerBounds::from_dimensions(Vec2(width, height)))
    }

    fn layer(&self, name: Option<&str>, wanted: impl Fn(&str) -> bool) -> Layer<AnyChannels<FlatSamples>> {
        let floats = self.floats.iter().map(|(name, values)| {
            let samples = match self.halves.contains(name) {
                true => FlatSamples::F16(values.iter().map(|value| f16::from_f32(*value)).collect()),
                false => FlatSamples::F32(values.clone()),
            };
            (name, samples)
        });
        let uints = self.uints.iter().map(|(name, values)| (name, FlatSamples::U32(values.clone())));
        let channels = floats.chain(uints).filter(|(name, _)| wanted(name));
        let channels = channels.map(|(name, samples)| AnyChannel::new(Text::from(name.as_str()), samples));
        let texts =
            self.texts.iter().map(|(n, v)| (Text::from(n.as_str()), AttributeValue::Text(Text::from(v.as_str()))));
        let numbers = self.numbers.iter().map(|(n, v)| (Text::from(n.as_str()), AttributeValue::I32(*v)));
        let attributes = LayerAttributes {
            layer_name: name.map(Text::from),
            layer_position: Vec2(self.at[0], self.at[1]),
            other: texts.chain(numbers).collect::<HashMap<_, _>>(),
            ..LayerAttributes::default()
        };
        let encoding = Encoding { compression: self.compression, blocks: self.blocks, line_order: self.order };
        let size = Vec2(self.size[0], self.size[1]);
        Layer::new(size, attributes, encoding, AnyChannels::sort(channels.collect()))
    }
}
