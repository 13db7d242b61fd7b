//! The formats of CI systems: GitHub's workflow commands and Markdown, GitLab's code quality report, JUnit's
//! XML and SARIF.
//!
//! GitHub shows 10 errors and 10 warnings of a step and drops the rest without a word, so that the first 10
//! of each are commands and the others lines of the log; the summary has all. The escapes are those of
//! `@actions/core`: in a message `%`, CR and LF, in a property also `:` and `,`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::io;
use std::path::Path;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::lint::checked::{Checked, Reported, SkippedRule};
use crate::lint::output::{
    area_numbers, clean, clean_path, concise_at, files_left_out, not_checked, path_bytes,
    pretty_json, slashed_text, summary, uri,
};
use crate::lint::rules::RULES;
use crate::lint::{LintRule, Severity};
use bitwall::text::counted;

/// The number of annotations of one severity that GitHub shows for a step.
const SHOWN: usize = 10;

/// The largest summary in bytes; GitHub refuses one of more than 1 MiB.
const MAX_MARKDOWN: usize = 900 << 10;

/// The findings as workflow commands, the first 10 errors and the first 10 warnings, and the others as lines
/// for the log. Each rule or file that was not checked is a notice.
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    let mut left = [SHOWN; 2];
    for reported in &checked.findings {
        let left = match reported.finding.severity {
            Severity::Error => &mut left[0],
            Severity::Warning => &mut left[1],
        };
        let line = match left.checked_sub(1) {
            Some(less) => {
                *left = less;
                annotation(reported)
            }
            None => concise_at(&reported.finding, &reported.path),
        };
        text += &line;
        text.push('\n');
    }
    let rest = not_checked(checked);
    if !rest.is_empty() {
        // Writing to a string does not fail.
        let _ = writeln!(text, "::notice title=bitwall::{}", data(&rest.join("\n")));
    }
    text
}

/// A finding as one workflow command: `::error file=maps/cave.tmx,title=TMX107 nothing-solid::...`, without
/// a line break.
fn annotation(reported: &Reported) -> String {
    let finding = &reported.finding;
    let (rule, place) = (finding.rule, &finding.place);
    let file = property(&clean_path(Path::new(&slashed_text(&reported.path))));
    let mut text = format!("::{} file={file}", finding.severity.name());
    if let Some((line, column)) = place.line {
        let _ = write!(text, ",line={line},col={column}");
    }
    let _ = write!(text, ",title={}", property(&format!("{} {}", rule.code, rule.name)));

    let mut message = clean(&finding.headline);
    if !place.is_empty() {
        let _ = write!(message, " ({})", clean(&place.to_string()));
    }
    for note in &finding.notes {
        let _ = write!(message, "\nnote: {}", clean(note));
    }
    if !finding.help.is_empty() {
        let _ = write!(message, "\nhelp: {}", clean(&finding.help));
    }
    let _ = write!(text, "::{}", data(&message));
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

/// The result in Markdown, for the summary of a job or a comment on a pull request: a table of all findings,
/// as far as 900 KiB hold them, and the numbers.
pub fn markdown(checked: &Checked) -> String {
    let mut text = "**bitwall**\n\n".to_owned();
    if !checked.findings.is_empty() {
        text += "| severity | rule | file | finding | to do |\n|---|---|---|---|---|\n";
    }
    for (index, reported) in checked.findings.iter().enumerate() {
        let row = row(reported);
        if text.len() + row.len() > MAX_MARKDOWN {
            let _ = writeln!(text, "\n{} more are not listed.", checked.findings.len() - index);
            break;
        }
        text += &row;
    }
    for line in summary(checked).lines() {
        let _ = write!(text, "\n{}\n", inert(line));
    }
    text
}

fn row(reported: &Reported) -> String {
    let finding = &reported.finding;
    let mut headline = clean(&finding.headline);
    if !finding.place.is_empty() {
        let _ = write!(headline, " ({})", clean(&finding.place.to_string()));
    }
    let path = clean(&slashed_text(&reported.path));
    format!(
        "| {} | {} {} | {} | {} | {} |\n",
        finding.severity.name(),
        finding.rule.code,
        finding.rule.name,
        inert(&path),
        inert(&headline),
        inert(&clean(&finding.help))
    )
}

// Text in Markdown that stays text, as GitHub and GitLab render it.

/// A character that is never seen, between two that would mean something together. Escapes do not part them:
/// links, `@names` and `#numbers` are looked for in the text that is left when all escapes are gone.
const PART: &str = "&#8203;";

/// A text on one line that Markdown shows as it is, also in a cell of a table: no link, picture, mark-up,
/// HTML or end of a cell; no address (`https://`, `www.`, of mail) becomes a link; and no `@name`, number of
/// an issue (`#12`, `GH-12`; on GitLab also after `!`, `$`, `%`, `&`, `^` and `~`) or `:picture:` refers to
/// anything. The text on the page is the same, but for characters that are not seen. O(characters).
pub(crate) fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = [' '; 3];
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let lower = before.map(|it| it.to_ascii_lowercase());
        let is_host = character == '.' && lower == ['w'; 3];
        let is_issue = character == '-' && lower[1..] == ['g', 'h'];
        if is_host || is_issue {
            out.push_str(PART);
        }
        match character {
            '<' => out.push_str("&lt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '#' | '!' | '~' | '$' | '^' => {
                out.extend(['\\', character]);
            }
            other => out.push(other),
        }
        let refers = matches!(character, '@' | ':' | '#' | '!' | '$' | '%' | '&' | '^' | '~');
        if refers && rest.peek().is_some_and(|next| !next.is_whitespace()) {
            out.push_str(PART);
        }
        before = [before[1], before[2], character];
    }
    out
}

