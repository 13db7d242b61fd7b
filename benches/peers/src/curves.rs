//! Pictures of how times grow with the length of the step, the size of the body, the size of the level and
//! the number of bodies.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Instant;

use bitwall::glam::IVec2;
use bitwall::{Aabb, Dir, Grid};

use crate::chart::{self, Axes, Line};
use crate::motion::contest::{Contender, Contest};
use crate::motion::work::{Work, motion, vector};
use crate::motion::{Box2d, Parry, Rapier, rapier};
use crate::scenes::{Engine, Movers, Scene, Worlds};
use crate::work::{Query, cell_loop};

/// The number of rounds for each point of a line.
const ROUNDS: usize = 15;
/// The number of questions for each point of a line.
const QUESTIONS: usize = 2_000;

/// Draws all pictures and writes them into a folder.
pub(crate) fn draw_all(folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let level = || sparse_mask(8_192, 8_192);
    let body = IVec2::new(16, 32);
    let steps = points(&work(level(), body), &powers(1, 4_096), |step| (body, step));
    draw(folder, "step.svg", "the step in pixels, of a body of 16 x 32 px", steps)?;
    let bodies =
        points(&work(level(), body), &powers(4, 512), |side| (IVec2::splat(side as i32), 8));
    draw(folder, "body.svg", "the side of a body in pixels, for a step of 8 px", bodies)?;
    let mut levels = Vec::new();
    for width in powers(256, 65_536) {
        let work = work(sparse_mask(width, 1_024), body);
        join(&mut levels, points(&work, &[width], |_| (body, 8)));
    }
    draw(folder, "level.svg", "the width in pixels of a level 1,024 px high", levels)?;
    let axes = Axes { x: "bodies", y: "nanoseconds a body and step" };
    let panels = [("walkers in bitwall", many_bodies())];
    chart::draw(&folder.join("bodies.svg"), &axes, &panels)
}

fn draw(folder: &Path, file: &str, x: &str, lines: Vec<Line>) -> Result<(), Box<dyn Error>> {
    let axes = Axes { x, y: "nanoseconds a question" };
    chart::draw(&folder.join(file), &axes, &[("May a box move?", lines)])
}

/// Returns the powers of two from `first` to `last`, both included.
fn powers(first: u32, last: u32) -> Vec<u32> {
    std::iter::successors(Some(first), |power| power.checked_mul(2))
        .take_while(|power| *power <= last)
        .collect()
}

/// Creates a mask with a round solid in each square of 512 px, so that long motions are possible too.
fn sparse_mask(width: u32, height: u32) -> Grid {
    let mut random = fastrand::Rng::with_seed(3);
    let mut grid = Grid::new(width, height).expect("a size in range");
    for (x, y) in (0..height / 512).flat_map(|y| (0..width.div_ceil(512)).map(move |x| (x, y))) {
        let radius = random.i32(8..24);
        let (left, top) = (x * 512 + random.u32(24..400), y * 512 + random.u32(24..400));
        for row in 0..2 * radius {
            let half = f64::from(row * (2 * radius - row)).sqrt() as u32;
            let columns = (left - half).min(width)..(left + half).min(width);
            let row = top + row as u32;
            grid.fill(columns, row..row + 1, true).expect("cells of the grid");
        }
    }
    grid
}

fn work(grid: Grid, body: IVec2) -> Work {
    Work::bare("mask", grid, 1, body)
}

