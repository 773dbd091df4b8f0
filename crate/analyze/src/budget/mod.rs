//! The step budget: each nanosecond of a device's time has one leaf, and lost lead is charged to what lost it. INSIGHT section 5,
//! A to C.

mod cause_kind;
mod causes;
mod charge;
mod confidence;
mod functions;
mod functions_table;
mod job;
mod late;
mod lead;
mod leaf;
mod mean;
mod processor_wait;
mod report;
mod savings;
mod slow_calls;
mod tables;
#[cfg(test)]
mod tests;
mod verdict;

pub use self::cause_kind::CauseKind;
pub use self::causes::{BudgetCause, FirstLine, NamedCause, SITUATIONS, Saving};
pub(crate) use self::causes::{FIRST_SHARE, LONG_WORK};
pub use self::confidence::Confidence;
pub use self::functions::CauseFunction;
pub use self::functions_table::{
    CauseFunctionContext, CauseFunctionRow, CauseFunctionTable, cause_functions, functions_of_cause,
    kernels_without_limit,
};
pub use self::job::JobBudget;
pub use self::late::{InJob, Late, LateRankCause};
pub use self::leaf::{Branch, BudgetLeaf, BudgetTimes, CopyKind, Debt};
pub use self::mean::{BudgetBranch, BudgetMean, BudgetTwig, Portion};
pub use self::report::{Budget, BudgetWhole, DeviceBudget, KernelSavings, Longest};
pub use self::tables::{BranchTable, CauseTable, LeafTable, LongestOfLeaf, LongestTable};
pub use self::verdict::{BudgetVerdict, CauseCost};

use self::charge::{Charged, charge};
use self::confidence::launches_known;
use self::functions::{Functions, Paid};
use self::lead::Lead;
use self::processor_wait::processor_wait;
use self::slow_calls::{LONG, SlowCalls};
use super::devices::{Precision, device_of};
use super::flops::RoofFamily;
use super::idle::{Gap, Hosts, IdlePart, idle_parts, python_of, runs_compiled};
use super::lanes::Lanes;
use super::roofline::{Hindrance, Roof, Roofs};
use super::sampled_calls::sampled_calls;
use super::{Analysis, DeviceReport, IdleConfig, IdleLeaf, IntervalSet, LoaderKind};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, EventId, NameId, Trace};

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
    budget_of(trace, analysis, None, &mut Sources::of(trace, analysis))
}

/// The same for a single step, by its index; for the whole trace if there is no such step.
#[must_use]
pub fn budget_of_step(trace: &Trace, analysis: &Analysis, step: usize) -> Budget {
    budget_of(trace, analysis, Some(step), &mut Sources::of(trace, analysis))
}

/// The parts of a trace that both the budget and the savings of its causes read.
struct Sources<'a> {
    roofs: Roofs,
    hosts: Hosts<'a>,
    slow_calls: SlowCalls,
    /// As [`Budget::sampled_calls`]: of the trace, whichever step is asked for.
    sampled_calls: Option<f64>,
}

impl<'a> Sources<'a> {
    fn of(trace: &'a Trace, analysis: &Analysis) -> Self {
        let roofs = Roofs::of(trace, &analysis.peaks, &analysis.tensor_cores);
        let steps = analysis.steps.counted().into_iter().map(|step| analysis.steps.steps[step].span);
        Self {
            roofs,
            hosts: Hosts::new(trace, None),
            slow_calls: SlowCalls::of(trace),
            sampled_calls: sampled_calls(trace, &steps.collect::<Vec<_>>()),
        }
    }
}

