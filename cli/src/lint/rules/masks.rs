//! The rules for masks: gray pixels by their causes, specks, animations, and masks that do not fit their art.
//!
//! Each rule is its text, which `bitwall explain` prints, and a check below it. The pixels are judged by
//! [`pixels`](crate::lint::pixels), from which the rules take counts and causes. No file is opened here.

use crate::lint::finding::{Excerpt, Finding, at_pixel};
use crate::lint::pixels::causes::{Counted, GrayCause, is_shape_in_alpha, orientation, png_frames};
use crate::lint::pixels::pair::{Disagreement, LEAST_SIDE, PairPart, disagreement, is_lopsided};
use crate::lint::pixels::specks::{slips, square};
use crate::lint::rule::{LintRule, rule};
use crate::lint::rules::{Check, MOST_FINDINGS};
use crate::lint::subject::{Art, Subject};
use bitwall::geometry::Aabb;
use bitwall::glam::UVec2;
use bitwall::mask::Bits;
use bitwall::text::{counted, path_in_line, printable, px};

/// The rules of this file with their checks.
pub(super) static CHECKS: &[(&LintRule, Check)] = &[
    (&GRAY_PIXELS, gray_pixels),
    (&TRANSLUCENT_PIXELS, translucent_pixels),
    (&SOFT_EDGE, soft_edge),
    (&LOSSY_NOISE, lossy_noise),
    (&STRAY_COLOR, stray_color),
    (&TWO_LEVELS, two_levels),
    (&ART_AS_MASK, art_as_mask),
    (&SHAPE_IN_ALPHA, shape_in_alpha),
    (&SPECKS, specks),
    (&EXTRA_FRAMES, extra_frames),
    (&TURNED_PICTURE, turned_picture),
    (&MASK_SIZE_MISMATCH, mask_size_mismatch),
    (&MASK_DRIFT, mask_drift),
    (&STALE_OR_INVERTED, stale_or_inverted),
];

// The common part of the rules for gray pixels. Each rule reports one cause.

/// The finding of `rule` if its cause is among those of the mask's gray pixels: `headline` makes its
/// headline of the number of pixels.
fn cause_finding(
    rule: &'static LintRule,
    subject: &Subject<'_>,
    is_cause: impl Fn(&GrayCause) -> bool,
    headline: impl Fn(u64) -> String,
) -> Option<Finding> {
    let (_, count) = subject.gray_causes().iter().find(|(cause, _)| is_cause(cause))?;
    let (_, source) = subject.mask()?;
    let counts = &source.counts;
    let Some(first) = counts.first_gray else {
        return Some(Finding::new(rule, subject.path, headline(*count)));
    };
    let finding = marked(rule, subject, headline(*count), first, "? = gray");
    let extent = counts.gray_extent.filter(|_| *count == counts.gray);
    Some(match extent {
        Some(extent) => within(finding, *count, extent),
        None => finding,
    })
}

/// A finding at a pixel, with an excerpt in which the odd pixels are marked: the gray ones, or the
/// translucent ones by a legend that starts with `~`.
fn marked(
    rule: &'static LintRule,
    subject: &Subject<'_>,
    headline: String,
    first: UVec2,
    legend: &'static str,
) -> Finding {
    let finding = Finding::new(rule, subject.path, headline).place(at_pixel(first));
    let Some((loaded, _)) = subject.mask() else {
        return finding;
    };
    let bits: Option<&Bits> = loaded.odd_pixels().and_then(|odd| {
        if legend.starts_with('~') { odd.translucent.as_ref() } else { odd.gray.as_ref() }
    });
    finding.excerpt(Excerpt::around(loaded, first, legend, |x, y| {
        bits.is_some_and(|bits| bits.get(x, y))
    }))
}

/// With the extent of the pixels; one pixel has a place only.
fn within(finding: Finding, count: u64, extent: Aabb) -> Finding {
    let Aabb { min, max } = extent;
    let finding = finding.area(extent);
    match count {
        1 => finding,
        _ => {
            finding.note(format!("they lie within x {}..{}, y {}..{}", min.x, max.x, min.y, max.y))
        }
    }
}

