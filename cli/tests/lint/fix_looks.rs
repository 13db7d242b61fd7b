//! The option `bitwall verify --fix`: the colours that repaired specks and pinholes get.

use bitwall::LoadOptions;
use bitwall::image::{self, DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};
use bitwall::rules::MaskPlane;
use bitwall_cli::lint::VerifyOptions;
use bitwall_cli::lint::fix::fix_mask;

use crate::fixes::{codes, encoded, room};

/// A pixel of the same kind two pixels away does not protect a speck.
#[test]
fn fix_drops_a_speck_at_the_side_of_the_picture() {
    let side = GrayImage::from_fn(90, 60, |x, y| {
        let is_solid = (x, y) == (0, 30) || (2..6).contains(&x) && (20..50).contains(&y);
        Luma([if is_solid != (x >= 80) { 0 } else { 255 }])
    });
    for picture in [side.clone(), image::imageops::rotate180(&side)] {
        let bytes = encoded(picture, ImageFormat::Png);
        let fix = fix_mask("x.png", &bytes, &VerifyOptions::default()).unwrap().expect("a repair");
        assert_eq!((fix.changes.len(), codes("x.png", &fix.bytes)), (1, vec![]));
    }
}

/// A repair copies the colour of a black or white pixel, not that of an area or a marker beside the speck.
#[test]
fn fix_does_not_enlarge_named_areas_and_markers() {
    // The colour is light, so that it is passable without a name too.
    const GOLD: [u8; 3] = [255, 200, 0];
    let load =
        LoadOptions { planes: vec![MaskPlane::new("water", GOLD)], ..LoadOptions::default() };
    let named = VerifyOptions { load, ..VerifyOptions::default() };
    let picture = |is_gold: &dyn Fn(u32, u32) -> bool, speck: [u8; 3]| {
        let mut picture = DynamicImage::from(room(255, 255)).into_rgb8();
        (0..80).for_each(|x| picture.put_pixel(x, 0, Rgb([0; 3])));
        for (x, y) in (10..50).flat_map(|y| (10..50).map(move |x| (x, y))) {
            if is_gold(x, y) {
                picture.put_pixel(x, y, Rgb(GOLD));
            }
        }
        picture.put_pixel(30, 30, Rgb(speck));
        picture
    };
    let half = picture(&|x, _| x < 30, [0; 3]);
    for options in [&named, &VerifyOptions::default()] {
        let bytes = encoded(half.clone(), ImageFormat::Png);
        let fix = fix_mask("x.png", &bytes, options).unwrap().expect("a repair");
        let new = image::load_from_memory(&fix.bytes).unwrap().into_rgb8();
        let mut wanted = half.clone();
        wanted.put_pixel(30, 30, Rgb([255; 3]));
        assert!(new == wanted);
    }
    let refused =
        |picture: RgbImage| match fix_mask("x.png", &encoded(picture, ImageFormat::Png), &named) {
            Err(reason) => reason,
            other => panic!("{other:?}"),
        };
    assert_eq!(
        refused(picture(&|_, _| true, [0; 3])),
        "all pixels beside the speck at x 30, y 30 have colours of areas or without a name"
    );
    // The pinhole is an area of one pixel.
    let mut wall = DynamicImage::from(room(0, 0)).into_rgb8();
    (0..80).for_each(|x| wall.put_pixel(x, 0, Rgb([255; 3])));
    wall.put_pixel(30, 30, Rgb(GOLD));
    assert_eq!(refused(wall), "it would change the area `water`");
}
