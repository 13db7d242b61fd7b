//! `bitwall info`: the facts of a level, for a person or a program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Serialize, Serializer};

use crate::commands::level_args::{LevelArgs, LevelFile};
use crate::commands::{Answer, AnswerFormat, Failure};
use crate::lint::missing_pictures;
use crate::lint::output::{area_numbers, pretty_json};
use bitwall::load::{LayerSource, LoadWarning, MapSource, SolidCount, Source, WorldPart};
use bitwall::mask::MaskCounts;
use bitwall::property::{PropertyValue, PropertyValues};
use bitwall::rules::Suggestion;
use bitwall::text::{counted, printable, printable_path};
use bitwall::tmx::{Orientation, Space};
use bitwall::{Dir, Grid, Level, LoadOptions, LoadedLevel, Marker, Terrain};

/// Show the size, source, layers and markers of a level
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall info cave.tmx
  bitwall info harbor_mask.png --format json
  bitwall info bay_mask.png --plane water=#0000ff --plane lava=#ff0000")]
pub(super) struct InfoArgs {
    #[command(flatten)]
    level: LevelArgs,
    /// The format of the output
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

pub(super) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    let file = args.level.file()?;
    let name = file.path.to_string_lossy();
    let loaded = match args.level.load_anyway(&file) {
        Ok(loaded) => loaded,
        Err(failure) => {
            if let (AnswerFormat::Json, Failure::Load(error)) = (args.format, &failure) {
                let suggestions = error.suggestions();
                let error = error.to_string();
                let refusal = Refusal { version: 1, level: &name, error, suggestions };
                print(&pretty_json(&refusal))?;
            }
            return Err(failure);
        }
    };
    let facts = Facts::new(&name, &file, &loaded);
    print(&match args.format {
        AnswerFormat::Text => facts.text(),
        AnswerFormat::Json => pretty_json(&facts),
    })
}

fn print(text: &str) -> Result<Answer, Failure> {
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

/// The output of `info --format json` for a level that cannot be loaded.
#[derive(Serialize)]
struct Refusal<'l> {
    version: u32,
    level: &'l str,
    error: String,
    #[serde(serialize_with = "suggestions")]
    suggestions: Vec<Suggestion>,
}

/// The output of `info`. The names of the fields are those of its JSON form.
#[derive(Serialize)]
struct Facts<'l> {
    /// The version of the format. It grows when a field is removed or changes its meaning.
    version: u32,
    level: &'l str,
    kind: &'static str,
    /// The `bitwall.toml` with the load options; null if there is none in force.
    config: Option<String>,
    width_px: u32,
    height_px: u32,
    columns: u32,
    rows: u32,
    cell_width_px: u32,
    cell_height_px: u32,
    solid_cells: u64,
    solid_share: f64,
    memory_bytes: u64,
    /// The position of the level's top-left corner in its source, in pixels.
    origin: [i32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<MapFacts>,
    /// Of a baked level: equal levels have equal hashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<String>,
    /// One-way cells by the side that they guard: left, right, up, down.
    #[serde(skip_serializing_if = "Option::is_none")]
    one_way_cells: Option<[u64; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mask: Option<MaskFacts<'l>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    maps: Vec<PartFacts<'l>>,
    rules: Vec<RuleView<'l>>,
    layers: Vec<LayerView<'l>>,
    areas: Vec<AreaFacts<'l>>,
    markers: Vec<MarkerView<'l>>,
    warnings: Vec<String>,
    /// Options by which the level may have other solids, the best first.
    #[serde(serialize_with = "suggestions")]
    suggestions: Vec<Suggestion>,
}

#[derive(Serialize)]
struct MapFacts {
    orientation: String,
    infinite: bool,
    space: &'static str,
    missing_pictures: Vec<PathBuf>,
}

/// A map of a world.
#[derive(Serialize)]
struct PartFacts<'l> {
    file: &'l str,
    x: i32,
    y: i32,
    width_px: u32,
    height_px: u32,
}

#[derive(Serialize)]
struct AreaFacts<'l> {
    name: &'l str,
    cells: u64,
    cell_width_px: u32,
    cell_height_px: u32,
    /// The categories of the area, as bits; left out if it stops nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<u64>,
}

#[derive(Serialize)]
struct MaskFacts<'l> {
    format: &'l str,
    rule: String,
    animated: bool,
    pixels: PixelView,
}

