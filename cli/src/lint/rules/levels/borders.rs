//! The rules for a level as a whole, independent of bodies: open sides, share of solid cells, and the borders
//! between the maps of a world.

use std::ops::Range;

use serde::Deserialize;

use crate::lint::rules::levels::quoted;
use crate::lint::rules::{SHAPE_IN_ALPHA, at_pixel, pixel_place, place_name, side_name, suggested};
use crate::lint::{Check, Excerpt, GrayCause, SolidShare};
use bitwall::glam::{IVec2, UVec2, Vec2Swizzles};
use bitwall::load::Source;
use bitwall::tmx::PlacedMap;
use bitwall::{Aabb, Axis, Dir, Level};

rule! {
    /// # What it finds
    /// A level whose cells are all solid or all passable. A level without solids is not reported if it has
    /// one-way cells or an area that stops some bodies, or if `--allow-nothing-solid` is set. The rule
    /// `nothing-solid` reports maps without solids instead, and `shape-in-alpha` shapes on a transparent
    /// ground.
    ///
    /// # Why it matters
    /// No body can move in the level, or nothing stops a body. In most cases the wrong layer or file was
    /// exported, or black and white were exchanged.
    ///
    /// # How to fix
    /// Export the right layer. If the walls of the mask are light, use `--mask light`. If they are drawn on a
    /// transparent ground, use `--mask opaque`.
    BLANK_LEVEL(blank_level) = "LVL305" "blank-level" Error
}

fn blank_level(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    // The rule `shape-in-alpha` names the cause and gives better advice.
    let is_reported = check.options.levels.severity_of(&SHAPE_IN_ALPHA).is_some();
    let mut causes = check.gray_causes().iter();
    if is_reported && causes.any(|(cause, _)| *cause == GrayCause::ShapeInAlpha) {
        return None;
    }
    let level = &loaded.level;
    let stops_some = level.solid_areas().next().is_some()
        || Dir::ALL.iter().any(|side| level.one_way(*side).is_some_and(|it| it.solid_count() > 0));
    let state = match level.grid().solid_count() {
        0 if check.may_have_nothing_solid || stops_some => return None,
        0 => "passable",
        solid if solid == level.grid().cell_count() => "solid",
        _ => return None,
    };
    let finding = check.finding(format!("every cell is {state}"));
    check.push(match &loaded.source {
        Source::Mask(source) => finding
            .note(format!("solid pixels are chosen by the rule {}", source.rule))
            .help("export the right layer, or choose the rule with --mask"),
        _ => suggested(
            finding,
            Some(loaded),
            "check in Tiled which layers and tiles are marked as solid",
        ),
    });
    Some(())
}

rule! {
    /// # What it finds
    /// A level whose share of solid cells differs from its earlier revision by 10 percentage points or more.
    /// Also a difference of 2 points or more, if one share is at least twice the other. Also a level that was
    /// inverted: exactly as many cells are solid as were passable.
    ///
    /// # Why it matters
    /// One changed word can lose all walls: `sollid` on the tiles of a map changed its solid share from 29.4%
    /// to 0.5%, and the map still loads. A person who looks at the map in Tiled sees no change.
    ///
    /// # How to fix
    /// Look at the level with `bitwall render`, and at the difference with `bitwall diff`. If the change is
    /// intended, accept it: write the baseline again.
    SOLID_SHARE_JUMP(solid_share_jump) = "LVL310" "solid-share-jump" Warning needs(Base)
}

fn solid_share_jump(check: &Check<'_, '_>) -> Option<()> {
    let now = check.solid_share()?;
    let base = check.options.base?;
    if !is_jump(base, now) {
        return None;
    }
    let [before, after] = [base, now].map(|share| format!("{:.1}%", share.fraction() * 100.0));
    // A hundredth allows for some strokes beside the exchange.
    let is_inverted = (now.fraction() + base.fraction() - 1.0).abs() < 0.01;
    let inverted = "it looks inverted: as much is solid now as was passable before";
    let finding = check
        .finding(format!("{after} of the level is solid, {before} before"))
        .notes(is_inverted.then(|| inverted.to_owned()))
        .help("look at it with `bitwall diff`, and write the baseline again if it is meant");
    check.push(finding);
    Some(())
}

