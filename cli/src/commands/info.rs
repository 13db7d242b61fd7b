//! `bitwall info`: shows the facts of a level, as text or JSON.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anstyle::Style;
use clap::Args;
use serde_json::{Map, Value, json};

use crate::commands::can_move::obstacle_text;
use crate::commands::output::write_whole;
use crate::commands::render::text::{ONE_WAY, cell_of};
use crate::commands::render::{load_pictures, refuse_to_overwrite, write_png};
use crate::commands::{Answer, AnswerFormat, Failure, parse_point};
use crate::commands::{LevelFile, LevelsArgs, LoadArgs, warnings};
use crate::lint::output::{area_numbers, pretty_json};
use crate::mask_facts::MaskFacts;
use crate::suggest::{INT_GRID, Suggestion, suggestions, table, tiles_of};
use bitwall::error::LoadErrorKind;
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{ExtendedColorType, Rgba, RgbaImage, imageops};
use bitwall::level::{Area, MarkerShape};
use bitwall::load::Source;
use bitwall::mask::MaskCounts;
use bitwall::property::{PropertyValue, PropertyValues};
use bitwall::render::{self, DrawOptions, Overlay, PAPER};
use bitwall::text::{counted, printable, printable_path, px};
use bitwall::tmx::{LayerContent, LayerContext, Orientation, PlacedMap, Tile};
use bitwall::{Aabb, Dir, Level, LoadOptions, LoadedLevel, Marker};

