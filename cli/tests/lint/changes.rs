//! The option `bitwall verify --diff` on changes of a project: configurations that would switch their own check
//! off, which judge only after the merge, and honest changes, in which nothing is found.

use std::fs;
use std::path::Path;

use crate::baseline::gray;
use crate::revisions::{clean, commit, git};
use crate::shared::{bitwall_in, folder};

/// A map whose walls are in layer `walls`, with `more` at its end. It has many lines, as Tiled writes it, so
/// that git recognizes it when it was moved.
fn map_of(walls: &str, more: &str) -> String {
    let rows: String =
        (0..12).map(|row| format!("<property name=\"p{row}\" value=\"{row}\"/>\n")).collect();
    format!(
        "<map orientation=\"orthogonal\" width=\"4\" height=\"2\" tilewidth=\"8\" tileheight=\"8\">\n\
         <properties>\n{rows}</properties>\n\
         <objectgroup id=\"2\" name=\"{walls}\">\n<object id=\"1\" x=\"0\" y=\"0\" width=\"8\" height=\"8\"/>\n\
         </objectgroup>\n<objectgroup id=\"3\" name=\"places\">\n\
         <object id=\"4\" name=\"exit\" x=\"20\" y=\"4\"><point/></object>\n</objectgroup>\n{more}</map>\n"
    )
}

fn map() -> String {
    map_of("walls", "")
}

/// The same map without the marker that the configuration requires.
fn without_exit() -> String {
    map().replace("name=\"exit\"", "name=\"door\"")
}

/// The same map with a fault of rule TMX116: a wall outside of the map.
fn with_fault() -> String {
    let outside = "<object id=\"9\" x=\"-40\" y=\"3\" width=\"8\" height=\"8\"/>\n";
    map().replace("<object id=\"1\"", &format!("{outside}<object id=\"1\""))
}

const JSON: &str = r#"{"width":1,"height":1,"tilewidth":8,"tileheight":8,"orientation":"orthogonal",
    "layers":[{"type":"objectgroup","name":"walls","id":1,"objects":[{"id":2,"x":0,"y":0,"width":8,"height":8}]},
    {"type":"objectgroup","name":"places","id":3,"objects":[{"id":4,"name":"exit","x":2,"y":2,"point":true}]}],
    "tilesets":[]}"#;

/// The configuration of the project: each map needs an exit.
const TOP: &str =
    "[verify]\nexclude = ['levels/old/']\n[[verify.marker]]\nname = 'exit'\nat-least = 1\n";

/// The configuration of the folder `levels/rock`, in which the walls have another name.
const ROCK: &str = "[solid]\nlayers = ['Rock']\n";

/// The configuration of the folder `levels/art`, which has a pair of a mask and its art.
const PAIR: &str = "[[verify.pair]]\nmask = 'a.png'\nart = 'b.png'\n";

