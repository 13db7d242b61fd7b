//! Small files with a large part that is used many times: definitions of an LDtk project in each of its
//! levels and layers, a name in each value, a template in each object.
//!
//! Every command takes at most 2 seconds of processor time and 256 MiB of address space, and `diff`, which
//! holds two levels, 300 MiB.

use std::fmt::Display;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::shared::{check_all, folder, run_limited};

const MOST_WORK: Duration =
    Duration::from_secs(if cfg!(target_pointer_width = "32") { 4 } else { 2 });

/// Returns the items in a list of JSON, without its brackets.
fn listed<T: Display>(items: impl Iterator<Item = T>) -> String {
    items.map(|item| item.to_string()).collect::<Vec<_>>().join(",")
}

/// Returns an LDtk project. `values` and `tilesets` are its definitions.
fn project(values: &str, tilesets: &str, levels: &str) -> String {
    let values = format!(r#"{{"uid":1,"intGridValues":[{values}]}}"#);
    format!(
        r#"{{"__header__":{{"fileType":"LDtk Project JSON"}},"jsonVersion":"1.5.3","worldLayout":
        "LinearHorizontal","defs":{{"layers":[{values}],"tilesets":[{tilesets}]}},"levels":[{levels}]}}"#
    )
}

fn level(rest: &str, layers: &str) -> String {
    format!(r#"{{"pxWid":16,"pxHei":16,{rest}"layerInstances":[{layers}]}}"#)
}

const WALL: &str = r#"{"value":1,"identifier":"wall"}"#;

const INT_GRID: &str = r#"{"__identifier":"G","__type":"IntGrid","__cWid":1,"__cHei":1,"__gridSize":16,
    "layerDefUid":1,"intGridCsv":[1]}"#;

/// Returns a layer of this many tiles, all in one cell.
fn tiles(name: &str, count: usize) -> String {
    let tiles = listed((0..count).map(|_| r#"{"px":[0,0],"t":0}"#));
    format!(
        r#"{{"__identifier":"{name}","__type":"Tiles","__cWid":1,"__cHei":1,"__gridSize":16,
        "__tilesetDefUid":9,"gridTiles":[{tiles}]}}"#
    )
}

/// Returns a tileset with a tag for the first `count` tiles.
fn tileset(count: u32) -> String {
    format!(
        r#"{{"uid":9,"identifier":"T","relPath":"t.png","pxWid":4096,"pxHei":4096,"tileGridSize":16,
        "spacing":0,"padding":0,"enumTags":[{{"enumValueId":"","tileIds":[{}]}}]}}"#,
        listed(0..count)
    )
}

