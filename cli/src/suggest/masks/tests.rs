use std::path::Path;

use bitwall::image::{ImageFormat, Rgba, RgbaImage};
use bitwall::load::Source;
use bitwall::rules::MaskPlane;
use bitwall::{LoadOptions, LoadedLevel};

use super::*;
use crate::suggest::suggestions;

fn suggested(pixels: &[[u8; 4]], options: &LoadOptions) -> Vec<String> {
    let width = pixels.len() as u32;
    let picture = RgbaImage::from_fn(width, 1, |x, _| Rgba(pixels[x as usize]));
    suggested_for("x.png", &picture, options)
}

fn suggested_for(name: &str, picture: &RgbaImage, options: &LoadOptions) -> Vec<String> {
    let found = found_for(name, picture, options);
    found.iter().map(|found| found.arguments().join(" ")).collect()
}

fn found_for(name: &str, picture: &RgbaImage, options: &LoadOptions) -> Vec<Suggestion> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a PNG");
    let loaded = LoadedLevel::decode(name, bytes.get_ref(), (), options).expect("a mask");
    let Source::Mask(source) = &loaded.source else { panic!("{:?}", loaded.source) };
    suggestions(&loaded, MaskFacts::read(source, bytes.get_ref()).as_ref())
}

/// Returns the options with a given rule.
fn given(rule: &str) -> LoadOptions {
    LoadOptions { mask_rule: Some(rule.parse().unwrap()), ..LoadOptions::default() }
}

const CLEAR: [u8; 4] = [0; 4];
const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];
const RED: [u8; 4] = [255, 0, 0, 255];
const PINK: [u8; 4] = [255, 200, 200, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];

#[test]
fn a_mask_that_seems_right_gets_no_suggestion() {
    let dark = LoadOptions::default();
    assert_eq!(suggested(&[BLACK, WHITE], &dark), [""; 0]);
    assert_eq!(suggested(&[BLACK, CLEAR], &dark), [""; 0]);
    assert_eq!(suggested(&[BLACK, WHITE, [120, 120, 120, 255]], &dark), [""; 0]);
    let plane = LoadOptions {
        planes: vec![MaskPlane::new("water", [0, 0, 255])],
        ..LoadOptions::default()
    };
    assert_eq!(suggested(&[BLACK, WHITE, BLUE], &plane), [""; 0]);
    assert_eq!(suggested(&[CLEAR, CLEAR], &dark), [""; 0]);
    assert_eq!(suggested(&[RED, RED, WHITE, WHITE], &dark), [""; 0], "red is all that is solid");
    let red = LoadOptions { mask_rule: Some(MaskRule::Colors(vec![[255, 0, 0]])), ..dark };
    assert_eq!(suggested(&[RED, WHITE], &red), [""; 0]);
}

#[test]
fn a_blank_or_full_mask_gets_suggested_rules_that_fit_its_pixels() {
    let dark = LoadOptions::default();
    assert_eq!(suggested(&[WHITE, [255, 255, 255, 0]], &dark), ["--mask opaque"]);
    assert_eq!(suggested(&[WHITE, CLEAR], &given("dark")), ["--mask black"]);
    assert_eq!(suggested(&[WHITE, CLEAR], &dark), [""; 0], "black is solid at any opacity");
    assert_eq!(suggested(&[PINK, WHITE, WHITE], &dark), ["--mask light", "--mask #ffc8c8"]);
    let light = given("light");
    assert_eq!(suggested(&[BLACK, CLEAR], &light), ["--mask opaque"]);
    let opaque = given("opaque");
    assert_eq!(suggested(&[BLACK, WHITE], &opaque), ["--mask light", "--mask dark"]);
}

