//! The rules for the file `bitwall.toml`: one that cannot be read, that names what is not there, or that
//! checks less than the one above it, or than it did at a revision.

use std::path::Path;

use crate::lint::config::{BodySpec, MASK_PATTERNS, MarkerSpec, VerifyConfig};
use crate::lint::finding::{Finding, Report};
use crate::lint::rule::{LintRule, Selection, rule};
use crate::lint::rules::{MOST_FINDINGS, RULES};
use bitwall::glam::UVec2;
use bitwall::load::{Links, open_file};
use bitwall::rules::{MaskPlane, SolidRules, TileIds};
use bitwall::text::{counted, path_in_line, printable};
use bitwall::{LoadError, LoadOptions};

pub(super) static ALL: &[&LintRule] = &[&BROKEN_CONFIG, &UNMET_PATH, &WEAKENED_RULES];

/// Checks the configuration of a folder's levels: a `bitwall.toml`, by any name. `config` is its section
/// `[verify]`, or the error that it, or another of its sections, cannot be read. `above` is the nearest
/// `bitwall.toml` above it in its repository, with the facts that it has [from those
/// above](VerifyConfig::with_above), and the rules that hold for the folder of `path`. `unmatched` are the
/// patterns of its `[[verify.path]]` that match no level. Each of `of_levels` has the states of rules for the
/// folder, or for a level in it: by the configuration, and by the one above alone.
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
        Err(error) => return Report { findings: vec![broken(error)], ..Report::default() },
    };
    let above_levels = above.map(|(_, above)| above.options.levels.clone()).unwrap_or_default();
    let mut levels = above_levels.clone();
    levels.extend(&config.options.levels);
    // A configuration does not turn off the rule that reports it.
    let weakened = above.and_then(|above| weakened_finding(path, config, above, of_levels));
    let weakened = of_severity(weakened, &above_levels);
    let unmet = of_severity(unmet(path, config, unmatched), &levels);
    Report { findings: weakened.chain(unmet).collect(), ..Report::default() }
}

/// The finding in a configuration that checks less than was checked in its folder before, such as at a
/// revision of its repository; `None` if it checks as much. `before` and `after` are the section `[verify]`
/// and the options that held and hold in the folder of `path`, with those [of the files
/// above](VerifyConfig::with_above), and with roots that count from one place. Each of `of_levels` has the
/// states of rules for the folder, or for a level in it, after and before; `left_out` levels are not looked
/// at any more. The rules of `before` say whether it is a finding.
pub fn verify_config_since(
    path: impl AsRef<Path>,
    before: (&VerifyConfig, &LoadOptions),
    after: (&VerifyConfig, &LoadOptions),
    of_levels: &[(Selection, Selection)],
    left_out: usize,
) -> Option<Finding> {
    let rules = weaker_rules(of_levels);
    let files = (left_out > 0)
        .then(|| format!("{} not looked at any more", counted(left_out as u64, "level")));
    let keys = [weaker_options(before.1, after.1), weaker_facts(before.0, after.0)].concat();
    let than = "than at the revision";
    let finding = less(path.as_ref(), than, &rules, files, &keys, &["--diff"])?;
    let finding = finding
        .note("the rules of the revision count for this, not those of the change")
        .help("take the change back, or have it reviewed on its own");
    of_severity([finding], &before.0.options.levels).next()
}

/// The findings whose rules are on, with their severities.
fn of_severity(
    findings: impl IntoIterator<Item = Finding>,
    levels: &Selection,
) -> impl Iterator<Item = Finding> {
    findings.into_iter().filter_map(|finding| {
        let severity = levels.severity_of(finding.rule)?;
        Some(Finding { severity, ..finding })
    })
}

// Configurations that cannot be read.

rule! {
    /// # What it finds
    /// A `bitwall.toml` that is not TOML, or that has an unknown key or a value that does not fit its key.
    ///
    /// # Why it matters
    /// The levels of its folder are not checked, because their options are not known.
    ///
    /// # How to fix
    /// Correct the line that the message names. The docs of `LoadOptions::decode` and `VerifyConfig` list
    /// every key.
    BROKEN_CONFIG = "IO004" "broken-config" Error fixed on(Config)
}

fn broken(error: &LoadError) -> Finding {
    Finding::new(&BROKEN_CONFIG, error.path(), error.headline())
        .place(error.place().clone())
        .note("no level in its folder was checked")
        .help(error.help())
}

// Configurations that name files which are not there.

