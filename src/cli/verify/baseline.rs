//! The file of a baseline: read before the run, written after it.

use std::io::Write;
use std::path::Path;

use crate::cli::output::{Fault, write_whole};
use crate::cli::{Answer, Failure};
use crate::load::disk::{Links, read_file};
use crate::text::{counted, printable_path};
use crate::verify::{Baseline, Checked};

/// The largest file of a baseline, in bytes: about 200,000 findings.
const MAX_BYTES: u64 = 64 << 20;

/// The baseline in a file.
pub(super) fn read(path: &Path) -> Result<Baseline, Failure> {
    let failed = |reason: String| {
        let name = printable_path(path);
        Failure::Other(format!("{name}: {reason}; --write-baseline writes one"))
    };
    let bytes = read_file(path, Links::Followed, MAX_BYTES);
    let bytes = bytes.map_err(|kind| failed(kind.to_string()))?;
    Baseline::decode(&bytes).map_err(failed)
}

/// Writes a file with the findings of the run. Those of an old one are kept for files that were not checked
/// and for which `is_there` is true.
pub(super) fn write(
    path: &Path,
    checked: &Checked,
    is_there: impl Fn(&Path) -> bool,
) -> Result<Answer, Failure> {
    let mut baseline = Baseline::of(checked);
    if path.symlink_metadata().is_ok() {
        baseline = baseline.with_unchecked_of(&read(path)?, checked, is_there);
    }
    let text = baseline.to_json();
    write_whole(path, |file| file.write_all(text.as_bytes()).map_err(Fault::Io))?;
    let (name, count) = (printable_path(path), counted(baseline.len() as u64, "finding"));
    let _ = writeln!(anstream::stderr(), "{name}: {count} known from now on");
    Ok(Answer::Yes)
}
