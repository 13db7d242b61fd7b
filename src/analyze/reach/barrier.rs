//! The obstacle between a start and a goal that is out of reach: a path, and its narrowest spot.
//!
//! It explains a verdict that has been proven, and proves nothing.

use std::collections::VecDeque;

use glam::{IVec2, UVec2};

use super::graph::Graph;
use super::over::reached;
use super::walk::Ways;
use super::witness::pixels_of;
use crate::analyze::free_space::free_space;
use crate::geometry::Aabb;
use crate::level::Level;
use crate::sweep::Terrain;

/// The most cells of a level in which a path through solids is searched.
const MAX_CELLS: u64 = 1 << 22;

/// The largest number of columns, and of rows, in which the whole body is tried around a smaller one.
const MAX_BESIDE: usize = 12;

/// The obstacle on the way to a goal that is out of reach.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Barrier {
    /// Its kind.
    pub kind: BarrierKind,
    /// The way past it, from the start to the goal, in pixels: the centres of the body on it. Each two follow
    /// each other along one axis. Empty if none was found.
    pub path: Vec<IVec2>,
    /// Its narrowest spot, in pixels: the body where the way leaves for the last time what it can reach, or
    /// the first solid cell on the way.
    pub narrowest: Aabb,
}

/// The kind of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum BarrierKind {
    /// Solids. The way crosses as few solid cells as possible.
    Wall {
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

/// A start and a goal that is out of its reach.
pub(super) struct Barred<'a> {
    pub(super) level: &'a Level,
    pub(super) body: UVec2,
    pub(super) start: IVec2,
    pub(super) goal: Aabb,
    /// The free positions of the body, without regard to one-way cells.
    pub(super) graph: &'a Graph,
    /// The most that the body rises, if that is bounded.
    pub(super) rise: Option<u32>,
}

impl Barred<'_> {
    /// The obstacle. O(runs log pixels) for a height, O(runs) for each size that is tried for a gap, and
    /// O(cells) for a wall.
    pub(super) fn barrier(&self) -> Barrier {
        let fits =
            Ways::from(self.graph, self.start).filter(|ways| ways.lead_to(self.graph, self.goal));
        match fits {
            Some(ways) => self.too_high(&ways),
            None => self.gap().unwrap_or_else(|| self.wall()),
        }
    }

    /// The way of a body that the solids let through.
    fn too_high(&self, ways: &Ways) -> Barrier {
        let to = (self.level.terrain(), self.body);
        let corners = ways.to(self.graph, to, self.goal).unwrap_or_default();
        let half = (self.body / 2).as_ivec2();
        let path: Vec<IVec2> = corners.iter().map(|corner| *corner + half).collect();
        let start = || self.graph.node_at(self.start).into_iter();
        let Some(rise) = self.rise else {
            return Barrier { kind: BarrierKind::OneWay, path, narrowest: self.goal };
        };
        let is_enough = |rise| {
            reached(self.graph, start(), rise)
                .is_ok_and(|reached| reached.touches(self.graph, self.goal))
        };
        let (mut low, mut high) = (rise, self.level.size().y.saturating_add(self.body.y));
        while low + 1 < high {
            let middle = low + (high - low) / 2;
            *(if is_enough(middle) { &mut high } else { &mut low }) = middle;
        }
        let kind = BarrierKind::Height { needed: high, rise };
        let reached = reached(self.graph, start(), rise);
        let is_reached =
            |at: IVec2| reached.as_ref().is_ok_and(|reached| reached.has(self.graph, at));
        Barrier { kind, path, narrowest: self.first_out(places(&corners), is_reached) }
    }

    /// The body where a way leaves the places that it can reach for the last time.
    fn first_out(
        &self,
        places: impl Iterator<Item = IVec2>,
        is_reached: impl Fn(IVec2) -> bool,
    ) -> Aabb {
        let (mut first_out, mut was_in) = (self.start, true);
        for at in places {
            let is_in = is_reached(at);
            if was_in && !is_in {
                first_out = at;
            }
            was_in = is_in;
        }
        self.body_at(first_out)
    }

    fn body_at(&self, position: IVec2) -> Aabb {
        let size = self.body.as_ivec2();
        Aabb::from_xywh(position.x, position.y, size.x, size.y)
    }

    /// The way of the largest smaller body that comes through, if there is one.
    fn gap(&self) -> Option<Barrier> {
        let mut narrow = 0;
        let mut wide = self.body.max_element().checked_sub(1).filter(|by| *by > 0)?;
        let mut found = self.gap_of(wide)?;
        while narrow + 1 < wide {
            let middle = narrow + (wide - narrow) / 2;
            match self.gap_of(middle) {
                Some(gap) => (wide, found) = (middle, gap),
                None => narrow = middle,
            }
        }
        Some(found)
    }

    /// The way of a body that is smaller by so many pixels on both axes. Its feet and its middle stay where
    /// they were.
    fn gap_of(&self, by: u32) -> Option<Barrier> {
        let terrain = self.level.terrain();
        let size = self.body.saturating_sub(UVec2::splat(by)).max(UVec2::ONE);
        let less = (self.body - size).as_ivec2();
        let less = IVec2::new(less.x / 2, less.y);
        let free = free_space(terrain, size).ok()?;
        let graph = Graph::new(terrain, &free, &[], &[], false).ok()?;
        let ways = Ways::from(&graph, self.start + less)?;
        let corners = ways.to(&graph, (terrain, size), self.goal)?;
        let half = (size / 2).as_ivec2();
        let own = Ways::from(self.graph, self.start);
        // The smaller body may keep to an edge: the places of the whole one that cover it count.
        let beside = self.body - size;
        let tried = |less: u32| (0..=less as i32).step_by(less as usize / MAX_BESIDE + 1);
        let covers = |at: IVec2| {
            let columns = tried(beside.x).map(move |x| at.x - x);
            columns.flat_map(move |x| tried(beside.y).map(move |y| IVec2::new(x, at.y - y)))
        };
        let is_reached = |at: IVec2| {
            own.as_ref().is_some_and(|own| covers(at).any(|at| own.has(self.graph, at)))
        };
        let spot = self.first_out(places(&corners), is_reached);
        let narrowest = spot.translated(-less);
        Some(Barrier {
            kind: BarrierKind::Gap { by },
            path: corners.iter().map(|corner| *corner + half).collect(),
            narrowest,
        })
    }

    /// The way through the fewest solid cells.
    fn wall(&self) -> Barrier {
        let terrain = self.level.terrain();
        let from = self.start + (self.body / 2).as_ivec2();
        let (path, cells) = through(terrain, from, pixels_of(self.goal)).unwrap_or_default();
        let solid = path.iter().find(|cell| terrain.grid().is_solid(cell.x as u32, cell.y as u32));
        let narrowest = solid.map_or(self.goal, |cell| terrain.cell_area(*cell));
        let kind = BarrierKind::Wall { cells };
        Barrier { kind, path: corners_of(terrain, &path), narrowest }
    }
}

