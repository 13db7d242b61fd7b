//! A few rows of a level as `#` and `.`, with the offending cells marked.

#[cfg(feature = "serde")]
mod saved;

use std::borrow::Cow;
use std::fmt;

use glam::UVec2;

use crate::{LoadedLevel, load::loaded::Source};

/// The largest number of columns and rows in an excerpt.
const SIZE: UVec2 = UVec2::new(32, 7);

/// A part of a level, drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::Saved"))]
#[non_exhaustive]
pub struct Excerpt {
    /// Column and row of its first cell.
    pub origin: UVec2,
    /// Rows of equal length: `#` solid, `.` passable, and the mark.
    pub rows: Vec<String>,
    /// The meaning of the mark: `? = gray`.
    pub legend: Cow<'static, str>,
    /// The name of a column: `x` in a mask, `col` in a map.
    pub column_name: Cow<'static, str>,
}

impl Excerpt {
    /// The surroundings of a cell. Cells for which `is_marked` is true show the legend's first character.
    pub(super) fn around(
        loaded: &LoadedLevel,
        cell: UVec2,
        legend: &'static str,
        is_marked: impl Fn(u32, u32) -> bool,
    ) -> Self {
        let grid = loaded.level.grid();
        let size = SIZE.min(grid.size());
        let origin = cell.saturating_sub(UVec2::new(4, 2)).min(grid.size() - size);
        let mark = legend.chars().next().unwrap_or('?');
        let draw = |row| {
            let columns = origin.x..origin.x + size.x;
            let cell = |column| match (is_marked(column, row), grid.is_solid(column, row)) {
                (true, _) => mark,
                (false, true) => '#',
                (false, false) => '.',
            };
            columns.map(cell).collect()
        };
        Self {
            origin,
            rows: (origin.y..origin.y + size.y).map(draw).collect(),
            legend: legend.into(),
            column_name: match &loaded.source {
                Source::Map(_) => "col".into(),
                _ => "x".into(),
            },
        }
    }
}

impl fmt::Display for Excerpt {
    /// The name of the first column, then the rows with their numbers, then the legend. Every line is
    /// indented by four.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = u64::from(self.origin.y) + (self.rows.len() as u64).saturating_sub(1);
        let width = last.to_string().len();
        writeln!(f, "    {:width$}  {} {}", "", self.column_name, self.origin.x)?;
        for (row, cells) in (u64::from(self.origin.y)..).zip(&self.rows) {
            write!(f, "    {row:width$}  {cells}")?;
            if row == last {
                write!(f, "    {}", self.legend)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
