//! Decodes a mask picture into the cells of a level and of its areas, and counts its pixels by kind.
//!
//! The pixels of a row are sorted into classes, such as solid or passable. Each class has a row of bits, with
//! a set bit for each of its pixels. A row of 1-bit pixels already consists of such bits. Other rows are read
//! in blocks of 64 pixels:
//!
//! * Most blocks equal the block before, so its result is reused.
//! * In any other block, up to [`MAX_VALUES`] different pixel values are compared with all 64 pixels at once.
//!   That is enough for black and white.
//! * The classes of the remaining pixels, as in noise, soft edges and paintings, are looked up one by one:
//!   the class of a byte in a table, and the class of a colour in a small cache.
//!
//! Without a rule of the caller, the counts decide after the last row how the mask is read: see
//! [`super::super::reading`]. A mask that needs another rule than the default is decoded once more. A mask in
//! opaque black and white is not.

use std::io::SeekFrom;

use super::planes::MaskPlanes;
use super::{Header, MaskPicture, PictureFile, at_pixel, io_fault, pixels, png};
use crate::error::{FileFault, LoadErrorKind};
use crate::grid::{Grid, RowBuilder};
use crate::mask::reading::{self, BLACK, MaskCounts, MaskSource};
use crate::options::LoadOptions;
use crate::rules::MaskRule;
use crate::rules::mask::Pixel;

#[derive(Debug)]
pub(crate) struct Mask {
    pub(crate) solid: Grid,
    /// The name and pixels of each area, in the order of the [`MaskPlane`](crate::rules::MaskPlane)s that
    /// name them first.
    pub(crate) areas: Vec<(String, Grid)>,
    pub(crate) source: MaskSource,
}

/// Decodes a PNG. Reads the file from its current position to the end of the default image.
pub(crate) fn decode(
    file: &mut dyn PictureFile,
    options: &LoadOptions,
) -> Result<Mask, Box<FileFault>> {
    if let Some(rule) = &options.mask_rule {
        return decode_by(rule, file, options);
    }
    let start = file.stream_position().map_err(io_fault)?;
    let usual = MaskRule::default();
    let mask = decode_by(&usual, file, options)?;
    let rule = reading::rule_of(&mask.source.counts);
    if rule == usual {
        return Ok(mask);
    }
    // Its memory is free before the cells are made again.
    drop(mask);
    file.seek(SeekFrom::Start(start)).map_err(io_fault)?;
    decode_by(&rule, file, options)
}

fn decode_by(
    rule: &MaskRule,
    file: &mut dyn PictureFile,
    options: &LoadOptions,
) -> Result<Mask, Box<FileFault>> {
    let MaskPicture { header, mut rows } = png::open(file, &options.limits)?;
    let planes = MaskPlanes::new(&options.planes)?;
    let mut cells = MaskCells::new(&header, rule, &planes)?;
    for y in 0..header.size.y {
        cells.add_row(y, rows.read(y)?)?;
    }
    rows.finish()?;
    let mut areas = Vec::new();
    for (name, cells) in planes.names.iter().zip(cells.areas) {
        areas.push(((*name).to_owned(), finished(cells, &header)?));
    }
    let solid = finished(cells.solid, &header)?;
    let source = MaskSource {
        name: String::new(),
        rule: rule.clone(),
        planes: options.planes.clone(),
        counts: cells.counts,
        format: header.format.clone(),
        animated: header.animated,
    };
    Ok(Mask { areas, solid, source })
}

/// The common properties of all pixels of a class. There are few classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PixelClass {
    kind: PixelKind,
    solid: bool,
    /// The areas that contain the pixel. The bit of an area is at the area's number: see
    /// [`Belongs::areas`](super::planes::Belongs::areas).
    areas: u32,
}

