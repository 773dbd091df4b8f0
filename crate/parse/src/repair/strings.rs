//! Strings: their ends, and their text as valid JSON.

use super::machine::{Choice, Machine, Step, Stop};
use crate::fault::FaultKind;
use crate::text::{escape_end, hex4};

/// The most choices that are kept: earlier ones are final.
const MOST_CHOICES: usize = 64;

impl Machine<'_> {
    /// Reads a string that is a value; `start` is after its opening quote.
    pub(super) fn string(&mut self, start: usize) -> Step<()> {
        self.string_from(start, start, 0)
    }

    /// Reads the same string again, with a later end.
    pub(super) fn string_behind(&mut self, choice: Choice) -> Step<()> {
        let inner = choice.inner + usize::from(!choice.behind_backslash);
        if !choice.behind_backslash && self.is_next_object(choice.quote)? {
            return Err(Stop::Failed);
        }
        self.string_from(choice.start, choice.quote + 1, inner)
    }

    fn string_from(&mut self, start: usize, mut at: usize, mut inner: usize) -> Step<()> {
        loop {
            let rest = &self.text[at..];
            let stop = rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
            self.work += stop + 1;
            at += stop;
            if self.work > super::machine::MOST_WORK {
                return Err(Stop::Failed);
            }
            match self.text.get(at) {
                None => return self.end_of_text(),
                Some(b'"') => {
                    if self.may_end(at, inner)? {
                        self.choose(Choice { start, quote: at, inner, behind_backslash: false, ..self.here() });
                        return Ok(());
                    }
                    if self.is_next_object(at)? {
                        return Err(Stop::Failed);
                    }
                    inner += 1;
                    at += 1;
                }
                Some(_) if self.text.get(at + 1) == Some(&b'"') => {
                    self.other_ends = true;
                    if self.rules.behind_backslash && self.may_end(at + 1, inner)? {
                        self.choose(Choice { start, quote: at + 1, inner, behind_backslash: true, ..self.here() });
                        return Ok(());
                    }
                    at += 2;
                }
                Some(_) => at = escape_end(self.text, at).unwrap_or(at + 1),
            }
        }
    }

    fn may_end(&mut self, quote: usize, inner: usize) -> Step<bool> {
        if self.rules.even && inner % 2 == 1 {
            self.other_ends = true;
            return Ok(false);
        }
        self.fits_behind_string(quote + 1)
    }

    fn here(&self) -> Choice {
        Choice {
            start: 0,
            quote: 0,
            inner: 0,
            behind_backslash: false,
            written: self.repaired.text.len(),
            repairs: self.repaired.repairs.len(),
            stack: self.stack,
        }
    }

    fn choose(&mut self, choice: Choice) {
        if self.choices.len() >= MOST_CHOICES {
            self.choices.remove(0);
        }
        self.choices.push(choice);
        self.finish_string(choice.start, choice.quote);
    }

    /// Whether the quote belongs to the first key of the list's next object: a text cannot extend that far.
    fn is_next_object(&mut self, quote: usize) -> Step<bool> {
        let before = self.text[..quote].trim_ascii_end();
        let Some(before) = before.strip_suffix(b"{") else { return Ok(false) };
        let end = before.trim_ascii_end();
        let new_line = before[end.len()..].contains(&b'\n');
        if !new_line && !end.strip_suffix(b",").unwrap_or(end).trim_ascii_end().ends_with(b"}") {
            return Ok(false);
        }
        let Some((end, _)) = self.look_key(quote)? else { return Ok(false) };
        Ok(self.first_key().is_none_or(|key| key == &self.text[quote + 1..end]))
    }

    /// The first key of the object that is being repaired.
    fn first_key(&self) -> Option<&[u8]> {
        first_key(self.text)
    }

    /// Writes the string that ends at `quote` as valid JSON.
    pub(super) fn finish_string(&mut self, start: usize, quote: usize) {
        let text = &self.text[start..quote];
        self.work += text.len();
        let oddities = Oddities::of(text);
        let notes = [
            (oddities.control, FaultKind::ControlCharacter, "no control character in a string"),
            (oddities.quote, FaultKind::Quote, "a backslash before a quote in a string"),
            (oddities.escape, FaultKind::Escape, "a valid escape sequence"),
            (oddities.surrogate.or(oddities.encoding), FaultKind::Encoding, "valid UTF-8"),
        ];
        for (at, kind, expected) in notes {
            if let Some(at) = at {
                self.note(kind, start + at, expected);
            }
        }
        self.repaired.text.push(b'"');
        if oddities == Oddities::default() {
            self.repaired.text.extend_from_slice(text);
        } else {
            write_odd(text, oddities.backslashes, &mut self.repaired.text);
        }
        self.repaired.text.push(b'"');
        self.at = quote + 1;
    }
}

