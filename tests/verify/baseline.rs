//! `bitwall verify --baseline` and `--diff`: only what is new counts.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitwall::image::{GrayImage, Luma};

use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects, tileset};

/// A map with a solid object and a layer that needs the tileset `t`, inline or from a file.
fn with_tileset(tileset: &str) -> String {
    let walls = objects("walls", r#"<object id="1" x="0" y="0" width="8" height="8"/>"#);
    map("", [2, 1], [8, 8], &format!("{tileset}{}{walls}", layer(r#"name="a""#, [2, 1], "1,0")))
}

/// A mask with gray pixels in a row.
fn gray(path: &Path, first: u32, count: u32) {
    let mut mask = GrayImage::from_pixel(32, 8, Luma([255]));
    (0..32).for_each(|x| mask.put_pixel(x, 0, Luma([0])));
    (first..first + count).for_each(|x| mask.put_pixel(x, 4, Luma([99])));
    mask.save(path).unwrap();
}

/// Exit code, findings as `path code`, and standard error.
fn verify(root: &Path, args: &[&str]) -> (i32, Vec<String>, String) {
    let args = [&["verify", "--format", "concise"], args].concat();
    let (code, out, err) = bitwall_in(root, &args, "");
    let short = |line: &str| {
        let (path, rest) = line.split_once(": ").unwrap();
        format!("{path} {}", rest.split(['[', ']']).nth(1).unwrap())
    };
    (code, out.lines().map(short).collect(), err)
}

#[test]
fn with_a_baseline_only_new_findings_count() {
    let root = folder(&[(".git/HEAD", ""), ("maps/.keep", "")]);
    let root = root.path();
    gray(&root.join("maps/a_mask.png"), 3, 2);
    gray(&root.join("maps/b_mask.png"), 3, 2);
    let baseline = ["--baseline", "known.json"];
    let (code, _, err) = verify(root, &baseline);
    assert!(code == 2 && err.contains("known.json: ") && err.contains("--write-baseline"), "{err}");
    let (code, out, err) = verify(root, &[&baseline[..], &["--write-baseline"]].concat());
    assert_eq!((code, out.len()), (0, 0), "{err}");
    assert!(err.contains("known.json: 2 findings known from now on"), "{err}");
    let (code, out, err) = verify(root, &baseline);
    assert_eq!((code, out.len()), (0, 0));
    assert!(err.contains("2 known findings not shown; 0 of the baseline fixed\n"), "{err}");

    // Wherever the program runs, and whatever part of the files is checked.
    let (code, _, _) = verify(&root.join("maps"), &["--baseline", "../known.json", "a_mask.png"]);
    assert_eq!(code, 0);

    // An unrelated edit: more gray elsewhere. A new file is new, a repaired one fixed, one that is gone too.
    gray(&root.join("maps/a_mask.png"), 9, 3);
    gray(&root.join("maps/b_mask.png"), 3, 0);
    gray(&root.join("maps/c_mask.png"), 3, 1);
    let (code, out, err) = verify(root, &baseline);
    assert_eq!((code, out), (1, vec!["maps/c_mask.png MSK202".to_owned()]));
    assert!(err.contains("1 known finding not shown; 1 of the baseline fixed"), "{err}");
    fs::remove_file(root.join("maps/b_mask.png")).unwrap();
    let (_, _, err) = verify(root, &[&baseline[..], &["maps/c_mask.png"]].concat());
    assert!(err.contains("0 known findings not shown; 1 of the baseline fixed"), "{err}");

    // Written again for one file, it keeps what it has of others, but not of files that are gone.
    let write = ["--baseline", "known.json", "--write-baseline", "maps/c_mask.png"];
    assert_eq!(verify(root, &write).0, 0);
    let (code, _, err) = verify(root, &baseline);
    assert_eq!(code, 0, "{err}");
    assert!(err.contains("2 known findings not shown; 0 of the baseline fixed"), "{err}");
    let text = fs::read_to_string(root.join("known.json")).unwrap();
    assert!(!text.contains("b_mask") && !text.contains(root.to_str().unwrap()), "{text}");
}

#[test]
fn a_file_that_is_no_baseline_is_neither_read_nor_replaced() {
    let root = folder(&[("m.json", "{\"layers\": []}")]);
    gray(&root.path().join("a_mask.png"), 3, 2);
    for more in [&[][..], &["--write-baseline"]] {
        let (code, _, err) = verify(root.path(), &[&["--baseline", "m.json"], more].concat());
        assert!(code == 2 && err.contains("m.json: not a baseline"), "{err}");
    }
    assert_eq!(fs::read_to_string(root.path().join("m.json")).unwrap(), "{\"layers\": []}");
    let (code, _, err) = verify(root.path(), &["--write-baseline"]);
    assert!(code == 2 && err.contains("--baseline"), "{err}");
}

fn git(root: &Path, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// A repository with a commit: two gray masks, and a map with its tileset in another folder.
fn repository() -> tempfile::TempDir {
    let external = r#"<tileset firstgid="1" source="../sets/t.tsx"/>"#;
    let set = tileset([8, 8], 2, "").replace(r#"firstgid="1" "#, "");
    let root = folder(&[
        ("maps/m.tmx", &with_tileset(external)),
        ("maps/clean.tmx", &with_tileset(&tileset([8, 8], 2, ""))),
        ("sets/t.tsx", &set),
        ("sets/t.png", ""),
        ("maps/t.png", ""),
    ]);
    gray(&root.path().join("a_mask.png"), 3, 2);
    gray(&root.path().join("b_mask.png"), 3, 2);
    git(root.path(), &["init", "--quiet", "--initial-branch=trunk"]);
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "--quiet", "-m", "one"]);
    root
}

#[test]
fn with_a_revision_only_levels_and_findings_that_are_new_count() {
    let root = repository();
    let root = root.path();
    let (code, out, _) = verify(root, &[]);
    assert_eq!((code, out.len()), (1, 2), "{out:?}");
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out.len()), (0, 0));
    assert!(err.contains("0 files checked"), "{err}");

    // An old finding of a level that changed does not count; those of new levels do.
    gray(&root.join("a_mask.png"), 9, 3);
    gray(&root.join("new_mask.png"), 3, 1);
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["new_mask.png MSK202".to_owned()]), "{err}");
    assert!(err.contains("1 known finding not shown") && err.contains("2 files checked"), "{err}");

    // A level has changed if its tileset has. The finding is that of the tileset's map.
    fs::remove_file(root.join("new_mask.png")).unwrap();
    let set = fs::read_to_string(root.join("sets/t.tsx")).unwrap();
    fs::write(root.join("sets/t.tsx"), set.replace("tilecount=\"2\"", "tilecount=\"two\""))
        .unwrap();
    let (code, out, err) = verify(&root.join("maps"), &["--diff", "trunk", ".."]);
    assert_eq!((code, out), (1, vec!["../maps/../sets/t.tsx TMX101".to_owned()]), "{err}");
    assert!(err.contains("2 files checked"), "{err}");

    // What was committed since is compared with the place where the branches part.
    git(root, &["checkout", "--quiet", "-b", "work"]);
    git(root, &["commit", "--quiet", "-am", "two"]);
    git(root, &["checkout", "--quiet", "trunk"]);
    gray(&root.join("later_mask.png"), 1, 1);
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "three"]);
    git(root, &["checkout", "--quiet", "work"]);
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["maps/../sets/t.tsx TMX101".to_owned()]), "{err}");
}

