//! Specks and pinholes: solid or passable cells in a square of 2 x 2 that touch no others of their kind.

use glam::UVec2;

use crate::mask::Bits;

/// More groups than these in a mask are drawn detail: dithering, grass, stars.
const MOST_SPECKS: usize = 24;

/// In a smaller picture a pixel may be a whole tile: such a mask has walls of one pixel.
const LEAST_PIXELS: u64 = 64 * 64;

/// The groups of [`alone`] if they are a slip of the pencil: there are at most 24, in a picture of at least
/// 4,096 pixels. Those with `drawn` pixels, which have a meaning of their own, are left out.
pub(crate) fn slips(bits: &Bits, solid: bool, drawn: Option<&Bits>) -> Vec<UVec2> {
    let size = bits.size();
    if u64::from(size.x) * u64::from(size.y) < LEAST_PIXELS {
        return Vec::new();
    }
    let is_drawn =
        |at: &UVec2| drawn.is_some_and(|drawn| square(*at).any(|at| drawn.get(at.x, at.y)));
    let mut found = alone(bits, solid);
    found.retain(|at| !is_drawn(at));
    if found.len() > MOST_SPECKS { Vec::new() } else { found }
}

/// The pixels of the square whose corner is `corner`, row by row.
pub(crate) fn square(corner: UVec2) -> impl Iterator<Item = UVec2> {
    [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].into_iter().map(move |by| corner + by)
}

/// The most groups that are listed.
const MOST: usize = 4_096;

/// The groups of solid pixels (specks), or of passable ones (pinholes), that fit in a square of 2 x 2 and
/// have no other pixel of their kind beside them, by a corner either; beyond the picture there is none. Each
/// group is given by the corner of its square, from the top; at most 4,096. O(words): nothing is labelled.
fn alone(bits: &Bits, solid: bool) -> Vec<UVec2> {
    let size = bits.size();
    let kind = Kind { count: size.x.div_ceil(64) as usize, width: size.x, solid };
    let row = |y: u32| bits.row(y);
    let mut found = Vec::new();
    for y in 0..size.y {
        let above = y.checked_sub(1).map_or(&[][..], row);
        let rows = [above, row(y), row(y + 1), row(y + 2)];
        let tops = |index| kind.word(rows[1], index) & !kind.word(rows[0], index);
        let mut next = tops(0);
        for index in 0..kind.count {
            let here = next;
            next = tops(index + 1);
            // The first row of a group has pixels below others: in most words it has none.
            if here == 0 && next & 1 == 0 {
                continue;
            }
            let [above, first, second, below] = rows.map(|row| kind.square(row, index));
            let beside = first.before | first.after;
            let one = first.here & !(above.three() | beside | second.three());
            let wide = first.here & first.after;
            let wide = wide & !(above.four() | first.ends() | second.four());
            let high = first.here & second.here;
            let beside = beside | second.before | second.after;
            let high = high & !(above.three() | beside | below.three());
            // Both rows and both columns of the square have pixels.
            let both = first.pair() & second.pair();
            let both = both & (first.here | second.here) & (first.after | second.after);
            // A corner of the ring touches the pixel beside it only.
            let corners = first.here & above.before
                | first.after & above.beyond
                | second.here & below.before
                | second.after & below.beyond;
            let sides = above.pair() | below.pair() | first.ends() | second.ends();
            let both = both & !(sides | corners);
            let mut alone = one | wide | high | both;
            while alone != 0 && found.len() < MOST {
                found.push(UVec2::new(index as u32 * 64 + alone.trailing_zeros(), y));
                alone &= alone - 1;
            }
        }
    }
    found
}

/// The pixels of one kind.
struct Kind {
    /// Words of a row.
    count: usize,
    width: u32,
    solid: bool,
}

/// 64 pixels as left columns of squares: the pixels before them, they, and those one and two after them.
struct Word {
    before: u64,
    here: u64,
    after: u64,
    beyond: u64,
}

impl Word {
    /// The columns around a group of one column.
    fn three(&self) -> u64 {
        self.before | self.here | self.after
    }

    /// The columns around a group of two columns.
    fn four(&self) -> u64 {
        self.three() | self.beyond
    }

    /// The columns beside a group of two columns.
    fn ends(&self) -> u64 {
        self.before | self.beyond
    }

    /// The columns of the square.
    fn pair(&self) -> u64 {
        self.here | self.after
    }
}

impl Kind {
    /// The pixels of the kind in a word of a row; none beyond the row and in a row beyond the picture.
    #[inline(always)]
    fn word(&self, row: &[u64], index: usize) -> u64 {
        let Some(word) = row.get(index) else {
            return 0;
        };
        let flips = if self.solid { 0 } else { u64::MAX };
        let inside = match index + 1 == self.count {
            true => u64::MAX >> (self.width.wrapping_neg() % 64),
            false => u64::MAX,
        };
        (word ^ flips) & inside
    }

    fn square(&self, row: &[u64], index: usize) -> Word {
        let before = index.checked_sub(1).map_or(0, |before| self.word(row, before));
        let (here, next) = (self.word(row, index), self.word(row, index + 1));
        Word {
            before: here << 1 | before >> 63,
            here,
            after: here >> 1 | next << 63,
            beyond: here >> 2 | next << 62,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// By a flood of each pixel, by edges and corners.
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
    fn specks_and_pinholes_are_those_of_a_flood() {
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
                let found = alone(&bits, solid);
                let set: BTreeSet<(u32, u32)> = found.iter().map(|cell| (cell.x, cell.y)).collect();
                assert_eq!(set, naive(&bits, solid), "{size} {solid}");
                assert_eq!(set.len(), found.len(), "each once, from the top");
                assert!(found.is_sorted_by_key(|cell| (cell.y, cell.x)));
                all += found.len();
            }
        }
        assert!(all > 1_000, "{all}");
    }
}
