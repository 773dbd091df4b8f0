//! A machine that runs a program: one host that does one thing after the other, a device with three streams.
//!
//! - The host takes as long as the program says.
//! - The device begins something when the call that launched it has returned and the delay is over, its stream
//!   has been free for the gap, and the events that the stream waits for have happened.
//! - A wait of the host ends after its own time, but not before the awaited event and the time of its return.
//! - Workers of the data loader make batches in turns, each one after the other, up to two in advance.
//! - A call that launches waits while its stream's queue is full.

use std::collections::BTreeMap;

use super::items::{COLLECTIVES, COMPUTE, COPIES, Item, Launch, STREAMS, What};
use super::{Difference, Gone, Rules};
use crate::generator::simulate::{Event, Kind};

/// The numbers of the streams in the trace.
const NUMBERS: [u64; STREAMS] = [7, 20, 21];

/// A worker of the data loader makes so many batches ahead.
const AHEAD: usize = 2;

/// Time for the host to get a batch that is ready.
const GETS: i64 = 15_000;

const LOADERS: [&str; 2] = [
    "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
    "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__",
];

pub(super) struct Machine {
    difference: Difference,
    rules: Rules,
    now: i64,
    backward: bool,
    /// When each stream is free; `None` before its first activity.
    free: [Option<i64>; STREAMS],
    /// When the awaited events of each stream have happened.
    ready: [i64; STREAMS],
    /// When each stream began its activities.
    begun: [Vec<i64>; STREAMS],
    /// When each worker of the data loader finished its latest batch.
    made: Vec<i64>,
    /// When the host got the workers' batches.
    taken: Vec<i64>,
    /// When events happen, on which stream, and the correlation of the call that recorded them.
    happens: BTreeMap<usize, (i64, usize, u64)>,
    events: Vec<Event>,
    steps: Vec<(i64, i64)>,
    last_end: i64,
    next_id: u64,
}

impl Machine {
    pub(super) fn new(difference: Difference, rules: Rules) -> Self {
        let now = 1_000_000;
        Self {
            difference,
            rules,
            now,
            backward: false,
            free: [None; STREAMS],
            ready: [i64::MIN; STREAMS],
            begun: std::array::from_fn(|_| Vec::new()),
            made: vec![now; rules.workers],
            taken: Vec::new(),
            happens: BTreeMap::new(),
            events: Vec::new(),
            steps: Vec::new(),
            last_end: i64::MIN,
            next_id: 1000,
        }
    }

    pub(super) fn finish(self) -> (Vec<(i64, i64)>, Vec<Event>) {
        (self.steps, self.events)
    }

