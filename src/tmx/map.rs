//! Defines the document of a map: its size, orientation, tilesets, layers, objects and properties, as in the
//! file. It has no notion of solids.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::{Color, Decimal, Point};
use crate::error::warning::LoadWarning;
use crate::geometry::Aabb;
use crate::property::PropertyValue;

/// The largest width and height of a map, in tiles.
pub(crate) const MAX_SIDE: u32 = 16_384;

/// The largest value, in pixels, of: a tile's width and height, a tileset's spacing and margin, a map's skew,
/// and the side of its hexagons.
pub(crate) const MAX_TILE_SIDE: u32 = 4_096;

/// A Tiled map as its files write it: `.tmx` or `.tmj`, with its tilesets and templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The version of the format; empty if the file names none.
    pub version: String,
    /// The version of Tiled that wrote the file; empty if the file names none.
    pub tiled_version: String,
    /// The class of the map, which may be empty.
    pub class: String,
    /// The arrangement of the cells on the screen.
    pub orientation: Orientation,
    /// The order in which the cells of a layer are drawn.
    pub render_order: RenderOrder,
    /// Columns and rows, as the file states them. An infinite map can have cells outside them, but its height
    /// still sets the origin of an isometric map.
    pub size: UVec2,
    /// The width and height of a cell in pixels; at least 1.
    pub tile_size: UVec2,
    /// True for a map without borders, whose layers are written in chunks.
    pub is_infinite: bool,
    /// The point of the map, in pixels, that is the origin of the layers' parallax.
    pub parallax_origin: Point,
    /// The colour behind all layers, if there is one.
    pub background: Option<Color>,
    /// The custom properties.
    pub properties: Properties,
    /// The tilesets in the order of the file; tilesets named only by templates come last.
    pub tilesets: Vec<Tileset>,
    /// The layers from the back to the front.
    pub layers: Vec<Layer>,
    /// The first 1,024 elements in the map's files that bitwall does not know, such as those of a newer
    /// Tiled.
    pub unknown: Vec<Unknown>,
    /// Faults in the files that a lenient load passed over.
    pub faults: Vec<LoadWarning>,
}

/// The arrangement of a map's cells on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Orientation {
    /// Rows and columns of rectangles.
    #[default]
    Orthogonal,
    /// Diamonds: columns run down to the right, rows down to the left.
    Isometric,
    /// Diamonds in straight rows or columns, every other one shifted by half a tile.
    Staggered {
        /// The axis along which shifted and unshifted lines of cells alternate.
        axis: StaggerAxis,
        /// The lines (columns or rows) that are shifted.
        index: StaggerIndex,
    },
    /// Hexagons in rows or columns, every other one shifted by half a tile.
    Hexagonal {
        /// The axis along which shifted and unshifted lines of cells alternate.
        axis: StaggerAxis,
        /// The lines (columns or rows) that are shifted.
        index: StaggerIndex,
        /// The length of the hexagon's side along `axis`, in pixels.
        side: u32,
    },
    /// Rows and columns of rectangles, sheared.
    Oblique {
        /// The distance by which a row is shifted to the right of the row above it, in pixels.
        skew_x: i32,
        /// The distance by which a column is shifted down from the column to its left, in pixels.
        skew_y: i32,
    },
}

/// The axis along which shifted and unshifted lines of cells alternate: see [`Orientation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerAxis {
    /// Every other column is shifted down.
    X,
    /// Every other row is shifted right.
    #[default]
    Y,
}

/// The lines of cells that are shifted: see [`Orientation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerIndex {
    /// Lines 1, 3, 5 and so on, counted from 0.
    #[default]
    Odd,
    /// Lines 0, 2, 4 and so on, counted from 0.
    Even,
}

/// The order in which the cells of an orthogonal map's layer are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOrder {
    /// True if columns are drawn from right to left.
    pub leftward: bool,
    /// True if rows are drawn from bottom to top.
    pub upward: bool,
}

/// An element that the reader does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// The name of the element.
    pub element: String,
    /// The name of the element around it.
    pub parent: String,
    /// The path of the file that contains the element: the path of the map, or the path that another file
    /// names, joined to the folder of that other file.
    pub file: PathBuf,
    /// The line of the element in the file, from 1.
    pub line: u32,
}

/// The largest distance of a chunk of an infinite map from tile (0, 0), in tiles.
pub(crate) const MAX_CHUNK_DISTANCE: u32 = 1 << 20;