/// `1 pixel is` or `3 pixels are`.
fn pixels_are(count: u64) -> String {
    match count {
        1 => "1 pixel is".to_owned(),
        _ => format!("{count} pixels are"),
    }
}

/// A colour as `#ff0000`.
fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

// Gray pixels of a mask that have none of the known causes.

rule! {
    /// # What it finds
    /// Opaque pixels of a mask that are neither exactly black nor exactly white, and that are neither soft
    /// edges (`soft-edge`), noise of lossy compression (`lossy-noise`), markers in a colour (`stray-color`),
    /// one of two levels (`two-levels`), nor a painting (`art-as-mask`): a few pixels somewhere, or a shade
    /// over a part. It applies with `--mask dark`, which is the default, and `--mask light`. Colours named
    /// by `--plane` are not reported.
    ///
    /// # Why it matters
    /// A threshold decides whether a gray pixel is solid, and the picture does not show it. It leaves bumps
    /// of a pixel that stop a body.
    ///
    /// # How to fix
    /// Repaint the pixels in black or white.
    GRAY_PIXELS = "MSK202" "gray-pixels" Error on(Mask)
}

fn gray_pixels(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &GrayCause| *cause == GrayCause::Other;
    let headline = |count| format!("{} neither black nor white", pixels_are(count));
    let found = cause_finding(&GRAY_PIXELS, subject, is_cause, headline);
    let first = subject.mask().and_then(|(loaded, source)| {
        let colors = &loaded.odd_pixels()?.colors;
        colors.known.iter().find(|color| Some(color.first) == source.counts.first_gray)
    });
    let found = found.map(|finding| match first.map(|color| color.rgb) {
        Some([red, green, blue]) => {
            finding.note(format!("the first one is rgb {red} {green} {blue}"))
        }
        None => finding,
    });
    found.map(|finding| finding.help("repaint them in black or white")).into_iter().collect()
}

// Pixels of a mask that are neither opaque nor clear.

rule! {
    /// # What it finds
    /// Pixels of a mask that are neither opaque nor fully transparent. In a mask of which most opaque pixels
    /// are gray or coloured, and some transparent, they count as the edges of its art: see `shape-in-alpha`.
    ///
    /// # Why it matters
    /// Such a pixel looks different on different backgrounds, so the artist may see a wall where the game
    /// has none. In most cases it is the soft edge of a brush.
    ///
    /// # How to fix
    /// Draw with a hard brush. If no pixel is fully transparent, flatten the picture onto one background
    /// before export.
    TRANSLUCENT_PIXELS = "MSK203" "translucent-pixels" Warning on(Mask)
}

fn translucent_pixels(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, source)) = subject.mask() else {
        return Vec::new();
    };
    let counts = &source.counts;
    let Some(first) = counts.first_translucent.filter(|_| !is_shape_in_alpha(source)) else {
        return Vec::new();
    };
    let headline = format!("{} neither opaque nor transparent", pixels_are(counts.translucent));
    // In a mask with transparent pixels, a background would hide the shape.
    let help = match counts.transparent {
        0 => "flatten the picture onto one background before export",
        _ => "draw with a hard brush, so that each pixel is opaque or fully transparent",
    };
    let mut finding =
        marked(&TRANSLUCENT_PIXELS, subject, headline, first, "~ = translucent").help(help);
    if let Some(alpha) = loaded.odd_pixels().and_then(|odd| odd.first_alpha) {
        finding = finding.note(format!("the first one has an opacity of {alpha} of 255"));
    }
    vec![match counts.translucent_extent {
        Some(extent) => within(finding, counts.translucent, extent),
        None => finding,
    }]
}

// Masks whose edges are smoothed.

