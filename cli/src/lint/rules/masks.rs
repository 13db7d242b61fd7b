//! The rules for masks: gray pixels by cause, specks, animations, and masks that do not fit their art.

use std::path::Path;

use crate::lint::finding::{Excerpt, Finding, at_pixel};
use crate::lint::pixels::causes::{GrayCause, orientation, png_frames};
use crate::lint::pixels::pair::{Disagreement, LEAST_SIDE, disagreement, is_lopsided};
use crate::lint::pixels::specks::{slips, square};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::{Art, Subject, arts_beside};
use bitwall::geometry::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::load::Files;
use bitwall::mask::{Bits, GrayColor};
use bitwall::text::{counted, path_in_line, printable, px};

pub(super) static CHECKS: &[(&LintRule, Check)] = &[
    (&GRAY_PIXELS, gray_cause),
    (&TRANSLUCENT_PIXELS, translucent_pixels),
    (&SOFT_EDGE, gray_cause),
    (&LOSSY_NOISE, gray_cause),
    (&STRAY_COLOR, gray_cause),
    (&TWO_LEVELS, gray_cause),
    (&ART_AS_MASK, gray_cause),
    (&SHAPE_IN_ALPHA, gray_cause),
    (&SPECKS, specks),
    (&EXTRA_FRAMES, extra_frames),
    (&TURNED_PICTURE, turned_picture),
    (&MASK_SIZE_MISMATCH, mask_size_mismatch),
    (&MASK_DRIFT, mask_drift),
    (&STALE_OR_INVERTED, stale_or_inverted),
];

rule! {
    /// # What it finds
    /// Opaque pixels of a mask that are neither exactly black nor exactly white, and that have none of these
    /// causes: soft edges (`soft-edge`), noise of lossy compression (`lossy-noise`), colours with a meaning
    /// (`stray-color`), a mask in two other colours (`two-levels`), a painting (`art-as-mask`). In most cases
    /// they are a few scattered pixels, or a shade over a part of the mask. The rule applies with `--mask
    /// dark`, the default, and `--mask light`. Colours named by `--plane` are not reported.
    ///
    /// # Why it matters
    /// A threshold decides whether a gray pixel is solid, and the picture does not show the decision. Such
    /// pixels leave bumps of a pixel that stop a body.
    ///
    /// # How to fix
    /// Repaint the pixels in black or white.
    GRAY_PIXELS = "MSK202" "gray-pixels" Error on(Mask)
}

rule! {
    /// # What it finds
    /// Gray pixels along the edges between black and white, from a soft brush, or from smoothing when the
    /// mask was exported or scaled.
    ///
    /// # Why it matters
    /// A threshold decides for each of them whether it is solid. The walls are half a pixel larger or smaller
    /// than they look, and slopes and circles get bumps of a pixel that stop a body.
    ///
    /// # How to fix
    /// Export again without smoothing, or draw with a hard pencil. `bitwall verify --fix` makes the edges
    /// hard without moving any wall.
    SOFT_EDGE = "MSK207" "soft-edge" Error on(Mask)
}

rule! {
    /// # What it finds
    /// Pixels of a mask that are nearly black or nearly white, around the edges. They are the noise of JPEG
    /// or of another lossy compression that the picture went through before it was saved in its present
    /// format.
    ///
    /// # Why it matters
    /// The compression also shifts edges by a pixel in some places. A threshold makes the noise black and
    /// white but does not restore the edges.
    ///
    /// # How to fix
    /// Export the mask again from its original, in a lossless format such as PNG.
    LOSSY_NOISE = "MSK208" "lossy-noise" Error on(Mask)
}

rule! {
    /// # What it finds
    /// A few colours besides black and white, such as a red marker or blue water, each in its own patch.
    /// Colours named by `--plane` are not reported.
    ///
    /// # Why it matters
    /// A colour without a name is solid or passable by its lightness: a red marker is a wall.
    ///
    /// # How to fix
    /// Name the area with `--plane NAME=#rrggbb`, or with `planes` in `bitwall.toml`. If the colour is a
    /// mistake, repaint it in black or white.
    STRAY_COLOR = "MSK209" "stray-color" Error on(Mask)
}

