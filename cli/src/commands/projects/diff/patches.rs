//! Joins patches of changed pixels that are near each other.

use std::cmp::Reverse;

use bitwall::Aabb;
use bitwall::analyze::ChangedPatch;

/// The distance in pixels below which a patch is joined to a larger one.
const NEAR: i32 = 8;

/// Joins each patch to a larger one that is less than [`NEAR`] from it. Both lists have the largest patch
/// first. O(n^2) for n patches.
pub(super) fn joined(patches: Vec<ChangedPatch>) -> Vec<ChangedPatch> {
    let mut joined: Vec<ChangedPatch> = Vec::new();
    for patch in patches {
        match joined.iter_mut().find(|larger| is_near(larger.area, patch.area)) {
            Some(larger) => {
                larger.area = larger.area.hull(patch.area);
                larger.added += patch.added;
                larger.removed += patch.removed;
            }
            None => joined.push(patch),
        }
    }
    joined.sort_by_key(|patch| {
        let pixels = patch.added + patch.removed;
        (Reverse(pixels), patch.area.min.y, patch.area.min.x)
    });
    joined
}

fn is_near(one: Aabb, other: Aabb) -> bool {
    Aabb { min: one.min - NEAR, max: one.max + NEAR }.overlaps(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::analyze::difference;
    use bitwall::glam::{IVec2, UVec2};
    use bitwall::{Grid, Level};

    #[test]
    fn a_patch_less_than_8_px_from_a_larger_one_is_joined_to_it() {
        let mut grid = Grid::new(200, 150).unwrap();
        let before = Level::from_grid(grid.clone(), UVec2::ONE).unwrap();
        for (x, y) in [(40, 40), (57, 40), (80, 40), (39, 57), (31, 31)] {
            grid.fill(x..x + 10, y..y + 10, true).unwrap();
        }
        grid.fill(41..45, 50..51, true).unwrap();
        let after = Level::from_grid(grid, UVec2::ONE).unwrap();
        let found = joined(difference(&before, &after, &[]).unwrap().patches);
        let found: Vec<(Aabb, u64)> = found.iter().map(|patch| (patch.area, patch.added)).collect();
        let first = Aabb { min: IVec2::splat(31), max: IVec2::new(67, 67) };
        // 13 px from the others.
        assert_eq!(found, [(first, 403), (Aabb::from_xywh(80, 40, 10, 10), 100)]);
    }
}
