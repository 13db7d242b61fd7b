//! `bitwall verify --fix` keeps a file's format: only samples of repaired pixels change, and entries of a
//! palette that no other pixel uses.

use std::io::Cursor;

use bitwall::image::{GrayImage, Luma};
use bitwall::verify::{VerifyOptions, fix::fix_mask, verify_bytes};

/// A room with a speck and a pinhole: the pixels that are solid.
fn is_solid(x: u32, y: u32) -> bool {
    let is_air = (6..73).contains(&x) && (6..54).contains(&y);
    let is_odd = (x, y) == (12, 15) || (x, y) == (13, 15) || (x, y) == (3, 3);
    is_air == is_odd
}

const SIZE: (u32, u32) = (79, 60);

/// The rows from the top, each of these samples for a wall and for air, packed into bytes.
fn rows(bits: usize, wall: &[u8], air: &[u8]) -> Vec<Vec<u8>> {
    let row = |y: u32| -> Vec<u8> {
        let pixels = (0..SIZE.0).map(|x| if is_solid(x, y) { wall } else { air });
        if bits >= 8 {
            return pixels.flatten().copied().collect();
        }
        let values: Vec<u8> = pixels.map(|pixel| pixel[0]).collect();
        let pack = |values: &[u8]| {
            let places = (1..).map(|place| 8 - place * bits);
            values.iter().zip(places).map(|(value, place)| value << place).sum()
        };
        values.chunks(8 / bits).map(pack).collect()
    };
    (0..SIZE.1).map(row).collect()
}

/// A BMP with a palette of blue, green, red and nothing, or none.
fn bmp(bits: usize, palette: &[[u8; 4]], [wall, air]: [&[u8]; 2], from_top: bool) -> Vec<u8> {
    let start = 54 + palette.len() as u32 * 4;
    let mut body = Vec::new();
    let mut lines = rows(bits, wall, air);
    if !from_top {
        lines.reverse();
    }
    for mut line in lines {
        // Programs leave anything in the bytes that fill a row up.
        line.resize(line.len().next_multiple_of(4), 0xa5);
        body.extend(line);
    }
    let mut bytes = b"BM".to_vec();
    let long = |bytes: &mut Vec<u8>, value: u32| bytes.extend(value.to_le_bytes());
    long(&mut bytes, start + body.len() as u32);
    for value in [0, start, 40, SIZE.0] {
        long(&mut bytes, value);
    }
    long(&mut bytes, if from_top { SIZE.1.wrapping_neg() } else { SIZE.1 });
    bytes.extend([1, 0, bits as u8, 0]);
    for value in [0, body.len() as u32, 2835, 2835, palette.len() as u32, 0] {
        long(&mut bytes, value);
    }
    bytes.extend(palette.concat());
    bytes.extend(body);
    bytes
}

/// A TGA of this kind, with a text and a footer; packed for kinds from 8 on.
fn tga(kind: u8, bits: u8, palette: &[[u8; 3]], [wall, air]: [&[u8]; 2], turned: bool) -> Vec<u8> {
    let length = palette.len() as u8;
    let [width, height] = [SIZE.0 as u8, SIZE.1 as u8];
    let mut bytes =
        vec![4, u8::from(length > 0), kind, 0, 0, length, 0, if length > 0 { 24 } else { 0 }];
    let alpha = if bits == 32 { 8 } else { 0 };
    let order = if turned { 0 } else { 0x20 };
    bytes.extend([0, 0, 0, 0, width, 0, height, 0, bits, order | alpha]);
    bytes.extend(b"room");
    bytes.extend(palette.concat());
    let mut lines = rows(bits.into(), wall, air);
    if turned {
        lines.reverse();
    }
    for line in lines {
        match kind {
            0..8 => bytes.extend(line),
            // Packets of one pixel each.
            _ => line.chunks(usize::from(bits / 8)).for_each(|pixel| {
                bytes.push(0x80);
                bytes.extend(pixel);
            }),
        }
    }
    bytes.extend([0; 8]);
    bytes.extend(b"TRUEVISION-XFILE.\0");
    bytes
}

fn fixed(name: &str, file: &[u8]) -> Vec<u8> {
    let options = VerifyOptions::default();
    let codes = |bytes: &[u8]| -> Vec<&str> {
        let report = verify_bytes(name, bytes, &options);
        report.findings.iter().map(|finding| finding.rule.code).collect()
    };
    assert!(codes(file).contains(&"MSK210"), "{name} {:?}", codes(file));
    let fix = fix_mask(name, file, &options).unwrap().expect("a repair");
    assert_eq!(codes(&fix.bytes), [""; 0], "{name}");
    let picture = |bytes: &[u8]| bitwall::load::decode_picture(name, bytes).unwrap();
    let (old, new) = (picture(file), picture(&fix.bytes));
    let is_kept = |x: u32, y: u32| old.get_pixel(x, y).0[3] == new.get_pixel(x, y).0[3];
    assert!((0..60).all(|y| (0..79).all(|x| is_kept(x, y))), "the opacity of {name}");
    fix.bytes
}

/// The number of bytes that differ in two files of one length.
fn differing(old: &[u8], new: &[u8]) -> usize {
    assert_eq!(old.len(), new.len());
    old.iter().zip(new).filter(|(old, new)| old != new).count()
}

