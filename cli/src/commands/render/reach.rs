//! `render --reach`: the places that a body reaches, drawn over a level, with the links between them as the
//! mover plays them. It decides nothing itself.

use bitwall::glam::IVec2;
use bitwall::image::{Rgba, RgbaImage};
use bitwall::navigate::{JumpWays, Verdict};
use bitwall::render::{self, DrawOptions, RenderError};
use bitwall::{Aabb, LoadedLevel};

const PLACE: Rgba<u8> = Rgba([0, 158, 115, 255]);
const LINK: Rgba<u8> = Rgba([150, 90, 255, 255]);
const WAY: Rgba<u8> = Rgba([230, 159, 0, 255]);
const LOCK: Rgba<u8> = Rgba([213, 0, 60, 255]);

/// The height in pixels of the strip that marks a floor.
const STRIP: i32 = 3;

/// Draws the floors of the places that the body reaches, the links as dots, one for each step, and the ways
/// to the goals as lines. All are drawn at the middle of the body's feet, and were played by the mover.
pub(super) fn draw(
    loaded: &LoadedLevel,
    options: &DrawOptions<'_>,
    mut ways: JumpWays,
    starts: &[IVec2],
    goals: &[Aabb],
    work: u64,
) -> Result<RgbaImage, RenderError> {
    let level = &loaded.level;
    let mut canvas = render::canvas(loaded, options)?;
    let verdicts = ways.reach(level, starts, goals, work);
    let locks = ways.soft_locks(level, starts, goals, work).unwrap_or_default();
    let size = ways.jumper().size.as_ivec2();
    let feet = IVec2::new(size.x / 2, size.y - 1);
    let is_reached = |at: IVec2| starts.iter().any(|start| ways.may_reach(*start, at));
    for hop in ways.links().filter(|hop| is_reached(hop.from)) {
        for (_, at) in ways.replay(level, &hop) {
            canvas.fill(Aabb { min: at + feet, max: at + feet + 1 }, LINK);
        }
    }
    for (run, place) in ways.runs().filter(|(run, _)| is_reached(run.min)) {
        let is_locked = locks.iter().any(|lock| lock.place == place);
        let floor = Aabb { min: run.min + feet - IVec2::new(0, STRIP - 1), max: run.max + feet };
        canvas.fill(floor, if is_locked { LOCK } else { PLACE });
    }
    for verdict in verdicts {
        if let Verdict::Reached(witness) = verdict {
            let steps = witness.replay(level, ways.jumper());
            let points = steps.map(|(mover, _)| mover.body.min + feet);
            canvas.line(&points.collect::<Vec<IVec2>>(), WAY);
        }
    }
    canvas.finish()
}
