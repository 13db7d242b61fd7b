//! Compares pictures without a given rule with a naive loop over the pixels, for each reading, colour type
//! and bit depth.

use std::collections::BTreeMap;

use super::*;

/// A kind of pixel. The hidden kinds are fully transparent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Black,
    White,
    Gray,
    Red,
    HiddenBlack,
    HiddenWhite,
}

use Look::{Black, Gray, HiddenBlack, HiddenWhite, Red, White};

/// The looks of a picture, in which the first ones have most pixels.
const PICTURES: [&[Look]; 9] = [
    &[Black, White],
    &[White, Black, Red],
    &[White, Black, Gray],
    &[White, HiddenBlack],
    &[White, HiddenBlack, Gray],
    &[Red, HiddenBlack],
    &[Gray, Black, HiddenWhite],
    &[Red, White, HiddenBlack, HiddenWhite],
    &[White, Black, HiddenBlack],
];

/// Returns the red, green, blue and alpha of a look, each 0, 1 or 2 halves of the largest sample.
fn halves(look: Look) -> [u32; 4] {
    match look {
        Black => [0, 0, 0, 2],
        White => [2, 2, 2, 2],
        Gray => [1, 1, 1, 2],
        Red => [2, 0, 0, 2],
        HiddenBlack => [0; 4],
        HiddenWhite => [2, 2, 2, 0],
    }
}

/// Returns a picture of these looks, or `None` if its format cannot have them.
fn picture(
    rng: &mut fastrand::Rng,
    format: usize,
    depth: u8,
    width: u32,
    looks: &[Look],
) -> Option<Drawing> {
    let full = u32::from(u16::MAX >> (16 - depth));
    let height = rng.u32(1..12);
    let scaled = |look: &Look| halves(*look).map(|half| (half * full / 2) as u16);
    let mut values = Vec::new();
    let mut palette = Vec::new();
    let mut trns = Vec::new();
    for (index, look) in looks.iter().enumerate() {
        let [red, green, blue, alpha] = scaled(look);
        let is_color = (red, green) != (green, blue);
        let is_packed = *look == Gray && depth == 1;
        values.push(match format {
            0 | 3 if is_color || is_packed => return None,
            0 => vec![red],
            1 => vec![red, green, blue],
            2 if index as u32 > full => return None,
            2 => {
                palette.push(halves(*look).map(|half| (half * 255 / 2) as u8));
                vec![index as u16]
            }
            3 => vec![red, alpha],
            _ => vec![red, green, blue, alpha],
        });
        if format < 2 && alpha == 0 {
            let has_key = !trns.is_empty() || values[..index].contains(&values[index]);
            if has_key {
                return None;
            }
            trns.clone_from(&values[index]);
        }
    }
    if format == 2 {
        trns = palette.iter().map(|[.., alpha]| u16::from(*alpha)).collect();
    }
    let mut samples = Vec::new();
    let mut run = 0;
    let mut value = &values[0];
    for _ in 0..width * height {
        if run == 0 {
            run = rng.u32(1..90);
            // Each look has three times as many pixels as the next.
            let place = (0..values.len()).find(|_| rng.u8(0..4) > 0);
            value = &values[place.unwrap_or(0)];
        }
        run -= 1;
        samples.extend_from_slice(value);
    }
    let palette = palette.iter().map(|[red, green, blue, _]| [*red, *green, *blue]).collect();
    let drawing = square(format, depth, samples);
    Some(Drawing { width, height, palette, trns, ..drawing })
}

/// Decides by shares how a mask is read.
fn naive_rule(counts: &MaskCounts) -> MaskRule {
    let opaque = (counts.black + counts.white + counts.gray) as f64;
    let all = opaque + (counts.translucent + counts.transparent) as f64;
    let clear = counts.transparent as f64;
    if clear / all >= 0.02 && counts.gray > 0 && counts.gray as f64 / opaque >= 0.25 {
        return "opaque".parse().unwrap();
    }
    let plain = counts.black as f64 + counts.white as f64 + clear;
    let is_hidden = counts.black == 0 && counts.white > 0;
    let is_hidden = is_hidden && counts.hidden_black as f64 / all >= 0.02;
    let is_marked = counts.vivid > 0 && clear == 0.0 && counts.translucent == 0;
    let is_black = (is_hidden || is_marked) && plain * 10.0 >= all * 9.0;
    if is_black { "black" } else { "dark" }.parse().unwrap()
}

