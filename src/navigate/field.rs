//! [`Field`]: the shortest ways of many bodies to their nearest goal. It stores the distance of each free
//! position to the nearest goal modulo 3, in two bits. Two bits are enough, because the distances of
//! neighbours differ by at most one.

use glam::IVec2;

use crate::terrain::BitPlane;

/// The shortest way from each position to the nearest of several goals, for many bodies of the same size.
/// Made by [`Ways::field`](super::Ways::field).
///
/// A field is a copy with 3 bits for each position, so later edits of the level do not change it. After an
/// edit, a step can lead into a solid; a [`Mover`](crate::Mover) stops there.
#[derive(Clone, Debug)]
pub struct Field {
    origin: IVec2,
    /// True if [`Field::step`] may return diagonal steps.
    diagonal: bool,
    /// The positions from which a goal can be reached.
    reached: BitPlane,
    /// The low bit of the distance from each position to its nearest goal, modulo 3; `high` has the high bit.
    low: BitPlane,
    high: BitPlane,
}

impl Field {
    /// Returns the next step of one pixel on a shortest way from position `at` to the nearest goal. The step
    /// can be diagonal.
    ///
    /// Returns `None` at a goal, and at a position from which no goal can be reached: see [`Field::reaches`].
    /// O(1).
    ///
    /// The distance is counted in straight steps, and a diagonal step counts as two of them.
    pub fn step(&self, at: IVec2) -> Option<IVec2> {
        let rest = self.rest(at)?;
        let nearer = Some((rest + 2) % 3);
        let [x, y] = [IVec2::X, IVec2::Y]
            .map(|one| [one, -one].into_iter().find(|step| self.rest(at + *step) == nearer));
        match (x, y) {
            (Some(x), Some(y))
                if self.diagonal && self.rest(at + x + y) == Some((rest + 1) % 3) =>
            {
                Some(x + y)
            }
            _ => x.or(y),
        }
    }

    /// Returns true if a goal can be reached from position `at`. Returns false if the position is not free.
    /// O(1).
    pub fn reaches(&self, at: IVec2) -> bool {
        self.rest(at).is_some()
    }

    /// The distance from `at` to the nearest goal modulo 3; `None` if no goal can be reached.
    fn rest(&self, at: IVec2) -> Option<u32> {
        let place = self.reached.place(at, self.origin)?;
        let [low, high, is_reached] =
            [&self.low, &self.high, &self.reached].map(|plane| plane.get(place.x, place.y));
        is_reached.then_some(u32::from(low) + 2 * u32::from(high))
    }

    /// A breadth-first search from the goals, in which one operation handles 64 positions of a row. The goals
    /// are in coordinates of the bit plane `free`, whose first bit is the position `origin`.
    pub(super) fn new(
        diagonal: bool,
        free: &BitPlane,
        origin: IVec2,
        goals: impl Iterator<Item = IVec2>,
    ) -> Self {
        let [mut reached, mut low, mut high, mut next] = [(); 4].map(|()| free.blank());
        let (free_words, stride) = free.words();
        // `front` has the index of each word of the bit plane with positions at the last distance, and the
        // bits of these positions. `touched` has the indices of the words with positions at the next
        // distance.
        let mut front = Vec::<(usize, u64)>::new();
        let mut touched = Vec::new();
        for goal in goals {
            let (at, bit) = free.at(goal.x, goal.y);
            let bit = (1 << bit) & !reached.words_mut()[at];
            reached.words_mut()[at] |= bit;
            front.push((at, bit));
        }
        let mut distance = 0_u32;
        while !front.is_empty() {
            distance += 1;
            let known = reached.words_mut();
            let next = next.words_mut();
            let mut spread = |at: usize, bits: u64| {
                let new = bits & free_words[at] & !known[at];
                if new != 0 {
                    if next[at] == 0 {
                        touched.push(at);
                    }
                    next[at] |= new;
                }
            };
            for (at, bits) in front.drain(..) {
                spread(at, bits << 1 | bits >> 1);
                spread(at - stride, bits);
                spread(at + stride, bits);
                spread(at + 1, bits >> 63);
                spread(at - 1, bits << 63);
            }
            for at in touched.drain(..) {
                let new = std::mem::take(&mut next[at]);
                known[at] |= new;
                match distance % 3 {
                    1 => low.words_mut()[at] |= new,
                    2 => high.words_mut()[at] |= new,
                    _ => {}
                }
                front.push((at, new));
            }
        }
        Self { origin, diagonal, reached, low, high }
    }
}
