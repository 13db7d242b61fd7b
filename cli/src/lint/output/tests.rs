use std::path::Path;

use super::*;
use crate::lint::rules::{GRAY_PIXELS, OPEN_BORDER, TEXT_FLAG, UNPARSABLE_MAP};
use crate::lint::{Checked, Finding, Need, Report, SkipReason, Skipped};
use bitwall::error::Place;

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
    Finding::new(&UNPARSABLE_MAP, Path::new(text), text).place(place).note(text).help(text)
}

/// Asserts that no line of `text` is a CI command or contains a control character. `text` may start with
/// `own`, a command that bitwall itself prints.
fn assert_harmless(text: &str, own: &str) {
    let text = text.strip_prefix(own).unwrap_or(text);
    assert!(!text.contains("##"), "{text:?}");
    for line in text.split_terminator('\n') {
        assert!(!line.trim_start().starts_with("::"), "{line:?}");
        let bidi = |c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2028}' | '\u{2029}');
        assert!(!line.contains(|c: char| c.is_control() || bidi(c)), "{line:?}");
    }
}

fn checked(findings: Vec<Finding>) -> Checked {
    let report = |finding: Finding| {
        (finding.path.clone(), Report { findings: vec![finding], ..Report::default() })
    };
    let skipped = Skipped { rule: &OPEN_BORDER, reason: SkipReason::Needs(Need::Body) };
    let report_of_map = Report { skipped: vec![skipped], ..Report::default() };
    let reports = findings.into_iter().map(report).chain([("ok.tmx".into(), report_of_map)]);
    let checked = Checked::new(reports, [], Path::to_owned);
    Checked { pictures: 214, unchecked: 2, ..checked }
}

#[test]
fn hostile_names_never_become_ci_commands_or_terminal_codes() {
    for text in HOSTILE {
        let finding = hostile(text);
        let shown = full(&finding);
        assert_harmless(&shown, "");
        assert_eq!(shown.lines().count(), 4, "one line a part: {shown}");
        let checked = checked(vec![finding]);
        let line = concise(&checked.findings[0]);
        assert_harmless(&line, "");
        assert_eq!(line.lines().count(), 1);
        let shown = github(&checked);
        let lines: Vec<&str> = shown.lines().collect();
        assert!(lines.len() == 2 && lines[1].starts_with("::notice title=bitwall::"), "{shown}");
        assert_harmless(lines[0], "::error file=");
        let texts = [json, gitlab, sarif, junit, summary];
        texts.iter().for_each(|text| assert_harmless(&text(&checked), ""));
    }
}

#[test]
fn text_of_over_1000_characters_is_cut() {
    let flood = "w\u{1b}".repeat(1_000_000);
    let text = clean(&flood);
    assert!(text.ends_with('…') && text.chars().count() < 10 * MAX_CHARS);
    assert_eq!(clean("short"), "short");
    assert_eq!(clean(&"x".repeat(MAX_CHARS)).chars().count(), MAX_CHARS);
}

#[test]
fn cleaning_a_text_twice_changes_nothing_more() {
    for text in HOSTILE {
        let once = clean(text);
        assert_eq!(clean(&once), once);
    }
}

#[test]
fn github_properties_are_escaped_as_in_githubs_toolkit() {
    let mut finding = Finding::new(&GRAY_PIXELS, Path::new("a,b:c%d.png"), "50% is: gray, so");
    finding.help = "repaint".to_owned();
    let first = |finding: &Finding| {
        github(&checked(vec![finding.clone()])).lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        first(&finding),
        "::error file=a%2Cb%3Ac%25d.png,title=MSK202 gray-pixels::50%25 is: gray, so%0Ahelp: repaint"
    );
    finding.place.line = Some((7, 9));
    assert!(first(&finding).starts_with("::error file=a%2Cb%3Ac%25d.png,line=7,col=9,title="));
}

#[test]
fn github_output_has_at_most_ten_commands_of_each_severity() {
    let numbered = |rule, count: usize| {
        let of = move |index| Finding::new(rule, Path::new("a.tmx"), format!("layer `{index}`"));
        (0..count).map(of).collect::<Vec<_>>()
    };
    let all = [numbered(&OPEN_BORDER, 12), numbered(&TEXT_FLAG, 13)].concat();
    let checked = checked(all);
    let text = github(&checked);
    let count = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((count("::error "), count("::warning "), count("::notice ")), (10, 10, 1), "{text}");
    assert_eq!((count("a.tmx: error["), count("a.tmx: warning[")), (2, 3), "{text}");
    let text = summary(&checked);
    assert!(text.contains("214 pictures not looked at") && text.contains("12 errors, 13 warnings"));
}