impl<'l> Facts<'l> {
    fn new(name: &'l str, file: &LevelFile, loaded: &'l LoadedLevel) -> Self {
        let (level, options) = (&loaded.level, loaded.options());
        let config = options.config.as_deref();
        let (kind, mask, rules, layers): (_, _, &[_], &[_]) = match &loaded.source {
            Source::Mask(mask) => {
                let facts = MaskFacts {
                    format: &mask.format,
                    rule: mask.rule.to_string(),
                    animated: mask.animated,
                    pixels: PixelView::new(&mask.counts),
                };
                ("mask", Some(facts), &[], &[])
            }
            Source::Map(map) => ("map", None, &map.solids, &map.layers),
            Source::World(world) => ("world", None, &world.solids, &world.layers),
            Source::Baked(_) => ("baked level", None, &[], &[]),
        };
        let map = match &loaded.source {
            Source::Map(map) => Some(MapFacts::new(&file.path, map, options)),
            _ => None,
        };
        let guarded = |side| level.one_way(side).map(Grid::solid_count);
        let one_way_cells =
            guarded(Dir::Left).map(|_| Dir::ALL.map(|side| guarded(side).unwrap_or(0)));
        let maps = match &loaded.source {
            Source::World(world) => world.maps.iter().map(PartFacts::new).collect(),
            _ => Vec::new(),
        };
        let content_hash = match &loaded.source {
            Source::Baked(source) => Some(format!("{:016x}", source.content_hash)),
            _ => None,
        };
        let (size, cell) = (level.size(), level.cell_size());
        let solid_cells = level.grid().solid_count();
        Self {
            version: 1,
            level: name,
            kind,
            config: config.map(|path| path.to_string_lossy().into_owned()),
            width_px: size.x,
            height_px: size.y,
            columns: level.grid().width(),
            rows: level.grid().height(),
            cell_width_px: cell.x,
            cell_height_px: cell.y,
            solid_cells,
            solid_share: solid_cells as f64 / level.grid().cell_count() as f64,
            memory_bytes: level.memory_bytes(),
            origin: level.origin().to_array(),
            map,
            content_hash,
            one_way_cells,
            mask,
            maps,
            rules: rules.iter().map(RuleView::new).collect(),
            layers: layers.iter().map(LayerView::new).collect(),
            areas: level.areas().map(|(name, area)| AreaFacts::new(level, name, area)).collect(),
            markers: level.markers().iter().map(MarkerView::new).collect(),
            warnings: loaded.warnings.iter().map(LoadWarning::to_string).collect(),
            suggestions: file.suggestions(loaded),
        }
    }

    fn text(&self) -> String {
        let mut lines = vec![
            ("size", format!("{} x {} px", self.width_px, self.height_px)),
            (
                "cells",
                format!(
                    "{} x {} of {} x {} px",
                    self.columns, self.rows, self.cell_width_px, self.cell_height_px
                ),
            ),
            (
                "solid",
                format!("{}, {:.1}%", counted(self.solid_cells, "cell"), self.solid_share * 100.0),
            ),
            ("memory", format!("{} bytes", self.memory_bytes)),
        ];
        if self.origin != [0, 0] {
            let [x, y] = self.origin;
            lines.push(("origin", format!("its corner is at {x}, {y} of its source")));
        }
        lines.extend(self.map.iter().flat_map(MapFacts::lines));
        lines.extend(self.content_hash.iter().map(|hash| ("content", format!("hash {hash}"))));
        if let Some([left, right, up, down]) = self.one_way_cells {
            let counts = format!(
                "{left} guard their left, {right} their right, {up} their upper side, {down} their lower"
            );
            lines.push(("one-way", counts));
        }
        let config = self.config.as_ref();
        let config = config.map_or("none".to_owned(), |path| printable_path(Path::new(path)));
        lines.push(("config", config));
        lines.extend(self.mask.iter().flat_map(MaskFacts::lines));
        lines.extend(self.maps.iter().map(|map| ("map", map.text())));
        lines.extend(self.rules.iter().map(|rule| ("rule", rule_text(rule))));
        lines.extend(self.layers.iter().map(|layer| ("layer", layer_text(layer))));
        lines.extend(self.areas.iter().map(|area| ("area", area.text())));
        lines.extend(self.markers.iter().map(|marker| ("marker", marker_text(marker))));
        lines.extend(self.warnings.iter().map(|warning| ("warning", warning.clone())));
        lines.extend(self.suggestions.iter().map(|found| ("try", suggestion_text(found))));

        let name = printable_path(Path::new(self.level));
        let mut text = format!("{name}: a {}", self.kind);
        for (label, value) in lines {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n  {label:<9} {value}");
        }
        text + "\n"
    }
}

