//! The part of the TMX format that is read: which elements and attributes there are, and of what kind.
//!
//! Data only. Whatever is not named here never reaches crate `tiled`, and is checked for nothing but being
//! well-formed.

use super::reader::Role;

/// An element: its attributes, and what it may hold.
pub(super) struct Element {
    pub(super) name: &'static str,
    pub(super) role: Role,
    pub(super) attributes: &'static [(&'static str, Kind)],
    pub(super) children: &'static [&'static Element],
    /// True if an element can have only one of these: crate `tiled` would forget all but the last.
    pub(super) is_single: bool,
}

/// What an attribute's value must be.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    /// Text of at most [`super::super::Limits::text_bytes`].
    Text,
    /// Text of at most [`super::super::Limits::name_bytes`].
    Name,
    /// A whole number from 0 to 2^32 - 1.
    Count,
    /// A whole number from -2^31 to 2^31 - 1.
    Int,
    /// A decimal number within [`super::super::Limits::coordinate`].
    Decimal,
    /// As `Decimal`, not below 0.
    Size,
    /// `0`, `1`, `false` or `true`.
    Flag,
    /// `#rrggbb` or `#aarrggbb`; anything else counts as not set, for it only changes the drawing.
    Color,
    /// As `Color`, with or without the `#`.
    BareColor,
    /// One of these words; anything else counts as not set, for it only changes the drawing.
    Word(&'static [&'static str]),
    /// `x,y` pairs of decimals, separated by white space.
    Points,
}

use Kind::{BareColor, Color, Count, Decimal, Flag, Int, Name, Points, Size, Text, Word};

const fn leaf(
    name: &'static str,
    role: Role,
    attributes: &'static [(&'static str, Kind)],
) -> Element {
    Element {
        name,
        role,
        attributes,
        children: &[],
        is_single: false,
    }
}

pub(super) static MAP: Element = Element {
    name: "map",
    role: Role::Map,
    attributes: &[
        ("orientation", Text),
        ("width", Count),
        ("height", Count),
        ("tilewidth", Count),
        ("tileheight", Count),
        ("infinite", Flag),
        ("hexsidelength", Int),
        ("staggeraxis", Word(&["x", "y"])),
        ("staggerindex", Word(&["odd", "even"])),
        ("skewx", Int),
        ("skewy", Int),
        (
            "renderorder",
            Word(&["right-down", "right-up", "left-down", "left-up"]),
        ),
        ("backgroundcolor", Color),
        ("type", Name),
        ("class", Name),
    ],
    children: &[
        &PROPERTIES,
        &TILESET,
        &LAYER,
        &OBJECT_GROUP,
        &IMAGE_LAYER,
        &GROUP,
    ],
    is_single: false,
};

pub(super) static TILESET: Element = Element {
    name: "tileset",
    role: Role::Tileset,
    attributes: &[
        ("firstgid", Count),
        ("source", Text),
        ("name", Name),
        ("type", Name),
        ("class", Name),
        ("tilewidth", Count),
        ("tileheight", Count),
        ("spacing", Count),
        ("margin", Count),
        ("tilecount", Count),
        ("columns", Count),
        ("objectalignment", Word(ALIGNMENTS)),
        ("tilerendersize", Word(&["tile", "grid"])),
        ("fillmode", Word(&["stretch", "preserve-aspect-fit"])),
    ],
    children: &[&PROPERTIES, &IMAGE, &TILE_OFFSET, &GRID, &TILE],
    is_single: false,
};

pub(super) static TEMPLATE: Element = Element {
    name: "template",
    role: Role::Template,
    attributes: &[],
    children: &[&TILESET, &TEMPLATE_OBJECT],
    is_single: false,
};

static TEMPLATE_OBJECT: Element = Element {
    is_single: true,
    ..OBJECT
};

const ALIGNMENTS: &[&str] = &[
    "unspecified",
    "topleft",
    "top",
    "topright",
    "left",
    "center",
    "right",
    "bottomleft",
    "bottom",
    "bottomright",
];

static TILE_OFFSET: Element = Element {
    is_single: true,
    ..leaf("tileoffset", Role::Plain, &[("x", Int), ("y", Int)])
};

static GRID: Element = Element {
    is_single: true,
    ..leaf(
        "grid",
        Role::Grid,
        &[
            ("orientation", Word(&["orthogonal", "isometric"])),
            ("width", Count),
            ("height", Count),
        ],
    )
};

static IMAGE_DATA: Element = Element {
    is_single: true,
    ..leaf("data", Role::ImageData, &[("encoding", Text)])
};

static IMAGE: Element = Element {
    is_single: true,
    children: &[&IMAGE_DATA],
    ..leaf(
        "image",
        Role::Image,
        &[
            ("source", Text),
            ("width", Count),
            ("height", Count),
            ("trans", BareColor),
        ],
    )
};

static TILE: Element = Element {
    name: "tile",
    role: Role::Tile,
    attributes: &[
        ("id", Count),
        ("type", Name),
        ("class", Name),
        ("x", Int),
        ("y", Int),
        ("width", Int),
        ("height", Int),
    ],
    children: &[&PROPERTIES, &IMAGE, &TILE_SHAPES, &ANIMATION],
    is_single: false,
};

