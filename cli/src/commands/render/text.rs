//! `render --view text`: a level as plain ASCII text, one character for a cell or a block of cells, with
//! rulers and a legend. For terminals, reviews and coding agents. It never reads or writes a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use bitwall::glam::{IVec2, UVec2};
use bitwall::render::RenderError;
use bitwall::text::{counted, printable, printable_path, px};
use bitwall::tmx::Orientation;
use bitwall::{Aabb, Dir, Grid, Level, LoadedLevel, Marker};

/// The most columns and rows of characters, unless the caller names others.
pub(in crate::commands) const MOST: UVec2 = UVec2::new(160, 100);

/// The distance between two numbers of the ruler at the top, in characters.
const TICK: u32 = 10;

const ONE_WAY: [(Dir, char, &str); 4] = [
    (Dir::Up, '-', "from above"),
    (Dir::Down, '_', "from below"),
    (Dir::Left, '[', "from the left"),
    (Dir::Right, ']', "from the right"),
];

/// The characters of areas that are neither water nor ladders, in the order of the level's areas. All further
/// areas have the last one.
const AREAS: &str = ":;*%$&!?";

/// Draws the part `region` of a level, or all of it, in at most `most` columns and rows of characters. A
/// character stands for one cell, or else for 2 x 2, 4 x 4 or more. `region` is in pixels of the level. The
/// text begins with `name`.
pub(in crate::commands) fn draw(
    name: &Path,
    loaded: &LoadedLevel,
    region: Option<Aabb>,
    most: UVec2,
) -> Result<String, RenderError> {
    let level = &loaded.level;
    let size = level.size();
    let whole = Aabb { min: IVec2::ZERO, max: size.as_ivec2() };
    let area = region.map_or(whole, |region| region.intersection(whole));
    if area.is_empty() {
        return Err(RenderError::EmptyRegion { region: region.unwrap_or(whole), size });
    }
    let cell = cell_of(loaded);
    let (min, max) = (area.min.as_uvec2(), area.max.as_uvec2());
    let mut sheet = Sheet { level, cell, scale: 1, from: UVec2::ZERO, size: UVec2::ZERO };
    loop {
        sheet.from = min / sheet.block();
        sheet.size = (max - 1) / sheet.block() + 1 - sheet.from;
        if sheet.size.cmple(most.max(UVec2::ONE)).all() {
            break;
        }
        sheet.scale = sheet.scale.saturating_mul(2);
    }
    // Names may have any letters.
    let mut text = String::new();
    for letter in format!("{}: {}", printable_path(name), sheet.text()).chars() {
        if letter.is_ascii() {
            text.push(letter);
        } else {
            text.extend(letter.escape_unicode());
        }
    }
    Ok(text)
}

/// Returns the size of a cell of the text in pixels: that of the level, or the tile of a map whose level is
/// finer than its tiles.
pub(in crate::commands) fn cell_of(loaded: &LoadedLevel) -> UVec2 {
    let cell = loaded.level.cell_size();
    let [first, others @ ..] = &loaded.maps[..] else {
        return cell;
    };
    let tile = first.map.tile_size.max(UVec2::ONE);
    if cell != UVec2::ONE || others.iter().any(|other| other.map.tile_size != tile) {
        return cell;
    }
    // The map space of an isometric map has squares for its diamonds.
    let is_slanted = first.map.orientation == Orientation::Isometric && first.on_screen.is_none();
    if is_slanted { UVec2::splat(tile.y) } else { tile }
}

/// The blocks of a level that are drawn, each as one character.
struct Sheet<'l> {
    level: &'l Level,
    cell: UVec2,
    /// The number of columns and of rows of cells in a block: 1, 2, 4 and so on.
    scale: u32,
    /// The column and row of the first block.
    from: UVec2,
    /// The number of columns and rows of blocks.
    size: UVec2,
}

/// The markers of one name and class, and where they are.
struct Named<'l> {
    marker: &'l Marker,
    mark: char,
    count: u64,
}

