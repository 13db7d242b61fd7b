//! [`Mover`]: a body that moves among solids, with slides, steps, slopes, corner correction and subpixels.
//!
//! A mover moves only by sweeps ([`Solids::sweep_aabb`]), so it never skips a thin solid. It computes in
//! integers, does not hold the level, does no IO and allocates nothing. Module [`crate::world`] moves several
//! bodies.

mod drop;
mod motion;
mod obeyed;
mod settings;

use glam::{DVec2, I64Vec2, IVec2, UVec2};

use crate::checksum;
use crate::geometry::{Aabb, Dir, SUBPIXELS, Sides, TranslationError, split, to_subpixels};
use crate::level::Solids;
use crate::terrain::Contact;

pub use settings::{Ahead, Move, MovePath, MoverSettings, Response, Slope, WalkSpeed};

pub(crate) use obeyed::ObeyedSolids;
pub(crate) use settings::counts_one_way;

/// One body that moves among [`Solids`]: the body's box, its progress toward the next pixel, and its
/// settings.
///
/// A mover is plain data, so a copy saves its state. The same steps give the same states on every machine.
///
/// ```
/// use bitwall::{Aabb, Level, Mover, MoverSettings, glam::Vec2};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let spawn = level.marker("player").expect("the map has a spawn").position();
/// let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
/// let mut player = Mover::new(body, MoverSettings::platformer());
///
/// // A game's step: ask for velocity x time, and go on with the velocity that is left.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Mover {
    /// The body's box, in whole pixels. A box of width 0 is not stopped by solids along y, and a box of
    /// height 0 is not stopped along x.
    pub body: Aabb,
    /// The body's progress toward the next pixel, in 65,536ths of a pixel ([`Mover::SUBPIXELS`]): less than a
    /// pixel, with the sign of the motion.
    ///
    /// A solid that stops the body sets it to 0.
    pub subpixel: IVec2,
    /// The settings of the body's motion.
    pub settings: MoverSettings,
    /// The number of steps since the body stood on its floor; 0 while it stands on its floor, and `u32::MAX`
    /// before the first step.
    ///
    /// A game can use this number to allow a jump shortly after the body leaves the floor (coyote time).
    pub steps_since_grounded: u32,
    /// The one-way floor through which the body drops, as two pixels just behind the floor's edge; `None` if
    /// the body drops through no floor.
    ///
    /// The pixel in the lower column (or row) comes first. [`Mover::drop_through`] sets this field. A step
    /// sets it to `None` when all of the body is past the floor or beside it, stands on another floor, or
    /// moves away from the floor.
    pub dropping: Option<[IVec2; 2]>,
}

impl Mover {
    /// The number of subpixels in one pixel, 2^16: the unit of [`Mover::subpixel`].
    pub const SUBPIXELS: i32 = SUBPIXELS;

    /// The longest motion of a step along an axis, in pixels: 4096, as in a world
    /// ([`Body::MAX_SPEED`](crate::world::Body::MAX_SPEED)).
    ///
    /// It bounds the time of a step on any level.
    ///
    /// A longer motion ends there without a contact, and [`Move::leftover`] has the rest. On a
    /// [`MovePath::Straight`] both axes are shortened alike, so the body keeps its direction. For a body
    /// without feet, such as a projectile, [`Terrain::sweep`](crate::Terrain::sweep) and
    /// [`Terrain::ray`](crate::Terrain::ray) take any distance.
    pub const MAX_TRANSLATION: u32 = 4096;

    /// The largest number of pixels that a mover examines one by one in a motion along an axis: 512.
    ///
    /// On a path along the axes, each pixel near a one-way edge that could be a step counts. On foot, each
    /// pixel where the body steps up or down counts too. In the air, each corner correction and each pixel of
    /// a slide down a slope count too. On a [`MovePath::Straight`], rows near solids count. At the limit the
    /// motion ends without a contact, and [`Move::leftover`] has the rest. Level floors and empty space do
    /// not count.
    pub const MAX_LOOKS: u32 = 512;

