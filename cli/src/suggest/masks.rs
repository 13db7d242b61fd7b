//! Suggests rules and areas for a mask whose solids are doubtful: nothing or everything is solid, the shape
//! is drawn on a transparent ground, the mask looks inverted, or some colours have no meaning.
//!
//! The suggestions depend on the counts of pixels, on the colours, on the name of the file, and on the
//! level's border.

#[cfg(test)]
mod tests;

use bitwall::Level;
use bitwall::analyze::{CellKind, Connectivity, components};
use bitwall::mask::MaskSource;
use bitwall::rules::{MaskRule, SolidRules};
use bitwall::text::{are, counted};

use super::{Setting, Suggestion};
use crate::mask_facts::{
    MaskFacts, hex, is_black_hidden, is_painting, is_shape_in_alpha, is_vivid, opaque_pixels,
    passable_shape,
};

/// The largest number of colours in a mask without soft edges. No colours are suggested for a mask with more.
const MOST_COLORS: usize = 16;

/// The largest number of suggestions that name a colour.
const MOST_NAMED: usize = 8;

/// A colour with its number of opaque pixels.
type ColorCount = ([u8; 3], u64);

/// Returns the opaque colours of a mask with their number of pixels, the most frequent first. The colours of
/// planes are left out. Empty without gray pixels, and for more than [`MOST_COLORS`] colours.
fn colors(source: &MaskSource, facts: Option<&MaskFacts>) -> Vec<ColorCount> {
    let Some(facts) = facts.filter(|facts| facts.gray.is_some() && facts.others == 0) else {
        return Vec::new();
    };
    let plain = [([0; 3], source.counts.black), ([255; 3], source.counts.white)];
    let gray = facts.colors.iter().map(|color| (color.rgb, color.count));
    let mut all: Vec<ColorCount> =
        plain.into_iter().chain(gray).filter(|(_, count)| *count > 0).collect();
    if all.len() > MOST_COLORS {
        return Vec::new();
    }
    all.sort_by_key(|(color, count)| (std::cmp::Reverse(*count), *color));
    all
}

/// Returns the suggestions for the mask of `level`, the best first. The result is empty if the mask seems
/// right. O(pixels).
pub(super) fn suggest(
    source: &MaskSource,
    facts: Option<&MaskFacts>,
    level: &Level,
    rules: &SolidRules,
) -> Vec<Suggestion> {
    let counts = &source.counts;
    let all = opaque_pixels(counts) + counts.translucent + counts.transparent;
    let colors = colors(source, facts);
    let mut found = Vec::new();
    let is_shape = facts.is_some_and(|facts| {
        passable_shape(source, facts).is_some() || is_shape_in_alpha(source, facts)
    });
    if is_shape {
        let why =
            "the shape is drawn on a transparent ground, and its light parts are passable now";
        found.push(of_shape(source, why.to_owned()));
    }
    if let Some(why) = inverted(source, level, rules) {
        found.insert(0, inverse(source, all, why));
    }
    if let Some(facts) = facts {
        found.extend(pure(source, facts, all));
    }
    if counts.solid == all || counts.solid == 0 && counts.in_planes == 0 {
        of_uniform(source, &colors, all, &mut found);
        return found;
    }
    // The colours of a solid shape are only art, so none is suggested.
    let is_by_alpha = matches!(source.rule, MaskRule::OpaqueIsSolid { .. });
    if !is_shape && (!is_by_alpha || counts.transparent == 0) {
        found.extend(black_alone(source, &colors));
        found.extend(planes(&colors, source));
    }
    found
}

fn rule(rule: &str) -> Vec<Setting> {
    vec![Setting::Mask(rule.to_owned())]
}

