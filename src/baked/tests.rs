//! Compares baked levels with their sources, and checks that damaged bytes are errors.

use std::collections::BTreeMap;

use glam::{IVec2, UVec2};

use super::{BakeError, BakedLevel};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::grid::{Grid, GridBuilder};
use crate::level::{Level, Marker, MarkerShape, MarkerTile};
use crate::property::PropertyValue;
use crate::terrain::Terrain;

fn grid(rng: &mut fastrand::Rng, size: UVec2) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    let kind = rng.u32(0..4);
    if kind == 0 {
        for row in 0..size.y {
            for column in 0..size.x {
                grid.set(column, row, rng.u32(0..3) == 0).unwrap();
            }
        }
    } else if kind < 3 {
        for _ in 0..rng.u32(0..6) {
            let (x, y) = (rng.u32(0..size.x), rng.u32(0..size.y));
            let solid = rng.u32(0..4) > 0;
            grid.fill(x..x + rng.u32(1..150), y..y + rng.u32(1..150), solid).unwrap();
        }
    } else {
        grid.fill(0..size.x, 0..size.y, true).unwrap();
    }
    grid
}

fn terrain(rng: &mut fastrand::Rng, size: UVec2) -> Terrain {
    let cell_size = UVec2::new(rng.u32(1..20), rng.u32(1..20));
    let side = |rng: &mut fastrand::Rng| if rng.bool() { Outside::Open } else { Outside::Solid };
    let (left, right, up, down) = (side(rng), side(rng), side(rng), side(rng));
    let terrain = Terrain::new(grid(rng, size), cell_size).unwrap();
    let mut terrain = terrain.with_outside(Sides { left, right, up, down });
    for side in Dir::ALL {
        if rng.u32(0..4) == 0 {
            terrain = terrain.with_one_way(side, grid(rng, size)).unwrap();
        }
    }
    terrain
}

fn side(rng: &mut fastrand::Rng) -> u32 {
    *rng.choice(&[1, 2, 63, 64, 65, 127, 128, 129, 200, 300]).unwrap()
}

fn marker(name: &str) -> Marker {
    let members = BTreeMap::from([("deep".to_owned(), PropertyValue::Float(f32::NAN))]);
    let class = PropertyValue::Class { class: "c".to_owned(), members };
    let properties = BTreeMap::from([
        ("a".to_owned(), PropertyValue::Bool(true)),
        ("b".to_owned(), PropertyValue::Int(i32::MIN)),
        ("c".to_owned(), PropertyValue::Text("é".to_owned())),
        ("d".to_owned(), PropertyValue::Color("#ff000000".to_owned())),
        ("e".to_owned(), PropertyValue::Object(7)),
        ("f".to_owned(), PropertyValue::List(vec![PropertyValue::Int(1), class])),
        ("g".to_owned(), PropertyValue::Point(IVec2::new(i32::MAX, -1))),
    ]);
    Marker {
        name: name.to_owned(),
        class: String::new(),
        layer: "Objects".to_owned(),
        object: 3,
        map: 2,
        area: Aabb::from_xywh(-5, i32::MIN, 12, 20),
        shape: MarkerShape::ALL[name.len() % MarkerShape::ALL.len()],
        rotation: -22.5,
        points: vec![IVec2::MIN, IVec2::new(7, -9)],
        tile: (name != "0").then(|| MarkerTile {
            tileset: "t\u{e9}".into(),
            id: u32::MAX,
            flip_x: name == "1",
            flip_y: true,
        }),
        properties,
    }
}

fn level(rng: &mut fastrand::Rng) -> Level {
    let size = UVec2::new(side(rng), side(rng));
    let mut level = Level::new(terrain(rng, size)).with_origin(IVec2::new(-7, 9));
    for index in 0..rng.u32(0..3) {
        let size = UVec2::new(side(rng), side(rng));
        level = level.with_solid_area(format!("area {index}"), terrain(rng, size), rng.u64(0..3));
    }
    level.with_markers((0..rng.u32(0..3)).map(|index| marker(&index.to_string())).collect())
}

fn same_terrain(found: &Terrain, expected: &Terrain) {
    assert_eq!(found.grid(), expected.grid());
    assert_eq!(found.cell_size(), expected.cell_size());
    assert_eq!(found.outside(), expected.outside());
    for side in Dir::ALL {
        assert_eq!(found.one_way(side), expected.one_way(side));
    }
}