/// True if the shares differ by the thresholds of [`SOLID_SHARE_JUMP`] or more, or were exchanged exactly.
fn is_jump(one: SolidShare, other: SolidShare) -> bool {
    // In a small level, an exact exchange may be chance.
    let is_exact = one.cells == other.cells && one.cells.saturating_sub(one.solid) == other.solid;
    if is_exact && one.solid != other.solid && one.cells >= 4_096 {
        return true;
    }
    let [one, other] = [one, other].map(SolidShare::fraction);
    // A difference of exactly a threshold counts, also if rounding has made it smaller.
    let difference = (one - other).abs() + 1e-9;
    difference >= 0.1 || difference >= 0.02 && one.max(other) >= 2.0 * one.min(other)
}

rule! {
    /// # What it finds
    /// Cells along a side of the level that are not solid. The rule is off by default, because 79% of real
    /// levels have such gaps.
    ///
    /// # Why it matters
    /// If the outside of the level is open in the game, a body leaves the level through the gap. If it is
    /// solid, an invisible wall stops the body there.
    ///
    /// # How to fix
    /// Draw the wall. If the level is meant to have an exit there, allow the rule for it.
    OPEN_BORDER(open_border) = "LVL302" "open-border" Error off
}

fn open_border(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let level = &loaded.level;
    for side in Dir::ALL {
        let name = side_name(side);
        for Range { start, end } in gaps(level, side) {
            let gap = in_pixels(level, side, start..end);
            check.add_at(name, gap.clone(), || {
                let cell = cell_at(level, side, start);
                let place = match loaded.source {
                    Source::World => at_pixel(cell),
                    _ => pixel_place(loaded, level.cell_box(cell.as_ivec2()).min),
                };
                let excerpt = Excerpt::around(loaded, cell, "o = open", &|at| {
                    let along = if side.axis() == Axis::X { at.y } else { at.x };
                    at == cell_at(level, side, along) && is_open(level, side, along)
                });
                check
                    .finding(format!("the {name} side is open {gap}"))
                    .place(place)
                    .excerpt(excerpt)
                    .help("draw the wall, or turn the rule off if the level is meant to be left")
            });
        }
    }
    Some(())
}

/// Returns the ranges of rows or columns in which the cells at a side of the level are passable.
fn gaps(level: &Level, side: Dir) -> Vec<Range<u32>> {
    let length = match side.axis() {
        Axis::X => level.grid().height(),
        Axis::Y => level.grid().width(),
    };
    let open: Vec<u32> = (0..length).filter(|along| is_open(level, side, *along)).collect();
    let gaps = open.chunk_by(|one, next| one + 1 == *next);
    gaps.map(|gap| gap[0]..gap[0] + gap.len() as u32).collect()
}

/// True if the cell at a side of the level, in this row or column, is passable.
fn is_open(level: &Level, side: Dir, along: u32) -> bool {
    let UVec2 { x, y } = cell_at(level, side, along);
    !level.grid().is_solid(x, y)
}

fn cell_at(level: &Level, side: Dir, along: u32) -> UVec2 {
    let last = level.grid().size() - 1;
    match side {
        Dir::Left => UVec2::new(0, along),
        Dir::Right => UVec2::new(last.x, along),
        Dir::Up => UVec2::new(along, 0),
        Dir::Down => UVec2::new(along, last.y),
    }
}

fn in_pixels(level: &Level, side: Dir, gap: Range<u32>) -> String {
    let (axis, scale) = match side.axis() {
        Axis::X => ("y", level.cell_size().y),
        Axis::Y => ("x", level.cell_size().x),
    };
    format!("from {axis} {} to {axis} {}", gap.start * scale, gap.end * scale)
}