rule! {
    /// # What it finds
    /// Gray pixels along the edges between black and white: a soft brush, or smoothing on export or as the
    /// mask was scaled.
    ///
    /// # Why it matters
    /// A threshold decides for each of them whether it is solid. The walls are half a pixel larger or
    /// smaller than they look, and slopes and circles get bumps of a pixel that stop a body.
    ///
    /// # How to fix
    /// Export again without smoothing, or draw with a hard pencil. `bitwall verify --fix` makes the edges
    /// hard where they are: no wall moves.
    SOFT_EDGE = "MSK207" "soft-edge" Error on(Mask)
}

fn soft_edge(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &GrayCause| *cause == GrayCause::SoftEdge;
    let headline = |count| format!("the edges are soft: {} gray", pixels_are(count));
    let found = cause_finding(&SOFT_EDGE, subject, is_cause, headline);
    found
        .map(|finding| finding.help("export again without smoothing, or make them hard with --fix"))
        .into_iter()
        .collect()
}

// Masks that went through lossy compression.

rule! {
    /// # What it finds
    /// Pixels of a mask that are nearly black or nearly white, around the edges: the noise of JPEG, or of
    /// another lossy compression, that the picture went through before it was saved as it is.
    ///
    /// # Why it matters
    /// The compression shifts edges too, by a pixel here and there. A threshold makes the noise black and
    /// white but does not bring the edges back.
    ///
    /// # How to fix
    /// Export the mask again from its original, in a format without loss such as PNG.
    LOSSY_NOISE = "MSK208" "lossy-noise" Error on(Mask)
}

fn lossy_noise(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &GrayCause| *cause == GrayCause::LossyNoise;
    let headline = |count| format!("{} gray from lossy compression", pixels_are(count));
    let found = cause_finding(&LOSSY_NOISE, subject, is_cause, headline);
    let help = "export it from the original as PNG, without a JPEG in between";
    found.map(|finding| finding.help(help)).into_iter().collect()
}

// Colours in a mask that have no meaning.

rule! {
    /// # What it finds
    /// A few colours beside black and white, such as a red marker or blue water, each in a patch of its own.
    /// Colours named by `--plane` are not reported.
    ///
    /// # Why it matters
    /// Without a name for it, a colour is solid or passable by its lightness: a red marker is a wall.
    ///
    /// # How to fix
    /// Name the area with `--plane NAME=#rrggbb`, or `planes` in `bitwall.toml`. If the colour is a slip,
    /// repaint it in black or white.
    STRAY_COLOR = "MSK209" "stray-color" Error on(Mask)
}

/// The most colours that are listed.
const MOST_COLORS: usize = 6;

fn stray_color(subject: &Subject<'_>) -> Vec<Finding> {
    let stray = subject.gray_causes().iter().find_map(|(cause, count)| match cause {
        GrayCause::StrayColors(colors) => Some((colors, *count)),
        _ => None,
    });
    let (Some((colors, count)), Some((_, source))) = (stray, subject.mask()) else {
        return Vec::new();
    };
    let mut colors = colors.clone();
    colors.sort_by_key(|color| (color.first.y, color.first.x));
    let Some(first) = colors.first().copied() else {
        return Vec::new();
    };
    let number = counted(colors.len() as u64, "colour");
    let has = if colors.len() == 1 { "has" } else { "have" };
    let headline = format!("{number} beside black and white {has} no name ({count} px)");
    let mut finding =
        marked(&STRAY_COLOR, subject, headline, first.first, "? = neither black nor white")
            .of_named("", colors.iter().map(|color| hex(color.rgb)));
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
    vec![finding.help(help)]
}

// Masks in two colours that are not black and white.

rule! {
    /// # What it finds
    /// A mask in exactly two colours that are not black and white, such as dark gray on light gray.
    ///
    /// # Why it matters
    /// The mask works only as long as its two colours lie on two sides of a threshold. With a palette that
    /// is a little lighter, everything is passable.
    ///
    /// # How to fix
    /// Export it in black and white, or say which colour is solid: `--mask #282828`, or `rule` in
    /// the section `[masks]` of `bitwall.toml`. `bitwall verify --fix` repaints it in black and white if the
    /// two colours lie on two sides of the threshold.
    TWO_LEVELS = "MSK212" "two-levels" Warning on(Mask)
}

