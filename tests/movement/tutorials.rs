//! The systems of five tutorials that are about levels: the fault of the method that a tutorial uses, and the
//! answer of bitwall. A prefix such as `s8_` is the number of a system, as `guide::tutorials` lists them. The
//! systems about shapes are in `shapes::tutorials`, and the systems about many bodies are in `world`.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::world::{Body, World};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, LoadOptions, Mover, MoverSettings, Outside, Rate,
    geometry::Corners,
};

use crate::support::{
    self, Stopwatch, SubpixelSteps, ascii, blank, cells, grid, layer, map, shaped, tiles, tileset,
};

/// The method of the tutorial: it tests only the position at the end of the step.
fn is_free_at_the_end(level: &Level, body: Aabb, dir: Dir, step: u32) -> bool {
    !level.overlaps(body.shifted(dir, step))
}

#[test]
fn s5_a_tile_with_a_collision_shape_is_solid_where_the_shape_is() {
    let slope = shaped(r#"<object id="1" x="0" y="0"><polygon points="0,8 8,8 8,0"/></object>"#);
    let content = tileset([8, 8], 1, &slope) + &layer(r#"name="ground""#, [2, 1], "0,1");
    let map = map("", [2, 1], [8, 8], &content);
    let level = support::load(&map, &LoadOptions::default());
    let body = Aabb::from_xywh(4, 0, 4, 4);
    // If the second cell were solid as a whole, the body could not enter it. With its slope the body gets
    // half-way.
    let whole_cell = tiles(".#", 8);
    assert_eq!(whole_cell.sweep(body, Dir::Right, 8).moved, 0);
    assert_eq!(level.sweep(body, Dir::Right, 8).moved, 4);
    let lower = Aabb::from_xywh(0, 4, 4, 4);
    let mut walker = Mover::new(lower, MoverSettings::platformer());
    for _ in 0..8 {
        walker.step(&level, Vec2::new(1.0, 1.0)).unwrap();
    }
    assert_eq!(walker.body.min, IVec2::new(8, 0), "it walked up the slope");
}

#[test]
fn s6_ledges_at_any_place_are_met_without_a_test_of_each_ledge() {
    let mut random = fastrand::Rng::with_seed(6);
    let mut grid = Grid::new(1_000, 600).unwrap();
    let mut ledges = Vec::new();
    for _ in 0..400 {
        let ledge = Aabb::from_xywh(random.i32(0..950), random.i32(0..590), random.i32(5..50), 3);
        ledges.push(ledge);
        let [min, max] = [ledge.min.as_uvec2(), ledge.max.as_uvec2()];
        grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
    }
    let level = cells(grid, 1).with_outside(Outside::Open);
    for _ in 0..2_000 {
        let body = Aabb::from_xywh(random.i32(0..990), random.i32(0..500), 12, 20);
        if ledges.iter().any(|ledge| ledge.overlaps(body)) {
            continue;
        }
        let below = ledges.iter().filter(|ledge| ledge.min.y >= body.max.y);
        let under = below.filter(|ledge| ledge.min.x < body.max.x && body.min.x < ledge.max.x);
        let by_list = under.map(|ledge| ledge.min.y - body.max.y).min();
        let fall = level.sweep(body, Dir::Down, 1_000);
        assert_eq!(fall.contact.map(|_| fall.moved as i32), by_list);
    }
}

#[test]
fn s8_a_wall_thinner_than_the_step_is_not_jumped_over() {
    let level = ascii("..........#.........");
    let body = Aabb::from_xywh(2, 0, 4, 1);
    assert!(is_free_at_the_end(&level, body, Dir::Right, 10), "the tutorial is past the wall");
    assert!(!level.can_move(body, Dir::Right, 10));
    assert_eq!(level.sweep(body, Dir::Right, 10).moved, 4);
}

#[test]
fn s8_left_is_tested_like_right_and_the_outside_is_solid_or_open() {
    let level = ascii(".........#..........");
    let body = Aabb::from_xywh(14, 0, 4, 1);
    assert_eq!(level.sweep(body, Dir::Left, 10).moved, 4);
    assert!(!level.can_move(body, Dir::Right, 3), "solid, unless the game says otherwise");
    assert!(level.with_outside(Outside::Open).can_move(body, Dir::Right, 3));
}

#[test]
fn s9_a_walker_climbs_slopes_and_enters_isometric_maps() {
    let rows: Vec<String> = (0..20)
        .map(|y| (0..40).map(|x| if y >= 19 - x / 2 { '#' } else { '.' }).collect())
        .collect();
    let level = ascii(&rows.join("\n"));
    let mut walker = Mover::new(Aabb::from_xywh(0, 8, 3, 6), MoverSettings::platformer());
    walker.step(&level, Vec2::new(0.0, 20.0)).unwrap();
    for _ in 0..20 {
        let step = walker.step(&level, Vec2::new(1.0, 0.5)).unwrap();
        assert_eq!((step.moved.x, step.grounded), (1, true));
    }
    let content = tileset([16, 8], 1, "") + &layer(r#"name="walls""#, [2, 2], "0,1,0,0");
    let map = map(r#"orientation="isometric""#, [2, 2], [16, 8], &content);
    let loaded = support::load_all(&map, &LoadOptions::default());
    let (level, projection) = (&loaded.level, loaded.projection().unwrap());
    let body = Aabb::from_xywh(0, 0, 4, 4);
    assert_eq!(level.sweep(body, Dir::Right, 20).moved, 4, "the diamond to the right is solid");
    assert_eq!(level.sweep(body, Dir::Down, 20).moved, 12);
    let seen = projection.map_to_screen(bitwall::glam::DVec2::new(8.0, 0.0));
    assert_eq!(seen.x - projection.map_to_screen(bitwall::glam::DVec2::ZERO).x, 8.0);
}

#[test]
fn s10_a_sprite_collides_by_its_pixels_instead_of_its_box() {
    let level = ascii("......#\n.......\n.......");
    let sprite = Footprint::from_grid(&grid("#..\n##.\n###")).unwrap();
    let at = IVec2::new(3, 0);
    let boxed = level.sweep(sprite.bounds(at), Dir::Right, 4);
    let own = level.sweep(sprite.at(at), Dir::Right, 4);
    assert_eq!((boxed.moved, own.moved), (0, 1), "its slanted side fits under the pixel");
    let start = Stopwatch::start();
    let large = Footprint::circle(64).unwrap();
    let open = blank(4_096, 4_096);
    let overlaps = (0..10_000).filter(|at| open.overlaps(large.at(IVec2::splat(*at % 4_000))));
    assert_eq!(overlaps.count(), 0);
    assert!(start.elapsed().as_millis() < 2_000, "10,000 tests of 3,216 pixels each");
}

#[test]
fn s11_a_walker_does_not_leave_the_picture() {
    let level = blank(64, 48);
    let mut walker = Mover::new(Aabb::from_xywh(20, 20, 16, 24), MoverSettings::top_down());
    for towards in
        [Vec2::new(3.7, 0.0), Vec2::new(0.0, 5.3), Vec2::new(-8.1, 0.0), Vec2::new(0.0, -2.9)]
    {
        for _ in 0..40 {
            walker.step(&level, towards).unwrap();
        }
        let body = walker.body;
        assert!(body.min.cmpge(IVec2::ZERO).all() && body.max.cmple(IVec2::new(64, 48)).all());
    }
    assert_eq!(walker.body.min, IVec2::ZERO, "it stands in the corner, to the pixel");
}

#[test]
fn s14_a_square_stops_at_the_wall_at_any_speed() {
    let level = ascii("............#.......\n............#.......");
    let body = Aabb::from_xywh(0, 0, 2, 2);
    // The tutorial moves, tests and moves back. With 4 px a step it stops 2 px before the wall, and with 14
    // px it goes through.
    let mut x = 0;
    while x < 16 && is_free_at_the_end(&level, body.translated(IVec2::new(x, 0)), Dir::Right, 4) {
        x += 4;
    }
    assert_eq!(x, 8);
    assert!(is_free_at_the_end(&level, body, Dir::Right, 14));
    for speed in [4.0, 14.0, 1_000_000.0] {
        let mut square = Mover::new(body, MoverSettings::PLAIN);
        for _ in 0..6 {
            square.step(&level, Vec2::new(speed, 0.0)).unwrap();
        }
        assert_eq!(square.body.min.x, 10, "at the wall, at every speed");
    }
}

#[test]
fn s16_a_fixed_step_gives_the_same_walk_at_every_frame_rate() {
    let level = ascii(&["................................"; 20].join("\n"));
    let walk = |frames_a_second: i64| {
        let mut walker = Mover::new(Aabb::from_xywh(0, 0, 4, 4), MoverSettings::platformer());
        let (mut due, mut steps) = (0, 0);
        for _ in 0..frames_a_second {
            // Time is counted in 1/3,600 of a second, so that 60 steps a second need no rounding.
            due += 3_600 / frames_a_second;
            while due >= 60 {
                due -= 60;
                steps += 1;
                walker.step_subpixels(
                    &level,
                    I64Vec2::new(i64::from(Mover::SUBPIXELS) / 3, steps * 900),
                );
            }
        }
        walker
    };
    let at_sixty = walk(60);
    for rate in [10, 25, 30, 50, 72, 120, 144] {
        assert_eq!(walk(rate), at_sixty, "{rate} frames a second");
    }
    assert_eq!(at_sixty.body.min.x, 19);
}

#[test]
fn s19_each_pair_is_found_once_and_never_a_body_with_itself() {
    let mut random = fastrand::Rng::with_seed(19);
    let mut world = World::new(Rate::per_second(1));
    let mut boxes = Vec::new();
    for _ in 0..300 {
        let body = Aabb::from_xywh(random.i32(-99..300), random.i32(-99..300), 20, 30);
        boxes.push((world.add(Body::sensor(body)), body));
    }
    let mut every_pair = Vec::new();
    for (at, (one, body)) in boxes.iter().enumerate() {
        let later = boxes[at + 1..].iter().filter(|(_, other)| body.overlaps(*other));
        every_pair.extend(later.map(|(other, _)| (*one, *other)));
    }
    assert!(every_pair.len() > 500);
    assert_eq!(world.pairs(), every_pair);
}

#[test]
fn a_solid_blocks_line_of_sight_and_its_corner_only_with_corners_block() {
    let level = ascii(".....\n..#..\n.....");
    let (tower, enemy) = (IVec2::new(0, 1), IVec2::new(4, 1));
    assert!(!level.line_of_sight(tower, enemy, Corners::Block));
    let (beside, above) = (IVec2::new(1, 1), IVec2::new(2, 0));
    assert!(!level.line_of_sight(beside, above, Corners::Block), "past the corner of the solid");
    assert!(level.line_of_sight(beside, above, Corners::Pass));
}
