//! Compares all suggestions for tiny maps with `tests/fixtures/suggestions.txt`: the guesses about the tile
//! layers, the suggestions with their scores, and the suggestions that are shown.
//!
//! `UPDATE_GOLDEN=1 cargo test` writes the file again and fails. Read its difference as a change of the
//! suggestions.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use bitwall::rules::PropertyIs;
use bitwall::{LoadOptions, LoadedLevel};

use super::*;
use crate::suggest::suggestions;

/// The attributes of an orthogonal map with cells of 8 x 8 px.
const SQUARE: &str = "orientation='orthogonal' tilewidth='8' tileheight='8'";

/// Returns a map with the tileset `t` of 30 tiles. `tiles` are its tiles with content.
fn map(attributes: &str, [width, height]: [u32; 2], tiles: &str, layers: &str) -> String {
    format!(
        "<map {attributes} width='{width}' height='{height}'><tileset firstgid='1' name='t' tilewidth='8'
        tileheight='8' tilecount='30' columns='30'><image source='t.png' width='240' height='8'/>{tiles}
        </tileset>{layers}</map>"
    )
}

/// Returns a map of 10 x 5 cells.
fn small(tiles: &str, layers: &str) -> String {
    map(SQUARE, [10, 5], tiles, layers)
}

/// Returns the cells in CSV. `1` to `9` and `a` to `u` are tiles, and `A` to `Z` the tiles 1 to 26 mirrored.
/// `z` is in no tileset; other characters are empty cells.
fn csv(rows: &str) -> String {
    let cell = |c: char| match c {
        'A'..='Z' => (c as u32 - 'A' as u32 + 1) | 1 << 31,
        _ => c.to_digit(36).unwrap_or(0),
    };
    let cells = rows.split_whitespace().flat_map(str::chars);
    cells.map(|c| cell(c).to_string()).collect::<Vec<_>>().join(",")
}

/// Returns a tile layer with its cells drawn in rows.
fn tiles(attributes: &str, rows: &str) -> String {
    let (width, height) = size_of(rows);
    let cells = csv(rows);
    format!(
        "<layer {attributes} width='{width}' height='{height}'><data encoding='csv'>{cells}</data></layer>"
    )
}

fn size_of(rows: &str) -> (usize, usize) {
    (rows.split_whitespace().next().map_or(0, str::len), rows.split_whitespace().count())
}

/// Returns a tile layer of an infinite map: blocks of cells with the column and row of their first cell.
fn chunks(attributes: &str, chunks: &[(i32, i32, &str)]) -> String {
    let mut all = String::new();
    for (x, y, rows) in chunks {
        let ((width, height), cells) = (size_of(rows), csv(rows));
        let size = format!("width='{width}' height='{height}'");
        let _ = write!(all, "<chunk x='{x}' y='{y}' {size}>{cells}</chunk>");
    }
    format!("<layer {attributes} width='10' height='5'><data encoding='csv'>{all}</data></layer>")
}

fn things(attributes: &str, objects: &str) -> String {
    format!("<objectgroup {attributes}>{objects}</objectgroup>")
}

/// Returns `count` rectangles of 8 x 8 px that lie side by side in the first row.
fn shapes(count: u32, attributes: &str) -> String {
    let shape = |at| format!("<object {attributes} x='{}' y='0' width='8' height='8'/>", at * 8);
    (0..count).map(shape).collect()
}

/// Returns an object layer with a point `spawn` in the middle of each of these cells.
fn spawns(cells: &[(u32, u32)]) -> String {
    let point = |(x, y): &(u32, u32)| {
        format!("<object name='spawn' x='{}' y='{}'><point/></object>", x * 8 + 4, y * 8 + 4)
    };
    things("name='o'", &cells.iter().map(point).collect::<String>())
}

/// Returns a tile of the tileset with these properties: name, type and value.
fn marked(id: u32, attributes: &str, all: &[[&str; 3]]) -> String {
    format!("<tile id='{id}' {attributes}>{}</tile>", properties(all))
}

