//! How a mover moves: its path, its response to a contact, and the tolerances of a game's feel.
//!
//! Plain data with presets; nothing here moves anything.

use crate::geometry::{Corners, Dir, Sides};

/// The path from the place of a body to the one that it was asked to move to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MovePath {
    /// All of x, then all of y: what games on tiles do, and what a side view needs, where one walks first and
    /// falls then. No corner can hold a body that takes this path along a flat floor. The default.
    #[default]
    XThenY,
    /// All of y, then all of x.
    YThenX,
    /// The straight line. With [`Corners::Block`] exactly the pixels count that the box overlaps as it slides
    /// along the line, at whatever fraction of a pixel. With [`Corners::Pass`] the box goes in whole pixels
    /// along the longer axis and to the nearest whole pixel on the other one (a half toward the start), and
    /// only those places count: it squeezes past the corner that an exactly diagonal step would cut. A hit
    /// on a corner alone stops the minor axis (y on a tie).
    /// Steps, snapping and corner correction belong to the two other paths.
    Straight(Corners),
}

/// The response of a body that a solid stops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Response {
    /// It stops, on both axes.
    Stop,
    /// It goes on along the other axis. The default.
    #[default]
    Slide,
    /// It goes back by a part of the distance that it could not go, up to [`MAX_BOUNCES`](super::MAX_BOUNCES)
    /// times an axis in each step.
    Bounce {
        /// That part in hundredths: 100 loses nothing, 0 is [`Response::Slide`]; more counts as 100.
        restitution: u8,
    },
    /// It goes on through everything, and the contacts are reported: the only response by which a mover comes
    /// to overlap a solid.
    Cross,
}

/// How a [`Mover`](super::Mover) moves. All distances are in whole pixels.
///
/// ```
/// use bitwall::{Dir, MoverSettings};
///
/// let settings = MoverSettings { step_height: 8, ..MoverSettings::platformer() };
/// assert_eq!(settings.floor, Some(Dir::Down));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoverSettings {
    /// The path that it takes.
    pub path: MovePath,
    /// Its response to a contact.
    pub response: Response,
    /// Where the floor is, for a body that stands, climbs steps and walks on slopes; `None` where there is no
    /// floor, as seen from above. The path should go across it first; on a [`MovePath::Straight`] the body
    /// only knows that it stands.
    pub floor: Option<Dir>,
    /// The highest step that it walks up, for each pixel that it goes. A slope is a row of such steps, so
    /// this is also the steepest slope: it walks up and down at the same speed along the floor. Not on a
    /// [`MovePath::Straight`], and so for the next two.
    pub step_height: u32,
    /// How far it is put down after each pixel that it walks, if there is a floor so near: so it stays on a
    /// slope that goes down. A body that moves away from the floor is never put down.
    pub snap_distance: u32,
    /// How far it is put aside, when it is stopped on its path toward a side, to get past the corner that
    /// stopped it: for each pixel, so that it also slides along slanted ceilings and walls. The nearest place
    /// counts; of two equally near ones the one toward which it moves, and neither if it moves toward
    /// neither. A body that walks on its floor uses `step_height` instead. One-way cells are neither corners
    /// nor steps: a body that they alone stop is not put aside.
    pub corner_correction: Sides<u32>,
    /// Which one-way cells hold it, by the side that they guard. Of a footprint each run of pixels meets the
    /// guarded edge by itself: a disc is held until all of its runs are past it.
    pub one_way: Sides<bool>,
}

impl MoverSettings {
    /// Exact and plain: x then y, slide, no floor, nothing forgiven.
    pub const PLAIN: Self = Self {
        path: MovePath::XThenY,
        response: Response::Slide,
        floor: None,
        step_height: 0,
        snap_distance: 0,
        corner_correction: Sides { left: 0, right: 0, up: 0, down: 0 },
        one_way: Sides { left: true, right: true, up: true, down: true },
    };

    /// A character seen from the side, on tiles of 8 to 16 pixels: the floor is down; it walks up and down
    /// steps of 4 pixels; a jump that hits a ceiling within 4 pixels of its edge goes past, and so does a
    /// leap that is up to 4 pixels too low or too high for a ledge. (Celeste forgives 4 pixels on tiles of
    /// 8.)
    pub const fn platformer() -> Self {
        Self {
            floor: Some(Dir::Down),
            step_height: 4,
            snap_distance: 4,
            corner_correction: Sides { left: 4, right: 4, up: 4, down: 0 },
            ..Self::PLAIN
        }
    }

    /// A character seen from above, on tiles of 8 to 16 pixels: no floor, and up to 4 pixels aside past every
    /// corner, so that it finds doors of its own size and slides along slanted walls.
    pub const fn top_down() -> Self {
        Self { corner_correction: Sides { left: 4, right: 4, up: 4, down: 4 }, ..Self::PLAIN }
    }
}

impl Default for MoverSettings {
    /// [`MoverSettings::PLAIN`].
    fn default() -> Self {
        Self::PLAIN
    }
}
