//! The pixel whose look a speck or a pinhole gets.

use glam::{IVec2, UVec2};

use crate::LoadedLevel;
use crate::grid::Grid;
use crate::mask::Bits;

/// The pixels whose colours say more than solid or passable: to copy one of them would say it of a further
/// pixel.
pub(super) struct Looks<'a> {
    areas: Vec<&'a Grid>,
    /// Those of colours without a name.
    stray: Option<&'a Bits>,
    translucent: Option<&'a Bits>,
}

impl<'a> Looks<'a> {
    /// Those of a mask, of whose pixels `stray` are of colours without a name.
    pub(super) fn new(loaded: &'a LoadedLevel, stray: Option<&'a Bits>) -> Self {
        let areas = loaded.level.areas().map(|(_, area)| area.grid()).collect();
        let translucent = loaded.odd.as_deref().and_then(|odd| odd.translucent.as_ref());
        Self { areas, stray, translucent }
    }

    /// The nearest pixel around the square of a group whose kind is the other one, and whose colour is
    /// neither that of an area nor a stray one; a translucent one only if there is no other.
    pub(super) fn beside(&self, solid: &Bits, corner: UVec2, is_solid: bool) -> Option<UVec2> {
        let size = solid.size();
        let around = (-1..3).flat_map(|y| (-1..3).map(move |x| IVec2::new(x, y)));
        let is_inside = |at: &IVec2| at.min_element() >= 0 && at.as_uvec2().cmplt(size).all();
        let has_bit =
            |bits: Option<&Bits>, at: UVec2| bits.is_some_and(|bits| bits.get(at.x, at.y));
        let is_plain = |at: &UVec2| {
            let in_area = self.areas.iter().any(|area| area.is_solid(at.x, at.y));
            solid.get(at.x, at.y) != is_solid && !in_area && !has_bit(self.stray, *at)
        };
        let found = around.map(|by| (corner.as_ivec2() + by, by.length_squared()));
        let found = found.filter(|(at, _)| is_inside(at)).map(|(at, far)| (at.as_uvec2(), far));
        let nearest = found
            .filter(|(at, _)| is_plain(at))
            .min_by_key(|(at, far)| (has_bit(self.translucent, *at), *far));
        nearest.map(|(at, _)| at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(rows: &[&str]) -> Bits {
        let size = UVec2::new(rows[0].len() as u32, rows.len() as u32);
        let mut bits = Bits::new(size).expect("memory");
        for (y, row) in (0..).zip(rows) {
            for (x, _) in row.bytes().enumerate().filter(|(_, kind)| *kind == b'#') {
                bits.row_mut(y)[x / 64] |= 1 << (x % 64);
            }
        }
        bits
    }

    #[test]
    fn the_pixel_is_of_the_other_kind_and_plain() {
        let solid = bits(&["......", "#.##..", "......"]);
        let corner = UVec2::new(0, 1);
        let none = Looks { areas: Vec::new(), stray: None, translucent: None };
        assert_eq!(none.beside(&solid, corner, true), Some(UVec2::new(0, 0)));
        let stray = bits(&["##....", "......", "##...."]);
        let looks = Looks { stray: Some(&stray), ..none };
        assert_eq!(looks.beside(&solid, corner, true), Some(UVec2::new(1, 1)));
        let translucent = bits(&["......", ".#....", "......"]);
        let looks = Looks { translucent: Some(&translucent), ..looks };
        assert_eq!(looks.beside(&solid, corner, true), Some(UVec2::new(2, 0)), "opaque first");
        let stray = bits(&["####..", ".#....", "####.."]);
        assert_eq!(Looks { stray: Some(&stray), ..looks }.beside(&solid, corner, true), None);
    }
}
