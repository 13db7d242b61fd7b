//! Decodes a picture into the cells of a level and of its areas, and counts its pixels.
//!
//! Bytes of samples in, words of 64 bits out. There are two paths. A row of 1-bit pixels is split by whole
//! words. Other rows are split by blocks of 64 pixels: one with the bytes of the block before it, the
//! common case, like that one; others value by value, up to [`MAX_VALUES`], and then pixel by pixel. The
//! class of a byte stands in a table, that of a colour in a small cache. Nothing here knows a file format.

use std::io::{BufRead, Seek};

use glam::UVec2;

use super::facts::{
    ClearEdge, MaskCounts, MaskRules, MaskSource, Odd, OddPixels, PixelClass, PixelKind,
};
#[cfg(feature = "formats")]
use super::formats;
use super::picture::{Header, MaskFault, MaskPicture, NoColor, PictureSamples, no_color, pixels};
use super::{MaskFormat, png};
use crate::error::LoadErrorKind;
use crate::grid::{Grid, RowBuilder};
use crate::options::LoadOptions;
use crate::rules::mask::{MaskPlanes, Pixel};

/// A decoded mask.
#[derive(Debug)]
pub(crate) struct Mask {
    /// The solid pixels.
    pub(crate) solid: Grid,
    /// The pixels of each area, by its name, in the order of the planes.
    pub(crate) areas: Vec<(String, Grid)>,
    pub(crate) source: MaskSource,
    /// The odd pixels, if there are any.
    pub(crate) odd: Option<Box<OddPixels>>,
}

/// Decodes a picture of this format. The file is read from where it is to its end, or to the end of the first
/// frame.
pub(crate) fn decode(
    file: impl BufRead + Seek,
    format: MaskFormat,
    options: &LoadOptions,
) -> Result<Mask, MaskFault> {
    let limits = &options.limits;
    let MaskPicture { header, samples } = match format {
        MaskFormat::Png => png::open(file, limits),
        #[cfg(feature = "formats")]
        MaskFormat::Gif => formats::open_gif(file, limits),
        #[cfg(feature = "formats")]
        MaskFormat::Bmp => formats::open_bmp(file, limits),
        #[cfg(feature = "formats")]
        MaskFormat::WebP => formats::open_webp(file, limits),
        #[cfg(feature = "formats")]
        MaskFormat::Tga => formats::open_tga(file, limits),
        #[cfg(not(feature = "formats"))]
        MaskFormat::Gif | MaskFormat::Bmp | MaskFormat::WebP | MaskFormat::Tga => {
            let found = "a picture that is no PNG";
            Err(LoadErrorKind::MissingFeature { found, feature: "formats" }.into())
        }
    }?;
    let planes = MaskPlanes::new(&options.planes)?;
    let rules = MaskRules { rule: &options.mask_rule, planes: &planes };
    let mut classifier = Classifier::new(rules, &header);
    let mut cells = MaskCells::new(&header, planes.names.len())?;
    let colors = header.palette.as_ref().map_or(0, Vec::len);
    let mut add_row = |y, row: &[u8]| {
        let classes = classifier.split(y, row).map_err(|missing| no_color(missing, y, colors))?;
        cells.add_row(y, classes);
        Ok(())
    };
    match samples {
        PictureSamples::Png(file) => png::for_each_row(file, &header, add_row)?,
        PictureSamples::Decoded(samples) => {
            // A row of samples that are in memory has a length that memory can have.
            let length = usize::try_from(header.row_bytes()).unwrap_or(usize::MAX);
            let mut rows = (0..).zip(samples.chunks_exact(length));
            rows.try_for_each(|(y, row)| add_row(y, row))?;
        }
    }
    let odd = match (classifier.into_odd(), cells.odd) {
        (Some(mut odd), Some(bits)) => {
            (odd.gray, odd.translucent) = (bits.gray, bits.translucent);
            Some(odd)
        }
        _ => None,
    };
    let named = planes.names.iter().zip(cells.areas);
    let areas = named.map(|(name, area)| ((*name).to_owned(), area.finish()));
    Ok(Mask {
        areas: areas.collect(),
        solid: cells.solid.finish(),
        source: MaskSource {
            rule: options.mask_rule.clone(),
            planes: options.planes.clone(),
            counts: cells.counts,
            format: header.format,
            animated: header.animated,
        },
        odd,
    })
}

