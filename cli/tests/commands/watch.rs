//! `bitwall verify --watch`. Each test waits for lines, up to a deadline, and never for a time.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::shared::{bitwall, bitwall_in};

/// Far more than the 0.3 s that a line takes, because a debug build may share its core with other tests.
const DEADLINE: Duration = Duration::from_secs(60);

/// A running program. Dropping it ends the process.
struct Watch {
    child: Child,
    out: Receiver<String>,
    err: Receiver<String>,
}

impl Watch {
    fn start(folder: &Path, args: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_bitwall"))
            .args(["verify", "--watch", "--format", "concise"])
            .args(args)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let out = lines(child.stdout.take().unwrap());
        let err = lines(child.stderr.take().unwrap());
        Self { child, out, err }
    }

    /// Returns the next line with a time of day without its time, and the findings before it.
    fn result(&self) -> (String, Vec<String>) {
        let mut findings = Vec::new();
        loop {
            let line = self.out.recv_timeout(DEADLINE).unwrap();
            let is_time = |text: &str| text.split(':').all(|part| part.parse::<u8>().is_ok());
            match line.split_once(' ') {
                Some((time, rest)) if time.len() == 8 && is_time(time) => {
                    return (rest.trim_start_matches("UTC ").to_owned(), findings);
                }
                _ => findings.push(line),
            }
        }
    }

    /// Waits for this result. A file that another one replaces in two steps may be seen missing before.
    fn wait_for(&self, expected: &str) {
        while self.result().0 != expected {}
    }

    fn signal(&self, signal: &str) {
        let process = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &process]).status().unwrap().success());
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(from: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let lines = BufReader::new(from).lines().map_while(Result::ok);
        let _ = lines.map(|line| sender.send(line)).take_while(Result::is_ok).count();
    });
    receiver
}

/// A folder with the map `maps/cave.tmx`, and its tileset and picture in `sets`.
fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("maps")).unwrap();
    fs::create_dir(folder.path().join("sets")).unwrap();
    for name in ["cave.tsx", "cave_tiles.png"] {
        fs::copy(crate::shared::asset(name), folder.path().join("sets").join(name)).unwrap();
    }
    fs::write(folder.path().join("maps/cave.tmx"), map()).unwrap();
    folder
}

fn map() -> String {
    let map = fs::read_to_string(crate::shared::asset("cave.tmx")).unwrap();
    map.replace("source=\"cave.tsx\"", "source=\"../sets/cave.tsx\"")
}

/// The map with an error of one finding.
fn broken_map() -> String {
    map().replace("firstgid=\"1\"", "firstgid=\"2\"")
}

/// Replaces a file as most editors do: writes another one, and renames it.
fn save(path: &Path, content: &str) {
    let other = path.with_extension("new");
    fs::write(&other, content).unwrap();
    fs::rename(other, path).unwrap();
}

#[test]
fn a_saved_map_is_shown_at_once_and_a_signal_ends_the_program() {
    let folder = project();
    let path = folder.path().join("maps/cave.tmx");
    let mut watch = Watch::start(folder.path(), &["."]);
    assert_eq!(watch.result(), ("clean: 1 level".to_owned(), Vec::new()));
    save(&path, &broken_map());
    let (line, findings) = watch.result();
    assert_eq!((line.as_str(), findings.len()), ("1 error: 1 level", 1));
    assert!(findings[0].starts_with("maps/cave.tmx: error[TMX105]"), "{findings:?}");
    // A write into the same file may be seen half done, but the whole file is seen after it.
    fs::write(&path, "<map").unwrap();
    fs::write(&path, map()).unwrap();
    watch.wait_for("clean: 1 level");
    watch.signal("-INT");
    assert_eq!(watch.child.wait().unwrap().signal(), Some(2));
    assert_eq!(watch.err.recv_timeout(DEADLINE).ok(), None);
}

#[test]
fn the_files_of_a_level_are_watched_too() {
    let folder = project();
    let at = |name: &str| folder.path().join(name);
    let watch = Watch::start(folder.path(), &["maps"]);
    watch.wait_for("clean: 1 level");
    fs::rename(at("sets/cave.tsx"), at("sets/old.tsx")).unwrap();
    watch.wait_for("1 error: 1 level");
    fs::rename(at("sets/old.tsx"), at("sets/cave.tsx")).unwrap();
    watch.wait_for("clean: 1 level");
    fs::rename(at("sets/cave_tiles.png"), at("sets/Cave_Tiles.png")).unwrap();
    watch.wait_for("1 warning: 1 level");
    fs::rename(at("sets/Cave_Tiles.png"), at("sets/cave_tiles.png")).unwrap();
    watch.wait_for("clean: 1 level");
    // The configuration is above the folder that is checked.
    fs::write(at("bitwall.toml"), "[verify]\nrequired-layers = [\"Water\"]\n").unwrap();
    watch.wait_for("1 error: 1 level");
    fs::write(at("bitwall.toml"), "[verify\n").unwrap();
    watch.wait_for("1 error: 0 levels");
    fs::remove_file(at("bitwall.toml")).unwrap();
    watch.wait_for("clean: 1 level");
}

