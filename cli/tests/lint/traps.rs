//! Untrusted repositories: no program in their settings is run, and nothing is written.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::baseline::gray;
use crate::revisions::{clean, commit, git, repository};
use crate::shared::bitwall_in;

/// A repository whose settings name programs. Each program creates a file, its witness, when it runs.
struct Trapped {
    folder: tempfile::TempDir,
    witnesses: tempfile::TempDir,
}

/// The name of each trap, and a git command that runs its program.
const TRAPS: [(&str, &[&str]); 12] = [
    ("clean", &["status"]),
    ("long", &["status"]),
    ("lfs", &["status"]),
    ("submodule", &["status"]),
    ("fsmonitor", &["-c", "core.hooksPath=/dev/null", "status"]),
    ("post-index-change", &["status"]),
    ("smudge", &["checkout", "--", "maps"]),
    ("external", &["diff", "HEAD", "--", "maps"]),
    ("textconv", &["diff", "--no-ext-diff", "HEAD", "--", "maps"]),
    ("ssh", &["cat-file", "-p", "HEAD~1:only_then_mask.png"]),
    ("gpg", &["verify-commit", "HEAD"]),
    ("post-checkout", &["checkout", "-q", "-B", "other"]),
];

impl Trapped {
    fn new() -> Self {
        let folder = repository();
        let this = Self { folder, witnesses: tempfile::tempdir().unwrap() };
        let root = this.root();
        gray(&root.join("only_then_mask.png"), 3, 7);
        let pointer = format!(
            "version https://git-lfs.github.com/spec/v1\noid sha256:{}\nsize 9\n",
            "ab".repeat(32)
        );
        fs::write(root.join("large_mask.png"), &pointer).unwrap();
        fs::write(root.join("sets/more.tsx"), "<tileset").unwrap();
        this.add_submodule();
        commit(root);
        gray(&root.join("only_then_mask.png"), 5, 2);
        gray(&root.join("new_mask.png"), 3, 1);
        fs::write(root.join(".gitattributes"), ATTRIBUTES).unwrap();
        commit(root);
        this.sign();
        this.lose("HEAD~1:only_then_mask.png");
        this.arm();
        // Old time stamps make git compare all files again, and some files have changed.
        for file in ["a_mask.png", "b_mask.png", "maps/clean.tmx", "sets/t.tsx", "large_mask.png"] {
            let status =
                Command::new("touch").args(["-d", "2001-01-01"]).arg(root.join(file)).status();
            assert!(status.unwrap().success());
        }
        gray(&root.join("a_mask.png"), 9, 3);
        let map = fs::read_to_string(root.join("maps/m.tmx")).unwrap();
        fs::write(root.join("maps/m.tmx"), format!("{map}\n")).unwrap();
        fs::write(root.join("sets/more.tsx"), "<tilesets").unwrap();
        this
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a program that creates the file `name` when it runs, and returns the path of the program. A
    /// filter passes its input on. Any other program ends immediately, because git would wait for its
    /// output.
    fn program(&self, name: &str) -> PathBuf {
        let path = self.witnesses.path().join("programs").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let witness = self.witnesses.path().join(name);
        let end = if ["clean", "smudge"].contains(&name) { "exec cat" } else { "exit 0" };
        fs::write(&path, format!("#!/bin/sh\ntouch '{}'\n{end}\n", witness.display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Returns the traps that ran since the last call.
    fn take(&self) -> Vec<String> {
        let entries = fs::read_dir(self.witnesses.path()).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| entry.file_type().unwrap().is_file());
        let names = files.map(|entry| {
            fs::remove_file(entry.path()).unwrap();
            entry.file_name().into_string().unwrap()
        });
        names.collect()
    }

    /// Adds a repository inside the repository. Its file watcher is a trap.
    fn add_submodule(&self) {
        let inner = self.root().join("inner");
        clean(&inner.join("c_mask.png"), [32, 8]);
        git(&inner, &["init", "--quiet"]);
        commit(&inner);
        let program = self.program("submodule");
        git(&inner, &["config", "core.fsmonitor", program.to_str().unwrap()]);
    }

    /// Adds a signature to the current commit, which git verifies with a program.
    fn sign(&self) {
        let run = |args: &[&str], input: &str| {
            let script = format!("printf '%s' \"$0\" | git {}", args.join(" "));
            let mut command = Command::new("sh");
            let output = command.args(["-c", &script, input]).current_dir(self.root()).output();
            String::from_utf8(output.unwrap().stdout).unwrap()
        };
        let text = run(&["cat-file", "commit", "HEAD"], "");
        let signature =
            "gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n";
        let signed = text.replacen("\n\n", &format!("\n{signature}"), 1);
        let id = run(&["hash-object", "-t", "commit", "-w", "--stdin"], &signed);
        git(self.root(), &["update-ref", "HEAD", id.trim()]);
    }

    /// Removes an object from the repository, like in a partial clone.
    fn lose(&self, name: &str) {
        let output =
            Command::new("git").args(["rev-parse", name]).current_dir(self.root()).output();
        let id = String::from_utf8(output.unwrap().stdout).unwrap();
        let (folder, file) = id.trim().split_at(2);
        fs::remove_file(self.root().join(".git/objects").join(folder).join(file)).unwrap();
    }

    fn arm(&self) {
        let root = self.root();
        let hooks = self.witnesses.path().join("programs");
        for hook in ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction"] {
            self.program(hook);
        }
        let set = |key: &str, value: &str| git(root, &["config", key, value]);
        for (key, name) in [
            ("filter.trap.clean", "clean"),
            ("filter.trap.smudge", "smudge"),
            ("filter.long.process", "long"),
            ("filter.lfs.process", "lfs"),
            ("core.fsmonitor", "fsmonitor"),
            ("diff.external", "external"),
            ("diff.trap.textconv", "textconv"),
            ("core.sshCommand", "ssh"),
            ("core.gitProxy", "proxy"),
            ("core.pager", "pager"),
            ("core.editor", "editor"),
            ("core.askPass", "ask"),
            ("credential.helper", "credential"),
            ("gpg.program", "gpg"),
            ("uploadpack.packObjectsHook", "pack"),
        ] {
            set(key, self.program(name).to_str().unwrap());
        }
        for name in ["rev-parse", "ls-files", "ls-tree", "diff-index", "cat-file", "merge-base"] {
            set(&format!("alias.{name}"), &format!("!{}", self.program("alias").display()));
            set(&format!("pager.{name}"), self.program("pager").to_str().unwrap());
        }
        for (key, value) in [
            ("core.repositoryformatversion", "1"),
            ("core.hooksPath", hooks.to_str().unwrap()),
            ("core.untrackedCache", "true"),
            ("filter.trap.required", "true"),
            ("extensions.partialClone", "origin"),
            ("remote.origin.url", "ssh://trap.invalid/x"),
            ("remote.origin.promisor", "true"),
            ("log.showSignature", "true"),
            ("status.submoduleSummary", "true"),
            ("diff.submodule", "diff"),
        ] {
            set(key, value);
        }
    }
}

const ATTRIBUTES: &str = "\
*.tmx filter=trap diff=trap
*_mask.png filter=trap diff=trap
*.tsx filter=long
large_mask.png filter=lfs
";

fn index(root: &Path) -> Vec<u8> {
    fs::read(root.join(".git/index")).unwrap()
}

/// Returns all files of the folder `.git`, with their content.
fn own_files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(own_files(&path)),
            false => files.push((path.clone(), fs::read(path).unwrap())),
        }
    }
    files.sort();
    files
}

