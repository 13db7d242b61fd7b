//! The program `bitwall`: see `bitwall --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    bitwall_cli::commands::main()
}
