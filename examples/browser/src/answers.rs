//! The results that a page gets as objects. Each is a copy.

use bitwall::image::RgbaImage;
use wasm_bindgen::prelude::*;

/// A picture: rows from the top, with four bytes per pixel (red, green, blue, alpha), as `ImageData` takes
/// them.
#[wasm_bindgen]
pub struct Picture(pub(crate) RgbaImage);

#[wasm_bindgen]
impl Picture {
    /// The width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.width()
    }

    /// The height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.height()
    }

    /// Returns a copy of the bytes, four per pixel.
    pub fn rgba(&self) -> Vec<u8> {
        self.0.as_raw().clone()
    }
}

/// The result of [`Playground::sweep`](crate::Playground::sweep).
#[wasm_bindgen(getter_with_clone)]
pub struct Swept {
    /// The distance that the box moved in pixels, at most the requested distance.
    pub moved: u32,
    /// The box of the cell that stopped the motion, in pixels: x, y, width and height. `undefined` if nothing
    /// stopped it.
    pub contact: Option<Vec<i32>>,
    /// The result as text, as `bitwall can-move` prints it.
    pub text: String,
}
