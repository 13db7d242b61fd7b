//! Reads tilesets, their tiles and pictures.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::{
    About, Alignment, Frame, Image, MAX_TILE_SIDE, MAX_TILES, Tile, Tileset, flip, kept,
};
use super::cursor::Element;
use super::values::{Values, properties, required, wrong};
use super::{
    ReadFailure, Reader, ReferenceKind, contradiction, objects, read_file, read_reference, spend,
};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::limits::check;
use crate::paths::{joined, plain};

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

/// The tilesets that the maps of a level have read from files, by path. Maps that name the same file share
/// its tiles.
pub(crate) type Tilesets = HashMap<PathBuf, Tileset>;

/// Reads a tileset of the map, from its own file if it has one.
pub(super) fn add_to_map(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<(), ReadFailure> {
    let line = element.line;
    let mut from = Values::new("tileset", element.attributes);
    let mut tileset = match from.text("source") {
        Some(written) => {
            let first_gid = from.required("firstgid");
            from.finish(reader)?;
            reader.end("tileset")?;
            let path = joined(reader.path, &written);
            match from_file(reader, "tileset", &written, &path, first_gid) {
                Ok(tileset) => tileset,
                Err(failure) if is_first_gid(first_gid) => {
                    lost(reader, failure, written.into_owned(), first_gid)?
                }
                Err(failure) => return Err(failure),
            }
        }
        None => read(reader, from, None)?,
    };
    tileset.line = line;
    reader.shared.map.tilesets.push(tileset);
    let count = reader.shared.map.tilesets.len() as u64;
    check("tilesets", count, MAX_TILESETS)?;
    Ok(())
}

/// Returns a tileset in place of the next tileset of the map, whose file cannot be read. Its tiles have no
/// properties and an unknown picture. Whether that is an error depends on the cells that use them.
fn lost(
    reader: &mut Reader<'_, '_>,
    failure: ReadFailure,
    source: String,
    first_gid: u32,
) -> Result<Tileset, ReadFailure> {
    let error = reader.error(failure);
    // Tilesets of Tiled itself, such as `:/automap-tiles.tsx`, have no solids.
    if source.starts_with(":/") {
        reader.warn(error.kind());
    } else {
        let about = About::Tileset(reader.shared.map.tilesets.len());
        reader.doubt_about(about, error)?;
    }
    reader.place = Place::default();
    let name = Path::new(&source).file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Tileset {
        name,
        source,
        first_gid,
        tile_size: reader.shared.map.tile_size,
        image: Some(Image::default()),
        ..Tileset::default()
    })
}

/// Reads a tileset's own file, unless it was read before. `first_gid` is the gid (global tile id) of the
/// tileset's tile 0. It is stated in the file that refers to the tileset.
pub(super) fn from_file(
    reader: &mut Reader<'_, '_>,
    what: &'static str,
    written: &str,
    path: &Path,
    first_gid: u32,
) -> Result<Tileset, ReadFailure> {
    if reader.shared.names.is_some() {
        reader.name(written, path, ReferenceKind::Tileset);
        return Ok(Tileset { first_gid, ..Tileset::default() });
    }
    reader.shared.keep(kept::text(written.len()))?;
    let source = written.to_owned();
    let file = plain(path);
    // A wrong number is reported by [`read`].
    let known = reader.shared.tilesets.get(&file).filter(|_| is_first_gid(first_gid)).cloned();
    if let Some(tileset) = known {
        reader.shared.keep(kept::tileset(&tileset))?;
        let shapes = tileset.tiles.values().map(|tile| tile.shapes.len() as u64).sum();
        let limit = reader.shared.limits.objects;
        spend("objects (the limit `objects`)", &mut reader.shared.objects, shapes, limit)?;
        return Ok(Tileset { source, first_gid, ..tileset });
    }
    let bytes = read_reference(reader.shared.read, what, written, path)?;
    let mut tileset = Tileset::default();
    read_file(path, &bytes, Some("tileset"), reader.shared, &mut |reader, element| {
        let from = Values::new("tileset", element.attributes);
        if from.get("source").is_some() {
            return Err(contradiction("a tileset file that refers to another tileset").into());
        }
        tileset = read(reader, from, Some(first_gid))?;
        Ok(())
    })?;
    tileset.file = Some(file.clone());
    kept::keep(reader.shared.spent, kept::tileset(&tileset))?;
    // It is kept for the next map that names the file.
    reader.shared.tilesets.insert(file, tileset.clone());
    Ok(Tileset { source, ..tileset })
}

