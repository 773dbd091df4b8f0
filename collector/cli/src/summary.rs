//! `stepscope summary`.

use std::num::NonZeroU64;

use stepscope::analyze::{
    AdviceConfig, AnalysisConfig, BenchmarkConfig, BudgetMean, Change, Job, JobBudget, JobConfig, OperatorGrouping,
    OperatorsConfig, RangeConfig, RankDigest, StepChoice, StepTraceConfig, UnknownPoint, job_as, kernels_named, range,
    unknown_points,
};
use stepscope::export::report_json::{
    CriticalRequest, Ranges, RankRange, Summary, SummaryParts, SummaryRequest, indented, json,
};
use stepscope::{Rank, numbered_digests, rows_in_job, runs_of};
use unicode_width::UnicodeWidthStr;

use crate::args::{Grouping, SummaryOptions, Table};
use crate::grid::{Look, printable};
use crate::output::print;
use crate::range_option::RangeOption;
use crate::result::Result;
use crate::tables::budget::Headline;
use crate::{json_part, open, recorded, style, table_csv, tables, thresholds};

/// All tables, in the order in which they are printed.
const ALL: [Table; 14] = [
    Table::Devices,
    Table::Idle,
    Table::Gaps,
    Table::Steps,
    Table::Phases,
    Table::Operators,
    Table::Kernels,
    Table::Copies,
    Table::Launches,
    Table::Queues,
    Table::Resources,
    Table::StepTrace,
    Table::Benchmark,
    Table::Pipeline,
];

/// Lines of the first screen that are kept for advice.
const ADVICE: usize = 7;

/// The least lines for it: a space and two lines.
const LEAST_ADVICE: usize = 3;

/// Columns in which its sentence about missing data is one line.
const ONE_LINE: usize = 100;

/// Rows of each of a profiler's own tables, if there are no others.
const RECORDED_ROWS: usize = 9;

/// Rows of the profiler's own times of calls on the first screen.
const CALLS_ROWS: usize = 5;

/// Fewest rows of a table on the first screen.
const LEAST_ROWS: usize = 3;

/// Prints the summary of the given files.
pub(crate) fn run(options: &SummaryOptions) -> Result {
    let step_trace = options.style.step_trace();
    let config = AnalysisConfig {
        steps: step_trace.steps(),
        operators: OperatorsConfig {
            grouping: match options.group {
                Grouping::Name => OperatorGrouping::Name,
                Grouping::Shapes => OperatorGrouping::NameShapes,
                Grouping::Type => OperatorGrouping::Type,
                Grouping::Stack => OperatorGrouping::NameStack,
                Grouping::Category => OperatorGrouping::Category,
                Grouping::Thread => OperatorGrouping::Thread,
                Grouping::Module => OperatorGrouping::Module,
            },
            merge_only_children: options.merge_same_name,
        },
        definition: options.definition.into(),
        step_trace,
        benchmark: BenchmarkConfig { samples: options.style.batch_size.map(NonZeroU64::get) },
        launches: options.idle.launches(),
        idle: options.idle.idle(),
        peaks: options.peaks.given(),
        ..AnalysisConfig::standard()
    };
    let advice = thresholds::read(options.rules.into(), options.thresholds.as_deref())?;
    if let Some(chosen) = &options.range {
        let ranks = open::ranks(&options.input, &config)?;
        return print(&ranges(&ranks, chosen, options)?);
    }
    if let Some(tool) = options.style.style {
        let ranks = open::ranks(&options.input, &config)?;
        let mut points = Points::of(options);
        ranks.iter().for_each(|rank| points.see(rank));
        points.check()?;
        let text = style::text(&ranks, tool, &options.style);
        if text.is_empty() {
            return Err("there is nothing in it that this tool has a table for".to_owned());
        }
        return print(text.as_bytes());
    }
    let mut known = Known::of(options);
    if let Some(path) = &options.output {
        let output = table_csv::CsvOutput::of(path, options.by)?;
        let summary = all_parts(options, &config, &advice, &mut known)?;
        return table_csv::write(&json_part::part_of_summary(&summary, options.by, options.top)?, &output);
    }
    if options.json {
        return print(&summary_json(options, &config, &advice, &mut known)?);
    }
    let mut text = SummaryText::new(options, &advice, Look::of_output());
    open::each_rank(&options.input, &config, |rank| {
        known.see(&rank);
        text.add(rank);
    })?;
    known.check()?;
    print(text.finish()?.as_bytes())
}

