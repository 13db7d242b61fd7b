//! The rules for masks: gray pixels by cause, specks, animations, and masks that do not fit their art.

use crate::lint::finding::{Excerpt, Finding};
use crate::lint::pixels::causes::bytes_after_png;
use crate::lint::pixels::hairlines::hairlines;
use crate::lint::pixels::pair::{Disagreement, LEAST_SIDE, disagreement, is_lopsided};
use crate::lint::pixels::specks::{noise, slips, square};
use crate::lint::rules::at_pixel;
use crate::lint::{Art, Check, GrayCause, Subject};
use crate::mask_facts::{GrayColor, hex, is_shape_in_alpha, opaque_pixels};
use bitwall::LoadedLevel;
use bitwall::geometry::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::Grid;
use bitwall::mask::MaskSource;
use bitwall::text::{counted, path_in_line, printable, px};

rule! {
    /// # What it finds
    /// Opaque pixels of a mask that are neither exactly black nor exactly white, and pixels that are neither
    /// opaque nor fully transparent. A note states the cause, as far as the colours and places of the pixels
    /// show it: soft edges, noise as of lossy compression, colours without a name, a mask in two other
    /// colours. The rule applies to opaque pixels with `--mask dark`, `light` and `black`. Colours named by
    /// `--plane` are not reported, nor are paintings (`art-as-mask`) and the edges of a shape on a
    /// transparent ground (`shape-in-alpha`).
    ///
    /// # Why it matters
    /// A threshold decides whether a gray pixel is solid, and the picture does not show the decision. Such
    /// pixels leave bumps of a pixel that stop a body, a red marker is a wall, and a mask in two grays works
    /// only as long as they are on different sides of the threshold. A translucent pixel looks different on
    /// different backgrounds, so the artist may see a wall where the game has none.
    ///
    /// # How to fix
    /// Repaint the pixels in black or white with a hard brush, or export the mask again, without smoothing
    /// and in a lossless format such as PNG. Name a colour with a meaning by `--plane NAME=#rrggbb`, or by
    /// `planes` in `bitwall.toml`. `bitwall verify --fix` makes soft edges hard without moving any wall, and
    /// repaints a mask in two colours if they are on different sides of the threshold. It removes noise if no
    /// pixel comes nearer to the threshold than 32 of 255: then each threshold within this range gives the
    /// same walls. The noise of a JPEG with a quality of 60 or more does not come so near.
    GRAY_PIXELS(gray_pixels) = "MSK202" "gray-pixels" Error on(Mask)
}

fn gray_pixels(check: &Check<'_, '_>) -> Option<()> {
    let (_, source) = check.mask()?;
    let counts = &source.counts;
    let facts = check.mask_facts();
    if facts.is_none() && counts.gray + counts.translucent > 0 {
        check.give_up("the picture is too large to find the causes of its gray pixels");
    }
    for (cause, count) in check.gray_causes() {
        let Some((note, help)) = in_words(cause) else {
            continue;
        };
        let headline = format!("{} neither black nor white", pixels_are(*count));
        let mut finding = check.finding(headline).notes(note).help(help);
        let mut first = None;
        if let GrayCause::StrayColors(colors) = cause {
            finding = with_colors(finding, source, colors);
            first = colors.first().map(|color| color.first);
        }
        check.push(at_gray(finding, check, first, *count));
    }
    translucent_pixels(check)
}

/// Returns the cause of gray pixels in words, if it is known, and the remedy. `None` for a cause that has a
/// rule of its own.
fn in_words(cause: &GrayCause) -> Option<(Option<String>, String)> {
    Some(match cause {
        GrayCause::TwoLevels([one, other]) => (
            Some(format!("the mask is drawn in {} and {} alone", hex(*one), hex(*other))),
            "export it in black and white, or say which colour is solid with --mask".to_owned(),
        ),
        GrayCause::StrayColors(colors) => {
            let number = counted(colors.len() as u64, "colour");
            let has = if colors.len() == 1 { "has" } else { "have" };
            let first = colors.first().map_or_else(String::new, |color| hex(color.rgb));
            (
                Some(format!("{number} {has} no name")),
                format!("name the area with --plane NAME={first}, or repaint it"),
            )
        }
        GrayCause::SoftEdge => (
            Some("the edges are soft".to_owned()),
            "export again without smoothing, or make them hard with --fix".to_owned(),
        ),
        GrayCause::LossyNoise => (
            Some("they are noise, as of lossy compression".to_owned()),
            "export it again as PNG, without a JPEG in between, or repair it with --fix".to_owned(),
        ),
        GrayCause::Other => (None, "repaint them in black or white".to_owned()),
        GrayCause::Painting | GrayCause::ShapeInAlpha => return None,
    })
}

