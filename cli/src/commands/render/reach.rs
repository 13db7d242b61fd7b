//! `render --reach`: the places that a body reaches, drawn over a level, with the links between them as the
//! mover plays them. It decides nothing itself.

use std::collections::HashSet;
use std::io::{self, Write};

use crate::commands::Failure;
use crate::lint::VerifyOptions;
use crate::lint::rules::{JumpQuestion, spot};
use bitwall::glam::IVec2;
use bitwall::image::{Rgba, RgbaImage};
use bitwall::navigate::{JumpWays, SoftLock, Verdict};
use bitwall::render::{self, DrawOptions, RenderError};
use bitwall::text::counted;
use bitwall::{Aabb, LoadedLevel};

const PLACE: Rgba<u8> = Rgba([0, 158, 115, 255]);
const LINK: Rgba<u8> = Rgba([0, 90, 200, 150]);
const WAY: Rgba<u8> = Rgba([230, 159, 0, 255]);
const LOCK: Rgba<u8> = Rgba([213, 0, 60, 255]);

/// The height in pixels of the strip that marks a floor.
const STRIP: i32 = 3;

/// What a body reaches in a level.
pub(super) struct Reached {
    asked: JumpQuestion,
    ways: JumpWays,
    verdicts: Vec<Verdict>,
    locks: Vec<SoftLock>,
}

impl Reached {
    /// Searches for the ways of the first body that jumps.
    pub(super) fn new(loaded: &LoadedLevel, options: &VerifyOptions) -> Result<Self, Failure> {
        let asked = JumpQuestion::of_level(loaded, options)?;
        let JumpQuestion { jumper, starts, goals, work, .. } = &asked;
        let ways = JumpWays::unplayed(&loaded.level, jumper.clone());
        let mut ways = ways.map_err(|error| error.to_string())?;
        let verdicts = ways.reach(&loaded.level, starts, goals, *work);
        let locks = ways.soft_locks(&loaded.level, starts, goals, *work);
        let locks = locks.map_err(|cause| format!("--reach: {cause}"))?;
        Ok(Self { asked, ways, verdicts, locks })
    }

    /// Writes what is known of each goal, and the places that the body does not leave.
    pub(super) fn write(&self, loaded: &LoadedLevel, out: &mut dyn Write) -> io::Result<()> {
        for (name, verdict) in self.asked.names.iter().zip(&self.verdicts) {
            match verdict {
                Verdict::Reached(way) => {
                    writeln!(out, "{name}: reached in {}", counted(way.steps(), "step"))?;
                }
                Verdict::OutOfReach(_) => writeln!(out, "{name}: out of reach")?,
                Verdict::Undecided(cause) => writeln!(out, "{name}: undecided: {cause}")?,
            }
        }
        for lock in &self.locks {
            let spot = spot(loaded, self.feet(lock.at));
            let how = if lock.is_proven { "proven" } else { "no way found" };
            writeln!(out, "no way back from {spot}: {how}")?;
        }
        Ok(())
    }

    /// Draws the floors of the places, the links as dots, one for each step, and the ways to the goals as
    /// lines. All were played by the mover.
    pub(super) fn draw(
        &self,
        loaded: &LoadedLevel,
        options: &DrawOptions<'_>,
    ) -> Result<RgbaImage, RenderError> {
        let level = &loaded.level;
        let mut canvas = render::canvas(loaded, options)?;
        let reached = self.places();
        for hop in self.ways.links() {
            if self.ways.place_at(hop.from).is_some_and(|place| reached.contains(&place)) {
                for (_, at) in self.ways.replay(level, &hop) {
                    let dot = self.feet(at);
                    canvas.fill(Aabb { min: dot, max: dot + 1 }, LINK);
                }
            }
        }
        for (positions, place) in self.ways.runs().filter(|(_, place)| reached.contains(place)) {
            let is_locked = self.locks.iter().any(|lock| lock.place == place);
            let [min, max] = [positions.min, positions.max - 1].map(|at| self.feet(at) + 1);
            let floor = Aabb { min: min - IVec2::new(1, STRIP), max };
            canvas.fill(floor, if is_locked { LOCK } else { PLACE });
        }
        for verdict in &self.verdicts {
            if let Verdict::Reached(way) = verdict {
                let steps = way.replay(level, &self.asked.jumper);
                let points = steps.map(|(mover, _)| self.feet(mover.body.min));
                canvas.line(&points.collect::<Vec<IVec2>>(), WAY);
            }
        }
        canvas.finish()
    }

    /// The middle of the lowest row of the body at a position.
    fn feet(&self, at: IVec2) -> IVec2 {
        let size = self.asked.jumper.size.as_ivec2();
        at + IVec2::new(size.x / 2, size.y - 1)
    }

    /// The places that links lead to from the starts.
    fn places(&self) -> HashSet<u32> {
        let links = self.ways.links();
        let ends: Vec<[Option<u32>; 2]> =
            links.map(|hop| [hop.from, hop.to].map(|at| self.ways.place_at(at))).collect();
        let starts = self.asked.starts.iter();
        let mut reached: HashSet<u32> = starts.filter_map(|at| self.ways.place_at(*at)).collect();
        loop {
            let known = reached.len();
            for [from, to] in &ends {
                if from.is_some_and(|from| reached.contains(&from)) {
                    reached.extend(to);
                }
            }
            if reached.len() == known {
                return reached;
            }
        }
    }
}
