//! Worlds that are played side by side with the same changes: the original, one with its bodies added in
//! another order, and a mirrored one.

use std::collections::HashMap;

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, BodyKind, Event, Meeting, World};
use bitwall::{Aabb, Dir, Level, Rate};

use crate::support::{Subpixels, to_pixels, to_subpixels};

use super::crowd::Key;
use crate::movement::random::{Plan, Symmetry};
use crate::world::balls::nameless;

/// The largest number of bodies. Each body has a number below it as its name, and the category `4 << name`.
pub(super) const NAMES: usize = 60;

/// A world and its level. If it is mirrored, its answers are mirrored back.
#[derive(Clone)]
pub(super) struct Play {
    pub(super) plan: Plan,
    pub(super) level: Level,
    pub(super) world: World,
    pub(super) ids: [Option<BodyId>; NAMES],
    /// The name of each body that was ever in the world, and whether it is a ball.
    names: HashMap<BodyId, (usize, bool)>,
    pub(super) is_mirrored: bool,
}

/// An event: the names of both bodies, the kind of the event, and the side of the meeting.
pub(super) type Seen = (usize, usize, u8, Option<u8>);

impl Play {
    pub(super) fn new(plan: &Plan, is_mirrored: bool) -> Self {
        let level = match is_mirrored {
            true => Symmetry::MirrorX.plan(plan).level(),
            false => plan.level(),
        };
        Self {
            plan: plan.clone(),
            level,
            world: World::new(Rate::per_second(1)),
            ids: [None; NAMES],
            names: HashMap::new(),
            is_mirrored,
        }
    }

    /// True if a box is in the level or at most 150 pixels outside.
    pub(super) fn is_near(&self, aabb: Aabb) -> bool {
        let size = self.plan.size * self.plan.cell;
        Aabb { min: IVec2::splat(-150), max: size + IVec2::splat(150) }.overlaps(aabb)
    }

    pub(super) fn apply(&mut self, key: &Key) {
        let ids = self.ids;
        let id = |name: &usize| ids[*name].expect("the body is there");
        match key {
            Key::Add(name, body) => {
                let id = self.world.add(self.image(**body));
                self.ids[*name] = Some(id);
                self.names.insert(id, (*name, matches!(body.kind, BodyKind::Ball(_))));
            }
            Key::Remove(name) => {
                assert!(self.world.remove(id(name)).is_some());
                self.ids[*name] = None;
            }
            Key::Velocity(name, velocity) => {
                let velocity = self.image_of_vector(*velocity);
                self.world
                    .get_mut(id(name))
                    .expect("the body is there")
                    .set_velocity_subpixels(velocity);
            }
            Key::DropThrough(name) => {
                self.world.drop_through(&self.level, id(name));
            }
            Key::Fill(columns, rows, is_solid) => {
                let columns = match self.is_mirrored {
                    true => self.plan.size.x - columns.end..self.plan.size.x - columns.start,
                    false => columns.clone(),
                };
                let columns = columns.start as u32..columns.end as u32;
                let rows = rows.start as u32..rows.end as u32;
                self.level.fill(columns, rows, *is_solid).unwrap();
            }
        }
    }

    pub(super) fn step(&mut self) {
        self.world.step(&self.level);
    }

    /// Returns the body with this name as it is in the world.
    pub(super) fn body(&self, name: usize) -> Option<&Body> {
        self.world.get(self.ids[name]?)
    }

