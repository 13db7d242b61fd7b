//! Checksums of states that have every kind of field: edited levels with areas and markers, players in a world
//! with slots that are free again, and bodies that bounced off slopes.

use bitwall::character::{Feel, Input, Platformer};
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::mover::Response;
use bitwall::property::PropertyValue;
use bitwall::shapes::Circle;
use bitwall::world::{Body, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, Marker, Mover, MoverSettings, Rate};

use super::random::Random;
use super::{Answers, pixels};

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(9);
    for _ in 0..12 {
        let level = levels(answers, &mut random);
        platformer(answers, &mut random, &level);
        players(answers, &mut random, &level);
    }
    let slope = slope();
    for restitution in [40, 100] {
        bounces(answers, &slope, restitution);
    }
}

/// Returns a level after edits, each of which changes its checksum.
fn levels(answers: &mut Answers, random: &mut Random) -> Level {
    let class = PropertyValue::Class {
        class: "Door".into(),
        members: [("width".into(), PropertyValue::Float(-0.0))].into(),
    };
    let properties = [
        ("gravity".into(), PropertyValue::Float(0.1)),
        ("lives".into(), PropertyValue::Int(-3)),
        ("open".into(), PropertyValue::Bool(true)),
        ("doors".into(), PropertyValue::List(vec![class, PropertyValue::Object(7)])),
        ("title".into(), PropertyValue::Text("Höhle".into())),
    ];
    let area = random.body(IVec2::splat(90));
    let marker =
        Marker { name: "spawn".into(), properties: properties.into(), area, ..Marker::default() };
    let water = random.level().terrain().clone();
    let mut level = random.level().with_solid_area("water", water, 1 << 63);
    answers.add("checksums", level.checksum());
    level = level.with_markers(vec![marker]).with_origin(IVec2::new(-7, 9));
    answers.add("checksums", level.checksum());
    for _ in 0..20 {
        let at = random.point(IVec2::ZERO, level.size().as_ivec2());
        let blast = Circle { center: IVec2::ZERO, radius: 9 };
        level.carve(&blast, at);
        let _ = level.paint_one_way(Dir::Up, &Aabb::from_xywh(0, 0, 9, 1), at);
        answers.add("checksums", level.checksum());
    }
    level
}

fn input(random: &mut Random) -> Input {
    let mut axis = || random.int(-1, 2) as f32;
    let (x, y) = (axis(), axis());
    Input::from_axes(x, y, random.once_in(3))
}

fn platformer(answers: &mut Answers, random: &mut Random, level: &Level) {
    let at = random.point(IVec2::ZERO, level.size().as_ivec2());
    let mut mover = Mover::new(Aabb::from_xywh(at.x, at.y, 10, 18), MoverSettings::platformer());
    let (mut state, feel) = (Platformer::new(Rate::per_second(60)), Feel::default());
    for _ in 0..100 {
        state.step(level, &mut mover, input(random), &feel);
        answers.add("checksums", (state.checksum(), mover.checksum()));
    }
}

fn players(answers: &mut Answers, random: &mut Random, level: &Level) {
    let size = level.size().as_ivec2();
    let mut world = World::new(Rate::per_second(1));
    let mut players = Vec::new();
    for _ in 0..4 {
        let at = random.point(IVec2::ZERO, size);
        let body = Aabb::from_xywh(at.x, at.y, 10, 18);
        let hero = world.add(Body::character(body, MoverSettings::platformer()));
        players.push(Player::new(hero, Feel::default()));
        world.add(Body::one_way_platform(body).with_velocity((1.3, -0.2)));
        world.add(Body::sensor(Aabb::from_xywh(at.x - 20, at.y, 60, 60)));
        let ball = Body::ball(at, 8, 1).with_velocity((1.3, 0.7));
        world.add(ball.with_watches(u64::MAX));
    }
    for step in 0..100 {
        players.iter_mut().for_each(|player| player.input = input(random));
        world.step_players(level, &mut players);
        answers.add("checksums", world.checksum());
        for player in &players {
            answers.add("checksums", player.checksum());
        }
        if step % 40 == 39 {
            let ids: Vec<_> = world.iter().map(|(id, _)| id).collect();
            for id in ids.iter().step_by(3) {
                let _ = world.remove(*id);
            }
        }
    }
}

/// A floor that falls by a pixel in each column.
fn slope() -> Level {
    let mut grid = Grid::new(200, 200).expect("a small grid");
    for column in 0..200 {
        grid.fill(column..column + 1, column..200, true).expect("a dense grid");
    }
    Level::from_grid(grid, UVec2::ONE).expect("a small level")
}

/// Drops bodies that bounce onto the slope. A character keeps the bounce off a slanted surface in its state.
fn bounces(answers: &mut Answers, level: &Level, restitution: u8) {
    let settings =
        MoverSettings { response: Response::Bounce { restitution }, ..MoverSettings::platformer() };
    let mut world = World::new(Rate::per_second(1));
    for x in [20, 60, 100] {
        let body = Body::character(Aabb::from_xywh(x, 0, 8, 8), settings);
        world.add(body.with_acceleration(pixels(I64Vec2::new(300, 20_000))));
    }
    for _ in 0..90 {
        world.step(level);
        answers.add("checksums", world.checksum());
    }
    let slants = |body: &Body| body.last().is_some_and(|last| last.slanted_bounce().is_some());
    answers.add("checksums", world.iter().any(|(_, body)| slants(body)));
}
