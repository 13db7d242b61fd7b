//! Builds a [`Level`] from parsed Tiled maps and the rules for solids. No file is opened or parsed here.

mod compose;
mod facts;
mod pieces;
mod prepared;
#[cfg(test)]
mod tests;
mod tiles;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::IVec2;

use crate::Level;
use crate::error::{FileFault, LoadError, LoadErrorKind, LoadWarning, Place, WarningCause};
use crate::level::Marker;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::rules::{Says, SolidRules};
use crate::text::{listed, nearest, printable};
use crate::tmx::{About, LayerContent, Map, Orientation, PlacedMap, Properties, Space};
use compose::compose;
use pieces::MapPieces;
pub(crate) use prepared::explain::MapExplainer;
pub use prepared::explain::{Survey, SurveyedLayer, SurveyedObject};
use prepared::gather::{MapParts, gather};
pub(crate) use tiles::table::PictureSize;
use tiles::table::counts_of_pictures;

/// A map to build, and its position in a world.
#[derive(Clone, Debug)]
pub(crate) struct InputMap {
    pub(crate) map: Map,
    /// The path of the map in errors.
    pub(crate) path: PathBuf,
    /// The position of the map's pixel (0, 0), in pixels of the world.
    pub(crate) position: IVec2,
    /// The path of the map's file, as written in the world file; `None` for a map outside a world.
    pub(crate) file: Option<String>,
}

/// The result of [`build`].
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) level: Level,
    pub(crate) maps: Vec<PlacedMap>,
    pub(crate) solids: Vec<SolidCount>,
    pub(crate) warnings: Vec<LoadWarning>,
    /// The rules of a last resort, if nothing was solid by the rules in the options.
    pub(crate) rules: Option<SolidRules>,
}

/// The number of tiles and objects that one rule marked as solid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolidCount {
    /// The rule in words: ``layer `Collision` by its name``.
    pub rule: String,
    /// The number of tiles that the rule marked, in all layers.
    ///
    /// The rule of a solid layer counts all solid tiles of the layer, even tiles that another rule also makes
    /// solid.
    pub tiles: u64,
    /// The number of objects that the rule marked.
    pub objects: u64,
}

/// Builds one level from the maps of a world, or from a single map. An entry of `maps` without a map has the
/// error of a map that could not be read, and the map's name.
///
/// `picture_size` returns the size of a picture in pixels. The function is called at most once per tileset.
/// `spent` counts the work already done for this level. `path` is the path of the level in errors. With the
/// option `lenient`, a faulty map of a world is left out, if another map remains.
///
/// # Errors
/// Fails for a tile number without a tileset, an invalid property or tileset, a value over a limit, or a
/// level without solids.
pub(crate) fn build(
    path: &Path,
    maps: Vec<Result<InputMap, (Option<String>, LoadError)>>,
    options: &LoadOptions,
    spent: &mut Spent,
    picture_size: PictureSize<'_>,
) -> Result<Built, LoadError> {
    let mut gathered = Vec::with_capacity(maps.len());
    let mut left_out = Vec::new();
    let count = maps.len();
    for (index, map) in maps.into_iter().enumerate() {
        let (file, error) = match map {
            Ok(map) => match gather_counted(&map, options, picture_size) {
                Ok(MapParts { refusal: Some(error), .. }) => (map.file, error),
                Ok(parts) => {
                    gathered.push((map, parts));
                    continue;
                }
                Err(fault) => (map.file, fault.in_file(&map.path)),
            },
            Err(unread) => unread,
        };
        let is_last = index + 1 == count && gathered.is_empty();
        if !options.lenient || file.is_none() || is_last {
            return Err(error);
        }
        let warning = LoadWarning::fault(error.place().clone(), error.kind(), 1);
        left_out.push(LoadWarning { file, ..warning });
    }
    let resort = last_resort(&mut gathered, options)?;
    let cause = cause_of_nothing(&gathered);
    let mut built = join(gathered, options, spent).map_err(|kind| match (&kind, cause) {
        (LoadErrorKind::NothingSolid { .. }, Some(error)) if !options.lenient => error,
        _ => kind.in_file(path),
    })?;
    if let Some((rules, because)) = resort {
        built.warnings.push(LoadWarning::last_resort(because));
        built.rules = Some(rules);
    }
    built.warnings.extend(left_out);
    Ok(built)
}

