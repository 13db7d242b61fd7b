//! Facts about the pixels of a mask that the library does not count, because no game needs them: where gray
//! and translucent pixels are, their colours, and the edge of a shape on a transparent ground.
//!
//! They come from a second pass over the decoded picture, at the bit depth of its file.

#[cfg(test)]
mod tests;

use std::io::Cursor;
use std::ops::Range;

use bitwall::geometry::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::{Grid, GridError};
use bitwall::image::{DynamicImage, ImageFormat, ImageReader, ImageResult, Limits};
use bitwall::mask::{MaskCounts, MaskSource};
use bitwall::rules::MaskRule;
use bitwall::text::{are, counted};

/// The largest number of bytes of the decoded picture.
const MOST_BYTES: u64 = 192 << 20;

/// The largest number of pixels of the picture.
const MOST_PIXELS: u64 = 1 << 26;

/// The largest number of gray colours that are listed, one more than a mask has that is drawn on purpose.
const MOST_COLORS: usize = 17;

/// A colour is vivid if its largest and smallest channel differ by at least this amount, of 255.
const VIVID: u8 = 48;

/// The distance in lightness from black and from white within which a pixel is nearly black or nearly white.
/// A pixel is nearly black if its luma is below `NEARLY`, and nearly white if it is above 255 - `NEARLY`.
pub(crate) const NEARLY: u8 = 40;

/// The pixels of a mask that are neither black, white, nor transparent, and the edge of its transparent
/// ground.
#[derive(Clone, Debug, Default)]
pub struct MaskFacts {
    /// The gray pixels. They are opaque, but neither black nor white, and no plane has their colour. `None`
    /// without gray pixels.
    pub(crate) gray: Option<PixelSet>,
    /// The translucent pixels. They are neither opaque nor fully transparent. `None` without such pixels.
    pub(crate) translucent: Option<PixelSet>,
    /// The first 17 colours of gray pixels, in the order in which they were found.
    pub(crate) colors: Vec<GrayColor>,
    /// The number of gray pixels in other colours than these.
    pub(crate) others: u64,
    /// The numbers of gray pixels in the pure colours, whose channels are 0 or 255. Bit 0 of the index is for
    /// red, bit 1 for green, bit 2 for blue.
    pure: [u64; 8],
    /// For each luma from 0 to 255: the number of gray pixels.
    luma: Vec<u64>,
    /// The number of pixel sides that a black and a transparent pixel share, and that a white and a
    /// transparent pixel share.
    at_clear: [u64; 2],
}

/// Some pixels of a mask.
#[derive(Clone, Debug)]
pub(crate) struct PixelSet {
    pub(crate) pixels: Grid,
    /// The leftmost pixel of the topmost row that has one.
    pub(crate) first: UVec2,
    /// The bounding box of the pixels.
    pub(crate) extent: Aabb,
}

/// A colour of gray pixels, with its number of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GrayColor {
    /// Red, green and blue.
    pub(crate) rgb: [u8; 3],
    pub(crate) count: u64,
    /// The column and row of the first pixel in this colour.
    pub(crate) first: UVec2,
}

/// What a pixel looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Black,
    White,
    Clear,
    /// The pixel is opaque, and a plane has its colour.
    Plane,
    Gray([u8; 3]),
    /// The pixel is neither opaque nor fully transparent.
    Translucent,
}

impl MaskFacts {
    /// Reads the facts from the bytes of a mask's file. `None` for a mask of black and white pixels alone,
    /// and for a picture that is too large. O(pixels).
    pub fn read(source: &MaskSource, file: &[u8]) -> Option<Self> {
        let MaskCounts { gray, translucent, transparent, .. } = source.counts;
        if gray + translucent + transparent == 0 {
            return None;
        }
        let picture = decoded(file, MOST_BYTES).ok()?;
        let size = UVec2::new(picture.width(), picture.height());
        if u64::from(size.x) * u64::from(size.y) > MOST_PIXELS {
            return None;
        }
        let mut facts = Self { luma: vec![0; 256], ..Self::default() };
        let color = picture.color();
        let pixel_bytes = usize::from(color.bytes_per_pixel());
        let samples = PixelSamples {
            channels: color.channel_count().into(),
            is_wide: pixel_bytes > usize::from(color.channel_count()),
        };
        let width = size.x as usize;
        let mut above = vec![Look::Plane; width];
        let mut here = Vec::with_capacity(width);
        for (y, row) in (0..).zip(picture.as_bytes().chunks_exact(width * pixel_bytes)) {
            while here.len() < width {
                let start = here.len();
                let pixels = row.chunks_exact(pixel_bytes).skip(start);
                let first = &row[start * pixel_bytes..][..pixel_bytes];
                let end = start + pixels.take_while(|pixel| *pixel == first).count();
                let look = samples.look(first, source);
                facts.add(look, start as u32..end as u32, y, size).ok()?;
                here.resize(end, look);
            }
            if transparent > 0 {
                facts.add_sides(&above, &here);
            }
            std::mem::swap(&mut above, &mut here);
            here.clear();
        }
        Some(facts)
    }

