//! The time base of Paddle's exports.
//!
//! A slice has `ts` (since 1970, cut to whole µs). Among its arguments are `start_time` and `end_time` (µs with three
//! decimals since the first event, through a 32-bit float). The latter are used as the times, since rounding never
//! swaps two times, so that nesting is kept.
//!
//! They are exact to the nanosecond within 16 ms of the first event. From then on their resolution halves as time
//! doubles: 4 ns at 60 ms, 62 ns at 1 s, 1 µs beyond 8.4 s. The last one gives a warning.
//!
//! Their zero is placed by the first slice, `ts` − `start_time`, up to 1 µs too early, since `ts` is cut. No slice's
//! `ts` may be later than its start: the slices of the first 16 ms give the error from that, mostly to a few ns. The
//! trace's absolute time is corrected by it.

use stepscope_base::Nanos;
use stepscope_parse::{Decimal, Value};

/// Times before this are exact in a 32-bit float of µs with three decimals.
const EXACT: i64 = 16_384_000;

/// From this time on, a 32-bit float of µs has no fractions.
pub(super) const COARSE: Nanos = Nanos(8_388_608_000);

/// Relates the times of slices to those of all other events.
#[derive(Debug, Default)]
pub(super) struct Clock {
    /// The zero of the slices' own times, by the first slice.
    zero: Option<Nanos>,
    /// The smallest possible error of that zero.
    late: Nanos,
}

impl Clock {
    /// Start and end of a slice on the clock of `ts`; the slice starts at `cut` or up to 1 µs later.
    pub(super) fn place(&mut self, cut: Option<Nanos>, start: Nanos, end: Nanos) -> (Nanos, Nanos) {
        let zero = *self.zero.get_or_insert_with(|| cut.unwrap_or_default() - start);
        if let Some(cut) = cut.filter(|_| (0..EXACT).contains(&start.0)) {
            // An invalid `ts` must not move all other times.
            let late = cut - start - zero;
            self.late = if (0..1_000).contains(&late.0) { self.late.max(late) } else { self.late };
        }
        (zero + start, zero + end)
    }

    /// An event's `ts`, if it has no other time, on the slices' clock.
    pub(super) fn moment(&self, cut: Nanos) -> Nanos {
        cut - self.late
    }

    /// The correction of the trace's absolute time; none if times do not count from 1970.
    pub(super) fn late(&self) -> Option<Nanos> {
        const YEAR_2001: Nanos = Nanos(978_307_200_000_000_000);
        self.zero.filter(|zero| *zero >= YEAR_2001).map(|_| self.late)
    }
}

/// A time such as `12.345 us`.
pub(super) fn micros(value: Value<'_>) -> Option<Nanos> {
    let Value::Text(text) = value else { return None };
    let text = text.bytes();
    let number = Decimal::parse(text.strip_suffix(b" us").unwrap_or(&text))?;
    number.nanos_from_micros().map(|(nanos, _)| nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zero_is_found_to_what_the_cut_times_tell() {
        // The first event starts at 5000.700 µs: its `ts` is 5000.
        let mut clock = Clock::default();
        let micros = |micros: i64| Some(Nanos(micros * 1000));
        assert_eq!(clock.place(micros(5000), Nanos(0), Nanos(90)), (Nanos(5_000_000), Nanos(5_000_090)));
        // At 5002.000 µs: zero is at 5000.700 or later.
        clock.place(micros(5002), Nanos(1_300), Nanos(1_400));
        assert_eq!(clock.late, Nanos(700));
        // These give a smaller bound or none: a later start, one beyond the exact range, and an invalid one.
        clock.place(micros(5003), Nanos(3_000), Nanos(3_500));
        clock.place(micros(25_001), Nanos(20_000_100), Nanos(20_000_200));
        clock.place(micros(9000), Nanos(5_000), Nanos(5_500));
        assert_eq!(clock.late, Nanos(700));
        assert_eq!(clock.moment(Nanos(5_002_000)), Nanos(5_001_300), "a moment at the second slice's start");
        assert_eq!(clock.late(), None, "this clock does not count from 1970");
    }
}
