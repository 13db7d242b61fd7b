//! The kernels whose instructions are counted: one function each, with the same levels and positions in each
//! run.

use std::hint::black_box;

use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::mover::{MovePath, Response};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, LoadError, Mover, MoverSettings, Sides, Sweep};

use crate::scenes::{Engine, Scene, Watching, Worlds};
use crate::work::{Query, bars, blobs, free_starts};

/// The number of queries of a kernel.
const QUERIES: usize = 10_000;
/// The number of edits of a kernel, each of which costs as much as many queries.
const EDITS: usize = 500;
/// The steps of a world, and the bodies in it.
const STEPS: usize = 60;
const BODIES: usize = 500;

/// Calls `run`. Callgrind counts only while this function runs.
#[inline(never)]
fn counted(run: &mut dyn FnMut()) {
    run();
}

/// Answers each query once, and prints the name of the kernel and the number of queries. The answers are
/// summed, so that the compiler cannot leave any out. The sum costs one instruction per query.
fn kernel<T>(name: &str, queries: &[T], mut answer: impl FnMut(&T) -> u32) {
    let mut sum = 0_u32;
    counted(&mut || {
        sum = queries.iter().fold(0, |sum: u32, query| sum.wrapping_add(answer(query)))
    });
    println!("{name}\t{}", queries.len());
    black_box(sum);
}

/// Runs all kernels.
pub(crate) fn run_all() {
    let mask = level(blobs(), 1);
    motions("mask", &mask, IVec2::new(16, 32));
    lines("mask", &mask, IVec2::new(16, 32));
    edits("mask", mask);
    let tiles = level(bars(), 16);
    motions("tiles", &tiles, IVec2::new(12, 20));
    lines("tiles", &tiles, IVec2::new(12, 20));
    edits("tiles", tiles);
    let ledges = with_ledges(level(bars(), 16));
    motions("one-way tiles", &ledges, IVec2::new(12, 20));
    worlds();
    loaders();
}

fn level(grid: Grid, cell: u32) -> Level {
    Level::from_grid(grid, UVec2::splat(cell)).expect("a cell size in range")
}

/// Returns the level with one-way cells: the passable cells two rows below a solid cell.
fn with_ledges(level: Level) -> Level {
    let mut guarded =
        Grid::new(level.grid().width(), level.grid().height()).expect("a size in range");
    for (row, column) in (2..guarded.height()).flat_map(|row| (0..256).map(move |c| (row, c))) {
        let is_ledge =
            level.grid().is_solid(column, row - 2) && !level.grid().is_solid(column, row);
        guarded.fill(column..column + 1, row..row + 1, is_ledge).expect("cells of the grid");
    }
    level.with_one_way(Dir::Up, guarded).expect("a grid of the same size")
}

/// Counts the motions of boxes of one size, in the level and with the size prepared.
fn motions(name: &str, level: &Level, size: IVec2) {
    let mut queries = free_starts(level, size);
    queries.truncate(QUERIES);
    let mut prepared = level.clone();
    assert!(prepared.prepare(size.as_uvec2()));
    for (kind, level) in [("", level), (" prepared", &prepared)] {
        kernel(&format!("{name}, Level::can_move{kind}"), &queries, |q| {
            level.can_move(q.body, q.dir, q.step).into()
        });
        kernel(&format!("{name}, Level::sweep{kind}"), &queries, |q| {
            moved(level.sweep(q.body, q.dir, q.step))
        });
        steps(&format!("{name}, Mover::step on a Level{kind}"), level, &queries);
    }
    kernel(&format!("{name}, Level::free_sides prepared"), &queries, |q| {
        let Sides { left, right, up, down } = prepared.free_sides(q.body, q.step);
        [left, right, up, down].map(u32::from).iter().sum()
    });
    kernel(&format!("{name}, Level::overlaps prepared"), &queries, |q| {
        prepared.overlaps(q.body).into()
    });
    let bodies: Vec<_> = queries.iter().map(|q| q.body).collect();
    let dirs: Vec<_> = queries.iter().map(|q| q.dir).collect();
    let each: Vec<_> = queries.iter().map(|q| q.step).collect();
    let mut free = vec![0; queries.len().div_ceil(64)];
    let batch = |at: &usize| match at {
        0 => prepared.can_move_batch(&bodies, &dirs, &each, &mut free) as u32,
        _ => 0,
    };
    let starts: Vec<usize> = (0..queries.len()).collect();
    kernel(&format!("{name}, Level::can_move_batch prepared"), &starts, batch);
}

