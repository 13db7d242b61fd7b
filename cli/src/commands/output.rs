//! Writes files atomically, and shows progress on standard error.

use std::io::{self, IsTerminal, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use anstyle::AnsiColor;
use tempfile::SpooledTempFile;

use super::{Answer, Failure};
use bitwall::error::io_reason;
use bitwall::image::{ImageFormat, RgbaImage};

/// The largest content, in bytes, that waits in memory before it is written. Larger content waits in an
/// unnamed temporary file.
const WAITING: usize = 64 << 20;

/// Writes the file `path` completely or not at all: writes a new file in the same folder, and renames it.
///
/// On an error the old file stays and the new file is removed; after an interrupt during the copy, it stays
/// beside the old one, as `.bitwall-*`. The permissions of the old file stay. A link is replaced, not
/// followed; other hard links keep the old content. A `path` of `-` or `/dev/stdout` is standard output, and
/// a device is written to. A pipe or a folder is an error: a pipe may wait for a reader that never comes.
/// `content` runs before the new file is created, so an incomplete file exists only during the copy.
pub(super) fn write_whole(
    path: &Path,
    content: &mut dyn FnMut(&mut dyn Write) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let is_standard_output = path == Path::new("-") || path == Path::new("/dev/stdout");
    let is_device = system::is_device(path);
    if !is_standard_output && !is_device && !may_be_replaced(path) {
        let reason =
            "what has this name is no regular file; name another file, or - for standard output";
        return Err(Failure::at(path, reason));
    }
    let mut write = || -> Result<(), Failure> {
        let mut complete = tempfile::spooled_tempfile(WAITING);
        content(&mut complete)?;
        complete.rewind()?;
        if is_standard_output {
            let mut out = io::stdout().lock();
            io::copy(&mut complete, &mut out)?;
            out.flush()?;
        } else if is_device {
            // A rename would put a regular file in the place of the device.
            let mut device = std::fs::OpenOptions::new().write(true).open(path)?;
            io::copy(&mut complete, &mut device)?;
        } else {
            replace(path, &mut complete)?;
        }
        Ok(())
    };
    match write() {
        // A closed standard output is not an error.
        Err(Failure::Write(error)) if is_standard_output => {
            Answer::Yes.once(Err(error)).map(|_| ())
        }
        Err(Failure::Write(error)) if error.kind() == io::ErrorKind::NotFound => {
            Err(Failure::at(path, "cannot write the file: there is no such folder"))
        }
        Err(Failure::Write(error)) => {
            Err(Failure::at(path, format!("cannot write the file: {}", io_reason(&error))))
        }
        written => written,
    }
}

/// True if a rename may put a new file at `path`: nothing or a regular file is there. A link among the
/// devices, such as `/dev/stderr`, stays even if it leads to a regular file.
fn may_be_replaced(path: &Path) -> bool {
    let is_link_of_devices = path.starts_with("/dev") && path.is_symlink();
    !is_link_of_devices && std::fs::metadata(path).map_or(true, |old| old.is_file())
}

pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, &mut |out| Ok(out.write_all(bytes)?))
}

/// Writes `picture` as PNG, and creates the folders of `path`.
pub(super) fn write_picture(path: &Path, picture: &RgbaImage) -> Result<(), Failure> {
    let mut bytes = io::Cursor::new(Vec::new());
    let written = picture.write_to(&mut bytes, ImageFormat::Png);
    written.map_err(|error| format!("the picture cannot be encoded: {error}"))?;
    make_folder(path.parent().unwrap_or(Path::new(".")))?;
    write_bytes(path, bytes.get_ref())
}

pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Failure::at(folder, format!("cannot make the folder: {}", io_reason(&error)))
    })
}

fn replace(path: &Path, content: &mut SpooledTempFile) -> io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    system::make_ordinary(&mut builder);
    let mut file = builder.prefix(".bitwall-").tempfile_in(folder)?;
    if let Some(old) = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file) {
        // Ignores errors, because some file systems have no permissions.
        let _ = file.as_file().set_permissions(old.permissions());
    }
    io::copy(content, file.as_file_mut())?;
    file.as_file().sync_all()?;
    // Dropping the temporary file removes it if the rename did not happen.
    file.persist(path)?;
    Ok(())
}

/// Asks the system about files.
#[cfg(unix)]
mod system {
    use std::fs::{Permissions, symlink_metadata};
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    use std::path::Path;

    pub(super) fn is_device(path: &Path) -> bool {
        symlink_metadata(path).is_ok_and(|old| old.file_type().is_char_device())
    }

    /// Sets the permissions of ordinary new files, because `tempfile` makes files private to their owner.
    pub(super) fn make_ordinary(builder: &mut tempfile::Builder<'_, '_>) {
        builder.permissions(Permissions::from_mode(0o666));
    }
}

#[cfg(not(unix))]
mod system {
    use std::path::Path;

    pub(super) fn is_device(_: &Path) -> bool {
        false
    }

    pub(super) fn make_ordinary(_: &mut tempfile::Builder<'_, '_>) {}
}

// Progress of work that takes more than a second: one line on a terminal, overwritten, and erased at the end.

const PATIENCE: Duration = Duration::from_secs(1);

const TICK: Duration = Duration::from_millis(100);

pub(super) fn warn(text: &str) {
    let style = AnsiColor::Yellow.on_default().bold();
    // Without a standard error there is nobody to warn.
    let _ = writeln!(anstream::stderr(), "{style}warning:{style:#} {text}");
}

/// Runs `work` and returns its result. A terminal shows `label` if `work` takes more than a second.
pub(super) fn spinner<T>(label: &'static str, work: impl FnOnce() -> T) -> T {
    let _line = Progress::new(label, 0);
    work()
}

/// A line on a terminal about work that takes more than a second. Dropping it erases the line.
pub(super) struct Progress {
    done: Arc<AtomicU64>,
    /// The end of work, and the thread that shows the line until then; `None` without a terminal.
    shown: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Creates a progress line for `total` units of work; 0 means that the number is unknown.
    pub(super) fn new(label: &'static str, total: u64) -> Self {
        let done = Arc::new(AtomicU64::new(0));
        let mut shown = None;
        if io::stderr().is_terminal() {
            let (end, is_ended) = mpsc::channel();
            let done = Arc::clone(&done);
            let show = move || show(label, total, &done, &is_ended);
            shown = thread::Builder::new().spawn(show).ok().map(|thread| (end, thread));
        }
        Self { done, shown }
    }

    pub(super) fn show(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.shown.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}

/// Shows a line from a second on until the work ends, and then erases it.
fn show(label: &str, total: u64, done: &AtomicU64, is_ended: &mpsc::Receiver<()>) {
    let mut wait = PATIENCE;
    while is_ended.recv_timeout(wait) == Err(mpsc::RecvTimeoutError::Timeout) {
        write_line(&match (done.load(Ordering::Relaxed), total) {
            (0, _) => format!("{label} ..."),
            (done, 0) => format!("{label} {done}"),
            (done, total) => format!("{label} {done} of {total}"),
        });
        wait = TICK;
    }
    if wait == TICK {
        write_line("");
    }
}

fn write_line(line: &str) {
    let mut err = io::stderr().lock();
    // Ignores errors, because a closed standard error must not stop the work.
    let _ = write!(err, "\r{line}\x1b[K").and_then(|()| err.flush());
}
