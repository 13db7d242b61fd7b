//! The pieces that one plane of a level is put together from: rows of cells, boxes, pixels and outlines, in
//! pixels of their map.
//!
//! It collects and measures; `compose` draws.

use std::slice;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Dir, Sides};
use crate::grid::Plane;
use crate::raster::{Coverage, Outline};

/// A plane of a level that a tile or an object is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Solid,
    /// One-way solids that guard these sides.
    OneWay(Sides<bool>),
    /// An area, by its index in the options.
    Area(usize),
}

impl Claim {
    /// For something solid `None`, for something one-way each side that it guards.
    pub(super) fn edges(self) -> impl Iterator<Item = Option<Dir>> {
        let solid = (self == Self::Solid).then_some(None);
        let guarded = move |dir: &Dir| matches!(self, Self::OneWay(sides) if sides.get(*dir));
        solid.into_iter().chain(Dir::ALL.into_iter().filter(guarded).map(Some))
    }
}

/// The cover of a tile or an object, in pixels of the map.
#[derive(Clone)]
pub(super) enum Cover {
    /// A cell, or a rectangle that is not turned.
    Box(Aabb),
    /// Pixels of a tile's shapes or of a cell that is no rectangle, and where they are put.
    Pixels(Arc<Coverage>, IVec2),
    Outlines(Arc<[Outline]>),
}

impl Cover {
    /// A box around it.
    pub(super) fn bounds(&self) -> Aabb {
        match self {
            Self::Box(area) => *area,
            Self::Pixels(pixels, at) => pixels.bounds().translated(*at),
            Self::Outlines(outlines) => {
                let bounds = outlines.iter().map(Outline::bounds);
                bounds.filter(|area| !area.is_empty()).reduce(Aabb::hull).unwrap_or_default()
            }
        }
    }

    /// True if it covers the pixel.
    pub(super) fn contains(&self, pixel: IVec2) -> bool {
        match self {
            Self::Box(area) => area.contains(pixel),
            Self::Pixels(pixels, at) => pixels.contains(pixel.saturating_sub(*at)),
            Self::Outlines(outlines) => outlines.iter().any(|outline| {
                let mut covers = false;
                let clip = Aabb::from_xywh(pixel.x, pixel.y, 1, 1);
                outline.cover(clip, &mut |_| covers = true);
                covers
            }),
        }
    }
}

/// Solid cells of a block of a layer.
pub(super) struct CellRows {
    pub(super) rows: Plane,
    /// Column and row of its first cell.
    pub(super) origin: IVec2,
    /// How far its layer is displaced, in pixels.
    pub(super) offset: IVec2,
}

/// The pieces of one plane.
#[derive(Default)]
pub(super) struct Pieces {
    pub(super) cells: Vec<CellRows>,
    pub(super) covers: Vec<Cover>,
    /// The guarded side, of one-way solids: of a box only the line along it counts.
    pub(super) edge: Option<Dir>,
}

impl Pieces {
    /// True if nothing is there.
    pub(super) fn is_empty(&self) -> bool {
        self.cells.is_empty() && self.covers.is_empty()
    }

    /// Adds the cover of a cell's tile, a box as part of the last one if it stands right beside it.
    pub(super) fn add_cell(&mut self, cover: Cover) {
        if let (Some(Cover::Box(last)), Cover::Box(area)) = (self.covers.last_mut(), &cover)
            && (last.min.y, last.max.y, last.max.x) == (area.min.y, area.max.y, area.min.x)
            && self.edge.is_none_or(|edge| matches!(edge, Dir::Up | Dir::Down))
        {
            last.max.x = area.max.x;
            return;
        }
        self.covers.push(cover);
    }

    /// True if every piece starts and ends where a cell of `whole` pixels does.
    pub(super) fn fill_whole_cells(&self, whole: UVec2) -> bool {
        let cell = whole.as_ivec2();
        let on_cells = |point: IVec2| point.rem_euclid(cell) == IVec2::ZERO;
        self.cells.iter().all(|cells| on_cells(cells.offset))
            && self.covers.iter().all(|cover| match cover {
                Cover::Box(area) => on_cells(area.min) && on_cells(area.max),
                Cover::Pixels(..) | Cover::Outlines(_) => false,
            })
    }

    /// A box around all pieces but the cells of layers that are not displaced; a cell has `whole` pixels.
    pub(super) fn extent(&self, whole: UVec2) -> Option<Aabb> {
        let displaced = self.cells.iter().filter(|cells| cells.offset != IVec2::ZERO);
        let cells = displaced.filter_map(|cells| cells.boxes(whole).reduce(Aabb::hull));
        let all = cells.chain(self.covers.iter().map(Cover::bounds));
        all.filter(|area| !area.is_empty()).reduce(Aabb::hull)
    }
}

impl CellRows {
    /// The top-left pixel of the first cell.
    pub(super) fn corner(&self, whole: UVec2) -> IVec2 {
        let corner = self.origin.saturating_mul(whole.as_ivec2());
        corner.saturating_add(self.offset)
    }

    /// The boxes around the runs of solid cells of each row.
    pub(super) fn boxes(&self, whole: UVec2) -> impl Iterator<Item = Aabb> {
        let (corner, whole) = (self.corner(whole), whole.as_ivec2());
        (0..self.rows.count()).flat_map(move |row| {
            self.rows.runs(row).map(move |columns| {
                let min = IVec2::new(columns.start as i32, row as i32);
                let max = IVec2::new(columns.end as i32, row as i32 + 1);
                Aabb {
                    min: corner.saturating_add(min.saturating_mul(whole)),
                    max: corner.saturating_add(max.saturating_mul(whole)),
                }
            })
        })
    }
}

/// Everything solid, one-way or of an area that one map puts into a level, in pixels of the map.
pub(super) struct MapPieces {
    pub(super) solid: Pieces,
    /// By the guarded side, in the order of [`Dir::ALL`].
    pub(super) one_way: [Pieces; 4],
    /// In the order of the options.
    pub(super) areas: Vec<Pieces>,
    /// The cells of floor layers that are not empty, if there is such a layer: all others are solid.
    pub(super) floor: Option<Pieces>,
    /// The pixels that the level shows; all others are cut off.
    pub(super) area: Aabb,
    /// A whole cell.
    pub(super) cell: UVec2,
    /// True if the cells are rectangles in rows and columns.
    pub(super) is_rectangular: bool,
    /// Where the map's pixel (0, 0) lies among the others.
    pub(super) position: IVec2,
}

impl MapPieces {
    /// The planes that a claim is about.
    pub(super) fn of(&mut self, claim: Claim) -> impl Iterator<Item = &mut Pieces> {
        let (planes, guarded) = match claim {
            Claim::Solid => (slice::from_mut(&mut self.solid), None),
            Claim::OneWay(sides) => (&mut self.one_way[..], Some(sides)),
            Claim::Area(area) => (self.areas.get_mut(area..=area).unwrap_or_default(), None),
        };
        let is_of = move |edge: Option<Dir>| {
            guarded.zip(edge).is_none_or(|(sides, edge): (Sides<bool>, _)| sides.get(edge))
        };
        planes.iter_mut().filter(move |pieces| is_of(pieces.edge))
    }
}
