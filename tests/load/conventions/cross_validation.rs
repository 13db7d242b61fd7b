//! Cross-validation of the default rules on maps of real games.
//!
//! It shows how many maps of each project every default rule and every candidate rule wins and loses. It also
//! shows how many maps are right if the rules are chosen without the project on which they are tested.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use bitwall::rules::{LastResort, PropertyIs, SolidRules};
use bitwall::{LoadOptions, LoadedLevel};

use super::table::{Row, rows};
use crate::support::{root, shared};

/// A rule, as a change of the default rules. The change removes a default rule, or adds a candidate.
struct Rule {
    name: &'static str,
    is_default: bool,
    change: fn(&mut SolidRules),
}

const fn default(name: &'static str, change: fn(&mut SolidRules)) -> Rule {
    Rule { name, is_default: true, change }
}

const fn candidate(name: &'static str, change: fn(&mut SolidRules)) -> Rule {
    Rule { name, is_default: false, change }
}

fn without(words: &mut Vec<String>, dropped: &[&str]) {
    words.retain(|word| !dropped.contains(&&**word));
}

fn with(words: &mut Vec<String>, added: &[&str]) {
    words.extend(added.iter().map(|word| (*word).to_owned()));
}

const RULES: [Rule; 25] = [
    default("names of objects", |rules| rules.object_names.clear()),
    default("places on solid layers", |rules| rules.place_names.clear()),
    default("classes `collision*`", |rules| {
        without(&mut rules.object_classes, &["collision*"]);
    }),
    default("layers `boundaries`, `platforms`", |rules| {
        without(&mut rules.layer_names, &["boundaries", "tiles:platforms"]);
    }),
    default("layers `collision*`", |rules| {
        rules.layer_names.retain(|name| !name.starts_with("colli"));
    }),
    default("layers `wall`, `walls`", |rules| without(&mut rules.layer_names, &["wall", "walls"])),
    default("properties of layers", |rules| rules.layer_properties.clear()),
    default("a `nocollide` of another layer", |rules| rules.layer_passable_properties.clear()),
    default("properties of tiles", |rules| rules.solid_properties.clear()),
    default("classes of objects", |rules| rules.object_classes.clear()),
    default("`bodyType=static`", |rules| rules.solid_values.clear()),
    default("decoration", |rules| rules.decoration_layers.clear()),
    default("triggers", |rules| rules.trigger_properties.clear()),
    default("tilesets of two markers", |rules| rules.two_tile_tilesets = false),
    default("last resort: the only IntGrid layer", |rules| drop(rules, LastResort::IntGrid)),
    default("last resort: layers with similar names", |rules| {
        drop(rules, LastResort::SimilarNames);
    }),
    default("last resort: objects of the ground", |rules| drop(rules, LastResort::GroundObjects)),
    default("tags of LDtk's drawn tiles only as a last resort", |rules| {
        drop(rules, LastResort::ArtTags);
    }),
    candidate("layers `walls*`", |rules| with(&mut rules.layer_names, &["walls*"])),
    candidate("layers `ground*`", |rules| with(&mut rules.layer_names, &["ground*"])),
    candidate("layers `terrain*`", |rules| with(&mut rules.layer_names, &["terrain*"])),
    candidate("layers `main*`", |rules| with(&mut rules.layer_names, &["main*"])),
    candidate("layers `tree*`, `rock*`", |rules| {
        with(&mut rules.layer_names, &["tree*", "rock*", "fence*"]);
    }),
    candidate("`passage=15` (RPG Maker)", |rules| {
        rules.solid_values.push(PropertyIs::new("passage", "15"));
    }),
    candidate("shapes only", |rules| rules.shapes_only = true),
];

fn drop(rules: &mut SolidRules, dropped: LastResort) {
    rules.last_resorts.retain(|resort| *resort != dropped);
}

impl Rule {
    fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        (self.change)(&mut options.solid_rules);
        options
    }
}

impl Rule {
    /// True if the map is right with this default rule, and true if it is right without the rule. A last
    /// resort could replace the rule, so it is left out, unless the rule is about the last resorts.
    fn with_and_without(&self, known: &Known) -> (bool, bool) {
        let mut without = self.options();
        let defaults = LoadOptions::default().solid_rules.last_resorts;
        if without.solid_rules.last_resorts != defaults {
            return (known.is_right, known.is_right(&without));
        }
        without.solid_rules.last_resorts.clear();
        (known.is_right_without_resorts, known.is_right(&without))
    }
}

/// A map of the table, and its level with the default rules.
struct Known {
    row: Row,
    is_right: bool,
    is_right_without_resorts: bool,
    by_default: LoadedLevel,
}

