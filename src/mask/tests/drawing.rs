//! Makes test pictures as plain samples, writes them as PNG, interlaced or not, and classifies them pixel by
//! pixel.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::{Compression, Crc, write::ZlibEncoder};

use super::super::MaskCounts;
use crate::rules::MaskRule;

/// The colour types of the PNG standard: the number of the type, its samples per pixel, and its possible bit
/// depths.
pub(super) const FORMATS: [(u8, usize, &[u8]); 5] = [
    (0, 1, &[1, 2, 4, 8, 16]),
    (2, 3, &[8, 16]),
    (3, 1, &[1, 2, 4, 8]),
    (4, 2, &[8, 16]),
    (6, 4, &[8, 16]),
];

#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) color: u8,
    pub(super) channels: usize,
    pub(super) depth: u8,
    pub(super) interlaced: bool,
    pub(super) palette: Vec<[u8; 3]>,
    /// The content of the chunk `tRNS`: the alphas of a palette, or the transparent colour.
    pub(super) trns: Vec<u16>,
    pub(super) samples: Vec<u16>,
}

impl Drawing {
    fn pixel(&self, x: u32, y: u32) -> &[u16] {
        let at = (y * self.width + x) as usize * self.channels;
        &self.samples[at..at + self.channels]
    }

    /// Returns the rows of all interlacing passes as bytes before compression. Every row has filter 0.
    pub(super) fn raw(&self) -> Vec<u8> {
        let mut raw = Vec::new();
        // The interlacing pass of each pixel in an 8 x 8 square, computed from the table of the PNG standard.
        let pass_of = |x: u32, y: u32| {
            let square = ["16462646", "77777777", "56565656", "77777777"];
            let square = [square, ["36463646", "77777777", "56565656", "77777777"]].concat();
            square[y as usize % 8].as_bytes()[x as usize % 8] - b'0'
        };
        let passes = if self.interlaced { 1..=7 } else { 0..=0 };
        for pass in passes {
            for y in 0..self.height {
                let inside = |x: &u32| pass == 0 || pass_of(*x, y) == pass;
                let row: Vec<u32> = (0..self.width).filter(inside).collect();
                if !row.is_empty() {
                    raw.push(0);
                    let samples = row.iter().flat_map(|x| self.pixel(*x, y));
                    pack(samples.copied(), self.depth, &mut raw);
                }
            }
        }
        raw
    }

    pub(super) fn png(&self) -> Vec<u8> {
        self.png_with(&compress(&self.raw()))
    }

    pub(super) fn png_with(&self, idat: &[u8]) -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        let mut header = [self.width.to_be_bytes(), self.height.to_be_bytes()].concat();
        header.extend([self.depth, self.color, 0, 0, u8::from(self.interlaced)]);
        chunk(&mut png, b"IHDR", &header);
        if self.color == 3 {
            chunk(&mut png, b"PLTE", self.palette.as_flattened());
        }
        if !self.trns.is_empty() {
            let wide: Vec<u8> = self.trns.iter().flat_map(|value| value.to_be_bytes()).collect();
            let bytes: Vec<u8> = self.trns.iter().map(|value| *value as u8).collect();
            chunk(&mut png, b"tRNS", if self.color == 3 { &bytes } else { &wide });
        }
        chunk(&mut png, b"IDAT", idat);
        chunk(&mut png, b"IEND", b"");
        png
    }

    /// Returns the red, green, blue and alpha of a pixel, and the largest value of a sample. Computed as the
    /// PNG standard says, as the expected result of the decoder.
    pub(super) fn look(&self, x: u32, y: u32) -> ([u128; 4], u128) {
        let pixel: Vec<u128> = self.pixel(x, y).iter().map(|sample| u128::from(*sample)).collect();
        let full = (1 << self.depth) - 1;
        let keyed = self.color != 3 && self.trns == self.pixel(x, y);
        let alpha = if keyed { 0 } else { full };
        match (self.color, &pixel[..]) {
            (0, [v]) => ([*v, *v, *v, alpha], full),
            (2, [r, g, b]) => ([*r, *g, *b, alpha], full),
            (3, [index]) => {
                let index = *index as usize;
                let [r, g, b] = self.palette[index].map(u128::from);
                let alpha = self.trns.get(index).map_or(255, |alpha| u128::from(*alpha));
                ([r, g, b, alpha], 255)
            }
            (4, [v, a]) => ([*v, *v, *v, *a], full),
            (_, [r, g, b, a]) => ([*r, *g, *b, *a], full),
            _ => unreachable!(),
        }
    }

    /// True if the pixel has exactly the colour `color` and is not fully transparent.
    pub(super) fn is_color(&self, x: u32, y: u32, color: [u8; 3]) -> bool {
        let ([r, g, b, a], full) = self.look(x, y);
        a > 0 && [r, g, b].map(|v| v * 255) == color.map(|v| u128::from(v) * full)
    }

    /// Returns the colour of a random pixel, rounded down to 8 bits per channel.
    pub(super) fn some_color(&self, rng: &mut fastrand::Rng) -> [u8; 3] {
        let (x, y) = (rng.u32(0..self.width), rng.u32(0..self.height));
        let ([r, g, b, _], full) = self.look(x, y);
        [r, g, b].map(|v| (v * 255 / full) as u8)
    }

    pub(super) fn classified_one_by_one(&self, rule: &MaskRule) -> (String, MaskCounts) {
        let (mut text, mut counts) = (String::new(), MaskCounts::default());
        for y in 0..self.height {
            for x in 0..self.width {
                let ([r, g, b, a], full) = self.look(x, y);
                let luma = (2126 * r + 7152 * g + 722 * b) * a;
                let white = 10_000 * full * (full - a);
                let scale = 10_000 * full * full;
                let is_vivid = (r.max(g).max(b) - r.min(g).min(b)) * 255 >= 48 * full;
                let is_black =
                    !is_vivid && (2126 * r + 7152 * g + 722 * b) * 255 < 1_280_000 * full;
                let solid = match rule {
                    MaskRule::DarkIsSolid { threshold: t } => {
                        (luma + white) * 255 < scale * u128::from(*t)
                    }
                    MaskRule::LightIsSolid { threshold: t } => {
                        a > 0 && luma * 255 >= scale * u128::from(*t)
                    }
                    MaskRule::BlackIsSolid { threshold: t } => {
                        let without_alpha = 2126 * r + 7152 * g + 722 * b;
                        !is_vivid && without_alpha * 255 < 10_000 * full * u128::from(*t)
                    }
                    MaskRule::OpaqueIsSolid { threshold: t } => a * 255 >= full * u128::from(*t),
                    MaskRule::TransparentIsSolid { threshold: t } => {
                        a * 255 < full * u128::from(*t)
                    }
                    MaskRule::Colors(colors) => {
                        a > 0
                            && colors.iter().any(|c| {
                                [r, g, b].map(|v| v * 255) == c.map(|v| u128::from(v) * full)
                            })
                    }
                };
                let _ = write!(text, "{}", if solid { '#' } else { '.' });
                counts.solid += u64::from(solid);
                match ([r, g, b], a) {
                    (_, 0) => {
                        counts.transparent += 1;
                        counts.hidden_black += u64::from(is_black);
                    }
                    (_, a) if a < full => counts.translucent += 1,
                    ([0, 0, 0], _) => counts.black += 1,
                    (rgb, _) if rgb == [full; 3] => counts.white += 1,
                    _ => {
                        counts.gray += 1;
                        counts.vivid += u64::from(is_vivid);
                    }
                }
            }
            text.push('\n');
        }
        (text, counts)
    }
}

