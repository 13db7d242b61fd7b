//! One map: everything in it that is solid, one-way or of an area, with its markers, facts and warnings.
//!
//! It walks the layers, hands cells to `cells` and objects to `objects`, and says which part of the map the
//! level shows. It draws no grid.

use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::PlacedMap;
use super::classify::CellFault;
use super::facts::{LayerSource, MapSource, Tally, pictures};
use super::objects::ObjectParts;
use super::pieces::{Claim, Cover, MapPieces, Pieces};
use super::prepared::PreparedMap;
use super::refusal::BuildError;
use super::roles::{RuledLayer, layers};
use super::stamps::Stamps;
use super::tile_table::TileCounts;
use super::warnings::Warnings;
use crate::error::warning::LoadWarning;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::{Aabb, Dir};
use crate::level::Marker;
use crate::limits::check;
use crate::options::LoadOptions;
use crate::property::PropertyValues;
use crate::tmx::{LayerContent, LayerKind, Map, Object, Properties, Shape};

/// How far from its middle an infinite map may reach, in pixels. Something further away may have been
/// moved to the ends of the range of coordinates.
const FARTHEST: u64 = 1 << 30;

/// The parts of one map that go into a level.
pub(super) struct MapParts {
    pub(super) pieces: MapPieces,
    /// Column and row of the first cell that the level shows.
    pub(super) first_cell: IVec2,
    /// In pixels of the map.
    pub(super) markers: Vec<Marker>,
    pub(super) source: MapSource,
    pub(super) warnings: Warnings,
}

/// The parts of a map so far.
pub(super) struct Solids<'m> {
    pub(super) map: &'m PreparedMap<'m>,
    pub(super) stamps: Stamps<'m>,
    pub(super) found: MapParts,
    /// Around the cells that are not empty on any layer of an infinite map, in pixels.
    pub(super) extent: Option<Aabb>,
    /// The same in cells.
    pub(super) seen: Option<Aabb>,
    /// Cells that are not simply solid.
    pub(super) placed_cells: u64,
    /// How much each rule marked.
    pub(super) tally: Tally,
}

/// Everything that a map puts into a level.
///
/// # Errors
/// A rule that cannot be followed, a tile that no tileset has, something over a limit.
pub(super) fn gather(
    placed: &PlacedMap<'_>,
    options: &LoadOptions,
    counts: &TileCounts,
) -> Result<MapParts, Box<BuildError>> {
    let map = PreparedMap::new(placed.map, options, counts)?;
    let Map { tile_size, orientation, is_infinite, .. } = *placed.map;
    let pieces = MapPieces {
        solid: Pieces::default(),
        one_way: Dir::ALL.map(|edge| Pieces { edge: Some(edge), ..Pieces::default() }),
        areas: options.areas.iter().map(|_| Pieces::default()).collect(),
        floor: None,
        area: map.area().unwrap_or_default(),
        cell: map.lattice.cell_size(),
        is_rectangular: map.lattice.is_rectangular(),
        position: placed.position,
    };
    let source = MapSource {
        size: placed.map.size,
        tile_size,
        orientation,
        is_infinite,
        space: map.lattice.space(),
        pictures: pictures(placed.map),
        layers: Vec::new(),
        solids: Vec::new(),
    };
    let mut solids = Solids {
        map: &map,
        stamps: Stamps::new(&map.lattice, &options.limits),
        found: MapParts {
            pieces,
            first_cell: IVec2::ZERO,
            markers: Vec::new(),
            source,
            warnings: Warnings::of_tilesets(placed.map, &options.solid_rules),
        },
        extent: None,
        seen: None,
        placed_cells: 0,
        tally: Tally::default(),
    };
    for layer in layers(placed.map, map.lattice, options) {
        solids.layer(&layer?)?;
    }
    if is_infinite {
        solids.fit()?;
    }
    let Solids { mut found, tally, .. } = solids;
    found.warnings.all.extend(placed.map.faults.iter().cloned());
    found.source.solids = tally.counts;
    Ok(found)
}

