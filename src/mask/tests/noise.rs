//! Compares opaque pictures with many shades and colours with a naive loop over the pixels.

use std::collections::BTreeMap;

use super::*;

/// Returns a random opaque picture: gray for format 0, RGB for 1, gray with alpha for 3, RGBA for 4. Samples
/// have `levels` different values. If `is_gray`, all pixels are gray.
fn opaque(rng: &mut fastrand::Rng, format: usize, levels: u32, is_gray: bool) -> Drawing {
    let (width, height) = (rng.u32(60..200), rng.u32(1..20));
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
        let drawing = opaque(&mut rng, format, levels, is_gray);
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
