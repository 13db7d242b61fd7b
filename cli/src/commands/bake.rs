//! `bitwall bake`: writes levels as baked levels, which games read without a loader. Also finds baked levels
//! that are not up to date.

mod sources;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::level_args::{LevelFile, LoadArgs, StdinArgs, read_stdin};
use super::output;
use super::{Answer, Failure};
use bitwall::load::BakeOptions;
use bitwall::text::{counted, printable_path};

/// Write levels as baked levels (.bwl), which a game reads without a loader
#[derive(Args)]
#[command(after_help = "\
Examples:
  bitwall bake cave.tmx
      as cave.bwl
  bitwall bake maps/*.tmx -o baked --provenance
      each into the folder baked, with the reasons that its cells are solid
  bitwall bake --check baked
      whether the sources of all baked levels in the folder are as they were

Exit codes: 0 done, or nothing out of date, 1 with --check a baked level is stale, damaged or without its
source, 2 an error.")]
pub(super) struct BakeArgs {
    /// Tiled maps (.tmx, .tmj), worlds of maps (.world), LDtk projects (.ldtk) or masks (.png, .gif, .bmp,
    /// .webp, .tga); - is a level on standard input
    #[arg(value_name = "LEVEL", required_unless_present = "check")]
    levels: Vec<PathBuf>,
    /// The .bwl file to write, or an existing folder; - is standard output [default: LEVEL.bwl in the current
    /// folder]
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep the reasons why cells are solid, for `can-move` and for games that show them
    #[arg(long)]
    provenance: bool,
    /// Write nothing; compare the baked levels in this folder with their source files and with the load
    /// options, which must be the same as for baking. A level that was baked from standard input or into
    /// another repository has no hash of its sources
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["levels", "out", "provenance", "stdin_name"])]
    check: Option<PathBuf>,
    #[command(flatten)]
    stdin: StdinArgs,
    #[command(flatten)]
    load: LoadArgs,
}

pub(super) fn run(args: &BakeArgs) -> Result<Answer, Failure> {
    if let Some(folder) = &args.check {
        return sources::check(folder, &args.load);
    }
    let read = read_stdin(&args.levels, &args.stdin, &args.load)?;
    let files: Vec<LevelFile> = match read {
        Some((path, bytes)) if args.levels.len() == 1 => {
            vec![LevelFile { path, bytes: Some(bytes) }]
        }
        Some(_) => {
            let reason = "a level on standard input is baked alone; give the others by themselves";
            return Err(Failure::Other(reason.to_owned()));
        }
        None => args.levels.iter().map(LevelFile::on_disk).collect(),
    };
    let outs = outs(args, &files)?;
    for (file, out) in files.iter().zip(outs) {
        let loaded = args.load.load(file)?;
        let sources = sources::of(file, &out, &loaded)?;
        let options = BakeOptions { provenance: args.provenance, sources };
        let name = || printable_path(&file.path);
        let bytes = output::spinner("baking", || loaded.bake(&options))
            .map_err(|error| Failure::Other(format!("{}: {error}", name())))?;
        output::write_bytes(&out, &bytes)?;
        if out != Path::new("-") {
            let size = counted(bytes.len() as u64, "byte");
            let line = writeln!(std::io::stdout().lock(), "{}: {size}", printable_path(&out));
            Answer::Yes.once(line)?;
        }
    }
    Ok(Answer::Yes)
}

fn outs(args: &BakeArgs, files: &[LevelFile]) -> Result<Vec<PathBuf>, Failure> {
    let name = |file: &LevelFile| {
        Path::new(file.path.file_name().unwrap_or_default()).with_extension("bwl")
    };
    let outs: Vec<PathBuf> = match &args.out {
        None => files.iter().map(name).collect(),
        Some(folder) if folder.is_dir() => {
            files.iter().map(|file| folder.join(name(file))).collect()
        }
        Some(_) if files.len() > 1 => {
            let reason = "several levels are baked into a folder that is there; name one with -o";
            return Err(Failure::Other(reason.to_owned()));
        }
        Some(out) => vec![out.clone()],
    };
    let mut known = BTreeSet::new();
    for out in &outs {
        let shown = printable_path(out);
        // A mistyped output path must not overwrite a map.
        if out != Path::new("-") && out.extension().is_none_or(|ending| ending != "bwl") {
            let reason = format!("{shown}: a baked level is named .bwl, or - for standard output");
            return Err(Failure::Other(reason));
        }
        if !known.insert(out) {
            let reason =
                format!("{shown}: two of the levels would be this file; bake one by itself");
            return Err(Failure::Other(reason));
        }
    }
    Ok(outs)
}
