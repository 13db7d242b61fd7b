//! Loaded levels, as samples for the tests of saving.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use bitwall::{LoadOptions, LoadedLevel};

use crate::support::load_all;

/// A map that has every feature of Tiled that can be saved.
const RICH: &str = r##"<map version="1.10" tiledversion="1.11.0" class="Cave" orientation="orthogonal"
        renderorder="left-up" width="3" height="2" tilewidth="16" tileheight="8" infinite="0"
        parallaxoriginx="1.25" backgroundcolor="#80102030" nextlayerid="9" nextobjectid="9">
    <properties>
        <property name="bool" type="bool" value="true"/>
        <property name="float" type="float" value="0.1"/>
        <property name="color" type="color" value="#ff010203"/>
        <property name="solid" value="true"/>
        <property name="class" type="class" propertytype="Wall"><properties>
            <property name="member" type="int" value="-3"/></properties></property>
    </properties>
    <surprise/>
    <tileset firstgid="1" name="tiles" class="T" tilewidth="16" tileheight="8" tilecount="4" columns="2"
            objectalignment="top" tilerendersize="grid" fillmode="preserve-aspect-fit">
        <tileoffset x="1" y="-2"/>
        <image source="tiles.png" trans="ff00ff" width="32" height="16"/>
        <tile id="2" type="Rock">
            <properties><property name="solid" value="true"/></properties>
            <objectgroup><object id="1" x="0" y="0" width="8" height="8"/></objectgroup>
            <animation><frame tileid="1" duration="100"/><frame tileid="2" duration="7"/></animation>
        </tile>
    </tileset>
    <layer id="1" name="Walls" width="3" height="2" opacity="0.3" tintcolor="#112233" offsetx="0.5">
        <data encoding="csv">1,2,3,0,2147483649,3</data></layer>
    <group id="2" name="Group" visible="0" parallaxx="0.7">
        <objectgroup id="3" name="Things" draworder="index" color="#ffffff">
            <object id="1" name="spawn" x="10.3" y="4.2"><point/></object>
            <object id="2" x="1" y="1" width="7" height="9" rotation="12.5"><ellipse/></object>
            <object id="3" x="1" y="1"><polygon points="0,0 5,0 5.5,7"/></object>
            <object id="4" gid="3" x="16" y="8" width="16" height="8" type="Rock"/>
        </objectgroup>
    </group>
    <objectgroup id="4" name="Collision">
        <object id="5" x="0" y="0" width="20" height="3"/>
        <object id="6" x="2" y="2"><polyline points="0,0 5,5"/></object>
        <object id="7" x="2" y="2" width="9" height="9"><text>hello</text></object>
    </objectgroup>
    <imagelayer id="5" name="Sky" repeatx="1" mode="screen"><image source="sky.png"/></imagelayer>
</map>"##;

/// The attributes of maps in the other orientations, some of which are made infinite.
const OTHERS: [&str; 4] = [
    r#"orientation="isometric""#,
    r#"orientation="staggered" staggeraxis="x" staggerindex="even""#,
    r#"orientation="hexagonal" staggeraxis="y" staggerindex="odd" hexsidelength="6""#,
    r#"orientation="oblique" skewx="3" skewy="-2""#,
];

fn decoded(text: &str) -> LoadedLevel {
    let options =
        LoadOptions { lenient: true, allow_nothing_solid: true, ..LoadOptions::default() };
    load_all(text, &options)
}

/// Returns loaded levels of maps, masks and a world.
pub(crate) fn all_levels() -> Vec<LoadedLevel> {
    // The levels are loaded once, because the tests run at the same time and the world is written to files.
    static LEVELS: LazyLock<Vec<LoadedLevel>> = LazyLock::new(loaded_levels);
    LEVELS.clone()
}

fn loaded_levels() -> Vec<LoadedLevel> {
    let mut levels = vec![decoded(RICH), decoded(&RICH.replace("3,0,2147483649,3", "77"))];
    for attributes in OTHERS {
        let orthogonal = r#"orientation="orthogonal""#;
        levels.push(decoded(&RICH.replace(orthogonal, attributes)));
        let data = |cells| format!(r#"<data encoding="csv">{cells}</data>"#);
        let finite = data("1,2,3,0,2147483649,3");
        let chunk = r#"<chunk x="-4" y="8" width="2" height="1">1,3</chunk>"#;
        let infinite =
            RICH.replace(orthogonal, attributes).replace(r#"infinite="0""#, r#"infinite="1""#);
        levels.push(decoded(&infinite.replace(&finite, &data(chunk))));
    }
    let options = LoadOptions::default();
    for name in ["cave.tmx", "hills.tmx", "platforms.tmx", "town.tmx", "harbor_mask.png"] {
        levels.push(LoadedLevel::load(format!("assets/{name}"), &options).unwrap());
    }
    let bytes = levels[0].level.bake().unwrap();
    levels.push(LoadedLevel::decode("a.bwl", &bytes, (), &options).unwrap());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("serde");
    fs::create_dir_all(&folder).unwrap();
    for name in ["bricks.tmx", "platforms.tmx"] {
        fs::copy(format!("assets/{name}"), folder.join(name)).unwrap();
    }
    let world = r#"{"maps": [{"fileName": "bricks.tmx", "x": -9, "y": 0},
        {"fileName": "platforms.tmx", "x": 4000, "y": 77}]}"#;
    fs::write(folder.join("all.world"), world).unwrap();
    levels.push(LoadedLevel::load(folder.join("all.world"), &options).unwrap());
    levels
}
