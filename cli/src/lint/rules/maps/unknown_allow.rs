//! Words in `bitwall.allow` that allow nothing.

use crate::lint::allowed::{ALLOW, words};
use crate::lint::finding::Finding;
use crate::lint::rule::rule;
use crate::lint::rules::rule_by_name;
use crate::lint::subject::Subject;
use bitwall::load::Place;
use bitwall::text::printable;

rule! {
    /// # What it finds
    /// A property `bitwall.allow` of a map, layer, object or tileset that names no rule, or a rule that
    /// cannot be allowed, or that is not a text; and any other property whose name starts with `bitwall.`.
    ///
    /// The property `bitwall.allow` holds the codes or names of rules, with commas or spaces between them.
    /// That of a map silences their findings in the map; that of a layer, an object or a tileset those about
    /// it.
    ///
    /// # Why it matters
    /// It silences nothing, though somebody meant it to.
    ///
    /// # How to fix
    /// Fix the word, or remove it. `bitwall rules` lists the rules.
    UNKNOWN_ALLOW = "TMX125" "unknown-allow" Warning on(Map)
}

pub(in crate::lint::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let Some(map) = subject.map() else {
        return Vec::new();
    };
    let mut findings = Vec::new();
    for (properties, place) in crate::lint::allowed::holders(map) {
        for (name, property) in properties {
            let Some(rest) = name.strip_prefix("bitwall.") else {
                continue;
            };
            let line = if property.line > 0 { Some((property.line, 1)) } else { place().line };
            let finding = |headline: String, help: &str| {
                let place = Place { line, ..place() };
                Finding::new(&UNKNOWN_ALLOW, subject.path, headline).at(place).help(help)
            };
            if rest != ALLOW {
                let headline = format!("the property `{}` has no meaning", printable(name));
                findings.push(finding(headline, "name it `bitwall.allow`, or remove it"));
                continue;
            }
            let Some(words) = words(&property.value) else {
                let headline = "`bitwall.allow` is not a text".to_owned();
                findings.push(finding(headline, "make it a string with the names of rules"));
                continue;
            };
            for word in words {
                let shown = printable(word);
                match rule_by_name(word) {
                    None => {
                        let headline = format!("`bitwall.allow` names `{shown}`, which is no rule");
                        findings
                            .push(finding(headline, "fix the word; `bitwall rules` lists them"));
                    }
                    Some(rule) if rule.fixed => {
                        let headline = format!("`{}` cannot be allowed", rule.name);
                        findings.push(finding(headline, "remove it from `bitwall.allow`"));
                    }
                    Some(_) => {}
                }
            }
        }
        if findings.len() >= super::MOST_FINDINGS {
            break;
        }
    }
    findings.truncate(super::MOST_FINDINGS);
    findings
}
