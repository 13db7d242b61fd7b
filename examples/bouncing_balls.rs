//! Balls bounce off each other, off a fixed ball, and off the walls of a mask, without a loss of energy. The
//! result is an animated picture.
//!
//! `cargo run --release --example bouncing_balls [FILE.gif]` (without a file name: in the folder for
//! temporary files)
//!
//! A step depends on the positions of all balls and not on the order in which they were added. A second world
//! has the same balls in the opposite order, and its balls stay at the same positions. At the end, the energy
//! of the balls is almost the same as at the beginning: only the rounding of velocities loses some.

mod stage {
    pub(crate) mod film;
    pub(crate) mod paint;
}

use std::error::Error;

use bitwall::glam::{IVec2, Vec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::shapes::{Circle, Convex, Touch};
use bitwall::world::{Body, BodyKind, World};
use bitwall::{Aabb, Level, Rate};

use stage::film::{Film, STEPS_A_FRAME};
use stage::paint::paint;

const STEPS: u32 = 360;
const RATE: Rate = Rate::per_second(60);
const BALLS: usize = 40;

const ROOM: Rgba<u8> = Rgba([236, 232, 222, 255]);
const ROCK: Rgba<u8> = Rgba([70, 62, 78, 255]);
const FIXED: Rgba<u8> = Rgba([120, 120, 120, 255]);
const COLORS: [Rgba<u8>; 4] = [
    Rgba([206, 58, 48, 255]),
    Rgba([52, 110, 190, 255]),
    Rgba([232, 170, 40, 255]),
    Rgba([70, 150, 84, 255]),
];

fn main() -> Result<(), Box<dyn Error>> {
    let level = Level::load("assets/island_mask.png")?;
    let bodies = bodies(&level)?;
    let (mut world, mut other) = (World::new(RATE), World::new(RATE));
    for (one, two) in bodies.iter().zip(bodies.iter().rev()) {
        world.add(*one);
        other.add(*two);
    }

    let empty = RgbaImage::from_fn(level.size().x, level.size().y, |x, y| {
        if level.is_solid(IVec2::new(x as i32, y as i32)) { ROCK } else { ROOM }
    });
    let before = energy(&world);
    let mut film = Film::create("bouncing_balls")?;
    for step in 0..STEPS {
        if step % STEPS_A_FRAME == 0 {
            let mut picture = empty.clone();
            draw(&mut picture, &world);
            film.add(picture)?;
        }
        world.step(&level);
        other.step(&level);
    }

    let change = energy(&world) / before - 1.0;
    println!("the energy has changed by {change:+.1e} of what it was");
    // Sorted, because the ids of the bodies depend on the order in which they were added.
    let places = |world: &World| {
        let mut places: Vec<_> = world
            .iter()
            .map(|(_, body)| (body.aabb.min.to_array(), body.subpixel.to_array()))
            .collect();
        places.sort_unstable();
        places
    };
    film.finish();
    if !world.pairs().is_empty() || places(&world) != places(&other) {
        return Err(
            "balls overlap, or go other ways if they are added in the opposite order".into()
        );
    }
    println!("no balls overlap; added in the opposite order they are in the same places");
    Ok(())
}

/// Creates balls of several sizes with proportional masses at free positions. The first ball is fixed.
fn bodies(level: &Level) -> Result<Vec<Body>, Box<dyn Error>> {
    let mut random = fastrand::Rng::with_seed(20);
    let mut bodies: Vec<Body> = Vec::new();
    while bodies.len() < BALLS {
        let side = random.u32(8..24);
        let (diameter, mass) = if bodies.is_empty() { (60, 0) } else { (side, side * side) };
        let x = random.i32(0..level.size().x as i32);
        let y = random.i32(0..level.size().y as i32);
        let angle = random.f32() * std::f32::consts::TAU;
        let speed = if mass == 0 { 0.0 } else { 60.0 + random.f32() * 120.0 };
        let ball = Body::ball(IVec2::new(x, y), diameter, mass as u16)
            .with_velocity(Vec2::from_angle(angle) * speed);
        if !level.overlaps(ball.aabb) && !bodies.iter().any(|other| other.overlaps(&ball)) {
            bodies.push(ball);
        }
    }
    Ok(bodies)
}

/// Returns twice the kinetic energy of all balls. Rounding loses almost nothing of it.
fn energy(world: &World) -> f64 {
    let of_body = |body: &Body| match body.kind {
        BodyKind::Ball(ball) => f64::from(ball.mass) * body.velocity().as_dvec2().length_squared(),
        _ => 0.0,
    };
    world.iter().map(|(_, body)| of_body(body)).sum()
}

fn draw(picture: &mut RgbaImage, world: &World) {
    for (number, (_, body)) in world.iter().enumerate() {
        let is_fixed = matches!(body.kind, BodyKind::Ball(ball) if ball.mass == 0);
        let color = if is_fixed { FIXED } else { COLORS[number % COLORS.len()] };
        let Aabb { min, max } = body.aabb;
        // A disc at a position between pixels is tested in `f32`, against the centre of each pixel.
        let disc =
            Circle { center: (min + max).as_vec2() / 2.0, radius: body.aabb.width() as f32 / 2.0 };
        paint(picture, body.aabb, color, |pixel| {
            disc.contains(pixel.as_vec2() + 0.5, Touch::Counts)
        });
    }
}
