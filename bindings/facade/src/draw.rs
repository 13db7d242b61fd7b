//! What the maps of a level draw: parts of pictures at their places. No picture is decoded.

use std::path::Path;

use bitwall::glam::Vec2;
use bitwall::tmx::{Drawing, Image, Paint, PlacedMap};

use crate::level::lines;
use crate::*;

record! {
    /// A part of a picture at its place in the level. Turn it about its middle after it is mirrored.
    Sprite(drawing: &Drawing<'_>, at: Vec2, source: Aabb, color: [f32; 4], picture: i32, layer: i32) {
        /// The number of the picture in `Scene.pictures`, from 0; -1 for a box of one colour.
        picture: i32 = picture;
        /// The left edge of the part in the picture.
        source_x: i32 = source.min.x;
        /// The top edge of the part.
        source_y: i32 = source.min.y;
        /// The width of the part.
        source_w: i32 = clamped(source.width());
        /// The height of the part.
        source_h: i32 = clamped(source.height());
        /// The middle of the drawing along x, in pixels of the level (of the screen for an isometric map).
        x: f32 = at.x;
        /// The middle of the drawing along y.
        y: f32 = at.y;
        /// The width to which the part is scaled.
        w: f32 = drawing.size.x as f32;
        /// The height to which the part is scaled.
        h: f32 = drawing.size.y as f32;
        /// True if the part is mirrored left to right.
        flip_x: bool = drawing.flip_x;
        /// True if the part is mirrored top to bottom.
        flip_y: bool = drawing.flip_y;
        /// The clockwise rotation in degrees.
        degrees: f32 = drawing.degrees as f32;
        /// True for a picture that repeats to the left and right without limit.
        repeat_x: bool = drawing.repeat.0;
        /// True for a picture that repeats upward and downward without limit.
        repeat_y: bool = drawing.repeat.1;
        /// The red part of the tint, or of the one colour: 0 to 1.
        red: f32 = color[0];
        /// The green part.
        green: f32 = color[1];
        /// The blue part.
        blue: f32 = color[2];
        /// The opacity: 0 (clear) to 1.
        alpha: f32 = color[3] * drawing.opacity;
        /// The number of the layer in `Scene.layers`, from 0.
        layer: i32 = layer;
        /// How many pixels the layer moves along x for one of the camera; usually 1.
        parallax_x: f32 = drawing.layer.parallax.x.as_f64() as f32;
        /// How many pixels the layer moves along y for one of the camera.
        parallax_y: f32 = drawing.layer.parallax.y.as_f64() as f32;
    }
}

impl Sprite {
    /// True if a part of the drawing may be in the box.
    fn touches(&self, area: Aabb) -> bool {
        let reach = f64::from(self.w.hypot(self.h) / 2.0);
        let middle = Vec2::new(self.x, self.y).as_dvec2();
        let (after, before) = (middle + reach - area.min.as_dvec2(), area.max.as_dvec2() + reach - middle);
        let along = after.min(before).cmpgt(DVec2::ZERO);
        (self.repeat_x || along.x) && (self.repeat_y || along.y)
    }
}

/// What a level's maps draw, in the order of drawing.
#[derive(Default)]
pub struct Scene {
    all: Vec<Sprite>,
    pictures: Vec<String>,
    layers: Vec<String>,
}

impl Scene {
    /// What maps draw. `name` tells the path of a picture as the game knows it.
    pub(crate) fn of_maps(maps: &[PlacedMap], name: fn(&Path) -> String) -> Self {
        let mut scene = Self::default();
        for placed in maps {
            let found = placed.map.scene(size);
            let mut last = None;
            for drawing in found.drawings() {
                let (picture, source, plain) = match drawing.paint {
                    Paint::Picture { image, source, .. } => {
                        (scene.number(name(&image.path)), source, [255; 4])
                    }
                    Paint::Plain(color) => (-1, Aabb::default(), color),
                    _ => continue,
                };
                if last.is_none_or(|layer| !std::ptr::eq(layer, drawing.layer)) {
                    last = Some(drawing.layer);
                    scene.layers.push(drawing.layer.name.clone());
                }
                let layer = scene.layers.len() as i32 - 1;
                let at = (drawing.center + placed.place.as_dvec2()).as_vec2();
                let tint = drawing.tint.unwrap_or([255; 4]);
                let color =
                    [0, 1, 2, 3].map(|at| f32::from(plain[at]) / 255.0 * (f32::from(tint[at]) / 255.0));
                scene.all.push(Sprite::new(&drawing, at, source, color, picture, layer));
            }
        }
        scene
    }

    /// The number of a picture, which is nearly always the last one.
    fn number(&mut self, path: String) -> i32 {
        let known = self.pictures.iter().rposition(|known| *known == path);
        known.unwrap_or_else(|| {
            self.pictures.push(path);
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
