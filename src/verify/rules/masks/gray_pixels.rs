//! Pixels of a mask that are neither black nor white.

use glam::UVec2;
use image::RgbaImage;

use crate::text::counted;
use crate::verify::excerpt::{self, Excerpt};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;
use crate::{Aabb, error::Place, rules::MaskRule};

rule! {
    /// # What it finds
    /// Opaque pixels of a mask, of any colour, that are neither exactly black nor exactly white. It applies
    /// with `--mask dark`, which is the default, and `--mask light`. Colours named by `--plane` are not
    /// reported.
    ///
    /// # Why it matters
    /// A threshold decides whether a gray pixel is solid, and the picture does not show it. Gray comes from a
    /// soft brush, from smoothing on export or from JPEG. It leaves bumps of a pixel that stop a body.
    ///
    /// # How to fix
    /// Repaint with a hard pencil, or export without smoothing.
    GRAY_PIXELS = "MSK202" "gray-pixels" Error
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, source)) = subject.mask() else {
        return Vec::new();
    };
    let counts = &source.counts;
    let by_lightness =
        matches!(source.rule, MaskRule::DarkIsSolid { .. } | MaskRule::LightIsSolid { .. });
    let (true, Some(first)) = (by_lightness, counts.first_gray) else {
        return Vec::new();
    };
    let in_plane = |[red, green, blue, _]: [u8; 4]| {
        let mut colors = source.planes.iter().map(|plane| plane.color);
        colors.any(|color| color == [red, green, blue])
    };
    let is_gray = |image: &RgbaImage, x, y| {
        let pixel = image.get_pixel(x, y).0;
        is_gray(pixel) && !in_plane(pixel)
    };
    let is = if counts.gray == 1 { "is" } else { "are" };
    let pixels = counted(counts.gray, "pixel");
    let image = excerpt::pixels(subject.path, loaded.level.grid().size());
    let excerpt = Excerpt::around(loaded, first, "? = gray", |x, y| {
        UVec2::new(x, y) == first || image.as_ref().is_some_and(|image| is_gray(image, x, y))
    });
    let headline = format!("{pixels} {is} neither black nor white");
    let mut finding = Finding::new(&GRAY_PIXELS, subject.path, headline)
        .at(Place { pixel: Some(first.into()), ..Place::default() })
        .excerpt(excerpt)
        .help("repaint with a hard pencil, or export again without smoothing");
    // A gray of 16 bits a sample may be black in this picture, which has 8.
    let image = image.filter(|image| is_gray(image, first.x, first.y));
    if let Some([red, green, blue, _]) = image.map(|image| image.get_pixel(first.x, first.y).0) {
        finding = finding.note(format!("the first one is rgb {red} {green} {blue}"));
    }
    if let Some(extent) = counts.gray_extent {
        finding.notes.extend(lie_within(counts.gray, extent));
    }
    vec![finding]
}

fn is_gray([red, green, blue, alpha]: [u8; 4]) -> bool {
    alpha == 255 && ![[0; 3], [255; 3]].contains(&[red, green, blue])
}

/// The extent of several pixels as a note; `None` for one, which has a place.
pub(super) fn lie_within(count: u64, extent: Aabb) -> Option<String> {
    let Aabb { min, max } = extent;
    (count > 1).then(|| format!("they lie within x {}..{}, y {}..{}", min.x, max.x, min.y, max.y))
}