static TILE_SHAPES: Element = Element {
    name: "objectgroup",
    role: Role::TileShapes,
    attributes: &[],
    children: &[&TILE_SHAPE],
    is_single: true,
};

static TILE_SHAPE: Element = Element {
    name: "object",
    role: Role::TileShape,
    attributes: OBJECT.attributes,
    children: OBJECT.children,
    is_single: false,
};

static ANIMATION: Element = Element {
    name: "animation",
    role: Role::Plain,
    attributes: &[],
    children: &[&FRAME],
    is_single: true,
};

static FRAME: Element = leaf(
    "frame",
    Role::Plain,
    &[("tileid", Count), ("duration", Count)],
);

const BLEND_MODES: &[&str] = &[
    "normal",
    "add",
    "multiply",
    "screen",
    "overlay",
    "darken",
    "lighten",
    "color-dodge",
    "color-burn",
    "hard-light",
    "soft-light",
    "difference",
    "exclusion",
];

/// The attributes that layers of every kind share, and `more`.
macro_rules! layer_attributes {
    ($($more:expr),* $(,)?) => {
        &[
            ("id", Count),
            ("name", Name),
            ("type", Name),
            ("class", Name),
            ("opacity", Decimal),
            ("visible", Flag),
            ("tintcolor", Color),
            ("offsetx", Decimal),
            ("offsety", Decimal),
            ("mode", Word(BLEND_MODES)),
            $($more),*
        ]
    };
}

static LAYER: Element = Element {
    name: "layer",
    role: Role::Layer,
    attributes: layer_attributes![("width", Count), ("height", Count)],
    children: &[&PROPERTIES, &DATA],
    is_single: false,
};

static DATA: Element = Element {
    name: "data",
    role: Role::Data,
    attributes: &[("encoding", Text), ("compression", Text)],
    children: &[&CELL, &CHUNK],
    is_single: true,
};

static CELL: Element = leaf("tile", Role::Cell, &[("gid", Count)]);

static CHUNK: Element = Element {
    children: &[&CELL],
    ..leaf(
        "chunk",
        Role::Chunk,
        &[("x", Int), ("y", Int), ("width", Count), ("height", Count)],
    )
};

static OBJECT_GROUP: Element = Element {
    name: "objectgroup",
    role: Role::ObjectGroup,
    attributes: layer_attributes![("draworder", Word(&["topdown", "index"]))],
    children: &[&PROPERTIES, &OBJECT],
    is_single: false,
};

static OBJECT: Element = Element {
    name: "object",
    role: Role::Object,
    attributes: &[
        ("id", Count),
        ("gid", Count),
        ("name", Name),
        ("type", Name),
        ("class", Name),
        ("x", Decimal),
        ("y", Decimal),
        ("width", Size),
        ("height", Size),
        ("rotation", Decimal),
        ("opacity", Decimal),
        ("visible", Flag),
        ("template", Text),
    ],
    children: &[
        &PROPERTIES,
        &ELLIPSE,
        &POINT,
        &CAPSULE,
        &POLYGON,
        &POLYLINE,
        &TEXT,
    ],
    is_single: false,
};

static ELLIPSE: Element = leaf("ellipse", Role::Shape(Shape::Ellipse), &[]);
static POINT: Element = leaf("point", Role::Shape(Shape::Point), &[]);
static CAPSULE: Element = leaf("capsule", Role::Shape(Shape::Capsule), &[]);
static POLYGON: Element = leaf(
    "polygon",
    Role::Shape(Shape::Polygon),
    &[("points", Points)],
);
static POLYLINE: Element = leaf(
    "polyline",
    Role::Shape(Shape::Polyline),
    &[("points", Points)],
);
static TEXT: Element = leaf("text", Role::Shape(Shape::Text), &[]);

/// The shape of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Rectangle,
    Ellipse,
    Point,
    Capsule,
    Polygon,
    Polyline,
    Text,
}

static IMAGE_LAYER: Element = Element {
    name: "imagelayer",
    role: Role::ImageLayer,
    attributes: layer_attributes![
        ("x", Decimal),
        ("y", Decimal),
        ("repeatx", Flag),
        ("repeaty", Flag),
    ],
    children: &[&PROPERTIES, &IMAGE],
    is_single: false,
};

static GROUP: Element = Element {
    name: "group",
    role: Role::Group,
    attributes: layer_attributes![],
    children: &[&PROPERTIES, &LAYER, &OBJECT_GROUP, &IMAGE_LAYER, &GROUP],
    is_single: false,
};

static PROPERTIES: Element = Element {
    name: "properties",
    role: Role::Properties,
    attributes: &[],
    children: &[&PROPERTY],
    is_single: true,
};

static PROPERTY: Element = Element {
    name: "property",
    role: Role::Property,
    attributes: &[
        ("name", Name),
        ("type", Name),
        ("value", Text),
        ("propertytype", Name),
    ],
    children: &[&PROPERTIES, &ITEM],
    is_single: false,
};

static ITEM: Element = Element {
    name: "item",
    role: Role::Property,
    attributes: &[("type", Name), ("value", Text), ("propertytype", Name)],
    children: &[&PROPERTIES, &ITEM],
    is_single: false,
};
