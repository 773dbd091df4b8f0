//! The step budget: each nanosecond of a device's time has one leaf, and lost lead is charged to what lost it. INSIGHT section 5,
//! A to C.

mod causes;
mod charge;
mod lead;
mod leaf;
mod mean;
mod roof;
mod savings;
#[cfg(test)]
mod tests;

use self::causes::causes;
pub use self::causes::{BudgetCause, BudgetVerdict, CauseCost, CauseKind, FirstLine, NamedCause, SITUATIONS};
pub use self::leaf::{Branch, BudgetLeaf, BudgetTimes, CopyKind, Debt, NoRoof, RoofFamily};
pub use self::mean::{BudgetBranch, BudgetMean, BudgetTwig, Portion};
pub use self::savings::Saving;

use self::charge::{Charged, charge};
use self::lead::Lead;
pub use self::roof::Hindrance;
use self::roof::Roofs;
use super::idle::{Hosts, IdlePart, idle_parts, runs_compiled};
use super::lanes::Lanes;
use super::{Analysis, DeviceReport, IdleConfig, IdleLeaf, IntervalSet, LoaderKind};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, EventId, NameId, Trace};

/// Where the time of each device goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The windows: the steps, which are one where none are marked; without any, all of the trace is one.
    pub windows: Vec<Interval>,
    /// Whether they are steps.
    pub are_steps: bool,
    /// The windows that count, by place: no warm-up, no part of a step.
    pub counted: Vec<usize>,
    /// The mean time between the windows that count and follow each other: no part of any, and a leaf of their sum.
    pub between: Nanos,
    /// Whether the windows that count capture a graph: they are no steady steps.
    pub captures: bool,
    /// Whether the trace shows a compiled model: to compile it is no advice.
    pub compiled: bool,
    /// Where data are loaded; unknown where loaders of both kinds are.
    pub loader: LoaderKind,
    /// By device.
    pub devices: Vec<DeviceBudget>,
}

/// What the shares of a budget are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BudgetWhole {
    /// The steps.
    Steps,
    /// The steps, each with the mean time to the next one.
    Periods,
    /// The whole trace.
    Trace,
}

impl BudgetWhole {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Steps, Self::Periods, Self::Trace];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Periods => "periods",
            Self::Trace => "trace",
        }
    }
}

/// Where the time of a device goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceBudget {
    /// The device's number as the producer counts.
    pub device: i64,
    /// The times of each window; they add up to its length.
    pub windows: Vec<BudgetTimes>,
    /// What better kernels could save in each window, by [`RoofFamily::ALL`]: kernels that reach 80 % of the peak of the units
    /// that compute, or 85 % of the memory's bandwidth.
    pub savings: Vec<[Nanos; RoofFamily::ALL.len()]>,
    /// The times of the trace, from the first window's or activity's start to the last end.
    pub trace: BudgetTimes,
    /// The length of that.
    pub trace_length: Nanos,
    /// The part of the host's work in windows that count before launches which takes more than a millisecond in one gap.
    pub long_work: Nanos,
    /// The time that better products of matrices could save in windows that count, by [`Hindrance`].
    pub hindered: [Nanos; Hindrance::COUNT],
    /// The longest span of each leaf in windows that count, in the order of the tree.
    pub longest: Vec<(BudgetLeaf, Longest)>,
}

/// The longest span of a leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Longest {
    /// From when to when.
    pub span: Interval,
    /// The activity that runs, or that the device waits for; none after the last one.
    pub activity: Option<EventId>,
    /// What shows best what the host did, where the device waits for the host.
    pub host: Option<EventId>,
}

impl Budget {
    /// What shares are of.
    #[must_use]
    pub fn whole(&self) -> BudgetWhole {
        match (self.are_steps, self.between) {
            (false, _) => BudgetWhole::Trace,
            (true, Nanos::ZERO) => BudgetWhole::Steps,
            (true, _) => BudgetWhole::Periods,
        }
    }

