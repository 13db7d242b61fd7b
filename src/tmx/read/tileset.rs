//! Tilesets, their tiles and pictures.

use std::path::Path;

use glam::{IVec2, UVec2};

use super::super::{Alignment, Frame, Image, MAX_TILE_SIDE, MAX_TILES, Tile, Tileset, flip};
use super::cursor::{Element, xml};
use super::objects::referred;
use super::values::{properties, required, side, values};
use super::{ENTRY, MAX_KEPT_BYTES, Once, ReadFailure, Reader, cells, objects, read_file, spend};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::limits::check;
use crate::paths::{joined, plain};

/// Tilesets in a map.
pub(super) const MAX_TILESETS: u32 = 256;

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

/// The attributes of a tileset; some must be there.
#[derive(Default)]
struct TilesetDraft {
    tileset: Tileset,
    source: Option<String>,
    first_gid: Option<u32>,
    tile_width: Option<u32>,
    tile_height: Option<u32>,
}

/// Reads a tileset of the map, from its own file if it has one.
pub(super) fn add_to_map(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<(), ReadFailure> {
    let line = element.line;
    let draft = attributes(element)?;
    let mut tileset = match &draft.source {
        Some(written) => {
            let first_gid = required("tileset", "firstgid", draft.first_gid)?;
            reader.end("tileset")?;
            let path = joined(reader.path, written);
            from_file(reader, "tileset", written, &path, first_gid)?
        }
        None => read(reader, draft)?,
    };
    tileset.line = line;
    reader.shared.map.tilesets.push(tileset);
    let count = reader.shared.map.tilesets.len() as u64;
    check("tilesets", count, MAX_TILESETS)?;
    Ok(())
}

/// Reads a tileset's own file, which does not say the number of its first tile.
pub(super) fn from_file(
    reader: &mut Reader<'_, '_>,
    what: &'static str,
    written: &str,
    path: &Path,
    first_gid: u32,
) -> Result<Tileset, ReadFailure> {
    let bytes = referred(reader, what, written, path)?;
    let mut tileset = read_file(path, &bytes, "tileset", reader.shared, |reader, element| {
        let draft = attributes(element)?;
        if draft.source.is_some() {
            return Err(xml("a tileset file that refers to another tileset").into());
        }
        read(reader, TilesetDraft { first_gid: Some(first_gid), ..draft })
    })?;
    tileset.file = Some(plain(path));
    reader.shared.keep(written.len())?;
    tileset.source = written.to_owned();
    Ok(tileset)
}

fn attributes(element: Element<'_>) -> Result<TilesetDraft, ReadFailure> {
    let mut draft = TilesetDraft::default();
    let set = &mut draft.tileset;
    let mut kind = String::new();
    for value in values("tileset", element.attributes) {
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

/// Reads the content of a tileset.
fn read(reader: &mut Reader<'_, '_>, draft: TilesetDraft) -> Result<Tileset, ReadFailure> {
    let TilesetDraft { mut tileset, .. } = draft;
    reader.place = Place { tileset: Some(tileset.name.clone()), ..Place::default() };
    tileset.first_gid = required("tileset", "firstgid", draft.first_gid)?;
    if tileset.first_gid == 0 || tileset.first_gid & flip::ALL != 0 {
        return Err(ReadFailure::Here(LoadErrorKind::TilesetIds {
            reason: format!("its first tile cannot be number {}", tileset.first_gid),
        }));
    }
    let [width, height] = [draft.tile_width, draft.tile_height];
    let sides = [width.unwrap_or(0), height.unwrap_or(0), tileset.spacing, tileset.margin];
    for side in sides {
        let what = "pixels in a tileset's tile, spacing or margin";
        check(what, side, MAX_TILE_SIDE)?;
    }
    tileset.tile_size.x = required("tileset", "tilewidth", width)?;
    tileset.tile_size.y = required("tileset", "tileheight", height)?;
    check("tiles in a tileset", tileset.tile_count.unwrap_or(0), MAX_TILES)?;
    reader.shared.keep(ENTRY + tileset.name.len() + tileset.class.len())?;
    let mut once = Once::new(["properties", "image", "tileoffset", "grid"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => tileset.properties = properties(reader)?,
            "image" => tileset.image = Some(image(reader, child)?),
            "tileoffset" => tileset.offset = tile_offset(reader, child)?,
            "grid" => tileset.isometric_grid = isometric_grid(reader, child)?,
            "tile" => {
                let (id, tile) = tile(reader, child, &tileset)?;
                tileset.tiles.insert(id, tile);
                let count = tileset.tiles.len() as u64;
                check("tiles in a tileset", count, MAX_TILES)?;
            }
            _ => reader.pass(&child, "tileset")?,
        }
    }
    if let Some(image) = &tileset.image {
        side("tileset", "tilewidth", width)?;
        side("tileset", "tileheight", height)?;
        if tileset.tile_count.is_none() {
            let count = tileset.tiles_in(image.size);
            check("tiles in a tileset", count, MAX_TILES)?;
        }
    }
    reader.place = Place::default();
    Ok(tileset)
}

fn tile_offset(reader: &mut Reader<'_, '_>, element: Element<'_>) -> Result<IVec2, ReadFailure> {
    let mut offset = IVec2::ZERO;
    for value in values("tileoffset", element.attributes) {
        match &*value.name {
            "x" => offset.x = value.int()?,
            "y" => offset.y = value.int()?,
            _ => {}
        }
    }
    reader.end("tileoffset")?;
    Ok(offset)
}

/// The size of a diamond of the grid on which collision shapes are drawn, if it is isometric.
fn isometric_grid(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<Option<UVec2>, ReadFailure> {
    let mut size = UVec2::ZERO;
    let mut is_isometric = false;
    for value in values("grid", element.attributes) {
        match &*value.name {
            "orientation" => is_isometric = value.word(&[("isometric", true)]),
            "width" => size.x = value.count()?,
            "height" => size.y = value.count()?,
            _ => {}
        }
    }
    reader.end("grid")?;
    Ok((is_isometric && size.min_element() > 0).then_some(size))
}

/// Reads a tile; returns its id too.
fn tile(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    tileset: &Tileset,
) -> Result<(u32, Tile), ReadFailure> {
    let mut tile = Tile { line: element.line, ..Tile::default() };
    let mut id = None;
    let mut class = String::new();
    let mut part = [0; 4];
    for value in values("tile", element.attributes) {
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
    reader.shared.keep(ENTRY + tile.class.len())?;
    let mut once = Once::new(["properties", "image", "objectgroup", "animation"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        match &*child.name {
            "properties" => tile.properties = properties(reader)?,
            "image" => tile.image = Some(image(reader, child)?),
            "objectgroup" => tile.shapes = shapes(reader)?,
            "animation" => tile.animation = animation(reader)?,
            _ => reader.pass(&child, "tile")?,
        }
    }
    let [x, y, width, height] = part;
    if let Some(image) = tile.image.as_mut().filter(|_| width > 0 && height > 0) {
        image.part = Some(Aabb::from_xywh(x, y, width, height));
    }
    Ok((id, tile))
}

/// The collision shapes of a tile. They show no tiles: to look for one would go round in a circle, for the
/// tileset that is being read may be their template's own.
fn shapes(reader: &mut Reader<'_, '_>) -> Result<Vec<crate::tmx::Object>, ReadFailure> {
    let mut shapes = Vec::new();
    while let Some(child) = reader.child()? {
        match &*child.name {
            "object" => shapes.push(objects::read_object(reader, child, |_, _| Ok(None))?),
            // Those of the group mean nothing: Tiled's collision editor shows none.
            "properties" => reader.cursor.skip()?,
            _ => reader.pass(&child, "objectgroup")?,
        }
    }
    Ok(shapes)
}

fn animation(reader: &mut Reader<'_, '_>) -> Result<Vec<Frame>, ReadFailure> {
    let mut frames = Vec::new();
    while let Some(child) = reader.child()? {
        if child.name != "frame" {
            reader.pass(&child, "animation")?;
            continue;
        }
        let (mut tile, mut duration) = (None, None);
        for value in values("frame", child.attributes) {
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
        reader.end("frame")?;
    }
    Ok(frames)
}

/// Reads a picture's element. One within the file that is broken is missing, as one that is not there.
pub(super) fn image(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<Image, ReadFailure> {
    let mut image = Image { line: element.line, ..Image::default() };
    // A side that no picture has counts as not stated.
    let side = |side: u32| if i32::try_from(side).is_ok() { side } else { 0 };
    for value in values("image", element.attributes) {
        match &*value.name {
            "source" => {
                image.source = value.text()?.into_owned();
                image.path = joined(reader.path, &image.source);
            }
            "width" => image.size.x = side(value.count()?),
            "height" => image.size.y = side(value.count()?),
            "trans" => {
                let color = value.bare_color();
                image.transparent = color.map(|[red, green, blue, _]| [red, green, blue]);
            }
            _ => {}
        }
    }
    // Each repeats the folder of the file that names it.
    let bytes = (image.path.as_os_str().len() + image.source.len()) as u64;
    spend("bytes of the paths of pictures", &mut reader.shared.path_bytes, bytes, MAX_KEPT_BYTES)?;
    let mut once = Once::new(["data"]);
    while let Some(child) = reader.child()? {
        once.check(&child)?;
        if child.name != "data" {
            reader.pass(&child, "image")?;
            continue;
        }
        reader.end("data")?;
        let text = reader.cursor.text();
        if image.path.as_os_str().is_empty()
            && let Some(bytes) = cells::bytes_of(&text)
        {
            // A path that no other picture of the map has.
            let mut path = reader.path.as_os_str().to_owned();
            path.push(format!("#picture-{}", reader.shared.embedded));
            reader.shared.embedded += 1;
            image.path = path.into();
            image.data = Some(bytes.into());
        }
    }
    Ok(image)
}
