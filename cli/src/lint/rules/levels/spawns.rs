//! The rules for the markers of a level, and the words for markers, bodies and places that other rules share.
//!
//! A marker is where the level says; no rule here asks where a body gets from there.

use std::cell::OnceCell;

use crate::lint::config::{BodySpec, MarkerRole, MarkerSpec};
use crate::lint::finding::{Finding, at_object, at_pixel};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::Subject;
use bitwall::analyze::{FreeSpace, TooComplex, free_space, standing};
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::{Place, Source};
use bitwall::text::{counted, printable, px};
use bitwall::tmx::{LayerContent, Object};
use bitwall::{Aabb, Dir, Level, LoadedLevel, Marker};

/// The rules of this file with their checks.
pub(super) static CHECKS: &[(&LintRule, Check)] = &[
    (&SPAWN_IN_SOLID, spawn_in_solid),
    (&SPAWN_IN_AIR, spawn_in_air),
    (&MARKER_CONTRACT, marker_contract),
];

// Facts and words that several rules of levels share: where a body stands at a marker, which areas are
// rooms, and how a place of the level is named.

/// The positions of a body of this size that overlap a marker; for a point, the pixel that holds it.
pub(super) fn touching(marker: &Marker, size: UVec2) -> Aabb {
    let size = size.as_ivec2().max(IVec2::ONE);
    let end = marker.area.max.max(marker.area.min.saturating_add(IVec2::ONE));
    Aabb { min: marker.area.min.saturating_sub(size - 1), max: end }
}

/// The pixels of a marker that a body must overlap to take it. A side without length counts with the pixels
/// on both sides of it: a point that is drawn on the floor's line or on the edge of the map is taken.
pub(super) fn target(marker: &Marker) -> Aabb {
    let Aabb { min, max } = marker.area;
    let is_flat = max.cmple(min);
    Aabb {
        min: IVec2::select(is_flat, min.saturating_sub(IVec2::ONE), min),
        max: IVec2::select(is_flat, min.saturating_add(IVec2::ONE), max),
    }
}

/// The largest number of bodies that a rule looks at.
const MAX_BODIES: usize = 4;

/// The findings of a rule that looks at one body after the other; it gives up where the level is too complex.
pub(super) fn for_bodies(
    subject: &Subject<'_>,
    rule: &'static LintRule,
    of_body: impl Fn(&LoadedLevel, &BodySpec) -> Result<Option<Finding>, TooComplex>,
) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let bodies = subject.bodies();
    if bodies.len() > MAX_BODIES {
        let count = bodies.len();
        subject
            .give_up(rule, format!("of {count} bodies only the first {MAX_BODIES} were looked at"));
    }
    let mut findings = Vec::new();
    for body in bodies.iter().take(MAX_BODIES) {
        match of_body(loaded, body) {
            Ok(finding) => findings.extend(finding),
            Err(error) => subject.give_up(rule, error.to_string()),
        }
    }
    findings
}

/// The areas in which a body can stand at one of the markers, rising.
pub(super) fn areas_at(free: &FreeSpace, markers: &[&Marker]) -> Vec<usize> {
    let at = |marker: &&Marker| standing(marker, free.body()).map(|body| free.area_at(body.min));
    let mut areas: Vec<usize> = markers.iter().flat_map(at).flatten().collect();
    areas.sort_unstable();
    areas.dedup();
    areas
}

/// The place of a pixel of the level in its file: a cell of a map, a pixel of a mask.
pub(super) fn pixel_place(loaded: &LoadedLevel, pixel: IVec2) -> Place {
    let level = &loaded.level;
    match &loaded.source {
        Source::Map(_) => {
            let cell = level.cell_at(pixel).saturating_add(level.first_cell());
            Place { cell: Some(cell.into()), ..Place::default() }
        }
        // A world has no cells of its own; the texts name the pixels.
        Source::World(_) => Place::default(),
        _ => at_pixel(pixel.max(IVec2::ZERO).as_uvec2()),
    }
}

/// The place of a marker in its file.
pub(super) fn marker_place(loaded: &LoadedLevel, marker: &Marker) -> Place {
    Place {
        layer: Some(marker.layer.clone()),
        object: Some(marker.object),
        ..pixel_place(loaded, marker.position())
    }
}

