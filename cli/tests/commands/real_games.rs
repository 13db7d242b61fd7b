//! Suggestions for maps and masks of real games. The code of these games defines their solids.

mod masks;
mod unknown_words;

use std::sync::Arc;

use bitwall::error::WarningCause;
use bitwall::load::Source;
use bitwall::tmx::{Layer, LayerContent, Map};
use bitwall::{LoadOptions, LoadedLevel};
use bitwall_cli::mask_facts::MaskFacts;
use bitwall_cli::suggest::{Setting, suggestions};

use crate::conventions::table::{Row, rows};
use crate::suggestions::options_of;
use crate::support::{corpus, even_blank, shared};

/// The three samples of real games.
const SAMPLES: [&str; 3] = ["corpus", "fresh", "fresh4"];

/// The kinds of levels in the tables, by the ending of the file.
const KINDS: [(&str, &[&str]); 3] =
    [("Tiled", &["tmx", "tmj", "json"]), ("LDtk", &["ldtk"]), ("mask", &["png"])];

#[test]
fn default_rules_or_suggestions_find_the_solids_of_real_games() {
    let folders = SAMPLES.map(shared);
    if folders.iter().any(Option::is_none) {
        return;
    }
    println!("found: beside: verdict: level: first suggestion: warnings");
    let mut tallies = Vec::new();
    for (sample, folder) in SAMPLES.into_iter().zip(folders.iter().flatten()) {
        let mut rows = rows(folder, None);
        rows.extend(masks::rows(folder));
        for (kind, endings) in KINDS {
            let of_kind = rows.iter().filter(|row| {
                endings.iter().any(|ending| row.file.rsplit('.').next() == Some(ending))
            });
            let tally = Tally::of(of_kind, &Row::loaded);
            tallies.push((sample, kind, tally));
        }
    }
    println!("sample: kind: all: by default: + by the first suggestion: silent: needless");
    for (sample, kind, tally) in tallies.iter().filter(|(_, _, tally)| tally.all > 0) {
        let Tally { all, by_default, by_first, silent, needless } = tally;
        println!("{sample}: {kind}: {all}: {by_default}: {by_first}: {silent}: {needless}");
    }
    let mut whole = Tally::default();
    for (sample, right, with_first) in [("corpus", 90, 95), ("fresh", 80, 90), ("fresh4", 75, 80)] {
        let mut sum = Tally::default();
        tallies.iter().filter(|(of, _, _)| *of == sample).for_each(|(_, _, it)| sum.add(it));
        println!("{sample}: {sum:?}");
        let Tally { all, by_default, by_first, silent, .. } = sum;
        assert!(by_default * 100 >= all * right, "too few are right by default");
        assert!((by_default + by_first) * 100 >= all * with_first, "too few are right");
        assert!(silent * 100 <= all * 4, "too many are wrong without a word");
    }
    // A mask that is read by its transparency has a warning even if the reading is right.
    tallies.iter().filter(|(_, kind, _)| *kind != "mask").for_each(|(.., it)| whole.add(it));
    println!("all: {whole:?}");
    assert!(whole.needless * 10 <= whole.by_default, "too many that are right have a suggestion");
}

fn causes_of(loaded: &LoadedLevel) -> impl Iterator<Item = WarningCause> {
    loaded.warnings.iter().map(|warning| warning.cause)
}

/// The numbers of levels in the table, by result.
#[derive(Debug, Default)]
struct Tally {
    all: usize,
    by_default: usize,
    /// Levels that are wrong by default but right with the first suggestion.
    by_first: usize,
    /// Levels with solids that are wrong, and have neither a warning nor a suggestion.
    silent: usize,
    /// Levels that are right but have a warning or a suggestion, although no guess decides.
    needless: usize,
}

