//! The settings of a mover, and [`Move`], the outcome of its step. The outcome also computes the velocity
//! after the step. Speeds after a bounce are rounded toward zero, so no bounce adds speed. All types are
//! plain data. The code that moves a body is in the other modules.

use std::hash::{Hash, Hasher};

use glam::{I64Vec2, IVec2};

use crate::Level;
use crate::geometry::{Axis, Corners, Dir, Sides, subpixels, to_pixels};
use crate::terrain::Contact;

/// The distance to each side of a body within which a slope is measured, in pixels.
pub(super) const SURFACE_REACH: usize = 8;

/// The path of a body from its position to its target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MovePath {
    /// The body moves along x, then along y, as in most games on tiles. In a side view the body walks before
    /// it falls, so the edges between the tiles of a flat floor do not stop it. The default.
    #[default]
    XThenY,
    /// The body moves along y, then along x.
    YThenX,
    /// The straight line from start to target. Steps, snapping, [`MoverSettings::max_slope`],
    /// [`MoverSettings::walk_speed`] and corner correction do not apply to this path.
    ///
    /// With [`Corners::Block`] the body is stopped by every solid pixel that its box overlaps anywhere on the
    /// line, also between whole pixels. With [`Corners::Pass`] only positions at whole pixels are tested. For
    /// each pixel along the longer axis, this is the nearest pixel on the other axis (a half is rounded
    /// toward the start). So the box squeezes past a corner that an exactly diagonal step would cut. A body
    /// that hits only a corner stops along the shorter axis of its motion (y if both are equal).
    Straight(Corners),
}

/// The response of a body to a solid that stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
#[non_exhaustive]
pub enum Response {
    /// The body stops on both axes.
    Stop,
    /// The body stops on the axis of the contact, and continues along the other axis. The default.
    #[default]
    Slide,
    /// The body bounces: it moves back by `restitution` percent of the remaining distance. It bounces at most
    /// [`MoverSettings::MAX_BOUNCES`] times on each axis in a step.
    ///
    /// A slanted surface reflects the body by the surface's normal
    /// ([`Mover::surface_normal`](super::Mover::surface_normal)), once in each step. The component of the
    /// motion along the normal is reversed, and the component along the surface is kept: a box that falls
    /// onto a slope of 45 degrees continues sideways. A surface that rises by less than 2 px within 8 px to
    /// each side counts as level. Details:
    /// * The motion along one axis can lead into the surface while the motion along both axes does not. The
    ///   body then moves along the other axis first. If the surface still stops the body, the body bounces as
    ///   if off a wall.
    /// * A second slanted surface in the same step stops the motion toward it.
    /// * Where solids stop both axes of a [`MovePath::Straight`] at once, the body bounces on both axes.
    /// * A body that bounces off a slanted surface may end the step at the pixel where it began. Its speed
    ///   toward each contact is then 0.
    ///
    /// A bounce reverses only the rest of the step. So under gravity the height of a body after a bounce has
    /// an error of up to one step's motion, and of up to 3 px more on a slope of pixels. With a restitution
    /// of 95 or less these errors do not add up. With a restitution of 100 they can add up, and the body then
    /// rises higher than the start of its fall.
    Bounce {
        /// The speed after a bounce, in percent of the speed before. 100 loses no speed, 0 is the same as
        /// [`Response::Slide`], and more than 100 counts as 100.
        restitution: u8,
    },
    /// The body moves through all solids. [`Move::contacts`] has the first contact on each side. With any
    /// other response, a mover never moves into a solid.
    ///
    /// The solids behind the first one are found by queries before the step:
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..#..##.#.")?, UVec2::splat(8))?;
    /// let mut body = Aabb::from_xywh(0, 0, 6, 6);
    /// let mut walls = Vec::new();
    /// while let Some(contact) = level.sweep(body, Dir::Right, 74).contact {
    ///     walls.push(contact.cell.x);
    ///     let inside = body.shifted(Dir::Right, level.sweep(body, Dir::Right, 74).moved + 1);
    ///     let Some(past) = level.nearest_free(inside, Dir::Right, 74) else { break };
    ///     body = inside.shifted(Dir::Right, past);
    /// }
    /// assert_eq!(walls[..3], [2, 5, 8]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    Cross,
}

