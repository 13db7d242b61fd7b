//! The scenarios of MovingAI: grids of letters (`.map`), and for each a list of questions with the lengths of
//! their shortest paths (`.map.scen`), which are compared. The files belong to others, so none is here.

use std::error::Error;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::{Grid, Level};

use super::median;

/// The difference of lengths that passes: the lists round to hundredths.
const ROUNDED: f64 = 0.0051;

/// Prints the row of a map, and each question with another length. Returns the number of these.
pub(super) fn compare(path: &Path) -> Result<usize, Box<dyn Error>> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let text = read(path)?;
    let level = Level::from_grid(grid(&text).ok_or("not a map of the type octile")?, UVec2::ONE)?;
    let (ways, mut search) = (level.ways(UVec2::ONE)?, Search::default());
    let scenarios = read(&path.with_added_extension("scen"))?;
    let (mut questions, mut wrong, mut worst) = (Vec::new(), 0, 0.0f64);
    // The first line is the version.
    for line in scenarios.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        // From the end, because the name of the map may have spaces.
        let [.., x, y, to_x, to_y, length] = words[..] else {
            return Err(format!("not a scenario: {line}").into());
        };
        let question @ (from, to) =
            (IVec2::new(x.parse()?, y.parse()?), IVec2::new(to_x.parse()?, to_y.parse()?));
        let (known, found): (f64, _) = (length.parse()?, ways.path(from, to, &mut search));
        // Some lists have 0 for a question without an answer.
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

/// The cells of a map; solid are all but ground (`.` and `G`) and swamp (`S`).
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
