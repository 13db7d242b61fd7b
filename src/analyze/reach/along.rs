//! The last place on a way that a body can reach.
//!
//! By the nodes that a way crosses, not by its pixels. No speeds, no solids.

use std::ops::Range;

use glam::IVec2;

use super::graph::{Graph, shared};

/// The first position of a way after the last one that is reached. `corners` are those of the way; it counts
/// as reached where the way moved by one of `shifts` is. `rows_of` gives the rows of a node that are reached.
/// `None` if no position is. O(nodes beside the unreached end of the way), for each shift.
pub(super) fn first_out(
    graph: &Graph,
    corners: &[IVec2],
    shifts: &[IVec2],
    rows_of: impl Fn(u32) -> Range<i32>,
) -> Option<IVec2> {
    for pair in corners.windows(2).rev() {
        let [from, to] = *pair else { continue };
        let last = |shift: &IVec2| last_on_line(graph, from + *shift, to + *shift, &rows_of);
        if let Some(far) = shifts.iter().filter_map(last).max() {
            let toward = (to - from).signum();
            let length = (to - from).abs().max_element();
            return Some(from + toward * (far + 1).min(length));
        }
    }
    None
}

/// The distance from `from` of the last position on the line to `to` that is reached.
fn last_on_line(
    graph: &Graph,
    from: IVec2,
    to: IVec2,
    rows_of: &impl Fn(u32) -> Range<i32>,
) -> Option<i32> {
    let (min, max, toward) = (from.min(to), from.max(to), (to - from).signum());
    let (columns, rows) = (min.x..max.x + 1, min.y..max.y + 1);
    let nodes = graph.nodes_in(columns.clone(), rows.clone());
    let reached = nodes.filter_map(|node| {
        let columns = shared(&graph.columns(node), &columns);
        let rows = shared(&rows_of(node), &rows);
        let first = IVec2::new(columns.start, rows.start);
        let last = IVec2::new(columns.end - 1, rows.end - 1);
        let is_some = !columns.is_empty() && !rows.is_empty();
        let far = (first - from).dot(toward).max((last - from).dot(toward));
        is_some.then_some(far)
    });
    reached.max()
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::*;
    use crate::analyze::free_space::free_space;
    use crate::analyze::tests::random_terrain;

    #[test]
    fn the_first_place_out_of_reach_is_that_of_a_walk_pixel_by_pixel() {
        let mut random = fastrand::Rng::with_seed(41);
        let mut found = 0;
        for _ in 0..400 {
            let terrain = random_terrain(&mut random, &[9, 20, 64, 65]);
            let body = UVec2::new(random.u32(1..6), random.u32(1..6));
            let free = free_space(&terrain, body).unwrap();
            let graph = Graph::new(&terrain, &free, &[], &[], false).unwrap();
            let is_reached: Vec<bool> = (0..graph.len()).map(|_| random.u8(0..3) == 0).collect();
            // Of a node that is reached, the lower half is.
            let rows_of = |node: u32| {
                let rows = graph.rows(node);
                let middle = rows.start + (rows.end - rows.start) / 2;
                if is_reached[node as usize] { middle..rows.end } else { rows.end..rows.end }
            };
            let mut at = IVec2::new(random.i32(-3..20), random.i32(-3..20));
            let mut corners = vec![at];
            for turn in 0..random.usize(1..7) {
                let far = random.i32(-20..20);
                at += if turn % 2 == 0 { IVec2::X * far } else { IVec2::Y * far };
                corners.push(at);
            }
            corners.dedup();
            let shifts = [IVec2::ZERO, IVec2::new(-1, -2)];
            let is_in = |at: IVec2| {
                shifts.iter().any(|shift| {
                    let at = at + *shift;
                    graph.node_at(at).is_some_and(|node| rows_of(node).contains(&at.y))
                })
            };
            let mut walk = vec![corners[0]];
            for pair in corners.windows(2) {
                let way = pair[1] - pair[0];
                let steps = 1..=way.abs().max_element();
                walk.extend(steps.map(|far| pair[0] + way.signum() * far));
            }
            let last = walk.iter().rposition(|at| is_in(*at));
            let expected = last.map(|last| walk[(last + 1).min(walk.len() - 1)]);
            let expected = expected.filter(|_| corners.len() > 1);
            assert_eq!(first_out(&graph, &corners, &shifts, rows_of), expected, "{corners:?}");
            found += usize::from(expected.is_some());
        }
        assert!(found > 100, "{found}");
    }
}
