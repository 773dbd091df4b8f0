//! Numbers with about five digits and a unit.

use super::TimeUnit;
use stepscope_base::Nanos;

/// The unit of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// A unit of time.
    Time(TimeUnit),
    /// Bytes, times a power of 1024.
    Bytes(u32),
}

const BYTES: [&str; 4] = ["B", "KB", "MB", "GB"];

impl Unit {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Time(unit) => unit.symbol(),
            Self::Bytes(power) => BYTES[power.min(3) as usize],
        }
    }

    /// An amount of nanoseconds or bytes in this unit.
    pub(super) fn of(self, amount: f64) -> f64 {
        match self {
            Self::Time(unit) => amount / unit.nanos(),
            Self::Bytes(power) => amount / 1024_f64.powi(power.min(3).cast_signed()),
        }
    }

    /// The largest unit in which the smallest of some amounts is at least one.
    pub(super) fn of_times(times: impl Iterator<Item = Nanos>) -> Self {
        let least = times.filter(|time| time.0 > 0).map(|time| time.0).min().unwrap_or(1);
        let fits = |unit: &TimeUnit| {
            #[expect(clippy::cast_precision_loss, reason = "compared with powers of ten")]
            let least = least as f64;
            least >= unit.nanos()
        };
        Self::Time(TimeUnit::ALL.into_iter().find(fits).unwrap_or(TimeUnit::Nanoseconds))
    }
}

/// A number with four decimals below ten, three below a hundred, else two; `more` decimals are added.
fn digits(value: f64, more: usize) -> String {
    let decimals = match value.abs() {
        size if size < 10.0 => 4,
        size if size < 100.0 => 3,
        _ => 2,
    };
    format!("{value:.*}", decimals + more)
}

/// A time: `302ns`, `12.639us`, `1.9261ms`, `3.16810s`.
pub(super) fn time(time: Nanos, unit: Option<TimeUnit>) -> String {
    #[expect(clippy::cast_precision_loss, reason = "five digits are shown")]
    let nanos = time.0 as f64;
    let fits = |unit: &TimeUnit| nanos >= unit.nanos();
    let unit = unit.or_else(|| TimeUnit::ALL.into_iter().find(fits)).unwrap_or(TimeUnit::Nanoseconds);
    match unit {
        TimeUnit::Nanoseconds => format!("{}ns", time.0),
        _ => format!("{}{}", digits(nanos / unit.nanos(), usize::from(unit == TimeUnit::Seconds)), unit.symbol()),
    }
}

/// Bytes in powers of 1024: `0B`, `256.00KB`, `762.94MB`.
#[expect(clippy::cast_precision_loss, reason = "five digits are shown")]
pub(super) fn bytes(count: u64) -> String {
    let power = (1..4).rev().find(|power| count >= 1 << (10 * power)).unwrap_or(0);
    if power == 0 {
        return format!("{count}B");
    }
    let unit = Unit::Bytes(power);
    format!("{}{}", digits(unit.of(count as f64), 0), unit.symbol())
}

/// Bytes per second in powers of 1024: `9.3842GB/s`; none without time.
pub(super) fn throughput(bytes: u64, length: Nanos) -> Option<String> {
    let rate = gigabytes_per_second(bytes, length)?;
    Some(format!("{}GB/s", digits(rate, 0)))
}

/// The throughput as a number of GB/s.
#[expect(clippy::cast_precision_loss, reason = "five digits are shown")]
pub(super) fn gigabytes_per_second(bytes: u64, length: Nanos) -> Option<f64> {
    (length > Nanos::ZERO).then(|| bytes as f64 / length.0 as f64 * 1e9 / 1024_f64.powi(3))
}