/// The summary as JSON.
fn summary_json(
    options: &SummaryOptions,
    config: &AnalysisConfig,
    advice: &AdviceConfig,
    known: &mut Known<'_>,
) -> Result<Vec<u8>> {
    let summary = all_parts(options, config, advice, known)?;
    if options.by.is_some() || options.top.is_some() {
        return json_part::summary(&summary, options.by, options.top);
    }
    let mut json = summary.to_json_pretty();
    json.push(b'\n');
    Ok(json)
}

/// The summary of all ranks. What takes long is in it only if it is asked for; a folder of all tables asks for it.
fn all_parts(
    options: &SummaryOptions,
    config: &AnalysisConfig,
    advice: &AdviceConfig,
    known: &mut Known<'_>,
) -> Result<Summary> {
    let of_all = options.output.is_some() && options.by.is_none_or(|by| by == Table::All);
    let by = |table: Table| options.by == Some(table) || of_all;
    let critical = CriticalRequest { paths: by(Table::Critical), step: None, changes: &options.what_if };
    let request = SummaryRequest {
        all_rules: by(Table::Advice),
        budget: by(Table::Budget),
        critical: Some(critical).filter(|request| request.paths || !request.changes.is_empty()),
        kernel_use: by(Table::KernelUse).then(|| options.group_kernels.into()),
        job: job_config(options),
        step: options.step.as_deref(),
        ..SummaryRequest::of(advice)
    };
    let mut parts = SummaryParts::new(request);
    open::each_rank(&options.input, config, |rank| {
        known.see(&rank);
        parts.add(&rank);
    })?;
    known.check()?;
    parts.sort();
    let summary = parts.finish();
    given_fits(options, summary.world_size())?;
    Ok(summary)
}

/// Options for the ranks together.
fn job_config(options: &SummaryOptions) -> JobConfig {
    JobConfig { parallel: options.parallel.clone() }
}

/// Rejects a grid that does not have as many ranks as the job.
fn given_fits(options: &SummaryOptions, world_size: Option<u64>) -> Result {
    match (&options.parallel, world_size) {
        (Some(grid), Some(size)) if grid.ranks() != size => {
            Err(format!("--parallel has {} ranks, the traces have {size}", grid.ranks()))
        }
        _ => Ok(()),
    }
}

/// The contents of a time range of each rank, as tables or as JSON.
fn ranges(ranks: &[Rank], chosen: &RangeOption, options: &SummaryOptions) -> Result<Vec<u8>> {
    let mut reports = Vec::new();
    let mut text = String::new();
    let look = Look::of_output();
    for rank in ranks {
        let config = RangeConfig::of(chosen.of(rank)?);
        let other = options.compare_range.as_ref().map(|other| other.of(rank)).transpose()?.map(RangeConfig::of);
        if options.json {
            reports.push(RankRange::of(rank, &config, other.as_ref()));
            continue;
        }
        let of = |config: &RangeConfig| range(&rank.trace, &rank.analysis, config);
        if ranks.len() > 1 {
            text.push_str(&tables::heading(rank, look));
        }
        text.push_str(&tables::range(rank, &of(&config), other.as_ref().map(of).as_ref(), look, options.rows()));
    }
    if options.json {
        let report = Ranges::of(reports);
        if options.top.is_some() {
            return json_part::rows(&report, options.top);
        }
        let mut json = indented(&json(&report));
        json.push(b'\n');
        return Ok(json);
    }
    Ok(text.into_bytes())
}

/// Names of kernels and of a step that no rank has had so far: most likely typing errors.
struct Known<'a> {
    unknown: Vec<&'a str>,
    step: Option<&'a str>,
    /// The chosen graph, of which no rank has had a step yet.
    graph: Option<u64>,
    points: Points,
}

/// Named points of the step trace that no rank has had yet.
struct Points {
    config: StepTraceConfig,
    /// The unknown points of the last rank.
    unknown: Vec<UnknownPoint>,
}

impl Points {
    fn of(options: &SummaryOptions) -> Self {
        Self { config: options.style.step_trace(), unknown: Vec::new() }
    }

