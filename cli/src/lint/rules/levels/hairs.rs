//! The rule for steps of one pixel between solid rectangles drawn as objects. Ignores tiles, whose edges are
//! where their artist drew them.

use std::collections::BTreeSet;

use crate::lint::finding::{Excerpt, Finding, in_layer};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::Check;
use crate::lint::rules::levels::borders::side_name;
use crate::lint::rules::levels::spawns::{pixel_place, place_name};
use crate::lint::subject::Subject;
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::text::counted;
use bitwall::tmx::Shape;
use bitwall::{Aabb, Dir, Level};

pub(in crate::lint::rules) static CHECKS: &[(&LintRule, Check)] = &[(&HAIR, hair)];

rule! {
    /// # What it finds
    /// Two solid rectangles, drawn as objects, that form one straight floor, ceiling or wall, if one of them
    /// stands out by a single pixel. Both edges are straight and free for at least 8 pixels on each side of
    /// the step.
    ///
    /// # Why it matters
    /// A body that moves along the wall stops at the step, and the player does not see why. The rectangles
    /// were drawn by hand, or at fractions of a pixel.
    ///
    /// # How to fix
    /// Give both edges the same coordinate: snap the objects to the grid in Tiled.
    HAIR = "LVL317" "hair" Warning on(Map)
}

/// The smallest length, in pixels, of the straight edge on each side of a step.
const LEAST_EDGE: i32 = 8;

/// The largest number of pairs of rectangle edges that are compared in the search for steps.
const MOST_PAIRS: usize = 1 << 20;

/// An edge of a rectangle, in pixels. The first number is the y of the outermost solid pixels at a horizontal
/// edge, or their x at a vertical edge. The others are the start and the end of its half-open range along the
/// edge.
type Edge = (i32, i32, i32);

fn hair(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (loaded, survey) = (subject.loaded()?, subject.survey()?);
    let level = &loaded.level;
    if level.cell_size() != UVec2::ONE {
        return None;
    }
    let mut areas = Vec::new();
    for layer in &survey.layers {
        for it in layer.objects.iter().filter(|it| it.stops && !it.is_of_area) {
            let object = it.object;
            let is_straight = object.rotation.millionths() == 0 && object.gid.is_none();
            if is_straight && matches!(object.shape, Shape::Rectangle) {
                let place = in_layer(&layer.context.path, object.line);
                let place = Place { object: Some(object.id), ..place };
                areas.push((it.area.translated(-level.origin()), place));
            }
        }
    }
    let mut findings = Vec::new();
    let mut pairs = 0;
    for side in Dir::ALL {
        let corners = steps(level, side, &areas, &mut pairs);
        if pairs == MOST_PAIRS {
            subject.give_up(rule, "too many rectangles lie side by side");
        }
        let Some((first, number)) = corners.first().copied() else {
            continue;
        };
        let name = side_name(side);
        let steps = counted(corners.len() as u64, "step");
        let mut places = corners.iter().map(|(corner, _)| place_name(loaded, *corner));
        findings.push(
            subject
                .finding(
                    rule,
                    format!("{steps} of one pixel in the straight {name} of solid rectangles"),
                )
                .of_places(name, &mut places)
                .place(Place { cell: pixel_place(loaded, first).cell, ..areas[number].1.clone() })
                .area(Aabb { min: first, max: first + 1 })
                .excerpt(Excerpt::around(loaded, first.as_uvec2(), "o = step", &|cell| {
                    cell == first.as_uvec2()
                }))
                .note(format!("the first is at {}, where a body stops", place_name(loaded, first)))
                .help("give both edges the same coordinate, by the grid of Tiled"),
        );
    }
    Some(findings)
}

/// Returns the pixels that stop a body when it moves along the straight `side` of solid rectangles. Each
/// comes with the index of its rectangle in `areas`. Adds the number of compared edges to `pairs`, and
/// returns nothing once it reaches [`MOST_PAIRS`]. O(n log n + pairs) for n rectangles.
fn steps(
    level: &Level,
    side: Dir,
    areas: &[(Aabb, Place)],
    pairs: &mut usize,
) -> Vec<(IVec2, usize)> {
    let out = side.vector();
    let is_floor = out.x == 0;
    let pixel = |along: i32, across: i32| match is_floor {
        true => IVec2::new(along, across),
        false => IVec2::new(across, along),
    };
    let outward = out.x + out.y;
    let edge = |area: &Aabb| -> Edge {
        let (min, max) = (area.min, area.max - 1);
        let (mut across, mut from, mut to) = match side {
            Dir::Up => (min.y, min.x, max.x),
            Dir::Down => (max.y, min.x, max.x),
            Dir::Left => (min.x, min.y, max.y),
            Dir::Right => (max.x, min.y, max.y),
        };
        // The coordinates of a rectangle may be fractions of a pixel. Then its box may be one pixel larger
        // than its solid pixels.
        let is_solid = |along, across| level.is_solid(pixel(along, across));
        across -= if is_solid((from + to) / 2, across) { 0 } else { outward };
        from += i32::from(!is_solid(from, across));
        to -= i32::from(!is_solid(to, across));
        (across, from, to + 1)
    };
    let edges: BTreeSet<(Edge, usize)> =
        areas.iter().enumerate().map(|(number, (area, _))| (edge(area), number)).collect();
    let mut found = BTreeSet::new();
    for (low @ (across, _, end), number) in &edges {
        for by in [-1, 1] {
            // Of two edges that form a step, the second starts where the first ends, or up to `LEAST_EDGE`
            // pixels before.
            let from = ((across + by, end - LEAST_EDGE, i32::MIN), 0);
            let to = ((across + by, *end, i32::MAX), usize::MAX);
            for (high, other) in edges.range(from..=to) {
                *pairs += 1;
                if *pairs >= MOST_PAIRS {
                    *pairs = MOST_PAIRS;
                    return Vec::new();
                }
                // Of the two edges, the one that stands out: its coordinate, the pixel where it ends at the
                // step, the direction to the other edge, and the index of its rectangle.
                let (top, corner, way, number) = match by == outward {
                    true => (high.0, high.1, -1, *other),
                    false => (low.0, end - 1, 1, *number),
                };
                let is_step = (0..LEAST_EDGE).all(|step| {
                    let (beside, along) = (corner + way * (1 + step), corner - way * step);
                    level.is_solid(pixel(along, top))
                        && !level.is_solid(pixel(along, top + outward))
                        && !level.is_solid(pixel(beside, top + outward))
                        && !level.is_solid(pixel(beside, top))
                        && level.is_solid(pixel(beside, top - outward))
                });
                if is_step {
                    let corner = pixel(corner, top);
                    found.insert(((corner.y, corner.x), number));
                }
            }
        }
    }
    found.into_iter().map(|((y, x), number)| (IVec2::new(x, y), number)).collect()
}
