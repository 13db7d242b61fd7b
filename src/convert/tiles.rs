//! Applies the rules to a map. Each layer and object gets a role in the level: solid, one-way, in an area, or
//! none. A table has the effect of the rules on each tile, by the tile's number. Cells are not read here.

use std::path::Path;
use std::rc::Rc;

use glam::UVec2;

use super::facts::{MapFacts, is_any_object, is_named_for_collision};
use super::pieces::{Claim, TileImage};
use super::{BuildError, pieces};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Sides;
use crate::geometry::decimal::Point;
use crate::limits::check;
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::rules::{AreaRule, Mark, Says, Weight, is_layer};
use crate::tmx::{
    INT_GRID, Image, Lattice, LayerContent, LayerContext, MAX_DEPTH, MAX_TILES, Map, Object,
    Orientation, Shape, TAGGED, Tile, Tileset, flip,
};

/// The effect of the rules on a layer or object.
#[derive(Clone, Debug, Default)]
pub(super) struct Role {
    /// The reason that the whole layer or object is solid, if it is solid.
    pub(super) solid: Option<Mark>,
    /// True if a property of the layer, or of a group around it, says that the layer is not solid.
    is_denied: bool,
    /// True if an object of this layer has the name of a solid (`wall`). A layer that is solid by its own
    /// name alone then makes no other object solid.
    has_named_objects: bool,
    /// True if nothing in the layer or object is solid, even a tile or object with a property `solid`.
    is_passable: bool,
    pub(super) marks: TileMarks,
    /// True if a solid layer makes only its tiles with collision shapes solid.
    is_by_shapes: bool,
    pub(super) is_floor: bool,
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that contain the whole layer or object, as ascending indices into `LoadOptions::areas`.
    pub(super) areas: Vec<usize>,
}

/// The kinds of marks on single tiles that count on a layer. A mark is any sign that makes the tile solid or
/// one-way: a property, a class, a collision shape, or a rule that names the tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TileMarks {
    #[default]
    All,
    /// Only collision shapes count, because the layer is decoration.
    Shapes,
    /// No mark counts, because the layer is hidden, or because the tiles are placed as objects.
    None,
}

/// A layer with the effect of the rules on it.
pub(super) struct RuledLayer<'m> {
    pub(super) context: LayerContext<'m>,
    pub(super) role: Role,
    /// The layer's displacement in the level, in pixels.
    pub(super) offset: Point,
}

pub(super) fn place(context: &LayerContext<'_>) -> Place {
    Place { layer: Some(context.path.clone()), ..Place::default() }
}

impl Role {
    /// The effect of the rules on a layer. `outer` is the effect on the group around the layer. Fails if a
    /// one-way property names no side.
    fn of_layer(
        context: &LayerContext<'_>,
        outer: &Self,
        facts: &MapFacts,
        options: &LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let (layer, rules) = (context.layer, &options.solid_rules);
        let is_tiles = matches!(layer.content, LayerContent::Tiles(_));
        let one_way = rules.one_way(&layer.class, &layer.properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay { reason })?;
        let is_passable = outer.is_passable
            || is_layer(&rules.passable_layers, layer)
            || rules.is_trigger(&layer.properties);
        let says = rules.layer(layer);
        let is_denied = says == Says::Passable || (outer.is_denied && says == Says::Nothing);
        let solid = match says {
            Says::Solid(mark) => Some(mark),
            Says::Passable => None,
            Says::Nothing => {
                let exception = facts.exception.as_ref().filter(|_| is_tiles && !is_denied);
                let others = || Mark {
                    because: format!("the `{}` of another layer", exception.map_or("", |it| it)),
                    weight: Weight::Word,
                };
                outer.solid.clone().or_else(|| exception.is_some().then(others))
            }
        };
        let is_art = |mark: &Mark| {
            let is_named = mark.weight == Weight::Name && !is_named_for_collision(&layer.name);
            facts.has_solid_objects && is_tiles && context.visible && is_named
        };
        let solid = solid.filter(|mark| !is_passable && !is_art(mark));
        let is_decoration = is_layer(&rules.decoration_layers, layer) && !facts.decoration_counts;
        Ok(Self {
            is_passable,
            is_denied,
            has_named_objects: solid.as_ref().is_some_and(|mark| mark.weight == Weight::Name)
                && is_any_object(layer, &|object| rules.is_named_solid(object)),
            marks: match context.visible {
                _ if solid.is_some() => TileMarks::All,
                false => TileMarks::None,
                true if is_decoration => TileMarks::Shapes,
                true => outer.marks,
            },
            is_by_shapes: rules.shapes_only,
            is_floor: is_layer(&rules.walkable_layers, layer),
            solid,
            one_way: one_way.or(outer.one_way),
            areas: areas_with(options, &outer.areas, &|area| area.layer(layer).is_some()),
        })
    }

