//! The limits, each with functions that make a file which needs a given amount.

use bitwall::image::GrayImage;

use super::Limits;
use super::Made::{self, Map, Mask, World};
use crate::support::png;

/// Returns a map of 4 x 4 tiles of 16 x 16 pixels, unless `attributes` override these.
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

/// Returns `text`, padded with spaces to `bytes` bytes.
fn padded(text: String, bytes: u64) -> String {
    text.clone() + &" ".repeat(bytes as usize - text.len())
}

const TILESET: &str = r#"<tileset firstgid="1" tilewidth="16" tileheight="16" tilecount="4" columns="2">
    <image source="a.png" width="32" height="32"/><tile id="0"><properties><property name="one_way" value="top"/>
    </properties></tile></tileset>"#;

/// Returns a layer with one row of tile 1.
fn row(name: &str, cells: u64) -> String {
    let data = vec!["1"; cells as usize].join(",");
    format!(
        r#"<layer name="{name}" width="{cells}" height="1"><data encoding="csv">{data}</data></layer>"#
    )
}

/// Returns a layer of chunks, each one row high and in its own row. `places` are columns and widths.
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
    let points: Vec<String> = (0..points).map(|i| format!("{i},{}", i * i % 1_000)).collect();
    format!(r#"<object><polygon points="{}"/></object>"#, points.join(" "))
}

fn mask(width: u64) -> Made {
    Mask(png(GrayImage::new(width as u32, 1)))
}

/// A limit: its name, its value, a function that sets it, and functions that make a file which needs a given
/// amount.
pub(super) type Limited = (&'static str, u64, fn(&mut Limits, u64), &'static [fn(u64) -> Made]);

/// The setter of a limit that cannot be changed.
const FIXED: fn(&mut Limits, u64) = |_, _| ();

