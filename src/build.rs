//! From documents and rules to a level: [`build`] makes its grids, areas, markers, facts and warnings, and
//! [`MapExplainer`] says of each pixel why it is solid.
//!
//! Maps that lie beside each other become one level at once. Nothing here opens a file or parses one.

mod cells;
mod compose;
pub(crate) mod explain;
mod gather;
mod pieces;
#[cfg(test)]
mod tests;
mod tiles;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use crate::Level;
use crate::error::suggestion::Suggestion;
use crate::error::warning::{LoadWarning, WarningCause};
use crate::error::{LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::grid::{Grid, GridError};
use crate::level::Marker;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::property::PropertyValue;
#[cfg(feature = "image")]
use crate::rules::suggest::{Found, suggest};
use crate::rules::{AreaRule, SolidRules};
use crate::terrain::Terrain;
use crate::text::listed;
use crate::tmx::{Image, LayerContent, LayerKind, Map, Orientation, Properties, Space, Tileset};
use compose::{LevelPlanes, compose};
pub(crate) use explain::MapExplainer;
#[cfg(feature = "baked")]
pub(crate) use explain::Square;
use gather::{MapParts, gather};
use pieces::MapPieces;
pub(crate) use tiles::TileCounts;
use tiles::add_counts_of_pictures;

/// A map, and where it lies among others.
#[derive(Clone, Debug)]
pub(crate) struct InputMap<'m> {
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
    /// For [`MapExplainer`]: empty if the tilesets have as many tiles as they state.
    pub(crate) tile_counts: TileCounts,
}