/// Creates a project with levels of each kind, and a commit on branch `base`.
fn project() -> tempfile::TempDir {
    let rock = map_of("Rock", "");
    let folder = folder(&[
        ("bitwall.toml", TOP),
        (".gitignore", "/made/\n"),
        ("made/built.tmx", &map()),
        ("known.json", "{\"version\": 2, \"findings\": [], \"levels\": {}}\n"),
        ("levels/cave.tmx", &map()),
        ("levels/town.tmx", &map_of("walls", "<!-- the town -->\n")),
        ("levels/arena.json", JSON),
        ("levels/atlas.json", "{\"frames\": []}"),
        ("levels/deep/hall.tmx", &map_of("walls", "<!-- the hall -->\n")),
        ("levels/old/gone.tmx", "<map"),
        ("levels/rock/bitwall.toml", ROCK),
        ("levels/rock/hill.tmx", &rock),
        ("levels/art/bitwall.toml", PAIR),
    ]);
    let root = folder.path();
    clean(&root.join("levels/keep_mask.png"), [32, 16]);
    clean(&root.join("levels/art/a.png"), [32, 8]);
    gray(&root.join("levels/art/b.png"), 9, 20);
    #[cfg(unix)]
    std::os::unix::fs::symlink("cave.tmx", root.join("levels/link.tmx")).unwrap();
    git(root, &["init", "--quiet", "--initial-branch=base"]);
    git(root, &["add", "--force", "."]);
    git(root, &["commit", "--quiet", "-m", "one"]);
    git(root, &["checkout", "--quiet", "-b", "work"]);
    folder
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn edit(root: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(root.join(path)).unwrap();
    assert!(text.contains(from), "{path}: {from}");
    write(root, path, &text.replace(from, to));
}

fn moved(root: &Path, from: &str, to: &str) {
    fs::create_dir_all(root.join(to).parent().unwrap()).unwrap();
    git(root, &["mv", from, to]);
}

/// Checks the project against `base`. Returns the exit code, each finding as path, code and severity, and the
/// whole output.
fn check(root: &Path, args: &str) -> (i32, Vec<String>, String) {
    let mut all = vec!["verify", "--format", "concise", "--diff", "base"];
    all.extend(args.split_whitespace());
    let (code, out, err) = bitwall_in(root, &all, "");
    let found = out.lines().map(|line| {
        let (path, rest) = line.split_once(": ").unwrap();
        let (severity, rest) = rest.split_once('[').unwrap();
        format!("{path} {} {severity}", rest.split(']').next().unwrap())
    });
    (code, found.collect(), out.clone() + &err)
}

/// A change that would hide a fault from its own check: what it does, the arguments of the check, the exit code,
/// and what is found.
type Blinding = (&'static str, fn(&Path), &'static str, i32, &'static [&'static str]);