/// The limits that a file can meet exactly.
pub(super) const LIMITED: &[Limited] = &[
    (
        "bytes of one file",
        500,
        |l, n| l.bytes = 2 * n,
        &[
            |n| Map(padded(map("", ""), n), String::new()),
            |n| {
                let set = r#"<tileset tilewidth="16" tileheight="16"/>"#;
                Map(map("", r#"<tileset firstgid="1" source="t.tsx"/>"#), padded(set.into(), n))
            },
        ],
    ),
    (
        "bytes",
        500,
        |l, n| l.bytes = n,
        // A tileset that is named twice counts once, because it is read once.
        &[|n| {
            let set = r#"<tileset tilewidth="16" tileheight="16"/>"#;
            let sets = [(1, 't'), (2, 'u'), (3, 't')]
                .map(|(gid, name)| format!(r#"<tileset firstgid="{gid}" source="{name}.tsx"/>"#));
            Map(padded(map("", &sets.concat()), n - 2 * 150), padded(set.into(), 150))
        }],
    ),
    (
        "the depth of elements",
        64,
        FIXED,
        &[
            |n| plain("", &("<group>".repeat(n as usize - 1) + &"</group>".repeat(n as usize - 1))),
            |n| plain("", &("<other>".repeat(n as usize - 1) + &"</other>".repeat(n as usize - 1))),
        ],
    ),
    (
        "attributes of an element",
        64,
        FIXED,
        &[|n| {
            let attributes: String = (0..n).map(|i| format!(r#" a{i}="""#)).collect();
            plain("", &format!("<group{attributes}/>"))
        }],
    ),
    (
        "elements",
        1 << 19,
        FIXED,
        &[
            |n| plain("", &"<other/>".repeat(n as usize - 1)),
            |n| {
                let others = "<other/>".repeat(n as usize - 5);
                let map = map("", &(others + &objects(r#"<object template="t.tx"/>"#, 1)));
                Map(map, "<template><object/></template>".into())
            },
        ],
    ),
    (
        "bytes of a name",
        1_024,
        FIXED,
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
        "bytes of a text",
        1 << 20,
        FIXED,
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
        "the side of a map",
        16_384,
        FIXED,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), ""),
            |n| plain(&format!(r#"width="1" height="{n}""#), ""),
            |n| infinite(&row("a", n)),
        ],
    ),
    (
        "cells",
        40,
        |l, n| l.cells = n,
        &[
            |n| plain(&format!(r#"width="{n}" height="1""#), &(TILESET.to_owned() + &row("a", n))),
            |n| infinite(&row("a", n)),
            |n| infinite(&(row("a", 20) + &row("a", n - 20))),
            |n| infinite(&chunks(&[(0, 8), (0, n - 8)])),
            |n| infinite(&(chunks(&[(0, 8), (4, 9)]) + &chunks(&[(0, n - 17)]))),
            // Each row of a chunk counts as at least 8 cells.
            |n| infinite(&(chunks(&[(0, 1), (4, 1)]) + &chunks(&[(0, n - 16)]))),
        ],
    ),
    ("maps of a world", 1_024, FIXED, &[World]),
    (
        "layers",
        1_024,
        FIXED,
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
        256,
        FIXED,
        &[|n| {
            let sets = (0..n).map(|i| {
                format!(r#"<tileset firstgid="{}" tilewidth="9" tileheight="9"/>"#, i + 1)
            });
            plain("", &sets.collect::<String>())
        }],
    ),
    (
        "tiles of a tileset",
        65_536,
        FIXED,
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
        "the side of a tile",
        4_096,
        FIXED,
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
        |l, n| l.objects = n,
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
            // The object in the template counts once.
            |n| {
                let objects = objects(r#"<object template="t.tx"/>"#, n - 1);
                Map(map("", &objects), "<template><object/></template>".into())
            },
        ],
    ),
    (
        "points of a polygon",
        4_096,
        FIXED,
        &[
            |n| plain("", &objects(&polygon(n), 1)),
            |n| plain("", &objects(&polygon(n).replace("polygon", "polyline"), 1)),
        ],
    ),
    (
        "points of all polygons",
        1 << 20,
        FIXED,
        &[
            |n| {
                let rest = objects(&polygon(n - 262 * 4_000), 1);
                plain("", &(objects(&polygon(4_000), 262) + &rest).replace("wall", "free"))
            },
            // The points of a template count once for itself and once for each instance.
            |n| {
                let rest = objects(&polygon(n - 262 * 4_000), 1);
                let objects = objects(r#"<object template="t.tx"/>"#, 261) + &rest;
                let map = map("", &objects.replace("wall", "free"));
                Map(map, format!("<template>{}</template>", polygon(4_000)))
            },
        ],
    ),
    (
        "the side of a chunk",
        1_024,
        FIXED,
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
        "the distance of a chunk",
        1 << 20,
        FIXED,
        &[|n| infinite(&chunks(&[(n as i64, 1)])), |n| infinite(&chunks(&[(-(n as i64), 1)]))],
    ),
    (
        "a coordinate",
        1 << 22,
        FIXED,
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
    ("the side of a mask", 65_536, FIXED, &[mask]),
    ("pixels", 9, |l, n| l.pixels = n, &[mask]),
    (
        "cells of a level",
        160,
        |l, n| l.cells = n / 16,
        &[|n| plain(&format!(r#"width="{n}" height="1""#), "")],
    ),
    (
        "blocks of a level",
        1 << 16,
        |l, _| l.objects = u64::MAX,
        // Solids smaller than a tile, each in a separate block of 64 x 64 pixels.
        &[|n| {
            let solid = |i| {
                let (x, y) = (i % 4_096 * 64, i / 4_096 * 64);
                format!(r#"<object x="{x}" y="{y}" width="9" height="9"/>"#)
            };
            let all: String = (0..n).map(solid).collect();
            let layer = format!(r#"<objectgroup name="wall">{all}</objectgroup>"#);
            plain(r#"width="16384" height="16384""#, &layer)
        }],
    ),
    (
        "cells that are more than solid",
        1 << 21,
        FIXED,
        &[|n| {
            let (width, height) = (2_048, 1_025);
            let cells = "1,".repeat(n as usize) + &"0,".repeat((width * height - n) as usize);
            let cells = cells.trim_end_matches(',');
            let layer = format!(
                r#"<layer width="{width}" height="{height}"><data encoding="csv">{cells}</data></layer>"#
            );
            plain(&format!(r#"width="{width}" height="{height}""#), &(TILESET.to_owned() + &layer))
        }],
    ),
];

/// The limit on work. A file does not state its amount.
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
