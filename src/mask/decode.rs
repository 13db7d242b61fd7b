//! Decodes a mask picture into the cells of a level and of its areas, and counts its pixels.
//!
//! The pixels of a row are sorted into classes, such as solid or passable. Each class has a row of bits, with
//! a set bit for each of its pixels. A row of 1-bit pixels already consists of such bits. Other rows are read
//! in blocks of 64 pixels:
//!
//! * Most blocks equal the block before, so its result is reused.
//! * Noise and soft edges have so many colours that only a sample of the rows is counted by colour. In the
//!   other rows, a block of shades is compared with a few thresholds. A shade is the sample of an 8-bit pixel
//!   whose red, green and blue are equal.
//! * For any other block, up to [`MAX_PARTS`] different pixel values are compared with all 64 pixels at once,
//!   and the remaining pixels are read one by one. The class of a byte is looked up in a table, and the class
//!   of a colour in a small cache.

use glam::UVec2;

use super::facts::{
    ClearEdge, MaskCounts, MaskRules, MaskSource, Odd, OddPixels, PixelClass, PixelKind,
};
#[cfg(feature = "formats")]
use super::formats;
use super::picture::{Header, MaskFault, MaskPicture, no_color, pixels};
use super::{MaskFormat, PictureFile, png};
use crate::error::LoadErrorKind;
use crate::grid::{Grid, RowBuilder};
use crate::options::LoadOptions;
use crate::rules::mask::{MaskPlanes, Pixel};

#[derive(Debug)]
pub(crate) struct Mask {
    pub(crate) solid: Grid,
    /// The name and pixels of each area, in the order of the [`MaskPlane`](crate::rules::MaskPlane)s that
    /// name them first.
    pub(crate) areas: Vec<(String, Grid)>,
    pub(crate) source: MaskSource,
    pub(crate) odd: Option<Box<OddPixels>>,
}

/// Decodes a picture with the format `format`. Reads the file from its current position to its end, or to the
/// end of the first frame.
pub(crate) fn decode(
    file: &mut dyn PictureFile,
    format: MaskFormat,
    options: &LoadOptions,
) -> Result<Mask, MaskFault> {
    let limits = &options.limits;
    let MaskPicture { header, samples } = match format {
        MaskFormat::Png => png::open(file, limits),
        #[cfg(feature = "formats")]
        _ => formats::open(file, format, limits),
        #[cfg(not(feature = "formats"))]
        _ => {
            let found = "a picture that is no PNG";
            Err(LoadErrorKind::MissingFeature { found, feature: "formats" }.into())
        }
    }?;
    let planes = MaskPlanes::new(&options.planes)?;
    let rules = MaskRules { rule: &options.mask_rule, planes: &planes };
    let mut cells = MaskCells::new(&header, rules)?;
    match samples {
        None => png::for_each_row(file, &header, &mut |y, row| cells.add_row(y, row))?,
        Some(samples) => {
            // The samples are in memory, so the length of a row fits a `usize`.
            let length = usize::try_from(header.row_bytes()).unwrap_or(usize::MAX);
            for (y, row) in (0..).zip(samples.chunks_exact(length)) {
                cells.add_row(y, row)?;
            }
        }
    }
    let mut areas = Vec::new();
    for (name, cells) in planes.names.iter().zip(cells.areas) {
        areas.push(((*name).to_owned(), finished(cells, header.size)?));
    }
    Ok(Mask {
        areas,
        solid: finished(cells.solid, header.size)?,
        source: MaskSource {
            name: String::new(),
            rule: options.mask_rule.clone(),
            planes: options.planes.clone(),
            counts: cells.counts,
            format: header.format.clone(),
            animated: header.animated,
        },
        odd: cells.odd,
    })
}

/// The number of adjacent pixels of a row that are classified together: one for each bit of a `u64`.
const BLOCK: usize = 64;

