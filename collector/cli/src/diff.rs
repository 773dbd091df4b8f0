//! `stepscope diff`: two traces beside each other.

use std::path::Path;

use stepscope::analyze::{
    AnalysisConfig, CauseChange, CompareConfig, CompareSide, Comparison, FirstLine, JobComparison, JobSide,
    OperatorChange, SideRank, Sides, StepSource, TimeCategory, TimeChange, compare, compare_jobs,
};
use stepscope::export::report_json::{Diff, DiffSide};
use stepscope::present::budget::{changed_cause_name, first_sentences, outcome_sentences};
use stepscope::present::kernel_names::short_names;
use stepscope::present::text::{
    UNKNOWN_AT_START, count, counted, duration, duration_change, duration_or_dash, number, percent_change,
    whole_step_span,
};
use stepscope::table::messages::Language;
use stepscope::{Nanos, Rank};

use crate::args::{DiffOptions, DiffTable, InputOptions};
use crate::grid::{Grid, Look, printable};
use crate::output::print;
use crate::result::Result;
use crate::tables::advice::wrapped;
use crate::{json_part, open, perf_summary};

/// All tables, in the order in which they are printed.
const ALL: [DiffTable; 7] = [
    DiffTable::Causes,
    DiffTable::Categories,
    DiffTable::Phases,
    DiffTable::Contributions,
    DiffTable::Operators,
    DiffTable::Modules,
    DiffTable::Steps,
];

/// The tables of two jobs, which come before those of a rank of each.
const JOB_TABLES: [DiffTable; 2] = [DiffTable::Ranks, DiffTable::Causes];

/// Prints the differences of the second trace.
pub(crate) fn run(options: &DiffOptions) -> Result {
    if let Some(done) = perf_summary::run(options) {
        return done;
    }
    // A chosen rank is compared as a rank.
    let is_job = options.rank_a.is_none() && options.rank_b.is_none();
    let (a, job_a) = side(options, (&options.a, options.rank_a), None, is_job)?;
    let (b, job_b) = side(options, (&options.b, options.rank_b), a.rank, is_job)?;
    let jobs = job_a.as_ref().zip(job_b.as_ref()).map(|(a, b)| Sides { a, b });
    if options.by == Some(DiffTable::Ranks) && jobs.is_none() {
        return Err("--by ranks compares two jobs: each side must be several ranks of one job".into());
    }
    let ranks = Sides { a: &a, b: &b };
    let config = CompareConfig { shapes: options.shapes };
    if options.json {
        let side = |rank: &Rank, job| DiffSide::of(rank, config).in_job(job);
        let sides = Sides { a: side(&a, job_a), b: side(&b, job_b) };
        let diff = Diff::between(sides.as_ref(), Language::English);
        if options.by.is_some() || options.top.is_some() {
            return print(&json_part::diff(&diff, options.by, options.top)?);
        }
        let mut json = diff.to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    let sides = ranks.map(|rank| CompareSide::of(rank, config));
    let found = Found { ranks, of_ranks: compare(sides.as_ref()), of_jobs: jobs.map(compare_jobs) };
    let look = Look::of_output();
    let mut text = String::new();
    let shown = |table: DiffTable| grid(table, &found).to_text(look, options.rows());
    if let Some(table) = options.by {
        return print(shown(table).trim_start_matches('\n').as_bytes());
    }
    if let Some((jobs, of_jobs)) = jobs.zip(found.of_jobs.as_ref()) {
        text.push_str(&job_heading(options, jobs, of_jobs, look));
        JOB_TABLES.into_iter().for_each(|table| text.push_str(&shown(table)));
        text.push_str("\nOne rank of each:\n");
    }
    text.push_str(&heading(&found, look));
    let is_in_job_part = |table: &DiffTable| found.of_jobs.is_some() && JOB_TABLES.contains(table);
    let has = |table: &DiffTable| *table != DiffTable::Modules || !found.of_ranks.modules.is_empty();
    for table in ALL.into_iter().filter(|table| has(table) && !is_in_job_part(table)) {
        text.push_str(&shown(table));
    }
    print(text.trim_start_matches('\n').as_bytes())
}

/// The compared ranks and the changes.
struct Found<'a> {
    ranks: Sides<&'a Rank>,
    of_ranks: Comparison,
    /// If both sides are several ranks of one job.
    of_jobs: Option<JobComparison>,
}

