//! Runs `git`, without a shell, to list and read the files of a revision, and to list the files that changed
//! since.
//!
//! The commands only read objects, names and the index; they never check out, write or fetch. They neither
//! read file contents in the working tree nor refresh the index. So a hostile repository cannot start a
//! program: no hook, filter, file watcher, external diff, pager or transport.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::lint::checked::slashed;
use crate::lint::rules::{Foreign, foreign};
use bitwall::error::{LoadErrorKind, io_reason};
use bitwall::load::{Links, read_file};
use bitwall::text::printable;

/// The longest accepted output of a `git` command, in bytes: enough for the names of about a million files.
const MAX_ANSWER: u64 = 1 << 26;

/// Settings for every `git` command, which override the settings of the repository.
///
/// The present commands run no program without them; a future command may. A folder that is a bare
/// repository is refused: a commit may contain one, with revisions of its own choice.
const SETTINGS: [&str; 4] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "protocol.allow=never",
    "safe.bareRepository=explicit",
];

/// Environment variables that are set for every `git` command. They turn off locks, prompts, fetches and
/// replaced objects, and ask for literal paths and English messages.
const SET: [(&str, &str); 7] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_LITERAL_PATHSPECS", "1"),
    ("LC_ALL", "C"),
];

/// Environment variables that are removed for every `git` command. A git hook sets them for its own
/// repository, but `git` must find the repository of the levels. Settings that the caller passes in
/// `GIT_CONFIG_COUNT` stay.
const UNSET: &str = "GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_ATTR_SOURCE GIT_CEILING_DIRECTORIES \
    GIT_COMMON_DIR GIT_CONFIG GIT_DIR GIT_EXTERNAL_DIFF GIT_GRAFT_FILE GIT_INDEX_FILE GIT_NAMESPACE \
    GIT_OBJECT_DIRECTORY GIT_PREFIX GIT_SHALLOW_FILE GIT_WORK_TREE";

/// The `git` of one folder.
///
/// Every command starts in the nearest folder above that has a `.git`. So a bare repository between the two
/// is never asked, also by a `git` before 2.38, which does not know `safe.bareRepository`.
pub(super) struct Git {
    /// The folder with the `.git`; the given folder, if no folder above it has one.
    top: PathBuf,
    /// The path from `top` to the given folder.
    below: PathBuf,
}

/// The files that differ between a commit and the index or another commit, and the untracked files. Paths are
/// relative to the root of the repository.
#[derive(Debug, Default)]
pub(super) struct IndexChanges {
    /// The current paths of all added, changed, deleted, renamed and untracked files.
    pub(super) paths: BTreeSet<PathBuf>,
    /// The current path of each renamed file -> its old path.
    pub(super) renamed: BTreeMap<PathBuf, PathBuf>,
}

impl Git {
    pub(super) fn new(folder: PathBuf) -> Self {
        let real = std::fs::canonicalize(&folder).unwrap_or_default();
        let top = real.ancestors().find(|above| above.join(".git").exists());
        let below = top.and_then(|top| real.strip_prefix(top).ok()).unwrap_or(Path::new(""));
        let up = below.components().map(|_| "..");
        Self { top: up.fold(folder, |folder, up| folder.join(up)), below: below.to_owned() }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("--no-pager");
        for setting in SETTINGS {
            command.args(["-c", setting]);
        }
        command.arg("-C").arg(&self.top).args(args);
        for name in UNSET.split_ascii_whitespace() {
            command.env_remove(name);
        }
        command.envs(SET).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }

    /// Runs `git` and returns its standard output, or `None` if the command fails. Fails if `git` cannot be
    /// run or prints more than [`MAX_ANSWER`] bytes.
    fn output(&self, args: &[&str]) -> Result<Option<Vec<u8>>, String> {
        let mut child = self.command(args).spawn().map_err(not_run)?;
        let mut bytes = Vec::new();
        let mut read = Ok(0);
        if let Some(out) = child.stdout.take() {
            read = out.take(MAX_ANSWER + 1).read_to_end(&mut bytes);
        }
        // Closing the pipe ends the process, even if its output was too long.
        let ended = child.wait();
        read.map_err(not_run)?;
        if bytes.len() as u64 > MAX_ANSWER {
            return Err(format!("the answer of `git {}` is too long", args[0]));
        }
        Ok(ended.map_err(not_run)?.success().then_some(bytes))
    }

