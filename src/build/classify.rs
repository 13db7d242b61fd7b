//! The effect of each tile of a layer on its cell: none, solid, or more than that.
//!
//! The loop over the numbers of cells, 64 at a time, is most of the cost of building a large map. It draws
//! nothing.

use glam::IVec2;

use super::layer_role::LayerRole;
use super::tile_meaning::{Extent, TileMeaning};
use super::tile_table::{Lookup, PLAIN};
use crate::error::LoadErrorKind;
use crate::tmx::{Lattice, flip};

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
    pub(super) fn of(meaning: &TileMeaning, role: &LayerRole, lattice: &Lattice) -> Self {
        let says_solid = meaning.solid.is_some() && !role.is_passable;
        let is_one_way = (role.one_way.is_some() || meaning.one_way.is_some()) && !role.is_passable;
        let has_area = !role.areas.is_empty() || !meaning.areas.is_empty();
        if meaning.is_free {
            Self::Ignore
        } else if is_one_way || has_area {
            Self::Place
        } else if role.solid.is_none() && !says_solid {
            Self::Ignore
        } else {
            match meaning.solid_extent() {
                extent if *extent == Extent::default() && lattice.is_rectangular() => Self::Fill,
                Extent::Shapes(shapes) if shapes.fill_cell => Self::FillUpright,
                _ => Self::Place,
            }
        }
    }
}

/// A fault that was passed over, how often, and where it was met first.
pub(super) struct CellFault {
    pub(super) kind: LoadErrorKind,
    pub(super) cell: Option<IVec2>,
    pub(super) count: u64,
}

/// An error, and the cell in which it is, if it is in one.
pub(super) type CellError = (Option<IVec2>, LoadErrorKind);

/// Sorts the cells of a block by what their tiles do to them.
pub(super) struct CellClassifier<'s> {
    pub(super) lookup: Lookup<'s>,
    /// By the meaning.
    pub(super) actions: &'s [CellAction],
    /// How many tiles there are of each meaning.
    pub(super) counts: &'s mut [u64],
    pub(super) faults: &'s mut Vec<CellFault>,
    /// True to take a number that is no tile for an empty cell.
    pub(super) is_lenient: bool,
    /// The cells to be placed, with the meaning and the number of their tiles.
    pub(super) placed: Vec<(IVec2, u32, u32)>,
    /// The number of them that a map may have, and how many there may yet be.
    pub(super) limit: u32,
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

impl CellClassifier<'_> {
    /// Sorts up to 64 cells of a row, of which the first is at column and row `at`.
    #[inline]
    pub(super) fn classify(&mut self, gids: &[u32], at: IVec2) -> Result<Classified, CellError> {
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

    fn place(&mut self, cell: IVec2, meaning: u32, gid: u32) -> Result<(), CellError> {
        if self.placed.len() as u64 >= self.room {
            let limit = u64::from(self.limit);
            let kind = LoadErrorKind::TooLarge {
                what: "cells with collision shapes, one-way tiles or areas",
                limit,
                found: limit + 1,
            };
            return Err((None, kind));
        }
        self.placed.push((cell, meaning, gid));
        Ok(())
    }

    /// Takes a number that is no tile for an empty cell, if that is allowed.
    #[cold]
    fn unknown(&mut self, kind: LoadErrorKind, cell: IVec2) -> Result<(), CellError> {
        if !self.is_lenient {
            return Err((Some(cell), kind));
        }
        let is_same = |fault: &&mut CellFault| {
            std::mem::discriminant(&fault.kind) == std::mem::discriminant(&kind)
        };
        match self.faults.iter_mut().find(is_same) {
            Some(fault) => fault.count += 1,
            None => self.faults.push(CellFault { kind, cell: Some(cell), count: 1 }),
        }
        Ok(())
    }
}
