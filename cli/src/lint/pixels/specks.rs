//! Finds specks and pinholes: groups of solid or passable pixels within a 2 x 2 square that touch no other
//! pixel of their kind, not even diagonally.

use bitwall::glam::{IVec2, UVec2};

use bitwall::mask::Bits;

/// The largest number of reported specks or pinholes (isolated solid or passable pixels). More than these are
/// drawn on purpose, such as dithering, grass or stars.
const MOST_SPECKS: usize = 24;

/// The number of pixels below which a picture is not searched for specks. In a smaller picture, a pixel may
/// stand for a whole tile.
const LEAST_PIXELS: u64 = 64 * 64;

/// Finds the specks (`solid`) or pinholes that look like drawing mistakes. Returns the top left corner of the
/// 2 x 2 square around each.
///
/// `drawn` holds the gray pixels that were drawn on purpose; `None` for a mask without them. Ignores these
/// specks and pinholes:
/// - with pixels of `drawn`
/// - in evenly spaced lines, such as nails and pegs
/// - in a corner of the picture, where a stripe may end
///
/// Empty for a picture of less than 4,096 pixels, and if more than 24 are without pixels of `drawn`.
pub(crate) fn slips(bits: &Bits, solid: bool, drawn: Option<&Bits>) -> Vec<UVec2> {
    let size = bits.size();
    if u64::from(size.x) * u64::from(size.y) < LEAST_PIXELS {
        return Vec::new();
    }
    let is_drawn =
        |at: &UVec2| drawn.is_some_and(|drawn| square(*at).any(|at| drawn.get(at.x, at.y)));
    let most = if drawn.is_some() { MOST } else { MOST_SPECKS + 1 };
    let mut found = alone(bits, solid, most);
    found.retain(|at| !is_drawn(at));
    if found.len() > MOST_SPECKS {
        return Vec::new();
    }
    let is_in_group = |at: &UVec2| at.cmplt(size).all() && bits.get(at.x, at.y) == solid;
    let shape = |at: &UVec2| square(*at).map(|at| is_in_group(&at));
    let shapes: Vec<(IVec2, Vec<bool>)> =
        found.iter().map(|at| (at.as_ivec2(), shape(at).collect())).collect();
    let in_line = in_lines(&shapes);
    let mut in_line = in_line.iter();
    found.retain(|at| {
        in_line.next() != Some(&true) && !is_cut(square(*at).filter(is_in_group), size)
    });
    found
}

/// True if a speck, given by its pixels, touches two adjacent sides of a picture of the given size. It may
/// then be the end of a stripe that the picture cuts off.
fn is_cut(group: impl Iterator<Item = UVec2>, size: UVec2) -> bool {
    let mut touched = [false; 2];
    for at in group {
        touched[0] |= at.x == 0 || at.x + 1 == size.x;
        touched[1] |= at.y == 0 || at.y + 1 == size.y;
    }
    touched == [true; 2]
}

/// Returns for each speck or pinhole, given as position and shape, whether it belongs to a line.
///
/// A line is at least three evenly spaced specks of one shape in a row or column, or at least four in another
/// direction. If most specks of one shape belong to lines, all specks of this shape count as belonging to
/// one. None of 10,000 pictures of 300 x 200 pixels with 24 specks at random positions had a line. O(n^3) for
/// n specks.
fn in_lines<T: PartialEq>(groups: &[(IVec2, T)]) -> Vec<bool> {
    let find = |at: IVec2, shape: &T| {
        groups.iter().position(|(other, kind)| *other == at && kind == shape)
    };
    let mut in_line = vec![false; groups.len()];
    for (index, (at, shape)) in groups.iter().enumerate() {
        // The argument `groups` is sorted from top to bottom, so a line of specks continues to the right or
        // downward.
        for (next, _) in groups.iter().skip(index + 1).filter(|(_, kind)| kind == shape) {
            let by = *next - *at;
            let line: Vec<usize> = (0..).map_while(|step| find(*at + by * step, shape)).collect();
            if line.len() >= if by.x == 0 || by.y == 0 { 3 } else { 4 } {
                line.iter().for_each(|index| in_line[*index] = true);
            }
        }
    }
    let counts: Vec<[usize; 2]> = groups
        .iter()
        .map(|(_, shape)| {
            let of_shape = groups.iter().zip(&in_line).filter(|((_, kind), _)| kind == shape);
            [of_shape.clone().filter(|(_, in_line)| **in_line).count(), of_shape.count()]
        })
        .collect();
    in_line.iter().zip(counts).map(|(in_line, [lined, all])| *in_line || lined * 2 > all).collect()
}