fn same(found: &Level, expected: &Level) {
    same_terrain(found, expected);
    assert_eq!(found.origin(), expected.origin());
    assert_eq!(found.areas().len(), expected.areas().len());
    for (area, expected) in found.areas().iter().zip(expected.areas()) {
        assert_eq!((&area.name, area.category), (&expected.name, expected.category));
        same_terrain(&area.terrain, &expected.terrain);
    }
    // The markers are compared as debug texts, because a NaN in a property does not equal itself.
    assert_eq!(format!("{:?}", found.markers()), format!("{:?}", expected.markers()));
}

#[test]
fn a_baked_level_equals_its_source_and_bakes_to_the_same_bytes() {
    let mut rng = fastrand::Rng::with_seed(31);
    for _ in 0..300 {
        let level = level(&mut rng);
        let bytes = level.bake().unwrap();
        let baked = BakedLevel::decode(bytes.clone()).unwrap();
        same(&baked.level, &level);
        assert_eq!(baked.level.bake().unwrap(), bytes);
        for _ in 0..30 {
            let size = level.size().as_ivec2();
            let (x, y) = (rng.i32(-50..size.x + 50), rng.i32(-50..size.y + 50));
            let body = Aabb::from_xywh(x, y, rng.i32(0..40), rng.i32(0..40));
            for dir in Dir::ALL {
                let step = rng.u32(0..500);
                assert_eq!(baked.level.sweep(body, dir, step), level.sweep(body, dir, step));
            }
        }
    }
}

#[test]
fn equal_sparse_and_dense_levels_bake_to_the_same_bytes() {
    let mut rng = fastrand::Rng::with_seed(32);
    let side = 5_000;
    let mut builder = GridBuilder::new(40_000, side).unwrap();
    let mut dense = Grid::new(40_000, side).unwrap();
    for _ in 0..200 {
        let (x, y) = (rng.u32(0..40_000), rng.u32(0..side));
        let (w, h) = (rng.u32(1..200), rng.u32(1..200));
        builder.fill(x..x + w, y..y + h).unwrap();
        dense.fill(x..x + w, y..y + h, true).unwrap();
    }
    let sparse = builder.finish();
    assert!(sparse.is_sparse() && !dense.is_sparse());
    let level = |grid| Level::from_grid(grid, UVec2::ONE).unwrap();
    let bytes = level(sparse).bake().unwrap();
    assert!(bytes == level(dense.clone()).bake().unwrap());
    assert!(bytes.len() < 600_000, "{}", bytes.len());
    let baked = Level::from_baked(bytes).unwrap();
    assert!(baked.grid().is_sparse() && *baked.grid() == dense);
}

#[test]
fn edits_of_a_large_baked_level_match_edits_of_its_source() {
    let mut rng = fastrand::Rng::with_seed(36);
    let side = 4_200;
    let mut source = Grid::new(side, side).unwrap();
    for column in (0..side).step_by(7) {
        source.fill(column..column + 2, 0..side, true).unwrap();
    }
    source.fill(1_000..2_000, 500..900, true).unwrap();
    source.fill(2_500..4_000, 1_000..4_000, false).unwrap();
    let bytes = Level::from_grid(source.clone(), UVec2::ONE).unwrap().bake().unwrap();
    let baked = Level::from_baked(bytes).unwrap();
    let mut edited = baked.clone();
    assert!(edited.grid().is_sparse() && edited.grid().transposed() == source.transposed());
    for _ in 0..400 {
        let (x, y) = (rng.u32(0..side), rng.u32(0..side));
        let (w, h, solid) = (rng.u32(1..200), rng.u32(1..200), rng.bool());
        edited.fill(x..x + w, y..y + h, solid).unwrap();
        source.fill(x..x + w, y..y + h, solid).unwrap();
    }
    assert!(*edited.grid() == source && *baked.grid() != source);
    assert_eq!(edited.grid().solid_count(), source.solid_count());
    let source = Level::from_grid(source, UVec2::ONE).unwrap();
    assert!(edited.bake().unwrap() == source.bake().unwrap());
    for _ in 0..2_000 {
        let (x, y) = (rng.i32(-50..4_300), rng.i32(-50..4_300));
        let body = Aabb::from_xywh(x, y, rng.i32(1..40), rng.i32(1..40));
        let (dir, step) = (Dir::ALL[rng.u32(0..4) as usize], rng.u32(0..300));
        assert_eq!(edited.sweep(body, dir, step), source.sweep(body, dir, step));
    }
}

