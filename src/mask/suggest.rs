//! Suggests rules and areas for a mask in which nothing or everything is solid, or that has colours without a
//! meaning.
//!
//! The suggestions depend on counts of pixels and on colours, never on positions.

use image::RgbaImage;

use super::MaskSource;
use super::facts::is_vivid;
use crate::error::suggestion::{Setting, Suggestion};
use crate::rules::MaskRule;
use crate::text::counted;

/// A mask of more colours than this probably has soft edges, so none of its colours is suggested.
const MOST_COLORS: usize = 8;

/// The opaque colours of a picture and their pixel counts, most frequent first; `None` for more than
/// [`MOST_COLORS`].
fn colors(picture: &RgbaImage) -> Option<Vec<([u8; 3], u64)>> {
    let mut counts: Vec<([u8; 3], u64)> = Vec::new();
    for pixel in picture.pixels() {
        if let [red, green, blue, 255] = pixel.0 {
            let color = [red, green, blue];
            match counts.iter().position(|(known, _)| *known == color) {
                Some(place) => counts[place].1 += 1,
                None if counts.len() == MOST_COLORS => return None,
                None => counts.push((color, 1)),
            }
        }
    }
    let mut sorted: Vec<([u8; 3], u64)> = Vec::new();
    for (color, count) in counts {
        let before = |other: &([u8; 3], u64)| (other.1, color) > (count, other.0);
        sorted.insert(sorted.partition_point(before), (color, count));
    }
    Some(sorted)
}

/// The suggestions for a mask, the best first; an empty list if the mask seems right. Colours are suggested
/// only if `picture`, the picture of the mask, is given. O(pixels).
pub(crate) fn suggest(source: &MaskSource, picture: Option<&RgbaImage>) -> Vec<Suggestion> {
    let counts = &source.counts;
    let opaque = counts.black + counts.white + counts.in_planes + counts.gray;
    let all = opaque + counts.translucent + counts.transparent;
    let is_blank = counts.solid == 0 && counts.in_planes == 0;
    let is_full = counts.solid == all;
    let colors = picture.filter(|_| counts.gray > 0).and_then(colors).unwrap_or_default();
    if !is_blank && !is_full {
        return planes(&colors, source);
    }
    let mut found = Vec::new();
    let mut add = |rule: &str, cells: u64, why: String| {
        let rule = Setting::Mask(rule.to_owned());
        let is_clear = rule == Setting::Mask("opaque".to_owned());
        let suggestion = Suggestion::new(why, cells, vec![rule]);
        found.push(Suggestion { is_guess: !is_clear, ..suggestion });
    };
    let amount = if is_blank { "nothing" } else { "everything" };
    let is_opaque_rule = matches!(source.rule, MaskRule::OpaqueIsSolid { .. });
    if opaque < all && opaque > 0 && !is_opaque_rule {
        let clear = counted(all - opaque, "pixel");
        let shown = counted(opaque, "pixel");
        add("opaque", opaque, format!("{amount} is solid; {shown} are opaque and {clear} are not"));
    }
    if counts.white > 0 && counts.white < all && counts.gray + counts.black > 0 {
        let white = counted(counts.white, "pixel");
        add("light", counts.white, format!("{amount} is solid, and {white} are white"));
    }
    if is_opaque_rule && counts.black > 0 && counts.black < all {
        let black = counted(counts.black, "pixel");
        add("dark", counts.black, format!("{amount} is solid, and {black} are black"));
    }
    // Walls are usually the smaller part.
    for (color, count) in colors.iter().rev().filter(|(_, count)| *count < all).take(MOST_COLORS) {
        if [[0; 3], [255; 3]].contains(color) {
            continue;
        }
        let rule = MaskRule::Colors(vec![*color]).to_string();
        let pixels = counted(*count, "pixel");
        add(&rule, *count, format!("{amount} is solid, and {pixels} have the colour {rule}"));
    }
    found
}

/// Suggests an area for each vivid colour of a mask that neither its rule nor a plane names.
fn planes(colors: &[([u8; 3], u64)], source: &MaskSource) -> Vec<Suggestion> {
    let is_known = |color: &[u8; 3]| {
        let mut planes = source.planes.iter();
        let by_rule = matches!(&source.rule, MaskRule::Colors(colors) if colors.contains(color));
        by_rule || planes.any(|plane| plane.color == *color)
    };
    let mut names: Vec<&str> = Vec::new();
    let mut suggestions = Vec::new();
    for (color, count) in colors.iter().filter(|(color, _)| is_vivid(*color) && !is_known(color)) {
        let [red, green, blue] = color;
        let now = match source.rule.is_solid_color(*color) {
            true => "are solid now; they may be an area such as water, which stops nobody",
            false => "may be an area such as water",
        };
        let pixels = counted(*count, "pixel");
        let why = format!("{pixels} of the colour #{red:02x}{green:02x}{blue:02x} {now}");
        let name = name_of(*color);
        names.push(name);
        let name = match names.iter().filter(|other| **other == name).count() {
            1 => name.to_owned(),
            number => format!("{name}{number}"),
        };
        let setting = Setting::Plane { name, color: *color };
        suggestions.push(Suggestion::guess(why, *count, vec![setting]));
    }
    suggestions
}

