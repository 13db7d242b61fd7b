//! Compares bitwall's paths with other path finders, on the same positions in one run.
//!
//! `cargo run --release --features ways --bin ways`, in this package, prints tables in Markdown. The levels
//! are the bundled town, levels of `../shared/corpus` if they are there, and noise. Positions are random and
//! the same in each run. Another path finder gets the free positions of the body as its grid. Each question
//! is timed separately, and a row shows the median of its questions. The slow path finders answer only some
//! of them. Lengths are compared with the lengths of plain A*, and the program fails if one differs.
//!
//! With `--bin ways -- fields` it prints the table of fields instead.
//!
//! With paths (`--bin ways -- MAP.map ...`) it answers the MovingAI scenarios beside each map
//! (`MAP.map.scen`) instead, and compares the lengths.
//!
//! The crate `pathfinding` is called with a closure for the steps, as its documentation shows. The crate
//! `grid_pathfinding` has its own jump point search, which may cut corners, so its paths may be shorter.
//! Plain A* uses an array of lengths and a binary heap, and is written for one grid.

mod fields;
mod plain;
mod scenarios;

use std::error::Error;
use std::hint::black_box;
use std::path::Path as File;
use std::time::Instant;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Search, Ways};
use bitwall::{Aabb, Grid, Level, LoadOptions, Outside};
use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;

use plain::Cells;

/// The number of questions in a row, and the number that the slow path finders answer.
const QUESTIONS: usize = 400;
const FEW: usize = 40;

const CORPUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/corpus");

type Question = (IVec2, IVec2);

fn main() -> Result<(), Box<dyn Error>> {
    let maps: Vec<_> = std::env::args_os().skip(1).collect();
    if maps == ["fields"] {
        return fields::print();
    }
    if !maps.is_empty() {
        println!(
            "| map | scenarios | other lengths | largest difference | `path`, median us |\n|---|---|---|---|---|"
        );
        let wrong =
            maps.iter().map(|map| scenarios::compare(File::new(map))).sum::<Result<usize, _>>()?;
        return if wrong == 0 { Ok(()) } else { Err(format!("{wrong} other lengths").into()) };
    }
    let tuxemon = "Sanglorian+Tuxemon/tuxemon/resources/maps/map1.tmx";
    let hedgewars = "debian-hedgewars-data_1.0.2-6/Maps";
    let corpus = |path: &str| File::new(CORPUS).join(path);
    let town = File::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/town.tmx")).to_owned();
    let files = [
        ("town", town, UVec2::splat(12)),
        ("Tuxemon map1", corpus(tuxemon), UVec2::splat(12)),
        ("Hedgewars Cake", corpus(&format!("{hedgewars}/Cake/mask.png")), UVec2::new(16, 32)),
        ("Hedgewars Cave", corpus(&format!("{hedgewars}/Cave/mask.png")), UVec2::new(16, 32)),
    ];
    let mut levels = Vec::new();
    for (name, path, body) in files {
        if path.exists() {
            let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
            levels.push((name.to_owned(), Level::load_with(&path, &options)?, body));
        } else {
            println!("Not measured: {name} ({} is not there).", path.display());
        }
    }
    for share in [10, 40] {
        let name = format!("noise of {share}%, 512 x 512");
        levels.push((name, Level::from_grid(noise(share)?, UVec2::ONE)?, UVec2::ONE));
    }
    println!("Microseconds, the median:\n");
    println!(
        "| level, body | `path` | four directions | `smooth` | around 8 bodies | no way | plain A* | \
         `pathfinding` | `grid_pathfinding` |\n|---|---|---|---|---|---|---|---|---|"
    );
    let levels: Vec<_> = levels
        .into_iter()
        .map(|(name, level, body)| (name, level.with_outside(Outside::Solid), body))
        .collect();
    for (name, level, body) in &levels {
        println!("{}", row(name, level, *body)?);
    }
    println!(
        "\n| level, body | `path_toward` | `nearest_reachable` | the first after an edit | around 8 bodies | \
         `pathfinding` |\n|---|---|---|---|---|---|"
    );
    for (name, level, body) in &levels {
        println!("{}", partial(name, level.clone(), *body)?);
    }
    println!(
        "\n| level, body | making | a door of 16 x 16 px, each size | KiB |\n|---|---|---|---|"
    );
    for (name, level, body) in levels {
        println!("{}", upkeep(&name, level, body)?);
    }
    Ok(())
}

fn noise(share: u32) -> Result<Grid, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(8);
    let mut grid = Grid::new(512, 512)?;
    for (x, y) in (0..512).flat_map(|y| (0..512).map(move |x| (x, y))) {
        grid.set(x, y, random.u32(0..100) < share)?;
    }
    Ok(grid)
}

