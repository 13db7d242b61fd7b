//! Finds specks and pinholes: groups of solid or passable pixels within a 2 x 2 square that touch no other
//! pixel of their kind, not even diagonally.

use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::Grid;

/// The largest number of reported specks or pinholes (isolated solid or passable pixels). More than these are
/// drawn on purpose, such as dithering, grass or stars.
pub(super) const MOST_SPECKS: usize = 24;

/// The number of pixels below which a picture is not searched for specks. In a smaller picture, a pixel may
/// stand for a whole tile.
pub(super) const LEAST_PIXELS: u64 = 64 * 64;

/// Finds the specks (`solid`) or pinholes that look like drawing mistakes. Returns the top left corner of the
/// 2 x 2 square around each, from top to bottom.
///
/// `drawn` holds the gray pixels that were drawn on purpose; `None` for a mask without them. Ignores these
/// specks and pinholes:
/// - with pixels of `drawn`
/// - in evenly spaced lines, such as nails and pegs
/// - in a corner of the picture, where a stripe may end
///
/// Empty for a picture of less than 4,096 pixels, if more than 24 are without pixels of `drawn`, and for a
/// picture with more parts than [`components`] finds, such as dithering.
pub(in crate::lint) fn slips(mask: &Grid, solid: bool, drawn: Option<&Grid>) -> Vec<UVec2> {
    let size = mask.size();
    if mask.cell_count() < LEAST_PIXELS {
        return Vec::new();
    }
    let mut found = alone(mask, solid);
    if let Some(drawn) = drawn {
        found.retain(|at| !square(*at).any(|at| drawn.is_solid(at.x, at.y)));
    }
    if found.len() > MOST_SPECKS {
        return Vec::new();
    }
    let mut shapes = Vec::new();
    for corner in &found {
        let group = group(mask, solid, *corner).map(|at| at - corner);
        shapes.push((corner.as_ivec2(), Vec::from_iter(group)));
    }
    let mut in_line = in_lines(&shapes).into_iter();
    found.retain(|corner| {
        let is_in_line = in_line.next().unwrap_or_default();
        !is_in_line && !is_cut(group(mask, solid, *corner), size)
    });
    found
}

/// Returns the numbers of specks and pinholes if they are noise: more than 24 of one kind, and of both kinds
/// in proportion to the passable and the solid pixels, up to a factor of four. What is drawn, such as stars
/// or grass, is of one kind. `None` for a picture of less than 4,096 pixels.
pub(in crate::lint) fn noise(mask: &Grid) -> Option<[usize; 2]> {
    let [specks, pinholes] = [true, false].map(|kind| alone(mask, kind).len());
    let [solid, all] = [mask.solid_count(), mask.cell_count()];
    let in_open = specks as u64 * solid;
    let in_walls = pinholes as u64 * (all - solid);
    let are_alike = in_open.min(in_walls) * 4 >= in_open.max(in_walls);
    let is_noise = specks.max(pinholes) > MOST_SPECKS && are_alike && all >= LEAST_PIXELS;
    is_noise.then_some([specks, pinholes])
}

/// Yields the pixels of the speck (`solid`) or pinhole in the 2 x 2 square at `corner`.
fn group(mask: &Grid, solid: bool, corner: UVec2) -> impl Iterator<Item = UVec2> {
    square(corner).filter(move |at| mask.get(at.x, at.y) == Some(solid))
}

/// Returns the top left corners of the groups of solid or of passable pixels that fit in a 2 x 2 square.
fn alone(mask: &Grid, solid: bool) -> Vec<UVec2> {
    let kind = if solid { CellKind::Solid } else { CellKind::Passable };
    let Ok(parts) = components(mask, kind, Connectivity::Eight) else {
        return Vec::new();
    };
    let small = parts.parts().iter().filter(|part| part.area.size().max_element() <= 2);
    small.map(|part| part.area.min.as_uvec2()).collect()
}