    /// Returns a mover with a subpixel of 0 before its first step.
    pub const fn new(body: Aabb, settings: MoverSettings) -> Self {
        let subpixel = IVec2::ZERO;
        let steps_since_grounded = u32::MAX;
        Self { body, subpixel, settings, steps_since_grounded, dropping: None }
    }

    /// Returns the exact position of the body's top-left corner, in pixels, for drawing: `body.min` plus
    /// `subpixel`.
    ///
    /// A sprite drawn there can overlap a solid by less than a pixel, because solids stop the body only at
    /// whole pixels.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, glam::DVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::new(4, 4)?, UVec2::splat(16))?;
    /// let mut player = Mover::new(Aabb::from_xywh(8, 8, 10, 12), MoverSettings::top_down());
    /// player.step(&level, (1.75, -0.5))?;
    /// assert_eq!(player.position(), DVec2::new(9.75, 7.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn position(&self) -> DVec2 {
        self.body.min.as_dvec2() + self.subpixel.as_dvec2() / f64::from(SUBPIXELS)
    }

    /// Returns a checksum of the mover: of its position, its settings and its other fields.
    ///
    /// Equal movers have equal checksums on every platform, also after saving and loading.
    pub fn checksum(&self) -> u64 {
        checksum::of(self)
    }

    /// Moves the body by `translation` pixels on the path of its settings, as far as the solids allow.
    ///
    /// `translation` is any pair of `f32`: a [`Vec2`](glam::Vec2) of this or another version of `glam`, a
    /// tuple or an array. It is rounded to 65,536ths of a pixel. `solids` is a [`Level`](crate::Level), a
    /// level for a footprint ([`Level::with_footprint`](crate::Level::with_footprint)), or a game's own
    /// [`Solids`].
    ///
    /// The body never moves into a solid at any speed, unless the response is [`Response::Cross`]. A body
    /// that overlaps a solid at the start ([`Move::started_solid`]) can leave the solid, but cannot pass
    /// through it. The ends of the range of `i32` stop the body like a solid. A step moves the body by at
    /// most [`Mover::MAX_TRANSLATION`] on each axis. Allocates nothing.
    ///
    /// O(n) for n words of cells in the path. To this are added a few sweeps for each pixel on a slope, at a
    /// corner or on a straight line near solids, up to [`Mover::MAX_LOOKS`]. A pixel of a slope takes 0.7 µs,
    /// and twenty times as much with [`MoverSettings::max_slope`]. Empty space and level floors take very
    /// little time, with two exceptions. A mover that ignores the one-way cells of its floor walks at most
    /// half its length with one query. A mover with `max_slope` measures slopes on the whole path.
    ///
    /// # Errors
    /// [`TranslationError`] if `translation` is not finite, or not below 2^31 pixels. The mover is then
    /// unchanged.
    pub fn step(
        &mut self,
        solids: &impl Solids,
        translation: impl Into<[f32; 2]>,
    ) -> Result<Move, TranslationError> {
        Ok(self.step_subpixels(solids, to_subpixels(translation)?))
    }

    /// [`Mover::step`] with `translation` in subpixels. If the size of the body is prepared, its lines are
    /// found once for the step.
    pub(crate) fn step_subpixels(&mut self, solids: &impl Solids, translation: I64Vec2) -> Move {
        match solids.for_size(self.body.size()) {
            Some(sized) => self.advance_among(&sized, translation),
            None => self.advance_among(solids, translation),
        }
    }

    // The first queries of a step are compiled for each type of solids, and the rest of the motion once.
    // Compared with a motion compiled for each type, a step takes 1 to 4% more instructions and a third of
    // the code.
    fn advance_among(&mut self, solids: &impl Solids, translation: I64Vec2) -> Move {
        if self.dropping.is_some() {
            return self.advance_past_floor(solids, translation);
        }
        let obeyed = &ObeyedSolids::new(solids, self.settings.one_way);
        *self = self.fitted(obeyed);
        let is_held = match self.settings.floor {
            // Without a slope limit no floor is too steep, so one query decides if a floor supports the body.
            Some(floor) if self.settings.max_slope.is_vertical() => {
                !solids.can_move_aabb(self.body, floor, 1, obeyed.obeys(floor))
            }
            _ => self.is_held(obeyed),
        };
        let is_supported = is_held && self.counts_floor(obeyed, translation, self.has_stood());
        let due = split(self.subpixel, translation);
        if motion::is_free(self, (solids, obeyed), due, is_supported) {
            self.body = self.body.translated(due.0);
            self.subpixel = due.1;
            let was_grounded = is_supported && self.has_stood();
            self.count_step(false);
            return Move::free(due.0, was_grounded, self.settings.response);
        }
        let mut done = Move::free(due.0, is_supported, self.settings.response);
        done.started_solid = solids.overlaps_aabb(self.body);
        self.travel(obeyed, translation, due, &mut done);
        done
    }

    /// Returns this mover with a body of the size of the solids' footprint, in the range of `i32`. Pixels
    /// beyond the range would overlap no solid, and could be inside a solid after the next step.
    fn fitted(mut self, solids: &ObeyedSolids<'_>) -> Self {
        if let Some(footprint) = solids.footprint {
            let last = IVec2::MAX - footprint.size().as_ivec2();
            self.body = footprint.bounds(self.body.min.min(last));
        }
        self
    }

    /// True if a floor that is not too steep supports the body, or a one-way cell that the mover obeys.
    #[inline]
    fn is_held(&self, solids: &ObeyedSolids<'_>) -> bool {
        let limit = self.settings.steepest_floor();
        match self.settings.floor {
            None => false,
            Some(floor) if limit.is_vertical() => !solids.can_move(self.body, floor, 1),
            Some(floor) => Surface { solids, body: self.body, floor }.is_standing(limit),
        }
    }

    /// True for a new body, and for a body that stood on its floor after its last step.
    #[inline]
    fn has_stood(&self) -> bool {
        matches!(self.steps_since_grounded, 0 | u32::MAX)
    }

    /// Updates [`Mover::steps_since_grounded`] at the end of a step. Only a new mover has the largest number.
    #[inline]
    fn count_step(&mut self, is_grounded: bool) {
        let steps = self.steps_since_grounded.saturating_add(1).min(u32::MAX - 1);
        self.steps_since_grounded = if is_grounded { 0 } else { steps };
    }

    /// True if the floor that supports the body counts: always, but for a one-way floor of which
    /// [`counts_one_way`] is false.
    #[inline]
    fn counts_floor(&self, solids: &ObeyedSolids<'_>, velocity: I64Vec2, stood: bool) -> bool {
        self.settings.floor.is_none_or(|floor| {
            counts_one_way(floor, velocity, stood) || self.is_on_solid(solids, floor)
        })
    }

    /// True if a floor that is not too steep supports the body, without one-way cells.
    #[cold]
    fn is_on_solid(&self, solids: &ObeyedSolids<'_>, floor: Dir) -> bool {
        let limit = self.settings.steepest_floor();
        let solid = &solids.without_one_way(floor);
        solids.footprint.is_none() && !solids.has_one_way(self.body.strip(floor, 1), floor)
            || Surface { solids: solid, body: self.body, floor }.is_standing(limit)
    }

    /// Changes the size of the body, such as for a crouch, and returns true.
    ///
    /// Returns false and changes nothing if the new box would overlap a solid or leave the range of `i32`.
    ///
    /// The side `anchor` of the box keeps its position, so a body with the anchor [`Dir::Down`] stays on its
    /// floor. Along the other axis, the centre keeps its position. With `None` this applies to both axes. If
    /// the difference of the sizes is odd, the extra pixel is added or removed at the right or lower side. So
    /// a second call with the old size restores the box. To resize a body of a world, use
    /// [`World::resize`](crate::world::World::resize). If the solids have a footprint, the only possible size
    /// is the footprint's size.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("..#\n...\n###")?, UVec2::splat(16))?;
    /// let mut hero = Mover::new(Aabb::from_xywh(10, 12, 12, 20), MoverSettings::platformer());
    /// assert!(hero.resize(&level, UVec2::new(12, 10), Some(Dir::Down)), "it crouches");
    /// hero.step(&level, (16.0, 0.0))?; // into the passage
    /// assert_eq!(hero.body, Aabb::from_xywh(26, 22, 12, 10));
    /// assert!(!hero.resize(&level, UVec2::new(12, 20), Some(Dir::Down)), "the ceiling is too low");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resize(
        &mut self,
        solids: &impl Solids,
        size: impl Into<UVec2>,
        anchor: Option<Dir>,
    ) -> bool {
        let size = size.into();
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let there = self.fitted(&solids);
        let is_possible = solids.footprint.is_none_or(|footprint| footprint.size() == size);
        let body = resized(there.body, size, anchor).filter(|_| is_possible);
        let Some(body) = body.filter(|body| !solids.overlaps_aabb(*body)) else { return false };
        *self = Self { body, ..there };
        true
    }

    /// Returns the normal of the floor on which the body stands, as measured by [`Mover::surface_normal`].
    ///
    /// Returns `None` if the body is in the air, or if the settings have no floor.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, glam::IVec2, glam::UVec2};
    ///
    /// let mut grid = Grid::new(60, 60)?;
    /// for column in 0..60 {
    ///     grid.fill(column..column + 1, 60 - column..60, true)?; // 45 degrees, up to the right
    /// }
    /// let level = Level::from_grid(grid, UVec2::ONE)?;
    /// let mut hero = Mover::new(Aabb::from_xywh(20, 0, 6, 12), MoverSettings::platformer());
    /// assert_eq!(hero.floor_normal(&level), None);
    /// hero.step(&level, (0.0, 60.0))?;
    /// assert_eq!(hero.floor_normal(&level), Some(IVec2::new(-1, -1)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floor_normal(&self, solids: &impl Solids) -> Option<IVec2> {
        self.surface_normal(solids, self.settings.floor?)
    }

    /// Returns the normal of the surface that touches the body's side `dir`, or `None` if the next pixel is
    /// free. The normal points out of the solid.
    ///
    /// Its length is not 1, and its components have no common divisor. A level floor has the normal (0, -1).
    ///
    /// To measure the surface, a copy of the body walks along it, up to 8 px to each side. The walk ends
    /// early where the heights of two consecutive steps differ by more than a pixel. The result is the normal
    /// of the least-squares line through the copy's positions, and does not depend on the size of the body.
    /// The normals of slopes of 1, 2 and 4 px a column are exact. For other slopes between 1:4 and 4:1 the
    /// error is at most 1.5 degrees if the surface is 8 px long on each side. Next to a level floor, a
    /// surface steeper than 8:1 counts as a wall. Allocates nothing; O(16 steps).
    pub fn surface_normal(&self, solids: &impl Solids, dir: Dir) -> Option<IVec2> {
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let solids = &solids;
        let body = self.fitted(solids).body;
        let is_touched = !solids.can_move(body, dir, 1);
        is_touched.then(|| Surface { solids, body, floor: dir }.normal())
    }

    /// Returns true for each side of the body that touches a solid, or a one-way cell that the mover does not
    /// ignore.
    pub fn touching(&self, solids: &impl Solids) -> Sides<bool> {
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let body = self.fitted(&solids).body;
        Sides::from_fn(|dir| !solids.can_move(body, dir, 1))
    }

    /// Returns what ends a walk of `distance` pixels toward `dir`: a ledge, a wall, or nothing.
    ///
    /// The body walks by its settings, up and down steps and slopes, in a copy of this mover. An enemy that
    /// turns at a ledge looks ahead by the width of its feet, and turns at the first pixel of the ledge. A
    /// body in the air has `Ledge(0)`. Counts at most [`Mover::MAX_TRANSLATION`] pixels. Allocates nothing;
    /// O(n) for n pixels.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, glam::UVec2, mover::Ahead};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n...#\n###.")?, UVec2::splat(16))?;
    /// let hero = Mover::new(Aabb::from_xywh(18, 12, 12, 20), MoverSettings::platformer());
    /// assert_eq!(hero.floor_ahead(&level, Dir::Right, 18), Ahead::Floor);
    /// assert_eq!(hero.floor_ahead(&level, Dir::Right, 19), Ahead::Wall(18));
    /// let level = Level::from_grid(Grid::from_text("....\n....\n###.")?, UVec2::splat(16))?;
    /// assert_eq!(hero.floor_ahead(&level, Dir::Right, 40), Ahead::Ledge(29));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn floor_ahead(&self, solids: &impl Solids, dir: Dir, distance: u32) -> Ahead {
        let distance = distance.min(Self::MAX_TRANSLATION);
        let mut walker = *self;
        for walked in 0..=distance {
            if !walker.is_standing(solids, I64Vec2::ZERO) {
                return Ahead::Ledge(walked.saturating_sub(1));
            }
            if walked < distance && !walker.walk_a_pixel(solids, dir) {
                return Ahead::Wall(walked);
            }
        }
        Ahead::Floor
    }

    /// Returns the contacts with all solids that touch the body's side `dir`, from left to right or from top
    /// to bottom, each once.
    ///
    /// [`Move::contacts`](super::Move::contacts) has only the first contact of a step on each side. Here, a
    /// body on several tiles has a contact with each of them. For a footprint there is at most one contact.
    /// O(length of the side); allocates the list.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n#.##")?, UVec2::splat(16))?;
    /// let hero = Mover::new(Aabb::from_xywh(10, 0, 40, 16), MoverSettings::platformer());
    /// let contacts = hero.contacts(&level, Dir::Down);
    /// assert_eq!(contacts.iter().map(|contact| contact.cell.x).collect::<Vec<_>>(), [0, 2, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&self, solids: &impl Solids, dir: Dir) -> Vec<Contact> {
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let body = self.fitted(&solids).body;
        if solids.footprint.is_some() {
            return solids.sweep(body, dir, 1).contact.into_iter().collect();
        }
        let axis = dir.axis().other();
        let along = Dir::along(axis, true);
        let first = body.edge(along.opposite()).strip(along, 1);
        let slices = (0..body.extent(axis)).map(|at| first.shifted(along, at));
        let mut contacts: Vec<Contact> =
            slices.filter_map(|slice| solids.sweep(slice, dir, 1).contact).collect();
        contacts.dedup();
        contacts
    }

    /// Returns the position at which to draw the body: [`Mover::position`], and on a slope also a fraction of
    /// a pixel along the axis of the floor.
    ///
    /// A slope is a staircase of pixels. A body that walks over a slope of 45 degrees at an even speed is
    /// drawn at an even speed on both axes. `solids` are the solids of the last step. Takes at most the time
    /// of a step of one pixel.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, glam::DVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....\n...#\n..##\n####")?, UVec2::ONE)?;
    /// let mut hero = Mover::new(Aabb::from_xywh(0, 2, 1, 1), MoverSettings::platformer());
    /// hero.step(&level, (1.25, 0.0))?;
    /// assert_eq!(hero.position(), DVec2::new(1.25, 2.0));
    /// assert_eq!(hero.drawn(&level), DVec2::new(1.25, 1.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn drawn(&self, solids: &impl Solids) -> DVec2 {
        let mut position = self.position();
        let Some(floor) = self.settings.floor.filter(|_| self.steps_since_grounded == 0) else {
            return position;
        };
        let axis = floor.axis().other();
        let along = self.subpixel[axis.index()];
        let mut next = *self;
        if along != 0 && next.walk_a_pixel(solids, Dir::along(axis, along > 0)) {
            let at = floor.axis().index();
            let rise = next.body.min[at] - self.body.min[at];
            position[at] += f64::from(rise) * f64::from(along.abs()) / f64::from(SUBPIXELS);
        }
        position
    }

    /// Walks one pixel toward `dir`, and returns true if no solid stops the body.
    pub(crate) fn walk_a_pixel(&mut self, solids: &impl Solids, dir: Dir) -> bool {
        self.subpixel = IVec2::ZERO;
        self.settings.walk_speed = WalkSpeed::AlongAxis;
        self.settings.response = Response::Slide;
        let pixel = dir.vector().as_i64vec2() * i64::from(SUBPIXELS);
        let moved = self.step_subpixels(solids, pixel).moved;
        moved[dir.axis().index()] != 0
    }

    /// Moves the body to the nearest position without a solid, at most `radius` pixels away in a straight
    /// line, and returns the displacement.
    ///
    /// Returns `None` and changes nothing if no such position exists. A body that overlaps no solid stays. A
    /// radius above [`Mover::MAX_TRANSLATION`] counts as this distance.
    ///
    /// Of equally near positions, the topmost is chosen, then the leftmost. The straight line to the position
    /// may cross solids. For each row within the radius, the search takes one [`Solids::nearest_free_aabb`]
    /// to the left and one to the right. The search ends at the first row further away than a position
    /// already found.
    pub fn unstick(&mut self, solids: &impl Solids, radius: u32) -> Option<IVec2> {
        let solids = ObeyedSolids::new(solids, self.settings.one_way);
        let mut there = self.fitted(&solids);
        let translation = nearest_place(&solids, there.body, radius)?;
        there.body = there.body.translated(translation);
        if translation != IVec2::ZERO {
            there.subpixel = IVec2::ZERO;
        }
        *self = there;
        Some(translation)
    }
}

