//! Questions about a mover's surroundings: what ends a walk ahead, the contacts along a side, and where to
//! draw the body. Nothing here changes the mover.

use glam::{DVec2, I64Vec2, IVec2};

use super::obeyed::ObeyedSolids;
use super::{Mover, Response, WalkSpeed};
use crate::geometry::{Dir, SUBPIXELS};
use crate::level::Solids;
use crate::terrain::Contact;

/// What ends a walk: see [`Mover::floor_ahead`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ahead {
    /// The floor goes on for the whole distance.
    Floor,
    /// After this number of pixels the body would leave its floor.
    Ledge(u32),
    /// After this number of pixels a solid stops the body.
    Wall(u32),
}

impl Mover {
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
        let mut walker = *self;
        for walked in 0..distance.min(Self::MAX_TRANSLATION) {
            if !walker.is_standing(solids, I64Vec2::ZERO) {
                return Ahead::Ledge(walked.saturating_sub(1));
            }
            if !walker.walk_a_pixel(solids, dir) {
                return Ahead::Wall(walked);
            }
        }
        if walker.is_standing(solids, I64Vec2::ZERO) {
            Ahead::Floor
        } else {
            Ahead::Ledge(distance.saturating_sub(1))
        }
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
}
