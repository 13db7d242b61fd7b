//! Removes findings that a map allows in its property `bitwall.allow`.

use super::finding::{Finding, at_object, in_layer, in_tileset};
use super::rule::LintRule;
use super::rules::rule_by_name;
use bitwall::error::Place;
use bitwall::property::PropertyValue;
use bitwall::tmx::{LayerContent, Map, Properties};

pub(super) const ALLOW: &str = "allow";

const MOST_WORDS: usize = 256;

/// Returns the properties of the map, and of each tileset, layer and object that has a property `bitwall.*`.
/// With each comes the [`Place`] that names the tileset, layer or object; it is empty for the map. O(layers +
/// objects).
pub(super) fn holders(map: &Map) -> Vec<(&Properties, Place)> {
    let is_holder =
        |properties: &Properties| properties.keys().any(|name| name.starts_with("bitwall."));
    let mut holders = vec![(&map.properties, Place::default())];
    for set in map.tilesets.iter().filter(|set| is_holder(&set.properties)) {
        holders.push((&set.properties, in_tileset(&set.name, 0)));
    }
    for context in map.walk() {
        let (layer, path) = (context.layer, &context.path);
        if is_holder(&layer.properties) {
            holders.push((&layer.properties, in_layer(path, layer.line)));
        }
        if let LayerContent::Objects(objects) = &layer.content {
            let objects = objects.objects.iter().filter(|object| is_holder(&object.properties));
            holders.extend(objects.map(|object| (&object.properties, at_object(path, object))));
        }
    }
    holders
}

/// Splits the value of a property `bitwall.allow` into codes or names of rules, at commas and spaces. Returns
/// at most 256 words; `None` if the value is not a text.
pub(super) fn words(value: &PropertyValue) -> Option<impl Iterator<Item = &str>> {
    let PropertyValue::Text(text) = value else {
        return None;
    };
    let words = text.split(|c: char| c == ',' || c.is_whitespace());
    Some(words.filter(|word| !word.is_empty()).take(MOST_WORDS))
}

/// Removes the findings of rules that a property `bitwall.allow` names, and returns them.
///
/// The map's property applies to all findings. The property of a layer, group, object or tileset applies to
/// findings inside it. A [`fixed`](LintRule::fixed) rule cannot be allowed. O(layers + objects + findings *
/// words).
pub(super) fn silence(map: &Map, findings: &mut Vec<Finding>) -> Vec<Finding> {
    let mut silenced = Vec::new();
    if findings.is_empty() {
        return silenced;
    }
    for (properties, place) in holders(map) {
        let Some(property) = properties.get("bitwall.allow") else {
            continue;
        };
        // Skips a layer, object or tileset without findings before splitting its text into words: a hostile
        // map may have many such properties.
        if !findings.iter().any(|finding| is_within(&finding.place, &place)) {
            continue;
        }
        for word in words(&property.value).into_iter().flatten() {
            let Some(rule) = rule_by_name(word).filter(|rule| !rule.fixed) else {
                continue;
            };
            silenced
                .extend(findings.extract_if(.., |it| {
                    it.rule.code == rule.code && is_within(&it.place, &place)
                }));
        }
    }
    silenced
}

/// True if the property `bitwall.allow` of the map itself names `rule`.
pub(super) fn allows(map: &Map, rule: &LintRule) -> bool {
    let property = map.properties.get("bitwall.allow");
    let words = property.and_then(|property| words(&property.value));
    words
        .into_iter()
        .flatten()
        .any(|word| rule_by_name(word).is_some_and(|it| it.code == rule.code))
}

fn is_within(place: &Place, holder: &Place) -> bool {
    let is_layer = |wanted: &String| {
        place.layer.as_ref().is_some_and(|path| {
            let rest = path.strip_prefix(wanted.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    };
    holder.tileset.as_ref().is_none_or(|name| place.tileset.as_ref() == Some(name))
        && holder.layer.as_ref().is_none_or(is_layer)
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
