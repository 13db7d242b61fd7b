//! Applies the rules to a map. Each layer and object gets a role in the level: solid, one-way, in an area, or
//! none. A table has the effect of the rules on each tile, by the tile's number. Cells are not read here.

pub(super) mod table;

use std::rc::Rc;

use glam::UVec2;

use super::facts::{MapFacts, is_any_object, is_named_for_collision};
use super::pieces::{Claim, TileImage};
use super::{in_file, pieces};
use crate::error::{FileFault, LoadErrorKind, Place};
use crate::geometry::{Point, Sides};
use crate::level::Provenance;
use crate::limits::check;
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::rules::{AreaRule, Mark, Says, Weight, is_layer};
use crate::tmx::{
    INT_GRID, Lattice, LayerContent, LayerContext, MAX_DEPTH, Map, Object, Orientation, PlacedMap,
    Properties, Shape, TAGGED, Tile, Tileset,
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

impl RuledLayer<'_> {
    /// The cause of solid pixels: a tile or an object of this layer of a placed map.
    pub(super) fn provenance(
        &self,
        placed: &PlacedMap,
        tile: Option<(String, u32)>,
        object: Option<&Object>,
        because: String,
    ) -> Provenance {
        let line = object.map_or(self.context.layer.line, |object| object.line);
        Provenance {
            layer: in_file(placed.file.as_ref(), &self.context.path),
            tile,
            object: object.map(|object| object.id),
            line: (line > 0).then_some(line),
            because,
        }
    }
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
        let layer = context.layer;
        let rules = &options.solid_rules;
        let is_tiles = matches!(layer.content, LayerContent::Tiles(_));
        let one_way = one_way(&layer.class, &layer.properties, options);
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
                let of_others = exception.map(|exception| Mark {
                    because: format!("the `{exception}` of another layer"),
                    weight: Weight::Word,
                });
                outer.solid.clone().or(of_others)
            }
        };
        let may_be_art = facts.has_solid_objects
            && is_tiles
            && context.visible
            && !is_named_for_collision(&layer.name);
        let solid =
            solid.filter(|mark| !is_passable && (!may_be_art || mark.weight != Weight::Name));
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
            areas: areas_with(options, &outer.areas, &|area| area.has_layer(layer)),
        })
    }

    /// True if a plain tile or shape with this role is solid, one-way or in an area.
    pub(super) fn claims(&self) -> bool {
        self.solid.is_some() || self.one_way.is_some() || !self.areas.is_empty()
    }

    /// The effect of the rules on an object. `outer` is the effect on the object's layer. A one-way property
    /// counts only for an object that is solid or one-way otherwise. Fails if such a property names no side.
    pub(super) fn of_object(
        object: &Object,
        outer: &Self,
        options: &LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let Object { class, properties, .. } = object;
        let rules = &options.solid_rules;
        let is_passable = outer.is_passable || rules.is_trigger(properties);
        // A solid layer does not make a point solid; only the point's own marks do.
        let is_other = outer.has_named_objects || rules.is_place(object);
        let of_layer = outer.solid.clone().filter(|mark| {
            object.shape != Shape::Point && (mark.weight != Weight::Name || !is_other)
        });
        let solid = of_layer
            .or_else(|| Some(Mark { because: rules.object(object)?, weight: Weight::Word }))
            .filter(|_| !is_passable);
        let mut one_way = outer.one_way.filter(|_| !is_passable);
        let is_marker = solid.is_none() && !rules.is_one_way_class(class);
        if !is_passable && (one_way.is_some() || !is_marker) {
            let own = self::one_way(class, properties, options);
            one_way = own.map_err(|reason| LoadErrorKind::OneWay { reason })?.or(one_way);
        }
        Ok(Self {
            solid: solid.filter(|_| one_way.is_none()),
            is_passable,
            marks: TileMarks::None,
            one_way,
            areas: areas_with(options, &outer.areas, &|area| area.has(class, properties)),
            ..Self::default()
        })
    }
}

