//! EXR: data and display windows, channel names, parts; trap 43 as far as reading goes.

use exr::prelude::*;
use scrutineer::texture::{FloatImage, Store, float};

fn read(image: &(impl WritableImageFile + ?Sized)) -> std::result::Result<FloatImage, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    image.write_file(&path);
    float::read(&path).map_err(|fault| fault.to_string())
}

/// Writes an image whatever its layers are.
trait WritableImageFile {
    fn write_file(&self, path: &std::path::Path);
}

impl WritableImageFile for FlatImage {
    fn write_file(&self, path: &std::path::Path) {
        self.write().to_file(path).unwrap();
    }
}

/// A 2×2 layer at `position` whose channels are 1, 2, 3, 4 times their scale.
fn layer(name: &str, position: (i32, i32), channels: &[(&str, f32)]) -> Layer<AnyChannels<FlatSamples>> {
    let channel = |(name, scale): &(&str, f32)| {
        AnyChannel::new(*name, FlatSamples::F32([1.0, 2.0, 3.0, 4.0].map(|value| value * scale).to_vec()))
    };
    let channels = AnyChannels::sort(channels.iter().map(channel).collect());
    let attributes = LayerAttributes { layer_position: position.into(), ..LayerAttributes::named(name) };
    Layer::new((2, 2), attributes, Encoding::FAST_LOSSLESS, channels)
}

fn image(display: IntegerBounds, layers: Vec<Layer<AnyChannels<FlatSamples>>>) -> FlatImage {
    Image { attributes: ImageAttributes::new(display), layer_data: layers.into() }
}

const RGB: [(&str, f32); 3] = [("R", 1.0), ("G", 10.0), ("B", 100.0)];

fn value(n: f32) -> [f32; 4] {
    [n, 10.0 * n, 100.0 * n, 1.0]
}

#[test]
fn data_is_cropped_and_padded_to_the_display_window() {
    let display = IntegerBounds::new((10, 20), (3, 2));
    let padded = read(&image(display, vec![layer("a", (11, 20), &RGB)])).unwrap();
    assert_eq!((padded.width, padded.height), (3, 2));
    assert_eq!(padded.texels, [[0.0; 4], value(1.0), value(2.0), [0.0; 4], value(3.0), value(4.0)]);
    // the data's first column and row lie outside
    let cropped = read(&image(display, vec![layer("a", (9, 19), &RGB)])).unwrap();
    assert_eq!(cropped.texels, [value(4.0), [0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4], [0.0; 4]]);
}

/// Ten stands before two in a file; a position named X, Y, Z is no luminance with a depth, under whatever layer.
#[test]
fn trap_39_numbered_and_positional_channels_are_not_taken_for_colour() {
    let display = IntegerBounds::new((0, 0), (2, 2));
    let read = |channels: &[(&str, f32)]| read(&image(display, vec![layer("a", (0, 0), channels)]));
    let numbers: Vec<String> = (1..=12).map(|number| number.to_string()).collect();
    let numbered: Vec<(&str, f32)> = numbers.iter().map(|name| (name.as_str(), 1.0)).collect();
    let fault = read(&numbered).unwrap_err();
    assert!(fault.contains("not supported: channels 1, 10, 11, 12, 2, 3, 4, 5, 6, 7, 8, 9"), "{fault}");
    for position in [["X", "Y", "Z"], ["P.X", "P.Y", "P.Z"]] {
        let fault = read(&position.map(|name| (name, 1.0))).unwrap_err();
        assert!(position.iter().all(|name| fault.contains(name)), "{fault}");
        // Beside colour they do not matter, whatever the order of the names.
        let with_colour = [position.map(|name| (name, 9.0)), [("R", 1.0), ("G", 2.0), ("B", 3.0)]].concat();
        assert_eq!(read(&with_colour).unwrap().texels[0], [1.0, 2.0, 3.0, 1.0]);
    }
    assert_eq!(read(&[("Y", 7.0), ("Z", 1.0)]).unwrap().texels[0], [7.0, 7.0, 7.0, 1.0], "grey with its depth");
}

#[test]
fn colour_is_found_by_name() {
    let display = IntegerBounds::new((0, 0), (2, 2));
    let first =
        |channels: &[(&str, f32)]| read(&image(display, vec![layer("a", (0, 0), channels)])).map(|i| i.texels[0]);
    assert_eq!(first(&[("R", 1.0), ("G", 2.0), ("B", 3.0), ("A", 0.5)]).unwrap(), [1.0, 2.0, 3.0, 0.5]);
    assert_eq!(first(&[("Y", 7.0)]).unwrap(), [7.0, 7.0, 7.0, 1.0]);
    assert_eq!(
        first(&[("N.R", 9.0), ("N.G", 9.0), ("N.B", 9.0), ("R", 1.0), ("G", 2.0), ("B", 3.0)]).unwrap(),
        [1.0, 2.0, 3.0, 1.0]
    );
    let fault = first(&[("N.X", 1.0), ("Z", 1.0)]).unwrap_err();
    assert!(fault.contains("not supported: channels") && fault.contains("N.X") && fault.contains("Z"), "{fault}");
    let chroma = first(&[("Y", 1.0), ("RY", 1.0), ("BY", 1.0)]).unwrap_err();
    assert!(chroma.contains("luminance-chroma"), "{chroma}");
}

#[test]
fn the_first_part_with_colour_is_read() {
    let display = IntegerBounds::new((0, 0), (2, 2));
    let parts = vec![
        layer("depth", (0, 0), &[("Z", 9.0)]),
        layer("left", (0, 0), &RGB),
        layer("right", (0, 0), &[("R", 5.0), ("G", 5.0), ("B", 5.0)]),
    ];
    assert_eq!(read(&image(display, parts)).unwrap().texels[3], value(4.0));
}

#[test]
fn floats_beyond_half_keep_their_value_as_a_texture() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    let display = IntegerBounds::new((0, 0), (2, 2));
    let far = [("R", 100_000.0), ("G", 0.1), ("B", 1.0)];
    image(display, vec![layer("a", (0, 0), &far)]).write_file(&path);
    let texture = Store::new(folder.path(), None).load_file(&path, None).unwrap();
    assert_eq!(crate::build::texel(&texture, 1, 0), [200_000.0, 0.2, 2.0, 1.0]);
}
