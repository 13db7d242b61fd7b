//! Terrains: their sizes and sides in one section, their cells in two others.

use glam::UVec2;

use super::bytes::{Input, Output};
use super::envelope::Section;
use super::error::BakeError;
use crate::geometry::{Dir, Outside, Sides};
use crate::grid::{BlockSet, Full, Grid, GridError, Room, StoredFault, StoredGrids};
use crate::sweep::Terrain;

/// The bit of a terrain that has grids of one-way cells, even if they are empty.
const ONE_WAY: u8 = 1 << 7;

/// The sides for which `is_set` is true, as bits.
fn bits(is_set: impl Fn(Dir) -> bool) -> u8 {
    (0..).zip(Dir::ALL).map(|(bit, side)| u8::from(is_set(side)) << bit).sum()
}

/// Writes the terrains of a level.
#[derive(Default)]
pub(super) struct TerrainWriter {
    directories: Vec<u8>,
    blocks: BlockSet,
}

impl TerrainWriter {
    /// Writes a terrain: its sizes and sides to `out`.
    pub(super) fn write(&mut self, terrain: &Terrain, out: &mut Output) -> Result<(), BakeError> {
        let (cells, cell_size) = (terrain.grid().size(), terrain.cell_size());
        [cells.x, cells.y, cell_size.x, cell_size.y].into_iter().for_each(|side| out.u32(side));
        let outside = terrain.outside();
        out.u8(bits(|side| outside.get(side) == Outside::Open));
        let guards = |side| terrain.one_way(side).filter(|grid| grid.solid_count() > 0);
        let has_grids = terrain.one_way(Dir::Left).is_some();
        out.u8(bits(|side| guards(side).is_some()) | if has_grids { ONE_WAY } else { 0 });
        for grid in [terrain.grid()].into_iter().chain(Dir::ALL.into_iter().filter_map(guards)) {
            self.blocks.add(grid, &mut self.directories).map_err(|_| BakeError::NoMemory)?;
        }
        Ok(())
    }

    /// The directories and the blocks.
    pub(super) fn finish(mut self) -> (Vec<u8>, Vec<u8>) {
        self.directories.resize(self.directories.len().next_multiple_of(8), 0);
        (self.directories, self.blocks.into_bytes())
    }
}

/// Reads the terrains of a level, in the order in which they were written.
pub(super) struct TerrainReader<'b>(StoredGrids<'b>);

impl<'b> TerrainReader<'b> {
    pub(super) fn new(
        directories: &'b [u8],
        blocks: &'b [u8],
        room: &'b Room,
    ) -> Result<Self, BakeError> {
        StoredGrids::new(directories, blocks, room).map(Self).map_err(error)
    }

    /// The terrain with the sizes and sides that `input` has next.
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Result<Terrain, BakeError> {
        let cells = UVec2::new(input.u32()?, input.u32()?);
        let cell_size = UVec2::new(input.u32()?, input.u32()?);
        let (open, one_way) = (input.u8()?, input.u8()?);
        let has_grids = one_way & ONE_WAY != 0;
        if open > 0xf || one_way & 0x70 != 0 || (one_way != 0 && !has_grids) {
            return Err(input.fault("a terrain has a side that does not exist"));
        }
        let outside = |side: Dir| match open >> side as u8 & 1 {
            0 => Outside::Solid,
            _ => Outside::Open,
        };
        let grid = self.0.grid(cells).map_err(error)?;
        // A text of its own: those of all errors of grids would be 5 KB more in a WebAssembly module.
        let fault = |error| match error {
            GridError::CellSize(_) => input.fault("a side of a cell is not 1 to 65,536 pixels"),
            _ => input.fault("a side of the terrain is over 4,294,967,295 pixels"),
        };
        let mut terrain = Terrain::new(grid, cell_size).map_err(fault)?.with_outside(Sides {
            left: outside(Dir::Left),
            right: outside(Dir::Right),
            up: outside(Dir::Up),
            down: outside(Dir::Down),
        });
        if has_grids {
            input.allot::<[Grid; 4]>(1)?;
            let mut guards = |side: Dir| match one_way >> side as u8 & 1 {
                0 => self.0.blank(cells).map_err(error),
                _ => self.guards(cells),
            };
            let [left, right, up, down] = Dir::ALL;
            let guards = [guards(left)?, guards(right)?, guards(up)?, guards(down)?];
            terrain = terrain.with_guards(guards);
        }
        Ok(terrain)
    }

    fn guards(&mut self, cells: UVec2) -> Result<Grid, BakeError> {
        let grid = self.0.grid(cells).map_err(error)?;
        match grid.solid_count() {
            0 => Err(error(StoredFault::Content(None, "one-way cells are stated, but are none"))),
            _ => Ok(grid),
        }
    }

    pub(super) fn finish(self) -> Result<(), BakeError> {
        self.0.finish().map_err(error)
    }
}

impl From<Full> for BakeError {
    fn from(Full { limit }: Full) -> Self {
        Self::TooLarge { limit }
    }
}

fn error(fault: StoredFault) -> BakeError {
    let (at, reason) = match fault {
        StoredFault::Grid(GridError::Empty) => (None, "a grid has no cells"),
        StoredFault::Grid(_) => return BakeError::NoMemory,
        StoredFault::Full(full) => return full.into(),
        StoredFault::Content(at, reason) => (at, reason),
    };
    let reason = match at {
        Some([column, row]) => format!("the block in column {column}, row {row}: {reason}"),
        None => reason.to_owned(),
    };
    BakeError::Content { section: Section::Grids.name(), offset: None, reason }
}