    /// True if the folder is in a working tree, false if it is in a bare repository.
    ///
    /// Fails with git's own message if `git` finds no repository, or refuses it, for example because another
    /// user owns it.
    pub(super) fn has_work_tree(&self) -> Result<bool, String> {
        let mut command = self.command(&["rev-parse", "--is-inside-work-tree"]);
        let output = command.stderr(Stdio::piped()).output().map_err(not_run)?;
        if output.status.success() {
            return Ok(output.stdout.starts_with(b"true"));
        }
        let words = String::from_utf8_lossy(&output.stderr);
        let words = words.lines().find_map(|line| line.strip_prefix("fatal: "));
        let words = words.unwrap_or("it fails without a reason");
        let hint = if words.contains("dubious ownership") {
            "; `git config --global --add safe.directory FOLDER` makes it trust a folder"
        } else {
            ""
        };
        Err(format!("git refuses the repository: {}{hint}", printable(words)))
    }

    /// Returns the commit that `revision` names. Fails if `git` finds no repository, or refuses it.
    pub(super) fn commit(&self, revision: &str) -> Result<Option<String>, String> {
        let commit = format!("{revision}^{{commit}}");
        let asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let found = line(self.output(&asked)?);
        if found.is_none() {
            self.has_work_tree()?;
        }
        Ok(found)
    }

    /// Returns the merge base of `commit` and the current commit; `None` without a common ancestor.
    pub(super) fn merge_base(&self, commit: &str) -> Result<Option<String>, String> {
        Ok(line(self.output(&["merge-base", commit, "HEAD"])?))
    }

    /// Returns the last commit that changed the file `name` of this folder; `None` if there is none.
    pub(super) fn last_change(&self, name: &OsStr) -> Result<Option<String>, String> {
        let path = self.below.join(name);
        let path = path.to_string_lossy();
        Ok(line(self.output(&["rev-list", "--max-count=1", "HEAD", "--", &path])?))
    }

    /// Returns the root of the repository and the path from the root to this folder. For a bare repository,
    /// returns its folder and an empty path. Fails like [`has_work_tree`](Self::has_work_tree).
    pub(super) fn place(&self) -> Result<(PathBuf, PathBuf), String> {
        let (question, below) = if self.has_work_tree()? {
            ("--show-toplevel", self.below.clone())
        } else {
            ("--absolute-git-dir", PathBuf::new())
        };
        let answer = self.output(&["rev-parse", question])?;
        let answer = answer.ok_or_else(|| format!("`git rev-parse {question}` failed"))?;
        Ok((path_of(answer.strip_suffix(b"\n").unwrap_or(&answer)), below))
    }

    /// Lists the files that differ between two commits, `commit` and `to`. Without `to`, lists the files
    /// whose index entry differs from `commit`, and the untracked files that no `.gitignore` names. A moved
    /// file with few changes counts as renamed.
    pub(super) fn changed_since(
        &self,
        commit: &str,
        to: Option<&str>,
    ) -> Result<IndexChanges, String> {
        let mut diff = match to {
            None => vec!["diff-index", "--cached"],
            Some(_) => vec!["diff-tree", "-r"],
        };
        // A `.gitmodules` may tell git to ignore a submodule. Without `-l`, git finds no renames among more
        // than 1,000 moved and edited files.
        diff.extend(["--ignore-submodules=none", "--name-status", "-M", "-l4000", "-z", commit]);
        diff.extend(to.into_iter().chain(["--"]));
        let mut changes = IndexChanges::default();
        let mut fields = self.listed(&diff)?.into_iter();
        while let (Some(state), Some(name)) = (fields.next(), fields.next()) {
            // A rename is `R` with the similarity in percent, then the old and the new name.
            if state.as_os_str().as_encoded_bytes().starts_with(b"R")
                && let Some(now) = fields.next()
            {
                changes.renamed.insert(now.clone(), name);
                changes.paths.insert(now);
            } else {
                changes.paths.insert(name);
            }
        }
        if to.is_none() {
            let untracked = ["ls-files", "--others", "--exclude-standard", "-z"];
            changes.paths.extend(self.listed(&untracked)?);
        }
        Ok(changes)
    }