    pub(super) fn step(&mut self, number: usize, items: &[Item]) {
        let start = self.now;
        self.last_end = i64::MIN;
        self.now += 2_000;
        for item in items {
            self.item(item);
        }
        self.now += 3_000;
        let id = self.id();
        self.slice(Kind::Annotation { id }, &format!("ProfilerStep#{number}"), start, self.now);
        let begins = self.steps.last().map_or(start, |last| last.1.max(start));
        self.steps.push((begins, begins.max(self.now).max(self.last_end)));
        self.now += 500;
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Unrecorded(length) => self.now += length,
            Item::Data(length) => self.data(self.now + length),
            Item::Batch(length) => {
                let workers = self.rules.workers;
                let ahead = AHEAD * workers;
                let place = self.taken.len().checked_sub(ahead).map_or(i64::MIN, |before| self.taken[before]);
                let made = &mut self.made[self.taken.len() % workers];
                *made = (*made).max(place) + length;
                let until = (*made).max(self.now + GETS);
                self.data(until);
                self.taken.push(self.now);
            }
            Item::Thread { backward, after } => {
                self.now += after;
                self.backward = *backward;
            }
            Item::Operator { name, before, launches, after, inputs } => {
                let (start, id) = (self.now, self.id());
                let of = Gone::of_operator(name);
                self.now += self.difference.length(of, *before);
                for launch in launches {
                    self.launch(launch, id);
                }
                self.now += self.difference.length(of, *after);
                let collective = launches.iter().any(|launch| launch.what == What::Collective).then_some(id);
                let (backward, inputs) = (self.backward, inputs.clone());
                let kind = Kind::Operator { id, sequence: None, backward, collective, inputs };
                self.slice(kind, name, start, self.now);
            }
            Item::Graph { call, launches, awaits } => self.graph(*call, launches, *awaits),
            Item::Free { call, returns } => {
                let start = self.now;
                let awaited = (0..STREAMS).filter_map(|stream| self.free[stream]).max().unwrap_or(i64::MIN);
                let end = (start + call).max(awaited.saturating_add(*returns));
                self.call("cudaFree", self.difference.length(Gone::Allocations, end - start));
            }
            Item::Record { event, stream, length } => {
                let correlation = self.call("cudaEventRecord", self.difference.length(Gone::HostWork, *length));
                let at = self.free[*stream].unwrap_or(i64::MIN).max(self.ready[*stream]);
                self.happens.insert(*event, (at, *stream, correlation));
            }
            Item::Await { event, stream, length } => {
                let start = self.now;
                let correlation = self.call("cudaStreamWaitEvent", self.difference.length(Gone::HostWork, *length));
                if let Some((at, on, record)) = self.happens.get(event).copied() {
                    if !(self.difference.has(Difference::Overlap) && on == COLLECTIVES) {
                        self.ready[*stream] = self.ready[*stream].max(at);
                    }
                    let of = i64::try_from(NUMBERS[*stream]).unwrap_or_default();
                    self.tell("Stream Wait Event", start, correlation, of, Some((NUMBERS[on], record)));
                }
            }
            Item::WaitForDevice { call, returns } => {
                let awaited = (0..STREAMS).map(|stream| self.awaited(stream)).max().unwrap_or(i64::MIN);
                self.wait(("cudaDeviceSynchronize", "Context Sync"), (*call, *returns), awaited, -1, None);
            }
            Item::WaitForStream { stream, call, returns } => {
                let of = i64::try_from(NUMBERS[*stream]).unwrap_or_default();
                let awaited = self.awaited(*stream);
                self.wait(("cudaStreamSynchronize", "Stream Sync"), (*call, *returns), awaited, of, None);
            }
            Item::WaitForEvent { event, call, returns } => {
                if let Some((at, on, record)) = self.happens.get(event).copied() {
                    let record = Some((NUMBERS[on], record));
                    self.wait(("cudaEventSynchronize", "Event Sync"), (*call, *returns), at, -1, record);
                }
            }
            Item::CopyBack { name, launch, returns } => self.copy_back(name, launch, *returns),
            Item::Call { name, length } => {
                self.call(name, self.difference.length(Gone::of_call(name), *length));
            }
            Item::Python { name, length } => {
                let (start, id) = (self.now, self.id());
                self.now += self.difference.length(Gone::of_python(name), *length);
                self.slice(Kind::Python { id, parent: 0 }, name, start, self.now);
            }
            Item::Planted(item) if self.difference != Difference::NotPlanted => self.item(item),
            Item::Planted(_) => {}
        }
    }

    /// When a stream has finished its activities; `i64::MIN` if the difference removes that wait.
    fn awaited(&self, stream: usize) -> i64 {
        let overlapped = self.difference.has(Difference::Overlap) && stream == COLLECTIVES;
        self.free[stream].filter(|_| !overlapped).unwrap_or(i64::MIN)
    }

    fn wait(&mut self, names: (&str, &str), own: (i64, i64), awaited: i64, of: i64, event: Option<(u64, u64)>) {
        let (start, (call, returns)) = (self.now, own);
        let is_gone = self.difference.is_gone(Gone::Waits);
        let end = if is_gone { start } else { (start + call).max(awaited.saturating_add(returns)) };
        let correlation = self.call(names.0, end - start);
        self.tell(names.1, start, correlation, of, event);
    }

    /// The host has its data at this time.
    fn data(&mut self, until: i64) {
        let (start, id) = (self.now, self.id());
        self.now = if self.difference.has(Difference::Data) { start } else { until };
        let name = LOADERS[usize::from(self.rules.own_loader)];
        self.slice(Kind::Annotation { id }, name, start, self.now);
    }

    /// The host launches a graph: one call for all its activities.
    fn graph(&mut self, call: i64, launches: &[Launch], awaits: usize) {
        let free = self.difference.has(Difference::Launches);
        let (start, correlation) = (self.now, self.id());
        self.now += if free { 0 } else { call };
        self.slice(Kind::Call { id: correlation, correlation, launches: true }, "cudaGraphLaunch", start, self.now);
        // The graph begins when its stream has finished its earlier activities.
        let begins = self.free[COMPUTE].unwrap_or(i64::MIN);
        let mut copied = i64::MIN;
        for (place, launch) in launches.iter().enumerate() {
            let can_begin = (self.now + if free { 0 } else { launch.delay }).max(begins);
            if place == awaits {
                self.ready[COMPUTE] = self.ready[COMPUTE].max(copied);
            }
            let end = self.activity(launch, can_begin, (correlation, correlation));
            if launch.stream == COPIES {
                copied = end;
            }
        }
    }

    fn launch(&mut self, launch: &Launch, id: u64) {
        let free = self.difference.has(Difference::Launches);
        let (start, correlation) = (self.now, self.id());
        let begun = &self.begun[launch.stream];
        if let Some(place) = begun.len().checked_sub(self.rules.queue) {
            self.now = self.now.max(begun[place]);
        }
        self.now += if free { 0 } else { launch.call };
        let name = match launch.what {
            What::Kernel | What::Collective => "cudaLaunchKernel",
            What::Copy => "cudaMemcpyAsync",
            What::Fill => "cudaMemsetAsync",
        };
        self.slice(Kind::Call { id, correlation, launches: true }, name, start, self.now);
        let can_begin = self.now + if free { 0 } else { launch.delay };
        self.activity(launch, can_begin, (id, correlation));
    }

    /// The host copies, and returns when the device has copied.
    fn copy_back(&mut self, name: &str, launch: &Launch, returns: i64) {
        let (start, id, correlation) = (self.now, self.id(), self.id());
        let delay = if self.difference.has(Difference::Launches) { 0 } else { launch.call + launch.delay };
        let end = self.activity(launch, start + delay, (id, correlation)) + returns;
        self.now = if self.difference.is_gone(Gone::Waits) { start } else { end };
        self.slice(Kind::Call { id, correlation, launches: true }, name, start, self.now);
    }

    /// Runs an activity of the device as early as possible; returns its end.
    fn activity(&mut self, launch: &Launch, can_begin: i64, (id, correlation): (u64, u64)) -> i64 {
        let stream = launch.stream;
        let gap = self.difference.length(Gone::Pauses, launch.gap);
        let after = self.free[stream].map_or(i64::MIN, |free| free + gap);
        let awaited = std::mem::replace(&mut self.ready[stream], i64::MIN).saturating_add(gap);
        let start = can_begin.max(after).max(awaited);
        let length = match self.difference {
            Difference::Kernel(factor) if launch.name == super::Program::KERNEL => faster(launch.length, factor),
            Difference::Gone(Gone::Copies) if matches!(launch.what, What::Copy | What::Fill) => 0,
            Difference::Good(family) => {
                let good = launch.good.filter(|(known, _)| *known == family);
                good.map_or(launch.length, |(_, good)| good.min(launch.length))
            }
            _ => launch.length,
        };
        let end = start + length;
        self.free[stream] = Some(end);
        self.begun[stream].push(start);
        self.last_end = self.last_end.max(end);
        let (number, bytes) = (NUMBERS[stream], length.unsigned_abs() * 20);
        let kind = match launch.what {
            What::Kernel => Kind::Kernel { id, correlation, stream: number, collective: None },
            What::Collective => Kind::Kernel { id, correlation, stream: number, collective: Some(id) },
            What::Copy => Kind::Memcpy { id, correlation, stream: number, bytes },
            What::Fill => Kind::Memset { id, correlation, bytes },
        };
        let event = Event { kind, name: launch.name.to_owned(), start, length, backward_thread: false };
        self.events.push(event);
        end
    }

    /// A call that launches nothing; returns its correlation.
    fn call(&mut self, name: &str, length: i64) -> u64 {
        let (start, id, correlation) = (self.now, self.id(), self.id());
        self.now += length;
        self.slice(Kind::Call { id, correlation, launches: false }, name, start, self.now);
        correlation
    }

    /// The profiler records a wait, if it does so at all.
    fn tell(&mut self, name: &str, start: i64, correlation: u64, stream: i64, event: Option<(u64, u64)>) {
        if self.rules.tells_waits {
            self.slice(Kind::Wait { correlation, stream, event }, name, start, self.now);
        }
    }

    fn slice(&mut self, kind: Kind, name: &str, start: i64, end: i64) {
        let backward_thread = self.backward;
        self.events.push(Event { kind, name: name.to_owned(), start, length: end - start, backward_thread });
    }

    fn id(&mut self) -> u64 {
        self.next_id += 1;
        self.next_id
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "lengths of kernels")]
fn faster(length: i64, factor: f64) -> i64 {
    (length as f64 / factor).round() as i64
}
