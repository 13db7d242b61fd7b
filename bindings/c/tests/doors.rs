//! The library as other languages use it. `test.c` asks a bit of everything; one script of a hero's keys
//! (`hero.c`, `Hero.cs`, `hero.lua`, `hero.mjs`, `hero.py`) gives one hash in each language and in Rust, and
//! each refuses the rows of `bad_arguments.tsv`. A language that is not installed is skipped, and the test
//! says so.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use bitwall::character::{Feel, Input};
use bitwall::glam::IVec2;
use bitwall::load::{Disk, load_picture};
use bitwall::render::{DrawOptions, Overlay, draw, load_pictures};
use bitwall::shapes::Circle;
use bitwall::world::{Body, Path as WorldPath, Player};
use bitwall::{Aabb, Dir, Level, LoadOptions, LoadedLevel, Mover, MoverSettings, Rate, World};

fn bindings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn map() -> PathBuf {
    bindings().join("../assets/hills.tmx")
}

/// The folder of the built library, which is that of the tests or the one above.
fn library(ending: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let mut folders = test.ancestors().skip(1).take(2);
    let found = folders.find(|folder| folder.join(format!("libbitwall_c.{ending}")).exists());
    found.expect("cargo builds the library").join(format!("libbitwall_c.{ending}"))
}

fn scratch(name: &str) -> PathBuf {
    // LOVE makes no folder at a path with `..`, as that of a relative target directory.
    Path::new(env!("CARGO_TARGET_TMPDIR")).canonicalize().unwrap().join(name)
}

fn has(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        eprintln!("skipped: there is no {program}");
    }
    is_there
}

/// What a command printed; it must succeed.
fn said(command: &mut Command) -> String {
    command.env("LD_LIBRARY_PATH", library("so").parent().unwrap());
    command.env("BITWALL_LIBRARY", library("so"));
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    out.trim().to_owned()
}

/// Compiles a file of C, as C or as C++.
fn compiled(source: &str, compiler: &str, standard: &str, library: &Path) -> PathBuf {
    let ending = library.extension().unwrap().to_string_lossy().into_owned();
    let program = scratch(&format!("{source}-{compiler}-{ending}"));
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-I"]);
    command.arg(bindings().join("c/include"));
    if compiler == "g++" {
        command.args(["-x", "c++"]);
    }
    command.arg(bindings().join("c/tests").join(source)).args(["-x", "none"]).arg(library);
    said(command.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program));
    program
}

/// The answers of Rust to the questions of `test.c`: how many of 10,000 are a yes, the sum of all sweeps, and
/// the place of a mover after 120 steps.
fn expected() -> [String; 4] {
    let level = Level::load(map()).unwrap();
    let (mut yes, mut moved) = (0, 0);
    for i in 0..10_000i64 {
        let (x, y) = ((i * 7919 % 1000) as i32, (i * 104_729 % 280) as i32);
        let (body, dir) = (Aabb::from_xywh(x, y, 12, 20), Dir::ALL[(i % 4) as usize]);
        yes += u32::from(level.can_move(body, dir, 1 + (i % 8) as u32));
        moved += level.sweep(body, dir, (i % 100) as u32).moved;
    }
    let spawn = level.marker("player").unwrap().position();
    let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 20, 12, 20);
    let mut mover = Mover::new(body, MoverSettings::platformer());
    let mut velocity = [0.0, 0.0];
    for _ in 0..120 {
        velocity = [1.75, velocity[1] + 0.25];
        velocity = mover.step(&level, velocity).unwrap().velocity(velocity);
    }
    let at = mover.body.min;
    [yes.to_string(), moved.to_string(), at.x.to_string(), at.y.to_string()]
}

