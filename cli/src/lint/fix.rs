//! Repairs masks: makes gray edges, noise and two-coloured masks black and white, removes specks and fills
//! pinholes. These are isolated groups of solid or passable pixels within a 2 x 2 square.
//!
//! Only the pixels of specks and pinholes change between solid and passable. A repair is refused if it would
//! change the places that a body can reach. Only PNG masks are repaired. This module reads and writes no
//! file.

use std::collections::BTreeSet;
use std::fmt;
use std::io::Cursor;
use std::path::Path;

use super::pixels::causes::causes;
use super::pixels::specks::{noise, slips, square};
use super::rules::{ART_AS_MASK, GRAY_PIXELS, SHAPE_IN_ALPHA, SPECKS};
use super::{Counted, FileKind, GrayCause, LintRule, VerifyOptions, verify_bytes_with};
use bitwall::analyze::{CellKind, Connectivity, FreeSpace, TooComplex, components, free_space};
use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{GenericImage, GenericImageView, ImageFormat, Rgba};
use bitwall::load::Source;
use bitwall::rules::MaskRule;
use bitwall::text::{counted, printable};
use bitwall::{Aabb, Grid, LoadedLevel, Terrain};

use crate::mask_facts::{MaskFacts, decoded};

/// A repaired mask.
#[derive(Clone, Debug)]
pub struct Fix {
    /// The new file: a PNG with the channels of the old file, in 8 or 16 bits each, without a palette.
    pub bytes: Vec<u8>,
    /// The changes of the mask, ordered from its top to its bottom.
    pub changes: Vec<FixChange>,
}

/// A change of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixChange {
    /// The kind of change.
    pub kind: FixKind,
    /// The box around the pixels that this change affects.
    pub area: Aabb,
    /// The number of changed pixels.
    pub pixels: u64,
}

/// A kind of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FixKind {
    /// Gray pixels became black or white. Solid pixels are still solid, and passable pixels passable.
    Hardened,
    /// A speck became passable: an isolated group of solid pixels in a 2 x 2 square.
    SpeckDropped,
    /// A pinhole became solid: an isolated group of passable pixels in a 2 x 2 square.
    PinholeFilled,
}

impl fmt::Display for FixChange {
    /// Writes, for example, `a speck dropped at x 10, y 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Aabb { min, max } = self.area;
        match self.kind {
            FixKind::Hardened => {
                write!(f, "{} made black or white, within ", counted(self.pixels, "pixel"))?;
                write!(f, "x {}..{}, y {}..{}", min.x, max.x, min.y, max.y)
            }
            FixKind::SpeckDropped => write!(f, "a speck dropped at x {}, y {}", min.x, min.y),
            FixKind::PinholeFilled => write!(f, "a pinhole filled at x {}, y {}", min.x, min.y),
        }
    }
}