/// A steepness: `rise` pixels up or down for `run` pixels along the floor. 30 degrees are about 4:7, 45
/// degrees are 1:1, 60 degrees about 7:4.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Slope {
    /// The height of the slope in pixels, up or down, for `run` pixels along the floor.
    pub rise: u16,
    /// The length of the slope along the floor, in pixels.
    pub run: u16,
}

impl Slope {
    /// A vertical wall. Every slope with a run of 0 counts as vertical. As [`MoverSettings::max_slope`] this
    /// slope sets no limit.
    pub const VERTICAL: Self = Self { rise: 1, run: 0 };

    /// A slope of 45 degrees.
    pub const DIAGONAL: Self = Self { rise: 1, run: 1 };

    /// True if the slope has no run.
    pub(super) const fn is_vertical(self) -> bool {
        self.run == 0
    }
}

/// The direction along which the length of a walk on a slope is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WalkSpeed {
    /// The translation is measured along the axis of the floor: x for a floor below. On a slope of 45 degrees
    /// the body moves 1.4 times as far as on level ground, because its x changes by the same amount. The
    /// default.
    #[default]
    AlongAxis,
    /// The translation is measured along the slope, by the normal of the floor at the start of the step
    /// ([`Mover::floor_normal`](super::Mover::floor_normal)). On a slope of 45 degrees the body moves as far
    /// as on level ground, and x changes by 0.7 times the translation.
    AlongSlope,
}

