//! Compares the time to verify a mask with the time to decode it only.
//!
//! `cargo bench --bench verify` prints, for clean and gray masks of 1,024 x 1,024 pixels in each pixel
//! format, the time of `verify_bytes` with all rules that are on by default. Beside it stand its ratios to
//! two other times:
//!
//! * (a) decoding the same bytes with the crate `png` into one buffer,
//! * (b) decoding them with the crate `image`, which any other tool needs at least.
//!
//! The three take turns nine times, and the fastest run of each counts. Then 1,000 clean and 200 gray masks
//! in these formats, of eight drawings, are verified and decoded as in (a) on all cores, in five rounds. The
//! bench fails if verifying takes more than 1.3 times as long as (a). The argument `-- --check` uses small
//! masks and one round, and never fails for the time.

use std::hint::black_box;
use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use bitwall::image::codecs::jpeg::JpegEncoder;
use bitwall::image::{DynamicImage, GrayImage, ImageFormat, Luma, imageops};
use bitwall_cli::lint::{VerifyOptions, verify_bytes};

const MAX_RATIO: f64 = 1.3;

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let (side, rounds) = if check { (128, 1) } else { (1_024, 9) };
    println!(
        "{:<26} {:>9} {:>10} {:>12} {:>12} findings",
        "mask", "verify ms", "decode ms", "to (a) png", "to (b) image"
    );
    let drawings: Vec<_> = (0..if check { 1 } else { 8 }).map(|seed| masks(side, seed)).collect();
    for (name, gray) in &drawings[0] {
        for (kind, picture) in kinds(gray) {
            bench(&format!("{name}, {kind}"), &encoded(&picture), rounds);
        }
    }
    let is_clean = |name: &str| name == "clean";
    let mut worst: f64 = 0.0;
    for (kind, wanted, count) in [("clean", true, 1_000), ("gray", false, 200)] {
        let all = drawings.iter().flatten().filter(|(name, _)| is_clean(name) == wanted);
        let files: Vec<_> =
            all.flat_map(|(_, gray)| kinds(gray)).map(|(_, it)| encoded(&it)).collect();
        let count = if check { files.len() } else { count };
        let [verify, decode] = bench_many(&files, count, rounds.min(5));
        let ratio = verify / decode;
        println!(
            "{count} {kind} ones, all cores: {verify:.2} s, decoding {decode:.2} s, {ratio:.2}"
        );
        worst = worst.max(ratio);
    }
    println!("at most {MAX_RATIO} will do");
    if worst > MAX_RATIO && !check {
        std::process::exit(1);
    }
}

/// Returns one drawing as a clean mask and as three gray masks. `side` is in pixels; `seed` moves the caves.
fn masks(side: u32, seed: u32) -> [(&'static str, GrayImage); 4] {
    let draw = |solid, open| {
        GrayImage::from_fn(side, side, |x, y| {
            Luma([if is_solid(x + 13 * seed, y + 7 * seed) { solid } else { open }])
        })
    };
    let clean = draw(0, 255);
    let soft = imageops::blur(&clean, 0.8);
    let mut jpeg = Vec::new();
    JpegEncoder::new_with_quality(&mut jpeg, 80).encode_image(&clean).expect("a JPEG");
    let lossy = bitwall::image::load_from_memory(&jpeg).expect("a JPEG").into_luma8();
    [("clean", clean), ("two levels", draw(40, 220)), ("soft edges", soft), ("lossy", lossy)]
}

fn encoded(picture: &DynamicImage) -> Vec<u8> {
    let mut png = Cursor::new(Vec::new());
    picture.write_to(&mut png, ImageFormat::Png).expect("a PNG");
    png.into_inner()
}

/// Returns the seconds to verify, and the seconds to decode, `count` masks on all cores: the best of
/// `rounds`.
///
/// Takes the files in order, and starts again at the first file if `count` is larger than their number.
fn bench_many(files: &[Vec<u8>], count: usize, rounds: usize) -> [f64; 2] {
    let options = VerifyOptions::default();
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        let verify = |png: &[u8]| drop(black_box(verify_bytes("x.png", png, &options)));
        let times = [on_all_cores(files, count, verify), on_all_cores(files, count, decode)];
        for (best, seconds) in best.iter_mut().zip(times) {
            *best = best.min(seconds);
        }
    }
    best
}

fn on_all_cores(files: &[Vec<u8>], count: usize, run: impl Fn(&[u8]) + Sync) -> f64 {
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(place) = Some(next.fetch_add(1, Ordering::Relaxed)).filter(|it| *it < count)
        {
            run(&files[place % files.len()]);
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    time(|| thread::scope(|scope| (0..cores).for_each(|_| drop(scope.spawn(work)))))
}

fn kinds(gray: &GrayImage) -> [(&'static str, DynamicImage); 3] {
    let picture = DynamicImage::from(gray.clone());
    [
        ("RGB", picture.to_rgb8().into()),
        ("RGBA", picture.to_rgba8().into()),
        ("8-bit gray", picture),
    ]
}

/// Verifies one file, decodes it with each of the two crates, and prints the times.
fn bench(name: &str, png: &[u8], rounds: usize) {
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
}

/// Returns the seconds that one call of `run` takes.
fn time(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}

/// Decodes a PNG into one buffer. Verifies all checksums, as the decoder of masks does.
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

/// Returns whether a pixel is solid. The solid pixels are round caves whose edges differ from row to row.
fn is_solid(x: u32, y: u32) -> bool {
    let wobble = (y.wrapping_mul(2_654_435_761) >> 29) + (y / 16 * 37) % 96;
    let (dx, dy) = ((x + wobble) % 160, y % 96);
    let (dx, dy) = (dx.abs_diff(80), dy.abs_diff(48));
    dx * dx + dy * dy < 1_600
}
