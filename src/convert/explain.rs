//! Explains why a pixel is solid, and finds the solid layers and objects of a map. Both use the code that
//! also builds the level.

use std::collections::BTreeSet;

use glam::{I64Vec2, IVec2};

use super::cells::{CellAction, CellIndex};
use super::gather::{PreparedMap, Stamps, covered_box, displaced, floor};
use super::pieces::{Claim, Cover};
use super::tiles::{Role, RuledLayer, TileCounts};
use super::{BuildError, in_file};
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Point;
use crate::geometry::{Aabb, Dir, saturated};
use crate::level::{ONE_WAY, Provenance};
use crate::options::LoadOptions;
use crate::tmx::{
    CellBlock, Lattice, LayerContent, LayerContext, Map, Object, ObjectLayer, PlacedMap, Shape,
    TileLayer, flip,
};

/// Finds the layer, object or tile that makes a pixel of one map solid or one-way.
pub(crate) struct MapExplainer<'m> {
    file: Option<&'m String>,
    /// The displacement from a pixel of the level to the same pixel of the map.
    to_map: IVec2,
    /// A box around all cells of the map, in the map's pixels; `None` for an infinite map. No tile or object
    /// of the map makes a pixel outside the box solid.
    area: Option<Aabb>,
    map: PreparedMap<'m>,
    stamps: Stamps<'m>,
    /// The tile layers and objects that can make a pixel solid or one-way. The first that covers a pixel
    /// explains it.
    causes: Vec<CauseSource<'m>>,
}

/// The tiles of a layer, or an object, that can make pixels solid or one-way.
enum CauseSource<'m> {
    Tiles {
        layer: RuledLayer<'m>,
        blocks: CellIndex<'m>,
        /// A box around all pixels that any tile of the layer could cover, relative to the bottom-left corner
        /// of the tile's cell. A tile can be larger than its cell.
        reach: Aabb,
    },
    Object(Cover, Aabb, Provenance),
}

impl<'m> MapExplainer<'m> {
    /// Prepares the explanations for a map of a built level. `counts` and `options` must be the tile counts
    /// and options with which the level was built; otherwise, it may fail. O(objects + tiles that the
    /// tilesets list).
    pub(crate) fn new(
        placed: &'m PlacedMap,
        counts: &TileCounts,
        options: &'m LoadOptions,
    ) -> Result<Self, Box<BuildError>> {
        let map = PreparedMap::new(&placed.map, options, counts)?;
        let mut explainer = Self {
            file: placed.file.as_ref(),
            to_map: IVec2::ZERO.saturating_sub(placed.place),
            area: map.area(),
            stamps: Stamps::new(&map.lattice, &options.limits),
            map,
            causes: Vec::new(),
        };
        let mut reaches = Vec::new();
        for meaning in &explainer.map.tiles.meanings {
            let extents = meaning.extents().map(|extent| explainer.stamps.reach(extent));
            reaches.push(extents.reduce(Aabb::hull).unwrap_or_default());
        }
        // Tiles with marks of their own come after all solid layers and objects.
        let mut own_tiles = Vec::new();
        for layer in explainer.map.layers().collect::<Vec<_>>() {
            let layer = layer?;
            match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => {
                    let is_solid = layer.role.solid.is_some();
                    let cause = explainer.tiles_cause(&tiles.blocks, layer, &reaches);
                    if is_solid { &mut explainer.causes } else { &mut own_tiles }.extend(cause);
                }
                LayerContent::Objects(objects) => explainer.add_objects(objects, &layer)?,
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
        }
        explainer.causes.append(&mut own_tiles);
        Ok(explainer)
    }