#[test]
fn a_baked_level_can_be_4_billion_cells_wide_and_high() {
    let mut builder = GridBuilder::new(u32::MAX, u32::MAX).unwrap();
    builder.fill(u32::MAX - 3..u32::MAX, u32::MAX - 9..u32::MAX).unwrap();
    builder.fill(0..1, 0..1).unwrap();
    let level = Level::from_grid(builder.finish(), UVec2::ONE).unwrap();
    let bytes = level.bake().unwrap();
    assert!(bytes.len() < 2_000);
    same(&Level::from_baked(bytes).unwrap(), &level);
}

#[test]
fn rows_that_equal_the_row_above_them_are_not_stored() {
    let mut grid = Grid::new(64 * 20, 64 * 20).unwrap();
    for column in (0..grid.width()).step_by(2) {
        grid.fill(column..column + 1, 0..64 * 20, true).unwrap();
    }
    let level = Level::from_grid(grid.clone(), UVec2::ONE).unwrap();
    // Each block takes its place, one bit for each row, and one row.
    assert!(level.bake().unwrap().len() < 400 * 24 + 200);
    grid.fill(0..64 * 20, 0..64 * 20, true).unwrap();
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    assert!(level.bake().unwrap().len() < 400 * 16 + 200);
}

fn small() -> (Vec<u8>, Level) {
    let grid = Grid::from_text("#..#.\n.....\n#####").unwrap();
    let ledge = Grid::from_text(".....\n.###.\n.....").unwrap();
    let level = Level::from_grid(grid.clone(), UVec2::new(16, 9)).unwrap();
    let level = level.with_one_way(Dir::Up, ledge).unwrap();
    let area = Terrain::new(grid.clone(), UVec2::splat(3)).unwrap();
    let level = level.with_solid_area("glass", area, 5).with_markers(vec![marker("player")]);
    (level.bake().unwrap(), level)
}

#[test]
fn a_baked_level_with_any_changed_byte_is_an_error() {
    let (bytes, level) = small();
    let baked = BakedLevel::decode(bytes.clone()).unwrap();
    same(&baked.level, &level);
    for at in 0..bytes.len() {
        for flip in [1, 2, 0x10, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= flip;
            let error = BakedLevel::decode(damaged).unwrap_err();
            assert!(!matches!(error, BakeError::Content { .. }), "{at}: {error}");
        }
    }
}

#[test]
fn a_baked_level_with_missing_or_extra_bytes_is_an_error() {
    let (bytes, _) = small();
    for length in 0..bytes.len() {
        let error = BakedLevel::decode(&bytes[..length]).unwrap_err();
        let expected = if length == 0 { BakeError::Foreign } else { BakeError::Checksum };
        assert_eq!(error, expected, "{length}");
    }
    for more in 1..20 {
        let mut longer = bytes.clone();
        longer.resize(bytes.len() + more, 0);
        assert_eq!(BakedLevel::decode(longer).unwrap_err(), BakeError::Checksum);
    }
    for foreign in [&b""[..], b"hello", b"\x89PNG\r\n\x1a\n", b"<map>"] {
        assert_eq!(Level::from_baked(foreign).unwrap_err(), BakeError::Foreign);
    }
}

#[test]
fn the_error_for_a_baked_level_of_another_version_names_both() {
    let (mut bytes, _) = small();
    for version in [1, 2, 3] {
        bytes[8] = version;
        let error = Level::from_baked(&bytes).unwrap_err();
        assert_eq!(error, BakeError::OtherVersion { found: version.into() });
        assert_eq!(
            error.to_string(),
            format!(
                "a baked level of version {version}, but this program reads version 4; \
                 bake the level with the version of bitwall that this program is built with"
            )
        );
    }
}

