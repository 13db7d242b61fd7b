//! Fixtures for the rules of `bitwall verify`: every rule has some, and every fixture gets its expected
//! findings.
//!
//! `tests/fixtures/verify/<rule>/` contains levels `bad_*`, each with its expected output in a `.txt`, and
//! levels `good_*`. A file `args` has the arguments that the rule needs. The code here is the
//! same for all rules. `UPDATE_GOLDEN=1` writes the expected outputs again, and fails.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bitwall_cli::lint::{LintRule, RULES, Severity, VerifyOptions, verify_file};

use crate::shared::{bitwall_in, files_in, folder, root, shared};

const FIXTURES: &str = "tests/fixtures/verify";

/// The rules for whole runs. Their fixtures are in `scope.rs` and `changes.rs`.
const OF_RUNS: [&str; 2] = ["IO006", "IO008"];

/// Returns the rules that have fixtures.
fn rules() -> impl Iterator<Item = &'static LintRule> {
    RULES.iter().copied().filter(|rule| !OF_RUNS.contains(&rule.code))
}

struct Run {
    stdout: String,
    stderr: String,
    code: i32,
}

/// Runs `bitwall verify` in the folder of the package.
fn verify(args: &[&str]) -> Run {
    verify_in(Path::new(crate::HOME), args)
}

fn verify_in(folder: &Path, args: &[&str]) -> Run {
    let (code, stdout, stderr) = bitwall_in(folder, &[&["verify"], args].concat(), "");
    Run { stdout, stderr, code }
}

/// A repository with a copy of the fixtures and of the bundled levels, in the folders that they have in this
/// one. The paths in findings count from the root of a repository, so with the copy they are the same in an
/// unpacked archive of the sources, or in a repository that contains this one.
struct Repository(tempfile::TempDir);

impl Repository {
    fn new() -> Self {
        let folder = folder(&[(".git/HEAD", ""), ("cli/src/.keep", "")]);
        for part in ["assets", "cli/tests/fixtures"] {
            let from = root().join(part);
            for file in files_in(&from) {
                let to = folder.path().join(part).join(file.strip_prefix(&from).unwrap());
                fs::create_dir_all(to.parent().unwrap()).unwrap();
                fs::copy(file, to).unwrap();
            }
        }
        Self(folder)
    }

    /// Runs `bitwall verify` in the copy of the folder of the package.
    fn verify(&self, args: &[&str]) -> Run {
        verify_in(&self.0.path().join("cli"), args)
    }

    /// Runs `bitwall verify` on a fixture, with the arguments that its rule needs.
    fn verify_fixture(&self, rule: &str, path: &Path, more: &[&str]) -> Run {
        let args = args_of(rule);
        let mut args: Vec<&str> = args.iter().map(String::as_str).collect();
        args.extend(more);
        args.push(path.to_str().unwrap());
        self.verify(&args)
    }
}

/// Returns the levels in the folder of a rule whose names start with `start`, relative to the folder of the
/// package.
fn fixtures(rule: &str, start: &str) -> Vec<PathBuf> {
    let folder = Path::new(FIXTURES).join(rule);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let of_levels = ["png", "tmx", "world", "toml"];
            let is_level =
                path.extension().is_some_and(|e| of_levels.iter().any(|known| e == *known));
            is_level && path.file_name().unwrap().to_str().unwrap().starts_with(start)
        })
        .collect();
    paths.sort();
    paths
}

