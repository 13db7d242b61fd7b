//! Measures how well a mask and its art agree: how well the colours of the art predict the pixels of the
//! mask.
//!
//! The colours of the art are reduced to 4 bits per channel. Each colour is put into one of eight classes, by
//! the share of its pixels that are solid in the mask. The *fit* is the mutual information of class and mask,
//! divided by the entropy of the mask. It is 1 if the art predicts every pixel of the mask, and 0 if it
//! predicts none. It does not depend on which colours are walls. In pairs drawn by a program, the fit was 0.3
//! to 1 for right pairs, and 0.02 to 0.2 for art of another level.

use crate::lint::Drift;
use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::geometry::Aabb;
use bitwall::glam::{IVec2, UVec2};
use bitwall::grid::{Grid, GridError};
use bitwall::image::RgbaImage;

const CLASSES: usize = 8;

/// The number of colours with 4 bits per channel, and one more for transparent pixels.
const COLORS: usize = (1 << 12) + 1;

/// The largest number of pixels that [`learn`] counts. More would take time and change little.
const MOST_PIXELS: u64 = 1 << 20;

/// The width, in pixels, of the border of the art that is ignored when the mask is shifted over the art. A
/// pixel that is farther inside stays inside the mask when the mask is shifted by fewer pixels.
const MARGIN: u32 = 9;

/// For each colour of the art, the number of its pixels that are solid in the mask, and the number of all its
/// pixels.
struct ArtColors(Vec<[u32; 2]>);

/// For each of the eight classes of colours: the number of solid pixels, and of all pixels. A class contains
/// the colours with a similar share of solid pixels.
type CountTable = [[u64; 2]; CLASSES];

#[inline]
fn color_of([red, green, blue, alpha]: [u8; 4]) -> usize {
    match alpha {
        0..128 => COLORS - 1,
        _ => usize::from(red >> 4) << 8 | usize::from(green >> 4) << 4 | usize::from(blue >> 4),
    }
}

/// Counts for each colour of the art how many of its pixels are solid in the mask.
///
/// The mask is moved by `shift` and wraps around. Ignores `margin` pixels along each side. `art` and `mask`
/// must have the same size. O(n) for n pixels; counts at most 2^20 pixels, in rows spread over the picture.
fn learn(art: &RgbaImage, mask: &Grid, margin: u32, shift: IVec2) -> ArtColors {
    let size = mask.size();
    let mut counts = vec![[0; 2]; COLORS];
    let most_rows = (MOST_PIXELS / u64::from(size.x.max(1))).max(1) as usize;
    for y in spread(size.y.saturating_sub(2 * margin) as usize, most_rows) {
        let at = IVec2::new(margin as i32, margin as i32 + y as i32);
        let from = (at - shift).rem_euclid(size.as_ivec2());
        let mut from = from.as_uvec2();
        for x in margin..size.x.saturating_sub(margin) {
            let count = &mut counts[color_of(art.get_pixel(x, at.y as u32).0)];
            count[0] += u32::from(mask.is_solid(from.x, from.y));
            count[1] += 1;
            from.x = if from.x + 1 == size.x { 0 } else { from.x + 1 };
        }
    }
    ArtColors(counts)
}

/// Yields at most `most` ascending numbers below `count`, one from each of equally long parts of the range.
///
/// The position in each part follows the golden ratio. Numbers at equal distances could hit the same row of
/// every tile in a picture, and miss the colours of the other rows.
fn spread(count: usize, most: usize) -> impl Iterator<Item = usize> {
    let run = count.div_ceil(most.max(1)).max(1);
    let numbers = (0..count.div_ceil(run)).map(move |index| {
        let part = (index as u32).wrapping_mul(0x9e37_79b9);
        index * run + ((run as u64 * u64::from(part)) >> 32) as usize
    });
    numbers.filter(move |number| *number < count)
}

/// True if over 96% of the mask's pixels are solid, or over 96% are passable. A constant guess predicts such
/// a mask as well as any art does.
pub(in crate::lint) fn is_lopsided(mask: &Grid) -> bool {
    let solid = mask.solid_count();
    let all = mask.cell_count();
    solid.min(all - solid) * 25 < all
}

