//! Why a pixel is solid, and the part that each layer and object plays: answers from the document, by the
//! same functions that build the level.

use std::collections::BTreeSet;

#[cfg(feature = "baked")]
use glam::UVec2;
use glam::{I64Vec2, IVec2};

use super::cells::{CellAction, CellIndex};
use super::gather::{PreparedMap, Stamps, covered_box, displaced};
use super::pieces::{Claim, Cover, TileImage};
use super::tiles::{Role, RuledLayer, TileCounts, TileMeaning, layers};
use super::{BuildError, InputMap, in_file, pieces};
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, saturated};
use crate::level::Provenance;
#[cfg(feature = "baked")]
use crate::limits::{STEPS_A_ROW, Spent};
use crate::options::LoadOptions;
use crate::tmx::{
    CellBlock, Decimal, Lattice, LayerContent, LayerContext, Map, Object, ObjectLayer, Shape,
    TileLayer, flip,
};

/// Says of each pixel of the part of a level that one map made why it is solid.
pub(crate) struct MapExplainer<'m> {
    file: Option<String>,
    /// From pixels of the level to those of the map.
    to_map: IVec2,
    /// The pixels that the level shows; `None` for all of an infinite map.
    area: Option<Aabb>,
    map: PreparedMap<'m>,
    stamps: Stamps<'m>,
    /// In the order in which they are looked at.
    causes: Vec<CauseSource<'m>>,
}

/// Something that may make pixels solid.
enum CauseSource<'m> {
    Tiles(TilesCause<'m>),
    /// A part of an object, and a box around it.
    Object(Cover, Aabb, Provenance),
}

/// The tiles of a layer.
struct TilesCause<'m> {
    layer: RuledLayer<'m>,
    blocks: CellIndex<'m>,
    /// A box around the pixels that a tile could cover, from the bottom-left corner of its cell.
    reach: Aabb,
}

impl<'m> MapExplainer<'m> {
    /// For a level whose corner is at `origin`. `counts` are the map's tile counts as [`super::BuiltMap`] has
    /// them, and `options` those that the level was built with. O(tiles and objects of the map that are named
    /// in the files).
    ///
    /// # Errors
    /// None if the level was built.
    pub(crate) fn new(
        placed: &InputMap<'m>,
        counts: &TileCounts,
        origin: IVec2,
        options: &'m LoadOptions,
    ) -> Result<Self, Box<BuildError>> {
        let map = PreparedMap::new(placed.map, options, counts)?;
        let stamps = Stamps::new(&map.lattice, &options.limits);
        let reach_of = |meaning: &TileMeaning| {
            let extents = meaning.extents().map(|extent| stamps.reach(extent));
            extents.reduce(Aabb::hull).unwrap_or_default()
        };
        let reaches: Vec<Aabb> = map.tiles.meanings.iter().map(reach_of).collect();
        let mut explainer = Self {
            file: placed.file.clone(),
            to_map: origin.saturating_sub(placed.position),
            area: map.area(),
            stamps,
            map,
            causes: Vec::new(),
        };
        for layer in layers(placed.map, explainer.map.lattice, options) {
            let layer = layer?;
            match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => explainer.add_tiles(&tiles.blocks, layer, &reaches),
                LayerContent::Objects(objects) => explainer.add_objects(objects, &layer)?,
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
        }
        explainer.causes.sort_by_key(|cause| match cause {
            CauseSource::Tiles(tiles) => tiles.layer.role.solid.is_none(),
            CauseSource::Object(..) => false,
        });
        Ok(explainer)
    }

    fn add_tiles(&mut self, blocks: &'m [CellBlock], layer: RuledLayer<'m>, reaches: &[Aabb]) {
        let placed = self.map.tiles.meanings.iter().zip(reaches).filter(|(meaning, _)| {
            let claim = meaning.claims(&layer.role).next();
            matches!(claim, Some((Claim::Solid | Claim::OneWay(_), _)))
        });
        let reach = placed.map(|(_, reach)| *reach).reduce(Aabb::hull);
        if let Some(reach) = reach {
            let reach = displaced(reach, layer.offset);
            let blocks = CellIndex::new(blocks);
            self.causes.push(CauseSource::Tiles(TilesCause { layer, blocks, reach }));
        }
    }

