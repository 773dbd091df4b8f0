//! Thresholds of launches and idle times.

use clap::Args;
use stepscope::Nanos;
use stepscope::analyze::{IdleConfig, LaunchesConfig};

/// What is slow, late or long. A time is a number and a unit: `50us`, `0.5ms`, `1s`, `800ns`.
#[derive(Debug, Args)]
pub(crate) struct IdleOptions {
    /// A launching call that takes longer is slow [default: 50us].
    #[arg(long, value_name = "TIME", value_parser = time)]
    slow_call: Option<Nanos>,
    /// A launch is late whose first activity starts longer after the call's end [default: 100us].
    #[arg(long, value_name = "TIME", value_parser = time)]
    late: Option<Nanos>,
    /// A gap before something that had been launched in time is a kernel wait if it is shorter [default: 30us].
    #[arg(long, value_name = "TIME", value_parser = time)]
    kernel_wait: Option<Nanos>,
    /// A gap of a whole device is long if it is longer [default: 30us].
    #[arg(long, value_name = "TIME", value_parser = time)]
    long_gap: Option<Nanos>,
}

impl IdleOptions {
    /// Which launches are too long.
    pub(crate) fn launches(&self) -> LaunchesConfig {
        let usual = LaunchesConfig::standard();
        LaunchesConfig { slow: self.slow_call.unwrap_or(usual.slow), late: self.late.unwrap_or(usual.late), ..usual }
    }

    /// What separates the classes of idle time, and which gaps are listed.
    pub(crate) fn idle(&self) -> IdleConfig {
        let usual = IdleConfig::standard();
        IdleConfig {
            kernel_wait: self.kernel_wait.unwrap_or(usual.kernel_wait),
            long_gap: self.long_gap.unwrap_or(usual.long_gap),
            ..usual
        }
    }
}

/// A length of time: a number with up to nine decimals, and a unit.
fn time(text: &str) -> Result<Nanos, String> {
    const UNITS: [(&str, u32); 5] = [("ns", 0), ("us", 3), ("µs", 3), ("ms", 6), ("s", 9)];
    let says = || format!("`{text}` is no time such as 50us, 0.5ms or 1s");
    let unit_at = text.find(|character: char| !character.is_ascii_digit() && character != '.').ok_or_else(says)?;
    let (number, unit) = text.split_at(unit_at);
    let (_, zeros) = UNITS.iter().find(|(name, _)| *name == unit.trim()).ok_or_else(says)?;
    let (whole, decimals) = number.split_once('.').unwrap_or((number, ""));
    let places = *zeros as usize;
    if whole.is_empty() || decimals.len() > places {
        return Err(says());
    }
    format!("{whole}{decimals:0<places$}").parse().map(Nanos).map_err(|_| says())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_exact() {
        let good = [("50us", 50_000), ("0.5ms", 500_000), ("1s", 1_000_000_000), ("800ns", 800), ("1.25 µs", 1_250)];
        for (text, nanos) in good {
            assert_eq!(time(text), Ok(Nanos(nanos)), "{text}");
        }
        for bad in ["50", "us", "-1us", "1.5ns", "1.2.3us", "1h", "", "99999999999999999999s", ".5us"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
