//! Faults planted by a program in clean masks, and the rules that find them. The module `pairs` plants faults
//! in pairs of a mask and its art.
//!
//! `cargo test -p bitwall-cli --test lint -- planted_masks --nocapture` prints the tables.

mod damages;
mod drawn;
mod faults;
mod pairs;

use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::Path;

use bitwall::image::{GrayImage, ImageFormat, Luma, Rgb, RgbImage, Rgba, RgbaImage};
use bitwall_cli::lint::{Finding, RuleLevel, VerifyOptions, verify_bytes, verify_bytes_with};
use fastrand::Rng;

use drawn::{Cells, KINDS, mask};
use faults::{planted, png};

/// Returns the codes of the findings in a file that is not on the disk, each once.
fn codes(name: &str, bytes: &[u8], options: &VerifyOptions) -> Vec<&'static str> {
    let report = verify_bytes(Path::new(name), bytes, options);
    let mut codes: Vec<&str> = report.findings.iter().map(code_of).collect();
    codes.dedup();
    codes
}

/// Returns options without the rules for hairlines. Random walls may lie one or two pixels apart, and four of
/// 27 real maps have walls of one pixel or gaps of two. The tests of `damages` are for these rules.
fn without_hairlines() -> VerifyOptions {
    let mut options = VerifyOptions::default();
    for rule in ["hairline-gap", "hairline-wall"] {
        options.levels.set(rule.parse().unwrap(), RuleLevel::Off);
    }
    options
}

/// Returns the code of a finding, or the cause of gray pixels in a word.
fn code_of(finding: &Finding) -> &'static str {
    let note = finding.notes.first().map_or("", String::as_str);
    match finding.rule.code {
        "MSK202" if finding.headline.contains("opaque") => "translucent",
        "MSK202" if note == "the edges are soft" => "soft",
        "MSK202" if note.ends_with("lossy compression") => "lossy",
        "MSK202" if note.ends_with("no name") => "stray",
        "MSK202" if note.ends_with("alone") => "two levels",
        code => code,
    }
}

#[derive(Default)]
struct Row {
    code: &'static str,
    planted: u32,
    found: u32,
    others: u32,
    names: Vec<String>,
}

fn print(title: &str, rows: &BTreeMap<&'static str, Row>) -> [u32; 3] {
    println!("{title:<30} | rule   | planted | found | others");
    let mut sums = [0; 3];
    for (kind, row) in rows {
        let Row { code, planted, found, others, names } = row;
        println!(
            "{kind:<30} | {code:<6} | {planted:>7} | {found:>5} | {others:>6} {}",
            names.join(" ")
        );
        sums = [sums[0] + planted, sums[1] + found, sums[2] + others];
    }
    println!("{:<30} | {:<6} | {:>7} | {:>5} | {:>6}", "all", "", sums[0], sums[1], sums[2]);
    sums
}

#[test]
fn planted_faults_of_masks_are_found_by_their_rules() {
    let mut rng = Rng::with_seed(13);
    let options = without_hairlines();
    let mut rows = BTreeMap::<&'static str, Row>::new();
    for number in 0..30 {
        let cells = mask(number, &mut rng);
        let clean = codes("clean_mask.png", &png(cells.image()), &options);
        assert!(clean.is_empty(), "{} {number}: {clean:?}", KINDS[number % KINDS.len()]);
        for fault in planted(&cells, &mut rng) {
            let mut options = options.clone();
            // Without a rule, such a mask is read as opaque, so it has no fault.
            options.load.mask_rule =
                (fault.code == "MSK215").then(bitwall::rules::MaskRule::default);
            let found = codes("x.png", &fault.bytes, &options);
            let row = rows.entry(fault.kind).or_default();
            row.code = fault.code;
            row.planted += 1;
            row.found += u32::from(found.contains(&fault.code));
            // The planted art may be all dark or all light, so that its level is blank too.
            let is_own =
                |code: &str| code == fault.code || code == "LVL305" && fault.code == "MSK213";
            let others: Vec<_> = found.iter().filter(|code| !is_own(code)).collect();
            row.others += u32::from(!others.is_empty());
            row.names
                .extend(others.into_iter().map(|code| format!("{}:{code}", KINDS[number % 5])));
        }
    }
    let [planted, found, others] = print("fault", &rows);
    assert!(found * 100 >= planted * 95, "{found} of {planted}");
    assert!(others * 100 <= planted, "{others} other findings");
}

/// Returns the codes and causes of gray pixels that are found in a mask of 40 columns. It has a number of
/// pixels of each of `colors`, one colour after the other.
fn gray_rules(colors: &[(usize, [u8; 3])]) -> Vec<&'static str> {
    let pixels: Vec<[u8; 3]> =
        colors.iter().flat_map(|(count, rgb)| std::iter::repeat_n(*rgb, *count)).collect();
    let image =
        RgbImage::from_fn(40, pixels.len() as u32 / 40, |x, y| Rgb(pixels[(y * 40 + x) as usize]));
    let report = verify_bytes("x.png", &png(image), &VerifyOptions::default());
    let known = ["MSK202", "soft", "lossy", "stray", "two levels", "MSK213", "MSK215"];
    report.findings.iter().map(code_of).filter(|code| known.contains(code)).collect()
}

