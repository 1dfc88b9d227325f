//! Placement files: JSON lines and raw game records.

use std::path::PathBuf;

use glam::{DAffine3, DQuat, DVec3, Vec3};
use scrutineer::scene::placements::{GameRecord, Placed, PlacementError, read, read_boxes};
use tempfile::TempDir;

fn file(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn lines(text: &str) -> Result<Vec<Placed>, PlacementError> {
    let (_folder, path) = file("trees.jsonl", text);
    read(&path)
}

/// A record at (−2.5, 3, 1) of the game frame, turned a quarter about Y, scaled by (2, 3, 4).
fn record() -> [u8; 64] {
    let mut bytes = [0xAA; 64];
    let mut put = |offset: usize, words: [u32; 3]| {
        for (index, word) in words.into_iter().enumerate() {
            bytes[offset + 4 * index..][..4].copy_from_slice(&word.to_le_bytes());
        }
    };
    put(0x00, [0x8002_0000 | 32768, 3 << 16, 1 << 16]);
    put(0x0C, [0.0f32, 0.0, -1.0].map(f32::to_bits));
    put(0x18, [0.0f32, 1.0, 0.0].map(f32::to_bits));
    put(0x24, [2.0f32, 3.0, 4.0].map(f32::to_bits));
    bytes[0x34..0x37].copy_from_slice(&[255, 51, 0]);
    bytes
}

#[test]
fn matrices_and_parts_say_the_same() {
    let placed = lines(concat!(
        "{\"matrix\":[0,0,-2,0, 0,2,0,0, 2,0,0,0, 1,2,3,1],\"variation\":[1,0,0.5]}\n",
        "\n",
        "{\"position\":[1,2,3],\"rotation\":[0,0.7071067811865476,0,0.7071067811865476],\"scale\":2}\r\n",
        "{\"position\":[1,2,3],\"scale\":[-1,1,2]}",
    ))
    .unwrap();
    assert_eq!(placed.len(), 3);
    assert_eq!(placed[0].variation, Some([1.0, 0.0, 0.5]));
    assert!(placed[0].transform.abs_diff_eq(placed[1].transform, 1e-12));
    let turned = placed[0].transform.transform_point3(DVec3::X);
    assert!((turned - DVec3::new(1.0, 2.0, 1.0)).length() < 1e-12, "{turned}");
    assert_eq!(placed[2].transform.transform_point3(DVec3::ONE), DVec3::new(0.0, 3.0, 5.0));
    assert_eq!(placed[2].variation, None);
}

#[test]
fn faults_name_line_and_key() {
    for (text, expected) in [
        ("{\"position\":[0,0,0]}\n{\"posiiton\":[1,2,3]}", ":2: unknown key \"posiiton\"; did you mean \"position\"?"),
        ("[null,[0,0,0]]", ":1: expected an object"),
        ("{\"position\":[0,0]}", ":1: \"position\": expected an array of 3 numbers, found [0,0]"),
        ("{\"position\":[0,0,0],\"scale\":[1,2]}", ":1: \"scale\": expected a number or an array of 3, found [1,2]"),
        ("{\"matrix\":[1,0,0,5,0,1,0,0,0,0,1,0,0,0,0,1]}", ":1: \"matrix\": the last row is [5.0, 0.0, 0.0, 1.0]"),
        ("{\"position\":[0,0,0],\"rotation\":[0,90,0,1]}", ":1: \"rotation\": length 90.00"),
        ("{\"position\":[0,0,0],\"rotation\":[0,0,0,0]}", ":1: \"rotation\": length 0"),
        ("{\"position\":[0,0,0],\"variation\":[0,255,0]}", ":1: \"variation\": [0.0, 255.0, 0.0]; allowed"),
        ("{\"matrix\":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],\"scale\":2}", ":1: \"matrix\" stands alone"),
        ("{\"scale\":2}", ":1: needs \"matrix\" or \"position\""),
        ("{\"position\":[1e300,0,0]}", ":1: the transform exceeds float32"),
        ("[1,2,3]", ":1: expected an object"),
        ("{\"position\":[0,0,0}", ":1: not JSON"),
    ] {
        let error = lines(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let (_folder, path) = file("trees.jsonl", b"{\"position\":[0,0,0]}\n\xff");
    assert!(read(&path).unwrap_err().to_string().contains(":2: not UTF-8"));
    assert!(read(&path.with_file_name("gone")).unwrap_err().to_string().contains("gone: "));
}

#[test]
fn raw_records_are_decoded_and_turned_into_the_scene_frame() {
    let (_folder, path) = file("area.placements", [record(), record()].concat());
    let boxes = read_boxes(&path).unwrap();
    assert_eq!(boxes.len(), 2);
    let expected = GameRecord {
        position: DVec3::new(-2.0 - 32768.0 / 65535.0, 3.0, 1.0),
        row_a: -Vec3::Z,
        row_b: Vec3::Y,
        scale: Vec3::new(2.0, 3.0, 4.0),
        variation: [255, 51, 0],
    };
    assert_eq!(boxes[1], expected);
    let placed = read(&path).unwrap()[0];
    assert_eq!(placed.variation, Some([1.0, 0.2, 0.0]));
    // Game frame: local X goes to −Z, Y to Y, Z to cross(−Z, Y) = +X. The scene frame negates Z on both sides.
    let at = |local: DVec3| placed.transform.transform_point3(local) - placed.transform.translation;
    assert_eq!(placed.transform.translation, DVec3::new(expected.position.x, 3.0, -1.0));
    assert_eq!(at(DVec3::X), DVec3::new(0.0, 0.0, 2.0));
    assert_eq!(at(DVec3::Y), DVec3::new(0.0, 3.0, 0.0));
    assert_eq!(at(DVec3::Z), DVec3::new(-4.0, 0.0, 0.0));
    assert!(placed.transform.matrix3.determinant() > 0.0);
}

#[test]
fn boxes_from_json_are_the_same_boxes() {
    let placed = GameRecord::decode(&record()).unwrap().placed();
    let again = GameRecord::from_placed(&placed).unwrap();
    assert_eq!(again, GameRecord::decode(&record()).unwrap());
    let mirrored = Placed {
        transform: DAffine3::from_scale_rotation_translation(
            DVec3::new(1.0, 2.0, -3.0),
            DQuat::from_rotation_x(0.3),
            DVec3::ONE,
        ),
        variation: None,
    };
    let record = GameRecord::from_placed(&mirrored).unwrap();
    assert!((record.scale - Vec3::new(1.0, 2.0, -3.0)).length() < 1e-6, "{record:?}");
    assert!(record.placed().transform.abs_diff_eq(mirrored.transform, 1e-6));
    let (_folder, path) = file("murals.jsonl", "{\"matrix\":[1,0,0,0, 1,1,0,0, 0,0,1,0, 0,0,0,1]}");
    assert!(read_boxes(&path).unwrap_err().to_string().contains(":1: a decal box needs three axes at right angles"));
}

#[test]
fn raw_files_that_are_cut_or_not_finite_name_the_byte() {
    let (_folder, path) = file("area.placements", &record()[..60]);
    assert!(
        read(&path).unwrap_err().to_string().ends_with("byte 0: 60 bytes are left over: records are 64 bytes each")
    );
    let mut two = [record(), record()].concat();
    two[64 + 0x24..64 + 0x28].copy_from_slice(&f32::NAN.to_le_bytes());
    let (_folder, path) = file("area.placements", two);
    assert!(read(&path).unwrap_err().to_string().contains("byte 100: "));
}
