//! Writes findings in the formats of CI systems: GitHub's workflow commands, GitLab's code quality report,
//! JUnit's XML, and SARIF.
//!
//! GitHub shows 10 errors and 10 warnings of a step and silently drops the rest; the log has all.
//! Workflow commands are escaped as in `@actions/core`: `%`, CR and LF in a message, and also `:` and `,` in
//! a property.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use quick_xml::escape::escape;
use serde_json::{Value, json};

use crate::lint::checked::slashed_text;
use crate::lint::output::{
    clean, clean_path, concise, fault_line, not_checked, pretty_json, remarks, uri,
};
use crate::lint::{Checked, LintRule, RULES, Reported, Severity};

/// The number of annotations of one severity that GitHub shows per step.
const SHOWN: usize = 10;

/// Formats the first 10 findings of each severity as workflow commands, and the other findings as log lines.
/// One notice lists all skipped rules and files.
pub fn github(checked: &Checked) -> String {
    let mut text = String::new();
    let mut shown = [0; 3];
    for reported in &checked.findings {
        let shown = &mut shown[reported.finding.severity as usize];
        *shown += 1;
        if *shown <= SHOWN {
            text += &annotation(reported);
        } else {
            text += &concise(reported);
        }
        text.push('\n');
    }
    let rest = not_checked(checked);
    if !rest.is_empty() {
        text += &format!("::notice title=bitwall::{}\n", data(&rest.join("\n")));
    }
    text
}

/// Formats a finding as one workflow command: `::error file=maps/cave.tmx,title=TMX107 nothing-solid::...`.
fn annotation(reported: &Reported) -> String {
    let finding = &reported.finding;
    let file = property(&clean_path(Path::new(&slashed_text(&reported.path))));
    let line = finding.place.line.map(|(line, column)| format!(",line={line},col={column}"));
    let line = line.unwrap_or_default();
    let title = property(&finding.rule.title());
    let message = data(&whole(reported));
    let command = match finding.severity {
        Severity::Note => "notice",
        severity => severity.name(),
    };
    format!("::{command} file={file}{line},title={title}::{message}")
}