    /// Adds adjacent pixels of row `y` with the same look.
    fn add(
        &mut self,
        look: Look,
        columns: Range<u32>,
        y: u32,
        size: UVec2,
    ) -> Result<(), GridError> {
        match look {
            Look::Gray(rgb) => {
                let count = u64::from(columns.end - columns.start);
                let first = UVec2::new(columns.start, y);
                let known = self.colors.iter().position(|color| color.rgb == rgb);
                match known.unwrap_or(self.colors.len()) {
                    MOST_COLORS => self.others += count,
                    place if place < self.colors.len() => self.colors[place].count += count,
                    _ => self.colors.push(GrayColor { rgb, count, first }),
                }
                self.luma[usize::from(luma(rgb))] += count;
                if rgb.iter().all(|channel| [0, 255].contains(channel)) {
                    let [red, green, blue] = rgb.map(|channel| usize::from(channel & 1));
                    self.pure[red | green << 1 | blue << 2] += count;
                }
                PixelSet::add(&mut self.gray, columns, y, size)
            }
            Look::Translucent => PixelSet::add(&mut self.translucent, columns, y, size),
            Look::Black | Look::White | Look::Clear | Look::Plane => Ok(()),
        }
    }

    /// Counts the sides between a row of pixels and the row above, and between the pixels of the row.
    fn add_sides(&mut self, above: &[Look], here: &[Look]) {
        let down = above.iter().zip(here);
        let across = here.iter().zip(&here[1..]);
        for pair in down.chain(across) {
            match pair {
                (Look::Clear, Look::Black) | (Look::Black, Look::Clear) => self.at_clear[0] += 1,
                (Look::Clear, Look::White) | (Look::White, Look::Clear) => self.at_clear[1] += 1,
                _ => {}
            }
        }
    }

    /// Returns the numbers of gray pixels that are nearly black, in between, and nearly white.
    pub(crate) fn tones(&self) -> [u64; 3] {
        let dark = usize::from(NEARLY);
        let light = usize::from(255 - NEARLY);
        let parts = [&self.luma[..dark], &self.luma[dark..=light], &self.luma[light + 1..]];
        parts.map(|part| part.iter().sum())
    }

    /// True if the rule has a threshold of lightness from which each gray pixel is at least `range` away.
    pub(crate) fn is_clear_of(&self, rule: &MaskRule, range: u8) -> bool {
        let (MaskRule::DarkIsSolid { threshold }
        | MaskRule::LightIsSolid { threshold }
        | MaskRule::BlackIsSolid { threshold }) = rule
        else {
            return false;
        };
        let mut near = threshold.saturating_sub(range)..threshold.saturating_add(range);
        near.all(|luma| self.luma[usize::from(luma)] == 0)
    }

    /// Returns the pure colour of at least a 20th of a mask's pixels, with its number of pixels. `None` if
    /// several colours have as many.
    pub(crate) fn pure_color(&self, counts: &MaskCounts) -> Option<([u8; 3], u64)> {
        let mut pure = self.pure;
        pure[0] = counts.black;
        pure[7] = counts.white;
        let least = (opaque_pixels(counts) + counts.translucent + counts.transparent).div_ceil(20);
        let mut large = (0..8u8).zip(pure).filter(|(_, count)| *count >= least);
        let (color, count) = large.next().filter(|_| large.next().is_none())?;
        Some(([0, 1, 2].map(|channel| (color >> channel & 1) * 255), count))
    }
}

