//! Tests of [`World::floor_ahead`] and [`World::contacts`] against pixels, with the level and bodies as
//! solids.

use bitwall::glam::IVec2;
use bitwall::mover::Ahead;
use bitwall::world::{Body, World};
use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, Rate};

use super::turns::{SIDE, Turn};
use crate::support::rounds;

/// A scene of boxes, in which each box is a solid of the level or a platform.
struct Scene {
    solids: Vec<Aabb>,
    platforms: Vec<Aabb>,
}

impl Scene {
    fn random(random: &mut fastrand::Rng) -> Self {
        let mut boxes = || -> Vec<Aabb> {
            let count = random.usize(1..12);
            (0..count)
                .map(|_| {
                    let (x, y) = (random.i32(60..150), random.i32(60..150));
                    Aabb::from_xywh(x, y, random.i32(1..50), random.i32(1..30))
                })
                .collect()
        };
        Self { solids: boxes(), platforms: boxes() }
    }

    fn overlaps(&self, aabb: Aabb) -> bool {
        self.solids.iter().chain(&self.platforms).any(|solid| solid.overlaps(aabb))
    }

    /// Returns what ends a walk to the right of a body that climbs nothing, pixel by pixel.
    fn ahead(&self, body: Aabb, distance: i32) -> Ahead {
        for walked in 0..=distance {
            let at = body.translated(IVec2::new(walked, 0));
            if !self.overlaps(at.translated(IVec2::Y)) {
                return Ahead::Ledge((walked - 1).max(0) as u32);
            }
            if walked < distance && self.overlaps(at.translated(IVec2::X)) {
                return Ahead::Wall(walked as u32);
            }
        }
        Ahead::Floor
    }
}

#[test]
fn a_look_ahead_and_the_contacts_agree_with_pixels_in_every_direction() {
    let mut random = fastrand::Rng::with_seed(530);
    let mut seen = [0; 3];
    for _ in 0..rounds(2_000) {
        let scene = Scene::random(&mut random);
        let (x, y) = (random.i32(60..150), random.i32(40..150));
        let mut body = Aabb::from_xywh(x, y, random.i32(1..16), random.i32(1..16));
        while !scene.overlaps(body.translated(IVec2::Y)) && body.max.y < SIDE {
            body = body.translated(IVec2::Y);
        }
        if scene.overlaps(body) || body.max.y >= SIDE {
            continue;
        }
        let distance = random.i32(0..60);
        let expected = scene.ahead(body, distance);
        seen[match expected {
            Ahead::Floor => 0,
            Ahead::Ledge(_) => 1,
            Ahead::Wall(_) => 2,
        }] += 1;
        for turn in Turn::all() {
            let level = turn.level(&scene.solids);
            let mut world = World::new(Rate::per_second(1));
            for platform in &scene.platforms {
                world.add(Body::platform(turn.aabb(*platform)));
            }
            let settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
            let hero = Body::character(turn.aabb(body), turn.settings(settings));
            let hero = world.add(hero);
            let dir = turn.dir(Dir::Right);
            for _ in 0..2 {
                let ahead = world.floor_ahead(&level, hero, dir, distance as u32);
                assert_eq!(ahead, Some(expected), "{turn:?}");
                for dir in Dir::ALL {
                    assert_contacts(&scene, turn, &level, &world, (dir, turn.aabb(body)));
                }
                world.step(&level); // The second round has an index.
            }
        }
    }
    assert!(seen.iter().all(|count| *count > rounds(100)), "{seen:?}");
}

/// Asserts that the contacts of the last body of a world are those of the pixels along its side.
fn assert_contacts(
    scene: &Scene,
    turn: Turn,
    level: &Level,
    world: &World,
    (dir, body): (Dir, Aabb),
) {
    let (hero, _) = world.iter().last().unwrap();
    let contacts = world.contacts(level, hero, dir);
    let strip = body.shifted(dir, 1);
    let mut solid = 0;
    for y in strip.min.y..strip.max.y {
        for x in strip.min.x..strip.max.x {
            let pixel = Aabb::from_xywh(x, y, 1, 1);
            if pixel.overlaps(body) {
                continue;
            }
            if level.overlaps(pixel) {
                solid += 1;
                let is_listed =
                    |at: &bitwall::Contact| at.body.is_some() || at.cell == IVec2::new(x, y);
                assert!(contacts.iter().any(is_listed), "{turn:?} {dir:?} {pixel:?}");
            }
        }
    }
    let of_cells = contacts.iter().filter(|contact| contact.body.is_none());
    assert!(of_cells.clone().count() <= solid);
    assert!(of_cells.clone().all(|contact| level.is_solid(contact.cell)));
    for (id, other) in world.iter().filter(|(id, _)| *id != hero) {
        let is_listed = contacts.iter().any(|contact| contact.body == Some(id));
        let touched = strip.intersection(other.aabb);
        // A platform is hidden where the level or another platform has the same pixels.
        let is_alone =
            scene.platforms.len() == 1 && !touched.is_empty() && !level.overlaps(touched);
        assert!(!is_alone || touched.overlaps(body) || is_listed, "{turn:?} {dir:?} {contacts:?}");
        assert!(!is_listed || !touched.is_empty());
    }
}

#[test]
fn a_walker_that_looks_ahead_turns_at_ledges_walls_and_other_bodies() {
    for turn in Turn::all() {
        // A floor with a slope, from x 40 to x 160, and a wall on the left.
        let mut solids = vec![Aabb::from_xywh(40, 120, 120, 20), Aabb::from_xywh(30, 60, 10, 80)];
        solids.extend((0..20).map(|at| Aabb::from_xywh(100 + at, 119 - at, 60 - at, 1)));
        let level = turn.level(&solids);
        let mut world = World::new(Rate::per_second(1));
        let walker = Aabb::from_xywh(60, 108, 12, 12);
        let walker = Body::character(turn.aabb(walker), turn.settings(MoverSettings::platformer()));
        let walker = world.add(walker.with_acceleration(turn.vector((0.0, 0.2).into())));
        let (mut way, mut turns) = (Dir::Right, Vec::new());
        for _ in 0..400 {
            let ahead = world.floor_ahead(&level, walker, turn.dir(way), 12);
            if let Some(ahead @ (Ahead::Ledge(_) | Ahead::Wall(0))) = ahead {
                way = way.opposite();
                turns.push(ahead);
            }
            let body = world.get_mut(walker).unwrap();
            let fall = body.velocity() * turn.vector((0.0, 1.0).into()).abs();
            body.set_velocity(fall + turn.vector(way.vector().as_vec2()));
            world.step(&level);
            let body = world.get(walker).unwrap();
            assert!(body.last().unwrap().grounded, "{turn:?}");
        }
        assert!(turns.len() >= 3, "{turn:?} {turns:?}");
        assert_eq!(turns[0], Ahead::Ledge(11), "{turn:?}");
        assert_eq!(turns[1], Ahead::Wall(0), "{turn:?}");
    }
}

#[test]
fn a_body_in_the_air_or_without_a_floor_has_a_ledge_ahead() {
    let level = Turn(0).level(&[]);
    let hero = Mover::new(Aabb::from_xywh(40, 40, 12, 20), MoverSettings::platformer());
    assert_eq!(hero.floor_ahead(&level, Dir::Right, 8), Ahead::Ledge(0));
    let ghost = Mover::new(Aabb::from_xywh(40, 40, 12, 20), MoverSettings::top_down());
    assert_eq!(ghost.floor_ahead(&level, Dir::Right, 8), Ahead::Ledge(0));
    assert_eq!(hero.contacts(&level, Dir::Right), []);
}