impl<'l> Sheet<'l> {
    fn block(&self) -> UVec2 {
        self.cell.saturating_mul(UVec2::splat(self.scale))
    }

    fn text(&self) -> String {
        let (names, marks) = self.markers();
        let mut used = BTreeMap::new();
        let mut rows = String::new();
        let last = (self.from.y + self.size.y - 1).saturating_mul(self.scale);
        let margin = last.to_string().len();
        for y in self.from.y..self.from.y + self.size.y {
            // Writing to a string cannot fail.
            let _ = write!(rows, "{:>margin$} ", y.saturating_mul(self.scale));
            for x in self.from.x..self.from.x + self.size.x {
                let mark = marks.get(&(x, y)).copied();
                let mark = mark.unwrap_or_else(|| {
                    let (mark, meaning) = self.character(UVec2::new(x, y));
                    used.insert(mark, meaning);
                    mark
                });
                rows.push(mark);
            }
            rows.push('\n');
        }
        let mut text = self.head() + &self.ruler(margin) + &rows + "\n";
        for (mark, meaning) in used {
            let _ = writeln!(text, "{mark}  {meaning}");
        }
        for Named { marker, mark, count } in names {
            let _ = writeln!(text, "{mark}  {}", name_of(marker, count));
        }
        text
    }

    /// Two lines: the size of the level, and what is drawn of it.
    fn head(&self) -> String {
        let size = self.level.size();
        let is_of_pixels = self.cell == UVec2::ONE;
        let unit = if is_of_pixels { "pixel" } else { "cell" };
        let cells = size.saturating_add(self.cell - 1) / self.cell;
        let mut text = if is_of_pixels {
            px(size)
        } else {
            format!("{} x {} cells of {}", cells.x, cells.y, px(self.cell))
        };
        let ends = (self.from + self.size).saturating_mul(UVec2::splat(self.scale)).min(cells) - 1;
        let begins = self.from.saturating_mul(UVec2::splat(self.scale));
        if begins != UVec2::ZERO || ends != cells - 1 {
            let [UVec2 { x, y }, UVec2 { x: right, y: bottom }] = [begins, ends];
            let _ = write!(text, ", here columns {x} to {right} and rows {y} to {bottom}");
        }
        match self.scale {
            1 => text + &format!("; one character is one {unit}\n\n"),
            scale => {
                let block = format!("one character is {scale} x {scale} {unit}s");
                text + &format!("; {block}: a smaller region is drawn finer\n\n")
            }
        }
    }

    /// Two lines with the numbers of the columns and where they are.
    fn ruler(&self, margin: usize) -> String {
        let mut numbers = " ".repeat(margin + 1);
        let mut ticks = numbers.clone();
        for x in (0..self.size.x).step_by(TICK as usize) {
            let number = (self.from.x + x).saturating_mul(self.scale);
            let _ = write!(numbers, "{number:<10}");
            let _ = write!(ticks, "{:<10}", '|');
        }
        format!("{}\n{}\n", numbers.trim_end(), ticks.trim_end())
    }

    /// Returns the character of a block, and what it means.
    fn character(&self, at: UVec2) -> (char, String) {
        let level = self.level;
        let [columns, rows] = self.cells(at, level.cell_size());
        let grid = level.grid();
        let solid = grid.solid_count_in(columns.clone(), rows.clone());
        let all = columns.len() as u64 * rows.len() as u64;
        if solid == all {
            return ('#', "solid".to_owned());
        }
        if solid > 0 {
            let slope = if self.scale == 1 { slope(grid, columns, rows) } else { None };
            return match slope {
                Some(mark) => (mark, "a slope".to_owned()),
                None => ('+', "partly solid".to_owned()),
            };
        }
        for (side, mark, from) in ONE_WAY {
            let guarded = level.one_way(side);
            if guarded.is_some_and(|grid| grid.any_solid(columns.clone(), rows.clone())) {
                return (mark, format!("one-way: stops what comes {from}"));
            }
        }
        let mut others = AREAS.chars();
        let mut other = '?';
        for area in level.areas() {
            let mark = match area.name.to_lowercase().as_str() {
                "water" => '~',
                "ladder" => '=',
                _ => {
                    other = others.next().unwrap_or(other);
                    other
                }
            };
            let [columns, rows] = self.cells(at, area.terrain.cell_size());
            if area.terrain.grid().any_solid(columns, rows) {
                return (mark, format!("area `{}`", printable(&area.name)));
            }
        }
        ('.', "open".to_owned())
    }

