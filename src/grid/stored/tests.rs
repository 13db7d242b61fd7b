//! The faults of stored grids, one by one, and the memory that grids may take, to the byte. The tests of
//! `baked` read whole files.

use glam::UVec2;

use super::{
    BLOCK_BYTES, BlockSet, EMPTY, FIRST, FULL, Full, Room, StoredFault, StoredGrids, copy,
};
use crate::Grid;
use crate::grid::GridError;
use crate::grid::plane::LANES;
use crate::grid::sparse::{BLOCK_LIMIT, Block, PAGE_BYTES, PageBuilder, Sparse};

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// The bytes of a block with these solid cells.
fn block(cells: &[(u32, u32)]) -> [u8; BLOCK_BYTES] {
    let mut block = [0; BLOCK_BYTES];
    for (x, y) in cells {
        block[(y * 8 + x / 8) as usize] |= 1 << (x % 8);
    }
    block
}

/// Reads one grid of `size` from a directory and blocks, and ends the file there.
fn read(size: UVec2, numbers: &[u32], blocks: &[[u8; BLOCK_BYTES]]) -> Result<Grid, StoredFault> {
    let (directory, room) = (bytes(numbers), Room::new(1 << 30));
    let mut grids = StoredGrids::new(&directory, blocks.as_flattened(), &room)?;
    let grid = grids.grid(size)?;
    grids.finish()?;
    Ok(grid)
}

fn fault(at: Option<[u32; 2]>, text: &'static str) -> Result<Grid, StoredFault> {
    Err(StoredFault::Content(at, text))
}

#[test]
fn each_fault_of_a_directory_is_found_at_its_block() {
    // 2 x 2 blocks, of which the last column is 6 cells wide and the last row 5 cells high.
    let size = UVec2::new(70, 69);
    let (a, b) = (block(&[(0, 0), (5, 4)]), block(&[(1, 3)]));
    let good = read(size, &[4, FULL, 2, 3, 2], &[a, b]).unwrap();
    assert_eq!(good.solid_count(), 64 * 64 + 2 + 1 + 2);
    assert!(good.is_solid(64 + 5, 64 + 4) && good.is_solid(1, 64 + 3));
    // With fewer than a third of the blocks, it would be a list.
    assert!(read(size, &[0], &[]).is_ok_and(|grid| grid.solid_count() == 0));

    let is_full = "it is full, but a part of it lies outside the grid";
    assert_eq!(read(size, &[2, FULL, FULL, 0, 0], &[]), fault(Some([1, 0]), is_full));
    assert_eq!(read(size, &[2, FULL, 0, FULL, 0], &[]), fault(Some([0, 1]), is_full));
    assert_eq!(read(size, &[2, FULL, 0, 0, FULL], &[]), fault(Some([1, 1]), is_full));
    // In a grid of whole blocks the last block may be full.
    let whole = UVec2::new(128, 128);
    assert!(read(whole, &[4, FULL, FULL, FULL, FULL], &[]).is_ok());

    let outside = "it has solid cells outside the grid";
    let (right, below) = (block(&[(6, 0)]), block(&[(0, 5)]));
    assert_eq!(read(size, &[2, FULL, 2, 0, 0], &[right]), fault(Some([1, 0]), outside));
    assert_eq!(read(size, &[2, FULL, 0, 2, 0], &[below]), fault(Some([0, 1]), outside));
    assert!(read(size, &[2, 0, 2, 3, 0], &[below, right]).is_ok());

    let skips = "its number is not that of a block, or skips one";
    assert_eq!(read(size, &[2, FULL, 3, 0, 0], &[a, b]), fault(Some([1, 0]), skips));
    assert_eq!(read(size, &[2, 2, 3, 0, 0], &[a]), fault(Some([1, 0]), skips));

    let miscounts = "a directory miscounts the blocks with a solid cell";
    assert_eq!(read(size, &[3, 2, 2, 0, 0], &[a]), fault(None, miscounts));
    let cut_off = "a directory is cut off";
    assert_eq!(read(size, &[], &[]), fault(None, cut_off));
    assert_eq!(read(size, &[2, 2, 2, 0], &[a]), fault(None, cut_off));
    let follow = "numbers follow the last directory";
    assert_eq!(read(size, &[2, 2, 2, 0, 0, 1], &[a]), fault(None, follow));
    assert_eq!(read(size, &[2, 2, 2, 0, 0, 0, 0], &[a]), fault(None, follow));
    assert!(read(size, &[2, 2, 2, 0, 0, 0], &[a]).is_ok(), "a single 0 pads the directories");
    let no_grid = "the last block belongs to no grid";
    assert_eq!(read(size, &[2, 2, 2, 0, 0], &[a, b]), fault(None, no_grid));
    assert_eq!(read(UVec2::new(0, 9), &[0], &[]), Err(GridError::Empty.into()));
}

