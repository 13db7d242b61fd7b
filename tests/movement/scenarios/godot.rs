//! Godot: known complaints about `CharacterBody2D` and tile maps. `#42914` in a comment is issue 42914 of
//! Godot.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::world::{Body, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Outside, Rate};

use super::{CELLS, Image, aabb, add, by, gap, level_of, mirrored, platformer};
use crate::support::{Subpixels, blank};

/// Issue #42914: a body that passes a one-way platform jumps by the collision margin.
#[test]
fn a_body_that_rises_past_a_one_way_edge_is_not_moved_by_it() {
    for cell in CELLS {
        let level = level_of("...\n...\n---\n...\n...", cell);
        let edge = 2 * cell.y as i32;
        for speed in [0.25, 0.75, 1.0, 2.5, 7.0] {
            for start in edge - 9..=edge + cell.y as i32 {
                let mut hero = platformer(Aabb::from_xywh(3, start, 4, 3));
                let from = hero.position().y;
                let count = (2.0 * cell.y as f32 / speed) as i32;
                for step in 1..=count {
                    by(&mut hero, &level, Vec2::new(0.0, -speed));
                    let expected = from - f64::from(speed) * f64::from(step);
                    assert_eq!(hero.position().y, expected.max(0.0), "{cell} {speed} {start}");
                }
                let was_above = hero.body.max.y <= edge;
                let far = (3.0 * cell.y as f32 / speed) as i32;
                for _ in 0..far {
                    by(&mut hero, &level, Vec2::new(0.0, speed));
                }
                assert_eq!(hero.body.max.y == edge, was_above, "{cell} {speed} {start}");
            }
        }
    }
}

/// Issue #71769: a body falls through a one-way platform between two tiles.
#[test]
fn a_walk_over_one_way_and_solid_cells_in_turn_never_falls() {
    let text = "............\n............\n#-#--##-#-##\n............\n............";
    for text in [text.to_owned(), mirrored(text)] {
        for cell in CELLS {
            let level = level_of(&text, cell);
            let (end, floor) = (12 * cell.x as i32, 2 * cell.y as i32);
            for width in [1, 4, 5, 8, 15, 16, 17, 33] {
                for speed in [0.25, 1.0, 2.75, 16.0] {
                    let ways = [(1, speed), (end - width - 1, -speed)];
                    for (start, to) in ways {
                        let mut hero = platformer(Aabb::from_xywh(start, floor - 6, width, 6));
                        let count = ((end - width - 2) as f32 / speed) as i32;
                        for _ in 0..count {
                            let step = by(&mut hero, &level, Vec2::new(to, 0.75));
                            assert!(step.grounded, "{cell} {hero:?}");
                        }
                        let x = start + (to * count as f32) as i32;
                        assert_eq!(hero.body.min, IVec2::new(x, floor - 6), "{cell} {width} {to}");
                    }
                }
            }
        }
    }
}

/// Issue #91494: the contact with a corner has a wrong normal.
#[test]
fn each_contact_names_the_cell_and_the_normal_of_its_face() {
    for cell in CELLS {
        let level = level_of(".......\n.......\n..###..\n..###..\n.......\n.......", cell);
        let level = level.with_outside(Outside::Open);
        let size = cell.as_ivec2();
        let block = Aabb { min: size * 2, max: size * IVec2::new(5, 4) };
        for dir in Dir::ALL {
            for across in -12..60 {
                for speed in [1.0, 3.5, 90.0] {
                    let side = dir.vector().perp().abs();
                    let at = block.min * side + side * across;
                    let body = Aabb::from_xywh(at.x, at.y, 4, 4);
                    let far = match dir {
                        Dir::Right | Dir::Down => -12,
                        Dir::Left | Dir::Up => 100,
                    };
                    let body = body.translated(dir.vector().abs() * far);
                    let mut item = Mover::new(body, MoverSettings::PLAIN);
                    let is_met =
                        (-3..(block.size().as_ivec2() * side).element_sum()).contains(&across);
                    let mut contact = None;
                    for _ in 0..(130.0 / speed) as i32 {
                        let step = by(&mut item, &level, dir.vector().as_vec2() * speed);
                        let others = Dir::ALL.into_iter().filter(|other| *other != dir);
                        assert!(
                            others.map(|other| step.contacts.get(other)).all(|it| it.is_none())
                        );
                        contact = contact.or(step.contacts.get(dir));
                    }
                    assert_eq!(contact.is_some(), is_met, "{cell} {dir:?} {across} {speed}");
                    let Some(contact) = contact else { continue };
                    let met = item.body.shifted(dir, 1).intersection(block).min;
                    assert_eq!((contact.cell, contact.normal), (met / size, -dir.vector()));
                    assert_eq!(gap(item.body, dir, block), 0, "it touches the face");
                }
            }
        }
    }
}

