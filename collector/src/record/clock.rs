//! The recording's clock.

use std::time::Duration;

use stepscope_format::raw::{self, Anchor};

use super::system;

/// Source of times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// `CLOCK_MONOTONIC`: the same for all processes of a machine; some 20 ns a read.
    #[default]
    Monotonic,
    /// The processor's counter, some 10 ns a read: only where the kernel itself keeps time by it, else as
    /// [`Monotonic`](Self::Monotonic).
    Counter,
}

/// A clock that is running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clock {
    Monotonic,
    /// With its nominal ticks a second.
    Counter(u64),
}

impl Clock {
    /// Starts one; measures a counter's speed for 5 ms.
    pub(crate) fn start(source: ClockSource) -> Self {
        if source == ClockSource::Monotonic || !counter_is_steady() {
            return Self::Monotonic;
        }
        let (ticks, begin) = (system::counter(), system::monotonic());
        std::thread::sleep(Duration::from_millis(5));
        let (ticks, ns) = (system::counter().wrapping_sub(ticks), system::monotonic() - begin);
        match u64::try_from(u128::from(ticks) * 1_000_000_000 / u128::from(ns.max(1))) {
            Ok(nominal) if nominal > 0 => Self::Counter(nominal),
            _ => Self::Monotonic,
        }
    }

    /// The time now.
    #[inline]
    pub(crate) fn now(self) -> u64 {
        match self {
            Self::Monotonic => system::monotonic(),
            Self::Counter(_) => system::counter(),
        }
    }

    /// Its word in a recording's header.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Monotonic => 0,
            Self::Counter(nominal) => nominal,
        }
    }

    /// This moment on all clocks.
    pub(crate) fn anchor(self) -> Anchor {
        let (clock, monotonic) = match self {
            Self::Monotonic => {
                let now = system::monotonic();
                (now, now)
            }
            Self::Counter(_) => (system::counter(), system::monotonic()),
        };
        Anchor { clock, monotonic, realtime: system::realtime() }
    }

    /// The clock as readers see it, for a recording that began at that moment.
    pub(crate) fn as_read(self, begin: Anchor) -> raw::Clock {
        match self {
            Self::Monotonic => raw::Clock::Monotonic,
            Self::Counter(nominal) => raw::Clock::Counter { first: begin, last: self.anchor(), nominal },
        }
    }
}

/// Whether the processor's counter runs evenly and alike on all cores: the kernel knows.
fn counter_is_steady() -> bool {
    if cfg!(target_arch = "aarch64") {
        return true;
    }
    let source = std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    cfg!(target_arch = "x86_64") && source.is_ok_and(|source| source.trim() == "tsc")
}
