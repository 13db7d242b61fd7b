//! Signs that a version control program wrote or changed a file: a pointer of Git LFS, markers of a merge
//! conflict, line ends translated in a picture. It looks at bytes, and opens no file.

/// The sign that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Foreign {
    /// The file is a pointer of Git LFS, which stands for content that was not fetched.
    LfsPointer,
    /// A merge conflict that was not resolved. Its first line, from 1.
    Conflict(u32),
    /// A PNG whose line ends were translated, as if it were text.
    LineEnds,
    /// A PNG that was read as text in one encoding and written in another.
    Recoded,
}

/// The start of a Git LFS pointer, which is 1,024 bytes long at most by its specification.
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/";
const POINTER_BYTES: usize = 1_024;

/// The start of a PNG, `\x89PNG\r\n\x1a\n`, as a translation of line ends leaves it. The signature was made
/// to show this.
const TRANSLATED: [&[u8]; 4] =
    [b"\x89PNG\n\x1a\n", b"\x89PNG\r\x1a\r", b"\x89PNG\r\n\x1a\r\n", b"\x89PNG\r\r\n\x1a\r\n"];

/// The first byte of a PNG as UTF-8 for an unknown character, and as UTF-8 for the character 0x89.
const RECODED: [&[u8]; 2] = [b"\xef\xbf\xbdPNG", b"\xc2\x89PNG"];

/// The sign in a file, if there is one. O(bytes).
pub(crate) fn foreign(bytes: &[u8]) -> Option<Foreign> {
    let starts_with = |start: &&[u8]| bytes.starts_with(start);
    if bytes.len() <= POINTER_BYTES && bytes.starts_with(POINTER) {
        return Some(Foreign::LfsPointer);
    }
    if TRANSLATED.iter().any(starts_with) {
        return Some(Foreign::LineEnds);
    }
    if RECODED.iter().any(starts_with) {
        return Some(Foreign::Recoded);
    }
    conflict(bytes).map(Foreign::Conflict)
}

/// The line of the first marker of a merge conflict, from 1, if the other two follow it.
fn conflict(bytes: &[u8]) -> Option<u32> {
    let mut start = None;
    let mut is_in_theirs = false;
    for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1u32..) {
        match start {
            _ if line.starts_with(b"<<<<<<< ") => {
                start = start.or(Some(number));
                is_in_theirs = false;
            }
            Some(_) if line.trim_ascii_end() == b"=======" => is_in_theirs = true,
            Some(start) if is_in_theirs && line.starts_with(b">>>>>>> ") => return Some(start),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_version_control_are_known() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n";
        assert_eq!(foreign(pointer.as_bytes()), Some(Foreign::LfsPointer));
        for translated in TRANSLATED {
            assert_eq!(foreign(translated), Some(Foreign::LineEnds));
        }
        assert_eq!(foreign("\u{fffd}PNG\n".as_bytes()), Some(Foreign::Recoded));
        let conflict = "<map>\n<<<<<<< HEAD\r\n1\r\n=======\r\n2\r\n>>>>>>> other\r\n</map>";
        assert_eq!(foreign(conflict.as_bytes()), Some(Foreign::Conflict(2)));
        let nested = "<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> b\n";
        assert_eq!(foreign(nested.as_bytes()), Some(Foreign::Conflict(1)));
    }

    #[test]
    fn other_files_have_none() {
        let long =
            format!("{}{}", "version https://git-lfs.github.com/spec/v1\n", " ".repeat(2_000));
        let cases: [&[u8]; 7] = [
            b"",
            b"\x89PNG\r\n\x1a\n",
            b"<map/>",
            b"<<<<<<< HEAD\n=======\n",
            b"=======\n>>>>>>> x\n",
            b"  <<<<<<< HEAD\n=======\n>>>>>>> x\n",
            long.as_bytes(),
        ];
        for bytes in cases {
            assert_eq!(foreign(bytes), None, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
