//! The files for CI systems. Runs the steps of the action, the script of the GitLab job, the pre-commit hook,
//! and the script for several processes. The workflow of a release is in `release.rs`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::shared::{folder, root as repository};

/// Returns the lines below each key `key` in a YAML file: a block (`key: |`) or a list. Understands only the
/// parts of YAML that these files use.
pub(super) fn blocks(yaml: &str, key: &str) -> Vec<String> {
    let mut lines = yaml.lines().peekable();
    let mut found = Vec::new();
    let depth = |line: &str| line.len() - line.trim_start().len();
    while let Some(line) = lines.next() {
        let Some(rest) = line.trim_start().trim_start_matches("- ").strip_prefix(key) else {
            continue;
        };
        if !matches!(rest, ":" | ": |") {
            continue;
        }
        let outer = depth(line);
        let mut block = Vec::new();
        while let Some(line) = lines.next_if(|line| depth(line) > outer || line.trim().is_empty()) {
            block.push(line);
        }
        let inner =
            block.iter().filter(|line| !line.trim().is_empty()).map(|line| depth(line)).min();
        let inner = inner.unwrap_or(0);
        let block: Vec<&str> = block.iter().map(|line| line.get(inner..).unwrap_or("")).collect();
        found.push(block.join("\n"));
    }
    found
}

/// Returns the items of a list, without comments.
fn items(block: &str) -> Vec<String> {
    let items = block.lines().filter_map(|line| line.strip_prefix("- "));
    items.map(str::to_owned).collect()
}

/// Returns the variable `PATH` with the folder of `bitwall` at the front.
fn path() -> std::ffi::OsString {
    let program = Path::new(env!("CARGO_BIN_EXE_bitwall")).parent().unwrap().to_owned();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths([program].into_iter().chain(std::env::split_paths(&others))).unwrap()
}

pub(super) fn bash(script: &str, root: &Path, variables: &[(&str, &str)]) -> Output {
    // Uses the options with which GitHub runs a step of `shell: bash`.
    Command::new("bash")
        .args(["--noprofile", "--norc", "-eo", "pipefail", "-c", script])
        .current_dir(root)
        .env("PATH", path())
        .envs(variables.iter().copied())
        .output()
        .unwrap()
}

/// Creates a project with a clean map, a gray mask, and a gray mask in a folder with a space in its name.
fn project() -> tempfile::TempDir {
    let root = folder(&[(".git/HEAD", ""), ("my levels/.keep", "")]);
    fs::copy("../assets/thin_walls.png", root.path().join("clean_mask.png")).unwrap();
    let gray = "tests/fixtures/verify/gray-pixels/bad_soft.png";
    fs::copy(gray, root.path().join("gray_mask.png")).unwrap();
    fs::copy(gray, root.path().join("my levels/other_mask.png")).unwrap();
    root
}

pub(super) fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

#[test]
fn the_steps_of_the_action_find_faults_and_fail_for_wrong_inputs() {
    let action = read("action.yml");
    let steps = blocks(&action, "run");
    let [sources, install, verify] = &steps[..] else { panic!("{steps:?}") };
    let root = project();
    let runner = tempfile::tempdir().unwrap();
    let github_path = root.path().join("path");
    let output = root.path().join("output");
    let (action_path, output_path) = (repository(), output.to_str().unwrap());
    let variables =
        [("ACTION_PATH", action_path.to_str().unwrap()), ("GITHUB_OUTPUT", output_path)];
    assert!(bash(sources, root.path(), &variables).status.success());
    let written = fs::read_to_string(&output).unwrap();
    let sum = written.trim_end().strip_prefix("sum=").expect("a sum of the sources");
    assert!(sum.len() > 4 && sum.bytes().all(|byte| byte.is_ascii_digit()), "{written}");
    let run = |paths: &str, args: &str, sarif: &str| {
        let variables = [
            ("BITWALL_PATHS", paths),
            ("BITWALL_ARGS", args),
            ("BITWALL_SARIF", sarif),
            ("GITHUB_PATH", github_path.to_str().unwrap()),
            ("ACTION_PATH", "/no/such"),
            ("RUNNER_TEMP", runner.path().to_str().unwrap()),
        ];
        // `bitwall` is in the `PATH` already, so the step `install` does nothing.
        let installed = bash(install, root.path(), &variables);
        assert!(installed.status.success(), "{}", String::from_utf8_lossy(&installed.stderr));
        let output = bash(verify, root.path(), &variables);
        let out = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), out, String::from_utf8(output.stderr).unwrap())
    };
    let (code, out, err) = run(".", "", "");
    assert_eq!(code, 1, "{err}");
    assert!(out.starts_with("::error file=gray_mask.png,title=MSK202"), "{out}");
    let (code, out, err) = run("my levels\nclean_mask.png\n", "--ignore\nMSK202", "found.sarif");
    assert!(code == 0 && !out.contains("::error") && !out.contains("::warning"), "{out}{err}");
    let (code, _, _) = run("my levels", "", "found.sarif");
    let sarif = fs::read_to_string(root.path().join("found.sarif")).unwrap();
    assert!(code == 1 && sarif.contains("my%20levels/other_mask.png"), "{sarif}");
    // Text of an input must not be executed, and an input that cannot be checked must fail.
    for (paths, args) in
        [("$(touch pwned)\n`touch pwned`; touch pwned", ""), ("no such", ""), (".", "--no-such")]
    {
        assert_eq!(run(paths, args, "").0, 2, "{paths:?} {args:?}");
        assert_eq!(run(paths, args, "found.sarif").0, 2, "{paths:?} {args:?}");
    }
    assert!(!root.path().join("pwned").exists());
}