/// Issue #87477: a body is stuck under a ceiling of tiles.
#[test]
fn a_body_that_jumps_under_a_ceiling_of_tiles_keeps_its_running_speed() {
    let text = ["#".repeat(40), ".".repeat(40), ".".repeat(40), "#".repeat(40)].join("\n");
    for cell in CELLS {
        let level = level_of(&text, cell);
        let (top, bottom) = (cell.y as i32, 3 * cell.y as i32);
        for to in [1.25_f32, -1.25, 4.0, -4.0] {
            let start = if to > 0.0 { 1 } else { 40 * cell.x as i32 - 7 };
            let mut hero = platformer(Aabb::from_xywh(start, bottom - 6, 6, 6));
            let (mut fall, mut bumps) = (0.0_f32, 0);
            let count = ((40 * cell.x - 9) as f32 / to.abs()) as i32;
            for _ in 0..count {
                fall = if hero.steps_since_grounded == 0 { -5.0 } else { fall + 0.5 };
                let before = hero.body.max.y;
                let step = by(&mut hero, &level, Vec2::new(to, fall));
                if step.contacts.up.is_some() {
                    assert_eq!(hero.body.min.y, top, "it reaches the ceiling");
                    bumps += 1;
                } else if before - 6 == top && fall >= 1.0 {
                    assert!(step.moved.y > 0, "it falls at once");
                }
                fall = step.velocity(Vec2::new(to, fall)).y;
            }
            assert_eq!(hero.body.min.x, start + (to * count as f32) as i32, "{cell} {to}");
            assert!(bumps > 0);
        }
    }
}

/// Issue #88067: a body that spawns in the ground is never grounded, and is pushed about.
#[test]
fn a_body_of_a_world_that_spawns_in_the_ground_waits_there_and_gets_out() {
    for image in Image::left_and_right() {
        let level = image.level(&[Aabb::from_xywh(-200, 50, 400, 150)]);
        for depth in 1..=16 {
            let mut world = World::new(Rate::per_second(1));
            let body = image.boxed(0, 40 + depth, 6, 10);
            let hero = Body::character(body, MoverSettings::platformer());
            let hero = hero.with_acceleration_subpixels(I64Vec2::new(0, 20_000));
            let hero = add(&mut world, hero);
            (0..50).for_each(|_| world.step(&level));
            assert_eq!(aabb(&world, hero), body, "nothing pushes it");
            let out = world.unstick(&level, hero, 12);
            assert_eq!(out, (depth <= 12).then_some(IVec2::new(0, -depth)));
            if out.is_some() {
                world.get_mut(hero).unwrap().set_velocity_subpixels(I64Vec2::new(98_304, 0));
                (0..20).for_each(|_| world.step(&level));
                assert_eq!(aabb(&world, hero).min, body.min + IVec2::new(30, -depth));
            }
        }
    }
}

