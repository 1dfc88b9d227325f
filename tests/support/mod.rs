//! Where the sample files are.

use std::path::{Path, PathBuf};

/// The folder that `SCRUTINEER_SAMPLES` names, or `../shared/samples` beside the package; `None`, with a line that says
/// so, where it is absent. With `SCRUTINEER_NO_SKIP=1` absence is a failure.
pub fn samples() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/samples");
    let folder = std::env::var_os("SCRUTINEER_SAMPLES").map_or_else(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    assert!(std::env::var_os("SCRUTINEER_NO_SKIP").is_none_or(|v| v != "1"), "no samples in {}", folder.display());
    eprintln!("skipped: no samples in {} (SCRUTINEER_SAMPLES names another folder)", folder.display());
    None
}
