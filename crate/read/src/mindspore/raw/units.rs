//! Units of time in raw files.

use stepscope_parse::Decimal;

/// From nanoseconds to microseconds.
pub(super) const NANOSECONDS: i32 = -3;

/// From milliseconds to microseconds.
pub(super) const MILLISECONDS: i32 = 3;

/// A time in another unit than microseconds, as microseconds.
pub(super) fn scaled(time: Decimal, exponent: i32) -> Decimal {
    Decimal { exponent: time.exponent.saturating_add(exponent), ..time }
}