/// The bits of the level and of its areas in the making, and the counts.
struct MaskCells {
    solid: RowBuilder,
    areas: Vec<RowBuilder>,
    counts: MaskCounts,
    size: UVec2,
    /// `None` before the first odd pixel.
    odd: Option<Box<OddPixels>>,
    /// `None` if no pixel can be transparent.
    clear_edge: Option<ClearEdge>,
}

impl MaskCells {
    fn new(header: &Header, areas: usize) -> Result<Self, LoadErrorKind> {
        let size = header.size;
        let cells = pixels(size);
        let blank = |_| {
            let builder = RowBuilder::new(size.x, size.y);
            builder.map_err(|_| LoadErrorKind::NoMemory { cells })
        };
        Ok(Self {
            solid: blank(0)?,
            areas: (0..areas).map(blank).collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
            size,
            odd: None,
            clear_edge: header.may_be_clear().then(ClearEdge::default),
        })
    }

    /// Adds row `y`, whose pixels are each of one of these classes.
    fn add_row<'a>(&mut self, y: u32, classes: impl Iterator<Item = &'a ClassRow>) {
        let mut classes = classes.peekable();
        let mut left = u64::from(self.size.x);
        while let Some(ClassRow { class, words, .. }) = classes.next() {
            // The last class has the rest of the row, which need not be counted.
            let count = match classes.peek() {
                Some(_) => words.iter().map(|word| u64::from(word.count_ones())).sum(),
                None => left,
            };
            left -= count;
            self.add(y, *class, words, count);
        }
        if let Some(edge) = &mut self.clear_edge {
            edge.end_row(&mut self.counts);
        }
    }

    /// Adds the `count` pixels of one class in row `y`.
    fn add(&mut self, y: u32, class: PixelClass, words: &[u64], count: u64) {
        self.counts.add(y, class, words, count);
        if let Some(edge) = &mut self.clear_edge {
            edge.add(class.kind, words);
        }
        if matches!(class.kind, PixelKind::Gray | PixelKind::Translucent) {
            self.odd.get_or_insert_default().add_row(self.size, y, class, words);
        }
        if class.solid {
            self.solid.or_row(y, words);
        }
        let areas = (0..).zip(&mut self.areas);
        for (_, area) in areas.filter(|(number, _)| class.areas >> number & 1 == 1) {
            area.or_row(y, words);
        }
    }
}

/// Splits the rows of one picture.
pub(super) struct Classifier<'a> {
    depth: u8,
    classes: Classes<'a>,
    rows: Rows,
}

/// The classes of the values of a picture's pixels.
enum Classes<'a> {
    /// By the value of a byte, an index of a palette or gray of at most 8 bits. One past a short palette
    /// has none.
    OfBytes(Vec<KnownClass>),
    /// By samples, several in a pixel or of 16 bits each.
    OfColors(ColorClasses<'a>),
}

/// The colours that are remembered with their classes: those of 8 bits of a hash.
const REMEMBERED: usize = 256;

/// The classes of colours, worked out when they are met.
struct ColorClasses<'a> {
    rules: MaskRules<'a>,
    channels: usize,
    /// True for samples of 16 bits.
    wide: bool,
    /// The colour that is transparent.
    key: Option<[u32; 3]>,
    /// The last colour of each hash, by the bytes of its samples. Filled at the first colour.
    remembered: Vec<(u64, KnownClass)>,
}

impl<'a> Classifier<'a> {
    pub(super) fn new(rules: MaskRules<'a>, header: &Header) -> Self {
        let mut rows = Rows::new(header.size.x);
        let Header { depth, channels, key, .. } = *header;
        let classes = if let Some(palette) = &header.palette {
            let pixels = palette.iter().map(|color| pixel_of(&color.map(u32::from), 255, None));
            Classes::OfBytes(pixels.map(|pixel| rows.know(&rules, &pixel)).collect())
        } else if channels == 1 && depth <= 8 {
            let max = (1 << depth) - 1;
            let pixels = (0..=max).map(|value| pixel_of(&[value], max, key));
            Classes::OfBytes(pixels.map(|pixel| rows.know(&rules, &pixel)).collect())
        } else {
            let (wide, remembered) = (depth == 16, Vec::new());
            Classes::OfColors(ColorClasses { rules, channels, wide, key, remembered })
        };
        Self { depth, classes, rows }
    }

