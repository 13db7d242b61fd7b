//! `bitwall completions`: a script by which a shell completes commands and arguments.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use super::{Answer, Failure};

/// Write the script by which a shell completes this program's arguments
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall completions bash > ~/.local/share/bash-completion/completions/bitwall
  bitwall completions fish > ~/.config/fish/completions/bitwall.fish
  bitwall completions zsh > ~/.zfunc/_bitwall")]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Writes the script for `program`, the arguments of the whole program.
pub(super) fn run(args: &CompletionsArgs, mut program: Command) -> Result<Answer, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "bitwall", &mut script);
    Answer::Yes.once(std::io::stdout().lock().write_all(&script))
}
