//! Guesses the layer of solids from the structure of a map whose words do not help.
//!
//! A layer of solids has few kinds of tiles, does not fill the map, is often hidden, has a closed border, and
//! has no tile where objects mark the places of characters. The points for each criterion follow counts in 32
//! maps of real games whose solids are one tile layer. Pictures are not used.

#[cfg(test)]
mod tests;

use bitwall::glam::{DVec2, IVec2, UVec2};
use bitwall::text::{counted, words_in};
use bitwall::tmx::{LayerContent, Object, Orientation, Shape, TileLayer, flip};

use super::{Census, Guess, ITEMS, LayerCensus, PLACES, SOLID_WORDS, has_word, is_place};
use crate::suggest::{Setting, tiles_of};

/// Words in the names of layers that are mostly decoration or floor.
const OTHER_WORDS: &str = "background bg sky clouds parallax above over overlay overhead fringe foreground \
                           fg shadow shadows light lights deco decoration decorations floor floors grass \
                           path paths details flowers";

/// Returns a guess for each non-empty tile layer that may have the level's solids or be its floor.
pub(super) fn guesses(census: &Census<'_>) -> Vec<Guess> {
    let places = places(census);
    let mut guesses = Vec::new();
    let mut is_ground = true;
    for (index, layer) in census.layers.iter().enumerate().filter(|(_, layer)| layer.items > 0) {
        if let LayerContent::Tiles(tiles) = &layer.context.layer.content {
            if let Some(mut guess) = guess(census, index, layer, tiles, &places) {
                // Of several tile layers, the lowest is usually the ground, and not the solids.
                guess.score -= if is_ground { 6 } else { 0 };
                guesses.push(guess);
            }
            is_ground = false;
        }
    }
    guesses
}

/// Returns the guess that a non-empty tile layer has the level's solids, or is its floor. `None` if the layer
/// has no empty cells.
fn guess(
    census: &Census<'_>,
    index: usize,
    layer: &LayerCensus<'_>,
    tiles: &TileLayer,
    places: &[IVec2],
) -> Option<Guess> {
    let size = census.map.size;
    let cells = u64::from(size.x) * u64::from(size.y);
    let is_finite = !census.map.is_infinite && cells > 0;
    if is_finite && layer.items * 1000 >= cells * 995 {
        return None;
    }
    let kinds = layer.kinds.counts.len();
    let mut why = vec![counted(kinds as u64, "kind") + " of tile"];
    let mut score = match kinds {
        0 | 1 => 40,
        2 => 24,
        3..=4 => 16,
        5..=8 => 8,
        _ => 0,
    };
    if is_finite {
        why.push(format!("on {}% of the map", layer.items * 100 / cells));
        score -= if layer.items * 200 < cells { 30 } else { 0 };
    }
    if !layer.context.visible {
        score += 16;
        why.push("hidden".to_owned());
    }
    let inside = places.iter().filter(|at| is_filled(tiles, **at)).count();
    // A layer of few kinds of tile rather marks the solids that other layers draw.
    let may_be_floor = places.is_empty()
        && is_finite
        && kinds > 2
        && !has_word(&words_in(layer.name()), SOLID_WORDS);
    let holds_all = may_be_floor && holds_all_tiles(census, index, tiles);
    let is_floor = holds_all || inside * 2 > places.len();
    if holds_all {
        score += 20;
        why.push("nothing is drawn beside it".to_owned());
    }
    // Such a floor may fill its bounds, and then nothing would be solid.
    if is_floor && !is_finite {
        return None;
    }
    if !places.is_empty() {
        let right = if is_floor { inside } else { places.len() - inside };
        let share = (100 * right / places.len()) as i64;
        // `places` are cells where characters appear, stand or go: on a floor, but not in solids. The score
        // changes by -30 if half of them fit the guessed content of the layer, and by 8 if all of them fit.
        score += (38 * (share - 50)) / 50 - 30;
        let side = if is_floor { "on" } else { "off" };
        why.push(format!("{right} of {} places of characters lie {side} it", places.len()));
    }
    // A floor of a few cells leaves nearly everything solid.
    let is_small = is_finite && layer.items * 20 < cells;
    score -= if is_floor && is_small && !holds_all { 30 } else { 0 };
    if let Some(share) = border_share(census, tiles) {
        let closed = if is_floor { 100 - share } else { share };
        if closed >= 90 {
            score += 10;
            let part = if is_floor { "its gaps" } else { "its tiles" };
            why.push(format!("{part} line the map's border"));
        }
    }
    let name = &layer.context.layer.name;
    let tokens = words_in(name);
    score += if has_word(&tokens, SOLID_WORDS) { 6 } else { 0 };
    let is_other = has_word(&tokens, OTHER_WORDS) || has_word(&tokens, ITEMS);
    score -= if is_other { 20 } else { 0 };
    let (role, option) = if is_floor {
        ("the floor", Setting::WalkableLayer(name.clone()))
    } else {
        ("the solids", Setting::SolidLayer(name.clone()))
    };
    Some(Guess { layer: index, score, role, option, why })
}

