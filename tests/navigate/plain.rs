//! A naive model of path finding: each position is tested by itself, and Dijkstra's algorithm finds the
//! paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bitwall::geometry::Dir;
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Path;
use bitwall::{Aabb, Outside, Terrain};

use crate::support::places;

pub(crate) const PIXEL: u64 = 1 << 32;
pub(crate) const DIAGONAL: u64 = 6_074_001_000;

/// Every position that the tested ways know, and whether it is free.
pub(crate) struct Plain {
    pub(crate) origin: IVec2,
    pub(crate) size: IVec2,
    is_free: Vec<bool>,
}

impl Plain {
    pub(crate) fn new(terrain: &Terrain, body: UVec2, others: &[Aabb]) -> Self {
        let (level, body) = (terrain.size().as_ivec2(), body.as_ivec2());
        let outside = terrain.outside();
        let open = |side: Outside, margin: i32| if side == Outside::Open { margin } else { 0 };
        let origin = -IVec2::new(open(outside.left, body.x), open(outside.up, body.y));
        let last =
            level - body + IVec2::new(open(outside.right, body.x), open(outside.down, body.y));
        let size = (last - origin + 1).max(IVec2::ZERO);
        let is_free = |place: IVec2| {
            let aabb = Aabb { min: origin + place, max: origin + place + body };
            !terrain.overlaps(aabb)
                && !others.iter().any(|other| other.overlaps(aabb))
                && !touches_edge(terrain, aabb)
        };
        Self { origin, size, is_free: places(size).map(is_free).collect() }
    }

    /// Returns these positions without those at which the body meets a solid of `area`.
    pub(crate) fn without(mut self, area: &Terrain, body: UVec2) -> Self {
        for (place, is_free) in places(self.size).zip(&mut self.is_free) {
            let min = self.origin + place;
            let aabb = Aabb { min, max: min + body.as_ivec2() };
            *is_free &= !area.overlaps(aabb) && !touches_edge(area, aabb);
        }
        self
    }

    /// Returns the position with the smallest straight distance from `at` of those with a length in
    /// `lengths`, then with the smallest y and x.
    pub(crate) fn nearest(&self, at: IVec2, lengths: &[Option<u64>]) -> Option<IVec2> {
        let reached =
            self.free_positions().filter(|to| lengths[self.index(*to).unwrap()].is_some());
        reached.min_by_key(|to| ((to - at).as_i64vec2().length_squared(), to.y, to.x))
    }

    pub(crate) fn is_free(&self, at: IVec2) -> bool {
        self.index(at).is_some_and(|index| self.is_free[index])
    }

    pub(crate) fn free_positions(&self) -> impl Iterator<Item = IVec2> {
        let all = places(self.size).zip(&self.is_free);
        all.filter(|(_, is_free)| **is_free).map(|(place, _)| place + self.origin)
    }

    pub(crate) fn index(&self, at: IVec2) -> Option<usize> {
        let place = at.checked_sub(self.origin)?;
        let is_inside = place.cmpge(IVec2::ZERO).all() && place.cmplt(self.size).all();
        is_inside.then(|| (place.y * self.size.x + place.x) as usize)
    }

    /// Returns the steps that are possible from a free position, each with its length.
    fn steps(&self, at: IVec2, eight: bool) -> impl Iterator<Item = (IVec2, u64)> {
        places(IVec2::splat(3)).map(|step| step - 1).filter_map(move |step| {
            let length = match step.abs().element_sum() {
                1 => PIXEL,
                2 if eight => DIAGONAL,
                _ => return None,
            };
            let passed = [step, step.with_x(0), step.with_y(0)];
            passed.iter().all(|step| self.is_free(at + *step)).then_some((at + step, length))
        })
    }

    /// Returns the length of the shortest path to each position from the nearest of the positions `from`.
    pub(crate) fn dijkstra(&self, from: &[IVec2], eight: bool) -> Vec<Option<u64>> {
        let mut lengths = vec![None; self.is_free.len()];
        let mut heap = BinaryHeap::new();
        for from in from.iter().filter(|from| self.is_free(**from)) {
            lengths[self.index(*from).unwrap()] = Some(0);
            heap.push(Reverse((0, from.to_array())));
        }
        while let Some(Reverse((length, at))) = heap.pop() {
            if lengths[self.index(at.into()).unwrap()] != Some(length) {
                continue;
            }
            for (to, step) in self.steps(at.into(), eight) {
                let known = &mut lengths[self.index(to).unwrap()];
                if known.is_none_or(|known| length + step < known) {
                    *known = Some(length + step);
                    heap.push(Reverse((length + step, to.to_array())));
                }
            }
        }
        lengths
    }
}

/// True if a body overlaps a pixel along the guarded edge of a one-way cell.
fn touches_edge(terrain: &Terrain, body: Aabb) -> bool {
    Dir::ALL.into_iter().any(|side| {
        terrain.one_way(side).is_some_and(|cells| {
            cells.iter_solid().any(|cell| {
                let area = terrain.cell_box(cell.as_ivec2());
                let edge = match side {
                    Dir::Left => Aabb { max: area.max.with_x(area.min.x + 1), ..area },
                    Dir::Right => Aabb { min: area.min.with_x(area.max.x - 1), ..area },
                    Dir::Up => Aabb { max: area.max.with_y(area.min.y + 1), ..area },
                    Dir::Down => Aabb { min: area.min.with_y(area.max.y - 1), ..area },
                };
                edge.overlaps(body)
            })
        })
    })
}

fn straight(step: IVec2) -> Dir {
    Dir::ALL.into_iter().find(|dir| dir.vector() == step.signum()).unwrap()
}

/// Checks each leg of a path with `can_move`: a straight leg at once, and a diagonal leg pixel by pixel, both
/// x first and y first. Also checks the length of the path, its two ends, and that it turns at each point.
pub(crate) fn prove(terrain: &Terrain, body: UVec2, path: &Path, [from, to]: [IVec2; 2]) {
    let body = |at: IVec2| Aabb { min: at, max: at + body.as_ivec2() };
    assert_eq!((path.points[0], path.points[path.points.len() - 1]), (from, to));
    let mut length = 0;
    for leg in path.points.windows(2) {
        let (way, size) = (leg[1] - leg[0], (leg[1] - leg[0]).abs());
        let steps = size.max_element();
        if size.min_element() == 0 {
            assert!(terrain.can_move(body(leg[0]), straight(way), steps as u32), "{leg:?}");
            length += steps as u64 * PIXEL;
            continue;
        }
        assert_eq!(size.x, size.y, "{leg:?}");
        let (x, y) = (way.signum().with_y(0), way.signum().with_x(0));
        for at in (0..steps).map(|step| leg[0] + way.signum() * step) {
            for [one, other] in [[x, y], [y, x]] {
                assert!(terrain.can_move(body(at), straight(one), 1), "{leg:?}");
                assert!(terrain.can_move(body(at + one), straight(other), 1), "{leg:?}");
            }
        }
        length += steps as u64 * DIAGONAL;
    }
    assert_eq!(length, path.length);
    let turns = |three: &[IVec2]| (three[1] - three[0]).signum() != (three[2] - three[1]).signum();
    assert!(path.points.windows(3).all(turns), "{path:?}");
}
