//! A twin-stick shooter seen from above: a few hundred enemies, and 10,000 bullets that bounce off walls.
//!
//! `cargo run --release --example shooter [FILE.gif]` (without a file name: in the folder for temporary
//! files)
//!
//! A step of the game:
//! 1. the left stick moves the hero and the right stick aims: he fires while fewer than 10,000 bullets fly;
//! 2. enemies go toward the hero, and bullets fly straight on;
//! 3. one search finds all pairs of a bullet and an enemy that overlap, and both vanish.
//!
//! Bullets and enemies are plain lists of movers among the solids of the level. They do not collide with each
//! other, so the game needs no world, and a step of a bullet takes only a few sweeps.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;
use std::time::{Duration, Instant};

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::mover::Response;
use bitwall::world::Pairs;
use bitwall::{Aabb, Level, Mover, MoverSettings};

use stage::flip_book::Page;
use stage::room::{self, CELL};

const ARENA: &str = "\
##################################################
#...............#................................#
#...............#................................#
#...............#........####........####........#
#...............#........#..............#........#
#...............#........#..............#........#
#................................................#
#...............#................................#
#...............#................................#
#...............#........#..............#........#
#...............#........#..............#........#
#...............#........####........####........#
#...............#................................#
#...............#................................#
#######.#################################.########
#................................................#
#................................................#
#....##....##........##########........##....##..#
#....##....##........#........#........##....##..#
#....................#........#..................#
#....................#........#..................#
#....##....##........#........#........##....##..#
#....##....##........####.#####........##....##..#
#................................................#
#................................................#
##################################################";

/// The left stick, each with the number of steps. Each door is as wide as the hero, and he misses it by 2 or
/// 3 pixels, so corner correction moves him into it.
const SCRIPT: [(u32, Vec2); 6] = [
    (30, Vec2::ZERO),
    (22, Vec2::new(-2.0, 0.0)),
    (73, Vec2::new(0.0, 2.0)),
    (271, Vec2::new(2.0, 0.0)),
    (63, Vec2::new(0.0, -2.0)),
    (30, Vec2::ZERO),
];

const BULLETS: usize = 10_000;
const BULLETS_A_STEP: usize = 40;
const ENEMIES: usize = 300;
/// The number of steps that a bullet flies.
const LIFE: u32 = 400;
const PALETTE: [[u8; 3]; 8] = [
    [24, 22, 34],    // the ground
    [92, 88, 112],   // walls
    [250, 210, 90],  // bullets
    [206, 72, 70],   // enemies
    [110, 200, 130], // the hero
    [250, 250, 250], // white
    [0; 3],
    [0; 3],
];

struct Bullet {
    mover: Mover,
    velocity: Vec2,
    /// The number of steps that the bullet still flies, or 0 after it hit an enemy.
    life: u32,
}

impl Bullet {
    fn new(from: IVec2, velocity: Vec2) -> Self {
        let settings = MoverSettings {
            response: Response::Bounce { restitution: 100 },
            ..MoverSettings::PLAIN
        };
        let body = Aabb::from_center(from, UVec2::splat(2));
        Self { mover: Mover::new(body, settings), velocity, life: LIFE }
    }
}

