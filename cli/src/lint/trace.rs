//! Findings as an object layer that Tiled opens: the paths past barriers, and the places at fault.
//!
//! The text is a whole map with that layer alone, as large as the level. It opens beside the map at fault,
//! and the layer can be copied into it. Writes no file.

use std::io::{self, Write};

use bitwall::glam::{IVec2, UVec2};
use quick_xml::Writer;

use super::finding::Finding;
use bitwall::LoadedLevel;
use bitwall::geometry::Aabb;
use bitwall::text::printable;

/// The name of the layer.
const LAYER: &str = "bitwall";

/// The colour of its objects.
const COLOR: &str = "#ff00c8";

/// A Tiled map with an object for each place, and for each path, of the findings in a level. Each is named by
/// the code of its rule; its property `fault` is the headline. `None` if no finding has a place in pixels.
///
/// Coordinates are those of the level's source: those of its map, or the pixels of its mask. For a map in
/// another orientation than orthogonal they are right only for a level in map space.
///
/// ```
/// use bitwall_cli::lint::{BodySpec, RuleLevel, VerifyOptions, trace_map, verify_bytes};
/// use bitwall::{LoadOptions, LoadedLevel};
///
/// let path = "../assets/cave.tmx";
/// let mut options = VerifyOptions::default();
/// options.bodies.push(BodySpec::new("hero", (12, 20).into()));
/// options.levels.set("spawn-in-air".parse()?, RuleLevel::On);
/// let report = verify_bytes(path, &std::fs::read(path)?, &options);
/// let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
/// let map = trace_map(&loaded, &report.findings);
/// assert_eq!(map.is_some(), report.findings.iter().any(|finding| finding.area.is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace_map<'f>(
    loaded: &LoadedLevel,
    findings: impl IntoIterator<Item = &'f Finding>,
) -> Option<String> {
    let tile = match &*loaded.maps {
        [placed] => placed.map.tile_size.max(UVec2::ONE),
        _ => UVec2::splat(16),
    };
    let (size, origin) = (loaded.level.size(), loaded.level.origin());
    let cells = [size.x.div_ceil(tile.x), size.y.div_ceil(tile.y)];
    let placed = findings.into_iter();
    let placed = placed.filter(|finding| finding.area.is_some() || !finding.trace.is_empty());
    let placed: Vec<&Finding> = placed.collect();
    if placed.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    // A vector takes every write.
    write(&mut bytes, cells, tile, origin, &placed).ok()?;
    String::from_utf8(bytes).ok()
}

fn write(
    out: &mut Vec<u8>,
    cells: [u32; 2],
    tile: UVec2,
    origin: IVec2,
    findings: &[&Finding],
) -> io::Result<()> {
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    let mut xml = Writer::new_with_indent(out, b' ', 1);
    let [width, height] = cells.map(|count| count.to_string());
    let (tile_width, tile_height) = (tile.x.to_string(), tile.y.to_string());
    let map = xml.create_element("map").with_attributes([
        ("version", "1.10"),
        ("orientation", "orthogonal"),
        ("renderorder", "right-down"),
        ("width", &*width),
        ("height", &*height),
        ("tilewidth", &*tile_width),
        ("tileheight", &*tile_height),
        ("infinite", "0"),
    ]);
    map.write_inner_content(|xml| {
        let attributes = [("id", "1"), ("name", LAYER), ("color", COLOR)];
        let layer = xml.create_element("objectgroup").with_attributes(attributes);
        layer.write_inner_content(|xml| {
            let mut id = 0;
            for finding in findings {
                if let Some(area) = finding.area {
                    id += 1;
                    write_area(xml, id, area, origin, finding)?;
                }
                if finding.trace.len() > 1 {
                    id += 1;
                    write_path(xml, id, origin, finding)?;
                }
            }
            Ok(())
        })?;
        Ok(())
    })?;
    writeln!(xml.into_inner())
}

