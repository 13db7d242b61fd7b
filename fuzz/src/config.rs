//! The text of a `bitwall.toml`, and a map and a mask that are loaded with its options. The whole input is
//! the text.

use bitwall::{LoadOptions, LoadedLevel};

use crate::{reader, small_limits, visit};

const MAP: &str = r#"<map orientation="orthogonal" width="4" height="3" tilewidth="8" tileheight="8">
<tileset firstgid="1" name="dungeon" tilewidth="8" tileheight="8" tilecount="20" columns="5">
<tile id="1" type="Fence"/><tile id="2"><properties><property name="blocks" type="bool" value="true"/>
<property name="terrain" value="rock"/></properties></tile><tile id="3"><properties><property name="jump"
value="top"/><property name="free" type="bool" value="false"/></properties></tile></tileset>
<layer name="Ground" width="4" height="3"><data encoding="csv">1,2,3,4,5,6,7,8,9,10,11,12</data></layer>
<layer name="Spikes" class="Barrier" width="4" height="3"><data encoding="csv">0,0,0,4,0,0,0,0,2,2,0,0</data></layer>
<objectgroup name="water"><object type="Gate" x="3" y="5" width="9" height="9"/><object type="Spike" x="9"
y="5" width="9" height="3"><ellipse/></object></objectgroup></map>"#;

/// A picture of 2 x 2 pixels, black and white.
const MASK: &[u8] =
    b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x02\0\0\0\x02\0\0\0\x01\0\x18\0\0\0\0\0\
\x10\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\0\0\xff\xff\xff\0\0\0\0\0";

pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut options = match LoadOptions::decode("maps/bitwall.toml", text) {
        Ok(options) => options,
        Err(error) => return visit(Err(error), &LoadOptions::default()),
    };
    options.limits = small_limits();
    visit(LoadedLevel::decode("maps/m.tmx", MAP.as_bytes(), reader(b"", b""), &options), &options);
    visit(LoadedLevel::decode("mask", MASK, (), &options), &options);
}
