//! The distances of a field are those of a plain search over the same positions, and its steps lead to the
//! nearest goal along a shortest way.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Field, Ways};
use bitwall::{Aabb, Grid, Outside, Terrain};

use super::grounds;
use super::plain::Plain;
use crate::support::rounds;

const SIDES: [IVec2; 4] = [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y];

/// The smallest sum of costs from each position to a goal: a step costs as much as the position it leaves.
struct Model<'p> {
    plain: &'p Plain,
    costs: &'p [(Aabb, u8)],
    distances: Vec<Option<u64>>,
}

impl<'p> Model<'p> {
    fn new(plain: &'p Plain, goals: &[IVec2], costs: &'p [(Aabb, u8)], body: UVec2) -> Self {
        let size = plain.size.x as usize * plain.size.y as usize;
        let mut model = Self { plain, costs, distances: vec![None; size] };
        let mut heap = BinaryHeap::new();
        heap.extend(goals.iter().map(|goal| Reverse((0, goal.to_array()))));
        while let Some(Reverse((distance, at))) = heap.pop() {
            let at = IVec2::from(at);
            let Some(index) = plain.index(at).filter(|_| plain.is_free(at)) else { continue };
            if model.distances[index].is_some() {
                continue;
            }
            model.distances[index] = Some(distance);
            let beside = SIDES.map(|side| at + side);
            heap.extend(beside.map(|at| Reverse((distance + model.cost(at, body), at.to_array()))));
        }
        model
    }

    fn cost(&self, at: IVec2, body: UVec2) -> u64 {
        let body = Aabb { min: at, max: at + body.as_ivec2() };
        let met = self.costs.iter().filter(|(area, _)| area.overlaps(body));
        met.map(|(_, cost)| u64::from(*cost)).max().unwrap_or(1).max(1)
    }

    fn distance(&self, at: IVec2) -> Option<u64> {
        self.distances[self.plain.index(at)?]
    }

    /// A diagonal step if both ways along its sides are shortest, else the first shortest straight step.
    fn step(&self, at: IVec2, body: UVec2, diagonal: bool) -> Option<IVec2> {
        let is_shortest = |from: IVec2, step: IVec2| {
            let there = self.distance(from)?.checked_sub(self.cost(from, body));
            Some(there.is_some() && self.distance(from + step) == there)
        };
        let first =
            |one: IVec2| [one, -one].into_iter().find(|step| is_shortest(at, *step) == Some(true));
        if self.distance(at)? == 0 {
            return None;
        }
        match (first(IVec2::X), first(IVec2::Y)) {
            (Some(x), Some(y))
                if diagonal
                    && is_shortest(at + x, y) == Some(true)
                    && is_shortest(at + y, x) == Some(true) =>
            {
                Some(x + y)
            }
            (x, y) => x.or(y),
        }
    }

    /// Compares all positions, also those around the level, and returns the number of diagonal steps.
    fn check(&self, field: &Field, ways: &Ways, diagonal: bool, radius: u64) -> u32 {
        let mut diagonals = 0;
        for y in -2..self.plain.size.y + 2 {
            for x in -2..self.plain.size.x + 2 {
                let at = self.plain.origin + IVec2::new(x, y);
                let expected = self.distance(at).filter(|distance| *distance <= radius);
                let found = field.distance(at).map(u64::from);
                assert_eq!(found, expected, "{at} of {ways:?}");
                let step = expected.and_then(|_| self.step(at, ways.size(), diagonal));
                assert_eq!(field.step(at), step, "{at} of {ways:?}");
                diagonals += u32::from(step.is_some_and(|step| step.abs() == IVec2::ONE));
            }
        }
        for far in [IVec2::MIN, IVec2::MAX, IVec2::new(i32::MIN, 0), IVec2::new(0, i32::MAX)] {
            assert_eq!((field.distance(far), field.step(far)), (None, None));
        }
        diagonals
    }
}

