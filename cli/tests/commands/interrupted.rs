//! A full disk during a write: the old file stays, and no unfinished file remains.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use bitwall::image::{GrayImage, Luma};

use crate::shared::folder;
use crate::support::{map, objects};

/// Counts the unfinished files in a folder.
fn unfinished(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap().filter_map(Result::ok);
    entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(".bitwall-")).count()
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

/// A limit on the file size simulates a full disk, if its signal is ignored.
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
        let output = limited(root, "trap '' XFSZ && ulimit -f 0", args);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(error.contains(&format!("{name}: cannot write the file: ")), "{error}");
        assert_eq!(fs::read(&target).unwrap(), old, "{args:?}");
        assert_eq!(unfinished(target.parent().unwrap()), 0, "{args:?}");
        let output = limited(root, "true", args);
        assert!(output.status.code().is_some_and(|code| code < 2), "{output:?}");
        assert!(name == "known.json" || fs::read(&target).unwrap() != old, "{args:?}");
        if name == "bitwall.toml" {
            fs::remove_file(&target).unwrap();
        }
    }
}