impl ArtColors {
    fn classes(&self) -> Vec<u8> {
        self.0.iter().map(|count| class(*count)).collect()
    }

    fn mostly_solid(&self) -> Vec<bool> {
        self.0.iter().map(|[solid, all]| solid * 2 > *all).collect()
    }

    /// Returns how well the colours of the art predict the mask, from 0 to 1: the mutual information of both,
    /// divided by the entropy of the mask. 0 if the mask is all solid or all passable.
    fn fit(&self) -> f64 {
        let mut table = CountTable::default();
        for count in &self.0 {
            let place = &mut table[usize::from(class(*count))];
            place[0] += u64::from(count[0]);
            place[1] += u64::from(count[1]);
        }
        fit(&table)
    }
}

/// Returns the class of a colour from 0 to 7: the share of its pixels that are solid, in eighths.
fn class([solid, all]: [u32; 2]) -> u8 {
    (u64::from(solid) * CLASSES as u64 / u64::from(all.max(1))).min(CLASSES as u64 - 1) as u8
}

/// Returns how well the classes of colours predict the mask, from 0 to 1: the mutual information of class and
/// mask, divided by the entropy of the mask. 0 if the entropy is 0.
fn fit(table: &CountTable) -> f64 {
    let [solid, all] = table.iter().fold([0, 0], |[a, b], [solid, all]| [a + solid, b + all]);
    let own = entropy(solid, all);
    if own <= 0.0 {
        return 0.0;
    }
    1.0 - table.iter().map(|[solid, of]| entropy(*solid, *of)).sum::<f64>() / own
}

/// Returns the entropy, in bits, of `all` pixels of which `part` are solid.
fn entropy(part: u64, all: u64) -> f64 {
    let mut bits = 0.0;
    for count in [part, all - part.min(all)] {
        if count > 0 {
            bits += count as f64 * (all as f64 / count as f64).log2();
        }
    }
    bits
}

/// The fit (see [`fit`]) below which [`is_chance`] decides whether the art belongs to the mask. Art of
/// another level, drawn by a program, has a fit of up to 0.25.
const DOUBTFUL_FIT: f64 = 0.3;

/// The smallest fit (see [`fit`]) of mask and art at which [`disagreement`] looks for groups of pixels where
/// the two disagree.
const GOOD_FIT: f64 = 0.5;

/// The largest share of the picture's pixels that may disagree with the mask outside the groups that
/// [`parts`] returns. Grain and outlines of the art cause such pixels.
const MOST_GRAIN: f64 = 0.03;

/// The number of pixels that [`thinned`] removes along each side of a connected group of pixels. This removes
/// the grain and the outlines of the art.
const THIN: i64 = 2;

/// The smallest number of pixels that must remain of a connected group after [`thinned`]. The function
/// [`parts`] ignores smaller groups.
///
/// With more than [`MOST_PARTS`] larger groups it reports nothing, because then the style of the art is the
/// cause, not a change that was forgotten in the mask.
const LEAST_PART: u64 = 24;

const MOST_PARTS: usize = 6;

/// The smallest size of a group that [`parts`] returns, in pixels that remain after [`thinned`]. The first
/// number is for groups that are solid in the mask, the second for passable groups. Passable groups must be
/// larger, because art often shows objects that stop nobody, such as trees, while invisible walls are rare.
const REPORTED: [u64; 2] = [64, 120];

