//! What crate `tiled` says of a map's tiles and properties, in our own words.

use std::collections::BTreeSet;

use super::tiles::TileKind;
use crate::level::properties::{Properties, Property};
use crate::level::rules::{self, SolidRules};
use crate::level::source::LayerSource;
use crate::text::printable;

/// What a tile says of itself.
pub(super) fn kind(map: &tiled::Map, set: usize, id: u32, rules: &SolidRules) -> Option<TileKind> {
    let tile = map.tilesets().get(set)?.get_tile(id)?;
    let properties = properties(&tile.properties);
    if rules::one_way(&properties).is_some() {
        return Some(TileKind::OneWay);
    }
    if let Some(because) = rules.tile(&tile.user_type, &properties) {
        return Some(TileKind::Solid(because));
    }
    let shapes = tile.collision.as_ref()?.object_data();
    if shapes.iter().any(|shape| is_whole_tile(map, &tile, shape)) {
        return Some(TileKind::Solid("its collision shape".to_owned()));
    }
    (!shapes.is_empty()).then_some(TileKind::Shapes)
}

/// True if a collision shape is the rectangle of a tile that fills a cell of the map.
fn is_whole_tile(map: &tiled::Map, tile: &tiled::Tile<'_>, shape: &tiled::ObjectData) -> bool {
    let (width, height) = match &tile.image {
        Some(image) => (image.width as u32, image.height as u32),
        None => (tile.tileset().tile_width, tile.tileset().tile_height),
    };
    let fills_cell = (width, height) == (map.tile_width, map.tile_height);
    let rectangle = tiled::ObjectShape::Rect {
        width: width as f32,
        height: height as f32,
    };
    let at_corner = shape.x == 0.0 && shape.y == 0.0 && shape.rotation == 0.0;
    fills_cell && at_corner && shape.shape == rectangle
}

/// Custom properties, in an order and in types of our own.
pub(super) fn properties(properties: &tiled::Properties) -> Properties {
    properties
        .iter()
        .map(|(name, value)| (name.clone(), property(value)))
        .collect()
}

fn property(value: &tiled::PropertyValue) -> Property {
    use tiled::PropertyValue as Value;
    match value {
        Value::BoolValue(value) => Property::Bool(*value),
        Value::FloatValue(value) => Property::Float(*value),
        Value::IntValue(value) => Property::Int(*value),
        Value::ColorValue(c) => Property::Color(format!(
            "#{:02x}{:02x}{:02x}{:02x}",
            c.alpha, c.red, c.green, c.blue
        )),
        Value::StringValue(text) | Value::FileValue(text) => Property::Text(text.clone()),
        Value::ObjectValue(id) => Property::Object(*id),
        Value::ListValue(items) => Property::List(items.iter().map(property).collect()),
        Value::ClassValue {
            property_type,
            properties: members,
        } => Property::Class {
            class: property_type.clone(),
            members: properties(members),
        },
    }
}

/// What a map without solids has instead, so that its maker sees what to name.
pub(super) fn inventory(map: &tiled::Map, layers: &[LayerSource]) -> String {
    let mut classes = BTreeSet::new();
    let mut names = BTreeSet::new();
    for tileset in map.tilesets() {
        for (_, tile) in tileset.tiles() {
            classes.insert(tile.user_type.clone());
            names.extend(tile.properties.keys().cloned());
        }
    }
    classes.remove("");
    let list = |words: Vec<String>| {
        let shown: Vec<String> = words
            .iter()
            .take(12)
            .map(|word| format!("`{}`", printable(word)))
            .collect();
        match words.len() {
            0 => "none".to_owned(),
            n if n > shown.len() => format!("{} and {} more", shown.join(", "), n - shown.len()),
            _ => shown.join(", "),
        }
    };
    format!(
        "its layers are {}; classes of its tiles: {}; properties of its tiles: {}",
        list(layers.iter().map(|layer| layer.name.clone()).collect()),
        list(classes.into_iter().collect()),
        list(names.into_iter().collect()),
    )
}
