//! Decimal numbers, kept exactly as written until their unit is known.

use stepscope_base::Nanos;

/// The number `(-1)^negative × mantissa × 10^exponent`.
///
/// Exact for numbers of profilers: at most 19 significant digits. Longer ones are cut (see `cut`), which is an error
/// below one part in 10^18.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Decimal {
    /// The significant digits.
    pub mantissa: u64,
    /// The power of ten by which they are multiplied.
    pub exponent: i32,
    /// Whether the number has a minus sign.
    pub negative: bool,
    /// Whether digits other than zero were cut.
    pub cut: bool,
}

/// Decimals of a nanosecond that are kept: sums of two such numbers round to the right nanosecond.
const FINE: i32 = 9;

impl Decimal {
    /// Reads a decimal number that is all of `text`: JSON's grammar, and a leading `+` or zeros.
    ///
    /// For numbers that profilers write as strings. `None` for anything else.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let (negative, digits) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            _ => (false, text),
        };
        let mut number = Self { negative, ..Self::default() };
        let mut at = 0;
        let mut any = false;
        let mut after_point = false;
        while let Some(byte) = digits.get(at) {
            match byte {
                b'0'..=b'9' => {
                    any = true;
                    number.push_digit(byte - b'0', after_point);
                }
                b'.' if !after_point => after_point = true,
                _ => break,
            }
            at += 1;
        }
        if !any {
            return None;
        }
        match digits.get(at) {
            None => Some(number),
            Some(b'e' | b'E') => {
                let text = std::str::from_utf8(&digits[at + 1..]).ok()?;
                number.exponent = number.exponent.saturating_add(parse_exponent(text)?);
                Some(number)
            }
            Some(_) => None,
        }
    }

    /// Appends one digit, before or after the decimal point.
    #[inline]
    pub(super) fn push_digit(&mut self, digit: u8, after_point: bool) {
        match self.mantissa.checked_mul(10).and_then(|tens| tens.checked_add(u64::from(digit))) {
            Some(mantissa) if !self.cut => {
                self.mantissa = mantissa;
                self.exponent = self.exponent.saturating_sub(i32::from(after_point));
            }
            _ => {
                self.cut = true;
                self.exponent = self.exponent.saturating_add(i32::from(!after_point));
            }
        }
    }

    /// The number, if it is an integer that fits.
    #[must_use]
    #[inline]
    pub fn to_i64(self) -> Option<i64> {
        if self.exponent == 0 && !self.cut && self.mantissa <= 1 << 62 {
            #[expect(clippy::cast_possible_wrap, reason = "half of what 64 bits hold")]
            let magnitude = self.mantissa as i64;
            return Some(if self.negative { -magnitude } else { magnitude });
        }
        self.unusual_i64()
    }

    #[cold]
    fn unusual_i64(self) -> Option<i64> {
        let magnitude = self.scaled(0)?;
        let exact = !self.cut
            && (self.exponent >= 0
                || magnitude.checked_mul(10_i128.checked_pow(self.exponent.unsigned_abs())?)?
                    == i128::from(self.mantissa));
        let value = if self.negative { -magnitude } else { magnitude };
        exact.then(|| i64::try_from(value).ok()).flatten()
    }

    /// The number, if it is an unsigned integer that fits.
    #[must_use]
    #[inline]
    pub fn to_u64(self) -> Option<u64> {
        if self.exponent == 0 && !self.cut && (!self.negative || self.mantissa == 0) {
            return Some(self.mantissa);
        }
        self.to_i64().and_then(|value| u64::try_from(value).ok())
    }

    /// The nearest double.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "exact below 2^53, and else the text is parsed")]
    pub fn to_f64(self) -> f64 {
        const EXACT: u64 = 1 << 53;
        let magnitude = if !self.cut && self.mantissa <= EXACT && (-22..=22).contains(&self.exponent) {
            // Both operands are exact, so that the single rounding is right (Clinger's fast path).
            let power = POWERS[usize::try_from(self.exponent.unsigned_abs()).unwrap_or_default()];
            if self.exponent < 0 { self.mantissa as f64 / power } else { self.mantissa as f64 * power }
        } else {
            format!("{}e{}", self.mantissa, self.exponent).parse().unwrap_or(f64::NAN)
        };
        if self.negative { -magnitude } else { magnitude }
    }

    /// The start and the end of a span written in microseconds as `start` and `duration`.
    ///
    /// Exact to the nanosecond; finer digits round the *ends* to the nearest nanosecond (ties up), so
    /// that rounding never makes nested spans overlap. The flag says whether anything was rounded.
    /// `None` if either end is beyond ± 146 years.
    #[must_use]
    #[inline]
    pub fn span_from_micros(start: Self, duration: Self) -> Option<(Nanos, Nanos, bool)> {
        if let (Some(start), Some(duration)) = (start.whole_nanos(), duration.whole_nanos()) {
            let end = start.checked_add(duration).filter(|end| in_range(*end))?;
            return Some((Nanos(start), Nanos(end), false));
        }
        Self::fine_span(start, duration)
    }

    #[cold]
    fn fine_span(start: Self, duration: Self) -> Option<(Nanos, Nanos, bool)> {
        let cut = start.is_finer_than_fine() || duration.is_finer_than_fine();
        let start = start.fine_nanos()?;
        let end = start.checked_add(duration.fine_nanos()?)?;
        let ((start, start_rounded), (end, end_rounded)) = (round_fine(start)?, round_fine(end)?);
        Some((start, end, start_rounded || end_rounded || cut))
    }

    /// A point in time written in microseconds, and whether it had to be rounded to the nanosecond.
    #[must_use]
    pub fn nanos_from_micros(self) -> Option<(Nanos, bool)> {
        match self.whole_nanos() {
            Some(nanos) => Some((Nanos(nanos), false)),
            None => {
                round_fine(self.fine_nanos()?).map(|(nanos, rounded)| (nanos, rounded || self.is_finer_than_fine()))
            }
        }
    }

    /// Microseconds as nanoseconds, if that is an integer in range.
    #[inline]
    fn whole_nanos(self) -> Option<i64> {
        const TENS: [i64; 4] = [1000, 100, 10, 1];
        let scale = TENS.get(usize::try_from(self.exponent.checked_neg()?).ok()?)?;
        let magnitude = i64::try_from(self.mantissa).ok()?.checked_mul(*scale).filter(|nanos| in_range(*nanos))?;
        (!self.cut).then_some(if self.negative { -magnitude } else { magnitude })
    }

    /// Whether [`fine_nanos`](Self::fine_nanos) cuts digits.
    fn is_finer_than_fine(self) -> bool {
        self.cut || (self.mantissa != 0 && self.exponent < -(3 + FINE))
    }

    /// Microseconds as units of 10^-9 ns, cut beyond that.
    fn fine_nanos(self) -> Option<i128> {
        let magnitude = self.scaled(3 + FINE)?;
        Some(if self.negative { -magnitude } else { magnitude })
    }

    /// `mantissa × 10^(exponent + shift)`, cut to a whole number.
    fn scaled(self, shift: i32) -> Option<i128> {
        let exponent = self.exponent.saturating_add(shift);
        let mantissa = i128::from(self.mantissa);
        if mantissa == 0 {
            return Some(0);
        }
        if exponent >= 0 {
            return mantissa.checked_mul(10_i128.checked_pow(exponent.unsigned_abs())?);
        }
        // 10^20 is more than any mantissa: larger shifts give zero.
        Some(10_i128.checked_pow(exponent.unsigned_abs()).map_or(0, |divisor| mantissa / divisor))
    }
}

