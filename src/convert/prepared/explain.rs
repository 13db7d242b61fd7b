//! Explains why a pixel is solid, and finds the solid layers and objects of a map. Both use the code that
//! also builds the level.

use std::collections::BTreeSet;

use glam::IVec2;

use super::gather::cells::CellAction;
use super::{ObjectUses, PreparedMap, Stamps};
use crate::convert::pieces::{Claim, Cover};
use crate::convert::tiles::{Extent, Role, RuledLayer};
use crate::error::{FileFault, LoadErrorKind};
use crate::geometry::Aabb;
use crate::level::{ONE_WAY, Provenance};
use crate::options::LoadOptions;
use crate::raster::Outline;
use crate::tmx::{LayerContent, LayerContext, Map, Object, PlacedMap, PlacedTile, TileLayer, flip};

/// Finds the layer, object or tile that makes a pixel of one map solid or one-way.
pub(crate) struct MapExplainer<'m> {
    placed: &'m PlacedMap,
    map: PreparedMap<'m>,
    stamps: Stamps<'m>,
}

impl<'m> MapExplainer<'m> {
    /// Prepares the explanations for a map of a built level. `options` must be the options with which the
    /// level was built; otherwise, it may be `None`. O(tiles that the tilesets list).
    pub(crate) fn new(placed: &'m PlacedMap, options: &'m LoadOptions) -> Option<Self> {
        let map = PreparedMap::new(&placed.map, options, &placed.tile_counts).ok()?;
        let stamps = Stamps::new(&map.lattice, &options.limits);
        Some(Self { placed, map, stamps })
    }

    /// Returns the first layer, object or tile that covers `pixel` as solid or one-way. Solid layers and
    /// objects come before tiles that are solid by themselves. `None` if nothing covers the pixel: a gap in a
    /// floor layer is solid although no tile covers it. In a world, the layer's name starts with the path of
    /// the map's file. O(cells + objects).
    pub(crate) fn explain(&mut self, pixel: IVec2) -> Option<Provenance> {
        let pixel = pixel.saturating_sub(self.placed.place);
        if self.map.area().is_some_and(|area| !area.contains(pixel)) {
            return None;
        }
        let mut by_itself = None;
        for layer in self.map.layers().collect::<Vec<_>>() {
            let layer = layer.ok()?;
            let found = match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => self.tile_at(&layer, tiles, pixel),
                LayerContent::Objects(of_layer) => {
                    of_layer.objects.iter().find_map(|object| self.object_at(&layer, object, pixel))
                }
                LayerContent::Image(_) | LayerContent::Group(_) => None,
            };
            let is_tile = found.as_ref().is_some_and(|found| found.object.is_none());
            if is_tile && layer.role.solid.is_none() {
                by_itself = by_itself.or(found);
            } else if found.is_some() {
                return found;
            }
        }
        by_itself
    }

    /// Returns the cause of an object that covers a pixel as solid or one-way.
    fn object_at(
        &mut self,
        layer: &RuledLayer<'_>,
        object: &Object,
        pixel: IVec2,
    ) -> Option<Provenance> {
        let ObjectUses { claims, because, .. } = self.map.object_uses(object, layer).ok()?;
        let (claim, extent) = claims.into_iter().find(|(claim, _)| claim.stops())?;
        let because = if claim == Claim::Solid { because } else { ONE_WAY.to_owned() };
        let cover = self.map.cover(object, layer, extent, &mut self.stamps).ok()?;
        let is_covered = cover.bounds().contains(pixel) && covers(&cover, pixel);
        is_covered.then(|| layer.provenance(self.placed, None, Some(object), because))
    }

    /// Returns the cause of the tile of a layer that covers a pixel as solid or one-way. A tile that simply
    /// fills its cell comes first, then a tile of an upper row.
    fn tile_at(
        &mut self,
        layer: &RuledLayer<'_>,
        tiles: &TileLayer,
        pixel: IVec2,
    ) -> Option<Provenance> {
        let map = &self.map;
        let stamps = &mut self.stamps;
        let cells = tiles.cells_in(Aabb { min: IVec2::MIN, max: IVec2::MAX });
        let covering = cells.filter_map(|(cell, gid)| {
            let meaning = map.tiles.meaning(gid)?;
            let (claim, extent) = meaning.stop(&layer.role)?;
            let flips = gid & flip::ALL;
            let claim = meaning.turned(claim, flips, &layer.role, map.lattice.is_hexagonal());
            let covers = claim.edges().any(|edge| {
                let cover = stamps.of_cell(cell, extent, flips, edge, layer.offset);
                cover.is_ok_and(|cover| covers(&cover, pixel))
            });
            covers.then(|| {
                let action = CellAction::new(meaning, &layer.role, &map.lattice);
                (action == CellAction::Place, cell.y, cell.x, gid)
            })
        });
        let (.., gid) = covering.min()?;
        let reason = map.tiles.meaning(gid)?.reason(&layer.role);
        let because = reason.map_or(ONE_WAY, String::as_str).to_owned();
        Some(layer.provenance(self.placed, map.tile(gid), None, because))
    }
}