#[derive(Clone, Debug, PartialEq)]
pub(in crate::lint) enum Disagreement {
    /// The art is transparent almost exactly where the mask is solid.
    Inverted,
    /// The art predicts the mask no better than chance.
    Unrelated { fit: f64 },
    /// Connected groups of pixels where art and mask disagree, the largest first.
    Parts(Vec<PairPart>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::lint) struct PairPart {
    pub(in crate::lint) area: Aabb,
    pub(in crate::lint) pixels: u64,
    /// True if the pixels are solid in the mask, while pixels of their colours are mostly passable; false for
    /// the opposite.
    pub(in crate::lint) is_solid: bool,
}

/// Finds a clear disagreement between a mask and its art; `None` if there is none. Also `None` for pictures
/// of different sizes, pictures with a side below [`LEAST_SIDE`], and masks that are nearly all solid or all
/// passable. O(n) for n pixels.
///
/// An inverted mask of opaque art is not detected, because a report would be a guess. Four signs of walls
/// were tried on 19 pictures of real levels. Walls have more texture than the floor (by a factor of 1.4),
/// more colours (by 0.3 bits), a band along the edges (4 steps of lightness), and darker colours (by 8
/// steps). All four together found 8 inverted masks and reported none of 51 right masks. But a right mask can
/// look inverted by all four signs: a room with plain light walls around a dark plank floor, or dark ground
/// and snow.
pub(in crate::lint) fn disagreement(art: &RgbaImage, mask: &Grid) -> Option<Disagreement> {
    let size = mask.size();
    if size.min_element() < LEAST_SIDE || (size.x, size.y) != art.dimensions() || is_lopsided(mask)
    {
        return None;
    }
    if is_inverted(art, mask) {
        return Some(Disagreement::Inverted);
    }
    let colors = learn(art, mask, 0, IVec2::ZERO);
    let fit = colors.fit();
    if fit < DOUBTFUL_FIT {
        return is_chance(art, mask, fit).then_some(Disagreement::Unrelated { fit });
    }
    if fit < GOOD_FIT {
        return None;
    }
    let parts = parts(art, mask, &colors.mostly_solid())?;
    (!parts.is_empty()).then_some(Disagreement::Parts(parts))
}

/// True if over 95% of the art's transparent pixels are solid in the mask, and over 95% of its other pixels
/// are passable. At least a twentieth of the art's pixels must be transparent, and at least a twentieth must
/// not be.
fn is_inverted(art: &RgbaImage, mask: &Grid) -> bool {
    // Counts pixels: the first index is 1 for opaque, the second is 1 for solid.
    let mut counts = [[0_u64; 2]; 2];
    for (x, y, pixel) in art.enumerate_pixels() {
        counts[usize::from(pixel.0[3] >= 128)][usize::from(mask.is_solid(x, y))] += 1;
    }
    let [[clear_free, clear_solid], [shown_free, shown_solid]] = counts;
    let clear = clear_free + clear_solid;
    let shown = shown_free + shown_solid;
    clear * 20 >= clear + shown
        && shown * 20 >= clear + shown
        && clear_free * 19 < clear_solid
        && shown_solid * 19 < shown_free
}

/// True if the art probably belongs to another level: the mask fits it hardly better than the same mask does
/// after shifts by a quarter of the picture or more. `fit` is the fit (see [`fit()`]) without a shift.
fn is_chance(art: &RgbaImage, mask: &Grid, fit: f64) -> bool {
    let size = mask.size();
    let moved = [(1, 3), (2, 3), (1, 2), (0, 2), (1, 0), (2, 1), (3, 2), (3, 3)];
    let fits = moved.map(|(x, y)| {
        let shift = UVec2::new(size.x * x / 4, size.y * y / 4);
        learn(art, mask, 0, -shift.as_ivec2()).fit()
    });
    let mean = fits.iter().sum::<f64>() / fits.len() as f64;
    let most = fits.iter().fold(0.0_f64, |most, fit| most.max(*fit));
    fit < mean * 1.2 && fit <= most
}

/// Returns the connected groups of pixels where the mask disagrees with the art. `mostly_solid` states for
/// each colour of the art whether most of its pixels are solid in the mask. `None` if there are more than
/// [`MOST_PARTS`] groups, if more than [`MOST_GRAIN`] of the pixels disagree outside the groups, or if memory
/// runs out.
fn parts(art: &RgbaImage, mask: &Grid, mostly_solid: &[bool]) -> Option<Vec<PairPart>> {
    let size = mask.size();
    let mut differs = Grid::new(size.x, size.y).ok()?;
    for y in 0..size.y {
        for x in 0..size.x {
            let color = color_of(art.get_pixel(x, y).0);
            if mostly_solid.get(color) != Some(&mask.is_solid(x, y)) {
                differs.set(x, y, true).ok()?;
            }
        }
    }
    let thinned = thinned(&differs).ok()?;
    let found = components(&thinned, CellKind::Solid, Connectivity::Eight).ok()?;
    let mut parts: Vec<PairPart> = Vec::new();
    for part in found.parts().iter().filter(|part| part.size >= LEAST_PART) {
        let thin = THIN as i32;
        let area = Aabb { min: part.area.min - thin, max: part.area.max + thin };
        let first = part.first.as_uvec2();
        let is_solid = mask.is_solid(first.x, first.y);
        parts.push(PairPart { area, pixels: part.size, is_solid });
        if parts.len() > MOST_PARTS {
            return None;
        }
    }
    parts.retain(|part| part.pixels >= REPORTED[usize::from(!part.is_solid)]);
    parts.sort_by_key(|part| (std::cmp::Reverse(part.pixels), part.area.min.y, part.area.min.x));
    let in_parts: u64 = parts.iter().map(|part| part.pixels).sum();
    let grain = differs.solid_count().saturating_sub(in_parts) as f64 / mask.cell_count() as f64;
    (grain <= MOST_GRAIN).then_some(parts)
}

/// Returns the solid cells of `grid` whose neighbours up to [`THIN`] cells away are all solid.
fn thinned(grid: &Grid) -> Result<Grid, GridError> {
    let size = grid.size();
    let mut thinned = Grid::new(size.x, size.y)?;
    for y in THIN as u32..size.y.saturating_sub(THIN as u32) {
        for x in (0..size.x).step_by(64) {
            let mut word = u64::MAX;
            for row in y - THIN as u32..=y + THIN as u32 {
                for column in i64::from(x) - THIN..=i64::from(x) + THIN {
                    word &= grid.row_word(column, row);
                }
            }
            while word != 0 {
                thinned.set(x + word.trailing_zeros(), y, true)?;
                word &= word - 1;
            }
        }
    }
    Ok(thinned)
}

/// The largest shift of a mask against its art that is reported, in pixels on each axis. Shifts that are one
/// pixel longer are tried too.
const REACH: i32 = MARGIN as i32 - 1;

/// The smallest width and height of compared pictures, in pixels: a little more than four times [`MARGIN`].
pub(in crate::lint) const LEAST_SIDE: u32 = 40;

/// The largest number of 64-pixel words of the art that are compared with the mask at each shift.
const MOST_WORDS: usize = 4_096;

/// The smallest gain in fit (see [`fit`]) that a shift of the mask must bring to be reported.
const LEAST_GAIN: f64 = 0.008;

/// The smallest fit (see [`fit`]) of a shifted mask that is reported. A mask with a lower fit has some other
/// fault.
const LEAST_FIT: f64 = 0.35;

/// Finds the shift of up to 8 pixels that clearly improves the fit (see [`fit`]) of a mask to its art, and
/// makes it worse in no quarter of the picture. `None` if there is no such shift. Also `None` for pictures of
/// different sizes, pictures with a side below [`LEAST_SIDE`], and masks that are nearly all solid or all
/// passable.
///
/// Maximizes mutual information over shifts, as in the alignment of pictures from different cameras (Viola
/// and Wells, 1997). Compares only pixels near the edges of the mask, because the others do not depend on the
/// shift: at most 2^18 pixels, at about 200 shifts. First tries every second shift, then the shifts around
/// the best one. O(n) for n pixels, plus 200 * 4,096 * 8 word operations.
pub(in crate::lint) fn drift(art: &RgbaImage, mask: &Grid) -> Option<Drift> {
    let size = mask.size();
    if size.min_element() < LEAST_SIDE || (size.x, size.y) != art.dimensions() || is_lopsided(mask)
    {
        return None;
    }
    let here = learn(art, mask, MARGIN, IVec2::ZERO);
    let samples = ArtSamples::new(art, mask, &here.classes());
    let shift = samples.best(mask);
    if shift == IVec2::ZERO || shift.abs().max_element() > REACH {
        return None;
    }
    // The classes of colours fit best at the shift for which they were computed, so each shift is judged with
    // its own classes.
    let there = learn(art, mask, MARGIN, shift);
    let before = here.fit();
    let after = there.fit();
    let samples = ArtSamples::new(art, mask, &there.classes());
    let is_peak = samples.best(mask) == shift && samples.all_quarters_agree(mask, shift);
    let is_better = after >= LEAST_FIT && after - before >= LEAST_GAIN;
    (is_peak && is_better).then_some(Drift { shift, before, after })
}

/// Groups of 64 adjacent pixels in a row of the art, near the edges of the mask. Each group has a 64-bit word
/// for each class of colours: bit `i` is set if pixel `i` is of that class.
struct ArtSamples(Vec<Sample>);

struct Sample {
    x: i64,
    y: u32,
    classes: [u64; CLASSES],
    /// The quarter of the picture in which the 64 pixels of this sample are, from 0 to 3.
    quarter: usize,
}

impl ArtSamples {
    fn new(art: &RgbaImage, mask: &Grid, classes: &[u8]) -> Self {
        let size = mask.size();
        let near = near_edges(mask);
        let inside = MARGIN..size.x - MARGIN;
        let mut samples = Vec::new();
        for (x, y) in spread(near.len(), MOST_WORDS).filter_map(|index| near.get(index).copied()) {
            let mut split = [0; CLASSES];
            for bit in (0..64).filter(|bit| inside.contains(&(x + bit))) {
                let class = classes.get(color_of(art.get_pixel(x + bit, y).0));
                split[usize::from(*class.unwrap_or(&0)) % CLASSES] |= 1 << bit;
            }
            let quarter = usize::from(x + 32 > size.x / 2) + 2 * usize::from(y > size.y / 2);
            samples.push(Sample { x: x.into(), y, classes: split, quarter });
        }
        Self(samples)
    }

