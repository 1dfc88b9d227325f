//! The HTML report: one self-contained file that a browser opens without a network.
//!
//! [`Writer`] takes picture after picture and keeps one AOV's planes in memory at a time. What an AOV's pixels become is
//! decided in `stored` (float values, 8-bit pictures or nothing, by [`Options`] and what `budget` has left); `tiles` makes
//! float values text, `preview` makes 8-bit pictures, `error` and `look` say how values and differences are shown, as
//! `web/paint.js` does. `html` puts the file together from the report's JSON, `web/*` and the pixels.

mod budget;
mod colour;
mod error;
mod html;
mod look;
mod preview;
mod stored;
mod tiles;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde_json::{Value, json};

use super::{PictureReport, Planes, Report};
use crate::film::atomic::Pending;
use crate::suggest;
use budget::Budget;

/// Which AOVs keep their float values in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// Those that differ; the others are shown as 8-bit pictures.
    #[default]
    Failing,
    All,
    None,
}

/// All choices with the word of `--html-values`.
pub const KEEP: [(&str, Keep); 3] = [("failing", Keep::Failing), ("all", Keep::All), ("none", Keep::None)];

impl FromStr for Keep {
    type Err = String;
    fn from_str(word: &str) -> Result<Self, String> {
        let found = KEEP.iter().find(|(allowed, _)| *allowed == word).map(|(_, keep)| *keep);
        found.ok_or_else(|| suggest::unknown("choice of values", word, KEEP.iter().map(|(allowed, _)| *allowed)))
    }
}

impl Keep {
    fn word(self) -> &'static str {
        KEEP.iter().find(|(_, keep)| *keep == self).map_or("", |(word, _)| word)
    }
}

/// How large the file may be and what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub values: Keep,
    /// Bytes that pixels may take in the file. Names, numbers and thumbnails come on top.
    pub budget: u64,
}

/// 200 MB: browsers open it in seconds, and services that keep build artifacts take it.
pub const DEFAULT_BUDGET: u64 = 200_000_000;

impl Default for Options {
    fn default() -> Self {
        Self { values: Keep::default(), budget: DEFAULT_BUDGET }
    }
}

/// Writes one report. Nothing stands at its path before [`Writer::finish`].
pub struct Writer {
    path: PathBuf,
    options: Options,
    budget: Budget,
    /// Pixel data, in the order of the pictures; deleted with the writer.
    spool: BufWriter<File>,
    blocks: usize,
    /// What the page knows of a picture beyond its report, by name.
    pages: BTreeMap<String, Value>,
}

impl Writer {
    /// Starts a report that will stand at `path`. Errors: the folder cannot be written.
    pub fn create(path: &Path, options: Options) -> Result<Self, String> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Beside the file: system folders for temporary files are often small.
        let spool = tempfile::tempfile_in(folder);
        let spool = spool.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        Ok(Self {
            path: path.to_owned(),
            options,
            budget: Budget::new(options.budget),
            spool: BufWriter::with_capacity(1 << 20, spool),
            blocks: 0,
            pages: BTreeMap::new(),
        })
    }

    /// Takes in the pixels of one picture, AOV by AOV. A picture that cannot be read any more is shown without pixels and
    /// says so. Errors: the disk.
    pub fn picture(&mut self, picture: &PictureReport, planes: &dyn Planes) -> Result<(), String> {
        let thumb_of = preview::representative(picture);
        let (mut aovs, mut thumbs) = (Vec::new(), Vec::new());
        for (index, aov) in picture.aovs.iter().enumerate() {
            let page = match stored::Pixels::read(aov, planes) {
                Ok(pixels) => {
                    if thumb_of == Some(index) {
                        thumbs = preview::thumbs(&pixels, &aov.name);
                    }
                    self.store(&pixels)?
                }
                Err(message) => stored::without_pixels(&message),
            };
            aovs.push(page);
        }
        self.pages.insert(picture.name.clone(), json!({ "thumbs": thumbs, "aovs": aovs }));
        Ok(())
    }

    fn store(&mut self, pixels: &stored::Pixels) -> Result<Value, String> {
        let block = stored::block(pixels, self.options.values, &mut self.budget);
        let id = format!("block-{}", self.blocks);
        self.blocks += 1;
        html::write_block(&mut self.spool, &id, &block.text).map_err(|error| self.fail(&error))?;
        Ok(stored::describe(pixels, &block, &id))
    }

    /// Puts the file together and moves it to its place. Returns its size in bytes. Errors: the disk.
    pub fn finish(mut self, report: &Report) -> Result<u64, String> {
        let says = self.says();
        let json = html::report_json(report, &self.pages, &says);
        let head = html::head(report, &json);
        let fail = |error: std::io::Error| format!("cannot write {}: {error}", self.path.display());
        self.spool.flush().map_err(fail)?;
        let spool = self.spool.get_mut();
        spool.rewind().map_err(fail)?;
        let mut size = (head.len() + html::TAIL.len()) as u64;
        let pending = Pending::write(&self.path, |file| {
            let text = |error: std::io::Error| error.to_string();
            file.write_all(head.as_bytes()).map_err(text)?;
            size += std::io::copy(spool, file).map_err(text)?;
            file.write_all(html::TAIL.as_bytes()).map_err(text)
        })?;
        pending.commit()?;
        Ok(size)
    }

    /// What is stored, in a sentence.
    fn says(&self) -> String {
        let kept = match self.options.values {
            Keep::Failing => "AOVs that differ keep their values as stored (float32 or uint32, lossless)",
            Keep::All => "all AOVs keep their values as stored (float32 or uint32, lossless)",
            Keep::None => "no AOV keeps its values",
        };
        let megabytes = self.options.budget as f64 / 1e6;
        let word = self.options.values.word();
        let used = self.budget.says();
        format!(
            "{kept}, the others are 8-bit pictures (--html-values {word}); budget {megabytes} MB (--html-budget){used}"
        )
    }

    fn fail(&self, error: &std::io::Error) -> String {
        format!("cannot write {}: {error}", self.path.display())
    }
}

#[cfg(test)]
mod tests;
