//! The simulated training: what the host and the device do, and the events that tell of it.

use super::Spec;
use super::random::Random;
use super::truth::{DeviceState, HostState, OperatorTruth, StepTruth, Truth, role};

/// A slice, arrow or memory event that is to be written. Times are ns from the generator's zero.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) start: i64,
    pub(super) length: i64,
    pub(super) backward_thread: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Kind {
    Operator {
        id: u64,
        sequence: Option<u64>,
        backward: bool,
        collective: Option<u64>,
    },
    Annotation {
        id: u64,
    },
    Python {
        id: u64,
        parent: u64,
    },
    Call {
        id: u64,
        correlation: u64,
    },
    Kernel {
        id: u64,
        correlation: u64,
        stream: u64,
        collective: Option<u64>,
    },
    Memcpy {
        id: u64,
        correlation: u64,
        bytes: u64,
    },
    Memset {
        id: u64,
        correlation: u64,
        bytes: u64,
    },
    /// An arrow's start on the forward operator, and its end on the backward one.
    ForwardBackward {
        id: u64,
        end: bool,
    },
    Memory {
        address: u64,
        bytes: i64,
        allocated: i64,
    },
}

/// The part of a step a group belongs to, as an index of the phases.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Optimizer = 1,
    Backward = 2,
    Forward = 3,
}

/// A stretch of constant states.
#[derive(Clone, Copy)]
struct Stretch<S> {
    start: i64,
    end: i64,
    state: S,
}

/// Simulates step after step.
pub(super) struct Simulation {
    spec: Spec,
    random: Random,
    truth: Truth,
    host_now: i64,
    device_now: i64,
    previous_end: i64,
    /// The states are counted up to here.
    counted: i64,
    /// What has not been counted yet, by time.
    host: Vec<Stretch<HostState>>,
    device: Vec<Stretch<DeviceState>>,
    next_id: u64,
    next_correlation: u64,
    next_sequence: u64,
    allocated: i64,
    first_activity: Option<i64>,
    last_activity: i64,
    orphans: Vec<Event>,
}

const FORWARD_NAMES: [&str; 4] = ["aten::linear", "aten::conv2d", "aten::layer_norm", "aten::gelu"];
const INNER_NAMES: [&str; 4] = ["aten::addmm", "aten::cudnn_convolution", "aten::native_layer_norm", "aten::gelu_"];
const BACKWARD_NAMES: [&str; 4] =
    ["AddmmBackward0", "ConvolutionBackward0", "NativeLayerNormBackward0", "GeluBackward0"];
const KERNELS: [&str; 6] = [
    "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_nn",
    "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4>(cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4::Params)",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2> >(int, at::native::AUnaryFunctor<float, float, float, at::native::binary_internal::MulFunctor<float> >, at::detail::Array<char*, 2>)",
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, float, float const*, float const*, float const*, float*, float*, float*)",
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned int, float, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float, float, float>, unsigned int, float, 4>)",
    "triton_poi_fused_add_mul_relu_0",
];
const COLLECTIVE: &str = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
const MEMCPY: &str = "Memcpy HtoD (Pinned -> Device)";
const MEMSET: &str = "Memset (Device)";

impl Simulation {
    pub(super) fn new(spec: &Spec) -> Self {
        let mut simulation = Self {
            spec: spec.clone(),
            random: Random::new(spec.seed ^ spec.rank << 32),
            truth: Truth::default(),
            host_now: 1_000_000,
            device_now: 0,
            previous_end: i64::MIN,
            counted: i64::MIN,
            host: Vec::new(),
            device: Vec::new(),
            next_id: 1,
            next_correlation: 1000,
            next_sequence: 1,
            allocated: 0,
            first_activity: None,
            last_activity: 0,
            orphans: Vec::new(),
        };
        simulation.orphans();
        simulation
    }

