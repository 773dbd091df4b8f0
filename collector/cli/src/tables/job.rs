//! The tables of a job.

use stepscope::Nanos;
use stepscope::analyze::{
    Apart, ApartReason, ClockSource, CollectiveContext, CollectiveTable, Coverage, GroupTable, Job, LinkTable, Mark,
    ParallelSource, ParallelStrategy, RankRow, RankTable, Shared, StageTable, Straggler, StragglerPlace,
    StragglerTable, StragglerVerdict, Vendor,
};
use stepscope::export::report_json::{device_name, job_text};
use stepscope::present::UnitNames;
use stepscope::present::budget::{longer_compute_sentence, slow_alone_sentence};
use stepscope::present::text::{count, counted, duration, percent_change};
use stepscope::table::Table;
use stepscope::table::messages::Language;

use crate::grid::{Grid, Look, printable};

/// The ranks of a group that are named one by one.
const NAMED: usize = 8;

/// Reasons why traces are not ranks of one job; `None` if they are.
pub(crate) fn not_a_job(job: &Job) -> Option<String> {
    let named = |trace: usize| job.ranks.get(trace).map_or_else(String::new, |row| printable(&row.file));
    let line = |apart: &Apart| {
        if let Some(other) = apart.other.filter(|_| apart.reason == ApartReason::SameRecording) {
            return format!("  {} is a copy of {}: it is analyzed once\n", named(apart.trace), named(other));
        }
        let other = apart.other.map(|other| format!(" (compared with {})", named(other))).unwrap_or_default();
        format!("  {}: {}{other}\n", named(apart.trace), apart.reason.describe())
    };
    let lines = || job.relation.apart.iter().map(line).collect::<String>();
    let count = job.ranks.len();
    let title = match count - job.relation.copies() {
        1 => format!("These {count} traces are one recording."),
        _ => format!("These {count} traces are not ranks of one job. Each is shown on its own."),
    };
    (!job.is_one()).then(|| format!("{title}\n{}", lines()))
}

/// The verdict about stragglers, with the part of the job that it covers.
pub(super) fn verdict(job: &Job) -> String {
    let Coverage { ranks, matched, collectives } = job.coverage;
    let collectives = counted(collectives, "collective", "collectives");
    let matched = format!("{} of {collectives} found on several ranks", count(matched));
    let coverage = format!("{} of {} ranks compared, {matched}", count(ranks), count(job.world_size));
    match job.verdict {
        StragglerVerdict::Found if ranks > 1 => format!("{} found: {coverage}\n", stragglers_text(job.stragglers.len())),
        StragglerVerdict::Found => format!("{} found by the profiler's tables\n", stragglers_text(job.stragglers.len())),
        StragglerVerdict::None => {
            let alone = job.slow_alone.iter().map(|one| slow_alone_sentence(one, Language::English));
            let noted = alone.chain(job.longer_compute().map(|found| longer_compute_sentence(&found, Language::English)));
            format!("no straggler found: {coverage}{}\n", noted.map(|text| format!("; {}", clause(&text))).collect::<String>())
        }
        StragglerVerdict::OnlyTables => {
            "stragglers cannot be judged: no rank has events here, and its profiler's tables or its steps alone do not show them\n"
                .to_owned()
        }
        StragglerVerdict::NoCollectives => "stragglers cannot be judged: no collective is recorded\n".to_owned(),
        StragglerVerdict::NothingMatched => {
            format!("stragglers cannot be judged: no collective that ranks share is matched in the steps that count ({matched})\n")
        }
    }
}