    fn see(&mut self, rank: &Rank) {
        self.unknown = unknown_points(&rank.trace, &self.config);
        let is_unknown = |is_start: bool| self.unknown.iter().any(|point| point.is_start == is_start);
        // A point of any rank is known.
        self.config.forward_start = self.config.forward_start.take().filter(|_| is_unknown(true));
        self.config.backward_end = self.config.backward_end.take().filter(|_| is_unknown(false));
    }

    fn check(&self) -> Result {
        let Some(point) = self.unknown.first() else { return Ok(()) };
        let option = if point.is_start { "--fp-start" } else { "--bp-end" };
        let near: Vec<String> = point.near.iter().map(|name| format!("`{}`", printable(name))).collect();
        let near = if near.is_empty() { String::new() } else { format!("; similar names: {}", near.join(", ")) };
        Err(format!("{option}: unknown operator or kernel: `{}`{near}", printable(&point.name)))
    }
}

impl<'a> Known<'a> {
    fn of(options: &'a SummaryOptions) -> Self {
        let names = options.what_if.iter().filter_map(|change| match change {
            Change::Kernel { name, .. } => Some(name.as_str()),
            _ => None,
        });
        Self {
            unknown: names.collect(),
            step: options.step.as_deref(),
            graph: options.style.graph,
            points: Points::of(options),
        }
    }

    fn see(&mut self, rank: &Rank) {
        self.unknown.retain(|name| kernels_named(&rank.trace, name).is_empty());
        self.points.see(rank);
        let steps = &rank.analysis.steps;
        self.step = self.step.filter(|name| !StepChoice::named(name, steps).is_in(steps));
        let has = |graph: u64| steps.steps.iter().any(|step| step.graph == Some(graph));
        self.graph = self.graph.filter(|graph| !has(*graph) && rank.analysis.step_trace.is_none());
    }

    fn check(&self) -> Result {
        self.points.check()?;
        if let Some(name) = self.step {
            return Err(format!("no step is called {}; --by steps lists their names", printable(name)));
        }
        match self.unknown.first() {
            None => Ok(()),
            Some(name) => Err(format!("no kernel is called {}; `*` stands for anything", printable(name))),
        }?;
        match self.graph {
            None => Ok(()),
            Some(graph) => {
                Err(format!("--graph: no step is of graph {graph}; --by step-trace names steps GRAPH:ITERATION"))
            }
        }
    }
}

/// The tables of all ranks, each under a heading of its own unless there is one table in all. A rank is written when it
/// arrives, and dropped except for the data about all ranks together.
struct SummaryText<'a> {
    options: &'a SummaryOptions,
    advice: &'a AdviceConfig,
    look: Look,
    /// Whether all tables are wanted.
    all: bool,
    /// Whether no table is chosen: prints one screen with the main findings.
    first_screen: bool,
    ranks: Vec<Written>,
}

/// The remaining data of a written rank.
struct Written {
    rank: Rank,
    heading: String,
    /// Its tables, the tables without rows, and the result of a replay.
    text: String,
    digest: Option<RankDigest>,
    told: Vec<tables::advice::EvidencedOutcome>,
    /// Subject of its budget's first line, and the share.
    headline: Option<(Headline, f64)>,
}

impl<'a> SummaryText<'a> {
    fn new(options: &'a SummaryOptions, advice: &'a AdviceConfig, look: Look) -> Self {
        // Options about tables imply tables.
        let about_tables = options.is_about_tables();
        let first_screen = options.by.is_none() && options.what_if.is_empty() && !about_tables;
        let all = !first_screen && options.what_if.is_empty() && options.by.is_none_or(|table| table == Table::All);
        Self { options, advice, look, all, first_screen, ranks: Vec::new() }
    }

    /// Whether a table is about all ranks together, and the only one that is wanted.
    fn is_of_all(&self) -> bool {
        self.options.what_if.is_empty()
            && matches!(self.options.by, Some(Table::Advice | Table::Job | Table::DrillDown))
    }

