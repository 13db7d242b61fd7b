//! Where the name of an area stands: in the middle of its largest part in the picture. Nothing is drawn here.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::DVec2;

use super::canvas::Canvas;
use crate::geometry::{Aabb, saturated};
use crate::sweep::Terrain;

/// The largest number of blocks along a side of the picture.
const MOST_BLOCKS: u32 = 192;

/// The smallest side of a block, in pixels of the picture.
const SMALLEST_BLOCK: u32 = 8;

/// The samples along a side of a block.
const SAMPLES: u32 = 3;

/// A place in the middle of the largest part of an area: a connected one of blocks, of which a few pixels are
/// looked at. If none of those is in the area, the place of one of its cells. `None` for an area that is not
/// in the picture. O(1) for a given size of the picture.
pub(super) fn place(canvas: &Canvas<'_>, area: &Terrain) -> Option<Rectangle> {
    let frame = canvas.size();
    let side = (frame.x.max(frame.y).div_ceil(MOST_BLOCKS)).max(SMALLEST_BLOCK);
    let (columns, rows) = (frame.x.div_ceil(side) as usize, frame.y.div_ceil(side) as usize);
    let mut weights = vec![0_u32; columns * rows];
    for (index, weight) in weights.iter_mut().enumerate() {
        let (column, row) = ((index % columns) as u32, (index / columns) as u32);
        for sample in 0..SAMPLES * SAMPLES {
            let inside = |block: u32, place: u32, end: u32| {
                (block * side + (2 * place + 1) * side / (2 * SAMPLES)).min(end - 1)
            };
            let x = inside(column, sample % SAMPLES, frame.x);
            let y = inside(row, sample / SAMPLES, frame.y);
            let at = canvas.level_at(DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)).floor();
            let pixel = glam::IVec2::new(saturated(at.x as i64), saturated(at.y as i64));
            *weight += u32::from(area.is_solid(pixel));
        }
    }
    let Some(block) = middle_of_largest(&weights, columns) else {
        return any_cell(canvas, area);
    };
    let corner = Point::new((block % columns) as i32, (block / columns) as i32) * side as i32;
    Some(Rectangle::new(corner, Size::new_equal(side)))
}

/// The block nearest to the middle of the heaviest connected part; `None` if all blocks weigh nothing.
fn middle_of_largest(weights: &[u32], columns: usize) -> Option<usize> {
    let mut seen = vec![false; weights.len()];
    let mut largest: (u32, Vec<usize>) = (0, Vec::new());
    for start in 0..weights.len() {
        if weights[start] == 0 || seen[start] {
            continue;
        }
        let (mut part, mut weight, mut next) = (vec![start], 0, 0);
        seen[start] = true;
        while let Some(block) = part.get(next).copied() {
            next += 1;
            weight += weights[block];
            let column = block % columns;
            let beside = [
                (column > 0).then(|| block - 1),
                (column + 1 < columns).then(|| block + 1),
                block.checked_sub(columns),
                Some(block + columns).filter(|below| *below < weights.len()),
            ];
            for other in beside.into_iter().flatten() {
                if weights[other] > 0 && !seen[other] {
                    seen[other] = true;
                    part.push(other);
                }
            }
        }
        if weight > largest.0 {
            largest = (weight, part);
        }
    }
    let (_, part) = largest;
    let count = part.len().max(1);
    let middle_x = part.iter().map(|block| block % columns).sum::<usize>() / count;
    let middle_y = part.iter().map(|block| block / columns).sum::<usize>() / count;
    let distance = |block: usize| {
        let (x, y) = (block % columns, block / columns);
        x.abs_diff(middle_x).pow(2) + y.abs_diff(middle_y).pow(2)
    };
    part.into_iter().min_by_key(|block| distance(*block))
}

/// The place of the first cell of an area that is in the picture.
fn any_cell(canvas: &Canvas<'_>, area: &Terrain) -> Option<Rectangle> {
    let cells = area.grid().iter_solid().take(MOST_BLOCKS as usize * MOST_BLOCKS as usize);
    let mut boxes = cells.map(|cell| -> Aabb { area.cell_area(cell.as_ivec2()) });
    boxes.find_map(|cell| canvas.place(cell).map(|place| canvas.seen(place)))
}

#[cfg(test)]
mod tests {
    use super::middle_of_largest;

    #[test]
    fn the_name_of_a_ring_stands_on_the_ring_and_that_of_two_parts_on_the_larger() {
        let ring = [1, 1, 1, 1, 0, 1, 1, 1, 1];
        assert_eq!(middle_of_largest(&ring, 3), Some(1));
        let parts = [9, 0, 1, 1, 0, 0, 0, 9, 9];
        assert_eq!(middle_of_largest(&parts, 3), Some(7));
        assert_eq!(middle_of_largest(&[0; 9], 3), None);
    }
}
