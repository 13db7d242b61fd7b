use bitwall::image::{DynamicImage, ImageBuffer, Rgba};
use bitwall::load::Source;
use bitwall::rules::MaskPlane;
use bitwall::{LoadOptions, LoadedLevel};

use super::*;

const FULL: u16 = u16::MAX;

/// Returns a random picture with samples of 16 bits. Many of them are 0 or the largest value.
fn random_picture(random: &mut fastrand::Rng) -> DynamicImage {
    let (width, height) = (random.u32(1..80), random.u32(1..12));
    let values = [0, 1, 257, 0x8000, FULL - 1, FULL];
    let is_gray = random.bool();
    let mut pixel = [FULL; 4];
    let picture = ImageBuffer::from_fn(width, height, |_, _| {
        if random.u8(0..3) == 0 {
            pixel = std::array::from_fn(|_| values[random.usize(0..values.len())]);
            pixel[3] = [0, 0x4000, FULL, FULL, FULL][random.usize(0..5)];
            if is_gray {
                (pixel[1], pixel[2]) = (pixel[0], pixel[0]);
            }
        }
        Rgba(pixel)
    });
    let picture = DynamicImage::ImageRgba16(picture);
    match random.u8(0..8) {
        0 => picture.to_luma8().into(),
        1 => picture.to_luma_alpha8().into(),
        2 => picture.to_rgb8().into(),
        3 => picture.to_rgba8().into(),
        4 => picture.to_luma16().into(),
        5 => picture.to_luma_alpha16().into(),
        6 => picture.to_rgb16().into(),
        _ => picture,
    }
}

fn loaded(file: &[u8], planes: Vec<MaskPlane>) -> (LoadedLevel, Option<MaskFacts>) {
    let options = LoadOptions { planes, ..LoadOptions::default() };
    let loaded = LoadedLevel::decode("m.png", file, (), &options).expect("a mask");
    let Source::Mask(source) = &loaded.source else { panic!("{:?}", loaded.source) };
    let facts = MaskFacts::read(source, file);
    (loaded, facts)
}

#[test]
fn the_facts_about_random_pictures_agree_with_a_loop_over_their_pixels() {
    let mut random = fastrand::Rng::with_seed(8);
    let mut seen = [0; 2];
    for _ in 0..400 {
        let picture = random_picture(&mut random);
        let planes: Vec<MaskPlane> = if random.bool() {
            vec![MaskPlane::new("a", [1, 0, 0]), MaskPlane::new("b", [1; 3])]
        } else {
            Vec::new()
        };
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, ImageFormat::Png).expect("a PNG");
        let (loaded, facts) = loaded(file.get_ref(), planes.clone());
        let Source::Mask(MaskSource { counts, .. }) = &loaded.source else { unreachable!() };
        let Some(facts) = facts else {
            assert_eq!(counts.gray + counts.translucent + counts.transparent, 0);
            continue;
        };
        let wide = picture.to_rgba16();
        let is_plane = |rgb: [u16; 3]| {
            planes.iter().any(|plane| plane.color.map(|byte| u16::from(byte) * 257) == rgb)
        };
        let (mut vivid, mut dark, mut sides, mut pure) = (0, 0, [0; 2], [0; 8]);
        let kind = |x: u32, y: u32| match wide.get_pixel_checked(x, y).map(|pixel| pixel.0) {
            Some([.., 0]) => Some(2),
            Some([0, 0, 0, FULL]) => Some(0),
            Some([FULL, FULL, FULL, FULL]) => Some(1),
            _ => None,
        };
        for (x, y, Rgba([red, green, blue, alpha])) in wide.enumerate_pixels() {
            let rgb = [*red, *green, *blue];
            let is_plain = rgb == [0; 3] || rgb == [FULL; 3] || is_plane(rgb);
            let is_gray = *alpha == FULL && !is_plain;
            let is_translucent = ![0, FULL].contains(alpha);
            for (set, wanted) in [(&facts.gray, is_gray), (&facts.translucent, is_translucent)] {
                let found = set.as_ref().is_some_and(|set| set.pixels.is_solid(x, y));
                assert_eq!(found, wanted, "{x}, {y} of {:?}", picture.color());
            }
            let bytes = rgb.map(|sample| (sample / 257) as u8);
            vivid += u64::from(is_gray && is_vivid(bytes));
            dark += u64::from(is_gray && luma(bytes) < 40);
            for (number, count) in (0..).zip(&mut pure) {
                let color =
                    [0, 1, 2].map(|channel| if number >> channel & 1 == 1 { 255 } else { 0 });
                *count += u64::from(is_gray && bytes == color);
            }
            for (next_x, next_y) in [(x + 1, y), (x, y + 1)] {
                match (kind(x, y), kind(next_x, next_y)) {
                    (Some(2), Some(color @ 0..2)) | (Some(color @ 0..2), Some(2)) => {
                        sides[color] += 1;
                    }
                    _ => {}
                }
            }
        }
        assert_eq!((counts.vivid, facts.tones()[0]), (vivid, dark));
        assert_eq!(facts.tones().iter().sum::<u64>(), counts.gray);
        assert_eq!(facts.pure, pure);
        assert_eq!(facts.at_clear, if counts.transparent > 0 { sides } else { [0; 2] });
        let listed: u64 = facts.colors.iter().map(|color| color.count).sum();
        assert_eq!(listed + facts.others, counts.gray);
        for (set, count) in [(&facts.gray, counts.gray), (&facts.translucent, counts.translucent)] {
            assert_eq!(set.is_some(), count > 0);
            let Some(PixelSet { pixels, first, extent }) = set else { continue };
            assert_eq!((pixels.solid_count(), pixels.iter_solid().next()), (count, Some(*first)));
            let own =
                pixels.iter_solid().map(|at| Aabb { min: at.as_ivec2(), max: at.as_ivec2() + 1 });
            assert_eq!(own.reduce(Aabb::hull), Some(*extent));
        }
        seen[0] += u32::from(facts.others > 0);
        seen[1] += u32::from(facts.at_clear[0] > 0);
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

#[test]
fn only_the_first_17_gray_colours_are_listed() {
    let picture = bitwall::image::GrayImage::from_fn(100, 3, |x, _| [x as u8 + 1].into());
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).expect("a PNG");
    let facts = loaded(file.get_ref(), Vec::new()).1.expect("gray pixels");
    assert_eq!((facts.colors.len(), facts.others), (17, 83 * 3));
    assert!(facts.colors.iter().all(|color| color.count == 3 && color.first.y == 0));
    // The shades are 1 to 100, and a shade below 40 is nearly black.
    assert_eq!(facts.tones(), [39 * 3, 61 * 3, 0]);
}

