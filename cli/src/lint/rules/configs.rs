//! The rules for a `bitwall.toml`: unreadable ones, ones that name missing files, and ones that check less
//! than the `bitwall.toml` above or than their own earlier revision.

use std::path::Path;

use crate::lint::config::{BodySpec, MASK_PATTERNS, MarkerSpec, VerifyConfig};
use crate::lint::finding::{Finding, Report};
use crate::lint::rule::{LintRule, Selection, rule};
use crate::lint::rules::{Check, MOST_FINDINGS, RULES};
use bitwall::glam::UVec2;
use bitwall::load::{Links, Place, open_file};
use bitwall::rules::{MaskPlane, SolidRules, TileIds};
use bitwall::text::{counted, path_in_line, printable};
use bitwall::{LoadError, LoadOptions};

/// The rules of this module. Their checks find nothing, because [`verify_config`] returns their findings.
pub(super) static CHECKS: &[(&LintRule, Check)] =
    &[(&BROKEN_CONFIG, |_, _| None), (&UNMET_PATH, |_, _| None), (&WEAKENED_RULES, |_, _| None)];

/// Checks the configuration file at `path`, which may have any name. Returns a report with its findings.
///
/// - `config`: the section `[verify]` of the file, or the error in any of its sections.
/// - `above`: the path and the section `[verify]` of the nearest `bitwall.toml` above in the repository. The
///   section includes [inherited facts](VerifyConfig::with_above) and the rule states for the folder of
///   `path`.
/// - `unmatched`: the patterns of `[[verify.path]]`, `masks` and `exclude` in the file that match no level.
/// - `of_levels`: pairs of rule states for the folder and for levels in it. The first state of a pair applies
///   with this configuration, the second with the upper configuration alone.
pub fn verify_config(
    path: impl AsRef<Path>,
    config: Result<&VerifyConfig, &LoadError>,
    above: Option<(&Path, &VerifyConfig)>,
    unmatched: &[String],
    of_levels: &[(Selection, Selection)],
) -> Report {
    let path = path.as_ref();
    let config = match config {
        Ok(config) => config,
        Err(error) => {
            let broken = Finding::new(&BROKEN_CONFIG, error.path(), error.headline())
                .place(error.place().clone())
                .note("no level in its folder was checked")
                .help(error.help());
            return Report { findings: vec![broken], ..Report::default() };
        }
    };
    let mut levels = above.map(|(_, above)| above.options.levels.clone()).unwrap_or_default();
    // The severity comes from the upper configuration, so that a configuration cannot turn off the rule that
    // reports it.
    let weakened = above.and_then(|above| weakened_finding(path, config, above, of_levels));
    let mut findings: Vec<Finding> =
        weakened.and_then(|finding| of_severity(finding, &levels)).into_iter().collect();
    levels.extend(&config.options.levels);
    let unmet = unmet(path, config, unmatched).into_iter();
    findings.extend(unmet.filter_map(|finding| of_severity(finding, &levels)));
    Report { findings, ..Report::default() }
}

/// Compares the configuration at `path` with an earlier version of it, such as a revision. Returns a finding
/// if less is checked now than before; `None` otherwise.
///
/// - `before`, `after`: the section `[verify]` and the load options that apply in the folder of `path`, with
///   [inherited facts](VerifyConfig::with_above). The root folders in both are relative to the same folder.
/// - `of_levels`: pairs of rule states, first after, then before, for the folder and for levels in it.
/// - `left_out`: the number of levels that were checked before and are not checked now.
///
/// Returns `None` also if the rule states in `before` turn off the rule `weakened-rules`.
pub fn verify_config_since(
    path: impl AsRef<Path>,
    before: (&VerifyConfig, &LoadOptions),
    after: (&VerifyConfig, &LoadOptions),
    of_levels: &[(Selection, Selection)],
    left_out: usize,
) -> Option<Finding> {
    let files = (left_out > 0)
        .then(|| format!("{} not looked at any more", counted(left_out as u64, "level")));
    let keys = [weaker_options(before.1, after.1), weaker_facts(before.0, after.0)].concat();
    let finding =
        less(path.as_ref(), "than at the revision", of_levels, files, &keys, &["--diff"])?
            .note("the rules of the revision count for this, not those of the change")
            .help("take the change back, or have it reviewed on its own");
    of_severity(finding, &before.0.options.levels)
}