rule! {
    /// # What it finds
    /// A mask in exactly two colours that are not black and white, such as dark gray on light gray.
    ///
    /// # Why it matters
    /// The mask works only as long as its two colours are on different sides of a threshold. With a slightly
    /// lighter palette, everything is passable.
    ///
    /// # How to fix
    /// Export it in black and white, or state the solid colour: `--mask #282828`, or `rule` in the section
    /// `[masks]` of `bitwall.toml`. `bitwall verify --fix` repaints it in black and white if the two colours
    /// are on different sides of the threshold.
    TWO_LEVELS = "MSK212" "two-levels" Warning on(Mask)
}

rule! {
    /// # What it finds
    /// A mask with many colours, most of whose pixels are neither black nor white: a painting or a photo. If
    /// its art is a picture in black and white, the two files are exchanged.
    ///
    /// # Why it matters
    /// Dark parts of a painting are not walls.
    ///
    /// # How to fix
    /// Exchange the two files. If the picture is not a mask at all, do not name it as one: see `masks` in the
    /// section `[verify]` of `bitwall.toml`.
    ART_AS_MASK = "MSK213" "art-as-mask" Error on(Mask)
}

rule! {
    /// # What it finds
    /// A mask with a shape on a transparent ground, if its rule (`dark` or `light`) looks at the lightness of
    /// pixels. The shape is in colours; or only in white, which is passable like the ground (with `--mask
    /// light` only in black); or in black and white. A shape in black and white is reported only under three
    /// conditions: each of the two colours has at least a 32nd of the opaque pixels; the ground is at least
    /// as large as the passable colour; and the passable colour has at least a fifth of the edge along the
    /// ground. So a room whose white floor is behind black walls is not reported.
    ///
    /// # Why it matters
    /// The transparency shows the shape, but the rule looks at the colours: light parts of the shape are
    /// passable. A white shape is not solid at all, and a shape in black and white only in part.
    ///
    /// # How to fix
    /// Use `--mask opaque`, or `rule = "opaque"` in the section `[masks]` of `bitwall.toml`. If the shape is
    /// not meant as the wall, draw the mask in black and white without transparent pixels.
    SHAPE_IN_ALPHA = "MSK215" "shape-in-alpha" Error on(Mask)
}

pub(in crate::lint) fn cause_rule(cause: &GrayCause) -> &'static LintRule {
    match cause {
        GrayCause::SoftEdge => &SOFT_EDGE,
        GrayCause::LossyNoise => &LOSSY_NOISE,
        GrayCause::StrayColors(_) => &STRAY_COLOR,
        GrayCause::TwoLevels(_) => &TWO_LEVELS,
        GrayCause::ShapeInAlpha => &SHAPE_IN_ALPHA,
        GrayCause::Painting => &ART_AS_MASK,
        GrayCause::Other => &GRAY_PIXELS,
    }
}

fn gray_cause(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    // A painting, or a shape on a transparent ground, is probably the art of a mask. If the file named as its
    // art has only two colours, the two files were exchanged.
    let is_exchanged = |cause: &GrayCause| {
        matches!(cause, GrayCause::Painting | GrayCause::ShapeInAlpha) && subject.is_art_two_level()
    };
    let is_own = |cause: &GrayCause| match is_exchanged(cause) {
        true => rule.code == ART_AS_MASK.code,
        false => rule.code == cause_rule(cause).code,
    };
    let (cause, count) = subject.gray_causes().iter().find(|(cause, _)| is_own(cause))?;
    let (loaded, source) = subject.mask()?;
    let counts = &source.counts;
    let are = pixels_are(*count);
    let (headline, help) = match cause {
        GrayCause::TwoLevels([one, other]) => {
            let (one, other) = (hex(*one), hex(*other));
            let headline =
                format!("the mask is drawn in {one} and {other}, not in black and white");
            let help = "export it in black and white, or say which colour is solid with --mask";
            return Some(vec![subject.finding(rule, headline).help(help)]);
        }
        GrayCause::StrayColors(colors) => return stray_colors(rule, subject, colors, *count),
        GrayCause::Other => {
            (format!("{are} neither black nor white"), "repaint them in black or white")
        }
        GrayCause::SoftEdge => (
            format!("the edges are soft: {are} gray"),
            "export again without smoothing, or make them hard with --fix",
        ),
        GrayCause::LossyNoise => (
            format!("{are} gray from lossy compression"),
            "export it from the original as PNG, without a JPEG in between",
        ),
        cause if is_exchanged(cause) => (
            "the mask is a painting, and its art is black and white".to_owned(),
            "exchange the mask and its art",
        ),
        GrayCause::Painting => (
            format!("the mask is a painting: {count} pixels are neither black nor white"),
            "name the right picture as the mask",
        ),
        GrayCause::ShapeInAlpha => {
            let color = match (counts.gray, counts.white) {
                (gray, white) if white.min(counts.black) > gray => "black and white",
                (0, 1..) => "white",
                (0, 0) => "black",
                _ => "colours",
            };
            (
                format!("the mask is drawn in {color} on a transparent ground ({count} px)"),
                "use --mask opaque, or `rule` in the section [masks] of bitwall.toml",
            )
        }
    };
    let mut finding = subject.finding(rule, headline).help(help);
    if let Some(first) = counts.first_gray {
        let odd = loaded.odd_pixels();
        finding = marked(finding, subject, first, "? = gray", odd.and_then(|it| it.gray.as_ref()));
        if let Some(extent) = counts.gray_extent.filter(|_| *count == counts.gray) {
            finding = within(finding, *count, extent);
        }
        let colors = odd.filter(|_| *cause == GrayCause::Other).map(|odd| &odd.colors.known);
        let color = colors.and_then(|colors| colors.iter().find(|color| color.first == first));
        if let Some(GrayColor { rgb: [red, green, blue], .. }) = color {
            finding = finding.note(format!("the first one is rgb {red} {green} {blue}"));
        }
    }
    Some(vec![finding])
}

