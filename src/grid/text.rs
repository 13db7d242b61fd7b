//! Grids from and to text of `#` and `.`, for tests, messages and grids written in code.

use std::fmt;

use super::{Grid, GridError};

/// The grid drawn by `text`: see [`Grid::from_text`].
pub(super) fn parse(text: &str) -> Result<Grid, GridError> {
    let lines = (1u32..).zip(text.lines().map(str::trim));
    let rows: Vec<(u32, &str)> = lines.filter(|(_, row)| !row.is_empty()).collect();
    let width = rows.first().map_or(0, |(_, row)| row.chars().count());
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut grid = Grid::new(size(width), size(rows.len()))?;
    for (r, (line, row)) in (0u32..).zip(rows) {
        let found = row.chars().count();
        if found != width {
            return Err(GridError::RaggedRow { line, found: size(found), expected: size(width) });
        }
        for (column, character) in (0u32..).zip(row.chars()) {
            match character {
                '#' => grid.set(column, r, true)?,
                '.' => {}
                found => {
                    return Err(GridError::BadCharacter { found, line, column });
                }
            }
        }
    }
    Ok(grid)
}

impl fmt::Display for Grid {
    /// One line of `#` and `.` a row, without a line break after the last; `from_text` reads it back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.height() {
            if row > 0 {
                writeln!(f)?;
            }
            let cell = |column| if self.is_solid(column, row) { '#' } else { '.' };
            f.write_str(&(0..self.width()).map(cell).collect::<String>())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    /// The size, and the drawing if it has at most 10,000 cells.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid {} x {}", self.width(), self.height())?;
        if self.cell_count() <= 10_000 {
            write!(f, "\n{self}")?;
        }
        Ok(())
    }
}
