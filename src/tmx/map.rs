//! The document of a map, with the values that its files state: size, orientation, tilesets, layers, objects
//! and properties. The document has no notion of solids.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::{Color, Decimal, Doubt, Point, flip};
use crate::error::LoadWarning;
use crate::geometry::Aabb;
use crate::property::PropertyValue;

/// The largest width and height of a map, in tiles.
pub(crate) const MAX_SIDE: u32 = 16_384;

/// The largest width, height, spacing and margin of a tileset's tiles, and the largest skew and hexagon side
/// of a map, in pixels.
pub(crate) const MAX_TILE_SIDE: u32 = 4_096;

/// A Tiled map with the values that its files state: a `.tmx` or `.tmj` file, with its tilesets and
/// templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The version of the file format; empty if the file states none.
    pub version: String,
    /// The class of the map, which may be empty.
    pub class: String,
    /// The arrangement of the map's cells on the screen.
    pub orientation: Orientation,
    /// The order in which the cells of a layer are drawn.
    pub render_order: RenderOrder,
    /// The number of columns and rows that the file states. An infinite map can have cells outside this size.
    ///
    /// The number of rows still sets the origin of an isometric map.
    pub size: UVec2,
    /// The width and height of a cell in pixels; at least 1.
    pub tile_size: UVec2,
    /// True for an infinite map. Its layers are written in chunks.
    pub is_infinite: bool,
    /// The origin of the layers' parallax, in pixels of the map.
    pub parallax_origin: Point,
    /// The colour behind all layers, if the file states one.
    pub background: Option<Color>,
    /// The custom properties of the map.
    pub properties: Properties,
    /// The tilesets in the order of the file, then the tilesets that are named only by object templates.
    pub tilesets: Vec<Tileset>,
    /// The layers from the back to the front.
    pub layers: Vec<Layer>,
    /// The first 1,024 elements that bitwall does not know, such as elements of a newer Tiled.
    pub unknown: Vec<Unknown>,
    /// The faults of the files that cannot change a solid pixel, and those that a lenient load passed over.
    pub faults: Vec<LoadWarning>,
    /// The faults that are errors where they can change a solid pixel.
    pub doubts: Vec<Doubt>,
}

/// The arrangement of a map's cells on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Orientation {
    /// Cells are rectangles in rows and columns.
    #[default]
    Orthogonal,
    /// Cells are diamonds. The next cell of a row is to the lower right, and the next cell of a column is to
    /// the lower left.
    Isometric,
    /// Cells are diamonds in straight rows or columns; every other row or column is shifted by half a tile.
    Staggered {
        /// The axis along which shifted and unshifted columns (x) or rows (y) alternate.
        axis: StaggerAxis,
        /// The columns or rows that are shifted: the odd or the even ones.
        index: StaggerIndex,
    },
    /// Cells are hexagons in rows or columns; every other row or column is shifted by half a tile.
    Hexagonal {
        /// The axis along which shifted and unshifted columns (x) or rows (y) alternate.
        axis: StaggerAxis,
        /// The columns or rows that are shifted: the odd or the even ones.
        index: StaggerIndex,
        /// The length of the hexagon's side along the stagger axis, in pixels.
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

/// The axis along which shifted and unshifted columns or rows of a staggered or hexagonal map alternate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerAxis {
    /// Every other column is shifted down.
    X,
    /// Every other row is shifted right.
    #[default]
    Y,
}

/// The columns or rows of a staggered or hexagonal map that are shifted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerIndex {
    /// The columns or rows 1, 3, 5 and so on are shifted, counted from 0.
    #[default]
    Odd,
    /// The columns or rows 0, 2, 4 and so on are shifted, counted from 0.
    Even,
}

