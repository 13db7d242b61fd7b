//! Suggests rules and areas for a mask whose solids are doubtful: nothing or everything is solid, the shape
//! is drawn on a transparent ground, the mask looks inverted, or some colours have no meaning.
//!
//! The suggestions depend on the counts of pixels, on the colours, on the name of the file, and on the
//! level's border and spawns.

use std::ops::Range;

use glam::IVec2;
use image::RgbaImage;

use super::MaskSource;
use super::facts::is_vivid;
use super::shape::opaque;
use crate::Level;
use crate::error::suggestion::{Setting, Suggestion};
use crate::geometry::Aabb;
use crate::grid::Grid;
use crate::rules::{MaskRule, SolidRules};
use crate::terrain::Terrain;
use crate::text::{are, counted};

/// The largest number of colours in a mask without soft edges. No colours are suggested for a mask with more.
const MOST_COLORS: usize = 16;

/// The largest number of suggestions that name a colour.
const MOST_NAMED: usize = 8;

/// Returns the opaque colours of a picture with their number of pixels, the most frequent first. Returns
/// `None` for more than [`MOST_COLORS`] colours.
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

/// Returns the suggestions for the mask of `level`, the best first. The result is empty if the mask seems
/// right. Colours are suggested only with `picture`, the picture of the mask. O(pixels).
pub(crate) fn suggest(
    source: &MaskSource,
    level: &Level,
    rules: &SolidRules,
    picture: Option<&RgbaImage>,
) -> Vec<Suggestion> {
    let counts = &source.counts;
    let all = opaque(counts) + counts.translucent + counts.transparent;
    let colors = picture.filter(|_| counts.gray > 0).and_then(colors).unwrap_or_default();
    let mut found = Vec::new();
    let is_shape = source.passable_shape().is_some() || source.is_shape_in_alpha();
    if is_shape {
        let why =
            "the shape is drawn on a transparent ground, and its light parts are passable now";
        found.extend(of_shape(source, why.to_owned()));
    }
    if let Some(why) = inverted(source, level, rules) {
        found.insert(0, inverse(source, all, why));
    }
    if counts.solid == all || counts.solid == 0 && counts.in_planes == 0 {
        of_uniform(source, &colors, all, &mut found);
        return found;
    }
    // The colours of a solid shape are only art, so none is suggested.
    if !is_shape {
        found.extend(black_alone(source, &colors));
        found.extend(planes(&colors, source));
    }
    found
}

fn rule(rule: &str) -> Vec<Setting> {
    vec![Setting::Mask(rule.to_owned())]
}

/// Suggests that every opaque pixel is solid. `why` is the reason that is shown to the user. For a mask with
/// translucent pixels, the first suggestion makes all visible pixels solid. Games that test for an alpha
/// above 0 do the same.
fn of_shape(source: &MaskSource, why: String) -> Vec<Suggestion> {
    let (opaque, soft) = (opaque(&source.counts), source.counts.translucent);
    let half = match soft {
        0 => why.clone(),
        _ => format!("{why}; a translucent pixel counts if it is more than half opaque"),
    };
    let mut found = vec![Suggestion::new(half, opaque, rule("opaque"))];
    if soft > 0 {
        let why = format!("{why}; {} would be solid too", counted(soft, "translucent pixel"));
        found.insert(0, Suggestion::new(why, opaque + soft, rule("opaque=1")));
    }
    found
}

