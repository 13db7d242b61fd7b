//! Markers that the game looks for and that a level has too few or too many of.

use super::places::quoted;
use crate::lint::finding::Finding;
use crate::lint::options::MarkerSpec;
use crate::lint::rule::rule;
use crate::lint::rules::MOST_FINDINGS;
use crate::lint::subject::Subject;
use bitwall::load::{Place, Source};
use bitwall::text::counted;
use bitwall::tmx::{LayerContent, Object};

rule! {
    /// # What it finds
    /// A level with fewer or more objects of a name than `[[verify.marker]]` states by `at-least` and
    /// `at-most`. Every object counts: points, rectangles, tiles. A world needs `at-least` in all its maps
    /// together, and may have `at-most` in each of them, which is reported for the map.
    ///
    /// # Why it matters
    /// The game looks for its markers by name. Without its spawn a level does not start; with two, the game
    /// takes one of them, and not always the same.
    ///
    /// # How to fix
    /// Add the object or delete the one too many. If the level may differ, state other numbers for it.
    MARKER_CONTRACT = "LVL303" "marker-contract" Error on(Map) needs(Marker)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let specs = subject.options.markers.iter();
    specs.filter_map(|spec| of_spec(subject, spec)).take(MOST_FINDINGS).collect()
}

fn of_spec(subject: &Subject<'_>, spec: &MarkerSpec) -> Option<Finding> {
    let is_world = matches!(subject.loaded()?.source, Source::World(_));
    let at_most = spec.at_most.filter(|_| !is_world);
    let (mut count, mut last) = (0_u32, None);
    for_each_object(subject, |layer, object| {
        if spec.matches(&object.name) {
            count = count.saturating_add(1);
            // The first one that is too many.
            if at_most.is_some_and(|most| count == most.saturating_add(1)) {
                last = Some(Place {
                    layer: Some(layer.to_owned()),
                    object: Some(object.id),
                    line: (object.line > 0).then_some((object.line, 1)),
                    ..Place::default()
                });
            }
        }
    });
    let name = quoted(&spec.name);
    let finding = |headline| Finding::new(&MARKER_CONTRACT, subject.path, headline);
    let needed = match at_most {
        Some(most) if most == spec.at_least => most.to_string(),
        Some(most) => format!("{} to {most}", spec.at_least),
        None => format!("{} or more", spec.at_least),
    };
    let note = format!("the configuration asks for {needed}");
    if count < spec.at_least {
        let headline = match count {
            0 => format!("there is no object {name}"),
            _ => format!("there are too few objects {name}: {count}"),
        };
        let help = format!("add {}", counted((spec.at_least - count).into(), "object"));
        let finding = finding(headline).of_many(name, (spec.at_least - count).into());
        return Some(finding.note(note).help(format!("{help} of this name")));
    }
    let most = at_most.filter(|most| count > *most)?;
    let headline = format!("there are too many objects {name}: {count}");
    let help = format!("delete or rename {}", counted((count - most).into(), "object"));
    let finding = finding(headline).of_many(format!("many {name}"), (count - most).into());
    Some(finding.at(last.unwrap_or_default()).note(note).help(help))
}

/// Calls `found` with each object of the maps and the name of its layer.
fn for_each_object(subject: &Subject<'_>, mut found: impl FnMut(&str, &Object)) {
    for placed in subject.maps() {
        for context in placed.map.walk() {
            if let LayerContent::Objects(layer) = &context.layer.content {
                layer.objects.iter().for_each(|object| found(&context.path, object));
            }
        }
    }
}
