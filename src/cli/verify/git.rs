//! The answers of `git` about a repository: a revision, the files that differ from it, and the content of
//! files in it. It is run as a process, without a shell.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::cli::Failure;
use crate::text::printable;
use crate::verify::fingerprint::slashed;

/// The `git` of a repository.
pub(super) struct Git {
    root: PathBuf,
}

impl Git {
    pub(super) fn of(root: PathBuf) -> Self {
        Self { root }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(args);
        // It must not write to the index, nor ask anybody for a password.
        command.env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
        command.stdin(Stdio::null());
        command
    }

    /// The standard output of a command; `None` if it fails.
    fn output(&self, args: &[&str]) -> Result<Option<Vec<u8>>, Failure> {
        let output = self.command(args).stderr(Stdio::null()).output();
        let output = output.map_err(|error| {
            let reason = crate::error::io_reason(&error);
            Failure::Other(format!("--diff: cannot run `git`: {reason}"))
        })?;
        Ok(output.status.success().then_some(output.stdout))
    }

    /// The commit at which `revision` and the current one part; `revision` itself if they share none.
    pub(super) fn base(&self, revision: &str) -> Result<String, Failure> {
        let unknown = || {
            let name = printable(revision);
            Failure::Other(format!(
                "--diff: there is no revision `{name}` here; in a CI job, fetch it first (a shallow clone \
                 has only one)"
            ))
        };
        // It would be an option.
        if revision.starts_with('-') {
            return Err(unknown());
        }
        let commit = format!("{revision}^{{commit}}");
        let commit = self.output(&["rev-parse", "--verify", "--quiet", &commit])?;
        let commit = line(commit).ok_or_else(unknown)?;
        Ok(line(self.output(&["merge-base", &commit, "HEAD"])?).unwrap_or(commit))
    }

    /// The paths of the files that differ from a commit, from the root on: those that were changed, added or
    /// removed, and those that `git` does not know yet.
    pub(super) fn changed_since(&self, commit: &str) -> Result<BTreeSet<PathBuf>, Failure> {
        let diff = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", commit, "--"];
        let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
        let mut changed = BTreeSet::new();
        for args in [&diff[..], &untracked] {
            let names = self
                .output(args)?
                .ok_or_else(|| Failure::Other(format!("--diff: `git {}` failed", args[0])))?;
            let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
            changed.extend(names.map(path_of));
        }
        Ok(changed)
    }

    /// The files of a commit.
    pub(super) fn files_of(&self, commit: &str) -> Result<Blobs, Failure> {
        let mut command = self.command(&["cat-file", "--batch"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let failed = || Failure::Other("--diff: cannot run `git cat-file`".to_owned());
        let mut child = command.spawn().map_err(|_| failed())?;
        let (asked, told) = (child.stdin.take(), child.stdout.take());
        let (asked, told) = asked.zip(told).ok_or_else(failed)?;
        Ok(Blobs {
            child,
            asked: Some(asked),
            told: BufReader::new(told),
            commit: commit.to_owned(),
        })
    }
}

/// The files of a commit, by one process that is asked for one after the other.
pub(super) struct Blobs {
    child: Child,
    /// `None` at the end only.
    asked: Option<ChildStdin>,
    told: BufReader<ChildStdout>,
    commit: String,
}

impl Blobs {
    /// The content of the file at `path`, from the root on; `None` if the commit has no file of this name, or
    /// if it is larger than `limit` bytes.
    pub(super) fn read(&mut self, path: &Path, limit: u64) -> Option<Vec<u8>> {
        let name = slashed(path);
        // A line is a question.
        if name.contains(&b'\n') {
            return None;
        }
        let question = [self.commit.as_bytes(), b":", &name, b"\n"].concat();
        let asked = self.asked.as_mut()?;
        asked.write_all(&question).and_then(|()| asked.flush()).ok()?;
        let mut head = Vec::new();
        self.told.read_until(b'\n', &mut head).ok()?;
        // `ID blob SIZE`, or `NAME missing`.
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut words = head.trim_end().rsplit(' ');
        let size: u64 = words.next()?.parse().ok()?;
        let is_file = words.next() == Some("blob");
        let mut content = (&mut self.told).take(size + 1);
        if !is_file || size > limit {
            std::io::copy(&mut content, &mut std::io::sink()).ok()?;
            return None;
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).ok()?;
        bytes.pop();
        Some(bytes)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // At the end of its questions the process ends.
        drop(self.asked.take());
        let _ = self.child.wait();
    }
}

fn line(output: Option<Vec<u8>>) -> Option<String> {
    let text = String::from_utf8(output?).ok()?;
    let first = text.lines().next()?.trim();
    (!first.is_empty()).then(|| first.to_owned())
}

/// A path as `git` writes it.
fn path_of(name: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(OsStr::from_bytes(name))
    }
    #[cfg(not(unix))]
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(name)))
}
