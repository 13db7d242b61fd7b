//! An excerpt in the files of the feature `serde`. It is printed as it is, so its texts are checked.

use glam::UVec2;

use super::Excerpt;
use crate::text::printable;

/// The form of an excerpt in a file.
#[derive(serde::Deserialize)]
#[serde(rename = "Excerpt", deny_unknown_fields)]
pub(super) struct Saved {
    origin: UVec2,
    rows: Vec<String>,
    legend: String,
    column_name: String,
}

impl TryFrom<Saved> for Excerpt {
    type Error = &'static str;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved { origin, rows, legend, column_name } = saved;
        let is_safe = |text: &String| printable(text).to_string() == *text;
        let mark = legend.chars().next();
        let is_cell = |cell| cell == '#' || cell == '.' || Some(cell) == mark;
        if !is_safe(&legend) || !is_safe(&column_name) {
            return Err("an excerpt holds text that is not safe to print");
        }
        if !rows.iter().all(|row| row.chars().all(is_cell)) {
            return Err(
                "a row of an excerpt has a letter that is neither `#` nor `.` nor the mark",
            );
        }
        Ok(Self { origin, rows, legend: legend.into(), column_name: column_name.into() })
    }
}
