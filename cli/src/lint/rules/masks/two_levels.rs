//! Masks in two colours that are not black and white.

use super::gray::hex;
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask in exactly two colours that are not black and white, such as dark gray on light gray.
    ///
    /// # Why it matters
    /// The mask works only as long as its two colours lie on two sides of a threshold. With a palette that
    /// is a little lighter, everything is passable.
    ///
    /// # How to fix
    /// Export it in black and white, or say which colour is solid: `--mask #282828`, or `rule` in
    /// the section `[masks]` of `bitwall.toml`. `bitwall verify --fix` repaints it in black and white if the
    /// two colours lie on two sides of the threshold.
    TWO_LEVELS = "MSK212" "two-levels" Warning on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let levels = subject.gray_causes().iter().find_map(|(cause, _)| match cause {
        Cause::TwoLevels([one, other]) => Some((hex(*one), hex(*other))),
        _ => None,
    });
    let found = levels.map(|(one, other)| {
        let headline = format!("the mask is drawn in {one} and {other}, not in black and white");
        Finding::new(&TWO_LEVELS, subject.path, headline)
            .help("export it in black and white, or say which colour is solid with --mask")
    });
    found.into_iter().collect()
}