/// The budget of the steps that count, or of a single one.
fn budget_of<'a>(
    trace: &'a Trace,
    analysis: &'a Analysis,
    step: Option<usize>,
    Sources { roofs, hosts, slow_calls, sampled_calls }: &mut Sources<'a>,
) -> Budget {
    let steps = &analysis.steps;
    let counted = match step {
        None => steps.counted(),
        Some(step) => (step < steps.steps.len()).then_some(step).into_iter().collect(),
    };
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
        roofs,
        lanes: Lanes::of(trace),
        copies: trace.strings.map(|name| name.contains("emcpy").then(|| CopyKind::of(name))),
        loader: LoaderKind::of_trace(trace),
        slow_calls,
    };
    let reports = analysis.devices.iter();
    let devices = reports.map(|report| shared.device(report, hosts)).collect();
    let between = if counted.len() > 1 { steps.mean_between() } else { Nanos::ZERO };
    let is_recorded_time = are_steps && steps.are_recorded_time(&counted);
    let captures = are_steps && counted.iter().any(|step| steps.steps[*step].captures);
    let (compiled, loader) = (runs_compiled(trace), shared.loader);
    let peaks = analysis.devices.iter().filter_map(|one| analysis.peaks.of_device(device_of(trace, one.time.device)));
    let has_tf32 = peaks.into_iter().any(|peaks| peaks.instead_of_fp32() == Some(Precision::Tf32));
    let of_steps = IntervalSet::of(counted.iter().map(|index| windows[*index]));
    // The thread that launches most.
    let launching = shared.lanes.launching(0).next();
    let processor_wait = launching.and_then(|thread| processor_wait(trace, thread, &of_steps));
    let launches_known = launches_known(trace, of_steps.intervals());
    let has_stacks = launching.and_then(|thread| python_of(trace, thread)).is_some();
    Budget {
        devices,
        are_steps,
        is_recorded_time,
        windows,
        counted,
        between,
        captures,
        compiled,
        sampled_calls: *sampled_calls,
        launches_known,
        processor_wait,
        has_stacks,
        has_tf32,
        loader,
    }
}

