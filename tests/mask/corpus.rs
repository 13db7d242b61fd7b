//! Real masks, compared with a simple reading of their decoded pixels.

use bitwall::glam::UVec2;
use bitwall::{LoadOptions, LoadedLevel, load::Source, rules::MaskRule};

use crate::support::{corpus, even_blank};

/// Compares the solids of each mask under each rule with a simple reading of the decoded picture.
#[test]
fn real_masks_agree_with_their_decoded_pixels_under_each_rule() {
    let Some(files) = corpus() else {
        return;
    };
    let rules = ["dark", "light", "opaque", "#000000,#ff0000", "transparent"];
    let mut compared = [0; 5];
    for (file, path) in files.iter().filter(|(file, _)| file.ends_with(".png")) {
        let Ok(picture) = bitwall::image::open(path) else {
            continue;
        };
        if picture.color().bytes_per_pixel() / picture.color().channel_count() > 1 {
            continue;
        }
        let picture = picture.to_rgba8();
        let rule = rules[file.len() % rules.len()];
        let options = LoadOptions { mask_rule: rule.parse().ok(), ..even_blank() };
        let Ok(level) = LoadedLevel::load(path, &options) else {
            continue;
        };
        compare_pixels(&level, &picture, options.mask_rule.as_ref().unwrap(), file);
        compared[file.len() % rules.len()] += 1;
    }
    println!("masks compared by each rule: {compared:?}");
    assert!(compared.iter().all(|masks| *masks >= 5), "{compared:?}");
}

fn compare_pixels(
    loaded: &LoadedLevel,
    picture: &bitwall::image::RgbaImage,
    rule: &MaskRule,
    file: &str,
) {
    let level = &loaded.level;
    assert_eq!(level.size(), UVec2::from(picture.dimensions()), "{file}");
    let mut counts = [0u64; 6];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [r, g, b, a] = pixel.0.map(u64::from);
        // The luma of the colour over a background of `under`, in units of 1 / (255 * 255 * 10,000).
        let luma = |under: u64| {
            let over = |sample: u64| sample * a + under * (255 - a);
            2126 * over(r) + 7152 * over(g) + 722 * over(b)
        };
        let limit = 128 * 255 * 10_000;
        let solid = match rule {
            MaskRule::DarkIsSolid { .. } => luma(255) < limit,
            MaskRule::LightIsSolid { .. } => luma(0) >= limit,
            MaskRule::OpaqueIsSolid { .. } => a >= 128,
            MaskRule::TransparentIsSolid { .. } => a < 128,
            MaskRule::Colors(colors) => {
                a > 0 && colors.contains(&[pixel.0[0], pixel.0[1], pixel.0[2]])
            }
            rule => panic!("{rule} is not modelled"),
        };
        assert_eq!(level.grid().is_solid(x, y), solid, "{file} at {x}, {y}");
        let kind = match (a, [r, g, b]) {
            (0, _) => 4,
            (255, [0, 0, 0]) => 1,
            (255, [255, 255, 255]) => 2,
            (255, _) => 3,
            _ => 5,
        };
        counts[kind] += 1;
        counts[0] += u64::from(solid);
    }
    let Source::Mask(mask) = &loaded.source else {
        panic!("{file} is no mask");
    };
    let c = &mask.counts;
    let ours = [c.solid, c.black, c.white, c.gray, c.transparent, c.translucent];
    assert_eq!(ours, counts, "{file}");
}
