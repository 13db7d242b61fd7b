use glam::{IVec2, UVec2};

use super::{Island, islands};
use crate::analyze::{CellKind, Connectivity, components};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::{Grid, GridBuilder};
use crate::terrain::Terrain;

/// Finds the islands in another way: the connected parts of at most `limit` cells that have a cell in or
/// beside the box `near`, and that touch no side with a solid outside.
fn by_components(terrain: &Terrain, near: Aabb, by: Connectivity, limit: u64) -> Vec<Vec<UVec2>> {
    let parts = components(terrain.grid(), CellKind::Solid, by).unwrap();
    let size = terrain.grid().size();
    let cells = |part| -> Vec<UVec2> {
        let runs = parts.runs().filter(|run| run.2 == part);
        runs.flat_map(|(y, xs, _)| xs.map(move |x| UVec2::new(x, y))).collect()
    };
    let is_near = |cell: &UVec2| {
        let cell = cell.as_ivec2();
        (-1..=1).any(|y| (-1..=1).any(|x| terrain.cell_box(cell + IVec2::new(x, y)).overlaps(near)))
    };
    let is_held = |cell: &UVec2| {
        let at = [(cell.x == 0, Dir::Left), (cell.x + 1 == size.x, Dir::Right)];
        let at = at.into_iter().chain([(cell.y == 0, Dir::Up), (cell.y + 1 == size.y, Dir::Down)]);
        at.into_iter().any(|(is, side)| is && terrain.outside().get(side) == Outside::Solid)
    };
    let parts = (0..parts.parts().len()).map(cells);
    let is_loose = |part: &Vec<UVec2>| {
        part.len() as u64 <= limit && part.iter().any(is_near) && !part.iter().any(is_held)
    };
    parts.filter(is_loose).collect()
}

fn cells(island: &Island) -> Vec<UVec2> {
    island.runs().flat_map(|(y, xs)| xs.map(move |x| UVec2::new(x, y))).collect()
}

#[test]
fn islands_are_small_components_that_touch_no_solid_side() {
    let mut random = fastrand::Rng::with_seed(77);
    let (mut found, mut held) = (0, 0);
    for _ in 0..3_000 {
        let (width, height) = (random.u32(1..90), random.u32(1..30));
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..random.u32(0..width * height) {
            let (x, y) = (random.u32(0..width), random.u32(0..height));
            grid.fill(x..x + random.u32(1..4), y..y + 1, true).unwrap();
        }
        let mut side = || if random.bool() { Outside::Solid } else { Outside::Open };
        let outside = Sides { left: side(), right: side(), up: side(), down: side() };
        let cell_size = UVec2::new(random.u32(1..4), random.u32(1..4));
        let terrain = Terrain::new(grid, cell_size).unwrap().with_outside(outside);
        let (x, y) = (random.i32(-9..200), random.i32(-9..80));
        let near = Aabb::from_xywh(x, y, random.i32(0..60), random.i32(0..40));
        let limit = if random.bool() { random.u64(0..30) } else { u64::MAX };
        for by in [Connectivity::Four, Connectivity::Eight] {
            let expected = by_components(&terrain, near, by, limit);
            let expected = if near.is_empty() { Vec::new() } else { expected };
            let loose = islands(&terrain, near, by, limit);
            assert_eq!(loose.iter().map(cells).collect::<Vec<_>>(), expected);
            for island in &loose {
                let all = cells(island);
                assert_eq!(island.cell_count(), all.len() as u64);
                let boxes = all.iter().map(|cell| terrain.cell_box(cell.as_ivec2()));
                assert_eq!(Some(island.bounds()), boxes.reduce(Aabb::hull));
                let mut without = terrain.clone();
                let changed = without.carve(island, IVec2::ZERO);
                assert_eq!(changed, Some(island.bounds()));
                let left = terrain.grid().solid_count() - without.grid().solid_count();
                assert_eq!(left, island.cell_count());
                let body = island.footprint().unwrap();
                let pixels = island.cell_count() * u64::from(cell_size.x * cell_size.y);
                assert_eq!(body.pixel_count(), pixels);
                let place = body.at(island.bounds().min);
                assert_eq!((terrain.solid_area(place), without.solid_area(place)), (pixels, 0));
                without.paint(&body, island.bounds().min).unwrap();
                assert_eq!(without.grid(), terrain.grid());
                found += 1;
            }
            held += usize::from(loose.is_empty());
        }
    }
    assert!(found > 1_000 && held > 1_000, "{found} {held}");
}

#[test]
fn a_flood_stops_at_its_limit_in_a_level_of_any_size() {
    let mut builder = GridBuilder::new(1 << 24, 1 << 24).unwrap();
    builder.fill(0..1 << 21, 500..501).unwrap();
    builder.fill(1_000..1_020, 490..495).unwrap();
    let terrain = Terrain::new(builder.finish(), UVec2::ONE).unwrap();
    let terrain = terrain.with_outside(Outside::Open);
    let near = Aabb::from_xywh(990, 495, 40, 5);
    let loose = islands(&terrain, near, Connectivity::Four, 1_000);
    assert_eq!(loose.iter().map(Island::cell_count).collect::<Vec<_>>(), [100]);
    let both = islands(&terrain, near, Connectivity::Four, 1 << 30);
    assert_eq!(both.iter().map(Island::cell_count).collect::<Vec<_>>(), [100, 1 << 21]);
    assert!(both[1].footprint().is_err(), "it is too wide for a body");
    for near in
        [Aabb { min: IVec2::MIN, max: IVec2::MIN + 9 }, Aabb::from_xywh(i32::MAX - 9, 0, 9, 9)]
    {
        assert_eq!(islands(&terrain, near, Connectivity::Eight, u64::MAX), []);
    }
}