#[test]
fn each_fault_of_a_list_is_found_at_its_block() {
    let size = UVec2::new(64 * 20 - 1, 64 * 3);
    let a = block(&[(0, 0), (62, 63)]);
    assert!(read(size, &[2, 19, 0, 2, 3, 2, 2], &[a]).is_ok_and(|grid| grid.solid_count() == 4));
    let outside = "it lies outside the grid";
    assert_eq!(read(size, &[1, 20, 1, 2], &[a]), fault(Some([20, 1]), outside));
    assert_eq!(read(size, &[1, 0, 3, 2], &[a]), fault(Some([0, 3]), outside));
    let order = "it does not come after the one before it";
    assert_eq!(read(size, &[2, 5, 1, 2, 5, 1, 2], &[a]), fault(Some([5, 1]), order));
    assert_eq!(read(size, &[2, 0, 1, 2, 7, 0, 2], &[a]), fault(Some([7, 0]), order));
    let listed = "it is listed, but has no solid cell";
    assert_eq!(read(size, &[1, 5, 1, EMPTY], &[]), fault(Some([5, 1]), listed));
}

#[test]
fn blocks_that_are_cut_off_empty_or_full_are_refused() {
    let size = UVec2::splat(64);
    let plain = "a block is stored, but is empty or full";
    assert_eq!(read(size, &[1, 2], &[block(&[])]), fault(None, plain));
    assert_eq!(read(size, &[1, 2], &[[0xff; BLOCK_BYTES]]), fault(None, plain));
    // A first word without cells, or with all, is no fault.
    assert!(read(size, &[1, 2], &[block(&[(3, 63)])]).is_ok());
    let mut all_but_one = [0xff; BLOCK_BYTES];
    all_but_one[BLOCK_BYTES - 1] = 0x7f;
    assert!(read(size, &[1, 2], &[all_but_one]).is_ok());
    // Equal rows are no fault either, unless they are empty or full.
    let column: Vec<(u32, u32)> = (0..64).map(|row| (9, row)).collect();
    assert!(read(size, &[1, 2], &[block(&column)]).is_ok_and(|grid| grid.solid_count() == 64));

    let room = Room::new(1 << 20);
    let cut = StoredGrids::new(&[], &[1; BLOCK_BYTES - 1], &room).err();
    assert_eq!(cut, Some(StoredFault::Content(None, "the last block is cut off")));
    let cut = StoredGrids::new(&[0; 7], &[], &room).err();
    let text = "the last number of a directory is cut off";
    assert_eq!(cut, Some(StoredFault::Content(None, text)));
}

/// The bytes of a dense grid: the words of its rows and of its columns, and [`LANES`] words after each.
fn dense_bytes(size: UVec2) -> u64 {
    let words =
        |count: u32, len: u32| u64::from(count) * u64::from(len.div_ceil(64)) + LANES as u64;
    8 * (words(size.x, size.y) + words(size.y, size.x))
}

/// Asserts that the grids of `sizes` can be read with `bytes` of room, and not with a byte less.
fn takes(sizes: &[UVec2], numbers: &[u32], blocks: &[[u8; BLOCK_BYTES]], bytes_needed: u64) {
    let directory = bytes(numbers);
    for room in [bytes_needed - 1, bytes_needed] {
        let room = Room::new(room);
        let read = StoredGrids::new(&directory, blocks.as_flattened(), &room)
            .and_then(|mut grids| sizes.iter().try_for_each(|size| grids.grid(*size).map(drop)));
        let expected = match room.limit == bytes_needed {
            true => Ok(()),
            false => Err(StoredFault::Full(Full { limit: room.limit })),
        };
        assert_eq!(read, expected, "{sizes:?}");
    }
}

