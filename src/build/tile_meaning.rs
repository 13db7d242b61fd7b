//! The meaning of a tile, wherever it is placed: solid, one-way, of an area, or none of these.
//!
//! It asks the rules about one tile at a time, and reads its collision shapes. It knows no cells.

use std::rc::Rc;

use glam::UVec2;

use super::outlines::{self, Picture};
use super::pieces::Claim;
use super::roles::{Role, TileMarks, areas_with};
use crate::error::LoadErrorKind;
use crate::geometry::Sides;
use crate::geometry::decimal::Point;
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::rules::{AreaRule, Says, TileIds};
use crate::tmx::{Map, Orientation, Tile, Tileset};

/// The meaning of a tile.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TileMeaning {
    /// Why it is solid, and where.
    pub(super) solid: Option<(String, Extent)>,
    /// True if it is solid by its number, which counts wherever it is placed.
    is_solid_everywhere: bool,
    /// The sides that it guards.
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that it is of, by their index in the options, and where.
    areas: Vec<(usize, Extent)>,
    /// True if it does not count even on a solid layer.
    is_free: bool,
    /// True if it is not solid even on a solid layer, though it may be of an area.
    is_trigger: bool,
    /// True if it has collision shapes that are solid.
    has_own_shapes: bool,
    /// The part of its cell that is solid, one-way or of an area if its layer or its object says so.
    extent: Extent,
}

impl TileMeaning {
    /// The planes that a cell's tile is part of on a layer of this role, and where in it. A solid or one-way
    /// one comes before the areas.
    pub(super) fn claims<'t>(
        &'t self,
        role: &'t Role,
    ) -> impl Iterator<Item = (Claim, &'t Extent)> {
        let own = self.one_way.filter(|_| role.marks == TileMarks::All);
        self.claims_of(own.or(role.one_way), role)
    }

    /// As [`TileMeaning::claims`] for a tile that is placed as an object of this role. Its own marks do not
    /// count: games draw with such tiles.
    pub(super) fn object_claims<'t>(
        &'t self,
        role: &'t Role,
    ) -> impl Iterator<Item = (Claim, &'t Extent)> {
        self.claims_of(role.one_way, role)
    }

    fn claims_of<'t>(
        &'t self,
        one_way: Option<Sides<bool>>,
        role: &'t Role,
    ) -> impl Iterator<Item = (Claim, &'t Extent)> {
        let can_be_solid = !self.is_trigger;
        let is_solid = self.is_solid_by(role) || (self.is_marked(role) && !role.is_passable);
        let solid = match one_way.filter(|_| !role.is_passable) {
            Some(sides) => Some((Claim::OneWay(sides), &self.extent)),
            None => is_solid.then(|| (Claim::Solid, self.solid_extent())),
        };
        let of_role = role.areas.iter().map(|area| (Claim::Area(*area), &self.extent));
        let own = self.areas.iter().map(|(area, extent)| (Claim::Area(*area), extent));
        let solid = solid.filter(|_| can_be_solid);
        solid.into_iter().chain(of_role).chain(own).filter(|_| !self.is_free)
    }

    /// True if a layer or an object of this role makes it solid.
    fn is_solid_by(&self, role: &Role) -> bool {
        role.solid.is_some() && (self.has_own_shapes || !role.is_by_shapes)
    }

    /// True if it is solid by a mark of its own that counts in this role.
    fn is_marked(&self, role: &Role) -> bool {
        let counts = match role.marks {
            TileMarks::All => true,
            TileMarks::Shapes => self.has_own_shapes,
            TileMarks::None => false,
        };
        self.solid.is_some() && (counts || self.is_solid_everywhere)
    }

    /// Why it is solid on a layer or as an object of this role; `None` if it is not.
    pub(super) fn reason<'t>(&'t self, role: &'t Role) -> Option<&'t String> {
        let of_role = role.solid.as_ref().filter(|_| self.is_solid_by(role));
        of_role.or_else(|| self.solid.as_ref().map(|(because, _)| because))
    }

    /// Where the tile is solid if it, its layer or its object says so.
    fn solid_extent(&self) -> &Extent {
        self.solid.as_ref().map_or(&self.extent, |(_, extent)| extent)
    }

    /// Each extent that one of its claims may have.
    pub(super) fn extents(&self) -> impl Iterator<Item = &Extent> {
        let areas = self.areas.iter().map(|(_, extent)| extent);
        [&self.extent, self.solid_extent()].into_iter().chain(areas)
    }

    /// True if it has shapes, in which it differs from almost any other.
    pub(super) fn has_shapes(&self) -> bool {
        self.extents().any(|extent| matches!(extent, Extent::Shapes(_)))
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
    pub(super) picture: Picture,
    /// True if one of them is all of the cell, as long as rows and columns are not exchanged.
    pub(super) fill_cell: bool,
}

impl TileShapes {
    /// The shapes as they lie in a box of this size in which the picture is shown, and how far that is
    /// displaced.
    pub(super) fn shown(&self, size: Point) -> (Vec<Outline>, Point) {
        self.picture.fitted(&self.outlines, size)
    }

    /// The number of points that its outlines are made of.
    pub(super) fn points(&self) -> usize {
        self.outlines.iter().map(Outline::points).sum()
    }
}

