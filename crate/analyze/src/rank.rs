//! A file as a whole: its trace, its warnings, and all reports.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::cluster::folder_of;
use crate::mindspore::are_of_others;
use crate::steps::lack_cuda;
use crate::{
    Analysis, AnalysisConfig, BudgetMean, BudgetVerdict, Definition, GivenPeaks, Job, JobConfig, KernelGrouping,
    Missing, RankDigest, Step, StepSource, TensorCoreUse, WholeSpan, analyze, definition_values, job_as, kernel_rows,
    overview,
};
use stepscope_base::{Code, CompactSort as _, Nanos, Severity, Warning, Warnings};
use stepscope_trace::Loaded;
use stepscope_trace::{ActivityId, EventId, Layer, Trace};

/// One rank: a file with its contents.
#[derive(Clone, Debug)]
pub struct Rank {
    /// The file's name, as the user knows it.
    pub file: String,
    /// Bytes of the file on disk, compressed or not.
    pub file_bytes: u64,
    /// The rank, from the trace's own metadata, else from the file's name.
    pub rank: Option<u64>,
    /// The trace.
    pub trace: Trace,
    /// All reports.
    pub analysis: Analysis,
    /// Warnings about the file and its contents.
    pub warnings: Vec<Warning>,
    /// Whether recorded events were dropped to save memory: the trace then has only its metadata and recorded tables.
    pub is_dropped: bool,
    /// Facts that are missing for the verdict that nothing needs to be done.
    pub missing: Vec<Missing>,
    /// Its step budget, once it is asked for by [`Self::step_budget`].
    pub budget: OnceLock<BudgetMean>,
}

/// The facts that a rank's files lack, by their warnings.
fn lacks(warnings: &[Warning]) -> Vec<Missing> {
    let lost = warnings.iter().any(|warning| warning.code.severity() == Severity::Loss);
    let errors = warnings.iter().any(|warning| warning.code == Code::ProfilerErrors);
    let found = [(lost, Missing::Lost), (errors, Missing::Errors)];
    found.into_iter().filter(|(is_so, _)| *is_so).map(|(_, missing)| missing).collect()
}

impl Rank {
    /// Analyses a file that was read.
    #[must_use]
    pub fn new(file: &str, file_bytes: u64, loaded: Loaded, config: &AnalysisConfig) -> Self {
        let analysis = analyze(&loaded.trace, config);
        let warnings = with_findings(loaded.warnings, &loaded.trace, &analysis);
        let missing = Missing::of(&loaded.trace, &analysis, lacks(&warnings));
        let rank = loaded.trace.meta.distributed.rank.or_else(|| rank_in_name(file));
        Self {
            file: file.to_owned(),
            file_bytes,
            rank,
            trace: loaded.trace,
            analysis,
            warnings,
            is_dropped: false,
            missing,
            budget: OnceLock::new(),
        }
    }

    /// Its step budget, computed once; none if its events were dropped before the first call.
    #[must_use]
    pub fn step_budget(&self) -> Option<&BudgetMean> {
        if self.is_dropped {
            return self.budget.get();
        }
        Some(self.budget.get_or_init(|| BudgetMean::of(&self.trace, &self.analysis, None)))
    }

    /// The budget's part of a verdict on the rank.
    #[must_use]
    pub fn budget_verdict(&self) -> BudgetVerdict {
        self.step_budget().map(BudgetVerdict::of).unwrap_or_default()
    }

    /// Approximate bytes of the trace in memory.
    #[must_use]
    pub fn bytes_held(&self) -> usize {
        self.trace.bytes_held() + self.trace.strings.bytes_held()
    }

    /// Chooses the definition that is shown beside ours.
    pub fn redefine(&mut self, definition: Definition) {
        self.analysis.definition = definition_values(&self.trace, &self.analysis.steps, definition);
        self.analysis.judge_data();
    }

