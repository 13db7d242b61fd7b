//! The document of a map, as its files state it: size, orientation, tilesets, layers, objects and properties.
//! The document has no notion of solids.

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

/// The largest width, height, spacing and margin of a tile, and the largest skew and hexagon side of a map,
/// in pixels.
pub(crate) const MAX_TILE_SIDE: u32 = 4_096;

/// A Tiled map as its files state it: `.tmx` or `.tmj`, with its tilesets and templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The version of the file format; empty if the file states none.
    pub version: String,
    /// The version of Tiled that wrote the file; empty if the file states none.
    pub tiled_version: String,
    /// The class of the map, which may be empty.
    pub class: String,
    /// The arrangement of the map's cells on the screen.
    pub orientation: Orientation,
    /// The order in which the cells of a layer are drawn.
    pub render_order: RenderOrder,
    /// The number of columns and rows that the file states. An infinite map can have cells outside them, but
    /// the number of rows still sets the origin of an isometric map.
    pub size: UVec2,
    /// The width and height of a cell in pixels; at least 1.
    pub tile_size: UVec2,
    /// True for an infinite map, whose layers are written in chunks.
    pub is_infinite: bool,
    /// The point of the map, in pixels, that is the origin of the layers' parallax.
    pub parallax_origin: Point,
    /// The colour behind all layers, if the file states one.
    pub background: Option<Color>,
    /// The custom properties of the map.
    pub properties: Properties,
    /// The tilesets in the order of the file, then the tilesets that only templates name.
    pub tilesets: Vec<Tileset>,
    /// The layers from the back to the front.
    pub layers: Vec<Layer>,
    /// The first 1,024 elements that bitwall does not know, such as elements of a newer Tiled.
    pub unknown: Vec<Unknown>,
    /// The faults in the files that a lenient load ignored.
    pub faults: Vec<LoadWarning>,
}

/// The arrangement of a map's cells on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Orientation {
    /// Cells are rectangles in rows and columns.
    #[default]
    Orthogonal,
    /// Cells are diamonds. Columns run down to the right, and rows down to the left.
    Isometric,
    /// Cells are diamonds in straight rows or columns; every other line is shifted by half a tile.
    Staggered {
        /// The axis along which shifted and unshifted lines of cells alternate.
        axis: StaggerAxis,
        /// The lines (columns or rows) that are shifted.
        index: StaggerIndex,
    },
    /// Cells are hexagons in rows or columns; every other line is shifted by half a tile.
    Hexagonal {
        /// The axis along which shifted and unshifted lines of cells alternate.
        axis: StaggerAxis,
        /// The lines (columns or rows) that are shifted.
        index: StaggerIndex,
        /// The length of the hexagon's side along `axis`, in pixels.
        side: u32,
    },
    /// Cells are sheared rectangles in rows and columns.
    Oblique {
        /// The distance by which a row is shifted to the right of the row above, in pixels.
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
    /// The lines 1, 3, 5 and so on are shifted, counted from 0.
    #[default]
    Odd,
    /// The lines 0, 2, 4 and so on are shifted, counted from 0.
    Even,
}

/// The order in which the cells of a layer are drawn. Only for orthogonal and oblique maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOrder {
    /// True if columns are drawn from right to left.
    pub leftward: bool,
    /// True if rows are drawn from bottom to top.
    pub upward: bool,
}

/// An element that the reader does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unknown {
    /// The name of the element.
    pub element: String,
    /// The name of the element around it.
    pub parent: String,
    /// The path of the file that contains the element: the map's path, or a path that another file names,
    /// joined to the folder of that other file.
    pub file: PathBuf,
    /// The line of the element in the file, from 1.
    pub line: u32,
}

/// The largest distance of a chunk of an infinite map from tile (0, 0), in tiles.
pub(crate) const MAX_CHUNK_DISTANCE: u32 = 1 << 20;

