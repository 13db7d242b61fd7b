//! Configurations that name files which are not there.

use std::path::Path;

use crate::load::disk::{Links, is_file};
use crate::text::{path_in_line, printable};
use crate::verify::config::VerifyConfig;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::MOST_FINDINGS;

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
pub(super) fn findings(path: &Path, config: &VerifyConfig, unmatched: &[String]) -> Vec<Finding> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_missing = |mask: &&Path| !is_file(&folder.join(mask), Links::Followed);
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
