//! Ground that changes: shells blow holes into it, parts that come loose fall, and a tower lands in one
//! piece.
//!
//! `cargo run --release --example worms [FILE.gif]` (without a file name: in the folder for temporary files)
//!
//! A shell is one ray per step: where it meets ground, a circle is carved. `analyze::islands` finds the parts
//! that are no longer connected to anything. Each such part is removed from the level, falls as a piece of
//! level in a world, which carries the worms on it, and is painted into the level again where it lands.

mod stage {
    pub(crate) mod flip_book;
}

use std::env;
use std::error::Error;
use std::path::PathBuf;

use bitwall::analyze::{Connectivity, islands};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::shapes::Circle;
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, MoverSettings, Outside, Rate, Sides};

use stage::flip_book::{FlipBook, Page};

const SIZE: UVec2 = UVec2::new(320, 176);

/// The step at which each shell is fired, the point at which it is aimed, the number of steps that it flies,
/// and the radius of its hole.
const SHELLS: [(u32, (f32, f32), f32, i32); 7] = [
    (20, (214.0, 66.0), 60.0, 9),
    (100, (152.0, 120.0), 45.0, 13),
    (200, (242.0, 66.0), 66.0, 8),
    (270, (253.0, 80.0), 60.0, 12),
    (340, (280.0, 80.0), 60.0, 13),
    (410, (283.0, 82.0), 60.0, 14),
    (490, (112.0, 126.0), 80.0, 22),
];

/// The position of the gun.
const GUN: Vec2 = Vec2::new(30.0, 82.0);

const GRAVITY: f32 = 0.06;
/// The number of pixels above which a loose part does not fall.
const LARGEST: u64 = 12_000;

const SKY: u8 = 0;
const GRASS: u8 = 4;
const EARTH: u8 = 5;
const BURNT: u8 = 9;
const FIRE: u8 = 10;
const WORM: u8 = 13;
const INK: u8 = 14;

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
    id: BodyId,
    pixels: Footprint,
    /// The colours of the bounding box, row by row.
    colors: Vec<u8>,
}

struct Game {
    level: Level,
    /// The colour of each pixel that is or was ground.
    colors: Vec<u8>,
    /// The worms and the parts that fall.
    world: World,
    falling: Vec<Falling>,
    worms: [BodyId; 2],
    /// The position, radius and age of each blast.
    blasts: Vec<(IVec2, i32, i32)>,
    landed: u32,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut game = Game::new()?;
    let given = env::args_os().nth(1).map(PathBuf::from);
    let path = given.unwrap_or_else(|| env::temp_dir().join("worms.gif"));
    let mut film = FlipBook::create(&path, SIZE, &PALETTE)?;
    let mut shells: Vec<(Vec2, Vec2, i32)> = Vec::new();
    for step in 0..620 {
        for (_, target, steps, radius) in SHELLS.iter().filter(|shell| shell.0 == step) {
            let drop = GRAVITY * (steps + 1.0) / 2.0;
            let speed = (Vec2::from(*target) - GUN) / *steps - Vec2::new(0.0, drop);
            shells.push((GUN, speed, *radius));
        }
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
        if step % 3 == 0 {
            film.add(game.draw(&shells), 5)?;
        }
    }
    film.turn()?;
    println!("{} parts fell; {} frames in {}", game.landed, film.frames, path.display());
    assert_eq!(
        (game.landed, game.falling.len()),
        (3, 0),
        "the cap, a piece of the bridge, the tower"
    );
    Ok(())
}

impl Game {
    fn new() -> Result<Self, Box<dyn Error>> {
        let level = Level::from_grid(Grid::new(SIZE.x, SIZE.y)?, UVec2::ONE)?;
        // Ground is held only by the floor of the level.
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
        // A mushroom, a tower with windows, and a bridge between the tower and the hill.
        level
            .paint(&[(146, 140), (150, 84), (158, 84), (162, 140)].map(IVec2::from), IVec2::ZERO)?;
        level.paint(&Circle { center: IVec2::new(154, 78), radius: 26 }, IVec2::ZERO)?;
        level.carve(&Aabb::from_xywh(120, 86, 70, 20), IVec2::ZERO);
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
        let mut world = World::new(Rate::per_second(1));
        let worms = [(18, 87), (148, 40)].map(|(x, y)| {
            let worm = Body::character(Aabb::from_xywh(x, y, 10, 12), MoverSettings::platformer());
            world.add(worm.with_acceleration((0.0, GRAVITY)))
        });
        let colors = pixels(Aabb::from_xywh(0, 0, 320, 176)).map(color).collect();
        Ok(Self { level, colors, world, falling: Vec::new(), worms, blasts: Vec::new(), landed: 0 })
    }

