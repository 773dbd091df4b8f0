//! A summary that is put together rank by rank, so that only one trace need be in memory.

use super::advice::{AdviceRuleReport, EvidencedOutcome, concluded, lacks, rules_of_job, rules_of_rank};
use super::budget::BudgetReport;
use super::critical::{CriticalReport, CriticalRequest};
use super::data::LoadingReport;
use super::idle::WhyIdle;
use super::job::{JobReport, collectives_of, stragglers_of};
use super::kernel_use::KernelUseReport;
use super::memory::MemoryReport;
use super::not_a_job::NotAJobReport;
use super::recorded::RecordedTableReport;
use super::resources::ResourcesReport;
use super::tables::Tables;
use super::{Input, RankReport, Summary};
use stepscope_analyze::{
    AdviceConfig, BudgetMean, JobBudget, JobConfig, KernelGrouping, Missing, NamedCause, RankDigest, RuleOutcome,
    StepChoice, advice_cards,
};
use stepscope_analyze::{Rank, job_of_digests, rows_in_job};
use stepscope_base::CompactSort as _;
use stepscope_table::messages::Language;
use stepscope_trace::{Meta, Trace};

/// Optional parts and settings of a summary.
#[derive(Clone, Debug)]
pub struct SummaryRequest<'a> {
    /// The rule set for advice, with its thresholds.
    pub advice: &'a AdviceConfig,
    /// Whether all rules are listed, or only those that hold.
    pub all_rules: bool,
    /// Whether it has the step budget of each step and device, beside that of the mean step.
    pub budget: bool,
    /// Critical paths or what-ifs, which take longer than all other parts.
    pub critical: Option<CriticalRequest<'a>>,
    /// The use of the devices by kernels, in this grouping.
    pub kernel_use: Option<KernelGrouping>,
    /// The user's settings for the job.
    pub job: JobConfig,
    /// The language of the budget's sentences and of the savings of advice.
    pub language: Language,
    /// The step for tables of operators, kernels, copies and idle time, as [`StepChoice::named`] takes it; none for
    /// sums over the whole trace.
    pub step: Option<&'a str>,
}

impl<'a> SummaryRequest<'a> {
    /// Only the advice that holds.
    #[must_use]
    pub fn of(advice: &'a AdviceConfig) -> Self {
        Self {
            advice,
            all_rules: false,
            budget: false,
            critical: None,
            kernel_use: None,
            job: JobConfig::default(),
            language: Language::English,
            step: None,
        }
    }

    /// The request of a report, which has critical paths and the use of the devices by kernels, too.
    #[must_use]
    pub fn of_report(advice: &'a AdviceConfig) -> Self {
        let critical = CriticalRequest { paths: true, ..CriticalRequest::default() };
        Self { critical: Some(critical), kernel_use: Some(KernelGrouping::Name), ..Self::of(advice) }
    }

    fn wants<E>(&self, told: &RuleOutcome<E>) -> bool {
        self.all_rules || told.judgement.holds
    }

    /// Whether an outcome of a single rank may be listed: a rule that is covered by another one may be needed once
    /// all ranks are known.
    fn may_want<E>(&self, told: &RuleOutcome<E>) -> bool {
        self.wants(told) || told.judgement.covered_by.is_some()
    }
}

impl Summary {
    /// The summary of the given ranks, in their order, with METRICS' advice.
    #[must_use]
    pub fn of(ranks: &[Rank]) -> Self {
        let config = AdviceConfig::default();
        let mut parts = SummaryParts::new(SummaryRequest::of(&config));
        ranks.iter().for_each(|rank| parts.add(rank));
        parts.finish()
    }
}

/// The parts of a summary.
#[derive(Debug)]
pub struct SummaryParts<'a> {
    request: SummaryRequest<'a>,
    ranks: Vec<KeptRank>,
}

/// The results of a rank that are kept without its trace.
#[derive(Debug)]
pub(super) struct KeptRank {
    input: Input,
    report: RankReport,
    digest: Option<RankDigest>,
    /// Its step budget, a part of the job's.
    budget: Option<BudgetMean>,
    rules: Vec<EvidencedOutcome>,
    /// Data that the rank lacks for the verdict that nothing is to be done.
    missing: Vec<Missing>,
    /// The largest cause of its step budget, if it is large.
    cause: Option<NamedCause>,
    /// The tables that its profiler wrote; some are about the job.
    tables: Trace,
}

impl<'a> SummaryParts<'a> {
    /// No ranks yet.
    #[must_use]
    pub fn new(request: SummaryRequest<'a>) -> Self {
        Self { request, ranks: Vec::new() }
    }

    /// Parts of ranks that were analyzed one by one.
    pub(super) fn of(request: SummaryRequest<'a>, ranks: Vec<KeptRank>) -> Self {
        Self { request, ranks }
    }

    /// Adds a rank, which may be dropped afterwards.
    pub fn add(&mut self, rank: &Rank) {
        self.ranks.push(KeptRank::of(rank, &self.request));
    }