/// A layer or a group of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The layer's id in the map; 0 if the file names none.
    pub id: u32,
    /// The layer's name, which may be empty.
    pub name: String,
    /// The layer's class, which may be empty.
    pub class: String,
    /// False if the layer is hidden; a group around it may hide it too.
    pub visible: bool,
    /// True if the layer is locked in Tiled's editor.
    pub locked: bool,
    /// The opacity, from 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The colour by which the layer's pixels are multiplied, if there is one.
    pub tint: Option<Color>,
    /// The layer's displacement, in pixels of the screen.
    pub offset: Point,
    /// The parallax factor of each axis: 1 for a layer that moves with the map.
    pub parallax: Point,
    /// The blend mode of the layer's pixels over those below.
    pub blend: BlendMode,
    /// The custom properties.
    pub properties: Properties,
    /// The content of the layer.
    pub content: LayerContent,
    /// The layer's line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Layer {
    /// A layer made in code: visible, opaque, without offset.
    pub fn new(name: impl Into<String>, content: LayerContent) -> Self {
        let one = Decimal::from_pixels(1);
        Self {
            id: 0,
            name: name.into(),
            class: String::new(),
            visible: true,
            locked: false,
            opacity: 1.0,
            tint: None,
            offset: Point::default(),
            parallax: Point { x: one, y: one },
            blend: BlendMode::Normal,
            properties: Properties::new(),
            content,
            line: 0,
        }
    }
}

/// The content of a [`Layer`].
#[derive(Clone, Debug, PartialEq)]
pub enum LayerContent {
    /// The cells of a tile layer.
    Tiles(TileLayer),
    /// The objects of an object layer.
    Objects(ObjectLayer),
    /// The picture of an image layer.
    Image(ImageLayer),
    /// The layers of a group, from the back to the front.
    Group(Vec<Layer>),
}

/// The kind of a layer's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// A tile layer, which has cells.
    Tiles,
    /// An object layer.
    Objects,
    /// An image layer, which has one picture.
    Image,
    /// A group of layers.
    Group,
}

impl LayerKind {
    /// The name of the kind in lower case: `tiles`, `objects`, `image` or `group`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiles => "tiles",
            Self::Objects => "objects",
            Self::Image => "image",
            Self::Group => "group",
        }
    }
}

impl LayerContent {
    /// The kind of this content.
    pub const fn kind(&self) -> LayerKind {
        match self {
            Self::Tiles(_) => LayerKind::Tiles,
            Self::Objects(_) => LayerKind::Objects,
            Self::Image(_) => LayerKind::Image,
            Self::Group(_) => LayerKind::Group,
        }
    }
}

/// The cells of a tile layer, in blocks that do not overlap: one block for a finite map, the chunks of an
/// infinite map. Blocks are sorted by the row of their origins, then by the column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileLayer {
    /// The blocks.
    pub blocks: Vec<CellBlock>,
}

pub(super) fn sort_blocks(blocks: &mut [CellBlock]) {
    blocks.sort_unstable_by_key(|block| (block.origin.y, block.origin.x));
}

/// A rectangle of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellBlock {
    /// Column and row of the block's top-left cell.
    pub origin: IVec2,
    /// The number of columns and rows.
    pub size: UVec2,
    /// One number per cell, row by row: 0 for no tile, else the tile's number with the flags of
    /// [`super::flip`].
    pub cells: Vec<u32>,
}

impl CellBlock {
    /// The number of the tile in a cell, with its flags; `None` outside the block.
    pub fn gid(&self, cell: IVec2) -> Option<u32> {
        let at = cell.as_i64vec2() - self.origin.as_i64vec2();
        let is_inside =
            at.cmpge(glam::I64Vec2::ZERO).all() && at.cmplt(self.size.as_i64vec2()).all();
        let index = at.y.checked_mul(i64::from(self.size.x))?.checked_add(at.x)?;
        let gid = self.cells.get(usize::try_from(index).ok()?)?;
        is_inside.then_some(*gid)
    }
}

/// The objects of an object layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ObjectLayer {
    /// True if the objects are drawn in the order of the file; false if in the order of their y.
    pub draws_in_file_order: bool,
    /// The colour in which Tiled's editor shows the objects, if the file states one.
    pub color: Option<Color>,
    /// The objects in the order of the file.
    pub objects: Vec<Object>,
}

/// The picture of an image layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageLayer {
    /// The picture, if the layer names one.
    pub image: Option<Image>,
    /// True if the picture is repeated to the left and right without limit.
    pub repeat_x: bool,
    /// True if the picture is repeated upward and downward without limit.
    pub repeat_y: bool,
}