/// Decodes a PNG that takes at most `most_bytes`.
pub(crate) fn decoded(file: &[u8], most_bytes: u64) -> ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(file), ImageFormat::Png);
    let mut limits = Limits::default();
    limits.max_alloc = Some(most_bytes);
    reader.limits(limits);
    reader.decode()
}

impl PixelSet {
    fn add(
        set: &mut Option<Self>,
        columns: Range<u32>,
        y: u32,
        size: UVec2,
    ) -> Result<(), GridError> {
        let min = IVec2::new(columns.start as i32, y as i32);
        let own = Aabb { min, max: IVec2::new(columns.end as i32, y as i32 + 1) };
        if let Some(set) = set {
            set.extent = set.extent.hull(own);
            return set.pixels.fill(columns, y..y + 1, true);
        }
        let mut pixels = Grid::new(size.x, size.y)?;
        pixels.fill(columns, y..y + 1, true)?;
        *set = Some(Self { pixels, first: min.as_uvec2(), extent: own });
        Ok(())
    }
}

/// How the bytes of a decoded picture hold its samples.
struct PixelSamples {
    channels: usize,
    /// True for samples of 16 bits.
    is_wide: bool,
}

impl PixelSamples {
    fn look(&self, pixel: &[u8], source: &MaskSource) -> Look {
        let mut samples = [0; 4];
        if self.is_wide {
            for (sample, bytes) in samples.iter_mut().zip(pixel.as_chunks().0) {
                *sample = u32::from(u16::from_ne_bytes(*bytes));
            }
        } else {
            for (sample, byte) in samples.iter_mut().zip(pixel) {
                *sample = u32::from(*byte);
            }
        }
        let [first, second, third, fourth] = samples;
        let full = if self.is_wide { 65_535 } else { 255 };
        let (rgb, alpha) = match self.channels {
            1 => ([first; 3], full),
            2 => ([first; 3], second),
            3 => ([first, second, third], full),
            _ => ([first, second, third], fourth),
        };
        let mut planes = source.planes.iter();
        // A byte times 257 is the same share of 65,535 as the byte is of 255.
        let is_in_plane =
            planes.any(|plane| plane.color.map(|byte| u32::from(byte) * (full / 255)) == rgb);
        if alpha == 0 {
            Look::Clear
        } else if alpha < full {
            Look::Translucent
        } else if is_in_plane {
            Look::Plane
        } else if rgb == [0; 3] {
            Look::Black
        } else if rgb == [full; 3] {
            Look::White
        } else {
            Look::Gray(rgb.map(|sample| (sample * 255 / full) as u8))
        }
    }
}

/// Returns the luma of a colour by Rec. 709, from 0 to 255.
pub(crate) fn luma([red, green, blue]: [u8; 3]) -> u8 {
    let weighted = u32::from(red) * 2_126 + u32::from(green) * 7_152 + u32::from(blue) * 722;
    (weighted / 10_000) as u8
}

/// Returns a colour as `#rrggbb`.
pub(crate) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

pub(crate) fn is_vivid([red, green, blue]: [u8; 3]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) >= VIVID
}

pub(crate) fn opaque_pixels(counts: &MaskCounts) -> u64 {
    counts.black + counts.white + counts.in_planes + counts.gray
}

/// True if the gray pixels of a mask look like a painting, not like noise or soft edges. They must be at
/// least half of the opaque pixels, and one of these must be true:
/// - It has more than 16 colours, and at least two fifths of the gray pixels are neither nearly black nor
///   nearly white.
/// - It has more than 8 colours and few black or white pixels, and at least a fifth of the gray pixels are in
///   between.
/// - It has more than 8 colours and few black or white pixels, and less than a fiftieth of the gray pixels
///   are nearly black, or less than a fiftieth nearly white.
pub(crate) fn is_painting(source: &MaskSource, facts: &MaskFacts) -> bool {
    let [dark, middle, light] = facts.tones();
    let gray = source.counts.gray;
    let number = facts.colors.len() + usize::from(facts.others > 0);
    // True if there are more than five times as many gray pixels as black and white pixels together.
    // Compression noise leaves more black and white pixels.
    let is_bare = (source.counts.black + source.counts.white) * 5 < gray;
    let is_one_sided = dark.min(light) * 50 < gray;
    let is_varied = number >= MOST_COLORS && middle * 5 >= gray * 2
        || number * 2 > MOST_COLORS && is_bare && (middle * 5 >= gray || is_one_sided);
    gray * 2 >= opaque_pixels(&source.counts) && is_varied
}