/// The largest number of pixel values that are compared with all pixels of a block at once, and of parts that
/// are kept to reuse a block.
const MAX_PARTS: usize = 4;

/// The largest number of thresholds that a block of shades is compared with. A picture has more thresholds if
/// many shades are colours of the rule or of planes. The default rule needs three.
const MAX_THRESHOLDS: usize = 8;

/// The number of bits of a colour's hash. The cache of classes has one entry for each hash. With 8 bits
/// instead of 10, loading a painting takes 1.12 times as many instructions.
const HASH_BITS: u32 = 10;

/// The state of a decode: the cells of the level and of its areas so far, and the counts of pixels.
struct MaskCells<'a> {
    header: &'a Header,
    rules: MaskRules<'a>,
    /// The number of bits of a pixel: its samples times the bits of a sample.
    pixel_bits: usize,
    /// A table of the classes of pixel values. For pixels of at most 8 bits, the index in the table is the
    /// value. For other pixels, the index is a hash of the value, and the entry has the latest value with
    /// this hash.
    known: Vec<Option<(u64, KnownClass)>>,
    /// The pixels of the current row, by class. Pixels have the same class if they have the same kind, areas
    /// and solidity, so there are few classes.
    classes: Vec<ClassRow>,
    /// A buffer for [`Self::split_bits`]: the pixels of the current row that have one of the two values, as
    /// bits.
    words: Vec<u64>,
    /// The classes of the parts of the last block that [`Self::split_block`] read. A part is the pixels with
    /// one value, or between two thresholds.
    parts: [KnownClass; MAX_PARTS],
    /// For each class in `parts`: its pixels in this block, as bits. The bits are in a separate array: pairs
    /// of class and bits would be written in halves and read whole, which stalls a processor.
    bits: [u64; MAX_PARTS],
    /// The number of parts of this block. It is larger than [`MAX_PARTS`] if the block cannot be reused.
    part_count: usize,
    /// Runs of shades with the same class, from black to white: the last shade of each run, and the class.
    /// Empty until a block of shades is read in a row that is not counted.
    shade_runs: Vec<(u8, u32)>,
    y: u32,
    /// The number of rows that the current row stands for in the counts of gray colours. It is 0 if the row
    /// is not counted by colour.
    row_weight: u64,
    solid: RowBuilder,
    areas: Vec<RowBuilder>,
    counts: MaskCounts,
    /// The gray and translucent pixels so far; `None` before the first such pixel.
    odd: Option<Box<OddPixels>>,
    /// Counts the pixel sides where a black or white pixel is next to a transparent pixel. `None` if no pixel
    /// can be transparent.
    clear_edge: Option<ClearEdge>,
}

struct ClassRow {
    class: PixelClass,
    /// The pixels of the current row that have the class. Bit `i` of word `w` is the pixel at x = 64 w + i.
    words: Vec<u64>,
    /// False if no pixel of the current row has the class.
    is_used: bool,
}

/// The class of a pixel value, as an index in [`MaskCells::classes`], and the colour or opacity of a gray or
/// translucent pixel.
#[derive(Clone, Copy, Default)]
struct KnownClass {
    class: u32,
    odd: Odd,
    /// The number of a gray pixel's colour in `GrayColors`, from 1. It is 0 for a pixel that is not gray, and
    /// for a colour that is not counted yet.
    color: u8,
}

impl KnownClass {
    /// The class `class`, without a colour to count.
    fn only(class: u32) -> Self {
        Self { class, ..Self::default() }
    }
}

fn finished(cells: RowBuilder, size: UVec2) -> Result<Grid, LoadErrorKind> {
    cells.finish().map_err(|_| LoadErrorKind::NoMemory { cells: pixels(size) })
}

struct NoColor {
    x: usize,
    value: u64,
}

