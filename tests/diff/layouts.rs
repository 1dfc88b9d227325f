//! The same pixels are equal however a file holds them.

use exr::image::Blocks;
use exr::math::Vec2;
use exr::meta::attribute::LineOrder;
use exr::prelude::Compression;
use scrutineer::compare::Verdict;
use scrutineer::compare::limits::Limits;

use crate::scenes::{gbuffer, render};
use crate::{Desk, diff_files};

#[test]
fn parts_tiles_orders_and_compressions_are_equal() {
    let desk = Desk::empty();
    let plain = desk.put("plain.exr", &render(1));
    let mut others = Vec::new();
    for (index, compression) in
        [Compression::Uncompressed, Compression::RLE, Compression::ZIP1, Compression::PIZ].into_iter().enumerate()
    {
        for (kind, blocks) in [("lines", Blocks::ScanLines), ("tiles", Blocks::Tiles(Vec2(13, 9)))] {
            let mut pic = render(1);
            (pic.compression, pic.blocks) = (compression, blocks);
            others.push(desk.put(&format!("{index}{kind}.exr"), &pic));
        }
    }
    let mut backwards = render(1);
    backwards.order = LineOrder::Decreasing;
    others.push(desk.put("backwards.exr", &backwards));
    for short in [true, false] {
        let path = desk.path(&format!("parts{short}.exr"));
        render(1).write_parts(&path, short);
        others.push(path);
    }
    for other in &others {
        for (test, reference) in [(other, &plain), (&plain, other)] {
            let report = diff_files(test, reference, Limits::default());
            assert_eq!(report.verdict, Verdict::Equal, "{}: {report:#?}", other.display());
            assert_eq!(report.aovs.len(), 9);
        }
    }
}

#[test]
fn lossy_files_equal_themselves() {
    for compression in [Compression::PXR24, Compression::B44, Compression::B44A, Compression::DWAA(None)] {
        let mut pic = gbuffer();
        pic.compression = compression;
        pic.halves = pic.floats.keys().cloned().collect();
        let desk = Desk::empty();
        let path = desk.put("lossy.exr", &pic);
        assert_eq!(diff_files(&path, &path, Limits::default()).verdict, Verdict::Equal, "{compression}");
    }
}

#[test]
fn planes_are_what_was_written() {
    use scrutineer::compare::picture::Picture;
    let desk = Desk::empty();
    let mut pic = gbuffer();
    (pic.at, pic.blocks) = ([-5, 3], Blocks::Tiles(Vec2(10, 70)));
    let picture = Picture::open(&desk.put("a.exr", &pic)).unwrap();
    let layer = picture.layers().iter().position(|layer| layer.name == "beauty").unwrap();
    let window = scrutineer::film::Rect { x: 2, y: 9, width: 30, height: 60 };
    let plane = picture.plane(layer, window).unwrap();
    assert_eq!((plane.width, plane.height, plane.channels), (30, 60, 4));
    for (x, y) in [(0, 0), (29, 59), (11, 37)] {
        let source = |name: &str| pic.floats[name][(y + 6) * 96 + x + 7];
        assert_eq!(plane.pixel(x, y), [source("R"), source("G"), source("B"), source("A")]);
    }
}