/// The marker in words: `spawn`, at most 20 letters.
pub(super) fn marker_name(marker: &Marker) -> String {
    quoted(&marker.name)
}

/// A marker in words that tell it from others of its name.
pub(super) fn marker_id(marker: &Marker) -> String {
    format!("{}, object {} of `{}`", marker_name(marker), marker.object, printable(&marker.layer))
}

/// A name in quotes, at most 20 letters of it.
pub(super) fn quoted(name: &str) -> String {
    let mut name = printable(name).to_string();
    if name.chars().count() > 20 {
        name = name.chars().take(19).chain(['…']).collect();
    }
    format!("`{name}`")
}

/// The body in words: `a body of 12 x 20 px`, with its name if it has one.
pub(super) fn body_name(body: &BodySpec) -> String {
    let size = px(body.size);
    // A body of the command line is named by its own numbers.
    let typed = format!("{}x{}", body.size.x, body.size.y);
    match &*body.name {
        name if name.is_empty() || name.starts_with(&typed) => format!("a body of {size}"),
        name => format!("{} ({size})", quoted(name)),
    }
}

/// A pixel of the level in words, `x 12, y 20`: in the map's own pixels, as Tiled shows them, which in an
/// infinite map may be negative; in a mask or a world in those of its picture.
pub(in crate::lint::rules) fn place_name(loaded: &LoadedLevel, pixel: IVec2) -> String {
    let pixel = match &loaded.source {
        Source::Map(_) => pixel.saturating_add(loaded.level.origin()),
        _ => pixel,
    };
    format!("x {}, y {}", pixel.x, pixel.y)
}

// Spawns at which a body overlaps a solid.

rule! {
    /// # What it finds
    /// A spawn at which no declared body fits: neither with the marker as its middle, nor as its feet, nor as
    /// its top-left corner; and in a rectangle, nowhere. Without a body, a point whose pixel and three
    /// neighbours are solid. Spawns are the markers that `[[verify.marker]]` declares as `spawn`, or else the
    /// points named `player`, `spawn`, `start` or `hero`.
    ///
    /// # Why it matters
    /// The body starts in a wall. It cannot move, or it is pushed out on a side that nobody chose.
    ///
    /// # How to fix
    /// Move the marker; the finding says how far and where to.
    SPAWN_IN_SOLID = "LVL301" "spawn-in-solid" Error on(Map) needs(Spawn)
}

/// The largest number of spawns that are looked at in a level.
const MAX_SPAWNS: usize = 1_000;

fn spawn_in_solid(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(loaded) = subject.loaded() else {
        return Vec::new();
    };
    let grid = loaded.level.grid();
    if grid.solid_count() == grid.cell_count() {
        // Another rule reports it, and no place is better.
        return Vec::new();
    }
    let stated = subject.options.markers.iter().any(|spec| spec.role == MarkerRole::Spawn);
    let mut spawns = subject.spawns();
    // An area may be the place of many bodies, and only a point is the place of one.
    spawns.retain(|marker| stated || marker.is_point);
    if spawns.len() > MAX_SPAWNS {
        subject.give_up(&SPAWN_IN_SOLID, format!("it has more than {MAX_SPAWNS} spawns"));
    }
    spawns.truncate(MAX_SPAWNS);
    let bodies = subject.bodies();
    let mut fits = vec![false; spawns.len()];
    if bodies.is_empty() {
        for (spawn, fits) in spawns.iter().zip(&mut fits) {
            *fits = is_free_point(&loaded.level, spawn);
        }
    }
    for body in bodies {
        let free = OnceCell::new();
        let free = || free.get_or_init(|| free_space(loaded.level.terrain(), body.size));
        for (spawn, fits) in spawns.iter().zip(&mut fits) {
            *fits |= fits_at(&loaded.level, spawn, body.size, &free);
        }
    }
    let bad: Vec<&Marker> =
        spawns.iter().zip(fits).filter(|(_, fits)| !fits).map(|(spawn, _)| *spawn).collect();
    solid_finding(subject, loaded, bodies.first(), &bad).into_iter().collect()
}