    /// The times of all windows that count, each with the mean time between them, of all devices.
    #[must_use]
    pub fn sum(&self) -> BudgetTimes {
        let mut sum = BudgetTimes::default();
        let divisor = i64::try_from(self.divisor()).unwrap_or(i64::MAX);
        sum.add(BudgetLeaf::BetweenSteps, Nanos(self.between.0.saturating_mul(divisor)));
        for device in &self.devices {
            self.counted.iter().filter_map(|index| device.windows.get(*index)).for_each(|times| sum.add_all(times));
        }
        sum
    }

    /// By how much the sum is to be divided for a mean window of a device.
    #[must_use]
    pub fn divisor(&self) -> u64 {
        (self.counted.len() * self.devices.len()) as u64
    }

    /// The longest span of a leaf, on whatever device.
    #[must_use]
    pub fn longest(&self, leaf: BudgetLeaf) -> Option<Longest> {
        let of = |device: &DeviceBudget| device.longest.iter().find(|(known, _)| *known == leaf).copied();
        let all = self.devices.iter().filter_map(of).map(|(_, longest)| longest);
        // Of equal ones the first device's.
        all.reduce(|known, other| if other.span.len() > known.span.len() { other } else { known })
    }
}

/// Returns the budget of each device.
///
/// ```
/// use stepscope::{Loader, Nanos, analyze};
/// use stepscope::analyze::{AnalysisConfig, BudgetLeaf, Debt};
///
/// // The host waits for the device until 11 µs, and launches again at 20 µs: the device idles from 10 to 25 µs.
/// let text = br#"{"deviceProperties": [], "traceEvents": [
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":0,"dur":1,"args":{"correlation":8}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1,"dur":9,"args":{"correlation":8}},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaStreamSynchronize","pid":1,"tid":1,"ts":2,"dur":9},
///   {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":11,"dur":13},
///   {"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":20,"dur":2,"args":{"correlation":9}},
///   {"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":25,"dur":5,"args":{"correlation":9}}
/// ]}"#;
/// # let mut loader = Loader::new("example.json");
/// # loader.space(text.len()).copy_from_slice(text);
/// # loader.advance(text.len())?;
/// let trace = loader.finish()?.trace;
/// let analysis = analyze::analyze(&trace, &AnalysisConfig::standard());
/// let budget = analyze::budget(&trace, &analysis);
/// let times = &budget.devices[0].trace;
/// // It waited for 8 µs while the device was busy, which is why its next 8 µs of work are late.
/// assert_eq!(times.get(BudgetLeaf::LeadLost(Debt::Synchronization)), Nanos(8_000));
/// assert_eq!(times.total(), budget.devices[0].trace_length);
/// # Ok::<(), stepscope::Error>(())
/// ```
#[must_use]
pub fn budget(trace: &Trace, analysis: &Analysis) -> Budget {
    budget_counting(trace, analysis, analysis.steps.counted())
}

/// The same of a single step, by its place among all; of the trace if there is no such step.
#[must_use]
pub fn budget_of_step(trace: &Trace, analysis: &Analysis, step: usize) -> Budget {
    let is_there = step < analysis.steps.steps.len();
    budget_counting(trace, analysis, is_there.then_some(step).into_iter().collect())
}

fn budget_counting(trace: &Trace, analysis: &Analysis, counted: Vec<usize>) -> Budget {
    let steps = &analysis.steps;
    let are_steps = !counted.is_empty();
    let spans: Vec<Interval> = steps.steps.iter().map(|step| step.span).collect();
    let all = spans.iter().chain(analysis.devices.iter().map(|report| &report.window));
    let all = all.copied().reduce(|a, b| Interval::new(a.start.min(b.start), a.end.max(b.end))).unwrap_or_default();
    let (windows, counted) = if are_steps { (spans, counted) } else { (vec![all], vec![0]) };
    let mut shared = Shared {
        trace,
        analysis,
        windows: &windows,
        counted: &counted,
        all,
        roofs: Roofs::of(trace, analysis),
        lanes: Lanes::of(trace),
        copies: trace.strings.map(|name| name.contains("emcpy").then(|| CopyKind::of(name))),
        loader: LoaderKind::of_trace(trace),
    };
    let mut hosts = Hosts::new(trace, None);
    let reports = analysis.devices.iter();
    let devices = reports.map(|report| shared.device(report, &mut hosts)).collect();
    let between = if counted.len() > 1 { steps.mean_between() } else { Nanos::ZERO };
    let captures = are_steps && counted.iter().any(|step| steps.steps[*step].captures);
    let (compiled, loader) = (runs_compiled(trace), shared.loader);
    Budget { devices, are_steps, windows, counted, between, captures, compiled, loader }
}