/// The settings of a [`Mover`](super::Mover). All distances are in whole pixels.
///
/// ```
/// use bitwall::{Dir, MoverSettings};
///
/// let settings = MoverSettings { step_height: 8, ..MoverSettings::platformer() };
/// assert_eq!(settings.floor, Some(Dir::Down));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct MoverSettings {
    /// The path that the body takes in a step, from its position to its target.
    pub path: MovePath,
    /// The body's response to a solid that stops it.
    pub response: Response,
    /// The direction of the floor on which the body stands, walks and climbs steps. `None` for a body without
    /// a floor, as in a view from above.
    ///
    /// The path should begin with the axis along the floor: x for a floor below. On a [`MovePath::Straight`]
    /// the floor only decides whether the body is grounded.
    pub floor: Option<Dir>,
    /// The highest step that the body walks up, in pixels, from 0 to 256. A slope is a staircase of pixels
    /// with one step in each column.
    ///
    /// So this is also the steepest slope in pixels per column, if `max_slope` sets no limit. On a
    /// [`MovePath::Straight`], `step_height` and the next four fields have no effect.
    ///
    /// The edge of a one-way cell counts as a step too, if `one_way` is true for its side. So the body walks
    /// up and down one-way slopes. Such an edge never stops the body: if there is no space above the edge,
    /// the body continues below it. The body also stays below an edge if it was already below the one-way
    /// floor one pixel earlier: an edge was above its feet, at most `step_height` higher than the new edge.
    /// So the rule does not undo a jump from below or a [`Mover::drop_through`](super::Mover::drop_through).
    /// Near such edges the body walks pixel by pixel, up to [`Mover::MAX_LOOKS`](super::Mover::MAX_LOOKS)
    /// pixels in a step.
    ///
    /// A body in the air does not fly through a one-way slope from above either. When it flies over a floor
    /// toward a rising one-way slope, it is lifted onto the next edge by the same rule. The edge must be at
    /// most `step_height` above that floor, and not above the body's head. The lift counts as motion away
    /// from the floor, so a jump that rises slower than the slope stays on the slope.
    ///
    /// A body that falls against the side of a slope's step lands on the floor in front of that step and
    /// walks up, so the body keeps its speed. This happens at most once in a call of
    /// [`Mover::step`](super::Mover::step), and only on a path that begins with the axis along the floor. The
    /// body must reach that floor with its fall in this call, and must be able to step up from there. A body
    /// with [`Response::Stop`] stops at the step instead, and a bouncing body bounces.
    pub step_height: u32,
    /// The largest distance by which each pixel of a walk moves the body down to its floor, from 0 to 256
    /// pixels.
    ///
    /// So the body stays on the floor when it walks down a slope. A body that moves away from the floor is
    /// never moved down.
    pub snap_distance: u32,
    /// The steepest slope on which the body stands and which it climbs. With [`Slope::VERTICAL`] only
    /// `step_height` limits the slope.
    ///
    /// A steeper slope is not a floor: it stops a body that walks or flies against it, and corner correction
    /// does not lift the body. On a steeper slope the body is not grounded. It slides down by the fall in its
    /// translation, keeps its speed, and has no contact toward the floor. The body stands where a solid stops
    /// the slide, as in a valley.
    ///
    /// A slope is a staircase of pixels in which the heights of consecutive steps differ by at most one pixel
    /// ([`Mover::surface_normal`](super::Mover::surface_normal)); larger stairs are not slopes. A slope is
    /// measured within 8 px to each side of the body. A slope within the limit is never refused. A slope that
    /// is steeper than the limit by 1 px in 8 is refused within its first 16 px. A slope steeper than 8:1
    /// counts as a wall or an edge. The limit does not apply to one-way cells, which support a body at any
    /// slope, nor to bouncing bodies, which bounce off every slope.
    ///
    /// With a limit, each pixel of motion on a slope takes 4 to 12 µs, and 16 to 64 µs for a disc of 16 px.
    /// This is twenty times as long as without a limit. A pixel of motion on level floor takes 0.5 µs, and 3
    /// µs for the disc.
    pub max_slope: Slope,
    /// The direction along which the length of a walk on a slope is measured.
    pub walk_speed: WalkSpeed,
    /// For each direction of motion, the largest distance to the side by which the body is moved to pass a
    /// corner that stops it: 0 to 256 pixels.
    ///
    /// The body takes the nearest free position. If positions on both sides are equally near, it moves to the
    /// side to which the step's translation points. If the translation points to neither side, the corner
    /// stops the body.
    ///
    /// With any distance above 0 the body also slides along slanted ceilings and walls with slopes from 1:8
    /// to 8:1. A slide never lifts the body from its floor by more than this distance at once. The body keeps
    /// its motion along the wall, and loses its motion into the wall. A corner is the end of a wall, with 9
    /// free pixels behind it. The first corner in a step does not shorten the motion. At a later corner, each
    /// pixel to the side shortens the motion by a pixel or more. So a step moves the body by at most its
    /// length and one corner.
    ///
    /// A correction against the body's translation on that axis needs a larger translation toward the corner.
    /// So corrections on the two axes never undo each other. A body that moves diagonally along a wall enters
    /// every door of its own size, if its translation in a step is at most one pixel more than this distance.
    ///
    /// Corrections do not apply to the motion toward the floor of a body that walks. At an obstacle on its
    /// walk, `step_height` applies instead. They do not apply to a body that starts in a solid. One-way cells
    /// do not count as corners.
    pub corner_correction: Sides<u32>,
    /// True if corner correction takes time: each pixel to the side uses up a pixel of the motion.
    ///
    /// So a character seen from above slides around a corner at the speed of its walk. If false, the first
    /// corner in a step moves the body to the side at once, by up to `corner_correction` pixels.
    pub slides_around_corners: bool,
    /// For each side of a cell: true if the body is stopped by one-way cells that are solid at this side. If
    /// false, the body ignores them.
    ///
    /// Such a side stops each row or column of a footprint separately: it stops a disc until all pixels of
    /// the disc are past it.
    pub one_way: Sides<bool>,
}

impl MoverSettings {
    /// The largest number of bounces on one axis in a step.
    pub const MAX_BOUNCES: u8 = 8;

    /// The largest `step_height`, `snap_distance` and `corner_correction`, in pixels; a larger value counts
    /// as 256.
    pub const MAX_CORRECTION: u32 = 256;

    /// The default settings: the body moves along x, then along y, and slides along solids. There is no floor
    /// and no correction.
    pub const PLAIN: Self = Self {
        path: MovePath::XThenY,
        response: Response::Slide,
        floor: None,
        step_height: 0,
        snap_distance: 0,
        max_slope: Slope::VERTICAL,
        walk_speed: WalkSpeed::AlongAxis,
        corner_correction: Sides { left: 0, right: 0, up: 0, down: 0 },
        slides_around_corners: false,
        one_way: Sides { left: true, right: true, up: true, down: true },
    };