/// 0.2126 red, 0.7152 green and 0.0722 blue, rounded down.
#[test]
fn the_luma_of_a_colour_weighs_red_green_and_blue() {
    for (rgb, expected) in [
        ([0, 0, 0], 0),
        ([255, 0, 0], 54),
        ([0, 255, 0], 182),
        ([0, 0, 255], 18),
        ([100, 0, 0], 21),
        ([10, 20, 30], 18),
        ([255, 255, 254], 254),
        ([255, 255, 255], 255),
    ] {
        assert_eq!(luma(rgb), expected, "{rgb:?}");
    }
}

/// The counts are those of black, white, area, gray, translucent and transparent pixels. The sides are those
/// of solid and of passable pixels at transparent ones. With light solids, black and white are exchanged.
#[test]
fn a_shape_is_solid_as_a_whole_by_its_counts_of_pixels() {
    let mut file = Cursor::new(Vec::new());
    let clear = bitwall::image::RgbaImage::new(1, 1);
    clear.write_to(&mut file, ImageFormat::Png).expect("a PNG");
    let (loaded, facts) = loaded(file.get_ref(), Vec::new());
    let Source::Mask(mut source) = loaded.source else { panic!("{:?}", loaded.source) };
    let mut facts = facts.expect("a transparent pixel");
    for (counts, sides, passable_shape, is_in_alpha) in [
        // Of one colour: there is a transparent pixel for every 50 opaque ones.
        ([0, 50, 0, 0, 0, 1], [0, 0], Some(50), false),
        ([0, 51, 0, 0, 0, 1], [0, 0], None, false),
        ([0, 50, 1, 0, 0, 9], [0, 0], None, false),
        ([0, 50, 0, 1, 0, 9], [0, 0], None, false),
        ([0, 50, 0, 0, 1, 9], [0, 0], None, false),
        ([1, 50, 0, 0, 0, 9], [0, 0], None, false),
        ([1, 50, 0, 1, 0, 9], [0, 0], None, false),
        ([50, 0, 0, 0, 0, 9], [9, 0], None, false),
        ([0, 0, 0, 0, 0, 9], [0, 0], None, false),
        // Of both colours: each has at least a 32nd of the opaque pixels.
        ([31, 1, 0, 0, 0, 1], [4, 1], Some(32), true),
        ([1, 31, 0, 0, 0, 31], [4, 1], Some(32), true),
        ([32, 1, 0, 0, 0, 1], [4, 1], None, false),
        ([62, 2, 0, 0, 0, 2], [4, 1], Some(64), true),
        ([30, 1, 0, 1, 9, 1], [4, 1], Some(31), true),
        ([30, 1, 1, 0, 0, 1], [4, 1], Some(31), true),
        ([30, 1, 1, 1, 0, 1], [4, 1], None, false),
        // The ground has at least as many pixels as the passable colour, which touches a fifth of its edge or
        // more.
        ([10, 2, 0, 0, 0, 2], [4, 1], Some(12), true),
        ([10, 2, 0, 0, 0, 1], [4, 1], None, false),
        ([10, 2, 0, 0, 0, 2], [5, 1], None, false),
        ([10, 2, 0, 0, 0, 2], [7, 2], Some(12), true),
        ([10, 2, 0, 0, 0, 2], [0, 0], None, false),
        // Of other colours: at least half of the opaque pixels have them.
        ([5, 0, 0, 5, 0, 1], [0, 0], None, true),
        ([5, 0, 0, 4, 0, 1], [0, 0], None, false),
        ([0, 0, 4, 3, 0, 1], [0, 0], None, false),
        ([0, 0, 0, 5, 9, 0], [0, 0], None, false),
        ([0, 0, 0, 50, 0, 1], [0, 0], None, true),
        ([0, 0, 0, 51, 0, 1], [0, 0], None, false),
        ([0, 0, 0, 0, 5, 9], [0, 0], None, false),
    ] {
        let [black, white, in_planes, gray, translucent, transparent] = counts;
        source.counts.in_planes = in_planes;
        source.counts.gray = gray;
        source.counts.translucent = translucent;
        source.counts.transparent = transparent;
        source.counts.hidden_black = 0;
        for (rule, is_exchanged, by_lightness) in
            [("dark", false, true), ("light", true, true), ("opaque", false, false)]
        {
            source.rule = rule.parse().unwrap();
            let [solid, passable] = if is_exchanged { [white, black] } else { [black, white] };
            (source.counts.black, source.counts.white) = (solid, passable);
            facts.at_clear = if is_exchanged { [sides[1], sides[0]] } else { sides };
            let found =
                (super::passable_shape(&source, &facts), is_shape_in_alpha(&source, &facts));
            let expected = (passable_shape.filter(|_| by_lightness), is_in_alpha && by_lightness);
            assert_eq!(found, expected, "{} {:?}", source.rule, source.counts);
        }
    }
}