    /// Splits row `y` of samples: gives each class that has pixels in it once. Of the two classes of 1-bit
    /// pixels it gives both. The rows come from top to bottom.
    pub(super) fn split(
        &mut self,
        y: u32,
        row: &[u8],
    ) -> Result<impl Iterator<Item = &ClassRow>, NoColor> {
        let Self { depth, classes, rows } = self;
        rows.start(y);
        match classes {
            Classes::OfBytes(known) => match (*depth, &known[..]) {
                (1, [zeros, ones, ..]) => {
                    split_bits(row, [*zeros, *ones], rows);
                    Ok(())
                }
                (1, _) => split_values::<8>(row, known, rows, |block| unpacked::<1>(block)),
                (2, _) => split_values::<16>(row, known, rows, |block| unpacked::<2>(block)),
                (4, _) => split_values::<32>(row, known, rows, |block| unpacked::<4>(block)),
                _ => split_values::<64>(row, known, rows, |block| *block),
            },
            Classes::OfColors(colors) => match (*depth, colors.channels) {
                (8, 2) => split_colors::<2, 128, u16>(row, colors, rows, u16::from_le_bytes),
                (8, 3) => split_colors::<3, 192, u32>(row, colors, rows, |[red, green, blue]| {
                    u32::from_le_bytes([red, green, blue, 0])
                }),
                (8, _) => split_colors::<4, 256, u32>(row, colors, rows, u32::from_le_bytes),
                (_, 1) => split_colors::<2, 128, u16>(row, colors, rows, u16::from_le_bytes),
                (_, 2) => split_colors::<4, 256, u32>(row, colors, rows, u32::from_le_bytes),
                (_, 3) => split_colors::<6, 384, u64>(row, colors, rows, |[a, b, c, d, e, f]| {
                    u64::from_le_bytes([a, b, c, d, e, f, 0, 0])
                }),
                _ => split_colors::<8, 512, u64>(row, colors, rows, u64::from_le_bytes),
            },
        }?;
        Ok(rows.classes.iter().filter(|row| row.is_used))
    }

    /// The colours of the odd pixels of all rows, without their bits.
    fn into_odd(self) -> Option<Box<OddPixels>> {
        self.rows.odd
    }
}

impl ColorClasses<'_> {
    /// The class of a colour by the bytes of its samples, the first in the lowest bits.
    #[inline]
    fn class(&mut self, color: u64, rows: &mut Rows) -> KnownClass {
        if self.remembered.is_empty() {
            let known = self.classify(color, rows);
            self.remembered.resize(REMEMBERED, (color, known));
        }
        let slot = (color.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize;
        if self.remembered[slot].0 != color {
            self.remembered[slot] = (color, self.classify(color, rows));
        }
        self.remembered[slot].1
    }

    fn classify(&self, color: u64, rows: &mut Rows) -> KnownClass {
        let (bytes, mut samples) = (color.to_le_bytes(), [0; 4]);
        for (place, sample) in samples[..self.channels].iter_mut().enumerate() {
            *sample = if self.wide {
                u32::from(u16::from_be_bytes([bytes[place * 2], bytes[place * 2 + 1]]))
            } else {
                u32::from(bytes[place])
            };
        }
        let max = if self.wide { 65_535 } else { 255 };
        rows.know(&self.rules, &pixel_of(&samples[..self.channels], max, self.key))
    }
}

/// The pixel of 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 samples.
#[inline]
fn pixel_of(samples: &[u32], max: u32, key: Option<[u32; 3]>) -> Pixel {
    let (rgb, alpha) = match *samples {
        [gray] => ([gray; 3], None),
        [gray, alpha] => ([gray; 3], Some(alpha)),
        [red, green, blue] => ([red, green, blue], None),
        [red, green, blue, alpha, ..] => ([red, green, blue], Some(alpha)),
        [] => ([0; 3], None),
    };
    let by_key = if key == Some(rgb) { 0 } else { max };
    Pixel { rgb, alpha: alpha.unwrap_or(by_key), max }
}

