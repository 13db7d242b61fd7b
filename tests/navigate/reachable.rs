//! The nearest position that can be reached agrees with a search of all positions, and a path toward a goal
//! ends there.

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Search, Ways};
use bitwall::{Aabb, Grid, Terrain};

use super::grounds;
use super::plain::{Plain, prove};
use crate::support::rounds;

fn somewhere(random: &mut fastrand::Rng, plain: &Plain) -> IVec2 {
    let end = plain.origin + plain.size;
    let x = random.i32(plain.origin.x - 9..end.x + 10);
    IVec2::new(x, random.i32(plain.origin.y - 9..end.y + 10))
}

fn body(random: &mut fastrand::Rng) -> UVec2 {
    let largest = [1, 3, 12, 40][random.usize(0..4)];
    UVec2::new(random.u32(1..=largest), random.u32(1..=largest))
}

fn boxes(random: &mut fastrand::Rng, terrain: &Terrain) -> Vec<Aabb> {
    let end = terrain.size().as_ivec2();
    let count = random.usize(0..9);
    let aabb = |_| {
        let (x, y) = (random.i32(-20..end.x + 20), random.i32(-20..end.y + 20));
        Aabb::from_xywh(x, y, random.i32(0..30), random.i32(0..60))
    };
    (0..count).map(aabb).collect()
}

/// Compares both questions from one free position to some goals. Returns how many of the goals have a way,
/// and how many have none.
fn compare(
    random: &mut fastrand::Rng,
    (terrain, ways): (&Terrain, &Ways<'_>),
    plain: &Plain,
    search: &mut Search,
) -> [usize; 2] {
    let free: Vec<IVec2> = plain.free_positions().collect();
    let mut counts = [0; 2];
    let mut place = |often: bool| {
        if free.is_empty() || random.u8(0..8) == 0 || !often && random.bool() {
            somewhere(random, plain)
        } else {
            free[random.usize(0..free.len())]
        }
    };
    let from = place(true);
    let lengths = plain.dijkstra(&[from], true);
    for to in [(); 4].map(|()| place(false)) {
        let expected = plain.nearest(to, &lengths);
        let size = ways.size();
        assert_eq!(expected.is_some(), plain.is_free(from));
        assert_eq!(ways.nearest_reachable(from, to), expected, "{from} {to} {size} {terrain:?}");
        assert_eq!(ways.four_directions().nearest_reachable(from, to), expected);
        let path = ways.path_toward(from, to, search);
        assert_eq!(path.as_ref().map(|path| path.points[path.points.len() - 1]), expected);
        let (Some(path), Some(end)) = (path, expected) else { continue };
        assert_eq!(Some(path.length), lengths[plain.index(end).unwrap()]);
        prove(terrain, size, &path, [from, end]);
        let straight = ways.path(from, to, search);
        counts[usize::from(straight.is_none())] += 1;
        assert!(straight.is_none_or(|straight| straight == path));
    }
    counts
}

#[test]
fn the_nearest_reachable_position_agrees_with_a_search_of_all_positions() {
    let mut random = fastrand::Rng::with_seed(371);
    let (mut search, mut counts) = (Search::default(), [0; 2]);
    for _ in 0..rounds(4_000) {
        let terrain = grounds::terrain(&mut random, UVec2::new(150, 110));
        let size = body(&mut random);
        let ways = terrain.ways(size).unwrap();
        let others = boxes(&mut random, &terrain);
        let plain = Plain::new(&terrain, size, &others);
        let ways = ways.around(&others);
        let found = compare(&mut random, (&terrain, &ways), &plain, &mut search);
        counts = [counts[0] + found[0], counts[1] + found[1]];
    }
    assert!(counts.iter().all(|count| *count > rounds(4_000) / 2), "{counts:?}");
}

#[test]
fn edits_change_what_can_be_reached() {
    let mut random = fastrand::Rng::with_seed(372);
    let (mut search, mut counts) = (Search::default(), [0; 2]);
    for _ in 0..rounds(400) {
        let mut terrain = grounds::terrain(&mut random, UVec2::new(150, 110));
        let size = body(&mut random);
        terrain.prepare(size);
        for _ in 0..6 {
            let cells = terrain.grid().size();
            let (x, y) = (random.u32(0..cells.x), random.u32(0..cells.y));
            let (columns, rows) = (x..x + random.u32(1..30), y..y + random.u32(1..4));
            terrain.fill(columns, rows, random.bool()).unwrap();
            let others = boxes(&mut random, &terrain);
            for others in [&others[..], &[]] {
                let plain = Plain::new(&terrain, size, others);
                let ways = terrain.ways(size).unwrap();
                let ways = ways.around(others);
                let found = compare(&mut random, (&terrain, &ways), &plain, &mut search);
                counts = [counts[0] + found[0], counts[1] + found[1]];
            }
        }
    }
    assert!(counts.iter().all(|count| *count > rounds(400)), "{counts:?}");
}

/// With so many runs of positions, their connected parts would take too much memory.
#[test]
fn among_millions_of_random_pixels_the_nearest_reachable_position_is_the_same() {
    let mut random = fastrand::Rng::with_seed(374);
    let mut grid = Grid::new(3_800, 3_800).unwrap();
    for y in 0..3_800 {
        for x in 0..3_800 {
            if random.bool() {
                grid.set(x, y, true).unwrap();
            }
        }
    }
    grid.fill(900..1_000, 700..760, false).unwrap();
    let noise = Terrain::new(grid, UVec2::ONE).unwrap();
    let mut part = Grid::new(300, 260).unwrap();
    for cell in noise.grid().iter_solid() {
        let _ = part.set(cell.x.wrapping_sub(800), cell.y.wrapping_sub(600), true);
    }
    let part = Plain::new(&Terrain::new(part, UVec2::ONE).unwrap(), UVec2::ONE, &[]);
    let (corner, from) = (IVec2::new(800, 600), IVec2::new(950, 720));
    let lengths = part.dijkstra(&[from - corner], false);
    let ways = noise.ways(UVec2::ONE).unwrap();
    let boxes = [Aabb::from_xywh(1_000, 0, 9, 3_800)];
    for to in [IVec2::new(3_000, 20), IVec2::new(0, 3_799), IVec2::new(960, 690), from] {
        let expected = part.nearest(to - corner, &lengths).unwrap() + corner;
        assert_eq!(ways.nearest_reachable(from, to), Some(expected), "{to}");
        let around = ways.around(&boxes).nearest_reachable(from, to).unwrap();
        assert!(around.x < 1_000 && (around == expected || expected.x >= 1_000), "{around}");
    }
}
