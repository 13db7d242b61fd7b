//! The meaning of a tile, wherever it is placed: solid, one-way, of an area, or none of these.
//!
//! It asks the rules about one tile at a time, and reads its collision shapes. It knows no cells.

use std::rc::Rc;

use glam::UVec2;

use super::layer_role::areas_with;
use super::outlines;
use crate::error::LoadErrorKind;
use crate::geometry::Sides;
use crate::geometry::decimal::{Decimal, Point};
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::rules::{AreaRule, TileIds, TileSays};
use crate::tmx::{Map, Object, Orientation, Properties, Tileset};

/// The meaning of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TileMeaning {
    /// Why it is solid, and where.
    pub(super) solid: Option<(String, Extent)>,
    /// The sides that it guards, and where.
    pub(super) one_way: Option<(Sides<bool>, Extent)>,
    /// The areas that it is of, by their index in the options, and where.
    pub(super) areas: Vec<(usize, Extent)>,
    /// True if it does not count even on a solid layer.
    pub(super) is_free: bool,
    /// Where it is whatever its layer or its object says of it.
    pub(super) extent: Extent,
}

impl TileMeaning {
    /// Where the tile is solid if it, its layer or its object says so.
    pub(super) fn solid_extent(&self) -> &Extent {
        self.solid.as_ref().map_or(&self.extent, |(_, extent)| extent)
    }

    /// True if it has shapes, in which it differs from almost any other.
    pub(super) fn has_shapes(&self) -> bool {
        let solid = self.solid.iter().map(|(_, extent)| extent);
        let one_way = self.one_way.iter().map(|(_, extent)| extent);
        let areas = self.areas.iter().map(|(_, extent)| extent);
        let mut all = solid.chain(one_way).chain(areas).chain([&self.extent]);
        all.any(|extent| matches!(extent, Extent::Shapes(_)))
    }
}

/// How much of its cell a tile covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Extent {
    /// All of it, displaced in the picture as the tile is drawn displaced.
    Cell(Point),
    /// These shapes.
    Shapes(Rc<TileShapes>),
}

impl Default for Extent {
    fn default() -> Self {
        Self::Cell(Point::default())
    }
}

/// Shapes in the picture of a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileShapes {
    /// From the bottom-left corner of the picture.
    outlines: Vec<Outline>,
    /// Width and height of the picture.
    size: UVec2,
    /// Width and height of the picture as it is shown in a cell.
    pub(super) size_in_cell: UVec2,
    /// True if it keeps its proportions where it is shown at another size.
    keeps_aspect: bool,
    /// How far the picture is displaced.
    offset: Point,
    /// True if one of them is all of the cell, as long as rows and columns are not exchanged.
    pub(super) fill_cell: bool,
}

impl TileShapes {
    /// The shapes as they lie in a box of this size in which the picture is shown, and how far that is
    /// displaced.
    pub(super) fn shown(&self, size: Point) -> (Vec<Outline>, Point) {
        let sizes = (outlines::size_of(self.size), size);
        outlines::fitted(&self.outlines, self.offset, sizes, self.keeps_aspect)
    }

    /// How far the picture is displaced that is shown in a box of this size.
    pub(super) fn offset_in(&self, size: Point) -> Point {
        let sizes = (outlines::size_of(self.size), size);
        outlines::fitted(&[], self.offset, sizes, self.keeps_aspect).1
    }

    /// The number of points that its outlines are made of.
    pub(super) fn points(&self) -> usize {
        self.outlines.iter().map(Outline::points).sum()
    }

    /// True if cells show the picture at its own size.
    pub(super) fn has_own_size_in_cell(&self) -> bool {
        self.size_in_cell == self.size
    }
}

/// The collision shapes of a tile.
#[derive(Default)]
struct SplitShapes {
    /// Those that are for the tile to say.
    own: Vec<Outline>,
    /// Those that are of an area by themselves, with the area's index.
    of_areas: Vec<(usize, Vec<Outline>)>,
}

