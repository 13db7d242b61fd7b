//! Shapes of solids and areas that are not what they seem.

use super::outline::{MOST_PAIRS, TooTangled, crossing, has_no_size, is_flat};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::{counted, printable};
use bitwall::tmx::{Object, Point, Shape};

rule! {
    /// # What it finds
    /// An object that is solid, one-way or in an area, or a collision shape of a tile that the map shows,
    /// that is a polygon whose edges cross, a polygon whose points all lie on one line, a shape without size,
    /// or a line of at least four points whose ends almost meet: they are apart, but by four pixels at most
    /// and by less than a tenth of its length. A line that is meant to be open, and a rectangle with one side
    /// of 0, are thin walls and no fault.
    ///
    /// # Why it matters
    /// Where a polygon covers itself twice it is a hole, here and in Tiled; other programs fill it. A shape
    /// without size stops nothing, or a single pixel. Through the gap of a line that almost closes, a small
    /// body or a ray gets in. They come from a slip of the mouse.
    ///
    /// # How to fix
    /// Move the points of the polygon apart, close the line, or delete the shape.
    BAD_SHAPE = "TMX117" "bad-shape" Warning on(Map)
}

/// The fault of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Crosses(usize, usize),
    Flat,
    NoSize,
    AlmostClosed,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let line = |line: u32| (line > 0).then_some((line, 1));
    let mut pairs = MOST_PAIRS;
    let mut found: Vec<(Fault, Finding, Vec<String>)> = Vec::new();
    let mut note = |object: &Object, holder: &str, place: &dyn Fn() -> Finding| {
        let fault = match fault_of(object, &mut pairs) {
            Ok(fault) => fault,
            Err(TooTangled) => {
                let reason = "the polygons of the map have too many points to be compared";
                subject.give_up(&BAD_SHAPE, reason);
                return false;
            }
        };
        if let Some(fault) = fault {
            let name = format!("object {} of `{}`", object.id, printable(holder));
            let is_same =
                |known: &Fault| std::mem::discriminant(known) == std::mem::discriminant(&fault);
            match found.iter_mut().find(|(known, ..)| is_same(known)) {
                Some((.., names)) => names.push(name),
                None => found.push((fault, place(), vec![name])),
            }
        }
        true
    };
    let objects = survey.layers.iter().flat_map(|layer| {
        let objects = layer.objects.iter().filter(|it| it.stops || it.is_of_area);
        objects.map(move |it| (layer, it.object))
    });
    let mut goes_on = true;
    for (layer, object) in objects.filter(|(_, object)| object.gid.is_none()) {
        goes_on = goes_on
            && note(object, &layer.context.path, &|| {
                let place = Place {
                    line: line(object.line),
                    layer: Some(layer.context.path.clone()),
                    object: Some(object.id),
                    ..Place::default()
                };
                Finding::new(&BAD_SHAPE, subject.path, "").at(place)
            });
    }
    for (index, id) in &survey.shown {
        let Some((set, tile)) =
            map.tilesets.get(*index).and_then(|set| Some((set, set.tiles.get(id)?)))
        else {
            continue;
        };
        for shape in &tile.shapes {
            goes_on = goes_on
                && note(shape, &format!("{}, tile {id}", set.name), &|| {
                    let place = Place {
                        line: line(shape.line),
                        tileset: Some(set.name.clone()),
                        object: Some(shape.id),
                        ..Place::default()
                    };
                    let path = set.file.as_deref().unwrap_or(subject.path);
                    let finding = Finding::new(&BAD_SHAPE, path, "").at(place);
                    finding.note(format!("it is a collision shape of tile {id}"))
                });
        }
    }
    let finding = |(fault, finding, names): (Fault, Finding, Vec<String>)| {
        let count = names.len() as u64;
        let (headline, help) = match fault {
            Fault::Crosses(..) => ("the edges of a polygon cross", "move its points apart"),
            Fault::Flat => {
                ("the points of a polygon all lie on one line", "draw it anew, or delete it")
            }
            Fault::NoSize => ("a shape has no size", "draw it anew, or delete it"),
            Fault::AlmostClosed => {
                ("the ends of a line almost meet", "close it, or make it a polygon")
            }
        };
        let finding = Finding { headline: headline.to_owned(), ..finding };
        let mut finding = finding.of_named(headline, names).help(help);
        if let Fault::Crosses(first, second) = fault {
            finding = finding.note(format!(
                "the edges from its points {} and {} cross, counted from 1",
                first + 1,
                second + 1
            ));
        }
        match count {
            1 => finding,
            _ => finding
                .note(format!("{} of the map are so; this is the first", counted(count, "shape"))),
        }
    };
    found.into_iter().take(super::MOST_FINDINGS).map(finding).collect()
}

fn fault_of(object: &Object, pairs: &mut u64) -> Result<Option<Fault>, TooTangled> {
    if has_no_size(object) {
        return Ok(Some(Fault::NoSize));
    }
    Ok(match &object.shape {
        Shape::Polygon(points) if is_flat(points) => Some(Fault::Flat),
        Shape::Polygon(points) => {
            crossing(points, pairs)?.map(|(first, second)| Fault::Crosses(first, second))
        }
        Shape::Polyline(points) => almost_closes(points).then_some(Fault::AlmostClosed),
        _ => None,
    })
}

/// True for a line whose ends are apart, but by so little that they were meant to meet.
fn almost_closes(points: &[Point]) -> bool {
    const NEAR: f64 = 4.0;
    let distance = |a: &Point, b: &Point| {
        let apart = *a - *b;
        apart.x.as_f64().hypot(apart.y.as_f64())
    };
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return false;
    };
    let gap = distance(first, last);
    let length: f64 = points.iter().zip(points.iter().skip(1)).map(|(a, b)| distance(a, b)).sum();
    points.len() >= 4 && first != last && gap <= NEAR && gap * 10.0 < length
}