    /// Returns the columns and rows that a block covers, of a grid with cells of `size` pixels.
    fn cells(&self, at: UVec2, size: UVec2) -> [Range<u32>; 2] {
        let block = self.block();
        let start = at.saturating_mul(block);
        let end = start.saturating_add(block).min(self.level.size());
        [start.x / size.x..end.x.div_ceil(size.x), start.y / size.y..end.y.div_ceil(size.y)]
    }

    /// Returns the names of the markers that are drawn, and the character of each block that has a marker.
    /// The first marker of a block is drawn.
    fn markers(&self) -> (Vec<Named<'l>>, BTreeMap<(u32, u32), char>) {
        let mut letters = ('A'..='Z').chain('a'..='z');
        let mut names: Vec<Named<'l>> = Vec::new();
        let mut marks = BTreeMap::new();
        let mut known = BTreeMap::new();
        for marker in self.level.markers() {
            let at = marker.position();
            if at.min_element() < 0 {
                continue;
            }
            let at = at.as_uvec2() / self.block();
            let is_drawn = at.cmpge(self.from).all() && at.cmplt(self.from + self.size).all();
            if !is_drawn {
                continue;
            }
            let next = names.len();
            let index = *known.entry((&*marker.name, &*marker.class)).or_insert(next);
            if index == next {
                let mark = letters.next().unwrap_or('@');
                names.push(Named { marker, mark, count: 0 });
            }
            if let Some(named) = names.get_mut(index) {
                named.count += 1;
                marks.entry(at.into()).or_insert(named.mark);
            }
        }
        (names, marks)
    }
}

/// Returns the line of the legend for `count` markers with the name and class of `first`.
fn name_of(first: &Marker, count: u64) -> String {
    let class = match &*first.class {
        "" => String::new(),
        class => format!(" ({})", printable(class)),
    };
    let IVec2 { x, y } = first.position();
    let place = match count {
        1 => format!("at (x {x}, y {y})"),
        _ => format!("{}, the first at (x {x}, y {y})", counted(count, "marker")),
    };
    format!("`{}`{class} {place}", printable(&first.name))
}

/// Returns the character of a slope: `/` if the edge of the solid pixels rises to the right, and `\` if it
/// falls. `None` if they do not lie below or above one slanted edge.
fn slope(grid: &Grid, columns: Range<u32>, rows: Range<u32>) -> Option<char> {
    let height = rows.len() as u32;
    let mut heights = Vec::new();
    let mut stands = true;
    let mut hangs = true;
    for column in columns {
        let count_in = |rows: Range<u32>| grid.solid_count_in(column..column + 1, rows);
        let count = count_in(rows.clone()) as u32;
        stands &= count_in(rows.end - count..rows.end) == u64::from(count);
        hangs &= count_in(rows.start..rows.start + count) == u64::from(count);
        heights.push(count);
    }
    let pairs = heights.iter().zip(heights.iter().skip(1));
    // A step of more than a quarter of a cell is an edge, not a slope.
    let is_slanted = pairs.clone().all(|(one, next)| one.abs_diff(*next) <= (height / 4).max(1));
    let rises = pairs.clone().all(|(one, next)| one <= next);
    let falls = pairs.clone().all(|(one, next)| one >= next);
    if !is_slanted || rises == falls {
        return None;
    }
    match (stands, hangs) {
        (true, _) => Some(if rises { '/' } else { '\\' }),
        (_, true) => Some(if rises { '\\' } else { '/' }),
        _ => None,
    }
}