/// The largest number of colours that a finding lists.
const MOST_COLORS: usize = 6;

/// Adds the colours without a name to a finding.
fn with_colors(mut finding: Finding, source: &MaskSource, colors: &[GrayColor]) -> Finding {
    finding = finding.of_named(colors.iter().map(|color| hex(color.rgb)).collect());
    for color in colors.iter().take(MOST_COLORS) {
        let kind = if source.rule.is_solid_color(color.rgb) { "solid" } else { "passable" };
        let pixels = counted(color.count, "pixel");
        let UVec2 { x, y } = color.first;
        let hex = hex(color.rgb);
        finding = finding.note(format!("{hex}: {pixels}, {kind}, the first at x {x}, y {y}"));
    }
    finding
}

fn translucent_pixels(check: &Check<'_, '_>) -> Option<()> {
    let (loaded, source) = check.mask()?;
    let counts = &source.counts;
    let facts = check.mask_facts()?;
    let translucent = facts.translucent.as_ref().filter(|_| !is_shape_in_alpha(source, facts))?;
    // In a mask with fully transparent pixels, to flatten the picture would hide the shape that these pixels
    // surround.
    let help = match counts.transparent {
        _ if opaque_pixels(counts) == 0 => "set the layer to 100% opacity, and export it again",
        0 => "flatten the picture onto one background before export",
        _ => "draw with a hard brush, so that each pixel is opaque or fully transparent",
    };
    let headline = format!("{} neither opaque nor transparent", pixels_are(counts.translucent));
    let finding = check.finding(headline).help(help);
    let legend = "~ = translucent";
    let finding = marked(finding, loaded, translucent.first, legend, &translucent.pixels);
    check.push(finding.area(translucent.extent));
    Some(())
}

rule! {
    /// # What it finds
    /// A mask with many colours, most of whose pixels are neither black nor white: a painting or a photo.
    ///
    /// # Why it matters
    /// Dark parts of a painting are not walls.
    ///
    /// # How to fix
    /// Name the right picture as the mask. In many cases the mask and its art are exchanged. If the picture
    /// is not a mask at all, do not name it as one: see `masks` in the section `[verify]` of
    /// `bitwall.toml`.
    ART_AS_MASK(art_as_mask) = "MSK213" "art-as-mask" Error on(Mask)
}

fn art_as_mask(check: &Check<'_, '_>) -> Option<()> {
    let mut causes = check.gray_causes().iter();
    let (_, count) = causes.find(|(cause, _)| *cause == GrayCause::Painting)?;
    let headline = format!("the mask is a painting: {count} pixels are neither black nor white");
    let help = "name the right picture as the mask";
    let finding = check.finding(headline).help(help);
    check.push(at_gray(finding, check, None, *count));
    Some(())
}

rule! {
    /// # What it finds
    /// A mask with a shape on a transparent ground, if its rule (such as `dark`) looks at the lightness of
    /// pixels. A mask whose black is all transparent is not reported
    /// here, but by `unclear-mask`. The shape is in
    /// colours; or only in white, which is passable like the ground (with `--mask light` only in black); or
    /// in black and white. A shape in black and white is reported only under three conditions: each of the
    /// two colours has at least a 32nd of the opaque pixels; the ground is at least as large as the passable
    /// colour; and the passable colour has at least a fifth of the edge along the ground. So a room whose
    /// white floor is behind black walls is not reported.
    ///
    /// # Why it matters
    /// The transparency shows the shape, but the rule looks at the colours: light parts of the shape are
    /// passable. A white shape is not solid at all, and a shape in black and white only in part.
    ///
    /// # How to fix
    /// Use `--mask opaque`, or `rule = "opaque"` in the section `[masks]` of `bitwall.toml`. If the shape is
    /// not meant as the wall, draw the mask in black and white without transparent pixels.
    SHAPE_IN_ALPHA(shape_in_alpha) = "MSK215" "shape-in-alpha" Error on(Mask)
}