/// Suggests that only one pure colour is solid, in a painting, or if most pixels are neither black nor white
/// and now all or none are solid.
fn pure(source: &MaskSource, facts: &MaskFacts, all: u64) -> Option<Suggestion> {
    let counts = &source.counts;
    let is_uniform = [0, all].contains(&counts.solid) && counts.gray * 2 >= all;
    let is_named = matches!(source.rule, MaskRule::Colors(_) | MaskRule::OpaqueIsSolid { .. });
    if is_named || !is_uniform && !is_painting(source, facts) {
        return None;
    }
    let (color, count) = facts.pure_color(counts).filter(|(_, count)| *count < all)?;
    let color = hex(color);
    let pixels = counted(count, "pixel");
    let why =
        format!("{pixels} {} exactly {color}, the only pure colour in the picture", are(count));
    Some(Suggestion::guess(why, count, rule(&color)))
}

/// Suggests that every opaque pixel is solid. `why` is the reason that is shown to the user. For a mask with
/// translucent pixels, all visible pixels become solid. Games that test for an alpha above 0 do the same.
fn of_shape(source: &MaskSource, why: String) -> Suggestion {
    let opaque = opaque_pixels(&source.counts);
    let soft = source.counts.translucent;
    if soft == 0 {
        return Suggestion::new(why, opaque, rule("opaque"));
    }
    let why = format!("{why}; {} would be solid too", counted(soft, "translucent pixel"));
    Suggestion::new(why, opaque + soft, rule("opaque=1"))
}

/// Returns the reason to think that solid and passable pixels are exchanged, or `None` without a reason. The
/// reasons are:
/// - The file's name contains a word that marks passable tiles in the solid rules, such as `walkable`. The
///   mask must be a shape on a transparent ground.
/// - No pixel of the border is solid, and the solid pixels are connected and at least a twentieth of the
///   mask, as for a race track.
fn inverted(source: &MaskSource, level: &Level, rules: &SolidRules) -> Option<String> {
    let counts = &source.counts;
    let has_clear = counts.transparent > 0;
    let name = source.name.to_lowercase();
    let mut words = rules.passable_properties.iter();
    if let Some(word) = words.find(|word| name.contains(&word.to_lowercase())) {
        let is_by_clear = matches!(
            source.rule,
            MaskRule::TransparentIsSolid { .. } | MaskRule::BlackIsSolid { .. }
        );
        return (has_clear && !is_by_clear).then(|| {
            format!("the file's name says `{word}`: what is drawn is where bodies may be")
        });
    }
    if has_clear || counts.translucent > 0 || counts.black.min(counts.white) == 0 {
        return None;
    }
    let grid = level.grid();
    let width = grid.width();
    let height = grid.height();
    let is_closed = grid.any_solid(0..width, 0..1)
        || grid.any_solid(0..width, height - 1..height)
        || grid.any_solid(0..1, 0..height)
        || grid.any_solid(width - 1..width, 0..height);
    if is_closed || counts.solid * 20 < grid.cell_count() {
        return None;
    }
    let parts = components(grid, CellKind::Solid, Connectivity::Eight).ok()?;
    let largest = parts.parts().iter().map(|part| part.size).max()?;
    (largest * 20 >= counts.solid * 19).then(|| {
        "nothing along the border is solid, and the solid pixels are one piece, as a track is"
            .to_owned()
    })
}

/// Suggests the rule that exchanges solid and passable pixels. `all` is the number of pixels in the mask,
/// `why` the reason that is shown to the user.
fn inverse(source: &MaskSource, all: u64, why: String) -> Suggestion {
    let opposite = match source.rule {
        _ if source.counts.transparent > 0 => "transparent",
        MaskRule::LightIsSolid { .. } => "dark",
        _ => "light",
    };
    Suggestion::guess(why, all - source.counts.solid, rule(opposite))
}

