//! Gathers the solids, one-way cells, areas, markers and warnings of one map, layer by layer in the order of
//! the file.

pub(super) mod cells;

use std::collections::HashSet;
use std::sync::Arc;

use glam::IVec2;

use super::{ObjectUses, PreparedMap, Stamps, covered_by, floor};
use crate::convert::pieces::{Claim, Cover, MapPieces, PlanePieces};
use crate::convert::tiles::table::TileCounts;
use crate::convert::tiles::{RuledLayer, place};
use crate::convert::{InputMap, Tally, Warnings};
use crate::error::{FileFault, LoadError, LoadErrorKind, LoadWarning, Place};
use crate::geometry::{Aabb, Dir};
use crate::level::{Marker, MarkerShape, MarkerTile};
use crate::limits::check;
use crate::options::LoadOptions;
use crate::property::PropertyValues;
use crate::tmx::{About, Doubt, Layer, LayerContent, Object, Shape, Space};

/// The largest distance of an infinite map's content from pixel (0, 0), in pixels. Larger coordinates may
/// have been clamped.
const FARTHEST: u64 = 1 << 30;

/// All parts of a level that come from one map.
pub(in crate::convert) struct MapParts {
    pub(in crate::convert) pieces: MapPieces,
    /// The columns and rows of the map that are in the level. They start at (0, 0), except for an infinite
    /// map.
    pub(in crate::convert) cells: Aabb,
    pub(in crate::convert) space: Space,
    pub(in crate::convert) markers: Vec<Marker>,
    pub(in crate::convert) solids: Tally,
    pub(in crate::convert) warnings: Warnings,
    pub(in crate::convert) tile_counts: TileCounts,
    /// The first fault of the map's files that can change a solid pixel.
    pub(in crate::convert) refusal: Option<LoadError>,
}

/// Gathers the [`MapParts`] of one map.
struct MapGatherer<'m> {
    map: &'m PreparedMap<'m>,
    /// The names of the map's tilesets, which its markers share.
    tilesets: Vec<Arc<str>>,
    stamps: Stamps<'m>,
    found: MapParts,
    /// A box around the non-empty cells of all layers of an infinite map, in pixels. The level contains this
    /// box.
    extent: Option<Aabb>,
    /// A box around the non-empty cells of all layers of an infinite map, in columns and rows.
    seen: Option<Aabb>,
    /// The number of cells drawn one by one so far, at most `MAX_SHAPED_CELLS`. Such a cell takes more memory
    /// than the bit of a cell that is simply solid.
    placed_cells: u64,
    /// The parts of the map in which a fault can change a solid pixel. Only found if the map has faults.
    at_risk: HashSet<About>,
    /// True if an object of the layer is solid, one-way or in an area.
    has_claims: bool,
}

pub(in crate::convert) fn gather(
    placed: &InputMap,
    options: &LoadOptions,
    counts: &[Option<u32>],
) -> Result<MapParts, Box<FileFault>> {
    let map = PreparedMap::new(&placed.map, options, counts)?;
    let pieces = MapPieces {
        solid: PlanePieces::default(),
        one_way: Dir::ALL.map(|edge| PlanePieces { edge: Some(edge), ..PlanePieces::default() }),
        areas: options.areas.iter().map(|_| PlanePieces::default()).collect(),
        floor: None,
        area: map.area().unwrap_or_default(),
        cell: map.lattice.cell_size(),
        is_rectangular: map.lattice.is_rectangular(),
        position: placed.position,
    };
    let found = MapParts {
        pieces,
        cells: Aabb { min: IVec2::ZERO, max: placed.map.size.as_ivec2() },
        space: map.lattice.space(),
        markers: Vec::new(),
        solids: Tally::default(),
        warnings: Warnings::of_tilesets(&placed.map, &options.solid_rules),
        tile_counts: counts.to_vec(),
        refusal: None,
    };
    let stamps = Stamps::new(&map.lattice, &options.limits);
    let mut gatherer = MapGatherer {
        map: &map,
        tilesets: placed.map.tilesets.iter().map(|tileset| (&*tileset.name).into()).collect(),
        stamps,
        found,
        extent: None,
        seen: None,
        placed_cells: 0,
        at_risk: HashSet::new(),
        has_claims: false,
    };
    for fault in &map.tiles.faults {
        gatherer.found.warnings.fault(Place::default(), fault, 1);
    }
    for (index, layer) in map.layers().enumerate() {
        gatherer.layer(index, &layer?)?;
    }
    if placed.map.is_infinite {
        gatherer.fit()?;
    }
    gatherer.decide_doubts();
    let mut found = gatherer.found;
    found.warnings.all.extend(placed.map.faults.iter().cloned());
    Ok(found)
}