    /// Sorts the ranks by their numbers.
    pub fn sort(&mut self) {
        self.ranks.compact_sort_by_key(|part| part.report.rank);
    }

    /// The summary.
    #[must_use]
    pub fn finish(self) -> Summary {
        let Self { request, ranks } = self;
        let (mut inputs, mut reports) = (Vec::new(), Vec::new());
        let (mut digests, mut rules, mut tables) = (Vec::new(), Vec::new(), Vec::new());
        let mut budgets: Vec<Option<BudgetMean>> = Vec::new();
        let (mut missing, mut causes): (Vec<Missing>, Vec<Option<NamedCause>>) = (Vec::new(), Vec::new());
        for (place, part) in (0..).zip(ranks) {
            let number = part.report.rank;
            if part.digest.is_some() {
                budgets.push(part.budget);
            }
            digests.push((number, part.digest));
            rules.push(part.rules);
            missing.extend(part.missing);
            causes.push(part.cause);
            tables.push((number.unwrap_or(place), part.tables));
            inputs.push(part.input);
            reports.push(part.report);
        }
        let tables: Vec<(u64, &Trace)> = tables.iter().map(|(number, tables)| (*number, tables)).collect();
        let rows = rows_in_job(digests.iter().map(|(_, digest)| digest.is_some()));
        let job = job_of_digests(digests, &request.job);
        let of_job = rules_of_job(&tables, job.as_ref(), request.advice);
        let is_apart = job.as_ref().is_some_and(|job| !job.is_one());
        let cards = advice_cards(rules, of_job, job.as_ref().map(|job| (job, rows.as_slice())));
        let names: Vec<(Option<u64>, &str)> = reports
            .iter()
            .zip(&inputs)
            .map(|(report, input): (&RankReport, &Input)| (report.rank, input.name.as_str()))
            .collect();
        let conclusion = concluded(&cards, missing, &names, causes);
        // A rule that holds for a rank alone may not hold in the job: the rank may wait for others.
        let cards = cards.into_iter().filter(|card| request.wants(&card.outcome));
        let rules = cards.map(|card| AdviceRuleReport::of(&names, is_apart, card, request.language));
        let rules: Vec<AdviceRuleReport> =
            rules.map(|rule| if request.all_rules { rule } else { rule.without_thresholds() }).collect();
        let mut summary = Summary::brief(inputs, reports, &tables);
        summary.advice = Some(rules);
        summary.advice_conclusion = Some(conclusion);
        summary.not_a_job = job.as_ref().and_then(NotAJobReport::of);
        if let Some(job) = job.as_ref().filter(|job| job.is_one()) {
            let budgets: Vec<Option<&BudgetMean>> = budgets.iter().map(Option::as_ref).collect();
            let budget = JobBudget::of(job, &budgets);
            let known = rows.iter().enumerate().filter_map(|(place, row)| Some((place, (*row)?)));
            for (place, row) in known {
                let mean = budgets.get(row).copied().flatten().zip(job.ranks.get(row));
                let split = mean.and_then(|(mean, of)| mean.in_job(job, of));
                if let Some((split, report)) = split.zip(summary.ranks[place].budget.as_mut()) {
                    report.set_in_job(&split, request.language);
                }
            }
            summary.job = Some(JobReport::of(job, budget.as_ref(), request.language));
            summary.collectives = Some(collectives_of(job));
            summary.stragglers = Some(stragglers_of(job));
        }
        summary
    }
}

impl KeptRank {
    pub(super) fn of(rank: &Rank, request: &SummaryRequest<'_>) -> Self {
        let steps = &rank.analysis.steps;
        let choice = request.step.map_or(StepChoice::Whole, |name| StepChoice::named(name, steps));
        let report = RankReport {
            recorded: rank.trace.recorded.iter().map(RecordedTableReport::of).collect(),
            tables: Some(Tables::of(rank, choice, rank.analysis.operators_config)),
            why_idle: WhyIdle::of(rank, choice),
            data_loading: LoadingReport::of(rank),
            resources: ResourcesReport::of(rank).resources,
            memory: MemoryReport::of(rank, None),
            topics: Vec::new(),
            call_groupings: Vec::new(),
            budget: if request.budget || !rank.trace.activities.is_empty() {
                BudgetReport::of(rank, request.budget, request.language)
            } else {
                None
            },
            critical: request.critical.map(|request| CriticalReport::of(rank, request)),
            kernel_use: request.kernel_use.map(|grouping| KernelUseReport::of(rank, choice, grouping)),
            ..RankReport::of(rank)
        };
        let (rules, budget) = (rules_of_rank(rank, request.advice), rank.budget_verdict());
        Self {
            input: Input::of(rank),
            report,
            digest: rank.digest(),
            budget: rank.step_budget().cloned(),
            missing: lacks(&rank.missing, &rules, &budget),
            cause: budget.cause,
            rules: rules.into_iter().filter(|told| request.may_want(told)).collect(),
            tables: Trace::of_tables(Meta::default(), rank.trace.recorded.clone()),
        }
    }
}
