//! An enemy hunts its prey over platforms, written as an animated picture. Halfway a block grows out of the
//! ground, and the ways are told of it.
//!
//! `cargo run --release --example hunt [FILE.gif [LEVEL]]` (without a file name: in the folder for temporary
//! files; without a level: `assets/hills.tmx`)
//!
//! Both get the keys of each step from a `Follower`. The prey goes to one spot after another and rests there.
//! The enemy goes to where the prey is now: the dots are its way, as its next jumps were played. If the enemy
//! catches nobody before the edit or after it, the example returns an error.

mod stage {
    pub(crate) mod flip_book;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bitwall::character::{Feel, Platformer};
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Aim, Follow, Follower, JumpWays, Jumper};
use bitwall::{Aabb, Dir, Level, Mover, Rate};

use stage::flip_book::{FlipBook, Page};

const STEPS: u32 = 3_600;
/// The steps from one picture to the next.
const STEPS_A_FRAME: u32 = 4;
/// The steps for which the prey rests at a spot.
const REST: u32 = 100;
/// The widest picture in pixels. A wider level is drawn smaller.
const WIDTH: i32 = 640;
/// The height of the line of text in pixels.
const STRIP: u32 = 16;

const PAPER: u8 = 0;
const ROCK: u8 = 1;
const PLANK: u8 = 2;
const PREY: u8 = 3;
const ENEMY: u8 = 4;
const WAY: u8 = 5;
const PALETTE: [[u8; 3]; 8] = [
    [226, 234, 240], // paper
    [74, 66, 82],    // rock
    [170, 124, 70],  // one-way planks
    [60, 130, 80],   // the prey
    [206, 72, 52],   // the enemy
    [222, 150, 60],  // the way
    [0; 3],
    [0; 3],
];

/// A body that follows a way.
struct Runner {
    mover: Mover,
    state: Platformer,
    follower: Follower,
}

impl Runner {
    fn new(jumper: &Jumper, at: IVec2) -> Self {
        let body = Aabb { min: at, max: at + jumper.size.as_ivec2() };
        let mover = Mover::new(body, jumper.settings);
        Self { mover, state: Platformer::new(jumper.rate), follower: Follower::default() }
    }

    /// Makes a step on the way to `aim`. Returns true if the body rests there.
    fn step(&mut self, ways: &JumpWays, level: &Level, aim: IVec2) -> bool {
        let Self { mover, state, follower } = self;
        let next = follower.next(ways, level, mover, state, Aim::To(aim));
        state.step(level, mover, next.input(), &ways.jumper().feel);
        next == Follow::Arrived
    }

    fn at(&self) -> IVec2 {
        self.mover.body.min
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let file = arguments.next().unwrap_or_else(|| env::temp_dir().join("hunt.gif"));
    let path = arguments.next().unwrap_or_else(|| PathBuf::from("assets/hills.tmx"));
    let mut level = Level::load(path)?;
    let jumper = Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60));
    level.prepare(jumper.size);
    let mut ways = JumpWays::new(&level, jumper.clone())?;
    let scale = (level.size().x as i32 - 1) / WIDTH + 1;
    let picture = level.size() / scale as u32;
    let mut film = FlipBook::create(&file, picture + UVec2::new(0, STRIP), &PALETTE)?;

    let mut random = fastrand::Rng::with_seed(3);
    let start = spot(&ways, &mut random, None).ok_or("the level has no place")?;
    let mut enemy = Runner::new(&jumper, start);
    let mut prey = Runner::new(&jumper, lair(&ways, &mut random, start)?);
    let mut aim = lair(&ways, &mut random, prey.at())?;
    let (mut rested, mut catches, mut time) = (0, [0, 0], Duration::ZERO);
    for step in 0..STEPS {
        if step == STEPS / 2 {
            let bodies = [enemy.mover.body, prey.mover.body];
            let block = block(&ways, &level, &bodies).ok_or("no ground for the block")?;
            if let Some(area) = level.set_box(block, true)? {
                ways.edited(area);
            }
        }
        ways.update(&level, 3_000);
        let is_there = prey.step(&ways, &level, aim);
        rested = if is_there { rested + 1 } else { 0 };
        if rested == REST || ways.path(prey.at(), aim).is_none() {
            aim = lair(&ways, &mut random, prey.at()).unwrap_or(aim);
        }
        let begin = Instant::now();
        enemy.step(&ways, &level, prey.at());
        time += begin.elapsed();
        if enemy.mover.body.overlaps(prey.mover.body) {
            catches[usize::from(step >= STEPS / 2)] += 1;
            prey = Runner::new(&jumper, lair(&ways, &mut random, enemy.at())?);
            aim = lair(&ways, &mut random, prey.at())?;
        }
        if step % STEPS_A_FRAME == 0 {
            let mut page = background(&level, scale);
            draw_way(&mut page, &ways, &level, enemy.at(), prey.at(), scale);
            for (runner, color) in [(&prey, PREY), (&enemy, ENEMY)] {
                let Aabb { min, max } = runner.mover.body;
                page.fill(Aabb { min: min / scale, max: max / scale }, color);
            }
            let line = format!("caught {}", catches[0] + catches[1]);
            page.write(IVec2::new(4, picture.y as i32 + 3), &line, PAPER);
            film.add(page, 7)?;
        }
    }
    film.turn()?;
    let mean = time.as_secs_f64() * 1e6 / f64::from(STEPS);
    println!("caught {catches:?} before and after the edit; {mean:.1} us a step of the enemy");
    println!("{} frames in {}", film.frames, file.display());
    assert!(!catches.contains(&0), "the enemy catches somebody before and after the edit");
    Ok(())
}

