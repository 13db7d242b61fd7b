//! Masks whose size differs from that of their art.

use bitwall::glam::UVec2;

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::{Art, Subject};
use bitwall::text::{path_in_line, printable, px};

rule! {
    /// # What it finds
    /// A mask whose size differs from that of its art, or from `--size`, or is no multiple of `--tile`. The
    /// art is the picture named by `--art`, or the one with its name: `harbor.png` (or .jpg, .bmp and so on)
    /// beside `harbor_mask.png`.
    ///
    /// # Why it matters
    /// The mask is laid over the picture pixel by pixel. With another size, the walls are not where the
    /// player sees them.
    ///
    /// # How to fix
    /// Crop or scale the one that is wrong; scale a mask without smoothing.
    MASK_SIZE_MISMATCH = "MSK204" "mask-size-mismatch" Error on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, _)) = subject.mask() else {
        return Vec::new();
    };
    let size = loaded.level.grid().size();
    let finding = |headline: String| Finding::new(&MASK_SIZE_MISMATCH, subject.path, headline);
    let mut findings = Vec::new();
    if let Some(wanted) = subject.options.size.filter(|wanted| *wanted != size) {
        let headline = format!("the mask is {}, but should be {}", px(size), px(wanted));
        findings.push(finding(headline).help("crop or scale the mask, without smoothing"));
    }
    let ragged = |tile: &UVec2| tile.min_element() > 0 && size % *tile != UVec2::ZERO;
    if let Some(tile) = subject.options.tile.filter(ragged) {
        let headline =
            format!("the mask is {}, which is not whole tiles of {}", px(size), px(tile));
        findings.push(finding(headline).help("crop the mask, or extend it, to whole tiles"));
    }
    if let Some(Art { path, size: art, .. }) = subject.art() {
        let path = path_in_line(path);
        match art {
            Ok(art) if *art == size => {}
            Ok(art) => findings.push(
                finding(format!("the mask is {}, but its art is {}", px(size), px(*art)))
                    .note(format!("the art is {path}"))
                    .help("crop or scale the one that is wrong, the mask without smoothing"),
            ),
            Err(reason) => findings.push(
                finding("the art of the mask cannot be read".to_owned())
                    .note(format!("{path}: {}", printable(reason)))
                    .help("fix the picture, or name another with --art"),
            ),
        }
    }
    findings
}
