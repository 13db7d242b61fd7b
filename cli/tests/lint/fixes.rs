//! The option `bitwall verify --fix`: repaired masks have no findings, and their walls stay.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use bitwall::glam::UVec2;
use bitwall::image::codecs::jpeg::JpegEncoder;
use bitwall::image::{DynamicImage, GrayImage, ImageFormat, Luma};
use bitwall::{Level, LoadOptions, Outside};
use bitwall_cli::lint::fix::{FixKind, fix_mask};
use bitwall_cli::lint::{BodySpec, RuleLevel, VerifyOptions, verify_bytes};

use crate::shared::bitwall;

/// Returns a room in two grays, with a speck and a pinhole.
pub(crate) fn room(wall: u8, air: u8) -> GrayImage {
    GrayImage::from_fn(80, 60, |x, y| {
        let is_air = (6..74).contains(&x) && (6..54).contains(&y);
        let is_odd = (x, y) == (12, 15) || (x, y) == (13, 15) || (x, y) == (3, 3);
        Luma([if is_air != is_odd { air } else { wall }])
    })
}

pub(crate) fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns a PNG with a palette. The colour after a repair is not in the palette.
fn indexed(image: &GrayImage, depth: png::BitDepth, palette: &[[u8; 3]], wall: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width(), image.height());
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(depth);
    encoder.set_palette(palette.concat());
    let mut writer = encoder.write_header().unwrap();
    let bits = depth as u32;
    let mut data = Vec::new();
    for row in image.rows() {
        let values: Vec<u8> = row.map(|pixel| u8::from(pixel.0[0] != wall)).collect();
        let pack = |values: &[u8]| {
            let shifts = (0..8 / bits).map(|place| 8 - bits - place * bits);
            values.iter().zip(shifts).map(|(value, shift)| value << shift).sum::<u8>()
        };
        data.extend(values.chunks(8 / bits as usize).map(pack));
    }
    writer.write_image_data(&data).unwrap();
    writer.finish().unwrap();
    bytes
}

pub(crate) fn codes(name: &str, bytes: &[u8]) -> Vec<&'static str> {
    let report = verify_bytes(name, bytes, &VerifyOptions::default());
    report.findings.iter().map(|finding| finding.rule.code).collect()
}

#[test]
fn a_repaired_mask_is_a_png_without_findings() {
    let image = room(40, 210);
    let rgb = DynamicImage::from(image.clone()).into_rgb8();
    let rgba = DynamicImage::from(image.clone()).into_rgba8();
    let wide = DynamicImage::from(image.clone()).into_rgb16();
    let full = [[40; 3], [210; 3]];
    let more = [[40; 3], [210; 3], [255; 3], [9, 8, 7]];
    let files: [(&str, Vec<u8>); 7] = [
        ("gray.png", encoded(image.clone(), ImageFormat::Png)),
        ("rgb.png", encoded(rgb, ImageFormat::Png)),
        ("rgba.png", encoded(rgba, ImageFormat::Png)),
        ("wide.png", encoded(wide, ImageFormat::Png)),
        ("bit.png", indexed(&image, png::BitDepth::One, &full, 40)),
        ("two.png", indexed(&image, png::BitDepth::Two, &more, 40)),
        ("byte.png", indexed(&image, png::BitDepth::Eight, &more, 40)),
    ];
    for (name, file) in files {
        let options = VerifyOptions::default();
        assert_eq!(codes(name, &file), ["MSK202", "MSK210", "MSK210"], "{name}");
        let fix = fix_mask(name, &file, &options).unwrap().expect("repairs");
        let kinds: Vec<FixKind> = fix.changes.iter().map(|change| change.kind).collect();
        let wanted = [FixKind::Hardened, FixKind::PinholeFilled, FixKind::SpeckDropped];
        assert_eq!(kinds, wanted, "{name}");
        assert_eq!(codes(name, &fix.bytes), [""; 0], "{name}");
        assert_eq!(bitwall::image::guess_format(&fix.bytes).ok(), Some(ImageFormat::Png), "{name}");
        let level = |bytes: &[u8]| Level::decode(name, bytes, (), &LoadOptions::default()).unwrap();
        let (old, new) = (level(&file), level(&fix.bytes));
        let differ = |x: u32, y: u32| old.grid().is_solid(x, y) != new.grid().is_solid(x, y);
        let changed: Vec<(u32, u32)> = (0..60)
            .flat_map(|y| (0..80).map(move |x| (x, y)))
            .filter(|(x, y)| differ(*x, *y))
            .collect();
        assert_eq!(changed, [(3, 3), (12, 15), (13, 15)], "{name}");
        assert!(fix_mask(name, &fix.bytes, &options).unwrap().is_none(), "once is enough");
    }
}