/// Adds suggestions to `found` for a mask in which nothing or everything is solid. `all` is the number of
/// pixels in the mask.
fn of_uniform(source: &MaskSource, colors: &[ColorCount], all: u64, found: &mut Vec<Suggestion>) {
    let counts = &source.counts;
    let amount = if counts.solid == 0 { "nothing" } else { "everything" };
    let is_opaque_rule = matches!(source.rule, MaskRule::OpaqueIsSolid { .. });
    let opaque = opaque_pixels(counts);
    if is_black_hidden(counts) {
        let why = format!("{amount} is solid, and all black is transparent beside opaque white");
        found.push(Suggestion::new(why, counts.hidden_black, rule("black")));
    } else if found.is_empty() && opaque < all && opaque > 0 && !is_opaque_rule {
        let clear = all - opaque;
        let why = format!(
            "{amount} is solid; {} {} opaque and {} {} not",
            counted(opaque, "pixel"),
            are(opaque),
            counted(clear, "pixel"),
            are(clear)
        );
        found.push(of_shape(source, why));
    }
    if found.is_empty() && counts.white > 0 && counts.white < all && counts.gray + counts.black > 0
    {
        found.push(of_color(amount, "light", counts.white, "white"));
    }
    if is_opaque_rule && counts.black > 0 && counts.black < all {
        found.push(of_color(amount, "dark", counts.black, "black"));
    }
    if colors.len() > MOST_NAMED {
        return;
    }
    for (color, count) in colors.iter().rev() {
        // A colour of all pixels is not suggested as solid: walls are usually only a part of the mask.
        if *count < all && ![[0; 3], [255; 3]].contains(color) {
            found.push(of_color(amount, &hex(*color), *count, &hex(*color)));
        }
    }
}

/// Suggests the rule `word`, because the mask has `count` pixels of a colour.
fn of_color(amount: &str, word: &str, count: u64, color: &str) -> Suggestion {
    let pixels = counted(count, "pixel");
    let why = format!("{amount} is solid, and {pixels} {} {color}", are(count));
    Suggestion::guess(why, count, rule(word))
}

/// Suggests that only black is solid. The mask must be black and white with further solid colours, and one of
/// these colours must be vivid. Such colours are probably spawns, pickups and the like.
fn black_alone(source: &MaskSource, colors: &[ColorCount]) -> Option<Suggestion> {
    let counts = &source.counts;
    let markers = colors.iter().filter(|(color, _)| {
        let is_known = source.planes.iter().any(|plane| plane.color == *color);
        *color != [0; 3] && !is_known && MaskRule::default().is_solid_color(*color)
    });
    let markers: Vec<&ColorCount> = markers.collect();
    let pixels: u64 = markers.iter().map(|(_, count)| count).sum();
    let is_by_dark =
        matches!(source.rule, MaskRule::DarkIsSolid { .. } | MaskRule::BlackIsSolid { .. });
    let is_coded = markers.len() > 1 && markers.iter().any(|(color, _)| is_vivid(*color));
    (is_by_dark && is_coded && counts.white > 0 && pixels <= counts.black).then(|| {
        let why = format!(
            "{} in {} beside black and white are dark; they may be spawns or other marks",
            counted(pixels, "pixel"),
            counted(markers.len() as u64, "colour"),
        );
        Suggestion::guess(why, counts.black, rule("#000000"))
    })
}

/// Suggests an area for each vivid colour of a mask that neither the rule nor a
/// [`MaskPlane`](bitwall::rules::MaskPlane) names.
fn planes(colors: &[ColorCount], source: &MaskSource) -> Vec<Suggestion> {
    let mut names: Vec<&str> = Vec::new();
    let mut suggestions = Vec::new();
    for (color, count) in colors {
        let by_rule = matches!(&source.rule, MaskRule::Colors(colors) if colors.contains(color));
        let is_known = by_rule || source.planes.iter().any(|plane| plane.color == *color);
        // A colour that is all of the solids is no water.
        let is_solid = source.rule.is_solid_color(*color);
        if !is_vivid(*color) || is_known || is_solid && *count == source.counts.solid {
            continue;
        }
        let pixels = counted(*count, "pixel");
        let why = format!("{pixels} of the colour {} may be an area such as water", hex(*color));
        let name = name_of(*color);
        names.push(name);
        let name = match names.iter().filter(|other| **other == name).count() {
            1 => name.to_owned(),
            number => format!("{name}{number}"),
        };
        let setting = Setting::Plane { name, color: *color };
        suggestions.push(Suggestion::guess(why, *count, vec![setting]));
        if suggestions.len() == MOST_NAMED {
            break;
        }
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
