//! Random keys for `stage/adventure.rs`, with what must hold after each step: no character is in a solid,
//! trapped or launched, and a game that is saved and loaded at any step goes on as one that was not.

use std::collections::BTreeMap;
use std::error::Error;

use bitwall::character::{Input, Stance};
use bitwall::glam::IVec2;
use bitwall::world::{Body, BodyId, BodyKind, Player, World};
use bitwall::{Aabb, Level};

use super::adventure::{self, Game};

/// The number of steps in which a hero could not move by a pixel to any side, after which it counts as
/// trapped.
const TRAPPED: u32 = 600;

/// The most pixels by which a step moves a character along an axis: the spring's 420 pixels a second together
/// with a belt, a lift and wind are 10 pixels a step, and a corner correction or a step of the floor is 4.
const LAUNCHED: i32 = 14;

/// The answer of who watches a play: an error ends the play.
pub(crate) type Watched = Result<(), Box<dyn Error>>;

/// Plays `steps` steps by the keys of `seed`, and calls `watch` after each step. Returns how often the heroes
/// did each of their deeds, or the first fault.
pub(crate) fn play(
    seed: u64,
    steps: u32,
    watch: &mut dyn FnMut(u32, &Game) -> Watched,
) -> Result<BTreeMap<String, u32>, Box<dyn Error>> {
    let level = adventure::level()?;
    let mut random = fastrand::Rng::with_seed(seed);
    let mut game = Game::new();
    let mut saved = game.clone();
    let mut inputs = vec![(Input::NONE, 0); game.players.len()];
    let mut trapped = vec![0; game.players.len()];
    let mut deeds = BTreeMap::new();
    for step in 0..steps {
        for (input, left) in &mut inputs {
            if *left == 0 {
                (*input, *left) = (keys(&mut random), random.u32(1..40));
            }
            *left -= 1;
        }
        let inputs: Vec<Input> = inputs.iter().map(|(input, _)| *input).collect();
        let before = game.world.clone();
        game.step(&level, &inputs);
        saved.step(&level, &inputs);
        if game != saved || game.world.checksum() != saved.world.checksum() {
            return Err(format!("seed {seed}, step {step}: the loaded game is another one").into());
        }
        if random.u32(..32) == 0 {
            saved = serde_json::from_str(&serde_json::to_string(&saved)?)?;
            count(&mut deeds, "loaded");
        }
        if let Some(fault) = fault(&game, &level, &before) {
            return Err(format!("seed {seed}, step {step}: {fault}").into());
        }
        for (player, trapped) in game.players.iter().zip(&mut trapped) {
            let sides = game.world.touching(&level, player.body).ok_or("a hero is gone")?;
            let is_held = sides.left && sides.right && sides.up && sides.down;
            *trapped = if is_held { *trapped + 1 } else { 0 };
            if *trapped == TRAPPED {
                return Err(
                    format!("seed {seed}, step {step}: {:?} is trapped", player.body).into()
                );
            }
            for deed in deeds_of(&game, player, &level) {
                count(&mut deeds, deed);
            }
        }
        if has_moved_crate(&game, &before) {
            count(&mut deeds, "a crate moves aside");
        }
        for sound in &game.sounds {
            count(&mut deeds, sound);
        }
        watch(step, &game)?;
    }
    Ok(deeds)
}

fn count(deeds: &mut BTreeMap<String, u32>, deed: &str) {
    *deeds.entry(deed.to_owned()).or_default() += 1;
}

fn has_moved_crate(game: &Game, before: &World) -> bool {
    let mut crates = game.world.iter().filter(|(_, body)| body.category == adventure::CRATE);
    crates.any(|(id, body)| before.get(id).is_some_and(|old| old.aabb.min.x != body.aabb.min.x))
}

fn keys(random: &mut fastrand::Rng) -> Input {
    let x = [-1.0, -1.0, 0.0, 1.0, 1.0][random.usize(..5)];
    let y = [-1.0, 0.0, 0.0, 0.0, 1.0][random.usize(..5)];
    Input::from_axes(x, y, random.bool()).with_dash(random.u8(..5) == 0)
}

/// Returns what is wrong with the characters after a step from the world `before`; `None` if all is well.
fn fault(game: &Game, level: &Level, before: &World) -> Option<String> {
    for (id, body) in game.world.iter() {
        let BodyKind::Character(_) = body.kind else { continue };
        if level.overlaps(body.aabb) {
            return Some(format!("{body:?} is in the level"));
        }
        if let Some(other) = solid_over(&game.world, id, body.aabb) {
            return Some(format!("{body:?} is in {other:?}"));
        }
        let Some(Body { aabb: old, .. }) = before.get(id) else { continue };
        // The feet, because a crouch moves the head.
        let moved = IVec2::new(body.aabb.min.x - old.min.x, body.aabb.max.y - old.max.y);
        if moved.abs().max_element() > LAUNCHED && !game.begun_again.contains(&id) {
            return Some(format!("{body:?} was launched by {moved}"));
        }
    }
    None
}

/// Returns a solid body that the box of the character `id` overlaps.
fn solid_over(world: &World, id: BodyId, aabb: Aabb) -> Option<BodyId> {
    let is_solid = |other: &BodyId| match world.get(*other).map(|other| other.kind) {
        Some(BodyKind::Character(_)) => *other != id,
        Some(BodyKind::Platform(platform)) => !platform.one_way,
        _ => false,
    };
    world.overlapping(aabb, u64::MAX).into_iter().find(is_solid)
}

/// Returns what a hero does in this step.
fn deeds_of(game: &Game, player: &Player, level: &Level) -> Vec<&'static str> {
    let state = player.state();
    let jumped_from = player.outcome.and_then(|outcome| outcome.jumped_from);
    let body = game.world.get(player.body).map_or(Aabb::default(), |body| body.aabb);
    let floor = game.world.standing_on(player.body);
    let floor = floor.and_then(|floor| game.world.get(floor)).map(|floor| floor.kind);
    let is_in_wind = level.area("wind").is_some_and(|wind| wind.overlaps(body));
    let deeds = [
        ("jumps in the air", jumped_from == Some(Stance::Air)),
        ("jumps off a wall", matches!(jumped_from, Some(Stance::WallSlide(_)))),
        ("dashes", state.is_dashing()),
        ("crouches", state.is_crouching()),
        ("climbs a ladder", state.stance == Stance::Ladder),
        ("swims", state.stance == Stance::Water),
        ("hangs on a ledge", matches!(state.stance, Stance::Ledge(_))),
        ("is in the wind", is_in_wind),
        (
            "rides a lift or belt",
            matches!(floor, Some(BodyKind::Platform(platform)) if !platform.one_way),
        ),
        (
            "rides the circle",
            matches!(floor, Some(BodyKind::Platform(platform)) if platform.one_way),
        ),
        ("stands on a body", matches!(floor, Some(BodyKind::Character(_)))),
    ];
    deeds.into_iter().filter(|(_, does)| *does).map(|(deed, _)| deed).collect()
}