/// Returns a number that depends on both parts of a sweep that a game looks at first.
fn moved(sweep: Sweep) -> u32 {
    sweep.moved + u32::from(sweep.contact.is_some())
}

/// Returns random positions of a body, free or in solids, each with a direction.
fn anywhere(level: &Level, size: IVec2) -> Vec<Query> {
    let mut random = fastrand::Rng::with_seed(11);
    let room = level.size().as_ivec2() - size;
    let mut query = || {
        let (x, y) = (random.i32(0..room.x), random.i32(0..room.y));
        let dir = Dir::ALL[random.u8(0..4) as usize];
        Query { body: Aabb::from_xywh(x, y, size.x, size.y), dir, step: 0 }
    };
    (0..QUERIES).map(|_| query()).collect()
}

/// Counts steps of the platformer preset, as in the bench `steps`: half of the movers are in the air, and
/// half on floors.
fn steps(name: &str, solids: &impl bitwall::Solids, queries: &[Query]) {
    let mut random = fastrand::Rng::with_seed(9);
    let mut along = || random.i64(-(4 << 16)..=4 << 16) as f32 / 65_536.0;
    let start = |(at, query): (usize, &Query)| {
        let fall = if at % 2 == 0 {
            solids.sweep_aabb(query.body, Dir::Down, 10_000, true).moved
        } else {
            0
        };
        let body = query.body.translated(IVec2::new(0, fall as i32));
        (Mover::new(body, MoverSettings::platformer()), Vec2::new(along(), along()))
    };
    let starts: Vec<_> = queries.iter().enumerate().map(start).collect();
    kernel(name, &starts, |(mover, step)| {
        let mut mover = *mover;
        mover.step(solids, *step).is_ok_and(|step| step.grounded).into()
    });
}

/// Counts rays, straight paths, bodies that are not boxes, and ways out of solids.
fn lines(name: &str, level: &Level, size: IVec2) {
    let mut random = fastrand::Rng::with_seed(13);
    let mut queries = free_starts(level, size);
    queries.truncate(QUERIES);
    let mut along = |length: i32| {
        let angle = random.f64() * std::f64::consts::TAU;
        (bitwall::glam::DVec2::from_angle(angle) * f64::from(length)).round().as_ivec2()
    };
    let rays: Vec<_> = queries.iter().map(|q| (q.body.min, q.body.min + along(300))).collect();
    kernel(&format!("{name}, Level::ray of 300 px"), &rays, |(from, to)| {
        level.ray(*from, *to, Corners::Block).map_or(0, |hit| hit.numerator as u32)
    });
    let settings = MoverSettings {
        path: MovePath::Straight(Corners::Block),
        response: Response::Stop,
        ..MoverSettings::PLAIN
    };
    let paths = queries.iter().enumerate().map(|(at, query)| {
        let by = along(20 + at as i32 % 21).as_vec2();
        (Mover::new(query.body, settings), by)
    });
    let paths: Vec<_> = paths.collect();
    kernel(&format!("{name}, MovePath::Straight, 20 to 40 px"), &paths, |(mover, by)| {
        let mut mover = *mover;
        mover.step(level, *by).map_or(0, |step| step.moved.x as u32)
    });
    let capsule = Footprint::capsule(size.as_uvec2()).expect("a small size");
    kernel(&format!("{name}, Level::sweep of a Footprint"), &queries, |q| {
        moved(level.sweep(capsule.at(q.body.min), q.dir, q.step))
    });
    let mut prepared = level.clone();
    assert!(prepared.prepare(size.as_uvec2()));
    let anywhere = anywhere(level, size);
    kernel(&format!("{name}, Level::nearest_free"), &anywhere, |q| {
        level.nearest_free(q.body, q.dir, 200).unwrap_or(0)
    });
    kernel(&format!("{name}, Level::nearest_free prepared"), &anywhere, |q| {
        prepared.nearest_free(q.body, q.dir, 200).unwrap_or(0)
    });
}

