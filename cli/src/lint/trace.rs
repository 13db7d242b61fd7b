//! Writes findings as a Tiled map with one object layer: a rectangle for each faulty place, and a polyline
//! for each path, such as a blocked path to a goal. A person can copy the layer into the faulty map. Behind it
//! may be a picture of the level.

use super::{Finding, LintRule};

use bitwall::glam::{I64Vec2, UVec2};
use quick_xml::escape::escape;

use bitwall::LoadedLevel;
use bitwall::text::printable;

const LAYER: &str = "bitwall";

const COLOR: &str = "#ff00c8";

/// Writes a Tiled map with an object for each place and each path in the `findings` of a level. `None` if no
/// finding has a place in pixels or a path.
///
/// The name of an object is the code of the rule; its property `fault` is the headline. Coordinates are those
/// of the map, or pixels of the mask. For a map that is not orthogonal, they are correct only if the level is
/// in map space. `picture` is the name of a picture of the whole level beside the written file, which lies
/// behind the objects.
///
/// ```
/// use bitwall_cli::lint::{RuleLevel, VerifyOptions, trace_map, verify_bytes};
/// use bitwall::{LoadOptions, LoadedLevel};
///
/// let path = "../assets/cave.tmx";
/// let mut options = VerifyOptions::default();
/// options.levels.set("open-border".parse()?, RuleLevel::On);
/// let report = verify_bytes(path, &std::fs::read(path)?, &options);
/// let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
/// let map = trace_map(&loaded, &report.findings, None);
/// assert_eq!(map.is_some(), report.findings.iter().any(|finding| finding.area.is_some()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn trace_map<'f>(
    loaded: &LoadedLevel,
    findings: impl IntoIterator<Item = &'f Finding>,
    picture: Option<&str>,
) -> Option<String> {
    let tile = match &*loaded.maps {
        [placed] => placed.map.tile_size.max(UVec2::ONE),
        _ => UVec2::splat(16),
    };
    let size = loaded.level.size();
    let origin = loaded.level.origin().as_i64vec2();
    let mut objects = Vec::new();
    for finding in findings {
        let others = finding.group.iter().flat_map(|group| &group.others);
        for area in finding.area.into_iter().chain(others.filter_map(|(_, area)| *area)) {
            let size = format!(r#" width="{}" height="{}""#, area.width(), area.height());
            objects.push((finding, area.min, size, String::new()));
        }
        if let [first, _, ..] = &*finding.trace {
            let mut points = Vec::new();
            for point in &finding.trace {
                let I64Vec2 { x, y } = point.as_i64vec2() - first.as_i64vec2();
                points.push(format!("{x},{y}"));
            }
            let line = format!("   <polyline points=\"{}\"/>\n", points.join(" "));
            objects.push((finding, *first, String::new(), line));
        }
    }
    if objects.is_empty() {
        return None;
    }
    let mut map = map_head(size.saturating_sub(UVec2::ONE) / tile + 1, tile, "");
    if let Some(name) = picture {
        let (I64Vec2 { x, y }, UVec2 { x: width, y: height }) = (origin, size);
        let name = escape(name);
        map += &format!(
            " <imagelayer id=\"2\" name=\"level\" offsetx=\"{x}\" offsety=\"{y}\" locked=\"1\">\n  \
             <image source=\"{name}\" width=\"{width}\" height=\"{height}\"/>\n </imagelayer>\n"
        );
    }
    map += &format!(" <objectgroup id=\"1\" name=\"{LAYER}\" color=\"{COLOR}\">\n");
    for (id, (finding, at, size, line)) in (1..).zip(objects) {
        let LintRule { code, name, .. } = finding.rule;
        // The position in the map or the mask.
        let I64Vec2 { x, y } = at.as_i64vec2() + origin;
        let headline = printable(&finding.headline).to_string();
        map += &format!(
            r#"  <object id="{id}" name="{code}" type="{name}" x="{x}" y="{y}"{size}>
   <properties>
    <property name="fault" value="{}"/>
   </properties>
{line}  </object>
"#,
            escape(&headline)
        );
    }
    Some(map + " </objectgroup>\n</map>\n")
}

/// Returns the start of a Tiled map of `size` tiles. `more` has further attributes.
pub(crate) fn map_head(size: UVec2, tile: UVec2, more: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
         renderorder=\"right-down\" width=\"{}\" height=\"{}\" tilewidth=\"{}\" tileheight=\"{}\" \
         infinite=\"0\"{more}>\n",
        size.x, size.y, tile.x, tile.y
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::rules::RULES;
    use bitwall::Aabb;
    use bitwall::glam::IVec2;
    use bitwall::tmx::{LayerContent, Map, Shape};
    use bitwall::{Limits, LoadOptions};
    use std::path::Path;

    #[test]
    fn a_trace_map_can_be_read_again() {
        let loaded = LoadedLevel::load("../assets/cave.tmx", &LoadOptions::default()).unwrap();
        let rule = RULES.first().unwrap();
        let finding = Finding::new(rule, Path::new("a.tmx"), "a <hole> & \"more\"");
        assert_eq!(trace_map(&loaded, [&finding], None), None);
        let path = vec![IVec2::new(8, 9), IVec2::new(20, 9), IVec2::new(20, -3)];
        let finding = finding.area(Aabb::from_xywh(4, 5, 6, 7)).trace(path);
        let text = trace_map(&loaded, &[finding], None).unwrap();
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