// GitLab's code quality report: a JSON list that a merge request shows.
//
// Source of the format: GitLab's documentation, "Code Quality report format". Required are `description`,
// `check_name`, `fingerprint`, `severity`, `location.path` (relative, without `./`) and
// `location.lines.begin`.

#[derive(Serialize)]
struct GitlabIssue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: GitlabLocation,
    #[serde(skip_serializing_if = "Option::is_none")]
    path_bytes: Option<String>,
}

#[derive(Serialize)]
struct GitlabLocation {
    path: String,
    lines: GitlabLines,
}

#[derive(Serialize)]
struct GitlabLines {
    begin: u32,
}

/// All findings as GitLab's code quality report, with a line break at the end.
///
/// An error is `major`, a warning `minor`. A finding without a line is reported at line 1, because the format
/// requires one. A rule or file that was not checked is an `info` at the first file, because the format
/// requires one that is there; its fingerprint is always the same, so that a merge request shows it once.
pub fn gitlab(checked: &Checked) -> String {
    let mut issues: Vec<GitlabIssue> = checked.findings.iter().map(issue).collect();
    let rest = not_checked(checked);
    let of_findings = checked.findings.iter().map(|reported| &reported.path);
    let first = checked.files.keys().chain(of_findings).next();
    if !rest.is_empty() {
        issues.push(GitlabIssue {
            description: rest.join("; "),
            check_name: "not-checked".to_owned(),
            fingerprint: "bitwall-not-checked".to_owned(),
            severity: "info",
            location: GitlabLocation {
                path: first.map_or("bitwall.toml".to_owned(), |path| slashed_text(path)),
                lines: GitlabLines { begin: 1 },
            },
            path_bytes: first.and_then(|path| path_bytes(path)),
        });
    }
    pretty_json(&issues)
}

