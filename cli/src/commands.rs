//! The command line: the only code that prints, reads arguments and sets exit codes.
//!
//! Each command has one file. Results go to standard output, errors and progress to standard error. The exit
//! code is 0 for yes or clean, 1 for no or findings, 2 for an error. A closed pipe is not an error.

mod bake;
mod can_move;
mod configs;
mod diff;
mod files;
mod info;
mod init;
mod level_args;
mod output;
mod render;
mod rules;
mod shapes;
mod snapshot;
mod verify;

use std::fmt;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anstream::ColorChoice;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};

use crate::suggest::Suggestion;
use bitwall::LoadError;
use bitwall::error::{LoadErrorKind, io_reason};
use bitwall::text::printable_path;

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
    /// When to colour text [default: auto, which colours text on a terminal]
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
    Verify(verify::VerifyArgs),
    Rules(rules::RulesArgs),
    Explain(rules::ExplainArgs),
    Diff(diff::DiffArgs),
    Init(init::InitArgs),
}

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
        Command::Verify(args) => verify::run(&args),
        Command::Rules(args) => rules::list(&args),
        Command::Explain(args) => rules::explain(&args),
        Command::Diff(args) => diff::run(&args),
        Command::Init(args) => init::run(&args),
    };
    match result {
        Ok(answer) => answer.into(),
        Err(failure) => {
            // A closed standard error does not change the exit code.
            let _ = writeln!(anstream::stderr(), "error: {failure}");
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
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(format!("cannot write the answer: {}", io_reason(&error)).into())
            }
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
    /// Nothing in the level is solid. The suggestions may make something solid.
    NothingSolid(LoadError, Vec<Suggestion>),
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
            Self::NothingSolid(error, suggestions) => {
                write!(f, "{error}, or by --solid-layer")?;
                suggestions.iter().try_for_each(|suggestion| write!(f, "\n  try {suggestion}"))
            }
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
        LoadErrorKind::CellCount { .. } | LoadErrorKind::UnknownTile { .. } => {
            Some("or load it with -c level.lenient=true")
        }
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
