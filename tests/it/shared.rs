//! Files that lie beside the repository, not in it: tests that use them say so and pass without them.

use std::path::{Path, PathBuf};

/// A folder of `../shared`, or `None`, and a line that says so, if it is not there. With the environment
/// variable `BITWALL_SHARED=required` it must be.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(folder);
    if path.is_dir() {
        return Some(path);
    }
    let required = std::env::var("BITWALL_SHARED").is_ok_and(|value| value == "required");
    assert!(!required, "there is no ../shared/{folder}");
    println!("skipped: there is no ../shared/{folder}");
    None
}

/// A bundled level.
pub(crate) fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("assets")
        .join(name)
}