pub(crate) fn square(corner: UVec2) -> impl Iterator<Item = UVec2> {
    [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].into_iter().map(move |by| corner + by)
}

/// The largest number of specks or pinholes that [`slips`] examines if its argument `drawn` is given.
const MOST: usize = 4_096;

/// Finds the first `most` groups of solid pixels (specks) or passable pixels (pinholes) that fit in a 2 x 2
/// square and touch no other pixel of their kind, not even diagonally.
///
/// Pixels outside the picture do not count. Returns the top left corner of each group's square, from top to
/// bottom. O(n) for n 64-pixel words of the picture: it examines 64 pixels at once, without a flood fill.
fn alone(bits: &Bits, solid: bool, most: usize) -> Vec<UVec2> {
    let size = bits.size();
    let count = size.x.div_ceil(64) as usize;
    let flips = if solid { 0 } else { u64::MAX };
    // Fills a row with the pixels of the searched kind, and a word of 0 at both ends.
    let fill = |row: &mut Vec<u64>, y: u32| {
        row.fill(0);
        for (word, bits) in row[1..].iter_mut().zip(bits.row(y)) {
            *word = bits ^ flips;
        }
        row[count] &= u64::MAX >> (size.x.wrapping_neg() % 64);
        if y >= size.y {
            row.fill(0);
        }
    };
    let mut rows: [Vec<u64>; 4] = std::array::from_fn(|_| vec![0; count + 2]);
    (0..3).for_each(|y| fill(&mut rows[y + 1], y as u32));
    let mut found = Vec::new();
    for y in 0..size.y {
        let [above, first, second, below] = &rows;
        if has_top(above, first) {
            for index in 0..count {
                let rows = [above, first, second, below].map(|row| Word::new(&row[index..]));
                let mut alone = alone_in(rows);
                while alone != 0 {
                    found.push(UVec2::new(index as u32 * 64 + alone.trailing_zeros(), y));
                    if found.len() == most {
                        return found;
                    }
                    alone &= alone - 1;
                }
            }
        }
        rows.rotate_left(1);
        fill(&mut rows[3], y + 3);
    }
    found
}

/// True if the first row of a speck may be in `row`: one pixel or two adjacent pixels without neighbours in
/// the row, of which the left one touches no pixel in the row `above`. A quick test that excludes most rows
/// from the search for specks. Pixel `i` of a row is bit `i % 64` of word `i / 64`.
fn has_top(above: &[u64], row: &[u64]) -> bool {
    let mut found = 0;
    for (above, row) in above.windows(3).zip(row.windows(3)) {
        let (above, row) = (Word::new(above), Word::new(row));
        found |= row.here & !(row.before | row.after & row.beyond | above.three());
    }
    found != 0
}