/// A call, or the host's work in a gap, is long from here on.
const LONG: Nanos = Nanos(1_000_000);

/// Whether the host is in a call of the runtime or driver that launches or does anything else.
fn is_call(leaf: BudgetLeaf) -> bool {
    matches!(leaf, BudgetLeaf::Idle(IdleLeaf::RuntimeCall | IdleLeaf::LaunchingCall | IdleLeaf::GraphLaunch))
}

/// What the budgets of devices share.
struct Shared<'a> {
    trace: &'a Trace,
    analysis: &'a Analysis,
    windows: &'a [Interval],
    counted: &'a [usize],
    /// From the first window's or activity's start to the last end.
    all: Interval,
    roofs: Roofs,
    lanes: Lanes<'a>,
    /// The kind of copy by name.
    copies: Vec<Option<CopyKind>>,
    loader: LoaderKind,
}

impl Shared<'_> {
    fn device(&mut self, report: &DeviceReport, hosts: &mut Hosts<'_>) -> DeviceBudget {
        let (trace, device) = (self.trace, report.time.device);
        let mut sums = Sums::of(self);
        let mut pay = |class, id: ActivityId, span| {
            let event = trace.activities[id.index()].event;
            let leaf = match class {
                Charged::Compute => match self.roofs.get(id) {
                    Ok(roof) => return sums.add_compute(span, roof, event),
                    Err(why) => BudgetLeaf::RoofUnknown(why),
                },
                Charged::Communication => BudgetLeaf::CommunicationNotSplit,
                Charged::Memcpy => BudgetLeaf::Copy(self.copy_kind(trace.slices.name(event))),
                Charged::Memset => BudgetLeaf::Memset,
            };
            sums.add(span, leaf, Some(event));
        };
        charge(trace, device, |class, id, span| {
            if report.uncovered.is_empty() {
                return pay(class, id, span);
            }
            // Beside what is recorded there, the device may have done what is not.
            let known = IntervalSet::from_interval(span).difference(&report.uncovered.clip(span));
            known.intervals().iter().for_each(|part| pay(class, id, *part));
        });
        let spans = IntervalSet::of(self.windows.iter().copied());
        let kernel_wait =
            self.analysis.idle.first().map_or(IdleConfig::standard().kernel_wait, |idle| idle.config.kernel_wait);
        let mut lead = Lead::of(trace, (device, report.sets.busy()), self.loader, &self.lanes, hosts);
        let mut pieces: Vec<(Interval, IdleLeaf)> = Vec::new();
        idle_parts(trace, report, &spans, kernel_wait, |part| match part {
            IdlePart::Outside(span, leaf) => {
                sums.add(span, BudgetLeaf::Idle(leaf), None);
            }
            IdlePart::Gap(gap, known) => {
                pieces.clear();
                hosts.pieces(&gap, |span, leaf| {
                    let inside = known.clip(span);
                    pieces.extend(inside.intervals().iter().map(|span| (*span, leaf)));
                });
                let is_long = gap.span.len() >= LONG;
                lead.pay((trace, &self.lanes), &gap, &pieces, |span, leaf| {
                    let leaf = if span.len() >= LONG && is_call(leaf) { BudgetLeaf::SlowCall } else { leaf };
                    let time = sums.add(span, leaf, Some(gap.after));
                    if is_long && CauseKind::of(leaf) == Some(CauseKind::LaunchBound) {
                        sums.long_work += time;
                    }
                });
            }
        });
        let mut found = sums.finish(device);
        for (leaf, longest) in &mut found.longest {
            let waits = matches!(leaf, BudgetLeaf::Idle(_) | BudgetLeaf::LeadLost(_) | BudgetLeaf::SlowCall);
            let activity = longest.activity.filter(|_| waits).and_then(|event| trace.activity(event));
            if let Some(call) = activity.and_then(|activity| activity.call.get()) {
                longest.host = hosts.look_at(trace.slices.track(call), longest.span).slice;
            }
        }
        found
    }

    fn copy_kind(&self, name: NameId) -> CopyKind {
        self.copies[name.index()].unwrap_or_else(|| CopyKind::of(self.trace.strings.get(name)))
    }
}

