//! Causes: leaves with one remedy, by what they cost. INSIGHT section 5, D.

use super::cause_kind::CauseKind;
use super::confidence::Confidence;
use super::functions::{CauseFunction, merged};
use super::late::{Late, LateRankCause};
use super::leaf::{Branch, BudgetLeaf, CopyKind};
use super::report::{Budget, BudgetWhole, KernelSavings, Longest};

use crate::flops::RoofFamily;
use crate::roofline::Hindrance;
use crate::{FewSteps, LoaderKind, mean};
use stepscope_base::{CompactSort as _, Nanos};
use stepscope_trace::Trace;

/// A cause, and its cost.
#[derive(Clone, Debug, PartialEq)]
pub struct BudgetCause {
    /// Its kind.
    pub kind: CauseKind,
    /// The last part of its messages' keys: its name, or that of a situation with words of its own.
    pub wording: &'static str,
    /// The parts of a job that are late; only in jobs.
    pub late: Vec<Late>,
    /// The cause that makes the first of these late, where it is a rank with such a cause.
    pub rank_cause: Option<LateRankCause>,
    /// The time of its leaves per window, a mean over windows and devices.
    pub time: Nanos,
    /// The upper bound of its saving, likewise: kernels above their limit never reach it.
    pub score: Nanos,
    /// Its share of the windows.
    pub share: f64,
    /// The bounds of the saving per window, where a replay was asked for.
    pub saving: Option<Saving>,
    /// The most time per window that runs beside computation if it is moved there: no more computation runs without it. Only
    /// of causes that this remedies, and where it is less than the whole cause.
    pub can_hide: Option<Nanos>,
    /// How sure its time is.
    pub confidence: Confidence,
    /// The few steps that most of its time is in; none where it is spread over the steps.
    pub few_steps: Option<FewSteps>,
    /// Its leaves' times, the longest first.
    pub leaves: Vec<(BudgetLeaf, Nanos)>,
    /// The longest span of each of these, on whatever device, the longest first.
    pub longest: Vec<(BudgetLeaf, Longest)>,
    /// The functions of the host, or the activities, with the most of its time, a mean likewise, those with the most
    /// first.
    pub functions: Vec<CauseFunction>,
}

/// The case of the first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstLine {
    /// The first cause is the largest.
    OneCause,
    /// The second is nearly as large.
    TwoCauses,
    /// No cause is above a twentieth, and one is above a hundredth.
    NoSingleCause,
    /// The unknown part is larger than any cause.
    NotEnoughRecorded,
    /// The unknown part is nearly all of kernels whose limit is not known.
    LimitUnknown,
    /// The kernels run at the device's limit.
    AtLimit,
    /// No cause is above a hundredth.
    Nothing,
    /// There is no activity of a device.
    NoDevice,
    /// The window has no length.
    NoTime,
    /// The steps capture a graph: they are no steady steps.
    CapturesGraph,
    /// The trace has only a sample of the calls, and of what these launched.
    SampledCalls,
}

impl FirstLine {
    /// Whether the window is a usual one: removing its causes saves time in others, too.
    #[must_use]
    pub fn is_steady(self) -> bool {
        self != Self::CapturesGraph
    }

    /// Whether there are times of a device, in usual windows.
    #[must_use]
    pub fn has_device_times(self) -> bool {
        self.is_steady() && !matches!(self, Self::NoDevice | Self::NoTime)
    }

    /// Whether the trace lacks too much: the unknown part is larger than any cause, or most calls are missing.
    #[must_use]
    pub fn lacks_cause(self) -> bool {
        matches!(self, Self::NotEnoughRecorded | Self::LimitUnknown | Self::SampledCalls)
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::OneCause => "one_cause",
            Self::TwoCauses => "two_causes",
            Self::NoSingleCause => "no_single_cause",
            Self::NotEnoughRecorded => "not_enough_recorded",
            Self::LimitUnknown => "limit_unknown",
            Self::AtLimit => "at_limit",
            Self::Nothing => "nothing",
            Self::NoDevice => "no_device",
            Self::NoTime => "no_time",
            Self::CapturesGraph => "captures_graph",
            Self::SampledCalls => "sampled_calls",
        }
    }
}

