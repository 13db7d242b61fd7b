//! The rules for a change, which compare a project with an earlier revision: levels that are not looked at
//! any more, and what the change alters in the check itself.

use crate::lint::Finding;
use std::path::Path;

rule! {
    /// # What it finds
    /// With `--diff`, a level that was looked at in the revision and is not looked at any more, although it
    /// is still there: a link or a folder has its name, a `.gitignore` names it, it was moved out of the
    /// folders that are checked, it is in a repository of its own, a map uses it as its picture, or its
    /// content is no map any more.
    ///
    /// # Why it matters
    /// A change can take a level out of the check of this change. A level that is deleted is a note.
    ///
    /// # How to fix
    /// Take this part of the change back. Delete a level that the game does not need any more.
    LOST_LEVEL(|_| None) = "IO007" "lost-level" Error fixed on(Config)
}

rule! {
    /// # What it finds
    /// With `--diff`, what the change alters in the check itself:
    ///
    /// - a `bitwall.toml`, a file of `--config` or a file of `--baseline` that was changed, deleted or added.
    ///   The files of the revision count for this change. A new `bitwall.toml` counts for new levels, a new
    ///   file of `--config` for all levels.
    /// - a level that was deleted.
    /// - findings that a property `bitwall.allow` silences, and did not silence in the revision.
    ///
    /// # Why it matters
    /// After the merge less may be found. A reviewer should see that.
    ///
    /// # How to fix
    /// Nothing, if the change is meant. If a level needs the new configuration, merge the configuration
    /// first.
    CHANGED_CHECK(|_| None) = "IO008" "changed-check" Note on(Config)
}

/// Returns the finding for the level at `path`, which the revision has and which is not looked at now. `now`
/// is the reason, such as `it is a link now`.
pub(crate) fn lost_level(path: &Path, now: &str) -> Finding {
    Finding::new(&LOST_LEVEL, path, format!("this level is not looked at any more: {now}"))
        .note("the revision of --diff has it, and its configuration looks at it")
        .help("take this back, or delete the level")
}

/// Returns a note at `path` about a change of the check itself.
pub(crate) fn changed_check(path: &Path, headline: impl Into<String>, note: &str) -> Finding {
    Finding::new(&CHANGED_CHECK, path, headline)
        .note(note)
        .help("nothing, if it is meant; have it reviewed")
}
