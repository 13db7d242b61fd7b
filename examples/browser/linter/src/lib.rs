//! The module of the linter: it finds faults in a level from the files that the page has. It is half as
//! large again as the module `playground`, so the page fetches it last.

use std::path::Path;

use bitwall::LoadOptions;
use bitwall::glam::UVec2;
use bitwall::load::Source;
use bitwall::text::printable;
use bitwall_cli::lint::{BodySpec, Finding, VerifyOptions, verify_bytes_with};
use bitwall_cli::mask_facts::MaskFacts;
use bitwall_cli::suggest::{self, Setting, Suggestion};
use wasm_bindgen::prelude::*;

#[path = "../../src/files.rs"]
mod files;

pub use files::LevelFiles;

/// A fault of the level that the linter found.
#[derive(Clone)]
#[wasm_bindgen(getter_with_clone)]
pub struct Found {
    /// The code of the rule, such as `SOL003`.
    pub code: String,
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

/// The result of a check.
#[wasm_bindgen(getter_with_clone)]
pub struct Checked {
    /// The faults, the worst first.
    pub found: Vec<Found>,
    /// The rules that could not be checked, each with the reason: `NAV401: needs a goal`.
    pub skipped: Vec<String>,
}

/// Options that may give the level the solids that its author meant.
#[wasm_bindgen(getter_with_clone)]
pub struct Proposal {
    /// What a person can do in Tiled instead, in its words; empty if it has no way.
    #[wasm_bindgen(js_name = inTiled)]
    pub in_tiled: String,
    /// The options as a `bitwall.toml`.
    pub config: String,
    /// The options as arguments of the program `bitwall`, quoted for a shell.
    pub arguments: String,
    /// The reason in plain words.
    pub why: String,
    /// True if the evidence is weak.
    #[wasm_bindgen(js_name = isGuess)]
    pub is_guess: bool,
}

/// Returns the suggestions for a level whose solids seem wrong, the best first. Empty if they seem right, and
/// for a level that cannot be loaded.
#[wasm_bindgen]
pub fn suggestions(files: &LevelFiles, path: &str) -> Vec<Proposal> {
    let path = Path::new(path);
    let Ok(loaded) = files.load(path) else { return Vec::new() };
    let facts = match &loaded.source {
        Source::Mask(source) => MaskFacts::read(source, files.find(path).unwrap_or_default()),
        _ => None,
    };
    suggest::suggestions(&loaded, facts.as_ref()).into_iter().map(proposal).collect()
}

fn proposal(it: Suggestion) -> Proposal {
    let words: Vec<String> = it.options.iter().filter_map(in_tiled).collect();
    Proposal {
        in_tiled: words.join(", and "),
        config: it.toml(),
        arguments: suggest::command_line(&it.arguments()),
        why: it.why,
        is_guess: it.is_guess,
    }
}

/// Returns what a setting is in Tiled, for a person who would rather change the map.
fn in_tiled(setting: &Setting) -> Option<String> {
    Some(match setting {
        Setting::SolidLayer(name) => {
            let name = printable(name);
            format!(
                "rename the layer `{name}` to `Collision`, \
                 or tick its bool property `solid` (Custom Properties)"
            )
        }
        Setting::SolidClass(name) => format!("change the class `{}` to `solid`", printable(name)),
        Setting::SolidObject(name) => {
            format!("give the objects `{}` the class `solid`", printable(name))
        }
        Setting::SolidProperty(name) => {
            format!("rename the property `{}` to `solid`", printable(name))
        }
        _ => return None,
    })
}

/// Returns the faults that the linter finds in the level at `path` for a body of `width` x `height` pixels, as
/// `bitwall verify` does. For a mask, the picture beside it is read too.
#[wasm_bindgen]
pub fn findings(files: &LevelFiles, path: &str, width: u32, height: u32) -> Checked {
    let path = Path::new(path);
    let loaded = files.load(path);
    // The page shows a level without solids, but the linter must report it.
    let load = loaded.map(|loaded| loaded.options().clone()).unwrap_or_default();
    let load = LoadOptions { allow_nothing_solid: false, ..load };
    let bodies = vec![BodySpec::new("hero", UVec2::new(width, height))];
    let options = VerifyOptions { load, bodies, ..VerifyOptions::default() };
    let bytes = files.find(path).unwrap_or_default();
    let report = verify_bytes_with(path, bytes, files::Reader(files), &options);
    let skipped =
        report.skipped.iter().map(|it| format!("{} {}: {}", it.rule.code, it.rule.name, it.reason));
    Checked { skipped: skipped.collect(), found: report.findings.into_iter().map(found).collect() }
}

fn found(it: Finding) -> Found {
    Found {
        code: it.rule.code.to_owned(),
        severity: it.severity.name().to_owned(),
        headline: it.headline,
        notes: it.notes.join("\n"),
        help: it.help,
        area: it.area.map(|area| {
            let size = area.size().as_ivec2();
            vec![area.min.x, area.min.y, size.x, size.y]
        }),
        trace: it.trace.iter().flat_map(|point| point.to_array()).collect(),
    }
}
