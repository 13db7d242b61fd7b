//! Compares bitwall with other libraries, on the same generated work in one run.
//!
//! In this package, `cargo run --release`
//! * without arguments compares shapes ([`shapes`]) and motions ([`motion`]) with Parry once, and exits with
//!   1 if the answers differ more than allowed;
//! * with `-- --time` prints a table of times of motions and rays, each the best of several rounds in turn;
//! * with `-- --readme` also writes that table into `benches/README.md`;
//! * with `-- --curves DIR` writes pictures of how the times grow ([`curves`], feature `engines`).
//!
//! With `--features engines` Rapier and Box2D take part, and with `--features engines --bin worlds` whole
//! worlds of bodies are compared. Box2D is written in C and compiled by the crate `cc`, which needs only a C
//! compiler. pygame and LuaJIT with bump take part if they are installed. The program prints which of them
//! are missing.

#[cfg(feature = "engines")]
#[path = "bin/worlds/chart.rs"]
mod chart;
#[cfg(feature = "engines")]
mod curves;
mod motion;
#[cfg(feature = "engines")]
#[path = "../../common/scenes.rs"]
#[allow(dead_code, reason = "the blocks and the places of bodies are for the bin `worlds`")]
mod scenes;
mod shapes;
mod table;
#[path = "../../common/mod.rs"]
#[allow(dead_code, reason = "times are taken another way here")]
mod work;

use std::error::Error;
use std::process::ExitCode;

/// The number of rounds if times are measured.
const ROUNDS: usize = 15;

/// The number of questions of each kind if answers are only compared, so that the run takes a few seconds.
const FEW: usize = 10_000;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let is_good = match arguments[..] {
        [] => {
            let agree = shapes::agree();
            agree & table::print(&motion::compare(1, FEW))
        }
        ["--time"] => table::print(&motion::compare(ROUNDS, usize::MAX)),
        ["--readme"] => {
            let sections = motion::compare(ROUNDS, usize::MAX);
            table::write_readme(&sections)?;
            table::print(&sections)
        }
        #[cfg(feature = "engines")]
        ["--curves", folder] => {
            curves::draw_all(std::path::Path::new(folder))?;
            true
        }
        _ => return Err("usage: bitwall-peers [--time | --readme | --curves DIR]".into()),
    };
    Ok(if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
