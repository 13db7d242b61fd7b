//! Saves one map in every form in which Tiled can save it. A test writes a map once, as the JSON of a `.tmj`
//! file in which each tile layer has all its tile ids in `cells`. This module writes the files.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use serde_json::{Map, Value, json};

/// The encoding of the tile ids of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    /// `csv` in XML, or a list in JSON.
    Numbers,
    Base64,
    Zlib,
    Gzip,
    Zstd,
    /// `<tile>` elements, which only XML has.
    Elements,
}

/// The chunks of an infinite map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chunks {
    /// Chunks of this width and height in cells, which start at multiples of their size.
    Of(i64, i64),
    /// A single chunk.
    One,
}

/// Where a tileset is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tilesets {
    Embedded,
    Tsx,
    Tsj,
}

/// A form in which a map can be saved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Form {
    pub(crate) json: bool,
    pub(crate) data: Data,
    /// The chunks of an infinite map, or `None` for a finite map.
    pub(crate) chunks: Option<Chunks>,
    pub(crate) tilesets: Tilesets,
    /// True if the templates are in JSON.
    pub(crate) json_templates: bool,
    /// True if the file lists the tilesets from the last to the first.
    pub(crate) unsorted: bool,
    /// The column and row of the first cell of an infinite map.
    pub(crate) start: [i64; 2],
}

impl Form {
    /// A finite map in CSV, in as few files as possible.
    pub(crate) const PLAIN: Self = Self {
        json: false,
        data: Data::Numbers,
        chunks: None,
        tilesets: Tilesets::Embedded,
        json_templates: false,
        unsorted: false,
        start: [0, 0],
    };
}

/// Writes `map` and the files that it refers to into `folder`.
pub(crate) fn save(folder: &Path, map: &Value, form: &Form) -> PathBuf {
    let mut map = map.clone();
    let size = [int(&map, "width"), int(&map, "height")];
    let tile = [int(&map, "tilewidth"), int(&map, "tileheight")];
    map["infinite"] = json!(form.chunks.is_some());
    layers(folder, &mut map, size, tile, form);
    let tilesets = map["tilesets"].as_array_mut().unwrap();
    for tileset in tilesets.iter_mut() {
        let name = tileset["name"].as_str().unwrap().to_owned();
        // The tileset of a template is always in its own file.
        for (extension, is_json) in [("tsx", false), ("tsj", true)] {
            let mut alone = tileset.as_object().unwrap().clone();
            alone.remove("firstgid");
            let path = folder.join(format!("{name}.{extension}"));
            write(&path, "tileset", &Value::Object(alone), is_json);
        }
        let source = match form.tilesets {
            Tilesets::Embedded => continue,
            Tilesets::Tsx => format!("{name}.tsx"),
            Tilesets::Tsj => format!("{name}.tsj"),
        };
        *tileset = json!({"firstgid": tileset["firstgid"], "source": source});
    }
    if form.unsorted {
        tilesets.reverse();
    }
    let path = folder.join(if form.json { "map.tmj" } else { "map.tmx" });
    write(&path, "map", &map, form.json);
    path
}

fn int(node: &Value, key: &str) -> i64 {
    node[key].as_i64().unwrap()
}

/// Changes the layers of a map or group to a form.
fn layers(folder: &Path, parent: &mut Value, size: [i64; 2], tile: [i64; 2], form: &Form) {
    for layer in parent["layers"].as_array_mut().unwrap() {
        match layer["type"].as_str().unwrap() {
            "tilelayer" => cells(layer, size, form),
            "group" => layers(folder, layer, size, tile, form),
            "objectgroup" => {
                for object in layer["objects"].as_array_mut().unwrap() {
                    for (axis, key) in ["x", "y"].into_iter().enumerate() {
                        let moved = form.start[axis] * tile[axis];
                        object[key] = json!(object[key].as_f64().unwrap() + moved as f64);
                    }
                    if object.get("template").is_some() {
                        template(folder, object, form);
                    }
                }
            }
            _ => {}
        }
    }
}

/// Writes the template that is stored in an object to a file, and makes the object refer to the file.
fn template(folder: &Path, object: &mut Value, form: &Form) {
    let name = object["template"]["object"]["name"].as_str().unwrap();
    let (name, set) = match form.json_templates {
        true => (format!("{name}.tj"), "tsj"),
        false => (format!("{name}.tx"), "tsx"),
    };
    let mut template = object["template"].take();
    template["type"] = json!("template");
    if let Some(tileset) = template.get_mut("tileset") {
        let source = tileset["source"].as_str().unwrap();
        tileset["source"] = json!(format!("{source}.{set}"));
    }
    write(&folder.join(&name), "template", &template, form.json_templates);
    object["template"] = json!(name);
}

