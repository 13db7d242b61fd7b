//! The command line: the only code that prints, reads arguments and sets exit codes.
//!
//! Each command has one file. Results go to standard output, errors and progress to standard error. The exit
//! code is 0 for yes or clean, 1 for no or findings, 2 for an error. A closed pipe is not an error.

mod bake;
mod can_move;
mod info;
mod load;
mod mcp;
mod output;
mod projects;
mod render;
mod rules;
mod shapes;

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anstream::ColorChoice;
use anstyle::AnsiColor;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::commands::load::{LevelArgs, LevelFile, LevelsArgs, LoadArgs, read_stdin, warnings};
use bitwall::error::{LoadErrorKind, io_reason};
use bitwall::geometry::ParseDirError;
use bitwall::glam::IVec2;
use bitwall::text::printable_path;
use bitwall::{Aabb, Dir, LoadError};

#[derive(Parser)]
#[command(
    name = "bitwall",
    version,
    about = "Load a 2D level, ask what blocks, see it, check it",
    after_help = "Exit codes: 0 yes or clean, 1 no or findings, 2 no answer (bad arguments, bad files).",
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// When to colour findings, headings, warnings and errors [default: auto, on a terminal alone]
    #[arg(long, value_enum, global = true, value_name = "WHEN")]
    color: Option<clap::ColorChoice>,
}

#[derive(Subcommand)]
enum Command {
    Render(render::RenderArgs),
    CanMove(can_move::CanMoveArgs),
    Info(info::InfoArgs),
    Bake(bake::BakeArgs),
    Shapes(shapes::ShapesArgs),
    Verify(projects::verify::VerifyArgs),
    Rules(rules::RulesArgs),
    Explain(rules::ExplainArgs),
    Diff(projects::diff::DiffArgs),
    Init(projects::init::InitArgs),
    Mcp(mcp::McpArgs),
    Completions(CompletionsArgs),
    Schema(SchemaArgs),
}

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall completions bash > ~/.local/share/bash-completion/completions/bitwall
  bitwall completions fish > ~/.config/fish/completions/bitwall.fish")]
struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

fn completions(args: &CompletionsArgs) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut arguments(), "bitwall", &mut script);
    Answer::Yes.print(&String::from_utf8_lossy(&script))
}

/// Print the JSON schema of a bitwall.toml, by which editors complete and check its keys
#[derive(Args)]
#[command(after_help = "\
Example:
  bitwall schema > bitwall.schema.json
      then begin the bitwall.toml with: #:schema ./bitwall.schema.json")]
struct SchemaArgs {}

/// Returns the command-line parser. A release builds manual pages and shell completions from the parser.
pub fn arguments() -> clap::Command {
    Cli::command()
}

pub fn main() -> ExitCode {
    let Cli { command, color } = Cli::parse();
    match color {
        None | Some(clap::ColorChoice::Auto) => {}
        Some(clap::ColorChoice::Always) => ColorChoice::Always.write_global(),
        Some(clap::ColorChoice::Never) => ColorChoice::Never.write_global(),
    }
    let result = match command {
        Command::Render(args) => render::run(&args),
        Command::CanMove(args) => can_move::run(&args),
        Command::Info(args) => info::run(&args),
        Command::Bake(args) => bake::run(&args),
        Command::Shapes(args) => shapes::run(&args),
        Command::Verify(args) => projects::verify::run(&args),
        Command::Rules(_) => rules::list(),
        Command::Explain(args) => rules::explain(&args),
        Command::Diff(args) => projects::diff::run(&args),
        Command::Init(args) => projects::init::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Completions(args) => completions(&args),
        Command::Schema(_) => Answer::Yes.print(include_str!("../config/bitwall.schema.json")),
    };
    match result {
        Ok(answer) => answer.into(),
        Err(failure) => {
            // A closed standard error does not change the exit code.
            let style = AnsiColor::Red.on_default().bold();
            let _ = writeln!(anstream::stderr(), "{style}error:{style:#} {failure}");
            ExitCode::from(2)
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum AnswerFormat {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// Exit code 0: the answer is yes, the levels are clean, or the work is done.
    Yes,
    /// Exit code 1: the answer is no, or there are findings.
    No,
}

impl Answer {
    /// Returns this answer if the output of the command was written, or if its reader closed the pipe.
    /// `written` is the result of the writing. Any other error is returned.
    fn once(self, written: io::Result<()>) -> Result<Self, Failure> {
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(self),
        }
    }

    /// Writes `text` to standard output, and returns this answer.
    fn print(self, text: &str) -> Result<Self, Failure> {
        let mut out = anstream::stdout().lock();
        self.once(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Yes => Self::SUCCESS,
            Answer::No => Self::from(1),
        }
    }
}

/// An error because of which a command has no answer. The exit code is 2.
#[derive(Debug)]
enum Failure {
    Load(LoadError),
    /// The output cannot be written.
    Write(io::Error),
    /// The message of any other error, safe to print on a terminal.
    Other(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(error) => {
                write!(f, "{error}")?;
                if let Some(advice) = advice(error) {
                    write!(f, ", {advice}")?;
                }
                Ok(())
            }
            Self::Write(error) => write!(f, "cannot write the answer: {}", io_reason(error)),
            Self::Other(reason) => f.write_str(reason),
        }
    }
}

/// Returns a hint at the argument that avoids `error`, such as `or by --root`; `None` if no argument does.
fn advice(error: &LoadError) -> Option<&'static str> {
    let kind = match error.kind() {
        LoadErrorKind::Reference { source, .. } => source,
        kind => kind,
    };
    match kind {
        LoadErrorKind::OutsideRoot { .. } => Some("or by --root"),
        LoadErrorKind::TooLarge { what, .. } if what.ends_with("(the limit `points`)") => {
            Some("or by --limit points=2^24")
        }
        _ if error.kind().is_passable() => Some("or load it with -c level.lenient=true"),
        _ => None,
    }
}

