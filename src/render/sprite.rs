//! One picture, or a part of one, drawn into another: mirrored, scaled, turned.
//!
//! Each pixel of the canvas whose centre lies in the target shows the pixel of the sprite that lies under
//! that centre (nearest neighbour).

use glam::{DVec2, UVec2, Vec2Swizzles};
use image::{Rgba, RgbaImage};

use super::blend::{self, Modulation};
use crate::geometry::Aabb;
use crate::level::flip;

/// A part of a picture.
#[derive(Clone, Copy)]
pub(super) struct Sprite<'a> {
    picture: &'a RgbaImage,
    origin: UVec2,
    pub(super) size: UVec2,
    transparent: Option<[u8; 3]>,
}

impl<'a> Sprite<'a> {
    /// The part of `picture`, or all of it; `None` if that is empty or begins outside the picture.
    pub(super) fn new(
        picture: &'a RgbaImage,
        part: Option<Aabb>,
        transparent: Option<[u8; 3]>,
    ) -> Option<Self> {
        let whole = UVec2::from(picture.dimensions());
        let (origin, size) = match part {
            None => (UVec2::ZERO, whole),
            Some(part) => (
                UVec2::new(
                    u32::try_from(part.min.x).ok()?,
                    u32::try_from(part.min.y).ok()?,
                ),
                UVec2::new(part.width(), part.height()),
            ),
        };
        (size.min_element() > 0 && origin.cmplt(whole).all()).then_some(Self {
            picture,
            origin,
            size,
            transparent,
        })
    }

    /// The pixel at (x, y) of the part; clear where the part goes on beyond the picture.
    #[inline]
    fn pixel(&self, x: u32, y: u32) -> Rgba<u8> {
        let (x, y) = (
            self.origin.x.saturating_add(x),
            self.origin.y.saturating_add(y),
        );
        match self.picture.get_pixel_checked(x, y) {
            Some(pixel) if self.transparent != Some([pixel[0], pixel[1], pixel[2]]) => *pixel,
            _ => Rgba([0; 4]),
        }
    }
}

/// Where a sprite is drawn: a box, turned by `rotation` clockwise degrees around `pivot`.
#[derive(Clone, Copy)]
pub(super) struct Target {
    pub(super) min: DVec2,
    pub(super) size: DVec2,
    /// The bits of [`flip`]. With `DIAGONAL` the sprite's height lies along the box's width.
    pub(super) flips: u32,
    pub(super) rotation: f64,
    pub(super) pivot: DVec2,
}

impl Target {
    /// A box that is not turned.
    pub(super) fn upright(min: DVec2, size: DVec2, flips: u32) -> Self {
        Self {
            min,
            size,
            flips,
            rotation: 0.0,
            pivot: min,
        }
    }

    fn has(&self, flag: u32) -> bool {
        self.flips & flag != 0
    }

    /// The corners of the smallest upright box around the turned one.
    fn bounds(&self) -> (DVec2, DVec2) {
        let turn = turn(self.rotation);
        let corners = [
            self.min,
            self.min + self.size,
            self.min + DVec2::new(self.size.x, 0.0),
            self.min + DVec2::new(0.0, self.size.y),
        ]
        .map(|corner| self.pivot + turn.rotate(corner - self.pivot));
        corners
            .into_iter()
            .fold((corners[0], corners[0]), |(min, max), corner| {
                (min.min(corner), max.max(corner))
            })
    }
}

/// A picture in the making, and how much of it may still be drawn.
pub(super) struct Painter {
    pub(super) canvas: RgbaImage,
    /// Pixels that may still be drawn; below 0 the picture is given up.
    pub(super) budget: i64,
}

impl Painter {
    /// Draws a sprite.
    pub(super) fn draw(&mut self, sprite: &Sprite<'_>, target: &Target, look: Modulation) {
        if target.rotation % 360.0 == 0.0 {
            self.draw_upright(sprite, target, look);
        } else {
            self.draw_turned(sprite, target, look);
        }
    }