/// Repairs the mask in the `bytes` of the file `path`. Returns `None` for a map, for a mask that cannot be
/// loaded, and for a mask without findings of the rules for masks that need no other file.
///
/// Repairs the faults of the rules `gray-pixels` and `specks`, if they are on in `options`.
///
/// ```
/// use bitwall::image::{GrayImage, ImageFormat, Luma};
/// use bitwall_cli::lint::{VerifyOptions, fix::fix_mask};
///
/// // A room in two grays, with a speck in it.
/// let mut mask = GrayImage::from_pixel(80, 60, Luma([40]));
/// for (x, y) in (2..58).flat_map(|y| (2..78).map(move |x| (x, y))) {
///     mask.put_pixel(x, y, Luma([220]));
/// }
/// mask.put_pixel(8, 9, Luma([40]));
/// let mut bytes = std::io::Cursor::new(Vec::new());
/// mask.write_to(&mut bytes, ImageFormat::Png)?;
/// let fix = fix_mask("room_mask.png", bytes.get_ref(), &VerifyOptions::default())?;
/// let fix = fix.expect("two changes");
/// assert_eq!(fix.changes.len(), 2);
/// assert_eq!(fix.changes[1].to_string(), "a speck dropped at x 8, y 9");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The reason in words, if a mask is not repaired. Examples:
/// - Its finding or the cause of its gray pixels is for a person to decide, such as a hairline gap.
/// - Noise is so near the threshold that it may have moved a wall.
/// - The mask is animated.
/// - The number of connected groups of solid or of passable pixels would change. Groups within 2 x 2 pixels
///   are not counted.
/// - One of the bodies in the options could reach other positions.
/// - A named area of the mask, such as water, would change.
/// - No pixel beside a speck or pinhole has a colour to copy: all have colours of areas or colours without a
///   name.
pub fn fix_mask(
    path: impl AsRef<Path>,
    bytes: &[u8],
    options: &VerifyOptions,
) -> Result<Option<Fix>, String> {
    let path = path.as_ref();
    // A map is not loaded, because it needs other files.
    let Ok(loaded) = LoadedLevel::decode(path, bytes, (), &options.load) else {
        return Ok(None);
    };
    let Source::Mask(source) = &loaded.source else {
        return Ok(None);
    };
    let solid = loaded.level.grid();
    let facts = MaskFacts::read(source, bytes);
    let causes = causes(source, facts.as_ref(), solid);
    // Each threshold in the range then gives the same walls, and so the same ways for each body.
    let is_clear = facts.as_ref().is_some_and(|it| it.is_clear_of(&source.rule, NOISE_RANGE));
    if let Some((rule, reason)) = by_hand(&causes, is_clear) {
        let is_on = options.levels.severity_of(rule).is_some();
        return if is_on { Err(reason.to_owned()) } else { Ok(None) };
    }
    let is_hardened = options.levels.severity_of(&GRAY_PIXELS).is_some()
        && matches!(
            causes[..],
            [(GrayCause::TwoLevels(_) | GrayCause::SoftEdge | GrayCause::LossyNoise, _)]
        );
    if is_hardened && [0, solid.cell_count()].contains(&solid.solid_count()) {
        let reason = "its colours are on one side of the threshold; say which is solid with --mask";
        return Err(reason.into());
    }
    let gray = facts.as_ref().and_then(|facts| facts.gray.as_ref());
    let mut changes: Vec<FixChange> = Vec::new();
    let mut hardened = None;
    if let Some(gray) = gray.filter(|_| is_hardened) {
        let pixels = source.counts.gray;
        changes.push(FixChange { kind: FixKind::Hardened, area: gray.extent, pixels });
        hardened = Some(&gray.pixels);
    }
    let mut after = solid.clone();
    let mut copies = Vec::new();
    // In a mask with gray edges, the threshold between solid and passable may create specks. Specks in a
    // colour without a name are drawn on purpose.
    let has_specks = options.levels.severity_of(&SPECKS).is_some()
        && !causes.iter().any(|(cause, _)| *cause == GrayCause::SoftEdge);
    if has_specks && noise(solid).is_some() {
        return Err("its specks are noise, which is on the edges of its walls too".into());
    }
    let is_stray = causes.iter().any(|(cause, _)| matches!(cause, GrayCause::StrayColors(_)));
    let drawn = gray.filter(|_| is_stray).map(|gray| &gray.pixels);
    let translucent = facts.as_ref().and_then(|facts| facts.translucent.as_ref());
    let looks = PixelLooks {
        areas: loaded.level.areas().iter().map(|area| area.terrain.grid()).collect(),
        stray: drawn,
        translucent: translucent.map(|translucent| &translucent.pixels),
    };
    for is_solid in [true, false] {
        let groups = if has_specks { slips(solid, is_solid, drawn) } else { Vec::new() };
        for corner in groups {
            let from = looks.beside(solid, corner, is_solid).ok_or_else(|| {
                let kind = if is_solid { "speck" } else { "pinhole" };
                let UVec2 { x, y } = corner;
                format!(
                    "all pixels beside the {kind} at x {x}, y {y} have colours of areas or without a name"
                )
            })?;
            changes.push(repaint(&mut after, &mut copies, [corner, from], is_solid)?);
        }
    }
    if changes.is_empty() {
        let report = verify_bytes_with(path, bytes, (), options);
        let mut findings = report.findings.iter().filter(|it| it.rule.applies_to == FileKind::Mask);
        return findings.next().map_or(Ok(None), |it| {
            Err(format!("a person decides about {}: {}", it.rule.name, it.headline))
        });
    }
    if source.animated {
        return Err("it is an animation; flatten its layers first".into());
    }
    check_parts(&loaded, &after, options)?;
    let dark_is_solid = !matches!(source.rule, MaskRule::LightIsSolid { .. });
    let mut picture = decoded(bytes, MOST_BYTES).map_err(|error| error.to_string())?;
    for at in hardened.into_iter().flat_map(Grid::iter_solid) {
        let is_dark = solid.is_solid(at.x, at.y) == dark_is_solid;
        picture.put_pixel(at.x, at.y, if is_dark { BLACK } else { WHITE });
    }
    for [to, from] in &copies {
        let pixel = picture.get_pixel(from.x, from.y);
        picture.put_pixel(to.x, to.y, pixel);
    }
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).map_err(|error| error.to_string())?;
    let bytes = bytes.into_inner();
    let again = LoadedLevel::decode(path, &bytes, (), &options.load);
    let again = again
        .map_err(|error| format!("the repaired file cannot be loaded: {}", error.headline()))?;
    if *again.level.grid() != after {
        return Err("its kind of pixels cannot hold the change".into());
    }
    let mut areas = loaded.level.areas().iter().zip(again.level.areas());
    if let Some((area, _)) = areas.find(|(old, new)| old.terrain.grid() != new.terrain.grid()) {
        return Err(format!("it would change the area `{}`", printable(&area.name)));
    }
    changes.sort_by_key(|change| (change.area.min.y, change.area.min.x));
    Ok(Some(Fix { bytes, changes }))
}