    /// The effect of the rules on an object. `outer` is the effect on the object's layer. Fails if a one-way
    /// property names no side.
    pub(super) fn of_object(
        object: &Object,
        outer: &Self,
        options: &LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let (class, properties) = (&object.class, &object.properties);
        let rules = &options.solid_rules;
        let is_passable = outer.is_passable || rules.is_trigger(properties);
        let one_way = rules.one_way(class, properties);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay { reason })?;
        let one_way = one_way.or(outer.one_way).filter(|_| !is_passable);
        // A solid layer does not make a point solid; only the point's own marks do.
        let is_free = |mark: &Mark| {
            let is_other = outer.has_named_objects || rules.is_place(object);
            object.shape == Shape::Point || (mark.weight == Weight::Name && is_other)
        };
        let of_layer = outer.solid.clone().filter(|mark| !is_free(mark));
        let own = || Some(Mark { because: rules.object(object)?, weight: Weight::Word });
        let solid = of_layer.or_else(own);
        let is_of = |area: &AreaRule| area.thing(class, properties).is_some();
        Ok(Self {
            solid: solid.filter(|_| one_way.is_none() && !is_passable),
            is_passable,
            marks: TileMarks::None,
            one_way,
            areas: areas_with(options, &outer.areas, &is_of),
            ..Self::default()
        })
    }
}

/// The areas in the list `more`, and the areas that `is_of` accepts, as ascending indices into
/// `LoadOptions::areas`.
fn areas_with(
    options: &LoadOptions,
    more: &[usize],
    is_of: &dyn Fn(&AreaRule) -> bool,
) -> Vec<usize> {
    let mut areas = Vec::new();
    for (index, area) in options.areas.iter().enumerate() {
        if more.contains(&index) || is_of(area) {
            areas.push(index);
        }
    }
    areas
}

/// The layers of a map in the order of [`Map::walk`], each with its role.
pub(super) fn layers<'m>(
    map: &'m Map,
    lattice: Lattice,
    facts: &MapFacts,
    options: &LoadOptions,
) -> impl Iterator<Item = Result<RuledLayer<'m>, Box<BuildError>>> {
    // The roles of the groups around the current layer, the outermost first.
    let mut groups: Vec<Role> = Vec::new();
    map.walk().map(move |context| {
        check("groups within groups", context.parents.len() as u64, MAX_DEPTH)?;
        groups.truncate(context.parents.len());
        let outer = groups.last().cloned().unwrap_or_default();
        let role = Role::of_layer(&context, &outer, facts, options)
            .map_err(|kind| BuildError::in_place(place(&context), kind))?;
        if let LayerContent::Group(_) = context.layer.content {
            groups.push(role.clone());
        }
        let offset = lattice.displacement(context.offset);
        Ok(RuledLayer { context, role, offset })
    })
}

/// The effect of the rules on a tile, before its layer is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct TileMeaning {
    pub(super) solid: Option<(Mark, Extent)>,
    /// True if a flag of the tile says that it is not solid, or if the tile is a named value of LDtk. A
    /// layer's name alone then does not make the tile solid.
    is_denied: bool,
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that contain the tile, as indices into `LoadOptions::areas`. With each area, the pixels of
    /// the cell that are in the area.
    areas: Vec<(usize, Extent)>,
    /// True if a rule makes the tile's number passable. The tile then has no effect, even on a solid layer.
    is_free: bool,
    /// True for a trigger, which may be in an area but is never solid.
    is_trigger: bool,
    /// True if the tile has collision shapes that are neither triggers nor areas.
    has_own_shapes: bool,
    /// The pixels of the tile's own collision shapes, or the whole cell if `has_own_shapes` is false.
    extent: Extent,
}