#[test]
fn a_revision_that_is_not_there_is_no_clean_run() {
    let root = repository();
    for revision in ["no/such", "--upload-pack=touch x", "trunk:maps", "-h", ""] {
        let argument = format!("--diff={revision}");
        let (code, _, err) = verify(root.path(), &[&argument]);
        assert!(code == 2 && err.contains("there is no revision"), "{revision}: {err}");
    }
    let outside = folder(&[("m.tmx", &with_tileset(""))]);
    let (code, _, err) = verify(outside.path(), &["--diff", "trunk"]);
    assert!(code == 2 && err.contains("no repository"), "{err}");
}

/// The rules and the facts of a `bitwall.toml` count as they were, for what was.
#[test]
fn a_level_changes_with_its_configuration() {
    let root = repository();
    fs::write(root.path().join("bitwall.toml"), "[verify]\nselect = ['open-border']\n").unwrap();
    let (code, out, err) = verify(root.path(), &["--diff", "trunk"]);
    assert_eq!(code, 1, "{err}");
    assert!(out.contains(&"maps/clean.tmx LVL302".to_owned()), "{out:?}");
    assert!(!out.iter().any(|finding| finding.contains("MSK202")), "{out:?}");
}

/// The program leaves nothing among the temporary files.
#[cfg(unix)]
#[test]
fn the_files_of_a_revision_are_removed() {
    let root = repository();
    gray(&root.path().join("a_mask.png"), 9, 3);
    let temporary = tempfile::tempdir().unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .args(["verify", "--diff", "trunk"])
        .current_dir(root.path())
        .env("TMPDIR", temporary.path())
        .output()
        .unwrap()
        .status;
    assert_eq!(status.code(), Some(0));
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0);
}

/// Nor does it if it is interrupted.
#[cfg(unix)]
#[test]
fn the_files_of_a_revision_are_removed_on_a_signal() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    let root = repository();
    // Enough to write for a signal to come in the middle.
    for index in 0..60 {
        gray(&root.path().join(format!("{index}_mask.png")), 1, 2);
    }
    git(root.path(), &["add", "."]);
    git(root.path(), &["commit", "--quiet", "-m", "more"]);
    for index in 0..60 {
        gray(&root.path().join(format!("{index}_mask.png")), 3, 4);
    }
    let temporary = tempfile::tempdir().unwrap();
    let entries = || fs::read_dir(temporary.path()).unwrap().count();
    let is_ended = |signal: &str, number: i32| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bitwall"))
            .args(["verify", "--diff", "trunk"])
            .current_dir(root.path())
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while entries() == 0 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        // It may be over by then.
        let process = child.id().to_string();
        let _ = Command::new("kill").args([signal, &process]).stderr(Stdio::null()).status();
        let ended = child.wait().unwrap().signal();
        assert_eq!(entries(), 0, "{signal}");
        ended == Some(number)
    };
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        if mask >> (number - 1) & 1 == 1 {
            eprintln!("skipped: {signal} is ignored here");
            continue;
        }
        assert!((0..30).any(|_| is_ended(signal, number)), "{signal} came too late in 30 runs");
    }
}
