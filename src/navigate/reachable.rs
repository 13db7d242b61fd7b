//! What a body can reach: the position nearest to a goal that has no way, and a position off the way of
//! another body.

use std::borrow::Cow;

use glam::{IVec2, UVec2};

use super::{Path, Search, Ways, line_is_free};
use crate::terrain::{BitPlane, FreePositions};

impl Ways<'_> {
    /// Returns the shortest way from position `from` to the position nearest to `to` that the body can reach:
    /// the end of [`Ways::nearest_reachable`]. It is `to` itself if there is a way.
    ///
    /// Returns `None` only if `from` is not free; `to` need not be free. Takes the time of both methods. With
    /// [`Ways::around`] it takes no longer than without boxes, unless a box is at that position or cuts it
    /// off.
    ///
    /// ```
    /// use bitwall::navigate::Search;
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....#..\n....#..")?, UVec2::splat(16))?;
    /// let (ways, mut search) = (level.ways(UVec2::splat(12))?, Search::default());
    /// let (guard, player) = (IVec2::new(0, 4), IVec2::new(90, 17));
    /// assert_eq!(ways.path(guard, player, &mut search), None);
    /// let path = ways.path_toward(guard, player, &mut search).expect("the guard is free");
    /// assert_eq!(path.points.last(), Some(&IVec2::new(52, 17)), "at the wall");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path_toward(&self, from: IVec2, to: IVec2, search: &mut Search) -> Option<Path> {
        let open = Ways { free: Cow::Borrowed(&self.free), bodies: &[], ..*self };
        let end = open.nearest_reachable(from, to)?;
        if let Some(path) = self.path(from, end, search) {
            return Some(path);
        }
        self.path(from, self.nearest_reachable(from, to)?, search)
    }

    /// Returns the position with the smallest straight distance from `at` to which there is a way from
    /// position `from`.
    ///
    /// Of equally near positions, it returns the position with the smallest y, then with the smallest x.
    /// Returns `None` only if `from` is not free; `at` need not be free.
    ///
    /// The first call finds the connected parts of the free positions: O(words of the positions + runs of
    /// positions). A run is a sequence of neighbouring positions in a row. For a prepared size
    /// ([`Terrain::prepare`](crate::Terrain::prepare)) the parts are kept until the next edit, and take at
    /// most as much memory as the planes. Otherwise they are kept as long as these ways. Later calls take
    /// O(runs in the rows within the distance). In a level of 256 x 256 tiles the parts took MAKE ms, a near
    /// position NEAR µs, a far one FAR µs. With [`Ways::around`] each call finds the parts again. If they
    /// would take too much memory, as among random pixels, each call visits all positions that can be
    /// reached.
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("....#..\n....#..")?, UVec2::splat(16))?;
    /// let ways = level.ways(UVec2::splat(12))?;
    /// let (from, at) = (IVec2::ZERO, IVec2::new(70, 10));
    /// assert_eq!(ways.nearest(at), Some(IVec2::new(80, 10)), "behind the wall");
    /// assert_eq!(ways.nearest_reachable(from, at), Some(IVec2::new(52, 10)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn nearest_reachable(&self, from: IVec2, at: IVec2) -> Option<IVec2> {
        let place = self.place(from)?;
        let mut free = self.unblocked();
        if let Some(found) = free.nearest_in_part(place, at) {
            return Some(found);
        }
        let (reached, _) = wave(&free.rows, place, None);
        free.to_mut().rows = reached;
        Ways { free, bodies: &[], ..*self }.nearest(at)
    }

    /// Returns the position with the shortest way from position `from` at which the body is off the way of
    /// another body. The other body has the width and height `other` and follows `way`, from its first point
    /// on.
    ///
    /// The way to the result leads around the place where the other body stands now, and may use the rest of
    /// its way. Only straight steps count for its length. Of equally near positions, it returns the position
    /// with the smallest y, then with the smallest x. Returns `from` if the body is off the way there.
    /// Returns `None` if there is no such position, or if `from` is not free or overlaps the other body.
    ///
    /// O(words of the positions), to copy them twice, and O(words with positions at a distance, added up over
    /// all distances). [`guide::ways`](crate::guide::ways) has two walkers that let each other pass.
    ///
    /// ```
    /// use bitwall::navigate::Search;
    /// use bitwall::{Grid, Level, glam::IVec2, glam::UVec2};
    ///
    /// let level = Level::from_grid(Grid::from_text("##.###\n......")?, UVec2::splat(16))?;
    /// let (size, mut search) = (UVec2::splat(14), Search::default());
    /// let ways = level.ways(size)?;
    /// let (left, right) = (IVec2::new(0, 18), IVec2::new(80, 18));
    /// let way = ways.path(left, right, &mut search).expect("it is empty");
    /// assert_eq!(ways.refuge(IVec2::new(60, 18), &way, size), Some(IVec2::new(34, 4)), "the niche");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn refuge(&self, from: IVec2, way: &Path, other: UVec2) -> Option<IVec2> {
        let mut free = self.unblocked().into_owned();
        let size = other.min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let stands = *way.points.first()?;
        free.block(&free.touching(stands, stands.saturating_add(size)));
        let place = free.rows.place(from, free.origin).filter(|at| free.rows.get(at.x, at.y))?;
        let mut off = FreePositions::default();
        off.copy(&free);
        // At points further out, the other body meets no position. Ways have none, but games can make them.
        let end = free.origin + IVec2::new(free.rows.len, free.rows.count);
        let end = end.saturating_add(free.size);
        for leg in way.points.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|point| point.clamp(-size, end));
            line_is_free(from, to, |is_flat, line, first, last| {
                let [first, last] = [first, last].map(|along| {
                    if is_flat { IVec2::new(along, line) } else { IVec2::new(line, along) }
                });
                off.block(&off.touching(first, last.saturating_add(size)));
                true
            });
        }
        wave(&free.rows, place, Some(&off.rows)).1.map(|place| place + free.origin)
    }

    /// Returns the free positions without those at which the body overlaps a box from [`Ways::around`].
    pub(super) fn unblocked(&self) -> Cow<'_, FreePositions> {
        if self.bodies.is_empty() {
            return Cow::Borrowed(&self.free);
        }
        let mut free = FreePositions::default();
        free.copy(&self.free);
        for body in self.bodies {
            free.block(&free.touching(body.min, body.max));
        }
        Cow::Owned(free)
    }
}

