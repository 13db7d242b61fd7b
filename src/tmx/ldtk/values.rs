//! Reads single values of LDtk's JSON, the fields of levels and entities, and the definitions in a project.

use std::collections::btree_map::{BTreeMap, Entry};
use std::path::Path;
use std::sync::Arc;

use glam::{IVec2, UVec2};
use serde_core::de::DeserializeOwned;

use super::super::json::tree::{JsonObject, Node, whole};
use super::super::read::cursor::{LineIndex, MAX_NAME_BYTES};
use super::super::{
    Alignment, Color, Decimal, Image, MAX_TILE_SIDE, MAX_TILES, Point, Properties, Property,
    TAGGED, Tile, Tileset,
    kept::{self, keep},
};
use super::{Definitions, TilesetDefinition};
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::limits::{Spent, check};
use crate::paths::joined;
use crate::property::PropertyValue;

/// The largest coordinate and side of a level or an entity, in pixels.
pub(super) const MAX_PIXELS: u32 = 1 << 22;

/// The largest nesting depth of lists and objects in the value of a field.
const MAX_VALUE_DEPTH: u32 = 8;

pub(super) fn ldtk(reason: impl Into<String>) -> LoadErrorKind {
    LoadErrorKind::Ldtk { reason: reason.into() }
}

/// Returns the error of a value that is not as it should be: "`name` of a level is ...".
fn wrong(object: JsonObject<'_, '_>, name: &str, what: &str) -> LoadErrorKind {
    ldtk(format!("`{name}` of {} is {what}", object.what))
}

/// Returns the value with this name in `object`, or `None` if it is missing or `null`. Fails for a value that
/// is not `what`. A number such as `12.0` counts as whole.
fn read<T: DeserializeOwned>(
    object: JsonObject<'_, '_>,
    name: &str,
    what: &str,
) -> Result<Option<T>, LoadErrorKind> {
    let Some(node) = object.get(name) else { return Ok(None) };
    let written = if let Node::Scalar(written) = node { whole(written) } else { "" };
    let value = serde_json::from_str(written);
    value.map(Some).map_err(|_| wrong(object, name, &format!("not {what}")))
}

