//! `render --view text`: a level as plain ASCII text, one character for a cell or a block of cells, with
//! rulers and a legend. For terminals, reviews and coding agents. It never reads or writes a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::iter::repeat;
use std::ops::Range;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::render::RenderError;
use bitwall::text::{printable, printable_path, px};
use bitwall::{Aabb, Dir, Grid, Level, LoadedLevel};

/// The characters of blocks by column and row.
type Marks = BTreeMap<(u32, u32), char>;
/// The meanings of characters.
type Legend = BTreeMap<char, String>;

/// The sides of one-way cells, and their characters.
pub(in crate::commands) const ONE_WAY: [(Dir, char, &str); 4] = [
    (Dir::Up, '-', "above"),
    (Dir::Down, '_', "below"),
    (Dir::Left, '[', "the left"),
    (Dir::Right, ']', "the right"),
];

/// The characters of areas other than water and ladders, in the order of the level's areas.
const AREAS: &str = ":;*%$&!";
const KNOWN: [(&str, char); 2] = [("water", '~'), ("ladder", '=')];

/// Draws the part `region` of a level, or all of it, in at most `most` columns and rows of characters: 160 x
/// 100 unless the caller names others, of which none is above 4,096. A character stands for one cell, or else
/// for 2 x 2, 4 x 4 or more. `region` is in pixels of the level.
pub(super) fn draw(
    path: &Path,
    loaded: &LoadedLevel,
    region: Option<Aabb>,
    most: Option<UVec2>,
) -> Result<String, RenderError> {
    let level = &loaded.level;
    let size = level.size();
    let whole = Aabb { min: IVec2::ZERO, max: size.as_ivec2() };
    let region = region.unwrap_or(whole);
    let area = region.intersection(whole);
    if area.is_empty() {
        return Err(RenderError::EmptyRegion { region, size });
    }
    let most = most.unwrap_or(UVec2::new(160, 100)).clamp(UVec2::ONE, UVec2::splat(4_096));
    let cell = cell_of(loaded);
    let mut scale = 1_u32;
    let (block, from, to) = loop {
        let block = cell.saturating_mul(UVec2::splat(scale));
        let from = area.min.as_uvec2() / block;
        let to = (area.max.as_uvec2() - 1) / block + 1;
        if (to - from).cmple(most).all() {
            break (block, from, to);
        }
        scale = scale.saturating_mul(2);
    };
    let (marks, mut legend) = markers(level, area, block);
    let margin = to.y.saturating_mul(scale).to_string().len();
    let columns = (from.x..to.x).step_by(10);
    let ticks = "|         ".repeat(columns.len());
    let numbers: String = columns.map(|x| format!("{:<10}", x.saturating_mul(scale))).collect();
    let mut rows = String::new();
    // Writing to a string cannot fail.
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
    let mut text = format!("{}: {}; a character is ", printable_path(path), px(size));
    let _ = match scale {
        1 => writeln!(text, "one cell of {}\n", px(cell)),
        _ => writeln!(text, "{scale} x {scale} cells of {}; a region is drawn finer\n", px(cell)),
    };
    let _ = writeln!(text, "{:margin$} {}", "", numbers.trim_end());
    let _ = writeln!(text, "{:margin$} {}\n{rows}", "", ticks.trim_end());
    for (mark, meaning) in legend {
        let _ = writeln!(text, "{mark}  {meaning}");
    }
    // Names may have any letters.
    let escaped =
        |it: char| if it.is_ascii() { it.into() } else { it.escape_unicode().to_string() };
    Ok(text.chars().map(escaped).collect())
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
/// name and class have one letter. Also returns the legend of the letters.
fn markers(level: &Level, area: Aabb, block: UVec2) -> (Marks, Legend) {
    let mut letters = ('A'..='Z').chain('a'..='z');
    let mut marks = Marks::new();
    let mut legend = Legend::new();
    let mut names = BTreeMap::new();
    for marker in level.markers().iter().filter(|marker| area.contains(marker.position())) {
        let at = marker.position();
        let letter = || (letters.next().unwrap_or('@'), 0, at);
        let (mark, count, _) = names.entry((&marker.name, &marker.class)).or_insert_with(letter);
        *count += 1;
        marks.entry((at.as_uvec2() / block).into()).or_insert(*mark);
    }
    for ((name, class), (mark, count, at)) in names {
        let [name, class] = [name, class].map(|it| printable(it).to_string());
        let class = if class.is_empty() { class } else { format!(" ({class})") };
        let more = if count > 1 { format!(", the first of {count}") } else { String::new() };
        let words = format!("`{name}`{class} at x {}, y {}{more}", at.x, at.y);
        legend.insert(mark, if mark == '@' { "other markers".to_owned() } else { words });
    }
    (marks, legend)
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
        return ('#', "solid".into());
    }
    if count > 0 {
        let slope = slope(grid, columns, rows).filter(|_| may_be_slope);
        return slope.map_or(('+', "partly solid".into()), |mark| (mark, "slope".into()));
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
            let known = KNOWN.into_iter().find(|(name, _)| *name == area.name);
            let mark = known.map_or(mark, |(_, mark)| mark);
            return (mark, format!("area `{}`", printable(&area.name)));
        }
    }
    ('.', "open".into())
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