/// The blend mode of a layer's pixels over those below it, as defined by the W3C's compositing rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the W3C's")]
pub enum BlendMode {
    #[default]
    Normal,
    Add,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
}

/// The names of the blend modes in files; a layer without one is drawn by [`BlendMode::Normal`].
pub(super) const BLEND_MODES: [(&str, BlendMode); 12] = [
    ("add", BlendMode::Add),
    ("multiply", BlendMode::Multiply),
    ("screen", BlendMode::Screen),
    ("overlay", BlendMode::Overlay),
    ("darken", BlendMode::Darken),
    ("lighten", BlendMode::Lighten),
    ("color-dodge", BlendMode::ColorDodge),
    ("color-burn", BlendMode::ColorBurn),
    ("hard-light", BlendMode::HardLight),
    ("soft-light", BlendMode::SoftLight),
    ("difference", BlendMode::Difference),
    ("exclusion", BlendMode::Exclusion),
];

/// The most tiles in one tileset.
pub(crate) const MAX_TILES: u32 = 65_536;

/// A tileset as a map uses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tileset {
    /// The number of the tileset's tile 0 in the map. The number of another tile is larger by its id. A
    /// tileset without tiles may have the number of another tileset.
    pub first_gid: u32,
    /// The tileset's name, which may be empty.
    pub name: String,
    /// The tileset's class, which may be empty.
    pub class: String,
    /// The path of the tileset's own file, if it has one, joined to the folder of the file that names it.
    pub file: Option<PathBuf>,
    /// The path of the tileset's file as the map or the template writes it; empty if the tileset has no file.
    pub source: String,
    /// The width and height of a tile in pixels; the largest ones in a collection of pictures.
    pub tile_size: UVec2,
    /// The number of pixels between two tiles of the picture.
    pub spacing: u32,
    /// The number of pixels between the picture's border and its tiles.
    pub margin: u32,
    /// The number of tiles, if the file states it.
    pub tile_count: Option<u32>,
    /// The number of columns, if the file states it.
    pub columns: Option<u32>,
    /// The displacement at which the tiles are drawn, in pixels.
    pub offset: IVec2,
    /// The point of a tile object's box that lies at the object's position.
    pub alignment: Alignment,
    /// True if tiles are scaled to the size of the map's cells.
    pub fills_cell: bool,
    /// True if scaled tiles keep their proportions.
    pub keeps_aspect: bool,
    /// The cell size of the grid for collision shapes, if that grid is isometric.
    pub isometric_grid: Option<UVec2>,
    /// The colour behind the tiles in Tiled's editor, if the file states one.
    pub background: Option<Color>,
    /// The picture of all tiles; `None` if each tile has its own.
    pub image: Option<Image>,
    /// The custom properties.
    pub properties: Properties,
    /// The tiles that the file lists, by their ids. Other tiles have only a position in the tileset's
    /// picture.
    pub tiles: BTreeMap<u32, Tile>,
    /// The tileset's line in the map's file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Tileset {
    /// The number of tiles that fit in a picture of this size in pixels; 0 if a tile has no width or height.
    pub fn tiles_in(&self, picture: UVec2) -> u64 {
        let fit = |picture: u32, tile: u32| {
            let (spacing, margin) = (u64::from(self.spacing), u64::from(self.margin));
            let room = (u64::from(picture) + spacing).saturating_sub(margin);
            match tile {
                0 => 0,
                tile => room / (u64::from(tile) + spacing),
            }
        };
        fit(picture.x, self.tile_size.x).saturating_mul(fit(picture.y, self.tile_size.y))
    }

    /// True if the tileset has no tiles, as far as its file tells.
    pub(super) fn is_empty(&self) -> bool {
        self.tiles.is_empty() && (self.image.is_none() || self.tile_count == Some(0))
    }

    /// True if the stated number of tiles does not fit the stated size of their picture: then the size is
    /// read from the picture itself. Only the tileset's file decides this, so that the picture can be fetched
    /// before the map is known.
    pub(crate) fn contradicts_itself(&self) -> bool {
        let is_file = |image: &&Image| image.data.is_none();
        match (self.tile_count, self.image.as_ref().filter(is_file)) {
            (Some(count), Some(image)) if image.size.min_element() > 0 => {
                u64::from(count) != self.tiles_in(image.size)
            }
            _ => false,
        }
    }
}