/// Returns a finding for each of the marker `names` in the configuration at `path`. No level in its folder
/// has these markers. `config` is the section `[verify]` with [inherited facts](VerifyConfig::with_above).
pub(crate) fn unmet_markers(path: &Path, config: &VerifyConfig, names: &[&str]) -> Vec<Finding> {
    let found = names.iter().filter_map(|name| {
        let finding =
            Finding::new(&UNMET_PATH, path, format!("no level has `{}`", printable(name)))
                .note("it is the name of a [[verify.marker]]")
                .help("correct it: it counts in all levels below the folder of this file");
        of_severity(at_entry(finding, config, "marker", name), &config.options.levels)
    });
    found.take(MOST_FINDINGS).collect()
}

/// Sets the place of a finding to the line of the configuration entry `text` under `key`.
fn at_entry(finding: Finding, config: &VerifyConfig, key: &'static str, text: &str) -> Finding {
    let line = config.lines.get(&(key, text.to_owned())).copied();
    finding.place(Place { line, ..Place::default() })
}

fn of_severity(finding: Finding, levels: &Selection) -> Option<Finding> {
    let severity = levels.severity_of(finding.rule)?;
    Some(Finding { severity, ..finding })
}

rule! {
    /// # What it finds
    /// A `bitwall.toml` that is not TOML, or that has an unknown key or a value that does not fit its key.
    ///
    /// # Why it matters
    /// The levels in its folder are not checked, because their options are unknown.
    ///
    /// # How to fix
    /// Correct the line that the message names. The docs of `LoadOptions::decode` and `VerifyConfig` list
    /// every key.
    BROKEN_CONFIG = "IO004" "broken-config" Error fixed on(Config)
}

rule! {
    /// # What it finds
    /// A `[[verify.pair]]` whose mask does not exist, or a pattern of `[[verify.path]]`, `masks` or `exclude`
    /// that matches no map and no picture in the folder of the `bitwall.toml`. An `exclude` of a folder that
    /// exists, or that a `.gitignore` names, is not a fault. A missing art of a pair is reported when its
    /// mask is checked.
    ///
    /// In a run over the whole folder, also a `[[verify.marker]]` whose name no level in it has.
    ///
    /// # Why it matters
    /// The mask is not compared with its art, the rules for the path apply to no file, or no spawn or goal is
    /// checked. A file or a marker was renamed, or its name is misspelt here. No other rule reports this.
    ///
    /// # How to fix
    /// Correct the path, which is relative to the folder of the `bitwall.toml`. Remove entries that are no
    /// longer used.
    UNMET_PATH = "IO006" "unmet-path" Warning on(Config)
}

/// Returns the findings for each `[[verify.pair]]` whose mask does not exist, and for the `unmatched`
/// patterns.
fn unmet(path: &Path, config: &VerifyConfig, unmatched: &[String]) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut findings = Vec::new();
    for pair in &config.pairs {
        if open_file(&folder.join(&pair.mask), Links::Followed, u64::MAX).is_err() {
            let headline =
                format!("the mask `{}` of a pair is not there", path_in_line(&pair.mask));
            let help =
                "correct its path, which counts from the folder of this file, or remove the pair";
            let finding = Finding::new(&UNMET_PATH, path, headline).help(help);
            findings.push(at_entry(finding, config, "mask", &pair.mask.to_string_lossy()));
        }
    }
    for pattern in unmatched {
        let headline = format!("no level matches `{}`", printable(pattern));
        let (key, note) = match () {
            () if config.per_path.iter().any(|rules| rules.paths.contains(pattern)) => {
                ("paths", "it is a path of [[verify.path]], with rules of its own")
            }
            () if config.exclude.contains(pattern) => {
                ("exclude", "it is a pattern of `exclude`, by which files are not looked at")
            }
            () => ("masks", "it is a pattern of `masks`, by which pictures are masks"),
        };
        let finding = Finding::new(&UNMET_PATH, path, headline)
            .note(note)
            .help("correct it; it counts from the folder of this file, as in a .gitignore");
        findings.push(at_entry(finding, config, key, pattern));
    }
    findings.truncate(MOST_FINDINGS);
    findings
}

rule! {
    /// # What it finds
    /// A `bitwall.toml` that weakens the one above it in the same repository. It turns off rules that are on
    /// above, makes their findings less severe, excludes files, or sets `masks` to an empty list. Or its
    /// `required-layers`, `[[verify.marker]]` or `[[verify.body]]` require less than above: a layer or marker
    /// is missing, or there are fewer bodies. Or its `allowed-tilesets` allow more. Keys that the lower file
    /// does not set are inherited from the upper one.
    ///
    /// With `--diff` a `bitwall.toml`, also a new or deleted one, is compared with the rules that applied to
    /// its folder at the revision instead. The rule then also reports options that make less of a level solid
    /// or that tolerate a fault. The rules of the revision decide whether this rule is on.
    ///
    /// # Why it matters
    /// A change can silence the check of its own levels. A reviewer should see that.
    ///
    /// # How to fix
    /// Move the exception into the upper `bitwall.toml`, as a `[[verify.path]]` with the paths of the levels.
    /// In a list, repeat all entries of the upper one. With `--diff`, take the change back, or have it
    /// reviewed separately.
    WEAKENED_RULES = "IO005" "weakened-rules" Warning on(Config)
}