/// The number of functions listed for each cause.
const FUNCTIONS: usize = 5;

/// A cause is listed above this share, or above [`LISTED`].
pub(super) const LISTED_SHARE: f64 = 0.01;

/// A cause is listed above this time per window, or above [`LISTED_SHARE`].
const LISTED: Nanos = Nanos(100_000);

/// A single cause is named first if it may save this share or more.
pub(crate) const FIRST_SHARE: f64 = 0.05;

/// The share from which a cause is named first, however much is not known.
const CERTAIN_SHARE: f64 = 0.1;

/// The second cause is also named from this share of the first one on.
const SECOND_OF_FIRST: f64 = 0.9;

impl BudgetCause {
    /// Its saving: the middle between the bounds where they are known, else its time.
    #[must_use]
    pub fn saves(&self) -> Nanos {
        self.saving.map_or(self.score, |saving| saving.middle)
    }

    /// The upper bound of its saving.
    pub(super) fn may_save(&self) -> Nanos {
        self.saving.map_or(self.score, Saving::most)
    }

    /// The cause alone, in a budget with this whole.
    #[must_use]
    pub fn named(&self, whole: BudgetWhole) -> NamedCause {
        let Self { kind, wording, score, share, confidence, .. } = *self;
        NamedCause { kind, wording, score, share, whole, confidence }
    }
}

/// Returns the causes by their time in the budget, the largest first, and the case of the first line.
pub(super) fn causes(trace: &Trace, budget: &Budget) -> (Vec<BudgetCause>, FirstLine) {
    let (sum, divisor) = (budget.sum(), budget.divisor());
    let all = sum.total();
    let share = |time: Nanos| time.ratio_of(all).unwrap_or_default();
    let unknown = sum.sum(|leaf| matches!(leaf, BudgetLeaf::RoofUnknown(_)));
    let limits_known = 1.0 - unknown.ratio_of(sum.sum(|leaf| leaf.branch() == Branch::Compute)).unwrap_or_default();
    let cause = |kind: CauseKind| {
        let mut leaves: Vec<(BudgetLeaf, Nanos)> =
            sum.leaves().filter(|(leaf, _)| CauseKind::of(*leaf) == Some(kind)).collect();
        leaves.compact_sort_by_key(|(_, time)| std::cmp::Reverse(*time));
        let time = leaves.iter().map(|(_, time)| *time).sum::<Nanos>();
        let score = match kind {
            CauseKind::AboveRoof(family) => saving(budget, |savings| savings.above[family as usize]),
            CauseKind::Float32Products => saving(budget, |savings| savings.float32),
            _ => time,
        };
        let longest = leaves.iter().filter_map(|(leaf, _)| Some((*leaf, budget.longest(*leaf)?)));
        let mut longest: Vec<(BudgetLeaf, Longest)> = longest.collect();
        longest.compact_sort_by_key(|(_, longest)| std::cmp::Reverse(longest.part));
        let wording = wording(budget, kind, time, leaves.first().map(|(leaf, _)| *leaf));
        let leaves = leaves.iter().map(|(leaf, time)| (*leaf, mean(*time, divisor))).collect();
        let (share, time, score) = (share(score), mean(time, divisor), mean(score, divisor));
        let functions = functions_of(trace, budget, Some(kind));
        let confidence = Confidence::of(kind, budget.launches_known, limits_known);
        BudgetCause {
            kind,
            wording,
            late: Vec::new(),
            rank_cause: None,
            time,
            score,
            share,
            saving: None,
            can_hide: None,
            confidence,
            few_steps: None,
            leaves,
            longest,
            functions,
        }
    };
    let mut causes: Vec<BudgetCause> = CauseKind::all().into_iter().map(cause).collect();
    causes.retain(|cause| is_listed(cause.score, cause.share));
    causes.compact_sort_by_key(|cause| (std::cmp::Reverse(cause.score), cause.kind));
    let first = first_line(budget, &causes);
    (causes, first)
}

