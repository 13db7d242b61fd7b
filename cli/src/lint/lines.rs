//! Adds a line number to each finding that names an object, a layer or a tileset but has no line.

use super::finding::Finding;
use super::subject::Subject;
use bitwall::error::Place;
use bitwall::tmx::{LayerContent, Map};

/// Adds line numbers to the findings in the file of `subject`. A finding about a whole map gets the line of
/// the element `<map>`. Findings in masks, and in JSON on one line, get no line. O(bytes + layers + objects)
/// for a file with findings.
pub(super) fn add(subject: &Subject<'_>, findings: &mut [Finding]) {
    for finding in findings {
        if finding.place.line.is_some() || finding.path != subject.path {
            continue;
        }
        let line = match (subject.map(), subject.level) {
            (Some(map), _) => line_in(map, &finding.place, subject.bytes),
            (None, Err(_)) => line_of_layer(&finding.place, subject.bytes),
            (None, Ok(_)) => None,
        };
        finding.place.line = line.filter(|line| *line > 0).map(|line| (line, 1));
    }
}

fn line_in(map: &Map, place: &Place, bytes: &[u8]) -> Option<u32> {
    if let Some(id) = place.object {
        return map.walk().find_map(|context| match &context.layer.content {
            LayerContent::Objects(layer) => {
                Some(layer.objects.iter().find(|object| object.id == id)?.line)
            }
            _ => None,
        });
    }
    if let Some(path) = &place.layer {
        return Some(map.walk().find(|context| context.path == *path)?.layer.line);
    }
    if let Some(name) = &place.tileset {
        let set = map.tilesets.iter().find(|set| set.name == *name && set.file.is_none());
        return Some(set?.line);
    }
    line_with(bytes, |line| line.starts_with("<map"))
}

/// Returns the line number of the layer that a load error names. Searches the text, because the map could not
/// be loaded.
fn line_of_layer(place: &Place, bytes: &[u8]) -> Option<u32> {
    let name = place.layer.as_ref()?.rsplit('/').next()?;
    let name = format!("name=\"{name}\"");
    line_with(bytes, |line| {
        (line.starts_with("<layer") || line.starts_with("<objectgroup")) && line.contains(&name)
    })
}

fn line_with(bytes: &[u8], is_wanted: impl Fn(&str) -> bool) -> Option<u32> {
    let text = std::str::from_utf8(bytes).ok()?;
    let index = text.lines().position(|line| is_wanted(line.trim_start()))?;
    u32::try_from(index + 1).ok()
}