fn two_levels(subject: &Subject<'_>) -> Vec<Finding> {
    let levels = subject.gray_causes().iter().find_map(|(cause, _)| match cause {
        GrayCause::TwoLevels([one, other]) => Some((hex(*one), hex(*other))),
        _ => None,
    });
    let found = levels.map(|(one, other)| {
        let headline = format!("the mask is drawn in {one} and {other}, not in black and white");
        Finding::new(&TWO_LEVELS, subject.path, headline)
            .help("export it in black and white, or say which colour is solid with --mask")
    });
    found.into_iter().collect()
}

// Paintings and photos that are taken for masks.

rule! {
    /// # What it finds
    /// A mask with many colours, most of whose pixels are neither black nor white: a painting or a photo. If
    /// its art is a picture in black and white, the two are exchanged.
    ///
    /// # Why it matters
    /// Dark parts of a painting are no walls.
    ///
    /// # How to fix
    /// Exchange the two files. If the picture is no mask at all, do not name it as one: see `masks` in the
    /// section `[verify]` of `bitwall.toml`.
    ART_AS_MASK = "MSK213" "art-as-mask" Error on(Mask)
}

fn art_as_mask(subject: &Subject<'_>) -> Vec<Finding> {
    let is_exchanged = is_exchanged(subject);
    let is_cause = |cause: &GrayCause| match cause {
        GrayCause::Painting => true,
        // Art of a level may have no background.
        GrayCause::ShapeInAlpha => is_exchanged,
        _ => false,
    };
    let headline = |count: u64| match is_exchanged {
        true => "the mask is a painting, and its art is black and white".to_owned(),
        false => format!("the mask is a painting: {count} pixels are neither black nor white"),
    };
    let help = match is_exchanged {
        true => "exchange the mask and its art",
        false => "name the right picture as the mask",
    };
    let found = cause_finding(&ART_AS_MASK, subject, is_cause, headline);
    found.map(|finding| finding.help(help)).into_iter().collect()
}

/// True if the art of the mask is in two colours, as a mask is.
pub(super) fn is_exchanged(subject: &Subject<'_>) -> bool {
    subject.art_picture().is_some_and(|art| art.is_two_level())
}

// Masks whose shape is in their transparency.

rule! {
    /// # What it finds
    /// A mask that is drawn in colours on a transparent ground, while the rule for it (`dark` or `light`)
    /// asks how light a pixel is; or one that is drawn in white alone, which is passable as the ground is
    /// (with `--mask light` in black alone); or one in black and white, if of both there is at least a
    /// twentieth of the opaque pixels, the ground is larger than the passable one of them, and this one has
    /// at least a third of the edge that black and white have along the ground. So a room whose white floor
    /// lies behind black walls is passed over.
    ///
    /// # Why it matters
    /// The shape is in the transparency, and the rule looks at the colours: light parts of the shape are
    /// passable. Of a shape in white nothing is solid, and of one in black and white only a part.
    ///
    /// # How to fix
    /// Use `--mask opaque`, or `rule = "opaque"` in the section `[masks]` of `bitwall.toml`. If it is not the
    /// shape that is meant, draw the mask in black and white without transparent pixels.
    SHAPE_IN_ALPHA = "MSK215" "shape-in-alpha" Error on(Mask)
}

fn shape_in_alpha(subject: &Subject<'_>) -> Vec<Finding> {
    let is_cause = |cause: &GrayCause| *cause == GrayCause::ShapeInAlpha && !is_exchanged(subject);
    let color = match subject.mask().map(|(_, source)| &source.counts) {
        Some(counts) if counts.black.min(counts.white) > counts.gray => "black and white",
        Some(counts) if counts.gray == 0 && counts.white > 0 => "white",
        Some(counts) if counts.gray == 0 => "black",
        _ => "colours",
    };
    let headline =
        |count| format!("the mask is drawn in {color} on a transparent ground ({count} px)");
    let found = cause_finding(&SHAPE_IN_ALPHA, subject, is_cause, headline);
    let help = "use --mask opaque, or `rule` in the section [masks] of bitwall.toml";
    found.map(|finding| finding.help(help)).into_iter().collect()
}