    fn draw_upright(&mut self, sprite: &Sprite<'_>, target: &Target, look: Modulation) {
        let is_diagonal = target.has(flip::DIAGONAL);
        let source = if is_diagonal {
            sprite.size.yx()
        } else {
            sprite.size
        };
        let (left, columns) = samples(
            (target.min.x, target.size.x),
            self.canvas.width(),
            (source.x, target.has(flip::HORIZONTAL)),
        );
        let (top, rows) = samples(
            (target.min.y, target.size.y),
            self.canvas.height(),
            (source.y, target.has(flip::VERTICAL)),
        );
        self.budget -= columns.len() as i64 * rows.len() as i64;
        if self.budget < 0 || columns.is_empty() {
            return;
        }
        for (y, v) in (top..).zip(rows) {
            for (x, &u) in (left..).zip(&columns) {
                let pixel = if is_diagonal {
                    sprite.pixel(v, u)
                } else {
                    sprite.pixel(u, v)
                };
                blend::over(self.canvas.get_pixel_mut(x, y), look.apply(pixel));
            }
        }
    }

    fn draw_turned(&mut self, sprite: &Sprite<'_>, target: &Target, look: Modulation) {
        let (min, max) = target.bounds();
        let columns = covered(min.x, max.x, self.canvas.width());
        let rows = covered(min.y, max.y, self.canvas.height());
        self.budget -= columns.len() as i64 * rows.len() as i64;
        if self.budget < 0 {
            return;
        }
        let back = turn(-target.rotation);
        for y in rows {
            for x in columns.clone() {
                let centre = DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
                let at = target.pivot + back.rotate(centre - target.pivot) - target.min;
                let mut part = at / target.size;
                if part.cmplt(DVec2::ZERO).any() || !part.cmplt(DVec2::ONE).all() {
                    continue;
                }
                if target.has(flip::HORIZONTAL) {
                    part.x = 1.0 - part.x;
                }
                if target.has(flip::VERTICAL) {
                    part.y = 1.0 - part.y;
                }
                if target.has(flip::DIAGONAL) {
                    part = part.yx();
                }
                let pixel = (part * sprite.size.as_dvec2())
                    .as_uvec2()
                    .min(sprite.size - 1);
                let pixel = sprite.pixel(pixel.x, pixel.y);
                blend::over(self.canvas.get_pixel_mut(x, y), look.apply(pixel));
            }
        }
    }
}

/// The first pixel that a span (start, length) covers on a canvas of `limit` pixels, and for it and each
/// one after it the place in a source (length, mirrored) that lies under its centre.
fn samples(span: (f64, f64), limit: u32, source: (u32, bool)) -> (u32, Vec<u32>) {
    let ((mut start, length), (source, is_mirrored)) = (span, source);
    if length == f64::from(source) {
        // What is not scaled keeps its pixels.
        start = (start + 0.5).floor();
    }
    let range = covered(start, start + length, limit);
    let scale = f64::from(source) / length;
    let sample = |pixel: u32| {
        let place = (f64::from(pixel) + 0.5 - start) * scale;
        // Mirrored before it is rounded, as Tiled does.
        let place = if is_mirrored {
            f64::from(source) - place
        } else {
            place
        };
        (place as u32).min(source - 1)
    };
    (range.start, range.map(sample).collect())
}

/// The pixels, of 0 to `limit`, whose centres lie in start <= centre < end.
fn covered(start: f64, end: f64, limit: u32) -> std::ops::Range<u32> {
    // Casts saturate, so that what lies beyond the canvas ends at its edges.
    let edge = |at: f64| ((at - 0.5).ceil() as u32).min(limit);
    edge(start)..edge(end)
}

/// The rotation by clockwise degrees, exact for quarter turns.
fn turn(degrees: f64) -> DVec2 {
    let quarters = degrees / 90.0;
    if quarters.fract() != 0.0 {
        return DVec2::from_angle(degrees.to_radians());
    }
    match quarters.rem_euclid(4.0) as u32 {
        1 => DVec2::Y,
        2 => DVec2::NEG_X,
        3 => DVec2::NEG_Y,
        _ => DVec2::X,
    }
}
