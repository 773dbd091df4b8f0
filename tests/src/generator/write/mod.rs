//! The simulated events as a profiler writes them.

mod chrome;
mod kineto;
mod mindspore;
mod native;
mod nvprof;
mod paddle;

use std::io::{self, Write};

use self::chrome::Chrome;
use self::kineto::Kineto;
use self::mindspore::MindSpore;
use self::native::Native;
use self::nvprof::Nvprof;
use self::paddle::Paddle;
use super::Spec;
use super::simulate::Event;

/// The generator's zero on the trace's clock: far from zero, so that times need 16 digits.
const CLOCK_OFFSET: i64 = 4_458_676_416_000_000;

/// The clock's base in ns since 1970.
const BASE: u64 = 1_790_795_520_000_000_000;

const PROCESS: u64 = 2_910_249;
const MAIN_THREAD: u64 = 2_910_249;
const BACKWARD_THREAD: u64 = 2_919_752;

/// Profiler whose format is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Producer {
    /// PyTorch's, as its C++ exporter writes: everything that is simulated.
    #[default]
    Kineto,
    /// PaddlePaddle's chrome tracing export: without Python's functions and allocations.
    Paddle,
    /// Any Chrome trace: every slice, with no meaning but its name, category and thread.
    Chrome,
    /// MindSpore's `trace_view.json` of an Ascend device: without allocations.
    MindSpore,
    /// nvprof's `--print-gpu-trace --csv`: the device's activities.
    Nvprof,
    /// Our own compact file, of a recording with CUPTI: without Python's functions.
    Native,
}

impl Producer {
    /// All, with their names in the program `generate`.
    pub const ALL: [(&'static str, Self); 6] = [
        ("kineto", Self::Kineto),
        ("paddle", Self::Paddle),
        ("chrome", Self::Chrome),
        ("mindspore", Self::MindSpore),
        ("nvprof", Self::Nvprof),
        ("native", Self::Native),
    ];

    fn style(self, spec: &Spec) -> Box<dyn Style> {
        match self {
            Self::Kineto => Box::new(Kineto::new(spec)),
            Self::Paddle => Box::new(Paddle::default()),
            Self::Chrome => Box::new(Chrome::default()),
            Self::MindSpore => Box::new(MindSpore::default()),
            Self::Nvprof => Box::new(Nvprof::default()),
            Self::Native => Box::new(Native::new(spec)),
        }
    }
}

/// Format of a profiler.
trait Style {
    /// Writes the part before the first event.
    fn head(&mut self);
    fn event(&mut self, event: &Event);
    /// Writes the part after the last event.
    fn tail(&mut self);
    /// Number of bytes that can be taken.
    fn pending(&self) -> usize;
    /// Takes the bytes that were written since the last call.
    fn take(&mut self) -> Vec<u8>;
}

pub(super) struct Writer<'a> {
    sink: &'a mut dyn Write,
    style: Box<dyn Style>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(sink: &'a mut dyn Write, spec: &Spec) -> io::Result<Self> {
        let mut writer = Self { sink, style: spec.producer.style(spec) };
        writer.style.head();
        writer.flush()?;
        Ok(writer)
    }

    pub(super) fn events(&mut self, events: &[Event]) -> io::Result<()> {
        for event in events {
            self.style.event(event);
            if self.style.pending() > 1 << 16 {
                self.flush()?;
            }
        }
        self.flush()
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.style.tail();
        self.flush()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.write_all(&self.style.take())
    }
}

/// Nanoseconds as microseconds with three decimals.
fn micros(nanos: i64) -> String {
    format!("{}.{:03}", nanos / 1000, nanos % 1000)
}
