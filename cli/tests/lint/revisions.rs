//! The option `bitwall verify --diff`: only new findings in changed levels count.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitwall::image::{GrayImage, Luma};

use crate::baseline::{gray, verify};
use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects, tileset};

/// Returns a map with a solid object, and a layer that uses the tileset in `tileset`.
fn with_tileset(tileset: &str) -> String {
    let walls = objects("walls", r#"<object id="1" x="0" y="0" width="8" height="8"/>"#);
    map("", [2, 1], [8, 8], &format!("{tileset}{}{walls}", layer(r#"name="a""#, [2, 1], "1,0")))
}

pub(crate) fn git(root: &Path, args: &[&str]) {
    let output = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"])
        .args(args)
        .current_dir(root)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Creates a repository with one commit: two gray masks, and a map with its tileset in another folder.
pub(crate) fn repository() -> tempfile::TempDir {
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
fn diff_reports_only_new_findings_in_changed_levels() {
    let root = repository();
    let root = root.path();
    let (code, out, _) = verify(root, &[]);
    assert_eq!((code, out.len()), (1, 2), "{out:?}");
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out.len()), (0, 0));
    assert!(err.contains("0 files checked"), "{err}");

    // The known finding of a changed level does not count; the finding of a new level does.
    gray(&root.join("a_mask.png"), 9, 3);
    gray(&root.join("new_mask.png"), 3, 1);
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["new_mask.png MSK202".to_owned()]), "{err}");
    assert!(err.contains("1 known finding not shown") && err.contains("2 files checked"), "{err}");

    // A changed tileset changes the level that uses it. The finding is in the tileset.
    fs::remove_file(root.join("new_mask.png")).unwrap();
    let set = fs::read_to_string(root.join("sets/t.tsx")).unwrap();
    fs::write(root.join("sets/t.tsx"), set.replace("tilecount=\"2\"", "tilecount=\"two\""))
        .unwrap();
    let (code, out, err) = verify(&root.join("maps"), &["--diff", "trunk", ".."]);
    assert_eq!((code, out), (1, vec!["sets/t.tsx TMX101".to_owned()]), "{err}");
    assert!(err.contains("2 files checked"), "{err}");

    // On a branch, the revision is the merge base.
    git(root, &["checkout", "--quiet", "-b", "work"]);
    git(root, &["commit", "--quiet", "-am", "two"]);
    git(root, &["checkout", "--quiet", "trunk"]);
    gray(&root.join("later_mask.png"), 1, 1);
    git(root, &["add", "."]);
    git(root, &["commit", "--quiet", "-m", "three"]);
    git(root, &["checkout", "--quiet", "work"]);
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["sets/t.tsx TMX101".to_owned()]), "{err}");
}

#[test]
fn an_unknown_revision_is_an_error() {
    let root = repository();
    for revision in ["no/such", "--upload-pack=touch x", "trunk:maps", "-h", ""] {
        let argument = format!("--diff={revision}");
        let (code, _, err) = verify(root.path(), &[&argument]);
        assert!(code == 2 && err.contains("there is no revision"), "{revision}: {err}");
    }
    git(root.path(), &["checkout", "--quiet", "--orphan", "alone"]);
    git(root.path(), &["commit", "--quiet", "-m", "alone"]);
    let (code, _, err) = verify(root.path(), &["--diff", "trunk"]);
    assert!(code == 0 && err.contains("have no common ancestor here"), "{err}");
    let outside = folder(&[("m.tmx", &with_tileset(""))]);
    let (code, _, err) = verify(outside.path(), &["--diff", "trunk"]);
    assert!(code == 2 && err.contains("no repository"), "{err}");
}

