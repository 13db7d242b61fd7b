//! Compares whole mask pictures with a naive loader, which reads each pixel from the written samples. Also
//! loads files written by other programs.

mod claims;
mod drawing;
mod noise;
mod readings;

use std::io::Cursor;
use std::ops::Deref;
use std::path::PathBuf;

use self::drawing::{Drawing, FORMATS, chunk, compress, drawing, square};
use super::*;
use crate::{
    Level, LoadError, LoadOptions, LoadedLevel, Terrain,
    load::Source,
    rules::{MaskPlane, MaskRule},
};

fn rules() -> Vec<MaskRule> {
    vec![
        MaskRule::default(),
        MaskRule::DarkIsSolid { threshold: 255 },
        MaskRule::LightIsSolid { threshold: 128 },
        MaskRule::LightIsSolid { threshold: 0 },
        MaskRule::BlackIsSolid { threshold: 128 },
        MaskRule::OpaqueIsSolid { threshold: 1 },
        MaskRule::OpaqueIsSolid { threshold: 128 },
        MaskRule::TransparentIsSolid { threshold: 128 },
        MaskRule::Colors(vec![[255, 0, 0], [255; 3], [127; 3]]),
    ]
}

fn decode(png: &[u8], rule: &MaskRule) -> Result<Decoded, LoadError> {
    let options = LoadOptions { mask_rule: Some(rule.clone()), ..LoadOptions::default() };
    load(png, &options)
}

fn text_of(terrain: &Terrain) -> String {
    let grid = terrain.grid();
    let row = |y| {
        let row = (0..grid.width()).map(|x| if grid.is_solid(x, y) { '#' } else { '.' });
        row.chain(['\n']).collect::<String>()
    };
    (0..grid.height()).map(row).collect()
}

#[derive(Debug)]
struct Decoded(LoadedLevel);

impl Deref for Decoded {
    type Target = Level;

    fn deref(&self) -> &Level {
        &self.0.level
    }
}

fn load(bytes: &[u8], options: &LoadOptions) -> Result<Decoded, LoadError> {
    LoadedLevel::decode("mask.png", bytes, (), options).map(Decoded)
}

