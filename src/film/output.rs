//! The options of `[output]`: how AOVs are arranged in files, stored and compressed.

use std::str::FromStr;

use crate::scene::file::output::OutputFile;
use crate::suggest;

/// How a film is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Output {
    pub layout: Arrangement,
    pub precision: Precision,
    pub compression: Compression,
}

/// `[output] layout`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// One file, one part, a named layer an AOV.
    #[default]
    Layers,
    /// One file an AOV: the beauty at OUT.exr, the others at OUT.NAME.exr; channel names as in one file.
    Files,
}

/// `[output] precision`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    #[default]
    Float,
    /// Half for colours; all other channels stay float or uint.
    Half,
}

/// `[output] compression`: the lossless methods. The format's lossy ones are refused: in a reference they would round
/// ids that are stored as floats, depths and the noise that `diff` measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    None,
    Rle,
    /// zlib, a line at a time.
    Zips,
    /// zlib, 16 lines at a time.
    #[default]
    Zip,
    /// Wavelet and Huffman, 32 lines at a time.
    Piz,
}

const ARRANGEMENTS: [(&str, Arrangement); 2] = [("layers", Arrangement::Layers), ("files", Arrangement::Files)];
const PRECISIONS: [(&str, Precision); 2] = [("float", Precision::Float), ("half", Precision::Half)];
const COMPRESSIONS: [(&str, Compression); 5] = [
    ("none", Compression::None),
    ("rle", Compression::Rle),
    ("zips", Compression::Zips),
    ("zip", Compression::Zip),
    ("piz", Compression::Piz),
];
const LOSSY: [&str; 5] = ["pxr24", "b44", "b44a", "dwaa", "dwab"];

fn named<T: Copy>(kind: &str, name: &str, list: &[(&'static str, T)]) -> Result<T, String> {
    let found = list.iter().find(|(allowed, _)| *allowed == name).map(|(_, value)| *value);
    found.ok_or_else(|| suggest::unknown(kind, name, list.iter().map(|(allowed, _)| *allowed)))
}

impl Output {
    /// `[output]` as typed; the error names what is allowed.
    pub fn read(file: &OutputFile) -> Result<Self, String> {
        fn or_default<T: FromStr<Err = String> + Default>(word: Option<&str>) -> Result<T, String> {
            word.map_or_else(|| Ok(T::default()), str::parse).map_err(|message| format!("[output]: {message}"))
        }
        Ok(Self {
            layout: or_default(file.layout.as_deref())?,
            precision: or_default(file.precision.as_deref())?,
            compression: or_default(file.compression.as_deref())?,
        })
    }
}

impl FromStr for Arrangement {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        named("layout", name, &ARRANGEMENTS)
    }
}

impl FromStr for Precision {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        named("precision", name, &PRECISIONS)
    }
}

impl FromStr for Compression {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        named("compression", name, &COMPRESSIONS).map_err(|unknown| match LOSSY.contains(&name) {
            true => format!("compression \"{name}\" is lossy, a reference must not be: {unknown}"),
            false => unknown,
        })
    }
}

impl Compression {
    pub(super) fn to_exr(self) -> ::exr::compression::Compression {
        use ::exr::compression::Compression as Exr;
        match self {
            Self::None => Exr::Uncompressed,
            Self::Rle => Exr::RLE,
            Self::Zips => Exr::ZIP1,
            Self::Zip => Exr::ZIP16,
            Self::Piz => Exr::PIZ,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_near_misses_suggested() {
        assert_eq!("files".parse(), Ok(Arrangement::Files));
        assert_eq!("half".parse(), Ok(Precision::Half));
        for (name, value) in COMPRESSIONS {
            assert_eq!(name.parse(), Ok(value));
        }
        assert!("layer".parse::<Arrangement>().unwrap_err().contains("did you mean \"layers\"?"));
        assert!("zipp".parse::<Compression>().unwrap_err().contains("\"piz\""));
    }

    #[test]
    fn lossy_compression_is_refused_with_the_reason() {
        for name in LOSSY {
            assert!(name.parse::<Compression>().unwrap_err().contains("lossy"), "{name}");
        }
    }
}
