//! Tests every key of a `bitwall.toml`, with valid and invalid values.

use super::*;
use crate::rules::{MaskRule, PropertyIs, TileIds};

fn read(text: &str) -> LoadOptions {
    LoadOptions::decode("maps/bitwall.toml", text).unwrap_or_else(|error| panic!("{error}"))
}

fn fault(text: &str) -> String {
    let error = LoadOptions::decode("b.toml", text).unwrap_err();
    let LoadErrorKind::Config { reason } = error.kind() else {
        panic!("{error}");
    };
    let (line, byte) = error.place().line.unwrap_or_default();
    format!("{line}:{byte} {reason}")
}

#[test]
fn an_empty_bitwall_toml_gives_the_default_options() {
    for text in ["", "# only a word\n", "[solid]\n[level]\n[masks]\n[areas]"] {
        let (found, defaults) = (read(text), LoadOptions::default());
        assert_eq!(found.solid_rules, defaults.solid_rules);
        assert_eq!(found.mask_rule, defaults.mask_rule);
        assert_eq!(found.outside, defaults.outside);
        assert_eq!((found.root, found.areas), (None, defaults.areas));
        assert_eq!(found.config.as_deref(), Some(Path::new("maps/bitwall.toml")));
    }
}

#[test]
fn the_example_bitwall_toml_gives_the_same_options_as_code() {
    let options = read(include_str!("example.toml"));
    let mut rules = SolidRules {
        walkable_layers: vec!["Floor".to_owned()],
        passable_layers: vec!["Walls behind".to_owned()],
        shapes_only: false,
        solid_tiles: vec![TileIds::new("dungeon", 3..=3)],
        passable_tiles: vec![TileIds::new("*", 0..=0)],
        two_tile_tilesets: true,
        ..SolidRules::default()
    };
    for (list, word) in [
        (&mut rules.layer_classes, "Barrier"),
        (&mut rules.layer_properties, "blocks"),
        (&mut rules.layer_passable_properties, "air"),
        (&mut rules.decoration_layers, "Roofs"),
        (&mut rules.trigger_properties, "touch"),
        (&mut rules.tile_classes, "Fence"),
        (&mut rules.solid_properties, "blocks"),
        (&mut rules.passable_properties, "free"),
        (&mut rules.object_classes, "Gate"),
        (&mut rules.object_properties, "shut"),
        (&mut rules.object_names, "Fence"),
        (&mut rules.place_names, "Lift*"),
        (&mut rules.one_way_properties, "jump"),
        (&mut rules.one_way_classes, "Ledge"),
    ] {
        list.push(word.to_owned());
    }
    rules.layer_names.extend(["Ground", "tiles:Walls*"].map(str::to_owned));
    rules.solid_values.push(PropertyIs::new("terrain", "rock"));
    rules.solid_tiles[0].ids.push(12..=15);
    // Each name in the file counts as chosen by the author: see `SolidRules::author_words`.
    rules.author_words = options.solid_rules.author_words.clone();
    for word in ["Ground", "Barrier", "blocks", "terrain", "Ledge"] {
        assert!(rules.author_words.contains(&word.to_owned()), "{word}");
    }
    assert_eq!(options.solid_rules, rules);
    let hazard = AreaRule {
        layers: vec!["Spikes".to_owned()],
        classes: vec!["Spike".to_owned()],
        properties: vec!["hurts".to_owned()],
        values: vec![PropertyIs::new("terrain", "lava")],
        tiles: vec![TileIds::new("dungeon", 40..=47)],
        ..AreaRule::new("hazard")
    };
    let glass = AreaRule { category: 6, ..AreaRule::named("glass") };
    // The file's rule for `water` replaces the default.
    let ladder = AreaRule::defaults().remove(0);
    assert_eq!(options.areas, [ladder, glass, hazard, AreaRule::named("water")]);
    assert_eq!(options.outside, Outside::Open.into());
    assert_eq!(options.mask_rule, Some(MaskRule::DarkIsSolid { threshold: 128 }));
    assert_eq!(options.root.as_deref(), Some(Path::new("maps/assets")));
    assert!(options.allow_nothing_solid);
}

#[test]
fn only_listed_words_mark_solids_if_defaults_is_false() {
    let options = read("[solid]\nlayers = ['Ground']\ndefaults = false");
    assert_eq!(
        options.solid_rules,
        SolidRules {
            layer_names: vec!["Ground".to_owned()],
            author_words: vec!["Ground".to_owned()],
            ..SolidRules::none()
        }
    );
    let rules = read("[solid]\ndecoration-layers = []").solid_rules;
    assert_eq!(rules, SolidRules { decoration_layers: Vec::new(), ..SolidRules::default() });
    // The name of a decoration layer is no word for solids.
    assert_eq!(read("[solid]\ndecoration-layers = ['walls']").solid_rules.author_words, [""; 0]);
    let options = read("[solid]\ntwo-tile-tilesets = false");
    let rules = SolidRules { two_tile_tilesets: false, ..SolidRules::default() };
    assert_eq!(options.solid_rules, rules);
}

