//! Pictures that are small files but decode to much data: broken, huge, 16-bit, interlaced, animated, or
//! many.
//!
//! Each map that names them, and each hostile file of `../shared`, is rendered within a limit of processor
//! time and 512 MiB of address space.

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitwall::image::{DynamicImage, ImageFormat, RgbaImage};
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

use crate::bad_input::run_within;
use crate::shared::{check_all, shared_files};
use crate::support::{layer, map};

/// The width and height of a picture whose pixels just fit into the budget for the pictures of a small map.
const SIDE: u32 = 5_400;

pub(crate) fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut crc = Crc::new();
    crc.update(name);
    crc.update(data);
    [&(data.len() as u32).to_be_bytes(), &name[..], data, &crc.sum().to_be_bytes()].concat()
}

/// Returns `count` zero bytes, compressed with zlib.
pub(crate) fn zeros(count: usize) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let block = vec![0; 1 << 20];
    let mut left = count;
    while left > 0 {
        let part = left.min(block.len());
        encoder.write_all(&block[..part]).unwrap();
        left -= part;
    }
    encoder.finish().unwrap()
}

/// Returns a PNG of `side` x `side` pixels. The header has the bits per channel, the colour type, and 1 if it
/// is interlaced. `before` are chunks before the pixels; `pixels` is compressed.
pub(crate) fn png(
    side: u32,
    [bits, color, interlaced]: [u8; 3],
    before: &[u8],
    pixels: &[u8],
) -> Vec<u8> {
    let side = side.to_be_bytes();
    let header = [&side[..], &side, &[bits, color, 0, 0, interlaced]].concat();
    let header = chunk(b"IHDR", &header);
    [b"\x89PNG\r\n\x1a\n", &header[..], before, &chunk(b"IDAT", pixels), &chunk(b"IEND", b"")]
        .concat()
}

