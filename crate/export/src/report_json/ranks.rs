//! Open ranks, some of whose traces were dropped from memory.
//!
//! A dropped trace leaves its rank's part of reports on several ranks: its brief summary and its digest. All other
//! reports need the trace, and callers read it again first.

use schemars::JsonSchema;
use serde::Serialize;

use super::advice::{AdviceReport, EvidencedOutcome, rules_of_rank};
use super::budget::BudgetReport;
use super::job::JobTables;
use super::not_a_job::NotAJobReport;
use super::parts::{KeptRank, SummaryParts, SummaryRequest};
use super::peers::EventPeersReport;
use super::request::ReportRequest;
use super::runs::RunReport;
use super::text::json;
use super::topics::{Answer, answer, answer_of};
use super::{Input, RankReport, Summary};
use stepscope_analyze::{
    AdviceConfig, BudgetMean, Definition, GivenPeaks, GridFault, Job, JobBudget, JobConfig, JobSide, ParallelGrid,
    PartOf, RankClock, RankDigest, job_as,
};
use stepscope_analyze::{Rank, number_in_job, numbered, rows_in_job};
use stepscope_table::messages::Language;
use stepscope_trace::EventId;

/// Ranks by number, with a memory budget for their traces.
#[derive(Debug)]
pub struct RankSet {
    ranks: Vec<Rank>,
    /// Data beside each rank's trace.
    beside: Vec<Beside>,
    /// The most bytes of traces in memory.
    budget: usize,
    /// The number of uses.
    uses: u64,
    /// The user's settings for the job.
    chosen: JobConfig,
    /// The latest requested configuration of advice.
    asked: AdviceConfig,
    /// The job, once it is requested; the inner option is none with too few ranks.
    job: Option<Option<Job>>,
}

/// Results of a job, or why the traces are not one job.
#[derive(JsonSchema, Serialize)]
#[serde(untagged)]
pub(super) enum JobOrNot {
    Job(Box<JobTables>),
    Not { not_a_job: NotAJobReport },
}

impl JobOrNot {
    fn of(job: &Job, budget: Option<&JobBudget>, language: Language) -> Self {
        match NotAJobReport::of(job) {
            Some(not_a_job) => Self::Not { not_a_job },
            None => Self::Job(Box::new(JobTables::of(job, budget, language))),
        }
    }
}

/// Data of a rank beside its trace.
#[derive(Debug, Default)]
struct Beside {
    /// The source that it was read from, by its reader's number.
    origin: usize,
    /// Bytes of its trace, in memory or not.
    bytes: usize,
    /// The number of its latest use.
    used: u64,
    /// Computed before the trace is dropped.
    brief: Option<(Input, RankReport)>,
    /// Computed on first use.
    digest: Option<RankDigest>,
    /// Its part of the whole summary.
    part: Option<KeptRank>,
    /// Outcomes of rules, with their configuration: computed on first use, and before the trace is dropped.
    rules: Option<(AdviceConfig, Vec<EvidencedOutcome>)>,
}

/// Why a text is not a valid parallel layout of these ranks.
#[derive(Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct LayoutFault {
    /// The fault; `other_ranks` if the layout has another number of ranks.
    code: &'static str,
    /// The faulty part of the text.
    part: String,
    /// The number of ranks of the layout.
    #[serde(skip_serializing_if = "Option::is_none")]
    told: Option<u64>,
    /// The number of ranks of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranks: Option<u64>,
}

impl From<(GridFault, String)> for LayoutFault {
    fn from((fault, part): (GridFault, String)) -> Self {
        Self { code: fault.name(), part, told: None, ranks: None }
    }
}

impl RankSet {
    /// No ranks yet; `budget` is the most bytes of traces in memory.
    #[must_use]
    pub fn new(budget: usize) -> Self {
        let (chosen, asked) = (JobConfig::default(), AdviceConfig::default());
        Self { ranks: Vec::new(), beside: Vec::new(), budget, uses: 0, chosen, asked, job: None }
    }

    /// The ranks; those that are dropped have no events.
    #[must_use]
    pub fn list(&self) -> &[Rank] {
        &self.ranks
    }

    /// Forgets all ranks.
    pub fn clear(&mut self) {
        *self = Self::new(self.budget);
    }