/// A changed configuration changes no level, because that of the revision judges.
#[test]
fn a_level_does_not_count_as_changed_if_its_configuration_has_changed() {
    let root = repository();
    let root = root.path();
    fs::write(root.join("bitwall.toml"), "[verify]\nselect = ['open-border']\n").unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (0, vec!["bitwall.toml IO008".to_owned()]), "{err}");
    assert!(err.contains("1 file checked"), "{err}");
    // A new configuration judges no level before the merge, also no new one.
    fs::copy(root.join("maps/clean.tmx"), root.join("maps/new.tmx")).unwrap();
    let text = fs::read_to_string(root.join("maps/clean.tmx")).unwrap();
    fs::write(root.join("maps/clean.tmx"), text + "\n").unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (0, vec!["bitwall.toml IO008".to_owned()]), "{err}");
    // A rule of the revision can make the note an error, or turn it off.
    for (severity, expected) in [("error", 1), ("off", 0)] {
        let config = format!("[verify.severity]\nchanged-check = '{severity}'\n");
        fs::write(root.join("bitwall.toml"), config).unwrap();
        commit(root);
        fs::write(root.join("bitwall.toml"), "[verify]\n").unwrap();
        let (code, out, err) = verify(root, &["--diff", "HEAD"]);
        assert_eq!((code, out.len()), (expected, expected as usize), "{err}");
    }
}

/// The configuration of the revision says which pictures are masks.
#[test]
fn a_picture_that_was_not_a_mask_at_the_revision_is_none_before_the_merge() {
    let root = repository();
    let root = root.path();
    gray(&root.join("x_walls.png"), 3, 2);
    fs::write(root.join("bitwall.toml"), "").unwrap();
    commit(root);
    fs::write(root.join("bitwall.toml"), "[verify]\nmasks = ['*_walls.png', '*_mask.png']\n")
        .unwrap();
    let masks = |out: Vec<String>| out.into_iter().filter(|it| it.contains("MSK")).collect();
    gray(&root.join("x_walls.png"), 9, 2);
    gray(&root.join("y_walls.png"), 9, 2);
    let (_, out, err) = verify(root, &["--diff", "trunk"]);
    let found: Vec<String> = masks(out);
    assert_eq!(found, [""; 0], "{err}");
    // A picture given as argument is a mask at the revision too.
    gray(&root.join("x_walls.png"), 11, 2);
    let (_, out, err) = verify(root, &["--diff", "trunk", "x_walls.png", "y_walls.png"]);
    let found: Vec<String> = masks(out);
    assert_eq!(found, ["y_walls.png MSK202"], "{err}");
}

/// Links in a commit lead to other files of the commit.
#[test]
#[cfg(unix)]
fn symbolic_links_in_a_revision_are_followed() {
    use std::os::unix::fs::symlink;
    let root = repository();
    let root = root.path();
    symlink("a_mask.png", root.join("link_mask.png")).unwrap();
    symlink("maps", root.join("levels")).unwrap();
    symlink("/etc/none_mask.png", root.join("out_mask.png")).unwrap();
    gray(&root.join("maps/c_mask.png"), 3, 2);
    commit(root);
    gray(&root.join("a_mask.png"), 9, 3);
    gray(&root.join("maps/c_mask.png"), 9, 3);
    for args in [&["--diff", "trunk", "link_mask.png"][..], &["--diff", "trunk", "levels"]] {
        let (code, out, err) = verify(root, args);
        assert_eq!((code, out), (0, vec![]), "{err}");
        assert!(err.contains("1 known finding not shown"), "{err}");
    }
}

/// Git LFS keeps the file outside the commits, and the commit contains a pointer.
#[test]
fn a_git_lfs_pointer_in_a_commit_is_replaced_by_its_file() {
    let root = repository();
    let root = root.path();
    let id = "ab".repeat(32);
    let content = fs::read(root.join("a_mask.png")).unwrap();
    let pointer = format!("version https://git-lfs.github.com/spec/v1\noid sha256:{id}\nsize 9\n");
    fs::write(root.join("a_mask.png"), pointer).unwrap();
    commit(root);
    fs::write(root.join("a_mask.png"), &content).unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["a_mask.png MSK202".to_owned()]), "{err}");
    let (code, _, err) = bitwall_in(root, &["diff", "trunk:a_mask.png", "a_mask.png"], "");
    assert!(code == 2 && err.contains("run `git lfs fetch`"), "{code} {err}");

    let stored = root.join(".git/lfs/objects/ab/ab").join(&id);
    fs::create_dir_all(stored.parent().unwrap()).unwrap();
    fs::write(stored, content).unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (0, vec![]), "{err}");
    let (code, _, err) = bitwall_in(root, &["diff", "trunk:a_mask.png", "a_mask.png"], "");
    assert_eq!(code, 0, "{err}");
}