    fn add(&mut self, mut rank: Rank) {
        let Self { options, look, first_screen, .. } = *self;
        let (mut heading, mut text, mut headline) = (String::new(), String::new(), None);
        // A rank without events has only its profiler's own tables.
        let all = self.all || (first_screen && !rank.trace.has_events());
        let steps = &rank.analysis.steps;
        let choice = options.step.as_ref().map_or(StepChoice::Whole, |name| StepChoice::named(name, steps));
        let own_step = if first_screen && rank.analysis.devices.is_empty() {
            recorded::own_step(&rank, look)
        } else {
            String::new()
        };
        if first_screen && !all {
            heading = tables::title(&rank, look);
            let left = tables::SCREEN.saturating_sub(heading.lines().count() + ADVICE);
            // A trace without a device has but one sentence.
            let space = if rank.analysis.devices.is_empty() { "" } else { "\n" };
            let written = |has_longest: bool, warnings: usize| {
                let facts = tables::short_facts(&rank, warnings, look);
                let said = tables::budget::BudgetText::of(&rank, has_longest, look, |lines| {
                    left.saturating_sub(lines + facts.lines().count()).max(LEAST_ROWS)
                });
                let text = [said.first.as_str(), &own_step, space, &facts, &said.tree].concat();
                (text, said)
            };
            // Long sentences leave no space for more.
            let rows = |text: &str| text.lines().map(|line| line.width().max(1).div_ceil(look.width)).sum::<usize>();
            let fits = |(text, _): &(String, _)| rows(&heading) + rows(text) + LEAST_ADVICE <= tables::SCREEN;
            let layouts = [(true, tables::SHOWN_WARNINGS), (false, tables::SHOWN_WARNINGS)];
            let mut ways = layouts.into_iter().map(|(longest, warnings)| written(longest, warnings));
            let (first, said) = ways.find(fits).unwrap_or_else(|| written(false, 1));
            text = first;
            headline = said.headline;
            if rank.analysis.devices.is_empty() {
                // There is only the host's activity; advice adds a line about missing data, and
                // its sentence needs a second one where lines are short.
                let more = if look.width < ONE_LINE { 2 } else { 1 };
                let lines = left.saturating_sub(rows(&text) + more);
                text.push_str(&tables::host_operators(&rank, choice, look, lines));
            }
        } else if !self.is_of_all() {
            heading = tables::heading(&rank, look) + &own_step;
            let of_rank = |table: &Table| !matches!(table, Table::Advice | Table::Job | Table::DrillDown);
            let chosen = if all { ALL.to_vec() } else { options.by.into_iter().filter(of_rank).collect() };
            for table in chosen {
                let chosen = (options.group_kernels.into(), choice);
                let most = if first_screen { RECORDED_ROWS } else { options.rows() };
                let rows = tables::table(&rank, table, chosen, look, most);
                if rows.is_empty() && !all && options.by.is_some() {
                    text.push_str(&format!("{}: nothing for this table\n", printable(&rank.file)));
                }
                text.push_str(&rows);
            }
            if !options.what_if.is_empty() {
                text.push_str(&tables::changes(&rank, &options.what_if, look));
            }
            if all {
                if first_screen {
                    text.push_str(&recorded::calls(&rank, look, CALLS_ROWS));
                }
                text.push_str(&recorded::list(&rank, look));
            }
            text.push_str(&tables::definition(&rank, look, options.rows()));
        }
        let wanted = |table: Table| all || first_screen || options.by == Some(table);
        let told = if wanted(Table::Advice) { tables::advice::of_rank(&rank, self.advice, look) } else { Vec::new() };
        let of_job = [Table::Advice, Table::Job, Table::DrillDown, Table::Budget].into_iter().any(wanted);
        let digest = if of_job { rank.digest() } else { None };
        // It is needed after the events are dropped.
        if wanted(Table::Job) || wanted(Table::Budget) {
            let _ = rank.step_budget();
        }
        rank.drop_events();
        self.ranks.push(Written { rank, heading, text, digest, told, headline });
    }

