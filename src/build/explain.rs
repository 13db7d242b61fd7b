//! Why a pixel is solid: the layers and objects of the document that cover it, found by the same functions
//! that build the level.
//!
//! It draws nothing but tiles' shapes, each once, and looks only at cells that can reach the pixel.

use glam::{I64Vec2, IVec2};

#[cfg(feature = "baked")]
pub(crate) mod square;

use super::cell_index::CellIndex;
use super::classify::CellAction;
use super::pieces::{Claim, Cover};
use super::prepared::PreparedMap;
use super::refusal::BuildError;
use super::roles::{RuledLayer, layers};
use super::stamps::{Stamps, displaced};
use super::tile_meaning::TileMeaning;
use super::tile_table::TileCounts;
use super::{PlacedMap, in_file};
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::level::Provenance;
use crate::options::LoadOptions;
use crate::tmx::{CellBlock, Lattice, LayerContent, ObjectLayer, flip};

/// Says of each pixel of the part of a level that one map made why it is solid.
pub(crate) struct Explainer<'m> {
    file: Option<String>,
    /// From pixels of the level to those of the map.
    to_map: IVec2,
    /// The pixels that the level shows; `None` for all of an infinite map.
    area: Option<Aabb>,
    map: PreparedMap<'m>,
    stamps: Stamps<'m>,
    /// In the order in which they are looked at.
    causes: Vec<Cause<'m>>,
}

/// Something that may make pixels solid.
enum Cause<'m> {
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

impl<'m> Explainer<'m> {
    /// For a level whose corner is at `origin`. `counts` are the map's tile counts as [`super::BuiltMap`] has
    /// them, and `options` those that the level was built with. O(tiles and objects of the map that are named
    /// in the files).
    ///
    /// # Errors
    /// None if the level was built.
    pub(crate) fn new(
        placed: &PlacedMap<'m>,
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
            Cause::Tiles(tiles) => tiles.layer.role.solid.is_none(),
            Cause::Object(..) => false,
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
            self.causes.push(Cause::Tiles(TilesCause { layer, blocks, reach }));
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
                self.causes.push(Cause::Object(cover, bounds, provenance));
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
                Cause::Tiles(tiles) => {
                    if let Some(gid) = tiles.covering(pixel, &self.map, &mut self.stamps) {
                        return self.tile(&tiles.layer, gid);
                    }
                }
                Cause::Object(cover, bounds, provenance) => {
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
        CellAction::of(meaning, &self.layer.role, lattice) != CellAction::Place
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