rule! {
    /// # What it finds
    /// Two neighbouring maps of a world that are 1 or 2 px apart, that overlap, or whose tiles are shifted
    /// along the common side by 1 or 2 px. Also a doorway at least a tile wide in one map that meets a wall
    /// of the other map, if both borders are mostly walls.
    ///
    /// # Why it matters
    /// A gap of a pixel is a slit in the floor, and a shift is a step on which the player stumbles. Where two
    /// maps overlap, the walls of both count. A doorway into a wall leads nowhere. The stages of an LDtk
    /// project with a linear layout are not compared: the editor alone lays them side by side.
    ///
    /// # How to fix
    /// Move the map in Tiled's world view; with snapping to the grid, it meets its neighbour. Open or close
    /// the doorway on both sides.
    WORLD_SEAM(world_seam) = "LVL313" "world-seam" Warning on(Map)
}

/// The largest gap or shift between two neighbouring maps of a world, in pixels, that counts as a mistake.
const SLIP: i32 = 2;

const MAX_MAPS: usize = 2_000;

/// The largest number of cells that the rule `world-seam` examines along the common sides of the maps of a
/// world.
const MAX_CELLS: u32 = 1 << 22;

/// A fault where two maps of a world meet. Findings are sorted by it, in the order of the variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SeamFault {
    Gap(i32),
    Overlap(i32),
    Shift(i32),
    Doorway,
}

impl SeamFault {
    /// Returns the kind, the headline and the help for a fault between these two maps.
    fn words(self, [one, other]: [&str; 2]) -> (&'static str, String, &'static str) {
        match self {
            Self::Gap(gap) => (
                "gap",
                format!("{one} and {other} are {gap} px apart"),
                "move one of the maps to the other",
            ),
            Self::Overlap(depth) => (
                "overlap",
                format!("{one} and {other} overlap by {depth} px"),
                "move one of the maps away",
            ),
            Self::Shift(shift) => (
                "shift",
                format!("{one} and {other} are shifted by {shift} px"),
                "move one of the maps along the seam",
            ),
            Self::Doorway => (
                "doorway",
                format!("a doorway from {one} to {other} has a wall in it"),
                "open it or close it on both sides",
            ),
        }
    }
}

/// Two maps of a world that do not meet correctly along a common side. The area is in pixels of the world.
struct Seam<'m> {
    fault: SeamFault,
    maps: [&'m PlacedMap; 2],
    area: Aabb,
}

fn world_seam(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded().filter(|it| matches!(it.source, Source::World))?;
    if is_linear(check) {
        return None;
    }
    let maps = check.first(Vec::from_iter(check.maps()), MAX_MAPS, "maps");
    let mut cells = MAX_CELLS;
    let mut seams = Vec::new();
    for (index, &one) in maps.iter().enumerate() {
        for &other in &maps[index + 1..] {
            // `seam_of` takes the left or upper map first, so both orders are tried.
            for turned in [false, true] {
                seams.extend(seam_of(&loaded.level, [one, other], turned, &mut cells));
                seams.extend(seam_of(&loaded.level, [other, one], turned, &mut cells));
            }
            seams.extend(overlap_of(one, other));
        }
    }
    if cells == 0 {
        check.give_up("its seams are too long");
    }
    seams.sort_by_key(|seam| (seam.fault, seam.area.min.y, seam.area.min.x));
    for Seam { fault, maps, area } in seams {
        let [one, other] = maps.map(|map| quoted(map.file.as_deref().unwrap_or_default()));
        let (kind, headline, help) = fault.words([&one, &other]);
        check.add(kind, format!("{one} and {other}"), || {
            let place = place_name(loaded, area.min);
            let finding = check.finding(headline).area(area);
            finding.note(format!("it is at {place} of the world's picture")).help(help)
        });
    }
    Some(())
}

