//! The methods of [`Solids`], hints among them, of everything that implements it, against the naive [`Model`]. A
//! hint that is only weaker than it may be costs a mover queries and no answer, so movers cannot show it.

use bitwall::glam::{UVec2, Vec2Swizzles};
use bitwall::level::FootprintSolids;
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Outside, Sides, Solids, Sweep, Terrain};

use crate::contract::model::{Model, clamped};
use crate::support::rounds;

/// Solids with the required methods alone.
struct Plain<'a>(&'a Level);

impl Solids for Plain<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.0.sweep_aabb(body, dir, step, one_way)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.0.overlaps_aabb(body)
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.0.nearest_free_aabb(body, dir, limit)
    }
}

/// What the hints of one implementation know.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Hints {
    /// The defaults of the trait.
    None,
    /// Of a level.
    All,
    /// As [`Hints::All`]; floors of bodies of a prepared size are exact over short distances.
    Lines,
    /// The level's cells and those of an area: a contact's box is unknown, as one of them is finer.
    Finer,
}

/// The model's level in two parts: the cells of one are in the level, those of the other in a solid area.
fn parts(random: &mut fastrand::Rng, model: &Model) -> [Model; 2] {
    let mut parts = [model.clone(), model.clone()];
    for at in 0..model.solid.len() {
        let other = &mut parts[random.usize(0..2)];
        other.solid[at] = false;
        other.guards.iter_mut().for_each(|guards| guards[at] = false);
    }
    parts
}

struct Case<'m> {
    model: &'m Model,
    /// The model without its solids, open outside.
    guards: Model,
    body: Aabb,
    dir: Dir,
    floor: Dir,
    step: u32,
    seed: u64,
}

impl Case<'_> {
    fn stops(&self, model: &Model, area: Aabb, dir: Dir) -> bool {
        let columns = i64::from(area.min.x)..i64::from(area.max.x);
        let mut rows = i64::from(area.min.y)..i64::from(area.max.y);
        rows.any(|y| columns.clone().any(|x| model.stops(x, y, dir, true)))
    }

    fn is_held(&self, body: Aabb) -> bool {
        self.model.sweep(body, self.floor, 1, true).1.is_some()
    }

    /// True if one part of the body stays on a floor that holds it for `run` pixels.
    fn is_held_for(&self, run: u32) -> bool {
        let shared = self.body.intersection(self.body.shifted(self.dir, run));
        !shared.is_empty() && self.is_held(shared)
    }

    fn is_beyond(&self) -> bool {
        let (Aabb { min, max }, (width, height)) = (self.body, self.model.pixels());
        match self.dir {
            Dir::Left => max.x <= 0,
            Dir::Right => i64::from(min.x) >= width,
            Dir::Up => max.y <= 0,
            Dir::Down => i64::from(min.y) >= height,
        }
    }

    /// The distance for which the body's leading pixels have one cell, or the outside, as their floor.
    fn lead_run(&self) -> u32 {
        let Self { model, body, dir, floor, step, .. } = self;
        let lead = {
            let first = body.shifted(*dir, length(*body, *dir) - 1);
            body.intersection(first)
        };
        let Some((x, y)) = model.sweep(lead, *floor, 1, true).1 else { return 0 };
        let cell = model.cell_of(x, y);
        let same = |run: &u32| {
            let there = body.shifted(*dir, *run);
            let column = |at: i32, size: i64| i64::from(at).div_euclid(size);
            let (first, last, cell) = match dir.vector().x {
                0 => (
                    column(there.min.y, model.cell.1),
                    column(there.max.y - 1, model.cell.1),
                    i64::from(cell.y),
                ),
                _ => (
                    column(there.min.x, model.cell.0),
                    column(there.max.x - 1, model.cell.0),
                    i64::from(cell.x),
                ),
            };
            (first..=last).contains(&cell)
        };
        (0..=*step).take_while(same).last().unwrap_or(0)
    }

    fn ask(&self, name: &str, solids: &dyn Solids, hints: Hints, runs: &mut [u32; 2]) {
        let Self { model, ref guards, body, dir, floor, step, seed } = *self;
        let case =
            format!("seed {seed}, {name}, {body:?} {dir:?} {step} on {floor:?} in {model:?}");
        for one_way in [true, false] {
            let (moved, stop) = model.sweep(body, dir, step, one_way);
            let sweep = solids.sweep_aabb(body, dir, step, one_way);
            let cell = stop.map(|(x, y)| model.cell_of(x, y));
            let found = sweep.contact.map(|contact| contact.cell);
            assert_eq!((sweep.moved, found), (moved, cell), "{case}");
            assert_eq!(solids.can_move_aabb(body, dir, step, one_way), stop.is_none(), "{case}");
            if let Some(contact) = sweep.contact {
                let size = clamped(model.cell);
                let area = Aabb { min: contact.cell * size, max: (contact.cell + 1) * size };
                let known = !matches!(hints, Hints::None | Hints::Finer);
                assert_eq!(solids.contact_area(contact), known.then_some(area), "{case}");
            }
        }
        let covers = |by: u32| model.solids_in(body.shifted(dir, by)).next().is_some();
        assert_eq!(solids.overlaps_aabb(body), covers(0), "{case}");
        let free = (0..=step).find(|by| !covers(*by));
        assert_eq!(solids.nearest_free_aabb(body, dir, step), free, "{case}");

        let stops = self.stops(model, body, dir);
        let one_way = if hints == Hints::None { stops } else { self.stops(guards, body, dir) };
        assert_eq!(solids.has_one_way(body, dir), one_way, "{case}");
        let is_free = !stops && !self.stops(model, body, floor);
        assert_eq!(solids.is_free(body, [dir, floor]), is_free, "{case}");
        assert_eq!(solids.is_beyond(body, dir), hints != Hints::None && self.is_beyond(), "{case}");
        assert!(!solids.can_move_part(body, dir, 1), "{case}");

        // The floor holds the body on each pixel of the run.
        let run = solids.floor_run(body, dir, step, floor);
        let held = (1..=step).take_while(|by| self.is_held(body.shifted(dir, *by))).count() as u32;
        assert!(run <= held, "{run} of {held}: {case}");
        let half = (length(body, dir) / 2).max(1);
        let mut known = if self.is_held_for(step) { step } else { 0 };
        let is_outside = self.is_beyond() && self.is_held(body);
        match hints {
            Hints::Lines if step <= 8 => known = held,
            Hints::None | Hints::Finer => {}
            _ if is_outside => known = step,
            _ if step > half => known = known.max(self.lead_run().min(held)),
            _ => {}
        }
        if step > half && self.is_held_for(half) {
            known = known.max(half);
        }
        assert!(run >= known, "{run} of at least {known}: {case}");
        runs[usize::from(run > 1)] += 1;
    }
}

