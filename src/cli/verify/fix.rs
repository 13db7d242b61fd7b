//! `bitwall verify --fix`: repairs masks before they are checked.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::annotate;
use crate::cli::Failure;
use crate::cli::output::{Fault, write_whole};
use crate::image::ImageFormat;
use crate::load::disk::{Links, read_file};
use crate::text::{counted, printable, printable_path};
use crate::verify::fix::{Fix, FixError, fix_mask};
use crate::verify::{
    Baseline, Checked, KnownFaults, RuleLevel, RuleSet, VerifyOptions, rule_by_name, verify_bytes,
};

/// Repairs the masks among the files, each as a whole or not at all, and tells each change on standard
/// error, and where there is none. With `preview`, pictures of the changes are written into that folder
/// instead. A file that cannot be read or loaded is left to the check, which comes next. Findings that the
/// baseline has are accepted, and not repaired, nor are new ones of their rule in the file; `in_repository`
/// is the path that they have in it.
pub(super) fn run(
    files: &[(&PathBuf, VerifyOptions)],
    preview: Option<&Path>,
    known: Option<&Baseline>,
    mut in_repository: impl FnMut(&Path) -> PathBuf,
) -> Result<(), Failure> {
    let mut err = anstream::stderr();
    // The findings are on standard output, so a closed standard error is ignored.
    let mut tell = |name: &dyn std::fmt::Display, line: &str| {
        let _ = writeln!(err, "{name}: {}", printable(line));
    };
    let mut is_quiet = true;
    let known = known.map(Baseline::known_faults);
    for (path, options) in files {
        let Ok(bytes) = read_file(path, Links::Followed, options.load.limits.file_bytes) else {
            continue;
        };
        let name = printable_path(path);
        let (options, accepted) = match &known {
            None => (options.clone(), Vec::new()),
            Some(known) => without_known(path, &bytes, options, known, &mut in_repository),
        };
        for (rule, share) in &accepted {
            tell(&name, &format!("not repaired: {share}its {rule} are known"));
        }
        match fix_mask(path, &bytes, &options) {
            Ok(None) if accepted.is_empty() => continue,
            Ok(None) => {}
            Err(FixError::Load(_)) => continue,
            Err(error) => tell(&name, &error.to_string()),
            Ok(Some(_)) if preview.is_none() && is_read_only(path) => {
                tell(&name, "not repaired: the file is read-only");
            }
            Ok(Some(fix)) => {
                let parted = match preview {
                    Some(folder) => {
                        write_picture(folder, &in_repository(path), &fix).map(|()| 0)?
                    }
                    None => write_mask(path, &fix)?,
                };
                for change in &fix.changes {
                    tell(&name, &change.to_string());
                }
                if parted > 0 {
                    let links = counted(parted, "hard link");
                    let line = format!("parted from {links}: the old content stays there");
                    tell(&name, &line);
                }
            }
        }
        is_quiet = false;
    }
    if is_quiet {
        tell(&"--fix", "no mask has soft edges, two levels, specks or pinholes to repair");
    }
    Ok(())
}

/// The options without the rules that can be repaired and of whose faults in this file some are known, and
/// the names of these rules, each with the share of its faults that is known, in words. A repair takes all
/// faults of a rule at once, so that new ones beside known ones stay.
fn without_known(
    path: &Path,
    bytes: &[u8],
    options: &VerifyOptions,
    known: &KnownFaults<'_>,
    in_repository: impl FnMut(&Path) -> PathBuf,
) -> (VerifyOptions, Vec<(&'static str, &'static str)>) {
    let report = verify_bytes(path, bytes, options);
    let share = report.solid_share;
    let checked = Checked::new([(path.to_owned(), report)], [], in_repository);
    let known_share = |name: &'static str| {
        let found = checked.findings.iter().filter(|it| it.finding.rule.name == name);
        let counts = found.map(|it| known.split(it, share));
        match counts.fold([0, 0], |[known, new], it| [known + it[0], new + it[1]]) {
            [0, _] => None,
            [_, 0] => Some((name, "")),
            _ => Some((name, "some of ")),
        }
    };
    let accepted: Vec<_> = REPAIRED.into_iter().filter_map(known_share).collect();
    let rules = accepted.iter().filter_map(|(name, _)| rule_by_name(name));
    let off = |options: VerifyOptions, rule| options.with_rules(RuleSet::One(rule), RuleLevel::Off);
    (rules.fold(options.clone(), off), accepted)
}

/// The rules whose findings are repaired.
const REPAIRED: [&str; 3] = ["soft-edge", "two-levels", "specks"];

/// True for a file that nobody may write. Another one could take its place, but some version control systems
/// lock files so until they are checked out.
fn is_read_only(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|file| file.permissions().readonly())
}

/// Writes the new mask. It takes the place of the old file in one step, also of one with further names, which
/// keep the old content: a write into the file itself could end in the middle. Returns the number of those.
fn write_mask(path: &Path, fix: &Fix) -> Result<u64, Failure> {
    // The target of a link is replaced, not the link.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    #[cfg(unix)]
    let others = {
        use std::os::unix::fs::MetadataExt;
        fs::metadata(&target).map_or(0, |old| old.nlink().saturating_sub(1))
    };
    #[cfg(not(unix))]
    let others = 0;
    write_whole(&target, |out| out.write_all(&fix.bytes).map_err(Fault::Io))?;
    Ok(others)
}

/// The end of the name of a picture of repairs.
pub(super) const ENDING: &str = ".fix.png";

/// Writes the picture under the mask's path and name with `.fix.png` behind it.
fn write_picture(folder: &Path, path: &Path, fix: &Fix) -> Result<(), Failure> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let encoded = fix.picture().write_to(&mut bytes, ImageFormat::Png);
    encoded.map_err(|error| Failure::Other(error.to_string()))?;
    annotate::write(&annotate::target(folder, path, ENDING), bytes.get_ref())
}
