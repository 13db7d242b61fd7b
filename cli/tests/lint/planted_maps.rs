//! Faults planted in clean maps. The right rule finds each fault, and no other rule finds anything.

mod clean;

use std::collections::BTreeSet;
use std::path::Path;

use bitwall_cli::lint::{RuleLevel, VerifyOptions, rule_by_name, verify_file};

use self::clean::{Files, MAPS, clean};
use bitwall::LoadOptions;

/// Plants a fault. Returns `None` if the map has no place for it.
type Plant = fn(&mut Files) -> Option<()>;

const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n";

/// The kinds of faults: a name, the code of the rule that finds it, and the function that plants it.
const KINDS: &[(&str, &str, Plant)] = &[
    // Faults in words.
    ("property sollid", "TMX113", |f| flag_as(f, "name=\"sollid\" type=\"bool\" value=\"true\"")),
    ("every property soild", "TMX113", |f| {
        let soild = "name=\"soild\" type=\"bool\" value=\"true\"";
        let count = (0..).take_while(|_| flag_as(f, soild).is_some()).count();
        (count > 0).then_some(())
    }),
    ("all words lost", "TMX107", |f| {
        let words = ["solid", "one_way", "Fences", "Solids", "Walls", "Obstacles", "Blocked"];
        words.iter().for_each(|word| {
            let _ = f.swap(&format!("name=\"{word}\""), "name=\"x\"");
        });
        let _ = f.swap("class=\"solid\"", "class=\"x\"");
        f.swap("type=\"collision\"", "type=\"x\"")?;
        f.swap("<objectgroup draworder=\"index\">", "<objectgroup>")?;
        f.swap("<polygon points=\"0,4", "<text/><!--").and_then(|()| f.swap("4,0 4,4\"/>", "-->"))
    }),
    ("property onway", "TMX113", |f| f.swap("name=\"one_way\"", "name=\"onway\"")),
    ("layer Obsticles", "TMX113", |f| f.swap("name=\"Obstacles\"", "name=\"Obsticles\"")),
    ("layer Wallls", "TMX113", |f| f.swap("name=\"Walls\" w", "name=\"Wallls\" w")),
    ("layer with a space", "TMX113", |f| f.swap("name=\"Blocked\"", "name=\"Blocked \"")),
    ("class colision", "TMX113", |f| f.swap("type=\"collision\"", "type=\"colision\"")),
    ("solid as the number 1", "TMX114", |f| flag_as(f, "name=\"solid\" type=\"int\" value=\"1\"")),
    ("solid as the text yes", "TMX114", |f| flag_as(f, "name=\"solid\" value=\"yes\"")),
    ("solid as an enum", "TMX114", |f| {
        flag_as(f, "name=\"solid\" propertytype=\"Solidity\" value=\"full\"")
    }),
    ("solid as the text true", "TMX111", |f| flag_as(f, "name=\"solid\" value=\"true\"")),
    // Faults in paths.
    ("backslash", "TMX115", |f| f.swap("source=\"", "source=\".\\")),
    ("picture of another case", "TMX115", |f| f.swap("tiles.png", "Tiles.png")),
    ("picture on a drive", "TMX115", |f| f.swap("<image source=\"", "<image source=\"D:/")),
    ("absolute picture", "TMX115", |f| f.swap("<image source=\"", "<image source=\"/home/me/")),
    ("missing picture", "TMX110", |f| f.all.remove(&f.picture()).map(drop)),
    ("missing tileset", "TMX106", |f| f.swap_in_map(".tsx\"", "2.tsx\"")),
    ("tileset of another case", "TMX106", |f| f.swap_in_map(".tsx\"", ".TSX\"")),
    ("absolute tileset", "TMX106", |f| f.swap_in_map("\" source=\"", "\" source=\"/")),
    // Faults in shapes.
    ("object outside", "TMX116", |f| f.swap("<object id=\"21\" x=\"", "<object id=\"21\" x=\"-9")),
    ("crossing polygon", "TMX117", |f| f.swap("0,0 9,1 8,9 -1,8", "0,0 8,9 9,1 -1,8")),
    ("crossing shape of a tile", "TMX117", |f| f.swap("0,4 4,0 4,4", "0,4 4,0 4,4 0,0")),
    ("flat polygon", "TMX117", |f| f.swap("0,0 9,1 8,9 -1,8", "0,0 3,3 9,9")),
    ("rectangle without size", "TMX117", no_size),
    // Faults in layers.
    ("layer of a newer Tiled", "TMX120", |f| {
        f.swap_in_map("</map>", "<walllayer id=\"99\" name=\"Walls\"/></map>")
    }),
    ("newer Tiled, new shape", "TMX120", |f| {
        f.swap_in_map(" version=\"1.10\"", " version=\"1.15\"")?;
        f.swap_in_map("<point/>", "<point/><spline/>")
    }),
    ("two layers of one id", "TMX121", |f| f.swap_in_map("<layer id=\"2\"", "<layer id=\"1\"")),
    ("two objects of one id", "TMX121", |f| f.swap_in_map("<object id=\"5\"", "<object id=\"4\"")),
    ("walls copied", "TMX121", |f| {
        let text = f.map_text();
        let (_, rest) = text.split_once(" <layer id=\"2\"")?;
        let (layer, _) = rest.split_once("</layer>").filter(|_| !f.walls.is_empty())?;
        f.swap_in_map("</map>", &format!(" <layer id=\"77\"{layer}</layer>\n</map>"))
    }),
    ("wider picture", "TMX118", |f| resized(f, |x, y| (x * 2, y))),
    ("cropped picture", "TMX118", |f| resized(f, |x, y| (x, y / 2))),
    ("image layer as wall", "TMX112", |f| {
        f.swap_in_map("</map>", "<imagelayer id=\"88\" name=\"walls\"/></map>")
    }),
    // Faults that only configured requirements define.
    ("lost layer", "TMX123", |f| f.swap_in_map("name=\"Ground\"", "name=\"Floor\"")),
    ("tileset of others", "TMX124", |f| f.swap("name=\"tiles\"", "name=\"desert\"")),
    // Damaged files.
    ("cut file", "TMX101", |f| {
        let text = f.map_text();
        f.set_map(&text.as_bytes()[..text.len() * 2 / 3]);
        Some(())
    }),
    ("unknown orientation", "TMX101", |f| f.swap_in_map("\"orthogonal\"", "\"spherical\"")),
    ("missing cell", "TMX102", |f| {
        f.swap_in_map("<data encoding=\"csv\">\n0,", "<data encoding=\"csv\">\n")
            .or_else(|| f.swap_in_map("<data encoding=\"csv\">\n1,", "<data encoding=\"csv\">\n"))
    }),
    ("cell too many", "TMX102", |f| {
        f.swap_in_map("<data encoding=\"csv\">\n", "<data encoding=\"csv\">\n0,")
    }),
    ("layer of another size", "TMX102", |f| {
        let text = f.map_text();
        let (before, layer) = text.split_once("<layer ")?;
        let layer = layer.replacen(" width=\"", " width=\"1", 1);
        f.set_map(format!("{before}<layer {layer}"));
        Some(())
    }),
    ("unknown tile", "TMX105", |f| {
        f.swap_in_map("<data encoding=\"csv\">\n0,", "<data encoding=\"csv\">\n9999,").or_else(
            || f.swap_in_map("<data encoding=\"csv\">\n1,", "<data encoding=\"csv\">\n9999,"),
        )
    }),
    ("merge conflict", "IO003", |f| {
        let marks = "<<<<<<< HEAD\n <layer/>\n=======\n <group/>\n>>>>>>> theirs\n</map>";
        f.swap_in_map("</map>", marks)
    }),
    ("map as a pointer", "IO003", |f| {
        f.set_map(POINTER);
        Some(())
    }),
    ("tileset as a pointer", "IO003", |f| {
        let path = f.all.keys().find(|path| path.ends_with("tiles.tsx")).cloned()?;
        f.all.insert(path, POINTER.to_vec()).map(drop)
    }),
    ("picture as a pointer", "IO003", |f| f.all.insert(f.picture(), POINTER.to_vec()).map(drop)),
    ("picture as text", "IO003", |f| {
        let bytes = f.all.get_mut(&f.picture())?;
        let text: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != b'\r').collect();
        *bytes = text;
        Some(())
    }),
];

