//! Finds the causes of gray pixels in a mask from the colours and positions of these pixels.
//!
//! The thresholds were chosen with masks of real games, and with drawn masks of five kinds to which a program
//! added smooth edges, JPEG noise, markers or other colours. See `tests/lint`.

use bitwall::grid::Grid;
use bitwall::mask::{Bits, GrayColor, GrayColors, MaskSource, OddPixels, luma};
use bitwall::rules::MaskRule;

/// The largest number of colours, besides black and white, that count as drawn on purpose in a mask. More
/// gray colours have another cause.
const MOST_STRAY: usize = 16;

/// The distance in lightness from black and from white within which a pixel is nearly black or nearly white.
/// A pixel is nearly black if its luma is below `NEARLY`, and nearly white if it is above 255 - `NEARLY`.
const NEARLY: u8 = 40;

/// The cause of gray pixels in a mask.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum GrayCause {
    /// Smoothed edges between black and white.
    SoftEdge,
    /// Lossy compression: nearly black and nearly white pixels around the edges.
    LossyNoise,
    /// Pixels in these colours, drawn on purpose to mark something, such as water.
    StrayColors(Vec<GrayColor>),
    /// A mask in exactly these two colours. At least one of them is neither black nor white.
    TwoLevels([[u8; 3]; 2]),
    /// A shape on a transparent ground. It has colours other than black and white, or its black or white
    /// pixels count as passable.
    ShapeInAlpha,
    /// A painting or a photo.
    Painting,
    /// Other gray pixels, or too few to judge.
    Other,
}

pub(crate) type Counted = (GrayCause, u64);

/// Returns the causes of the gray pixels of a mask, each with its number of pixels.
///
/// A mask without gray pixels has a cause only if [`MaskSource::passable_shape`] finds a shape. Empty if the
/// mask rule does not decide by lightness. O(n) for n 64-pixel words of the mask.
pub(crate) fn causes(source: &MaskSource, odd: Option<&OddPixels>, solid: &Bits) -> Vec<Counted> {
    let by_lightness =
        matches!(source.rule, MaskRule::DarkIsSolid { .. } | MaskRule::LightIsSolid { .. });
    match odd {
        Some(odd) if by_lightness && source.counts.gray > 0 => of_gray(source, odd, solid),
        _ => source
            .passable_shape()
            .map(|count| (GrayCause::ShapeInAlpha, count))
            .into_iter()
            .collect(),
    }
}

fn of_gray(source: &MaskSource, odd: &OddPixels, solid: &Bits) -> Vec<Counted> {
    let (counts, colors) = (&source.counts, &odd.colors);
    let gray = counts.gray;
    if let Some(levels) = two_levels(source, colors) {
        return vec![(GrayCause::TwoLevels(levels), gray)];
    }
    let opaque = counts.black + counts.white + counts.in_planes + gray;
    if source.is_shape_in_alpha() {
        return vec![(GrayCause::ShapeInAlpha, source.passable_shape().unwrap_or(gray))];
    }
    let (dark, light) =
        (colors.with_luma(0..=NEARLY - 1), colors.with_luma(255 - NEARLY + 1..=255));
    let middle = colors.count() - (dark + light).min(colors.count());
    if gray * 2 >= opaque && is_painting(source, colors, [dark, middle, light]) {
        return vec![(GrayCause::Painting, gray)];
    }
    // The share of the gray pixels that have a solid and a passable pixel nearby.
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
        found.push((GrayCause::StrayColors(stray), strays));
    }
    let rest = gray - strays;
    if rest > 0 {
        let cause = if rest < 4 {
            GrayCause::Other
        } else if middle * 6 < colors.count() && near < 0.75 {
            GrayCause::LossyNoise
        } else if share(9) >= 0.4 {
            GrayCause::SoftEdge
        } else {
            GrayCause::Other
        };
        found.push((cause, rest));
    }
    found
}

