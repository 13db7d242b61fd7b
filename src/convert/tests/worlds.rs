//! Tests of worlds: the level of several maps equals the levels of the single maps, pixel for pixel.

use super::*;

fn placed(map: &Map, position: [i32; 2], file: &str) -> InputMap {
    input(map, position, Some(file))
}

fn walls(cell: [u32; 2], rows: &[&str]) -> Map {
    let cells: Vec<u32> = rows.concat().bytes().map(|byte| u32::from(byte == b'#')).collect();
    let width = rows[0].len() as u32;
    let layer = tile_layer("Walls", width, &cells);
    map([width, rows.len() as u32], tileset(cell, []), vec![layer])
}

#[test]
fn maps_aligned_to_one_grid_keep_cells_of_tile_size() {
    let mut left = walls([4, 2], &["#.", ".#"]);
    left.layers.push(object_layer("Places", vec![rectangle([1, 2, 3, 4])]));
    let right = walls([4, 2], &["###"]);
    let maps = [placed(&left, [-8, 4], "a.tmx"), placed(&right, [4, 0], "b.tmx")];
    let built = build_all(&maps, &options()).unwrap();
    let level = &built.level;
    assert_eq!(level.cell_size(), UVec2::new(4, 2));
    assert_eq!(level.grid().to_string(), "...###\n......\n#.....\n.#....");
    assert_eq!(level.markers()[0].area, Aabb::from_xywh(1, 6, 3, 4));
    assert_eq!(level.markers()[0].layer, "a.tmx/Places");
    assert_eq!(built.level.origin(), IVec2::new(-8, 0));
    assert_eq!(built.maps[1].area, Aabb::from_xywh(12, 0, 12, 2));
    assert_eq!(built.solids[0].tiles, 5, "of both maps");
    assert_eq!(check_reasons(&options(), &built), 5);
}

#[test]
fn different_tile_sizes_give_cells_of_their_common_divisor() {
    for (cell, position, expected) in [
        ([6, 2], [8, 0], [2, 2]),
        ([4, 4], [8, 4], [4, 2]),
        ([4, 2], [11, 0], [1, 2]),
        ([5, 3], [8, 0], [1, 1]),
    ] {
        let (one, other) = (walls([4, 2], &["#.", "##"]), walls(cell, &["#.", "##"]));
        let maps = [placed(&one, [0, 0], "a"), placed(&other, position, "b")];
        let built = build_all(&maps, &options()).unwrap();
        assert_eq!(built.level.cell_size().to_array(), expected);
        let pixels = built.level.grid().solid_count() * u64::from(expected[0] * expected[1]);
        assert_eq!(pixels, 3 * 8 + 3 * u64::from(cell[0] * cell[1]));
    }
}

#[test]
fn maps_far_apart_make_one_level_of_less_than_1_mib() {
    let far = [30_000_000, -29_000_000];
    for (cells, expected) in [
        ([[16, 16], [16, 16]], [16, 16]),
        ([[16, 16], [6, 16]], [2, 16]),
        ([[16, 16], [1, 1]], [1, 1]),
    ] {
        let (one, other) = (walls(cells[0], &["#.", "##"]), walls(cells[1], &["#.", "##"]));
        let maps = [placed(&one, [0, 0], "a"), placed(&other, far, "b")];
        let level = build_all(&maps, &options()).unwrap().level;
        assert_eq!(level.cell_size().to_array(), expected);
        assert!(level.memory_bytes() < 1 << 20, "{}", level.memory_bytes());
        let near = IVec2::new(0, 29_000_000);
        let last = IVec2::new(30_000_000, 0) + IVec2::from(cells[1].map(|side| side as i32)) - 1;
        let ends = [near, near + IVec2::new(31, 31), last];
        assert!(ends.iter().all(|pixel| level.is_solid(*pixel)), "{cells:?}");
        assert!(
            !level.is_solid(near + IVec2::new(16, 0)) && !level.is_solid(IVec2::new(15_000_000, 9))
        );
    }
}

#[test]
fn a_world_that_is_too_large_or_has_no_solids_is_refused() {
    let (none, one) = (walls([1, 1], &[".."]), walls([1, 1], &["#"]));
    let mut strict = options();
    strict.allow_nothing_solid = false;
    let error = build_all(&[placed(&none, [0, 0], "a")], &strict).unwrap_err();
    assert!(matches!(error.kind(), LoadErrorKind::NothingSolid { .. }));
    assert!(build_all(&[placed(&none, [0, 0], "a")], &options()).is_ok());
    for far in [[i32::MAX, 0], [i32::MIN, 0], [0, i32::MAX], [1 << 26, 1]] {
        let maps = [placed(&one, [0, 0], "a"), placed(&one, far, "b")];
        let error = build_all(&maps, &options()).unwrap_err();
        assert!(matches!(error.kind(), LoadErrorKind::TooLarge { .. }), "{far:?}");
    }
}

#[test]
fn a_lenient_build_leaves_out_a_faulty_map_unless_it_is_the_only_map() {
    let (good, mut bad) = (walls([4, 4], &["#"]), walls([4, 4], &["#"]));
    bad.tile_size.x = 0;
    let maps = [placed(&bad, [0, 0], "bad"), placed(&good, [8, 0], "good")];
    let error = build_all(&maps, &options()).unwrap_err();
    assert_eq!(error.path(), Path::new("bad"));
    let mut lenient = options();
    lenient.lenient = true;
    let built = build_all(&maps, &lenient).unwrap();
    assert_eq!((built.maps.len(), built.maps[0].file.as_deref()), (1, Some("good")));
    let warned: Vec<_> = built.warnings.iter().map(|warning| warning.file.as_deref()).collect();
    assert_eq!(warned, [None, Some("bad")], "the area `water` is empty");
    assert!(build_all(&maps[..1], &lenient).is_err());
}

