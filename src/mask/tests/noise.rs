//! Compares opaque pictures with many shades and colours with a naive loop over the pixels.

use std::collections::BTreeMap;

use super::*;

/// Returns a random opaque picture: gray for format 0, RGB for 1, gray with alpha for 3, RGBA for 4. Samples
/// have `levels` different values. If `is_gray`, all pixels are gray. A picture with more than 20 rows is
/// large enough for its colours to be counted in a sample of the rows.
fn opaque(
    rng: &mut fastrand::Rng,
    format: usize,
    levels: u32,
    is_gray: bool,
    rows: std::ops::Range<u32>,
) -> Drawing {
    let (width, height) = (rng.u32(60..200), rng.u32(rows));
    let channels = FORMATS[format].1;
    let mut level = || (rng.u32(0..levels) * 255 / (levels - 1)) as u16;
    let pixel = |_| {
        let (gray, other) = (level(), [level(), level()]);
        let colors = if is_gray { [gray; 3] } else { [gray, other[0], other[1]] };
        let samples = match channels {
            1 => vec![gray],
            2 => vec![gray, 255],
            3 => colors.to_vec(),
            _ => [&colors[..], &[255]].concat(),
        };
        samples.into_iter()
    };
    let samples = (0..width * height).flat_map(pixel).collect();
    Drawing { width, height, ..square(format, 8, samples) }
}

#[test]
fn random_shades_and_colours_agree_with_a_pixel_by_pixel_loader() {
    let mut rng = fastrand::Rng::with_seed(31);
    let mut all = rules();
    all.extend([0, 1, 254].map(|threshold| MaskRule::DarkIsSolid { threshold }));
    for round in 0..120 {
        let format = [0, 1, 3, 4][round % 4];
        let levels = [2, 3, 5, 30, 256][rng.usize(0..5)];
        let is_gray = rng.bool();
        let drawing = opaque(&mut rng, format, levels, is_gray, 1..20);
        let rule = rng.choice(&all).unwrap();
        let level = decode(&drawing.png(), rule).unwrap();
        let (text, counts) = drawing.classified_one_by_one(rule);
        let picture = format!("format {format}, {levels} levels, {rule}, {}", drawing.width);
        assert_eq!(text_of(&level), text, "{picture}");
        assert_eq!(mask_source(&level).counts, counts, "{picture}");
        let Some(odd) = level.0.odd_pixels().filter(|_| counts.gray < 4_096) else {
            continue;
        };
        // The picture is small, so all its rows are counted.
        let mut naive = BTreeMap::<[u8; 3], u64>::new();
        for (x, y) in (0..drawing.height).flat_map(|y| (0..drawing.width).map(move |x| (x, y))) {
            let [red, green, blue, _] = drawing.look(x, y).0.map(|sample| sample as u8);
            if ![[0; 3], [255; 3]].contains(&[red, green, blue]) {
                *naive.entry([red, green, blue]).or_default() += 1;
            }
        }
        for color in &odd.colors.known {
            assert_eq!(naive[&color.rgb], color.count, "{picture}");
            let first = drawing.look(color.first.x, color.first.y).0.map(|sample| sample as u8);
            assert_eq!(first[..3], color.rgb, "{picture}");
        }
        assert_eq!(odd.colors.known.len(), naive.len().min(64), "{picture}");
        assert_eq!(odd.colors.count(), counts.gray, "{picture}");
        let known = odd.colors.known.iter().map(|color| color.count).sum::<u64>();
        assert_eq!(known + odd.colors.others, counts.gray, "{picture}");
        let dark: u64 =
            naive.iter().filter(|(rgb, _)| luma(**rgb) < 40).map(|(_, count)| count).sum();
        assert_eq!(odd.colors.with_luma(0..=39), dark, "{picture}");
    }
}