#[test]
fn a_bmp_keeps_its_depth_and_palette() {
    let palette = [[0, 0, 0, 0], [255, 255, 255, 0]];
    for from_top in [false, true] {
        for bits in [1, 4, 8] {
            let old = bmp(bits, &palette, [&[0], &[1]], from_top);
            let changed = differing(&old, &fixed("x.bmp", &old));
            assert!((2..=3).contains(&changed), "{bits} bits: {changed} bytes");
        }
        let old = bmp(24, &[], [&[0; 3], &[255; 3]], from_top);
        assert_eq!(differing(&old, &fixed("x.bmp", &old)), 9);
        let old = bmp(32, &[], [&[0; 4], &[255, 255, 255, 0]], from_top);
        assert_eq!(differing(&old, &fixed("x.bmp", &old)), 9);
        let old = bmp(16, &[], [&[0; 2], &[255, 127]], from_top);
        assert_eq!(differing(&old, &fixed("x.bmp", &old)), 6);
    }
    // Two grays turn black and white in the palette, where they are.
    let old = bmp(8, &[[40, 40, 40, 0], [9, 8, 7, 0], [210, 210, 210, 0]], [&[0], &[2]], false);
    let new = fixed("x.bmp", &old);
    assert_eq!(differing(&old, &new), 9);
    assert_eq!(new[54..66], [0, 0, 0, 0, 9, 8, 7, 0, 255, 255, 255, 0]);
    let old = bmp(24, &[], [&[40; 3], &[210; 3]], false);
    assert_eq!(old.len(), fixed("x.bmp", &old).len());
}

#[test]
fn a_tga_keeps_its_kind_and_palette() {
    for turned in [false, true] {
        for (kind, bits, samples) in [
            (3, 8, [&[0][..], &[255][..]]),
            (2, 24, [&[0; 3], &[255; 3]]),
            (2, 32, [&[0, 0, 0, 255], &[255; 4]]),
        ] {
            let old = tga(kind, bits, &[], samples, turned);
            assert_eq!(differing(&old, &fixed("x.tga", &old)), 3 * usize::from(bits.min(24) / 8));
            let packed = tga(kind + 8, bits, &[], samples, turned);
            let new = fixed("x.tga", &packed);
            assert!(new.len() < packed.len(), "equal pixels are packed");
            assert_eq!(
                (&new[..22], &new[new.len() - 26..]),
                (&packed[..22], &packed[packed.len() - 26..])
            );
        }
        let palette = [[40, 40, 40], [9, 8, 7], [210, 210, 210]];
        let old = tga(1, 8, &palette, [&[0], &[2]], turned);
        let new = fixed("x.tga", &old);
        assert_eq!(differing(&old, &new), 9);
        assert_eq!(new[22..31], [0, 0, 0, 9, 8, 7, 255, 255, 255]);
        let packed = fixed("x.tga", &tga(9, 8, &palette, [&[0], &[2]], turned));
        assert_eq!((packed[2], &packed[22..31]), (9, &new[22..31]));
    }
    // Pixels from right to left.
    for kind in [3, 11] {
        let mut old = tga(kind, 8, &[], [&[0], &[255]], true);
        old[17] |= 0x10;
        let new = fixed("x.tga", &old);
        assert_eq!(new[17], old[17]);
    }
}

/// The palette of a PNG keeps its length: two grays turn black and white in it.
#[test]
fn a_png_keeps_its_palette() {
    let image = GrayImage::from_fn(SIZE.0, SIZE.1, |x, y| Luma([u8::from(!is_solid(x, y)) * 2]));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIZE.0, SIZE.1);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_palette(vec![40, 40, 40, 9, 8, 7, 210, 210, 210]);
    encoder.write_header().unwrap().write_image_data(image.as_raw()).unwrap();
    let new = fixed("x.png", &bytes);
    let reader = png::Decoder::new(Cursor::new(new)).read_info().unwrap();
    let palette = reader.info().palette.as_deref().unwrap();
    assert_eq!(palette, [0, 0, 0, 9, 8, 7, 255, 255, 255]);
}

#[test]
fn a_file_that_cannot_keep_its_format_is_refused() {
    let mut packed = bmp(8, &[[0; 4], [255; 4]], [&[0], &[1]], false);
    // Said to be compressed by runs: the pixels are no such runs, and any reason is right.
    packed[30] = 1;
    let found = fix_mask("x.bmp", &packed, &VerifyOptions::default());
    assert!(!matches!(found, Ok(Some(_))), "{found:?}");
    let wide = tga(1, 16, &[[40; 3], [9, 8, 7], [210; 3]], [&[0, 0], &[2, 0]], false);
    let found = fix_mask("x.tga", &wide, &VerifyOptions::default());
    let reason = found.err().map(|error| error.to_string());
    assert_eq!(reason.as_deref(), Some("not repaired: its palette cannot be written"));
    let mut with_parts = tga(11, 8, &[], [&[0], &[255]], false);
    let footer = with_parts.len() - 26;
    with_parts[footer] = 99;
    let found = fix_mask("x.tga", &with_parts, &VerifyOptions::default());
    let reason = found.err().map(|error| error.to_string());
    assert_eq!(
        reason.as_deref(),
        Some("not repaired: it has parts behind its pixels that would move")
    );
}
