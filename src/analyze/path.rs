//! A path of a body through its free space, as a line of positions.
//!
//! Breadth-first over the runs of positions. No time, no gravity: see `free_space`.

use glam::IVec2;

use super::free_space::FreeSpace;

impl FreeSpace {
    /// The positions at which the body turns on a path from one position to another, with both of them;
    /// `None` if they are not of one area. Each two that follow each other differ in one coordinate only, and
    /// all positions between them are free. The path has the fewest changes from row to row, not the fewest
    /// pixels. O(runs).
    ///
    /// ```
    /// use bitwall::analyze::free_space;
    /// use bitwall::{Grid, Terrain, glam::{IVec2, UVec2}};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..#..\n..#..\n.....")?, UVec2::splat(8))?;
    /// let free = free_space(&terrain, UVec2::splat(8))?;
    /// let path = free.path(IVec2::new(0, 0), IVec2::new(32, 3)).expect("one area");
    /// assert_eq!(path[0], IVec2::new(0, 0));
    /// assert_eq!(path[1], IVec2::new(0, 16), "below the wall");
    /// assert_eq!(path[path.len() - 1], IVec2::new(32, 3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn path(&self, from: IVec2, to: IVec2) -> Option<Vec<IVec2>> {
        let first = self.bands.run_at(from.x, from.y)?;
        let last = self.bands.run_at(to.x, to.y)?;
        if self.labels.get(first as usize)? != self.labels.get(last as usize)? {
            return None;
        }
        let runs = self.runs_between(first, last)?;
        let mut path = vec![from];
        let mut at = from;
        for pair in runs.windows(2) {
            let [here, next] = *pair else { continue };
            let (one, other) =
                (self.bands.runs.get(here as usize)?, self.bands.runs.get(next as usize)?);
            let x = at.x.clamp(one.start.max(other.start), one.end.min(other.end) - 1);
            let rows = &self.bands.band_of(next)?.rows;
            let y = at.y.clamp(rows.start, rows.end - 1);
            path.extend([IVec2::new(x, at.y), IVec2::new(x, y)]);
            at = IVec2::new(x, y);
        }
        path.extend([IVec2::new(to.x, at.y), to]);
        Some(simplified(&path))
    }

    /// The runs from one to another, each connected to the one before, as few as possible.
    fn runs_between(&self, first: u32, last: u32) -> Option<Vec<u32>> {
        let count = self.bands.runs.len();
        let mut starts = vec![0_u32; count + 1];
        self.bands.for_each_contact(false, |upper, lower| {
            starts[upper as usize + 1] += 1;
            starts[lower as usize + 1] += 1;
        });
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut free = starts.clone();
        let mut neighbours = vec![0_u32; *starts.last()? as usize];
        self.bands.for_each_contact(false, |upper, lower| {
            for (run, other) in [(upper, lower), (lower, upper)] {
                neighbours[free[run as usize] as usize] = other;
                free[run as usize] += 1;
            }
        });
        const NONE: u32 = u32::MAX;
        let mut before = vec![NONE; count];
        before[last as usize] = last;
        // From the end, so that the path can be read off forwards.
        let mut queue = std::collections::VecDeque::from([last]);
        while let Some(run) = queue.pop_front() {
            if run == first {
                break;
            }
            let range = starts[run as usize] as usize..starts[run as usize + 1] as usize;
            for next in &neighbours[range] {
                if before[*next as usize] == NONE {
                    before[*next as usize] = run;
                    queue.push_back(*next);
                }
            }
        }
        let mut path = vec![first];
        let mut run = first;
        while run != last {
            run = *before.get(run as usize).filter(|next| **next != NONE)?;
            path.push(run);
        }
        Some(path)
    }
}

/// The line without the points at which it does not turn.
pub(super) fn simplified(line: &[IVec2]) -> Vec<IVec2> {
    let mut kept: Vec<IVec2> = Vec::new();
    for point in line {
        if kept.last() == Some(point) {
            continue;
        }
        if let [.., one, two] = kept[..] {
            let (before, after) = ((two - one).signum(), (*point - two).signum());
            if before == after {
                kept.pop();
            }
        }
        kept.push(*point);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::super::free_space::free_space;
    use super::super::tests::random_terrain;
    use glam::{IVec2, UVec2};

    #[test]
    fn every_position_of_a_path_is_free_and_each_is_a_step_from_the_one_before() {
        let mut random = fastrand::Rng::with_seed(71);
        let mut found = 0;
        for _ in 0..300 {
            let terrain = random_terrain(&mut random, &[9, 20, 66]);
            let body = UVec2::new(random.u32(1..6), random.u32(1..6));
            let free = free_space(&terrain, body).unwrap();
            let size = terrain.size().as_ivec2();
            let mut place = || IVec2::new(random.i32(-6..size.x + 6), random.i32(-6..size.y + 6));
            let (from, to) = (place(), place());
            let path = free.path(from, to);
            let same = free.area_at(from).is_some() && free.area_at(from) == free.area_at(to);
            assert_eq!(path.is_some(), same);
            let Some(path) = path else { continue };
            found += 1;
            assert_eq!((path[0], path[path.len() - 1]), (from, to));
            for pair in path.windows(2) {
                let (one, other) = (pair[0], pair[1]);
                let step = (other - one).signum();
                assert_eq!(step.abs().element_sum(), 1, "{path:?}");
                let mut at = one;
                while at != other {
                    at += step;
                    assert!(free.area_at(at).is_some(), "{at} of {path:?}");
                }
            }
        }
        assert!(found > 60, "{found}");
    }
}
