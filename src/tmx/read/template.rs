//! Templates: files with one object, whose values an object takes over unless it has its own.
//!
//! A template's tile is a tile of the map: a tileset that only a template names is added behind the map's own.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::object::Draft;
use super::property::cost;
use super::references::{joined, plain};
use super::value::{required, values};
use super::{Failure, FileReader, Seen, read_file, xml};
use crate::error::{LoadError, Place};
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{Shape, flip};

/// A template file.
pub(super) struct Template {
    pub(super) object: Draft,
    /// The bytes of names and values that each instance may repeat.
    pub(super) cost: usize,
    tileset: Option<TilesetReference>,
}

/// The tileset that a template names.
struct TilesetReference {
    /// Its path as the template writes it.
    written: String,
    path: PathBuf,
    /// The number of its tile 0 in the template.
    first_gid: u32,
}

/// The number of tile 0 of the first tileset that only a template names, and the numbers kept for each. No
/// real map has so many tiles; one that claims these numbers is told that its tilesets overlap.
const FIRST_GID: u32 = 0x0800_0000;
const GIDS: u32 = 1 << 16;

impl<'t> FileReader<'_, 't, '_, '_> {
    /// The template that is written so.
    pub(super) fn template(&mut self, written: &str) -> Result<Rc<Template>, Failure> {
        let path = joined(self.path, written);
        let key = plain(&path);
        if let Some(template) = self.shared.templates.get(&key) {
            return Ok(Rc::clone(template));
        }
        let bytes = self.referred("template", written, &path)?;
        let template = read_file(&path, &bytes, "template", self.shared, |reader, _| {
            reader.template_content()
        })?;
        let template = template.ok_or_else(|| {
            LoadError::new(&path, Place::default(), xml("a template without an object"))
        })?;
        let template = Rc::new(template);
        self.shared.templates.insert(key, Rc::clone(&template));
        Ok(template)
    }

    /// Reads what is in a template file; `None` if that is no object.
    fn template_content(&mut self) -> Result<Option<Template>, Failure> {
        let (mut tileset, mut object) = (None, None);
        let mut seen = Seen::default();
        while let Some(child) = self.child()? {
            match &*child.name {
                "tileset" => tileset = Some(self.template_tileset(child)?),
                "object" => {
                    seen.once("object")?;
                    object = Some(self.template_object(child)?);
                }
                _ => self.pass(&child, "template")?,
            }
        }
        Ok(object.map(|object| Template {
            cost: object.cost(),
            object,
            tileset,
        }))
    }

    fn template_object(&mut self, element: Element<'t>) -> Result<Draft, Failure> {
        let mut draft = self.object_attributes(element)?;
        if draft.template.is_some() {
            return Err(xml("a template that is made from a template").into());
        }
        self.object_content(&mut draft)?;
        self.place.object = None;
        Ok(draft)
    }

    /// The tileset that a template file names.
    fn template_tileset(&mut self, element: Element<'t>) -> Result<TilesetReference, Failure> {
        let (mut source, mut first_gid) = (None, None);
        for value in values("tileset", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "source" => source = Some(value.text()?.into_owned()),
                "firstgid" => first_gid = Some(value.count()?),
                _ => {}
            }
        }
        let Some(written) = source else {
            return Err(xml("a template with a tileset within").into());
        };
        let first_gid = required("tileset", "firstgid", first_gid)?;
        self.end("tileset")?;
        Ok(TilesetReference {
            path: joined(self.path, &written),
            written,
            first_gid,
        })
    }

    /// The number in the map of a template's tile; `None` for a template without one.
    pub(super) fn template_gid(&mut self, template: &Template) -> Result<Option<u32>, Failure> {
        let Some(gid) = template.object.gid else {
            return Ok(None);
        };
        let Some(tileset) = &template.tileset else {
            return Err(xml("a template with a tile, but without a tileset").into());
        };
        let flags = gid & flip::ALL;
        let id = (gid & !flip::ALL)
            .checked_sub(tileset.first_gid)
            .filter(|id| *id < GIDS);
        let id = id.ok_or_else(|| xml("a template with a tile below its tileset's first one"))?;
        let key = plain(&tileset.path);
        let of_map = self.shared.map.tilesets.iter();
        let known = of_map
            .chain(&self.shared.template_tilesets)
            .find(|set| set.file.as_ref() == Some(&key));
        let first = match known {
            Some(tileset) => tileset.first_gid,
            None => self.add_tileset(&tileset.written, &tileset.path)?,
        };
        Ok(Some(flags | first.saturating_add(id)))
    }

    /// Adds a tileset that only a template names; returns the number of its tile 0.
    fn add_tileset(&mut self, written: &str, path: &Path) -> Result<u32, Failure> {
        let count = self.shared.template_tilesets.len() as u32;
        let limit = self
            .limits()
            .tilesets
            .min((flip::ROTATED - FIRST_GID) / GIDS);
        check("tilesets of templates", count + 1, limit)?;
        let first_gid = FIRST_GID + count * GIDS;
        let tileset = self.tileset_file("a template's tileset", written, path, first_gid)?;
        self.shared.template_tilesets.push(tileset);
        Ok(first_gid)
    }
}

impl Draft {
    /// The bytes of the names and values that an instance may repeat.
    fn cost(&self) -> usize {
        let texts = [&self.name, &self.class];
        let texts: usize = texts.into_iter().flatten().map(String::len).sum();
        let shape = match &self.shape {
            Some(Shape::Text(text)) => text.len(),
            _ => 0,
        };
        texts + shape + cost(&self.properties)
    }
}
