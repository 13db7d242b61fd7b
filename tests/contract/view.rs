//! The field of view, compared with its definition: every line with exact slopes, and every cell on its way.

use std::collections::BTreeSet;

use bitwall::Grid;
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2Swizzles as _};
use fastrand::Rng;

use super::model::random_grid;
use crate::support::{places, rounds};

/// True for a solid cell, and outside the grid.
fn is_solid(grid: &Grid, cell: I64Vec2) -> bool {
    let [column, row] = cell.to_array().map(|place| u32::try_from(place).unwrap_or(u32::MAX));
    grid.get(column, row) != Some(false)
}

/// True if the cells on the way of a line are passable, on the rows before row `ahead`. On `run` rows the line
/// goes `rise` cells to the side, and never exactly between two cells.
fn is_clear(cell: &impl Fn(i64, i64) -> bool, [rise, run]: [i64; 2], ahead: i64) -> bool {
    (1..ahead).all(|row| !cell(row, (2 * row * rise + run).div_euclid(2 * run)))
}

/// The definition: true if the cell at `to` is seen from `from`.
fn is_seen(grid: &Grid, from: I64Vec2, to: I64Vec2, radius: i64) -> bool {
    let by = to - from;
    let found = grid.get(to.x.try_into().unwrap(), to.y.try_into().unwrap());
    if found.is_none() || by.length_squared() > radius * radius {
        return false;
    }
    let ways = [I64Vec2::X, I64Vec2::NEG_X, I64Vec2::Y, I64Vec2::NEG_Y].into_iter();
    by == I64Vec2::ZERO
        || ways.filter(|way| way.dot(by) >= way.perp().dot(by).abs()).any(|way| {
            let cell = |ahead, aside| is_solid(grid, from + way * ahead + way.perp() * aside);
            let ahead = way.dot(by);
            let aside = way.perp().dot(by);
            let fine = 64 * ahead * ahead;
            if found == Some(false) {
                // Lines right beside the middle: no edge of a row before is nearer to it.
                let beside = [-1, 1].map(|side| [aside * fine + side * ahead, fine * ahead]);
                beside.into_iter().any(|slope| is_clear(&cell, slope, ahead))
            } else {
                // Lines between all the edges of the rows before, which end on a part of the cell.
                let mut edges: Vec<[i64; 2]> = vec![[-1, 1], [1, 1]];
                for row in 1..=ahead {
                    edges.extend((-row..=row + 1).map(|edge| [2 * edge - 1, 2 * row]));
                }
                edges.sort_by(|one, two| (one[0] * two[1]).cmp(&(two[0] * one[1])));
                edges.windows(2).any(|two| {
                    let [one, two] = [two[0], two[1]];
                    let slope = [one[0] * two[1] + two[0] * one[1], 2 * one[1] * two[1]];
                    let is_between = one[0] * two[1] != two[0] * one[1];
                    let end = (2 * ahead * slope[0] + slope[1]).div_euclid(2 * slope[1]);
                    let is_within = slope[0].abs() <= slope[1];
                    is_between && is_within && end == aside && is_clear(&cell, slope, ahead)
                })
            }
        })
}

/// Returns a grid of noise, rooms or lines whose sides end at the edges of words.
fn random_rooms(random: &mut Rng, most: u32) -> Grid {
    let mut side = || [1, 2, 5, 12, 17, 63, 64, 65][random.usize(0..8)].min(most);
    let size = UVec2::new(side(), side());
    random_grid(random, size)
}

#[test]
fn a_field_of_view_is_what_its_definition_says() {
    let random = &mut Rng::with_seed(5);
    let mut seen = [0; 2];
    for _ in 0..rounds(3_000) {
        let grid = random_rooms(random, 17);
        let end = grid.size().as_ivec2() + 1;
        let from = IVec2::new(random.i32(-1..end.x), random.i32(-1..end.y));
        let radius = [0, 1, 2, 3, 7, 12, 30][random.usize(0..7)];
        let view = grid.field_of_view(from, radius);
        assert_eq!(view.size(), grid.size());
        let is_inside = from.cmpge(IVec2::ZERO).all() && from.cmplt(grid.size().as_ivec2()).all();
        for at in places(grid.size().as_ivec2()) {
            let (start, there) = (from.as_i64vec2(), at.as_i64vec2());
            let expected = is_inside && is_seen(&grid, start, there, radius.into());
            let found = view.is_solid(at.x as u32, at.y as u32);
            assert_eq!(found, expected, "{at} from {from} within {radius} in\n{grid}\n\n{view}");
            let is_solid = grid.is_solid(at.x as u32, at.y as u32);
            seen[usize::from(is_solid)] += u32::from(found);
        }
    }
    assert!(seen[0] > 300 && seen[1] > 300, "{seen:?}");
}