/// The smallest distance of noise from the threshold between solid and passable, in lightness, at which it
/// is repaired. In each of 30 masks that were saved as JPEG in nine qualities, the repair was then exact; at
/// a quality of 60 and more, no pixel came nearer.
const NOISE_RANGE: u8 = 32;

/// Returns the reason that gray pixels with these causes need a person to repair them, and the rule that
/// reports them. `None` if the gray pixels can be repaired, or can remain while specks are removed.
/// `is_clear` is true if no gray pixel is so near the threshold that noise may have moved it across.
fn by_hand(causes: &[Counted], is_clear: bool) -> Option<(&'static LintRule, &'static str)> {
    for (cause, _) in causes {
        return Some(match cause {
            GrayCause::LossyNoise if !is_clear => {
                (&GRAY_PIXELS, "its noise is too near the threshold to tell walls from ways")
            }
            GrayCause::ShapeInAlpha => (&SHAPE_IN_ALPHA, "it is a shape on a transparent ground"),
            GrayCause::Painting => (&ART_AS_MASK, "it is a painting"),
            GrayCause::Other => {
                (&GRAY_PIXELS, "its gray pixels are no edges and no level of its own")
            }
            _ => continue,
        });
    }
    // Soft edges and noise stand beside colours without a name, if they do not stand alone.
    let reason = "it has soft edges or noise, and colours without a name";
    (causes.len() > 1).then_some((&GRAY_PIXELS, reason))
}

const NO_MEMORY: &str = "there is no memory for its pixels";

/// Inverts a speck (`is_solid`: isolated solid pixels) or a pinhole (isolated passable pixels) in the mask
/// `after`. It lies in the 2 x 2 square whose top left pixel is `corner`.
///
/// Adds `[pixel, from]` to `copies` for each inverted pixel; the colour of `from` is copied to `pixel`.
fn repaint(
    after: &mut Grid,
    copies: &mut Vec<[UVec2; 2]>,
    [corner, from]: [UVec2; 2],
    is_solid: bool,
) -> Result<FixChange, String> {
    let kind = if is_solid { FixKind::SpeckDropped } else { FixKind::PinholeFilled };
    let mut area = Aabb { min: corner.as_ivec2() + 1, max: corner.as_ivec2() };
    let mut pixels = 0;
    for at in square(corner) {
        if after.get(at.x, at.y) == Some(is_solid) {
            after.set(at.x, at.y, !is_solid).map_err(|_| NO_MEMORY)?;
            copies.push([at, from]);
            area.min = area.min.min(at.as_ivec2());
            area.max = area.max.max(at.as_ivec2() + 1);
            pixels += 1;
        }
    }
    Ok(FixChange { kind, area, pixels })
}

const BLACK: Rgba<u8> = Rgba([0, 0, 0, 255]);
const WHITE: Rgba<u8> = Rgba([255; 4]);

/// The largest number of bytes of the decoded picture, and of its colour profile.
const MOST_BYTES: u64 = 96 << 20;