/// Counts edits of 16 x 16 cells in a level with three prepared sizes.
fn edits(name: &str, mut level: Level) {
    for size in [UVec2::new(8, 8), UVec2::new(12, 20), UVec2::new(16, 32)] {
        assert!(level.prepare(size));
    }
    let mut random = fastrand::Rng::with_seed(17);
    let room = UVec2::new(level.grid().width() - 16, level.grid().height() - 16);
    let mut edit = || (random.u32(0..room.x), random.u32(0..room.y), random.bool());
    let edits: Vec<_> = (0..EDITS).map(|_| edit()).collect();
    kernel(&format!("{name}, fill of 16 x 16, three sizes"), &edits, |(column, row, solid)| {
        let changed = level.fill(*column..column + 16, *row..row + 16, *solid);
        changed.is_ok_and(|changed| changed.is_some()).into()
    });
}

/// Steps of worlds, for each body and step: walkers, blocks that fall and lie, and moving sensors.
fn worlds() {
    let apart = Worlds::new(&Scene::walkers(BODIES, false));
    let meeting = Worlds::new(&Scene::walkers(BODIES, true));
    let watching = Worlds::watching(&Watching::new(BODIES));
    let blocks = Worlds::new(&Scene::blocks());
    for (name, mut worlds) in [
        ("walkers apart", apart),
        ("walkers that meet", meeting),
        ("sensors that watch 200 characters", watching),
        ("1,000 blocks that fall", blocks),
    ] {
        let bodies = worlds.world.iter().count();
        let steps: Vec<_> = (0..STEPS * bodies).map(|at| at % bodies == 0).collect();
        kernel(&format!("world, {name}"), &steps, |starts| {
            if *starts {
                worlds.step();
            }
            u32::from(*starts)
        });
    }
}

/// Returns the samples of the pixel at a column and row.
type PixelOf<'a> = &'a dyn Fn(u32, u32) -> Vec<u8>;

/// Counts the loads of three levels from files of the repository, and of five masks from PNGs in memory. A
/// load includes reading the files that the level names.
fn loaders() {
    let assets = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets"));
    for name in ["cave.tmx", "town.tmx", "harbor_mask.png"] {
        load(name, || Level::load(assets.join(name)));
    }
    // The square of the distance from the center of the nearest disc.
    let distance = |x: u32, y: u32| (x % 160).abs_diff(80).pow(2) + (y % 96).abs_diff(48).pow(2);
    let soft = |x, y| distance(x, y).saturating_sub(1_500).min(255) as u8;
    let plain = |x, y| if distance(x, y) < 1_600 { 0 } else { 255 };
    let noise = |x: u32, y: u32| ((x * 1_031 + y * 7_919).wrapping_mul(2_654_435_761) >> 24) as u8;
    let masks: [(&str, png::ColorType, PixelOf<'_>); 5] = [
        ("plain gray", png::ColorType::Grayscale, &|x, y| vec![plain(x, y)]),
        ("plain RGB", png::ColorType::Rgb, &|x, y| vec![plain(x, y); 3]),
        ("soft RGBA", png::ColorType::Rgba, &|x, y| {
            let shade = soft(x, y);
            vec![shade, shade, shade, 255]
        }),
        ("noisy gray", png::ColorType::Grayscale, &|x, y| vec![noise(x, y)]),
        ("painted RGB", png::ColorType::Rgb, &|x, y| {
            vec![(x / 5 + y / 7) as u8, (y / 3) as u8, (x / 9) as u8]
        }),
    ];
    for (name, color, pixel) in masks {
        let file = encoded(color, pixel);
        load(&format!("{name} mask"), || Level::decode("mask.png", &file, (), &Default::default()));
    }
}

/// Counts three loads of one level.
fn load(name: &str, level: impl Fn() -> Result<Level, LoadError>) {
    const REPEATS: [(); 3] = [(); 3];
    let solids = || level().expect("a level").grid().solid_count() as u32;
    // The first load is not counted: it may fill what later loads share, such as buffers of the allocator.
    black_box(solids());
    kernel(&format!("load, {name}"), &REPEATS, |()| solids());
}

/// Returns a PNG of 512 x 512 pixels with 8-bit samples.
fn encoded(color: png::ColorType, pixel: PixelOf<'_>) -> Vec<u8> {
    const SIDE: u32 = 512;
    let pixels = (0..SIDE * SIDE).flat_map(|at| pixel(at % SIDE, at / SIDE));
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, SIDE, SIDE);
    encoder.set_color(color);
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(&pixels.collect::<Vec<_>>()).expect("pixels");
    writer.finish().expect("an end");
    bytes
}
