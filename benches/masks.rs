//! Measures the speed of loading a mask, compared with only decoding its PNG. Converting the pixels to bits
//! must take almost no time.
//!
//! `cargo bench --bench masks` prints for each mask the time of `Level::decode` and its ratios to three ways
//! of decoding the same bytes:
//!
//! * (a) the crate `png`, row by row into one buffer. Each row is discarded, and pixels of 1 bit stay packed.
//!   This is the least that any loader can do, and gives no picture that a game could use.
//! * (b) the crate `png` to a picture with one byte per sample, which a game can use. Samples of 8 bits stay
//!   as in the file, including indices of a palette, and pixels of 1 bit are expanded to gray.
//! * (c) the crate `image` to its picture, in which a palette is expanded to RGB.
//!
//! The four run in turn, nine times, and the fastest run of each counts, so that the result is meaningful on
//! a busy machine. The bench fails if the median ratio to (b) is over 1.15. The masks are generated, with
//! 2,048 x 32,768 pixels of each kind, and the ten largest of the corpus are added if it is there. Then
//! follow the worst masks for a loader that looks for runs of equal pixels, with 8,192 x 8,192 alternating
//! black and white pixels, and for a loader that looks for equal blocks of pixels, with 4,096 x 4,096 pixels
//! of black and white noise. Their ratio to (b) may be at most 1.2. With `-- --check` all masks are small,
//! and there is one round without a limit on the time.
//!
//! The last column is the time that loading takes beyond (a), for 64 pixels. A limit on the ratio to (a)
//! could not be kept for pixels of 1 bit: (a) decodes 64 of them, which are 8 bytes, in 2 ns and keeps none.
//! A load counts them, writes 16 bytes of rows and columns, and gets that memory from the system.

use std::fs;
use std::hint::black_box;
use std::io::{Cursor, Write};
use std::path::Path;
use std::time::Instant;

use bitwall::glam::UVec2;
use bitwall::{Level, LoadOptions};
use png::{BitDepth, ColorType};

/// The largest allowed ratio of the time of loading to the time of decoding (b).
const MAX_RATIO: f64 = 1.15;

/// The same as [`MAX_RATIO`] for a mask of alternating pixels or of noise.
const MAX_WORST_RATIO: f64 = 1.2;

/// Returns true where a mask is solid, for a column and a row.
type Pattern = fn(u32, u32) -> bool;

/// The kinds of pixels, with the number of samples in a pixel.
const KINDS: [(&str, ColorType, BitDepth, usize); 5] = [
    ("1-bit gray", ColorType::Grayscale, BitDepth::One, 1),
    ("8-bit gray", ColorType::Grayscale, BitDepth::Eight, 1),
    ("palette", ColorType::Indexed, BitDepth::Eight, 1),
    ("RGB", ColorType::Rgb, BitDepth::Eight, 3),
    ("RGBA", ColorType::Rgba, BitDepth::Eight, 4),
];

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let (size, square, rounds) = match check {
        true => (UVec2::new(200, 300), UVec2::splat(200), 1),
        false => (UVec2::new(2_048, 32_768), UVec2::splat(8_192), 9),
    };
    println!(
        "{:<12} {:>10} {:>9} {:>12} {:>15} {:>13} {:>9}",
        "mask", "pixels", "load ms", "to (a) rows", "to (b) picture", "to (c) image", "ns / 64"
    );
    let mut ratios = Vec::new();
    for (name, color, depth, channels) in KINDS {
        let png = drawn(size, color, depth, channels, is_solid);
        ratios.push(bench(name, &png, rounds));
    }
    for (name, png) in corpus_masks(10) {
        ratios.push(bench(&name, &png, rounds));
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    println!("the median of (b) is {median:.2}; at most {MAX_RATIO} will do");
    let mut worst = f64::NEG_INFINITY;
    let patterns: [(&str, UVec2, Pattern); 2] =
        [("alternating pixels", square, |x, _| x % 2 == 0), ("noise", square / 2, is_noise)];
    for (pattern, size, is_solid) in patterns {
        println!("{pattern}:");
        for (name, color, depth, channels) in KINDS {
            let png = drawn(size, color, depth, channels, is_solid);
            worst = worst.max(bench(name, &png, rounds));
        }
    }
    println!("the worst of (b) is {worst:.2}; at most {MAX_WORST_RATIO} will do");
    if (median > MAX_RATIO || worst > MAX_WORST_RATIO) && !check {
        std::process::exit(1);
    }
}

/// Times the four ways on one file, prints the times, and returns the ratio of loading to decoding to a
/// picture (b).
fn bench(name: &str, png: &[u8], rounds: usize) -> f64 {
    // A small file is decoded several times in a run, so that a run takes about a millisecond.
    let repeats = (200_000 / png.len()).clamp(1, 50);
    let mut best = [f64::INFINITY; 4];
    let mut pixels = 0;
    for _ in 0..rounds {
        let times = [
            time(repeats, || decode_rows(png)),
            time(repeats, || decode_picture(png)),
            time(repeats, || decode_by_image(png)),
            time(repeats, || {
                let level = Level::decode("mask", png, (), &LoadOptions::default());
                pixels = level.expect("a mask").grid().cell_count();
            }),
        ];
        for (best, seconds) in best.iter_mut().zip(times) {
            *best = best.min(seconds);
        }
    }
    let [rows, picture, image, load] = best;
    println!(
        "{name:<12} {pixels:>10} {:>9.2} {:>12.2} {:>15.2} {:>13.2} {:>9.1}",
        load * 1_000.0,
        load / rows,
        load / picture,
        load / image,
        (load - rows) * 1e9 * 64.0 / pixels as f64
    );
    load / picture
}

