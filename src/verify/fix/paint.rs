//! The pixels of a repaired mask that get another look, in samples of any format. It reads no file.

use glam::UVec2;

use super::raw::Raw;
use crate::mask::{Bits, luma};

/// The pixels that get another look.
pub(super) struct Paint<'a> {
    /// Those that become black or white, by `solid`.
    pub(super) hardened: Option<&'a Bits>,
    pub(super) solid: &'a Bits,
    pub(super) dark_is_solid: bool,
    /// Pixels that get the look of others, after these have got theirs.
    pub(super) copies: &'a [[UVec2; 2]],
}

/// A colour of a palette: red, green, blue, opacity.
pub(super) type Entry = [u8; 4];

impl Paint<'_> {
    /// Repaints the pixels; `black` and `white` are samples of a pixel.
    pub(super) fn apply(&self, raw: &mut Raw, black: u64, white: u64) {
        if let Some(bits) = self.hardened {
            let size = raw.size;
            let pixels = (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y)));
            for (x, y) in pixels.filter(|(x, y)| bits.get(*x, *y)) {
                let is_black = self.solid.get(x, y) == self.dark_is_solid;
                raw.set(UVec2::new(x, y), if is_black { black } else { white });
            }
        }
        for [to, from] in self.copies {
            let value = raw.get(*from);
            raw.set(*to, value);
        }
    }

    /// Repaints the pixels of a picture with a palette, of `most` entries at most.
    pub(super) fn apply_to_palette(
        &self,
        raw: &mut Raw,
        palette: &mut Vec<Entry>,
        most: usize,
    ) -> Result<(), String> {
        let (mut black, mut white) = (0, 0);
        if let Some(hardened) = self.hardened {
            let uses = Uses { all: raw.used(None), kept: raw.used(Some(hardened)) };
            black = uses.entry(palette, most, [0, 0, 0, 255], None)?;
            white = uses.entry(palette, most, [255; 4], Some(black))?;
        }
        self.apply(raw, black as u64, white as u64);
        Ok(())
    }
}

/// The values of a picture's pixels, and those of the pixels that keep theirs.
struct Uses {
    all: [bool; 256],
    kept: [bool; 256],
}

impl Uses {
    /// The entry for black or white: one that has the colour already, or else the nearest of those that only
    /// repainted pixels have, or a new one, or one that no pixel has; not the one that is `taken`. So two
    /// grays of a mask turn black and white where they are, and the palette keeps its length.
    fn entry(
        &self,
        palette: &mut Vec<Entry>,
        most: usize,
        color: Entry,
        taken: Option<usize>,
    ) -> Result<usize, String> {
        if let Some(known) = palette.iter().position(|known| *known == color) {
            return Ok(known);
        }
        // A GIF keeps its transparent value, so that no pixel may get that.
        let is_free = |(index, entry): &(usize, &Entry)| {
            !self.kept.get(*index).unwrap_or(&true) && Some(*index) != taken && entry[3] == 255
        };
        let away = |entry: &Entry| {
            let [red, green, blue, _] = *entry;
            luma([red, green, blue]).abs_diff(color[0])
        };
        let free: Vec<(usize, &Entry)> = palette.iter().enumerate().filter(is_free).collect();
        let was_used = |(index, _): &&(usize, &Entry)| self.all.get(*index) == Some(&true);
        let freed = free.iter().filter(was_used).min_by_key(|(_, entry)| away(entry));
        let found = match freed {
            None if palette.len() < most => {
                palette.push(color);
                return Ok(palette.len() - 1);
            }
            freed => freed.or(free.first()).map(|(index, _)| *index),
        };
        let index = found.ok_or("its palette has no room for black and white")?;
        if let Some(place) = palette.get_mut(index) {
            *place = color;
        }
        Ok(index)
    }
}