    fn add_objects(
        &mut self,
        objects: &ObjectLayer,
        layer: &RuledLayer<'_>,
    ) -> Result<(), LoadErrorKind> {
        for object in &objects.objects {
            let found = match self.map.object_parts(object, layer, &mut self.stamps) {
                Err(LoadErrorKind::UnknownTile { .. }) if self.map.options.lenient => continue,
                found => found?,
            };
            for (claim, cover) in found.parts {
                let because = match claim {
                    Claim::Solid => found.because.clone(),
                    Claim::OneWay(_) => "it is one-way".to_owned(),
                    Claim::Area(_) => continue,
                };
                let bounds = cover.bounds();
                let provenance = Provenance {
                    layer: in_file(self.file.as_ref(), &layer.context.path),
                    tile: None,
                    object: Some(object.id),
                    line: line(object.line),
                    because,
                };
                self.causes.push(CauseSource::Object(cover, bounds, provenance));
            }
        }
        Ok(())
    }

    /// The first thing that covers a pixel of the level as something solid or one-way: layers and objects
    /// that are so by a rule come before tiles that say so themselves. `None` for a pixel that nothing
    /// covers, and for a gap between the tiles of a floor layer. In a world the layer is named with the file
    /// of its map.
    ///
    /// O(tile layers x cells whose shapes could reach the pixel + solid objects).
    pub(crate) fn explain(&mut self, pixel: IVec2) -> Option<Provenance> {
        let pixel = pixel.saturating_add(self.to_map);
        if self.area.is_some_and(|area| !area.contains(pixel)) {
            return None;
        }
        for cause in &self.causes {
            match cause {
                CauseSource::Tiles(tiles) => {
                    if let Some(gid) = tiles.covering(pixel, &self.map, &mut self.stamps) {
                        return self.tile(&tiles.layer, gid);
                    }
                }
                CauseSource::Object(cover, bounds, provenance) => {
                    if bounds.contains(pixel) && cover.contains(pixel) {
                        return Some(provenance.clone());
                    }
                }
            }
        }
        None
    }

    /// Why the tile of a layer is solid.
    fn tile(&self, layer: &RuledLayer<'_>, gid: u32) -> Option<Provenance> {
        let (tileset, id) = self.map.tiles.place(gid)?;
        let because = self.map.tiles.meaning(gid)?.reason(&layer.role);
        let because = because.cloned().unwrap_or_else(|| "it is one-way".to_owned());
        Some(Provenance {
            layer: in_file(self.file.as_ref(), &layer.context.path),
            tile: Some((self.map.map.tilesets.get(tileset)?.name.clone(), id)),
            object: None,
            line: line(layer.context.layer.line),
            because,
        })
    }
}

/// A line of a file, if it is one.
fn line(line: u32) -> Option<u32> {
    Some(line).filter(|line| *line > 0)
}

