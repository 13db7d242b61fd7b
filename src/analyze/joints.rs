//! Solid cells that touch in a corner only.
//!
//! In cells: no pixels, no bodies. A joint is a place where four cells meet: two solid ones across one
//! diagonal and two passable ones across the other.

use glam::UVec2;

use super::bands::TooComplex;
use super::components::Components;
use crate::grid::Grid;

/// Two solid cells that touch in a corner only: see [`joints`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Joint {
    /// The lower right of the four cells; the corner is its own upper left one.
    pub cell: UVec2,
    /// True if this cell is solid, and the upper left one; otherwise the other two are.
    pub is_falling: bool,
}

impl Joint {
    /// The two passable cells, the upper one first.
    pub fn passable(&self) -> [UVec2; 2] {
        let UVec2 { x, y } = self.cell;
        match self.is_falling {
            true => [UVec2::new(x, y - 1), UVec2::new(x - 1, y)],
            false => [UVec2::new(x - 1, y - 1), UVec2::new(x, y)],
        }
    }

    /// The two parts that the joint parts: those of its passable cells among the parts of the passable cells,
    /// connected by edges; `None` if it is one part.
    pub fn parted(&self, passable: &Components) -> Option<[usize; 2]> {
        let [one, other] = self.passable().map(|cell| passable.part_at(cell.x, cell.y));
        let (one, other) = (one?, other?);
        (one != other).then(|| [one.min(other), one.max(other)])
    }
}

/// The largest number of joints that are kept.
const MAX_JOINTS: usize = 1 << 20;

/// The joints of a grid, from the top and then from the left. O(words).
///
/// ```
/// use bitwall::Grid;
/// use bitwall::analyze::joints;
///
/// let grid = Grid::from_text("#..\n.#.\n.#.")?;
/// let found = joints(&grid)?;
/// assert_eq!((found.len(), found[0].cell, found[0].is_falling), (1, (1, 1).into(), true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`TooComplex`] beyond 2^20 joints or 2^29 cells.
pub fn joints(grid: &Grid) -> Result<Vec<Joint>, TooComplex> {
    let words = u64::from(grid.width().div_ceil(64)) * u64::from(grid.height());
    if words > super::bands::MAX_WORDS {
        return Err(TooComplex);
    }
    let mut found = Vec::new();
    for row in 1..grid.height() {
        for start in (1..grid.width()).step_by(64) {
            let [above, here] = [row - 1, row].map(|row| {
                let column = i64::from(start);
                [grid.row_word(column - 1, row), grid.row_word(column, row)]
            });
            let falling = above[0] & here[1] & !above[1] & !here[0];
            let rising = above[1] & here[0] & !above[0] & !here[1];
            // Beyond the right side there is no passable cell.
            let inside = crate::grid::low_bits(i64::from(grid.width() - start));
            let mut places = (falling | rising) & inside;
            while places != 0 {
                let place = places.trailing_zeros();
                if found.len() == MAX_JOINTS {
                    return Err(TooComplex);
                }
                let is_falling = falling >> place & 1 == 1;
                found.push(Joint { cell: UVec2::new(start + place, row), is_falling });
                places &= places - 1;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_those_of_every_four_cells() {
        let mut random = fastrand::Rng::with_seed(51);
        for width in [1, 2, 63, 64, 65, 66, 129] {
            for _ in 0..20 {
                let height = random.u32(1..70);
                let mut grid = Grid::new(width, height).unwrap();
                for _ in 0..random.u32(0..width * height) {
                    grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
                }
                let mut expected = Vec::new();
                for (x, y) in (1..height).flat_map(|y| (1..width).map(move |x| (x, y))) {
                    let four = [(x - 1, y - 1), (x, y), (x, y - 1), (x - 1, y)];
                    let cell = UVec2::new(x, y);
                    match four.map(|(x, y)| grid.is_solid(x, y)) {
                        [true, true, false, false] => {
                            expected.push(Joint { cell, is_falling: true });
                        }
                        [false, false, true, true] => {
                            expected.push(Joint { cell, is_falling: false });
                        }
                        _ => continue,
                    }
                    let free = expected[expected.len() - 1].passable();
                    assert!(free.iter().all(|cell| !grid.is_solid(cell.x, cell.y)));
                }
                assert_eq!(joints(&grid).unwrap(), expected);
            }
        }
    }
}