    /// Counts the sampled pixels of each class of colours, and the solid ones among them, for each quarter of
    /// the picture. The mask is moved by `shift`.
    fn tables(&self, mask: &Grid, shift: IVec2) -> [CountTable; 4] {
        let mut tables = [CountTable::default(); 4];
        for word in &self.0 {
            // A row above the mask becomes one below it: neither has a solid pixel.
            let y = word.y.wrapping_add_signed(-shift.y);
            let solid = mask.row_word(word.x - i64::from(shift.x), y);
            let table = &mut tables[word.quarter % 4];
            for (count, class) in table.iter_mut().zip(word.classes) {
                count[0] += u64::from((class & solid).count_ones());
                count[1] += u64::from(class.count_ones());
            }
        }
        tables
    }

    fn fit(&self, mask: &Grid, shift: IVec2) -> f64 {
        let mut all = CountTable::default();
        for table in self.tables(mask, shift) {
            for (sum, count) in all.iter_mut().zip(table) {
                *sum = [sum[0] + count[0], sum[1] + count[1]];
            }
        }
        fit(&all)
    }

    /// Returns the shift at which the mask fits the sampled pixels of the art best; the shortest if several
    /// are equally good.
    fn best(&self, mask: &Grid) -> IVec2 {
        let coarse = self.best_around(mask, IVec2::ZERO, REACH, 2);
        let fine = self.best_around(mask, coarse.1, 1, 1);
        // The search over every second shift may miss that a thin wall is best without a shift. So the
        // shifts of one pixel are tried too.
        let near = self.best_around(mask, IVec2::ZERO, 1, 1);
        if is_at_least(near, fine) { near.1 } else { fine.1 }
    }