// Tiny walls and tiny holes that stand alone.

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

fn specks(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some((loaded, _)), Some(bits)) = (subject.mask(), subject.bits()) else {
        return Vec::new();
    };
    // The threshold leaves specks in what is gray, and gray is reported by its own rules.
    let is_drawn =
        |cause: &GrayCause| matches!(cause, GrayCause::StrayColors(_) | GrayCause::TwoLevels(_));
    if !subject.gray_causes().iter().all(|(cause, _)| is_drawn(cause)) {
        return Vec::new();
    }
    let drawn = loaded.odd_pixels().and_then(|odd| odd.gray.as_ref());
    // In a mask of two levels all walls are gray.
    let is_stray = |cause: &GrayCause| matches!(cause, GrayCause::StrayColors(_));
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
            .place(at_pixel(pixel))
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

// Animated pictures as masks.

rule! {
    /// # What it finds
    /// A mask that is an animation: an animated PNG, GIF or WebP of several frames.
    ///
    /// # Why it matters
    /// Only the first frame counts. In most cases an editor has saved its layers as frames, so that the
    /// walls of the other layers are missing.
    ///
    /// # How to fix
    /// Flatten the layers and export one picture.
    EXTRA_FRAMES = "MSK211" "extra-frames" Warning on(Mask)
}

fn extra_frames(subject: &Subject<'_>) -> Vec<Finding> {
    let frames = png_frames(subject.bytes);
    let is_animated = subject.mask().is_some_and(|(_, source)| source.animated);
    if !is_animated || frames.is_some_and(|frames| frames < 2) {
        return Vec::new();
    }
    let frames = frames.map_or("several".to_owned(), |frames| frames.to_string());
    let headline = format!("the mask has {frames} frames, of which only the first counts");
    vec![
        Finding::new(&EXTRA_FRAMES, subject.path, headline)
            .help("flatten the layers and export one picture"),
    ]
}

// Masks that viewers show turned or mirrored.

rule! {
    /// # What it finds
    /// A mask whose Exif data says that it is to be shown turned or mirrored.
    ///
    /// # Why it matters
    /// Many viewers and editors heed the Exif data, games and bitwall do not: the walls are not where the
    /// artist saw them.
    ///
    /// # How to fix
    /// Turn the pixels in an editor, and export without Exif data.
    TURNED_PICTURE = "MSK214" "turned-picture" Error on(Mask)
}

fn turned_picture(subject: &Subject<'_>) -> Vec<Finding> {
    let manner = match orientation(subject.bytes) {
        Some(2) => "mirrored left to right",
        Some(3) => "turned by half",
        Some(4) => "mirrored top to bottom",
        Some(5 | 7) => "turned by a quarter and mirrored",
        Some(6) => "turned by a quarter to the right",
        Some(8) => "turned by a quarter to the left",
        _ => return Vec::new(),
    };
    let headline = format!("viewers show the mask {manner}, and the game does not");
    vec![
        Finding::new(&TURNED_PICTURE, subject.path, headline)
            .note("its Exif data has an orientation")
            .help("turn the pixels, and export without Exif data"),
    ]
}

// Masks whose size differs from that of their art.

rule! {
    /// # What it finds
    /// A mask whose size differs from that of its art, or from `--size`, or is no multiple of `--tile`. The
    /// art is the picture named by `--art`, or the one with its name: `harbor.png` (or .jpg, .bmp and so on)
    /// beside `harbor_mask.png`.
    ///
    /// # Why it matters
    /// The mask is laid over the picture pixel by pixel. With another size, the walls are not where the
    /// player sees them.
    ///
    /// # How to fix
    /// Crop or scale the one that is wrong; scale a mask without smoothing.
    MASK_SIZE_MISMATCH = "MSK204" "mask-size-mismatch" Error on(Mask)
}

