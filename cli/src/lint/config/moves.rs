//! The moves of a body in a `bitwall.toml`: `[[verify.body]]`, key `moves`.

use std::str::FromStr;

use bitwall::glam::UVec2;

use bitwall::analyze::MoveSet;
use bitwall::character::Feel;
use bitwall::load::config::section::{Fault, Section};
use bitwall::text::printable;

/// The side from which a level is seen.
enum View {
    Top,
    Side,
}

impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "top" => Ok(Self::Top),
            "side" => Ok(Self::Side),
            _ => Err(format!("is `{}`, not top or side", printable(text))),
        }
    }
}

/// The moves: `{ view = "top", speed = 3 }`, or `{ view = "side", jump-height = 44, jump-steps = 21 }` with
/// more keys for what a character does beside running and jumping.
pub(super) fn read(mut section: Section<'_>) -> Result<MoveSet, Fault> {
    let view = section.parsed::<View>("view")?;
    let view = view.ok_or_else(|| section.fault("needs a `view`: \"top\" or \"side\""))?;
    let moves = match view {
        View::Top => MoveSet::top_down(section.count("speed")?.unwrap_or(1).max(1)),
        View::Side => from_the_side(&mut section)?,
    };
    section.finish()?;
    Ok(moves)
}

fn from_the_side(section: &mut Section<'_>) -> Result<MoveSet, Fault> {
    let mut short = |key, default: u16| -> Result<u16, Fault> {
        let count = section.count(key)?;
        Ok(count.map_or(default, |count| u16::try_from(count).unwrap_or(u16::MAX)))
    };
    let (height, steps) = (short("jump-height", 44)?, short("jump-steps", 21)?);
    let typical = Feel::from_jump(height, steps);
    let mut feel = Feel { wall_jump: UVec2::ZERO, ledge_reach: 0, ..typical.clone() };
    feel.coyote_steps = short("coyote-steps", feel.coyote_steps)?;
    feel.ledge_reach = section.count("ledge-reach")?.unwrap_or(0);
    if let Some(speed) = section.count("run-speed")? {
        feel.top_speed = speed.saturating_mul(1 << 16);
    }
    let mut jumps_from_walls = false;
    section.flag("wall-jump", &mut jumps_from_walls)?;
    if jumps_from_walls {
        feel.wall_jump = typical.wall_jump;
    }
    let step = section.count("step-height")?;
    let mut moves = MoveSet::platformer(feel);
    if let (MoveSet::Platformer(moves), Some(step)) = (&mut moves, step) {
        (moves.settings.step_height, moves.settings.snap_distance) = (step, step);
    }
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use crate::lint::VerifyConfig;
    use bitwall::analyze::MoveSet;

    fn moves(keys: &str) -> Result<Option<MoveSet>, String> {
        let text = format!("[[verify.body]]\nsize = '12x20'\nmoves = {{ {keys} }}");
        let config = VerifyConfig::decode("bitwall.toml", text);
        config.map(|config| config.options.bodies[0].moves.clone()).map_err(|e| e.to_string())
    }

    #[test]
    fn moves_are_those_of_the_keys() {
        assert_eq!(moves("view = 'top', speed = 3"), Ok(Some(MoveSet::top_down(3))));
        let side = "view = 'side', jump-height = 60, jump-steps = 30";
        assert_eq!(moves(side), Ok(Some(MoveSet::jumper(60, 30))));
        let Ok(Some(MoveSet::Platformer(more))) = moves(
            "view = 'side', wall-jump = true, ledge-reach = 5, step-height = 9, coyote-steps = 2, \
             run-speed = 3",
        ) else {
            panic!("it is a platformer");
        };
        assert!(more.feel.wall_jump.y > 0);
        assert_eq!((more.feel.ledge_reach, more.feel.coyote_steps), (5, 2));
        assert_eq!((more.settings.step_height, more.settings.snap_distance), (9, 9));
        assert_eq!(more.feel.top_speed, 3 << 16);
    }

    #[test]
    fn a_wrong_key_or_value_is_named() {
        for (keys, wrong) in [
            ("speed = 3", "needs a `view`"),
            ("view = 'up'", "not top or side"),
            ("view = 'top', jump-height = 3", "jump-height"),
        ] {
            let error = moves(keys).unwrap_err();
            assert!(error.contains(wrong), "{keys}: {error}");
        }
    }
}