/// The tilesets of a map, and the rules that say what their tiles mean.
pub(super) struct TileRules<'m> {
    pub(super) map: &'m Map,
    pub(super) options: &'m LoadOptions,
}

impl TileRules<'_> {
    /// The meaning of the tiles of a tileset that the file says nothing of.
    pub(super) fn unnamed(&self, tileset: &Tileset) -> TileMeaning {
        TileMeaning {
            extent: self.extent(Vec::new(), tileset, tileset.tile_size),
            ..TileMeaning::default()
        }
    }

    /// The meaning of the tile `id` of a tileset.
    ///
    /// # Errors
    /// A one-way property that names no side.
    pub(super) fn meaning(&self, tileset: &Tileset, id: u32) -> Result<TileMeaning, LoadErrorKind> {
        let rules = &self.options.solid_rules;
        let none = Properties::new();
        let tile = tileset.tiles.get(&id);
        let class = tile.map_or("", |tile| tile.class.as_str());
        let properties = tile.map_or(&none, |tile| &tile.properties);
        let shapes = tile.map_or(&[][..], |tile| tile.shapes.as_slice());
        let one_way = rules.one_way(class, properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: format!("of tile {id} in tileset `{}`, {reason}", tileset.name),
        })?;
        let is_of = |area: &AreaRule| {
            area.tile_id(&tileset.name, id) || area.tile(class, properties).is_some()
        };
        let mut areas = areas_with(self.options, &[], is_of);
        let by_number = rules.tile_id(&tileset.name, tile_count(tileset), id);
        let is_free = by_number == TileSays::Free;
        if is_free {
            areas.clear();
        }
        let size = picture_size(tileset, id);
        let SplitShapes { own, of_areas } = self.split(shapes, tileset, size);
        let has_shapes = !own.is_empty();
        let extent = self.extent(own, tileset, size);
        let solid = match by_number {
            TileSays::Free => None,
            // A number stands for the whole tile, whatever shapes it has.
            TileSays::Solid(because) => Some((because, self.extent(Vec::new(), tileset, size))),
            TileSays::Nothing => match rules.tile(class, properties) {
                Some(because) => Some((because, extent.clone())),
                // Shapes say where a tile is what it is; if it is nothing else, it is solid there.
                None if has_shapes && areas.is_empty() => {
                    Some(("its collision shapes".to_owned(), extent.clone()))
                }
                None => None,
            },
        };
        let mut areas: Vec<(usize, Extent)> =
            areas.into_iter().map(|area| (area, extent.clone())).collect();
        for (area, shapes) in of_areas {
            areas.push((area, self.extent(shapes, tileset, size)));
        }
        let one_way = one_way.filter(|_| !is_free);
        Ok(TileMeaning {
            solid: solid.filter(|_| one_way.is_none()),
            one_way: one_way.map(|sides| (sides, extent.clone())),
            areas,
            is_free,
            extent,
        })
    }

    /// True if a rule may name tiles of a tileset by their numbers.
    pub(super) fn asks_all(&self, tileset: &Tileset) -> bool {
        let rules = &self.options.solid_rules;
        let is_named = |tiles: &[TileIds]| tiles.iter().any(|tiles| tiles.is_of(&tileset.name));
        (rules.two_tile_tilesets && tile_count(tileset) == Some(2))
            || is_named(&rules.solid_tiles)
            || is_named(&rules.passable_tiles)
            || self.options.areas.iter().any(|area| is_named(&area.tiles))
    }

    /// Tells a tile's shapes that are for the tile to say from those that are of an area by themselves.
    fn split(&self, shapes: &[Object], tileset: &Tileset, size: UVec2) -> SplitShapes {
        let mut split = SplitShapes::default();
        for shape in shapes {
            let drawn = outlines::of_tile(tileset, shape, size);
            let areas = areas_with(self.options, &[], |area| {
                area.object(&shape.class, &shape.properties).is_some()
            });
            if areas.is_empty() {
                split.own.extend(drawn);
            } else {
                let of_areas = areas.into_iter().map(|area| (area, drawn.clone()));
                split.of_areas.extend(of_areas);
            }
        }
        split
    }

    /// Shapes as they lie in the picture that a cell shows; without shapes, all of the cell.
    fn extent(&self, shapes: Vec<Outline>, tileset: &Tileset, size: UVec2) -> Extent {
        let cell = self.map.tile_size;
        let shows_in_cell = tileset.fills_cell && size.min_element() > 0;
        let mut shapes = TileShapes {
            outlines: shapes,
            size,
            size_in_cell: if shows_in_cell { cell } else { size },
            keeps_aspect: tileset.keeps_aspect,
            offset: Point {
                x: Decimal::from_pixels(tileset.offset.x),
                y: Decimal::from_pixels(tileset.offset.y),
            },
            fill_cell: false,
        };
        if shapes.outlines.is_empty() {
            let (_, offset) = shapes.shown(outlines::size_of(shapes.size_in_cell));
            return Extent::Cell(offset);
        }
        shapes.fill_cell = self.map.orientation == Orientation::Orthogonal
            && shapes.outlines.iter().any(|outline| is_box(outline, size))
            && shapes.offset == Point::default()
            && shapes.size_in_cell == cell
            && (size == cell || !shapes.keeps_aspect);
        match shapes.fill_cell && cell.x == cell.y {
            true => Extent::default(),
            false => Extent::Shapes(Rc::new(shapes)),
        }
    }
}

