//! Compares masks in other formats with the same pictures as PNG. Also loads animations and damaged files.

use std::io::Cursor;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, ImageFormat, RgbaImage};

use super::*;

/// Returns a random picture of black, white, gray, blue and transparent pixels, in runs of equal pixels.
fn picture(rng: &mut fastrand::Rng, width: u32, height: u32) -> RgbaImage {
    let colors = [
        [0, 0, 0, 255],
        [255, 255, 255, 255],
        [127, 127, 127, 255],
        [128, 128, 128, 255],
        [0, 0, 255, 255],
        [0, 0, 0, 0],
    ];
    let (mut color, mut left) = (colors[0], 0);
    RgbaImage::from_fn(width, height, |_, _| {
        if left == 0 {
            color = *rng.choice(&colors).unwrap();
            left = rng.u32(1..=9);
        }
        left -= 1;
        image::Rgba(color)
    })
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns the picture in each file format, with the description that the decoder should give. The picture
/// lacks the channels that a format cannot store.
fn in_every_format(rgba: &RgbaImage) -> Vec<(DynamicImage, ImageFormat, &'static str)> {
    let rgba = DynamicImage::from(rgba.clone());
    let (rgb, gray) = (rgba.to_rgb8(), rgba.to_luma8());
    let (rgb, gray) = (DynamicImage::from(rgb), DynamicImage::from(gray));
    vec![
        (gray.clone(), ImageFormat::Bmp, "BMP, RGB"),
        (rgb.clone(), ImageFormat::Bmp, "BMP, RGB"),
        (rgba.clone(), ImageFormat::Bmp, "BMP, RGB with alpha"),
        (gray, ImageFormat::Tga, "TGA, gray"),
        (rgb.clone(), ImageFormat::Tga, "TGA, RGB"),
        (rgba.clone(), ImageFormat::Tga, "TGA, RGB with alpha"),
        (rgb, ImageFormat::WebP, "WebP, RGB"),
        (rgba.clone(), ImageFormat::WebP, "WebP, RGB with alpha"),
        (rgba, ImageFormat::Gif, "GIF, 8-bit palette"),
    ]
}

#[test]
fn every_format_loads_like_the_same_picture_as_png() {
    let mut rng = fastrand::Rng::with_seed(3);
    for width in (1..=70).chain([200]) {
        let height = rng.u32(1..=9);
        let rgba = picture(&mut rng, width, height);
        for (picture, format, words) in in_every_format(&rgba) {
            let mut options =
                LoadOptions { mask_rule: rng.choice(rules()), ..LoadOptions::default() };
            if rng.bool() {
                options.planes = vec!["blue=#0000ff".parse().unwrap()];
            }
            let load = |format| {
                let bytes = encoded(&picture, format);
                load(&bytes, &options).unwrap()
            };
            let (level, png) = (load(format), load(ImageFormat::Png));
            let what = format!("{words} {width} x {height}, {:?}", options.mask_rule);
            assert!(level.grid() == png.grid(), "{what}");
            let (source, png_source) = (mask_source(&level), mask_source(&png));
            assert_eq!(source.counts, png_source.counts, "{what}");
            assert_eq!((source.format.as_str(), source.animated), (words, false));
            for (area, png) in level.areas().iter().zip(png.areas()) {
                assert!(area.terrain.grid() == png.terrain.grid(), "{what}");
            }
        }
    }
}

/// Returns a GIF of 3 x 2 pixels. Each frame has a corner, a size and pixel values: 0 black, 1 white, 2
/// transparent.
fn gif_of(frames: &[([u16; 4], &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let palette = [0, 0, 0, 255, 255, 255];
    let mut encoder = ::gif::Encoder::new(&mut bytes, 3, 2, &palette).unwrap();
    for ([left, top, width, height], values) in frames {
        let frame = ::gif::Frame {
            left: *left,
            top: *top,
            width: *width,
            height: *height,
            transparent: Some(2),
            buffer: (*values).into(),
            ..::gif::Frame::default()
        };
        encoder.write_frame(&frame).unwrap();
    }
    drop(encoder);
    bytes
}

#[test]
fn an_animated_gif_loads_its_first_frame_and_is_marked_animated() {
    let all = [0, 0, 3, 2];
    let first: &[u8] = &[0, 1, 0, 1, 0, 2];
    let still = gif_of(&[(all, first)]);
    let animated = gif_of(&[(all, first), (all, &[1; 6])]);
    for (bytes, is_animated) in [(still, false), (animated, true)] {
        let level = decode(&bytes, &MaskRule::default()).unwrap();
        assert_eq!(text_of(&level), "#.#\n.#.\n");
        assert_eq!(mask_source(&level).animated, is_animated);
        assert_eq!(mask_source(&level).counts.transparent, 1);
    }
}

#[test]
fn a_gif_frame_is_drawn_on_a_transparent_canvas() {
    let level = decode(&gif_of(&[([1, 1, 2, 1], &[0, 1])]), &MaskRule::default());
    let level = level.unwrap();
    assert_eq!(text_of(&level), "...\n.#.\n");
    assert_eq!(mask_source(&level).counts.transparent, 4);
    let all = "opaque=0".parse().unwrap();
    let level = decode(&gif_of(&[([1, 1, 1, 1], &[0])]), &all).unwrap();
    assert_eq!(level.grid().solid_count(), 6, "the rule also applies to the canvas");
    // A GIF without frames: the header and the palette of two colours, a comment, and the end.
    let empty = [&gif_of(&[])[..13 + 6], b"!\xfe\x01c\0;"].concat();
    let error = error_of(&empty);
    assert!(error.contains("there is no picture in it"), "{error}");
}

fn webp(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut body = b"WEBP".to_vec();
    for (name, data) in chunks {
        body.extend(*name);
        body.extend((data.len() as u32).to_le_bytes());
        body.extend(data);
        body.resize(body.len().next_multiple_of(2), 0);
    }
    [b"RIFF", &(body.len() as u32).to_le_bytes()[..], &body].concat()
}

#[test]
fn an_animated_webp_loads_its_first_frame_and_is_marked_animated() {
    // A frame of 3 x 2 pixels. The file states each side minus 1, the frame's duration, and its lossless
    // pixels.
    let frame = |value: u8| {
        let picture = RgbaImage::from_pixel(3, 2, image::Rgba([value, value, value, 255]));
        let still = encoded(&DynamicImage::from(picture).to_rgb8().into(), ImageFormat::WebP);
        let head = [0, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 100, 0, 0, 0];
        (b"ANMF", [&head, &still[12..]].concat())
    };
    let header = (b"VP8X", vec![2, 0, 0, 0, 2, 0, 0, 1, 0, 0]);
    let animation = (b"ANIM", vec![0; 6]);
    let bytes = webp(&[header, animation, frame(0), frame(255)]);
    let level = decode(&bytes, &MaskRule::default()).unwrap();
    assert_eq!(text_of(&level), "###\n###\n");
    assert!(mask_source(&level).animated);
}

#[test]
fn a_gray_pixel_of_a_lossy_webp_is_counted_as_gray() {
    let bytes =
        STANDARD.decode("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA").unwrap();
    let level = decode(&bytes, &MaskRule::default()).unwrap();
    assert_eq!((level.size(), mask_source(&level).counts.gray), (UVec2::ONE, 1));
}

#[test]
fn formats_that_are_decoded_whole_have_a_smaller_pixel_limit() {
    // The header of a BMP file of 8,193 x 8,192 pixels of 24 bits.
    let mut bmp = b"BM\0\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
    bmp.extend(8_193u32.to_le_bytes());
    bmp.extend(8_192u32.to_le_bytes());
    bmp.extend([1, 0, 24, 0]);
    bmp.resize(54, 0);
    let error = error_of(&bmp);
    assert!(error.contains("pixels in a BMP mask: 67117056, but the limit is 33554432"), "{error}");
    let mut tga = vec![0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    tga.extend([0xff, 0xff, 0xff, 0xff, 8, 32]);
    assert!(error_of(&tga).contains("pixels in a TGA mask: 4294836225"));
    let mut gif = gif_of(&[([0, 0, 3, 2], &[0; 6])]);
    gif[6..10].copy_from_slice(&[1, 0x20, 0, 0x20]);
    let error = error_of(&gif);
    assert!(error.contains("pixels in a GIF mask: 67117056, but the limit is 16777216"), "{error}");
    gif[6..10].fill(0);
    assert!(error_of(&gif).contains("a side is 0 pixels"));
}

#[test]
fn a_damaged_picture_file_gives_a_level_or_an_error() {
    let mut rng = fastrand::Rng::with_seed(11);
    let rgba = picture(&mut rng, 19, 7);
    let mut options = LoadOptions::default();
    options.limits.pixels = 1 << 16;
    for (picture, format, words) in in_every_format(&rgba) {
        let good = encoded(&picture, format);
        let mut refused = 0;
        for length in 0..good.len() {
            refused += u32::from(load(&good[..length], &options).is_err());
        }
        // The last bytes of some formats are not needed, so a file without them still loads.
        assert!(refused as usize > good.len() * 9 / 10, "{words}: {refused}");
        for _ in 0..2_000 {
            let mut bytes = good.clone();
            for _ in 0..rng.usize(1..=4) {
                let reach = *rng.choice(&[20, 100, 10_000]).unwrap();
                let at = rng.usize(0..bytes.len().min(reach));
                bytes[at] = rng.u8(..);
            }
            if let Err(error) = load(&bytes, &options) {
                assert!(!error.headline().contains('\n'), "{error}");
            }
        }
    }
}

/// Returns a TGA file of 3 x 1 pixels with this image type, depth and descriptor.
fn tga(kind: u8, depth: u8, descriptor: u8, data: &[u8]) -> Vec<u8> {
    let head = [0, 0, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, depth, descriptor];
    [&head, data].concat()
}

#[test]
fn a_tga_without_alpha_bits_is_opaque() {
    let pixels = [0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0];
    for (descriptor, text, format) in
        [(32, "##.\n", "TGA, RGB"), (32 | 8, ".#.\n", "TGA, RGB with alpha")]
    {
        let level = decode(&tga(2, 32, descriptor, &pixels), &MaskRule::default()).unwrap();
        assert_eq!(text_of(&level), text);
        assert_eq!(mask_source(&level).format, format);
    }
}