    fn finish(mut self) -> Result<String> {
        self.ranks.sort_by_key(|written| written.rank.rank);
        let is_of_all = self.is_of_all();
        let Self { options, advice, look, all, first_screen, ranks: written } = self;
        let (mut ranks, mut told, mut digests, mut texts) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut headlines = Vec::new();
        for Written { rank, heading, text, digest, told: rules, headline } in written {
            digests.push((rank.rank, digest));
            headlines.push(headline);
            told.push(rules);
            texts.push((heading, text));
            ranks.push(rank);
        }
        let mut rows = rows_in_job(digests.iter().map(|(_, digest)| digest.is_some()));
        let digests = numbered_digests(digests);
        let job = (digests.len() > 1).then(|| job_as(&digests, &job_config(options)));
        // A copy is analyzed once.
        let is_copy =
            |row: Option<usize>| job.as_ref().zip(row).is_some_and(|(job, row)| job.relation.copy_of(row).is_some());
        for index in (0..rows.len()).rev().filter(|index| is_copy(rows[*index])).collect::<Vec<_>>() {
            rows.remove(index);
            ranks.remove(index);
            told.remove(index);
            texts.remove(index);
            headlines.remove(index);
        }
        given_fits(options, job.as_ref().map(|job| job.world_size))?;
        let opened = Runs::of(&ranks, job, (digests, rows), options);
        let budget_text =
            |budget: Option<JobBudget>| budget.map_or_else(String::new, |budget| tables::budget::of_job(&budget, look));
        let apart = opened.job.as_ref().and_then(tables::not_a_job);
        if let Some(apart) = apart.as_ref().filter(|_| matches!(options.by, Some(Table::Job | Table::DrillDown))) {
            return Ok(apart.clone());
        }
        let advised = |told: Vec<Vec<tables::advice::EvidencedOutcome>>, write: AdviceWriter<'_>| {
            opened.advice(&ranks, told, (advice, look), write)
        };
        if is_of_all {
            let job = opened.job.as_ref();
            let none = "it takes several ranks with events, or with their profiler's tables of a job, for this table\n";
            return Ok(match options.by {
                Some(Table::Job) => {
                    // There may be only the profiler's tables of several ranks.
                    let recorded = if ranks.len() > 1 {
                        recorded::cluster(&ranks, look, job.is_none(), Some(options.rows()))
                    } else {
                        String::new()
                    };
                    let budget = budget_text(opened.budget(&ranks));
                    let told = job.map(|job| tables::job((job, &budget), look, options.rows()));
                    let told =
                        told.unwrap_or_else(|| if recorded.is_empty() { none.to_owned() } else { String::new() });
                    if told.is_empty() || recorded.is_empty() { told + &recorded } else { told + "\n" + &recorded }
                }
                Some(Table::DrillDown) => job.map_or_else(|| none.to_owned(), |job| tables::drill_down(job, look)),
                _ => advised(told, &tables::advice::all),
            });
        }
        let mut text = String::new();
        if first_screen {
            let of_all = opened.job.as_ref().filter(|_| ranks.len() > 1);
            text = match (&opened.shown[..], of_all, &texts[..]) {
                (_, _, [(heading, tables)]) => {
                    format!("{}{heading}{tables}", apart.unwrap_or_default())
                }
                ([members], Some(job), _) => {
                    let budget = opened.budget(&ranks);
                    tables::first_screen(&ranks, (job, members, budget.as_ref()), &headlines, look)
                }
                ([_], None, _) => tables::ranks_of_tables(&ranks, look) + &recorded::cluster(&ranks, look, true, None),
                (runs, ..) => {
                    let job_of = |run: &[usize]| opened.job_of(run);
                    return Ok(tables::runs::list((&ranks, runs), &headlines, opened.job.as_ref(), job_of, look));
                }
            };
            let left = tables::SCREEN.saturating_sub(text.trim_start_matches('\n').lines().count());
            text.push_str(&advised(told, &|ranks, advised, look| tables::advice::short(ranks, advised, look, left)));
            return Ok(text.trim_start_matches('\n').to_owned());
        }
        if all && ranks.len() > 1 {
            text.push_str(&tables::ranks(&ranks, apart.is_none(), look));
            text.push_str(&recorded::cluster(&ranks, look, opened.job.is_none(), Some(options.rows())));
            let budget = budget_text(opened.budget(&ranks));
            let told = opened.job.as_ref().map(|job| tables::job((job, &budget), look, options.rows()));
            let told = told.unwrap_or_default();
            text.push_str(&apart.unwrap_or(told));
            text.push('\n');
        } else if let Some(apart) = apart.filter(|_| all) {
            text.push_str(&apart);
            text.push('\n');
        }
        if options.by == Some(Table::Budget) {
            text.push_str(&budget_text(opened.budget(&ranks)));
            if !text.is_empty() {
                text.push('\n');
            }
        }
        for (index, (heading, tables)) in texts.iter().enumerate() {
            let split = opened.in_job(tables, (&ranks, index), look);
            if all || ranks.len() > 1 {
                if index > 0 {
                    text.push('\n');
                }
                text.push_str(heading);
            }
            text.push_str(split.as_deref().unwrap_or(tables));
        }
        if all {
            text.push_str(&advised(told, &tables::advice::top));
        } else if options.by == Some(Table::Advice) {
            text.push_str(&advised(told, &tables::advice::all));
        }
        Ok(text.trim_start_matches('\n').to_owned())
    }
}

