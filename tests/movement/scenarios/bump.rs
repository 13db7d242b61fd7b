//! bump.lua: cases from its documentation and specification, and complaints of its users. `#33` in a comment
//! is issue 33 of bump.lua.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::mover::{MovePath, Response};
use bitwall::world::{Body, Event, Meeting, World};
use bitwall::{Aabb, Dir, Mover, MoverSettings, Outside, Rate, geometry::Corners};

use super::{CELLS, Image, PATHS, aabb, add, by, level_of};
use crate::support::{Subpixels, blank, rounds, scattered};

const BOUNCE: Response = Response::Bounce { restitution: 100 };
const BLOCK: MovePath = MovePath::Straight(Corners::Block);

fn mover(body: Aabb, path: MovePath, response: Response) -> Mover {
    Mover::new(body, MoverSettings { path, response, ..MoverSettings::PLAIN })
}

/// The specification of bump's responses: an item of 2 x 2 at (10, 10) moves toward three goals, and meets a
/// block of 8 x 8 at (0, 0).
#[test]
fn the_four_responses_end_at_the_positions_that_the_bump_library_specifies() {
    // Each case has the requested position, and the final positions with Stop, Slide and Bounce.
    let cases = [
        ([1, 4], [[7, 8], [1, 8], [1, 12]]),
        ([4, 1], [[8, 7], [8, 1], [12, 1]]),
        // A hit on the corner alone stops y. In bump it stops x.
        ([1, 1], [[8, 8], [1, 8], [1, 15]]),
    ];
    for image in Image::all() {
        let level = image.level(&[Aabb::from_xywh(0, 0, 8, 8)]);
        for (goal, [stop, slide, bounce]) in cases {
            if goal == [1, 1] && image.0 & 4 != 0 {
                continue;
            }
            let way = image.vector((IVec2::from(goal) - 10).as_vec2());
            for (response, end) in
                [(Response::Stop, stop), (Response::Slide, slide), (BOUNCE, bounce)]
            {
                let mut item = mover(image.boxed(10, 10, 2, 2), BLOCK, response);
                let step = by(&mut item, &level, way);
                assert_eq!(item.body, image.boxed(end[0], end[1], 2, 2), "{response:?} {image:?}");
                assert!(step.is_stopped());
            }
            let mut item = mover(image.boxed(10, 10, 2, 2), BLOCK, Response::Cross);
            let step = item.step(&level, way).unwrap();
            assert_eq!(item.body, image.boxed(goal[0], goal[1], 2, 2));
            assert!(step.is_stopped() && step.velocity(way) == way, "it is told of the block");
        }
    }
}

#[test]
fn an_item_passes_between_two_boxes_only_if_it_fits() {
    for image in Image::all() {
        for (gap, fits) in [(7, true), (6, false)] {
            let boxes = [Aabb::from_xywh(0, -90, 3, 90), Aabb::from_xywh(0, gap, 3, 90)];
            let level = image.level(&boxes);
            for speed in [1.0, 2.75, 33.0, 120.0] {
                for path in PATHS {
                    let mut item =
                        mover(image.boxed(-60, 0, 5, 7), image.path(path), Response::Slide);
                    for _ in 0..(120.0 / speed) as u32 {
                        by(&mut item, &level, image.vector(Vec2::new(speed, 0.0)));
                    }
                    let asked = (120.0 / speed) as i32 as f32 * speed;
                    let end = if fits { -60 + asked as i32 } else { -5 };
                    assert_eq!(item.body, image.boxed(end, 0, 5, 7), "{speed} {path:?} {image:?}");
                }
            }
        }
    }
}

#[test]
fn a_slide_along_a_wall_of_tiles_meets_no_seam() {
    let row = format!("#{}#", ".".repeat(38));
    let text = [vec!["#".repeat(40)], vec![row; 38], vec!["#".repeat(40)]].concat().join("\n");
    for cell in CELLS {
        let level = level_of(&text, cell);
        let size = level.size().as_ivec2();
        for (wall, path, speed) in Dir::ALL.into_iter().flat_map(|wall| {
            let speeds = [0.25, 1.0, 2.75, 17.5];
            PATHS.into_iter().flat_map(move |path| speeds.map(|speed| (wall, path, speed)))
        }) {
            let middle = Aabb::from_xywh(size.x / 2, size.y / 2, 7, 6);
            let start = middle.shifted(wall, level.sweep(middle, wall, 9_999).moved);
            for along in [wall.vector().perp().as_vec2(), -wall.vector().perp().as_vec2()] {
                let mut item = mover(start, path, Response::Slide);
                let count = (70.0 / speed) as i32;
                for _ in 0..count {
                    let step = by(&mut item, &level, along * speed + wall.vector().as_vec2() * 3.5);
                    let stopped = Dir::ALL.map(|dir| step.contacts.get(dir).is_some());
                    assert_eq!(stopped, Dir::ALL.map(|dir| dir == wall), "{item:?}");
                }
                let moved = (along * speed * count as f32).trunc().as_ivec2();
                assert_eq!(item.body, start.translated(moved), "{cell} {wall:?} {speed}");
            }
        }
    }
}