/// True if a tileset's tile 0 can have this gid (global tile id).
fn is_first_gid(gid: u32) -> bool {
    gid != 0 && gid & flip::ALL == 0
}

/// Reads a tileset from its element, the root of its own file or an element of a map. `first_gid` is `None`
/// for a tileset inside the map's file, which states `firstgid` itself.
pub(super) fn read(
    reader: &mut Reader<'_, '_>,
    mut from: Values<'_>,
    first_gid: Option<u32>,
) -> Result<Tileset, ReadFailure> {
    let first_gid = first_gid.or(from.count("firstgid"));
    let width = from.count("tilewidth");
    let height = from.count("tileheight");
    let mut tileset = Tileset {
        name: from.owned_name("name"),
        class: from.class("class", "type").unwrap_or_default(),
        spacing: from.harmless(|from| from.count("spacing")).unwrap_or(0),
        margin: from.harmless(|from| from.count("margin")).unwrap_or(0),
        tile_count: from.count("tilecount"),
        columns: from.harmless(|from| from.count("columns")),
        alignment: from.word("objectalignment", &ALIGNMENTS),
        fills_cell: from.is_word("tilerendersize", "grid"),
        keeps_aspect: from.is_word("fillmode", "preserve-aspect-fit"),
        ..Tileset::default()
    };
    from.finish(reader)?;
    reader.place = Place { tileset: Some(tileset.name.clone()), ..Place::default() };
    tileset.first_gid = required("tileset", "firstgid", first_gid)?;
    if !is_first_gid(tileset.first_gid) {
        let reason = format!("its first tile cannot be number {}", tileset.first_gid);
        return Err(LoadErrorKind::TilesetIds { reason }.into());
    }
    tileset.tile_size.x = required("tileset", "tilewidth", width)?;
    tileset.tile_size.y = required("tileset", "tileheight", height)?;
    let longest = tileset.tile_size.max_element().max(tileset.spacing).max(tileset.margin);
    check("pixels in a tileset's tile, spacing or margin", longest, MAX_TILE_SIDE)?;
    check("tiles in a tileset", tileset.tile_count.unwrap_or(0), MAX_TILES)?;
    reader.shared.keep(kept::text(tileset.name.len()) + kept::text(tileset.class.len()))?;
    reader.shared.spent.uses_types |= !tileset.class.is_empty();
    while let Some(child) = reader.child()? {
        match &*child.name {
            "properties" => tileset.properties.extend(properties(reader)?),
            "image" => tileset.image = Some(image(reader, child)?),
            "tileoffset" => {
                let mut from = Values::new("tileoffset", child.attributes);
                tileset.offset = ["x", "y"].map(|name| from.int(name).unwrap_or(0)).into();
                from.finish(reader)?;
                reader.end("tileoffset")?;
            }
            "grid" => {
                let mut from = Values::new("grid", child.attributes);
                let size = ["width", "height"].map(|name| from.count(name).unwrap_or(0));
                if from.is_word("orientation", "isometric") && !size.contains(&0) {
                    tileset.isometric_grid = Some(size.into());
                }
                from.finish(reader)?;
                reader.end("grid")?;
            }
            "tile" => {
                let (id, tile) = tile(reader, child, &tileset)?;
                tileset.tiles.insert(id, Arc::new(tile));
                let count = tileset.tiles.len() as u64;
                check("tiles in a tileset", count, MAX_TILES)?;
            }
            _ => reader.pass(&child, "tileset")?,
        }
    }
    if let Some(image) = &tileset.image {
        for (name, side) in [("tilewidth", width), ("tileheight", height)] {
            if side == Some(0) {
                reader.doubt(wrong("tileset", name, "0", "at least 1"))?;
            }
        }
        if tileset.tile_count.is_none() {
            let count = tileset.tiles_in(image.size);
            check("tiles in a tileset", count, MAX_TILES)?;
        }
    }
    reader.place = Place::default();
    Ok(tileset)
}

