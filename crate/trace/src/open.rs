//! The ends of slices that were open when their process ended.

use super::builder::{AddedSlice, FastMap, OpenRows, TraceBuilder};
use super::ids::ProcessId;
use super::tracks::RawId;
use stepscope_base::Nanos;

impl TraceBuilder {
    /// Marks a slice as still open when its process was killed. It ends where its own recording does; later events of
    /// the process may show that it lived longer.
    pub fn open_slice(&mut self, row: AddedSlice, process: RawId) {
        let process = self.process(process);
        self.open.rows.push((row, process));
    }

    /// Marks a process, or its program, as ended by a time: ids are reused, and a process may become another program.
    pub fn process_ended(&mut self, process: RawId, at: Nanos) {
        let process = self.process(process);
        self.open.ends.push((process, at));
    }

    /// Extends open slices until their processes were last alive: up to their latest sample before they had ended.
    pub(super) fn extend_open_slices(&mut self) {
        let OpenRows { rows, ends } = std::mem::take(&mut self.open);
        let mut lived: FastMap<(ProcessId, Nanos), Nanos> = FastMap::default();
        for (row, process) in rows {
            let known = self.start_of(row) + self.length.at(row.0 as usize);
            let counters = &self.counters;
            let latest = *lived.entry((process, known)).or_insert_with(|| {
                let after = ends.iter().filter(|(of, at)| *of == process && *at > known);
                let end = after.map(|(_, at)| *at).min();
                let samples = counters.iter().filter(|counter| counter.process == process);
                let times = samples.flat_map(|counter| counter.samples.iter().map(|sample| sample.at));
                times.filter(|at| end.is_none_or(|end| *at < end)).fold(known, Nanos::max)
            });
            self.end_slice(row, latest);
        }
    }
}