impl<'a> MaskCells<'a> {
    fn new(header: &'a Header, rules: MaskRules<'a>) -> Result<Self, LoadErrorKind> {
        let size = header.size;
        let blank = || {
            let builder = RowBuilder::new(size.x, size.y);
            builder.map_err(|_| LoadErrorKind::NoMemory { cells: pixels(size) })
        };
        let mut areas = Vec::new();
        for _ in &rules.planes.names {
            areas.push(blank()?);
        }
        let pixel_bits = header.channels * usize::from(header.depth);
        let values = match &header.palette {
            Some(palette) => palette.len(),
            None if pixel_bits <= 8 => 1 << pixel_bits,
            None => 1 << HASH_BITS,
        };
        Ok(Self {
            header,
            rules,
            pixel_bits,
            known: vec![None; values],
            classes: Vec::new(),
            words: Vec::new(),
            parts: [KnownClass::default(); MAX_PARTS],
            bits: [0; MAX_PARTS],
            part_count: 0,
            shade_runs: Vec::new(),
            y: 0,
            row_weight: 1,
            solid: blank()?,
            areas,
            counts: MaskCounts::default(),
            odd: None,
            clear_edge: header.may_be_clear().then(ClearEdge::default),
        })
    }

    /// Sorts the pixels of row `y` into classes, and adds them to the cells and the counts. Rows must be
    /// added from top to bottom.
    fn add_row(&mut self, y: u32, row: &[u8]) -> Result<(), MaskFault> {
        for row in self.classes.iter_mut().filter(|row| row.is_used) {
            row.words.fill(0);
            row.is_used = false;
        }
        self.y = y;
        self.row_weight = self.odd.as_ref().map_or(1, |odd| odd.row_weight(y));
        let split = match self.pixel_bits {
            1 if self.known.len() > 1 => self.split_bits(row),
            bits @ 1..8 => self.split_blocks(&unpacked(row, bits), 1),
            bits => self.split_blocks(row, bits / 8),
        };
        split.map_err(|NoColor { x, value }| {
            let colors = self.header.palette.as_ref().map_or(0, Vec::len);
            no_color(x as u32, y, value as u8, colors)
        })?;
        for ClassRow { class, words, .. } in self.classes.iter().filter(|row| row.is_used) {
            let count = words.iter().map(|word| u64::from(word.count_ones())).sum();
            self.counts.add(y, *class, words, count);
            if let Some(edge) = &mut self.clear_edge {
                edge.add(class.kind, words);
            }
            if matches!(class.kind, PixelKind::Gray | PixelKind::Translucent) {
                let odd = self.odd.get_or_insert_default();
                odd.add_row(self.header.size, y, class.kind, words);
            }
            if class.solid {
                self.solid.or_row(y, words);
            }
            for (number, area) in self.areas.iter_mut().enumerate() {
                if class.areas >> number & 1 == 1 {
                    area.or_row(y, words);
                }
            }
        }
        if let Some(edge) = &mut self.clear_edge {
            edge.end_row(&mut self.counts);
        }
        Ok(())
    }

    /// Sorts the pixels of a row with 1-bit samples into classes. The left pixel is in the highest bit of a
    /// byte.
    fn split_bits(&mut self, row: &[u8]) -> Result<(), NoColor> {
        let (whole, rest) = row.as_chunks();
        let mut last = [0; BLOCK / 8];
        last[..rest.len()].copy_from_slice(rest);
        // The value of the left pixel is read first, because its colour or opacity is the first of the row.
        let left = row.first().map_or(0, |byte| u64::from(byte >> 7));
        for value in [left, left ^ 1] {
            let flips = if value == 0 { u64::MAX } else { 0 };
            let word = |bytes: &[u8; BLOCK / 8]| u64::from_be_bytes(*bytes).reverse_bits() ^ flips;
            self.words.clear();
            self.words.extend(whole.iter().chain([&last]).map(word));
            self.words.truncate(self.header.size.x.div_ceil(64) as usize);
            if let Some(word) = self.words.last_mut() {
                *word &= in_last_block(self.header.size.x);
            }
            let Some(first) = self.words.iter().position(|word| *word != 0) else {
                continue;
            };
            let known = self.class_of(value, 0)?;
            if known.odd != Odd::No {
                let count = self.words.iter().map(|word| u64::from(word.count_ones())).sum();
                let x = first * BLOCK + self.words[first].trailing_zeros() as usize;
                self.add_color(known, x, count);
            }
            let row = &mut self.classes[known.class as usize];
            row.is_used = true;
            for (word, added) in row.words.iter_mut().zip(&self.words) {
                *word |= added;
            }
        }
        Ok(())
    }