#[test]
fn fix_makes_soft_edges_hard_without_moving_a_wall() {
    let disc = Path::new("tests/fixtures/verify/gray-pixels/bad_edge_disc.png");
    let bytes = fs::read(disc).unwrap();
    let fix = fix_mask(disc, &bytes, &VerifyOptions::default()).unwrap().expect("a repair");
    let level = |bytes: &[u8]| Level::decode(disc, bytes, (), &LoadOptions::default()).unwrap();
    assert_eq!(level(&bytes).grid(), level(&fix.bytes).grid(), "no wall moves");
    assert_eq!(codes("x.png", &fix.bytes), [""; 0]);
}

/// Noise near the threshold may have moved a wall.
#[test]
fn fix_removes_the_noise_of_a_jpeg_or_says_why_not() {
    let clean = room(0, 255);
    let saved = |quality: u8| {
        let mut jpeg = Vec::new();
        JpegEncoder::new_with_quality(&mut jpeg, quality).encode_image(&clean).unwrap();
        let picture = bitwall::image::load_from_memory(&jpeg).unwrap().into_luma8();
        (encoded(picture.clone(), ImageFormat::Png), picture)
    };
    let level = |bytes: &[u8]| Level::decode("x.png", bytes, (), &LoadOptions::default()).unwrap();
    let mut without = VerifyOptions::default();
    without.levels.set("specks".parse().unwrap(), RuleLevel::Off);
    for quality in [95, 85, 75, 60] {
        let (file, _) = saved(quality);
        let fix = fix_mask("x.png", &file, &without).unwrap().expect("a repair");
        let wanted = encoded(clean.clone(), ImageFormat::Png);
        assert_eq!(level(&fix.bytes).grid(), level(&wanted).grid(), "{quality}");
        let kinds: Vec<FixKind> = fix.changes.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [FixKind::Hardened], "{quality}");
    }
    let (_, mut picture) = saved(60);
    picture.put_pixel(20, 20, Luma([110]));
    let error = fix_mask("x.png", &encoded(picture, ImageFormat::Png), &without).unwrap_err();
    assert_eq!(error, "its noise is too near the threshold to tell walls from ways");
}

#[test]
fn faults_that_need_a_person_are_left_alone_with_a_reason() {
    let fixtures = Path::new("tests/fixtures/verify");
    let fix = |path: &str, options: &VerifyOptions| {
        let path = fixtures.join(path);
        fix_mask(&path, &fs::read(&path).unwrap(), options)
    };
    let mut options = VerifyOptions::default();
    for (path, rule, expected) in [
        ("gray-pixels/bad_translucent_brush.png", "gray-pixels", "neither opaque nor transparent"),
        ("gray-pixels/bad_stray_marker.png", "gray-pixels", "a person decides about gray-pixels"),
        ("hairline-gap/bad_slit.png", "hairline-gap", "a gap of 1 px"),
        ("hairline-wall/bad_line.png", "hairline-wall", "a wall of 1 px"),
        ("art-as-mask/bad_painting.png", "art-as-mask", "a painting"),
        ("shape-in-alpha/bad_bricks.png", "shape-in-alpha", "on a transparent ground"),
        ("shape-in-alpha/bad_white.png", "shape-in-alpha", "on a transparent ground"),
        ("gray-pixels/bad_one_gray.png", "gray-pixels", "no edges and no level of its own"),
    ] {
        // Without a rule, a shape on a transparent ground is read as opaque, so it has no fault.
        options.load.mask_rule = (rule == "shape-in-alpha").then(bitwall::rules::MaskRule::default);
        match fix(path, &options) {
            Err(reason) => assert!(reason.contains(expected), "{reason}"),
            other => panic!("{path}: {other:?}"),
        }
        let mut allowed = options.clone();
        allowed.levels.set(rule.parse().unwrap(), RuleLevel::Off);
        assert!(matches!(fix(path, &allowed), Ok(None)), "{path}: nobody asked");
    }
    options.load.mask_rule = None;
    for path in ["specks/good_stars.png", "nothing-solid/bad_renamed.tmx"] {
        assert!(fix(path, &options).unwrap().is_none(), "{path}");
    }
    let mut off = options;
    off.levels.set("specks".parse().unwrap(), RuleLevel::Off);
    assert!(fix("specks/bad_specks.png", &off).unwrap().is_none());
}

