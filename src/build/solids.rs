//! One map: everything in it that is solid, one-way or of an area, with its markers, facts and warnings.
//!
//! It walks the layers, hands cells to `cells` and objects to `objects`, and says which part of the map the
//! level shows. It draws no grid.

use std::collections::HashMap;

use glam::{IVec2, UVec2};

use super::PlacedMap;
use super::classify::CellFault;
use super::compose::MapPieces;
use super::facts::{LayerSource, MapSource, SolidCount, pictures};
use super::layer_role::{LayerRole, LayerRoles};
use super::objects::{Claims, Cover, Judged};
use super::pieces::Pieces;
use super::prepared::PreparedMap;
use super::stamps::Stamps;
use super::tile_table::TileCounts;
use super::warnings::Warnings;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::{Aabb, Dir};
use crate::level::Marker;
use crate::limits::{Limits, check};
use crate::options::LoadOptions;
use crate::property::PropertyValues;
use crate::tmx::{LayerContent, LayerContext, Object, Properties, Shape};

/// How far from its middle an infinite map may reach, in pixels. What lies further away may have been moved
/// to the ends of the range of coordinates.
const FARTHEST: u64 = 1 << 30;

/// An error, and where in the map it is.
pub(super) type MapError = Box<(Place, LoadErrorKind)>;

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

/// The solids so far, and how many each rule marked.
pub(super) struct Solids<'m> {
    pub(super) map: &'m PreparedMap<'m>,
    pub(super) stamps: Stamps<'m>,
    pub(super) solid: Pieces,
    /// By the guarded side, in the order of [`Dir::ALL`].
    pub(super) one_way: [Pieces; 4],
    pub(super) areas: Vec<Pieces>,
    /// The cells of floor layers that are not empty.
    pub(super) floor: Option<Pieces>,
    /// Around the cells that are not empty on any layer of an infinite map, in pixels.
    pub(super) extent: Option<Aabb>,
    /// The same in cells.
    pub(super) seen: Option<Aabb>,
    /// Cells that are not simply solid.
    pub(super) placed_cells: u64,
    counts: Vec<SolidCount>,
    /// The index in `counts` of each rule.
    rules: HashMap<String, usize>,
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
) -> Result<MapParts, MapError> {
    let error = |kind| Box::new((Place::default(), kind));
    let map = PreparedMap::new(placed.map, options, counts).map_err(error)?;
    let mut solids = Solids::new(&map);
    solids.warnings.of_document(placed.map, &options.solid_rules);
    let mut roles = LayerRoles::new(options);
    for context in placed.map.walk() {
        let (depth, deepest) = (context.depth() as u64, options.limits.xml_depth);
        check("groups within groups", depth, deepest).map_err(error)?;
        let place = Place { layer: Some(context.path.clone()), ..Place::default() };
        solids.layer(&context, &mut roles, &place)?;
    }
    let faults = placed.map.faults.iter().cloned();
    solids.warnings.all.extend(faults);
    solids.finish(placed.position).map_err(error)
}

impl<'m> Solids<'m> {
    fn new(map: &'m PreparedMap<'m>) -> Self {
        Self {
            map,
            stamps: Stamps::new(&map.lattice, &map.options.limits),
            solid: Pieces::default(),
            one_way: Dir::ALL.map(Pieces::guarding),
            areas: map.options.areas.iter().map(|_| Pieces::default()).collect(),
            floor: None,
            extent: None,
            seen: None,
            placed_cells: 0,
            counts: Vec::new(),
            rules: HashMap::new(),
            markers: Vec::new(),
            layers: Vec::new(),
            warnings: Warnings::default(),
        }
    }