/// Returns the reason to think that solid and passable pixels are exchanged, or `None` without a reason. The
/// reasons are:
/// - The file's name contains a word that marks passable tiles in the solid rules, such as `walkable`. The
///   mask must be a shape on a transparent ground.
/// - An area named as a starting point (`spawn`) is enclosed by solid pixels.
/// - No pixel of the border is solid, and the solid pixels are connected and at least a twentieth of the
///   mask, as for a race track. A starting point on a passable pixel is evidence against this reason.
fn inverted(source: &MaskSource, level: &Level, rules: &SolidRules) -> Option<String> {
    let counts = &source.counts;
    let has_clear = counts.transparent > 0;
    let is_by_clear = matches!(source.rule, MaskRule::TransparentIsSolid { .. });
    let name = source.name.to_lowercase();
    let says = |word: &&String| name.contains(word.to_lowercase().as_str());
    if let Some(word) = rules.passable_properties.iter().find(says) {
        return (has_clear && !is_by_clear).then(|| {
            format!("the file's name says `{word}`: what is drawn is where bodies may be")
        });
    }
    if has_clear || counts.translucent > 0 || counts.black.min(counts.white) == 0 {
        return None;
    }
    let is_spawn = |name: &str| {
        let name = name.to_lowercase();
        ["spawn", "start", "player"].iter().any(|word| name.contains(word))
    };
    let mut spawns = level.areas().iter().filter(|area| is_spawn(&area.name));
    if let Some(area) = spawns.next() {
        return is_enclosed(level, &area.terrain)
            .then(|| format!("the area `{}` is enclosed by solid pixels", area.name));
    }
    let grid = level.grid();
    let (right, bottom) = (grid.width() - 1, grid.height() - 1);
    let is_open = (0..=right).all(|x| !grid.is_solid(x, 0) && !grid.is_solid(x, bottom))
        && (0..=bottom).all(|y| !grid.is_solid(0, y) && !grid.is_solid(right, y));
    if !is_open || counts.solid * 20 < grid.cell_count() {
        return None;
    }
    (largest_part(grid) * 20 >= counts.solid * 19).then(|| {
        "nothing along the border is solid, and the solid pixels are one piece, as a track is"
            .to_owned()
    })
}

/// Returns the number of pixels in the largest group of solid pixels that touch at a side or corner. O(n
/// a(n)) for n horizontal runs of adjacent solid pixels, where a is the inverse of Ackermann's function.
fn largest_part(grid: &Grid) -> u64 {
    // Each run of adjacent solid pixels in a row: its parent and its number of pixels (union-find). A run
    // that is its own parent is the root of a group.
    let mut parts: Vec<(usize, u64)> = Vec::new();
    let root = |parts: &mut [(usize, u64)], mut part: usize| {
        while parts[part].0 != part {
            parts[part].0 = parts[parts[part].0].0;
            part = parts[part].0;
        }
        part
    };
    // The runs of solid pixels in the row above, and in the current row so far.
    let (mut above, mut here): (Vec<(Range<u32>, usize)>, Vec<_>) = Default::default();
    let (mut next, mut last) = (0, 0);
    for (row, run) in grid.runs_in(0..grid.width(), 0..grid.height()) {
        if row != last {
            above = std::mem::take(&mut here);
            // Rows without solid pixels are skipped, so the previous row may not be the row directly above.
            above.truncate(if row == last + 1 { above.len() } else { 0 });
            (next, last) = (0, row);
        }
        let part = parts.len();
        parts.push((part, u64::from(run.end - run.start)));
        while above.get(next).is_some_and(|(other, _)| other.end < run.start) {
            next += 1;
        }
        for (_, other) in above[next..].iter().take_while(|(other, _)| other.start <= run.end) {
            let (from, to) = (root(&mut parts, part), root(&mut parts, *other));
            parts[from].0 = to;
            parts[to].1 += if from == to { 0 } else { parts[from].1 };
        }
        here.push((run, part));
    }
    parts.iter().map(|(_, pixels)| *pixels).max().unwrap_or(0)
}

