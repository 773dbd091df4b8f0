//! Values without quotes: words, and numbers that are not in JSON's form.

use super::machine::{Machine, Step, Stop};
use crate::decimal::Decimal;
use crate::fault::FaultKind;
use crate::number::parse_number;
use crate::scanner::PADDING;
use crate::wrong::Wrong;

/// The longest word.
const LONGEST_WORD: usize = 400;

/// The meaning of a value without quotes.
#[derive(Debug, PartialEq, Eq)]
enum Bare {
    /// Valid JSON.
    Valid,
    /// A number, converted to JSON.
    Number(String),
    /// A word of JSON.
    Constant(&'static str),
    /// Anything else, which becomes a text.
    Text,
}

impl Machine<'_> {
    /// Reads a value that starts like neither a string nor a container.
    pub(super) fn bare(&mut self) -> Step<()> {
        let rest = &self.text[self.at..];
        let is_end = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"+-._#/()%".contains(byte);
        let Some(len) = rest.iter().take(LONGEST_WORD).position(is_end) else {
            return if rest.len() < LONGEST_WORD { self.end_of_text() } else { Err(Stop::Failed) };
        };
        let word = &rest[..len];
        if word.first().is_none_or(|first| b"/()%".contains(first)) {
            return Err(Stop::Failed);
        }
        let (kind, expected) = match classify(word) {
            Bare::Valid => {
                self.copy(len);
                return Ok(());
            }
            Bare::Number(text) => {
                self.write(text.as_bytes());
                (FaultKind::Number, "a number as JSON has it")
            }
            Bare::Constant(text) => {
                self.write(text.as_bytes());
                (FaultKind::Word, "a value")
            }
            Bare::Text => {
                self.write(b"\"");
                self.write(word);
                self.write(b"\"");
                (FaultKind::Word, "a value")
            }
        };
        self.note(kind, self.at, expected);
        self.at += len;
        self.work += len;
        Ok(())
    }
}

fn classify(word: &[u8]) -> Bare {
    if matches!(word, b"true" | b"false" | b"null") || is_number(word) {
        return Bare::Valid;
    }
    let lower = word.to_ascii_lowercase();
    let unsigned = lower.strip_prefix(b"-").or_else(|| lower.strip_prefix(b"+")).unwrap_or(&lower);
    match unsigned {
        b"true" => return Bare::Constant("true"),
        b"false" => return Bare::Constant("false"),
        b"nan" | b"inf" | b"infinity" | b"n/a" | b"na" | b"#n/a" | b"none" | b"nil" | b"null" | b"undefined" | b"-"
        | b"" => return Bare::Constant("null"),
        // NaN and infinity, as the C runtimes of Windows and others print them: 1.#INF, 1.#QNAN, nan(ind).
        _ if unsigned.starts_with(b"nan(") || unsigned.starts_with(b"1.#") => return Bare::Constant("null"),
        _ => {}
    }
    let negative = lower.starts_with(b"-");
    match hexadecimal(unsigned).or_else(|| decimal(unsigned)) {
        Some(digits) => {
            let number = if negative { format!("-{digits}") } else { digits };
            // Readers take numbers that exceed a double as infinite.
            if is_number(number.as_bytes()) { Bare::Number(number) } else { Bare::Constant("null") }
        }
        None => Bare::Text,
    }
}

/// Whether the text is a JSON number that fits into a double.
fn is_number(text: &[u8]) -> bool {
    if !matches!(text.first(), Some(b'-' | b'0'..=b'9')) {
        return false;
    }
    let padded = [text, &[0; PADDING]].concat();
    let end = parse_number(&padded, 0, &mut Decimal::default(), &mut Wrong::default());
    end.is_some_and(|end| end.get() == text.len())
}

fn hexadecimal(text: &[u8]) -> Option<String> {
    let digits = std::str::from_utf8(text.strip_prefix(b"0x")?).ok()?;
    let sound = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    sound.then(|| u128::from_str_radix(digits, 16).ok()).flatten().map(|value| value.to_string())
}

/// A decimal number without a sign: removes leading zeros, adds missing digits around the point.
fn decimal(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let (mantissa, exponent) = text.split_once('e').map_or((text, None), |(mantissa, rest)| (mantissa, Some(rest)));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.len() + fraction.len() == 0 {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let mut number = if whole.is_empty() { "0".to_owned() } else { whole.to_owned() };
    if !fraction.is_empty() {
        number.push('.');
        number.push_str(fraction);
    }
    if let Some(exponent) = exponent {
        let unsigned = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
        if unsigned.is_empty() || !digits(unsigned) {
            return None;
        }
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_json_does_not_write() {
        let cases = [
            ("+1", "1"),
            ("-.5", "-0.5"),
            (".5", "0.5"),
            ("1.", "1"),
            ("007", "7"),
            ("-007.50", "-7.50"),
            ("00", "0"),
            ("0x1F", "31"),
            ("-0xff", "-255"),
            ("0xffffffffffffffff", "18446744073709551615"),
            ("1.e3", "1e3"),
            ("01E+05", "1e+05"),
        ];
        for (word, number) in cases {
            assert_eq!(classify(word.as_bytes()), Bare::Number(number.into()), "{word}");
        }
        for word in ["0", "-0", "12.50", "1e5", "1E-05", "true", "false", "null"] {
            assert_eq!(classify(word.as_bytes()), Bare::Valid, "{word}");
        }
    }

    #[test]
    fn words_that_json_does_not_have() {
        let absent = [
            "NaN",
            "nan",
            "-nan",
            "-nan(ind)",
            "Infinity",
            "-Infinity",
            "+inf",
            "INF",
            "N/A",
            "n/a",
            "undefined",
            "None",
            "NULL",
            "1.#INF",
            "-1.#IND",
            "1.#QNAN",
            "1e999",
            "-1e400",
            "-",
            "+",
        ];
        for word in absent {
            assert_eq!(classify(word.as_bytes()), Bare::Constant("null"), "{word}");
        }
        assert_eq!(classify(b"True"), Bare::Constant("true"));
        assert_eq!(classify(b"False"), Bare::Constant("false"));
        for word in ["1.2.3", "12x4", "0x", "0xg", "1e", "e5", ".", "word", "2024-01-01"] {
            assert_eq!(classify(word.as_bytes()), Bare::Text, "{word}");
        }
    }
}
