//! Spawns at which a body overlaps a solid.

use std::cell::OnceCell;

use bitwall::glam::{IVec2, UVec2};

use super::places::{body_of, id_of, name_of, place_of_marker, touching};
use crate::lint::finding::Finding;
use crate::lint::options::{BodySpec, MarkerRole};
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::analyze::{FreeSpace, TooComplex, free_space, standing};
use bitwall::text::px;
use bitwall::{Aabb, Dir, Level, LoadedLevel, Marker};

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

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
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
    finding(subject, loaded, bodies.first(), &bad).into_iter().collect()
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

fn finding(
    subject: &Subject<'_>,
    loaded: &LoadedLevel,
    body: Option<&BodySpec>,
    bad: &[&Marker],
) -> Option<Finding> {
    let first = bad.first()?;
    let name = name_of(first);
    let headline = match bad.len() {
        1 => format!("the spawn {name} is in a solid"),
        count => format!("{count} spawns are in solids, first {name}"),
    };
    let size = body.map_or(UVec2::ONE, |body| body.size);
    let [middle, ..] = standing(first, size);
    let mut finding = Finding::new(&SPAWN_IN_SOLID, subject.path, headline)
        .of_named("", bad.iter().map(|marker| id_of(marker)))
        .at(place_of_marker(loaded, first))
        .area(middle);
    if let Some(body) = body {
        finding = finding.note(format!("{} overlaps a solid there", body_of(body)));
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