#[test]
fn each_reading_agrees_with_a_pixel_by_pixel_loader() {
    let mut rng = fastrand::Rng::with_seed(41);
    let mut seen: BTreeMap<(String, u8), u32> = BTreeMap::new();
    for width in [1, 63, 64, 65, 130] {
        for (format, (color, _, depths)) in FORMATS.iter().enumerate() {
            for depth in *depths {
                for looks in PICTURES.iter().cycle().take(6 * PICTURES.len()) {
                    let Some(mut drawing) = picture(&mut rng, format, *depth, width, looks) else {
                        continue;
                    };
                    drawing.interlaced = rng.bool();
                    let level = load(&drawing.png(), &LoadOptions::default()).unwrap();
                    let (_, by_dark) = drawing.classified_one_by_one(&MaskRule::default());
                    let rule = naive_rule(&by_dark);
                    let (text, counts) = drawing.classified_one_by_one(&rule);
                    let what = format!("{looks:?}, {drawing:?}");
                    assert_eq!(text_of(&level), text, "{rule} {what}");
                    let source = mask_source(&level);
                    assert_eq!((&source.rule, &source.counts), (&rule, &counts), "{what}");
                    *seen.entry((rule.to_string(), *color)).or_default() += 1;
                }
            }
        }
    }
    for rule in ["dark=128", "black=128", "opaque=128"] {
        for color in [0, 2, 3, 4, 6] {
            let count = seen.get(&(rule.to_owned(), color)).copied().unwrap_or(0);
            assert!(count >= 10, "{rule}, colour type {color}: {count} of {seen:?}");
        }
    }
}

#[test]
fn a_given_rule_wins_over_each_reading() {
    let mut rng = fastrand::Rng::with_seed(42);
    for looks in PICTURES {
        let drawing = picture(&mut rng, 4, 8, 65, looks).expect("RGBA has all looks");
        for rule in rules() {
            let level = decode(&drawing.png(), &rule).unwrap();
            let (text, counts) = drawing.classified_one_by_one(&rule);
            assert_eq!(text_of(&level), text, "{rule} {looks:?}");
            assert_eq!((&mask_source(&level).rule, &mask_source(&level).counts), (&rule, &counts));
        }
    }
}

/// A plane is passable, or solid if its name says so, in each reading.
#[test]
fn a_plane_keeps_its_pixels_in_each_reading() {
    let mut rng = fastrand::Rng::with_seed(43);
    for looks in PICTURES {
        let drawing = picture(&mut rng, 4, 8, 130, looks).expect("RGBA has all looks");
        let load = |planes: &[&str]| {
            let planes = planes.iter().map(|plane| plane.parse().unwrap()).collect();
            load(&drawing.png(), &LoadOptions { planes, ..LoadOptions::default() }).unwrap()
        };
        for (name, is_solid) in [("sea", false), ("solid", true)] {
            let level = load(&[&format!("{name}=#ff0000")]);
            for (x, y) in (0..drawing.height).flat_map(|y| (0..130).map(move |x| (x, y))) {
                if drawing.is_color(x, y, [255, 0, 0]) {
                    assert_eq!(level.grid().is_solid(x, y), is_solid, "{name} {looks:?} {x}, {y}");
                }
            }
        }
    }
}

#[test]
fn a_load_warns_of_a_mask_that_it_reads_in_another_way() {
    let warned = |samples: Vec<u16>, trns: Vec<u16>, rule: Option<&str>| {
        let palette = vec![[0; 3], [255; 3], [255, 0, 0]];
        let drawing = Drawing { palette, trns, ..square(2, 8, samples) };
        let mask_rule = rule.map(|rule| rule.parse().unwrap());
        let options = LoadOptions { mask_rule, ..LoadOptions::default() };
        let level = load(&drawing.png(), &options).unwrap();
        level.0.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let hidden = || (0..64).map(|pixel| u16::from(pixel < 40)).collect::<Vec<u16>>();
    assert_eq!(
        warned(hidden(), vec![0], None),
        [
            "24 px of black are solid, although all black is transparent; say which pixels are solid \
             (`LoadOptions::mask_rule`, `--mask`)"
        ]
    );
    assert_eq!(warned(hidden(), vec![0], Some("black")), [""; 0]);
    assert_eq!(warned(hidden(), Vec::new(), None), [""; 0], "opaque black and white");
    let marked = (0..64).map(|pixel| [0, 1, 2][usize::from(pixel > 20) + usize::from(pixel > 60)]);
    let marked: Vec<u16> = marked.collect();
    assert!(warned(marked.clone(), Vec::new(), None)[0].starts_with("3 px in vivid colours"));
    assert_eq!(warned(marked, Vec::new(), Some("dark")), [""; 0]);
    let full = warned(vec![0; 64], Vec::new(), Some("dark"));
    assert!(full[0].starts_with("every pixel is solid"), "{full:?}");
}
