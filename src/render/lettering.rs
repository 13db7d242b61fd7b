//! Labels as they are drawn: letters on dark backing, and lines to places that are far away.

use embedded_graphics::geometry::{Dimensions, Point};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{Line, PrimitiveStyle};
use embedded_graphics::text::{Baseline, Text};

use super::ink::{Ink, Paint};
use super::labels::{PADDING, Placed};

/// Behind the letters.
const BACKING: Ink = Ink::DARK.with_alpha(210);

/// Writes labels that have their places; no line hides one.
pub(super) fn write(paint: &mut Paint<'_>, labels: &[Placed], font: &MonoFont<'_>) {
    for [from, to] in labels.iter().filter_map(|label| label.leader) {
        for (ink, width) in [(Ink::DARK.with_alpha(160), 3), (Ink::WHITE, 1)] {
            paint.draw(&Line::new(from, to).into_styled(PrimitiveStyle::with_stroke(ink, width)));
        }
    }
    let seen = paint.bounding_box();
    let is_seen = |label: &&Placed| !label.backing.intersection(&seen).is_zero_sized();
    for label in labels.iter().filter(is_seen) {
        paint.fill(label.backing, |_, _| BACKING);
        let corner = label.backing.top_left + Point::new(PADDING, PADDING);
        let style = MonoTextStyle::new(font, label.ink);
        paint.draw(&Text::with_baseline(&label.text, corner, style, Baseline::Top));
    }
}
