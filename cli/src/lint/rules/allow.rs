//! The property `bitwall.allow`, which silences rules in a map. A word in it that names no rule silences
//! nothing.

use super::{at_object, in_layer, in_tileset, rule_by_name};
use crate::lint::{Finding, LintRule};
use bitwall::error::Place;
use bitwall::property::PropertyValue;
use bitwall::tmx::{LayerContent, Map, Properties};

/// The property that silences rules.
const ALLOW: &str = "bitwall.allow";

const MOST_ALLOWED: usize = 256;

/// Returns the properties of the map, and of each tileset, layer and object that has [`ALLOW`].
/// With each comes the [`Place`] that names the tileset, layer or object; it is empty for the map. O(layers +
/// objects).
fn holders(map: &Map) -> Vec<(&Properties, Place)> {
    let mut holders = vec![(&map.properties, Place::default())];
    for set in map.tilesets.iter().filter(|set| is_holder(&set.properties)) {
        holders.push((&set.properties, in_tileset(&set.name, 0)));
    }
    for context in map.walk() {
        let layer = context.layer;
        if is_holder(&layer.properties) {
            holders.push((&layer.properties, in_layer(&context.path, layer.line)));
        }
        if let LayerContent::Objects(objects) = &layer.content {
            for object in objects.objects.iter().filter(|object| is_holder(&object.properties)) {
                holders.push((&object.properties, at_object(&context.path, object)));
            }
        }
    }
    holders
}

fn is_holder(properties: &Properties) -> bool {
    properties.contains_key(ALLOW)
}

/// Splits the value of a property `bitwall.allow` into codes or names of rules, at commas and spaces. Returns
/// at most 256 words; `None` if the value is not a text.
fn allowed_words(value: &PropertyValue) -> Option<impl Iterator<Item = &str>> {
    let PropertyValue::Text(text) = value else {
        return None;
    };
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    Some(words.filter(|word| !word.is_empty()).take(MOST_ALLOWED))
}

/// Removes the findings of rules that a property `bitwall.allow` names.
///
/// The map's property applies to all findings. The property of a layer, group, object or tileset applies to
/// findings inside it. A [`fixed`](LintRule::fixed) rule cannot be allowed. O(layers + objects + findings *
/// words).
pub(in crate::lint) fn silence(map: &Map, findings: &mut Vec<Finding>) {
    if findings.is_empty() {
        return;
    }
    for (properties, place) in holders(map) {
        let Some(property) = properties.get(ALLOW) else {
            continue;
        };
        // Skips a layer, object or tileset without findings before splitting its text into words: a hostile
        // map may have many such properties.
        if !findings.iter().any(|finding| is_within(&finding.place, &place)) {
            continue;
        }
        for word in allowed_words(&property.value).into_iter().flatten() {
            let Some(rule) = rule_by_name(word).filter(|rule| !rule.fixed) else {
                continue;
            };
            findings.retain(|it| it.rule.code != rule.code || !is_within(&it.place, &place));
        }
    }
}

/// True if the property `bitwall.allow` of the map itself names `rule`.
pub(in crate::lint) fn allows(map: &Map, rule: &LintRule) -> bool {
    let property = map.properties.get(ALLOW);
    let mut words = property.and_then(|it| allowed_words(&it.value)).into_iter().flatten();
    words.any(|word| rule_by_name(word).is_some_and(|it| it.code == rule.code))
}

fn is_within(place: &Place, holder: &Place) -> bool {
    if let Some(wanted) = &holder.layer {
        let rest = place.layer.as_ref().and_then(|path| path.strip_prefix(wanted.as_str()));
        if !rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) {
            return false;
        }
    }
    holder.tileset.as_ref().is_none_or(|name| place.tileset.as_ref() == Some(name))
        && holder.object.is_none_or(|id| place.object == Some(id))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::lint::rules::{BAD_SHAPE, NEAR_NAME, UNPARSABLE_MAP};
    use bitwall::Limits;

    fn map(allow: [&str; 3]) -> Map {
        let property = |words: &str| match words {
            "" => String::new(),
            words => format!(
                "<properties><property name=\"bitwall.allow\" value=\"{words}\"/></properties>"
            ),
        };
        let [of_map, of_layer, of_object] = allow.map(property);
        let text = format!(
            "<map orientation=\"orthogonal\" width=\"1\" height=\"1\" tilewidth=\"8\" tileheight=\"8\">
             {of_map}<group name=\"a\"><objectgroup name=\"b\">{of_layer}
             <object id=\"7\" x=\"0\" y=\"0\">{of_object}</object></objectgroup></group></map>"
        );
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        Map::decode("a.tmx", text.as_bytes(), none, &Limits::default()).unwrap()
    }

    fn left(allow: [&str; 3]) -> usize {
        let at = |layer: &str, object| Place {
            layer: Some(layer.to_owned()),
            object,
            ..Place::default()
        };
        let finding = |rule, place| Finding::new(rule, Path::new("a.tmx"), "x").place(place);
        let mut findings = vec![
            finding(&NEAR_NAME, at("a/b", None)),
            finding(&NEAR_NAME, at("a/bc", None)),
            finding(&BAD_SHAPE, at("a/b", Some(7))),
            finding(&BAD_SHAPE, at("a/b", Some(8))),
            finding(&UNPARSABLE_MAP, Place::default()),
        ];
        silence(&map(allow), &mut findings);
        findings.len()
    }

    #[test]
    fn an_allow_property_removes_findings_only_where_it_is_set() {
        assert_eq!(left(["", "", ""]), 5);
        assert_eq!(left(["near-name", "", ""]), 3);
        assert_eq!(left(["tmx117,  TMX113", "", ""]), 1);
        assert_eq!(left(["unparsable-map no-rule", "", ""]), 5);
        assert_eq!(left(["", "near-name", ""]), 4);
        assert_eq!(left(["", "bad-shape", ""]), 3);
        assert_eq!(left(["", "", "bad-shape"]), 4);
    }
}
