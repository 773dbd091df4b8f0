//! The profiler of a training loop, after PyTorch's and Paddle's.

use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Instant;

use stepscope_format::Category;

use super::costs::{CostSummary, Costs};
use super::scheduler::{Scheduler, State};
use crate::record::{
    Options, Span, StaticName, create_folders, create_private, is_environments, start, stop, tell_of_environment,
    with_path,
};
use crate::recover::{Recovered, recover_file};

static STEP: StaticName = StaticName::new("step");
static WARM_UP: StaticName = StaticName::new("warm_up");
static SAMPLES: StaticName = StaticName::new("samples");

/// What is called with each finished recording.
type Handler = Box<dyn FnMut(&Recorded) -> io::Result<()>>;

/// A recording that a [`Profiler`] finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The raw recording of this process. Those of forked children, if any, stand in the same folder.
    pub file: PathBuf,
    /// How many recordings the profiler finished before.
    pub index: u64,
    /// The first and the last step that was recorded, without warm-ups.
    pub steps: RangeInclusive<u64>,
}

impl Recorded {
    /// Writes it as one compact file, which the page and the program `stepscope` open. Only its owner may read it.
    ///
    /// # Errors
    ///
    /// If the recording cannot be read, or the file not be written.
    pub fn write_compact(&self, path: impl AsRef<Path>) -> io::Result<Recovered> {
        let path = path.as_ref();
        if let Some(folder) = path.parent() {
            create_folders(folder).map_err(|error| with_path(folder, &error))?;
        }
        let mut file = create_private(path).map_err(|error| with_path(path, &error))?;
        recover_file(&self.file, &mut file)
    }
}

/// A handler for [`ProfilerOptions::on_trace_ready`] that writes each recording as a compact file into a folder, under
/// the raw one's name.
pub fn export_compact(folder: impl Into<PathBuf>) -> impl FnMut(&Recorded) -> io::Result<()> + 'static {
    let folder = folder.into();
    move |recorded| {
        let name = recorded.file.file_stem().unwrap_or_default();
        let path = folder.join(name).with_extension("stepscope");
        recorded.write_compact(path).map(|_| ())
    }
}

/// How a [`Profiler`] works.
#[derive(Debug)]
#[must_use = "it is started by `start`"]
pub struct ProfilerOptions {
    record: Options,
    scheduler: Scheduler,
    handler: Option<HandlerOf>,
    timer_only: bool,
}

/// A handler, which has nothing to print.
struct HandlerOf(Handler);

impl std::fmt::Debug for HandlerOf {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Handler")
    }
}

impl ProfilerOptions {
    /// Which steps are recorded; all, if this is not called.
    pub fn scheduler(mut self, scheduler: Scheduler) -> Self {
        self.scheduler = scheduler;
        self
    }

    /// What is done with each recording as soon as it is finished; its error comes out of [`Profiler::step`] or
    /// [`Profiler::stop`]. Not called where the environment had the recording started, `stepscope record` for example: it is
    /// not finished then, and not the program's. A line on standard error says so.
    pub fn on_trace_ready(mut self, handler: impl FnMut(&Recorded) -> io::Result<()> + 'static) -> Self {
        self.handler = Some(HandlerOf(Box::new(handler)));
        self
    }

    /// Records nothing: only [`Profiler::step_info`] and [`Profiler::summary`].
    pub fn timer_only(mut self, timer_only: bool) -> Self {
        self.timer_only = timer_only;
        self
    }

    /// Begins with step 0 of epoch 0.
    ///
    /// # Errors
    ///
    /// If the step is to be recorded and this fails: see [`start`](fn@crate::start).
    pub fn start(self) -> io::Result<Profiler> {
        let mut profiler = Profiler {
            options: self,
            state: State::Closed,
            file: None,
            is_own: false,
            recorded: None,
            finished: 0,
            number: 0,
            epoch: 0,
            step: None,
            costs: Costs::default(),
            since: Instant::now(),
            is_over: false,
        };
        profiler.enter()?;
        profiler.since = Instant::now();
        Ok(profiler)
    }
}

/// Records the steps of a training loop that a [`Scheduler`] chooses, and counts what all of them cost.
///
/// A step lasts from [`start`](ProfilerOptions::start) or the call of [`step`](Self::step) before to the next one. It is a
/// span with its number; a warm-up has the argument `warm_up`, and what [`step_with`](Self::step_with) is told the
/// argument `samples`: the analyzer leaves the ones out of averages, and counts the others per second. What is done after
/// the last call of `step` belongs to no step. Dropping it stops it.
///
/// Where the environment started a recording ([`VARIABLE`](crate::VARIABLE)), that one goes on whatever the scheduler says,
/// and its files are made by whoever wanted it: handlers are not called.
///
/// ```
/// use stepscope_collector::{Category, Cycle, Options, Profiler, Scheduler, export_compact, span};
///
/// # let folder = std::env::temp_dir().join(format!("stepscope-profiler-{}", std::process::id()));
/// let mut profiler = Profiler::new(Options::new(folder.join("raw")))
///     .scheduler(Scheduler::cycle(Cycle { wait: 1, warm_up: 1, active: 3, repeat: 2, ..Cycle::default() }))
///     .on_trace_ready(export_compact(&folder))
///     .start()?;
/// let mut batches = 0..12;
/// while let Some(batch) = profiler.read(|| batches.next()) {
///     {
///         let _forward = span!("forward", in Category::Forward, batch);
///     }
///     profiler.step_with(32)?; // samples in the batch
///     if batch % 5 == 4 {
///         println!("{}", profiler.step_info("images")); // reader_cost: … s batch_cost: … s ips: … images/s
///     }
/// }
/// profiler.stop()?;
/// let compact = std::fs::read_dir(&folder)?.filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().is_file()));
/// assert_eq!(compact.count(), 2);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Profiler {
    options: ProfilerOptions,
    state: State,
    /// The recording that is being made, and whether it is not the environment's.
    file: Option<PathBuf>,
    is_own: bool,
    /// The steps in it, without warm-ups.
    recorded: Option<RangeInclusive<u64>>,
    finished: u64,
    number: u64,
    epoch: u64,
    step: Option<Span>,
    costs: Costs,
    since: Instant,
    is_over: bool,
}