impl<'m> Solids<'m> {
    /// Takes in a layer; of a group, not its layers.
    fn layer(&mut self, layer: &RuledLayer<'m>) -> Result<(), Box<BuildError>> {
        let (place, context) = (layer.place(), &layer.context);
        let (rules, is_own) = (&self.map.options.solid_rules, true);
        self.found.warnings.text_flag(&context.layer.properties, rules, &place, is_own);
        let mut items = 0;
        match &context.layer.content {
            LayerContent::Tiles(tiles) => {
                let found = self.tiles(&tiles.blocks, layer);
                let (count, faults) = found.map_err(|error| {
                    BuildError::at(Place { cell: error.place.cell, ..place.clone() }, error.kind)
                })?;
                items = count;
                for CellFault { kind, cell, count } in faults {
                    let place = Place { cell: Some(cell.into()), ..place.clone() };
                    self.found.warnings.fault(place, &kind, count);
                }
            }
            LayerContent::Objects(of_layer) => {
                items = of_layer.objects.len() as u64;
                for object in &of_layer.objects {
                    let place = Place { object: Some(object.id), ..place.clone() };
                    let found = self.object(object, layer, &place);
                    found.map_err(|kind| BuildError::at(place, kind))?;
                }
            }
            LayerContent::Image(_) if layer.role.solid.is_some() => {
                self.found.warnings.all.push(LoadWarning::solid_picture(place));
            }
            LayerContent::Image(_) | LayerContent::Group(_) => {}
        }
        let kind = context.layer.content.kind();
        let can_be_solid = matches!(kind, LayerKind::Tiles | LayerKind::Objects);
        if let Some(because) = layer.role.solid.as_ref().filter(|_| can_be_solid && items == 0) {
            self.found.warnings.all.push(LoadWarning::empty_layer(layer.place(), because));
        }
        self.found.source.layers.push(LayerSource {
            name: context.path.clone(),
            kind: context.layer.content.kind(),
            visible: context.visible,
            items,
        });
        Ok(())
    }

    /// Takes in an object.
    fn object(
        &mut self,
        object: &Object,
        layer: &RuledLayer<'_>,
        place: &Place,
    ) -> Result<(), LoadErrorKind> {
        let options = self.map.options;
        let is_own = object.template.is_none();
        self.found.warnings.text_flag(&object.properties, &options.solid_rules, place, is_own);
        let found = match self.map.object_parts(object, layer, &mut self.stamps) {
            Err(kind @ LoadErrorKind::UnknownTile { .. }) if options.lenient => {
                self.found.warnings.fault(place.clone(), &kind, 1);
                return Ok(());
            }
            found => found?,
        };
        let ObjectParts { parts, because, marker } = found;
        let path = &layer.context.path;
        if let Some(area) = marker {
            self.found.markers.push(Marker {
                name: object.name.clone(),
                class: object.class.clone(),
                layer: path.clone(),
                object: object.id,
                area,
                is_point: object.shape == Shape::Point,
                properties: values(&object.properties),
            });
        }
        for (claim, cover) in parts {
            match claim {
                Claim::Solid => {
                    self.tally.add(&format!("object in layer `{path}` by {because}"), 0, 1);
                }
                Claim::OneWay(_) => {
                    self.tally.add(&format!("object in layer `{path}` that is one-way"), 0, 1);
                }
                Claim::Area(_) => {}
            }
            for pieces in self.found.pieces.of(claim) {
                pieces.covers.push(match (&cover, pieces.edge) {
                    (Cover::Pixels(pixels, at), Some(edge)) => {
                        Cover::Pixels(Arc::new(pixels.edges(edge)), *at)
                    }
                    _ => cover.clone(),
                });
            }
        }
        Ok(())
    }

    /// Makes the level show just as much of an infinite map as there is: all cells that are not empty and
    /// everything solid, in whole cells.
    ///
    /// # Errors
    /// Something so far away that its pixels may have no numbers.
    fn fit(&mut self) -> Result<(), LoadErrorKind> {
        let found = &mut self.found;
        let MapPieces { solid, one_way, areas, cell, is_rectangular, .. } = &found.pieces;
        let all = [solid].into_iter().chain(one_way).chain(areas);
        let all = all.filter_map(|pieces| pieces.extent(*cell)).chain(self.extent);
        let cell = cell.as_ivec2();
        let mut area = Aabb { min: IVec2::ZERO, max: cell };
        if let Some(all) = all.reduce(Aabb::hull) {
            let corners = [all.min, all.max].map(|corner| corner.as_i64vec2().abs().max_element());
            let far = corners.into_iter().fold(0, i64::max) as u64;
            check("pixels from the map's middle to its edge", far, FARTHEST)?;
            area = all;
        }
        let mut cells = self.seen.unwrap_or_default();
        if *is_rectangular {
            let last = area.max.saturating_sub(IVec2::ONE).div_euclid(cell);
            let (first, end) = (area.min.div_euclid(cell), last.saturating_add(IVec2::ONE));
            cells = Aabb { min: first, max: end };
            area = Aabb { min: first.saturating_mul(cell), max: end.saturating_mul(cell) };
        }
        found.pieces.area = area;
        found.first_cell = cells.min;
        found.source.size = UVec2::new(cells.width(), cells.height());
        Ok(())
    }
}

/// The values of properties.
fn values(properties: &Properties) -> PropertyValues {
    let values = properties.iter();
    values.map(|(name, property)| (name.clone(), property.value.clone())).collect()
}
