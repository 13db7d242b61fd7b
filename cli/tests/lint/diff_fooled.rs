//! `bitwall diff` over a branch that tries to hide its change.

use std::fs;
use std::path::Path;

use crate::revisions::{commit, git};
use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, tileset};

const OPEN: &str = "0,0,0,0";
const CLOSED: &str = "1,1,1,1";

fn level(cells: &str) -> String {
    let content = tileset([8, 8], 2, "") + &layer(r#"name="walls""#, [2, 2], cells);
    map("", [2, 2], [8, 8], &content)
}

/// Returns a repository whose branch `base` has a closed level, and whose branch `pr`, the current one, an
/// open one.
fn branch() -> tempfile::TempDir {
    let root = folder(&[("levels/cave.tmx", &level(CLOSED)), ("maps/empty", "")]);
    let path = root.path();
    git(path, &["init", "--quiet", "--initial-branch=base"]);
    commit(path);
    git(path, &["checkout", "--quiet", "-b", "pr"]);
    fs::write(path.join("levels/cave.tmx"), level(OPEN)).unwrap();
    commit(path);
    root
}

fn diff(folder: &Path, args: &[&str]) -> (i32, String, String) {
    bitwall_in(folder, &[&["diff"], args].concat(), "")
}

fn assert_differs(folder: &Path, args: &[&str]) {
    let (code, out, err) = diff(folder, args);
    assert!(code == 1 && err.is_empty() && out.contains("levels/cave.tmx"), "{args:?}: {out}{err}");
}

#[test]
fn a_folder_named_as_a_revision_is_an_error_that_says_how_to_name_each() {
    let root = branch();
    let root = root.path();
    for name in ["base", "pr", "base^0"] {
        fs::create_dir(root.join(name)).unwrap();
        fs::write(root.join(name).join("cave.tmx"), level(OPEN)).unwrap();
    }
    commit(root);
    for (args, name) in [
        (&["base", "pr"][..], "base"),
        (&["base"], "base"),
        (&["base", "--merge-base"], "base"),
        (&["base", "levels"], "base"),
        (&["HEAD", "pr"], "pr"),
        (&["base:levels/cave.tmx", "pr"], "pr"),
        (&["base^0"], "base^0"),
    ] {
        let (code, out, err) = diff(root, args);
        assert_eq!((code, &*out), (2, ""), "{args:?}: {err}");
        let words = format!("write ./{name} for the folder, or {name}^0 for the revision");
        assert!(err.contains(&words), "{args:?}: {err}");
    }
    let (code, out, _) = diff(root, &["./base", "./pr"]);
    assert_eq!(code, 0, "{out}");
    assert_differs(root, &["refs/heads/base", "pr^0"]);
    assert_differs(root, &["base^0^0"]);
    let check = ["verify", "--diff", "base"];
    let (code, _, err) = bitwall_in(root, &check, "");
    assert!(code == 1 && err.contains("4 files checked"), "{err}");
}

#[test]
fn a_file_named_as_a_revision_or_a_file_in_one_is_an_error() {
    let root = branch();
    let root = root.path();
    let name = "base:levels/cave.tmx";
    fs::create_dir(root.join("base:levels")).unwrap();
    for name in [name, "base", "pr.tmx"] {
        fs::write(root.join(name), level(OPEN)).unwrap();
    }
    git(root, &["tag", "pr.tmx"]);
    for args in [["base", "pr.tmx"], ["base", "levels/cave.tmx"], ["levels/cave.tmx", "pr.tmx"]] {
        let (code, out, err) = diff(root, &args);
        assert!((code, &*out) == (2, "") && err.contains(" for the file, or "), "{err}");
    }
    let (code, out, err) = diff(root, &[name, "levels/cave.tmx"]);
    assert_eq!((code, &*out), (2, ""), "{err}");
    let words =
        "write ./base:levels/cave.tmx for the file, or base^0:levels/cave.tmx for the revision";
    assert!(err.contains(words), "{err}");
    assert_eq!(diff(root, &["./base:levels/cave.tmx", "./pr.tmx"]).0, 0);
    assert_differs(root, &["base^0:levels/cave.tmx", "levels/cave.tmx"]);
}

/// Puts a bare repository into `folder`, in which `base` and `HEAD` are the current commit. Git takes the
/// folder for a repository with a working tree.
fn put_bare_repository(root: &Path, folder: &Path) {
    let bare = tempfile::tempdir().unwrap();
    git(root, &["clone", "--quiet", "--bare", ".", bare.path().to_str().unwrap()]);
    git(bare.path(), &["update-ref", "refs/heads/base", "pr"]);
    for name in ["HEAD", "objects", "refs", "packed-refs"] {
        let copy = std::process::Command::new("cp")
            .arg("-R")
            .args([bare.path().join(name), folder.to_owned()])
            .status();
        assert!(copy.unwrap().success());
    }
    let config = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n";
    fs::write(folder.join("config"), config).unwrap();
}

#[test]
fn a_bare_repository_inside_the_tree_is_never_asked() {
    let root = branch();
    let root = root.path();
    let levels = root.join("levels");
    put_bare_repository(root, &levels);
    // Without the repository around it, git asks the one in the folder.
    git(&levels, &["rev-parse", "--verify", "base"]);
    for args in [&["base"][..], &["base", "pr"], &["base:levels/cave.tmx", "cave.tmx"]] {
        assert_differs(&levels, args);
    }
    let (code, _, err) = bitwall_in(&levels, &["verify", "--diff", "base"], "");
    assert!(code == 1 && err.contains("1 file checked"), "{err}");
    fs::remove_dir_all(root.join(".git")).unwrap();
    let (code, out, err) = diff(&levels, &["base"]);
    assert_eq!((code, &*out), (2, ""), "{err}");
    assert!(err.contains("git refuses the repository: cannot use bare repository"), "{err}");
}

#[test]
fn a_configuration_of_the_branch_hides_no_mask() {
    let root = branch();
    let root = root.path();
    git(root, &["checkout", "--quiet", "base"]);
    let picture = |value: u8| {
        let pixel = bitwall::image::Luma([value]);
        crate::support::png(bitwall::image::GrayImage::from_pixel(8, 8, pixel))
    };
    fs::write(root.join("maps/a_mask.png"), picture(0)).unwrap();
    commit(root);
    for config in ["[verify]\nmasks = []\n", "[verify]\nmasks = ['none.png']\n"] {
        git(root, &["checkout", "--quiet", "-B", "hides"]);
        fs::write(root.join("maps/a_mask.png"), picture(255)).unwrap();
        fs::write(root.join("bitwall.toml"), config).unwrap();
        commit(root);
        for args in [&["base"][..], &["base", "hides"]] {
            let (code, out, _) = diff(root, args);
            assert!(code == 1 && out.contains("maps/a_mask.png"), "{config}: {out}");
        }
        git(root, &["checkout", "--quiet", "base"]);
    }
}

#[test]
fn a_level_moved_into_the_folder_of_the_pictures_is_compared() {
    let root = branch();
    let root = root.path();
    fs::create_dir(root.join("changes")).unwrap();
    git(root, &["mv", "levels/cave.tmx", "changes/cave.tmx"]);
    commit(root);
    let (code, out, err) = diff(root, &["base", "--pictures", "changes"]);
    assert!(code == 1 && out.contains("changes/cave.tmx"), "{out}{err}");
}
