//! The class of a pixel: its kind, whether it is solid, and its areas. Knows one pixel at a time.

use crate::rules::mask::{Belongs, MaskRule, Pixel, Planes};

/// How a pixel looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelKind {
    /// Opaque and exactly black.
    Black,
    /// Opaque and exactly white.
    White,
    /// Opaque and of the colour of a plane.
    Plane,
    /// Opaque and of any other colour.
    Gray,
    /// Neither opaque nor fully transparent.
    Translucent,
    /// Fully transparent.
    Transparent,
}

impl PixelKind {
    /// The kind of a pixel if there are no planes.
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
}

/// All that the rules say of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelClass {
    pub(super) kind: PixelKind,
    pub(super) solid: bool,
    /// The areas that it belongs to, as in [`Belongs`].
    pub(super) areas: u32,
}

/// The rules that classify a pixel.
#[derive(Clone, Copy, Debug)]
pub(super) struct MaskRules<'a> {
    pub(super) rule: &'a MaskRule,
    pub(super) planes: &'a Planes<'a>,
}

impl MaskRules<'_> {
    pub(super) fn classify(&self, pixel: &Pixel) -> PixelClass {
        let kind = PixelKind::of(pixel);
        match self.planes.of(pixel) {
            Some(Belongs { areas, solid }) => {
                let is_opaque = !matches!(kind, PixelKind::Translucent | PixelKind::Transparent);
                let kind = if is_opaque { PixelKind::Plane } else { kind };
                PixelClass { kind, solid, areas }
            }
            None => PixelClass { kind, solid: self.rule.is_solid(pixel), areas: 0 },
        }
    }
}