/// Issue #47366: a body is held in a moving platform, or passes through it.
#[test]
fn a_platform_pushes_a_body_out_of_its_way_from_any_side() {
    let level = blank(1_000, 1_000);
    for dir in Dir::ALL {
        for speed in [0.25, 1.0, 3.75, 16.0, 60.0] {
            for against in [0.0, 1.5, 20.0] {
                let mut world = World::new(Rate::per_second(1));
                let velocity = dir.vector().as_vec2() * speed;
                let start = Aabb::from_xywh(500, 500, 20, 20);
                let platform = Body::platform(start).with_velocity(velocity);
                let platform = add(&mut world, platform);
                let hero = Body::character(start.shifted(dir, 25), MoverSettings::PLAIN);
                let hero = add(&mut world, hero);
                let count = 30.0_f32.max(30.0 / speed).min(400.0 / speed) as i32;
                for _ in 0..count {
                    let back = hero_velocity(dir, -against);
                    world.get_mut(hero).unwrap().set_velocity_subpixels(back);
                    world.step(&level);
                    assert!(world.pairs().is_empty() && world.events().is_empty());
                }
                let gone = (speed * count as f32) as u32;
                assert_eq!(aabb(&world, platform), start.shifted(dir, gone));
                let left = gap(aabb(&world, platform), dir, aabb(&world, hero));
                let far = if gone >= 5 || against > 0.0 { 0 } else { 5 - gone as i32 };
                assert_eq!(left, far, "{speed} {against}");
                world.get_mut(platform).unwrap().set_velocity_subpixels(I64Vec2::ZERO);
                let from = aabb(&world, hero);
                for way in Dir::ALL.into_iter().filter(|way| *way != dir.opposite()) {
                    world.get_mut(hero).unwrap().aabb = from;
                    world.get_mut(hero).unwrap().set_velocity_subpixels(hero_velocity(way, 2.0));
                    world.step(&level);
                    assert_eq!(aabb(&world, hero), from.shifted(way, 2), "free to go");
                }
            }
        }
    }
}

fn hero_velocity(dir: Dir, speed: f32) -> I64Vec2 {
    (dir.vector().as_vec2() * speed * Mover::SUBPIXELS as f32).as_i64vec2()
}

/// Issue #64362 and melonJS#538: users ask for one-way cells that also block motion from the sides, on any
/// axis.
#[test]
fn a_one_way_cell_stops_motions_on_its_guarded_sides_only() {
    for cell in CELLS {
        let size = cell.as_ivec2();
        for guarded in 0..16_u32 {
            let guards = |side: Dir| guarded >> (side as u32) & 1 == 1;
            let mut level = Level::from_grid(Grid::new(5, 5).unwrap(), cell).unwrap();
            for side in Dir::ALL.into_iter().filter(|side| guards(*side)) {
                let one = Grid::from_text(".....\n.....\n..#..\n.....\n.....").unwrap();
                level = level.with_one_way(side, one).unwrap();
            }
            let middle = Aabb { min: size * 2, max: size * 3 };
            for dir in Dir::ALL {
                for speed in [0.5, 1.0, 2.75, 30.0] {
                    let body = Aabb { min: middle.min + 1, max: middle.min + 4 };
                    let extent = (size * dir.vector().abs()).element_sum() as u32;
                    let body = body.shifted(dir.opposite(), extent);
                    let mut item = Mover::new(body, MoverSettings::PLAIN);
                    let count = (80.0 / speed) as i32;
                    for _ in 0..count {
                        by(&mut item, &level, dir.vector().as_vec2() * speed);
                    }
                    let whole = Aabb { min: IVec2::ZERO, max: size * 5 };
                    let stop = match guards(dir.opposite()) {
                        true => gap(body, dir, middle),
                        false => gap(body, dir, whole.shifted(dir, 5 * extent)),
                    };
                    assert_eq!(item.body, body.shifted(dir, stop as u32), "{cell} {guarded:04b}");
                }
            }
        }
    }
}