    /// Kernels launched before the profiler looked, that end before the first step's own begin.
    fn orphans(&mut self) {
        self.device_now = self.host_now - 50_000;
        for _ in 0..self.spec.orphans {
            let length = ns(self.random.around(20_000));
            let correlation = self.correlation();
            let name = KERNELS[2].to_owned();
            self.activity(&name, length, DeviceState { compute: true, ..DeviceState::default() });
            let kind = Kind::Kernel { id: 0, correlation, stream: 7, collective: None };
            self.orphans.push(Event { kind, name, start: self.device_now - length, length, backward_thread: false });
        }
        if self.spec.orphans > 0 {
            self.previous_end = self.device_now;
        }
    }

    /// Simulates a step and returns its events: the host's by start, then the device's.
    pub(super) fn step(&mut self) -> Vec<Event> {
        let mut events = std::mem::take(&mut self.orphans);
        let index = self.truth.steps.len();
        let mut step = StepTruth { name: (index + 3).to_string(), ..StepTruth::default() };
        let host_start = self.host_now;
        let mark = self.id();
        let place = events.len();
        self.advance_host(HostState::Other, 2_000);
        self.data_loading(&mut events, &mut step);
        let mut last_end = i64::MIN;
        for part in [Part::Forward, Part::Backward, Part::Optimizer] {
            self.part(part, &mut events, &mut step, &mut last_end);
        }
        self.advance_host(HostState::Other, 3_000);
        let name = format!("ProfilerStep#{}", step.name);
        let length = self.host_now - host_start;
        let kind = Kind::Annotation { id: mark };
        events.insert(place, Event { kind, name, start: host_start, length, backward_thread: false });
        step.host = (host_start, self.host_now);
        let start = self.previous_end.max(host_start);
        step.span = (start, start.max(self.host_now).max(last_end));
        self.previous_end = step.span.1;
        self.host_now += 500;
        self.truth.slices += events.iter().filter(|event| event.is_slice()).count() as u64;
        self.truth.steps.push(step);
        self.count_until(self.host_now.min(self.device_now));
        events.sort_by_key(|event| (event.order(), event.start, -event.length));
        events
    }