#[test]
fn of_two_passable_cells_each_sees_the_other_one_or_none_does() {
    let random = &mut Rng::with_seed(6);
    for _ in 0..rounds(40) {
        let grid = random_rooms(random, 65);
        let passable = |at: &IVec2| grid.get(at.x as u32, at.y as u32) == Some(false);
        let cells: Vec<IVec2> = places(grid.size().as_ivec2()).filter(passable).collect();
        let cells: Vec<IVec2> = random.choose_multiple(cells, 60);
        let radius = random.u32(0..90);
        let views: Vec<Grid> = cells.iter().map(|at| grid.field_of_view(*at, radius)).collect();
        for (one, view) in cells.iter().zip(&views) {
            for (other, back) in cells.iter().zip(&views) {
                let sees = view.is_solid(other.x as u32, other.y as u32);
                assert_eq!(
                    sees,
                    back.is_solid(one.x as u32, one.y as u32),
                    "{one} {other}\n{grid}"
                );
            }
        }
    }
}

/// Returns the solid cells of a grid after a mirror at the y axis or a transposition, with one cell beside it.
fn turned(grid: &Grid, at: IVec2, mirrors: bool) -> (Grid, IVec2) {
    if !mirrors {
        return (grid.transposed(), at.yx());
    }
    let mut mirrored = Grid::new(grid.width(), grid.height()).unwrap();
    for cell in grid.iter_solid() {
        mirrored.set(grid.width() - 1 - cell.x, cell.y, true).unwrap();
    }
    (mirrored, IVec2::new(grid.width() as i32 - 1 - at.x, at.y))
}

#[test]
fn a_field_of_view_turns_with_its_grid_in_eight_orientations() {
    let random = &mut Rng::with_seed(7);
    for _ in 0..rounds(400) {
        let mut grid = random_rooms(random, 65);
        let size = grid.size().as_ivec2();
        let mut from = IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
        let radius = random.u32(0..80);
        let mut view = grid.field_of_view(from, radius);
        for mirrors in [true, false, true, false, true, false, true, false] {
            (view, _) = turned(&view, from, mirrors);
            (grid, from) = turned(&grid, from, mirrors);
            assert_eq!(grid.field_of_view(from, radius), view, "{from} within {radius} in\n{grid}");
        }
    }
}

#[test]
fn an_open_grid_shows_the_exact_circle_and_a_huge_one_costs_what_is_seen() {
    let open = Grid::new(200, 150).unwrap();
    for radius in [0, 1, 5, 40, 63, 64, 65, 1_000] {
        let from = IVec2::new(90, 70);
        let view = open.field_of_view(from, radius);
        let reach = i64::from(radius) * i64::from(radius);
        let is_near = |at: &IVec2| (*at - from).as_i64vec2().length_squared() <= reach;
        let circle: BTreeSet<[i32; 2]> =
            places(IVec2::new(200, 150)).filter(is_near).map(|at| at.to_array()).collect();
        let seen = view.iter_solid().map(|at| at.as_ivec2().to_array());
        assert_eq!(seen.collect::<BTreeSet<_>>(), circle, "{radius}");
    }
    let side = u32::MAX;
    let mut huge = Grid::sparse(side, side).unwrap();
    let corner = 1 << 30;
    for line in [corner, corner + 9] {
        huge.fill(line..line + 1, corner..corner + 10, true).unwrap();
        huge.fill(corner..corner + 10, line..line + 1, true).unwrap();
    }
    let view = huge.field_of_view(IVec2::splat((1 << 30) + 5), u32::MAX);
    assert_eq!(view.solid_count(), 100, "a closed room with its walls");
    assert_eq!(huge.field_of_view(IVec2::NEG_X, 9).solid_count(), 0);
    let end = huge.field_of_view(IVec2::splat(i32::MAX), 3);
    assert_eq!(end.solid_count(), 29);
}
