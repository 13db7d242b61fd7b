//! What each element means: checked as it opens, put into the document as it closes.

use std::borrow::Cow;
use std::collections::HashSet;

use glam::UVec2;

use super::attributes::{Attributes, xml};
use super::base64_text;
use super::document::{RawContent, RawLayer, RawTileset};
use super::reader::{FileReader, Role};
use super::references::joined;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::MAX_CELL_SIZE;
use crate::geometry::decimal::Decimal;
use crate::level::source::flip;
use crate::limits::check;

/// The orientations that Tiled knows.
const ORIENTATIONS: [&str; 5] = [
    "orthogonal",
    "isometric",
    "staggered",
    "hexagonal",
    "oblique",
];

impl<'t> FileReader<'t, '_, '_, '_> {
    /// Checks an element as it opens, and makes its attributes canonical. False if it is not copied.
    pub(super) fn open(
        &mut self,
        role: Role,
        parent: Role,
        attributes: &mut Attributes<'_>,
        first_gid: Option<u32>,
    ) -> Result<bool, LoadErrorKind> {
        match role {
            Role::Map => self.open_map(attributes)?,
            Role::Tileset => self.open_tileset(attributes, first_gid)?,
            Role::Image => self.open_image(parent, attributes)?,
            Role::Grid => {
                self.open_grid(attributes);
                return Ok(false);
            }
            Role::Tile => self.open_tile(attributes)?,
            Role::TileShape | Role::Object => self.open_object(attributes)?,
            Role::Shape(shape) => {
                self.open_shape(shape, attributes)?;
                return Ok(false);
            }
            Role::Layer | Role::ObjectGroup | Role::ImageLayer | Role::Group => {
                self.open_layer(role, attributes)?;
            }
            Role::ImageData => return Ok(false),
            Role::Data => {
                self.open_data(attributes)?;
                return Ok(false);
            }
            Role::Chunk => {
                self.open_chunk(attributes)?;
                return Ok(false);
            }
            Role::Cell => {
                self.layer
                    .numbers
                    .push(attributes.count("gid").unwrap_or(0));
                return Ok(false);
            }
            Role::Properties => self.properties.push(HashSet::new()),
            Role::Plain | Role::Template | Role::TileShapes | Role::Property => {}
        }
        Ok(true)
    }

    /// Puts an element into the document as it closes; `text` is what stood in it.
    pub(super) fn close(
        &mut self,
        role: Role,
        attributes: &Attributes<'_>,
        text: Cow<'t, str>,
    ) -> Result<(), LoadErrorKind> {
        match role {
            Role::Tileset => self.close_tileset(attributes),
            Role::Tile => {
                self.close_tile(attributes);
                Ok(())
            }
            Role::Object | Role::TileShape => {
                self.close_object(attributes);
                Ok(())
            }
            Role::ImageData => {
                self.close_image_data(&text);
                Ok(())
            }
            Role::Data => self.close_data(text),
            Role::Chunk => self.close_chunk(attributes, text),
            Role::Layer => {
                let blocks = self.close_blocks()?;
                self.close_layer(RawContent::Tiles(blocks));
                Ok(())
            }
            Role::ObjectGroup => {
                let objects = std::mem::take(&mut self.objects);
                self.close_layer(RawContent::Objects(objects));
                Ok(())
            }
            Role::ImageLayer => {
                self.close_layer(RawContent::Image);
                Ok(())
            }
            Role::Group => {
                self.groups.pop();
                self.leave();
                Ok(())
            }
            Role::Properties => {
                self.properties.pop();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn open_map(&mut self, attributes: &mut Attributes<'_>) -> Result<(), LoadErrorKind> {
        let orientation = attributes.text("orientation").unwrap_or("orthogonal");
        if !ORIENTATIONS.contains(&orientation) {
            return Err(LoadErrorKind::Value {
                element: "map",
                attribute: "orientation".to_owned(),
                value: orientation.to_owned(),
                expected: "an orientation that Tiled knows",
            });
        }
        let orientation = orientation.to_owned();
        attributes.set("orientation", orientation);
        // Chunks are not for `tiled`, which gets no cells at all.
        self.document.is_infinite = attributes.flag("infinite");
        attributes.remove("infinite");
        attributes.set("version", "1.10");
        if self.document.is_infinite {
            attributes.set("width", "0");
            attributes.set("height", "0");
        }
        let side = |name| {
            let side = attributes.required(name)?;
            positive("map", name, side)?;
            Ok(side)
        };
        let document = &mut self.document;
        if !document.is_infinite {
            (document.width, document.height) = (side("width")?, side("height")?);
        }
        (document.tile_width, document.tile_height) = (side("tilewidth")?, side("tileheight")?);
        let limits = self.shared.limits;
        for side in [document.width, document.height] {
            check(
                "tiles in the width or height of the map",
                side,
                limits.map_side,
            )?;
        }
        for side in [document.tile_width, document.tile_height] {
            let limit = limits.tile_side.min(MAX_CELL_SIZE);
            check("pixels in a side of a tile", side, limit)?;
        }
        for name in ["skewx", "skewy", "hexsidelength"] {
            let number = attributes.text(name).and_then(|text| text.parse().ok());
            let side = number.map_or(0, i32::unsigned_abs);
            let what = "pixels in a map's skew or a hexagon's side";
            check(what, side, limits.tile_side)?;
        }
        Ok(())
    }

    fn open_tileset(
        &mut self,
        attributes: &mut Attributes<'_>,
        first_gid: Option<u32>,
    ) -> Result<(), LoadErrorKind> {
        let name = attributes.text("name").unwrap_or_default().to_owned();
        self.place.tileset = Some(name.clone());
        self.picture = None;
        self.tile_ids.clear();
        let first_gid = match first_gid {
            Some(first_gid) => first_gid,
            None => attributes.required("firstgid")?,
        };
        if first_gid == 0 || first_gid & flip::ALL != 0 {
            return Err(LoadErrorKind::TilesetIds {
                reason: format!("its first tile cannot be number {first_gid}"),
            });
        }
        self.check_tileset(attributes)?;
        let side = |name| attributes.count(name).unwrap_or(0);
        self.document.tilesets.push(RawTileset {
            name,
            first_gid,
            tile_size: UVec2::new(side("tilewidth"), side("tileheight")),
            tile_count: attributes.count("tilecount"),
            ..RawTileset::default()
        });
        // `tiled` makes an entry for each tile that it is told of, named in the file or not.
        attributes.set("tilecount", "0");
        attributes.set("firstgid", first_gid.to_string());
        if attributes.text("columns").is_none() {
            attributes.set("columns", "0");
        }
        Ok(())
    }

    fn check_tileset(&self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        let limits = self.shared.limits;
        let count = self.document.tilesets.len() as u64 + 1;
        check("tilesets", count, limits.tilesets)?;
        for name in ["tilewidth", "tileheight", "spacing", "margin"] {
            let side = attributes.count(name).unwrap_or(0);
            let what = "pixels in a tileset's tile, spacing or margin";
            check(what, side, limits.tile_side)?;
        }
        attributes.required("tilewidth")?;
        attributes.required("tileheight")?;
        let tile_count = attributes.count("tilecount").unwrap_or(0);
        check("tiles in a tileset", tile_count, limits.tileset_tiles)
    }

    /// Reckons how many tiles there are from the picture, if the file does not say.
    fn close_tileset(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        self.leave();
        let number = |name| u64::from(attributes.count(name).unwrap_or(0));
        let (tile_width, tile_height) = (number("tilewidth"), number("tileheight"));
        let Some(tileset) = self.document.tilesets.last_mut() else {
            return Ok(());
        };
        let Some((width, height)) = self.picture else {
            tileset.is_collection = true;
            return Ok(());
        };
        positive("tileset", "tilewidth", tile_width as u32)?;
        positive("tileset", "tileheight", tile_height as u32)?;
        if tileset.tile_count.is_none() && width > 0 && height > 0 {
            let fit = |picture: u32, tile: u64| {
                let room =
                    (u64::from(picture) + number("spacing")).saturating_sub(number("margin"));
                room / (tile + number("spacing"))
            };
            let count = fit(width, tile_width) * fit(height, tile_height);
            let limit = self.shared.limits.tileset_tiles;
            check("tiles in a tileset", count, limit)?;
            tileset.tile_count = u32::try_from(count).ok();
        }
        Ok(())
    }

    /// Keeps the grid on which a tileset's collision shapes are drawn, if it is isometric.
    fn open_grid(&mut self, attributes: &Attributes<'_>) {
        let side = |name| attributes.count(name).unwrap_or(0);
        let size = UVec2::new(side("width"), side("height"));
        let is_slanted = attributes.text("orientation") == Some("isometric");
        if let Some(tileset) = self.document.tilesets.last_mut() {
            tileset.grid = (is_slanted && size.min_element() > 0).then_some(size);
        }
    }

    /// Puts a number in the place of the picture's path, so that every path comes back as it went in.
    fn open_image(
        &mut self,
        parent: Role,
        attributes: &mut Attributes<'_>,
    ) -> Result<(), LoadErrorKind> {
        let path = attributes
            .text("source")
            .map(|source| joined(self.path, source));
        let path = path.unwrap_or_default();
        // Each repeats the folder of the file that names it.
        self.shared.path_bytes += path.as_os_str().len() as u64;
        let (found, limit) = (self.shared.path_bytes, self.shared.limits.file_bytes);
        check("bytes of the paths of pictures", found, limit)?;
        let size = |name| {
            attributes
                .count(name)
                .filter(|side| *side <= i32::MAX as u32)
                .unwrap_or(0)
        };
        let (width, height) = (size("width"), size("height"));
        match parent {
            Role::Tileset => self.picture = Some((width, height)),
            Role::Tile => self.tile_picture = Some(UVec2::new(width, height)),
            _ => {}
        }
        attributes.set("source", self.shared.images.len().to_string());
        attributes.set("width", width.to_string());
        attributes.set("height", height.to_string());
        self.shared.images.push(path);
        Ok(())
    }

    /// Keeps a picture that is inside the file. One that is broken is missing, as one that is not there.
    fn close_image_data(&mut self, text: &str) {
        let Some(image) = self
            .shared
            .images
            .last_mut()
            .filter(|path| path.as_os_str().is_empty())
        else {
            return;
        };
        if let Some(bytes) = base64_text::bytes_of(text) {
            let count = self.shared.embedded.len();
            let mut name = self.path.as_os_str().to_owned();
            name.push(format!("#picture-{count}"));
            *image = name.into();
            self.shared.embedded.insert(image.clone(), bytes.into());
        }
    }

    fn open_tile(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        self.tile_picture = None;
        self.objects.clear();
        let id = attributes.required("id")?;
        let limit = self.shared.limits.tileset_tiles;
        if !self.tile_ids.insert(id) {
            return Err(xml(format!("tile {id} stands twice in the tileset")));
        }
        if let Some(tileset) = self.document.tilesets.last_mut() {
            tileset.tile_ids.push(id);
            check("tiles in a tileset", tileset.tile_ids.len() as u64, limit)?;
        }
        Ok(())
    }

    /// Keeps the size of a tile's own picture, and its collision shapes.
    fn close_tile(&mut self, attributes: &Attributes<'_>) {
        let shapes = std::mem::take(&mut self.objects);
        let id = attributes.count("id").unwrap_or(0);
        let own = ["width", "height"].map(|name| attributes.count(name).unwrap_or(0));
        let Some(tileset) = self.document.tilesets.last_mut() else {
            return;
        };
        if let Some(picture) = self.tile_picture {
            // A part of the picture, if the tile names one.
            let part = UVec2::from(own);
            let size = if part.min_element() > 0 {
                part
            } else {
                picture
            };
            tileset.tile_sizes.insert(id, size);
        }
        if !shapes.is_empty() {
            tileset.shapes.insert(id, shapes);
        }
    }

    fn open_layer(&mut self, role: Role, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        let (path, offset) = self.within_groups(role, attributes);
        let limits = self.shared.limits;
        let bytes = path.len() as u64;
        check(
            "bytes in the names of a layer and its groups",
            bytes,
            limits.name_bytes,
        )?;
        self.place = Place {
            layer: Some(path.clone()),
            ..Place::default()
        };
        let index = self.document.layers.len();
        check("layers", index as u64 + 1, limits.layers)?;
        let line = self.line();
        match role {
            Role::Group => self.groups.push(index),
            Role::Layer => self.check_size(attributes)?,
            _ => {}
        }
        self.document.layers.push(RawLayer {
            path,
            content: RawContent::Group,
            offset,
            line,
        });
        Ok(())
    }

    /// The name and the offset of a layer, with those of the groups around it.
    fn within_groups(
        &self,
        role: Role,
        attributes: &Attributes<'_>,
    ) -> (String, (Decimal, Decimal)) {
        let name = attributes.text("name").unwrap_or_default();
        let has_offset = attributes
            .text("offsetx")
            .or(attributes.text("offsety"))
            .is_some();
        let own = if role == Role::ImageLayer && !has_offset {
            // Before Tiled 0.15 an image layer had its offset in x and y.
            (attributes.decimal("x"), attributes.decimal("y"))
        } else {
            (attributes.decimal("offsetx"), attributes.decimal("offsety"))
        };
        let Some(group) = self.groups.last() else {
            return (name.to_owned(), own);
        };
        let group = &self.document.layers[*group];
        let offset = (group.offset.0 + own.0, group.offset.1 + own.1);
        (format!("{}/{name}", group.path), offset)
    }

    fn close_layer(&mut self, content: RawContent<'t>) {
        if let Some(layer) = self.document.layers.last_mut() {
            layer.content = content;
        }
        self.leave();
    }

    /// What comes next is in the group around what was read, if there is one.
    fn leave(&mut self) {
        let group = self
            .groups
            .last()
            .map(|group| &self.document.layers[*group]);
        self.place = Place {
            layer: group.map(|group| group.path.clone()),
            ..Place::default()
        };
    }
}

pub(super) fn positive(
    element: &'static str,
    attribute: &str,
    value: u32,
) -> Result<(), LoadErrorKind> {
    if value == 0 {
        return Err(LoadErrorKind::Value {
            element,
            attribute: attribute.to_owned(),
            value: "0".to_owned(),
            expected: "at least 1",
        });
    }
    Ok(())
}
