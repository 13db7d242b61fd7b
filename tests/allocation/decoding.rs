//! The memory for decoding a baked level: at most 64 MiB plus 16 times the length of the file, whatever the
//! file contains. A counting allocator measures it.

use bitwall::baked::BakedLevel;
use bitwall::glam::UVec2;
use bitwall::{Dir, Grid, Level, Terrain};
use twox_hash::XxHash3_64;

use crate::support::shared;

/// The number of bytes before the content.
const HEADER: usize = 20;

/// Builds a file with this content and the correct checksum.
fn seal(content: &[u8]) -> Vec<u8> {
    let mut file = b"\x89BWL\r\n\x1a\n".to_vec();
    file.extend(4u32.to_le_bytes());
    file.extend(XxHash3_64::oneshot(content).to_le_bytes());
    file.extend(content);
    file
}

/// Decodes a file, and checks that the memory stays within the limit. Returns true if the file is a level.
fn decode(name: &str, file: Vec<u8>) -> bool {
    let limit = (64 << 20) + 16 * file.len() as u64;
    let length = file.len();
    let mut is_level = false;
    let counted = allocation_counter::measure(|| is_level = BakedLevel::decode(file).is_ok());
    let most = counted.bytes_max;
    assert!(most <= limit, "{name}, {length} bytes: {most} bytes of memory");
    is_level
}

/// Returns the bytes of 32-bit numbers.
fn numbers(all: impl IntoIterator<Item = u32>) -> Vec<u8> {
    all.into_iter().flat_map(u32::to_le_bytes).collect()
}

/// Returns the bytes of a terrain, up to its grids: five of them if it has one-way cells.
fn terrain(size: UVec2, has_one_way: bool) -> Vec<u8> {
    let mut bytes = numbers([size.x, size.y, 1, 1]);
    bytes.extend([0, 0, 0, 0, has_one_way.into()]);
    bytes
}

/// Builds a file whose only grid starts with these numbers. Neither areas nor markers follow it.
fn with_grid(size: UVec2, grid: impl IntoIterator<Item = u32>) -> Vec<u8> {
    seal(&[numbers([0, 0]), terrain(size, false), numbers(grid), numbers([0, 0])].concat())
}

#[test]
fn decoding_a_cut_off_grid_stays_within_the_memory_limit() {
    for size in [UVec2::new(u32::MAX, 64), UVec2::new(u32::MAX, u32::MAX), UVec2::new(64, u32::MAX)]
    {
        for count in [1, 1 << 20, u32::MAX] {
            assert!(!decode("cut off", with_grid(size, [count])));
        }
    }
}

#[test]
fn decoding_a_grid_takes_memory_in_proportion_to_its_content() {
    // Full blocks, far from each other, then all in one column, then all in one row; and blocks of one row,
    // which take the most memory for their bytes.
    let full = |column, row| [column, row, 0, 0];
    let far = (0..300_000).flat_map(|i| full(i % 1_000 * 8, i / 1_000 * 8));
    assert!(decode("far", with_grid(UVec2::splat(1 << 20), [300_000].into_iter().chain(far))));
    let down = (0..1 << 18).flat_map(|i| full(0, i));
    let size = UVec2::new(64, 64 << 18);
    assert!(decode("down", with_grid(size, [1 << 18].into_iter().chain(down))));
    let across = (0..1 << 18).flat_map(|i| full(i, 0));
    let size = UVec2::new(64 << 18, 64);
    assert!(decode("across", with_grid(size, [1 << 18].into_iter().chain(across))));
    for count in [1 << 10, 1 << 16, 1 << 20] {
        let rows = (0..count).flat_map(|i| [i, 0, 1, 0, 7, 0]);
        let file = with_grid(UVec2::new(64 << 20, 64), [count].into_iter().chain(rows));
        // A sparse grid may have 2^16 blocks, unless its maker allows more.
        assert_eq!(decode("rows", file), count <= 1 << 16);
    }
}