    /// Carves a hole, and lets the parts fall that it cuts off.
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
        let Some(changed) = self.level.carve(&Circle { center, radius }, IVec2::ZERO) else {
            return Ok(());
        };
        for island in islands(&self.level, changed, Connectivity::Four, LARGEST) {
            self.level.carve(&island, IVec2::ZERO);
            let area = island.bounds();
            let color = |at| index(at).map_or(SKY, |index| self.colors[index]);
            let colors = pixels(area).map(color).collect();
            let pixels = island.footprint()?;
            let piece = Level::from_grid(pixels.grid().clone(), UVec2::ONE)?;
            let id = self.world.add_piece(Body::platform(area), piece);
            self.falling.push(Falling { id, pixels, colors });
        }
        Ok(())
    }

    /// Moves the falling parts and the worms on them. A part that lands becomes ground again.
    fn fall(&mut self) -> Result<(), Box<dyn Error>> {
        let mut landing = Vec::new();
        for part in std::mem::take(&mut self.falling) {
            let Some(body) = self.world.get_mut(part.id) else { continue };
            // A piece passes through the level, so the game ends its fall.
            let speed = body.velocity().y + GRAVITY;
            let at = body.aabb.min;
            let due = (body.position().y + f64::from(speed)).floor() as i32 - at.y;
            let sweep = self.level.sweep(part.pixels.at(at), Dir::Down, due as u32);
            if sweep.contact.is_some() {
                body.set_velocity(body.velocity_to(at + IVec2::new(0, sweep.moved as i32)));
                landing.push(part);
            } else {
                body.set_velocity((0.0, speed));
                self.falling.push(part);
            }
        }
        self.world.step(&self.level);
        for Falling { id, pixels: part, colors } in landing {
            let Some(body) = self.world.remove(id) else { continue };
            let at = body.aabb.min;
            self.level.paint(&part, at)?;
            for (place, color) in pixels(body.aabb).zip(&colors) {
                if let Some(index) = index(place).filter(|_| part.covers((place - at).as_uvec2())) {
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

    fn draw(&self, shells: &[(Vec2, Vec2, i32)]) -> Page {
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
        for Falling { id, pixels: part, colors } in &self.falling {
            let area = self.world.get(*id).map_or(Aabb::default(), |body| body.aabb);
            for (at, color) in pixels(area).zip(colors) {
                if part.covers((at - area.min).as_uvec2()) {
                    page.fill(Aabb::from_xywh(at.x, at.y, 1, 1), *color);
                }
            }
        }
        for worm in self.worms.iter().filter_map(|worm| self.world.get(*worm)) {
            draw_worm(&mut page, worm.aabb);
        }
        for (at, _, _) in shells {
            let at = at.as_ivec2();
            page.fill(Aabb::from_xywh(at.x - 1, at.y - 1, 3, 3), INK);
        }
        page.write(IVec2::new(4, 3), &format!("parts that fell: {}", self.landed), INK);
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

/// Draws a worm that looks up, with two eyes.
fn draw_worm(page: &mut Page, area: Aabb) {
    let Aabb { min, max } = area;
    page.paint(area, WORM, |at| {
        let is_corner = (at.x == min.x || at.x == max.x - 1) && at.y == min.y;
        !is_corner && (at.y >= max.y - 4 || (at.x >= min.x + 2 && at.x < max.x - 1))
    });
    for x in [min.x + 3, min.x + 6] {
        page.fill(Aabb::from_xywh(x, min.y + 2, 2, 3), 15);
        page.fill(Aabb::from_xywh(x + 1, min.y + 3, 1, 1), INK);
    }
}

/// Returns the pixels of a box, row by row.
fn pixels(area: Aabb) -> impl Iterator<Item = IVec2> {
    let columns = area.min.x..area.max.x;
    (area.min.y..area.max.y).flat_map(move |y| columns.clone().map(move |x| IVec2::new(x, y)))
}

/// Returns the index of the colour of a pixel, or `None` if the pixel is outside.
fn index(at: IVec2) -> Option<usize> {
    let is_inside = at.cmpge(IVec2::ZERO).all() && at.cmplt(SIZE.as_ivec2()).all();
    is_inside.then(|| (at.y * SIZE.x as i32 + at.x) as usize)
}