/// The rank of a side, and its job if asked for: the other ranks are dropped before the other side is opened.
fn side(
    options: &DiffOptions,
    (path, wanted): (&Path, Option<u64>),
    other: Option<u64>,
    is_job: bool,
) -> Result<(Rank, Option<JobSide>)> {
    let input = InputOptions {
        files: vec![path.to_path_buf()],
        rank: Vec::new(),
        verbose: options.verbose,
        steps: options.steps.clone(),
    };
    let ranks = open::ranks(&input, &AnalysisConfig::standard())?;
    let job = if is_job { JobSide::of(&ranks) } else { None };
    Ok((rank_of(ranks, (path, wanted), other)?, job))
}

/// The rank of a side: the wanted one, else the one of the other side's number, else the first.
fn rank_of(mut ranks: Vec<Rank>, (path, wanted): (&Path, Option<u64>), other: Option<u64>) -> Result<Rank> {
    let find = |number: u64| ranks.iter().position(|rank| rank.rank == Some(number));
    let place = match wanted {
        Some(number) => {
            let known: Vec<String> = ranks.iter().filter_map(|rank| rank.rank).map(|rank| rank.to_string()).collect();
            find(number).ok_or_else(|| match known.as_slice() {
                [] => format!("{}: it has no rank {number}: no rank in it has a number", path.display()),
                known => format!("{}: it has no rank {number}, only {}", path.display(), known.join(", ")),
            })?
        }
        None => other.and_then(find).unwrap_or(0),
    };
    let rank = ranks.swap_remove(place);
    if !rank.trace.has_events() {
        return Err(format!("{}: there are only tables in it, and no steps to compare", path.display()));
    }
    Ok(rank)
}

/// The two jobs, and the change of their step.
fn job_heading(options: &DiffOptions, jobs: Sides<&JobSide>, found: &JobComparison, look: Look) -> String {
    let mut text = String::new();
    for (side, path, job) in [("A", &options.a, jobs.a), ("B", &options.b, jobs.b)] {
        let ranks = match job.averaged == job.world_size {
            true => counted(job.averaged, "rank", "ranks"),
            false => format!("{} of {} ranks", count(job.averaged), count(job.world_size)),
        };
        let length = format!("{} on average", duration(job.causes.length));
        let title = look.title(&format!("{side}  {}", printable(&path.to_string_lossy())));
        text.push_str(&format!("{title}\n   {}", look.line(&[ranks, length])));
    }
    let change = found.length.b - found.length.a;
    let share = percent_change(change.ratio_of(found.length.a));
    text.push_str(&format!("step of the job: {} ({share})\n", duration_change(change)));
    if let Some(outcome) = &found.outcome {
        text.push('\n');
        text.push_str(&wrapped(&outcome_sentences(outcome, Language::English).join(" "), look.width));
    }
    text
}

