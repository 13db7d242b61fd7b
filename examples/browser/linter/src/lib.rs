//! The module of the linter: it finds faults in a level from the files that the page has. It is twice as
//! large as the rest of the page, so the page fetches it last.

use bitwall::LoadOptions;
use bitwall::load::Source;
use bitwall_cli::lint::{Finding, VerifyOptions, verify_bytes_with};
use bitwall_cli::mask_facts::MaskFacts;
use bitwall_cli::suggest;
use wasm_bindgen::prelude::*;

#[path = "../../../../bindings/arguments.rs"]
#[allow(dead_code, reason = "the playground uses the rest")]
mod arguments;
#[path = "../../src/files.rs"]
mod files;
#[path = "../../src/values.rs"]
#[allow(dead_code, reason = "the playground uses the rest")]
mod values;

pub use files::LevelFiles;

/// A fault of the level that the linter found.
#[wasm_bindgen(getter_with_clone)]
pub struct Found {
    /// The code of the rule, such as `SOL003`.
    pub code: String,
    /// The name of the rule, such as `marker-in-solid`.
    pub name: String,
    /// `error`, `warning` or `note`.
    pub severity: String,
    /// The fault in a sentence.
    pub headline: String,
    /// Further facts, one per line.
    pub notes: String,
    /// A suggested repair, or an empty string if there is none.
    pub help: String,
    /// The box of the fault in pixels: x, y, width and height. `undefined` if the fault has no position in
    /// the level.
    pub area: Option<Vec<i32>>,
    /// The points of a path, such as a blocked one, as x and y in turn. Empty for most faults.
    pub trace: Vec<i32>,
}

/// Options that may give the level the solids that its author meant.
#[wasm_bindgen(getter_with_clone)]
pub struct Proposal {
    /// The options as arguments of the program `bitwall`.
    pub arguments: String,
    /// The reason in plain words.
    pub why: String,
    /// True if the evidence is weak.
    #[wasm_bindgen(js_name = isGuess)]
    pub is_guess: bool,
}

/// Returns the suggestions for a level whose solids seem wrong, the best first. Empty if they seem right, and
/// for a level that cannot be loaded.
///
/// # Errors An argument is of a wrong type.
#[wasm_bindgen]
pub fn suggestions(
    files: &LevelFiles,
    #[wasm_bindgen(unchecked_param_type = "string")] path: &JsValue,
) -> Result<Vec<Proposal>, JsError> {
    let path = &*files::path_of(path)?;
    let Ok(loaded) = files.load(path) else { return Ok(Vec::new()) };
    let facts = match &loaded.source {
        Source::Mask(source) => MaskFacts::read(source, files.find(path).unwrap_or_default()),
        _ => None,
    };
    let all = suggest::suggestions(&loaded, facts.as_ref()).into_iter();
    Ok(all
        .map(|it| Proposal {
            arguments: it.arguments().join(" "),
            why: it.why,
            is_guess: it.is_guess,
        })
        .collect())
}

/// Returns the faults that the linter finds in the level at `path`, as `bitwall verify` does. For a mask, the
/// picture beside it is read too.
///
/// # Errors An argument is of a wrong type.
#[wasm_bindgen]
pub fn findings(
    files: &LevelFiles,
    #[wasm_bindgen(unchecked_param_type = "string")] path: &JsValue,
) -> Result<Vec<Found>, JsError> {
    let path = &*files::path_of(path)?;
    let loaded = files.load(path);
    // The page shows a level without solids, but the linter must report it.
    let load = loaded.map(|loaded| loaded.options().clone()).unwrap_or_default();
    let load = LoadOptions { allow_nothing_solid: false, ..load };
    let options = VerifyOptions { load, ..VerifyOptions::default() };
    let bytes = files.find(path).unwrap_or_default();
    let report = verify_bytes_with(path, bytes, files::Reader(files), &options);
    let found = |it: Finding| Found {
        code: it.rule.code.to_owned(),
        name: it.rule.name.to_owned(),
        severity: it.severity.name().to_owned(),
        headline: it.headline,
        notes: it.notes.join("\n"),
        help: it.help,
        area: it.area.map(|area| {
            let size = area.size().as_ivec2();
            vec![area.min.x, area.min.y, size.x, size.y]
        }),
        trace: it.trace.iter().flat_map(|point| point.to_array()).collect(),
    };
    Ok(report.findings.into_iter().map(found).collect())
}