/// Makes one level of at least one map. `picture_size` gives the size of a picture in
/// pixels; it is asked once a tileset: if the tileset contradicts itself, or if the map has a tile that its
/// tileset does not state. `spent` holds the amounts that other work for the same level has used of its
/// limits. In a world, options that are lenient leave out a map at fault, but not the last one.
///
/// # Errors
/// A tile that no tileset has, a rule that cannot be followed, something over a limit, nothing solid.
pub(crate) fn build(
    maps: &[InputMap<'_>],
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

/// All that a map puts into a level, with its tile counts by its pictures if it needs them.
fn gather_counted(
    map: &InputMap<'_>,
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

/// The level of these grids and markers.
fn level(
    planes: LevelPlanes,
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

/// Facts about a world.
fn world_of(maps: &[InputMap<'_>], built: &[BuiltMap]) -> WorldSource {
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

/// The name of a layer, in a world with that of its map's file.
fn in_file(file: Option<&String>, layer: &str) -> String {
    match file {
        Some(file) => format!("{file}/{layer}"),
        None => layer.to_owned(),
    }
}

/// Options by which something in the maps may be solid.
fn suggestions(maps: &[InputMap<'_>], options: &LoadOptions) -> Vec<Suggestion> {
    #[cfg(feature = "image")]
    return suggest(maps.iter().map(|map| map.map), &options.solid_rules, Found::Nothing);
    #[cfg(not(feature = "image"))]
    {
        let _ = (maps, options);
        Vec::new()
    }
}

/// The names in the maps that a rule can ask for, in words.
fn inventory_of(maps: &[InputMap<'_>], built: &[BuiltMap], world: Option<&WorldSource>) -> String {
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

/// Facts about a Tiled map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapSource {
    /// Width and height in tiles; of an infinite map, the smallest that has all its tiles and solids.
    pub size: UVec2,
    /// A tile's width and height in pixels.
    pub tile_size: UVec2,
    /// How its cells lie on the screen.
    pub orientation: Orientation,
    /// True for a map without borders.
    pub is_infinite: bool,
    /// The space that the level is in.
    pub space: Space,
    /// The pictures that it names, each once and sorted, by their paths joined to the folder of the file that
    /// names them. The level needs none of them, so that they need not be there.
    pub pictures: Vec<PathBuf>,
    /// Its layers, groups included, in drawing order.
    pub layers: Vec<LayerSource>,
    /// The number of cells that each rule marked.
    pub solids: Vec<SolidCount>,
}

/// Facts about a world of Tiled maps.
#[derive(Clone, Debug, PartialEq)]
pub struct WorldSource {
    /// Its maps, in the order of the file.
    pub maps: Vec<WorldPart>,
    /// The layers of all maps, each with the file of its map: `caves/01.tmx/Walls`.
    pub layers: Vec<LayerSource>,
    /// The number of cells that each rule marked, in all maps.
    pub solids: Vec<SolidCount>,
}

/// A map in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldPart {
    /// Its path, from the folder of the world.
    pub file: String,
    /// The pixels that it covers in the level.
    pub area: Aabb,
}

/// Facts about a layer.
#[derive(Clone, Debug, PartialEq)]
pub struct LayerSource {
    /// Its name with those of the groups around it: `Walls/Houses`.
    pub name: String,
    /// Its kind.
    pub kind: LayerKind,
    /// False if it, or a group around it, is hidden. Hidden layers collide all the same.
    pub visible: bool,
    /// Tiles that are not empty, or objects.
    pub items: u64,
}

/// How much one rule marked as solid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolidCount {
    /// The rule in words: ``layer `Collision` by its name``.
    pub rule: String,
    /// Tiles that it marked, as many as the layers have; a tile marked by two rules counts for both.
    pub tiles: u64,
    /// Objects that it marked.
    pub objects: u64,
}

/// The counts of rules, each rule once, in the order in which they are met.
#[derive(Default)]
struct Tally {
    counts: Vec<SolidCount>,
    /// The index in `counts` of each rule.
    rules: HashMap<String, usize>,
}

impl Tally {
    /// Counts tiles and objects that a rule marked.
    fn add(&mut self, rule: &str, tiles: u64, objects: u64) {
        match self.rules.get(rule).and_then(|index| self.counts.get_mut(*index)) {
            Some(count) => {
                count.tiles += tiles;
                count.objects += objects;
            }
            None => {
                self.rules.insert(rule.to_owned(), self.counts.len());
                self.counts.push(SolidCount { rule: rule.to_owned(), tiles, objects });
            }
        }
    }
}

/// The pictures that a map names and that are files of their own, each once and sorted.
fn pictures(map: &Map) -> Vec<PathBuf> {
    let of_tilesets = map.tilesets.iter().flat_map(|set| {
        let of_tiles = set.tiles.values().filter_map(|tile| tile.image.as_ref());
        set.image.iter().chain(of_tiles)
    });
    let of_layers = map.walk().filter_map(|context| match &context.layer.content {
        LayerContent::Image(layer) => layer.image.as_ref(),
        _ => None,
    });
    let is_file = |image: &&Image| image.data.is_none() && !image.path.as_os_str().is_empty();
    let named = of_tilesets.chain(of_layers).filter(is_file);
    let paths: BTreeSet<PathBuf> = named.map(|image| image.path.clone()).collect();
    paths.into_iter().collect()
}

/// The layers of a map without solids, and the classes and properties of its layers, objects and tiles, so
/// that its maker sees which to name in a rule.
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

/// The warnings of one map.
#[derive(Default)]
struct Warnings {
    all: Vec<LoadWarning>,
    /// True if one of them is of a tile that no tileset has.
    lacks_tiles: bool,
    /// The index in `all` of the warning of each text that counts as a flag, by its headline.
    text_flags: HashMap<String, usize>,
}

impl Warnings {
    /// The warnings about the tiles of the tilesets.
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

    /// Warns of a property that counts as a flag but is a text. `is_own` says that it stands in the map's own
    /// file, of which its line is.
    fn text_flag(
        &mut self,
        properties: &Properties,
        rules: &SolidRules,
        place: &Place,
        is_own: bool,
    ) {
        let mut texts = properties.iter().filter(|(name, property)| {
            let is_text = matches!(property.value, PropertyValue::Text(_));
            is_text && property.value.as_flag().is_some() && rules.is_flag(name)
        });
        let Some((name, property)) = texts.next() else {
            return;
        };
        let place = Place {
            line: (is_own && property.line > 0).then_some((property.line, 1)),
            ..place.clone()
        };
        let warning = LoadWarning::text_flag(place, name);
        match self.text_flags.get(&warning.headline).and_then(|index| self.all.get_mut(*index)) {
            Some(known) => known.count += 1,
            None => {
                self.text_flags.insert(warning.headline.clone(), self.all.len());
                self.all.push(warning);
            }
        }
    }

    /// A fault was passed over `count` times.
    fn fault(&mut self, place: Place, kind: &LoadErrorKind, count: u64) {
        self.lacks_tiles |= matches!(kind, LoadErrorKind::UnknownTile { .. });
        self.all.push(LoadWarning::fault(place, kind, count));
    }
}

/// Why no level can be made.
#[derive(Debug)]
pub(crate) struct BuildError {
    /// The index of the map at fault; `None` for all of them together.
    pub(crate) map: Option<usize>,
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl BuildError {
    /// A fault at a place in a map.
    fn in_place(place: Place, kind: LoadErrorKind) -> Box<Self> {
        Box::new(Self { map: None, place, kind })
    }

    /// A fault in a cell of a layer.
    fn in_cell(cell: IVec2, kind: LoadErrorKind) -> Box<Self> {
        Self::in_place(Place { cell: Some(cell.into()), ..Place::default() }, kind)
    }
}

impl From<LoadErrorKind> for Box<BuildError> {
    fn from(kind: LoadErrorKind) -> Self {
        BuildError::in_place(Place::default(), kind)
    }
}

/// The error for a file whose grid of `cells` cells could not be made.
fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks { limit } => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: u64::from(*limit),
            found: u64::from(*limit) + 1,
        },
        // Only limits that the caller has raised let such a level come so far.
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