impl Tally {
    /// Counts the results of `rows`. `load` loads the level of a row with options.
    fn of<'r>(
        rows: impl Iterator<Item = &'r Row>,
        load: &dyn Fn(&Row, &LoadOptions) -> LoadedLevel,
    ) -> Self {
        let mut tally = Self::default();
        for row in rows {
            let loaded = load(row, &LoadOptions::default());
            let facts = match &loaded.source {
                Source::Mask(source) => MaskFacts::read(source, &std::fs::read(&row.path).unwrap()),
                _ => None,
            };
            let first = suggestions(&loaded, facts.as_ref()).into_iter().next();
            let options = first.as_ref().map_or_else(LoadOptions::default, options_of);
            let is_right = row.is_right(&loaded.level);
            let helps = first.is_some() && !is_right && row.is_right(&load(row, &options).level);
            // A text flag says nothing about wrong solids.
            let has_words =
                first.is_some() || causes_of(&loaded).any(|cause| cause != WarningCause::TextFlag);
            let is_guess = causes_of(&loaded).any(|cause| cause == WarningCause::LastResort);
            let is_silent = !is_right && !has_words && !loaded.level.is_blank();
            let word = match (is_right, helps) {
                (true, _) => "right",
                (false, true) => "right as suggested",
                (false, false) if is_silent => "silently wrong",
                (false, false) if loaded.level.is_blank() => "nothing solid",
                (false, false) => "wrong",
            };
            let [found, beside] = row.compared(&loaded.level);
            let shown = first.as_ref().map(ToString::to_string).unwrap_or_default();
            let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
            let warnings = warnings.join(" | ");
            println!("{found:.3}: {beside:.3}: {word}: {}: {shown}: {warnings}", row.file);
            tally.add(&Self {
                all: 1,
                by_default: usize::from(is_right),
                by_first: usize::from(helps),
                silent: usize::from(is_silent),
                needless: usize::from(is_right && has_words && !is_guess),
            });
        }
        tally
    }

    fn add(&mut self, other: &Self) {
        self.all += other.all;
        self.by_default += other.by_default;
        self.by_first += other.by_first;
        self.silent += other.silent;
        self.needless += other.needless;
    }
}

/// Replaces the names of all layers by numbers, and removes their classes.
fn without_words(map: &mut Map) {
    fn strip(layers: &mut [Layer], count: &mut u32) {
        for layer in layers {
            *count += 1;
            layer.name = format!("layer {count}");
            layer.class.clear();
            layer.properties.clear();
            if let LayerContent::Group(inner) = &mut layer.content {
                strip(inner, count);
            }
        }
    }
    strip(&mut map.layers, &mut 0);
    for set in &mut map.tilesets {
        set.name = format!("tiles from {}", set.first_gid);
        for tile in set.tiles.values_mut().map(Arc::make_mut) {
            (tile.class, tile.properties) = Default::default();
            tile.shapes.clear();
        }
    }
}

#[test]
fn the_solid_layer_is_the_first_suggestion_when_all_names_are_removed() {
    let Some(files) = corpus() else {
        return;
    };
    let options = even_blank();
    let (mut first, mut all) = (0, 0);
    for (file, path) in &files {
        let Ok(loaded) = LoadedLevel::load(path, &options) else {
            continue;
        };
        let Some(map) = loaded.map().filter(|_| loaded.maps.len() == 1) else {
            continue;
        };
        // Only maps with one tile layer named for its solids, among several, can be judged.
        let is_named = |name: &str| name.to_lowercase().starts_with("collision");
        let mut stripped = map.clone();
        without_words(&mut stripped);
        let tiles = |map: &Map| {
            let tiles = map.walk().filter(|it| matches!(it.layer.content, LayerContent::Tiles(_)));
            tiles.map(|it| it.layer.name.clone()).collect::<Vec<_>>()
        };
        let names = tiles(map);
        let truth: Vec<usize> = (0..names.len()).filter(|at| is_named(&names[*at])).collect();
        let ([truth], true) = (&truth[..], names.len() > 1) else {
            continue;
        };
        let wanted = tiles(&stripped)[*truth].clone();
        let loaded = LoadedLevel::from_map(stripped, &options).unwrap();
        let found = suggestions(&loaded, None).into_iter().next();
        let is_first = found.as_ref().is_some_and(|it| it.options == [Setting::SolidLayer(wanted)]);
        println!(
            "{}: {file}: {}",
            if is_first { "first" } else { "not first" },
            found.map(|found| found.to_string()).unwrap_or_default()
        );
        first += usize::from(is_first);
        all += 1;
    }
    println!("{first} of {all} layers are the first suggestion");
    assert!(all >= 9 && first * 10 >= all * 9, "{first} of {all}");
}