#[test]
fn verify_and_diff_run_no_program_of_a_repository_and_change_no_file() {
    let trapped = Trapped::new();
    let root = trapped.root();
    trapped.take();
    let (old, all) = (index(root), own_files(&root.join(".git")));
    let runs: [(&Path, &[&str], i32); 9] = [
        (root, &["verify", "--diff", "HEAD"], 0),
        (root, &["verify", "--diff", "HEAD~1", "--format", "json"], 1),
        (root, &["verify", "--diff", "trunk", "--annotate", "drawn"], 0),
        (root, &["verify", "--fix"], 1),
        (root, &["verify", "."], 1),
        (&root.join("maps"), &["verify", "--diff", "HEAD~1", "clean.tmx"], 0),
        (root, &["diff", "HEAD:maps/m.tmx", "maps/m.tmx"], 0),
        (root, &["diff", "HEAD:a_mask.png", "HEAD~1:only_then_mask.png"], 2),
        (root, &["init", "--dry-run"], 0),
    ];
    for (folder, args, expected) in runs {
        let (code, out, err) = bitwall_in(folder, args, "");
        assert_eq!(trapped.take(), [""; 0], "{args:?}");
        assert!(index(root) == old, "{args:?} has written the index");
        assert_eq!(code, expected, "{args:?}: {out}{err}");
    }
    assert!(own_files(&root.join(".git")) == all, "the folder .git has changed");
    // The environment variables that a hook of another repository sets have no effect.
    let plain = bitwall_in(root, &["verify", "--diff", "HEAD~1"], "");
    let mut command = Command::new(env!("CARGO_BIN_EXE_bitwall"));
    command.args(["verify", "--diff", "HEAD~1"]).current_dir(root);
    command.env("GIT_DIR", root.join("inner/.git")).env("GIT_WORK_TREE", root.join("inner"));
    command.env("GIT_INDEX_FILE", root.join("none")).env("GIT_PREFIX", "maps/");
    for name in ["GIT_EXTERNAL_DIFF", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_PAGER", "GIT_ASKPASS"] {
        command.env(name, trapped.program("variable"));
    }
    let Output { status, stdout, .. } = command.output().unwrap();
    assert_eq!((status.code(), String::from_utf8(stdout).unwrap()), (Some(plain.0), plain.1));
    assert_eq!(trapped.take(), [""; 0], "with variables");
    assert!(index(root) == old);
    // Verifies that each trap works, in a copy of the repository.
    for (name, args) in TRAPS {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        assert!(Command::new("cp").arg("-Rp").args([root, &copy]).status().unwrap().success());
        // A long-running filter that ends early ends git too, before the other traps run. So the others are
        // turned off.
        let is_other = |key: &&str| !key.contains(&format!("filter.{name}."));
        let others = ["filter.lfs.process=", "filter.long.process="].into_iter().filter(is_other);
        let mut command = Command::new("git");
        for key in others {
            command.args(["-c", key]);
        }
        let _ = command.args(args).current_dir(&copy).output().unwrap();
        assert!(trapped.take().iter().any(|it| it == name), "git {args:?} does not run {name}");
    }
}

