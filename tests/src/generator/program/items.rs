//! The items of a program, with all lengths drawn in advance.

use super::work::{Family, Product, Work, elements_for, product, rows_for, sum};
use crate::generator::Random;
use crate::generator::simulate::{Inputs, KERNELS};

/// Parameters of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramSpec {
    /// Equal seeds give equal programs.
    pub seed: u64,
    /// Training steps.
    pub steps: usize,
    /// Operators in each of a step's forward, backward and optimizer part.
    pub operators: usize,
    /// Host time per operator, launches aside, in ns.
    pub host: u64,
    /// Mean length of a kernel, in ns.
    pub kernel: u64,
    /// Mean length of a collective, in ns.
    pub collective: u64,
    /// Percent of the backward operators that communicate.
    pub communicating: u64,
    /// Time for which the host waits for data in each step, in ns.
    pub data_wait: u64,
    /// The host's wait for the device at each step's end.
    pub waits: Waits,
    /// Whether the backward part has a thread of its own.
    pub backward_thread: bool,
    /// Whether the profiler records which stream waits for what.
    pub tells_waits: bool,
    /// Whether operators have shapes, and launch one kernel each that runs near the device's limit.
    pub shapes: bool,
}

/// The host's wait for the device at a step's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    /// It does not: it may be steps ahead.
    Never,
    /// For all streams.
    Device,
    /// For the stream that computes, after a copy to the host.
    Stream,
    /// For an event on that stream.
    Event,
    /// In a copy to pageable memory.
    Copy,
}

/// The stream of everything but collectives.
pub(super) const COMPUTE: usize = 0;
pub(super) const COLLECTIVES: usize = 1;
/// A stream for copies alone.
pub(super) const COPIES: usize = 2;
/// Number of streams.
pub(super) const STREAMS: usize = 3;

