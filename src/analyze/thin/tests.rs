use super::*;
use crate::analyze::free_space::free_space;
use crate::analyze::tests::random_terrain;
use crate::{Dir, Grid, Level};

/// The solids between neighbouring runs, row by row, put together piece by piece: the most that each is
/// thick, its columns and its rows.
fn naive_in_x(terrain: &Terrain, body: UVec2, step: u32) -> Vec<Solid> {
    let free = free_space(terrain, body).unwrap();
    let mut rows = std::collections::BTreeMap::<(i32, i32), Vec<i32>>::new();
    for band in &free.bands.bands {
        for (pair, y) in free
            .bands
            .runs_of(band)
            .windows(2)
            .flat_map(|pair| band.rows.clone().map(move |y| (pair, y)))
        {
            let columns = (pair[0].end - 1 + body.x as i32, pair[1].start);
            if pair[1].start - pair[0].end < step as i32 {
                rows.entry(columns).or_default().push(y);
            }
        }
    }
    let mut solids = Vec::<Vec<Solid>>::new();
    for ((start, end), rows) in rows {
        for together in rows.chunk_by(|one, next| next - one == 1) {
            let (columns, rows) = (start..end, together[0]..together[together.len() - 1] + 1);
            let touches = |(_, it, other): &Solid| {
                let is_next = other.end == rows.start || rows.end == other.start;
                is_next && it.start <= end && start <= it.end
            };
            let (joined, mut rest): (Vec<_>, Vec<_>) =
                solids.into_iter().partition(|solid| solid.iter().any(touches));
            let piece = (columns.len(), columns, rows);
            rest.push(joined.into_iter().flatten().chain([piece]).collect());
            solids = rest;
        }
    }
    solids.into_iter().filter_map(|pieces| pieces.into_iter().reduce(together)).collect()
}

type Solid = (usize, Range<i32>, Range<i32>);

fn together(one: Solid, other: Solid) -> Solid {
    let hull = |a: Range<i32>, b: Range<i32>| a.start.min(b.start)..a.end.max(b.end);
    (one.0.max(other.0), hull(one.1, other.1), hull(one.2, other.2))
}

#[test]
fn thin_solids_are_those_of_each_row_put_together() {
    let mut random = fastrand::Rng::with_seed(63);
    let mut found = 0;
    for _ in 0..300 {
        let terrain = random_terrain(&mut random, &[5, 20, 63, 64, 65]);
        let body = UVec2::new(random.u32(1..5), random.u32(1..5));
        let step = body.x + random.u32(1..9);
        let pieces = solids_in_x(&free_space(&terrain, body).unwrap(), step);
        let solids = pieces.chunk_by(|(one, _), (other, _)| one == other);
        let measured =
            |(_, it): &(u32, Piece)| (it.thickness(), it.columns.clone(), it.rows.clone());
        let mut solids: Vec<Solid> =
            solids.filter_map(|solid| solid.iter().map(measured).reduce(together)).collect();
        let mut expected = naive_in_x(&terrain, body, step);
        let order = |(most, columns, rows): &Solid| {
            (*most, columns.start, columns.end, rows.start, rows.end)
        };
        expected.sort_by_key(order);
        solids.sort_by_key(order);
        assert_eq!(solids, expected, "{body} {step} {terrain:?}");
        let walls = skipped_solids(&terrain, body, step).unwrap();
        assert!(walls.is_sorted_by_key(|wall| wall.thickness));
        assert!(walls.iter().filter(|wall| wall.axis == Axis::X).count() <= solids.len());
        found += solids.len();
    }
    assert!(found > 100, "{found}");
}

/// The walls that a body skips sideways in a level of these solid pixels in a closed room.
fn walls_of(
    size: UVec2,
    body: u32,
    step: u32,
    is_solid: impl Fn(u32, u32) -> bool,
) -> Vec<(u32, Aabb)> {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
        grid.set(x, y, is_solid(x, y)).unwrap();
    }
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap().with_outside(crate::Outside::Solid);
    let walls = skipped_solids(&terrain, UVec2::splat(body), step).unwrap();
    let turned = transposed(&terrain).unwrap();
    let down = skipped_solids(&turned, UVec2::splat(body), step).unwrap();
    let of = |walls: &[ThinSolid], axis| -> Vec<(u32, Aabb)> {
        let walls = walls.iter().filter(|wall| wall.axis == axis);
        walls.map(|wall| (wall.thickness, wall.area)).collect()
    };
    let turned = |(thickness, area): (u32, Aabb)| {
        (thickness, Aabb { min: area.min.yx(), max: area.max.yx() })
    };
    let mut in_y: Vec<_> = of(&down, Axis::Y).into_iter().map(turned).collect();
    let mut in_x = of(&walls, Axis::X);
    in_x.sort_by_key(|(_, area)| (area.min.x, area.min.y));
    in_y.sort_by_key(|(_, area)| (area.min.x, area.min.y));
    assert_eq!(in_x, in_y, "a floor of a shaft is as a wall of a corridor");
    in_x
}

