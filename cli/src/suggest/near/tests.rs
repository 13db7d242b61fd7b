use super::*;

fn meant(written: &str, word_use: WordUse) -> Option<String> {
    let (rules, areas) = (SolidRules::default(), [AreaRule::named("water")]);
    misspelt(written, word_use, &rules, &areas).map(str::to_owned)
}

#[test]
fn a_misspelt_word_is_matched_with_the_rule_words_for_its_use() {
    for (written, word_use, expected) in [
        ("sollid", WordUse::TileProperty, "solid"),
        ("soild", WordUse::TileProperty, "solid"),
        ("Colision", WordUse::LayerName, "collision"),
        (" Collision", WordUse::LayerName, "collision"),
        ("[walls]", WordUse::LayerName, "walls"),
        ("Colision 2", WordUse::LayerName, "collision"),
        ("collison", WordUse::ObjectClass, "collision"),
        ("collision ", WordUse::TileClass, "collision"),
        ("onway", WordUse::TileProperty, "one_way"),
        ("one way", WordUse::ObjectProperty, "one_way"),
        ("Waterr", WordUse::LayerName, "water"),
        ("walkabel", WordUse::TileProperty, "walkable"),
        ("is_tigger", WordUse::ObjectProperty, "isTrigger"),
    ] {
        let found = meant(written, word_use);
        assert_eq!(found.as_deref(), Some(expected), "{written}");
    }
}

#[test]
fn forms_of_a_property_such_as_is_solid_count_as_misspelt() {
    for written in ["isSolid", "is_solid", "is solid", "solids", "Solids"] {
        let found = meant(written, WordUse::TileProperty);
        assert_eq!(found.as_deref(), Some("solid"), "{written}");
        assert_eq!(meant(written, WordUse::LayerName), None, "{written}");
    }
    assert_eq!(meant("solid", WordUse::TileProperty), None);
    assert_eq!(meant("is", WordUse::TileProperty), None);
    assert_eq!(meant("unsolid", WordUse::TileProperty), None);
}

#[test]
fn correctly_spelt_words_do_not_count_as_misspelt() {
    for written in [
        "nocollide",
        "Collision",
        "walls2",
        "Walls 2",
        "wall",
        "sold",
        "collie",
        "collection",
        "House walls",
        "stonewall",
        "blocker",
        "blocks",
        "no colision",
        "ground",
        "solidity",
        "passage",
        "background",
        "Colliders",
        "trigger",
        "x",
        "",
        "walks",
        "hall",
    ] {
        for word_use in WordUse::ALL {
            assert_eq!(meant(written, word_use), None, "{written} {word_use:?}");
        }
    }
}

const WORDS: [&str; 7] =
    ["collision", "collisions", "solid", "wall", "walls", "blocked", "obstacle"];

fn like(written: &str) -> Option<(&str, Likeness)> {
    likeness(written, &WORDS)
}

#[test]
fn misspelt_words_of_the_rules_are_recognized() {
    for (written, meant) in [
        ("sollid", "solid"),
        ("soild", "solid"),
        ("Colision", "collision"),
        ("Collision ", "collision"),
        ("col_lision", "collision"),
        ("Obsticle", "obstacle"),
        ("wals", "walls"),
        ("COLLISONS", "collisions"),
        ("tree_colision 2", "collision"),
    ] {
        let (word, how) = like(written).expect(written);
        assert_eq!(how, Likeness::Misspelt, "{written}");
        assert_eq!(word.trim_end_matches('s'), meant.trim_end_matches('s'), "{written}");
    }
}

#[test]
fn a_word_of_the_rules_inside_a_longer_name_is_recognized() {
    for (written, meant) in [
        ("HouseWalls", "walls"),
        ("is_solid", "solid"),
        ("Trees collision 2", "collision"),
        ("treecollisionmap", "collision"),
    ] {
        assert_eq!(like(written), Some((meant, Likeness::Contains)), "{written}");
    }
}

#[test]
fn ordinary_words_and_negated_words_resemble_no_word_of_the_rules() {
    for written in [
        "walks",
        "halls",
        "wells",
        "black",
        "salad",
        "ground",
        "",
        "consolidated",
        "nocollision",
        "no_collision",
        "not solid",
        "noSolid",
        "no colision",
        "stonewall",
        "wally",
        "x",
    ] {
        assert_eq!(like(written), None, "{written}");
    }
    assert_eq!(like(&"walls ".repeat(20)), None, "it is too long");
}

#[test]
fn a_word_of_the_rules_does_not_resemble_itself() {
    for word in WORDS {
        assert_eq!(likeness(word, &[word]), None);
    }
}
