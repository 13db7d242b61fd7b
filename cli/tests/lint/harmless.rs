//! Edits that change no wall: files saved again, other ids, moved scenery.
//!
//! `bitwall verify` has no new finding after any of them, in the bundled levels and in maps of real games.

use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::Path;

use base64::{Engine, engine::general_purpose::STANDARD};
use bitwall::image::{self, DynamicImage, ImageFormat, imageops};
use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use regex_lite::{Captures, Regex};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::shared::{bitwall_in, files_in, folder, root, shared};
use crate::support;

/// A project with a map to edit. `scenery` names layers whose tiles stop nobody and show no walls.
struct Base {
    project: &'static str,
    map: &'static str,
    scenery: &'static [&'static str],
}

const BASES: [Base; 12] = [
    Base { project: "assets", map: "cave.tmx", scenery: &["Background", "Rock"] },
    Base { project: "assets", map: "platforms.tmx", scenery: &["Front", "Sky"] },
    Base { project: "assets", map: "hills.tmx", scenery: &["Plants and clouds", "Far"] },
    Base { project: "assets", map: "bricks.tmx", scenery: &["Vines", "Dusk"] },
    Base { project: "assets", map: "town.tmx", scenery: &["Paths", "Grass"] },
    Base {
        project: "../shared/corpus/themanaworld+tmwa-client-data",
        map: "maps/011-3.tmx",
        scenery: &["Over1", "Fringe"],
    },
    Base {
        project: "../shared/corpus/Sanglorian+Tuxemon",
        map: "tuxemon/resources/maps/route1.tmx",
        scenery: &[],
    },
    Base {
        project: "../shared/fresh/otaviocap+Dungeons-And-Caves",
        map: "Maps/map1.tmx",
        scenery: &["Shadow", "UpperCharacter"],
    },
    Base {
        project: "../shared/fresh/challacade+legend-of-lua",
        map: "maps/test.tmx",
        scenery: &["Base"],
    },
    Base {
        project: "../shared/fresh/gurkenlabs+litiengine-gurk-nukem",
        map: "maps/level1.tmx",
        scenery: &["background-detail", "background"],
    },
    Base {
        project: "../shared/fresh/nick-json+boss-baller",
        map: "sprites/map.tmx",
        scenery: &["trees", "ground"],
    },
    Base {
        project: "../shared/fresh/kidscancode+pygame_tutorials",
        map: "tilemap/part 18/maps/level1.tmx",
        scenery: &[],
    },
];

/// The attributes of an element, in document order.
type Attributes = Vec<(String, String)>;

fn get<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    attributes.iter().find(|(known, _)| known == name).map(|(_, value)| &**value)
}

fn set(attributes: &mut Attributes, name: &str, value: impl ToString) {
    match attributes.iter_mut().find(|(known, _)| known == name) {
        Some((_, old)) => *old = value.to_string(),
        None => attributes.push((name.to_owned(), value.to_string())),
    }
}

/// Adds `more` to a numeric attribute, if the element has it.
fn add(attributes: &mut Attributes, name: &str, more: f64) {
    if let Some(value) = get(attributes, name).map(|value| value.parse::<f64>().unwrap()) {
        set(attributes, name, value + more);
    }
}

