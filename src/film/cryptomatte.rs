//! Cryptomatte: id mattes by the share of each object in a pixel.
//!
//! Source: "Cryptomatte Specification", Psyop, version 1.1.0 and later: sections "Channel contents", "Metadata", "Hash" and
//! "Floating point conversion". The hash is MurmurHash3_x86_32 (A. Appleby, public domain) with seed 0.

use std::collections::BTreeMap;

/// Ids kept in the record itself; a pixel that sees more of them moves to the heap, once.
const INLINE: usize = 4;

/// Ranks that a file holds: three layers of two.
pub const RANKS: usize = 6;

/// How many samples of a pixel saw each id: exact counts, ids in the order in which they were first seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counts {
    inline: [(u32, u32); INLINE],
    // Boxed so that the many pixels that never need it carry one word.
    #[allow(clippy::box_collection)]
    more: Option<Box<Vec<(u32, u32)>>>,
}

impl Counts {
    /// Counts one sample that saw `id` (from 1; 0 marks a free place and is not counted).
    pub fn add(&mut self, id: u32) {
        self.add_many(id, 1);
    }

    /// Counts `count` samples that saw `id`.
    pub fn add_many(&mut self, id: u32, count: u32) {
        if id == 0 {
            return;
        }
        for entry in &mut self.inline {
            if entry.0 == id || entry.0 == 0 {
                *entry = (id, entry.1.saturating_add(count));
                return;
            }
        }
        self.spill(id, count);
    }

    #[cold]
    fn spill(&mut self, id: u32, count: u32) {
        let more = self.more.get_or_insert_with(|| Box::new(Vec::with_capacity(2 * INLINE)));
        match more.iter_mut().find(|entry| entry.0 == id) {
            Some(entry) => entry.1 = entry.1.saturating_add(count),
            None => more.push((id, count)),
        }
    }

    /// `(id, samples)`, every id once.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let more = self.more.iter().flat_map(|more| more.iter());
        self.inline.iter().take_while(|entry| entry.0 != 0).chain(more).copied()
    }

    /// The six largest shares of `samples`, as the file's twelve values: hash, share, hash, share, … Ids whose names hash
    /// alike are one matte, as the specification wants; ties go to the smaller hash so that the order is stated.
    pub fn ranks(&self, samples: u32, hash_of: impl Fn(u32) -> f32) -> [f32; 2 * RANKS] {
        if self.more.is_some() {
            return top_ranks(&mut merged(self.iter(), &hash_of), samples);
        }
        // Nearly every pixel: no heap.
        let mut mattes = [(0, 0); INLINE];
        let mut len = 0;
        for (id, count) in self.iter() {
            let bits = hash_of(id).to_bits();
            let place = mattes[..len].iter().position(|matte| matte.0 == bits).unwrap_or(len);
            mattes[place] = (bits, mattes[place].1 + count);
            len = len.max(place + 1);
        }
        top_ranks(&mut mattes[..len], samples)
    }
}

/// (bits of the hash, samples), every hash once.
fn merged(counts: impl Iterator<Item = (u32, u32)>, hash_of: impl Fn(u32) -> f32) -> Vec<(u32, u32)> {
    let mut mattes = BTreeMap::new();
    for (id, count) in counts {
        *mattes.entry(hash_of(id).to_bits()).or_insert(0) += count;
    }
    mattes.into_iter().collect()
}

fn top_ranks(mattes: &mut [(u32, u32)], samples: u32) -> [f32; 2 * RANKS] {
    mattes.sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let mut out = [0.0; 2 * RANKS];
    for (rank, (bits, count)) in mattes.iter().take(RANKS).enumerate() {
        out[2 * rank] = f32::from_bits(*bits);
        out[2 * rank + 1] = (f64::from(*count) / f64::from(samples.max(1))) as f32;
    }
    out
}

/// MurmurHash3_x86_32 of `bytes` with seed 0.
pub fn murmur3(bytes: &[u8]) -> u32 {
    const C1: u32 = 0xcc9e_2d51;
    const C2: u32 = 0x1b87_3593;
    let mix = |block: u32| block.wrapping_mul(C1).rotate_left(15).wrapping_mul(C2);
    let (blocks, tail) = bytes.as_chunks::<4>();
    let body = blocks.iter().fold(0u32, |hash, block| {
        (hash ^ mix(u32::from_le_bytes(*block))).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
    });
    let last = tail.iter().rev().fold(0u32, |word, byte| (word << 8) | u32::from(*byte));
    let mut hash = body ^ mix(last) ^ bytes.len() as u32;
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xc2b2_ae35);
    hash ^ (hash >> 16)
}

