//! Gaps along the sides of a level.

use std::ops::Range;

use bitwall::glam::UVec2;

use crate::lint::finding::Excerpt;
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::{Axis, Dir, Level, LoadedLevel, load::Place, load::Source};

rule! {
    /// # What it finds
    /// Cells along a side of the level that are not solid. It is off by default, because
    /// 79% of real levels have such gaps.
    ///
    /// # Why it matters
    /// If the game loads the level as open outside, a body leaves it through such a gap. Otherwise an
    /// invisible wall stops the body there.
    ///
    /// # How to fix
    /// Draw the wall. If the level is meant to have an exit there, allow the rule for it.
    OPEN_BORDER = "LVL302" "open-border" Error off
}

/// The largest number of stretches that are listed after the first.
const MAX_NAMED: usize = 5;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    match subject.loaded() {
        Some(loaded) => {
            Dir::ALL.into_iter().filter_map(|side| check_side(subject, loaded, side)).collect()
        }
        _ => Vec::new(),
    }
}

fn check_side(subject: &Subject<'_>, loaded: &LoadedLevel, side: Dir) -> Option<Finding> {
    let level = &loaded.level;
    let mut stretches = OpenStretches::along(level, side);
    let first = stretches.next()?;
    let next: Vec<Range<u32>> = stretches.by_ref().take(MAX_NAMED).collect();
    let others = next.len() + stretches.count();

    let name = side_name(side);
    let in_words = |stretch: &Range<u32>| in_pixels(level, side, stretch);
    let headline = match others {
        0 => format!("the {name} side is open {}", in_words(&first)),
        _ => {
            format!("the {name} side is open in {} places, first {}", others + 1, in_words(&first))
        }
    };
    let cell = cell_at(level, side, first.start);
    let place = match &loaded.source {
        Source::Map(_) => {
            Place { cell: Some((cell.as_ivec2() + level.first_cell()).into()), ..Place::default() }
        }
        _ => Place { pixel: Some(cell.into()), ..Place::default() },
    };
    let excerpt = Excerpt::around(loaded, cell, "o = open", |column, row| {
        let along = if side.axis() == Axis::X { row } else { column };
        UVec2::new(column, row) == cell_at(level, side, along)
            && !level.grid().is_solid(column, row)
    });
    let mut finding = Finding::new(&OPEN_BORDER, subject.path, headline)
        .of_places(name, OpenStretches::along(level, side).map(|stretch| in_words(&stretch)))
        .at(place)
        .excerpt(excerpt)
        .help("draw the wall, or turn the rule off if the level is meant to be left");
    if others > 0 {
        let mut words: Vec<String> = next.iter().map(in_words).collect();
        if others > next.len() {
            words.push(format!("and {} more", others - next.len()));
        }
        finding = finding.note(format!("it is also open {}", words.join(", ")));
    }
    Some(finding)
}

/// The runs of passable cells along one side, in cells.
struct OpenStretches<'l> {
    level: &'l Level,
    side: Dir,
    from: u32,
    end: u32,
}

impl<'l> OpenStretches<'l> {
    fn along(level: &'l Level, side: Dir) -> Self {
        let size = level.grid().size();
        Self { level, side, from: 0, end: if side.axis() == Axis::X { size.y } else { size.x } }
    }

    fn is_solid(&self, along: u32) -> bool {
        let cell = cell_at(self.level, self.side, along);
        self.level.grid().is_solid(cell.x, cell.y)
    }

    /// The first solid cell from `along` on. It reads words, because a side can have millions of cells.
    fn next_solid(&self, along: u32) -> Option<u32> {
        let cell = cell_at(self.level, self.side, along);
        let grid = self.level.grid();
        if self.side.axis() == Axis::X {
            let hit = grid.first_solid(Dir::Down, cell.x..cell.x + 1, along..self.end);
            hit.map(|cell| cell.y)
        } else {
            let hit = grid.first_solid(Dir::Right, along..self.end, cell.y..cell.y + 1);
            hit.map(|cell| cell.x)
        }
    }
}

impl Iterator for OpenStretches<'_> {
    type Item = Range<u32>;

    fn next(&mut self) -> Option<Range<u32>> {
        let start = (self.from..self.end).find(|along| !self.is_solid(*along))?;
        let end = self.next_solid(start);
        self.from = end.unwrap_or(self.end);
        Some(start..self.from)
    }
}

/// The cell of a side at index `along`.
fn cell_at(level: &Level, side: Dir, along: u32) -> UVec2 {
    let last = level.grid().size() - 1;
    match side {
        Dir::Left => UVec2::new(0, along),
        Dir::Right => UVec2::new(last.x, along),
        Dir::Up => UVec2::new(along, 0),
        Dir::Down => UVec2::new(along, last.y),
    }
}

fn in_pixels(level: &Level, side: Dir, stretch: &Range<u32>) -> String {
    let (axis, scale) = match side.axis() {
        Axis::X => ("y", level.cell_size().y),
        Axis::Y => ("x", level.cell_size().x),
    };
    let (from, to) = (stretch.start * scale, stretch.end * scale);
    format!("from {axis} {from} to {axis} {to}")
}

fn side_name(side: Dir) -> &'static str {
    match side {
        Dir::Left => "left",
        Dir::Right => "right",
        Dir::Up => "top",
        Dir::Down => "bottom",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::Grid;

    #[test]
    fn the_stretches_of_a_side_are_its_passable_cells() {
        let mut random = fastrand::Rng::with_seed(41);
        for _ in 0..300 {
            let mut grid = Grid::new(random.u32(1..140), random.u32(1..140)).unwrap();
            for _ in 0..random.u32(0..40) {
                let (column, row) = (random.u32(0..grid.width()), random.u32(0..grid.height()));
                grid.fill(0..u32::MAX, row..row + 1, random.bool()).unwrap();
                grid.fill(column..column + 1, 0..u32::MAX, random.bool()).unwrap();
            }
            let level = Level::from_grid(grid, UVec2::ONE).unwrap();
            for side in Dir::ALL {
                let stretches: Vec<_> = OpenStretches::along(&level, side).collect();
                let touching = stretches.windows(2).any(|two| two[0].end >= two[1].start);
                assert!(!touching, "{stretches:?}");
                let size = level.grid().size();
                for along in 0..if side.axis() == Axis::X { size.y } else { size.x } {
                    let cell = cell_at(&level, side, along);
                    let open = stretches.iter().any(|stretch| stretch.contains(&along));
                    assert_eq!(open, !level.grid().is_solid(cell.x, cell.y), "{side:?}");
                }
            }
        }
    }
}