    /// Returns the paths of all files, links and submodules of `commit`.
    pub(super) fn tree(&self, commit: &str) -> Result<BTreeSet<PathBuf>, String> {
        let paths = self.listed(&["ls-tree", "-r", "--full-tree", "--name-only", "-z", commit])?;
        Ok(paths.into_iter().collect())
    }

    fn listed(&self, args: &[&str]) -> Result<Vec<PathBuf>, String> {
        let output = self.output(args)?.ok_or_else(|| format!("`git {}` failed", args[0]))?;
        Ok(fields(&output))
    }

    pub(super) fn files_of(&self, commit: &str) -> Result<Blobs, String> {
        // Git follows a link in the commit to its target.
        let mut command = self.command(&["cat-file", "--batch", "--follow-symlinks"]);
        command.stdin(Stdio::piped());
        let mut child = command.spawn().map_err(not_run)?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (questions, answers) = pipes.ok_or("`git cat-file` has no pipes")?;
        let answers = BufReader::new(answers);
        let home = line(self.output(&["rev-parse", "--git-common-dir"])?);
        let stored = home.map(|home| self.top.join(home).join("lfs").join("objects"));
        Ok(Blobs { child, questions: Some(questions), answers, commit: commit.to_owned(), stored })
    }
}

/// Reads the files of one commit through a running `git cat-file` process.
pub(super) struct Blobs {
    child: Child,
    /// The standard input of the git process, which takes the names of files; `None` only while this struct
    /// is dropped.
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    commit: String,
    /// The folder where Git LFS stores files; `None` if the folder of the repository is unknown.
    stored: Option<PathBuf>,
}

impl Blobs {
    /// Reads the file at `path`, which is relative to the root of the repository. Follows a Git LFS pointer
    /// to its file. Fails above `limit` bytes.
    pub(super) fn read(&mut self, path: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        let bytes = self.read_stored(path, limit)?;
        if foreign(&bytes) != Some(Foreign::LfsPointer) {
            return Ok(bytes);
        }
        let file = self.fetched(&bytes).ok_or_else(|| {
            io::Error::other(
                "Git LFS has it and has not fetched it; run `git lfs fetch` for the revision",
            )
        })?;
        read_file(&file, Links::Followed, limit)
    }

    /// Reads the file at `path` as the commit has it: a Git LFS pointer is not followed. A file that the
    /// commit or a partial clone lacks is not found.
    pub(super) fn read_stored(
        &mut self,
        path: &Path,
        limit: u64,
    ) -> Result<Vec<u8>, LoadErrorKind> {
        let name = slashed(path);
        let question = [self.commit.as_bytes(), b":", &name, b"\n"].concat();
        // Requests are lines, so a name with a line break cannot be requested.
        let answer = if name.contains(&b'\n') { None } else { self.answer(&question, limit) };
        answer.unwrap_or_else(|| Err(io::Error::from(ErrorKind::NotFound).into()))
    }

    /// Returns the file that a Git LFS pointer names; `None` if it is absent.
    fn fetched(&self, pointer: &[u8]) -> Option<PathBuf> {
        let pointer = std::str::from_utf8(pointer).ok()?;
        let id = pointer.lines().find_map(|line| line.strip_prefix("oid sha256:"))?.trim();
        let is_id = id.len() == 64 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        let stored = self.stored.as_ref().filter(|_| is_id)?;
        Some(stored.join(&id[..2]).join(&id[2..4]).join(id)).filter(|path| path.is_file())
    }

