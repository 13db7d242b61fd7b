//! Configurations that cannot be read.

use crate::LoadError;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;

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

pub(super) fn finding(error: &LoadError) -> Finding {
    Finding::new(&BROKEN_CONFIG, error.path(), error.headline())
        .at(error.place().clone())
        .note("no level in its folder was checked")
        .help(error.help())
}
