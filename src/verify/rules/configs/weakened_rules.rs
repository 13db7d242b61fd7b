//! Configurations that check less than the one above them.

use std::path::Path;

use crate::text::path_in_line;
use crate::verify::config::{PathRules, VerifyConfig};
use crate::verify::finding::Finding;
use crate::verify::rule::{Rule, rule};
use crate::verify::rules::RULES;
use crate::verify::selection::Selection;

rule! {
    /// # What it finds
    /// A `bitwall.toml` below another one, in the same repository, that turns rules off which are on above
    /// for its files, makes their findings less severe, or excludes files. Where the lower file says nothing,
    /// the upper one counts.
    ///
    /// # Why it matters
    /// A change can silence the check of its own levels. Whoever reviews it should see that.
    ///
    /// # How to fix
    /// Move the exception into the upper `bitwall.toml`, as `[[verify.path]]` with the paths of the levels.
    WEAKENED_RULES = "IO005" "weakened-rules" Warning on(Config)
}

/// The largest number of rules that are named.
const MAX_NAMED: usize = 5;

pub(super) fn finding(
    path: &Path,
    config: &VerifyConfig,
    (top_path, top): (&Path, &VerifyConfig),
) -> Option<Finding> {
    let weaker = weaker(top, config);
    let rules = match weaker.as_slice() {
        [] => None,
        [rule] => Some(format!("the rule {} {} is weaker here", rule.code, rule.name)),
        rules => Some(format!("{} rules are weaker here", rules.len())),
    };
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    let headline = rules.clone().or_else(|| files.clone())?;
    let mut finding = Finding::new(&WEAKENED_RULES, path, headline)
        .note(format!("the file above is {}", path_in_line(top_path)))
        .help("move the exception into the file above, as [[verify.path]]");
    if weaker.len() > 1 {
        let codes: Vec<&str> = weaker.iter().take(MAX_NAMED).map(|rule| rule.code).collect();
        let rest = if weaker.len() > MAX_NAMED { " and others" } else { "" };
        finding = finding.note(format!("they are {}{rest}", codes.join(", ")));
    }
    if rules.is_some() {
        finding.notes.extend(files);
    }
    // Another weaker rule, or another excluded file, is another finding.
    let codes: Vec<&str> = weaker.iter().map(|rule| rule.code).collect();
    let kind = format!("`{} {}`", codes.join(" "), config.exclude.join(" "));
    Some(finding.of_many(kind, 1))
}

/// The rules whose findings are less severe by the configuration, for all its files or some of them, than by
/// the one above alone.
fn weaker(top: &VerifyConfig, config: &VerifyConfig) -> Vec<&'static Rule> {
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
    let both: Vec<(Selection, Selection)> = both.collect();
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
