//! The step budget: the largest cause, and where each nanosecond of the device's time goes.

use stepscope::Rank;
use stepscope::analyze::{
    BudgetMean, BudgetWhole, CauseFunctionContext, CauseFunctionRow, CauseFunctionTable, CauseTable, FirstLine, Job,
    JobBudget, RankRow, Vendor, functions_of_cause, kernels_without_limit,
};
use stepscope::present::UnitNames;
use stepscope::present::budget::{BudgetRow, budget_rows, cause_name, first_sentences, rank_sentences};
use stepscope::present::kernel_names::event_name;
use stepscope::present::messages::message;
use stepscope::present::text::{count, duration, moment, percent};
use stepscope::table::Table;
use stepscope::table::messages::Language;
use unicode_width::UnicodeWidthStr;

use super::advice::wrapped;
use super::work::units;
use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};

/// Rows of the tree.
const ROWS: usize = 15;

/// Smallest share of the whole that is shown as a row.
const SEEN: f64 = 0.000_5;

/// Fewest columns of a name.
const NAME: usize = 20;

/// The first lines and the tree with at most `top` rows.
pub(super) fn budget_table(rank: &Rank, look: Look, top: usize) -> String {
    let text = BudgetText::of(rank, true, look, |_| ROWS);
    let causes = rank.step_budget().map_or(String::new(), |budget| causes::<false>(budget, look));
    text.first + &text.tree + &causes + &functions(rank, look, top)
}

/// The same of a job, with the other causes of lost time.
pub(crate) fn of_job(job: &JobBudget, look: Look) -> String {
    let BudgetText { first, tree, .. } = BudgetText::of_job(job, look, |_| ROWS);
    first + &tree + &causes::<true>(&job.mean, look)
}

/// The causes of lost time, of a rank or of a job; empty without any.
fn causes<const JOB: bool>(budget: &BudgetMean, look: Look) -> String {
    if budget.causes.is_empty() {
        return String::new();
    }
    let table = Table::of::<CauseTable<JOB>>(&budget.causes, &());
    let names = budget.causes.iter().map(|cause| cause_name(cause, Language::English));
    Grid::of("Causes of lost time, by expected saving", &table, UnitNames::of(Vendor::Nvidia))
        .named(names)
        .to_text(look, 0)
}

/// The host functions or activities with the causes; empty without a cause.
fn functions(rank: &Rank, look: Look, top: usize) -> String {
    let Some(found) = rank.step_budget() else { return String::new() };
    let shown = if top == 0 { found.causes.len() } else { top };
    let of = CauseFunctionContext { trace: &rank.trace, steps: &rank.analysis.steps.steps };
    let written = |rows: Vec<CauseFunctionRow>| {
        let Some(first) = rows.first() else { return String::new() };
        let table = Table::of::<CauseFunctionTable>(&rows, &of).only(&["name", "mean_ns", "share", "within"]);
        let key = format!("budget.cause.{}", first.wording);
        let name = message(Language::English, &key);
        Grid::of(&format!("Where it is: {name}"), &table, units(rank)).to_text(look, 0)
    };
    let of_causes: String = found.causes.iter().take(shown).map(|cause| written(functions_of_cause(cause))).collect();
    of_causes + &written(kernels_without_limit(found))
}

/// The subject of a budget's first line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Headline {
    /// The largest cause, by the last part of its messages' keys, and the whole of its share.
    Cause(&'static str, BudgetWhole),
    /// The step captures a graph.
    CapturesGraph,
    /// The trace has only a sample of the calls.
    SampledCalls,
    /// Time whose cause is not recorded.
    Unknown(BudgetWhole),
    /// Kernels whose limit is not known.
    LimitUnknown(BudgetWhole),
    /// Kernels at the device's limit.
    AtLimit(BudgetWhole),
    /// No cause that takes a hundredth.
    Nothing(BudgetWhole),
}