/// True if the body is free at the marker, in one of the ways that games stand it there.
fn fits_at<'f>(
    level: &Level,
    marker: &Marker,
    size: UVec2,
    free: &impl Fn() -> &'f Result<FreeSpace, TooComplex>,
) -> bool {
    if standing(marker, size).iter().any(|body| !level.overlaps(*body)) {
        return true;
    }
    if marker.is_point {
        return false;
    }
    // In a rectangle, anywhere within; a level that is too complex to tell is not at fault.
    let positions = Aabb {
        min: marker.area.min,
        max: marker.area.max.saturating_sub(size.as_ivec2()).saturating_add(IVec2::ONE),
    };
    let is_free = |free: &FreeSpace| !free.areas_within(positions).is_empty();
    !positions.is_empty() && free().as_ref().is_ok_and(is_free)
}

/// True unless the four pixels around the point are solid, so that a point on the edge of a wall is free; for
/// a rectangle, unless all its pixels are.
fn is_free_point(level: &Level, marker: &Marker) -> bool {
    let area = match marker.is_point {
        true => touching(marker, UVec2::splat(2)),
        false => marker.area,
    };
    level.solid_area(area) < u64::from(area.width()) * u64::from(area.height())
}

fn solid_finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: Option<&BodySpec>,
    bad: &[&Marker],
) -> Option<Finding> {
    let first = bad.first()?;
    let name = marker_name(first);
    let headline = match bad.len() {
        1 => format!("the spawn {name} is in a solid"),
        count => format!("{count} spawns are in solids, first {name}"),
    };
    let size = body.map_or(UVec2::ONE, |body| body.size);
    let [middle, ..] = standing(first, size);
    let mut finding = Finding::new(&SPAWN_IN_SOLID, subject.path, headline)
        .of_named("", bad.iter().map(|marker| marker_id(marker)))
        .place(marker_place(loaded, first))
        .area(middle);
    if let Some(body) = body {
        finding = finding.note(format!("{} overlaps a solid there", body_name(body)));
    }
    let way = nearest(&loaded.level, first, size);
    Some(match way {
        Some((distance, dir)) => {
            finding.help(format!("move it {distance} px {dir}: there {} are free", px(size)))
        }
        None => finding.help("move it out of the solid"),
    })
}

/// The least distance at which the body is free, and its direction.
fn nearest(level: &Level, marker: &Marker, size: UVec2) -> Option<(u32, Dir)> {
    let limit = level.size().max_element();
    let ways = standing(marker, size).into_iter().flat_map(|body| {
        let free = move |dir| Some((level.nearest_free(body, dir, limit)?, dir));
        Dir::ALL.into_iter().filter_map(free)
    });
    ways.min_by_key(|(distance, _)| *distance)
}

// Spawns without a floor below them.

rule! {
    /// # What it finds
    /// A spawn from which a body falls: with no floor within four times its height below it. Stand the marker
    /// as the body's middle, its feet or its top-left corner, whichever is nearest to a floor. It is off by
    /// default, because it is about games with gravity only.
    ///
    /// # Why it matters
    /// The level starts with a fall, or with a death where there is no floor at all.
    ///
    /// # How to fix
    /// Move the marker down to the floor, or draw the floor.
    SPAWN_IN_AIR = "LVL304" "spawn-in-air" Warning on(Map) needs(Body, Spawn) off
}

/// The largest fall, in heights of the body.
const MAX_FALL: u32 = 4;

fn spawn_in_air(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(loaded), Some(body)) = (subject.loaded(), subject.bodies().first()) else {
        return Vec::new();
    };
    let spawns = subject.spawns();
    let falls = |marker| Some((marker, fall(&loaded.level, marker, body)?));
    let bad: Vec<(&Marker, u32)> = spawns.into_iter().filter_map(falls).collect();
    air_finding(subject, loaded, body, &bad).into_iter().collect()
}

/// The pixels that the body falls, if they are too many; `u32::MAX` without a floor. `None` for a body that
/// starts in a solid, which another rule reports.
fn fall(level: &Level, marker: &Marker, body: &BodySpec) -> Option<u32> {
    let free = standing(marker, body.size).into_iter().filter(|body| !level.overlaps(*body));
    let fall = free.map(|body| {
        let sweep = level.sweep(body, Dir::Down, level.size().y.saturating_mul(2));
        if sweep.contact.is_some() { sweep.moved } else { u32::MAX }
    });
    fall.min().filter(|fall| *fall > body.size.y.saturating_mul(MAX_FALL))
}