/// Returns the field `f` of a level.
fn field(kind: &str, value: &str) -> String {
    format!(r#""fieldInstances":[{{"__identifier":"f","__type":"{kind}","__value":{value}}}],"#)
}

fn projects() -> Vec<(&'static str, String)> {
    let values = listed((1..=20_000).map(|value| format!(r#"{{"value":{value}}}"#)));
    let members = listed((0..80_000).map(|name| format!(r#""{name:x}":1"#)));
    let classes = |count| format!("[{}]", listed((0..count).map(|_| r#"{"a":1}"#)));
    let long = "n".repeat(400_000);
    let tagged = level("", &tiles("T", 1));
    let of_world = listed((0..4_000).map(|_| r#"{"pxWid":16,"pxHei":16,"layerInstances":[]}"#));
    let world = format!(
        r#""worlds":[{{"identifier":"{long}","worldLayout":"LinearHorizontal","levels":[{of_world}]}}],"#
    );
    let all_values = listed(1..=30_000);
    let large = INT_GRID
        .replace(
            r#""__cWid":1,"__cHei":1,"__gridSize":16"#,
            r#""__cWid":150,"__cHei":200,"__gridSize":1"#,
        )
        .replace("[1]", &format!("[{all_values}]"));
    let used = format!(r#"{{"pxWid":150,"pxHei":200,"layerInstances":[{large},{large}]}}"#);
    vec![
        ("values.ldtk", project(&values, "", &level("", &listed((0..128).map(|_| INT_GRID))))),
        ("used_values.ldtk", project(&values, "", &used)),
        ("tags.ldtk", project("", &tileset(65_000), &listed((0..2_000).map(|_| &tagged)))),
        (
            "members.ldtk",
            project(WALL, "", &level(&field("X", &format!("{{{members}}}")), INT_GRID)),
        ),
        ("classes.ldtk", project(WALL, "", &level(&field("X", &classes(110_000)), INT_GRID))),
        ("type.ldtk", project(WALL, "", &level(&field(&long, &classes(40_000)), INT_GRID))),
        ("layer.ldtk", project("", &tileset(1), &level("", &tiles(&long, 1_000)))),
        (
            "world.ldtk",
            project(WALL, "", "").replace(r#""jsonVersion""#, &(world + r#""jsonVersion""#)),
        ),
    ]
}

fn map(content: &str) -> String {
    format!(
        r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16"><tileset
        firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="1" columns="1"><image source="a.png"
        width="16" height="16"/></tileset>{content}<layer name="walls" width="1" height="1"><data
        encoding="csv">1</data></layer></map>"#
    )
}

fn maps() -> Vec<(&'static str, String)> {
    let instances = |template, count| {
        let object = format!(r#"<object template="{template}"/>"#);
        map(&format!(r#"<objectgroup name="o">{}</objectgroup>"#, object.repeat(count)))
    };
    // A tileset whose property makes each of its tiles a trigger.
    let trigger = |i: u32| {
        format!(
            r#"<tileset firstgid="{}" name="t" tilewidth="1" tileheight="1" tilecount="65536" columns="256">
            <image source="a.png" width="256" height="256"/><properties><property name="trigger" type="bool"
            value="true"/></properties><tileoffset x="{i}" y="1"/></tileset>"#,
            2 + 65_536 * i
        )
    };
    let triggers: String = (0..255).map(trigger).collect();
    vec![
        ("classes.tmx", instances("classes.tx", 20_000)),
        ("properties.tmx", instances("properties.tx", 20_000)),
        ("triggers.tmx", map(&triggers)),
    ]
}

/// The templates that [`maps`] name.
fn templates() -> Vec<(&'static str, String)> {
    let template = |properties: &str| {
        format!("<template><object><properties>{properties}</properties></object></template>")
    };
    let class =
        r#"<item type="class"><properties><property name="a" value=""/></properties></item>"#;
    let list = format!(r#"<property name="p" type="list">{}</property>"#, class.repeat(5_000));
    let many: String = (0..100).map(|i| format!(r#"<property name="{i:x}"/>"#)).collect();
    vec![("classes.tx", template(&list)), ("properties.tx", template(&many))]
}

fn check(path: &Path, scratch: &Path) -> Result<(), String> {
    let out = scratch.display();
    let commands = [
        "info --no-config".to_owned(),
        "verify --select all".to_owned(),
        format!("render -o {out}/picture.png"),
        format!("diff '{}'", path.display()),
        format!("bake -o {out}/level.bwl"),
        "can-move --questions -".to_owned(),
    ];
    let mut faults = Vec::new();
    for command in commands {
        let mib = if command.starts_with("diff") { 300 } else { 256 };
        let output = run_limited(path, mib << 10, MOST_WORK, &command);
        let status = output.map(|output| output.status);
        match status.as_ref().map(std::process::ExitStatus::code) {
            Ok(Some(0..=2)) => {}
            _ => faults.push(format!("{command}: {status:?}")),
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

#[test]
fn a_part_that_is_used_many_times_takes_memory_and_time_in_proportion_to_the_file() {
    let levels: Vec<_> = projects().into_iter().chain(maps()).collect();
    let all: Vec<_> = levels.iter().chain(&templates()).cloned().collect();
    let files: Vec<(&str, &str)> = all.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder(&files);
    let paths: Vec<_> = levels.iter().map(|(name, _)| folder.path().join(name)).collect();
    for path in &paths {
        assert!(fs::metadata(path).unwrap().len() < 1_000_000, "{path:?}");
    }
    check_all(&paths, check);
}