/// The script of `hero.c` with the library itself.
fn hero() -> String {
    let mut level = Level::load(map()).unwrap();
    let rate = Rate::per_second(60);
    let mut world = World::new(rate);
    let spawn = level.marker("player").unwrap().position();
    let at = |x, y| spawn + IVec2::new(x, y);
    let boxed = |x, y, w, h| Aabb::from_xywh(spawn.x + x, spawn.y + y, w, h);
    let hero = world.add(Body::character(boxed(-6, -20, 12, 20), MoverSettings::platformer()));
    let lift = world.add(Body::one_way_platform(boxed(40, -40, 48, 8)));
    let wheel = world.add(Body::platform(boxed(120, -60, 32, 8)));
    let crate_ = world.add(Body::pushable(boxed(24, -60, 14, 14), 2, 900.0));
    let stops = [(at(40, -40), 0.5), (at(100, -80), 0.5)];
    let mut lift_path = WorldPath::back_and_forth(rate, 45.0, stops);
    let mut wheel_path = WorldPath::circle(rate, at(120, -60), 30, 4.0);
    let crate_body = world.get_mut(crate_).unwrap();
    (crate_body.category, crate_body.collides_with, crate_body.watches) = (4, u64::MAX, 0);
    let hero_body = world.get_mut(hero).unwrap();
    (hero_body.category, hero_body.collides_with, hero_body.watches) = (2, u64::MAX, 5);
    let usual = Feel::default();
    let feel = Feel { jump_height: 56.0, air_jumps: 1, dash_speed: 240.0, ..usual };
    let mut players = [Player::new(hero, feel)];

    let (mut keys, mut hash, mut events) = (1_i64, 0_u64, 0);
    let (mut x, mut jump) = (0.0, false);
    let (mut patch, mut kept) = (None, None);
    for i in 0..100_000 {
        keys = keys * 16_807 % 2_147_483_647;
        if i % 16 == 0 {
            (x, jump) = ((keys % 3 - 1) as f32, keys % 4 == 0);
        }
        players[0].input = Input::from_axes(x, 0.0, jump).with_dash(keys % 97 == 0);
        if i % 1000 == 500 {
            let at = world.get(hero).unwrap().aabb.min;
            patch = Some(level.patch(Aabb::from_xywh(at.x - 32, at.y - 32, 96, 96)));
            level.carve(&Circle { center: at + IVec2::new(0, 24), radius: 12 }, IVec2::ZERO);
        }
        if i % 1000 == 999 {
            level.apply(patch.as_ref().unwrap()).unwrap();
        }
        lift_path.advance(world.get_mut(lift).unwrap());
        wheel_path.advance(world.get_mut(wheel).unwrap());
        world.step_players(&level, &mut players);
        events += world.events().len();
        if i == 50_000 {
            let paths = (lift_path.clone(), wheel_path.clone());
            kept = Some((world.clone(), players.clone(), paths));
        }
        if i == 60_000 {
            (world, players, (lift_path, wheel_path)) = kept.clone().unwrap();
        }
        if i % 100 == 0 {
            let sum = world.checksum().rotate_left(1) ^ players[0].checksum();
            hash = hash.rotate_left(5) ^ sum ^ level.checksum();
        }
    }
    let at = world.get(hero).unwrap().aabb.min;
    format!("{hash:016x} {events} {} {}", at.x, at.y)
}

/// Compiles a program of C#. Returns its path.
fn program_of_csharp(name: &str) -> PathBuf {
    let program = scratch(&format!("{name}.exe"));
    let mut out = OsString::from("-out:");
    out.push(&program);
    let folder = bindings().join("csharp");
    let mut compile = Command::new("mcs");
    compile.args(["-langversion:7", "-unsafe", "-warnaserror"]).arg(out).arg(folder.join("Bitwall.cs"));
    said(compile.arg(folder.join(format!("tests/{name}.cs"))));
    program
}

/// An interpreter of Python that has bitwall and other modules: that of the variable BITWALL_PYTHON, or
/// `python3`. Without one Python is skipped.
fn python(modules: &str) -> Option<OsString> {
    let python = std::env::var_os("BITWALL_PYTHON").unwrap_or_else(|| "python3".into());
    let import = Command::new(&python).args(["-c", &format!("import {modules}; bitwall.World")]).output();
    let is_there = import.is_ok_and(|output| output.status.success());
    if !is_there {
        eprintln!("skipped: Python has no {modules}; pip install 'bindings/python[test]' installs them");
    }
    is_there.then_some(python)
}

/// The package for JavaScript: that of the variable BITWALL_PACKAGE, or of `bindings/js/build.sh`. Without it
/// Node is skipped.
fn package() -> Option<PathBuf> {
    let built = bindings().join("js/dist");
    let path = std::env::var_os("BITWALL_PACKAGE").map_or(built, PathBuf::from);
    if !path.exists() {
        eprintln!("skipped: there is no package for Node; bash bindings/js/build.sh makes it");
    }
    path.exists().then_some(path)
}

#[test]
fn a_program_of_c_or_cpp_linked_either_way_gives_the_answers_of_rust() {
    for (compiler, standard) in [("gcc", "-std=c99"), ("g++", "-std=c++98")] {
        for ending in ["so", "a"] {
            let program = compiled("test.c", compiler, standard, &library(ending));
            println!("{}", said(Command::new(program).arg(map()).args(expected())));
        }
    }
}