    fn data_loading(&mut self, events: &mut Vec<Event>, step: &mut StepTruth) {
        let start = self.host_now;
        let length = ns(self.random.around(self.spec.data_wait));
        self.advance_host(HostState::Dataloader, length);
        step.phases_host[0] += length;
        let name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        self.operator_truth(name, length, length, 0, 0);
        let kind = Kind::Annotation { id: self.id() };
        events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: false });
        self.advance_host(HostState::Other, 4_000);
    }

    fn part(&mut self, part: Part, events: &mut Vec<Event>, step: &mut StepTruth, last_end: &mut i64) {
        let start = self.host_now;
        let first_event = events.len();
        let mut gaps = 0;
        let mut numbered = 0;
        let mut device_total = 0;
        for _ in 0..self.spec.groups {
            let gap = ns(self.random.range(200, 3_000));
            self.advance_host(HostState::Other, gap);
            gaps += gap;
            let plan = self.computation(part);
            let computed: i64 = plan.last().map_or(0, |run| run.lengths.iter().sum());
            let (mut busy, inner) = self.group(part, &plan, events, step, last_end);
            numbered += inner;
            if part == Part::Backward && self.random.percent(self.spec.communicating) {
                let plan = [self.communication(computed)];
                busy += self.group(part, &plan, events, step, last_end).0;
            }
            step.phases_device[part as usize] += busy;
            device_total += busy;
        }
        let length = self.host_now - start;
        step.phases_host[part as usize] += match part {
            // What is evaluated.
            Part::Backward => length - gaps,
            // Without modules, the operators that have a sequence number.
            Part::Forward if !self.spec.python => numbered,
            // The module's frame, the optimizer's range.
            _ => length,
        };
        match part {
            Part::Optimizer => {
                let name = "Optimizer.step#SGD.step";
                let inside: i64 = length - gaps;
                self.operator_truth(name, length, length - inside, 0, device_total);
                let kind = Kind::Annotation { id: self.id() };
                events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: false });
            }
            Part::Forward if self.spec.python => self.python(first_event, start, length, events),
            _ => {}
        }
    }

    /// Python frames around a part: a caller, the module, and a function around each operator.
    fn python(&mut self, first_event: usize, start: i64, length: i64, events: &mut Vec<Event>) {
        let (caller, module) = (self.id(), self.id());
        let frame = |id: u64, parent: u64, name: &str, start: i64, length: i64| Event {
            kind: Kind::Python { id, parent },
            name: name.to_owned(),
            start,
            length,
            backward_thread: false,
        };
        let mut frames = vec![
            frame(caller, 0, "train.py(42): train_one_step", start, length),
            frame(module, caller, "nn.Module: Net_0", start, length),
        ];
        let mut next = module;
        for event in &events[first_event..] {
            if matches!(event.kind, Kind::Operator { .. }) && FORWARD_NAMES.contains(&event.name.as_str()) {
                next += 1;
                let name = "torch/nn/modules/module.py(1511): _call_impl";
                frames.push(frame(next, module, name, event.start, event.length));
            }
        }
        self.next_id = next + 1;
        events.extend(frames);
    }

    /// One operator with what it launches; returns for how long the device is busy with nothing but
    /// that, and the length of the inner operator.
    fn group(
        &mut self,
        part: Part,
        plan: &[Run],
        events: &mut Vec<Event>,
        step: &mut StepTruth,
        last_end: &mut i64,
    ) -> (i64, i64) {
        let kind = self.random.range(0, 3) as usize;
        let communicates = plan.iter().any(|run| run.state.communication);
        let pieces: usize = plan.iter().map(|run| run.lengths.len()).sum();
        let outer_start = self.host_now;
        let before = ns(self.random.range(500, 6_000));
        self.advance_host(HostState::Operator, before);
        let inner_start = self.host_now;
        let inner_before = ns(self.random.range(300, 2_000));
        self.advance_host(HostState::Operator, inner_before);
        let inner_id = self.id();
        let correlations: Vec<u64> = (0..pieces).map(|_| self.correlation()).collect();
        let calls = self.calls(plan, &correlations, inner_id, part, events);
        let inner_after = ns(self.random.range(100, 900));
        self.advance_host(HostState::Operator, inner_after);
        let inner_length = self.host_now - inner_start;
        let after = ns(self.random.range(200, 1_500));
        self.advance_host(HostState::Operator, after);
        let outer_length = self.host_now - outer_start;
        let (busy, alone) = self.run(plan, &correlations, inner_id, events, step, last_end);
        let (outer, inner) = match part {
            _ if communicates => ("c10d::allreduce_".to_owned(), "record_param_comms"),
            Part::Forward => (FORWARD_NAMES[kind].to_owned(), INNER_NAMES[kind]),
            Part::Backward => {
                (format!("autograd::engine::evaluate_function: {}", BACKWARD_NAMES[kind]), BACKWARD_NAMES[kind])
            }
            Part::Optimizer => ("aten::_foreach_add_".to_owned(), "aten::_foreach_add_inner"),
        };
        self.operator_truth(&outer, outer_length, outer_length - inner_length, 0, busy);
        self.operator_truth(inner, inner_length, inner_length - calls, busy, busy);
        self.operators(
            part,
            communicates,
            (&outer, outer_start, outer_length),
            (inner, inner_start, inner_length, inner_id),
            events,
        );
        self.memory_event(inner_start, part, events);
        (alone, inner_length)
    }

    /// The two operators of a group, and the arrow from forward to backward.
    fn operators(
        &mut self,
        part: Part,
        communicates: bool,
        outer: (&str, i64, i64),
        inner: (&str, i64, i64, u64),
        events: &mut Vec<Event>,
    ) {
        let backward_thread = part == Part::Backward;
        let sequence = match part {
            Part::Forward => {
                self.next_sequence += 1;
                Some(self.next_sequence)
            }
            Part::Backward if !communicates && self.next_sequence > 1 => Some(self.random.range(2, self.next_sequence)),
            _ => None,
        };
        let arrow = (part == Part::Forward).then(|| self.next_sequence);
        let outer_id = self.id();
        let mut push = |name: &str, start, length, kind| {
            events.push(Event { kind, name: name.to_owned(), start, length, backward_thread });
        };
        let operator =
            |id, sequence, collective| Kind::Operator { id, sequence, backward: backward_thread, collective };
        push(outer.0, outer.1, outer.2, operator(outer_id, None, None));
        push(inner.0, inner.1, inner.2, operator(inner.3, sequence, communicates.then_some(inner.3)));
        if let Some(id) = arrow {
            push("fwdbwd", inner.1, 0, Kind::ForwardBackward { id, end: false });
        }
        if let Some(id) = sequence.filter(|_| backward_thread && self.random.percent(50)) {
            // Its start came in some forward part; one start may have several ends.
            push("fwdbwd", inner.1, 0, Kind::ForwardBackward { id, end: true });
            self.truth.forward_backward_arrows += 1;
        }
    }

    fn memory_event(&mut self, start: i64, part: Part, events: &mut Vec<Event>) {
        if !self.spec.memory || part == Part::Optimizer {
            return;
        }
        let bytes = ns(self.random.range(1, 4_000) * 512);
        let bytes = if part == Part::Forward { bytes } else { -bytes };
        self.allocated = (self.allocated + bytes).max(0);
        let address = 0x7f00_0000_0000 + self.random.range(0, 1 << 20) * 512;
        self.truth.memory_events += 1;
        let kind = Kind::Memory { address, bytes, allocated: self.allocated };
        let backward_thread = part == Part::Backward;
        events.push(Event { kind, name: "[memory]".to_owned(), start: start + 50, length: 0, backward_thread });
    }

    /// The runtime calls of a group, one per activity; returns how long they take together.
    fn calls(&mut self, plan: &[Run], correlations: &[u64], id: u64, part: Part, events: &mut Vec<Event>) -> i64 {
        let mut total = 0;
        let names = plan.iter().flat_map(|run| run.lengths.iter().map(|_| run.call));
        for (name, correlation) in names.zip(correlations) {
            let length = ns(self.random.range(1_500, 7_000));
            let start = self.host_now;
            self.advance_host(HostState::Runtime, length);
            total += length;
            let kind = Kind::Call { id, correlation: *correlation };
            events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: part == Part::Backward });
        }
        total
    }

    /// What an operator makes the device do, run after run, each run in pieces that touch.
    fn computation(&mut self, part: Part) -> Vec<Run> {
        let mut plan = Vec::new();
        if part == Part::Forward && self.random.percent(15) {
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
        let lengths = (0..pieces).map(|_| ns(self.random.around(18_000))).collect();
        let state = DeviceState { compute: true, ..DeviceState::default() };
        plan.push(Run { state, call: "cudaLaunchKernel", lengths, overlap: 0 });
        plan
    }

    /// A collective that overlaps the computation before it as far as it can be launched in time.
    fn communication(&mut self, computed: i64) -> Run {
        let overlap = computed * ns(self.spec.overlap) / 100;
        let exposed = ns(self.random.around(30_000));
        let state = DeviceState { communication: true, ..DeviceState::default() };
        Run { state, call: "cudaLaunchKernelExC", lengths: vec![overlap + exposed], overlap }
    }

    /// Lets the device do an operator's runs after their calls. Returns for how long it is busy with
    /// them, and for how long with nothing that was launched before.
    fn run(
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
            self.idle_device(self.device_now.max(self.host_now) + gap);
        }
        let begin = self.device_now;
        let mut correlation = correlations.iter().copied();
        for run in plan {
            for length in &run.lengths {
                let start = self.device_now;
                let name = self.activity_name(run.state);
                self.activity(&name, *length, run.state);
                let correlation = correlation.next().unwrap_or_default();
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
        let bytes = self.random.range(1, 4096) * 1024;
        let entry = self.truth.copies.entry(name.to_owned()).or_default();
        *entry = (entry.0 + 1, entry.1 + bytes, entry.2 + length);
        if state.memcpy { Kind::Memcpy { id, correlation, bytes } } else { Kind::Memset { id, correlation, bytes } }
    }

    /// The device does something for a while; it may already be doing something else.
    fn activity(&mut self, name: &str, length: i64, state: DeviceState) {
        if state.compute || state.communication {
            self.truth.kernels.entry(name.to_owned()).or_default().push(length);
        }
        let (start, end) = (self.device_now, self.device_now + length);
        self.overlay(start, end, state);
        self.device_now = end;
        self.first_activity.get_or_insert(start);
        self.last_activity = self.last_activity.max(end);
    }

    /// Adds a state to the stretches from `start` on; what lies behind them is new.
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

    fn idle_device(&mut self, until: i64) {
        if until > self.device_now {
            self.device.push(Stretch { start: self.device_now, end: until, state: DeviceState::default() });
            self.device_now = until;
        }
    }

    fn advance_host(&mut self, state: HostState, length: i64) {
        self.host.push(Stretch { start: self.host_now, end: self.host_now + length, state });
        self.host_now += length;
    }

    /// Counts the states up to a time into the steps they lie in, and forgets them.
    fn count_until(&mut self, until: i64) {
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
                step.roles[role(doing, now)] += length;
            }
            if doing.busy() || (self.first_activity.is_some_and(|first| first <= at) && at < self.last_activity) {
                self.truth.device.count(length, doing);
            }
            at = next;
        }
        self.host.drain(..host);
        self.device.drain(..device);
    }

    fn next_step_after(&self, at: i64) -> i64 {
        self.truth.steps.iter().map(|step| step.span.0).filter(|start| *start > at).min().unwrap_or(i64::MAX)
    }

    pub(super) fn into_truth(mut self) -> Truth {
        self.count_until(self.host_now.max(self.device_now));
        let last = self.last_activity;
        self.truth.device.window = self.first_activity.map_or(0, |first| last - first);
        self.truth
    }

    fn operator_truth(&mut self, name: &str, total: i64, own: i64, device_self: i64, device_total: i64) {
        let truth: &mut OperatorTruth = self.truth.operators.entry(name.to_owned()).or_default();
        truth.calls += 1;
        truth.host_total += total;
        truth.host_self += own;
        truth.device_self += device_self;
        truth.device_total += device_total;
    }

    fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }

    fn correlation(&mut self) -> u64 {
        self.next_correlation += 1;
        self.next_correlation
    }
}

/// Activities of one state, one after the other.
struct Run {
    state: DeviceState,
    call: &'static str,
    lengths: Vec<i64>,
    /// How far the first begins before the end of what ran before.
    overlap: i64,
}

impl Event {
    pub(super) fn is_slice(&self) -> bool {
        !matches!(self.kind, Kind::ForwardBackward { .. } | Kind::Memory { .. })
    }

    /// Kineto writes the host's operators first, then each call with what it launched.
    fn order(&self) -> u8 {
        match self.kind {
            Kind::Operator { .. } | Kind::Annotation { .. } => 0,
            Kind::Python { .. } => 1,
            Kind::Memory { .. } => 2,
            Kind::ForwardBackward { .. } => 3,
            Kind::Call { .. } | Kind::Kernel { .. } | Kind::Memcpy { .. } | Kind::Memset { .. } => 4,
        }
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

fn ns(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