/// Runs the action's last step in `root` with `sarif` as its input. Returns its exit code and its output.
fn verify_with_sarif(root: &Path, sarif: &str) -> (Option<i32>, String) {
    let steps = blocks(&read("action.yml"), "run");
    let runner = tempfile::tempdir().unwrap();
    let variables = [
        ("BITWALL_PATHS", "my levels"),
        ("BITWALL_ARGS", ""),
        ("BITWALL_SARIF", sarif),
        ("RUNNER_TEMP", runner.path().to_str().unwrap()),
    ];
    let output = bash(&steps[2], root, &variables);
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn findings_are_not_written_through_a_link_of_the_tree() {
    use std::os::unix::fs::symlink;
    let root = project();
    let victims = folder(&[("program", "precious"), ("found.sarif", "precious")]);
    let victim = victims.path().join("program");
    symlink(&victim, root.path().join("found.sarif")).unwrap();
    symlink(victims.path().join("new"), root.path().join("dangling.sarif")).unwrap();
    symlink(victims.path(), root.path().join("out")).unwrap();
    fs::create_dir(root.path().join("reports")).unwrap();
    symlink(victims.path(), root.path().join("reports/deep")).unwrap();
    let absolute = root.path().join("found.sarif");
    for (sarif, link) in [
        ("found.sarif", "found.sarif"),
        ("./found.sarif", "./found.sarif"),
        ("dangling.sarif", "dangling.sarif"),
        ("out/found.sarif", "out"),
        ("out/new/found.sarif", "out"),
        ("reports/deep/found.sarif", "reports/deep"),
        (absolute.to_str().unwrap(), absolute.to_str().unwrap()),
    ] {
        let (code, out) = verify_with_sarif(root.path(), sarif);
        assert_eq!(code, Some(2), "{sarif}: {out}");
        let message = format!("::error::the input sarif is {sarif}, and {link} is a link: ");
        assert!(out.starts_with(&message), "{sarif}: {out}");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    assert_eq!(fs::read_to_string(victims.path().join("found.sarif")).unwrap(), "precious");
    assert_eq!(fs::read_dir(victims.path()).unwrap().count(), 2, "nothing is new");

    let (code, out) = verify_with_sarif(root.path(), "reports");
    assert_eq!(code, Some(2));
    assert!(out.starts_with("::error::the input sarif is reports, a folder: "), "{out}");
    // What is no link is replaced: another name of the same file keeps its content.
    fs::write(root.path().join("reports/old.sarif"), "precious").unwrap();
    fs::hard_link(root.path().join("reports/old.sarif"), root.path().join("other")).unwrap();
    assert_eq!(verify_with_sarif(root.path(), "reports/old.sarif").0, Some(1));
    let sarif = fs::read_to_string(root.path().join("reports/old.sarif")).unwrap();
    assert!(sarif.contains("my%20levels/other_mask.png"), "{sarif}");
    assert_eq!(fs::read_to_string(root.path().join("other")).unwrap(), "precious");
}

#[test]
fn the_example_workflow_uses_only_inputs_of_the_action() {
    let inputs = blocks(&read("action.yml"), "inputs").concat();
    let keys = |block: &str| -> Vec<String> {
        let lines = block.lines().filter(|line| !line.starts_with([' ', '#']));
        lines.filter_map(|line| Some(line.split_once(':')?.0.to_owned())).collect()
    };
    let known = keys(&inputs);
    let example = blocks(&read("examples/ci/github.yml"), "with");
    let used = keys(&example[1]);
    assert!(used.len() == 2 && used.iter().all(|key| known.contains(key)), "{known:?} {used:?}");
}

#[test]
fn the_script_of_the_gitlab_job_writes_its_reports() {
    let job = read("examples/ci/gitlab.yml");
    let script = items(&blocks(&job, "script")[0]);
    assert_eq!(script.len(), 6, "{script:?}");
    let root = project();
    fs::rename(root.path().join("my levels"), root.path().join("assets")).unwrap();
    // A branch that brings its reports along, as a link to a file of the runner and as a folder.
    let victims = folder(&[("program", "precious")]);
    let victim = victims.path().join("program");
    std::os::unix::fs::symlink(&victim, root.path().join("bitwall-quality.json")).unwrap();
    fs::create_dir(root.path().join("bitwall-junit.xml")).unwrap();
    // GitLab's shell stops at the first failing command.
    let output = bash(&script.join("\n"), root.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    for file in items(&blocks(&job, "reports").concat())
        .iter()
        .chain(&["bitwall-quality.json".to_owned(), "bitwall-junit.xml".to_owned()])
    {
        let text = fs::read_to_string(root.path().join(file)).unwrap();
        assert!(text.contains("assets/other_mask.png"), "{file}: {text}");
        assert!(job.contains(&format!(": {file}\n")), "{file} is no report of the job");
    }
    assert_eq!(fs::read_to_string(&victim).unwrap(), "precious");
    fs::remove_dir_all(root.path().join("assets")).unwrap();
    let output = bash(&script.join("\n"), root.path(), &[]);
    assert_eq!(output.status.code(), Some(1), "a folder that is not there fails the job");
    assert!(output.stdout.is_empty());
}

/// Runs `script` with programs that take the place of `gh` or `curl`: they write down their arguments, and
/// answer from files. Returns the output and the arguments.
fn with_fake(
    name: &str,
    program: &str,
    script: &str,
    variables: &[(&str, &str)],
) -> (Output, String) {
    use std::os::unix::fs::PermissionsExt;
    let root = folder(&[(name, program), ("log", "")]);
    let fake = root.path().join(name);
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("PATH={}:\"$PATH\"\n", root.path().display());
    let output = bash(&(path + script), root.path(), variables);
    let log = fs::read_to_string(root.path().join("log")).unwrap();
    (output, log)
}

#[test]
fn the_comment_on_github_takes_only_numbers_from_the_run_of_a_strangers_branch() {
    let workflow = read("examples/ci/github-comment.yml");
    for sign in ["checkout", "download-artifact", "pull_request_target", "secrets."] {
        assert!(
            !workflow.lines().any(|line| line.contains(sign) && !line.starts_with('#')),
            "{sign}"
        );
    }
    let script = &blocks(&workflow, "run")[0];
    assert!(!script.contains("${{"), "text of an event would be run as a part of the script");
    // An answer for each question, through the filter of `--jq`.
    let gh = r#"#!/usr/bin/env bash
printf '%s\n' "$*" >> log
filter=. method=GET url=
while [ $# -gt 0 ]; do
    case $1 in --jq) filter=$2; shift ;; --method) method=$2; shift ;; -f) shift ;; repos/*) url=$1 ;; esac
    shift
done
case $method:$url in
    P*) echo '{"html_url":"done"}' ;;
    */pulls) echo "[{\"number\":7,\"head\":{\"sha\":\"old\"}},{\"number\":8,\"head\":{\"sha\":\"abc\"}}]" ;;
    */artifacts*)
        echo '{"artifacts":[{"id":1,"name":"x](http://evil) @all"},{"id":22,"name":"levels-verify.html"}]}' ;;
    */comments) echo "$COMMENTS" ;;
