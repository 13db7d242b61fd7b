//! What the maps of a level draw: parts of pictures at their places. No picture is decoded.

use std::path::Path;

use bitwall::glam::{DVec2, UVec2};
use bitwall::paths::plain;
use bitwall::tmx::{Drawing, Image, Paint, PlacedMap};

use crate::Result;
use crate::level::lines;
use crate::{aabb, clamped};

/// A part of a picture at its place in the level. Turn it about its middle after it is mirrored.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Sprite {
    /// The number of the picture in `Scene.pictures`, from 0; -1 for a box of one colour.
    pub picture: i32,
    /// The left edge of the part in the picture.
    pub source_x: i32,
    /// The top edge of the part.
    pub source_y: i32,
    /// The width of the part.
    pub source_w: i32,
    /// The height of the part.
    pub source_h: i32,
    /// The middle of the drawing along x, in pixels of the level (of the screen for an isometric map).
    pub x: f32,
    /// The middle of the drawing along y.
    pub y: f32,
    /// The width to which the part is scaled.
    pub w: f32,
    /// The height to which the part is scaled.
    pub h: f32,
    /// True if the part is mirrored left to right.
    pub flip_x: bool,
    /// True if the part is mirrored top to bottom.
    pub flip_y: bool,
    /// The clockwise rotation in degrees.
    pub degrees: f32,
    /// True for a picture that repeats to the left and right without limit.
    pub repeat_x: bool,
    /// True for a picture that repeats upward and downward without limit.
    pub repeat_y: bool,
    /// The red part of the tint, or of the one colour: 0 to 1.
    pub red: f32,
    /// The green part.
    pub green: f32,
    /// The blue part.
    pub blue: f32,
    /// The opacity: 0 (clear) to 1.
    pub alpha: f32,
    /// The number of the layer in `Scene.layers`, from 0.
    pub layer: i32,
    /// How many pixels the layer moves along x for one of the camera; usually 1.
    pub parallax_x: f32,
    /// How many pixels the layer moves along y for one of the camera.
    pub parallax_y: f32,
}

impl Sprite {
    /// The drawing without the numbers of its picture and layer; `None` if it shows nothing.
    fn new(drawing: &Drawing<'_>, place: DVec2) -> Option<Self> {
        let (source, plain) = match drawing.paint {
            Paint::Picture { source, .. } => (source, None),
            Paint::Plain(color) => (bitwall::Aabb::default(), Some(color)),
            _ => return None,
        };
        let [red, green, blue, alpha] = drawing.tint.unwrap_or([255; 4]).map(share);
        let color = plain.unwrap_or([255; 4]).map(share);
        let (center, size) = ((drawing.center + place).as_vec2(), drawing.size.as_vec2());
        let parallax = drawing.layer.parallax;
        Some(Self {
            picture: -1,
            source_x: source.min.x,
            source_y: source.min.y,
            source_w: clamped(source.width()),
            source_h: clamped(source.height()),
            x: center.x,
            y: center.y,
            w: size.x,
            h: size.y,
            flip_x: drawing.flip_x,
            flip_y: drawing.flip_y,
            degrees: drawing.degrees as f32,
            repeat_x: drawing.repeat.0,
            repeat_y: drawing.repeat.1,
            red: red * color[0],
            green: green * color[1],
            blue: blue * color[2],
            alpha: alpha * color[3] * drawing.opacity,
            layer: 0,
            parallax_x: parallax.x.as_f64() as f32,
            parallax_y: parallax.y.as_f64() as f32,
        })
    }

    /// True if a part of the drawing may be in the box.
    fn touches(&self, area: bitwall::Aabb) -> bool {
        let reach = self.w.hypot(self.h) / 2.0;
        let (x, y) = (f64::from(self.x), f64::from(self.y));
        let far = f64::from(reach);
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        let along_x = self.repeat_x || x + far > min.x && x - far < max.x;
        let along_y = self.repeat_y || y + far > min.y && y - far < max.y;
        along_x && along_y
    }
}

/// A part of a colour from 0 to 1.
fn share(part: u8) -> f32 {
    f32::from(part) / 255.0
}

/// What a level's maps draw, in the order of drawing.
pub struct Scene {
    all: Vec<Sprite>,
    pictures: Vec<String>,
    layers: Vec<String>,
}

impl Scene {
    pub(crate) fn of_maps(maps: &[PlacedMap]) -> Self {
        let mut scene = Self { all: Vec::new(), pictures: Vec::new(), layers: Vec::new() };
        for placed in maps {
            let found = placed.map.scene(size);
            let mut layer = None;
            for drawing in found.drawings() {
                let Some(mut picture) = Sprite::new(&drawing, placed.place.as_dvec2()) else {
                    continue;
                };
                if layer.is_none_or(|layer| !std::ptr::eq(layer, drawing.layer)) {
                    layer = Some(drawing.layer);
                    scene.layers.push(drawing.layer.name.clone());
                }
                picture.layer = scene.layers.len() as i32 - 1;
                if let Paint::Picture { image, .. } = drawing.paint {
                    picture.picture = scene.number(&image.path);
                }
                scene.all.push(picture);
            }
        }
        scene
    }

    /// The number of a picture, which is nearly always the last one.
    fn number(&mut self, path: &Path) -> i32 {
        let path = plain(path);
        let path = path.to_string_lossy();
        let known = self.pictures.iter().rposition(|known| *known == path);
        known.unwrap_or_else(|| {
            self.pictures.push(path.into_owned());
            self.pictures.len() - 1
        }) as i32
    }

    /// Returns the paths of the pictures, one a line, by their numbers from 0.
    pub fn pictures(&self) -> String {
        lines(self.pictures.iter())
    }

    /// Returns the names of the layers that draw, one a line, by their numbers from 0. A name can be there
    /// twice.
    pub fn layers(&self) -> String {
        lines(self.layers.iter())
    }

    /// Returns everything, from the back to the front.
    pub fn all(&self) -> Vec<Sprite> {
        self.all.clone()
    }

    /// Returns what may be seen in a box of pixels, from the back to the front. O(all).
    pub fn seen(&self, x: i32, y: i32, w: i32, h: i32) -> Result<Vec<Sprite>> {
        let area = aabb(x, y, w, h)?;
        Ok(self.all.iter().filter(|it| it.touches(area)).copied().collect())
    }
}

/// The size of a picture as the map states it, or as the header of a PNG on the disk does.
fn size(image: &Image) -> Option<UVec2> {
    if image.size.min_element() > 0 {
        return Some(image.size);
    }
    let bytes = std::fs::read(&image.path).ok()?;
    let side = |at: usize| bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes);
    bytes.starts_with(b"\x89PNG").then_some(UVec2::new(side(16)?, side(20)?))
}