fn mask_size_mismatch(subject: &Subject<'_>) -> Vec<Finding> {
    let Some((loaded, _)) = subject.mask() else {
        return Vec::new();
    };
    let size = loaded.level.grid().size();
    let finding = |headline: String| Finding::new(&MASK_SIZE_MISMATCH, subject.path, headline);
    let mut findings = Vec::new();
    if let Some(wanted) = subject.options.size.filter(|wanted| *wanted != size) {
        let headline = format!("the mask is {}, but should be {}", px(size), px(wanted));
        findings.push(finding(headline).help("crop or scale the mask, without smoothing"));
    }
    let ragged = |tile: &UVec2| tile.min_element() > 0 && size % *tile != UVec2::ZERO;
    if let Some(tile) = subject.options.tile.filter(ragged) {
        let headline =
            format!("the mask is {}, which is not whole tiles of {}", px(size), px(tile));
        findings.push(finding(headline).help("crop the mask, or extend it, to whole tiles"));
    }
    if let Some(Art { path, size: art, .. }) = subject.art() {
        let path = path_in_line(path);
        match art {
            Ok(art) if *art == size => {}
            Ok(art) => findings.push(
                finding(format!("the mask is {}, but its art is {}", px(size), px(*art)))
                    .note(format!("the art is {path}"))
                    .help("crop or scale the one that is wrong, the mask without smoothing"),
            ),
            Err(reason) => findings.push(
                finding("the art of the mask cannot be read".to_owned())
                    .note(format!("{path}: {}", printable(reason)))
                    .help("fix the picture, or name another with --art"),
            ),
        }
    }
    findings
}

// Masks that do not lie where their art does.

rule! {
    /// # What it finds
    /// A mask that would fit its art clearly better if it were moved by 1 to 8 pixels. The two are compared
    /// by mutual information: the art's colours need not be those of the mask.
    ///
    /// # Why it matters
    /// A wall that lies beside its picture stops a body in the air, or lets it sink in. Such a shift comes
    /// from a layer that was moved, a crop, or another canvas, and concerns every wall of the level.
    ///
    /// Of 50 pairs that were drawn by program and shifted, 47 were found; of 27 maps of real games with
    /// pictures of them, 16. The art of the others tells too little of their walls. None of these 77 pairs
    /// was called shifted where it was right, and none was used to set the thresholds.
    ///
    /// # How to fix
    /// Move the mask by the shift that the finding names, or export both from the same canvas.
    MASK_DRIFT = "MSK205" "mask-drift" Error on(Mask) needs(Art)
}

fn mask_drift(subject: &Subject<'_>) -> Vec<Finding> {
    give_up_if_unknown(subject, &MASK_DRIFT);
    // A picture that is no mask has a fault of its own.
    let is_none =
        |(cause, _): &Counted| matches!(cause, GrayCause::Painting | GrayCause::ShapeInAlpha);
    if subject.gray_causes().iter().any(is_none) {
        return Vec::new();
    }
    let Some(found) = subject.drift() else {
        return Vec::new();
    };
    let way = |by: i32, [less, more]: [&str; 2]| match by {
        0 => None,
        1.. => Some(format!("{by} px {more}")),
        _ => Some(format!("{} px {less}", -by)),
    };
    let parts = [way(found.shift.x, ["left", "right"]), way(found.shift.y, ["up", "down"])];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let way = parts.join(" and ");
    let percent = |fit: f64| (fit * 100.0).round();
    vec![
        Finding::new(&MASK_DRIFT, subject.path, format!("the mask fits its art if moved {way}"))
            .note(format!(
                "the art tells {} % of the mask where it is, {} % there",
                percent(found.before),
                percent(found.after)
            ))
            .help(format!("move the mask {way}, or export both from one canvas")),
    ]
}

