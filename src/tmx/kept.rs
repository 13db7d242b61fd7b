//! Counts the memory that the names and values of a document take. Nothing here reads a file.
//!
//! A small file can name a large part many times, so the count is of what is allocated, not of what is
//! written. A map of one property takes 1.3 KB, because a node of a `BTreeMap` has room for 11 entries.

use std::mem::size_of;

use glam::IVec2;

use super::{Object, Properties, Property, Tile, Tileset};
use crate::error::LoadErrorKind;
use crate::limits::{Spent, check, memory_for};
use crate::property::PropertyValue;

/// The largest number of bytes of names and values for small files, with the markers made from them. The
/// objects of the largest real project take 8 MiB. An object of 55 bytes with a template's property takes
/// 3.3 KB.
const MIN_KEPT_BYTES: u64 = 96 << 20;

/// The largest number of bytes of names and values for files of any size.
const MAX_KEPT_BYTES: u64 = 1 << 30;

/// The bytes of a tile that its tileset lists.
pub(super) const TILE: usize = size_of::<Tile>() + 2 * size_of::<usize>() + TILE_ENTRY;

/// The bytes of the points of a marker that shows a tile or a box. The points of a line or polygon take half
/// of the bytes of the object's own.
const MARKER_POINTS: usize = text(4 * size_of::<IVec2>());

/// The bytes of a tile in a tileset that shares the tile with other tilesets.
pub(super) const TILE_ENTRY: usize = 2 * size_of::<(u32, usize)>();

/// Adds `bytes` to the bytes of the document.
///
/// # Errors
/// Fails if the sum is above [`memory_for`] the files.
pub(super) fn keep(spent: &mut Spent, bytes: usize) -> Result<(), LoadErrorKind> {
    spent.copied = spent.copied.saturating_add(bytes as u64);
    let limit = memory_for(spent.written, MIN_KEPT_BYTES, MAX_KEPT_BYTES);
    let what = "bytes of names and values in the map or its world, as they are stored (the limit is 64 \
                for each byte of the files, but at least 96 MiB and at most 1 GiB)";
    check(what, spent.copied, limit)
}

/// Returns the bytes of a text of this length in bytes, with those of its allocation.
pub(super) const fn text(length: usize) -> usize {
    if length == 0 { 0 } else { length.next_multiple_of(16) + 16 }
}

/// Returns the bytes of the nodes of a `BTreeMap` with this number of entries, each of `entry` bytes. A node
/// has room for 11 entries and holds at least 5, unless it is the only one.
const fn nodes(entries: usize, entry: usize) -> usize {
    let leaves = match entries {
        0 => 0,
        1..=11 => 1,
        _ => entries / 6 + 1,
    };
    let inner = leaves.saturating_sub(1).div_ceil(5);
    leaves * (11 * entry + 16) + inner * (11 * entry + 112)
}

/// Returns the bytes by which a property grows the properties of an element that has `entries` of them. The
/// texts within lists and classes are left out, because they count where they are read.
pub(super) fn property(entries: usize, name: &str, property: &Property) -> usize {
    let entry = size_of::<(String, Property)>();
    let node = nodes(entries + 1, entry) - nodes(entries, entry);
    node + text(name.len()) + text(property.type_name.len()) + value(&property.value)
}

/// Returns the bytes by which a member grows the members of a class that has `entries` of them, as
/// [`property`] does.
pub(super) fn member(entries: usize, name: &str, member: &PropertyValue) -> usize {
    let entry = size_of::<(String, PropertyValue)>();
    nodes(entries + 1, entry) - nodes(entries, entry) + text(name.len()) + value(member)
}

/// Returns the bytes of an item in a list of values, which grows to twice its length. Values within the item
/// are left out.
pub(super) fn item(item: &PropertyValue) -> usize {
    2 * size_of::<PropertyValue>() + value(item)
}

/// Returns the bytes of the texts of a value, without those of the values within it.
fn value(value: &PropertyValue) -> usize {
    match value {
        PropertyValue::Text(content) | PropertyValue::Color(content) => text(content.len()),
        PropertyValue::Class { class, .. } => text(class.len()),
        _ => 0,
    }
}

/// Returns the bytes of a copy of all these properties.
pub(super) fn properties(all: &Properties) -> usize {
    let entries = all
        .iter()
        .enumerate()
        .map(|(index, (name, entry))| property(index, name, entry) + within(&entry.value));
    entries.sum()
}

/// Returns the bytes of a copy of a tileset that shares its tiles.
pub(super) fn tileset(tileset: &Tileset) -> usize {
    let image = tileset
        .image
        .as_ref()
        .map_or(0, |image| text(image.path.as_os_str().len()) + text(image.source.len()));
    let file = tileset.file.as_ref().map_or(0, |file| text(file.as_os_str().len()));
    let names = text(tileset.name.len()) + text(tileset.class.len());
    let tiles = tileset.tiles.len() * TILE_ENTRY;
    size_of::<Tileset>() + image + file + names + tiles + properties(&tileset.properties)
}

/// Returns the bytes of an object and of the marker that a level makes from it, without the object's own
/// properties. The marker copies the properties and the path of the layer.
pub(super) fn object(object: &Object, layer: &str) -> usize {
    let texts = text(object.name.len()) + text(object.class.len());
    let template = object.template.as_ref().map_or(0, |template| text(template.len()));
    let both = 2 * (size_of::<Object>() + texts);
    both + MARKER_POINTS + template + text(layer.len()) + properties(&object.properties)
}

/// Returns the bytes of a copy of the values within a value.
pub(super) fn within(outer: &PropertyValue) -> usize {
    match outer {
        PropertyValue::List(items) => {
            let items = items.iter().map(|inner| item(inner) + within(inner));
            items.sum()
        }
        PropertyValue::Class { members, .. } => {
            let members = members
                .iter()
                .enumerate()
                .map(|(index, (name, inner))| member(index, name, inner) + within(inner));
            members.sum()
        }
        _ => 0,
    }
}
