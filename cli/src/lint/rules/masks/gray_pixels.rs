//! Gray pixels of a mask that have none of the known causes.

use super::gray::{finding, pixels_are};
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// Opaque pixels of a mask that are neither exactly black nor exactly white, and that are neither soft
    /// edges (`soft-edge`), noise of lossy compression (`lossy-noise`), markers in a colour (`stray-color`),
    /// one of two levels (`two-levels`), nor a painting (`art-as-mask`): a few pixels somewhere, or a shade
    /// over a part. It applies with `--mask dark`, which is the default, and `--mask light`. Colours named
    /// by `--plane` are not reported.
    ///
    /// # Why it matters
    /// A threshold decides whether a gray pixel is solid, and the picture does not show it. It leaves bumps
    /// of a pixel that stop a body.
    ///
    /// # How to fix
    /// Repaint the pixels in black or white.
    GRAY_PIXELS = "MSK202" "gray-pixels" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &Cause| *cause == Cause::Other;
    let headline = |count| format!("{} neither black nor white", pixels_are(count));
    let found = finding(&GRAY_PIXELS, subject, is_cause, headline);
    let first = subject.mask().and_then(|(loaded, source)| {
        let colors = &loaded.odd_pixels()?.colors;
        colors.known.iter().find(|color| Some(color.first) == source.counts.first_gray)
    });
    let found = found.map(|finding| match first.map(|color| color.rgb) {
        Some([red, green, blue]) => {
            finding.note(format!("the first one is rgb {red} {green} {blue}"))
        }
        None => finding,
    });
    found.map(|finding| finding.help("repaint them in black or white")).into_iter().collect()
}