fn shape_in_alpha(check: &Check<'_, '_>) -> Option<()> {
    let mut causes = check.gray_causes().iter();
    let (_, count) = causes.find(|(cause, _)| *cause == GrayCause::ShapeInAlpha)?;
    let (_, source) = check.mask()?;
    let counts = &source.counts;
    let color = match (counts.gray, counts.white) {
        (gray, white) if white.min(counts.black) > gray => "black and white",
        (0, 1..) => "white",
        (0, 0) => "black",
        _ => "colours",
    };
    let headline = format!("the mask is drawn in {color} on a transparent ground ({count} px)");
    let help = "use --mask opaque, or `rule` in the section [masks] of bitwall.toml";
    let finding = check.finding(headline).help(help);
    check.push(at_gray(finding, check, None, *count));
    Some(())
}

/// Adds the place of the gray pixels to a finding about `count` pixels of a mask: the pixel `first`, or else
/// the first gray one.
fn at_gray(finding: Finding, subject: &Subject<'_>, first: Option<UVec2>, count: u64) -> Finding {
    let gray = subject.mask_facts().and_then(|facts| facts.gray.as_ref());
    let Some((gray, (loaded, source))) = gray.zip(subject.mask()) else {
        return finding;
    };
    let first = first.unwrap_or(gray.first);
    let finding = marked(finding, loaded, first, "? = gray", &gray.pixels);
    if source.counts.gray == count { finding.area(gray.extent) } else { finding }
}

/// Sets the place of the finding to the pixel `first`, and adds an excerpt in which the `odd` pixels are
/// marked.
fn marked(
    finding: Finding,
    loaded: &LoadedLevel,
    first: UVec2,
    legend: &'static str,
    odd: &Grid,
) -> Finding {
    let excerpt = Excerpt::around(loaded, first, legend, &|at| odd.is_solid(at.x, at.y));
    finding.place(at_pixel(first)).excerpt(excerpt)
}

fn pixels_are(count: u64) -> String {
    match count {
        1 => "1 pixel is".to_owned(),
        _ => format!("{count} pixels are"),
    }
}

/// True if all gray pixels of the mask have colours that were chosen on purpose: a mask in two colours, or
/// colours that mark something. Gray pixels with another cause have their own finding and are weak evidence
/// for walls.
fn is_drawn(subject: &Subject<'_>) -> bool {
    subject
        .gray_causes()
        .iter()
        .all(|(cause, _)| matches!(cause, GrayCause::StrayColors(_) | GrayCause::TwoLevels(_)))
}

rule! {
    /// # What it finds
    /// Specks and pinholes of a mask: solid or passable pixels within a 2 x 2 square that touch no other
    /// pixels of their kind.
    ///
    /// These are not reported:
    ///
    /// - More than 24 of them, because they are drawn on purpose: unless the walls have as many pinholes for
    ///   their size as the open has specks, up to four times. Then they are noise, and one finding.
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
    SPECKS(specks) = "MSK210" "specks" Warning on(Mask)
}