impl Failure {
    /// Creates the failure of a command for the file or folder at `path`.
    fn at(path: &Path, reason: impl fmt::Display) -> Self {
        Self::Other(format!("{}: {reason}", printable_path(path)))
    }
}

impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        Self::Load(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<String> for Failure {
    fn from(reason: String) -> Self {
        Self::Other(reason)
    }
}

impl From<&str> for Failure {
    fn from(reason: &str) -> Self {
        Self::Other(reason.to_owned())
    }
}

/// Returns the file to write for each level: `out` for one level, or else a file in the folder `out` or in
/// the current one, with the name of the level and another ending.
fn outs(out: Option<&Path>, files: &[LevelFile], ending: &str) -> Result<Vec<PathBuf>, Failure> {
    let mut outs = Vec::new();
    let mut known = BTreeSet::new();
    for file in files {
        let mut name = file.path.file_stem().unwrap_or_default().to_owned();
        name.push(ending);
        let path = match out {
            None => PathBuf::from(name),
            Some(folder) if folder.is_dir() => folder.join(name),
            Some(_) if files.len() > 1 => {
                let reason =
                    "several levels are written into a folder that is there; name one with -o";
                return Err(reason.into());
            }
            Some(out) => out.to_owned(),
        };
        if !known.insert(path.clone()) {
            let reason = "two of the levels would be this file; write one by itself";
            return Err(Failure::at(&path, reason));
        }
        outs.push(path);
    }
    Ok(outs)
}

/// Parses a box `X,Y,W,H`, also with spaces in place of the commas: four whole numbers, `W` and `H` above 0.
fn parse_body(text: &str) -> Result<Aabb, String> {
    let parts: Vec<&str> = if text.contains(',') {
        text.split(',').collect()
    } else {
        text.split_whitespace().collect()
    };
    let numbers: Result<Vec<i32>, _> = parts.iter().map(|part| part.trim().parse()).collect();
    match numbers.as_deref() {
        Ok([x, y, w, h]) => body(*x, *y, *w, *h),
        _ => Err("four whole numbers are needed: X,Y,W,H in pixels".to_owned()),
    }
}

/// Parses a point or a cell `X,Y`.
fn parse_point(text: &str) -> Result<IVec2, String> {
    let parsed = text.split_once(',').and_then(|(x, y)| Some([x.parse().ok()?, y.parse().ok()?]));
    parsed.map(IVec2::from).ok_or_else(|| "two whole numbers are needed: X,Y".to_owned())
}

/// Parses a direction in capital or small letters.
fn parse_dir(text: &str) -> Result<Dir, ParseDirError> {
    text.to_ascii_lowercase().parse()
}

/// Parses a distance in pixels.
fn parse_step(text: &str) -> Result<u32, String> {
    text.parse().map_err(|_| match text.parse::<i64>() {
        Ok(..0) => "a distance is not negative: --dir says which way".to_owned(),
        _ => "a whole number of pixels is needed".to_owned(),
    })
}

/// Creates a box. Fails if the box is empty or ends beyond the range of positions.
fn body(x: i32, y: i32, w: i32, h: i32) -> Result<Aabb, String> {
    if w <= 0 || h <= 0 {
        return Err("the width and the height must be above 0".to_owned());
    }
    if x.checked_add(w).is_none() || y.checked_add(h).is_none() {
        return Err("the box ends beyond 2147483647".to_owned());
    }
    Ok(Aabb::from_xywh(x, y, w, h))
}
