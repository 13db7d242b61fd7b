//! A signal in the middle of a write leaves no unfinished file behind.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use bitwall::image::RgbImage;

/// The runs in which the signal may come too late, or too soon.
const RUNS: u32 = 30;

/// The unfinished files in a folder.
fn unfinished(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".bitwall-")).count()
}

/// Draws a large picture, and sends the signal as soon as there is an unfinished file. Returns the number of
/// the signal that ended the program; `None` if it was done before.
fn interrupt(folder: &Path, signal: &str) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .args(["render", "noise.png", "--view", "art", "-o", "out.png"])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while unfinished(folder) == 0 && child.try_wait().unwrap().is_none() {
        thread::sleep(Duration::from_micros(200));
    }
    // It may be over by then.
    let process = child.id().to_string();
    let _ = Command::new("kill").args([signal, &process]).stderr(Stdio::null()).status();
    child.wait().unwrap().signal()
}

/// True if this process ignores a signal, and so do those that it starts: as `nohup` and background jobs of a
/// shell do.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn a_signal_in_the_middle_of_a_write_leaves_no_unfinished_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    let noise = RgbImage::from_fn(2_400, 2_400, |_, _| {
        bitwall::image::Rgb(random.u32(..).to_le_bytes()[..3].try_into().unwrap())
    });
    noise.save(folder.path().join("noise.png")).unwrap();
    fs::write(folder.path().join("out.png"), "").unwrap();
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        if is_ignored(number as u32) {
            eprintln!("skipped: {signal} is ignored here");
            continue;
        }
        let is_ended = |_| {
            let ended = interrupt(folder.path(), signal);
            assert_eq!(unfinished(folder.path()), 0, "{signal}");
            assert!(ended.is_none_or(|ended| ended == number), "{signal}: {ended:?}");
            ended.is_some()
        };
        assert!((0..RUNS).any(is_ended), "{signal} came too late in {RUNS} runs");
    }
}
