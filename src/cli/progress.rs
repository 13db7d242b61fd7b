//! Progress on standard error, for work that takes more than a second, if it is a terminal.

use std::io::IsTerminal;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// Does `work`, and shows a spinner if it takes long.
pub(super) fn spinner<T>(label: &'static str, work: impl FnOnce() -> T) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let (done, is_done) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            if is_done.recv_timeout(PATIENCE) == Err(mpsc::RecvTimeoutError::Timeout) {
                let spinner = ProgressBar::new_spinner().with_message(label);
                spinner.enable_steady_tick(Duration::from_millis(100));
                // Ends with an error when the work drops its end.
                let _ = is_done.recv();
                spinner.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// A progress bar for work with a known number of parts.
pub(super) struct Bar {
    start: Instant,
    total: u64,
    label: &'static str,
    bar: Option<ProgressBar>,
}

impl Bar {
    /// A bar for `total` parts; 0 if their number is unknown.
    pub(super) fn new(label: &'static str, total: u64) -> Self {
        Self { start: Instant::now(), total, label, bar: None }
    }

    /// Shows that `done` parts are done.
    pub(super) fn at(&mut self, done: u64) {
        if self.bar.is_none() && self.start.elapsed() >= PATIENCE {
            let template = if self.total == 0 {
                "{msg} {human_pos}"
            } else {
                "{msg} {bar:40} {human_pos} of {human_len}"
            };
            // If the template is not valid, the default one stays.
            let style = ProgressStyle::with_template(template);
            let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(self.total).with_style(style).with_message(self.label);
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_position(done);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