/// Returns a word with bit `i` set if column `i` is the left column of a speck's 2 x 2 square. The four
/// arguments are 64 columns of the row above the square, of its two rows, and of the row below.
fn alone_in([above, first, second, below]: [Word; 4]) -> u64 {
    let beside = first.before | first.after;
    let one = first.here & !(above.three() | beside | second.three());
    let wide = first.here & first.after;
    let wide = wide & !(above.four() | first.ends() | second.four());
    let high = first.here & second.here;
    let beside = beside | second.before | second.after;
    let high = high & !(above.three() | beside | below.three());
    // The other specks, besides `one`, `wide` and `high`, have a pixel in both rows and in both columns of
    // the square.
    let both = first.pair() & second.pair();
    let both = both & (first.here | second.here) & (first.after | second.after);
    // A pixel diagonally outside a corner of the square touches only the pixel in this corner, so it counts
    // only if the pixel in the corner is set.
    let corners = first.here & above.before
        | first.after & above.beyond
        | second.here & below.before
        | second.after & below.beyond;
    let sides = above.pair() | below.pair() | first.ends() | second.ends();
    let both = both & !(sides | corners);
    one | wide | high | both
}

/// The pixels of a row in 64 columns, as the bits of a word, with their neighbours. Bit `i` of `here` is the
/// pixel in column `i`. Bit `i` of the other words is the pixel one column to the left (`before`), one to the
/// right (`after`) or two to the right (`beyond`).
struct Word {
    before: u64,
    here: u64,
    after: u64,
    beyond: u64,
}

impl Word {
    #[inline(always)]
    fn new(words: &[u64]) -> Self {
        let [previous, here, next] = words.first_chunk().copied().unwrap_or_default();
        Self {
            before: here << 1 | previous >> 63,
            here,
            after: here >> 1 | next << 63,
            beyond: here >> 2 | next << 62,
        }
    }

    /// Returns a word with bit `i` set if there is a pixel in any of the columns `i - 1` to `i + 1`, which
    /// touch a speck of one column in column `i`.
    fn three(&self) -> u64 {
        self.before | self.here | self.after
    }

    /// Returns a word with bit `i` set if there is a pixel in any of the columns `i - 1` to `i + 2`, which
    /// touch a speck of two columns with its left column at `i`.
    fn four(&self) -> u64 {
        self.three() | self.beyond
    }

    /// Returns a word with bit `i` set if there is a pixel directly on the left or right of a speck in the
    /// columns `i` and `i + 1`, which means in column `i - 1` or `i + 2`.
    fn ends(&self) -> u64 {
        self.before | self.beyond
    }

