//! The mover, one behaviour per test.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::{
    Aabb, Dir, Mover, MoverSettings,
    geometry::{Corners, TranslationError},
    mover::{MovePath, Response},
};

use crate::support::{SubpixelSteps, VelocityLeft, ascii, blank, grid};

fn mover(x: i32, y: i32, w: i32, h: i32, settings: MoverSettings) -> Mover {
    Mover::new(Aabb::from_xywh(x, y, w, h), settings)
}

const STRAIGHT: MoverSettings =
    MoverSettings { path: MovePath::Straight(Corners::Block), ..MoverSettings::PLAIN };

#[test]
fn the_slide_response_goes_on_along_the_other_axis() {
    let level = ascii("..........\n.....#....\n..........\n..........\n..........");
    let mut body = mover(1, 0, 2, 2, MoverSettings::PLAIN);
    let step = body.step(&level, Vec2::new(6.0, 2.5)).unwrap();
    assert_eq!((step.moved, step.leftover), (IVec2::new(2, 2), IVec2::new(4, 0)));
    assert_eq!(body.subpixel, IVec2::new(0, 32_768));
    let contact = step.contacts.right.unwrap();
    assert_eq!((contact.cell, contact.normal), (IVec2::new(5, 1), IVec2::NEG_X));
    assert_eq!(step.velocity(Vec2::new(6.0, 2.5)), Vec2::new(0.0, 2.5));
}

#[test]
fn the_stop_response_stops_both_axes() {
    let level = ascii("..........\n.....#....\n..........\n..........\n..........");
    let response = Response::Stop;
    let mut body = mover(1, 0, 2, 2, MoverSettings { response, ..MoverSettings::PLAIN });
    let step = body.step(&level, Vec2::new(6.0, 2.5)).unwrap();
    assert_eq!((step.moved, step.leftover), (IVec2::new(2, 0), IVec2::new(4, 2)));
    assert_eq!(body.subpixel, IVec2::ZERO);
}

#[test]
fn a_bounce_goes_back_by_the_distance_that_was_left() {
    let level = ascii(".........#");
    let response = Response::Bounce { restitution: 50 };
    let mut body = mover(0, 0, 2, 1, MoverSettings { response, ..MoverSettings::PLAIN });
    let step = body.step(&level, Vec2::new(12.0, 0.0)).unwrap();
    assert_eq!(body.body.min.x, 5, "7 px to the wall, half of 5 px back");
    assert_eq!(body.subpixel.x, -32_768);
    assert_eq!(step.velocity(Vec2::new(12.0, 0.0)).x, -6.0);
    let exact = step.velocity_subpixels(I64Vec2::new(12 << 16, 0));
    assert_eq!(exact, I64Vec2::new(-6 << 16, 0));
}

#[test]
fn a_slope_is_walked_up_and_down_at_an_even_speed() {
    // The ground rises one row per column, then falls.
    let rows: Vec<String> = (0..14)
        .map(|y: i32| {
            (0..40)
                .map(|x: i32| if y >= 13 - x.min(39 - x).clamp(5, 12) + 4 { '#' } else { '.' })
                .collect()
        })
        .collect();
    let level = ascii(&rows.join("\n"));
    let mut body = mover(0, 0, 3, 2, MoverSettings::platformer());
    body.step(&level, Vec2::new(0.0, 50.0)).unwrap();
    for to in [1.0, -1.0] {
        for _ in 0..36 {
            let step = body.step(&level, Vec2::new(to, 1.0)).unwrap();
            assert!(step.grounded, "{body:?}");
            assert_eq!(step.moved.x, to as i32, "{body:?}\n{}", level.grid());
        }
    }
}

#[test]
fn a_translation_out_of_range_is_an_error_and_moves_nothing() {
    let level = ascii("....");
    let mut body = mover(0, 0, 1, 1, MoverSettings::PLAIN);
    let before = body;
    let bad = body.step(&level, Vec2::new(1.0, f32::NAN));
    assert_eq!(bad, Err(TranslationError::NotFinite));
    assert_eq!(body, before);
    body.step_subpixels(&level, I64Vec2::MAX);
    assert_eq!(body.body.min.x, 3);
}

