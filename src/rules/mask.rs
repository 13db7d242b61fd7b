//! The rules for the solid pixels of a mask, and the colours of its named areas. Decisions use exact integer
//! arithmetic on the stored samples.
//!
//! Gamma, colour profiles and background colours of a picture are ignored: viewers apply them differently,
//! and a wall must not depend on the viewer.

use std::fmt;
use std::str::FromStr;

use super::ParseRuleError;

/// A rule that decides which pixels of a mask are solid.
///
/// The lightness of a pixel is its luma as defined by Rec. 709: (2126 R + 7152 G + 722 B) / 10000 of the
/// stored samples, at any bit depth and without rounding. A `threshold` is in 255ths of the full scale.
///
/// On the command line a rule is `dark`, `light`, `black`, `opaque`, `transparent` or a list of colours. A
/// word may be followed by `=` and a threshold; the default threshold is 128:
///
/// ```
/// use bitwall::rules::MaskRule;
///
/// assert_eq!("dark".parse(), Ok(MaskRule::default()));
/// assert_eq!("light=200".parse(), Ok(MaskRule::LightIsSolid { threshold: 200 }));
/// assert_eq!("#ff0000,#00ff00".parse(), Ok(MaskRule::Colors(vec![[255, 0, 0], [0, 255, 0]])));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MaskRule {
    /// Pixels whose lightness is below the threshold are solid. A translucent pixel counts as drawn on white,
    /// so a transparent pixel is always passable. This is the default rule, with a threshold of 128.
    DarkIsSolid {
        /// The lowest lightness of passable pixels, from 0 to 255.
        threshold: u8,
    },
    /// Pixels whose lightness is at least the threshold are solid. A translucent pixel counts as drawn on
    /// black. A transparent pixel is always passable.
    LightIsSolid {
        /// The lowest lightness of solid pixels, from 0 to 255.
        threshold: u8,
    },
    /// Pixels whose lightness is below the threshold are solid, whatever their opacity, but not those in
    /// vivid colours, whose largest sample exceeds the smallest by at least 48 of 255. This rule is for a
    /// mask whose black is transparent, or in which colours mark places.
    BlackIsSolid {
        /// The lowest lightness of passable pixels, from 0 to 255.
        threshold: u8,
    },
    /// Pixels whose opacity is at least the threshold are solid, whatever their colour.
    OpaqueIsSolid {
        /// The lowest opacity of solid pixels, from 0 to 255.
        threshold: u8,
    },
    /// Pixels whose opacity is below the threshold are solid, whatever their colour. This rule is for a
    /// picture whose opaque pixels are free space.
    TransparentIsSolid {
        /// The lowest opacity of passable pixels, from 0 to 255.
        threshold: u8,
    },
    /// Pixels of exactly these colours (red, green, blue) are solid, unless they are fully transparent.
    Colors(Vec<[u8; 3]>),
}

const DEFAULT_THRESHOLD: u8 = 128;

impl Default for MaskRule {
    fn default() -> Self {
        Self::DarkIsSolid { threshold: DEFAULT_THRESHOLD }
    }
}

/// The samples of one pixel, each from 0 to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pixel {
    pub(crate) rgb: [u32; 3],
    pub(crate) alpha: u32,
    /// The largest value of a sample. It is at most 65,535, so that the products in [`MaskRule::is_solid`]
    /// fit into 64 bits.
    pub(crate) max: u32,
}

/// The weights of red, green and blue in a pixel's lightness. [`LUMA_SCALE`] is their sum.
const LUMA_WEIGHTS: [u64; 3] = [2_126, 7_152, 722];
const LUMA_SCALE: u64 = 10_000;

/// A colour is vivid if its largest and smallest sample differ by at least this amount, of 255.
const VIVID: u32 = 48;

impl MaskRule {
    /// True if an opaque pixel of this colour is solid.
    pub fn is_solid_color(&self, color: [u8; 3]) -> bool {
        self.is_solid(&Pixel { rgb: color.map(u32::from), alpha: 255, max: 255 })
    }