/// The sums of a device.
struct Sums<'a> {
    windows: &'a [Interval],
    is_counted: Vec<bool>,
    all: Interval,
    times: Vec<BudgetTimes>,
    savings: Vec<[Nanos; RoofFamily::ALL.len()]>,
    longest: Vec<Option<Longest>>,
    long_work: Nanos,
    hindered: [Nanos; Hindrance::COUNT],
}

impl<'a> Sums<'a> {
    fn of(shared: &Shared<'a>) -> Self {
        let mut is_counted = vec![false; shared.windows.len()];
        for index in shared.counted {
            is_counted[*index] = true;
        }
        Self {
            windows: shared.windows,
            is_counted,
            all: shared.all,
            times: vec![BudgetTimes::default(); shared.windows.len()],
            savings: vec![[Nanos::ZERO; RoofFamily::ALL.len()]; shared.windows.len()],
            longest: vec![None; BudgetLeaf::all().len()],
            long_work: Nanos::ZERO,
            hindered: [Nanos::ZERO; Hindrance::COUNT],
        }
    }

    /// Shows the part of a span in each window.
    fn parts(windows: &[Interval], span: Interval, mut see: impl FnMut(usize, Interval)) {
        let first = windows.partition_point(|window| window.end <= span.start);
        let touched = windows.iter().enumerate().skip(first).take_while(|(_, window)| window.start < span.end);
        for (index, window) in touched {
            let part = window.intersection(span);
            if !part.is_empty() {
                see(index, part);
            }
        }
    }

    /// Adds a span to a leaf, and returns how much of it lies in windows that count.
    fn add(&mut self, span: Interval, leaf: BudgetLeaf, activity: Option<EventId>) -> Nanos {
        let Self { times, is_counted, longest, .. } = self;
        let mut counted = Nanos::ZERO;
        Self::parts(self.windows, span, |index, part| {
            times[index].add(leaf, part.len());
            if is_counted[index] {
                counted += part.len();
                note(longest, leaf, part, activity);
            }
        });
        counted
    }

    fn add_compute(&mut self, span: Interval, roof: &roof::Roof, event: EventId) {
        let Self { times, savings, is_counted, longest, hindered, .. } = self;
        Self::parts(self.windows, span, |index, part| {
            let at_roof = roof.at_roof(part.len());
            let (at, above) = (BudgetLeaf::AtRoof(roof.family), BudgetLeaf::AboveRoof(roof.family));
            times[index].add(at, at_roof);
            times[index].add(above, part.len() - at_roof);
            savings[index][roof.family as usize] += roof.saving(part.len());
            if is_counted[index] {
                if roof.family == RoofFamily::Matrix {
                    hindered[roof.hindrance as usize] += roof.saving(part.len());
                }
                let leaf = if at_roof + at_roof > part.len() { at } else { above };
                note(longest, leaf, part, Some(event));
            }
        });
    }

    fn finish(self, device: i64) -> DeviceBudget {
        let mut trace = BudgetTimes::default();
        self.times.iter().for_each(|times| trace.add_all(times));
        let outside = self.all.len() - trace.total();
        trace.add(BudgetLeaf::OutsideSteps, outside);
        let longest = BudgetLeaf::all().into_iter().zip(self.longest);
        DeviceBudget {
            device,
            windows: self.times,
            savings: self.savings,
            trace,
            trace_length: self.all.len(),
            long_work: self.long_work,
            hindered: self.hindered,
            longest: longest.filter_map(|(leaf, longest)| Some((leaf, longest?))).collect(),
        }
    }
}

fn note(longest: &mut [Option<Longest>], leaf: BudgetLeaf, span: Interval, activity: Option<EventId>) {
    let known = &mut longest[leaf.index()];
    if known.is_none_or(|known| known.span.len() < span.len()) {
        *known = Some(Longest { span, activity, host: None });
    }
}
