//! Loads PNG files with named colours, with an animation, and with colour chunks that must not change the
//! cells.

use super::*;
use crate::level::Area;

/// Returns PNG chunks that change how colours are displayed (such as gamma), each with its name and bytes. No
/// solid cell may depend on such a chunk.
fn color_chunks() -> Vec<(&'static str, Vec<u8>)> {
    let of = |chunks: &[(&[u8; 4], Vec<u8>)]| {
        let mut bytes = Vec::new();
        for (name, data) in chunks {
            chunk(&mut bytes, name, data);
        }
        bytes
    };
    let gamma = |value: u32| of(&[(b"gAMA", value.to_be_bytes().to_vec())]);
    let primaries: Vec<u8> = [31_270u32, 32_900, 30_000, 60_000, 64_000, 33_000, 15_000, 6_000]
        .iter()
        .flat_map(|value| value.to_be_bytes())
        .collect();
    let profile = [b"name\0\0".to_vec(), compress(&[7; 300])].concat();
    vec![
        ("gamma 0.1", gamma(10_000)),
        ("gamma 0.45455", gamma(45_455)),
        ("gamma 1", gamma(100_000)),
        ("gamma 3", gamma(300_000)),
        ("sRGB", of(&[(b"sRGB", vec![0])])),
        ("cHRM", of(&[(b"cHRM", primaries.clone())])),
        ("gAMA and cHRM", [gamma(220_000), of(&[(b"cHRM", primaries)])].concat()),
        ("cICP of PQ", of(&[(b"cICP", vec![9, 16, 0, 1])])),
        ("cICP of a narrow range", of(&[(b"cICP", vec![1, 1, 0, 0])])),
        ("iCCP", of(&[(b"iCCP", profile)])),
    ]
}

#[test]
fn colour_chunks_of_a_png_do_not_change_its_pixels() {
    let mut rng = fastrand::Rng::with_seed(5);
    let chunks = color_chunks();
    for (format, (_, _, depths)) in FORMATS.iter().enumerate() {
        for depth in *depths {
            for interlaced in [false, true] {
                let drawing = drawing(&mut rng, format, *depth, 37, interlaced);
                let plain = drawing.png();
                let rule = rng.choice(rules()).unwrap();
                let (text, counts) = drawing.classified_one_by_one(&rule);
                for (name, bytes) in &chunks {
                    // All these chunks are allowed after the signature and the chunk `IHDR`.
                    let png = [&plain[..33], bytes, &plain[33..]].concat();
                    let level = decode(&png, &rule).unwrap();
                    assert_eq!(text_of(&level), text, "{name}, {rule}, {drawing:?}");
                    assert_eq!(mask_source(&level).counts, counts, "{name}, {rule}");
                }
            }
        }
    }
}

/// Returns an animated PNG with a black and a white frame. If `own_default`, it has a separate default image;
/// otherwise, the first frame is the default image.
fn animated_png(own_default: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, 2, 1);
    encoder.set_animated(2, 0).unwrap();
    encoder.set_sep_def_img(own_default).unwrap();
    let mut writer = encoder.write_header().unwrap();
    let default: &[&[u8]] = if own_default { &[&[0, 255]] } else { &[] };
    for row in default.iter().chain(&[&[0, 0][..], &[255, 255]]) {
        writer.write_image_data(row).unwrap();
    }
    writer.finish().unwrap();
    bytes
}

#[test]
fn an_animated_png_loads_its_default_image_and_is_marked_animated() {
    for (own_default, text) in [(false, "##\n"), (true, "#.\n")] {
        let level = decode(&animated_png(own_default), &MaskRule::default()).unwrap();
        assert_eq!(text_of(&level), text);
        assert!(mask_source(&level).animated);
    }
    let still = decode(&square(0, 8, vec![0]).png(), &MaskRule::default()).unwrap();
    assert!(!mask_source(&still).animated);
}

