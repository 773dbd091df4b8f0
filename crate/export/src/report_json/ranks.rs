//! Ranks that are open together, of which not all traces are held.
//!
//! A trace that was dropped left behind what its rank contributes to reports on several: what the summary says of it in
//! brief, and its digest. All else needs the trace; whoever asks for that reads it again first.

use schemars::JsonSchema;
use serde::Serialize;

use super::advice::{AdviceReport, EvidencedOutcome, rules_of_rank};
use super::job::JobTables;
use super::not_a_job::NotAJobReport;
use super::parts::{KeptRank, SummaryParts, SummaryRequest};
use super::peers::EventPeersReport;
use super::request::ReportRequest;
use super::runs::RunReport;
use super::text::json;
use super::topics::{Answer, answer};
use super::{Input, RankReport, Summary};
use stepscope_analyze::{
    AdviceConfig, BudgetMean, Definition, GivenPeaks, GridFault, Job, JobBudget, JobConfig, ParallelGrid, PartOf,
    RankClock, RankDigest, job_as,
};
use stepscope_analyze::{Rank, number_in_job, numbered, rows_in_job};
use stepscope_table::messages::Language;
use stepscope_trace::EventId;

/// Ranks by their numbers, with a budget of memory for their traces.
#[derive(Debug)]
pub struct RankSet {
    ranks: Vec<Rank>,
    /// What is known beside each.
    beside: Vec<Beside>,
    /// Bytes of traces that may be held.
    budget: usize,
    /// Counts uses.
    uses: u64,
    /// What a person chose for them together.
    chosen: JobConfig,
    /// Which rules were asked for the last time.
    asked: AdviceConfig,
    /// What they say together, once it is asked for; the inner one is none if they are too few.
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
    fn of(job: &Job, budget: Option<(&JobBudget, Language)>) -> Self {
        match NotAJobReport::of(job) {
            Some(not_a_job) => Self::Not { not_a_job },
            None => Self::Job(Box::new(JobTables::of(job, budget))),
        }
    }
}

/// What is known of a rank beside its trace.
#[derive(Debug, Default)]
struct Beside {
    /// What it was read from, as its reader numbers that.
    origin: usize,
    /// Bytes of its trace, whether or not it is held.
    bytes: usize,
    /// The use of it that was the last one.
    used: u64,
    /// Made before the trace is dropped.
    brief: Option<(Input, RankReport)>,
    /// Made at first need.
    digest: Option<RankDigest>,
    /// Gathered for the whole summary.
    part: Option<KeptRank>,
    /// What rules say of it, with which thresholds: made at first need, and before the trace is dropped.
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
    /// No ranks yet; their traces may take so many bytes.
    #[must_use]
    pub fn new(budget: usize) -> Self {
        let (chosen, asked) = (JobConfig::default(), AdviceConfig::default());
        Self { ranks: Vec::new(), beside: Vec::new(), budget, uses: 0, chosen, asked, job: None }
    }

    /// The ranks. Those that are dropped hold no events.
    #[must_use]
    pub fn list(&self) -> &[Rank] {
        &self.ranks
    }

    /// Forgets all ranks.
    pub fn clear(&mut self) {
        *self = Self::new(self.budget);
    }

    /// Chooses how many bytes traces may take from here on.
    pub fn set_budget(&mut self, budget: usize) {
        self.budget = budget;
    }

    /// Adds a rank that was read from `origin`, behind those of the same number. If it is too much, it is the one that is
    /// dropped: a person looks at the first ranks first.
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

    /// Puts a trace that was read again in its place. Those that were used longest ago are dropped for it.
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

    /// Whether a rank's trace is here.
    #[must_use]
    pub fn is_held(&self, index: usize) -> bool {
        self.ranks.get(index).is_some_and(|rank| !rank.is_dropped)
    }

    /// What a rank was read from.
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
        // The job asks for it later.
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

    /// Judges a rank by the rules that were asked for, if its trace is held and it was not judged by them yet.
    fn judge(&mut self, index: usize) {
        let (rank, beside) = (&self.ranks[index], &mut self.beside[index]);
        if !rank.is_dropped && beside.rules.as_ref().is_none_or(|(config, _)| *config != self.asked) {
            beside.rules = Some((self.asked.clone(), rules_of_rank(rank, &self.asked)));
        }
    }

