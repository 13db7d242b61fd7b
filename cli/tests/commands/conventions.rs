//! The table of what is solid in maps of real games, for the configurations that `init` writes.

#[path = "../../../tests/load/conventions/table.rs"]
mod table;
#[path = "../../../tests/load/conventions/truth.rs"]
mod truth;

use std::path::Path;

use bitwall::LoadOptions;

use self::table::rows;

/// Of the maps of a project in the table the numbers that are right by the defaults and by `options`, and of
/// all.
pub(crate) fn right_before_and_after(
    corpus: &Path,
    project: &str,
    options: &LoadOptions,
) -> [usize; 3] {
    let rows = rows(corpus, Some(project));
    let right = |options: &LoadOptions| {
        rows.iter().filter(|row| row.is_right(&row.loaded(options).level)).count()
    };
    [right(&LoadOptions::default()), right(options), rows.len()]
}