/// Returns the time of one run in seconds.
fn time(repeats: usize, mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    for _ in 0..repeats {
        run();
    }
    start.elapsed().as_secs_f64() / repeats as f64
}

/// Creates a decoder that verifies all checksums, as for a mask.
fn reader(png: &[u8], if_packed: png::Transformations) -> png::Reader<Cursor<&[u8]>> {
    let mut options = png::DecodeOptions::default();
    options.set_ignore_adler32(false);
    let mut decoder = png::Decoder::new_with_options(Cursor::new(png), options);
    if (decoder.read_header_info().expect("a PNG file").bit_depth as u8) < 8 {
        decoder.set_transformations(if_packed);
    }
    decoder.read_info().expect("a PNG file")
}

/// Decodes every row into one buffer.
fn decode_rows(png: &[u8]) {
    let mut reader = reader(png, png::Transformations::IDENTITY);
    let mut row = vec![0; reader.output_line_size(reader.info().width).expect("a row")];
    while reader.read_row(&mut row).expect("a row").is_some() {
        black_box(&row);
    }
    reader.finish().expect("an end");
}

fn decode_picture(png: &[u8]) {
    let mut reader = reader(png, png::Transformations::EXPAND);
    let mut picture = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut picture).expect("a picture");
    reader.finish().expect("an end");
    black_box(&picture);
}

fn decode_by_image(png: &[u8]) {
    let decoder = image::ImageReader::with_format(Cursor::new(png), image::ImageFormat::Png);
    black_box(decoder.decode().expect("a PNG file"));
}

/// Returns a PNG file of a mask, black where it is solid and white elsewhere.
fn drawn(
    size: UVec2,
    color: ColorType,
    depth: BitDepth,
    channels: usize,
    is_solid: Pattern,
) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, size.x, size.y);
    encoder.set_color(color);
    encoder.set_depth(depth);
    if color == ColorType::Indexed {
        encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
    }
    let mut writer = encoder.write_header().expect("a header");
    let mut rows = writer.stream_writer().expect("a stream");
    for y in 0..size.y {
        let row = (0..size.x).map(|x| !is_solid(x, y));
        let bytes: Vec<u8> = match (color, depth) {
            (_, BitDepth::One) => packed(row),
            (ColorType::Indexed, _) => row.map(u8::from).collect(),
            (ColorType::Rgba, _) => {
                row.flat_map(|white| [[0, 0, 0, 255], [255; 4]][usize::from(white)]).collect()
            }
            _ => row.flat_map(|white| vec![u8::from(white) * 255; channels]).collect(),
        };
        rows.write_all(&bytes).expect("a row");
    }
    rows.finish().expect("an end");
    drop(writer);
    file
}

/// Packs bits into bytes. The first bit is the highest.
fn packed(row: impl Iterator<Item = bool>) -> Vec<u8> {
    let row: Vec<bool> = row.collect();
    let byte = |bits: &[bool]| {
        let bits = bits.iter().enumerate();
        bits.map(|(place, bit)| u8::from(*bit) << (7 - place)).sum()
    };
    row.chunks(8).map(byte).collect()
}

/// True for the pixels of caves: blobs with a ragged edge that differs from row to row.
fn is_solid(x: u32, y: u32) -> bool {
    let wobble = (y.wrapping_mul(2_654_435_761) >> 29) + (y / 16 * 37) % 96;
    let (dx, dy) = ((x + wobble) % 160, y % 96);
    let (dx, dy) = (dx.abs_diff(80), dy.abs_diff(48));
    dx * dx + dy * dy < 1_600
}

/// True for half of the pixels, without a pattern.
fn is_noise(x: u32, y: u32) -> bool {
    let mixed = x.wrapping_mul(0x9e37_79b1) ^ y.wrapping_mul(0x85eb_ca77);
    (mixed ^ mixed >> 15).wrapping_mul(0x2c1b_3c6d) >> 31 == 0
}

/// Returns the names and bytes of the `count` masks of the corpus that have the most pixels.
fn corpus_masks(count: usize) -> Vec<(String, Vec<u8>)> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    let Ok(table) = fs::read_to_string(corpus.join("MASKS.tsv")) else {
        println!("skipped: there is no ../shared/corpus");
        return Vec::new();
    };
    let mut masks: Vec<(u64, &str)> = table
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let (path, size) = (fields.next()?, fields.next()?);
            let (width, height) = size.split_once('x')?;
            Some((width.parse::<u64>().ok()? * height.parse::<u64>().ok()?, path))
        })
        .collect();
    masks.sort_by(|a, b| b.cmp(a));
    let read = |(_, path): &(u64, &str)| {
        let png = fs::read(corpus.join(path)).ok()?;
        let loads = Level::decode("mask", &png, (), &LoadOptions::default()).is_ok();
        let name = Path::new(path).file_name()?.to_string_lossy().into_owned();
        loads.then_some((name, png))
    };
    masks.iter().filter_map(read).take(count).collect()
}