    /// Prepares the search of a layer's tiles. `reaches` has the box of pixels that each tile could cover.
    /// `None` if no tile of the map is solid or one-way on this layer.
    fn tiles_cause(
        &self,
        blocks: &'m [CellBlock],
        layer: RuledLayer<'m>,
        reaches: &[Aabb],
    ) -> Option<CauseSource<'m>> {
        let mut all: Option<Aabb> = None;
        for (meaning, reach) in self.map.tiles.meanings.iter().zip(reaches) {
            if meaning.stop(&layer.role).is_some() {
                all = Some(all.map_or(*reach, |all| all.hull(*reach)));
            }
        }
        let reach = displaced(all?, layer.offset);
        Some(CauseSource::Tiles { layer, blocks: CellIndex::new(blocks), reach })
    }

    fn add_objects(
        &mut self,
        objects: &ObjectLayer,
        layer: &RuledLayer<'_>,
    ) -> Result<(), LoadErrorKind> {
        for object in &objects.objects {
            let parts = match self.map.object_parts(object, layer, &mut self.stamps) {
                Err(LoadErrorKind::UnknownTile { .. }) if self.map.options.lenient => continue,
                parts => parts?,
            };
            for (claim, cover) in parts.parts {
                let because = match claim {
                    Claim::Solid => parts.because.clone(),
                    Claim::OneWay(_) => ONE_WAY.to_owned(),
                    Claim::Area(_) => continue,
                };
                let bounds = cover.bounds();
                let provenance = Provenance {
                    layer: in_file(self.file, &layer.context.path),
                    tile: None,
                    object: Some(object.id),
                    line: (object.line > 0).then_some(object.line),
                    because,
                };
                self.causes.push(CauseSource::Object(cover, bounds, provenance));
            }
        }
        Ok(())
    }

    /// Returns the first layer, object or tile that covers `pixel` as solid or one-way. Solid layers and
    /// objects come before tiles that are solid by themselves. `None` if nothing covers the pixel: a gap in a
    /// floor layer is solid although no tile covers it. In a world, the layer's name starts with the path of
    /// the map's file.
    ///
    /// O(tile layers x cells whose shapes could reach the pixel + solid objects).
    pub(crate) fn explain(&mut self, pixel: IVec2) -> Option<Provenance> {
        let pixel = pixel.saturating_add(self.to_map);
        if self.area.is_some_and(|area| !area.contains(pixel)) {
            return None;
        }
        for cause in &self.causes {
            match cause {
                CauseSource::Object(cover, bounds, provenance) => {
                    if bounds.contains(pixel) && covers(cover, pixel) {
                        return Some(provenance.clone());
                    }
                }
                CauseSource::Tiles { layer, blocks, reach } => {
                    let cells = cells_at(&self.map.lattice, one_pixel(pixel), *reach);
                    // The solid and one-way tiles near the pixel. Tiles that simply fill their cell come
                    // first.
                    let mut near = Vec::new();
                    blocks.visit(cells, &mut |cell, gid| {
                        let meaning = self.map.tiles.meaning(gid);
                        if let Some(meaning) = meaning.filter(|it| it.stop(&layer.role).is_some()) {
                            let action = CellAction::new(meaning, &layer.role, &self.map.lattice);
                            near.push((action == CellAction::Place, cell.y, cell.x, gid));
                        }
                    });
                    near.sort_unstable();
                    for (_, y, x, gid) in near {
                        let meaning = self.map.tiles.meaning(gid);
                        let stop = meaning.and_then(|meaning| meaning.stop(&layer.role));
                        let Some((claim, extent)) = stop else { continue };
                        let edges = [None].into_iter().chain(Dir::ALL.map(Some));
                        for edge in edges.filter(|edge| claim.is_at(*edge)) {
                            let flips = gid & flip::ALL;
                            let cell = IVec2::new(x, y);
                            let cover =
                                self.stamps.of_cell(cell, extent, flips, edge, layer.offset);
                            if cover.is_ok_and(|cover| covers(&cover, pixel)) {
                                return self.tile(layer, gid & !flip::ALL);
                            }
                        }
                    }
                }
            }
        }
        None
    }

    fn tile(&self, layer: &RuledLayer<'_>, gid: u32) -> Option<Provenance> {
        let (tileset, id) = self.map.tiles.place(gid)?;
        let line = layer.context.layer.line;
        let because = self.map.tiles.meaning(gid)?.reason(&layer.role);
        let because = because.cloned().unwrap_or_else(|| ONE_WAY.to_owned());
        Some(Provenance {
            layer: in_file(self.file, &layer.context.path),
            tile: Some((self.map.map.tilesets.get(tileset)?.name.clone(), id)),
            object: None,
            line: (line > 0).then_some(line),
            because,
        })
    }
}

