//! The end of a step: the host reads a value from the device and so waits for all its work.

use super::device::{COMPUTE_STREAM, MEMCPY_BACK};
use super::{DeviceState, Event, HostState, Kind, LaunchTruth, Simulation, StepTruth, WaitsFor, ns};

impl Simulation {
    /// `loss.item()`: two operators around a copy to the host and the call that waits for it.
    pub(super) fn synchronize(&mut self, events: &mut Vec<Event>, step: &mut StepTruth, last_end: &mut i64) {
        let outer_start = self.host_now;
        self.advance_host(HostState::Reading, 900);
        let inner_start = self.host_now;
        self.advance_host(HostState::Reading, 700);
        let (outer_id, inner_id) = (self.id(), self.id());
        let correlation = self.correlation();
        let launching = ns(self.random.range(3_000, 6_000));
        self.runtime_call("cudaMemcpyAsync", launching, (inner_id, correlation, true), events);
        let call = (self.host_now - launching, self.host_now);
        let copying = self.copy_back((inner_id, correlation), call, events, step);
        *last_end = self.device_now.max(*last_end);
        let waiting = (self.device_now - self.host_now).max(0) + 2_000;
        let correlation = self.correlation();
        self.runtime_call("cudaStreamSynchronize", waiting, (inner_id, correlation, false), events);
        self.advance_host(HostState::Reading, 400);
        let inner_length = self.host_now - inner_start;
        self.advance_host(HostState::Reading, 500);
        let outer_length = self.host_now - outer_start;
        let own = inner_length - launching - waiting;
        self.operator_truth("aten::item", outer_length, outer_length - inner_length, 0, copying);
        self.operator_truth("aten::_local_scalar_dense", inner_length, own, copying, copying);
        let mut push = |id, name: &str, start, length| {
            let kind = Kind::Operator { id, sequence: None, backward: false, collective: None, inputs: None };
            events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: false });
        };
        push(outer_id, "aten::item", outer_start, outer_length);
        push(inner_id, "aten::_local_scalar_dense", inner_start, inner_length);
    }

    fn runtime_call(&mut self, name: &str, length: i64, ids: (u64, u64, bool), events: &mut Vec<Event>) {
        let (id, correlation, launches) = ids;
        let kind = Kind::Call { id, correlation, launches };
        events.push(Event { kind, name: name.to_owned(), start: self.host_now, length, backward_thread: false });
        self.advance_host(HostState::Waiting, length);
    }

    /// The device copies four bytes to the host, after all its other work; returns the duration.
    fn copy_back(&mut self, ids: (u64, u64), call: (i64, i64), events: &mut Vec<Event>, step: &mut StepTruth) -> i64 {
        const BYTES: u64 = 4;
        let (id, correlation) = ids;
        let length = ns(self.random.around(1_500));
        self.idle_device(self.device_now.max(self.host_now) + 1_200, Some(call.0), WaitsFor::Copy);
        let start = self.device_now;
        let activity = (start, start + length);
        self.launched_by = Some(self.place.backward);
        self.truth.launches.push(LaunchTruth { call: Some(call), stream: COMPUTE_STREAM, activity });
        self.activity(MEMCPY_BACK, length, DeviceState { memcpy: true, ..DeviceState::default() });
        let entry = self.truth.copies.entry(MEMCPY_BACK.to_owned()).or_default();
        *entry = (entry.0 + 1, entry.1 + BYTES, entry.2 + length);
        step.activities += 1;
        let kind = Kind::Memcpy { id, correlation, stream: 7, bytes: BYTES };
        events.push(Event { kind, name: MEMCPY_BACK.to_owned(), start, length, backward_thread: false });
        length
    }
}
