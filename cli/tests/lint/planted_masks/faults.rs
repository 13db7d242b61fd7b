//! Faults planted in a clean mask. Each gives a file and the rule that must find the fault.

use std::io::Cursor;

use bitwall::image::codecs::jpeg::JpegEncoder;
use bitwall::image::{
    DynamicImage, GrayImage, ImageFormat, Luma, RgbImage, Rgba, RgbaImage, imageops,
};
use fastrand::Rng;

use super::drawn::Cells;

/// A planted fault: its name, the code of the rule or the cause that must be found, and the bytes of
/// the file.
pub(crate) struct Planted {
    pub(crate) kind: &'static str,
    pub(crate) code: &'static str,
    pub(crate) bytes: Vec<u8>,
}

pub(crate) fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

pub(crate) fn jpeg(image: &GrayImage, quality: u8) -> GrayImage {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, quality).encode_image(image).unwrap();
    bitwall::image::load_from_memory(&bytes).unwrap().into_luma8()
}

/// Returns the mask with soft edges, like a soft brush draws them: each pixel is the mean of several pixels
/// of a mask four times as large.
fn supersampled(cells: &Cells, rng: &mut Rng) -> GrayImage {
    let (dx, dy) = (rng.u32(1..4), rng.u32(1..4));
    let large = GrayImage::from_fn(cells.width * 4, cells.height * 4, |x, y| {
        let solid = cells.is_solid(((x + dx) / 4) as i32, ((y + dy) / 4) as i32);
        Luma([if solid { 0 } else { 255 }])
    });
    imageops::resize(&large, cells.width, cells.height, imageops::FilterType::Triangle)
}

/// Returns a random pixel whose square of this radius is all solid or all passable, as `solid` states.
fn even_place(cells: &Cells, radius: i32, solid: bool, rng: &mut Rng) -> Option<[i32; 2]> {
    (0..3_000).find_map(|_| {
        let x = rng.i32(radius..cells.width as i32 - radius);
        let y = rng.i32(radius..cells.height as i32 - radius);
        (cells.is_solid(x, y) == solid && cells.is_even(x, y, radius)).then_some([x, y])
    })
}

fn with_patches(cells: &Cells, colors: &[[u8; 3]], rng: &mut Rng) -> Option<RgbImage> {
    let mut image = DynamicImage::from(cells.image()).into_rgb8();
    for color in colors {
        let side = rng.i32(3..10);
        let [x, y] = even_place(cells, side, false, rng)?;
        for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
            image.put_pixel((x + dx) as u32, (y + dy) as u32, bitwall::image::Rgb(*color));
        }
    }
    Some(image)
}

/// Returns an animated PNG: the mask, then a second frame.
fn animated_png(cells: &Cells) -> Vec<u8> {
    let image = cells.image();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width(), image.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_animated(2, 0).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(image.as_raw()).unwrap();
    writer.write_image_data(cells.inverted().image().as_raw()).unwrap();
    writer.finish().unwrap();
    bytes
}

fn colored(cells: &Cells, solid: [u8; 4], free: [u8; 4]) -> RgbaImage {
    RgbaImage::from_fn(cells.width, cells.height, |x, y| {
        Rgba(if cells.is_solid(x as i32, y as i32) { solid } else { free })
    })
}

fn specks(cells: &Cells, solid: bool, rng: &mut Rng) -> Option<Cells> {
    let mut cells = cells.clone();
    for _ in 0..rng.i32(1..6) {
        let [x, y] = even_place(&cells, 4, !solid, rng)?;
        cells.fill([x, y, rng.i32(1..3), rng.i32(1..3)], solid);
    }
    Some(cells)
}

/// Returns every fault that can be planted in a mask without art.
pub(crate) fn planted(cells: &Cells, rng: &mut Rng) -> Vec<Planted> {
    let mut all = Vec::new();
    let mut add = |kind, code, bytes| all.push(Planted { kind, code, bytes });
    let clean = cells.image();
    add("soft edge, anti-aliased", "soft", png(supersampled(cells, rng)));
    let blur = 0.6 + 2.0 * rng.f32();
    add("soft edge, blurred", "soft", png(imageops::blur(&clean, blur)));
    let (w, h) = clean.dimensions();
    let small = imageops::resize(&clean, w * 3 / 4, h * 3 / 4, imageops::FilterType::CatmullRom);
    add("soft edge, scaled", "soft", png(small));
    for (kind, quality) in [("JPEG 95", 95), ("JPEG 85", 85), ("JPEG 70", 70), ("JPEG 40", 40)] {
        add(kind, "lossy", png(jpeg(&clean, quality)));
    }
    let red = [[255, 0, 0]];
    if let Some(image) = with_patches(cells, &red, rng) {
        add("stray colour, one red", "stray", png(image));
    }
    let three = [[255, 0, 0], [0, 200, 60], [30, 60, 255]];
    if let Some(image) = with_patches(cells, &three, rng) {
        add("stray colour, three", "stray", png(image));
    }
    let gray = [[128, 128, 128]];
    if let Some(image) = with_patches(cells, &gray, rng) {
        add("stray colour, a gray patch", "stray", png(image));
    }
    let (dark, light) = (rng.u8(1..70), rng.u8(190..255));
    let two = colored(cells, [dark, dark, dark, 255], [light, light, light, 255]);
    add("two levels of gray", "two levels", png(DynamicImage::from(two).into_luma8()));
    let two = colored(cells, [40, 10, 90, 255], [255; 4]);
    add("two colours", "two levels", png(two));
    let brown = colored(cells, [90, 60, 20, 255], [0; 4]);
    add("a colour on a clear ground", "MSK215", png(brown));
    let mut soft = colored(cells, [0, 0, 0, 255], [0; 4]);
    let alpha = imageops::blur(&clean, 0.8);
    for (pixel, alpha) in soft.pixels_mut().zip(alpha.pixels()) {
        *pixel = Rgba([0, 0, 0, 255 - alpha.0[0]]);
    }
    add("soft edge in alpha", "translucent", png(soft));
    let photo =
        super::drawn::art(cells, super::drawn::Style::of(rng.u32(0..16) as usize & !1), rng);
    add("a painting as the mask", "MSK213", png(photo));
    if let Some(cells) = specks(cells, true, rng) {
        add("specks", "MSK210", png(cells.image()));
    }
    if let Some(cells) = specks(cells, false, rng) {
        add("pinholes", "MSK210", png(cells.image()));
    }
    add("frames", "MSK211", animated_png(cells));
    let mut one = DynamicImage::from(clean).into_rgb8();
    one.put_pixel(w / 2, h / 2, bitwall::image::Rgb([254; 3]));
    add("one pixel of 254", "MSK202", png(one));
    all
}
