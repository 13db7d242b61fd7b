//! Samples of the answers to the question where a body gets.

use bitwall::analyze::{
    Barrier, MoveSet, PlatformerMoves, Reach, ReachLimits, Verdict, Witness, reach,
};
use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Grid, Level};

pub(crate) fn moves() -> [MoveSet; 2] {
    [MoveSet::top_down(3), MoveSet::jumper(44, 21)]
}

pub(crate) fn platformers() -> Vec<PlatformerMoves> {
    let of = |moves| match moves {
        MoveSet::Platformer(moves) => Some(*moves),
        _ => None,
    };
    moves().into_iter().filter_map(of).collect()
}

/// A goal that is reached, one that is too high, and one in a closed room, for both kinds of moves.
pub(crate) fn answers() -> Vec<Reach> {
    let text = "......##\n......#.\n...#####\n........\n........\n........\n########";
    let level = Level::from_grid(Grid::from_text(text).unwrap(), UVec2::splat(16)).unwrap();
    let goals = [[80, 88], [84, 20], [120, 24]].map(|at| Aabb::from_xywh(at[0], at[1], 4, 4));
    let ask = |moves: &MoveSet| {
        let (body, start) = (UVec2::new(12, 14), [IVec2::new(2, 80)]);
        reach(&level, body, moves, &start, &goals, &ReachLimits::default()).unwrap()
    };
    moves().iter().map(ask).collect()
}

pub(crate) fn verdicts() -> Vec<Verdict> {
    answers().into_iter().flat_map(|reach| reach.goals).collect()
}

pub(crate) fn witnesses() -> Vec<Witness> {
    let of = |verdict| match verdict {
        Verdict::Reached(witness) => Some(witness),
        _ => None,
    };
    verdicts().into_iter().filter_map(of).collect()
}

pub(crate) fn barriers() -> Vec<Barrier> {
    let of = |verdict| match verdict {
        Verdict::Unreachable(barrier) => barrier.map(|barrier| *barrier),
        _ => None,
    };
    verdicts().into_iter().filter_map(of).collect()
}
