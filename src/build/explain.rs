//! Why a pixel is solid: the layers and objects of the document that cover it, judged as when the level was
//! built.
//!
//! It draws nothing but tiles' shapes, each once, and looks only at cells that can reach the pixel.

use glam::{I64Vec2, IVec2};

use super::PlacedMap;
use super::cells::{CellPart, cell_box, parts};
use super::classify::CellAction;
use super::facts::Provenance;
use super::layer_role::{LayerRole, LayerRoles};
use super::objects::Cover;
use super::prepared::PreparedMap;
use super::stamps::{Stamp, Stamps};
use super::tile_table::TileCounts;
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Point;
use crate::geometry::{Aabb, Dir, Sides};
use crate::options::LoadOptions;
use crate::tmx::{CellBlock, Lattice, Layer, LayerContent, LayerContext, ObjectLayer, flip};

/// Says of each pixel of a level why it is solid.
pub(crate) struct Explainer<'m> {
    maps: Vec<MapExplainer<'m>>,
}

impl<'m> Explainer<'m> {
    /// For the level whose corner is at `origin`, of these maps, each with its tile counts as
    /// [`super::BuiltMap`] has them. `options` must be those that the level was built with. O(tiles and
    /// objects of the maps that are named in the files).
    ///
    /// # Errors
    /// None if the level was built.
    pub(crate) fn new(
        maps: &[(PlacedMap<'m>, &TileCounts)],
        origin: IVec2,
        options: &'m LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let maps = maps.iter();
        let explainers = maps.map(|(map, counts)| MapExplainer::new(map, counts, origin, options));
        let maps = explainers.collect::<Result<_, _>>()?;
        Ok(Self { maps })
    }

    /// The first thing that covers a pixel of the level as something solid or one-way: layers and objects
    /// that are so by a rule come before tiles that say so themselves. `None` for a pixel that nothing
    /// covers, and for a gap between the tiles of a floor layer. In a world the layer is named with the file
    /// of its map.
    ///
    /// O(tile layers x cells whose shapes could reach the pixel + solid objects).
    pub(crate) fn explain(&mut self, pixel: IVec2) -> Option<Provenance> {
        self.maps.iter_mut().find_map(|map| map.explain(pixel))
    }
}

/// The same for one map.
struct MapExplainer<'m> {
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
    Object(ObjectCause),
}

/// The tiles of a layer.
struct TilesCause<'m> {
    context: LayerContext<'m>,
    blocks: &'m [CellBlock],
    role: LayerRole,
    /// By the meaning of a tile.
    actions: Vec<CellAction>,
    /// How far the layer is displaced in the level.
    offset: Point,
    /// A box around the pixels that a tile could cover, from the bottom-left corner of its cell.
    reach: Aabb,
}

/// A part of an object.
struct ObjectCause {
    cover: Cover,
    /// A box around it.
    bounds: Aabb,
    provenance: Provenance,
}