#[test]
fn the_memory_of_grids_counts_to_the_byte() {
    let (a, b) = (block(&[(0, 0)]), block(&[(1, 1)]));
    let of_blocks = |count: u64| count * size_of::<Block>() as u64;
    let sparse = Sparse::LEAST_BYTES as u64;
    let (wide, dense) = (UVec2::new(1 << 25, 64), UVec2::new(70, 129));

    takes(&[dense], &[0], &[], dense_bytes(dense));
    let two = dense_bytes(dense) + dense_bytes(UVec2::ONE) + of_blocks(1);
    takes(&[dense, UVec2::ONE], &[2, 2, 0, 0, 0, 0, 2, 1, 2], &[a], two);
    takes(&[wide], &[0], &[], sparse);
    // Blocks 0 and 7 share a page, block 8 has another one.
    let listed = [4, 0, 0, 2, 7, 0, 3, 8, 0, 2, 300_000, 0, FULL];
    takes(&[wide], &listed, &[a, b], sparse + of_blocks(2) + 3 * PAGE_BYTES as u64);

    // A directory of all blocks also takes a line of page columns.
    let tall = UVec2::new(64 * 9, 64 * 3_001);
    let mut all = vec![0; 9 * 3_001 + 1];
    for place in (0..9 * 3_001).step_by(2) {
        all[0] += 1;
        all[1 + place] = 2;
    }
    let pages = 2 * 3_001u64.div_ceil(8);
    let line = PageBuilder::line_bytes(9) as u64;
    assert_eq!(line, 8);
    takes(&[tall], &all, &[a], sparse + of_blocks(1) + line + pages * PAGE_BYTES as u64);
}

#[test]
fn grids_are_dense_up_to_2_24_cells_and_32_mib_in_a_file() {
    let room = Room::new(1 << 30);
    let is_sparse = |grids: &mut StoredGrids<'_>, width, height| {
        grids.blank(UVec2::new(width, height)).unwrap().is_sparse()
    };
    let new = || StoredGrids::new(&[], &[], &room).unwrap();
    assert!(!is_sparse(&mut new(), 4_096, 4_096));
    assert!(is_sparse(&mut new(), 4_096, 4_097));
    assert!(is_sparse(&mut new(), (1 << 22) + 1, 3), "each column would fill a word");
    assert!(is_sparse(&mut new(), 3, (1 << 22) + 1));

    // Seven grids and an eighth take exactly 32 MiB.
    let (square, last) = (UVec2::splat(4_096), UVec2::new(4_032, 4_160));
    assert_eq!(7 * dense_bytes(square) + dense_bytes(last), 32 << 20);
    let mut grids = new();
    for _ in 0..7 {
        assert!(!is_sparse(&mut grids, square.x, square.y));
    }
    assert!(!is_sparse(&mut grids, last.x, last.y));
    assert!(is_sparse(&mut grids, 1, 1));
    let mut grids = new();
    for _ in 0..7 {
        assert!(!is_sparse(&mut grids, square.x, square.y));
    }
    assert!(is_sparse(&mut grids, last.x, last.y + 1));
    assert!(!is_sparse(&mut grids, 1, 1));
}

#[test]
fn a_stored_grid_takes_further_blocks_up_to_its_limit() {
    let a = block(&[(0, 0)]);
    // As many blocks as the directory has, or 2^16 if it has fewer.
    let numbers: Vec<u32> = [2, 3, 0, 2, 5, 0, FULL].to_vec();
    let mut grid = read(UVec2::new(1 << 30, 64), &numbers, &[a]).unwrap();
    assert_eq!(grid.block_limit(), Some(BLOCK_LIMIT));
    grid = grid.with_block_limit(3);
    assert_eq!(grid.set(640, 0, true), Ok(()));
    assert_eq!(grid.set(6_400, 0, true), Err(GridError::TooManyBlocks { limit: 3 }));

    let count = BLOCK_LIMIT + 2;
    let mut all = vec![2; count as usize + 1];
    all[0] = count;
    let mut grid = read(UVec2::new(64 * count, 64), &all, &[a]).unwrap();
    assert_eq!((grid.block_limit(), grid.solid_count()), (Some(count), count.into()));
    assert_eq!(grid.set(1, 1, true), Ok(()));

    // What is written is read again.
    let (mut blocks, mut directory) = (BlockSet::default(), Vec::new());
    blocks.add(&grid, &mut directory).unwrap();
    let (blocks, room) = (blocks.into_bytes(), Room::new(1 << 30));
    let mut grids = StoredGrids::new(&directory, &blocks, &room).unwrap();
    assert_eq!(grids.grid(grid.size()), Ok(grid));
    assert_eq!(grids.next - FIRST, 2);
}

#[test]
fn only_the_lines_inside_a_grid_are_copied() {
    let mut lines = [7; 3];
    copy(&std::array::from_fn(|line| line as u64), &mut lines);
    assert_eq!(lines, [0, 1, 2]);
}
