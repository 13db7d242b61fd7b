//! `render --view text`: the text of levels, to the letter.

use std::fs;

use crate::shared::{bitwall, bitwall_in, root};

/// Compares the text of a level with the file of that name in `cli/tests/fixtures/text`. `UPDATE_GOLDEN=1`
/// writes it.
fn assert_golden(name: &str, args: &[&str]) -> String {
    let mut line = vec!["render", "--view", "text"];
    line.extend(args);
    let (code, text, err) = bitwall(&line, "");
    assert_eq!((code, &*err), (0, ""), "{args:?}");
    assert!(text.is_ascii());
    assert!(!text.lines().any(|line| line.ends_with(' ')), "{text}");
    let path = root().join("cli/tests/fixtures/text").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, &text).unwrap();
        panic!("wrote {}: check it", path.display());
    }
    assert_eq!(text, fs::read_to_string(&path).unwrap(), "{name}");
    text
}

#[test]
fn maps_and_masks_are_drawn_as_they_were() {
    assert_golden("cave.txt", &["assets/cave.tmx"]);
    assert_golden("hills.txt", &["assets/hills.tmx"]);
    assert_golden("rooms.txt", &["assets/rooms.ldtk", "--region", "-9,40,200,100"]);
    assert_golden("harbor.txt", &["assets/harbor_mask.png", "--fit", "80x40"]);
    assert_golden("harbor-part.txt", &["assets/harbor_mask.png", "--region", "340,30,90,60"]);
    let every = assert_golden("every.txt", &["cli/tests/fixtures/text/every.tmx"]);
    for mark in
        ["#  solid", "/  slope", "\\  slope", "-  one-way", "~  area `water`", "=  area `ladder`"]
    {
        assert!(every.contains(mark), "{mark}");
    }
}

#[test]
fn a_large_level_is_drawn_in_blocks_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.png");
    let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), 4_096, 4_096);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    // White, but for a black half at the left.
    let row: Vec<u8> = (0..512).map(|byte| if byte < 256 { 0 } else { 255 }).collect();
    encoder.write_header().unwrap().write_image_data(&row.repeat(4_096)).unwrap();
    let draw = |args: &[&str]| {
        let line = [&["render", "large.png", "--view", "text"][..], args].concat();
        let (code, text, err) = bitwall_in(folder.path(), &line, "");
        assert_eq!(code, 0, "{err}");
        text
    };
    let text = draw(&[]);
    assert!(text.starts_with(
        "large.png: 4096 x 4096 px; a character is 64 x 64 cells of 1 x 1 px; a region"
    ));
    assert!(text.contains(&format!("\n   0 {}{}\n", "#".repeat(32), ".".repeat(32))), "{text}");
    assert!(text.contains(&format!("\n4032 {}{}\n", "#".repeat(32), ".".repeat(32))), "{text}");
    assert_eq!(text.lines().filter(|line| line.ends_with("......")).count(), 64);
    let text = draw(&["--region", "2040,100,16,2"]);
    assert!(
        text.contains("one cell of 1 x 1 px") && text.contains("\n100 ########........\n"),
        "{text}"
    );
    let text = draw(&["--fit", "2x2"]);
    assert!(text.contains("2048 x 2048 cells") && text.contains("\n   0 #.\n2048 #.\n"), "{text}");
}

#[test]
fn a_text_is_written_to_standard_output_or_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let mask = root().join("assets/thin_walls.png");
    fs::copy(mask, folder.path().join("walls.png")).unwrap();
    let run = |args: &[&str]| {
        bitwall_in(folder.path(), &[&["render", "walls.png", "--view", "text"], args].concat(), "")
    };
    let (code, text, _) = run(&[]);
    assert_eq!(code, 0);
    assert_eq!(run(&["-o", "walls.txt"]), (0, String::new(), String::new()));
    assert_eq!(fs::read_to_string(folder.path().join("walls.txt")).unwrap(), text);
    for (args, expected) in [
        (&["-o", "walls.png"][..], "a text ends with .txt"),
        (
            &["--scale", "2"],
            "--scale has no effect on --view text; use --view both, art or collision",
        ),
        (&["--legend"], "--legend has no effect on --view text; use --view both"),
        (&["--art", "walls.png"], "--art has no effect"),
        (&["--reach"], "--reach has no effect"),
        (&["--region", "900,900,1,1"], "region"),
    ] {
        let (code, out, err) = run(args);
        assert_eq!(
            (code, out.is_empty(), err.contains(expected)),
            (2, true, true),
            "{args:?}: {err}"
        );
    }
}

#[test]
fn a_place_of_a_level_is_explained() {
    for (args, expected) in [
        (
            "assets/cave.tmx --at 260,340",
            "solid: cell (col 16, row 21), tile 211 of tileset `cave` in layer `Collision` (solid by its name)\n",
        ),
        (
            "assets/cave.tmx --cell 16,21",
            "solid: cell (col 16, row 21), tile 211 of tileset `cave` in layer `Collision` (solid by its name)\n",
        ),
        (
            "assets/cave.tmx --at 120,360",
            "passable: cell (col 7, row 22)\nmarker `player` (spawn) at (x 120, y 360)\n",
        ),
        ("assets/cave.tmx --at=-1,5", "solid: the outside of the level, cell (col -1, row 0)\n"),
        (
            "assets/harbor_mask.png --at 0,0",
            "solid: pixel (x 0, y 0) of the mask\ncolour #000000, opacity 255; solid by the rule dark=128\n",
        ),
        (
            "assets/hills.tmx --cell 42,7",
            "passable: pixel (x 672, y 112), tile 5 of tileset `hills` in layer `Ground` (one-way)\none-way: stops what comes from above\n",
        ),
        (
            "cli/tests/fixtures/text/every.tmx --cell 1,2",
            "passable: pixel (x 16, y 32)\narea `water`\n",
        ),
    ] {
        let line: Vec<&str> = ["info"].into_iter().chain(args.split(' ')).collect();
        assert_eq!(bitwall(&line, ""), (0, expected.to_owned(), String::new()), "{args}");
    }
    assert_eq!(bitwall(&["info", "assets/cave.tmx", "--at", "7"], "").0, 2);
}