impl<'m> MapExplainer<'m> {
    fn new(
        placed: &PlacedMap<'m>,
        counts: &TileCounts,
        origin: IVec2,
        options: &'m LoadOptions,
    ) -> Result<Self, LoadErrorKind> {
        let map = PreparedMap::new(placed.map, options, counts)?;
        let to_map = origin.saturating_sub(placed.position);
        let mut explainer = Self {
            file: placed.file.clone(),
            to_map,
            area: (!placed.map.is_infinite).then(|| map.area()),
            stamps: Stamps::new(&map.lattice, &options.limits),
            map,
            causes: Vec::new(),
        };
        let mut roles = LayerRoles::new(options);
        for context in placed.map.walk() {
            let role = roles.next(&context)?;
            match &context.layer.content {
                LayerContent::Tiles(tiles) => explainer.add_tiles(&tiles.blocks, context, role),
                LayerContent::Objects(of_layer) => {
                    explainer.add_objects(of_layer, &context, &role)?;
                }
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
        }
        explainer.causes.sort_by_key(|cause| match cause {
            Cause::Tiles(tiles) => tiles.role.solid.is_none(),
            Cause::Object(_) => false,
        });
        Ok(explainer)
    }

    fn add_tiles(&mut self, blocks: &'m [CellBlock], context: LayerContext<'m>, role: LayerRole) {
        let lattice = &self.map.lattice;
        let offset = lattice.layer_offset(context.offset);
        let meanings = &self.map.tiles.meanings;
        let action = |meaning| CellAction::of(meaning, &role, lattice);
        let actions: Vec<CellAction> = meanings.iter().map(action).collect();
        let stamps = &self.stamps;
        let placed = meanings.iter().zip(&actions);
        let placed = placed.filter(|(_, action)| **action != CellAction::Ignore);
        let parts = placed.flat_map(|(meaning, _)| parts(meaning, &role));
        let reaches = parts.filter_map(|part| match part {
            CellPart::Solid(extent) | CellPart::OneWay(_, extent) => {
                Some(stamps.reach(extent, offset))
            }
            CellPart::Area(..) => None,
        });
        let Some(reach) = reaches.reduce(Aabb::hull) else {
            return;
        };
        self.causes.push(Cause::Tiles(TilesCause {
            context,
            blocks,
            role,
            actions,
            offset,
            reach,
        }));
    }

    fn add_objects(
        &mut self,
        of_layer: &ObjectLayer,
        context: &LayerContext<'_>,
        role: &LayerRole,
    ) -> Result<(), LoadErrorKind> {
        for object in &of_layer.objects {
            let judged = self.map.judge_object(object, context, role, &mut self.stamps);
            let judged = match judged {
                Err(LoadErrorKind::UnknownTile { .. }) if self.map.options.lenient => continue,
                judged => judged?,
            };
            for (claims, cover) in judged.parts {
                let because = match (claims.solid, claims.one_way) {
                    (Some(because), _) => because,
                    (None, Some(_)) => "it is one-way".to_owned(),
                    (None, None) => continue,
                };
                self.causes.push(Cause::Object(ObjectCause {
                    bounds: cover.bounds(),
                    cover,
                    provenance: Provenance {
                        layer: self.layer_name(&context.path),
                        tile: None,
                        object: Some(object.id),
                        line: line(object.line),
                        because,
                    },
                }));
            }
        }
        Ok(())
    }

    fn layer_name(&self, path: &str) -> String {
        match &self.file {
            Some(file) => format!("{file}/{path}"),
            None => path.to_owned(),
        }
    }

    fn explain(&mut self, pixel: IVec2) -> Option<Provenance> {
        let pixel = pixel.saturating_add(self.to_map);
        if self.area.is_some_and(|area| !area.contains(pixel)) {
            return None;
        }
        for cause in &self.causes {
            match cause {
                Cause::Tiles(tiles) => {
                    if let Some(gid) = tiles.covering(pixel, &self.map, &mut self.stamps) {
                        return self.tile(tiles, gid);
                    }
                }
                Cause::Object(object) => {
                    if object.bounds.contains(pixel) && object.cover.contains(pixel) {
                        return Some(object.provenance.clone());
                    }
                }
            }
        }
        None
    }

    /// Why the tile of a layer is solid.
    fn tile(&self, tiles: &TilesCause<'_>, gid: u32) -> Option<Provenance> {
        let (tileset, id) = self.map.tiles.place(gid)?;
        let own = self.map.tiles.meaning(gid)?.solid.as_ref();
        let of_layer = tiles.role.solid.clone();
        let because = of_layer.or_else(|| own.map(|(because, _)| because.clone()));
        let layer: &Layer = tiles.context.layer;
        Some(Provenance {
            layer: self.layer_name(&tiles.context.path),
            tile: Some((self.map.map.tilesets.get(tileset)?.name.clone(), id)),
            object: None,
            line: line(layer.line),
            because: because.unwrap_or_else(|| "it is one-way".to_owned()),
        })
    }
}

/// A line of a file, if it is one.
fn line(line: u32) -> Option<u32> {
    Some(line).filter(|line| *line > 0)
}

impl TilesCause<'_> {
    /// The number of the tile that covers a pixel: the one whose cell it is, if that is solid.
    fn covering(
        &self,
        pixel: IVec2,
        map: &PreparedMap<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Option<u32> {
        let cells = cells_at(&map.lattice, pixel, self.reach);
        let mut placed = None;
        for block in self.blocks {
            let end = block.origin.saturating_add(block.size.as_ivec2());
            let (min, max) = (cells.min.max(block.origin), cells.max.min(end));
            for y in min.y..max.y {
                for x in min.x..max.x {
                    let cell = IVec2::new(x, y);
                    let Some(gid) = block.gid(cell).filter(|gid| *gid != 0) else {
                        continue;
                    };
                    match self.covers(cell, gid, pixel, map, stamps) {
                        Some(true) => return Some(gid),
                        Some(false) => placed = placed.or(Some(gid)),
                        None => {}
                    }
                }
            }
        }
        placed
    }

    /// If the tile of a cell covers a pixel: true if it does so by its cell alone.
    fn covers(
        &self,
        cell: IVec2,
        gid: u32,
        pixel: IVec2,
        map: &PreparedMap<'_>,
        stamps: &mut Stamps<'_>,
    ) -> Option<bool> {
        let index = map.tiles.index(gid).ok()? as usize;
        let (meaning, action) = (map.tiles.meanings.get(index)?, *self.actions.get(index)?);
        if action == CellAction::Ignore {
            return None;
        }
        let at = map.lattice.cell_bottom_left_pixel(cell);
        let flips = gid & flip::ALL;
        let mut covers = |extent, edge| match stamps.stamp(extent, flips, edge, self.offset) {
            Ok(Stamp::Cell(shift)) => {
                cell_box(&map.lattice, at.saturating_add(shift)).contains(pixel)
            }
            Ok(Stamp::Pixels(pixels, shift)) => {
                pixels.contains(pixel.saturating_sub(at.saturating_add(shift)))
            }
            Err(_) => false,
        };
        let covers = parts(meaning, &self.role).any(|part| match part {
            CellPart::Solid(extent) => covers(extent, None),
            CellPart::OneWay(sides, extent) => guarded(sides).any(|dir| covers(extent, Some(dir))),
            CellPart::Area(..) => false,
        });
        covers.then_some(action != CellAction::Place)
    }
}

fn guarded(sides: Sides<bool>) -> impl Iterator<Item = Dir> {
    Dir::ALL.into_iter().filter(move |dir| sides.get(*dir))
}

/// The cells whose tiles could cover a pixel, if none covers more than `reach` from the bottom-left corner of
/// its cell: the first and, exclusive, the last.
fn cells_at(lattice: &Lattice, pixel: IVec2, reach: Aabb) -> Aabb {
    let pixel = pixel.as_i64vec2();
    // The corners of these cells are from `first` to `last`.
    let first = pixel - reach.max.as_i64vec2() + I64Vec2::ONE;
    let last = pixel - reach.min.as_i64vec2();
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
