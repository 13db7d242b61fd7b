//! Compares pictures with many shades and colours with a naive loop over the pixels.

use super::*;

/// Returns a random opaque picture with samples of 8 bits: gray for format 0, RGB for 1, a palette for 2,
/// gray with alpha for 3, RGBA for 4. Samples have `levels` different values, and the height is in `rows`. If
/// `only_shades`, red, green and blue of each pixel are equal.
fn opaque(
    rng: &mut fastrand::Rng,
    format: usize,
    levels: u32,
    only_shades: bool,
    rows: std::ops::Range<u32>,
) -> Drawing {
    let (width, height) = (rng.u32(60..200), rng.u32(rows));
    let channels = FORMATS[format].1;
    let mut level = || (rng.u32(0..levels) * 255 / (levels - 1)) as u16;
    let mut color = || {
        let (gray, other) = (level(), [level(), level()]);
        if only_shades { [gray; 3] } else { [gray, other[0], other[1]] }
    };
    let palette = (0..256).map(|_| color().map(|sample| sample as u8)).collect();
    let pixel = |_| match (color(), channels) {
        ([gray, ..], 1) => vec![gray],
        ([gray, ..], 2) => vec![gray, 255],
        (color, 3) => color.to_vec(),
        (color, _) => [&color[..], &[255]].concat(),
    };
    let samples = (0..width * height).flat_map(pixel).collect();
    let drawing = Drawing { width, height, ..square(format, 8, samples) };
    if format == 2 { Drawing { palette, ..drawing } } else { drawing }
}

/// True if a pixel is opaque, but neither black nor white.
fn is_gray(drawing: &Drawing, x: u32, y: u32) -> bool {
    let ([red, green, blue, alpha], full) = drawing.look(x, y);
    alpha == full && ![[0; 3], [full; 3]].contains(&[red, green, blue])
}

fn pixels_of(drawing: &Drawing) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (width, height) = (drawing.width, drawing.height);
    (0..height).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

/// Compares a mask without planes with the naive loop.
fn compare(drawing: &Drawing, rule: &MaskRule) {
    let level = decode(&drawing.png(), rule).unwrap();
    let (text, counts) = drawing.classified_one_by_one(rule);
    let picture = format!("colour type {}, {rule}, {} wide", drawing.color, drawing.width);
    assert_eq!(text_of(&level), text, "{picture}");
    assert_eq!(mask_source(&level).counts, counts, "{picture}");
}

fn noise_rules() -> Vec<MaskRule> {
    let dark = [0, 1, 254].map(|threshold| MaskRule::DarkIsSolid { threshold });
    // Sixteen shades of gray, each between passable ones.
    let shades = MaskRule::Colors((0..16).map(|shade| [shade * 9; 3]).collect());
    [rules(), dark.to_vec(), vec![shades]].concat()
}

#[test]
fn random_shades_and_colours_agree_with_a_pixel_by_pixel_loader() {
    let mut rng = fastrand::Rng::with_seed(31);
    for round in 0..150 {
        let levels = [2, 3, 5, 30, 256][rng.usize(0..5)];
        let only_shades = rng.bool();
        let drawing = opaque(&mut rng, round % 5, levels, only_shades, 1..20);
        compare(&drawing, rng.choice(&noise_rules()).unwrap());
    }
}

#[test]
fn every_row_of_large_noise_agrees_with_a_pixel_by_pixel_loader() {
    let mut rng = fastrand::Rng::with_seed(32);
    for round in 0..60 {
        let levels = [20, 30, 256][rng.usize(0..3)];
        let mut drawing = opaque(&mut rng, round % 5, levels, round % 3 > 0, 150..190);
        let (width, area) = (drawing.width as usize, (drawing.width * drawing.height) as usize);
        let channels = drawing.channels;
        for _ in 0..rng.usize(0..400) {
            // Makes a run of equal pixels, or repeats a block of 64 pixels. Then changes one sample anywhere.
            let period = [1, 64][rng.usize(0..2)] * channels;
            let from = rng.usize(0..area) / 64 * 64 * channels;
            let to = (from + rng.usize(1..200) * channels).min(area * channels);
            for at in (from + period).min(to)..to {
                drawing.samples[at] = drawing.samples[at - period];
            }
            drawing.samples[rng.usize(0..area * channels)] =
                rng.choice([0, 1, 127, 254, 255]).unwrap();
        }
        // In a picture of at least 128 columns, the second block of each row equals the first. In half of the
        // rows, these blocks have at most seven different pixels.
        for row in (0..drawing.height as usize).filter(|_| width >= 128) {
            let row = row * width * channels;
            if rng.bool() {
                let few = rng.usize(1..8) * channels;
                for at in few..64 * channels {
                    drawing.samples[row + at] = drawing.samples[row + at % few];
                }
            }
            drawing.samples.copy_within(row..row + 64 * channels, row + 64 * channels);
        }
        if channels % 2 == 1 && drawing.palette.is_empty() && rng.bool() {
            // All pixels of one colour are transparent.
            let pixel = rng.usize(0..area) * channels;
            drawing.trns = drawing.samples[pixel..pixel + channels].to_vec();
        }
        let rule = rng.choice(noise_rules()).unwrap();
        compare(&drawing, &rule);
        compare_planes(&drawing, &rule, [(); 3].map(|()| drawing.some_color(&mut rng)));
    }
}

/// Compares a mask whose first two colours are areas, and whose third is solid, with the naive loops.
fn compare_planes(drawing: &Drawing, rule: &MaskRule, colors: [[u8; 3]; 3]) {
    let names = ["water", "ice", "solid"];
    let planes = names.into_iter().zip(colors).map(|(name, color)| MaskPlane::new(name, color));
    let options = LoadOptions {
        mask_rule: Some(rule.clone()),
        planes: planes.collect(),
        ..Default::default()
    };
    let level = load(&drawing.png(), &options).unwrap();
    let (text, _) = drawing.classified_one_by_one(rule);
    let mut by_rule = text.bytes().filter(|byte| *byte != b'\n').map(|byte| byte == b'#');
    let (mut in_planes, mut gray) = (0, 0);
    for (x, y) in pixels_of(drawing) {
        let [water, ice, solid] = colors.map(|color| drawing.is_color(x, y, color));
        let place = format!("colour type {}, {rule}: {x}, {y}", drawing.color);
        for (name, is_in) in names.into_iter().zip([water, ice]) {
            let area = level.area(name).expect("an area").grid();
            assert_eq!(area.is_solid(x, y), is_in, "{name}, {place}");
        }
        let is_solid = by_rule.next() == Some(true) && !water && !ice || solid;
        assert_eq!(level.grid().is_solid(x, y), is_solid, "{place}");
        let ([.., alpha], full) = drawing.look(x, y);
        let is_plane = water || ice || solid;
        in_planes += u64::from(is_plane && alpha == full);
        gray += u64::from(!is_plane && is_gray(drawing, x, y));
    }
    let counts = &mask_source(&level).counts;
    assert_eq!((counts.in_planes, counts.gray), (in_planes, gray), "{rule}");
}

#[test]
fn a_value_outside_the_palette_is_also_an_error_in_noise() {
    let samples =
        (0..100 * 200).map(|at| if at == 150 * 100 + 70 { 40 } else { at % 40 }).collect();
    let palette = (100..140).map(|shade| [shade; 3]).collect();
    let drawing = Drawing { width: 100, height: 200, palette, ..square(2, 8, samples) };
    let error = error_of(&drawing.png());
    assert!(error.contains("x 70, y 150"), "{error}");
}