/// Sets the place of the finding to the pixel `first`, and adds an excerpt in which the pixels set in `odd`
/// are marked.
fn marked(
    finding: Finding,
    subject: &Subject<'_>,
    first: UVec2,
    legend: &'static str,
    odd: Option<&Bits>,
) -> Finding {
    let finding = finding.place(at_pixel(first));
    let is_odd = |at: UVec2| odd.is_some_and(|odd| odd.get(at.x, at.y));
    match subject.loaded() {
        Some(loaded) => finding.excerpt(Excerpt::around(loaded, first, legend, &is_odd)),
        None => finding,
    }
}

/// Sets the area of a finding about `count` pixels to `extent`, the box around them. For more than one pixel
/// also adds the box as a note.
fn within(finding: Finding, count: u64, extent: Aabb) -> Finding {
    let Aabb { min, max } = extent;
    let note = || format!("they lie within x {}..{}, y {}..{}", min.x, max.x, min.y, max.y);
    finding.area(extent).notes((count > 1).then(note))
}

fn pixels_are(count: u64) -> String {
    match count {
        1 => "1 pixel is".to_owned(),
        _ => format!("{count} pixels are"),
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

const MOST_COLORS: usize = 6;

fn stray_colors(
    rule: &'static LintRule,
    subject: &Subject<'_>,
    colors: &[GrayColor],
    count: u64,
) -> Option<Vec<Finding>> {
    let (loaded, source) = subject.mask()?;
    let mut colors = colors.to_vec();
    colors.sort_by_key(|color| (color.first.y, color.first.x));
    let first = *colors.first()?;
    let number = counted(colors.len() as u64, "colour");
    let has = if colors.len() == 1 { "has" } else { "have" };
    let headline = format!("{number} beside black and white {has} no name ({count} px)");
    let finding = subject
        .finding(rule, headline)
        .of_named("", &mut colors.iter().map(|color| hex(color.rgb)));
    let odd = loaded.odd_pixels().and_then(|odd| odd.gray.as_ref());
    let legend = "? = neither black nor white";
    let mut finding = marked(finding, subject, first.first, legend, odd);
    for color in colors.iter().take(MOST_COLORS) {
        let kind = if source.rule.is_solid_color(color.rgb) { "solid" } else { "passable" };
        let (pixels, at) = (counted(color.count, "pixel"), color.first);
        let hex = hex(color.rgb);
        finding =
            finding.note(format!("{hex}: {pixels}, {kind}, the first at x {}, y {}", at.x, at.y));
    }
    if colors.len() > MOST_COLORS {
        finding = finding.note(format!("and {} more", colors.len() - MOST_COLORS));
    }
    let help = format!("name the area with --plane NAME={}, or repaint it", hex(first.rgb));
    Some(vec![finding.help(help)])
}

/// True if all gray pixels of the mask have colours that were chosen on purpose: a mask in two colours, or
/// colours that mark something. Gray pixels with another cause have their own finding and are weak evidence
/// for walls.
fn is_drawn(subject: &Subject<'_>) -> bool {
    let is_drawn =
        |cause: &GrayCause| matches!(cause, GrayCause::StrayColors(_) | GrayCause::TwoLevels(_));
    subject.gray_causes().iter().all(|(cause, _)| is_drawn(cause))
}

rule! {
    /// # What it finds
    /// Pixels of a mask that are neither opaque nor fully transparent. The rule does not report the edges of
    /// a shape on a transparent ground: see `shape-in-alpha`.
    ///
    /// # Why it matters
    /// Such a pixel looks different on different backgrounds, so the artist may see a wall where the game has
    /// none. In most cases it is the soft edge of a brush.
    ///
    /// # How to fix
    /// Draw with a hard brush. If no pixel is fully transparent, flatten the picture onto one background
    /// before export.
    TRANSLUCENT_PIXELS = "MSK203" "translucent-pixels" Warning on(Mask)
}

fn translucent_pixels(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (loaded, source) = subject.mask()?;
    let counts = &source.counts;
    let first = counts.first_translucent.filter(|_| !source.is_shape_in_alpha())?;
    // In a mask with fully transparent pixels, to flatten the picture would hide the shape that these pixels
    // surround.
    let help = match counts.transparent {
        0 => "flatten the picture onto one background before export",
        _ => "draw with a hard brush, so that each pixel is opaque or fully transparent",
    };
    let headline = format!("{} neither opaque nor transparent", pixels_are(counts.translucent));
    let odd = loaded.odd_pixels();
    let alpha = odd.and_then(|odd| odd.first_alpha);
    let finding = subject
        .finding(rule, headline)
        .notes(alpha.map(|alpha| format!("the first one has an opacity of {alpha} of 255")))
        .help(help);
    let odd = odd.and_then(|odd| odd.translucent.as_ref());
    let finding = marked(finding, subject, first, "~ = translucent", odd);
    Some(vec![match counts.translucent_extent {
        Some(extent) => within(finding, counts.translucent, extent),
        None => finding,
    }])
}

rule! {
    /// # What it finds
    /// Specks and pinholes of a mask: solid or passable pixels within a 2 x 2 square that touch no other
    /// pixels of their kind.
    ///
    /// These are not reported:
    ///
    /// - More than 24 of them, because they are drawn on purpose.
    /// - Equal ones in an evenly spaced line, such as nails and pegs: three or more in a row or column, or
    ///   four in another direction. If most of one shape are in lines, all of that shape are ignored.
    /// - One in a corner of the picture, where a stripe may end.
    /// - All in a mask with gray pixels, which have their own finding.
    /// - All in a mask of less than 4,096 pixels, in which a pixel may be a tile.
    ///
    /// # Why it matters
    /// A speck stops a body in the open, at a wall that the player cannot see. A pinhole lets narrow things
    /// through, such as a ray. In most cases the pencil slipped, or the fill tool missed them.
    ///
    /// # How to fix
    /// Repaint them. `bitwall verify --fix` removes specks and fills pinholes.
    SPECKS = "MSK210" "specks" Warning on(Mask)
}

fn specks(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (loaded, _) = subject.mask()?;
    let bits = subject.bits()?;
    // In a mask with gray edges or noise, the threshold between solid and passable itself creates specks.
    if !is_drawn(subject) {
        return None;
    }
    // Specks in gray pixels are ignored only if the gray colours mark something. If the whole mask is in two
    // colours, all its walls may be gray.
    let is_stray = |cause: &GrayCause| matches!(cause, GrayCause::StrayColors(_));
    let drawn = loaded.odd_pixels().and_then(|odd| odd.gray.as_ref());
    let drawn = drawn.filter(|_| subject.gray_causes().iter().any(|(cause, _)| is_stray(cause)));
    let mut findings = Vec::new();
    for (is_solid, noun, place, color, legend, verb) in [
        (true, "speck", "open", "white", "o = speck", "drop"),
        (false, "pinhole", "walls", "black", "o = pinhole", "fill"),
    ] {
        let corners = slips(loaded.level.grid(), is_solid, drawn);
        let Some(&first) = corners.first() else {
            continue;
        };
        let number = counted(corners.len() as u64, noun);
        let is_in_group = |at: UVec2| bits.get(at.x, at.y) == is_solid;
        let pixel = square(first).find(|at| is_in_group(*at)).unwrap_or(first);
        let excerpt = Excerpt::around(loaded, pixel, legend, &|at| {
            is_in_group(at) && corners.iter().any(|corner| square(*corner).any(|it| it == at))
        });
        let places: Vec<String> =
            corners.iter().map(|at| format!("x {}, y {}", at.x, at.y)).collect();
        let others = &places[1..places.len().min(8)];
        let more = if places.len() > 8 { ", ..." } else { "" };
        let note = || format!("further ones: {}{more}", others.join("; "));
        findings.push(
            subject
                .finding(rule, format!("{number} of at most 2 x 2 px in the {place}"))
                .notes((!others.is_empty()).then(note))
                .of_places(format!("{noun}s"), &mut places.iter().cloned())
                .place(at_pixel(pixel))
                .excerpt(excerpt)
                .area(Aabb::from_xywh(first.x as i32, first.y as i32, 2, 2))
                .help(format!("repaint the pixels in {color}, or {verb} them with --fix")),
        );
    }
    Some(findings)
}

rule! {
    /// # What it finds
    /// A mask that is an animation: an animated PNG, GIF or WebP with several frames.
    ///
    /// # Why it matters
    /// Only the first frame counts. In most cases an editor has saved its layers as frames, so the walls of
    /// the other layers are missing.
    ///
    /// # How to fix
    /// Flatten the layers and export one picture.
    EXTRA_FRAMES = "MSK211" "extra-frames" Warning on(Mask)
}

fn extra_frames(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let (_, source) = subject.mask()?;
    let frames = png_frames(subject.bytes);
    if !source.animated || frames.is_some_and(|frames| frames < 2) {
        return None;
    }
    let frames = frames.map_or("several".to_owned(), |frames| frames.to_string());
    let headline = format!("the mask has {frames} frames, of which only the first counts");
    let help = "flatten the layers and export one picture";
    Some(vec![subject.finding(rule, headline).help(help)])
}

rule! {
    /// # What it finds
    /// A mask whose Exif data asks viewers to show it rotated or mirrored.
    ///
    /// # Why it matters
    /// Many viewers and editors follow the Exif data, but games and bitwall do not: the walls are not where
    /// the artist saw them.
    ///
    /// # How to fix
    /// Rotate the pixels in an editor, and export without Exif data.
    TURNED_PICTURE = "MSK214" "turned-picture" Error on(Mask)
}

fn turned_picture(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let manner = match orientation(subject.bytes)? {
        2 => "mirrored left to right",
        3 => "turned by half",
        4 => "mirrored top to bottom",
        5 | 7 => "turned by a quarter and mirrored",
        6 => "turned by a quarter to the right",
        8 => "turned by a quarter to the left",
        _ => return None,
    };
    let headline = format!("viewers show the mask {manner}, and the game does not");
    let finding = subject.finding(rule, headline).note("its Exif data has an orientation");
    Some(vec![finding.help("turn the pixels, and export without Exif data")])
}

rule! {
    /// # What it finds
    /// A mask whose size differs from the size of its art or from `--size`, or is not a multiple of `--tile`.
    /// The art is the picture named by `--art`, or the one with the mask's name: `harbor.png` (or .jpg, .bmp
    /// and so on) beside `harbor_mask.png`. A picture of the same size is also the art of
    /// `harbor_collision.png` beside it, and of `masks/harbor.png`.
    ///
    /// # Why it matters
    /// The mask is laid over the picture pixel by pixel. With another size, the walls are not where the
    /// player sees them.
    ///
    /// # How to fix
    /// Crop or scale the picture that is wrong; scale a mask without smoothing. If the finding names another
    /// mask, each of the two masks has the size of the other's art: exchange them.
    MASK_SIZE_MISMATCH = "MSK204" "mask-size-mismatch" Error on(Mask)
}

fn mask_size_mismatch(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    let size = subject.mask()?.0.level.grid().size();
    let mut findings = Vec::new();
    if let Some(wanted) = subject.options.size.filter(|wanted| *wanted != size) {
        let headline = format!("the mask is {}, but should be {}", px(size), px(wanted));
        let help = "crop or scale the mask, without smoothing";
        findings.push(subject.finding(rule, headline).help(help));
    }
    let is_ragged = |tile: &UVec2| tile.min_element() > 0 && size % *tile != UVec2::ZERO;
    if let Some(tile) = subject.options.tile.filter(is_ragged) {
        let headline =
            format!("the mask is {}, which is not whole tiles of {}", px(size), px(tile));
        let help = "crop the mask, or extend it, to whole tiles";
        findings.push(subject.finding(rule, headline).help(help));
    }
    if let Some(Art { path, size: art, .. }) = subject.art().filter(|art| art.size != Ok(size)) {
        let path = path_in_line(path);
        let (headline, note, help) = match art {
            Ok(art) => (
                format!("the mask is {}, but its art is {}", px(size), px(*art)),
                format!("the art is {path}"),
                "crop or scale the one that is wrong, the mask without smoothing",
            ),
            Err(reason) => (
                "the art of the mask cannot be read".to_owned(),
                format!("{path}: {}", printable(reason)),
                "fix the picture, or name another with --art",
            ),
        };
        findings.push(subject.finding(rule, headline).note(note).help(help));
    }
    // Also checks masks whose names alone do not prove that the picture is their art.
    if let Some(other) = exchanged(subject, size).filter(|_| subject.options.art.is_none()) {
        let headline = format!("the mask has the size of the art of `{other}`");
        let finding = subject.finding(rule, headline);
        let finding = finding.note("that mask has the size of the art of this one");
        findings = vec![finding.help("exchange the two masks")];
    }
    Some(findings)
}

/// Limits on the search for another mask beside a mask: the largest number of files in the folder that are
/// examined, and the largest number of masks with art among them.
const MOST_BESIDE: usize = 4_096;
const MOST_READ: usize = 64;

/// Returns the name of another mask in the folder, if the two masks were probably exchanged: the other mask
/// has the size of this mask's art, and its art has `size`, the size of this mask. `None` if there is none.
fn exchanged(subject: &Subject<'_>, size: UVec2) -> Option<String> {
    let mut files = subject.files();
    let mut art_size = |mask: &Path| {
        let art = arts_beside(mask).find(|art| files.has(art))?;
        files.picture_size(&art)
    };
    let wanted = art_size(subject.path).filter(|wanted| *wanted != size)?;
    let folder = subject.path.parent()?;
    let mut names = subject.files().names(folder).ok()?;
    names.sort_unstable();
    let others = names.iter().take(MOST_BESIDE).map(|name| folder.join(name));
    let others = others.filter(|other| other != subject.path);
    let mut pairs = others.filter_map(|other| Some((art_size(&other)?, other))).take(MOST_READ);
    let (_, other) = pairs
        .find(|(art, other)| *art == size && subject.files().picture_size(other) == Some(wanted))?;
    other.file_name().map(|name| path_in_line(Path::new(name)))
}

rule! {
    /// # What it finds
    /// A mask that would fit its art clearly better if it were moved by 1 to 8 pixels. The two are compared
    /// by mutual information: the colours of the art may differ from those of the mask.
    ///
    /// # Why it matters
    /// A wall that is not at its place in the picture stops a body in the air, or lets the body sink in. Such
    /// a shift comes from a moved layer, a crop, or another canvas, and affects every wall of the level.
    ///
    /// Of 50 pairs that a program drew and shifted, 47 were found. Of 27 maps of real games with pictures of
    /// them, 16 were found; the other pictures show too little of the walls. No right pair was reported. None
    /// of the 77 pairs was used to choose the thresholds.
    ///
    /// # How to fix
    /// Move the mask by the shift that the finding states, or export both from the same canvas.
    MASK_DRIFT = "MSK205" "mask-drift" Error on(Mask) needs(Art)
}

fn mask_drift(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    give_up_if_unknown(rule, subject);
    // Another rule reports a picture that is not a mask.
    let is_none =
        |cause: &GrayCause| matches!(cause, GrayCause::Painting | GrayCause::ShapeInAlpha);
    if subject.gray_causes().iter().any(|(cause, _)| is_none(cause)) {
        return None;
    }
    let drift = subject.drift()?;
    let IVec2 { x, y } = drift.shift;
    let ways = [
        (x != 0).then(|| format!("{} px {}", x.abs(), if x > 0 { "right" } else { "left" })),
        (y != 0).then(|| format!("{} px {}", y.abs(), if y > 0 { "down" } else { "up" })),
    ];
    let way = ways.into_iter().flatten().collect::<Vec<_>>().join(" and ");
    let [before, after] = [drift.before, drift.after].map(|fit| (fit * 100.0).round());
    Some(vec![
        subject
            .finding(rule, format!("the mask fits its art if moved {way}"))
            .note(format!("the art tells {before} % of the mask where it is, {after} % there"))
            .help(format!("move the mask {way}, or export both from one canvas")),
    ])
}

/// Reports a rule as skipped if the mask and its art have the same size but cannot be compared. Another rule
/// reports different sizes.
fn give_up_if_unknown(rule: &'static LintRule, subject: &Subject<'_>) {
    let size = subject.mask().map(|(loaded, _)| loaded.level.grid().size());
    let of_art = subject.art().and_then(|art| art.size.as_ref().ok().copied());
    let Some(size) = size.filter(|_| size == of_art) else {
        return;
    };
    let reason = match (subject.art_picture(), subject.bits()) {
        (Some(_), Some(_)) if size.min_element() < LEAST_SIDE => {
            "the mask is too small to be compared with art"
        }
        (Some(_), Some(bits)) if is_lopsided(bits) => {
            "the mask is nearly all solid or all passable, so that art tells little of it"
        }
        (Some(_), Some(_)) => return,
        _ => "the art is too large, or cannot be decoded",
    };
    subject.give_up(rule, reason);
}

rule! {
    /// # What it finds
    /// A mask that disagrees with its art, which has the same size. There are three ways. *Inverted*: the art
    /// is transparent where the mask is solid, and only there. *Art of another level*: the mask and the
    /// colours of the art agree no better than by chance. *Stale*: mask and art agree except for a few parts,
    /// where the art shows colours that are solid (or passable) elsewhere.
    ///
    /// The rule was tested on pairs that were not used to choose the thresholds: 50 drawn by a program, and
    /// 27 maps of real games with pictures of them. It found 49 and 7 stale masks, 19 and 11 masks of another
    /// level, and 11 and 5 inverted masks, out of 12 each with transparent art. The missed masks resemble
    /// their art by chance, or the art shows too little of the walls. No right mask was reported.
    ///
    /// An inverted mask of art without transparency is not found, because a picture does not show which of
    /// its colours stop a body.
    ///
    /// # Why it matters
    /// The walls that stop the player are not the walls that the player sees.
    ///
    /// # How to fix
    /// Redraw the parts that were changed only in the art, exchange black and white, or name the right art
    /// with `--art`. A wall that is invisible on purpose can be allowed with `--allow stale-or-inverted`.
    STALE_OR_INVERTED = "MSK206" "stale-or-inverted" Warning on(Mask) needs(Art)
}

fn stale_or_inverted(rule: &'static LintRule, subject: &Subject<'_>) -> Option<Vec<Finding>> {
    give_up_if_unknown(rule, subject);
    let (art, bits) = (subject.art_picture()?, subject.bits()?);
    if !is_drawn(subject) || subject.drift().is_some() {
        return None;
    }
    Some(match disagreement(art, bits)? {
        Disagreement::Inverted => {
            let headline = "the art is transparent where the mask is solid, and only there";
            let help = "exchange black and white, or use --mask light";
            vec![subject.finding(rule, headline).help(help)]
        }
        Disagreement::Unrelated { fit } => {
            let percent = (fit * 100.0).round();
            vec![
                subject
                    .finding(rule, "the mask has nothing in common with its art")
                    .note(format!("the art tells {percent} % of the mask, as chance would"))
                    .help("name the right art with --art, or export the right mask"),
            ]
        }
        Disagreement::Parts(parts) => {
            let finding = |part: &Aabb, pixels: u64, is_solid: bool| {
                let (mask, art) = if is_solid { ("solid", "free") } else { ("passable", "walled") };
                let size = px(part.size());
                let pixels = counted(pixels, "pixel");
                subject
                    .finding(rule, format!("the mask is {mask} where the art looks {art}: {size}"))
                    .place(at_pixel(part.min.max(IVec2::ZERO).as_uvec2()))
                    .area(*part)
                    .note(format!("{pixels} there have colours of the other kind"))
                    .help("draw this part of the mask again, if the art was changed")
            };
            let parts = parts.iter().take(MOST_FINDINGS);
            parts.map(|part| finding(&part.area, part.pixels, part.is_solid)).collect()
        }
    })
}
