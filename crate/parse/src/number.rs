//! Numbers in the text, eight digits at a time.

use std::num::NonZeroUsize;

use super::decimal::{Decimal, parse_exponent};
use crate::wrong::Wrong;

/// Eight bytes with digits turned into their values; other bytes become ten or more.
#[inline]
fn values(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes) ^ 0x3030_3030_3030_3030
}

/// The number of leading digits in eight bytes.
#[inline]
fn count_digits(bytes: [u8; 8]) -> usize {
    let values = values(bytes);
    // The high bit of each byte that is ten or more. A carry reaches only bytes after the first such byte.
    let others = (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    (others.trailing_zeros() / 8) as usize
}

/// The leading digits of eight bytes: their value and number.
#[inline]
fn leading_digits(bytes: [u8; 8]) -> (u64, usize) {
    let count = count_digits(bytes);
    if count == 0 {
        return (0, 0);
    }
    // Shifts the digits to the end, with leading zeros; then combines pairs, fours and all eight at once.
    let digits = values(bytes) << (64 - 8 * count);
    let pairs = (digits & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(2561) >> 8;
    let fours = (pairs & 0x00ff_00ff_00ff_00ff).wrapping_mul(6_553_601) >> 16;
    let eight = (fours & 0x0000_ffff_0000_ffff).wrapping_mul(42_949_672_960_001) >> 32;
    (eight, count)
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

#[inline]
fn eight_bytes(buffer: &[u8], at: usize) -> [u8; 8] {
    buffer.get(at..).and_then(<[u8]>::first_chunk).copied().unwrap_or_default()
}

/// Adds the digits from `at` on to a value, which may overflow; returns the position after them.
#[inline]
fn digits(buffer: &[u8], mut at: usize, value: &mut u64) -> usize {
    loop {
        let (some, count) = leading_digits(eight_bytes(buffer, at));
        *value = value.wrapping_mul(POWERS[count]).wrapping_add(some);
        at += count;
        if count < 8 {
            return at;
        }
    }
}

/// Scans a number and computes its value; returns the position after it.
#[inline]
pub(super) fn parse_number(
    buffer: &[u8],
    start: usize,
    number: &mut Decimal,
    wrong: &mut Wrong,
) -> Option<NonZeroUsize> {
    let negative = buffer[start] == b'-';
    let first = start + usize::from(negative);
    let mut mantissa = 0;
    let mut at = digits(buffer, first, &mut mantissa);
    let mut count = at - first;
    if count == 0 || (buffer[first] == b'0' && count > 1) {
        return wrong.fail(first, "a number");
    }
    let mut exponent = 0;
    if buffer[at] == b'.' {
        let point = at;
        at = digits(buffer, point + 1, &mut mantissa);
        let decimals = at - point - 1;
        if decimals == 0 {
            return wrong.fail(at, "a digit behind the decimal point");
        }
        count += decimals;
        exponent = -i32::try_from(decimals).unwrap_or(i32::MAX);
    }
    if count > 19 || matches!(buffer[at], b'e' | b'E') {
        return unusual_number(buffer, start, at, number, wrong);
    }
    *number = Decimal { mantissa, exponent, negative, cut: false };
    NonZeroUsize::new(at)
}

/// Checks a number; returns the position after it.
#[inline]
pub(super) fn skip_number(buffer: &[u8], start: usize, wrong: &mut Wrong) -> Option<NonZeroUsize> {
    // Most are short integers, for which a check of their end suffices.
    let count = count_digits(eight_bytes(buffer, start));
    let end = start + count;
    if (1..8).contains(&count) && (buffer[start] != b'0' || count == 1) && !matches!(buffer[end], b'.' | b'e' | b'E') {
        return NonZeroUsize::new(end);
    }
    parse_number(buffer, start, &mut Decimal::default(), wrong)
}

/// A number with an exponent or very many digits; `at` is after the digits.
#[cold]
fn unusual_number(
    buffer: &[u8],
    start: usize,
    mut at: usize,
    number: &mut Decimal,
    wrong: &mut Wrong,
) -> Option<NonZeroUsize> {
    if matches!(buffer[at], b'e' | b'E') {
        at += 1;
        let exponent = at;
        at += usize::from(matches!(buffer[at], b'+' | b'-'));
        while buffer[at].is_ascii_digit() {
            at += 1;
        }
        let text = std::str::from_utf8(&buffer[exponent..at]).unwrap_or_default();
        if parse_exponent(text).is_none() {
            return wrong.fail(at, "a digit in the exponent");
        }
    }
    match Decimal::parse(&buffer[start..at]) {
        // serde_json rejects numbers that do not fit into a double.
        Some(value) if value.to_f64().is_finite() => *number = value,
        _ => return wrong.fail(start, "a number in range"),
    }
    NonZeroUsize::new(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_count() {
        for text in ["", "7", "42", "123", "9999", "10000", "654321", "7654321", "87654321", "98765432"] {
            for behind in [",", ".", "}", " ", "e", "\0", "\u{ff}", "/", ":"] {
                let mut bytes = [0; 8];
                let whole: Vec<u8> = text.bytes().chain(behind.bytes()).take(8).collect();
                bytes[..whole.len()].copy_from_slice(&whole);
                let expected = text.parse().unwrap_or_default();
                assert_eq!(leading_digits(bytes), (expected, text.len()), "{text}{behind}");
            }
        }
    }

    #[test]
    fn numbers_as_json_has_them() {
        let parse = |text: &str| {
            let mut buffer = text.as_bytes().to_vec();
            buffer.extend([0; 64]);
            let mut number = Decimal::default();
            let end = parse_number(&buffer, 0, &mut number, &mut Wrong::default());
            end.map(|end| (end.get(), number.mantissa, number.exponent, number.negative))
        };
        assert_eq!(parse("4458676522690.655,"), Some((17, 4_458_676_522_690_655, -3, false)));
        assert_eq!(parse("-0}"), Some((2, 0, 0, true)));
        assert_eq!(parse("1234567890123456789 "), Some((19, 1_234_567_890_123_456_789, 0, false)));
        assert_eq!(parse("18446744073709551615,"), Some((20, u64::MAX, 0, false)));
        assert_eq!(parse("1.5e3]"), Some((5, 15, 2, false)));
        for text in ["01", "-", "1.", ".5", "1.e2", "1e", "1e+", "1e999", "+1", "x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
