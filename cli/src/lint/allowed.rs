//! Removes findings that a map allows in its property `bitwall.allow`.

use super::finding::Finding;
use super::rule::LintRule;
use super::rules::maps::names::{ALLOW, allowed_words, holders};
use super::rules::rule_by_name;
use bitwall::error::Place;
use bitwall::tmx::Map;

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