/// The order in which the cells of a layer are drawn. Tiled uses it only for orthogonal and oblique maps.
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
    /// The path of the file that contains the element: the path of the map, or the path written in another
    /// file, joined to the folder of that other file.
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
    /// The opacity of the layer, from 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The tint: each pixel of the layer is multiplied by this colour. `None` if the file states no tint.
    pub tint: Option<Color>,
    /// The displacement of the layer, in pixels of the screen.
    pub offset: Point,
    /// The parallax factor of the layer on each axis. A layer with factor 1 moves with the map.
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
    /// Returns a visible, opaque layer without an offset, as a layer made in code.
    pub fn new(name: impl Into<String>, content: LayerContent) -> Self {
        let one = Decimal::from_pixels(1);
        Self {
            id: 0,
            name: name.into(),
            class: String::new(),
            visible: true,
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

impl LayerContent {
    /// Returns the kind of this content: `tiles`, `objects`, `image` or `group`.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Tiles(_) => "tiles",
            Self::Objects(_) => "objects",
            Self::Image(_) => "image",
            Self::Group(_) => "group",
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

impl TileLayer {
    /// The cells in the box `near` that have a tile, with their gids, block by block and row by row.
    pub(crate) fn cells_in(&self, near: Aabb) -> impl Iterator<Item = (IVec2, u32)> {
        self.blocks.iter().flat_map(move |block| {
            let end = block.origin.saturating_add(block.size.as_ivec2());
            let Aabb { min, max } = near.intersection(Aabb { min: block.origin, max: end });
            let rows = min.y..max.y;
            let cells = rows.flat_map(move |y| (min.x..max.x).map(move |x| IVec2::new(x, y)));
            cells.filter_map(|cell| {
                let gid = block.gid(cell).filter(|gid| gid & !flip::ALL != 0)?;
                Some((cell, gid))
            })
        })
    }

    /// The gids of the cells without flags. Empty cells, and cells with the tile of the cell before, are left
    /// out: most cells are such.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        let mut last = 0;
        self.blocks.iter().flat_map(|block| &block.cells).filter_map(move |gid| {
            let number = gid & !flip::ALL;
            let is_new = number != last && number != 0;
            last = number;
            is_new.then_some(number)
        })
    }
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
    /// The gids (global tile ids) of the cells with the flags of [`super::flip`], row by row; 0 for a cell
    /// without a tile.
    pub cells: Vec<u32>,
}

impl CellBlock {
    /// Returns the gid (global tile id) of the tile in a cell, with its flags. `cell` is a column and row of
    /// the map.
    ///
    /// Returns 0 for an empty cell, and `None` for a cell outside the block.
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
    /// True if the objects are drawn in the order of the file, false if they are drawn from the smallest y to
    /// the largest.
    pub draws_in_file_order: bool,
    /// True if the objects are the tiles of a picture that LDtk draws. They make no markers.
    pub is_art: bool,
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

/// The class of a tileset made from an IntGrid layer of LDtk. Each tile stands for a value of the layer. The
/// class of the tile is the name of the value, and a bool property has the name of the value's group.
pub(crate) const INT_GRID: &str = "IntGrid";

/// The class of a tileset with LDtk's tags. Each tag of a tile is a bool property of the tile. The class of
/// the tile is the first tag.
pub(crate) const TAGGED: &str = "EnumTags";

/// The prefix of the names of layers that contain LDtk's auto tiles. Such tiles are art, not solids.
#[cfg(feature = "ldtk")]
pub(crate) const AUTO_TILES: &str = "auto tiles of ";

/// The largest number of tiles in a tileset.
pub(crate) const MAX_TILES: u32 = 65_536;

/// A tileset of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tileset {
    /// The gid (global tile id) of the tileset's tile 0. The gid of another tile is this number plus the
    /// tile's id.
    ///
    /// A tileset without tiles may have the same number as another tileset.
    pub first_gid: u32,
    /// The name of the tileset, which may be empty.
    pub name: String,
    /// The class of the tileset, which may be empty.
    pub class: String,
    /// The path of the tileset's own file, joined to the folder of the file that names it. `None` for a
    /// tileset inside the map's file.
    pub file: Option<PathBuf>,
    /// The path of the tileset's own file, as written in the map or template. Empty for a tileset inside the
    /// map's file.
    pub source: String,
    /// The width and height of a tile in pixels. For a tileset whose tiles have their own pictures: the
    /// largest width and the largest height.
    pub tile_size: UVec2,
    /// The number of pixels between adjacent tiles in the picture.
    pub spacing: u32,
    /// The number of pixels between the picture's border and its tiles.
    pub margin: u32,
    /// The number of tiles, if the file states it.
    pub tile_count: Option<u32>,
    /// The number of columns, if the file states it.
    pub columns: Option<u32>,
    /// The displacement of every drawn tile of the tileset, in pixels.
    pub offset: IVec2,
    /// The point of a tile object's box that lies at the object's position.
    pub alignment: Alignment,
    /// True if the tiles in cells are scaled to the size of the map's cells.
    pub fills_cell: bool,
    /// True if scaled tiles keep their ratio of width to height.
    pub keeps_aspect: bool,
    /// The cell size in pixels of the grid in which the tiles' collision shapes are drawn, if this grid is
    /// isometric.
    pub isometric_grid: Option<UVec2>,
    /// The picture of all tiles; `None` if each tile has its own picture.
    pub image: Option<Image>,
    /// The custom properties of the tileset.
    pub properties: Properties,
    /// The tiles that the tileset's file lists, by id. A tile that is not listed has no properties, shapes or
    /// picture of its own.
    ///
    /// The levels of an LDtk project share their tiles, and have only the tiles that they use.
    pub tiles: BTreeMap<u32, Arc<Tile>>,
    /// The line of the tileset in the map's file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Tileset {
    /// Returns the number of tiles that fit in a picture of this size in pixels. Returns 0 if the tiles'
    /// width or height is 0.
    pub fn tiles_in(&self, picture: UVec2) -> u64 {
        let columns = self.tiles_along(picture.x, self.tile_size.x);
        columns.saturating_mul(self.tiles_along(picture.y, self.tile_size.y))
    }

    fn tiles_along(&self, picture: u32, tile: u32) -> u64 {
        let spacing = u64::from(self.spacing);
        let room = (u64::from(picture) + spacing).saturating_sub(self.margin.into());
        if tile == 0 { 0 } else { room / (u64::from(tile) + spacing) }
    }

    /// True if the tileset has no tiles: its file lists none, and it has no picture or states a tile count of
    /// 0.
    pub(super) fn is_empty(&self) -> bool {
        self.tiles.is_empty() && (self.image.is_none() || self.tile_count == Some(0))
    }
}

/// A tile that is listed in the file of its [`Tileset`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tile {
    /// The class of the tile (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The custom properties of the tile.
    pub properties: Properties,
    /// The tile's own picture, if it has one.
    pub image: Option<Image>,
    /// The collision shapes, in pixels from the top-left corner of the tile's picture.
    pub shapes: Vec<Object>,
    /// The frames of the tile's animation; empty for a tile that is not animated.
    pub animation: Vec<Frame>,
    /// The line of the tile in the tileset's file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// A frame of a tile's animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The id of the tile that this frame shows, in the same tileset.
    pub tile: u32,
    /// The duration of the frame in milliseconds.
    pub duration: u32,
}

/// A picture of a map, in a file of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// The path of the picture, joined to the folder of the file that names the picture. Empty for a picture
    /// that is embedded in the map, which Tiled cannot write and bitwall does not read.
    pub path: PathBuf,
    /// The path of the picture as the file writes it; empty for an embedded picture.
    pub source: String,
    /// The width and height in pixels that the file states. A side that the file does not state is 0.
    pub size: UVec2,
    /// The colour (red, green, blue) that counts as transparent, if the file states one.
    pub transparent: Option<[u8; 3]>,
    /// The region of the picture to use, in pixels; `None` for the whole picture.
    pub part: Option<Aabb>,
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

impl Alignment {
    /// The point of the box, from its top-left corner, in halves of its width and height.
    pub(crate) fn halves(self, is_isometric: bool) -> IVec2 {
        let (x, y) = match self {
            Self::TopLeft => (0, 0),
            Self::Top => (1, 0),
            Self::TopRight => (2, 0),
            Self::Left => (0, 1),
            Self::Center => (1, 1),
            Self::Right => (2, 1),
            Self::Unspecified if is_isometric => (1, 2),
            Self::Unspecified | Self::BottomLeft => (0, 2),
            Self::Bottom => (1, 2),
            Self::BottomRight => (2, 2),
        };
        IVec2::new(x, y)
    }
}

/// The largest number of points in all polygons and polylines of a map.
pub(crate) const MAX_POINTS: u64 = 1 << 20;

/// An object of a layer, or a collision shape of a tile. Values that the object does not state are taken from
/// its template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Object {
    /// The id of the object; 0 if the file states none.
    pub id: u32,
    /// The name of the object, which may be empty.
    pub name: String,
    /// The class of the object (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The top-left corner of the object, in pixels of the map. For an object that shows a tile, this is the
    /// point that [`Tileset::alignment`] names.
    pub position: Point,
    /// The width and height of the object in pixels. For an object that shows a tile, the size (0, 0) means
    /// the tile's own size.
    pub size: Point,
    /// The clockwise rotation about the object's position, in degrees.
    pub rotation: Decimal,
    /// The gid (global tile id) of the tile that the object shows, with the flags of [`super::flip`]. Never
    /// 0. `None` if the object shows no tile.
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
    /// A single point: the object's position.
    Point,
    /// The area inside a closed polygon. The corners are relative to the object's position, in pixels.
    Polygon(Vec<Point>),
    /// The open line through these points. They are relative to the object's position, in pixels.
    Polyline(Vec<Point>),
    /// A text in the object's box.
    Text(String),
}