/// Replaces the first property `solid` of a tile by `flag`. `None` for the map of the town, which marks a
/// group of layers instead.
fn flag_as(files: &mut Files, flag: &str) -> Option<()> {
    let has_tiles = files.map != "town.tmx";
    has_tiles.then(|| files.swap("name=\"solid\" type=\"bool\" value=\"true\"", flag))?
}

fn no_size(files: &mut Files) -> Option<()> {
    let text = files.map_text();
    let (before, after) =
        text.split_once("<object id=\"21\" x=\"").filter(|_| !files.walls.is_empty())?;
    let (object, rest) = after.split_once(" width")?;
    let (_, rest) = rest.split_once("/>")?;
    files.set_map(format!("{before}<object id=\"21\" x=\"{object}/>{rest}"));
    Some(())
}

/// Replaces the first picture by one with another size.
fn resized(files: &mut Files, size: fn(u32, u32) -> (u32, u32)) -> Option<()> {
    let path = files.picture();
    let picture = bitwall::load::decode_picture(Path::new(&path), &files.all[&path]).ok()?;
    let (width, height) = size(picture.width(), picture.height());
    let other = bitwall::image::RgbaImage::new(width, height);
    files.all.insert(path, crate::support::png(other)).map(drop)
}

/// Returns the codes of the findings, with the rule `code` and the options that it needs turned on.
fn codes(files: &Files, code: &str) -> BTreeSet<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = files.write(folder.path());
    let mut options = VerifyOptions::default();
    options.load = LoadOptions { root: Some(folder.path().into()), ..options.load };
    let rule = rule_by_name(code).unwrap_or_else(|| panic!("there is no {code}"));
    options.levels.set(bitwall_cli::lint::RuleSet::One(rule), RuleLevel::On);
    match code {
        "TMX123" => options.required_layers = vec!["Ground".to_owned()],
        "TMX124" => options.allowed_tilesets = vec!["tiles".to_owned()],
        _ => {}
    }
    let report = verify_file(path, &options);
    report.findings.iter().map(|finding| finding.rule.code.to_owned()).collect()
}