/// One item of the host.
#[derive(Clone, Debug)]
pub(super) enum Item {
    /// Something that is not recorded.
    Unrecorded(i64),
    /// It waits for data.
    Data(i64),
    /// The other thread continues, after a while.
    Thread { backward: bool, after: i64 },
    /// It waits for a batch that a worker of the data loader makes in so many ns; each makes one after the other.
    Batch(i64),
    /// An operator: its time before the launches, its launches, its time afterwards.
    Operator { name: &'static str, before: i64, launches: Vec<Launch>, after: i64, inputs: Option<Inputs> },
    /// It launches a graph; the kernel at a place waits for the graph's copy, which is on a stream of its own.
    Graph { call: i64, launches: Vec<Launch>, awaits: usize },
    /// It frees memory: the driver waits for all streams first.
    Free { call: i64, returns: i64 },
    /// It records an event.
    Record { event: usize, stream: usize, length: i64 },
    /// It makes a stream wait for an event.
    Await { event: usize, stream: usize, length: i64 },
    /// It waits for all streams: the call's own duration without a wait, and the time from the end of the wait to its
    /// return.
    WaitForDevice { call: i64, returns: i64 },
    /// It waits for a stream.
    WaitForStream { stream: usize, call: i64, returns: i64 },
    /// It waits for an event.
    WaitForEvent { event: usize, call: i64, returns: i64 },
    /// It copies, and returns when that is done: in a synchronous call, or because the memory is pageable.
    CopyBack { name: &'static str, launch: Launch, returns: i64 },
    /// A call that launches nothing.
    Call { name: &'static str, length: i64 },
    /// A function of Python, in which nothing else is recorded.
    Python { name: &'static str, length: i64 },
    /// A planted problem: without it, this does not happen.
    Planted(Box<Self>),
}

/// An activity for the device.
#[derive(Clone, Debug)]
pub(super) struct Launch {
    pub(super) name: &'static str,
    pub(super) what: What,
    pub(super) stream: usize,
    /// Duration of the call.
    pub(super) call: i64,
    /// Delay from the call's end to the earliest beginning on the device.
    pub(super) delay: i64,
    /// Gap after the stream's previous activity.
    pub(super) gap: i64,
    /// Duration on the device.
    pub(super) length: i64,
    /// Duration of a good kernel, if the work of this one is known.
    pub(super) good: Option<(Family, i64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Kernel,
    Collective,
    Copy,
    Fill,
}

struct Writer<'a> {
    spec: &'a ProgramSpec,
    random: Random,
    items: Vec<Item>,
    events: usize,
}

pub(super) fn steps(spec: &ProgramSpec) -> Vec<Vec<Item>> {
    let mut writer = Writer { spec, random: Random::new(spec.seed), items: Vec::new(), events: 0 };
    (0..spec.steps).map(|_| writer.step()).collect()
}

impl Writer<'_> {
    fn step(&mut self) -> Vec<Item> {
        let data = self.around(self.spec.data_wait);
        self.items.push(Item::Data(data));
        for _ in 0..self.spec.operators {
            self.operator("aten::linear");
        }
        if self.spec.backward_thread {
            let after = self.between(5_000, 20_000);
            self.items.push(Item::Thread { backward: true, after });
        }
        let mut reduced = None;
        for _ in 0..self.spec.operators {
            self.operator("autograd::engine::evaluate_function: AddmmBackward0");
            if self.random.percent(self.spec.communicating) {
                reduced = Some(self.collective());
            }
        }
        if self.spec.backward_thread {
            let after = self.between(5_000, 20_000);
            self.items.push(Item::Thread { backward: false, after });
        }
        if let Some(event) = reduced {
            let length = self.between(600, 1_500);
            self.items.push(Item::Await { event, stream: COMPUTE, length });
        }
        for _ in 0..self.spec.operators {
            self.operator("aten::_foreach_add_");
        }
        self.wait();
        std::mem::take(&mut self.items)
    }

    fn operator(&mut self, name: &'static str) {
        let pause = self.between(200, 3_000);
        self.items.push(Item::Unrecorded(pause));
        if self.spec.shapes {
            let work = self.work();
            let mut launch = self.launch(work.kernel, What::Kernel, COMPUTE, work.length);
            launch.good = Some((work.family, work.good));
            let (before, after) = (self.around(self.spec.host), self.around(self.spec.host / 2));
            let (name, inputs) = (work.operator, Some(work.inputs));
            self.items.push(Item::Operator { name, before, launches: vec![launch], after, inputs });
            return;
        }
        let launches = self.random.range(1, 3);
        let launches = (0..launches).map(|_| self.computation()).collect();
        let (before, after) = (self.around(self.spec.host), self.around(self.spec.host / 2));
        self.items.push(Item::Operator { name, before, launches, after, inputs: None });
    }

    /// A product or a sum that takes about as long as other kernels, near the device's limit.
    fn work(&mut self) -> Work {
        let length = self.around(self.spec.kernel);
        if self.random.percent(60) {
            let percent = self.between(81, 97);
            product(rows_for(length * percent / 100), percent, Product::Aligned)
        } else {
            let percent = self.between(86, 98);
            sum(elements_for(length * percent / 100), percent)
        }
    }

    fn computation(&mut self) -> Launch {
        let what = match self.random.range(0, 19) {
            0 => What::Copy,
            1 => What::Fill,
            _ => What::Kernel,
        };
        let name = match what {
            What::Copy => "Memcpy HtoD (Pinned -> Device)",
            What::Fill => "Memset (Device)",
            _ => self.random.pick(&KERNELS),
        };
        let length = self.around(self.spec.kernel);
        self.launch(name, what, COMPUTE, length)
    }

    fn launch(&mut self, name: &'static str, what: What, stream: usize, length: i64) -> Launch {
        let (call, delay) = (self.between(2_500, 6_500), self.between(1_000, 4_000));
        Launch { name, what, stream, call, delay, gap: self.between(800, 1_600), length, good: None }
    }

    /// A collective that waits for earlier computation; returns the event of its end.
    fn collective(&mut self) -> usize {
        let (ready, done) = (self.events, self.events + 1);
        self.events += 2;
        let lengths: [i64; 4] = std::array::from_fn(|_| self.between(600, 1_500));
        self.items.push(Item::Record { event: ready, stream: COMPUTE, length: lengths[0] });
        self.items.push(Item::Await { event: ready, stream: COLLECTIVES, length: lengths[1] });
        let length = self.around(self.spec.collective);
        let name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*, unsigned long, ncclWork*)";
        let launches = vec![self.launch(name, What::Collective, COLLECTIVES, length)];
        let (before, after) = (lengths[2], lengths[3]);
        self.items.push(Item::Operator { name: "c10d::allreduce_", before, launches, after, inputs: None });
        let length = self.between(600, 1_500);
        self.items.push(Item::Record { event: done, stream: COLLECTIVES, length });
        done
    }

    fn wait(&mut self) {
        let (call, returns) = (self.between(1_500, 3_000), self.between(3_000, 6_000));
        let length = self.between(1_000, 2_000);
        match self.spec.waits {
            Waits::Never => {}
            Waits::Device => self.items.push(Item::WaitForDevice { call, returns }),
            Waits::Stream => {
                let copy = self.launch("Memcpy DtoH (Device -> Pinned)", What::Copy, COMPUTE, length);
                let launches = vec![copy];
                let copy = Item::Operator { name: "aten::copy_", before: 700, launches, after: 300, inputs: None };
                self.items.push(copy);
                self.items.push(Item::WaitForStream { stream: COMPUTE, call, returns });
            }
            Waits::Event => {
                let event = self.events;
                self.events += 1;
                self.items.push(Item::Record { event, stream: COMPUTE, length });
                self.items.push(Item::WaitForEvent { event, call, returns });
            }
            Waits::Copy => {
                let launch = self.launch("Memcpy DtoH (Device -> Pageable)", What::Copy, COMPUTE, length);
                self.items.push(Item::CopyBack { name: "cudaMemcpyAsync", launch, returns });
            }
        }
    }

    fn around(&mut self, mean: u64) -> i64 {
        self.between(mean / 2, mean + mean / 2).max(1)
    }

    fn between(&mut self, low: u64, high: u64) -> i64 {
        i64::try_from(self.random.range(low, high)).unwrap_or(i64::MAX)
    }
}
