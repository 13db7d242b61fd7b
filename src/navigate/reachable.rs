//! Positions that a body can reach: the one nearest to a goal without a way, and the nearest one off the way
//! of another body.

use std::borrow::Cow;

use glam::{IVec2, UVec2};

use super::{Path, STEPS, Search, Ways, line_is_free};
use crate::geometry::Aabb;
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
    /// ([`Terrain::prepare`](crate::Terrain::prepare)) the parts are kept until the next edit; otherwise they
    /// are kept as long as these ways. Later calls take O(runs in the rows within the distance). In levels of
    /// 256 x 256 tiles, the parts took 0.1 to 0.6 ms, a near position 1 to 3 µs and a far one 2 to 11 µs.
    /// With [`Ways::around`] each call finds the parts again.
    ///
    /// The parts take 12 bytes for each run. If this would be more than the planes take, and more than 32
    /// MiB, as among millions of random pixels, each call visits all positions that can be reached instead.
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
        if let Some(found) = self.free.nearest_in_part(place, at, self.bodies) {
            return Some(found);
        }
        let (reached, _) = self.spread(place, |_| true);
        let mut free = FreePositions::default();
        (free.size, free.origin, free.rows) = (self.free.size, self.free.origin, reached);
        Ways { free: Cow::Owned(free), ..*self }.nearest(at)
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
    /// O(pixels of the way + positions that are as near as the result). In levels of 256 x 256 tiles a search
    /// took 0.1 to 0.2 ms. [`guide::ways`](crate::guide::ways) has two walkers that let each other pass.
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
        let size = other.min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let stands = *way.points.first()?;
        let stands = Aabb { min: stands, max: stands.saturating_add(size) };
        let bodies = [self.bodies, &[stands]].concat();
        let ways = self.around(&bodies);
        let place = ways.place(from)?;
        let FreePositions { rows, origin, .. } = &*self.free;
        let mut on_way = rows.blank();
        // Points further out are on no way, but a game can make them: the other body meets no position there.
        let end = (*origin + IVec2::new(rows.len, rows.count)).saturating_add(self.free.size);
        for leg in way.points.windows(2) {
            let [from, to] = [leg[0], leg[1]].map(|point| point.clamp(-size, end));
            line_is_free(from, to, |is_flat, line, first, last| {
                let [min, max] = [first, last].map(|along| {
                    if is_flat { IVec2::new(along, line) } else { IVec2::new(line, along) }
                });
                on_way.fill(&self.free.touching(min, max.saturating_add(size)), true);
                true
            });
        }
        let (_, found) = ways.spread(place, |at| on_way.get(at.x, at.y));
        found.map(|place| place + *origin)
    }

    /// Visits the free positions that are connected with `from`, in the order of their distances in straight
    /// steps, until one is not on the way. Returns the visited positions, and that one. All are in
    /// coordinates of the bit planes. Positions in the boxes from [`Ways::around`] count as visited.
    fn spread(&self, from: IVec2, is_on_way: impl Fn(IVec2) -> bool) -> (BitPlane, Option<IVec2>) {
        let mut reached = self.free.rows.blank();
        for body in self.bodies {
            reached.fill(&self.free.touching(body.min, body.max), true);
        }
        reached.fill(&[from.x..from.x + 1, from.y..from.y + 1], true);
        let mut front = vec![from];
        while !front.is_empty() {
            let off = front.iter().filter(|at| !is_on_way(**at));
            if let Some(found) = off.min_by_key(|at| (at.y, at.x)) {
                return (reached, Some(*found));
            }
            let mut next = Vec::new();
            for to in front.iter().flat_map(|at| STEPS.map(|step| *at + step)) {
                if self.free.rows.get(to.x, to.y) && !reached.get(to.x, to.y) {
                    reached.fill(&[to.x..to.x + 1, to.y..to.y + 1], true);
                    next.push(to);
                }
            }
            front = next;
        }
        (reached, None)
    }
}
