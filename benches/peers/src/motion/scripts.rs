//! Contenders in other languages, if they are installed: masks of pygame and bump in LuaJIT.
//!
//! A script reads the level as boxes, and the questions, from a folder. It prints its time per question in
//! nanoseconds, and the answers.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use bitwall::glam::Vec2;

use super::contest::{Contender, Contest};
use super::work::{Work, vector};

struct Script {
    contender: Contender,
    program: &'static str,
    file: &'static str,
    source: &'static str,
}

/// The script for levels of pixels. pygame has masks of pixels, and bump has boxes.
const PYGAME: Script = Script {
    contender: Contender::exact("pygame, `Mask.overlap` of the strip, from Python"),
    program: "python3",
    file: "masks.py",
    source: include_str!("../scripts/masks.py"),
};
const BUMP: Script = Script {
    contender: Contender::exact("bump.lua, `World:check`, in LuaJIT"),
    program: "luajit",
    file: "bump.lua",
    source: include_str!("../scripts/bump.lua"),
};

/// Runs the script for this level, or records why it does not run.
pub(super) fn run(work: &Work, contest: &mut Contest) {
    let script = if work.cell == 1 { PYGAME } else { BUMP };
    let folder = std::env::temp_dir().join(format!("bitwall-peers-{}", std::process::id()));
    match run_in(&folder, &script, work) {
        Ok((nanoseconds, answers)) => contest.add(script.contender, nanoseconds, answers),
        Err(error) => contest.skipped.push(format!("{} ({error})", script.contender.name)),
    }
    // If the folder cannot be removed, it stays in the folder for temporary files, which does no harm.
    let _ = fs::remove_dir_all(&folder);
}

fn run_in(folder: &Path, script: &Script, work: &Work) -> io::Result<(f64, Vec<f32>)> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("boxes"), boxes(work))?;
    fs::write(folder.join("questions"), questions(work))?;
    let file = folder.join(script.file);
    fs::write(&file, script.source)?;
    let run = Command::new(script.program).arg(&file).arg(folder).output();
    let run = run.map_err(|error| io::Error::other(format!("{}: {error}", script.program)))?;
    let text = String::from_utf8_lossy(&run.stdout);
    let (time, answers) = text.trim().split_once('\n').unwrap_or((&text, ""));
    match time.parse() {
        Ok(time) => {
            Ok((time, answers.chars().map(|answer| f32::from(u8::from(answer == '1'))).collect()))
        }
        Err(_) => {
            Err(io::Error::other(format!("{text}{}", String::from_utf8_lossy(&run.stderr)).trim()))
        }
    }
}

/// Returns the runs of solid cells, one per line: x, y, width, height.
fn boxes(work: &Work) -> String {
    let mut lines = String::new();
    for [min, max] in work.runs() {
        let Vec2 { x: w, y: h } = max - min;
        writeln!(lines, "{} {} {w} {h}", min.x, min.y).expect("a String takes all");
    }
    lines
}

/// Returns the questions, one per line: the position and size of the body, and the step.
fn questions(work: &Work) -> String {
    let mut lines = String::new();
    for q in &work.short {
        let (at, size, by) = (q.body.min, work.body, vector(q));
        writeln!(lines, "{} {} {} {} {} {}", at.x, at.y, size.x, size.y, by.x, by.y)
            .expect("a String takes all");
    }
    lines
}
