//! The policy of refusal: a fault that cannot change a solid pixel is a warning with its count; one that can
//! is an error, over which a lenient load passes with a warning. `src/guide/levels.md` lists the faults.

use std::fs;

use bitwall::error::WarningCause;
use bitwall::{LoadError, LoadOptions, LoadedLevel};

/// A map of 4 x 3 tiles: walls, flowers that are scenery, a switch that is not placed, and two places.
const TMX: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="3" tilewidth="8" tileheight="8">
 <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="4" columns="2">
  <image source="t.png" width="16" height="16"/>
  <tile id="2"><animation><frame tileid="2" duration="9"/></animation></tile>
  <tile id="3"><properties><property name="hp" type="int" value="1"/></properties></tile>
 </tileset>
 <layer id="1" name="walls" width="4" height="3"><data encoding="csv">1,0,0,2,0,0,0,0,1,1,1,1</data></layer>
 <layer id="2" name="flowers" width="4" height="3"><data encoding="csv">0,3,3,0,3,3,3,0,0,0,0,0</data></layer>
 <objectgroup id="3" name="things">
  <object id="1" name="start" x="8" y="8" width="8" height="8"/>
  <object id="2" name="goal" x="16" y="8"><point/></object>
 </objectgroup>
</map>"##;

const TMJ: &str = r##"{"type":"map","version":"1.10","orientation":"orthogonal","infinite":false,
"width":4,"height":3,"tilewidth":8,"tileheight":8,
"tilesets":[{"firstgid":1,"name":"t","tilewidth":8,"tileheight":8,"tilecount":4,"columns":2,
  "image":"t.png","imagewidth":16,"imageheight":16}],
"layers":[
 {"type":"tilelayer","id":1,"name":"walls","width":4,"height":3,"data":[1,0,0,2,0,0,0,0,1,1,1,1]},
 {"type":"tilelayer","id":2,"name":"flowers","width":4,"height":3,"data":[0,3,3,0,3,3,3,0,0,0,0,0]},
 {"type":"objectgroup","id":3,"name":"things","objects":[
  {"id":1,"name":"start","x":8,"y":8,"width":8,"height":8}]}]}"##;

const LDTK: &str = r##"{"__header__":{"fileType":"LDtk Project JSON"},"jsonVersion":"1.5.3","worldLayout":"Free",
"defs":{"layers":[{"uid":1,"intGridValues":[{"value":1,"identifier":"wall","color":"#AA0000"}]},
  {"uid":2,"intGridValues":[{"value":1,"identifier":"fog","color":"#AAAAAA"}]}],
 "tilesets":[{"uid":7,"identifier":"Cave","relPath":"cave.png","pxWid":16,"pxHei":16,"tileGridSize":8,
  "spacing":0,"padding":0}]},
"levels":[{"identifier":"Room","worldX":0,"worldY":0,"worldDepth":0,"pxWid":32,"pxHei":24,
 "__bgColor":"#102030","fieldInstances":[],"layerInstances":[
 {"__identifier":"Things","__type":"Entities","__cWid":4,"__cHei":3,"__gridSize":8,"__opacity":1,
  "layerDefUid":3,"visible":true,"entityInstances":[
  {"__identifier":"Start","__pivot":[0,0],"px":[8,8],"width":8,"height":8,"fieldInstances":[]}]},
 {"__identifier":"Art","__type":"Tiles","__cWid":4,"__cHei":3,"__gridSize":8,"__opacity":1,
  "layerDefUid":4,"visible":true,"__tilesetDefUid":7,"gridTiles":[{"px":[8,0],"f":0,"t":1,"a":1}]},
 {"__identifier":"Fog","__type":"IntGrid","__cWid":4,"__cHei":3,"__gridSize":8,"__opacity":1,
  "layerDefUid":2,"visible":true,"intGridCsv":[0,1,1,0,0,0,0,0,0,0,0,0],"autoLayerTiles":[]},
 {"__identifier":"Solids","__type":"IntGrid","__cWid":4,"__cHei":3,"__gridSize":8,"__opacity":1,
  "layerDefUid":1,"visible":true,"intGridCsv":[1,0,0,1,0,0,0,0,1,1,1,1],"autoLayerTiles":[]}]}],"worlds":[]}"##;

