use super::Grid;

/// Returns a sparse grid with the cells of `grid`.
pub(crate) fn in_blocks(grid: &Grid, width: u32, height: u32) -> Grid {
    let mut sparse = Grid::sparse(width, height).unwrap();
    for (at, words) in grid.blocks() {
        sparse.write(at, &words, true).unwrap();
    }
    sparse
}
