//! The pages of `verify --format html` and `diff --format html`: their whole text, hostile names, the limit
//! of pictures, and the marks in the pictures.

use std::fs;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitwall::image::{GrayImage, Luma, Rgba, RgbaImage, load_from_memory};

use crate::shared::{bitwall_in, folder};
use crate::support::png;

/// Text that would be a script, a tag, the end of an attribute or a change of direction.
const HOSTILE: &str = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> &lt; \u{202e}gpj\u{202c} \
                       \u{645}\u{631}";

/// Creates a project with a map and a mask whose names are hostile, and with two kinds of findings in them.
fn project() -> tempfile::TempDir {
    let name = HOSTILE.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
    let map = format!(
        "<map orientation=\"orthogonal\" width=\"4\" height=\"3\" tilewidth=\"16\" tileheight=\"16\">\n\
         <layer id=\"1\" name=\"walls {name}\" width=\"4\" height=\"3\"><data encoding=\"csv\">\
         0,0,0,0,0,0,9,0,0,0,0,9</data></layer>\n\
         <objectgroup id=\"2\" name=\"solid\"><object id=\"1\" width=\"64\" height=\"8\"/></objectgroup>\n\
         </map>\n"
    );
    let json = "{\"type\":\"map\",\"orientation\":\"orthogonal\",\"width\":1,\"height\":1,\"tilewidth\":8,\
                \"tileheight\":8,\"tilesets\":[],\"layers\":[{\"type\":\"tilelayer\",\"id\":1,\
                \"name\":\"collision \\u0000</title>\",\"width\":1,\"height\":1,\"data\":[9]}]}";
    let root = folder(&[(".git/HEAD", ""), ("maps/cave.tmx", &map), ("maps/nul.tmj", json)]);
    let hostile = root.path().join(HOSTILE.replace('/', "\u{2215}") + "\n_mask.png");
    fs::write(hostile, png(with_dots(128, &[(9, 9), (30, 20), (50, 40)]))).unwrap();
    root
}

/// Returns a mask of 64 x 48 px with specks of a gray value, of which 0 is solid.
fn with_dots(value: u8, dots: &[(u32, u32)]) -> GrayImage {
    GrayImage::from_fn(64, 48, |x, y| {
        Luma([match y {
            46.. => 0,
            _ if dots.contains(&(x, y)) => value,
            _ => 255,
        }])
    })
}

/// Returns the pictures of a page, and the page with the size of each in its place.
fn pictures(page: &str) -> (Vec<RgbaImage>, String) {
    let mut parts = page.split("data:image/png;base64,");
    let mut rest = parts.next().unwrap().to_owned();
    let mut pictures = Vec::new();
    for part in parts {
        let (data, after) = part.split_once('"').unwrap();
        let picture = load_from_memory(&STANDARD.decode(data).unwrap()).unwrap().into_rgba8();
        let (width, height) = picture.dimensions();
        assert!(rest.contains(&format!("width=\"{width}\" height=\"{height}\"")), "{rest}");
        rest += &format!("PNG {width} x {height}\"{after}");
        pictures.push(picture);
    }
    (pictures, rest)
}

/// Asserts that `page` equals the page that is kept; `UPDATE_GOLDEN=1` writes it.
fn assert_kept(name: &str, page: &str) {
    let path = Path::new("tests/fixtures/pages").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, page).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap();
    assert_eq!(page, kept, "UPDATE_GOLDEN=1 writes {}", path.display());
}

/// Asserts that nothing of a hostile name has become markup, and that the page loads nothing.
fn assert_harmless(page: &str) {
    let lower = page.to_lowercase();
    let (_, script) = page.split_once("<script>").expect("the slider");
    let (script, end) = script.split_once("</script>").unwrap();
    assert_eq!((lower.matches("<script").count(), end), (1, "\n"), "{page}");
    assert!(page.matches("<img ").count() == page.matches("alt=\"").count(), "{page}");
    for image in page.split("<img ").skip(1) {
        let words = image.split_once(" alt=\"").unwrap().1.split_once('"').unwrap().1;
        assert!(words.starts_with(" src=\"data:image/png;base64,"), "{image}");
    }
    for sign in ["http://", "https://", "url(", "@import", "<link", "<iframe"] {
        assert!(!lower.contains(sign), "{sign}: {page}");
    }
    let is_bad = |sign: char| {
        let turns = ('\u{202a}'..='\u{202e}').contains(&sign);
        turns || sign.is_control() && sign != '\n'
    };
    assert!(!page.contains(is_bad), "{page:?}");
    // The policy of the page names the hash of this very script.
    let hash = STANDARD.encode(sha256(script));
    assert!(page.contains(&format!("script-src 'sha256-{hash}'")), "the hash is {hash}");
}

