//! Animated pictures as masks.

use crate::lint::finding::Finding;
use crate::lint::pixels::causes::png_frames;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;

rule! {
    /// # What it finds
    /// A mask that is an animation: an animated PNG, GIF or WebP of several frames.
    ///
    /// # Why it matters
    /// Only the first frame counts. In most cases an editor has saved its layers as frames, so that the
    /// walls of the other layers are missing.
    ///
    /// # How to fix
    /// Flatten the layers and export one picture.
    EXTRA_FRAMES = "MSK211" "extra-frames" Warning on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let frames = png_frames(subject.bytes);
    let is_animated = subject.mask().is_some_and(|(_, source)| source.animated);
    if !is_animated || frames.is_some_and(|frames| frames < 2) {
        return Vec::new();
    }
    let frames = frames.map_or("several".to_owned(), |frames| frames.to_string());
    let headline = format!("the mask has {frames} frames, of which only the first counts");
    vec![
        Finding::new(&EXTRA_FRAMES, subject.path, headline)
            .help("flatten the layers and export one picture"),
    ]
}
