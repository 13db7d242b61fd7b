//! The files that a map, tileset or template names itself, whether it can be loaded or not. It opens no file.

use std::path::{Path, PathBuf};

use super::open;
use super::value::values;
use crate::paths::{is_absolute, joined};
use crate::tmx::cursor::{Attributes, Element};
use crate::tmx::{Image, Tileset};

/// The kind of a file that another one names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A tileset that the map's tiles are of.
    Tileset,
    /// A template of an object.
    Template,
    /// A picture of a tileset or an image layer.
    Picture,
    /// A picture whose size says how many tiles its tileset has.
    MeasuredPicture,
}

/// The path of each file that `bytes`, which lie at `path`, name, in their order. Those after a fault are
/// left out, and so are absolute paths of tilesets and templates, which are never read; bytes that are
/// neither XML nor a map, tileset or template in JSON name none. O(bytes).
pub fn files_named(path: &Path, bytes: &[u8]) -> Vec<(PathBuf, Named)> {
    let mut tree = None;
    let Ok(mut cursor) = open(bytes, &mut tree) else {
        return Vec::new();
    };
    let mut names = Names { path, found: Vec::new(), of_template: None, shows_tile: false };
    // The open elements; for each the tileset that it states, if it is one.
    let mut open: Vec<Option<Tileset>> = Vec::new();
    let mut is_template = false;
    loop {
        match cursor.next() {
            Ok(Some(element)) => {
                if open.is_empty() {
                    is_template = element.name == "template";
                }
                let around = open.last_mut().and_then(Option::as_mut);
                let tileset = names.add(element, around, is_template);
                open.push(tileset);
            }
            Ok(None) if !open.is_empty() => drop(open.pop()),
            Ok(None) | Err(_) => return names.all(),
        }
    }
}

struct Names<'a> {
    path: &'a Path,
    found: Vec<(PathBuf, Named)>,
    /// The tileset of a template, which is read only if the object shows a tile.
    of_template: Option<PathBuf>,
    shows_tile: bool,
}

impl Names<'_> {
    /// Adds the files that an element names; `around` is the tileset that it stands in. Returns the tileset
    /// that the element states.
    fn add(
        &mut self,
        element: Element<'_>,
        around: Option<&mut Tileset>,
        is_template: bool,
    ) -> Option<Tileset> {
        match &*element.name {
            "tileset" => match attribute(&element.attributes, "source") {
                Some(written) if is_absolute(written) => {}
                Some(written) if is_template => {
                    self.of_template = Some(joined(self.path, written));
                }
                Some(written) => self.found.push((joined(self.path, written), Named::Tileset)),
                None => return Some(self.stated(element)),
            },
            "object" => {
                let template = attribute(&element.attributes, "template");
                if let Some(written) =
                    template.filter(|path| !path.is_empty() && !is_absolute(path))
                {
                    self.found.push((joined(self.path, written), Named::Template));
                }
                self.shows_tile |= attribute(&element.attributes, "gid").is_some();
            }
            "image" => {
                if let Some(written) = attribute(&element.attributes, "source") {
                    let path = joined(self.path, written);
                    let is_measured = around.is_some_and(|tileset| {
                        let size = self.size(element.attributes);
                        tileset.image = Some(Image { size: size.into(), ..Image::default() });
                        tileset.contradicts_itself()
                    });
                    let kind = if is_measured { Named::MeasuredPicture } else { Named::Picture };
                    self.found.push((path, kind));
                }
            }
            _ => {}
        }
        None
    }

    fn all(mut self) -> Vec<(PathBuf, Named)> {
        let of_template = self.of_template.filter(|_| self.shows_tile);
        self.found.extend(of_template.map(|path| (path, Named::Tileset)));
        self.found
    }

    /// The numbers of a tileset that decide how many tiles it has. One that is no number is a fault, which
    /// the load is to name.
    fn stated(&self, element: Element<'_>) -> Tileset {
        let mut tileset = Tileset::default();
        for value in values("tileset", element.attributes) {
            match &*value.name {
                "tilewidth" => tileset.tile_size.x = value.count().unwrap_or(0),
                "tileheight" => tileset.tile_size.y = value.count().unwrap_or(0),
                "spacing" => tileset.spacing = value.count().unwrap_or(0),
                "margin" => tileset.margin = value.count().unwrap_or(0),
                "tilecount" => tileset.tile_count = value.count().ok(),
                _ => {}
            }
        }
        tileset
    }

    /// The width and the height that a picture's element states; 0 for one that it does not.
    fn size(&self, attributes: Attributes<'_>) -> [u32; 2] {
        let mut size = [0; 2];
        for value in values("image", attributes) {
            match &*value.name {
                "width" => size[0] = value.count().unwrap_or(0),
                "height" => size[1] = value.count().unwrap_or(0),
                _ => {}
            }
        }
        size
    }
}

fn attribute<'e>(attributes: &'e Attributes<'_>, name: &str) -> Option<&'e str> {
    let mut attributes = attributes.iter();
    attributes.find(|(known, _)| known == name).map(|(_, value)| &**value)
}