/// Measures the times of all contenders for each of `counts`, from which `question` makes a body size and a
/// step.
fn points(work: &Work, counts: &[u32], question: impl Fn(u32) -> (IVec2, u32)) -> Vec<Line> {
    let parry = Parry::new(work);
    let world = rapier::world(work);
    let rapier = Rapier::new(&world);
    // Far from the origin an assertion of Box2D fails, because its `f32` numbers are too coarse there.
    let is_near = work.level.size().max_element() <= 16_384;
    let box2d = is_near.then(|| Box2d::new(work).expect("valid settings"));
    let mut lines = Vec::new();
    for count in counts {
        let (body, step) = question(*count);
        let queries = anywhere(work, body, step);
        let mut prepared = work.level.clone();
        prepared.prepare(body.as_uvec2());
        let mut contest = Contest::new("", "");
        for _ in 0..ROUNDS {
            contest.run(Contender::exact("prepared"), &queries, |q| {
                prepared.can_move(q.body, q.dir, q.step)
            });
            contest.run(Contender::exact("Level"), &queries, |q| {
                work.level.can_move(q.body, q.dir, q.step)
            });
            contest.run(Contender::exact("loop over cells"), &queries, |q| {
                cell_loop::<1>(&work.cells, q)
            });
            contest.run(Contender::exact("Parry, strip"), &queries, |q| parry.is_strip_free(q));
            let is_free = |moved: f32, q: &Query| moved > q.step as f32 - 0.05;
            contest.run(Contender::exact("Rapier, cast"), &queries, |q| {
                is_free(rapier.cast(&motion(q)), q)
            });
            if let Some(box2d) = &box2d {
                contest.run(Contender::exact("Box2D, cast"), &queries, |q| {
                    is_free(box2d.cast(&motion(q)), q)
                });
            }
        }
        let point = |time: f64| vec![(f64::from(*count), time)];
        let rows = contest.rows.iter();
        let found =
            rows.map(|row| Line { name: row.contender.name, points: point(row.nanoseconds) });
        join(&mut lines, found.collect());
    }
    lines
}

/// Adds more points to the ends of the lines.
fn join(lines: &mut Vec<Line>, more: Vec<Line>) {
    match lines.is_empty() {
        true => *lines = more,
        false => {
            lines.iter_mut().zip(more).for_each(|(line, more)| line.points.extend(more.points))
        }
    }
}

/// Returns free positions of a body, each with a direction in which the step stays in the level if possible.
fn anywhere(work: &Work, body: IVec2, step: u32) -> Vec<Query> {
    let mut random = fastrand::Rng::with_seed(19);
    let room = work.level.size().as_ivec2() - body;
    let mut queries = Vec::with_capacity(QUESTIONS);
    while queries.len() < QUESTIONS {
        let (x, y) = (random.i32(0..room.x), random.i32(0..room.y));
        let body = Aabb::from_xywh(x, y, body.x, body.y);
        let q = Query { body, dir: Dir::ALL[random.u8(0..4) as usize], step };
        let ahead = body.translated(vector(&q));
        let is_inside = ahead.min.cmpge(IVec2::ZERO).all() && ahead.min.cmplt(room).all();
        if is_inside && !work.level.overlaps(body) {
            queries.push(q);
        }
    }
    queries
}

/// Measures the nanoseconds per body and step of walkers: in a world, with and without collisions between
/// them, and as a list of movers.
fn many_bodies() -> Vec<Line> {
    let mut lines = Vec::new();
    for count in [1, 10, 100, 1_000, 10_000, 100_000] {
        let (apart, meets) = (Scene::walkers(count, false), Scene::walkers(count, true));
        let steps = (30_000 / count).clamp(20, 3_000);
        let time = |make: &dyn Fn() -> Box<dyn Engine>| {
            let mut best = f64::INFINITY;
            for _ in 0..ROUNDS {
                let mut engine = make();
                // Engines build their indexes in the first step, so it is not timed.
                engine.step();
                let start = Instant::now();
                (0..steps).for_each(|_| engine.step());
                best = best.min(start.elapsed().as_nanos() as f64 / (steps * count) as f64);
            }
            vec![(count as f64, best)]
        };
        let found = vec![
            Line { name: "movers in a list", points: time(&|| Box::new(Movers::new(&apart))) },
            Line { name: "World, apart", points: time(&|| Box::new(Worlds::new(&apart))) },
            Line { name: "World, that meet", points: time(&|| Box::new(Worlds::new(&meets))) },
        ];
        join(&mut lines, found);
    }
    lines
}
