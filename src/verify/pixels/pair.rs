//! How much a mask and its art have in common: what the art's colours tell about the mask's pixels.
//!
//! Each colour of the art, in 4 bits a channel, has a share of solid pixels under it. By that share a colour
//! is of one of eight classes. The mutual information of class and mask, as a part of the mask's own
//! entropy, is their *fit*: 1 if the art tells every pixel of the mask, 0 if it tells nothing. It does not
//! depend on which colours are walls. Measured on pairs drawn by program: 0.3 to 1 for right ones, 0.02 to
//! 0.2 for art of another level.

use glam::{IVec2, UVec2};
use image::RgbaImage;

use crate::mask::Bits;

/// The classes of colours.
pub(crate) const CLASSES: usize = 8;

/// Colours of 4 bits a channel, and transparent.
const COLORS: usize = (1 << 12) + 1;

/// The most pixels that are looked at to learn the colours: more add nothing but time.
const MOST_PIXELS: u64 = 1 << 20;

/// Pixels along the sides that are left out, so that a mask moved by less covers the rest.
pub(crate) const MARGIN: u32 = 9;

/// The solid and all pixels under each colour.
#[derive(Clone)]
pub(crate) struct Colors {
    counts: Vec<[u32; 2]>,
}

/// Pixels by class: solid ones and all.
pub(crate) type Table = [[u64; 2]; CLASSES];

/// The colour of a pixel in 4 bits a channel.
#[inline]
pub(crate) fn color_of([red, green, blue, alpha]: [u8; 4]) -> usize {
    match alpha {
        0..128 => COLORS - 1,
        _ => usize::from(red >> 4) << 8 | usize::from(green >> 4) << 4 | usize::from(blue >> 4),
    }
}

/// Learns the colours from a mask that is moved by `shift`, along each axis by at most [`MARGIN`], without
/// the margins. The pictures are of equal size. O(pixels), of at most 2^20 in rows that are spread over them.
pub(crate) fn learn(art: &RgbaImage, mask: &Bits, shift: IVec2) -> Colors {
    let size = mask.size();
    let x = MARGIN.min(size.x)..size.x.saturating_sub(MARGIN);
    let y = MARGIN.min(size.y)..size.y.saturating_sub(MARGIN);
    let moved = |x: u32, y: u32| {
        let at = IVec2::new(x as i32, y as i32) - shift;
        u32::try_from(at.x).is_ok_and(|x| u32::try_from(at.y).is_ok_and(|y| mask.get(x, y)))
    };
    learn_in(art, size, x, y, moved)
}

/// As [`learn`], from the whole mask where it is.
pub(crate) fn learn_in_place(art: &RgbaImage, mask: &Bits) -> Colors {
    learn_in(art, mask.size(), 0..mask.size().x, 0..mask.size().y, |x, y| mask.get(x, y))
}

/// As [`learn`], from a mask that is moved by any amount and comes in again at the other side: the two have
/// nothing in common but by chance.
pub(crate) fn learn_by_chance(art: &RgbaImage, mask: &Bits, shift: UVec2) -> Colors {
    let size = mask.size();
    let moved = |x: u32, y: u32| mask.get((x + shift.x) % size.x, (y + shift.y) % size.y);
    learn_in(art, size, 0..size.x, 0..size.y, moved)
}

fn learn_in(
    art: &RgbaImage,
    size: UVec2,
    columns: std::ops::Range<u32>,
    rows: std::ops::Range<u32>,
    is_solid: impl Fn(u32, u32) -> bool,
) -> Colors {
    let mut counts = vec![[0; 2]; COLORS];
    let most_rows = (MOST_PIXELS / u64::from(size.x.max(1))).max(1) as usize;
    for y in spread(rows.len(), most_rows).map(|y| rows.start + y as u32) {
        for x in columns.clone() {
            let count = &mut counts[color_of(art.get_pixel(x, y).0)];
            count[0] += u32::from(is_solid(x, y));
            count[1] += 1;
        }
    }
    Colors { counts }
}

/// At most `most` of the numbers below `count`, evenly spread and rising: one of each run of equal length.
///
/// Their places in the runs follow the golden ratio. With the first of each run, one row of all tiles of a
/// large picture would be looked at, and the colours in the other rows stay unknown.
pub(crate) fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let run = count.div_ceil(most.max(1)).max(1);
    let place = move |index: usize| {
        let part = (index as u32).wrapping_mul(0x9e37_79b9);
        ((run as u64 * u64::from(part)) >> 32) as usize
    };
    let numbers = (0..count.div_ceil(run)).map(move |index| index * run + place(index));
    numbers.filter(move |number| *number < count)
}

/// True if hardly any pixels of the mask are of one kind: of such a one, chance tells as much as art does.
pub(crate) fn is_lopsided(mask: &Bits) -> bool {
    let (solid, size) = (mask.count(), mask.size());
    let all = u64::from(size.x) * u64::from(size.y);
    solid.min(all - solid.min(all)) * 25 < all
}

impl Colors {
    /// The class of each colour, by its share of solid pixels.
    pub(crate) fn classes(&self) -> Vec<u8> {
        self.counts.iter().map(|count| class(*count)).collect()
    }