fn air_finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: &BodySpec,
    bad: &[(&Marker, u32)],
) -> Option<Finding> {
    let (first, fall) = bad.first()?;
    let name = marker_name(first);
    let headline = match (bad.len(), *fall) {
        (1, u32::MAX) => format!("there is no floor below the spawn {name}"),
        (1, fall) => format!("the floor is {fall} px below the spawn {name}"),
        (count, _) => format!("{count} spawns are in the air, first {name}"),
    };
    let [middle, ..] = standing(first, body.size);
    Some(
        Finding::new(&SPAWN_IN_AIR, subject.path, headline)
            .of_named("", bad.iter().map(|(marker, _)| marker_id(marker)))
            .place(marker_place(loaded, first))
            .area(middle)
            .note(format!("{} falls there", body_name(body)))
            .help("move the spawn to the floor, or draw the floor"),
    )
}

// Markers that the game looks for and that a level has too few or too many of.

rule! {
    /// # What it finds
    /// A level with fewer or more objects of a name than `[[verify.marker]]` states by `at-least` and
    /// `at-most`. Every object counts: points, rectangles, tiles. A world needs `at-least` in all its maps
    /// together, and may have `at-most` in each of them, which is reported for the map.
    ///
    /// # Why it matters
    /// The game looks for its markers by name. Without its spawn a level does not start; with two, the game
    /// takes one of them, and not always the same.
    ///
    /// # How to fix
    /// Add the object or delete the one too many. If the level may differ, state other numbers for it.
    MARKER_CONTRACT = "LVL303" "marker-contract" Error on(Map) needs(Marker)
}

fn marker_contract(subject: &Subject<'_>) -> Vec<Finding> {
    let specs = subject.options.markers.iter();
    specs.filter_map(|spec| contract_finding(subject, spec)).take(MOST_FINDINGS).collect()
}

fn contract_finding(subject: &Subject<'_>, spec: &MarkerSpec) -> Option<Finding> {
    let is_world = matches!(subject.loaded()?.source, Source::World(_));
    let at_most = spec.at_most.filter(|_| !is_world);
    let (mut count, mut last) = (0_u32, None);
    for_each_object(subject, |layer, object| {
        if spec.matches(&object.name) {
            count = count.saturating_add(1);
            // The first one that is too many.
            if at_most.is_some_and(|most| count == most.saturating_add(1)) {
                last = Some(at_object(layer, object));
            }
        }
    });
    let name = quoted(&spec.name);
    let finding = |headline| Finding::new(&MARKER_CONTRACT, subject.path, headline);
    let needed = match at_most {
        Some(most) if most == spec.at_least => most.to_string(),
        Some(most) => format!("{} to {most}", spec.at_least),
        None => format!("{} or more", spec.at_least),
    };
    let note = format!("the configuration asks for {needed}");
    if count < spec.at_least {
        let headline = match count {
            0 => format!("there is no object {name}"),
            _ => format!("there are too few objects {name}: {count}"),
        };
        let help = format!("add {}", counted((spec.at_least - count).into(), "object"));
        let finding = finding(headline).of_many(name, (spec.at_least - count).into());
        return Some(finding.note(note).help(format!("{help} of this name")));
    }
    let most = at_most.filter(|most| count > *most)?;
    let headline = format!("there are too many objects {name}: {count}");
    let help = format!("delete or rename {}", counted((count - most).into(), "object"));
    let finding = finding(headline).of_many(format!("many {name}"), (count - most).into());
    Some(finding.place(last.unwrap_or_default()).note(note).help(help))
}

/// Calls `found` with each object of the maps and the name of its layer.
fn for_each_object(subject: &Subject<'_>, mut found: impl FnMut(&str, &Object)) {
    for placed in subject.maps() {
        for context in placed.map.walk() {
            if let LayerContent::Objects(layer) = &context.layer.content {
                layer.objects.iter().for_each(|object| found(&context.path, object));
            }
        }
    }
}