fn issue(reported: &Reported) -> GitlabIssue {
    let finding = &reported.finding;
    let mut description = clean(&finding.headline);
    if !finding.place.is_empty() {
        description += &format!(" ({})", clean(&finding.place.to_string()));
    }
    if !finding.help.is_empty() {
        description += &format!("; {}", clean(&finding.help));
    }
    GitlabIssue {
        description,
        check_name: format!("{} {}", finding.rule.code, finding.rule.name),
        fingerprint: reported.fingerprint.clone(),
        severity: match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
        },
        location: GitlabLocation {
            path: slashed_text(&reported.path),
            lines: GitlabLines { begin: finding.place.line.map_or(1, |(line, _)| line) },
        },
        path_bytes: path_bytes(&reported.path),
    }
}

// JUnit's XML, which most CI systems show as tests: a suite for each file, a test for each finding.

type Xml = Writer<Vec<u8>>;

/// The tests of a file.
struct TestSuite<'c> {
    name: String,
    /// The bytes of a path that is not UTF-8.
    path_bytes: Option<String>,
    cases: Vec<(String, TestOutcome<'c>)>,
}

enum TestOutcome<'c> {
    Passed,
    Failed(&'c Reported),
    /// For this reason.
    Skipped(String),
}

/// The result as JUnit's XML.
///
/// A file without findings is a suite with one test that passed, so that a clean run is not an empty one,
/// which some CI systems take for a failure. A finding is a test that failed; its type is its severity. A
/// rule that could not be checked is a test that was skipped, in the suite `bitwall`; so are the pictures
/// that were not looked at.
pub fn junit(checked: &Checked) -> String {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 4);
    // Writing to memory does not fail.
    let _ = write(&mut xml, &suites(checked));
    String::from_utf8(xml.into_inner()).unwrap_or_default()
}

fn suites(checked: &Checked) -> Vec<TestSuite<'_>> {
    let mut by_file = BTreeMap::<&Path, Vec<&Reported>>::new();
    for path in checked.files.keys() {
        by_file.entry(path).or_default();
    }
    for reported in &checked.findings {
        by_file.entry(&reported.path).or_default().push(reported);
    }
    let of_file = |(path, findings): (&Path, Vec<_>)| {
        let failed =
            |it: &'_ Reported| format!("{} {}", it.finding.rule.code, it.finding.rule.name);
        let mut cases: Vec<_> =
            findings.into_iter().map(|it| (failed(it), TestOutcome::Failed(it))).collect();
        if cases.is_empty() {
            cases.push(("clean".to_owned(), TestOutcome::Passed));
        }
        TestSuite { name: clean(&slashed_text(path)), path_bytes: path_bytes(path), cases }
    };
    let mut suites: Vec<_> = by_file.into_iter().map(of_file).collect();
    let rules = checked.skipped.iter().map(|skipped| {
        let files = counted(skipped.files as u64, "file");
        let reason = format!("{} ({files})", clean(&skipped.reason.to_string()));
        (format!("{} {}", skipped.rule.code, skipped.rule.name), TestOutcome::Skipped(reason))
    });
    let files = files_left_out(checked).into_iter();
    let files = files.map(|line| ("files".to_owned(), TestOutcome::Skipped(line)));
    let cases: Vec<_> = rules.chain(files).collect();
    if !cases.is_empty() {
        suites.push(TestSuite { name: "bitwall".to_owned(), path_bytes: None, cases });
    }
    suites
}

/// The numbers of tests, as each element has them.
fn numbers<'c>(cases: impl Iterator<Item = &'c TestOutcome<'c>>) -> [(&'static str, String); 3] {
    let mut counts = [0_usize; 3];
    for outcome in cases {
        counts[0] += 1;
        counts[1] += usize::from(matches!(outcome, TestOutcome::Skipped(_)));
        counts[2] += usize::from(matches!(outcome, TestOutcome::Failed(_)));
    }
    let [tests, skipped, failures] = counts.map(|count| count.to_string());
    [("tests", tests), ("skipped", skipped), ("failures", failures)]
}

