//! Clean maps in which faults are planted: the bundled maps, and generated maps with many features.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bitwall::image::{Rgba, RgbaImage};

use crate::support::png;

/// The number of clean maps.
pub(super) const MAPS: u64 = 30;

/// The files of a map, by path.
#[derive(Clone)]
pub(super) struct Files {
    pub(super) all: BTreeMap<String, Vec<u8>>,
    /// The path of the map.
    pub(super) map: String,
    /// For a generated map: the cells of its layer of walls, row by row.
    pub(super) walls: Vec<u32>,
}

impl Files {
    /// Writes all files into a folder. Returns the path of the map.
    pub(super) fn write(&self, folder: &Path) -> std::path::PathBuf {
        for (path, bytes) in &self.all {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
        folder.join(&self.map)
    }

    /// Replaces the first `from` in a text file by `to`, in the map if it contains `from`. `None` if no file
    /// contains it.
    pub(super) fn swap(&mut self, from: &str, to: &str) -> Option<()> {
        let map = self.map.clone();
        let others: Vec<String> = self.all.keys().filter(|path| **path != map).cloned().collect();
        [map].into_iter().chain(others).find_map(|path| self.swap_in(&path, from, to))
    }

    /// Replaces the first `from` in the map by `to`. `None` if the map does not contain it.
    pub(super) fn swap_in_map(&mut self, from: &str, to: &str) -> Option<()> {
        self.swap_in(&self.map.clone(), from, to)
    }

    fn swap_in(&mut self, path: &str, from: &str, to: &str) -> Option<()> {
        let bytes = self.all.get_mut(path)?;
        let text = std::str::from_utf8(bytes).ok()?;
        let swapped = text.contains(from).then(|| text.replacen(from, to, 1))?;
        *bytes = swapped.into_bytes();
        Some(())
    }

    pub(super) fn map_text(&self) -> String {
        String::from_utf8(self.all[&self.map].clone()).unwrap()
    }

    pub(super) fn set_map(&mut self, text: impl Into<Vec<u8>>) {
        self.all.insert(self.map.clone(), text.into());
    }

    /// Returns the path of the first picture among the files.
    pub(super) fn picture(&self) -> String {
        self.all.keys().find(|path| path.ends_with(".png")).unwrap().clone()
    }
}

/// Returns the clean map with this number, from 0.
pub(super) fn clean(number: u64) -> Files {
    let own = ["bricks", "cave", "hills", "platforms", "town"];
    match own.get(number as usize) {
        Some(name) => of_assets(name),
        None => made(number),
    }
}

fn of_assets(name: &str) -> Files {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir("../assets").unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        if file.starts_with(name) || file.starts_with("walker") {
            all.insert(file, fs::read(&path).unwrap());
        }
    }
    Files { all, map: format!("{name}.tmx"), walls: Vec::new() }
}

/// Formats cells as CSV, as Tiled writes them.
fn csv(cells: &[u32], width: usize) -> String {
    let rows = cells.chunks(width).map(|row| {
        let numbers: Vec<String> = row.iter().map(u32::to_string).collect();
        numbers.join(",")
    });
    format!("\n{}\n", rows.collect::<Vec<_>>().join(",\n"))
}

