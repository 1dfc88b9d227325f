//! Files that are there as a whole or not at all.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that is complete beside its final place.
pub struct Pending {
    file: NamedTempFile,
    path: PathBuf,
}

impl Pending {
    /// Writes a temporary file in the folder of `path`. On an error, or when the value is dropped, nothing is left and what
    /// stood at `path` is untouched.
    pub fn write(
        path: &Path,
        fill: impl FnOnce(&mut BufWriter<&mut std::fs::File>) -> Result<(), String>,
    ) -> Result<Self, String> {
        let fail = |error: String| format!("cannot write {}: {error}", path.display());
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let mut file = builder().tempfile_in(folder).map_err(|error| fail(error.to_string()))?;
        let mut buffered = BufWriter::with_capacity(1 << 20, file.as_file_mut());
        fill(&mut buffered).map_err(fail)?;
        buffered.flush().map_err(|error| fail(error.to_string()))?;
        drop(buffered);
        // Otherwise a power cut after the rename may leave an empty file in place of the old one.
        file.as_file().sync_all().map_err(|error| fail(error.to_string()))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Moves the file to its place, over what stood there.
    pub fn commit(self) -> Result<PathBuf, String> {
        let path = self.path;
        self.file.persist(&path).map_err(|error| format!("cannot write {}: {}", path.display(), error.error))?;
        Ok(path)
    }
}

/// Writes `bytes` to `path`, whole or not at all.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let fill = |file: &mut BufWriter<&mut std::fs::File>| file.write_all(bytes).map_err(|error| error.to_string());
    Pending::write(path, fill)?.commit().map(|_| ())
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".scrutineer-").suffix(".part");
    // Temporary files are private by default; a picture has the permissions of any new file.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failure_leaves_the_old_file_and_no_rubbish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_bytes(&path, b"old").unwrap();
        let failed = Pending::write(&path, |file| {
            file.write_all(b"half of the new").unwrap();
            Err("disk full".to_owned())
        });
        assert!(failed.is_err_and(|error| error.contains("disk full") && error.contains("a.png")));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()), ["a.png"]);
    }

    #[test]
    fn an_old_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.png");
        write_bytes(&path, b"old and long").unwrap();
        write_bytes(&path, b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn files_are_not_private_to_their_owner() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let plain = folder.path().join("plain");
        std::fs::write(&plain, b"").unwrap();
        let ours = folder.path().join("ours");
        write_bytes(&ours, b"").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&ours), mode(&plain));
    }
}