/// `uint32_to_float32`: the hash's bits with the exponent clamped to 1..=254, so that no id is a NaN, an infinity or a
/// denormal.
pub fn hash_to_float(hash: u32) -> f32 {
    let exponent = ((hash >> 23) & 0xff).clamp(1, 254);
    f32::from_bits((hash & 0x807f_ffff) | (exponent << 23))
}

/// The id that stands in the pixels for `name`.
pub fn id_of(name: &str) -> f32 {
    hash_to_float(murmur3(name.as_bytes()))
}

/// The four header attributes of one Cryptomatte layer: `(attribute name, value)`. `names` become the manifest, a JSON
/// object of name → id bits in eight hexadecimal digits.
pub fn attributes(layer: &str, names: &[String]) -> [(String, String); 4] {
    let manifest: BTreeMap<&str, String> =
        names.iter().map(|name| (name.as_str(), format!("{:08x}", id_of(name).to_bits()))).collect();
    let manifest = serde_json::to_string(&manifest).expect("a map of strings is JSON");
    let key = &format!("{:08x}", murmur3(layer.as_bytes()))[..7];
    let attribute = |field: &str, value: String| (format!("cryptomatte/{key}/{field}"), value);
    [
        attribute("name", layer.to_owned()),
        attribute("hash", "MurmurHash3_32".to_owned()),
        attribute("conversion", "uint32_to_float32".to_owned()),
        attribute("manifest", manifest),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the hash and of the conversion as the reference implementation's own tests state them
    /// (Psyop/Cryptomatte, nuke/cryptomatte_utilities_tests.py, class CryptoHashing).
    #[test]
    #[allow(clippy::excessive_precision)]
    fn names_hash_to_the_published_ids() {
        assert_eq!(id_of("hello"), 6.0705627102400005616e-17);
        assert_eq!(id_of("cube"), -4.08461912519e+15);
        assert_eq!(id_of("sphere"), 2.79018604383e+15);
        assert_eq!(id_of("plane"), 3.66557617593e-11);
        assert_eq!(id_of("равнина"), -1.3192631212399999468e-25);
        assert_eq!(id_of("mädchen"), 6.2361298211599995797e+25);
    }

    /// The verification values that accompany MurmurHash3 (SMHasher wiki): empty input hashes to 0 with seed 0.
    #[test]
    fn tails_of_every_length_are_hashed() {
        assert_eq!(murmur3(b""), 0);
        assert_eq!(murmur3(b"a"), 0x3c25_69b2);
        assert_eq!(murmur3(b"ab"), 0x9bbf_d75f);
        assert_eq!(murmur3(b"abc"), 0xb3dd_93fa);
        assert_eq!(murmur3(b"abcd"), 0x43ed_676a);
    }

    #[test]
    fn no_id_is_nan_infinite_or_denormal() {
        for hash in [0, 0x7fff_ffff, 0xff80_0000, 0x8000_0001, 0x007f_ffff, 0xffff_ffff] {
            assert!(hash_to_float(hash).is_normal(), "{hash:08x}");
        }
        assert_eq!(hash_to_float(0x3f80_0000), 1.0);
    }

    #[test]
    fn the_manifest_holds_every_name_with_its_id_bits_whatever_characters_it_has() {
        let names = ["bunny".to_owned(), "a \"quoted\"\\name".to_owned(), "mädchen".to_owned()];
        let attributes = attributes("crypto_object", &names);
        let manifest: BTreeMap<String, String> = serde_json::from_str(&attributes[3].1).unwrap();
        assert_eq!(manifest.len(), 3);
        for name in &names {
            let bits = u32::from_str_radix(&manifest[name], 16).unwrap();
            assert_eq!(f32::from_bits(bits), id_of(name));
        }
        assert!(attributes.iter().all(|(name, _)| name.len() <= 31), "longer names need a flag that few readers know");
    }

    #[test]
    fn many_ids_are_counted_exactly_and_ranked_by_share() {
        let mut counts = Counts::default();
        for id in 1..=40u32 {
            counts.add_many(id, id);
        }
        counts.add(40);
        counts.add(0);
        assert_eq!(counts.iter().map(|(_, n)| n).sum::<u32>(), 821);
        let ranks = counts.ranks(1000, |id| id as f32);
        assert_eq!(ranks, [40.0, 0.041, 39.0, 0.039, 38.0, 0.038, 37.0, 0.037, 36.0, 0.036, 35.0, 0.035]);
    }

    #[test]
    fn ids_of_one_name_are_one_matte() {
        let mut counts = Counts::default();
        for id in 1..=20 {
            counts.add(id);
        }
        let ranks = counts.ranks(20, |id| if id % 2 == 0 { 100.0 } else { id as f32 });
        assert_eq!(ranks[..4], [100.0, 0.5, 1.0, 0.05]);
        assert_eq!(counts.ranks(20, |_| 3.0), [3.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
