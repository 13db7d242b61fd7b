//! Numbers, colours, properties, pictures and objects.

use glam::UVec2;

use crate::property::PropertyValue;
use crate::tmx::{Color, Decimal, Image, Object, Point, Properties, Property, Shape};

/// How far from 0 a coordinate may lie: as far as in a file.
const FARTHEST: f32 = (1u32 << 22) as f32;

/// The shortest decimal that is this float; 0 for one that is no number.
pub(super) fn decimal(value: f32) -> Decimal {
    let value = if value.is_finite() { value } else { 0.0 };
    let text = value.clamp(-FARTHEST, FARTHEST).to_string();
    Decimal::parse(&text, FARTHEST as u32).unwrap_or_default()
}

pub(super) fn point(x: f32, y: f32) -> Point {
    Point { x: decimal(x), y: decimal(y) }
}

/// From 0 to 1; 1 for one that is no number.
pub(super) fn opacity(value: f32) -> f32 {
    if value.is_nan() { 1.0 } else { value.clamp(0.0, 1.0) }
}

pub(super) fn color(color: tiled::Color) -> Color {
    [color.red, color.green, color.blue, color.alpha]
}

pub(super) fn properties(properties: &tiled::Properties) -> Properties {
    let bridged = properties.iter().map(|(name, theirs)| {
        let mut property = Property::new(value(theirs));
        if let tiled::PropertyValue::ClassValue { property_type, .. } = theirs {
            property.type_name.clone_from(property_type);
        }
        (name.clone(), property)
    });
    bridged.collect()
}

fn value(value: &tiled::PropertyValue) -> PropertyValue {
    use tiled::PropertyValue as Theirs;
    match value {
        Theirs::BoolValue(flag) => PropertyValue::Bool(*flag),
        Theirs::FloatValue(number) => PropertyValue::Float(*number),
        Theirs::IntValue(number) => PropertyValue::Int(*number),
        Theirs::ColorValue(color) => PropertyValue::Color(format!(
            "#{:02x}{:02x}{:02x}{:02x}",
            color.alpha, color.red, color.green, color.blue
        )),
        Theirs::StringValue(text) | Theirs::FileValue(text) => PropertyValue::Text(text.clone()),
        Theirs::ObjectValue(id) => PropertyValue::Object(*id),
        Theirs::ListValue(items) => PropertyValue::List(items.iter().map(self::value).collect()),
        Theirs::ClassValue { property_type, properties } => PropertyValue::Class {
            class: property_type.clone(),
            members: properties
                .iter()
                .map(|(name, member)| (name.clone(), self::value(member)))
                .collect(),
        },
    }
}

pub(super) fn image(image: &tiled::Image) -> Image {
    let side = |side| u32::try_from(side).unwrap_or(0);
    let transparent = image.transparent_colour;
    Image {
        path: image.source.clone(),
        size: UVec2::new(side(image.width), side(image.height)),
        transparent: transparent.map(|color| [color.red, color.green, color.blue]),
        ..Image::default()
    }
}

/// An object that shows the tile `gid`, if any.
pub(super) fn object(object: &tiled::ObjectData, gid: Option<u32>) -> Object {
    use tiled::ObjectShape as Theirs;
    let points = |points: &[(f32, f32)]| points.iter().map(|(x, y)| point(*x, *y)).collect();
    let (shape, width, height) = match &object.shape {
        Theirs::Rect { width, height } => (Shape::Rectangle, *width, *height),
        Theirs::Ellipse { width, height } => (Shape::Ellipse, *width, *height),
        Theirs::Capsule { width, height } => (Shape::Capsule, *width, *height),
        Theirs::Text { width, height, text, .. } => (Shape::Text(text.clone()), *width, *height),
        Theirs::Point(..) => (Shape::Point, 0.0, 0.0),
        Theirs::Polygon { points: corners } => (Shape::Polygon(points(corners)), 0.0, 0.0),
        Theirs::Polyline { points: corners } => (Shape::Polyline(points(corners)), 0.0, 0.0),
    };
    Object {
        id: object.id(),
        name: object.name.clone(),
        class: object.user_type.clone(),
        position: point(object.x, object.y),
        size: point(width.max(0.0), height.max(0.0)),
        rotation: decimal(object.rotation),
        shape: gid.map_or(shape, |_| Shape::Rectangle),
        gid,
        visible: object.visible,
        opacity: opacity(object.opacity),
        properties: properties(&object.properties),
        ..Object::default()
    }
}
