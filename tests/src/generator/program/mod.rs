//! Programs that can be run again with one thing changed.
//!
//! A program lists the actions of the host and its launches, with all lengths; a machine of simple rules runs it and
//! returns their times. Running it with a [`Difference`] gives the true times of the same program with that changed,
//! which a what-if on the trace of the first run has to predict. The machine knows nothing of traces, and shares
//! nothing with the analyzer.

mod gone;
mod items;
mod machine;
mod problems;
mod work;

pub use self::gone::Gone;
pub use self::items::{ProgramSpec, Waits};
pub use self::problems::Problem;
pub use self::work::{Family, Product};

use self::items::Item;
use self::machine::Machine;
use super::Spec;
use super::simulate::Event;
use super::write::{Producer, Writer};

/// A program: the items of each of its steps, in the order of the host.
#[derive(Clone, Debug)]
pub struct Program {
    steps: Vec<Vec<Item>>,
    /// Elements of a collective.
    elements: u64,
    rules: Rules,
}

/// Rules of the machine that runs a program.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Whether the profiler records which stream waits for what.
    tells_waits: bool,
    /// Whether the data loader runs in the host's own thread.
    own_loader: bool,
    /// Most launches that wait in a stream's queue.
    queue: usize,
    /// Workers of the data loader.
    workers: usize,
}

/// Elements, four bytes each, of collectives that saturate links, and of those that do not.
const LARGE: u64 = 16 << 20;
const SMALL: u64 = 1 << 20;

/// A change for another run of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// Nothing.
    Nothing,
    /// Communication is never waited for.
    Overlap,
    /// Data is there at once.
    Data,
    /// Calls that launch take no time, nor do the delays of their launches.
    Launches,
    /// Kernels of [`Program::KERNEL`] are so many times as fast.
    Kernel(f64),
    /// The items that [`Problem`]s added do not happen.
    NotPlanted,
    /// Kernels of a family that take longer than good ones take as long as good ones.
    Good(Family),
    /// A cost of the host or the device is removed.
    Gone(Gone),
    /// Those of [`Overlap`](Self::Overlap), [`Data`](Self::Data) and [`Launches`](Self::Launches) that are chosen, together.
    Several([bool; 3]),
}

impl Difference {
    /// Whether this is a difference, or several with that one among them.
    fn has(self, other: Self) -> bool {
        let chosen = |place: usize| matches!(self, Self::Several(chosen) if chosen[place]);
        self == other
            || match other {
                Self::Overlap => chosen(0),
                Self::Data => chosen(1),
                Self::Launches => chosen(2) || self.is_gone(Gone::HostWork),
                _ => false,
            }
    }

    /// Whether a cost is removed.
    fn is_gone(self, what: Gone) -> bool {
        self == Self::Gone(what)
    }

    /// Length of an item whose cost may be removed.
    fn length(self, what: Gone, length: i64) -> i64 {
        if self.is_gone(what) { 0 } else { length }
    }
}

impl Program {
    /// The kernel that [`Difference::Kernel`] makes faster.
    pub const KERNEL: &str = super::simulate::KERNELS[0];

    /// The program of a spec: the same for equal specs.
    #[must_use]
    pub fn new(spec: ProgramSpec) -> Self {
        // A long wait that only depends on when the host asks is its own work.
        let own_loader = spec.data_wait > 600_000;
        let rules = Rules { tells_waits: spec.tells_waits, own_loader, queue: usize::MAX, workers: 1 };
        Self { steps: items::steps(&spec), elements: LARGE, rules }
    }

    /// The program with a planted problem.
    #[must_use]
    pub fn with(mut self, problem: Problem) -> Self {
        match problem {
            Problem::SmallCollectives | Problem::SmallBuckets(..) => self.elements = SMALL,
            Problem::OwnLoader(_) => self.rules.own_loader = true,
            Problem::FullQueue(queue) => self.rules.queue = queue,
            Problem::SlowWorkers(_, workers) => self.rules.workers = workers.max(1),
            _ => {}
        }
        for (number, step) in self.steps.iter_mut().enumerate() {
            problem.plant(number, step);
        }
        self
    }

    /// Start and end of each step if the program runs with a difference: METRICS section 3.
    #[must_use]
    pub fn steps(&self, difference: Difference) -> Vec<(i64, i64)> {
        self.run(difference).0
    }

    /// The trace of a run without any difference, as PyTorch's profiler writes it.
    #[must_use]
    pub fn trace(&self) -> Vec<u8> {
        self.trace_of(Difference::Nothing)
    }

    /// The trace of a run with a difference.
    #[must_use]
    pub fn trace_of(&self, difference: Difference) -> Vec<u8> {
        self.written(difference, Producer::Kineto)
    }

    /// The trace of a run without any difference, as another profiler writes it.
    #[must_use]
    pub fn trace_as(&self, producer: Producer) -> Vec<u8> {
        self.written(Difference::Nothing, producer)
    }

    fn written(&self, difference: Difference, producer: Producer) -> Vec<u8> {
        let mut bytes = Vec::new();
        let style = Spec { producer, world_size: 2, elements: self.elements, ..Spec::default() };
        // Writing to memory cannot fail.
        if let Ok(mut writer) = Writer::new(&mut bytes, &style) {
            let mut events = self.run(difference).1;
            events.sort_by_key(|event| (event.order(), event.start, -event.length));
            let _ = writer.events(&events).and_then(|()| writer.finish());
        }
        bytes
    }

    fn run(&self, difference: Difference) -> (Vec<(i64, i64)>, Vec<Event>) {
        let mut machine = Machine::new(difference, self.rules);
        for (number, items) in self.steps.iter().enumerate() {
            machine.step(number, items);
        }
        machine.finish()
    }
}
