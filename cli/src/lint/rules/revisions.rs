//! The rule for a change, which compares a project with an earlier revision: what the change alters in the
//! check itself.

use crate::lint::Finding;
use std::path::Path;

rule! {
    /// # What it finds
    /// With `--diff`, a `bitwall.toml` or a file of `--config` that was changed, deleted or added. The files
    /// of the revision judge this change, so that a change cannot turn its own check off. A `bitwall.toml` in
    /// a folder that has none in the revision judges after the merge; a new file of `--config` judges now.
    ///
    /// # Why it matters
    /// After the merge less may be found. A reviewer should see that.
    ///
    /// # How to fix
    /// Nothing, if the change is meant. If a level needs the new configuration, merge the configuration
    /// first.
    CHANGED_CHECK(|_| None) = "IO008" "changed-check" Note on(Config)
}

/// Returns a note about a change of the configuration at `path`.
pub(crate) fn changed_check(path: &Path, headline: impl Into<String>) -> Finding {
    Finding::new(&CHANGED_CHECK, path, headline)
        .note("a level that needs the present one belongs in a later change")
        .help("nothing, if it is meant; have it reviewed")
}