impl Known {
    fn new(row: Row) -> Self {
        let by_default = row.loaded(&LoadOptions::default());
        let is_right = row.is_right(&by_default.level);
        let mut known = Self { row, is_right, is_right_without_resorts: false, by_default };
        let mut options = LoadOptions::default();
        options.solid_rules.last_resorts.clear();
        known.is_right_without_resorts = known.is_right(&options);
        known
    }

    fn is_right(&self, options: &LoadOptions) -> bool {
        let loaded = self.row.loaded(options);
        let one_way = |level: &LoadedLevel| level.level.one_way(bitwall::Dir::Up).cloned();
        let is_same = loaded.level.grid() == self.by_default.level.grid()
            && loaded.level.cell_size() == self.by_default.level.cell_size()
            && one_way(&loaded) == one_way(&self.by_default);
        if is_same { self.is_right } else { self.row.is_right(&loaded.level) }
    }
}

/// The numbers of maps, by project.
type Counts<'k> = BTreeMap<&'k str, usize>;

fn sum(counts: &Counts<'_>) -> usize {
    counts.values().sum()
}

fn listed(counts: &Counts<'_>) -> String {
    let all: Vec<String> = counts.iter().map(|(name, count)| format!("{name} {count}")).collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

#[test]
fn the_default_rules_help_more_maps_than_they_harm_even_without_any_one_project() {
    let folders = ["corpus", "fresh", "fresh4"].map(shared);
    if folders.iter().any(Option::is_none) {
        return;
    }
    let all = folders.iter().flatten().flat_map(|folder| rows(folder, None));
    let all: Vec<Known> = all.map(Known::new).collect();
    let mut text = String::from("rule: wins by project: loses by project\n");
    // For each default rule, the numbers of maps that it wins, by project.
    let mut winners: Vec<(&Rule, Counts<'_>)> = Vec::new();
    for rule in &RULES {
        let (mut wins, mut losses) = (Counts::new(), Counts::new());
        for known in &all {
            let (with, without) = match rule.is_default {
                true => rule.with_and_without(known),
                false => (known.is_right(&rule.options()), known.is_right),
            };
            if with != without {
                let counts = if with { &mut wins } else { &mut losses };
                *counts.entry(known.row.project()).or_default() += 1;
            }
        }
        let kind = if rule.is_default { "" } else { "no default: " };
        writeln!(text, "{kind}{}: {}: {}", rule.name, listed(&wins), listed(&losses)).unwrap();
        match rule.is_default {
            true => assert!(sum(&wins) >= 5 * sum(&losses), "{}: {losses:?}", rule.name),
            // A candidate that wins maps of only one project is better offered as a suggestion.
            false => assert!(wins.len() < 2 || !losses.is_empty(), "{}: {wins:?}", rule.name),
        }
        if rule.is_default {
            winners.push((rule, wins));
        }
    }
    text += "\nproject: maps: right by default: right by the rules that win maps elsewhere\n";
    let mut projects: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    // For each map, whether it is of LDtk, and its counts.
    let mut kinds: Vec<(bool, [usize; 3])> = Vec::new();
    for known in &all {
        let project = known.row.project();
        let mut options = LoadOptions::default();
        for (rule, wins) in &winners {
            if wins.len() == 1 && wins.contains_key(project) {
                (rule.change)(&mut options.solid_rules);
            }
        }
        let is_right = known.is_right(&options);
        let counts = projects.entry(project).or_default();
        let of_map = [1, usize::from(known.is_right), usize::from(is_right)];
        counts.iter_mut().zip(of_map).for_each(|(count, one)| *count += one);
        kinds.push((known.row.file.ends_with(".ldtk"), of_map));
    }
    let mut sums = [0; 3];
    for (project, counts) in &projects {
        let [maps, right, left_out] = counts;
        writeln!(text, "{project}: {maps}: {right}: {left_out}").unwrap();
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    for (kind, is_ldtk) in [("Tiled", false), ("LDtk", true)] {
        let of_kind = kinds.iter().filter(|(kind, _)| *kind == is_ldtk);
        let mut sums = [0; 3];
        for (_, counts) in of_kind {
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let [maps, right, left_out] = sums;
        writeln!(text, "{kind}: {maps}: {right}: {left_out}").unwrap();
    }
    let [maps, right, left_out] = sums;
    writeln!(text, "all: {maps}: {right}: {left_out}").unwrap();
    println!("{text}");
    let path = root().join("tests/load/conventions/cross_validation.txt");
    let is_update = std::env::var_os("UPDATE_GOLDEN").is_some();
    if is_update {
        fs::write(&path, &text).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap();
    assert!(!is_update && known == text, "cross_validation.txt is not as it was");
}