    fn answer(&mut self, question: &[u8], limit: u64) -> Option<Result<Vec<u8>, LoadErrorKind>> {
        let questions = self.questions.as_mut()?;
        questions.write_all(question).and_then(|()| questions.flush()).ok()?;
        let mut head = Vec::new();
        self.answers.read_until(b'\n', &mut head).ok()?;
        // The reply is `ID blob SIZE`, `NAME missing`, or for example `dangling SIZE` for a link.
        let head = String::from_utf8_lossy(&head).into_owned();
        let mut words = head.trim_end().rsplit(' ');
        let found: u64 = words.next()?.parse().ok()?;
        let is_file = words.next() == Some("blob");
        let mut content = (&mut self.answers).take(found + 1);
        if !is_file || found > limit {
            io::copy(&mut content, &mut io::sink()).ok()?;
            let what = "bytes in the file (half of the limit `bytes`)";
            return Some(Err(if is_file {
                LoadErrorKind::TooLarge { what, limit, found }
            } else {
                // A folder, or a link that leads to no file of the commit.
                io::Error::from(ErrorKind::IsADirectory).into()
            }));
        }
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes).ok()?;
        bytes.pop();
        Some(Ok(bytes))
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // Closing the standard input of the process ends it.
        drop(self.questions.take());
        let _ = self.child.wait();
    }
}

fn not_run(error: io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "git cannot be run; is it installed?".to_owned(),
        _ => format!("git cannot be run: {}", io_reason(&error)),
    }
}

fn line(output: Option<Vec<u8>>) -> Option<String> {
    let text = String::from_utf8(output?).ok()?;
    let first = text.lines().next()?.trim();
    (!first.is_empty()).then(|| first.to_owned())
}

fn fields(output: &[u8]) -> Vec<PathBuf> {
    output.split(|byte| *byte == 0).filter(|field| !field.is_empty()).map(path_of).collect()
}

fn path_of(name: &[u8]) -> PathBuf {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        PathBuf::from(OsStr::from_bytes(name))
    }
    #[cfg(not(unix))]
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git(folder: &Path, args: &[&str]) {
        let who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        let run = Command::new("git").args(who).args(args).current_dir(folder).output();
        let output = run.expect("git is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    fn kind(read: Result<Vec<u8>, LoadErrorKind>) -> ErrorKind {
        match read {
            Err(LoadErrorKind::Io(error)) => error.kind(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn git_lists_renamed_changed_and_ignored_files_and_reads_a_commit() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(path, text).expect("written");
        };
        let text: String = (0..40).map(|line| format!("line {line}\n")).collect();
        write("a\u{e4} b.txt", &text);
        write("same", "1");
        write("built/x.tmx", "<map");
        git(folder.path(), &["init", "--quiet", "--initial-branch=trunk"]);
        git(folder.path(), &["add", "."]);
        git(folder.path(), &["commit", "--quiet", "-m", "one"]);
        git(folder.path(), &["mv", "a\u{e4} b.txt", "c.txt"]);
        write("c.txt", &text.replace("line 7\n", "line seven\n"));
        write("new", "2");
        write("same", "2");
        write(".gitignore", "built/\n");
        let here = Git::new(folder.path().to_owned());
        let commit = here.commit("trunk").expect("git runs").expect("a commit");
        assert_eq!(here.merge_base(&commit), Ok(Some(commit.clone())));
        for wrong in ["no/such", "--help", "-h", "", "trunk:same"] {
            assert_eq!(here.commit(wrong), Ok(None), "{wrong}");
        }
        let changes = here.changed_since(&commit, None).expect("git runs");
        let paths: Vec<_> = changes.paths.iter().filter_map(|path| path.to_str()).collect();
        assert_eq!(paths, [".gitignore", "c.txt", "new"]);
        assert_eq!(changes.renamed[Path::new("c.txt")], Path::new("a\u{e4} b.txt"));
        let paths = here.tree(&commit).expect("git runs");
        assert!(paths.len() == 3 && paths.contains(Path::new("a\u{e4} b.txt")), "{paths:?}");
        let mut files = here.files_of(&commit).expect("git runs");
        assert_eq!(files.read(Path::new("same"), 1).expect("one byte"), b"1");
        let large = files.read(Path::new("same"), 0);
        assert!(matches!(large, Err(LoadErrorKind::TooLarge { found: 1, .. })));
        for missing in ["new", "a\nb"] {
            assert_eq!(kind(files.read(Path::new(missing), 9)), ErrorKind::NotFound, "{missing}");
        }
        assert_eq!(kind(files.read(Path::new("built"), 9)), ErrorKind::IsADirectory);
        let below = Git::new(folder.path().join("built"));
        let (_, prefix) = below.place().expect("a repository");
        assert_eq!(prefix, Path::new("built/"));
    }
}
