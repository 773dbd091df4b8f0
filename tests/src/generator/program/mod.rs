//! Programs that can be run again with one thing changed.
//!
//! A program says what the host does and what it tells the device to do, with all lengths; a machine of
//! simple rules runs it and says when all that happens. Running it with a [`Difference`] gives the true
//! times of the same program with that changed, which a what-if on the trace of the first run has to
//! predict. The machine knows nothing of traces, and shares nothing with the analyzer.

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

/// A program: what happens in each of its steps, in the order of the host.
#[derive(Clone, Debug)]
pub struct Program {
    steps: Vec<Vec<Item>>,
    /// Elements of a collective.
    elements: u64,
    rules: Rules,
}

/// How the machine works that runs a program.
#[derive(Clone, Copy, Debug)]
struct Rules {
    /// Whether the profiler tells of who waits for what.
    tells_waits: bool,
    /// Whether the data loader runs in the host's own thread.
    own_loader: bool,
    /// So many launches wait in a stream's queue at the most.
    queue: usize,
}

/// Elements, four bytes each, of collectives that fill links, and of those that do not.
const LARGE: u64 = 16 << 20;
const SMALL: u64 = 1 << 20;

/// What is different when a program runs again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Difference {
    /// Nothing.
    Nothing,
    /// Nobody waits for communication.
    Overlap,
    /// Data is there at once.
    Data,
    /// Calls that launch take no time, nor does it until the device sees what they launched.
    Launches,
    /// Kernels of [`Program::KERNEL`] are so many times as fast.
    Kernel(f64),
    /// What [`Problem`]s added does not happen.
    NotPlanted,
    /// Kernels of a family that take longer than good ones take as long as those.
    Good(Family),
    /// Something that takes the host or the device time takes none.
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

    /// Whether something takes no time.
    fn is_gone(self, what: Gone) -> bool {
        self == Self::Gone(what)
    }

    /// How long something takes that may be gone.
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
        let rules = Rules { tells_waits: spec.tells_waits, own_loader: false, queue: usize::MAX };
        Self { steps: items::steps(&spec), elements: LARGE, rules }
    }

    /// The program with a problem that it did not have.
    #[must_use]
    pub fn with(mut self, problem: Problem) -> Self {
        match problem {
            Problem::SmallCollectives | Problem::SmallBuckets(..) => self.elements = SMALL,
            Problem::OwnLoader(_) => self.rules.own_loader = true,
            Problem::FullQueue(queue) => self.rules.queue = queue,
            _ => {}
        }
        for (number, step) in self.steps.iter_mut().enumerate() {
            problem.plant(number, step);
        }
        self
    }

    /// From when to when each step lasts if the program runs with a difference: METRICS section 3.
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