/// True if the gray pixels look like a painting, not like noise or soft edges.
///
/// `counts` holds the numbers of gray pixels that are nearly black, in between, and nearly white. In a
/// painting one of these is true:
/// - It has more than 16 colours, and at least two fifths of the gray pixels are in between.
/// - It has more than 8 colours and few black or white pixels, and at least a fifth of the gray pixels are in
///   between.
/// - It has more than 8 colours and few black or white pixels, and less than a fiftieth of the gray pixels
///   are nearly black, or less than a fiftieth nearly white.
fn is_painting(source: &MaskSource, colors: &GrayColors, counts: [u64; 3]) -> bool {
    let [dark, middle, light] = counts;
    let gray = colors.count();
    let number = colors.known.len() + usize::from(colors.others > 0);
    // True if there are more than five times as many gray pixels as black and white pixels together.
    // Compression noise leaves more black and white pixels.
    let is_bare = (source.counts.black + source.counts.white) * 5 < source.counts.gray;
    let is_one_sided = dark.min(light) * 50 < gray;
    number > MOST_STRAY && middle * 5 >= gray * 2
        || number > MOST_STRAY / 2 && is_bare && (middle * 5 >= gray || is_one_sided)
}

/// Returns the two colours of a mask that has no other colours and no transparency. `None` for any other
/// mask, and if one of the colours has less than a hundredth of the pixels.
fn two_levels(source: &MaskSource, colors: &GrayColors) -> Option<[[u8; 3]; 2]> {
    let counts = &source.counts;
    if colors.others > 0 || counts.in_planes + counts.translucent + counts.transparent > 0 {
        return None;
    }
    let plain = [(counts.black, [0; 3]), (counts.white, [255; 3])];
    let plain = plain.into_iter().filter(|(count, _)| *count > 0);
    let all = plain.chain(colors.known.iter().map(|color| (color.count, color.rgb)));
    match all.collect::<Vec<_>>()[..] {
        // A colour of a few pixels in an otherwise white mask is not the second colour of the mask.
        [(a, one), (b, other)] if a.min(b) * 100 >= a + b => Some([one, other]),
        _ => None,
    }
}

/// Returns the number of frames in the header of an animated PNG; `None` for other files. O(n) for n chunks.
pub(crate) fn png_frames(file: &[u8]) -> Option<u32> {
    let data = chunk(file, b"acTL")?;
    Some(u32::from_be_bytes(*data.first_chunk()?))
}

/// Returns the orientation in the Exif data of a PNG or WebP file, from 1 (upright) to 8; `None` if the file
/// has none. O(n) for n chunks and Exif entries.
pub(crate) fn orientation(file: &[u8]) -> Option<u16> {
    let exif = chunk(file, b"eXIf").or_else(|| webp_chunk(file, b"EXIF"))?;
    // Some writers keep the `Exif` marker that JPEG needs.
    let tiff = exif.strip_prefix(b"Exif\0\0").unwrap_or(exif);
    let is_little = match tiff.first_chunk()? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        let number = if is_little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
        usize::try_from(number).ok()
    };
    let directory = long(4)?;
    let entries = usize::from(short(directory)?);
    let tag = |entry: &usize| short(directory + 2 + entry * 12) == Some(ORIENTATION);
    let entry = (0..entries).find(tag)?;
    short(directory + 2 + entry * 12 + 8).filter(|value| (1..=8).contains(value))
}

const ORIENTATION: u16 = 0x0112;

fn chunk<'f>(file: &'f [u8], kind: &[u8; 4]) -> Option<&'f [u8]> {
    let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    loop {
        let length = u32::from_be_bytes(*rest.first_chunk()?) as usize;
        let found = rest.get(4..8)?;
        let data = rest.get(8..)?.get(..length)?;
        if found == kind {
            return Some(data);
        }
        rest = rest.get(8 + length..)?.get(4..)?;
    }
}

fn webp_chunk<'f>(file: &'f [u8], kind: &[u8; 4]) -> Option<&'f [u8]> {
    if file.get(8..12)? != b"WEBP" {
        return None;
    }
    let mut rest = file.get(12..)?;
    loop {
        let length = u32::from_le_bytes(*rest.get(4..)?.first_chunk()?) as usize;
        let data = rest.get(8..)?.get(..length)?;
        if rest.get(..4)? == kind {
            return Some(data);
        }
        // A byte of padding follows a chunk of odd length.
        rest = rest.get(8..)?.get(length..)?.get(length % 2..)?;
    }
}