/// Splits pixels of 1 bit, the left one in the highest bit.
fn split_bits(row: &[u8], classes: [KnownClass; 2], rows: &mut Rows) {
    let (whole, rest) = row.as_chunks();
    let mut last = [0; BLOCK / 8];
    last[..rest.len()].copy_from_slice(rest);
    let ones = |bytes: &[u8; BLOCK / 8]| u64::from_be_bytes(*bytes).reverse_bits();
    rows.ones.clear();
    rows.ones.extend(whole.iter().map(ones));
    rows.ones.push(ones(&last));
    for (known, flips) in classes.into_iter().zip([u64::MAX, 0]) {
        let row = &mut rows.classes[known.class as usize];
        for (word, ones) in row.words.iter_mut().zip(&rows.ones) {
            *word |= ones ^ flips;
        }
        if let Some(word) = row.words.last_mut() {
            *word &= in_last_block(rows.width);
        }
        row.is_used = true;
        if known.odd != Odd::No {
            rows.add_odd_bits(known.odd, flips);
        }
    }
}

/// Splits pixels of a byte or less by a table; `BYTES` hold 64 of them.
fn split_values<const BYTES: usize>(
    row: &[u8],
    classes: &[KnownClass],
    rows: &mut Rows,
    unpack: impl Fn(&[u8; BYTES]) -> [u8; BLOCK],
) -> Result<(), NoColor> {
    split_blocks(row, rows, unpack, |value, _| {
        classes.get(usize::from(value)).copied().ok_or(value)
    })
}

/// Splits pixels of `PIXEL` bytes, which `color_of` makes a number; `BYTES` hold 64 of them.
fn split_colors<
    const PIXEL: usize,
    const BYTES: usize,
    C: Copy + Default + PartialEq + Into<u64>,
>(
    row: &[u8],
    classes: &mut ColorClasses<'_>,
    rows: &mut Rows,
    color_of: impl Fn([u8; PIXEL]) -> C,
) -> Result<(), NoColor> {
    let unpack = |block: &[u8; BYTES]| {
        let mut colors = [C::default(); BLOCK];
        for (color, pixel) in colors.iter_mut().zip(block.as_chunks().0) {
            *color = color_of(*pixel);
        }
        colors
    };
    split_blocks(row, rows, unpack, |color, rows| Ok(classes.class(color.into(), rows)))
}

/// Splits a row by blocks of `BYTES` bytes. `unpack` gives the 64 pixels of a block as values, `class_of`
/// the class of a value, or the value itself if it has none.
#[inline(always)]
fn split_blocks<const BYTES: usize, V: Copy + PartialEq>(
    row: &[u8],
    rows: &mut Rows,
    unpack: impl Fn(&[u8; BYTES]) -> [V; BLOCK],
    mut class_of: impl FnMut(V, &mut Rows) -> Result<KnownClass, u8>,
) -> Result<(), NoColor> {
    let whole = &row.as_chunks().0[..rows.width / BLOCK];
    let mut before = None;
    for (at, block) in whole.iter().enumerate() {
        if before.is_some_and(|before| is_equal(before, block)) {
            rows.add_block(at);
        } else {
            let is_kept = split_block(&unpack(block), u64::MAX, at, rows, &mut class_of)?;
            before = is_kept.then_some(block);
        }
    }
    if !rows.width.is_multiple_of(BLOCK) {
        let mut last = [0; BYTES];
        let rest = &row[whole.len() * BYTES..];
        last[..rest.len()].copy_from_slice(rest);
        let inside = in_last_block(rows.width);
        split_block(&unpack(&last), inside, whole.len(), rows, &mut class_of)?;
    }
    Ok(())
}

/// Splits the pixels of a block whose bits are set in `rest`, as word `at` of a row. True if the block of
/// [`Rows`] has all of them, so that the next one can be added like it.
#[inline(always)]
fn split_block<V: Copy + PartialEq>(
    pixels: &[V; BLOCK],
    mut rest: u64,
    at: usize,
    rows: &mut Rows,
    class_of: &mut impl FnMut(V, &mut Rows) -> Result<KnownClass, u8>,
) -> Result<bool, NoColor> {
    let missing = |x: u32| move |value| NoColor { x: (at * BLOCK) as u32 + x, value };
    rows.start_block();
    while rest != 0 && !rows.is_block_full() {
        let x = rest.trailing_zeros();
        let value = pixels[x as usize];
        let known = class_of(value, rows).map_err(missing(x))?;
        let bits = which(pixels, |pixel| pixel == value) & rest;
        rows.put(known, bits);
        rest ^= bits;
    }
    rows.add_block(at);
    // Noise, a soft edge or a painting.
    for x in bits_of(rest) {
        let known = class_of(pixels[x as usize], rows).map_err(missing(x))?;
        rows.add(at, known.class, 1 << x);
        rows.add_color(at, known.odd, 1 << x);
    }
    Ok(rest == 0)
}