/// Visits the positions of `free` that are connected with `from`, in the order of their distances in straight
/// steps, until one of them is in `goals`. Returns the visited positions, and the first of those in `goals`.
/// One operation handles 64 positions of a row.
fn wave(free: &BitPlane, from: IVec2, goals: Option<&BitPlane>) -> (BitPlane, Option<IVec2>) {
    let mut reached = free.blank();
    let (free, stride) = free.words();
    let (at, bit) = reached.at(from.x, from.y);
    reached.words_mut()[at] |= 1 << bit;
    // The indices of the words with positions at the last distance, each with the bits of such positions.
    let mut front = vec![(at, 1_u64 << bit)];
    let mut next = Vec::new();
    while !front.is_empty() {
        if let Some((goals, _)) = goals.map(BitPlane::words) {
            let found = front.iter().map(|(at, bits)| (*at, bits & goals[*at]));
            let found = found.filter(|(_, bits)| *bits != 0);
            if let Some((at, bit)) = found.map(|(at, bits)| (at, bits.trailing_zeros())).min() {
                let place = IVec2::new(
                    (at % stride) as i32 * 64 + bit as i32 - 64,
                    (at / stride) as i32 - 1,
                );
                return (reached, Some(place));
            }
        }
        let known = reached.words_mut();
        for (at, bits) in front.drain(..) {
            let steps = [
                (at, bits << 1 | bits >> 1),
                (at - stride, bits),
                (at + stride, bits),
                (at + 1, bits >> 63),
                (at - 1, bits << 63),
            ];
            for (at, bits) in steps {
                let new = bits & free[at] & !known[at];
                if new != 0 {
                    known[at] |= new;
                    next.push((at, new));
                }
            }
        }
        std::mem::swap(&mut front, &mut next);
    }
    (reached, None)
}