const SOLIDS: &str = "#..#\n....\n####";

const FLOWERS: &str = "0,3,3,0,3,3,3,0,0,0,0,0";
const WALLS: &str = "1,0,0,2,0,0,0,0,1,1,1,1";
const START: &str = r#"width="8" height="8"/>"#;
const START_OF_LAYER: &str = r#"<layer id="1""#;

/// What is odd, the text that it replaces in the base file, its own text, and how often it is counted.
type Oddity = (&'static str, &'static str, &'static str, u64);

const IN_TMX: &[Oddity] = &[
    (
        "a bool as Python writes it",
        START,
        r#"><properties><property name="lit" type="bool" value="True"/></properties></object>"#,
        1,
    ),
    (
        "an unclear bool that no rule uses",
        START,
        r#"><properties><property name="lit" type="bool" value="maybe"/></properties></object>"#,
        1,
    ),
    ("a flag in capital letters", r#"<object id="1""#, r#"<object id="1" visible="True""#, 1),
    (
        "a property that is set twice",
        START,
        r#"><properties><property name="a"/><property name="a" value="2"/></properties></object>"#,
        0,
    ),
    (
        "a property without a name",
        START,
        r#"><properties><property value="2"/></properties></object>"#,
        1,
    ),
    ("a negative size", START, r#"width="-8" height="-8"/>"#, 2),
    ("a place that is no number", r#"x="16" y="8""#, r#"x="NaN" y="8""#, 1),
    ("an id that is no number", r#"<object id="1""#, r#"<object id="-1""#, 1),
    ("an opacity that is no number", r#"name="walls""#, r#"name="walls" opacity="half""#, 1),
    ("a layer with an unclear flag", r#"name="walls""#, r#"name="walls" visible="yes""#, 1),
    ("an object with an unclear flag", r#"<object id="1""#, r#"<object id="1" visible="yes""#, 1),
    ("a negative spacing", r#"columns="2""#, r#"columns="2" spacing="-1""#, 1),
    ("a margin that is no number", r#"columns="2""#, r#"columns="2" margin="some""#, 1),
    ("a skew of a map without skew", "version=\"1.10\"", "version=\"1.10\" skewx=\"q\"", 1),
    ("a parallax that is no number", r#"name="walls""#, r#"name="walls" parallaxx="far""#, 1),
    ("an object of two shapes", "<point/>", "<point/><ellipse/>", 1),
    ("a polygon without readable points", "<point/>", r#"<polygon points="0,0 a,b"/>"#, 1),
    (
        "scenery of another size than the map",
        r#"name="flowers" width="4" height="3"><data encoding="csv">0,3,3,0"#,
        r#"name="flowers" width="4" height="4"><data encoding="csv">0,3,3,0,0,3,3,0"#,
        1,
    ),
    ("scenery that is cut short", FLOWERS, "0,3,3,0", 1),
    ("scenery that is no text of numbers", FLOWERS, "0,3,x,0", 1),
    ("scenery without data", "<data encoding=\"csv\">0,3,3,0,3,3,3,0,0,0,0,0</data>", "", 1),
    (
        "scenery in an unknown encoding",
        "<data encoding=\"csv\">0,3",
        "<data encoding=\"hex\">0,3",
        1,
    ),
    (
        "scenery with two lists of cells",
        "0,0</data></layer>\n <obj",
        "0,0</data><data/></layer>\n <obj",
        1,
    ),
    ("unknown tiles in scenery", FLOWERS, "9,9,70,0,9,9,9,0,0,0,0,9", 7),
    ("an object that shows an unknown tile", START, r#"gid="50"/>"#, 1),
    (
        "compressed numbers",
        "<data encoding=\"csv\">1,0",
        "<data encoding=\"csv\" compression=\"zlib\">1,0",
        0,
    ),
    (
        "a lost tileset that no cell uses",
        START_OF_LAYER,
        r#"<tileset firstgid="900" source="lost.tsx"/><layer id="1""#,
        1,
    ),
    (
        "a tileset of Tiled itself",
        START_OF_LAYER,
        r#"<tileset firstgid="900" source=":/automap-tiles.tsx"/><layer id="1""#,
        1,
    ),
    (
        "an unused tileset with an absolute path",
        START_OF_LAYER,
        r#"<tileset firstgid="900" source="/usr/lost.tsx"/><layer id="1""#,
        1,
    ),
    (
        "a template outside the root",
        r#"<object id="2""#,
        r#"<object id="2" template="../Downloads/door.tx""#,
        1,
    ),
    (
        "a lost template",
        r#"<object id="1" name="start""#,
        r#"<object id="1" template="lost.tx"/><object id="3" template="lost.tx""#,
        2,
    ),
    ("a tile that stands twice", r#"<tile id="2">"#, r#"<tile id="2"/><tile id="2">"#, 0),
    (
        "a picture without a readable size",
        r#"source="t.png" width="16""#,
        r#"source="t.png" width="wide""#,
        1,
    ),
    ("a frame without a readable duration", r#"duration="9""#, r#"duration="-9""#, 1),
    ("one-way as a number in a text", r#"name="hp" type="int""#, r#"name="one_way""#, 1),
    ("one-way as a number", r#"name="hp""#, r#"name="one_way""#, 1),
    ("an encoding of the west", "encoding=\"UTF-8\"", "encoding=\"ISO-8859-1\"", 1),
    ("an encoding of Windows", "encoding=\"UTF-8\"", "encoding=\"windows-1252\"", 1),
];

const IN_TMJ: &[Oddity] = &[
    (
        "a name that stands twice",
        r#""width":4,"height":3,"tilewidth""#,
        r#""width":9,"width":4,"height":3,"tilewidth""#,
        0,
    ),
    (
        "numbers as a text",
        r#"[1,0,0,2,0,0,0,0,1,1,1,1]"#,
        r#""1,0,0,2,0,0,0,0,1,1,1,1","encoding":"csv""#,
        0,
    ),
    (
        "numbers that claim to be base64",
        r#"[1,0,0,2,0,0,0,0,1,1,1,1]"#,
        r#"[1,0,0,2,0,0,0,0,1,1,1,1],"encoding":"base64""#,
        0,
    ),
    ("a grid that is an empty list", r#""columns":2,"#, r#""columns":2,"grid":[],"#, 0),
    (
        "a bool as a text in Python's letters",
        r#""width":8,"height":8}"#,
        r#""properties":[{"name":"lit","type":"bool","value":"True"}]}"#,
        1,
    ),
    ("a negative size", r#""width":8,"height":8}"#, r#""width":-8,"height":8}"#, 1),
    ("a place that is no single value", r#""x":8"#, r#""x":[8]"#, 1),
    ("scenery that is cut short", "[0,3,3,0,3,3,3,0,0,0,0,0]", "[0,3,3,0]", 1),
    ("scenery that is no list", "[0,3,3,0,3,3,3,0,0,0,0,0]", "{}", 2),
    ("unknown tiles in scenery", "[0,3,3,0,3,3,3,0,0,0,0,0]", "[0,9,9,0,9,9,9,0,0,0,0,0]", 5),
    (
        "a lost tileset that no cell uses",
        r#""tilesets":["#,
        r#""tilesets":[{"firstgid":900,"source":"lost.tsj"},"#,
        1,
    ),
    ("a lost template", r#"{"id":1,"#, r#"{"id":1,"template":"lost.tj","#, 1),
];

const IN_LDTK: &[Oddity] = &[
    ("a short colour", "#102030", "#000", 1),
    ("an opacity above 1", r#""__opacity":1"#, r#""__opacity":2"#, 1),
    ("a name that stands twice", r#""visible":true"#, r#""visible":1,"visible":true"#, 0),
    (
        "a background without a place",
        r#""__bgColor""#,
        r#""bgRelPath":"a.png","__bgPos":{"cropRect":[1]},"__bgColor""#,
        1,
    ),
    ("flips that are no number", r#""f":0"#, r#""f":"x""#, 1),
    ("scenery that is cut short", "[0,1,1,0,0,0,0,0,0,0,0,0]", "[0,1,1]", 1),
    (
        "values with a fraction of zeros",
        "[1,0,0,1,0,0,0,0,1,1,1,1]",
        "[1.0,0.0,0.0, 1.00 ,0,0,0,0,1.0,1.0,1.0,1.0]",
        0,
    ),
];

fn loaded(name: &str, bytes: &[u8], lenient: bool) -> Result<LoadedLevel, LoadError> {
    let options = LoadOptions { lenient, ..LoadOptions::default() };
    LoadedLevel::decode(name, bytes, (), &options)
}

/// Writes a text in ISO-8859-1.
fn western(text: &str) -> Vec<u8> {
    text.chars().map(|letter| u8::try_from(u32::from(letter)).unwrap()).collect()
}

#[test]
fn a_harmless_oddity_is_a_warning_with_its_count_and_changes_no_solid() {
    let folder = tempfile::tempdir().unwrap();
    let (mut count, mut faults) = (0, Vec::new());
    for (name, base, oddities) in
        [("m.tmx", TMX, IN_TMX), ("m.tmj", TMJ, IN_TMJ), ("m.ldtk", LDTK, IN_LDTK)]
    {
        let plain = loaded(name, base.as_bytes(), false).unwrap();
        assert_eq!(plain.level.grid().to_string(), SOLIDS, "{name}");
        assert!(plain.warnings.is_empty(), "{name}: {:?}", plain.warnings);
        for (what, old, new, times) in oddities {
            assert!(base.contains(old), "{what}");
            let mut bytes = base.replacen(old, new, 1).into_bytes();
            if what.starts_with("an encoding") {
                let text = base.replacen(old, new, 1).replace("goal", "Größe");
                bytes = western(&text);
            }
            let path = folder.path().join(name);
            fs::write(&path, &bytes).unwrap();
            for (road, level) in [
                ("from bytes", loaded(name, &bytes, false)),
                ("leniently", loaded(name, &bytes, true)),
                ("by path", LoadedLevel::load(&path, &LoadOptions::default())),
            ] {
                match level {
                    Ok(level) if is_as_plain(&level, &plain, *times) => {}
                    Ok(LoadedLevel { level, warnings, .. }) => faults
                        .push(format!("{name}: {what} {road}:\n{}\n{warnings:?}", level.grid())),
                    Err(error) => faults.push(format!("{name}: {what} {road}: {error}")),
                }
            }
            count += 1;
        }
    }
    println!("{count} oddities load with a warning");
    assert!(count >= 45 && faults.is_empty(), "{count}\n{}", faults.join("\n"));
}

/// True if a level has the solids of the plain level, and warnings that count `times` faults.
fn is_as_plain(level: &LoadedLevel, plain: &LoadedLevel, times: u64) -> bool {
    let known = [WarningCause::Fault, WarningCause::TextFlag];
    level.level.grid() == plain.level.grid()
        && level.warnings.iter().map(|warning| warning.count).sum::<u64>() == times
        && level.warnings.iter().all(|warning| known.contains(&warning.cause))
        && level.warnings.len() <= 2
}

/// What is dangerous, the text that it replaces, its own text, a part of the place in the error, and the
/// solids of a lenient load.
type Danger = (&'static str, &'static str, &'static str, &'static str, &'static str);

const TMX_DANGERS: &[Danger] = &[
    (
        "solid cells are missing",
        WALLS,
        "1,0,0,2",
        "line 8, byte 78, layer `walls`",
        "#..#\n....\n....",
    ),
    ("there are too many solid cells", WALLS, "1,0,0,2,0,0,0,0,1,1,1,1,1", "layer `walls`", SOLIDS),
    ("a solid cell is no number", WALLS, "1,0,0,2,0,x", "layer `walls`", "#..#\n....\n...."),
    (
        "a solid layer has no data",
        "<data encoding=\"csv\">1,0,0,2,0,0,0,0,1,1,1,1</data>",
        "<!-- -->",
        "layer `walls`",
        "",
    ),
    (
        "a solid layer has two lists of cells",
        "1,1</data>",
        "1,1</data><data encoding=\"csv\">1,0,0,2,0,0,0,0,1,1,1,1</data>",
        "layer `walls`",
        SOLIDS,
    ),
    (
        "a solid cell has an unknown tile",
        WALLS,
        "1,0,0,99,0,0,0,0,1,1,1,1",
        "layer `walls`, col 3, row 0",
        "#...\n....\n####",
    ),
    (
        "a tileset of solid cells is lost",
        r#"<tileset firstgid="1" name="t" tilewidth="8""#,
        r#"<tileset firstgid="1" source="lost.tsx"/><tileset firstgid="99" name="t" tilewidth="8""#,
        "line 3",
        SOLIDS,
    ),
    (
        "a template of a solid layer is lost",
        "</map>",
        r#"<objectgroup name="more" class="collision"><object id="9" template="lost.tx"/></objectgroup></map>"#,
        "layer `more`, object 9",
        SOLIDS,
    ),
    (
        "a solid object has no readable place",
        "</map>",
        r#"<objectgroup name="more"><object id="9" class="wall" x="?" y="8" width="8" height="8"/></objectgroup></map>"#,
        "layer `more`, object 9",
        "#..#\n#...\n####",
    ),
    (
        "a solid flag is unclear",
        r#"name="hp" type="int" value="1""#,
        r#"name="solid" type="bool" value="maybe""#,
        "line 6, byte 78, tileset `t`",
        SOLIDS,
    ),
    (
        "a one-way side is unknown",
        r#"name="hp" type="int" value="1""#,
        r#"name="one_way" value="inside""#,
        "",
        SOLIDS,
    ),
    (
        "a tile's shape is unreadable",
        r#"<tile id="2">"#,
        r#"<tile id="2"><objectgroup><object id="1"><polygon points="?"/></object></objectgroup>"#,
        "tileset `t`, object 1",
        SOLIDS,
    ),
    (
        "two tilesets start at the same tile",
        START_OF_LAYER,
        r#"<tileset firstgid="1" name="u" tilewidth="8" tileheight="8" tilecount="4"><image source="u.png"/></tileset><layer id="1""#,
        "",
        SOLIDS,
    ),
    (
        "a tileset has no first tile",
        START_OF_LAYER,
        r#"<tileset name="u" tilewidth="8" tileheight="8"/><layer id="1""#,
        "line 8",
        SOLIDS,
    ),
    ("the orientation is unknown", "orthogonal", "round", "line 2", SOLIDS),
    (
        "the map has no width",
        r#"width="4" height="3" tilewidth"#,
        r#"height="3" tilewidth"#,
        "line 2",
        SOLIDS,
    ),
    ("a text is not UTF-8", "goal", "Gr\u{f6}\u{df}e", "", SOLIDS),
    ("an encoding is unknown", "encoding=\"UTF-8\"", "encoding=\"koi8-r\"", "", SOLIDS),
];

const LDTK_DANGERS: &[Danger] = &[
    (
        "solid values are missing",
        "[1,0,0,1,0,0,0,0,1,1,1,1]",
        "[1,0,0,1]",
        "layer `Solids`",
        "#..#\n....\n....",
    ),
    (
        "a layer is of an unknown type",
        r#""__type":"Tiles""#,
        r#""__type":"Voxels""#,
        "layer `Art`",
        SOLIDS,
    ),
    ("a tile has no readable place", r#"{"px":[8,0],"#, r#"{"px":[8],"#, "layer `Art`", SOLIDS),
    ("a tile is not in its tileset", r#""t":1"#, r#""t":90"#, "layer `Art`", SOLIDS),
];

#[test]
fn a_fault_that_can_change_a_solid_pixel_is_an_error_and_a_lenient_load_passes_over_it() {
    let mut faults = Vec::new();
    let lenient =
        LoadOptions { lenient: true, allow_nothing_solid: true, ..LoadOptions::default() };
    for (name, base, dangers) in [("m.tmx", TMX, TMX_DANGERS), ("m.ldtk", LDTK, LDTK_DANGERS)] {
        for (what, old, new, place, solids) in dangers {
            assert!(base.contains(old), "{what}");
            let text = base.replacen(old, new, 1);
            let mut bytes = text.clone().into_bytes();
            if what.contains("UTF-8") || what.contains("encoding") {
                bytes = western(&text.replace("goal", "Größe"));
            }
            match loaded(name, &bytes, false) {
                Ok(_) => faults.push(format!("{what}: it loads")),
                Err(error) => {
                    let line = error.to_string();
                    let is_advised = error.kind().is_passable() || name == "m.ldtk";
                    if !line.contains(place) || !line.starts_with(name) || !is_advised {
                        faults.push(format!("{what}: {line}"));
                    }
                }
            }
            match LoadedLevel::decode(name, &bytes, (), &lenient) {
                Ok(LoadedLevel { level, warnings, .. }) => {
                    let drawn = level.grid().to_string();
                    let is_right = drawn == *solids || solids.is_empty() && level.is_blank();
                    if !is_right || warnings.is_empty() {
                        faults.push(format!("{what}:\n{drawn}\n{warnings:?}"));
                    }
                }
                Err(error) => faults.push(format!("{what} leniently: {error}")),
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn one_way_may_be_a_number_or_a_word_for_true_or_false() {
    let map = |property: &str| {
        let new = format!("<property name=\"one_way\" {property}/>");
        let old = r#"<property name="hp" type="int" value="1"/>"#;
        let text = TMX.replacen(old, &new, 1).replacen("0,3,3,0", "0,4,4,0", 1);
        let loaded = loaded("m.tmx", text.as_bytes(), false).unwrap();
        let up = loaded.level.one_way(bitwall::Dir::Up).map(ToString::to_string);
        (up.unwrap_or_default(), loaded.warnings.len())
    };
    let plain = map(r#"type="bool" value="true""#);
    assert_eq!((plain.0.matches('#').count() > 0, plain.1), (true, 0));
    for yes in
        [r#"value="1""#, r#"value="Yes""#, r#"type="int" value="1""#, r#"type="float" value="1.0""#]
    {
        assert_eq!(map(yes), (plain.0.clone(), 1), "{yes}");
    }
    for no in [r#"value="0""#, r#"value="no""#, r#"type="int" value="0""#] {
        assert_eq!(map(no), (String::new(), 1), "{no}");
    }
}

#[test]
fn a_layer_of_another_size_keeps_its_own_rows_and_ends_at_the_maps_border() {
    let old = format!(r#"name="walls" width="4" height="3"><data encoding="csv">{WALLS}"#);
    for (size, cells, solids) in [
        (r#"width="5" height="2""#, "1,0,0,2,1,0,1,1,0,1", "#..#\n.##.\n...."),
        (r#"width="2" height="4""#, "1,0,0,2,1,1,1,1", "#...\n.#..\n##.."),
    ] {
        let new = format!(r#"name="walls" {size}><data encoding="csv">{cells}"#);
        assert!(TMX.contains(&old));
        let level = loaded("m.tmx", TMX.replacen(&old, &new, 1).as_bytes(), false).unwrap();
        assert_eq!((level.level.grid().to_string().as_str(), level.warnings.len()), (solids, 1));
    }
}

/// Before LDtk 0.8, an IntGrid layer listed its cells with a value, and values had no number.
#[test]
fn a_project_of_an_old_ldtk_has_the_same_solids() {
    let cells = [0, 3, 8, 9, 10, 11].map(|cell| format!("{{\"coordId\":{cell},\"v\":0}}"));
    let old = LDTK
        .replace(r#"{"value":1,"identifier""#, r#"{"identifier""#)
        .replace(r#""intGridCsv":[0,1,1,0,0,0,0,0,0,0,0,0]"#, r#""intGrid":[]"#)
        .replace(
            r#""intGridCsv":[1,0,0,1,0,0,0,0,1,1,1,1]"#,
            &format!("\"intGrid\":[{}]", cells.join(",")),
        )
        .replace(r#""__pivot":[0,0],"#, "")
        .replace(r#","width":8,"height":8,"fieldI"#, r#","fieldI"#);
    let level = loaded("m.ldtk", old.as_bytes(), false).unwrap();
    assert_eq!(level.level.grid().to_string(), SOLIDS);
    assert!(level.level.marker("Start").is_some());
    let beyond = old.replace("\"coordId\":11", "\"coordId\":12");
    let error = loaded("m.ldtk", beyond.as_bytes(), false).unwrap_err().to_string();
    assert!(error.contains("a cell beyond the 12 cells of its layer"), "{error}");
}

#[test]
fn files_of_other_editors_are_named_with_one_thing_to_do() {
    for (name, text, editor) in [
        ("l.json", r#"{"ogmoVersion":"3.4.0","width":64,"layers":[{"grid":["1"]}]}"#, "Ogmo 3"),
        (
            "l.json",
            r#"{"tileSize":16,"mapWidth":4,"mapHeight":3,"layers":[{"name":"a","tiles":[]}]}"#,
            "Sprite Fusion",
        ),
        ("rm.yy", r#"{"resourceType":"GMRoom","name":"rm","layers":[],}"#, "GameMaker"),
        ("rm.yy", r#"{"$GMRoom":"v1","%Name":"rm","layers":[],}"#, "GameMaker"),
        (
            "Map001.json",
            r#"{"autoplayBgm":false,"width":4,"height":3,"tilesetId":1,"data":[0],"events":[null]}"#,
            "RPG Maker",
        ),
        (
            "l.tscn",
            "[gd_scene load_steps=2 format=3]\n\n[node name=\"L\" type=\"Node2D\"]",
            "Godot",
        ),
    ] {
        let error = loaded(name, text.as_bytes(), false).unwrap_err().to_string();
        assert!(error.contains(editor) && error.contains("; draw its walls"), "{error}");
    }
    // A map of Tiled may have such words.
    let named = TMJ.replace(r#""type":"map""#, r#""type":"map","class":"\"ogmoVersion\"""#);
    assert!(loaded("m.tmj", named.as_bytes(), false).is_ok());
}

#[test]
fn a_text_of_rows_as_a_grid_is_displayed_is_a_level() {
    let walls = loaded("m.tmx", TMX.as_bytes(), false).unwrap();
    let text = walls.level.grid().to_string();
    let level = loaded("walls.txt", text.as_bytes(), false).unwrap();
    assert_eq!(level.level.grid(), walls.level.grid());
    assert_eq!(level.level.cell_size(), bitwall::glam::UVec2::ONE);
    let error = loaded("walls.txt", b"##\n#", false).unwrap_err().to_string();
    assert!(error.contains("rows of `#` and `.`"), "{error}");
}
