//! The library as C and LuaJIT use it: `tests/test.c` is compiled with the header and linked both ways, and
//! `tests/test.lua` loads the library. Both compare their answers with those of Rust, given as arguments.

use std::path::{Path, PathBuf};
use std::process::Command;

use bitwall::{Aabb, Dir, Level, Mover, MoverSettings};

fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn map() -> PathBuf {
    package().join("../../assets/hills.tmx")
}

/// The folder of the built library, which is that of the tests.
fn built() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    test.parent().unwrap().to_owned()
}

fn library(ending: &str) -> PathBuf {
    // Cargo writes the library beside the tests, and links it one folder up.
    let places = [built(), built().parent().unwrap().to_owned()];
    let mut paths = places.iter().map(|folder| folder.join(format!("libbitwall_c.{ending}")));
    paths.find(|path| path.exists()).unwrap_or_else(|| panic!("no library in {places:?}"))
}

/// The answers of Rust that the other languages must give: how many of 10,000 questions are a yes, the sum of
/// all sweeps, and the place of a mover after 120 steps.
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

fn passes(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    println!("{out}");
}

fn compile(program: &Path, library: &Path) {
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-I"]);
    gcc.arg(package().join("include")).arg(package().join("tests/test.c")).arg(library);
    passes(gcc.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(program));
}

#[test]
fn a_c_program_linked_either_way_gives_the_answers_of_rust() {
    for ending in ["so", "a"] {
        let (program, library) = (built().join(format!("bitwall_test_{ending}")), library(ending));
        compile(&program, &library);
        let mut run = Command::new(&program);
        run.env("LD_LIBRARY_PATH", library.parent().unwrap());
        passes(run.arg(map()).args(expected()));
    }
}

/// LuaJIT is Debian's package `luajit`. Without it the test passes, and says so.
#[test]
fn luajit_gives_the_answers_of_rust() {
    if Command::new("luajit").arg("-v").output().is_err() {
        eprintln!("skipped: there is no luajit");
        return;
    }
    let mut run = Command::new("luajit");
    run.arg(package().join("tests/test.lua")).arg(package().join("include/bitwall.h"));
    passes(run.arg(library("so")).arg(map()).args(expected()));
}
