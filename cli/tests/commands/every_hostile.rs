//! Every hostile file of this repository and of `../shared`, through every command, measured: a file of less
//! than 1 MB takes at most two seconds of processor time and 256 MiB, and `diff`, which holds two levels, 300.
//!
//! The whole run takes minutes and wants a release build, so it is gated:
//! `BITWALL_LONG=1 BITWALL_PROGRAM=target/release/bitwall cargo test --all-features --test commands every_hostile`.
//! `BITWALL_HOSTILE=FOLDER` writes the files there and keeps them, for `benches/doors/hostile.py`.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::bombs::{script, skippable};
use crate::hostile::{invented, is_level};
use crate::picture_bombs::{chunk, png, zeros};
use crate::saved::{Data, in_base64};
use crate::shared::{Taken, check_all, files_in, run_measured, shared, shared_files};
use crate::support::{self, layer, tileset};

const MOST_WORK: Duration = Duration::from_secs(2);
const MOST_KIB: u64 = 256 << 10;
const MOST_KIB_OF_DIFF: u64 = 300 << 10;

/// The largest address space in KiB, far above the limits, so that no fault takes the memory of the machine.
const SPACE_KIB: u64 = 1 << 20;

/// Returns a mask of one bit a pixel. `row` gives the bytes of the row at y; 0 is solid.
fn mask(side: u32, row: impl Fn(u32) -> Vec<u8>) -> Vec<u8> {
    let mut pixels = Vec::new();
    for y in 0..side {
        pixels.push(0);
        pixels.extend(row(y));
    }
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    std::io::Write::write_all(&mut encoder, &pixels).unwrap();
    png(side, [1, 0, 0], &[], &encoder.finish().unwrap())
}

/// Returns a map of `side` x `side` tiles, compressed with zlib.
fn tiles(side: u32, gid: impl Fn(u32, u32) -> u32) -> Vec<u8> {
    let places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let cells: Vec<u32> = places.map(|(x, y)| gid(x, y)).collect();
    compressed(side, "zlib", &in_base64(&cells, Data::Zlib)).into_bytes()
}

fn compressed(side: u32, compression: &str, data: &str) -> String {
    let layer = format!(
        r#"<layer name="walls" width="{side}" height="{side}"><data encoding="base64"
        compression="{compression}">{data}</data></layer>"#
    );
    support::map("", [side; 2], [16; 2], &(tileset([16, 16], 4, "") + &layer))
}

/// Returns levels in which every cell, run, shape or passage costs something.
fn patterns() -> Vec<(&'static str, Vec<u8>)> {
    let of = |byte: u8| move |side: u32| vec![byte; side as usize / 8];
    let (white, black) = (of(0xff), of(0));
    let posts = |side: u32| [0x7f, 0xff, 0xff, 0xff].repeat(side as usize / 32);
    let mut random = fastrand::Rng::with_seed(9);
    let noise: Vec<Vec<u8>> =
        (0..2_048).map(|_| (0..256).map(|_| random.u8(..)).collect()).collect();
    let sparse: Vec<Vec<u8>> = (0..4_096)
        .map(|_| (0..512).map(|_| random.u8(..) | random.u8(..) | random.u8(..)).collect())
        .collect();
    let wound = |y: u32| {
        let mut row = if y.is_multiple_of(4) { black(4_096) } else { white(4_096) };
        if y.is_multiple_of(4) {
            let end = if y.is_multiple_of(8) { 0 } else { row.len() - 1 };
            row[end] = 0xf0;
        }
        row
    };
    let every =
        |step: u32, y: u32| if y.is_multiple_of(step) { black(8_000) } else { white(8_000) };
    let diagonal = |y: u32| vec![!(0x80_u8 >> (y % 8)); 512];
    vec![
        ("blank_mask.png", mask(8_000, |_| white(8_000))),
        ("full_mask.png", mask(8_000, |_| black(8_000))),
        ("lines_mask.png", mask(8_000, |y| every(32, y))),
        ("stripes_mask.png", mask(8_000, |y| every(2, y))),
        ("posts_mask.png", mask(8_000, |_| posts(8_000))),
        (
            "lattice_mask.png",
            mask(8_000, |y| if y.is_multiple_of(32) { black(8_000) } else { posts(8_000) }),
        ),
        ("checker_mask.png", mask(4_096, |y| of(if y % 2 == 0 { 0x55 } else { 0xaa })(4_096))),
        (
            "checker_small_mask.png",
            mask(2_048, |y| of(if y % 2 == 0 { 0x55 } else { 0xaa })(2_048)),
        ),
        ("dots_mask.png", mask(4_096, |y| of(if y % 2 == 0 { 0xff } else { 0xaa })(4_096))),
        ("diagonals_mask.png", mask(4_096, diagonal)),
        ("comb_mask.png", mask(4_096, |y| of(if y == 0 { 0xff } else { 0xaa })(4_096))),
        ("serpentine_mask.png", mask(4_096, wound)),
        ("noise_mask.png", mask(2_048, |y| noise[y as usize].clone())),
        ("sparse_mask.png", mask(4_096, |y| sparse[y as usize].clone())),
        ("open.tmx", tiles(2_048, |x, y| u32::from(x == 0 && y == 0))),
        ("comb.tmx", tiles(2_048, |x, y| u32::from(x % 2 == 1 && y > 0))),
        ("checker.tmx", tiles(2_048, |x, y| (x + y) % 2)),
        (
            "noise.tmx",
            tiles(1_536, |x, y| u32::from(noise[y as usize][x as usize / 8] >> (x % 8) & 1)),
        ),
    ]
}