/// Reports a rule as skipped if the mask and its art have one size but cannot be compared. Another
/// rule reports different sizes.
pub(super) fn give_up_if_unknown(subject: &Subject<'_>, rule: &'static LintRule) {
    let size = subject.mask().map(|(loaded, _)| loaded.level.grid().size());
    let of_art = subject.art().and_then(|art| art.size.as_ref().ok().copied());
    let (Some(size), true) = (size, size == of_art) else {
        return;
    };
    if subject.art_picture().is_none() || subject.bits().is_none() {
        subject.give_up(rule, "the art is too large, or cannot be decoded");
    } else if size.min_element() < LEAST_SIDE {
        subject.give_up(rule, "the mask is too small to be compared with art");
    } else if subject.bits().is_some_and(is_lopsided) {
        subject.give_up(
            rule,
            "the mask is nearly all solid or all passable, so that art tells little of it",
        );
    }
}

// Masks that say something else than their art.

rule! {
    /// # What it finds
    /// A mask that disagrees with its art, of equal size, in one of three ways. *Inverted*: the art is
    /// transparent where the mask is solid, and only there. *Another level's*: the art's colours tell no
    /// more of the mask than chance does. *Stale*: the two agree but for a few parts, where the art shows
    /// what is solid (or passable) elsewhere.
    ///
    /// Of pairs beside those that set the thresholds, 50 drawn by program and 27 maps of real games with
    /// pictures of them, these were found: stale 49 and 7, inverted of transparent art 11 of 12 and 5 of 12,
    /// another level's 19 and 11. The others resemble their own by chance, or their art tells too little of
    /// the walls. None was reported where it was right.
    ///
    /// An inverted mask of art without transparency is not found: nothing in a picture tells which of its
    /// colours stop a body.
    ///
    /// # Why it matters
    /// The walls that a player meets are not those that the player sees.
    ///
    /// # How to fix
    /// Draw the parts again that were changed in the art only, exchange black and white, or name the right
    /// art with `--art`. A wall that is invisible on purpose can be allowed with `--allow
    /// stale-or-inverted`.
    STALE_OR_INVERTED = "MSK206" "stale-or-inverted" Warning on(Mask) needs(Art)
}

fn stale_or_inverted(subject: &Subject<'_>) -> Vec<Finding> {
    give_up_if_unknown(subject, &STALE_OR_INVERTED);
    let (Some(art), Some(bits)) = (subject.art_picture(), subject.bits()) else {
        return Vec::new();
    };
    let is_drawn =
        |cause: &GrayCause| matches!(cause, GrayCause::StrayColors(_) | GrayCause::TwoLevels(_));
    let is_gray = !subject.gray_causes().iter().all(|(cause, _)| is_drawn(cause));
    let finding = |headline: String| Finding::new(&STALE_OR_INVERTED, subject.path, headline);
    match subject.drift().is_none().then(|| disagreement(art.picture(), bits)).flatten() {
        // A mask of many grays has a fault of its own, and says little about its walls.
        _ if is_gray => Vec::new(),
        None => Vec::new(),
        Some(Disagreement::Inverted) => vec![
            finding("the art is transparent where the mask is solid, and only there".to_owned())
                .help("exchange black and white, or use --mask light"),
        ],
        Some(Disagreement::Unrelated { fit }) => vec![
            finding("the mask has nothing in common with its art".to_owned())
                .note(format!(
                    "the art tells {} % of the mask, as chance would",
                    (fit * 100.0).round()
                ))
                .help("name the right art with --art, or export the right mask"),
        ],
        Some(Disagreement::Parts(parts)) => {
            parts.iter().take(MOST_FINDINGS).map(|part| of_part(part, finding)).collect()
        }
    }
}

fn of_part(part: &PairPart, finding: impl Fn(String) -> Finding) -> Finding {
    let PairPart { area, pixels, is_solid } = *part;
    let (mask, art) = if is_solid { ("solid", "free") } else { ("passable", "walled") };
    let headline = format!("the mask is {mask} where the art looks {art}: {}", px(area.size()));
    let pixel = area.min.max(bitwall::glam::IVec2::ZERO).as_uvec2();
    finding(headline)
        .place(at_pixel(pixel))
        .area(area)
        .note(format!("{} there have colours of the other kind", counted(pixels, "pixel")))
        .help("draw this part of the mask again, if the art was changed")
}
