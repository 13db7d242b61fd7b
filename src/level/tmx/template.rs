//! Objects made from a template: a file with one object, whose values the object takes over unless it has
//! its own.
//!
//! The canonical copy holds such an object as if it had been written out in full. A template's tile is a
//! tile of the map: a tileset that only a template names is added behind the map's own.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::attributes::{Attributes, xml};
use super::document::RawTileset;
use super::file_text::FileText;
use super::reader::{FileReader, Role};
use super::references::{joined, plain};
use super::schema::{self, Element, Shape};
use crate::error::{LoadError, Place};
use crate::geometry::decimal::Decimal;
use crate::level::source::flip;

/// The templates of a map.
#[derive(Default)]
pub(super) struct Templates {
    /// By path, so that each file is read once.
    read: HashMap<PathBuf, Rc<Template>>,
    /// The template file that is being read: what has been found in it.
    open: Option<Template>,
    /// Tilesets that only templates name, and their canonical copy.
    tilesets: Vec<RawTileset>,
    pub(super) canonical: String,
}

/// The object in a template file.
#[derive(Default)]
struct Template {
    /// False until its object has been read.
    has_object: bool,
    attributes: Vec<(&'static str, String)>,
    /// The path of its tileset, if it names one, and the first number in it.
    tileset: Option<(String, PathBuf, u32)>,
    shape: Option<Shape>,
    points: Vec<(Decimal, Decimal)>,
    /// The canonical text of each property, with its name.
    properties: Vec<(String, String)>,
}

/// The number of tile 0 of the first tileset that only a template names, and the numbers kept for each. No
/// real map has so many tiles; one that claims these numbers is told that its tilesets overlap.
const FIRST_GID: u32 = 0x0800_0000;
const GIDS: u32 = 1 << 16;

impl<'t> FileReader<'t, '_, '_, '_> {
    /// An object that is made from a template.
    pub(super) fn instance(
        &mut self,
        element: &'static Element,
        mut attributes: Attributes<'_>,
    ) -> Result<(), LoadError> {
        let written = attributes.text("template").unwrap_or_default().to_owned();
        self.open_object(&attributes)
            .map_err(|kind| self.error(kind))?;
        let template = self.template(written)?;
        attributes.remove("template");
        let has_class = attributes.text("type").is_some() || attributes.text("class").is_some();
        for (name, value) in &template.attributes {
            let is_class = matches!(*name, "type" | "class");
            let is_tile = *name == "gid";
            if attributes.text(name).is_none() && !(is_class && has_class) && !is_tile {
                attributes.set(name, value.clone());
            }
        }
        // A tile's shapes show no tiles. To look for one would go round in a circle: the tileset that is
        // being read may be the template's own.
        let shows_tile = element.role == Role::Object && attributes.text("gid").is_none();
        if shows_tile && let Some(gid) = self.template_gid(&template)? {
            attributes.set("gid", gid.to_string());
        }
        attributes.write(&mut self.document.canonical);
        self.instance_content(element, &template)?;
        self.close_object(&attributes);
        self.write_end(element)
    }

    /// What is in an object that is made from `template`: its own and the template's.
    fn instance_content(
        &mut self,
        element: &'static Element,
        template: &Template,
    ) -> Result<(), LoadError> {
        let start = self.document.canonical.len();
        self.content(Role::Object, element.children)?;
        let own = self.document.canonical.split_off(start);
        let text = |range: &std::ops::Range<usize>| {
            own.get(range.start - start..range.end - start)
                .unwrap_or_default()
        };
        let canonical = &mut self.document.canonical;
        let object = &mut self.object;
        let is_own = |name: &str| object.properties.iter().any(|(own, _)| own == name);
        canonical.push_str("<properties>");
        for (name, property) in &template.properties {
            if !is_own(name) {
                canonical.push_str(property);
            }
        }
        for (_, range) in &object.properties {
            canonical.push_str(text(range));
        }
        canonical.push_str("</properties>");
        if object.shape.is_none() {
            object.shape = template.shape;
            object.points.clone_from(&template.points);
            self.count_points().map_err(|kind| self.error(kind))?;
        }
        Ok(())
    }

