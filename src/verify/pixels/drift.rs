//! The shift at which a mask fits its art best.

use glam::IVec2;
use image::RgbaImage;

use super::pair::{CLASSES, MARGIN, Table, color_of, fit, is_lopsided, learn, spread};
use crate::mask::Bits;

/// The farthest shift that is tried, along both axes: a pixel less than the margin, so that the best shift
/// has neighbours on all sides.
const REACH: i32 = MARGIN as i32 - 1;

/// The least side of pictures that are compared, in pixels: four margins and a little.
pub(crate) const LEAST_SIDE: u32 = 40;

/// The most words of 64 pixels that are compared at each shift.
const MOST_WORDS: usize = 4_096;

/// The least gain in fit by which a shift is better.
const LEAST_GAIN: f64 = 0.008;

/// The least fit of a mask in its right place; a mask that hardly fits anywhere is not a mask that moved.
const LEAST_FIT: f64 = 0.35;

/// A shift of a mask, and the fits without it and with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drift {
    /// The motion that brings the mask back over its art, in pixels.
    pub(crate) shift: IVec2,
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// The shift of up to 8 pixels by which a mask fits its art clearly better than where it is, and with which
/// each quarter of the picture fits no worse; `None` if there is none, for pictures with a side below
/// [`LEAST_SIDE`], and for masks that are nearly all solid or all passable. The pictures are of equal size.
///
/// Mutual information over shifts, as pictures of one thing by different cameras are aligned (Viola and
/// Wells, 1997). Only pixels near the mask's edges tell shifts apart. Of these at most 2^18 are compared, at
/// about 200 shifts: first every second one, then those around the best. O(pixels + 200 * 4,096 * 8).
pub(crate) fn drift(art: &RgbaImage, mask: &Bits) -> Option<Drift> {
    let size = mask.size();
    if size.min_element() < LEAST_SIDE || (size.x, size.y) != art.dimensions() || is_lopsided(mask)
    {
        return None;
    }
    let here = learn(art, mask, IVec2::ZERO);
    let samples = Samples::new(art, mask, &here.classes());
    let best = samples.best(mask);
    if best == IVec2::ZERO || best.abs().max_element() > REACH {
        return None;
    }
    // Classes that were learned in the wrong place favour it. Both places are judged by their own.
    let there = learn(art, mask, best);
    let (before, after) = (here.fit(), there.fit());
    let samples = Samples::new(art, mask, &there.classes());
    let is_peak = samples.best(mask) == best;
    let is_better = after >= LEAST_FIT && after - before >= LEAST_GAIN;
    (is_peak && is_better && samples.all_quarters_agree(mask, best)).then_some(Drift {
        shift: best,
        before,
        after,
    })
}

/// Words of pixels near the mask's edges, split by the classes of the art's colours.
struct Samples {
    words: Vec<Sample>,
}

struct Sample {
    x: i64,
    y: i64,
    classes: [u64; CLASSES],
    /// The quarter of the picture, from 0 to 3.
    quarter: usize,
}

impl Samples {
    fn new(art: &RgbaImage, mask: &Bits, classes: &[u8]) -> Self {
        let size = mask.size();
        let near = near_edges(mask);
        let inside = MARGIN..size.x - MARGIN;
        let sample = |(x, y): &(u32, u32)| {
            let mut split = [0; CLASSES];
            for bit in (0..64).filter(|bit| inside.contains(&(x + bit))) {
                let class = classes.get(color_of(art.get_pixel(x + bit, *y).0));
                split[usize::from(*class.unwrap_or(&0)) % CLASSES] |= 1 << bit;
            }
            let quarter = usize::from(*x + 32 > size.x / 2) + 2 * usize::from(*y > size.y / 2);
            Sample { x: i64::from(*x), y: i64::from(*y), classes: split, quarter }
        };
        let near = spread(near.len(), MOST_WORDS).filter_map(|index| near.get(index));
        Self { words: near.map(sample).collect() }
    }

    /// The pixels by class in the quarters, with the mask moved by `shift`.
    fn tables(&self, mask: &Bits, shift: IVec2) -> [Table; 4] {
        let mut tables = [Table::default(); 4];
        for word in &self.words {
            let solid = mask.word_at(word.x - i64::from(shift.x), word.y - i64::from(shift.y));
            let table = &mut tables[word.quarter % 4];
            for (count, class) in table.iter_mut().zip(word.classes) {
                count[0] += u64::from((class & solid).count_ones());
                count[1] += u64::from(class.count_ones());
            }
        }
        tables
    }

    fn fit(&self, mask: &Bits, shift: IVec2) -> f64 {
        let mut all = Table::default();
        for table in self.tables(mask, shift) {
            for (sum, count) in all.iter_mut().zip(table) {
                *sum = [sum[0] + count[0], sum[1] + count[1]];
            }
        }
        fit(&all)
    }

    /// The shift of the best fit; of equal ones the shortest.
    fn best(&self, mask: &Bits) -> IVec2 {
        let around = |center: IVec2, reach: i32, step: usize| {
            let side = move || (-reach..=reach).step_by(step);
            side().flat_map(move |y| side().map(move |x| center + IVec2::new(x, y)))
        };
        let better = |a: IVec2, b: IVec2| {
            let order = self.fit(mask, a).total_cmp(&self.fit(mask, b));
            order.then(b.length_squared().cmp(&a.length_squared()))
        };
        let pick = |shifts: Vec<IVec2>| {
            let fits = shifts.into_iter().map(|shift| (self.fit(mask, shift), shift));
            let best = fits.max_by(|(a, p), (b, q)| {
                a.total_cmp(b).then(q.length_squared().cmp(&p.length_squared()))
            });
            best.map_or(IVec2::ZERO, |(_, shift)| shift)
        };
        let coarse = pick(around(IVec2::ZERO, REACH, 2).collect());
        let fine = pick(around(coarse, 1, 1).collect());
        // A thin wall may be missed by every second shift but not where it is.
        let near = pick(around(IVec2::ZERO, 1, 1).collect());
        if better(near, fine).is_ge() { near } else { fine }
    }

