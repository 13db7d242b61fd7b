//! Configurations that check less than they did at a revision: a rule is off, a file is left out, less of a
//! level is solid. The reasons are `weakened_rules`', but for options of loading.

use std::path::Path;

use glam::UVec2;

use super::weakened_rules::{asks_as_much, less, weaker_of, with};
use crate::LoadOptions;
use crate::rules::planes::SOLID;
use crate::rules::{MaskPlane, SolidRules, TileIds};
use crate::text::counted;
use crate::verify::config::{MASK_PATTERNS, PathRules, VerifyConfig};
use crate::verify::finding::Finding;
use crate::verify::rule::Rule;
use crate::verify::selection::Selection;
use crate::verify::spec::{BodySpec, MarkerSpec};

/// The section `[verify]` and the options that hold for a folder, with those of the files above it.
pub(in crate::verify) type Held<'h> = (&'h VerifyConfig, &'h LoadOptions);

/// The finding of a configuration that holds less than was held before, if it does. `left_out` levels are not
/// looked at any more.
pub(super) fn finding(
    path: &Path,
    [before, after]: [Held<'_>; 2],
    of_levels: &[(Selection, Selection)],
    left_out: usize,
) -> Option<Finding> {
    let rules = weaker(before.0, after.0, of_levels);
    let files = (left_out > 0)
        .then(|| format!("{} not looked at any more", counted(left_out as u64, "level")));
    let keys = [weaker_options(before.1, after.1), weaker_facts(before.0, after.0)].concat();
    let finding = less(path, "than at the revision", &rules, files, &keys, &["--diff"])?;
    let finding = finding.note("the rules of the revision count for this, not those of the change");
    Some(finding.help("take the change back, or have it reviewed on its own"))
}

/// The rules whose findings are less severe: for all files, for those of some patterns, for one that matches
/// all patterns, or for a level.
fn weaker(
    before: &VerifyConfig,
    after: &VerifyConfig,
    of_levels: &[(Selection, Selection)],
) -> Vec<&'static Rule> {
    let held = |config: &VerifyConfig, counts: &dyn Fn(&PathRules) -> bool| {
        let rules = config.per_path.iter().filter(|rules| counts(rules));
        with(&config.options.levels, rules.map(|rules| &rules.levels))
    };
    let both = |counts: &dyn Fn(&PathRules) -> bool| (held(after, counts), held(before, counts));
    let of_paths = before.per_path.iter().chain(&after.per_path);
    let of_paths = of_paths.map(|sample| both(&|rules| covers(rules, sample)));
    let of_all = [both(&|_| false), both(&|_| true)];
    weaker_of(of_paths.chain(of_all).chain(of_levels.iter().cloned()))
}

/// True if the rules count for each file for which those of `sample` do.
fn covers(rules: &PathRules, sample: &PathRules) -> bool {
    let takes_out = rules.paths.iter().any(|path| path.starts_with('!'));
    rules.paths == sample.paths
        || !takes_out && sample.paths.iter().all(|path| rules.paths.contains(path))
}

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
        |all: &[MaskPlane]| all.iter().filter(|it| it.name != SOLID).cloned().collect::<Vec<_>>();
    let solid =
        |all: &[MaskPlane]| all.iter().filter(|it| it.name == SOLID).cloned().collect::<Vec<_>>();
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
        && new.top_speed >= old.top_speed
        && (old.moves.is_none() || new.moves == old.moves)
}