/// The guarded sides of a one-way layer, tile or object. Fails if a property names no side, unless the load
/// is lenient: then [`Warnings::flags`](super::Warnings::flags) warns of it.
fn one_way(
    class: &str,
    properties: &Properties,
    options: &LoadOptions,
) -> Result<Option<Sides<bool>>, String> {
    match options.solid_rules.one_way(class, properties) {
        Err(_) if options.lenient => Ok(None),
        sides => sides,
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
) -> impl Iterator<Item = Result<RuledLayer<'m>, Box<FileFault>>> {
    // The roles of the groups around the current layer, the outermost first.
    let mut groups: Vec<Role> = Vec::new();
    map.walk().map(move |context| {
        check("groups within groups", context.parents.len() as u64, MAX_DEPTH)?;
        groups.truncate(context.parents.len());
        let outer = groups.last().cloned().unwrap_or_default();
        let role = Role::of_layer(&context, &outer, facts, options)
            .map_err(|kind| FileFault::new(place(&context), kind))?;
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
    /// The index of the tile's tileset, if the file of the tileset cannot be read.
    pub(super) lost: Option<usize>,
}

impl TileMeaning {
    /// The uses of the tile on a layer or object with this role. With each use, the covered pixels of the
    /// cell. A solid or one-way use comes before the areas.
    pub(super) fn claims<'t>(&'t self, role: &Role) -> impl Iterator<Item = (Claim, &'t Extent)> {
        let of_role = role.areas.iter().map(|area| (Claim::Area(*area), &self.extent));
        let own = self.areas.iter().map(|(area, extent)| (Claim::Area(*area), extent));
        let areas = of_role.chain(own).filter(|_| !self.is_free);
        self.stop(role).into_iter().chain(areas)
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

    /// The use of a tile with these flips. The sides that the tile itself guards turn with it, and those of
    /// its layer do not.
    pub(super) fn turned(
        &self,
        claim: Claim,
        flips: u32,
        role: &Role,
        is_hexagonal: bool,
    ) -> Claim {
        match claim {
            Claim::OneWay(sides) if role.marks == TileMarks::All && self.one_way.is_some() => {
                Claim::OneWay(pieces::turned_sides(sides, flips, is_hexagonal))
            }
            _ => claim,
        }
    }

    /// True if a layer or object of this role makes the tile solid.
    fn is_solid_by(&self, role: &Role) -> bool {
        let Some(mark) = &role.solid else { return false };
        let is_strong = mark.weight > Weight::Name || !self.is_denied;
        is_strong && (self.has_own_shapes || !role.is_by_shapes)
    }

    /// True if the tile's own property, class, shape or rule makes it solid on a layer or object with this
    /// role.
    fn is_marked(&self, role: &Role) -> bool {
        let counts = match role.marks {
            TileMarks::All => true,
            TileMarks::Shapes => self.has_own_shapes,
            TileMarks::None => false,
        };
        let own = self.solid.as_ref();
        own.is_some_and(|(mark, _)| counts || mark.weight == Weight::Author)
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

    fn extents(&self) -> impl Iterator<Item = &Extent> {
        let areas = self.areas.iter().map(|(_, extent)| extent);
        [&self.extent, self.solid_extent()].into_iter().chain(areas)
    }

    /// True if collision shapes limit the tile to some pixels of its cell.
    fn has_shapes(&self) -> bool {
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
        let Tile { class, properties, .. } = tile;
        let one_way = one_way(class, properties, self.options);
        let one_way = one_way.map_err(|reason| LoadErrorKind::OneWay {
            reason: format!("of tile {id} in tileset `{}`, {reason}", tileset.name),
        })?;
        let by_number = rules.tile_id(&tileset.name, tile_count(tileset), id);
        let is_free = by_number == Says::Passable;
        let areas = areas_with(self.options, &[], &|area| {
            !is_free && (area.tile_id(&tileset.name, id) || area.has(class, properties))
        });
        let picture = TileImage::new(tileset, known, self.map.tile_size);
        // Triggers, and shapes that a rule puts in an area, do not count as the tile's own shapes.
        let mut own = Vec::new();
        let mut of_areas = Vec::new();
        for shape in &tile.shapes {
            let drawn = pieces::of_tile(tileset, shape, picture.size);
            let areas =
                areas_with(self.options, &[], &|area| area.has(&shape.class, &shape.properties));
            let is_own = self.are_optional(&areas) && !rules.is_trigger(&shape.properties);
            of_areas.extend(areas.into_iter().map(|area| (area, drawn.clone())));
            own.extend(drawn.filter(|_| is_own));
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
                // The shapes of a tile without a mark are solid, unless an area takes them. Water by its name
                // alone takes none: it stops the characters of many games.
                let is_shape = has_shapes && self.are_optional(&areas);
                let mut mark = None;
                if tileset.class != TAGGED || !rules.ranks_tags_last(self.map) {
                    mark = rules.tile(tile);
                    if mark.is_none() && [INT_GRID, TAGGED].contains(&&*tileset.class) {
                        mark = rules.tag(tile);
                    }
                }
                if mark.is_none() && is_shape {
                    let because = "its collision shapes".to_owned();
                    mark = Some(Mark { because, weight: Weight::Word });
                }
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
                || (tileset.class == INT_GRID && rules.is_open_value(class)),
            one_way: one_way.filter(|_| !is_free),
            is_trigger,
            has_own_shapes: has_shapes,
            areas: extents,
            is_free,
            extent,
            lost: None,
        })
    }

    /// True if none of these areas keeps its tiles and shapes from being solid.
    fn are_optional(&self, areas: &[usize]) -> bool {
        areas.iter().all(|area| self.options.areas[*area].optional)
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
        if fill_cell && cell.x == cell.y {
            return Extent::default();
        }
        Extent::Shapes(Rc::new(TileShapes { outlines, picture, fill_cell }))
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
fn tile_count(tileset: &Tileset) -> Option<u32> {
    let image = tileset.image.as_ref().map(|image| image.size);
    tileset.tile_count.or_else(|| tiles_of_picture(tileset, image?))
}

/// The number of tiles that fit in a picture of this size; `None` if a side of the picture or tile is 0.
fn tiles_of_picture(tileset: &Tileset, picture: UVec2) -> Option<u32> {
    let has_sides = picture.min_element() > 0 && tileset.tile_size.min_element() > 0;
    u32::try_from(has_sides.then(|| tileset.tiles_in(picture))?).ok()
}
