//! The saving of a cause's removal, between two bounds: its time in the budget, and a replay of the trace without it. INSIGHT section 5, C.

use super::Sources;
use super::cause_kind::CauseKind;
use super::causes::{BudgetCause, Saving};
use super::leaf::BudgetLeaf;
use super::slow_calls::LONG;
use crate::critical::{Gone, saving_without};
use crate::roofline::Roof;
use crate::{Analysis, ExecutionGraph, IdleConfig, IntervalSet};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, Class, Trace};

/// A cause is replayed from this share of the window on.
const REPLAYED_SHARE: f64 = 0.01;

/// Finds the saving of removing each cause that is large enough to matter. `mean` has times of the mean window: its
/// length, its compute kernels, and its idle time of unknown reason.
pub(super) fn find_savings<'a>(
    causes: &mut [BudgetCause],
    mean: [Nanos; 3],
    (trace, analysis, sources): (&'a Trace, &'a Analysis, &mut Sources<'a>),
    counted: &[usize],
) {
    let [length, compute, idle_unknown] = mean;
    let mut without: Option<WithoutCauses<'_>> = None;
    for cause in causes.iter_mut().filter(|cause| cause.share >= REPLAYED_SHARE) {
        let without = without.get_or_insert_with(|| {
            let graph = ExecutionGraph::of(trace, &analysis.steps);
            // Advice asks for the paths next: they take a fraction of the graph's time.
            analysis.paths_of(trace, &graph);
            WithoutCauses {
                trace,
                analysis,
                counted,
                graph,
                busy: analysis.devices.iter().fold(IntervalSet::new(), |all, report| all.union(&report.sets.busy())),
                spans: Vec::new(),
            }
        });
        // Compute kernels share a device no more than they did.
        let shortens = matches!(cause.kind, CauseKind::AboveRoof(_) | CauseKind::Float32Products);
        let shorter = if shortens { cause.score } else { Nanos::ZERO };
        let replayed = without.saving(cause.kind, sources).min(length - compute + shorter);
        let (low, high) = (cause.score.min(replayed), cause.score.max(replayed));
        let most = if idle_unknown > cause.score { cause.score } else { high };
        cause.saving = Some(Saving { low, high, middle: Nanos(low.0.midpoint(most.0)) });
    }
}

/// Adds the host's work, without long stretches of it while a device is busy: in these the host may wait, such as for a
/// place in a full launch queue, though the trace does not show the call.
fn add_without_silent(spans: &mut Vec<Interval>, work: Interval, busy: &IntervalSet) {
    if work.len() < LONG {
        spans.push(work);
    } else {
        spans.extend(IntervalSet::from_interval(work).difference(&busy.clip(work)).intervals());
    }
}

struct WithoutCauses<'a> {
    trace: &'a Trace,
    analysis: &'a Analysis,
    counted: &'a [usize],
    graph: ExecutionGraph,
    /// The times at which any device is busy.
    busy: IntervalSet,
    /// Memory for the replays.
    spans: Vec<Interval>,
}

impl WithoutCauses<'_> {
    fn saving(&mut self, kind: CauseKind, sources: &mut Sources<'_>) -> Nanos {
        let mut gone = Gone::default();
        match kind {
            CauseKind::Transfer | CauseKind::WaitingForRanks | CauseKind::Communication => gone.communication = true,
            CauseKind::Copies => gone.shorter = self.copies(),
            CauseKind::AboveRoof(family) => {
                let of = |roof: &Roof, length| (roof.family == family).then(|| roof.saving(length));
                gone.shorter = self.better_kernels(sources, of);
            }
            CauseKind::Float32Products => {
                gone.shorter = self.better_kernels(sources, |roof, length| Some(roof.wide_saving(length)));
            }
            CauseKind::BetweenKernels => gone.pauses = self.kernel_wait(),
            CauseKind::BetweenSteps => {
                let between = self.analysis.steps.between();
                for thread in self.graph.threads() {
                    gone.add_thread(thread, between.intervals().to_vec());
                }
            }
            _ => {
                if kind == CauseKind::LaunchBound {
                    gone.latency = self.kernel_wait();
                }
                gone.late_batches = kind == CauseKind::DataPipeline;
                for thread in self.graph.threads() {
                    let slow_calls = &sources.slow_calls;
                    let of_kind = sources.hosts.recorded(thread).filter(|(span, leaf)| {
                        let leaf = slow_calls.leaf(Some(thread), *span, BudgetLeaf::Idle(*leaf));
                        CauseKind::of(leaf) == Some(kind)
                    });
                    let mut spans = Vec::new();
                    of_kind.for_each(|(span, _)| match kind {
                        CauseKind::LaunchBound => add_without_silent(&mut spans, span, &self.busy),
                        _ => spans.push(span),
                    });
                    gone.add_thread(thread, spans);
                }
            }
        }
        let steps = (&self.analysis.steps, self.counted);
        saving_without(self.trace, steps, &self.graph, &gone, &mut self.spans)
    }

    fn kernel_wait(&self) -> Nanos {
        self.analysis.idle.first().map_or(IdleConfig::standard().kernel_wait, |idle| idle.config.kernel_wait)
    }

    fn copies(&self) -> Vec<Nanos> {
        let slices = &self.trace.slices;
        let of = |event| matches!(slices.class(event), Class::Memcpy | Class::Memset).then(|| slices.length(event));
        self.trace.activities.iter().map(|activity| of(activity.event).unwrap_or_default()).collect()
    }

    /// The time by which better kernels shorten each activity.
    fn better_kernels(&self, sources: &Sources<'_>, saving: impl Fn(&Roof, Nanos) -> Option<Nanos>) -> Vec<Nanos> {
        let trace = self.trace;
        let of = |(id, length)| sources.roofs.get(id).ok().and_then(|roof| saving(roof, length));
        let activities = trace.activities.iter().enumerate();
        let lengths =
            activities.map(|(index, activity)| (ActivityId::from_index(index), trace.slices.length(activity.event)));
        lengths.map(|one| of(one).unwrap_or_default()).collect()
    }
}
