//! `bitwall info`: shows the facts of a level, as text or JSON.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::commands::json::{Json, object};
use crate::commands::level_args::{LevelArgs, LevelFile};
use crate::commands::output::write_whole;
use crate::commands::render::{load_pictures, refuse_to_overwrite, write_png};
use crate::commands::{Answer, AnswerFormat, Failure};
use crate::lint::missing_pictures;
use crate::lint::output::area_numbers;
use crate::mask_facts::MaskFacts;
use crate::suggest::{Suggestion, suggestions_for};
use bitwall::error::LoadWarning;
use bitwall::glam::UVec2;
use bitwall::image::{ExtendedColorType, Rgba, RgbaImage, imageops};
use bitwall::load::Source;
use bitwall::mask::MaskCounts;
use bitwall::property::{PropertyValue, PropertyValues};
use bitwall::render::{self, DrawOptions, PAPER};
use bitwall::text::{counted, printable, printable_path, px};
use bitwall::tmx::{LayerContent, LayerContext, Orientation, PlacedMap, Space};
use bitwall::{Dir, Level, LoadedLevel, Marker};

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
    /// Write a PNG that shows the level and each of the first three suggestions side by side, to choose by
    /// eye. The level is left out if nothing is solid in it; one to three dots above a picture number the
    /// suggestions
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
}

pub(super) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    let file = args.level.file()?;
    let name = file.path.to_string_lossy();
    let loaded = match args.level.load.load_anyway(&file) {
        Ok(loaded) => loaded,
        Err(failure) => {
            if let (AnswerFormat::Json, Failure::Load(error)) = (args.format, &failure) {
                let refusal = object! {
                    version: 1,
                    level: &*name,
                    error: error.to_string(),
                    suggestions: Json::suggestions(&suggestions_for(error)),
                };
                print(&refusal.text())?;
            }
            return Err(failure);
        }
    };
    let hints = file.suggestions(&loaded);
    if let Some(out) = &args.compare {
        compare(out, &file, &loaded, &hints)?;
    }
    print(&match args.format {
        AnswerFormat::Text => text(&file, &loaded, &hints),
        AnswerFormat::Json => document(&name, &file, &loaded, &hints).text(),
    })
}

/// The largest width and height, in pixels, of each picture that `--compare` draws side by side.
const SIDE: u32 = 480;
/// The space between two pictures that `--compare` draws side by side, in pixels.
const GAP: u32 = 8;

/// Writes one PNG to `out` with pictures side by side. The first shows the level, unless nothing in it is
/// solid. The others show the level with each of the first three suggestions in `hints`.
fn compare(
    out: &Path,
    file: &LevelFile,
    loaded: &LoadedLevel,
    hints: &[Suggestion],
) -> Result<(), Failure> {
    if hints.is_empty() {
        let reason = "--compare: there is no suggestion for this level, so nothing to compare";
        return Err(Failure::Other(reason.to_owned()));
    }
    refuse_to_overwrite(out, [&file.path].into_iter())?;
    let pictures = load_pictures(&file.path, loaded);
    let options = DrawOptions {
        pictures: Some(&pictures),
        fit: Some(UVec2::splat(SIDE)),
        work: loaded.options().limits.work,
        ..DrawOptions::default()
    };
    let failed = |error| Failure::Other(format!("{}: {error}", printable_path(&file.path)));
    let draw = |loaded: &LoadedLevel| render::draw(loaded, &options).map_err(failed);
    let mut drawn = Vec::new();
    if !loaded.level.is_blank() {
        drawn.push(draw(loaded)?);
    }
    let first = 1 - drawn.len() as i64;
    for hint in hints.iter().take(3) {
        let mut by_hint = loaded.options().clone();
        by_hint.allow_nothing_solid = true;
        hint.options.iter().for_each(|setting| by_hint.apply(setting));
        drawn.push(draw(&file.load(&by_hint)?)?);
    }
    let height = drawn.iter().map(|picture| picture.height()).max().unwrap_or(0);
    let width: u32 = drawn.iter().map(|picture| picture.width() + GAP).sum();
    let mut all = RgbaImage::from_pixel(width.saturating_sub(GAP), height + 2 * GAP, PAPER);
    let dot = RgbaImage::from_pixel(GAP, GAP, Rgba([0, 0, 0, 255]));
    let mut left = 0;
    for (number, picture) in (first..).zip(&drawn) {
        for at in 0..number {
            imageops::replace(&mut all, &dot, left + at * i64::from(2 * GAP), i64::from(GAP / 2));
        }
        imageops::replace(&mut all, picture, left, i64::from(2 * GAP));
        left += i64::from(picture.width() + GAP);
    }
    let size = UVec2::from(all.dimensions());
    write_whole(out, &mut |file| Ok(write_png(&all, size, ExtendedColorType::Rgba8, file)?))
}

