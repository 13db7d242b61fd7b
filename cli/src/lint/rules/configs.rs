//! Rules for the file `bitwall.toml`.

mod weakened_rules;

use std::path::Path;

use crate::lint::config::VerifyConfig;
use crate::lint::finding::Finding;
use crate::lint::rule::{Rule, rule};
use crate::lint::rules::MOST_FINDINGS;
use crate::lint::selection::Selection;
use bitwall::LoadError;
use bitwall::load::{Links, open_file};
use bitwall::text::{path_in_line, printable};

pub(in crate::lint) use weakened_rules::Held;
pub use weakened_rules::WEAKENED_RULES;

pub(super) static ALL: &[&Rule] = &[&BROKEN_CONFIG, &UNMET_PATH, &WEAKENED_RULES];

/// The findings in a `bitwall.toml`. `above` is the one above it in its repository, with what that one has
/// from those above and the rules that hold for the folder of `path`. `unmatched` are the patterns of its
/// `[[verify.path]]` that match no level. Each of `of_levels` has the states of rules for a level in its
/// folder: by it, and by the one above alone.
pub(in crate::lint) fn check(
    path: &Path,
    config: Result<&VerifyConfig, &LoadError>,
    above: Option<(&Path, &VerifyConfig)>,
    unmatched: &[String],
    of_levels: &[(Selection, Selection)],
) -> Vec<Finding> {
    let config = match config {
        Ok(config) => config,
        Err(error) => return vec![broken(error)],
    };
    let above_levels = above.map(|(_, above)| above.options.levels.clone()).unwrap_or_default();
    let mut levels = above_levels.clone();
    levels.extend(&config.options.levels);
    // A configuration does not turn off the rule that reports it.
    let weakened = above.and_then(|above| weakened_rules::finding(path, config, above, of_levels));
    let weakened = of_severity(weakened, &above_levels);
    let unmet = of_severity(unmet(path, config, unmatched), &levels);
    weakened.chain(unmet).collect()
}

/// The finding in a `bitwall.toml` that holds less than was held at a revision; the rules of then say how
/// severe it is.
pub(in crate::lint) fn check_since(
    path: &Path,
    [before, after]: [Held<'_>; 2],
    of_levels: &[(Selection, Selection)],
    left_out: usize,
) -> Option<Finding> {
    let finding = weakened_rules::since_revision(path, [before, after], of_levels, left_out);
    of_severity(finding, &before.0.options.levels).next()
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
        .at(error.place().clone())
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
