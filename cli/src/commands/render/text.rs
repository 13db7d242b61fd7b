//! `render --view text`: a level as plain ASCII text, one character for a cell or a block of cells, with
//! rulers and a legend. For terminals, reviews and coding agents. It never reads or writes a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter::repeat;
use std::ops::Range;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::render::RenderError;
use bitwall::text::{counted, printable, printable_path, px};
use bitwall::{Aabb, Dir, Grid, Level, LoadedLevel};

/// The most columns and rows of characters that a caller may ask for.
const LARGEST: UVec2 = UVec2::splat(4_096);

/// The sides of one-way cells, and their characters.
pub(in crate::commands) const ONE_WAY: [(Dir, char, &str); 4] = [
    (Dir::Up, '-', "above"),
    (Dir::Down, '_', "below"),
    (Dir::Left, '[', "the left"),
    (Dir::Right, ']', "the right"),
];

/// The characters of areas other than water and ladders, in the order of the level's areas.
const AREAS: &str = ":;*%$&!";

/// Draws the part `region` of a level, or all of it, in at most `most` columns and rows of characters. A
/// character stands for one cell, or else for 2 x 2, 4 x 4 or more. `region` is in pixels of the level.
pub(super) fn draw(
    path: &Path,
    loaded: &LoadedLevel,
    region: Option<Aabb>,
    most: UVec2,
) -> Result<String, RenderError> {
    let level = &loaded.level;
    let size = level.size();
    let whole = Aabb { min: IVec2::ZERO, max: size.as_ivec2() };
    let region = region.unwrap_or(whole);
    let area = region.intersection(whole);
    if area.is_empty() {
        return Err(RenderError::EmptyRegion { region, size });
    }
    let cell = cell_of(loaded);
    let mut scale = 1_u32;
    let (block, from, to) = loop {
        let block = cell.saturating_mul(UVec2::splat(scale));
        let from = area.min.as_uvec2() / block;
        let to = (area.max.as_uvec2() - 1) / block + 1;
        if (to - from).cmple(most.clamp(UVec2::ONE, LARGEST)).all() {
            break (block, from, to);
        }
        scale = scale.saturating_mul(2);
    };
    let mut legend = BTreeMap::new();
    let marks = markers(level, area, block, &mut legend);
    let margin = to.y.saturating_mul(scale).to_string().len();
    let mut numbers = String::new();
    let mut ticks = String::new();
    let mut rows = String::new();
    // Writing to a string cannot fail.
    for x in (from.x..to.x).step_by(10) {
        let _ = write!(numbers, "{:<10}", x.saturating_mul(scale));
        let _ = write!(ticks, "{:<10}", '|');
    }
    for y in from.y..to.y {
        let _ = write!(rows, "{:>margin$} ", y.saturating_mul(scale));
        for x in from.x..to.x {
            let start = UVec2::new(x, y).saturating_mul(block);
            let mark = marks.get(&(x, y)).copied().unwrap_or_else(|| {
                let end = start.saturating_add(block).min(size);
                let (mark, meaning) = character(level, start, end, scale == 1);
                legend.entry(mark).or_insert(meaning);
                mark
            });
            rows.push(mark);
        }
        rows.push('\n');
    }
    let each = match scale {
        1 => format!("one cell of {}", px(cell)),
        _ => format!("{scale} x {scale} cells of {}; a smaller region is drawn finer", px(cell)),
    };
    let mut text = format!("{}: {}, a character is {each}\n\n", printable_path(path), px(size));
    let _ = writeln!(text, "{:margin$} {}", "", numbers.trim_end());
    let _ = writeln!(text, "{:margin$} {}\n{rows}", "", ticks.trim_end());
    for (mark, meaning) in legend {
        let _ = writeln!(text, "{mark}  {meaning}");
    }
    // Names may have any letters.
    let ascii = text.chars().map(|letter| match letter {
        letter if letter.is_ascii() => letter.to_string(),
        letter => letter.escape_unicode().to_string(),
    });
    Ok(ascii.collect())
}

/// Returns the size of a cell of the text in pixels: that of the level, or the tile of a map whose level is
/// finer than its tiles.
pub(in crate::commands) fn cell_of(loaded: &LoadedLevel) -> UVec2 {
    match &loaded.maps[..] {
        [first, ..] if loaded.level.cell_size() == UVec2::ONE => {
            first.map.tile_size.max(UVec2::ONE)
        }
        _ => loaded.level.cell_size(),
    }
}

