//! The highest rise of a body between two places that hold it: an upper bound, in whole pixels.
//!
//! A place holds a body if it stands, climbs or swims there. Integer sums; no level.

use super::moves::PlatformerMoves;
use crate::character::Feel;
use crate::geometry::{Dir, SUBPIXELS};
use crate::mover::{MovePath, MoverSettings, Response, Slope};

/// The largest rise that is worth a bound: more is as good as none.
const MAX_RISE: u128 = 1 << 29;

/// The most pixels by which a body of `height` pixels is above the last place that held it, at any time;
/// `None` if there is no bound, or if its settings are not those of a character on a floor.
///
/// It is the highest jump, and the most by which the mover itself lifts the body: up a step, past a corner,
/// up to a ledge and over it. Each of these lifts ends where the body stands. A body that may jump from walls
/// has no bound.
pub(super) fn highest_rise(moves: &PlatformerMoves, height: u32) -> Option<u32> {
    let PlatformerMoves { feel, settings } = moves;
    let is_known = settings.response == Response::Slide
        && settings.floor == Some(Dir::Down)
        && settings.max_slope == Slope::VERTICAL
        && !matches!(settings.path, MovePath::Straight(_));
    if !is_known || feel.wall_jump.y > 0 {
        return None;
    }
    let speeds = [feel.jump_speed, feel.swim_speed, feel.float_speed, feel.climb_speed];
    let mut highest = 0;
    for speed in speeds {
        highest = highest.max(flight(speed, feel)?);
    }
    // A part of a pixel may be due.
    let jump = highest / SUBPIXELS as u128 + 1;
    let total = jump + u128::from(lift(feel, settings, height));
    u32::try_from(total).ok().filter(|_| total < MAX_RISE)
}

/// The most pixels by which the mover lifts the body without a jump.
fn lift(feel: &Feel, settings: &MoverSettings, height: u32) -> u64 {
    let corner = settings.corner_correction.left.max(settings.corner_correction.right);
    let step = settings.step_height.max(corner);
    // A body that hangs may have fallen past the ledge by a step of its fall, and climbs its own height.
    let fall = u64::from(feel.fall_limit) / SUBPIXELS as u64 + 2;
    let ledge = u64::from(feel.ledge_reach) + u64::from(height) + fall;
    u64::from(step).max(if feel.ledge_reach > 0 { ledge } else { 0 })
}

/// The distance that a body rises from this speed on, in 65,536ths of a pixel; `None` if nothing slows it.
///
/// Each step moves it by its speed; then gravity takes its part, near the apex the half of it.
fn flight(speed: u32, feel: &Feel) -> Option<u128> {
    let apex = u128::from(feel.apex_speed);
    let gravity = u128::from(feel.gravity);
    let (fast, left) = steps(speed.into(), apex.max(1), gravity)?;
    let (slow, _) = steps(left, 1, if apex > 0 { gravity / 2 } else { gravity })?;
    Some(fast + slow)
}

/// The sum of `speed`, `speed - less`, `speed - 2 less`, and so on, as far as they are at least `least`, and
/// the first speed below it.
fn steps(speed: u128, least: u128, less: u128) -> Option<(u128, u128)> {
    if speed < least {
        return Some((0, speed));
    }
    let count = (speed - least).checked_div(less)? + 1;
    let sum = count * speed - less * (count * (count - 1) / 2);
    Some((sum, speed.saturating_sub(count * less)))
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;
    use crate::analyze::reach::moves::MoveSet;
    use crate::analyze::reach::player::{Keys, Player};
    use crate::character::{Input, Stance};
    use crate::geometry::Aabb;
    use crate::{Grid, Level};

    fn feel(jump_speed: u32, gravity: u32, apex_speed: u32) -> Feel {
        let still = Feel { swim_speed: 0, float_speed: 0, climb_speed: 0, ..Feel::default() };
        let no_walls = Feel { wall_jump: UVec2::ZERO, ledge_reach: 0, ..still };
        Feel { jump_speed, gravity, apex_speed, ..no_walls }
    }

    /// The most pixels that a body rises above its floor when the real mover plays it with the jump key held.
    fn played(jumper: &PlatformerMoves) -> u32 {
        let mut grid = Grid::new(1, 3).unwrap();
        grid.fill(0..1, 2..3, true).unwrap();
        let level = Level::from_grid(grid, UVec2::splat(4_096)).unwrap();
        let start = Aabb::from_xywh(2_000, 2 * 4_096 - 20, 12, 20);
        let moves = MoveSet::Platformer(Box::new(jumper.clone()));
        let mut player = Player::new(&moves, start);
        let mut highest = start.min.y;
        for step in 0..3_000 {
            // It lands first.
            let keys = Input { jump: step > 0, ..Input::NONE };
            player.step(&level, Keys::Press(keys));
            highest = highest.min(player.body().min.y);
            if step > 2 && player.character.stance == Stance::Ground {
                break;
            }
        }
        (start.min.y - highest) as u32
    }

    #[test]
    fn the_highest_rise_bounds_the_jump_of_the_real_mover_to_the_pixel() {
        let mut random = fastrand::Rng::with_seed(3);
        let settings = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let mut rises = 0;
        for _ in 0..600 {
            let gravity = random.u32(3_000..40_000);
            let feel = feel(random.u32(0..700_000), gravity, random.u32(0..200_000));
            let feel = if random.bool() { Feel { apex_speed: 0, ..feel } } else { feel };
            let jumper = PlatformerMoves { feel, settings };
            let bound = highest_rise(&jumper, 20).expect("it is bounded");
            let played = played(&jumper);
            assert!((played..=played + 2).contains(&bound), "{bound} and {played}: {jumper:?}");
            rises += u32::from(played > 20);
        }
        assert!(rises > 300, "{rises}");
    }

    #[test]
    fn the_highest_rise_is_the_jump_with_what_the_mover_adds() {
        let jump = |feel, settings| highest_rise(&PlatformerMoves { feel, settings }, 20);
        let plain = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let whole = Feel { wall_jump: UVec2::ZERO, ledge_reach: 0, ..Feel::from_jump(44, 21) };
        assert_eq!(jump(whole.clone(), plain), Some(45));
        assert_eq!(jump(whole.clone(), MoverSettings::platformer()), Some(49));
        assert_eq!(jump(Feel::from_jump(44, 21), plain), None, "it climbs walls");
        assert_eq!(jump(whole.clone(), MoverSettings::PLAIN), None, "it has no floor");
        assert_eq!(jump(Feel { gravity: 0, ..whole.clone() }, plain), None, "it flies");
        let no_jump = Feel { gravity: 0, ..feel(0, 0, 0) };
        assert_eq!(jump(no_jump, plain), Some(1));
        let hangs = Feel { ledge_reach: 4, ..whole };
        assert_eq!(jump(hangs, plain), Some(45 + 4 + 20 + 6));
    }
}
