//! Numbers with units, as nvprof prints them, parsed exactly without floats.

use stepscope_base::div_half_even;

/// The factors of units.
const TIMES: [(&str, i128); 4] = [("ns", 1), ("us", 1_000), ("ms", 1_000_000), ("s", 1_000_000_000)];
const BYTES: [(&str, i128); 4] = [("B", 1), ("KB", 1 << 10), ("MB", 1 << 20), ("GB", 1 << 30)];

/// Nanoseconds: the number with its unit after it (`1.9261ms`), or with the unit of its column.
pub(super) fn nanos(cell: &str, unit: &str) -> Option<i64> {
    measure(cell, unit, &TIMES)
}

/// Bytes, whose units are powers of 1024.
pub(super) fn bytes(cell: &str, unit: &str) -> Option<i64> {
    measure(cell, unit, &BYTES)
}

fn measure(cell: &str, unit: &str, units: &[(&str, i128)]) -> Option<i64> {
    let (number, own) = split(cell);
    let unit = if own.is_empty() { unit } else { own };
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    scaled(number, *factor)
}

/// A number and the text after it.
fn split(cell: &str) -> (&str, &str) {
    let is_number = |(at, character): (usize, char)| {
        // An exponent belongs to a number only with a sign: `2e+03s`.
        let rest = &cell[at..];
        let exponent = rest.starts_with("e+") || rest.starts_with("e-");
        let sign = matches!(character, '+' | '-') && (at == 0 || cell[..at].ends_with('e'));
        character.is_ascii_digit() || character == '.' || exponent || sign
    };
    let end = cell.char_indices().find(|place| !is_number(*place)).map_or(cell.len(), |(at, _)| at);
    cell.split_at(end)
}

/// A decimal number times a factor, rounded to the nearest whole number.
fn scaled(number: &str, factor: i128) -> Option<i64> {
    let (number, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let exponent: i32 = exponent.parse().ok()?;
    let (negative, digits) = match number.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, number),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + fraction.len() > 25 || (whole.is_empty() && fraction.is_empty()) {
        return None;
    }
    let mantissa = format!("{whole}{fraction}").parse::<i128>().ok()?.checked_mul(factor)?;
    let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
    let power = 10_i128.checked_pow(shift.unsigned_abs())?;
    let value = if shift < 0 { div_half_even(mantissa, power) } else { mantissa.checked_mul(power)? };
    i64::try_from(if negative { -value } else { value }).ok()
}

/// A share from 0 to 1, from a percentage.
pub(super) fn share(cell: &str) -> Option<f64> {
    let digits = cell.trim_end_matches('%');
    let known = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    // Moving the point is exact, dividing is not.
    known.then(|| format!("{digits}e-2").parse().ok()).flatten()
}

/// A whole number.
pub(super) fn whole(cell: &str) -> Option<i64> {
    cell.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_units_are_exact() {
        assert_eq!(nanos("1.9261ms", ""), Some(1_926_100));
        assert_eq!(nanos("302ns", ""), Some(302));
        assert_eq!(nanos("145.00ms", ""), Some(145_000_000));
        assert_eq!(nanos("3.16810s", ""), Some(3_168_100_000));
        assert_eq!(nanos("2e+03s", ""), Some(2_000_000_000_000));
        assert_eq!(nanos("35863.518000", "us"), Some(35_863_518));
        assert_eq!(nanos("0.0015", "us"), Some(2));
        assert_eq!(bytes("256.00KB", ""), Some(262_144));
        assert_eq!(bytes("1.003906", "KB"), Some(1028));
        assert_eq!(bytes("1B", ""), Some(1));
        for wrong in ["", "-", "ms", "1.2.3ms", "1.5", "9e99s", "1e9"] {
            assert_eq!(nanos(wrong, ""), None, "{wrong}");
        }
        assert_eq!((share("27.60%"), share("0.03"), share("%"), share("x%")), (Some(0.276), Some(0.0003), None, None));
    }
}
