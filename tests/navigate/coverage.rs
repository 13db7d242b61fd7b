//! The share of what is possible that the links have: the truth are 54 programs of keys, played from every
//! pixel of every place by a mover of the test.

use std::collections::{BTreeMap, BTreeSet};

use bitwall::character::{Feel, Input, Platformer, Stance};
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{JumpWays, Jumper};
use bitwall::{Aabb, Dir, Grid, Level, Mover, Rate};

use crate::support::{asset, is_long};

type Pairs = BTreeSet<(u32, u32)>;

/// Keys as a function of the step, for the default feel at 60 steps a second.
#[derive(Clone, Copy, Default)]
struct Keys {
    side: i32,
    /// The steps before the jump, and the steps for which the jump key is held.
    run: u32,
    hold: u32,
    /// The steps without a side, then with it (0 for all), then the side afterwards.
    from: u32,
    steer: u32,
    after: i32,
    /// 1 jumps from a wall back to it, 2 from wall to wall.
    wall: u8,
    drops: bool,
}

fn family() -> Vec<Keys> {
    let plain = Keys::default();
    let mut all = vec![Keys { hold: 24, ..plain }, Keys { drops: true, ..plain }];
    for side in [-1, 1] {
        let aside = Keys { side, ..plain };
        all.push(Keys { drops: true, ..aside });
        for (steer, after) in [(0, side), (6, 0), (6, -side)] {
            all.push(Keys { steer, after, ..aside });
        }
        for run in [0, 10] {
            for hold in [2, 8, 24] {
                for (steer, after) in [(0, side), (10, 0), (20, -side)] {
                    all.push(Keys { run, hold, steer, after, ..aside });
                }
            }
        }
        all.extend([12, 20].map(|from| Keys { hold: 24, from, ..aside }));
    }
    for side in [-1, 1] {
        all.extend([1, 2].map(|wall| Keys { side, hold: 24, wall, ..plain }));
    }
    all
}

impl Keys {
    fn input(&self, step: u32, state: &Platformer, held_jump: bool) -> Input {
        if matches!(state.stance, Stance::Ledge(_) | Stance::LedgeClimb(_)) {
            return Input::from_axes(0.0, -1.0, false);
        }
        if step < self.run {
            return Input::from_axes(self.side as f32, 0.0, false);
        }
        let step = step - self.run;
        let mut side = self.after;
        if step < self.from {
            side = 0;
        } else if self.steer == 0 || step < self.from + self.steer {
            side = self.side;
        }
        if self.drops {
            let is_first = step == 0;
            let [x, y] = if is_first { [0, 1] } else { [side, 0] };
            return Input::from_axes(x as f32, y as f32, is_first);
        }
        let mut jump = step < self.hold;
        if self.wall > 0 && step > 3 {
            let velocity = state.velocity();
            if self.wall == 2 && velocity.x != 0.0 {
                side = velocity.x.signum() as i32;
            }
            let slides = matches!(state.stance, Stance::WallSlide(_));
            jump = if slides { !held_jump } else { held_jump && velocity.y < 0.0 };
        }
        Input::from_axes(side as f32, 0.0, jump)
    }
}

/// Where a body comes to rest that plays the keys from rest, and whether it slid along a wall.
fn play(
    level: &Level,
    feel: &Feel,
    body: (Mover, Platformer),
    keys: &Keys,
) -> (Option<IVec2>, bool) {
    let (mut mover, mut state) = body;
    let bottom = level.size().y as i32 + 64;
    let (mut has_left, mut has_landed, mut slid, mut held) = (false, false, false, false);
    for step in 0..600 {
        let input = if has_landed { Input::NONE } else { keys.input(step, &state, held) };
        held = input == input.with_jump(true);
        state.step(level, &mut mover, input, feel);
        slid |= matches!(state.stance, Stance::WallSlide(_));
        let stands = state.stance == Stance::Ground;
        let is_lost = !has_left && if stands { step > keys.run + 24 } else { step < keys.run };
        if is_lost || mover.body.min.y > bottom {
            break;
        }
        has_landed |= has_left && stands;
        has_left |= !stands;
        if has_landed && stands && state.velocity().length() == 0.0 {
            return (Some(mover.body.min), slid);
        }
    }
    (None, slid)
}

/// The runs by row.
struct Rows(BTreeMap<i32, Vec<(i32, i32, u32)>>);

impl Rows {
    fn new(ways: &JumpWays) -> Self {
        let mut rows: BTreeMap<i32, Vec<(i32, i32, u32)>> = BTreeMap::new();
        for (run, place) in ways.runs() {
            rows.entry(run.min.y).or_default().push((run.min.x, run.max.x, place));
        }
        Self(rows)
    }

    fn place(&self, at: IVec2) -> Option<u32> {
        let mut runs = self.0.get(&at.y)?.iter();
        runs.find(|(start, end, _)| (*start..*end).contains(&at.x)).map(|(_, _, place)| *place)
    }
}

