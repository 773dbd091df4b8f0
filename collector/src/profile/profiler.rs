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
static PARTIAL: StaticName = StaticName::new("partial");

/// Callback for each finished recording.
type Handler = Box<dyn FnMut(&Recorded) -> io::Result<()>>;

/// A recording that a [`Profiler`] finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The raw recording of this process. Those of forked children, if any, stand in the same folder.
    pub file: PathBuf,
    /// Number of recordings that the profiler finished before.
    pub index: u64,
    /// The first and the last step that was recorded, without warm-up steps.
    pub steps: RangeInclusive<u64>,
    /// Whether the last of these steps is partial: recording ended before the step did.
    pub partial: bool,
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

/// Options of a [`Profiler`].
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

    /// Sets the handler of finished recordings; [`Profiler::step`] or [`Profiler::stop`] returns its error. It is not
    /// called for a recording that the environment started, as `stepscope record` does: that one is unfinished, and not
    /// the program's. A line on standard error says so.
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
            partial: false,
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

/// Records the steps of a training loop that a [`Scheduler`] chooses, and measures the costs of all steps.
///
/// A step lasts from [`start`](ProfilerOptions::start) or the call of [`step`](Self::step) before to the next one. It
/// is a span with its number; a warm-up step has the argument `warm_up`: the analyzer leaves it out of averages. The
/// number given to [`step_with`](Self::step_with) is the argument `samples`: the analyzer counts samples per second.
/// Work after the last call of `step` belongs to no step. Dropping the profiler stops it.
///
/// A step that does not complete has the argument `partial`, and the analyzer leaves it out of averages: the step in
/// which a panic ends the profiler, and the first step of a recording that ends before any step completes. A recording
/// is deleted only if it contains nothing but warm-up steps.
///
/// Where the environment started a recording ([`VARIABLE`](crate::VARIABLE)), that one continues whatever the scheduler
/// says. Its files belong to the program that started it, so handlers are not called.
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
    /// The steps in it, without warm-up steps.
    recorded: Option<RangeInclusive<u64>>,
    /// Whether the last of them did not complete.
    partial: bool,
    finished: u64,
    number: u64,
    epoch: u64,
    step: Option<Span>,
    costs: Costs,
    since: Instant,
    is_over: bool,
}

impl Profiler {
    /// A profiler with these options, once it is started.
    #[expect(clippy::new_ret_no_self, reason = "it is made of its options")]
    pub fn new(record: Options) -> ProfilerOptions {
        ProfilerOptions { record, scheduler: Scheduler::always(), handler: None, timer_only: false }
    }

    /// The number of the step that is running.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// State of the step that is running.
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
    /// If a recording cannot be started, or the handler failed. The profiler continues.
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

    /// Reports that an epoch ended with the last step, for [`Scheduler::epochs`].
    ///
    /// # Errors
    ///
    /// As [`step`](Self::step).
    pub fn next_epoch(&mut self) -> io::Result<()> {
        self.epoch += 1;
        self.leave_step();
        self.enter()
    }

    /// Costs of steps since the last call: `reader_cost: 0.00012 s batch_cost: 0.01234 s ips: 2593.192 images/s`.
    /// Without data read there is no `reader_cost`; without samples, `ips` counts steps.
    #[must_use]
    pub fn step_info(&mut self, unit: &str) -> String {
        self.costs.take_info(unit)
    }

    /// Costs of all steps but the first ten; `None` if there were no more. `unit`: name of a sample.
    #[must_use]
    pub fn summary(&self, unit: &str) -> Option<CostSummary> {
        self.costs.summary(unit)
    }

    /// Ends profiling, in the middle of a step or after the last one.
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
        self.leave_step();
        self.finish()
    }

    fn end_step(&mut self, samples: Option<u64>) -> io::Result<()> {
        if let Some(step) = self.step.take() {
            if let Some(samples) = samples {
                step.argument(&SAMPLES, samples);
            }
            self.count_step();
        }
        self.costs.step(self.since.elapsed(), samples);
        let finished = if self.state == State::RecordAndReturn { self.finish() } else { Ok(()) };
        self.number += 1;
        let entered = self.enter();
        // The handler's time belongs to no step.
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

    /// Whether the step that is running is recorded, and not as a warm-up step.
    fn is_recorded(&self) -> bool {
        matches!(self.state, State::Record | State::RecordAndReturn) && self.file.is_some()
    }

    /// Counts the step that is running among the recorded ones.
    fn count_step(&mut self) {
        if self.is_recorded() {
            let first = self.recorded.as_ref().map_or(self.number, |steps| *steps.start());
            self.recorded = Some(first..=self.number);
        }
    }

    /// Leaves a step that did not complete. If a panic ends it, or nothing else was recorded, it is kept and marked as
    /// partial. Otherwise it is the rest after the last step, and would be the shortest of all.
    fn leave_step(&mut self) {
        let Some(step) = self.step.take() else { return };
        if self.is_recorded() && (self.recorded.is_none() || std::thread::panicking()) {
            step.argument(&PARTIAL, true);
            self.count_step();
            self.partial = true;
        } else {
            step.discard();
        }
    }

    /// Ends the recording, if there is one.
    fn finish(&mut self) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        stop();
        let (steps, partial) = (self.recorded.take(), std::mem::take(&mut self.partial));
        if !self.is_own {
            if self.options.handler.is_some() && steps.is_some() {
                tell_of_environment("on_trace_ready is not called");
            }
            return Ok(());
        }
        let Some(steps) = steps else {
            // It contains only warm-up steps.
            return std::fs::remove_file(file);
        };
        let recorded = Recorded { file, index: self.finished, steps, partial };
        self.finished += 1;
        self.options.handler.as_mut().map_or(Ok(()), |HandlerOf(handler)| handler(&recorded))
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        // Callers of `stop` get the error.
        let _ = self.end();
    }
}