/// Returns the test for solid pixels that the game of a mask uses. `None` for a file that is not the mask of
/// a level, and for an unknown game.
fn truth(file: &str) -> Option<fn([u8; 4]) -> bool> {
    let (project, path) = file.split_once('/')?;
    let name = path.rsplit('/').next()?;
    match project {
        // The game tests for an alpha above 0.
        "debian-hedgewars-data_1.0.2-6" => Some(|pixel| pixel[3] > 0),
        "depp+oubliette" if name.ends_with(".hit.png") => Some(|pixel| pixel[0] < 128),
        "depp+oubliette" => Some(|pixel| pixel[3] > 0),
        // The game's level parser compares with black.
        "blaise-io+xssnake" => Some(|pixel| pixel == [0, 0, 0, 255]),
        "tzachshabtay+MonoAGS" if name.starts_with("walkable") => Some(|pixel| pixel[3] == 0),
        // Hotspots and walk-behinds are areas where the picture is not transparent.
        "tzachshabtay+MonoAGS" => Some(|pixel| pixel[3] > 0),
        // White pixels are outside the track.
        "Ekansh38+f1-driver" if name == "track_mask.png" => Some(|pixel| pixel[0] > 128),
        _ => None,
    }
}

/// The smallest share of the masks that must be right, in percent.
const ENOUGH: usize = 80;

/// Prints for each project the number of masks that are right by default, with the first suggestion, and with
/// another one.
#[test]
fn most_real_masks_are_right_by_default_or_by_the_first_suggestion() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let table = std::fs::read_to_string(corpus.join("MASKS.tsv")).unwrap();
    let mut projects: std::collections::BTreeMap<&str, [usize; 4]> = Default::default();
    for file in table.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        let Some(is_solid) = truth(file) else {
            continue;
        };
        let path = corpus.join(file);
        let picture = bitwall::load::load_picture(&path).unwrap();
        let is_right = |options: &LoadOptions| {
            let level = LoadedLevel::load(&path, options).unwrap().level;
            let mut pixels = picture.enumerate_pixels();
            pixels.all(|(x, y, pixel)| level.grid().is_solid(x, y) == is_solid(pixel.0))
        };
        let loaded = LoadedLevel::load(&path, &even_blank()).unwrap();
        let Source::Mask(source) = &loaded.source else { panic!("{file} is no mask") };
        let facts = MaskFacts::read(source, &std::fs::read(&path).unwrap());
        let suggestions = suggestions(&loaded, facts.as_ref());
        let place = if is_right(&even_blank()) {
            0
        } else {
            let right = suggestions.iter().position(|suggestion| {
                is_right(&LoadOptions { allow_nothing_solid: true, ..options_of(suggestion) })
            });
            right.map_or(3, |place| 1 + place.min(1))
        };
        let first = suggestions.first().map_or(String::new(), |first| first.arguments().join(" "));
        println!("{} {file}: {first}", ["default", "first", "other", "wrong"][place]);
        projects.entry(file.split('/').next().unwrap()).or_default()[place] += 1;
    }
    let mut all = [0; 4];
    println!("default  first  other  wrong  project");
    for (project, counts) in &projects {
        let [default, first, other, wrong] = counts;
        println!("{default:7} {first:6} {other:6} {wrong:6}  {project}");
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    let right = all[0] + all[1];
    let masks: usize = all.iter().sum();
    println!("{right} of {masks} masks are right: {all:?}");
    assert!(masks >= 40 && right * 100 >= masks * ENOUGH, "{right} of {masks}");
}