/// The first key of an object, without unescaping.
pub(crate) fn first_key(object: &[u8]) -> Option<&[u8]> {
    let rest = object.strip_prefix(b"{")?.trim_ascii_start().strip_prefix(b"\"")?;
    rest.iter().position(|byte| *byte == b'"').map(|end| &rest[..end])
}

/// The first position of each kind of fault in a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Oddities {
    control: Option<usize>,
    quote: Option<usize>,
    escape: Option<usize>,
    surrogate: Option<usize>,
    encoding: Option<usize>,
    /// Whether its writer escaped nothing, so that a backslash stands for itself, as in a Windows path.
    backslashes: bool,
}

impl Oddities {
    fn of(text: &[u8]) -> Self {
        let mut found =
            Self { encoding: std::str::from_utf8(text).err().map(|error| error.valid_up_to()), ..Self::default() };
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            match byte {
                0..0x20 => {
                    found.control.get_or_insert(at);
                }
                b'"' => {
                    found.quote.get_or_insert(at);
                }
                b'\\' => {
                    if let Some(end) = escape_end(text, at) {
                        at = end;
                        continue;
                    }
                    if text.get(at + 1) == Some(&b'u') && hex4(text, at + 2).is_some() {
                        found.surrogate.get_or_insert(at);
                        at += 6;
                        continue;
                    }
                    found.escape.get_or_insert(at);
                    // Some writers escape the apostrophe as well, and everything else properly.
                    found.backslashes |= text.get(at + 1) != Some(&b'\'');
                }
                _ => {}
            }
            at += 1;
        }
        found
    }
}

/// Writes a text so that each character stands for itself.
fn write_odd(text: &[u8], backslashes: bool, out: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(text);
    let text = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let next = text.get(at + 1);
        match byte {
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => out.extend_from_slice(format!("\\u{byte:04x}").as_bytes()),
            b'"' => out.extend_from_slice(b"\\\""),
            b'\\' => match escape_end(text, at) {
                Some(end) if !backslashes || matches!(next, Some(b'"' | b'u')) => {
                    out.extend_from_slice(&text[at..end]);
                    at = end;
                    continue;
                }
                None if next == Some(&b'u') && hex4(text, at + 2).is_some() => {
                    out.extend_from_slice("\u{fffd}".as_bytes());
                    at += 6;
                    continue;
                }
                _ => out.extend_from_slice(b"\\\\"),
            },
            _ => out.push(*byte),
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &[u8]) -> String {
        let mut out = vec![b'"'];
        write_odd(text, Oddities::of(text).backslashes, &mut out);
        out.push(b'"');
        serde_json::from_slice(&out).unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&out)))
    }

    #[test]
    fn texts_stand_for_themselves() {
        let cases: [(&[u8], &str); 14] = [
            (b"a\tb\nc\rd\x00e\x1f", "a\tb\nc\rd\0e\u{1f}"),
            (b"a \"quoted\" name", "a \"quoted\" name"),
            (b"C:\\new\\x", "C:\\new\\x"),
            (b"C:\\users\\table", "C:\\users\\table"),
            (b"\\\\server\\share\\x", "\\\\server\\share\\x"),
            (b"it\\'s\\n", "it\\'s\n"),
            (b"say \\\"C:\\x\\\"", "say \"C:\\x\""),
            (b"\\u540d\\q", "\u{540d}\\q"),
            (b"ends in \\", "ends in \\"),
            (b"\\u12", "\\u12"),
            (b"half \\ud83d!", "half \u{fffd}!"),
            (b"half \\ude00\\n", "half \u{fffd}\n"),
            (b"caf\xe9", "caf\u{fffd}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
        ];
        for (text, expected) in cases {
            assert_eq!(written(text), expected, "{}", String::from_utf8_lossy(text));
        }
    }
}
