//! Answers of levels made in code: queries for boxes, footprints, rays and the nearest solid; ways, fields,
//! sight and undo.

use bitwall::footprint::Footprint;
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::terrain::Collider;
use bitwall::{Aabb, Grid, Level};

use super::Answers;
use super::random::Random;

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(1);
    let footprints = footprints(&mut random);
    for _ in 0..48 {
        let level = random.level();
        queries(answers, &mut random, &level, 2_500);
        let size = level.size().as_ivec2();
        for _ in 0..800 {
            let footprint = &footprints[random.within(0, footprints.len() as i64) as usize];
            let at = random.point(IVec2::splat(-60), size + 20);
            moves(answers, &mut random, &level, footprint.at(at), "moves of footprints");
        }
        bits(answers, level.grid());
        ways(answers, &mut random, &level);
        undo(answers, &mut random, level);
    }
    for _ in 0..4_000 {
        let one = &footprints[random.within(0, footprints.len() as i64) as usize];
        let other = &footprints[random.within(0, footprints.len() as i64) as usize];
        let offset = random.point(IVec2::splat(-50), IVec2::splat(50));
        let area = one.overlap_area(other, offset);
        let first = (one.first_overlap(other, offset), one.overlap_normal(other, offset));
        answers.add("pairs of footprints", (area, first));
    }
}

/// Adds answers of one level about boxes and points in it and around it.
pub(super) fn queries(answers: &mut Answers, random: &mut Random, level: &Level, count: usize) {
    let size = level.size().as_ivec2();
    for _ in 0..count {
        let body = random.body(size);
        moves(answers, random, level, body, "moves of boxes");
        let (from, to) = (random.point(IVec2::splat(-30), size + 30), random.body(size).max);
        let corners = [Corners::Block, Corners::Pass][random.within(0, 2) as usize];
        answers.add("rays", level.ray(from, to, corners));
        answers.add("rays", level.line_of_sight(to, from, corners));
        let radius = random.within(0, 40) as u32;
        answers.add("nearest solids", level.nearest_solid(from, radius));
        answers.add("cells", (level.is_solid(from), (level.cell_at(to), level.is_solid(to))));
    }
}

/// Adds answers about ways and fields through one level, and about what can be seen in it.
fn ways(answers: &mut Answers, random: &mut Random, level: &Level) {
    let size = level.size().as_ivec2();
    let body = UVec2::new(random.within(1, 20) as u32, random.within(1, 20) as u32);
    let ways = level.ways(body).expect("a small level");
    let goals = [(); 3].map(|()| random.point(IVec2::ZERO, size));
    let mud = Aabb { min: goals[0], max: goals[0] + 30 };
    let fields = [
        ways.field(&goals),
        ways.field_within(&goals, random.within(1, 300) as u32),
        ways.field_with_costs(&goals, &[(mud, 4)]),
    ];
    let mut search = Search::default();
    for _ in 0..100 {
        let from = random.point(IVec2::splat(-20), size);
        let to = random.point(IVec2::splat(-20), size);
        for field in &fields {
            answers.add("fields", (field.distance(from), field.step(from)));
        }
        let path = ways.path_toward(from, to, &mut search);
        answers.add("ways", path.as_ref().map(|path| path.length));
        answers.add("ways", ways.nearest_reachable(from, to));
        answers.add("ways", path.and_then(|path| ways.refuge(from, &path, body)));
    }
    let cells = level.grid().size().as_ivec2();
    for _ in 0..4 {
        let from = random.point(IVec2::ZERO, cells);
        bits(answers, &level.grid().field_of_view(from, random.within(0, 60) as u32));
    }
}

/// Adds the checksums of a level after edits, and after they are undone.
fn undo(answers: &mut Answers, random: &mut Random, mut level: Level) {
    let size = level.size().as_ivec2();
    let mut patches = Vec::new();
    for _ in 0..6 {
        let corner = random.point(IVec2::splat(-20), size);
        let hole = Aabb::from_xywh(corner.x, corner.y, random.int(1, 90), random.int(1, 90));
        patches.push(level.patch(hole));
        answers.add("checksums", (level.carve(&hole, IVec2::ZERO), level.checksum()));
    }
    for patch in patches.iter().rev() {
        let changed = level.apply(patch).expect("edits undone in the reverse order");
        answers.add("checksums", (changed, level.checksum()));
    }
}

/// Adds answers about the motion of one body.
fn moves(
    answers: &mut Answers,
    random: &mut Random,
    level: &Level,
    body: impl Collider,
    kind: &'static str,
) {
    let (dir, step) = (random.dir(), random.distance());
    let limit = random.within(0, 100) as u32;
    answers.add(kind, level.can_move(body, dir, step));
    answers.add(kind, level.can_move(body, dir.opposite(), limit));
    answers.add(kind, level.sweep(body, dir, step));
    answers.add(kind, level.sweep_through_one_way(body, dir.opposite(), step));
    answers.add(kind, level.nearest_free(body, dir, limit));
    answers.add("overlaps", (level.overlaps(body), level.first_overlap(body)));
    answers.add("overlaps", (level.solid_area(body), level.solid_share(body)));
    answers.add("overlaps", level.overlap_normal(body));
}

/// Adds the cells of a grid.
pub(super) fn bits(answers: &mut Answers, grid: &Grid) {
    answers.add("grids", (grid.size(), grid.solid_count()));
    let turned = grid.transposed();
    for grid in [grid, &turned] {
        let bits = grid.to_bits().expect("a grid that is not huge");
        answers.add("grids", bits.as_raw_slice());
        let again = Grid::from_bits(grid.width(), grid.height(), &bits);
        answers.add("grids", again.as_ref() == Ok(grid));
    }
}

fn footprints(random: &mut Random) -> Vec<Footprint> {
    let mut footprints = vec![
        Footprint::circle(13).expect("a side in range"),
        Footprint::circle(70).expect("a side in range"),
        Footprint::capsule(UVec2::new(9, 31)).expect("sides in range"),
        Footprint::rectangle(UVec2::new(65, 3)).expect("sides in range"),
    ];
    for _ in 0..6 {
        let size = UVec2::new(random.within(1, 90) as u32, random.within(1, 40) as u32);
        let mut grid = Grid::new(size.x, size.y).expect("a small size");
        grid.set(size.x / 2, size.y / 2, true).expect("a grid that is not sparse");
        for _ in 0..size.element_product() / 2 {
            let cell = UVec2::new(random.bits() as u32 % size.x, random.bits() as u32 % size.y);
            grid.set(cell.x, cell.y, true).expect("a grid that is not sparse");
        }
        let footprint = Footprint::from_grid(&grid).expect("a grid with a solid cell");
        footprints.push(footprint.flipped(true, false).turned());
        footprints.push(footprint);
    }
    footprints
}