#[test]
fn a_straight_path_sweeps_exactly_the_pixels_of_the_box() {
    let level = ascii("......\n..#...\n......\n......");
    let mut body = mover(0, 0, 1, 1, STRAIGHT);
    let step = body.step(&level, Vec2::new(3.0, 3.0)).unwrap();
    assert_eq!(step.moved, IVec2::new(1, 3), "the corner of (2, 1) stops x");
}

#[test]
fn unstick_moves_a_body_to_the_nearest_free_place() {
    let level = ascii("......\n.####.\n.####.\n.####.\n......");
    let mut body = mover(2, 1, 1, 1, MoverSettings::PLAIN);
    assert_eq!(body.unstick(&level, 3), Some(IVec2::NEG_Y));
    let mut body = mover(2, 2, 1, 1, MoverSettings::PLAIN);
    assert_eq!(body.unstick(&level, 1), None);
    assert_eq!(body.unstick(&level, 2), Some(IVec2::new(0, -2)));
    let touching = body.touching(&level);
    assert!(touching.down && touching.up && !touching.left);
}

#[test]
fn a_one_way_floor_is_dropped_through_once() {
    let ledges = grid("....\n....\n.##.\n....\n.##.\n....\n....");
    let level = blank(4, 7);
    let level = level.with_one_way(Dir::Up, ledges).unwrap();
    let mut body = mover(1, 0, 2, 1, MoverSettings::platformer());
    assert!(!body.drop_through(&level), "it does not stand");
    let landed = body.step(&level, Vec2::new(0.0, 9.0)).unwrap();
    assert!(landed.landed());
    assert_eq!(body.body.max.y, 2);
    assert!(body.drop_through(&level));
    body.step(&level, Vec2::new(0.0, 9.0)).unwrap();
    assert_eq!(body.body.max.y, 4, "the next one holds it");
}

#[test]
fn a_resized_body_keeps_its_anchor_and_a_second_call_restores_it() {
    let level = blank(100, 100);
    for size in [[12, 20], [13, 21], [1, 1]] {
        for new in [[12, 10], [7, 3], [20, 31], [5, 40], [0, 0]] {
            for anchor in [None, Some(Dir::Left), Some(Dir::Right), Some(Dir::Up), Some(Dir::Down)]
            {
                let old = mover(45, 42, size[0], size[1], MoverSettings::PLAIN);
                let mut body = old;
                assert!(body.resize(&level, new.map(|side| side as u32), anchor));
                assert_eq!(body.body.size().as_ivec2(), IVec2::from_array(new));
                match anchor {
                    Some(Dir::Left) => assert_eq!(body.body.min.x, old.body.min.x),
                    Some(Dir::Right) => assert_eq!(body.body.max.x, old.body.max.x),
                    Some(Dir::Up) => assert_eq!(body.body.min.y, old.body.min.y),
                    Some(Dir::Down) => assert_eq!(body.body.max.y, old.body.max.y),
                    None => {
                        let moved = (body.body.min + body.body.max) - (old.body.min + old.body.max);
                        assert!(moved.abs().max_element() <= 1, "{old:?} {body:?}");
                    }
                }
                assert!(body.resize(&level, size.map(|side| side as u32), anchor));
                assert_eq!(body, old);
            }
        }
    }
}

#[test]
fn a_body_is_not_resized_into_a_solid_or_beyond_the_range() {
    let level = ascii("..........\n.....#....\n..........\n..........\n..........");
    let mut body = mover(4, 2, 3, 2, MoverSettings::PLAIN);
    let before = body;
    for anchor in [None, Some(Dir::Down), Some(Dir::Left), Some(Dir::Right)] {
        assert!(!body.resize(&level, [3, 5], anchor));
        assert!(!body.resize(&level, [u32::MAX, u32::MAX], anchor));
        assert_eq!(body, before);
    }
    assert!(body.resize(&level, [3, 3], Some(Dir::Up)));
    let open = level.with_outside(bitwall::Sides::all(bitwall::Outside::Open));
    let mut far = mover(i32::MAX - 3, i32::MIN, 3, 3, MoverSettings::PLAIN);
    assert!(!far.resize(&open, [4, 3], Some(Dir::Left)));
    assert!(far.resize(&open, [4, 3], Some(Dir::Right)));
}