/// Writes advice on ranks.
type AdviceWriter<'a> = &'a dyn Fn(&[&Rank], &tables::advice::Advised, Look) -> String;

/// Ranks by their runs.
struct Runs<'a> {
    options: &'a SummaryOptions,
    /// The job of all ranks; `None` if fewer than two have events.
    job: Option<Job>,
    digests: Vec<RankDigest>,
    /// Each rank's row in the job, which is its digest's index.
    rows: Vec<Option<usize>>,
    /// The shown runs: all of them, or the one of most ranks.
    shown: Vec<Vec<usize>>,
}

impl<'a> Runs<'a> {
    fn of(
        ranks: &[Rank],
        job: Option<Job>,
        (digests, rows): (Vec<RankDigest>, Vec<Option<usize>>),
        options: &'a SummaryOptions,
    ) -> Self {
        let shown = runs_of(ranks, job.as_ref(), &rows);
        Self { options, job, digests, rows, shown }
    }

    /// A rank's text with what the other ranks of its job tell of its budget; none where they tell nothing.
    fn in_job(&self, text: &str, (ranks, place): (&[Rank], usize), look: Look) -> Option<String> {
        let job = self.job.as_ref();
        let row = self.rows.get(place).copied().flatten();
        let row = job.zip(row).and_then(|(job, row)| Some((job, job.ranks.get(row)?)));
        row.and_then(|of| tables::budget::in_job(text, &ranks[place], of, look))
    }

    /// The step budget of the job from its ranks; `None` if they are not a job, or few have a budget.
    fn budget(&self, ranks: &[Rank]) -> Option<JobBudget> {
        let job = self.job.as_ref()?;
        let mut budgets: Vec<Option<&BudgetMean>> = vec![None; job.ranks.len()];
        // There may be traces of other runs beside the job's ranks.
        let [members] = &self.shown[..] else { return None };
        for place in members {
            let row = self.rows.get(*place).copied().flatten();
            if let Some(budget) = row.and_then(|row| budgets.get_mut(row)) {
                *budget = ranks.get(*place).and_then(Rank::step_budget);
            }
        }
        JobBudget::of(job, &budgets)
    }

    /// The job of a run's ranks; `None` if fewer than two have events.
    fn job_of(&self, run: &[usize]) -> Option<Job> {
        let digests = run.iter().filter_map(|place| self.rows[*place].map(|row| self.digests[row].clone()));
        let digests: Vec<RankDigest> = digests.collect();
        (digests.len() > 1).then(|| job_as(&digests, &job_config(self.options)))
    }

    /// Advice on each shown run, under its name if there are several: their steps are unrelated.
    fn advice(
        &self,
        ranks: &[Rank],
        told: Vec<Vec<tables::advice::EvidencedOutcome>>,
        (config, look): (&AdviceConfig, Look),
        write: AdviceWriter<'_>,
    ) -> String {
        let mut told: Vec<Option<_>> = told.into_iter().map(Some).collect();
        let mut text = String::new();
        for (number, run) in self.shown.iter().enumerate() {
            let of_run: Vec<&Rank> = run.iter().filter_map(|place| ranks.get(*place)).collect();
            let rules = run.iter().map(|place| told[*place].take().unwrap_or_default()).collect();
            if self.shown.len() > 1 {
                let blank = if number > 0 { "\n" } else { "" };
                text.push_str(&format!("{blank}{}\n", look.title(&tables::runs::name(ranks, run))));
            }
            let (own, rows);
            let together = if self.shown.len() == 1 {
                rows = run.iter().map(|place| self.rows[*place]).collect::<Vec<_>>();
                self.job.as_ref()
            } else {
                rows = rows_in_job(run.iter().map(|place| self.rows[*place].is_some()));
                own = self.job_of(run);
                own.as_ref()
            };
            let together = together.map(|job| (job, rows.as_slice()));
            text.push_str(&write(&of_run, &tables::advice::joined(&of_run, rules, together, config, look), look));
        }
        text
    }
}
