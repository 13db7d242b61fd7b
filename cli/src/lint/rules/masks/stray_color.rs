//! Colours in a mask that have no meaning.

use super::gray::{hex, marked};
use crate::lint::finding::Finding;
use crate::lint::pixels::causes::Cause;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::text::counted;

rule! {
    /// # What it finds
    /// A few colours beside black and white, such as a red marker or blue water, each in a patch of its own.
    /// Colours named by `--plane` are not reported.
    ///
    /// # Why it matters
    /// Without a name for it, a colour is solid or passable by its lightness: a red marker is a wall.
    ///
    /// # How to fix
    /// Name the area with `--plane NAME=#rrggbb`, or `planes` in `bitwall.toml`. If the colour is a slip,
    /// repaint it in black or white.
    STRAY_COLOR = "MSK209" "stray-color" Error on(Mask)
}

/// The most colours that are listed.
const MOST: usize = 6;

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let stray = subject.gray_causes().iter().find_map(|(cause, count)| match cause {
        Cause::StrayColors(colors) => Some((colors, *count)),
        _ => None,
    });
    let (Some((colors, count)), Some((_, source))) = (stray, subject.mask()) else {
        return Vec::new();
    };
    let mut colors = colors.clone();
    colors.sort_by_key(|color| (color.first.y, color.first.x));
    let Some(first) = colors.first().copied() else {
        return Vec::new();
    };
    let number = counted(colors.len() as u64, "colour");
    let has = if colors.len() == 1 { "has" } else { "have" };
    let headline = format!("{number} beside black and white {has} no name ({count} px)");
    let mut finding =
        marked(&STRAY_COLOR, subject, headline, first.first, "? = neither black nor white")
            .of_named("", colors.iter().map(|color| hex(color.rgb)));
    for color in colors.iter().take(MOST) {
        let kind = if source.rule.is_solid_color(color.rgb) { "solid" } else { "passable" };
        let (pixels, at) = (counted(color.count, "pixel"), color.first);
        let hex = hex(color.rgb);
        finding =
            finding.note(format!("{hex}: {pixels}, {kind}, the first at x {}, y {}", at.x, at.y));
    }
    if colors.len() > MOST {
        finding = finding.note(format!("and {} more", colors.len() - MOST));
    }
    let help = format!("name the area with --plane NAME={}, or repaint it", hex(first.rgb));
    vec![finding.help(help)]
}
