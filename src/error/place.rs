//! The place of a fault in a file, in words.

use std::fmt;

use crate::text::printable;

/// A place in a file. Each part is `None` if it is unknown or does not apply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Place {
    /// Line of an XML or TOML file and byte in that line, both from 1.
    pub line: Option<(u32, u32)>,
    /// The layer's name, with those of the groups around it: `Walls/Houses`.
    pub layer: Option<String>,
    /// The object's id.
    pub object: Option<u32>,
    /// The tileset's name.
    pub tileset: Option<String>,
    /// Column and row of a cell, from 0; on an infinite map they may be negative.
    pub cell: Option<(i32, i32)>,
    /// x and y of a pixel, from 0.
    pub pixel: Option<(u32, u32)>,
}

impl Place {
    /// True if no part is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Place {
    /// The known parts from the widest to the narrowest: ``line 3, byte 9, layer `walls`, col 18, row 14``.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some((line, column)) = self.line {
            parts.push(format!("line {line}, byte {column}"));
        }
        if let Some(tileset) = self.tileset.as_ref().filter(|name| !name.is_empty()) {
            parts.push(format!("tileset `{}`", printable(tileset)));
        }
        if let Some(layer) = self.layer.as_ref().filter(|name| !name.is_empty()) {
            parts.push(format!("layer `{}`", printable(layer)));
        }
        if let Some(object) = self.object {
            parts.push(format!("object {object}"));
        }
        if let Some((column, row)) = self.cell {
            parts.push(format!("col {column}, row {row}"));
        }
        if let Some((x, y)) = self.pixel {
            parts.push(format!("x {x}, y {y}"));
        }
        f.write_str(&parts.join(", "))
    }
}