esac | jq -r "$filter"
"#;
    let run = |sha: &str, comments: &str| {
        let variables = [
            ("REPO", "o/r"),
            ("SITE", "https://github.com"),
            ("RUN", "55"),
            ("SHA", sha),
            ("HEAD", "stranger:$(touch pwned)"),
            ("MARK", "<!-- bitwall levels -->"),
            ("COMMENTS", comments),
        ];
        let (output, log) = with_fake("gh", gh, script, &variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        log
    };
    let log = run("abc", "[]");
    assert!(log.contains("-f head=stranger:$(touch pwned)"), "{log}");
    assert!(log.contains("--method POST repos/o/r/issues/8/comments"), "{log}");
    let link = "* [levels-verify.html](https://github.com/o/r/actions/runs/55/artifacts/22)";
    assert!(log.contains(link) && !log.contains("evil") && !log.contains("@all"), "{log}");
    let known = r#"[{"id":3,"user":{"login":"stranger"},"body":"<!-- bitwall levels -->"},
        {"id":4,"user":{"login":"github-actions[bot]"},"body":"<!-- bitwall levels -->\nx"}]"#;
    assert!(run("abc", known).contains("--method PATCH repos/o/r/issues/comments/4"));
    // The branch has moved on since: no comment.
    assert!(!run("gone", "[]").contains("comments"));
}

