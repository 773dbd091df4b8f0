//! Numbers with units, and their comparison with limits.

/// The relation of a value to a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Below,
    AtMost,
    Equal,
    AtLeast,
    Above,
}

/// A condition on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limit {
    pub(super) relation: Relation,
    pub(super) value: i64,
}

impl Limit {
    /// Whether a value satisfies it.
    #[inline]
    pub(super) fn holds(self, value: i64) -> bool {
        match self.relation {
            Relation::Below => value < self.value,
            Relation::AtMost => value <= self.value,
            Relation::Equal => value == self.value,
            Relation::AtLeast => value >= self.value,
            Relation::Above => value > self.value,
        }
    }
}

/// The units of time, in ns.
const TIMES: [(&str, i128); 8] = [
    ("ns", 1),
    ("us", 1_000),
    ("µs", 1_000),
    ("μs", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("m", 60_000_000_000),
    ("min", 60_000_000_000),
];

/// The units of bytes. Without one, it is bytes.
const SIZES: [(&str, i128); 14] = [
    ("", 1),
    ("b", 1),
    ("kb", 1_000),
    ("mb", 1_000_000),
    ("gb", 1_000_000_000),
    ("tb", 1_000_000_000_000),
    ("k", 1_000),
    ("m", 1_000_000),
    ("g", 1_000_000_000),
    ("t", 1_000_000_000_000),
    ("kib", 1 << 10),
    ("mib", 1 << 20),
    ("gib", 1 << 30),
    ("tib", 1 << 40),
];

/// A length of time in ns, such as `1.5ms`.
pub(super) fn time(text: &str) -> Option<i64> {
    quantity(text, &TIMES)
}

/// A number of bytes, such as `1MB` or `64KiB`.
pub(super) fn size(text: &str) -> Option<i64> {
    quantity(text, &SIZES)
}

/// A number with a unit, in the smallest unit; the rest is cut off.
fn quantity(text: &str, units: &[(&str, i128)]) -> Option<i64> {
    let text = text.trim();
    let is_number = |character: char| character.is_ascii_digit() || character == '.';
    let (number, unit) = text.split_at(text.find(|character| !is_number(character)).unwrap_or(text.len()));
    let unit = unit.trim().to_ascii_lowercase();
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, "0"));
    // More decimals than that are finer than a nanosecond of an hour.
    let decimals = decimals.get(..decimals.len().min(15))?;
    let power = 10_i128.pow(u32::try_from(decimals.len()).ok()?);
    let digits = |text: &str| text.parse::<u64>().ok().map(i128::from);
    let value = digits(whole)?.checked_mul(*factor)? + digits(decimals)? * factor / power;
    i64::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_exactly() {
        let times = [("1ms", 1_000_000), ("0.1 us", 100), ("2.5µs", 2_500), ("3s", 3_000_000_000), ("1.0009us", 1_000)];
        for (text, nanos) in times {
            assert_eq!(time(text), Some(nanos), "{text}");
        }
        for (text, bytes) in [("7", 7), ("1MB", 1_000_000), ("1.5KiB", 1536), ("2g", 2_000_000_000), ("0b", 0)] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for bad in ["", "5", "ms", ".5ms", "1.ms", "1.2.3ms", "-1ms", "1h", "99999999999999999s", "9999999999s1"] {
            assert_eq!(time(bad), None, "{bad}");
        }
        assert_eq!(size("9999999999TB"), None);
    }
}