#[test]
fn fix_drops_a_speck_but_keeps_coloured_markers() {
    let mut image = DynamicImage::from(room(0, 255)).into_rgb8();
    for (x, y) in (30..34).flat_map(|y| (40..44).map(move |x| (x, y))) {
        image.put_pixel(x, y, bitwall::image::Rgb([250, 0, 0]));
    }
    image.put_pixel(60, 40, bitwall::image::Rgb([250, 0, 0]));
    let bytes = encoded(image.clone(), ImageFormat::Png);
    let fix = fix_mask("x.png", &bytes, &VerifyOptions::default()).unwrap().expect("a repair");
    let kinds: Vec<FixKind> = fix.changes.iter().map(|change| change.kind).collect();
    assert_eq!(kinds, [FixKind::PinholeFilled, FixKind::SpeckDropped]);
    let new = bitwall::image::load_from_memory(&fix.bytes).unwrap().into_rgb8();
    assert_eq!(new.get_pixel(60, 40), image.get_pixel(60, 40));
    let differ = image.pixels().zip(new.pixels()).filter(|(old, new)| old != new).count();
    assert_eq!(differ, 3);
}

#[test]
fn a_speck_that_blocks_the_way_of_a_body_is_not_dropped() {
    // The corridor is 9 pixels wide. A speck in its middle stops a body of 6 pixels.
    let corridor = GrayImage::from_fn(90, 60, |x, y| {
        let is_solid = !(5..14).contains(&y) || (x, y) == (30, 9);
        Luma([if is_solid { 0 } else { 255 }])
    });
    let bytes = encoded(corridor, ImageFormat::Png);
    let options = VerifyOptions::default();
    assert!(fix_mask("x.png", &bytes, &options).unwrap().is_some());
    let bodies = vec![BodySpec::new("mouse", UVec2::splat(3))];
    let small = VerifyOptions { bodies, ..options.clone() };
    assert!(fix_mask("x.png", &bytes, &small).unwrap().is_some());
    let bodies = vec![BodySpec::new("hero", UVec2::splat(6))];
    let large = VerifyOptions { bodies, ..options };
    match fix_mask("x.png", &bytes, &large) {
        Err(reason) => {
            assert_eq!(reason, "the body hero would get to other places");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn fix_does_not_merge_two_shades_on_one_side_of_the_threshold() {
    for (wall, air) in [(128, 255), (200, 240), (0, 60), (20, 90)] {
        let found = fix_mask(
            "x.png",
            &encoded(room(wall, air), ImageFormat::Png),
            &VerifyOptions::default(),
        );
        let is_refused = matches!(&found, Err(reason) if reason.contains("--mask"));
        assert!(is_refused || matches!(found, Ok(None)), "{wall}, {air}: {found:?}");
    }
}

/// Pixels with the transparent colour of a PNG are passable.
#[test]
fn fix_keeps_the_transparent_colour_of_a_png_transparent() {
    for color in [png::ColorType::Grayscale, png::ColorType::Rgb] {
        let (size, samples) = (64_usize, color.samples());
        let mut pixels = vec![255_u8; size * size * samples];
        let mut paint = |x: usize, y: usize, value: u8| {
            let at = (y * size + x) * samples;
            pixels[at..at + samples].fill(value);
        };
        (0..size * 8).for_each(|at| paint(at % size, at / size, 0));
        (0..size * 8).for_each(|at| paint(at % size, 20 + at / size, 7));
        paint(30, 40, 0);
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size as u32, size as u32);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_trns([0, 7].repeat(samples));
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        let transparent = |bytes: &[u8]| {
            let picture = bitwall::load::decode_picture("x.png", bytes).unwrap();
            picture.pixels().filter(|pixel| pixel.0[3] == 0).count()
        };
        let fix = fix_mask("x.png", &bytes, &VerifyOptions::default()).unwrap().expect("a speck");
        assert_eq!((transparent(&bytes), transparent(&fix.bytes)), (size * 8, size * 8));
    }
}

/// The outside is open, which must not change the areas of a body. A way that opens must not be outweighed by
/// a chamber that closes.
#[test]
fn a_fix_that_opens_a_way_or_a_chamber_for_a_body_is_refused() {
    let load = LoadOptions { outside: Outside::Open.into(), ..LoadOptions::default() };
    let bodies = vec![BodySpec::new("hero", UVec2::splat(4))];
    let options = VerifyOptions { bodies, ..VerifyOptions::default() };
    // A closed room and a closed chamber. A body of 4 pixels does not reach a speck close to a wall.
    let room = |specks: &[(u32, u32)]| {
        let picture = GrayImage::from_fn(80, 60, |x, y| {
            let in_room = (10..60).contains(&x) && (10..50).contains(&y);
            let in_chamber = (66..71).contains(&x) && (20..25).contains(&y);
            let is_solid = !(in_room || in_chamber) || specks.contains(&(x, y));
            Luma([if is_solid { 0 } else { 255 }])
        });
        encoded(picture, ImageFormat::Png)
    };
    let far = VerifyOptions { load, ..options.clone() };
    assert!(fix_mask("x.png", &room(&[(30, 30)]), &far).unwrap().is_some());
    // The speck is in the way out of a room. Behind it is a dead end, or the open outside.
    let door = GrayImage::from_fn(80, 60, |x, y| {
        let in_room = (10..60).contains(&x) && (10..50).contains(&y);
        let in_way = x < 10 && (20..25).contains(&y);
        let is_solid = !(in_room || in_way) || (x, y) == (1, 22);
        Luma([if is_solid { 0 } else { 255 }])
    });
    let door = encoded(door, ImageFormat::Png);
    assert!(fix_mask("x.png", &door, &options).unwrap().is_some());
    let found = fix_mask("x.png", &door, &far);
    assert!(found.is_err(), "{found:?}");
    // In the chamber of 5 pixels, a speck leaves no position for the body.
    let found = fix_mask("x.png", &room(&[(68, 22)]), &options);
    assert!(found.is_err(), "{found:?}");
}

/// Runs `verify --fix` on the file `name` in `folder`. Returns the exit code, and the lines about `name` on
/// standard error.
fn fixed(folder: &Path, name: &str, arguments: &[&str]) -> (i32, Vec<String>) {
    let path = folder.join(name);
    let given = [&["verify", "--fix", "--quiet"], arguments, &[path.to_str().unwrap()]].concat();
    let (code, _, stderr) = bitwall(&given, "");
    let lines = stderr.lines().filter_map(|line| line.split_once(&format!("{name}: ")));
    (code, lines.map(|(_, line)| line.to_owned()).collect())
}

#[test]
fn fix_says_why_it_repairs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).unwrap();
    write(
        "gray_mask.png",
        &fs::read("tests/fixtures/verify/gray-pixels/bad_one_gray.png").unwrap(),
    );
    let (code, lines) = fixed(folder.path(), "gray_mask.png", &[]);
    let reason = "not repaired: its gray pixels are no edges and no level of its own";
    assert_eq!((code, lines), (1, vec![reason.to_owned()]));
    let clean = GrayImage::from_fn(80, 60, |x, _| Luma([if x < 20 { 0 } else { 255 }]));
    write("clean_mask.png", &encoded(clean, ImageFormat::Png));
    let path = folder.path().join("clean_mask.png");
    let (code, _, stderr) = bitwall(&["verify", "--fix", path.to_str().unwrap()], "");
    assert_eq!(code, 0, "{stderr}");
    let nothing =
        "--fix: no mask has soft edges, noise, two levels, specks or pinholes to repair\n";
    assert!(stderr.contains(nothing), "{stderr}");
}