rule! {
    /// # What it finds
    /// A `[[verify.pair]]` whose mask does not exist, and a pattern of `[[verify.path]]` that matches no map
    /// and no picture in the folder of the `bitwall.toml`. The art of a pair is looked for when its mask is
    /// checked.
    ///
    /// # Why it matters
    /// The mask is not compared with its art, and the rules for the path count for no file. A file was
    /// renamed, or its name is misspelt here, and nothing else says so.
    ///
    /// # How to fix
    /// Correct the path. It counts from the folder of the `bitwall.toml`. Remove what is of no use any more.
    UNMET_PATH = "IO006" "unmet-path" Warning on(Config)
}

/// `unmatched` are the patterns of the file that match no level.
fn unmet(path: &Path, config: &VerifyConfig, unmatched: &[String]) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_missing =
        |mask: &&Path| open_file(&folder.join(mask), Links::Followed, u64::MAX).is_err();
    let missing = config.pairs.iter().map(|pair| &*pair.mask).filter(is_missing);
    let of_pairs = missing.map(|mask| {
        let name = path_in_line(mask);
        Finding::new(&UNMET_PATH, path, format!("the mask `{name}` of a pair is not there"))
            .help("correct its path, which counts from the folder of this file, or remove the pair")
    });
    let of_patterns = unmatched.iter().map(|pattern| {
        let headline = format!("no level matches `{}`", printable(pattern));
        Finding::new(&UNMET_PATH, path, headline)
            .note("it is a path of [[verify.path]], with rules of its own")
            .help("correct it; it counts from the folder of this file, as in a .gitignore")
    });
    of_pairs.chain(of_patterns).take(MOST_FINDINGS).collect()
}

// Configurations that check less than the one above them, or than they did at a revision.

rule! {
    /// # What it finds
    /// A `bitwall.toml` below another one, in the same repository, that turns rules off which are on above
    /// for its files, makes their findings less severe, excludes files, or states that no picture is a mask
    /// by its name. So does one whose list of `required-layers`, `[[verify.marker]]` or `[[verify.body]]`
    /// asks for less than the list above: a layer or a marker is missing, or there are fewer bodies; or whose
    /// `allowed-tilesets` allow more. Where the lower file says nothing, the upper one counts.
    ///
    /// With `--diff` a `bitwall.toml` is compared with the rules that held for its folder at the revision
    /// instead: the same is found there, and also options by which less of a level is solid, or a fault in it
    /// is passed over. So is one that is new, or gone. The rules of the revision say whether this rule is on.
    ///
    /// # Why it matters
    /// A change can silence the check of its own levels. Whoever reviews it should see that.
    ///
    /// # How to fix
    /// Move the exception into the upper `bitwall.toml`, as `[[verify.path]]` with the paths of the levels,
    /// and state in a list all that the upper one asks for. Since a revision: take the change back, or have
    /// it reviewed on its own.
    WEAKENED_RULES = "IO005" "weakened-rules" Warning on(Config)
}

/// The largest number of rules and of keys that are named.
const MAX_NAMED: usize = 5;

fn weakened_finding(
    path: &Path,
    config: &VerifyConfig,
    (top_path, top): (&Path, &VerifyConfig),
    of_levels: &[(Selection, Selection)],
) -> Option<Finding> {
    let rules = weaker_rules(of_levels);
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    // Another excluded file is another finding.
    let marks: Vec<&str> = config.exclude.iter().map(String::as_str).collect();
    let mut finding = less(path, "here", &rules, files, &weaker_lists(top, config), &marks)?;
    finding.notes.insert(0, format!("the file above is {}", path_in_line(top_path)));
    Some(finding.help("move the exception into the file above, as [[verify.path]]"))
}

