//! Masks that do not show clearly what is solid: what `info`, `render` and `can-move` say of them, and what
//! `init` and `verify` leave alone.

use std::fs;
use std::path::Path;

use bitwall::LoadedLevel;
use bitwall::image::{Rgba, RgbaImage};

use crate::shared::{bitwall_in, shared};

const BLACK: [u8; 4] = [0, 0, 0, 255];
const WHITE: [u8; 4] = [255; 4];

/// A mask of 64 x 64 pixels: its floor begins at y = 40.
fn save(folder: &Path, name: &str, color: impl Fn(u32, u32) -> [u8; 4]) {
    let picture = RgbaImage::from_fn(64, 64, |x, y| Rgba(color(x, y)));
    picture.save(folder.join(name)).unwrap();
}

/// Writes a mask with a palette of 1 bit: black, which is transparent, and white.
fn save_with_hidden_black(path: &Path) {
    let mut file = fs::File::create(path).unwrap();
    let mut encoder = png::Encoder::new(&mut file, 64, 64);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_palette(vec![0, 0, 0, 255, 255, 255]);
    encoder.set_trns(vec![0]);
    let rows: Vec<u8> = (0..64 * 8).map(|byte| if byte < 40 * 8 { 255 } else { 0 }).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&rows).unwrap();
    writer.finish().unwrap();
}

/// Colours in which no two neighbours are alike.
fn painted(x: u32, y: u32) -> [u8; 4] {
    [(x * 4) as u8, (y * 4) as u8, ((x + y) * 2) as u8, 255]
}

#[test]
fn info_render_and_can_move_tell_of_a_doubtful_mask() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save(folder, "painted_mask.png", painted);
    save(folder, "full_mask.png", |_, _| BLACK);
    save(folder, "art_mask.png", |x, y| if y < 40 { [0; 4] } else { painted(x, y) });
    save_with_hidden_black(&folder.join("gba_mask.png"));
    let teleport = |x, y| match (x / 8, y) {
        (_, 40..) => BLACK,
        (4, 20..24) => [220, 0, 0, 255],
        _ => WHITE,
    };
    save(folder, "teleport_mask.png", teleport);
    save(folder, "good_mask.png", |_, y| if y < 40 { WHITE } else { BLACK });
    for (name, words, solid) in [
        ("painted_mask.png", "the mask is a painting: ", None),
        ("full_mask.png", "every pixel is solid; ", Some(64 * 64)),
        ("art_mask.png", "all opaque pixels are solid: ", Some(24 * 64)),
        (
            "gba_mask.png",
            "1536 px of black are solid, although all black is transparent; ",
            Some(24 * 64),
        ),
        ("teleport_mask.png", "32 px in vivid colours are passable", Some(24 * 64)),
        ("good_mask.png", "", Some(24 * 64)),
    ] {
        let (_, info, _) = bitwall_in(folder, &["info", name], "");
        let (_, json, _) = bitwall_in(folder, &["info", name, "--format", "json"], "");
        let body = ["--body", "0,0,4,4", "--dir", "down", "--step", "9"];
        let asked = [&["can-move", name][..], &body].concat();
        let (_, _, moved) = bitwall_in(folder, &asked, "");
        let (_, _, answered) =
            bitwall_in(folder, &["can-move", name, "--questions", "-"], "0 0 4 4 down 9\n");
        let (_, _, rendered) = bitwall_in(folder, &["render", name, "-o", "out.png"], "");
        for said in [info, json, moved, answered, rendered] {
            assert_eq!(said.contains("warning: ") || said.contains("  warning "), {
                !words.is_empty() && !said.starts_with('{')
            });
            assert!(said.contains(words), "{name}: {said}");
        }
        let level = LoadedLevel::load(folder.join(name), &Default::default()).unwrap().level;
        let count = level.grid().solid_count();
        assert!(solid.is_none_or(|solid| count == solid), "{name}: {count}");
    }
}

#[test]
fn render_and_can_move_tell_of_a_rule_that_fits_a_mask_better() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    save(folder, "walkable.png", |x, _| if x < 20 { BLACK } else { [0; 4] });
    let words =
        "warning: walkable.png: perhaps --mask transparent: the file's name says `walkable`";
    let asked = ["can-move", "walkable.png", "--body", "30,0,4,4", "--dir", "down", "--step", "9"];
    for asked in [&["render", "walkable.png", "-o", "out.png"][..], &asked] {
        let (_, _, err) = bitwall_in(folder, asked, "");
        assert!(err.starts_with(words), "{err}");
        let (_, _, err) = bitwall_in(folder, &[asked, &["--mask", "transparent"]].concat(), "");
        assert_eq!(err, "");
    }
}

/// The words of `init` and `verify` that would make the floor of the mask passable.
fn assert_nothing_inverts(folder: &Path, name: &str) {
    let (code, out, err) = bitwall_in(folder, &["init"], "");
    assert_eq!((code, &*err), (0, ""), "{out}");
    let toml = fs::read_to_string(folder.join("bitwall.toml")).unwrap();
    assert!(!toml.contains("opaque") && !toml.contains("light"), "{toml}");
    for rule in [&[][..], &["--mask", "dark"], &["--mask", "black"]] {
        let args = [&["verify", name, "--format", "full"][..], rule].concat();
        let (_, out, err) = bitwall_in(folder, &args, "");
        let is_proposed = out.contains("MSK215") || out.contains("opaque");
        assert!(!is_proposed, "{rule:?}: {out}{err}");
        let (_, info, _) = bitwall_in(folder, &[&["info", name][..], rule].concat(), "");
        assert!(!info.contains("--mask opaque") && !info.contains("--mask light"), "{info}");
    }
}

#[test]
fn nothing_proposes_to_invert_a_mask_whose_black_is_transparent() {
    let folder = tempfile::tempdir().unwrap();
    save_with_hidden_black(&folder.path().join("gba_mask.png"));
    assert_nothing_inverts(folder.path(), "gba_mask.png");
    let folder = tempfile::tempdir().unwrap();
    save(folder.path(), "cave_mask.png", |_, y| if y < 40 { WHITE } else { [0; 4] });
    assert_nothing_inverts(folder.path(), "cave_mask.png");
}

#[test]
fn the_masks_of_a_first_contact_are_read_right_or_with_a_word() {
    let Some(masks) = shared("trials4/firstcontact") else {
        return;
    };
    for (name, solid, words) in [
        ("gba_mask.png", Some(1_536), "1536 px of black are solid"),
        ("teleport_mask.png", Some(896), "64 px in vivid colours are passable"),
        ("white_walls_mask.png", Some(0), "try       --mask '#ffffff'"),
        ("painting_mask.png", None, "every pixel is solid"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(masks.join(name), folder.path().join(name)).unwrap();
        let (_, info, _) = bitwall_in(folder.path(), &["info", name], "");
        assert!(info.contains(words) && info.contains("  warning "), "{info}");
        let level = LoadedLevel::load(masks.join(name), &Default::default()).unwrap().level;
        assert!(solid.is_none_or(|solid| level.grid().solid_count() == solid), "{name}");
    }
    let folder = tempfile::tempdir().unwrap();
    fs::copy(masks.join("gba_mask.png"), folder.path().join("gba_mask.png")).unwrap();
    assert_nothing_inverts(folder.path(), "gba_mask.png");
}