    pub(crate) fn is_solid(&self, pixel: &Pixel) -> bool {
        let alpha = u64::from(pixel.alpha);
        let max = u64::from(pixel.max);
        match self {
            Self::DarkIsSolid { threshold } => {
                let white = LUMA_SCALE * max * (max - alpha);
                (luma_on_black(pixel) + white) * 255
                    < u64::from(*threshold) * LUMA_SCALE * max * max
            }
            Self::LightIsSolid { threshold } => {
                alpha > 0
                    && luma_on_black(pixel) * 255 >= u64::from(*threshold) * LUMA_SCALE * max * max
            }
            Self::BlackIsSolid { threshold } => {
                !pixel.is_vivid()
                    && luma_without_alpha(pixel) * 255 < u64::from(*threshold) * LUMA_SCALE * max
            }
            Self::OpaqueIsSolid { threshold } => alpha * 255 >= u64::from(*threshold) * max,
            Self::TransparentIsSolid { threshold } => alpha * 255 < u64::from(*threshold) * max,
            Self::Colors(colors) => alpha > 0 && colors.iter().any(|color| pixel.has_color(*color)),
        }
    }
}

impl Pixel {
    /// True if the pixel has exactly this colour, at any opacity. A sample of another bit depth must equal
    /// the colour's 8 bits scaled to that depth.
    pub(crate) fn has_color(&self, color: [u8; 3]) -> bool {
        let mut pairs = color.iter().zip(&self.rgb);
        pairs.all(|(byte, sample)| sample * 255 == u32::from(*byte) * self.max)
    }

    /// True if red, green and blue differ so much that the colour was chosen, and is no shade of gray.
    pub(crate) fn is_vivid(&self) -> bool {
        let [red, green, blue] = self.rgb;
        let spread = red.max(green).max(blue) - red.min(green).min(blue);
        spread * 255 >= VIVID * self.max
    }
}

/// Returns the luma of a pixel drawn on black. White that is opaque has [`LUMA_SCALE`] x the square of the
/// highest sample of the picture.
fn luma_on_black(pixel: &Pixel) -> u64 {
    luma_without_alpha(pixel) * u64::from(pixel.alpha)
}

/// Returns the luma of a pixel's colour. White has [`LUMA_SCALE`] x the highest sample of the picture.
fn luma_without_alpha(pixel: &Pixel) -> u64 {
    let weighted = LUMA_WEIGHTS.iter().zip(&pixel.rgb);
    weighted.map(|(weight, sample)| weight * u64::from(*sample)).sum()
}

impl fmt::Display for MaskRule {
    /// Writes the rule in the form that [`MaskRule::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DarkIsSolid { threshold } => write!(f, "dark={threshold}"),
            Self::LightIsSolid { threshold } => write!(f, "light={threshold}"),
            Self::BlackIsSolid { threshold } => write!(f, "black={threshold}"),
            Self::OpaqueIsSolid { threshold } => write!(f, "opaque={threshold}"),
            Self::TransparentIsSolid { threshold } => write!(f, "transparent={threshold}"),
            Self::Colors(colors) => {
                let colors: Vec<String> = colors.iter().map(|color| hex(*color)).collect();
                f.write_str(&colors.join(","))
            }
        }
    }
}