#[test]
fn the_comment_on_gitlab_links_the_reports_of_each_open_merge_request_once() {
    let job = read("examples/ci/gitlab.yml");
    let script = &blocks(&job, "script")[1];
    let (_, script) = script.split_once("<<'END'\n").unwrap();
    let (script, _) = script.split_once("  END\n").unwrap();
    let curl = r#"#!/usr/bin/env bash
printf '%s\n' "$*" >> log
body= url=${!#}
for argument in "$@"; do case $argument in body=*) body=${argument#body=} ;; esac; done
case $url in
    *state=opened*) echo '[{"iid":5},{"iid":6}]' ;;
    */merge_requests/5) echo '{"head_pipeline":{"id":70,"project_id":9}}' ;;
    */merge_requests/6) echo '{"head_pipeline":null}' ;;
    */9/pipelines/70/jobs)
        echo '[{"name":"other","web_url":"x"},{"name":"levels","web_url":"https://g/f/-/jobs/3"}]' ;;
    */notes\?*) echo "$NOTES" ;;
esac
"#;
    let run = |notes: &str| {
        let variables = [
            ("CI_API_V4_URL", "https://g/api/v4"),
            ("CI_PROJECT_ID", "1"),
            ("BITWALL_TOKEN", "t"),
            ("NOTES", notes),
        ];
        let (output, log) = with_fake("curl", curl, script, &variables);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        log
    };
    let log = run("[]");
    let link = "[faults](https://g/f/-/jobs/3/artifacts/file/levels-verify.html)";
    assert!(log.contains(link) && log.contains("projects/1/merge_requests/5/notes\n"), "{log}");
    let old = r#"[{"id":4,"body":"<!-- bitwall levels -->\nold"}]"#;
    assert!(run(old).contains("--request PUT"));
    let same = "<!-- bitwall levels -->\\nThe levels, by the code of this branch: \
                [faults](https://g/f/-/jobs/3/\
                artifacts/file/levels-verify.html), \
                [changes](https://g/f/-/jobs/3/artifacts/file/levels-diff.html)";
    let log = run(&format!("[{{\"id\":4,\"body\":\"{same}\"}}]"));
    assert!(!log.contains("body="), "{log}");
}

#[test]
fn the_pre_commit_hook_checks_only_levels_and_configurations() {
    let hook = read(".pre-commit-hooks.yaml");
    let field = |key: &str| {
        let line =
            hook.lines().find_map(|line| line.trim_start().strip_prefix(&format!("{key}: ")));
        line.unwrap().trim_matches('\'').to_owned()
    };
    let files = regex_lite::Regex::new(&field("files")).unwrap();
    for name in
        "maps/a.tmx a.TMJ w.world a.ldtk harbor_mask.png x-mask.gif maps/bitwall.toml a.tsx b/c.tj \
        cave_collision.png masks/cave.bmp mask.png"
            .split_whitespace()
    {
        assert!(files.is_match(name), "{name}");
    }
    for name in ["harbor.png", "a.tmx.bak", "unmask.png", "Cargo.toml", "mybitwall.toml"] {
        assert!(!files.is_match(name), "{name}");
    }
    let root = project();
    // Runs the hook like pre-commit: the entry, a path in the repository of the hook, then its arguments and
    // the files.
    let entry = repository().join(field("entry"));
    let args: Vec<String> = serde_json::from_str(&field("args")).unwrap();
    let args = args.join(" ");
    let run = |files: &str| {
        let program = ("BITWALL", env!("CARGO_BIN_EXE_bitwall"));
        bash(&format!("{} {args} {files}", entry.display()), root.path(), &[program])
    };
    let output = run("clean_mask.png");
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    assert_eq!(run("clean_mask.png gray_mask.png").status.code(), Some(1));
    // A file name that starts with `-` must not be read as an option.
    run("clean_mask.png --baseline=x.tmx --write-baseline");
    assert!(!root.path().join("x.tmx").exists());
    fs::copy(root.path().join("gray_mask.png"), root.path().join("-_mask.png")).unwrap();
    // The hook passes each file of a commit, also one that the project leaves out.
    let docs = root.path().join("docs");
    fs::create_dir(&docs).unwrap();
    fs::copy(root.path().join("gray_mask.png"), docs.join("collision-overview.png")).unwrap();
    let named = "docs/collision-overview.png";
    assert_eq!(run(named).status.code(), Some(1));
    fs::write(root.path().join("bitwall.toml"), "[verify]\nexclude = ['docs']\n").unwrap();
    assert_eq!(run(named).status.code(), Some(0));
    assert_eq!(run(&format!("{named} gray_mask.png")).status.code(), Some(1));
    for name in ["-_mask.png", "--ignore=MSK202_mask.png", "--baseline=x.tmx"] {
        let _ = fs::copy(root.path().join("gray_mask.png"), root.path().join(name));
        assert_eq!(run(&format!("clean_mask.png {name}")).status.code(), Some(1), "{name}");
    }
}

