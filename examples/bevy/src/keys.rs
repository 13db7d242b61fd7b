//! The keys of a character between the frames that read them and the steps that use them. It reads no
//! device.

use bevy_ecs::component::Component;
use bevy_math::Vec2;
use bitwall::character::Input;

/// The keys of a character: beside its [`Platformer`](crate::Platformer), or beside the
/// [`BodyOf`](crate::BodyOf) of a player of [`Bodies`](crate::Bodies).
///
/// A frame may have no step, or more than one. A key that is pressed and released between two steps counts as
/// held in the next step, and only there, whatever other keys are held. Of two opposite directions that are
/// pressed between two steps, the next step sees the later one. If the jump key or the dash key is released
/// and pressed again between two steps, the next step does not see it, and the step after that sees the
/// press.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
pub struct Keys {
    x: Axis,
    y: Axis,
    jump: Button,
    dash: Button,
}

impl Keys {
    /// Sets the keys that are held now. `direction` is that of a stick: x from -1 (left) to 1 (right), y from
    /// -1 (down) to 1 (up). A key counts as a stick that is wholly deflected.
    ///
    /// Call it once a frame, best in
    /// [`RunFixedMainLoopSystems::BeforeFixedMainLoop`](bevy_app::RunFixedMainLoopSystems): then the steps of
    /// the same frame see the keys. A game that is paused does not call it, for a press would wait for the
    /// end of the pause.
    pub fn hold(&mut self, direction: Vec2, jump: bool, dash: bool) {
        self.x.hold(direction.x);
        self.y.hold(direction.y);
        self.jump.hold(jump);
        self.dash.hold(dash);
    }

    /// Returns the input of the next step.
    pub(crate) fn take(&mut self) -> Input {
        let [x, y] = [self.x.take(), self.y.take()];
        Input::from_axes(x, -y, self.jump.take()).with_dash(self.dash.take())
    }
}

/// Two opposite keys, or an axis of a stick: from -1 to 1. From the middle to a half is no press, as in
/// [`Input`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Axis {
    held: f32,
    /// The last press, if it waits for a step.
    pressed: Option<f32>,
}

impl Axis {
    fn hold(&mut self, held: f32) {
        // Only a press waits: what is merely held would count for a step after its release.
        if side(held) != 0 && side(held) != side(self.held) {
            self.pressed = Some(held);
        }
        self.held = held;
    }

    fn take(&mut self) -> f32 {
        match self.pressed.take() {
            Some(pressed) if side(self.held) == 0 => pressed,
            _ => self.held,
        }
    }
}

/// -1 or 1 from half of the deflection on, otherwise 0.
fn side(axis: f32) -> i8 {
    (axis * 2.0).clamp(-1.0, 1.0) as i8
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

    const RIGHT: Vec2 = Vec2::X;
    const LEFT: Vec2 = Vec2::NEG_X;
    const DOWN: Vec2 = Vec2::NEG_Y;

    fn release(keys: &mut Keys) {
        keys.hold(Vec2::ZERO, false, false);
    }

    #[test]
    fn a_key_that_is_tapped_between_two_steps_is_held_in_one_step() {
        let right_and_up = Vec2::ONE;
        for (direction, jump, dash) in [
            (Vec2::ZERO, true, false),
            (Vec2::ZERO, false, true),
            (RIGHT, false, false),
            (DOWN, false, false),
            (right_and_up, true, true),
        ] {
            let mut keys = Keys::default();
            keys.hold(direction, jump, dash);
            release(&mut keys);
            let input = Input::from_axes(direction.x, -direction.y, jump).with_dash(dash);
            assert_eq!([keys.take(), keys.take()], [input, Input::NONE]);
        }
    }

    #[test]
    fn a_key_that_is_tapped_while_another_is_held_is_not_lost() {
        let right = Input::from_keys(false, true, false, false, false);
        for is_held_before in [false, true] {
            let mut keys = Keys::default();
            keys.hold(RIGHT, false, false);
            if is_held_before {
                assert_eq!(keys.take(), right);
            }
            keys.hold(RIGHT + DOWN, true, false);
            keys.hold(RIGHT, false, false);
            let all = Input::from_keys(false, true, false, true, true);
            assert_eq!([keys.take(), keys.take()], [all, right]);
        }
    }

    #[test]
    fn of_two_opposite_presses_a_step_sees_the_later_one_and_no_step_sees_the_other() {
        let left = Input::from_keys(true, false, false, false, false);
        let mut keys = Keys::default();
        keys.hold(RIGHT, false, false);
        release(&mut keys);
        keys.hold(LEFT, false, false);
        let mut released = keys;
        release(&mut released);
        assert_eq!([released.take(), released.take()], [left, Input::NONE]);
        assert_eq!([keys.take(), keys.take()], [left, left]);
        release(&mut keys);
        assert_eq!(keys.take(), Input::NONE);
    }

    #[test]
    fn a_key_that_is_held_counts_in_no_step_after_its_release() {
        for (direction, jump, dash) in [(RIGHT + DOWN, false, false), (Vec2::ZERO, true, true)] {
            let mut keys = Keys::default();
            keys.hold(direction, jump, dash);
            let input = Input::from_axes(direction.x, -direction.y, jump).with_dash(dash);
            assert_eq!(keys.take(), input);
            keys.hold(direction, jump, dash);
            release(&mut keys);
            assert_eq!([keys.take(), keys.take()], [Input::NONE; 2]);
        }
    }

    #[test]
    fn a_stick_is_read_as_it_stands_and_a_flick_of_it_counts() {
        let mut keys = Keys::default();
        for x in [0.05, 0.3, 0.7, -0.2, f32::NAN] {
            keys.hold(Vec2::new(x, 0.25), false, false);
            assert_eq!(keys.take(), Input::from_axes(x, -0.25, false), "{x}");
        }
        keys.hold(Vec2::new(0.05, 0.9), false, false);
        keys.hold(Vec2::new(0.8, 0.25), false, false);
        keys.hold(Vec2::new(0.05, 0.25), false, false);
        assert_eq!(keys.take(), Input::from_axes(0.8, -0.9, false));
        assert_eq!(keys.take(), Input::from_axes(0.05, -0.25, false));
    }

    #[test]
    fn with_a_frame_for_each_step_the_steps_see_what_the_frames_saw() {
        let mut keys = Keys::default();
        for frame in 0..1_000_u32 {
            let bits = frame.wrapping_mul(2_654_435_761) >> 26;
            let [left, right, up, down, jump, dash] =
                [1, 2, 4, 8, 16, 32].map(|bit| bits & bit > 0);
            let x = f32::from(right) - f32::from(left);
            let y = f32::from(up) - f32::from(down);
            keys.hold(Vec2::new(x, y), jump, dash);
            let input = Input::from_keys(left, right, up, down, jump).with_dash(dash);
            assert_eq!(keys.take(), input, "frame {frame}");
        }
    }
}
