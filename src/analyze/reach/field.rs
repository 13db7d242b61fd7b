//! A coarse map of the distance to the nearest goal, which tells a search where to look first.
//!
//! It decides the order of a search and nothing else.

use std::collections::VecDeque;

use glam::IVec2;

use super::budget::{Budget, Spent};
use super::graph::Graph;
use crate::geometry::Aabb;

/// The most squares of the map: their side grows with the level.
const MAX_SQUARES: i64 = 1 << 16;

/// The side of a square in pixels, at least.
const SIDE: i64 = 8;

/// Distances to the nearest goal, in squares.
pub(super) struct Field {
    origin: IVec2,
    side: i32,
    columns: i32,
    rows: i32,
    /// The squares with a free position of the body.
    is_free: Vec<bool>,
    /// The squares with a position at which the body overlaps a goal.
    has_goal: Vec<bool>,
    distances: Vec<u32>,
    body: IVec2,
}

impl Field {
    /// A map of the free positions of a body of `body` pixels, without goals. O(runs), and O(squares) that
    /// each of them touches, of which 16 count as a run.
    pub(super) fn new(graph: &Graph, body: IVec2, budget: &Budget) -> Result<Self, Spent> {
        let nodes = 0..graph.len() as u32;
        let mut area: Option<Aabb> = None;
        for node in nodes.clone() {
            let positions = positions(graph, node);
            area = Some(area.map_or(positions, |area| area.hull(positions)));
        }
        let area = area.unwrap_or(Aabb { min: IVec2::ZERO, max: IVec2::ONE });
        let [width, height] = [i64::from(area.width()), i64::from(area.height())];
        let mut side = SIDE;
        while (width / side + 1) * (height / side + 1) > MAX_SQUARES {
            side *= 2;
        }
        let (columns, rows) = ((width / side + 1) as i32, (height / side + 1) as i32);
        let count = columns as usize * rows as usize;
        let mut field = Self {
            origin: area.min,
            side: side as i32,
            columns,
            rows,
            is_free: vec![false; count],
            has_goal: vec![false; count],
            distances: vec![u32::MAX; count],
            body,
        };
        for node in nodes {
            let mut count = 0;
            for square in field.squares(positions(graph, node)) {
                field.is_free[square] = true;
                count += 1;
            }
            budget.take(1 + count / 16)?;
        }
        Ok(field)
    }

    /// Makes these the goals. O(squares).
    pub(super) fn refresh(&mut self, goals: impl Iterator<Item = Aabb>) {
        self.distances.fill(u32::MAX);
        self.has_goal.fill(false);
        let mut open = VecDeque::new();
        for goal in goals {
            let min = goal.min.saturating_sub(self.body).saturating_add(IVec2::ONE);
            for square in self.squares(Aabb { min, max: goal.max }) {
                self.has_goal[square] = true;
                if self.is_free[square] && self.distances[square] > 0 {
                    self.distances[square] = 0;
                    open.push_back(square);
                }
            }
        }
        while let Some(square) = open.pop_front() {
            let distance = self.distances[square] + 1;
            let (column, row) = (square as i32 % self.columns, square as i32 / self.columns);
            for (x, y) in
                [(column - 1, row), (column + 1, row), (column, row - 1), (column, row + 1)]
            {
                if x < 0 || y < 0 || x >= self.columns || y >= self.rows {
                    continue;
                }
                let next = (y * self.columns + x) as usize;
                if self.is_free[next] && self.distances[next] == u32::MAX {
                    self.distances[next] = distance;
                    open.push_back(next);
                }
            }
        }
    }

    /// The distance of a body to the nearest goal.
    pub(super) fn distance(&self, body: Aabb) -> u32 {
        let at = self.square_of(body.min);
        self.distances.get(at).copied().unwrap_or(u32::MAX)
    }

    /// False if the body overlaps no goal.
    pub(super) fn may_touch(&self, body: Aabb) -> bool {
        self.has_goal.get(self.square_of(body.min)).copied().unwrap_or(true)
    }

    fn column_and_row(&self, at: IVec2) -> IVec2 {
        let far = at.saturating_sub(self.origin) / self.side;
        far.clamp(IVec2::ZERO, IVec2::new(self.columns - 1, self.rows - 1))
    }

    fn square_of(&self, at: IVec2) -> usize {
        let IVec2 { x, y } = self.column_and_row(at);
        (y * self.columns + x) as usize
    }

    /// The squares that a box of positions touches.
    fn squares(&self, positions: Aabb) -> impl Iterator<Item = usize> + use<> {
        let first = self.column_and_row(positions.min);
        let last = self.column_and_row(positions.max.saturating_sub(IVec2::ONE));
        let width = self.columns;
        let row = move |y: i32| (first.x..=last.x).map(move |x| (y * width + x) as usize);
        (first.y..=last.y).flat_map(row)
    }
}

/// The positions of a node.
fn positions(graph: &Graph, node: u32) -> Aabb {
    let (columns, rows) = (graph.columns(node), graph.rows(node));
    Aabb { min: IVec2::new(columns.start, rows.start), max: IVec2::new(columns.end, rows.end) }
}