/// A sentence within another one.
fn clause(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

fn stragglers_text(number: usize) -> String {
    if number == 1 { "1 straggler".to_owned() } else { format!("{} stragglers", count(number as u64)) }
}

/// A job in few lines: its facts, and its stragglers.
pub(super) fn short(job: &Job, look: Look, top: usize) -> String {
    let mut late: Vec<String> = job.stragglers.iter().take(top).map(|one| late_in_words(job, one)).collect();
    late.extend((job.stragglers.len() > top).then(|| "--by job shows all".to_owned()));
    let verdict = verdict(job);
    look.line(&layout(job))
        + &look.line(&std::iter::once(verdict.trim_end().to_owned()).chain(late).collect::<Vec<_>>())
}

/// Returns a straggler in words: its place, its cause and its gain.
fn late_in_words(job: &Job, one: &Straggler) -> String {
    let gain = one.gain.filter(|gain| *gain > Nanos::ZERO).map(|gain| format!(", costs {} per step", duration(gain)));
    format!("{} ({}){}", place(job, one.place), one.cause.name().replace('_', " "), gain.unwrap_or_default())
}

/// Every table of a job, its budget as text and the stragglers first.
pub(crate) fn job((job, budget): (&Job, &str), look: Look, top: usize) -> String {
    let mut text = look.line(&facts(job));
    text.push_str(&verdict(job));
    for warning in &job.warnings {
        let mut of = if warning.ranks.is_empty() { String::new() } else { format!(": rank {}", ranks(&warning.ranks)) };
        let shown =
            warning.steps.iter().take(NAMED).map(|(rank, step)| format!("rank {rank} step {}", printable(step)));
        let steps: Vec<String> = shown.collect();
        if !steps.is_empty() {
            let more = if warning.steps.len() > NAMED { ", …" } else { "" };
            of.push_str(&format!(": {}{more}", steps.join(", ")));
        }
        let key = format!("ranks.warning.{}", warning.code.name());
        text.push_str(&format!("warning: {} ({}){of}\n", job_text(&key).trim_end_matches('.'), warning.count));
    }
    text.push_str(&strategy(job.strategy.as_ref(), look));
    text.push_str(budget);
    text.push_str(&stragglers(job).to_text(look, top));
    text.push_str(&rows(job).to_text(look, top));
    text.push_str(&stages(job).to_text(look, top));
    text.push_str(&groups(job).to_text(look, top));
    text.push_str(&collectives(job).to_text(look, top));
    text.push_str(&links(job).to_text(look, top));
    text
}

/// The number of ranks, the parallel layout, and the sources of clocks.
fn facts(job: &Job) -> Vec<String> {
    let mut facts = layout(job);
    let here = job.ranks.iter().filter(|row| !row.is_left_out()).count();
    let of = |source: ClockSource| job.clocks.ranks.iter().filter(|clock| clock.source == source).count();
    let residual_of = |source: ClockSource| {
        job.clocks.ranks.iter().filter(|clock| clock.source == source).filter_map(|clock| clock.residual).max()
    };
    let clocks = [(ClockSource::Shared, "shared clock"), (ClockSource::Solved, "clocks solved from collectives")];
    for (source, words) in clocks {
        if of(source) > 0 {
            // The clocks of others may be unknown, or solved.
            let some = if of(source) < here { format!(" of {} ranks", of(source)) } else { String::new() };
            // Where no collective is matched, nothing shows how well the clocks agree.
            let residual = residual_of(source);
            let within =
                residual.map(|residual| format!(", half of the ends within {} of their median", duration(residual)));
            facts.push(format!("{words}{some}{}", within.unwrap_or_default()));
        }
    }
    if let Some(gain) = job.gain {
        facts.push(format!("a step could be {} shorter without the stragglers", duration(gain)));
    }
    facts
}

/// The number of ranks, and the parallel layout.
fn layout(job: &Job) -> Vec<String> {
    let here = job.ranks.iter().filter(|row| !row.is_left_out()).count();
    let mut facts = vec![format!("{here} of {} ranks", job.world_size)];
    let spread =
        |shared: &Shared| format!("{} parallel {} ({})", shared.kind.name(), shared.size, known(shared.source));
    facts.extend(job.parallel.iter().map(spread));
    if let Some(told) = &job.parallel_told {
        let told: Vec<String> = told.iter().map(spread).collect();
        facts.extend((!told.is_empty()).then(|| format!("in the traces: {}", told.join(", "))));
    }
    facts
}

/// Source of a parallel size, in words.
pub(super) fn known(source: ParallelSource) -> &'static str {
    match source {
        ParallelSource::Seen => "among loaded ranks",
        _ => source.name(),
    }
}

