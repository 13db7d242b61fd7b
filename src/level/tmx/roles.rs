//! What each element means: checked as it opens, put into the document as it closes.

use std::borrow::Cow;
use std::collections::HashSet;

use super::attributes::{Attributes, xml};
use super::cells::{CellData, Encoding};
use super::document::{RawContent, RawLayer, RawObject, RawTileset};
use super::reader::{FileReader, Role, joined};
use super::schema::Shape;
use crate::geometry::MAX_CELL_SIZE;
use crate::level::decimal::Micro;
use crate::level::error::{LoadErrorKind, Place};
use crate::level::limits::check;
use crate::level::source::flip;

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
            Role::Image => self.open_image(parent, attributes),
            Role::Tile => self.open_tile(attributes)?,
            Role::TileShape | Role::Object => self.open_object(attributes)?,
            Role::Shape(shape) => self.open_shape(shape, attributes)?,
            Role::Layer | Role::ObjectGroup | Role::ImageLayer | Role::Group => {
                self.open_layer(role, attributes)?;
            }
            Role::Chunk => return Err(unsupported("a layer in chunks (an infinite map)")),
            Role::Data => {
                self.data = Some(CellData::Numbers(Vec::new()));
                return Ok(false);
            }
            Role::Cell => {
                if let Some(CellData::Numbers(numbers)) = &mut self.data {
                    numbers.push(attributes.count("gid").unwrap_or(0));
                }
                return Ok(false);
            }
            Role::Properties => self.properties.push(HashSet::new()),
            Role::Plain | Role::TileShapes | Role::Property => {}
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
            Role::Object => {
                let shape = self.shape.unwrap_or(Shape::Rectangle);
                self.objects.push(object(attributes, shape));
                self.place.object = None;
                Ok(())
            }
            Role::TileShape => {
                self.place.object = None;
                Ok(())
            }
            Role::Data => self.close_data(attributes, text),
            Role::Layer => {
                let data = self.data.take().ok_or(LoadErrorKind::Missing {
                    element: "layer",
                    attribute: "<data>",
                })?;
                self.close_layer(RawContent::Tiles(data));
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
        match attributes.text("orientation") {
            Some("orthogonal") | None => attributes.set("orientation", "orthogonal"),
            Some(other @ ("isometric" | "staggered" | "hexagonal" | "oblique")) => {
                return Err(unsupported(&format!("a map in {other} orientation")));
            }
            Some(other) => {
                return Err(LoadErrorKind::Value {
                    element: "map",
                    attribute: "orientation".to_owned(),
                    value: other.to_owned(),
                    expected: "an orientation that Tiled knows",
                });
            }
        }
        if attributes.flag("infinite") {
            return Err(unsupported("an infinite map"));
        }
        attributes.remove("infinite");
        attributes.set("version", "1.10");
        let side = |name| {
            let side = attributes.required(name)?;
            positive("map", name, side)?;
            Ok(side)
        };
        let document = &mut self.document;
        (document.width, document.height) = (side("width")?, side("height")?);
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
        self.document.tilesets.push(RawTileset {
            name,
            first_gid,
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

    /// Puts a number in the place of the picture's path, so that every path comes back as it went in.
    fn open_image(&mut self, parent: Role, attributes: &mut Attributes<'_>) {
        let path = attributes
            .text("source")
            .map(|source| joined(self.path, source));
        let size = |name| {
            attributes
                .count(name)
                .filter(|side| *side <= i32::MAX as u32)
                .unwrap_or(0)
        };
        let (width, height) = (size("width"), size("height"));
        if parent == Role::Tileset {
            self.picture = Some((width, height));
        }
        attributes.set("source", self.shared.images.len().to_string());
        attributes.set("width", width.to_string());
        attributes.set("height", height.to_string());
        self.shared.images.push(path.unwrap_or_default());
    }

    fn open_tile(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
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

    fn open_object(&mut self, attributes: &mut Attributes<'_>) -> Result<(), LoadErrorKind> {
        self.shape = None;
        self.place.object = attributes.count("id");
        self.shared.objects += 1;
        let limit = self.shared.limits.objects;
        check("objects", self.shared.objects, limit)?;
        if attributes.text("template").is_some() {
            return Err(unsupported("an object from a template"));
        }
        Ok(())
    }

    fn open_shape(
        &mut self,
        shape: Shape,
        attributes: &Attributes<'_>,
    ) -> Result<(), LoadErrorKind> {
        if self.shape.replace(shape).is_some() {
            return Err(xml("an object of two shapes"));
        }
        let needs_points = matches!(shape, Shape::Polygon | Shape::Polyline);
        if needs_points && attributes.text("points").is_none() {
            return Err(LoadErrorKind::Missing {
                element: "object",
                attribute: "points",
            });
        }
        Ok(())
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
        match role {
            Role::Group => self.groups.push(index),
            Role::Layer => self.check_size(attributes)?,
            _ => {}
        }
        self.document.layers.push(RawLayer {
            path,
            content: RawContent::Group,
            offset,
        });
        Ok(())
    }

    /// The name and the offset of a layer, with those of the groups around it.
    fn within_groups(&self, role: Role, attributes: &Attributes<'_>) -> (String, (Micro, Micro)) {
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

    fn check_size(&mut self, attributes: &Attributes<'_>) -> Result<(), LoadErrorKind> {
        let layer = (
            attributes.required("width")?,
            attributes.required("height")?,
        );
        let map = (self.document.width, self.document.height);
        if layer != map {
            return Err(LoadErrorKind::LayerSize { layer, map });
        }
        let cells = u64::from(layer.0) * u64::from(layer.1);
        self.shared.cells += cells;
        let limits = self.shared.limits;
        check("tiles in a layer", cells, limits.layer_cells)?;
        check("tiles in all layers", self.shared.cells, limits.map_cells)
    }

    fn close_data(
        &mut self,
        attributes: &Attributes<'_>,
        text: Cow<'t, str>,
    ) -> Result<(), LoadErrorKind> {
        let (encoding, compression) = (attributes.text("encoding"), attributes.text("compression"));
        match (Encoding::parse(encoding, compression)?, &self.data) {
            (Some(_), Some(CellData::Numbers(numbers))) if !numbers.is_empty() => {
                Err(xml("<tile> elements in a layer of encoded data"))
            }
            (Some(encoding), _) => {
                self.data = Some(CellData::Text { encoding, text });
                Ok(())
            }
            (None, _) if !text.trim_ascii().is_empty() => Err(xml("cell data without an encoding")),
            (None, _) => Ok(()),
        }
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

fn object(attributes: &Attributes<'_>, shape: Shape) -> RawObject {
    RawObject {
        id: attributes.count("id").unwrap_or(0),
        x: attributes.decimal("x"),
        y: attributes.decimal("y"),
        width: attributes.decimal("width"),
        height: attributes.decimal("height"),
        rotation: attributes.decimal("rotation"),
        gid: attributes.count("gid").filter(|gid| *gid != 0),
        shape,
    }
}

fn positive(element: &'static str, attribute: &str, value: u32) -> Result<(), LoadErrorKind> {
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

pub(super) fn unsupported(feature: &str) -> LoadErrorKind {
    LoadErrorKind::Unsupported {
        feature: feature.to_owned(),
    }
}
