//! Simplified outlines are tested for the distance from the exact ones, for crossings, and for the nesting of
//! loops.

use bitwall::glam::IVec2;
use bitwall::outline::Outlines;
use bitwall::{Grid, Level, Terrain};

use super::grids::{area, edges, random_terrain};
use crate::support::{asset, rounds};

/// Returns the square of the distance from a point to a segment.
fn distance_squared(point: IVec2, a: IVec2, b: IVec2) -> f64 {
    let [point, a, b] = [point, a, b].map(|point| point.as_dvec2());
    let along = b - a;
    let share = ((point - a).dot(along) / along.length_squared().max(1e-300)).clamp(0.0, 1.0);
    (point - a - along * share).length_squared()
}

/// Checks that each point of the new outlines is a point of the old ones, in the same order, and that each
/// point left out is at most `pixels` away from the edge that replaces it.
pub(super) fn check_bound(old: &Outlines, new: &Outlines, pixels: f64) {
    assert_eq!(old.loops().len(), new.loops().len());
    for (old, new) in old.loops().zip(new.loops()) {
        assert_eq!(old.parent, new.parent);
        assert!(new.points.len() >= 3, "{new:?}");
        assert_eq!(area(old.points).signum(), area(new.points).signum(), "{old:?} {new:?}");
        assert_eq!(old.points[0], new.points[0]);
        // A loop may visit a point twice, so more than one matching of the kept points may be right. `at`
        // holds all indices of the old loop to which the last kept point may belong.
        let count = old.points.len();
        let mut at = vec![0];
        for (from, to) in edges(new.points) {
            let mut next = Vec::new();
            for start in &at {
                for place in start + 1..=count {
                    let point = old.points[place % count];
                    if point == to {
                        next.push(place);
                    }
                    if distance_squared(point, from, to) > pixels * pixels + 1e-6 {
                        break;
                    }
                }
            }
            next.sort_unstable();
            next.dedup();
            assert!(!next.is_empty(), "{pixels} {from} {to} {old:?} {new:?}");
            at = next;
        }
        assert!(at.contains(&count), "{pixels} {old:?} {new:?}");
    }
}

/// True if two edges share a point other than a common end.
fn cross(a: IVec2, b: IVec2, c: IVec2, d: IVec2) -> bool {
    let [p, q, r, s] = [a, b, c, d].map(|point| point.as_i64vec2());
    let side =
        |a: bitwall::glam::I64Vec2, b: bitwall::glam::I64Vec2, point| (b - a).perp_dot(point - a);
    let on = |a: IVec2, b: IVec2, point: IVec2| {
        side(a.as_i64vec2(), b.as_i64vec2(), point.as_i64vec2()) == 0
            && point.cmpge(a.min(b)).all()
            && point.cmple(a.max(b)).all()
            && point != a
            && point != b
    };
    let apart = |one: i64, other: i64| one.signum() * other.signum() < 0;
    (apart(side(p, q, r), side(p, q, s)) && apart(side(r, s, p), side(r, s, q)))
        || on(a, b, c)
        || on(a, b, d)
        || on(c, d, a)
        || on(c, d, b)
        || [(a, b), (b, a)].contains(&(c, d))
}

fn check_no_crossing(outlines: &Outlines) {
    let all: Vec<_> = outlines.loops().flat_map(|outline| edges(outline.points)).collect();
    for (at, (a, b)) in all.iter().enumerate() {
        for (c, d) in &all[at + 1..] {
            let near = a.min(*b).cmple(c.max(*d)).all() && c.min(*d).cmple(a.max(*b)).all();
            assert!(!near || !cross(*a, *b, *c, *d), "{a} {b} and {c} {d}");
        }
    }
}

/// True if the loop goes around the point, which must not be on an edge.
fn goes_around(points: &[IVec2], point: IVec2) -> bool {
    let point = point.as_i64vec2();
    edges(points).fold(false, |inside, (a, b)| {
        let (a, b) = (a.as_i64vec2(), b.as_i64vec2());
        let is_passed = (a.y <= point.y) != (b.y <= point.y)
            && ((b - a).perp_dot(point - a) > 0) == (b.y > a.y);
        inside != is_passed
    })
}