/// The layouts of an LDtk project: that of its only world, or those of its worlds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LdtkLayouts {
    #[serde(default)]
    world_layout: Option<String>,
    #[serde(default)]
    worlds: Vec<LdtkLayouts>,
}

/// True if the level is of an LDtk project whose levels stand in a row in which no level leads to the next.
fn is_linear(check: &Check<'_, '_>) -> bool {
    let is_ldtk = check.path.extension().is_some_and(|end| end.eq_ignore_ascii_case("ldtk"));
    let project = serde_json::from_slice::<LdtkLayouts>(check.bytes);
    let Ok(LdtkLayouts { world_layout, worlds }) = project else {
        return false;
    };
    // Before LDtk 0.6 a project had no layout, and its levels no position.
    let layout = worlds.into_iter().next().map_or(world_layout, |world| world.world_layout);
    is_ldtk && layout.is_none_or(|layout| layout.starts_with("Linear"))
}

/// Swaps the x and y of `area` if `turned`. So [`seam_of`] can treat a map below another map like a map on
/// its right.
fn turn(area: Aabb, turned: bool) -> Aabb {
    if turned { Aabb { min: area.min.yx(), max: area.max.yx() } } else { area }
}

/// Returns the fault between the right side (if `turned`, the lower side) of the first map and the second
/// map; `None` if it has no fault. Subtracts the number of examined cells from `cells`.
fn seam_of<'m>(
    level: &Level,
    maps: [&'m PlacedMap; 2],
    turned: bool,
    cells: &mut u32,
) -> Option<Seam<'m>> {
    let [one, other] = maps.map(|placed| turn(placed.area, turned));
    let tile = maps.map(|placed| {
        let tile = placed.map.tile_size.as_ivec2();
        if turned { tile.yx() } else { tile }
    });
    let gap = other.min.x.checked_sub(one.max.x)?;
    let rows = one.min.y.max(other.min.y)..one.max.y.min(other.max.y);
    if !(0..=SLIP).contains(&gap) || (rows.len() as i64) < i64::from(tile[0].y) {
        return None;
    }
    let mut area = Aabb {
        min: IVec2::new(one.max.x, rows.start),
        max: IVec2::new(other.min.x.max(one.max.x + 1), rows.end),
    };
    let shift = (other.min.y - one.min.y).rem_euclid(tile[0].y.max(1));
    let shift = shift.min(tile[0].y - shift);
    let fault = if gap > 0 {
        SeamFault::Gap(gap)
    } else if tile[0] == tile[1] && (1..=SLIP).contains(&shift) && tile[0].y > 2 * SLIP {
        SeamFault::Shift(shift)
    } else {
        let doorway = doorway(level, one.max.x, rows, tile[0].y, turned, cells)?;
        area.min.y = doorway.start;
        area.max.y = doorway.end;
        SeamFault::Doorway
    };
    Some(Seam { fault, maps, area: turn(area, turned) })
}

/// Returns the rows (if `turned`, the columns) of the first doorway between two neighbouring maps: at least
/// `tile` pixels along their common side where only one map has a wall. `None` if there is no doorway, or if
/// the border of one map is not mostly walls. Also `None` when `cells`, the number of cells left to examine,
/// reaches 0.
fn doorway(
    level: &Level,
    seam: i32,
    rows: Range<i32>,
    tile: i32,
    turned: bool,
    cells: &mut u32,
) -> Option<Range<i32>> {
    let cell = level.cell_size().as_ivec2();
    let step = if turned { cell.x } else { cell.y };
    let count = (rows.len() as u32).div_ceil(step.max(1) as u32);
    *cells = cells.checked_sub(count).unwrap_or_default();
    if *cells == 0 {
        return None;
    }
    let mut sides = Vec::new();
    for y in rows.clone().step_by(step.max(1) as usize) {
        let both = [IVec2::new(seam - 1, y), IVec2::new(seam, y)];
        sides.push(both.map(|at| level.is_solid(if turned { at.yx() } else { at })));
    }
    // A gap is a doorway only between borders that are mostly walls.
    for side in [0, 1] {
        if sides.iter().filter(|solid| solid[side]).count() * 2 <= sides.len() {
            return None;
        }
    }
    for side in [0, 1] {
        let mut end = 0;
        for run in sides.chunk_by(|one, other| one[side] == other[side]) {
            let start = end;
            end += run.len();
            let is_doorway = run.iter().all(|solid| !solid[side] && solid[1 - side]);
            let is_long = run.len() as i64 * i64::from(step) >= i64::from(tile);
            // A gap at an end of the common side belongs to a corner, not to a doorway.
            let is_inside = start > 0 && end < sides.len();
            if is_doorway && is_long && is_inside {
                let [start, end] =
                    [start, end].map(|index| rows.start.saturating_add(index as i32 * step));
                return Some(start..end.min(rows.end));
            }
        }
    }
    None
}