    fn pair(&self) -> u64 {
        self.here | self.after
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Finds the specks (`solid`) or pinholes of a mask, by a flood fill. Returns the left column and top row
    /// of each.
    fn naive(bits: &Bits, solid: bool) -> BTreeSet<(u32, u32)> {
        let size = bits.size();
        let is = |x: u32, y: u32| x < size.x && y < size.y && bits.get(x, y) == solid;
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        for start in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
            let (mut open, mut group) = (vec![start], Vec::new());
            while let Some((x, y)) = open.pop() {
                if is(x, y) && seen.insert((x, y)) {
                    group.push((x, y));
                    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                        open.push((x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)));
                    }
                }
            }
            let (left, right) =
                (group.iter().map(|cell| cell.0).min(), group.iter().map(|cell| cell.0).max());
            let (top, bottom) =
                (group.iter().map(|cell| cell.1).min(), group.iter().map(|cell| cell.1).max());
            if let (Some(left), Some(right), Some(top), Some(bottom)) = (left, right, top, bottom)
                && right - left < 2
                && bottom - top < 2
            {
                found.insert((left, top));
            }
        }
        found
    }

    #[test]
    fn found_specks_and_pinholes_agree_with_a_flood_fill() {
        let mut random = fastrand::Rng::with_seed(3);
        let sides = [1, 2, 3, 62, 63, 64, 65, 66, 128, 129];
        let mut all = 0;
        for _ in 0..300 {
            let size = UVec2::new(sides[random.usize(0..10)], random.u32(1..12));
            let mut bits = Bits::new(size).expect("memory");
            let share = random.u32(1..99);
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                let is_set = random.u32(0..100) < share;
                bits.row_mut(y)[(x / 64) as usize] |= u64::from(is_set) << (x % 64);
            }
            for solid in [false, true] {
                let found = alone(&bits, solid, usize::MAX);
                let set: BTreeSet<(u32, u32)> = found.iter().map(|cell| (cell.x, cell.y)).collect();
                assert_eq!(set, naive(&bits, solid), "{size} {solid}");
                assert_eq!(set.len(), found.len(), "each once, from the top");
                assert!(found.is_sorted_by_key(|cell| (cell.y, cell.x)));
                all += found.len();
            }
        }
        assert!(all > 1_000, "{all}");
    }

    #[test]
    fn equal_groups_in_an_evenly_spaced_line_are_no_specks() {
        let lines = |places: &[(i32, i32, u8)]| {
            let groups: Vec<(IVec2, u8)> =
                places.iter().map(|(x, y, kind)| (IVec2::new(*x, *y), *kind)).collect();
            in_lines(&groups)
        };
        let (yes, no) = (true, false);
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 0), (24, 5, 0), (40, 5, 0)]), [yes; 4]);
        let few = [(10, 5, 0), (17, 5, 0), (24, 5, 0), (40, 5, 0), (50, 9, 0), (70, 19, 0)];
        assert_eq!(lines(&few), [yes, yes, yes, no, no, no], "half of them");
        assert_eq!(lines(&[(9, 5, 0), (9, 25, 0), (9, 45, 0)]), [yes; 3], "a column");
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 1), (24, 5, 0)]), [no; 3], "of two shapes");
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 0), (25, 5, 0)]), [no; 3], "not even");
        assert_eq!(lines(&[(9, 5, 0), (6, 9, 0), (3, 13, 0)]), [no; 3], "three on a slope");
        assert_eq!(lines(&[(9, 5, 0), (6, 9, 0), (3, 13, 0), (0, 17, 0)]), [yes; 4]);
        assert!(lines(&[]).is_empty());
        let strewn = [(10, 5, 0), (17, 5, 0), (24, 5, 0), (90, 61, 0), (50, 80, 1)];
        assert_eq!(lines(&strewn), [yes, yes, yes, yes, no], "most of one shape");
    }

    #[test]
    fn the_end_of_a_stripe_in_a_corner_is_no_speck() {
        let size = UVec2::new(97, 64);
        let of = |is_solid: &dyn Fn(u32, u32) -> bool| {
            let mut bits = Bits::new(size).expect("memory");
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                bits.row_mut(y)[(x / 64) as usize] |= u64::from(is_solid(x, y)) << (x % 64);
            }
            bits
        };
        for shift in 0..12 {
            for (width, period) in [(1, 4), (2, 5), (3, 12), (6, 12)] {
                let falling = of(&|x, y| (x + y + shift) % period < width);
                let rising = of(&|x, y| (x + 120 - y + shift) % period < width);
                for solid in [true, false] {
                    assert!(slips(&falling, solid, None).is_empty(), "{shift} {width} {solid}");
                    assert!(slips(&rising, solid, None).is_empty(), "{shift} {width} {solid}");
                }
            }
        }
        let edge = of(&|x, y| (x, y) == (40, 0) || (x, y) == (96, 30) || (x, y) == (1, 1));
        assert_eq!(slips(&edge, true, None).len(), 3, "a side alone cuts none off");
    }

    /// Verifies the number in the docs of [`in_lines`]: none of 10,000 random pictures has a line.
    #[test]
    fn specks_at_random_positions_are_not_in_a_line() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut hits = 0;
        for _ in 0..10_000 {
            let place = |_| (IVec2::new(random.i32(0..300), random.i32(0..200)), ());
            let mut groups: Vec<_> = (0..24).map(place).collect();
            groups.sort_by_key(|(at, ())| (at.y, at.x));
            groups.dedup();
            hits += u32::from(in_lines(&groups).contains(&true));
        }
        assert_eq!(hits, 0);
    }
}
