//! Configurations that check less than the one above them.

use std::path::Path;

use crate::text::printable;
use crate::verify::config::VerifyConfig;
use crate::verify::finding::Finding;
use crate::verify::rule::{Rule, rule};
use crate::verify::rules::RULES;
use crate::verify::selection::Selection;

rule! {
    /// # What it finds
    /// A `bitwall.toml` below another one, in the same repository, that turns rules off which are on above,
    /// makes their findings less severe, or excludes files. Where the lower file says nothing, the upper one
    /// counts.
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
    let severity = top.options.levels.severity_of(&WEAKENED_RULES)?;
    let weaker = weaker(&top.options.levels, config);
    let rules = match weaker.as_slice() {
        [] => None,
        [rule] => Some(format!("the rule {} {} is weaker here", rule.code, rule.name)),
        rules => Some(format!("{} rules are weaker here", rules.len())),
    };
    let files = (!config.exclude.is_empty()).then(|| "files are excluded here".to_owned());
    let headline = rules.clone().or_else(|| files.clone())?;
    let mut finding = Finding::new(&WEAKENED_RULES, path, headline)
        .note(format!("the file above is {}", printable(&top_path.to_string_lossy())))
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
    finding = finding.of_many(kind, 1);
    finding.severity = severity;
    Some(finding)
}

/// The rules whose findings are less severe by the configuration, for all its files or some of them, than by
/// the one above alone.
fn weaker(top: &Selection, config: &VerifyConfig) -> Vec<&'static Rule> {
    let mut own = top.clone();
    own.extend(&config.options.levels);
    let of_paths = config.per_path.iter().map(|rules| {
        let mut levels = own.clone();
        levels.extend(&rules.levels);
        levels
    });
    let selections: Vec<Selection> = of_paths.chain([own.clone()]).collect();
    let is_weaker = |rule: &&'static Rule| {
        let Some(above) = top.severity_of(rule) else {
            return false;
        };
        // The greater severity is the lesser value.
        let is_less = |levels: &Selection| levels.severity_of(rule).is_none_or(|it| it > above);
        selections.iter().any(is_less)
    };
    RULES.iter().copied().filter(is_weaker).collect()
}