/// The finding of less than something, if it is less: weaker rules, `files` that are not looked at, or keys
/// by which less is checked. Others of them, or other `marks`, are another finding.
fn less(
    path: &Path,
    than: &str,
    weaker: &[&'static LintRule],
    files: Option<String>,
    keys: &[&'static str],
    marks: &[&str],
) -> Option<Finding> {
    let some = |names: &[&str]| {
        let rest = if names.len() > MAX_NAMED { " and others" } else { "" };
        names[..names.len().min(MAX_NAMED)].join(", ") + rest
    };
    let rules = match weaker {
        [] => None,
        [rule] => Some(format!("the rule {} {} is weaker {than}", rule.code, rule.name)),
        rules => Some(format!("{} rules are weaker {than}", rules.len())),
    };
    let of_keys = (!keys.is_empty()).then(|| format!("less is checked {than} by {}", some(keys)));
    let mut all = rules.into_iter().chain(files).chain(of_keys);
    let mut finding = Finding::new(&WEAKENED_RULES, path, all.next()?);
    let codes: Vec<&str> = weaker.iter().map(|rule| rule.code).collect();
    if codes.len() > 1 {
        finding = finding.note(format!("they are {}", some(&codes)));
    }
    finding.notes.extend(all);
    let kind = format!("`{} {}`", codes.join(" "), [marks, keys].concat().join(" "));
    Some(finding.of_many(kind, 1))
}

/// The keys of the lists that ask for less than those above, or by which less is checked.
fn weaker_lists(above: &VerifyConfig, config: &VerifyConfig) -> Vec<&'static str> {
    let (top, own) = (&above.options, &config.options);
    let has_no_masks = |it: &VerifyConfig| it.masks.as_ref().is_some_and(Vec::is_empty);
    let has_list =
        |key: &str, is_empty: bool| !is_empty || config.emptied.iter().any(|it| it == key);
    let lacks_layer = top.required_layers.iter().any(|it| !own.required_layers.contains(it));
    let allows_more = !top.allowed_tilesets.is_empty()
        && (own.allowed_tilesets.is_empty()
            || own.allowed_tilesets.iter().any(|it| !top.allowed_tilesets.contains(it)));
    let asks_for = |it: &MarkerSpec| own.markers.iter().any(|own| asks_as_much(own, it));
    let lacks_marker = !top.markers.iter().all(asks_for);
    of_weaker([
        ("masks", has_no_masks(config) && !has_no_masks(above)),
        (
            "required-layers",
            has_list("required-layers", own.required_layers.is_empty()) && lacks_layer,
        ),
        (
            "allowed-tilesets",
            has_list("allowed-tilesets", own.allowed_tilesets.is_empty()) && allows_more,
        ),
        ("marker", has_list("marker", own.markers.is_empty()) && lacks_marker),
        ("body", has_list("body", own.bodies.is_empty()) && own.bodies.len() < top.bodies.len()),
    ])
}

/// True if a level that has the markers of `own` has enough of those of `above`.
fn asks_as_much(own: &MarkerSpec, above: &MarkerSpec) -> bool {
    let most = |it: &MarkerSpec| it.at_most.unwrap_or(u32::MAX);
    own.name == above.name && own.at_least >= above.at_least && most(own) <= most(above)
}

/// The rules whose findings are less severe after than before: in one of the pairs of states, which are those
/// of a folder and of the levels in it, after and before.
fn weaker_rules(pairs: &[(Selection, Selection)]) -> Vec<&'static LintRule> {
    let is_weaker = |rule: &&'static LintRule| {
        pairs.iter().any(|(after, before)| {
            let before = before.severity_of(rule);
            // The greater severity is the lesser value.
            before.is_some_and(|before| after.severity_of(rule).is_none_or(|it| it > before))
        })
    };
    RULES.iter().copied().filter(is_weaker).collect()
}

// Since a revision: a rule is off, a file is left out, less of a level is solid. The reasons are those above,
// and options of loading.

/// The keys of the section `[verify]` by which fewer files are looked at, or less is asked of them.
fn weaker_facts(before: &VerifyConfig, after: &VerifyConfig) -> Vec<&'static str> {
    let default = MASK_PATTERNS.map(str::to_owned);
    let masks = |config: &VerifyConfig| config.masks.clone().unwrap_or(default.to_vec());
    let (old, new) = (&before.options, &after.options);
    let is_kept = |old: &BodySpec| new.bodies.iter().any(|new| checks_as_much(new, old));
    let asks_for = |old: &MarkerSpec| new.markers.iter().any(|new| asks_as_much(new, old));
    let allows_more = !old.allowed_tilesets.is_empty()
        && (new.allowed_tilesets.is_empty() || lacks(&new.allowed_tilesets, &old.allowed_tilesets));
    let is_multiple = |new: u32, old: u32| new.checked_rem(old) == Some(0);
    let are_multiples =
        |new: UVec2, old: UVec2| is_multiple(new.x, old.x) && is_multiple(new.y, old.y);
    let is_finer = |old| !new.tile.is_some_and(|new| are_multiples(new, old));
    of_weaker([
        ("verify.masks", matches_more(&masks(before), &masks(after))),
        ("verify.exclude", matches_more(&after.exclude, &before.exclude)),
        ("verify.pair", lacks(&before.pairs, &after.pairs)),
        ("verify.size", old.size.is_some() && new.size.is_none()),
        ("verify.tile", old.tile.is_some_and(is_finer)),
        ("verify.required-layers", lacks(&old.required_layers, &new.required_layers)),
        ("verify.allowed-tilesets", allows_more),
        ("verify.body", !old.bodies.iter().all(is_kept)),
        ("verify.marker", !old.markers.iter().all(asks_for)),
    ])
}