#[test]
fn errors_come_first_in_every_format() {
    let warning = Finding::new(&TEXT_FLAG, Path::new("a.tmx"), "first by its path");
    let error = Finding::new(&GRAY_PIXELS, Path::new("z.png"), "first by its severity");
    let checked = checked(vec![warning, error]);
    for text in [json, gitlab, sarif, github].map(|format| format(&checked)) {
        let [error, warning] = ["by its severity", "by its path"].map(|words| text.find(words));
        assert!(error.is_some() && error < warning, "{text}");
    }
}

#[test]
fn json_output_has_a_version_and_a_fixed_order_of_keys() {
    let text =
        json(&checked(vec![Finding::new(&GRAY_PIXELS, Path::new("a.png"), "1 pixel is gray")]));
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["version"], 2);
    assert_eq!((&value["files_checked"], &value["errors"]), (&2.into(), &1.into()));
    assert_eq!(
        (&value["pictures_not_looked_at"], &value["levels_not_checked"]),
        (&214.into(), &2.into())
    );
    assert_eq!(value["findings"][0]["code"], "MSK202");
    assert_eq!(value["findings"][0]["repository_path"], "a.png");
    assert_eq!(value["skipped"][0]["code"], "LVL302");
    assert_eq!(value["skipped"][0]["reason"], "needs a body size");
    let keys = ["version", "findings", "path", "code", "severity", "headline", "place", "help"];
    let places: Vec<_> = keys.iter().map(|key| text.find(&format!("\"{key}\""))).collect();
    assert!(places.is_sorted() && places.iter().all(Option::is_some), "{text}");
}

#[test]
fn json_is_printed_without_characters_that_are_unsafe_to_print() {
    let json = "{\"a\": \"\u{9b}\u{e0041}\u{e9}##\"}";
    let safe = printable_json(json);
    assert_eq!(safe, "{\"a\": \"\\u009b\\udb40\\udc41\u{e9}#\\u0023\"}");
    let value = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!(value(json), value(&safe));
}

#[test]
fn a_file_name_in_utf8_is_unchanged_in_json() {
    for name in HOSTILE {
        let finding = Finding::new(&GRAY_PIXELS, Path::new(name), "1 pixel is gray");
        let value: serde_json::Value =
            serde_json::from_str(&json(&checked(vec![finding]))).unwrap();
        assert_eq!(value["findings"][0]["path"], *name);
    }
}

#[test]
fn a_uri_keeps_every_byte_of_a_path() {
    assert_eq!(uri(Path::new("maps/a b:c#%.png")), "maps/a%20b%3Ac%23%25.png");
    assert_eq!(uri(Path::new("/x/ä.png")), "file:///x/%C3%A4.png");
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        let name = Path::new(std::ffi::OsStr::from_bytes(b"a/\xff\n.png"));
        assert_eq!(uri(name), "a/%FF%0A.png");
    }
}

#[test]
fn text_in_markdown_never_becomes_a_link_or_a_mention() {
    for (text, expected) in [
        ("a wall, 16 x 16 px: 50% of it", "a wall, 16 x 16 px: 50% of it"),
        ("https://a.example/b", "https:&#8203;//a.example/b"),
        ("see www.a.example", "see www&#8203;.a.example"),
        ("WwW.a.example", "WwW&#8203;.a.example"),
        ("me@a.example", "me@&#8203;a.example"),
        ("mailto:me", "mailto:&#8203;me"),
        ("@name, @ name", "@&#8203;name, @ name"),
        ("#12 !3 $4 ~5 %6", "\\#&#8203;12 \\!&#8203;3 \\$&#8203;4 \\~&#8203;5 %&#8203;6"),
        ("o/r#1 gh-12", "o/r\\#&#8203;1 gh&#8203;-12"),
        (":tada: &copy;", ":&#8203;tada: &amp;&#8203;copy;"),
        ("![x](y)|<b>", "\\!&#8203;\\[x\\](y)\\|&lt;b>"),
        ("\\|`", "\\\\\\|\\`"),
    ] {
        assert_eq!(inert(text), expected, "{text}");
    }
}

/// A finding without a place and one with a place, for the whole texts of the formats.
fn placeless_and_placed() -> Vec<Finding> {
    let placeless = Finding::new(&GRAY_PIXELS, Path::new("a.png"), "3 pixels are gray");
    let place = Place { line: Some((7, 9)), ..Place::default() };
    let placed = Finding::new(&TEXT_FLAG, Path::new("b.tmx"), "a flag is text").place(place);
    vec![placeless.note("they lie at the top").help("repaint them"), placed.help("make it a bool")]
}

#[test]
fn a_junit_failure_starts_with_the_place_if_there_is_one() {
    let text = junit(&checked(placeless_and_placed()));
    for failure in [
        "<failure message=\"3 pixels are gray\" type=\"error\">note: they lie at the top\nhelp: repaint \
         them</failure>",
        "<failure message=\"a flag is text\" type=\"warning\">line 7, byte 9\nhelp: make it a \
         bool</failure>",
    ] {
        assert!(text.contains(failure), "{text}");
    }
}
