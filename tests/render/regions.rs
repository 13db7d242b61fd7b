//! A picture of a region has the same pixels as that part of the whole picture.

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{GrayImage, Luma, Rgba, RgbaImage, imageops};
use bitwall::render::{self, DrawOptions, Overlay, Pictures, RenderError};
use bitwall::tmx::Space;
use bitwall::{Aabb, Dir, Grid, Level, LoadOptions, LoadedLevel, Outside, Sides, Terrain};

use crate::render::sheet::{enlarged, pictures};
use crate::support::{self, layer, map, objects, tileset};

/// Returns maps of every orientation with everything that can be drawn: moved, tinted and repeated layers,
/// tiles larger than their cells, tile objects with a size and a rotation, a missing picture, shapes, and
/// solids.
fn maps() -> Vec<(String, Space)> {
    let odd = r#"staggeraxis="y" staggerindex="odd""#;
    let even = r#"staggeraxis="x" staggerindex="even""#;
    let hexagonal = r#"staggeraxis="y" staggerindex="even" hexsidelength="6""#;
    let beside = r#"staggeraxis="x" staggerindex="odd" hexsidelength="4""#;
    let orientations = [
        ("orthogonal", r#"renderorder="left-up""#),
        ("orthogonal", ""),
        ("isometric", ""),
        ("staggered", odd),
        ("staggered", even),
        ("hexagonal", hexagonal),
        ("hexagonal", beside),
        ("oblique", r#"skewx="7" skewy="-5""#),
    ];
    let mut random = fastrand::Rng::with_seed(11);
    let flags = [0, 1 << 31, 1 << 30, 1 << 29, 7 << 29, 3 << 29, 1 << 28];
    let mut cells = |count: usize| {
        let gids: Vec<String> = (0..count)
            .map(|_| match random.u32(0..6) {
                0 => "0".to_owned(),
                gid => (gid | flags[random.usize(0..flags.len())]).to_string(),
            })
            .collect();
        gids.join(",")
    };
    let mut found = Vec::new();
    for (orientation, more) in orientations {
        for is_infinite in [false, true] {
            let data = match is_infinite {
                false => cells(9 * 8),
                true => [(-4, 2), (5, -3)]
                    .map(|(x, y)| {
                        let cells = cells(5 * 4);
                        format!(r#"<chunk x="{x}" y="{y}" width="5" height="4">{cells}</chunk>"#)
                    })
                    .concat(),
            };
            let wide = tileset([20, 12], 3, "")
                .replace("</tileset>", "<tileoffset x='3' y='-2'/></tileset>");
            let tall = r#"<tileset firstgid="4" name="u" tilewidth="13" tileheight="31" tilecount="1"
                columns="1"><image source="u.png" width="13" height="31"/></tileset>
                <tileset firstgid="5" name="v" tilewidth="9" tileheight="9" tilecount="1" columns="1"><image
                source="missing.png" width="9" height="9"/></tileset>"#;
            let placed = r#"<object gid="2" x="33.3" y="41.7" width="27" height="9" rotation="37"/>
                <object gid="1" x="70" y="30" width="5" height="23"/>
                <object gid="2147483652" x="50.5" y="60.25" rotation="90"/>
                <object x="10" y="20" width="40" height="30" rotation="12"><ellipse/></object>
                <object x="5" y="5" ><polyline points="0,0 33,17 90,-12 31,80"/></object>
                <object x="90" y="15" width="21" height="17" name="gate"/>"#;
            let image = r#"<imagelayer repeatx="1" offsetx="-7.5" offsety="9"><image source="t.png"
                width="60" height="12"/></imagelayer>"#;
            let content = [
                wide + tall,
                image.to_owned(),
                layer(r#"name="walls" offsetx="3.5" offsety="-6.25""#, [9, 8], &data),
                layer(r##"name="b" tintcolor="#80ff8040" opacity="0.6""##, [9, 8], &data),
                objects("o", placed),
            ]
            .concat();
            let infinite = if is_infinite { r#"infinite="1""# } else { "" };
            let attributes = format!(r#"orientation="{orientation}" {more} {infinite}"#);
            let tmx = map(&attributes, [9, 8], [20, 12], &content);
            found.extend([Space::Map, Space::Screen].map(|space| (tmx.clone(), space)));
        }
    }
    found
}

fn load(tmx: &str, space: Space) -> (LoadedLevel, Pictures) {
    let outside = Sides::all(Outside::Solid).with(Dir::Left, Outside::Open);
    let options = LoadOptions { space, outside, ..LoadOptions::default() };
    let loaded = support::load_all(tmx, &LoadOptions { allow_nothing_solid: true, ..options });
    let motley = |width: u32, height: u32| {
        RgbaImage::from_fn(width, height, |x, y| {
            let alpha = if (x + y) % 5 == 0 { 90 } else { 255 };
            Rgba([x as u8 * 4, y as u8 * 8, 100, alpha])
        })
    };
    let pictures = pictures(&loaded.maps, |path| match path.file_name()?.to_str()? {
        "t.png" => Some(motley(60, 12)),
        "u.png" => Some(motley(13, 31)),
        _ => None,
    });
    (loaded, pictures)
}

/// Adds overlapping named areas to the level, and one-way cells that guard each side. The maps here have no
/// one-way cells of their own.
fn with_areas_and_one_way_cells(mut level: Level, random: &mut fastrand::Rng) -> Level {
    let mut some = |size: UVec2, one_in: u32| {
        let mut grid = Grid::new(size.x, size.y).unwrap();
        for at in support::places(size.as_ivec2()) {
            grid.set(at.x as u32, at.y as u32, random.u32(0..one_in) == 0).unwrap();
        }
        grid
    };
    // The areas have other cell sizes than the level, and their last cells reach beyond the level.
    for (name, cell) in [("water", UVec2::new(17, 11)), ("wind", UVec2::new(5, 23))] {
        let cells = (level.size() + cell - 1) / cell;
        level = level.with_area(name, Terrain::new(some(cells, 3), cell).unwrap());
    }
    for side in Dir::ALL {
        let guarded = some(level.terrain().grid().size(), 6);
        level = level.with_one_way(side, guarded).unwrap();
    }
    level
}

/// Returns a random region that overlaps a picture of this size.
fn region(random: &mut fastrand::Rng, (width, height): (u32, u32)) -> Aabb {
    let (width, height) = (width as i32, height as i32);
    let (x, y) = (random.i32(-9..width), random.i32(-9..height));
    let (w, h) = (random.i32(10..width + 20), random.i32(10..height + 20));
    Aabb::from_xywh(x, y, w, h)
}

/// Returns the pixels of `region` from the whole picture, which is enlarged `scale` times.
fn cut<P: bitwall::image::Pixel + 'static>(
    whole: &bitwall::image::ImageBuffer<P, Vec<P::Subpixel>>,
    region: Aabb,
    scale: u32,
) -> bitwall::image::ImageBuffer<P, Vec<P::Subpixel>> {
    let (width, height) = (whole.width() / scale, whole.height() / scale);
    let part = region.intersection(Aabb::from_xywh(0, 0, width as i32, height as i32));
    let at = part.min.as_uvec2() * scale;
    let size = part.size() * scale;
    imageops::crop_imm(whole, at.x, at.y, size.x, size.y).to_image()
}

// There are three tests for the three scales, because one of them takes a minute in the long run.
#[test]
fn a_region_is_cut_from_the_whole_picture() {
    cut_regions(0, 1);
}

#[test]
fn a_region_of_a_picture_of_double_size_is_cut_from_the_whole() {
    cut_regions(1, 2);
}

#[test]
fn a_region_of_a_picture_of_five_times_the_size_is_cut_from_the_whole() {
    cut_regions(2, 5);
}

/// Compares regions of pictures with the whole pictures, enlarged `scale` times. `at` is the number of the
/// scale, from 0.
fn cut_regions(at: usize, scale: u32) {
    let mut random = fastrand::Rng::with_seed(12 + at as u64);
    for (index, (tmx, space)) in maps().into_iter().enumerate() {
        let (mut loaded, pictures) = load(&tmx, space);
        loaded.level = with_areas_and_one_way_cells(loaded.level, &mut random);
        // Labels are switched off, because they are moved to stay inside the region.
        let plain = Overlay { labels: false, ..Overlay::new(1) };
        let body = Aabb::from_xywh(20, 20, 9, 7);
        let views = [
            DrawOptions { overlay: Overlay::none(1), ..DrawOptions::default() },
            DrawOptions { overlay: plain, ..DrawOptions::default() },
            DrawOptions {
                overlay: Overlay { body: Some(body), grid: true, ..plain },
                ..DrawOptions::default()
            },
            DrawOptions {
                overlay: Overlay { body: Some(body), motion: Some((Dir::Right, 400)), ..plain },
                ..DrawOptions::default()
            },
        ];
        for (view, options) in views.into_iter().enumerate() {
            // In the short run each view has one of the scales.
            if support::is_long() || (index + view) % 3 == at {
                let overlay = Overlay { scale, ..options.overlay };
                let options = DrawOptions { pictures: Some(&pictures), overlay, ..options };
                let whole = render::draw(&loaded, &options).unwrap();
                // A picture of five times the size takes 25 times as long, so fewer regions are tested.
                for _ in 0..support::rounds(40).div_ceil(scale as usize) {
                    let size = (whole.width() / scale, whole.height() / scale);
                    let region = region(&mut random, size);
                    let part =
                        render::draw(&loaded, &DrawOptions { region: Some(region), ..options })
                            .unwrap();
                    let expected = cut(&whole, region, scale);
                    let place = format!("map {index}, view {view}, scale {scale}, {region:?}");
                    assert_eq!(part.dimensions(), expected.dimensions(), "{place}");
                    let mut pairs = part.enumerate_pixels().zip(expected.pixels());
                    let differing = pairs.find(|((_, _, a), b)| a != b);
                    assert_eq!(differing, None, "{place}");
                }
            }
        }
    }
}

/// If the body is outside the region, a label says so, which the whole picture does not have. The fuzz target
/// `render` found this difference.
#[test]
fn a_region_differs_from_the_whole_picture_by_its_labels_alone() {
    let row = "#.#.".repeat(5);
    let level = support::tiles(&format!("{0}\n{row}\n{0}\n{row}", ".".repeat(20)), 16);
    let body = Aabb::from_xywh(3, 5, 12, 20);
    for overlay in [
        Overlay { body: Some(body), ..Overlay::new(1) },
        Overlay { body: Some(body), motion: Some((Dir::Down, 9)), ..Overlay::new(1) },
    ] {
        let [labelled, plain] = [true, false].map(|labels| {
            let options =
                DrawOptions { overlay: Overlay { labels, ..overlay }, ..DrawOptions::default() };
            let whole = render::draw(&level, &options).unwrap();
            let region = Aabb::from_xywh(32, 16, 280, 48);
            let part =
                render::draw(&level, &DrawOptions { region: Some(region), ..options }).unwrap();
            (part, cut(&whole, region, 1))
        });
        assert_ne!(labelled.0, labelled.1);
        assert_eq!(plain.0, plain.1);
    }
}

#[test]
fn a_region_of_the_collision_picture_is_cut_from_the_whole() {
    let mut random = fastrand::Rng::with_seed(13);
    for (width, height, cell) in [(67, 5, (3, 7)), (40, 41, (1, 1)), (9, 30, (24, 1))] {
        let mut grid = Grid::new(width, height).unwrap();
        for at in support::places(IVec2::new(width as i32, height as i32)) {
            grid.set(at.x as u32, at.y as u32, random.bool()).unwrap();
        }
        let level = bitwall::Level::from_grid(grid, cell.into()).unwrap();
        for scale in [1, 3] {
            let options = DrawOptions { overlay: Overlay::new(scale), ..DrawOptions::default() };
            let whole: GrayImage = render::collision_with(&level, &options).unwrap();
            assert_eq!(*whole.get_pixel(0, 0), *render::collision(&level).unwrap().get_pixel(0, 0));
            for _ in 0..50 {
                let region = region(&mut random, level.size().into());
                let part = render::collision_with(
                    &level,
                    &DrawOptions { region: Some(region), ..options },
                )
                .unwrap();
                assert!(
                    part == cut::<Luma<u8>>(&whole, region, scale),
                    "{region:?}, scale {scale}"
                );
            }
        }
    }
}

#[test]
fn a_region_beyond_the_picture_is_an_error_with_its_numbers() {
    let level = support::tiles("#.\n..", 8);
    for (x, y, w, h) in [(16, 0, 5, 5), (0, -4, 5, 4), (3, 3, 0, 5), (i32::MIN, 0, 9, 9)] {
        let options =
            DrawOptions { region: Some(Aabb::from_xywh(x, y, w, h)), ..DrawOptions::default() };
        let error = render::draw(&level, &options).unwrap_err();
        assert!(matches!(error, RenderError::EmptyRegion { .. }), "{error}");
        assert_eq!(render::collision_with(&level, &options), Err(error));
        assert!(error.to_string().ends_with("no pixel of the picture, which is 16 x 16 px"));
    }
}

/// A region of a level of 2^40 pixels takes no more time and memory than a region of a small level.
#[test]
fn a_region_of_a_huge_level_is_drawn_quickly() {
    let cells = support::layer(
        r#"name="walls""#,
        [1, 1],
        r#"<chunk x="0" y="0" width="1" height="1">1</chunk>
        <chunk x="1048570" y="1048570" width="1" height="1">1</chunk>"#,
    );
    let content = tileset([8, 8], 1, "") + &cells;
    let (loaded, _) = load(&map(r#"infinite="1""#, [1, 1], [8, 8], &content), Space::Map);
    let size = loaded.level.size();
    let pictures = pictures(&loaded.maps, |_| Some(RgbaImage::from_pixel(8, 8, Rgba([9; 4]))));
    let options = DrawOptions { pictures: Some(&pictures), ..DrawOptions::default() };
    assert!(matches!(render::draw(&loaded, &options), Err(RenderError::TooManyPixels { .. })));
    let start = support::Stopwatch::start();
    for scale in [1, 7] {
        let corner = size.as_ivec2() - 20;
        let region = Some(Aabb::from_xywh(corner.x, corner.y, 90, 90));
        let options = DrawOptions { overlay: Overlay::new(scale), region, ..options };
        let picture = render::draw(&loaded, &options).unwrap();
        assert_eq!(picture.dimensions(), (20 * scale, 20 * scale));
        assert_ne!(
            picture.get_pixel(14 * scale, 14 * scale),
            picture.get_pixel(5 * scale, 5 * scale)
        );
        let mask = render::collision_with(&loaded.level, &options).unwrap();
        assert_eq!((mask.get_pixel(13 * scale, 13 * scale)[0], mask.get_pixel(5, 5)[0]), (0, 255));
    }
    assert!(start.elapsed() < std::time::Duration::from_millis(500));
}

/// The channels of the pixels of a picture around the part that one pixel of the reduced picture covers, the
/// lowest and the highest. Clear pixels have no colour.
fn extent(picture: &RgbaImage, min: (f64, f64), max: (f64, f64)) -> [(u8, u8); 4] {
    let mut ends = [(255, 0); 4];
    for y in min.1 as u32..(max.1.ceil() as u32 + 1).min(picture.height()) {
        for x in min.0 as u32..(max.0.ceil() as u32 + 1).min(picture.width()) {
            let pixel = picture.get_pixel(x, y);
            for (channel, (low, high)) in ends.iter_mut().enumerate() {
                if channel == 3 || pixel[3] > 0 {
                    *low = pixel[channel].min(*low);
                    *high = pixel[channel].max(*high);
                }
            }
        }
    }
    ends
}

/// The mean alpha of a picture.
fn mean_alpha(picture: &RgbaImage) -> f64 {
    let sum: f64 = picture.pixels().map(|pixel| f64::from(pixel[3])).sum();
    sum / f64::from(picture.width() * picture.height())
}

#[test]
fn a_fitted_picture_is_the_largest_that_fits_the_given_box() {
    let (loaded, pictures) = load(&maps()[2].0, Space::Map);
    let options = DrawOptions {
        pictures: Some(&pictures),
        overlay: Overlay::none(1),
        ..DrawOptions::default()
    };
    let whole = render::draw(&loaded, &options).unwrap();
    let (width, height) = whole.dimensions();
    for (room, scale) in [
        ((width, height), 1),
        ((width * 2 - 1, height * 9), 1),
        ((width * 9, height * 3), 3),
        ((width * 5 + 3, height * 5 + 1), 5),
    ] {
        let fitted =
            render::draw(&loaded, &DrawOptions { fit: Some(room.into()), ..options }).unwrap();
        assert_eq!(fitted, enlarged(&whole, scale), "{room:?}");
    }
    for room in [(width - 1, height), (width, height / 3), (50, 9_999), (7, 3), (1, 1), (0, 9)] {
        let fitted =
            render::draw(&loaded, &DrawOptions { fit: Some(room.into()), ..options }).unwrap();
        let (x, y) = fitted.dimensions();
        assert!(
            x == room.0.max(1) || y == room.1.max(1),
            "{room:?} has room for more than {x} x {y}"
        );
        assert!(x <= room.0.max(1) && y <= room.1.max(1));
        let step = (f64::from(width) / f64::from(x), f64::from(height) / f64::from(y));
        assert!((step.0 / step.1).ln().abs() < 0.6 || x.min(y) == 1, "{room:?}: {step:?}");
        for (x, y, pixel) in fitted.enumerate_pixels() {
            let min = (f64::from(x) * step.0, f64::from(y) * step.1);
            let ends = extent(&whole, min, (min.0 + step.0, min.1 + step.1));
            for (found, (low, high)) in pixel.0.into_iter().zip(ends) {
                // A colour of low alpha is rounded.
                let room = (255 / pixel[3].max(1)).saturating_add(2);
                let is_within =
                    found >= low.saturating_sub(room) && found <= high.saturating_add(room);
                assert!(is_within || pixel[3] == 0, "{room:?}: {pixel:?}, {ends:?}");
            }
        }
        if x > 9 && y > 9 {
            let off = mean_alpha(&fitted) - mean_alpha(&whole);
            assert!(off.abs() < 12.0, "{room:?}: {off}");
        }
    }
}