/// Returns the fault of two maps that overlap; `None` if they do not.
fn overlap_of<'m>(one: &'m PlacedMap, other: &'m PlacedMap) -> Option<Seam<'m>> {
    let area = one.area.intersection(other.area);
    let depth = area.size().min_element();
    let fault = SeamFault::Overlap(depth as i32);
    (depth > 0).then_some(Seam { fault, maps: [one, other], area })
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::Grid;

    #[test]
    fn a_solid_share_jumps_by_ten_points_or_by_two_points_and_a_factor_of_two() {
        let share = |solid| SolidShare::new(solid, 1_000);
        for (one, other, expected) in [
            (294, 5, true),
            (300, 400, true),
            (300, 399, false),
            (20, 40, true),
            (19, 38, false),
            (41, 21, false),
            (0, 20, true),
            (0, 19, false),
            (500, 500, false),
        ] {
            assert_eq!(is_jump(share(one), share(other)), expected, "{one} {other}");
            assert_eq!(is_jump(share(other), share(one)), expected, "{one} {other}");
        }
        let (none, all) = (SolidShare::new(0, u64::MAX), SolidShare::new(u64::MAX, u64::MAX));
        assert!(is_jump(none, all) && !is_jump(all, all));
        assert!(!is_jump(SolidShare::new(0, 0), SolidShare::new(0, 0)));
        // A level that is half solid, inverted.
        let [half, inverse] = [2_100, 1_996].map(|solid| SolidShare::new(solid, 4_096));
        assert!(is_jump(half, inverse) && !is_jump(half, half));
        assert!(!is_jump(half, SolidShare::new(1_997, 4_096)));
        // Levels of different sizes are compared by their shares of solid cells.
        assert!(!is_jump(SolidShare::new(1, 4), SolidShare::new(250, 1_000)));
    }

    #[test]
    fn the_gaps_in_a_side_are_exactly_its_passable_cells() {
        let mut random = fastrand::Rng::with_seed(41);
        for _ in 0..300 {
            let mut grid = Grid::new(random.u32(1..140), random.u32(1..140)).unwrap();
            for _ in 0..random.u32(0..40) {
                let (column, row) = (random.u32(0..grid.width()), random.u32(0..grid.height()));
                grid.fill(0..u32::MAX, row..row + 1, random.bool()).unwrap();
                grid.fill(column..column + 1, 0..u32::MAX, random.bool()).unwrap();
            }
            let level = Level::from_grid(grid, UVec2::ONE).unwrap();
            for side in Dir::ALL {
                let gaps = gaps(&level, side);
                let touching = gaps.windows(2).any(|two| two[0].end >= two[1].start);
                assert!(!touching, "{gaps:?}");
                let size = level.grid().size();
                for along in 0..if side.axis() == Axis::X { size.y } else { size.x } {
                    let cell = cell_at(&level, side, along);
                    let open = gaps.iter().any(|gap| gap.contains(&along));
                    assert_eq!(open, !level.grid().is_solid(cell.x, cell.y), "{side:?}");
                }
            }
        }
    }
}
