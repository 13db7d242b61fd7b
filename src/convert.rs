//! Builds a [`Level`] from parsed Tiled maps and the rules for solids. No file is opened or parsed here.

mod cells;
mod compose;
pub(crate) mod explain;
mod facts;
mod gather;
mod pieces;
mod placed;
#[cfg(test)]
mod tests;
mod tiles;

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::Level;
use crate::error::warning::{LoadWarning, WarningCause};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::grid::{Grid, GridError};
use crate::level::Marker;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::property::PropertyValue;
use crate::rules::{Says, SolidRules};
use crate::terrain::Terrain;
use crate::text::{listed, nearest, printable};
use crate::tmx::{Image, LayerContent, LayerKind, Map, Orientation, PlacedMap, Properties, Space};
use compose::compose;
pub(crate) use explain::MapExplainer;
use gather::{MapParts, gather};
use pieces::MapPieces;
pub(crate) use placed::add_shapes;
pub use placed::{PlacedShape, ShapePurpose};
pub(crate) use tiles::{PictureSize, TileCounts};
use tiles::{add_counts_of_pictures, is_file};

/// A map to build, and its position in a world.
#[derive(Clone, Debug)]
pub(crate) struct InputMap {
    pub(crate) map: Map,
    /// The position of the map's pixel (0, 0), in pixels of the world.
    pub(crate) position: IVec2,
    /// The path of the map's file, as written in the world file; `None` for a map outside a world.
    pub(crate) file: Option<String>,
}

/// The result of [`build`].
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) level: Level,
    /// The maps of the level, in the same order as `tile_counts`.
    pub(crate) maps: Vec<PlacedMap>,
    pub(crate) tile_counts: Vec<TileCounts>,
    pub(crate) source: BuiltSource,
    pub(crate) warnings: Vec<LoadWarning>,
}

/// Facts about the built map or world.
#[derive(Debug)]
pub(crate) enum BuiltSource {
    Map(MapSource),
    World(WorldSource),
}