/// The pairs of places between which a program leads, from every pixel.
fn true_pairs(level: &Level, ways: &JumpWays) -> Pairs {
    let rows = Rows::new(ways);
    let jumper = ways.jumper();
    let family = family();
    let mut pairs = Pairs::new();
    for (run, from) in ways.runs() {
        for x in run.min.x..run.max.x {
            let at = IVec2::new(x, run.min.y);
            let body = Aabb { min: at, max: at + jumper.size.as_ivec2() };
            let mut mover = Mover::new(body, jumper.settings);
            let mut state = Platformer::new(jumper.rate);
            state.step(level, &mut mover, Input::NONE, &jumper.feel);
            if mover.body.min != at || state.stance != Stance::Ground {
                continue;
            }
            let is_on_guard = !level.overlaps(body.shifted(Dir::Down, 1));
            let is_near_end = x < run.min.x + 14 || x >= run.max.x - 14;
            let mut slides = false;
            for keys in &family {
                let is_off = keys.hold == 0 && !keys.drops;
                if keys.drops && !is_on_guard || is_off && !is_near_end || keys.wall > 0 && !slides
                {
                    continue;
                }
                let (end, slid) = play(level, &jumper.feel, (mover, state), keys);
                slides |= slid;
                pairs.extend(end.and_then(|end| rows.place(end)).map(|to| (from, to)));
            }
        }
    }
    pairs.retain(|(from, to)| from != to);
    pairs
}

/// The pairs of places between which any number of these pairs leads.
fn closure(pairs: &Pairs) -> Pairs {
    let mut all = Pairs::new();
    let starts: BTreeSet<u32> = pairs.iter().map(|(from, _)| *from).collect();
    for start in starts {
        let mut open = vec![start];
        while let Some(from) = open.pop() {
            for (_, to) in pairs.range((from, 0)..=(from, u32::MAX)) {
                if *to != start && all.insert((start, *to)) {
                    open.push(*to);
                }
            }
        }
    }
    all
}

/// A level of `cells` x `cells` tiles of 16 pixels: boxes, platforms and one-way floors.
fn generated(cells: u32, seed: u64) -> Level {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut solid = Grid::new(cells, cells).unwrap();
    let mut one_way = Grid::new(cells, cells).unwrap();
    for (columns, rows) in
        [(0..cells, cells - 1..cells), (0..1, 0..cells), (cells - 1..cells, 0..cells)]
    {
        solid.fill(columns, rows, true).unwrap();
    }
    for _ in 0..cells * cells / 60 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let [w, h] = if random.bool() {
            [random.u32(2..10), 1]
        } else {
            [random.u32(1..7), random.u32(1..5)]
        };
        solid.fill(x..(x + w).min(cells), y..(y + h).min(cells), true).unwrap();
    }
    for _ in 0..cells * cells / 200 {
        let (x, y, w) = (random.u32(0..cells), random.u32(0..cells), random.u32(2..7));
        for x in x..(x + w).min(cells) {
            if !solid.is_solid(x, y) {
                one_way.set(x, y, true).unwrap();
            }
        }
    }
    let level = Level::from_grid(solid, UVec2::splat(16)).unwrap();
    level.with_one_way(Dir::Up, one_way).unwrap()
}

/// In a long run five levels, else one.
#[test]
fn the_links_have_nearly_all_true_pairs() {
    let mut levels = vec![("32 x 32".to_owned(), generated(32, 7))];
    if is_long() {
        levels.clear();
        for (cells, seed) in [(64, 7), (64, 8), (128, 7)] {
            levels.push((format!("{cells} x {cells}, seed {seed}"), generated(cells, seed)));
        }
        for name in ["cave.tmx", "hills.tmx"] {
            levels.push((name.to_owned(), Level::load(asset(name)).unwrap()));
        }
    }
    let mut sums = [0; 2];
    for (name, level) in levels {
        let jumper = Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60));
        let ways = JumpWays::new(&level, jumper).unwrap();
        let rows = Rows::new(&ways);
        let links = ways.links();
        let links: Pairs =
            links.filter_map(|hop| Some((rows.place(hop.from)?, rows.place(hop.to)?))).collect();
        let truth = true_pairs(&level, &ways);
        let all = closure(&truth);
        let found = truth.intersection(&links).count();
        let closed = all.intersection(&closure(&links)).count();
        let [pairs, of_closure] = [(found, truth.len()), (closed, all.len())]
            .map(|(part, whole)| format!("{part} of {whole} ({:.1}%)", percent(part, whole)));
        let others = links.len() - found;
        println!("{name}: pairs {pairs}, {others} others; closure {of_closure}");
        for (sum, count) in sums.iter_mut().zip([found, truth.len()]) {
            *sum += count;
        }
        assert!(percent(closed, all.len()) >= 98.0, "{name}: closure {of_closure}");
    }
    let [found, pairs] = sums;
    println!("all: {found} of {pairs} pairs ({:.1}%)", percent(found, pairs));
    assert!(percent(found, pairs) >= 93.0, "{sums:?}");
}

fn percent(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole as f64
}