/// True if an area has pixels, and all pixels along the outside of its bounding box are solid.
fn is_enclosed(level: &Level, area: &Terrain) -> bool {
    let join = |a: Aabb, b: Aabb| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) };
    area.rectangles().into_iter().reduce(join).is_some_and(|Aabb { min, max }| {
        let rows =
            (min.x - 1..=max.x).flat_map(|x| [IVec2::new(x, min.y - 1), IVec2::new(x, max.y)]);
        let columns = (min.y..max.y).flat_map(|y| [IVec2::new(min.x - 1, y), IVec2::new(max.x, y)]);
        rows.chain(columns).all(|pixel| level.is_solid(pixel))
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
fn of_uniform(
    source: &MaskSource,
    colors: &[([u8; 3], u64)],
    all: u64,
    found: &mut Vec<Suggestion>,
) {
    let counts = &source.counts;
    let amount = if counts.solid == 0 { "nothing" } else { "everything" };
    let is_opaque_rule = matches!(source.rule, MaskRule::OpaqueIsSolid { .. });
    let opaque = opaque(counts);
    if found.is_empty() && opaque < all && opaque > 0 && !is_opaque_rule {
        let number = |count| format!("{} {}", counted(count, "pixel"), are(count));
        let (shown, clear) = (number(opaque), number(all - opaque));
        let why = format!("{amount} is solid; {shown} opaque and {clear} not");
        found.extend(of_shape(source, why));
    }
    let mut add = |word: &str, cells: u64, color: &str| {
        let pixels = counted(cells, "pixel");
        let why = format!("{amount} is solid, and {pixels} {} {color}", are(cells));
        found.push(Suggestion::guess(why, cells, rule(word)));
    };
    if counts.white > 0 && counts.white < all && counts.gray + counts.black > 0 {
        add("light", counts.white, "white");
    }
    if is_opaque_rule && counts.black > 0 && counts.black < all {
        add("dark", counts.black, "black");
    }
    // A colour of all pixels is not suggested as solid: walls are usually only a part of the mask.
    let is_part = |(color, count): &&([u8; 3], u64)| {
        *count < all && ![[0; 3], [255; 3]].contains(color) && colors.len() <= MOST_NAMED
    };
    for (color, count) in colors.iter().rev().filter(is_part) {
        let rule = MaskRule::Colors(vec![*color]).to_string();
        add(&rule, *count, &rule);
    }
}

/// Suggests that only black is solid. The mask must be black and white with further solid colours, and one of
/// these colours must be vivid. Such colours are probably spawns, pickups and the like.
fn black_alone(source: &MaskSource, colors: &[([u8; 3], u64)]) -> Option<Suggestion> {
    let counts = &source.counts;
    let is_by_dark = matches!(source.rule, MaskRule::DarkIsSolid { .. });
    let is_marker = |(color, _): &&([u8; 3], u64)| {
        let is_known = source.planes.iter().any(|plane| plane.color == *color);
        *color != [0; 3] && !is_known && source.rule.is_solid_color(*color)
    };
    let markers: Vec<&([u8; 3], u64)> = colors.iter().filter(is_marker).collect();
    let pixels: u64 = markers.iter().map(|(_, count)| count).sum();
    let is_coded = markers.len() > 1 && markers.iter().any(|(color, _)| is_vivid(*color));
    (is_by_dark && is_coded && counts.white > 0 && pixels <= counts.black).then(|| {
        let why = format!(
            "{} in {} beside black and white are solid now; they may be spawns or other marks",
            counted(pixels, "pixel"),
            counted(markers.len() as u64, "colour"),
        );
        Suggestion::guess(why, counts.black, rule("#000000"))
    })
}

/// Suggests an area for each vivid colour of a mask that neither the rule nor a
/// [`MaskPlane`](crate::rules::MaskPlane) names.
fn planes(colors: &[([u8; 3], u64)], source: &MaskSource) -> Vec<Suggestion> {
    let is_known = |color: &[u8; 3]| {
        let mut planes = source.planes.iter();
        let by_rule = matches!(&source.rule, MaskRule::Colors(colors) if colors.contains(color));
        by_rule || planes.any(|plane| plane.color == *color)
    };
    let mut names: Vec<&str> = Vec::new();
    let mut suggestions = Vec::new();
    let is_unknown = |(color, _): &&([u8; 3], u64)| is_vivid(*color) && !is_known(color);
    for (color, count) in colors.iter().filter(is_unknown).take(MOST_NAMED) {
        let [red, green, blue] = color;
        let pixels = counted(*count, "pixel");
        let color_pixels = format!("{pixels} of the colour #{red:02x}{green:02x}{blue:02x}");
        let why = match source.rule.is_solid_color(*color) {
            true => format!(
                "{color_pixels} {} solid now, and may be an area such as water, which stops nobody",
                are(*count)
            ),
            false => format!("{color_pixels} may be an area such as water"),
        };
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
    use std::path::Path;

    use image::Rgba;

    use super::*;
    use crate::rules::MaskPlane;
    use crate::{LoadOptions, LoadedLevel};

    fn suggested(pixels: &[[u8; 4]], options: &LoadOptions) -> Vec<String> {
        let width = pixels.len() as u32;
        let picture = RgbaImage::from_fn(width, 1, |x, _| Rgba(pixels[x as usize]));
        suggested_for("x.png", &picture, options)
    }

    fn suggested_for(name: &str, picture: &RgbaImage, options: &LoadOptions) -> Vec<String> {
        let found = found_for(name, picture, options);
        found.iter().map(|found| found.arguments().join(" ")).collect()
    }

    fn found_for(name: &str, picture: &RgbaImage, options: &LoadOptions) -> Vec<Suggestion> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("a PNG");
        let loaded = LoadedLevel::decode(name, bytes.get_ref(), (), options).expect("a mask");
        loaded.suggestions(Some(picture))
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
        assert_eq!(suggested(&[CLEAR, CLEAR], &dark), [""; 0]);
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
        let planes = vec![MaskPlane::new("water", [0, 0, 255])];
        let with_water = LoadOptions { planes, ..LoadOptions::default() };
        assert_eq!(suggested(&[BLACK, WHITE, BLUE, RED], &with_water), ["--plane red=#ff0000"]);
        let dark_red = [200, 0, 0, 255];
        assert_eq!(
            suggested(&[BLACK, BLACK, WHITE, BLUE, RED, dark_red], &with_water),
            ["--mask #000000", "--plane red=#c80000", "--plane red2=#ff0000"]
        );
        let (cyan, pale) = ([0, 255, 255, 255], [60, 250, 250, 255]);
        assert_eq!(
            suggested(&[BLACK, WHITE, cyan, cyan, pale], &dark),
            ["--plane cyan=#00ffff", "--plane cyan2=#3cfafa"]
        );
    }
    /// Returns a picture drawn with characters: `#` (black), `.` (white), `o` (red), `b` (blue), `~` (half
    /// transparent) and space (transparent).
    fn drawn(rows: &[&str]) -> RgbaImage {
        RgbaImage::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| {
            Rgba(match rows[y as usize].as_bytes()[x as usize] {
                b'#' => BLACK,
                b'.' => WHITE,
                b'o' => RED,
                b'b' => BLUE,
                b'~' => [0, 0, 0, 100],
                _ => CLEAR,
            })
        })
    }

    #[test]
    fn for_a_shape_on_a_transparent_ground_opaque_pixels_are_suggested_as_solid() {
        let dark = LoadOptions::default();
        assert_eq!(suggested(&[RED, PINK, CLEAR, PINK], &dark), ["--mask opaque"]);
        assert_eq!(
            suggested_for("m.png", &drawn(&["~~ ", "o#o", "ooo"]), &dark),
            ["--mask opaque=1", "--mask opaque"]
        );
        // White is a sixteenth of the shape, like a candle on a cake, so it is part of the shape.
        let cake = drawn(&["    ..", "######", "######", "######", "######", "######"]);
        assert_eq!(suggested_for("m.png", &cake, &dark), ["--mask opaque"]);
        let opaque = LoadOptions { mask_rule: "opaque".parse().unwrap(), ..dark };
        assert_eq!(suggested_for("m.png", &cake, &opaque), [""; 0]);
    }

    #[test]
    fn the_transparent_pixels_of_a_file_named_walkable_are_suggested_as_solid() {
        let picture = drawn(&["  ##", "  ##"]);
        let suggested = |name, rule: &str| {
            let mask_rule = rule.parse().unwrap();
            suggested_for(name, &picture, &LoadOptions { mask_rule, ..LoadOptions::default() })
        };
        assert_eq!(suggested("walkable2.png", "dark"), ["--mask transparent"]);
        assert_eq!(suggested("a/Room_Passable.png", "opaque"), ["--mask transparent"]);
        assert_eq!(suggested("walkable2.png", "transparent"), [""; 0]);
        assert_eq!(suggested("walls.png", "dark"), [""; 0]);
    }

    #[test]
    fn a_track_inside_a_passable_border_is_suggested_to_be_inverted() {
        let dark = LoadOptions::default();
        let track = ["......", ".####.", ".#..#.", ".####.", "......"];
        assert_eq!(suggested_for("m.png", &drawn(&track), &dark), ["--mask light"]);
        let light = LoadOptions { mask_rule: "light".parse().unwrap(), ..dark.clone() };
        assert_eq!(suggested_for("m.png", &drawn(&track), &light), [""; 0]);
        let islands = ["......", ".##.#.", ".#..#.", ".##.#.", "......"];
        assert_eq!(suggested_for("m.png", &drawn(&islands), &dark), [""; 0]);
    }

    #[test]
    fn a_track_that_touches_one_side_of_the_mask_is_not_suggested_to_be_inverted() {
        for track in [
            [".####.", ".#..#.", ".####.", "......"],
            ["......", ".####.", ".#..#.", ".####."],
            ["......", "####..", "#..#..", "......"],
            ["......", "..####", "..#..#", "......"],
        ] {
            let found = suggested_for("m.png", &drawn(&track), &LoadOptions::default());
            assert_eq!(found, [""; 0], "{track:?}");
        }
    }

    /// The solid pixels must be a twentieth of the mask, and nearly all of them one piece.
    #[test]
    fn a_track_is_suggested_to_be_inverted_only_if_it_is_large_and_in_one_piece() {
        let suggested = |solid: &dyn Fn(u32, u32) -> bool| {
            let color = |x, y| Rgba(if solid(x, y) { BLACK } else { WHITE });
            let picture = RgbaImage::from_fn(20, 20, color);
            suggested_for("m.png", &picture, &LoadOptions::default())
        };
        assert_eq!(suggested(&|x, y| y == 9 && (1..=19).contains(&x)), [""; 0]);
        assert_eq!(suggested(&|x, y| y == 9 && (1..19).contains(&x)), [""; 0]);
        let in_rows = |x, y| (9..11).contains(&y) && (1..=10).contains(&x);
        assert_eq!(suggested(&in_rows), ["--mask light"]);
        assert_eq!(suggested(&|x, y| in_rows(x, y) && (x, y) != (1, 9)), [""; 0]);
        // One of 20 pixels may lie apart.
        let apart = |x, y| (in_rows(x, y) && (x, y) != (1, 9)) || (x, y) == (15, 15);
        assert_eq!(suggested(&apart), ["--mask light"]);
        assert_eq!(suggested(&|x, y| apart(x, y) && (x, y) != (2, 9) || (x, y) == (5, 5)), [""; 0]);
    }

    #[test]
    fn a_colour_has_the_name_of_its_channels_above_half_of_the_largest() {
        for (color, name) in [
            ([255, 0, 0], "red"),
            ([127, 255, 127], "green"),
            ([127, 127, 255], "blue"),
            ([255, 127, 127], "red"),
            ([128, 255, 127], "yellow"),
            ([127, 255, 128], "cyan"),
            ([128, 127, 255], "magenta"),
            ([10, 5, 6], "magenta"),
            ([128, 255, 128], "pale"),
            ([0, 0, 0], "pale"),
        ] {
            assert_eq!(name_of(color), name, "{color:?}");
        }
    }

    /// The file has the number of pixels of each suggestion, a `?` for a guess, the arguments and the reason.
    /// `UPDATE_GOLDEN=1 cargo test` writes it again and fails.
    #[test]
    fn the_suggestions_for_tiny_masks_are_those_of_the_golden_file() {
        let mut text = String::new();
        for (rule, rows) in [
            ("dark", &["....", "  ~o"][..]),
            ("dark", &["oob ", "~~.#"][..]),
            ("opaque", &["##oo", "...."][..]),
            ("light", &["....", "...."][..]),
            ("light", &["####", "####"][..]),
            ("light", &["##  ", "~###"][..]),
            ("dark", &["####", "##oo"][..]),
            ("light", &["#.oo", "#.bb"][..]),
            ("#ff0000", &["#..o", "#bbo"][..]),
            ("dark", &["####", "#.ob"][..]),
            ("dark", &["o.bb", "#.bo"][..]),
            ("dark", &["#  .", "#  ."][..]),
            ("light", &["#  .", "#  ."][..]),
            ("light", &["######", "#....#", "#.##.#", "#....#", "######"][..]),
            ("opaque", &["....", "...."][..]),
            ("opaque", &["####", "####"][..]),
            ("dark", &["oooo", "oooo"][..]),
            ("dark", &["####", "#.oo"][..]),
            ("dark", &["####", "#~ob"][..]),
            ("dark", &["......", ".####.", ".####.", ".... ."][..]),
            ("dark", &["......", ".####.", ".####.", "....~."][..]),
        ] {
            let picture = drawn(rows);
            let mask_rule = rule.parse().unwrap();
            let options = LoadOptions { mask_rule, ..LoadOptions::default() };
            text += &format!("# {rule}: {}\n", rows.join("|"));
            for found in found_for("m.png", &picture, &options) {
                let mark = if found.is_guess { "?" } else { "" };
                text += &format!("{} pixels{mark} {found}\n", found.cells);
            }
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
        let path = folder.join("mask-suggestions.txt");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&path, text).unwrap();
            panic!("wrote {}: check it, then run again without UPDATE_GOLDEN", path.display());
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default().replace('\r', "");
        for (line, kept) in text.lines().zip(kept.lines()) {
            assert_eq!(line, kept, "UPDATE_GOLDEN=1 writes {}", path.display());
        }
        assert_eq!(text.lines().count(), kept.lines().count());
    }

    #[test]
    fn the_largest_group_of_solid_pixels_includes_pixels_that_touch_at_a_corner() {
        for (text, pixels) in [
            ("......", 0),
            ("##.###\n..#...\n#....#", 6),
            ("#.#.#\n#.#.#\n#####", 11),
            ("#####\n#...#\n#.#.#\n#...#\n#####", 16),
            ("##..#\n...#.\n#.#.#\n.#..#", 7),
        ] {
            assert_eq!(largest_part(&Grid::from_text(text).unwrap()), pixels, "{text}");
        }
    }

    #[test]
    fn a_mask_whose_spawn_is_in_solid_pixels_is_suggested_to_be_inverted() {
        let planes = vec![MaskPlane::new("spawn", [0, 0, 255])];
        let options = LoadOptions { planes, ..LoadOptions::default() };
        let inside = ["###...", "#b#...", "####.."];
        assert_eq!(suggested_for("m.png", &drawn(&inside), &options), ["--mask light"]);
        // A gap at any pixel around the spawn opens it.
        for (x, y) in (0..3).flat_map(|y| (0..3).map(move |x| (x, y))).filter(|at| *at != (1, 1)) {
            let mut picture = drawn(&["###...", "#b#...", "###..."]);
            picture.put_pixel(x, y, Rgba(WHITE));
            assert_eq!(suggested_for("m.png", &picture, &options), [""; 0], "{x}, {y}");
        }
        let track_with_spawn_outside = ["......", ".###b.", ".###..", "......"];
        assert_eq!(suggested_for("m.png", &drawn(&track_with_spawn_outside), &options), [""; 0]);
    }

    #[test]
    fn black_alone_is_suggested_if_several_other_colours_are_solid_too() {
        let dark = LoadOptions::default();
        let coded = drawn(&["###...", "#..o.#", "#.b..#", "###.##"]);
        assert_eq!(
            suggested_for("m.png", &coded, &dark),
            ["--mask #000000", "--plane blue=#0000ff", "--plane red=#ff0000"]
        );
    }
}
