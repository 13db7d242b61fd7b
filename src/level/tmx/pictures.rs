//! The pictures that a map or tileset file names, loaded or not: so that they are not taken for masks.

use std::path::{Path, PathBuf};

use quick_xml::Reader as Xml;
use quick_xml::XmlVersion;
use quick_xml::events::Event;

use super::json;
use super::references::joined;
use crate::limits::Limits;

/// The path of each picture that the file `bytes`, which lies at `path`, names itself. What comes after a
/// fault is left out; a file that is neither XML nor a map or tileset in JSON names none.
pub(crate) fn pictures_named(path: &Path, bytes: &[u8]) -> Vec<PathBuf> {
    let mut pictures = Vec::new();
    let bytes = json::xml_of(bytes, &Limits::default()).unwrap_or_default();
    let mut xml = Xml::from_reader(&*bytes);
    while let Ok(event) = xml.read_event() {
        let start = match event {
            Event::Eof => break,
            Event::Start(start) | Event::Empty(start) => start,
            _ => continue,
        };
        if start.name().into_inner() != "image" {
            continue;
        }
        if let Ok(Some(source)) = start.try_get_attribute("source")
            && let Ok(source) = source.normalized_value(XmlVersion::Implicit1_0)
        {
            pictures.push(joined(path, &source));
        }
    }
    pictures
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_found_in_what_cannot_be_loaded() {
        let map = br#"<map orientation="isometric"><tileset><image source="../a&amp;b.png"/><tile>
            <image source="c.png"></image></tile></tileset><image/></map><oops"#;
        let found = pictures_named(Path::new("maps/x.tmx"), map);
        assert_eq!(
            found,
            [Path::new("maps/../a&b.png"), Path::new("maps/c.png")]
        );
        let tileset =
            br#"{"tilewidth": 8, "image": "a.png", "tiles": [{"id": 3, "image": "b\/c.png"}]}"#;
        let found = pictures_named(Path::new("x.tsj"), tileset);
        assert_eq!(found, [Path::new("a.png"), Path::new("b/c.png")]);
        assert!(pictures_named(Path::new("x"), b"\x89PNG\xff").is_empty());
    }
}
