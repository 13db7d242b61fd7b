//! Colours of a mask that make named areas, so that one picture can hold water and ladders beside its walls.
//!
//! Knows no file format and no grid: it says to which areas a pixel belongs.

use std::fmt;
use std::str::FromStr;

#[cfg(feature = "mask")]
use super::mask::Pixel;
use super::mask::parse_color;
#[cfg(feature = "mask")]
use crate::error::LoadErrorKind;
#[cfg(feature = "mask")]
use crate::limits;
use crate::text::printable;

/// A colour of a mask whose pixels make the area of this name: see [`crate::Level::area`].
///
/// A pixel is of the colour if its samples are exactly that, as the file stores them, and it is not fully
/// transparent; 16-bit samples must be exactly the expansion of the eight bits. Such a pixel is not judged
/// by the [`crate::rules::MaskRule`]: it is passable, so that blue water is not a wall for being dark.
///
/// Several planes of one name make one area of all their colours, and a pixel of two planes belongs to the
/// areas of both. The name `solid` stands for the level itself: the colour is solid whatever the rule says,
/// and makes no area.
///
/// An [`AreaRule`](super::AreaRule) of the same name can make the area solid for some bodies: see
/// [`AreaRule::category`](super::AreaRule::category).
///
/// On the command line a plane is written as its name, `=` and the colour:
///
/// ```
/// use bitwall::rules::MaskPlane;
///
/// assert_eq!("water=#0000ff".parse(), Ok(MaskPlane::new("water", [0, 0, 255])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaskPlane {
    /// The name of the area.
    pub name: String,
    /// The colour, red, green, blue.
    pub color: [u8; 3],
}

/// The name that stands for the level itself.
#[cfg(feature = "mask")]
pub(crate) const SOLID: &str = "solid";

/// Areas of one mask: each takes as much memory as the level. Their numbers are the bits of a `u32`.
#[cfg(feature = "mask")]
const MAX_AREAS: u64 = 32;

impl MaskPlane {
    /// The plane of this name and colour: red, green, blue.
    pub fn new(name: impl Into<String>, color: [u8; 3]) -> Self {
        let name = name.into();
        Self { name, color }
    }
}

impl fmt::Display for MaskPlane {
    /// As [`MaskPlane::from_str`] reads it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.color;
        write!(f, "{}=#{red:02x}{green:02x}{blue:02x}", self.name)
    }
}

/// Why a text is not a [`MaskPlane`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseMaskPlaneError {
    /// There is no name before a `=`.
    Name(String),
    /// The text after the `=` is not a `#` and six hexadecimal digits.
    Color(String),
}

impl fmt::Display for ParseMaskPlaneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(text) => write!(
                f,
                "`{}` is not a name, `=` and a colour, such as `water=#0000ff`",
                printable(text)
            ),
            Self::Color(text) => write!(
                f,
                "`{}` is not a colour, which is written as `#` and six hexadecimal digits: `#0000ff`",
                printable(text)
            ),
        }
    }
}

impl std::error::Error for ParseMaskPlaneError {}

impl FromStr for MaskPlane {
    type Err = ParseMaskPlaneError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.rsplit_once('=') {
            None | Some(("", _)) => Err(ParseMaskPlaneError::Name(text.to_owned())),
            Some((name, color)) => match parse_color(color) {
                Some(color) => Ok(Self::new(name, color)),
                None => Err(ParseMaskPlaneError::Color(color.to_owned())),
            },
        }
    }
}

/// To which areas the pixels of a mask belong.
#[derive(Debug)]
#[cfg(feature = "mask")]
pub(crate) struct Planes<'a> {
    /// The names of the areas, each once.
    pub(crate) names: Vec<&'a str>,
    /// Each colour, with the parts that it makes a pixel belong to.
    colors: Vec<([u8; 3], Belongs)>,
}

/// The meaning of a pixel whose colour is that of a plane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg(feature = "mask")]
pub(crate) struct Belongs {
    /// The areas by number, one bit each.
    pub(crate) areas: u32,
    pub(crate) solid: bool,
}

#[cfg(feature = "mask")]
impl<'a> Planes<'a> {
    pub(crate) fn new(planes: &'a [MaskPlane]) -> Result<Self, LoadErrorKind> {
        let mut names: Vec<&str> = Vec::new();
        for plane in planes.iter().filter(|plane| plane.name != SOLID) {
            if !names.contains(&plane.name.as_str()) {
                names.push(&plane.name);
                limits::check("planes of the mask", names.len() as u64, MAX_AREAS)?;
            }
        }
        let belongs = |plane: &MaskPlane| Belongs {
            areas: names
                .iter()
                .position(|name| *name == plane.name)
                .map_or(0, |number| 1 << number),
            solid: plane.name == SOLID,
        };
        let colors = planes.iter().map(|plane| (plane.color, belongs(plane)));
        Ok(Self { colors: colors.collect(), names })
    }

    /// The meaning of a pixel by its colour; `None` if it is of no plane.
    pub(crate) fn of(&self, pixel: &Pixel) -> Option<Belongs> {
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
    fn a_plane_is_read_as_it_is_written() {
        for text in ["water=#0000ff", "a=b=#0102ff", "Ä b=#ffffff"] {
            let plane: MaskPlane = text.parse().unwrap();
            assert_eq!(plane.to_string(), text);
        }
        let error = |text: &str| text.parse::<MaskPlane>().unwrap_err().to_string();
        for text in ["", "water", "=#0000ff", "#0000ff"] {
            assert!(error(text).contains("is not a name"), "{text}");
        }
        for text in ["water=", "water=blue", "water=#00f", "w=#0000ff,#00ff00", "w=#+000ff"] {
            assert!(error(text).contains("is not a colour"), "{text}");
        }
    }

    #[test]
    fn a_pixel_belongs_to_every_plane_of_its_colour() {
        let text = ["a=#0000ff", "b=#ff0000", "a=#00ff00", "solid=#0000ff", "c=#0000ff"];
        let given: Vec<MaskPlane> = text.iter().map(|text| text.parse().unwrap()).collect();
        let planes = Planes::new(&given).unwrap();
        assert_eq!(planes.names, ["a", "b", "c"]);
        let of = |rgb, alpha, max| planes.of(&Pixel { rgb, alpha, max });
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
    fn there_are_as_many_areas_as_bits() {
        let planes = |count: u64| -> Vec<MaskPlane> {
            (0..count).map(|i| MaskPlane::new(format!("p{i}"), [i as u8; 3])).collect()
        };
        assert!(Planes::new(&planes(MAX_AREAS)).is_ok());
        let error = Planes::new(&planes(MAX_AREAS + 1)).unwrap_err();
        assert_eq!(error.to_string(), "planes of the mask: 33, but the limit is 32");
    }
}