fn specks(check: &Check<'_, '_>) -> Option<()> {
    let (loaded, _) = check.mask()?;
    let mask = loaded.level.grid();
    // In a mask with gray edges or noise, the threshold between solid and passable itself creates specks.
    if !is_drawn(check) {
        return None;
    }
    if let Some([specks, pinholes]) = noise(mask) {
        let headline = format!("noise all over the mask: {specks} specks, {pinholes} pinholes");
        let help = "export it again from the original: noise is on the edges of walls too";
        check.push(check.finding(headline).help(help));
        return None;
    }
    // Specks in gray pixels are ignored only if the gray colours mark something. If the whole mask is in two
    // colours, all its walls may be gray.
    let mut causes = check.gray_causes().iter();
    let has_marks = causes.any(|(cause, _)| matches!(cause, GrayCause::StrayColors(_)));
    let gray = check.mask_facts().and_then(|facts| facts.gray.as_ref());
    let drawn = gray.filter(|_| has_marks).map(|gray| &gray.pixels);
    for (is_solid, noun, place, color, legend, verb) in [
        (true, "speck", "open", "white", "o = speck", "drop"),
        (false, "pinhole", "walls", "black", "o = pinhole", "fill"),
    ] {
        let corners = slips(mask, is_solid, drawn);
        let mut pixels: Vec<UVec2> = corners.iter().copied().flat_map(square).collect();
        pixels.retain(|at| mask.get(at.x, at.y) == Some(is_solid));
        for corner in corners {
            let spot = format!("x {}, y {}", corner.x, corner.y);
            check.add_at(noun, spot, || {
                let pixel = pixels.first().copied().unwrap_or(corner);
                check
                    .finding(format!("a {noun} of at most 2 x 2 px in the {place}"))
                    .place(at_pixel(pixel))
                    .excerpt(Excerpt::around(loaded, pixel, legend, &|at| pixels.contains(&at)))
                    .area(Aabb::from_xywh(corner.x as i32, corner.y as i32, 2, 2))
                    .help(format!("repaint the pixels in {color}, or {verb} them with --fix"))
            });
        }
    }
    Some(())
}

rule! {
    /// # What it finds
    /// A gap of one or two pixels through a wall of a mask whose ways are usually much wider. It leads from
    /// one way to another, becomes wide at once at both ends, and has walls on both sides.
    ///
    /// What is much wider depends on the mask: on the median length of the runs of its solid and of its
    /// passable pixels. With bodies (`--body`, `[[verify.body]]`), the ways at both ends have room for the
    /// smallest of them, and the gap has not.
    ///
    /// These are not reported: gaps in a mask whose walls or ways are usually less than four pixels wide, in
    /// which a pixel may be a tile; more than 24 gaps; equal ones in an evenly spaced line, such as a fence;
    /// and all in a mask with gray pixels, or of less than 4,096 pixels.
    ///
    /// In 62 masks of 7 projects, this rule and `hairline-wall` reported nothing. A program drew lines of one
    /// and two pixels in those masks, eight pixels or more from other edges beside their middle: 2,820 of
    /// 2,940 gaps were found, and 1,301 of 1,329 walls, in each project at least 89%. Of 541 maps, drawn as
    /// masks, 9 have such lines: fences of one pixel, and tiles whose shapes leave two pixels between them.
    ///
    /// # Why it matters
    /// No body fits through, but light, shots and looks do, and a room that is meant to be closed is open. In
    /// most cases a pencil or an eraser slipped, or two parts of the wall were pasted one pixel apart.
    ///
    /// # How to fix
    /// Draw the wall again, or make the gap as wide as a way. `bitwall verify --fix` leaves it to a person.
    HAIRLINE_GAP(|check| hairline(check, false)) = "MSK217" "hairline-gap" Warning on(Mask)
}

rule! {
    /// # What it finds
    /// A wall of one pixel across a way of a mask whose walls are usually much thicker. It leads from one
    /// wall to another, and the ways on both sides are wide.
    ///
    /// What is much thicker depends on the mask, and what is not reported is the same: see `hairline-gap`.
    /// With bodies, the ways on both sides and the way that the line closes have room for the smallest of
    /// them.
    ///
    /// # Why it matters
    /// A body stops at a line that nobody sees, or a part of the level cannot be reached. In most cases it is
    /// the outline of a selection, a guide, or a slip of the pencil.
    ///
    /// # How to fix
    /// Remove the line, or draw it as thick as the other walls. `bitwall verify --fix` leaves it to a person.
    HAIRLINE_WALL(|check| hairline(check, true)) = "MSK218" "hairline-wall" Warning on(Mask)
}