/// Returns the letter of each block with a marker in `area`: that of the first one. Markers with the same
/// name and class have one letter, which is added to the legend.
fn markers(
    level: &Level,
    area: Aabb,
    block: UVec2,
    legend: &mut BTreeMap<char, String>,
) -> BTreeMap<(u32, u32), char> {
    let mut letters = ('A'..='Z').chain('a'..='z');
    let mut marks = BTreeMap::new();
    let mut names = BTreeMap::new();
    for marker in level.markers().iter().filter(|marker| area.contains(marker.position())) {
        let at = marker.position();
        let letter = || (letters.next().unwrap_or('@'), 0, at);
        let (mark, count, _) = names.entry((&marker.name, &marker.class)).or_insert_with(letter);
        *count += 1;
        marks.entry((at.as_uvec2() / block).into()).or_insert(*mark);
    }
    for ((name, class), (mark, count, IVec2 { x, y })) in names {
        let [name, class] = [name, class].map(|it| printable(it));
        let first = format!("`{name}` ({class}), the first at x {x}, y {y}");
        legend.insert(
            mark,
            match (mark, count) {
                ('@', _) => "other markers".to_owned(),
                (_, 1) => format!("`{name}` ({class}) at x {x}, y {y}"),
                _ => format!("{} {first}", counted(count, "marker")),
            },
        );
    }
    marks
}

/// Returns the columns and rows of cells of `size` that the pixels from `start` to `end` touch.
fn cells([start, end]: [UVec2; 2], size: UVec2) -> (Range<u32>, Range<u32>) {
    let [first, last] = [start / size, (end - 1) / size];
    (first.x..last.x + 1, first.y..last.y + 1)
}

/// Returns the character of the block of pixels from `start` to `end`, and what it means.
fn character(level: &Level, start: UVec2, end: UVec2, may_be_slope: bool) -> (char, String) {
    let grid = level.grid();
    let (columns, rows) = cells([start, end], level.cell_size());
    let count = grid.solid_count_in(columns.clone(), rows.clone());
    if count == columns.len() as u64 * rows.len() as u64 {
        return ('#', "solid".to_owned());
    }
    if count > 0 {
        let slope = slope(grid, columns, rows).filter(|_| may_be_slope);
        let slope = slope.map(|mark| (mark, "slope".to_owned()));
        return slope.unwrap_or_else(|| ('+', "partly solid".to_owned()));
    }
    for (side, mark, from) in ONE_WAY {
        let guarded = level.one_way(side);
        if guarded.is_some_and(|it| it.any_solid(columns.clone(), rows.clone())) {
            return (mark, format!("one-way: stops what comes from {from}"));
        }
    }
    for (area, mark) in level.areas().iter().zip(AREAS.chars().chain(repeat('?'))) {
        let (columns, rows) = cells([start, end], area.terrain.cell_size());
        if area.terrain.grid().any_solid(columns, rows) {
            let mark = match &*area.name {
                "water" => '~',
                "ladder" => '=',
                _ => mark,
            };
            return (mark, format!("area `{}`", printable(&area.name)));
        }
    }
    ('.', "open".to_owned())
}

/// Returns `/` for solid pixels with one edge that rises to the right, and `\` for one that falls.
fn slope(grid: &Grid, columns: Range<u32>, rows: Range<u32>) -> Option<char> {
    // A step of more than a quarter of the height is an edge.
    let most = (rows.len() as i64 / 4).max(1);
    let heights = columns.clone().map(|it| grid.solid_count_in(it..it + 1, rows.clone()) as i64);
    let steps = heights.clone().zip(heights.skip(1)).map(|(one, next)| next - one);
    let rises = steps.clone().all(|step| (0..=most).contains(&step));
    let falls = steps.clone().all(|step| (-most..=0).contains(&step));
    let top = grid.solid_count_in(columns.clone(), rows.start..rows.start + 1);
    let hangs = top > grid.solid_count_in(columns, rows.end - 1..rows.end);
    (rises != falls).then_some(if rises == hangs { '\\' } else { '/' })
}
