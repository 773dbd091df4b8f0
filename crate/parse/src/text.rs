//! The text of a JSON string, unescaped on demand.

use std::borrow::Cow;

/// The content of a JSON string, known to be valid (escapes and UTF-8).
#[derive(Clone, Copy, Debug)]
pub struct Text<'a> {
    raw: &'a [u8],
    escaped: bool,
}

impl<'a> Text<'a> {
    /// The content between the quotes; `escaped` if it has a backslash.
    #[must_use]
    pub(super) fn new(raw: &'a [u8], escaped: bool) -> Self {
        Self { raw, escaped }
    }

    /// The bytes of the text, in UTF-8.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> Cow<'a, [u8]> {
        if self.escaped { Cow::Owned(unescape(self.raw)) } else { Cow::Borrowed(self.raw) }
    }

    /// The text.
    #[must_use]
    pub fn to_str(&self) -> Cow<'a, str> {
        match self.bytes() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => String::from_utf8(bytes).map_or_else(|_| Cow::Borrowed(""), Cow::Owned),
        }
    }
}

/// The end of an escape sequence that starts at `text[at] == b'\\'`; `None` if it is not valid.
///
/// It accepts the same sequences as `serde_json`: a surrogate must be one of a pair.
pub(super) fn escape_end(text: &[u8], at: usize) -> Option<usize> {
    match text.get(at + 1)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Some(at + 2),
        b'u' => match hex4(text, at + 2)? {
            0xd800..=0xdbff => {
                let paired = text.get(at + 6..at + 8)? == b"\\u" && (0xdc00..=0xdfff).contains(&hex4(text, at + 8)?);
                paired.then_some(at + 12)
            }
            0xdc00..=0xdfff => None,
            _ => Some(at + 6),
        },
        _ => None,
    }
}

/// The value of four hexadecimal digits.
pub(super) fn hex4(text: &[u8], at: usize) -> Option<u32> {
    text.get(at..at + 4)?.iter().try_fold(0, |value, byte| Some(value * 16 + char::from(*byte).to_digit(16)?))
}

fn unescape(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut at = 0;
    while let Some(byte) = raw.get(at) {
        if *byte != b'\\' {
            out.push(*byte);
            at += 1;
            continue;
        }
        let simple = match raw.get(at + 1) {
            Some(b'b') => 0x08,
            Some(b'f') => 0x0c,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let (character, next) = unicode(raw, at);
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                at = next;
                continue;
            }
            Some(other) => *other,
            None => break,
        };
        out.push(simple);
        at += 2;
    }
    out
}

/// The character of a `\u` sequence (or of a pair of them) at `at`, and its end.
fn unicode(raw: &[u8], at: usize) -> (char, usize) {
    let code = hex4(raw, at + 2).unwrap_or(0xfffd);
    if (0xd800..=0xdbff).contains(&code) {
        let low = hex4(raw, at + 8).unwrap_or(0xdc00);
        let code = 0x1_0000 + ((code - 0xd800) << 10) + (low.wrapping_sub(0xdc00) & 0x3ff);
        return (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), at + 12);
    }
    (char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER), at + 6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_become_what_they_stand_for() {
        let cases = [
            (r#"a\"b\\c\/"#, "a\"b\\c/"),
            (r"\b\f\n\r\t", "\u{8}\u{c}\n\r\t"),
            (r"\u0041\u00e9\u540d", "A\u{e9}\u{540d}"),
            (r"\ud83d\uDE00!", "\u{1f600}!"),
        ];
        for (raw, expected) in cases {
            assert_eq!(Text::new(raw.as_bytes(), true).to_str(), expected, "{raw}");
        }
        assert!(matches!(Text::new(b"plain", false).bytes(), Cow::Borrowed(b"plain")));
    }

    #[test]
    fn only_whole_escapes_have_an_end() {
        let cases: [(&[u8], Option<usize>); 9] = [
            (b"\\n", Some(2)),
            (b"\\u00e9x", Some(6)),
            (b"\\ud83d\\ude00", Some(12)),
            (b"\\x", None),
            (b"\\", None),
            (b"\\u00g9", None),
            (b"\\u12", None),
            (b"\\ud83d\\u0041", None),
            (b"\\ude00", None),
        ];
        for (text, end) in cases {
            assert_eq!(escape_end(text, 0), end, "{text:?}");
        }
    }
}