/// The keys of the other sections by which less of a level is solid, or a fault in it is passed over.
fn weaker_options(before: &LoadOptions, after: &LoadOptions) -> Vec<&'static str> {
    let (old, new) = (&before.solid_rules, &after.solid_rules);
    // Without one, it is where all roots count from.
    let root = |options: &LoadOptions| options.root.clone().unwrap_or_default();
    let passable =
        |all: &[MaskPlane]| all.iter().filter(|it| it.name != "solid").cloned().collect::<Vec<_>>();
    let solid =
        |all: &[MaskPlane]| all.iter().filter(|it| it.name == "solid").cloned().collect::<Vec<_>>();
    let mut keys = of_weaker([
        ("level.allow-nothing-solid", after.allow_nothing_solid && !before.allow_nothing_solid),
        ("level.lenient", after.lenient && !before.lenient),
        ("level.outside", after.outside != before.outside),
        ("level.space", after.space != before.space),
        ("level.root", !root(after).starts_with(root(before))),
        ("masks.rule", after.mask_rule != before.mask_rule),
        (
            "masks.planes",
            lacks(&passable(&after.planes), &before.planes)
                || lacks(&solid(&before.planes), &after.planes),
        ),
    ]);
    // Without the defaults, nearly all lists are shorter: one key says so.
    match lacks(&SolidRules::default().layer_names, &new.layer_names) {
        true if !lacks(&SolidRules::default().layer_names, &old.layer_names) => {
            keys.push("solid.defaults");
        }
        _ => keys.extend(weaker_solid(old, new)),
    }
    keys
}

/// The keys of the section `[solid]` that make less solid: a word of a list that makes solid is gone, or
/// there is one more in a list that makes passable.
fn weaker_solid(old: &SolidRules, new: &SolidRules) -> Vec<&'static str> {
    of_weaker([
        ("solid.layers", lacks(&old.layer_names, &new.layer_names)),
        ("solid.layer-classes", lacks(&old.layer_classes, &new.layer_classes)),
        ("solid.layer-properties", lacks(&old.layer_properties, &new.layer_properties)),
        ("solid.walkable-layers", lacks(&old.walkable_layers, &new.walkable_layers)),
        ("solid.tile-classes", lacks(&old.tile_classes, &new.tile_classes)),
        ("solid.tile-properties", lacks(&old.solid_properties, &new.solid_properties)),
        ("solid.tiles", lacks_tiles(&old.solid_tiles, &new.solid_tiles)),
        ("solid.object-classes", lacks(&old.object_classes, &new.object_classes)),
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

fn of_weaker<const N: usize>(keys: [(&'static str, bool); N]) -> Vec<&'static str> {
    keys.into_iter().filter(|(_, is_weaker)| *is_weaker).map(|(key, _)| key).collect()
}

/// True if an item of `all` is not among `others`.
fn lacks<T: PartialEq>(all: &[T], others: &[T]) -> bool {
    all.iter().any(|item| !others.contains(item))
}

/// True if an id of `all` is not in a range of `others`.
fn lacks_tiles(all: &[TileIds], others: &[TileIds]) -> bool {
    let mut ids = all.iter().flat_map(|tiles| tiles.ids.iter().map(|ids| (&tiles.tileset, ids)));
    ids.any(|(tileset, ids)| {
        let same = others.iter().filter(|others| others.tileset == *tileset);
        let mut ranges = same.flat_map(|others| &others.ids);
        !ranges.any(|other| other.contains(ids.start()) && other.contains(ids.end()))
    })
}

/// True if patterns match files that `others` do not: by one more, or without one that takes files out.
fn matches_more(patterns: &[String], others: &[String]) -> bool {
    let is_out = |pattern: &&String| pattern.starts_with('!');
    let kept = |all: &[String], is_wanted: bool| -> Vec<String> {
        all.iter().filter(|pattern| is_out(pattern) == is_wanted).cloned().collect()
    };
    lacks(&kept(patterns, false), &kept(others, false))
        || lacks(&kept(others, true), &kept(patterns, true))
}

/// True if the ways of `new` are checked at least as well as those of `old`.
fn checks_as_much(new: &BodySpec, old: &BodySpec) -> bool {
    new.name == old.name
        && new.size.cmpge(old.size).all()
        && (old.moves.is_none() || new.moves == old.moves)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_asks_for_less_is_weaker() {
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
