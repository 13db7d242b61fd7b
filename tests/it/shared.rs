//! Files: those that lie beside the repository, not in it (tests that use them say so and pass without them),
//! the bundled levels, and folders of files that are written for one test.

use std::fs;
use std::path::{Path, PathBuf};

/// A folder of `../shared`, or `None`, and a line that says so, if it is not there. With the environment
/// variable `BITWALL_SHARED=required` it must be.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if path.is_dir() {
        return Some(path);
    }
    let required = std::env::var("BITWALL_SHARED").is_ok_and(|value| value == "required");
    assert!(!required, "there is no ../shared/{folder}");
    println!("skipped: there is no ../shared/{folder}");
    None
}

/// A new folder with these files, in folders of their own where their paths say so.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// A bundled level.
pub(crate) fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name)
}