/// Builds one level from the maps of a world, or from a single map.
///
/// `picture_size` returns the size of a picture in pixels. The function is called at most once per tileset.
/// `spent` counts the work already done for this level. With the option `lenient`, a faulty map of a world is
/// left out, if another map remains.
///
/// # Errors
/// Fails for a tile number without a tileset, an invalid property or tileset, a value over a limit, or a
/// level without solids.
pub(crate) fn build(
    maps: Vec<InputMap>,
    options: &LoadOptions,
    spent: &mut Spent,
    picture_size: PictureSize<'_>,
) -> Result<Built, Box<BuildError>> {
    let is_world = maps.iter().any(|map| map.file.is_some());
    let (mut gathered, mut left_out) = (Vec::with_capacity(maps.len()), Vec::new());
    let mut to_come = maps.len();
    for map in maps {
        to_come -= 1;
        match gather_counted(&map, options, picture_size) {
            Ok((parts, counts)) => gathered.push((map, parts, counts)),
            Err(error) => {
                let is_last = to_come == 0 && gathered.is_empty();
                if !options.lenient || map.file.is_none() || is_last {
                    return Err(Box::new(BuildError { file: map.file, ..*error }));
                }
                let warning = LoadWarning::fault(error.place, &error.kind, 1);
                left_out.push(LoadWarning { file: map.file, ..warning });
            }
        }
    }
    let pieces: Vec<&MapPieces> = gathered.iter().map(|(_, parts, _)| &parts.pieces).collect();
    let planes = compose(&pieces, options.areas.len(), &options.limits, spent)?;
    let (mut maps, mut tile_counts, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    let (mut markers, mut warnings) = (Vec::new(), Vec::new());
    for (InputMap { map, position, file }, parts, counts) in gathered {
        let place = position.saturating_sub(planes.origin);
        markers.extend(parts.markers.into_iter().map(|marker| Marker {
            layer: in_file(file.as_ref(), &marker.layer),
            area: marker.area.translated(place),
            ..marker
        }));
        let all = parts.warnings.all.into_iter();
        warnings.extend(all.map(|warning| LoadWarning { file: file.clone(), ..warning }));
        let (source, area) = (parts.source, parts.pieces.area);
        let is_flat = source.space == Space::Screen || map.orientation == Orientation::Orthogonal;
        maps.push(PlacedMap {
            map: Arc::new(map),
            file,
            area: area.translated(place),
            place,
            first_cell: parts.first_cell,
            cells: source.size,
            on_screen: is_flat.then_some(area),
        });
        tile_counts.push(counts);
        sources.push(source);
    }
    warnings.extend(left_out);
    let terrain = |grid: Grid, cell: UVec2| {
        let cells = grid.cell_count();
        Terrain::new(grid, cell).map_err(|error| refusal(&error, cells))
    };
    let mut solids = terrain(planes.solid, planes.cell)?.with_outside(options.outside);
    if let Some(guards) = planes.one_way {
        solids = solids.with_guards(guards);
    }
    let mut level = Level::new(solids).with_origin(planes.origin).with_markers(markers);
    for (rule, (grid, cell)) in options.areas.iter().zip(planes.areas) {
        level = level.with_solid_area(rule.name.clone(), terrain(grid, cell)?, rule.category);
    }
    let source = match is_world {
        true => BuiltSource::World(world_of(&maps, sources)),
        false => BuiltSource::Map(sources.pop().unwrap_or_default()),
    };
    check_solids(&level, &maps, &source, &mut warnings, options)?;
    Ok(Built { level, maps, tile_counts, source, warnings })
}

/// Adds a warning for each named area without cells. If the level has a solid or one-way cell, removes the
/// warnings about empty layers: they only explain why nothing is solid.
///
/// # Errors
/// Fails if nothing is solid and [`LoadOptions`] does not allow an empty level.
fn check_solids(
    level: &Level,
    maps: &[PlacedMap],
    source: &BuiltSource,
    warnings: &mut Vec<LoadWarning>,
    options: &LoadOptions,
) -> Result<(), LoadErrorKind> {
    // The names in the maps, from which the user can choose one for a rule.
    let inventory = || match (source, maps.first()) {
        (BuiltSource::World(world), _) => {
            let layers = listed(world.layers.iter().map(|layer| &layer.name));
            format!("the layers of its maps are {layers}")
        }
        (BuiltSource::Map(source), Some(first)) => inventory(&first.map, &source.layers),
        (BuiltSource::Map(_), None) => "there is no map".to_owned(),
    };
    let is_empty_layer = |warning: &LoadWarning| warning.cause == WarningCause::EmptyLayer;
    if !level.is_blank() {
        warnings.retain(|warning| !is_empty_layer(warning));
    } else if !options.allow_nothing_solid {
        let mut found = String::new();
        for warning in warnings.iter().filter(|warning| is_empty_layer(warning)) {
            found += &format!("{}: {}; ", warning.place, warning.headline);
        }
        found += &inventory();
        let near = maps.iter().find_map(|map| near_name(&map.map, &options.solid_rules));
        return Err(LoadErrorKind::NothingSolid { found, near });
    }
    for rule in &options.areas {
        if level.area(&rule.name).is_some_and(|area| area.grid().solid_count() > 0) {
            continue;
        }
        let (reason, help) = match rule.content() {
            None => (
                "its rule asks for nothing".to_owned(),
                "list its layers, classes, properties or tiles, or make it with `AreaRule::named`",
            ),
            Some(content) => (
                format!("its rule asks for {content}; of the level, {}", inventory()),
                "use the same name in the map and in the rule",
            ),
        };
        warnings.push(LoadWarning::empty_area(&rule.name, reason, help));
    }
    Ok(())
}

/// Reads a map, and collects all that it adds to the level. Also returns, for each tileset, the number of
/// tiles in its picture: see [`TileCounts`]. This list is empty if no picture has more tiles than its tileset
/// states.
fn gather_counted(
    map: &InputMap,
    options: &LoadOptions,
    picture_size: PictureSize<'_>,
) -> Result<(MapParts, TileCounts), Box<BuildError>> {
    let mut counts = TileCounts::new();
    add_counts_of_pictures(&mut counts, &map.map, true, picture_size);
    let parts = gather(map, options, &counts);
    let lacks_tiles = match &parts {
        Ok(parts) => parts.warnings.lacks_tiles,
        Err(error) => matches!(error.kind, LoadErrorKind::UnknownTile { .. }),
    };
    // A picture may have gained tiles since its tileset was written.
    if lacks_tiles && add_counts_of_pictures(&mut counts, &map.map, false, picture_size) {
        return Ok((gather(map, options, &counts)?, counts));
    }
    Ok((parts?, counts))
}

fn world_of(maps: &[PlacedMap], sources: Vec<MapSource>) -> WorldSource {
    let (mut parts, mut layers, mut tally) = (Vec::new(), Vec::new(), Tally::default());
    for (map, source) in maps.iter().zip(sources) {
        for layer in source.layers {
            layers.push(LayerSource { name: in_file(map.file.as_ref(), &layer.name), ..layer });
        }
        for count in source.solids {
            tally.add(count.rule, count.tiles, count.objects);
        }
        parts.push(WorldPart { file: map.file.clone().unwrap_or_default(), area: map.area });
    }
    WorldSource { maps: parts, layers, solids: tally.counts }
}

/// The name of a layer. In a world, the path of the map's file comes first: `caves/01.tmx/Walls`.
fn in_file(file: Option<&String>, layer: &str) -> String {
    match file {
        Some(file) => format!("{file}/{layer}"),
        None => layer.to_owned(),
    }
}

/// Facts about a Tiled map.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct MapSource {
    /// The width and height of the map in tiles. An infinite map has the size of a box around its tiles,
    /// solids and areas.
    pub size: UVec2,
    /// The width and height of a tile in pixels.
    pub tile_size: UVec2,
    /// The arrangement of the map's cells on the screen.
    pub orientation: Orientation,
    /// True for an infinite map, which has no borders.
    pub is_infinite: bool,
    /// The coordinate system of the level's pixels: the map's own space, or the screen.
    pub space: Space,
    /// The paths of the pictures that the map names, sorted and without repeats. A path includes the folder
    /// of the file that names the picture. The pictures need not exist.
    pub pictures: Vec<PathBuf>,
    /// The layers and groups of the map, in drawing order.
    pub layers: Vec<LayerSource>,
    /// The number of tiles and objects that each rule marked as solid.
    pub solids: Vec<SolidCount>,
}