/// The functions with the most time of a cause, or of no cause, per window.
pub(super) fn functions_of(trace: &Trace, budget: &Budget, kind: Option<CauseKind>) -> Vec<CauseFunction> {
    let of_kind = budget.devices.iter().flat_map(|device| &device.functions).filter(|(of, _)| *of == kind);
    let mut functions = merged(trace, of_kind.map(|(_, function)| *function));
    functions.truncate(FUNCTIONS);
    functions.iter_mut().for_each(|function| function.time = floor(function.time, budget.divisor()));
    functions
}

/// Whether a cause costs enough to be listed.
pub(super) fn is_listed(score: Nanos, share: f64) -> bool {
    score > Nanos::ZERO && (share >= LISTED_SHARE || score >= LISTED)
}

/// A mean, rounded down: the functions of a cause are no longer than the cause.
#[expect(clippy::integer_division, reason = "a whole number of nanoseconds")]
fn floor(time: Nanos, divisor: u64) -> Nanos {
    Nanos(time.0 / i64::try_from(divisor.max(1)).unwrap_or(i64::MAX))
}

/// Chooses the first line, given the causes, the largest first.
pub(super) fn first_line(budget: &Budget, causes: &[BudgetCause]) -> FirstLine {
    let sum = budget.sum();
    let all = sum.total();
    if all == Nanos::ZERO {
        // A step has no time of its own where its mark ends while the device still works for the step before.
        return if budget.devices.is_empty() { FirstLine::NoDevice } else { FirstLine::NoTime };
    }
    let share = |time: Nanos| time.ratio_of(all).unwrap_or_default();
    let facts = FirstLineFacts {
        length: mean(all, budget.divisor()),
        at_roof: share(sum.sum(|leaf| matches!(leaf, BudgetLeaf::AtRoof(_)))),
        unknown: share(sum.sum(BudgetLeaf::is_unknown)),
        unknown_idle: share(sum.sum(BudgetLeaf::is_unknown_idle)),
        captures: budget.captures,
        sampled_calls: budget.sampled_calls.is_some(),
    };
    first_line_of(&facts, causes)
}

/// The facts that choose the first line, in addition to the causes: a length, and shares of it.
pub(super) struct FirstLineFacts {
    /// The mean length of a window.
    pub length: Nanos,
    /// The share that kernels would take at the device's limit.
    pub at_roof: f64,
    /// The share of unknown cause.
    pub unknown: f64,
    /// The part of that in which the device idles.
    pub unknown_idle: f64,
    /// Whether the steps capture a graph.
    pub captures: bool,
    /// Whether the trace has only a sample of the calls.
    pub sampled_calls: bool,
}

/// Chooses the first line of a window that has a length.
pub(super) fn first_line_of(facts: &FirstLineFacts, causes: &[BudgetCause]) -> FirstLine {
    let FirstLineFacts { length, at_roof, unknown, unknown_idle, captures, sampled_calls } = *facts;
    let share = |time: Nanos| time.ratio_of(length).unwrap_or_default();
    let saves = |place: usize| causes.get(place).map_or(0.0, |cause| share(cause.saves()));
    let largest = saves(0);
    // However long kernels run at the limit, an idle device is not at it.
    let idles = unknown_idle >= FIRST_SHARE && unknown_idle > largest;
    if sampled_calls {
        FirstLine::SampledCalls
    } else if captures {
        FirstLine::CapturesGraph
    } else if largest < CERTAIN_SHARE && (idles || unknown > largest.max(at_roof)) {
        // The larger part comes first.
        let kernels = unknown - unknown_idle;
        let is_of_kernels = unknown_idle < FIRST_SHARE || kernels > unknown_idle;
        if is_of_kernels { FirstLine::LimitUnknown } else { FirstLine::NotEnoughRecorded }
    } else if causes.first().is_some_and(|cause| share(cause.may_save()) >= FIRST_SHARE) {
        let second = saves(1);
        if second >= SECOND_OF_FIRST * largest { FirstLine::TwoCauses } else { FirstLine::OneCause }
    } else if at_roof > largest {
        FirstLine::AtLimit
    } else if largest >= LISTED_SHARE {
        FirstLine::NoSingleCause
    } else {
        FirstLine::Nothing
    }
}