fn args_of(rule: &str) -> Vec<String> {
    let text = fs::read_to_string(Path::new(FIXTURES).join(rule).join("args")).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn every_fixture_gets_its_expected_findings() {
    let repository = Repository::new();
    let update = std::env::var_os("UPDATE_GOLDEN").is_some();
    let mut wrong = Vec::new();
    for rule in rules() {
        for good in fixtures(rule.name, "good_") {
            let run = repository.verify_fixture(rule.name, &good, &[]);
            if run.code != 0 || !run.stdout.is_empty() {
                wrong.push(format!("{good:?} is good, but\n{}{}", run.stdout, run.stderr));
            }
        }
        for bad in fixtures(rule.name, "bad_") {
            let found = repository.verify_fixture(rule.name, &bad, &[]);
            let expected = bad.with_extension("txt");
            if update {
                fs::write(&expected, &found.stdout).unwrap();
            }
            let code = i32::from(rule.severity != Severity::Note);
            if found.code != code
                || fs::read_to_string(&expected).ok() != Some(found.stdout.clone())
            {
                wrong.push(format!("{bad:?}, exit code {}\n{}", found.code, found.stdout));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!update, "the texts were written again: check the difference");
}

#[test]
fn every_rule_has_fixtures_and_each_bad_fixture_breaks_only_that_rule() {
    let repository = Repository::new();
    for rule in rules() {
        assert!(!fixtures(rule.name, "good_").is_empty(), "{} has no good_*", rule.name);
        assert!(!fixtures(rule.name, "bad_").is_empty(), "{} has no bad_*", rule.name);
        for bad in fixtures(rule.name, "bad_") {
            let run = repository.verify_fixture(rule.name, &bad, &["--format", "json"]);
            let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
            let findings = json["findings"].as_array().unwrap();
            assert!((1..=4).contains(&findings.len()), "{bad:?}: {json:#}");
            for finding in findings {
                assert_eq!(finding["code"], rule.code, "{bad:?}: {json:#}");
                assert_headline(finding["headline"].as_str().unwrap());
                assert!(!finding["help"].as_str().unwrap().is_empty(), "{bad:?}");
            }
        }
    }
    let names: BTreeSet<String> = rules().map(|rule| rule.name.to_owned()).collect();
    let folders: BTreeSet<String> = fs::read_dir(FIXTURES)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, names, "a folder without a rule, or the reverse");
}

/// The `.txt` files show only what a person reads; the JSON document has every field.
#[test]
fn the_json_findings_of_every_rule_equal_the_golden_document() {
    let repository = Repository::new();
    let mut levels = serde_json::Map::new();
    let mut codes = BTreeSet::new();
    for rule in rules() {
        for bad in fixtures(rule.name, "bad_") {
            let run = repository.verify_fixture(rule.name, &bad, &["--format", "json"]);
            let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
            let findings = json["findings"].as_array().unwrap();
            codes.extend(
                findings.iter().map(|finding| finding["code"].as_str().unwrap().to_owned()),
            );
            levels.insert(bad.to_str().unwrap().to_owned(), json["findings"].clone());
        }
    }
    let known = rules().map(|rule| rule.code);
    let missing: Vec<_> = known.filter(|code| !codes.contains(*code)).collect();
    assert!(missing.is_empty(), "no finding of {missing:?}");
    let found = serde_json::to_string_pretty(&levels).unwrap() + "\n";
    let path = "tests/fixtures/findings.json";
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, found).unwrap();
        panic!("{path} was written again: check the difference");
    }
    let kept: serde_json::Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for (level, findings) in &levels {
        assert_eq!(kept.get(level), Some(findings), "{level}; UPDATE_GOLDEN=1 writes {path}");
    }
    assert_eq!(kept.as_object().unwrap().len(), levels.len(), "{path} has levels that are gone");
}

fn assert_headline(headline: &str) {
    assert!(headline.chars().count() < 80, "too long: {headline}");
    assert!(!headline.ends_with('.'), "a full stop: {headline}");
    assert!(!headline.starts_with(char::is_uppercase), "a capital: {headline}");
}

#[test]
fn rules_have_sorted_codes_unique_names_and_three_headings() {
    let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    assert!(codes.is_sorted_by(|a, b| a < b), "unique and sorted: {codes:?}");
    let names: BTreeSet<&str> = RULES.iter().map(|rule| rule.name).collect();
    assert_eq!(names.len(), RULES.len(), "names are unique");
    for rule in RULES.iter() {
        let is_kebab = |c: char| c.is_ascii_lowercase() || c == '-';
        assert!(rule.name.chars().all(is_kebab), "{}", rule.name);
        assert!(!rule.name.starts_with("no-"), "{}", rule.name);
        let headings: Vec<&str> =
            rule.docs.lines().filter(|line| line.starts_with(" # ")).collect();
        let expected = [" # What it finds", " # Why it matters", " # How to fix"];
        assert_eq!(headings, expected, "{}", rule.name);
        let family = &rule.code[..rule.code.len() - 3];
        assert!(["IO", "TMX", "MSK", "LVL", "NAV"].contains(&family), "{}", rule.code);
    }
}

