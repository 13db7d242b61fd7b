//! The free positions of a body in one level, cut where those of another level begin and end.
//!
//! A piece is a run of positions in a band of rows. It is in an area of the other level, or it leads from one
//! such area to another. It knows runs of positions, and neither passages nor markers.

use std::ops::Range;

use glam::IVec2;

use crate::analyze::bands::{Bands, TooComplex, for_each_stretch};
use crate::analyze::free_space::FreeSpace;

/// The positions of a piece in the level in which areas are apart: free, and of which area, or not free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Free too, and of an area with room to move, of this number.
    Room(u32),
    /// Free too, in a nook.
    Nook,
    /// Not free.
    New,
}

/// The pieces of a level's free positions, and which touch which.
pub(super) struct Pieces {
    bands: Bands,
    rows: Vec<Range<i32>>,
    kinds: Vec<Kind>,
    /// Where the neighbours of each piece begin.
    starts: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Pieces {
    /// The free positions of `joined`, cut by those of `apart`. O(runs) of both.
    pub(super) fn between(apart: &FreeSpace, joined: &FreeSpace) -> Result<Self, TooComplex> {
        let (mut bands, mut kinds) = (Bands::default(), Vec::new());
        let mut cut: Vec<(Range<i32>, Kind)> = Vec::new();
        for_each_stretch(&apart.bands, &joined.bands, |rows, [old, new]| {
            cut.clear();
            let mut first = old.start as usize;
            for run in new.start as usize..new.end as usize {
                let run = &joined.bands.runs[run];
                let mut at = run.start;
                while let Some(other) =
                    apart.bands.runs.get(first).filter(|_| first < old.end as usize)
                {
                    let (start, end) = (other.start.max(at), other.end.min(run.end));
                    if start < end {
                        let area = apart.labels[first];
                        let is_room = apart.is_room(area as usize);
                        cut.extend((at < start).then_some((at..start, Kind::New)));
                        cut.push((start..end, if is_room { Kind::Room(area) } else { Kind::Nook }));
                        at = end;
                    }
                    if other.end > run.end {
                        break;
                    }
                    first += 1;
                }
                cut.extend((at < run.end).then_some((at..run.end, Kind::New)));
            }
            kinds.extend(cut.iter().map(|(_, kind)| *kind));
            bands.push(rows, cut.iter().map(|(run, _)| run.clone()))
        })?;
        let mut rows = Vec::with_capacity(kinds.len());
        for band in &bands.bands {
            rows.extend(band.runs.clone().map(|_| band.rows.clone()));
        }
        let mut pieces = Self { bands, rows, kinds, starts: Vec::new(), neighbours: Vec::new() };
        pieces.link();
        Ok(pieces)
    }

    /// Finds the neighbours of each piece.
    fn link(&mut self) {
        let mut starts = vec![0_u32; self.kinds.len() + 1];
        self.for_each_contact(|one, other| {
            starts[one as usize + 1] += 1;
            starts[other as usize + 1] += 1;
        });
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![0_u32; starts.last().map_or(0, |count| *count as usize)];
        self.for_each_contact(|one, other| {
            for (piece, beside) in [(one, other), (other, one)] {
                neighbours[next[piece as usize] as usize] = beside;
                next[piece as usize] += 1;
            }
        });
        (self.starts, self.neighbours) = (starts, neighbours);
    }

    /// Calls `found` with each two pieces that touch: above each other, or beside each other in a row.
    fn for_each_contact(&self, mut found: impl FnMut(u32, u32)) {
        self.bands.for_each_contact(false, &mut found);
        for band in &self.bands.bands {
            for (pair, left) in self.bands.runs_of(band).windows(2).zip(band.runs.start..) {
                if pair[0].end == pair[1].start {
                    found(left, left + 1);
                }
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(super) fn kind(&self, piece: u32) -> Kind {
        self.kinds.get(piece as usize).copied().unwrap_or(Kind::New)
    }

    /// The number of the area with room to move that a piece is in.
    pub(super) fn area(&self, piece: u32) -> Option<u32> {
        match self.kind(piece) {
            Kind::Room(area) => Some(area),
            Kind::Nook | Kind::New => None,
        }
    }

    /// The areas with room to move, of `count` areas, each with its pieces. O(pieces).
    pub(super) fn by_area(&self, count: usize) -> impl Iterator<Item = (u32, Vec<u32>)> {
        let mut pieces = vec![Vec::new(); count];
        for piece in 0..self.len() as u32 {
            if let Some(of_area) = self.area(piece).and_then(|area| pieces.get_mut(area as usize)) {
                of_area.push(piece);
            }
        }
        (0..).zip(pieces).filter(|(_, pieces)| !pieces.is_empty())
    }

    /// The pieces that touch a piece.
    pub(super) fn beside(&self, piece: u32) -> impl Iterator<Item = u32> + '_ {
        let at = |index: u32| self.starts.get(index as usize).map_or(0, |start| *start as usize);
        let range = at(piece)..at(piece + 1);
        self.neighbours.get(range).unwrap_or_default().iter().copied()
    }

    /// The top-left position of a piece.
    pub(super) fn corner(&self, piece: u32) -> IVec2 {
        let [columns, rows] = self.ranges(piece);
        IVec2::new(columns.start, rows.start)
    }

    /// The position of a piece that is nearest to `at` on each axis.
    pub(super) fn nearest(&self, piece: u32, at: IVec2) -> IVec2 {
        let [columns, rows] = self.ranges(piece);
        let last = IVec2::new(columns.end, rows.end) - 1;
        at.max(IVec2::new(columns.start, rows.start)).min(last)
    }

    fn ranges(&self, piece: u32) -> [Range<i32>; 2] {
        let columns = self.bands.runs.get(piece as usize).cloned().unwrap_or(0..1);
        [columns, self.rows.get(piece as usize).cloned().unwrap_or(0..1)]
    }
}
