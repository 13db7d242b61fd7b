use glam::{IVec2, UVec2};
#[cfg(feature = "image")]
use image::{Rgba, RgbaImage};

use super::{Footprint, FootprintError};
use crate::{Axis, Grid};

fn random_footprint(random: &mut fastrand::Rng) -> Footprint {
    let sides = [1, 2, 5, 16, 63, 64, 65, 127, 128, 129];
    let mut side = || sides[random.usize(0..sides.len())];
    let (width, height) = (side(), side());
    let mut grid = Grid::new(width, height).unwrap();
    grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
    for _ in 0..random.u32(0..40) {
        let (x, y) = (random.u32(0..width), random.u32(0..height));
        let (w, h) = (random.u32(0..20), random.u32(0..20));
        grid.fill(x..x + w, y..y + h, random.bool()).unwrap();
    }
    Footprint::from_grid(&grid).unwrap_or_else(|_| Footprint::circle(9).unwrap())
}

fn pixels(footprint: &Footprint) -> Vec<UVec2> {
    let size = footprint.size();
    let all = (0..size.y).flat_map(|y| (0..size.x).map(move |x| UVec2::new(x, y)));
    all.filter(|pixel| footprint.covers(*pixel)).collect()
}

#[test]
fn a_circle_covers_the_pixels_whose_centre_is_inside_it() {
    for diameter in (1..=130_u32).chain([255, 256, 4_095, 4_096]) {
        let disc = Footprint::circle(diameter).unwrap();
        assert_eq!(disc.size(), UVec2::splat(diameter));
        let d = i64::from(diameter);
        let far = |place: u32| (2 * i64::from(place) + 1 - d).pow(2);
        let step = if diameter > 300 { 97 } else { 1 };
        for y in (0..diameter).step_by(step) {
            for x in 0..diameter {
                let inside = far(x) + far(y) <= d * d;
                assert_eq!(disc.covers(UVec2::new(x, y)), inside, "{x} {y} of {diameter}");
            }
        }
        if diameter <= 130 {
            assert_eq!(disc, disc.turned());
            assert_eq!(disc, disc.flipped(true, false));
        }
    }
}

#[test]
fn a_capsule_is_two_half_discs_and_the_rectangle_between_them() {
    let text = |size| Footprint::capsule(size).unwrap().grid().to_string();
    let tall = ".##.\n####\n####\n####\n####\n.##.";
    assert_eq!(text(UVec2::new(4, 6)), tall);
    assert_eq!(text(UVec2::new(6, 4)), ".####.\n######\n######\n.####.");
    assert_eq!(text(UVec2::new(1, 3)), "#\n#\n#");
    for (width, height) in [(7, 30), (8, 31), (63, 64), (64, 200)] {
        let tall = Footprint::capsule(UVec2::new(width, height)).unwrap();
        let disc = Footprint::circle(width).unwrap();
        assert_eq!(tall, tall.flipped(true, false));
        assert_eq!(tall, tall.flipped(false, true));
        assert_eq!(tall.turned(), Footprint::capsule(UVec2::new(height, width)).unwrap());
        for y in 0..height {
            let disc_row = match y {
                y if y < width / 2 => y,
                y if y >= height - width / 2 => y - (height - width),
                _ => width / 2,
            };
            for x in 0..width {
                let covers = disc.covers(UVec2::new(x, disc_row));
                assert_eq!(tall.covers(UVec2::new(x, y)), covers);
            }
        }
    }
}

#[test]
fn a_footprint_of_size_0_or_over_the_limit_is_an_error() {
    let refused = |made: Result<Footprint, FootprintError>| made.unwrap_err().to_string();
    assert_eq!(refused(Footprint::circle(0)), "a footprint needs at least one pixel");
    assert_eq!(
        refused(Footprint::rectangle(UVec2::new(5_000, 2))),
        "a footprint of 5000 x 2 px is over the limit of 4096 px a side"
    );
    let huge = UVec2::new(u32::MAX, 1);
    assert_eq!(Footprint::capsule(huge), Err(FootprintError::TooLarge(huge)));
    let blank = Grid::new(70, 3).unwrap();
    assert_eq!(Footprint::from_grid(&blank), Err(FootprintError::Empty));
}

#[cfg(feature = "image")]
#[test]
fn a_picture_without_an_opaque_pixel_is_an_error() {
    let clear = RgbaImage::new(70, 3);
    assert_eq!(Footprint::from_image(&clear, 1), Err(FootprintError::Empty));
    assert_eq!(Footprint::from_image(&clear, 0).unwrap().pixel_count(), 210);
    assert_eq!(Footprint::from_image(&RgbaImage::new(0, 4), 0), Err(FootprintError::Empty));
}