#[test]
fn our_own_levels_are_clean() {
    let run = verify(&["../assets/"]);
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    // Tilesets and art are not masks.
    assert!(run.stderr.ends_with("\n8 files checked: 0 errors, 0 warnings\n"), "{}", run.stderr);
    assert!(run.stderr.contains("1 picture not looked at"), "{}", run.stderr);
}

#[test]
fn each_outcome_has_the_expected_exit_code_and_output() {
    let repository = Repository::new();
    let gray = "tests/fixtures/verify/gray-pixels/bad_soft.png";
    let cases: [(&[&str], i32, &str, &str); 12] = [
        (&["../assets/cave.tmx"], 0, "", "1 file checked: 0 errors, 0 warnings"),
        (&[gray, "../assets/cave.tmx"], 1, "error[MSK202]", "2 files checked: 1 error, 0 warnings"),
        (&["no_such.tmx"], 2, "", "there is no file or folder `no_such.tmx`"),
        (
            &["--format", "concise", gray],
            1,
            "cli/tests/fixtures/verify/gray-pixels/bad_soft.png: ",
            "",
        ),
        (&["--format", "github", gray], 1, "::error file=cli/tests/fixtures/", ""),
        (&["--allow", "MSK202", gray], 0, "", "0 errors"),
        (&["--allow", "gray-pixels", gray], 0, "", "0 errors"),
        (&["--allow", "MSK999", gray], 2, "", "there is no rule `MSK999`"),
        (&["--allow", "IO001", gray], 2, "", "IO001 unreadable-file cannot be turned off"),
        (&["src/"], 2, "", "there is nothing to check"),
        (&["--art", gray, gray, "../assets/cave.tmx"], 2, "", "--art is the picture of one mask"),
        (&["--body", "8by5", gray], 2, "", "WxH"),
    ];
    for (args, code, stdout, stderr) in cases {
        let run = repository.verify(args);
        assert_eq!(run.code, code, "{args:?}\n{}{}", run.stdout, run.stderr);
        assert!(run.stdout.starts_with(stdout), "{args:?}\n{}", run.stdout);
        assert!(run.stderr.contains(stderr), "{args:?}\n{}", run.stderr);
        assert!(!run.stdout.contains('\u{1b}'), "colours in a pipe: {args:?}");
    }
}

#[test]
fn an_allowed_map_without_walls_is_still_checked_by_other_rules() {
    let map = "tests/fixtures/verify/nothing-solid/bad_renamed.tmx";
    assert_eq!(verify(&[map]).code, 1);
    assert_eq!(verify(&["--allow", "TMX107", "--allow", "TMX113", map]).code, 0);
    assert_eq!(verify(&["--allow-nothing-solid", "--allow", "TMX113", map]).code, 0);
    let run = verify(&["--allow", "TMX107", "--allow", "TMX113", "--select", "open-border", map]);
    assert!(run.stdout.contains("the left side is open from y 0 to y 48"), "{}", run.stdout);
}

