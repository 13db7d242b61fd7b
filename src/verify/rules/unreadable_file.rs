//! Files that are missing, closed to us, or too large.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
/// # What it finds
/// A file that cannot be read: it is missing, its permissions forbid it, it is a folder, a pipe or a
/// device, or something in it is over one of the limits, which the message names.
///
/// # Why it matters
/// A game that cannot open its level has no level. Nothing else was checked in this file.
///
/// # How to fix
/// Mend the name or the permissions. Make a file that is over a limit smaller.
    UNREADABLE_FILE = "IO001" "unreadable-file" Error fixed
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNREADABLE_FILE, Cause::Unreadable, subject)
}
