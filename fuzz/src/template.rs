//! Templates of a map that has some instances that change them. The second file is a tileset. Switches 4 and
//! 5 select the orientation.

use bitwall::LoadedLevel;

use crate::{Input, reader, visit};

pub fn run(data: &[u8]) {
    let Some(input) = Input::new(data) else {
        return;
    };
    let orientation = match (input.is_on(4), input.is_on(5)) {
        (false, false) => "orthogonal",
        (true, false) => "isometric",
        (false, true) => "oblique",
        (true, true) => "hexagonal",
    };
    let options = input.options();
    let map = map(orientation);
    let read = reader(input.file(1), input.file(0));
    visit(LoadedLevel::decode("maps/m.tmx", map.as_bytes(), read, &options), &options);
}

fn map(orientation: &str) -> String {
    format!(
        r#"<map orientation="{orientation}" width="8" height="8" tilewidth="16" tileheight="12" hexsidelength="4"
        skewx="5" skewy="-3" staggeraxis="x" staggerindex="even"><tileset firstgid="1" source="t.tsx"/>
        <objectgroup name="wall"><object id="1" template="t.tx" x="20" y="30"/>
        <object id="2" template="t.tx" x="-3.5" y="7" width="9" height="0.5" rotation="30"/>
        <object id="3" template="d/../t.tx" gid="2147483650" x="50" y="60"/>
        <object id="4" template="t.tx" x="70" y="20"><polygon points="0,0 9,3 4,-8"/></object></objectgroup>
        <objectgroup name="o"><object id="5" name="n" template="t.tx" x="9" y="9"><properties><property
        name="one_way" value="top left"/></properties></object></objectgroup></map>"#
    )
}
