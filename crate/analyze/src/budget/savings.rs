//! What removing a cause saves, between two bounds: its time in the budget, and a replay of the trace without it. INSIGHT section 5, C.

use super::causes::{BudgetCause, CauseKind};
use super::leaf::{BudgetLeaf, RoofFamily};
use super::roof::Roofs;
use super::{LONG, is_call};
use crate::critical::{Gone, saving_without};
use crate::idle::Hosts;
use crate::{Analysis, ExecutionGraph, IdleConfig};
use stepscope_base::{Interval, Nanos};
use stepscope_trace::{ActivityId, Class, Trace};

/// Between what removing a cause saves per window.
///
/// The budget charges each moment to one cause, as if all else stayed where it is; the replay moves all that follows, and keeps what waits for
/// what. Where other work, another stream or another thread takes over, less is saved than the budget says; where what follows moves up, too,
/// more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saving {
    /// The smaller one.
    pub low: Nanos,
    /// The larger one.
    pub high: Nanos,
}

impl Saving {
    /// The middle: causes are ordered by it.
    #[must_use]
    pub fn middle(self) -> Nanos {
        Nanos(self.low.0.midpoint(self.high.0))
    }

    /// Whether the bounds are so far apart that a single number would say too much.
    #[must_use]
    pub fn is_wide(self) -> bool {
        self.low.0 < self.high.0 - self.high.0 / 10
    }
}

/// A cause is replayed from this share of the window on.
const REPLAYED_SHARE: f64 = 0.01;

/// Finds what removing each cause saves, where it is large enough to matter. The kernels that compute take so long in the mean window.
pub(super) fn find_savings(
    causes: &mut [BudgetCause],
    mean: (Nanos, Nanos),
    of: (&Trace, &Analysis),
    counted: &[usize],
) {
    let (length, compute) = mean;
    let (trace, analysis) = of;
    let mut without: Option<WithoutCauses<'_>> = None;
    for cause in causes.iter_mut().filter(|cause| cause.share >= REPLAYED_SHARE) {
        let without = without.get_or_insert_with(|| WithoutCauses {
            trace,
            analysis,
            counted,
            graph: ExecutionGraph::of(trace, &analysis.steps),
            hosts: Hosts::new(trace, None),
            roofs: None,
        });
        // Kernels that compute do not share a device more than they did.
        let shorter = if matches!(cause.kind, CauseKind::AboveRoof(_)) { cause.score } else { Nanos::ZERO };
        let replayed = without.saving(cause.kind).min(length - compute + shorter);
        cause.saving = Some(Saving { low: cause.score.min(replayed), high: cause.score.max(replayed) });
    }
}

struct WithoutCauses<'a> {
    trace: &'a Trace,
    analysis: &'a Analysis,
    counted: &'a [usize],
    graph: ExecutionGraph,
    hosts: Hosts<'a>,
    roofs: Option<Roofs>,
}

impl WithoutCauses<'_> {
    fn saving(&mut self, kind: CauseKind) -> Nanos {
        let mut gone = Gone::default();
        match kind {
            CauseKind::Transfer | CauseKind::WaitingForRanks | CauseKind::Communication => gone.communication = true,
            CauseKind::Copies => gone.shorter = self.copies(),
            CauseKind::AboveRoof(family) => gone.shorter = self.above_roof(family),
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
                for thread in self.graph.threads() {
                    let of_kind = self.hosts.recorded(thread).filter(|(span, leaf)| {
                        let leaf = BudgetLeaf::Idle(*leaf);
                        let is_slow = span.len() >= LONG && is_call(leaf);
                        CauseKind::of(if is_slow { BudgetLeaf::SlowCall } else { leaf }) == Some(kind)
                    });
                    let spans: Vec<Interval> = of_kind.map(|(span, _)| span).collect();
                    gone.add_thread(thread, spans);
                }
            }
        }
        saving_without(self.trace, (&self.analysis.steps, self.counted), &self.graph, &gone)
    }

    fn kernel_wait(&self) -> Nanos {
        self.analysis.idle.first().map_or(IdleConfig::standard().kernel_wait, |idle| idle.config.kernel_wait)
    }

    fn copies(&self) -> Vec<Nanos> {
        let slices = &self.trace.slices;
        let of = |event| matches!(slices.class(event), Class::Memcpy | Class::Memset).then(|| slices.length(event));
        self.trace.activities.iter().map(|activity| of(activity.event).unwrap_or_default()).collect()
    }

    /// How much shorter the kernels of a family are near their limits.
    fn above_roof(&mut self, family: RoofFamily) -> Vec<Nanos> {
        let Self { trace, analysis, roofs, .. } = self;
        let roofs = roofs.get_or_insert_with(|| Roofs::of(trace, analysis));
        let of = |(id, length)| roofs.get(id).ok().filter(|roof| roof.family == family).map(|roof| roof.saving(length));
        let activities = trace.activities.iter().enumerate();
        let lengths =
            activities.map(|(index, activity)| (ActivityId::from_index(index), trace.slices.length(activity.event)));
        lengths.map(|one| of(one).unwrap_or_default()).collect()
    }
}