/// Issue #33: diagonal moves report a hit at a corner that is only touched.
#[test]
fn a_diagonal_move_that_only_touches_a_corner_is_free() {
    for image in Image::all() {
        let level = image.level(&[Aabb::from_xywh(0, 0, 8, 8)]);
        for length in [1, 2, 5, 6, 40] {
            for path in [BLOCK, MovePath::Straight(Corners::Pass)] {
                // The upper right corner of the item passes through the lower left corner of the block.
                let start = [-2 - 3, 8 - 3];
                let mut item = mover(image.boxed(start[0], start[1], 2, 2), path, Response::Slide);
                for _ in 0..(40 / length) {
                    let step = by(&mut item, &level, image.vector(Vec2::splat(length as f32)));
                    assert!(!step.is_stopped(), "{path:?} {image:?} {item:?}");
                }
                let gone = 40 / length * length;
                assert_eq!(item.body, image.boxed(start[0] + gone, start[1] + gone, 2, 2));
            }
        }
    }
}

/// Issue #37 and #28: a slide throws an item backwards or far aside if the item starts in a box.
#[test]
fn a_slide_never_moves_an_item_backwards_or_further_than_asked() {
    let mut random = fastrand::Rng::with_seed(37);
    let (mut inside, mut free) = (0, 0);
    for _ in 0..rounds(400) {
        let size = UVec2::new(30, 30);
        let grid = scattered(&mut random, size, 30, UVec2::new(6, 6));
        let cell = CELLS[random.usize(..3)] / 4;
        let level = bitwall::Level::from_grid(grid, cell).unwrap().with_outside(Outside::Open);
        for _ in 0..100 {
            let (x, y) = (random.i32(-4..60), random.i32(-4..60));
            let body = Aabb::from_xywh(x, y, random.i32(1..12), random.i32(1..12));
            let response = [Response::Slide, Response::Stop][random.usize(..2)];
            let mut item = mover(body, PATHS[random.usize(..4)], response);
            let asked = IVec2::new(random.i32(-40..40), random.i32(-40..40));
            let step = item.step(&level, asked.as_vec2()).unwrap();
            let (moved, sign) = (item.body.min - body.min, asked.signum());
            assert!((moved * sign).cmpge(IVec2::ZERO).all(), "{asked} {item:?}");
            assert!(moved.abs().cmple(asked.abs()).all(), "{asked} {item:?}");
            inside += usize::from(step.started_solid);
            free += usize::from(step.started_solid && moved == asked && asked != IVec2::ZERO);
        }
    }
    assert!(inside > rounds(10_000) && free > rounds(500), "{inside} {free}");
}

/// Cases of an item that starts in a box. bump moves such an item out, by up to the size of the box.
#[test]
fn an_item_that_starts_in_a_box_is_not_thrown_out_of_it() {
    for image in Image::all() {
        let level = image.level(&[Aabb::from_xywh(0, 0, 8, 8)]);
        for path in PATHS {
            let start = |x, y| mover(image.boxed(x, y, 2, 2), image.path(path), Response::Slide);
            for (x, y) in [(-1, -1), (3, -1), (-1, 3), (3, 3)] {
                let mut item = start(x, y);
                let step = by(&mut item, &level, Vec2::ZERO);
                assert!(step.started_solid && step.moved == IVec2::ZERO, "no motion moves nothing");
            }
            for speed in [0.5, 1.0, 3.0, 50.0] {
                let mut leaving = start(-1, 3);
                by(&mut leaving, &level, image.vector(Vec2::new(-speed, 0.0)));
                assert_eq!(leaving.body, image.boxed(-1 - speed as i32, 3, 2, 2));
                let mut deeper = start(-1, 3);
                let step = by(&mut deeper, &level, image.vector(Vec2::new(speed, 0.0)));
                assert_eq!(deeper.body, image.boxed(-1, 3, 2, 2));
                assert!(step.is_stopped());
            }
        }
    }
}

