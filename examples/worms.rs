//! Ground that changes: shells blow holes into it, what comes loose falls, and a tower lands in one piece.
//!
//! `cargo run --release --example worms [FILE.gif]` (else in the folder for temporary files)
//!
//! A shell is a ray a step: where it meets ground, a circle is carved. `analyze::islands` finds what no longer
//! hangs on anything; each such part leaves the level, falls as a mover with the pixels of its footprint, and
//! is painted into the level again where it lands.

mod stage {
    pub(crate) mod flip_book;
    pub(crate) mod room;
}

use std::error::Error;

use bitwall::Outside;
use bitwall::analyze::{Connectivity, islands};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::shapes::Circle;
use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings, Sides};

use stage::flip_book::Page;
use stage::room;

const SIZE: UVec2 = UVec2::new(320, 176);

/// The step at which each shell is fired, from where, how fast, and the radius of its hole.
const SHELLS: [(u32, (f32, f32), (f32, f32), i32); 8] = [
    (20, (28.0, 88.0), (3.2, -2.6), 15),
    (70, (28.0, 88.0), (3.9, -3.0), 13),
    (120, (28.0, 88.0), (3.4, -1.1), 12),
    (170, (28.0, 88.0), (4.1, -1.2), 12),
    (230, (28.0, 88.0), (4.9, -2.2), 17),
    (280, (28.0, 88.0), (5.4, -3.0), 14),
    (320, (28.0, 88.0), (2.6, -3.4), 20),
    (380, (28.0, 88.0), (4.4, -3.4), 18),
];

const GRAVITY: f32 = 0.06;
/// Larger parts stay where they are.
const LARGEST: u64 = 12_000;

const SKY: u8 = 0;
const GRASS: u8 = 4;
const EARTH: u8 = 5;
const BURNT: u8 = 9;
const FIRE: u8 = 10;
const WORM: u8 = 13;

const PALETTE: [[u8; 3]; 16] = [
    [126, 186, 226], // sky, from the top
    [152, 202, 232],
    [182, 218, 236],
    [214, 234, 240],
    [98, 168, 72], // grass
    [142, 98, 62], // earth, from the top
    [122, 82, 54],
    [102, 68, 50],
    [84, 58, 48],
    [58, 44, 42],    // burnt
    [255, 222, 110], // fire
    [250, 150, 50],
    [206, 84, 40],
    [232, 140, 150], // the worm
    [40, 34, 40],    // ink
    [250, 250, 250], // white
];

/// A part of the ground that falls.
struct Falling {
    body: Footprint,
    mover: Mover,
    speed: f32,
    /// The colours of its box, row by row.
    colors: Vec<u8>,
}

