//! One-way edges that solids cover.

use crate::lint::finding::{Excerpt, Finding};
use crate::lint::rule::rule;
use crate::lint::rules::levels::places::at;
use crate::lint::subject::Subject;
use bitwall::analyze::{CellKind, Connectivity, TooComplex, components};
use bitwall::geometry::Dir;
use bitwall::glam::UVec2;
use bitwall::grid::Grid;
use bitwall::load::Place;

rule! {
    /// # What it finds
    /// A one-way platform, or another connected piece of one-way cells, that lies wholly in solid cells. One
    /// that is solid in part, as where a platform runs into a wall, is no fault.
    ///
    /// # Why it matters
    /// No body can go through a solid, so the platform is a wall from all sides. In most cases its tiles are
    /// on a solid layer's cells too, or it was covered when the walls were drawn.
    ///
    /// # How to fix
    /// Delete the solid tiles there, or the one-way ones.
    ONE_WAY_IN_SOLID = "TMX122" "one-way-in-solid" Warning on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    // A tile on two maps of a world is a tile of each map.
    let Some(loaded) = subject.loaded().filter(|_| subject.map().is_some()) else {
        return Vec::new();
    };
    let level = &loaded.level;
    let mut findings = Vec::new();
    for side in Dir::ALL {
        let Some(guards) = level.one_way(side) else {
            continue;
        };
        let covered = match covered_pieces(guards, level.grid()) {
            Ok(covered) => covered,
            Err(error) => {
                subject.give_up(&ONE_WAY_IN_SOLID, error.to_string());
                continue;
            }
        };
        let Some(first) = covered.first() else {
            continue;
        };
        let place = Place {
            cell: Some((first.as_ivec2() + level.first_cell()).into()),
            ..Place::default()
        };
        let excerpt = Excerpt::around(loaded, *first, "o = one-way", |column, row| {
            UVec2::new(column, row) == *first
        });
        let side = match side {
            Dir::Up => "top",
            Dir::Down => "bottom",
            Dir::Left => "left",
            Dir::Right => "right",
        };
        let headline = match covered.len() {
            1 => format!("a one-way piece, which guards its {side}, is in solid cells"),
            count => {
                format!("{count} one-way pieces, which guard their {side}, are in solid cells")
            }
        };
        let corner = |cell: &UVec2| at(loaded, level.cell_area(cell.as_ivec2()).min);
        findings.push(
            Finding::new(&ONE_WAY_IN_SOLID, subject.path, headline)
                .of_places(side, covered.iter().map(corner))
                .at(place)
                .area(level.cell_area(first.as_ivec2()))
                .excerpt(excerpt)
                .help("delete the solid tiles there, or the one-way ones"),
        );
    }
    findings
}

/// The first cell of each connected piece of `cells` that lies wholly in the solid cells of `solid`, row by
/// row; cells that touch at a corner are connected. O(words + runs), and O(words of a run) for each.
fn covered_pieces(cells: &Grid, solid: &Grid) -> Result<Vec<UVec2>, TooComplex> {
    let pieces = components(cells, CellKind::Solid, Connectivity::Eight)?;
    let mut has_free = vec![false; pieces.parts().len()];
    for (row, columns, piece) in pieces.runs() {
        let length = columns.len() as u64;
        has_free[piece] = has_free[piece] || solid.solid_count_in(columns, row..row + 1) < length;
    }
    let covered = pieces.parts().iter().zip(has_free).filter(|(_, has_free)| !has_free);
    Ok(covered.map(|(piece, _)| piece.first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Floods from each cell in turn.
    fn naive(cells: &Grid, solid: &Grid) -> Vec<UVec2> {
        let mut left: Vec<UVec2> = cells.iter_solid().collect();
        let mut found = Vec::new();
        while !left.is_empty() {
            let (first, mut open, mut is_free) = (left[0], vec![left[0]], false);
            left.remove(0);
            while let Some(cell) = open.pop() {
                is_free |= !solid.is_solid(cell.x, cell.y);
                let is_near =
                    |other: &UVec2| cell.as_ivec2().chebyshev_distance(other.as_ivec2()) == 1;
                let (near, far): (Vec<_>, Vec<_>) = left.iter().partition(|other| is_near(other));
                open.extend(near);
                left = far;
            }
            found.extend((!is_free).then_some(first));
        }
        found
    }

    #[test]
    fn pieces_are_those_of_a_flood() {
        let mut rng = fastrand::Rng::with_seed(122);
        for round in 0..400 {
            let size = UVec2::new([5, 63, 64, 65, 130][round % 5], rng.u32(1..9));
            let mut grids = [(); 2].map(|()| Grid::new(size.x, size.y).unwrap());
            for (grid, share) in grids.iter_mut().zip([rng.u32(5..60), 90]) {
                for (x, y) in (0..size.x).flat_map(|x| (0..size.y).map(move |y| (x, y))) {
                    grid.set(x, y, rng.u32(0..100) < share).unwrap();
                }
            }
            let [cells, solid] = &grids;
            let mut expected = naive(cells, solid);
            expected.sort_by_key(|cell| (cell.y, cell.x));
            assert_eq!(covered_pieces(cells, solid), Ok(expected), "{cells:?}\n{solid:?}");
        }
    }
}