    /// Returns the bodies with their names.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (usize, &Body)> {
        (0..NAMES).filter_map(|name| Some((name, self.body(name)?)))
    }

    /// Returns the body with this name, without the ids of the bodies that it met. If the body is compared
    /// with a mirrored world, the cells of its contacts are left out, because of several cells the left one
    /// is reported, and the mirrored world reports another one. Balls are left out too: a ball in a solid
    /// leaves it on another side in a mirrored world, and then meets other bodies.
    pub(super) fn facts(&self, name: usize, beside_mirror: bool) -> Option<Body> {
        let mut body = nameless(self.image(*self.body(name)?));
        if beside_mirror && matches!(body.kind, BodyKind::Ball(_)) {
            return None;
        }
        if let BodyKind::Character(character) = &mut body.kind
            && let (Some(last), true) = (&mut character.last, beside_mirror)
        {
            for dir in Dir::ALL {
                let contact = last.contacts.get(dir).map(|mut contact| {
                    contact.cell = IVec2::ZERO;
                    contact
                });
                last.contacts = last.contacts.with(dir, contact);
            }
            // The test cannot mirror the normal of a bounce. The effect of the bounce is visible in the
            // velocity.
            character.last = Some(*last).filter(|last| last.slanted_bounce().is_none());
        }
        Some(body)
    }

    /// Returns the events of the last step, sorted by the names of the bodies. If they are compared with a
    /// mirrored world, events with balls are left out.
    pub(super) fn events(&self, beside_mirror: bool) -> Vec<Seen> {
        let name = |id: &BodyId| self.names[id].0;
        let is_ball = |id: &BodyId| self.names[id].1;
        let side = |meeting: &Meeting| meeting.side.map(|side| self.image_of_dir(side) as u8);
        let of = |meeting: &Meeting, kind| {
            (name(&meeting.watcher), name(&meeting.body), kind, side(meeting))
        };
        let is_seen = |event: &&Event| match event {
            Event::Crushed { body, .. } => !beside_mirror || !is_ball(body),
            Event::Begin(meeting) | Event::Stay(meeting) | Event::End(meeting) => {
                !beside_mirror || !is_ball(&meeting.watcher) && !is_ball(&meeting.body)
            }
            _ => !beside_mirror,
        };
        let mut seen: Vec<Seen> = (self.world.events().iter())
            .filter(is_seen)
            .map(|event| match event {
                Event::Crushed { body, by } => (name(by), name(body), 0, None),
                Event::Begin(meeting) => of(meeting, 1),
                Event::Stay(meeting) => of(meeting, 2),
                Event::End(meeting) => of(meeting, 3),
                Event::Hit(hit) => {
                    let by = match hit.hit {
                        Hit::Body(body) => name(&body),
                        Hit::Cell(_) => name(&hit.ball),
                    };
                    (name(&hit.ball), by, 4, None)
                }
                event => panic!("{event:?} is not compared"),
            })
            .collect();
        seen.sort_unstable();
        seen
    }

    fn image_of_dir(&self, dir: Dir) -> Dir {
        if self.is_mirrored { Symmetry::MirrorX.dir(dir) } else { dir }
    }

    fn image_of_vector(&self, vector: I64Vec2) -> I64Vec2 {
        if self.is_mirrored { Symmetry::MirrorX.long_vector(vector) } else { vector }
    }

    /// Mirrors a body into a mirrored world, or back.
    fn image(&self, mut body: Body) -> Body {
        if !self.is_mirrored {
            return body;
        }
        let symmetry = Symmetry::MirrorX;
        body.aabb = symmetry.body(body.aabb, self.plan.size * self.plan.cell);
        body.subpixel = symmetry.vector(body.subpixel);
        body.set_velocity_subpixels(symmetry.long_vector(body.velocity_subpixels()));
        body.set_acceleration_subpixels(symmetry.long_vector(body.acceleration_subpixels()));
        match &mut body.kind {
            BodyKind::Character(character) => {
                let (floor, size) = (character.settings.floor, self.plan.size * self.plan.cell);
                character.dropping =
                    character.dropping.map(|ends| symmetry.ends(ends, floor, size));
                character.settings = symmetry.settings(character.settings);
                if let Some(last) = &mut character.last {
                    last.asked = symmetry.vector(last.asked);
                    last.moved = symmetry.vector(last.moved);
                    last.carried = symmetry.vector(last.carried);
                    last.leftover = symmetry.vector(last.leftover);
                    last.contacts = symmetry.sides(last.contacts);
                    for dir in Dir::ALL {
                        let contact = last.contacts.get(dir).map(|mut contact| {
                            contact.normal = -dir.vector();
                            contact
                        });
                        last.contacts = last.contacts.with(dir, contact);
                    }
                }
            }
            BodyKind::Platform(platform) => {
                platform.belt_subpixel = symmetry.vector(platform.belt_subpixel);
                body = body.with_belt(to_pixels(symmetry.long_vector(to_subpixels(body.belt()))));
            }
            BodyKind::Ball(_) | BodyKind::Sensor => {}
            kind => panic!("{kind:?} has no image"),
        }
        body
    }
}