impl<'m> MapGatherer<'m> {
    /// Adds the tiles or objects of a layer to the level. A group adds nothing, because the layers in the
    /// group are added by their own calls.
    fn layer(&mut self, index: usize, layer: &RuledLayer<'m>) -> Result<(), Box<FileFault>> {
        let place = place(&layer.context);
        self.has_claims = layer.role.claims();
        let Layer { properties, content, .. } = layer.context.layer;
        let rules = &self.map.options.solid_rules;
        self.found.warnings.flags(properties, rules, &place, true);
        let is_empty = match content {
            LayerContent::Tiles(tiles) => {
                let (count, fault) = self.tiles(&tiles.blocks, layer).map_err(|error| {
                    let place = Place { cell: error.place.cell, ..place.clone() };
                    FileFault::new(place, error.kind)
                })?;
                if let Some((kind, cell, count)) = fault {
                    let place = Place { cell: Some(cell.into()), ..place.clone() };
                    self.found.warnings.fault(place, &kind, count);
                }
                count == 0
            }
            LayerContent::Objects(of_layer) => {
                for (number, object) in of_layer.objects.iter().enumerate() {
                    let place = Place { object: Some(object.id), ..place.clone() };
                    let found = self.object(object, layer, &place);
                    if found.map_err(|kind| FileFault::new(place, kind))? {
                        self.has_claims = true;
                        self.risk(About::Object(index, number));
                    }
                }
                of_layer.objects.is_empty()
            }
            LayerContent::Image(_) if layer.role.solid.is_some() => {
                self.found.warnings.all.push(LoadWarning::solid_picture(place.clone()));
                false
            }
            LayerContent::Image(_) => false,
            LayerContent::Group(_) => {
                self.has_claims = true;
                false
            }
        };
        if self.has_claims {
            self.risk(About::Layer(index));
        }
        if let Some(mark) = layer.role.solid.as_ref().filter(|_| is_empty) {
            self.found.warnings.all.push(LoadWarning::empty_layer(place, &mark.because));
        }
        Ok(())
    }

    /// Notes that a fault of a part of the map can change a solid pixel.
    fn risk(&mut self, about: About) {
        if !self.map.map.doubts.is_empty() {
            self.at_risk.insert(about);
        }
    }

    /// Makes each fault of the map's files a warning, or the error of the map if it can change a solid pixel.
    fn decide_doubts(&mut self) {
        let options = self.map.options;
        let found = &mut self.found;
        for Doubt { about, error } in &self.map.map.doubts {
            let can_change = match about {
                About::Property(name) => {
                    let mut areas = options.areas.iter();
                    options.solid_rules.uses(name) || areas.any(|area| area.uses(name))
                }
                about => self.at_risk.contains(about),
            };
            if !can_change || options.lenient {
                let warning = LoadWarning::fault(error.place().clone(), error.kind(), 1);
                warning.add_to(&mut found.warnings.all);
            } else if found.refusal.is_none() {
                found.refusal = Some(error.clone());
            }
        }
    }

    /// Adds an object to the level. Returns true if it is solid, one-way or in an area, or would be with
    /// another tile or size.
    fn object(
        &mut self,
        object: &Object,
        layer: &RuledLayer<'_>,
        place: &Place,
    ) -> Result<bool, LoadErrorKind> {
        let options = self.map.options;
        let is_own = object.template.is_none();
        self.found.warnings.flags(&object.properties, &options.solid_rules, place, is_own);
        let ObjectUses { claims, because, is_marker, can_claim } =
            self.map.object_uses(object, layer)?;
        let has_claims = can_claim || !claims.is_empty();
        match object.gid.map(|gid| self.map.tiles.index(gid)) {
            Some(Err(unknown)) => {
                if can_claim && !options.lenient {
                    return Err(unknown);
                }
                self.found.warnings.fault(place.clone(), &unknown, 1);
            }
            Some(Ok(index)) if has_claims => {
                let lost = self.map.tiles.meanings[index as usize].lost;
                lost.into_iter().for_each(|tileset| self.risk(About::Tileset(tileset)));
            }
            _ => {}
        }
        let path = &layer.context.path;
        if is_marker {
            let marker = self.marker(object, layer);
            self.found.markers.extend(marker);
        }
        for (claim, extent) in claims {
            let cover = self.map.cover(object, layer, extent, &mut self.stamps)?;
            let rule = match claim {
                Claim::Solid => Some(format!("by {because}")),
                Claim::OneWay(_) => Some("that is one-way".to_owned()),
                Claim::Area(_) => None,
            };
            if let Some(rule) = rule {
                self.found.solids.add(format!("object in layer `{path}` {rule}"), 0, 1);
            }
            for pieces in self.found.pieces.planes_mut(claim) {
                pieces.covers.push(match (&cover, pieces.edge) {
                    (Cover::Pixels(pixels, at), Some(edge)) => {
                        Cover::Pixels(Arc::new(pixels.edges(edge)), *at)
                    }
                    _ => cover.clone(),
                });
            }
        }
        Ok(has_claims)
    }