#[test]
fn a_wall_across_a_passage_is_one_however_low_the_passage_is() {
    for height in [14, 16, 20, 24, 50] {
        let is_solid = |x, y| !(40..40 + height).contains(&y) || x == 100 || x == 101;
        let wall = Aabb::from_xywh(100, 40, 2, height as i32);
        let walls = walls_of(UVec2::new(200, 100), 14, 24, is_solid);
        assert_eq!(walls, [(2, wall)], "{height}");
    }
    // A low door between places that are connected elsewhere; and a post beside which the body has room.
    let loops = |x, y| {
        let is_corridor = (20..36).contains(&y) || (60..76).contains(&y);
        let is_shaft = (y > 20 && y < 76) && (!(20..180).contains(&x));
        !(is_corridor || is_shaft) || (x == 100 || x == 101) && y < 40
    };
    assert_eq!(walls_of(UVec2::new(200, 100), 14, 24, loops), []);
    let post = |x, y| !(40..90).contains(&y) || (x == 100 || x == 101) && y >= 80;
    assert_eq!(walls_of(UVec2::new(200, 100), 14, 24, post), []);
    // The body has no room beyond the wall.
    let nook = |x, y| !(40..56).contains(&y) || !(20..116).contains(&x) || x == 100 || x == 101;
    assert_eq!(walls_of(UVec2::new(200, 100), 14, 24, nook), []);
}

#[test]
fn a_wall_is_judged_by_its_thin_part() {
    let footed = |foot: u32| {
        move |x: u32, y: u32| {
            let is_foot = (96..99).contains(&y) && (92..92 + foot).contains(&x);
            (60..99).contains(&y) && (x == 100 || x == 101) || is_foot || y >= 99
        }
    };
    let wall = |bottom| (2, Aabb::from_xywh(100, 60, 2, bottom - 60));
    assert_eq!(walls_of(UVec2::new(200, 100), 4, 24, footed(18)), [wall(96)]);
    assert_eq!(walls_of(UVec2::new(200, 100), 4, 24, footed(0)), [wall(99)]);
}

#[test]
fn a_slanted_wall_is_one_solid_and_the_tip_of_a_slope_is_no_wall() {
    let mut grid = Grid::new(100, 40).unwrap();
    for y in 0..30 {
        grid.fill(10 + y..12 + y, y + 5..y + 6, true).unwrap();
        grid.fill(70 - y / 2..71 + y / 2, y + 5..y + 6, true).unwrap();
    }
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
    let solids = skipped_solids(&terrain, UVec2::ONE, 10).unwrap();
    let in_x = solids.into_iter().filter(|solid| solid.axis == Axis::X);
    let in_x: Vec<_> = in_x.map(|solid| (solid.thickness, solid.area)).collect();
    assert_eq!(in_x, [(2, Aabb::from_xywh(10, 5, 31, 30))]);
}

#[test]
fn of_too_many_the_thinnest_are_kept_wherever_they_are() {
    // Bars that are 2 px thick, more posts than are kept, and at the bottom a bar of 1 px.
    let mut grid = Grid::new(1_600, 300).unwrap();
    for (x, y) in (2..1_580).step_by(8).flat_map(|x| (0..280).step_by(8).map(move |y| (x, y))) {
        grid.fill(x..x + 2, y..y + 6, true).unwrap();
        grid.set(x + 4, y, true).unwrap();
    }
    grid.fill(400..401, 290..296, true).unwrap();
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
    let solids = skipped_solids(&terrain, UVec2::ONE, 6).unwrap();
    assert_eq!(solids.len(), MAX_SOLIDS);
    let first = ThinSolid { axis: Axis::X, thickness: 1, area: Aabb::from_xywh(400, 290, 1, 6) };
    assert_eq!(solids[0], first);
}

/// Rows of pixels, none of which touches one of the next row.
#[test]
fn many_thin_solids_in_many_rows_take_time_in_proportion_to_their_number() {
    let mut grid = Grid::new(4_096, 1_024).unwrap();
    for y in 0..1_024 {
        for x in (y % 2 * 2..4_090).step_by(4) {
            grid.set(x, y, true).unwrap();
        }
    }
    let terrain = Terrain::new(grid, UVec2::ONE).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(skipped_solids(&terrain, UVec2::ONE, 3).unwrap(), []);
    assert!(start.elapsed().as_secs() < 20, "a million runs took {:?}", start.elapsed());
}

/// A solid is skipped where a step from a free position ends at a free one, and the way is not free.
#[test]
fn a_solid_is_skipped_where_some_step_ends_beyond_it() {
    let mut random = fastrand::Rng::with_seed(62);
    let mut skipped = 0;
    for _ in 0..400 {
        let terrain = random_terrain(&mut random, &[5, 9, 20]);
        let body = UVec2::new(random.u32(1..5), random.u32(1..5));
        let step = random.u32(1..10);
        let thin = |terrain: &Terrain, body: UVec2| {
            let solids = solids_in_x(&free_space(terrain, body).unwrap(), step);
            solids.iter().filter(|_| step > body.x).count()
        };
        let turned = transposed(&terrain).unwrap();
        let solids = [thin(&terrain, body), thin(&turned, body.yx())];
        let level = Level::new(terrain);
        let size = level.size().as_ivec2();
        for (found, dir) in solids.into_iter().zip([Dir::Right, Dir::Down]) {
            let mut expected = false;
            for (x, y) in (-5..=size.y).flat_map(|y| (-5..=size.x).map(move |x| (x, y))) {
                let here = Aabb::from_xywh(x, y, body.x as i32, body.y as i32);
                let is_skip = |step| {
                    let there = here.shifted(dir, step);
                    let kept = there.min.x <= size.x && there.min.y <= size.y;
                    kept && !level.overlaps(there) && !level.can_move(here, dir, step)
                };
                let kept = x >= -(body.x as i32) && y >= -(body.y as i32);
                expected |= kept && !level.overlaps(here) && (1..=step).any(is_skip);
            }
            assert_eq!(found > 0, expected, "{dir:?} {body} {step} {level:?}");
            skipped += found;
        }
    }
    assert!(skipped > 50, "{skipped}");
}