/// The exponent of a number, of any length.
pub(super) fn parse_exponent(text: &str) -> Option<i32> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        rest => (false, rest),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude =
        digits.iter().fold(0_i32, |value, digit| value.saturating_mul(10).saturating_add(i32::from(digit - b'0')));
    Some(if negative { -magnitude } else { magnitude })
}

/// Half of the range of 64 bits, so that sums and differences of two times never overflow.
fn in_range(nanos: i64) -> bool {
    nanos.unsigned_abs() <= 1 << 62
}

/// The nearest nanosecond, and whether that differs.
fn round_fine(fine: i128) -> Option<(Nanos, bool)> {
    let unit = 10_i128.pow(FINE.unsigned_abs());
    let nanos = i64::try_from((fine + unit / 2).div_euclid(unit)).ok()?;
    in_range(nanos).then_some((Nanos(nanos), fine % unit != 0))
}

const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).unwrap_or_else(|| panic!("{text} is a number"))
    }

    #[test]
    fn epoch_microseconds_stay_exact() {
        // As an f64, the result would be 21 ns off.
        assert_eq!(micros("1700000000123456.789").nanos_from_micros(), Some((Nanos(1_700_000_000_123_456_789), false)));
        assert_eq!(micros("1661203462598738").nanos_from_micros(), Some((Nanos(1_661_203_462_598_738_000), false)));
        assert_eq!(micros("-12.5").nanos_from_micros(), Some((Nanos(-12_500), false)));
        assert_eq!(micros("00012.500").nanos_from_micros(), Some((Nanos(12_500), false)));
    }

    #[test]
    fn finer_digits_round_the_ends() {
        // viztracer's rounding errors of floats, and JAX's picoseconds.
        let span = Decimal::span_from_micros(micros("100.1239999999"), micros("67.62100028991699"));
        assert_eq!(span, Some((Nanos(100_124), Nanos(167_745), true)));
        assert_eq!(micros("1e-06").nanos_from_micros(), Some((Nanos(0), true)));
        assert_eq!(micros("1.5e3").nanos_from_micros(), Some((Nanos(1_500_000), false)));
    }

    #[test]
    fn absurd_numbers_are_refused() {
        for text in ["1e30", "99999999999999999999", "-1e300", "1e99999999999999"] {
            assert_eq!(micros(text).nanos_from_micros(), None, "{text}");
        }
        for text in ["", "-", ".", "1.2.3", "0x10", "1e", "NaN", "1 "] {
            assert_eq!(Decimal::parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(micros("1e-99999999999999").nanos_from_micros(), Some((Nanos(0), true)));
        // One decimal more than the smallest exponent has: the exponent is the least number of 32 bits.
        assert_eq!(micros("1.5e-99999999999999").nanos_from_micros(), Some((Nanos(0), true)));
        assert_eq!(micros("0e999999999").nanos_from_micros().map(|(nanos, _)| nanos), Some(Nanos(0)));
    }

    #[test]
    fn integers_and_doubles() {
        assert_eq!(micros("18446744073709551615").to_u64(), Some(u64::MAX));
        assert_eq!(micros("-1").to_i64(), Some(-1));
        assert_eq!(micros("-1").to_u64(), None);
        assert_eq!(micros("1.5").to_i64(), None);
        assert_eq!(micros("1.50e1").to_i64(), Some(15));
        assert_eq!(micros("4.740741").to_f64(), 4.740741);
        assert_eq!(micros("0.0004464285714285714").to_f64(), 0.000_446_428_571_428_571_4);
        assert_eq!(micros("-123456789012345678901234567890").to_f64(), -123_456_789_012_345_678_901_234_567_890.0);
    }
}
