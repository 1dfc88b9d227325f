//! Images of a glTF file: named at load, opened only when a material of glTF's own model is bound.
//!
//! Materials that a scene rebinds to a game family never open the glTF's images, so a missing one does not matter there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::container::{Bytes, Container};
use super::error::{Checked, Fault, Warnings};
use super::material::MaterialDef;
use super::uri;
use crate::texture::{Texture, Transfer};

/// Decodes images; the texture store implements it.
pub trait ImageSource {
    /// Opens a file; `path` is absolute. The error names the file.
    fn file(&mut self, path: &Path, transfer: Transfer) -> Result<Arc<Texture>, String>;

    /// Decodes `data`; its kind is told by its first bytes. `name` identifies it in caches and in the error.
    fn bytes(&mut self, name: &str, data: &[u8], transfer: Transfer) -> Result<Arc<Texture>, String>;
}

/// Where an image's bytes are.
#[derive(Clone, Debug)]
pub enum Image {
    File(PathBuf),
    /// In a buffer view or a data URI.
    Embedded {
        /// `path of the glTF#/images/N`.
        name: String,
        bytes: Bytes,
    },
    /// Nothing that could be opened, and why.
    Unreadable(String),
}

impl Image {
    fn is_present(&self) -> bool {
        match self {
            Self::File(path) => path.is_file(),
            Self::Embedded { .. } => true,
            Self::Unreadable(_) => false,
        }
    }
}

/// The images of a document during binding: each is decoded once per transfer function.
pub struct Images<'a> {
    images: &'a [Image],
    source: &'a mut dyn ImageSource,
    opened: HashMap<(usize, Transfer), Arc<Texture>>,
}

impl<'a> Images<'a> {
    /// `images` are [`Document::images`](super::Document::images).
    pub fn new(images: &'a [Image], source: &'a mut dyn ImageSource) -> Self {
        Self { images, source, opened: HashMap::new() }
    }

    /// The first of `candidates` (the DDS before its PNG) that is there. A file that is there but damaged is an error, not
    /// a reason to go on silently with the next.
    pub fn open(&mut self, candidates: &[usize], transfer: Transfer) -> Result<Arc<Texture>, String> {
        let Some(index) = choose(self.images, candidates) else { return Err(self.absence(candidates)) };
        if let Some(texture) = self.opened.get(&(index, transfer)) {
            return Ok(Arc::clone(texture));
        }
        let texture = match &self.images[index] {
            // Sources have a base folder of their own, which is not the one that this path is relative to.
            Image::File(path) => std::path::absolute(path)
                .map_err(|error| format!("{}: {error}", path.display()))
                .and_then(|path| self.source.file(&path, transfer)),
            Image::Embedded { name, bytes } => self.source.bytes(name, bytes, transfer),
            Image::Unreadable(message) => Err(message.clone()),
        }?;
        self.opened.insert((index, transfer), Arc::clone(&texture));
        Ok(texture)
    }

    fn absence(&self, candidates: &[usize]) -> String {
        let reasons: Vec<String> = candidates
            .iter()
            .map(|image| match self.images.get(*image) {
                Some(Image::File(path)) => format!("{}: no such file", path.display()),
                Some(Image::Unreadable(message)) => message.clone(),
                _ => format!("image {image} does not exist"),
            })
            .collect();
        reasons.join("; ")
    }
}

/// The first of `candidates` that is there.
fn choose(images: &[Image], candidates: &[usize]) -> Option<usize> {
    candidates.iter().copied().find(|image| images.get(*image).is_some_and(Image::is_present))
}

/// The file that [`Images::open`] would open for `candidates`, absolute; `None` for embedded and absent images. For
/// loading many files in parallel beforehand.
pub fn file_of(images: &[Image], candidates: &[usize]) -> Option<PathBuf> {
    match &images[choose(images, candidates)?] {
        Image::File(path) => std::path::absolute(path).ok(),
        _ => None,
    }
}

/// All images of the file, in its order. Nothing is decoded, and a file may be absent.
pub(super) fn read(container: &Container, file: &str, warnings: &mut Warnings) -> Vec<Image> {
    let read_one = |index: usize| {
        locate(container, index, format!("{file}#/images/{index}")).unwrap_or_else(|fault| {
            warnings.add(&fault.pointer, &fault.message);
            Image::Unreadable(format!("{}: {}", fault.pointer, fault.message))
        })
    };
    (0..container.root.images.len()).map(read_one).collect()
}

/// Warns where a preferred image is absent and its substitute is not.
pub(super) fn note_substitutes(materials: &[MaterialDef], images: &[Image], warnings: &mut Warnings) {
    let mut noted = vec![false; images.len()];
    for (_, texture) in materials.iter().flat_map(MaterialDef::textures) {
        let preferred = texture.images[0];
        let substituted = choose(images, &texture.images).is_some_and(|chosen| chosen != preferred);
        if substituted && !std::mem::replace(&mut noted[preferred], true) {
            warnings.add(&format!("/images/{preferred}"), "is missing: the texture's other image is used");
        }
    }
}

fn locate(container: &Container, index: usize, name: String) -> Checked<Image> {
    let image = &container.root.images[index];
    let at = format!("/images/{index}");
    match (&image.uri, image.buffer_view) {
        (Some(text), _) => match uri::open(text, &container.folder) {
            Ok(uri::Target::File(path)) => Ok(Image::File(path)),
            Ok(uri::Target::Data(bytes)) => Ok(Image::Embedded { name, bytes: Bytes::new(bytes) }),
            Err(message) => Err(Fault::new(format!("{at}/uri"), message)),
        },
        (None, Some(view)) => {
            let (bytes, _) = container.view(view, || format!("{at}/bufferView"))?;
            Ok(Image::Embedded { name, bytes })
        }
        (None, None) => Err(Fault::new(at, "an image needs a uri or a bufferView")),
    }
}