/// Pixels that are split together: the bits of a word.
pub(super) const BLOCK: usize = 64;

/// The most values in a block of few values.
pub(super) const MAX_VALUES: usize = 4;

/// The pixels of one class in a row.
#[derive(Debug)]
pub(super) struct ClassRow {
    pub(super) class: PixelClass,
    /// Bit `i` of word `w` is set if the pixel at x = 64 w + i is one of them.
    pub(super) words: Vec<u64>,
    /// False only if all words are 0.
    pub(super) is_used: bool,
}

/// The class of a pixel's value: its number in [`Rows`], and what is odd about the value.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownClass {
    pub(super) class: u32,
    pub(super) odd: Odd,
}

/// The classes met so far, and their pixels in one row.
#[derive(Default)]
pub(super) struct Rows {
    /// Each class once. There are few: one for each kind of pixel, solid or not, and each set of areas.
    pub(super) classes: Vec<ClassRow>,
    /// The values of a block of few values.
    values: [KnownClass; MAX_VALUES],
    /// Their pixels. Pairs would be written in halves and read whole, for which a processor waits.
    bits: [u64; MAX_VALUES],
    /// The number of values in the block.
    used: usize,
    /// The bits of a row of 1-bit pixels.
    pub(super) ones: Vec<u64>,
    pub(super) width: usize,
    /// The row that is split.
    pub(super) y: u32,
    /// `None` before the first odd pixel.
    pub(super) odd: Option<Box<OddPixels>>,
    /// True if the colours of odd pixels in this row are not looked at.
    pub(super) is_passed_over: bool,
}

impl Rows {
    pub(super) fn new(width: u32) -> Self {
        Self { width: width as usize, ..Self::default() }
    }

    /// Empties the rows of all classes, for row `y`.
    pub(super) fn start(&mut self, y: u32) {
        for row in self.classes.iter_mut().filter(|row| row.is_used) {
            row.words.fill(0);
            row.is_used = false;
        }
        self.y = y;
        self.is_passed_over = self.odd.as_ref().is_some_and(|odd| odd.is_passed_over(y));
    }

    /// The number of a class, that is, its place in `classes`.
    pub(super) fn number(&mut self, class: PixelClass) -> u32 {
        let known = self.classes.iter().position(|row| row.class == class);
        let number = known.unwrap_or_else(|| {
            let words = vec![0; self.width.div_ceil(BLOCK)];
            self.classes.push(ClassRow { class, words, is_used: false });
            self.classes.len() - 1
        });
        number as u32
    }

    fn know(&mut self, rules: &MaskRules<'_>, pixel: &Pixel) -> KnownClass {
        let class = rules.classify(pixel);
        KnownClass { class: self.number(class), odd: Odd::new(class, pixel) }
    }

    /// Adds pixels of one class in word `at`; their colours are added by [`Self::add_color`].
    #[inline(always)]
    pub(super) fn add(&mut self, at: usize, class: u32, bits: u64) {
        let row = &mut self.classes[class as usize];
        row.words[at] |= bits;
        row.is_used |= bits != 0;
    }

    /// Adds the odd colour of the pixels in word `at`, unless this row is passed over.
    #[inline(always)]
    pub(super) fn add_color(&mut self, at: usize, odd: Odd, bits: u64) {
        if odd != Odd::No && !self.is_passed_over {
            let first = UVec2::new((at * BLOCK) as u32 + bits.trailing_zeros(), self.y);
            self.odd.get_or_insert_default().add_color(odd, bits.count_ones().into(), first);
        }
    }

    /// Forgets the block before.
    #[inline(always)]
    fn start_block(&mut self) {
        self.used = 0;
    }

    /// True if the block has as many values as there is room for.
    #[inline(always)]
    fn is_block_full(&self) -> bool {
        self.used == MAX_VALUES
    }