/// Replaces the `cells` of a layer by `data` or `chunks`.
fn cells(layer: &mut Value, size: [i64; 2], form: &Form) {
    let node = layer.as_object_mut().unwrap();
    let cells = node.remove("cells").unwrap();
    let cells: Vec<u32> = serde_json::from_value(cells).unwrap();
    let at = |x: i64, y: i64| {
        let (x, y) = (x - form.start[0], y - form.start[1]);
        let inside = (0..size[0]).contains(&x) && (0..size[1]).contains(&y);
        if inside { cells[(y * size[0] + x) as usize] } else { 0 }
    };
    let (encoding, compression) = match form.data {
        Data::Numbers => ("csv", ""),
        Data::Base64 => ("base64", ""),
        Data::Zlib => ("base64", "zlib"),
        Data::Gzip => ("base64", "gzip"),
        Data::Zstd => ("base64", "zstd"),
        Data::Elements => ("", ""),
    };
    if !form.json || encoding == "base64" {
        node.insert("encoding".to_owned(), json!(encoding));
        node.insert("compression".to_owned(), json!(compression));
    }
    node.insert("width".to_owned(), json!(size[0]));
    node.insert("height".to_owned(), json!(size[1]));
    let (side, first) = match form.chunks {
        None => {
            node.insert("data".to_owned(), data(&cells, form.data));
            return;
        }
        Some(Chunks::Of(width, height)) => ([width, height], [0, 0]),
        Some(Chunks::One) => (size, form.start),
    };
    let starts = |axis: usize| {
        let (start, side, first) = (form.start[axis], side[axis], first[axis]);
        let from = (start - first).div_euclid(side) * side + first;
        (from..start + size[axis]).step_by(side as usize)
    };
    let mut chunks = Vec::new();
    for top in starts(1) {
        for left in starts(0) {
            let rows =
                (top..top + side[1]).flat_map(|y| (left..left + side[0]).map(move |x| (x, y)));
            let cells: Vec<u32> = rows.map(|(x, y)| at(x, y)).collect();
            // Tiled leaves out empty chunks.
            if cells.iter().any(|gid| *gid != 0) {
                chunks.push(json!({
                    "x": left, "y": top, "width": side[0], "height": side[1],
                    "data": data(&cells, form.data),
                }));
            }
        }
    }
    node.insert("chunks".to_owned(), Value::Array(chunks));
}

fn data(cells: &[u32], data: Data) -> Value {
    match data {
        Data::Numbers | Data::Elements => json!(cells),
        _ => json!(in_base64(cells, data)),
    }
}

/// Returns the tile ids in base64, compressed if `data` is a compression.
pub(crate) fn in_base64(cells: &[u32], data: Data) -> String {
    let bytes: Vec<u8> = cells.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let bytes = match data {
        Data::Numbers | Data::Elements | Data::Base64 => bytes,
        Data::Zlib => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        Data::Gzip => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&bytes).unwrap();
            encoder.finish().unwrap()
        }
        Data::Zstd => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            ruzstd::encoding::compress_to_vec(&bytes[..], level)
        }
    };
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn write(path: &Path, element: &str, node: &Value, is_json: bool) {
    let text = if is_json {
        let mut node = node.clone();
        node["type"] = json!(element);
        node.to_string()
    } else {
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
        xml(&mut text, element, node.as_object().unwrap());
        text
    };
    fs::write(path, text).unwrap();
}

/// The keys of the JSON form that are child elements in XML, in the order in which Tiled writes them.
const CHILDREN: [&str; 18] = [
    "properties",
    "tileoffset",
    "grid",
    "tilesets",
    "tileset",
    "tiles",
    "objectgroup",
    "object",
    "objects",
    "polygon",
    "polyline",
    "point",
    "ellipse",
    "capsule",
    "text",
    "data",
    "chunks",
    "layers",
];

