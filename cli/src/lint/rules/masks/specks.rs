//! Tiny walls and tiny holes that stand alone.

use crate::lint::finding::{Excerpt, Finding};
use crate::lint::pixels::causes::Cause;
use crate::lint::pixels::specks::{slips, square};
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::geometry::Aabb;
use bitwall::glam::UVec2;
use bitwall::load::Place;
use bitwall::text::counted;

rule! {
    /// # What it finds
    /// Specks and pinholes of a mask: solid or passable pixels in a square of 2 x 2 that touch no others of
    /// their kind. More than 24 of them count as drawn detail, and are not reported; nor equal ones in an
    /// evenly spaced line, such as nails and pegs: three or more in a row or column, four in another
    /// direction, and the rest of that shape if most are in lines. Nor one in a corner of the picture, where
    /// a stripe may end, nor those of a mask with gray pixels, which has a finding for these, nor of one of
    /// less than 4,096 pixels, in which a pixel may be a tile.
    ///
    /// # Why it matters
    /// A speck stops a body in the open, at a wall that the player cannot see. A pinhole lets through what
    /// is a pixel wide, such as a ray. In most cases the pencil slipped, or the bucket left them.
    ///
    /// # How to fix
    /// Repaint them. `bitwall verify --fix` drops specks and fills pinholes.
    SPECKS = "MSK210" "specks" Warning on(Mask)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some((loaded, _)), Some(bits)) = (subject.mask(), subject.bits()) else {
        return Vec::new();
    };
    // The threshold leaves specks in what is gray, and gray is reported by its own rules.
    let is_drawn = |cause: &Cause| matches!(cause, Cause::StrayColors(_) | Cause::TwoLevels(_));
    if !subject.gray_causes().iter().all(|(cause, _)| is_drawn(cause)) {
        return Vec::new();
    }
    let drawn = loaded.odd_pixels().and_then(|odd| odd.gray.as_ref());
    // In a mask of two levels all walls are gray.
    let is_stray = |cause: &Cause| matches!(cause, Cause::StrayColors(_));
    let drawn = drawn.filter(|_| subject.gray_causes().iter().any(|(cause, _)| is_stray(cause)));
    let finding = |solid: bool| {
        let found = slips(bits, solid, drawn);
        let first = *found.first()?;
        let count = found.len() as u64;
        let (headline, legend, help) = match solid {
            true => (
                format!("{} of at most 2 x 2 px in the open", counted(count, "speck")),
                "o = speck",
                "repaint the pixels in white, or drop them with --fix",
            ),
            false => (
                format!("{} of at most 2 x 2 px in the walls", counted(count, "pinhole")),
                "o = pinhole",
                "repaint the pixels in black, or fill them with --fix",
            ),
        };
        let in_group = |x, y| bits.get(x, y) == solid;
        let pixel = square(first).find(|at| in_group(at.x, at.y)).unwrap_or(first);
        let excerpt = Excerpt::around(loaded, pixel, legend, |x, y| {
            in_group(x, y)
                && found.iter().any(|at| square(*at).any(|pixel| pixel == UVec2::new(x, y)))
        });
        let place = |at: &UVec2| format!("x {}, y {}", at.x, at.y);
        let places = found.iter().map(place);
        let finding = Finding::new(&SPECKS, subject.path, headline)
            .of_places(if solid { "specks" } else { "pinholes" }, places)
            .at(Place { pixel: Some(pixel.into()), ..Place::default() })
            .excerpt(excerpt)
            .area(Aabb::from_xywh(first.x as i32, first.y as i32, 2, 2))
            .help(help);
        let others: Vec<String> = found.iter().skip(1).take(7).map(place).collect();
        let more = if found.len() > 8 { ", ..." } else { "" };
        Some(match others.is_empty() {
            true => finding,
            false => finding.note(format!("further ones: {}{more}", others.join("; "))),
        })
    };
    [finding(true), finding(false)].into_iter().flatten().collect()
}