    /// Sets the peaks that the user gives.
    pub fn give_peaks(&mut self, peaks: &GivenPeaks) {
        self.analysis.peaks = peaks.clone();
        self.budget = OnceLock::new();
        if !self.is_dropped {
            self.analysis.tensor_cores = TensorCoreUse::of(&self.trace, peaks);
            self.analysis.kernels = kernel_rows(&self.trace, KernelGrouping::Name, None, &self.analysis.tensor_cores);
        }
    }

    /// The data for comparison with other ranks; none without events.
    #[must_use]
    pub fn digest(&self) -> Option<RankDigest> {
        let has_events = self.trace.has_events();
        has_events.then(|| RankDigest {
            unnumbered: self.rank.is_none(),
            ..RankDigest::of(&self.trace, &self.analysis, self.rank.unwrap_or_default(), &self.file)
        })
    }

    /// Keeps the data for tables of several ranks: its facts, its average step, the tables that its profiler wrote.
    /// Drops everything that takes memory in proportion to the number of events.
    pub fn drop_events(&mut self) {
        let Trace { meta, recorded, .. } = std::mem::take(&mut self.trace);
        self.trace = Trace::of_tables(meta, recorded);
        let nothing = analyze(&Trace::default(), &AnalysisConfig::standard());
        let Analysis { average, whole_step, categories, phases, mindspore, .. } =
            std::mem::replace(&mut self.analysis, nothing);
        self.analysis.average = average;
        self.analysis.whole_step = whole_step;
        self.analysis.categories = categories;
        self.analysis.phases = phases;
        self.analysis.mindspore = mindspore;
        self.is_dropped = true;
    }
}

/// The traces of several ranks with the ranks' numbers, else their indices: for tables that their profilers wrote.
pub fn numbered(ranks: &[Rank]) -> Vec<(u64, &Trace)> {
    ranks.iter().enumerate().map(|(place, rank)| (number_in_job(place, rank.rank), &rank.trace)).collect()
}

/// A rank's number in its job; its index where the number is not known.
pub fn number_in_job(place: usize, rank: Option<u64>) -> u64 {
    rank.unwrap_or(place as u64)
}

/// By rank, given whether it has events, its row in the job.
#[must_use]
pub fn rows_in_job(has_digest: impl IntoIterator<Item = bool>) -> Vec<Option<usize>> {
    let mut rows = 0..;
    has_digest.into_iter().map(|has| if has { rows.next() } else { None }).collect()
}

/// The job of several traces, whether or not they are ranks of one job; none if there is only one, or there are no
/// events.
#[must_use]
pub fn job_of(ranks: &[Rank]) -> Option<Job> {
    job_of_digests(ranks.iter().map(|rank| (rank.rank, rank.digest())).collect(), &JobConfig::default())
}

/// The same for ranks that are no longer in memory: each one's number, and its digest if it has events. Ranks without a
/// number are numbered by their index.
#[must_use]
pub fn job_of_digests(ranks: Vec<(Option<u64>, Option<RankDigest>)>, config: &JobConfig) -> Option<Job> {
    let digests = numbered_digests(ranks);
    (digests.len() > 1).then(|| job_as(&digests, config))
}

/// The digests of the ranks that have events, in that order. Ranks without a number are numbered by their index.
#[must_use]
pub fn numbered_digests(ranks: Vec<(Option<u64>, Option<RankDigest>)>) -> Vec<RankDigest> {
    let number = |(place, (rank, digest)): (usize, (Option<u64>, Option<RankDigest>))| {
        Some(RankDigest { rank: number_in_job(place, rank), ..digest? })
    };
    ranks.into_iter().enumerate().filter_map(number).collect()
}

