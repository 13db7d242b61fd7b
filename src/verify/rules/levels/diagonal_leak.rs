//! Walls that are closed in a corner only.

use std::collections::BTreeMap;

use glam::UVec2;

use super::places::{at, body_of, place_of};
use crate::analyze::{CellKind, Components, Connectivity, Joint, components, joints};
use crate::text::px;
use crate::verify::excerpt::Excerpt;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::spec::BodySpec;
use crate::verify::subject::Subject;
use crate::{Aabb, LoadedLevel};

rule! {
    /// # What it finds
    /// Two solid cells that touch in a corner only, where this corner alone closes the wall between two
    /// areas: everywhere else the wall is closed along edges. Both areas must have room for a declared body
    /// to move. Masks are left out: slanted lines are drawn that way. It is off by default: in 10 of 295 real
    /// levels it finds such corners, and none of the four that were looked at needs a change.
    ///
    /// # Why it matters
    /// bitwall lets nothing through such a corner. A game that moves tile by tile, or that lets rays and
    /// diagonal steps pass there, has a hole in the wall.
    ///
    /// # How to fix
    /// Make one of the two passable cells solid, or open the wall for good.
    DIAGONAL_LEAK = "LVL309" "diagonal-leak" Warning on(Map) needs(Body) off
}

/// The largest number of joints between two areas of which each is an oversight; more are a style of drawing.
const MAX_JOINTS: usize = 2;

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(loaded), Some(body)) = (subject.loaded(), subject.bodies().first()) else {
        return Vec::new();
    };
    let grid = loaded.level.grid();
    let parts = components(grid, CellKind::Passable, Connectivity::Four);
    let (joints, parts) = match (joints(grid), parts) {
        (Ok(joints), Ok(parts)) => (joints, parts),
        (Err(error), _) | (_, Err(error)) => {
            subject.give_up(&DIAGONAL_LEAK, error.to_string());
            return Vec::new();
        }
    };
    let mut by_areas = BTreeMap::<[usize; 2], Vec<Joint>>::new();
    for joint in joints {
        if let Some(areas) = joint.parted(&parts)
            && areas.iter().all(|area| is_room(loaded, &parts, *area, body.size))
        {
            by_areas.entry(areas).or_default().push(joint);
        }
    }
    by_areas.retain(|_, joints| joints.len() <= MAX_JOINTS);
    finding(subject, loaded, body, &parts, &by_areas).into_iter().collect()
}

/// True if a body has room to move in a part of the cells.
fn is_room(loaded: &LoadedLevel, parts: &Components, part: usize, body: UVec2) -> bool {
    let Some(part) = parts.parts().get(part) else {
        return false;
    };
    let size = part.size().as_u64vec2() * loaded.level.cell_size().as_u64vec2();
    let body = body.as_u64vec2();
    size.cmpge(body).all() && size.cmpge(body * 2).any()
}

fn finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
    parts: &Components,
    by_areas: &BTreeMap<[usize; 2], Vec<Joint>>,
) -> Option<Finding> {
    let (areas, joints) = by_areas.iter().next()?;
    let joint = joints.first()?;
    let count = by_areas.values().map(Vec::len).sum::<usize>();
    let headline = match count {
        1 => "a wall is closed in a corner only".to_owned(),
        _ => format!("walls are closed in corners only, in {count} places"),
    };
    let level = &loaded.level;
    let corner = |joint: &Joint| joint.cell.as_ivec2().saturating_mul(level.cell_size().as_ivec2());
    let joints = by_areas.values().flatten();
    let cell = level.cell_size().as_ivec2();
    let first = corner(joint);
    let around = Aabb { min: first - cell, max: first.saturating_add(cell) };
    let size = |area: usize| {
        let cells = parts.parts().get(area).map_or(UVec2::ZERO, |part| part.size());
        px(cells * level.cell_size())
    };
    let passable = joint.passable();
    let excerpt =
        Excerpt::around(loaded, joint.cell, "x = passable cells at the corner", |x, y| {
            passable.contains(&UVec2::new(x, y))
        });
    Some(
        Finding::new(&DIAGONAL_LEAK, subject.path, headline)
            .of_places(format!("`{}`", body.name), joints.map(|joint| at(loaded, corner(joint))))
            .at(place_of(loaded, first))
            .area(around)
            .excerpt(excerpt)
            .note(format!("it parts areas of {} and {}", size(areas[0]), size(areas[1])))
            .note(format!("{} has room in both", body_of(body)))
            .help("make one of the two passable cells solid, or open the wall"),
    )
}
