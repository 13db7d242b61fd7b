//! Tests of the elements that are made from a JSON file: their form in XML, their lines, and damaged files.

use std::fs;
use std::path::Path;

use super::*;
use crate::limits::Limits;

/// Writes the elements of a file as text that looks like XML, without escapes. A line feed in a value is
/// `\n`.
fn stream(bytes: &[u8]) -> Result<String, String> {
    let words = |error: LoadErrorKind| error.to_string();
    let root = crate::tmx::json::tree::parse(bytes, "").map_err(words)?;
    let mut cursor = JsonCursor::new(bytes, &root).map_err(words)?;
    let (mut open, mut found) = (Vec::new(), String::new());
    loop {
        match cursor.next().map_err(words)? {
            Some(element) => {
                found.push_str(&format!("<{}", element.name));
                for (name, value) in element.attributes {
                    let value = value.replace('\n', "\\n");
                    found.push_str(&format!(" {name}=\"{value}\""));
                }
                found.push('>');
                open.push(element.name);
            }
            None => {
                let Some(name) = open.pop() else {
                    return Ok(found);
                };
                let text = cursor.text().replace('\n', "\\n");
                found.push_str(&format!("{text}</{name}>"));
            }
        }
    }
}

fn xml(json: &str) -> String {
    stream(json.as_bytes()).unwrap_or_else(|error| panic!("{error} in {json}"))
}

fn of_layer(json: &str) -> String {
    let map = xml(&format!(r#"{{"width":3,"height":2,"layers":[{json}]}}"#));
    let inner = map.strip_prefix(r#"<map width="3" height="2">"#).unwrap();
    inner.strip_suffix("</map>").unwrap().to_owned()
}

fn of_object(json: &str) -> String {
    let layer = of_layer(&format!(r#"{{"type":"objectgroup","objects":[{json}]}}"#));
    let inner = layer.strip_prefix("<objectgroup>").unwrap();
    inner.strip_suffix("</objectgroup>").unwrap().to_owned()
}

fn of_properties(json: &str) -> String {
    let object = of_object(&format!("{{{json}}}"));
    let inner = object.strip_prefix("<object><properties>").unwrap();
    inner.strip_suffix("</properties></object>").unwrap().to_owned()
}

#[test]
fn json_maps_and_layers_give_the_same_elements_as_in_xml() {
    assert_eq!(
        xml(
            r##"{"type":"map","class":"Cave","infinite":false,"width":3.0,"orientation":"oblique","skewx":4,
            "backgroundcolor":"#123456","parallaxoriginx":-1.5,"layers":[],"editorsettings":{"x":[1]},
            "tilesets":[{"firstgid":1,"source":"a&b.tsj"}],"version":"1.10"}"##
        ),
        r##"<map version="1.10" class="Cave" orientation="oblique" width="3" infinite="false" skewx="4" parallaxoriginx="-1.5" backgroundcolor="#123456"><tileset firstgid="1" source="a&b.tsj"></tileset></map>"##
    );
    assert_eq!(
        of_layer(
            r#"{"type":"tilelayer","name":"1.0","visible":true,"width":2,"height":1,"data":[ 1,4294967295 ]}"#
        ),
        r#"<layer name="1.0" visible="true" width="2" height="1"><data encoding="csv"> 1,4294967295 </data></layer>"#
    );
    assert_eq!(
        of_layer(
            r#"{"type":"tilelayer","encoding":"base64","compression":"zlib","data":"a\/b+="}"#
        ),
        r#"<layer><data encoding="base64" compression="zlib">a/b+=</data></layer>"#
    );
    assert_eq!(
        of_layer(
            r#"{"type":"tilelayer","width":16,"height":16,"startx":-16,"compression":"",
            "chunks":[{"x":-16,"y":0,"width":16,"height":16,"data":[1]}]}"#
        ),
        r#"<layer width="3" height="2"><data encoding="csv"><chunk x="-16" y="0" width="16" height="16">1</chunk></data></layer>"#
    );
    assert_eq!(
        of_layer(
            r#"{"type":"tilelayer","width":2,"height":1,"startx":-2,"starty":5,"data":[1,2]}"#
        ),
        r#"<layer width="2" height="1"><data encoding="csv"><chunk x="-2" y="5" width="2" height="1">1,2</chunk></data></layer>"#
    );
    assert_eq!(
        of_layer(
            r##"{"type":"group","name":"G","layers":[{"type":"imagelayer","image":"a.png","imagewidth":8,
            "imageheight":4,"transparentcolor":"#ff00ff","repeatx":true,"offsetx":1.25,"x":0}]}"##
        ),
        r##"<group name="G"><imagelayer offsetx="1.25" x="0" repeatx="true"><image source="a.png" width="8" height="4" trans="#ff00ff"></image></imagelayer></group>"##
    );
}

