//! The workflow of a release: what it may do, what it installs, and how its archives are fetched and verified.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::ci::{bash, blocks, read};
use crate::shared::{folder, root as repository};

/// A `curl` that takes `file:` where the script allows `https:` alone.
const FROM_FILES: &str = "curl() { command curl \"${@/#=https/=file}\"; }; export -f curl;";

/// Returns the files in `folders` of the repository, without their subfolders.
fn files(folders: &[&str]) -> Vec<PathBuf> {
    let entries =
        folders.iter().flat_map(|folder| fs::read_dir(repository().join(folder)).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_file()).collect()
}

/// Returns the workflows, the action and the example workflow, with their texts.
fn workflows() -> Vec<(PathBuf, String)> {
    let mut paths = files(&[".github/workflows"]);
    paths.extend(["action.yml", "examples/ci/github.yml"].map(|path| repository().join(path)));
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Returns the jobs of the release, each with its text.
fn jobs() -> BTreeMap<String, String> {
    let all = blocks(&read(".github/workflows/release.yml"), "jobs").concat();
    let mut jobs = BTreeMap::<String, String>::new();
    let mut name = String::new();
    for line in all.lines().filter(|line| !line.trim_start().starts_with('#')) {
        if !line.starts_with(' ') && !line.is_empty() {
            name = line.trim_end_matches(':').to_owned();
        }
        *jobs.entry(name.clone()).or_default() += &format!("{line}\n");
    }
    jobs
}

/// Returns the scripts of all steps in `yaml`.
fn scripts(yaml: &str) -> Vec<String> {
    let short = yaml.lines().filter_map(|line| {
        line.trim_start().trim_start_matches("- ").strip_prefix("run: ").filter(|it| *it != "|")
    });
    blocks(yaml, "run").into_iter().chain(short.map(str::to_owned)).collect()
}

#[test]
fn actions_are_pinned_by_commit_and_checkouts_keep_no_credentials() {
    let pin = regex_lite::Regex::new(r"^([\w-]+/[\w./-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$").unwrap();
    let mut pins = BTreeMap::<String, String>::new();
    for (path, text) in workflows() {
        let steps = text.lines().filter_map(|line| Some((line, line.split_once("uses: ")?.1)));
        for (line, uses) in steps.filter(|(_, uses)| !uses.starts_with("OWNER/bitwall@")) {
            let Some(found) = pin.captures(uses) else { panic!("{path:?}: {line}") };
            let other = pins.insert(found[1].to_owned(), uses.to_owned());
            assert!(other.is_none_or(|other| other == uses), "two versions of {uses}");
        }
        let checkouts = text.matches("uses: actions/checkout@").count();
        let inputs = blocks(&text, "with");
        let without = inputs.iter().filter(|it| it.contains("persist-credentials: false")).count();
        assert_eq!(checkouts, without, "{path:?}");
    }
    assert!(pins.len() >= 5, "{pins:?}");
}

#[test]
fn no_script_has_an_expression_and_no_workflow_runs_a_strangers_tree_with_rights() {
    for (path, text) in workflows() {
        assert!(!text.contains("pull_request_target"), "{path:?}");
        assert!(!text.contains("workflow_run"), "{path:?}");
        let scripts = scripts(&text);
        assert!(scripts.iter().all(|script| !script.contains("${{")), "{path:?}: it would be run");
    }
}

#[test]
fn the_job_that_may_write_compiles_and_installs_nothing() {
    let text = read(".github/workflows/release.yml");
    assert!(text.contains("\npermissions: {}\n"), "a job has what it asks for, and no more");
    let mut writers = Vec::new();
    for (name, job) in jobs() {
        let permissions = blocks(&job, "permissions").concat();
        if permissions == "contents: read" {
            continue;
        }
        assert!(permissions.contains("write"), "{name}: {permissions}");
        let word = regex_lite::Regex::new(
            r"(cargo|rustup|rustc|pip|npm|apt-get|curl|wget|bash|make|buildx create)\b",
        );
        for script in scripts(&job) {
            assert!(!word.as_ref().unwrap().is_match(&script), "{name}: {script}");
            // Neither a script of the repository.
            assert!(!script.contains("./") && !script.contains("cli/"), "{name}: {script}");
        }
        writers.push(name);
    }
    assert_eq!(writers, ["publish"]);
    assert!(jobs()["publish"].contains("needs: [test, build]"));
}

#[test]
fn what_builds_the_archives_has_versions_and_hashes() {
    let build = &jobs()["build"];
    assert!(!build.contains("nightly") && !build.contains("cargo install"), "{build}");
    let pips = build.lines().filter(|line| line.contains("pip install"));
    let pips: Vec<&str> = pips.collect();
    assert!(
        pips.len() == 1 && pips[0].contains("--require-hashes --only-binary :all:"),
        "{pips:?}"
    );
    let line = regex_lite::Regex::new(r"^[\w-]+==[\d.]+ --hash=sha256:[0-9a-f]{64}$").unwrap();
    let requirements = read(".github/requirements.txt");
    for requirement in requirements.lines().filter(|line| !line.starts_with('#')) {
        assert!(line.is_match(requirement), "{requirement}");
    }
    let version = regex_lite::Regex::new(r"cargo install --locked [\w-]+@\d+\.\d+\.\d+\n").unwrap();
    let test = &jobs()["test"];
    assert_eq!(test.matches("cargo install").count(), version.find_iter(test).count(), "{test}");
}

#[test]
fn the_publishing_job_takes_only_the_files_of_the_building_job() {
    let publish = &jobs()["publish"];
    let step = scripts(publish).into_iter().find(|script| script.contains("$SUMS")).unwrap();
    let root = folder(&[("dist/bitwall-1-b.tar.gz", "b"), ("dist/bitwall-1-A.tar.gz", "a")]);
    let dist = root.path().join("dist");
    assert!(bash("sha256sum *.tar.gz > SHA256SUMS", &dist, &[]).status.success());
    let sums = bash("sha256sum < SHA256SUMS | cut -d ' ' -f 1", &dist, &[]).stdout;
    let sums = String::from_utf8(sums).unwrap();
    let run = |sums: &str| bash(&step, root.path(), &[("SUMS", sums.trim_end())]).status.success();
    assert!(run(&sums));
    assert!(!run(""), "the building job gave no hash");
    for change in [
        "echo x >> bitwall-1-b.tar.gz",
        "echo x >> bitwall-1-b.tar.gz; sha256sum *.tar.gz > SHA256SUMS",
        "touch bitwall-1-c.tar.gz",
        "touch .hidden",
        "rm bitwall-1-b.tar.gz",
        "sed -i 1d SHA256SUMS",
    ] {
        let kept = bash(&format!("cp -r dist kept; cd dist; {change}"), root.path(), &[]);
        assert!(kept.status.success(), "{change}");
        assert!(!run(&sums), "{change}");
        assert!(bash("rm -r dist; mv kept dist", root.path(), &[]).status.success());
    }
    assert!(run(&sums));
}

#[test]
fn every_download_is_by_https_alone() {
    let mut paths =
        files(&[".ci", ".github", ".github/workflows", "cli", "examples/ci", "bindings/python"]);
    let others = ["action.yml", ".pre-commit-hooks.yaml", "README.md", "examples/README.md"];
    paths.extend(others.map(|path| repository().join(path)).into_iter().filter(|it| it.exists()));
    let download = regex_lite::Regex::new(r"(^|[\s(|;&])(curl|wget) +[-\w\x22$h]").unwrap();
    let mut found = 0;
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for line in text.lines().filter(|line| download.is_match(line)) {
            assert!(line.contains("curl --proto '=https' --tlsv1.2 "), "{path:?}: {line}");
            found += 1;
        }
    }
    assert!(found >= 1);
}

