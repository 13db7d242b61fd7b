//! Pictures of maps: the first file is a map, the second the only picture that it can name, and the third a
//! tileset. Pictures may also be embedded in the map. Switch 5 selects a picture that fits a box, and the last
//! four switches select the region.

use std::hint::black_box;

use bitwall::glam::UVec2;
use bitwall::image::{GrayImage, ImageBuffer, Pixel, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay, RenderError};
use bitwall::{Aabb, Dir, LoadedLevel};

use crate::{Input, reader};

/// The largest number of pixels of a picture that is drawn as a whole. It is small, so that an input takes
/// milliseconds.
const WHOLE: u64 = 1 << 14;

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let mut options = input.options();
    options.limits.cells = 1 << 12;
    let read = reader(input.file(2), &[]);
    let Ok(loaded) = LoadedLevel::decode("maps/m.tmx", input.file(0), read, &options) else {
        return;
    };
    let mut files = reader(&[], input.file(1));
    let (pictures, errors) = render::load_pictures(&loaded.maps, &mut files);
    black_box(errors.iter().map(ToString::to_string).count());
    let options = DrawOptions { pictures: Some(&pictures), ..DrawOptions::default() };
    let art = DrawOptions { overlay: Overlay::none(1), ..options };
    let body = Some(Aabb::from_xywh(3, 5, 12, 20));
    let motion = Some((Dir::Right, 400));
    let moving = Overlay { body, motion, ..Overlay::new(1) };
    let standing = Overlay { labels: false, body, grid: true, ..Overlay::new(1) };
    let unlabelled = Overlay { labels: false, ..moving };
    let over = [Overlay::new(1), standing, unlabelled, moving];
    let over = over.map(|overlay| DrawOptions { overlay, ..options });
    for options in [art].into_iter().chain(over) {
        // Labels are moved to stay inside the region, so a region with labels can differ from the whole
        // picture.
        draw(&loaded, &options, &input, !options.overlay.labels);
    }
    let region = region(&loaded.level.size().into(), input.switches);
    let part =
        render::collision_with(&loaded.level, &DrawOptions { region: Some(region), ..options });
    let size = loaded.level.size().as_u64vec2();
    if size.element_product() <= WHOLE {
        let whole: GrayImage = render::collision(&loaded.level).expect("it is small");
        assert!(cut(&whole, region) == part.expect("it is small"));
    }
}

/// Draws a region and, if the whole picture is small, the whole picture. If `is_same`, the region must be a
/// part of it.
fn draw(loaded: &LoadedLevel, options: &DrawOptions<'_>, input: &Input, is_same: bool) {
    // The error for a region outside the picture contains the size of the picture.
    let beyond = Some(Aabb::from_xywh(-1, -1, 1, 1));
    let size = match render::draw(loaded, &DrawOptions { region: beyond, ..*options }) {
        Err(RenderError::EmptyRegion { size, .. }) => size,
        other => {
            black_box(other.is_ok());
            return;
        }
    };
    let region = region(&size.into(), input.switches);
    let part = render::draw(loaded, &DrawOptions { region: Some(region), ..*options });
    if let Err(error) = &part {
        black_box(error.to_string());
    }
    if size.as_u64vec2().element_product() > WHOLE {
        return;
    }
    let Ok(whole) = render::draw(loaded, options) else {
        return;
    };
    if is_same && whole.width() > 0 && whole.height() > 0 {
        let whole: &RgbaImage = &whole;
        assert!(cut(whole, region) == part.expect("its whole was drawn"), "{region:?}");
    }
    if input.is_on(5) {
        let room = UVec2::new(1 + u32::from(input.switches) * 3, 100);
        let fitted = render::draw(loaded, &DrawOptions { fit: Some(room), ..*options })
            .expect("its whole was drawn");
        assert!(UVec2::from(fitted.dimensions()).cmple(room).all());
    }
}

/// Returns a region that overlaps a picture of this size, unless the picture is empty.
fn region(&(width, height): &(u32, u32), switches: u8) -> Aabb {
    let part = |length: u32, at: u32| (u64::from(length) * u64::from(at) / 4).min(1 << 30) as i32;
    let at = u32::from(switches >> 4);
    let (x, y) = (part(width, at % 4), part(height, at / 4));
    Aabb::from_xywh(x, y, 60, 41)
}

/// Returns the pixels of `region` in the whole picture.
fn cut<P: Pixel<Subpixel = u8> + 'static>(
    whole: &ImageBuffer<P, Vec<u8>>,
    region: Aabb,
) -> ImageBuffer<P, Vec<u8>> {
    let size = UVec2::from(whole.dimensions()).as_ivec2();
    let part = region.intersection(Aabb::from_xywh(0, 0, size.x, size.y));
    let (at, size) = (part.min.as_uvec2(), part.size());
    imageops::crop_imm(whole, at.x, at.y, size.x, size.y).to_image()
}