/// A tile that the file of a [`Tileset`] lists.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tile {
    /// The tile's class (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The custom properties.
    pub properties: Properties,
    /// The tile's own picture, if it has one.
    pub image: Option<Image>,
    /// The collision shapes, relative to the top-left corner of the tile's picture.
    pub shapes: Vec<Object>,
    /// The frames of the tile's animation; empty for a tile that is not animated.
    pub animation: Vec<Frame>,
    /// The tile's line in the tileset's file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// One frame of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The id of the tile that the frame shows, in the same tileset.
    pub tile: u32,
    /// The frame's duration in milliseconds.
    pub duration: u32,
}

/// A picture of a map, in its own file or embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The path of the picture, joined to the folder of the file that names it. An embedded picture has a
    /// generated path that is unique in the map.
    pub path: PathBuf,
    /// The path of the picture as the file writes it; empty for an embedded picture.
    pub source: String,
    /// The width and height that the file states; 0 for a side that it does not state.
    pub size: UVec2,
    /// The colour that counts as transparent, if there is one: red, green, blue.
    pub transparent: Option<[u8; 3]>,
    /// The part of the picture to use, in pixels; `None` for all of it.
    pub part: Option<Aabb>,
    /// The bytes of an embedded picture, not decoded; `None` for a picture in a file.
    pub data: Option<Arc<[u8]>>,
    /// The picture's line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The point of a tile object's box that lies at the object's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Alignment {
    /// `Bottom` on an isometric map, else `BottomLeft`.
    #[default]
    Unspecified,
    TopLeft,
    Top,
    TopRight,
    Left,
    Center,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
}

/// The most points in all polygons and polylines of a map.
pub(crate) const MAX_POINTS: u64 = 1 << 20;

/// An object of a layer, or a collision shape of a tile. The values of its template are filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The object's id; 0 if the file names none.
    pub id: u32,
    /// The object's name, which may be empty.
    pub name: String,
    /// The object's class (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The top-left corner in pixels of the map. For an object that shows a tile, the point that the
    /// tileset's alignment names.
    pub position: Point,
    /// Width and height in pixels. For an object that shows a tile, 0 and 0 mean the tile's own size.
    pub size: Point,
    /// The clockwise rotation about the object's position, in degrees.
    pub rotation: Decimal,
    /// The shown tile's number with the flags of [`super::flip`], never 0; `None` if no tile is shown.
    pub gid: Option<u32>,
    /// The object's shape; a rectangle if it shows a tile.
    pub shape: Shape,
    /// False if the object is hidden.
    pub visible: bool,
    /// The opacity, from 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The custom properties.
    pub properties: Properties,
    /// The path of the object's template as the file writes it, if it has one.
    pub template: Option<String>,
    /// The object's line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The shape of an [`Object`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// The object's box.
    #[default]
    Rectangle,
    /// The ellipse that fills the object's box.
    Ellipse,
    /// The capsule that fills the object's box: a half circle at each of the two shorter sides.
    Capsule,
    /// The object's position alone.
    Point,
    /// The area between points, which are relative to the object's position.
    Polygon(Vec<Point>),
    /// The line through points, which are relative to the object's position.
    Polyline(Vec<Point>),
    /// A text in the object's box.
    Text(String),
}

/// Custom properties by name.
pub type Properties = BTreeMap<String, Property>;

/// A custom property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The property's value; a text if the written value does not fit the type.
    pub value: PropertyValue,
    /// The name of the property's enum or class, if it has one; else empty.
    pub type_name: String,
    /// The property's line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Property {
    /// A property made in code.
    pub fn new(value: PropertyValue) -> Self {
        Self { value, type_name: String::new(), line: 0 }
    }
}

/// A map that is part of a level, and its place in the level.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedMap {
    /// The map.
    pub map: Arc<Map>,
    /// The map's file as the world names it; `None` outside a world.
    pub file: Option<String>,
    /// The pixels of the level that the map covers.
    pub area: Aabb,
    /// The pixel of the level at which the map's pixel (0, 0) lies.
    pub place: IVec2,
    /// Column and row of the map's first cell in the level: (0, 0), except for an infinite map.
    pub first_cell: IVec2,
    /// The number of the map's columns and rows in the level.
    pub cells: UVec2,
    /// The part of the screen that the level shows, in pixels of the screen. `None` if the level's pixels are
    /// not those of the screen: for an isometric or oblique map in its own space.
    pub on_screen: Option<Aabb>,
}
