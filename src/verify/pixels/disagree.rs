//! Where a mask and its art disagree.

use glam::UVec2;
use image::RgbaImage;

use super::drift::LEAST_SIDE;
use super::pair::{color_of, is_lopsided, learn_by_chance, learn_in_place};
use crate::analyze::{CellKind, Connectivity, components};
use crate::geometry::Aabb;
use crate::grid::RowBuilder;
use crate::mask::Bits;

/// The fit below which art is compared with what chance gives. Art of another level, drawn by program, has
/// up to 0.25.
const DOUBTFUL_FIT: f64 = 0.3;

/// The fit from which single parts that disagree stand out.
const GOOD_FIT: f64 = 0.5;

/// The share of a picture's pixels that may disagree outside the parts that are reported: grain, outlines.
const MOST_GRAIN: f64 = 0.03;

/// The pixels by which a part is thinned to tell it from grain and outlines.
const THIN: i64 = 2;

/// The least pixels of a thinned part that counts: more than [`MOST_PARTS`] of them are the style of the
/// art, not changes that the mask missed.
const LEAST_PART: u64 = 24;

const MOST_PARTS: usize = 6;

/// The least pixels of a thinned part that is reported, where the mask is solid and where it is passable.
/// Art has things that stop nobody, such as trees, but hardly walls that cannot be seen.
const REPORTED: [u64; 2] = [64, 120];

/// How a mask and its art disagree.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Disagreement {
    /// The art is transparent where the mask is solid, and there only.
    Inverted,
    /// The art tells no more of the mask than chance does.
    Unrelated {
        /// The fit.
        fit: f64,
    },
    /// The art shows something else in these parts, the largest first.
    Parts(Vec<Part>),
}

/// A part in which the art shows something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) area: Aabb,
    pub(crate) pixels: u64,
    /// True if the mask is solid there, and the art shows what is passable elsewhere.
    pub(crate) is_solid: bool,
}

/// How a mask and its art disagree, if they clearly do. The pictures are of equal size. O(pixels).
///
/// Of opaque art no inverted mask is found. Four signs were tried on 19 pictures of real levels: walls have
/// more texture, more colours, and a band along their edges, and are darker. All four together (by half a
/// power of two, 0.3 bits, 4 and 8 steps of lightness) found 8 of them inverted and none of 51 right ones.
/// But a room with plain light walls around a dark floor of planks has all four where it is right, and so
/// have dark ground and snow: a report would be a guess. Single signs fail on real levels: black rock around
/// a cave has less texture than its floor.
pub(crate) fn disagreement(art: &RgbaImage, mask: &Bits) -> Option<Disagreement> {
    let size = mask.size();
    if size.min_element() < LEAST_SIDE || (size.x, size.y) != art.dimensions() {
        return None;
    }
    if is_lopsided(mask) {
        return None;
    }
    if is_inverted(art, mask) {
        return Some(Disagreement::Inverted);
    }
    let colors = learn_in_place(art, mask);
    let fit = colors.fit();
    if fit < DOUBTFUL_FIT {
        return is_chance(art, mask, fit).then_some(Disagreement::Unrelated { fit });
    }
    if fit < GOOD_FIT {
        return None;
    }
    let parts = parts(art, mask, &colors.mostly_solid())?;
    (!parts.is_empty()).then_some(Disagreement::Parts(parts))
}

/// True if at least a twentieth of the art is transparent, and the mask is solid there and nowhere else, but
/// for a twentieth of the pixels.
fn is_inverted(art: &RgbaImage, mask: &Bits) -> bool {
    // Pixels by opacity: passable and solid ones.
    let mut counts = [[0_u64; 2]; 2];
    for (x, y, pixel) in art.enumerate_pixels() {
        counts[usize::from(pixel.0[3] >= 128)][usize::from(mask.get(x, y))] += 1;
    }
    let [[clear_free, clear_solid], [shown_free, shown_solid]] = counts;
    let all = counts.iter().flatten().sum::<u64>();
    let is_both = |a: u64, b: u64| (a + b) * 20 >= all;
    let is_mostly = |part: u64, rest: u64| rest * 19 < part;
    is_both(clear_free, clear_solid)
        && is_both(shown_free, shown_solid)
        && is_mostly(clear_solid, clear_free)
        && is_mostly(shown_free, shown_solid)
}

/// True if the art fits the mask no better where it is than when it is moved far away.
fn is_chance(art: &RgbaImage, mask: &Bits, fit: f64) -> bool {
    let size = mask.size();
    let moved = [(1, 3), (2, 3), (1, 2), (0, 2), (1, 0), (2, 1), (3, 2), (3, 3)];
    let fits = moved
        .map(|(x, y)| learn_by_chance(art, mask, UVec2::new(size.x * x / 4, size.y * y / 4)).fit());
    let mean = fits.iter().sum::<f64>() / fits.len() as f64;
    let most = fits.iter().fold(0.0_f64, |most, fit| most.max(*fit));
    fit < mean * 1.2 && fit <= most
}

/// The parts in which most colours are those of the other kind; `None` if there are too many of them, or too
/// much grain.
fn parts(art: &RgbaImage, mask: &Bits, mostly_solid: &[bool]) -> Option<Vec<Part>> {
    let size = mask.size();
    let mut differs = Bits::new(size)?;
    for y in 0..size.y {
        let row = differs.row_mut(y);
        for x in 0..size.x {
            let color = color_of(art.get_pixel(x, y).0);
            let is_other = mostly_solid.get(color) != Some(&mask.get(x, y));
            if let Some(word) = row.get_mut((x / 64) as usize) {
                *word |= u64::from(is_other) << (x % 64);
            }
        }
    }
    let thinned = thinned(&differs)?;
    let mut grid = RowBuilder::new(size.x, size.y).ok()?;
    for y in 0..size.y {
        grid.or_row(y, thinned.row(y));
    }
    let found = components(&grid.finish(), CellKind::Solid, Connectivity::Eight).ok()?;
    let mut parts: Vec<Part> = Vec::new();
    for part in found.parts().iter().filter(|part| part.cells >= LEAST_PART) {
        let thin = THIN as i32;
        let area = Aabb { min: part.min.as_ivec2() - thin, max: part.max.as_ivec2() + thin };
        let is_solid = mask.get(part.first.x, part.first.y);
        parts.push(Part { area, pixels: part.cells, is_solid });
        if parts.len() > MOST_PARTS {
            return None;
        }
    }
    parts.retain(|part| part.pixels >= REPORTED[usize::from(!part.is_solid)]);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.pixels), part.area.min.y, part.area.min.x));
    let in_parts: u64 = parts.iter().map(|part| part.pixels).sum();
    let all = u64::from(size.x) * u64::from(size.y);
    let grain = differs.count().saturating_sub(in_parts) as f64 / all as f64;
    (grain <= MOST_GRAIN).then_some(parts)
}

/// The pixels whose square of [`THIN`] pixels to all sides is filled.
fn thinned(bits: &Bits) -> Option<Bits> {
    let size = bits.size();
    let mut thinned = Bits::new(size)?;
    for y in 0..i64::from(size.y) {
        for (x, word) in (0..).step_by(64).zip(thinned.row_mut(y as u32)) {
            *word = (-THIN..=THIN)
                .flat_map(|dy| (-THIN..=THIN).map(move |dx| (dx, dy)))
                .fold(u64::MAX, |all, (dx, dy)| all & bits.word_at(x + dx, y + dy));
        }
    }
    Some(thinned)
}