#[test]
fn hidden_excluded_and_linked_files_in_folders_are_not_checked() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let gray = Path::new(FIXTURES).join("gray-pixels/bad_soft.png");
    for name in
        ["b_mask.png", "sub/A_MASK.PNG", "sub/old/masks/c.png", ".hidden/d_mask.png", "e.txt"]
    {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::copy(&gray, path).unwrap();
    }
    // These pictures are not masks: the art of a mask, the picture of an unused tileset, and the picture of
    // an image layer.
    fs::copy(&gray, root.join("b.png")).unwrap();
    fs::copy(&gray, root.join("sub/tiles.png")).unwrap();
    fs::copy(&gray, root.join("sky.png")).unwrap();
    let tileset = r#"<tileset name="t" tilewidth="4" tileheight="4" tilecount="2" columns="2">
        <image source="tiles.png" width="8" height="5"/></tileset>"#;
    fs::write(root.join("sub/tiles.tsx"), tileset).unwrap();
    let map = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
        <imagelayer id="1" name="sky"><image source="./sub/../sky.png"/></imagelayer>
        <objectgroup id="2" name="walls"><object id="1" x="0" y="0" width="8" height="8"/></objectgroup>
        </map>"#;
    fs::write(root.join("map.tmx"), map).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(root.join("e.txt"), root.join("link.png")).unwrap();
        std::os::unix::fs::symlink(root, root.join("loop")).unwrap();
    }
    let checked = |more: &[&str]| {
        let mut args = vec![root.to_str().unwrap(), "--format", "json"];
        args.extend(more);
        let run = verify(&args);
        let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let path = |finding: &serde_json::Value| {
            let path = PathBuf::from(finding["path"].as_str().unwrap());
            path.strip_prefix(root).unwrap().to_str().unwrap().to_owned()
        };
        let paths: Vec<String> = json["findings"].as_array().unwrap().iter().map(path).collect();
        (paths.join(" "), json["files_checked"].as_u64().unwrap())
    };
    assert_eq!(checked(&[]), ("b_mask.png sub/A_MASK.PNG sub/old/masks/c.png".to_owned(), 4));
    assert_eq!(checked(&["--exclude", "old"]), ("b_mask.png sub/A_MASK.PNG".to_owned(), 3));
    assert_eq!(checked(&["--exclude", "*.PNG"]), ("b_mask.png sub/old/masks/c.png".to_owned(), 3));
    let named = root.join("b.png");
    let (paths, _) = checked(&["--exclude", "b*", named.to_str().unwrap()]);
    assert_eq!(
        paths, "b.png sub/A_MASK.PNG sub/old/masks/c.png",
        "a file that is named is checked"
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_finding_and_does_not_hang() {
    let findings = verify_file("/dev/null", &VerifyOptions::default()).findings;
    assert_eq!(findings[0].rule.code, "IO001");
}

/// The masks are not in the repository, because others made them.
#[test]
fn masks_of_real_games_have_the_expected_findings() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let table = fs::read_to_string(corpus.join("MASKS.tsv")).unwrap();
    for row in table.lines().skip(1) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (path, class) = (fields[0], fields[6]);
        let findings = verify_file(corpus.join(path), &VerifyOptions::default()).findings;
        let has = |code: &str| findings.iter().any(|finding| finding.rule.code == code);
        println!(
            "{path} ({class}): {:?}",
            findings.iter().map(|f| f.rule.code).collect::<Vec<_>>()
        );
        assert!(!has("IO001"), "{path}");
        assert!(findings.len() <= 4, "{path}");
        assert!(!has("MSK217") && !has("MSK218"), "{path} has no hairlines");
        if class == "pure-bw-opaque" {
            assert!(!has("MSK202") && !has("MSK203"), "{path}");
        }
        if class == "multi-colour-opaque" {
            let of_gray = ["MSK202", "MSK207", "MSK208", "MSK209", "MSK212", "MSK213"];
            assert!(of_gray.into_iter().any(has), "{path}");
        }
    }
}

/// The picture of a tileset is not a mask, even if the map cannot be loaded.
#[test]
fn pictures_of_a_map_that_does_not_load_are_not_masks() {
    let folder = tempfile::tempdir().unwrap();
    let map = r#"<map orientation="spherical" width="1" height="1" tilewidth="2" tileheight="1">
        <tileset firstgid="1" tilewidth="2" tileheight="1"><image source="sheet.png"/></tileset></map>"#;
    fs::write(folder.path().join("iso.tmx"), map).unwrap();
    let gray = bitwall::image::GrayImage::from_pixel(4, 4, bitwall::image::Luma([99]));
    gray.save(folder.path().join("sheet.png")).unwrap();
    let run = verify(&["--format", "concise", folder.path().to_str().unwrap()]);
    let text = run.stdout;
    assert_eq!(run.code, 1);
    assert!(text.contains("TMX101") && text.lines().count() == 1, "{text}");
}
