//! The memory for decoding a baked level: at most 64 MiB plus 16 times the length of the file, whatever the
//! file contains. A counting allocator measures it.

use bitwall::baked::BakedLevel;
use bitwall::glam::UVec2;
use bitwall::{Dir, Grid, Level, Terrain};
use twox_hash::XxHash3_64;

use crate::support::shared;

const HEADER: usize = 40;
const ENTRY: usize = 24;

/// Splits a file into the contents of its sections.
fn sections(file: &[u8]) -> Vec<Vec<u8>> {
    let count = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let mut rest = &file[HEADER + ENTRY * count..];
    let length = |index: usize| {
        let at = HEADER + ENTRY * index + 8;
        u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize
    };
    (0..count).map(|index| rest.split_off(..length(index)).unwrap().to_vec()).collect()
}

/// Builds a file from these sections, with correct checksums.
fn seal(sections: &[Vec<u8>]) -> Vec<u8> {
    let mut table = Vec::new();
    for (section, number) in sections.iter().zip(1u64..) {
        let hash = XxHash3_64::oneshot(section);
        [number, section.len() as u64, hash].iter().for_each(|n| table.extend(n.to_le_bytes()));
    }
    let length = HEADER + table.len() + sections.iter().map(Vec::len).sum::<usize>();
    let mut head = b"\x89BWL\r\n\x1a\n".to_vec();
    head.extend(1u32.to_le_bytes());
    head.extend((sections.len() as u32).to_le_bytes());
    head.extend((length as u64).to_le_bytes());
    head.extend(XxHash3_64::oneshot(&table[..4 * ENTRY]).to_le_bytes());
    let checksum = XxHash3_64::oneshot(&[&head[..], &table].concat());
    head.extend(checksum.to_le_bytes());
    [head, table, sections.concat()].concat()
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

/// Returns the bytes of 32-bit numbers, padded with zeros to a multiple of 8 bytes.
fn numbers(all: impl IntoIterator<Item = u32>) -> Vec<u8> {
    let mut bytes: Vec<u8> = all.into_iter().flat_map(u32::to_le_bytes).collect();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Returns the level section of a terrain of passable cells without areas.
fn level_of(size: UVec2) -> Vec<u8> {
    let mut bytes = numbers([0, 0, size.x, size.y, 1, 1]);
    bytes.extend([0, 0, 0, 0, 0, 0]);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// Builds a file whose only grid has this directory.
fn with_directory(size: UVec2, directory: impl IntoIterator<Item = u32>) -> Vec<u8> {
    seal(&[level_of(size), numbers([0]), numbers(directory), Vec::new()])
}

#[test]
fn decoding_a_cut_off_directory_stays_within_the_memory_limit() {
    // The directories claim columns of blocks for pages of 1.6 GB, and then the blocks are missing.
    for size in [UVec2::new(u32::MAX, 64), UVec2::new(u32::MAX, u32::MAX), UVec2::new(64, u32::MAX)]
    {
        for count in [1, 1 << 20, u32::MAX] {
            assert!(!decode("cut off", with_directory(size, [count])));
        }
    }
}

#[test]
fn decoding_a_directory_takes_memory_in_proportion_to_its_content() {
    // Full blocks, each in its own page: listed one by one, then all in one column, then all in one row.
    let listed = (0..300_000).flat_map(|i| [i % 1_000 * 8, i / 1_000 * 8, 1]);
    let file = with_directory(UVec2::splat(1 << 20), [300_000].into_iter().chain(listed));
    decode("listed", file);
    for size in [UVec2::new(64, 64 << 18), UVec2::new(64 << 18, 64)] {
        let all = [1 << 18].into_iter().chain(std::iter::repeat_n(1, 1 << 18));
        assert!(decode("all", with_directory(size, all)));
    }
}

/// The items are areas, one-way cells, markers and properties of a few bytes each.
#[test]
fn decoding_small_items_takes_memory_in_proportion_to_their_bytes() {
    for (size, one_way) in [(1, 0), (1, 0x80), (1 << 12, 0), (1 << 12, 0x80), (1 << 22, 0x80)] {
        let size: [u32; 2] = [size, if size > 1 << 13 { 1 } else { size }];
        let count = 40_000u32;
        let mut level = numbers([0, 0, 1, 1, 1, 1]);
        level.extend([0, 0]);
        level.extend(count.to_le_bytes());
        for index in 0..count {
            let name = format!("{index:05}");
            level.extend((name.len() as u32).to_le_bytes());
            level.extend(name.as_bytes());
            level.extend([0; 8]);
            [size[0], size[1], 1, 1].iter().for_each(|side| level.extend(side.to_le_bytes()));
            level.extend([0, one_way]);
        }
        level.resize(level.len().next_multiple_of(8), 0);
        // No block of any grid is solid.
        let grids = numbers(std::iter::repeat_n(0, count as usize + 1));
        decode("areas", seal(&[level, numbers([0]), grids, Vec::new()]));
    }
    for nested in [0, 1, 60] {
        decode("properties", with_markers(30_000, nested));
    }
}

/// Builds a level with `count` markers. Each has one property without a name: a flag inside `nested` classes.
fn with_markers(count: u32, nested: u32) -> Vec<u8> {
    let mut markers = count.to_le_bytes().to_vec();
    for _ in 0..count {
        markers.extend([0; 33]);
        markers.extend(1u32.to_le_bytes());
        for _ in 0..nested {
            markers.extend([0, 0, 0, 0, 7, 0, 0, 0, 0, 1, 0, 0, 0]);
        }
        markers.extend([0, 0, 0, 0, 0, 1]);
    }
    markers.resize(markers.len().next_multiple_of(8), 0);
    seal(&[level_of(UVec2::ONE), markers, numbers([0]), Vec::new()])
}

/// Returns levels that have content in every section.
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
                files.push(std::fs::read(path).unwrap());
            }
        }
    }
    let mut kinds = [0, 0];
    for file in &files {
        kinds[usize::from(decode("whole", file.clone()))] += 1;
        let sections = sections(file);
        for _ in 0..crate::support::rounds(3_000) {
            let mut mutated = sections.clone();
            for _ in 0..rng.u32(1..5) {
                let index = rng.usize(0..mutated.len());
                let section = &mut mutated[index];
                if section.is_empty() {
                    continue;
                }
                // Most numbers are near the start of a section and have 32 bits.
                let end = if rng.bool() { section.len().min(64) } else { section.len() };
                let at = rng.usize(0..end) / 4 * 4;
                let huge = [u32::MAX, 1 << 31, 1 << 26, 1 << 22, 1 << 16, 4_096, 64, 1, 0];
                let number = if rng.bool() { *rng.choice(&huge).unwrap() } else { rng.u32(..) };
                let place = &mut section[at..(at + 4).min(end)];
                place.copy_from_slice(&number.to_le_bytes()[..place.len()]);
                if rng.u32(0..8) == 0 {
                    section.truncate(at / 8 * 8);
                }
            }
            kinds[usize::from(decode("mutated", seal(&mutated)))] += 1;
        }
    }
    assert!(kinds[0] > 100 && kinds[1] > 5, "{kinds:?}");
}