#[test]
fn a_slide_into_a_corner_of_two_walls_ends_in_it() {
    for image in Image::all() {
        let walls = [Aabb::from_xywh(50, -99, 20, 200), Aabb::from_xywh(-99, 50, 200, 20)];
        let level = image.level(&walls);
        for path in PATHS {
            for (x, y) in [(9.5, 9.5), (150.0, 3.0), (0.25, 80.0), (40.0, 40.0)] {
                let mut item = mover(image.boxed(0, 10, 6, 5), image.path(path), Response::Slide);
                let way = image.vector(Vec2::new(x, y));
                let mut velocity = way;
                for _ in 0..200 {
                    velocity = by(&mut item, &level, way).velocity(way);
                }
                assert_eq!(item.body, image.boxed(44, 45, 6, 5), "{path:?} {image:?}");
                assert_eq!(velocity, Vec2::ZERO);
            }
        }
    }
}

/// Returns the position after `place` is reflected between 0 and `room`.
fn reflected(place: f64, room: f64) -> f64 {
    room - (place.rem_euclid(2.0 * room) - room).abs()
}

#[test]
fn a_ball_between_walls_is_where_a_mirrored_straight_path_ends() {
    for cell in CELLS {
        let level = level_of("........\n........\n........\n........", cell);
        let size = level.size().as_ivec2();
        let room = (size - IVec2::new(6, 5)).as_dvec2();
        for path in PATHS {
            for (x, y) in [(3.25, 0.0), (-0.75, 2.5), (17.5, -9.25), (90.0, 61.25)] {
                let mut item = mover(Aabb::from_xywh(9, 7, 6, 5), path, BOUNCE);
                let start = item.position();
                let mut velocity = Vec2::new(x, y);
                for count in 1..=100 {
                    velocity = by(&mut item, &level, velocity).velocity(velocity);
                    let free = start + Vec2::new(x, y).as_dvec2() * f64::from(count);
                    let expected = [reflected(free.x, room.x), reflected(free.y, room.y)];
                    assert_eq!(item.position().to_array(), expected, "{path:?} {cell} {count}");
                }
                assert_eq!(velocity.abs(), Vec2::new(x, y).abs(), "it keeps its speed");
            }
        }
    }
}

/// Issue #44: a user asks for enter and leave events of a solid body.
#[test]
fn a_watching_body_gets_events_when_a_touch_begins_stays_and_ends() {
    let level = blank(400, 400);
    for side in Dir::ALL {
        let mut world = World::new(Rate::per_second(1));
        let wall = Aabb::from_xywh(200, 200, 10, 10);
        let block = add(&mut world, Body::platform(wall).with_category(2));
        let start = wall.shifted(side.opposite(), 15);
        let hero = Body::character(start, MoverSettings::PLAIN).with_watches(2);
        let hero = add(&mut world, hero);
        let meeting = Meeting { watcher: hero, body: block, side: Some(side) };
        let (begin, stay) = (vec![Event::Begin(meeting)], vec![Event::Stay(meeting)]);
        let expected = [vec![], begin, stay.clone(), stay, vec![Event::End(meeting)], vec![]];
        for (speed, events) in [4, 4, 4, 4, -4, -4].into_iter().zip(expected) {
            world.get_mut(hero).unwrap().set_velocity(side.vector().as_vec2() * speed as f32);
            world.step(&level);
            assert_eq!(world.events(), events, "{side:?}");
        }
        assert_eq!(aabb(&world, hero), start.shifted(side.opposite(), 3));
    }
}

/// Issue #62: a user asks for an item that crosses other items and is stopped by the level only.
#[test]
fn a_ghost_crosses_bodies_with_an_event_for_each_and_stops_at_the_level() {
    for image in Image::all() {
        let level = image.level(&[Aabb::from_xywh(100, -99, 9, 200)]);
        let mut world = World::new(Rate::per_second(1));
        let block = add(&mut world, Body::platform(image.boxed(20, 0, 10, 10)));
        let hero = image.boxed(60, 0, 10, 10);
        let hero = add(&mut world, Body::character(hero, MoverSettings::PLAIN));
        let ghost = Body::character(image.boxed(0, 0, 10, 10), MoverSettings::PLAIN);
        let ghost = ghost.with_category(2).with_collides_with(2).with_watches(1);
        let velocity = image.vector(Vec2::new(4.0, 0.0));
        let ghost = add(&mut world, ghost.with_velocity(velocity));
        let mut met = Vec::new();
        for _ in 0..40 {
            world.step(&level);
            let begun = world.events().iter().filter_map(|event| match event {
                Event::Begin(Meeting { watcher, body, side: None }) => Some((*watcher, *body)),
                _ => None,
            });
            met.extend(begun);
        }
        assert_eq!(met, [(ghost, block), (ghost, hero)]);
        assert_eq!(aabb(&world, ghost), image.boxed(90, 0, 10, 10));
        assert_eq!(world.get(ghost).unwrap().velocity_subpixels(), I64Vec2::ZERO);
        assert_eq!(aabb(&world, hero), image.boxed(60, 0, 10, 10), "nobody is moved");
    }
}