    pub(super) fn limits(&self) -> &'m Limits {
        &self.map.options.limits
    }

    /// Takes in a layer, but not what is in a group.
    fn layer(
        &mut self,
        context: &LayerContext<'_>,
        roles: &mut LayerRoles<'_>,
        place: &Place,
    ) -> Result<(), MapError> {
        let layer = context.layer;
        let rules = &self.map.options.solid_rules;
        let is_own = true;
        self.warnings.text_flag(&layer.properties, rules, place, is_own);
        let role = roles.next(context).map_err(|kind| (place.clone(), kind))?;
        let mut items = 0;
        let index = self.layers.len();
        self.layers.push(LayerSource {
            name: context.path.clone(),
            kind: layer.content.kind(),
            visible: context.visible,
            items,
        });
        let in_cell = |cell: Option<IVec2>| Place { cell: cell.map(Into::into), ..place.clone() };
        match &layer.content {
            LayerContent::Tiles(tiles) => {
                let found = self.tiles(&tiles.blocks, context, &role);
                let found = found.map_err(|(cell, kind)| (in_cell(cell), kind))?;
                items = found.items;
                for CellFault { kind, cell, count } in found.faults {
                    self.warnings.fault(in_cell(cell), &kind, count);
                }
            }
            LayerContent::Objects(of_layer) => {
                items = of_layer.objects.len() as u64;
                for object in &of_layer.objects {
                    let place = Place { object: Some(object.id), ..place.clone() };
                    self.object(object, context, &role, &place).map_err(|kind| (place, kind))?;
                }
            }
            LayerContent::Image(_) if role.solid.is_some() => {
                self.warnings.solid_picture(place.clone());
            }
            LayerContent::Image(_) | LayerContent::Group(_) => {}
        }
        if let Some(layer) = self.layers.get_mut(index) {
            layer.items = items;
        }
        Ok(())
    }

    /// Takes in an object.
    fn object(
        &mut self,
        object: &Object,
        context: &LayerContext<'_>,
        role: &LayerRole,
        place: &Place,
    ) -> Result<(), LoadErrorKind> {
        let map = self.map;
        let rules = &map.options.solid_rules;
        let is_own = object.template.is_none();
        self.warnings.text_flag(&object.properties, rules, place, is_own);
        let judged = map.judge_object(object, context, role, &mut self.stamps);
        let Judged { parts, marker } = match judged {
            Err(kind @ LoadErrorKind::UnknownTile { .. }) if map.options.lenient => {
                self.warnings.fault(place.clone(), &kind, 1);
                return Ok(());
            }
            judged => judged?,
        };
        if let Some(area) = marker {
            self.markers.push(Marker {
                name: object.name.clone(),
                class: object.class.clone(),
                layer: context.path.clone(),
                object: object.id,
                area,
                is_point: object.shape == Shape::Point,
                properties: values(&object.properties),
            });
        }
        for (claims, cover) in parts {
            self.place(&claims, &cover, context);
        }
        Ok(())
    }

    /// Adds what a part of an object covers to what it is.
    fn place(&mut self, claims: &Claims, cover: &Cover, context: &LayerContext<'_>) {
        let layer = &context.path;
        if let Some(because) = &claims.solid {
            self.count(format!("object in layer `{layer}` by {because}"), 0, 1);
        }
        if claims.one_way.is_some() {
            self.count(format!("object in layer `{layer}` that is one-way"), 0, 1);
        }
        let solid = claims.solid.as_ref().map(|_| &mut self.solid);
        let sides = Dir::ALL.into_iter().zip(&mut self.one_way);
        let guarded = sides.filter(|(dir, _)| claims.one_way.is_some_and(|sides| sides.get(*dir)));
        let areas = self.areas.iter_mut().enumerate();
        let areas = areas.filter(|(index, _)| claims.areas.contains(index));
        let guarded = guarded.map(|(_, pieces)| pieces);
        for pieces in solid.into_iter().chain(guarded).chain(areas.map(|(_, pieces)| pieces)) {
            cover.add_to(pieces);
        }
    }

    /// Counts tiles and objects that a rule marked.
    pub(super) fn count(&mut self, rule: String, tiles: u64, objects: u64) {
        let index = *self.rules.entry(rule).or_insert_with_key(|rule| {
            self.counts.push(SolidCount { rule: rule.clone(), tiles: 0, objects: 0 });
            self.counts.len() - 1
        });
        if let Some(count) = self.counts.get_mut(index) {
            count.tiles += tiles;
            count.objects += objects;
        }
    }

    /// All that has been found.
    fn finish(self, position: IVec2) -> Result<MapParts, LoadErrorKind> {
        let PreparedMap { map, lattice, .. } = self.map;
        let area = match map.is_infinite {
            true => self.infinite_area()?,
            false => self.map.area(),
        };
        let cell = lattice.cell_size();
        let cells = if !map.is_infinite {
            Aabb { min: IVec2::ZERO, max: map.size.as_ivec2() }
        } else if lattice.is_rectangular() {
            Aabb {
                min: area.min.div_euclid(cell.as_ivec2()),
                max: area.max.div_euclid(cell.as_ivec2()),
            }
        } else {
            self.seen.unwrap_or_default()
        };
        Ok(MapParts {
            first_cell: cells.min,
            source: MapSource {
                size: UVec2::new(cells.width(), cells.height()),
                tile_size: map.tile_size,
                orientation: map.orientation,
                is_infinite: map.is_infinite,
                space: lattice.space(),
                pictures: pictures(map),
                layers: self.layers,
                solids: self.counts,
            },
            markers: self.markers,
            warnings: self.warnings,
            pieces: MapPieces {
                solid: self.solid,
                one_way: self.one_way,
                areas: self.areas,
                floor: self.floor,
                area,
                cell,
                is_rectangular: lattice.is_rectangular(),
                position,
            },
        })
    }

    /// The extent of an infinite map: all cells that are not empty and everything solid, in whole cells.
    ///
    /// # Errors
    /// Something so far away that its pixels may have no numbers.
    fn infinite_area(&self) -> Result<Aabb, LoadErrorKind> {
        let lattice = &self.map.lattice;
        let size = lattice.cell_size();
        let pieces = [&self.solid].into_iter().chain(&self.one_way).chain(&self.areas);
        let all = pieces.filter_map(|pieces| pieces.extent(size));
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
