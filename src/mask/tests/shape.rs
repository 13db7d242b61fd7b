//! The counts of pixels for which a shape on a transparent ground is probably solid as a whole.

use super::*;

/// The counts are those of black, white, area, gray, translucent and transparent pixels. The sides are those
/// of solid and of passable pixels at transparent ones. With light solids, black and white are exchanged.
#[test]
fn a_shape_is_solid_as_a_whole_by_its_counts_of_pixels() {
    for (counts, sides, passable_shape, is_in_alpha) in [
        // Of one colour: there is a transparent pixel for every 50 opaque ones.
        ([0, 50, 0, 0, 0, 1], [0, 0], Some(50), false),
        ([0, 51, 0, 0, 0, 1], [0, 0], None, false),
        ([0, 50, 1, 0, 0, 9], [0, 0], None, false),
        ([0, 50, 0, 1, 0, 9], [0, 0], None, false),
        ([0, 50, 0, 0, 1, 9], [0, 0], None, false),
        ([1, 50, 0, 0, 0, 9], [0, 0], None, false),
        ([1, 50, 0, 1, 0, 9], [0, 0], None, false),
        ([50, 0, 0, 0, 0, 9], [9, 0], None, false),
        ([0, 0, 0, 0, 0, 9], [0, 0], None, false),
        // Of both colours: each has at least a 32nd of the opaque pixels.
        ([31, 1, 0, 0, 0, 1], [4, 1], Some(32), true),
        ([1, 31, 0, 0, 0, 31], [4, 1], Some(32), true),
        ([32, 1, 0, 0, 0, 1], [4, 1], None, false),
        ([62, 2, 0, 0, 0, 2], [4, 1], Some(64), true),
        ([30, 1, 0, 1, 9, 1], [4, 1], Some(31), true),
        ([30, 1, 1, 0, 0, 1], [4, 1], Some(31), true),
        ([30, 1, 1, 1, 0, 1], [4, 1], None, false),
        // The ground has at least as many pixels as the passable colour, which touches a fifth of its edge or
        // more.
        ([10, 2, 0, 0, 0, 2], [4, 1], Some(12), true),
        ([10, 2, 0, 0, 0, 1], [4, 1], None, false),
        ([10, 2, 0, 0, 0, 2], [5, 1], None, false),
        ([10, 2, 0, 0, 0, 2], [7, 2], Some(12), true),
        ([10, 2, 0, 0, 0, 2], [0, 0], None, false),
        // Of other colours: at least half of the opaque pixels have them.
        ([5, 0, 0, 5, 0, 1], [0, 0], None, true),
        ([5, 0, 0, 4, 0, 1], [0, 0], None, false),
        ([0, 0, 4, 3, 0, 1], [0, 0], None, false),
        ([0, 0, 0, 5, 9, 0], [0, 0], None, false),
        ([0, 0, 0, 50, 0, 1], [0, 0], None, true),
        ([0, 0, 0, 51, 0, 1], [0, 0], None, false),
        ([0, 0, 0, 0, 5, 9], [0, 0], None, false),
    ] {
        let [black, white, in_planes, gray, translucent, transparent] = counts;
        let dark = MaskCounts {
            black,
            white,
            in_planes,
            gray,
            translucent,
            transparent,
            black_at_clear: sides[0],
            white_at_clear: sides[1],
            ..MaskCounts::default()
        };
        let light = MaskCounts {
            black: white,
            white: black,
            black_at_clear: sides[1],
            white_at_clear: sides[0],
            ..dark.clone()
        };
        for (rule, counts, by_lightness) in
            [("dark", &dark, true), ("light", &light, true), ("opaque", &dark, false)]
        {
            let (name, format) = (String::new(), String::new());
            let (rule, planes) = (rule.parse().unwrap(), Vec::new());
            let counts = counts.clone();
            let source = MaskSource { name, rule, planes, counts, format, animated: false };
            let found = (source.passable_shape(), source.is_shape_in_alpha());
            let expected = (passable_shape.filter(|_| by_lightness), is_in_alpha && by_lightness);
            assert_eq!(found, expected, "{} {:?}", source.rule, source.counts);
        }
    }
}