    /// The clocks of some of several ranks, as all tell them; none where one has no events, or there is no other one.
    pub fn clocks(&mut self, ranks: &[usize]) -> Vec<Option<RankClock>> {
        if ranks.len() < 2 || self.all().is_none() {
            return vec![None; ranks.len()];
        }
        let rows = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some()));
        let rows = ranks.iter().map(|rank| rows.get(*rank).copied().flatten());
        self.all().map(|job| job.clocks_of(rows)).unwrap_or_default()
    }

    /// What the ranks say together; none if fewer than two have events, or they are no ranks of one job.
    pub fn job(&mut self) -> Option<&Job> {
        self.all().filter(|job| job.is_one())
    }

    /// The same whether or not they are ranks of one job: where each stands in time.
    fn all(&mut self) -> Option<&Job> {
        if self.job.is_none() {
            (0..self.ranks.len()).for_each(|rank| self.digest(rank));
            // Lent, not copied: those of many ranks take the most memory.
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

    /// Takes the parallel layout of the ranks from a text says, such as `pp=2,dp=4`; if it is empty, as the traces tell.
    ///
    /// # Errors
    ///
    /// What is wrong with the text; then all stays as it was.
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

    /// What the ranks say together, as a summary's `job`, `collectives` and `stragglers`, else its `not_a_job`, as JSON; nothing if
    /// fewer than two have events. Sentences are in a language.
    pub fn job_json(&mut self, language: Language) -> Option<Vec<u8>> {
        self.all()?;
        let rows = self.ranks.iter().zip(&self.beside).filter(|(_, beside)| beside.digest.is_some());
        let budgets: Vec<Option<&BudgetMean>> = rows.map(|(rank, _)| rank.step_budget()).collect();
        let job = self.job.as_ref()?.as_ref()?;
        let budget = JobBudget::of(job, &budgets);
        Some(json(&JobOrNot::of(job, budget.as_ref().map(|budget| (budget, language)))))
    }

    /// The runs that the ranks are of, as JSON: one unless several are open together.
    pub fn runs_json(&mut self) -> Vec<u8> {
        self.all();
        let rows = rows_in_job(self.beside.iter().map(|beside| beside.digest.is_some()));
        let job = self.job.as_ref().and_then(Option::as_ref);
        json(&RunReport::all(&self.ranks, job, &rows))
    }

    /// The counterparts on all ranks of an event of a rank whose trace is held, as JSON; nothing if it is no collective, or
    /// fewer than two ranks have events.
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

    /// Chooses whose definition is shown beside ours: of traces that are dropped once they are read again.
    pub fn redefine(&mut self, definition: Definition) {
        self.ranks.iter_mut().filter(|rank| !rank.is_dropped).for_each(|rank| rank.redefine(definition));
    }

    /// Chooses the peaks that the person gives: of traces that are dropped once they are read again.
    pub fn give_peaks(&mut self, peaks: &GivenPeaks) {
        self.ranks.iter_mut().filter(|rank| !rank.is_dropped).for_each(|rank| rank.give_peaks(peaks));
    }

    /// The summary without what can be long, as JSON.
    pub fn summary_json(&mut self) -> Vec<u8> {
        let of = |(rank, beside): (&Rank, &mut Beside)| {
            beside.brief.take().unwrap_or_else(|| (Input::of(rank), RankReport::of(rank)))
        };
        let (inputs, reports) = self.ranks.iter().zip(&mut self.beside).map(of).unzip();
        let summary = Summary::brief(inputs, reports, &numbered(&self.ranks));
        let text = summary.to_json();
        // What cannot be made again goes back.
        let told = summary.inputs.into_iter().zip(summary.ranks);
        for ((rank, beside), told) in self.ranks.iter().zip(&mut self.beside).zip(told) {
            beside.brief = rank.is_dropped.then_some(told);
        }
        text
    }

    /// Gathers what the whole summary says of a rank whose trace is held, with sentences in a language: the trace may then be
    /// dropped for another one.
    pub fn gather(&mut self, index: usize, language: Language) {
        if self.is_held(index) {
            let config = AdviceConfig::default();
            let part = KeptRank::of(&self.ranks[index], &SummaryRequest { language, ..SummaryRequest::of(&config) });
            self.beside[index].part = Some(part);
        }
    }

    /// The whole summary of the ranks that were gathered, as `stepscope summary --json` prints it in English.
    pub fn whole_json(&mut self, language: Language) -> Vec<u8> {
        let parts = self.beside.iter_mut().filter_map(|beside| beside.part.take()).collect();
        let config = AdviceConfig::default();
        let request = SummaryRequest { job: self.chosen.clone(), language, ..SummaryRequest::of(&config) };
        SummaryParts::of(request, parts).finish().to_json_pretty()
    }

    /// A report on a rank whose trace is held; nothing if the trace has nothing for it.
    pub fn report(&mut self, index: usize, request: &ReportRequest) -> Option<Answer> {
        match request {
            ReportRequest::Advice(request) if self.ranks.len() > 1 => {
                self.advice(index, request.config()).map(|json| Answer { json, tables: Vec::new() })
            }
            request => answer(self.ranks.get(index)?, request),
        }
    }

    /// What rules say of all ranks. Of one whose trace is not held, what they said before it was dropped, if it was judged by the
    /// same ones: reading all ranks again for a threshold would take as long as opening them.
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