/// Writes a clean mask with a wall at the top.
pub(crate) fn clean(path: &Path, size: [u32; 2]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let mask = GrayImage::from_fn(size[0], size[1], |_, y| Luma([if y == 0 { 0 } else { 255 }]));
    mask.save(path).unwrap();
}

/// Commits all files.
pub(crate) fn commit(root: &Path) {
    git(root, &["add", "-A"]);
    git(root, &["commit", "--quiet", "-m", "more"]);
}

#[test]
fn a_mask_counts_as_changed_if_its_art_has_changed() {
    let root = repository();
    let root = root.path();
    let pairs = "[[verify.pair]]\nmask = 'walls/a.png'\nart = 'art/a.png'\n\
        [[verify.pair]]\nmask = 'walls/b.png'\nart = 'art/b.png'\n";
    fs::write(root.join("bitwall.toml"), pairs).unwrap();
    for name in ["walls/a.png", "walls/b.png", "walls/c.png", "art/a.png", "art/c.png"] {
        clean(&root.join(name), [32, 16]);
    }
    clean(&root.join("art/b.png"), [31, 16]);
    commit(root);
    assert_eq!(verify(root, &["--diff", "trunk", "."]).0, 0);

    // The art of a pair. A known fault of another pair stays known when its art changes.
    clean(&root.join("art/a.png"), [30, 16]);
    clean(&root.join("art/b.png"), [29, 16]);
    let (code, out, err) = verify(root, &["--diff", "trunk", "."]);
    assert_eq!((code, out), (1, vec!["walls/a.png MSK204".to_owned()]), "{err}");
    assert!(err.contains("2 files checked") && err.contains("1 known finding not shown"), "{err}");

    // The art given as argument.
    let args = ["--diff", "trunk", "walls/c.png", "--art", "art/c.png"];
    let (code, _, err) = verify(root, &args);
    assert!(code == 0 && err.contains("0 files checked"), "{err}");
    clean(&root.join("art/c.png"), [30, 16]);
    let (code, out, err) =
        verify(&root.join("art"), &["--diff", "trunk", "../walls/c.png", "--art", "c.png"]);
    assert_eq!((code, out), (1, vec!["walls/c.png MSK204".to_owned()]), "{err}");
    commit(root);
    clean(&root.join("walls/c.png"), [32, 15]);
    let (code, _, err) = verify(root, &args);
    assert!(code == 0 && err.contains("1 known finding not shown"), "{err}");

    // `--art` is for one mask, even if only one of several masks changed.
    let (code, _, err) =
        verify(root, &["--diff", "trunk", "walls/c.png", "walls/b.png", "--art", "x"]);
    assert!(code == 2 && err.contains("but there are 2"), "{err}");
}

#[test]
fn a_file_that_was_moved_keeps_its_known_findings() {
    let root = repository();
    let root = root.path();
    // The tileset of the map has a known fault.
    let set = fs::read_to_string(root.join("sets/t.tsx")).unwrap();
    fs::write(root.join("sets/t.tsx"), set.replace("tilecount=\"2\"", "tilecount=\"two\""))
        .unwrap();
    fs::write(root.join("bitwall.toml"), "[verify]\n").unwrap();
    // Git recognizes a moved file by its lines, so the map needs several.
    let map = fs::read_to_string(root.join("maps/m.tmx")).unwrap().replace("><", ">\n<");
    fs::write(root.join("maps/m.tmx"), &map).unwrap();
    commit(root);
    fs::create_dir_all(root.join("more/masks")).unwrap();
    git(root, &["mv", "a_mask.png", "more/masks/c_mask.png"]);
    git(root, &["mv", "sets", "tiles"]);
    git(root, &["mv", "maps/m.tmx", "more/n.tmx"]);
    fs::write(root.join("more/n.tmx"), map.replace("../sets", "../tiles")).unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (0, vec![]), "{err}");
    assert!(err.contains("2 known findings not shown; 0 fixed"), "{err}");
    assert!(err.contains("2 files checked"), "{err}");

    // A new fault in a moved file is a new finding.
    fs::write(root.join("more/n.tmx"), map.replace("../sets/t.tsx", "../sets/none.tsx")).unwrap();
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["more/n.tmx TMX106".to_owned()]), "{err}");
}

