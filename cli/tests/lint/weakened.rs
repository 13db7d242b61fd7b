//! The option `bitwall verify --diff`: it finds changes of a configuration that weaken the check.

use std::fs;
use std::path::Path;

use crate::baseline::{gray, verify};
use crate::revisions::{clean, commit, git, repository};

/// A configuration with many requirements, which a change can weaken.
const TOP: &str = "\
[level]
root = 'maps'

[solid]
layers = ['Ground']

[verify]
select = ['LVL302']
severity = { TMX110 = 'error' }
tile = '8x8'
required-layers = ['a']

[[verify.body]]
name = 'hero'
size = '4x4'

[[verify.pair]]
mask = 'odd.png'
art = 'art.png'

[[verify.path]]
paths = ['maps/']
select = ['LVL304']
";

/// Creates a repository with the configuration [`TOP`], and another configuration in a subfolder.
fn project() -> tempfile::TempDir {
    let folder = repository();
    let root = folder.path();
    fs::write(root.join("bitwall.toml"), TOP).unwrap();
    fs::create_dir_all(root.join("walls")).unwrap();
    fs::write(root.join("walls/bitwall.toml"), "[verify]\nselect = ['LVL303']\n").unwrap();
    gray(&root.join("walls/c_mask.png"), 3, 2);
    clean(&root.join("odd.png"), [32, 8]);
    clean(&root.join("art.png"), [32, 8]);
    commit(root);
    folder
}