#[test]
fn the_number_and_lightness_of_colours_decide_the_cause_of_gray_pixels() {
    const BLACK: [u8; 3] = [0; 3];
    const WHITE: [u8; 3] = [255; 3];
    // Returns `count` grays from a first one on, each with `each` pixels.
    let grays = |first: u8, count: u8, each: usize| {
        (first..first + count).map(move |light| (each, [light; 3])).collect::<Vec<_>>()
    };
    // A colour of less than a hundredth of the pixels is not the second colour of a mask.
    assert_eq!(gray_rules(&[(1_584, WHITE), (16, [120; 3])]), ["two levels"]);
    assert_eq!(gray_rules(&[(1_585, WHITE), (15, [120; 3])]), ["stray"]);
    assert_eq!(gray_rules(&[(1_597, WHITE), (3, [120; 3])]), ["MSK202"]);
    // Most pixels are gray, but one colour makes no painting.
    assert_eq!(gray_rules(&[(300, BLACK), (300, WHITE), (1_000, [0, 0, 200])]), ["stray"]);
    // More than 16 colours, of which two fifths are neither nearly black nor nearly white.
    let bare = [(400, BLACK), (400, WHITE)];
    let is_painting =
        |colors: Vec<(usize, [u8; 3])>| gray_rules(&[&bare[..], &colors].concat()) == ["MSK213"];
    assert!(!is_painting(grays(100, 16, 50)));
    assert!(is_painting(grays(100, 17, 80)));
    let of = |dark: u8, middle: u8, light: u8| {
        [grays(10, dark, 40), grays(100, middle, 40), grays(220, light, 40)].concat()
    };
    assert!(is_painting(of(6, 8, 6)));
    assert!(!is_painting(of(7, 7, 6)));
    // A dark painting with few black and white pixels.
    let dark = [&[(50, BLACK), (50, WHITE)][..], &grays(10, 20, 75)].concat();
    for times in [1, 40] {
        assert_eq!(gray_rules(&dark.repeat(times)), ["MSK213"], "{times} times");
    }
}

/// Without these reasons, a mask that was not compared would look like one that fits its art.
#[test]
fn a_mask_that_cannot_be_compared_with_its_art_is_skipped_with_the_reason() {
    let checked = |is_solid: &dyn Fn(u32, u32) -> bool, height: u32, length: usize| {
        let cells = Cells::new(64, height, is_solid);
        let art = png(GrayImage::from_fn(64, height, |x, y| {
            Luma([if is_solid(x, y) { 60 } else { 140 } + (x * 7 + y * 5) as u8 % 20])
        }));
        let files = BTreeMap::from([("x.png", art[..art.len().min(length)].to_vec())]);
        let options = VerifyOptions::default();
        let report = verify_bytes_with("x_mask.png", &png(cells.image()), &files, &options);
        let skipped = report.skipped.into_iter();
        let of_art =
            skipped.filter(|it| ["mask-drift", "stale-or-inverted"].contains(&it.rule.name));
        let mut reasons: Vec<String> = of_art.map(|it| it.reason.to_string()).collect();
        let count = reasons.len();
        reasons.dedup();
        (count, reasons.concat())
    };
    let blocks = |x: u32, y: u32| (x / 9 + y / 7).is_multiple_of(3);
    assert_eq!(checked(&blocks, 48, usize::MAX), (0, String::new()));
    for (found, expected) in [
        (
            checked(&blocks, 39, usize::MAX),
            "the mask is too small, or nearly all solid or all passable, to be compared",
        ),
        (
            checked(&|x, y| x == 0 && y > 9, 48, usize::MAX),
            "the mask is too small, or nearly all solid or all passable, to be compared",
        ),
        (checked(&blocks, 48, 200), "the art is too large, or cannot be decoded"),
    ] {
        assert_eq!(found, (2, expected.to_owned()));
    }
}

/// A layer at half opacity has no opaque pixel: the layer is at fault, not a brush.
#[test]
fn a_mask_exported_at_half_opacity_says_so() {
    let help = |clear: u8| {
        let mask = RgbaImage::from_fn(24, 24, |x, y| {
            let is_wall = x < 4 || y > 18;
            Rgba(if is_wall { [0, 0, 0, 128] } else { [255, 255, 255, clear] })
        });
        let mut bytes = Vec::new();
        mask.write_to(&mut Cursor::new(&mut bytes), ImageFormat::Png).unwrap();
        let report = verify_bytes("a_mask.png", &bytes, &VerifyOptions::default());
        let found = report.findings.into_iter().find(|finding| finding.rule.code == "MSK202");
        found.map(|finding| finding.help).unwrap_or_default()
    };
    let layer = "set the layer to 100% opacity, and export it again";
    assert_eq!([help(128), help(0)], [layer, layer]);
    assert!(help(255).starts_with("flatten the picture"), "{}", help(255));
}
