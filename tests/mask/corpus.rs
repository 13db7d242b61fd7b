//! Real masks, compared with a simple reading of their decoded pixels.

use bitwall::glam::UVec2;
use bitwall::{LoadOptions, LoadedLevel, load::Source, rules::MaskRule};

use crate::support::{corpus, even_blank, shared};

/// Compares the solids of each mask under each rule with a simple reading of the decoded picture.
#[test]
fn real_masks_agree_with_their_decoded_pixels_under_each_rule() {
    let Some(files) = corpus() else {
        return;
    };
    let rules = ["dark", "light", "opaque", "#000000,#ff0000", "transparent"];
    let mut compared = [0; 5];
    for (file, path) in files.iter().filter(|(file, _)| file.ends_with(".png")) {
        let Ok(picture) = bitwall::image::open(path) else {
            continue;
        };
        if picture.color().bytes_per_pixel() / picture.color().channel_count() > 1 {
            continue;
        }
        let picture = picture.to_rgba8();
        let rule = rules[file.len() % rules.len()];
        let options = LoadOptions { mask_rule: rule.parse().unwrap(), ..even_blank() };
        let Ok(level) = LoadedLevel::load(path, &options) else {
            continue;
        };
        compare_pixels(&level, &picture, &options.mask_rule, file);
        compared[file.len() % rules.len()] += 1;
    }
    println!("masks compared by each rule: {compared:?}");
    assert!(compared.iter().all(|masks| *masks >= 5), "{compared:?}");
}

fn compare_pixels(
    loaded: &LoadedLevel,
    picture: &bitwall::image::RgbaImage,
    rule: &MaskRule,
    file: &str,
) {
    let level = &loaded.level;
    assert_eq!(level.size(), UVec2::from(picture.dimensions()), "{file}");
    let mut counts = [0u64; 6];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [r, g, b, a] = pixel.0.map(u64::from);
        // The luma of the colour over a background of `under`, in units of 1 / (255 * 255 * 10,000).
        let luma = |under: u64| {
            let over = |sample: u64| sample * a + under * (255 - a);
            2126 * over(r) + 7152 * over(g) + 722 * over(b)
        };
        let limit = 128 * 255 * 10_000;
        let solid = match rule {
            MaskRule::DarkIsSolid { .. } => luma(255) < limit,
            MaskRule::LightIsSolid { .. } => luma(0) >= limit,
            MaskRule::OpaqueIsSolid { .. } => a >= 128,
            MaskRule::TransparentIsSolid { .. } => a < 128,
            MaskRule::Colors(colors) => {
                a > 0 && colors.contains(&[pixel.0[0], pixel.0[1], pixel.0[2]])
            }
            rule => panic!("{rule} is not modelled"),
        };
        assert_eq!(level.grid().is_solid(x, y), solid, "{file} at {x}, {y}");
        let kind = match (a, [r, g, b]) {
            (0, _) => 4,
            (255, [0, 0, 0]) => 1,
            (255, [255, 255, 255]) => 2,
            (255, _) => 3,
            _ => 5,
        };
        counts[kind] += 1;
        counts[0] += u64::from(solid);
    }
    let Source::Mask(mask) = &loaded.source else {
        panic!("{file} is no mask");
    };
    let c = &mask.counts;
    let ours = [c.solid, c.black, c.white, c.gray, c.transparent, c.translucent];
    assert_eq!(ours, counts, "{file}");
}

/// Returns the test for solid pixels that the game of a mask uses. `None` for a file that is not the mask of
/// a level, and for an unknown game.
fn truth(file: &str) -> Option<fn([u8; 4]) -> bool> {
    let (project, path) = file.split_once('/')?;
    let name = path.rsplit('/').next()?;
    match project {
        // The game tests for an alpha above 0.
        "debian-hedgewars-data_1.0.2-6" => Some(|pixel| pixel[3] > 0),
        "depp+oubliette" if name.ends_with(".hit.png") => Some(|pixel| pixel[0] < 128),
        "depp+oubliette" => Some(|pixel| pixel[3] > 0),
        // The game's level parser compares with black.
        "blaise-io+xssnake" => Some(|pixel| pixel == [0, 0, 0, 255]),
        "tzachshabtay+MonoAGS" if name.starts_with("walkable") => Some(|pixel| pixel[3] == 0),
        // Hotspots and walk-behinds are areas where the picture is not transparent.
        "tzachshabtay+MonoAGS" => Some(|pixel| pixel[3] > 0),
        // White pixels are outside the track.
        "Ekansh38+f1-driver" if name == "track_mask.png" => Some(|pixel| pixel[0] > 128),
        _ => None,
    }
}

/// The smallest share of the masks that must be right, in percent.
const ENOUGH: usize = 80;

/// Prints for each project the number of masks that are right by default, with the first suggestion, and with
/// another one.
#[test]
fn most_real_masks_are_right_by_default_or_by_the_first_suggestion() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let table = std::fs::read_to_string(corpus.join("MASKS.tsv")).unwrap();
    let mut projects: std::collections::BTreeMap<&str, [usize; 4]> = Default::default();
    for file in table.lines().skip(1).filter_map(|line| line.split('\t').next()) {
        let Some(is_solid) = truth(file) else {
            continue;
        };
        let path = corpus.join(file);
        let picture = bitwall::load::load_picture(&path).unwrap();
        let is_right = |options: &LoadOptions| {
            let level = LoadedLevel::load(&path, options).unwrap().level;
            let mut pixels = picture.enumerate_pixels();
            pixels.all(|(x, y, pixel)| level.grid().is_solid(x, y) == is_solid(pixel.0))
        };
        let suggestions =
            LoadedLevel::load(&path, &even_blank()).unwrap().suggestions(Some(&picture));
        let place = if is_right(&even_blank()) {
            0
        } else {
            let right = suggestions.iter().position(|suggestion| {
                let mut options = even_blank();
                suggestion.options.iter().for_each(|setting| options.apply(setting));
                is_right(&options)
            });
            right.map_or(3, |place| 1 + place.min(1))
        };
        let first = suggestions.first().map_or(String::new(), |first| first.arguments().join(" "));
        println!("{} {file}: {first}", ["default", "first", "other", "wrong"][place]);
        projects.entry(file.split('/').next().unwrap()).or_default()[place] += 1;
    }
    let mut all = [0; 4];
    println!("default  first  other  wrong  project");
    for (project, counts) in &projects {
        let [default, first, other, wrong] = counts;
        println!("{default:7} {first:6} {other:6} {wrong:6}  {project}");
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    let right = all[0] + all[1];
    let masks: usize = all.iter().sum();
    println!("{right} of {masks} masks are right: {all:?}");
    assert!(masks >= 40 && right * 100 >= masks * ENOUGH, "{right} of {masks}");
}