/// The tilesets of a map, and the rules that say what their tiles mean.
pub(super) struct TileRules<'m> {
    pub(super) map: &'m Map,
    pub(super) options: &'m LoadOptions,
}

impl TileRules<'_> {
    /// The meaning of the tiles of a tileset that the file says nothing of.
    pub(super) fn unnamed(&self, tileset: &Tileset) -> TileMeaning {
        let picture = Picture::of(tileset, None, self.map.tile_size);
        TileMeaning { extent: self.extent(Vec::new(), picture), ..TileMeaning::default() }
    }

    /// The meaning of the tile `id` of a tileset.
    ///
    /// # Errors
    /// A one-way property that names no side.
    pub(super) fn meaning(&self, tileset: &Tileset, id: u32) -> Result<TileMeaning, LoadErrorKind> {
        let rules = &self.options.solid_rules;
        let (known, none) = (tileset.tiles.get(&id), Tile::default());
        let tile = known.unwrap_or(&none);
        let (class, properties) = (tile.class.as_str(), &tile.properties);
        let one_way = rules.one_way(class, properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: format!("of tile {id} in tileset `{}`, {reason}", tileset.name),
        })?;
        let is_of = |area: &AreaRule| {
            area.tile_id(&tileset.name, id) || area.thing(class, properties).is_some()
        };
        let by_number = rules.tile_id(&tileset.name, tile_count(tileset), id);
        let is_free = by_number == Says::Passable;
        let areas = if is_free { Vec::new() } else { areas_with(self.options, &[], is_of) };
        let picture = Picture::of(tileset, known, self.map.tile_size);
        // A shape that a rule puts into an area is no shape of the tile's own; neither is a trigger.
        let (mut own, mut of_areas) = (Vec::new(), Vec::new());
        for shape in &tile.shapes {
            let drawn = outlines::of_tile(tileset, shape, picture.size);
            let areas = areas_with(self.options, &[], |area| {
                area.thing(&shape.class, &shape.properties).is_some()
            });
            if !areas.is_empty() {
                of_areas.extend(areas.into_iter().map(|area| (area, drawn.clone())));
            } else if !rules.is_trigger(&shape.properties) {
                own.extend(drawn);
            }
        }
        let has_shapes = !own.is_empty();
        let extent = self.extent(own, picture);
        let is_solid_everywhere = matches!(by_number, Says::Solid(_));
        // A number comes before the other marks of a tile.
        let one_way = one_way.filter(|_| !is_solid_everywhere);
        let solid = match by_number {
            Says::Passable => None,
            // A number stands for the whole tile, whatever shapes it has.
            Says::Solid(because) => Some((because, self.extent(Vec::new(), picture))),
            Says::Nothing => {
                // Shapes say where a tile is solid or of an area; without any word of it they are solid.
                let is_shape = has_shapes && areas.is_empty();
                let by_shapes = || is_shape.then(|| "its collision shapes".to_owned());
                let because = rules.tile(class, properties).or_else(by_shapes);
                because.map(|because| (because, extent.clone()))
            }
        };
        let are_triggers = tile.shapes.iter().all(|shape| rules.is_trigger(&shape.properties));
        let is_trigger = !is_solid_everywhere
            && (rules.is_trigger(properties) || (!tile.shapes.is_empty() && are_triggers));
        let areas = areas.into_iter().map(|area| (area, extent.clone()));
        let of_areas = of_areas.into_iter();
        let of_areas =
            of_areas.map(|(area, shape)| (area, self.extent(Vec::from_iter(shape), picture)));
        Ok(TileMeaning {
            solid: solid.filter(|_| one_way.is_none() && !is_trigger),
            is_solid_everywhere,
            one_way: one_way.filter(|_| !is_free),
            is_trigger,
            has_own_shapes: has_shapes,
            areas: areas.chain(of_areas).collect(),
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

    /// Shapes as they lie in the picture that a cell shows; without shapes, all of the cell.
    fn extent(&self, outlines: Vec<Outline>, picture: Picture) -> Extent {
        if outlines.is_empty() {
            return Extent::Cell(picture.offset_in_cell());
        }
        let cell = self.map.tile_size;
        let fill_cell = self.map.orientation == Orientation::Orthogonal
            && outlines.iter().any(|outline| is_box(outline, picture.size))
            && picture.offset == Point::default()
            && picture.size_in_cell == cell
            && (picture.size == cell || !picture.keeps_aspect);
        match fill_cell && cell.x == cell.y {
            true => Extent::default(),
            false => Extent::Shapes(Rc::new(TileShapes { outlines, picture, fill_cell })),
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

/// The number of tiles that a tileset states, or that fit into the picture that it states; `None` if it
/// states neither.
pub(super) fn tile_count(tileset: &Tileset) -> Option<u32> {
    let image = tileset.image.as_ref().map(|image| image.size);
    tileset.tile_count.or_else(|| tiles_of_picture(tileset, image?))
}

/// The number of a tileset's tiles that fit into a picture of this size; `None` if a side of it or of the
/// tiles is 0.
pub(super) fn tiles_of_picture(tileset: &Tileset, picture: UVec2) -> Option<u32> {
    let has_sides = picture.min_element() > 0 && tileset.tile_size.min_element() > 0;
    let count = has_sides.then(|| tileset.tiles_in(picture))?;
    u32::try_from(count).ok()
}