fn hairline(check: &Check<'_, '_>, is_solid: bool) -> Option<()> {
    // In a mask with gray edges or noise, the threshold itself leaves lines of one pixel.
    let (loaded, _) = check.mask().filter(|_| is_drawn(check))?;
    let (kind, through, legend, help) = if is_solid {
        ("wall", "across a way", "o = wall", "remove it, or draw it as thick as other walls")
    } else {
        ("gap", "through a wall", "o = gap", "close the gap, or make it as wide as a way")
    };
    let bodies: Vec<UVec2> = check.bodies().iter().map(|body| body.size).collect();
    for line in check.known(hairlines(loaded.level.grid(), is_solid, &bodies))? {
        let Aabb { min, .. } = line.area;
        check.add_at("", format!("x {}, y {}", min.x, min.y), || {
            let first = line.pixels.first().copied().unwrap_or(min).as_uvec2();
            let is_marked = |at: UVec2| line.pixels.contains(&at.as_ivec2());
            let [width, length] = [line.width, line.length];
            check
                .finding(format!("a {kind} of {width} px {through} of {length} px"))
                .place(at_pixel(first))
                .area(line.area)
                .excerpt(Excerpt::around(loaded, first, legend, &is_marked))
                .help(help)
        });
    }
    Some(())
}

rule! {
    /// # What it finds
    /// A mask whose file has more than one picture: an animated PNG with several frames, or
    /// bytes after the end of a PNG.
    ///
    /// # Why it matters
    /// Only the first picture counts. In most cases an editor has saved its layers as frames, so the walls of
    /// the other layers are missing. Bytes after the end are the rest of an older, larger file, or a second
    /// picture.
    ///
    /// # How to fix
    /// Flatten the layers and export one picture.
    EXTRA_FRAMES(extra_frames) = "MSK211" "extra-frames" Warning on(Mask)
}

fn extra_frames(check: &Check<'_, '_>) -> Option<()> {
    let (_, source) = check.mask()?;
    if source.animated {
        let headline = "the mask is an animation, of which only the first frame counts";
        let help = "flatten the layers and export one picture";
        check.push(check.finding(headline).help(help));
    }
    let rest = bytes_after_png(check.bytes) as u64;
    if rest > 0 {
        let follow = if rest == 1 { "follows" } else { "follow" };
        let headline = format!("{} {follow} the end of the picture", counted(rest, "byte"));
        check.push(check.finding(headline).help("export the mask again"));
    }
    Some(())
}

rule! {
    /// # What it finds
    /// A mask whose size differs from the size of its art or from `size` of `[verify]`, or is no multiple of
    /// `tile`.
    /// The art is the picture named by `--art`, or the one with the mask's name: `harbor.png` (or .jpg, .bmp
    /// and so on) beside `harbor_mask.png`. A picture of the same size is also the art of
    /// `harbor_collision.png` beside it, and of `masks/harbor.png`.
    ///
    /// # Why it matters
    /// The mask is laid over the picture pixel by pixel. With another size, the walls are not where the
    /// player sees them.
    ///
    /// # How to fix
    /// Crop or scale the picture that is wrong; scale a mask without smoothing.
    MASK_SIZE_MISMATCH(mask_size_mismatch) = "MSK204" "mask-size-mismatch" Error on(Mask)
}

fn mask_size_mismatch(check: &Check<'_, '_>) -> Option<()> {
    let size = check.mask()?.0.level.grid().size();
    if let Some(wanted) = check.options.size.filter(|wanted| *wanted != size) {
        let headline = format!("the mask is {}, but should be {}", px(size), px(wanted));
        let help = "crop or scale the mask, without smoothing";
        check.push(check.finding(headline).help(help));
    }
    if let Some(tile) = check.options.tile
        && tile.min_element() > 0
        && size % tile != UVec2::ZERO
    {
        let headline =
            format!("the mask is {}, which is not whole tiles of {}", px(size), px(tile));
        let help = "crop the mask, or extend it, to whole tiles";
        check.push(check.finding(headline).help(help));
    }
    if let Some(Art { path, size: art, .. }) = check.art().filter(|art| art.size != Ok(size)) {
        let path = path_in_line(path);
        let (headline, note, help) = match art {
            Ok(art) => (
                format!("the mask is {}, but its art is {}", px(size), px(*art)),
                format!("the art is {path}; the mask looks {}", resized(size, *art)),
                "crop or scale the one that is wrong, the mask without smoothing",
            ),
            Err(reason) => (
                "the art of the mask cannot be read".to_owned(),
                format!("{path}: {}", printable(reason)),
                "fix the picture, or name another with --art",
            ),
        };
        check.push(check.finding(headline).note(note).help(help));
    }
    Some(())
}

