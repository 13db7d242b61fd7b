//! Files that are missing, not readable, or too large.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
/// # What it finds
/// A file that cannot be read: it is missing, its permissions forbid it, it is a folder, a pipe or a
/// device, or its content exceeds one of the limits, which the message names.
///
/// # Why it matters
/// The game cannot load the level either. No other rule has checked this file.
///
/// # How to fix
/// Fix the name or the permissions. Make a file that exceeds a limit smaller.
    UNREADABLE_FILE = "IO001" "unreadable-file" Error fixed
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNREADABLE_FILE, Cause::Unreadable, subject)
}