/// The kinds of pixels that [`MaskCounts`] counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PixelKind {
    Black,
    White,
    /// The pixel is opaque, and a [`MaskPlane`](crate::rules::MaskPlane) has its colour.
    Plane,
    /// The pixel is opaque and in any other colour.
    Gray,
    /// The pixel is opaque, and its colour is vivid.
    Vivid,
    /// The pixel is neither opaque nor fully transparent.
    Translucent,
    Transparent,
    /// The pixel is fully transparent, and its colour is black for [`BLACK`].
    HiddenBlack,
}

impl PixelKind {
    fn new(pixel: &Pixel, is_in_plane: bool) -> Self {
        if pixel.alpha == 0 && BLACK.is_solid(pixel) {
            Self::HiddenBlack
        } else if pixel.alpha == 0 {
            Self::Transparent
        } else if pixel.alpha < pixel.max {
            Self::Translucent
        } else if is_in_plane {
            Self::Plane
        } else if pixel.rgb == [0; 3] {
            Self::Black
        } else if pixel.rgb == [pixel.max; 3] {
            Self::White
        } else if pixel.is_vivid() {
            Self::Vivid
        } else {
            Self::Gray
        }
    }
}

/// The number of adjacent pixels of a row that are classified together: one for each bit of a `u64`.
const BLOCK: usize = 64;

/// The largest number of pixel values that are compared with all pixels of a block at once.
const MAX_VALUES: usize = 2;

/// The largest number of parts of a block that are kept to reuse the block.
const MAX_PARTS: usize = 4;

/// The number of classes whose pixels of a block are collected before they are added. Few masks have more.
const FEW_CLASSES: usize = 8;

/// The number of bits of a colour's hash. The cache of classes has one entry for each hash. With 8 bits
/// instead of 10, loading a painting takes 1.12 times as many instructions.
const HASH_BITS: u32 = 10;

/// Stands for a class that is not known yet.
const UNKNOWN: u32 = u32::MAX;

/// The state of a decode: the cells of the level and of its areas so far, and the counts of pixels.
struct MaskCells<'a> {
    header: &'a Header,
    rule: &'a MaskRule,
    planes: &'a MaskPlanes<'a>,
    /// The number of bits of a pixel: its samples times the bits of a sample.
    pixel_bits: usize,
    /// For each byte: the class of the pixel value that it stands for, as an index in [`Self::classes`], or
    /// [`UNKNOWN`]. A byte stands for the value of a pixel, or for the shade of a pixel of more than 8 bits.
    of_bytes: [u32; 256],
    /// For pixels of more than 8 bits: a table of classes by a hash of the pixel value. An entry has the
    /// latest value with this hash.
    of_colors: Vec<Option<(u64, u32)>>,
    /// The pixels of the current row, by class.
    classes: Vec<ClassRow>,
    /// A buffer for [`Self::split_bits`]: the pixels of the current row that have one of the two values, as
    /// bits.
    words: Vec<u64>,
    /// The classes of the parts of the last block that [`Self::split_block`] read. A part is the pixels with
    /// one value or one class.
    parts: [u32; MAX_PARTS],
    /// For each class in `parts`: its pixels in this block, as bits. The bits are in a separate array: pairs
    /// of class and bits would be written in halves and read whole, which stalls a processor.
    bits: [u64; MAX_PARTS],
    /// The number of parts of this block. It is larger than [`MAX_PARTS`] if the block cannot be reused.
    part_count: usize,
    solid: RowBuilder,
    areas: Vec<RowBuilder>,
    counts: MaskCounts,
}

struct ClassRow {
    class: PixelClass,
    /// The pixels of the current row that have the class. Bit `i` of word `w` is the pixel at x = 64 w + i.
    words: Vec<u64>,
    /// False if no pixel of the current row has the class.
    is_used: bool,
}

/// A pixel whose value is not in the palette.
struct NoColor {
    x: usize,
    value: u8,
}

