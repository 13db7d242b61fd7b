//! Counts the instructions that a query executes with callgrind, and compares them with a committed table.
//!
//! `cargo run --release --bin instructions`, in this package, prints the instructions per query of each
//! kernel, including the loop of the caller, and of each load. It exits with 1 if one has grown by more than
//! 5% over `instructions.txt`. `-- --update` writes that table anew. Unlike times, these counts are the same
//! on a busy machine and in each run. They depend on the compiler, so the table names its version, and
//! nothing is compared with another version. If `valgrind` is not installed, the program prints that and
//! counts nothing.
//!
//! The program runs itself under `valgrind --tool=callgrind`. Callgrind counts only inside one function,
//! which runs each kernel in turn, and writes the count of each kernel to a separate file.

mod kernels;
#[path = "../../../../common/scenes.rs"]
#[allow(dead_code, reason = "the corners and the movers are for other benches")]
mod scenes;
mod table;
#[path = "../../../../common/mod.rs"]
#[allow(dead_code, reason = "the loops that are timed are for other benches")]
mod work;

use std::error::Error;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use table::{Count, Table};

/// The argument with which the program starts itself to run its kernels.
const RUN: &str = "--run";

/// The function in which callgrind counts. Callgrind writes a file each time the function returns.
const COUNTED: &str = "instructions::kernels::counted";

/// The path of the table of committed counts.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../instructions.txt");

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let argument = std::env::args().nth(1);
    match argument.as_deref() {
        Some(RUN) => kernels::run_all(),
        None => return compare(false),
        Some("--update") => return compare(true),
        Some(other) => {
            return Err(format!("unknown argument {other}: only --update is known").into());
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Counts all kernels, and compares the counts with the table or writes the table.
fn compare(update: bool) -> Result<ExitCode, Box<dyn Error>> {
    let version = Command::new("valgrind").arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        println!("skipped: valgrind is not installed, so no instruction is counted");
        return Ok(ExitCode::SUCCESS);
    }
    let compiler = Command::new("rustc").arg("--version").output()?.stdout;
    let compiler = format!("{}, {}", String::from_utf8(compiler)?.trim(), std::env::consts::ARCH);
    let counted = Table { compiler, counts: count()? };
    if update {
        std::fs::write(TABLE, counted.to_string())?;
        print!("{counted}");
        return Ok(ExitCode::SUCCESS);
    }
    let committed: Table = std::fs::read_to_string(TABLE)?.parse()?;
    Ok(if table::compare(&committed, &counted) { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs this program under callgrind in a temporary folder.
fn count() -> Result<Vec<Count>, Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("bitwall-instructions-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let counts = count_in(&folder);
    std::fs::remove_dir_all(&folder)?;
    counts
}

fn count_in(folder: &Path) -> Result<Vec<Count>, Box<dyn Error>> {
    let run = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-after={COUNTED}"))
        .arg(format!("--callgrind-out-file={}", folder.join("out").display()))
        .arg(std::env::current_exe()?)
        .arg(RUN)
        .output()?;
    if !run.status.success() {
        return Err(format!("callgrind failed: {}", String::from_utf8_lossy(&run.stderr)).into());
    }
    // The names of the kernels and their numbers of queries, in the order in which they ran.
    let printed = String::from_utf8(run.stdout)?;
    let mut counts = Vec::new();
    for (at, line) in printed.lines().enumerate() {
        let (kernel, queries) = line.split_once('\t').ok_or("a line without a number")?;
        let dump = std::fs::read_to_string(folder.join(format!("out.{}", at + 1)))?;
        let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
        let total: f64 = total.ok_or("a dump of callgrind without totals")?.trim().parse()?;
        let instructions = total / queries.parse::<f64>()?;
        counts.push(Count { kernel: kernel.to_owned(), instructions });
    }
    Ok(counts)
}