fn write(xml: &mut Xml, suites: &[TestSuite<'_>]) -> io::Result<()> {
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let all = suites.iter().flat_map(|suite| suite.cases.iter().map(|(_, outcome)| outcome));
    let [tests, skipped, failures] = numbers(all);
    let root = xml.create_element("testsuites").with_attribute(("name", "bitwall"));
    let numbers = [tests, skipped, failures, ("errors", "0".to_owned())];
    let numbers = numbers.each_ref().map(|(name, count)| (*name, &**count));
    let root = root.with_attributes(numbers);
    root.write_inner_content(|xml| suites.iter().try_for_each(|suite| write_suite(xml, suite)))?;
    xml.write_indent()
}

fn write_suite(xml: &mut Xml, suite: &TestSuite<'_>) -> io::Result<()> {
    let [tests, skipped, failures] = numbers(suite.cases.iter().map(|(_, outcome)| outcome));
    let numbers = [tests, skipped, ("errors", "0".to_owned()), failures];
    let numbers = numbers.each_ref().map(|(name, count)| (*name, &**count));
    let element = xml.create_element("testsuite").with_attribute(("name", &*suite.name));
    let element = element.with_attributes(numbers);
    element.write_inner_content(|xml| {
        if let Some(bytes) = &suite.path_bytes {
            xml.create_element("properties").write_inner_content(|xml| {
                let attributes = [("name", "path_bytes"), ("value", bytes)];
                xml.create_element("property").with_attributes(attributes).write_empty()?;
                Ok(())
            })?;
        }
        suite
            .cases
            .iter()
            .try_for_each(|(name, outcome)| write_case(xml, &suite.name, name, outcome))
    })?;
    Ok(())
}

fn write_case(xml: &mut Xml, suite: &str, name: &str, outcome: &TestOutcome<'_>) -> io::Result<()> {
    let case = xml.create_element("testcase");
    let case = case.with_attributes([("name", name), ("classname", suite)]);
    match outcome {
        TestOutcome::Passed => case.write_empty()?,
        TestOutcome::Skipped(reason) => case.write_inner_content(|xml| {
            let skipped = xml.create_element("skipped");
            skipped.with_attribute(("message", &**reason)).write_empty()?;
            Ok(())
        })?,
        TestOutcome::Failed(Reported { finding, .. }) => {
            let case = match finding.place.line {
                Some((line, column)) => case
                    .with_attribute(("line", &*line.to_string()))
                    .with_attribute(("column", &*column.to_string())),
                None => case,
            };
            let mut lines = Vec::new();
            if !finding.place.is_empty() {
                lines.push(clean(&finding.place.to_string()));
            }
            lines.extend(finding.notes.iter().map(|note| format!("note: {}", clean(note))));
            if !finding.help.is_empty() {
                lines.push(format!("help: {}", clean(&finding.help)));
            }
            let message = clean(&finding.headline);
            let attributes = [("message", &*message), ("type", finding.severity.name())];
            case.write_inner_content(|xml| {
                let failure = xml.create_element("failure").with_attributes(attributes);
                failure.write_text_content(BytesText::new(&lines.join("\n")))?;
                Ok(())
            })?
        }
    };
    Ok(())
}

// SARIF 2.1.0 (OASIS), the format of code scanning.

/// The schema of the format, as its own standard names it.
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The name under which a result carries its fingerprint. A new way to make them gets a new name.
const FINGERPRINT: &str = "bitwall/v1";

/// The base of the paths: the root of the repository, which the reader of the file knows.
const ROOT: &str = "%SRCROOT%";

/// The result as a SARIF log with one run: all rules with their docs, a result for each finding, and a
/// notification for each rule that could not be checked. A file's name is a URI that keeps every byte.
pub fn sarif(checked: &Checked) -> String {
    let mut notes: Vec<Value> = checked.skipped.iter().map(skipped).collect();
    notes.extend(files_left_out(checked).into_iter().map(notification));
    let driver = json!({
        "name": "bitwall",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>(),
    });
    let run = json!({
        "tool": { "driver": driver },
        "invocations": [{ "executionSuccessful": true, "toolConfigurationNotifications": notes }],
        "columnKind": "unicodeCodePoints",
        "results": checked.findings.iter().map(result).collect::<Vec<_>>(),
    });
    pretty_json(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

fn descriptor(rule: &LintRule) -> Value {
    let docs = rule.markdown();
    // The first heading asks for the fault; the text below it is the answer.
    let first: Vec<&str> = docs.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.name.replace('-', " ") },
        "fullDescription": { "text": first.join(" ") },
        "help": { "text": docs, "markdown": docs },
        "defaultConfiguration": { "enabled": rule.is_default, "level": rule.severity.name() },
    })
}

