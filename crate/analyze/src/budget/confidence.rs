//! How sure the time of a cause is. INSIGHT section 5, D.

use stepscope_base::Interval;
use stepscope_trace::Trace;

use super::cause_kind::CauseKind;

/// How sure the time of a cause is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Confidence {
    /// It is time of recorded activities or steps.
    Exact,
    /// It rests on the calls that launched the device's activities or, for kernels, on their limits: all of these are known.
    Linked,
    /// Some of these are not known, so it may be longer: the share that is known, of the activities or of the kernels' time.
    Partial(f64),
}

impl Confidence {
    /// The confidence of a kind of cause, given the shares of launches and limits that are known.
    pub(super) fn of(kind: CauseKind, launches: f64, limits: f64) -> Self {
        match kind {
            CauseKind::BetweenSteps
            | CauseKind::Copies
            | CauseKind::Transfer
            | CauseKind::WaitingForRanks
            | CauseKind::Communication => Self::Exact,
            CauseKind::Float32Products | CauseKind::AboveRoof(_) => Self::known_for(limits),
            CauseKind::DataPipeline
            | CauseKind::Synchronization
            | CauseKind::Allocation
            | CauseKind::GarbageCollection
            | CauseKind::Compile
            | CauseKind::HostCollective
            | CauseKind::LaunchBound
            | CauseKind::SlowCalls
            | CauseKind::BetweenKernels
            | CauseKind::Late(_) => Self::known_for(launches),
        }
    }

    fn known_for(share: f64) -> Self {
        if share < 1.0 { Self::Partial(share) } else { Self::Linked }
    }

    /// That of a mean over ranks: that of the least sure one.
    pub(super) fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Partial(known), Self::Partial(of)) => Self::Partial(known.min(of)),
            (Self::Partial(_), _) => self,
            (_, Self::Partial(_)) => other,
            (Self::Exact, Self::Exact) => Self::Exact,
            _ => Self::Linked,
        }
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Linked => "linked",
            Self::Partial(_) => "partial",
        }
    }

    /// The share that is known, where that is not all.
    #[must_use]
    pub fn known(self) -> Option<f64> {
        match self {
            Self::Partial(share) => Some(share),
            Self::Exact | Self::Linked => None,
        }
    }
}

/// The share of the activities of all devices within windows whose launching call is known; one of none.
#[expect(clippy::cast_precision_loss, reason = "a share for display")]
pub(super) fn launches_known(trace: &Trace, windows: &[Interval]) -> f64 {
    let is_inside = |span: Interval| {
        let first = windows.partition_point(|window| window.end <= span.start);
        windows.get(first).is_some_and(|window| window.start < span.end)
    };
    let inside = trace.activities.iter().filter(|activity| is_inside(trace.slices.interval(activity.event)));
    let (all, known) = inside.fold((0_u64, 0_u64), |(all, known), activity| {
        let is_known = activity.call.get().is_some();
        (all + 1, known + u64::from(is_known))
    });
    if known == all { 1.0 } else { known as f64 / all as f64 }
}