fn properties(all: &[[&str; 3]]) -> String {
    let one = |[name, kind, value]: &[&str; 3]| {
        format!("<property name='{name}' type='{kind}' value='{value}'/>")
    };
    format!("<properties>{}</properties>", all.iter().map(one).collect::<String>())
}

/// Returns a tile of the tileset with a collision shape.
fn shaped(id: u32) -> String {
    format!("<tile id='{id}'><objectgroup><object width='4' height='8'/></objectgroup></tile>")
}

const FRAME: &str = "1111111111 1........1 1........1 1........1 1111111111";
const ROW: &str = ".......... .......... .......... 2222...... 2.........";

/// A map with its title and rules.
struct Case(&'static str, SolidRules, String);

fn case(title: &'static str, map: String) -> Case {
    Case(title, SolidRules::default(), map)
}

/// Maps whose words say nothing, for guesses about their tile layers.
fn unnamed_layers() -> Vec<Case> {
    let frame = tiles("name='a' visible='0'", FRAME);
    let row = tiles("name='b'", ROW);
    let of_kinds = |name: &str, row: &str| {
        let rest = " .......... .......... .......... ..........";
        tiles(&format!("name='{name}'"), &format!("{row}{rest}"))
    };
    let kinds =
        ["1.........", "12........", "123.......", "1234......", "12345.....", "12345678.."];
    let kinds = kinds.into_iter().chain(["123456789.", "AaB1......"]);
    let kinds: String =
        kinds.enumerate().map(|(at, row)| of_kinds(&format!("k{at}"), row)).collect();
    let names = ["terrain", "sky", "gems", "sky walls of terrain", "plain", "plain"];
    let names: String = names.iter().map(|name| of_kinds(name, "11........")).collect();
    let wide = |width: usize, first: &str, rest: &str| {
        let row = format!("{first}{}", rest.repeat(width * 10 - first.len()));
        let rows: Vec<String> =
            row.as_bytes().chunks(width).map(|row| String::from_utf8_lossy(row).into()).collect();
        map(SQUARE, [width as u32, 10], "", &tiles("name='a'", &rows.join(" ")))
    };
    let square = |side: u32, rows: &str, cells: &[(u32, u32)]| {
        map(SQUARE, [side, side], "", &(tiles("name='a'", rows) + &spawns(cells)))
    };
    let rest =
        " .......... .......... .......... .......... .......... .......... .......... ..........";
    let columns = "11 ".repeat(9) + "1.";
    let few = |rows: &str| square(10, &format!("{rows}{rest}"), &[(0, 0)]);
    vec![
        case("a frame around a place", small("", &(frame.clone() + &row + &spawns(&[(4, 1)])))),
        case(
            "a row above a frame",
            small("", &(row.clone() + &frame + &spawns(&[(4, 3), (5, 2)]))),
        ),
        case(
            "two of three places stand on the frame",
            small("", &(frame.clone() + &spawns(&[(4, 3), (5, 2), (5, 3)]))),
        ),
        case("half of the places in it", small("", &(frame.clone() + &spawns(&[(0, 3), (5, 2)])))),
        case(
            "two of three places in it",
            small("", &(row.clone() + &frame + &spawns(&[(0, 3), (1, 4), (5, 2)]))),
        ),
        case("places off the map", small("", &(frame + &spawns(&[(40, 3), (0, 70)])))),
        case("numbers of kinds", small("", &kinds)),
        case("names without a rule", small("", &names)),
        case("a tile on 200 cells", wide(20, "1", ".")),
        case("a tile on 210 cells", wide(21, "1", ".")),
        case("two tiles on 210 cells", wide(21, "11", ".")),
        case("tiles on 198 of 200 cells", wide(20, "222..", "1")),
        case("tiles on 199 of 200 cells", wide(20, "222.", "1")),
        case("3 of 10 tiles are equal", map(SQUARE, [10, 1], "", &tiles("name='a'", "1112345678"))),
        case("2 of 10 tiles are equal", map(SQUARE, [10, 1], "", &tiles("name='a'", "1122345678"))),
        case("3 and 3 are equal", map(SQUARE, [10, 1], "", &tiles("name='a'", "2223331114"))),
        case("all tiles are equal", map(SQUARE, [10, 1], "", &tiles("name='a'", "1111111111"))),
        case("most are in no tileset", map(SQUARE, [3, 1], "", &tiles("name='a'", "zz1"))),
        case("a floor of 4 of 100 cells", few("1111...... ..........")),
        case("a floor of 5 of 100 cells", few("11111..... ..........")),
        case(
            "17 of 20 cells of a border",
            square(6, "111111 1....1 1....1 1....1 1....1 1...11", &[]),
        ),
        case(
            "18 of 20 cells of a border",
            square(6, "111111 1....1 1....1 1....1 1....1 1.1.11", &[]),
        ),
        case(
            "19 of 20 of the other lines",
            square(6, "111111 1....1 .....1 1....1 1....1 111111", &[]),
        ),
        case(
            "a floor with 3 of 20 cells of a border",
            square(6, "1.1... .1111. .1111. .1111. .1111. .....1", &[(2, 2)]),
        ),
        case(
            "a floor with 2 of 20 cells of a border",
            square(6, "1..... .1111. .1111. .1111. .1111. .....1", &[(2, 2)]),
        ),
        case("a border of 3 x 3 cells", square(3, "111 1.1 111", &[])),
        case("no border of 2 columns", map(SQUARE, [2, 10], "", &tiles("name='a'", &columns))),
    ]
}

/// Maps with other forms of layers, cells and places.
fn forms() -> Vec<Case> {
    let infinite = "orientation='orthogonal' tilewidth='8' tileheight='8' infinite='1'";
    let in_chunks = |all: &[(i32, i32, &str)], cells: &[(u32, u32)]| {
        map(infinite, [10, 5], "", &(chunks("name='a'", all) + &spawns(cells)))
    };
    let unlike = "<object class='EnemySpawn' x='3' y='3' width='16' height='4'/>\
                  <object name='the door' x='24' y='9' width='10' height='10'><ellipse/></object>\
                  <object name='npc' gid='1' x='40' y='16' width='8' height='8'/>\
                  <object name='warp' x='60' y='20' width='24' height='24'><point/></object>\
                  <object name='goal' x='4' y='36'><polygon points='0,0 40,0 40,-20'/></object>\
                  <object name='crate' x='4' y='4' width='8' height='8'/>";
    let places = things("name='o'", unlike)
        + &things("name='spawn points'", "<object x='76' y='4'><point/></object>");
    let at = ".1.......1 ...1.1.... .......1.. .......... 1.........";
    let in_cells =
        |attributes: &str| map(attributes, [10, 5], "", &(tiles("name='a'", at) + &places));
    let many: Vec<(u32, u32)> = (0..300).map(|at| (at % 20, at / 20)).collect();
    let group = |layers: &str| format!("<group name='Background'>{layers}</group>");
    let plain = |name: &str| tiles(&format!("name='{name}'"), ROW);
    let no = properties(&[["nocollide", "bool", "false"]]);
    let ruled = plain("c").replace("<data", &format!("{no}<data"));
    vec![
        case("infinite, no place", in_chunks(&[(-2, 0, "11 11")], &[])),
        case("infinite, a floor without gaps", in_chunks(&[(0, 0, "11. 11. ...")], &[(0, 0)])),
        case("infinite, a floor with a gap", in_chunks(&[(0, 0, "11. 1..")], &[(0, 0)])),
        case("infinite, a floor with a gap inside", in_chunks(&[(0, 0, "111 1.1 111")], &[(0, 0)])),
        case(
            "infinite, a floor with a gap between chunks",
            in_chunks(&[(0, 0, "1. 1."), (2, 0, "11 11")], &[(0, 0), (2, 1), (0, 1)]),
        ),
        case(
            "infinite, chunks side by side",
            in_chunks(&[(0, 0, ".1 .1"), (2, 0, "1 1")], &[(1, 0)]),
        ),
        case("infinite, a frame", in_chunks(&[(0, 0, FRAME)], &[])),
        case("infinite, a row", in_chunks(&[(-5, 7, "1111"), (-1, 7, "1111")], &[(0, 7)])),
        case("kinds of places", in_cells(SQUARE)),
        case(
            "the same places in an isometric map",
            in_cells("orientation='isometric' tilewidth='16' tileheight='8'"),
        ),
        case(
            "the same places in high cells",
            in_cells("orientation='orthogonal' tilewidth='8' tileheight='16'"),
        ),
        case(
            "no places in a staggered map",
            in_cells(
                "orientation='staggered' staggeraxis='y' staggerindex='odd' tilewidth='16' tileheight='8'",
            ),
        ),
        case("300 places", small("", &(plain("a") + &spawns(&many)))),
        case(
            "layers of equal and empty names, and with a rule",
            small(
                "",
                &(plain("a")
                    + &plain("a")
                    + &plain("")
                    + &group(&plain("b"))
                    + &ruled
                    + &plain("above")
                    + &plain("e")),
            ),
        ),
        case("four layers", small("", &["a", "b", "c", "d"].map(plain).concat())),
        case(
            "an empty layer below",
            small("", &(tiles("name='z'", &ROW.replace('2', ".")) + &plain("a"))),
        ),
    ]
}

/// Maps with words that resemble the words of the rules.
fn near_words() -> Vec<Case> {
    let layer = |name: &str| tiles(&format!("name='{name}'"), ROW);
    let wall = tiles("name='wall'", FRAME);
    let group = format!("<group name='Sollid'>{}{}</group>", layer("a"), layer("b"));
    let marks = [
        marked(0, "class='walls_of_rock'", &[["is_walkable", "bool", "false"]]),
        marked(1, "class='obstcale'", &[["sollid", "bool", "true"], ["walkabel", "bool", "true"]]),
        marked(2, "class='solid thing'", &[["is_solid", "bool", "true"]]),
    ];
    let member = "<properties><property name='sollid' type='class' propertytype='B'><properties>\
                  <property name='colides' type='bool' value='true'/><property name='solid' value='yes'/>\
                  </properties></property></properties>";
    let second = "<tileset firstgid='3' name='collision tiles' tilewidth='8' tileheight='8' tilecount='9'
        columns='9'><image source='u.png' width='72' height='8'/><tile id='0' class='obstcale'/></tileset>
        <tileset firstgid='12' name='colision' tilewidth='8' tileheight='8' tilecount='9' columns='9'>
        <image source='v.png' width='72' height='8'/></tileset>";
    let both = tiles("name='a'", ".......... 123456789a bcde...... .......... ..........");
    let named = |names: &[&str]| -> String {
        names.iter().map(|name| shapes(1, &format!("name='{name}'"))).collect()
    };
    let nine: String = ('a'..='i').map(|word| shapes(1, &format!("class='{word} wall'"))).collect();
    let names = ["Cave collision", "enemy collision", "collision of caves", "cave collision 2"];
    let names = names.into_iter().chain(["sollid", "house walls", "no wall", "a platform"]);
    let names: String = names.map(layer).collect();
    let flag = [["collides", "bool", "true"]];
    let solid = tiles("name='a' class='Walls2'", FRAME);
    let solid = solid.replace("<data", &(properties(&flag) + "<data"));
    let points = "<object name='Obstcale' x='1' y='1'><point/></object>\
                  <object name='colider' x='1' y='1'><text>wall</text></object>";
    vec![
        case("a class of a solid layer", small("", &solid)),
        case("a misspelt group", small("", &(group + &layer("Colision") + &layer("c")))),
        case(
            "an empty layer with a misspelt name, and art of LDtk",
            small(
                "",
                &(layer("Colision")
                    + &tiles("name='Colission'", &ROW.replace('2', "."))
                    + &layer("auto tiles of collision tiles")),
            ),
        ),
        case("names of layers", small("", &names)),
        case("names of layers beside a wall", small("", &(names.clone() + &wall))),
        case(
            "marks of tiles",
            small(
                &marks.concat(),
                &tiles("name='a'", "1122233... .......... .......... .......... .........."),
            ),
        ),
        case(
            "marks of tiles beside a wall",
            small(&marks.concat(), &(tiles("name='a'", ROW) + &wall)),
        ),
        case(
            "a property of the rules that is like another one",
            small(&marked(1, "", &[["collides", "bool", "true"]]), &layer("a")),
        ),
        case("a class of a property", small(&format!("<tile id='1'>{member}</tile>"), &layer("a"))),
        case(
            "names of tilesets",
            map(SQUARE, [10, 5], "", &both).replace("</tileset><", &format!("</tileset>{second}<")),
        ),
        case(
            "classes of layers and objects",
            small(
                "",
                &(tiles("name='a' class='obstcale'", ROW)
                    + &things("name='o' class='colision'", &shapes(2, "class='House walls'"))),
            ),
        ),
        case(
            "names of objects",
            small(
                "",
                &things("name='o'", &named(&["breakWall", "solid one", "Obstcale", "colider"])),
            ),
        ),
        case(
            "three walls that break",
            small("", &things("name='o'", &shapes(3, "name='breakWall'"))),
        ),
        case("nine classes", small("", &things("name='o'", &nine))),
        case("points and texts", small("", &things("name='colision'", points))),
    ]
}

/// Maps with values of properties that may say what is solid.
fn values() -> Vec<Case> {
    let layer = tiles("name='a'", "123456789a bcde...... .......... .......... 1111......");
    let values = ["2", " yes ", "no", "NONE", "off", "", "0", "x", "-1"];
    let solid: String = (0..)
        .zip(values)
        .map(|(id, value)| {
            marked(id, "", &[["solid", "string", value], ["passage", "string", value]])
        })
        .chain([marked(25, "", &[["solid", "string", "not in a cell"], ["passages", "int", "1"]])])
        .collect();
    let many: String = (0..12)
        .map(|id| marked(id, "", &[["Passability", "int", &id.to_string()], ["kind", "int", "4"]]))
        .collect();
    let list = "<tile id='0'><properties><property name='kinds' type='list'><item value='stone'/>\
                <item value='wall'/></property></properties></tile>";
    let known = |name: &str, value: &str| SolidRules {
        solid_values: vec![PropertyIs::new(name, value)],
        ..SolidRules::default()
    };
    let of_object = things(
        "name='o'",
        &format!(
            "<object x='1' y='1' width='8' height='8'>{}</object>",
            properties(&[["wall", "string", "stone"]])
        ),
    );
    vec![
        case("values of `solid` and `passage`", small(&solid, &layer)),
        Case("a known value of `solid`", known("solid", "x"), small(&solid, &layer)),
        Case("a known value of `passage`", known("passage", "zz"), small(&solid, &layer)),
        case("twelve numbers", small(&many, &layer)),
        case("a value of an object", small("", &of_object)),
        case("an item of a list", small(list, &layer)),
    ]
}

/// Maps with items, shapes and solids that may be wrong.
fn solids() -> Vec<Case> {
    let coins = |rows: &str| tiles("name='Coins'", rows);
    let dots = ".1.1.1.1.1 .......... .......... .......... ..........";
    let ground = tiles("name='Terrain'", ".......... .......... .......... .......... 2222222222");
    let walls = ground.replace("Terrain", "walls");
    let hidden = tiles("name='gems' visible='0'", dots);
    let shape = shaped(0);
    let flag = shaped(0) + &marked(1, "", &[["solid", "bool", "true"]]);
    let crates = |name: &str| things(&format!("name='{name}'"), &shapes(1, "class='wall'"));
    let items = |tiles: &str, more: &str| small(tiles, &(coins(dots) + &ground + more));
    let mixed = |rows: &str| small(&shape, &tiles("name='walls'", rows));
    let only_shapes = SolidRules { shapes_only: true, ..SolidRules::default() };
    let three = "1112...... .......... .......... .......... ..........";
    let free =
        |name: &str| SolidRules { passable_layers: vec![name.to_owned()], ..SolidRules::default() };
    let full = FRAME.replace('.', "2");
    let tall = |rows: &[&str]| map(SQUARE, [10, 10], "", &rows.concat());
    let filled = format!("{full} {full}");
    let gap = filled.replacen("1222222221", "1........1", 1);
    let speck = [".........."; 10].join(" ").replacen('.', "1", 1);
    vec![
        case("coins with shapes above a ground", items(&shape, "")),
        case("coins with shapes, and walls", small(&shape, &(coins(dots) + &ground + &walls))),
        case("coins with shapes, and a marked ground", items(&flag, "")),
        case("coins with shapes, and crates", items(&shape, &crates("things"))),
        case("coins with shapes, and crates on a layer without a name", items(&shape, &crates(""))),
        case(
            "coins with shapes, and an empty wall",
            items(&shape, &tiles("name='wall'", &ROW.replace('2', "."))),
        ),
        case("coins and hidden gems with shapes", items(&shape, &hidden)),
        case("coins with shapes, and a sky", items(&shape, &tiles("name='sky'", dots))),
        case("coins without shapes", items("", "")),
        Case("coins that the rules name", free("coins"), items(&shape, "")),
        case(
            "art of walls",
            small(
                "",
                &(tiles("name='wall art'", ROW)
                    + &tiles("name='Walls'", ROW)
                    + &tiles("name='Collision'", FRAME)),
            ),
        ),
        case(
            "art of walls beside an empty collision",
            small(
                "",
                &(tiles("name='Walls'", ROW) + &tiles("name='Collision'", &ROW.replace('2', "."))),
            ),
        ),
        case("three tiles with a shape, and one without", mixed(three)),
        case("two tiles with a shape, and one without", mixed(&three.replacen('1', ".", 1))),
        case("all tiles have a shape", mixed(&three.replace('2', "1"))),
        case("no tile has a shape", mixed(&three.replace('1', "2"))),
        case(
            "shapes on another layer",
            small(&shape, &(walls.clone() + &tiles("name='b'", three))),
        ),
        case(
            "everything is solid",
            small(
                "<tile id='0'><objectgroup><object width='8' height='8'/></objectgroup></tile>",
                &tiles("name='walls'", &full),
            ),
        ),
        Case("only shapes, and one tile is without", only_shapes, mixed(three)),
        case(
            "nearly all is solid",
            tall(&[
                &tiles("name='walls'", &gap),
                &tiles("name='Collision'", &speck),
                &tiles("name='a'", &gap),
                &spawns(&[(3, 1)]),
            ]),
        ),
        case(
            "nearly nothing is solid",
            tall(&[
                &things("name='walls'", "<object x='8' y='8' width='4' height='4'/>"),
                &tiles("name='b'", &gap),
                &tiles("name='sky'", &filled),
                &things("name='c'", &shapes(3, "class='crate'")),
            ]),
        ),
        case(
            "a spawn in a wall",
            small(
                "",
                &(tiles("name='a'", ROW)
                    + &tiles("name='walls'", FRAME)
                    + &tiles("name='colli'", ROW)
                    + &spawns(&[(0, 2)])),
            ),
        ),
    ]
}

/// Maps with shapes of objects.
fn objects() -> Vec<Case> {
    let layer =
        |name: &str, objects: &[String]| things(&format!("name='{name}'"), &objects.concat());
    let plain = |count| shapes(count, "");
    let named = |count| shapes(count, "name='crate'");
    let class = |count| shapes(count, "class='box' name='wall'");
    let unlike = "<object width='8' height='0'/><object width='0' height='8'/><object x='9'><point/></object>\
                  <object width='8' height='8'><text>a</text></object>\
                  <object gid='1' width='8' height='8' y='8'/>";
    let likely = "<object width='8' height='8'><ellipse/></object>\
                  <object><polygon points='0,0 8,0 8,8'/></object>\
                  <object><polyline points='0,0 8,0 8,8'/></object>";
    let free = SolidRules { passable_layers: vec!["b".to_owned()], ..SolidRules::default() };
    vec![
        case("two plain shapes", small("", &layer("a", &[plain(2)]))),
        case("three plain shapes", small("", &layer("a", &[plain(3)]))),
        case(
            "two layers of one plain shape",
            small("", &(layer("a", &[plain(1)]) + &layer("b", &[plain(1)]))),
        ),
        Case(
            "a plain layer with a rule",
            free,
            small("", &["a", "b", "c"].map(|name| layer(name, &[plain(3)])).concat()),
        ),
        case(
            "layers of one plain shape with more names, and of a point",
            small(
                "",
                &(["a", "b"].map(|name| layer(name, &[plain(1), named(1)])).concat()
                    + &layer("c", &[plain(1), named(2)])
                    + &layer("d", &["<object x='1' y='1'><point/></object>".to_owned()])),
            ),
        ),
        case("three plain and three named shapes", small("", &layer("a", &[plain(3), named(3)]))),
        case(
            "three plain and four named shapes",
            small("", &layer("a", &[plain(3), named(2), class(2)])),
        ),
        case(
            "classes and names",
            small(
                "",
                &layer(
                    "a",
                    &[named(2), class(3), shapes(3, "class='walls'"), shapes(3, "class='door'")],
                ),
            ),
        ),
        case(
            "names of layers of shapes",
            small(
                "",
                &["terrain", "doors", "gems", "ground triggers", "a"]
                    .map(|name| layer(name, &[plain(3)]))
                    .concat(),
            ),
        ),
        case(
            "ten layers of a plain shape",
            small(
                "",
                &('a'..='j')
                    .map(|name| layer(&format!("l{name}"), &[plain(1)]))
                    .collect::<String>(),
            ),
        ),
        case("objects that cover nothing", small("", &layer("a", &[unlike.to_owned(), plain(2)]))),
        case("objects that cover pixels", small("", &layer("a", &[likely.to_owned()]))),
    ]
}

fn load(rules: &SolidRules, map: &str) -> LoadedLevel {
    let options = LoadOptions {
        solid_rules: rules.clone(),
        allow_nothing_solid: true,
        lenient: true,
        ..LoadOptions::default()
    };
    LoadedLevel::decode("map.tmx", map.as_bytes(), (), &options)
        .unwrap_or_else(|error| panic!("{error}: {map}"))
}

/// Describes a map in lines: the guesses about its tile layers, the suggestions for a level with too few
/// solids with their scores and numbers of cells, and the suggestions that are shown. A `?` marks a guess. A
/// suggestion that is shown as in a line above is only the number of that line.
fn described(Case(title, rules, map): &Case) -> String {
    let loaded = load(rules, map);
    let grid = loaded.level.grid();
    let (solid, all) = (grid.solid_count(), grid.cell_count());
    let mut text = format!("# {title}: {solid} of {all} cells are solid\n");
    let census = Census::new(&loaded.maps[0].map);
    for Guess { layer, score, role, option, why } in guesses(&census) {
        let found = Suggestion::guess(why.join(", "), 0, vec![option]);
        let _ = writeln!(text, "layer {layer} may be {role}, {score}: {found}");
    }
    let line = |found: &Suggestion| {
        let mark = if found.is_guess { "?" } else { "" };
        format!("{} cells{mark} {found}", found.cells)
    };
    let found = match solid {
        0 => Found::Nothing,
        _ if solid == all => Found::Everything,
        _ => Found::Part,
    };
    let doubt = Doubt { why: "a test".to_owned(), is_overfull: false };
    let scored = of_map(&census, rules, found, Some(&doubt));
    for (number, Scored { score, suggestion }) in scored.iter().enumerate() {
        let _ = writeln!(text, "{number}: {score}, {}", line(suggestion));
    }
    for shown in suggestions(&loaded, None) {
        let known = scored.iter().position(|scored| scored.suggestion == shown);
        let shown = known.map_or_else(|| line(&shown), |number| number.to_string());
        let _ = writeln!(text, "shown: {shown}");
    }
    text
}

#[test]
fn the_suggestions_for_tiny_maps_are_those_of_the_golden_file() {
    let cases = [unnamed_layers(), forms(), near_words(), values(), solids(), objects()];
    let texts: Vec<String> = cases.iter().flatten().map(described).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/suggestions.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, texts.join("\n")).unwrap();
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", path.display());
    }
    let kept = fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    let kept: Vec<&str> = kept.split_inclusive("\n\n").collect();
    for (text, kept) in texts.iter().zip(&kept) {
        assert_eq!(text.trim_end(), kept.trim_end(), "UPDATE_GOLDEN=1 writes {}", path.display());
    }
    assert_eq!(texts.len(), kept.len());
}