#[test]
fn a_step_reports_that_the_body_landed_or_left_its_floor() {
    let level = ascii("....\n....\n##..\n....\n....");
    let settings = MoverSettings { snap_distance: 0, ..MoverSettings::platformer() };
    let mut body = mover(0, 0, 1, 1, settings);
    let mut seen = Vec::new();
    for motion in [(0.0, 0.5), (0.0, 3.0), (1.0, 1.0), (1.0, 0.0), (0.0, 9.0), (0.0, -1.0)] {
        let step = body.step(&level, Vec2::from(motion)).unwrap();
        seen.push((step.landed(), step.left_floor()));
    }
    let (nothing, landed, left) = ((false, false), (true, false), (false, true));
    assert_eq!(seen, [nothing, landed, nothing, left, landed, left]);
}

#[test]
fn a_step_without_a_contact_keeps_the_velocity_with_every_response() {
    let level = blank(8, 8);
    for response in [Response::Stop, Response::Slide, Response::Bounce { restitution: 50 }] {
        let settings = MoverSettings { response, ..MoverSettings::PLAIN };
        let mut free = mover(2, 2, 1, 1, settings);
        let step = free.step(&level, Vec2::new(2.0, 1.0)).unwrap();
        assert_eq!(step.velocity(Vec2::new(2.0, 1.0)), Vec2::new(2.0, 1.0), "{response:?}");
        assert_eq!(step.velocity_subpixels(I64Vec2::new(9, -7)), I64Vec2::new(9, -7));
    }
}

/// A wall that a body touches without a bounce still ends the speed toward it.
#[test]
fn a_bounce_without_restitution_ends_the_speed_into_the_wall() {
    let settings =
        MoverSettings { response: Response::Bounce { restitution: 0 }, ..MoverSettings::PLAIN };
    let mut body = mover(2, 2, 1, 1, settings);
    let step = body.step(&blank(8, 8), Vec2::new(9.0, 1.0)).unwrap();
    assert_eq!(step.velocity(Vec2::new(9.0, 1.0)), Vec2::new(0.0, 1.0));
    assert_eq!(step.velocity_subpixels(I64Vec2::new(9, 1)), I64Vec2::new(0, 1));
}

#[test]
fn unstick_clears_the_subpixel_only_of_a_body_that_it_moves() {
    let level = ascii("....\n.##.\n....");
    for (x, moved) in [(0, IVec2::ZERO), (1, IVec2::NEG_Y)] {
        let mut body = mover(x, 1, 1, 1, MoverSettings::PLAIN);
        body.subpixel = IVec2::new(300, -200);
        assert_eq!(body.unstick(&level, 4), Some(moved));
        let subpixel = if moved == IVec2::ZERO { IVec2::new(300, -200) } else { IVec2::ZERO };
        assert_eq!(body.subpixel, subpixel);
    }
}

#[test]
fn a_line_without_width_or_without_height_is_stopped_on_one_axis_on_a_straight_path() {
    let level = blank(60, 60);
    for corners in [Corners::Block, Corners::Pass] {
        let settings = MoverSettings { path: MovePath::Straight(corners), ..MoverSettings::PLAIN };
        let mut upright = mover(30, 20, 0, 4, settings);
        let step = upright.step(&level, Vec2::new(50.0, 45.0)).unwrap();
        assert_eq!((upright.body.max.x, upright.body.min.y), (60, 65), "{corners:?}");
        assert!(step.contacts.right.is_some() && step.contacts.down.is_none(), "{corners:?}");
        let mut flat = mover(20, 30, 4, 0, settings);
        let step = flat.step(&level, Vec2::new(45.0, 50.0)).unwrap();
        assert_eq!((flat.body.min.x, flat.body.max.y), (65, 60), "{corners:?}");
        assert!(step.contacts.down.is_some() && step.contacts.right.is_none(), "{corners:?}");
    }
}
