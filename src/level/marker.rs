//! Markers: spawns, doors, coins, paths and other things that the map's maker placed and that stop nobody.
//! The loaders make them; nothing here gives them a meaning.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use glam::{I64Vec2, IVec2};

use crate::geometry::{Aabb, clamped};
use crate::property::{PropertyValue, PropertyValues};

/// A thing that the map's maker placed and that is neither solid nor one-way, such as a spawn, a door or a
/// path.
///
/// In Tiled it is an object of any shape but a text, in LDtk an entity. A level built in code gets its
/// markers from [`Level::with_markers`](super::Level::with_markers).
///
/// ```
/// use bitwall::level::MarkerShape;
/// use bitwall::{Level, LoadOptions};
///
/// let map = r#"<map orientation="orthogonal" width="4" height="2" tilewidth="16" tileheight="16">
///   <objectgroup name="Walls"><object id="1" x="0" y="16" width="64" height="16"/></objectgroup>
///   <objectgroup name="Things">
///     <object id="2" name="player" x="8" y="16"><point/><properties>
///       <property name="lives" type="int" value="3"/>
///       <property name="opens" type="object" value="3"/></properties></object>
///     <object id="3" name="door" x="64" y="0" width="16" height="8" rotation="90"/>
///   </objectgroup></map>"#;
/// let level = Level::decode("m.tmx", map.as_bytes(), (), &LoadOptions::default())?;
/// let player = level.marker("player").expect("the map has a spawn");
/// assert_eq!((player.shape, player.i32("lives")), (MarkerShape::Point, Some(3)));
///
/// // The door stands upright at the right edge of the map, as it is drawn.
/// let door = level.referred(player, "opens")[0];
/// assert_eq!((door.area.min.to_array(), door.area.max.to_array()), ([56, 0], [64, 16]));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Marker {
    /// The name of the marker. It may be empty.
    pub name: String,
    /// The class of the marker's object (Tiled also calls it type). It may be empty.
    pub class: String,
    /// The name of the layer of the marker's object, with the names of the groups that contain the layer.
    pub layer: String,
    /// The id of the marker's object in the map.
    pub object: u32,
    /// The index of the marker's map in its world; 0 if the level is not a world.
    pub map: u32,
    /// The box around the marker as it is drawn, in pixels of the level.
    ///
    /// It contains the whole turned shape, or the whole tile. For a point it is empty and starts at the pixel
    /// of the point.
    pub area: Aabb,
    /// The shape of the marker: a rectangle if it shows a tile.
    pub shape: MarkerShape,
    /// The clockwise rotation of the marker's object in degrees. [`Self::area`] and [`Self::points`] include
    /// it.
    pub rotation: f32,
    /// The points of the shape as it is drawn, in pixels of the level, rounded down.
    ///
    /// They are the point, the points of a polyline, or the corners of a polygon. For any other shape they
    /// are the corners of its box, clockwise from the corner that is at the top left before the box is
    /// turned. For a tile, the first is the top left corner of the tile's picture, also if the picture is
    /// mirrored.
    pub points: Vec<IVec2>,
    /// The tile that the marker shows; `None` if it shows none.
    pub tile: Option<MarkerTile>,
    /// The custom properties of the marker's object.
    pub properties: PropertyValues,
}

/// The shape of a [`Marker`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum MarkerShape {
    /// A rectangle, or a tile.
    #[default]
    Rectangle,
    /// A single point.
    Point,
    /// An ellipse.
    Ellipse,
    /// A rectangle with round ends.
    Capsule,
    /// The area inside a closed line.
    Polygon,
    /// An open line, such as the path of a lift.
    Polyline,
}

/// The tile that a [`Marker`] shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MarkerTile {
    /// The name of the tile's tileset.
    pub tileset: Arc<str>,
    /// The id of the tile in its tileset.
    pub id: u32,
    /// True if the picture of the tile is mirrored left to right.
    pub flip_x: bool,
    /// True if the picture of the tile is mirrored top to bottom.
    pub flip_y: bool,
}

impl MarkerShape {
    /// All shapes, in the order of the baked format.
    pub const ALL: [Self; 6] =
        [Self::Rectangle, Self::Point, Self::Ellipse, Self::Capsule, Self::Polygon, Self::Polyline];
}

impl Marker {
    /// Returns the pixel of a point, or the middle pixel of any other marker ([`Aabb::center`]).
    pub fn position(&self) -> IVec2 {
        self.area.center()
    }

    /// Returns the value of a property as [`PropertyValue::as_i32`]; `None` without such a property.
    pub fn i32(&self, property: &str) -> Option<i32> {
        self.properties.get(property)?.as_i32()
    }

    /// Returns the value of a property as [`PropertyValue::as_f32`]; `None` without such a property.
    pub fn f32(&self, property: &str) -> Option<f32> {
        self.properties.get(property)?.as_f32()
    }

    /// Returns the value of a property as [`PropertyValue::as_flag`]; `None` without such a property.
    pub fn bool(&self, property: &str) -> Option<bool> {
        self.properties.get(property)?.as_flag()
    }

    /// Returns the value of a property as [`PropertyValue::as_str`]; `None` without such a property.
    pub fn str(&self, property: &str) -> Option<&str> {
        self.properties.get(property)?.as_str()
    }

    /// Returns the value of a property as [`PropertyValue::as_point`]; `None` without such a property.
    pub fn point(&self, property: &str) -> Option<IVec2> {
        self.properties.get(property)?.as_point()
    }

    /// Returns the marker moved by a displacement in pixels, with the points in its properties. Coordinates
    /// beyond `i32` are clamped.
    pub(crate) fn translated(mut self, by: I64Vec2) -> Self {
        let Aabb { min, max } = &mut self.area;
        for point in [min, max].into_iter().chain(&mut self.points) {
            *point = clamped(point.as_i64vec2() + by);
        }
        self.properties.values_mut().for_each(|value| translate(value, by));
        self
    }
}

fn translate(value: &mut PropertyValue, by: I64Vec2) {
    match value {
        PropertyValue::Point(point) => *point = clamped(point.as_i64vec2() + by),
        PropertyValue::List(items) => items.iter_mut().for_each(|item| translate(item, by)),
        PropertyValue::Class { members, .. } => {
            members.values_mut().for_each(|member| translate(member, by));
        }
        _ => {}
    }
}

impl Hash for Marker {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { name, class, layer, object, map, area, shape, .. } = self;
        let Self { rotation, points, tile, properties, .. } = self;
        (name, class, layer, object, map, area, shape).hash(state);
        (PropertyValue::Float(*rotation), points, tile, properties).hash(state);
    }
}
