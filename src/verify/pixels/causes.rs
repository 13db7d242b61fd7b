//! The causes of gray pixels in a mask, from their colours and from where they lie.
//!
//! Each cause needs another advice. The thresholds were set on masks of five kinds that were smoothed, saved
//! as JPEG, marked and repainted by program, and on the masks of real games: see `tests/verify`.

use crate::mask::{Bits, GrayColor, GrayColors, MaskCounts, MaskSource, OddPixels, luma};
use crate::rules::MaskRule;

use super::near::share_between;

/// The most colours that are listed as stray ones: a mask with more was not drawn with a few markers.
const MOST_STRAY: usize = 16;

/// The luma up to which a pixel is nearly black, and as far from 255 nearly white.
const NEARLY: u8 = 40;

/// The cause of some or all gray pixels of a mask.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cause {
    /// Edges between black and white that were smoothed.
    SoftEdge,
    /// Lossy compression: nearly black and nearly white pixels around the edges.
    LossyNoise,
    /// Markers: these colours, which lie in patches.
    StrayColors(Vec<GrayColor>),
    /// A mask in two colours, of which not both are black and white.
    TwoLevels([[u8; 3]; 2]),
    /// A shape in one or more colours on a transparent ground, or in the one of black and white that is
    /// passable.
    ShapeInAlpha,
    /// A painting or a photo.
    Painting,
    /// None of these, or a few pixels only.
    Other,
}

/// A cause and its number of pixels.
pub(crate) type Counted = (Cause, u64);

/// The causes of the gray pixels of a mask, each once; none for a mask without gray unless it is a shape that
/// is passable, and for a rule that does not ask how light a pixel is. O(words of the mask).
pub(crate) fn causes(source: &MaskSource, odd: Option<&OddPixels>, solid: &Bits) -> Vec<Counted> {
    let by_lightness =
        matches!(source.rule, MaskRule::DarkIsSolid { .. } | MaskRule::LightIsSolid { .. });
    match odd {
        Some(odd) if by_lightness && source.counts.gray > 0 => of_gray(source, odd, solid),
        _ => passable_shape(source).map(|count| (Cause::ShapeInAlpha, count)).into_iter().collect(),
    }
}

/// The pixels of a shape on a transparent ground that is drawn in black, white or both, if all of it or a
/// part is passable by its lightness, as white is by default: its author means the shape.
fn passable_shape(source: &MaskSource) -> Option<u64> {
    let counts = &source.counts;
    let (solid, passable) = by_lightness(source, [counts.black, counts.white])?;
    let others = solid + counts.gray + counts.in_planes + counts.translucent;
    let is_one_color = others == 0 && passable > 0 && counts.transparent * 50 >= passable;
    (is_one_color || is_in_both(source)).then_some(solid + passable)
}

/// The solid and the passable one of two numbers, for black and for white pixels.
fn by_lightness(source: &MaskSource, [black, white]: [u64; 2]) -> Option<(u64, u64)> {
    match source.rule {
        MaskRule::DarkIsSolid { .. } => Some((black, white)),
        MaskRule::LightIsSolid { .. } => Some((white, black)),
        _ => None,
    }
}

/// True for a mask in black and white on a transparent ground: of both there is at least a twentieth of the
/// opaque pixels, the ground is larger than what is passable in colour, and this colour has a third of the
/// ground's edge. These two are passable alike, and nobody parts one thing in two. A few passable pixels are
/// strokes of a pencil that took walls away, and a floor behind walls is meant to be passable. In eight masks
/// of a real game, which mean their alpha, white has 41% to 92% of the edge.
fn is_in_both(source: &MaskSource) -> bool {
    let counts = &source.counts;
    let pixels = by_lightness(source, [counts.black, counts.white]);
    let sides = by_lightness(source, [counts.black_at_clear, counts.white_at_clear]);
    pixels.zip(sides).is_some_and(|((solid, passable), (solid_sides, passable_sides))| {
        let least = solid.min(passable);
        let is_edge = passable_sides > 0 && passable_sides * 2 >= solid_sides;
        least > 0 && least * 20 >= opaque(counts) && counts.transparent >= passable && is_edge
    })
}

