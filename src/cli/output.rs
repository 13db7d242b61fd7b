//! Writes files, each as a whole or not at all.

use std::io::Write;
use std::path::Path;

use super::{Answer, Failure};
use crate::error::io_reason;
use crate::text::printable;

/// Writes `bytes` to a file: to a new one beside it, which is then renamed. On an error the old file is
/// unchanged. A link is replaced, not followed. `-` is standard output.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(bytes).and_then(|()| out.flush());
        return Answer::Yes.once(written).map(|_| ());
    }
    let name = path.to_string_lossy();
    let failed = |error: std::io::Error| {
        let reason = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => io_reason(&error),
        };
        Failure::Other(format!("{}: cannot write the file: {reason}", printable(&name)))
    };
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        // The permissions of other new files; a temporary file is private to its owner.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.prefix(".bitwall-").tempfile_in(folder).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    Ok(())
}
