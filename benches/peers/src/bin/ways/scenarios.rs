//! The MovingAI scenarios: grids of letters (`.map`), and for each a list of questions with the lengths of
//! their shortest paths (`.map.scen`), with which bitwall's lengths are compared. The files are not part of
//! this repository.

use std::error::Error;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::{Grid, Level};

use super::median;

/// The largest allowed difference between lengths, because the lists round to hundredths.
const ROUNDED: f64 = 0.0051;

/// Prints the row of a map, and each question whose length differs. Returns the number of these questions.
pub(super) fn compare(path: &Path) -> Result<usize, Box<dyn Error>> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let text = read(path)?;
    let level = Level::from_grid(grid(&text).ok_or("not a map of the type octile")?, UVec2::ONE)?;
    let (ways, mut search) = (level.ways(UVec2::ONE)?, Search::default());
    let scenarios = read(&path.with_added_extension("scen"))?;
    let (mut questions, mut wrong, mut worst) = (Vec::new(), 0, 0.0f64);
    // The first line has the version.
    for line in scenarios.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        // The words are read from the end, because the name of the map may contain spaces.
        let [.., x, y, to_x, to_y, length] = words[..] else {
            return Err(format!("not a scenario: {line}").into());
        };
        let question @ (from, to) =
            (IVec2::new(x.parse()?, y.parse()?), IVec2::new(to_x.parse()?, to_y.parse()?));
        let (known, found): (f64, _) = (length.parse()?, ways.path(from, to, &mut search));
        // Some lists have length 0 for a question without a path.
        let differs = match &found {
            Some(path) => (path.pixels() - known).abs(),
            None if known == 0.0 && from != to => 0.0,
            None => f64::INFINITY,
        };
        if differs > ROUNDED {
            wrong += 1;
            println!(
                "{}: {from} to {to}: {known}, here {:?}",
                path.display(),
                found.map(|it| it.pixels())
            );
        }
        worst = worst.max(differs);
        questions.push(question);
    }
    let time = median(&questions, |(from, to)| drop(ways.path(*from, *to, &mut search)));
    let (name, count) = (path.file_name().unwrap_or_default().to_string_lossy(), questions.len());
    println!(
        "| {name}, {} x {} | {count} | {wrong} | {worst:.4} | {time:.1} |",
        level.size().x,
        level.size().y
    );
    Ok(wrong)
}

/// Returns the cells of a map. All cells are solid except ground (`.` and `G`) and swamp (`S`).
fn grid(text: &str) -> Option<Grid> {
    let mut lines = text.lines();
    let mut value = |name: &str| lines.next()?.trim().strip_prefix(name).map(str::trim);
    value("type").filter(|kind| *kind == "octile")?;
    let height = value("height")?.parse().ok()?;
    let width = value("width")?.parse().ok()?;
    value("map")?;
    let mut grid = Grid::new(width, height).ok()?;
    for (y, line) in (0..height).zip(lines) {
        for (x, letter) in (0..width).zip(line.bytes()) {
            grid.set(x, y, !matches!(letter, b'.' | b'G' | b'S')).ok()?;
        }
    }
    Some(grid)
}