/// A random position at which a body rests. With `from`, one with a way from there that has a jump.
fn spot(ways: &JumpWays, random: &mut fastrand::Rng, from: Option<IVec2>) -> Option<IVec2> {
    let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
    for _ in 0..200 {
        let run = *random.choice(&runs)?;
        let at = IVec2::new(random.i32(run.min.x..run.max.x), run.min.y);
        let is_far = from.is_none_or(|from| {
            ways.path(from, at).is_some_and(|path| !path.hops.is_empty() && path.steps > 100)
        });
        if is_far {
            return Some(at);
        }
    }
    None
}

/// A spot for the prey, to which a way leads from `from`.
fn lair(ways: &JumpWays, random: &mut fastrand::Rng, from: IVec2) -> Result<IVec2, Box<dyn Error>> {
    Ok(spot(ways, random, Some(from)).ok_or("no way leads away")?)
}

/// A block on the ground, near the middle of the level and away from the bodies.
fn block(ways: &JumpWays, level: &Level, bodies: &[Aabb]) -> Option<Aabb> {
    let middle = level.size().as_ivec2() / 2;
    let feet = ways.jumper().size.y as i32;
    let mut blocks: Vec<Aabb> = ways
        .runs()
        .filter(|(run, _)| run.width() > 40)
        .map(|(run, _)| Aabb::from_xywh((run.min.x + run.max.x) / 2, run.min.y + feet - 40, 16, 40))
        .filter(|block| !bodies.iter().any(|body| body.overlaps(*block)))
        .collect();
    blocks.sort_by_key(|block| (block.min - middle).abs().element_sum());
    blocks.first().copied()
}

fn background(level: &Level, scale: i32) -> Page {
    let size = level.size().as_ivec2() / scale;
    let mut page = Page::new(size.as_uvec2() + UVec2::new(0, STRIP), ROCK);
    let all = Aabb { min: IVec2::ZERO, max: size };
    page.paint(all, PAPER, |at| !level.is_solid(at * scale));
    if let Some(planks) = level.one_way(Dir::Up) {
        let cell = level.cell_size().as_ivec2();
        page.paint(all, PLANK, |at| {
            let mut rows = (0..scale).map(|row| at * scale + IVec2::new(0, row));
            rows.any(|at| {
                let piece = (at / cell).as_uvec2();
                planks.is_solid(piece.x, piece.y) && at.y % cell.y < 4
            })
        });
    }
    page
}

/// Draws the jumps from one position to the other as dots.
fn draw_way(page: &mut Page, ways: &JumpWays, level: &Level, from: IVec2, to: IVec2, scale: i32) {
    let size = ways.jumper().size.as_ivec2();
    let hops = ways.path(from, to).map_or(Vec::new(), |path| path.hops);
    for hop in &hops {
        for (_, at) in ways.replay(level, hop).iter().step_by(4) {
            let dot = (*at + size / 2) / scale;
            page.fill(Aabb { min: dot, max: dot + 2 }, WAY);
        }
    }
}