impl<'a> MaskCells<'a> {
    fn new(
        header: &'a Header,
        rule: &'a MaskRule,
        planes: &'a MaskPlanes<'a>,
    ) -> Result<Self, LoadErrorKind> {
        let pixel_bits = header.channels * usize::from(header.depth);
        let hashes = if pixel_bits > 8 { 1 << HASH_BITS } else { 0 };
        let mut areas = Vec::new();
        for _ in &planes.names {
            areas.push(blank(header)?);
        }
        Ok(Self {
            header,
            rule,
            planes,
            pixel_bits,
            of_bytes: [UNKNOWN; 256],
            of_colors: vec![None; hashes],
            classes: Vec::new(),
            words: Vec::new(),
            parts: [0; MAX_PARTS],
            bits: [0; MAX_PARTS],
            part_count: 0,
            solid: blank(header)?,
            areas,
            counts: MaskCounts::default(),
        })
    }

    /// Sorts the pixels of row `y` into classes, and adds them to the cells and the counts. Rows must be
    /// added from top to bottom.
    fn add_row(&mut self, y: u32, row: &[u8]) -> Result<(), Box<FileFault>> {
        for row in self.classes.iter_mut().filter(|row| row.is_used) {
            row.words.fill(0);
            row.is_used = false;
        }
        let split = match self.pixel_bits {
            1 => self.split_bits(row),
            bits @ 1..8 => self.split_blocks(&unpacked(row, bits), 1),
            bits => self.split_blocks(row, bits / 8),
        };
        split.map_err(|NoColor { x, value }| {
            let colors = self.header.palette.as_ref().map_or(0, Vec::len);
            let reason =
                format!("the pixel has the value {value}, but the palette only {colors} colours");
            at_pixel(x as u32, y, reason)
        })?;
        for ClassRow { class, words, .. } in self.classes.iter().filter(|row| row.is_used) {
            let count: u64 = words.iter().map(|word| u64::from(word.count_ones())).sum();
            *match class.kind {
                PixelKind::Black => &mut self.counts.black,
                PixelKind::White => &mut self.counts.white,
                PixelKind::Plane => &mut self.counts.in_planes,
                PixelKind::Gray | PixelKind::Vivid => &mut self.counts.gray,
                PixelKind::Translucent => &mut self.counts.translucent,
                PixelKind::Transparent | PixelKind::HiddenBlack => &mut self.counts.transparent,
            } += count;
            match class.kind {
                PixelKind::Vivid => self.counts.vivid += count,
                PixelKind::HiddenBlack => self.counts.hidden_black += count,
                _ => {}
            }
            if class.solid {
                self.counts.solid += count;
                self.solid.or_row(y, words);
            }
            for (number, area) in self.areas.iter_mut().enumerate() {
                if class.areas >> number & 1 == 1 {
                    area.or_row(y, words);
                }
            }
        }
        Ok(())
    }

