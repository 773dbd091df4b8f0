//! Time and memory of this process.

use std::time::Instant;

use serde_json::{Value, json};

/// Measures from its creation on.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Option<f64>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    /// Seconds of the clock and of the processor so far.
    pub(crate) fn read(&self) -> Value {
        let cpu = cpu_seconds().zip(self.cpu).map(|(now, then)| now - then);
        json!({"wall_s": self.wall.elapsed().as_secs_f64(), "cpu_s": cpu})
    }
}

/// Seconds that this thread, the only one, has run.
pub(crate) fn cpu_seconds() -> Option<f64> {
    // Linux updates them with each tick of its scheduler, and when it is asked to schedule.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    let nanos: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanos / 1e9)
}

/// The peak memory of this process, in bytes.
pub(crate) fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes << 10)
}