fn length(body: Aabb, dir: Dir) -> u32 {
    if dir.vector().x == 0 { body.height() } else { body.width() }
}

#[test]
fn all_solids_and_their_hints_answer_as_the_naive_model() {
    let (mut runs, mut stamps) = ([0; 2], 0);
    for seed in 0..rounds(1_000) as u64 {
        let mut random = fastrand::Rng::with_seed(seed);
        let model = Model::random(&mut random);
        let mut guards = model.clone();
        guards.solid.fill(false);
        guards.outside = Sides::all(Outside::Open);
        let level = model.level();
        let level_terrain: &Terrain = &level;
        let [main, other] = parts(&mut random, &model);
        let area = Terrain::clone(&other.level());
        let finer = area.clone().into_pixels().unwrap();
        let is_finer = model.cell != (1, 1);
        let in_parts = main.level().with_solid_area("area", area, 4);
        let in_pixels = main.level().with_solid_area("area", finer, 4);
        let named = level.clone().with_area("seen", Terrain::clone(&level));
        for _ in 0..6 {
            let (wide, high) = model.pixels();
            let at = |random: &mut fastrand::Rng, side: i64| random.i32(-25..side as i32 + 25);
            let (x, y) = (at(&mut random, wide), at(&mut random, high));
            let longest = [3, 20, 90][random.usize(0..3)];
            let mut side = || random.i32(1..longest);
            let body = Aabb::from_xywh(x, y, side(), side().min(20));
            let dir = Dir::ALL[random.usize(0..4)];
            let floor = loop {
                let floor = Dir::ALL[random.usize(0..4)];
                if floor.axis() != dir.axis() {
                    break floor;
                }
            };
            let furthest = [9, 30, 120][random.usize(0..3)];
            let step = random.u32(0..furthest);
            let guards = guards.clone();
            let case = Case { model: &model, guards, body, dir, floor, step, seed };
            // Lines for the size of the body, and a level that has lines for another size only.
            let [mut prepared, mut other_size] = [named.clone(), named.clone()];
            let is_prepared = prepared.prepare(body.size());
            other_size.prepare(UVec2::ONE);
            other_size.forget(body.size());
            let box_of_pixels = Footprint::rectangle(body.size()).unwrap();
            let (plain, split) = (Plain(&level), in_parts.solids_for(4));
            let fine = if is_finer { Hints::Finer } else { Hints::All };
            case.ask("plain", &plain, Hints::None, &mut runs);
            case.ask("terrain", level_terrain, Hints::All, &mut runs);
            case.ask("level", &level, Hints::All, &mut runs);
            case.ask("prepared level", &prepared, Hints::All, &mut runs);
            case.ask("level with another prepared size", &other_size, Hints::All, &mut runs);
            // A mover asks these instead of the level.
            if let Some(sized) = prepared.for_size(body.size()) {
                assert!(is_prepared);
                case.ask("lines", &sized, Hints::Lines, &mut runs);
                assert_eq!(sized.watched_areas().len(), prepared.watched_areas().len());
            }
            if let Some(sized) = other_size.for_size(body.size()) {
                case.ask("lines of another size", &sized, Hints::All, &mut runs);
            }
            case.ask("area", &split, Hints::All, &mut runs);
            case.ask("finer area", &in_pixels.solids_for(4), fine, &mut runs);
            let solids = FootprintSolids::new(&named, &box_of_pixels);
            case.ask("footprint", &solids, Hints::All, &mut runs);
            assert_eq!(solids.footprint(), Some(&box_of_pixels));
            for watching in [&named as &dyn Solids, &solids, &named.solids_for(1)] {
                stamps += watching.watched_areas().len();
            }
            assert_eq!(plain.watched_areas().len() + level.watched_areas().len(), 0);
            assert!(plain.footprint().is_none() && split.footprint().is_none());
        }
    }
    assert_eq!(stamps, rounds(1_000) * 6 * 3, "one area is watched");
    assert!(runs[1] > rounds(1_000) as u32, "{runs:?}");
}

