//! One JSON object a line, for programs that read on while others check: the outputs of many machines, put
//! one behind the other, are one output.

use serde::Serialize;

use super::entry::{Entry, Numbers, Skipped, VERSION, line};
use crate::verify::checked::Checked;

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Line<'o> {
    Start { version: u32, tool: &'static str, tool_version: &'static str },
    Finding(Box<Entry<'o>>),
    Skipped(Skipped),
    Summary(Numbers),
}

/// The result as lines, each a JSON object with the key `kind`: `start`, a `finding` for each of them, a
/// `skipped` for each rule that could not be checked, and at last a `summary`. A run that broke off has a
/// `start` without a `summary`.
pub fn ndjson(checked: &Checked) -> String {
    let start =
        Line::Start { version: VERSION, tool: "bitwall", tool_version: env!("CARGO_PKG_VERSION") };
    let findings =
        checked.findings.iter().map(|reported| Line::Finding(Box::new(Entry::of(reported))));
    let skipped = checked.skipped.iter().map(|skipped| Line::Skipped(Skipped::of(skipped)));
    let summary = Line::Summary(Numbers::of(checked));
    let lines = [start].into_iter().chain(findings).chain(skipped).chain([summary]);
    lines.map(|entry| line(&entry)).collect()
}
