//! From documents and rules to a level: [`build`] makes its grids, areas, markers, facts and warnings, and
//! [`Explainer`] says of each pixel why it is solid.
//!
//! Maps that lie beside each other become one level at once. Nothing here opens a file or parses one.

mod cells;
mod classify;
mod compose;
mod explain;
pub(crate) mod facts;
mod layer_role;
mod objects;
mod outlines;
mod pieces;
mod prepared;
mod refusal;
mod solids;
mod stamps;
#[cfg(test)]
mod tests;
mod tile_meaning;
mod tile_table;
mod warnings;

use std::path::Path;

use glam::{IVec2, UVec2};

use self::compose::{MapPieces, Planes, compose};
pub(crate) use self::explain::Explainer;
pub use self::facts::{LayerSource, MapSource, Provenance, SolidCount, WorldPart, WorldSource};
use self::facts::{added, inventory};
pub(crate) use self::refusal::refusal;
use self::solids::{MapError, MapParts, gather};
pub(crate) use self::tile_table::TileCounts;
use self::tile_table::counts_of_pictures;
use crate::Level;
use crate::error::warning::LoadWarning;
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::grid::Grid;
use crate::level::Marker;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::sweep::Terrain;
use crate::text::listed;
use crate::tmx::Map;

/// A map, and where it lies among others.
#[derive(Clone, Debug)]
pub(crate) struct PlacedMap<'m> {
    pub(crate) map: &'m Map,
    /// Where its pixel (0, 0) lies.
    pub(crate) position: IVec2,
    /// In a world its file, as the world names it.
    pub(crate) file: Option<String>,
}

/// A level, and what was found while it was made.
#[derive(Debug)]
pub(crate) struct Built {
    /// With areas, one-way cells and markers, in pixels from its top-left corner.
    pub(crate) level: Level,
    /// Where the level's top-left corner lies, in the space of the maps' positions.
    pub(crate) origin: IVec2,
    /// The maps that it is made of, in their order.
    pub(crate) maps: Vec<BuiltMap>,
    /// Facts about all maps together, if they are of a world.
    pub(crate) world: Option<WorldSource>,
    pub(crate) warnings: Vec<LoadWarning>,
}

/// The part of a level that one map made.
#[derive(Debug)]
pub(crate) struct BuiltMap {
    /// Its index among those that were handed over.
    pub(crate) index: usize,
    /// The pixels of the level that it shows.
    pub(crate) area: Aabb,
    /// Where in the level the map's own pixel (0, 0) lies.
    pub(crate) place: IVec2,
    /// A whole cell, in pixels of the level.
    pub(crate) cell: UVec2,
    /// Column and row of the first cell that the level shows: (0, 0), but for an infinite map.
    pub(crate) first_cell: IVec2,
    pub(crate) source: MapSource,
    /// For [`Explainer`]: empty if the tilesets have as many tiles as they state.
    pub(crate) tile_counts: TileCounts,
}

