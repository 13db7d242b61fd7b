//! Compares the drawing time of `bitwall render` with `tmxrasterizer`, Tiled's own rasterizer.
//!
//! Each run is a whole process, from the map file to the PNG file. Both programs draw the ten largest maps of
//! `../shared/corpus`, and the best of three runs counts. The bench fails if the median of the ratios,
//! Tiled's time divided by bitwall's time, is below 3.0. It prints a note and passes if the corpus or the
//! rasterizer is missing.

use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

const NEEDED: f64 = 3.0;
const MAPS: usize = 10;
const RUNS: usize = 3;

fn main() -> ExitCode {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus");
    let Ok(log) = fs::read_to_string(corpus.join("reference/RENDER_LOG.tsv")) else {
        println!("skipped: there is no ../shared/corpus");
        return ExitCode::SUCCESS;
    };
    let mut tiled = Command::new("tmxrasterizer");
    tiled.env("QT_QPA_PLATFORM", "offscreen").arg("--version");
    if tiled.stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        println!("skipped: tmxrasterizer is not installed");
        return ExitCode::SUCCESS;
    }
    let mut maps: Vec<(u64, &str)> = log.lines().skip(1).filter_map(size_and_name).collect();
    maps.sort_by(|a, b| b.cmp(a));
    let mut ratios = Vec::new();
    println!("{:>10} {:>10} {:>7}  map", "bitwall", "Tiled", "ratio");
    for (_, map) in maps {
        if ratios.len() == MAPS {
            break;
        }
        let path = corpus.join(map);
        if let (Some(ours), Some(theirs)) =
            (best(|out| bitwall(&path, out)), best(|out| tiled_draws(&path, out)))
        {
            let ratio = theirs.as_secs_f64() / ours.as_secs_f64();
            println!("{ours:>10.1?} {theirs:>10.1?} {ratio:>7.2}  {map}");
            ratios.push(ratio);
        }
    }
    ratios.sort_by(f64::total_cmp);
    let Some(median) = ratios.get(ratios.len() / 2) else {
        println!("no map was drawn by both");
        return ExitCode::FAILURE;
    };
    println!("median {median:.2}, needed {NEEDED}");
    ExitCode::from(u8::from(*median < NEEDED))
}

/// Parses a line of the log into the number of pixels of a map's picture, and the path of the map.
fn size_and_name(line: &str) -> Option<(u64, &str)> {
    let mut fields = line.split('\t');
    let map = fields.next()?;
    let (width, height) = (fields.nth(2)?, fields.next()?);
    Some((width.parse::<u64>().ok()? * height.parse::<u64>().ok()?, map))
}

fn bitwall(map: &Path, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitwall"));
    command.args(["render", "--view", "art", "--allow-nothing-solid", "-o"]);
    command.arg(out).arg(map);
    command
}

fn tiled_draws(map: &Path, out: &Path) -> Command {
    let mut command = Command::new("tmxrasterizer");
    command.env("QT_QPA_PLATFORM", "offscreen");
    command.args(["--scale", "1"]).arg(map).arg(out);
    command
}

/// Returns the shortest of [`RUNS`] runs of a command that writes a picture; `None` if no run writes one.
fn best(command: impl Fn(&Path) -> Command) -> Option<Duration> {
    let folder = tempfile::tempdir().ok()?;
    let out = folder.path().join("map.png");
    let run = || {
        let mut command = command(&out);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let is_drawn = command.status().ok()?.success() && out.exists();
        is_drawn.then(|| start.elapsed())
    };
    (0..RUNS).filter_map(|_| run()).min()
}
