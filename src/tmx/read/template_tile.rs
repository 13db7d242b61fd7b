//! The tiles that templates show.
//!
//! A template's tile is a tile of the map: a tileset that only a template names is added behind the map's
//! own.

use super::template::Template;
use super::tileset::{self, MAX_TILESETS};
use super::{Failure, Reader};
use crate::limits::check;
use crate::paths::plain;
use crate::tmx::cursor::xml;
use crate::tmx::flip;

/// The number of tile 0 of the first tileset that only a template names, and the numbers kept for each. No
/// real map has so many tiles; one that claims these numbers is told that its tilesets overlap.
const FIRST_GID: u32 = 0x0800_0000;
const GIDS: u32 = 1 << 16;

/// The number in the map of a template's tile; `None` for a template without one.
pub(super) fn gid(
    reader: &mut Reader<'_, '_>,
    template: &Template,
) -> Result<Option<u32>, Failure> {
    let Some(gid) = template.object.gid else {
        return Ok(None);
    };
    let Some(tileset) = &template.tileset else {
        return Err(xml("a template with a tile, but without a tileset").into());
    };
    let flags = gid & flip::ALL;
    let id = (gid & !flip::ALL).checked_sub(tileset.first_gid).filter(|id| *id < GIDS);
    let id = id.ok_or_else(|| xml("a template with a tile below its tileset's first one"))?;
    let key = plain(&tileset.path);
    let of_map = reader.shared.map.tilesets.iter();
    let known =
        of_map.chain(&reader.shared.template_tilesets).find(|set| set.file.as_ref() == Some(&key));
    if let Some(tileset) = known {
        return Ok(Some(flags | tileset.first_gid.saturating_add(id)));
    }
    let count = reader.shared.template_tilesets.len() as u32;
    check("tilesets of templates", count + 1, MAX_TILESETS)?;
    let first_gid = FIRST_GID + count * GIDS;
    let (written, path) = (&tileset.written, &tileset.path);
    let tileset = tileset::from_file(reader, "a template's tileset", written, path, first_gid)?;
    reader.shared.template_tilesets.push(tileset);
    Ok(Some(flags | (first_gid + id)))
}
