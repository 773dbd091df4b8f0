//! The simulated training: the states of host and device, and their events.

mod count;
mod device;
mod event;
mod memory;
mod operators;
mod synchronize;

pub(super) use self::device::KERNELS;
pub(super) use self::event::{Event, Inputs, Kind};
pub(super) use self::operators::PRODUCT;

use self::device::COMPUTE_STREAM;
use self::memory::Allocator;
use self::operators::{FORWARD_NAMES, Forward, STEP_NAME};
use super::Spec;
use super::random::Random;
use super::truth::{
    DeviceState, HostMoment, HostState, KernelTruth, LaunchTruth, OperatorTruth, StepTruth, Truth, WaitsFor,
};

#[derive(Clone, Copy, PartialEq, Eq)]
enum ModelPart {
    Optimizer = 1,
    Backward = 2,
    Forward = 3,
}

/// Python frames around an operator of the forward part, and of the optimizer's.
const FORWARD_FRAMES: [&str; 3] = [
    "torch/nn/modules/module.py(1511): _call_impl",
    "torch/nn/modules/linear.py(116): forward",
    "<built-in method linear of type object at 0x7f0a3c9b2e40>",
];
const STEP_FRAMES: [&str; 2] =
    ["torch/optim/sgd.py(310): _multi_tensor_sgd", "<built-in method _foreach_add_ of type object>"];

