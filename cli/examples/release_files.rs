//! Writes the manual pages and the shell completions that a release contains into a folder.
//!
//!     cargo run -p bitwall-cli --example release_files -- FOLDER

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use clap::ValueEnum;
use clap_complete::Shell;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from).ok_or("a folder is needed")?;
    fs::create_dir_all(&folder)?;
    let program = bitwall_cli::commands::arguments();
    clap_mangen::generate_to(program.clone(), &folder)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut program.clone(), "bitwall", &folder)?;
    }
    Ok(())
}
