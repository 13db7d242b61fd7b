//! Components and systems of motion. A step moves only entities whose level is loaded.

use bevy_asset::{Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_math::{DVec2, Vec2};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use bitwall::character::{Feel, Input, Outcome};
use bitwall::engine::Space;
use bitwall::world::{BodyId, Event, Player, World};
use bitwall::{Move, Rate, character};

use crate::LevelAsset;

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

/// A character that turns keys into the motion of its [`Mover`].
#[derive(Component, Clone, Debug)]
pub struct Platformer {
    /// The keys that are held now.
    pub input: Input,
    /// True if the jump key was pressed since the last step, even if it is already released. A step clears
    /// it. A game sets it in `Update`, because a frame may have no step.
    pub pressed_jump: bool,
    /// The settings of the character, in pixels and seconds.
    pub feel: Feel,
    /// The state of the character.
    pub state: character::Platformer,
}

impl Platformer {
    /// A character for a game with `rate` fixed steps a second.
    pub fn new(rate: Rate) -> Self {
        Self {
            input: Input::NONE,
            pressed_jump: false,
            feel: Feel::default(),
            state: character::Platformer::new(rate),
        }
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
    /// The bodies and their state. It makes 60 steps a second, unless a game stores a world of the rate of its
    /// `Time<Fixed>` here before it adds bodies.
    pub world: World,
    /// The players in the world, with their keys.
    pub players: Vec<Player>,
}

impl Default for Bodies {
    fn default() -> Self {
        let world = World::new(Rate::per_second(60));
        Self { level: Handle::default(), world, players: Vec::new() }
    }
}

/// The body of [`Bodies`] from which the `Transform` of an entity is set.
#[derive(Component, Clone, Copy, Debug)]
#[require(Drawn, Transform)]
pub struct BodyOf(pub BodyId);

/// The middle of a body before and after its last step, in pixels of the level, or `None` before the first
/// step. The `Transform` is interpolated between the two.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Drawn(pub Option<[DVec2; 2]>);

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
    Option<&'static mut Platformer>,
);

pub(crate) fn step_movers(
    levels: Res<Assets<LevelAsset>>,
    space: Res<LevelSpace>,
    time: Res<Time<Fixed>>,
    mut movers: Query<Moving>,
    mut stepped: MessageWriter<Stepped>,
) {
    let seconds = time.timestep().as_secs_f32();
    for (entity, at, mut mover, mut velocity, mut drawn, platformer) in &mut movers {
        let mover = &mut mover.0;
        let half = (mover.body.max - mover.body.min).as_dvec2() / 2.0;
        let Some(level) = levels.get(&at.0) else {
            drawn.0 = Some([mover.position() + half; 2]);
            continue;
        };
        let before = mover.drawn(&level.0.level) + half;
        drawn.0 = Some([before; 2]);
        let (motion, outcome, left) = match platformer {
            Some(mut player) => {
                let player = &mut *player;
                let is_pressed = std::mem::take(&mut player.pressed_jump);
                let input = if is_pressed { player.input.with_jump(true) } else { player.input };
                let level = &level.0.level;
                let (motion, outcome) = player.state.step(level, mover, input, &player.feel);
                (motion, Some(outcome), player.state.velocity())
            }
            None => {
                let asked = space.0.vector_to_level(velocity.0) * seconds;
                // A velocity that is not a number moves nothing. It is kept, so that the game can find the
                // fault.
                let Ok(motion) = mover.step(&level.0.level, asked) else { continue };
                (motion, None, motion.velocity(asked) / seconds)
            }
        };
        velocity.0 = Vec2::from(space.0.vector_to_engine(left.as_dvec2()));
        drawn.0 = Some([before, mover.drawn(&level.0.level) + half]);
        stepped.write(Stepped { entity, motion, outcome });
    }
}

pub(crate) fn step_bodies(
    levels: Res<Assets<LevelAsset>>,
    mut bodies: ResMut<Bodies>,
    mut entities: Query<(&BodyOf, &mut Drawn)>,
    mut events: MessageWriter<BodyEvent>,
) {
    let Bodies { level, world, players } = &mut *bodies;
    let Some(level) = levels.get(&*level) else {
        for (_, mut drawn) in &mut entities {
            drawn.0 = drawn.0.map(|[_, after]| [after; 2]);
        }
        return;
    };
    let middle = |world: &World, id| {
        let aabb = world.get(id)?.aabb;
        Some(world.drawn(&level.0.level, id)? + (aabb.max - aabb.min).as_dvec2() / 2.0)
    };
    for (body, mut drawn) in &mut entities {
        drawn.0 = middle(world, body.0).map(|middle| [middle; 2]);
    }
    world.step_players(&level.0.level, players);
    for (body, mut drawn) in &mut entities {
        if let Some([_, after]) = &mut drawn.0 {
            *after = middle(world, body.0).unwrap_or(*after);
        }
    }
    events.write_batch(world.events().iter().map(|event| BodyEvent(*event)));
}

pub(crate) fn place(
    space: Res<LevelSpace>,
    time: Res<Time<Fixed>>,
    mut entities: Query<(&Drawn, &mut Transform)>,
) {
    for (drawn, mut transform) in &mut entities {
        let Some([before, after]) = drawn.0 else { continue };
        let middle = before.lerp(after, time.overstep_fraction_f64());
        let place = Vec2::from(space.0.point_to_engine(middle)).extend(transform.translation.z);
        if transform.translation != place {
            transform.translation = place;
        }
    }
}
