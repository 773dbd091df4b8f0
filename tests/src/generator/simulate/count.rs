//! The truth, counted moment by moment on the states.

use super::{Simulation, Stretch, Truth};
use crate::generator::truth::category;

impl Simulation {
    /// Counts the states up to a time into the steps they lie in, and forgets them.
    pub(super) fn count_until(&mut self, until: i64) {
        let (mut host, mut device) = (0, 0);
        let earliest = |stretches: Option<i64>| stretches.unwrap_or(i64::MAX);
        let mut at = earliest(self.host.first().map(|s| s.start)).min(earliest(self.device.first().map(|s| s.start)));
        at = at.max(self.counted);
        self.counted = until;
        while at < until {
            let (now, host_until) = state_at(&self.host, &mut host, at);
            let (doing, device_until) = state_at(&self.device, &mut device, at);
            let step = self.truth.steps.iter().rposition(|step| step.span.0 <= at && at < step.span.1);
            let edge = step.map_or_else(|| self.next_step_after(at), |step| self.truth.steps[step].span.1);
            let next = host_until.min(device_until).min(edge).min(until);
            let length = next - at;
            if let Some(step) = step {
                let step = &mut self.truth.steps[step];
                step.device.count(length, doing);
                step.categories[category(doing, now.state)] += length;
            }
            if doing.busy() || (self.first_activity.is_some_and(|first| first <= at) && at < self.last_activity) {
                self.truth.device.count(length, doing);
                self.truth.idle.count(length, doing, now);
            }
            at = next;
        }
        self.host.drain(..host);
        self.device.drain(..device);
    }

    fn next_step_after(&self, at: i64) -> i64 {
        self.truth.steps.iter().map(|step| step.span.0).filter(|start| *start > at).min().unwrap_or(i64::MAX)
    }

    pub(in crate::generator) fn into_truth(mut self) -> Truth {
        self.count_until(self.host_now.max(self.device_now));
        let last = self.last_activity;
        self.truth.device.window = self.first_activity.map_or(0, |first| last - first);
        self.truth
    }
}

/// The state at a time and until when it lasts; stretches before it are passed for good.
fn state_at<S: Copy + Default>(stretches: &[Stretch<S>], index: &mut usize, at: i64) -> (S, i64) {
    while stretches.get(*index).is_some_and(|stretch| stretch.end <= at) {
        *index += 1;
    }
    match stretches.get(*index) {
        Some(stretch) if stretch.start <= at => (stretch.state, stretch.end),
        Some(stretch) => (S::default(), stretch.start),
        None => (S::default(), i64::MAX),
    }
}
