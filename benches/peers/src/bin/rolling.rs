//! Bodies that slide in Rapier over the shapes of one terrain: cells, rectangles, outlines and windows.
//!
//! `cargo run --release --features engines --bin rolling` prints, for each body and shape, in how many of 40 runs
//! the body lost more than 1% of its speed on a frictionless straight surface. It exits with 1 if one did over
//! loops or over chains of windows of 16 cells, or none over single cells.

use std::process::ExitCode;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Grid, Terrain};
use rapier2d::parry::shape::PolylineFlags;
use rapier2d::prelude::{ColliderBuilder, PhysicsWorld, RigidBodyBuilder, Vector};

const RUNS: usize = 40;
const LENGTH: u32 = 200;
const SHAPES: [&str; 5] = ["cells", "rectangles", "closed windows", "outlines", "open windows"];

fn main() -> ExitCode {
    // A floor 3 cells deep, and a wall whose rows differ in depth.
    let mut floor = Grid::new(LENGTH, 12).expect("a size in range");
    let mut rough = floor.clone();
    for column in 0..LENGTH {
        floor.fill(column..column + 1, 4..7, true).expect("cells of the grid");
        rough
            .fill(column..column + 1, 4..6 + (column * 7 / 3) % 5, true)
            .expect("cells of the grid");
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

/// True if a body that slides over the shapes loses speed.
fn is_slowed(terrain: &Terrain, shape: &str, body: &str, down: Vector, run: usize) -> bool {
    let along = Vector::new(1.0, 1.0) - down;
    let mut world = PhysicsWorld::new();
    world.gravity = down * 30.0;
    colliders(terrain, shape).into_iter().for_each(|collider| {
        world.colliders.insert(collider.friction(0.0).restitution(0.0));
    });
    let speed = 3.0 + run as f32 * 0.37;
    let start = along * (2.0 + 0.013 * run as f32) + down * (4.0 - 0.45);
    let rigid = RigidBodyBuilder::dynamic().translation(start).linvel(along * speed);
    let handle = world.insert_body(rigid.can_sleep(false).lock_rotations());
    let collider = match body {
        "ball" => ColliderBuilder::ball(0.4),
        "box" => ColliderBuilder::cuboid(0.4, 0.4),
        _ => ColliderBuilder::capsule_x(0.2, 0.35),
    };
    let PhysicsWorld { colliders, bodies, .. } = &mut world;
    colliders.insert_with_parent(collider.friction(0.0).restitution(0.0), handle, bodies);
    for step in 0..600 {
        world.step();
        let body = &world.bodies[handle];
        if body.translation().dot(along) > LENGTH as f32 - 4.0 {
            break;
        }
        // It lands first.
        if step >= 40 && body.linvel().dot(along) < 0.99 * speed {
            return true;
        }
    }
    false
}

fn colliders(terrain: &Terrain, shape: &str) -> Vec<ColliderBuilder> {
    let cuboid = |area: Aabb| {
        let half = area.size().as_vec2() / 2.0;
        let middle = area.min.as_vec2() + half;
        ColliderBuilder::cuboid(half.x, half.y).translation(Vector::new(middle.x, middle.y))
    };
    let cell = |cell: UVec2| cuboid(terrain.cell_area(cell.as_ivec2()));
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
        // Each window by itself, with edges along its border.
        _ => {
            let alone = windows.map(|window| {
                let solid = terrain.rectangles_in(window);
                let size = window.size().min((all - window.min).as_uvec2());
                let grid = Grid::new(size.x, size.y).expect("a size in range");
                let mut alone = Terrain::new(grid, UVec2::ONE).expect("a cell size in range");
                for area in solid {
                    alone.set_area(area.translated(-window.min), true).expect("a dense grid");
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

/// Lines of which only the outer side collides. The winding of bitwall's loops is that of Rapier.
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
