//! What each tile of a layer is, as its cells are decoded: nothing, a solid cell, or more than that.
//!
//! This loop is most of what loading a large map costs beside decoding it.

use glam::IVec2;

use super::tiles::{Lookup, PLAIN};
use crate::error::LoadErrorKind;

/// What becomes of a tile of some kind on some layer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is nothing.
    Nothing,
    /// Its cell is solid.
    Cell,
    /// More than that, or less.
    Special,
}

/// A fault that was passed over, how often, and where it was met first.
#[derive(Debug)]
pub(super) struct Leniency {
    pub(super) kind: LoadErrorKind,
    pub(super) cell: Option<(i32, i32)>,
    pub(super) count: u64,
}

/// Sorts the tiles of a block by what becomes of them.
pub(super) struct Sorter<'m> {
    pub(super) lookup: Lookup<'m>,
    /// What becomes of each kind of tile.
    pub(super) fates: &'m [Fate],
    /// How many there are of each kind.
    pub(super) counts: &'m mut [u64],
    pub(super) faults: &'m mut Vec<Leniency>,
    /// True to take a number that is no tile for an empty cell.
    pub(super) is_lenient: bool,
    /// The tiles that are more or less than a solid cell: the cell, the kind, the number.
    pub(super) specials: Vec<(IVec2, u32, u32)>,
    /// How many of them a map may have, and how many there may yet be.
    pub(super) limit: u32,
    pub(super) room: u64,
}

/// Up to 64 cells of a row, the first in the lowest bit.
#[derive(Default)]
pub(super) struct Sorted {
    /// How many cells have been sorted: all, or those before a fault.
    pub(super) count: u32,
    /// The cells with a tile.
    pub(super) tiles: u64,
    /// Those that are solid.
    pub(super) solid: u64,
}

impl Sorted {
    /// Makes the cells empty that have no tile.
    pub(super) fn clear_others(&self, numbers: &mut [u32]) {
        for (bit, number) in numbers.iter_mut().enumerate() {
            *number *= (self.tiles >> bit & 1) as u32;
        }
    }
}

impl Sorter<'_> {
    /// Sorts up to 64 cells of a row, of which the first is at column and row `at`, up to a fault.
    #[inline]
    pub(super) fn sort(
        &mut self,
        numbers: &[u32],
        at: IVec2,
        sorted: &mut Sorted,
    ) -> Result<(), LoadErrorKind> {
        let (mut tiles, mut solid, mut plain) = (0u64, 0u64, 0u64);
        let mut fault = Ok(());
        let from = self.specials.len();
        for gid in numbers {
            let bit = sorted.count;
            sorted.count += 1;
            if *gid == 0 {
                continue;
            }
            let kind = match self.lookup.kind(*gid) {
                Ok(kind) => kind,
                Err(kind) if self.is_lenient => {
                    forgive(self.faults, kind, Some(at + IVec2::new(bit as i32, 0)));
                    continue;
                }
                Err(kind) => {
                    fault = Err(kind);
                    sorted.count = bit;
                    break;
                }
            };
            tiles |= 1 << bit;
            // Most are: to count them where the others are would be to wait for memory.
            if kind == PLAIN {
                plain |= 1 << bit;
                continue;
            }
            self.counts[kind as usize] += 1;
            match self.fates[kind as usize] {
                Fate::Nothing => {}
                Fate::Cell => solid |= 1 << bit,
                Fate::Special => self.special(at + IVec2::new(bit as i32, 0), kind, *gid)?,
            }
        }
        self.counts[PLAIN as usize] += u64::from(plain.count_ones());
        match self.fates[PLAIN as usize] {
            Fate::Nothing => {}
            Fate::Cell => solid |= plain,
            Fate::Special => {
                for (bit, gid) in numbers.iter().enumerate().take(sorted.count as usize) {
                    if plain >> bit & 1 != 0 {
                        self.special(at + IVec2::new(bit as i32, 0), PLAIN, *gid)?;
                    }
                }
                self.specials[from..].sort_unstable_by_key(|(cell, ..)| cell.x);
            }
        }
        (sorted.tiles, sorted.solid) = (tiles, solid);
        fault
    }

    fn special(&mut self, cell: IVec2, kind: u32, gid: u32) -> Result<(), LoadErrorKind> {
        if self.specials.len() as u64 >= self.room {
            let limit = u64::from(self.limit);
            return Err(LoadErrorKind::TooLarge {
                what: "cells with collision shapes, one-way tiles or areas",
                limit,
                found: limit + 1,
            });
        }
        self.specials.push((cell, kind, gid));
        Ok(())
    }
}

/// Counts a fault that is passed over, with others of its kind.
pub(super) fn forgive(faults: &mut Vec<Leniency>, kind: LoadErrorKind, cell: Option<IVec2>) {
    let is_same = |fault: &&mut Leniency| {
        std::mem::discriminant(&fault.kind) == std::mem::discriminant(&kind)
    };
    match faults.iter_mut().find(is_same) {
        Some(fault) => fault.count += 1,
        None => faults.push(Leniency {
            kind,
            cell: cell.map(Into::into),
            count: 1,
        }),
    }
}
