//! Files that are replaced while they are loaded: no load waits for them or leaves the root folder.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use bitwall::error::LoadErrorKind;
use bitwall::{Level, Project};

use crate::support::{even_blank, folder, layer, map, rounds};

/// A tileset whose tile is solid, inside the root folder.
const INSIDE: &str = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
    <image source="t.png" width="8" height="8"/><tile id="0" type="wall"/></tileset>"#;

/// A tileset whose tile is not solid, outside the root folder.
const OUTSIDE: &str = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
    <image source="t.png" width="8" height="8"/></tileset>"#;

/// The number of swaps in each test.
const SWAPS: usize = 5_000;

/// The number of times that the map names, and so opens, the tileset. The file may be replaced before each.
const TIMES: usize = 40;

/// The time that the original file stays in place before it is replaced. Without it, every load would find
/// the other file and end immediately.
const PAUSE: Duration = Duration::from_micros(30);

/// Creates `game/maps/a.tmx`, which names this tileset in `game`, and tilesets with the same names in `far`,
/// outside the root.
fn game(tileset: &str) -> tempfile::TempDir {
    let numbers = || (1..=TIMES).map(|number| number.to_string());
    let sets =
        numbers().map(|first| format!(r#"<tileset firstgid="{first}" source="{tileset}"/>"#));
    let cells = numbers().collect::<Vec<_>>().join(",");
    let content = sets.collect::<String>() + &layer(r#"name="Ground""#, [TIMES, 1], &cells);
    folder(&[
        ("game/.git/HEAD", ""),
        ("game/maps/a.tmx", &map("", [TIMES, 1], [8, 8], &content)),
        ("game/maps/t.tsx", INSIDE),
        ("game/sets/t.tsx", INSIDE),
        ("far/t.tsx", OUTSIDE),
    ])
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Replaces the file `place` by a second one and back, each time by one rename. `with` creates the second
/// file at a given path, `back` the first.
struct Swap {
    place: PathBuf,
    back: Box<dyn Fn(&Path) + Send + Sync>,
    with: Box<dyn Fn(&Path) + Send + Sync>,
}

impl Swap {
    /// Swaps a file and a pipe.
    fn pipe(folder: &Path, place: PathBuf) -> Self {
        let (kept, waiting) = (folder.join("kept"), folder.join("pipe"));
        fs::hard_link(&place, &kept).unwrap();
        pipe(&waiting);
        let linked = |from: PathBuf| -> Box<dyn Fn(&Path) + Send + Sync> {
            Box::new(move |to| fs::hard_link(&from, to).unwrap())
        };
        Self { place, back: linked(kept), with: linked(waiting) }
    }

    /// Swaps a file and a link to a path outside the root, where a file may be missing.
    fn link(folder: &Path, place: PathBuf, target: &str) -> Self {
        let (kept, target) = (folder.join("kept"), folder.join(target));
        fs::hard_link(&place, &kept).unwrap();
        Self {
            place,
            back: Box::new(move |to| fs::hard_link(&kept, to).unwrap()),
            with: Box::new(move |to| symlink(&target, to).unwrap()),
        }
    }

    /// Swaps a link to a folder inside the root and a link to a folder outside.
    fn folders(folder: &Path) -> Self {
        let (near, far) = (folder.join("game/near"), folder.join("far"));
        let place = folder.join("game/sets");
        fs::rename(&place, &near).unwrap();
        symlink(&near, &place).unwrap();
        Self {
            place,
            back: Box::new(move |to| symlink(&near, to).unwrap()),
            with: Box::new(move |to| symlink(&far, to).unwrap()),
        }
    }

    /// Swaps until `stop` is set.
    fn run(&self, swaps: &AtomicUsize, stop: &AtomicBool) {
        let beside = self.place.with_file_name("beside");
        while !stop.load(Ordering::Relaxed) {
            for make in [&self.with, &self.back] {
                make(&beside);
                fs::rename(&beside, &self.place).unwrap();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
            let start = Instant::now();
            while start.elapsed() < PAUSE {}
        }
    }
}

/// Calls `load` repeatedly during swaps, until both happened `rounds(SWAPS)` times. Fails if a call takes so
/// long that it must be waiting.
fn race(swap: Swap, mut load: impl FnMut() + Send + 'static) {
    let (swaps, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let most = rounds(SWAPS);
    thread::scope(|scope| {
        scope.spawn(|| swap.run(&swaps, &stop));
        let (ask, asked) = mpsc::channel();
        let (done, is_done) = mpsc::channel();
        // The thread is not in the scope, because the scope would wait for a blocked load.
        thread::spawn(move || {
            for () in asked {
                load();
                let _ = done.send(());
            }
        });
        let mut loads = 0;
        let mut fault = None;
        while fault.is_none() && (loads < most || swaps.load(Ordering::Relaxed) < most) {
            let _ = ask.send(());
            fault = is_done.recv_timeout(Duration::from_secs(20)).err();
            loads += 1;
        }
        stop.store(true, Ordering::Relaxed);
        println!("{loads} loads, {} swaps", swaps.load(Ordering::Relaxed));
        assert!(fault.is_none(), "load {loads} hangs, or has panicked: {fault:?}");
    });
}

/// Loads the map. Succeeds with the tileset inside the root, or with an error.
fn load(map: &Path) {
    match Level::load_with(map, &even_blank()) {
        Ok(level) => {
            let solid = level.grid().solid_count();
            assert_eq!(solid, TIMES as u64, "a file beyond the root was read");
        }
        Err(error) => {
            let LoadErrorKind::Reference { source, .. } = error.kind() else { panic!("{error}") };
            let is_expected =
                matches!(**source, LoadErrorKind::OutsideRoot { .. } | LoadErrorKind::NotAFile);
            assert!(is_expected, "{error}");
        }
    }
}

#[test]
fn a_load_does_not_wait_for_a_pipe_that_replaces_a_file() {
    let game = game("t.tsx");
    let at = |path: &str| game.path().join(path);
    let map = at("game/maps/a.tmx");
    race(Swap::pipe(game.path(), at("game/maps/t.tsx")), move || load(&map));
}

#[test]
fn a_link_that_replaces_a_file_does_not_lead_out_of_the_root() {
    for (tileset, place) in [("t.tsx", "game/maps/t.tsx"), ("../sets/t.tsx", "game/sets/t.tsx")] {
        let game = game(tileset);
        let map = game.path().join("game/maps/a.tmx");
        race(Swap::link(game.path(), game.path().join(place), "far/t.tsx"), move || load(&map));
    }
}

/// Only on systems that can return the path of an open file.
#[cfg(target_os = "linux")]
#[test]
fn a_link_that_replaces_a_folder_does_not_lead_out_of_the_root() {
    let game = game("../sets/t.tsx");
    let map = game.path().join("game/maps/a.tmx");
    race(Swap::folders(game.path()), move || load(&map));
}

/// The error states only that the path is outside the root, never that the file is missing.
#[test]
fn the_error_for_a_link_out_of_the_root_does_not_say_whether_its_target_exists() {
    let game = game("../sets/t.tsx");
    let map = game.path().join("game/maps/a.tmx");
    let place = game.path().join("game/sets/t.tsx");
    race(Swap::link(game.path(), place, "far/none.tsx"), move || load(&map));
}

#[test]
fn a_pipe_or_link_that_replaces_a_configuration_is_not_read() {
    let config = |path: &Path| {
        let path = path.to_owned();
        move || match Project::open(&path) {
            Ok(project) => assert!(!project.options().lenient, "the link was followed"),
            Err(error) => assert!(matches!(error.kind(), LoadErrorKind::Config { .. }), "{error}"),
        }
    };
    for kind in ["pipe", "link"] {
        let folder = folder(&[("bitwall.toml", ""), ("far.toml", "[level]\nlenient = true")]);
        let place = folder.path().join("bitwall.toml");
        let swap = match kind {
            "pipe" => Swap::pipe(folder.path(), place),
            _ => Swap::link(folder.path(), place, "far.toml"),
        };
        race(swap, config(folder.path()));
    }
}

/// The error is the same for a file, a folder, a pipe or nothing outside the root.
#[test]
fn no_error_reveals_content_or_existence_of_files_beyond_the_root() {
    let game = game("link.tsx");
    let at = |path: &str| game.path().join(path);
    pipe(&at("far/pipe"));
    symlink(at("far/none"), at("far/dangling")).unwrap();
    symlink(at("far/t.tsx"), at("far/linked")).unwrap();
    let mut errors = Vec::new();
    for target in ["t.tsx", "none", "none/none", "pipe", "dangling", "linked", ".", "t.tsx/x"] {
        for target in [at("far").join(target), Path::new("../../far").join(target)] {
            let link = at("game/maps/link.tsx");
            let _ = fs::remove_file(&link);
            symlink(target, &link).unwrap();
            let error = Level::load_with(at("game/maps/a.tmx"), &even_blank()).unwrap_err();
            errors.push(error.to_string());
        }
    }
    assert!(errors[0].contains("outside the root folder"), "{}", errors[0]);
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:#?}");
    // Inside the root, the error states that the file is missing.
    let link = at("game/maps/link.tsx");
    fs::remove_file(&link).unwrap();
    symlink("none.tsx", &link).unwrap();
    let error = Level::load_with(at("game/maps/a.tmx"), &even_blank()).unwrap_err();
    assert!(error.to_string().contains("no such file"), "{error}");
}
