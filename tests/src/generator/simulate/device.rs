//! The device: its activities and their times.

use super::{
    DeviceState, Event, KernelTruth, Kind, LaunchTruth, ModelPart, Simulation, StepTruth, Stretch, WaitsFor, ns,
};

pub(in crate::generator) const KERNELS: [&str; 6] = [
    "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_nn",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4::Params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int, at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2>)",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*, float const*, float const*, float*, float*, float*)",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned int, float, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned int, float, 4>)",
    "triton_poi_fused_add_mul_relu_0",
];
const COLLECTIVE: &str = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
pub(super) const MEMCPY_BACK: &str = "Memcpy DtoH (Device -> Pageable)";
const MEMCPY: &str = "Memcpy HtoD (Pinned -> Device)";
const MEMSET: &str = "Memset (Device)";

/// The stream of everything but collectives.
pub(super) const COMPUTE_STREAM: i64 = 7;
const COLLECTIVES_STREAM: i64 = 20;

/// A wait shorter than that after a launch is only the wait for the kernel to begin.
const SHORT_WAIT: i64 = 30_000;

/// Activities of one state, one after the other.
pub(super) struct Run {
    pub(super) state: DeviceState,
    pub(super) call: &'static str,
    pub(super) lengths: Vec<i64>,
    /// Time by which the first begins before the end of the run before.
    pub(super) overlap: i64,
}

impl Simulation {
    /// An operator's activities on the device, run after run, each run in touching pieces.
    pub(super) fn computation(&mut self, part: ModelPart) -> Vec<Run> {
        let mut plan = Vec::new();
        if part == ModelPart::Forward && self.random.percent(15) {
            let state = DeviceState { memcpy: true, ..DeviceState::default() };
            plan.push(Run {
                state,
                call: "cudaMemcpyAsync",
                lengths: vec![ns(self.random.around(12_000))],
                overlap: 0,
            });
        }
        if self.random.percent(12) {
            let state = DeviceState { memset: true, ..DeviceState::default() };
            plan.push(Run { state, call: "cudaMemsetAsync", lengths: vec![ns(self.random.around(1_500))], overlap: 0 });
        }
        let pieces = self.random.range(1, 3);
        let lengths = (0..pieces).map(|_| ns(self.random.around(self.spec.kernel[part.order()]))).collect();
        let state = DeviceState { compute: true, ..DeviceState::default() };
        plan.push(Run { state, call: "cudaLaunchKernel", lengths, overlap: 0 });
        plan
    }

    /// A collective that overlaps the computation before it as far as it can be launched in time.
    pub(super) fn communication(&mut self, computed: i64) -> Run {
        let overlap = computed * ns(self.spec.overlap) / 100;
        let exposed = ns(self.random.around(30_000));
        let state = DeviceState { communication: true, ..DeviceState::default() };
        Run { state, call: "cudaLaunchKernelExC", lengths: vec![overlap + exposed], overlap }
    }

    /// Runs an operator's activities after their calls. Returns the device's busy time with them, and the part of it
    /// without activities that were launched before.
    pub(super) fn run(
        &mut self,
        plan: &[Run],
        correlations: &[u64],
        id: u64,
        events: &mut Vec<Event>,
        step: &mut StepTruth,
        last_end: &mut i64,
    ) -> (i64, i64) {
        let overlap = plan.first().map_or(0, |run| run.overlap).min(self.device_now - self.host_now);
        let before = self.device_now;
        if overlap > 0 {
            self.device_now -= overlap;
        } else {
            let gap = ns(self.random.around(self.spec.gap));
            let call = self.calls.first().map(|(start, _)| *start);
            self.idle_device(self.device_now.max(self.host_now) + gap, call, WaitsFor::Launch);
        }
        let begin = self.device_now;
        let mut correlation = correlations.iter().copied();
        let mut calls = std::mem::take(&mut self.calls).into_iter();
        for run in plan {
            for length in &run.lengths {
                let start = self.device_now;
                let name = self.activity_name(run.state);
                self.activity(&name, *length, run.state);
                let stream = if run.state.communication { COLLECTIVES_STREAM } else { COMPUTE_STREAM };
                let activity = (start, start + length);
                let call = calls.next();
                self.launched_by = call.map(|_| self.place.backward);
                self.truth.launches.push(LaunchTruth { call, stream, activity });
                let correlation = correlation.next().unwrap_or_default();
                if run.state.compute || run.state.communication {
                    self.truth.kernel_runs.push(KernelTruth { name: name.clone(), operator: id, activity });
                }
                let kind = self.activity_kind(run.state, id, correlation, *length, &name);
                events.push(Event { kind, name, start, length: *length, backward_thread: false });
                step.activities += 1;
            }
        }
        self.device_now = self.device_now.max(before);
        *last_end = self.device_now.max(*last_end);
        let end = begin + plan.iter().flat_map(|run| &run.lengths).sum::<i64>();
        (end - begin, end - begin.max(before))
    }

