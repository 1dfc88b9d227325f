//! `[output]`: which AOVs, how they are stored.

use super::reader::Reader;

/// `[output]`; words are checked where the film knows them.
#[derive(Clone, Debug, Default)]
pub struct OutputFile {
    /// `None`: the default set.
    pub aovs: Option<Vec<String>>,
    pub layout: Option<String>,
    pub precision: Option<String>,
    pub compression: Option<String>,
}

impl OutputFile {
    /// Reads `[output]`.
    pub fn read(reader: &mut Reader) -> Self {
        let aovs = reader.optional("aovs", "an array of AOV names, or \"all\"", |value| match value.as_str() {
            Some(word) => Some(vec![word.to_owned()]),
            None => value.as_array()?.iter().map(|name| Some(name.as_str()?.to_owned())).collect(),
        });
        Self {
            aovs,
            layout: reader.string("layout").map(str::to_owned),
            precision: reader.string("precision").map(str::to_owned),
            compression: reader.string("compression").map(str::to_owned),
        }
    }
}