    /// Sorts the pixels of a row with 1-bit samples into classes. The left pixel is in the highest bit of a
    /// byte.
    fn split_bits(&mut self, row: &[u8]) -> Result<(), NoColor> {
        let (whole, rest) = row.as_chunks();
        let mut last = [0; BLOCK / 8];
        last[..rest.len()].copy_from_slice(rest);
        for value in 0..2u8 {
            let flips = if value == 0 { u64::MAX } else { 0 };
            self.words.clear();
            for bytes in whole.iter().chain([&last]) {
                self.words.push(u64::from_be_bytes(*bytes).reverse_bits() ^ flips);
            }
            self.words.truncate(self.header.row_words());
            if let Some(word) = self.words.last_mut() {
                *word &= in_last_block(self.header.size.x);
            }
            let Some(first) = self.words.iter().position(|word| *word != 0) else {
                continue;
            };
            let x = first * BLOCK + self.words[first].trailing_zeros() as usize;
            let class = self.class_of_byte(value, x)?;
            let row = &mut self.classes[class as usize];
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
                for index in 0..self.part_count {
                    self.add(at, self.parts[index], self.bits[index]);
                }
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
        match (self.pixel_bits, self.header.channels) {
            (..=8, _) => self.split_values(bytes(block), Self::class_of_byte, rest, at),
            (16, _) => self.split_values(&colors::<2>(block), Self::class_of_color, rest, at),
            (24, _) => match shades_of_rgb(block) {
                Some(shades) => self.split_values(&shades, Self::class_of_byte, rest, at),
                None => self.split_values(&colors::<3>(block), Self::class_of_color, rest, at),
            },
            // Gray of 16 bits with alpha also has 32 bits, but 2 channels.
            (32, 4) => match shades_of_rgba(block) {
                Some(shades) => self.split_values(&shades, Self::class_of_byte, rest, at),
                None => self.split_values(&colors::<4>(block), Self::class_of_color, rest, at),
            },
            (32, _) => self.split_values(&colors::<4>(block), Self::class_of_color, rest, at),
            (48, _) => self.split_values(&wide_colors::<6>(block), Self::class_of_color, rest, at),
            _ => self.split_values(&wide_colors::<8>(block), Self::class_of_color, rest, at),
        }
    }

    /// Adds the pixels of a block, part by part. `class_of` returns the class of a pixel in a column.
    ///
    /// It is inlined for each kind of pixels: called, it saves and restores registers for each block, and a
    /// mask of gray bytes takes 1.04 times as many instructions to load.
    #[inline(always)]
    fn split_values<V: Copy + PartialEq>(
        &mut self,
        pixels: &[V; BLOCK],
        class_of: impl Fn(&mut Self, V, usize) -> Result<u32, NoColor>,
        mut rest: u64,
        at: usize,
    ) -> Result<(), NoColor> {
        self.part_count = 0;
        while rest != 0 && self.part_count < MAX_VALUES {
            let x = rest.trailing_zeros() as usize;
            let class = class_of(self, pixels[x], at * BLOCK + x)?;
            let bits = which(pixels, pixels[x]) & rest;
            self.add_part(at, class, bits);
            rest ^= bits;
        }
        if rest == 0 {
            return Ok(());
        }
        let mut bits_by_class = [0; FEW_CLASSES];
        while rest != 0 {
            let x = rest.trailing_zeros() as usize;
            let class = class_of(self, pixels[x], at * BLOCK + x)?;
            match bits_by_class.get_mut(class as usize) {
                Some(bits) => *bits |= 1 << x,
                None => {
                    self.part_count = MAX_PARTS + 1;
                    self.add(at, class, 1 << x);
                }
            }
            rest &= rest - 1;
        }
        for (class, bits) in (0..).zip(bits_by_class).filter(|(_, bits)| *bits != 0) {
            self.add_part(at, class, bits);
        }
        Ok(())
    }

    /// Adds a part of a block, as [`Self::add`] does, and keeps it for a block that is equal, if there is
    /// room.
    #[inline]
    fn add_part(&mut self, at: usize, class: u32, bits: u64) {
        if self.part_count < MAX_PARTS {
            self.parts[self.part_count] = class;
            self.bits[self.part_count] = bits;
        }
        self.part_count += 1;
        self.add(at, class, bits);
    }

    /// Adds the pixels `bits` of word `at` to a class.
    #[inline]
    fn add(&mut self, at: usize, class: u32, bits: u64) {
        let row = &mut self.classes[class as usize];
        row.words[at] |= bits;
        row.is_used = true;
    }

    /// Returns the class of the pixels that `byte` stands for. Fails for a value that is not in the palette.
    /// `x` is the column of the pixel.
    #[inline]
    fn class_of_byte(&mut self, byte: u8, x: usize) -> Result<u32, NoColor> {
        match self.of_bytes[usize::from(byte)] {
            UNKNOWN => self.learn_byte(byte, x),
            class => Ok(class),
        }
    }

    #[cold]
    fn learn_byte(&mut self, byte: u8, x: usize) -> Result<u32, NoColor> {
        let palette = self.header.palette.as_ref();
        if palette.is_some_and(|palette| usize::from(byte) >= palette.len()) {
            return Err(NoColor { x, value: byte });
        }
        // For a pixel of more than 8 bits, the byte is the shade of an opaque pixel.
        let value = match self.pixel_bits {
            24 => u64::from(byte) * 0x01_01_01,
            32 => (u64::from(byte) * 0x01_01_01) | 0xff00_0000,
            _ => u64::from(byte),
        };
        let class = self.classify(value);
        self.of_bytes[usize::from(byte)] = class;
        Ok(class)
    }

    /// Returns the class of a pixel value of more than 8 bits. It does not fail.
    #[inline]
    fn class_of_color(&mut self, value: impl Into<u64>, _: usize) -> Result<u32, NoColor> {
        let value = value.into();
        let hash = value.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - HASH_BITS);
        match self.of_colors[hash as usize] {
            Some((met, class)) if met == value => Ok(class),
            _ => {
                let class = self.classify(value);
                self.of_colors[hash as usize] = Some((value, class));
                Ok(class)
            }
        }
    }

