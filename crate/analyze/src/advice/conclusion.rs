//! The conclusion of advice: the statement that comes first wherever advice is shown.

use super::distinct::OF_IDLE_TIME;
use std::collections::BTreeSet;

use super::Judgement;
use super::facts::unseen;
use crate::{Analysis, BudgetVerdict, CauseKind, IntervalSet, NamedCause, StepSource, idle_spans, started_late};
use stepscope_base::Nanos;
use stepscope_trace::Trace;

/// Data that a trace lacks for a verdict that there is nothing to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// A part of the file is lost: it was cut off, or is damaged.
    Lost,
    /// No step is complete.
    CompleteStep,
    /// The steps that are complete capture a graph.
    SteadyStep,
    /// No activity of a device.
    Device,
    /// No events: only tables that the profiler wrote.
    Events,
    /// The state of a device is unknown for a tenth of the steps or more.
    Start,
    /// For a tenth of the steps or more, launched work starts late without a known reason.
    LateStart,
    /// The profiler reported errors while it recorded: activities may be missing.
    Errors,
    /// The step budget does not know the cause of a large part of the steps.
    Cause,
    /// Hardly any rule could be judged.
    Rules,
}

impl Missing {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Lost,
        Self::CompleteStep,
        Self::SteadyStep,
        Self::Device,
        Self::Events,
        Self::Start,
        Self::LateStart,
        Self::Errors,
        Self::Cause,
        Self::Rules,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::CompleteStep => "complete_step",
            Self::SteadyStep => "steady_step",
            Self::Device => "device",
            Self::Events => "events",
            Self::Start => "start",
            Self::LateStart => "late_start",
            Self::Errors => "errors",
            Self::Cause => "cause",
            Self::Rules => "rules",
        }
    }

    /// Missing data of a rank, whatever the rules find, including those known from its `files`.
    #[must_use]
    pub fn of(trace: &Trace, analysis: &Analysis, files: Vec<Self>) -> Vec<Self> {
        let steps = &analysis.steps;
        let marked = steps.source != StepSource::WholeTrace;
        let captures = steps.average_captures();
        let incomplete = marked && !captures && !steps.steps.is_empty() && !steps.steps.iter().any(crate::Step::counts);
        let counted = IntervalSet::of(steps.counted().into_iter().map(|index| steps.steps[index].span));
        let unknown = |(device, report): (crate::IdleSpans, &crate::DeviceReport)| {
            let before = device.before_first.map(|before| counted.clip(before).len()).unwrap_or_default();
            before + report.uncovered.intersection(&counted).len()
        };
        let devices = idle_spans(steps, &analysis.devices).into_iter().zip(&analysis.devices);
        let unknown = devices.map(unknown).filter(|unknown| *unknown > Nanos::ZERO).max();
        let late = started_late(steps, &analysis.idle);
        // Late starts and waits of calls for their own copies are the same time. Where a device is busy with recorded
        // work, the copy waits for that.
        let waits = unseen(trace).intersection(&counted);
        let hidden = analysis.devices.iter().map(|device| waits.difference(&device.sets.busy()).len()).min();
        let unseen = hidden.unwrap_or_default() - late;
        let unknown = unknown.max((unseen > Nanos::ZERO).then_some(unseen));
        let is_much = |time: Nanos| time.0.saturating_mul(10) >= counted.len().0.max(1);
        let found = [
            (Self::CompleteStep, incomplete),
            (Self::SteadyStep, captures),
            (Self::Device, trace.has_events() && analysis.devices.is_empty()),
            (Self::Events, !trace.has_events()),
            (Self::Start, unknown.is_some_and(is_much)),
            (Self::LateStart, late > Nanos::ZERO && is_much(late)),
        ];
        let found = found.into_iter().filter(|(_, is_missing)| *is_missing).map(|(missing, _)| missing);
        let all: BTreeSet<Self> = files.into_iter().chain(found).collect();
        all.into_iter().collect()
    }

    /// Missing data of a rank with those of its budget, and of the rules if hardly any of them could be judged.
    #[must_use]
    pub fn with_rules<'a>(
        lacks: &[Self],
        judged: impl Iterator<Item = &'a Judgement>,
        budget: &BudgetVerdict,
    ) -> Vec<Self> {
        /// Smallest number of judged rules for a verdict.
        const FEWEST: usize = 3;
        let (all, measured) = judged.fold((0_usize, 0_usize), |(all, measured), judgement| {
            (all + 1, measured + usize::from(judgement.measured.is_ok()))
        });
        let rules = (all > 0 && measured < FEWEST).then_some(Self::Rules);
        let cause = budget.lacks_cause.then_some(Self::Cause);
        lacks.iter().copied().chain(cause).chain(rules).collect()
    }
}

