use std::path::Path;

use super::clean::{MAX_CHARS, clean};
use super::*;
use crate::error::Place;
use crate::verify::rules::{GRAY_PIXELS, UNPARSABLE_MAP};
use crate::verify::{Finding, Summary};

const HOSTILE: [&str; 6] = [
    "a\n::error file=x::pwned",
    "\r\n::stop-commands::x",
    "::error::pwned",
    "  ::add-mask::x",
    "\u{1b}[31m\u{9b}2J\u{202e}\u{2028}::error::x",
    "x ##[error]pwned ###vso[task.complete]x",
];

fn hostile(text: &str) -> Finding {
    let place = Place {
        line: Some((3, 4)),
        layer: Some(text.to_owned()),
        tileset: Some(text.to_owned()),
        ..Place::default()
    };
    Finding::new(&UNPARSABLE_MAP, Path::new(text), text).at(place).note(text).help(text)
}

/// Asserts that no line of `text` is a command, except a first one that starts with `own`.
fn assert_harmless(text: &str, own: &str) {
    let text = text.strip_prefix(own).unwrap_or(text);
    assert!(!text.contains("##"), "{text:?}");
    for line in text.split_terminator('\n') {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
        let bidi = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}');
        assert!(!line.contains(|c: char| c.is_control() || bidi(c)), "{line:?}");
    }
}

#[test]
fn no_text_of_a_file_is_a_command_or_a_terminal_code() {
    for text in HOSTILE {
        let finding = hostile(text);
        let shown = full(&finding);
        assert_harmless(&shown, "");
        assert_eq!(shown.lines().count(), 4, "one line a part: {shown}");
        assert_harmless(&concise(&finding), "");
        assert_eq!(concise(&finding).lines().count(), 1);
        assert_harmless(&github(&finding), "::error file=");
        assert_eq!(github(&finding).lines().count(), 1);
        let summary = Summary::new(1, std::slice::from_ref(&finding));
        assert_harmless(&json(&[finding], &summary), "");
    }
}

#[test]
fn long_text_is_cut() {
    let flood = "w\u{1b}".repeat(1_000_000);
    let text = clean(&flood);
    assert!(text.ends_with('…') && text.chars().count() < 10 * MAX_CHARS);
    assert_eq!(clean("short"), "short");
    assert_eq!(clean(&"x".repeat(MAX_CHARS)).chars().count(), MAX_CHARS);
}

#[test]
fn clean_is_idempotent() {
    for text in HOSTILE {
        let once = clean(text);
        assert_eq!(clean(&once), once);
    }
}

#[test]
fn github_properties_are_escaped_as_its_toolkit_does() {
    let mut finding = Finding::new(&GRAY_PIXELS, Path::new("a,b:c%d.png"), "50% is: gray, so");
    finding.help = "repaint".to_owned();
    assert_eq!(
        github(&finding),
        "::error file=a%2Cb%3Ac%25d.png,title=MSK202 gray-pixels::50%25 is: gray, so%0Ahelp: repaint"
    );
    finding.place.line = Some((7, 9));
    assert!(github(&finding).starts_with("::error file=a%2Cb%3Ac%25d.png,line=7,col=9,title="));
}

#[test]
fn json_has_a_version_and_its_keys_in_order() {
    let finding = Finding::new(&GRAY_PIXELS, Path::new("a.png"), "1 pixel is gray");
    let summary = Summary::new(2, std::slice::from_ref(&finding));
    let text = json(&[finding], &summary);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["version"], 1);
    assert_eq!((&value["files_checked"], &value["errors"]), (&2.into(), &1.into()));
    assert_eq!(value["findings"][0]["code"], "MSK202");
    let keys = ["version", "findings", "path", "code", "severity", "headline", "place", "help"];
    let places: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\""))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
}