/// A box around all cells whose tiles could cover one of `pixels`. The pixels of a tile are in the box
/// `reach`, relative to the bottom-left corner of the tile's cell.
fn cells_at(lattice: &Lattice, pixels: Aabb, reach: Aabb) -> Aabb {
    // The bottom-left corners of the cells are between `first` and `last`.
    let first = pixels.min.as_i64vec2() - reach.max.as_i64vec2() + I64Vec2::ONE;
    let last = pixels.max.as_i64vec2() - I64Vec2::ONE - reach.min.as_i64vec2();
    let corner = |x, y| lattice.cell_bottom_left_pixel(IVec2::new(x, y)).as_i64vec2();
    let zero = corner(0, 0);
    if lattice.is_rectangular() {
        let size = lattice.cell_size().as_i64vec2();
        let before = (first - zero - I64Vec2::ONE).div_euclid(size);
        return cells(before + I64Vec2::ONE, (last - zero).div_euclid(size));
    }
    // The basis vectors are two columns and two rows. A single row may end at half a pixel, or be shifted, as
    // on a staggered map. `slack` covers the remaining error of less than a tile.
    let (right, down) = (corner(2, 0) - zero, corner(0, 2) - zero);
    let slack = lattice.cell_size().as_i64vec2();
    let area = right.x * down.y - right.y * down.x;
    if area == 0 {
        return cells(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into()));
    }
    let (min, max) = (first - zero - slack, last - zero + slack);
    let corners = [min, I64Vec2::new(max.x, min.y), I64Vec2::new(min.x, max.y), max];
    let in_cells = corners.map(|p| {
        let twice = 2 * I64Vec2::new(p.x * down.y - p.y * down.x, right.x * p.y - right.y * p.x);
        I64Vec2::new(twice.x.div_euclid(area), twice.y.div_euclid(area))
    });
    let min = in_cells.into_iter().fold(I64Vec2::MAX, I64Vec2::min);
    let max = in_cells.into_iter().fold(I64Vec2::MIN, I64Vec2::max);
    cells(min - I64Vec2::ONE, max + I64Vec2::ONE)
}

fn cells(first: I64Vec2, last: I64Vec2) -> Aabb {
    let clamp = |cell: I64Vec2| {
        cell.clamp(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into())).as_ivec2()
    };
    Aabb { min: clamp(first), max: clamp(last + I64Vec2::ONE) }
}

/// The box of one pixel.
fn one_pixel(pixel: IVec2) -> Aabb {
    Aabb { min: pixel, max: pixel.saturating_add(IVec2::ONE) }
}

/// True if a tile or object covers a pixel.
fn covers(cover: &Cover, pixel: IVec2) -> bool {
    match cover {
        Cover::Box(area) => area.contains(pixel),
        Cover::Pixels(pixels, at) => {
            let pixel = pixel.saturating_sub(*at);
            let spans = pixels.spans();
            let first = spans.partition_point(|span| span.y < pixel.y);
            let mut in_row = spans[first..].iter().take_while(|span| span.y == pixel.y);
            in_row.any(|span| (span.start..span.end).contains(&pixel.x))
        }
        Cover::Outlines(outlines) => outlines.iter().any(|outline| {
            let mut is_covered = false;
            outline.cover(one_pixel(pixel), &mut |_| is_covered = true);
            is_covered
        }),
    }
}

/// The layers and objects of a map, each with its role: solid, one-way or in an area.
#[derive(Debug)]
#[non_exhaustive]
pub struct Survey<'m> {
    /// The layers and groups, in the order of the file. A group comes before its layers.
    pub layers: Vec<SurveyedLayer<'m>>,
    /// A box around all cells of the map, in pixels; `None` for an infinite map.
    pub area: Option<Aabb>,
    /// The tiles that the map uses and that a tileset file lists. Each entry is the index of the tileset, and
    /// the tile's id in the tileset.
    pub shown: BTreeSet<(usize, u32)>,
}

/// A layer with the effect of the rules on it.
#[derive(Debug)]
#[non_exhaustive]
pub struct SurveyedLayer<'m> {
    /// The layer, with the effects of the groups around the layer.
    pub context: LayerContext<'m>,
    /// True if the rules make the whole layer solid.
    pub is_solid: bool,
    /// True if a tile or object of the layer is solid or one-way, or if the layer's empty cells are solid.
    pub stops: bool,
    /// The objects of the layer; empty if the layer has tiles or a picture.
    pub objects: Vec<SurveyedObject<'m>>,
}

/// An object with the effect of the rules on it.
#[derive(Debug)]
#[non_exhaustive]
pub struct SurveyedObject<'m> {
    /// The object.
    pub object: &'m Object,
    /// True if the object is solid or one-way.
    pub stops: bool,
    /// True if the object is in an area.
    pub is_of_area: bool,
    /// A box around the object's pixels, in pixels of the map. For a tile object, the box may be larger than
    /// the tile.
    pub bounds: Aabb,
    /// The object's box in pixels of the map. For a tile object, this is the box before the rotation. For
    /// other objects, it is equal to `bounds`.
    pub area: Aabb,
}