/// Returns the runs to choose from, each as the indices of its ranks, in the order of their names. `rows` has each
/// rank's row in the job, where it has one. If a stray trace is beside the ranks of a job, the job is the only run.
#[must_use]
pub fn runs_of(ranks: &[Rank], job: Option<&Job>, rows: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut runs = all_runs(ranks, job, rows);
    let is_in_job = |place: &usize| match (job, rows.get(*place).copied().flatten()) {
        (Some(job), Some(row)) => job.is_one() && job.ranks.get(row).is_some_and(|row| !row.is_left_out()),
        (job, _) => job.is_none(),
    };
    let is_most = |run: &Vec<usize>| run.iter().any(is_in_job) && run.len() > 1 && 2 * run.len() > ranks.len();
    if let Some(most) = runs.iter().position(is_most) {
        return vec![runs.swap_remove(most)];
    }
    runs.compact_sort_by_key(|run| (run_name(ranks, run).0.to_owned(), run.first().copied()));
    runs
}

/// Returns the name of a run, that of its only trace, of its folder, or of its first trace; and the number of its
/// traces that are not in the name.
#[must_use]
pub fn run_name<'a>(ranks: &'a [Rank], run: &[usize]) -> (&'a str, usize) {
    let file = |place: &usize| ranks.get(*place).map_or("", |rank| rank.file.as_str());
    let first = run.first().map_or("", file);
    if run.len() < 2 {
        return (first, 0);
    }
    // The names of ranks in one folder are the folder's with their number.
    let folder = first.split(" (rank ").next().unwrap_or_default();
    let is_of_folder = |place: &usize| file(place).strip_prefix(folder).is_some_and(|rest| rest.starts_with(" (rank "));
    if run.iter().all(is_of_folder) { (folder, 0) } else { (first, run.len() - 1) }
}

/// Returns the shortest and the longest average step of a run's ranks; none where no rank has steps. A whole trace is
/// no step.
#[must_use]
pub fn run_steps(ranks: &[Rank], run: &[usize]) -> Option<(Nanos, Nanos)> {
    let of_run = run.iter().filter_map(|place| ranks.get(*place));
    let has_steps = |rank: &&Rank| rank.analysis.average.steps > 0 && rank.analysis.whole_step.is_none();
    let with_steps = of_run.filter(has_steps);
    let steps: Vec<Nanos> = with_steps.map(|rank| overview(&rank.analysis, None).tiles[0].time).collect();
    Some((steps.iter().min().copied()?, steps.iter().max().copied()?))
}

/// Returns the ranks of each run, by their indices, in the order of the first one of each. A rank without events
/// belongs to the run with files in the same folder, unless that has a rank with its number. Copies belong to no run.
fn all_runs(ranks: &[Rank], job: Option<&Job>, rows: &[Option<usize>]) -> Vec<Vec<usize>> {
    let folder = |index: usize| Some(folder_of(&ranks[index].trace)).filter(|folder| !folder.is_empty());
    let row = |index: usize| rows.get(index).copied().flatten();
    let has_same_rank = |run: &[usize], index: usize| {
        let number = ranks[index].rank;
        number.is_none() || run.iter().any(|other| ranks[*other].rank == number)
    };
    let mut runs: Vec<(Option<usize>, Vec<usize>)> = Vec::new();
    for index in 0..ranks.len() {
        let known = job.zip(row(index));
        if known.is_some_and(|(job, row)| job.relation.copy_of(row).is_some()) {
            continue;
        }
        let number = known.and_then(|(job, row)| job.relation.run_of(row));
        match runs.iter_mut().find(|(known, _)| number.is_some() && *known == number) {
            Some((_, run)) => run.push(index),
            None if number.is_some() => runs.push((number, vec![index])),
            None => {}
        }
    }
    for index in (0..ranks.len()).filter(|index| job.is_none() || row(*index).is_none()) {
        let own = folder(index);
        let in_folder = |other: &usize| own.is_some() && folder(*other) == own;
        // Without any events, ranks of several runs differ only by their numbers.
        let beside = |run: &[usize]| (job.is_none() || run.iter().any(in_folder)) && !has_same_rank(run, index);
        match runs.iter_mut().find(|(_, run)| beside(run)) {
            Some((_, run)) => run.push(index),
            None => runs.push((None, vec![index])),
        }
    }
    let mut runs: Vec<Vec<usize>> = runs.into_iter().map(|(_, run)| run).collect();
    runs.iter_mut().for_each(|run| run.compact_sort());
    runs.compact_sort_by_key(|run| run.first().copied());
    runs
}