/// The two traces, and the change of the step.
fn heading(Found { ranks, of_ranks: found, .. }: &Found<'_>, look: Look) -> String {
    let mut text = String::new();
    let (steps, length) = (found.length.steps, found.length.per_step());
    for (side, rank, steps, length) in [("A", ranks.a, steps.a, length.a), ("B", ranks.b, steps.b, length.b)] {
        let mut title = format!("{side}  {}", printable(&rank.file));
        if let Some(number) = rank.rank {
            title.push_str(&format!(" · rank {number}"));
        }
        let meta = &rank.trace.meta;
        let framework = [meta.framework.as_str(), meta.framework_version.as_str()].join(" ");
        let steps = match (rank.analysis.steps.source, steps) {
            (StepSource::WholeTrace, _) => {
                let span = rank.analysis.whole_step.map_or("", |whole| whole_step_span(whole.span.name()));
                format!("no steps marked: {span}, {}", duration(length))
            }
            (_, 1) => format!("one step of {}", duration(length)),
            _ => format!("{} steps of {} on average", count(steps), duration(length)),
        };
        let unrecorded = rank.analysis.steps.unrecorded(None);
        let steps = match unrecorded {
            Nanos::ZERO => steps,
            _ => format!("{steps}: the recorded part, {} of the step are not recorded", duration(unrecorded)),
        };
        let facts = [printable(framework.trim()), steps];
        text.push_str(&format!("{}\n   {}", look.title(&title), look.line(&facts)));
        // A change between samples is not one between runs.
        let sampled = rank.step_budget().filter(|budget| budget.first == FirstLine::SampledCalls);
        let sentence = sampled.and_then(|budget| first_sentences(budget, Language::English).into_iter().next());
        text.push_str(&sentence.map(|sentence| wrapped(&sentence, look.width)).unwrap_or_default());
    }
    let change = found.length.difference();
    let share = change.ratio_of(length.a);
    text.push_str(&format!("step: {} ({})\n", duration_change(change), percent_change(share)));
    if let Some(throughput) = &found.throughput {
        let Sides { a, b } = throughput.per_second.map(|rate| number(*rate));
        let unit = throughput.unit();
        text.push_str(&format!("throughput: {a} to {b} {unit} per second ({})\n", percent_change(throughput.change())));
    }
    if let Some(outcome) = &found.outcome {
        text.push('\n');
        text.push_str(&wrapped(&outcome_sentences(outcome, Language::English).join(" "), look.width));
    }
    text
}

fn grid(table: DiffTable, Found { ranks, of_ranks: found, of_jobs }: &Found<'_>) -> Grid {
    match table {
        // A rank's wait for others is no cause of its own.
        DiffTable::Causes => causes(of_jobs.as_ref().map_or(&found.causes, |jobs| &jobs.causes), of_jobs.is_some()),
        DiffTable::Ranks => job_ranks(of_jobs.as_ref().map_or(&[], |jobs| &jobs.ranks)),
        DiffTable::Categories => categories(found),
        DiffTable::Phases => phases(found),
        DiffTable::Contributions => contributions(found),
        DiffTable::Operators => operators("Operators, per step", ["operator", ""], &found.operators),
        DiffTable::Modules => {
            operators("Modules, per step, by path", ["module", "(outside of modules)"], &found.modules)
        }
        DiffTable::Steps => steps(ranks, found),
    }
}

fn causes(changes: &[CauseChange], is_job: bool) -> Grid {
    let rows = changes.iter().map(|change| {
        let name = changed_cause_name(change, Language::English);
        vec![name, duration(change.score.a), duration(change.score.b), duration_change(change.difference())]
    });
    let of = if is_job { ", as means over the ranks of each job" } else { "" };
    Grid::new(&format!("Causes of lost time, by the step budgets{of}"), ["cause", "A", "B", "change"], rows)
}

fn job_ranks(ranks: &[(u64, Sides<Option<SideRank>>)]) -> Grid {
    let heads = ["rank", "step\nA", "step\nB", "step\nchange", "own\nA", "own\nB", "own\nchange"];
    let rows = ranks.iter().map(|(rank, sides)| {
        let cells = |time: fn(SideRank) -> Option<Nanos>| {
            let Sides { a, b } = sides.map(|side| side.and_then(time));
            let change = a.zip(b).map_or_else(|| "–".to_owned(), |(a, b)| duration_change(b - a));
            [duration_or_dash(a), duration_or_dash(b), change]
        };
        let cells = cells(|one| Some(one.step)).into_iter().chain(cells(|one| one.own));
        std::iter::once(rank.to_string()).chain(cells).collect()
    });
    Grid::new("Ranks: mean step, and own time without exposed communication until the next step", heads, rows)
}

/// A time per step on both sides, and its change.
fn times(change: &TimeChange) -> [String; 3] {
    let mean = change.per_step();
    [duration(mean.a), duration(mean.b), duration_change(change.difference())]
}

fn categories(found: &Comparison) -> Grid {
    let whole = found.length.per_step().a;
    let row = |name: &str, change: &TimeChange| {
        let share = percent_change(change.difference().ratio_of(whole));
        std::iter::once(name.to_owned()).chain(times(change)).chain([share]).collect()
    };
    let shown = |(_, change): &(&TimeCategory, &TimeChange)| change.total != Sides::default();
    let parts = TimeCategory::ALL
        .iter()
        .zip(&found.categories)
        .filter(shown)
        .map(|(category, change)| row(category.name(), change));
    let early = Some(&found.before_first).filter(|change| change.total != Sides::default());
    let parts = parts.chain(early.map(|change| row(UNKNOWN_AT_START, change)));
    let heads = ["what the step is spent with", "A", "B", "change", "of A's step"];
    Grid::new("Per step, by category", heads, parts.chain([row("step", &found.length)]).collect::<Vec<_>>())
}

