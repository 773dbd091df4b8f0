//! The machine as a whole.

use std::fs::File;
use std::path::Path;

use super::files::{behind, mebibytes, number, numbers, percent, rate, read};
use super::out::Out;

/// Sources of the machine's samples; missing ones are left out.
pub(super) struct Machine {
    stat: Option<File>,
    memory: Option<File>,
    pressure: Vec<(&'static str, File, u64)>,
    states: Vec<u64>,
    switches: u64,
}

/// The states of a processor's time in `/proc/stat`, by their columns.
const STATES: [(&str, &[usize]); 4] = [
    ("CPU utilization (%): user", &[0, 1]),
    ("CPU utilization (%): system", &[2, 5, 6]),
    ("CPU utilization (%): I/O wait", &[4]),
    ("CPU utilization (%): stolen", &[7]),
];

const PRESSURE: [(&str, &str); 3] =
    [("cpu", "CPU pressure (%)"), ("memory", "memory pressure (%)"), ("io", "I/O pressure (%)")];

impl Machine {
    pub(super) fn new(proc: &Path) -> Self {
        let pressure = PRESSURE.iter().filter_map(|(file, name)| {
            let file = File::open(proc.join("pressure").join(file)).ok()?;
            // Some kernels have the file and refuse to read it.
            read(&file, &mut Vec::new()).ok().filter(|text| !text.is_empty())?;
            Some((*name, file, 0))
        });
        Self {
            stat: File::open(proc.join("stat")).ok(),
            memory: File::open(proc.join("meminfo")).ok(),
            pressure: pressure.collect(),
            states: Vec::new(),
            switches: 0,
        }
    }

    /// Samples all; rates cover the time since `before`, if there was a sample then.
    #[expect(clippy::cast_precision_loss, reason = "values of a chart")]
    pub(super) fn sample(&mut self, before: Option<u64>, now: u64, buffer: &mut Vec<u8>, out: &mut Out) {
        if let Some(text) = self.stat.as_ref().and_then(|file| read(file, buffer).ok()) {
            let states: Vec<u64> = behind(text, "cpu ").map(|line| numbers(line).take(8).collect()).unwrap_or_default();
            let switches = number(text, "ctxt ").unwrap_or_default();
            let total = |states: &[u64]| states.iter().sum::<u64>();
            let all = total(&states).saturating_sub(total(&self.states));
            if let Some(at) = before.filter(|_| all > 0) {
                for (name, columns) in STATES {
                    let of = |states: &[u64]| columns.iter().filter_map(|column| states.get(*column)).sum::<u64>();
                    out.put(0, name, at, percent(of(&states).saturating_sub(of(&self.states)), all));
                }
            }
            if let Some(at) = before {
                out.put(0, "context switches (1/s)", at, rate(switches, self.switches, now - at));
            }
            out.put(0, "runnable threads", now, number(text, "procs_running ").unwrap_or_default() as f64);
            (self.states, self.switches) = (states, switches);
        }
        if let Some(text) = self.memory.as_ref().and_then(|file| read(file, buffer).ok()) {
            let kilobytes = |word: &str| number(text, word).unwrap_or_default();
            let used = |all: &str, free: &str| mebibytes(kilobytes(all).saturating_sub(kilobytes(free)) << 10);
            out.put(0, "system memory used (MiB)", now, used("MemTotal:", "MemAvailable:"));
            if kilobytes("SwapTotal:") > 0 {
                out.put(0, "system memory swapped (MiB)", now, used("SwapTotal:", "SwapFree:"));
            }
        }
        for (name, file, last) in &mut self.pressure {
            // Microseconds in which some thread waited.
            let Some(total) = read(file, buffer).ok().and_then(|text| numbers(behind(text, "some ")?).last()) else {
                continue;
            };
            if let Some(at) = before {
                out.put(0, name, at, percent(total.saturating_sub(*last) * 1000, now - at));
            }
            *last = total;
        }
    }
}
