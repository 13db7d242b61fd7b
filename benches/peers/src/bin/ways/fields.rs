//! Fields of bitwall beside searches over the tiles: a queue's breadth-first search, as a game would write
//! it, and `dijkstra_all` of crate `pathfinding`. The distances of a body of a whole tile are compared.

use std::collections::VecDeque;
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Grid, Level};

const TILE: i32 = 16;
const SIDES: [IVec2; 4] = [IVec2::X, IVec2::NEG_X, IVec2::Y, IVec2::NEG_Y];

/// The least of the microseconds of some calls.
pub(crate) fn least<T>(count: usize, mut call: impl FnMut() -> T) -> f64 {
    let times = (0..count).map(|_| {
        let start = Instant::now();
        black_box(call());
        start.elapsed().as_secs_f64() * 1e6
    });
    times.fold(f64::INFINITY, f64::min)
}

fn map(kind: &str, side: i32) -> Result<Grid, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut grid = Grid::new(side as u32, side as u32)?;
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        let (near, far) = ((x % 15).min(y % 15), (x % 15).max(y % 15));
        let is_solid = match kind {
            "scatter" => random.u32(0..100) < 20,
            "sparse" => random.u32(0..100) < 4,
            "halls" => far == 14 && near >= 12,
            _ => (x % 9 == 8 || y % 9 == 8) && random.u32(0..100) > 18,
        };
        grid.set(x as u32, y as u32, is_solid)?;
    }
    Ok(grid)
}

/// The tiles as an array of `bool`.
struct Tiles {
    side: i32,
    is_free: Vec<bool>,
}

impl Tiles {
    fn index(&self, at: IVec2) -> Option<usize> {
        let is_inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(IVec2::splat(self.side)).all();
        is_inside.then(|| (at.y * self.side + at.x) as usize)
    }

    fn is_free(&self, at: IVec2) -> bool {
        self.index(at).is_some_and(|index| self.is_free[index])
    }

    fn search(&self, goal: IVec2) -> Vec<u32> {
        let mut distances = vec![u32::MAX; self.is_free.len()];
        let mut queue = VecDeque::from([goal]);
        distances[(goal.y * self.side + goal.x) as usize] = 0;
        while let Some(at) = queue.pop_front() {
            let next = distances[(at.y * self.side + at.x) as usize] + 1;
            for to in SIDES.map(|step| at + step) {
                if let Some(index) = self.index(to)
                    && self.is_free[index]
                    && distances[index] == u32::MAX
                {
                    distances[index] = next;
                    queue.push_back(to);
                }
            }
        }
        distances
    }

    fn by_pathfinding(&self, goal: IVec2, cost: impl Fn(IVec2) -> u32) -> usize {
        let found = pathfinding::prelude::dijkstra_all(&(goal.x, goal.y), |&(x, y)| {
            let to = SIDES.map(|step| IVec2::new(x, y) + step).into_iter();
            let to = to.filter(|to| self.is_free(*to));
            to.map(|to| ((to.x, to.y), cost(to))).collect::<Vec<_>>()
        });
        found.len()
    }
}

/// Returns a row of the table, and for each body the time of its field divided by that of the queue.
fn row(kind: &str, side: i32) -> Result<(String, Vec<f64>), Box<dyn Error>> {
    let grid = map(kind, side)?;
    let all = (0..side).flat_map(|y| (0..side).map(move |x| UVec2::new(x as u32, y as u32)));
    let tiles =
        Tiles { side, is_free: all.map(|at| grid.get(at.x, at.y) == Some(false)).collect() };
    let mut level = Level::from_grid(grid, UVec2::splat(TILE as u32))?;
    let middle = IVec2::splat(side / 2);
    let goal = (0..).map(|right| middle + IVec2::new(right, 0)).find(|at| tiles.is_free(*at));
    let goal = goal.ok_or("no free tile")?;
    let count = if side > 300 { 7 } else { 31 };
    let queue = least(count, || tiles.search(goal));
    let peer = least(count / 7, || tiles.by_pathfinding(goal, |_| 1));
    let mut text = format!("| {kind}, {side} | {queue:.0} | {peer:.0} ");
    let mut ratios = Vec::new();
    for body in [12, 16, 20] {
        let size = UVec2::splat(body);
        level.prepare(size);
        let ways = level.ways(size)?;
        let start = ways.nearest(goal * TILE).ok_or("no free position")?;
        let field =
            least(count, || ways.field(&[start])).min(least(count, || ways.field(&[start])));
        let queue = queue.min(least(count, || tiles.search(goal)));
        text += &format!("| **{field:.0}** | {:.1} ", field / queue);
        ratios.push(field / queue);
        if body == 16 {
            let (known, field) = (tiles.search(goal), ways.field(&[start]));
            for (index, known) in (0..).zip(known).filter(|(_, known)| *known != u32::MAX) {
                let at = IVec2::new(index % side, index / side) * TILE;
                assert_eq!(field.distance(at), Some(known * TILE as u32), "{at}");
            }
        }
    }
    let ways = level.ways(UVec2::splat(12))?;
    let start = ways.nearest(goal * TILE).ok_or("no free position")?;
    let near = least(count, || ways.field_within(&[start], 320));
    let mut random = fastrand::Rng::with_seed(4);
    let mut costs = Vec::new();
    for _ in 0..side * side / 2000 {
        let at = IVec2::new(random.i32(0..side), random.i32(0..side)) * TILE;
        costs.push((Aabb { min: at, max: at + 6 * TILE }, random.u8(2..=8)));
    }
    let cost_of = |at: IVec2| {
        let met = costs.iter().filter(|(area, _)| area.contains(at * TILE));
        met.map(|(_, cost)| u32::from(*cost)).max().unwrap_or(1)
    };
    let table: Vec<u32> =
        (0..side * side).map(|at| cost_of(IVec2::new(at % side, at / side))).collect();
    let costly = least(3, || ways.field_with_costs(&[start], &costs)) / 1e3;
    let peer = least(1, || tiles.by_pathfinding(goal, |at| table[(at.y * side + at.x) as usize]));
    let field = ways.field(&[start]);
    let places: Vec<IVec2> = (0..200)
        .filter_map(|_| ways.nearest(IVec2::new(random.i32(0..side), random.i32(0..side)) * TILE))
        .collect();
    let step = least(99, || places.iter().filter_map(|at| field.step(*at)).count());
    text += &format!(
        "| {near:.0} | {:.0} | {costly:.0} | {:.0} |",
        step * 1e3 / places.len() as f64,
        peer / 1e3
    );
    Ok((text, ratios))
}

pub(crate) fn print() -> Result<(), Box<dyn Error>> {
    println!(
        "| map, side in tiles | queue over tiles | `pathfinding` over tiles | field, 12 px | / queue | \
         16 px | / queue | 20 px | / queue | within 320 px | a step, ns | costs, ms | `pathfinding` with \
         costs over tiles, ms |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    for side in [64, 256, 512, 1024] {
        let mut products = [1.0; 3];
        for kind in ["scatter", "rooms", "sparse", "halls"] {
            let (text, ratios) = row(kind, side)?;
            println!("{text}");
            for (product, ratio) in products.iter_mut().zip(ratios) {
                *product *= ratio;
            }
        }
        let [small, whole, large] = products.map(|product: f64| product.powf(0.25));
        println!("| geometric mean | | | | {small:.2} | | {whole:.2} | | {large:.2} | | | | |");
    }
    Ok(())
}
