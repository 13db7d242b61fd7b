//! The Tiled project of a level counts among the files of the level in every command.

use std::fs;
use std::path::Path;

use crate::revisions::{commit, git};
use crate::shared::{bitwall_in, folder};

/// A map of 3 x 2 tiles with one tile of the class `Block`. Only a project makes this tile solid.
const MAP: &str = r#"<map orientation="orthogonal" width="3" height="2" tilewidth="8" tileheight="8">
<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="2" columns="2">
<tile id="0" type="Block"/><tile id="1"><properties><property name="solid" type="bool" value="true"/></properties></tile>
</tileset><layer id="1" name="Ground" width="3" height="2"><data encoding="csv">1,0,2,0,0,2</data></layer></map>"#;

fn project(is_solid: bool) -> String {
    format!(
        r#"{{"folders":["maps"],"propertyTypes":[{{"type":"class","id":1,"name":"Block","useAs":["tile"],
        "members":[{{"name":"solid","type":"bool","value":{is_solid}}}]}}]}}"#
    )
}

fn object_types(is_solid: bool) -> String {
    format!(
        r#"<objecttypes><objecttype name="Block"><property name="solid" type="bool" default="{is_solid}"/>
        </objecttype></objecttypes>"#
    )
}

fn run(root: &Path, args: &[&str]) -> (i32, String) {
    let (code, out, err) = bitwall_in(root, args, "");
    (code, out + &err)
}

#[test]
fn info_shows_the_defaults_of_a_class_as_if_the_map_stated_them() {
    let stated = MAP.replace(
        "<tile id=\"0\" type=\"Block\"/>",
        "<tile id=\"0\" type=\"Block\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/>\
         </properties></tile>",
    );
    let whole = folder(&[("maps/a.tmx", &stated)]);
    let implied = folder(&[("maps/a.tmx", MAP), ("game.tiled-project", &project(true))]);
    let shown = |root: &Path| {
        let (code, text) = run(root, &["info", "maps/a.tmx"]);
        assert_eq!(code, 0, "{text}");
        let solids = text.lines().filter(|line| line.contains("solid"));
        solids.collect::<Vec<_>>().join("\n")
    };
    let text = shown(implied.path());
    assert_eq!(text, shown(whole.path()));
    assert!(text.contains("3 tiles"), "{text}");
}

#[test]
fn a_change_of_a_project_changes_its_levels() {
    let old = r#"{"folders":["maps"],"objectTypesFile":"conf/types.xml"}"#;
    for (name, before, after) in [
        ("game.tiled-project", project(false), project(true)),
        ("conf/types.xml", object_types(false), object_types(true)),
    ] {
        let folder = folder(&[("maps/a.tmx", MAP), ("game.tiled-project", old), (name, &before)]);
        let root = folder.path();
        git(root, &["init", "--quiet", "--initial-branch=trunk"]);
        assert_eq!(run(root, &["bake", "maps/a.tmx", "-o", "maps/a.bwl"]).0, 0);
        commit(root);
        assert_eq!(run(root, &["bake", "--check", "maps/a.tmx", "-o", "maps/a.bwl"]).0, 0);
        assert_eq!(run(root, &["diff", "HEAD"]).0, 0, "{name}");
        fs::write(root.join(name), &after).unwrap();
        let (code, text) = run(root, &["diff", "HEAD"]);
        assert_eq!(code, 1, "{name}: {text}");
        assert!(text.contains("maps/a.tmx") && text.contains("1 cell became solid"), "{text}");
        let (code, text) = run(root, &["diff", "HEAD:maps/a.tmx", "maps/a.tmx"]);
        assert!(code == 1 && text.contains("1 cell became solid"), "{name}: {text}");
        assert_eq!(
            run(root, &["bake", "--check", "maps/a.tmx", "-o", "maps/a.bwl"]).0,
            1,
            "{name}"
        );
        // The findings are those of a changed level, although its own file is unchanged.
        let (code, text) = run(root, &["verify", "--diff", "HEAD", "maps"]);
        assert!(code == 1 && text.contains("LVL310"), "{name}: {text}");
        fs::write(root.join(name), after.replace(['}', '<'], "")).unwrap();
        let (code, text) = run(root, &["verify", "--diff", "HEAD", "maps"]);
        assert!(code == 1 && text.contains("class `Block`"), "{name}: {text}");
    }
}