/// Generates a map: ground with solid tiles, slopes and a one-way platform, a layer of walls, solid objects
/// of all shapes, and markers.
fn made(number: u64) -> Files {
    let mut rng = fastrand::Rng::with_seed(number);
    let tile = [8, 12, 16, 24][rng.usize(0..4)];
    let (width, height) = (rng.usize(9..24), rng.usize(9..20));
    let name = ["Walls", "Obstacles", "Blocked"][rng.usize(0..3)];
    let mut ground = vec![1; width * height];
    let mut walls = vec![0; width * height];
    for (index, cell) in walls.iter_mut().enumerate() {
        let (x, y) = (index % width, index / width);
        *cell = u32::from(x == 0 || y == 0 || x == width - 1 || y == height - 1) * 2;
    }
    let row = rng.usize(2..height - 4);
    let one_way: Vec<usize> = (2..5).map(|x| row * width + x).collect();
    one_way.iter().for_each(|cell| ground[*cell] = 6);
    // A solid tile, and a slope tile whose mirrored form looks the same.
    ground[(row + 2) * width + 2] = 4;
    ground[(row + 2) * width + 4] = 7;
    let tiles = "<tile id=\"3\" type=\"rock\">\n   <properties>\n    <property name=\"solid\" type=\"bool\" \
        value=\"true\"/>\n   </properties>\n  </tile>\n  <tile id=\"5\">\n   <properties>\n    <property \
        name=\"one_way\" type=\"bool\" value=\"true\"/>\n   </properties>\n  </tile>\n  <tile id=\"6\">\n   \
        <objectgroup draworder=\"index\">\n    <object id=\"1\" x=\"0\" y=\"0\">\n     <polygon \
        points=\"0,4 4,0 4,4\"/>\n    </object>\n   </objectgroup>\n  </tile>";
    let side = tile * 4;
    let set = format!(
        "name=\"tiles\" tilewidth=\"{tile}\" tileheight=\"{tile}\" tilecount=\"16\" columns=\"4\">\n  \
         <image source=\"{{}}tiles.png\" width=\"{side}\" height=\"{side}\"/>\n  {tiles}\n </tileset>"
    );
    let is_external = rng.bool();
    let mut all = BTreeMap::new();
    let tileset = match is_external {
        true => {
            let text = format!("<tileset version=\"1.10\" {}", set.replace("{}", "../art/"));
            all.insert("sets/tiles.tsx".to_owned(), text.into_bytes());
            "<tileset firstgid=\"1\" source=\"sets/tiles.tsx\"/>".to_owned()
        }
        false => format!("<tileset firstgid=\"1\" {}", set.replace("{}", "art/")),
    };
    let far = tile * 3;
    let map = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<map version=\"1.10\" tiledversion=\"1.10.2\" orientation=\"orthogonal\" renderorder=\"right-down\" \
         width=\"{width}\" height=\"{height}\" tilewidth=\"{tile}\" tileheight=\"{tile}\" infinite=\"0\">
 <properties>
  <property name=\"music\" value=\"cave.ogg\"/>
 </properties>
 {tileset}
 <layer id=\"1\" name=\"Ground\" width=\"{width}\" height=\"{height}\">
  <data encoding=\"csv\">{}</data>
 </layer>
 <layer id=\"2\" name=\"{name}\" width=\"{width}\" height=\"{height}\">
  <data encoding=\"csv\">{}</data>
 </layer>
 <objectgroup id=\"3\" name=\"Fences\" class=\"solid\">
  <object id=\"21\" x=\"{far}\" y=\"{tile}\" width=\"{tile}\" height=\"5\"/>
  <object id=\"22\" x=\"{tile}\" y=\"{far}\">
   <polygon points=\"0,0 9,1 8,9 -1,8\"/>
  </object>
  <object id=\"23\" x=\"{far}\" y=\"{far}\">
   <polyline points=\"0,0 20,3 25,20 3,22\"/>
  </object>
 </objectgroup>
 <objectgroup id=\"4\" name=\"Things\">
  <object id=\"4\" name=\"door\" type=\"exit\" x=\"{far}\" y=\"{tile}\">
   <point/>
  </object>
  <object id=\"5\" name=\"crate\" type=\"collision\" x=\"{tile}\" y=\"{tile}\" width=\"6\" height=\"6\">
   <properties>
    <property name=\"weight\" type=\"int\" value=\"3\"/>
   </properties>
  </object>
 </objectgroup>
</map>
",
        csv(&ground, width),
        csv(&walls, width),
    );
    all.insert("map.tmx".to_owned(), map.into_bytes());
    let picture = RgbaImage::from_fn(side, side, |x, y| Rgba([x as u8, y as u8, 99, 255]));
    all.insert("art/tiles.png".to_owned(), png(picture));
    Files { all, map: "map.tmx".to_owned(), walls }
}