    /// Finds the class of a pixel value.
    #[cold]
    fn classify(&mut self, value: u64) -> u32 {
        let pixel = pixel_of(self.header, value);
        let own = self.planes.belongs(&pixel);
        let class = PixelClass {
            kind: PixelKind::new(&pixel, own.is_some()),
            solid: own.map_or_else(|| self.rule.is_solid(&pixel), |own| own.solid),
            areas: own.map_or(0, |own| own.areas),
        };
        let known = self.classes.iter().position(|row| row.class == class);
        let number = known.unwrap_or(self.classes.len());
        if number == self.classes.len() {
            let words = vec![0; self.header.row_words()];
            self.classes.push(ClassRow { class, words, is_used: false });
        }
        number as u32
    }
}

/// Returns a builder of a grid for all pixels of a picture. Fails if the memory does not suffice.
fn blank(header: &Header) -> Result<RowBuilder, LoadErrorKind> {
    RowBuilder::new(header.size.x, header.size.y)
        .map_err(|_| LoadErrorKind::NoMemory { cells: pixels(header.size) })
}

/// Returns the grid of a builder. Fails if it is long and narrow, and its blocks are too many.
fn finished(cells: RowBuilder, header: &Header) -> Result<Grid, LoadErrorKind> {
    cells.finish().map_err(|_| LoadErrorKind::NoMemory { cells: pixels(header.size) })
}

/// Returns the pixel with the value `value`: an index into the palette, or the bytes of the pixel's samples,
/// the first in the lowest bits.
fn pixel_of(header: &Header, value: u64) -> Pixel {
    let color = header.palette.as_ref().and_then(|palette| palette.get(value as usize));
    if let Some([red, green, blue, alpha]) = color.map(|color| color.map(u32::from)) {
        return Pixel { rgb: [red, green, blue], alpha, max: 255 };
    }
    let bytes = value.to_le_bytes();
    let samples = match header.depth {
        16 => [0, 2, 4, 6].map(|at| u32::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))),
        _ => [0, 1, 2, 3].map(|at| u32::from(bytes[at])),
    };
    let max = (1 << header.depth) - 1;
    let [first, second, third, fourth] = samples;
    let (rgb, alpha) = match header.channels {
        1 => ([first; 3], None),
        2 => ([first; 3], Some(second)),
        3 => ([first, second, third], None),
        _ => ([first, second, third], Some(fourth)),
    };
    let by_key = if header.key == Some(rgb) { 0 } else { max };
    Pixel { rgb, alpha: alpha.unwrap_or(by_key), max }
}

/// Returns a word with a set bit for each pixel of a row's last 64-pixel block. The row is `width` pixels
/// wide.
fn in_last_block(width: u32) -> u64 {
    u64::MAX >> (width.wrapping_neg() % u64::BITS)
}

