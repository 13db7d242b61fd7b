//! Words that are nearly those of the rules.

use std::collections::HashMap;

use super::things::{Kind, Thing, things};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::subject::Subject;
use bitwall::property::PropertyValue;
use bitwall::rules::{WordUse, misspelt};
use bitwall::text::{counted, printable};

rule! {
    /// # What it finds
    /// A layer's name, or a class or a property of a layer, a tile or an object, that misspells a word by
    /// which the rules mark solids, one-way tiles, triggers or areas: `sollid`, `Colision`, `one way`. Only
    /// things that the map shows, that nothing else makes solid, and that hold something are looked at. Words
    /// from a `bitwall.toml` count too. A word of fewer than five letters, and one with another of its five
    /// letters exchanged, counts as another word.
    ///
    /// # Why it matters
    /// The rules do not know the word, so the tile, layer or object does not stop a body. A map that has
    /// other solids gives no sign of it.
    ///
    /// # How to fix
    /// Rename it in Tiled. If the game means another thing by it, name the word in the `bitwall.toml`, or set
    /// the property `bitwall.allow` of the map to `near-name`.
    NEAR_NAME = "TMX113" "near-name" Warning on(Map)
}

/// Different words that are compared with those of the rules, at up to 0.2 ms each: a hostile map may have a
/// million.
const MOST_WORDS: usize = 1_024;

/// A misspelt word, and the things that have it.
struct Near<'m> {
    written: &'m str,
    meant: String,
    word_use: WordUse,
    thing: Thing<'m>,
    line: u32,
    /// The things that have it.
    names: Vec<String>,
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(survey)) = (subject.map(), subject.survey()) else {
        return Vec::new();
    };
    let load = &subject.options.load;
    let mut verdicts: HashMap<(WordUse, &str), Option<String>> = HashMap::new();
    let mut found: Vec<Near<'_>> = Vec::new();
    for thing in things(map, survey, &load.solid_rules) {
        for (written, word_use, line) in words(&thing) {
            if verdicts.len() == MOST_WORDS && !verdicts.contains_key(&(word_use, written)) {
                let reason = format!("the map has more than {MOST_WORDS} different words");
                subject.give_up(&NEAR_NAME, reason);
                return report(subject, found);
            }
            let verdict = verdicts.entry((word_use, written)).or_insert_with(|| {
                misspelt(written, word_use, &load.solid_rules, &load.areas).map(str::to_owned)
            });
            let Some(meant) = verdict.clone() else {
                continue;
            };
            match found.iter_mut().find(|it| (it.word_use, it.written) == (word_use, written)) {
                Some(known) => known.names.push(thing.label()),
                None => {
                    let thing = thing.clone();
                    let names = vec![thing.label()];
                    found.push(Near { written, meant, word_use, thing, line, names });
                }
            }
        }
    }
    report(subject, found)
}

/// The words of a thing that no rule has made solid, each with its line if that is not the thing's own.
fn words<'m>(thing: &Thing<'m>) -> Vec<(&'m str, WordUse, u32)> {
    if thing.stops {
        return Vec::new();
    }
    let (class, property) = match thing.kind {
        Kind::Layer => (WordUse::LayerClass, WordUse::LayerProperty),
        Kind::Tile => (WordUse::TileClass, WordUse::TileProperty),
        Kind::Object => (WordUse::ObjectClass, WordUse::ObjectProperty),
    };
    let mut words = vec![(thing.name, WordUse::LayerName, 0), (thing.class, class, 0)];
    for (name, it) in thing.properties {
        // Other values are no flags, whatever their names.
        if it.value.as_flag().is_some() {
            words.push((name, property, it.line));
        }
        if let PropertyValue::Class { members, .. } = &it.value {
            let flags = members.iter().filter(|(_, value)| value.as_flag().is_some());
            words.extend(flags.map(|(name, _)| (name.as_str(), property, it.line)));
        }
    }
    words.retain(|(word, ..)| !word.is_empty());
    words
}

fn report(subject: &Subject<'_>, found: Vec<Near<'_>>) -> Vec<Finding> {
    let finding = |near: Near<'_>| {
        let what = match near.word_use {
            WordUse::LayerName => "name of the layer",
            WordUse::LayerClass | WordUse::TileClass | WordUse::ObjectClass => "class",
            _ => "property",
        };
        let (written, meant) = (printable(near.written), printable(&near.meant).to_string());
        let headline = format!("the {what} `{written}` is nearly `{meant}`");
        let place = near.thing.place_of(near.line);
        let finding = near.thing.finding(&NEAR_NAME, subject, headline.clone(), place);
        let count = near.names.len() as u64;
        let finding = finding.of_named(headline, near.names);
        let finding = finding.help(format!("rename it to `{meant}`"));
        let kind = near.thing.kind.name();
        finding.note(match count {
            1 => format!("the rules do not know it, so this {kind} is as if it were not there"),
            count => format!("{} have it, and the rules do not know it", counted(count, kind)),
        })
    };
    found.into_iter().take(super::MOST_FINDINGS).map(finding).collect()
}
