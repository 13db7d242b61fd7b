//! The obstacle between a start and a goal that is out of reach: a path, and its narrowest spot.
//!
//! It explains a verdict that has been proven, and proves nothing.

use glam::{IVec2, UVec2};

use super::along::first_out;
use super::budget::{Budget, Spent};
use super::graph::Graph;
use super::over::reached;
use super::through::{corners_of, through};
use super::walk::{OneWays, Ways};
use super::witness::pixels_of;
use crate::analyze::free_space::free_space;
use crate::geometry::{Aabb, Dir};
use crate::level::Level;

/// The largest number of columns, and of rows, in which the whole body is tried around a smaller one.
const MAX_BESIDE: usize = 12;

/// The obstacle on the way to a goal that is out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// Its kind.
    pub kind: BarrierKind,
    /// The way past it, from the start to the goal, in pixels: the centres of the body on it. Each two follow
    /// each other along one axis. Empty if none was found.
    pub path: Vec<IVec2>,
    /// Its narrowest spot, in pixels: the body where the way leaves for the last time what it can reach, and
    /// for a height the body on the floor below that; or the first solid cell on the way.
    pub narrowest: Aabb,
}

/// The kind of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BarrierKind {
    /// Solids. The way crosses as few solid cells as possible.
    Solid {
        /// The number of solid cells on the way.
        cells: u32,
    },
    /// A passage that is too narrow or too low.
    Gap {
        /// The pixels by which a body would have to be smaller on both axes.
        by: u32,
    },
    /// A place that is too high.
    Height {
        /// The pixels that a body would have to rise at once.
        needed: u32,
        /// The most that it rises.
        rise: u32,
    },
    /// A one-way cell.
    OneWay,
}

/// The bound on a body, beside solids.
#[derive(Clone, Copy)]
pub(super) enum Bound<'a> {
    /// It rises so many pixels at once.
    Rise(u32),
    /// It obeys one-way cells: the nodes of another graph, and the ways in it.
    OneWay(&'a Graph, &'a Ways),
    /// None.
    No,
}

/// A start and a goal that is out of its reach.
pub(super) struct Barred<'a> {
    pub(super) level: &'a Level,
    pub(super) body: UVec2,
    pub(super) start: IVec2,
    pub(super) goal: Aabb,
    /// The free positions of the body, without regard to one-way cells.
    pub(super) graph: &'a Graph,
    /// The bound that the goal is beyond.
    pub(super) bound: Bound<'a>,
    pub(super) budget: &'a Budget,
}