impl MapFacts {
    fn new(path: &Path, map: &MapSource, options: &LoadOptions) -> Self {
        Self {
            orientation: orientation_text(map.orientation),
            infinite: map.is_infinite,
            space: match map.space {
                Space::Map => "map",
                Space::Screen => "screen",
            },
            missing_pictures: missing_pictures(path, &map.pictures, options),
        }
    }

    fn lines(&self) -> Vec<(&'static str, String)> {
        let infinite = if self.infinite { ", infinite" } else { "" };
        let space = match self.space {
            "screen" => ", in the pixels of the screen",
            _ => "",
        };
        let mut lines = vec![("map", format!("{}{infinite}{space}", self.orientation))];
        let missing = self.missing_pictures.iter();
        lines.extend(
            missing.map(|path| ("picture", format!("{} is not there", printable_path(path)))),
        );
        lines
    }
}

fn orientation_text(orientation: Orientation) -> String {
    match orientation {
        Orientation::Orthogonal => "orthogonal",
        Orientation::Isometric => "isometric",
        Orientation::Staggered { .. } => "staggered",
        Orientation::Hexagonal { .. } => "hexagonal",
        Orientation::Oblique { .. } => "oblique",
    }
    .to_owned()
}

impl<'l> PartFacts<'l> {
    fn new(map: &'l WorldPart) -> Self {
        Self {
            file: &map.file,
            x: map.area.min.x,
            y: map.area.min.y,
            width_px: map.area.width(),
            height_px: map.area.height(),
        }
    }

    fn text(&self) -> String {
        let (x, y, width, height) = (self.x, self.y, self.width_px, self.height_px);
        let file = printable(self.file);
        format!("`{file}` at (x {x}, y {y}), {width} x {height} px")
    }
}

impl<'l> AreaFacts<'l> {
    fn new(level: &Level, name: &'l str, area: &Terrain) -> Self {
        Self {
            name,
            cells: area.grid().solid_count(),
            cell_width_px: area.cell_size().x,
            cell_height_px: area.cell_size().y,
            category: level.area_category(name).filter(|category| *category != 0),
        }
    }

    fn text(&self) -> String {
        let solid =
            self.category.map(|bits| format!(", solid for bodies that collide with {bits:#x}"));
        let (name, cells) = (printable(self.name), counted(self.cells, "cell"));
        let (width, height) = (self.cell_width_px, self.cell_height_px);
        format!("`{name}`: {cells} of {width} x {height} px{}", solid.unwrap_or_default())
    }
}

impl MaskFacts<'_> {
    fn lines(&self) -> [(&'static str, String); 3] {
        let animated =
            if self.animated { ", animated: only its first picture was read" } else { "" };
        let pixels = &self.pixels;
        let in_planes = match pixels.in_planes {
            0 => String::new(),
            count => format!("{count} in planes, "),
        };
        [
            ("mask", format!("{}{animated}", self.format)),
            ("rule", self.rule.clone()),
            (
                "pixels",
                format!(
                    "{} black, {} white, {in_planes}{} neither, {} translucent, {} transparent",
                    pixels.black, pixels.white, pixels.gray, pixels.translucent, pixels.transparent
                ),
            ),
        ]
    }
}

fn rule_text(rule: &RuleView<'_>) -> String {
    let counts: Vec<String> = [(rule.tiles, "tile"), (rule.objects, "object")]
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, noun)| counted(count, noun))
        .collect();
    format!("{}: {}", printable(rule.rule), counts.join(", "))
}

fn suggestion_text(suggestion: &Suggestion) -> String {
    match suggestion.cells {
        0 => suggestion.to_string(),
        cells => format!("{suggestion} ({})", counted(cells, "item")),
    }
}

fn layer_text(layer: &LayerView<'_>) -> String {
    let hidden = if layer.visible { "" } else { ", hidden" };
    let (name, kind) = (printable(layer.name), layer.kind);
    format!("`{name}`: {kind}, {}{hidden}", counted(layer.items, "item"))
}

