//! The memory of a document of a map: the count of its names and values, which has a limit, is of the bytes that
//! are allocated.

use std::path::Path;

use bitwall::{LoadOptions, LoadedLevel};

/// Returns the limit of names and values, in bytes, for a file with this number of bytes.
fn limit(file: usize) -> u64 {
    (64 * file as u64).max(96 << 20)
}

/// The largest number of bytes for each byte of the file, besides the document: the tree of a JSON text.
const A_BYTE: u64 = 24;

fn project(definitions: &str, level: &str) -> String {
    format!(
        r#"{{"__header__":{{"fileType":"LDtk Project JSON"}},"worldLayout":"Free","defs":{{{definitions}}},
        "levels":[{{"worldX":0,"worldY":0,"pxWid":16,"pxHei":16,{level}}}]}}"#
    )
}

fn listed(item: &str, count: usize) -> String {
    vec![item; count].join(",")
}

/// Returns an object with this number of properties.
fn object(properties: usize) -> String {
    let all = (0..properties).map(|name| format!(r#"<property name="{name}" value="b"/>"#));
    format!("<object><properties>{}</properties></object>", all.collect::<String>())
}

fn map(objects: &str) -> String {
    format!(
        r#"<map width="1" height="1" tilewidth="8" tileheight="8"><objectgroup>{objects}</objectgroup></map>"#
    )
}

/// Returns files whose documents exceed the limit, and the template that they name.
fn files() -> Vec<(&'static str, String, String)> {
    let classes = listed(r#"{"a":1}"#, 400_000);
    let fields = format!(
        r#""fieldInstances":[{{"__identifier":"f","__type":"X","__value":[{classes}]}}],"layerInstances":[]"#
    );
    let no_layers = r#""layerInstances":[]"#;
    let ids: Vec<String> = (0..65_000).map(|id| id.to_string()).collect();
    let tileset = format!(
        r#"{{"uid":1,"relPath":"a","pxWid":4096,"pxHei":4096,"tileGridSize":16,"spacing":0,"padding":0,
        "enumTags":[{{"enumValueId":"a","tileIds":[{}]}}]}}"#,
        ids.join(",")
    );
    let property = r#"<properties><property name="a" value="b"/></properties>"#;
    let item = format!(r#"<item type="class">{property}</item>"#).repeat(5_000);
    let list =
        format!(r#"<properties><property name="p" type="list">{item}</property></properties>"#);
    let template = format!("<template><object>{list}</object></template>");
    let instances = map(&r#"<object template="t.tx"/>"#.repeat(200));
    vec![
        ("fields.ldtk", project("", &fields), String::new()),
        (
            "tags.ldtk",
            project(&format!(r#""tilesets":[{tileset},{tileset}]"#), no_layers),
            String::new(),
        ),
        ("instances.tmx", instances, template),
    ]
}

#[test]
fn a_document_is_refused_when_it_has_allocated_what_the_limit_says() {
    for (name, text, template) in files() {
        let mut error = String::new();
        let read = |_: &Path| Ok(template.clone().into_bytes());
        let counted = allocation_counter::measure(|| {
            let options = LoadOptions::default();
            let loaded = LoadedLevel::decode(name, text.as_bytes(), read, &options);
            error = loaded.map_or_else(|error| error.to_string(), |_| "it loads".to_owned());
        });
        let most = counted.bytes_max;
        println!("{name}: {} bytes, {most} bytes of memory", text.len());
        assert!(error.contains("bytes of names and values in the map"), "{name}: {error}");
        assert!(most <= limit(text.len()) + A_BYTE * text.len() as u64, "{name}: {most}");
        // An object counts its marker too, which is not made yet.
        assert!(most >= limit(text.len()) / 3, "{name}: {most}");
    }
}

/// Objects without names or positions, the most in a byte of a file. 38,131 were the most with one property.
#[test]
fn as_many_objects_as_the_limit_allows_load_in_memory_in_proportion_to_their_file() {
    let entity = r#"{"__pivot":[0,0],"px":[0,0],"width":1,"height":1,"iid":"a"}"#;
    let entities = format!(
        r#""layerInstances":[{{"__type":"Entities","__cWid":1,"__cHei":1,"__gridSize":16,
        "entityInstances":[{}]}}]"#,
        listed(entity, 60_000)
    );
    for (name, count, text) in [
        ("entities.ldtk", 60_000, project("", &entities)),
        ("objects.tmx", 65_000, map(&object(1).repeat(65_000))),
        ("properties.tmx", 12_000, map(&object(12).repeat(12_000))),
    ] {
        let counted = allocation_counter::measure(|| {
            let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
            let loaded = LoadedLevel::decode(name, text.as_bytes(), (), &options);
            assert_eq!(loaded.expect(name).level.markers().len(), count, "{name}");
        });
        let most = counted.bytes_max;
        println!("{name}: {} bytes, {most} bytes of memory", text.len());
        assert!(most <= limit(text.len()) + A_BYTE * text.len() as u64, "{name}: {most}");
    }
}