/// Returns the image element of a tile whose picture is in a file.
fn named(index: usize) -> String {
    format!(r#"<image source="{index}.png" width="8" height="8"/>"#)
}

fn embedded(bytes: &[u8]) -> String {
    format!(
        r#"<image format="png"><data encoding="base64">{}</data></image>"#,
        STANDARD.encode(bytes)
    )
}

/// Returns a map with `count` tiles, each with its own picture.
fn collection(count: usize, image: impl Fn(usize) -> String) -> String {
    let tiles: String =
        (0..count).map(|id| format!(r#"<tile id="{id}">{}</tile>"#, image(id))).collect();
    let tileset = format!(
        r#"<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="{count}" columns="0">{tiles}
        </tileset>"#
    );
    let cells: Vec<String> = (1..=count).map(|gid| gid.to_string()).collect();
    map("", [count, 1], [8, 8], &(tileset + &layer(r#"name="L""#, [count, 1], &cells.join(","))))
}

/// Returns a map with `count` tilesets that use one picture, each with another transparent colour.
fn colors(count: usize) -> String {
    let tileset = |index: usize| {
        format!(
            r#"<tileset firstgid="{}" name="t{index}" tilewidth="8" tileheight="8" tilecount="1" columns="1">
            <image source="0.png" trans="{index:06x}" width="8" height="8"/></tileset>"#,
            index + 1
        )
    };
    let sets: String = (0..count).map(tileset).collect();
    let cells: Vec<String> = (1..=count).map(|gid| gid.to_string()).collect();
    map("", [count, 1], [8, 8], &(sets + &layer(r#"name="L""#, [count, 1], &cells.join(","))))
}

fn in_format(side: u32, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = DynamicImage::from(RgbaImage::new(side, side));
    let picture = if format == ImageFormat::Jpeg { picture.into_rgb8().into() } else { picture };
    picture.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Returns a GIF with `frames` full-size frames of a few bytes each.
fn gif(side: u16, frames: usize) -> Vec<u8> {
    let [a, b] = side.to_le_bytes();
    let head = [&b"GIF89a"[..], &[a, b, a, b, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]].concat();
    let frame = [&[0x2c, 0, 0, 0, 0, a, b, a, b, 0, 2], &[2, 0x44, 0x01, 0][..]].concat();
    [head, frame.repeat(frames), vec![0x3b]].concat()
}

/// Returns the test cases: a name, the map, and the pictures in its folder.
pub(crate) fn bombs() -> Vec<(&'static str, String, Vec<Vec<u8>>)> {
    const RGBA: [u8; 3] = [8, 6, 0];
    let pixels = |bytes_a_pixel: usize| {
        let row = SIDE as usize * bytes_a_pixel + 1;
        zeros(row * SIDE as usize)
    };
    let rgba = pixels(4);
    let mut broken = png(SIDE, RGBA, &[], &rgba);
    let end = broken.len() - 40;
    broken.truncate(end);
    let small = zeros(1_000 * 4_001);
    let small = png(1_000, RGBA, &[], &small[..small.len() - 9]);
    let wide = png(4_000, [16, 6, 0], &[], &zeros(4_000 * 32_001));
    let palette = [chunk(b"PLTE", &[9; 6]), chunk(b"tRNS", &[128, 0])].concat();
    let profile = [&b"x\0\0"[..], &zeros(200 << 20)].concat();
    let text = [&b"x\0\0"[..], &zeros(200 << 20)].concat();
    let before = [chunk(b"iCCP", &profile), chunk(b"zTXt", &text).repeat(20)].concat();
    let deep = zeros(1 << 30);
    let huge = |side| png(side, RGBA, &[], &zeros(10));
    vec![
        ("250 broken ones in the map", collection(250, |_| embedded(&broken)), vec![]),
        ("4,000 small broken ones in the map", collection(4_000, |_| embedded(&small)), vec![]),
        ("250 broken files", collection(250, named), vec![broken; 250]),
        ("20 of 16 bits", collection(20, named), vec![wide; 20]),
        ("huge headers", collection(2_000, |_| embedded(&huge(65_535))), vec![]),
        ("beyond any header", collection(9, named), vec![huge(u32::MAX); 9]),
        ("interlaced", collection(1, named), vec![png(SIDE, [8, 6, 1], &[], &pixels(5))]),
        (
            "interlaced, of one bit",
            collection(3, named),
            vec![png(3_000, [1, 0, 1], &[], &zeros(9 << 20)); 3],
        ),
        (
            "a palette",
            collection(2, named),
            vec![png(4_900, [1, 3, 0], &palette, &zeros(4 << 20)); 2],
        ),
        ("texts that expand", collection(1, named), vec![png(8, RGBA, &before, &zeros(264))]),
        ("pixels that expand", collection(3, named), vec![png(8, RGBA, &[], &deep); 3]),
        (
            "one picture in 255 colours",
            colors(255),
            vec![png(2_000, RGBA, &[], &zeros(2_000 * 8_001))],
        ),
        ("animated", collection(2, named), vec![gif(4_000, 9_000), gif(u16::MAX, 3)]),
        ("a JPEG", collection(1, named), vec![in_format(4_000, ImageFormat::Jpeg)]),
        ("a WebP", collection(1, named), vec![in_format(5_000, ImageFormat::WebP)]),
        ("a BMP", collection(1, named), vec![in_format(2_000, ImageFormat::Bmp)]),
    ]
}

/// Renders a level within the limits. Accepts a picture, or an error of one line.
fn draw(path: &Path, view: &str, out: &Path) -> Result<(), String> {
    let out = out.display();
    let command = format!("render --view {view} -o {out}");
    let output = run_within(path, 512 << 10, &command)?;
    let err = String::from_utf8_lossy(&output.stderr);
    let lines = err.lines().filter(|line| !line.starts_with("warning: ")).count();
    match output.status.code() {
        Some(0) if lines == 0 => Ok(()),
        Some(2) if lines == 1 && err.contains("error: ") => Ok(()),
        code => Err(format!("exit code {code:?}: {err}")),
    }
}

#[test]
fn maps_with_hostile_pictures_are_rendered_within_the_time_limit() {
    let mut faults = Vec::new();
    for (name, map, pictures) in bombs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("m.tmx");
        fs::write(&path, map).unwrap();
        for (index, bytes) in pictures.iter().enumerate() {
            fs::write(folder.path().join(format!("{index}.png")), bytes).unwrap();
        }
        let start = std::time::Instant::now();
        if let Err(fault) = draw(&path, "both", &folder.path().join("out.png")) {
            faults.push(format!("{name}: {fault}"));
        }
        println!("{:>6} ms  {name}", start.elapsed().as_millis());
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The files are those that break loaders.
#[test]
fn every_bad_file_is_rendered_or_refused_within_the_time_limit() {
    let files = shared_files(&["badinput/tmx", "badinput/png", "pngsuite"]);
    check_all(&files, |path, scratch| draw(path, "both", &scratch.join("out.png")));
}
