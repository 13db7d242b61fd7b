//! The rule for steps of one pixel between solid rectangles drawn as objects. Ignores tiles, whose edges are
//! where their artist drew them.

use std::collections::{BTreeMap, BTreeSet};

use crate::lint::rules::{at_object, pixel_place, place_name, side_name};
use crate::lint::{Check, Excerpt};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::tmx::Shape;
use bitwall::{Aabb, Axis, Dir, Level};

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
    HAIR(hair) = "LVL317" "hair" Warning on(Map)
}

/// The smallest length, in pixels, of the straight edge on each side of a step.
const LEAST_EDGE: i32 = 8;

/// An edge of a rectangle, in pixels.
struct Edge {
    /// The y of the outermost solid pixels at a horizontal edge, or their x at a vertical edge.
    across: i32,
    /// The half-open range along the edge.
    from: i32,
    to: i32,
}

fn hair(check: &Check<'_, '_>) -> Option<()> {
    let loaded = check.loaded()?;
    let level = &loaded.level;
    if level.cell_size() != UVec2::ONE {
        return None;
    }
    let mut areas = Vec::new();
    for layer in &check.survey()?.layers {
        for it in layer.objects.iter().filter(|it| it.stops && !it.is_of_area) {
            let object = it.object;
            let is_straight = object.rotation.millionths() == 0 && object.gid.is_none();
            if is_straight && matches!(object.shape, Shape::Rectangle) {
                let place = at_object(&layer.context.path, object);
                areas.push((it.bounds.translated(-level.origin()), place));
            }
        }
    }
    for side in Dir::ALL {
        let name = side_name(side);
        for ((y, x), number) in steps(level, side, &areas) {
            let pixel = IVec2::new(x, y);
            let spot = place_name(loaded, pixel);
            check.add_at(name, spot.clone(), || {
                let cell = pixel.as_uvec2();
                let excerpt = Excerpt::around(loaded, cell, "o = step", &|at| at == cell);
                let place = pixel_place(loaded, pixel);
                let headline =
                    format!("a step of one pixel in the straight {name} of solid rectangles");
                check
                    .finding(headline)
                    .place(Place { cell: place.cell, ..areas[number].1.clone() })
                    .area(Aabb { min: pixel, max: pixel + 1 })
                    .excerpt(excerpt)
                    .note(format!("it is at {spot}, where a body stops"))
                    .help("give both edges the same coordinate, by the grid of Tiled")
            });
        }
    }
    Some(())
}

/// Returns the pixels, as y and x, that stop a body when it moves along the straight `side` of solid
/// rectangles. Each comes with the index of its rectangle in `areas`. O(n log n) for n rectangles.
fn steps(level: &Level, side: Dir, areas: &[(Aabb, Place)]) -> BTreeMap<(i32, i32), usize> {
    let edges: Vec<Edge> = areas.iter().map(|(area, _)| edge(level, side, area)).collect();
    let starts: BTreeSet<(i32, i32)> = edges.iter().map(|it| (it.across, it.from)).collect();
    let ends: BTreeSet<(i32, i32)> = edges.iter().map(|it| (it.across, it.to)).collect();
    let mut found = BTreeMap::new();
    for (number, Edge { across, from, to }) in edges.iter().enumerate() {
        // The edge beside the step is one pixel further in. It ends at the step, or under this rectangle.
        let low = across - outward(side);
        let before = ends.range((low, *from)..=(low, from + LEAST_EDGE)).next();
        if before.is_some() && is_step(level, side, *across, *from, -1) {
            let corner = pixel(side, *from, *across);
            found.entry((corner.y, corner.x)).or_insert(number);
        }
        let behind = starts.range((low, to - LEAST_EDGE)..=(low, *to)).next();
        if behind.is_some() && is_step(level, side, *across, to - 1, 1) {
            let corner = pixel(side, to - 1, *across);
            found.entry((corner.y, corner.x)).or_insert(number);
        }
    }
    found
}

/// Returns the edge of a rectangle with the box `area` at its `side`. The coordinates of a rectangle may be
/// fractions of a pixel, so its box may be one pixel larger than its solid pixels.
fn edge(level: &Level, side: Dir, area: &Aabb) -> Edge {
    let min = area.min;
    let max = area.max - 1;
    let [mut across, mut from, mut to] = match side {
        Dir::Up => [min.y, min.x, max.x],
        Dir::Down => [max.y, min.x, max.x],
        Dir::Left => [min.x, min.y, max.y],
        Dir::Right => [max.x, min.y, max.y],
    };
    if !level.is_solid(pixel(side, (from + to) / 2, across)) {
        across -= outward(side);
    }
    from += i32::from(!level.is_solid(pixel(side, from, across)));
    to -= i32::from(!level.is_solid(pixel(side, to, across)));
    Edge { across, from, to: to + 1 }
}

/// True if the edge at `across` ends at `corner` in a step down to a straight edge one pixel further in. The
/// other edge is in the direction `way` along the side.
fn is_step(level: &Level, side: Dir, across: i32, corner: i32, way: i32) -> bool {
    let out = outward(side);
    (0..LEAST_EDGE).all(|distance| {
        let along = corner - way * distance;
        let beside = corner + way * (1 + distance);
        level.is_solid(pixel(side, along, across))
            && !level.is_solid(pixel(side, along, across + out))
            && !level.is_solid(pixel(side, beside, across + out))
            && !level.is_solid(pixel(side, beside, across))
            && level.is_solid(pixel(side, beside, across - out))
    })
}

/// Returns 1 if a side of a rectangle is at its larger coordinates, or else -1.
fn outward(side: Dir) -> i32 {
    side.vector().x + side.vector().y
}

fn pixel(side: Dir, along: i32, across: i32) -> IVec2 {
    match side.axis() {
        Axis::X => IVec2::new(across, along),
        Axis::Y => IVec2::new(along, across),
    }
}
