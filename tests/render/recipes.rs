//! The pictures of the page of recipes, `src/guide/recipes.md`, and of doors in `ways.md`. Each plays a recipe and draws the bodies at
//! several steps over the level, as [`check`] tests it.

use std::f32::consts::TAU;

use bitwall::character::{Feel, Input, Stance};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::image::{Rgba, RgbaImage};
use bitwall::navigate::Search;
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::world::{Body, Path, Player, World};
use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings, Rate, Sides, Terrain};

use super::drawings::check;
use crate::support::asset;

const GREEN: Rgba<u8> = Rgba([60, 130, 80, 110]);
const RED: Rgba<u8> = Rgba([206, 92, 60, 110]);
const BLUE: Rgba<u8> = Rgba([40, 100, 180, 110]);
const WOOD: Rgba<u8> = Rgba([150, 108, 66, 110]);
const YELLOW: Rgba<u8> = Rgba([230, 180, 60, 255]);

const RATE: Rate = Rate::per_second(60);

fn grid(rows: &[&str]) -> Grid {
    Grid::from_text(&rows.join("\n")).unwrap()
}

fn level(rows: &[&str]) -> Level {
    Level::from_grid(grid(rows), UVec2::splat(16)).unwrap()
}

/// Draws a part of a level, with `boxes` in their colours and a line through `points`.
fn picture(
    level: &Level,
    region: Option<Aabb>,
    boxes: &[(Aabb, Rgba<u8>)],
    points: &[IVec2],
) -> RgbaImage {
    let overlay = Overlay { labels: false, markers: false, ..Overlay::new(2) };
    let options = DrawOptions { region, overlay, ..DrawOptions::default() };
    let mut canvas = render::canvas(level, &options).unwrap();
    for (area, color) in boxes {
        canvas.fill(*area, *color);
    }
    canvas.line(points, YELLOW);
    canvas.finish().unwrap()
}

#[test]
fn the_picture_of_jumps_and_a_dash_is_up_to_date() {
    let mut rows = vec!["................"; 8];
    rows.extend(["...........#####", "####......######", "####......######"]);
    let level = level(&rows);
    let mut world = World::new(RATE);
    let body = Aabb::from_xywh(20, 124, 12, 20);
    let hero = world.add(Body::character(body, MoverSettings::platformer()));
    let feel = Feel { air_jumps: 1, dash_speed: 300.0, ..Feel::default() };
    let mut players = [Player::new(hero, feel)];
    let mut boxes = Vec::new();
    for step in 0..110 {
        let jump = (18..36).contains(&step) || (40..60).contains(&step);
        let right = Input::from_axes(1.0, 0.0, jump);
        players[0].input = right.with_dash((64..70).contains(&step));
        world.step_players(&level, &mut players);
        let state = players[0].state();
        let color = match state.stance {
            _ if state.is_dashing() => BLUE,
            Stance::Ground => GREEN,
            _ => RED,
        };
        if step % 4 == 0 {
            boxes.push((world.get(hero).unwrap().aabb, color));
        }
    }
    let arrived = world.get(hero).unwrap().aabb;
    assert_eq!(arrived.max.y, 128, "behind the pit: {arrived:?}");
    check("recipe-jumps", &picture(&level, None, &boxes, &[]));
}

#[test]
fn the_picture_of_lifts_on_a_circle_is_up_to_date() {
    let level = level(&[".............."; 12]);
    let mut world = World::new(RATE);
    let mut lifts = Vec::new();
    for number in 0..4 {
        let lift = Body::one_way_platform(Aabb::from_xywh(152, 100, 40, 6));
        let path = Path::circle(RATE, IVec2::new(92, 100), 60, 8.0);
        lifts.push((world.add(lift), path.later(2.0 * number as f32)));
    }
    let mut hero = None;
    let mut boxes = Vec::new();
    for step in 0..240 {
        for (lift, path) in &mut lifts {
            path.advance(world.get_mut(*lift).unwrap());
        }
        world.step(&level);
        let first = world.get(lifts[2].0).unwrap().aabb;
        let hero = *hero.get_or_insert_with(|| {
            let body = Aabb::from_xywh(first.min.x + 14, first.min.y - 20, 12, 20);
            world.add(Body::character(body, MoverSettings::platformer()))
        });
        if step % 30 == 29 {
            for (lift, _) in &lifts {
                boxes.push((world.get(*lift).unwrap().aabb, WOOD));
            }
            boxes.push((world.get(hero).unwrap().aabb, GREEN));
        }
    }
    assert_eq!(world.standing_on(hero.unwrap()), Some(lifts[2].0));
    check("recipe-circle", &picture(&level, None, &boxes, &[]));
}

