//! Layers, and the cells of tile layers.

use glam::{IVec2, UVec2};

use super::{Color, Decimal, Image, Object, Point, Properties};

/// The distance from tile (0, 0) at which a chunk of an infinite map may start, in tiles.
pub(crate) const MAX_CHUNK_DISTANCE: u32 = 1 << 20;

/// A layer or a group of layers.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its id in the map; 0 if the file names none.
    pub id: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// Its class, which may be empty.
    pub class: String,
    /// False if it is hidden; a group around it may hide it too.
    pub visible: bool,
    /// True if it is locked in Tiled's editor.
    pub locked: bool,
    /// 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The colour that its pixels are multiplied by.
    pub tint: Option<Color>,
    /// Its displacement, in pixels of the screen.
    pub offset: Point,
    /// The parallax factor of each axis: 1 for a layer that moves with the map.
    pub parallax: Point,
    /// The blend mode of its pixels over those below.
    pub blend: BlendMode,
    /// The custom properties.
    pub properties: Properties,
    /// Its content.
    pub content: LayerContent,
    /// Its line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Layer {
    /// A layer made in code: visible, opaque, in its place.
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
    /// Cells.
    Tiles(TileLayer),
    /// Objects.
    Objects(ObjectLayer),
    /// One picture.
    Image(ImageLayer),
    /// Other layers, from the back to the front.
    Group(Vec<Layer>),
}

/// The kind of a layer's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerKind {
    /// Cells.
    Tiles,
    /// Objects.
    Objects,
    /// One picture.
    Image,
    /// Other layers.
    Group,
}

impl LayerKind {
    /// The name in lower case: `tiles`, `objects`, `image` or `group`.
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
    /// The kind of the content.
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
/// infinite one. They are sorted by the row and then the column of their origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TileLayer {
    /// The blocks.
    pub blocks: Vec<CellBlock>,
}

/// A rectangle of cells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CellBlock {
    /// Column and row of its top-left cell.
    pub origin: IVec2,
    /// Its columns and rows.
    pub size: UVec2,
    /// One number a cell, row by row: 0 for none, else the tile's number with the flags of [`super::flip`].
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
    /// True if objects are drawn in the order of the file; false for the order of their y.
    pub draws_in_file_order: bool,
    /// The colour in which Tiled's editor shows the objects.
    pub color: Option<Color>,
    /// The objects in the order of the file.
    pub objects: Vec<Object>,
}

/// The picture of an image layer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImageLayer {
    /// The picture, if the layer names one.
    pub image: Option<Image>,
    /// True if it is repeated to the left and right without limit.
    pub repeat_x: bool,
    /// True if it is repeated upward and downward without limit.
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