const MAX_NAMED: usize = 5;

fn weakened_finding(
    path: &Path,
    config: &VerifyConfig,
    (top_path, top): (&Path, &VerifyConfig),
    of_levels: &[(Selection, Selection)],
) -> Option<Finding> {
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    // Changed `exclude` patterns make a different finding in a baseline.
    let marks: Vec<&str> = config.exclude.iter().map(String::as_str).collect();
    let mut finding = less(path, "here", of_levels, files, &weaker_lists(top, config), &marks)?;
    finding.notes.insert(0, format!("the file above is {}", path_in_line(top_path)));
    Some(finding.help("move the exception into the file above, as [[verify.path]]"))
}

/// Returns a finding which states that the configuration at `path` checks less than another one. `None` if no
/// rule is weaker and both `files` and `keys` are empty.
///
/// - `than`: the end of the phrase "weaker ...", which names what the configuration is compared with.
/// - `of_levels`: pairs of rule states, first after, then before. A weaker rule is off or less severe after.
/// - `files`: a text about files that are no longer checked.
/// - `keys`: the keys whose values check less.
/// - `marks`: further words that distinguish the finding in a baseline, besides the codes and `keys`.
fn less(
    path: &Path,
    than: &str,
    of_levels: &[(Selection, Selection)],
    files: Option<String>,
    keys: &[&str],
    marks: &[&str],
) -> Option<Finding> {
    let some = |names: &[&str]| {
        let rest = if names.len() > MAX_NAMED { " and others" } else { "" };
        names[..names.len().min(MAX_NAMED)].join(", ") + rest
    };
    let is_weaker = |rule: &&&LintRule| {
        of_levels.iter().any(|(after, before)| {
            let before = before.severity_of(rule);
            // A larger `Severity` is less severe: `Error` is the smallest.
            before.is_some_and(|before| after.severity_of(rule).is_none_or(|it| it > before))
        })
    };
    let weaker: Vec<_> = RULES.iter().filter(is_weaker).collect();
    let codes: Vec<&str> = weaker.iter().map(|rule| rule.code).collect();
    let mut reasons = Vec::new();
    match &*weaker {
        [] => {}
        [rule] => reasons.push(format!("the rule {} is weaker {than}", rule.title())),
        rules => reasons.push(format!("{} rules are weaker {than}", rules.len())),
    }
    reasons.extend(files);
    if !keys.is_empty() {
        reasons.push(format!("less is checked {than} by {}", some(keys)));
    }
    let mut reasons = reasons.into_iter();
    let kind = format!("`{} {}`", codes.join(" "), [marks, keys].concat().join(" "));
    let finding = Finding::new(&WEAKENED_RULES, path, reasons.next()?)
        .of_many(kind, 1)
        .notes((codes.len() > 1).then(|| format!("they are {}", some(&codes))))
        .notes(reasons);
    Some(finding)
}

/// Returns the keys of `config` whose values require or check less than those in `above`.
fn weaker_lists(above: &VerifyConfig, config: &VerifyConfig) -> Vec<&'static str> {
    let (top, own) = (&above.options, &config.options);
    let has_no_masks = |it: &VerifyConfig| it.masks.as_ref().is_some_and(Vec::is_empty);
    let states = |key: &str, is_empty: bool| !is_empty || config.emptied.contains(&key);
    let (layers, tilesets) = (&own.required_layers, &own.allowed_tilesets);
    let lacks_layer = lacks(&top.required_layers, layers);
    let allows_more = allows_more(&top.allowed_tilesets, tilesets);
    let lacks_marker = lacks_marker(&top.markers, &own.markers);
    let has_fewer = own.bodies.len() < top.bodies.len();
    of_weaker(&[
        ("masks", has_no_masks(config) && !has_no_masks(above)),
        ("required-layers", states("required-layers", layers.is_empty()) && lacks_layer),
        ("allowed-tilesets", states("allowed-tilesets", tilesets.is_empty()) && allows_more),
        ("marker", states("marker", own.markers.is_empty()) && lacks_marker),
        ("body", states("body", own.bodies.is_empty()) && has_fewer),
    ])
}

