//! Paths in formats for programs: `/` between their parts on every system, and every byte kept.

use std::path::Path;

use crate::verify::fingerprint::slashed;

/// A path with `/` between its parts. Bytes that are not UTF-8 are replaced by U+FFFD.
pub(super) fn slashed_text(path: &Path) -> String {
    String::from_utf8_lossy(&slashed(path)).into_owned()
}

/// A path as a URI reference (RFC 3986): relative, or `file:///x`. Every byte that may have a meaning is
/// written as `%XX`, so that names which are not UTF-8 survive.
pub(super) fn uri(path: &Path) -> String {
    let encoded = percent_encoded(&slashed(path));
    if path.has_root() { format!("file://{encoded}") } else { encoded }
}

/// The bytes of a path that is not UTF-8, percent-encoded; `None` for one that is.
pub(super) fn path_bytes(path: &Path) -> Option<String> {
    match path.to_str() {
        Some(_) => None,
        None => Some(percent_encoded(&slashed(path))),
    }
}

fn percent_encoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                text.push(char::from(*byte));
            }
            other => text.push_str(&format!("%{other:02X}")),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_uri_keeps_every_byte_of_a_name() {
        assert_eq!(uri(Path::new("maps/a b:c#%.png")), "maps/a%20b%3Ac%23%25.png");
        assert_eq!(uri(Path::new("/x/ä.png")), "file:///x/%C3%A4.png");
        assert_eq!(path_bytes(Path::new("a.png")), None);
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let name = Path::new(std::ffi::OsStr::from_bytes(b"a/\xff\n.png"));
            assert_eq!(uri(name), "a/%FF%0A.png");
            assert_eq!(path_bytes(name).as_deref(), Some("a/%FF%0A.png"));
        }
    }
}