    /// The template that is written so.
    fn template(&mut self, written: String) -> Result<Rc<Template>, LoadError> {
        if self.shared.templates.open.is_some() {
            return Err(self.error(xml("a template that is made from a template")));
        }
        let path = joined(self.path, &written);
        let key = plain(&path);
        if let Some(template) = self.shared.templates.read.get(&key) {
            return Ok(Rc::clone(template));
        }
        let bytes = self.referred("template", written, &path)?;
        let error = |kind| LoadError::new(&path, Place::default(), kind);
        let file = FileText::new(&bytes, self.shared.limits).map_err(error)?;
        self.shared.templates.open = Some(Template::default());
        FileReader::new(&path, &file, self.shared).root(&schema::TEMPLATE, None)?;
        let template = self.shared.templates.open.take().unwrap_or_default();
        if !template.has_object {
            return Err(error(xml("a template without an object")));
        }
        let template = Rc::new(template);
        let read = &mut self.shared.templates.read;
        read.insert(key, Rc::clone(&template));
        Ok(template)
    }

    /// The object of a template file.
    pub(super) fn template_object(
        &mut self,
        element: &'static Element,
        attributes: Attributes<'_>,
    ) -> Result<(), LoadError> {
        self.open_object(&attributes)
            .map_err(|kind| self.error(kind))?;
        if attributes.text("template").is_some() {
            return Err(self.error(xml("a template that is made from a template")));
        }
        self.content(Role::Object, element.children)?;
        let object = std::mem::take(&mut self.object);
        let canonical = &self.document.canonical;
        let text =
            |range: std::ops::Range<usize>| canonical.get(range).unwrap_or_default().to_owned();
        let of_place = ["id", "x", "y"];
        let Some(template) = &mut self.shared.templates.open else {
            return Ok(());
        };
        template.has_object = true;
        template.attributes = attributes
            .all()
            .filter(|(name, _)| !of_place.contains(name))
            .map(|(name, value)| (name, value.to_owned()))
            .collect();
        template.shape = object.shape;
        template.points = object.points;
        let properties = object.properties.into_iter();
        template.properties = properties
            .map(|(name, range)| (name, text(range)))
            .collect();
        Ok(())
    }

    /// The tileset that a template file names.
    pub(super) fn template_tileset(
        &mut self,
        attributes: &Attributes<'_>,
    ) -> Result<(), LoadError> {
        let Some(source) = attributes.text("source") else {
            return Err(self.error(xml("a template with a tileset within")));
        };
        let source = source.to_owned();
        let first_gid = attributes
            .required("firstgid")
            .map_err(|kind| self.error(kind))?;
        self.content(Role::Plain, &[])?;
        let path = joined(self.path, &source);
        if let Some(template) = &mut self.shared.templates.open {
            template.tileset = Some((source, path, first_gid));
        }
        Ok(())
    }

    /// The number in the map of a template's tile; `None` for a template without one.
    fn template_gid(&mut self, template: &Template) -> Result<Option<u32>, LoadError> {
        let number = template.attributes.iter().find(|(name, _)| *name == "gid");
        let Some(gid) = number.and_then(|(_, gid)| gid.parse::<u32>().ok()) else {
            return Ok(None);
        };
        let Some((written, path, first_gid)) = &template.tileset else {
            return Err(self.error(xml("a template with a tile, but without a tileset")));
        };
        let flags = gid & flip::ALL;
        let id = (gid & !flip::ALL)
            .checked_sub(*first_gid)
            .filter(|id| *id < GIDS);
        let id = id.ok_or_else(|| {
            self.error(xml("a template with a tile below its tileset's first one"))
        })?;
        let key = plain(path);
        let is_same = |set: &&RawTileset| set.file.as_ref() == Some(&key);
        let own = self
            .document
            .tilesets
            .iter()
            .chain(&self.shared.templates.tilesets)
            .find(is_same);
        let first = match own {
            Some(tileset) => tileset.first_gid,
            None => self.add_tileset(written.clone(), path)?,
        };
        Ok(Some(flags | first.saturating_add(id)))
    }

    /// Adds a tileset that only a template names; returns the number of its tile 0.
    fn add_tileset(&mut self, written: String, path: &Path) -> Result<u32, LoadError> {
        let count = self.shared.templates.tilesets.len() as u32;
        let limit = self
            .shared
            .limits
            .tilesets
            .min((flip::ROTATED - FIRST_GID) / GIDS);
        self.check("tilesets of templates", count + 1, limit)?;
        let first_gid = FIRST_GID + count * GIDS;
        let (tilesets, canonical) =
            self.read_tileset("a template's tileset", written, path, first_gid)?;
        let templates = &mut self.shared.templates;
        templates.tilesets.extend(tilesets);
        templates.canonical.push_str(&canonical);
        self.check_copy()?;
        Ok(first_gid)
    }

    /// Adds the tilesets that only templates name behind those of the map.
    pub(super) fn add_template_tilesets(&mut self) {
        let templates = &mut self.shared.templates;
        self.document.tilesets.append(&mut templates.tilesets);
        self.document.canonical.push_str(&templates.canonical);
    }
}