    /// Sorts the pixels of a row into classes, block by block. A pixel has `pixel_bytes` bytes.
    fn split_blocks(&mut self, row: &[u8], pixel_bytes: usize) -> Result<(), NoColor> {
        let width = self.header.size.x as usize;
        let block_bytes = BLOCK * pixel_bytes;
        let mut before = &row[..0];
        for (at, block) in row[..width * pixel_bytes].chunks(block_bytes).enumerate() {
            if is_equal(before, block) {
                self.add_block(at);
            } else if block.len() == block_bytes {
                self.split_block(block, u64::MAX, at)?;
                before = if self.part_count <= MAX_PARTS { block } else { &row[..0] };
            } else {
                // The padding is white, so a block of shades stays one.
                let mut last = [u8::MAX; BLOCK * 8];
                last[..block.len()].copy_from_slice(block);
                self.split_block(&last[..block_bytes], in_last_block(self.header.size.x), at)?;
            }
        }
        Ok(())
    }

    /// Adds a block of 64 pixels to the classes of its pixels, as word `at` of the current row. Pixels whose
    /// bit in `rest` is 0 are skipped.
    fn split_block(&mut self, block: &[u8], rest: u64, at: usize) -> Result<(), NoColor> {
        self.part_count = 0;
        let has_palette = self.header.palette.is_some();
        let shades = match (self.pixel_bits, self.header.channels) {
            (8, _) if !has_palette => Some(*bytes(block)),
            (24, _) => shades_of_rgb(block),
            // Gray of 16 bits with alpha also has 32 bits, but 2 channels.
            (32, 4) => shades_of_rgba(block),
            _ => None,
        };
        if let Some(shades) = shades {
            if self.row_weight == 0 && self.has_few_runs() {
                self.split_runs(&shades, rest, at);
                return Ok(());
            }
            let pixel_bits = self.pixel_bits;
            return self.split_values(&shades, |it| value_of_shade(it, pixel_bits), rest, at);
        }
        match self.pixel_bits {
            ..=8 => self.split_values(bytes(block), u64::from, rest, at),
            16 => self.split_values(&colors::<2>(block), u64::from, rest, at),
            24 => self.split_values(&colors::<3>(block), u64::from, rest, at),
            32 => self.split_values(&colors::<4>(block), u64::from, rest, at),
            48 => self.split_values(&wide_colors::<6>(block), |color| color, rest, at),
            _ => self.split_values(&wide_colors::<8>(block), |color| color, rest, at),
        }
    }

    /// Adds the pixels of a block, value by value. `value` returns the value of a pixel.
    #[inline]
    fn split_values<V: Copy + PartialEq>(
        &mut self,
        pixels: &[V; BLOCK],
        value: impl Fn(V) -> u64,
        mut rest: u64,
        at: usize,
    ) -> Result<(), NoColor> {
        while rest != 0 && self.part_count < MAX_PARTS {
            let x = rest.trailing_zeros() as usize;
            let known = self.class_of(value(pixels[x]), at * BLOCK + x)?;
            let bits = which(pixels, |pixel| pixel == pixels[x]) & rest;
            self.add_part(at, known, bits);
            rest ^= bits;
        }
        if rest == 0 {
            return Ok(());
        }
        // The remaining pixels, as in noise, soft edges and paintings, are read one by one. Their colours are
        // counted here, so the block cannot be reused. Consecutive pixels mostly have the same class, so
        // their bits are added together.
        self.part_count = MAX_PARTS + 1;
        let (mut class, mut bits) = (0, 0);
        while rest != 0 {
            let x = rest.trailing_zeros() as usize;
            let known = self.class_of(value(pixels[x]), at * BLOCK + x)?;
            self.add_color(known, at * BLOCK + x, 1);
            if known.class != class && bits != 0 {
                self.add(at, KnownClass::only(class), bits);
                bits = 0;
            }
            class = known.class;
            bits |= 1 << x;
            rest &= rest - 1;
        }
        self.add(at, KnownClass::only(class), bits);
        Ok(())
    }