    /// Tries every `step`th shift up to `reach` pixels from `center` on each axis. Returns the best one, with
    /// its fit.
    fn best_around(&self, mask: &Grid, center: IVec2, reach: i32, step: usize) -> (f64, IVec2) {
        let mut best = (f64::NEG_INFINITY, center);
        for y in (-reach..=reach).step_by(step) {
            for x in (-reach..=reach).step_by(step) {
                let shift = center + IVec2::new(x, y);
                let there = (self.fit(mask, shift), shift);
                best = if is_at_least(there, best) { there } else { best };
            }
        }
        best
    }

    /// True if a shift of the mask makes the fit of mask and art (see [`fit`]) worse in no quarter of the
    /// picture. Ignores quarters with less than a twentieth of the samples.
    fn all_quarters_agree(&self, mask: &Grid, shift: IVec2) -> bool {
        let here = self.tables(mask, IVec2::ZERO);
        let there = self.tables(mask, shift);
        let all = self.0.len();
        (0..4).all(|quarter| {
            let count = self.0.iter().filter(|word| word.quarter == quarter).count();
            count * 20 < all || fit(&there[quarter]) >= fit(&here[quarter])
        })
    }
}

/// True if a shift with a fit is at least as good as another: the fit is larger, or equal for a shift that is
/// no longer.
fn is_at_least((fit, shift): (f64, IVec2), (other, other_shift): (f64, IVec2)) -> bool {
    let by_fit = fit.total_cmp(&other);
    by_fit.then(other_shift.length_squared().cmp(&shift.length_squared())).is_ge()
}

/// Finds the 64-pixel words of the mask that are near an edge between solid and passable pixels. Returns the
/// x and y of the first pixel of each word, from top to bottom.
///
/// Near means that the edge is in the same word or the one beside it, and at most [`MARGIN`] rows away.
/// Ignores [`MARGIN`] rows at the top and the bottom.
fn near_edges(mask: &Grid) -> Vec<(u32, u32)> {
    let size = mask.size();
    let words = size.x.div_ceil(64);
    let mut found = Vec::new();
    for y in MARGIN..size.y - MARGIN {
        for index in 0..words {
            let columns = index.saturating_sub(1) * 64..(index + 2).min(words) * 64;
            // Columns beyond the mask count as passable.
            let all = columns.len() as u64 * u64::from(2 * MARGIN + 1);
            let solid = mask.solid_count_in(columns, y - MARGIN..y + MARGIN + 1);
            if (1..all).contains(&solid) {
                found.push((index * 64, y));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matching_art_has_a_fit_of_1_and_shifted_art_a_low_fit() {
        let size = UVec2::new(130, 60);
        let mut mask = Grid::new(size.x, size.y).expect("memory");
        let is_solid = |x: u32, y: u32| (x / 10 + y / 12).is_multiple_of(3);
        for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
            mask.set(x, y, is_solid(x, y)).expect("memory");
        }
        let drawn = |solid: [u8; 4], free: [u8; 4]| {
            RgbaImage::from_fn(size.x, size.y, |x, y| {
                bitwall::image::Rgba(if is_solid(x, y) { solid } else { free })
            })
        };
        let art = drawn([200, 10, 10, 255], [10, 10, 200, 255]);
        let in_place = |art: &RgbaImage| learn(art, &mask, 0, IVec2::ZERO).fit();
        assert_eq!(in_place(&art), 1.0);
        assert_eq!(learn(&art, &mask, MARGIN, IVec2::ZERO).fit(), 1.0);
        assert!(learn(&art, &mask, MARGIN, IVec2::new(3, -2)).fit() < 0.7);
        assert_eq!(in_place(&drawn([0; 4], [9, 9, 9, 255])), 1.0, "by opacity");
        assert_eq!(in_place(&drawn([1; 4], [2; 4])), 0.0, "one colour");
        let by_chance = learn(&art, &mask, 0, IVec2::new(-15, -6)).fit();
        assert!(by_chance < 0.3, "{by_chance}");
    }

    #[test]
    fn sampled_rows_cover_all_rows_of_a_tile_evenly() {
        for (count, most) in [(0, 5), (1, 5), (5, 5), (6, 5), (100, 7), (4_096, 256), (4_096, 255)]
        {
            let numbers: Vec<usize> = spread(count, most).collect();
            assert!(numbers.len() <= most && numbers.is_sorted(), "{count} {most}");
            assert!((numbers.len() + 1) * 2 >= count.min(most), "{} of {most}", numbers.len());
            assert!(numbers.iter().all(|number| *number < count));
        }
        assert!(spread(90, 90).eq(0..90));
        let mut places = [0; 16];
        spread(4_096, 256).for_each(|number| places[number % 16] += 1);
        assert!(places.iter().all(|count| (14..=18).contains(count)), "{places:?}");
    }

    #[test]
    fn the_fit_is_the_mutual_information_divided_by_the_entropy() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..200 {
            let mut table = CountTable::default();
            for place in &mut table {
                let all = random.u64(0..50);
                *place = [random.u64(0..=all), all];
            }
            let all: u64 = table.iter().map(|[_, all]| all).sum();
            let solid: u64 = table.iter().map(|[solid, _]| solid).sum();
            if solid == 0 || solid == all {
                assert_eq!(fit(&table), 0.0);
                continue;
            }
            // Sums p(class, kind) log(p(class, kind) / p(class) p(kind)) over all classes and both kinds of
            // pixels.
            let share = |count: u64| count as f64 / all as f64;
            let mut mutual = 0.0;
            for [part, of] in table {
                for (both, kind) in [(part, solid), (of - part, all - solid)] {
                    if both > 0 {
                        mutual += share(both) * (share(both) / share(of) / share(kind)).log2();
                    }
                }
            }
            let entropy: f64 =
                [solid, all - solid].iter().map(|kind| -share(*kind) * share(*kind).log2()).sum();
            assert!((fit(&table) - mutual / entropy).abs() < 1e-9);
        }
    }

    /// Returns random art with grain, and a mask of solid blocks that fits it.
    fn pair(seed: u64, width: u32, height: u32) -> (RgbaImage, Grid) {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut mask = Grid::new(width, height).expect("memory");
        for _ in 0..16 {
            let (left, top) = (random.u32(0..width - 20), random.u32(0..height - 12));
            let (w, h) = (random.u32(6..20), random.u32(4..12));
            for (x, y) in (top..top + h).flat_map(|y| (left..left + w).map(move |x| (x, y))) {
                mask.set(x, y, true).expect("memory");
            }
        }
        let art = RgbaImage::from_fn(width, height, |x, y| {
            let light = if mask.is_solid(x, y) { 70 } else { 150 } + random.u8(0..30);
            bitwall::image::Rgba([light, light, light / 2, 255])
        });
        (art, mask)
    }

    fn moved(mask: &Grid, by: IVec2) -> Grid {
        let size = mask.size();
        let mut moved = Grid::new(size.x, size.y).expect("memory");
        for at in mask.iter_solid() {
            let to = at.as_ivec2() + by;
            // A negative column or row becomes one beyond the mask.
            moved.set(to.x as u32, to.y as u32, true).expect("memory");
        }
        moved
    }

    #[test]
    fn the_shift_of_a_moved_mask_is_found() {
        let mut missed = 0;
        for (seed, width) in [(1, 127), (2, 128), (3, 129), (4, 200)] {
            let (art, mask) = pair(seed, width, 96);
            assert_eq!(drift(&art, &mask), None, "{seed}");
            for by in [(1, 0), (0, -1), (3, 2), (-8, 0), (5, -7)] {
                let by = IVec2::from(by);
                match drift(&art, &moved(&mask, by)).map(|found| found.shift) {
                    // A quarter may fit better by chance without the shift, so some shifts are missed. A
                    // wrong one is never reported.
                    None => missed += 1,
                    found => assert_eq!(found, Some(-by), "{seed}"),
                }
            }
        }
        assert!(missed <= 1, "{missed} of 20");
    }

    #[test]
    fn the_words_near_an_edge_agree_with_a_look_at_every_pixel_around() {
        let size = UVec2::new(320, 60);
        let mut random = fastrand::Rng::with_seed(3);
        let mut found = 0;
        for _ in 0..4 {
            // A few blocks in one part of the picture, so that most words have no edge near them.
            let mut mask = Grid::new(size.x, size.y).expect("memory");
            let (left, top) = (random.u32(0..300), random.u32(0..50));
            for (x, y) in (top..top + 9).flat_map(|y| (left..left + 20).map(move |x| (x, y))) {
                mask.set(x, y, true).expect("memory");
            }
            let is_near = |word: u32, y: u32| {
                let columns = word.saturating_sub(1) * 64..(word + 2).min(5) * 64;
                let is = |wanted: bool| {
                    (y - MARGIN..=y + MARGIN)
                        .any(|y| columns.clone().any(|x| mask.is_solid(x, y) == wanted))
                };
                is(true) && is(false)
            };
            let words = (MARGIN..size.y - MARGIN).flat_map(|y| (0..5).map(move |word| (word, y)));
            let near = words.filter(|(word, y)| is_near(*word, *y));
            let expected: Vec<(u32, u32)> = near.map(|(word, y)| (word * 64, y)).collect();
            assert_eq!(near_edges(&mask), expected);
            found += expected.len();
        }
        assert!(found > 100, "{found}");
    }

    /// A mask of bars fits itself after every shift along its bars. Only shifts across them tell whether the
    /// art belongs to it.
    #[test]
    fn faint_art_of_the_right_bars_is_not_taken_for_art_of_another_level() {
        let mut random = fastrand::Rng::with_seed(4);
        let size = UVec2::new(160, 120);
        for is_upright in [true, false] {
            let bars: Vec<bool> = (0..160).map(|_| random.bool()).collect();
            let is_solid = |x: u32, y: u32| bars[if is_upright { x } else { y } as usize];
            let mut mask = Grid::new(size.x, size.y).expect("memory");
            for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
                mask.set(x, y, is_solid(x, y)).expect("memory");
            }
            let art = RgbaImage::from_fn(size.x, size.y, |x, y| {
                let is_wall = is_solid(x, y) == (random.u8(0..100) < 77);
                bitwall::image::Rgba([if is_wall { 70 } else { 150 }, 90, 90, 255])
            });
            let fit = learn(&art, &mask, 0, IVec2::ZERO).fit();
            assert!((0.15..DOUBTFUL_FIT).contains(&fit), "{fit}");
            assert_eq!(disagreement(&art, &mask), None, "{is_upright}");
        }
        let is_unrelated = |seed: &u64| {
            let (other, mask) = (pair(*seed, 160, 120).0, pair(seed + 1, 160, 120).1);
            matches!(disagreement(&other, &mask), Some(Disagreement::Unrelated { .. }))
        };
        let unrelated = (1..9).filter(is_unrelated).count();
        assert!(unrelated >= 4, "{unrelated} of 8");
    }

    #[test]
    fn pixel_counts_of_a_shifted_mask_agree_with_a_count_pixel_by_pixel() {
        let (art, mask) = pair(7, 130, 60);
        let classes = learn(&art, &mask, 0, IVec2::ZERO).classes();
        let samples = ArtSamples::new(&art, &mask, &classes);
        let near = near_edges(&mask);
        for shift in [IVec2::ZERO, IVec2::new(3, -5), IVec2::new(-8, 8)] {
            let mut naive = [CountTable::default(); 4];
            for (left, y) in &near {
                let inside = (*left..left + 64).filter(|x| (MARGIN..130 - MARGIN).contains(x));
                for x in inside {
                    let class = usize::from(classes[color_of(art.get_pixel(x, *y).0)]);
                    let at = IVec2::new(x as i32, *y as i32) - shift;
                    let quarter = usize::from(left + 32 > 65) + 2 * usize::from(*y > 30);
                    let place = &mut naive[quarter][class];
                    place[0] += u64::from(mask.is_solid(at.x as u32, at.y as u32));
                    place[1] += 1;
                }
            }
            assert_eq!(samples.tables(&mask, shift), naive, "{shift}");
        }
    }
}