    /// Sets the most bytes of traces in memory.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
    }

    /// Adds a rank that was read from `origin`, after those of the same number. If the budget is exceeded, its trace
    /// is dropped, since users look at the first ranks first.
    pub fn add(&mut self, rank: Rank, origin: usize) {
        let place = self.ranks.partition_point(|other| other.rank <= rank.rank);
        let bytes = rank.bytes_held();
        self.ranks.insert(place, rank);
        self.beside.insert(place, Beside { origin, bytes, ..Beside::default() });
        self.job = None;
        if self.bytes_held() > self.budget && self.ranks.len() > 1 {
            self.drop_trace(place);
        }
    }

    /// Restores a trace that was read again; drops the least recently used ones if the budget is exceeded.
    pub fn restore(&mut self, index: usize, rank: Rank) {
        let (Some(own), Some(beside)) = (self.ranks.get_mut(index), self.beside.get_mut(index)) else { return };
        *own = rank;
        beside.brief = None;
        self.touch(index);
        while self.bytes_held() > self.budget {
            let others = (0..self.ranks.len()).filter(|other| *other != index && self.is_held(*other));
            let Some(oldest) = others.min_by_key(|other| self.beside[*other].used) else { break };
            self.drop_trace(oldest);
        }
    }

    /// Whether a rank's trace is in memory.
    #[must_use]
    pub fn is_held(&self, index: usize) -> bool {
        self.ranks.get(index).is_some_and(|rank| !rank.is_dropped)
    }

    /// The source that a rank was read from.
    #[must_use]
    pub fn origin(&self, index: usize) -> Option<usize> {
        self.beside.get(index).map(|beside| beside.origin)
    }

    /// Notes that a rank is used.
    pub fn touch(&mut self, index: usize) {
        self.uses += 1;
        if let Some(beside) = self.beside.get_mut(index) {
            beside.used = self.uses;
        }
    }

    fn bytes_held(&self) -> usize {
        let held = self.ranks.iter().zip(&self.beside).filter(|(rank, _)| !rank.is_dropped);
        held.map(|(_, beside)| beside.bytes).sum()
    }

    fn drop_trace(&mut self, index: usize) {
        self.digest(index);
        self.judge(index);
        let rank = &mut self.ranks[index];
        // The job needs the budget later.
        let _ = rank.step_budget();
        self.beside[index].brief = Some((Input::of(rank), RankReport::of(rank)));
        rank.drop_events();
    }

    fn digest(&mut self, index: usize) {
        let (rank, beside) = (&self.ranks[index], &mut self.beside[index]);
        if beside.digest.is_none() && !rank.is_dropped {
            beside.digest = rank.digest();
        }
    }

    /// Judges a rank by the requested rules, if its trace is in memory and it was not judged by them yet.
    fn judge(&mut self, index: usize) {
        let (rank, beside) = (&self.ranks[index], &mut self.beside[index]);
        if !rank.is_dropped && beside.rules.as_ref().is_none_or(|(config, _)| *config != self.asked) {
            beside.rules = Some((self.asked.clone(), rules_of_rank(rank, &self.asked)));
        }
    }

    /// The clocks of some ranks, as all ranks determine them; none for a rank without events, or without another
    /// rank.
    pub fn clocks(&mut self, ranks: &[usize]) -> Vec<Option<RankClock>> {
        if ranks.len() < 2 || self.all().is_none() {
            return vec![None; ranks.len()];
        }
        let rows = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some()));
        let rows = ranks.iter().map(|rank| rows.get(*rank).copied().flatten());
        self.all().map(|job| job.clocks_of(rows)).unwrap_or_default()
    }

    /// The job of the ranks; none if fewer than two have events, or they are not ranks of one job.
    pub fn job(&mut self) -> Option<&Job> {
        self.all().filter(|job| job.is_one())
    }

    /// The job, whether or not the ranks form one: its clocks are needed in both cases.
    fn all(&mut self) -> Option<&Job> {
        if self.job.is_none() {
            (0..self.ranks.len()).for_each(|rank| self.digest(rank));
            // Digests are moved and put back, not copied: those of many ranks take the most memory.
            let lend = |(place, (rank, beside)): (usize, (&Rank, &mut Beside))| {
                let digest = beside.digest.take()?;
                Some((place, RankDigest { rank: number_in_job(place, rank.rank), ..digest }))
            };
            let lent = self.ranks.iter().zip(&mut self.beside).enumerate().filter_map(lend);
            let (places, digests): (Vec<usize>, Vec<RankDigest>) = lent.unzip();
            self.job = Some((digests.len() > 1).then(|| job_as(&digests, &self.chosen)));
            for (place, digest) in places.into_iter().zip(digests) {
                self.beside[place].digest = Some(digest);
            }
        }
        self.job.as_ref().and_then(Option::as_ref)
    }

    /// Sets the parallel layout of the ranks from a text such as `pp=2,dp=4`; an empty text restores the traces'
    /// layout.
    ///
    /// # Errors
    ///
    /// The fault of the text; the layout then stays as it was.
    pub fn set_layout(&mut self, text: &str) -> Result<(), LayoutFault> {
        let grid = if text.trim().is_empty() { None } else { Some(ParallelGrid::named(text)?) };
        if self.chosen.parallel == grid {
            return Ok(());
        }
        let told = grid.as_ref().map(ParallelGrid::ranks);
        let before = (std::mem::replace(&mut self.chosen.parallel, grid), self.job.take());
        let Some(told) = told else { return Ok(()) };
        match self.job().map(|job| job.world_size).filter(|size| *size != told) {
            Some(size) => {
                (self.chosen.parallel, self.job) = before;
                Err(LayoutFault {
                    code: "other_ranks",
                    part: text.trim().to_owned(),
                    told: Some(told),
                    ranks: Some(size),
                })
            }
            None => Ok(()),
        }
    }

    /// The job as a summary's `job`, `collectives` and `stragglers`, else its `not_a_job`, as JSON; none if fewer
    /// than two ranks have events. Sentences are in a language.
    pub fn job_json(&mut self, language: Language) -> Option<Vec<u8>> {
        self.all()?;
        let rows = self.ranks.iter().zip(&self.beside).filter(|(_, beside)| beside.digest.is_some());
        let budgets: Vec<Option<&BudgetMean>> = rows.map(|(rank, _)| rank.step_budget()).collect();
        let job = self.job.as_ref()?.as_ref()?;
        let budget = JobBudget::of(job, &budgets);
        Some(json(&JobOrNot::of(job, budget.as_ref(), language)))
    }

    /// The job as a side of a comparison; none if fewer than two ranks of one job are averaged.
    pub fn job_side(&mut self) -> Option<JobSide> {
        self.job()?;
        let rows = self.ranks.iter().zip(&self.beside).filter(|(_, beside)| beside.digest.is_some());
        let ranks: Vec<&Rank> = rows.map(|(rank, _)| rank).collect();
        JobSide::of_job(self.job.as_ref()?.as_ref()?, &ranks)
    }

    /// The runs of the ranks, as JSON: one unless several are open together.
    pub fn runs_json(&mut self) -> Vec<u8> {
        self.all();
        let rows = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some()));
        let job = self.job.as_ref().and_then(Option::as_ref);
        json(&RunReport::all(&self.ranks, job, &rows))
    }

    /// An event's counterparts on all ranks, as JSON; its rank's trace must be in memory. None if it is not a
    /// collective, or fewer than two ranks have events.
    pub fn peers_json(&mut self, index: usize, event: EventId) -> Option<Vec<u8>> {
        self.job()?;
        let job = self.job.as_ref()?.as_ref()?;
        let digests = self.beside.iter().map(|beside| beside.digest.as_ref());
        let (places, digests): (Vec<usize>, Vec<&RankDigest>) =
            digests.enumerate().filter_map(|(place, digest)| Some((place, digest?))).unzip();
        let rank = places.iter().position(|place| *place == index)?;
        let part = digests[rank].part_of(&self.ranks[index].trace, event)?;
        let own = PartOf { rank: u32::try_from(rank).ok()?, part: u32::try_from(part).ok()? };
        Some(json(&EventPeersReport::of(&self.ranks, &places, &job.peers(&digests, own))))
    }

    /// Sets the tool whose definition is shown beside this one's; dropped traces get it when they are read again.
    pub fn redefine(&mut self, definition: Definition) {
        self.ranks.iter_mut().filter(|rank| !rank.is_dropped).for_each(|rank| rank.redefine(definition));
    }

    /// Sets the user's peaks; dropped traces get them when they are read again.
    pub fn give_peaks(&mut self, peaks: &GivenPeaks) {
        self.ranks.iter_mut().filter(|rank| !rank.is_dropped).for_each(|rank| rank.give_peaks(peaks));
    }

    /// The summary without long parts, as JSON.
    pub fn summary_json(&mut self) -> Vec<u8> {
        let of = |(rank, beside): (&Rank, &mut Beside)| {
            beside.brief.take().unwrap_or_else(|| (Input::of(rank), RankReport::of(rank)))
        };
        let (inputs, reports) = self.ranks.iter().zip(&mut self.beside).map(of).unzip();
        let summary = Summary::brief(inputs, reports, &numbered(&self.ranks));
        let text = summary.to_json();
        // Results of dropped traces cannot be computed again: they are put back.
        let told = summary.inputs.into_iter().zip(summary.ranks);
        for ((rank, beside), told) in self.ranks.iter().zip(&mut self.beside).zip(told) {
            beside.brief = rank.is_dropped.then_some(told);
        }
        text
    }

    /// Keeps a rank's part of the whole summary, with sentences in a language; its trace may then be dropped for
    /// another one. A report has further parts.
    pub fn gather(&mut self, index: usize, language: Language, is_report: bool) {
        if self.is_held(index) {
            let config = AdviceConfig::default();
            let of = if is_report { SummaryRequest::of_report } else { SummaryRequest::of };
            let part = KeptRank::of(&self.ranks[index], &SummaryRequest { language, ..of(&config) });
            self.beside[index].part = Some(part);
        }
    }

    /// The whole summary of the ranks with such parts, as `stepscope summary --json` prints it in English.
    pub fn whole_json(&mut self, language: Language) -> Vec<u8> {
        let parts = self.beside.iter_mut().filter_map(|beside| beside.part.take()).collect();
        let config = AdviceConfig::default();
        let request = SummaryRequest { job: self.chosen.clone(), language, ..SummaryRequest::of(&config) };
        SummaryParts::of(request, parts).finish().to_json_pretty()
    }

    /// A report on a rank whose trace is in memory; none if the trace has nothing for it.
    pub fn report(&mut self, index: usize, request: &ReportRequest) -> Option<Answer> {
        match request {
            ReportRequest::Advice(request) if self.ranks.len() > 1 => {
                self.advice(index, request.config()).map(|json| Answer { json, tables: Vec::new() })
            }
            ReportRequest::Budget(asked) if self.ranks.len() > 1 && asked.step.is_none() => {
                let split = self.budget_in_job(index);
                let rank = self.ranks.get(index)?;
                match split {
                    None => answer(rank, request),
                    Some(mean) => answer_of(|| Some(json(&BudgetReport::in_job(rank, &mean, asked.language())))),
                }
            }
            request => answer(self.ranks.get(index)?, request),
        }
    }

    /// The budget of a rank with what the other ranks tell of it; none where they tell nothing.
    fn budget_in_job(&mut self, index: usize) -> Option<BudgetMean> {
        self.job()?;
        let row = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some())).get(index).copied()??;
        let job = self.job.as_ref()?.as_ref()?;
        self.ranks.get(index)?.step_budget()?.in_job(job, job.ranks.get(row)?)
    }

    /// Outcomes of rules for all ranks. A dropped rank has its earlier outcomes, if those are of the same
    /// configuration: reading all ranks again for a threshold would take as long as opening them.
    fn advice(&mut self, index: usize, config: AdviceConfig) -> Option<Vec<u8>> {
        self.asked = config;
        (0..self.ranks.len()).for_each(|rank| self.judge(rank));
        self.all();
        let rows = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some()));
        let job = self.job.as_ref().and_then(Option::as_ref).map(|job| (job, rows.as_slice()));
        let judged = self.beside.iter().map(|beside| {
            let told = beside.rules.as_ref().filter(|(config, _)| *config == self.asked);
            told.map_or_else(Vec::new, |(_, rules)| rules.clone())
        });
        let rank = self.ranks.get(index)?;
        Some(json(&AdviceReport::joined(&self.ranks, judged.collect(), rank, job, &self.asked)))
    }
}
