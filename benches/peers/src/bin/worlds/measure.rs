//! Measures the time of steps, and records what the bodies do.

use std::time::Instant;

use bitwall::Aabb;
use bitwall::glam::Vec2;

use crate::scenes::{Engine, Scene};

/// An engine and a function that creates it with a scene, called anew for each round.
pub(crate) struct Contender<'a> {
    pub(crate) name: &'static str,
    pub(crate) make: Box<dyn Fn() -> Box<dyn Engine> + 'a>,
}

/// Returns the mean time of steps.
pub(crate) fn mean(times: &[f64]) -> f64 {
    times.iter().sum::<f64>() / times.len() as f64
}

/// Returns the longest time divided by the median time.
pub(crate) fn longest_over_median(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() - 1] / times[times.len() / 2]
}

/// Returns the seconds of each step of each engine: the shortest time of all rounds. In a round, all engines
/// run in turn. All rounds do the same work, so the shortest time is free of most interruptions by other
/// processes.
pub(crate) fn contest(contenders: &[Contender], steps: usize, rounds: usize) -> Vec<Vec<f64>> {
    let mut found = vec![vec![f64::INFINITY; steps]; contenders.len()];
    for _ in 0..rounds {
        for (contender, shortest) in contenders.iter().zip(&mut found) {
            let mut engine = (contender.make)();
            for shortest in shortest {
                let start = Instant::now();
                engine.step();
                *shortest = shortest.min(start.elapsed().as_secs_f64());
            }
        }
    }
    found
}

/// What the bodies of a scene did during some steps.
pub(crate) struct Seen {
    /// The pixels that a body moved along x in a step, on average.
    pub(crate) walked: f64,
    /// The pixels by which a body is lower than at the start, on average.
    pub(crate) fell: f64,
    /// How often a body turned round, on average.
    pub(crate) turns: f64,
    /// The last step in which a body moved by over a tenth of a pixel.
    pub(crate) moved_until: usize,
    /// The number of bodies that are in a solid of the level at the end, deeper than the tolerance.
    pub(crate) in_solids: usize,
    /// The number of bodies that are in another body at the end, deeper than the tolerance.
    pub(crate) in_bodies: usize,
}

/// Runs an engine and checks its bodies after each step. The tolerance is in pixels.
pub(crate) fn watch(scene: &Scene, contender: &Contender, steps: usize, tolerance: f32) -> Seen {
    let mut engine = (contender.make)();
    let start = engine.corners();
    let mut last = start.clone();
    let mut directions = vec![0.0_f32; last.len()];
    let (mut walked, mut turns, mut moved_until) = (0.0, 0_u32, 0);
    for step in 1..=steps {
        engine.step();
        let corners = engine.corners();
        for ((corner, last), direction) in corners.iter().zip(&last).zip(&mut directions) {
            let moved = corner[0] - last[0];
            walked += f64::from(moved.abs());
            if moved.abs().max((corner[1] - last[1]).abs()) > 0.1 {
                moved_until = step;
            }
            // A contact may push a body by less than half a pixel, which is not a turn.
            if moved.abs() >= 0.5 {
                turns += u32::from(moved * *direction < 0.0);
                *direction = moved.signum();
            }
        }
        last = corners;
    }
    let count = start.len() as f64;
    let fell = last.iter().zip(&start).map(|(end, start)| f64::from(end[1] - start[1]));
    Seen {
        walked: walked / count / steps as f64,
        fell: fell.sum::<f64>() / count,
        turns: f64::from(turns) / count,
        moved_until,
        in_solids: in_solids(scene, &last, tolerance),
        in_bodies: if scene.meets { in_bodies(scene, &last, tolerance) } else { 0 },
    }
}

fn in_solids(scene: &Scene, corners: &[[f32; 2]], tolerance: f32) -> usize {
    let level = scene.level();
    let is_inside = |corner: &&[f32; 2]| {
        let min = Vec2::from_array(**corner) + tolerance;
        let max = Vec2::from_array(**corner) + scene.size.as_vec2() - tolerance;
        level.overlaps(Aabb { min: min.floor().as_ivec2(), max: max.ceil().as_ivec2() })
    };
    corners.iter().filter(is_inside).count()
}

fn in_bodies(scene: &Scene, corners: &[[f32; 2]], tolerance: f32) -> usize {
    let mut corners = corners.to_vec();
    corners.sort_by(|one, two| one[0].total_cmp(&two[0]));
    let size = scene.size.as_vec2() - tolerance;
    let mut is_inside = vec![false; corners.len()];
    for (at, one) in corners.iter().enumerate() {
        let near = corners[at + 1..].iter().take_while(|two| two[0] - one[0] < size.x);
        for (after, two) in near.enumerate() {
            if (two[1] - one[1]).abs() < size.y {
                (is_inside[at], is_inside[at + 1 + after]) = (true, true);
            }
        }
    }
    is_inside.into_iter().filter(|inside| *inside).count()
}