/// Returns how a mask probably lost the size of its art: scaled, if both sides are as much longer or shorter,
/// by a 20th at least.
fn resized(size: UVec2, art: UVec2) -> &'static str {
    let [size, art] = [size.as_u64vec2(), art.as_u64vec2()];
    let is_alike = (size.x * art.y).abs_diff(size.y * art.x) <= art.max_element();
    let is_scaled = is_alike && size.x.abs_diff(art.x) * 20 >= art.x;
    if is_scaled { "scaled" } else { "cropped or extended" }
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
    MASK_DRIFT(mask_drift) = "MSK205" "mask-drift" Error on(Mask) needs(Art)
}

fn mask_drift(check: &Check<'_, '_>) -> Option<()> {
    give_up_if_unknown(check);
    // Another rule reports a picture that is not a mask.
    let mut causes = check.gray_causes().iter();
    if causes.any(|(it, _)| matches!(it, GrayCause::Painting | GrayCause::ShapeInAlpha)) {
        return None;
    }
    let drift = check.drift()?;
    let IVec2 { x, y } = drift.shift;
    let across = format!("{} px {}", x.abs(), if x > 0 { "right" } else { "left" });
    let down = format!("{} px {}", y.abs(), if y > 0 { "down" } else { "up" });
    let way = match (x, y) {
        (_, 0) => across,
        (0, _) => down,
        _ => format!("{across} and {down}"),
    };
    let [before, after] = [drift.before, drift.after].map(|fit| (fit * 100.0).round());
    let finding = check
        .finding(format!("the mask fits its art if moved {way}"))
        .note(format!("the art tells {before} % of the mask where it is, {after} % there"))
        .help(format!("move the mask {way}, or export both from one canvas"));
    check.push(finding);
    Some(())
}

/// Reports a rule as skipped if the mask and its art have the same size but cannot be compared. Another rule
/// reports different sizes.
fn give_up_if_unknown(check: &Check<'_, '_>) {
    let size = check.mask().map(|(loaded, _)| loaded.level.grid().size());
    let of_art = check.art().and_then(|art| art.size.as_ref().ok().copied());
    let Some(size) = size.filter(|_| size == of_art) else {
        return;
    };
    if check.art_picture().is_none() {
        check.give_up("the art is too large, or cannot be decoded");
    } else if size.min_element() < LEAST_SIDE || check.solid_pixels().is_some_and(is_lopsided) {
        check.give_up("the mask is too small, or nearly all solid or all passable, to be compared");
    }
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
    STALE_OR_INVERTED(stale_or_inverted) = "MSK206" "stale-or-inverted" Warning on(Mask) needs(Art)
}

fn stale_or_inverted(check: &Check<'_, '_>) -> Option<()> {
    give_up_if_unknown(check);
    let art = check.art_picture()?;
    let mask = check.solid_pixels()?;
    if !is_drawn(check) || check.drift().is_some() {
        return None;
    }
    match disagreement(art, mask)? {
        Disagreement::Inverted => {
            let headline = "the art is transparent where the mask is solid, and only there";
            let help = "exchange black and white, or use --mask light";
            check.push(check.finding(headline).help(help));
        }
        Disagreement::Unrelated { fit } => {
            let percent = (fit * 100.0).round();
            check.push(
                check
                    .finding("the mask has nothing in common with its art")
                    .note(format!("the art tells {percent} % of the mask, as chance would"))
                    .help("name the right art with --art, or export the right mask"),
            );
        }
        Disagreement::Parts(parts) => {
            for part in parts {
                let (mask, art) =
                    if part.is_solid { ("solid", "free") } else { ("passable", "walled") };
                let size = px(part.area.size());
                let headline = format!("the mask is {mask} where the art looks {art}: {size}");
                check.push(
                    check
                        .finding(headline)
                        .place(at_pixel(part.area.min.max(IVec2::ZERO).as_uvec2()))
                        .area(part.area)
                        .help("draw this part of the mask again, if the art was changed"),
                );
            }
        }
    }
    Some(())
}