/// Facts about a world of Tiled maps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorldSource {
    /// The maps of the world, in the order of the world's file.
    pub maps: Vec<WorldPart>,
    /// The layers of all maps. A layer's name starts with the file of its map: `caves/01.tmx/Walls`.
    pub layers: Vec<LayerSource>,
    /// The number of tiles and objects that each rule marked as solid, in all maps.
    pub solids: Vec<SolidCount>,
}

/// A map in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorldPart {
    /// The path of the map's file, relative to the world's folder.
    pub file: String,
    /// The pixels of the level that the map covers.
    pub area: Aabb,
}

/// Facts about a layer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LayerSource {
    /// The names of the groups around the layer, and then the layer's own name: `Walls/Houses`.
    pub name: String,
    /// The kind of the layer's content.
    pub kind: LayerKind,
    /// False if the layer, or a group around it, is hidden. The rules apply to hidden layers too.
    pub visible: bool,
    /// The number of objects on the layer, or the number of its cells with a tile.
    pub items: u64,
}

/// The number of tiles and objects that one rule marked as solid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SolidCount {
    /// The rule in words: ``layer `Collision` by its name``.
    pub rule: String,
    /// The number of tiles that the rule marked, in all layers. The rule of a solid layer counts all solid
    /// tiles of the layer, even tiles that another rule also makes solid.
    pub tiles: u64,
    /// The number of objects that the rule marked.
    pub objects: u64,
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

/// The paths of a map's picture files, sorted and without repeats. Embedded pictures are left out.
fn pictures(map: &Map) -> Vec<PathBuf> {
    let mut paths = BTreeSet::new();
    let mut add = |image: Option<&Image>| {
        if let Some(image) = image.filter(|image| is_file(image)) {
            paths.insert(image.path.clone());
        }
    };
    for set in &map.tilesets {
        add(set.image.as_ref());
        set.tiles.values().for_each(|tile| add(tile.image.as_ref()));
    }
    for context in map.walk() {
        if let LayerContent::Image(layer) = &context.layer.content {
            add(layer.image.as_ref());
        }
    }
    paths.into_iter().collect()
}