fn mask_source(mask: &Decoded) -> &MaskSource {
    match &mask.0.source {
        Source::Mask(source) => source,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_png_format_and_width_agrees_with_the_naive_loader() {
    let mut rng = fastrand::Rng::with_seed(7);
    for width in 1..=130 {
        for (format, (_, _, depths)) in FORMATS.iter().enumerate() {
            for depth in *depths {
                for interlaced in [false, true] {
                    let drawing = drawing(&mut rng, format, *depth, width, interlaced);
                    let rule = rng.choice(rules()).unwrap();
                    let level = decode(&drawing.png(), &rule).unwrap();
                    let (text, counts) = drawing.classified_one_by_one(&rule);
                    let what = format!("{rule}, {drawing:?}");
                    assert_eq!(text_of(&level), text, "{what}");
                    assert_eq!(mask_source(&level).counts, counts, "{what}");
                    assert_eq!(level.grid().solid_count(), counts.solid, "{what}");
                }
            }
        }
    }
}

fn error_of(png: &[u8]) -> String {
    match decode(png, &MaskRule::default()) {
        Ok(_) => panic!("the picture loads"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn the_format_of_a_png_is_described_in_words() {
    let format = |drawing: Drawing| {
        let level = decode(&drawing.png(), &MaskRule::default()).unwrap();
        mask_source(&level).format.clone()
    };
    assert_eq!(format(square(2, 8, vec![0; 9])), "PNG, 8-bit palette");
    assert_eq!(format(square(3, 16, vec![0; 8])), "PNG, 16-bit gray with alpha");
    let interlaced = Drawing { interlaced: true, ..square(0, 1, vec![0; 9]) };
    assert_eq!(format(interlaced), "PNG, 1-bit gray, interlaced");
}

#[test]
fn a_pixel_value_outside_the_palette_is_an_error_with_its_place() {
    for (depth, interlaced) in [(2, false), (4, false), (8, false), (8, true)] {
        let mut samples = vec![0; 100 * 100];
        samples[24 * 100 + 72] = 3;
        let drawing = Drawing { interlaced, ..square(2, depth, samples) };
        let error = error_of(&drawing.png());
        assert!(error.contains("x 72, y 24"), "{error}");
        assert!(
            error.contains("the pixel has the value 3, but the palette only 2 colours"),
            "{error}"
        );
    }
    let drawing = Drawing { palette: vec![[0; 3]], ..square(2, 1, vec![0, 0, 1, 0]) };
    assert!(error_of(&drawing.png()).contains("x 0, y 1"));
}

#[test]
fn damage_of_a_png_is_described_in_plain_words() {
    let drawing = square(0, 8, (0..10_000).map(|i| i % 7).collect());
    let raw = drawing.raw();
    let good = compress(&raw);
    let short = error_of(&drawing.png_with(&compress(&raw[..101 * 40 + 3])));
    assert!(short.contains("the picture is broken: "), "{short}");
    let png = drawing.png_with(&good);
    let mut crc = png.clone();
    let at = crc.len() - 12 - 1;
    crc[at] ^= 1;
    assert!(error_of(&crc).contains("CRC error"));
    assert!(error_of(&png[..png.len() / 2]).contains("the image data ends here"));
    assert!(error_of(&png[..png.len() - 6]).contains("the file ends too early"));
    assert!(error_of(&png[..20]).contains("the file ends too early"));
    assert!(error_of(b"").contains("an empty file"));
    assert!(error_of(b"\x89PNG\r\n\x1a\r").contains("signature"));
    let empty = Drawing { width: 0, ..drawing.clone() };
    assert!(error_of(&empty.png()).contains("dimensions"));
}

#[test]
fn data_after_the_end_of_a_picture_is_ignored() {
    for (interlaced, height) in [(false, 100), (true, 100), (false, 1)] {
        let samples = (0..height * 100).map(|i| i % 7).collect();
        let drawing =
            Drawing { interlaced, width: 100, height: height.into(), ..square(0, 8, samples) };
        let good = drawing.png();
        let expected = text_of(&decode(&good, &MaskRule::default()).unwrap());
        let more = compress(&[drawing.raw(), vec![0; 101 * 9]].concat());
        for file in [
            [&good, &b"anything"[..]].concat(),
            [&good[..], b"\0"].concat(),
            [&good[..], &good].concat(),
            drawing.png_with(&more),
        ] {
            assert_eq!(text_of(&decode(&file, &MaskRule::default()).unwrap()), expected);
        }
    }
}

/// Of the compressed data, only the last bytes may be missing: the end mark of the data and its checksum.
#[test]
fn a_truncated_png_is_an_error() {
    for interlaced in [false, true] {
        let drawing = Drawing { interlaced, ..square(0, 8, (0..10_000).map(|i| i % 7).collect()) };
        let good = drawing.png();
        for length in 1..good.len() {
            assert!(decode(&good[..length], &MaskRule::default()).is_err(), "{length} bytes");
        }
        let data = compress(&drawing.raw());
        for length in 0..data.len() - 8 {
            let cut = drawing.png_with(&data[..length]);
            assert!(decode(&cut, &MaskRule::default()).is_err(), "{length} bytes of data");
        }
    }
}

#[test]
fn a_palette_with_a_broken_colour_or_no_palette_is_an_error() {
    let mut png = square(2, 8, vec![0; 4]).png();
    // The chunk of the palette comes after the signature and the chunk `IHDR`.
    let rest = png.split_off(33 + 12 + 6);
    for bytes in [4, 5, 7, 8] {
        let mut png = png[..33].to_vec();
        chunk(&mut png, b"PLTE", &vec![0; bytes]);
        png.extend(&rest);
        let error = error_of(&png);
        assert!(error.contains(&format!("the palette has {bytes} bytes")), "{error}");
    }
    let without = [&png[..33], &rest].concat();
    assert!(error_of(&without).contains("there is no palette"));
}

#[test]
fn a_mask_with_more_pixels_than_the_limit_is_refused() {
    let load = |pixels| {
        let mut options = LoadOptions::default();
        options.limits.pixels = pixels;
        load(&square(0, 1, vec![0; 100]).png(), &options).map_err(|e| e.to_string())
    };
    assert!(load(100).is_ok());
    assert!(load(99).unwrap_err().contains("pixels in the mask (the limit `pixels`): 100"));
}

/// Returns the path of the folder `folder` in `../shared`, or `None` if it is missing. Panics if it is
/// missing and the variable `BITWALL_SHARED` is `required`.
fn shared(folder: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared").join(folder);
    if !path.is_dir() {
        assert!(
            std::env::var("BITWALL_SHARED").as_deref() != Ok("required"),
            "{path:?} is missing"
        );
        println!("skipped: there is no {}", path.display());
        return None;
    }
    Some(path)
}

fn png_files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let Some(folder) = shared(folder) else {
        return Vec::new();
    };
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension() == Some("png".as_ref())).collect();
    paths.sort();
    let name = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
}

#[test]
fn an_interlaced_png_loads_like_the_same_picture_not_interlaced() {
    let files = png_files("pngsuite");
    let mut pairs = 0;
    for (name, png) in &files {
        let other = format!("{}n{}", &name[..3], &name[4..]);
        let plain = files.iter().find(|(file, _)| *file == other && &name[3..4] == "i");
        let Some((_, plain)) = plain else {
            continue;
        };
        pairs += 1;
        for rule in rules() {
            let (a, b) = (decode(png, &rule).unwrap(), decode(plain, &rule).unwrap());
            assert!(a.grid() == b.grid(), "{name}, {rule}");
            assert_eq!(mask_source(&a).counts, mask_source(&b).counts, "{name}, {rule}");
        }
    }
    assert!(files.is_empty() || pairs >= 30, "{pairs} pairs");
}

#[test]
fn every_png_of_the_test_suites_loads_or_gives_an_error() {
    for folder in ["pngsuite", "badinput/png"] {
        for (name, png) in png_files(folder) {
            for rule in rules() {
                match decode(&png, &rule) {
                    Ok(level) => {
                        let solid = text_of(&level).matches('#').count() as u64;
                        let counts = &mask_source(&level).counts;
                        assert_eq!(solid, counts.solid, "{name}");
                        let kinds = [counts.black, counts.white, counts.gray];
                        let kinds =
                            kinds.iter().sum::<u64>() + counts.translucent + counts.transparent;
                        assert_eq!(kinds, level.grid().cell_count(), "{name}");
                        assert!(folder != "pngsuite" || !name.starts_with('x'), "{name}");
                    }
                    Err(error) => {
                        assert!(folder != "pngsuite" || name.starts_with('x'), "{name}: {error}");
                        if rule == MaskRule::default() {
                            println!("{name}: {error}");
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn gray_of_16_bits_is_compared_with_the_threshold_without_rounding() {
    let drawing = square(0, 16, vec![0x7fff, 0x8000, 0x7f80, 0x8080]);
    let level = decode(&drawing.png(), &MaskRule::default()).unwrap();
    assert_eq!(text_of(&level), "##\n#.\n");
}

#[test]
fn a_png_loads_from_a_reader_with_a_buffer_of_one_byte() {
    let png = square(0, 8, vec![0; 100]).png();
    let mut reader = std::io::BufReader::with_capacity(1, Cursor::new(png));
    let mask = super::decode(&mut reader, &LoadOptions::default()).unwrap();
    assert_eq!(mask.solid.solid_count(), 100);
}

fn expanded(drawing: &Drawing) -> Drawing {
    let pixels = (0..drawing.height).flat_map(|y| (0..drawing.width).map(move |x| (x, y)));
    let samples = pixels.flat_map(|(x, y)| {
        let (samples, full) = drawing.look(x, y);
        samples.map(|sample| (sample * 255 / full) as u16)
    });
    let (samples, size) = (samples.collect(), (drawing.width, drawing.height));
    Drawing { width: size.0, height: size.1, ..square(4, 8, samples) }
}

#[test]
fn gray_and_palette_pictures_load_like_the_same_pictures_as_rgba() {
    let mut rng = fastrand::Rng::with_seed(23);
    let widths = [1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 200];
    for (width, depth) in widths.into_iter().flat_map(|w| [1, 2, 4, 8].map(|depth| (w, depth))) {
        for (format, interlaced) in [(0, false), (0, true), (2, false), (2, true)] {
            // The periods give blocks with different values, with one value, with repeated values, and with
            // repetitions that shift from block to block.
            for period in [1, 2, 3, 32, 64, 1_000] {
                let mut drawing = drawing(&mut rng, format, depth, width, interlaced);
                drawing.height = rng.u32(1..140);
                let any = drawing.samples.clone();
                let area = (width * drawing.height) as usize;
                drawing.samples = (0..area).map(|i| any[i % period.min(any.len())]).collect();
                for _ in 0..rng.usize(0..4) {
                    drawing.samples[rng.usize(0..area)] = *rng.choice(&any).unwrap();
                }
                let options = LoadOptions { mask_rule: rng.choice(rules()), ..Default::default() };
                let packed = load(&drawing.png(), &options).unwrap();
                let other = load(&expanded(&drawing).png(), &options).unwrap();
                let what = format!("{width} x {}, {depth} bit, {period}", drawing.height);
                assert!(packed.grid() == other.grid(), "{what}");
                assert_eq!(mask_source(&packed).counts, mask_source(&other).counts, "{what}");
            }
        }
    }
}
