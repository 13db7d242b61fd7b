//! The maps of a world: a border around each, and the name of its file.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::canvas::Canvas;
use super::ink::Ink;
use super::labels::{MAX_NAME, shortened};
use crate::tmx::PlacedMap;

const INK: Ink = Ink::new(245, 240, 255);

/// The distance of a name from the border of its map, in pixels of the picture.
const INSET: i32 = 4;

/// Draws the borders of the maps of a world, and names them; a single map has none.
pub(super) fn draw(canvas: &mut Canvas<'_>, maps: &[PlacedMap]) {
    if maps.len() < 2 {
        return;
    }
    for map in maps {
        canvas.outline(map.area, INK.0);
        let (Some(file), Some(place)) = (&map.file, canvas.place(map.area)) else {
            continue;
        };
        // The file's own name says more than the start of a long path.
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let seen = canvas.seen(place).intersection(&canvas.frame());
        let inside = Rectangle::new(
            seen.top_left + Point::new(INSET, INSET),
            seen.size.saturating_sub(Size::new_equal(2 * INSET as u32)),
        );
        canvas.labels.within(&shortened(name, MAX_NAME), inside, INK);
    }
}
