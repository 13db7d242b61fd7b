//! JUnit's XML, which most CI systems show as tests: a suite for each file, a test for each finding.

use std::collections::BTreeMap;
use std::path::Path;

use quick_junit::{NonSuccessKind, Property, Report, TestCase, TestCaseStatus, TestSuite};

use super::clean::clean;
use super::paths::{path_bytes, slashed_text};
use super::summary::files_left_out;
use crate::text::counted;
use crate::verify::checked::{Checked, Reported};

/// The result as JUnit's XML.
///
/// A file without findings is a suite with one test that passed, so that a clean run is not an empty one,
/// which some CI systems take for a failure. A finding is a test that failed; its type is its severity. A
/// rule that could not be checked is a test that was skipped, in the suite `bitwall`; so are the pictures
/// that were not looked at.
pub fn junit(checked: &Checked) -> String {
    let mut report = Report::new("bitwall");
    let mut by_file = BTreeMap::<&Path, Vec<&Reported>>::new();
    for path in checked.files.keys() {
        by_file.entry(path).or_default();
    }
    for reported in &checked.findings {
        by_file.entry(&reported.path).or_default().push(reported);
    }
    for (path, findings) in by_file {
        let name = clean(&slashed_text(path));
        let mut suite = TestSuite::new(&*name);
        if let Some(bytes) = path_bytes(path) {
            suite.add_property(Property::new("path_bytes", bytes));
        }
        if findings.is_empty() {
            suite.add_test_case(case("clean", &name, TestCaseStatus::success()));
        }
        for reported in findings {
            suite.add_test_case(failed(reported, &name));
        }
        report.add_test_suite(suite);
    }
    let mut rest = TestSuite::new("bitwall");
    for skipped in &checked.skipped {
        let mut status = TestCaseStatus::skipped();
        let files = counted(skipped.files as u64, "file");
        status.set_message(format!("{} ({files})", clean(&skipped.reason.to_string())));
        let name = format!("{} {}", skipped.rule.code, skipped.rule.name);
        rest.add_test_case(case(&name, "bitwall", status));
    }
    for line in files_left_out(checked) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(line);
        rest.add_test_case(case("files", "bitwall", status));
    }
    if !rest.test_cases.is_empty() {
        report.add_test_suite(rest);
    }
    // Writing to memory does not fail.
    report.to_string().unwrap_or_default()
}

fn case(name: &str, class: &str, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(class);
    case
}

fn failed(reported: &Reported, file: &str) -> TestCase {
    let finding = &reported.finding;
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_message(clean(&finding.headline)).set_type(finding.severity.name());
    let mut lines = Vec::new();
    if !finding.place.is_empty() {
        lines.push(clean(&finding.place.to_string()));
    }
    lines.extend(finding.notes.iter().map(|note| format!("note: {}", clean(note))));
    if !finding.help.is_empty() {
        lines.push(format!("help: {}", clean(&finding.help)));
    }
    status.set_description(lines.join("\n"));
    let name = format!("{} {}", finding.rule.code, finding.rule.name);
    let mut case = case(&name, file, status);
    if let Some((line, column)) = finding.place.line {
        case.extra.insert("line".into(), line.to_string().into());
        case.extra.insert("column".into(), column.to_string().into());
    }
    case
}
