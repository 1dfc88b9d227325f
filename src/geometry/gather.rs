//! Rearranging all vertex streams of a mesh at once.

use super::mesh::Mesh;

impl Mesh {
    /// Rebuilds every stream so that vertex `i` is what vertex `sources[i]` was. Indices are left to the caller.
    ///
    /// # Panics
    /// Where a source is not a vertex.
    pub fn gather(&mut self, sources: &[u32]) {
        gather(&mut self.positions, sources);
        gather(&mut self.normals, sources);
        gather(&mut self.tangents, sources);
        gather(&mut self.tangents1, sources);
        self.uvs.iter_mut().for_each(|uvs| gather(uvs, sources));
        gather(&mut self.colors, sources);
    }
}

/// Empty streams (absent in the file) stay empty.
fn gather<T: Copy>(stream: &mut Vec<T>, sources: &[u32]) {
    if !stream.is_empty() {
        *stream = sources.iter().map(|source| stream[*source as usize]).collect();
    }
}
