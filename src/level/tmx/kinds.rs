//! What a tile is, wherever it is placed: solid, one-way, of an area, or nothing of that.
//!
//! It asks the rules about one tile at a time, and reads its collision shapes. It knows no cells.

use std::rc::Rc;

use glam::UVec2;

use super::document::{RawObject, RawTileset};
use super::facts::properties;
use super::outlines;
use crate::error::LoadErrorKind;
use crate::geometry::Sides;
use crate::geometry::decimal::Decimal;
use crate::geometry::decimal::Point;
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::rules::{AreaRule, TileSays};

/// What a tile is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Kind {
    /// Why it is solid, and where.
    pub(super) solid: Option<(String, Form)>,
    /// The sides that it guards, and where.
    pub(super) one_way: Option<(Sides<bool>, Form)>,
    /// The areas that it is of, by their index in the options, and where.
    pub(super) areas: Vec<(usize, Form)>,
    /// True if it does not count even on a solid layer.
    pub(super) is_free: bool,
}

impl Kind {
    /// True if it covers less than its cell somewhere.
    pub(super) fn has_shapes(&self) -> bool {
        let forms = [
            self.solid.as_ref().map(|(_, form)| form),
            self.one_way.as_ref().map(|(_, form)| form),
        ];
        let mut forms = forms
            .into_iter()
            .flatten()
            .chain(self.areas.iter().map(|(_, form)| form));
        forms.any(|form| *form != Form::Cell)
    }
}

/// How much of its cell a tile covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    /// All of it.
    Cell,
    /// These shapes, from the bottom-left corner of its picture.
    Shapes(Rc<Shapes>),
}

/// Shapes in the picture of a tile.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shapes {
    pub(super) outlines: Vec<Outline>,
    /// Width and height of the picture.
    pub(super) size: UVec2,
    /// Width and height of the picture as it is shown in a cell.
    pub(super) size_in_cell: UVec2,
    /// True if it keeps its proportions where it is shown at another size.
    keeps_aspect: bool,
    /// How far the picture is moved.
    offset: Point,
}