impl TileMeaning {
    /// The uses of the tile on a layer or object with this role. With each use, the covered pixels of the
    /// cell. A solid or one-way use comes before the areas.
    pub(super) fn claims<'t>(
        &'t self,
        role: &'t Role,
    ) -> impl Iterator<Item = (Claim, &'t Extent)> {
        let (of_role, own) = match self.is_free {
            true => (&[][..], &[][..]),
            false => (&role.areas[..], &self.areas[..]),
        };
        let of_role = of_role.iter().map(|area| (Claim::Area(*area), &self.extent));
        let own = own.iter().map(|(area, extent)| (Claim::Area(*area), extent));
        self.stop(role).into_iter().chain(of_role).chain(own)
    }

    /// The solid or one-way use of the tile on a layer or object with this role, and the covered pixels of
    /// the cell. `None` if the tile is neither. A tile placed as an object ignores its own properties, class
    /// and shapes, unless a rule names the tile's number: games use such objects as decoration.
    pub(super) fn stop(&self, role: &Role) -> Option<(Claim, &Extent)> {
        if self.is_free || self.is_trigger {
            return None;
        }
        let one_way = self.one_way.filter(|_| role.marks == TileMarks::All).or(role.one_way);
        if let Some(sides) = one_way.filter(|_| !role.is_passable) {
            return Some((Claim::OneWay(sides), &self.extent));
        }
        let is_solid = self.is_solid_by(role) || (self.is_marked(role) && !role.is_passable);
        is_solid.then(|| (Claim::Solid, self.solid_extent()))
    }

    /// True if a layer or object of this role makes the tile solid.
    fn is_solid_by(&self, role: &Role) -> bool {
        let is_strong = |mark: &Mark| mark.weight > Weight::Name || !self.is_denied;
        role.solid.as_ref().is_some_and(is_strong) && (self.has_own_shapes || !role.is_by_shapes)
    }

    /// True if the tile's own property, class, shape or rule makes it solid on a layer or object with this
    /// role.
    fn is_marked(&self, role: &Role) -> bool {
        let counts = match role.marks {
            TileMarks::All => true,
            TileMarks::Shapes => self.has_own_shapes,
            TileMarks::None => false,
        };
        let is_own = |(mark, _): &(Mark, Extent)| counts || mark.weight == Weight::Author;
        self.solid.as_ref().is_some_and(is_own)
    }

    /// The reason in words that the tile is solid: the mark of the layer or object, or else the tile's own
    /// mark. `None` without a mark. Call this function only if [`Self::stop`] is not `None`: the function
    /// does not check that the tile's own mark counts in `role`.
    pub(super) fn reason<'t>(&'t self, role: &'t Role) -> Option<&'t String> {
        let of_role = role.solid.as_ref().filter(|_| self.is_solid_by(role));
        let mark = of_role.or_else(|| self.solid.as_ref().map(|(mark, _)| mark));
        mark.map(|mark| &mark.because)
    }

    /// The pixels of the cell that are solid, if the tile or its layer is solid.
    fn solid_extent(&self) -> &Extent {
        self.solid.as_ref().map_or(&self.extent, |(_, extent)| extent)
    }

    /// True if the tile is solid or one-way by itself, but only outside decoration layers.
    pub(super) fn is_less_on_decoration(&self) -> bool {
        (self.solid.is_some() || self.one_way.is_some()) && !self.has_own_shapes
    }

    pub(super) fn extents(&self) -> impl Iterator<Item = &Extent> {
        let areas = self.areas.iter().map(|(_, extent)| extent);
        [&self.extent, self.solid_extent()].into_iter().chain(areas)
    }

    /// True if collision shapes limit the tile to some pixels of its cell.
    pub(super) fn has_shapes(&self) -> bool {
        self.extents().any(|extent| matches!(extent, Extent::Shapes(_)))
    }
}