/// The verdict of advice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is something to do.
    Advice,
    /// The rules found nothing to do, and the step budget names a cause of lost time.
    Cause,
    /// The rules found nothing to do, and no cause is large.
    Nothing,
    /// The rules found nothing, and the trace lacks data for a verdict.
    Incomplete,
}

impl Verdict {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Advice => "advice",
            Self::Cause => "cause",
            Self::Nothing => "nothing",
            Self::Incomplete => "incomplete",
        }
    }
}

/// The verdict of advice, and the data that the traces lack.
#[derive(Clone, Debug, PartialEq)]
pub struct Conclusion {
    /// The verdict.
    pub verdict: Verdict,
    /// The data that any of the ranks lacks.
    pub missing: BTreeSet<Missing>,
    /// The largest cause of any rank's budget, with the rank's index, where no rule holds; of a single rank also where
    /// none that holds is a detail of it.
    pub cause: Option<(usize, NamedCause)>,
}

impl Conclusion {
    /// The conclusion from judgements, given the missing data of their ranks and the largest cause of each one's
    /// budget.
    #[must_use]
    pub fn of<'a>(
        judged: impl Iterator<Item = &'a Judgement>,
        missing: impl IntoIterator<Item = Missing>,
        causes: impl IntoIterator<Item = Option<NamedCause>>,
    ) -> Self {
        let holding: Vec<&Judgement> = judged.into_iter().filter(|judgement| judgement.holds).collect();
        let holds = !holding.is_empty();
        let missing: BTreeSet<Missing> = missing.into_iter().collect();
        let causes: Vec<Option<NamedCause>> = causes.into_iter().collect();
        let is_single = causes.len() == 1;
        let causes = causes.into_iter().enumerate().filter_map(|(place, cause)| Some((place, cause?)));
        let largest = causes.reduce(|largest, next| if next.1.share > largest.1.share { next } else { largest });
        let is_told = |cause: &NamedCause| {
            // A rule about idle time that promises most of what the host loses is about the same time.
            let is_of_its_time = |judgement: &Judgement| {
                let gain = judgement.gain().unwrap_or_default();
                cause.kind == CauseKind::LaunchBound
                    && OF_IDLE_TIME.contains(&judgement.rule.id)
                    && gain + gain > cause.score
            };
            let is_detail = |judgement: &Judgement| judgement.detail_of.is_some_and(|of| of.cause.kind == cause.kind);
            holding.iter().any(|judgement| is_detail(judgement) || is_of_its_time(judgement))
        };
        // Ranks wait for each other: what one of them loses may be another one's matter.
        let cause = largest.filter(|(_, cause)| !holds || is_single && !is_told(cause));
        let verdict = match (holds, missing.is_empty(), cause) {
            (true, _, _) => Verdict::Advice,
            (false, false, _) => Verdict::Incomplete,
            (false, true, Some(_)) => Verdict::Cause,
            (false, true, None) => Verdict::Nothing,
        };
        Self { verdict, missing, cause }
    }
}
