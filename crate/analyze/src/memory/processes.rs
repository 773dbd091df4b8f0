//! The host's memory by process, from counters.

use super::config::MemoryConfig;
use super::curve::{MemoryCurve, MemoryPoint, curve};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{Counter, Trace};

/// The memory of a process in that of the host.
#[derive(Clone, Debug, PartialEq)]
pub struct ProcessMemory {
    /// The counter, by its index in the trace.
    pub counter: usize,
    /// The first value in bytes.
    pub first: i64,
    /// The last value.
    pub last: i64,
    /// The largest value.
    pub peak: i64,
    /// The first time of the peak.
    pub peak_at: Nanos,
    /// The values over time, as `allocated`.
    pub curve: MemoryCurve,
}

/// Words in names of counters of resident memory, as operating systems call it.
const RESIDENT: [&str; 4] = ["rss", "resident", "working_set", "workingset"];

/// The factor from a value to bytes, by the unit in the counter's name; without one, it is bytes.
const UNITS: [(&str, f64); 6] =
    [("gib", 1_073_741_824.0), ("gb", 1e9), ("mib", 1_048_576.0), ("mb", 1_048_576.0), ("kib", 1024.0), ("kb", 1024.0)];

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let name = name.to_ascii_lowercase();
    name.split(|character: char| !character.is_ascii_alphanumeric()).map(str::to_owned).collect()
}

/// The number of bytes of one unit of a counter's values; none if it does not count a process's memory.
fn unit(trace: &Trace, counter: &Counter) -> Option<f64> {
    let text = [trace.strings.get(counter.name), trace.strings.get(counter.series)].join(" ");
    let words = words(&text);
    let lower = text.to_ascii_lowercase();
    let is_resident =
        RESIDENT.iter().any(|known| words.iter().any(|word| word == known) || known.len() > 3 && lower.contains(known));
    let named = UNITS.iter().find(|(name, _)| words.iter().any(|word| word == name));
    is_resident.then(|| named.map_or(1.0, |(_, bytes)| *bytes))
}

/// Whether a counter counts a process's memory.
pub(super) fn any(trace: &Trace) -> bool {
    trace.counters.iter().any(|counter| !counter.samples.is_empty() && unit(trace, counter).is_some())
}

pub(super) fn processes(trace: &Trace, config: &MemoryConfig) -> Vec<ProcessMemory> {
    let counters = trace.counters.iter().enumerate();
    counters.filter_map(|(index, counter)| process(index, counter, unit(trace, counter)?, config)).collect()
}

fn process(index: usize, counter: &Counter, unit: f64, config: &MemoryConfig) -> Option<ProcessMemory> {
    #[expect(clippy::cast_possible_truncation, reason = "bytes of a machine")]
    let samples = || counter.samples.iter().map(|sample| (sample.at, (sample.value * unit) as i64));
    let (first, last) = (samples().next()?, samples().next_back()?);
    let (peak_at, peak) = samples().reduce(|most, next| if next.1 > most.1 { next } else { most })?;
    let whole = Interval::new(first.0, last.0);
    let points = &mut samples().map(|(at, allocated)| MemoryPoint { at, allocated, reserved: None });
    let curve = curve(points, whole, config);
    Some(ProcessMemory { counter: index, first: first.1, last: last.1, peak, peak_at, curve })
}
