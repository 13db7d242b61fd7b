//! The README and the manual: their commands print the shown output, a command draws the shown picture, and
//! the table lists all rules.

use std::fs;
use std::path::Path;
use std::process::Command;

use bitwall::load::load_picture;
use bitwall_cli::lint::RULES;

use crate::shared::root;

const README: &str = include_str!("../../../README.md");
const MANUAL: &str = include_str!("../../README.md");

/// Returns the code blocks of a text in one language.
fn blocks(text: &'static str, language: &str) -> Vec<&'static str> {
    let fence = format!("```{language}\n");
    let after = text.split(fence.as_str()).skip(1);
    after.map(|block| block.split("```").next().unwrap()).collect()
}

/// Returns the commands in the README and the manual, each with the output shown below it.
fn sessions() -> Vec<(&'static str, String)> {
    let mut found: Vec<(&str, String)> = Vec::new();
    let blocks = [README, MANUAL].into_iter().flat_map(|text| blocks(text, "console"));
    for line in blocks.flat_map(str::lines) {
        match line.strip_prefix("$ ") {
            Some(command) => found.push((command, String::new())),
            None => {
                let shown = &mut found.last_mut().expect("a command comes first").1;
                shown.push_str(line);
                shown.push('\n');
            }
        }
    }
    found
}

/// Runs a command in a folder that contains only the bundled levels. Returns its standard output.
fn run(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_bitwall"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .output()
        .unwrap();
    assert!(output.status.code() < Some(2), "{command}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn commands_in_the_readme_and_manual_print_the_shown_output() {
    let root = root();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root.join("assets"), folder.path().join("assets")).unwrap();
    let sessions = sessions();
    assert!(sessions.len() >= 5);
    for (command, shown) in sessions {
        assert_eq!(run(command, folder.path()), shown, "{command}");
    }
    let drawn = folder.path().join("cave.png");
    let kept = root.join("tests/golden/readme.png");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::copy(&drawn, &kept).unwrap();
        panic!("wrote {}: check it", kept.display());
    }
    let same = load_picture(&drawn).unwrap() == load_picture(&kept).unwrap();
    assert!(same, "tests/golden/readme.png is old; UPDATE_GOLDEN=1 writes it again");
}

#[test]
fn the_table_of_rules_in_the_manual_lists_all_rules() {
    let mut table = String::from("| code | name | severity | finds |\n|---|---|---|---|\n");
    for rule in RULES.iter() {
        let finds = MANUAL
            .lines()
            .find(|line| line.starts_with(&format!("| {} |", rule.code)))
            .and_then(|line| line.split('|').nth(4))
            .unwrap_or_else(|| panic!("{} is missing", rule.code));
        let (code, name, severity) = (rule.code, rule.name, rule.severity.name());
        table.push_str(&format!("| {code} | {name} | {severity} |{finds}|\n"));
    }
    assert!(MANUAL.contains(&table), "it should read:\n{table}");
}
