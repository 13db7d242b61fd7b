//! Writes files, each as a whole or not at all, folders for one run, and the line of progress on standard
//! error.

use std::io::{self, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::time::{Duration, Instant};
use std::{fmt, thread};

use tempfile::SpooledTempFile;

use super::{Answer, Failure};
use bitwall::image::{ImageFormat, RgbaImage};
use bitwall::load::io_reason;
use bitwall::text::printable_path;

/// The unfinished files and the folders for a while. The list is locked while one of them is made, renamed or
/// removed, so that a signal in the middle finds it.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) enum WriteError {
    Content(Failure),
    Io(io::Error),
}

impl From<Failure> for WriteError {
    fn from(failure: Failure) -> Self {
        Self::Content(failure)
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The bytes of a content that wait in memory; more of them wait in a file without a name.
const WAITING: usize = 64 << 20;

/// Writes a file: to a new one beside it, which is then renamed. On an error, and on Unix when the program is
/// interrupted, the old file is unchanged and the new one is removed. The permissions of an old file stay. A
/// link is replaced, not followed, and other names of an old file keep the old content. `-` is standard
/// output. Nothing is written before the content is complete, so that the new file has its passing name for
/// the time of a copy alone.
pub(super) fn write_whole(
    path: &Path,
    content: &mut dyn FnMut(&mut dyn Write) -> Result<(), WriteError>,
) -> Result<(), Failure> {
    let is_standard_output = path == Path::new("-");
    let mut write = || -> Result<(), WriteError> {
        #[cfg(unix)]
        interrupted::watch()?;
        let mut complete = tempfile::spooled_tempfile(WAITING);
        content(&mut complete)?;
        complete.rewind()?;
        match is_standard_output {
            true => {
                let mut out = io::stdout().lock();
                io::copy(&mut complete, &mut out)?;
                Ok(out.flush()?)
            }
            false => Ok(replace(path, &mut complete)?),
        }
    };
    match write() {
        Ok(()) => Ok(()),
        Err(WriteError::Content(failure)) => Err(failure),
        // A closed one is no error.
        Err(WriteError::Io(error)) if is_standard_output => {
            Answer::Yes.once(Err(error)).map(|_| ())
        }
        Err(WriteError::Io(error)) => {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => "there is no such folder".to_owned(),
                _ => io_reason(&error),
            };
            let name = printable_path(path);
            Err(Failure::Other(format!("{name}: cannot write the file: {reason}")))
        }
    }
}

/// Writes a file with these bytes, as [`write_whole`] does.
pub(super) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    write_whole(path, &mut |out| Ok(out.write_all(bytes)?))
}

/// Writes a picture as PNG, and makes the folders on its path.
pub(super) fn write_picture(path: &Path, picture: &RgbaImage) -> Result<(), Failure> {
    let mut bytes = io::Cursor::new(Vec::new());
    let written = picture.write_to(&mut bytes, ImageFormat::Png);
    written.map_err(|error| Failure::Other(format!("the picture cannot be encoded: {error}")))?;
    make_folder(path.parent().unwrap_or(Path::new(".")))?;
    write_bytes(path, bytes.get_ref())
}

pub(super) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let (name, reason) = (printable_path(folder), io_reason(&error));
        Failure::Other(format!("{name}: cannot make the folder: {reason}"))
    })
}

/// Puts a new file with this content in the place of `path`.
fn replace(path: &Path, content: &mut SpooledTempFile) -> io::Result<()> {
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
    let mut file = {
        let mut unfinished = unfinished();
        let file = builder.prefix(".bitwall-").tempfile_in(folder)?;
        unfinished.push(file.path().to_owned());
        file
    };
    let made = file.path().to_owned();
    if let Some(old) = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file) {
        // Some file systems have none to set.
        let _ = file.as_file().set_permissions(old.permissions());
    }
    let written = io::copy(content, file.as_file_mut()).and_then(|_| file.as_file().sync_all());
    let mut unfinished = unfinished();
    // A file that is not renamed is removed here.
    let renamed = written.and_then(|()| file.persist(path).map_err(|error| error.error));
    unfinished.retain(|path| *path != made);
    renamed.map(|_| ())
}

/// A folder for files of one run. It is removed at the end, and on Unix also when the program is interrupted.
pub(super) struct ScratchFolder(Option<tempfile::TempDir>);

impl ScratchFolder {
    /// Makes an empty folder among the temporary files of the system.
    pub(super) fn new() -> Result<Self, Failure> {
        let failed = |error: io::Error| {
            let reason = io_reason(&error);
            Failure::Other(format!("cannot make a folder for temporary files: {reason}"))
        };
        #[cfg(unix)]
        interrupted::watch().map_err(failed)?;
        let mut unfinished = unfinished();
        let folder = tempfile::Builder::new().prefix("bitwall-").tempdir().map_err(failed)?;
        unfinished.push(folder.path().to_owned());
        Ok(Self(Some(folder)))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.as_ref().map_or(Path::new(""), |folder| folder.path())
    }

