//! One JSON document of all findings, for programs.

use serde::Serialize;

use super::entry::{Entry, Numbers, Skipped, VERSION, pretty};
use crate::verify::checked::Checked;

#[derive(Serialize)]
struct Document<'o> {
    version: u32,
    #[serde(flatten)]
    numbers: Numbers,
    findings: Vec<Entry<'o>>,
    skipped: Vec<Skipped>,
}

/// All findings as one JSON document, with a line break at the end.
///
/// Its keys: `version` (2), the numbers of the run, `findings`, and `skipped`: the rules that could not be
/// checked, each with its reason. A later version of this crate may add keys; `version` grows when one goes
/// or changes its meaning.
pub fn json(checked: &Checked) -> String {
    pretty(&Document {
        version: VERSION,
        numbers: Numbers::of(checked),
        findings: checked.findings.iter().map(Entry::of).collect(),
        skipped: checked.skipped.iter().map(Skipped::of).collect(),
    })
}
