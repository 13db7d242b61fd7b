//! From documents and rules to a level: [`build`] makes its grids, areas, markers, facts and warnings, and
//! [`Explainer`] says of each pixel why it is solid.
//!
//! Maps that lie beside each other become one level at once. Nothing here opens a file or parses one.

mod cell_index;
mod cells;
mod classify;
mod compose;
mod explain;
pub(crate) mod facts;
mod objects;
mod outlines;
mod pieces;
mod prepared;
mod refusal;
mod roles;
mod solids;
mod stamps;
pub(crate) mod survey;
#[cfg(test)]
mod tests;
mod tile_meaning;
mod tile_table;
mod warnings;

use std::path::Path;

use glam::{IVec2, UVec2};

use self::compose::{Planes, compose};
pub(crate) use self::explain::Explainer;
#[cfg(feature = "baked")]
pub(crate) use self::explain::square::Square;
pub use self::facts::{LayerSource, MapSource, SolidCount, WorldPart, WorldSource};
use self::facts::{Tally, inventory};
use self::pieces::MapPieces;
pub(crate) use self::refusal::BuildError;
use self::refusal::refusal;
use self::solids::{MapParts, gather};
pub(crate) use self::tile_table::TileCounts;
use self::tile_table::add_counts_of_pictures;
use crate::Level;
use crate::error::LoadErrorKind;
use crate::error::suggestion::Suggestion;
use crate::error::warning::{LoadWarning, WarningCause};
use crate::geometry::Aabb;
use crate::grid::Grid;
use crate::level::Marker;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::rules::AreaRule;
#[cfg(feature = "image")]
use crate::rules::suggest::{Found, suggest};
use crate::sweep::Terrain;
use crate::text::listed;
use crate::tmx::{Map, Tileset};

/// A map, and where it lies among others.
#[derive(Clone, Debug)]
pub(crate) struct PlacedMap<'m> {
    pub(crate) map: &'m Map,
    /// Where its pixel (0, 0) lies.
    pub(crate) position: IVec2,
    /// In a world its file, as the world names it.
    pub(crate) file: Option<String>,
}

/// A level, with the facts and the warnings of its making.
#[derive(Debug)]
pub(crate) struct Built {
    /// With areas, one-way cells and markers, in pixels from its top-left corner.
    pub(crate) level: Level,
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
    /// Column and row of the first cell that the level shows: (0, 0), but for an infinite map.
    pub(crate) first_cell: IVec2,
    pub(crate) source: MapSource,
    /// For [`Explainer`]: empty if the tilesets have as many tiles as they state.
    pub(crate) tile_counts: TileCounts,
}