    /// True if the shades have at most [`MAX_THRESHOLDS`] thresholds, so that comparing a block with them is
    /// fast.
    fn has_few_runs(&mut self) -> bool {
        if self.shade_runs.is_empty() {
            self.shade_runs = self.runs_of_shades();
        }
        self.shade_runs.len() <= MAX_THRESHOLDS + 1
    }

    /// Adds the pixels of a block of shades, run by run, without their colours.
    fn split_runs(&mut self, shades: &[u8; BLOCK], mut rest: u64, at: usize) {
        for index in 0..self.shade_runs.len() {
            let (last, class) = self.shade_runs[index];
            let bits = match last {
                u8::MAX => rest,
                _ => rest & which(shades, |shade| shade <= last),
            };
            if bits != 0 {
                self.add_part(at, KnownClass::only(class), bits);
                rest ^= bits;
            }
        }
    }

    /// Returns [`Self::shade_runs`].
    #[cold]
    fn runs_of_shades(&mut self) -> Vec<(u8, u32)> {
        let mut runs: Vec<(u8, u32)> = Vec::new();
        for shade in 0..=u8::MAX {
            let class = self.classify(value_of_shade(shade, self.pixel_bits)).class;
            match runs.last_mut() {
                Some((last, before)) if *before == class => *last = shade,
                _ => runs.push((shade, class)),
            }
        }
        runs
    }

    /// Adds a block of 64 pixels that equals the last block, as word `at` of the current row, without reading
    /// its pixels again. The last block must have at most [`MAX_PARTS`] parts.
    fn add_block(&mut self, at: usize) {
        for index in 0..self.part_count {
            self.add(at, self.parts[index], self.bits[index]);
        }
    }

    /// Adds a part of a block, as [`Self::add`] does, and keeps it for [`Self::add_block`] if there is room.
    // This attribute stands on four functions, down to `class_of`. Without it, noisy gray takes 1.10 times as
    // many instructions to load, and soft edges 1.05 times.
    #[inline(always)]
    fn add_part(&mut self, at: usize, known: KnownClass, bits: u64) {
        if self.part_count < MAX_PARTS {
            (self.parts[self.part_count], self.bits[self.part_count]) = (known, bits);
        }
        self.part_count += 1;
        self.add(at, known, bits);
    }

    /// Adds the pixels `bits` of word `at` to the class `known`. Counts their colour, unless `known` has
    /// none.
    #[inline(always)]
    fn add(&mut self, at: usize, known: KnownClass, bits: u64) {
        let row = &mut self.classes[known.class as usize];
        row.words[at] |= bits;
        row.is_used = true;
        let x = at * BLOCK + bits.trailing_zeros() as usize;
        self.add_color(known, x, bits.count_ones().into());
    }

    /// Counts `count` pixels of one gray colour, in a row that is counted. Keeps the alpha of the first
    /// translucent pixel, in any row. Ignores other pixels. The first of the pixels is in column `x`.
    #[inline(always)]
    fn add_color(&mut self, known: KnownClass, x: usize, count: u64) {
        let is_translucent = matches!(known.odd, Odd::Translucent(_));
        if known.odd != Odd::No && (self.row_weight > 0 || is_translucent) {
            let first = UVec2::new(x as u32, self.y);
            let odd = self.odd.get_or_insert_default();
            odd.add_color(known.odd, known.color, count * self.row_weight, first);
        }
    }