impl ModelPart {
    /// The place of the part in a step.
    fn order(self) -> usize {
        match self {
            Self::Forward => 0,
            Self::Backward => 1,
            Self::Optimizer => 2,
        }
    }
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
    /// States that have not been counted yet, by time.
    host: Vec<Stretch<HostMoment>>,
    device: Vec<Stretch<DeviceState>>,
    next_id: u64,
    next_correlation: u64,
    next_sequence: u64,
    allocator: Allocator,
    /// Forward groups whose backward ones are to come.
    forward: Vec<Forward>,
    first_activity: Option<i64>,
    last_activity: i64,
    orphans: Vec<Event>,
    /// The host's current state.
    place: HostMoment,
    /// Whether the thread of the backward part launched the device's latest activity; `None` if its call is not
    /// recorded.
    launched_by: Option<bool>,
    /// The calls of the latest group.
    calls: Vec<(i64, i64)>,
}

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
            allocator: Allocator::new(),
            forward: Vec::new(),
            first_activity: None,
            last_activity: 0,
            orphans: Vec::new(),
            place: HostMoment::default(),
            launched_by: None,
            calls: Vec::new(),
        };
        simulation.orphans();
        simulation
    }

    /// Kernels launched before the recording, that end before the first step's own begin.
    fn orphans(&mut self) {
        self.device_now = self.host_now - 50_000;
        for number in 0..self.spec.orphans {
            if number > 0 {
                self.idle_device(self.device_now + 700, None, WaitsFor::Launch);
            }
            let length = ns(self.random.around(20_000));
            let correlation = self.correlation();
            let name = KERNELS[2].to_owned();
            self.activity(&name, length, DeviceState { compute: true, ..DeviceState::default() });
            let activity = (self.device_now - length, self.device_now);
            self.truth.launches.push(LaunchTruth { call: None, stream: COMPUTE_STREAM, activity });
            self.truth.kernel_runs.push(KernelTruth { name: name.clone(), operator: 0, activity });
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
        for part in [ModelPart::Forward, ModelPart::Backward, ModelPart::Optimizer] {
            self.part(part, &mut events, &mut step, &mut last_end);
            if part == ModelPart::Backward && index == self.spec.steps / 2 {
                self.pause(&mut events);
            }
        }
        if self.spec.synchronize {
            self.synchronize(&mut events, &mut step, &mut last_end);
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
        step.phases_calls[0] += 1;
        let name = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__";
        self.operator_truth(name, length, length, 0, 0);
        let kind = Kind::Annotation { id: self.id() };
        events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: false });
        self.advance_host(HostState::Other, 4_000);
    }

    /// The host does nothing for a while, as when Python collects garbage.
    fn pause(&mut self, events: &mut Vec<Event>) {
        let (start, length) = (self.host_now, ns(self.spec.pause));
        if length == 0 {
            return;
        }
        self.place.python = self.spec.python;
        self.advance_host(HostState::Other, length);
        self.place.python = false;
        if self.spec.python {
            let kind = Kind::Python { id: self.id(), parent: 0 };
            let name = "<built-in function collect>".to_owned();
            events.push(Event { kind, name, start, length, backward_thread: false });
        }
    }

    fn part(&mut self, part: ModelPart, events: &mut Vec<Event>, step: &mut StepTruth, last_end: &mut i64) {
        let start = self.host_now;
        let first_event = events.len();
        let backward = part == ModelPart::Backward;
        self.place = HostMoment { backward, python: self.spec.python && !backward, ..HostMoment::default() };
        let mut gaps = 0;
        let mut numbered = 0;
        let mut device_total = 0;
        for _ in 0..self.spec.groups {
            let gap = ns(self.random.range(200, 3_000));
            self.advance_host(HostState::Other, gap);
            gaps += gap;
            let plan = self.computation(part);
            let computed: i64 = plan.last().map_or(0, |run| run.lengths.iter().sum());
            let before = self.truth.launches.len();
            let (mut busy, inner) = self.group(part, &plan, events, step, last_end);
            self.points(part, before, step);
            numbered += inner;
            if part == ModelPart::Backward && self.random.percent(self.spec.communicating) {
                let plan = [self.communication(computed)];
                let before = self.truth.launches.len();
                busy += self.group(part, &plan, events, step, last_end).0;
                step.collectives.extend(self.truth.launches[before..].iter().map(|launch| launch.activity));
            }
            step.phases_device[part as usize] += busy;
            device_total += busy;
        }
        self.place = HostMoment::default();
        let length = self.host_now - start;
        step.phases_host[part as usize] += match part {
            // The evaluated functions.
            ModelPart::Backward => length - gaps,
            // Without modules, the operators that have a sequence number.
            ModelPart::Forward if !self.spec.python => numbered,
            // The module's frame, the optimizer's range.
            _ => length,
        };
        step.phases_calls[part as usize] += match part {
            // A gap comes before each group; a collective follows its group at once.
            ModelPart::Backward => self.spec.groups as u64,
            ModelPart::Forward if !self.spec.python => self.spec.groups as u64,
            _ => 1,
        };
        match part {
            ModelPart::Optimizer => {
                let name = "Optimizer.step#SGD.step";
                let inside: i64 = length - gaps;
                self.operator_truth(name, length, length - inside, 0, device_total);
                let kind = Kind::Annotation { id: self.id() };
                events.push(Event { kind, name: name.to_owned(), start, length, backward_thread: false });
            }
            ModelPart::Forward | ModelPart::Backward => {}
        }
        if self.spec.python {
            self.python(part, first_event, start, length, events);
        }
    }

    /// Records where the forward part begins on the device and the backward part ends, from recent launches.
    fn points(&self, part: ModelPart, launched_before: usize, step: &mut StepTruth) {
        for (start, end) in self.truth.launches[launched_before..].iter().map(|launch| launch.activity) {
            match part {
                ModelPart::Forward => {
                    step.forward_start = Some(step.forward_start.map_or(start, |first| first.min(start)));
                }
                ModelPart::Backward => step.backward_end = Some(step.backward_end.map_or(end, |last| last.max(end))),
                ModelPart::Optimizer => {}
            }
        }
    }

    /// Python frames around a part, and those around each of its operators.
    fn python(&mut self, part: ModelPart, first_event: usize, start: i64, length: i64, events: &mut Vec<Event>) {
        let (around, inside): (&[&str], &[&str]) = match part {
            ModelPart::Forward => (&["train.py(42): train_one_step", "nn.Module: Net_0"], &FORWARD_FRAMES),
            ModelPart::Backward => return,
            ModelPart::Optimizer => {
                (&["torch/optim/optimizer.py(493): wrapper", "torch/optim/sgd.py(80): step"], &STEP_FRAMES)
            }
        };
        let calls: Vec<(i64, i64)> = events[first_event..]
            .iter()
            .filter(|event| matches!(event.kind, Kind::Operator { .. }))
            .filter(|event| FORWARD_NAMES.contains(&event.name.as_str()) || event.name == STEP_NAME)
            .map(|event| (event.start, event.length))
            .collect();
        let whole = self.frames(around, 0, (start, length), events);
        for call in calls {
            self.frames(inside, whole, call, events);
        }
    }

    /// Frames that call each other and nothing else; returns the innermost one's id.
    fn frames(&mut self, names: &[&str], parent: u64, when: (i64, i64), events: &mut Vec<Event>) -> u64 {
        names.iter().fold(parent, |parent, name| {
            let id = self.id();
            let (start, length) = when;
            let kind = Kind::Python { id, parent };
            events.push(Event { kind, name: (*name).to_owned(), start, length, backward_thread: false });
            id
        })
    }

    fn advance_host(&mut self, state: HostState, length: i64) {
        let state = HostMoment { state, ..self.place };
        self.host.push(Stretch { start: self.host_now, end: self.host_now + length, state });
        self.host_now += length;
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

fn ns(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