impl BudgetLeaf {
    /// Whether the cause of its time is not known.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        match self {
            Self::RoofUnknown(_) => true,
            Self::Idle(_) => CauseKind::of(self).is_none(),
            _ => false,
        }
    }

    /// Whether the device idles in it for an unknown cause.
    #[must_use]
    pub fn is_unknown_idle(self) -> bool {
        matches!(self, Self::Idle(_)) && self.is_unknown()
    }
}

/// The situation in which most of the host's work before launches is long.
pub(crate) const LONG_WORK: &str = "launch_bound_long";

/// The last parts of messages' keys for situations with words of their own.
pub const SITUATIONS: [&str; 19] = [
    LONG_WORK,
    "launch_bound_compiled",
    "copies_on_device",
    "copies_pinned",
    "data_pipeline_in_process",
    "data_pipeline_in_workers",
    "above_roof_matrix_unaligned",
    "above_roof_matrix_wide",
    "above_roof_matrix_aligned",
    "late_mixed",
    "waiting_for_stages",
    "above_roof_attention_unfused",
    "float32_products_half",
    "above_roof_attention_math",
    "above_roof_matrix_beside_float32",
    "launch_bound_starved",
    "allocation_warm_up",
    "communication_in_job",
    "communication_transfer",
];

/// Index of the situation in which parts of a job are late for different reasons.
pub(super) const LATE_MIXED: usize = 9;

/// A thread that waits for a processor for this share of the time in which it could run is starved: it takes half as long again.
pub(super) const STARVED: f64 = 1.0 / 3.0;

/// Index of the situation in which the other ranks of a job are open, too.
pub(super) const SPLIT_IN_JOB: usize = 17;

/// Index of the situation in which these show that it hardly waits.
pub(super) const TRANSFER_IN_JOB: usize = 18;

/// Index of the situation in which memory is allocated in the first of the steps.
pub(super) const WARM_UP: usize = 16;

/// Index of the situation in which the waiting is mostly for other stages of a pipeline.
pub(super) const WAITING_FOR_STAGES: usize = 10;

/// The wording of a cause: the remedy depends on where most of its time is.
fn wording(budget: &Budget, kind: CauseKind, time: Nanos, largest: Option<BudgetLeaf>) -> &'static str {
    let long: Nanos = budget.devices.iter().map(|device| device.long_work).sum();
    match (kind, largest) {
        (CauseKind::LaunchBound, _) if budget.processor_wait.is_some_and(|share| share >= STARVED) => SITUATIONS[15],
        (CauseKind::LaunchBound, _) if long + long >= time => LONG_WORK,
        (CauseKind::LaunchBound, _) if budget.compiled => SITUATIONS[1],
        (CauseKind::Copies, Some(BudgetLeaf::Copy(CopyKind::OnDevice))) => SITUATIONS[2],
        (CauseKind::Copies, Some(BudgetLeaf::Copy(CopyKind::FromPinned | CopyKind::ToPinned))) => SITUATIONS[3],
        (CauseKind::DataPipeline, _) if budget.loader == LoaderKind::SingleProcess => SITUATIONS[4],
        (CauseKind::DataPipeline, _) if budget.loader == LoaderKind::Workers => SITUATIONS[5],
        (CauseKind::AboveRoof(family @ RoofFamily::Matrix), _) => {
            let of =
                [(Hindrance::Unaligned, 6), (Hindrance::Wide, 7), (Hindrance::None, 8), (Hindrance::BesideFloat32, 14)];
            let most = of.into_iter().find(|(hindrance, _)| most_is(budget, family, hindered(budget, *hindrance)));
            most.map_or(kind.name(), |(_, place)| SITUATIONS[place])
        }
        (CauseKind::AboveRoof(family @ RoofFamily::Attention), _) => {
            let [unfused, math] =
                [Hindrance::Unfused, Hindrance::MathBackend].map(|hindrance| hindered(budget, hindrance));
            match most_is(budget, family, unfused + math) {
                true => SITUATIONS[if math > unfused { 13 } else { 11 }],
                false => kind.name(),
            }
        }
        (CauseKind::Float32Products, _) if !budget.has_tf32 => SITUATIONS[12],
        _ => kind.name(),
    }
}