    /// Returns the class of a pixel value. Fails for a value that is not in the palette. `x` is the column of
    /// the pixel.
    #[inline(always)]
    fn class_of(&mut self, value: u64, x: usize) -> Result<KnownClass, NoColor> {
        let place = match self.pixel_bits {
            ..=8 => value as usize,
            _ => (value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS)) as usize,
        };
        // A gray colour has no number if it was met only in rows that are not counted.
        let is_complete = |known: &KnownClass| {
            known.color != 0 || self.row_weight == 0 || !matches!(known.odd, Odd::Gray(_))
        };
        match self.known.get(place).ok_or(NoColor { x, value })? {
            Some((met, known)) if *met == value && is_complete(known) => Ok(*known),
            _ => Ok(self.learn(place, value)),
        }
    }

    /// Finds the class of a pixel value, and stores it at `place` of the table.
    #[cold]
    fn learn(&mut self, place: usize, value: u64) -> KnownClass {
        let mut known = self.classify(value);
        if let Odd::Gray(rgb) = known.odd
            && self.row_weight > 0
        {
            known.color = self.odd.get_or_insert_default().colors.number(rgb);
        }
        self.known[place] = Some((value, known));
        known
    }

    fn classify(&mut self, value: u64) -> KnownClass {
        let pixel = pixel_of(self.header, value);
        let class = self.rules.classify(&pixel);
        let known = self.classes.iter().position(|row| row.class == class);
        let number = known.unwrap_or_else(|| {
            let words = vec![0; self.header.size.x.div_ceil(64) as usize];
            self.classes.push(ClassRow { class, words, is_used: false });
            self.classes.len() - 1
        });
        KnownClass { class: number as u32, odd: Odd::new(class, &pixel), color: 0 }
    }
}

/// Returns the pixel with the value `value`: an index into the palette, or the bytes of the pixel's samples,
/// the first in the lowest bits.
fn pixel_of(header: &Header, value: u64) -> Pixel {
    let color = header.palette.as_ref().and_then(|palette| palette.get(value as usize));
    if let Some([red, green, blue, alpha]) = color.map(|color| color.map(u32::from)) {
        return Pixel { rgb: [red, green, blue], alpha, max: 255 };
    }
    let bytes = value.to_le_bytes();
    let sample = |index: usize| match header.depth {
        16 => u32::from(u16::from_be_bytes([bytes[2 * index], bytes[2 * index + 1]])),
        _ => u32::from(bytes[index]),
    };
    let max = (1 << header.depth) - 1;
    let (rgb, alpha) = match header.channels {
        1 => ([sample(0); 3], None),
        2 => ([sample(0); 3], Some(sample(1))),
        3 => ([sample(0), sample(1), sample(2)], None),
        _ => ([sample(0), sample(1), sample(2)], Some(sample(3))),
    };
    let by_key = if header.key == Some(rgb) { 0 } else { max };
    Pixel { rgb, alpha: alpha.unwrap_or(by_key), max }
}

/// Returns a word with a set bit for each pixel of a row's last 64-pixel block. The row is `width` pixels
/// wide.
fn in_last_block(width: u32) -> u64 {
    u64::MAX >> (width.wrapping_neg() % u64::BITS)
}