/// Why no level can be made.
#[derive(Debug)]
pub(crate) struct BuildError {
    /// The index of the map at fault; `None` for all of them together.
    pub(crate) map: Option<usize>,
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl From<LoadErrorKind> for Box<BuildError> {
    fn from(kind: LoadErrorKind) -> Self {
        Self::new(BuildError { map: None, place: Place::default(), kind })
    }
}

/// Makes one level of maps, of which there is at least one. `picture_size` gives the size of a picture in
/// pixels; it is asked once a tileset, if a map has a tile that its tileset does not state. `spent` is what
/// other work for the same level has used of its limits. In a world, options that are lenient leave out a map
/// at fault, but not the last one.
///
/// # Errors
/// A tile that no tileset has, a rule that cannot be followed, something over a limit, nothing solid.
pub(crate) fn build(
    maps: &[PlacedMap<'_>],
    options: &LoadOptions,
    spent: &mut Spent,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> Result<Built, Box<BuildError>> {
    let (parts, left_out) = gather_all(maps, options, picture_size)?;
    let pieces: Vec<&MapPieces> = parts.iter().map(|map| &map.parts.pieces).collect();
    let planes = compose(&pieces, options.areas.len(), &options.limits, spent)?;
    let is_blank = planes.solid.solid_count() == 0 && planes.one_way.is_none();
    let origin = planes.origin;
    let (mut built, mut markers, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for map in parts {
        built.push(map.into_level(origin, &mut markers, &mut warnings));
    }
    warnings.extend(left_out);
    let is_world = maps.iter().any(|map| map.file.is_some());
    let world = is_world.then(|| world_of(maps, &built));
    if is_blank && !options.allow_nothing_solid {
        return Err(nothing_solid(maps, &built, world.as_ref()));
    }
    Ok(Built { level: level(planes, markers, options)?, origin, maps: built, world, warnings })
}

/// All that one map puts into a level.
struct Gathered {
    index: usize,
    file: Option<String>,
    parts: MapParts,
    tile_counts: TileCounts,
}

impl Gathered {
    /// The part of a level whose corner is at `origin` that the map made; its markers and warnings are added
    /// to those of the others.
    fn into_level(
        self,
        origin: IVec2,
        markers: &mut Vec<Marker>,
        warnings: &mut Vec<LoadWarning>,
    ) -> BuiltMap {
        let (file, parts) = (self.file.as_ref(), self.parts);
        let place = parts.pieces.position.saturating_sub(origin);
        markers.extend(parts.markers.into_iter().map(|marker| Marker {
            layer: in_file(file, marker.layer),
            area: marker.area.translated(place),
            ..marker
        }));
        let all = parts.warnings.all.into_iter();
        warnings.extend(all.map(|warning| LoadWarning { file: file.cloned(), ..warning }));
        BuiltMap {
            index: self.index,
            area: parts.pieces.area.translated(place),
            place,
            cell: parts.pieces.cell,
            first_cell: parts.first_cell,
            source: parts.source,
            tile_counts: self.tile_counts,
        }
    }
}

/// The parts that the maps put into a level, and warnings of the maps that were left out.
fn gather_all(
    maps: &[PlacedMap<'_>],
    options: &LoadOptions,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> Result<(Vec<Gathered>, Vec<LoadWarning>), Box<BuildError>> {
    let (mut gathered, mut left_out) = (Vec::with_capacity(maps.len()), Vec::new());
    for (index, map) in maps.iter().enumerate() {
        let file = map.file.clone();
        match gather_counted(map, options, picture_size) {
            Ok((parts, tile_counts)) => gathered.push(Gathered { index, file, parts, tile_counts }),
            Err(error) => {
                let (place, kind) = *error;
                let is_last = index + 1 == maps.len() && gathered.is_empty();
                if !options.lenient || file.is_none() || is_last {
                    let map = Some(index);
                    return Err(Box::new(BuildError { map, place, kind }));
                }
                let warning = LoadWarning::fault(place, &kind, 1);
                left_out.push(LoadWarning { file, ..warning });
            }
        }
    }
    Ok((gathered, left_out))
}

/// All that a map puts into a level, with its tile counts by its pictures if it needs them.
fn gather_counted(
    map: &PlacedMap<'_>,
    options: &LoadOptions,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> Result<(MapParts, TileCounts), MapError> {
    let stated = TileCounts::new();
    let parts = gather(map, options, &stated);
    let lacks_tiles = match &parts {
        Ok(parts) => parts.warnings.lacks_tiles,
        Err(error) => matches!(error.1, LoadErrorKind::UnknownTile { .. }),
    };
    if lacks_tiles && let Some(counts) = counts_of_pictures(map.map, picture_size) {
        return Ok((gather(map, options, &counts)?, counts));
    }
    Ok((parts?, stated))
}

/// The name of a layer, in a world with that of its map's file.
fn in_file(file: Option<&String>, layer: String) -> String {
    match file {
        Some(file) => format!("{file}/{layer}"),
        None => layer,
    }
}

/// Facts about a world.
fn world_of(maps: &[PlacedMap<'_>], built: &[BuiltMap]) -> WorldSource {
    let mut world = WorldSource {
        maps: Vec::new(),
        layers: Vec::new(),
        solids: added(built.iter().flat_map(|map| &map.source.solids)),
    };
    for map in built {
        let file = maps.get(map.index).and_then(|map| map.file.as_ref());
        world.layers.extend(
            map.source.layers.iter().map(|layer| LayerSource {
                name: in_file(file, layer.name.clone()),
                ..layer.clone()
            }),
        );
        world.maps.push(WorldPart { file: file.cloned().unwrap_or_default(), area: map.area });
    }
    world
}

fn nothing_solid(
    maps: &[PlacedMap<'_>],
    built: &[BuiltMap],
    world: Option<&WorldSource>,
) -> Box<BuildError> {
    let first = built.first();
    let document = first.and_then(|first| Some((first, maps.get(first.index)?.map)));
    let found = match (world, document) {
        (Some(world), _) => {
            let layers = listed(world.layers.iter().map(|layer| &layer.name));
            format!("the layers of its maps are {layers}")
        }
        (None, Some((first, map))) => inventory(map, &first.source.layers),
        (None, None) => "there is no map".to_owned(),
    };
    LoadErrorKind::NothingSolid { found }.into()
}

/// The level of these grids and markers.
fn level(
    planes: Planes,
    markers: Vec<Marker>,
    options: &LoadOptions,
) -> Result<Level, LoadErrorKind> {
    let terrain = |grid: Grid, cell: UVec2| {
        let cells = grid.cell_count();
        Terrain::new(grid, cell).map_err(|error| refusal(&error, cells))
    };
    let mut of_solids = terrain(planes.solid, planes.cell)?.with_outside(options.outside);
    if let Some(guards) = planes.one_way {
        of_solids = of_solids.with_guards(guards);
    }
    let level = Level::new(of_solids).with_origin(planes.origin);
    let mut level = level.with_markers(markers);
    for (rule, (grid, cell)) in options.areas.iter().zip(planes.areas) {
        level = level.with_area(rule.name.clone(), terrain(grid, cell)?);
    }
    Ok(level)
}