/// The part of the possible saving of better kernels that is in calls with a hindrance.
fn hindered(budget: &Budget, hindrance: Hindrance) -> Nanos {
    budget.devices.iter().map(|device| device.hindered[hindrance as usize]).sum()
}

/// Whether a part is most of the possible saving of better kernels of a family.
fn most_is(budget: &Budget, family: RoofFamily, part: Nanos) -> bool {
    part + part > saving(budget, |savings| savings.above[family as usize])
}

fn saving(budget: &Budget, of: impl Fn(&KernelSavings) -> Nanos) -> Nanos {
    let windows = budget.devices.iter().flat_map(|device| {
        let counted = budget.counted.iter();
        counted.filter_map(|index| device.savings.get(*index))
    });
    windows.map(of).sum()
}

/// The bounds of the saving of removing a cause, per window.
///
/// The budget charges each moment to one cause, as if all else stayed in place. The replay moves all later work, and
/// keeps its dependencies. Where other work, another stream or another thread takes over, less is saved than in the
/// budget. Where later work moves up, too, more is saved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Saving {
    /// The smaller one.
    pub low: Nanos,
    /// The larger one.
    pub high: Nanos,
    /// The middle, by which causes are ranked. Where more idle time has no known cause than this cause costs, the replay may take a wait for
    /// work: then no more than the middle of what the cause costs and the smaller bound.
    pub middle: Nanos,
}

impl Saving {
    /// A saving without a range.
    pub(super) fn exactly(time: Nanos) -> Self {
        Self { low: time, high: time, middle: time }
    }

    /// Applies a function to each of its times.
    pub(super) fn each(self, of: impl Fn(Nanos) -> Nanos) -> Self {
        Self { low: of(self.low), high: of(self.high), middle: of(self.middle) }
    }

    /// The saving of two independent causes.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high, middle: self.middle + other.middle }
    }

    /// The most that it may save: the larger bound, unless the replay may take a wait for work.
    #[must_use]
    pub fn most(self) -> Nanos {
        self.middle + (self.middle - self.low)
    }

    /// Whether the smaller one is too small to be shown.
    #[must_use]
    pub fn is_low_nothing(self) -> bool {
        self.low.0 < self.high.0 / 100
    }

    /// Whether the bounds are too far apart for a single number.
    #[must_use]
    pub fn is_wide(self) -> bool {
        self.low.0 < self.high.0 - self.high.0 / 10
    }
}

/// A cause without its budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NamedCause {
    /// Its kind.
    pub kind: CauseKind,
    /// The last part of its messages' keys.
    pub wording: &'static str,
    /// The most that removing it can save, per window.
    pub score: Nanos,
    /// Its share of the windows.
    pub share: f64,
    /// The whole of the share.
    pub whole: BudgetWhole,
    /// How sure its time is.
    pub confidence: Confidence,
}
