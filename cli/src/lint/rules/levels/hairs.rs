//! The rule for steps of one pixel between solid rectangles drawn as objects. Ignores tiles, whose edges are
//! where their artist drew them.

use std::collections::{BTreeMap, HashSet};

use crate::lint::rules::{at_object, pixel_place, place_name, side_name};
use crate::lint::{Check, Excerpt};
use bitwall::error::Place;
use bitwall::glam::{IVec2, UVec2};
use bitwall::tmx::Shape;
use bitwall::{Aabb, Dir, Level};

rule! {
    /// # What it finds
    /// Two solid rectangles, drawn as objects, that form one straight floor, ceiling or wall, if one of them
    /// stands out by a single pixel. Both edges are straight for at least 8 pixels on each side of the step,
    /// and so far nothing solid lies before them: a body can pass.
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
    let out = side.vector();
    let edges: Vec<[IVec2; 2]> = areas.iter().map(|(area, _)| edge(level, out, *area)).collect();
    let firsts: HashSet<IVec2> = edges.iter().map(|[first, _]| *first).collect();
    let lasts: HashSet<IVec2> = edges.iter().map(|[_, last]| *last).collect();
    let along = IVec2::ONE - out.abs();
    let mut found = BTreeMap::new();
    for (number, [first, last]) in edges.iter().enumerate() {
        for (corner, way, others) in [(*first, -along, &lasts), (*last, along, &firsts)] {
            // The edge beside the step is one pixel further in. It ends at the step, or under this rectangle.
            let mut ends = (0..=LEAST_EDGE).map(|distance| corner - out + way * (1 - distance));
            if ends.any(|end| others.contains(&end)) && is_step(level, corner, out, way) {
                found.entry((corner.y, corner.x)).or_insert(number);
            }
        }
    }
    found
}

/// Returns the first and the last pixel of the edge of a rectangle with the box `area`, at the side in the
/// direction `out`. The coordinates of a rectangle may be fractions of a pixel, so its box may be one pixel
/// larger than its solid pixels.
fn edge(level: &Level, out: IVec2, Aabb { min, max }: Aabb) -> [IVec2; 2] {
    let is_along = out.cmpeq(IVec2::ZERO);
    let along = IVec2::select(is_along, IVec2::ONE, IVec2::ZERO);
    let max = max - 1;
    let outermost = IVec2::select(out.cmpgt(IVec2::ZERO), max, min);
    let mut first = IVec2::select(is_along, min, outermost);
    let mut last = IVec2::select(is_along, max, outermost);
    if !level.is_solid(first + (last - first) / 2) {
        first -= out;
        last -= out;
    }
    first += along * i32::from(!level.is_solid(first));
    last -= along * i32::from(!level.is_solid(last));
    [first, last]
}

/// True if an edge ends at the pixel `corner` in a step down to a straight edge one pixel further in. The
/// other edge is in the direction `way`; `out` points out of the solids.
fn is_step(level: &Level, corner: IVec2, out: IVec2, way: IVec2) -> bool {
    (0..LEAST_EDGE).all(|distance| {
        let along = corner - way * distance;
        let beside = corner + way * (1 + distance);
        level.is_solid(along)
            && !level.is_solid(beside)
            && level.is_solid(beside - out)
            && (1..=LEAST_EDGE).all(|depth| {
                !level.is_solid(along + out * depth) && !level.is_solid(beside + out * depth)
            })
    })
}
