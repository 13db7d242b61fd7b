//! The sleeping characters of a world. A slot is the index of a body in the world's storage. A character
//! without a velocity falls asleep after a step that left its state unchanged. Its steps are skipped until
//! something near it changes, because they would change nothing.

use super::near::{Near, widened};
use crate::Level;
use crate::geometry::Aabb;

/// The largest distance, in pixels, by which the view of a sleeping body may extend beyond its box. The view
/// is the area in which solids affect the step of the body.
pub(super) const MAX_VIEW: i32 = 80;

/// The state of a slot: asleep, awake, or not known to have a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// The slot has no character, or a character that no step has seen yet.
    #[default]
    Unknown,
    Awake,
    Asleep,
}

/// The sleeping characters of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Sleepers {
    /// The state of each slot.
    states: Vec<State>,
    /// The view of the sleeping character in each slot: the area in which solids affect its step.
    views: Vec<Aabb>,
    /// The number of sleeping characters.
    sleeping: usize,
    /// The largest distance, in pixels, by which a view (the area in which solids affect a step) has extended
    /// beyond its body's box since the last call of [`Sleepers::wake_all`].
    margin: i32,
    /// A box that contains the views (areas in which solids affect a step) of all sleeping bodies. It only
    /// grows while any body sleeps.
    asleep: Aabb,
    /// The slots of the characters that are awake, so that their steps are not skipped.
    pub(super) awake: Vec<u32>,
    /// The slots of bodies that were woken and are not yet in `awake`.
    pub(super) woken: Vec<u32>,
    /// The [`Level::stamps`] of the level in the last step. An edit of a level changes its stamps.
    level: Vec<u64>,
}

impl Sleepers {
    /// Wakes the bodies in all slots, and forgets all states.
    pub(super) fn wake_all(&mut self, slots: usize) {
        self.states.clear();
        self.states.resize(slots, State::Unknown);
        self.woken.clear();
        self.awake.clear();
        (self.sleeping, self.margin) = (0, 0);
        (0..slots as u32).for_each(|slot| self.wake(slot));
    }

    /// True if `level` may differ from the level in the last call. Stores the stamps of `level` for the next
    /// call.
    pub(super) fn is_other_level(&mut self, level: &Level) -> bool {
        let is_same = self.level.iter().copied().eq(level.stamps());
        if !is_same {
            self.level.clear();
            self.level.extend(level.stamps());
        }
        !is_same
    }

    /// Puts the character in `slot` to sleep. `aabb` is its box, and `view` is the area in which solids
    /// affect its step.
    pub(super) fn sleep(&mut self, slot: u32, aabb: Aabb, view: Aabb) {
        let margin = (aabb.min - view.min).max(view.max - aabb.max);
        self.margin = self.margin.max(margin.max_element());
        self.views.resize(self.states.len(), Aabb::default());
        self.views[slot as usize] = view;
        self.states[slot as usize] = State::Asleep;
        self.asleep = if self.sleeping == 0 { view } else { self.asleep.hull(view) };
        self.sleeping += 1;
    }

    /// Wakes the body in `slot`. A slot with a new body counts as woken too.
    pub(super) fn wake(&mut self, slot: u32) {
        if slot as usize >= self.states.len() {
            self.states.resize(slot as usize + 1, State::Unknown);
        }
        match std::mem::replace(&mut self.states[slot as usize], State::Awake) {
            State::Awake => return,
            State::Asleep => self.sleeping -= 1,
            State::Unknown => {}
        }
        self.woken.push(slot);
    }

    /// Resets the state of a slot that no longer has a character. The slot must be neither in [`Self::awake`]
    /// nor in [`Self::woken`].
    pub(super) fn forget(&mut self, slot: u32) {
        self.states[slot as usize] = State::Unknown;
    }

    /// Wakes the sleeping characters whose views (areas in which solids affect their step) overlap the box of
    /// a changed body, `before` or `after` the change.
    pub(super) fn disturb(&mut self, near: &Near, before: Aabb, after: Aabb) {
        if self.sleeping == 0 || ![before, after].iter().any(|it| it.overlaps(self.asleep)) {
            return;
        }
        let both = before.hull(after);
        let is_one = before.overlaps(after);
        for area in if is_one { [both, Aabb::default()] } else { [before, after] } {
            if area.is_empty() {
                continue;
            }
            near.visit(widened(area, self.margin), &mut |slot, _| {
                if self.states.get(slot as usize) == Some(&State::Asleep)
                    && [before, after].iter().any(|it| self.views[slot as usize].overlaps(*it))
                {
                    self.wake(slot);
                }
            });
        }
    }
}