/// Compares each of 64 pixels with `wanted`. Bit `i` of the result is 1 if pixel `i` is equal.
#[inline]
fn which<V: Copy + PartialEq>(pixels: &[V; BLOCK], wanted: V) -> u64 {
    // Each of the 64 bytes of `flags` has one bit that is 1 if its pixel is equal. Groups of eight pixels use
    // different bits of a byte, so no word must be shifted before it is combined with the others.
    // The words are combined by halves of a vector. Otherwise, the compiler extracts each word separately.
    let mut flags = [0; BLOCK];
    for (place, (flag, pixel)) in flags.iter_mut().zip(pixels).enumerate() {
        *flag = if *pixel == wanted { 1 << (place / 8) } else { 0 };
    }
    let mut halves = [0; 2];
    for words in flags.as_chunks::<16>().0 {
        for (half, word) in halves.iter_mut().zip(words.as_chunks().0) {
            *half |= u64::from_le_bytes(*word);
        }
    }
    let [even, odd] = halves;
    // Bit `i` of byte `j` is 1 if pixel `8 i + j` is equal. The next steps transpose this square of
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

/// Returns the shades of 64 pixels with 3 bytes each: red, green and blue. Returns `None` if red, green and
/// blue differ in one of the pixels.
#[inline]
fn shades_of_rgb(block: &[u8]) -> Option<[u8; BLOCK]> {
    /// For each byte but the last: 255 if the next byte is of the same pixel, or else 0.
    const IN_PIXEL: [[u8; 3]; BLOCK] = [[255, 255, 0]; BLOCK];
    let bytes: &[u8; 3 * BLOCK] = block.first_chunk()?;
    // In a painting, the first pixel mostly tells.
    let [red, green, blue, ..] = bytes;
    if red != green || green != blue {
        return None;
    }
    let mut differ = 0;
    for ((byte, next), in_pixel) in bytes.iter().zip(&bytes[1..]).zip(IN_PIXEL.as_flattened()) {
        differ |= (byte ^ next) & in_pixel;
    }
    let mut shades = [0; BLOCK];
    for (shade, [red, ..]) in shades.iter_mut().zip(bytes.as_chunks::<3>().0) {
        *shade = *red;
    }
    (differ == 0).then_some(shades)
}

/// Returns the shades of 64 pixels with 4 bytes each: red, green, blue and alpha. Returns `None` if red,
/// green and blue differ in one of the pixels, or if one is not opaque.
#[inline]
fn shades_of_rgba(block: &[u8]) -> Option<[u8; BLOCK]> {
    let pixels: &[[u8; 4]; BLOCK] = block.as_chunks().0.first_chunk()?;
    let mut shades = [0; BLOCK];
    let mut differ = 0;
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
    if a.len() != b.len() || a.first() != b.first() || a.last() != b.last() {
        return false;
    }
    let mut pairs = a.as_chunks::<BLOCK>().0.iter().zip(b.as_chunks::<BLOCK>().0);
    pairs.all(|(a, b)| a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_pixel_is_exact_at_every_bit_depth() {
        for max in [1, 3, 15, 255, 65_535] {
            for (value, alpha, expected) in [
                (0, max, PixelKind::Black),
                (max, max, PixelKind::White),
                (max, 0, PixelKind::Transparent),
            ] {
                assert_eq!(PixelKind::new(&Pixel { rgb: [value; 3], alpha, max }, false), expected);
            }
            if max > 1 {
                let gray = Pixel { rgb: [1; 3], alpha: max, max };
                assert_eq!(PixelKind::new(&gray, false), PixelKind::Gray);
                let soft = Pixel { rgb: [0; 3], alpha: max - 1, max };
                assert_eq!(PixelKind::new(&soft, true), PixelKind::Translucent);
            }
        }
        let blue = Pixel { rgb: [0, 0, 1], alpha: 1, max: 1 };
        assert_eq!(PixelKind::new(&blue, false), PixelKind::Vivid, "any other colour");
        assert_eq!(PixelKind::new(&blue, true), PixelKind::Plane);
    }

    #[test]
    fn the_bits_of_64_equal_pixels_agree_with_a_naive_loop() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let pixels: [u32; BLOCK] = std::array::from_fn(|_| rng.u32(0..6));
            let naive = (0..BLOCK).fold(0, |bits, x| bits | u64::from(pixels[x] == 3) << x);
            assert_eq!(which(&pixels, 3), naive);
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
