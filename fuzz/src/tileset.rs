//! Tilesets of a map whose cells and objects show the first tiles in every way. Switches 4 and 5 select the
//! orientation, and switch 6 makes the layer solid.

use bitwall::LoadedLevel;

use crate::{Input, reader, visit};

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let orientation = match (input.is_on(4), input.is_on(5)) {
        (false, false) => "orthogonal",
        (true, false) => "isometric",
        (false, true) => "staggered",
        (true, true) => "hexagonal",
    };
    let solid = if input.is_on(6) { "wall" } else { "ground" };
    let options = input.options();
    let map = map(orientation, solid);
    let read = reader(input.file(0), input.file(1));
    visit(LoadedLevel::decode("maps/m.tmx", map.as_bytes(), read, &options), &options);
}

fn map(orientation: &str, layer: &str) -> String {
    let flags = if orientation == "hexagonal" { 16 } else { 8 };
    let cells = (0_u32..64).map(|i| ((i % flags) << (32 - flags.ilog2())) | (1 + i % 13));
    let cells: Vec<_> = cells.map(|gid| gid.to_string()).collect();
    let objects: String = (0_u32..8)
        .map(|i| {
            let gid = (i << 29) | (1 + i);
            let turn = i * 45;
            format!(r#"<object gid="{gid}" x="{turn}" y="9.5" width="20" height="9" rotation="{turn}"/>"#)
        })
        .collect();
    format!(
        r#"<map orientation="{orientation}" width="8" height="8" tilewidth="16" tileheight="12" hexsidelength="4"
        staggeraxis="y" staggerindex="odd"><tileset firstgid="1" source="t.tsx"/><layer name="{layer}" width="8"
        height="8"><data encoding="csv">{}</data></layer><objectgroup name="o">{objects}</objectgroup></map>"#,
        cells.join(",")
    )
}