    /// True for each colour under which most pixels are solid.
    pub(crate) fn mostly_solid(&self) -> Vec<bool> {
        self.counts.iter().map(|[solid, all]| solid * 2 > *all).collect()
    }

    /// The part of the mask's entropy that the art tells, from 0 to 1; 0 for a blank mask.
    pub(crate) fn fit(&self) -> f64 {
        let mut table = Table::default();
        for count in &self.counts {
            let place = &mut table[usize::from(class(*count))];
            place[0] += u64::from(count[0]);
            place[1] += u64::from(count[1]);
        }
        fit(&table)
    }
}

/// The class of a colour: the eighth in which its share of solid pixels lies.
fn class([solid, all]: [u32; 2]) -> u8 {
    (u64::from(solid) * CLASSES as u64 / u64::from(all.max(1))).min(CLASSES as u64 - 1) as u8
}

/// The mutual information of class and mask by the mask's entropy; 0 for a mask of one kind of pixels.
pub(crate) fn fit(table: &Table) -> f64 {
    let [solid, all] = table.iter().fold([0, 0], |[a, b], [solid, all]| [a + solid, b + all]);
    let own = entropy(solid, all);
    if own <= 0.0 {
        return 0.0;
    }
    1.0 - table.iter().map(|[solid, of]| entropy(*solid, *of)).sum::<f64>() / own
}

/// The entropy of `all` choices of which `part` fall on one side, in bits.
fn entropy(part: u64, all: u64) -> f64 {
    let bits = |count: u64| match count {
        0 => 0.0,
        _ => count as f64 * (all as f64 / count as f64).log2(),
    };
    bits(part) + bits(all - part.min(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_is_one_for_a_perfect_pair_and_none_for_a_random_one() {
        let size = UVec2::new(130, 60);
        let mut mask = Bits::new(size).expect("memory");
        let is_solid = |x: u32, y: u32| (x / 10 + y / 12).is_multiple_of(3);
        for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
            mask.row_mut(y)[(x / 64) as usize] |= u64::from(is_solid(x, y)) << (x % 64);
        }
        let drawn = |solid: [u8; 4], free: [u8; 4]| {
            RgbaImage::from_fn(size.x, size.y, |x, y| {
                image::Rgba(if is_solid(x, y) { solid } else { free })
            })
        };
        let art = drawn([200, 10, 10, 255], [10, 10, 200, 255]);
        assert_eq!(learn_in_place(&art, &mask).fit(), 1.0);
        assert_eq!(learn(&art, &mask, IVec2::ZERO).fit(), 1.0);
        assert!(learn(&art, &mask, IVec2::new(3, -2)).fit() < 0.7);
        assert_eq!(learn_in_place(&drawn([0; 4], [9, 9, 9, 255]), &mask).fit(), 1.0, "by opacity");
        assert_eq!(learn_in_place(&drawn([1; 4], [2; 4]), &mask).fit(), 0.0, "one colour");
        let by_chance = learn_by_chance(&art, &mask, UVec2::new(15, 6)).fit();
        assert!(by_chance < 0.3, "{by_chance}");
        assert!(learn_by_chance(&art, &mask, UVec2::ZERO).fit() > 0.99);
    }

    #[test]
    fn numbers_are_spread_over_all_places_of_a_tile() {
        for (count, most) in [(0, 5), (1, 5), (5, 5), (6, 5), (100, 7), (4_096, 256), (4_096, 255)]
        {
            let numbers: Vec<usize> = spread(count, most).collect();
            assert!(numbers.len() <= most && numbers.is_sorted(), "{count} {most}");
            assert!((numbers.len() + 1) * 2 >= count.min(most), "{} of {most}", numbers.len());
            assert!(numbers.iter().all(|number| *number < count));
        }
        assert!(spread(90, 90).eq(0..90));
        let mut places = [0; 16];
        spread(4_096, 256).for_each(|number| places[number % 16] += 1);
        assert!(places.iter().all(|count| (14..=18).contains(count)), "{places:?}");
    }

    #[test]
    fn the_fit_of_a_table_is_that_of_the_definition() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let mut table = Table::default();
            for place in &mut table {
                let all = random.u64(0..50);
                *place = [random.u64(0..=all), all];
            }
            let all: u64 = table.iter().map(|[_, all]| all).sum();
            let solid: u64 = table.iter().map(|[solid, _]| solid).sum();
            if solid == 0 || solid == all {
                assert_eq!(fit(&table), 0.0);
                continue;
            }
            // The sum over both kinds of p(class, kind) log(p(class, kind) / p(class) p(kind)).
            let share = |count: u64| count as f64 / all as f64;
            let mut mutual = 0.0;
            for [part, of] in table {
                for (both, kind) in [(part, solid), (of - part, all - solid)] {
                    if both > 0 {
                        mutual += share(both) * (share(both) / share(of) / share(kind)).log2();
                    }
                }
            }
            let entropy: f64 =
                [solid, all - solid].iter().map(|kind| -share(*kind) * share(*kind).log2()).sum();
            assert!((fit(&table) - mutual / entropy).abs() < 1e-9);
        }
    }
}