/// The positions on a way, each corner and all between.
fn places(corners: &[IVec2]) -> impl Iterator<Item = IVec2> + '_ {
    let legs = corners.windows(2).flat_map(|pair| {
        let [from, to] = [pair[0], pair[1]];
        let way = to - from;
        let toward = way.signum();
        (0..=way.x.abs().max(way.y.abs())).map(move |at| from + toward * at)
    });
    legs.chain(corners.last().copied())
}

/// The way between two places through the fewest solid cells, in cells, and their number; `None` in a level
/// with too many cells. Both ends are taken to the nearest cell of the level. O(cells): a search with two
/// costs, 0 and 1.
fn through(terrain: &Terrain, from: IVec2, to: Aabb) -> Option<(Vec<IVec2>, u32)> {
    let grid = terrain.grid();
    if grid.cell_count() > MAX_CELLS {
        return None;
    }
    let size = grid.size().as_ivec2();
    let inside = |pixel: IVec2| terrain.cell_at(pixel).clamp(IVec2::ZERO, size - IVec2::ONE);
    let (first, low, high) = (inside(from), inside(to.min), inside(to.max - IVec2::ONE));
    let index = |cell: IVec2| cell.y as usize * size.x as usize + cell.x as usize;
    let cost = |cell: IVec2| u32::from(grid.is_solid(cell.x as u32, cell.y as u32));
    let mut best = vec![u32::MAX; size.x as usize * size.y as usize];
    let mut before = vec![u8::MAX; best.len()];
    let steps = [IVec2::NEG_X, IVec2::X, IVec2::NEG_Y, IVec2::Y];
    best[index(first)] = cost(first);
    let mut open = VecDeque::from([(cost(first), first)]);
    while let Some((cells, at)) = open.pop_front() {
        if best[index(at)] < cells {
            continue;
        }
        if at.cmpge(low).all() && at.cmple(high).all() {
            let (mut path, mut cell) = (vec![at], at);
            while let Some(step) = steps.get(before[index(cell)] as usize) {
                cell -= *step;
                path.push(cell);
            }
            path.reverse();
            return Some((path, cells));
        }
        for (number, step) in (0..).zip(steps) {
            let next = at + step;
            if next.cmplt(IVec2::ZERO).any() || next.cmpge(size).any() {
                continue;
            }
            let total = cells + cost(next);
            if total < best[index(next)] {
                best[index(next)] = total;
                before[index(next)] = number;
                if total == cells {
                    open.push_front((total, next));
                } else {
                    open.push_back((total, next));
                }
            }
        }
    }
    None
}

/// The centres of the cells at which a way turns, and of its ends.
fn corners_of(terrain: &Terrain, cells: &[IVec2]) -> Vec<IVec2> {
    let turns = |at: usize| {
        let (Some(before), Some(after)) =
            (at.checked_sub(1).and_then(|at| cells.get(at)), cells.get(at + 1))
        else {
            return true;
        };
        cells.get(at).is_none_or(|cell| *cell - *before != *after - *cell)
    };
    let kept = cells.iter().enumerate().filter(|(at, _)| turns(*at));
    kept.map(|(_, cell)| terrain.cell_area(*cell).center()).collect()
}