#[cfg(target_os = "linux")]
#[test]
fn the_install_script_uses_a_release_only_if_its_checksum_matches() {
    let root = folder(&[("bitwall", "#!/bin/sh\necho fetched\n")]);
    let version = format!("v{}", env!("CARGO_PKG_VERSION"));
    let pack = format!(
        "chmod +x bitwall && mkdir {version} && name=bitwall-{}-$(uname -m)-unknown-linux-musl.tar.gz &&
         tar czf {version}/$name bitwall && cd {version} && sha256sum $name > SHA256SUMS",
        &version[1..]
    );
    assert!(bash(&pack, root.path(), &[]).status.success());
    let script = repository().join("cli/program.sh");
    // A fake `cargo` that shows when the script compiles.
    let run = |folder: &str| {
        let fake = "cargo() { echo compiled >&2; exit 7; }; export -f cargo;";
        let command = format!("{FROM_FILES} {fake} {} {folder} file://$PWD", script.display());
        let output = bash(&command, root.path(), &[]);
        (output.status.success(), String::from_utf8(output.stdout).unwrap())
    };
    assert_eq!(run("one"), (true, "one/bitwall\n".to_owned()));
    let text = bash("one/bitwall", root.path(), &[]).stdout;
    assert_eq!(String::from_utf8(text).unwrap(), "fetched\n");
    fs::remove_file(root.path().join("bitwall")).unwrap();
    assert!(bash(&format!("echo x >> {version}/*.tar.gz"), root.path(), &[]).status.success());
    assert!(!run("two").0, "it is compiled instead");
    assert!(run("one").0, "what is there stays");
}

