//! The pixels that are near to others, 64 at a time.

use crate::grid::Grid;
use crate::mask::Bits;

/// The pixels of `grid` in rows of words; `None` if there is no memory for them.
pub(crate) fn bits_of(grid: &Grid) -> Option<Bits> {
    let mut bits = Bits::new(grid.size())?;
    let size = grid.size();
    // By blocks of 64 rows: the words of a column lie together in the grid, those of a row in the bits.
    for top in (0..size.y).step_by(64) {
        for column in 0..size.x.div_ceil(64) {
            for y in top..size.y.min(top + 64) {
                bits.row_mut(y)[column as usize] = grid.row_word(i64::from(column) * 64, y);
            }
        }
    }
    Some(bits)
}

/// The most rows that are looked at for a share.
const MOST_ROWS: u32 = 128;

/// The share of `marked` pixels that lie between solid and passable ones, as [`between`] says, in up to 128
/// rows that are spread over the picture.
pub(crate) fn share_between(marked: &Bits, solid: &Bits, radius: u32) -> f64 {
    let used = |y: &u32| marked.row(*y).iter().any(|word| *word != 0);
    let rows: Vec<u32> = (0..marked.size().y).filter(used).collect();
    let step = rows.len().div_ceil(MOST_ROWS as usize).max(1);
    let rows: Vec<u32> = rows.into_iter().step_by(step).collect();
    let ones =
        |y: &u32| marked.row(*y).iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let all = rows.iter().map(ones).sum::<u64>();
    between(marked, solid, radius, &rows) as f64 / all.max(1) as f64
}

/// The number of `marked` pixels in these rows that have a solid and a passable pixel that are not marked at
/// a distance of at most `radius` in both axes; `radius` is below 64. O(words of the rows * radius).
fn between(marked: &Bits, solid: &Bits, radius: u32, rows: &[u32]) -> u64 {
    let size = marked.size();
    let stride = size.x.div_ceil(64) as usize;
    let mut count = 0;
    // With a word before the row and one behind it, for ones that leave the row and come back.
    let [mut walls, mut floor] = [vec![0; stride + 2], vec![0; stride + 2]];
    for y in rows.iter().copied() {
        walls.fill(0);
        floor.fill(0);
        for other in y.saturating_sub(radius)..=(y + radius).min(size.y - 1) {
            let near = walls[1..].iter_mut().zip(&mut floor[1..]);
            let words = marked.row(other).iter().zip(solid.row(other));
            for ((walls, floor), (marked, solid)) in near.zip(words) {
                *walls |= !marked & solid;
                *floor |= !marked & !solid;
            }
        }
        floor[stride] &= u64::MAX >> (size.x.wrapping_neg() % 64);
        spread(&mut walls, radius);
        spread(&mut floor, radius);
        let words = marked.row(y).iter().zip(&walls[1..]).zip(&floor[1..]);
        count +=
            words.map(|((marked, a), b)| u64::from((marked & a & b).count_ones())).sum::<u64>();
    }
    count
}

/// Spreads the ones of a row to both sides.
fn spread(row: &mut [u64], radius: u32) {
    // Each step of at most the width so far, and one, leaves no gap: 1, 3, 9 and so on.
    let mut reached = 0;
    while reached < radius {
        let by = (2 * reached + 1).min(radius - reached);
        let mut before = 0;
        for at in 0..row.len() {
            let (here, after) = (row[at], row.get(at + 1).copied().unwrap_or(0));
            row[at] = here | here << by | before >> (64 - by) | here >> by | after << (64 - by);
            before = here;
        }
        reached += by;
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;

    #[test]
    fn pixels_between_are_those_of_a_search_of_each_square() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let sides = [1, 5, 63, 64, 65, 130];
            let size = UVec2::new(sides[random.usize(0..6)], random.u32(1..9));
            let (mut marked, mut solid) = (Bits::new(size).unwrap(), Bits::new(size).unwrap());
            let share = random.u32(1..40);
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                marked.row_mut(y)[(x / 64) as usize] |=
                    u64::from(random.u32(0..4) == 0) << (x % 64);
                solid.row_mut(y)[(x / 64) as usize] |=
                    u64::from(random.u32(0..40) < share) << (x % 64);
            }
            let radius = random.u32(0..6);
            let has = |x: u32, y: u32, wanted: bool| {
                let ys = y.saturating_sub(radius)..=(y + radius).min(size.y - 1);
                let mut near = ys.flat_map(|y| {
                    let xs = x.saturating_sub(radius)..=(x + radius).min(size.x - 1);
                    xs.map(move |x| (x, y))
                });
                near.any(|(x, y)| !marked.get(x, y) && solid.get(x, y) == wanted)
            };
            let pixels = (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y)));
            let naive = pixels
                .filter(|(x, y)| marked.get(*x, *y) && has(*x, *y, true) && has(*x, *y, false));
            let rows: Vec<u32> = (0..size.y).collect();
            let count = naive.count() as u64;
            assert_eq!(between(&marked, &solid, radius, &rows), count, "{size} {radius}");
            let share = count as f64 / marked.count().max(1) as f64;
            assert_eq!(share_between(&marked, &solid, radius), share, "of few rows all");
        }
    }
}