impl TilesCause<'_> {
    /// The number of the tile that covers a pixel: the first, row by row. A tile that is just a solid cell
    /// comes before one whose shapes reach the pixel.
    fn covering(
        &self,
        pixel: IVec2,
        map: &PreparedMap<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Option<u32> {
        let cells = cells_at(&map.lattice, Aabb::from_xywh(pixel.x, pixel.y, 1, 1), self.reach);
        let mut first: Option<((bool, i32, i32), u32)> = None;
        self.blocks.visit(cells, |cell, gid| {
            if let Some(is_cell) = self.covers(cell, gid, pixel, map, stamps) {
                let found = ((!is_cell, cell.y, cell.x), gid);
                first = Some(first.map_or(found, |first| first.min(found)));
            }
        });
        first.map(|(_, gid)| gid)
    }

    /// `None` if the tile of a cell does not cover the pixel; else true if the tile is just a solid cell.
    fn covers(
        &self,
        cell: IVec2,
        gid: u32,
        pixel: IVec2,
        map: &PreparedMap<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Option<bool> {
        let meaning = map.tiles.meaning(gid)?;
        let mut is_covered = false;
        self.each_cover(cell, gid, map, stamps, |cover| is_covered |= cover.contains(pixel));
        is_covered.then(|| self.is_cell(meaning, &map.lattice))
    }

    /// True if a tile of this meaning is just a solid cell.
    fn is_cell(&self, meaning: &TileMeaning, lattice: &Lattice) -> bool {
        CellAction::new(meaning, &self.layer.role, lattice) != CellAction::Place
    }

    /// Passes on all that the tile of a cell covers as something solid or one-way.
    fn each_cover(
        &self,
        cell: IVec2,
        gid: u32,
        map: &PreparedMap<'_>,
        stamps: &mut Stamps<'_>,
        mut visit: impl FnMut(&Cover),
    ) {
        let Some(meaning) = map.tiles.meaning(gid) else { return };
        let (flips, offset) = (gid & flip::ALL, self.layer.offset);
        for (claim, extent) in meaning.claims(&self.layer.role) {
            for edge in claim.edges() {
                if let Ok(cover) = stamps.of_cell(cell, extent, flips, edge, offset) {
                    visit(&cover);
                }
            }
        }
    }
}

/// The cells whose tiles could cover one of these pixels, if none covers more than `reach` from the
/// bottom-left corner of its cell: the first and, exclusive, the last.
fn cells_at(lattice: &Lattice, pixels: Aabb, reach: Aabb) -> Aabb {
    // The corners of these cells are from `first` to `last`.
    let first = pixels.min.as_i64vec2() - reach.max.as_i64vec2() + I64Vec2::ONE;
    let last = pixels.max.as_i64vec2() - I64Vec2::ONE - reach.min.as_i64vec2();
    let corner = |x, y| lattice.cell_bottom_left_pixel(IVec2::new(x, y)).as_i64vec2();
    let zero = corner(0, 0);
    if lattice.is_rectangular() {
        let size = lattice.cell_size().as_i64vec2();
        let before = (first - zero - I64Vec2::ONE).div_euclid(size);
        return cells(before + I64Vec2::ONE, (last - zero).div_euclid(size));
    }
    // Two steps make up for halves of pixels and for lines that are shifted, but for less than a tile.
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

/// The cells from `first` to `last`.
fn cells(first: I64Vec2, last: I64Vec2) -> Aabb {
    let clamp = |cell: I64Vec2| {
        cell.clamp(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into())).as_ivec2()
    };
    Aabb { min: clamp(first), max: clamp(last + I64Vec2::ONE) }
}

/// The width and height of a square, in cells.
#[cfg(feature = "baked")]
const SQUARE: i64 = 64;

/// The steps of work for a cell of a layer that is looked at, for one with a tile, and for a row of cells
/// that a tile or an object covers.
#[cfg(feature = "baked")]
const STEPS_A_CELL: u64 = 4;
#[cfg(feature = "baked")]
const STEPS_A_TILE: u64 = 150;
#[cfg(feature = "baked")]
const STEPS_A_COVERED_ROW: u64 = 4;

/// A cause of an [`MapExplainer`]: its index and, of a tile layer, the number of the tile.
#[cfg(feature = "baked")]
pub(crate) type CauseKey = (u32, u32);

/// Cells of a level.
#[cfg(feature = "baked")]
pub(crate) struct Square {
    /// The first pixel of the first cell, in pixels of the level.
    pub(crate) corner: IVec2,
    /// The size of a cell.
    pub(crate) cell: UVec2,
    /// The rows of cells whose cause is not known yet.
    pub(crate) rest: [u64; SQUARE as usize],
}

#[cfg(feature = "baked")]
impl Square {
    /// Passes on the rows in which a cover has the first pixels of cells, and these cells as bits. `corner`
    /// is that of the square in the pixels of the cover.
    fn covered(&self, corner: IVec2, cover: &Cover, emit: &mut impl FnMut(usize, u64)) {
        let (corner, cell) = (corner.as_i64vec2(), self.cell.as_i64vec2());
        let count = |end: i64, cell: i64| (end + cell - 1).div_euclid(cell).clamp(0, SQUARE);
        let columns = |start: i32, end: i32| {
            let start = count(i64::from(start) - corner.x, cell.x);
            let end = count(i64::from(end) - corner.x, cell.x);
            match end - start {
                length @ 1.. => (u64::MAX >> (SQUARE - length)) << start,
                _ => 0,
            }
        };
        let mut span = |y: i64, start: i32, end: i32| {
            let row = (y - corner.y).div_euclid(cell.y);
            if (y - corner.y).rem_euclid(cell.y) == 0 && (0..SQUARE).contains(&row) {
                emit(row as usize, columns(start, end));
            }
        };
        match cover {
            Cover::Box(Aabb { min, max }) => {
                let [first, end] = [min.y, max.y].map(|y| count(i64::from(y) - corner.y, cell.y));
                (first..end).for_each(|row| span(corner.y + row * cell.y, min.x, max.x));
            }
            Cover::Pixels(pixels, at) => {
                let top = corner.y - i64::from(at.y);
                let spans = pixels.spans();
                let first = spans.partition_point(|span| i64::from(span.y) < top);
                let end = spans.partition_point(|span| i64::from(span.y) < top + SQUARE * cell.y);
                for part in &spans[first..end.max(first)] {
                    let x = |x: i32| x.saturating_add(at.x);
                    span(i64::from(part.y) + i64::from(at.y), x(part.start), x(part.end));
                }
            }
            Cover::Outlines(outlines) => {
                let clip = pixels_from(corner.as_ivec2(), self.cell);
                for outline in outlines.iter() {
                    outline.cover(clip, &mut |part| span(part.y.into(), part.start, part.end));
                }
            }
        }
    }
}

/// The pixels of a square from this one on.
#[cfg(feature = "baked")]
fn pixels_from(corner: IVec2, cell: UVec2) -> Aabb {
    let end = corner.as_i64vec2() + cell.as_i64vec2() * SQUARE;
    let end = end.clamp(I64Vec2::splat(i32::MIN.into()), I64Vec2::splat(i32::MAX.into()));
    Aabb { min: corner, max: end.as_ivec2() }
}

#[cfg(feature = "baked")]
impl MapExplainer<'_> {
    /// Takes the cells of a square whose cause is in this map, and passes on each cause with a row of the
    /// square and the cells in it, as bits. O(tile layers x cells whose shapes could reach the square + solid
    /// objects).
    ///
    /// # Errors
    /// Work beyond the limit.
    pub(crate) fn explain_square(
        &mut self,
        square: &mut Square,
        spent: &mut Spent,
        mut found: impl FnMut(CauseKey, usize, u64),
    ) -> Result<(), LoadErrorKind> {
        let Self { map, causes, stamps, .. } = self;
        let limits = &map.options.limits;
        let corner = square.corner.saturating_add(self.to_map);
        let pixels = pixels_from(corner, square.cell);
        // Cells that this map does not show are none of its causes'.
        let mut shown = [u64::MAX; SQUARE as usize];
        if let Some(area) = self.area {
            shown = [0; SQUARE as usize];
            square.covered(corner, &Cover::Box(area), &mut |row, cells| shown[row] = cells);
        }
        let mut take = |cover: &Cover, key: CauseKey| {
            let (mut rows, mut taken) = (0, Vec::new());
            square.covered(corner, cover, &mut |row, cells| {
                rows += 1;
                taken.push((row, cells & shown[row]));
            });
            for (row, cells) in taken {
                let cells = cells & square.rest[row];
                if cells != 0 {
                    square.rest[row] &= !cells;
                    found(key, row, cells);
                }
            }
            rows * STEPS_A_COVERED_ROW
        };
        spent.work(causes.len() as u64, limits)?;
        for (cause, index) in causes.iter().zip(0..) {
            match cause {
                CauseSource::Object(cover, bounds, _) if bounds.overlaps(pixels) => {
                    if let Cover::Outlines(outlines) = cover {
                        let work = outlines.iter().map(|outline| outline.work(pixels));
                        let work = work.fold(0, u64::saturating_add);
                        spent.work(work.saturating_mul(STEPS_A_ROW), limits)?;
                    }
                    spent.work(take(cover, (index, 0)), limits)?;
                }
                CauseSource::Object(..) => {}
                CauseSource::Tiles(tiles) => {
                    let cells = cells_at(&map.lattice, pixels, tiles.reach);
                    for (_, y, x, gid) in tiles.near(cells, map, spent)? {
                        let cell = IVec2::new(x, y);
                        let (mut steps, key) = (STEPS_A_TILE, (index, gid & !flip::ALL));
                        tiles.each_cover(cell, gid, map, stamps, |cover| {
                            steps += take(cover, key);
                        });
                        spent.work(steps, limits)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A cause that was passed on.
    pub(crate) fn provenance_of(&self, (cause, gid): CauseKey) -> Option<Provenance> {
        match self.causes.get(cause as usize)? {
            CauseSource::Tiles(tiles) => self.tile(&tiles.layer, gid),
            CauseSource::Object(_, _, provenance) => Some(provenance.clone()),
        }
    }
}

#[cfg(feature = "baked")]
impl TilesCause<'_> {
    /// The tiles of some cells that are a cause, in the order in which they are: false for one that is just a
    /// solid cell, its row, its column and its number.
    fn near(
        &self,
        cells: Aabb,
        map: &PreparedMap<'_>,
        spent: &mut Spent,
    ) -> Result<Vec<(bool, i32, i32, u32)>, LoadErrorKind> {
        let mut near = Vec::new();
        let looked_at = self.blocks.visit(cells, |cell, gid| {
            let meaning = map.tiles.meaning(gid);
            if let Some(meaning) =
                meaning.filter(|tile| tile.claims(&self.layer.role).next().is_some())
            {
                near.push((!self.is_cell(meaning, &map.lattice), cell.y, cell.x, gid));
            }
        });
        spent.work(looked_at * STEPS_A_CELL, &map.options.limits)?;
        near.sort_unstable();
        Ok(near)
    }
}

/// A map with the part that each layer and object plays in its level.
#[derive(Debug)]
pub struct Survey<'m> {
    /// In the order of the file.
    pub layers: Vec<SurveyedLayer<'m>>,
    /// The pixels of the map's cells; `None` for an infinite map.
    pub area: Option<Aabb>,
    /// The tiles that are shown and that their tilesets name, by the tileset's index and the tile's id.
    pub shown: BTreeSet<(usize, u32)>,
}

/// A layer with the part that it plays.
#[derive(Debug)]
pub struct SurveyedLayer<'m> {
    /// The layer, with what it takes over from its groups.
    pub context: LayerContext<'m>,
    /// True if the rules make all of it solid.
    pub is_solid: bool,
    /// True if something on it is solid or one-way.
    pub stops: bool,
    /// Those of an object layer.
    pub objects: Vec<SurveyedObject<'m>>,
}

/// An object with the part that it plays.
#[derive(Debug)]
pub struct SurveyedObject<'m> {
    /// The object.
    pub object: &'m Object,
    /// True if it is solid or one-way.
    pub stops: bool,
    /// True if it is part of an area.
    pub is_of_area: bool,
    /// A box that holds all its pixels, in pixels of the map.
    pub bounds: Aabb,
    /// Its own box in pixels of the map; that of a tile as if it were not rotated.
    pub area: Aabb,
}

impl<'m> Survey<'m> {
    /// `counts` are the map's tile counts as [`super::BuiltMap`] has them, and `options` those that its level
    /// was built with. O(cells + objects + tiles that the files name).
    ///
    /// # Errors
    /// None if the level was built.
    pub(crate) fn new(
        map: &'m Map,
        counts: &TileCounts,
        options: &'m LoadOptions,
    ) -> Result<Self, Box<BuildError>> {
        let prepared = PreparedMap::new(map, options, counts)?;
        let mut survey = Self { layers: Vec::new(), area: prepared.area(), shown: BTreeSet::new() };
        for layer in layers(map, prepared.lattice, options) {
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

    /// Notes the tiles of a layer of this role; true if one of them is solid or one-way.
    fn tiles(&mut self, layer: &TileLayer, role: &Role, prepared: &PreparedMap<'_>) -> bool {
        let mut stops = role.is_floor;
        // Most tiles are like the one before.
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
            stops |= meaning.is_some_and(|meaning| meaning.claims(role).any(|(it, _)| is_stop(it)));
        }
        stops
    }
}

/// True if the tileset names the tile.
fn is_named(map: &Map, (tileset, id): (usize, u32)) -> bool {
    map.tilesets.get(tileset).is_some_and(|set| set.tiles.contains_key(&id))
}

fn is_stop(claim: Claim) -> bool {
    matches!(claim, Claim::Solid | Claim::OneWay(_))
}

impl PreparedMap<'_> {
    /// The part that an object plays.
    fn surveyed<'m>(
        &self,
        object: &'m Object,
        layer: &RuledLayer<'_>,
    ) -> Result<SurveyedObject<'m>, LoadErrorKind> {
        let role = Role::of_object(object, &layer.role, self.options)?;
        let (mut stops, mut is_of_area) = (false, false);
        let mut note = |claim| match claim {
            Claim::Area(_) => is_of_area = true,
            Claim::Solid | Claim::OneWay(_) => stops = true,
        };
        if let Some(gid) = object.gid {
            let meaning = self.tiles.meaning(gid);
            let claims = meaning.into_iter().flat_map(|meaning| meaning.object_claims(&role));
            claims.for_each(|(claim, _)| note(claim));
        } else if !matches!(object.shape, Shape::Text(_)) {
            stops = role.one_way.is_some() || role.solid.is_some();
            is_of_area = !role.areas.is_empty();
        }
        let bounds = self.bounds(object, layer);
        let area = self.tile_area(object, layer).unwrap_or(bounds);
        Ok(SurveyedObject { object, stops, is_of_area, bounds, area })
    }

    /// The box of a tile, as if it were not rotated; `None` for other objects.
    fn tile_area(&self, object: &Object, layer: &RuledLayer<'_>) -> Option<Aabb> {
        let (index, id) = self.tiles.place(object.gid?)?;
        let tileset = self.map.tilesets.get(index)?;
        let picture = TileImage::new(tileset, tileset.tiles.get(&id), self.map.tile_size);
        let (natural, stated) = (pieces::size_of(picture.size), object.size);
        let is_sized = stated.x > Decimal::ZERO && stated.y > Decimal::ZERO;
        let size = if is_sized { stated } else { natural };
        let to_corner = pieces::to_corner(tileset.alignment, self.lattice.is_isometric(), size);
        let corner = self.lattice.point(object.position) + layer.offset + to_corner;
        Some(covered_box(corner.x, corner.y - size.y, size.x, size.y))
    }

    /// A box that holds all pixels of an object.
    fn bounds(&self, object: &Object, layer: &RuledLayer<'_>) -> Aabb {
        let Some(gid) = object.gid else {
            let outline = self.outline(object, layer.offset);
            return outline.map_or_else(Aabb::default, |outline| outline.bounds());
        };
        let (index, id) = self.tiles.place(gid).unwrap_or_default();
        let tileset = self.map.tilesets.get(index);
        let picture =
            tileset.map(|set| TileImage::new(set, set.tiles.get(&id), self.map.tile_size));
        let natural = picture.map(|picture| pieces::size_of(picture.size)).unwrap_or_default();
        // However a tile is turned, flipped and aligned, it is not further away than both its sides.
        let reach = |side: i64| i32::try_from(side).unwrap_or(i32::MAX).saturating_add(1);
        let sides = [natural.x, natural.y, object.size.x, object.size.y];
        let reach = sides.into_iter().map(|side| reach(side.floor())).fold(0, i32::saturating_add);
        let at = self.lattice.point(object.position) + layer.offset;
        let at = IVec2::new(saturated(at.x.floor()), saturated(at.y.floor()));
        let reach = IVec2::splat(reach);
        Aabb { min: at.saturating_sub(reach), max: at.saturating_add(reach) }
    }
}
