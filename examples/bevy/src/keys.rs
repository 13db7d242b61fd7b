//! The keys of a character between the frames that read them and the steps that use them. It reads no
//! device.

use std::mem;

use bevy_ecs::component::Component;
use bitwall::character::Input;

/// The keys of a character: beside its [`Platformer`](crate::Platformer), or beside the
/// [`BodyOf`](crate::BodyOf) of a player of [`Bodies`](crate::Bodies).
///
/// A frame may have no step, or more than one. A key that is pressed and released between two steps counts as
/// held in the next step, and only there. If a key is released and pressed again between two steps, the next
/// step does not see it, and the step after that sees the press.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Keys {
    /// The direction that is held now.
    direction: Input,
    /// The direction that was last held since the last step.
    tapped: Input,
    jump: Button,
    dash: Button,
}

impl Keys {
    /// Sets the keys that are held now. Call it once a frame, best in
    /// [`RunFixedMainLoopSystems::BeforeFixedMainLoop`](bevy_app::RunFixedMainLoopSystems): then the steps of
    /// the same frame see the keys. A game that is paused does not call it, for a press would wait for the
    /// end of the pause.
    pub fn hold(&mut self, input: Input) {
        self.direction = input.with_jump(false).with_dash(false);
        if self.direction != Input::NONE {
            self.tapped = self.direction;
        }
        self.jump.hold(input == input.with_jump(true));
        self.dash.hold(input == input.with_dash(true));
    }

    /// Returns the input of the next step.
    pub(crate) fn take(&mut self) -> Input {
        let tapped = mem::take(&mut self.tapped);
        let direction = if self.direction == Input::NONE { tapped } else { self.direction };
        direction.with_jump(self.jump.take()).with_dash(self.dash.take())
    }
}

/// A key of which each press counts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Button {
    is_held: bool,
    /// True if a press waits for a step.
    is_pressed: bool,
    /// True if the last step saw the key held.
    was_held: bool,
}

impl Button {
    fn hold(&mut self, is_held: bool) {
        self.is_pressed |= is_held && !self.is_held;
        self.is_held = is_held;
    }

    fn take(&mut self) -> bool {
        // A character sees a press only after a step without the key.
        self.was_held = if self.is_pressed { !self.was_held } else { self.is_held };
        self.is_pressed &= !self.was_held;
        self.was_held
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const JUMP: Input = Input::NONE.with_jump(true);
    const DASH: Input = Input::NONE.with_dash(true);

    #[test]
    fn a_key_that_is_tapped_between_two_steps_is_held_in_one_step() {
        let right = Input::from_keys(false, true, false, false, false);
        for input in [JUMP, DASH, right, right.with_jump(true).with_dash(true)] {
            let mut keys = Keys::default();
            keys.hold(input);
            keys.hold(Input::NONE);
            assert_eq!([keys.take(), keys.take()], [input, Input::NONE]);
        }
    }

    #[test]
    fn with_a_frame_for_each_step_the_steps_see_what_the_frames_saw() {
        let mut keys = Keys::default();
        for frame in 0..1_000_u32 {
            let bits = frame.wrapping_mul(2_654_435_761) >> 28;
            let input = Input::from_keys(bits & 1 > 0, false, bits & 2 > 0, false, bits & 4 > 0);
            let input = input.with_dash(bits & 8 > 0);
            keys.hold(input);
            assert_eq!(keys.take(), input, "frame {frame}");
        }
    }
}