/// Changes the attributes of all elements with these names.
fn tags(text: &str, names: &str, mut change: impl FnMut(&mut Attributes)) -> String {
    let tag = Regex::new(&format!(r#"<({names})((?:\s+[\w:.-]+="[^"]*")*)\s*(/?)>"#)).unwrap();
    let attribute = Regex::new(r#"([\w:.-]+)="([^"]*)""#).unwrap();
    let replaced = tag.replace_all(text, |found: &Captures<'_>| {
        let pair = |it: Captures<'_>| (it[1].to_owned(), it[2].to_owned());
        let mut attributes = attribute.captures_iter(&found[2]).map(pair).collect();
        change(&mut attributes);
        let mut tag = format!("<{}", &found[1]);
        attributes.iter().for_each(|(name, value)| write!(tag, " {name}=\"{value}\"").unwrap());
        tag + &found[3] + ">"
    });
    replaced.into_owned()
}

fn regex(text: &str, from: &str, to: &str) -> String {
    Regex::new(from).unwrap().replace_all(text, to).into_owned()
}

fn compressed(cells: &[u32], kind: &str) -> String {
    let bytes: Vec<u8> = cells.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let written = |write: &dyn Fn(&mut Vec<u8>)| {
        let mut into = Vec::new();
        write(&mut into);
        into
    };
    use std::io::Write;
    let bytes = match kind {
        "zlib" => written(&|into| {
            ZlibEncoder::new(into, Compression::best()).write_all(&bytes).unwrap();
        }),
        "gzip" => written(&|into| {
            GzEncoder::new(into, Compression::fast()).write_all(&bytes).unwrap();
        }),
        "zstd" => compress_to_vec(&*bytes, CompressionLevel::Fastest),
        _ => bytes,
    };
    STANDARD.encode(bytes)
}

/// Returns a `<data>` element with these cells in a format.
fn data(cells: &[u32], width: usize, format: &str) -> String {
    let numbers = |cells: &[u32]| cells.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    match format {
        "csv" => {
            let rows: Vec<String> = cells.chunks(width).map(numbers).collect();
            format!("<data encoding=\"csv\">\n{}\n</data>", rows.join(",\n"))
        }
        "one line" => format!("<data encoding=\"csv\">{}</data>", numbers(cells)),
        "elements" => {
            let tile = |gid: &u32| match gid {
                0 => "<tile/>".to_owned(),
                gid => format!("<tile gid=\"{gid}\"/>"),
            };
            format!("<data>{}</data>", cells.iter().map(tile).collect::<String>())
        }
        "plain" => format!("<data encoding=\"base64\">{}</data>", compressed(cells, "")),
        kind => {
            let cells = compressed(cells, kind);
            format!("<data encoding=\"base64\" compression=\"{kind}\">\n   {cells}\n  </data>")
        }
    }
}

fn decoded(attributes: &str, content: &str) -> Vec<u32> {
    let content = content.trim();
    if attributes.contains("csv") {
        return content.split(',').map(|gid| gid.trim().parse().unwrap()).collect();
    }
    let bytes = STANDARD.decode(content).unwrap();
    let mut out = Vec::new();
    match () {
        () if attributes.contains("zlib") => {
            flate2::read::ZlibDecoder::new(&*bytes).read_to_end(&mut out).unwrap();
        }
        () if attributes.contains("gzip") => {
            flate2::read::GzDecoder::new(&*bytes).read_to_end(&mut out).unwrap();
        }
        () if attributes.contains("zstd") => {
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(&*bytes).unwrap();
            decoder.read_to_end(&mut out).unwrap();
        }
        () => out = bytes,
    }
    out.chunks_exact(4).map(|gid| u32::from_le_bytes(gid.try_into().unwrap())).collect()
}

/// The text of a map, and the names of its layers of scenery.
struct Text<'a> {
    text: &'a str,
    scenery: &'static [&'static str],
}

