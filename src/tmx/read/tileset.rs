//! Tilesets, their tiles and pictures.

use std::path::PathBuf;

use glam::{IVec2, UVec2};

use super::references::joined;
use super::value::{positive, required, values};
use super::{ENTRY, Failure, FileReader, Seen, base64_text, xml};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::limits::check;
use crate::tmx::cursor::Element;
use crate::tmx::{Alignment, Frame, Image, Tile, Tileset, flip};

const ALIGNMENTS: [(&str, Alignment); 9] = [
    ("topleft", Alignment::TopLeft),
    ("top", Alignment::Top),
    ("topright", Alignment::TopRight),
    ("left", Alignment::Left),
    ("center", Alignment::Center),
    ("right", Alignment::Right),
    ("bottomleft", Alignment::BottomLeft),
    ("bottom", Alignment::Bottom),
    ("bottomright", Alignment::BottomRight),
];

/// The attributes of a tileset, of which some must be there.
#[derive(Default)]
struct Draft {
    tileset: Tileset,
    source: Option<String>,
    first_gid: Option<u32>,
    tile_width: Option<u32>,
    tile_height: Option<u32>,
}

impl<'t> FileReader<'_, 't, '_, '_> {
    /// Reads a tileset of the map, from its own file if it has one.
    pub(super) fn map_tileset(&mut self, element: Element<'t>) -> Result<(), Failure> {
        let line = element.line;
        let draft = self.tileset_attributes(element)?;
        let mut tileset = match &draft.source {
            Some(written) => {
                let first_gid = required("tileset", "firstgid", draft.first_gid)?;
                self.end("tileset")?;
                let path = joined(self.path, written);
                self.tileset_file("tileset", written, &path, first_gid)?
            }
            None => self.tileset(draft)?,
        };
        tileset.line = line;
        self.shared.map.tilesets.push(tileset);
        let count = self.shared.map.tilesets.len() as u64;
        check("tilesets", count, self.limits().tilesets)?;
        Ok(())
    }

    /// Reads a tileset in a file of its own, which has no first id; its map's is `first_gid`.
    pub(super) fn tileset_root(
        &mut self,
        element: Element<'t>,
        first_gid: u32,
    ) -> Result<Tileset, Failure> {
        let draft = self.tileset_attributes(element)?;
        if draft.source.is_some() {
            return Err(xml("a tileset file that refers to another tileset").into());
        }
        self.tileset(Draft {
            first_gid: Some(first_gid),
            ..draft
        })
    }

    fn tileset_attributes(&mut self, element: Element<'t>) -> Result<Draft, Failure> {
        let mut draft = Draft::default();
        let set = &mut draft.tileset;
        let mut kind = String::new();
        for value in values("tileset", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "firstgid" => draft.first_gid = Some(value.count()?),
                "source" => draft.source = Some(value.text()?.into_owned()),
                "name" => set.name = value.name()?,
                "class" => set.class = value.name()?,
                "type" => kind = value.name()?,
                "tilewidth" => draft.tile_width = Some(value.count()?),
                "tileheight" => draft.tile_height = Some(value.count()?),
                "spacing" => set.spacing = value.count()?,
                "margin" => set.margin = value.count()?,
                "tilecount" => set.tile_count = Some(value.count()?),
                "columns" => set.columns = Some(value.count()?),
                "objectalignment" => set.alignment = value.word(&ALIGNMENTS),
                "tilerendersize" => set.fills_cell = value.word(&[("grid", true)]),
                "fillmode" => set.keeps_aspect = value.word(&[("preserve-aspect-fit", true)]),
                "backgroundcolor" => set.background = value.color(),
                _ => {}
            }
        }
        if set.class.is_empty() {
            set.class = kind;
        }
        Ok(draft)
    }

    /// Reads what is in a tileset.
    fn tileset(&mut self, draft: Draft) -> Result<Tileset, Failure> {
        let Draft { mut tileset, .. } = draft;
        self.place = Place {
            tileset: Some(tileset.name.clone()),
            ..Place::default()
        };
        tileset.first_gid = required("tileset", "firstgid", draft.first_gid)?;
        if tileset.first_gid == 0 || tileset.first_gid & flip::ALL != 0 {
            return Err(Failure::Here(LoadErrorKind::TilesetIds {
                reason: format!("its first tile cannot be number {}", tileset.first_gid),
            }));
        }
        let limits = self.shared.options.limits;
        let sides = [draft.tile_width, draft.tile_height].map(|side| side.unwrap_or(0));
        for side in [sides[0], sides[1], tileset.spacing, tileset.margin] {
            let what = "pixels in a tileset's tile, spacing or margin";
            check(what, side, limits.tile_side)?;
        }
        required("tileset", "tilewidth", draft.tile_width)?;
        required("tileset", "tileheight", draft.tile_height)?;
        tileset.tile_size = UVec2::from(sides);
        let count = tileset.tile_count.unwrap_or(0);
        check("tiles in a tileset", count, limits.tileset_tiles)?;
        self.shared
            .keep(ENTRY + tileset.name.len() + tileset.class.len())?;
        self.tileset_content(&mut tileset)?;
        if let Some(image) = &tileset.image {
            positive("tileset", "tilewidth", tileset.tile_size.x)?;
            positive("tileset", "tileheight", tileset.tile_size.y)?;
            if tileset.tile_count.is_none() {
                let count = tileset.tiles_in(image.size);
                check("tiles in a tileset", count, limits.tileset_tiles)?;
            }
        }
        self.place = Place::default();
        Ok(tileset)
    }

    fn tileset_content(&mut self, tileset: &mut Tileset) -> Result<(), Failure> {
        let mut seen = Seen::default();
        while let Some(child) = self.child()? {
            match &*child.name {
                "properties" => {
                    seen.once("properties")?;
                    tileset.properties = self.properties()?;
                }
                "image" => {
                    seen.once("image")?;
                    tileset.image = Some(self.image(child)?);
                }
                "tileoffset" => {
                    seen.once("tileoffset")?;
                    tileset.offset = self.tile_offset(child)?;
                }
                "grid" => {
                    seen.once("grid")?;
                    tileset.isometric_grid = self.isometric_grid(child)?;
                }
                "tile" => {
                    let (id, tile) = self.tile(child, tileset)?;
                    tileset.tiles.insert(id, tile);
                    let (found, limit) = (tileset.tiles.len(), self.limits().tileset_tiles);
                    check("tiles in a tileset", found as u64, limit)?;
                }
                _ => self.pass(&child, "tileset")?,
            }
        }
        Ok(())
    }

    fn tile_offset(&mut self, element: Element<'t>) -> Result<IVec2, Failure> {
        let mut offset = IVec2::ZERO;
        for value in values("tileoffset", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "x" => offset.x = value.int()?,
                "y" => offset.y = value.int()?,
                _ => {}
            }
        }
        self.end("tileoffset")?;
        Ok(offset)
    }

    /// The size of a diamond of the grid on which collision shapes are drawn, if it is isometric.
    fn isometric_grid(&mut self, element: Element<'t>) -> Result<Option<UVec2>, Failure> {
        let mut size = UVec2::ZERO;
        let mut is_isometric = false;
        for value in values("grid", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "orientation" => is_isometric = value.word(&[("isometric", true)]),
                "width" => size.x = value.count()?,
                "height" => size.y = value.count()?,
                _ => {}
            }
        }
        self.end("grid")?;
        Ok((is_isometric && size.min_element() > 0).then_some(size))
    }

    /// Reads a tile; returns its id too.
    fn tile(&mut self, element: Element<'t>, tileset: &Tileset) -> Result<(u32, Tile), Failure> {
        let mut tile = Tile {
            line: element.line,
            ..Tile::default()
        };
        let mut id = None;
        let mut class = String::new();
        let mut part = [0; 4];
        for value in values("tile", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "id" => id = Some(value.count()?),
                "type" => tile.class = value.name()?,
                "class" => class = value.name()?,
                "x" => part[0] = value.int()?,
                "y" => part[1] = value.int()?,
                "width" => part[2] = value.int()?,
                "height" => part[3] = value.int()?,
                _ => {}
            }
        }
        if tile.class.is_empty() {
            tile.class = class;
        }
        let id = required("tile", "id", id)?;
        if tileset.tiles.contains_key(&id) {
            return Err(xml(format!("tile {id} stands twice in the tileset")).into());
        }
        self.shared.keep(ENTRY + tile.class.len())?;
        self.tile_content(&mut tile)?;
        let [x, y, width, height] = part;
        if let Some(image) = &mut tile.image
            && width > 0
            && height > 0
        {
            image.part = Some(Aabb::from_xywh(x, y, width, height));
        }
        Ok((id, tile))
    }

    fn tile_content(&mut self, tile: &mut Tile) -> Result<(), Failure> {
        let mut seen = Seen::default();
        while let Some(child) = self.child()? {
            match &*child.name {
                "properties" => {
                    seen.once("properties")?;
                    tile.properties = self.properties()?;
                }
                "image" => {
                    seen.once("image")?;
                    tile.image = Some(self.image(child)?);
                }
                "objectgroup" => {
                    seen.once("objectgroup")?;
                    tile.shapes = self.shapes()?;
                }
                "animation" => {
                    seen.once("animation")?;
                    tile.animation = self.animation()?;
                }
                _ => self.pass(&child, "tile")?,
            }
        }
        Ok(())
    }

    /// The collision shapes of a tile.
    fn shapes(&mut self) -> Result<Vec<crate::tmx::Object>, Failure> {
        let mut shapes = Vec::new();
        while let Some(child) = self.child()? {
            match &*child.name {
                "object" => shapes.push(self.object(child, false)?),
                // Those of the group mean nothing: Tiled's collision editor shows none.
                "properties" => self.cursor.skip()?,
                _ => self.pass(&child, "objectgroup")?,
            }
        }
        Ok(shapes)
    }

    fn animation(&mut self) -> Result<Vec<Frame>, Failure> {
        let mut frames = Vec::new();
        while let Some(child) = self.child()? {
            if child.name != "frame" {
                self.pass(&child, "animation")?;
                continue;
            }
            let (mut tile, mut duration) = (None, None);
            for value in values("frame", child.attributes, self.shared.options.limits) {
                match &*value.name {
                    "tileid" => tile = Some(value.count()?),
                    "duration" => duration = Some(value.count()?),
                    _ => {}
                }
            }
            frames.push(Frame {
                tile: required("frame", "tileid", tile)?,
                duration: required("frame", "duration", duration)?,
            });
            self.end("frame")?;
        }
        Ok(frames)
    }

    /// Reads a picture's element. One within the file that is broken is missing, as one that is not there.
    pub(super) fn image(&mut self, element: Element<'t>) -> Result<Image, Failure> {
        let mut image = Image {
            line: element.line,
            ..Image::default()
        };
        // A side that no picture has counts as not stated.
        let side = |side: u32| Some(side).filter(|side| i32::try_from(*side).is_ok());
        for value in values("image", element.attributes, self.shared.options.limits) {
            match &*value.name {
                "source" => image.path = joined(self.path, &value.text()?),
                "width" => image.size.x = side(value.count()?).unwrap_or(0),
                "height" => image.size.y = side(value.count()?).unwrap_or(0),
                "trans" => {
                    let color = value.bare_color();
                    image.transparent = color.map(|[red, green, blue, _]| [red, green, blue]);
                }
                _ => {}
            }
        }
        // Each repeats the folder of the file that names it.
        self.shared.path_bytes += image.path.as_os_str().len() as u64;
        let (found, limit) = (self.shared.path_bytes, self.limits().file_bytes);
        check("bytes of the paths of pictures", found, limit)?;
        let mut seen = Seen::default();
        while let Some(child) = self.child()? {
            if child.name != "data" {
                self.pass(&child, "image")?;
                continue;
            }
            seen.once("data")?;
            self.end("data")?;
            let text = self.cursor.text();
            if image.path.as_os_str().is_empty()
                && let Some(bytes) = base64_text::bytes_of(&text)
            {
                image.path = self.embedded_path();
                image.data = Some(bytes.into());
            }
        }
        Ok(image)
    }

    /// A path for a picture within the file, which no other picture of the map has.
    fn embedded_path(&mut self) -> PathBuf {
        let mut path = self.path.as_os_str().to_owned();
        path.push(format!("#picture-{}", self.shared.embedded));
        self.shared.embedded += 1;
        path.into()
    }
}