/// A map with the parts of the level that come from it.
type Gathered = (InputMap, MapParts);

/// If nothing in the maps is solid or one-way, gathers them again by the last resorts of the rules, one after
/// the other. Returns the rules of the first with a solid, and the reason in words.
fn last_resort(
    maps: &mut [Gathered],
    options: &LoadOptions,
) -> Result<Option<(SolidRules, String)>, LoadError> {
    let rules = &options.solid_rules;
    let is_chosen = !rules.author_words.is_empty()
        || !rules.solid_tiles.is_empty()
        || !rules.walkable_layers.is_empty();
    if is_chosen || maps.iter().any(|(_, parts)| has_solids(parts)) {
        return Ok(None);
    }
    let documents: Vec<&Map> = maps.iter().map(|(map, _)| &map.map).collect();
    let resorts = rules.last_resorts.iter();
    for (solid_rules, because) in resorts.filter_map(|resort| resort.in_maps(&documents, rules)) {
        let by_resort = LoadOptions { solid_rules, ..options.clone() };
        let mut found = Vec::with_capacity(maps.len());
        for (map, parts) in maps.iter() {
            let parts = gather(map, &by_resort, &parts.tile_counts);
            found.push(parts.map_err(|fault| fault.in_file(&map.path))?);
        }
        // With these rules, a fault of a file can change a solid pixel that nothing else could.
        if let Some(error) = found.iter().find_map(|parts| parts.refusal.clone()) {
            return Err(error);
        }
        if found.iter().any(has_solids) {
            maps.iter_mut().zip(found).for_each(|((_, parts), found)| *parts = found);
            return Ok(Some((by_resort.solid_rules, because)));
        }
    }
    Ok(None)
}

/// True if a rule made a tile or object of the map solid or one-way.
fn has_solids(parts: &MapParts) -> bool {
    let counts = &parts.solids.counts;
    parts.pieces.floor.is_some() || counts.iter().any(|count| count.tiles + count.objects > 0)
}

/// Returns the error of the first layer or tileset that cannot be read. If nothing else is solid, it is the
/// likely cause.
fn cause_of_nothing(maps: &[Gathered]) -> Option<LoadError> {
    let mut doubts = maps.iter().flat_map(|(input, _)| &input.map.doubts);
    let cause = doubts.find(|it| matches!(it.about, About::Layer(_) | About::Tileset(_)))?;
    Some(cause.error.clone())
}

/// Makes the level from the parts of its maps.
fn join(
    maps: Vec<Gathered>,
    options: &LoadOptions,
    spent: &mut Spent,
) -> Result<Built, LoadErrorKind> {
    let pieces: Vec<&MapPieces> = maps.iter().map(|(_, parts)| &parts.pieces).collect();
    let level = compose(&pieces, options, spent)?;
    let mut placed = Vec::with_capacity(maps.len());
    let mut markers = Vec::new();
    let mut warnings = Vec::new();
    let mut solids = Tally::default();
    for (index, (InputMap { map, position, file, .. }, parts)) in (0..).zip(maps) {
        let place = position.saturating_sub(level.origin());
        markers.extend(parts.markers.into_iter().map(|marker| Marker {
            layer: in_file(file.as_ref(), &marker.layer),
            map: index,
            ..marker.translated(place.as_i64vec2())
        }));
        for warning in parts.warnings.all {
            warnings.push(LoadWarning { file: file.clone(), ..warning });
        }
        for count in parts.solids.counts {
            solids.add(count.rule, count.tiles, count.objects);
        }
        let area = parts.pieces.area;
        let is_flat = parts.space == Space::Screen || map.orientation == Orientation::Orthogonal;
        placed.push(PlacedMap {
            map: Arc::new(map),
            file,
            area: area.translated(place),
            place,
            first_cell: parts.cells.min,
            cells: parts.cells.size(),
            on_screen: is_flat.then_some(area),
            tile_counts: parts.tile_counts,
        });
    }
    let level = level.with_markers(markers);
    check_solids(&level, &placed, &mut warnings, options)?;
    Ok(Built { level, maps: placed, solids: solids.counts, warnings, rules: None })
}