    /// Puts pixels of one value in the block, which must not be full.
    #[inline(always)]
    pub(super) fn put(&mut self, known: KnownClass, bits: u64) {
        (self.values[self.used], self.bits[self.used]) = (known, bits);
        self.used += 1;
    }

    /// Adds the pixels in the block, as word `at`.
    #[inline(always)]
    fn add_block(&mut self, at: usize) {
        for index in 0..self.used {
            let (known, bits) = (self.values[index], self.bits[index]);
            self.add(at, known.class, bits);
            self.add_color(at, known.odd, bits);
        }
    }

    /// Adds the pixels of 1 bit that are 1 after the flips.
    #[cold]
    fn add_odd_bits(&mut self, odd: Odd, flips: u64) {
        let last = self.width.div_ceil(BLOCK) - 1;
        let words = self.ones.iter().take(last + 1).enumerate().map(|(at, ones)| {
            let inside = if at == last { in_last_block(self.width) } else { u64::MAX };
            (at, (ones ^ flips) & inside)
        });
        let used: Vec<(usize, u64)> = words.filter(|(_, word)| *word != 0).collect();
        if let Some((at, word)) = used.first() {
            let count = used.iter().map(|(_, word)| u64::from(word.count_ones())).sum();
            let first = UVec2::new((at * BLOCK) as u32 + word.trailing_zeros(), self.y);
            self.odd.get_or_insert_default().add_color(odd, count, first);
        }
    }
}

/// The bits of the last block of a row that are pixels.
fn in_last_block(width: usize) -> u64 {
    u64::MAX >> (width.wrapping_neg() % BLOCK)
}

/// The places of the ones in a word, the lowest first.
#[inline(always)]
fn bits_of(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let x = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (x < u64::BITS).then_some(x)
    })
}

/// The pixels with a value for which `is_one` is true.
#[inline(always)]
fn which<T: Copy>(values: &[T; BLOCK], is_one: impl Fn(T) -> bool) -> u64 {
    // The flags of eight pixels have the same bit, so that no word must be shifted to join the others. They
    // are joined by halves of a vector: else the compiler takes words out of it one by one.
    let mut flags = [0; BLOCK];
    for (place, (flag, value)) in flags.iter_mut().zip(values).enumerate() {
        *flag = if is_one(*value) { 1 << (place / 8) } else { 0 };
    }
    let mut halves = [0; 2];
    for words in flags.as_chunks::<16>().0 {
        for (half, word) in halves.iter_mut().zip(words.as_chunks().0) {
            *half |= u64::from_le_bytes(*word);
        }
    }
    let [even, odd] = halves;
    // Bit `i` of byte `j` is the flag of pixel `8 i + j`. Rows and columns of this square of 8 x 8 bits are
    // exchanged: by squares of 1, of 2 and of 4.
    let bits = swap(even | odd, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}

/// Exchanges the bits of `ones` with those that are higher by a number of places.
#[inline(always)]
fn swap(bits: u64, ones: u64, by: u32) -> u64 {
    let differ = (bits >> by ^ bits) & ones;
    bits ^ differ ^ differ << by
}

/// The values of 64 pixels of up to 8 bits, the left one in the highest bits.
#[inline(always)]
fn unpacked<const DEPTH: usize>(block: &[u8]) -> [u8; BLOCK] {
    let mut values = [0; BLOCK];
    for (values, byte) in values.chunks_mut(8 / DEPTH).zip(block) {
        for (place, value) in values.iter_mut().enumerate() {
            *value = (byte >> (8 - DEPTH - place * DEPTH)) & (u8::MAX >> (8 - DEPTH));
        }
    }
    values
}

/// As `==`, which would be a call of `memcmp`; this is a few vector instructions in place.
#[inline(always)]
fn is_equal<const BYTES: usize>(a: &[u8; BYTES], b: &[u8; BYTES]) -> bool {
    // Most blocks that differ do so at an end.
    let is_candidate = a.first() == b.first() && a.last() == b.last();
    is_candidate && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_a_block_are_those_of_its_single_pixels() {
        let mut random = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let pixels: [u32; BLOCK] = std::array::from_fn(|_| random.u32(0..6));
            let naive = (0..BLOCK).fold(0, |bits, x| bits | u64::from(pixels[x] == 3) << x);
            assert_eq!(which(&pixels, |pixel| pixel == 3), naive);
        }
    }
}
