//! The picture of the walker: a row of four frames for each of down, left, right and up, each of 16 x 24
//! pixels. Each letter in the drawings is a colour. The code adds the dark outline.

use bitwall::image::{Rgba, RgbaImage, imageops};

use super::{CLEAR, color};

const FRAME: (u32, u32) = (16, 24);

const FRONT: [&str; 18] = [
    "                ",
    "     hhhhhh     ",
    "    hhhhhhhh    ",
    "   hhhhhhhhhh   ",
    "   hhhsshsshh   ",
    "   hssssssssh   ",
    "   hsessssesh   ",
    "   hsessssesh   ",
    "    ssssssss    ",
    "     ssmmss     ",
    "      ssss      ",
    "    rrryyrrr    ",
    "   rrrryyrrrr   ",
    "  rrrrryyrrrrr  ",
    "  rrrrryyrrrrr  ",
    "  ss rrrrrr ss  ",
    "  ss bbbbbb ss  ",
    "     pppppp     ",
];

const BACK: [&str; 18] = [
    "                ",
    "     hhhhhh     ",
    "    hhhhhhhh    ",
    "   hhhhhhhhhh   ",
    "   hhhhhhhhhh   ",
    "   hhhhhhhhhh   ",
    "   hhhhhhhhhh   ",
    "   hhhhhhhhhh   ",
    "    hhhhhhhh    ",
    "     hhhhhh     ",
    "      ssss      ",
    "    rrrrrrrr    ",
    "   rrrrrrrrrr   ",
    "  rrrrrrrrrrrr  ",
    "  rrrrrrrrrrrr  ",
    "  ss rrrrrr ss  ",
    "  ss bbbbbb ss  ",
    "     pppppp     ",
];

/// The walker as it faces left. Facing right is the mirror image.
const SIDE: [&str; 18] = [
    "                ",
    "     hhhhhh     ",
    "    hhhhhhhh    ",
    "   hhhhhhhhhh   ",
    "   hhshhhhhhh   ",
    "   ssssshhhhh   ",
    "   sesssshhhh   ",
    "   sessssshhh   ",
    "   sssssssshh   ",
    "   mmsssssss    ",
    "     sssss      ",
    "    rrrrrrr     ",
    "    rrrrrrrr    ",
    "    rryyyrrr    ",
    "    rryyyrrr    ",
    "    rrrssrrr    ",
    "    bbbssbbb    ",
    "    pppppppp    ",
];

/// The legs of a standing walker, and with the left foot up. The right foot up is the mirror image.
const LEGS_ALONG: [[&str; 6]; 2] = [
    [
        "    pppp pppp   ",
        "    ppp  ppp    ",
        "    ppp  ppp    ",
        "    ppp  ppp    ",
        "    ppp  ppp    ",
        "    kkk  kkk    ",
    ],
    [
        "    pppp pppp   ",
        "    ppp  ppp    ",
        "    ppp  ppp    ",
        "    kkk  ppp    ",
        "         ppp    ",
        "         kkk    ",
    ],
];

/// The legs seen from the side: standing, with the near leg (p) in front, and with the far leg (q) in front.
const LEGS_ASIDE: [[&str; 6]; 3] = [
    [
        "     pppppp     ",
        "      pppp      ",
        "      pppp      ",
        "      pppp      ",
        "      pppp      ",
        "     kkkkk      ",
    ],
    [
        "    pppppqqq    ",
        "    pppp qqqq   ",
        "   pppp   qqq   ",
        "   ppp     qqk  ",
        "   ppp     kkk  ",
        "  kkkk          ",
    ],
    [
        "    qqqqpppp    ",
        "    qqqq pppp   ",
        "   qqqq   ppp   ",
        "   qqq     ppk  ",
        "   qqq     kkk  ",
        "  kkkk          ",
    ],
];

fn ink(letter: char) -> Rgba<u8> {
    match letter {
        ' ' => CLEAR,
        'h' => color(0x7a_4a_24),
        's' => color(0xf2_c9_a0),
        'e' => color(0x2a_20_30),
        'm' => color(0xc0_60_50),
        'r' => color(0xc8_40_3c),
        'y' => color(0xf0_c0_50),
        'b' => color(0x5a_3a_28),
        'p' => color(0x3c_54_9c),
        'q' => color(0x2a_3c_74),
        'k' => color(0x3a_2a_30),
        other => panic!("no colour is called {other}"),
    }
}

/// Returns a frame of the head and body above the legs, with a dark outline.
fn frame(top: &[&str; 18], legs: &[&str; 6]) -> RgbaImage {
    let rows: Vec<Vec<char>> = top.iter().chain(legs).map(|row| row.chars().collect()).collect();
    let at = |x: u32, y: u32| {
        let letter = rows.get(y as usize).and_then(|row| row.get(x as usize));
        letter.copied().unwrap_or(' ')
    };
    RgbaImage::from_fn(FRAME.0, FRAME.1, |x, y| {
        let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let is_edge = at(x, y) == ' ' && beside.iter().any(|(x, y)| at(*x, *y) != ' ');
        if is_edge { color(0x2a_20_30) } else { ink(at(x, y)) }
    })
}

/// Returns the whole picture. In the first and the third of the four frames in a row the walker stands.
pub(super) fn sheet() -> RgbaImage {
    let along = |top: &[&str; 18]| {
        let stands = frame(top, &LEGS_ALONG[0]);
        let steps = frame(top, &LEGS_ALONG[1]);
        let other = imageops::flip_horizontal(&steps);
        [stands.clone(), steps, stands, other]
    };
    let [stands, near, far] = LEGS_ASIDE.map(|legs| frame(&SIDE, &legs));
    let left = [stands.clone(), near, stands, far];
    let right = left.each_ref().map(imageops::flip_horizontal);
    let mut sheet = RgbaImage::new(4 * FRAME.0, 4 * FRAME.1);
    for (row, frames) in (0..).zip([along(&FRONT), left, right, along(&BACK)]) {
        for (column, frame) in (0..).zip(&frames) {
            imageops::replace(&mut sheet, frame, column * 16, row * 24);
        }
    }
    sheet
}