/// The names of a map's layers, classes and properties, as a text for an error or a warning. The author of
/// the level can choose a name for a rule from this text.
fn inventory(map: &Map, layers: &[LayerSource]) -> String {
    let mut classes = BTreeSet::new();
    let mut names = BTreeSet::new();
    let mut add = |class: &String, properties: &Properties| {
        if !class.is_empty() {
            classes.insert(class.clone());
        }
        names.extend(properties.keys().cloned());
    };
    for context in map.walk() {
        let layer = context.layer;
        add(&layer.class, &layer.properties);
        if let LayerContent::Objects(of_layer) = &layer.content {
            for object in &of_layer.objects {
                add(&object.class, &object.properties);
            }
        }
    }
    for tile in map.tilesets.iter().flat_map(|set| set.tiles.values()) {
        add(&tile.class, &tile.properties);
    }
    format!(
        "its layers are {}; its classes: {}; its properties: {}",
        listed(layers.iter().map(|layer| &layer.name)),
        listed(classes.iter()),
        listed(names.iter()),
    )
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

/// The warnings about one map.
#[derive(Default)]
struct Warnings {
    all: Vec<LoadWarning>,
    /// True if the map uses a tile that is in no tileset.
    lacks_tiles: bool,
    /// The index in `all` of each warning about a text property that is read as a bool. The key is the
    /// headline of the warning: a second warning with the same headline only raises the count of the first.
    text_flags: HashMap<String, usize>,
}

impl Warnings {
    fn of_tilesets(map: &Map, rules: &SolidRules) -> Self {
        let mut warnings = Self::default();
        for tileset in &map.tilesets {
            let place = Place { tileset: Some(tileset.name.clone()), ..Place::default() };
            for tile in tileset.tiles.values() {
                let is_own = tileset.file.is_none();
                warnings.text_flag(&tile.properties, rules, &place, is_own);
            }
        }
        warnings
    }

    /// Adds a warning if a text property is read as a bool. If `is_own` is true, the property is in the map's
    /// own file, and the warning has the property's line.
    fn text_flag(
        &mut self,
        properties: &Properties,
        rules: &SolidRules,
        place: &Place,
        is_own: bool,
    ) {
        let text = properties.iter().find(|(name, property)| {
            let is_text = matches!(property.value, PropertyValue::Text(_));
            is_text && property.value.as_flag().is_some() && rules.is_flag(name)
        });
        let Some((name, property)) = text else { return };
        let place = Place {
            line: (is_own && property.line > 0).then_some((property.line, 1)),
            ..place.clone()
        };
        let warning = LoadWarning::text_flag(place, name);
        let index = *self.text_flags.entry(warning.headline.clone()).or_insert(self.all.len());
        match self.all.get_mut(index) {
            Some(known) => known.count += 1,
            None => self.all.push(warning),
        }
    }

    fn fault(&mut self, place: Place, kind: &LoadErrorKind, count: u64) {
        self.lacks_tiles |= matches!(kind, LoadErrorKind::UnknownTile { .. });
        self.all.push(LoadWarning::fault(place, kind, count));
    }
}

/// An error of [`build`], with the file and the element of the map where it occurred.
#[derive(Debug)]
pub(crate) struct BuildError {
    /// The file of the faulty map in a world; `None` outside a world, or if the error concerns all maps.
    pub(crate) file: Option<String>,
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl BuildError {
    fn in_place(place: Place, kind: LoadErrorKind) -> Box<Self> {
        Box::new(Self { file: None, place, kind })
    }

    fn in_cell(cell: IVec2, kind: LoadErrorKind) -> Box<Self> {
        Self::in_place(Place { cell: Some(cell.into()), ..Place::default() }, kind)
    }
}

impl From<LoadErrorKind> for Box<BuildError> {
    fn from(kind: LoadErrorKind) -> Self {
        BuildError::in_place(Place::default(), kind)
    }
}

fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks { limit } => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: u64::from(*limit),
            found: u64::from(*limit) + 1,
        },
        // The earlier checks refuse a level of this size, unless the caller raised the limits.
        GridError::LevelTooLarge { cells, cell_size } => {
            let side = |cells: u32, cell: u32| u64::from(cells) * u64::from(cell);
            LoadErrorKind::TooLarge {
                what: "pixels in a side of the level",
                limit: u64::from(u32::MAX),
                found: side(cells.x, cell_size.x).max(side(cells.y, cell_size.y)),
            }
        }
        _ => LoadErrorKind::NoMemory { cells },
    }
}