#[test]
fn the_pre_commit_hook_checks_the_maps_of_a_changed_tileset_and_of_a_changed_template() {
    let root = folder(&[
        (".git/HEAD", ""),
        ("sets/a b.tsx", ""),
        ("x.tx", "<template><tileset source=\"sets/a b.tsx\"/></template>"),
        ("maps/one.tmx", "<map source=\"../sets/a b.tsx\""),
        ("maps/two.tmx", "<map template=\"../x.tx\""),
        ("maps/other.tmx", "<map source=\"c.tsx\""),
    ]);
    let hook = repository().join("cli/pre-commit.sh");
    let program = ("BITWALL", env!("CARGO_BIN_EXE_bitwall"));
    let run = |files: &str| {
        let command = format!("{} verify --quiet --format concise -- {files}", hook.display());
        let output = bash(&command, root.path(), &[program]);
        let text = String::from_utf8(output.stdout).unwrap();
        let paths = text.lines().filter_map(|line| Some(line.split_once(':')?.0.to_owned()));
        (output.status.code(), paths.collect::<Vec<_>>())
    };
    let both = vec!["maps/one.tmx".to_owned(), "maps/two.tmx".to_owned()];
    assert_eq!(run("'sets/a b.tsx'"), (Some(1), both.clone()));
    assert_eq!(run("'sets/a b.tsx' maps/one.tmx"), (Some(1), both));
    assert_eq!(run("x.tx"), (Some(1), vec!["maps/two.tmx".to_owned()]));
    assert_eq!(run("sets/unused.tsx"), (Some(0), vec![]));
}

#[test]
fn many_processes_together_report_the_findings_of_one_process() {
    let script = repository().join("examples/ci/many.sh");
    let root = project();
    for index in 0..230 {
        let name = root.path().join(format!("copy {index}_mask.png"));
        fs::copy(root.path().join("clean_mask.png"), name).unwrap();
    }
    let run = |folder: &Path| {
        let output = Command::new("bash")
            .arg(&script)
            .arg(folder)
            .arg("3")
            .env("PATH", path())
            .current_dir(root.path())
            .output()
            .unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = run(Path::new("."));
    let documents = serde_json::Deserializer::from_str(&text).into_iter::<serde_json::Value>();
    let documents: Vec<_> = documents.map(Result::unwrap).collect();
    let sum = |field: &str| -> u64 { documents.iter().filter_map(|it| it[field].as_u64()).sum() };
    assert_eq!((code, sum("files_checked"), sum("errors")), (1, 233, 2), "{text}");
    assert!(documents.len() >= 3, "{} processes", documents.len());
    fs::create_dir(root.path().join("empty")).unwrap();
    assert_eq!(run(Path::new("empty")).0, 2);
    let clean: PathBuf = root.path().join("clean");
    fs::create_dir(&clean).unwrap();
    fs::copy(root.path().join("clean_mask.png"), clean.join("a_mask.png")).unwrap();
    assert_eq!(run(&clean).0, 0);
    assert_eq!(run(Path::new("no such")).0, 2);
    // Notes alone are no findings, and what a configuration excludes is left out, as by one process.
    let notes = "[verify.severity]\ngray-pixels = 'note'\n";
    fs::copy(root.path().join("gray_mask.png"), clean.join("gray_mask.png")).unwrap();
    assert_eq!(run(&clean).0, 1);
    fs::write(clean.join("bitwall.toml"), notes).unwrap();
    let (code, text) = run(&clean);
    assert!(code == 0 && text.contains("\"fingerprint\""), "{text}");
    fs::write(clean.join("bitwall.toml"), "[verify]\nexclude = ['gray*']\n").unwrap();
    assert_eq!(run(&clean).0, 0);
}
