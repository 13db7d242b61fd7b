//! Progress on standard error, for work that takes more than a second, if it is a terminal: one line, which
//! is written over, and taken away at the end.

use std::io::{IsTerminal, Write};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fmt, thread};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two writings of the line.
const TICK: Duration = Duration::from_millis(100);

/// Does `work`, and says so if it takes long.
pub(super) fn spinner<T>(label: &'static str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                show(format_args!("{label} ..."));
                // Ends with an error when the work drops its end.
                let _ = is_done.recv();
                show(format_args!(""));
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// A line for work with many parts.
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
    pub(super) fn at(&mut self, done: u64) {
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