/// Data that the budgets of all devices share.
struct Shared<'a> {
    trace: &'a Trace,
    analysis: &'a Analysis,
    windows: &'a [Interval],
    counted: &'a [usize],
    /// From the first window's or activity's start to the last end.
    all: Interval,
    roofs: &'a Roofs,
    lanes: Lanes<'a>,
    /// The kind of copy by name.
    copies: Vec<Option<CopyKind>>,
    loader: LoaderKind,
    slow_calls: &'a SlowCalls,
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
            // In uncovered time, the device may have done more than is recorded.
            let known = IntervalSet::from_interval(span).difference(&report.uncovered.clip(span));
            known.intervals().iter().for_each(|part| pay(class, id, *part));
        });
        let spans = IntervalSet::of(self.windows.iter().copied());
        let kernel_wait =
            self.analysis.idle.first().map_or(IdleConfig::standard().kernel_wait, |idle| idle.config.kernel_wait);
        let mut lead = Lead::of(trace, (device, report.sets.busy()), self.loader, &self.lanes, hosts);
        let slow_calls = self.slow_calls;
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
                let thread = gap.call.map(|call| trace.slices.track(call));
                lead.pay((trace, &self.lanes), &gap, &pieces, |span, leaf| {
                    let leaf = slow_calls.leaf(thread, span, leaf);
                    let time = sums.add_idle(span, leaf, &gap);
                    if is_long && CauseKind::of(leaf) == Some(CauseKind::LaunchBound) {
                        sums.long_work += time;
                    }
                });
                sums.add_paid(lead.paid());
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
    trace: &'a Trace,
    windows: &'a [Interval],
    is_counted: Vec<bool>,
    all: Interval,
    times: Vec<BudgetTimes>,
    savings: Vec<KernelSavings>,
    longest: Vec<Option<Longest>>,
    functions: Functions<'a>,
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
            trace: shared.trace,
            windows: shared.windows,
            is_counted,
            all: shared.all,
            times: vec![BudgetTimes::default(); shared.windows.len()],
            savings: vec![KernelSavings::default(); shared.windows.len()],
            longest: vec![None; BudgetLeaf::all().len()],
            functions: Functions::new(shared.trace, &shared.analysis.steps),
            long_work: Nanos::ZERO,
            hindered: [Nanos::ZERO; Hindrance::COUNT],
        }
    }

    /// Visits the part of a span in each window.
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

    /// Adds a span to the leaf of an activity, or of none, and returns the part of its time in windows that count.
    fn add(&mut self, span: Interval, leaf: BudgetLeaf, activity: Option<EventId>) -> Nanos {
        let counted = self.add_to(span, leaf, activity, |_, _| ());
        match (CauseKind::of(leaf), activity) {
            (Some(kind), Some(event)) => self.functions.add(kind, event, counted),
            (None, Some(event)) if matches!(leaf, BudgetLeaf::RoofUnknown(_)) => {
                self.functions.add_without_limit(event, counted);
            }
            _ => {}
        }
        counted
    }

    /// Adds a piece of a gap, in which the device waits for the host.
    fn add_idle(&mut self, span: Interval, leaf: BudgetLeaf, gap: &Gap) -> Nanos {
        // Lost lead is not time of the host's work in the gap.
        let kind = CauseKind::of(leaf).filter(|_| !matches!(leaf, BudgetLeaf::LeadLost(_)));
        let thread = gap.call.map(|call| self.trace.slices.track(call));
        // There the device does not wait for the host's work.
        let other = match leaf {
            BudgetLeaf::Idle(IdleLeaf::BetweenQueued) => Some(gap.after),
            BudgetLeaf::Idle(IdleLeaf::LaunchLatency) => gap.call,
            _ => None,
        };
        let host = kind.zip(thread).filter(|_| other.is_none());
        let counted = self.add_to(span, leaf, Some(gap.after), |functions, part| {
            if let Some((kind, thread)) = host {
                functions.add_host(kind, thread, part);
            }
        });
        if let Some((kind, event)) = kind.zip(other) {
            self.functions.add(kind, event, counted);
        }
        counted
    }

    /// Adds the times of lost lead that parts of a gap pay for.
    fn add_paid(&mut self, paid: &[Paid]) {
        for paid in paid {
            let mut counted = Nanos::ZERO;
            Self::parts(self.windows, paid.part, |index, part| {
                counted += if self.is_counted[index] { part.len() } else { Nanos::ZERO };
            });
            if let Some(kind) = CauseKind::of(BudgetLeaf::LeadLost(paid.debt)) {
                self.functions.add_paid(kind, paid, counted);
            }
        }
    }

    fn add_to(
        &mut self,
        span: Interval,
        leaf: BudgetLeaf,
        activity: Option<EventId>,
        mut see: impl FnMut(&mut Functions<'a>, Interval),
    ) -> Nanos {
        let Self { times, is_counted, longest, functions, .. } = self;
        let mut counted = Nanos::ZERO;
        Self::parts(self.windows, span, |index, part| {
            times[index].add(leaf, part.len());
            if is_counted[index] {
                counted += part.len();
                note(longest, leaf, (part, part.len()), activity);
                see(functions, part);
            }
        });
        counted
    }

    fn add_compute(&mut self, span: Interval, roof: &Roof, event: EventId) {
        let Self { times, savings, is_counted, longest, hindered, functions, .. } = self;
        Self::parts(self.windows, span, |index, part| {
            let (at_roof, wide) = (roof.at_roof(part.len()), roof.wide(part.len()));
            let above_roof = part.len() - at_roof - wide;
            let (at, above) = (BudgetLeaf::AtRoof(roof.family), BudgetLeaf::AboveRoof(roof.family));
            times[index].add(at, at_roof);
            times[index].add(above, above_roof);
            times[index].add(BudgetLeaf::Float32Products, wide);
            savings[index].above[roof.family as usize] += roof.saving(part.len());
            savings[index].float32 += roof.wide_saving(part.len());
            if is_counted[index] {
                if roof.family == RoofFamily::Matrix || roof.hindrance.is_unfused() {
                    hindered[roof.hindrance as usize] += roof.saving(part.len());
                }
                // A kernel has a part in several leaves: the longest of each is the one with the largest part.
                for (leaf, time) in [(at, at_roof), (above, above_roof), (BudgetLeaf::Float32Products, wide)] {
                    note(longest, leaf, (part, time), Some(event));
                }
                functions.add(CauseKind::AboveRoof(roof.family), event, roof.saving(part.len()));
                functions.add(CauseKind::Float32Products, event, roof.wide_saving(part.len()));
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
            functions: self.functions.finish(),
            longest: longest.filter_map(|(leaf, longest)| Some((leaf, longest?))).collect(),
        }
    }
}

fn note(longest: &mut [Option<Longest>], leaf: BudgetLeaf, (span, part): (Interval, Nanos), activity: Option<EventId>) {
    let known = &mut longest[leaf.index()];
    if part > known.map_or(Nanos::ZERO, |known| known.part) {
        *known = Some(Longest { span, part, activity, host: None, rank: None });
    }
}