/// Adds warnings that only the analyses show.
fn with_findings(found: Vec<Warning>, trace: &Trace, analysis: &Analysis) -> Vec<Warning> {
    let mut warnings = Warnings::from(found);
    let steps = &analysis.steps;
    let cut: Vec<&Step> = steps.steps.iter().filter(|step| step.unrecorded() > Nanos::ZERO).collect();
    warnings.add_many(Code::StepNotRecorded, cut.len() as u64, None, || {
        cut.iter().map(|step| unrecorded_of(step)).collect::<Vec<_>>().join(", ")
    });
    let lack = lack_cuda(trace, &steps.steps);
    let names = |is_wanted: &dyn Fn(&Step, bool) -> bool| -> Vec<&str> {
        let wanted = steps.steps.iter().zip(&lack).filter(|(step, lacks)| is_wanted(step, **lacks));
        wanted.map(|(step, _)| step.name.as_str()).collect()
    };
    let without_cuda = names(&|_, lacks| lacks);
    warnings.add_many(Code::CudaNotRecorded, without_cuda.len() as u64, None, || without_cuda.join(", "));
    let partial = names(&|step, lacks| step.partial && !lacks && step.unrecorded() == Nanos::ZERO);
    warnings.add_many(Code::PartialStep, partial.len() as u64, None, || partial.join(", "));
    let captures: Vec<&str> = steps.steps.iter().filter(|step| step.captures).map(|step| step.name.as_str()).collect();
    warnings.add_many(Code::CaptureStep, captures.len() as u64, None, || captures.join(", "));
    let is_longer = |step: &&Step| step.warm_up && step.span.len() > analysis.average.length;
    if let Some(step) = steps.steps.iter().find(is_longer) {
        warnings.add(Code::WarmUpStep, None, || step.name.clone());
    }
    let processes: BTreeSet<i64> = trace.step_marks.iter().filter_map(|(id, _)| program_of(trace, *id)).collect();
    if let [first, second, ..] = processes.iter().collect::<Vec<_>>()[..] {
        let others = processes.len() as u64 - 1;
        warnings.add_many(Code::SeveralRuns, others, None, || format!("process {second} besides {first}"));
    }
    if !trace.has_events() {
        warnings.add(Code::OnlyTables, None, String::new);
        return warnings.into_sorted();
    }
    match steps.source {
        StepSource::WholeTrace => warnings.add(Code::NoStepMarks, None, || {
            analysis.whole_step.map_or_else(String::new, |whole| spanned(whole.span).to_owned())
        }),
        StepSource::Table => warnings.add(Code::StepsNotPlaced, None, String::new),
        StepSource::RepeatingOperators => warnings.add(Code::StepsByOperators, None, || steps.steps.len().to_string()),
        StepSource::Marks
        | StepSource::InferenceMarks
        | StepSource::Pattern
        | StepSource::RepeatingRanges
        | StepSource::Operator => {}
    }
    let (covered, all) = (steps.covered(), steps.steps.len());
    if covered < all {
        warnings.add(Code::StepsNotCovered, None, || format!("{covered} of {all}"));
    }
    if let Some(found) = analysis.mindspore.step_trace.as_ref().filter(|found| found.is_of_other_steps(steps)) {
        warnings.add(Code::OtherSteps, None, || format!("{} in the table, {all} on the timeline", found.steps.len()));
    }
    let operators = &analysis.mindspore.aicore_operators;
    let names = operators.iter().map(|one| one.name.as_str());
    if !trace.activities.is_empty() && are_of_others(trace, names) {
        warnings.add(Code::OtherOperators, None, || operators[0].name.clone());
    }
    let event = |id: &ActivityId| trace.activities[id.index()].event;
    let out_of_order = steps.out_of_order.first().map(event);
    warnings.add_many(Code::OutOfOrder, steps.out_of_order.len() as u64, position_of(trace, out_of_order), || {
        format!("{} of {} activities", steps.out_of_order.len(), trace.activities.len())
    });
    let launches = &analysis.launch_record;
    warnings.add_many(Code::LaunchWithoutActivity, launches.lost, position_of(trace, launches.first_lost), || {
        format!("{} of {} launching calls", launches.lost, launches.calls)
    });
    warnings.add_many(Code::CapturedLaunches, launches.captured, None, || {
        format!("{} of {} launching calls", launches.captured, launches.calls)
    });
    if trace.activities.is_empty() {
        warnings.add(Code::NoDeviceActivity, None, String::new);
    }
    warnings.into_sorted()
}