#[test]
fn the_space_beyond_each_side_of_a_level_can_be_solid_or_open() {
    let sides = read("[level]\noutside = { up = 'open', left = 'solid' }").outside;
    assert_eq!(sides, Sides::default().with(Dir::Up, Outside::Open));
    let sides = read("[level.outside]\ndown = 'open'\nright = 'open'").outside;
    let open = Sides::default().with(Dir::Down, Outside::Open);
    assert_eq!(sides, open.with(Dir::Right, Outside::Open));
}

#[test]
fn tile_ids_are_read_from_every_notation_of_whole_numbers_and_ranges() {
    let rules = read("[solid.tiles]\nx = [0x10, 1_000, 0, '4 - 5', 4294967295]").solid_rules;
    let ids = [16..=16, 1_000..=1_000, 0..=0, 4..=5, u32::MAX..=u32::MAX];
    assert_eq!(rules.solid_tiles[0].ids, ids);
    for wrong in ["-1", "4294967296", "1.5", "'5-4'", "'x'", "'-3'", "true", "[1]", "''"] {
        let fault = fault(&format!("[solid]\ntiles = {{ cave = [7, {wrong}] }}"));
        let expected = "2:22 `solid.tiles.cave` must hold whole numbers from 0";
        assert!(fault.starts_with(expected), "{wrong}: {fault}");
    }
}

#[test]
fn the_category_of_an_area_is_a_number_of_64_bits() {
    let categories = |text: &str| {
        let options = read(&format!(
            "[areas.a]\ncategory = {text}\n[areas.b]\ncategory = {text}\nlayers = ['B']"
        ));
        let [_, _, named, of_layer] = &options.areas[..] else { panic!("{options:?}") };
        assert_eq!(named, &AreaRule { category: named.category, ..AreaRule::named("a") });
        assert_eq!(
            of_layer,
            &AreaRule {
                layers: vec!["B".to_owned()],
                category: named.category,
                ..AreaRule::new("b")
            }
        );
        named.category
    };
    for (text, category) in [
        ("0", 0),
        ("0b1_01", 5),
        ("0xffff_ffff_ffff_ffff", u64::MAX),
        ("18446744073709551615", u64::MAX),
    ] {
        assert_eq!(categories(text), category, "{text}");
    }
    for wrong in ["-1", "18446744073709551616", "1.0", "'1'", "[1]", "true"] {
        let fault = fault(&format!("[areas.a]\ncategory = {wrong}"));
        assert!(fault.starts_with("2:12 `areas.a.category`: invalid "), "{wrong}: {fault}");
    }
}

#[test]
fn the_fault_of_a_wrong_value_names_its_key_and_the_valid_values() {
    let cases = [
        ("[solid]\nlayers = 3", "2:10 `solid.layers` must be a list"),
        ("[solid]\nlayers = 'x'", "2:10 `solid.layers` must be a list"),
        ("[solid]\nlayers = ['x', 3]", "2:16 `solid.layers` must be a text in quotes"),
        ("[solid]\nlayers = ['']", "2:11 `solid.layers` has an empty name"),
        (
            "[solid]\ndefaults = 'no'",
            "2:12 `solid.defaults`: invalid type: string \"no\", expected a boolean",
        ),
        ("solid = true", "1:9 `solid` must be a table"),
        ("[areas]\nwater = 1.5", "2:9 `areas.water` must be a table"),
        ("areas = []", "1:9 `areas` must be a table"),
        ("[solid]\ntiles = [3]", "2:9 `solid.tiles` must be a table"),
        ("[solid.tiles]\ncave = 3", "2:8 `solid.tiles.cave` must be a list"),
        (
            "[solid]\nvalues = ['rock']",
            "2:11 `solid.values` has an invalid value: `rock` is not of the form `name=value`",
        ),
        ("[level]\noutside = 'opne'", "2:11 `level.outside` must be \"solid\" or \"open\""),
        ("[level.outside]\nup = 1", "2:6 `level.outside.up` must be \"solid\" or \"open\""),
    ];
    for (text, expected) in cases {
        assert_eq!(fault(text), expected);
    }
    let rule = fault("[masks]\nrule = 'dusk'");
    assert!(rule.starts_with("2:8 `masks.rule` ") && rule.contains("dusk"), "{rule}");
}