fn tile(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
    tileset: &Tileset,
) -> Result<(u32, Tile), ReadFailure> {
    let mut from = Values::new("tile", element.attributes);
    let id = from.required("id");
    let mut tile = Tile::default();
    if let Some(known) = tileset.tiles.get(&id) {
        // As in Tiled, the second element adds to the first.
        tile = (**known).clone();
    }
    tile.line = element.line;
    tile.class = from.class("type", "class").unwrap_or(tile.class);
    let [x, y, width, height] =
        ["x", "y", "width", "height"].map(|name| from.harmless(|from| from.int(name)).unwrap_or(0));
    from.finish(reader)?;
    reader.shared.keep(kept::TILE + kept::text(tile.class.len()))?;
    reader.shared.spent.uses_types |= !tile.class.is_empty();
    while let Some(child) = reader.child()? {
        match &*child.name {
            "properties" => tile.properties.extend(properties(reader)?),
            "image" => tile.image = Some(image(reader, child)?),
            "objectgroup" => tile.shapes.extend(shapes(reader)?),
            "animation" => tile.animation = animation(reader)?,
            _ => reader.pass(&child, "tile")?,
        }
    }
    if let Some(image) = tile.image.as_mut().filter(|_| width > 0 && height > 0) {
        image.part = Some(Aabb::from_xywh(x, y, width, height));
    }
    Ok((id, tile))
}

/// Reads the collision shapes of a tile. A shape never shows a tile, even if its template does. The template
/// may use the tileset that is being read, so a search for its tile could recurse without end.
fn shapes(reader: &mut Reader<'_, '_>) -> Result<Vec<crate::tmx::Object>, ReadFailure> {
    let mut shapes = Vec::new();
    while let Some(child) = reader.child()? {
        match &*child.name {
            "object" => shapes.push(objects::read_object(reader, child, |_, _| Ok(None))?),
            // The group of collision shapes may have properties, but they are ignored, because Tiled's
            // collision editor does not show them.
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
        let mut from = Values::new("frame", child.attributes);
        let [tile, duration] =
            ["tileid", "duration"].map(|name| from.harmless(|it| it.count(name)));
        from.finish(reader)?;
        if let (Some(tile), Some(duration)) = (tile, duration) {
            frames.push(Frame { tile, duration });
        }
        reader.end("frame")?;
    }
    Ok(frames)
}

pub(super) fn image(
    reader: &mut Reader<'_, '_>,
    element: Element<'_>,
) -> Result<Image, ReadFailure> {
    let mut from = Values::new("image", element.attributes);
    // A width or height above the range of `i32` counts as missing.
    let size = ["width", "height"]
        .map(|name| from.harmless(|from| from.count(name)))
        .map(|side| side.filter(|side| i32::try_from(*side).is_ok()).unwrap_or(0));
    let source = from.text("source");
    let image = Image {
        path: source.as_ref().map_or(PathBuf::new(), |written| joined(reader.path, written)),
        source: source.unwrap_or_default().into_owned(),
        size: size.into(),
        transparent: from.bare_color("trans").map(|[red, green, blue, _]| [red, green, blue]),
        line: element.line,
        ..Image::default()
    };
    from.finish(reader)?;
    if !image.source.is_empty() {
        reader.name(&image.source, &image.path, ReferenceKind::Art);
    }
    // Both the joined and the written path count, because the joined path repeats the folder of the file.
    let path = image.path.as_os_str().len();
    reader.shared.keep(kept::text(path) + kept::text(image.source.len()))?;
    reader.end("image")?;
    Ok(image)
}