    /// True if the mask fits no worse by the shift in each quarter that has a twentieth of the samples. In
    /// one without walls both fits are 0.
    fn all_quarters_agree(&self, mask: &Bits, shift: IVec2) -> bool {
        let (here, there) = (self.tables(mask, IVec2::ZERO), self.tables(mask, shift));
        let all = self.words.len();
        (0..4).all(|quarter| {
            let count = self.words.iter().filter(|word| word.quarter == quarter).count();
            count * 20 < all || fit(&there[quarter]) >= fit(&here[quarter])
        })
    }
}

/// The words, by their first pixels, within reach of an edge of the mask, from the top; without the margins.
fn near_edges(mask: &Bits) -> Vec<(u32, u32)> {
    let size = mask.size();
    // Of a word and its neighbours in a row: all ones, all zeros, or an edge.
    let has_edge = |index: usize, y: u32| {
        let row = mask.row(y);
        let near = row.get(index.saturating_sub(1)..(index + 2).min(row.len())).unwrap_or_default();
        let (or, and) = near.iter().fold((0, u64::MAX), |(or, and), word| (or | word, and & word));
        [or != 0, and != u64::MAX]
    };
    let rows = MARGIN..size.y - MARGIN;
    let words = size.x.div_ceil(64) as usize;
    let mut found = Vec::new();
    for index in 0..words {
        let kinds: Vec<[bool; 2]> = (0..size.y).map(|y| has_edge(index, y)).collect();
        for y in rows.clone() {
            let near = &kinds[(y - MARGIN) as usize..=(y + MARGIN) as usize];
            let is_near = near.iter().any(|[some, _]| *some) && near.iter().any(|[_, gap]| *gap);
            if is_near {
                found.push((index as u32 * 64, y));
            }
        }
    }
    found.sort_by_key(|(x, y)| (*y, *x));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::pixels::pair::learn_in_place;

    /// Bars and blocks, and art of them with grain.
    fn pair(seed: u64, width: u32, height: u32) -> (RgbaImage, Bits) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut mask = Bits::new(glam::UVec2::new(width, height)).expect("memory");
        for _ in 0..16 {
            let (left, top) = (random.u32(0..width - 20), random.u32(0..height - 12));
            let (w, h) = (random.u32(6..20), random.u32(4..12));
            for (x, y) in (top..top + h).flat_map(|y| (left..left + w).map(move |x| (x, y))) {
                mask.row_mut(y)[(x / 64) as usize] |= 1 << (x % 64);
            }
        }
        let art = RgbaImage::from_fn(width, height, |x, y| {
            let light = if mask.get(x, y) { 70 } else { 150 } + random.u8(0..30);
            image::Rgba([light, light, light / 2, 255])
        });
        (art, mask)
    }

    fn moved(mask: &Bits, by: IVec2) -> Bits {
        let size = mask.size();
        let mut moved = Bits::new(size).expect("memory");
        for y in 0..size.y {
            let rest = (size.x % 64) as u64;
            for (x, word) in (0..).step_by(64).zip(moved.row_mut(y)) {
                *word = mask.word_at(x - i64::from(by.x), i64::from(y) - i64::from(by.y));
                if x as u32 + 64 > size.x && rest > 0 {
                    *word &= (1 << rest) - 1;
                }
            }
        }
        moved
    }

    #[test]
    fn a_mask_that_was_moved_is_moved_back() {
        let mut missed = 0;
        for (seed, width) in [(1, 127), (2, 128), (3, 129), (4, 200)] {
            let (art, mask) = pair(seed, width, 96);
            assert_eq!(drift(&art, &mask), None, "{seed}");
            for by in [(1, 0), (0, -1), (3, 2), (-8, 0), (5, -7)] {
                let by = IVec2::from(by);
                match drift(&art, &moved(&mask, by)).map(|found| found.shift) {
                    // A quarter may fit better by chance where the mask is; no other shift is told.
                    None => missed += 1,
                    found => assert_eq!(found, Some(-by), "{seed}"),
                }
            }
        }
        assert!(missed <= 1, "{missed} of 20");
    }

    #[test]
    fn the_counts_of_a_shift_are_those_of_single_pixels() {
        let (art, mask) = pair(7, 130, 60);
        let classes = learn_in_place(&art, &mask).classes();
        let samples = Samples::new(&art, &mask, &classes);
        let near = near_edges(&mask);
        for shift in [IVec2::ZERO, IVec2::new(3, -5), IVec2::new(-8, 8)] {
            let mut naive = [Table::default(); 4];
            for (left, y) in &near {
                let inside = (*left..left + 64).filter(|x| (MARGIN..130 - MARGIN).contains(x));
                for x in inside {
                    let class = usize::from(classes[color_of(art.get_pixel(x, *y).0)]);
                    let at = IVec2::new(x as i32, *y as i32) - shift;
                    let quarter = usize::from(left + 32 > 65) + 2 * usize::from(*y > 30);
                    let place = &mut naive[quarter][class];
                    place[0] += u64::from(mask.get(at.x as u32, at.y as u32));
                    place[1] += 1;
                }
            }
            assert_eq!(samples.tables(&mask, shift), naive, "{shift}");
        }
    }
}
