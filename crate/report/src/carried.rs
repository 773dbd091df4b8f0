//! Files carried by a report: as text in Base64, compressed, in elements that no browser shows. The analyzer's
//! scripts join the elements with the same number (`www/embed/report.js`).

use super::escaped;

/// Bytes of a file in one element: browsers limit a text to half a GB. A multiple of three, so that Base64 has no
/// padding.
pub const PIECE: usize = 24 << 20;

/// The first bytes of packed files: gzip, zstd, zip, bzip2, xz.
const PACKED: [&[u8]; 5] =
    [&[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd], b"PK\x03\x04", b"BZh", &[0xfd, b'7', b'z', b'X', b'Z']];

/// The text around each element's content, and how a file's bytes are divided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The text before an element's Base64.
    pub before: String,
    /// The text after it.
    pub after: &'static str,
    /// Whether the file must be compressed by gzip first, since it is not packed already.
    pub compress: bool,
    /// Bytes per element.
    pub piece: usize,
}

/// The form in which a file is carried, by its first bytes. `number` identifies it in the report, since two files may
/// have the same path.
#[must_use]
pub fn carried(number: usize, path: &str, head: &[u8]) -> Carried {
    let compress = !PACKED.iter().any(|start| head.starts_with(start));
    let packed = if compress { " data-stepscope-packed=\"gzip\"" } else { "" };
    let path = escaped(path);
    Carried {
        before: format!(
            "<script type=\"text/plain\" data-stepscope-file=\"{number}\" data-stepscope-path=\"{path}\"{packed}>"
        ),
        after: "</script>\n",
        compress,
        piece: PIECE,
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE, carried};

    #[test]
    fn what_is_packed_is_not_packed_again() {
        for packed in [&b"\x1f\x8b\x08"[..], b"\x28\xb5\x2f\xfd\0", b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\0"] {
            let found = carried(3, "a \"b\"/<c>.gz", packed);
            assert!(!found.compress, "{packed:?}");
            assert_eq!(
                found.before,
                "<script type=\"text/plain\" data-stepscope-file=\"3\" data-stepscope-path=\"a &quot;b&quot;/&lt;c&gt;.gz\">"
            );
        }
        for plain in [&b""[..], b"{", b"PK", b"\x1f"] {
            let found = carried(0, "t.json", plain);
            assert!(found.compress && found.before.ends_with(" data-stepscope-packed=\"gzip\">"), "{plain:?}");
        }
        assert_eq!(PIECE % 3, 0, "pieces pad nothing");
    }
}
