//! The table of times in Markdown, with a section for each question and a column for each level.

use std::collections::BTreeSet;
use std::error::Error;
use std::fmt::Write;

use crate::motion::contest::{Contest, Row};

/// The lines before and after the table in `benches/README.md`.
const MARKERS: [&str; 2] = ["<!-- peers -->\n", "<!-- /peers -->\n"];

const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");

const COMMAND: &str =
    "cargo run --manifest-path benches/peers/Cargo.toml --release --features engines -- --readme";

/// Prints all sections. Returns false if answers differ more than allowed.
pub(crate) fn print(sections: &[Contest]) -> bool {
    print!("{}", markdown(sections));
    let rows =
        sections.iter().flat_map(|section| section.rows.iter().map(move |row| (section, row)));
    let bad: Vec<_> = rows.filter(|(_, row)| !row.is_good()).collect();
    for (section, row) in &bad {
        let (question, name) = (section.question, row.contender.name);
        println!(
            "{question} {}, {name}: {} of {} answers differ",
            section.level, row.differ, row.asked
        );
    }
    bad.is_empty()
}

/// Writes the table between the markers in `benches/README.md`.
pub(crate) fn write_readme(sections: &[Contest]) -> Result<(), Box<dyn Error>> {
    let text = std::fs::read_to_string(README)?;
    let [start, end] = MARKERS;
    let (before, rest) = text.split_once(start).ok_or("README.md has no line <!-- peers -->")?;
    let (_, after) = rest.split_once(end).ok_or("README.md has no line <!-- /peers -->")?;
    let table = markdown(sections);
    let text = format!("{before}{start}\n```sh\n{COMMAND}\n```\n\n{table}\n{end}{after}");
    Ok(std::fs::write(README, text)?)
}

/// Returns the table, with a line for each contender of each question.
fn markdown(sections: &[Contest]) -> String {
    let mut levels: Vec<&str> = Vec::new();
    for section in sections {
        if !levels.contains(&section.level) {
            levels.push(section.level);
        }
    }
    let mut questions: Vec<&str> = Vec::new();
    for section in sections {
        if !questions.contains(&section.question) {
            questions.push(section.question);
        }
    }
    let mut text = "| question and contender |".to_owned();
    for level in &levels {
        write!(text, " {level}, ns | times the first | differ |").expect("a String takes all");
    }
    writeln!(text, "\n|---|{}", "---:|---:|---:|".repeat(levels.len()))
        .expect("a String takes all");
    for question in questions {
        let here: Vec<_> = sections.iter().filter(|section| section.question == question).collect();
        writeln!(text, "| **{question}** |{}", " | | |".repeat(levels.len()))
            .expect("a String takes all");
        let mut seen = BTreeSet::new();
        for name in
            here.iter().flat_map(|section| section.rows.iter().map(|row| row.contender.name))
        {
            if !seen.insert(name) {
                continue;
            }
            write!(text, "| {name} |").expect("a String takes all");
            for level in &levels {
                let section = here.iter().find(|section| section.level == *level);
                text.push_str(
                    &section.map_or_else(|| " | | |".to_owned(), |section| cells(section, name)),
                );
            }
            text.push('\n');
        }
    }
    let skipped: Vec<_> = sections.iter().flat_map(|section| &section.skipped).cloned().collect();
    if !skipped.is_empty() {
        writeln!(text, "\nNot measured: {}.", skipped.join("; ")).expect("a String takes all");
    }
    text
}

/// Returns the three cells of a contender on one level.
fn cells(section: &Contest, name: &str) -> String {
    let first = section.rows.first().map_or(1.0, |row| row.nanoseconds);
    match section.rows.iter().find(|row| row.contender.name == name) {
        None => " | | |".to_owned(),
        Some(row) => {
            let Row { nanoseconds, differ, asked, .. } = row;
            let differ = match *differ as f64 / *asked as f64 {
                0.0 => "0".to_owned(),
                share => format!("{:.2}%", 100.0 * share),
            };
            format!(" {nanoseconds:.1} | {:.1} | {differ} |", nanoseconds / first)
        }
    }
}