#[test]
fn the_picture_of_a_slide_around_a_corner_is_up_to_date() {
    let level = level(&["........", "##.#####", "........", "........"]);
    let settings = MoverSettings {
        corner_correction: Sides::all(8),
        slides_around_corners: true,
        ..MoverSettings::top_down()
    };
    let mut hero = Mover::new(Aabb::from_xywh(38, 48, 16, 16), settings);
    let mut boxes = Vec::new();
    let mut points = Vec::new();
    for step in 0..28 {
        if step % 3 == 0 {
            boxes.push((hero.body, GREEN));
        }
        points.push(hero.body.center());
        hero.step(&level, Vec2::new(0.0, -2.0)).unwrap();
    }
    assert_eq!(hero.body.min, IVec2::new(32, 0));
    check("recipe-corner", &picture(&level, None, &boxes, &points));
}

#[test]
fn the_picture_of_a_bridge_is_up_to_date() {
    const LOW: u64 = 2;
    const HIGH: u64 = 4;
    let area = |rows: &[&str]| Terrain::new(grid(rows), UVec2::splat(16)).unwrap();
    let rocks = area(&["..#.#.."; 5]);
    let rails = area(&[".......", ".#####.", ".......", ".#####.", "......."]);
    let ramps = area(&[".......", ".......", ".#...#."]);
    let shores = area(&["#.....#"; 5]);
    let shown = level(&["......."; 5])
        .with_solid_area("rocks", rocks, LOW)
        .with_solid_area("rails", rails, HIGH);
    let level = shown.clone().with_area("ramp", ramps).with_area("shore", shores);
    let mut world = World::new(RATE);
    let walkers = [([2, 34], [60.0, 0.0]), ([50, 2], [0.0, 40.0])].map(|(at, velocity)| {
        let body =
            Body::character(Aabb::from_xywh(at[0], at[1], 12, 12), MoverSettings::top_down());
        world.add(body.with_velocity(velocity).with_category(LOW).with_collides_with(LOW))
    });
    let mut boxes = Vec::new();
    for step in 0..90 {
        for id in walkers {
            let body = world.get_mut(id).unwrap();
            for (name, floor) in [("ramp", HIGH), ("shore", LOW)] {
                if level.area(name).unwrap().overlaps(body.aabb) {
                    (body.category, body.collides_with) = (floor, floor);
                }
            }
            if step % 8 == 0 {
                boxes.push((body.aabb, if body.category == HIGH { RED } else { BLUE }));
            }
        }
        world.step(&level);
    }
    check("recipe-bridge", &picture(&shown, None, &boxes, &[]));
}

/// A car of 24 x 12 pixels in each of 64 directions.
fn cars() -> Vec<Footprint> {
    let car = |turn| {
        let ahead = Vec2::from_angle(turn as f32 * TAU / 64.0);
        let (long, wide) = (ahead * 12.0, ahead.perp() * 6.0);
        let corners = [long + wide, wide - long, -long - wide, long - wide];
        let corners = corners.map(|corner| (corner + 16.0).round().as_ivec2());
        let mut picture = Terrain::new(Grid::new(32, 32).unwrap(), UVec2::ONE).unwrap();
        picture.paint(&corners, IVec2::ZERO).unwrap();
        Footprint::from_grid(picture.grid()).unwrap()
    };
    (0..64).map(car).collect()
}

#[test]
fn the_picture_of_a_car_is_up_to_date() {
    let level = level(&[
        "############",
        "#..........#",
        "#..........#",
        "#..........#",
        "#######....#",
        "######.....#",
        "#..........#",
        "#..........#",
        "#..........#",
        "############",
    ]);
    let cars = cars();
    let mut car = Mover::new(Aabb::from_xywh(16, 18, 32, 32), MoverSettings::PLAIN);
    let mut turn = 0;
    let mut boxes = Vec::new();
    for step in 0..175 {
        let turns = (48..64).contains(&step) || (86..102).contains(&step);
        let next = if turns { turn + 1 } else { turn };
        if !level.overlaps(cars[next].at(car.body.min)) {
            turn = next;
        }
        if step % 10 == 0 {
            for pixel in cars[turn].grid().iter_solid() {
                let place = car.body.min + pixel.as_ivec2();
                boxes.push((Aabb::from_xywh(place.x, place.y, 1, 1), RED));
            }
        }
        let ahead = Vec2::from_angle(turn as f32 * TAU / 64.0);
        car.step(&level.with_footprint(&cars[turn]), ahead * 2.0).unwrap();
        assert!(!level.overlaps(cars[turn].at(car.body.min)));
    }
    check("recipe-car", &picture(&level, None, &boxes, &[]));
}