fn name_of([red, green, blue]: [u8; 3]) -> &'static str {
    let half = red.max(green).max(blue) / 2;
    match (red > half, green > half, blue > half) {
        (true, false, false) => "red",
        (false, true, false) => "green",
        (false, false, true) => "blue",
        (true, true, false) => "yellow",
        (true, false, true) => "magenta",
        (false, true, true) => "cyan",
        _ => "pale",
    }
}

#[cfg(test)]
mod tests {
    use image::Rgba;

    use super::*;
    use crate::mask::{MaskFormat, decode};
    use crate::rules::MaskPlane;
    use crate::{LoadOptions, load};

    fn suggested(pixels: &[[u8; 4]], options: &LoadOptions) -> Vec<String> {
        let width = pixels.len() as u32;
        let picture = RgbaImage::from_fn(width, 1, |x, _| Rgba(pixels[x as usize]));
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
        let shown = load::decode_picture("x.png", bytes.get_ref()).expect("a picture");
        bytes.set_position(0);
        let source = decode(&mut bytes, MaskFormat::Png, options).expect("a mask").source;
        let found = suggest(&source, Some(&shown));
        found.iter().map(|found| found.arguments().join(" ")).collect()
    }

    const CLEAR: [u8; 4] = [0; 4];
    const WHITE: [u8; 4] = [255; 4];
    const BLACK: [u8; 4] = [0, 0, 0, 255];
    const RED: [u8; 4] = [255, 0, 0, 255];
    const PINK: [u8; 4] = [255, 200, 200, 255];
    const BLUE: [u8; 4] = [0, 0, 255, 255];

    #[test]
    fn a_mask_that_seems_right_gets_no_suggestion() {
        let dark = LoadOptions::default();
        assert_eq!(suggested(&[BLACK, WHITE], &dark), [""; 0]);
        assert_eq!(suggested(&[BLACK, CLEAR], &dark), [""; 0]);
        assert_eq!(suggested(&[BLACK, WHITE, [120, 120, 120, 255]], &dark), [""; 0]);
        let plane = LoadOptions {
            planes: vec![MaskPlane::new("water", [0, 0, 255])],
            ..LoadOptions::default()
        };
        assert_eq!(suggested(&[BLACK, WHITE, BLUE], &plane), [""; 0]);
        let red = LoadOptions { mask_rule: MaskRule::Colors(vec![[255, 0, 0]]), ..dark };
        assert_eq!(suggested(&[RED, WHITE], &red), [""; 0]);
    }

    #[test]
    fn a_blank_or_full_mask_gets_suggested_rules_that_fit_its_pixels() {
        let dark = LoadOptions::default();
        assert_eq!(suggested(&[WHITE, CLEAR], &dark), ["--mask opaque"]);
        assert_eq!(suggested(&[PINK, WHITE, WHITE], &dark), ["--mask light", "--mask #ffc8c8"]);
        let light =
            LoadOptions { mask_rule: MaskRule::LightIsSolid { threshold: 128 }, ..dark.clone() };
        assert_eq!(suggested(&[BLACK, CLEAR], &light), ["--mask opaque"]);
        let opaque = LoadOptions { mask_rule: MaskRule::OpaqueIsSolid { threshold: 128 }, ..dark };
        assert_eq!(suggested(&[BLACK, WHITE], &opaque), ["--mask light", "--mask dark"]);
    }

    #[test]
    fn a_colour_beside_black_and_white_is_suggested_as_an_area() {
        let dark = LoadOptions::default();
        assert_eq!(suggested(&[BLACK, WHITE, BLUE, BLUE], &dark), ["--plane blue=#0000ff"]);
        let (cyan, pale) = ([0, 255, 255, 255], [60, 250, 250, 255]);
        assert_eq!(
            suggested(&[BLACK, WHITE, cyan, cyan, pale], &dark),
            ["--plane cyan=#00ffff", "--plane cyan2=#3cfafa"]
        );
    }
}
