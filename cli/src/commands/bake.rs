//! `bitwall bake`: writes levels as baked levels, which games read without a loader. With `--check` it
//! compares the files on the disk with what it would write.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::{Answer, Failure, LevelFile, LevelsArgs, output, outs};
use bitwall::Limits;
use bitwall::error::io_reason;
use bitwall::load::{Links, read_file};
use bitwall::text::{counted, printable_path};

/// Write levels as baked levels (.bwl), which a game reads without a loader
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall bake cave.tmx
      as cave.bwl
  bitwall bake maps/*.tmx -o baked
      each into the folder baked
  bitwall bake --check maps/*.tmx -o baked
      whether baking again would write the same files

Exit codes: 0 done, or all files are as baking writes them, 1 with --check a file is missing, differs,
cannot be compared, or comes from none of the levels, 2 an error.")]
pub(super) struct BakeArgs {
    /// The .bwl file to write, or an existing folder; - is standard output [default: LEVEL.bwl in the current
    /// folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Write nothing; bake each level in memory and compare it with the file that would be written. In a
    /// folder named with -o, also find .bwl files that none of the levels makes
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    level: LevelsArgs,
}

pub(super) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    let files = args.level.files()?;
    let outs = outs(args.out.as_deref(), &files, ".bwl")?;
    for out in &outs {
        // A mistyped output path must not overwrite a map.
        if out != Path::new("-") && out.extension().is_none_or(|ending| ending != "bwl") {
            return Err(Failure::at(out, "a baked level is named .bwl, or - for standard output"));
        }
    }
    if args.check {
        return check(args, &files, &outs);
    }
    for (file, out) in files.iter().zip(outs) {
        let bytes = baked(args, file)?;
        output::write_bytes(&out, &bytes)?;
        if out != Path::new("-") {
            let size = counted(bytes.len() as u64, "byte");
            Answer::Yes.print(&format!("{}: {size}\n", printable_path(&out)))?;
        }
    }
    Ok(Answer::Yes)
}

/// Loads a level and returns its baked bytes.
fn baked(args: &BakeArgs, file: &LevelFile) -> Result<Vec<u8>, Failure> {
    let loaded = args.level.load.load(file)?;
    let bytes = output::spinner("baking", || loaded.level.bake());
    bytes.map_err(|error| Failure::at(&file.path, error))
}

/// Compares each file in `outs` with the bytes of its level, and prints one line for each that differs.
fn check(args: &BakeArgs, files: &[LevelFile], outs: &[PathBuf]) -> Result<Answer, Failure> {
    if outs.contains(&PathBuf::from("-")) {
        return Err("--check compares with files; name a .bwl file or a folder with -o".into());
    }
    let mut findings = Vec::new();
    for (file, out) in files.iter().zip(outs) {
        let found = match baked(args, file) {
            Ok(bytes) => difference(file, out, &bytes),
            Err(failure) => Some(format!("cannot be compared: {failure}")),
        };
        findings.extend(found.map(|reason| (out.clone(), reason)));
    }
    if let Some(folder) = args.out.as_deref().filter(|folder| folder.is_dir()) {
        let reason = "none of the levels makes it; remove it, or name its level too";
        findings.extend(others(folder, outs)?.into_iter().map(|path| (path, reason.to_owned())));
    }
    for (path, reason) in &findings {
        Answer::Yes.print(&format!("{}: {reason}\n", printable_path(path)))?;
    }
    let levels = counted(files.len() as u64, "level");
    let found = counted(findings.len() as u64, "finding");
    let _ = writeln!(anstream::stderr(), "{levels} checked: {found}");
    Ok(if findings.is_empty() { Answer::Yes } else { Answer::No })
}

/// Returns how the file `out` differs from `bytes`, which a level bakes to; `None` if it does not.
fn difference(level: &LevelFile, out: &Path, bytes: &[u8]) -> Option<String> {
    if fs::symlink_metadata(out).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound) {
        return Some(format!("is missing; bake {}", printable_path(&level.path)));
    }
    // A level may bake to more bytes than a game may load: the two are compared all the same.
    let limit = Limits::default().file_bytes().max(bytes.len() as u64);
    let found = match read_file(out, Links::Refused, limit) {
        Ok(found) => found,
        Err(kind) => return Some(format!("cannot be compared: {kind}")),
    };
    let level = printable_path(&level.path);
    (found != bytes).then(|| format!("is stale: {level} bakes to other bytes; bake it again"))
}

/// Returns the .bwl files in a folder that are not in `outs`, sorted.
fn others(folder: &Path, outs: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| {
        Failure::at(folder, format!("cannot read the folder: {}", io_reason(&error)))
    })?;
    let mut found: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
    found.retain(|path| {
        path.extension().is_some_and(|ending| ending == "bwl") && !outs.contains(path)
    });
    found.sort_unstable();
    Ok(found)
}