/// The custom properties of an element, by name.
pub type Properties = BTreeMap<String, Property>;

/// A custom property.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// The value of the property. A value that does not fit its type is kept as a text.
    pub value: PropertyValue,
    /// The name of the property's enum or class. Empty if the property has neither.
    pub type_name: String,
    /// The line of the property in the file, from 1; 0 if it was made in code, or if the file implies it.
    pub line: u32,
    /// True if the file does not state the property, because it has the default of the element's class.
    pub is_default: bool,
    /// The names of an enum's values as a text, if the value is their number.
    pub(crate) named: Option<Box<PropertyValue>>,
}

impl Property {
    /// Returns a property with this value, without a type name, as a property made in code.
    pub fn new(value: PropertyValue) -> Self {
        Self { value, type_name: String::new(), line: 0, is_default: false, named: None }
    }

    /// Returns the value that the rules compare: the names of an enum's values if the value is their number.
    pub(crate) fn meaning(&self) -> &PropertyValue {
        self.named.as_deref().unwrap_or(&self.value)
    }
}

/// A map from which a level was built, with its position in the level.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlacedMap {
    /// The map itself.
    pub map: Arc<Map>,
    /// The path of the map's file, as written in the world's file. `None` if the level is not a world.
    pub file: Option<String>,
    /// The pixels of the level that the map covers.
    pub area: Aabb,
    /// The pixel of the level that contains the map's pixel (0, 0).
    pub place: IVec2,
    /// The column and row, in the map, of the top-left cell that is in the level: (0, 0), except for an
    /// infinite map.
    pub first_cell: IVec2,
    /// The number of columns and rows of the map that are in the level.
    pub cells: UVec2,
    /// The area of the screen that the level covers, in pixels. `None` if the level's pixels are not screen
    /// pixels, as for an isometric or oblique map in map space.
    pub on_screen: Option<Aabb>,
    /// The number of tiles that fit in the picture of each tileset, if this is more than the tileset states.
    /// The list may be shorter than the list of tilesets.
    pub(crate) tile_counts: Vec<Option<u32>>,
}