struct Game {
    level: Level,
    hero: Mover,
    bullets: Vec<Bullet>,
    enemies: Vec<Mover>,
    pairs: Pairs,
    random: fastrand::Rng,
    kills: u32,
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            level: Level::from_grid(room::grid(ARENA, '#')?, UVec2::splat(CELL))?,
            hero: Mover::new(Aabb::from_xywh(159, 100, 16, 16), MoverSettings::top_down()),
            bullets: Vec::new(),
            enemies: Vec::new(),
            pairs: Pairs::default(),
            random: fastrand::Rng::with_seed(11),
            kills: 0,
        })
    }

    /// Makes a step with the two sticks: `left` moves the hero, and `right` aims.
    fn step(&mut self, left: Vec2, right: Vec2) -> Result<(), Box<dyn Error>> {
        self.hero.step(&self.level, left)?;
        let from = self.hero.body.center();
        for _ in 0..BULLETS_A_STEP.min(BULLETS - self.bullets.len()) {
            let spread = Vec2::from_angle(self.random.f32() - 0.5);
            let speed = 1.5 + self.random.f32();
            self.bullets.push(Bullet::new(from, right.rotate(spread) * speed));
        }
        while self.enemies.len() < ENEMIES {
            let size = self.level.size().as_ivec2();
            let place = IVec2::new(self.random.i32(0..size.x), self.random.i32(0..size.y));
            let body = Aabb::from_center(place, UVec2::splat(8));
            let is_near = place.distance_squared(from) < 150 * 150;
            if !is_near && !self.level.overlaps(body) {
                self.enemies.push(Mover::new(body, MoverSettings::top_down()));
            }
        }
        for enemy in &mut self.enemies {
            let way = (from - enemy.body.center()).as_vec2().normalize_or_zero();
            enemy.step(&self.level, way * 0.75)?;
        }
        for bullet in &mut self.bullets {
            let step = bullet.mover.step(&self.level, bullet.velocity)?;
            bullet.velocity = step.velocity(bullet.velocity);
            bullet.life -= 1;
        }
        self.hit();
        Ok(())
    }

    /// Removes the bullets and enemies that hit each other, and the bullets that have flown long enough.
    fn hit(&mut self) {
        let bullets: Vec<Aabb> = self.bullets.iter().map(|bullet| bullet.mover.body).collect();
        let enemies: Vec<Aabb> = self.enemies.iter().map(|enemy| enemy.body).collect();
        let mut is_dead = vec![false; enemies.len()];
        for (bullet, enemy) in self.pairs.find_between(&bullets, &enemies) {
            let bullet = &mut self.bullets[*bullet as usize];
            if bullet.life > 0 && !is_dead[*enemy as usize] {
                (bullet.life, is_dead[*enemy as usize]) = (0, true);
                self.kills += 1;
            }
        }
        self.bullets.retain(|bullet| bullet.life > 0);
        let mut is_dead = is_dead.into_iter();
        self.enemies.retain(|_| is_dead.next() != Some(true));
    }

    fn draw(&self, line: &str) -> Page {
        let mut page = room::page(ARENA, ('#', 1), 0, (line, 5));
        for bullet in &self.bullets {
            page.fill(bullet.mover.body, 2);
        }
        for enemy in &self.enemies {
            page.fill(enemy.body, 3);
        }
        room::figure(&mut page, self.hero.body, 4, 5);
        page
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new()?;
    // A second hero gets the same keys without corner correction.
    let mut plain = Mover { settings: MoverSettings::PLAIN, ..game.hero };
    let size = UVec2::new(800, 26 * CELL + CELL);
    let (mut film, path) = room::film("shooter", size, &PALETTE)?;
    let (mut times, mut most) = (Vec::new(), 0);
    let sticks = SCRIPT.iter().flat_map(|(steps, left)| (0..*steps).map(move |_| *left));
    for (number, left) in sticks.enumerate() {
        let right = Vec2::from_angle(number as f32 / 20.0);
        let start = Instant::now();
        game.step(left, right)?;
        times.push(start.elapsed());
        plain.step(&game.level, left)?;
        most = most.max(game.bullets.len());
        if number % 6 == 0 {
            let Game { bullets, enemies, kills, .. } = &game;
            let line = format!(
                "{} bullets   {} enemies   {kills} hits   {:.1} ms a step",
                bullets.len(),
                enemies.len(),
                times[number].as_secs_f64() * 1000.0
            );
            film.add(game.draw(&line), 10)?;
        }
    }
    film.turn()?;
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or(Duration::ZERO);
    println!("{most} bullets at once, {} hits, {median:?} for a step (the median)", game.kills);
    println!("{} frames in {}", film.frames, path.display());
    assert_eq!(most, BULLETS);
    assert_eq!(game.hero.body.min.y, 120, "the hero went through two doors");
    assert!(plain.body.max.y <= 224, "without corner correction he would hang at the first one");
    assert!(game.kills > 1000, "bullets hit enemies");
    let in_walls = game.bullets.iter().filter(|bullet| game.level.overlaps(bullet.mover.body));
    assert_eq!(in_walls.count(), 0, "no bullet is in a wall");
    Ok(())
}
