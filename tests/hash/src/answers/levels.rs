//! Answers about every bundled level, decoded from embedded bytes, and about a sparse level: cells, areas,
//! markers, reasons and pictures.

use std::io;
use std::path::Path;

use bitwall::glam::IVec2;
use bitwall::load::decode_picture;
use bitwall::render::{self, DrawOptions, Overlay, Pictures};
use bitwall::{Dir, Level, LoadOptions, LoadedLevel};

use super::random::Random;
use super::{Answers, terrains};

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_bytes!(concat!("../../../../assets/", $name)).as_slice())),*]
    };
}

/// The files of `assets`.
const FILES: [(&str, &[u8]); 18] = files![
    "bricks.tmx",
    "bricks_tiles.png",
    "cave.tmx",
    "cave.tsx",
    "cave_tiles.png",
    "harbor.png",
    "harbor_mask.png",
    "hills.tmx",
    "hills_tiles.png",
    "island_mask.png",
    "platforms.tmx",
    "platforms_tiles.png",
    "thin_walls.png",
    "town.tmx",
    "town.tsx",
    "town_tiles.png",
    "walker.png",
    "walker.tsx",
];

/// A map with chunks a million tiles apart, so that its grid is sparse.
const FAR: &str = r#"<map version="1.10" orientation="orthogonal" width="2" height="2"
    tilewidth="16" tileheight="16" infinite="1"><tileset firstgid="1" name="t" tilewidth="16"
    tileheight="16" tilecount="4" columns="2"><image source="t.png" width="32" height="32"/>
    </tileset><layer id="1" name="Collision" width="2" height="2">
    <data encoding="csv"><chunk x="-1000000" y="-16" width="2" height="2">1,0,1,1</chunk>
    <chunk x="0" y="0" width="2" height="2">1,1,0,1</chunk>
    <chunk x="1000000" y="900000" width="2" height="2">0,1,1,2</chunk></data></layer></map>"#;

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(5);
    for (name, bytes) in FILES {
        if name.ends_with(".tmx") || name.contains("mask") || name == "thin_walls.png" {
            let loaded = decode(name, bytes);
            level(answers, &mut random, &loaded);
            terrains::bits(answers, loaded.level.grid());
            pictures(answers, &loaded);
        }
    }
    let far = decode("far.tmx", FAR.as_bytes());
    level(answers, &mut random, &far);
    sparse(answers, &mut random, &far.level);
}

/// Decodes the level from the bytes of a file and of the files that it names.
fn decode(name: &str, bytes: &[u8]) -> LoadedLevel {
    let read = |path: &Path| file(path).map(<[u8]>::to_vec);
    let options = LoadOptions::default();
    let loaded = LoadedLevel::decode(name, bytes, read, &options);
    loaded.unwrap_or_else(|error| panic!("{error}"))
}

fn file(path: &Path) -> io::Result<&'static [u8]> {
    let found = FILES.iter().find(|(name, _)| Path::new(name) == path);
    found.map(|(_, bytes)| *bytes).ok_or(io::ErrorKind::NotFound.into())
}

/// Adds the properties of a level besides its cells, and then the answers to queries.
fn level(answers: &mut Answers, random: &mut Random, loaded: &LoadedLevel) {
    let level = &loaded.level;
    answers.add("levels", (level.size(), (level.cell_size(), level.origin())));
    answers.add("checksums", level.checksum());
    for side in Dir::ALL {
        if let Some(grid) = level.one_way(side) {
            terrains::bits(answers, grid);
        }
    }
    for area in level.areas() {
        answers.add("areas", &area.name);
        terrains::bits(answers, area.terrain.grid());
    }
    for marker in level.markers() {
        answers.add("markers", format!("{marker:?}"));
    }
    answers.add("sources", format!("{:?} {:?}", loaded.source, loaded.warnings));
    let cells = level.grid().size().as_ivec2();
    for _ in 0..400 {
        let cell = random.point(IVec2::ZERO, cells);
        answers.add("reasons", format!("{:?}", loaded.provenance(cell)));
    }
    terrains::queries(answers, random, level, 2_000);
}

/// Adds answers about positions near the few solid cells of the sparse level.
fn sparse(answers: &mut Answers, random: &mut Random, level: &Level) {
    let grid = level.grid();
    answers.add("grids", (grid.size(), grid.solid_count()));
    let (columns, rows) = (0..grid.width(), 0..grid.height());
    for dir in Dir::ALL {
        let Some(cell) = grid.first_solid(dir, columns.clone(), rows.clone()) else { continue };
        answers.add("cells", cell);
        let area = level.cell_box(cell.as_ivec2());
        for _ in 0..2_000 {
            let offset = random.point(IVec2::splat(-50), IVec2::splat(50));
            let body = area.translated(offset);
            let (dir, step) = (random.dir(), random.distance());
            answers.add("moves of boxes", level.can_move(body, dir, step));
            answers.add("moves of boxes", level.sweep(body, dir, step));
            answers.add("moves of boxes", level.nearest_free(body, dir, 90));
            answers.add("overlaps", level.solid_area(body));
        }
    }
}

/// Adds the bytes of two pictures of a level: its collision and its art.
fn pictures(answers: &mut Answers, loaded: &LoadedLevel) {
    let collision = render::collision(&loaded.level).expect("a picture within the limits");
    answers.add("pictures", collision.as_raw().as_slice());
    let placed = loaded.maps.iter();
    for map in placed {
        let paths = render::picture_paths(map).into_iter();
        let decoded = paths.map(|path| {
            let picture = file(&path).ok().and_then(|bytes| decode_picture(&path, bytes).ok());
            (path, picture)
        });
        let pictures: Pictures = decoded.collect();
        let overlay = Overlay::none(1);
        let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
        let art = render::draw((&loaded.level, std::slice::from_ref(map)), &options)
            .expect("a picture within the limits");
        answers.add("pictures", art.as_raw().as_slice());
    }
}