/// True if the markers `own` of one configuration require less than the `markers` of another one: they lack
/// one of `markers`, or have a smaller `at_least` or a larger `at_most` for one.
fn lacks_marker(markers: &[MarkerSpec], own: &[MarkerSpec]) -> bool {
    let most = |it: &MarkerSpec| it.at_most.unwrap_or(u32::MAX);
    !markers.iter().all(|old| {
        own.iter().any(|own| {
            own.name == old.name && own.at_least >= old.at_least && most(own) <= most(old)
        })
    })
}

/// True if `new` allows tilesets that `old` does not allow. An empty list allows all.
fn allows_more(old: &[String], new: &[String]) -> bool {
    !old.is_empty() && (new.is_empty() || lacks(new, old))
}

/// Returns the keys of the section `[verify]` that check fewer files or require less in `after` than in
/// `before`.
fn weaker_facts(before: &VerifyConfig, after: &VerifyConfig) -> Vec<&'static str> {
    let default = MASK_PATTERNS.map(str::to_owned);
    let masks = |config: &VerifyConfig| config.masks.clone().unwrap_or(default.to_vec());
    let (old, new) = (&before.options, &after.options);
    let is_kept = |old: &BodySpec| new.bodies.iter().any(|new| checks_as_much(new, old));
    let is_finer =
        |old: UVec2| !new.tile.is_some_and(|new| old.min_element() > 0 && new % old == UVec2::ZERO);
    of_weaker(&[
        ("verify.masks", matches_more(&masks(before), &masks(after))),
        ("verify.exclude", matches_more(&after.exclude, &before.exclude)),
        ("verify.pair", lacks(&before.pairs, &after.pairs)),
        ("verify.size", old.size.is_some() && new.size.is_none()),
        ("verify.tile", old.tile.is_some_and(is_finer)),
        ("verify.required-layers", lacks(&old.required_layers, &new.required_layers)),
        ("verify.allowed-tilesets", allows_more(&old.allowed_tilesets, &new.allowed_tilesets)),
        ("verify.body", !old.bodies.iter().all(is_kept)),
        ("verify.marker", lacks_marker(&old.markers, &new.markers)),
    ])
}

/// Returns the keys outside `[verify]` whose values in `after` may make fewer cells solid or tolerate a
/// fault.
fn weaker_options(before: &LoadOptions, after: &LoadOptions) -> Vec<&'static str> {
    let (old, new) = (&before.solid_rules, &after.solid_rules);
    // Without a root folder, an empty path is compared, because every path starts with the empty path.
    let root = |options: &LoadOptions| options.root.clone().unwrap_or_default();
    let planes = |all: &[MaskPlane], is_solid: bool| -> Vec<MaskPlane> {
        all.iter().filter(|it| (it.name == "solid") == is_solid).cloned().collect()
    };
    let mut keys = of_weaker(&[
        ("level.allow-nothing-solid", after.allow_nothing_solid && !before.allow_nothing_solid),
        ("level.lenient", after.lenient && !before.lenient),
        ("level.outside", after.outside != before.outside),
        ("level.space", after.space != before.space),
        ("level.root", !root(after).starts_with(root(before))),
        ("masks.rule", after.mask_rule != before.mask_rule),
        (
            "masks.planes",
            lacks(&planes(&after.planes, false), &before.planes)
                || lacks(&planes(&before.planes, true), &after.planes),
        ),
    ]);
    // If a change turns off the default names of `[solid]`, nearly all its lists become shorter. One key in
    // the finding then stands for all of them.
    let default = SolidRules::default();
    let lacks_defaults = |rules: &SolidRules| lacks(&default.layer_names, &rules.layer_names);
    if lacks_defaults(new) && !lacks_defaults(old) {
        keys.push("solid.defaults");
    } else {
        keys.extend(weaker_solid(old, new));
    }
    keys
}