/// True if the shape of a mask with gray or translucent pixels is in its transparency: at least 2% as many
/// pixels are transparent as opaque, and most opaque ones are gray or coloured; or it is drawn in black and
/// white.
pub(crate) fn is_shape_in_alpha(source: &MaskSource) -> bool {
    let counts = &source.counts;
    let opaque = opaque(counts);
    let is_colored = counts.gray > 0 && counts.gray * 2 >= opaque;
    is_colored && counts.transparent * 50 >= opaque || is_in_both(source)
}

fn opaque(counts: &MaskCounts) -> u64 {
    counts.black + counts.white + counts.in_planes + counts.gray
}

fn of_gray(source: &MaskSource, odd: &OddPixels, solid: &Bits) -> Vec<Counted> {
    let (counts, colors) = (&source.counts, &odd.colors);
    let gray = counts.gray;
    if let Some(levels) = two_levels(source, colors) {
        return vec![(Cause::TwoLevels(levels), gray)];
    }
    let opaque = opaque(counts);
    if is_shape_in_alpha(source) {
        return vec![(Cause::ShapeInAlpha, passable_shape(source).unwrap_or(gray))];
    }
    let (dark, light) =
        (colors.with_luma(0..=NEARLY - 1), colors.with_luma(255 - NEARLY + 1..=255));
    let middle = colors.count() - (dark + light).min(colors.count());
    if gray * 2 >= opaque && is_painting(source, colors, [dark, middle, light]) {
        return vec![(Cause::Painting, gray)];
    }
    // The shares of the gray pixels that lie between black and white ones.
    let share = |radius| odd.gray.as_ref().map_or(0.0, |gray| share_between(gray, solid, radius));
    let near = share(1);
    let mut found = Vec::new();
    let is_drawn = colors.others == 0 && colors.known.len() <= MOST_STRAY;
    let is_coded = is_drawn && colors.vivid() > 0;
    let is_flat = near < 0.5 && colors.known.len() <= MOST_STRAY / 4;
    let is_stray = |color: &GrayColor| {
        let is_middle = (NEARLY..=255 - NEARLY).contains(&luma(color.rgb));
        is_coded || is_drawn && is_flat && is_middle && color.count >= 4
    };
    let stray: Vec<GrayColor> = colors.known.iter().copied().filter(is_stray).collect();
    let strays = stray.iter().map(|color| color.count).sum();
    if strays > 0 {
        found.push((Cause::StrayColors(stray), strays));
    }
    let rest = gray - strays;
    if rest > 0 {
        let cause = if rest < 4 {
            Cause::Other
        } else if middle * 6 < colors.count() && near < 0.75 {
            Cause::LossyNoise
        } else if share(9) >= 0.4 {
            Cause::SoftEdge
        } else {
            Cause::Other
        };
        found.push((cause, rest));
    }
    found
}

/// True for many colours that are neither the noise of a mask nor its soft edges; most pixels are gray. The
/// counts are those of the nearly black, the middle and the nearly white gray pixels.
fn is_painting(source: &MaskSource, colors: &GrayColors, counts: [u64; 3]) -> bool {
    let [dark, middle, light] = counts;
    let gray = colors.count();
    let number = colors.known.len() + usize::from(colors.others > 0);
    // Nearly all is gray; and of the noise of a mask a part is dark and a part is light.
    let is_bare = (source.counts.black + source.counts.white) * 5 < gray;
    let is_one_sided = dark.min(light) * 50 < gray;
    number > MOST_STRAY && middle * 5 >= gray * 2
        || number > MOST_STRAY / 2 && is_bare && (middle * 5 >= gray || is_one_sided)
}

/// The two levels of a mask, if it has no others: two opaque colours.
fn two_levels(source: &MaskSource, colors: &GrayColors) -> Option<[[u8; 3]; 2]> {
    let counts = &source.counts;
    if colors.others > 0 || counts.in_planes + counts.translucent + counts.transparent > 0 {
        return None;
    }
    let plain = [(counts.black, [0; 3]), (counts.white, [255; 3])];
    let plain = plain.into_iter().filter(|(count, _)| *count > 0);
    let all = plain.chain(colors.known.iter().map(|color| (color.count, color.rgb)));
    match all.collect::<Vec<_>>()[..] {
        // A marker of a few pixels in an all white picture is no level.
        [(a, one), (b, other)] if a.min(b) * 100 >= a + b => Some([one, other]),
        _ => None,
    }
}