/// The part of a step in which the profiler recorded nothing.
#[expect(clippy::cast_precision_loss, reason = "a text")]
fn unrecorded_of(step: &Step) -> String {
    let millis = |time: Nanos| time.0 as f64 / 1e6;
    format!("{}: {:.3} of {:.3} ms not recorded", step.name, millis(step.unrecorded()), millis(step.mark.len()))
}

/// The limits of the only step of a trace without marked ones.
fn spanned(span: WholeSpan) -> &'static str {
    match span {
        WholeSpan::Operators => "host operators, and what they launched",
        WholeSpan::Activities => "device activities",
        WholeSpan::Events => "events",
    }
}

/// A slice's position in its file.
fn position_of(trace: &Trace, id: Option<EventId>) -> Option<u64> {
    id.map(|id| trace.slices.position(id))
}

/// The id of the process on whose thread a slice is; none for slices of devices or profilers.
fn program_of(trace: &Trace, id: EventId) -> Option<i64> {
    let track = &trace.tracks[trace.slices.track(id).index()];
    (track.layer == Layer::Host).then(|| trace.processes[track.process.index()].id.number())
}

/// The rank in a file's name, such as `rank3.json` or `trace_rank-12.json.gz`.
#[must_use]
pub fn rank_in_name(file: &str) -> Option<u64> {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file).to_ascii_lowercase();
    ["rank", "worker"].iter().find_map(|word| {
        name.match_indices(word).find_map(|(at, _)| {
            let rest = name[at + word.len()..].trim_start_matches(['_', '-', '=', '.']);
            let digits = rest.len() - rest.trim_start_matches(|character: char| character.is_ascii_digit()).len();
            rest[..digits].parse::<u32>().ok().map(u64::from)
        })
    })
}

#[cfg(test)]
impl Rank {
    /// A rank of events in Chrome's JSON, as PyTorch would write them.
    pub(crate) fn of_events(events: &[String]) -> Self {
        let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
        let mut loader = stepscope_input::Loader::new("events.json");
        loader.space(text.len()).copy_from_slice(text.as_bytes());
        loader.advance(text.len()).expect("a trace");
        Self::new("events.json", text.len() as u64, loader.finish().expect("a trace"), &AnalysisConfig::standard())
    }
}

#[cfg(test)]
mod tests {
    use super::rank_in_name;

    #[test]
    fn ranks_in_names() {
        assert_eq!(rank_in_name("rank3.json"), Some(3));
        assert_eq!(rank_in_name("folder_rank9/trace_rank-12.json.gz"), Some(12));
        assert_eq!(rank_in_name("worker0.1795229092641321325.pt.trace.json"), Some(0));
        assert_eq!(rank_in_name("franked.json"), None);
        assert_eq!(rank_in_name("trace.json"), None);
        assert_eq!(rank_in_name("rank18446744073709551615.json"), None);
    }
}