/// Copies `grid` into bits, set for solid cells. `None` if memory runs out.
pub(crate) fn bits_of(grid: &Grid) -> Option<Bits> {
    let mut bits = Bits::new(grid.size())?;
    let size = grid.size();
    // Copies 64 rows at a time, because 64-pixel words that lie next to each other in memory are in one
    // column in the grid, but in one row in the bits.
    for top in (0..size.y).step_by(64) {
        for column in 0..size.x.div_ceil(64) {
            for y in top..size.y.min(top + 64) {
                bits.row_mut(y)[column as usize] = grid.row_word(i64::from(column) * 64, y);
            }
        }
    }
    Some(bits)
}

const MOST_ROWS: u32 = 128;

/// Returns the share of the `marked` pixels, from 0 to 1, that lie [`between`] solid and passable pixels.
/// Examines at most 128 rows with marked pixels, evenly spread.
fn share_between(marked: &Bits, solid: &Bits, radius: u32) -> f64 {
    let used = |y: &u32| marked.row(*y).iter().any(|word| *word != 0);
    let rows: Vec<u32> = (0..marked.size().y).filter(used).collect();
    let step = rows.len().div_ceil(MOST_ROWS as usize).max(1);
    let rows: Vec<u32> = rows.into_iter().step_by(step).collect();
    let ones =
        |y: &u32| marked.row(*y).iter().map(|word| u64::from(word.count_ones())).sum::<u64>();
    let all = rows.iter().map(ones).sum::<u64>();
    between(marked, solid, radius, &rows) as f64 / all.max(1) as f64
}

/// Counts the `marked` pixels in `rows` that have both a solid and a passable pixel nearby, neither of them
/// marked. Nearby means at most `radius` pixels away on each axis; `radius` must be below 64. O(n * radius)
/// for n 64-pixel words.
fn between(marked: &Bits, solid: &Bits, radius: u32, rows: &[u32]) -> u64 {
    let size = marked.size();
    let stride = size.x.div_ceil(64) as usize;
    let mut count = 0;
    // Each row has an extra word of 0 at both ends, for the bits that are shifted past its ends.
    let [mut walls, mut floor] = [vec![0; stride + 2], vec![0; stride + 2]];
    for y in rows.iter().copied() {
        walls.fill(0);
        floor.fill(0);
        for other in y.saturating_sub(radius)..=(y + radius).min(size.y - 1) {
            let near = walls[1..].iter_mut().zip(&mut floor[1..]);
            let words = marked.row(other).iter().zip(solid.row(other));
            for ((walls, floor), (marked, solid)) in near.zip(words) {
                *walls |= !marked & solid;
                *floor |= !marked & !solid;
            }
        }
        floor[stride] &= u64::MAX >> (size.x.wrapping_neg() % 64);
        spread(&mut walls, radius);
        spread(&mut floor, radius);
        let words = marked.row(y).iter().zip(&walls[1..]).zip(&floor[1..]);
        count +=
            words.map(|((marked, a), b)| u64::from((marked & a & b).count_ones())).sum::<u64>();
    }
    count
}