/// Fails if the repair changes the number of connected groups of solid or of passable pixels, not counting
/// groups within 2 x 2 pixels. Also fails if it changes the positions that a body of the options can reach.
fn check_parts(loaded: &LoadedLevel, after: &Grid, options: &VerifyOptions) -> Result<(), String> {
    let old = loaded.level.terrain();
    if old.grid() == after {
        return Ok(());
    }
    let new = Terrain::new(after.clone(), UVec2::ONE).map_err(|_| NO_MEMORY)?;
    let new = new.with_outside(old.outside());
    for kind in [CellKind::Solid, CellKind::Passable] {
        if large_parts(old.grid(), kind)? != large_parts(after, kind)? {
            return Err("it would join or split walls or rooms".into());
        }
    }
    for body in &options.bodies {
        let before = free_space(old, body.size).map_err(too_complex)?;
        let after = free_space(&new, body.size).map_err(too_complex)?;
        if before.areas().len() != after.areas().len()
            || !is_injective(&before, &after)
            || !is_injective(&after, &before)
        {
            return Err(format!("the body {} would get to other places", body.name));
        }
    }
    Ok(())
}

fn too_complex(_: TooComplex) -> String {
    "it has too many parts to compare".to_owned()
}

/// Returns the number of connected groups of pixels that do not fit in a 2 x 2 square.
fn large_parts(mask: &Grid, kind: CellKind) -> Result<usize, String> {
    let parts = components(mask, kind, Connectivity::Eight).map_err(too_complex)?;
    Ok(parts.parts().iter().filter(|part| part.area.size().max_element() > 2).count())
}

/// True if the first position of each area of `from` lies in an area of `to`, and no two of them in the same
/// area.
fn is_injective(from: &FreeSpace, to: &FreeSpace) -> bool {
    let mut known = BTreeSet::new();
    let mut areas = from.areas().iter().map(|area| to.area_at(area.first));
    areas.all(|area| area.is_some_and(|area| known.insert(area)))
}

/// The pixels whose colour has a meaning besides solid or passable, so that a repair must not copy the
/// colour.
struct PixelLooks<'a> {
    areas: Vec<&'a Grid>,
    /// The pixels with colours that have no name in the options.
    stray: Option<&'a Grid>,
    translucent: Option<&'a Grid>,
}

impl PixelLooks<'_> {
    /// Returns the pixel whose colour a repair copies to the speck (`is_solid`) or pinhole in the 2 x 2
    /// square at `corner`, or `None` if there is no such pixel.
    ///
    /// Candidates are the pixels beside the square that are passable for a speck, or solid for a pinhole.
    /// They must be in no named area and not in `stray`. Opaque candidates are preferred, and among these the
    /// candidate nearest to `corner`.
    fn beside(&self, solid: &Grid, corner: UVec2, is_solid: bool) -> Option<UVec2> {
        let around = (-1..3).flat_map(|y| (-1..3).map(move |x| IVec2::new(x, y)));
        let plain = around.filter_map(|by| {
            let at = corner.checked_add_signed(by)?;
            let has_area = self.areas.iter().any(|area| area.is_solid(at.x, at.y));
            let is_plain = solid.get(at.x, at.y) == Some(!is_solid);
            let is_candidate = is_plain && !has_area && !has_pixel(self.stray, at);
            is_candidate.then_some((has_pixel(self.translucent, at), by.length_squared(), at))
        });
        plain.min_by_key(|(is_translucent, far, _)| (*is_translucent, *far)).map(|(_, _, at)| at)
    }
}

fn has_pixel(pixels: Option<&Grid>, at: UVec2) -> bool {
    pixels.is_some_and(|pixels| pixels.is_solid(at.x, at.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(rows: &[&str]) -> Grid {
        Grid::from_text(&rows.join("\n")).expect("a grid")
    }

    #[test]
    fn a_repair_copies_the_nearest_opaque_colour_that_marks_nothing() {
        let solid = grid(&["......", "#.##..", "......"]);
        let corner = UVec2::new(0, 1);
        let none = PixelLooks { areas: Vec::new(), stray: None, translucent: None };
        assert_eq!(none.beside(&solid, corner, true), Some(UVec2::new(0, 0)));
        let stray = grid(&["##....", "......", "##...."]);
        let looks = PixelLooks { stray: Some(&stray), ..none };
        assert_eq!(looks.beside(&solid, corner, true), Some(UVec2::new(1, 1)));
        let translucent = grid(&["......", ".#....", "......"]);
        let looks = PixelLooks { translucent: Some(&translucent), ..looks };
        assert_eq!(looks.beside(&solid, corner, true), Some(UVec2::new(2, 0)), "opaque first");
        let stray = grid(&["####..", ".#....", "####.."]);
        assert_eq!(PixelLooks { stray: Some(&stray), ..looks }.beside(&solid, corner, true), None);
    }
}