    /// Returns settings for a character seen from the side, on tiles of 8 to 16 pixels. The floor is down,
    /// and the character walks up and down steps of 4 pixels.
    ///
    /// A jump that hits a ceiling within 4 pixels of the ceiling's edge passes the edge. A jump to a ledge
    /// reaches the ledge if it is up to 4 pixels too low or too high. A correction against the velocity on an
    /// axis needs a larger velocity on the other axis: a character that falls faster than it runs is not
    /// lifted onto a ledge. (Celeste corrects 4 pixels on tiles of 8.)
    ///
    /// So a character that runs over a pit crosses it if it falls at most 4 pixels on the way. A body 12
    /// pixels wide, with a speed of 1.75 pixels a step and a gravity of 0.2, crosses a pit of 22 pixels. With
    /// a corner correction of 0 to the left and right, it falls into every pit over which it falls by a
    /// pixel. (Celeste corrects only dashes, and Godot corrects nothing.)
    pub const fn platformer() -> Self {
        Self {
            floor: Some(Dir::Down),
            step_height: 4,
            snap_distance: 4,
            corner_correction: Sides { left: 4, right: 4, up: 4, down: 0 },
            ..Self::PLAIN
        }
    }

    /// Returns settings for a character seen from above, on tiles of 8 to 16 pixels. It has no floor.
    ///
    /// It moves up to 4 pixels to the side to pass a corner, so it enters doors of its own size and slides
    /// along slanted walls.
    pub const fn top_down() -> Self {
        Self { corner_correction: Sides { left: 4, right: 4, up: 4, down: 4 }, ..Self::PLAIN }
    }

    /// The step height in pixels, limited to [`MoverSettings::MAX_CORRECTION`].
    pub(super) fn step(&self) -> u32 {
        self.step_height.min(Self::MAX_CORRECTION)
    }

    /// The steepest slope on which the body stands.
    pub(super) fn steepest_floor(&self) -> Slope {
        match self.path {
            MovePath::Straight(_) => Slope::VERTICAL,
            _ => self.max_slope,
        }
    }

    /// True if a walk's length depends on the slope of the floor.
    pub(super) fn measures_slopes(&self) -> bool {
        self.walk_speed == WalkSpeed::AlongSlope && !matches!(self.path, MovePath::Straight(_))
    }

    pub(super) fn bounces(&self) -> bool {
        matches!(self.response, Response::Bounce { restitution: 1.. })
    }

    /// The largest number of pixels by which a motion of one pixel toward `dir` moves the body to the side,
    /// at a corner or along a slanted wall. 0 without corner correction.
    pub(super) fn longest_aside(&self, dir: Dir) -> u32 {
        match self.corner_correction.get(dir).min(Self::MAX_CORRECTION) {
            0 => 0,
            limit => limit.max(SURFACE_REACH as u32),
        }
    }

    /// The distance in pixels from the body within which solids affect a measured slope of up to 45 degrees.
    /// 0 if the motion does not depend on slopes.
    fn surface_reach(&self) -> u32 {
        let looks = !self.max_slope.is_vertical() || self.walk_speed == WalkSpeed::AlongSlope;
        if looks || self.bounces() { 2 * SURFACE_REACH as u32 + 1 } else { 0 }
    }

    /// The largest distance in pixels from a mover's path at which solids affect its step.
    pub(crate) fn look_aside(&self) -> u32 {
        let corners = Dir::ALL.map(|dir| self.longest_aside(dir)).into_iter().max().unwrap_or(0);
        corners.max(self.step_height).max(self.snap_distance).max(self.surface_reach())
    }
}