#[test]
fn one_hero_has_one_hash_behind_every_door() {
    let rust = hero();
    println!("{rust}: Rust");
    for (compiler, standard) in [("gcc", "-std=c99"), ("g++", "-std=c++11")] {
        let program = compiled("hero.c", compiler, standard, &library("so"));
        assert_eq!(said(Command::new(program).arg(map())), rust, "{compiler}");
    }
    if has("luajit") {
        let script = bindings().join("lua/tests/hero.lua");
        assert_eq!(said(Command::new("luajit").arg(script).arg(map())), rust, "LuaJIT");
    }
    if has("mcs") && has("mono") {
        let program = program_of_csharp("Hero");
        assert_eq!(said(Command::new("mono").arg(program).arg(map())), rust, "C#");
    }
    if let Some(package) = package().filter(|_| has("node")) {
        let script = bindings().join("js/tests/hero.mjs");
        assert_eq!(said(Command::new("node").arg(script).arg(package).arg(map())), rust, "Node");
    }
    if let Some(python) = python("bitwall") {
        let script = bindings().join("python/tests/hero.py");
        assert_eq!(said(Command::new(python).arg(script).arg(map())), rust, "Python");
    }
}

/// `tests/bad_arguments.rs` does the same for C itself.
#[test]
fn every_door_refuses_the_bad_arguments_of_the_table_in_its_words() {
    let table = bindings().join("bad_arguments.tsv");
    if has("luajit") {
        let script = bindings().join("lua/tests/bad_arguments.lua");
        println!("{}", said(Command::new("luajit").arg(script).arg(&table)));
    }
    if has("mcs") && has("mono") {
        println!("{}", said(Command::new("mono").arg(program_of_csharp("BadArguments")).arg(&table)));
    }
    if let Some(package) = package().filter(|_| has("node")) {
        let (script, module) = (bindings().join("js/tests/bad_arguments.mjs"), package.join("core.wasm"));
        println!("{}", said(Command::new("node").arg(script).arg(module).arg(&table)));
    }
    if let Some(python) = python("bitwall, numpy, pytest") {
        let mut test = Command::new(python);
        test.args(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "table"]);
        println!("{}", said(test.arg(bindings().join("python/tests/test_bad_arguments.py"))));
    }
}

/// The game of `examples/love`, played by keys of the test under a display of its own.
#[test]
fn love_draws_every_flip_as_bitwall_does() {
    if !has("love") || !has("xvfb-run") {
        return;
    }
    let (folder, saved) = (scratch("love"), scratch("love-saved"));
    std::fs::create_dir_all(&folder).unwrap();
    let example = bindings().join("../examples/love");
    let assets = bindings().join("../assets");
    for (from, name) in [
        (example.join("main.lua"), "game.lua"),
        (example.join("conf.lua"), "conf.lua"),
        (bindings().join("lua/bitwall.lua"), "bitwall.lua"),
        (bindings().join("lua/tests/love/main.lua"), "main.lua"),
        (bindings().join("lua/tests/love/flips.tmx"), "flips.tmx"),
        (assets.join("hills.tmx"), "hills.tmx"),
        (assets.join("hills_tiles.png"), "hills_tiles.png"),
    ] {
        std::fs::copy(&from, folder.join(name)).unwrap_or_else(|error| panic!("{from:?}: {error}"));
    }
    let mut love = Command::new("xvfb-run");
    love.arg("-a").arg("love").arg(&folder).env("XDG_DATA_HOME", &saved).env("SDL_AUDIODRIVER", "dummy");
    let printed = said(&mut love);
    let pictures = Path::new(printed.lines().last().unwrap());
    assert!(load_picture(pictures.join("game.png")).is_ok());

    let options = LoadOptions::default();
    let loaded = LoadedLevel::load(folder.join("flips.tmx"), &options).unwrap();
    let mut disk = Disk::new(folder.join("flips.tmx"), &options);
    let (found, errors) = load_pictures(&loaded.maps, &mut disk);
    assert!(errors.is_empty(), "{errors:?}");
    let options = DrawOptions { pictures: Some(&found), overlay: Overlay::none(1), ..DrawOptions::default() };
    let drawn = draw(&loaded, &options).unwrap();
    assert!(drawn == load_picture(pictures.join("flips.png")).unwrap(), "{printed}/flips.png");
}
