//! The difference of two levels as text, JSON and Markdown.

use serde::Serialize;

use super::Compared;
use crate::Aabb;
use crate::analyze::{BodyDifference, LevelDifference, MarkerChange, MarkerDifference, Passage};
use crate::text::markdown::inert;
use crate::text::{counted, path_in_line, printable, px};
use glam::UVec2;

/// The largest number of lines of one kind.
const MAX_LINES: usize = 20;

/// A line of the answer: its subject and the rest.
type Line = (String, String);

/// The whole difference in one line.
fn verdict(difference: &LevelDifference) -> String {
    if difference.is_empty() {
        return "no difference".to_owned();
    }
    let mut parts = Vec::new();
    if difference.added + difference.removed > 0 {
        let patches = counted(difference.patches.len() as u64, "patch");
        let counts = [(difference.added, "solid"), (difference.removed, "passable")];
        let words = counts.into_iter().filter(|(count, _)| *count > 0);
        let words =
            words.map(|(count, word)| format!("{} became {word}", amount(difference, count)));
        let words: Vec<String> = words.collect();
        parts.push(format!("{}, in {patches}", words.join(" and ")));
    }
    if difference.areas[0].size() != difference.areas[1].size() {
        let [before, after] = difference.areas.map(|area| px(area.size()));
        parts.push(format!("{before} became {after}"));
    }
    let of_bodies = difference.bodies.iter().skip(usize::from(difference.bodies.len() > 1));
    for body in of_bodies {
        for (passages, word) in [(&body.closed, "closed"), (&body.opened, "opened")] {
            if !passages.is_empty() {
                let count = counted(passages.len() as u64, "passage");
                parts.push(format!("{count} {word} for {}", body_of(body)));
            }
        }
    }
    if difference.one_way {
        parts.push("one-way cells differ".to_owned());
    }
    if !difference.named_areas.is_empty() {
        parts.push(counted(difference.named_areas.len() as u64, "area") + " differ");
    }
    if !difference.markers.is_empty() {
        parts.push(counted(difference.markers.len() as u64, "change") + " of markers");
    }
    if parts.is_empty() {
        parts.push("its place differs".to_owned());
    }
    parts.join("; ")
}

/// Pixels in words: as cells, if both levels have the same.
fn amount(difference: &LevelDifference, pixels: u64) -> String {
    let [before, after] = difference.cell_sizes;
    let cell = u64::from(before.x) * u64::from(before.y);
    let shift = difference.areas[1].min - difference.areas[0].min;
    let aligned = shift.rem_euclid(before.as_ivec2()) == glam::IVec2::ZERO;
    if before == after && aligned && cell > 1 {
        counted(pixels / cell, "cell")
    } else {
        format!("{pixels} px")
    }
}

fn place(area: Aabb) -> String {
    format!("x {}, y {}, {}", area.min.x, area.min.y, px(area.size()))
}

fn body_of(body: &BodyDifference) -> String {
    match body.body {
        UVec2::ONE => "1 px".to_owned(),
        size => px(size),
    }
}

fn change(change: MarkerChange) -> String {
    match change {
        MarkerChange::Added => "is new".to_owned(),
        MarkerChange::Removed => "is gone".to_owned(),
        MarkerChange::Moved(from) => format!("was at x {}, y {}", from.x, from.y),
        MarkerChange::Buried => "is in a solid now".to_owned(),
        MarkerChange::Freed => "was in a solid".to_owned(),
        MarkerChange::Parted => "is walled off from every spawn now".to_owned(),
        MarkerChange::Joined => "was walled off from every spawn".to_owned(),
    }
}

fn marker(marker: &MarkerDifference) -> Line {
    let at = marker.position;
    let subject = format!("marker `{}`", printable(&marker.name));
    (
        subject,
        format!("{} (object {}, x {}, y {})", change(marker.change), marker.object, at.x, at.y),
    )
}

fn passage(body: &BodyDifference, passage: &Passage, word: &str) -> Line {
    let [one, other] = passage.areas.map(|area| px(area.size()));
    let subject = format!("passage {word}");
    (subject, format!("for {}: {one} and {other}, at {}", body_of(body), place(passage.place)))
}

/// All lines behind the verdict.
fn lines(compared: &Compared<'_>) -> Vec<Line> {
    let found = &compared.difference;
    let mut lines = Vec::new();
    let share = |side: usize| {
        let grid = compared.levels[side].level.grid();
        100.0 * grid.solid_count() as f64 / grid.cell_count().max(1) as f64
    };
    lines.push(("solid".to_owned(), format!("{:.1}% before, {:.1}% now", share(0), share(1))));
    let [before, after] = found.solid_parts;
    if before != after {
        lines.push(("solid parts".to_owned(), format!("{before} before, {after} now")));
    }
    for patch in found.patches.iter().take(MAX_LINES) {
        let (added, removed) = (amount(found, patch.added), amount(found, patch.removed));
        let text = format!("{}: + {added}, - {removed}", place(patch.area));
        lines.push(("patch".to_owned(), text));
    }
    if found.patches.len() > MAX_LINES {
        let more = found.patches.len() - MAX_LINES;
        lines.push(("patch".to_owned(), format!("and {more} more")));
    }
    for body in &found.bodies {
        let [before, after] = body.rooms;
        if before != after {
            let subject = format!("areas for {}", body_of(body));
            lines.push((subject, format!("{before} before, {after} now")));
        }
        let passages = [(&body.closed, "closed"), (&body.opened, "opened")];
        for (passages, word) in passages {
            lines.extend(passages.iter().take(MAX_LINES).map(|found| passage(body, found, word)));
        }
    }
    if found.one_way {
        lines.push(("one-way cells".to_owned(), "they differ".to_owned()));
    }
    let names = found.named_areas.iter();
    lines
        .extend(names.map(|name| (format!("area `{}`", printable(name)), "it differs".to_owned())));
    lines.extend(found.markers.iter().take(MAX_LINES).map(marker));
    lines
}

