//! The effect of each tile of a layer on its cell: none, solid, or more than that.
//!
//! The loop over the numbers of cells, 64 at a time, is most of the cost of building a large map. It draws
//! nothing.

use glam::IVec2;

use super::pieces::Claim;
use super::prepared::PreparedMap;
use super::refusal::BuildError;
use super::roles::Role;
use super::tile_meaning::{Extent, TileMeaning};
use super::tile_table::{Lookup, PLAIN};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::tmx::{Lattice, flip};

/// Placed tiles of a map that need more than their cell marked: those with collision shapes, one-way sides or
/// an area.
pub(super) const MAX_SHAPED_CELLS: u64 = 1 << 21;

/// The effect of a tile of some meaning on its cell on some layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellAction {
    /// Nothing.
    Ignore,
    /// It makes the cell solid.
    Fill,
    /// It makes the cell solid if its rows and columns are not exchanged; else it needs `Place`.
    FillUpright,
    /// It needs handling of its own: a shape, one-way, or an area.
    Place,
}

impl CellAction {
    pub(super) fn of(meaning: &TileMeaning, role: &Role, lattice: &Lattice) -> Self {
        let mut claims = meaning.claims(role);
        match (claims.next(), claims.next()) {
            (None, _) => Self::Ignore,
            (Some((Claim::Solid, extent)), None) => match extent {
                extent if *extent == Extent::default() && lattice.is_rectangular() => Self::Fill,
                Extent::Shapes(shapes) if shapes.fill_cell => Self::FillUpright,
                _ => Self::Place,
            },
            _ => Self::Place,
        }
    }
}

/// Numbers that are no tiles and were taken for empty cells.
pub(super) struct CellFault {
    /// The first fault.
    pub(super) kind: LoadErrorKind,
    /// Where it is.
    pub(super) cell: IVec2,
    pub(super) count: u64,
}

/// Sorts the cells of a layer by the effect of their tiles.
pub(super) struct CellClassifier<'t> {
    lookup: Lookup<'t>,
    /// By the meaning.
    actions: Vec<CellAction>,
    /// How many tiles there are of each meaning.
    pub(super) counts: Vec<u64>,
    pub(super) faults: Vec<CellFault>,
    /// True to take a number that is no tile for an empty cell.
    is_lenient: bool,
    /// The cells to be placed, with the meaning and the number of their tiles.
    pub(super) placed: Vec<(IVec2, u32, u32)>,
    /// The number of them that a map may have, and how many there may yet be.
    pub(super) room: u64,
}

/// Up to 64 cells of a row, the first in the lowest bit.
#[derive(Default)]
pub(super) struct Classified {
    /// Those with a tile.
    pub(super) tiles: u64,
    /// Those that are solid.
    pub(super) solid: u64,
}

impl<'t> CellClassifier<'t> {
    pub(super) fn new(map: &'t PreparedMap<'_>, role: &Role) -> Self {
        let meanings = &map.tiles.meanings;
        let action = |meaning| CellAction::of(meaning, role, &map.lattice);
        Self {
            lookup: map.tiles.lookup(),
            actions: meanings.iter().map(action).collect(),
            counts: vec![0; meanings.len()],
            faults: Vec::new(),
            is_lenient: map.options.lenient,
            placed: Vec::new(),
            room: 0,
        }
    }

    /// Sorts up to 64 cells of a row, of which the first is at column and row `at`.
    #[inline]
    pub(super) fn classify(
        &mut self,
        gids: &[u32],
        at: IVec2,
    ) -> Result<Classified, Box<BuildError>> {
        let (mut tiles, mut solid, mut plain) = (0u64, 0u64, 0u64);
        let from = self.placed.len();
        let cell = |bit: u32| at + IVec2::new(bit as i32, 0);
        for (bit, &gid) in (0..).zip(gids) {
            if gid == 0 {
                continue;
            }
            let meaning = match self.lookup.index(gid) {
                Ok(meaning) => meaning,
                Err(kind) => {
                    self.unknown(kind, cell(bit))?;
                    continue;
                }
            };
            tiles |= 1 << bit;
            // Most tiles are plain: they are counted in a register, which saves a store a cell.
            if meaning == PLAIN {
                plain |= 1 << bit;
                continue;
            }
            self.counts[meaning as usize] += 1;
            match self.actions[meaning as usize] {
                CellAction::Ignore => {}
                CellAction::Fill => solid |= 1 << bit,
                CellAction::FillUpright if gid & flip::DIAGONAL == 0 => solid |= 1 << bit,
                CellAction::FillUpright | CellAction::Place => {
                    self.place(cell(bit), meaning, gid)?;
                }
            }
        }
        self.counts[PLAIN as usize] += u64::from(plain.count_ones());
        match self.actions[PLAIN as usize] {
            CellAction::Ignore => {}
            CellAction::Fill | CellAction::FillUpright => solid |= plain,
            CellAction::Place => {
                for (bit, &gid) in (0..).zip(gids).filter(|(bit, _)| plain >> bit & 1 != 0) {
                    self.place(cell(bit), PLAIN, gid)?;
                }
                self.placed[from..].sort_unstable_by_key(|(cell, ..)| cell.x);
            }
        }
        Ok(Classified { tiles, solid })
    }

    fn place(&mut self, cell: IVec2, meaning: u32, gid: u32) -> Result<(), Box<BuildError>> {
        if self.placed.len() as u64 >= self.room {
            let what = "cells with collision shapes, one-way tiles or areas";
            check(what, MAX_SHAPED_CELLS + 1, MAX_SHAPED_CELLS)?;
        }
        self.placed.push((cell, meaning, gid));
        Ok(())
    }

    /// Takes a number that is no tile for an empty cell, if that is allowed.
    #[cold]
    fn unknown(&mut self, kind: LoadErrorKind, cell: IVec2) -> Result<(), Box<BuildError>> {
        if !self.is_lenient {
            return Err(BuildError::in_cell(cell, kind));
        }
        let is_same = |fault: &&mut CellFault| {
            std::mem::discriminant(&fault.kind) == std::mem::discriminant(&kind)
        };
        match self.faults.iter_mut().find(is_same) {
            Some(fault) => fault.count += 1,
            None => self.faults.push(CellFault { kind, cell, count: 1 }),
        }
        Ok(())
    }
}