    fn activity_name(&mut self, state: DeviceState) -> String {
        if state.communication {
            COLLECTIVE.to_owned()
        } else if state.memcpy {
            MEMCPY.to_owned()
        } else if state.memset {
            MEMSET.to_owned()
        } else {
            self.random.pick(&KERNELS).to_owned()
        }
    }

    fn activity_kind(&mut self, state: DeviceState, id: u64, correlation: u64, length: i64, name: &str) -> Kind {
        if state.communication {
            return Kind::Kernel { id, correlation, stream: 20, collective: Some(id) };
        }
        if state.compute {
            return Kind::Kernel { id, correlation, stream: 7, collective: None };
        }
        // Bytes per ns: typical of PCIe, and of the memory.
        let rate = if state.memcpy { self.random.range(18, 24) } else { self.random.range(600, 900) };
        let bytes = length.unsigned_abs() * rate;
        let entry = self.truth.copies.entry(name.to_owned()).or_default();
        *entry = (entry.0 + 1, entry.1 + bytes, entry.2 + length);
        if state.memcpy {
            Kind::Memcpy { id, correlation, stream: 7, bytes }
        } else {
            Kind::Memset { id, correlation, bytes }
        }
    }

    /// Runs an activity of the device; others may be running.
    pub(super) fn activity(&mut self, name: &str, length: i64, state: DeviceState) {
        if state.compute || state.communication {
            self.truth.kernels.entry(name.to_owned()).or_default().push(length);
        }
        let (start, end) = (self.device_now, self.device_now + length);
        self.overlay(start, end, state);
        self.device_now = end;
        self.first_activity.get_or_insert(start);
        self.last_activity = self.last_activity.max(end);
    }

    /// Adds a state to the stretches from `start` on; stretches after them are new.
    fn overlay(&mut self, start: i64, end: i64, state: DeviceState) {
        let mut at = start;
        let mut index = self.device.iter().rposition(|stretch| stretch.start <= start).unwrap_or(self.device.len());
        while at < end {
            let Some(stretch) = self.device.get(index).copied().filter(|stretch| stretch.end > at) else {
                if index < self.device.len() {
                    index += 1;
                    continue;
                }
                self.device.push(Stretch { start: at, end, state });
                return;
            };
            let until = stretch.end.min(end);
            let both = DeviceState {
                compute: stretch.state.compute || state.compute,
                communication: stretch.state.communication || state.communication,
                memcpy: stretch.state.memcpy || state.memcpy,
                memset: stretch.state.memset || state.memset,
                waits_for: WaitsFor::Nothing,
            };
            let parts = [
                Stretch { start: stretch.start, end: at, state: stretch.state },
                Stretch { start: at, end: until, state: both },
                Stretch { start: until, end: stretch.end, state: stretch.state },
            ];
            let parts: Vec<_> = parts.into_iter().filter(|part| part.start < part.end).collect();
            self.device.splice(index..=index, parts);
            at = until;
        }
    }

    /// Makes the device idle until `until`, when it begins the launch of a call. `call` is that call's start, if known,
    /// and `launched` the reason for waiting from that start on.
    pub(super) fn idle_device(&mut self, until: i64, call: Option<i64>, launched: WaitsFor) {
        let since = self.device_now;
        if until <= since {
            return;
        }
        let class = match call {
            None => 0,
            Some(call) if call > since => 1,
            Some(_) if until - since < SHORT_WAIT => 2,
            Some(_) => 3,
        };
        if self.first_activity.is_some() {
            self.truth.idle.gaps[class] += 1;
        }
        match (class, call) {
            (0, _) => self.wait(until, WaitsFor::Unrecorded),
            (1, Some(call)) => {
                self.wait(call, WaitsFor::Thread { backward: self.place.backward, before: self.launched_by });
                self.wait(until, launched);
            }
            (2, _) => self.wait(until, WaitsFor::Kernel),
            _ => self.wait(until, WaitsFor::Other),
        }
    }

    fn wait(&mut self, until: i64, waits_for: WaitsFor) {
        let state = DeviceState { waits_for, ..DeviceState::default() };
        self.device.push(Stretch { start: self.device_now, end: until, state });
        self.device_now = until;
    }
}