impl Headline {
    /// Subject of a budget's first line, and its share; `None` without a device.
    fn of(budget: &BudgetMean) -> Option<(Self, f64)> {
        match budget.first {
            FirstLine::NoDevice | FirstLine::NoTime => None,
            FirstLine::CapturesGraph => Some((Self::CapturesGraph, 0.0)),
            FirstLine::SampledCalls => Some((Self::SampledCalls, 0.0)),
            FirstLine::NotEnoughRecorded => Some((Self::Unknown(budget.whole), budget.unknown_idle.share)),
            FirstLine::LimitUnknown => Some((Self::LimitUnknown(budget.whole), budget.limit_unknown().share)),
            FirstLine::AtLimit => Some((Self::AtLimit(budget.whole), budget.at_roof.share)),
            FirstLine::Nothing => Some((Self::Nothing(budget.whole), 0.0)),
            FirstLine::OneCause | FirstLine::TwoCauses | FirstLine::NoSingleCause => {
                budget.causes.first().map(|cause| (Self::Cause(cause.wording, budget.whole), cause.share))
            }
        }
    }

    /// A name for a list, beside its share.
    pub(crate) fn name(self) -> String {
        match self {
            Self::Cause(wording, _) => message(Language::English, &format!("budget.cause.{wording}")).to_owned(),
            Self::CapturesGraph => "none: the step captures a graph".to_owned(),
            Self::SampledCalls => "none: most calls are missing".to_owned(),
            Self::Unknown(_) => "cause not recorded".to_owned(),
            Self::LimitUnknown(_) => "none: the limit of its kernels is not known".to_owned(),
            Self::AtLimit(_) => "none: kernels run at the device's limit".to_owned(),
            Self::Nothing(_) => "none takes 1 %".to_owned(),
        }
    }

    /// A sentence about a share of the step, of the time from step to step, or of the trace.
    pub(crate) fn sentence(self, share: &str) -> String {
        let of = |whole: BudgetWhole| message(Language::English, &format!("budget.window.{}", whole.name())).to_owned();
        match self {
            Self::Cause(_, whole) => format!("{share} of the {} is lost to {}", of(whole), self.name()),
            Self::CapturesGraph => "the step captures a graph, which happens once".to_owned(),
            Self::SampledCalls => "most calls are missing in the trace".to_owned(),
            Self::Unknown(whole) => format!("the cause of {share} of the {} is not recorded", of(whole)),
            Self::LimitUnknown(whole) => {
                format!("the device runs kernels of unknown limit for {share} of the {}", of(whole))
            }
            Self::AtLimit(whole) => format!("kernels run at the device's limit for {share} of the {}", of(whole)),
            Self::Nothing(whole) => format!("no cause takes 1 % of the {}", of(whole)),
        }
    }
}

/// The share of several ranks' steps: the least and the most.
pub(crate) fn share_of(shares: &[f64]) -> String {
    let least = percent(shares.iter().copied().fold(f64::INFINITY, f64::min));
    let most = percent(shares.iter().copied().fold(0.0, f64::max));
    if shares.len() == 1 || least == most { most } else { format!("{least} to {most}") }
}

/// The budget of a rank, as the program prints it.
#[derive(Default)]
pub(crate) struct BudgetText {
    /// The first lines.
    pub(crate) first: String,
    /// The tree.
    pub(crate) tree: String,
    /// The subject of the first line, which several ranks may have in common, and its share.
    pub(crate) headline: Option<(Headline, f64)>,
}

impl BudgetText {
    /// The text of a rank's budget, and the longest span of the largest cause if asked for. `most` returns the most rows
    /// of the tree, from the number of other lines.
    pub(crate) fn of(rank: &Rank, has_longest: bool, look: Look, most: impl Fn(usize) -> usize) -> Self {
        let Some(found) = rank.step_budget() else { return Self::default() };
        let mut first = sentences(rank, found, look);
        first.extend(has_longest.then(|| longest_line(rank, found, look)).flatten());
        let tree = tree((found, None), look, |lines| most(first.lines().count() + lines));
        Self { first, tree, headline: Headline::of(found) }
    }

    /// The same of a job.
    pub(super) fn of_job(job: &JobBudget, look: Look, most: impl Fn(usize) -> usize) -> Self {
        let first = wrapped(&printable(&first_sentences(&job.mean, Language::English).join(" ")), look.width);
        let tree = tree((&job.mean, Some(job)), look, |lines| most(first.lines().count() + lines));
        Self { first, tree, headline: None }
    }
}