#[test]
fn a_colour_beside_black_and_white_is_suggested_as_an_area() {
    let dark = LoadOptions::default();
    assert_eq!(suggested(&[BLACK, WHITE, BLUE, BLUE], &dark), ["--plane blue=#0000ff"]);
    let planes = vec![MaskPlane::new("water", [0, 0, 255])];
    let with_water = LoadOptions { planes, ..LoadOptions::default() };
    assert_eq!(suggested(&[BLACK, WHITE, BLUE, RED], &with_water), ["--plane red=#ff0000"]);
    let dark_red = [200, 0, 0, 255];
    assert_eq!(
        suggested(&[BLACK, BLACK, WHITE, BLUE, RED, dark_red], &with_water),
        ["--mask #000000", "--plane red=#c80000", "--plane red2=#ff0000"]
    );
    let (cyan, pale) = ([0, 255, 255, 255], [60, 250, 250, 255]);
    assert_eq!(
        suggested(&[BLACK, WHITE, cyan, cyan, pale], &dark),
        ["--plane cyan=#00ffff", "--plane cyan2=#3cfafa"]
    );
}
/// Returns a picture drawn with characters: `#` (black), `.` (white), `o` (red), `b` (blue), `~` (half
/// transparent) and space (transparent).
fn drawn(rows: &[&str]) -> RgbaImage {
    RgbaImage::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| {
        Rgba(match rows[y as usize].as_bytes()[x as usize] {
            b'#' => BLACK,
            b'.' => WHITE,
            b'o' => RED,
            b'b' => BLUE,
            b'~' => [0, 0, 0, 100],
            _ => CLEAR,
        })
    })
}

#[test]
fn for_a_shape_on_a_transparent_ground_opaque_pixels_are_suggested_as_solid() {
    assert_eq!(suggested(&[RED, PINK, CLEAR, PINK], &LoadOptions::default()), [""; 0]);
    let dark = given("dark");
    assert_eq!(suggested(&[RED, PINK, CLEAR, PINK], &dark), ["--mask opaque"]);
    assert_eq!(suggested_for("m.png", &drawn(&["~~ ", "o#o", "ooo"]), &dark), ["--mask opaque=1"]);
    // White is a sixteenth of the shape, like a candle on a cake, so it is part of the shape.
    let cake = drawn(&["    ..", "######", "######", "######", "######", "######"]);
    assert_eq!(suggested_for("m.png", &cake, &dark), ["--mask opaque"]);
    let opaque = given("opaque");
    assert_eq!(suggested_for("m.png", &cake, &opaque), [""; 0]);
}

#[test]
fn the_transparent_pixels_of_a_file_named_walkable_are_suggested_as_solid() {
    let picture = drawn(&["  ##", "  ##"]);
    let suggested = |name, rule: &str| suggested_for(name, &picture, &given(rule));
    assert_eq!(suggested("walkable2.png", "dark"), ["--mask transparent"]);
    assert_eq!(suggested("a/Room_Passable.png", "opaque"), ["--mask transparent"]);
    assert_eq!(suggested("walkable2.png", "transparent"), [""; 0]);
    assert_eq!(suggested("walls.png", "dark"), [""; 0]);
}

#[test]
fn a_track_inside_a_passable_border_is_suggested_to_be_inverted() {
    let dark = LoadOptions::default();
    let track = ["......", ".####.", ".#..#.", ".####.", "......"];
    assert_eq!(suggested_for("m.png", &drawn(&track), &dark), ["--mask light"]);
    let light = given("light");
    assert_eq!(suggested_for("m.png", &drawn(&track), &light), [""; 0]);
    let islands = ["......", ".##.#.", ".#..#.", ".##.#.", "......"];
    assert_eq!(suggested_for("m.png", &drawn(&islands), &dark), [""; 0]);
}

#[test]
fn a_track_that_touches_one_side_of_the_mask_is_not_suggested_to_be_inverted() {
    for track in [
        [".####.", ".#..#.", ".####.", "......"],
        ["......", ".####.", ".#..#.", ".####."],
        ["......", "####..", "#..#..", "......"],
        ["......", "..####", "..#..#", "......"],
    ] {
        let found = suggested_for("m.png", &drawn(&track), &LoadOptions::default());
        assert_eq!(found, [""; 0], "{track:?}");
    }
}