/// Each change breaks a level, or the check of it. `levels` is what the CI job checks.
#[rustfmt::skip]
const BLINDINGS: [Blinding; 11] = [
    ("a folder is named bitwall.toml", |root| {
        write(root, "levels/cave.tmx", "<map");
        write(root, "levels/bitwall.toml/x", "");
    }, "levels", 1, &["levels/cave.tmx TMX101 error"]),
    ("a new bitwall.toml excludes a level", |root| {
        write(root, "levels/cave.tmx", "<map");
        write(root, "levels/bitwall.toml", "[verify]\nexclude = ['cave.tmx']\nmasks = []\n");
    }, "levels", 1, &["levels/cave.tmx TMX101 error", "levels/bitwall.toml IO008 note"]),
    ("a bitwall.toml requires no marker any more", |root| {
        write(root, "levels/cave.tmx", &without_exit());
        write(root, "bitwall.toml", "[verify]\nexclude = ['levels/old/']\n");
    }, "levels", 1, &["levels/cave.tmx LVL303 error", "bitwall.toml IO008 note"]),
    ("a bitwall.toml is broken now", |root| {
        write(root, "levels/cave.tmx", "<map");
        write(root, "bitwall.toml", "[verify\n");
    }, "levels", 1, &["bitwall.toml IO004 error", "levels/cave.tmx TMX101 error", "bitwall.toml IO008 note"]),
    ("a draft is moved out of its lenient folder", |root| {
        draft(root);
        moved(root, "levels/sketch/a.tmx", "levels/hall.tmx");
    }, "levels", 1, &["levels/hall.tmx LVL303 error", "levels/hall.tmx TMX116 warning"]),
    ("a draft is moved out of its lenient rules for paths", |root| {
        write(root, "bitwall.toml", &format!("{TOP}[[verify.path]]\npaths = ['levels/sketch/']\nignore = ['all']\n"));
        write(root, "levels/sketch/a.tmx", &with_fault().replace("name=\"exit\"", "name=\"door\""));
        merged(root);
        moved(root, "levels/sketch/a.tmx", "levels/hall.tmx");
    }, "levels", 1, &["levels/hall.tmx LVL303 error", "levels/hall.tmx TMX116 warning"]),
    ("a new level is alike to a draft that is deleted", |root| {
        draft(root);
        git(root, &["rm", "--quiet", "levels/sketch/a.tmx"]);
        write(root, "levels/hall.tmx", &with_fault().replace("value=\"3\"", "value=\"4\""));
    }, "levels", 1, &["levels/hall.tmx TMX116 warning"]),
    ("a link to the folder of a tileset leads elsewhere", |root| {
        let solid = "<property name=\"bitwall.solid\" type=\"bool\" value=\"true\"/>";
        write(root, "sets/t.tsx", &set(&format!("<tile id=\"0\"><properties>{solid}</properties></tile>")));
        write(root, "bad/t.tsx", &set(""));
        link("sets", &root.join("tiles"));
        write(root, "levels/pit.tmx", &on_tiles());
        merged(root);
        fs::remove_file(root.join("tiles")).unwrap();
        link("bad", &root.join("tiles"));
    }, "levels", 1, &["levels/pit.tmx TMX105 error"]),
    ("a mask that a pair names through a link gets another size", |root| {
        write(root, "bitwall.toml", &format!("{TOP}[[verify.pair]]\nmask = 'levels/w/a.png'\nart = 'rocks/b.png'\n"));
        clean(&root.join("rocks/a.png"), [32, 16]);
        clean(&root.join("rocks/b.png"), [32, 16]);
        link("../rocks", &root.join("levels/w"));
        merged(root);
        clean(&root.join("rocks/a.png"), [30, 16]);
    }, ".", 1, &["rocks/a.png MSK204 error"]),
    ("a lenient bitwall.toml is moved into the folder of a level", |root| {
        draft(root);
        moved(root, "levels/sketch/bitwall.toml", "levels/deep/bitwall.toml");
        edit(root, "levels/deep/hall.tmx", "exit", "door");
    }, "levels", 1, &["levels/deep/hall.tmx LVL303 error", "levels/deep/bitwall.toml IO008 note"]),
    ("the file of --config requires no marker any more", |root| {
        write(root, "ci/strict.toml", TOP);
        merged(root);
        write(root, "levels/cave.tmx", &without_exit());
        write(root, "ci/strict.toml", "[verify]\nignore = ['all']\n");
    }, "levels --config ci/strict.toml", 1, &["levels/cave.tmx LVL303 error", "ci/strict.toml IO008 note"]),
];

/// Adds a broken level in a folder without rules, on `base` too.
fn draft(root: &Path) {
    write(root, "levels/sketch/bitwall.toml", "[verify]\nignore = ['all']\nmarker = []\n");
    write(root, "levels/sketch/a.tmx", &with_fault().replace("name=\"exit\"", "name=\"door\""));
    merged(root);
}

/// Commits all files, and moves branch `base` to the commit.
fn merged(root: &Path) {
    commit(root);
    git(root, &["branch", "--force", "base"]);
}

fn set(tiles: &str) -> String {
    format!(
        "<tileset name=\"t\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"4\" columns=\"4\">{tiles}</tileset>"
    )
}

/// A map whose only solid tiles are those of `tiles/t.tsx`.
fn on_tiles() -> String {
    let tiles = "<tileset firstgid=\"1\" source=\"../tiles/t.tsx\"/>\n<layer id=\"9\" name=\"ground\" \
        width=\"4\" height=\"2\"><data encoding=\"csv\">1,1,1,1,0,0,0,0</data></layer>\n\
        <objectgroup id=\"2\"";
    map_of("things", "").replace("<objectgroup id=\"2\"", tiles)
}

fn link(to: &str, at: &Path) {
    #[cfg(unix)]
    std::os::unix::fs::symlink(to, at).unwrap();
    #[cfg(not(unix))]
    fs::hard_link(at.with_file_name(to), at).unwrap();
}

/// Makes a folder a repository of its own, with a commit on a branch of the same name.
fn own_repository(folder: &Path) {
    git(folder, &["init", "--quiet", "--initial-branch=base"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "-m", "own"]);
}