#[cfg(feature = "image")]
#[test]
fn footprints_of_pictures_and_frames_cover_their_opaque_pixels() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut sheet = RgbaImage::from_fn(140, 75, |_, _| Rgba([0, 0, 0, random.u8(..)]));
    for y in 0..35 {
        for x in 66..132 {
            sheet.put_pixel(x, y, Rgba([255, 255, 255, 127]));
        }
    }
    let whole = Footprint::from_image(&sheet, 128).unwrap();
    for (left, top) in [(0, 0), (66, 0), (0, 35), (66, 35)] {
        let frame = image::imageops::crop_imm(&sheet, left, top, 66, 35).to_image();
        let frame = Footprint::from_image(&frame, 128).ok();
        assert_eq!(frame.is_none(), (left, top) == (66, 0), "a frame has no opaque pixel");
        for (y, x) in (0..35).flat_map(|y| (0..66).map(move |x| (y, x))) {
            let opaque = sheet.get_pixel(left + x, top + y).0[3] >= 128;
            let covers = frame.as_ref().is_some_and(|frame| frame.covers(UVec2::new(x, y)));
            assert_eq!(covers, opaque);
            assert_eq!(whole.covers(UVec2::new(left + x, top + y)), opaque);
        }
    }
}

#[test]
fn flips_and_turns_move_every_pixel_to_the_right_place() {
    let mut random = fastrand::Rng::with_seed(6);
    for _ in 0..200 {
        let body = random_footprint(&mut random);
        let last = body.size() - UVec2::ONE;
        let mirrored = body.flipped(true, false);
        let upside_down = body.flipped(false, true);
        let turned = body.turned();
        for pixel in pixels(&body) {
            assert!(mirrored.covers(UVec2::new(last.x - pixel.x, pixel.y)));
            assert!(upside_down.covers(UVec2::new(pixel.x, last.y - pixel.y)));
            assert!(turned.covers(UVec2::new(last.y - pixel.y, pixel.x)));
        }
        assert_eq!(turned.pixel_count(), body.pixel_count());
        assert_eq!(mirrored.flipped(true, true), upside_down);
        assert_eq!(turned.turned().turned().turned(), body);
    }
}

#[test]
fn a_scaled_footprint_covers_a_rectangle_for_each_pixel() {
    let random = &mut fastrand::Rng::with_seed(14);
    for _ in 0..60 {
        let footprint = random_footprint(random);
        let factors = UVec2::new(random.u32(1..5), random.u32(1..5));
        let scaled = footprint.scaled(factors).unwrap();
        assert_eq!(scaled.size(), footprint.size() * factors);
        assert!(pixels(&scaled).iter().all(|pixel| footprint.covers(*pixel / factors)));
        let count = footprint.pixel_count() * u64::from(factors.element_product());
        assert_eq!(scaled.pixel_count(), count);
        let turned = footprint.turned().scaled(UVec2::new(factors.y, factors.x));
        assert_eq!(scaled.turned(), turned.unwrap());
    }
    let dot = Footprint::rectangle(UVec2::new(2, 1)).unwrap();
    assert_eq!(dot.scaled(UVec2::new(2, 0)), Err(FootprintError::Empty));
    assert!(dot.scaled(UVec2::new(2_048, 4_096)).is_ok());
    let large = UVec2::new(4_098, 1);
    assert_eq!(dot.scaled(UVec2::new(2_049, 1)), Err(FootprintError::TooLarge(large)));
    assert!(dot.scaled(UVec2::MAX).is_err());
}

#[test]
fn unions_and_differences_agree_with_a_loop_over_pixels() {
    let random = &mut fastrand::Rng::with_seed(15);
    for _ in 0..200 {
        let (one, other) = (random_footprint(random), random_footprint(random));
        let offset = IVec2::new(random.i32(-150..150), random.i32(-150..150));
        let covers = |footprint: &Footprint, pixel: IVec2| {
            UVec2::try_from(pixel).is_ok_and(|pixel| footprint.covers(pixel))
        };
        let both = one.union(&other, offset).unwrap();
        let corner = offset.min(IVec2::ZERO);
        let end = one.size().as_ivec2().max(offset + other.size().as_ivec2());
        assert_eq!(both.size().as_ivec2(), end - corner);
        let rest = one.difference(&other, offset);
        for y in corner.y..end.y {
            for x in corner.x..end.x {
                let pixel = IVec2::new(x, y);
                let (own, others) = (covers(&one, pixel), covers(&other, pixel - offset));
                assert_eq!(covers(&both, pixel - corner), own || others);
                let is_left = rest.as_ref().is_ok_and(|rest| covers(rest, pixel));
                assert_eq!(is_left, own && !others);
            }
        }
        let mirrored = IVec2::new(one.size().x as i32 - other.size().x as i32 - offset.x, offset.y);
        let flipped = [&one, &other].map(|footprint| footprint.flipped(true, false));
        assert_eq!(flipped[0].union(&flipped[1], mirrored).unwrap(), both.flipped(true, false));
        let found = flipped[0].difference(&flipped[1], mirrored);
        assert_eq!(found, rest.map(|rest| rest.flipped(true, false)));
    }
    let dot = Footprint::rectangle(UVec2::ONE).unwrap();
    for far in [IVec2::MIN, IVec2::MAX, IVec2::new(4_096, 0), IVec2::new(0, -4_096)] {
        assert!(matches!(dot.union(&dot, far), Err(FootprintError::TooLarge(_))), "{far}");
        assert_eq!(dot.difference(&dot, far), Ok(dot.clone()));
    }
    assert_eq!(dot.difference(&dot, IVec2::ZERO), Err(FootprintError::Empty));
}

