//! Components and systems of motion. A step moves only entities whose level is loaded.

use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use bitwall::character::{Feel, Outcome};
use bitwall::engine::Space;
use bitwall::glam::DVec2;
use bitwall::world::{BodyId, Event, Player, World};
use bitwall::{Aabb, LoadedLevel, Move, Rate, character};

use crate::{Keys, LevelAsset};

/// The conversion from pixels of a level to Bevy's units. By default y is upward, the top-left corner of the
/// level is at (0, 0), and a pixel is a unit. `LevelSpace(Space::centered(level.size()))` puts the middle of
/// the level at (0, 0).
#[derive(Resource, Clone, Copy, Debug, PartialEq)]
pub struct LevelSpace(pub Space);

impl Default for LevelSpace {
    fn default() -> Self {
        Self(Space { y_up: true, ..Space::default() })
    }
}

/// The level in which an entity moves.
#[derive(Component, Clone, Debug)]
pub struct InLevel(pub Handle<LevelAsset>);

/// A body that moves among the solids of its [`InLevel`]: by its [`Platformer`] if it has one, otherwise by
/// its [`Velocity`]. It contains the position of the body, from which the `Transform` is set.
#[derive(Component, Clone, Copy, Debug)]
#[require(Velocity, Drawn, Transform)]
pub struct Mover(pub bitwall::Mover);

/// The velocity of a [`Mover`] in Bevy's units a second, with y upward. A step removes the part that a solid
/// stopped. A [`Platformer`] sets it, so that others can read it.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Velocity(pub Vec2);

/// A character that turns its [`Keys`] into the motion of its [`Mover`].
#[derive(Component, Clone, Debug)]
#[require(Keys)]
pub struct Platformer {
    /// The settings of the character, in pixels and seconds.
    pub feel: Feel,
    /// The state of the character.
    pub state: character::Platformer,
}

impl Platformer {
    /// A character for a game with `rate` fixed steps a second.
    pub fn new(rate: Rate) -> Self {
        Self { feel: Feel::default(), state: character::Platformer::new(rate) }
    }
}

impl Default for Platformer {
    /// A character for Bevy's usual 64 fixed steps a second.
    fn default() -> Self {
        Self::new(Rate::per_second(64))
    }
}

/// Many bodies that move among each other in one level: lifts, crates, balls, and players.
#[derive(Resource, Debug)]
pub struct Bodies {
    /// The level. The world makes no steps until it is loaded.
    pub level: Handle<LevelAsset>,
    /// The bodies and their state. It makes Bevy's usual 64 steps a second, unless a game stores a world of
    /// the rate of its `Time<Fixed>` here before it adds bodies.
    pub world: World,
    /// The players in the world. Before a step, the input of each is set from the [`Keys`] beside the
    /// [`BodyOf`] of its body, if there are any.
    pub players: Vec<Player>,
}

impl Default for Bodies {
    fn default() -> Self {
        let world = World::new(Rate::per_second(64));
        Self { level: Handle::default(), world, players: Vec::new() }
    }
}

/// The body of [`Bodies`] from which the `Transform` of an entity is set.
#[derive(Component, Clone, Copy, Debug)]
#[require(Drawn, Transform)]
pub struct BodyOf(pub BodyId);

/// Where a body is drawn, in pixels of the level. The `Transform` is interpolated between the two middles.
///
/// A new body is drawn where it is, also before its first step. So is a body that something else than a step
/// has moved, such as a teleport, or a resize that moves its top-left corner. A resize that keeps that corner
/// is drawn from the next step on.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The middle of the body before its last step.
    pub before: DVec2,
    /// The middle of the body after its last step.
    pub after: DVec2,
    /// The position of the body after its last step. If the body is elsewhere, no step has moved it there.
    position: Option<DVec2>,
}

/// The message that a [`Mover`] has made a step.
#[derive(Message, Clone, Copy, Debug)]
pub struct Stepped {
    /// The entity of the mover.
    pub entity: Entity,
    /// How far the mover moved, and what it touched.
    pub motion: Move,
    /// What the [`Platformer`] of the mover did, if it has one.
    pub outcome: Option<Outcome>,
}

/// The message of an event in the world of [`Bodies`]: two bodies met, or a body was crushed.
#[derive(Message, Clone, Copy, Debug)]
pub struct BodyEvent(pub Event);

/// The components of a mover that a step reads and writes.
type Moving = (
    Entity,
    &'static InLevel,
    &'static mut Mover,
    &'static mut Velocity,
    &'static mut Drawn,
    Option<(&'static mut Platformer, &'static mut Keys)>,
);

