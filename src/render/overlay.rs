//! The options of an overlay, which is laid over the art of a level: plain data.

use crate::geometry::{Aabb, Dir};

/// The content of [`overlay()`](super::overlay()) over the art.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlay {
    /// The side of a level's pixel in the picture; 0 counts as 1. Lines and letters do not grow with it.
    pub scale: u32,
    /// True to tint the solid cells red, with an edge around them and around the level, and to draw a line
    /// along the guarded edges of one-way cells. Default: true.
    pub solids: bool,
    /// True to paint the named areas, each in a colour of its own with its name. Default: true.
    pub areas: bool,
    /// True to outline the shapes and texts of a single map. Default: true.
    pub shapes: bool,
    /// True to draw the markers with their names. Default: true.
    pub markers: bool,
    /// True to write names and notes: of areas, markers, maps and the body. Default: true.
    pub labels: bool,
    /// True to outline the maps of a world, with the names of their files. Default: true.
    pub borders: bool,
    /// True to draw the grid of the map's tiles or, over a mask, lines in round steps. Default: false.
    pub grid: bool,
    /// True for rulers at the top and the left, with the level's pixels and the numbers of its cells; with
    /// those of the picture for a level that the screen shows slanted. Default: false.
    pub rulers: bool,
    /// True for a legend below the picture: the level's size, and the share of all that is painted. Default:
    /// false.
    pub legend: bool,
    /// A box. Default: none.
    pub body: Option<Aabb>,
    /// The direction and the step of the box, if it moves: they show the strip that it sweeps, its place at
    /// the end, and the cell that stops it. Default: none.
    pub motion: Option<(Dir, u32)>,
}

impl Overlay {
    /// An overlay of solids, areas, the level's edge, its markers, and the borders of a world's maps.
    pub fn new(scale: u32) -> Self {
        Self {
            solids: true,
            areas: true,
            shapes: true,
            markers: true,
            labels: true,
            borders: true,
            ..Self::none(scale)
        }
    }

    /// An overlay of nothing yet.
    pub fn none(scale: u32) -> Self {
        Self {
            scale,
            solids: false,
            areas: false,
            shapes: false,
            markers: false,
            labels: false,
            borders: false,
            grid: false,
            rulers: false,
            legend: false,
            body: None,
            motion: None,
        }
    }
}

impl Default for Overlay {
    /// [`Overlay::new`] at a scale of 1.
    fn default() -> Self {
        Self::new(1)
    }
}
