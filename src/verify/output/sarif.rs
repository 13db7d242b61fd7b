//! SARIF 2.1.0 (OASIS), the format of code scanning.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use serde_sarif::sarif::{
    ArtifactLocation, Invocation, Location, LogicalLocation, Message, MultiformatMessageString,
    Notification, PhysicalLocation, PropertyBag, Region, ReportingConfiguration,
    ReportingDescriptor, ReportingDescriptorReference, Result as SarifResult, ResultLevel, Run,
    Sarif, Tool, ToolComponent,
};

use super::clean::clean;
use super::entry::pretty;
use super::paths::uri;
use super::summary::files_left_out;
use crate::text::counted;
use crate::verify::checked::{Checked, Reported, SkippedRule};
use crate::verify::rules::RULES;
use crate::verify::{Rule, Severity};

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
    let driver = ToolComponent::builder()
        .name("bitwall")
        .semantic_version(env!("CARGO_PKG_VERSION"))
        .rules(RULES.iter().map(|rule| descriptor(rule)).collect::<Vec<_>>())
        .build();
    let mut notes: Vec<Notification> = checked.skipped.iter().map(skipped).collect();
    notes.extend(files_left_out(checked).into_iter().map(notification));
    let invocation = Invocation::builder()
        .execution_successful(true)
        .tool_configuration_notifications(notes)
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .invocations([invocation].into_iter().collect::<Vec<_>>())
        .column_kind(json!("unicodeCodePoints"))
        .results(checked.findings.iter().map(result).collect::<Vec<_>>())
        .build();
    pretty(
        &Sarif::builder().schema(SCHEMA.to_owned()).version(json!("2.1.0")).runs(vec![run]).build(),
    )
}

fn descriptor(rule: &Rule) -> ReportingDescriptor {
    let text = |text: String| MultiformatMessageString::builder().text(text).build();
    let docs = rule.markdown();
    // The first heading asks for the fault; the text below it is the answer.
    let first: Vec<&str> = docs.lines().skip(1).take_while(|line| !line.is_empty()).collect();
    let first = first.join(" ");
    let mut help = text(docs.clone());
    help.markdown = Some(docs);
    ReportingDescriptor::builder()
        .id(rule.code)
        .name(rule.name)
        .short_description(text(rule.name.replace('-', " ")))
        .full_description(text(first))
        .help(help)
        .default_configuration(
            ReportingConfiguration::builder()
                .enabled(rule.is_default)
                .level(Value::from(rule.severity.name()))
                .build(),
        )
        .build()
}

fn result(reported: &Reported) -> SarifResult {
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
    let level = match finding.severity {
        Severity::Error => ResultLevel::Error,
        Severity::Warning => ResultLevel::Warning,
    };
    let index = RULES.iter().position(|rule| rule.code == finding.rule.code);
    let mut result = SarifResult::builder()
        .rule_id(finding.rule.code)
        .level(level)
        .message(message(text))
        .locations(vec![location(reported)])
        .partial_fingerprints(BTreeMap::from([(
            FINGERPRINT.to_owned(),
            reported.fingerprint.clone(),
        )]))
        .build();
    result.rule_index = index.and_then(|index| i64::try_from(index).ok());
    result.properties = pixels(reported);
    result
}

/// A message in plain text, in which the format has links of the form `[text](target)`: no name makes one.
fn message(text: String) -> Message {
    Message::builder().text(text.replace("](", "] (")).build()
}

/// The file, the line, and the names of tileset, layer and object.
fn location(reported: &Reported) -> Location {
    let place = &reported.finding.place;
    let mut file = ArtifactLocation::builder().uri(uri(&reported.path)).build();
    if !reported.path.has_root() {
        file.uri_base_id = Some(ROOT.to_owned());
    }
    let mut physical = PhysicalLocation::builder().artifact_location(file).build();
    physical.region = place.line.map(|(line, column)| {
        let line = Region::builder().start_line(i64::from(line));
        line.start_column(i64::from(column)).build()
    });
    let named = |name: &Option<String>, kind: &str| {
        let name = name.as_deref().filter(|name| !name.is_empty())?;
        Some(LogicalLocation::builder().name(clean(name)).kind(kind.to_owned()).build())
    };
    let object = place.object.map(|id| id.to_string());
    let parts = [(&place.tileset, "tileset"), (&place.layer, "layer"), (&object, "object")];
    let logical: Vec<_> = parts.into_iter().filter_map(|(name, kind)| named(name, kind)).collect();
    let mut location = Location::builder().physical_location(physical).build();
    location.logical_locations = (!logical.is_empty()).then_some(logical);
    location
}

/// The cell, the pixel and the box of a finding, which the format has no fields for.
fn pixels(reported: &Reported) -> Option<PropertyBag> {
    let finding = &reported.finding;
    let area =
        finding.area.map(|area| json!([area.min.x, area.min.y, area.width(), area.height()]));
    let facts = [
        ("cell", finding.place.cell.map(|cell| json!(cell))),
        ("pixel", finding.place.pixel.map(|pixel| json!(pixel))),
        ("area", area),
    ];
    let facts = facts.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
    let bag =
        PropertyBag::builder().additional_properties(facts.collect::<BTreeMap<_, _>>()).build();
    (!bag.additional_properties.is_empty()).then_some(bag)
}

fn skipped(skipped: &SkippedRule) -> Notification {
    let files = counted(skipped.files as u64, "file");
    let text = format!("skipped in {files}: {}", clean(&skipped.reason.to_string()));
    let rule = ReportingDescriptorReference::builder().id(skipped.rule.code).build();
    let mut notification = notification(text);
    notification.associated_rule = Some(rule);
    notification
}

fn notification(text: String) -> Notification {
    Notification::builder().level(json!("note")).message(message(text)).build()
}
