//! Passages that a body gained or lost.

use glam::{IVec2, UVec2};

use super::pieces::{Kind, Pieces};
use crate::analyze::bands::TooComplex;
use crate::analyze::free_space::FreeSpace;
use crate::analyze::path::simplified;
use crate::analyze::union::Union;
use crate::geometry::Aabb;

/// The passages that a body gained and lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyDifference {
    /// Its width and height in pixels.
    pub body: UVec2,
    /// The areas with room to move, before and after: see [`FreeSpace::is_room`].
    pub rooms: [usize; 2],
    /// The ways between areas that were apart before; at most 64.
    pub opened: Vec<Passage>,
    /// The ways between areas that are apart now; at most 64.
    pub closed: Vec<Passage>,
}

/// A way between two areas of which only one of two levels has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passage {
    /// The boxes around the two areas, in the level in which they are apart.
    pub areas: [Aabb; 2],
    /// The pixels that the body covers where its way leads first through what is solid in the other level.
    pub place: Aabb,
    /// The positions of the body at which the way turns, from the edge of the one area to that of the other,
    /// in the level that has it.
    pub path: Vec<IVec2>,
}

/// The largest number of passages that are kept of each kind.
const MAX_PASSAGES: usize = 64;

impl BodyDifference {
    /// The difference of the free spaces of one body, before and after.
    pub(super) fn between(spaces: &[FreeSpace; 2]) -> Result<Self, TooComplex> {
        let [before, after] = spaces;
        let rooms =
            |free: &FreeSpace| (0..free.areas().len()).filter(|area| free.is_room(*area)).count();
        let opened = passages(before, after)?;
        let closed = passages(after, before)?;
        Ok(Self { body: before.body(), rooms: [rooms(before), rooms(after)], opened, closed })
    }
}

/// The ways in `joined` between areas of `apart` that are apart there: as many as it takes to join them. Each
/// leads from one area to the other and through no third one. O(runs) of both.
fn passages(apart: &FreeSpace, joined: &FreeSpace) -> Result<Vec<Passage>, TooComplex> {
    let pieces = Pieces::between(apart, joined)?;
    let mut known = Union::new(apart.areas().len());
    let mut found = Vec::new();
    let mut before = vec![NONE; pieces.len()];
    for (area, of_area) in pieces.by_area(apart.areas().len()) {
        // A flood of the pieces between the areas, from the edge of this one. A piece that an earlier
        // area has reached is known: its areas are joined with that one.
        let mut open = std::collections::VecDeque::new();
        for piece in of_area {
            for next in pieces.beside(piece).filter(|next| pieces.area(*next).is_none()) {
                if before[next as usize] == NONE {
                    before[next as usize] = piece;
                    open.push_back(next);
                }
            }
        }
        while let Some(piece) = open.pop_front() {
            for next in pieces.beside(piece) {
                match pieces.area(next) {
                    None if before[next as usize] == NONE => {
                        before[next as usize] = piece;
                        open.push_back(next);
                    }
                    Some(other) if known.join(area, other) && found.len() < MAX_PASSAGES => {
                        let way =
                            [next].into_iter().chain(std::iter::successors(Some(piece), |piece| {
                                before.get(*piece as usize).copied().filter(|at| *at != NONE)
                            }));
                        let mut way: Vec<u32> = way.collect();
                        way.reverse();
                        found.extend(passage(apart, &pieces, [area, other], &way));
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(found)
}

/// No piece.
const NONE: u32 = u32::MAX;

/// The passage along a way from a piece of the one area to one of the other.
fn passage(apart: &FreeSpace, pieces: &Pieces, areas: [u32; 2], way: &[u32]) -> Option<Passage> {
    let [one, other] = areas.map(|area| apart.areas().get(area as usize).map(|area| area.area));
    let body = apart.body().as_ivec2();
    let mut corners = Vec::new();
    // It begins beside the first piece that is of neither area.
    let mut at = pieces.nearest(*way.first()?, pieces.corner(*way.get(1)?));
    let mut place: Option<Aabb> = None;
    let mut is_past = false;
    for (number, piece) in way.iter().enumerate() {
        let next = way.get(number + 1);
        let leaves = next.map_or(at, |next| pieces.nearest(*piece, pieces.nearest(*next, at)));
        let turn = IVec2::new(leaves.x, at.y);
        corners.extend([at, turn, leaves]);
        match pieces.kind(*piece) {
            Kind::New if !is_past => {
                let covered = Aabb { min: at.min(leaves), max: at.max(leaves) + body };
                place = Some(place.map_or(covered, |place| place.hull(covered)));
            }
            _ => is_past = place.is_some(),
        }
        at = next.map_or(leaves, |next| pieces.nearest(*next, leaves));
    }
    Some(Passage { areas: [one?, other?], place: place?, path: simplified(&corners) })
}
