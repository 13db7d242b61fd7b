//! Speed of verifying masks against only decoding them.
//!
//! `cargo bench --bench verify` prints, for clean and for gray masks of 1,024 x 1,024 in each kind of
//! pixels, the time of `verify_bytes` with all rules that are on by default, and its ratio to
//!
//! * (a) decoding the same bytes with crate `png` into one buffer,
//! * (b) decoding them with crate `image`, as the least that another tool would do.
//!
//! The three run in turn, nine times over, and the fastest run of each counts. It fails if verifying takes
//! more than 1.3 times (a) on the mean of all masks. With `-- --check` all is small and there is one round,
//! without a verdict on the time.

use std::hint::black_box;
use std::io::Cursor;
use std::time::Instant;

use bitwall::image::codecs::jpeg::JpegEncoder;
use bitwall::image::{DynamicImage, GrayImage, ImageFormat, Luma, imageops};
use bitwall::verify::{VerifyOptions, verify_bytes};

const MAX_RATIO: f64 = 1.3;

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let (side, rounds) = if check { (128, 1) } else { (1_024, 9) };
    println!(
        "{:<26} {:>9} {:>10} {:>12} {:>12} findings",
        "mask", "verify ms", "decode ms", "to (a) png", "to (b) image"
    );
    let clean = GrayImage::from_fn(side, side, |x, y| Luma([if is_solid(x, y) { 0 } else { 255 }]));
    let two = GrayImage::from_fn(side, side, |x, y| Luma([if is_solid(x, y) { 40 } else { 220 }]));
    let soft = imageops::blur(&clean, 0.8);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 80).encode_image(&clean).expect("a JPEG");
    let lossy = bitwall::image::load_from_memory(&jpeg).expect("a JPEG").into_luma8();
    let masks = [("clean", clean), ("two levels", two), ("soft edges", soft), ("lossy", lossy)];
    let mut sums = [[0.0; 2]; 2];
    for (name, gray) in &masks {
        for (kind, picture) in kinds(gray) {
            let mut png = Cursor::new(Vec::new());
            picture.write_to(&mut png, ImageFormat::Png).expect("a PNG");
            let [verify, decode] = bench(&format!("{name}, {kind}"), png.get_ref(), rounds);
            let sum = &mut sums[usize::from(*name != "clean")];
            *sum = [sum[0] + verify, sum[1] + decode];
        }
    }
    let ratios = sums.map(|[verify, decode]| verify / decode);
    let [clean, gray] = ratios;
    println!("all clean ones {clean:.2}, all gray ones {gray:.2}; at most {MAX_RATIO} will do");
    if clean.max(gray) > MAX_RATIO && !check {
        std::process::exit(1);
    }
}

fn kinds(gray: &GrayImage) -> [(&'static str, DynamicImage); 3] {
    let picture = DynamicImage::from(gray.clone());
    [
        ("RGB", picture.to_rgb8().into()),
        ("RGBA", picture.to_rgba8().into()),
        ("8-bit gray", picture),
    ]
}

/// Times the three on one file, prints them, and gives the seconds of verifying and of (a).
fn bench(name: &str, png: &[u8], rounds: usize) -> [f64; 2] {
    let mut best = [f64::INFINITY; 3];
    let options = VerifyOptions::default();
    let mut codes = Vec::new();
    for _ in 0..rounds {
        let times = [
            time(|| {
                let report = verify_bytes("x.png", png, &options);
                codes = report.findings.iter().map(|finding| finding.rule.code).collect();
            }),
            time(|| decode(png)),
            time(|| {
                let picture = bitwall::image::load_from_memory_with_format(png, ImageFormat::Png);
                black_box(picture.expect("a PNG"));
            }),
        ];
        for (best, seconds) in best.iter_mut().zip(times) {
            *best = best.min(seconds);
        }
    }
    let [verify, rows, image] = best;
    println!(
        "{name:<26} {:>9.2} {:>10.2} {:>12.2} {:>12.2} {}",
        verify * 1_000.0,
        rows * 1_000.0,
        verify / rows,
        verify / image,
        codes.join(" ")
    );
    [verify, rows]
}

/// Seconds a run.
fn time(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Decodes into one buffer, with the checks that a mask gets: all checksums.
fn decode(png: &[u8]) {
    let mut options = png::DecodeOptions::default();
    options.set_ignore_adler32(false);
    let decoder = png::Decoder::new_with_options(Cursor::new(png), options);
    let mut reader = decoder.read_info().expect("a PNG file");
    let mut picture = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut picture).expect("a picture");
    reader.finish().expect("an end");
    black_box(&picture);
}

/// Caves: blobs with a ragged edge, which differs from row to row.
fn is_solid(x: u32, y: u32) -> bool {
    let wobble = (y.wrapping_mul(2_654_435_761) >> 29) + (y / 16 * 37) % 96;
    let (dx, dy) = ((x + wobble) % 160, y % 96);
    let (dx, dy) = (dx.abs_diff(80), dy.abs_diff(48));
    dx * dx + dy * dy < 1_600
}