impl Default for MoverSettings {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// The outcome of a [`Mover`](super::Mover)'s step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Move {
    /// The whole pixels of motion that this step should make: the translation plus the fractions of earlier
    /// steps.
    pub asked: IVec2,
    /// The whole pixels by which the body moved. Steps, snapping, corner correction, a slide down a slope and
    /// a slanted bounce can make `moved` larger than `asked`.
    pub moved: IVec2,
    /// The whole pixels by which platforms and other bodies of a [`World`](crate::world::World) carried and
    /// pushed the body in this step.
    ///
    /// `moved` does not include them.
    pub carried: IVec2,
    /// The whole pixels of `asked` that were not done.
    ///
    /// The reason is a contact, the end of the range of `i32`,
    /// [`Mover::MAX_LOOKS`](super::Mover::MAX_LOOKS) or
    /// [`Mover::MAX_TRANSLATION`](super::Mover::MAX_TRANSLATION).
    pub leftover: IVec2,
    /// For each side, the first contact with a solid that stopped the body: the cell and the normal.
    ///
    /// [`LoadedLevel::provenance`](crate::LoadedLevel::provenance) gives the tile or object that made the
    /// cell solid. A body at rest on a floor also has a contact if its translation led toward the floor by a
    /// fraction of a pixel. With [`Response::Cross`] the contact is the first solid that the body crossed.
    pub contacts: Sides<Option<Contact>>,
    /// True if the body overlapped a solid before it moved; see [`Mover::unstick`](super::Mover::unstick).
    pub started_solid: bool,
    /// True if the body stood on its floor before the step.
    pub was_grounded: bool,
    /// True if the body stands on its floor after the step; never for a body without a floor.
    ///
    /// A body does not stand on a one-way floor while its own velocity leads away from the floor, such as
    /// while it rises through the floor.
    pub grounded: bool,
    /// The number of bounces on each axis.
    pub(super) bounces: [u8; 2],
    /// The bounce off a slanted surface, if there was one.
    pub(super) reflection: Option<Reflection>,
    /// The response in the mover's settings.
    pub(crate) response: Response,
    /// Three sets of named areas, with one bit for each area: the areas that the body overlapped before the
    /// step, the areas on its path, and the areas that it overlaps after the step.
    pub(super) areas: (u64, u64, u64),
}

impl Move {
    /// The outcome of a step that moved the body by all `pixels` and met no solid.
    pub(crate) fn free(pixels: IVec2, was_grounded: bool, response: Response) -> Self {
        Self {
            asked: pixels,
            moved: pixels,
            carried: IVec2::ZERO,
            leftover: IVec2::ZERO,
            contacts: Sides::all(None),
            started_solid: false,
            was_grounded,
            grounded: false,
            bounces: [0; 2],
            reflection: None,
            response,
            areas: (0, 0, 0),
        }
    }

    /// True if any side has a contact: a solid stopped the body, or the body crossed a solid.
    pub fn is_stopped(&self) -> bool {
        Dir::ALL.iter().any(|dir| self.contacts.get(*dir).is_some())
    }

    /// True if the body stands on its floor after the step, and did not before.
    pub fn landed(&self) -> bool {
        self.grounded && !self.was_grounded
    }

    /// True if the body stood on its floor before the step, and does not now: it jumped, or the floor ended.
    pub fn left_floor(&self) -> bool {
        self.was_grounded && !self.grounded
    }

    /// Returns the number of bounces along an axis. A bounce off a slanted surface does not count: see
    /// [`Move::slanted_bounce`].
    pub fn bounces(&self, axis: Axis) -> u8 {
        self.bounces[axis.index()]
    }

    /// Returns the normal of the slanted surface that the body bounced off, or `None` without such a bounce.
    ///
    /// The normal points out of the solid, and its length is not 1. See [`Response::Bounce`].
    pub fn slanted_bounce(&self) -> Option<IVec2> {
        self.reflection.map(|reflection| IVec2::from_array(reflection.normal.map(i32::from)))
    }

    /// Returns the velocity after the step of a body that had `velocity` before the step, in any unit.
    ///
    /// Speed that leads into a contact becomes 0; with [`Response::Stop`] any contact makes the velocity 0.
    /// Each bounce reverses and reduces the speed. A bounce off a slanted surface reflects the velocity. A
    /// number that a bounce changes is rounded to 65,536ths. `velocity` is any pair of `f32`, and the result
    /// has the same type.
    pub fn velocity<V: Into<[f32; 2]> + From<[f32; 2]>>(&self, velocity: V) -> V {
        let [x, y] = velocity.into();
        let exact = I64Vec2::new(subpixels(x.into()), subpixels(y.into()));
        let after = self.velocity_subpixels(exact);
        let pixels = to_pixels(after);
        let is_kept = after.cmpeq(exact);
        V::from([if is_kept.x { x } else { pixels.x }, if is_kept.y { y } else { pixels.y }])
    }

