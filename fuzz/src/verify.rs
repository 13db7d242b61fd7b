//! Every rule of the linter on a map, a world or a mask, which is the first file. The second file is a
//! `bitwall.toml` with a section `verify`. Switch 4 gives the level the file name of a mask.

use std::hint::black_box;

use bitwall_cli::lint::{RuleLevel, RuleSet, VerifyConfig, VerifyOptions, output, verify_bytes};

use crate::Input;

/// The facts about the game that some rules need.
const FACTS: &str = "[[verify.body]]\nsize = '3x5'\n\
    [[verify.marker]]\nname = '*'\nrole = 'spawn'\n\
    [[verify.marker]]\nname = 'd*'\nrole = 'goal'\nat-least = 1\n";

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let config = VerifyConfig::decode("bitwall.toml", input.file(1));
    let config = config.unwrap_or_else(|error| {
        black_box(error.to_string());
        VerifyConfig::decode("bitwall.toml", FACTS).expect("it is right")
    });
    let mut load = input.options();
    load.limits.cells = 1 << 14;
    let mut options = VerifyOptions { load, ..config.options };
    options.levels.set(RuleSet::All, RuleLevel::On);
    let path = if input.is_on(4) { "no_such_folder/m_mask.png" } else { "no_such_folder/m.tmx" };
    let report = verify_bytes(path, input.file(0), &options);
    for finding in &report.findings {
        // The rows of an excerpt are indented by four, and have `#` for solid cells.
        let is_drawn = |line: &&str| line.starts_with("    ");
        let text = output::full(finding);
        let words = || text.lines().filter(|line| !is_drawn(line));
        assert!(!words().any(|line| line.contains("##")), "{text}");
        assert!(!finding.headline.is_empty() && !finding.help.is_empty());
    }
}