/// Returns the keys of the section `[solid]` that mark less as solid: a list of names that mark solids has
/// lost a name, or a list of names that mark passable things has gained one.
fn weaker_solid(old: &SolidRules, new: &SolidRules) -> Vec<&'static str> {
    of_weaker(&[
        ("solid.layers", lacks(&old.layer_names, &new.layer_names)),
        ("solid.layer-classes", lacks(&old.layer_classes, &new.layer_classes)),
        ("solid.layer-properties", lacks(&old.layer_properties, &new.layer_properties)),
        ("solid.walkable-layers", lacks(&old.walkable_layers, &new.walkable_layers)),
        ("solid.tile-classes", lacks(&old.tile_classes, &new.tile_classes)),
        ("solid.tile-properties", lacks(&old.solid_properties, &new.solid_properties)),
        ("solid.tiles", lacks_tiles(&old.solid_tiles, &new.solid_tiles)),
        ("solid.object-classes", lacks(&old.object_classes, &new.object_classes)),
        ("solid.object-names", lacks(&old.object_names, &new.object_names)),
        ("solid.object-properties", lacks(&old.object_properties, &new.object_properties)),
        ("solid.values", lacks(&old.solid_values, &new.solid_values)),
        ("solid.one-way-properties", lacks(&old.one_way_properties, &new.one_way_properties)),
        ("solid.one-way-classes", lacks(&old.one_way_classes, &new.one_way_classes)),
        (
            "solid.layer-passable-properties",
            lacks(&new.layer_passable_properties, &old.layer_passable_properties),
        ),
        ("solid.passable-layers", lacks(&new.passable_layers, &old.passable_layers)),
        ("solid.decoration-layers", lacks(&new.decoration_layers, &old.decoration_layers)),
        ("solid.trigger-properties", lacks(&new.trigger_properties, &old.trigger_properties)),
        ("solid.passable-properties", lacks(&new.passable_properties, &old.passable_properties)),
        ("solid.passable-tiles", lacks_tiles(&new.passable_tiles, &old.passable_tiles)),
        ("solid.shapes-only", new.shapes_only && !old.shapes_only),
        ("solid.two-tile-tilesets", new.two_tile_tilesets && !old.two_tile_tilesets),
    ])
}

fn of_weaker(keys: &[(&'static str, bool)]) -> Vec<&'static str> {
    keys.iter().filter(|(_, is_weaker)| *is_weaker).map(|(key, _)| *key).collect()
}

fn lacks<T: PartialEq>(all: &[T], others: &[T]) -> bool {
    all.iter().any(|item| !others.contains(item))
}

/// True if a range of tile ids in `all` lies in no range of the same tileset in `others`.
fn lacks_tiles(all: &[TileIds], others: &[TileIds]) -> bool {
    let mut ids = all.iter().flat_map(|tiles| tiles.ids.iter().map(|ids| (&tiles.tileset, ids)));
    ids.any(|(tileset, ids)| {
        let same = others.iter().filter(|others| others.tileset == *tileset);
        let mut ranges = same.flat_map(|others| &others.ids);
        !ranges.any(|other| other.contains(ids.start()) && other.contains(ids.end()))
    })
}

/// True if `patterns` may match more files than `others`: it has an additional pattern, or lacks an exclusion
/// (`!`) of `others`.
fn matches_more(patterns: &[String], others: &[String]) -> bool {
    let lacks = |all: &[String], others: &[String], takes_out: bool| {
        all.iter().any(|it| it.starts_with('!') == takes_out && !others.contains(it))
    };
    lacks(patterns, others, false) || lacks(others, patterns, true)
}

fn checks_as_much(new: &BodySpec, old: &BodySpec) -> bool {
    new.name == old.name
        && new.size.cmpge(old.size).all()
        && (old.moves.is_none() || new.moves == old.moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_require_less_than_the_upper_configuration_are_named() {
        let decode = |text: &str| VerifyConfig::decode("b.toml", text).unwrap();
        let top = decode(
            "[verify]\nrequired-layers = ['a', 'b']\nallowed-tilesets = ['s']\n\
             body = [{ size = '3x4' }, { size = '5x6' }]\n\
             marker = [{ name = 'm', at-least = 2, at-most = 3 }]",
        );
        let lists = |text: &str| {
            let config = decode(&format!("[verify]\n{text}"));
            weaker_lists(&top, &config).join(" ")
        };
        for (text, expected) in [
            ("", ""),
            ("masks = []\nrequired-layers = []\nmarker = []", "masks required-layers marker"),
            ("allowed-tilesets = []\nbody = []", "allowed-tilesets body"),
            (
                "required-layers = ['b']\nallowed-tilesets = ['s', 't']",
                "required-layers allowed-tilesets",
            ),
            ("required-layers = ['b', 'a', 'c']\nmasks = ['x']", ""),
            ("body = [{ size = '3x4' }]", "body"),
            ("body = [{ size = '1x1' }, { size = '5x6' }]", ""),
            ("marker = [{ name = 'm', at-least = 2, at-most = 4 }]", "marker"),
            ("marker = [{ name = 'm', at-least = 1, at-most = 3 }]", "marker"),
            ("marker = [{ name = 'n' }, { name = 'm', at-least = 3, at-most = 3 }]", ""),
        ] {
            assert_eq!(lists(text), expected, "{text}");
        }
    }
}