/// The verdict and one line a change.
pub(super) fn text(compared: &Compared<'_>) -> String {
    let [before, after] = compared.names.map(path_in_line);
    let mut text = format!("{before} -> {after}: {}\n", verdict(&compared.difference));
    if !compared.difference.is_empty() {
        for (subject, rest) in lines(compared) {
            text.push_str(&format!("  {subject:<16} {rest}\n"));
        }
    }
    text
}

/// The verdict and a table, for a pull request.
pub(super) fn markdown(compared: &Compared<'_>) -> String {
    // A name must not end its code span, in which nothing else has a meaning.
    let [before, after] = compared.names.map(|path| path_in_line(path).replace('`', "'"));
    let verdict = inert(&verdict(&compared.difference));
    let mut text = format!("### `{before}` → `{after}`\n\n**{verdict}**\n");
    if !compared.difference.is_empty() {
        text.push_str("\n| | |\n|---|---|\n");
        for (subject, rest) in lines(compared) {
            text.push_str(&format!("| {} | {} |\n", inert(&subject), inert(&rest)));
        }
    }
    text
}

/// The version of the format. It grows when a field is removed or changes its meaning, not with a new field.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document {
    version: u32,
    before: String,
    after: String,
    differs: bool,
    verdict: String,
    /// Pixels that became solid, and that became passable.
    added_px: u64,
    removed_px: u64,
    /// Before and after, as all pairs.
    solid_cells: [u64; 2],
    cell_size: [[u32; 2]; 2],
    size: [[u32; 2]; 2],
    solid_parts: [usize; 2],
    one_way_differs: bool,
    named_areas: Vec<String>,
    patches: Vec<Patch>,
    bodies: Vec<Body>,
    markers: Vec<Marker>,
}

/// Boxes are x, y, width, height.
#[derive(Serialize)]
struct Patch {
    area: [i64; 4],
    added_px: u64,
    removed_px: u64,
}

#[derive(Serialize)]
struct Body {
    size: [u32; 2],
    areas: [usize; 2],
    opened: Vec<Way>,
    closed: Vec<Way>,
}

#[derive(Serialize)]
struct Way {
    between: [[i64; 4]; 2],
    area: [i64; 4],
    path: Vec<[i32; 2]>,
}

#[derive(Serialize)]
struct Marker {
    name: String,
    object: u32,
    position: [i32; 2],
    change: &'static str,
    from: Option<[i32; 2]>,
}

/// One JSON document, with a line break at the end.
pub(super) fn json(compared: &Compared<'_>) -> String {
    let found = &compared.difference;
    let [before, after] = compared.names.map(path_in_line);
    let document = Document {
        version: VERSION,
        before,
        after,
        differs: !found.is_empty(),
        verdict: verdict(found),
        added_px: found.added,
        removed_px: found.removed,
        solid_cells: found.solid_cells,
        cell_size: found.cell_sizes.map(Into::into),
        size: found.areas.map(|area| area.size().into()),
        solid_parts: found.solid_parts,
        one_way_differs: found.one_way,
        named_areas: found.named_areas.iter().map(|name| printable(name).to_string()).collect(),
        patches: found
            .patches
            .iter()
            .map(|patch| Patch {
                area: numbers(patch.area),
                added_px: patch.added,
                removed_px: patch.removed,
            })
            .collect(),
        bodies: found.bodies.iter().map(body).collect(),
        markers: found.markers.iter().map(marker_entry).collect(),
    };
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

fn numbers(area: Aabb) -> [i64; 4] {
    let [x, y] = area.min.to_array().map(i64::from);
    [x, y, area.width().into(), area.height().into()]
}

fn body(body: &BodyDifference) -> Body {
    let way = |passage: &Passage| Way {
        between: passage.areas.map(numbers),
        area: numbers(passage.place),
        path: passage.path.iter().map(|at| at.to_array()).collect(),
    };
    Body {
        size: body.body.into(),
        areas: body.rooms,
        opened: body.opened.iter().map(way).collect(),
        closed: body.closed.iter().map(way).collect(),
    }
}

fn marker_entry(marker: &MarkerDifference) -> Marker {
    let (change, from) = match marker.change {
        MarkerChange::Added => ("added", None),
        MarkerChange::Removed => ("removed", None),
        MarkerChange::Moved(from) => ("moved", Some(from.into())),
        MarkerChange::Buried => ("buried", None),
        MarkerChange::Freed => ("freed", None),
        MarkerChange::Parted => ("parted", None),
        MarkerChange::Joined => ("joined", None),
    };
    Marker {
        name: printable(&marker.name).to_string(),
        object: marker.object,
        position: marker.position.into(),
        change,
        from,
    }
}