/// A layer or a group of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// The id of the layer in the map; 0 if the file states none.
    pub id: u32,
    /// The name of the layer, which may be empty.
    pub name: String,
    /// The class of the layer, which may be empty.
    pub class: String,
    /// False if the layer is hidden. A group around the layer may hide it too.
    pub visible: bool,
    /// True if the layer is locked in Tiled's editor.
    pub locked: bool,
    /// The opacity of the layer, from 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The colour that the layer's pixels are multiplied by, if the file states one.
    pub tint: Option<Color>,
    /// The displacement of the layer, in pixels of the screen.
    pub offset: Point,
    /// The parallax factor of the layer on each axis: 1 for a layer that moves with the map.
    pub parallax: Point,
    /// The blend mode of the layer's pixels over the pixels below.
    pub blend: BlendMode,
    /// The custom properties of the layer.
    pub properties: Properties,
    /// The content of the layer.
    pub content: LayerContent,
    /// The line of the layer in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Layer {
    /// Returns a layer made in code: visible, opaque, without offset.
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
    /// The content of a tile layer.
    Tiles(TileLayer),
    /// The content of an object layer.
    Objects(ObjectLayer),
    /// The content of an image layer.
    Image(ImageLayer),
    /// The layers of a group, from the back to the front.
    Group(Vec<Layer>),
}

/// The kind of a layer's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// A tile layer, with cells.
    Tiles,
    /// An object layer.
    Objects,
    /// An image layer, with one picture.
    Image,
    /// A group of layers.
    Group,
}

impl LayerKind {
    /// Returns the name of the kind in lower case: `tiles`, `objects`, `image` or `group`.
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
    /// Returns the kind of this content.
    pub const fn kind(&self) -> LayerKind {
        match self {
            Self::Tiles(_) => LayerKind::Tiles,
            Self::Objects(_) => LayerKind::Objects,
            Self::Image(_) => LayerKind::Image,
            Self::Group(_) => LayerKind::Group,
        }
    }
}

/// The cells of a tile layer, in blocks that do not overlap. A finite map has one block; an infinite map has
/// a block per chunk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileLayer {
    /// The blocks, sorted by the row, then the column of their origins.
    pub blocks: Vec<CellBlock>,
}

pub(super) fn sort_blocks(blocks: &mut [CellBlock]) {
    blocks.sort_unstable_by_key(|block| (block.origin.y, block.origin.x));
}

/// A rectangle of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellBlock {
    /// The column and row of the block's top-left cell.
    pub origin: IVec2,
    /// The number of columns and rows of the block.
    pub size: UVec2,
    /// The numbers of the cells' tiles with the flags of [`super::flip`], row by row; 0 for a cell without a
    /// tile.
    pub cells: Vec<u32>,
}

impl CellBlock {
    /// Returns the number of a cell's tile, with its flags, or `None` outside the block.
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
    /// True if objects are drawn in the order of the file; false if in the order of their y.
    pub draws_in_file_order: bool,
    /// The colour of the objects in Tiled's editor, if the file states one.
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

/// The blend mode of a layer's pixels over the pixels below, by the W3C's compositing rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the W3C's")]
#[non_exhaustive]
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

/// The names of the blend modes in files. A layer without such a name has [`BlendMode::Normal`].
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

/// The class of a tileset whose tiles are the values of an IntGrid layer of LDtk. The class of a tile is the
/// name of its value, and a bool property has the name of the value's group.
pub(crate) const INT_GRID: &str = "IntGrid";

/// The class of a tileset whose tiles have tags of LDtk, each as a bool property. The class of a tile is the
/// first tag.
pub(crate) const TAGGED: &str = "EnumTags";

/// The start of the names of layers with LDtk's auto tiles, which are art.
#[cfg(any(feature = "image", feature = "ldtk"))]
pub(crate) const AUTO_TILES: &str = "auto tiles of ";

/// The largest number of tiles in a tileset.
pub(crate) const MAX_TILES: u32 = 65_536;

/// A tileset as a map uses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tileset {
    /// The number of the tileset's tile 0 in the map. Another tile has this number plus its id. A tileset
    /// without tiles may have the number of another tileset.
    pub first_gid: u32,
    /// The name of the tileset, which may be empty.
    pub name: String,
    /// The class of the tileset, which may be empty.
    pub class: String,
    /// The path of the tileset's own file, if any, joined to the folder of the file that names it.
    pub file: Option<PathBuf>,
    /// The path of the tileset's own file as another file writes it; empty without an own file.
    pub source: String,
    /// The width and height of a tile in pixels. In a collection of pictures: the largest width and height.
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
    /// The cell size of the grid for collision shapes, if the grid is isometric.
    pub isometric_grid: Option<UVec2>,
    /// The colour behind the tiles in Tiled's editor, if the file states one.
    pub background: Option<Color>,
    /// The picture of all tiles; `None` if each tile has its own picture.
    pub image: Option<Image>,
    /// The custom properties of the tileset.
    pub properties: Properties,
    /// The tiles that the file lists, by id. Other tiles have only a position in the tileset's picture.
    pub tiles: BTreeMap<u32, Tile>,
    /// The line of the tileset in the map's file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Tileset {
    /// Returns the number of tiles that fit in a picture of this size in pixels, or 0 if a tile has no
    /// extent.
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

