//! A signal or a full disk during a write: the old file stays, and no unfinished file remains.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use bitwall::image::{GrayImage, Luma, RgbImage};

use crate::shared::folder;
use crate::support::{map, objects};

/// The number of runs in which the signal may come too early or too late.
const RUNS: u32 = 30;

/// Counts the unfinished files in a folder.
fn unfinished(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".bitwall-")).count()
}

/// Draws a large picture, and sends the signal as soon as an unfinished file exists. Returns the number of
/// the signal that ended the program; `None` if the program ended before.
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
    // The program may have ended already.
    let process = child.id().to_string();
    let _ = Command::new("kill").args([signal, &process]).stderr(Stdio::null()).status();
    child.wait().unwrap().signal()
}

/// True if this process ignores a signal, as under `nohup` and in background jobs of a shell. The processes
/// that it starts then ignore the signal too.
fn is_ignored(signal: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

#[test]
fn a_signal_during_a_write_leaves_no_unfinished_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(5);
    let noise = RgbImage::from_fn(2_400, 2_400, |_, _| {
        bitwall::image::Rgb(random.u32(..).to_le_bytes()[..3].try_into().unwrap())
    });
    noise.save(folder.path().join("noise.png")).unwrap();
    fs::write(folder.path().join("out.png"), "").unwrap();
    for (signal, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1), ("-XCPU", 24)] {
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

/// Runs `bitwall` from a shell that sets these limits first.
fn limited(folder: &Path, limits: &str, args: &[&str]) -> Output {
    Command::new("sh")
        .arg("-c")
        .arg(format!("{limits} && exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_bitwall"))
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap()
}

/// A limit on the file size simulates a full disk. The signal that it sends must not end the program, whether
/// ignored or not.
#[test]
fn a_full_disk_leaves_the_old_file_and_no_unfinished_one() {
    let walls = objects("walls", r#"<object id="1" x="0" y="0" width="8" height="8"/>"#);
    let folder = folder(&[("m.tmx", &map("", [2, 1], [8, 8], &walls)), ("fix/.keep", "")]);
    let root = folder.path();
    let mut soft = GrayImage::from_pixel(80, 60, Luma([40]));
    for (x, y) in (2..58).flat_map(|y| (2..78).map(move |x| (x, y))) {
        soft.put_pixel(x, y, Luma([220]));
    }
    soft.save(root.join("fix/room_mask.png")).unwrap();
    let cases: [(&str, &[&str]); 5] = [
        ("out.png", &["render", "m.tmx", "-o", "out.png"]),
        ("m.bwl", &["bake", "m.tmx", "-o", "m.bwl"]),
        ("known.json", &["verify", "m.tmx", "--baseline", "known.json", "--write-baseline"]),
        ("fix/room_mask.png", &["verify", "--fix", "fix/room_mask.png"]),
        ("bitwall.toml", &["init", "--force", "."]),
    ];
    for (name, args) in cases {
        let target = root.join(name);
        if name == "known.json" {
            // `bitwall` refuses to replace a file that is not a baseline, so the baseline is written first.
            let output = limited(root, "true", args);
            assert!(output.status.success(), "{output:?}");
        } else if !target.exists() {
            fs::write(&target, "").unwrap();
        }
        let old = fs::read(&target).unwrap();
        for trap in ["true", "trap '' XFSZ"] {
            let output = limited(root, &format!("{trap} && ulimit -f 0"), args);
            let error = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{trap} {args:?}: {output:?}");
            assert!(error.contains(&format!("{name}: cannot write the file: ")), "{error}");
            assert_eq!(fs::read(&target).unwrap(), old, "{trap} {args:?}");
            let left = unfinished(target.parent().unwrap());
            assert_eq!(left, 0, "{trap} {args:?}");
        }
        let output = limited(root, "true", args);
        assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
        assert!(name == "known.json" || fs::read(&target).unwrap() != old, "{args:?}");
        if name == "bitwall.toml" {
            fs::remove_file(&target).unwrap();
        }
    }
}

/// The signal comes at the soft limit of processor time. Encoding the picture takes longer.
#[test]
fn reaching_a_processor_time_limit_leaves_no_unfinished_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut random = fastrand::Rng::with_seed(6);
    let noise = GrayImage::from_fn(3_900, 3_900, |_, _| Luma([random.u8(..)]));
    noise.save(folder.path().join("noise.png")).unwrap();
    fs::write(folder.path().join("out.png"), "").unwrap();
    let mut args = vec!["render", "noise.png", "--view", "art", "--scale", "2", "-o", "out.png"];
    args.extend(["--limit", "work=2^40"]);
    let output = limited(folder.path(), "ulimit -S -t 1", &args);
    assert_eq!(output.status.signal(), Some(24), "{output:?}");
    assert_eq!(unfinished(folder.path()), 0);
    assert_eq!(fs::read(folder.path().join("out.png")).unwrap(), b"");
}