impl Shapes {
    /// The shapes as they lie in a box of this size in which the picture is shown, and how far that is moved.
    pub(super) fn shown(&self, size: Point) -> (Vec<Outline>, Point) {
        let sizes = (outlines::size_of(self.size), size);
        outlines::fitted(&self.outlines, self.offset, sizes, self.keeps_aspect)
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

/// The tilesets of a map, and what the caller calls solid.
pub(super) struct Judge<'m> {
    pub(super) map: &'m tiled::Map,
    pub(super) tilesets: &'m [RawTileset],
    pub(super) options: &'m LoadOptions,
}

impl Judge<'_> {
    /// What the tile `id` of the tileset `set` is.
    ///
    /// # Errors
    /// A one-way property that names no side.
    pub(super) fn kind(&self, set: usize, id: u32) -> Result<Kind, LoadErrorKind> {
        let rules = &self.options.solid_rules;
        let Some(raw) = self.tilesets.get(set) else {
            return Ok(Kind::default());
        };
        let tile = self
            .map
            .tilesets()
            .get(set)
            .and_then(|set| set.get_tile(id));
        let (class, properties) = match &tile {
            Some(tile) => (tile.user_type.as_str(), properties(&tile.properties)),
            None => ("", Default::default()),
        };
        let by_number = rules.tile_id(&raw.name, raw.tile_count, id);
        let says_one_way = rules.one_way(class, &properties);
        let one_way = says_one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: format!("of tile {id} in tileset `{}`, {reason}", raw.name),
        })?;
        let says_area = |area: &AreaRule| {
            area.tile_id(&raw.name, id) || area.tile(class, &properties).is_some()
        };
        let mut areas: Vec<usize> = self.areas(says_area);
        let shapes = raw.shapes.get(&id).map_or(&[][..], Vec::as_slice);
        let collision = tile.as_ref().and_then(|tile| tile.collision.as_ref());
        let SplitShapes { own, of_areas } = self.split(shapes, collision, raw, id);
        let has_shapes = !own.is_empty();
        let form = match has_shapes {
            true => self.form(own, raw, id),
            false => Form::Cell,
        };
        let mut kind = Kind {
            is_free: by_number == TileSays::Free,
            ..Kind::default()
        };
        if kind.is_free {
            areas.clear();
        }
        let because = match by_number {
            TileSays::Free => None,
            TileSays::Solid(because) => Some((because, Form::Cell)),
            TileSays::Nothing => match rules.tile(class, &properties) {
                Some(because) => Some((because, Form::Cell)),
                // Shapes say where a tile is what it is; if it is nothing else, it is solid there.
                None if has_shapes && areas.is_empty() => {
                    Some(("its collision shapes".to_owned(), form.clone()))
                }
                None => None,
            },
        };
        kind.areas = areas.into_iter().map(|area| (area, form.clone())).collect();
        for (area, shapes) in of_areas {
            kind.areas.push((area, self.form(shapes, raw, id)));
        }
        match one_way {
            Some(sides) if !kind.is_free => kind.one_way = Some((sides, form)),
            _ => kind.solid = because,
        }
        Ok(kind)
    }

    /// True if a rule may name tiles of a tileset by their numbers.
    pub(super) fn asks_all(&self, set: usize) -> bool {
        let rules = &self.options.solid_rules;
        let has_two = self
            .tilesets
            .get(set)
            .is_some_and(|set| set.tile_count == Some(2));
        (rules.two_tile_tilesets && has_two)
            || !rules.solid_tiles.is_empty()
            || !rules.passable_tiles.is_empty()
            || self.options.areas.iter().any(|area| !area.tiles.is_empty())
    }

    /// The indices of the areas of which `says` is true.
    pub(super) fn areas(&self, says: impl Fn(&AreaRule) -> bool) -> Vec<usize> {
        let areas = self.options.areas.iter().enumerate();
        areas
            .filter(|(_, area)| says(area))
            .map(|(index, _)| index)
            .collect()
    }

    /// A tile's shapes: those that are for the tile to say, and those that are of an area by themselves.
    fn split(
        &self,
        shapes: &[RawObject],
        collision: Option<&tiled::ObjectLayerData>,
        tileset: &RawTileset,
        id: u32,
    ) -> SplitShapes {
        let mut split = SplitShapes::default();
        let size = picture_size(tileset, id);
        let data = collision.map_or(&[][..], |collision| collision.object_data());
        for (index, shape) in shapes.iter().enumerate() {
            let drawn = outlines::of_tile(tileset, shape, size);
            let areas = data.get(index).map_or_else(Vec::new, |data| {
                let properties = properties(&data.properties);
                self.areas(|area| area.object(&data.user_type, &properties).is_some())
            });
            if areas.is_empty() {
                split.own.extend(drawn);
            } else {
                split
                    .of_areas
                    .extend(areas.into_iter().map(|area| (area, drawn.clone())));
            }
        }
        split
    }

    /// Shapes as they lie in the picture that a cell shows.
    fn form(&self, shapes: Vec<Outline>, tileset: &RawTileset, id: u32) -> Form {
        let size = picture_size(tileset, id);
        let cell = UVec2::new(self.map.tile_width, self.map.tile_height);
        let fills_cell = tileset.fills_cell && size.min_element() > 0;
        let shapes = Shapes {
            outlines: shapes,
            size,
            size_in_cell: if fills_cell { cell } else { size },
            keeps_aspect: tileset.keeps_aspect,
            offset: Point {
                x: Decimal::from_pixels(tileset.picture_offset.x),
                y: Decimal::from_pixels(tileset.picture_offset.y),
            },
        };
        let is_whole = shapes.outlines.iter().any(|outline| is_box(outline, size))
            && shapes.offset == Point::default()
            && shapes.size_in_cell == cell
            && (size == cell || !shapes.keeps_aspect);
        if is_whole && self.map.orientation == tiled::Orientation::Orthogonal {
            return Form::Cell;
        }
        Form::Shapes(Rc::new(shapes))
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
pub(super) fn picture_size(tileset: &RawTileset, id: u32) -> UVec2 {
    let own = tileset
        .tile_sizes
        .get(&id)
        .filter(|size| size.min_element() > 0);
    own.copied().unwrap_or(tileset.tile_size)
}