/// The parallel layout from a `parallel_strategy` file; empty without one.
pub(crate) fn strategy(told: Option<&ParallelStrategy>, look: Look) -> String {
    let Some(told) = told else { return String::new() };
    let mut facts = vec![format!("parallel strategy {}", printable(&told.mode))];
    let stages = (0..).zip(&told.stages).map(|(stage, list): (u32, _)| format!("stage {stage}: ranks {}", ranks(list)));
    facts.extend(stages);
    // The most frequent ways in which operators are cut.
    let cuts =
        told.cuts.iter().take(NAMED).map(|(parts, count)| format!("{count} operators cut as {}", printable(parts)));
    facts.extend(cuts);
    look.line(&facts)
}

/// Ranks by their numbers, the first of many.
pub(super) fn ranks(list: &[u64]) -> String {
    let more = if list.len() > NAMED { format!(" ({})", list.len()) } else { String::new() };
    some_ranks(list, NAMED) + &more
}

/// The first of them.
pub(super) fn some_ranks(list: &[u64], most: usize) -> String {
    let named: Vec<String> = list.iter().take(most).map(u64::to_string).collect();
    named.join(", ") + if list.len() > most { ", …" } else { "" }
}

/// Place of a straggler, in words.
pub(super) fn place(job: &Job, place: StragglerPlace) -> String {
    match place {
        StragglerPlace::Rank(rank) => format!("rank {rank}"),
        StragglerPlace::Link([from, to]) => format!("link {from} → {to}"),
        StragglerPlace::Group(_) => format!("links of ranks {}", ranks(&place.ranks(job))),
        StragglerPlace::Stage(stage) => format!("stage {stage}"),
    }
}

fn stragglers(job: &Job) -> Grid {
    let table = Table::of::<StragglerTable>(&job.stragglers, job);
    described("Stragglers", &table).named(job.stragglers.iter().map(|one| place(job, one.place)))
}

fn rows(job: &Job) -> Grid {
    let mut models = job.ranks.iter().flat_map(|row| &row.devices).map(|(_, model)| model);
    let first = models.next();
    let differ = models.any(|model| Some(model) != first);
    let places: Vec<usize> = (0..job.ranks.len()).collect();
    described("Ranks of the job, by their average step", &Table::of::<RankTable>(&places, job))
        .beside("device", job.ranks.iter().map(|row| printable(&devices(row, differ))))
        .beside("marked", job.ranks.iter().map(marks))
}

/// The devices of a rank, with their models where these differ.
fn devices(row: &RankRow, differ: bool) -> String {
    let name = |(number, model): &(i64, String)| device_name(*number, if differ { model } else { "" });
    row.devices.iter().map(name).collect::<Vec<_>>().join(", ")
}

/// Deviations of a rank from the others, with the rule.
fn marks(row: &RankRow) -> String {
    let mark = |mark: &Mark| {
        let [column, rule] = [mark.column, mark.rule.name()].map(|name| name.replace('_', " "));
        format!("{column} {} ({rule})", percent_change(Some(mark.by)))
    };
    row.marks.iter().map(mark).collect::<Vec<_>>().join(", ")
}

/// The process groups, with what their ranks share.
fn groups(job: &Job) -> Grid {
    described("Process groups", &Table::of::<GroupTable>(&job.groups, &()))
}

fn stages(job: &Job) -> Grid {
    described("Stages", &Table::of::<StageTable>(&job.stages, &()))
}

fn collectives(job: &Job) -> Grid {
    let context = CollectiveContext { groups: &job.groups };
    described("Collectives", &Table::of::<CollectiveTable>(&job.collectives, &context))
}

fn links(job: &Job) -> Grid {
    described("Links between ranks", &Table::of::<LinkTable>(&job.links, &()))
}

/// A table of a job: none of them names a unit of the ranks' devices.
fn described(title: &str, table: &Table) -> Grid {
    Grid::of(title, table, UnitNames::of(Vendor::Nvidia))
}