fn random_map(random: &mut fastrand::Rng, cell: [u32; 2]) -> Map {
    let mut shaped = rectangle([0, 0, 1, 1]);
    shaped.position.x = thousandths(random.i64(0..3_000));
    let has_shapes = random.u8(0..4) == 0;
    let tiles = [
        (0, tile(&["solid"], if has_shapes { vec![shaped] } else { Vec::new() })),
        (1, tile(&["one_way"], Vec::new())),
        (2, tile(&["water"], Vec::new())),
    ];
    let (width, height) = (random.u32(1..9), random.u32(1..6));
    let cells: Vec<u32> = (0..width * height).map(|_| random.u32(0..4)).collect();
    let mut layers = vec![tile_layer("Ground", width, &cells)];
    if random.bool() {
        // Walls beyond the map's border, which the level cuts off.
        let mut layer = tile_layer("Walls", width, &vec![1; (width * height) as usize]);
        let [w, h] = cell.map(|side| side as i32);
        layer.offset = point(random.i32(-2..3) * w, random.i32(1..3) * h);
        layers.push(layer);
    }
    if random.bool() {
        let [w, h] = cell.map(|side| side as i32);
        let mut ledge = rectangle([-w, -h, 3 * w, 3 * h]);
        ledge.properties = flags(&["one_way"]);
        layers.push(object_layer("Things", vec![ledge]));
    }
    map([width, height], tileset(cell, tiles), layers)
}

#[test]
fn every_pixel_of_a_world_equals_the_pixels_of_its_maps() {
    const CELLS: [[u32; 2]; 4] = [[1, 1], [2, 3], [4, 2], [4, 6]];
    let mut random = fastrand::Rng::with_seed(11);
    let options = LoadOptions { outside: crate::Outside::Open.into(), ..options() };
    let (mut whole, mut fine, mut guarded) = (0, 0, 0);
    for _ in 0..60 {
        let (is_mixed, one) = (random.bool(), CELLS[random.usize(0..4)]);
        let documents: Vec<_> = (0..random.usize(1..5))
            .map(|_| {
                let cell = if is_mixed { CELLS[random.usize(0..4)] } else { one };
                let step = if is_mixed { [1, 1] } else { one.map(|side| side as i32) };
                let at = [random.i32(-20..20) * step[0], random.i32(-9..9) * step[1]];
                (random_map(&mut random, cell), at)
            })
            .collect();
        let maps: Vec<_> = documents.iter().map(|(map, at)| placed(map, *at, "m")).collect();
        let built = build_all(&maps, &options).unwrap();
        let alone: Vec<(IVec2, Level)> = documents
            .iter()
            .map(|(map, at)| ((*at).into(), build_one(map, &options).unwrap().level))
            .collect();
        let level = &built.level;
        for y in 0..level.size().y as i32 {
            for x in 0..level.size().x as i32 {
                let pixel = IVec2::new(x, y);
                let any = |of: &dyn Fn(&Level, IVec2) -> bool| {
                    alone.iter().any(|(at, map)| of(map, pixel + built.level.origin() - *at))
                };
                let solid = any(&|map, own| map.is_solid(own));
                assert_eq!(level.is_solid(pixel), solid, "{pixel}");
                let sea = any(&|map, own| map.area("water").unwrap().is_solid(own));
                assert_eq!(level.area("water").unwrap().is_solid(pixel), sea);
                // `blocks` is true if a one-way cell of a map stops a body of one pixel that falls onto this
                // pixel.
                let blocks = any(&|map, own| is_guarded(map, own));
                let body = Aabb::from_xywh(x, y - 1, 1, 1);
                assert_eq!(level.can_move(body, Dir::Down, 1), !solid && !blocks, "{pixel}");
                guarded += u32::from(blocks && !solid);
            }
        }
        *(if level.cell_size() == UVec2::ONE { &mut fine } else { &mut whole }) += 1;
        check_reasons(&options, &built);
    }
    assert!(whole > 9 && fine > 9 && guarded > 100, "{whole}, {fine}, {guarded}");
}

fn is_guarded(level: &Level, pixel: IVec2) -> bool {
    let (cell, above) = (level.cell_at(pixel), level.cell_at(pixel - IVec2::Y));
    let (Ok(column), Ok(row)) = (u32::try_from(cell.x), u32::try_from(cell.y)) else {
        return false;
    };
    let guards = level.one_way(Dir::Up);
    above != cell && guards.is_some_and(|guards| guards.is_solid(column, row))
}

#[test]
fn each_floor_of_a_world_counts_towards_the_limit_of_work() {
    let floor = map([64, 2], tileset([1, 1], []), vec![tile_layer("Floor", 64, &[0; 128])]);
    let mut options = options();
    options.solid_rules.walkable_layers.push("Floor".to_owned());
    options.limits.work = 12;
    let maps = ["a", "b", "c"].map(|file| placed(&floor, [0, 0], file));
    assert_eq!(build_all(&maps[..2], &options).unwrap().level.grid().solid_count(), 128);
    let error = build_all(&maps, &options).unwrap_err().headline();
    assert_eq!(error, "steps of work (the limit `work`): 18, but the limit is 12");
}