#[test]
fn files_and_folders_may_come_and_go() {
    let folder = project();
    let at = |name: &str| folder.path().join(name);
    let watch = Watch::start(folder.path(), &["maps", "--exclude", "drafts"]);
    watch.wait_for("clean: 1 level");
    fs::create_dir_all(at("maps/new/deep")).unwrap();
    save(&at("maps/new/deep/a.tmx"), &map().replace("../sets", "../../../sets"));
    watch.wait_for("clean: 2 levels");
    fs::create_dir(at("maps/drafts")).unwrap();
    fs::write(at("maps/drafts/broken.tmx"), "<map").unwrap();
    fs::remove_dir_all(at("maps/new")).unwrap();
    watch.wait_for("clean: 1 level");
    fs::rename(at("maps"), at("gone")).unwrap();
    let reason = watch.err.recv_timeout(DEADLINE).unwrap();
    assert_eq!(reason, "error: there is no file or folder `maps`");
    fs::rename(at("gone"), at("maps")).unwrap();
    watch.wait_for("clean: 1 level");
    fs::remove_file(at("maps/cave.tmx")).unwrap();
    watch.wait_for("clean: 0 levels");
}

#[test]
fn only_levels_that_use_the_changed_file_are_checked_again() {
    let folder = project();
    let other = folder.path().join("maps/other.tmx");
    fs::write(&other, map()).unwrap();
    let watch = Watch::start(folder.path(), &["maps"]);
    watch.wait_for("clean: 2 levels");
    // A change that the state of the file does not show, while the program stands still.
    watch.signal("-STOP");
    let time = fs::metadata(&other).unwrap().modified().unwrap();
    fs::write(&other, broken_map()).unwrap();
    fs::File::options().append(true).open(&other).unwrap().set_modified(time).unwrap();
    watch.signal("-CONT");
    save(&folder.path().join("maps/cave.tmx"), &broken_map());
    watch.wait_for("1 error: 2 levels");
    // Both use the tileset.
    let set = folder.path().join("sets/cave.tsx");
    save(&set, &(fs::read_to_string(&set).unwrap() + "\n"));
    watch.wait_for("2 errors: 2 levels");
    // A world reads the maps that it names.
    let world = r#"{"type": "world", "maps": [{"fileName": "cave.tmx", "x": 0, "y": 0}]}"#;
    save(&folder.path().join("maps/all.world"), world);
    watch.wait_for("3 errors: 3 levels");
    save(&folder.path().join("maps/cave.tmx"), &map());
    watch.wait_for("1 error: 3 levels");
}

#[test]
fn a_watch_needs_files_and_changes_none() {
    for args in [&["--fix"][..], &["--diff", "HEAD"], &["--annotate", "x"], &["-"]] {
        let (code, _, error) = bitwall(&[&["verify", "--watch"], args].concat(), "");
        assert_eq!(code, 2, "{args:?}: {error}");
    }
    let (code, _, error) = bitwall(&["verify", "--watch", "no_such_folder"], "");
    assert_eq!((code, error.as_str()), (2, "error: there is no file or folder `no_such_folder`\n"));
}

/// The script `examples/tiled/bitwall.js` reads JSON. Its own test needs Tiled, see its README.
#[test]
fn the_extension_of_tiled_reads_keys_that_the_program_writes() {
    let script =
        fs::read_to_string(crate::shared::root().join("examples/tiled/bitwall.js")).unwrap();
    let folder = project();
    fs::write(folder.path().join("maps/cave.tmx"), broken_map()).unwrap();
    let (code, verified, _) =
        bitwall_in(folder.path(), &["verify", "--format", "json", "maps"], "");
    assert_eq!(code, 1);
    let args = ["info", "--format", "json", "-c", "level.space=screen", "maps/cave.tmx"];
    let (_, info, _) = bitwall_in(folder.path(), &args, "");
    let report: serde_json::Value = serde_json::from_str(&verified).unwrap();
    let finding = &report["findings"][0];
    let info: serde_json::Value = serde_json::from_str(&info).unwrap();
    let mut count = 0;
    for (name, value) in
        [("report", &report), ("finding", finding), ("place", &finding["place"]), ("info", &info)]
    {
        let keys = regex_lite::Regex::new(&format!(r"\b{name}\.(\w+)")).unwrap();
        for key in keys.captures_iter(&script) {
            assert!(value.get(&key[1]).is_some(), "{}", &key[0]);
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
    let version = format!("const JSON_VERSION = {};", report["version"]);
    assert!(script.contains(&version), "{version}");
    let severities = ["\"error\"", "\"warning\""];
    assert!(severities.iter().all(|it| script.contains(it)) && finding["severity"] == "error");
    let ground = crate::shared::asset("harbor.png");
    let ground = ["--art", ground.to_str().unwrap(), "-c", "level.space=screen"];
    let mask = crate::shared::asset("harbor_mask.png");
    let target = folder.path().join("out.png");
    let ends = ["-o", target.to_str().unwrap(), mask.to_str().unwrap()];
    assert_eq!(bitwall(&[&["render"], &ground[..], &ends[..]].concat(), "").0, 0);
}