#[test]
fn json_objects_give_the_same_elements_as_in_xml() {
    assert_eq!(
        of_object(
            r#"{"id":7,"name":"a<\"\n","type":"","gid":2147483649,"x":10.3,"y":-0.5,"width":1e1,"rotation":90,"visible":false}"#
        ),
        r#"<object id="7" name="a<"\n" type="" gid="2147483649" x="10.3" y="-0.5" width="1e1" rotation="90" visible="false"></object>"#
    );
    for shape in ["ellipse", "point", "capsule"] {
        let object = of_object(&format!(r#"{{"{shape}":true,"polygon":null}}"#));
        assert_eq!(object, format!("<object><{shape}></{shape}></object>"));
        assert_eq!(of_object(&format!(r#"{{"{shape}":false}}"#)), "<object></object>");
    }
    assert_eq!(
        of_object(r#"{"polygon":[{"x":0,"y":1.5},{"y":-2.0,"x":3}]}"#),
        r#"<object><polygon points="0,1.5 3,-2"></polygon></object>"#
    );
    assert_eq!(
        of_object(r#"{"text":{"text":"a & b\nc","wrap":true,"kerning":false,"pixelsize":18}}"#),
        r#"<object><text>a & b\nc</text></object>"#
    );
    assert_eq!(
        xml(r#"{"type":"template","tileset":{"firstgid":1,"source":"t.tsj"},"object":{"gid":3}}"#),
        r#"<template><tileset firstgid="1" source="t.tsj"></tileset><object gid="3"></object></template>"#
    );
}

#[test]
fn json_properties_give_the_same_elements_as_in_xml() {
    assert_eq!(
        of_properties(
            r#""properties":[{"name":"solid","type":"bool","value":true},{"name":"n","value":"two\nlines"},
            {"name":"c","type":"color","value":""},{"name":"f","type":"float","value":1.0},
            {"name":"e","type":"int","propertytype":"Sides","value":3}]"#
        ),
        "<property name=\"solid\" type=\"bool\" value=\"true\"></property>\
         <property name=\"n\" type=\"string\" value=\"two\\nlines\"></property>\
         <property name=\"c\" type=\"color\" value=\"\"></property>\
         <property name=\"f\" type=\"float\" value=\"1\"></property>\
         <property name=\"e\" propertytype=\"Sides\" type=\"int\" value=\"3\"></property>"
    );
    assert_eq!(
        of_properties(
            r#""properties":[{"name":"p","type":"class","propertytype":"C","value":{"hp":3,"list":[1,2],"x":{"y":0.5}}}]"#
        ),
        "<property name=\"p\" propertytype=\"C\" type=\"class\"><properties>\
         <property name=\"hp\" type=\"int\" value=\"3\"></property>\
         <property name=\"list\" type=\"list\"><item type=\"int\" value=\"1\"></item><item type=\"int\" value=\"2\"></item></property>\
         <property name=\"x\" type=\"class\"><properties><property name=\"y\" type=\"float\" value=\"0.5\"></property></properties></property>\
         </properties></property>"
    );
    assert_eq!(
        of_properties(
            r#""properties":[{"name":"l","type":"list","value":[{"type":"file","value":"a.png"},true,[]]}]"#
        ),
        "<property name=\"l\" type=\"list\"><item type=\"file\" value=\"a.png\"></item>\
         <item type=\"bool\" value=\"true\"></item><item type=\"list\"></item></property>"
    );
    // The form of properties before Tiled 1.2.
    assert_eq!(
        of_properties(
            r#""properties":{"solid":"true","hp":3,"wall":false},"propertytypes":{"solid":"bool","hp":"float"}"#
        ),
        "<property name=\"solid\" type=\"bool\" value=\"true\"></property>\
         <property name=\"hp\" type=\"float\" value=\"3\"></property>\
         <property name=\"wall\" type=\"bool\" value=\"false\"></property>"
    );
}

#[test]
fn json_tilesets_give_the_same_elements_as_in_xml() {
    let new = r##"{"tilewidth":8,"name":"t","tileoffset":{"x":1,"y":-2},"grid":{"orientation":"isometric","width":4,"height":2},
        "image":"t.png","imagewidth":16,"transparentcolor":"#ffffff","wangsets":[{"x":[[]]}],"terrains":[],
        "tiles":[{"id":3,"type":"Wall","image":"3.png","x":1,"width":2,
            "objectgroup":{"draworder":"index","type":"objectgroup","objects":[{"id":1,"width":4}]},
            "animation":[{"tileid":3,"duration":100}],"properties":[{"name":"solid","type":"bool","value":true}]}]}"##;
    assert_eq!(
        xml(new),
        "<tileset name=\"t\" tilewidth=\"8\"><tileoffset x=\"1\" y=\"-2\"></tileoffset>\
         <grid orientation=\"isometric\" width=\"4\" height=\"2\"></grid>\
         <image source=\"t.png\" width=\"16\" trans=\"#ffffff\"></image>\
         <tile id=\"3\" type=\"Wall\" x=\"1\" width=\"2\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"></property></properties>\
         <image source=\"3.png\"></image><objectgroup draworder=\"index\"><object id=\"1\" width=\"4\"></object></objectgroup>\
         <animation><frame tileid=\"3\" duration=\"100\"></frame></animation></tile></tileset>"
    );
    let old = r#"{"tilewidth":8,"tiles":{"3":{"type":"Wall"},"0":{}},
        "tileproperties":{"5":{"hp":"1"},"3":{"solid":true}},"tilepropertytypes":{"5":{"hp":"int"}}}"#;
    assert_eq!(
        xml(old),
        "<tileset tilewidth=\"8\"><tile id=\"3\" type=\"Wall\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"></property></properties></tile>\
         <tile id=\"0\"></tile><tile id=\"5\"><properties><property name=\"hp\" type=\"int\" value=\"1\"></property></properties></tile></tileset>"
    );
}

#[test]
fn the_error_for_a_json_value_of_the_wrong_type_names_the_value() {
    for (json, reason) in [
        ("[1]", "not an object"),
        (r#"{"a":1}"#, "JSON that is not Tiled's"),
        (r#"{"maps":[]}"#, "a Tiled world"),
        (r#"{"layers":[3]}"#, "a layer that is not an object"),
        (r#"{"layers":{}}"#, "`layers` of a file is not a list"),
        (r#"{"layers":[{}]}"#, "a layer of the type ``"),
        (r#"{"layers":[],"width":[]}"#, "`width` of a file is not a single value"),
        (r#"{"layers":[{"type":"tilelayer","data":[1,[2]]}]}"#, "not a list of numbers"),
        (
            r#"{"layers":[{"type":"tilelayer","chunks":[{"data":[1]}],"encoding":"base64"}]}"#,
            "numbers, not base64",
        ),
        (r#"{"type":"template"}"#, "without `object`"),
    ] {
        let error = stream(json.as_bytes()).unwrap_err();
        assert!(error.contains(reason), "{json}: {error}");
    }
}

#[test]
fn an_element_has_the_line_number_of_its_json_object() {
    let json = "\u{feff}{\"type\": \"map\",\n\"layers\": [\n  {\"type\": \"objectgroup\", \"objects\": [{\n\"id\":1},\n {\"properties\":\n\
                [{\"value\":1}]}]}],\n\"tilesets\": [{\"tiles\":\n{\"0\":{}}, \"tileproperties\":{\n\"0\":\n{\"a\":1}}}]}";
    let root = crate::tmx::json::tree::parse(json.as_bytes(), "").unwrap();
    let mut cursor = JsonCursor::new(json.as_bytes(), &root).unwrap();
    let (mut depth, mut found) = (0, Vec::new());
    loop {
        match cursor.next().unwrap() {
            Some(element) => found.push((element.name.into_owned(), element.line)),
            None if depth == 0 => break,
            None => depth -= 2,
        }
        depth += 1;
    }
    let found: Vec<(&str, u32)> = found.iter().map(|(name, line)| (&**name, *line)).collect();
    let expected = [
        ("map", 1),
        ("tileset", 7),
        ("tile", 8),
        ("properties", 10),
        ("property", 10),
        ("objectgroup", 3),
        ("object", 3),
        ("object", 5),
        ("properties", 5),
        ("property", 6),
    ];
    assert_eq!(found, expected);
    assert_eq!(cursor.position(), (6, 2));
}

/// Returns the lines of a map's document as debug text, without the differences between XML and JSON: line
/// numbers, versions, endings of file names, and digits after the third of a fraction.
fn plain(path: &Path) -> Vec<String> {
    let read = |path: &Path| fs::read(path);
    let bytes = fs::read(path).unwrap();
    let map = super::super::Map::decode(path, &bytes, read, &Limits::default());
    let text = format!("{:#?}", map.unwrap());
    let mut rounds = false;
    let lines = text.lines().map(|line| {
        let number = line.trim().trim_end_matches(',').parse::<i64>();
        let number = number.ok().filter(|_| rounds);
        rounds = line.ends_with("Decimal(");
        let line = line.replace(".tsj", ".tsx").replace(".tj", ".tx");
        number.map_or(line, |number| format!("{}", number / 1_000))
    });
    let is_of_the_form = |line: &String| {
        let line = line.trim_start();
        line.starts_with("line: ") || line.starts_with("version: ")
    };
    lines.filter(|line| !is_of_the_form(line)).collect()
}

#[test]
fn real_maps_in_json_and_xml_give_the_same_document() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: there is no ../shared/corpus");
        return;
    }
    let layers = "dcronqvist+DotTiled/src/DotTiled.Tests/TestData/Maps/map-with-many-layers";
    let desert = "melonjs+melonJS/packages/examples/public/assets/tiledMapLoader/map";
    for json in [
        format!("{layers}/map-with-many-layers.tmj"),
        format!("{desert}/desert.tmj"),
        format!("{desert}/desert-infinite.tmj"),
    ] {
        let json = corpus.join(json);
        let (ours, theirs) = (plain(&json), plain(&json.with_extension("tmx")));
        let differs = ours.iter().zip(&theirs).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{}", json.display());
        assert_eq!(ours.len(), theirs.len());
    }
}

/// Replaces random values and bytes of real files. The result must be elements or an error, not a panic.
#[test]
fn damaged_json_files_give_elements_or_an_error() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        println!("skipped: there is no ../shared/corpus");
        return;
    }
    let files = [
        "dcronqvist+DotTiled/src/DotTiled.Tests/TestData/Maps/map-with-many-layers/map-with-many-layers.tmj",
        "excaliburjs+excalibur-tiled/test/unit/tiled/tiled-resource-spec/external-fantasy.tsj",
        "mapeditor+tiled/examples/sticker-knight/ui/title.json",
    ];
    let odd = [
        "null",
        "[]",
        "{}",
        "\"x\"",
        "-1",
        "1e999",
        "true",
        "[{}]",
        "{\"0\":[]}",
        "\"\\u0001\"",
        "\"<&'\\\"\"",
        "[[1]]",
        "\"\\ud83d\\ude00\"",
        "0.0",
        "[1,2]",
        "{\"type\":\"class\",\"value\":{}}",
        "\"base64\"",
    ];
    let mut rng = fastrand::Rng::with_seed(3);
    // The numbers have 64 bits, so that the cases are the same with 32-bit pointers.
    let mut below = |count: usize| rng.u64(0..count as u64) as usize;
    let (mut good, mut bad) = (0, 0);
    for file in files {
        let text = fs::read_to_string(corpus.join(file)).unwrap();
        // The indices after a name, and the indices where a value in a list could start.
        let starts: Vec<usize> =
            text.match_indices(['{', ':', ',', '[']).map(|(at, _)| at + 1).collect();
        for _ in 0..1_500 {
            let mut damaged = text.clone().into_bytes();
            for _ in 0..1 + below(3) {
                let start = starts[below(starts.len())].min(damaged.len());
                let rest = &damaged[start..];
                let length = match below(4) {
                    0 => below(rest.len().min(200) + 1),
                    _ => rest.iter().position(|b| b",}]\n".contains(b)).unwrap_or(0),
                };
                let value = odd[below(odd.len())].bytes();
                damaged.splice(start..start + length, value);
            }
            match stream(&damaged) {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
        }
    }
    println!("{good} of the damaged files still have elements, {bad} are errors");
    assert!(good > 250 && bad > 250, "{good}, {bad}");
}