/// Checks that a point of one loop is inside another simplified loop exactly if it was inside the exact loop.
fn check_nesting(old: &Outlines, new: &Outlines) {
    for (was, is) in old.loops().zip(new.loops()) {
        for other in new.loops().filter(|other| other.points[0] != is.points[0]) {
            for point in other.points {
                if !was.points.contains(point) {
                    let around = [was.points, is.points].map(|points| goes_around(points, *point));
                    assert_eq!(around[0], around[1], "{point} {was:?} {is:?}");
                }
            }
        }
    }
}

#[test]
fn simplified_outlines_stay_within_their_distance_and_do_not_cross() {
    let mut random = fastrand::Rng::with_seed(361);
    let (mut before, mut after) = (0, 0);
    for round in 0..rounds(10_000) {
        let terrain = random_terrain(&mut random, if round % 4 == 0 { 60 } else { 24 });
        let outlines = terrain.outlines();
        let pixels = [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 3.25, 9.0, 40.0][random.usize(0..9)];
        let new = outlines.simplified(pixels);
        check_bound(&outlines, &new, pixels.into());
        check_no_crossing(&new);
        check_nesting(&outlines, &new);
        if pixels == 0.0 {
            assert_eq!(new, outlines);
        }
        let turned = outlines.clone().reversed().simplified(pixels);
        check_no_crossing(&turned);
        let count = |outlines: &Outlines| -> usize {
            outlines.loops().map(|outline| outline.points.len()).sum()
        };
        (before, after) = (before + count(&outlines), after + count(&new));
        let again = new.simplified(pixels);
        check_no_crossing(&again);
        assert!(count(&again) <= count(&new));
    }
    println!("{before} points, simplified {after}");
}

#[test]
fn simplifying_turns_a_slope_of_pixels_into_a_line() {
    let level = Level::load(asset("hills.tmx")).unwrap();
    let count = |outlines: &Outlines| -> usize {
        outlines.loops().map(|outline| outline.points.len()).sum()
    };
    let outlines = level.outlines();
    let found = [0.0, 0.75, 1.0, 1.5].map(|pixels| count(&outlines.simplified(pixels)));
    assert_eq!(found, [268, 128, 20, 20]);
}

#[test]
fn a_hole_and_an_island_near_a_slope_stay_on_their_side_of_it() {
    // A straight line across the slope would put the hole outside of the solid, and the island inside.
    for text in [
        "#.......\n##......\n###.....\n#.##....\n#####...\n######..",
        "#....\n##...\n##.#.\n####.\n#####",
    ] {
        let terrain = Terrain::new(crate::support::grid(text), [3, 3].into()).unwrap();
        let outlines = terrain.outlines();
        for pixels in [2.0, 4.0, 8.0, 20.0] {
            let new = outlines.simplified(pixels);
            check_no_crossing(&new);
            check_nesting(&outlines, &new);
        }
    }
}

/// With work in proportion to the points of the slope times the islands, this would take minutes.
#[test]
fn simplifying_a_slope_among_many_islands_by_a_large_distance_is_fast() {
    let mut grid = Grid::new(1_024, 1_024).unwrap();
    for row in 0..1_024 {
        grid.fill(0..row, row..row + 1, true).unwrap();
        for column in (row + 3..1_024).filter(|column| column % 2 == 0 && row % 2 == 0) {
            grid.fill(column..column + 1, row..row + 1, true).unwrap();
        }
    }
    let outlines = Terrain::new(grid, [1, 1].into()).unwrap().outlines();
    let points = |outlines: &Outlines| outlines.loops().map(|it| it.points.len()).max();
    assert!(points(&outlines) > Some(2_000));
    for pixels in [1.0, 100.0, 1e9] {
        let slope = points(&outlines.simplified(pixels)).unwrap();
        assert!(slope < 100, "{slope} points are left at {pixels} px");
    }
}

#[test]
fn a_nan_or_negative_distance_keeps_all_corners() {
    let terrain = Terrain::new(crate::support::grid("#..\n##.\n###"), [1, 1].into()).unwrap();
    let outlines = terrain.outlines();
    for pixels in [-3.0, f32::NAN, f32::NEG_INFINITY, 0.0, 1e-9] {
        assert_eq!(outlines.simplified(pixels), outlines, "{pixels}");
    }
    assert_eq!(outlines.simplified(f32::INFINITY), outlines.simplified(1e30));
}
