//! The table of what is solid in maps of real games, for the configurations that `init` writes.

#[path = "../../../tests/load/conventions/table.rs"]
mod table;
#[path = "../../../tests/load/conventions/truth.rs"]
mod truth;

use std::fs;
use std::path::Path;

use bitwall::LoadOptions;
use bitwall::geometry::Outside;

use self::table::{Verdict, rows};

/// Of the maps of a project in the table the numbers that are right by the defaults and by `options`, and of
/// all.
pub(crate) fn right_before_and_after(
    corpus: &Path,
    project: &str,
    options: &LoadOptions,
) -> [usize; 3] {
    let table = fs::read_to_string(corpus.join("CONVENTIONS.tsv")).unwrap();
    let mut counts = [0; 3];
    let defaults = LoadOptions::default();
    for row in rows(&table).filter(|row| row.file.split('/').next() == Some(project)) {
        let is_right = |options: &LoadOptions| {
            let options = LoadOptions { outside: Outside::Open.into(), ..options.clone() };
            let options = LoadOptions { allow_nothing_solid: true, ..options };
            usize::from(Verdict::of(&row, &corpus.join(row.file), &options).is_right())
        };
        let of_row = [is_right(&defaults), is_right(options), 1];
        counts.iter_mut().zip(of_row).for_each(|(count, one)| *count += one);
    }
    counts
}
