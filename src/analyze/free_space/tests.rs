use glam::{IVec2, UVec2};

use super::{free_space, *};
use crate::analyze::tests::random_terrain;
use crate::{Grid, Level};

#[test]
fn a_position_is_free_if_the_box_overlaps_no_solid_there() {
    let mut random = fastrand::Rng::with_seed(17);
    for _ in 0..250 {
        let terrain = random_terrain(&mut random, &[1, 2, 7, 21, 63, 64, 65]);
        let body = UVec2::new(random.u32(1..12), random.u32(1..12));
        let (w, h) = (body.x as i32, body.y as i32);
        let free = free_space(&terrain, body).unwrap();
        let size = terrain.size().as_ivec2();
        let mut positions = vec![0; free.areas().len()];
        for y in -h - 2..size.y + 2 {
            for x in -w - 2..size.x + 2 {
                let kept = (-w..=size.x).contains(&x) && (-h..=size.y).contains(&y);
                let expected = kept && !terrain.overlaps(Aabb::from_xywh(x, y, w, h));
                let found = free.area_at(IVec2::new(x, y));
                assert_eq!(found.is_some(), expected, "{x} {y} {body} {terrain:?}");
                if let Some(area) = found {
                    positions[area] += 1;
                    assert!(free.areas()[area].area.contains(IVec2::new(x, y)));
                }
                let up = free.area_at(IVec2::new(x, y - 1));
                let left = free.area_at(IVec2::new(x - 1, y));
                for other in [up, left].into_iter().flatten() {
                    assert!(found.is_none_or(|found| found == other));
                }
            }
        }
        let counted: Vec<u64> = free.areas().iter().map(|area| area.size).collect();
        assert_eq!(counted, positions);
    }
}

#[test]
fn free_areas_agree_with_a_flood_by_steps_of_one_pixel() {
    let mut random = fastrand::Rng::with_seed(18);
    for _ in 0..60 {
        let terrain = random_terrain(&mut random, &[5, 9, 20]);
        let body = UVec2::new(random.u32(1..5), random.u32(1..5));
        let free = free_space(&terrain, body).unwrap();
        let level = Level::new(terrain);
        for (number, area) in free.areas().iter().enumerate() {
            let mut seen = std::collections::BTreeSet::new();
            let mut open = vec![area.first.to_array()];
            while let Some(at) = open.pop() {
                if free.area_at(at.into()).is_none() || !seen.insert(at) {
                    continue;
                }
                let here = Aabb::from_xywh(at[0], at[1], body.x as i32, body.y as i32);
                for dir in crate::Dir::ALL {
                    if level.can_move(here, dir, 1) {
                        open.push((IVec2::from(at) + dir.vector()).into());
                    }
                }
            }
            assert_eq!(seen.len() as u64, area.size);
            assert!(seen.iter().all(|at| free.area_at((*at).into()) == Some(number)));
        }
    }
}

#[test]
fn a_large_mask_and_a_level_of_huge_tiles_take_little_time() {
    let mut grid = Grid::new(4_096, 4_096).unwrap();
    for at in (0..4_096).step_by(64) {
        grid.fill(at..at + 9, 0..4_000, true).unwrap();
    }
    let mask = Terrain::new(grid.clone(), UVec2::ONE).unwrap();
    assert_eq!(free_space(&mask, UVec2::splat(50)).unwrap().areas().len(), 1);
    assert_eq!(free_space(&mask, UVec2::splat(100)).unwrap().areas().len(), 0);
    let tiles = Terrain::new(grid, UVec2::splat(4_096)).unwrap();
    let body = UVec2::splat(55 * 4_096);
    assert_eq!(free_space(&tiles, body).unwrap().areas().len(), 1);
}