impl FromStr for MaskRule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.starts_with('#') {
            let mut colors = Vec::new();
            for color in text.split(',') {
                colors.push(parse_color(color, "`#ff0000`")?);
            }
            return Ok(Self::Colors(colors));
        }
        let (name, threshold) = text.split_once('=').unwrap_or((text, ""));
        let is_default = name == text;
        let threshold = match threshold.parse() {
            _ if is_default => Ok(DEFAULT_THRESHOLD),
            Ok(threshold) => Ok(threshold),
            Err(_) => {
                let expected = "a threshold, which is a whole number from 0 to 255";
                Err(ParseRuleError::new(threshold, expected))
            }
        };
        match name {
            "dark" => Ok(Self::DarkIsSolid { threshold: threshold? }),
            "light" => Ok(Self::LightIsSolid { threshold: threshold? }),
            "black" => Ok(Self::BlackIsSolid { threshold: threshold? }),
            "opaque" => Ok(Self::OpaqueIsSolid { threshold: threshold? }),
            "transparent" => Ok(Self::TransparentIsSolid { threshold: threshold? }),
            _ => {
                let expected = "a mask rule: `dark`, `light`, `black`, `opaque`, `transparent`, one of these \
                                with a threshold such as `dark=100`, or colours such as `#ff0000,#00ff00`";
                Err(ParseRuleError::new(text, expected))
            }
        }
    }
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Parses `#` and six hexadecimal digits as a colour. The error shows `example` as the right form.
fn parse_color(text: &str, example: &str) -> Result<[u8; 3], ParseRuleError> {
    // `from_str_radix` alone would accept a sign.
    let digits = text.strip_prefix('#').filter(|digits| {
        digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
    });
    let color = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let [_, red, green, blue] = color.map(u32::to_be_bytes).ok_or_else(|| {
        let form = "a colour, which is written as `#` and six hexadecimal digits";
        ParseRuleError::new(text, &format!("{form}: {example}"))
    })?;
    Ok([red, green, blue])
}

/// A named area of a mask, made of all pixels of a colour: see [`crate::Level::area`].
///
/// A pixel has the colour if its stored samples equal the colour exactly, and if the pixel is not fully
/// transparent. Samples of 16 bits must equal 257 times the samples of 8 bits. Pixels in the area are
/// passable, even if the [`super::MaskRule`] makes their colour solid: dark blue water is not a wall.
///
/// Planes with the same name make one area of all their colours. Planes with the same colour put the pixels
/// of this colour into all their areas. A plane named `solid` makes no area. It makes the pixels of its
/// colour solid, even if the rule makes them passable.
///
/// An [`AreaRule`](super::AreaRule) of the same name can make the area solid for some bodies: see
/// [`AreaRule::category`](super::AreaRule::category).
///
/// On the command line a plane is its name, `=` and the colour:
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
    /// The colour of the area's pixels: red, green, blue.
    pub color: [u8; 3],
}

impl MaskPlane {
    /// A plane with this name and colour (red, green, blue).
    pub fn new(name: impl Into<String>, color: [u8; 3]) -> Self {
        let name = name.into();
        Self { name, color }
    }
}

impl fmt::Display for MaskPlane {
    /// Writes the plane in the form that [`MaskPlane::from_str`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, hex(self.color))
    }
}

