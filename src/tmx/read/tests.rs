//! Tests the documents that are read from small maps.

use std::path::Path;

use super::*;
use crate::property::PropertyValue;
use crate::tmx::{Decimal, Layer, LayerContent, Object, Orientation, Point, Shape, StaggerAxis};

fn read(content: &str, files: &[(&str, &str)]) -> Result<Map, String> {
    read_as(r#"width="2" height="2""#, content, files, false)
}

fn read_as(
    attributes: &str,
    content: &str,
    files: &[(&str, &str)],
    lenient: bool,
) -> Result<Map, String> {
    let map = format!("<map tilewidth=\"16\" tileheight=\"16\" {attributes}>\n{content}</map>");
    let mut open = |path: &Path| {
        let file = files.iter().find(|(name, _)| Path::new(name) == path);
        let bytes = file.map(|(_, text)| text.as_bytes().to_vec());
        bytes.ok_or_else(|| LoadErrorKind::Io(io::ErrorKind::NotFound.into()))
    };
    let limits = Limits::default();
    let options = ReadOptions { limits: &limits, lenient };
    let path = Path::new("m/map.tmx");
    let spent = &mut Spent::default();
    let tilesets = &mut Tilesets::default();
    Map::decode_counted(path, map.as_bytes(), &mut open, options, spent, tilesets)
        .map_err(|error| error.to_string())
}

fn objects(layer: &Layer) -> &[Object] {
    match &layer.content {
        LayerContent::Objects(objects) => &objects.objects,
        _ => &[],
    }
}

#[test]
fn a_map_keeps_the_attributes_of_its_file() {
    let attributes = r##"version="1.10" tiledversion="1.11.2" class="Cave" orientation="hexagonal"
        hexsidelength="6" staggeraxis="x" renderorder="left-up" width="1" height="1" backgroundcolor="#80010203""##;
    let content = r##"<properties><property name="a" type="int" value="7"/></properties>
        <group id="3" name="G" offsetx="1.5"><layer id="4" name="L" width="1" height="1" locked="1"
        opacity="0.5" parallaxx="0.5" mode="screen"><data encoding="csv">3221225473</data></layer></group>
        <novelty><tile/></novelty><editorsettings><export/></editorsettings>"##;
    let map = read_as(attributes, content, &[], false).unwrap();
    assert_eq!((&*map.version, &*map.class), ("1.10", "Cave"));
    let Orientation::Hexagonal { axis, side, .. } = map.orientation else {
        panic!("{:?}", map.orientation);
    };
    assert_eq!((axis, side), (StaggerAxis::X, 6));
    assert!(map.render_order.leftward && map.render_order.upward);
    assert_eq!(map.background, Some([1, 2, 3, 128]));
    assert_eq!(map.properties["a"].value, PropertyValue::Int(7));
    let layers: Vec<_> = map.walk().collect();
    assert_eq!(layers[1].path, "G/L");
    assert_eq!(layers[1].offset.x, Decimal::from_millionths(1_500_000));
    assert_eq!(layers[1].layer.line, 4);
    let LayerContent::Tiles(tiles) = &layers[1].layer.content else {
        panic!("no tiles");
    };
    assert_eq!(tiles.blocks[0].cells, [0xC000_0001]);
    let unknown: Vec<_> =
        map.unknown.iter().map(|unknown| (&*unknown.element, unknown.line)).collect();
    assert_eq!(unknown, [("novelty", 6)]);
}

#[test]
fn properties_have_values_of_their_stated_types() {
    let content = r##"<properties><property name="b" type="bool" value="true"/><property name="c" type="color"
        value="#010203"/><property name="i" type="int" value="x"/><property name="t">one
two</property><property name="l" type="list"><item type="float" value="1.5"/><item value="s"/></property>
        <property name="k" type="class" propertytype="K"><properties><property name="m" type="object" value="9"/>
        </properties></property></properties>"##;
    let map = read(content, &[]).unwrap();
    let value = |name: &str| map.properties[name].value.clone();
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    assert_eq!(value("b"), PropertyValue::Bool(true));
    assert_eq!(value("c"), PropertyValue::Color("#ff010203".to_owned()));
    assert_eq!((value("i"), value("t")), (text("x"), text("one\ntwo")));
    assert_eq!(value("l"), PropertyValue::List(vec![PropertyValue::Float(1.5), text("s")]));
    let members = [("m".to_owned(), PropertyValue::Object(9))].into();
    let class = "K".to_owned();
    assert_eq!(value("k"), PropertyValue::Class { class, members });
    assert_eq!((map.properties["k"].line, &*map.properties["k"].type_name), (5, "K"));
    for (property, reason) in [
        (r#"<property name="b" type="bool" value="True"/>"#, "not true or false"),
        (r#"<property value="1"/>"#, "<property> has no name"),
    ] {
        let map = read(&format!("<properties>{property}</properties>"), &[]).unwrap();
        let fault = map.faults[0].to_string();
        assert!(map.faults.len() == 1 && fault.contains(reason), "{fault}");
    }
    let unclear = r#"<properties><property name="b" type="bool" value="yes"/></properties>"#;
    let map = read(unclear, &[]).unwrap();
    assert_eq!(map.properties["b"].value, text("yes"));
    assert_eq!(map.doubts[0].about, About::Property("b".to_owned()));
}

#[test]
fn an_object_takes_unset_attributes_from_its_template() {
    let template = r#"<template><tileset firstgid="5" source="t.tsx"/><object name="N" type="C" gid="2147483654"
        width="8" height="9" visible="0"><properties><property name="p" value="theirs"/><property name="q"
        value="kept"/></properties></object></template>"#;
    let tileset = r#"<tileset name="T" tilewidth="16" tileheight="16" tilecount="4"><image source="a.png"/>
        </tileset>"#;
    let content = r#"<objectgroup><object id="1" template="t\t.tx" x="3" name="own"><properties><property name="p"
        value="own"/></properties></object><object id="2" template="t/t.tx" gid="3"/></objectgroup>"#;
    let files = [("m/t/t.tx", template), ("m/t/t.tsx", tileset)];
    let map = read(content, &files).unwrap();
    let [one, two] = objects(&map.layers[0]) else {
        panic!("not two objects");
    };
    assert_eq!((&*one.name, &*one.class, one.visible), ("own", "C", false));
    assert_eq!(one.size.y, Decimal::from_pixels(9));
    assert_eq!(one.properties["p"].value, PropertyValue::Text("own".to_owned()));
    assert_eq!(one.properties["q"].value, PropertyValue::Text("kept".to_owned()));
    let set = &map.tilesets[0];
    assert_eq!((set.first_gid, set.file.as_deref()), (0x0800_0000, Some(Path::new("m/t/t.tsx"))));
    assert_eq!(set.image.as_ref().unwrap().path, Path::new("m/t/a.png"));
    assert_eq!((one.gid, two.gid), (Some(0x8800_0001), Some(3)));
    let with_set = format!(r#"<tileset firstgid="9" source="./t/t.tsx"/>{content}"#);
    let map = read(&with_set, &files).unwrap();
    assert_eq!((map.tilesets.len(), objects(&map.layers[0])[0].gid), (1, Some(0x8000_000A)));
    let itself = r#"<template><object template="t.tx"/></template>"#;
    let map = read(content, &[("m/t/t.tx", itself)]).unwrap();
    let error = map.doubts[0].error.to_string();
    assert!(error.starts_with("m/t/t.tx: line 1, byte 11, object 0: a template"), "{error}");
    assert_eq!((map.doubts.len(), &map.doubts[1].about), (2, &About::Object(0, 1)));
}

#[test]
fn objects_have_the_shapes_that_their_elements_state() {
    let content = r#"<objectgroup><object id="1" x="-1.25"><polygon points="0,0 5,-2.5&#10;1e1,3"/></object><object>
        <text wrap="1">a&amp;b<![CDATA[<c>]]></text></object><object gid="0"><ellipse/></object></objectgroup>"#;
    let map = read(content, &[]).unwrap();
    let [polygon, text, ellipse] = objects(&map.layers[0]) else {
        panic!("not three objects");
    };
    let point = |x: i64, y: i64| Point {
        x: Decimal::from_millionths(x * 500_000),
        y: Decimal::from_millionths(y * 500_000),
    };
    assert_eq!(polygon.shape, Shape::Polygon(vec![point(0, 0), point(10, -5), point(20, 6)]));
    assert_eq!(text.shape, Shape::Text("a&b<c>".to_owned()));
    assert_eq!((ellipse.gid, &ellipse.shape), (None, &Shape::Ellipse));
}

#[test]
fn errors_of_the_reader_name_the_file_the_line_and_the_layer() {
    let layer = |cells: &str| {
        format!(
            "<layer name=\"L\" width=\"2\" height=\"2\">\n<data encoding=\"csv\">{cells}</data></layer>"
        )
    };
    let error_of = |content: &str| match read(content, &[]) {
        Ok(map) => map.doubts[0].error.to_string(),
        Err(error) => error,
    };
    let error = error_of(&layer("1,2,3"));
    assert!(
        error.starts_with("m/map.tmx: line 3, byte 27, layer `L`: 3 cells for 2 x 2"),
        "{error}"
    );
    for (content, reason) in [
        (layer("1,2,x"), "`x` where a tile's number should be"),
        (layer("1,2,3,4</data><data>"), "a second <data>"),
        ("<layer width=\"2\" height=\"2\"/>".to_owned(), "no <data>"),
        ("<tileset source=\"t.tsx\"/>".to_owned(), "<tileset> has no firstgid"),
        ("<objectgroup><object x=\"NaN\"/></objectgroup>".to_owned(), "`x` of <object> is `NaN`"),
        ("<tileset firstgid=\"1\" source=\"t.tsx\"/>".to_owned(), "no such file"),
        ("<a b=\"1\" b=\"2\"/>".to_owned(), "stands twice in <a>"),
        ("<a b=\"<\"/>".to_owned(), "`<` in the value of `b`"),
        ("&what;".to_owned(), "not defined"),
        ("</map><map>".to_owned(), "a second root element"),
    ] {
        let error = error_of(&content);
        assert!(error.contains(reason), "{content}: {error}");
    }
}

#[test]
fn short_layers_are_filled_and_long_ones_cut_with_a_doubt() {
    let chunk = |x: i32, cells: &str| {
        format!(r#"<chunk x="{x}" y="0" width="2" height="1">{cells}</chunk>"#)
    };
    let content = format!(
        r#"<layer name="L"><data encoding="csv">{}{}{}</data></layer>"#,
        chunk(4, "1"),
        chunk(0, "1,2,3"),
        chunk(-6, "7,8")
    );
    let map = read_as(r#"infinite="1""#, &content, &[], false).unwrap();
    let LayerContent::Tiles(tiles) = &map.layers[0].content else {
        panic!("no tiles");
    };
    let blocks: Vec<_> = tiles.blocks.iter().map(|block| (block.origin.x, &*block.cells)).collect();
    assert_eq!(blocks, [(-6, &[7, 8][..]), (0, &[1, 2]), (4, &[1, 0])]);
    assert_eq!((map.faults.len(), map.doubts.len()), (0, 2));
    assert!(map.doubts.iter().all(|doubt| doubt.about == About::Layer(0)));
}

#[test]
fn a_file_in_a_western_encoding_is_converted_and_in_another_one_read_if_it_is_ascii() {
    let read = |encoding: &str, name: &[u8]| {
        let declaration = format!(r#"<?xml version="1.0" encoding="{encoding}"?><map class=""#);
        let rest = br#"" width="1" height="1" tilewidth="1" tileheight="1"/>"#;
        let map = [declaration.as_bytes(), name, rest].concat();
        let none = |_: &Path| Err(io::ErrorKind::NotFound.into());
        let map = Map::decode("m.tmx", &map, none, &Limits::default());
        map.map(|map| (map.class, map.faults.len())).map_err(|error| error.to_string())
    };
    let text = |text: &str, faults| Ok((text.to_owned(), faults));
    for encoding in ["UTF-8", "utf-8", "ISO-8859-1", "windows-1252", "us-ascii", "UTF-16", "KOI8-R"]
    {
        assert_eq!(read(encoding, b"x"), text("x", 0), "{encoding}");
    }
    assert_eq!(read("utf-8", "ä".as_bytes()), text("ä", 0));
    for encoding in ["ISO-8859-1", "latin1", "Windows-1252"] {
        assert_eq!(read(encoding, b"gr\xf6\xdfe \x80\x9f\x81"), text("größe €Ÿ\u{81}", 1));
    }
    for (encoding, fault) in [("utf-8", "not UTF-8 text (at byte 50)"), ("koi8-r", "koi8-r")] {
        let error = read(encoding, b"\xe4").unwrap_err();
        assert!(error.contains(fault), "{error}");
    }
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(unit).collect()
}

#[test]
fn a_file_in_utf_16_gives_the_same_map_as_in_utf_8() {
    let map = r#"<?xml version="1.0" encoding="UTF-16"?>
<map class="größe 木 🎮" width="1" height="1" tilewidth="4" tileheight="4">
<tileset firstgid="1" source="t.tsx"/></map>"#;
    let tileset = r#"<tileset name="Ä" tilewidth="4" tileheight="4" tilecount="2" columns="2"/>"#;
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let read = |_: &Path| Ok(utf16(tileset, unit));
        let bytes = utf16(map, unit);
        let read_map = Map::decode("m.tmx", &bytes, read, &Limits::default()).unwrap();
        assert_eq!((read_map.class.as_str(), read_map.tilesets[0].line), ("größe 木 🎮", 3));
        assert_eq!(read_map.tilesets[0].name, "Ä");
        assert_eq!(files_named(Path::new("m.tmx"), &bytes).len(), 1);
        // The text takes more bytes in UTF-8 than in UTF-16.
        let kanji = utf16(&map.replace('木', &"木".repeat(2_000)), unit);
        let limits = Limits { bytes: 2 * kanji.len() as u64 + 2, ..Limits::default() };
        let read = |_: &Path| Ok(utf16(tileset, unit));
        let error = Map::decode("m.tmx", &kanji, read, &limits).unwrap_err().to_string();
        assert!(error.contains("bytes in the file"), "{error}");
        for (broken, at) in [(&bytes[..bytes.len() - 1], bytes.len() - 2), (&bytes[..89], 88)] {
            let error = Map::decode("m.tmx", broken, read, &Limits::default()).unwrap_err();
            assert!(
                error.to_string().contains(&format!("not UTF-16 text (at byte {at})")),
                "{error}"
            );
        }
    }
}