impl Text<'_> {
    /// Splits the text into the part before the first layer, with the tilesets, and the rest.
    fn split(&self) -> (&str, &str) {
        let embedded = self.text.rfind("</tileset>").unwrap_or(0);
        let layers = ["<layer ", "<objectgroup ", "<group "];
        let first = layers.iter().filter_map(|tag| self.text[embedded..].find(tag)).min().unwrap();
        self.text.split_at(embedded + first)
    }

    /// Changes the attributes of elements behind the tilesets.
    fn layers(&self, names: &str, change: impl FnMut(&mut Attributes)) -> Option<String> {
        let (head, layers) = self.split();
        Some(head.to_owned() + &tags(layers, names, change))
    }

    /// Changes the attributes of the element `<map>`.
    fn head(&self, change: impl FnMut(&mut Attributes)) -> Option<String> {
        Some(tags(self.text, "map", change))
    }

    /// Changes the attributes of the first layer of scenery.
    fn scene(&self, change: impl Fn(&mut Attributes)) -> Option<String> {
        let name = self.scenery.first()?;
        self.layers("layer", |layer| {
            if get(layer, "name") == Some(name) {
                change(layer);
            }
        })
    }

    /// Replaces the cell data of each layer. `change` gets the name of the layer, its cells and its width,
    /// and returns the new `<data>` element.
    fn cells(&self, mut change: impl FnMut(&str, Vec<u32>, usize) -> String) -> Option<String> {
        let layer = Regex::new(
            r#"(<layer [^>]*>)([^<]*(?:<properties>(?s:.*?)</properties>\s*)?)<data([^>]*)>([^<]*)</data>"#,
        );
        let name = Regex::new(r#" name="([^"]*)""#).unwrap();
        let width = Regex::new(r#" width="(\d+)""#).unwrap();
        let (head, layers) = self.split();
        let layers = layer.unwrap().replace_all(layers, |found: &Captures<'_>| {
            let name = name.captures(&found[1]).map_or("", |name| name.get(1).unwrap().as_str());
            let width = width.captures(&found[1]).unwrap()[1].parse().unwrap();
            let data = change(name, decoded(&found[3], &found[4]), width);
            format!("{}{}{data}", &found[1], &found[2])
        });
        Some(head.to_owned() + &layers)
    }

    fn saved(&self, format: &str) -> Option<String> {
        self.cells(|_, cells, width| data(&cells, width, format))
    }

    /// Changes the cells of the first layer of scenery.
    fn repaint(&self, change: impl Fn(&mut Vec<u32>, usize)) -> Option<String> {
        let scenery = self.scenery.first()?;
        self.cells(|name, mut cells, width| {
            if name == *scenery {
                change(&mut cells, width);
            }
            data(&cells, width, "csv")
        })
    }

    /// Adds an element before the first or after the last layer. `TILE` in it is replaced by a tile of the
    /// scenery.
    fn with(&self, element: &str, is_last: bool) -> Option<String> {
        let (head, layers) = self.split();
        let layers = layers.trim_end().strip_suffix("</map>")?;
        Some(match is_last {
            true => format!("{head}{layers} {element}\n</map>\n"),
            false => format!("{head}{element}\n {layers}</map>\n"),
        })
    }

    /// Returns the columns and rows of the map, then the width and height of a tile in pixels.
    fn size(&self) -> [usize; 4] {
        let mut size = [0; 4];
        tags(self.text, "map", |map| {
            size = ["width", "height", "tilewidth", "tileheight"]
                .map(|name| get(map, name).unwrap().parse().unwrap());
        });
        size
    }

    /// Returns the first tile used in the scenery.
    fn tile(&self) -> Option<u32> {
        let (scenery, mut tile) = (self.scenery.first()?, None);
        self.cells(|name, cells, _| {
            if name == *scenery {
                tile = cells.into_iter().find(|gid| *gid > 0);
            }
            String::new()
        });
        tile
    }

    /// Returns a new layer with a tile of the scenery in every eleventh cell.
    fn new_layer(&self, attributes: &str) -> Option<String> {
        let ([width, height, ..], tile) = (self.size(), self.tile()?);
        let cells: Vec<u32> =
            (0..width * height).map(|at| if at % 11 == 0 { tile } else { 0 }).collect();
        let data = data(&cells, width, "csv");
        Some(format!(
            "<layer id=\"991\" {attributes} width=\"{width}\" height=\"{height}\">{data}</layer>"
        ))
    }

    /// Changes the first tileset that is embedded in the map.
    fn tileset(&self, change: impl Fn(&str) -> String) -> Option<String> {
        let start = Regex::new("<tileset [^>]*[^/]>").unwrap().find(self.text)?.start();
        let end = start + self.text[start..].find("</tileset>")? + "</tileset>".len();
        let (before, rest) = self.text.split_at(start);
        Some(before.to_owned() + &change(&rest[..end - start]) + &rest[end - start..])
    }

    /// Turns the map into an infinite map with chunks of `side` x `side` cells. The first chunk is at cell
    /// `first` on both axes.
    fn infinite(&self, side: usize, first: i64) -> Option<String> {
        let [width, height, tile_width, tile_height] = self.size();
        let chunked = self.cells(|_, cells, _| {
            let mut chunks = String::new();
            for (top, left) in (0..height)
                .step_by(side)
                .flat_map(|top| (0..width).step_by(side).map(move |left| (top, left)))
            {
                let mut chunk = vec![0; side * side];
                for (y, x) in (0..side).flat_map(|y| (0..side).map(move |x| (y, x))) {
                    if top + y < height && left + x < width {
                        chunk[y * side + x] = cells[(top + y) * width + left + x];
                    }
                }
                if chunk.iter().any(|gid| *gid > 0) {
                    let numbers: Vec<String> = chunk.iter().map(u32::to_string).collect();
                    let [x, y] = [left, top].map(|at| at as i64 + first);
                    writeln!(
                        chunks,
                        "<chunk x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\">{}</chunk>",
                        numbers.join(",")
                    )
                    .unwrap();
                }
            }
            format!("<data encoding=\"csv\">\n{chunks}</data>")
        })?;
        let text = Text { text: &chunked, ..*self };
        let text = text.layers("object", |object| {
            add(object, "x", first as f64 * tile_width as f64);
            add(object, "y", first as f64 * tile_height as f64);
        })?;
        Text { text: &text, ..*self }.head(|map| set(map, "infinite", 1))
    }
}

