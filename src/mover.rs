//! A character that moves through a level: paths, sliding, steps and slopes, corners, sub-pixels.
//!
//! The mover is policy over [`Level::sweep`]: each of its parts of a motion is a sweep, so nothing thin is
//! ever skipped, and it is integers throughout. It holds no level, does no IO, allocates nothing, and knows
//! no other bodies: that is for [`crate::world`].

mod motion;
mod outcome;
mod probe;
mod settings;
mod straight;
mod touch;
mod unstick;
mod walk;

use glam::{I64Vec2, IVec2, Vec2};

use crate::geometry::{Aabb, Dir, Sides, TranslationError, split, to_subpixels};
use crate::{Footprint, Level};

pub use motion::MAX_BOUNCES;
pub use outcome::Move;
pub use settings::{MoverSettings, Path, Response};

use motion::{Motion, PIXEL};
use probe::FootprintProbe;
pub(crate) use probe::{BoxProbe, Probe};

/// One body that moves in a level: where it is to a 65,536th of a pixel, and how it moves.
///
/// It is plain data: copy it to remember a state, compare two, hash one. The same steps give the same states
/// on every machine.
///
/// ```
/// use bitwall::{Aabb, Level, Mover, MoverSettings, glam::Vec2};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let spawn = level.marker("player").expect("the map has a spawn").area.min;
/// let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
/// let mut player = Mover::new(body, MoverSettings::platformer());
///
/// // A game's step: ask for velocity x time, and see what came of it.
/// let mut velocity = Vec2::new(1.7, 0.0);
/// for _ in 0..60 {
///     velocity.y += 0.2;
///     let step = player.step(&level, velocity)?;
///     velocity = step.velocity(velocity);
/// }
/// assert!(player.body.min.x > body.min.x);
/// assert!(!level.overlaps(player.body), "it never ends in a solid");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mover {
    /// Where it is, in whole pixels. A body without extent on an axis meets nothing along the other one.
    pub body: Aabb,
    /// How far it has gone toward its next pixel, in 65,536ths of a pixel ([`crate::SUBPIXELS`]); less than a
    /// pixel, and of the sign in which it went. What a solid stops is cleared.
    pub subpixel: IVec2,
    /// How it moves.
    pub settings: MoverSettings,
    /// How many steps ago it stood on its floor: 0 while it does. For a jump that is still granted a moment
    /// after the edge (coyote time).
    pub steps_since_grounded: u32,
}

impl Mover {
    /// A mover at a whole pixel, that has not stood on a floor yet.
    pub const fn new(body: Aabb, settings: MoverSettings) -> Self {
        Self {
            body,
            subpixel: IVec2::ZERO,
            settings,
            steps_since_grounded: u32::MAX,
        }
    }

    /// Moves by `translation` pixels, as far as the level lets it: see [`MoverSettings`] for the way it
    /// takes.
    ///
    /// It never comes to overlap a solid, however fast it is, unless it overlaps one already
    /// ([`Move::started_solid`]: then it may leave, but not go on through it) or the response is
    /// [`Response::Cross`]. At the ends of the range of `i32` it stops as at a solid. O(words that the motion
    /// sweeps), and a few sweeps more for each pixel that it goes on a slope, past a corner or on a straight
    /// line near solids. Allocates nothing.
    ///
    /// # Errors
    /// [`TranslationError`] if `translation` is not finite, or not below 2^31 pixels; nothing is changed
    /// then.
    pub fn step(&mut self, level: &Level, translation: Vec2) -> Result<Move, TranslationError> {
        Ok(self.step_subpixels(level, to_subpixels(translation)?))
    }

    /// As [`Mover::step`] by whole numbers of 65,536ths of a pixel ([`crate::to_subpixels`]), so that no
    /// float is in play.
    pub fn step_subpixels(&mut self, level: &Level, translation: I64Vec2) -> Move {
        let one_way = self.settings.one_way;
        self.step_among(&BoxProbe::new(level, one_way), translation)
    }

    /// As [`Mover::step`] for a body that is no box: `footprint`, its top-left corner at that of
    /// [`Mover::body`], which takes its size. So a sprite moves with the pixels of the frame that it shows.
    /// One that would reach beyond the range of `i32` is put at its end before it moves. Each sweep costs one
    /// for each box of the footprint's edges.
    ///
    /// # Errors
    /// As [`Mover::step`].
    pub fn step_footprint(
        &mut self,
        level: &Level,
        footprint: &Footprint,
        translation: Vec2,
    ) -> Result<Move, TranslationError> {
        let translation = to_subpixels(translation)?;
        let probe = self.footprint_probe(level, footprint);
        Ok(self.step_among(&probe, translation))
    }

    /// Gives the body the size of the footprint, all of which lies within the range of `i32` then: what is
    /// cut off at its end would meet nothing, and come back in a solid.
    fn footprint_probe<'a>(
        &mut self,
        level: &'a Level,
        footprint: &'a Footprint,
    ) -> FootprintProbe<'a> {
        let last = IVec2::MAX - footprint.size().as_ivec2();
        self.body = footprint.bounds(self.body.min.min(last));
        let one_way = self.settings.one_way;
        let parts = BoxProbe::new(level, one_way);
        FootprintProbe { footprint, parts }
    }

    /// The step, whatever the body meets.
    pub(crate) fn step_among(&mut self, probe: &impl Probe, translation: I64Vec2) -> Move {
        let start = *self;
        let (pixels, subpixel) = split(self.subpixel, translation);
        let asked = pixels.as_i64vec2() * PIXEL as i64 + subpixel.as_i64vec2();
        let started_solid = probe.overlaps(self.body);
        let was_grounded = self.is_held(probe);
        let areas = probe.areas(self.body, None);
        let crosses = self.settings.response == Response::Cross;
        let mut motion = Motion {
            probe,
            settings: &start.settings,
            body: self.body,
            contacts: Sides::all(None),
            watches_areas: probe.has_areas(),
            areas: 0,
            bounces: [0; 2],
            on_foot: (self.settings.floor).filter(|floor| {
                was_grounded && !started_solid && !crosses && !leaves(asked, *floor)
            }),
            is_held: None,
            leaning: asked.to_array(),
            is_forgiving: !started_solid,
        };
        let rests = motion.travel(asked.to_array());
        let (body, contacts, bounces) = (motion.body, motion.contacts, motion.bounces);
        let (passed, known) = (motion.areas, motion.is_held);
        self.body = body;
        self.subpixel = IVec2::from_array(rests.map(|rest| rest.subpixel as i32));
        let grounded = known.unwrap_or_else(|| self.is_held(probe));
        self.steps_since_grounded = match grounded {
            true => 0,
            false => self.steps_since_grounded.saturating_add(1),
        };
        Move {
            asked: pixels,
            moved: body.min.saturating_sub(start.body.min),
            leftover: IVec2::from_array(rests.map(|rest| (rest.leftover / PIXEL as i64) as i32)),
            contacts,
            started_solid,
            was_grounded,
            grounded,
            bounces,
            response: self.settings.response,
            areas: [areas, passed, probe.areas(body, None)],
        }
    }

    /// True if the floor holds it, or a one-way cell that it obeys.
    fn is_held(&self, probe: &impl Probe) -> bool {
        let floor = self.settings.floor;
        floor.is_some_and(|floor| !probe.can_move(self.body, floor, 1))
    }
}

/// True if a motion goes away from the floor.
fn leaves(asked: I64Vec2, floor: Dir) -> bool {
    let along = asked.to_array()[floor.axis().index()];
    if floor.is_positive() {
        along < 0
    } else {
        along > 0
    }
}
