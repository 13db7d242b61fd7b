//! Bodies slide in Rapier over the shapes of one terrain: cells, rectangles, outlines and windows.
//!
//! `cargo run --release --features engines --bin rolling` prints, for each body and shape, in how many of 40
//! runs the body lost more than 1% of its speed on a frictionless straight surface. It exits with 1 if a body
//! lost speed over loops or over chains of windows of 16 cells, or if none did over single cells.
//!
//! With a path (`--bin rolling -- FILE.gif`) it writes an animated picture instead: a ball rolls with
//! friction over the same floor as cells, as closed windows and as chains of windows, and its speed is shown.

#[path = "../../../../examples/stage/flip_book.rs"]
mod flip_book;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Grid, Terrain};
use flip_book::{FlipBook, Page};
use rapier2d::parry::shape::PolylineFlags;
use rapier2d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, RigidBodyHandle, Vector};

const RUNS: usize = 40;
const LENGTH: u32 = 200;
const SHAPES: [&str; 5] = ["cells", "rectangles", "closed windows", "outlines", "open windows"];

fn main() -> ExitCode {
    // A floor that is 3 cells deep, and a surface whose columns are solid to different depths.
    let mut floor = Grid::new(LENGTH, 12).expect("a size in range");
    let mut rough = floor.clone();
    for column in 0..LENGTH {
        floor.fill(column..column + 1, 4..7, true).expect("cells of the grid");
        rough
            .fill(column..column + 1, 4..6 + (column * 7 / 3) % 5, true)
            .expect("cells of the grid");
    }
    if let Some(path) = std::env::args_os().nth(1) {
        let floor = Terrain::new(floor, UVec2::ONE).expect("a cell size in range");
        return match film(&floor, Path::new(&path)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let wall = rough.transposed();
    let mut is_good = true;
    for (name, grid, down) in [("floor", floor, Vector::Y), ("wall", wall, Vector::X)] {
        let terrain = Terrain::new(grid, UVec2::ONE).expect("a cell size in range");
        for body in ["ball", "box", "capsule"] {
            for shape in SHAPES {
                let slowed = (0..RUNS).filter(|run| is_slowed(&terrain, shape, body, down, *run));
                let slowed = slowed.count();
                println!("{name:<6} {body:<8} {shape:<15} slowed in {slowed:>2} of {RUNS} runs");
                is_good &= match shape {
                    "cells" => slowed > 0,
                    "outlines" | "open windows" => slowed == 0,
                    _ => true,
                };
            }
        }
    }
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Creates a world with the shapes and a body that moves along them. If `friction` is above 0, the body can
/// rotate.
fn scene(
    (terrain, shape): (&Terrain, &str),
    body: &str,
    down: Vector,
    [start, speed, friction]: [f32; 3],
) -> (PhysicsWorld, RigidBodyHandle) {
    let along = Vector::new(1.0, 1.0) - down;
    let mut world = PhysicsWorld::new();
    world.gravity = down * 30.0;
    colliders(terrain, shape).into_iter().for_each(|collider| {
        world.colliders.insert(collider.friction(friction).restitution(0.0));
    });
    let place = along * start + down * (4.0 - 0.45);
    let mut rigid = RigidBodyBuilder::dynamic().translation(place).linvel(along * speed);
    if friction == 0.0 {
        rigid = rigid.lock_rotations();
    }
    let handle = world.insert_body(rigid.can_sleep(false));
    let collider = match body {
        "ball" => ColliderBuilder::ball(0.4),
        "box" => ColliderBuilder::cuboid(0.4, 0.4),
        _ => ColliderBuilder::capsule_x(0.2, 0.35),
    };
    let PhysicsWorld { colliders, bodies, .. } = &mut world;
    colliders.insert_with_parent(collider.friction(friction).restitution(0.0), handle, bodies);
    (world, handle)
}

/// True if a body that slides over the shapes loses speed.
fn is_slowed(terrain: &Terrain, shape: &str, body: &str, down: Vector, run: usize) -> bool {
    let along = Vector::new(1.0, 1.0) - down;
    let speed = 3.0 + run as f32 * 0.37;
    let motion = [2.0 + 0.013 * run as f32, speed, 0.0];
    let (mut world, handle) = scene((terrain, shape), body, down, motion);
    for step in 0..600 {
        world.step();
        let body = &world.bodies[handle];
        if body.translation().dot(along) > LENGTH as f32 - 4.0 {
            break;
        }
        // The body first has 40 steps to land.
        if step >= 40 && body.linvel().dot(along) < 0.99 * speed {
            return true;
        }
    }
    false
}

/// The pixels per unit of length in the animated picture, and the number of units that it shows.
const ZOOM: f32 = 8.0;
const SHOWN: i32 = 60;
/// The colours: sky, ground, the ground of every second part, edge, ball, text.
const PALETTE: [[u8; 3]; 6] =
    [[236, 242, 246], [206, 182, 148], [190, 164, 128], [150, 60, 20], [40, 90, 170], [50, 50, 60]];

/// Writes the animated picture, with a lane for each kind of shapes.
fn film(floor: &Terrain, path: &Path) -> Result<(), Box<dyn Error>> {
    let (lane, motion) = (IVec2::new(0, 64), [2.0, 10.0, 1.0]);
    let mut lanes = [("cells", 1), ("closed windows", 16), ("open windows", 16)]
        .map(|(shape, side)| (shape, side, scene((floor, shape), "ball", Vector::Y, motion)));
    let size = UVec2::new(SHOWN as u32 * ZOOM as u32, lanes.len() as u32 * 64);
    let mut film = FlipBook::create(path, size, &PALETTE)?;
    for step in 0..420 {
        let mut page = Page::new(size, 0);
        for (top, (shape, side, (world, ball))) in (0..).map(|at| at * lane).zip(&mut lanes) {
            let pixel = |x: f32, y: f32| top + (Vec2::new(x, y) * ZOOM).as_ivec2();
            for x in (0..SHOWN).step_by(*side as usize) {
                let (min, max) = (pixel(x as f32, 4.0), pixel((x + *side) as f32, 7.0));
                page.fill(Aabb { min, max }, 1 + (x / *side % 2) as u8);
                page.fill(Aabb { min, max: max.with_y(min.y + 1) }, 3);
            }
            world.step();
            let body = &world.bodies[*ball];
            let middle = pixel(body.translation().x, body.translation().y);
            let square = Aabb { min: middle - 4, max: middle + 5 };
            page.paint(square, 4, |at| (at - middle).length_squared() <= 13);
            let spoke = Vec2::from_angle(body.rotation().angle());
            for at in 0..4 {
                let min = middle + (spoke * at as f32).round().as_ivec2();
                page.fill(Aabb { min, max: min + 1 }, 0);
            }
            page.write(top + 4, &format!("{shape}: speed {:.2}", body.linvel().x), 5);
        }
        if step % 3 == 0 {
            film.add(page, 5)?;
        }
    }
    film.turn()?;
    println!("{} frames in {}", film.frames, path.display());
    Ok(())
}

fn colliders(terrain: &Terrain, shape: &str) -> Vec<ColliderBuilder> {
    let cuboid = |area: Aabb| {
        let half = area.size().as_vec2() / 2.0;
        let middle = area.min.as_vec2() + half;
        ColliderBuilder::cuboid(half.x, half.y).translation(Vector::new(middle.x, middle.y))
    };
    let cell = |cell: UVec2| cuboid(terrain.cell_box(cell.as_ivec2()));
    let all = terrain.size().as_ivec2();
    let windows = (0..all.y).step_by(16).flat_map(|y| (0..all.x).step_by(16).map(move |x| (x, y)));
    let windows = windows.map(|(x, y)| Aabb::from_xywh(x, y, 16, 16));
    match shape {
        "cells" => terrain.grid().iter_solid().map(cell).collect(),
        "rectangles" => terrain.rectangles().into_iter().map(cuboid).collect(),
        "outlines" => {
            let outlines = terrain.outlines();
            vec![lines(outlines.loops().map(|outline| (outline.points.to_vec(), true)))]
        }
        "open windows" => {
            let chains = windows.map(|window| terrain.chains_in(window));
            let chains = chains.filter(|chains| !chains.is_empty());
            let of_window = |chain: bitwall::outline::Chain| (chain.points, chain.ghosts.is_none());
            chains.map(|chains| lines(chains.into_iter().map(of_window))).collect()
        }
        // Each window is treated as a separate level, so it has edges along its border too.
        _ => {
            let alone = windows.map(|window| {
                let solid = terrain.rectangles_in(window);
                let size = window.size().min((all - window.min).as_uvec2());
                let grid = Grid::new(size.x, size.y).expect("a size in range");
                let mut alone = Terrain::new(grid, UVec2::ONE).expect("a cell size in range");
                for area in solid {
                    alone.set_box(area.translated(-window.min), true).expect("a dense grid");
                }
                let outlines = alone.outlines();
                let at = |points: &[IVec2]| points.iter().map(|at| *at + window.min).collect();
                (outlines.loops().len() > 0)
                    .then(|| lines(outlines.loops().map(|outline| (at(outline.points), true))))
            });
            alone.flatten().collect()
        }
    }
}

/// Creates lines that collide only on their outer side. bitwall's loops have the same winding as Rapier's.
fn lines(all: impl Iterator<Item = (Vec<IVec2>, bool)>) -> ColliderBuilder {
    let (mut points, mut edges) = (Vec::new(), Vec::new());
    for (line, is_closed) in all {
        let first = points.len() as u32;
        points.extend(line.iter().map(|point| Vector::new(point.x as f32, point.y as f32)));
        let last = points.len() as u32 - 1;
        edges.extend((first..last).map(|at| [at, at + 1]));
        edges.extend(is_closed.then_some([last, first]));
    }
    ColliderBuilder::polyline_with_flags(points, Some(edges), PolylineFlags::ORIENTED)
}
