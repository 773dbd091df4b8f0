//! The cost of usual launches.

use super::NotApplicable;
use super::facts::{Facts, Launching};
use super::slow_calls::slow_calls;
use crate::IntervalSet;
use crate::launches::launch_rows_of;
use stepscope_base::Interval;
use stepscope_trace::EventId;

impl Facts<'_> {
    /// The time of launching in the steps that count.
    ///
    /// # Errors
    ///
    /// If no call launched anything.
    pub(super) fn launching(&self) -> Result<&Launching, NotApplicable> {
        if self.analysis.launches.total.calls == 0 {
            return Err(self.no_launches());
        }
        Ok(self.launches.get_or_init(|| {
            let waits = &self.calls().waits;
            let waits = |call: EventId| waits.binary_search(&call).is_ok();
            let rows = launch_rows_of(self.trace, &self.analysis.devices);
            let own = |row: &&crate::Launch| self.is_inside(row.call) && !row.blocked && !waits(row.call);
            let mut inside: Vec<_> = rows.iter().filter(own).collect();
            let blocked = rows.iter().filter(|row| row.blocked).map(|row| row.call);
            let slow = slow_calls(self, inside.iter().map(|row| row.cpu).collect(), blocked);
            let is_slow = |call: EventId| slow.binary_search(&call).is_ok();
            inside.retain(|row| !is_slow(row.call));
            let end = |row: &crate::Launch| self.trace.slices.end(row.call);
            let usual = |row: &&crate::Launch| self.is_inside(row.call) && !row.blocked && !is_slow(row.call);
            let all = rows.iter().filter(usual);
            Launching {
                calling: IntervalSet::of(inside.iter().map(|row| self.on_host(row.call))),
                delays: IntervalSet::of(inside.iter().map(|row| Interval::new(end(row), end(row) + row.delay))),
                cost: all.map(|row| row.cpu + row.delay).sum(),
                calls: inside.iter().map(|row| row.call).collect(),
                short: inside.iter().filter(|row| row.is_short()).map(|row| row.call).collect(),
                slow,
            }
        }))
    }
}
