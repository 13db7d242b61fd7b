//! Pipes, links to devices and folders where a command would write: each is an error, and none makes a command
//! wait.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::Command;

use crate::shared::{asset, bitwall_in};

/// Makes a pipe without a reader. Opening it to write would wait without end.
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["cave.tmx", "cave.tsx", "cave_tiles.png", "thin_walls.png"] {
        fs::copy(asset(name), folder.path().join(name)).unwrap();
    }
    fs::rename(folder.path().join("thin_walls.png"), folder.path().join("soft_mask.png")).unwrap();
    folder
}

#[test]
fn no_command_writes_into_a_pipe_a_link_to_a_device_or_a_folder() {
    let folder = folder();
    let root = folder.path();
    for name in ["pipe.png", "pipe.bwl", "pipe.json", "pipe.tmx"] {
        pipe(&root.join(name));
    }
    for name in ["folder.png", "folder.json"] {
        fs::create_dir(root.join(name)).unwrap();
    }
    symlink("pipe.png", root.join("link.png")).unwrap();
    symlink("/dev/null", root.join("null.json")).unwrap();
    for args in [
        &["render", "cave.tmx", "-o", "pipe.png"][..],
        &["render", "cave.tmx", "-o", "link.png"],
        &["bake", "cave.tmx", "-o", "pipe.bwl"],
        &["shapes", "cave.tmx", "-o", "pipe.json"],
        &["shapes", "cave.tmx", "-o", "null.json"],
        &["shapes", "cave.tmx", "-o", "folder.json"],
        &["verify", "cave.tmx", "--baseline", "pipe.json", "--write-baseline"],
        &["info", "soft_mask.png", "--compare", "pipe.png"],
    ] {
        let (code, _, err) = bitwall_in(root, args, "");
        assert_eq!(code, 2, "{args:?}: {err}");
    }
    for name in ["pipe.png", "pipe.bwl", "pipe.json"] {
        assert!(fs::symlink_metadata(root.join(name)).unwrap().file_type().is_fifo(), "{name}");
    }
}

#[test]
fn standard_output_and_devices_are_written_to() {
    let folder = folder();
    let shapes = |out: &str| bitwall_in(folder.path(), &["shapes", "cave.tmx", "-o", out], "");
    let (code, text, err) = shapes("-");
    assert!((code, &*err) == (0, "") && !text.is_empty());
    assert_eq!(shapes("/dev/stdout"), (0, text, String::new()));
    assert_eq!(shapes("/dev/null"), (0, String::new(), String::new()));
    assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn init_with_force_replaces_a_file_or_a_link_and_nothing_else() {
    let folder = folder();
    let root = folder.path();
    let config = root.join("bitwall.toml");
    let init = || bitwall_in(root, &["init", "--force"], "");
    pipe(&config);
    let (code, _, err) = init();
    assert!(
        code == 2 && err.contains("bitwall.toml: what has this name is no regular file"),
        "{err}"
    );
    fs::remove_file(&config).unwrap();
    fs::create_dir(&config).unwrap();
    assert_eq!(init().0, 2);
    fs::remove_dir(&config).unwrap();
    symlink("/dev/null", &config).unwrap();
    assert_eq!(init().0, 2);
    fs::remove_file(&config).unwrap();
    fs::write(root.join("other"), "kept").unwrap();
    symlink("other", &config).unwrap();
    let (code, _, err) = init();
    assert_eq!(code, 0, "{err}");
    assert!(fs::symlink_metadata(&config).unwrap().is_file());
    assert_eq!(fs::read_to_string(root.join("other")).unwrap(), "kept");
}