pub(super) fn number<N: DeserializeOwned>(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<Option<N>, LoadErrorKind> {
    read(object, name, "a whole number here")
}

pub(super) fn required<N: DeserializeOwned>(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<N, LoadErrorKind> {
    number(object, name)?.ok_or_else(|| ldtk(format!("{} without `{name}`", object.what)))
}

/// Returns the number with this name in `object`. Fails if it is not from `least` to `most`, both included.
pub(super) fn within(
    object: JsonObject<'_, '_>,
    name: &str,
    [least, most]: [u32; 2],
) -> Result<u32, LoadErrorKind> {
    let number: u32 = required(object, name)?;
    if !(least..=most).contains(&number) {
        return Err(wrong(object, name, &format!("{number}, not from {least} to {most}")));
    }
    Ok(number)
}

/// Returns the string with this name in `object`: a name, a type, a path or a colour. Returns `None` if it is
/// missing or `null`. Fails for any other value. The length has a limit, because many parts of a level may
/// copy such a string.
pub(super) fn text(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<Option<String>, LoadErrorKind> {
    let text: Option<String> = read(object, name, "a text")?;
    check("bytes in a name", text.as_ref().map_or(0, String::len) as u64, MAX_NAME_BYTES)?;
    Ok(text)
}

pub(super) fn flag(object: JsonObject<'_, '_>, name: &str) -> Result<Option<bool>, LoadErrorKind> {
    read(object, name, "true or false")
}

/// Returns the opacity with this name in `object`, from 0 (clear) to 1 (opaque), or `None` if it is missing.
pub(super) fn opacity(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<Option<f32>, LoadErrorKind> {
    let opacity = number(object, name)?;
    if opacity.is_some_and(|opacity| !(0.0..=1.0).contains(&opacity)) {
        return Err(wrong(object, name, "not from 0 to 1"));
    }
    Ok(opacity)
}

pub(super) fn color(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<Option<Color>, LoadErrorKind> {
    let Some(text) = text(object, name)? else { return Ok(None) };
    let color = super::super::color(&text);
    color.map(Some).ok_or_else(|| wrong(object, name, "not a colour as #rrggbb"))
}

/// Returns the numbers of the list with this name in `object`. Fails if they are not exactly `N` decimals.
pub(super) fn decimals<const N: usize>(
    object: JsonObject<'_, '_>,
    name: &str,
) -> Result<[Decimal; N], LoadErrorKind> {
    let mut numbers = [Decimal::ZERO; N];
    let list = object.list(name)?;
    let is_read = list.len() == N
        && numbers.iter_mut().zip(list).all(|(number, node)| match node {
            Node::Scalar(text) => {
                let found = Decimal::parse(text, MAX_PIXELS);
                *number = found.unwrap_or_default();
                found.is_some()
            }
            _ => false,
        });
    if !is_read {
        let expected = format!("not a list of {N} numbers up to {MAX_PIXELS}");
        return Err(wrong(object, name, &expected));
    }
    Ok(numbers)
}

pub(super) fn point(object: JsonObject<'_, '_>, name: &str) -> Result<Point, LoadErrorKind> {
    let [x, y] = decimals(object, name)?;
    Ok(Point { x, y })
}

/// Returns the fields of a level or an entity as properties. A field without a value is left out.
/// `first_cell` is the first cell of the grid in which points count, in pixels of the level. `at` is set to
/// the index of the current field in the file, for errors.
pub(super) fn fields(
    owner: JsonObject<'_, '_>,
    first_cell: Aabb,
    lines: &LineIndex<'_>,
    at: &mut u32,
    spent: &mut Spent,
) -> Result<Properties, LoadErrorKind> {
    let mut fields = Properties::new();
    for node in owner.list("fieldInstances")? {
        let field = node.object("a field")?;
        *at = field.at;
        let name = text(field, "__identifier")?.unwrap_or_default();
        let kind = text(field, "__type")?.unwrap_or_default();
        let Some(written) = field.get("__value") else { continue };
        let value = value(written, &kind, first_cell, MAX_VALUE_DEPTH, spent)?;
        let type_name = kind.strip_prefix("LocalEnum.").or(kind.strip_prefix("ExternEnum."));
        let type_name = type_name.unwrap_or_default().to_owned();
        let line = lines.line(field.at as usize);
        let field = Property { type_name, line, ..Property::new(value) };
        keep(spent, kept::property(fields.len(), &name, &field))?;
        fields.insert(name, field);
    }
    Ok(fields)
}

/// Returns the value of a field of the type `kind`, such as `Array<Point>`. The texts of the value are not
/// counted, but those of the values within it are.
fn value(
    node: &Node<'_>,
    kind: &str,
    first_cell: Aabb,
    depth: u32,
    spent: &mut Spent,
) -> Result<PropertyValue, LoadErrorKind> {
    let deeper = || depth.checked_sub(1).ok_or_else(|| ldtk("a field of lists within lists"));
    Ok(match node {
        Node::Scalar("true") => PropertyValue::Bool(true),
        Node::Scalar("false") => PropertyValue::Bool(false),
        Node::Scalar(written) if !node.is_string() => match written.parse() {
            Ok(number) if kind != "Float" => PropertyValue::Int(number),
            _ => match written.parse::<f32>() {
                Ok(number) if number.is_finite() => PropertyValue::Float(number),
                _ => PropertyValue::Text((*written).to_owned()),
            },
        },
        Node::Scalar(_) => {
            let text = node.text()?.unwrap_or_default();
            match text.strip_prefix('#') {
                Some(digits) if kind == "Color" => PropertyValue::Color(format!("#ff{digits}")),
                _ => PropertyValue::Text(text.into_owned()),
            }
        }
        Node::Numbers(written) => PropertyValue::Text((*written).to_owned()),
        Node::List(items) => {
            let inner = kind.strip_prefix("Array<").and_then(|kind| kind.strip_suffix('>'));
            let depth = deeper()?;
            let mut values = Vec::new();
            for item in items.iter().filter(|item| !is_null(item)) {
                let item = value(item, inner.unwrap_or(kind), first_cell, depth, spent)?;
                keep(spent, kept::item(&item))?;
                values.push(item);
            }
            PropertyValue::List(values)
        }
        Node::Object(..) if kind == "Point" => {
            let cell = node.object("a point")?;
            let cell = IVec2::new(required(cell, "cx")?, required(cell, "cy")?);
            // LDtk shows a point at the middle of its cell.
            let corner = cell.saturating_mul(first_cell.size().as_ivec2());
            PropertyValue::Point(first_cell.translated(corner).center())
        }
        Node::Object(..) => {
            let depth = deeper()?;
            let mut members = BTreeMap::new();
            let entries = node.object("a value")?.entries();
            for (name, member) in entries.filter(|(_, member)| !is_null(member)) {
                let member = value(member, "", first_cell, depth, spent)?;
                keep(spent, kept::member(members.len(), name, &member))?;
                members.insert(name.to_owned(), member);
            }
            PropertyValue::Class { class: kind.to_owned(), members }
        }
    })
}

fn is_null(node: &Node<'_>) -> bool {
    matches!(node, Node::Scalar("null"))
}

/// Returns a property that is true, for a tag of an entity or a tile. The caller adds it under the name of
/// the tag, so that solid rules can name the tag.
pub(super) fn tag(line: u32) -> Property {
    Property { line, ..Property::new(PropertyValue::Bool(true)) }
}

impl Definitions {
    /// Reads the definitions of a project. `at` is set to the index of the current definition in the file,
    /// for errors.
    pub(super) fn read(
        path: &Path,
        defined: JsonObject<'_, '_>,
        lines: &LineIndex<'_>,
        at: &mut u32,
        spent: &mut Spent,
    ) -> Result<Self, LoadErrorKind> {
        let mut all = Self::default();
        for node in defined.list("layers")? {
            let layer = node.object("a layer's definition")?;
            *at = layer.at;
            let values = values_of(layer, lines, at, spent)?;
            if !values.is_empty() {
                all.values.insert(required(layer, "uid")?, values);
            }
        }
        for node in defined.list("tilesets")? {
            let set = node.object("a tileset")?;
            *at = set.at;
            if let Some(tileset) = tileset(path, set, lines, spent)? {
                all.tilesets.insert(required(set, "uid")?, tileset);
            }
        }
        Ok(all)
    }
}

/// Returns the values that an IntGrid layer defines, as tiles. The properties of a tile are the value's
/// colour as `#rrggbb`, its number, and the name of its group.
fn values_of(
    layer: JsonObject<'_, '_>,
    lines: &LineIndex<'_>,
    at: &mut u32,
    spent: &mut Spent,
) -> Result<BTreeMap<u32, Arc<Tile>>, LoadErrorKind> {
    let mut groups = BTreeMap::new();
    for node in layer.list("intGridValuesGroups")? {
        let group = node.object("a group of values")?;
        if let Some(name) = text(group, "identifier")? {
            groups.insert(required::<i64>(group, "uid")?, name);
        }
    }
    let mut values = BTreeMap::new();
    for (index, node) in (1..).zip(layer.list("intGridValues")?) {
        let value = node.object("a value")?;
        *at = value.at;
        // Before LDtk 0.8, the values were numbered in their order.
        let number = match value.get("value") {
            Some(_) => within(value, "value", [1, MAX_TILES])?,
            None => index,
        };
        let line = lines.line(value.at as usize);
        let class = text(value, "identifier")?.unwrap_or_default();
        let mut properties = Properties::new();
        if let Some(name) = self::number(value, "groupUid")?.and_then(|uid: i64| groups.get(&uid)) {
            properties.insert(name.clone(), tag(line));
        }
        let color = text(value, "color")?.unwrap_or_default();
        for (name, value) in
            [("color", PropertyValue::Text(color)), ("value", PropertyValue::Int(number as i32))]
        {
            properties.insert(name.to_owned(), Property { line, ..Property::new(value) });
        }
        keep(spent, kept::TILE + kept::text(class.len()) + kept::properties(&properties))?;
        values.insert(number, Arc::new(Tile { class, properties, line, ..Tile::default() }));
    }
    Ok(values)
}

/// Returns `None` for a tileset without a picture, such as LDtk's own icons.
fn tileset(
    path: &Path,
    set: JsonObject<'_, '_>,
    lines: &LineIndex<'_>,
    spent: &mut Spent,
) -> Result<Option<TilesetDefinition>, LoadErrorKind> {
    let Some(source) = text(set, "relPath")? else { return Ok(None) };
    let name = text(set, "identifier")?.unwrap_or_default();
    let line = lines.line(set.at as usize);
    let size =
        UVec2::new(within(set, "pxWid", [1, MAX_PIXELS])?, within(set, "pxHei", [1, MAX_PIXELS])?);
    let grid = within(set, "tileGridSize", [1, MAX_TILE_SIDE])?;
    let spacing = within(set, "spacing", [0, MAX_TILE_SIDE])?;
    let margin = within(set, "padding", [0, MAX_TILE_SIDE])?;
    keep(spent, kept::text(name.len()) + 2 * kept::text(source.len()))?;
    let image = Image { path: joined(path, &source), source, size, line, ..Image::default() };
    let tileset = Tileset {
        name,
        tile_size: UVec2::splat(grid),
        spacing,
        margin,
        alignment: Alignment::TopLeft,
        image: Some(image),
        line,
        ..Tileset::default()
    };
    check("tiles in a tileset", tileset.tiles_in(size), MAX_TILES)?;
    // LDtk excludes the padding on both sides of the picture.
    let columns = (size.x + spacing).saturating_sub(2 * margin) / (grid + spacing);
    let mut definition = TilesetDefinition { set: tileset, tiles: BTreeMap::new(), columns };
    for node in set.list("enumTags")? {
        let tagged = node.object("a tag of tiles")?;
        let name = text(tagged, "enumValueId")?.unwrap_or_default();
        for id in tagged.list("tileIds")? {
            let Some(id) = id.text()?.and_then(|id| id.parse().ok()) else {
                return Err(ldtk("a tag of a tile without a number"));
            };
            let tile = definition.tile_mut(id, spent)?;
            if tile.class.is_empty() {
                keep(spent, kept::text(name.len()))?;
                tile.class.clone_from(&name);
            }
            add(tile, &name, tag(line), spent)?;
            definition.set.class = TAGGED.to_owned();
        }
    }
    for node in set.list("customData")? {
        let custom = node.object("data of a tile")?;
        let data = read(custom, "data", "a text")?.unwrap_or_default();
        let data = Property { line, ..Property::new(PropertyValue::Text(data)) };
        let tile = definition.tile_mut(required(custom, "tileId")?, spent)?;
        add(tile, "customData", data, spent)?;
    }
    Ok(Some(definition))
}

impl TilesetDefinition {
    /// Returns the tile with LDtk's number `id`, which is added if it is new.
    fn tile_mut(&mut self, id: u32, spent: &mut Spent) -> Result<&mut Tile, LoadErrorKind> {
        let line = self.set.line;
        match self.tiles.entry(self.tile_id(id)) {
            Entry::Occupied(known) => Ok(Arc::make_mut(known.into_mut())),
            Entry::Vacant(new) => {
                keep(spent, kept::TILE)?;
                Ok(Arc::make_mut(new.insert(Arc::new(Tile { line, ..Tile::default() }))))
            }
        }
    }
}

/// Adds a property to a tile. A property of the same name is replaced.
fn add(
    tile: &mut Tile,
    name: &str,
    property: Property,
    spent: &mut Spent,
) -> Result<(), LoadErrorKind> {
    keep(spent, kept::property(tile.properties.len(), name, &property))?;
    tile.properties.insert(name.to_owned(), property);
    Ok(())
}

/// Multiplies two decimals, such as a length and a scale.
pub(super) fn product(one: Decimal, other: Decimal) -> Decimal {
    let product = i128::from(one.millionths()) * i128::from(other.millionths());
    Decimal::from_millionths((product / i128::from(Decimal::PER_PIXEL)) as i64)
}