    /// [`Move::velocity`] in subpixels. The speed after a bounce is rounded toward zero.
    pub(crate) fn velocity_subpixels(&self, velocity: I64Vec2) -> I64Vec2 {
        if let Some(reflection) = self.reflection {
            let mut velocity = reflection.velocity(velocity.to_array(), self.bounces);
            // If the body did not move, its contacts stop it as walls do. Otherwise the speed of a body that
            // is wedged in a valley would grow.
            for axis in [Axis::X, Axis::Y].into_iter().filter(|_| self.moved == IVec2::ZERO) {
                let speed = &mut velocity[axis.index()];
                if self.contacts.get(Dir::along(axis, *speed > 0)).is_some() {
                    *speed = 0;
                }
            }
            return velocity.into();
        }
        I64Vec2::new(self.speed(Axis::X, velocity.x), self.speed(Axis::Y, velocity.y))
    }

    /// The speed along `axis` after the step, of a body that had `speed` before the step.
    fn speed(&self, axis: Axis, speed: i64) -> i64 {
        match self.response {
            Response::Cross => speed,
            Response::Stop if self.is_stopped() => 0,
            Response::Bounce { restitution } if self.bounces(axis) > 0 => {
                (0..self.bounces(axis)).fold(speed, |speed, _| bounced(speed, restitution))
            }
            _ if self.contacts.get(Dir::along(axis, speed > 0)).is_some() => 0,
            _ => speed,
        }
    }

    /// Returns the names of the areas of `level` that the body entered: it did not overlap them before the
    /// step, but overlapped them on its path or overlaps them now.
    ///
    /// Only the first 64 areas of a level are watched. On a [`MovePath::Straight`] only positions at whole
    /// pixels are tested, so an area that the body only grazes between them may be missing.
    pub fn entered<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        let (before, passed, now) = self.areas;
        named(level, (passed | now) & !before)
    }

    /// Returns the names of the areas that the body left: it overlapped them before the step or on its path,
    /// and does not overlap them now.
    ///
    /// An area that the body passed through in the step was both entered and left.
    pub fn left<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        let (before, passed, now) = self.areas;
        named(level, (before | passed) & !now)
    }

    /// Returns the names of the areas that the body overlaps after the step.
    pub fn inside<'l>(&self, level: &'l Level) -> impl Iterator<Item = &'l str> + use<'l> {
        named(level, self.areas.2)
    }
}

/// The names of the areas whose bit in `areas` is 1.
fn named(level: &Level, areas: u64) -> impl Iterator<Item = &str> {
    let names = level.areas().iter().map(|area| area.name.as_str()).take(64).enumerate();
    names.filter_map(move |(at, name)| (areas >> at & 1 == 1).then_some(name))
}

/// A bounce off a slanted surface, with the numbers needed to compute the velocity after the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Reflection {
    /// The normal of the slanted surface. It points out of the solid and is never (0, 0).
    pub(super) normal: [i16; 2],
    /// The normal of the last slanted surface that stopped the body after this bounce; (0, 0) if there was
    /// none.
    pub(super) second: [i16; 2],
    /// The speed away from the surface after the bounce, in percent of the speed into the surface before.
    restitution: u8,
    /// The number of bounces on each axis before this bounce.
    before: [u8; 2],
}

impl Hash for Reflection {
    /// Passes each number of the normals: see the module `checksum`.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self { normal, second, restitution, before } = self;
        (normal.each_ref(), second.each_ref(), restitution, before).hash(state);
    }
}

impl Reflection {
    pub(super) const fn new(normal: [i16; 2], restitution: u8, before: [u8; 2]) -> Self {
        Self { normal, second: [0; 2], restitution, before }
    }

    /// Returns the motion or velocity `motion` as this bounce reflects it.
    pub(super) fn of(&self, motion: [i64; 2]) -> [i64; 2] {
        reflected(motion, self.normal, self.restitution)
    }

    /// The velocity after a step that began with `velocity` and had `bounces` on each axis.
    fn velocity(&self, velocity: [i64; 2], bounces: [u8; 2]) -> [i64; 2] {
        let [x, y] = self.before;
        let after = [bounces[0].saturating_sub(x), bounces[1].saturating_sub(y)];
        let velocity = self.of(self.turned(velocity, self.before));
        let velocity = reflected(velocity, self.second, self.restitution);
        self.turned(velocity, after)
    }