/// Writes a node of the JSON form as an XML element. Numbers, words and booleans become attributes. For other
/// values the key decides the form.
fn xml(out: &mut String, element: &str, node: &Map<String, Value>) {
    write!(out, "<{element}").unwrap();
    let is_layer = matches!(element, "layer" | "objectgroup" | "imagelayer" | "group");
    for (key, value) in node {
        let is_shape = matches!(&**key, "point" | "ellipse" | "capsule");
        let is_data = matches!(&**key, "encoding" | "compression" | "data");
        let is_kind =
            key == "type" && (is_layer || matches!(element, "map" | "tileset" | "template"));
        if !is_shape && !is_data && !is_kind && !key.starts_with("image") && !is_tree(value) {
            // Booleans are written as 1 and 0, except in custom properties.
            let text = match value {
                Value::Bool(_) if element == "property" => value.to_string(),
                _ => plain(value),
            };
            write!(out, " {key}=\"{text}\"").unwrap();
        }
    }
    out.push_str(">\n");
    if let Some(image) = node.get("image") {
        let side = |key: &str| node.get(key).map_or(0, |side| side.as_i64().unwrap());
        let (width, height) = (side("imagewidth"), side("imageheight"));
        let source = plain(image);
        writeln!(out, "<image source=\"{source}\" width=\"{width}\" height=\"{height}\"/>")
            .unwrap();
    }
    if let Some(members) = node.get("value").and_then(Value::as_object) {
        out.push_str("<properties>");
        for (name, value) in members {
            let kind = match value {
                Value::Bool(_) => "bool",
                Value::Number(number) if number.is_f64() => "float",
                Value::Number(_) => "int",
                _ => "string",
            };
            let member = json!({"name": name, "type": kind, "value": value});
            xml(out, "property", member.as_object().unwrap());
        }
        out.push_str("</properties>");
    }
    for (key, value) in CHILDREN.iter().filter_map(|key| Some((*key, node.get(*key)?))) {
        match key {
            "properties" => {
                out.push_str("<properties>");
                each(out, |_| "property", value);
                out.push_str("</properties>");
            }
            "tilesets" => each(out, |_| "tileset", value),
            "tiles" => each(out, |_| "tile", value),
            "objects" => each(out, |_| "object", value),
            "layers" => each(out, layer_element, value),
            "polygon" | "polyline" => {
                let points = value.as_array().unwrap().iter();
                let points = points.map(|point| format!("{},{}", point["x"], point["y"]));
                let points: Vec<String> = points.collect();
                writeln!(out, "<{key} points=\"{}\"/>", points.join(" ")).unwrap();
            }
            "point" | "ellipse" | "capsule" => writeln!(out, "<{key}/>").unwrap(),
            "text" => writeln!(out, "<text>{}</text>", plain(&value["text"])).unwrap(),
            "data" | "chunks" => cell_data(out, node, value),
            _ => xml(out, key, value.as_object().unwrap()),
        }
    }
    writeln!(out, "</{element}>").unwrap();
}

fn is_tree(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn each(out: &mut String, element: fn(&Value) -> &'static str, list: &Value) {
    for node in list.as_array().unwrap() {
        xml(out, element(node), node.as_object().unwrap());
    }
}

fn layer_element(layer: &Value) -> &'static str {
    match layer["type"].as_str().unwrap() {
        "tilelayer" => "layer",
        "objectgroup" => "objectgroup",
        "imagelayer" => "imagelayer",
        _ => "group",
    }
}

fn plain(value: &Value) -> String {
    match value {
        Value::Bool(flag) => if *flag { "1" } else { "0" }.to_owned(),
        Value::String(text) => text.replace('&', "&amp;").replace('<', "&lt;"),
        other => other.to_string(),
    }
}

fn cell_data(out: &mut String, layer: &Map<String, Value>, value: &Value) {
    let encoding = plain(&layer["encoding"]);
    out.push_str("<data");
    for key in ["encoding", "compression"] {
        let word = plain(&layer[key]);
        if !word.is_empty() {
            write!(out, " {key}=\"{word}\"").unwrap();
        }
    }
    out.push('>');
    let cells = |out: &mut String, data: &Value| match data {
        Value::String(text) => out.push_str(text),
        numbers => {
            let numbers = numbers.as_array().unwrap().iter();
            if encoding == "csv" {
                let numbers: Vec<String> = numbers.map(Value::to_string).collect();
                out.push_str(&numbers.join(","));
            } else {
                numbers.for_each(|gid| write!(out, "<tile gid=\"{gid}\"/>").unwrap());
            }
        }
    };
    match layer.get("chunks") {
        None => cells(out, value),
        Some(chunks) => {
            for chunk in chunks.as_array().unwrap() {
                let [x, y, width, height] = ["x", "y", "width", "height"].map(|key| &chunk[key]);
                write!(out, "<chunk x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\">")
                    .unwrap();
                cells(out, &chunk["data"]);
                out.push_str("</chunk>\n");
            }
        }
    }
    out.push_str("</data>\n");
}