#[test]
fn at_most_80_suggestions_for_a_map_are_compared() {
    let rules = SolidRules::default();
    let all: String = (0..100).map(|at| shapes(3, &format!("class='c{at}'"))).collect();
    let loaded = load(&rules, &small("", &things("name='o'", &all)));
    let census = Census::new(&loaded.maps[0].map);
    assert_eq!(of_map(&census, &rules, Found::Nothing, None).len(), 80);
}

#[test]
fn equal_suggestions_for_the_maps_of_a_world_are_joined() {
    let rules = SolidRules::default();
    let layer = tiles("name='a'", ROW);
    let (walls, class) = (shapes(2, "name='breakWall'"), shapes(3, "class='box'"));
    let maps = [
        layer.clone() + &things("name='o'", &(walls.clone() + &class)),
        layer.replace("2222", "2134") + &things("name='o'", &(walls.clone() + &walls)),
        things("name='o'", &class),
    ];
    let maps: Vec<PlacedMap> =
        maps.iter().flat_map(|layers| load(&rules, &small("", layers)).maps).collect();
    let found: Vec<String> = suggest(&maps, &rules, Found::Nothing, None)
        .iter()
        .map(|found| format!("{} cells: {found}", found.cells))
        .collect();
    assert_eq!(
        found,
        [
            "10 cells: --solid-layer a: the layer `a` may be the solids: 1 kind of tile, on 10% of the map",
            "6 cells: --solid-class box: 3 shapes have the class `box`",
            "4 cells: -c solid.object-names=breakWall: 4 shapes have the name `breakWall`",
        ]
    );
}

#[test]
fn a_layer_whose_name_denies_solids_is_not_suggested_as_solid() {
    let rules = SolidRules::default();
    for (name, is_suggested) in [("rock", true), ("no_collide", false), ("Non Solid", false)] {
        let name = format!("name='{name}'");
        for layer in [tiles(&name, ROW), things(&name, &shapes(4, ""))] {
            let maps = load(&rules, &small("", &layer)).maps;
            let found = suggest(&maps, &rules, Found::Nothing, None);
            assert_eq!(!found.is_empty(), is_suggested, "{name}: {}", found.len());
        }
    }
}