#[cfg(target_os = "linux")]
#[test]
fn the_install_script_takes_the_archive_of_its_system() {
    let root = folder(&[("bitwall", ""), ("bitwall.exe", "")]);
    let version = env!("CARGO_PKG_VERSION");
    let script = repository().join("cli/program.sh");
    for (system, archive, program) in [
        ("Linux x86_64", "x86_64-unknown-linux-musl", "bitwall"),
        ("Linux aarch64", "aarch64-unknown-linux-musl", "bitwall"),
        ("Darwin x86_64", "x86_64-apple-darwin", "bitwall"),
        ("Darwin arm64", "aarch64-apple-darwin", "bitwall"),
        ("MINGW64_NT-10.0-20348 x86_64", "x86_64-pc-windows-gnu", "bitwall.exe"),
        ("MSYS_NT-10.0-20348 x86_64", "x86_64-pc-windows-gnu", "bitwall.exe"),
    ] {
        let (name, machine) = system.split_once(' ').unwrap();
        let command = format!(
            "mkdir -p v{version} && cd v{version} && archive=bitwall-{version}-{archive}.tar.gz &&
             tar czf $archive -C .. {program} && sha256sum $archive > SHA256SUMS && cd .. &&
             uname() {{ case $1 in -s) echo {name} ;; -m) echo {machine} ;; esac; }} && export -f uname &&
             cargo() {{ exit 7; }} && export -f cargo && {FROM_FILES}
             {} '{system}' file://$PWD && rm -r v{version}",
            script.display()
        );
        let output = bash(&command, root.path(), &[]);
        assert!(output.status.success(), "{system}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(root.path().join(system).join(program).exists(), "{system}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_install_script_takes_an_archive_by_https_alone() {
    let root = folder(&[("bitwall", "")]);
    let version = env!("CARGO_PKG_VERSION");
    let script = repository().join("cli/program.sh");
    let command = format!(
        "mkdir v{version} && cd v{version} && name=bitwall-{version}-$(uname -m)-unknown-linux-musl.tar.gz &&
         tar czf $name -C .. bitwall && sha256sum $name > SHA256SUMS && cd .. &&
         cargo() {{ exit 7; }} && export -f cargo && {} one file://$PWD",
        script.display()
    );
    let output = bash(&command, root.path(), &[]);
    assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!root.path().join("one/bitwall").exists());
}

/// Runs the install script with an archive at github.com and a `gh` whose login ends with the code `login`, and whose
/// verification with the code `verified` and the text `answer`. Returns whether the archive was taken, what `gh` was
/// asked, and the messages.
#[cfg(target_os = "linux")]
fn install_with_gh(login: u8, verified: u8, answer: &str) -> (bool, String, String) {
    let root = folder(&[("bitwall", ""), ("asked", "")]);
    let version = env!("CARGO_PKG_VERSION");
    let command = format!(
        "mkdir v{version} && cd v{version} && name=bitwall-{version}-$(uname -m)-unknown-linux-musl.tar.gz &&
         tar czf $name -C .. bitwall && sha256sum $name > SHA256SUMS && cd ..
         curl() {{
             while [ $# -gt 1 ]; do
                 case $1 in https://*) from=${{1#https://github.com/o/bitwall/releases/download/}} ;; -o) to=$2 ;; esac
                 shift
             done
             cp \"$from\" \"$to\"
         }}
         gh() {{
             case $* in
                 'attestation verify --help') ;;
                 'auth status '*) return {login} ;;
                 *) echo \"$*\" > asked; echo '{answer}'; return {verified} ;;
             esac
         }}
         cargo() {{ echo \"token: ${{GH_TOKEN-none}}\" >&2; exit 7; }}
         export -f curl gh cargo
         {} one https://github.com/o/bitwall/releases/download",
        repository().join("cli/program.sh").display()
    );
    let output = bash(&command, root.path(), &[("GH_TOKEN", "secret")]);
    let asked = fs::read_to_string(root.path().join("asked")).unwrap();
    (output.status.success(), asked, String::from_utf8(output.stderr).unwrap())
}

#[cfg(target_os = "linux")]
#[test]
fn the_install_script_uses_a_release_only_if_its_workflow_made_it() {
    let made = r#"[{"verificationResult":{}}]"#;
    let (is_taken, asked, err) = install_with_gh(0, 0, made);
    assert!(is_taken && err.is_empty(), "{err}");
    let version = env!("CARGO_PKG_VERSION");
    let identity =
        format!("https://github.com/o/bitwall/.github/workflows/release.yml@refs/tags/v{version}");
    for argument in ["attestation verify one/bitwall-", "--repo o/bitwall ", &identity] {
        assert!(asked.contains(argument), "{asked}");
    }
    // The last one is gh before 2.67, which has no word against an archive that nobody attested.
    for (verified, answer) in [(1, ""), (1, made), (0, "")] {
        let (is_taken, _, err) = install_with_gh(0, verified, answer);
        assert!(!is_taken && err.contains("is compiled"), "{verified} {answer}: {err}");
        assert!(err.contains("token: none"), "code of other people runs: {err}");
    }
    let (is_taken, asked, err) = install_with_gh(1, 1, "");
    assert!(is_taken && asked.is_empty() && err.contains("who made it is not known"), "{err}");
}