/// True if a tile or object covers a pixel.
fn covers(cover: &Cover, pixel: IVec2) -> bool {
    match cover {
        Cover::Box(area) => area.contains(pixel),
        Cover::Pixels(pixels, at) => {
            let pixel = pixel.saturating_sub(*at);
            let mut in_row = pixels.spans().iter().filter(|span| span.y == pixel.y);
            in_row.any(|span| (span.start..span.end).contains(&pixel.x))
        }
        Cover::Outlines(outlines) => {
            let pixel = Aabb { min: pixel, max: pixel.saturating_add(IVec2::ONE) };
            let mut is_covered = false;
            for outline in outlines.iter() {
                outline.cover(pixel, &mut |_| is_covered = true);
            }
            is_covered
        }
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
    /// A box around the object's pixels, in pixels of the map. For a tile object, these are the pixels of the
    /// tile's box.
    pub bounds: Aabb,
}

impl<'m> Survey<'m> {
    /// Finds the role of each layer and object of a map. `counts` and `options` must be the tile counts and
    /// options with which the level was built; otherwise, it may fail. O(cells + objects + tiles that the
    /// tilesets list).
    pub(crate) fn new(
        map: &'m Map,
        counts: &[Option<u32>],
        options: &'m LoadOptions,
    ) -> Result<Self, Box<FileFault>> {
        let prepared = PreparedMap::new(map, options, counts)?;
        let mut survey = Self { layers: Vec::new(), area: prepared.area(), shown: BTreeSet::new() };
        for layer in prepared.layers() {
            let layer = layer?;
            let mut objects = Vec::new();
            match &layer.context.layer.content {
                LayerContent::Tiles(tiles) => {
                    survey.shown.extend(tiles.numbers().filter_map(|gid| prepared.listed(gid)));
                }
                LayerContent::Objects(of_layer) => {
                    for object in &of_layer.objects {
                        objects.push(prepared.surveyed(object, &layer)?);
                        survey.shown.extend(object.gid.and_then(|gid| prepared.listed(gid)));
                    }
                }
                LayerContent::Image(_) | LayerContent::Group(_) => {}
            }
            let stops = prepared.stops(&layer);
            let is_solid = layer.role.solid.is_some();
            let RuledLayer { context, .. } = layer;
            survey.layers.push(SurveyedLayer { context, is_solid, stops, objects });
        }
        Ok(survey)
    }
}

impl PreparedMap<'_> {
    fn surveyed<'m>(
        &self,
        object: &'m Object,
        layer: &RuledLayer<'_>,
    ) -> Result<SurveyedObject<'m>, LoadErrorKind> {
        let uses = self.object_uses(object, layer)?;
        let box_of_tile = object.gid.map(|_| Extent::default());
        let outlines = self.outlines(object, layer, box_of_tile.as_ref());
        let bounds = outlines.iter().map(Outline::bounds).reduce(Aabb::hull);
        let mut stops = uses.claims.iter().any(|(claim, _)| claim.stops());
        let mut is_of_area = uses.claims.iter().any(|(claim, _)| !claim.stops());
        if uses.is_marker && object.gid.is_none() {
            // A rectangle without size covers nothing, but the rules ask for it.
            let role = Role::of_object(object, &layer.role, self.options)?;
            stops = role.one_way.is_some() || role.solid.is_some();
            is_of_area = !role.areas.is_empty();
        }
        Ok(SurveyedObject { object, stops, is_of_area, bounds: bounds.unwrap_or_default() })
    }

    /// The index of a tile's tileset, and its id, if the tileset's file lists the tile.
    fn listed(&self, gid: u32) -> Option<(usize, u32)> {
        let PlacedTile { tileset, id, .. } = self.map.tile(gid)?;
        self.map.tilesets[tileset].tiles.contains_key(&id).then_some((tileset, id))
    }
}