/// True if less than half of the map's cells have a tile of this layer, and all tiles of the other layers, at
/// least half as many, lie on such cells. Characters then cannot stand beside the layer, but only on it.
fn holds_all_tiles(census: &Census<'_>, index: usize, tiles: &TileLayer) -> bool {
    /// The largest number of layers of such a map: each is compared with each other.
    const MOST: usize = 8;
    let cells = u64::from(census.map.size.x) * u64::from(census.map.size.y);
    let items = census.layers[index].items;
    if items * 2 > cells || census.layers.len() > MOST {
        return false;
    }
    let mut others = 0;
    for (other, layer) in census.layers.iter().enumerate() {
        let LayerContent::Tiles(content) = &layer.context.layer.content else { continue };
        if other == index {
            continue;
        }
        others += layer.items;
        if tiles_of(content).any(|(cell, _)| !is_filled(tiles, cell)) {
            return false;
        }
    }
    others * 2 >= items
}

/// The percentage of cells along a map's border that have a tile; `None` for an infinite map, and for a map
/// of less than 3 columns or rows.
fn border_share(census: &Census<'_>, tiles: &TileLayer) -> Option<u64> {
    let size = census.map.size.as_ivec2();
    if census.map.is_infinite || size.min_element() < 3 {
        return None;
    }
    let columns = (0..size.y).flat_map(|y| [IVec2::new(0, y), IVec2::new(size.x - 1, y)]);
    let rows = (1..size.x - 1).flat_map(|x| [IVec2::new(x, 0), IVec2::new(x, size.y - 1)]);
    let filled = columns.chain(rows).filter(|at| is_filled(tiles, *at)).count();
    let all = 2 * (size.x + size.y) - 4;
    Some(100 * filled as u64 / all as u64)
}

fn is_filled(tiles: &TileLayer, cell: IVec2) -> bool {
    tiles.blocks.iter().any(|block| block.gid(cell).is_some_and(|gid| gid & !flip::ALL != 0))
}

/// The cells at the middle of objects where characters appear, stand or go. At most 256 such objects count.
fn places(census: &Census<'_>) -> Vec<IVec2> {
    const MOST: usize = 256;
    let mut places = Vec::new();
    let mut count = 0;
    for layer in &census.layers {
        let LayerContent::Objects(content) = &layer.context.layer.content else { continue };
        let is_of_places = has_word(&words_in(layer.name()), PLACES);
        for object in content.objects.iter().filter(|object| is_of_places || is_place(object)) {
            if count == MOST {
                return places;
            }
            count += 1;
            places.extend(cell_of(census, object));
        }
    }
    places
}

/// The cell at the middle of an object; `None` on a staggered or hexagonal map.
fn cell_of(census: &Census<'_>, object: &Object) -> Option<IVec2> {
    let side = match census.map.orientation {
        Orientation::Orthogonal | Orientation::Oblique { .. } => census.map.tile_size,
        Orientation::Isometric => census.map.tile_size.with_x(census.map.tile_size.y),
        _ => return None,
    };
    let mut at = DVec2::new(object.position.x.as_f64(), object.position.y.as_f64());
    if matches!(object.shape, Shape::Rectangle | Shape::Ellipse | Shape::Capsule) {
        // The position of a tile object is its bottom-left corner.
        let down = if object.gid.is_some() { -0.5 } else { 0.5 };
        at += DVec2::new(object.size.x.as_f64() * 0.5, object.size.y.as_f64() * down);
    }
    Some((at / side.max(UVec2::ONE).as_dvec2()).floor().as_ivec2())
}
