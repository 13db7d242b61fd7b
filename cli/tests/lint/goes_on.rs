//! A fault for which a game refuses a level does not keep `verify` and `diff` from the rest of the level.

use std::fs;

use serde_json::Value;

use crate::revisions::{commit, git};
use crate::shared::{bitwall_in, folder};
use crate::support::{layer, map, objects, tileset};

/// A map with this data of its walls, and a spawn in the wall of its first cell.
fn walls(data: &str) -> String {
    let walls = layer(r#"name="Walls""#, [4, 1], data);
    let spawn = objects("Things", r#"<object id="7" name="spawn" x="4" y="4"><point/></object>"#);
    map("", [4, 1], [8, 8], &(tileset([8, 8], 2, "") + &walls + &spawn))
}

#[test]
fn a_refused_map_is_checked_without_what_is_at_fault() {
    let root = folder(&[("a.tmx", &walls("1,99,99,0")), ("t.png", "")]);
    let args = ["verify", "--format", "json", "--quiet"];
    let (code, out, _) = bitwall_in(root.path(), &args, "");
    let json: Value = serde_json::from_str(&out).unwrap();
    let found = json["findings"].as_array().unwrap();
    let codes: Vec<&str> = found.iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!((code, codes), (1, vec!["LVL301", "TMX105"]), "{out}");
    assert_eq!(found[1]["severity"], "error");
    assert_eq!(found[1]["count"], 2, "{out}");
    let note = "the level was read without what is at fault in its file: see its errors";
    assert!(found[0]["notes"].as_array().unwrap().contains(&note.into()), "{out}");
    // Text that is not well-formed has no rest that could be checked.
    fs::write(root.path().join("a.tmx"), "<map").unwrap();
    let (_, out, _) = bitwall_in(root.path(), &args, "");
    assert!(out.contains("TMX101") && !out.contains("LVL301"), "{out}");
}

/// A level without walls has its markers all the same: the other level is the one that lacks the goal.
#[test]
fn a_map_without_solids_still_tells_which_markers_it_has() {
    let marker = "[[verify.marker]]\nname = 'goal'\nrole = 'goal'\n";
    let title = map("", [1, 1], [8, 8], &layer(r#"name="g""#, [1, 1], "0"));
    let root =
        folder(&[("bitwall.toml", marker), ("title.tmx", &title), ("a.tmx", &walls("1,1,0,0"))]);
    fs::write(root.path().join("t.png"), "").unwrap();
    let (_, out, _) = bitwall_in(root.path(), &["verify", "--format", "concise"], "");
    assert!(out.contains("TMX107") && out.contains("note[IO006] no level has `goal`"), "{out}");
    let goal = r#"<object id="8" name="goal"><point/></object>"#;
    let title = title.replace("</map>", &(objects("Things", goal) + "</map>"));
    fs::write(root.path().join("title.tmx"), title).unwrap();
    let (_, out, _) = bitwall_in(root.path(), &["verify", "--format", "concise"], "");
    assert!(out.contains("TMX107") && !out.contains("IO006"), "{out}");
}

#[test]
fn the_repair_of_a_refused_map_is_compared() {
    let root = folder(&[("a.tmx", &walls("1,99,0,0")), ("t.png", "")]);
    git(root.path(), &["init", "--quiet", "--initial-branch=trunk"]);
    commit(root.path());
    fs::write(root.path().join("a.tmx"), walls("1,1,0,0")).unwrap();
    commit(root.path());
    let (code, out, err) = bitwall_in(root.path(), &["diff", "HEAD~1", "HEAD"], "");
    assert_eq!((code, &*err), (1, ""), "{out}");
    assert!(out.contains("a.tmx: 1 cell became solid, in 1 patch"), "{out}");
    assert!(out.contains("compared without a part before: ") && out.contains("99"), "{out}");
    assert!(!out.contains("cannot be compared") && !out.contains("a part after"), "{out}");

    let args = ["diff", "HEAD~1:a.tmx", "a.tmx"];
    let (code, out, err) = bitwall_in(root.path(), &args, "");
    assert!(code == 1 && out.contains("1 cell became solid"), "{out}");
    assert!(err.contains("compared without a part: ") && err.contains("99"), "{err}");
}

/// A fault that comes with a change is told, although the rest of the level is the same.
#[test]
fn a_new_fault_is_a_difference() {
    let root = folder(&[("a.tmx", &walls("1,0,0,0")), ("t.png", "")]);
    git(root.path(), &["init", "--quiet", "--initial-branch=trunk"]);
    commit(root.path());
    fs::write(root.path().join("a.tmx"), walls("1,99,0,0")).unwrap();
    let (code, out, _) = bitwall_in(root.path(), &["diff", "HEAD"], "");
    assert!(code == 1 && out.contains("compared without a part after: "), "{out}");
}
