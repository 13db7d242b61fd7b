//! The areas and solids that the colours of a mask make.

use crate::error::LoadErrorKind;
use crate::limits;
use crate::rules::mask::{MaskPlane, Pixel};

/// The name of a [`MaskPlane`] that makes pixels solid instead of an area.
const SOLID: &str = "solid";

/// The largest number of areas in a mask. An area takes as much memory as the level's solids, and a bit of
/// [`Belongs::areas`].
const MAX_AREAS: u64 = 32;

/// The areas and solids that the colours of a mask make, as [`MaskPlane`]s state.
#[derive(Debug)]
pub(super) struct MaskPlanes<'a> {
    /// The names of the areas, without repeats. The index of a name is the number of the area in
    /// [`Belongs::areas`].
    pub(super) names: Vec<&'a str>,
    /// The colour of each [`MaskPlane`], with the area or the solids that it makes.
    colors: Vec<([u8; 3], Belongs)>,
}

/// The areas that contain a pixel, and whether the pixel is solid by a [`MaskPlane`] named `solid`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Belongs {
    /// The areas that contain the pixel, as bits. The lowest bit is for the first area in
    /// [`MaskPlanes::names`].
    pub(super) areas: u32,
    pub(super) solid: bool,
}

impl<'a> MaskPlanes<'a> {
    pub(super) fn new(planes: &'a [MaskPlane]) -> Result<Self, LoadErrorKind> {
        let mut names = Vec::new();
        let mut colors = Vec::new();
        for MaskPlane { name, color } in planes {
            let mut belongs = Belongs { areas: 0, solid: name == SOLID };
            if !belongs.solid {
                let number = names.iter().position(|known| known == name).unwrap_or(names.len());
                if number == names.len() {
                    names.push(name.as_str());
                    limits::check("planes of the mask", names.len() as u64, MAX_AREAS)?;
                }
                belongs.areas = 1 << number;
            }
            colors.push((*color, belongs));
        }
        Ok(Self { names, colors })
    }

    /// The areas of all [`MaskPlane`]s with the colour of `pixel`, and whether one of them makes it solid.
    /// `None` if no [`MaskPlane`] has this colour.
    pub(super) fn belongs(&self, pixel: &Pixel) -> Option<Belongs> {
        let colors = self.colors.iter().filter(|_| pixel.alpha > 0);
        let own = colors.filter(|(color, _)| pixel.has_color(*color));
        own.map(|(_, belongs)| *belongs)
            .reduce(|a, b| Belongs { areas: a.areas | b.areas, solid: a.solid | b.solid })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pixel_belongs_to_every_mask_plane_of_its_colour() {
        let text = ["a=#0000ff", "b=#ff0000", "a=#00ff00", "solid=#0000ff", "c=#0000ff"];
        let given: Vec<MaskPlane> = text.iter().map(|text| text.parse().unwrap()).collect();
        let planes = MaskPlanes::new(&given).unwrap();
        assert_eq!(planes.names, ["a", "b", "c"]);
        let of = |rgb, alpha, max| planes.belongs(&Pixel { rgb, alpha, max });
        let (areas, solid) = (0b101, true);
        assert_eq!(of([0, 0, 255], 255, 255), Some(Belongs { areas, solid }));
        assert_eq!(of([0, 0, 65_535], 1, 65_535), Some(Belongs { areas, solid }));
        let (areas, solid) = (1, false);
        assert_eq!(of([0, 255, 0], 255, 255), Some(Belongs { areas, solid }));
        for (rgb, alpha, max) in
            [([0, 0, 255], 0, 255), ([0, 1, 255], 255, 255), ([0, 0, 65_534], 65_535, 65_535)]
        {
            assert_eq!(of(rgb, alpha, max), None);
        }
    }

    #[test]
    fn a_mask_with_more_than_32_areas_is_refused() {
        let planes = |count: u64| -> Vec<MaskPlane> {
            (0..count).map(|i| MaskPlane::new(format!("p{i}"), [i as u8; 3])).collect()
        };
        assert!(MaskPlanes::new(&planes(MAX_AREAS)).is_ok());
        let error = MaskPlanes::new(&planes(MAX_AREAS + 1)).unwrap_err();
        assert_eq!(error.to_string(), "planes of the mask: 33, but the limit is 32");
    }
}