/// Returns the median of the microseconds of each question.
fn median<Q>(questions: &[Q], mut answer: impl FnMut(&Q)) -> f64 {
    let mut times: Vec<f64> = questions
        .iter()
        .map(|question| {
            let start = Instant::now();
            answer(question);
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns pairs of positions with a path between them, and pairs without a path, from the largest connected
/// part to other parts.
fn questions(ways: &Ways, cells: &Cells, random: &mut fastrand::Rng) -> [Vec<Question>; 2] {
    let parts = cells.parts();
    let mut place = || IVec2::new(random.i32(0..cells.width), random.i32(0..cells.height));
    let largest = parts.iter().max_by_key(|part| part.1).map(|part| *part.0);
    let (mut joined, mut apart) = (Vec::new(), Vec::new());
    for _ in 0..2_000_000 {
        let (from, to) = (place(), place());
        let [one, other] = [from, to].map(|at| cells.part(at));
        if !ways.is_free(from) || !ways.is_free(to) {
            continue;
        }
        if one == other && joined.len() < QUESTIONS {
            joined.push((from, to));
        } else if one != other && one == largest && apart.len() < FEW {
            apart.push((from, to));
        }
        if joined.len() == QUESTIONS && apart.len() == FEW {
            break;
        }
    }
    [joined, apart]
}

fn row(name: &str, level: &Level, body: UVec2) -> Result<String, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(3);
    let ways = level.ways(body)?;
    let mut cells = Cells::new(&ways, level.size().as_ivec2() - body.as_ivec2() + 1);
    let [joined, apart] = questions(&ways, &cells, &mut random);
    let few = &joined[..FEW.min(joined.len())];
    for (from, to) in few {
        let path = ways.path(*from, *to, &mut Search::default()).ok_or("no path")?;
        let expected = cells.astar(*from, *to).ok_or("no path of A*")?;
        assert_eq!(path.length, expected, "{from} {to}");
    }
    let mut search = Search::default();
    let eight = median(&joined, |(from, to)| drop(black_box(ways.path(*from, *to, &mut search))));
    let straight = ways.four_directions();
    let four =
        median(&joined, |(from, to)| drop(black_box(straight.path(*from, *to, &mut search))));
    let paths: Vec<_> = joined.iter().filter_map(|(a, b)| ways.path(*a, *b, &mut search)).collect();
    let smooth = median(&paths, |path| drop(black_box(path.smooth(&ways))));
    let crowds: Vec<(Question, Vec<Aabb>)> = joined
        .iter()
        .map(|question| {
            let room = level.size().as_ivec2() - body.as_ivec2();
            let mut other = || {
                let (x, y) = (random.i32(0..room.x), random.i32(0..room.y));
                Aabb::from_xywh(x, y, body.x as i32, body.y as i32)
            };
            (*question, (0..8).map(|_| other()).collect())
        })
        .collect();
    // The first search copies the bit planes, so it is not timed.
    black_box(ways.around(&crowds[0].1).path(joined[0].0, joined[0].1, &mut search));
    let around = median(&crowds, |((from, to), others)| {
        drop(black_box(ways.around(others).path(*from, *to, &mut search)));
    });
    let none = median(&apart, |(from, to)| assert!(ways.path(*from, *to, &mut search).is_none()));
    let astar = median(few, |(from, to)| {
        black_box(cells.astar(*from, *to));
    });
    let crate_astar = median(few, |(from, to)| {
        black_box(by_pathfinding(&cells, *from, *to));
    });
    let jps = grid_of(&cells);
    let point = |at: &IVec2| Point::new(at.x, at.y);
    let crate_jps = median(few, |(from, to)| {
        drop(black_box(jps.get_waypoints_single_goal(point(from), point(to), false)));
    });
    Ok(format!(
        "| {name}, {} x {} | **{eight:.1}** | {four:.1} | {smooth:.1} | {around:.1} | {none:.1} | {astar:.0} | \
         {crate_astar:.0} | {crate_jps:.0} |",
        body.x, body.y
    ))
}

/// Returns the row of questions whose goals have no way: random positions, most of them in walls.
fn partial(name: &str, mut level: Level, body: UVec2) -> Result<String, Box<dyn Error>> {
    level.prepare(body);
    let mut random = fastrand::Rng::with_seed(4);
    let end = level.size().as_ivec2() - body.as_ivec2() + 1;
    let cells = Cells::new(&level.ways(body)?, end);
    let parts = cells.parts();
    let largest = parts.iter().max_by_key(|part| part.1).map(|part| *part.0);
    let mut search = Search::default();
    let mut questions: Vec<(Question, Vec<Aabb>)> = Vec::new();
    while questions.len() < FEW {
        let mut place = || IVec2::new(random.i32(0..end.x), random.i32(0..end.y));
        let (from, to) = (place(), place());
        if cells.part(from) == largest && cells.part(to) != largest {
            let others = (0..8)
                .map(|_| place())
                .filter(|at| (*at - from).abs().cmpge(body.as_ivec2()).any());
            let others = others.map(|min| Aabb { min, max: min + body.as_ivec2() }).collect();
            questions.push(((from, to), others));
        }
    }
    // The first question after each edit, without the time of the edit.
    let mut times = Vec::new();
    for ((from, to), _) in &questions {
        // A cell changes and changes back.
        for _ in 0..2 {
            let is_solid = level.grid().get(0, 0) == Some(true);
            level.set(IVec2::ZERO, !is_solid)?;
        }
        let ways = level.ways(body)?;
        let start = Instant::now();
        black_box(ways.nearest_reachable(*from, *to));
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    times.sort_by(f64::total_cmp);
    let first = times[times.len() / 2];
    let ways = level.ways(body)?;
    let toward = median(&questions, |((from, to), _)| {
        drop(black_box(ways.path_toward(*from, *to, &mut search)));
    });
    let nearest = median(&questions, |((from, to), _)| {
        black_box(ways.nearest_reachable(*from, *to));
    });
    let around = median(&questions, |((from, to), others)| {
        black_box(ways.around(others).nearest_reachable(*from, *to));
    });
    let by_crate = median(&questions[..5], |((from, to), _)| {
        let steps = |&(x, y): &(i32, i32)| {
            let steps = cells.steps(IVec2::new(x, y)).map(|(to, _)| (to.x, to.y));
            steps.collect::<Vec<_>>()
        };
        let reached = pathfinding::prelude::bfs_reach((from.x, from.y), steps);
        let nearest = reached.map(|(x, y)| IVec2::new(x, y));
        let nearest =
            nearest.min_by_key(|at| ((*at - *to).as_i64vec2().length_squared(), at.y, at.x));
        assert_eq!(nearest, ways.nearest_reachable(*from, *to));
        let length = nearest.and_then(|nearest| by_pathfinding(&cells, *from, nearest));
        let path = ways.path_toward(*from, *to, &mut search);
        assert_eq!(length, path.map(|path| path.length));
    });
    Ok(format!(
        "| {name}, {} x {} | **{toward:.1}** | {nearest:.2} | {first:.1} | {around:.1} | {by_crate:.0} |",
        body.x, body.y
    ))
}

fn by_pathfinding(cells: &Cells, from: IVec2, to: IVec2) -> Option<u64> {
    let found = pathfinding::prelude::astar(
        &(from.x, from.y),
        |&(x, y)| cells.steps(IVec2::new(x, y)).map(|(to, length)| ((to.x, to.y), length)),
        |&(x, y)| plain::distance(IVec2::new(x, y), to),
        |&(x, y)| IVec2::new(x, y) == to,
    );
    found.map(|(_, length)| length)
}

fn grid_of(cells: &Cells) -> PathingGrid {
    let mut grid = PathingGrid::new(cells.width as usize, cells.height as usize, true);
    for (x, y) in (0..cells.height).flat_map(|y| (0..cells.width).map(move |x| (x, y))) {
        grid.grid.set(x, y, !cells.is_free(IVec2::new(x, y)));
    }
    grid.allow_diagonal_move = true;
    grid.initialize();
    grid.generate_components();
    grid
}

fn upkeep(name: &str, mut level: Level, body: UVec2) -> Result<String, Box<dyn Error>> {
    let making = median(&[(); 51], |()| {
        black_box(level.ways(body).is_ok());
    });
    level.prepare(body);
    let bytes = level.ways(body)?.memory_bytes();
    let mut random = fastrand::Rng::with_seed(5);
    let room = level.size().as_ivec2() - 16;
    let doors: Vec<(Aabb, bool)> = (0..400)
        .map(|at| {
            let corner = IVec2::new(random.i32(0..=room.x), random.i32(0..=room.y));
            (Aabb { min: corner, max: corner + 16 }, at % 2 == 0)
        })
        .collect();
    let edits = |level: &mut Level| {
        median(&doors, |(door, closes)| {
            let changed = if *closes {
                level.paint(door, IVec2::ZERO)
            } else {
                Ok(level.carve(door, IVec2::ZERO))
            };
            black_box(changed.is_ok());
        })
    };
    let mut plain = level.clone();
    plain.forget(body);
    let door = edits(&mut level) - edits(&mut plain);
    let (width, height) = (body.x, body.y);
    Ok(format!("| {name}, {width} x {height} | {making:.1} | {door:.2} | {} |", bytes / 1024))
}
