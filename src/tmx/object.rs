//! Objects: points, shapes, placed tiles and texts.

use super::{Decimal, Point, Properties};

/// Points of all the polygons and polylines of a map together.
pub(crate) const MAX_POINTS: u64 = 1 << 20;

/// An object of a layer, or a collision shape of a tile. The values of its template are filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// Its id; 0 if the file names none.
    pub id: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// Its class (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// Its top-left corner in pixels of the map; of a tile, the point given by the tileset's alignment.
    pub position: Point,
    /// Width and height in pixels; 0 and 0 for the tile's own size.
    pub size: Point,
    /// The clockwise rotation about its position, in degrees.
    pub rotation: Decimal,
    /// The tile that it shows: its number in the map with the flags of [`super::flip`]. Never 0.
    pub gid: Option<u32>,
    /// Its shape; a rectangle if it shows a tile.
    pub shape: Shape,
    /// False if it is hidden.
    pub visible: bool,
    /// 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The custom properties.
    pub properties: Properties,
    /// The path of its template as the file writes it, if it has one.
    pub template: Option<String>,
    /// Its line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The shape of an [`Object`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Its box.
    #[default]
    Rectangle,
    /// The ellipse that fills its box.
    Ellipse,
    /// The capsule that fills its box: a half circle at each of the two shorter sides.
    Capsule,
    /// Its position alone.
    Point,
    /// An area between points, relative to its position.
    Polygon(Vec<Point>),
    /// A line through points, relative to its position.
    Polyline(Vec<Point>),
    /// A text in its box.
    Text(String),
}
