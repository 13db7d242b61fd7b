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
use crate::tmx::{LayerContent, Object, Properties, Shape};

/// How far from its middle an infinite map may reach, in pixels. What lies further away may have been moved
/// to the ends of the range of coordinates.
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
    pub(super) pieces: MapPieces,
    /// Around the cells that are not empty on any layer of an infinite map, in pixels.
    pub(super) extent: Option<Aabb>,
    /// The same in cells.
    pub(super) seen: Option<Aabb>,
    /// Cells that are not simply solid.
    pub(super) placed_cells: u64,
    /// How much each rule marked.
    pub(super) tally: Tally,
    markers: Vec<Marker>,
    layers: Vec<LayerSource>,
    warnings: Warnings,
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
    let mut solids = Solids {
        map: &map,
        stamps: Stamps::new(&map.lattice, &options.limits),
        pieces: MapPieces {
            solid: Pieces::default(),
            one_way: Dir::ALL.map(|edge| Pieces { edge: Some(edge), ..Pieces::default() }),
            areas: options.areas.iter().map(|_| Pieces::default()).collect(),
            floor: None,
            area: map.area().unwrap_or_default(),
            cell: map.lattice.cell_size(),
            is_rectangular: map.lattice.is_rectangular(),
            position: placed.position,
        },
        extent: None,
        seen: None,
        placed_cells: 0,
        tally: Tally::default(),
        markers: Vec::new(),
        layers: Vec::new(),
        warnings: Warnings::default(),
    };
    solids.warnings.of_tilesets(placed.map, &options.solid_rules);
    for layer in layers(placed.map, map.lattice, options) {
        solids.layer(&layer?)?;
    }
    solids.warnings.all.extend(placed.map.faults.iter().cloned());
    Ok(solids.finish()?)
}

impl<'m> Solids<'m> {
    /// Takes in a layer, but not what is in a group.
    fn layer(&mut self, layer: &RuledLayer<'m>) -> Result<(), Box<BuildError>> {
        let (place, context) = (layer.place(), &layer.context);
        let (rules, is_own) = (&self.map.options.solid_rules, true);
        self.warnings.text_flag(&context.layer.properties, rules, &place, is_own);
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
                    self.warnings.fault(place, &kind, count);
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
                self.warnings.all.push(LoadWarning::solid_picture(place));
            }
            LayerContent::Image(_) | LayerContent::Group(_) => {}
        }
        self.layers.push(LayerSource {
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
        self.warnings.text_flag(&object.properties, &options.solid_rules, place, is_own);
        let found = match self.map.object_parts(object, layer, &mut self.stamps) {
            Err(kind @ LoadErrorKind::UnknownTile { .. }) if options.lenient => {
                self.warnings.fault(place.clone(), &kind, 1);
                return Ok(());
            }
            found => found?,
        };
        let ObjectParts { parts, because, marker } = found;
        let path = &layer.context.path;
        if let Some(area) = marker {
            self.markers.push(Marker {
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
            for pieces in self.pieces.of(claim) {
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

    /// All that has been found.
    fn finish(mut self) -> Result<MapParts, LoadErrorKind> {
        let PreparedMap { map, lattice, .. } = self.map;
        let mut cells = Aabb { min: IVec2::ZERO, max: map.size.as_ivec2() };
        if map.is_infinite {
            let area = self.infinite_area()?;
            let cell = lattice.cell_size().as_ivec2();
            cells = match lattice.is_rectangular() {
                true => Aabb { min: area.min.div_euclid(cell), max: area.max.div_euclid(cell) },
                false => self.seen.unwrap_or_default(),
            };
            self.pieces.area = area;
        }
        Ok(MapParts {
            pieces: self.pieces,
            first_cell: cells.min,
            markers: self.markers,
            source: MapSource {
                size: UVec2::new(cells.width(), cells.height()),
                tile_size: map.tile_size,
                orientation: map.orientation,
                is_infinite: map.is_infinite,
                space: lattice.space(),
                pictures: pictures(map),
                layers: self.layers,
                solids: self.tally.counts,
            },
            warnings: self.warnings,
        })
    }

    /// The extent of an infinite map: all cells that are not empty and everything solid, in whole cells.
    ///
    /// # Errors
    /// Something so far away that its pixels may have no numbers.
    fn infinite_area(&self) -> Result<Aabb, LoadErrorKind> {
        let lattice = &self.map.lattice;
        let size = lattice.cell_size();
        let MapPieces { solid, one_way, areas, .. } = &self.pieces;
        let all = [solid].into_iter().chain(one_way).chain(areas);
        let all = all.filter_map(|pieces| pieces.extent(size));
        let all = all.chain(self.extent).reduce(Aabb::hull);
        let size = size.as_ivec2();
        let Some(all) = all else {
            return Ok(Aabb { min: IVec2::ZERO, max: size });
        };
        let corners = [all.min, all.max].map(|corner| corner.as_i64vec2().abs().max_element());
        let far = corners.into_iter().fold(0, i64::max) as u64;
        check("pixels from the map's middle to its edge", far, FARTHEST)?;
        if !lattice.is_rectangular() {
            return Ok(all);
        }
        let last = all.max.saturating_sub(IVec2::ONE).div_euclid(size);
        Ok(Aabb {
            min: all.min.div_euclid(size).saturating_mul(size),
            max: last.saturating_add(IVec2::ONE).saturating_mul(size),
        })
    }
}

/// The values of properties.
fn values(properties: &Properties) -> PropertyValues {
    let values = properties.iter();
    values.map(|(name, property)| (name.clone(), property.value.clone())).collect()
}