pub(crate) fn step_movers(
    levels: Res<Assets<LevelAsset>>,
    space: Res<LevelSpace>,
    time: Res<Time<Fixed>>,
    mut movers: Query<Moving>,
    mut stepped: MessageWriter<Stepped>,
) {
    let seconds = time.timestep().as_secs_f32();
    for (entity, at, mut mover, mut velocity, mut drawn, mut player) in &mut movers {
        let input = player.as_mut().map(|(_, keys)| keys.take()).unwrap_or_default();
        drawn.before = drawn.after;
        let Some(LevelAsset(LoadedLevel { level, .. })) = levels.get(&at.0) else { continue };
        let mover = &mut mover.0;
        let (motion, outcome, left) = match player {
            Some((mut player, _)) => {
                let Platformer { feel, state } = &mut *player;
                let (motion, outcome) = state.step(level, mover, input, feel);
                (motion, Some(outcome), state.velocity())
            }
            None => {
                let asked = space.0.vector_to_level(velocity.0) * seconds;
                // A velocity that is not a number moves nothing. It is kept, so that the game can find the
                // fault.
                let Ok(motion) = mover.step(level, asked) else { continue };
                (motion, None, motion.velocity(asked) / seconds)
            }
        };
        velocity.0 = Vec2::from(space.0.vector_to_engine(left.as_dvec2()));
        drawn.after = mover.drawn(level) + half(mover.body);
        drawn.position = Some(mover.position());
        stepped.write(Stepped { entity, motion, outcome });
    }
}

pub(crate) fn step_bodies(
    levels: Res<Assets<LevelAsset>>,
    mut bodies: ResMut<Bodies>,
    mut entities: Query<(&BodyOf, &mut Drawn, Option<&mut Keys>)>,
    mut events: MessageWriter<BodyEvent>,
) {
    let Bodies { level, world, players } = &mut *bodies;
    for (body, mut drawn, keys) in &mut entities {
        drawn.before = drawn.after;
        let Some(input) = keys.map(|mut keys| keys.take()) else { continue };
        if let Some(player) = players.iter_mut().find(|player| player.body == body.0) {
            player.input = input;
        }
    }
    let Some(LevelAsset(LoadedLevel { level, .. })) = levels.get(&*level) else { return };
    world.step_players(level, players);
    for (id, mut drawn, _) in &mut entities {
        if let (Some(body), Some(place)) = (world.get(id.0), world.drawn(level, id.0)) {
            drawn.after = place + half(body.aabb);
            drawn.position = Some(body.position());
        }
    }
    events.write_batch(world.events().iter().map(|event| BodyEvent(*event)));
}

/// Half the size of a box.
fn half(aabb: Aabb) -> DVec2 {
    (aabb.max - aabb.min).as_dvec2() / 2.0
}

type Placed =
    (Option<&'static Mover>, Option<&'static BodyOf>, &'static mut Drawn, &'static mut Transform);

/// Draws each body where it is, if no step has moved it there.
pub(crate) fn place_unmoved(
    space: Res<LevelSpace>,
    bodies: Res<Bodies>,
    mut entities: Query<Placed>,
) {
    for (mover, body, mut drawn, mut transform) in &mut entities {
        let (position, aabb) = match (mover, body.and_then(|body| bodies.world.get(body.0))) {
            (Some(mover), _) => (mover.0.position(), mover.0.body),
            (None, Some(body)) => (body.position(), body.aabb),
            (None, None) => continue,
        };
        if drawn.position != Some(position) {
            let middle = position + half(aabb);
            *drawn = Drawn { before: middle, after: middle, position: Some(position) };
            set(&mut transform, space.0.point_to_engine(middle));
        }
    }
}

/// Draws each body between its last two places.
pub(crate) fn place(
    space: Res<LevelSpace>,
    time: Res<Time<Fixed>>,
    mut entities: Query<(&Drawn, &mut Transform)>,
) {
    for (drawn, mut transform) in &mut entities {
        if drawn.position.is_some() {
            let middle = drawn.before.lerp(drawn.after, time.overstep_fraction_f64());
            set(&mut transform, space.0.point_to_engine(middle));
        }
    }
}

/// Sets a place, but not its z. A place that stays is no change for Bevy.
fn set(transform: &mut Mut<'_, Transform>, [x, y]: [f32; 2]) {
    let place = Vec3::new(x, y, transform.translation.z);
    if transform.translation != place {
        transform.translation = place;
    }
}