/// From the 17th shade and 8,192 gray pixels on, colours are counted in one of 31 rows, and the pixels of the
/// other rows are classified by other code.
#[test]
fn every_row_of_large_noise_agrees_with_a_pixel_by_pixel_loader() {
    let mut rng = fastrand::Rng::with_seed(32);
    let mut all = rules();
    all.extend([0, 1, 254].map(|threshold| MaskRule::DarkIsSolid { threshold }));
    let mut sampled = 0;
    for round in 0..48 {
        let format = [0, 1, 3, 4][round % 4];
        let (levels, is_gray) = ([30, 256][rng.usize(0..2)], round % 3 > 0);
        let mut drawing = opaque(&mut rng, format, levels, is_gray, 150..190);
        let (width, area) = (drawing.width as usize, (drawing.width * drawing.height) as usize);
        let channels = drawing.channels;
        for _ in 0..rng.usize(0..400) {
            // Equal pixels beside each other, up to whole blocks, and now and then another colour or opacity.
            let (from, length) = (rng.usize(0..area), rng.usize(1..200));
            let pixel = drawing.samples[from * channels..(from + 1) * channels].to_vec();
            for at in from..(from + length).min(area) {
                drawing.samples[at * channels..(at + 1) * channels].copy_from_slice(&pixel);
            }
            let odd = rng.usize(0..area * channels);
            drawing.samples[odd] = [0, 1, 127, 128, 254, 255][rng.usize(0..6)];
        }
        if channels % 2 == 1 && rng.bool() {
            // All pixels of one colour are transparent.
            let pixel = rng.usize(0..area) * channels;
            drawing.trns = drawing.samples[pixel..pixel + channels].to_vec();
        }
        let rule = rng.choice(&all).unwrap();
        let level = decode(&drawing.png(), rule).unwrap();
        let (text, counts) = drawing.classified_one_by_one(rule);
        let picture = format!("format {format}, {levels} levels, {rule}, {width} wide");
        assert_eq!(text_of(&level), text, "{picture}");
        assert_eq!(mask_source(&level).counts, counts, "{picture}");
        let odd = level.0.odd_pixels().expect("gray pixels");
        sampled += u32::from(odd.colors.count() < counts.gray);
        let gray = odd.gray.as_ref().expect("gray pixels");
        for (x, y) in (0..drawing.height).flat_map(|y| (0..drawing.width).map(move |x| (x, y))) {
            let ([red, green, blue, alpha], full) = drawing.look(x, y);
            let is_plain = [red, green, blue] == [0; 3] || [red, green, blue] == [full; 3];
            assert_eq!(gray.get(x, y), alpha == full && !is_plain, "{picture}: {x}, {y}");
        }

        // Two areas of gray colours, and solid pixels of a third.
        let colors = [(); 3].map(|()| drawing.some_color(&mut rng));
        let names = ["water", "ice", "solid"];
        let planes = names.into_iter().zip(colors).map(|(name, color)| MaskPlane::new(name, color));
        let options =
            LoadOptions { mask_rule: rule.clone(), planes: planes.collect(), ..Default::default() };
        let level = load(&drawing.png(), &options).unwrap();
        for (name, color) in names.into_iter().zip(colors).take(2) {
            let area = level.area(name).expect("an area");
            for (x, y) in (0..drawing.height).flat_map(|y| (0..drawing.width).map(move |x| (x, y)))
            {
                assert_eq!(
                    area.grid().is_solid(x, y),
                    drawing.is_color(x, y, color),
                    "{picture}: {x}, {y}"
                );
            }
        }
        let mut solids = text.bytes().filter(|byte| *byte != b'\n');
        for (x, y) in (0..drawing.height).flat_map(|y| (0..drawing.width).map(move |x| (x, y))) {
            let by_rule = solids.next() == Some(b'#');
            let is = |color| drawing.is_color(x, y, color);
            let expected = is(colors[2]) || by_rule && !is(colors[0]) && !is(colors[1]);
            assert_eq!(level.grid().is_solid(x, y), expected, "{picture}: {x}, {y}");
        }
    }
    assert!(sampled > 30, "{sampled} of 48 pictures are sampled");
}