#[test]
fn the_picture_of_a_field_of_view_is_up_to_date() {
    let level = Level::load(asset("cave.tmx")).unwrap();
    let eye = level.marker("player").unwrap().position();
    let mut seen = Vec::new();
    for turn in 0..=256 {
        let far = eye + (Vec2::from_angle(turn as f32 * TAU / 256.0) * 120.0).as_ivec2();
        seen.push(level.ray(eye, far, Corners::Block).map_or(far, |hit| hit.pixel));
    }
    let region = Aabb::from_center(eye - IVec2::new(0, 40), UVec2::new(280, 160));
    let boxes = [(Aabb::from_center(eye, UVec2::splat(6)), RED)];
    check("recipe-view", &picture(&level, Some(region), &boxes, &seen));
}

#[test]
fn the_picture_of_guards_at_a_door_is_up_to_date() {
    let size = UVec2::splat(12);
    let mut door = Terrain::new(Grid::new(12, 5).unwrap(), UVec2::splat(16)).unwrap();
    let gap = IVec2::new(5, 2);
    door.set(gap, true).unwrap();
    let rows = ["############", "#....#.....#", "#..........#", "#....#.....#", "############"];
    let level = level(&rows).with_solid_area("door", door, 2);
    let player = IVec2::new(150, 34);
    let mut search = Search::default();
    let mut boxes = vec![(level.cell_box(gap), WOOD)];
    let mut points = Vec::new();
    for (keys, color, from) in [(0, RED, IVec2::new(18, 20)), (2, GREEN, IVec2::new(20, 50))] {
        let ways = level.solids_for(2 & !keys).ways(size).unwrap();
        let path = ways.path_toward(from, player, &mut search).unwrap();
        let mut guard = Mover::new(Aabb { min: from, max: from + 12 }, MoverSettings::top_down());
        for turn in &path.points {
            for step in 0.. {
                if step % 10 == 0 || guard.body.min == *turn {
                    boxes.push((guard.body, color));
                }
                if guard.body.min == *turn {
                    break;
                }
                let way = (*turn - guard.body.min).signum().as_vec2();
                guard.step(&level, way).unwrap();
            }
        }
        assert_eq!(guard.body.min == player, keys != 0);
        if keys == 0 {
            points.extend(path.points.iter().map(|at| at + 6));
        }
    }
    boxes.push((Aabb { min: player, max: player + 12 }, BLUE));
    check("doors", &picture(&level, None, &boxes, &points));
}

#[test]
fn the_picture_of_a_crowd_is_up_to_date() {
    let mut rows = vec!["################", "#..............#", "#..............#"];
    rows.extend(["#..............#", "#######.########"]);
    rows.extend(["................"; 8]);
    let level = level(&rows);
    let ways = level.ways(UVec2::splat(12)).unwrap();
    let hero = IVec2::new(122, 142);
    let field = ways.field(&[hero]);
    let mut world = World::new(RATE);
    let settings = MoverSettings::top_down();
    let hero_box = Aabb { min: hero, max: hero + 12 };
    world.add(Body::character(hero_box, settings));
    let mut boxes = vec![(hero_box, GREEN)];
    let mut chasers = Vec::new();
    for number in 0..36 {
        let at = IVec2::new(18 + number % 12 * 18, 18 + number / 12 * 16);
        let body = Aabb { min: at, max: at + 12 };
        boxes.push((Aabb { min: at + 1, max: at + 11 }, BLUE));
        chasers.push(world.add(Body::soft(body, settings)));
    }
    for _ in 0..700 {
        for id in &chasers {
            let body = world.get_mut(*id).unwrap();
            let at = body.aabb.min;
            let way = if ways.sees(at, hero) { Some(hero - at) } else { field.step(at) };
            body.set_velocity(way.unwrap_or_default().as_vec2().normalize_or_zero() * 60.0);
        }
        world.step(&level);
    }
    for id in chasers {
        let body = world.get(id).unwrap().aabb;
        assert!(body.min.y > 80, "out of the house: {body:?}");
        boxes.push((Aabb { min: body.min + 1, max: body.max - 1 }, RED));
    }
    check("crowd", &picture(&level, None, &boxes, &[]));
}