/// Long lines are searched by chunks of words; a chunk without a solid is passed at once.
#[test]
fn a_prepared_long_level_sweeps_as_the_level_does() {
    let mut random = fastrand::Rng::with_seed(35);
    let mut stopped = 0;
    for _ in 0..60 {
        let is_upright = random.bool();
        let turned = |size: UVec2| if is_upright { size.yx() } else { size };
        let size = turned(UVec2::new(random.u32(2_000..9_000), 3));
        let mut grid = Grid::new(size.x, size.y).unwrap();
        for _ in 0..random.u32(0..5) {
            // Words that are alike cancel out, if they are joined wrongly.
            let at = UVec2::new(random.u32(0..size.x), random.u32(0..size.y));
            for by in [0, 64].into_iter().take(random.usize(1..3)) {
                let at = at + turned(UVec2::new(by, 0));
                if at.cmplt(size).all() {
                    grid.set(at.x, at.y, true).unwrap();
                }
            }
        }
        let level = Level::from_grid(grid, turned(UVec2::new(random.u32(1..3), 1))).unwrap();
        let body = turned(UVec2::new(random.u32(1..5), random.u32(1..3)));
        let mut prepared = level.clone();
        assert!(prepared.prepare(body));
        for _ in 0..200 {
            let end = level.size();
            let at = UVec2::new(random.u32(0..end.x), random.u32(0..end.y)).as_ivec2();
            let forth = random.bool();
            let dir = match (is_upright, forth) {
                (false, true) => Dir::Right,
                (false, false) => Dir::Left,
                (true, true) => Dir::Down,
                (true, false) => Dir::Up,
            };
            let step = random.u32(1..12_000);
            let body = Aabb { min: at, max: at + body.as_ivec2() };
            let expected = level.sweep(body, dir, step);
            assert_eq!(prepared.sweep(body, dir, step), expected, "{at} {dir:?} {step} {level:?}");
            assert_eq!(prepared.can_move(body, dir, step), expected.is_clear());
            stopped += u32::from(expected.moved > 600 && !expected.is_clear());
        }
    }
    assert!(stopped > 2_000, "{stopped}");
}
