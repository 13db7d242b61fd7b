//! The edits of a person: discs that are carved or filled, undone stroke by stroke, and the art that shows them.

use std::collections::VecDeque;

use bitwall::glam::IVec2;
use bitwall::image::{Rgba, RgbaImage};
use bitwall::level::Patch;
use bitwall::shapes::Circle;
use bitwall::{Aabb, Level};
use wasm_bindgen::prelude::*;

use crate::answers::Picture;
use crate::level::{Playground, numbers};

/// The colour in the art of cells that a person makes solid.
const FILLED: Rgba<u8> = Rgba([84, 90, 104, 255]);

/// The most edits that can be undone. A stroke of the pointer has some hundred; one takes a few hundred bytes.
const MOST_EDITS: usize = 20_000;

/// The level and its art before the first edit, and what undoes each edit since.
#[derive(Default)]
pub(crate) struct Edits {
    original: Option<(Level, Option<RgbaImage>)>,
    /// The strokes, the newest last. Each has what was in the box of an edit before it.
    strokes: VecDeque<Vec<Patch>>,
}

impl Edits {
    /// Keeps the level as it was, if this is the first edit.
    fn begin(&mut self, level: &Level, art: Option<&RgbaImage>) {
        self.original.get_or_insert_with(|| (level.clone(), art.cloned()));
    }

    /// Adds what undoes an edit to the newest stroke. The oldest strokes go where there are too many edits.
    fn push(&mut self, before: Patch) {
        if self.strokes.is_empty() {
            self.strokes.push_back(Vec::new());
        }
        if let Some(stroke) = self.strokes.back_mut() {
            stroke.push(before);
        }
        while self.strokes.len() > 1
            && self.strokes.iter().map(Vec::len).sum::<usize>() > MOST_EDITS
        {
            self.strokes.pop_front();
        }
    }

    /// Draws the art of a box again: as it was where the level is as it was, else gray or clear.
    fn redraw(&self, level: &Level, art: &mut RgbaImage, area: Aabb) {
        let Some((old, Some(old_art))) = &self.original else { return };
        for y in area.min.y..area.max.y {
            for x in area.min.x..area.max.x {
                let at = IVec2::new(x, y);
                let (column, row) = (x as u32, y as u32);
                let is_solid = level.is_solid(at);
                let pixel = if is_solid == old.is_solid(at) {
                    *old_art.get_pixel(column, row)
                } else if is_solid {
                    FILLED
                } else {
                    Rgba([0; 4])
                };
                art.put_pixel(column, row, pixel);
            }
        }
    }
}

impl Playground {
    /// Takes note of changed cells, and returns the box to draw again: x, y, width and height.
    fn changed(&mut self, area: Aabb) -> Vec<i32> {
        let level = &self.loaded.level;
        let inside = Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() };
        self.reach.edited(area);
        if let Some(art) = &mut self.art {
            self.edits.redraw(level, art, area.intersection(inside));
        }
        // The outline of a solid is drawn on the pixels around it.
        numbers(Aabb { min: area.min - 2, max: area.max + 2 }.intersection(inside))
    }
}

#[wasm_bindgen]
impl Playground {
    /// Begins a stroke: [`Playground::undo`] takes all edits since back together.
    pub fn stroke(&mut self) {
        if self.edits.strokes.back().is_none_or(|stroke| !stroke.is_empty()) {
            self.edits.strokes.push_back(Vec::new());
        }
    }

    /// Makes the cells within `radius` pixels of a pixel solid, or passable if `solid` is false. In the art
    /// they become gray or transparent. On a map of tiles, these are all tiles that the disc touches. Returns
    /// the box to draw again: x, y, width and height. `undefined` if no cell changed.
    ///
    /// # Errors There is not enough memory for the change.
    pub fn edit(
        &mut self,
        x: i32,
        y: i32,
        radius: i32,
        solid: bool,
    ) -> Result<Option<Vec<i32>>, JsError> {
        let at = IVec2::new(x, y);
        let disc = Circle { center: IVec2::ZERO, radius };
        let level = &mut self.loaded.level;
        let reach = level.cell_size().as_ivec2() + disc.radius;
        let near = Aabb { min: at.saturating_sub(reach), max: at.saturating_add(reach + 1) };
        let before = level.patch(near);
        self.edits.begin(level, self.art.as_ref());
        let changed = if solid { level.paint(&disc, at)? } else { level.carve(&disc, at) };
        let Some(changed) = changed else { return Ok(None) };
        self.edits.push(before);
        Ok(Some(self.changed(changed)))
    }

    /// Takes the newest stroke back. Returns the box to draw again, or `undefined` if there is no stroke.
    ///
    /// # Errors There is not enough memory for the change.
    pub fn undo(&mut self) -> Result<Option<Vec<i32>>, JsError> {
        let mut area: Option<Aabb> = None;
        while area.is_none() {
            let Some(stroke) = self.edits.strokes.pop_back() else { return Ok(None) };
            for patch in stroke.iter().rev() {
                if let Some(changed) = self.loaded.level.apply(patch)? {
                    let known = area.unwrap_or(changed);
                    let (min, max) = (known.min.min(changed.min), known.max.max(changed.max));
                    area = Some(Aabb { min, max });
                }
            }
        }
        Ok(area.map(|area| self.changed(area)))
    }

    /// True if a person has edited the level, and [`Playground::undo`] takes something back.
    #[wasm_bindgen(getter, js_name = canUndo)]
    pub fn can_undo(&self) -> bool {
        self.edits.strokes.iter().any(|stroke| !stroke.is_empty())
    }

    /// Draws the solids as a mask: black is solid, white is passable, one pixel for each pixel of the level.
    ///
    /// # Errors The level has more than 2^26 pixels.
    pub fn mask(&self) -> Result<Picture, JsError> {
        let level = &self.loaded.level;
        let size = level.size();
        if u64::from(size.x) * u64::from(size.y) > 1 << 26 {
            return Err(JsError::new(
                "the level has more than 67,108,864 pixels; `bitwall render` draws it",
            ));
        }
        Ok(Picture(RgbaImage::from_fn(size.x, size.y, |x, y| {
            let is_solid = level.is_solid(IVec2::new(x as i32, y as i32));
            if is_solid { Rgba([0, 0, 0, 255]) } else { Rgba([255; 4]) }
        })))
    }
}
