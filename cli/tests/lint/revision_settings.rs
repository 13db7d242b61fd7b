//! The option `bitwall verify --diff` with file arguments, configurations and root folders.

use std::fs;

use crate::baseline::{gray, verify};
use crate::revisions::{clean, commit, repository};
use crate::support::layer;

#[test]
fn a_file_argument_that_is_not_in_the_commit_counts_as_changed() {
    let root = repository();
    let root = root.path();
    fs::write(root.join(".gitignore"), "made.tmx\n").unwrap();
    commit(root);
    fs::write(root.join("made.tmx"), "<map").unwrap();
    let (code, out, err) = verify(root, &["made.tmx", "--diff", "trunk"]);
    assert_eq!((code, out), (1, vec!["made.tmx TMX101".to_owned()]), "{err}");
}

/// The patterns and pairs of the configuration at the revision apply to the files at the revision.
#[test]
fn a_configuration_named_by_an_argument_applies_at_a_revision_too() {
    let root = repository();
    let root = root.path();
    let named = "[verify]\nmasks = ['walls/x_*', '*_mask.png']\nexclude = ['old/']\n\
        [level]\nroot = 'maps'\n\
        [[verify.pair]]\nmask = 'odd.png'\nart = 'art/odd.png'\n\
        [[verify.path]]\npaths = ['walls/']\nselect = ['LVL302']\n";
    fs::write(root.join("ci.toml"), named).unwrap();
    for folder in ["walls", "art"] {
        fs::create_dir_all(root.join(folder)).unwrap();
    }
    clean(&root.join("art/odd.png"), [31, 8]);
    for name in ["walls/x_a.png", "odd.png"] {
        gray(&root.join(name), 3, 2);
    }
    commit(root);
    // Draws another row of gray pixels, so that each file has changed.
    for name in ["walls/x_a.png", "odd.png", "a_mask.png"] {
        gray(&root.join(name), 9, 2);
    }
    let args = ["--config", "ci.toml", "--diff", "trunk"];
    let (code, out, err) = verify(root, &args);
    assert_eq!((code, out), (0, vec![]), "{err}");
    assert!(err.contains("3 files checked"), "{err}");
    // A configuration that git does not track is used unchanged for both states.
    let outside = tempfile::tempdir_in(root.parent().unwrap()).unwrap();
    let path = outside.path().join("ci.toml");
    fs::write(&path, "[verify]\nmasks = ['*.png']\n").unwrap();
    let (_, out, err) =
        verify(root, &["--config", path.to_str().unwrap(), "--diff", "trunk", "odd.png"]);
    assert_eq!(out, [""; 0], "{err}");

    // The configuration of the revision judges: its rules stay on, and new ones count after the merge.
    fs::write(
        root.join("ci.toml"),
        format!("{named}ignore = ['MSK202']\n").replace("[verify]", "[verify]\ntile = '64x64'"),
    )
    .unwrap();
    gray(&root.join("walls/new_mask.png"), 3, 2);
    let (code, out, err) = verify(root, &args);
    let found = ["walls/new_mask.png MSK202", "ci.toml IO008"];
    let found: Vec<String> = found.map(str::to_owned).to_vec();
    assert_eq!((code, out.iter().filter(|it| !it.contains("LVL302")).count()), (1, 2), "{err}");
    assert!(found.iter().all(|finding| out.contains(finding)), "{out:?}");
    // A configuration that the revision lacks judges both states, because the CI job names it.
    let less = "[verify]\nmasks = ['/odd.png']\n";
    fs::write(root.join("other.toml"), less).unwrap();
    let (code, out, err) = verify(root, &["--config", "other.toml", "--diff", "trunk"]);
    assert_eq!((code, out), (0, vec!["other.toml IO008".to_owned()]), "{err}");
}

/// Maps at the revision may read files in the same root folder as now.
#[test]
fn the_root_folder_is_found_at_the_earlier_revision_too() {
    let root = repository();
    let root = root.path();
    let map = fs::read_to_string(root.join("maps/m.tmx")).unwrap();
    let wrong =
        |id: u32| map.replace("</map>", &layer(&format!("id='{id}'",), [3, 1], "1,0,0")) + "</map>";
    fs::write(root.join("maps/m.tmx"), wrong(7)).unwrap();
    fs::write(root.join("maps/bitwall.toml"), "").unwrap();
    fs::write(root.join("maps/game.tiled-project"), "{}").unwrap();
    commit(root);
    fs::write(root.join("maps/m.tmx"), wrong(8)).unwrap();
    for args in [
        &["--diff", "trunk"][..],
        &["--diff", "trunk", "--root", "."],
        &["--diff", "trunk", "--root", ".."],
    ] {
        let (_, now, _) = verify(root, &args[2..]);
        assert!(now.iter().any(|it| it.starts_with("maps/m.tmx")), "{now:?}");
        let (code, out, err) = verify(root, args);
        assert_eq!((code, out), (0, vec![]), "{args:?} {err}");
    }
}
