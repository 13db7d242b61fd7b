//! The answers that a page gets as objects: plain data, each a copy.

use bitwall::image::RgbaImage;
use wasm_bindgen::prelude::*;

/// A picture: rows from the top, four bytes a pixel (red, green, blue, alpha), as `ImageData` takes them.
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

    /// Returns a copy of the bytes: four a pixel.
    pub fn rgba(&self) -> Vec<u8> {
        self.0.as_raw().clone()
    }
}

/// The answer of [`Playground::sweep`](crate::Playground::sweep).
#[wasm_bindgen(getter_with_clone)]
pub struct Swept {
    /// The distance that the box moved, at most the distance that was asked, in pixels.
    pub moved: u32,
    /// The pixels of the cell that stopped it: x, y, width and height. `undefined` if nothing stopped it.
    pub contact: Option<Vec<i32>>,
    /// The answer as `bitwall can-move` prints it.
    pub text: String,
}

/// Options that may give the level the solids that its author meant.
#[wasm_bindgen(getter_with_clone)]
pub struct Proposal {
    /// The options as arguments of the program `bitwall`.
    pub arguments: String,
    /// The reason in plain words.
    pub why: String,
    /// True for weak evidence.
    #[wasm_bindgen(js_name = isGuess)]
    pub is_guess: bool,
}