impl Profiler {
    /// A profiler that records as these options say, once it is started.
    #[expect(clippy::new_ret_no_self, reason = "it is made of its options")]
    pub fn new(record: Options) -> ProfilerOptions {
        ProfilerOptions { record, scheduler: Scheduler::always(), handler: None, timer_only: false }
    }

    /// The number of the step that is running.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What becomes of the step that is running.
    #[must_use]
    pub fn state(&self) -> State {
        self.state
    }

    /// Waits for data: the time counts as the step's reader cost, and is a span of [`Category::DataLoader`].
    pub fn read<T>(&mut self, read: impl FnOnce() -> T) -> T {
        static WAIT: StaticName = StaticName::new("next batch");
        let _wait = Span::with(Category::DataLoader, &WAIT, 0);
        let since = Instant::now();
        let data = read();
        self.costs.reader(since.elapsed());
        data
    }

    /// Ends the step, and begins the next one.
    ///
    /// # Errors
    ///
    /// If a recording cannot be started, or the handler failed. The profiler goes on all the same.
    pub fn step(&mut self) -> io::Result<()> {
        self.end_step(None)
    }

    /// Ends the step, which worked on so many samples, and begins the next one.
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn step_with(&mut self, samples: u64) -> io::Result<()> {
        self.end_step(Some(samples))
    }

    /// Says that an epoch ended with the last step, for [`Scheduler::epochs`].
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn next_epoch(&mut self) -> io::Result<()> {
        self.epoch += 1;
        self.forget_step();
        self.enter()
    }

    /// What steps cost since this was last asked: `reader_cost: 0.00012 s batch_cost: 0.01234 s ips: 2593.192 images/s`.
    /// Without data read there is no `reader_cost`; without samples, `ips` counts steps.
    #[must_use]
    pub fn step_info(&mut self, unit: &str) -> String {
        self.costs.take_info(unit)
    }

    /// What all steps cost but the first ten; `None` if there were no more. `unit`: what samples are called.
    #[must_use]
    pub fn summary(&self, unit: &str) -> Option<CostSummary> {
        self.costs.summary(unit)
    }

    /// Ends profiling, in the middle of a step or behind the last one.
    ///
    /// # Errors
    ///
    /// If the handler failed.
    pub fn stop(mut self) -> io::Result<()> {
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        self.forget_step();
        self.finish()
    }

    fn end_step(&mut self, samples: Option<u64>) -> io::Result<()> {
        if let Some(step) = self.step.take() {
            if let Some(samples) = samples {
                step.argument(&SAMPLES, samples);
            }
            if matches!(self.state, State::Record | State::RecordAndReturn) && self.file.is_some() {
                let first = self.recorded.as_ref().map_or(self.number, |steps| *steps.start());
                self.recorded = Some(first..=self.number);
            }
        }
        self.costs.step(self.since.elapsed(), samples);
        let finished = if self.state == State::RecordAndReturn { self.finish() } else { Ok(()) };
        self.number += 1;
        let entered = self.enter();
        // What the handler takes is no step's.
        self.since = Instant::now();
        finished.and(entered)
    }

    /// Begins a step, in a recording if it is to be recorded.
    fn enter(&mut self) -> io::Result<()> {
        let before = self.state;
        self.state = self.options.scheduler.state(self.number, self.epoch);
        if self.options.timer_only {
            return Ok(());
        }
        let ends = self.state == State::Closed || (self.state == State::Ready && before != State::Ready);
        let finished = if ends { self.finish() } else { Ok(()) };
        let started = match (&self.file, self.state) {
            (Some(_), _) | (None, State::Closed) => Ok(()),
            _ => start(&self.options.record).map(|file| {
                (self.file, self.is_own) = (Some(file), !is_environments());
            }),
        };
        // Where nothing is recorded, it is nothing.
        let step = Span::with(Category::Step, &STEP, self.number);
        if self.state == State::Ready {
            step.argument(&WARM_UP, true);
        }
        self.step = Some(step);
        finished.and(started)
    }

    /// Forgets a step that is not to be one: it would be the shortest of all.
    fn forget_step(&mut self) {
        if let Some(step) = self.step.take() {
            step.discard();
        }
    }

    /// Ends the recording, if there is one.
    fn finish(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        stop();
        let steps = self.recorded.take();
        if !self.is_own {
            if self.options.handler.is_some() && steps.is_some() {
                tell_of_environment("on_trace_ready is not called");
            }
            return Ok(());
        }
        let Some(steps) = steps else {
            // Nothing but warm-ups: nobody wants it.
            return std::fs::remove_file(file);
        };
        let recorded = Recorded { file, index: self.finished, steps };
        self.finished += 1;
        self.options.handler.as_mut().map_or(Ok(()), |HandlerOf(handler)| handler(&recorded))
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        // Whoever wants to know calls `stop`.
        let _ = self.end();
    }
}