/// Creates a level of pixels, of small cells, or of few large cells, which has few lines.
fn terrain(random: &mut fastrand::Rng) -> Terrain {
    if random.bool() {
        return grounds::terrain(random, UVec2::new(90, 70));
    }
    let cell = UVec2::new(random.u32(6..22), random.u32(6..22));
    let count = UVec2::new(random.u32(1..9), random.u32(1..9));
    let share = random.f32() * 0.5;
    let mut grid = Grid::new(count.x, count.y).unwrap();
    for at in (0..count.x * count.y).filter(|_| random.f32() < share).collect::<Vec<_>>() {
        grid.set(at % count.x, at / count.x, true).unwrap();
    }
    let mut terrain = Terrain::new(grid, cell).unwrap();
    if random.u32(0..4) == 0 {
        terrain = terrain.with_outside(Outside::Open);
    }
    terrain
}

/// Up to two cells and two pixels.
fn body(random: &mut fastrand::Rng, terrain: &Terrain) -> UVec2 {
    let most = terrain.cell_size() * 2 + 2;
    UVec2::new(random.u32(1..=most.x), random.u32(1..=most.y))
}

fn boxes(random: &mut fastrand::Rng, count: usize) -> Vec<Aabb> {
    let mut one = || {
        let [x, y] = [(); 2].map(|()| random.i32(-10..80));
        Aabb::from_xywh(x, y, random.i32(1..30), random.i32(1..30))
    };
    (0..count).map(|_| one()).collect()
}

/// Some positions, most of them free.
fn goals(random: &mut fastrand::Rng, plain: &Plain) -> Vec<IVec2> {
    let free: Vec<IVec2> = plain.free_positions().collect();
    let count = [1, 1, 2, 8, 12][random.usize(0..5)];
    let mut goals = vec![IVec2::new(-99, 7)];
    goals.extend((0..count).filter_map(|_| free.get(random.usize(0..free.len().max(1)))));
    goals
}

#[test]
fn distances_and_steps_are_those_of_a_plain_search() {
    let mut random = fastrand::Rng::with_seed(341);
    let mut diagonals = 0;
    for _ in 0..rounds(2000) {
        let terrain = terrain(&mut random);
        let body = body(&mut random, &terrain);
        let count = if random.bool() { random.usize(1..4) } else { 0 };
        let others = boxes(&mut random, count);
        let plain = Plain::new(&terrain, body, &others);
        let goals = goals(&mut random, &plain);
        let model = Model::new(&plain, &goals, &[], body);
        let ways = terrain.ways(body).unwrap();
        let ways = ways.around(&others);
        diagonals += model.check(&ways.field(&goals), &ways, true, u64::MAX);
        let four = ways.four_directions();
        assert_eq!(model.check(&four.field(&goals), &ways, false, u64::MAX), 0);
        assert!(plain.free_positions().all(|at| ways.field(&[]).distance(at).is_none()));
    }
    assert!(diagonals > 1000, "{diagonals}");
}

#[test]
fn a_field_within_a_radius_is_a_part_of_the_whole_field() {
    let mut random = fastrand::Rng::with_seed(342);
    for _ in 0..rounds(1500) {
        let terrain = terrain(&mut random);
        let body = body(&mut random, &terrain);
        let plain = Plain::new(&terrain, body, &[]);
        let goals = goals(&mut random, &plain);
        let model = Model::new(&plain, &goals, &[], body);
        let ways = terrain.ways(body).unwrap();
        for radius in [0, 1, random.u32(2..20), random.u32(20..150), u32::MAX] {
            model.check(&ways.field_within(&goals, radius), &ways, true, radius.into());
        }
    }
}