/// Tests each of 64 pixels. Bit `i` of the result is 1 if `test` is true for pixel `i`.
#[inline]
fn which<V: Copy>(pixels: &[V; BLOCK], test: impl Fn(V) -> bool) -> u64 {
    // Each of the 64 bytes of `flags` has one bit that is 1 if the test of its pixel is true. Groups of eight
    // pixels use different bits of a byte, so no word must be shifted before it is combined with the others.
    // The words are combined by halves of a vector. Otherwise, the compiler extracts each word separately.
    let mut flags = [0; BLOCK];
    for (place, (flag, pixel)) in flags.iter_mut().zip(pixels).enumerate() {
        *flag = if test(*pixel) { 1 << (place / 8) } else { 0 };
    }
    let mut halves = [0; 2];
    for words in flags.as_chunks::<16>().0 {
        for (half, word) in halves.iter_mut().zip(words.as_chunks().0) {
            *half |= u64::from_le_bytes(*word);
        }
    }
    let [even, odd] = halves;
    // Bit `i` of byte `j` is 1 if `test` is true for pixel `8 i + j`. The next steps transpose this square of
    // 8 x 8 bits: first squares of 1 bit, then of 2, then of 4.
    let bits = swapped(even | odd, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swapped(bits, 0x0000_cccc_0000_cccc, 14);
    swapped(bits, 0xf0f0_f0f0, 28)
}

/// Swaps each of the bits `ones` with the bit that is `by` places higher.
#[inline]
fn swapped(bits: u64, ones: u64, by: u32) -> u64 {
    let differ = (bits >> by ^ bits) & ones;
    bits ^ differ ^ differ << by
}

/// Returns the values of the pixels in a row with 1, 2 or 4 bits per pixel. The left pixel is in the highest
/// bits of a byte.
fn unpacked(row: &[u8], pixel_bits: usize) -> Vec<u8> {
    let mut values = Vec::with_capacity(row.len() * 8 / pixel_bits);
    for byte in row {
        for place in 1..=8 / pixel_bits {
            values.push((byte >> (8 - place * pixel_bits)) & (u8::MAX >> (8 - pixel_bits)));
        }
    }
    values
}

fn bytes(block: &[u8]) -> &[u8; BLOCK] {
    block.first_chunk().unwrap_or(&[0; BLOCK])
}

/// Returns the value of a pixel whose red, green and blue are `shade`. With an alpha channel, the pixel is
/// opaque.
fn value_of_shade(shade: u8, pixel_bits: usize) -> u64 {
    let rgb = u64::from(shade) * 0x01_01_01;
    match pixel_bits {
        8 => shade.into(),
        24 => rgb,
        _ => rgb | 0xff00_0000,
    }
}

/// Returns the shades of 64 pixels with 3 bytes each: red, green and blue. Returns `None` if red, green and
/// blue differ in one of the pixels.
#[inline]
fn shades_of_rgb(block: &[u8]) -> Option<[u8; BLOCK]> {
    /// The bytes that are red in the three words of eight pixels.
    const RED: [u64; 3] = [0x00ff_0000_ff00_00ff, 0xff00_00ff_0000_ff00, 0x0000_ff00_00ff_0000];
    // Pixel by pixel, a plain RGB mask takes 1.21 times as many instructions to load. With a length that is
    // known to the compiler, the loop needs no checks.
    let words: &[[[u8; 8]; 3]; 8] = block.as_chunks().0.as_chunks().0.first_chunk()?;
    let (mut shades, mut differ) = ([0; BLOCK], 0);
    for (shades, words) in shades.as_chunks_mut().0.iter_mut().zip(words) {
        let [a, b, c] = words.map(u64::from_le_bytes);
        // Each red byte is compared with the green byte after it, and each green byte with the blue byte.
        differ |= (a ^ (a >> 8 | b << 56)) & (RED[0] | RED[0] << 8);
        differ |= (b ^ (b >> 8 | c << 56)) & (RED[1] | RED[1] << 8);
        differ |= (c ^ c >> 8) & (RED[2] | RED[2] << 8 | 0xff);
        // The byte of pixel `i` is at `3 i % 8`: bytes 1 and 3, 5 and 7, 2 and 6 change places.
        let red = a & RED[0] | b & RED[1] | c & RED[2];
        let red = swapped(swapped(red, 0x0000_ff00_0000_ff00, 16), 0x00ff_0000, 32);
        *shades = red.to_le_bytes();
    }
    (differ == 0).then_some(shades)
}

/// Returns the shades of 64 pixels with 4 bytes each: red, green, blue and alpha. Returns `None` if red,
/// green and blue differ in one of the pixels, or if one is not opaque.
#[inline]
fn shades_of_rgba(block: &[u8]) -> Option<[u8; BLOCK]> {
    let pixels: &[[u8; 4]; BLOCK] = block.as_chunks().0.first_chunk()?;
    let (mut shades, mut differ) = ([0; BLOCK], 0);
    for (shade, pixel) in shades.iter_mut().zip(pixels) {
        let pixel = u32::from_le_bytes(*pixel);
        *shade = pixel as u8;
        differ |= (pixel ^ pixel >> 8) & 0xffff | !pixel & 0xff00_0000;
    }
    (differ == 0).then_some(shades)
}

/// Returns the values of 64 pixels with `BYTES` bytes each, at most 4.
fn colors<const BYTES: usize>(block: &[u8]) -> [u32; BLOCK] {
    let mut colors = [0; BLOCK];
    for (color, pixel) in colors.iter_mut().zip(block.as_chunks::<BYTES>().0) {
        let mut bytes = [0; 4];
        bytes[..BYTES].copy_from_slice(pixel);
        *color = u32::from_le_bytes(bytes);
    }
    colors
}

/// Returns the values of 64 pixels with `BYTES` bytes each: 6 or 8.
fn wide_colors<const BYTES: usize>(block: &[u8]) -> [u64; BLOCK] {
    let mut colors = [0; BLOCK];
    for (color, pixel) in colors.iter_mut().zip(block.as_chunks::<BYTES>().0) {
        let mut bytes = [0; 8];
        bytes[..BYTES].copy_from_slice(pixel);
        *color = u64::from_le_bytes(bytes);
    }
    colors
}

/// True if two blocks are equal. The length of a block must be a multiple of 64 bytes. A few vector
/// instructions are faster than `==`, which calls `memcmp`.
#[inline]
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    // Most unequal blocks differ in their first or last byte.
    let is_candidate = a.len() == b.len() && a.first() == b.first() && a.last() == b.last();
    let pairs = || a.as_chunks::<BLOCK>().0.iter().zip(b.as_chunks::<BLOCK>().0);
    is_candidate && pairs().all(|(a, b)| a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_a_test_of_64_pixels_agree_with_a_naive_loop() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let pixels: [u32; BLOCK] = std::array::from_fn(|_| rng.u32(0..6));
            let naive = (0..BLOCK).fold(0, |bits, x| bits | u64::from(pixels[x] < 3) << x);
            assert_eq!(which(&pixels, |pixel| pixel < 3), naive);
        }
    }

    #[test]
    fn a_block_has_shades_only_if_its_samples_are_equal_and_its_pixels_opaque() {
        let mut rng = fastrand::Rng::with_seed(12);
        for _ in 0..50 {
            let shades: [u8; BLOCK] = std::array::from_fn(|_| rng.u8(..));
            let mut rgb: [u8; 3 * BLOCK] = std::array::from_fn(|at| shades[at / 3]);
            let opaque = |at: usize| if at % 4 == 3 { 255 } else { shades[at / 4] };
            let mut rgba: [u8; 4 * BLOCK] = std::array::from_fn(opaque);
            assert_eq!(shades_of_rgb(&rgb), Some(shades));
            assert_eq!(shades_of_rgba(&rgba), Some(shades));
            // One bit of any sample makes a difference.
            for at in 0..rgb.len() {
                rgb[at] ^= 1 << rng.u8(0..8);
                assert_eq!(shades_of_rgb(&rgb), None, "byte {at}");
                rgb[at] = shades[at / 3];
            }
            for at in 0..rgba.len() {
                rgba[at] ^= 1 << rng.u8(0..8);
                assert_eq!(shades_of_rgba(&rgba), None, "byte {at}");
                rgba[at] = opaque(at);
            }
        }
    }
}
