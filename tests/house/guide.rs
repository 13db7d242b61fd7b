//! The pages of the guide: each row of a table names tests or examples that exist, and recipes are short.

use std::collections::BTreeSet;
use std::fs;

use crate::support::{files_in, root};

/// Fails unless exactly one test has this name. A name that ends with `…` stands for the start of a name.
fn check_test(name: &str, tests: &str) {
    let (start, end) = match name.strip_suffix('…') {
        Some(start) => (start, ""),
        None => (name, "() {"),
    };
    assert_eq!(tests.matches(&format!("\nfn {start}{end}")).count(), 1, "{name}");
}

/// Returns the sources of all tests, joined.
fn tests() -> String {
    let files = files_in(&root().join("tests"));
    let sources = files.iter().filter(|path| path.extension().is_some_and(|end| end == "rs"));
    sources.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Returns the parts of a text between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_scenarios_names_tests_that_exist() {
    let tests = tests();
    let docs = include_str!("../../src/guide/scenarios.rs");
    let is_row = |line: &&str| line.starts_with("//! | ") && !line.starts_with("//! | from ");
    let rows: Vec<&str> = docs.lines().filter(is_row).collect();
    assert!(rows.len() > 60, "{}", rows.len());
    for row in rows {
        let columns: Vec<&str> = row.split(" | ").collect();
        assert_eq!(columns.len(), 5, "{row}");
        let names = quoted(columns[4]);
        assert!(!names.is_empty(), "{row}");
        names.iter().for_each(|name| check_test(name, &tests));
    }
}

/// The page shows the lines that a game writes for a mechanic. A step, an assertion and a comment are no such
/// lines, nor are the hidden lines that make a level.
#[test]
fn each_recipe_of_the_guide_takes_at_most_15_lines() {
    let page = include_str!("../../src/guide/recipes.md");
    let parts = page.split("```rust\n").skip(1);
    let recipes: Vec<&str> = parts.filter_map(|part| part.split("```").next()).collect();
    assert!(recipes.len() > 30, "{}", recipes.len());
    for recipe in recipes {
        let mut lines = 0;
        for line in recipe.lines().map(str::trim_start).filter(|line| !line.starts_with('#')) {
            assert!(line.len() <= 100, "{line}");
            let others = ["//", "assert", "world.step", "let mut players ="];
            let is_other = others.iter().any(|start| line.starts_with(start));
            lines += usize::from(!line.is_empty() && !is_other);
        }
        assert!((1..=15).contains(&lines), "{lines} lines:\n{recipe}");
    }
}

#[test]
fn the_table_of_tutorials_names_tests_and_examples_that_exist() {
    let tests = tests();
    let docs = include_str!("../../src/guide/tutorials.rs");
    let rows: Vec<&str> = docs.lines().filter(|line| line.starts_with("//! | S")).collect();
    assert_eq!(rows.len(), 21);
    for (at, row) in rows.iter().enumerate() {
        let names = quoted(row);
        assert!(row.starts_with(&format!("//! | S{} ", at + 1)) && !names.is_empty());
        for name in names {
            match name.strip_suffix(".rs") {
                Some(example) => {
                    let example = example.trim_start_matches("examples/");
                    assert!(root().join(format!("examples/{example}.rs")).is_file(), "{name}");
                }
                None => check_test(name, &tests),
            }
        }
    }
}

#[test]
fn the_chinese_readme_has_the_same_numbers_as_the_english_readme() {
    let numbers = |text: &str| -> BTreeSet<String> {
        let numbers = text.split(|letter: char| !letter.is_ascii_digit());
        numbers.filter(|number| !number.is_empty()).map(str::to_owned).collect()
    };
    let english = numbers(include_str!("../../README.md"));
    let chinese = numbers(include_str!("../../README.zh-CN.md"));
    assert!(english.len() > 30, "{english:?}");
    assert_eq!(english, chinese);
}

/// Returns the code of a page, without comments and blank lines.
fn code(page: &str) -> Vec<&str> {
    let blocks = page.split("```").skip(1).step_by(2);
    let lines =
        blocks.flat_map(|block| block.lines()).map(|line| line.split("//").next().unwrap().trim());
    lines.filter(|line| !line.is_empty()).collect()
}

#[test]
fn the_chinese_first_page_of_the_guide_has_the_code_of_the_english_page() {
    let english = code(include_str!("../../src/guide/start.md"));
    assert!(english.len() > 80, "{}", english.len());
    assert_eq!(code(include_str!("../../src/guide/start.zh-CN.md")), english);
}
