//! Five hundred chasers surround a hero, in an open field and in a village, written as an animated picture.
//!
//! `cargo run --release --example crowd [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! The chasers are soft characters ([`Body::soft`]): they pass each other and are pushed apart, so no door
//! jams, and those who come later stand in a ring around the others. The same chasers as solid characters are
//! played too, without pictures, to compare the times. If the ring is no ring, the example returns an error.

mod stage {
    pub(crate) mod flip_book;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{Field, Ways};
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use stage::flip_book::{FlipBook, Page};

const CHASERS: usize = 500;
const STEPS: u32 = 1_200;
/// The steps from one picture to the next.
const STEPS_A_FRAME: u32 = 8;

/// The side of each body in pixels.
const SIDE: i32 = 12;
/// The speed of a chaser, in pixels a second.
const SPEED: f32 = 60.0;

/// The side of both levels in pixels. The pictures have half of it.
const SIZE: i32 = 640;

const PAPER: u8 = 0;
const ROCK: u8 = 1;
const HERO: u8 = 2;
const WALKER: u8 = 3;
const RESTING: u8 = 4;
const PALETTE: [[u8; 3]; 8] = [
    [236, 232, 222], // paper
    [70, 62, 78],    // rock
    [60, 130, 80],   // the hero
    [206, 92, 60],   // a chaser who walks
    [214, 168, 40],  // a chaser who stands
    [0; 3],
    [0; 3],
    [0; 3],
];

/// A hero and the chasers.
struct Chase<'l> {
    level: &'l Level,
    ways: Ways<'l>,
    field: Field,
    hero: IVec2,
    world: World,
    chasers: Vec<BodyId>,
    time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join("crowd.gif"));
    let size = UVec2::splat(SIZE as u32 / 2);
    let mut book = FlipBook::create(&path, size + UVec2::new(0, 16), &PALETTE)?;
    let field = Level::from_grid(Grid::new(40, 40)?, UVec2::splat(16))?;
    let village = Level::load("assets/town.tmx")?;
    let spawn = village.marker("player").ok_or("the map has no spawn")?.position();
    for (name, level, spawn) in
        [("an open field", &field, IVec2::splat(SIZE / 2)), ("a village", &village, spawn)]
    {
        let mut hard = Chase::new(level, spawn, Body::character)?;
        (0..STEPS).try_for_each(|_| hard.step())?;
        let mut chase = Chase::new(level, spawn, Body::soft)?;
        let blank = chase.background();
        let line = format!("{CHASERS} chasers in {name}");
        for _ in 0..STEPS / STEPS_A_FRAME {
            let before = chase.places();
            (0..STEPS_A_FRAME).try_for_each(|_| chase.step())?;
            book.add(chase.draw(blank.clone(), &before, &line), 8)?;
        }
        println!(
            "{name}: {:.0} us a step, {:.0} us as solid characters",
            chase.time.as_secs_f64() * 1e6 / f64::from(STEPS),
            hard.time.as_secs_f64() * 1e6 / f64::from(STEPS)
        );
        chase.check()?;
    }
    book.turn()?;
    println!("{} frames in {}", book.frames, path.display());
    Ok(())
}

impl<'l> Chase<'l> {
    fn new(
        level: &'l Level,
        spawn: IVec2,
        chaser: fn(Aabb, MoverSettings) -> Body,
    ) -> Result<Self, Box<dyn Error>> {
        let ways = level.ways(UVec2::splat(SIDE as u32))?;
        let hero = ways.nearest(spawn).ok_or("no room for the hero")?;
        let field = ways.field(&[hero]);
        let mut world = World::new(Rate::per_second(60));
        let settings = MoverSettings::top_down();
        world.add(Body::character(Aabb { min: hero, max: hero + SIDE }, settings));
        let mut random = fastrand::Rng::with_seed(4);
        let mut chasers = Vec::new();
        while chasers.len() < CHASERS {
            let at = IVec2::new(random.i32(0..SIZE), random.i32(0..SIZE));
            let aabb = Aabb { min: at, max: at + SIDE };
            if field.distance(at).is_some() && world.overlapping(aabb, 1).is_empty() {
                chasers.push(world.add(chaser(aabb, settings)));
            }
        }
        Ok(Self { level, ways, field, hero, world, chasers, time: Duration::ZERO })
    }

    /// A chaser who sees the hero goes straight to him, and any other follows the field.
    fn step(&mut self) -> Result<(), Box<dyn Error>> {
        for id in &self.chasers {
            let body = self.world.get_mut(*id).ok_or("a chaser is gone")?;
            let at = body.aabb.min;
            let is_seen = self.ways.sees(at, self.hero);
            let way = if is_seen { Some(self.hero - at) } else { self.field.step(at) };
            body.set_velocity(way.unwrap_or_default().as_vec2().normalize_or_zero() * SPEED);
        }
        let start = Instant::now();
        self.world.step(self.level);
        self.time += start.elapsed();
        Ok(())
    }

    fn places(&self) -> Vec<IVec2> {
        let bodies = self.chasers.iter().filter_map(|id| self.world.get(*id));
        bodies.map(|body| body.aabb.min).collect()
    }

    /// The solids of the level at half its size.
    fn background(&self) -> Page {
        let size = IVec2::new(SIZE / 2, SIZE / 2);
        let mut page = Page::new(size.as_uvec2() + UVec2::new(0, 16), ROCK);
        let is_free = |at: IVec2| !self.level.is_solid(at * 2);
        page.paint(Aabb { min: IVec2::ZERO, max: size }, PAPER, is_free);
        page
    }

    /// A chaser who has hardly moved since the places `before` is drawn as resting.
    fn draw(&self, mut page: Page, before: &[IVec2], line: &str) -> Page {
        for (at, before) in self.places().into_iter().zip(before) {
            let moved = (at - *before).abs().element_sum() as u32;
            let color = if moved * 4 < STEPS_A_FRAME { RESTING } else { WALKER };
            page.fill(Aabb { min: at / 2, max: at / 2 + SIDE / 2 - 1 }, color);
        }
        let hero = self.hero / 2;
        page.fill(Aabb { min: hero, max: hero + SIDE / 2 }, HERO);
        page.write(IVec2::new(4, SIZE / 2 + 3), line, PAPER);
        page
    }

    /// Fails unless the chasers stand around the hero as densely as bodies without overlaps in a disc.
    fn check(&self) -> Result<(), Box<dyn Error>> {
        let places = self.places();
        let mut distances: Vec<f32> =
            places.iter().map(|at| (*at - self.hero).as_vec2().length()).collect();
        distances.sort_by(f32::total_cmp);
        let median = distances[places.len() / 2];
        let area = (places.len() as i32 * SIDE * SIDE) as f32;
        let disc = (area / std::f32::consts::PI / 2.0).sqrt();
        let overlaps = self.world.pairs().len();
        println!("median distance {median:.0}, in a disc {disc:.0}; {overlaps} overlapping pairs");
        let boxes = places.iter().map(|at| Aabb { min: *at, max: *at + SIDE });
        let are_free = boxes.into_iter().all(|aabb| !self.level.overlaps(aabb));
        let is_ring = (median / disc - 1.0).abs() < 0.2 && overlaps <= 3 * CHASERS && are_free;
        if is_ring { Ok(()) } else { Err("the chasers form no ring".into()) }
    }
}