/// Makes one level of maps, of which there is at least one. `picture_size` gives the size of a picture in
/// pixels; it is asked once a tileset: if the tileset contradicts itself, or if the map has a tile that its
/// tileset does not state. `spent` holds the amounts that other work for the same level has used of its
/// limits. In a world, options that are lenient leave out a map at fault, but not the last one.
///
/// # Errors
/// A tile that no tileset has, a rule that cannot be followed, something over a limit, nothing solid.
pub(crate) fn build(
    maps: &[PlacedMap<'_>],
    options: &LoadOptions,
    spent: &mut Spent,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> Result<Built, Box<BuildError>> {
    let (mut parts, mut left_out) = (Vec::with_capacity(maps.len()), Vec::new());
    for (index, map) in maps.iter().enumerate() {
        match gather_counted(map, options, picture_size) {
            Ok((of_map, tile_counts)) => parts.push((index, of_map, tile_counts)),
            Err(error) => {
                let is_last = index + 1 == maps.len() && parts.is_empty();
                if !options.lenient || map.file.is_none() || is_last {
                    return Err(Box::new(BuildError { map: Some(index), ..*error }));
                }
                let warning = LoadWarning::fault(error.place, &error.kind, 1);
                left_out.push(LoadWarning { file: map.file.clone(), ..warning });
            }
        }
    }
    let pieces: Vec<&MapPieces> = parts.iter().map(|(_, map, _)| &map.pieces).collect();
    let planes = compose(&pieces, options.areas.len(), &options.limits, spent)?;
    let origin = planes.origin;
    let (mut built, mut markers, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for (index, map, tile_counts) in parts {
        let file = maps.get(index).and_then(|map| map.file.as_ref());
        let place = map.pieces.position.saturating_sub(origin);
        markers.extend(map.markers.into_iter().map(|marker| Marker {
            layer: in_file(file, &marker.layer),
            area: marker.area.translated(place),
            ..marker
        }));
        let all = map.warnings.all.into_iter();
        warnings.extend(all.map(|warning| LoadWarning { file: file.cloned(), ..warning }));
        built.push(BuiltMap {
            index,
            area: map.pieces.area.translated(place),
            place,
            first_cell: map.first_cell,
            source: map.source,
            tile_counts,
        });
    }
    warnings.extend(left_out);
    let level = level(planes, markers, options)?;
    let is_blank = level.is_blank();
    let is_empty_layer = |warning: &LoadWarning| warning.cause == WarningCause::EmptyLayer;
    if !is_blank {
        warnings.retain(|warning| !is_empty_layer(warning));
    }
    let is_world = maps.iter().any(|map| map.file.is_some());
    let world = is_world.then(|| world_of(maps, &built));
    let found = || inventory_of(maps, &built, world.as_ref());
    if is_blank && !options.allow_nothing_solid {
        let suggestions = suggestions(maps, options);
        let empty = warnings.iter().filter(|warning| is_empty_layer(warning));
        let empty = empty.map(|warning| format!("{}: {}; ", warning.place, warning.headline));
        let found = empty.collect::<String>() + &found();
        return Err(LoadErrorKind::NothingSolid { found, suggestions }.into());
    }
    for rule in &options.areas {
        if level.area(&rule.name).is_none_or(|area| area.grid().solid_count() == 0) {
            warnings.push(empty_area(rule, found));
        }
    }
    Ok(Built { level, maps: built, world, warnings })
}

/// Options by which something in the maps may be solid.
fn suggestions(maps: &[PlacedMap<'_>], options: &LoadOptions) -> Vec<Suggestion> {
    #[cfg(feature = "image")]
    return suggest(maps.iter().map(|map| map.map), &options.solid_rules, Found::Nothing);
    #[cfg(not(feature = "image"))]
    {
        let _ = (maps, options);
        Vec::new()
    }
}

/// All that a map puts into a level, with its tile counts by its pictures if it needs them.
fn gather_counted(
    map: &PlacedMap<'_>,
    options: &LoadOptions,
    picture_size: &dyn Fn(&Path) -> Option<UVec2>,
) -> Result<(MapParts, TileCounts), Box<BuildError>> {
    let mut counts = TileCounts::new();
    add_counts_of_pictures(&mut counts, map.map, Tileset::contradicts_itself, picture_size);
    let parts = gather(map, options, &counts);
    let lacks_tiles = match &parts {
        Ok(parts) => parts.warnings.lacks_tiles,
        Err(error) => matches!(error.kind, LoadErrorKind::UnknownTile { .. }),
    };
    // A picture may have grown since its tileset was written.
    let others = |set: &Tileset| !set.contradicts_itself();
    if lacks_tiles && add_counts_of_pictures(&mut counts, map.map, others, picture_size) {
        return Ok((gather(map, options, &counts)?, counts));
    }
    Ok((parts?, counts))
}

/// The name of a layer, in a world with that of its map's file.
fn in_file(file: Option<&String>, layer: &str) -> String {
    match file {
        Some(file) => format!("{file}/{layer}"),
        None => layer.to_owned(),
    }
}

/// Facts about a world.
fn world_of(maps: &[PlacedMap<'_>], built: &[BuiltMap]) -> WorldSource {
    let (mut parts, mut layers, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    for map in built {
        let file = maps.get(map.index).and_then(|map| map.file.as_ref());
        layers.extend(
            map.source
                .layers
                .iter()
                .map(|layer| LayerSource { name: in_file(file, &layer.name), ..layer.clone() }),
        );
        for count in &map.source.solids {
            tally.add(&count.rule, count.tiles, count.objects);
        }
        parts.push(WorldPart { file: file.cloned().unwrap_or_default(), area: map.area });
    }
    WorldSource { maps: parts, layers, solids: tally.counts }
}

/// The names in the maps that a rule can ask for, in words.
fn inventory_of(maps: &[PlacedMap<'_>], built: &[BuiltMap], world: Option<&WorldSource>) -> String {
    let first = built.first().and_then(|first| Some((first, maps.get(first.index)?.map)));
    match (world, first) {
        (Some(world), _) => {
            let layers = listed(world.layers.iter().map(|layer| &layer.name));
            format!("the layers of its maps are {layers}")
        }
        (None, Some((first, map))) => inventory(map, &first.source.layers),
        (None, None) => "there is no map".to_owned(),
    }
}

/// The warning that nothing is in the area of a rule, where `found` says which names there are.
fn empty_area(rule: &AreaRule, found: impl Fn() -> String) -> LoadWarning {
    let (reason, help) = match rule.content() {
        None => (
            "its rule asks for nothing".to_owned(),
            "list its layers, classes, properties or tiles, or make it with `AreaRule::named`",
        ),
        Some(content) => (
            format!("its rule asks for {content}; of the level, {}", found()),
            "use the same name in the map and in the rule",
        ),
    };
    LoadWarning::empty_area(&rule.name, reason, help)
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
        level = level.with_solid_area(rule.name.clone(), terrain(grid, cell)?, rule.category);
    }
    Ok(level)
}