/// The items are areas, one-way cells, markers and properties of a few bytes each.
#[test]
fn decoding_small_items_takes_memory_in_proportion_to_their_bytes() {
    for (size, has_one_way) in
        [(1, false), (1, true), (1 << 12, false), (1 << 12, true), (1 << 22, true)]
    {
        let size: [u32; 2] = [size, if size > 1 << 13 { 1 } else { size }];
        let count = 40_000u32;
        // No block of any grid is solid.
        let mut level = [numbers([0, 0]), terrain(UVec2::ONE, false), numbers([0])].concat();
        level.extend(count.to_le_bytes());
        for index in 0..count {
            let name = format!("{index:05}");
            level.extend((name.len() as u32).to_le_bytes());
            level.extend(name.as_bytes());
            level.extend([0; 8]);
            level.extend(terrain(UVec2::from(size), has_one_way));
            let grids = if has_one_way { 5 } else { 1 };
            level.extend(numbers(vec![0; grids]));
        }
        level.extend(numbers([0]));
        decode("areas", seal(&level));
    }
    for nested in [0, 1, 60] {
        decode("properties", with_markers(30_000, nested));
    }
}

/// Builds a level with `count` markers. Each has one property without a name: a flag inside `nested` classes.
fn with_markers(count: u32, nested: u32) -> Vec<u8> {
    let mut level = [numbers([0, 0]), terrain(UVec2::ONE, false), numbers([0, 0, count])].concat();
    for _ in 0..count {
        level.extend([0; 46]);
        level.extend(1u32.to_le_bytes());
        for _ in 0..nested {
            level.extend([0, 0, 0, 0, 7, 0, 0, 0, 0, 1, 0, 0, 0]);
        }
        level.extend([0, 0, 0, 0, 0, 1]);
    }
    seal(&level)
}

/// Returns levels with content of every kind.
fn levels(rng: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    let mut files = vec![std::fs::read("assets/cave.bwl").unwrap()];
    for side in [3, 70, 300, 5_000] {
        let mut grid = Grid::new(side, side).unwrap();
        for _ in 0..60 {
            let (x, y) = (rng.u32(0..side), rng.u32(0..side));
            grid.fill(x..x + rng.u32(1..90), y..y + rng.u32(1..90), true).unwrap();
        }
        let area = Terrain::new(grid.clone(), UVec2::new(3, 5)).unwrap();
        let level = Level::from_grid(grid.clone(), UVec2::splat(4)).unwrap();
        let level = level.with_one_way(Dir::Up, grid).unwrap().with_area("water", area);
        files.push(level.bake().unwrap());
    }
    files.push(with_markers(20, 3));
    files
}

#[test]
fn decoding_mutated_levels_takes_memory_in_proportion_to_their_bytes() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut files = levels(&mut rng);
    if let Some(folder) = shared("trials/bounds") {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension() == Some("bwl".as_ref()) {
                files.extend(std::fs::read(path).ok().filter(|file| file.len() > HEADER));
            }
        }
    }
    let mut kinds = [0, 0];
    for file in &files {
        kinds[usize::from(decode("whole", file.clone()))] += 1;
        let content = &file[HEADER..];
        for _ in 0..crate::support::rounds(3_000) {
            let mut mutated = content.to_vec();
            for _ in 0..rng.u32(1..5) {
                // Most numbers are near the start and have 32 bits.
                let end = if rng.bool() { mutated.len().min(64) } else { mutated.len() };
                if end == 0 {
                    continue;
                }
                let at = rng.usize(0..end);
                let huge = [u32::MAX, 1 << 31, 1 << 26, 1 << 22, 1 << 16, 4_096, 64, 1, 0];
                let number = if rng.bool() { *rng.choice(&huge).unwrap() } else { rng.u32(..) };
                let place = &mut mutated[at..(at + 4).min(end)];
                place.copy_from_slice(&number.to_le_bytes()[..place.len()]);
                if rng.u32(0..8) == 0 {
                    mutated.truncate(at);
                }
            }
            kinds[usize::from(decode("mutated", seal(&mutated)))] += 1;
        }
    }
    assert!(kinds[0] > 100 && kinds[1] > 5, "{kinds:?}");
}