/// Returns the findings about configurations that changed since the commit.
fn found(root: &Path, args: &[&str]) -> Vec<String> {
    let (code, out, err) = verify(root, &[&["--diff", "trunk"], args].concat());
    let found: Vec<String> = out.into_iter().filter(|it| it.contains("IO00")).collect();
    assert!(code == 1 || found.is_empty(), "{code} {err}");
    found
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn a_weakened_configuration_cannot_turn_off_its_own_finding() {
    let folder = project();
    let root = folder.path();
    assert_eq!(found(root, &[]), [""; 0]);
    let silent = "ignore = ['all']\nexclude = ['/none']\n";
    for (from, to, named) in [
        // The example from the bug report: nothing is solid, which is allowed, and all rules are off.
        (
            TOP,
            "[solid]\ndefaults = false\n[level]\nallow-nothing-solid = true\n[verify]\nignore = ['all']\n",
            "solid.defaults",
        ),
        ("select = ['LVL302']\n", silent, "rules are weaker than at the revision"),
        ("select = ['LVL302']\n", "", "the rule LVL302 open-border is weaker"),
        ("'error' }", "'warning' }", "the rule TMX110"),
        ("tile = '8x8'", "ignore = ['IO']\nexclude = ['*.tmx']\ntile = '8x8'", "verify.exclude"),
        ("tile = '8x8'", "masks = ['walls/*']", "verify.masks"),
        ("required-layers = ['a']", "required-layers = []", "verify.required-layers"),
        ("size = '4x4'", "size = '1x1'", "verify.body"),
        ("mask = 'odd.png'", "mask = 'a_mask.png'", "verify.pair"),
        (
            "paths = ['maps/']\nselect",
            "paths = ['maps/']\nignore = ['TMX']\nselect",
            "rules are weaker",
        ),
        ("select = ['LVL304']", "select = []", "the rule LVL304"),
        ("root = 'maps'", "", "level.root"),
        ("layers = ['Ground']", "passable-layers = ['a']", "solid.layers, solid.passable-layers"),
        ("root = 'maps'", "root = 'maps'\nlenient = true", "level.lenient"),
    ] {
        assert!(TOP.contains(from), "{from}");
        write(root, "bitwall.toml", &TOP.replace(from, to));
        assert_eq!(found(root, &["."]), ["bitwall.toml IO005"], "{to}");
        let (_, out, _) =
            crate::shared::bitwall_in(root, &["verify", "--diff", "trunk", "bitwall.toml"], "");
        assert!(out.contains(named), "{to}: {out}");
        // The finding is the same from a subfolder and for a single level.
        let lower = found(&root.join("maps"), &["clean.tmx"]);
        assert_eq!(lower, ["bitwall.toml IO005"], "{to}");
    }
    // The rules of the revision or an argument can turn this rule off, like any other.
    write(root, "bitwall.toml", &TOP.replace("select = ['LVL302']\n", ""));
    assert_eq!(found(root, &["--ignore", "IO005"]), [""; 0]);
}

#[test]
fn a_new_deleted_or_moved_configuration_is_compared_with_the_former_rules() {
    let folder = project();
    let root = folder.path();
    let back = || {
        git(root, &["reset", "--quiet", "--hard"]);
        git(root, &["clean", "--quiet", "-fd"]);
    };
    // A new configuration in a subfolder.
    write(root, "maps/bitwall.toml", "[verify]\nignore = ['all']\n");
    assert_eq!(found(root, &[]), ["maps/bitwall.toml IO005"]);
    assert_eq!(found(root, &["maps/clean.tmx"]), ["maps/bitwall.toml IO005"]);
    back();
    // A deleted configuration.
    fs::remove_file(root.join("bitwall.toml")).unwrap();
    assert_eq!(found(root, &[]), ["bitwall.toml IO005"]);
    back();
    fs::remove_file(root.join("walls/bitwall.toml")).unwrap();
    assert_eq!(found(root, &[]), ["walls/bitwall.toml IO005"]);
    back();
    // A configuration that was moved to a folder without levels.
    fs::create_dir(root.join("old")).unwrap();
    git(root, &["mv", "bitwall.toml", "old/bitwall.toml"]);
    assert_eq!(found(root, &[]), ["bitwall.toml IO005"]);
    back();
    // A new configuration at the top, where there was none.
    git(root, &["rm", "--quiet", "bitwall.toml"]);
    commit(root);
    write(root, "bitwall.toml", "[verify]\nignore = ['TMX']\n");
    assert_eq!(found(root, &[]), ["bitwall.toml IO005"]);
    back();
    // A configuration named by `--config`.
    write(root, "ci.toml", "[verify]\nselect = ['LVL302']\n");
    commit(root);
    write(root, "ci.toml", "[verify]\nignore = ['all']\n");
    assert_eq!(found(root, &["--config", "ci.toml"]), ["ci.toml IO005"]);
    assert_eq!(found(root, &[]), [""; 0]);
}

#[test]
fn a_change_of_configuration_that_weakens_nothing_is_no_finding() {
    let folder = project();
    let root = folder.path();
    for (from, to) in [
        ("[level]", "# A comment.\n\n[level]"),
        ("select = ['LVL302']", "select = ['LVL303', 'LVL302']"),
        (
            "select = ['LVL302']",
            "severity = { TMX110 = 'error', LVL302 = 'error' }\nselect = ['LVL302']",
        ),
        ("severity = { TMX110 = 'error' }", "severity = { TMX110 = 'error', TMX111 = 'error' }"),
        ("tile = '8x8'", "tile = '16x8'\nsize = '32x8'"),
        ("required-layers = ['a']", "required-layers = ['b', 'a']\nallowed-tilesets = ['t']"),
        ("layers = ['Ground']", "layers = ['Rock', 'Ground']\ntiles = { t = ['1-2'] }"),
        ("root = 'maps'", "root = 'maps/deep'"),
        ("size = '4x4'", "size = '5x5'"),
        (
            "paths = ['maps/']\nselect = ['LVL304']",
            "paths = ['maps/']\nselect = ['LVL304', 'LVL305']",
        ),
        (
            "mask = 'odd.png'",
            "mask = 'a_mask.png'\nart = 'b_mask.png'\n[[verify.pair]]\nmask = 'odd.png'",
        ),
        (
            "[verify]\n",
            "[verify]\nmasks = ['mask.*', '*_mask.*', '*-mask.*', '*.mask.*', '*collision*', \
          '**/masks/*', 'a_mask.*']\n",
        ),
    ] {
        assert!(TOP.contains(from), "{from}");
        let text = TOP.replacen(from, to, 1);
        let text = match to.contains("severity = { TMX110 = 'error', LVL302") {
            true => text.replacen("severity = { TMX110 = 'error' }\n", "", 1),
            false => text,
        };
        write(root, "maps/deep/.keep", "");
        write(root, "bitwall.toml", &text);
        assert_eq!(found(root, &[]), [""; 0], "{to}");
    }
    write(root, "bitwall.toml", TOP);
    write(root, "walls/bitwall.toml", "# More.\n[verify]\nselect = ['LVL303', 'LVL304']\n");
    assert_eq!(found(root, &[]), [""; 0]);
}