pub(super) fn compress(raw: &[u8]) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(Vec::new(), Compression::fast());
    zlib.write_all(raw).unwrap();
    zlib.finish().unwrap()
}

fn pack(samples: impl Iterator<Item = u16>, depth: u8, raw: &mut Vec<u8>) {
    let bits: Vec<bool> =
        samples.flat_map(|value| (0..depth).rev().map(move |bit| value >> bit & 1 == 1)).collect();
    for byte in bits.chunks(8) {
        let byte = (0..8).map(|bit| u8::from(byte.get(bit) == Some(&true)) << (7 - bit)).sum();
        raw.push(byte);
    }
}

pub(super) fn chunk(png: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    png.extend((data.len() as u32).to_be_bytes());
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    png.extend(name);
    png.extend(data);
    png.extend(crc.sum().to_be_bytes());
}

/// Returns a random picture with runs of equal pixels. Many samples are 0 or the largest value, and some
/// pictures have a transparent colour.
pub(super) fn drawing(
    rng: &mut fastrand::Rng,
    format: usize,
    depth: u8,
    width: u32,
    interlaced: bool,
) -> Drawing {
    let (color, channels, _) = FORMATS[format];
    let height = rng.u32(1..=20);
    let top = ((1u32 << depth) - 1) as u16;
    let entries = rng.u16(0..=top.min(255)) + 1;
    let longest = [1, 5, 200][rng.usize(0..3)];
    let mut samples: Vec<u16> = Vec::new();
    while samples.len() < (width * height) as usize * channels {
        let gray = rng.bool();
        let mut draw = |_| match (color, rng.u8(0..4)) {
            (3, _) => rng.u16(0..entries),
            (_, 0) => rng.u16(0..=top),
            (_, 1) => top / 2,
            (_, 2) => 0,
            _ => top,
        };
        let mut pixel: Vec<u16> = (0..channels).map(&mut draw).collect();
        if gray && channels >= 3 {
            (pixel[1], pixel[2]) = (pixel[0], pixel[0]);
        }
        for _ in 0..rng.usize(1..=longest) {
            samples.extend(&pixel);
        }
    }
    samples.truncate((width * height) as usize * channels);
    let byte = |rng: &mut fastrand::Rng| {
        *rng.choice(&[0, 0, 255, 255, 127, 128, rng.clone().u8(..)]).unwrap()
    };
    let palette =
        (0..entries).map(|_| if rng.bool() { [byte(rng); 3] } else { [byte(rng), byte(rng), 0] });
    let palette: Vec<_> = palette.collect();
    let trns = match color {
        0 | 2 if rng.bool() => samples[..channels].to_vec(),
        3 if rng.bool() => (0..rng.u16(1..=entries)).map(|_| u16::from(byte(rng))).collect(),
        _ => Vec::new(),
    };
    let palette = if color == 3 { palette } else { Vec::new() };
    Drawing { width, height, color, channels, depth, interlaced, palette, trns, samples }
}

pub(super) fn square(color: usize, depth: u8, samples: Vec<u16>) -> Drawing {
    let (color, channels, _) = FORMATS[color];
    let palette = if color == 3 { vec![[0; 3], [255; 3]] } else { Vec::new() };
    let side = (samples.len() / channels).isqrt() as u32;
    Drawing {
        width: side,
        height: side,
        color,
        channels,
        depth,
        interlaced: false,
        palette,
        trns: Vec::new(),
        samples,
    }
}