struct Game {
    level: Level,
    /// The colour that each pixel of the ground has or had.
    colors: Vec<u8>,
    falling: Vec<Falling>,
    /// The place, radius and age of each blast.
    blasts: Vec<(IVec2, i32, i32)>,
    landed: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new()?;
    let (mut film, path) = room::film("worms", SIZE, &PALETTE)?;
    let mut worm = Mover::new(Aabb::from_xywh(18, 60, 10, 12), MoverSettings::platformer());
    let mut target = Mover::new(Aabb::from_xywh(148, 40, 10, 12), MoverSettings::platformer());
    let mut shells: Vec<(Vec2, Vec2, i32)> = Vec::new();
    for step in 0..560 {
        let fired = SHELLS.iter().filter(|shell| shell.0 == step);
        shells.extend(
            fired.map(|(_, from, speed, radius)| ((*from).into(), (*speed).into(), *radius)),
        );
        let mut flying = Vec::new();
        for (from, mut speed, radius) in shells.drain(..) {
            speed.y += GRAVITY;
            let to: Vec2 = from + speed;
            let hit = game.level.ray(from.as_ivec2(), to.as_ivec2(), Corners::Pass);
            match hit {
                Some(hit) => game.explode(hit.pixel, radius)?,
                None if to.x < SIZE.x as f32 => flying.push((to, speed, radius)),
                None => {}
            }
        }
        shells = flying;
        game.fall()?;
        for mover in [&mut worm, &mut target] {
            mover.step(&game.level, Vec2::new(0.0, 2.0))?;
        }
        if step % 3 == 0 {
            film.add(game.draw(&[worm.body, target.body], &shells), 5)?;
        }
    }
    film.turn()?;
    println!("{} parts fell; {} frames in {}", game.landed, film.frames, path.display());
    assert!(game.landed >= 4 && game.falling.is_empty(), "{}", game.landed);
    Ok(())
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let level = Level::from_grid(Grid::new(SIZE.x, SIZE.y)?, UVec2::ONE)?;
        // Only the floor holds the ground.
        let mut level = level.with_outside(Sides { down: Outside::Solid, ..Outside::Open.into() });
        let hills = [
            (0, 176),
            (0, 104),
            (30, 96),
            (60, 112),
            (84, 128),
            (110, 124),
            (136, 138),
            (190, 140),
            (214, 124),
            (240, 100),
            (270, 92),
            (300, 100),
            (320, 96),
            (320, 176),
        ];
        level.paint(&hills.map(IVec2::from), IVec2::ZERO)?;
        // A mushroom, a tower with windows, and a bridge between them and the hill.
        level
            .paint(&[(146, 140), (150, 84), (158, 84), (162, 140)].map(IVec2::from), IVec2::ZERO)?;
        level.paint(&Circle { center: IVec2::new(154, 78), radius: 26 }, IVec2::ZERO)?;
        level.carve(&Aabb::from_xywh(120, 86, 70, 20), IVec2::ZERO)?;
        level.paint(&Aabb::from_xywh(150, 84, 8, 24), IVec2::ZERO)?;
        let tower = Grid::from_text(
            "#.#.#.#\n#######\n##...##\n##...##\n#######\n#######\n##...##\n##...##\n#######\n#######",
        )?;
        let tower = Level::from_grid(tower, UVec2::splat(5))?.into_pixels()?;
        level.paint(tower.grid(), IVec2::new(252, 44))?;
        level.paint(&Aabb::from_xywh(176, 66, 78, 6), IVec2::ZERO)?;
        let color = |at: IVec2| {
            let above = |up| !level.is_solid(at - IVec2::new(0, up));
            if (1..4).any(above) { GRASS } else { EARTH + ((at.y - 60) / 28).clamp(0, 3) as u8 }
        };
        let colors = pixels(Aabb::from_xywh(0, 0, 320, 176)).map(color).collect();
        Ok(Self { level, colors, falling: Vec::new(), blasts: Vec::new(), landed: 0 })
    }

    /// Carves a hole, and lets fall what it cuts off.
    fn explode(&mut self, center: IVec2, radius: i32) -> Result<(), Box<dyn Error>> {
        self.blasts.push((center, radius, 0));
        let rim = Circle { center, radius: radius + 3 };
        let box_of =
            |radius| Aabb::from_xywh(center.x - radius, center.y - radius, 2 * radius, 2 * radius);
        for at in pixels(box_of(rim.radius)) {
            let is_burnt = (at - center).length_squared() < rim.radius * rim.radius;
            if let Some(color) = index(at).filter(|_| is_burnt) {
                self.colors[color] = BURNT;
            }
        }
        let Some(changed) = self.level.carve(&Circle { center, radius }, IVec2::ZERO)? else {
            return Ok(());
        };
        for island in islands(&self.level, changed, Connectivity::Four, LARGEST) {
            self.level.carve(&island, IVec2::ZERO)?;
            let area = island.bounds();
            let color = |at| index(at).map_or(SKY, |index| self.colors[index]);
            self.falling.push(Falling {
                body: island.footprint()?,
                mover: Mover::new(area, MoverSettings::PLAIN),
                speed: 0.0,
                colors: pixels(area).map(color).collect(),
            });
        }
        Ok(())
    }

    /// Moves what falls; what lands is ground again.
    fn fall(&mut self) -> Result<(), Box<dyn Error>> {
        for mut part in std::mem::take(&mut self.falling) {
            part.speed += GRAVITY;
            let step = part
                .mover
                .step(&self.level.with_footprint(&part.body), Vec2::new(0.0, part.speed))?;
            if step.contacts.down.is_none() {
                self.falling.push(part);
                continue;
            }
            let at = part.mover.body.min;
            self.level.paint(&part.body, at)?;
            for (place, color) in pixels(part.mover.body).zip(&part.colors) {
                if let Some(index) =
                    index(place).filter(|_| part.body.covers((place - at).as_uvec2()))
                {
                    self.colors[index] = *color;
                }
            }
            self.landed += 1;
        }
        self.blasts.retain_mut(|(_, _, age)| {
            *age += 1;
            *age < 24
        });
        Ok(())
    }

    fn draw(&self, worms: &[Aabb], shells: &[(Vec2, Vec2, i32)]) -> Page {
        let mut page = Page::new(SIZE, SKY);
        let all = Aabb::from_xywh(0, 0, SIZE.x as i32, SIZE.y as i32);
        for band in 1..4 {
            page.fill(Aabb::from_xywh(0, 36 * i32::from(band), all.max.x, 176), SKY + band);
        }
        for color in GRASS..=BURNT {
            page.paint(all, color, |at| {
                let has = index(at).is_some_and(|index| self.colors[index] == color);
                has && self.level.is_solid(at)
            });
        }
        for Falling { body, mover, colors, .. } in &self.falling {
            let area = mover.body;
            for (at, color) in pixels(area).zip(colors) {
                if body.covers((at - area.min).as_uvec2()) {
                    page.fill(Aabb::from_xywh(at.x, at.y, 1, 1), *color);
                }
            }
        }
        for worm in worms {
            room::figure(&mut page, *worm, WORM, 15);
        }
        for (at, _, _) in shells {
            let at = at.as_ivec2();
            page.fill(Aabb::from_xywh(at.x - 1, at.y - 1, 3, 3), 14);
        }
        for (center, radius, age) in &self.blasts {
            for (color, share) in [(FIRE + 2, 24), (FIRE + 1, 18), (FIRE, 12)] {
                let reach = radius * (share - age).max(0) / 20;
                let area = Aabb { min: center - reach, max: center + reach };
                page.paint(area, color, |at| (at - center).length_squared() < reach * reach);
            }
        }
        page
    }
}

/// The pixels of a box, row by row.
fn pixels(area: Aabb) -> impl Iterator<Item = IVec2> {
    let columns = area.min.x..area.max.x;
    (area.min.y..area.max.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
}

/// The place of a pixel's colour.
fn index(at: IVec2) -> Option<usize> {
    let is_inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(SIZE.as_ivec2()).all();
    is_inside.then(|| (at.y * SIZE.x as i32 + at.x) as usize)
}