type Edit = fn(&Text<'_>) -> Option<String>;

/// The edits. An edit returns `None` if the map contains nothing to edit.
const EDITS: &[(&str, Edit)] = &[
    // The same document with other bytes.
    ("line ends of Windows", |map| Some(map.text.replace("\r\n", "\n").replace('\n', "\r\n"))),
    ("a byte order mark", |map| Some(format!("\u{feff}{}", map.text))),
    ("no XML declaration", |map| Some(regex(map.text, r"^\s*<\?xml[^>]*\?>\s*", ""))),
    ("comments", |map| Some(map.text.replace("<data", "<!-- cells --><data") + "<!-- end -->\n")),
    ("tabs for spaces", |map| Some(regex(map.text, "(?m)^ +<", "\t\t<"))),
    ("no line breaks between elements", |map| Some(regex(map.text, r">\s+<", "><"))),
    ("blank lines at the end", |map| Some(format!("{}\n\n  \n", map.text))),
    ("attributes in reverse", |map| {
        Some(tags(map.text, r"\w+", |attributes| attributes.reverse()))
    }),
    ("attributes in single quotes", |map| {
        Some(regex(map.text, r#"([\w:.-]+)="([^"']*)""#, "$1='$2'"))
    }),
    ("long ends of empty elements", |map| {
        Some(regex(map.text, r"<(\w+)([^<>]*?)\s*/>", "<$1$2></$1>"))
    }),
    ("characters as references", |map| {
        Some(regex(map.text, r#" name="(\w*?)a(\w*)""#, r#" name="$1&#97;$2""#))
    }),
    ("cells as CSV", |map| map.saved("csv")),
    ("cells as CSV in one line", |map| map.saved("one line")),
    ("cells as elements", |map| map.saved("elements")),
    ("cells as plain Base64", |map| map.saved("plain")),
    ("cells compressed by zlib", |map| map.saved("zlib")),
    ("cells compressed by gzip", |map| map.saved("gzip")),
    ("cells compressed by Zstandard", |map| map.saved("zstd")),
    ("numbers of objects with decimals", |map| {
        map.layers("object", |object| {
            for name in ["x", "y", "width", "height"] {
                if let Some(value) = get(object, name).filter(|value| !value.contains('.')) {
                    let value = format!("{value}.000");
                    set(object, name, value);
                }
            }
        })
    }),
    // Infinite maps, and maps moved as a whole.
    ("an infinite map", |map| map.infinite(16, 0)),
    ("an infinite map of large chunks", |map| map.infinite(32, 0)),
    ("an infinite map of small chunks", |map| map.infinite(8, 0)),
    ("an infinite map moved to the left and up", |map| map.infinite(16, -16)),
    ("an infinite map moved to the right and down", |map| map.infinite(16, 48)),
    ("a map moved by two tiles", |map| {
        let [_, _, tile_width, tile_height] = map.size();
        let text = map.cells(|_, cells, width| {
            let mut moved = vec![0; (width + 2) * 2];
            for row in cells.chunks(width) {
                moved.extend([0, 0]);
                moved.extend(row);
            }
            data(&moved, width + 2, "csv")
        })?;
        let text = Text { text: &text, ..*map }.layers("object", |object| {
            add(object, "x", 2.0 * tile_width as f64);
            add(object, "y", 2.0 * tile_height as f64);
        })?;
        Some(tags(&text, "map|layer", |it| {
            ["width", "height"].iter().for_each(|name| add(it, name, 2.0))
        }))
    }),
    // Data that only the editor uses.
    ("another version of Tiled", |map| {
        map.head(|map| ["version", "tiledversion"].iter().for_each(|name| set(map, name, "1.11")))
    }),
    ("no version", |map| map.head(|map| map.retain(|(name, _)| !name.ends_with("version")))),
    ("another order of drawing", |map| map.head(|map| set(map, "renderorder", "left-up"))),
    ("another background", |map| map.head(|map| set(map, "backgroundcolor", "#123456"))),
    ("a level of compression", |map| map.head(|map| set(map, "compressionlevel", 9))),
    ("a class of the map", |map| map.head(|map| set(map, "class", "Chapter"))),
    ("higher next ids", |map| {
        map.head(|map| ["nextlayerid", "nextobjectid"].iter().for_each(|name| set(map, name, 5000)))
    }),
    ("no next ids", |map| map.head(|map| map.retain(|(name, _)| !name.starts_with("next")))),
    ("settings of an export", |map| {
        let export = "<editorsettings><chunksize width=\"32\" height=\"32\"/><export target=\"x.json\" \
                      format=\"json\"/></editorsettings>";
        Some(map.text.replacen("<tileset", &format!("{export}\n <tileset"), 1))
    }),
    // Ids, names and properties.
    ("other ids of objects", |map| map.layers("object", |object| add(object, "id", 1000.0))),
    ("other ids of layers", |map| {
        map.layers("layer|objectgroup|group|imagelayer", |layer| add(layer, "id", 1000.0))
    }),
    ("other numbers of tiles", |map| {
        let by = |gid: u32| if gid & 0x1fff_ffff == 0 { gid } else { gid + 500 };
        let text = map.cells(|_, cells, width| {
            data(&cells.into_iter().map(by).collect::<Vec<_>>(), width, "csv")
        })?;
        let text = tags(&text, "tileset", |set| add(set, "firstgid", 500.0));
        Some(tags(&text, "object", |object| {
            if let Some(gid) = get(object, "gid").map(|gid| gid.parse().unwrap()) {
                set(object, "gid", by(gid));
            }
        }))
    }),
    ("a scenery of another name", |map| map.scene(|layer| set(layer, "name", "Backdrop 7"))),
    ("a scenery of a class", |map| map.scene(|layer| set(layer, "class", "Backdrop"))),
    ("properties of the map", |map| {
        let ours = "<property name=\"chapter\" value=\"one\"/><property name=\"weather\" \
                    type=\"int\" value=\"3\"/>";
        Some(
            match map
                .split()
                .0
                .find("<properties>")
                .filter(|at| *at < map.text.find("<tileset").unwrap())
            {
                Some(at) => {
                    let (before, after) = map.text.split_at(at + "<properties>".len());
                    format!("{before}{ours}{after}")
                }
                None => map.text.replacen(
                    "<tileset",
                    &format!("<properties>{ours}</properties><tileset"),
                    1,
                ),
            },
        )
    }),
    ("properties of the scenery", |map| {
        let name = map.scenery.first()?;
        let layer =
            Regex::new(&format!(r#"(<layer [^>]*name="{name}"[^>]*>)\s*(<properties>)?"#)).unwrap();
        let ours = "<property name=\"mood\" value=\"dark\"/><property name=\"fog\" type=\"bool\" \
                    value=\"true\"/>";
        let with_ours = |found: &Captures<'_>| match found.get(2) {
            Some(_) => format!("{}<properties>{ours}", &found[1]),
            None => format!("{}<properties>{ours}</properties>", &found[1]),
        };
        Some(layer.replace(map.text, with_ours).into_owned())
    }),
    ("properties of objects", |map| {
        let (head, layers) = map.split();
        let ours = "<properties><property name=\"author\" value=\"Ann\"/></properties>";
        let layers =
            regex(layers, "<object ([^>]*[^/>]|)/>", &format!("<object $1>{ours}</object>"));
        Some(head.to_owned() + &layers)
    }),
    // Layers of scenery.
    ("a faint scenery", |map| map.scene(|layer| set(layer, "opacity", "0.4"))),
    ("a tinted scenery", |map| map.scene(|layer| set(layer, "tintcolor", "#ff8040"))),
    ("a locked scenery", |map| map.scene(|layer| set(layer, "locked", 1))),
    ("a hidden scenery", |map| map.scene(|layer| set(layer, "visible", 0))),
    ("a scenery drawn beside its place", |map| map.scene(|layer| set(layer, "offsety", "-3.5"))),
    ("a scenery that scrolls slowly", |map| map.scene(|layer| set(layer, "parallaxx", "0.5"))),
    ("flipped tiles of scenery", |map| {
        map.repaint(|cells, _| {
            cells.iter_mut().filter(|gid| **gid > 0).for_each(|gid| *gid ^= 1 << 31)
        })
    }),
    ("turned tiles of scenery", |map| {
        map.repaint(|cells, _| {
            cells.iter_mut().filter(|gid| **gid > 0).for_each(|gid| *gid |= 5 << 29)
        })
    }),
    ("moved tiles of scenery", |map| map.repaint(|cells, width| cells.rotate_right(3 * width + 2))),
    ("a tile of scenery less", |map| {
        map.repaint(|cells, _| *cells.iter_mut().find(|gid| **gid > 0).unwrap() = 0)
    }),
    ("a new layer of scenery below", |map| map.with(&map.new_layer("name=\"Moss\"")?, false)),
    ("a new layer of scenery above", |map| map.with(&map.new_layer("name=\"Leaves\"")?, true)),
    ("a new hidden layer", |map| map.with(&map.new_layer("name=\"Sketch\" visible=\"0\"")?, true)),
    ("a new group of scenery", |map| {
        let layer = map.new_layer("name=\"Moss\"")?;
        map.with(&format!("<group id=\"990\" name=\"More\">{layer}</group>"), true)
    }),
    ("layers of scenery exchanged", |map| {
        let [a, b] = map.scenery else { return None };
        map.layers("layer", |_| ()).map(|text| {
            let layer = |name: &str| {
                let layer =
                    Regex::new(&format!(r#"<layer [^>]*name="{name}"[^>]*>(?s:.*?)</layer>"#))
                        .unwrap();
                layer.find(&text).unwrap().as_str().to_owned()
            };
            let (a, b) = (layer(a), layer(b));
            text.replace(&a, "<EXCHANGED/>").replace(&b, &a).replace("<EXCHANGED/>", &b)
        })
    }),
    ("an empty layer of tiles", |map| {
        let [width, height, ..] = map.size();
        let data = data(&vec![0; width * height], width, "zlib");
        let layer = "<layer id=\"992\" name=\"Tile Layer 9\"";
        map.with(&format!("{layer} width=\"{width}\" height=\"{height}\">{data}</layer>"), true)
    }),
    ("a layer of a picture", |map| {
        map.with(
            "<imagelayer id=\"993\" name=\"Mist\"><image source=\"harmless.png\" width=\"8\" \
                  height=\"8\"/></imagelayer>",
            true,
        )
    }),
    ("a layer of notes", |map| {
        let notes = r#"<object id="9001" x="8" y="8" width="40" height="16"><text>Look here</text></object>
            <object id="9002" name="note" x="9" y="9"><point/></object>"#;
        let layer = format!("<objectgroup id=\"994\" name=\"Notes\">{notes}</objectgroup>");
        map.with(&layer, true)
    }),
    // Tilesets.
    ("a new tileset that is not used", |map| {
        let set = r#"<tileset firstgid="900000" name="Spare" tilewidth="4" tileheight="4" tilecount="4"
            columns="2">
            <image source="harmless.png" width="8" height="8"/></tileset>"#;
        let (head, layers) = map.split();
        Some(format!("{head}{set}\n {layers}"))
    }),
    ("a grid and a tile offset of a tileset", |map| {
        map.tileset(|set| {
            let more = r#"<tileoffset x="0" y="0"/><grid orientation="orthogonal" width="8" height="8"/>
                <transformations hflip="1" vflip="0" rotate="0" preferuntransformed="0"/>"#;
            set.replacen("<image", &format!("{more}<image"), 1)
        })
    }),
    ("terrains of a tileset", |map| {
        map.tileset(|set| {
            let more = "<wangsets><wangset name=\"Ground\" type=\"corner\" tile=\"-1\"><wangcolor name=\"a\" \
                        color=\"#ff0000\" tile=\"-1\" probability=\"1\"/><wangtile tileid=\"0\" \
                        wangid=\"0,1,0,1,0,1,0,1\"/></wangset></wangsets></tileset>";
            set.replace("</tileset>", more)
        })
    }),
    ("a tileset of another name", |map| {
        map.tileset(|text| tags(text, "tileset", |it| set(it, "name", "Art 2")))
    }),
    ("another colour of transparency", |map| {
        map.tileset(|text| tags(text, "image", |image| set(image, "trans", "ff00ff")))
    }),
    // Other descriptions of the same shapes.
    ("objects drawn in their order", |map| {
        map.layers("objectgroup", |it| set(it, "draworder", "index"))
    }),
    ("a colour of objects", |map| map.layers("objectgroup", |it| set(it, "color", "#8030ff"))),
    ("objects turned by a whole turn", |map| {
        map.layers("object", |object| {
            if get(object, "rotation").is_none() && get(object, "gid").is_none() {
                set(object, "rotation", 360);
            }
        })
    }),
    ("polygons that start at another corner", |map| {
        Some(regex(map.text, r#"<polygon points="([^ "]+) ([^"]+)""#, r#"<polygon points="$2 $1""#))
    }),
];

/// Returns the exit code and the output of `verify` for findings that are not in the baseline.
fn new_findings(root: &Path) -> (i32, String) {
    let args = ["verify", "-q", "--format", "concise", "--baseline", "known.json"];
    let (code, out, err) = bitwall_in(root, &args, "");
    (code, out + &err)
}

fn project(base: &str) -> tempfile::TempDir {
    let from = root().join(base);
    let to = folder(&[(".git/HEAD", "")]);
    for file in files_in(&from) {
        let copy = to.path().join(file.strip_prefix(&from).unwrap());
        fs::create_dir_all(copy.parent().unwrap()).unwrap();
        fs::write(copy, fs::read(file).unwrap()).unwrap();
    }
    to
}

fn known(root: &Path) {
    let args = ["verify", "-q", "--baseline", "known.json", "--write-baseline"];
    let (code, _, err) = bitwall_in(root, &args, "");
    assert_eq!(code, 0, "{err}");
}

/// Makes the edits in `bases`, and checks that no finding is new. Outside the long run, each map gets every
/// fourth edit.
///
/// Returns the number of times that each edit was made, the failures, and true if all maps were present.
fn edit(bases: &[Base]) -> (Vec<u32>, Vec<String>, bool) {
    let (mut counts, mut faults, mut has_all) = (vec![0; EDITS.len()], Vec::new(), true);
    for (base_number, base) in bases.iter().enumerate() {
        let is_there =
            !base.project.starts_with("../shared/") || shared(&base.project[10..]).is_some();
        if !is_there {
            has_all = false;
            continue;
        }
        let project = project(base.project);
        let root = project.path();
        let path = root.join(base.map);
        let picture = DynamicImage::new_rgba8(8, 8);
        picture.save(path.with_file_name("harmless.png")).unwrap();
        known(root);
        let text = fs::read_to_string(&path).unwrap();
        let mut check = |name: &str, edited: &[u8]| {
            fs::write(&path, edited).unwrap();
            let (code, out) = new_findings(root);
            if code != 0 || !out.is_empty() {
                faults.push(format!("{name}, in {}:\n{out}", base.map));
            }
        };
        for (number, (name, edit)) in EDITS.iter().enumerate() {
            if !support::is_long() && number % 4 != base_number % 4 {
                continue;
            }
            let map = Text { text: &text, scenery: base.scenery };
            if let Some(edited) = edit(&map).filter(|edited| *edited != text) {
                counts[number] += 1;
                check(name, edited.as_bytes());
            }
        }
        let utf16 = text.replacen("UTF-8", "UTF-16", 1);
        let utf16: Vec<u8> = "\u{feff}"
            .encode_utf16()
            .chain(utf16.encode_utf16())
            .flat_map(u16::to_le_bytes)
            .collect();
        check("UTF-16", &utf16);
    }
    (counts, faults, has_all)
}

#[test]
fn harmless_edits_of_maps_make_no_findings() {
    let (left, right) = BASES.split_at(BASES.len() / 2);
    let (left, right) = std::thread::scope(|scope| {
        let beside = scope.spawn(|| edit(left));
        let right = edit(right);
        (beside.join().unwrap(), right)
    });
    let counts: Vec<u32> = left.0.iter().zip(&right.0).map(|(one, other)| one + other).collect();
    let faults = [left.1, right.1].concat();
    println!("{} edits, made {} times", EDITS.len() + 1, counts.iter().sum::<u32>());
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    let unused: Vec<&str> = EDITS
        .iter()
        .zip(&counts)
        .filter(|(_, count)| **count == 0)
        .map(|(edit, _)| edit.0)
        .collect();
    let is_whole = left.2 && right.2 && support::is_long();
    assert!(!is_whole || unused.is_empty(), "edits that change nothing: {unused:?}");
}

#[test]
fn harmless_edits_of_masks_make_no_findings() {
    let project = project("assets");
    let root = project.path();
    known(root);
    for name in ["harbor_mask.png", "island_mask.png"] {
        let path = root.join(name);
        let (bytes, picture) = (fs::read(&path).unwrap(), image::open(&path).unwrap());
        let png = |picture: DynamicImage| {
            let mut bytes = std::io::Cursor::new(Vec::new());
            picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
            bytes.into_inner()
        };
        for (edit, edited) in [
            ("8 bits of gray", png(picture.to_luma8().into())),
            ("gray with alpha", png(picture.to_luma_alpha8().into())),
            ("16 bits of gray", png(picture.to_luma16().into())),
            ("RGB", png(picture.to_rgb8().into())),
            ("RGBA", png(picture.to_rgba8().into())),
            ("16 bits of RGBA", png(picture.to_rgba16().into())),
        ] {
            fs::write(&path, edited).unwrap();
            assert_eq!(new_findings(root), (0, String::new()), "{edit} of {name}");
        }
        fs::write(&path, bytes).unwrap();
    }
    // The mask and its art are cut to the same rectangle.
    for name in ["harbor_mask.png", "harbor.png"] {
        let picture = image::open(root.join(name)).unwrap();
        let (width, height) = (picture.width() - 16, picture.height() - 8);
        imageops::crop_imm(&picture, 16, 8, width, height)
            .to_image()
            .save(root.join(name))
            .unwrap();
    }
    assert_eq!(new_findings(root), (0, String::new()), "both cut alike");
}
