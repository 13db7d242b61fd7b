//! Compares the `bitwall.toml` of `init` with a table of the solid cells in maps of real games.

#[path = "../../../tests/load/conventions/table.rs"]
pub(crate) mod table;
#[path = "../../../tests/load/conventions/truth.rs"]
pub(crate) mod truth;

use std::path::Path;

use bitwall::LoadOptions;

use self::table::rows;

/// Counts the maps of a project in the table: those whose solids are right with the default options, those
/// right with `options`, and all.
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