/// Changes bytes and corrects the checksum. Decoding must then check the content, and must not panic.
#[test]
fn forged_content_with_a_correct_checksum_gives_an_error_or_a_level() {
    let (bytes, _) = small();
    let (_, content) = super::open(&bytes).unwrap();
    let mut rng = fastrand::Rng::with_seed(33);
    let (mut errors, mut levels) = (0, 0);
    let mut judge = |content: &[u8]| {
        match BakedLevel::decode(super::seal(content).unwrap()) {
            Err(BakeError::Content { .. } | BakeError::NoMemory) => errors += 1,
            Err(other) => panic!("{other}"),
            Ok(baked) => {
                levels += 1;
                for dir in Dir::ALL {
                    baked.level.sweep(Aabb::from_xywh(20, 3, 5, 5), dir, u32::MAX);
                }
                // A level has only one form as bytes.
                assert!(baked.level.bake().unwrap() == super::seal(content).unwrap());
            }
        }
    };
    for at in 0..content.len() {
        for _ in 0..16 {
            let mut forged = content.to_vec();
            forged[at] = rng.u8(..);
            judge(&forged);
        }
        judge(&content[..at]);
    }
    for _ in 0..8_000 {
        let mut forged = content.to_vec();
        for _ in 0..rng.u32(1..6) {
            let at = rng.usize(0..forged.len());
            forged[at] = *rng.choice(&[0, 1, 2, 0x7f, 0x80, 0xff]).unwrap();
        }
        judge(&forged);
    }
    assert!(errors > 1_000 && levels > 1_000, "{errors} errors, {levels} levels");
}

/// The bytes of a level with one grid of `size` cells, and this list of blocks: place, changed rows and rows.
fn of_blocks(size: [u32; 2], blocks: &[([u32; 2], u64, &[u64])]) -> Vec<u8> {
    let mut content = Vec::new();
    for number in [0, 0, size[0], size[1], 1, 1] {
        content.extend(number.to_le_bytes());
    }
    content.extend([0; 5]);
    content.extend((blocks.len() as u32).to_le_bytes());
    for (at, changes, rows) in blocks {
        at.iter().for_each(|place| content.extend(place.to_le_bytes()));
        content.extend(changes.to_le_bytes());
        rows.iter().for_each(|row| content.extend(row.to_le_bytes()));
    }
    // Neither areas nor markers.
    content.extend([0; 8]);
    super::seal(&content).unwrap()
}

#[test]
fn each_fault_of_a_block_is_found_at_its_place() {
    // 2 x 2 blocks, of which the last column is 6 cells wide and the last row 5 cells high.
    let size = [70, 69];
    let good = of_blocks(size, &[([0, 0], 0, &[]), ([1, 1], 0b11_0010, &[0b11, 0b10, 0])]);
    let level = Level::from_baked(good).unwrap();
    assert_eq!(level.grid().solid_count(), 64 * 64 + 3 * 2 + 1);
    assert!(level.is_solid(IVec2::new(64, 66)) && level.is_solid(IVec2::new(65, 68)));

    // The list of blocks starts at byte 53. A fault is found after the bytes that have it.
    let fault = |blocks: &[([u32; 2], u64, &[u64])]| {
        Level::from_baked(of_blocks(size, blocks)).unwrap_err().headline()
    };
    let outside = "lies outside the grid";
    for (at, place) in [([2, 0], "column 2, row 0"), ([0, 2], "column 0, row 2")] {
        let text = format!("a baked level with a fault at byte 61: the block in {place} {outside}");
        assert_eq!(fault(&[(at, 0, &[])]), text);
    }
    for (blocks, text) in [
        (&[([0, 0], 0, &[][..]), ([0, 0], 0, &[])][..], "column 0, row 0 does not come after"),
        (&[([0, 1], 0b11, &[1, 0]), ([1, 0], 1, &[1])], "column 1, row 0 does not come after"),
        (&[([0, 0], 0b11, &[7, 7])], "column 0, row 0 stores a row that equals the one above it"),
        (&[([0, 0], 1, &[0])], "column 0, row 0 stores a row that equals the one above it"),
        (&[([0, 0], 1, &[u64::MAX])], "column 0, row 0 stores rows, but is full"),
        (&[([1, 0], 0, &[])], "column 1, row 0 has solid cells outside the grid"),
        (&[([1, 0], 1, &[1 << 6])], "column 1, row 0 has solid cells outside the grid"),
        (&[([0, 1], 1 << 5, &[1])], "column 0, row 1 has solid cells outside the grid"),
        (&[([0, 1], 1, &[1])], "column 0, row 1 has solid cells outside the grid"),
    ] {
        assert!(fault(blocks).contains(text), "{} is not {text}", fault(blocks));
    }
    assert!(fault(&[([0, 0], 0b111, &[7])]).ends_with(": the level is cut off"));
}

