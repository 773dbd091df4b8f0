//! Thresholds of launches and idle times.

use clap::Args;
use stepscope::Nanos;
use stepscope::analyze::{IdleConfig, LaunchesConfig};
use stepscope::present::text::parse_duration;

/// Thresholds of slow, late and long. A time is a number and a unit: `50us`, `0.5ms`, `1s`, `800ns`.
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
    /// Whether any is given.
    pub(crate) fn is_given(&self) -> bool {
        [self.slow_call, self.late, self.kernel_wait, self.long_gap].iter().any(Option::is_some)
    }

    /// Thresholds of launches.
    pub(crate) fn launches(&self) -> LaunchesConfig {
        let usual = LaunchesConfig::standard();
        LaunchesConfig { slow: self.slow_call.unwrap_or(usual.slow), late: self.late.unwrap_or(usual.late), ..usual }
    }

    /// Thresholds of the classes of idle time and of listed gaps.
    pub(crate) fn idle(&self) -> IdleConfig {
        let usual = IdleConfig::standard();
        IdleConfig {
            kernel_wait: self.kernel_wait.unwrap_or(usual.kernel_wait),
            long_gap: self.long_gap.unwrap_or(usual.long_gap),
            ..usual
        }
    }
}

fn time(text: &str) -> Result<Nanos, String> {
    parse_duration(text).ok_or_else(|| format!("`{text}` is no time such as 50us, 0.5ms or 1s"))
}