    /// Writes a file into the folder, and makes the folders on its path. Nothing is made once the folder is
    /// being removed.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let _unfinished = unfinished();
        let path = self.path().join(path);
        path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
        std::fs::write(path, bytes)
    }

    /// Makes a folder in the folder, as [`write`](Self::write) makes those on a path.
    pub(super) fn make_folder(&self, path: &Path) -> io::Result<()> {
        let _unfinished = unfinished();
        std::fs::create_dir_all(self.path().join(path))
    }
}

impl Drop for ScratchFolder {
    fn drop(&mut self) {
        if let Some(folder) = self.0.take() {
            let mut unfinished = unfinished();
            unfinished.retain(|path| path != folder.path());
            drop(folder);
        }
    }
}

/// The signals that end the program, for the time of the process from the first file on.
#[cfg(unix)]
mod interrupted {
    use std::io;
    use std::sync::atomic::AtomicBool;
    use std::sync::{Arc, OnceLock};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXCPU, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::unfinished;

    /// Has a thread remove what is unfinished when a signal comes, and end the program as the signal would
    /// have. One thread is enough for the whole run. A file that grows beyond its limit ends no program: the
    /// write fails, as on a full disk.
    pub(super) fn watch() -> io::Result<()> {
        static IS_WATCHED: OnceLock<()> = OnceLock::new();
        if IS_WATCHED.get().is_none() {
            start()?;
            // Another thread may have been here meanwhile: two that watch do no harm.
            let _ = IS_WATCHED.set(());
        }
        Ok(())
    }

    fn start() -> io::Result<()> {
        // Nobody reads the flag: with a handler, or ignored, the signal ends nothing.
        if !is_ignored(SIGXFSZ) {
            flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        }
        let ending = [SIGINT, SIGTERM, SIGHUP, SIGXCPU];
        let mut signals = Signals::new(ending.into_iter().filter(|it| !is_ignored(*it)))?;
        std::thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                // Kept until the end, so that nothing is made after these.
                let unfinished = unfinished();
                for path in &*unfinished {
                    let _ = std::fs::remove_file(path);
                    let _ = std::fs::remove_dir_all(path);
                }
                let _ = emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// True for a signal that the caller of the program has it ignore, as `nohup` does: it stays so. Known on
    /// Linux only.
    fn is_ignored(signal: i32) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mut lines = status.lines();
        let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }
}

// Progress on standard error, for work that takes more than a second, if it is a terminal: one line,
// which is written over, and taken away at the end.

const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two writings of the line.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, and says so if it takes long.
pub(super) fn spinner<T>(label: &'static str, work: impl FnOnce() -> T) -> T {
    let _spinner = io::stderr().is_terminal().then(|| Spinner::start(label));
    work()
}

/// The thread that waits for the end of some work.
struct Spinner(Option<mpsc::Sender<()>>, Option<thread::JoinHandle<()>>);

impl Spinner {
    fn start(label: &'static str) -> Self {
        let (work, is_done) = mpsc::channel();
        let waits = move || {
            if is_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                show(format_args!("{label} ..."));
                // Ends with an error when the work drops its end.
                let _ = is_done.recv();
                show(format_args!(""));
            }
        };
        Self(Some(work), thread::Builder::new().spawn(waits).ok())
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        drop(self.0.take());
        self.1.take().map(thread::JoinHandle::join);
    }
}

pub(super) struct Progress {
    label: &'static str,
    /// 0 if their number is unknown.
    total: u64,
    next: Instant,
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// A line for `total` parts; 0 if their number is unknown.
    pub(super) fn new(label: &'static str, total: u64) -> Self {
        let is_terminal = std::io::stderr().is_terminal();
        Self { label, total, next: Instant::now() + PATIENCE, is_terminal, is_shown: false }
    }

    /// Shows that `done` parts are done.
    pub(super) fn show(&mut self, done: u64) {
        if !self.is_terminal || Instant::now() < self.next {
            return;
        }
        match self.total {
            0 => show(format_args!("{} {done}", self.label)),
            total => show(format_args!("{} {done} of {total}", self.label)),
        }
        self.next = Instant::now() + TICK;
        self.is_shown = true;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            show(format_args!(""));
        }
    }
}

/// Writes over the line: back to its start, and its rest erased.
fn show(line: fmt::Arguments<'_>) {
    let mut err = std::io::stderr().lock();
    // A closed standard error is no reason to stop.
    let _ = write!(err, "\r{line}\x1b[K").and_then(|()| err.flush());
}