/// True if an outline is a rectangle that covers a picture of this size and no pixel beyond it. Which corner
/// comes first, and parts of a pixel, do not matter.
fn is_box(outline: &Outline, size: UVec2) -> bool {
    let Outline::Polygon(points) = outline else {
        return false;
    };
    let [a, b, c, d] = points[..] else {
        return false;
    };
    let is_upright = (a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y)
        || (a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x);
    let (min, max) = (
        (a.x.min(c.x).pixel(), a.y.min(c.y).pixel()),
        (a.x.max(c.x).pixel(), a.y.max(c.y).pixel()),
    );
    let (width, height) = (i64::from(size.x), i64::from(size.y));
    is_upright && min == (0, -height) && max == (width, 0)
}

/// The size of a tile's picture: its own, or that of the tileset's tiles.
pub(super) fn picture_size(tileset: &Tileset, id: u32) -> UVec2 {
    let own = tileset.tiles.get(&id).and_then(|tile| tile.image.as_ref());
    let own = own.map(|image| match image.part {
        Some(part) if !part.is_empty() => UVec2::new(part.width(), part.height()),
        _ => image.size,
    });
    let own = own.filter(|size| size.min_element() > 0);
    own.unwrap_or(tileset.tile_size)
}

/// The number of tiles that a tileset states, or that fit into the picture that it states; `None` if it
/// states neither.
pub(super) fn tile_count(tileset: &Tileset) -> Option<u32> {
    let image = tileset.image.as_ref().map(|image| image.size);
    tileset.tile_count.or_else(|| tiles_of_picture(tileset, image?))
}

/// The number of a tileset's tiles that fit into a picture of this size; `None` if one of its sides is 0.
pub(super) fn tiles_of_picture(tileset: &Tileset, picture: UVec2) -> Option<u32> {
    let fit = |picture: u32, tile: u32| {
        let (picture, spacing) = (u64::from(picture), u64::from(tileset.spacing));
        let room = (picture + spacing).saturating_sub(tileset.margin.into());
        room.checked_div(u64::from(tile) + spacing)
    };
    if picture.min_element() == 0 {
        return None;
    }
    let (tile, rows) = (tileset.tile_size, fit(picture.y, tileset.tile_size.y)?);
    u32::try_from(fit(picture.x, tile.x)?.saturating_mul(rows)).ok()
}