/// Adds a warning for each named area without cells. If the level has a solid or one-way cell, removes the
/// warnings about empty layers: they only explain why nothing is solid.
///
/// # Errors
/// Fails if nothing is solid and [`LoadOptions`] does not allow an empty level.
fn check_solids(
    level: &Level,
    maps: &[PlacedMap],
    warnings: &mut Vec<LoadWarning>,
    options: &LoadOptions,
) -> Result<(), LoadErrorKind> {
    if !level.is_blank() {
        warnings.retain(|warning| warning.cause != WarningCause::EmptyLayer);
    } else if !options.allow_nothing_solid {
        let mut found = String::new();
        for warning in warnings.iter().filter(|it| it.cause == WarningCause::EmptyLayer) {
            found += &format!("{}: {}; ", warning.place, warning.headline);
        }
        found += &inventory(maps);
        let near = maps.iter().find_map(|map| near_name(&map.map, &options.solid_rules));
        return Err(LoadErrorKind::NothingSolid { found, near });
    }
    for rule in &options.areas {
        if level.area(&rule.name).is_some_and(|area| area.grid().solid_count() > 0) {
            continue;
        }
        if rule.optional {
            let near = maps.iter().find_map(|map| near_area(&map.map, &rule.name));
            let help =
                "name or class it as the area, or say in the options what the area consists of";
            warnings.extend(near.map(|near| LoadWarning::empty_area(&rule.name, near, help)));
            continue;
        }
        let reason = format!("of the level, {}", inventory(maps));
        let help = "use the same name in the map and in the rule";
        warnings.push(LoadWarning::empty_area(&rule.name, reason, help));
    }
    Ok(())
}

/// Collects all that a map adds to the level. A picture may have gained tiles since its tileset was written,
/// so the pictures are measured if the map uses a tile that no tileset has.
fn gather_counted(
    map: &InputMap,
    options: &LoadOptions,
    picture_size: PictureSize<'_>,
) -> Result<MapParts, Box<FileFault>> {
    let parts = gather(map, options, &[]);
    let lacks_tiles = match &parts {
        Ok(parts) => parts.warnings.lacks_tiles,
        Err(error) => matches!(error.kind, LoadErrorKind::UnknownTile { .. }),
    };
    if lacks_tiles {
        let counts = counts_of_pictures(&map.map, picture_size);
        if !counts.is_empty() {
            return gather(map, options, &counts);
        }
    }
    parts
}

/// The name of a layer. In a world, the path of the map's file comes first: `caves/01.tmx/Walls`.
fn in_file(file: Option<&String>, layer: &str) -> String {
    match file {
        Some(file) => format!("{file}/{layer}"),
        None => layer.to_owned(),
    }
}

/// The number of tiles and objects that each rule marked as solid. Each rule has one entry, in the order of
/// first use.
#[derive(Default)]
struct Tally {
    counts: Vec<SolidCount>,
    rules: HashMap<String, usize>,
}

impl Tally {
    fn add(&mut self, rule: String, tiles: u64, objects: u64) {
        match self.rules.get(&rule).and_then(|index| self.counts.get_mut(*index)) {
            Some(count) => {
                count.tiles += tiles;
                count.objects += objects;
            }
            None => {
                self.rules.insert(rule.clone(), self.counts.len());
                self.counts.push(SolidCount { rule, tiles, objects });
            }
        }
    }
}

/// The names of the layers, classes and properties of a map, or of the layers of a world, as a text for an
/// error or a warning. The author of the level can choose a name for a rule from this text.
fn inventory(maps: &[PlacedMap]) -> String {
    let mut layers = Vec::new();
    for placed in maps {
        let paths = placed.map.walk().map(|context| context.path);
        layers.extend(paths.map(|path| in_file(placed.file.as_ref(), &path)));
    }
    let layers = listed(layers.iter());
    let [PlacedMap { map, file: None, .. }] = maps else {
        return format!("the layers of its maps are {layers}");
    };
    let things = things(map);
    let classes: BTreeSet<_> = things.iter().map(|(class, _)| *class).collect();
    let properties: BTreeSet<_> = things.iter().flat_map(|(_, all)| all.keys()).collect();
    let classes: Vec<&String> = classes.into_iter().filter(|class| !class.is_empty()).collect();
    format!(
        "its layers are {layers}; its classes: {}; its properties: {}",
        listed(classes.into_iter()),
        listed(properties.into_iter()),
    )
}

