//! What integration tests share.

use std::path::PathBuf;

/// The folder of real files made by others, or `None` (with a line that says so) where it is absent: then a test skips.
///
/// `SCRUTINEER_SAMPLES`, else `../shared/samples` beside the package. With `SCRUTINEER_NO_SKIP=1` an absence is a failure.
pub fn samples() -> Option<PathBuf> {
    let folder = std::env::var_os("SCRUTINEER_SAMPLES")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared/samples"));
    if folder.is_dir() {
        return Some(folder);
    }
    let no_skip = std::env::var_os("SCRUTINEER_NO_SKIP").is_some_and(|value| value == "1");
    assert!(!no_skip, "{} is absent and SCRUTINEER_NO_SKIP=1", folder.display());
    println!("skipped: {} is absent (SCRUTINEER_SAMPLES names another folder)", folder.display());
    None
}
