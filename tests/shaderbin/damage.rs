//! Every truncation and every flipped bit: an error with an offset, or a file that is understood and written back as it is.

use scrutineer::shaderbin::describe::Description;
use scrutineer::shaderbin::permutation::choose;
use scrutineer::shaderbin::{Bundle, ReadError, Shaderbin};

use super::builder::rich_bundle;

/// Everything that `inspect` does.
fn inspect(bytes: &[u8]) -> Result<(), ReadError> {
    let shader = Shaderbin::read(bytes)?;
    for blob in &shader.bundle.blobs {
        if let Some(nested) = blob.nested() {
            nested.and_then(Shaderbin::from_bundle)?;
        }
    }
    let description = Description::new(&shader, "environment");
    let json = serde_json::to_string(&description).unwrap();
    // Nothing is made of nothing: what comes out is a small multiple of what went in.
    assert!(json.len() + description.to_string().len() < 60 * bytes.len() + 20_000, "{}", json.len());
    if let Ok(variants) = shader.variants() {
        choose(variants, &shader.switch_values(&variants.switches, &shader.merged([]))).problem();
    }
    assert_eq!(shader.bundle.to_bytes().unwrap(), bytes);
    Ok(())
}

#[test]
fn every_truncation_is_refused_with_an_offset_inside() {
    let bytes = rich_bundle().to_bytes().unwrap();
    inspect(&bytes).unwrap();
    for length in 0..bytes.len() {
        let error = inspect(&bytes[..length]).expect_err("a cut file");
        assert!(error.offset <= length, "{length}: {error}");
    }
}

#[test]
fn every_flipped_bit_is_refused_with_an_offset_or_understood() {
    let bytes = rich_bundle().to_bytes().unwrap();
    let (mut refused, mut understood) = (0, 0);
    for bit in 0..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match inspect(&flipped) {
            Ok(()) => understood += 1,
            Err(error) => {
                refused += 1;
                assert!(error.offset <= bytes.len() && !error.message.is_empty(), "bit {bit}: {error}");
            }
        }
    }
    println!("{refused} refused, {understood} understood");
    // Names, keys and numbers can be anything; headers, counts, lengths, types and versions cannot.
    assert!(refused > 1000 && understood > 1000);
}

#[test]
fn bytes_after_the_end_are_refused_where_they_begin() {
    let mut bytes = rich_bundle().to_bytes().unwrap();
    let end = bytes.len();
    bytes.push(0);
    assert_eq!(Bundle::read(&bytes).unwrap_err().offset, end);
}
