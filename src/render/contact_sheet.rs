//! Small pictures of many levels on one sheet, each with a caption. It draws no level itself.

use embedded_graphics::geometry::Point;
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use glam::UVec2;
use image::{Rgba, RgbaImage};

use super::ink::{Ink, Paint};
use super::{MAX_PIXELS, RenderError, blend, checked_size, plain};
use crate::text::printable;

/// The room for one picture, in pixels.
pub const THUMBNAIL: UVec2 = UVec2::new(240, 180);

/// The gap around pictures and captions.
const GAP: u32 = 8;

/// The height of the two lines of a caption.
const CAPTION: u32 = 26;

/// The distance of the second line of a caption from the first.
const LINE: i32 = 12;

/// The width of a letter.
const LETTER: u32 = 6;

/// The background, on which pictures of any colour can be told apart.
const TABLE: Rgba<u8> = Rgba([44, 46, 56, 255]);

/// A picture on a [`contact_sheet`], with two lines below it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Thumbnail {
    /// A picture of at most [`THUMBNAIL`] pixels; what is beyond is cut off. `None` if there is none.
    pub picture: Option<RgbaImage>,
    /// The lines; of a longer one the end is shown.
    pub caption: [String; 2],
}

impl Thumbnail {
    /// A picture with its caption.
    pub fn new(picture: Option<RgbaImage>, caption: [String; 2]) -> Self {
        Self { picture, caption }
    }
}

/// A sheet of small pictures, in rows that make it about as wide as high.
///
/// # Errors
/// [`RenderError::TooManyPixels`] for more than [`MAX_PIXELS`], which are some 1,200 pictures.
pub fn contact_sheet(thumbnails: &[Thumbnail]) -> Result<RgbaImage, RenderError> {
    let columns = (1..).find(|columns| columns * columns >= thumbnails.len()).unwrap_or(1).max(1);
    let rows = thumbnails.len().div_ceil(columns).max(1);
    let cell = THUMBNAIL + UVec2::new(GAP, GAP + CAPTION);
    let side = |count: usize, length: u32| count as u64 * u64::from(length) + u64::from(GAP);
    let size = checked_size(side(columns, cell.x), side(rows, cell.y), 1, MAX_PIXELS)?;
    let mut sheet = plain(size, TABLE)?;
    for (index, thumbnail) in thumbnails.iter().enumerate() {
        let place = UVec2::new((index % columns) as u32, (index / columns) as u32);
        put(&mut sheet, thumbnail, UVec2::splat(GAP) + place * cell);
    }
    Ok(sheet)
}

/// Draws a picture in the middle of its room at `corner`, and its caption below.
fn put(sheet: &mut RgbaImage, thumbnail: &Thumbnail, corner: UVec2) {
    if let Some(picture) = &thumbnail.picture {
        let shown = UVec2::from(picture.dimensions()).min(THUMBNAIL);
        let corner = corner + (THUMBNAIL - shown) / 2;
        for (x, y, pixel) in picture.enumerate_pixels() {
            if x < shown.x && y < shown.y {
                blend::over(sheet.get_pixel_mut(corner.x + x, corner.y + y), *pixel);
            }
        }
    } else {
        let [x, y] = [corner.x as i32, corner.y as i32];
        let room = Rectangle::new(Point::new(x, y), (THUMBNAIL.x, THUMBNAIL.y).into());
        Paint::new(sheet, Point::zero()).fill(room, |_, _| Ink::DARK);
    }
    let mut at = Point::new(corner.x as i32, (corner.y + THUMBNAIL.y) as i32 + 3);
    for line in &thumbnail.caption {
        let text = fitting(line);
        let style = MonoTextStyle::new(&FONT_6X10, Ink::WHITE);
        let text = Text::with_baseline(&text, at, style, Baseline::Top);
        Paint::new(sheet, Point::zero()).draw(&text);
        at.y += LINE;
    }
}

/// The end of a line that has room below a picture: a path differs from others at its end.
fn fitting(line: &str) -> String {
    let room = (THUMBNAIL.x / LETTER) as usize;
    let line = printable(line).to_string();
    let count = line.chars().count();
    match count > room {
        true => format!("..{}", line.chars().skip(count - room + 2).collect::<String>()),
        false => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_lie_in_their_rooms_with_their_captions_below() {
        let red = RgbaImage::from_pixel(100, 180, Rgba([255, 0, 0, 255]));
        let caption = ["maps/cave.tmx".to_owned(), "29.4% solid".to_owned()];
        let large = RgbaImage::from_pixel(400, 400, Rgba([0, 0, 255, 255]));
        let all = [Some(red), None, Some(large)];
        let all = all.map(|picture| Thumbnail::new(picture, caption.clone()));
        let sheet = contact_sheet(&all).expect("it is small");
        let cell = THUMBNAIL + UVec2::new(GAP, GAP + CAPTION);
        assert_eq!(UVec2::from(sheet.dimensions()), cell * 2 + GAP);
        let at = |x: u32, y: u32| sheet.get_pixel(x, y).0;
        assert_eq!(at(GAP + 70, GAP), [255, 0, 0, 255], "in the middle");
        assert_eq!(at(GAP + 69, GAP), TABLE.0);
        assert_eq!(at(cell.x + GAP, GAP), Ink::DARK.0.0, "no picture");
        assert_eq!(at(GAP + 239, cell.y + GAP + 179), [0, 0, 255, 255], "cut off");
        assert_eq!(at(GAP + 240, cell.y + GAP + 179), TABLE.0);
        let below = (GAP + THUMBNAIL.y..cell.y).flat_map(|y| (GAP..cell.x).map(move |x| (x, y)));
        let white = below.filter(|(x, y)| at(*x, *y) == Ink::WHITE.0.0).count();
        assert!(white > 100, "{white} pixels of letters");
    }

    #[test]
    fn of_a_long_caption_the_end_is_shown() {
        let long = "a/".repeat(40) + "end.tmx";
        assert_eq!(fitting(&long).chars().count(), 40);
        assert!(fitting(&long).starts_with("..") && fitting(&long).ends_with("/end.tmx"));
        assert_eq!(fitting("short"), "short");
    }
}
