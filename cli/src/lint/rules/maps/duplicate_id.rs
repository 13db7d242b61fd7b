//! Ids that two layers or two objects share, and solid layers of one name.

use std::collections::HashMap;

use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::load::{Place, SurveyedLayer};
use bitwall::text::{counted, printable};

rule! {
    /// # What it finds
    /// Two layers with one id, two objects with one id, or two solid layers of one kind with one name in the
    /// same group.
    ///
    /// # Why it matters
    /// Tiled gives every layer and every object an id of its own. Two that are the same come from a merge or
    /// from text that was copied: often the same walls stand there twice, and one copy is edited later. A
    /// program that looks for the layer by its name finds one of them, and has half of the walls.
    ///
    /// # How to fix
    /// Delete the copy, or rename it. Tiled gives new ids if the layer is cut and pasted.
    DUPLICATE_ID = "TMX121" "duplicate-id" Warning on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(survey) = subject.survey() else {
        return Vec::new();
    };
    let line = |line: u32| (line > 0).then_some((line, 1));
    let place = |layer: &SurveyedLayer<'_>| Place {
        line: line(layer.context.layer.line),
        layer: Some(layer.context.path.clone()),
        ..Place::default()
    };
    let finding = |headline: String| Finding::new(&DUPLICATE_ID, subject.path, headline);
    let mut findings = Vec::new();

    let layers = survey.layers.iter().map(|layer| (layer.context.layer.id, layer));
    if let Some(twice) = first_twice(layers.filter(|(id, _)| *id > 0)) {
        let headline = format!("two layers have the id {}", twice.key);
        findings.push(
            with_others(finding(headline), &ids(&twice.keys), "id", "ids of layers")
                .at(place(twice.second))
                .note(format!("the other one is `{}`", printable(&twice.first.context.path)))
                .help("delete the copy, or cut and paste it in Tiled, which gives it a new id"),
        );
    }

    let objects = survey
        .layers
        .iter()
        .flat_map(|layer| layer.objects.iter().map(move |it| (it.object.id, (layer, it.object))));
    if let Some(twice) = first_twice(objects.filter(|(id, _)| *id > 0)) {
        let (layer, object) = twice.second;
        let place = Place { line: line(object.line), object: Some(object.id), ..place(layer) };
        let headline = format!("two objects have the id {}", twice.key);
        findings.push(
            with_others(finding(headline), &ids(&twice.keys), "id", "ids of objects")
                .at(place)
                .note(format!("the other one is on `{}`", printable(&twice.first.0.context.path)))
                .help("delete the copy, or cut and paste it in Tiled, which gives it a new id"),
        );
    }

    let solid = survey.layers.iter().filter(|layer| layer.is_solid && layer.stops);
    let named = solid.filter(|layer| !layer.context.layer.name.is_empty());
    let named = named.map(|layer| {
        ((layer.context.layer.content.kind().name(), layer.context.path.as_str()), layer)
    });
    if let Some(twice) = first_twice(named) {
        let headline = format!("two solid layers have the name `{}`", printable(twice.key.1));
        let names: Vec<String> =
            twice.keys.iter().map(|(kind, path)| format!("{kind} `{}`", printable(path))).collect();
        findings.push(
            with_others(finding(headline), &names, "name", "names of layers")
                .at(place(twice.second))
                .note(format!("the other one starts in line {}", twice.first.context.layer.line))
                .help("rename one of them, or merge them in Tiled under Layer > Merge Layer Down"),
        );
    }
    findings
}

fn ids(keys: &[u32]) -> Vec<String> {
    keys.iter().map(u32::to_string).collect()
}

fn with_others(finding: Finding, names: &[String], noun: &str, kind: &str) -> Finding {
    let finding = finding.of_named(kind, names.iter().cloned());
    match names.len() as u64 - 1 {
        0 => finding,
        others => {
            finding.note(format!("{} stand twice too", counted(others, &format!("other {noun}"))))
        }
    }
}

/// A key that stands twice.
struct Twice<K, T> {
    key: K,
    first: T,
    second: T,
    /// The keys of all items of the list whose key stands there before, this one first.
    keys: Vec<K>,
}

/// The first key that stands there a second time. O(items).
fn first_twice<K: Eq + std::hash::Hash + Copy, T: Copy>(
    items: impl Iterator<Item = (K, T)>,
) -> Option<Twice<K, T>> {
    let mut known: HashMap<K, T> = HashMap::new();
    let mut twice: Option<Twice<K, T>> = None;
    for (key, item) in items {
        let Some(first) = known.get(&key).copied() else {
            known.insert(key, item);
            continue;
        };
        match &mut twice {
            Some(twice) => twice.keys.push(key),
            None => twice = Some(Twice { key, first, second: item, keys: vec![key] }),
        }
    }
    twice
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_key_that_comes_again_is_found() {
        let twice = first_twice([(1, 'a'), (2, 'b'), (2, 'c'), (1, 'd')].into_iter()).unwrap();
        assert_eq!((twice.key, twice.first, twice.second), (2, 'b', 'c'));
        assert_eq!(twice.keys, [2, 1]);
        assert!(first_twice([(1, 'a'), (2, 'b')].into_iter()).is_none());
    }
}