fn phases(found: &Comparison) -> Grid {
    let heads = ["phase", "host\nA", "host\nB", "host\nchange", "device\nA", "device\nB", "device\nchange"];
    let rows = found.phases.iter().filter(|change| change.host.total != Sides::default());
    let row = |change: &stepscope::analyze::PhaseChange| {
        let cells = times(&change.host).into_iter().chain(times(&change.device));
        std::iter::once(change.phase.name().to_owned()).chain(cells).collect()
    };
    Grid::new("Per step, by phase", heads, rows.map(row))
}

fn contributions(found: &Comparison) -> Grid {
    let heads = ["what changed", "what it is", "change", "A", "B", "calls\nA", "calls\nB", "mean\nA", "mean\nB"];
    let is_kernel = |category| matches!(category, TimeCategory::Kernel | TimeCategory::Communication);
    let kernels: Vec<&str> =
        found.contributions.iter().filter(|row| is_kernel(row.category)).map(|row| row.name.as_str()).collect();
    let mut short = short_names(&kernels).into_iter();
    let rows = found.contributions.iter().map(|row| {
        let name = match row.category {
            TimeCategory::Other => "(no kernel, call or operator)".into(),
            category if is_kernel(category) => short.next().unwrap_or_default(),
            _ => row.name.as_str().into(),
        };
        let name = name.as_ref();
        let [a, b, change] = times(&row.own);
        let mean = row.mean().map(|mean| duration_or_dash(*mean));
        let calls = row.calls.map(|calls| count(*calls));
        let kind = row.category.name().to_owned();
        vec![with_shapes(name, &row.shapes), kind, change, a, b, calls.a, calls.b, mean.a, mean.b]
    });
    Grid::new("Contributions to the change of a step: each moment belongs to one name", heads, rows)
}

/// Operators, or modules; `unnamed` stands for a row without a name.
fn operators(title: &str, [what, unnamed]: [&str; 2], rows: &[OperatorChange]) -> Grid {
    let heads = [
        what,
        "device self\nA",
        "device self\nB",
        "device self\nchange",
        "host self\nA",
        "host self\nB",
        "host self\nchange",
        "calls\nA",
        "calls\nB",
    ];
    let rows = rows.iter().map(|row| {
        let calls = row.calls.map(|calls| count(*calls));
        let name = if row.name.is_empty() { unnamed } else { row.name.as_str() };
        let name = with_shapes(name, &row.shapes);
        let cells = times(&row.device_self).into_iter().chain(times(&row.host_self)).chain([calls.a, calls.b]);
        std::iter::once(name).chain(cells).collect()
    });
    Grid::new(title, heads, rows)
}

fn with_shapes(name: &str, shapes: &str) -> String {
    if shapes.is_empty() { name.to_owned() } else { format!("{name}  {shapes}") }
}

fn steps(ranks: &Sides<&Rank>, found: &Comparison) -> Grid {
    let rows = found.steps.iter().map(|pair| {
        let step = |rank: &Rank, index: Option<usize>| index.map(|index| rank.analysis.steps.steps[index].clone());
        let sides = Sides { a: step(ranks.a, pair.a), b: step(ranks.b, pair.b) };
        let names = sides.map(|step| step.as_ref().map_or_else(|| "–".to_owned(), |step| step.name.clone()));
        let lengths = sides.map(|step| step.as_ref().map(|step| step.span.len()));
        let name = if names.a == names.b { names.a } else { format!("{} | {}", names.a, names.b) };
        let change = lengths.a.zip(lengths.b).map_or_else(|| "–".to_owned(), |(a, b)| duration_change(b - a));
        vec![name, duration_or_dash(lengths.a), duration_or_dash(lengths.b), change]
    });
    Grid::new("Steps", ["step", "A", "B", "change"], rows)
}