#[test]
fn planted_faults_are_found_by_the_right_rule_and_no_other() {
    let clean: Vec<(Files, BTreeSet<String>)> = (0..MAPS)
        .map(|number| {
            let files = clean(number);
            let found = codes(&files, "TMX101");
            assert!(found.is_empty(), "map {number} is not clean: {found:?}");
            (files, found)
        })
        .collect();
    let mut wrong = Vec::new();
    println!("{:28} {:6} {:>7} {:>5} {:>6}", "kind", "rule", "planted", "found", "others");
    let (mut all_planted, mut all_found) = (0, 0);
    for (kind, code, plant) in KINDS {
        let (mut planted, mut found, mut others) = (0, 0, 0);
        for (number, (files, before)) in clean.iter().enumerate() {
            let mut files = files.clone();
            // These rules report the bundled maps, because their options fit only the generated ones.
            let is_asked_for = ["TMX123", "TMX124"].contains(code);
            if is_asked_for && number < 5 || plant(&mut files).is_none() {
                continue;
            }
            planted += 1;
            let mut after = codes(&files, code);
            // A fault of the cells is an error only on a layer with solids.
            if ["TMX102", "TMX105"].contains(code) && after.remove("TMX109") {
                after.insert((*code).to_owned());
            }
            let is_found = after.contains(*code);
            let more: Vec<_> = after.difference(before).filter(|it| *it != code).collect();
            found += u32::from(is_found);
            others += more.len();
            if !is_found || !more.is_empty() {
                wrong.push(format!("{kind} in map {number}: {after:?}"));
            }
        }
        println!("{kind:28} {code:6} {planted:7} {found:5} {others:6}");
        assert!(planted > 0, "{kind} applies nowhere");
        (all_planted, all_found) = (all_planted + planted, all_found + found);
    }
    println!("{all_found} of {all_planted} found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn clean_maps_have_no_findings_for_required_layers_and_allowed_tilesets() {
    for number in 5..MAPS {
        for code in ["TMX123", "TMX124"] {
            let found = codes(&clean(number), code);
            assert!(found.is_empty(), "map {number}: {found:?}");
        }
    }
}