#[test]
fn an_area_has_the_pixels_of_its_colours_in_every_format() {
    let mut rng = fastrand::Rng::with_seed(13);
    let (mut areas, mut solids) = (0, 0);
    for width in 1..=80 {
        for (format, (_, _, depths)) in FORMATS.iter().enumerate() {
            for depth in *depths {
                let interlaced = rng.bool();
                let drawing = drawing(&mut rng, format, *depth, width, interlaced);
                let planes: Vec<MaskPlane> = (0..4)
                    .map(|_| {
                        let name = *rng.choice(&["a", "b", "solid"]).unwrap();
                        MaskPlane::new(name, drawing.some_color(&mut rng))
                    })
                    .collect();
                let mut options =
                    LoadOptions { mask_rule: rng.choice(rules()), ..LoadOptions::default() };
                let png = drawing.png();
                let plain = load(&png, &options).unwrap();
                options.planes = planes.clone();
                let level = load(&png, &options).unwrap();
                let in_plane = |name: Option<&str>, x, y| {
                    let planes = planes.iter().filter(|p| name.is_none_or(|n| p.name == n));
                    planes.into_iter().any(|plane| drawing.is_color(x, y, plane.color))
                };
                let what = format!("{planes:?}, {drawing:?}");
                for (x, y) in (0..drawing.height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                    let at = |terrain: &Terrain| terrain.grid().is_solid(x, y);
                    let solid = match in_plane(None, x, y) {
                        true => in_plane(Some("solid"), x, y),
                        false => at(&plain),
                    };
                    assert_eq!(at(&level), solid, "({x}, {y}) of {what}");
                    for Area { name, terrain, .. } in level.areas() {
                        let inside = in_plane(Some(name), x, y);
                        assert_eq!(at(terrain), inside, "{name} at ({x}, {y}) of {what}");
                        areas += u32::from(inside);
                    }
                    solids += u32::from(solid && !at(&plain));
                }
                let counts = &mask_source(&level).counts;
                let kinds = counts.black + counts.white + counts.gray + counts.in_planes;
                let kinds = kinds + counts.translucent + counts.transparent;
                assert_eq!(kinds, level.grid().cell_count(), "{what}");
                assert_eq!(counts.solid, level.grid().solid_count(), "{what}");
            }
        }
    }
    assert!(areas > 10_000 && solids > 1_000, "{areas} {solids}");
}

#[test]
fn an_area_of_a_mask_answers_queries_and_is_open_outside() {
    // The picture has a black, a white and a blue column.
    let palette = vec![[0; 3], [255; 3], [0, 0, 255]];
    let drawing = Drawing { palette, ..square(2, 8, vec![0, 1, 2, 0, 1, 2, 0, 1, 2]) };
    let options = LoadOptions {
        planes: vec!["sea=#0000ff".parse().unwrap(), "none=#123456".parse().unwrap()],
        ..LoadOptions::default()
    };
    let level = load(&drawing.png(), &options).unwrap();
    assert_eq!(text_of(&level), "#..\n#..\n#..\n");
    let names: Vec<&str> = level.areas().iter().map(|area| area.name.as_str()).collect();
    assert_eq!(names, ["sea", "none"]);
    let sea = level.area("sea").unwrap();
    assert_eq!((text_of(sea).as_str(), sea.size()), ("..#\n..#\n..#\n", level.size()));
    let body = crate::Aabb::from_xywh(0, 0, 1, 1);
    assert_eq!(sea.sweep(body, crate::Dir::Right, 9).moved, 1);
    assert!(sea.can_move(body, crate::Dir::Left, 9), "open outside");
    assert!(!level.can_move(body, crate::Dir::Left, 9), "the level is not open outside");
    assert_eq!(level.area("none").map(|none| none.grid().solid_count()), Some(0));
    assert!(level.area("solid").is_none() && level.area("air").is_none());
    let counts = &mask_source(&level).counts;
    assert_eq!((counts.in_planes, counts.gray, counts.black), (3, 0, 3));
    assert_eq!(level.memory_bytes(), 3 * level.grid().memory_bytes());
}
