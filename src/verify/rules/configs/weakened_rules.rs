//! Configurations that check less than the one above them, or than they did at a revision.

use std::path::Path;

use crate::text::path_in_line;
use crate::verify::config::{PathRules, VerifyConfig};
use crate::verify::finding::Finding;
use crate::verify::rule::{Rule, rule};
use crate::verify::rules::RULES;
use crate::verify::selection::Selection;
use crate::verify::spec::MarkerSpec;

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

pub(super) fn finding(
    path: &Path,
    config: &VerifyConfig,
    (top_path, top): (&Path, &VerifyConfig),
    of_levels: &[(Selection, Selection)],
) -> Option<Finding> {
    let rules = weaker(top, config, of_levels);
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    // Another excluded file is another finding.
    let marks: Vec<&str> = config.exclude.iter().map(String::as_str).collect();
    let mut finding = less(path, "here", &rules, files, &weaker_lists(top, config), &marks)?;
    finding.notes.insert(0, format!("the file above is {}", path_in_line(top_path)));
    Some(finding.help("move the exception into the file above, as [[verify.path]]"))
}

/// The finding of less than something, if it is less: weaker rules, `files` that are not looked at, or keys
/// by which less is checked. Others of them, or other `marks`, are another finding.
pub(super) fn less(
    path: &Path,
    than: &str,
    weaker: &[&'static Rule],
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
    let lists = [
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
    ];
    lists.into_iter().filter(|(_, is_weaker)| *is_weaker).map(|(key, _)| key).collect()
}

/// True if a level that has the markers of `own` has enough of those of `above`.
pub(super) fn asks_as_much(own: &MarkerSpec, above: &MarkerSpec) -> bool {
    let most = |it: &MarkerSpec| it.at_most.unwrap_or(u32::MAX);
    own.name == above.name && own.at_least >= above.at_least && most(own) <= most(above)
}

/// The rules whose findings are less severe by the configuration, for all its files or some of them, than by
/// the one above alone. Each of `of_levels` has the states of rules for a level: by the configuration, and by
/// the one above alone.
fn weaker(
    top: &VerifyConfig,
    config: &VerifyConfig,
    of_levels: &[(Selection, Selection)],
) -> Vec<&'static Rule> {
    let (top_levels, own) = (&top.options.levels, &config.options.levels);
    let of_paths = config.per_path.iter().map(|rules| {
        let same: Vec<&Selection> = same_paths(&top.per_path, rules).collect();
        let above = with(top_levels, same);
        (with(&above, [own, &rules.levels]), above)
    });
    let all = (with(top_levels, [own]), top_levels.clone());
    weaker_of(of_paths.chain([all]).chain(of_levels.iter().cloned()))
}

/// The states of rules with more of them, which count more.
pub(super) fn with<'s>(
    levels: &Selection,
    more: impl IntoIterator<Item = &'s Selection>,
) -> Selection {
    let mut levels = levels.clone();
    more.into_iter().for_each(|more| levels.extend(more));
    levels
}

/// The rules whose findings are less severe by the first of one of the pairs than by the second.
pub(super) fn weaker_of(pairs: impl Iterator<Item = (Selection, Selection)>) -> Vec<&'static Rule> {
    let pairs: Vec<_> = pairs.collect();
    let is_weaker = |rule: &&'static Rule| {
        pairs.iter().any(|(levels, before)| {
            let before = before.severity_of(rule);
            // The greater severity is the lesser value.
            before.is_some_and(|before| levels.severity_of(rule).is_none_or(|it| it > before))
        })
    };
    RULES.iter().copied().filter(is_weaker).collect()
}

/// The states of rules that the file above has for the paths of `rules` too. Patterns with a `/` count from
/// another folder there, and may match other files.
fn same_paths<'a>(
    above: &'a [PathRules],
    rules: &'a PathRules,
) -> impl Iterator<Item = &'a Selection> {
    let has = |above: &PathRules, path: &String| !path.contains('/') && above.paths.contains(path);
    let takes_out = |above: &PathRules| above.paths.iter().any(|path| path.starts_with('!'));
    let same = move |above: &&PathRules| {
        !takes_out(above) && rules.paths.iter().all(|path| has(above, path))
    };
    above.iter().filter(same).map(|above| &above.levels)
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