    /// The velocity after `times` bounces on each axis.
    fn turned(&self, velocity: [i64; 2], times: [u8; 2]) -> [i64; 2] {
        let mut velocity = velocity;
        for (speed, times) in velocity.iter_mut().zip(times) {
            *speed = (0..times).fold(*speed, |speed, _| bounced(speed, self.restitution));
        }
        velocity
    }
}

/// True if `motion` leads away from a floor toward `floor`.
#[inline]
pub(super) fn leaves(motion: I64Vec2, floor: Dir) -> bool {
    let along = motion[floor.axis().index()];
    if floor.is_positive() { along < 0 } else { along > 0 }
}

/// True if one-way cells that touch a body on its side `dir` count: not while the body's own `velocity` leads
/// away from them. Every test of a touch decides by this function.
///
/// The floor of a new body, and the floor on which a body `stood` after its last step, count until the body
/// has left them. So a lift carries the body once more in the step of a jump, and [`Move::left_floor`] is
/// true for that step.
#[inline]
pub(crate) fn counts_one_way(dir: Dir, velocity: I64Vec2, stood: bool) -> bool {
    stood || !leaves(velocity, dir)
}

/// True if `motion` points into the surface with this normal.
pub(super) fn leads_into(normal: IVec2, motion: [i64; 2]) -> bool {
    let x = i128::from(motion[0]) * i128::from(normal.x);
    let y = i128::from(motion[1]) * i128::from(normal.y);
    x + y < 0
}

/// Returns `vector` after a bounce off a surface. A vector that does not point into the surface is unchanged.
/// The component of a vector v along the normal n is (v·n / |n|²) n. The bounce reverses this component and
/// multiplies it by the restitution.
fn reflected(vector: [i64; 2], normal: [i16; 2], restitution: u8) -> [i64; 2] {
    let normal = [i128::from(normal[0]), i128::from(normal[1])];
    let along = i128::from(vector[0]) * normal[0] + i128::from(vector[1]) * normal[1];
    let square = normal[0] * normal[0] + normal[1] * normal[1];
    if along >= 0 || square == 0 {
        return vector;
    }
    let lost = (100 + i128::from(restitution.min(100))) * along;
    [0, 1].map(|at| {
        let whole = i128::from(vector[at]) * square * 100 - lost * normal[at];
        (whole / (square * 100)) as i64
    })
}

/// Returns a speed after a bounce. Negating `i64::MIN` saturates.
fn bounced(speed: i64, restitution: u8) -> i64 {
    restored(speed, restitution).saturating_neg()
}

/// Returns the part of a speed or distance `amount` that a bounce keeps: `restitution` percent, rounded
/// toward zero.
pub(super) fn restored(amount: i64, restitution: u8) -> i64 {
    let part = i64::from(restitution.min(100));
    // The hundreds and the rest are multiplied separately, so that no product overflows.
    amount / 100 * part + amount % 100 * part / 100
}

/// The end of a walk, as found by [`Mover::floor_ahead`](crate::Mover::floor_ahead).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ahead {
    /// The floor goes on for the whole distance.
    Floor,
    /// After this number of pixels the body would leave its floor.
    Ledge(u32),
    /// After this number of pixels a solid stops the body.
    Wall(u32),
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A world gathers the solids within this reach: what a slope's measure needs, and no more.
    #[test]
    fn slopes_are_measured_only_if_a_limit_the_speed_or_a_bounce_depends_on_them() {
        let plain = MoverSettings::PLAIN;
        let reach = 2 * SURFACE_REACH as u32 + 1;
        assert_eq!(plain.surface_reach(), 0);
        assert_eq!(MoverSettings { max_slope: Slope::DIAGONAL, ..plain }.surface_reach(), reach);
        let along = MoverSettings { walk_speed: WalkSpeed::AlongSlope, ..plain };
        assert_eq!(along.surface_reach(), reach);
        let bounce = |restitution| Response::Bounce { restitution };
        assert_eq!(MoverSettings { response: bounce(1), ..plain }.surface_reach(), reach);
        assert_eq!(MoverSettings { response: bounce(0), ..plain }.surface_reach(), 0);
    }
}