fn print(text: &str) -> Result<Answer, Failure> {
    Answer::Yes.once(write!(std::io::stdout().lock(), "{text}"))
}

fn kind(source: &Source) -> &'static str {
    match source {
        Source::Mask(_) => "mask",
        Source::Map => "map",
        Source::World => "world",
        Source::Baked(_) => "baked level",
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
        LayerContent::Tiles(tiles) => {
            let cells = tiles.blocks.iter().flat_map(|block| &block.cells);
            cells.filter(|gid| **gid != 0).count()
        }
        LayerContent::Objects(of_layer) => of_layer.objects.len(),
        _ => 0,
    };
    items as u64
}

/// Returns the coordinate system of the pixels of a map's level.
fn space(placed: &PlacedMap, loaded: &LoadedLevel) -> Space {
    if placed.map.orientation == Orientation::Orthogonal {
        return loaded.options().space;
    }
    if placed.on_screen.is_some() { Space::Screen } else { Space::Map }
}

/// Returns the numbers of one-way cells by the side on which they stop bodies: left, right, up, down. `None`
/// if the level has no one-way cells.
fn one_way_cells(level: &Level) -> Option<[u64; 4]> {
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
fn document(name: &str, file: &LevelFile, loaded: &LoadedLevel, hints: &[Suggestion]) -> Json {
    let (level, source) = (&loaded.level, &loaded.source);
    let config = loaded.options().config.as_deref();
    let (mut map, mut hash, mut mask, mut maps) =
        (Json::Absent, Json::Absent, Json::Absent, Json::Absent);
    match source {
        Source::Map => {
            map = loaded.maps.first().map_or(Json::Absent, |it| map_document(file, it, loaded))
        }
        Source::Baked(source) => hash = format!("{:016x}", source.content_hash).into(),
        Source::Mask(source) => {
            mask = object! {
                format: &*source.format,
                rule: source.rule.to_string(),
                animated: source.animated,
                pixels: pixels_document(&source.counts, file.mask_facts(loaded).as_ref()),
            };
        }
        Source::World => {
            maps = Json::list(&loaded.maps, |map| {
                object! {
                    file: map.file.as_deref().unwrap_or_default(),
                    x: map.area.min.x,
                    y: map.area.min.y,
                    width_px: map.area.width(),
                    height_px: map.area.height(),
                }
            });
        }
        _ => {}
    }
    let areas = level.areas().iter().map(|area| {
        let category = (area.category != 0).then_some(area.category);
        object! {
            name: &*area.name,
            cells: area.terrain.grid().solid_count(),
            cell_width_px: area.terrain.cell_size().x,
            cell_height_px: area.terrain.cell_size().y,
            // The category bits of the named area; absent if the area stops nobody.
            category: category.map_or(Json::Absent, Json::Count),
        }
    });
    object! {
        version: 1,
        level: name,
        kind: kind(source),
        // The `bitwall.toml` that gave the load options, or null.
        config: config.map(|path| path.to_string_lossy().into_owned()),
        width_px: level.size().x,
        height_px: level.size().y,
        columns: level.grid().width(),
        rows: level.grid().height(),
        cell_width_px: level.cell_size().x,
        cell_height_px: level.cell_size().y,
        solid_cells: level.grid().solid_count(),
        solid_share: solid_share(level),
        memory_bytes: level.memory_bytes(),
        // The position of the level's top-left corner in its source, in pixels.
        origin: level.origin().to_array(),
        map: map,
        // Hash of the baked level: equal levels have equal hashes.
        content_hash: hash,
        one_way_cells: one_way_cells(level).map_or(Json::Absent, Json::from),
        mask: mask,
        maps: maps,
        rules: Json::list(&loaded.solids, |count| {
            object! { rule: &*count.rule, tiles: count.tiles, objects: count.objects }
        }),
        layers: Json::list(&layers(&loaded.maps), |(name, context)| {
            let content = &context.layer.content;
            let kind = content.kind().name();
            object! { name: &**name, kind: kind, visible: context.visible, items: items(content) }
        }),
        areas: Json::List(areas.collect()),
        markers: Json::list(level.markers(), marker_document),
        warnings: Json::list(&loaded.warnings, |warning| warning.to_string().into()),
        // Load options that may make other cells solid, the best first.
        suggestions: Json::suggestions(hints),
    }
}

fn map_document(file: &LevelFile, placed: &PlacedMap, loaded: &LoadedLevel) -> Json {
    let map = &placed.map;
    let missing = missing_pictures(&file.path, map, loaded.options());
    let space = match space(placed, loaded) {
        Space::Map => "map",
        Space::Screen => "screen",
    };
    object! {
        orientation: orientation(map.orientation),
        infinite: map.is_infinite,
        space: space,
        missing_pictures: Json::list(&missing, |path| path.to_string_lossy().into_owned().into()),
    }
}

fn pixels_document(counts: &MaskCounts, facts: Option<&MaskFacts>) -> Json {
    let gray = facts.and_then(|facts| facts.gray.as_ref());
    let translucent = facts.and_then(|facts| facts.translucent.as_ref());
    object! {
        solid: counts.solid,
        black: counts.black,
        white: counts.white,
        in_planes: counts.in_planes,
        gray: counts.gray,
        first_gray: gray.map(|gray| gray.first.to_array()),
        gray_extent: gray.map(|gray| area_numbers(gray.extent)),
        translucent: counts.translucent,
        first_translucent: translucent.map(|it| it.first.to_array()),
        translucent_extent: translucent.map(|it| area_numbers(it.extent)),
        transparent: counts.transparent,
    }
}

fn marker_document(marker: &Marker) -> Json {
    object! {
        name: &*marker.name,
        class: &*marker.class,
        layer: &*marker.layer,
        object: marker.object,
        area: area_numbers(marker.area),
        is_point: marker.is_point,
        properties: values(&marker.properties),
    }
}

fn values(properties: &PropertyValues) -> Json {
    Json::Object(properties.iter().map(|(name, it)| (name.clone(), value(it))).collect())
}

/// Converts a property to JSON: a plain value, or for a class an object with the class name and the members.
fn value(value: &PropertyValue) -> Json {
    match value {
        PropertyValue::Bool(value) => (*value).into(),
        PropertyValue::Int(value) => (*value).into(),
        PropertyValue::Float(value) => (*value).into(),
        PropertyValue::Text(text) | PropertyValue::Color(text) => (&**text).into(),
        PropertyValue::Object(id) => (*id).into(),
        PropertyValue::List(list) => Json::list(list, self::value),
        PropertyValue::Class { class, members } => {
            object! { class: &**class, members: values(members) }
        }
        _ => Json::Absent,
    }
}

/// The largest number of missing pictures that `info` lists as text. Its JSON document lists all.
const MOST_PICTURES: usize = 3;

fn map_lines(
    file: &LevelFile,
    placed: &PlacedMap,
    loaded: &LoadedLevel,
) -> Vec<(&'static str, String)> {
    let map = &placed.map;
    let infinite = if map.is_infinite { ", infinite" } else { "" };
    let space = match space(placed, loaded) {
        Space::Screen => ", in the pixels of the screen",
        Space::Map => "",
    };
    let mut lines = vec![("map", format!("{}{infinite}{space}", orientation(map.orientation)))];
    let missing = missing_pictures(&file.path, map, loaded.options());
    for path in missing.iter().take(MOST_PICTURES) {
        lines.push(("picture", format!("{} is not there", printable_path(path))));
    }
    if let Some(more @ 1..) = missing.len().checked_sub(MOST_PICTURES) {
        lines.push(("picture", format!("{more} more are not there")));
    }
    lines
}

fn text(file: &LevelFile, loaded: &LoadedLevel, hints: &[Suggestion]) -> String {
    let (level, grid) = (&loaded.level, loaded.level.grid());
    let cells = format!("{} x {} of {}", grid.width(), grid.height(), px(level.cell_size()));
    let solid = counted(grid.solid_count(), "cell");
    let mut lines = vec![
        ("size", px(level.size())),
        ("cells", cells),
        ("solid", format!("{solid}, {:.1}%", solid_share(level) * 100.0)),
        ("memory", format!("{} bytes", level.memory_bytes())),
    ];
    if let [x, y] = level.origin().to_array()
        && (x, y) != (0, 0)
    {
        lines.push(("origin", format!("its corner is at {x}, {y} of its source")));
    }
    match &loaded.source {
        Source::Map => lines.extend(loaded.maps.iter().flat_map(|it| map_lines(file, it, loaded))),
        Source::Baked(baked) => {
            lines.push(("content", format!("hash {:016x}", baked.content_hash)));
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
            let animated = match mask.animated {
                true => ", animated: only its first picture was read",
                false => "",
            };
            lines.push(("mask", format!("{}{animated}", mask.format)));
            lines.push(("rule", mask.rule.to_string()));
            lines.push(("pixels", pixels_text(&mask.counts)));
        }
        Source::World => lines.extend(loaded.maps.iter().map(|map| {
            let file = printable(map.file.as_deref().unwrap_or_default());
            let (corner, size) = (map.area.min, px(map.area.size()));
            ("map", format!("`{file}` at (x {}, y {}), {size}", corner.x, corner.y))
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
        let (name, kind) = (printable(&name), content.kind().name());
        lines.push(("layer", format!("`{name}`: {kind}, {items}{hidden}")));
    }
    for area in level.areas() {
        let cells = counted(area.terrain.grid().solid_count(), "cell");
        let solid = match area.category {
            0 => String::new(),
            bits => format!(", solid for bodies that collide with {bits:#x}"),
        };
        let (name, size) = (printable(&area.name), px(area.terrain.cell_size()));
        lines.push(("area", format!("`{name}`: {cells} of {size}{solid}")));
    }
    lines.extend(level.markers().iter().map(|marker| ("marker", marker_text(marker))));
    lines
        .extend(loaded.warnings.iter().map(|warning| ("warning", LoadWarning::to_string(warning))));
    for hint in hints {
        let cells = match hint.cells {
            0 => String::new(),
            cells => format!(" ({})", counted(cells, "item")),
        };
        lines.push(("try", format!("{hint}{cells}")));
    }
    let mut text = format!("{}: a {}", printable_path(&file.path), kind(&loaded.source));
    for (label, value) in lines {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n  {label:<9} {value}");
    }
    text + "\n"
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
    let size = match marker.is_point {
        true => String::new(),
        false => format!(", {}", px(marker.area.size())),
    };
    let (name, corner) = (printable(&marker.name), marker.area.min);
    format!("`{name}`{class} at (x {}, y {}){size}", corner.x, corner.y)
}
