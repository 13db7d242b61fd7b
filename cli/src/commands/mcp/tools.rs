//! The tools of `bitwall mcp`, which `tools.json` describes. A tool is a command line: its arguments are
//! options, and the function of the command answers. An answer has a limited length.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use serde_json::{Map, Value};

use crate::commands::{Cli, Command, Failure, can_move, info, projects, render};
use bitwall::LoadOptions;
use bitwall::error::LoadErrorKind;
use bitwall::load::Disk;
use bitwall::text::{counted, printable};

/// The most characters of an answer.
const MOST_LETTERS: usize = 20_000;

/// The arguments that are files or folders, in the order of the command line.
const PLACES: [&str; 4] = ["level", "path", "before", "after"];

/// Returns the tools with their descriptions and the schemas of their arguments.
pub(super) fn list() -> Vec<Value> {
    serde_json::from_str(include_str!("tools.json")).unwrap_or_default()
}

/// Calls the tool `name`, which reads nothing outside of `folder`, the current folder. `None` if there is no
/// such tool. The error is a text for the agent.
pub(super) fn call(
    folder: &Path,
    name: &str,
    arguments: &Map<String, Value>,
) -> Option<Result<String, String>> {
    let tool = list().into_iter().find(|tool| tool["name"] == name)?;
    let command = command_of(folder, name, &tool["inputSchema"]["properties"], arguments);
    let answer = command.and_then(|command| match command {
        Command::Render(args) => render::text_of(&args),
        Command::Info(args) => info::place_text(&args),
        Command::CanMove(args) => can_move::text_of(&args),
        Command::Verify(args) => projects::verify::findings_text(&args),
        Command::Diff(args) => projects::diff::report(&args).map(|(text, _)| text),
        _ => Err("the tool has no command".into()),
    });
    let skip = arguments.get("skip").and_then(Value::as_u64).unwrap_or(0);
    let answer = answer.map(|text| clipped(&text, skip));
    Some(answer.map_err(|failure| clipped(&failure.to_string(), 0)))
}

/// Returns the command of a tool. Only the arguments in `known` become options.
fn command_of(
    folder: &Path,
    name: &str,
    known: &Value,
    arguments: &Map<String, Value>,
) -> Result<Command, Failure> {
    let command: &[&str] = match name {
        "look" => &["render", "--view=text"],
        "why" => &["info"],
        "can_move" => &["can-move"],
        "reach" => &["verify", "-cverify.ignore=all", "--select=NAV401"],
        name => &[name],
    };
    let mut line: Vec<OsString> = vec!["bitwall".into()];
    line.extend(command.iter().map(OsString::from));
    line.extend(["--within".into(), folder.into()]);
    let mut markers = Vec::new();
    for (key, value) in arguments {
        if known.get(key).is_none() {
            return Err(format!("`{}` is no argument of this tool", printable(key)).into());
        }
        match (name, &**key) {
            ("reach", "body") => line.push(format!("-cverify.body=[{}]", in_toml(value)?).into()),
            ("reach", "from" | "to") => {
                let role = if key == "from" { "spawn" } else { "goal" };
                markers.push(format!("{{name={}, role='{role}'}}", in_toml(value)?));
            }
            (_, key) if key == "skip" || PLACES.contains(&key) => {}
            _ => line.push(format!("--{key}={}", words(value)).into()),
        }
    }
    if !markers.is_empty() {
        line.push(format!("-cverify.marker=[{}]", markers.join(",")).into());
    }
    line.push("--".into());
    for place in PLACES.iter().filter_map(|key| arguments.get(*key)) {
        let place = PathBuf::from(words(place));
        check_place(folder, &place)?;
        // Standard input has the messages.
        line.push(if place == Path::new("-") { "./-".into() } else { place.into() });
    }
    Cli::try_parse_from(line).map(|cli| cli.command).map_err(|error| {
        let text = error.to_string();
        let words = text.lines().take_while(|line| !line.is_empty()).map(str::trim);
        let words: Vec<&str> = words.collect();
        printable(words.join(" ").trim_start_matches("error: ")).to_string().into()
    })
}

/// Fails for a file or folder outside of `folder`, also by a link, and for a file of a revision if git would
/// read outside of it. What a level names is checked when it is loaded.
fn check_place(folder: &Path, place: &Path) -> Result<(), Failure> {
    let options = LoadOptions { root: Some(folder.to_owned()), ..LoadOptions::default() };
    // As if a level in the current folder named it: nothing outside is looked at.
    let opened = Disk::new("-", &options).open(place);
    if matches!(opened, Err(LoadErrorKind::OutsideRoot { .. })) {
        let reason = "it is outside of the folder of this server, which reads nothing there";
        return Err(Failure::at(place, reason));
    }
    let git = folder.join(".git");
    let mut own = [git.clone(), git.join("objects")].into_iter();
    let is_own = own.all(|it| it.symlink_metadata().is_ok_and(|it| it.is_dir()));
    let borrows = ["commondir", "objects/info/alternates"].iter().any(|it| git.join(it).exists());
    if opened.is_err() && place.to_string_lossy().contains(':') && (!is_own || borrows) {
        let reason = "there is no such file, and the folder has no repository of its own";
        return Err(Failure::at(place, reason));
    }
    Ok(())
}

/// Returns a text, or a list of numbers as `1,2,3,4`.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(words).collect::<Vec<String>>().join(","),
        other => other.to_string(),
    }
}

fn in_toml(value: &Value) -> Result<String, String> {
    let value = toml::Value::try_from(value).map_err(|error| error.to_string())?;
    Ok(value.to_string())
}

/// Returns the lines of a text after the first `skip`, as many as an answer may have. The last line says how
/// many are left out, and how to get them.
fn clipped(text: &str, skip: u64) -> String {
    let mut clipped = String::new();
    for (number, line) in (0..).zip(text.lines()).filter(|(number, _)| *number >= skip) {
        if clipped.len() + line.len() > MOST_LETTERS {
            let rest = counted(text.lines().count() as u64 - number, "line");
            return clipped + &format!("[{rest} left out; ask again with \"skip\": {number}]\n");
        }
        clipped += line;
        clipped.push('\n');
    }
    clipped
}