#[test]
fn a_field_with_costs_has_the_smallest_sums_of_costs() {
    let mut random = fastrand::Rng::with_seed(343);
    let mut diagonals = 0;
    for _ in 0..rounds(2000) {
        let terrain = terrain(&mut random);
        let body = body(&mut random, &terrain);
        let plain = Plain::new(&terrain, body, &[]);
        let goals = goals(&mut random, &plain);
        let most = [2, 5, 9, 255][random.usize(0..4)];
        let areas = boxes(&mut random, 4).into_iter();
        let mut costs: Vec<(Aabb, u8)> = areas.map(|area| (area, random.u8(0..=most))).collect();
        costs.push((Aabb::from_xywh(5, 5, 0, 9), 7));
        let model = Model::new(&plain, &goals, &costs, body);
        let ways = terrain.ways(body).unwrap();
        let field = ways.field_with_costs(&goals, &costs);
        diagonals += model.check(&field, &ways, true, u64::MAX);
        let four = ways.four_directions();
        let field = four.field_with_costs(&goals, &costs);
        assert_eq!(model.check(&field, &ways, false, u64::MAX), 0);
    }
    assert!(diagonals > 1000, "{diagonals}");
}

#[test]
fn a_field_of_pixels_is_exact_at_the_edges_of_words_and_blocks() {
    let mut random = fastrand::Rng::with_seed(344);
    for (width, height) in [(63, 8), (64, 7), (65, 9), (66, 16), (8, 65), (127, 3), (129, 17)] {
        let mut grid = Grid::new(width, height).unwrap();
        for at in (0..width * height).filter(|at| at % 3 == 1 && at / width % 4 < 3) {
            grid.set(at % width, at / width, random.bool()).unwrap();
        }
        let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        let plain = Plain::new(&terrain, UVec2::ONE, &[]);
        let ways = terrain.ways(UVec2::ONE).unwrap();
        for _ in 0..rounds(50) {
            let goals = goals(&mut random, &plain);
            let model = Model::new(&plain, &goals, &[], UVec2::ONE);
            model.check(&ways.field(&goals), &ways, true, u64::MAX);
            model.check(&ways.field_within(&goals, 9), &ways, true, 9);
        }
    }
}

#[test]
fn fields_of_a_prepared_size_follow_edits() {
    let mut random = fastrand::Rng::with_seed(345);
    for _ in 0..rounds(400) {
        let size = UVec2::splat(random.u32(1..20));
        let mut terrain = terrain(&mut random);
        terrain.prepare(size);
        for _ in 0..4 {
            let plain = Plain::new(&terrain, size, &[]);
            let goals = goals(&mut random, &plain);
            let model = Model::new(&plain, &goals, &[], size);
            let ways = terrain.ways(size).unwrap();
            model.check(&ways.field(&goals), &ways, true, u64::MAX);
            let copy = terrain.clone();
            let _ = terrain.set_box(boxes(&mut random, 1)[0], random.bool());
            let ways = copy.ways(size).unwrap();
            model.check(&ways.field(&goals), &ways, true, u64::MAX);
        }
    }
}

/// Ways of very different lengths end in neighbouring blocks: a snake between narrow walls, beside a corridor
/// along all of them.
#[test]
fn a_field_of_a_long_snake_is_exact() {
    let (turns, height) = (40, 300);
    let mut grid = Grid::new(turns * 4 + 4, height).unwrap();
    for turn in 0..turns {
        let x = turn * 4 + 3;
        let hole = if turn % 2 == 0 { height - 2 } else { 8 };
        grid.fill(x..x + 1, 6..height, true).unwrap();
        grid.fill(x..x + 1, hole..hole + 1, false).unwrap();
    }
    grid.fill(3..turns * 4, 5..6, true).unwrap();
    let terrain = Terrain::new(grid, UVec2::new(3, 2)).unwrap();
    for body in [UVec2::new(2, 2), UVec2::new(3, 1)] {
        let plain = Plain::new(&terrain, body, &[]);
        let ways = terrain.ways(body).unwrap();
        let goals = [IVec2::new(2, 590), IVec2::new(0, 4)];
        for goals in [&goals[..1], &goals[1..], &goals] {
            let model = Model::new(&plain, goals, &[], body);
            assert!(model.distances.iter().flatten().max() > Some(&2000));
            model.check(&ways.field(goals), &ways, true, u64::MAX);
        }
    }
}