/// The part of a cell that a tile covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Extent {
    /// The whole cell. The vector displaces the cell in pixels, like the tile's picture.
    Cell(Point),
    Shapes(Rc<TileShapes>),
}

impl Default for Extent {
    fn default() -> Self {
        Self::Cell(Point::default())
    }
}

/// The collision shapes of a tile, with the tile's picture.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct TileShapes {
    /// The outlines of the shapes, relative to the bottom-left corner of the picture.
    pub(super) outlines: Vec<Outline>,
    pub(super) picture: TileImage,
    /// True if a shape fills the whole cell. It then fills the cell with every flip that does not swap rows
    /// and columns.
    pub(super) fill_cell: bool,
}

impl TileShapes {
    /// The outlines and the picture's displacement, scaled to a box of this size: see [`TileImage::fitted`].
    pub(super) fn shown(&self, size: Point) -> (Vec<Outline>, Point) {
        self.picture.fitted(&self.outlines, size)
    }
}

/// Applies the rules to the tiles of a map.
pub(super) struct TileRules<'m> {
    pub(super) map: &'m Map,
    pub(super) options: &'m LoadOptions,
}

impl TileRules<'_> {
    fn meaning(&self, tileset: &Tileset, id: u32) -> Result<TileMeaning, LoadErrorKind> {
        let rules = &self.options.solid_rules;
        let known = tileset.tiles.get(&id).map(|tile| &**tile);
        let none = Tile::default();
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
        let areas = if is_free { Vec::new() } else { areas_with(self.options, &[], &is_of) };
        let picture = TileImage::new(tileset, known, self.map.tile_size);
        // Triggers, and shapes that a rule puts in an area, do not count as the tile's own shapes.
        let (mut own, mut of_areas) = (Vec::new(), Vec::new());
        for shape in &tile.shapes {
            let drawn = pieces::of_tile(tileset, shape, picture.size);
            let areas = areas_with(self.options, &[], &|area| {
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
        let is_solid_by_number = matches!(by_number, Says::Solid(_));
        // A rule by tile number overrides a one-way mark.
        let one_way = one_way.filter(|_| !is_solid_by_number);
        let solid = match by_number {
            Says::Passable => None,
            // A rule by tile number covers the whole cell, even if the tile has collision shapes.
            Says::Solid(mark) => Some((mark, self.extent(Vec::new(), picture))),
            Says::Nothing => {
                // The shapes of a tile without a mark and without areas are solid.
                let is_shape = has_shapes && areas.is_empty();
                let by_shapes =
                    || Mark { because: "its collision shapes".to_owned(), weight: Weight::Word };
                let has_tags = [INT_GRID, TAGGED].contains(&&*tileset.class);
                let by_tag = || has_tags.then(|| rules.tag(tile)).flatten();
                let mark = rules.tile(tile).or_else(by_tag).or_else(|| is_shape.then(by_shapes));
                mark.map(|mark| (mark, extent.clone()))
            }
        };
        let are_triggers = tile.shapes.iter().all(|shape| rules.is_trigger(&shape.properties));
        let is_trigger = !is_solid_by_number
            && (rules.is_trigger(properties)
                || rules.is_trigger(&tileset.properties)
                || (!tile.shapes.is_empty() && are_triggers));
        let mut extents: Vec<_> = areas.into_iter().map(|area| (area, extent.clone())).collect();
        for (area, shape) in of_areas {
            extents.push((area, self.extent(Vec::from_iter(shape), picture)));
        }
        Ok(TileMeaning {
            solid: solid.filter(|_| one_way.is_none() && !is_trigger),
            is_denied: rules.is_passable_tile(tile)
                || (tileset.class == INT_GRID && !class.is_empty()),
            one_way: one_way.filter(|_| !is_free),
            is_trigger,
            has_own_shapes: has_shapes,
            areas: extents,
            is_free,
            extent,
        })
    }

    /// True if a rule may name tiles of this tileset by id. The effect of the rules is then found for every
    /// tile, even for a tile that the file does not list.
    fn asks_all(&self, tileset: &Tileset) -> bool {
        let rules = &self.options.solid_rules;
        let of_areas = self.options.areas.iter().flat_map(|area| &area.tiles);
        let mut named = rules.solid_tiles.iter().chain(&rules.passable_tiles).chain(of_areas);
        named.any(|tiles| tiles.is_of(&tileset.name))
            || (rules.two_tile_tilesets && tile_count(tileset) == Some(2))
    }

    /// The part of a cell that a tile with the collision shapes `outlines` covers: all of it without shapes.
    fn extent(&self, outlines: Vec<Outline>, picture: TileImage) -> Extent {
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

/// True if an outline is a rectangle that covers exactly a picture of this size. Any corner may be the first
/// point. Fractions of a pixel are ignored.
fn is_box(outline: &Outline, size: UVec2) -> bool {
    let Outline::Polygon(points) = outline else { return false };
    let [a, b, c, d] = points[..] else { return false };
    let is_upright = (a.x == b.x && b.y == c.y && c.x == d.x && d.y == a.y)
        || (a.y == b.y && b.x == c.x && c.y == d.y && d.x == a.x);
    let min = (a.x.min(c.x).pixel(), a.y.min(c.y).pixel());
    let max = (a.x.max(c.x).pixel(), a.y.max(c.y).pixel());
    is_upright && min == (0, -i64::from(size.y)) && max == (size.x.into(), 0)
}

/// The stated number of tiles in a tileset, or else the number that fits in its picture of the stated size;
/// `None` if neither is stated.
pub(super) fn tile_count(tileset: &Tileset) -> Option<u32> {
    let image = tileset.image.as_ref().map(|image| image.size);
    tileset.tile_count.or_else(|| tiles_of_picture(tileset, image?))
}

/// The number of tiles that fit in a picture of this size; `None` if a side of the picture or tile is 0.
fn tiles_of_picture(tileset: &Tileset, picture: UVec2) -> Option<u32> {
    let has_sides = picture.min_element() > 0 && tileset.tile_size.min_element() > 0;
    u32::try_from(has_sides.then(|| tileset.tiles_in(picture))?).ok()
}

/// The index in [`TileTable::meanings`] of a tile on which the rules have no effect and whose picture is not
/// displaced.
pub(super) const PLAIN: u32 = 0;

/// Stands for an index in [`TileTable::meanings`] if a tile does not exist.
const MISSING: u32 = u32::MAX;

/// Ids of tiles below this are looked up in the array [`TilesetRange::meanings`], others may need a search.
const DENSE: u32 = 4_096;

/// The largest number of tiles that rules may name by id in a map. They take 0.6 microseconds each.
const MAX_ASKED: u32 = 1 << 20;

/// The effect of the rules on each tile of a map, by the tile's number.
pub(super) struct TileTable {
    /// The tilesets, sorted by the number of their first tile.
    ranges: Vec<TilesetRange>,
    /// The different [`TileMeaning`]s of the tiles. Few are equal: see [`Self::index_of`]. The first is at
    /// the index [`PLAIN`].
    pub(super) meanings: Vec<TileMeaning>,
    /// The number of tiles for which the rules were asked because a rule may name them by id.
    asked: u32,
}

/// Finds the [`TileMeaning`] of a tile. Remembers the tileset of the last tile, because the next tile mostly
/// has the same tileset.
pub(super) struct Lookup<'t> {
    table: &'t TileTable,
    /// A copy of [`TilesetRange::first`] for the last tile's tileset; `count` and `meanings` are copies too.
    first: u32,
    count: u32,
    meanings: &'t [u32],
    /// The [`TilesetRange::rest`] of the last tile's tileset; [`MISSING`] if it has tiles in
    /// [`TilesetRange::scattered`], which only [`TilesetRange::past_first`] finds.
    rest: u32,
}

/// The tile numbers of one tileset, from `first` on, with the effect of the rules on each tile.
struct TilesetRange {
    first: u32,
    tileset: usize,
    /// The number of ids of the tileset, from id 0 on. Ids whose numbers belong to the next tileset are left
    /// out.
    count: u32,
    /// The index in [`TileTable::meanings`] of each tile with a small id. The position in this array is the
    /// id.
    meanings: Vec<u32>,
    /// The tiles with larger ids that the file or a rule names: the id, and the index in
    /// [`TileTable::meanings`]. Sorted by id.
    scattered: Vec<(u32, u32)>,
    /// The index in [`TileTable::meanings`] of all tiles that are neither in `meanings` nor in `scattered`.
    /// It is [`MISSING`] if such tiles do not exist.
    rest: u32,
    name: String,
}

/// For each tileset, the number of tiles that fit in its picture. `None` if the tileset itself states at
/// least this number.
pub(crate) type TileCounts = Vec<Option<u32>>;

/// True for a picture in a file, false for a picture that the map embeds.
pub(super) fn is_file(image: &Image) -> bool {
    image.data.is_none() && !image.path.as_os_str().is_empty()
}

/// A function that returns the size of a picture in pixels; `None` if the picture does not exist.
pub(crate) type PictureSize<'f> = &'f mut dyn FnMut(&Path) -> Option<UVec2>;

/// Adds the tile counts of pictures with more tiles than their tilesets state. Returns true if a count was
/// added. With `contradict`, reads only the pictures of tilesets for which [`Tileset::contradicts_itself`] is
/// true; otherwise only the pictures of all other tilesets.
pub(super) fn add_counts_of_pictures(
    counts: &mut TileCounts,
    map: &Map,
    contradict: bool,
    picture_size: PictureSize<'_>,
) -> bool {
    let mut has_grown = false;
    for (index, set) in map.tilesets.iter().enumerate() {
        let image = set.image.as_ref().filter(|image| is_file(image));
        let (Some(image), Some(stated)) = (image, tile_count(set)) else { continue };
        if set.contradicts_itself() != contradict {
            continue;
        }
        let size = picture_size(&image.path);
        if let Some(count) = size.and_then(|size| tiles_of_picture(set, size))
            && count > stated
        {
            counts.resize(map.tilesets.len(), None);
            counts[index] = Some(count);
            has_grown = true;
        }
    }
    has_grown
}

impl TileTable {
    /// Makes the table of the effect of the rules on each tile of the map's tilesets. The tilesets may be in
    /// any order. `counts` may be shorter than the list of tilesets.
    ///
    /// # Errors
    /// Fails if two tilesets with tiles start at the same number, a tileset has too many tiles, or a one-way
    /// property names no side.
    pub(super) fn new(rules: &TileRules<'_>, counts: &TileCounts) -> Result<Self, LoadErrorKind> {
        let meanings = vec![TileMeaning::default()];
        let mut table = Self { ranges: Vec::new(), meanings, asked: 0 };
        for (index, tileset) in rules.map.tilesets.iter().enumerate() {
            let count = counts.get(index).copied().flatten();
            let range = table.range_of(index, tileset, count, rules)?;
            // Tilesets nearly always come with ascending first numbers. A tileset without tiles may have the
            // same first number as the next tileset.
            let key = |range: &TilesetRange| (range.first, range.count > 0);
            let place = table.ranges.partition_point(|other| key(other) <= key(&range));
            table.ranges.insert(place, range);
        }
        let ranges = &mut table.ranges;
        for i in 1..ranges.len() {
            let gap = ranges[i].first - ranges[i - 1].first;
            if gap == 0 && ranges[i - 1].count > 0 {
                return Err(LoadErrorKind::TilesetIds {
                    reason: format!(
                        "the tilesets `{}` and `{}` both start at tile {}",
                        ranges[i - 1].name,
                        ranges[i].name,
                        ranges[i].first
                    ),
                });
            }
            // A tileset may have gained tiles since the map was drawn. A number within two tilesets belongs
            // to the later tileset.
            let range = &mut ranges[i - 1];
            range.count = range.count.min(gap);
        }
        Ok(table)
    }

    /// Makes the [`TilesetRange`] of a tileset. `count` replaces the number of tiles that the tileset states.
    fn range_of(
        &mut self,
        index: usize,
        tileset: &Tileset,
        count: Option<u32>,
        rules: &TileRules<'_>,
    ) -> Result<TilesetRange, LoadErrorKind> {
        let named = &tileset.tiles;
        let (count, rest, all) = if tileset.image.is_some() {
            let count = count.or_else(|| tile_count(tileset)).unwrap_or(MAX_TILES);
            check("tiles in a tileset", count, MAX_TILES)?;
            let all = if rules.asks_all(tileset) { count } else { 0 };
            self.asked += all;
            check("tiles in the tilesets that rules name", self.asked, MAX_ASKED)?;
            // All tiles that the tileset's file does not list share one [`TileMeaning`].
            let picture = TileImage::new(tileset, None, rules.map.tile_size);
            let extent = rules.extent(Vec::new(), picture);
            let is_trigger = rules.options.solid_rules.is_trigger(&tileset.properties);
            let rest = TileMeaning { extent, is_trigger, ..TileMeaning::default() };
            (count, self.index_of(rest), all)
        } else {
            let past_named = named.last_key_value().map_or(0, |(id, _)| id.saturating_add(1));
            (past_named, MISSING, 0)
        };
        let (mut meanings, mut scattered) = (Vec::new(), Vec::new());
        let asked = (0..all).chain(named.range(all..).map(|(id, _)| *id));
        for (number, id) in (0u32..).zip(asked.take_while(|id| *id < count)) {
            let meaning = self.index_of(rules.meaning(tileset, id)?);
            // A list up to the largest id would let one tile take any amount of memory.
            if scattered.is_empty() && id < DENSE.saturating_add(number.saturating_mul(16)) {
                meanings.resize(id as usize, rest);
                meanings.push(meaning);
            } else {
                scattered.push((id, meaning));
            }
        }
        if !scattered.is_empty() {
            meanings.resize(meanings.len().max(count.min(DENSE) as usize), rest);
        }
        Ok(TilesetRange {
            first: tileset.first_gid,
            tileset: index,
            count,
            meanings,
            scattered,
            rest,
            name: tileset.name.clone(),
        })
    }

    /// Returns the index of `meaning` in [`Self::meanings`], to which it is added if it is new. To save time,
    /// only the first 512 entries are compared, and a meaning with shapes is added without a comparison.
    fn index_of(&mut self, meaning: TileMeaning) -> u32 {
        const COMPARED: usize = 512;
        let mut known = self.meanings.iter().take(COMPARED);
        if !meaning.has_shapes()
            && let Some(index) = known.position(|known| *known == meaning)
        {
            return index as u32;
        }
        self.meanings.push(meaning);
        self.meanings.len() as u32 - 1
    }

    /// The index of the [`TileMeaning`] of the tile number `gid`, which is not 0. Fails if no tileset has the
    /// tile.
    pub(super) fn index(&self, gid: u32) -> Result<u32, LoadErrorKind> {
        self.lookup().index(gid)
    }

    pub(super) fn meaning(&self, gid: u32) -> Option<&TileMeaning> {
        self.meanings.get(self.index(gid).ok()? as usize)
    }

    pub(super) fn lookup(&self) -> Lookup<'_> {
        Lookup { table: self, first: 0, count: 0, meanings: &[], rest: MISSING }
    }

    /// The index of the tileset whose numbers include `gid`, and the tile's id in the tileset. The tileset
    /// may lack a tile with this id.
    pub(super) fn place(&self, gid: u32) -> Option<(usize, u32)> {
        let number = gid & !flip::ALL;
        let range = self.range(number)?;
        Some((range.tileset, number - range.first))
    }

    fn range(&self, number: u32) -> Option<&TilesetRange> {
        let after = self.ranges.partition_point(|range| range.first <= number);
        self.ranges.get(after.wrapping_sub(1))
    }

    #[cold]
    fn unknown(&self, gid: u32) -> LoadErrorKind {
        let number = gid & !flip::ALL;
        let reason = match self.range(number) {
            _ if number == 0 => "it has flags, but no number".to_owned(),
            None => "no tileset starts at or below it".to_owned(),
            Some(range) => format!(
                "it would be tile {} of tileset `{}`, which does not have it",
                number - range.first,
                range.name
            ),
        };
        LoadErrorKind::UnknownTile { gid, reason }
    }
}

impl Lookup<'_> {
    #[inline]
    pub(super) fn index(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        // The flag bit of hexagonal maps is not part of a tile's number, even on other maps.
        match self.here(gid & !flip::ALL) {
            Some(index) => Ok(index),
            None => self.elsewhere(gid),
        }
    }

    /// The index in [`TileTable::meanings`] of the tile `number`, if it is in the same tileset as the last
    /// tile. If it is `None`, the caller must search the whole [`TileTable`].
    #[inline]
    fn here(&self, number: u32) -> Option<u32> {
        let id = number.wrapping_sub(self.first);
        if id >= self.count {
            return None;
        }
        let index = self.meanings.get(id as usize).copied().unwrap_or(self.rest);
        (index != MISSING).then_some(index)
    }

    #[inline(never)]
    fn elsewhere(&mut self, gid: u32) -> Result<u32, LoadErrorKind> {
        let number = gid & !flip::ALL;
        let Some(range) = self.table.range(number) else { return Err(self.table.unknown(gid)) };
        (self.first, self.count, self.meanings) = (range.first, range.count, &range.meanings);
        self.rest = if range.scattered.is_empty() { range.rest } else { MISSING };
        let found = self.here(number).or_else(|| range.past_first(number - range.first));
        found.ok_or_else(|| self.table.unknown(gid))
    }
}

impl TilesetRange {
    /// The index in [`TileTable::meanings`] of a tile whose id is too large for the array `meanings`. `None`
    /// if the tile does not exist.
    fn past_first(&self, id: u32) -> Option<u32> {
        let place = self.scattered.binary_search_by_key(&id, |(id, _)| *id);
        let known = place.ok().and_then(|place| self.scattered.get(place));
        let index = known.map_or(self.rest, |(_, index)| *index);
        (id < self.count && id as usize >= self.meanings.len() && index != MISSING).then_some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::LoadOptions;
    use crate::property::PropertyValue;
    use crate::tmx::{Property, Tile};

    /// Returns a tileset whose tiles with these ids are solid. If `has_picture`, its tiles share a picture.
    /// If not, each tile has its own picture.
    fn tileset(ids: &[u32], has_picture: bool) -> Tileset {
        let solid = ("solid".to_owned(), Property::new(PropertyValue::Bool(true)));
        let tile = Tile { properties: [solid].into(), ..Tile::default() };
        Tileset {
            first_gid: 1,
            tile_size: UVec2::new(4, 4),
            tile_count: Some(MAX_TILES),
            image: has_picture.then(Image::default),
            tiles: ids.iter().map(|id| (*id, tile.clone().into())).collect(),
            ..Tileset::default()
        }
    }

    #[test]
    fn the_tile_table_grows_with_the_number_of_tiles_not_with_their_ids() {
        let many: Vec<u32> = (0..3_000).chain([100_000, 1 << 24]).collect();
        for ids in [&[1 << 24][..], &[3, DENSE - 1, DENSE + 90, 70_000, 1 << 24], &many] {
            for has_picture in [false, true] {
                // Tiles of a common picture are numbered without gaps.
                let is_possible = |id: &u32| !has_picture || *id < MAX_TILES - 2;
                let ids: Vec<u32> = ids.iter().copied().filter(is_possible).collect();
                let map = Map { tilesets: vec![tileset(&ids, has_picture)], ..Map::default() };
                let options = LoadOptions::default();
                let rules = TileRules { map: &map, options: &options };
                let table = TileTable::new(&rules, &TileCounts::new()).unwrap();
                let range = &table.ranges[0];
                let different = 1 + usize::from(!ids.is_empty());
                assert_eq!(table.meanings.len(), different, "equal tiles share one meaning");
                assert!(range.meanings.len() + range.scattered.len() <= DENSE as usize + ids.len());
                let mut lookup = table.lookup();
                for id in ids.iter().flat_map(|id| id.saturating_sub(2)..id + 2) {
                    let found =
                        lookup.index(id + 1).ok().map(|index| &table.meanings[index as usize]);
                    let is_solid = found.map(|meaning| meaning.solid.is_some());
                    let is_known = has_picture || ids.contains(&id);
                    assert_eq!(is_solid, is_known.then(|| ids.contains(&id)), "{id}");
                }
            }
        }
    }
}