/// Computes the SHA-256 of a text by the program that every Unix system has.
fn sha256(text: &str) -> Vec<u8> {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let output = std::process::Command::new("sha256sum").arg(file.path()).output().unwrap();
    let digits = String::from_utf8(output.stdout).unwrap();
    (0..64).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

#[test]
fn the_page_of_verify_shows_each_finding_and_no_name_becomes_markup() {
    let root = project();
    let args = ["verify", "--format", "html"];
    let (code, page, _) = bitwall_in(root.path(), &args, "");
    assert_eq!(code, 1, "{page}");
    assert_eq!(bitwall_in(root.path(), &args, "").1, page, "the same findings are the same page");
    assert_harmless(&page);
    let (pictures, text) = pictures(&page);
    assert_eq!(pictures.len(), 3, "{text}");
    for words in ["\\u{202e}", "&lt;script&gt;alert(1)", "\\u{0}&lt;/title&gt;", "\u{645}\u{631}"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(text.contains("<figcaption>col 2, row 1 (x 32, y 16, 16 x 16 px)"), "{text}");
    assert_kept("verify.html", &text);
    fs::remove_dir_all(root.path().join("maps")).unwrap();
    let clean = folder(&[(".git/HEAD", "")]);
    fs::write(clean.path().join("a_mask.png"), png(with_dots(0, &[]))).unwrap();
    let (code, page, _) = bitwall_in(clean.path(), &args, "");
    assert!(code == 0 && page.contains("1 file checked: 0 errors, 0 warnings"), "{page}");
    assert!(!page.contains("<article"), "{page}");
}

#[test]
fn a_page_has_at_most_sixty_pictures_and_tells_how_many_it_lacks() {
    let root = folder(&[(".git/HEAD", "")]);
    let mask = png(with_dots(128, &[(9, 9)]));
    for index in 0..63 {
        fs::write(root.path().join(format!("{index}_mask.png")), &mask).unwrap();
    }
    let (_, page, _) = bitwall_in(root.path(), &["verify", "--format", "html"], "");
    assert_eq!(page.matches("<article").count(), 63);
    assert_eq!(page.matches("<img ").count(), 60);
    assert!(
        page.contains("3 pictures are left out here; <code>--annotate FOLDER</code>"),
        "{page}"
    );
}

#[test]
fn every_fault_of_a_finding_is_marked_at_a_size_that_is_seen() {
    let root = folder(&[(".git/HEAD", "")]);
    // Too large for a picture of its own size: the marks must be larger than the specks.
    let dots = [(40, 40), (2900, 60), (1500, 1900)];
    let mask = GrayImage::from_fn(3000, 2000, |x, y| {
        Luma([if y > 1990 || dots.contains(&(x, y)) { 0 } else { 255 }])
    });
    fs::write(root.path().join("a_mask.png"), png(mask)).unwrap();
    let (_, _, err) = bitwall_in(root.path(), &["verify", "--annotate", "out"], "");
    assert!(err.contains("out/a_mask.png-findings.png: 1 finding\n"), "{err}");
    let path = root.path().join("out/a_mask.png-findings.png");
    let picture = bitwall::image::open(path).unwrap().into_rgba8();
    assert!(picture.width() <= 1600 && picture.height() <= 1200, "{:?}", picture.dimensions());
    let scale = f64::from(picture.width()) / 3000.0;
    for (x, y) in dots {
        let [x, y] = [x, y].map(|at| (f64::from(at) * scale) as i64);
        let mut yellow = 0;
        for (column, row, pixel) in picture.enumerate_pixels() {
            let is_near = (i64::from(column) - x).abs() < 20 && (i64::from(row) - y).abs() < 20;
            let Rgba([red, green, blue, _]) = *pixel;
            yellow += u32::from(is_near && red > 150 && green > 150 && blue < 190);
        }
        assert!(yellow > 60, "{yellow} px at {x}, {y}");
    }
}

#[test]
fn the_page_of_diff_has_both_states_of_each_patch_and_the_change() {
    let root = folder(&[("a/.keep", ""), ("b/.keep", "")]);
    let name = HOSTILE.replace('/', "\u{2215}") + "_mask.png";
    fs::write(root.path().join("a").join(&name), png(with_dots(0, &[(9, 9)]))).unwrap();
    fs::write(root.path().join("b").join(&name), png(with_dots(0, &[(50, 40)]))).unwrap();
    fs::write(root.path().join("b/new_mask.png"), png(with_dots(0, &[]))).unwrap();
    let args = ["diff", "a", "b", "--format", "html"];
    let (code, page, error) = bitwall_in(root.path(), &args, "");
    assert_eq!((code, error.as_str()), (1, ""));
    assert_eq!(bitwall_in(root.path(), &args, "").1, page);
    assert_harmless(&page);
    let (pictures, text) = pictures(&page);
    assert_kept("diff.html", &text);
    // Two patches, with the change in the third picture, and the new level.
    assert_eq!(pictures.len(), 7, "{text}");
    let at = |picture: &RgbaImage, x: u32, y: u32| {
        let scale = picture.width() / 64;
        *picture.get_pixel(x * scale + scale / 2, y * scale + scale / 2)
    };
    let [_, _, removed, _, _, added, _] = &pictures[..] else { unreachable!() };
    let [red, blue] = [at(added, 50, 40), at(removed, 9, 9)].map(|pixel| pixel.0);
    assert!(red[0] > red[2] + 60 && blue[2] > blue[0] + 60, "{red:?} {blue:?}");
    // Two levels by themselves.
    let (left, right) = (format!("a/{name}"), "b/new_mask.png");
    let (code, page, _) = bitwall_in(root.path(), &["diff", &left, right, "--format", "html"], "");
    assert!(code == 1 && page.matches("<img ").count() == 3, "{page}");
    assert_harmless(&page);
}