impl FromStr for MaskPlane {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.rsplit_once('=') {
            Some((name, color)) if !name.is_empty() => {
                Ok(Self::new(name, parse_color(color, "`#0000ff`")?))
            }
            _ => {
                Err(ParseRuleError::new(text, "a name, `=` and a colour, such as `water=#0000ff`"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAXIMA: [u32; 5] = [1, 3, 15, 255, 65_535];

    fn gray(value: u32, alpha: u32, max: u32) -> Pixel {
        Pixel { rgb: [value; 3], alpha, max }
    }

    #[test]
    fn a_threshold_is_exact_at_every_bit_depth() {
        for max in MAXIMA {
            for threshold in [0, 1, 64, 127, 128, 129, 254, 255] {
                let dark = MaskRule::DarkIsSolid { threshold };
                let light = MaskRule::LightIsSolid { threshold };
                let opaque = MaskRule::OpaqueIsSolid { threshold };
                let transparent = MaskRule::TransparentIsSolid { threshold };
                for value in 0..=max {
                    let below = u64::from(value) * 255 < u64::from(threshold) * u64::from(max);
                    let pixel = gray(value, max, max);
                    assert_eq!(dark.is_solid(&pixel), below, "{dark} {value}/{max}");
                    assert_eq!(light.is_solid(&pixel), !below, "{light} {value}/{max}");
                    let pixel = gray(0, value, max);
                    assert_eq!(opaque.is_solid(&pixel), !below, "{opaque} {value}/{max}");
                    assert_eq!(transparent.is_solid(&pixel), below, "{transparent} {value}/{max}");
                }
            }
        }
    }

    #[test]
    fn samples_of_16_bits_are_not_rounded_to_8_bits() {
        let solid = |value| MaskRule::default().is_solid(&gray(value, 65_535, 65_535));
        assert!(solid(0x8080 - 1), "128 / 255 of full scale is 0x8080 exactly");
        assert!(!solid(0x8080));
    }

    #[test]
    fn green_is_lighter_than_red_and_red_is_lighter_than_blue() {
        let solid = |threshold, rgb| {
            MaskRule::DarkIsSolid { threshold }.is_solid(&Pixel { rgb, alpha: 255, max: 255 })
        };
        assert!(solid(183, [0, 255, 0]) && !solid(182, [0, 255, 0]));
        assert!(solid(55, [255, 0, 0]) && !solid(54, [255, 0, 0]));
        assert!(solid(19, [0, 0, 255]) && !solid(18, [0, 0, 255]));
    }

    #[test]
    fn a_transparent_pixel_is_passable_whatever_its_colour() {
        for max in MAXIMA {
            for value in [0, max] {
                for threshold in [0, 1, 128, 255] {
                    let pixel = gray(value, 0, max);
                    assert!(!MaskRule::DarkIsSolid { threshold }.is_solid(&pixel));
                    assert!(!MaskRule::LightIsSolid { threshold }.is_solid(&pixel));
                }
                let colors = MaskRule::Colors(vec![[0; 3], [255; 3]]);
                assert!(!colors.is_solid(&gray(value, 0, max)));
                assert!(colors.is_solid(&gray(value, 1, max)));
            }
        }
    }

    #[test]
    fn a_dark_rule_puts_translucent_pixels_on_white_and_a_light_rule_on_black() {
        let dark = MaskRule::default();
        assert!(dark.is_solid(&gray(0, 128, 255)), "black at 128 / 255 looks 127");
        assert!(!dark.is_solid(&gray(0, 127, 255)), "black at 127 / 255 looks 128");
        let light = MaskRule::LightIsSolid { threshold: 128 };
        assert!(light.is_solid(&gray(255, 128, 255)));
        assert!(!light.is_solid(&gray(255, 127, 255)));
    }

    #[test]
    fn a_colour_matches_only_its_exact_samples_at_every_bit_depth() {
        let rule = MaskRule::Colors(vec![[255, 0, 0x11]]);
        let red = |rgb, max| rule.is_solid(&Pixel { rgb, alpha: max, max });
        assert!(red([255, 0, 0x11], 255) && !red([255, 0, 0x12], 255));
        assert!(red([15, 0, 1], 15));
        assert!(red([65_535, 0, 0x1111], 65_535) && !red([65_535, 0, 0x1110], 65_535));
    }

    #[test]
    fn a_mask_rule_parses_and_prints_as_the_same_text() {
        for text in ["dark=100", "light=0", "black=7", "opaque=255", "#ff0000", "#00ff00,#0102ff"] {
            let rule: MaskRule = text.parse().unwrap();
            assert_eq!(rule.to_string(), text);
        }
        assert_eq!("dark".parse::<MaskRule>().unwrap().to_string(), "dark=128");
        assert_eq!("#FFAA00".parse(), Ok(MaskRule::Colors(vec![[255, 170, 0]])));
    }

    #[test]
    fn the_error_of_a_bad_mask_rule_names_the_faulty_part() {
        let error = |text: &str| text.parse::<MaskRule>().unwrap_err().to_string();
        for text in ["", "Dark", "drak", "=5", "ff0000", " dark"] {
            assert!(error(text).contains("is not a mask rule"), "{text}");
        }
        for text in ["dark=", "dark=256", "dark=-1", "light=12.5", "opaque=x"] {
            assert!(error(text).contains("is not a threshold"), "{text}");
        }
        for text in ["#", "#ff00", "#ff00000", "#+f0000", "#ff0000,", "#ff0000, #00ff00", "#ä0000"]
        {
            assert!(error(text).contains("is not a colour"), "{text}");
        }
    }

    #[test]
    fn a_mask_plane_parses_and_prints_as_the_same_text() {
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
}
