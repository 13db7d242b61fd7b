//! Writes files, each as a whole or not at all.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{Answer, Failure};
use crate::error::io_reason;
use crate::text::printable;

/// The unfinished file, if there is one. It is locked while that file is made, renamed or removed, so that a
/// signal in the middle finds it.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes `bytes` to a file: to a new one beside it, which is then renamed. On an error, and on Unix when the
/// program is interrupted, the old file is unchanged and the new one is removed. A link is replaced, not
/// followed. `-` is standard output.
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
        interrupted::watch().map_err(failed)?;
    }
    let mut file = {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = builder.prefix(".bitwall-").tempfile_in(folder).map_err(failed)?;
        *unfinished = Some(file.path().to_owned());
        file
    };
    let written = file.write_all(bytes).and_then(|()| file.as_file().sync_all());
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    // A file that is not renamed is removed here.
    let renamed = written.and_then(|()| file.persist(path).map_err(|error| error.error));
    *unfinished = None;
    renamed.map(|_| ()).map_err(failed)
}

/// The signals that end the program, for the time of the process from the first file on.
#[cfg(unix)]
mod interrupted {
    use std::io;
    use std::sync::PoisonError;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::UNFINISHED;

    /// Has a thread remove the unfinished file when a signal comes, and end the program as the signal would
    /// have.
    pub(super) fn watch() -> io::Result<()> {
        let mut signals = Signals::new(
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| !is_ignored(*signal)),
        )?;
        std::thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // Kept until the end, so that no file is made after this one.
                let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(path) = &*unfinished {
                    let _ = std::fs::remove_file(path);
                }
                let _ = emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// True for a signal that the caller of the program has it ignore, as `nohup` does: it stays so. Only
    /// Linux tells.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}