fn write_area(
    xml: &mut Writer<&mut Vec<u8>>,
    id: u32,
    area: Aabb,
    origin: IVec2,
    finding: &Finding,
) -> io::Result<()> {
    let (id, [x, y]) = (id.to_string(), place(area.min, origin));
    let (width, height) = (area.width().to_string(), area.height().to_string());
    let object = xml.create_element("object").with_attributes([
        ("id", &*id),
        ("name", finding.rule.code),
        ("type", finding.rule.name),
        ("x", &*x),
        ("y", &*y),
        ("width", &*width),
        ("height", &*height),
    ]);
    object.write_inner_content(|xml| write_fault(xml, finding))?;
    Ok(())
}

fn write_path(
    xml: &mut Writer<&mut Vec<u8>>,
    id: u32,
    origin: IVec2,
    finding: &Finding,
) -> io::Result<()> {
    let first = finding.trace.first().copied().unwrap_or_default();
    let (id, [x, y]) = (id.to_string(), place(first, origin));
    let points = finding.trace.iter().map(|point| {
        let [x, y] = place(*point, -first);
        format!("{x},{y}")
    });
    let points = points.collect::<Vec<_>>().join(" ");
    let object = xml.create_element("object").with_attributes([
        ("id", &*id),
        ("name", finding.rule.code),
        ("type", finding.rule.name),
        ("x", &*x),
        ("y", &*y),
    ]);
    object.write_inner_content(|xml| {
        write_fault(xml, finding)?;
        xml.create_element("polyline").with_attribute(("points", &*points)).write_empty()?;
        Ok(())
    })?;
    Ok(())
}

fn write_fault(xml: &mut Writer<&mut Vec<u8>>, finding: &Finding) -> io::Result<()> {
    let headline = printable(&finding.headline).to_string();
    xml.create_element("properties").write_inner_content(|xml| {
        let attributes = [("name", "fault"), ("value", &*headline)];
        xml.create_element("property").with_attributes(attributes).write_empty()?;
        Ok(())
    })?;
    Ok(())
}

/// A place of the level in its source. Sums stay in range.
fn place(pixel: IVec2, origin: IVec2) -> [String; 2] {
    let sum = pixel.as_i64vec2() + origin.as_i64vec2();
    [sum.x.to_string(), sum.y.to_string()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::rules::RULES;
    use bitwall::tmx::{LayerContent, Map, Shape};
    use bitwall::{Limits, LoadOptions};
    use std::path::Path;

    #[test]
    fn a_trace_is_a_map_that_reads_back() {
        let loaded = LoadedLevel::load("../assets/cave.tmx", &LoadOptions::default()).unwrap();
        let rule = RULES.first().unwrap();
        let finding = Finding::new(rule, Path::new("a.tmx"), "a <hole> & \"more\"");
        assert_eq!(trace_map(&loaded, [&finding]), None);
        let path = vec![IVec2::new(8, 9), IVec2::new(20, 9), IVec2::new(20, -3)];
        let finding = finding.area(Aabb::from_xywh(4, 5, 6, 7)).trace(path);
        let text = trace_map(&loaded, &[finding]).unwrap();
        let none = |path: &Path| Err(std::io::Error::other(path.display().to_string()));
        let map = Map::decode("trace.tmx", text.as_bytes(), none, &Limits::default()).unwrap();
        let LayerContent::Objects(layer) = &map.layers[0].content else { panic!("{text}") };
        assert_eq!(map.layers[0].name, "bitwall");
        let [area, path] = &*layer.objects else { panic!("{text}") };
        assert_eq!((area.name.as_str(), &area.shape), (rule.code, &Shape::Rectangle));
        let Shape::Polyline(points) = &path.shape else { panic!("{text}") };
        assert_eq!(points.len(), 3);
        assert!(text.contains("points=\"0,0 12,0 12,-12\""), "{text}");
        assert!(text.contains("a &lt;hole&gt; &amp; &quot;more&quot;"), "{text}");
    }
}
