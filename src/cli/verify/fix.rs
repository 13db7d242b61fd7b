//! `bitwall verify --fix`: repairs masks before they are checked.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::cli::output::{Fault, write_whole};
use crate::error::io_reason;
use crate::image::ImageFormat;
use crate::load::disk::{Links, read_file};
use crate::text::{printable, printable_path};
use crate::verify::VerifyOptions;
use crate::verify::fix::{Fix, FixError, fix_mask};

/// Repairs the masks among the files, each as a whole or not at all, and tells each change on standard
/// error. With `preview`, pictures of the changes are written into that folder instead. A file that cannot
/// be read or loaded is left to the check, which comes next.
pub(super) fn run(
    files: &[(&PathBuf, VerifyOptions)],
    preview: Option<&Path>,
) -> Result<(), Failure> {
    let mut err = anstream::stderr();
    for (path, options) in files {
        let Ok(bytes) = read_file(path, Links::Followed, options.load.limits.file_bytes) else {
            continue;
        };
        let name = printable_path(path);
        let lines = match fix_mask(path, &bytes, options) {
            Ok(None) | Err(FixError::Load(_)) => continue,
            Err(error) => vec![error.to_string()],
            Ok(Some(fix)) => {
                match preview {
                    Some(folder) => write_picture(folder, path, &fix)?,
                    None => write_mask(path, &fix)?,
                }
                fix.changes.iter().map(ToString::to_string).collect()
            }
        };
        for line in lines {
            // The findings are on standard output, so a closed standard error is ignored.
            let _ = writeln!(err, "{name}: {}", printable(&line));
        }
    }
    Ok(())
}

fn write_mask(path: &Path, fix: &Fix) -> Result<(), Failure> {
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    write_whole(&target, |out| out.write_all(&fix.bytes).map_err(Fault::Io))
}

/// Writes the picture under the mask's name with `.fix.png` behind it.
fn write_picture(folder: &Path, path: &Path, fix: &Fix) -> Result<(), Failure> {
    let shown = folder.to_string_lossy();
    fs::create_dir_all(folder).map_err(|error| {
        let reason = io_reason(&error);
        Failure::Other(format!("{}: cannot make the folder: {reason}", printable(&shown)))
    })?;
    // Masks of two folders may have one name.
    let mut name = OsString::new();
    for part in path.components() {
        if let std::path::Component::Normal(part) = part {
            if !name.is_empty() {
                name.push("_");
            }
            name.push(part);
        }
    }
    name.push(".fix.png");
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoded = fix.picture().write_to(&mut bytes, ImageFormat::Png);
    encoded.map_err(|error| Failure::Other(error.to_string()))?;
    write_whole(&folder.join(name), |out| out.write_all(bytes.get_ref()).map_err(Fault::Io))
}