    /// The marker of an object, as the object is drawn. `None` for a text, for a tile in no tileset, and for
    /// a tile that LDtk draws as a part of a picture.
    fn marker(&self, object: &Object, layer: &RuledLayer<'_>) -> Option<Marker> {
        let context = &layer.context;
        if matches!(&context.layer.content, LayerContent::Objects(objects) if objects.is_art) {
            return None;
        }
        let exact = self.map.points(object, layer);
        let mut area = covered_by(&exact)?;
        let points: Vec<IVec2> = exact.into_iter().map(floor).collect();
        let shape = match object.shape {
            Shape::Rectangle | Shape::Text(_) => MarkerShape::Rectangle,
            Shape::Point => MarkerShape::Point,
            Shape::Ellipse => MarkerShape::Ellipse,
            Shape::Capsule => MarkerShape::Capsule,
            Shape::Polygon(_) => MarkerShape::Polygon,
            Shape::Polyline(_) => MarkerShape::Polyline,
        };
        if shape == MarkerShape::Point {
            area = Aabb { min: points[0], max: points[0] };
        }
        let tile = object.gid.and_then(|gid| {
            let tile = self.map.map.tile(gid)?;
            let tileset = Arc::clone(&self.tilesets[tile.tileset]);
            let [flip_x, flip_y] = [tile.flip_horizontal, tile.flip_vertical];
            Some(MarkerTile { tileset, id: tile.id, flip_x, flip_y })
        });
        let shown = object.gid.and_then(|gid| self.map.map.listed_tile(gid));
        let is_classless = object.class.is_empty();
        // A class of the object hides the defaults of the tile's class. The object's own values come last.
        let of_tile = shown.into_iter().flat_map(|tile| &tile.properties);
        let of_tile = of_tile.filter(|(_, property)| is_classless || !property.is_default);
        // `collect` sorts first, and each such sort takes 4.6 KB of a module for the web.
        let mut properties = PropertyValues::new();
        for (name, property) in of_tile.chain(&object.properties) {
            properties.insert(name.clone(), property.value.clone());
        }
        let classed = shown.filter(|_| is_classless).map_or(&object.class, |tile| &tile.class);
        Some(Marker {
            name: object.name.clone(),
            class: classed.clone(),
            layer: context.path.clone(),
            object: object.id,
            map: 0,
            area,
            shape,
            rotation: object.rotation.as_f64() as f32,
            points,
            tile,
            properties,
        })
    }

    /// Sets the level's area to a box around the cells, solids and areas of an infinite map, in whole cells
    /// if cells are rectangles. Fails for content so far away that its coordinates may have been clamped.
    fn fit(&mut self) -> Result<(), LoadErrorKind> {
        let found = &mut self.found;
        let MapPieces { solid, one_way, areas, cell, is_rectangular, .. } = &found.pieces;
        let all = [solid].into_iter().chain(one_way).chain(areas);
        let all = all.filter_map(|pieces| pieces.extent(*cell)).chain(self.extent);
        let cell = cell.as_ivec2();
        let mut area = Aabb { min: IVec2::ZERO, max: cell };
        if let Some(all) = all.reduce(Aabb::hull) {
            let far = all.min.as_i64vec2().abs().max(all.max.as_i64vec2().abs()).max_element();
            check("pixels from the map's middle to its edge", far as u64, FARTHEST)?;
            area = all;
        }
        let mut cells = self.seen.unwrap_or_default();
        if *is_rectangular {
            let last = area.max.saturating_sub(IVec2::ONE).div_euclid(cell);
            cells.min = area.min.div_euclid(cell);
            cells.max = last.saturating_add(IVec2::ONE);
            area.min = cells.min.saturating_mul(cell);
            area.max = cells.max.saturating_mul(cell);
        }
        found.pieces.area = area;
        found.cells = cells;
        Ok(())
    }
}