/// Returns the words for a mask that is a painting, unless a rule was given that does not depend on
/// lightness.
pub(crate) fn doubt(source: &MaskSource, facts: &MaskFacts) -> Option<String> {
    let is_doubtful = by_lightness(&source.rule, [0; 2]).is_some() && is_painting(source, facts);
    is_doubtful.then(|| {
        let gray = counted(source.counts.gray, "pixel");
        let are = are(source.counts.gray);
        let help = "name the right picture as the mask";
        format!("the mask is a painting: {gray} {are} neither black nor white; {help}")
    })
}

/// Returns the number of black and white pixels of a shape on a transparent ground, if the artist probably
/// meant all of them as solid, but the mask's rule makes some of them passable. Otherwise returns `None`. The
/// shape must be one of these:
/// - All opaque pixels have the passable colour (white by default). The number of transparent pixels is at
///   least 2% of the number of opaque pixels.
/// - The shape is black and white. Each of the two colours has at least a 32nd of the opaque pixels. (With
///   fewer passable pixels, the artist has probably erased walls with a pencil.) The transparent ground has
///   at least as many pixels as the passable colour. The passable colour touches at least a fifth of the
///   ground's edge. (A passable colour that is enclosed by walls is a floor.)
pub(crate) fn passable_shape(source: &MaskSource, facts: &MaskFacts) -> Option<u64> {
    let counts = &source.counts;
    let (solid, passable) = by_lightness(&source.rule, [counts.black, counts.white])?;
    let others = solid + counts.gray + counts.in_planes + counts.translucent;
    let is_one_color = others == 0 && passable > 0 && counts.transparent * 50 >= passable;
    let is_one_color = is_one_color && !is_black_hidden(counts);
    (is_one_color || is_in_both(source, facts)).then_some(solid + passable)
}

/// True if all opaque pixels of the mask are probably meant as solid, whatever their colours, although the
/// mask's rule depends on lightness. One of these must hold:
/// - At least half of the opaque pixels are gray or coloured. The number of transparent pixels is at least 2%
///   of the number of opaque pixels.
/// - The shape is black and white as in [`passable_shape`].
pub(crate) fn is_shape_in_alpha(source: &MaskSource, facts: &MaskFacts) -> bool {
    let counts = &source.counts;
    let opaque = opaque_pixels(counts);
    let is_colored = counts.gray > 0 && counts.gray * 2 >= opaque;
    let is_shape = is_colored && counts.transparent * 50 >= opaque;
    is_shape && by_lightness(&source.rule, [0; 2]).is_some() || is_in_both(source, facts)
}

/// True if all black of a mask is transparent beside opaque white, so that to make opaque pixels solid would
/// invert it.
pub(crate) fn is_black_hidden(counts: &MaskCounts) -> bool {
    counts.black == 0 && counts.white > 0 && counts.hidden_black * 2 > counts.transparent
}

fn is_in_both(source: &MaskSource, facts: &MaskFacts) -> bool {
    let counts = &source.counts;
    let pixels = by_lightness(&source.rule, [counts.black, counts.white]);
    let sides = by_lightness(&source.rule, facts.at_clear);
    pixels.zip(sides).is_some_and(|((solid, passable), (solid_sides, passable_sides))| {
        let least = solid.min(passable);
        let is_edge = passable_sides > 0 && passable_sides * 4 >= solid_sides;
        let is_large = least > 0 && least * 32 >= opaque_pixels(counts);
        is_large && counts.transparent >= passable && is_edge
    })
}

/// Returns the counts of black and white pixels in the order solid, passable. Returns `None` if the rule does
/// not depend on lightness.
fn by_lightness(rule: &MaskRule, [black, white]: [u64; 2]) -> Option<(u64, u64)> {
    match rule {
        MaskRule::DarkIsSolid { .. } | MaskRule::BlackIsSolid { .. } => Some((black, white)),
        MaskRule::LightIsSolid { .. } => Some((white, black)),
        _ => None,
    }
}
