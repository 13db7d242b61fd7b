//! The common part of the rules for gray pixels, each of which reports one cause.

use crate::lint::finding::{Excerpt, Finding};
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::Rule;
use crate::lint::subject::Subject;
use bitwall::geometry::Aabb;
use bitwall::glam::UVec2;
use bitwall::load::Place;
use bitwall::mask::Bits;

/// The finding of `rule` if its cause is among those of the mask's gray pixels: `headline` makes its
/// headline of the number of pixels.
pub(super) fn finding(
    rule: &'static Rule,
    subject: &Subject<'_>,
    is_cause: impl Fn(&Cause) -> bool,
    headline: impl Fn(u64) -> String,
) -> Option<Finding> {
    let (_, count) = subject.gray_causes().iter().find(|(cause, _)| is_cause(cause))?;
    let (_, source) = subject.mask()?;
    let counts = &source.counts;
    let Some(first) = counts.first_gray else {
        return Some(Finding::new(rule, subject.path, headline(*count)));
    };
    let finding = marked(rule, subject, headline(*count), first, "? = gray");
    let extent = counts.gray_extent.filter(|_| *count == counts.gray);
    Some(match extent {
        Some(extent) => within(finding, *count, extent),
        None => finding,
    })
}

/// A finding at a pixel, with an excerpt in which the odd pixels are marked: the gray ones, or the
/// translucent ones by a legend that starts with `~`.
pub(super) fn marked(
    rule: &'static Rule,
    subject: &Subject<'_>,
    headline: String,
    first: UVec2,
    legend: &'static str,
) -> Finding {
    let finding = Finding::new(rule, subject.path, headline)
        .at(Place { pixel: Some(first.into()), ..Place::default() });
    let Some((loaded, _)) = subject.mask() else {
        return finding;
    };
    let bits: Option<&Bits> = loaded.odd_pixels().and_then(|odd| {
        if legend.starts_with('~') { odd.translucent.as_ref() } else { odd.gray.as_ref() }
    });
    finding.excerpt(Excerpt::around(loaded, first, legend, |x, y| {
        bits.is_some_and(|bits| bits.get(x, y))
    }))
}

/// With the extent of the pixels; one pixel has a place only.
pub(super) fn within(finding: Finding, count: u64, extent: Aabb) -> Finding {
    let Aabb { min, max } = extent;
    let finding = finding.area(extent);
    match count {
        1 => finding,
        _ => {
            finding.note(format!("they lie within x {}..{}, y {}..{}", min.x, max.x, min.y, max.y))
        }
    }
}

/// `1 pixel is` or `3 pixels are`.
pub(super) fn pixels_are(count: u64) -> String {
    match count {
        1 => "1 pixel is".to_owned(),
        _ => format!("{count} pixels are"),
    }
}

/// A colour as `#ff0000`.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