/// A finding of a baseline or of a revision is accepted, so the file must not be rewritten for it.
#[test]
fn known_findings_are_not_repaired() {
    for known in [["--baseline", "known.json"], ["--diff", "trunk"]] {
        let (code, out, err) = bitwall(&[&["verify", "--fix"], &known[..]].concat(), "");
        assert!(code == 2 && out.is_empty() && err.contains(known[0]), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn a_repaired_file_keeps_its_permissions_and_symbolic_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let old = encoded(room(0, 255), ImageFormat::Png);
    fs::write(at("one_mask.png"), &old).unwrap();
    fs::set_permissions(at("one_mask.png"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("one_mask.png", at("link_mask.png")).unwrap();
    assert_eq!(fixed(folder.path(), "link_mask.png", &[]).0, 0);
    let mode = |name: &str| fs::metadata(at(name)).unwrap().mode() & 0o7777;
    assert_eq!(mode("one_mask.png"), 0o640);
    assert!(fs::symlink_metadata(at("link_mask.png")).unwrap().is_symlink());
    assert_ne!(fs::read(at("one_mask.png")).unwrap(), old);
    fs::write(at("two_mask.png"), &old).unwrap();
    fs::set_permissions(at("two_mask.png"), fs::Permissions::from_mode(0o604)).unwrap();
    fs::hard_link(at("two_mask.png"), at("other.png")).unwrap();
    // A file with a second hard link is replaced too. The second name keeps the old content.
    assert_eq!(fixed(folder.path(), "two_mask.png", &[]).0, 0);
    assert_eq!((mode("two_mask.png"), fs::metadata(at("other.png")).unwrap().nlink()), (0o604, 1));
    assert_ne!(fs::read(at("two_mask.png")).unwrap(), old);
    assert_eq!(fs::read(at("other.png")).unwrap(), old);
    fs::write(at("locked_mask.png"), &old).unwrap();
    fs::set_permissions(at("locked_mask.png"), fs::Permissions::from_mode(0o444)).unwrap();
    let (_, lines) = fixed(folder.path(), "locked_mask.png", &[]);
    assert_eq!(lines, ["not repaired: the file is read-only"]);
    assert_eq!(fs::read(at("locked_mask.png")).unwrap(), old);
}

/// A full disk or a size limit during the write must leave the mask unchanged under both names.
#[cfg(unix)]
#[test]
fn a_failed_write_leaves_a_mask_with_two_hard_links_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let old = encoded(room(0, 255), ImageFormat::Png);
    fs::write(at("one_mask.png"), &old).unwrap();
    fs::hard_link(at("one_mask.png"), at("other.png")).unwrap();
    let limited = "trap '' XFSZ && ulimit -f 0 && exec \"$0\" verify --fix -q one_mask.png";
    let output = std::process::Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_bitwall")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    for name in ["one_mask.png", "other.png"] {
        assert!(fs::read(at(name)).unwrap() == old, "{name} has changed");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn fix_repairs_files_and_names_each_change() {
    let folder = tempfile::tempdir().unwrap();
    let mask = folder.path().join("room_mask.png");
    fs::write(&mask, encoded(room(0, 255), ImageFormat::Png)).unwrap();
    let mask_name = mask.to_str().unwrap();
    let (code, stdout, stderr) = bitwall(&["verify", "--fix", mask_name], "");
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    for change in ["a speck dropped at x 12, y 15", "a pinhole filled at x 3, y 3"] {
        assert!(stderr.contains(&format!("room_mask.png: {change}\n")), "{stderr}");
    }
    let (_, _, stderr) = bitwall(&["verify", "--fix", mask_name], "");
    assert!(!stderr.contains("dropped"), "{stderr}");
}