#[cfg(unix)]
#[test]
fn a_changed_configuration_cannot_switch_its_own_check_off() {
    let mut wrong = Vec::new();
    for (name, change, args, exit, expected) in BLINDINGS {
        let folder = project();
        let root = folder.path();
        change(root);
        git(root, &["rm", "-r", "-f", "--quiet", "--cached", "--ignore-unmatch", "levels"]);
        git(root, &["add", "--all", "--force", "."]);
        git(root, &["commit", "--quiet", "-m", "two"]);
        let (code, found, out) = check(root, args);
        println!("{name}: exit code {code}, {}", found.join(", "));
        if code != exit || found != expected {
            wrong.push(format!("{name}: {code}\n{out}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

type Honest = (&'static str, fn(&Path), &'static [&'static str]);

/// Each change has nothing wrong; the findings are notes about it.
#[rustfmt::skip]
const HONEST: [Honest; 33] = [
    ("nothing", |_| {}, &[]),
    ("an edited level", |root| edit(root, "levels/cave.tmx", "x=\"20\"", "x=\"12\""), &[]),
    ("a new level", |root| write(root, "levels/new.tmx", &map()), &[]),
    ("a new folder whose own rules it does not need", |root| {
        write(root, "levels/sand/bitwall.toml", "[solid]\nlayers = ['Sand']\n[verify]\nmarker = []\n");
        write(root, "levels/sand/dune.tmx", &map());
    }, &["levels/sand/bitwall.toml IO008 note"]),
    ("a renamed map", |root| moved(root, "levels/cave.tmx", "levels/grotto.tmx"), &[]),
    ("a renamed and edited map", |root| {
        moved(root, "levels/cave.tmx", "levels/grotto.tmx");
        edit(root, "levels/grotto.tmx", "x=\"20\"", "x=\"12\"");
    }, &[]),
    ("a renamed folder with its rules", |root| moved(root, "levels/rock", "levels/stone"),
        &["levels/stone/bitwall.toml IO008 note"]),
    ("a map moved to another folder and adapted to its rules", |root| {
        moved(root, "levels/rock/hill.tmx", "levels/hill.tmx");
        edit(root, "levels/hill.tmx", "\"Rock\"", "\"walls\"");
    }, &[]),
    ("a map moved into a folder with other rules and adapted to them", |root| {
        moved(root, "levels/cave.tmx", "levels/rock/cave.tmx");
        edit(root, "levels/rock/cave.tmx", "\"walls\"", "\"Rock\"");
    }, &[]),
    ("a level that becomes a draft", |root| {
        draft(root);
        moved(root, "levels/cave.tmx", "levels/sketch/cave.tmx");
        write(root, "levels/sketch/cave.tmx", &without_exit());
    }, &[]),
    ("a folder with a pair renamed, and its art redrawn", |root| {
        moved(root, "levels/art", "levels/pics");
        clean(&root.join("levels/pics/b.png"), [32, 8]);
    }, &["levels/pics/bitwall.toml IO008 note"]),
    ("an edited level beside a bitwall.toml that leads nowhere", |root| {
        fs::create_dir_all(root.join("levels/vendor")).unwrap();
        link("nowhere", &root.join("levels/vendor/bitwall.toml"));
        merged(root);
        edit(root, "levels/cave.tmx", "x=\"20\"", "x=\"12\"");
    }, &[]),
    ("a bitwall.toml that led nowhere is repaired", |root| {
        fs::remove_file(root.join("bitwall.toml")).unwrap();
        link("nowhere", &root.join("bitwall.toml"));
        merged(root);
        fs::remove_file(root.join("bitwall.toml")).unwrap();
        write(root, "bitwall.toml", TOP);
        edit(root, "levels/cave.tmx", "x=\"20\"", "x=\"12\"");
    }, &["bitwall.toml IO008 note"]),
    ("a deleted map", |root| git(root, &["rm", "--quiet", "levels/cave.tmx"]),
        &[]),
    ("a deleted folder with its rules", |root| git(root, &["rm", "-r", "--quiet", "levels/rock"]),
        &["levels/rock/bitwall.toml IO008 note"]),
    ("a new optional marker", |root| {
        let marker = format!("{TOP}[[verify.marker]]\nname = 'bonus'\nrole = 'pickup'\n");
        write(root, "bitwall.toml", &marker);
        edit(root, "levels/cave.tmx", "<object id=\"4\"", "<object id=\"5\" name=\"bonus\" x=\"14\" y=\"4\"><point/></object>\n<object id=\"4\"");
    }, &["bitwall.toml IO008 note"]),
    ("more rules", |root| write(root, "bitwall.toml", &TOP.replace("[verify]", "[verify]\nselect = ['LVL302']")),
        &["bitwall.toml IO008 note"]),
    ("fewer rules", |root| write(root, "bitwall.toml", &TOP.replace("[verify]", "[verify]\nignore = ['MSK']")),
        &["bitwall.toml IO008 note"]),
    ("a configuration that is gone", |root| git(root, &["rm", "--quiet", "bitwall.toml"]),
        &["bitwall.toml IO008 note"]),
    ("a comment in a configuration, and other line ends", |root| {
        write(root, "levels/rock/bitwall.toml", &ROCK.replace('\n', "\r\n"));
    }, &[]),
    ("a pair that is moved with its configuration", |root| {
        moved(root, "levels/art/a.png", "levels/art/walls/c.png");
        moved(root, "levels/art/b.png", "levels/art/seen.png");
        write(root, "levels/art/bitwall.toml", "[[verify.pair]]\nmask = 'walls/c.png'\nart = 'seen.png'\n");
    }, &["levels/art/bitwall.toml IO008 note"]),
    ("a configuration in a lower folder", |root| {
        moved(root, "bitwall.toml", "levels/bitwall.toml");
        edit(root, "levels/bitwall.toml", "levels/old/", "/old/");
    }, &["levels/bitwall.toml IO008 note"]),
    ("a mask renamed with the patterns of masks", |root| {
        write(root, "bitwall.toml", &TOP.replace("[verify]", "[verify]\nmasks = ['wall_*.png']"));
        moved(root, "levels/keep_mask.png", "levels/wall_keep.png");
    }, &["bitwall.toml IO008 note"]),
    ("an edited mask", |root| clean(&root.join("levels/keep_mask.png"), [32, 24]), &[]),
    ("a mask with a new art beside it", |root| clean(&root.join("levels/keep.png"), [32, 16]), &[]),
    ("a new world", |root| write(root, "levels/all.world",
        r#"{"type": "world", "maps": [{"fileName": "cave.tmx", "x": 0, "y": 0}]}"#), &[]),
    ("a .gitignore for a folder of a build", |root| {
        write(root, ".gitignore", "/made/\n/levels/build/\n");
        write(root, "levels/build/x.tmx", "<map");
    }, &[]),
    ("an ignored level that was ignored before", |root| edit(root, "made/built.tmx", "exit", "door"), &[]),
    ("a JSON file that was no map", |root| write(root, "levels/atlas.json", "[]"), &[]),
    ("a level in a folder that is excluded", |root| write(root, "levels/old/b.tmx", "<map"), &[]),
    ("a submodule", |root| {
        write(root, "levels/more/hall.tmx", &map());
        own_repository(&root.join("levels/more"));
    }, &[]),
    ("a deleted link", |root| git(root, &["rm", "--quiet", "levels/link.tmx"]), &[]),
    ("attributes of the files", |root| write(root, ".gitattributes", "*.tmx text eol=lf\n*.png binary\n"), &[]),
];

#[cfg(unix)]
#[test]
fn an_honest_change_has_no_findings_but_notes_about_it() {
    let mut wrong = Vec::new();
    for (name, change, expected) in HONEST {
        let folder = project();
        let root = folder.path();
        change(root);
        git(root, &["add", "--all"]);
        git(root, &["commit", "--quiet", "--allow-empty", "-m", "two"]);
        for args in ["levels", "."] {
            let (code, found, out) = check(root, args);
            if code != 0 || found != expected {
                wrong.push(format!("{name} ({args}): {code}\n{out}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The configuration of a project that had none, and one that was broken.
#[test]
fn a_configuration_can_be_added_and_repaired() {
    let folder = project();
    let root = folder.path();
    let set =
        "<tileset name=\"t\" tilewidth=\"8\" tileheight=\"8\" tilecount=\"4\" columns=\"4\"/>";
    let with_set = map_of("walls", "").replace(
        "<objectgroup id=\"2\"",
        "<tileset firstgid=\"1\" source=\"../sets/t.tsx\"/>\n<objectgroup id=\"2\"",
    );
    git(root, &["rm", "-r", "--quiet", "levels", "bitwall.toml", "made"]);
    write(root, "maps/a.tmx", &with_set);
    write(root, "sets/t.tsx", set);
    write(root, "rooms/b.tmx", &map_of("Rock", ""));
    write(root, "rooms/bitwall.toml", "[solid\n");
    commit(root);
    git(root, &["branch", "--force", "base"]);
    // A new configuration would make its folder the root of the files of an old map.
    write(root, "maps/bitwall.toml", "[verify]\nignore = ['all']\n");
    edit(root, "maps/a.tmx", "x=\"20\"", "x=\"12\"");
    let (code, found, out) = check(root, ".");
    assert_eq!((code, found), (0, vec!["maps/bitwall.toml IO008 note".to_owned()]), "{out}");
    write(root, "rooms/bitwall.toml", ROCK);
    edit(root, "rooms/b.tmx", "x=\"20\"", "x=\"12\"");
    let (code, found, out) = check(root, "rooms");
    assert_eq!((code, found), (0, vec!["rooms/bitwall.toml IO008 note".to_owned()]), "{out}");
    assert!(out.contains("is new or was broken; a bitwall.toml judges after the merge"), "{out}");
    // It is an error while it is broken, if a level was to be judged by it.
    write(root, "rooms/bitwall.toml", "[solid\n");
    let (code, found, out) = check(root, "rooms");
    assert_eq!((code, found), (1, vec!["rooms/bitwall.toml IO004 error".to_owned()]), "{out}");
}

#[test]
fn a_changed_configuration_says_that_a_level_that_needs_it_comes_after_it() {
    let folder = project();
    let root = folder.path();
    write(
        root,
        "bitwall.toml",
        "[verify]\nexclude = ['levels/old/']\n[[verify.marker]]\nname = 'door'\nat-least = 1\n",
    );
    write(root, "levels/cave.tmx", &without_exit());
    let (code, out, _) = bitwall_in(root, &["verify", "--diff", "base", "levels"], "");
    let way = "a level that needs the present one belongs in a later change";
    assert!(code == 1 && out.contains("error[LVL303]") && out.contains(way), "{out}");
    commit(root);
    git(root, &["branch", "--force", "base"]);
    write(root, "levels/cave.tmx", &(without_exit() + "\n"));
    assert_eq!(check(root, "levels").0, 0, "after the merge it counts");
}

/// The change renames the folder that the CI job checks, and edits the job.
#[test]
fn the_levels_of_a_renamed_folder_keep_their_known_findings() {
    let folder = project();
    let root = folder.path();
    write(root, "levels/cave.tmx", &with_fault());
    fs::remove_dir_all(root.join("levels/old")).unwrap();
    merged(root);
    moved(root, "levels", "maps");
    edit(root, "maps/cave.tmx", "x=\"20\"", "x=\"12\"");
    let (code, found, out) = check(root, "maps");
    assert!(code == 0 && !out.contains("0 known findings"), "{found:?} {out}");
}
