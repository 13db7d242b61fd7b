//! The limits, and functions that make files which need a given amount.

use bitwall::image::GrayImage;

use super::Limits;
use super::Made::{self, Map, Mask, World};
use crate::shared::png;

/// A map of 4 x 4 tiles of 16 x 16 pixels, unless `attributes` differ.
pub(super) fn map(attributes: &str, content: &str) -> String {
    let mut all = String::new();
    for (name, value) in [("width", 4), ("height", 4), ("tilewidth", 16), ("tileheight", 16)] {
        if !format!(" {attributes}").contains(&format!(" {name}=")) {
            all += &format!(r#" {name}="{value}""#);
        }
    }
    format!("<map {attributes}{all}>{content}</map>")
}

fn plain(attributes: &str, content: &str) -> Made {
    Map(map(attributes, content), String::new())
}

/// `text`, filled with spaces up to `bytes`.
fn padded(text: String, bytes: u64) -> String {
    text.clone() + &" ".repeat(bytes as usize - text.len())
}

const TILESET: &str = r#"<tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="4" columns="2">
    <image source="a.png" width="32" height="32"/><tile id="0"><properties><property name="one_way" value="top"/>
    </properties></tile></tileset>"#;

/// A layer of one row of tile 1.
fn row(name: &str, cells: u64) -> String {
    let data = vec!["1"; cells as usize].join(",");
    format!(
        r#"<layer name="{name}" width="{cells}" height="1"><data encoding="csv">{data}</data></layer>"#
    )
}

/// A layer of chunks, each one row high, at these columns and in rows of their own.
fn chunks(places: &[(i64, u64)]) -> String {
    let chunks = places.iter().zip(0..).map(|((x, width), y)| {
        let data = vec!["2"; *width as usize].join(",");
        format!(r#"<chunk x="{x}" y="{y}" width="{width}" height="1">{data}</chunk>"#)
    });
    let chunks: String = chunks.collect();
    format!(r#"<layer width="1" height="1"><data encoding="csv">{chunks}</data></layer>"#)
}

fn infinite(layers: &str) -> Made {
    plain(r#"infinite="1""#, &format!("{TILESET}{layers}"))
}

fn objects(object: &str, count: u64) -> String {
    format!("<objectgroup name=\"wall\">{}</objectgroup>", object.repeat(count as usize))
}

fn polygon(points: u64) -> String {
    let points: Vec<String> = (0..points).map(|i| format!("{i},{}", i * i)).collect();
    format!(r#"<object><polygon points="{}"/></object>"#, points.join(" "))
}

fn mask(width: u64) -> Made {
    Mask(png(GrayImage::new(width as u32, 1)))
}

/// A limit: its name, a low value, a function that sets it, and functions that make files which need a given
/// amount of it.
pub(super) type Limited = (&'static str, u64, fn(&mut Limits, u64), &'static [fn(u64) -> Made]);

/// The limits that are met exactly.
pub(super) const LIMITED: &[Limited] = &[
    (
        "file_bytes",
        500,
        |l, n| l.file_bytes = n,
        &[
            |n| Map(padded(map("", ""), n), String::new()),
            |n| {
                let set = r#"<tileset tilewidth="16" tileheight="16"/>"#;
                Map(map("", r#"<tileset firstgid="1" source="t.tsx"/>"#), padded(set.into(), n))
            },
        ],
    ),
    (
        "total_bytes",
        500,
        |l, n| l.total_bytes = n,
        &[|n| {
            let map = map("", r#"<tileset firstgid="1" source="t.tsx"/>"#);
            let set = r#"<tileset tilewidth="16" tileheight="16"/>"#;
            let rest = n - map.len() as u64;
            Map(map, padded(set.into(), rest))
        }],
    ),
    (
        "xml_depth",
        9,
        |l, n| l.xml_depth = n as u32,
        &[
            |n| plain("", &("<group>".repeat(n as usize - 1) + &"</group>".repeat(n as usize - 1))),
            |n| plain("", &("<other>".repeat(n as usize - 1) + &"</other>".repeat(n as usize - 1))),
        ],
    ),
    (
        "xml_attributes",
        9,
        |l, n| l.xml_attributes = n as u32,
        &[|n| {
            let attributes: String = (0..n).map(|i| format!(r#" a{i}="""#)).collect();
            plain("", &format!("<group{attributes}/>"))
        }],
    ),
    (
        "xml_elements",
        9,
        |l, n| l.xml_elements = n as u32,
        &[
            |n| plain("", &"<group/>".repeat(n as usize - 1)),
            |n| {
                let objects = r#"<object template="t.tx"/>"#.repeat(n as usize - 4);
                let map = map("", &format!("<objectgroup>{objects}</objectgroup>"));
                Map(map, "<template><object/></template>".into())
            },
        ],
    ),
    (
        "name_bytes",
        30,
        |l, n| l.name_bytes = n as u32,
        &[
            |n| plain("", &format!(r#"<group name="{}"/>"#, "x".repeat(n as usize))),
            |n| {
                plain(
                    "",
                    &format!(
                        r#"<group name="a"><group name="{}"/></group>"#,
                        "x".repeat(n as usize - 2)
                    ),
                )
            },
            |n| plain("", &objects(&format!(r#"<object type="{}"/>"#, "x".repeat(n as usize)), 1)),
            |n| {
                let path = "x".repeat(n as usize);
                let map = map("", &format!(r#"<tileset firstgid="1" source="{path}"/>"#));
                Map(map, r#"<tileset tilewidth="16" tileheight="16"/>"#.into())
            },
        ],
    ),
    (
        "text_bytes",
        50,
        |l, n| l.text_bytes = n as u32,
        &[
            |n| {
                let value = "x".repeat(n as usize);
                plain(
                    "",
                    &format!(r#"<properties><property name="p" value="{value}"/></properties>"#),
                )
            },
            |n| {
                let path = "x".repeat(n as usize);
                plain("", &format!(r#"<imagelayer><image source="{path}"/></imagelayer>"#))
            },
        ],
    ),
    (
        "map_side",
        9,
        |l, n| l.map_side = n as u32,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), ""),
            |n| plain(&format!(r#"width="1" height="{n}""#), ""),
            |n| infinite(&row("a", n)),
        ],
    ),
    (
        "layer_cells",
        20,
        |l, n| l.layer_cells = n,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), &(TILESET.to_owned() + &row("a", n))),
            |n| infinite(&row("a", n)),
            |n| infinite(&chunks(&[(0, 8), (0, n - 8)])),
        ],
    ),
    (
        "map_cells",
        40,
        |l, n| l.map_cells = n,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), &(TILESET.to_owned() + &row("a", n))),
            |n| infinite(&(row("a", 20) + &row("a", n - 20))),
            |n| infinite(&(chunks(&[(0, 8), (4, 9)]) + &chunks(&[(0, n - 17)]))),
            // A row of a chunk counts as at least 8 cells.
            |n| infinite(&(chunks(&[(0, 1), (4, 1)]) + &chunks(&[(0, n - 16)]))),
        ],
    ),
    ("world_maps", 2, |l, n| l.world_maps = n as u32, &[World]),
    (
        "layers",
        3,
        |l, n| l.layers = n as u32,
        &[
            |n| plain("", &"<group/>".repeat(n as usize)),
            |n| {
                plain(
                    "",
                    &("<group>".to_owned() + &"<objectgroup/>".repeat(n as usize - 1) + "</group>"),
                )
            },
        ],
    ),
    (
        "tilesets",
        3,
        |l, n| l.tilesets = n as u32,
        &[|n| {
            let sets = (0..n).map(|i| {
                format!(r#"<tileset firstgid="{}" tilewidth="9" tileheight="9"/>"#, i + 1)
            });
            plain("", &sets.collect::<String>())
        }],
    ),
    (
        "tileset_tiles",
        6,
        |l, n| l.tileset_tiles = n as u32,
        &[
            |n| {
                plain(
                    "",
                    &format!(
                        r#"<tileset firstgid="1" tilewidth="9" tileheight="9" tilecount="{n}"/>"#
                    ),
                )
            },
            |n| {
                let image = format!(r#"<image source="a.png" width="{}" height="9"/>"#, n * 9);
                plain(
                    "",
                    &format!(
                        r#"<tileset firstgid="1" tilewidth="9" tileheight="9">{image}</tileset>"#
                    ),
                )
            },
            |n| {
                let tiles: String = (0..n).map(|i| format!(r#"<tile id="{i}"/>"#)).collect();
                plain(
                    "",
                    &format!(
                        r#"<tileset firstgid="1" tilewidth="9" tileheight="9">{tiles}</tileset>"#
                    ),
                )
            },
        ],
    ),
    (
        "tile_side",
        20,
        |l, n| l.tile_side = n as u32,
        &[
            |n| plain(&format!(r#"tilewidth="{n}""#), ""),
            |n| plain(&format!(r#"tileheight="{n}""#), ""),
            |n| plain(&format!(r#"orientation="oblique" skewx="{n}""#), ""),
            |n| plain(&format!(r#"orientation="oblique" skewy="-{n}""#), ""),
            |n| {
                plain(
                    &format!(r#"orientation="hexagonal" staggeraxis="x" hexsidelength="{n}""#),
                    "",
                )
            },
            |n| plain("", &format!(r#"<tileset firstgid="1" tilewidth="{n}" tileheight="9"/>"#)),
            |n| {
                plain(
                    "",
                    &format!(
                        r#"<tileset firstgid="1" tilewidth="9" tileheight="9" spacing="{n}"/>"#
                    ),
                )
            },
            |n| {
                plain(
                    "",
                    &format!(
                        r#"<tileset firstgid="1" tilewidth="9" tileheight="9" margin="{n}"/>"#
                    ),
                )
            },
        ],
    ),
    (
        "objects",
        5,
        |l, n| l.objects = n as u32,
        &[
            |n| plain("", &objects("<object/>", n)),
            |n| {
                let shapes = "<object/>".repeat(n as usize - 1);
                let tile = format!(r#"<tile id="0"><objectgroup>{shapes}</objectgroup></tile>"#);
                let set = format!(
                    r#"<tileset firstgid="1" tilewidth="9" tileheight="9">{tile}</tileset>"#
                );
                plain("", &(set + &objects("<object/>", 1)))
            },
            // The template's own object counts, once.
            |n| {
                let objects = objects(r#"<object template="t.tx"/>"#, n - 1);
                Map(map("", &objects), "<template><object/></template>".into())
            },
        ],
    ),
    (
        "points",
        7,
        |l, n| l.points = n as u32,
        &[
            |n| plain("", &objects(&polygon(n), 1)),
            |n| plain("", &objects(&polygon(n).replace("polygon", "polyline"), 1)),
        ],
    ),
    (
        "all_points",
        21,
        |l, n| l.all_points = n as u32,
        &[
            |n| plain("", &(objects(&polygon(5), 1) + &objects(&polygon(n - 5), 1))),
            // The points of a template count for itself and for each instance.
            |n| {
                let objects =
                    objects(r#"<object template="t.tx"/>"#, 2) + &objects(&polygon(n - 15), 1);
                Map(map("", &objects), format!("<template>{}</template>", polygon(5)))
            },
        ],
    ),
    (
        "chunk_side",
        9,
        |l, n| l.chunk_side = n as u32,
        &[
            |n| infinite(&chunks(&[(0, n)])),
            |n| {
                let data = vec!["2"; n as usize].join(",");
                infinite(&format!(
                    r#"<layer width="1" height="1"><data encoding="csv"><chunk x="0" y="0" width="1"
                height="{n}">{data}</chunk></data></layer>"#
                ))
            },
        ],
    ),
    (
        "chunk_distance",
        90,
        |l, n| l.chunk_distance = n as u32,
        &[|n| infinite(&chunks(&[(n as i64, 1)])), |n| infinite(&chunks(&[(-(n as i64), 1)]))],
    ),
    (
        "coordinate",
        90,
        |l, n| l.coordinate = n as u32,
        &[
            |n| plain("", &objects(&format!(r#"<object x="{n}" width="1" height="1"/>"#), 1)),
            |n| {
                plain(
                    "",
                    &objects(&format!(r#"<object y="-{}.5" width="1" height="1"/>"#, n - 1), 1),
                )
            },
            |n| plain("", &objects(&format!(r#"<object width="{n}" height="1"/>"#), 1)),
            |n| {
                plain(
                    "",
                    &objects(&format!(r#"<object><polygon points="0,0 1,0 -{n},1"/></object>"#), 1),
                )
            },
            |n| plain("", &format!(r#"<objectgroup offsety="-{n}"/>"#)),
        ],
    ),
    ("mask_side", 9, |l, n| l.mask_side = n as u32, &[mask]),
    ("mask_pixels", 9, |l, n| l.mask_pixels = n, &[mask]),
    (
        "level_side",
        9,
        |l, n| l.level_side = n as u32,
        &[|n| plain(&format!(r#"width="{n}" height="1""#), ""), |n| infinite(&chunks(&[(3, n)]))],
    ),
    (
        "level_cells",
        9,
        |l, n| l.level_cells = n,
        &[|n| plain(&format!(r#"width="{n}" height="1""#), ""), |n| infinite(&chunks(&[(3, n)]))],
    ),
    (
        "level_blocks",
        9,
        |l, n| l.level_blocks = n as u32,
        &[|n| {
            let solid = |i| format!(r#"<object x="{}" y="0" width="16" height="16"/>"#, i * 1024);
            let all: String = (0..n).map(solid).collect();
            let layer = format!(r#"<objectgroup name="wall">{all}</objectgroup>"#);
            plain(r#"width="16384" height="16384""#, &layer)
        }],
    ),
    (
        "shaped_cells",
        9,
        |l, n| l.shaped_cells = n as u32,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), &(TILESET.to_owned() + &row("a", n))),
            |n| infinite(&(row("a", 4) + &row("a", n - 4))),
        ],
    ),
];

/// The limits of work, which a file does not state.
pub(super) const WORK: &[Limited] = &[(
    "work",
    0,
    |l, n| l.work = n,
    &[
        |_| plain("", &objects(&polygon(5), 2)),
        |_| plain("", &objects(r#"<object width="9" height="9"><ellipse/></object>"#, 1)),
        |_| {
            let shape =
                r#"<objectgroup><object width="9" height="9"><ellipse/></object></objectgroup>"#;
            let set =
                TILESET.replace("</tileset>", &format!(r#"<tile id="1">{shape}</tile></tileset>"#));
            let row = row("a", 4).replace('1', "2").replace("height=\"2", "height=\"1");
            plain(r#"height="1""#, &(set + &row))
        },
        |_| plain("", &objects(r#"<object width="16" height="16"/>"#, 3)),
        |_| plain(r#"height="1""#, &(TILESET.to_owned() + &row("walls", 4))),
    ],
)];