/// Returns a zstd frame whose blocks repeat the byte 0, `total` bytes in all.
fn zstd(total: u64) -> Vec<u8> {
    let mut frame = b"\x28\xb5\x2f\xfd\x00\x58".to_vec();
    let mut left = total;
    while left > 0 {
        let size = left.min(1 << 17);
        left -= size;
        let head = (size as u32) << 3 | 2 | u32::from(left == 0);
        frame.extend(&head.to_le_bytes()[..3]);
        frame.push(0);
    }
    frame
}

/// Returns small files that decode to much.
fn decoded() -> Vec<(&'static str, Vec<u8>)> {
    let in_zstd =
        |side: u32, data: &[u8]| compressed(side, "zstd", &STANDARD.encode(data)).into_bytes();
    let small = zstd(2 * 2 * 4);
    let profile = [&b"x\0\0"[..], &zeros(800 << 20)].concat();
    let profile = chunk(b"iCCP", &profile);
    let rows = zeros(32 * 129);
    let named = r#"<tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="4" columns="2"><image
        source="profile_art.png" width="32" height="32"/></tileset>"#;
    let art = support::map(
        "",
        [2; 2],
        [16; 2],
        &(named.to_owned() + &layer(r#"name="walls""#, [2; 2], "1,0,0,1")),
    );
    vec![
        ("profile_mask.png", png(32, [8, 6, 0], &profile, &rows)),
        ("profile_art.png", png(32, [8, 6, 0], &profile, &rows)),
        ("profile_art_mask.png", png(32, [8, 6, 0], &[], &rows)),
        ("profile.tmx", art.into_bytes()),
        ("interlaced_mask.png", png(6_000, [8, 6, 1], &[], &zeros(6_000 * 24_020))),
        ("deep_mask.png", png(4_000, [16, 6, 1], &[], &zeros(4_000 * 32_020))),
        ("surplus.tmx", in_zstd(16, &zstd(150_000 << 17))),
        ("whole.tmx", in_zstd(4_096, &zstd(4_096 * 4_096 * 4))),
        ("skipped.tmx", in_zstd(2, &[skippable(9, 9), small.clone(), skippable(3, 3)].concat())),
        (
            "skipped_often.tmx",
            in_zstd(2, &[skippable(0, 0).repeat(80_000), small.clone()].concat()),
        ),
        ("skipped_far.tmx", in_zstd(2, &[skippable(0, u32::MAX), small].concat())),
    ]
}

/// Writes the hostile files into `to`, each bomb of several files into its own folder.
fn write_all(to: &Path) -> Vec<PathBuf> {
    for (name, bytes) in patterns().into_iter().chain(decoded()) {
        fs::write(to.join(name), bytes).unwrap();
    }
    for (name, text) in invented() {
        fs::write(to.join(name), text).unwrap();
    }
    for (index, bomb) in crate::bombs::bombs().enumerate() {
        let folder = to.join(format!("bomb_{index}"));
        fs::create_dir_all(folder.join("d")).unwrap();
        fs::write(folder.join(bomb.file), bomb.content).unwrap();
        for (name, text) in bomb.others {
            fs::write(folder.join(name), text).unwrap();
        }
    }
    for (index, (_, map, pictures)) in crate::picture_bombs::bombs().into_iter().enumerate() {
        let folder = to.join(format!("pictures_{index}"));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("m.tmx"), map).unwrap();
        for (index, bytes) in pictures.iter().enumerate() {
            fs::write(folder.join(format!("{index}.png")), bytes).unwrap();
        }
    }
    if let Some(folder) = shared("badinput") {
        script(&folder.join("gen_bad.py"), &["bombs", "."], to);
    }
    if let Some(folder) = shared("trials4/attack") {
        script(&folder.join("ldtk/gen.py"), &[], to);
    }
    let mut files = files_in(to);
    // The pictures of one map are copies of each other.
    files.retain(|path| {
        let is_numbered =
            path.file_stem().is_some_and(|stem| stem.to_string_lossy().parse::<u32>().is_ok());
        !is_numbered || path.file_name().is_some_and(|name| name == "0.png")
    });
    let folders = ["badinput/tmx", "badinput/png", "pngsuite"];
    let trials = ["trials/bounds", "trials/verify", "trials/loaders"];
    files.extend(shared_files(&[folders, trials].concat()));
    files.retain(|path| is_level(path));
    files.sort();
    files
}

/// The worst of a command: the time, the memory, and the files that took them.
type Worst = [(u128, PathBuf); 2];

#[test]
fn every_hostile_file_is_within_two_seconds_and_256_mib_in_every_command() {
    if !support::is_long() {
        println!("skipped: BITWALL_LONG=1 measures every hostile file");
        return;
    }
    let made = tempfile::tempdir().unwrap();
    let kept = std::env::var_os("BITWALL_HOSTILE").map(PathBuf::from);
    let folder = kept.as_deref().unwrap_or(made.path());
    fs::create_dir_all(folder).unwrap();
    let files = write_all(&fs::canonicalize(folder).unwrap());
    let blank = folder.join("blank_mask.png").display().to_string();
    let open = folder.join("open.tmx").display().to_string();
    let worst: Mutex<Vec<(&'static str, Worst)>> = Mutex::default();
    let faults: Mutex<Vec<String>> = Mutex::default();
    check_all(&files, |path, scratch| {
        let (out, own) = (scratch.display(), path.display().to_string());
        let commands = [
            ("info", "info --no-config".to_owned(), MOST_KIB),
            ("info, lenient", "info --no-config -c level.lenient=true".to_owned(), MOST_KIB),
            ("verify", "verify --select all".to_owned(), MOST_KIB),
            ("verify --fix", "verify --fix --body 12x20".to_owned(), MOST_KIB),
            ("render", format!("render -o {out}/picture.png"), MOST_KIB),
            ("render art", format!("render --view art -o {out}/picture.png"), MOST_KIB),
            ("render --shapes", format!("render --shapes outlines -o {out}/picture.png"), MOST_KIB),
            ("shapes", format!("shapes -o {out}/shapes.json"), MOST_KIB),
            ("shapes chains", format!("shapes --as chains -o {out}/shapes.json"), MOST_KIB),
            ("shapes rects", format!("shapes --as rects -o {out}/shapes.json"), MOST_KIB),
            ("diff with itself", format!("diff '{own}'"), MOST_KIB_OF_DIFF),
            ("diff with a blank mask", format!("diff {blank} --body 2x2"), MOST_KIB_OF_DIFF),
            ("diff with an open map", format!("diff {open} --body 12x20"), MOST_KIB_OF_DIFF),
            ("bake", format!("bake -o {out}/level.bwl"), MOST_KIB),
            ("questions", "can-move --questions -".to_owned(), MOST_KIB),
        ];
        for (name, command, most_kib) in commands {
            // A repair changes its file.
            let copy = scratch.join(path.file_name().unwrap_or_default());
            let is_fix = name == "verify --fix" && fs::copy(path, &copy).is_ok();
            let read = if is_fix { &*copy } else { path };
            let Taken { work, peak_kib } =
                match run_measured(read, SPACE_KIB, MOST_WORK * 2, &command) {
                    Ok((output, taken)) => {
                        let err = String::from_utf8_lossy(&output.stderr);
                        let is_plain = matches!(output.status.code(), Some(0..=2));
                        if !is_plain
                            || err.contains("panicked")
                            || err.contains("there is no memory")
                        {
                            let err: String = err.chars().take(300).collect();
                            faults
                                .lock()
                                .unwrap()
                                .push(format!("{name} {own}: {}: {err}", output.status));
                        }
                        taken
                    }
                    Err(reason) => {
                        faults.lock().unwrap().push(format!("{name} {own}: {reason}"));
                        continue;
                    }
                };
            if work > MOST_WORK || peak_kib > most_kib {
                faults
                    .lock()
                    .unwrap()
                    .push(format!("{name} {own}: {work:?}, {} MiB", peak_kib >> 10));
            }
            let mut worst = worst.lock().unwrap();
            let index = worst.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                worst.push((name, Worst::default()));
                worst.len() - 1
            });
            for (most, taken) in
                worst[index].1.iter_mut().zip([work.as_millis(), (peak_kib >> 10).into()])
            {
                if taken > most.0 {
                    *most = (taken, path.to_owned());
                }
            }
        }
        Ok(())
    });
    for (name, [(ms, slow), (mib, large)]) in &*worst.lock().unwrap() {
        let [slow, large] =
            [slow, large].map(|path| path.file_name().unwrap_or_default().to_string_lossy());
        println!("| {name} | {ms} ms | {slow} | {mib} MiB | {large} |");
    }
    let mut faults = faults.into_inner().unwrap();
    faults.sort();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}
