//! Configurations that check less than the one above them.

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
    /// # Why it matters
    /// A change can silence the check of its own levels. Whoever reviews it should see that.
    ///
    /// # How to fix
    /// Move the exception into the upper `bitwall.toml`, as `[[verify.path]]` with the paths of the levels,
    /// and state in a list all that the upper one asks for.
    WEAKENED_RULES = "IO005" "weakened-rules" Warning on(Config)
}

/// The largest number of rules that are named.
const MAX_NAMED: usize = 5;

pub(super) fn finding(
    path: &Path,
    config: &VerifyConfig,
    (top_path, top): (&Path, &VerifyConfig),
    of_levels: &[(Selection, Selection)],
) -> Option<Finding> {
    let weaker = weaker(top, config, of_levels);
    let rules = match weaker.as_slice() {
        [] => None,
        [rule] => Some(format!("the rule {} {} is weaker here", rule.code, rule.name)),
        rules => Some(format!("{} rules are weaker here", rules.len())),
    };
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    let lists = weaker_lists(top, config);
    let of_lists =
        (!lists.is_empty()).then(|| format!("less is checked here by {}", lists.join(", ")));
    let mut all = rules.into_iter().chain(files).chain(of_lists);
    let headline = all.next()?;
    let mut finding = Finding::new(&WEAKENED_RULES, path, headline)
        .note(format!("the file above is {}", path_in_line(top_path)))
        .help("move the exception into the file above, as [[verify.path]]");
    if weaker.len() > 1 {
        let codes: Vec<&str> = weaker.iter().take(MAX_NAMED).map(|rule| rule.code).collect();
        let rest = if weaker.len() > MAX_NAMED { " and others" } else { "" };
        finding = finding.note(format!("they are {}{rest}", codes.join(", ")));
    }
    finding.notes.extend(all);
    // Another weaker rule, another excluded file or another list is another finding.
    let codes: Vec<&str> = weaker.iter().map(|rule| rule.code).collect();
    let exclude = config.exclude.iter().map(String::as_str);
    let others: Vec<&str> = exclude.chain(lists).collect();
    let kind = format!("`{} {}`", codes.join(" "), others.join(" "));
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
fn asks_as_much(own: &MarkerSpec, above: &MarkerSpec) -> bool {
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
    let with = |above: &Selection, own: &[&Selection]| {
        let mut levels = above.clone();
        own.iter().for_each(|own| levels.extend(own));
        levels
    };
    let (top_levels, own) = (&top.options.levels, &config.options.levels);
    let of_paths = config.per_path.iter().map(|rules| {
        let same: Vec<&Selection> = same_paths(&top.per_path, rules).collect();
        let above = with(top_levels, &same);
        (with(&above, &[own, &rules.levels]), above)
    });
    let both = of_paths.chain([(with(top_levels, &[own]), top_levels.clone())]);
    let both: Vec<(Selection, Selection)> = both.chain(of_levels.iter().cloned()).collect();
    let is_weaker = |rule: &&'static Rule| {
        both.iter().any(|(levels, above)| {
            let above = above.severity_of(rule);
            // The greater severity is the lesser value.
            above.is_some_and(|above| levels.severity_of(rule).is_none_or(|it| it > above))
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