fn marker_text(marker: &MarkerView<'_>) -> String {
    let [x, y, width, height] = marker.area;
    let mut text = format!("`{}`", printable(marker.name));
    if !marker.class.is_empty() {
        let _ = write!(text, " ({})", printable(marker.class));
    }
    let _ = write!(text, " at (x {x}, y {y})");
    if !marker.is_point {
        let _ = write!(text, ", {width} x {height} px");
    }
    text
}

// Views of the library's types, as text and JSON show them. The JSON has a version of its own.

#[derive(Serialize)]
struct RuleView<'l> {
    rule: &'l str,
    tiles: u64,
    objects: u64,
}

impl<'l> RuleView<'l> {
    fn new(count: &'l SolidCount) -> Self {
        Self { rule: &count.rule, tiles: count.tiles, objects: count.objects }
    }
}

#[derive(Serialize)]
struct LayerView<'l> {
    name: &'l str,
    kind: &'static str,
    visible: bool,
    items: u64,
}

impl<'l> LayerView<'l> {
    fn new(layer: &'l LayerSource) -> Self {
        let LayerSource { name, kind, visible, items, .. } = layer;
        Self { name, kind: kind.name(), visible: *visible, items: *items }
    }
}

#[derive(Serialize)]
struct SuggestionView<'l> {
    why: &'l str,
    cells: u64,
    is_guess: bool,
    /// The arguments of the command line.
    options: Vec<String>,
}

fn suggestions<S: Serializer>(
    suggestions: &[Suggestion],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(suggestions.iter().map(|suggestion| SuggestionView {
        why: &suggestion.why,
        cells: suggestion.cells,
        is_guess: suggestion.is_guess,
        options: suggestion.arguments(),
    }))
}

#[derive(Serialize)]
struct MarkerView<'l> {
    name: &'l str,
    class: &'l str,
    layer: &'l str,
    object: u32,
    area: [i64; 4],
    is_point: bool,
    properties: BTreeMap<&'l str, ValueView<'l>>,
}

/// A property's value: the bare value, and of a class its name and members.
#[derive(Serialize)]
#[serde(untagged)]
enum ValueView<'l> {
    Bool(bool),
    Int(i32),
    Float(f32),
    Text(&'l str),
    Object(u32),
    List(Vec<Self>),
    Class { class: &'l str, members: BTreeMap<&'l str, Self> },
}

impl<'l> MarkerView<'l> {
    fn new(marker: &'l Marker) -> Self {
        Self {
            name: &marker.name,
            class: &marker.class,
            layer: &marker.layer,
            object: marker.object,
            area: area_numbers(marker.area),
            is_point: marker.is_point,
            properties: values(&marker.properties),
        }
    }
}

fn values(properties: &PropertyValues) -> BTreeMap<&str, ValueView<'_>> {
    properties.iter().map(|(name, value)| (name.as_str(), ValueView::new(value))).collect()
}

impl<'l> ValueView<'l> {
    fn new(value: &'l PropertyValue) -> Self {
        match value {
            PropertyValue::Bool(value) => Self::Bool(*value),
            PropertyValue::Int(value) => Self::Int(*value),
            PropertyValue::Float(value) => Self::Float(*value),
            PropertyValue::Text(text) | PropertyValue::Color(text) => Self::Text(text),
            PropertyValue::Object(id) => Self::Object(*id),
            PropertyValue::List(list) => Self::List(list.iter().map(Self::new).collect()),
            PropertyValue::Class { class, members } => {
                Self::Class { class, members: values(members) }
            }
        }
    }
}

#[derive(Serialize)]
struct PixelView {
    solid: u64,
    black: u64,
    white: u64,
    in_planes: u64,
    gray: u64,
    first_gray: Option<[u32; 2]>,
    gray_extent: Option<[i64; 4]>,
    translucent: u64,
    first_translucent: Option<[u32; 2]>,
    translucent_extent: Option<[i64; 4]>,
    transparent: u64,
}

impl PixelView {
    fn new(counts: &MaskCounts) -> Self {
        Self {
            solid: counts.solid,
            black: counts.black,
            white: counts.white,
            in_planes: counts.in_planes,
            gray: counts.gray,
            first_gray: counts.first_gray.map(|pixel| pixel.to_array()),
            gray_extent: counts.gray_extent.map(area_numbers),
            translucent: counts.translucent,
            first_translucent: counts.first_translucent.map(|pixel| pixel.to_array()),
            translucent_extent: counts.translucent_extent.map(area_numbers),
            transparent: counts.transparent,
        }
    }
}