/// Show the size, source, layers and markers of levels
///
/// Several levels are shown one after the other; as JSON, they are a list of documents.
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall info cave.tmx
  bitwall info maps/*.tmx
  bitwall info harbor_mask.png --format json
  bitwall info cave.tmx --at 260,340
  bitwall info bay_mask.png --plane water=#0000ff --plane lava=#ff0000")]
pub(super) struct InfoArgs {
    /// The format of the output
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
    /// Write a PNG that shows the level and each of the first three suggestions side by side, to choose by
    /// eye, with its options written below. The level is left out if nothing is solid in it
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// Tell what is at this pixel of the level instead: what is solid there and why, areas and markers
    #[arg(long, value_name = "X,Y", value_parser = parse_point, allow_hyphen_values = true)]
    at: Option<IVec2>,
    /// Tell what is in this cell instead, as the rulers of `render --view text` number the cells
    #[arg(long, value_name = "COL,ROW", value_parser = parse_point, conflicts_with = "at")]
    cell: Option<IVec2>,
    #[command(flatten)]
    level: LevelsArgs,
}

pub(super) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    if args.at.is_some() || args.cell.is_some() {
        return Answer::Yes.print(&place_text(args)?);
    }
    if args.compare.is_some() {
        // One picture shows one level.
        args.level.file()?;
    }
    let files = args.level.files()?;
    let mut documents = Vec::new();
    for (index, file) in files.into_iter().enumerate() {
        let known = known(args, file)?;
        match args.format {
            AnswerFormat::Json => documents.push(document(&known)),
            AnswerFormat::Text => {
                let text = text(&known);
                let (head, rest) = text.split_once('\n').unwrap_or((&text, ""));
                let gap = if index == 0 { "" } else { "\n" };
                Answer::Yes.print(&format!("{gap}{BOLD}{head}{BOLD:#}\n{rest}"))?;
            }
        }
    }
    match &documents[..] {
        [] => Ok(Answer::Yes),
        [document] => Answer::Yes.print(&pretty_json(document)),
        several => Answer::Yes.print(&pretty_json(&several)),
    }
}

/// Loads a level, and draws the picture of `--compare`.
fn known(args: &InfoArgs, file: LevelFile) -> Result<Known, Failure> {
    let loaded = args.level.load.load_anyway(&file)?;
    let facts = file.mask_facts(&loaded);
    let hints = suggestions(&loaded, facts.as_ref());
    let known = Known { file, loaded, facts, hints };
    if let Some(out) = &args.compare {
        compare(out, &args.level.load, &known)?;
    }
    Ok(known)
}

/// The head of a level's facts on a terminal.
const BOLD: Style = Style::new().bold();

/// Returns what is at a pixel or in a cell of a level, a line for each fact.
pub(super) fn place_text(args: &InfoArgs) -> Result<String, Failure> {
    let file = args.level.file()?;
    let loaded = args.level.load.load_anyway(&file)?;
    let level = &loaded.level;
    let size = cell_of(&loaded).as_ivec2();
    let min = args.at.or(args.cell.map(|cell| cell.saturating_mul(size)));
    let min = min.ok_or("name a pixel or a cell: `at` or `cell`")?;
    let size = if args.at.is_some() { IVec2::ONE } else { size };
    let area = Aabb { min, max: min.saturating_add(size) };
    let solid = level.first_overlap(area);
    let state = if solid.is_some() { "solid" } else { "passable" };
    let cell = level.cell_at(solid.unwrap_or(min));
    let mut text = format!("{state}: {}\n", obstacle_text(&loaded, cell));
    let UVec2 { x, y } = cell.as_uvec2();
    if let Source::Mask(mask) = &loaded.source
        && let Some(Rgba([r, g, b, a])) = file.picture()?.get_pixel_checked(x, y)
    {
        let rule = &mask.rule;
        text += &format!("colour #{r:02x}{g:02x}{b:02x}, opacity {a}; solid by the rule {rule}\n");
    }
    for (side, _, from) in ONE_WAY {
        if level.one_way(side).is_some_and(|guarded| guarded.is_solid(x, y)) {
            text += &format!("one-way: stops what comes from {from}\n");
        }
    }
    let is_in = |area_of_level: &&Area| area_of_level.terrain.overlaps(area);
    for named in level.areas().iter().filter(is_in) {
        text += &format!("area `{}`\n", printable(&named.name));
    }
    let is_here = |it: &&Marker| it.area.overlaps(area) || area.contains(it.position());
    for marker in level.markers().iter().filter(is_here) {
        text += &format!("marker {}\n", marker_text(marker));
    }
    Ok(text)
}

/// What is known of a level.
struct Known {
    file: LevelFile,
    loaded: LoadedLevel,
    facts: Option<MaskFacts>,
    hints: Vec<Suggestion>,
}

/// The largest width and height, in pixels, of each picture that `--compare` draws side by side.
const SIDE: u32 = 480;
/// The space between two pictures that `--compare` draws side by side, in pixels.
const GAP: u32 = 8;

/// Writes one PNG to `out` with pictures side by side. The first shows the level, unless nothing in it is
/// solid. The others show the level with each of the first three suggestions in `hints`.
fn compare(out: &Path, load: &LoadArgs, known: &Known) -> Result<(), Failure> {
    let Known { file, loaded, hints, .. } = known;
    if hints.is_empty() {
        return Err(
            "--compare: there is no suggestion for this level, so nothing to compare".into()
        );
    }
    refuse_to_overwrite(out, [&file.path].into_iter())?;
    let pictures = load_pictures(&file.path, loaded);
    let options = DrawOptions {
        pictures: Some(&pictures),
        fit: Some(UVec2::splat(SIDE)),
        work: loaded.options().limits.work,
        overlay: Overlay { legend: true, ..Overlay::default() },
        ..DrawOptions::default()
    };
    let mut drawn = Vec::new();
    if !loaded.level.is_blank() {
        drawn.push(render::draw(loaded, &DrawOptions { name: Some("as it is"), ..options }));
    }
    for hint in hints.iter().take(3) {
        // The options of the level would have the words of a last resort, which the suggestion replaces.
        let mut load = load.clone();
        load.keys.push(table(&hint.options));
        let options_of_hint = load.options(&file.path)?;
        let by_hint = LoadOptions { allow_nothing_solid: true, ..options_of_hint };
        let name = hint.arguments().join(" ");
        let options = DrawOptions { name: Some(&name), ..options };
        drawn.push(render::draw(&file.load(&by_hint)?, &options));
    }
    let drawn: Result<Vec<RgbaImage>, _> = drawn.into_iter().collect();
    let drawn = drawn.map_err(|error| Failure::at(&file.path, error))?;
    let height = drawn.iter().map(|picture| picture.height()).max().unwrap_or(0);
    let width: u32 = drawn.iter().map(|picture| picture.width() + GAP).sum();
    let mut all = RgbaImage::from_pixel(width.saturating_sub(GAP), height, PAPER);
    let mut left = 0;
    for picture in &drawn {
        imageops::replace(&mut all, picture, left, 0);
        left += i64::from(picture.width() + GAP);
    }
    let size = UVec2::from(all.dimensions());
    write_whole(out, &mut |file| Ok(write_png(&all, size, ExtendedColorType::Rgba8, file)?))
}

fn kind(source: &Source) -> &'static str {
    match source {
        Source::Mask(_) => "mask",
        Source::Map => "map",
        Source::World => "world",
        Source::Baked { .. } => "baked level",
        _ => "level",
    }
}

/// Returns the layers of all maps, each with its name. In a world, the name starts with the map's file.
fn layers(maps: &[PlacedMap]) -> Vec<(String, LayerContext<'_>)> {
    let mut layers = Vec::new();
    for placed in maps {
        for context in placed.map.walk() {
            let name = match &placed.file {
                Some(file) => format!("{file}/{}", context.path),
                None => context.path.clone(),
            };
            layers.push((name, context));
        }
    }
    layers
}

/// Returns the number of objects on a layer, or the number of its cells with a tile.
fn items(content: &LayerContent) -> u64 {
    let items = match content {
        LayerContent::Tiles(tiles) => tiles_of(tiles).count(),
        LayerContent::Objects(of_layer) => of_layer.objects.len(),
        _ => 0,
    };
    items as u64
}

/// Returns the numbers of one-way cells by the side on which they stop bodies: left, right, up, down. `None`
/// if the level has no one-way cells.
pub(super) fn one_way_cells(level: &Level) -> Option<[u64; 4]> {
    level.one_way(Dir::Left)?;
    Some(Dir::ALL.map(|side| level.one_way(side).map_or(0, |grid| grid.solid_count())))
}

fn solid_share(level: &Level) -> f64 {
    level.grid().solid_count() as f64 / level.grid().cell_count() as f64
}

fn orientation(orientation: Orientation) -> &'static str {
    match orientation {
        Orientation::Orthogonal => "orthogonal",
        Orientation::Isometric => "isometric",
        Orientation::Staggered { .. } => "staggered",
        Orientation::Hexagonal { .. } => "hexagonal",
        Orientation::Oblique { .. } => "oblique",
        _ => "of another orientation",
    }
}

/// Builds the document of `info --format json`. Its version grows when a member is removed or redefined.
fn document(known: &Known) -> Value {
    let Known { file, loaded, facts, hints } = known;
    let level = &loaded.level;
    let grid = level.grid();
    let rules = loaded
        .solids
        .iter()
        .map(|count| json!({"rule": count.rule, "tiles": count.tiles, "objects": count.objects}));
    let layers = layers(&loaded.maps).into_iter().map(|(name, context)| {
        let content = &context.layer.content;
        let kind = content.kind();
        json!({"name": name, "kind": kind, "visible": context.visible, "items": items(content)})
    });
    let mut document = json!({
        "version": 2,
        "level": file.path.to_string_lossy(),
        "kind": kind(&loaded.source),
        // The `bitwall.toml` that gave the load options, or null.
        "config": loaded.options().config.as_ref().map(|path| path.to_string_lossy()),
        "width_px": level.size().x,
        "height_px": level.size().y,
        "columns": grid.width(),
        "rows": grid.height(),
        "cell_width_px": level.cell_size().x,
        "cell_height_px": level.cell_size().y,
        "solid_cells": grid.solid_count(),
        "solid_share": solid_share(level),
        "memory_bytes": level.memory_bytes(),
        // The position of the level's top-left corner in its source, in pixels.
        "origin": level.origin().to_array(),
        "rules": rules.collect::<Value>(),
        "layers": layers.collect::<Value>(),
        "areas": level.areas().iter().map(area_document).collect::<Value>(),
        "markers": level.markers().iter().map(marker_document).collect::<Value>(),
        "warnings": warnings(loaded, facts.as_ref()),
        // Load options that may make other cells solid, the best first.
        "suggestions": hints.iter().map(suggestion_document).collect::<Value>(),
    });
    match &loaded.source {
        Source::Map => {
            if let Some(map) = loaded.maps.first() {
                let name = orientation(map.map.orientation);
                document["map"] = json!({"orientation": name, "infinite": map.map.is_infinite});
            }
        }
        Source::Baked { content_hash } => {
            // Equal baked levels have equal hashes.
            document["content_hash"] = format!("{content_hash:016x}").into();
        }
        Source::Mask(mask) => {
            document["mask"] = json!({
                "format": mask.format,
                "rule": mask.rule.to_string(),
                "animated": mask.animated,
                "pixels": pixels_document(&mask.counts),
            });
        }
        Source::World => {
            let maps = loaded.maps.iter().map(|map| {
                json!({
                    "file": map.file.as_deref().unwrap_or_default(),
                    "x": map.area.min.x,
                    "y": map.area.min.y,
                    "width_px": map.area.width(),
                    "height_px": map.area.height(),
                })
            });
            document["maps"] = maps.collect();
        }
        _ => {}
    }
    if let Some(cells) = one_way_cells(level) {
        document["one_way_cells"] = json!(cells);
    }
    document
}

fn suggestion_document(hint: &Suggestion) -> Value {
    json!({
        "why": hint.why,
        "cells": hint.cells,
        "is_guess": hint.is_guess,
        "options": hint.arguments(),
    })
}

fn area_document(area: &Area) -> Value {
    let mut document = json!({
        "name": area.name,
        "cells": area.terrain.grid().solid_count(),
        "cell_width_px": area.terrain.cell_size().x,
        "cell_height_px": area.terrain.cell_size().y,
    });
    // The category bits of the named area; absent if the area stops nobody.
    if area.category != 0 {
        document["category"] = area.category.into();
    }
    document
}

fn pixels_document(counts: &MaskCounts) -> Value {
    json!({
        "solid": counts.solid,
        "black": counts.black,
        "white": counts.white,
        "in_planes": counts.in_planes,
        "gray": counts.gray,
        "translucent": counts.translucent,
        "transparent": counts.transparent,
    })
}

fn marker_document(marker: &Marker) -> Value {
    json!({
        "name": marker.name,
        "class": marker.class,
        "layer": marker.layer,
        "object": marker.object,
        "area": area_numbers(marker.area),
        "shape": shape_name(marker.shape),
        "rotation": marker.rotation.to_string().parse::<f64>().ok(),
        "points": marker.points.iter().map(|point| point.to_array()).collect::<Vec<_>>(),
        "tile": marker.tile.as_ref().map(|tile| {
            json!({
                "tileset": &*tile.tileset,
                "id": tile.id,
                "flip_x": tile.flip_x,
                "flip_y": tile.flip_y,
            })
        }),
        "properties": values(&marker.properties),
    })
}

/// Returns the name of a shape in lower case, such as `ellipse`.
fn shape_name(shape: MarkerShape) -> String {
    format!("{shape:?}").to_lowercase()
}

fn values(properties: &PropertyValues) -> Value {
    let mut members = Map::new();
    for (name, property) in properties {
        if let Some(value) = value(property) {
            members.insert(name.clone(), value);
        }
    }
    members.into()
}

/// Converts a property to JSON: a plain value, or for a class an object with the class name and the members.
fn value(property: &PropertyValue) -> Option<Value> {
    Some(match property {
        PropertyValue::Bool(value) => (*value).into(),
        PropertyValue::Int(value) => (*value).into(),
        // The fewest digits that read back as the same `f32`.
        PropertyValue::Float(value) => value.to_string().parse::<f64>().ok().into(),
        PropertyValue::Text(text) | PropertyValue::Color(text) => (&**text).into(),
        PropertyValue::Object(id) => (*id).into(),
        PropertyValue::Point(point) => point.to_array().as_slice().into(),
        PropertyValue::List(list) => list.iter().filter_map(self::value).collect(),
        PropertyValue::Class { class, members } => {
            json!({"class": class, "members": values(members)})
        }
        _ => return None,
    })
}

/// The largest number of markers that `info` lists as text. Its JSON document lists all.
const MOST_MARKERS: usize = 50;

fn text(known: &Known) -> String {
    let Known { file, loaded, facts, hints } = known;
    let level = &loaded.level;
    let grid = level.grid();
    let cells = format!("{} x {} of {}", grid.width(), grid.height(), px(level.cell_size()));
    let solid = counted(grid.solid_count(), "cell");
    let mut lines = Vec::new();
    if level.is_blank() && !loaded.maps.is_empty() {
        let error = LoadErrorKind::NothingSolid { found: String::new(), near: None };
        lines.push(("blank", format!("nothing is solid; {}, or by --solid-layer", error.help())));
    }
    let warnings = warnings(loaded, facts.as_ref()).into_iter();
    lines.extend(warnings.map(|warning| ("warning", warning)));
    for hint in hints {
        let cells = match hint.cells {
            0 => String::new(),
            cells => format!(" ({})", counted(cells, "item")),
        };
        lines.push(("try", format!("{hint}{cells}")));
    }
    lines.extend(int_grids(&loaded.maps));
    lines.extend([
        ("size", px(level.size())),
        ("cells", cells),
        ("solid", format!("{solid}, {:.1}%", solid_share(level) * 100.0)),
        ("memory", format!("{} bytes", level.memory_bytes())),
    ]);
    let [x, y] = level.origin().to_array();
    if (x, y) != (0, 0) {
        lines.push(("origin", format!("its corner is at {x}, {y} of its source")));
    }
    match &loaded.source {
        Source::Map => lines.extend(loaded.maps.iter().map(|PlacedMap { map, .. }| {
            let infinite = if map.is_infinite { ", infinite" } else { "" };
            ("map", format!("{}{infinite}", orientation(map.orientation)))
        })),
        Source::Baked { content_hash } => {
            lines.push(("content", format!("hash {content_hash:016x}")));
        }
        _ => {}
    }
    if let Some([left, right, up, down]) = one_way_cells(level) {
        let counts = format!(
            "{left} guard their left, {right} their right, {up} their upper side, {down} their lower"
        );
        lines.push(("one-way", counts));
    }
    let config = loaded.options().config.as_deref();
    lines.push(("config", config.map_or("none".to_owned(), printable_path)));
    match &loaded.source {
        Source::Mask(mask) => {
            let animated =
                if mask.animated { ", animated: only its first picture was read" } else { "" };
            lines.push(("mask", format!("{}{animated}", mask.format)));
            lines.push(("rule", mask.rule.to_string()));
            lines.push(("pixels", pixels_text(&mask.counts)));
        }
        Source::World => lines.extend(loaded.maps.iter().map(|map| {
            let file = printable(map.file.as_deref().unwrap_or_default());
            let IVec2 { x, y } = map.area.min;
            ("map", format!("`{file}` at (x {x}, y {y}), {}", px(map.area.size())))
        })),
        _ => {}
    }
    for count in &loaded.solids {
        let mut counts = Vec::new();
        for (count, noun) in [(count.tiles, "tile"), (count.objects, "object")] {
            if count > 0 {
                counts.push(counted(count, noun));
            }
        }
        lines.push(("rule", format!("{}: {}", printable(&count.rule), counts.join(", "))));
    }
    for (name, context) in layers(&loaded.maps) {
        let hidden = if context.visible { "" } else { ", hidden" };
        let content = &context.layer.content;
        let items = counted(items(content), "item");
        let name = printable(&name);
        let kind = content.kind();
        lines.push(("layer", format!("`{name}`: {kind}, {items}{hidden}")));
    }
    for area in level.areas() {
        let cells = counted(area.terrain.grid().solid_count(), "cell");
        let solid = match area.category {
            0 => String::new(),
            bits => format!(", solid for bodies that collide with {bits:#x}"),
        };
        let name = printable(&area.name);
        let size = px(area.terrain.cell_size());
        lines.push(("area", format!("`{name}`: {cells} of {size}{solid}")));
    }
    let markers = level.markers().iter().take(MOST_MARKERS);
    lines.extend(markers.map(|marker| ("marker", marker_text(marker))));
    if level.markers().len() > MOST_MARKERS {
        let more = counted((level.markers().len() - MOST_MARKERS) as u64, "other marker");
        lines.push(("marker", format!("and {more}, which `--format json` lists")));
    }
    let mut text = format!("{}: a {}", printable_path(&file.path), kind(&loaded.source));
    for (label, value) in lines {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {label:<9} {value}");
    }
    text + "\n"
}

/// Returns a line for each value of LDtk's IntGrid layers: its number, name and colour, and the number of its
/// cells in all levels.
fn int_grids(maps: &[PlacedMap]) -> Vec<(&'static str, String)> {
    let mut values: BTreeMap<(&str, u32), (&Tile, u64)> = BTreeMap::new();
    for map in maps.iter().map(|placed| &placed.map) {
        for set in map.tilesets.iter().filter(|set| set.class == INT_GRID) {
            let layers = map.layers.iter().filter(|layer| layer.name == set.name);
            let tiles = layers.filter_map(|layer| match &layer.content {
                LayerContent::Tiles(tiles) => Some(&tiles.blocks),
                _ => None,
            });
            for gid in tiles.flatten().flat_map(|block| &block.cells) {
                let value = gid.wrapping_sub(set.first_gid);
                if let Some(tile) = set.tiles.get(&value) {
                    values.entry((&set.name, value)).or_insert((&**tile, 0)).1 += 1;
                }
            }
        }
    }
    let lines = values.into_iter().map(|((layer, value), (tile, count))| {
        let name = if tile.class.is_empty() { "without a name" } else { &tile.class };
        let color = match tile.properties.get("color").map(|color| &color.value) {
            Some(PropertyValue::Text(color)) => format!(" {}", printable(color)),
            _ => String::new(),
        };
        let [layer, name] = [layer, name].map(printable);
        ("value", format!("`{layer}` {value}: {name}{color}, {}", counted(count, "cell")))
    });
    lines.collect()
}

fn pixels_text(pixels: &MaskCounts) -> String {
    let in_planes = match pixels.in_planes {
        0 => String::new(),
        count => format!("{count} in planes, "),
    };
    format!(
        "{} black, {} white, {in_planes}{} neither, {} translucent, {} transparent",
        pixels.black, pixels.white, pixels.gray, pixels.translucent, pixels.transparent
    )
}

fn marker_text(marker: &Marker) -> String {
    let class = match &*marker.class {
        "" => String::new(),
        class => format!(" ({})", printable(class)),
    };
    let size = if marker.shape == MarkerShape::Point {
        String::new()
    } else {
        format!(", {}", px(marker.area.size()))
    };
    let shown = match (&marker.tile, marker.shape) {
        (Some(tile), _) => format!(", tile {} of `{}`", tile.id, printable(&tile.tileset)),
        (None, MarkerShape::Rectangle | MarkerShape::Point) => String::new(),
        (None, shape) => format!(", {}", shape_name(shape)),
    };
    let turned = match marker.rotation {
        0.0 => String::new(),
        degrees => format!(", turned by {degrees} degrees"),
    };
    let IVec2 { x, y } = marker.area.min;
    format!("`{}`{class} at (x {x}, y {y}){size}{shown}{turned}", printable(&marker.name))
}