#[test]
fn the_key_level_root_must_name_a_folder_below_the_configuration() {
    for wrong in ["", "..", "a/../..", "/", "/etc", "C:/x", "\\\\server"] {
        let fault = fault(&format!("[level]\nroot = '{wrong}'"));
        assert_eq!(fault, "2:8 `level.root` must be a folder below that of this file, as `assets`");
    }
    let options = LoadOptions::decode("bitwall.toml", "[level]\nroot = './a/b'").unwrap();
    assert_eq!(options.root.as_deref(), Some(Path::new("./a/b")));
}

#[test]
fn the_fault_of_an_unknown_key_suggests_the_nearest_known_key() {
    let cases = [
        ("[sold]", "1:2 `sold` is not a key; did you mean `solid`?"),
        (
            "[solid]\nlayer_names = []\nlayrs = []",
            "2:1 `solid.layer_names` is not a key; the keys here",
        ),
        ("[solid]\nlayrs = []", "2:1 `solid.layrs` is not a key; did you mean `layers`?"),
        (
            "[solid]\nTile_Classes = []",
            "2:1 `solid.Tile_Classes` is not a key; did you mean `tile-classes`?",
        ),
        (
            "[areas.water]\ncolour = 'blue'",
            "2:1 `areas.water.colour` is not a key; the keys here are category, layers, classes, \
             properties, values, tiles",
        ),
        (
            "[level.outside]\ntop = 'open'",
            "2:1 `level.outside.top` is not a key; the keys here are left, right, up, down",
        ),
        ("x.y.z = 1", "1:1 `x` is not a key; the keys here are level, masks, solid, areas"),
    ];
    for (text, expected) in cases {
        let fault = fault(text);
        assert!(fault.starts_with(expected), "{fault}");
    }
    let long = fault(&format!("{} = 1", "k".repeat(60_000)));
    assert!(long.len() < 1_000 && long.contains('…'), "{long}");
}

#[test]
fn text_that_is_not_toml_gives_an_error_with_its_position() {
    for (text, place) in [
        ("[solid\n", "1:7"),
        ("[solid]\nlayers = [", "2:"),
        ("[solid]\nlayers = []\nlayers = []", "3:1"),
        ("\n\n= 3", "3:1"),
    ] {
        let fault = fault(text);
        assert!(fault.starts_with(place) && fault.contains("not TOML: "), "{fault}");
    }
    let error = LoadOptions::decode("b.toml", "\u{1b}[31m = 1").unwrap_err();
    assert!(!error.to_string().contains('\u{1b}'), "{error}");
}

#[test]
fn deeply_nested_or_repeated_tables_give_a_short_error() {
    let dots = vec!["a"; 32_000].join(".");
    let key = vec!["a"; 60].join(".");
    let texts = [
        format!("{dots} = 1"),
        format!("[{dots}]"),
        format!("a = {}", "[".repeat(60_000)),
        format!("a = {}1{}", "{a=".repeat(16_000), "}".repeat(16_000)),
        format!("[{key}]\n{key} = {}1{}", format!("{{{key} = ").repeat(70), "}".repeat(70)),
        format!("[areas.{}]\nlayers = [{}1]", "n".repeat(30_000), "'x',".repeat(8_000)),
        "[areas.a]\n".repeat(6_000),
        (0..6_000).map(|i| format!("[areas.a{i}.x]\n")).collect(),
    ];
    for text in &texts {
        let error = LoadOptions::decode("b.toml", text).unwrap_err();
        assert!(error.to_string().len() < 1_000, "{error}");
    }
}

#[test]
fn a_randomly_damaged_bitwall_toml_gives_options_or_an_error() {
    let example = include_str!("example.toml");
    let mut random = fastrand::Rng::with_seed(7);
    let (mut good, mut bad) = (0, 0);
    for _ in 0..2_000 {
        let mut bytes = example.as_bytes().to_vec();
        for _ in 0..random.usize(0..4) {
            let at = random.usize(0..bytes.len());
            match random.u8(0..3) {
                0 => bytes[at] = random.u8(32..127),
                1 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
            if bytes.is_empty() {
                break;
            }
        }
        match LoadOptions::decode("b.toml", &bytes) {
            Ok(_) => good += 1,
            Err(error) => {
                assert!(matches!(error.kind(), LoadErrorKind::Config { .. }), "{error}");
                bad += 1;
            }
        }
    }
    assert!(good > 100 && bad > 100, "{good} {bad}");
}

#[test]
fn the_property_values_that_mark_solids_may_contain_equals_signs_and_spaces() {
    let rules = read("[solid]\nvalues = ['a b = c = d', 'kind=3']").solid_rules;
    let values = [PropertyIs::new("a b", "c = d"), PropertyIs::new("kind", "3")];
    assert!(rules.solid_values.ends_with(&values), "{:?}", rules.solid_values);
}