#[test]
fn grids_are_dense_up_to_2_24_cells_and_32_mib_in_a_file() {
    let is_sparse = |width: u32, height: u32| {
        let bytes = of_blocks([width, height], &[]);
        Level::from_baked(bytes).unwrap().grid().is_sparse()
    };
    assert!(!is_sparse(4_096, 4_096));
    assert!(is_sparse(4_096, 4_097));
    assert!(is_sparse((1 << 22) + 1, 3), "each column would fill a word");
    assert!(is_sparse(3, (1 << 22) + 1));

    // Each grid takes 4 MiB and 128 bytes, so eight of them do not fit.
    let terrain = || Terrain::new(Grid::new(4_096, 4_096).unwrap(), UVec2::ONE).unwrap();
    let level = (0..7)
        .fold(Level::new(terrain()), |level, index| level.with_area(index.to_string(), terrain()));
    let level =
        level.with_area("small", Terrain::new(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap());
    let baked = Level::from_baked(level.bake().unwrap()).unwrap();
    let sparse = baked.areas().iter().filter(|area| area.terrain.grid().is_sparse());
    assert_eq!(sparse.map(|area| &*area.name).collect::<Vec<_>>(), ["6"]);
}

#[test]
fn a_baked_grid_takes_further_blocks_up_to_its_limit() {
    let blocks: Vec<([u32; 2], u64, &[u64])> = (0..3).map(|i| ([i, 0], 0, &[][..])).collect();
    let few = Level::from_baked(of_blocks([1 << 30, 64], &blocks)).unwrap();
    assert_eq!(few.grid().block_limit(), Some(1 << 16));
    let count = (1 << 16) + 2;
    let blocks: Vec<([u32; 2], u64, &[u64])> = (0..count).map(|i| ([i, 0], 0, &[][..])).collect();
    let many = Level::from_baked(of_blocks([1 << 30, 64], &blocks)).unwrap();
    assert_eq!(many.grid().block_limit(), Some(count));
}

#[test]
fn random_bytes_are_refused_as_a_baked_level() {
    let mut rng = fastrand::Rng::with_seed(34);
    let (bytes, _) = small();
    for _ in 0..2_000 {
        let mut random: Vec<u8> = (0..rng.u32(0..300)).map(|_| rng.u8(..)).collect();
        let kept = rng.u32(0..60) as usize;
        let kept = kept.min(random.len()).min(bytes.len());
        random[..kept].copy_from_slice(&bytes[..kept]);
        assert!(Level::from_baked(random).is_err());
    }
}

#[test]
fn baking_properties_nested_over_64_deep_is_an_error() {
    let nested = |depth| {
        let list =
            (0..depth).fold(PropertyValue::Int(1), |value, _| PropertyValue::List(vec![value]));
        let properties = BTreeMap::from([("list".to_owned(), list)]);
        let marker = Marker { properties, ..marker("deep") };
        Level::from_grid(Grid::new(1, 1).unwrap(), UVec2::ONE).unwrap().with_markers(vec![marker])
    };
    assert_eq!(nested(65).bake().unwrap_err(), BakeError::TooDeep);
    let level = nested(64);
    same(&Level::from_baked(level.bake().unwrap()).unwrap(), &level);
}

/// A file of less than 30,000 bytes has 201 grids of 4,096 x 4,096 cells each.
#[test]
fn a_small_baked_file_with_200_large_grids_takes_under_80_mib() {
    let level = (0..200).fold(
        Level::from_grid(Grid::new(4_096, 4_096).unwrap(), UVec2::ONE).unwrap(),
        |level, index| {
            let mut grid = Grid::new(4_096, 4_096).unwrap();
            grid.set(9, 9, true).unwrap();
            level.with_area(index.to_string(), Terrain::new(grid, UVec2::ONE).unwrap())
        },
    );
    let bytes = level.bake().unwrap();
    assert!(bytes.len() < 30_000, "{}", bytes.len());
    let baked = Level::from_baked(bytes).unwrap();
    assert!(baked.memory_bytes() < 80 << 20, "{}", baked.memory_bytes());
    for (area, expected) in baked.areas().iter().zip(level.areas()) {
        assert!(area.name == expected.name && area.terrain.grid() == expected.terrain.grid());
    }
}
