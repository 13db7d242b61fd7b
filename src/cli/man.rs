//! `bitwall man`: the pages of the manual.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Command};
use clap_mangen::Man;

use super::output::{self, Fault};
use super::{Answer, Failure};
use crate::text::printable_path;

/// Write the pages of the manual
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall man | man -l -
  bitwall man --to ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// Write one page for each command into this folder, which must exist [default: the page of the
    /// program, on standard output]
    #[arg(long, value_name = "FOLDER")]
    to: Option<PathBuf>,
}

/// Writes the pages for `program`, the arguments of the whole program.
pub(super) fn run(args: &ManArgs, mut program: Command) -> Result<Answer, Failure> {
    program.build();
    match &args.to {
        None => Answer::Yes.once(std::io::stdout().lock().write_all(&page(&program)?)),
        Some(folder) => {
            let mut count = 0;
            write_pages(&program, folder, "bitwall", &mut count)?;
            let folder = printable_path(folder);
            let text = format!("{folder}: {}", crate::text::counted(count, "page"));
            Answer::Yes.once(writeln!(std::io::stdout().lock(), "{text}"))
        }
    }
}

/// Writes the page of a command as `NAME.1`, and those of its subcommands.
fn write_pages(
    command: &Command,
    folder: &Path,
    name: &str,
    count: &mut u64,
) -> Result<(), Failure> {
    let bytes = page(command)?;
    output::write_whole(&folder.join(format!("{name}.1")), |file| {
        file.write_all(&bytes).map_err(Fault::Io)
    })?;
    *count += 1;
    let subcommands = command.get_subcommands().filter(|command| !command.is_hide_set());
    for command in subcommands.filter(|command| command.get_name() != "help") {
        write_pages(command, folder, &format!("{name}-{}", command.get_name()), count)?;
    }
    Ok(())
}

fn page(command: &Command) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    Man::new(command.clone())
        .render(&mut bytes)
        .map_err(|error| Failure::Other(format!("cannot write the page: {error}")))?;
    Ok(bytes)
}