/// The world has patterns of file names, and does not name the map itself.
#[test]
fn a_world_with_file_patterns_counts_as_changed_if_a_map_has_changed() {
    let root = repository();
    let root = root.path();
    let world = r#"{"type": "world", "maps": [], "patterns": [{"regexp": "q(\\d+)_(\\d+)\\.tmx",
        "multiplierX": 16, "multiplierY": 8}]}"#;
    fs::write(root.join("maps/w.world"), world).unwrap();
    let room = with_tileset(&tileset([8, 8], 2, ""));
    for name in ["q0_0.tmx", "q1_0.tmx"] {
        fs::write(root.join("maps").join(name), &room).unwrap();
    }
    commit(root);
    let args = ["--diff", "trunk", "maps/w.world"];
    let (code, _, err) = verify(root, &args);
    assert!(code == 0 && err.contains("0 files checked"), "{err}");
    fs::write(root.join("maps/q1_0.tmx"), format!("{room}\n")).unwrap();
    let (code, out, err) = verify(root, &args);
    assert!(code == 0 && err.contains("1 file checked"), "{out:?} {err}");
    fs::write(root.join("maps/q1_0.tmx"), "<map").unwrap();
    let (code, out, err) = verify(root, &args);
    assert!(code == 1 && out == ["maps/q1_0.tmx TMX101"], "{out:?} {err}");
}

#[test]
fn a_new_finding_in_a_changed_configuration_is_found() {
    let root = repository();
    let root = root.path();
    let lower = |text: &str| fs::write(root.join("maps/bitwall.toml"), text).unwrap();
    fs::write(root.join("bitwall.toml"), "[verify]\n").unwrap();
    let pair = "[[verify.pair]]\nmask = 'none.png'\nart = 'x.png'\n";
    lower(&format!("[verify]\nignore = ['MSK202']\n{pair}"));
    commit(root);
    let found = verify(root, &[]).1;
    assert!(found.contains(&"maps/bitwall.toml IO004".to_owned()), "{found:?}");
    for args in [&["--diff", "trunk"][..], &["--diff", "trunk", "maps/bitwall.toml"]] {
        let (code, out, err) = verify(root, args);
        assert_eq!((code, out), (0, vec![]), "{err}");
    }
    // Its known finding stays known.
    lower(pair);
    for args in [&["--diff", "trunk"][..], &["--diff", "trunk", "maps/bitwall.toml"]] {
        let (code, out, err) = verify(root, args);
        assert_eq!((code, out), (0, vec!["maps/bitwall.toml IO008".to_owned()]), "{err}");
    }
    lower(&format!("{pair}{}", pair.replace("none", "new")));
    let all = ["IO004", "IO008"].map(|code| format!("maps/bitwall.toml {code}"));
    let (code, out, err) = verify(root, &["--diff", "trunk"]);
    assert_eq!((code, out), (1, all.to_vec()), "{err}");
}

#[test]
fn a_finding_that_is_fixed_since_the_revision_is_counted() {
    let root = repository();
    gray(&root.path().join("a_mask.png"), 3, 0);
    let (code, out, err) = verify(root.path(), &["--diff", "trunk"]);
    assert_eq!((code, out.len()), (0, 0), "{err}");
    assert!(err.contains("not shown; 1 fixed"), "{err}");
}

/// The option `--diff` reads the files of the revision into memory.
#[cfg(unix)]
#[test]
fn a_check_of_a_revision_writes_no_temporary_files() {
    let root = repository();
    gray(&root.path().join("a_mask.png"), 9, 3);
    let status = Command::new(env!("CARGO_BIN_EXE_bitwall"))
        .args(["verify", "--diff", "trunk"])
        .current_dir(root.path())
        .env("TMPDIR", root.path().join("no/such/folder"))
        .output()
        .unwrap()
        .status;
    assert_eq!(status.code(), Some(0));
}