/// The surface that touches the side `floor` of a body.
#[derive(Clone, Copy)]
struct Surface<'a> {
    solids: &'a ObeyedSolids<'a>,
    body: Aabb,
    floor: Dir,
}

/// Returns `body` with the given `size` and an unchanged position of the side `anchor`, or of the centre if
/// `anchor` is `None`. Returns `None` if the box would leave the range of `i32`.
fn resized(body: Aabb, size: UVec2, anchor: Option<Dir>) -> Option<Aabb> {
    let old = body.size().as_i64vec2();
    let new = size.as_i64vec2();
    // The division rounds toward zero, so that a second call with the old size restores the position.
    let mut aside = (old - new) / 2;
    if let Some(anchor) = anchor {
        let axis = anchor.axis().index();
        aside[axis] = if anchor.is_positive() { old[axis] - new[axis] } else { 0 };
    }
    let min = body.min.as_i64vec2() + aside;
    Some(Aabb { min: in_range(min)?, max: in_range(min + new)? })
}

fn in_range(point: I64Vec2) -> Option<IVec2> {
    Some(IVec2::new(point.x.try_into().ok()?, point.y.try_into().ok()?))
}

/// The displacement to the nearest free position within `radius` pixels: see [`Mover::unstick`].
fn nearest_place(solids: &ObeyedSolids<'_>, body: Aabb, radius: u32) -> Option<IVec2> {
    let radius = radius.min(Mover::MAX_TRANSLATION);
    let mut best: Option<(u64, IVec2)> = None;
    for row in 0..=radius {
        let nearest = best.map_or(u64::from(radius).pow(2), |(distance, _)| distance);
        let Some(left) = nearest.checked_sub(u64::from(row).pow(2)) else { break };
        let reach = left.isqrt() as u32;
        let rows = [Dir::Up, Dir::Down].map(|dir| (dir, is_new_row(solids, body, dir, row)));
        if rows.iter().all(|(_, is_new)| !is_new) {
            break;
        }
        for (vertical, _) in rows.into_iter().filter(|(_, is_new)| *is_new) {
            let there = body.shifted(vertical, row);
            for horizontal in [Dir::Left, Dir::Right] {
                let Some(column) = solids.nearest_free_aabb(there, horizontal, reach) else {
                    continue;
                };
                let distance = u64::from(row).pow(2) + u64::from(column).pow(2);
                let place = there.shifted(horizontal, column).min - body.min;
                let order = (distance, place.y, place.x);
                if best.is_none_or(|(distance, place)| order < (distance, place.y, place.x)) {
                    best = Some((distance, place));
                }
            }
        }
    }
    best.map(|(_, place)| place)
}

/// False if `body` meets the same solids `row` pixels away as in the row before. All rows beyond the level
/// have the same solids, so only the first of them is searched.
fn is_new_row(solids: &ObeyedSolids<'_>, body: Aabb, dir: Dir, row: u32) -> bool {
    row == 0 || row <= body.room(dir) && !solids.is_beyond(body.shifted(dir, row - 1), dir)
}