/// True if a speck, given by its pixels, touches two adjacent sides of a picture of the given size. It may
/// then be the end of a stripe that the picture cuts off.
fn is_cut(group: impl Iterator<Item = UVec2>, size: UVec2) -> bool {
    let mut touched = [false; 2];
    for at in group {
        touched[0] |= at.x == 0 || at.x + 1 == size.x;
        touched[1] |= at.y == 0 || at.y + 1 == size.y;
    }
    touched == [true; 2]
}

/// Returns for each speck or pinhole, given as position and shape, whether it belongs to a line.
///
/// A line is at least three evenly spaced specks of one shape in a row or column, or at least four in another
/// direction. If most specks of one shape belong to lines, all specks of this shape count as belonging to
/// one. None of 10,000 pictures of 300 x 200 pixels with 24 specks at random positions had a line. O(n^3) for
/// n specks.
pub(super) fn in_lines<T: PartialEq>(groups: &[(IVec2, T)]) -> Vec<bool> {
    let mut in_line = vec![false; groups.len()];
    for (index, (at, shape)) in groups.iter().enumerate() {
        // The argument `groups` is sorted from top to bottom, so a line of specks continues to the right or
        // downward.
        for (next, _) in groups.iter().skip(index + 1).filter(|(_, kind)| kind == shape) {
            let by = *next - *at;
            let line: Vec<usize> = (0..)
                .map_while(|step| {
                    let place = *at + by * step;
                    groups.iter().position(|(other, kind)| *other == place && kind == shape)
                })
                .collect();
            if line.len() >= if by.x == 0 || by.y == 0 { 3 } else { 4 } {
                line.iter().for_each(|index| in_line[*index] = true);
            }
        }
    }
    let mut is_of_lines = Vec::new();
    for (is_in_line, (_, shape)) in in_line.iter().zip(groups) {
        let of_shape = groups.iter().zip(&in_line).filter(|((_, kind), _)| kind == shape);
        let lined = of_shape.clone().filter(|(_, is_in_line)| **is_in_line).count();
        is_of_lines.push(*is_in_line || lined * 2 > of_shape.count());
    }
    is_of_lines
}