/// The solid pixels must be a twentieth of the mask, and nearly all of them one piece.
#[test]
fn a_track_is_suggested_to_be_inverted_only_if_it_is_large_and_in_one_piece() {
    let suggested = |solid: &dyn Fn(u32, u32) -> bool| {
        let color = |x, y| Rgba(if solid(x, y) { BLACK } else { WHITE });
        let picture = RgbaImage::from_fn(20, 20, color);
        suggested_for("m.png", &picture, &LoadOptions::default())
    };
    assert_eq!(suggested(&|x, y| y == 9 && (1..=19).contains(&x)), [""; 0]);
    assert_eq!(suggested(&|x, y| y == 9 && (1..19).contains(&x)), [""; 0]);
    let in_rows = |x, y| (9..11).contains(&y) && (1..=10).contains(&x);
    assert_eq!(suggested(&in_rows), ["--mask light"]);
    assert_eq!(suggested(&|x, y| in_rows(x, y) && (x, y) != (1, 9)), [""; 0]);
    // One of 20 pixels may lie apart.
    let apart = |x, y| (in_rows(x, y) && (x, y) != (1, 9)) || (x, y) == (15, 15);
    assert_eq!(suggested(&apart), ["--mask light"]);
    assert_eq!(suggested(&|x, y| apart(x, y) && (x, y) != (2, 9) || (x, y) == (5, 5)), [""; 0]);
}

#[test]
fn a_colour_has_the_name_of_its_channels_above_half_of_the_largest() {
    for (color, name) in [
        ([255, 0, 0], "red"),
        ([127, 255, 127], "green"),
        ([127, 127, 255], "blue"),
        ([255, 127, 127], "red"),
        ([128, 255, 127], "yellow"),
        ([127, 255, 128], "cyan"),
        ([128, 127, 255], "magenta"),
        ([10, 5, 6], "magenta"),
        ([128, 255, 128], "pale"),
        ([0, 0, 0], "pale"),
    ] {
        assert_eq!(name_of(color), name, "{color:?}");
    }
}

/// The file has the number of pixels of each suggestion, a `?` for a guess, the arguments and the reason.
/// `UPDATE_GOLDEN=1 cargo test` writes it again and fails.
#[test]
fn the_suggestions_for_tiny_masks_are_those_of_the_golden_file() {
    let mut text = String::new();
    for (rule, rows) in [
        ("dark", &["....", "  ~o"][..]),
        ("dark", &["oob ", "~~.#"][..]),
        ("opaque", &["##oo", "...."][..]),
        ("light", &["....", "...."][..]),
        ("light", &["####", "####"][..]),
        ("light", &["##  ", "~###"][..]),
        ("dark", &["####", "##oo"][..]),
        ("light", &["#.oo", "#.bb"][..]),
        ("#ff0000", &["#..o", "#bbo"][..]),
        ("dark", &["####", "#.ob"][..]),
        ("dark", &["o.bb", "#.bo"][..]),
        ("dark", &["#  .", "#  ."][..]),
        ("light", &["#  .", "#  ."][..]),
        ("light", &["######", "#....#", "#.##.#", "#....#", "######"][..]),
        ("opaque", &["....", "...."][..]),
        ("opaque", &["####", "####"][..]),
        ("dark", &["oooo", "oooo"][..]),
        ("dark", &["####", "#.oo"][..]),
        ("dark", &["####", "#~ob"][..]),
        ("dark", &["......", ".####.", ".####.", ".... ."][..]),
        ("dark", &["......", ".####.", ".####.", "....~."][..]),
    ] {
        let picture = drawn(rows);
        let options = given(rule);
        text += &format!("# {rule}: {}\n", rows.join("|"));
        for found in found_for("m.png", &picture, &options) {
            let mark = if found.is_guess { "?" } else { "" };
            text += &format!("{} pixels{mark} {found}\n", found.cells);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let path = folder.join("mask-suggestions.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
        panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", path.display());
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
    for (line, kept) in text.lines().zip(kept.lines()) {
        assert_eq!(line, kept, "UPDATE_GOLDEN=1 writes {}", path.display());
    }
    assert_eq!(text.lines().count(), kept.lines().count());
}