/// To make the white pixels solid would invert the mask.
#[test]
fn white_beside_transparent_black_is_no_shape() {
    for (hidden, expected) in [([0, 0, 0, 0], None), ([255, 255, 255, 0], Some(3))] {
        let picture = bitwall::image::RgbaImage::from_fn(4, 1, |x, _| {
            Rgba(if x == 0 { hidden } else { [255; 4] })
        });
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, ImageFormat::Png).expect("a PNG");
        let (loaded, facts) = loaded(file.get_ref(), Vec::new());
        let Source::Mask(mut source) = loaded.source else { panic!("{:?}", loaded.source) };
        for rule in ["dark", "black"] {
            source.rule = rule.parse().unwrap();
            let found = facts.as_ref().and_then(|facts| super::passable_shape(&source, facts));
            assert_eq!(found, expected, "{rule} {hidden:?}");
        }
    }
}

#[test]
fn a_pure_colour_of_a_20th_of_the_picture_counts_if_it_is_the_only_one() {
    let found = |colors: &[[u8; 3]]| {
        let picture = bitwall::image::RgbImage::from_fn(40, 1, |x, _| {
            bitwall::image::Rgb(colors.get(x as usize).copied().unwrap_or([90, 70, 50]))
        });
        let mut file = Cursor::new(Vec::new());
        picture.write_to(&mut file, ImageFormat::Png).expect("a PNG");
        let (loaded, facts) = loaded(file.get_ref(), Vec::new());
        let Source::Mask(source) = loaded.source else { panic!("{:?}", loaded.source) };
        facts.expect("gray pixels").pure_color(&source.counts)
    };
    let magenta = [255, 0, 255];
    assert_eq!(found(&[magenta; 2]), Some((magenta, 2)));
    assert_eq!(found(&[[255; 3]; 2]), Some(([255; 3], 2)));
    assert_eq!(found(&[[0; 3], magenta, [0; 3]]), Some(([0; 3], 2)));
    assert_eq!(found(&[[254, 0, 255]; 9]), None);
    assert_eq!(found(&[magenta, [0; 3], [255; 3]]), None, "each is a 40th");
    assert_eq!(found(&[magenta, magenta, [0; 3], [0; 3]]), None, "there are two");
}