pub(in crate::lint) fn square(corner: UVec2) -> impl Iterator<Item = UVec2> {
    [UVec2::ZERO, UVec2::X, UVec2::Y, UVec2::ONE].into_iter().map(move |by| corner + by)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn drawn(size: UVec2, mut is_solid: impl FnMut(u32, u32) -> bool) -> Grid {
        let mut mask = Grid::new(size.x, size.y).unwrap();
        for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
            mask.set(x, y, is_solid(x, y)).unwrap();
        }
        mask
    }

    /// Finds the specks (`solid`) or pinholes of a mask, by a flood fill. Returns the left column and top row
    /// of each.
    fn naive(mask: &Grid, solid: bool) -> BTreeSet<(u32, u32)> {
        let size = mask.size();
        let is = |x: u32, y: u32| mask.get(x, y) == Some(solid);
        let mut seen = BTreeSet::new();
        let mut found = BTreeSet::new();
        for start in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
            let (mut open, mut group) = (vec![start], Vec::new());
            while let Some((x, y)) = open.pop() {
                if is(x, y) && seen.insert((x, y)) {
                    group.push((x, y));
                    for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                        open.push((x.wrapping_add_signed(dx), y.wrapping_add_signed(dy)));
                    }
                }
            }
            let (left, right) =
                (group.iter().map(|cell| cell.0).min(), group.iter().map(|cell| cell.0).max());
            let (top, bottom) =
                (group.iter().map(|cell| cell.1).min(), group.iter().map(|cell| cell.1).max());
            if let (Some(left), Some(right), Some(top), Some(bottom)) = (left, right, top, bottom)
                && right - left < 2
                && bottom - top < 2
            {
                found.insert((left, top));
            }
        }
        found
    }

    #[test]
    fn found_specks_and_pinholes_agree_with_a_flood_fill() {
        let mut random = fastrand::Rng::with_seed(3);
        let sides = [1, 2, 3, 62, 63, 64, 65, 66, 128, 129];
        let mut all = 0;
        for _ in 0..300 {
            let size = UVec2::new(sides[random.usize(0..10)], random.u32(1..12));
            let share = random.u32(1..99);
            let mask = drawn(size, |_, _| random.u32(0..100) < share);
            for solid in [false, true] {
                let found = alone(&mask, solid);
                let set: BTreeSet<(u32, u32)> = found.iter().map(|cell| (cell.x, cell.y)).collect();
                assert_eq!(set, naive(&mask, solid), "{size} {solid}");
                assert_eq!(set.len(), found.len(), "each once, from the top");
                assert!(found.is_sorted_by_key(|cell| (cell.y, cell.x)));
                all += found.len();
            }
        }
        assert!(all > 1_000, "{all}");
    }

    #[test]
    fn equal_groups_in_an_evenly_spaced_line_are_no_specks() {
        let lines = |places: &[(i32, i32, u8)]| {
            let groups: Vec<(IVec2, u8)> =
                places.iter().map(|(x, y, kind)| (IVec2::new(*x, *y), *kind)).collect();
            in_lines(&groups)
        };
        let (yes, no) = (true, false);
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 0), (24, 5, 0), (40, 5, 0)]), [yes; 4]);
        let few = [(10, 5, 0), (17, 5, 0), (24, 5, 0), (40, 5, 0), (50, 9, 0), (70, 19, 0)];
        assert_eq!(lines(&few), [yes, yes, yes, no, no, no], "half of them");
        assert_eq!(lines(&[(9, 5, 0), (9, 25, 0), (9, 45, 0)]), [yes; 3], "a column");
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 1), (24, 5, 0)]), [no; 3], "of two shapes");
        assert_eq!(lines(&[(10, 5, 0), (17, 5, 0), (25, 5, 0)]), [no; 3], "not even");
        assert_eq!(lines(&[(9, 5, 0), (6, 9, 0), (3, 13, 0)]), [no; 3], "three on a slope");
        assert_eq!(lines(&[(9, 5, 0), (6, 9, 0), (3, 13, 0), (0, 17, 0)]), [yes; 4]);
        assert!(lines(&[]).is_empty());
        let strewn = [(10, 5, 0), (17, 5, 0), (24, 5, 0), (90, 61, 0), (50, 80, 1)];
        assert_eq!(lines(&strewn), [yes, yes, yes, yes, no], "most of one shape");
    }

    #[test]
    fn the_end_of_a_stripe_in_a_corner_is_no_speck() {
        let size = UVec2::new(97, 64);
        for shift in 0..12 {
            for (width, period) in [(1, 4), (2, 5), (3, 12), (6, 12)] {
                let falling = drawn(size, |x, y| (x + y + shift) % period < width);
                let rising = drawn(size, |x, y| (x + 120 - y + shift) % period < width);
                for solid in [true, false] {
                    assert!(slips(&falling, solid, None).is_empty(), "{shift} {width} {solid}");
                    assert!(slips(&rising, solid, None).is_empty(), "{shift} {width} {solid}");
                }
            }
        }
        let specks = [(40, 0), (96, 30), (1, 1)];
        let edge = drawn(size, |x, y| specks.contains(&(x, y)));
        assert_eq!(slips(&edge, true, None).len(), 3, "a side alone cuts none off");
    }

    /// Verifies the number in the docs of [`in_lines`]: none of 10,000 random pictures has a line.
    #[test]
    fn specks_at_random_positions_are_not_in_a_line() {
        let mut random = fastrand::Rng::with_seed(11);
        let mut hits = 0;
        for _ in 0..10_000 {
            let place = |_| (IVec2::new(random.i32(0..300), random.i32(0..200)), ());
            let mut groups: Vec<_> = (0..24).map(place).collect();
            groups.sort_by_key(|(at, ())| (at.y, at.x));
            groups.dedup();
            hits += u32::from(in_lines(&groups).contains(&true));
        }
        assert_eq!(hits, 0);
    }
}
