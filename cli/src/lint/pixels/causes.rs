//! Finds the causes of gray pixels in a mask from the colours and positions of these pixels.
//!
//! The thresholds were chosen with masks of real games, and with drawn masks of five kinds to which a program
//! added smooth edges, JPEG noise, markers or other colours. See `tests/lint`.

use bitwall::glam::UVec2;
use bitwall::grid::Grid;
use bitwall::mask::MaskSource;
use bitwall::rules::MaskRule;

use crate::lint::{Counted, GrayCause};
use crate::mask_facts::{
    GrayColor, MaskFacts, NEARLY, PixelSet, is_painting, is_shape_in_alpha, luma, passable_shape,
};

/// The largest number of colours, besides black and white, that count as drawn on purpose in a mask. More
/// gray colours have another cause.
const MOST_STRAY: usize = 16;

/// Returns the causes of the gray pixels of a mask, each with its number of pixels.
///
/// A mask without gray pixels has a cause only if it is a shape on a transparent ground that is passable in
/// part. Empty if the mask rule does not decide by lightness. `facts` are missing if the picture is too
/// large; the cause is then unknown. O(n) for n 64-pixel words of the mask.
pub(in crate::lint) fn causes(
    source: &MaskSource,
    facts: Option<&MaskFacts>,
    solid: &Grid,
) -> Vec<Counted> {
    let by_lightness = matches!(
        source.rule,
        MaskRule::DarkIsSolid { .. }
            | MaskRule::LightIsSolid { .. }
            | MaskRule::BlackIsSolid { .. }
    );
    let gray = source.counts.gray;
    match facts {
        Some(facts @ MaskFacts { gray: Some(set), .. }) if by_lightness => {
            of_gray(source, facts, set, solid)
        }
        Some(facts) => {
            let shape = passable_shape(source, facts);
            shape.map(|count| (GrayCause::ShapeInAlpha, count)).into_iter().collect()
        }
        None if by_lightness && gray > 0 => vec![(GrayCause::Other, gray)],
        None => Vec::new(),
    }
}

fn of_gray(source: &MaskSource, facts: &MaskFacts, set: &PixelSet, solid: &Grid) -> Vec<Counted> {
    let gray = source.counts.gray;
    if let Some(levels) = two_levels(source, facts) {
        return vec![(GrayCause::TwoLevels(levels), gray)];
    }
    if is_shape_in_alpha(source, facts) {
        let pixels = passable_shape(source, facts).unwrap_or(gray);
        return vec![(GrayCause::ShapeInAlpha, pixels)];
    }
    if is_painting(source, facts) {
        return vec![(GrayCause::Painting, gray)];
    }
    let [_, middle, _] = facts.tones();
    let near = share_between(&set.pixels, solid, 1);
    let mut found = Vec::new();
    let stray = stray_colors(source, facts, near);
    let strays = stray.iter().map(|color| color.count).sum();
    if strays > 0 {
        found.push((GrayCause::StrayColors(stray), strays));
    }
    let rest = gray - strays;
    if rest > 0 {
        let is_noise =
            middle * 6 < gray && near < 0.75 || share_scattered(&set.pixels, solid) > 0.15;
        let cause = if rest >= 4 && is_noise {
            GrayCause::LossyNoise
        } else if rest >= 4 && share_between(&set.pixels, solid, 9) >= 0.3 {
            GrayCause::SoftEdge
        } else {
            GrayCause::Other
        };
        found.push((cause, rest));
    }
    found
}

/// Returns the gray colours that were probably drawn on purpose. `near` is the share of the gray pixels that
/// have a solid and a passable pixel beside them.
fn stray_colors(source: &MaskSource, facts: &MaskFacts, near: f64) -> Vec<GrayColor> {
    let mut stray = facts.colors.clone();
    if facts.others > 0 || stray.len() > MOST_STRAY {
        return Vec::new();
    }
    if source.counts.vivid == 0 {
        let is_flat = near < 0.5 && stray.len() <= MOST_STRAY / 4;
        stray.retain(|color| {
            let is_middle = (NEARLY..=255 - NEARLY).contains(&luma(color.rgb));
            is_flat && is_middle && color.count >= 4
        });
    }
    stray
}

/// Returns the two colours of a mask that has no other colours and no transparency. `None` for any other
/// mask, and if one of the colours has less than a hundredth of the pixels.
fn two_levels(source: &MaskSource, facts: &MaskFacts) -> Option<[[u8; 3]; 2]> {
    let counts = &source.counts;
    if facts.others > 0 || counts.in_planes + counts.translucent + counts.transparent > 0 {
        return None;
    }
    let plain = [([0; 3], counts.black), ([255; 3], counts.white)];
    let gray = facts.colors.iter().map(|color| (color.rgb, color.count));
    let all: Vec<_> = plain.into_iter().filter(|(_, count)| *count > 0).chain(gray).collect();
    match all[..] {
        // A colour of a few pixels in an otherwise white mask is not the second colour of the mask.
        [(one, a), (other, b)] if a.min(b) * 100 >= a + b => Some([one, other]),
        _ => None,
    }
}