fn result(reported: &Reported) -> Value {
    let finding = &reported.finding;
    let mut text = clean(&finding.headline);
    if !finding.place.is_empty() {
        text += &format!(" ({})", clean(&finding.place.to_string()));
    }
    for note in &finding.notes {
        text += &format!("\nnote: {}", clean(note));
    }
    if !finding.help.is_empty() {
        text += &format!("\nhelp: {}", clean(&finding.help));
    }
    let index = RULES.iter().position(|rule| rule.code == finding.rule.code);
    without_null(json!({
        "ruleId": finding.rule.code,
        "ruleIndex": index,
        "level": finding.severity.name(),
        "message": message(text),
        "locations": [location(reported)],
        "partialFingerprints": { FINGERPRINT: reported.fingerprint },
        "properties": pixels(reported),
    }))
}

/// A message in plain text, in which the format has links of the form `[text](target)`: no name makes one.
fn message(text: String) -> Value {
    json!({ "text": text.replace("](", "] (") })
}

/// The file, the line, and the names of tileset, layer and object.
fn location(reported: &Reported) -> Value {
    let place = &reported.finding.place;
    let base = (!reported.path.has_root()).then_some(ROOT);
    let file = without_null(json!({ "uri": uri(&reported.path), "uriBaseId": base }));
    let region =
        place.line.map(|(line, column)| json!({ "startLine": line, "startColumn": column }));
    let object = place.object.map(|id| id.to_string());
    let parts = [(&place.tileset, "tileset"), (&place.layer, "layer"), (&object, "object")];
    let named = parts.into_iter().filter_map(|(name, kind)| {
        let name = name.as_deref().filter(|name| !name.is_empty())?;
        Some(json!({ "name": clean(name), "kind": kind }))
    });
    let named: Vec<Value> = named.collect();
    without_null(json!({
        "physicalLocation": without_null(json!({ "artifactLocation": file, "region": region })),
        "logicalLocations": (!named.is_empty()).then_some(named),
    }))
}

/// The cell, the pixel and the box of a finding, which the format has no fields for.
fn pixels(reported: &Reported) -> Option<Value> {
    let finding = &reported.finding;
    let facts = without_null(json!({
        "cell": finding.place.cell,
        "pixel": finding.place.pixel,
        "area": finding.area.map(area_numbers),
    }));
    Some(facts).filter(|facts| *facts != Value::Object(Map::new()))
}

fn skipped(skipped: &SkippedRule) -> Value {
    let files = counted(skipped.files as u64, "file");
    let text = format!("skipped in {files}: {}", clean(&skipped.reason.to_string()));
    let mut notification = notification(text);
    notification["associatedRule"] = json!({ "id": skipped.rule.code });
    notification
}

fn notification(text: String) -> Value {
    json!({ "level": "note", "message": message(text) })
}

/// An object without the keys whose value is null: the format has none.
fn without_null(mut object: Value) -> Value {
    if let Value::Object(keys) = &mut object {
        keys.retain(|_, value| !value.is_null());
    }
    object
}