#[test]
fn a_bare_repository_is_an_error_for_verify_but_not_for_diff() {
    let root = repository();
    let root = root.path();
    let folder = tempfile::tempdir().unwrap();
    let bare = folder.path().join("bare/.git");
    git(root, &["clone", "--quiet", "--bare", ".", bare.to_str().unwrap()]);
    let beside = bare.parent().unwrap();
    gray(&beside.join("a_mask.png"), 3, 2);
    let (code, out, err) = bitwall_in(beside, &["verify", "--diff", "trunk"], "");
    assert!((code, &*out) == (2, "") && err.contains("is bare: it has no working tree"), "{err}");
    // Levels of its commits are compared, and its working trees are checked.
    let args = ["diff", "trunk:a_mask.png", "trunk:b_mask.png"];
    for folder in [beside, &bare] {
        let (code, out, err) = bitwall_in(folder, &args, "");
        assert_eq!((code, &*err), (0, ""), "{out}");
    }
    git(&bare, &["worktree", "add", "--quiet", "../tree", "trunk"]);
    let tree = beside.join("tree");
    gray(&tree.join("new_mask.png"), 3, 2);
    let (code, out, err) = bitwall_in(&tree, &["verify", "--diff", "trunk"], "");
    assert!(code == 1 && out.contains("new_mask.png") && err.contains("1 file checked"), "{err}");
}

#[test]
fn a_repository_of_another_owner_is_refused_with_the_message_of_git() {
    let root = repository();
    for args in [&["verify", "--diff", "trunk"][..], &["diff", "trunk:a_mask.png", "b_mask.png"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_bitwall"))
            .args(args)
            .current_dir(root.path())
            .env("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
            .output()
            .unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains("dubious ownership") && err.contains("safe.directory"), "{err}");
    }
}