#[test]
fn the_swept_rectangles_of_a_footprint_cover_each_pixel_once_in_whole_runs() {
    let mut random = fastrand::Rng::with_seed(7);
    for _ in 0..300 {
        let body = random_footprint(&mut random);
        for axis in [Axis::X, Axis::Y] {
            let mut covered = 0;
            for part in body.leading(axis, IVec2::ZERO) {
                let (min, max) = (part.min, part.max);
                covered += u64::from(part.width()) * u64::from(part.height());
                assert!(
                    (min.y..max.y).all(|y| {
                        (min.x..max.x).all(|x| body.covers(IVec2::new(x, y).as_uvec2()))
                    })
                );
                let (step, lines) = match axis {
                    Axis::X => (IVec2::X, min.y..max.y),
                    Axis::Y => (IVec2::Y, min.x..max.x),
                };
                let across = lines.map(|line| match axis {
                    Axis::X => (IVec2::new(min.x, line) - step, IVec2::new(max.x, line)),
                    Axis::Y => (IVec2::new(line, min.y) - step, IVec2::new(line, max.y)),
                });
                for (before, after) in across {
                    assert!(!body.covers(before.as_uvec2()) && !body.covers(after.as_uvec2()));
                }
            }
            assert_eq!(covered, body.pixel_count());
        }
    }
    let count = |body: &Footprint| body.leading(Axis::X, IVec2::ZERO).count();
    assert_eq!(count(&Footprint::rectangle(UVec2::new(70, 90)).unwrap()), 1);
    let comb = Grid::from_text("#.#\n#.#\n###\n#.#").unwrap();
    assert_eq!(count(&Footprint::from_grid(&comb).unwrap()), 5);
}

#[test]
fn footprint_overlaps_agree_with_a_loop_over_pixels() {
    let mut random = fastrand::Rng::with_seed(8);
    for _ in 0..2_000 {
        let (one, other) = (random_footprint(&mut random), random_footprint(&mut random));
        let offset = match random.u8(0..8) {
            0 => IVec2::new(i32::MAX, i32::MIN),
            _ => IVec2::new(random.i32(-140..140), random.i32(-140..140)),
        };
        let shared = |x: i64, y: i64| -> Vec<UVec2> {
            let own = pixels(&one).into_iter();
            own.filter(|pixel| {
                let (x, y) = (i64::from(pixel.x) - x, i64::from(pixel.y) - y);
                u32::try_from(x)
                    .is_ok_and(|x| u32::try_from(y).is_ok_and(|y| other.covers(UVec2::new(x, y))))
            })
            .collect()
        };
        let (x, y) = (i64::from(offset.x), i64::from(offset.y));
        let both = shared(x, y);
        assert_eq!(one.overlaps(&other, offset), !both.is_empty());
        assert_eq!(one.first_overlap(&other, offset), both.first().copied());
        assert_eq!(one.overlap_area(&other, offset), both.len() as u64);
        let area = |x, y| shared(x, y).len() as i32;
        let normal = IVec2::new(area(x + 1, y) - area(x - 1, y), area(x, y + 1) - area(x, y - 1));
        assert_eq!(one.overlap_normal(&other, offset), normal);
        assert_eq!(other.overlap_area(&one, -offset.max(-IVec2::MAX)), both.len() as u64);
    }
}

#[test]
fn the_overlap_normal_points_out_of_the_other_footprint() {
    let (ball, block) =
        (Footprint::circle(10).unwrap(), Footprint::rectangle(UVec2::splat(40)).unwrap());
    // The block is right of the ball, then below it, and then around it.
    assert_eq!(ball.overlap_normal(&block, IVec2::new(7, -15)).signum(), IVec2::NEG_X);
    assert_eq!(ball.overlap_normal(&block, IVec2::new(-15, 7)).signum(), IVec2::NEG_Y);
    assert_eq!(ball.overlap_normal(&block, IVec2::new(-15, -15)), IVec2::ZERO);
}