/// The sentences about a budget of a rank.
fn sentences(rank: &Rank, budget: &BudgetMean, look: Look) -> String {
    wrapped(&printable(&rank_sentences((&rank.analysis, None), budget, Language::English).join(" ")), look.width)
}

/// The longest span of the largest cause.
fn longest_line(rank: &Rank, found: &BudgetMean, look: Look) -> Option<String> {
    // The sentences name the largest cause in all other cases.
    let is_named = !matches!(found.first, FirstLine::AtLimit | FirstLine::Nothing);
    let cause = found.largest_cause().filter(|_| is_named)?;
    let longest = &cause.longest.first()?.1;
    let slice = longest.host.or(longest.activity)?;
    // It may be longer than the mean step.
    let steps = if found.are_steps && found.windows > 1 { rank.analysis.steps.steps.as_slice() } else { &[] };
    let step = steps.iter().find(|step| !step.span.intersection(longest.span).is_empty());
    let step = step.map_or_else(String::new, |step| {
        format!(", in step {} of {}", printable(&step.name), duration(step.span.len()))
    });
    let (length, start) = (duration(longest.span.len()), moment(longest.span.start));
    let name = printable(&event_name(&rank.trace, slice));
    // The host did it for at least half of its main activity.
    let (separator, of) = if longest.host.is_some() { (", ", "mostly ") } else { ("  ", "") };
    // The sentences may end with another cause, or with an idle time of none.
    let cause_key = format!("budget.cause.{}", cause.wording);
    let cause = message(Language::English, &cause_key);
    let line = |of: &str| format!("    Longest{of}: {length} at {start}{step}");
    let when = Some(line(&[" of ", cause].concat())).filter(|line| line.width() <= look.width);
    let when = when.unwrap_or_else(|| line(""));
    let left = look.width.saturating_sub(when.width() + separator.len() + of.len());
    let indent = "      ";
    Some(if left < NAME {
        let left = look.width.saturating_sub(indent.len() + of.len()).max(NAME);
        format!("{when}\n{indent}{of}{}\n", shortened(&name, left))
    } else {
        format!("{when}{separator}{of}{}\n", shortened(&name, left))
    })
}

/// The text of a rank's budget when the other ranks of its job are known, too: with the split of its communication.
pub(crate) fn in_job(text: &str, rank: &Rank, (job, row): (&Job, &RankRow), look: Look) -> Option<String> {
    let alone = rank.step_budget()?;
    let split = alone.in_job(job, row)?;
    Some(text.replacen(&sentences(rank, alone, look), &sentences(rank, &split, look), 1))
}

/// The tree. `most` returns its most rows, from the number of other lines.
fn tree((found, job): (&BudgetMean, Option<&JobBudget>), look: Look, most: impl Fn(usize) -> usize) -> String {
    let ranks = job.map(|job| format!("mean of {} of {} ranks", count(job.ranks), count(job.world_size)));
    let windows = match found.windows {
        _ if !found.are_steps => "the whole trace".to_owned(),
        _ if found.whole == BudgetWhole::Recorded => "the recorded time".to_owned(),
        1 => "one step".to_owned(),
        windows if found.whole == BudgetWhole::Periods => {
            format!("mean of {} steps and the time between them", count(windows))
        }
        windows => format!("mean of {} steps", count(windows)),
    };
    let devices =
        if found.devices > 1 && job.is_none() { format!(", mean of {} devices", found.devices) } else { String::new() };
    let row = |BudgetRow { name, depth, portion }: &BudgetRow| {
        vec![format!("{}{name}", "  ".repeat(*depth)), percent(portion.share), duration(portion.time)]
    };
    let title = format!("Budget, {}{devices}", ranks.unwrap_or(windows));
    let share = match found.whole {
        BudgetWhole::Steps => "of the step",
        BudgetWhole::Periods => "of the time from\nstep to step",
        BudgetWhole::Recorded => "of the\nrecorded time",
        BudgetWhole::Trace => "of the trace",
    };
    // The heading of the tree, and a line on each side.
    let lines = 3 + share.lines().count();
    let mut rows = budget_rows(&found.branches, most(lines), Language::English);
    // Their share would be 0.0 %.
    rows.retain(|row| row.portion.share >= SEEN);
    Grid::new(&title, ["", share, "time"], rows.iter().map(row)).to_text(look, 0)
}
