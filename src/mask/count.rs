//! How many pixels of each kind a mask has, and where the doubtful ones are.
//!
//! Facts, not judgements: whether gray pixels are a fault is for `verify` to say.

use glam::{IVec2, UVec2};
use serde::{Serialize, Serializer};

use crate::geometry::Aabb;
use crate::rules::mask::Pixel;

/// How many pixels of each kind a mask has.
///
/// Every pixel is of one kind: black + white + in_planes + gray + translucent + transparent is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MaskCounts {
    /// Pixels that the rule made solid.
    pub solid: u64,
    /// Opaque and exactly black.
    pub black: u64,
    /// Opaque and exactly white.
    pub white: u64,
    /// Opaque and of the colour of a [`super::MaskPlane`].
    pub in_planes: u64,
    /// Opaque and neither black nor white, of any colour that no plane has.
    pub gray: u64,
    /// The first gray pixel, row by row.
    #[serde(serialize_with = "point_as_numbers")]
    pub first_gray: Option<UVec2>,
    /// The smallest box around the gray pixels.
    pub gray_extent: Option<Aabb>,
    /// Neither opaque nor fully transparent.
    pub translucent: u64,
    /// The first translucent pixel, row by row.
    #[serde(serialize_with = "point_as_numbers")]
    pub first_translucent: Option<UVec2>,
    /// The smallest box around the translucent pixels.
    pub translucent_extent: Option<Aabb>,
    /// Fully transparent.
    pub transparent: u64,
}

/// What a pixel looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Black,
    White,
    Plane,
    Gray,
    Translucent,
    Transparent,
}

impl Kind {
    pub(super) fn of(pixel: &Pixel) -> Self {
        if pixel.alpha == 0 {
            Self::Transparent
        } else if pixel.alpha < pixel.max {
            Self::Translucent
        } else if pixel.rgb == [0; 3] {
            Self::Black
        } else if pixel.rgb == [pixel.max; 3] {
            Self::White
        } else {
            Self::Gray
        }
    }

    /// The kind of such a pixel if its colour is one of a plane.
    pub(super) fn in_plane(self) -> Self {
        match self {
            Self::Black | Self::White | Self::Gray => Self::Plane,
            other => other,
        }
    }
}

/// Pixels of one row and one kind: the first, the last, and how many there are from one to the other,
/// which in a pass of an interlaced picture is not all of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) y: u32,
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) pixels: u64,
}

impl MaskCounts {
    /// Adds a run. The rows may come in any order.
    #[inline]
    pub(super) fn add(&mut self, kind: Kind, solid: bool, run: Run) {
        self.solid += if solid { run.pixels } else { 0 };
        match kind {
            Kind::Black => self.black += run.pixels,
            Kind::White => self.white += run.pixels,
            Kind::Plane => self.in_planes += run.pixels,
            Kind::Gray => {
                self.gray += run.pixels;
                include(&mut self.first_gray, &mut self.gray_extent, run);
            }
            Kind::Translucent => {
                self.translucent += run.pixels;
                include(
                    &mut self.first_translucent,
                    &mut self.translucent_extent,
                    run,
                );
            }
            Kind::Transparent => self.transparent += run.pixels,
        }
    }
}

/// Makes a first pixel and an extent take in a run. The limits keep both sides far below `i32::MAX`.
fn include(first: &mut Option<UVec2>, extent: &mut Option<Aabb>, run: Run) {
    let found = UVec2::new(run.first, run.y);
    if first.is_none_or(|first| (found.y, found.x) < (first.y, first.x)) {
        *first = Some(found);
    }
    let min = found.as_ivec2();
    let max = IVec2::new(run.last as i32, run.y as i32) + IVec2::ONE;
    *extent = Some(match *extent {
        None => Aabb { min, max },
        Some(extent) => Aabb {
            min: extent.min.min(min),
            max: extent.max.max(max),
        },
    });
}

/// `[x, y]`.
fn point_as_numbers<S: Serializer>(
    point: &Option<UVec2>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    point.map(|point| point.to_array()).serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds_tell_pixels_apart_at_every_depth() {
        for max in [1, 3, 15, 255, 65_535] {
            let kind = |value, alpha| {
                Kind::of(&Pixel {
                    rgb: [value; 3],
                    alpha,
                    max,
                })
            };
            assert_eq!(kind(0, max), Kind::Black);
            assert_eq!(kind(max, max), Kind::White);
            assert_eq!(kind(max, 0), Kind::Transparent);
            if max > 1 {
                assert_eq!(kind(1, max), Kind::Gray);
                assert_eq!(kind(0, max - 1), Kind::Translucent);
            }
        }
        let rgb = [0, 0, 1];
        assert_eq!(
            Kind::of(&Pixel {
                rgb,
                alpha: 1,
                max: 1
            }),
            Kind::Gray,
            "blue is gray"
        );
    }

    #[test]
    fn the_first_pixel_is_the_first_of_its_row_whatever_order_rows_come_in() {
        let mut counts = MaskCounts::default();
        for (y, first, last) in [(8, 0, 4), (2, 7, 9), (2, 5, 5), (4, 1, 1)] {
            let pixels = 1;
            counts.add(
                Kind::Gray,
                true,
                Run {
                    y,
                    first,
                    last,
                    pixels,
                },
            );
        }
        assert_eq!(counts.first_gray, Some(UVec2::new(5, 2)));
        assert_eq!(counts.gray_extent, Some(Aabb::from_xywh(0, 2, 10, 7)));
        assert_eq!((counts.gray, counts.solid), (4, 4));
        assert_eq!((counts.translucent, counts.first_translucent), (0, None));
        let json = serde_json::to_value(&counts).unwrap();
        assert_eq!(json["first_gray"], serde_json::json!([5, 2]));
        assert_eq!(json["gray_extent"], serde_json::json!([0, 2, 10, 7]));
        assert_eq!(json["translucent_extent"], serde_json::Value::Null);
    }
}
