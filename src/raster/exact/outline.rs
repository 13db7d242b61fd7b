//! [`Outline`]: the shapes of objects in Tiled, in exact coordinates.

use glam::IVec2;

use super::path;
use super::points::{around, edges};
use super::round::CapsuleParts;
use crate::geometry::{Aabb, Decimal, Point};
use crate::raster::{Emit, Span, scan};

/// The outline of a shape in a Tiled map, in exact decimal coordinates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outline {
    /// A polygon; the last edge leads back to the first point. A region that the outline encloses an even
    /// number of times is a hole, as in Tiled (even-odd rule).
    Polygon(Vec<Point>),
    /// A capsule, also rotated or skewed: equal ellipses around the two `centres`, and the area between them.
    /// With equal centres it is an ellipse, the affine image of a circle: `a` and `b` lead to the images of
    /// the circle's rightmost point and lowest point.
    Capsule {
        /// The centres of the ellipses at the two ends of the capsule.
        centres: [Point; 2],
        /// The displacement from the last centre to the tip of the capsule.
        a: Point,
        /// The displacement from the last centre to a point on a side of the capsule.
        b: Point,
    },
    /// A line without width, which covers each pixel that it passes through.
    Path(Vec<Point>),
    /// A point, which covers the pixel that contains it.
    Dot(Point),
}

/// The number of rows above and below the clipping box in which [`Outline::cover`] searches for a pixel
/// centre. This limit keeps very tall areas fast.
pub(in crate::raster) const REACH: i32 = 1024;

impl Outline {
    /// The number of points of a polygon or path; 1 for other shapes.
    pub(crate) fn points(&self) -> usize {
        match self {
            Self::Polygon(points) | Self::Path(points) => points.len(),
            Self::Capsule { .. } | Self::Dot(_) => 1,
        }
    }

    /// The outline with `f` applied to its points. `f` must be an affine map.
    pub(crate) fn map(&self, f: &dyn Fn(Point) -> Point) -> Self {
        match self {
            Self::Polygon(points) => Self::Polygon(points.iter().copied().map(f).collect()),
            Self::Path(points) => Self::Path(points.iter().copied().map(f).collect()),
            Self::Dot(point) => Self::Dot(f(*point)),
            Self::Capsule { centres, a, b } => {
                let moved = centres.map(f);
                Self::Capsule {
                    centres: moved,
                    a: f(centres[1] + *a) - moved[1],
                    b: f(centres[1] + *b) - moved[1],
                }
            }
        }
    }

    /// A box that contains all covered pixels; empty if the shape has no points.
    pub(crate) fn bounds(&self) -> Aabb {
        match self {
            Self::Polygon(points) => around(points, true),
            Self::Path(points) => around(points, false),
            Self::Dot(point) => around(&[*point], false),
            Self::Capsule { centres, a, b } => CapsuleParts::new(*centres, *a, *b).bounds(),
        }
    }

    /// Emits each covered pixel in `clip` once, in spans that do not touch, from top to bottom and from left
    /// to right. An area covers the pixels whose centres it contains. If it contains no pixel centre within
    /// [`REACH`] rows of `clip`, it covers all pixels that it overlaps.
    pub(crate) fn cover(&self, clip: Aabb, emit: &mut impl FnMut(Span)) {
        let mut covers_any = false;
        self.cover_centres(clip, &mut |span| {
            covers_any = true;
            emit(span);
        });
        let bounds = self.bounds();
        if !covers_any && bounds.overlaps(clip) && !self.holds_centre(reach(clip)) {
            // An area without width along the border of two pixels touches pixels outside its box, so they
            // are clipped away here.
            path::around(&self.corners(), clip.intersection(bounds), emit);
        }
    }

    /// An upper bound of the number of steps of [`Outline::cover`], and of the number of spans that it emits.
    pub(crate) fn work(&self, clip: Aabb) -> u64 {
        if !self.bounds().overlaps(clip) {
            return 1;
        }
        match self {
            Self::Polygon(points) => path::rows(points, true, reach(clip)),
            Self::Path(points) => path::rows(points, false, clip),
            Self::Dot(_) => 1,
            // 16 and 40 steps a row: a binary search finds the ends of each row of the shape.
            Self::Capsule { centres: [first, last], .. } => {
                let steps = if first == last { 16 } else { 40 };
                steps * height(self.bounds(), reach(clip))
            }
        }
    }

    /// Like [`Outline::cover`], but an area covers only the pixels whose centres it contains, even if there
    /// are none.
    pub(in crate::raster) fn cover_centres(&self, clip: Aabb, emit: &mut Emit<'_>) {
        if !self.bounds().overlaps(clip) {
            return;
        }
        match self {
            Self::Polygon(points) => scan::cover(edges(points, true), clip, emit),
            Self::Capsule { centres, a, b } => {
                CapsuleParts::new(*centres, *a, *b).cover(clip, emit)
            }
            Self::Path(points) => path::cover(points, clip, emit),
            Self::Dot(point) => path::cover(&[*point], clip, emit),
        }
    }

    /// True if the shape covers a pixel in `clip` by its centre.
    fn holds_centre(&self, clip: Aabb) -> bool {
        let mut holds_any = false;
        self.cover_centres(clip, &mut |_| holds_any = true);
        holds_any
    }

    /// The corners of a polygon, or the tips and side points of a capsule. Empty for a path and a dot.
    fn corners(&self) -> Vec<Point> {
        match self {
            Self::Polygon(points) => points.clone(),
            Self::Capsule { centres, a, b } => {
                CapsuleParts::new(*centres, *a, *b).corners().to_vec()
            }
            Self::Path(_) | Self::Dot(_) => Vec::new(),
        }
    }
}

/// The box in which an area is searched for a pixel centre: all columns, and the rows within [`REACH`] rows
/// of the clipping box `clip`.
fn reach(clip: Aabb) -> Aabb {
    Aabb {
        min: IVec2::new(i32::MIN, clip.min.y.saturating_sub(REACH)),
        max: IVec2::new(i32::MAX, clip.max.y.saturating_add(REACH)),
    }
}

/// The number of pixel rows that two boxes share, for an estimate of the work in these rows.
fn height(a: Aabb, b: Aabb) -> u64 {
    let rows = i64::from(a.max.y.min(b.max.y)) - i64::from(a.min.y.max(b.min.y));
    rows.max(0) as u64
}

pub(crate) fn rectangle(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let right = x + width;
    let bottom = y + height;
    Outline::Polygon(vec![
        Point { x, y },
        Point { x: right, y },
        Point { x: right, y: bottom },
        Point { x, y: bottom },
    ])
}

pub(crate) fn ellipse(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let across = half(width);
    let down = half(height);
    Outline::Capsule {
        centres: [Point { x: x + across, y: y + down }; 2],
        a: Point { x: across, y: Decimal::ZERO },
        b: Point { x: Decimal::ZERO, y: down },
    }
}

/// The capsule that fills a box; an ellipse if the box is a square.
pub(crate) fn capsule(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    if width == height {
        return ellipse(x, y, width, height);
    }
    let radius = half(width.min(height));
    let across = Point { x: radius, y: Decimal::ZERO };
    let down = Point { x: Decimal::ZERO, y: radius };
    let first = Point { x, y } + across + down;
    let last = Point { x: x + width, y: y + height } - across - down;
    let [a, b] = if width > height { [across, down] } else { [down, across] };
    Outline::Capsule { centres: [first, last], a, b }
}

fn half(length: Decimal) -> Decimal {
    Decimal::from_millionths(length.millionths().div_euclid(2))
}