impl<'m> Survey<'m> {
    /// Finds the role of each layer and object of a map. `counts` and `options` must be the tile counts and
    /// options with which the level was built; otherwise, it may fail. O(cells + objects + tiles that the
    /// tilesets list).
    pub(crate) fn new(
        map: &'m Map,
        counts: &TileCounts,
        options: &'m LoadOptions,
    ) -> Result<Self, Box<BuildError>> {
        let prepared = PreparedMap::new(map, options, counts)?;
        let mut survey = Self { layers: Vec::new(), area: prepared.area(), shown: BTreeSet::new() };
        for layer in prepared.layers() {
            let layer = layer?;
            let mut stops = false;
            let mut objects = Vec::new();
            match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => stops = survey.tiles(tiles, &layer.role, &prepared),
                LayerContent::Objects(of_layer) => {
                    for object in &of_layer.objects {
                        objects.push(prepared.surveyed(object, &layer)?);
                        let tile = object.gid.and_then(|gid| prepared.tiles.place(gid));
                        survey.shown.extend(tile.filter(|tile| is_named(map, *tile)));
                    }
                    stops = objects.iter().any(|object| object.stops);
                }
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
            let is_solid = layer.role.solid.is_some();
            let RuledLayer { context, .. } = layer;
            survey.layers.push(SurveyedLayer { context, is_solid, stops, objects });
        }
        Ok(survey)
    }

    /// Adds the tiles of a layer to `shown`. Returns true for a floor layer, and for a layer with a solid or
    /// one-way tile.
    fn tiles(&mut self, layer: &TileLayer, role: &Role, prepared: &PreparedMap<'_>) -> bool {
        let mut stops = role.is_floor;
        // Most cells have the same tile as the cell before.
        let mut last = 0;
        for gid in layer.blocks.iter().flat_map(|block| &block.cells) {
            let gid = gid & !flip::ALL;
            if gid == last || gid == 0 {
                continue;
            }
            last = gid;
            if let Some(tile) =
                prepared.tiles.place(gid).filter(|tile| is_named(prepared.map, *tile))
            {
                self.shown.insert(tile);
            }
            let meaning = prepared.tiles.meaning(gid).filter(|_| !stops);
            stops |= meaning.is_some_and(|meaning| meaning.stop(role).is_some());
        }
        stops
    }
}

fn is_named(map: &Map, (tileset, id): (usize, u32)) -> bool {
    map.tilesets.get(tileset).is_some_and(|set| set.tiles.contains_key(&id))
}

impl PreparedMap<'_> {
    fn surveyed<'m>(
        &self,
        object: &'m Object,
        layer: &RuledLayer<'_>,
    ) -> Result<SurveyedObject<'m>, LoadErrorKind> {
        let role = Role::of_object(object, &layer.role, self.options)?;
        let mut stops = false;
        let mut is_of_area = false;
        if let Some(gid) = object.gid {
            let meaning = self.tiles.meaning(gid);
            for (claim, _) in meaning.into_iter().flat_map(|meaning| meaning.claims(&role)) {
                match claim {
                    Claim::Area(_) => is_of_area = true,
                    Claim::Solid | Claim::OneWay(_) => stops = true,
                }
            }
        } else if !matches!(object.shape, Shape::Text(_)) {
            stops = role.one_way.is_some() || role.solid.is_some();
            is_of_area = !role.areas.is_empty();
        }
        let position = self.lattice.point(object.position) + layer.offset;
        let tile = self.tile_object(object);
        let bounds = match object.gid {
            None => self.outline(object, layer.offset).map_or_else(Aabb::default, |it| it.bounds()),
            Some(_) => {
                // A tile reaches at most its width plus its height from the object's position, with any flips
                // and alignment.
                let natural = tile.as_ref().map_or_else(Point::default, |tile| tile.natural);
                let mut reach = 0i32;
                for side in [natural.x, natural.y, object.size.x, object.size.y] {
                    reach = reach.saturating_add(saturated(side.floor()).saturating_add(1));
                }
                let reach = IVec2::splat(reach);
                Aabb {
                    min: floor(position).saturating_sub(reach),
                    max: floor(position).saturating_add(reach),
                }
            }
        };
        let area = tile.map_or(bounds, |tile| {
            let corner = position + tile.to_corner;
            covered_box(corner.x, corner.y - tile.size.y, tile.size.x, tile.size.y)
        });
        Ok(SurveyedObject { object, stops, is_of_area, bounds, area })
    }
}