    /// True if the tileset has no tiles, as far as its file states them.
    pub(super) fn is_empty(&self) -> bool {
        self.tiles.is_empty() && (self.image.is_none() || self.tile_count == Some(0))
    }

    /// True if the stated number of tiles contradicts the stated size of the picture. The size is then read
    /// from the picture. Only the tileset's file decides this, so that the picture can be fetched before the
    /// map is known.
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
    /// The class of the tile (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The custom properties of the tile.
    pub properties: Properties,
    /// The tile's own picture, if it has one.
    pub image: Option<Image>,
    /// The collision shapes, relative to the top-left corner of the tile's picture.
    pub shapes: Vec<Object>,
    /// The frames of the tile's animation; empty for a tile that is not animated.
    pub animation: Vec<Frame>,
    /// The line of the tile in the tileset's file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// A frame of a tile's animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The id of the shown tile, in the same tileset.
    pub tile: u32,
    /// The duration of the frame in milliseconds.
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
    /// The colour (red, green, blue) that counts as transparent, if the file states one.
    pub transparent: Option<[u8; 3]>,
    /// The region of the picture to use, in pixels; `None` for the whole picture.
    pub part: Option<Aabb>,
    /// The bytes of an embedded picture, not decoded; `None` for a picture in a file.
    pub data: Option<Arc<[u8]>>,
    /// The line of the picture in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The point of a tile object's box that lies at the object's position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Alignment {
    /// `Bottom` on an isometric map, or `BottomLeft` on any other map.
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

/// The largest number of points in all polygons and polylines of a map.
pub(crate) const MAX_POINTS: u64 = 1 << 20;

/// An object of a layer, or a collision shape of a tile. It includes the values of its template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The id of the object; 0 if the file states none.
    pub id: u32,
    /// The name of the object, which may be empty.
    pub name: String,
    /// The class of the object (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The top-left corner of the object, in pixels of the map. If the object shows a tile, this is the
    /// alignment point of the tile's tileset.
    pub position: Point,
    /// The width and height of the object in pixels. If the object shows a tile, 0 and 0 mean the tile's own
    /// size.
    pub size: Point,
    /// The clockwise rotation about the object's position, in degrees.
    pub rotation: Decimal,
    /// The number of the shown tile with the flags of [`super::flip`], never 0; `None` if the object shows no
    /// tile.
    pub gid: Option<u32>,
    /// The shape of the object; a rectangle if it shows a tile.
    pub shape: Shape,
    /// False if the object is hidden.
    pub visible: bool,
    /// The opacity of the object, from 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The custom properties of the object.
    pub properties: Properties,
    /// The path of the object's template as the file writes it, if it has one.
    pub template: Option<String>,
    /// The line of the object in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The shape of an [`Object`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// The object's box.
    #[default]
    Rectangle,
    /// The ellipse that fills the object's box.
    Ellipse,
    /// The capsule that fills the object's box, with half circles at its shorter sides.
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

/// The custom properties of an element, by name.
pub type Properties = BTreeMap<String, Property>;

/// A custom property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The value of the property; a text if the written value does not fit the type.
    pub value: PropertyValue,
    /// The name of the property's enum or class; empty without either.
    pub type_name: String,
    /// The line of the property in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Property {
    /// Returns a property made in code.
    pub fn new(value: PropertyValue) -> Self {
        Self { value, type_name: String::new(), line: 0 }
    }
}

/// A map of a level, with its position in the level.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedMap {
    /// The map itself.
    pub map: Arc<Map>,
    /// The map's file as the world names it; `None` outside a world.
    pub file: Option<String>,
    /// The pixels of the level that the map covers.
    pub area: Aabb,
    /// The pixel of the level that contains the map's pixel (0, 0).
    pub place: IVec2,
    /// The column and row of the map's first cell in the level: (0, 0), except for an infinite map.
    pub first_cell: IVec2,
    /// The number of the map's columns and rows in the level.
    pub cells: UVec2,
    /// The area of the screen that the level shows, in pixels. `None` if the level's pixels are not screen
    /// pixels, as for an isometric or oblique map in its own space.
    pub on_screen: Option<Aabb>,
}
