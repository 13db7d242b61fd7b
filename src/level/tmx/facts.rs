//! What crate `tiled` says of a map's tiles and properties, in our own words.

use std::collections::BTreeSet;

use glam::IVec2;

use super::document::RawTileset;
use super::drawing;
use crate::level::source::LayerSource;
use crate::property::{PropertyValue, PropertyValues};
use crate::text::listed;

/// Adds to the tilesets what `tiled` found out about how their tiles are shown.
pub(super) fn complete(tilesets: &mut [RawTileset], map: &tiled::Map) {
    for (raw, set) in tilesets.iter_mut().zip(map.tilesets()) {
        raw.alignment = drawing::alignment(set.object_alignment);
        raw.fills_cell = set.tile_render_size == tiled::TileRenderSize::Grid;
        raw.picture_offset = IVec2::new(set.offset_x, set.offset_y);
        raw.keeps_aspect = set.fill_mode == tiled::FillMode::PreserveAspectFit;
    }
}

/// Custom properties, in an order and in types of our own.
pub(super) fn properties(properties: &tiled::Properties) -> PropertyValues {
    properties
        .iter()
        .map(|(name, value)| (name.clone(), property(value)))
        .collect()
}

fn property(value: &tiled::PropertyValue) -> PropertyValue {
    use tiled::PropertyValue as Value;
    match value {
        Value::BoolValue(value) => PropertyValue::Bool(*value),
        Value::FloatValue(value) => PropertyValue::Float(*value),
        Value::IntValue(value) => PropertyValue::Int(*value),
        Value::ColorValue(c) => PropertyValue::Color(format!(
            "#{:02x}{:02x}{:02x}{:02x}",
            c.alpha, c.red, c.green, c.blue
        )),
        Value::StringValue(text) | Value::FileValue(text) => PropertyValue::Text(text.clone()),
        Value::ObjectValue(id) => PropertyValue::Object(*id),
        Value::ListValue(items) => PropertyValue::List(items.iter().map(property).collect()),
        Value::ClassValue {
            property_type,
            properties: members,
        } => PropertyValue::Class {
            class: property_type.clone(),
            members: properties(members),
        },
    }
}

/// What a map without solids has instead, so that its maker sees what to name: its layers, and the classes
/// and properties of its layers, objects and tiles.
pub(super) fn inventory(map: &tiled::Map, layers: &[LayerSource]) -> String {
    let mut found = Found::default();
    for layer in map.layers() {
        found.layer(layer);
    }
    for (_, tile) in map.tilesets().iter().flat_map(|set| set.tiles()) {
        found.add(&tile.user_type, &tile.properties);
    }
    format!(
        "its layers are {}; its classes: {}; its properties: {}",
        listed(layers.iter().map(|layer| &layer.name)),
        listed(found.classes.iter()),
        listed(found.properties.iter()),
    )
}

/// Classes and properties, each once and in order.
#[derive(Default)]
struct Found {
    classes: BTreeSet<String>,
    properties: BTreeSet<String>,
}

impl Found {
    fn add(&mut self, class: &str, properties: &tiled::Properties) {
        if !class.is_empty() {
            self.classes.insert(class.to_owned());
        }
        self.properties.extend(properties.keys().cloned());
    }

    fn layer(&mut self, layer: tiled::Layer<'_>) {
        self.add(&layer.user_type, &layer.properties);
        match layer.layer_type() {
            tiled::LayerType::Group(group) => group.layers().for_each(|layer| self.layer(layer)),
            tiled::LayerType::Objects(objects) => {
                for object in objects.object_data() {
                    self.add(&object.user_type, &object.properties);
                }
            }
            tiled::LayerType::Tiles(_) | tiled::LayerType::Image(_) => {}
        }
    }
}