/// Returns the finding as text: the headline with the place, then each note and the help on its own line.
fn whole(reported: &Reported) -> String {
    let mut lines = vec![fault_line(&reported.finding)];
    lines.extend(remarks(&reported.finding));
    lines.join("\n")
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

// GitLab's code quality report. Source: GitLab's documentation, "Code Quality report format". The format
// requires all fields. A `path` is relative and has no `./`.

/// Formats all findings as GitLab's code quality report, with a final line break.
///
/// An error is `major`, a warning `minor`. A finding without a line gets line 1, because the format requires
/// a line. One `info` entry lists all skipped rules and files: it names the first checked file, because the
/// format requires an existing file, and its fingerprint is constant, so that a merge request shows it once.
pub fn gitlab(checked: &Checked) -> String {
    let mut issues = Vec::new();
    for reported in &checked.findings {
        let finding = &reported.finding;
        let mut description = fault_line(finding);
        if !finding.help.is_empty() {
            description += &format!("; {}", clean(&finding.help));
        }
        let mut issue = json!({
            "description": description,
            "check_name": finding.rule.title(),
            "fingerprint": reported.fingerprint,
            "severity": match finding.severity {
                Severity::Error => "major",
                Severity::Warning => "minor",
                Severity::Note => "info",
            },
            "location": gitlab_location(reported),
        });
        if !reported.others.is_empty() {
            issue["other_locations"] = reported.others.iter().map(gitlab_location).collect();
        }
        issues.push(issue);
    }
    let rest = not_checked(checked);
    if !rest.is_empty() {
        let first = checked.files.keys().next();
        let path = first.map_or("bitwall.toml".to_owned(), |path| slashed_text(path));
        issues.push(json!({
            "description": rest.join("; "),
            "check_name": "not-checked",
            "fingerprint": "bitwall-not-checked",
            "severity": "info",
            "location": { "path": path, "lines": { "begin": 1 } },
        }));
    }
    pretty_json(&issues)
}

fn gitlab_location(reported: &Reported) -> Value {
    let line = reported.finding.place.line.map_or(1, |(line, _)| line);
    json!({ "path": slashed_text(&reported.path), "lines": { "begin": line } })
}

/// Formats the result as JUnit's XML, with one suite per file.
///
/// A finding is a failed test whose type is the severity; notes are left out, because they are not failures.
/// A cause in several files is a failed test of the first file, and a skipped test of each other file.
/// A file without findings has one passed test, because some CI systems treat an empty run as a failure. The
/// suite `bitwall` has a skipped test for each reason why rules or files were not checked.
pub fn junit(checked: &Checked) -> String {
    let mut by_file = BTreeMap::<&Path, Vec<(&Reported, bool)>>::new();
    for path in checked.files.keys() {
        by_file.entry(path).or_default();
    }
    for reported in &checked.findings {
        if reported.finding.severity != Severity::Note {
            by_file.entry(&reported.path).or_default().push((reported, true));
            for other in &reported.others {
                by_file.entry(&other.path).or_default().push((reported, false));
            }
        }
    }
    let mut all = [0; 3];
    let mut suites = String::new();
    for (path, findings) in by_file {
        let failures = findings.iter().filter(|(_, is_first)| *is_first).count();
        let counts = [findings.len().max(1), findings.len() - failures, failures];
        let suite = escape(clean(&slashed_text(path))).into_owned();
        write_suite(&mut suites, &suite, counts, &cases_of(&suite, &findings));
        all = [all[0] + counts[0], all[1] + counts[1], all[2] + counts[2]];
    }
    let rest = not_checked(checked);
    if !rest.is_empty() {
        let mut cases = String::new();
        for line in &rest {
            let skipped = format!(r#"<skipped message="{}"/>"#, escape(line));
            write_case(&mut cases, "bitwall", "not checked", "", &skipped);
        }
        write_suite(&mut suites, "bitwall", [rest.len(), rest.len(), 0], &cases);
        all = [all[0] + rest.len(), all[1] + rest.len(), all[2]];
    }
    let [tests, skipped, failures] = all;
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"bitwall\" tests=\"{tests}\" skipped=\"{skipped}\" \
         failures=\"{failures}\" errors=\"0\">\n{suites}</testsuites>\n"
    )
}

/// Returns the XML of the tests of a file. `suite` is its name, escaped. Each finding comes with true if it
/// is reported for this file, and false if for another file with the same cause.
fn cases_of(suite: &str, findings: &[(&Reported, bool)]) -> String {
    let mut cases = String::new();
    if findings.is_empty() {
        cases += &format!("        <testcase name=\"clean\" classname=\"{suite}\"/>\n");
    }
    for (Reported { finding, path, .. }, is_first) in findings {
        if !is_first {
            let reason =
                format!("see {}: {}", clean(&slashed_text(path)), clean(&finding.headline));
            let skipped = format!(r#"<skipped message="{}"/>"#, escape(reason));
            write_case(&mut cases, suite, &finding.rule.title(), "", &skipped);
            continue;
        }
        let line = finding.place.line;
        let line = line.map(|(line, column)| format!(r#" line="{line}" column="{column}""#));
        let mut lines = remarks(finding);
        if !finding.place.is_empty() {
            lines.insert(0, clean(&finding.place.to_string()));
        }
        let failure = format!(
            r#"<failure message="{}" type="{}">{}</failure>"#,
            escape(clean(&finding.headline)),
            finding.severity.name(),
            escape(lines.join("\n"))
        );
        write_case(&mut cases, suite, &finding.rule.title(), &line.unwrap_or_default(), &failure);
    }
    cases
}

/// Adds a test suite to `xml`. `cases` holds the XML of its tests. `name` and `cases` must be escaped
/// already. The counts are of all tests, of skipped ones and of failures.
fn write_suite(xml: &mut String, name: &str, counts: [usize; 3], cases: &str) {
    let [tests, skipped, failures] = counts;
    // Writing to a string cannot fail.
    let _ = writeln!(
        xml,
        "    <testsuite name=\"{name}\" tests=\"{tests}\" skipped=\"{skipped}\" errors=\"0\" \
         failures=\"{failures}\">\n{cases}    </testsuite>"
    );
}

/// Adds a failed or skipped test to `xml`. `line` is an XML attribute or empty, `outcome` an XML element.
/// Escapes `name`; the other texts must be escaped already.
fn write_case(xml: &mut String, suite: &str, name: &str, line: &str, outcome: &str) {
    let name = escape(name);
    let _ = writeln!(
        xml,
        "        <testcase name=\"{name}\" classname=\"{suite}\"{line}>\n            {outcome}\n        \
         </testcase>"
    );
}

/// The URI of the schema in the SARIF 2.1.0 standard (OASIS).
const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The key of the fingerprint in a SARIF result. A change of the fingerprints needs a new key.
const FINGERPRINT: &str = "bitwall/v1";

/// The symbol for the root of the repository in a SARIF file. The program that reads the file replaces it.
const ROOT: &str = "%SRCROOT%";

/// Formats the result as a SARIF log with one run: all rules with their docs, a result for each finding, and
/// a notification for each reason why rules or files were not checked. File names are URIs that keep every
/// byte.
pub fn sarif(checked: &Checked) -> String {
    let notes = not_checked(checked).into_iter();
    let notes = notes.map(|line| json!({ "level": "note", "message": message(line) }));
    let driver = json!({
        "name": "bitwall",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "rules": RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<Value>>(),
    });
    let run = json!({
        "tool": { "driver": driver },
        "invocations": [{
            "executionSuccessful": true,
            "toolConfigurationNotifications": notes.collect::<Value>(),
        }],
        "columnKind": "unicodeCodePoints",
        "results": checked.findings.iter().map(result).collect::<Vec<Value>>(),
    });
    pretty_json(&json!({ "$schema": SCHEMA, "version": "2.1.0", "runs": [run] }))
}

fn descriptor(rule: &LintRule) -> Value {
    let docs = rule.markdown();
    json!({
        "id": rule.code,
        "name": rule.name,
        "shortDescription": { "text": rule.name.replace('-', " ") },
        "fullDescription": { "text": rule.about() },
        "help": { "text": docs, "markdown": docs },
        "defaultConfiguration": { "enabled": rule.is_default, "level": rule.severity.name() },
    })
}

fn result(reported: &Reported) -> Value {
    let finding = &reported.finding;
    let others = Value::from_iter(reported.others.iter().map(location));
    without_null(json!({
        "ruleId": finding.rule.code,
        "ruleIndex": RULES.iter().position(|rule| rule.code == finding.rule.code),
        "level": finding.severity.name(),
        "message": message(whole(reported)),
        "locations": [location(reported)],
        "relatedLocations": Some(others).filter(|_| !reported.others.is_empty()),
        "partialFingerprints": { FINGERPRINT: reported.fingerprint },
    }))
}

/// Returns a SARIF message. Separates `](` by a space, because SARIF reads `[text](target)` as a link.
fn message(text: String) -> Value {
    json!({ "text": text.replace("](", "] (") })
}

/// Returns the SARIF location of a finding: the file and the line. The message names the place in it.
fn location(reported: &Reported) -> Value {
    let place = &reported.finding.place;
    let base = (!reported.path.has_root()).then_some(ROOT);
    let file = without_null(json!({ "uri": uri(&reported.path), "uriBaseId": base }));
    let region =
        place.line.map(|(line, column)| json!({ "startLine": line, "startColumn": column }));
    let physical = without_null(json!({ "artifactLocation": file, "region": region }));
    json!({ "physicalLocation": physical })
}

/// Removes keys with null values, because SARIF does not allow null.
fn without_null(mut object: Value) -> Value {
    if let Value::Object(keys) = &mut object {
        keys.retain(|_, value| !value.is_null());
    }
    object
}