/// The class and the properties of each layer, object and listed tile of a map.
fn things(map: &Map) -> Vec<(&String, &Properties)> {
    let mut things = Vec::new();
    for context in map.walk() {
        let layer = context.layer;
        things.push((&layer.class, &layer.properties));
        if let LayerContent::Objects(of_layer) = &layer.content {
            things.extend(of_layer.objects.iter().map(|it| (&it.class, &it.properties)));
        }
    }
    let tiles = map.tilesets.iter().flat_map(|set| set.tiles.values());
    things.extend(tiles.map(|tile| (&tile.class, &tile.properties)));
    things
}

/// Finds a layer whose name is nearly the name of a solid layer. Returns both as text for an error.
fn near_name(map: &Map, rules: &SolidRules) -> Option<String> {
    map.walk().find_map(|context| {
        let name = &context.layer.name;
        let words = rules.layer_names.iter().filter_map(|word| word.rsplit(':').next());
        let long = words.map(|word| word.trim_end_matches('*')).filter(|word| word.len() > 4);
        let meant = nearest(name, long).filter(|_| rules.layer(context.layer) == Says::Nothing)?;
        Some(format!("the layer `{}` is nearly `{meant}`", printable(name)))
    })
}

/// Finds a layer, or a class of a layer, an object or a tile, whose name contains the name of an area or is
/// nearly this name. Returns the name as text for a warning.
fn near_area(map: &Map, area: &str) -> Option<String> {
    let layers = map.walk().map(|context| &context.layer.name);
    let mut names = layers.chain(things(map).into_iter().map(|(class, _)| class));
    let near = names.find(|name| is_near_area(name, area))?;
    Some(format!("`{}` has another name", printable(near)))
}

/// The first three letters of a mistyped name must be right: two errors also lead from `water` to `walker`.
fn is_near_area(name: &str, area: &str) -> bool {
    let is_like = |part: &[u8], word: &str| part.eq_ignore_ascii_case(word.as_bytes());
    let is_part = name.as_bytes().windows(area.len().max(1)).any(|part| is_like(part, area));
    let start = area.get(..3).zip(name.as_bytes().get(..3));
    is_part
        || start.is_some_and(|(word, part)| is_like(part, word))
            && nearest(&name.to_lowercase(), [area]).is_some()
}

/// The warnings about one map.
#[derive(Default)]
struct Warnings {
    all: Vec<LoadWarning>,
    /// True if the map uses a tile that is in no tileset.
    lacks_tiles: bool,
}

impl Warnings {
    fn of_tilesets(map: &Map, rules: &SolidRules) -> Self {
        let mut warnings = Self::default();
        for tileset in &map.tilesets {
            let place = Place { tileset: Some(tileset.name.clone()), ..Place::default() };
            for tile in tileset.tiles.values() {
                let is_own = tileset.file.is_none();
                warnings.flags(&tile.properties, rules, &place, is_own);
            }
        }
        warnings
    }

    /// Adds a warning if a property that is no bool is read as one, or if a one-way property names no side.
    /// If `is_own` is true, the property is in the map's own file, and the warning has the property's line.
    fn flags(&mut self, properties: &Properties, rules: &SolidRules, place: &Place, is_own: bool) {
        let odd = properties.iter().find_map(|(name, property)| {
            Some((name, property.line, rules.odd_flag(name, property.meaning())?))
        });
        if let Some((name, line, kind)) = odd {
            let line = (is_own && line > 0).then_some((line, 1));
            let place = Place { line, ..place.clone() };
            LoadWarning::text_flag(place, name, kind).add_to(&mut self.all);
        }
        if let Err(reason) = rules.one_way("", properties) {
            self.fault(place.clone(), &LoadErrorKind::OneWay { reason }, 1);
        }
    }

    fn fault(&mut self, place: Place, kind: &LoadErrorKind, count: u64) {
        self.lacks_tiles |= matches!(kind, LoadErrorKind::UnknownTile { .. });
        LoadWarning::fault(place, kind, count).add_to(&mut self.all);
    }
}