/// Returns the number of bytes after the end of a PNG; 0 for another file. O(n) for n chunks.
pub(in crate::lint) fn bytes_after_png(file: &[u8]) -> usize {
    let Some(mut rest) = file.strip_prefix(b"\x89PNG\r\n\x1a\n") else {
        return 0;
    };
    // A chunk has a length, a name, its data and a checksum.
    while let Some(([a, b, c, d, name @ ..], after)) = rest.split_first_chunk::<8>() {
        let length = u32::from_be_bytes([*a, *b, *c, *d]) as usize;
        let Some(next) = after.get(length.saturating_add(4)..) else {
            return 0;
        };
        if name == b"IEND" {
            return next.len();
        }
        rest = next;
    }
    0
}

const MOST_ROWS: u32 = 128;

/// Returns the share of the `marked` pixels, from 0 to 1, that lie [between](is_between) solid and
/// passable pixels.
/// Examines at most 128 rows with marked pixels, evenly spread.
fn share_between(marked: &Grid, solid: &Grid, radius: u32) -> f64 {
    let width = marked.width();
    let used = (0..marked.height()).filter(|y| marked.any_solid(0..width, *y..*y + 1));
    let rows: Vec<u32> = used.collect();
    let step = rows.len().div_ceil(MOST_ROWS as usize).max(1);
    let mut all = 0_u64;
    let mut between = 0_u64;
    for y in rows.into_iter().step_by(step) {
        for x in (0..width).filter(|x| marked.is_solid(*x, y)) {
            all += 1;
            between += u64::from(is_between(marked, solid, radius, UVec2::new(x, y)));
        }
    }
    between as f64 / all.max(1) as f64
}

/// Returns the share of the `marked` pixels, from 0 to 1, between two unmarked pixels of their row that are
/// both solid or both passable. Noise of any strength has at least a fifth; a soft edge has none.
fn share_scattered(marked: &Grid, solid: &Grid) -> f64 {
    let mut scattered = 0;
    for at in marked.iter_solid() {
        let [left, right] = [at.x.wrapping_sub(1), at.x + 1];
        let are_plain = [left, right].iter().all(|x| marked.get(*x, at.y) == Some(false));
        let are_alike = solid.is_solid(left, at.y) == solid.is_solid(right, at.y);
        scattered += u64::from(are_plain && are_alike);
    }
    scattered as f64 / marked.solid_count().max(1) as f64
}

/// True if unmarked solid pixels and unmarked passable ones lie within `radius` pixels of a pixel on both
/// axes. The radius is at most 31.
fn is_between(marked: &Grid, solid: &Grid, radius: u32, at: UVec2) -> bool {
    let size = marked.size();
    let first = at.x.saturating_sub(radius);
    let count = (at.x + radius + 1).min(size.x) - first;
    let window = u64::MAX >> (64 - count);
    let mut walls = 0;
    let mut floor = 0;
    for row in at.y.saturating_sub(radius)..(at.y + radius + 1).min(size.y) {
        let plain = window & !marked.row_word(first.into(), row);
        let is_solid = solid.row_word(first.into(), row);
        walls |= plain & is_solid;
        floor |= plain & !is_solid;
    }
    walls != 0 && floor != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_after_the_end_of_a_png_are_counted() {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (name, data) in [(b"IHDR", &[0; 13][..]), (b"IEND", &[])] {
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(name);
            file.extend(data);
            file.extend([0; 4]);
        }
        // A truncated file must not cause a panic.
        assert!((0..=file.len()).all(|length| bytes_after_png(&file[..length]) == 0));
        file.extend(b"more");
        assert_eq!((bytes_after_png(&file), bytes_after_png(b"GIF89a")), (4, 0));
    }

    #[test]
    fn the_count_of_pixels_between_solid_and_passable_agrees_with_a_simple_search() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let sides = [1, 5, 63, 64, 65, 130];
            let size = UVec2::new(sides[random.usize(0..6)], random.u32(1..9));
            let mut marked = Grid::new(size.x, size.y).unwrap();
            let mut solid = marked.clone();
            let share = random.u32(1..40);
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                marked.set(x, y, random.u32(0..4) == 0).unwrap();
                solid.set(x, y, random.u32(0..40) < share).unwrap();
            }
            let radius = random.u32(0..6);
            let has = |x: u32, y: u32, wanted: bool| {
                let ys = y.saturating_sub(radius)..=(y + radius).min(size.y - 1);
                let mut near = ys.flat_map(|y| {
                    let xs = x.saturating_sub(radius)..=(x + radius).min(size.x - 1);
                    xs.map(move |x| (x, y))
                });
                near.any(|(x, y)| !marked.is_solid(x, y) && solid.is_solid(x, y) == wanted)
            };
            let pixels = (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y)));
            let naive = pixels.filter(|(x, y)| {
                marked.is_solid(*x, *y) && has(*x, *y, true) && has(*x, *y, false)
            });
            let share = naive.count() as f64 / marked.solid_count().max(1) as f64;
            assert_eq!(share_between(&marked, &solid, radius), share, "{size} {radius}");
        }
    }
}