impl Barred<'_> {
    /// The obstacle. O(runs log pixels) for a height, O(runs) for each size that is tried for a gap, and
    /// O(cells) for solids.
    pub(super) fn barrier(&self) -> Result<Barrier, Spent> {
        let ways = Ways::from(self.graph, &[self.start], self.budget)?;
        let end = ways.end_at(self.graph, self.goal, self.budget)?;
        match (end, self.bound) {
            (Some(end), Bound::Rise(rise)) => self.too_high((&ways, end), rise),
            (Some(end), Bound::OneWay(graph, held)) => {
                let corners = self.corners(self.graph, self.body, (&ways, end))?;
                let rows_of = |node| held.rows(graph, node);
                let out = first_out(graph, &corners, &[IVec2::ZERO], rows_of);
                let narrowest = self.body_at(out.unwrap_or(self.start));
                let path = self.centres(&corners, self.body);
                Ok(Barrier { kind: BarrierKind::OneWay, path, narrowest })
            }
            _ => Ok(self.gap(&ways)?.unwrap_or_else(|| self.solids())),
        }
    }

    /// The way of a body that the solids let through.
    fn too_high(&self, (ways, end): (&Ways, u32), rise: u32) -> Result<Barrier, Spent> {
        let corners = self.corners(self.graph, self.body, (ways, end))?;
        // The height is told from the floor, on which the body is once it has fallen.
        let fall = self.level.sweep(self.body_at(self.start), Dir::Down, self.level.size().y);
        let onto = if fall.contact.is_some() { fall.moved as i32 } else { 0 };
        let landed = self.start + IVec2::new(0, onto);
        let start = || self.graph.node_at(landed).into_iter();
        let flood = |rise| reached(self.graph, start(), rise, self.budget);
        let (mut low, mut high) = (rise, self.level.size().y.saturating_add(self.body.y));
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            let is_enough = flood(middle)?.touches(self.graph, self.goal, self.budget)?;
            *(if is_enough { &mut high } else { &mut low }) = middle;
        }
        let reached = flood(rise)?;
        let rows_of = |node| reached.rows(self.graph, node);
        let out = first_out(self.graph, &corners, &[IVec2::ZERO], rows_of);
        // In mid-air: it came from the floor below.
        let highest = self.body_at(out.unwrap_or(self.start));
        let fall = self.level.sweep(highest, Dir::Down, self.level.size().y);
        let onto = if fall.contact.is_some() { fall.moved } else { 0 };
        Ok(Barrier {
            kind: BarrierKind::Height { needed: high, rise },
            path: self.centres(&corners, self.body),
            narrowest: highest.shifted(Dir::Down, onto),
        })
    }

    /// The corners of the way of a body of this size to the goal.
    fn corners(
        &self,
        graph: &Graph,
        size: UVec2,
        (ways, end): (&Ways, u32),
    ) -> Result<Vec<IVec2>, Spent> {
        let how = (OneWays::Passed, self.budget);
        let corners = ways.to(graph, (self.level.terrain(), size), (end, self.goal), how)?;
        Ok(corners.unwrap_or_default())
    }

    fn centres(&self, corners: &[IVec2], size: UVec2) -> Vec<IVec2> {
        corners.iter().map(|corner| *corner + (size / 2).as_ivec2()).collect()
    }

    fn body_at(&self, position: IVec2) -> Aabb {
        let size = self.body.as_ivec2();
        Aabb::from_xywh(position.x, position.y, size.x, size.y)
    }

    /// The way of the largest smaller body that comes through, if there is one. `own` are the ways of the
    /// whole body.
    fn gap(&self, own: &Ways) -> Result<Option<Barrier>, Spent> {
        let mut narrow = 0;
        let Some(mut wide) = self.body.max_element().checked_sub(1).filter(|by| *by > 0) else {
            return Ok(None);
        };
        let Some(mut found) = self.gap_of(wide, own)? else {
            return Ok(None);
        };
        while narrow + 1 < wide {
            let middle = narrow + (wide - narrow) / 2;
            match self.gap_of(middle, own)? {
                Some(gap) => (wide, found) = (middle, gap),
                None => narrow = middle,
            }
        }
        Ok(Some(found))
    }

    /// The way of a body that is smaller by so many pixels on both axes. Its feet and its middle stay where
    /// they were.
    fn gap_of(&self, by: u32, own: &Ways) -> Result<Option<Barrier>, Spent> {
        let terrain = self.level.terrain();
        let size = self.body.saturating_sub(UVec2::splat(by)).max(UVec2::ONE);
        let less = (self.body - size).as_ivec2();
        let less = IVec2::new(less.x / 2, less.y);
        let free = free_space(terrain, size).map_err(|_| Spent)?;
        self.budget.take(free.bands.runs.len() as u64)?;
        let graph = Graph::new(terrain, &free, &[], &[], false).map_err(|_| Spent)?;
        let ways = Ways::from(&graph, &[self.start + less], self.budget)?;
        let Some(end) = ways.end_at(&graph, self.goal, self.budget)? else {
            return Ok(None);
        };
        let corners = self.corners(&graph, size, (&ways, end))?;
        // The smaller body may keep to an edge: the places of the whole one that cover it count.
        let beside = self.body - size;
        let tried = |less: u32| (0..=less as i32).step_by(less as usize / MAX_BESIDE + 1);
        let shifts: Vec<IVec2> = tried(beside.x)
            .flat_map(|x| tried(beside.y).map(move |y| IVec2::new(-x, -y)))
            .collect();
        let rows_of = |node| own.rows(self.graph, node);
        let out = first_out(self.graph, &corners, &shifts, rows_of);
        let narrowest = self.body_at(out.unwrap_or(self.start + less)).translated(-less);
        let path = self.centres(&corners, size);
        Ok(Some(Barrier { kind: BarrierKind::Gap { by }, path, narrowest }))
    }

    /// The way through the fewest solid cells.
    fn solids(&self) -> Barrier {
        let terrain = self.level.terrain();
        let from = self.start + (self.body / 2).as_ivec2();
        let (path, cells) = through(terrain, from, pixels_of(self.goal)).unwrap_or_default();
        let solid = path.iter().find(|cell| terrain.grid().is_solid(cell.x as u32, cell.y as u32));
        let narrowest = solid.map_or(self.goal, |cell| terrain.cell_area(*cell));
        let kind = BarrierKind::Solid { cells };
        Barrier { kind, path: corners_of(terrain, &path), narrowest }
    }
}