fn spread(row: &mut [u64], radius: u32) {
    // Sets all bits within `reached` of a set bit. A step may be one more than twice `reached` without
    // leaving a gap, so `reached` is 1, 4, 13 and so on.
    let mut reached = 0;
    while reached < radius {
        let by = (2 * reached + 1).min(radius - reached);
        let mut before = 0;
        for at in 0..row.len() {
            let (here, after) = (row[at], row.get(at + 1).copied().unwrap_or(0));
            row[at] = here | here << by | before >> (64 - by) | here >> by | after << (64 - by);
            before = here;
        }
        reached += by;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::glam::UVec2;

    fn png(chunks: &[(&[u8; 4], &[u8])]) -> Vec<u8> {
        let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in chunks {
            file.extend((data.len() as u32).to_be_bytes());
            file.extend(*kind);
            file.extend(*data);
            file.extend([0; 4]);
        }
        file
    }

    /// Returns Exif data with two entries. The second entry is the orientation `value`.
    fn exif(value: u8) -> Vec<u8> {
        let mut tiff = b"II*\0\x08\0\0\0\x02\0".to_vec();
        tiff.extend([0x0f, 0x01, 3, 0, 1, 0, 0, 0, 9, 0, 0, 0]);
        tiff.extend([0x12, 0x01, 3, 0, 1, 0, 0, 0, value, 0, 0, 0]);
        tiff
    }

    #[test]
    fn the_frame_count_and_the_orientation_are_read_from_the_chunks() {
        let frames = [0, 0, 0, 3, 0, 0, 0, 0];
        let file = png(&[(b"IHDR", &[0; 13]), (b"acTL", &frames), (b"eXIf", &exif(6))]);
        assert_eq!((png_frames(&file), orientation(&file)), (Some(3), Some(6)));
        let big = [b"MM\0*\0\0\0\x08\0\x01", &[1, 0x12, 0, 3, 0, 0, 0, 1, 0, 8, 0, 0][..]].concat();
        assert_eq!(orientation(&png(&[(b"eXIf", &big)])), Some(8));
        let mut webp = b"RIFF\0\0\0\0WEBPVP8X\x03\0\0\0abc\0EXIF".to_vec();
        webp.extend((exif(3).len() as u32).to_le_bytes());
        webp.extend(exif(3));
        assert_eq!(orientation(&webp), Some(3));
    }

    #[test]
    fn damaged_files_give_no_frame_count_and_no_orientation() {
        let file = png(&[(b"IHDR", &[0; 13]), (b"eXIf", &exif(6))]);
        for length in 0..file.len() - 4 {
            // A truncated file must not cause a panic.
            let _ = (png_frames(&file[..length]), orientation(&file[..length]));
        }
        assert_eq!(orientation(&png(&[(b"eXIf", &exif(9))])), None);
        assert_eq!(orientation(b"GIF89a"), None);
        assert_eq!(png_frames(&png(&[(b"IHDR", &[0; 13])])), None);
    }

    #[test]
    fn the_count_of_pixels_between_solid_and_passable_agrees_with_a_simple_search() {
        let mut random = fastrand::Rng::with_seed(5);
        for _ in 0..200 {
            let sides = [1, 5, 63, 64, 65, 130];
            let size = UVec2::new(sides[random.usize(0..6)], random.u32(1..9));
            let (mut marked, mut solid) = (Bits::new(size).unwrap(), Bits::new(size).unwrap());
            let share = random.u32(1..40);
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                marked.row_mut(y)[(x / 64) as usize] |=
                    u64::from(random.u32(0..4) == 0) << (x % 64);
                solid.row_mut(y)[(x / 64) as usize] |=
                    u64::from(random.u32(0..40) < share) << (x % 64);
            }
            let radius = random.u32(0..6);
            let has = |x: u32, y: u32, wanted: bool| {
                let ys = y.saturating_sub(radius)..=(y + radius).min(size.y - 1);
                let mut near = ys.flat_map(|y| {
                    let xs = x.saturating_sub(radius)..=(x + radius).min(size.x - 1);
                    xs.map(move |x| (x, y))
                });
                near.any(|(x, y)| !marked.get(x, y) && solid.get(x, y) == wanted)
            };
            let pixels = (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y)));
            let naive = pixels
                .filter(|(x, y)| marked.get(*x, *y) && has(*x, *y, true) && has(*x, *y, false));
            let rows: Vec<u32> = (0..size.y).collect();
            let count = naive.count() as u64;
            assert_eq!(between(&marked, &solid, radius, &rows), count, "{size} {radius}");
            let share = count as f64 / marked.count().max(1) as f64;
            assert_eq!(share_between(&marked, &solid, radius), share, "of few rows all");
        }
    }
}
