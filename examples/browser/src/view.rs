//! Guesses whether a level is seen from the side or from above, for the first look at it. A person can change it.

use bitwall::glam::{IVec2, UVec2};
use bitwall::tmx::Orientation;
use bitwall::{Aabb, Dir, LoadedLevel};
use wasm_bindgen::prelude::*;

use crate::hero::start_of;
use crate::level::Playground;

/// True if the level seems to be seen from above.
///
/// What only a view from the side has decides first: one-way floors, ladders, a start on a floor. Then the
/// shape decides: a level from the side is closed below and open above.
fn is_from_above(loaded: &LoadedLevel) -> bool {
    let level = &loaded.level;
    let maps = &loaded.maps;
    if maps.iter().any(|placed| placed.map.orientation != Orientation::Orthogonal) {
        return true;
    }
    let has_floors = Dir::ALL.iter().any(|side| level.one_way(*side).is_some());
    if level.grid().solid_count() == 0 || has_floors || level.area("ladder").is_some() {
        return false;
    }
    let tile = maps.first().map_or(UVec2::splat(16), |placed| placed.map.tile_size).as_ivec2();
    if let Some(start) = start_of(level) {
        let feet =
            Aabb { min: start - IVec2::new(tile.x / 4, 1), max: start + IVec2::new(tile.x / 4, 0) };
        return level.sweep(feet, Dir::Down, tile.max_element() as u32).contact.is_none();
    }
    let size = level.size().as_ivec2();
    let solid_share = |y: i32| {
        let columns = (0..64).map(|part| part * size.x / 64);
        columns.filter(|x| level.is_solid(IVec2::new(*x, y))).count()
    };
    let (top, bottom) = (solid_share(0), solid_share(size.y - 1));
    bottom < top + 16
}

#[wasm_bindgen]
impl Playground {
    /// True if the level seems to be seen from above, where a hero does not fall. A guess by the map's
    /// orientation, its one-way floors and ladders, the floor below its start, and its open side.
    #[wasm_bindgen(getter, js_name = isFromAbove)]
    pub fn is_from_above(&self) -> bool {
        is_from_above(&self.loaded)
    }
}
