//! Reports as tables for a terminal.

pub(crate) mod advice;
pub(crate) mod budget;
mod critical;
mod drill_down;
mod idle;
mod job;
mod kernel_use;
mod machine;
mod memory;
mod range;
pub(crate) mod runs;
mod share;
mod times;
mod verdict;
mod work;

pub(crate) use self::work::units;

use self::budget::{BudgetText, Headline};
pub(crate) use self::critical::changes;
pub(crate) use self::drill_down::drill_down;
pub(crate) use self::job::{job, not_a_job, strategy};
pub(crate) use self::range::range;

use stepscope::analyze::{Job, JobBudget, KernelGrouping, StepChoice, StepSource, Tile, Value, overview};
use stepscope::present::text::{bytes, count, counted, duration, percent, percent_or_dash};
use stepscope::{Code, Nanos, Rank, Severity};
use unicode_width::UnicodeWidthStr;

use self::share::with_share;
use self::verdict::{only_tables, profilers_tables, verdict};
use crate::args::Table;
use crate::cut::shortened;
use crate::grid::{Grid, Look, printable};
use crate::{recorded, steps};

/// Lines of the first screen.
pub(crate) const SCREEN: usize = 24;

/// Columns of a warning's example.
const EXAMPLE: usize = 60;

/// Warnings of a file on the first screen.
pub(crate) const SHOWN_WARNINGS: usize = 2;

/// Stragglers, and causes of lost time, that the first screen of a job shows.
const SHOWN_STRAGGLERS: usize = 3;
const SHOWN_CAUSES: usize = 3;

/// Traces of other runs that the first screen of a job names.
const SHOWN_OTHERS: usize = 4;

/// Most ranks on the first screen, and columns of their names.
const SHOWN_RANKS: usize = 4;
const RANK_NAME: usize = 28;

/// The files of a rank, its main facts, and its warnings.
pub(crate) fn heading(rank: &Rank, look: Look) -> String {
    title(rank, look) + &facts(rank, look) + &warnings(rank)
}

/// The facts of the first screen, below its first statement: the same without the file's name, and only so many of the
/// worst warnings.
pub(crate) fn short_facts(rank: &Rank, most: usize, look: Look) -> String {
    let all = warnings(rank);
    let lines: Vec<&str> = all.lines().collect();
    let shown = lines.len().min(most);
    let rest = lines.len() - shown;
    let line = |(place, text): (usize, &&str)| {
        let more = (rest > 0 && place + 1 == shown).then(|| format!("{rest} more: --by all"));
        // With the separator of both.
        let left = look.width.saturating_sub(more.as_ref().map_or(0, |more| more.len() + 3));
        // In a warning of lost or left-out data, the example is the important part: it is cut where space is short.
        let is_cut = text.starts_with(Severity::Info.name()) || most < SHOWN_WARNINGS;
        let text = if is_cut { shortened(text, left) } else { (*text).to_owned() };
        look.line(&std::iter::once(text).chain(more).collect::<Vec<_>>())
    };
    facts(rank, look) + &lines.iter().take(shown).enumerate().map(line).collect::<String>()
}

/// The file and its rank.
pub(crate) fn title(rank: &Rank, look: Look) -> String {
    let mut title = printable(&rank.file);
    if let Some(number) = rank.rank {
        title.push_str(&format!(" · rank {number}"));
        if let Some(world) = rank.trace.meta.distributed.world_size {
            title.push_str(&format!(" of {world}"));
        }
    }
    look.title(&title) + "\n"
}

/// The average step, the framework and the devices.
fn facts(rank: &Rank, look: Look) -> String {
    let meta = &rank.trace.meta;
    let mut text = look.line(&verdict(rank));
    let mut facts = vec![meta.framework.clone()];
    let mut models: Vec<&str> =
        meta.devices.iter().map(|device| device.name.as_str()).filter(|name| !name.is_empty()).collect();
    models.sort_unstable();
    models.dedup();
    if !models.is_empty() {
        let (all, used) = (meta.devices.len(), rank.analysis.devices.len());
        let used = if used > 0 && used < all { format!(" ({used} used)") } else { String::new() };
        facts.push(format!("{all} × {}{used}", printable(&models.join(", "))));
    }
    facts.push(format!("{} events", count(meta.events)));
    facts.push(bytes(rank.file_bytes));
    text.push_str(&look.line(&facts));
    if meta.inputs.len() > 1 {
        text.push_str(&files(rank, look));
    }
    // If no events show the device, these tables may.
    if rank.trace.has_events() && rank.analysis.devices.is_empty() && !rank.trace.recorded.is_empty() {
        text.push_str(&look.line(&[profilers_tables(rank), "--by recorded shows them".to_owned()]));
    }
    text
}

/// The warnings of a trace, a line each.
pub(crate) fn warnings(rank: &Rank) -> String {
    let lines = rank.warnings.iter().map(|warning| {
        let mut short = warning.clone();
        short.example = shortened(&printable(&short.example), EXAMPLE);
        format!("{}: {short}\n", warning.code.severity().name())
    });
    lines.collect()
}

/// The worst warning of several ranks, on a line: its count, its number of ranks, and the number of further warnings.
/// Warnings that affect no number are left to each rank's own screen.
fn warnings_of_ranks<'a>(ranks: impl ExactSizeIterator<Item = &'a Rank>, look: Look) -> String {
    let all = ranks.len();
    let mut kinds: Vec<(Code, u64, usize)> = Vec::new();
    for warning in ranks.flat_map(|rank| &rank.warnings).filter(|warning| warning.code.severity() > Severity::Info) {
        match kinds.iter_mut().find(|(code, ..)| *code == warning.code) {
            Some((_, times, ranks)) => (*times, *ranks) = (*times + warning.count, *ranks + 1),
            None => kinds.push((warning.code, warning.count, 1)),
        }
    }
    kinds.sort_by_key(|(code, ..)| std::cmp::Reverse(code.severity()));
    let Some((code, times, ranks)) = kinds.first().copied() else { return String::new() };
    let on = match (ranks == all, all) {
        (true, 2) => "both ranks".to_owned(),
        (true, _) => format!("all {} ranks", count(all as u64)),
        _ => format!("{} of {} ranks", count(ranks as u64), count(all as u64)),
    };
    let mut facts = vec![format!("{} on {on}", counted(times, "time", "times"))];
    facts.extend((kinds.len() > 1).then(|| format!("{} more: --by all", kinds.len() - 1)));
    let facts = facts.join(" · ");
    let text = format!("{}: {}", code.severity().name(), code.describe().trim_end_matches('.'));
    // With the separator.
    let left = look.width.saturating_sub(facts.width() + 3);
    format!("{} · {facts}\n", shortened(&text, left))
}

/// The tables of marked steps; of the host alone if no device was active, since columns of zeros are useless.
pub(crate) fn marked_steps(rank: &Rank, look: Look, top: usize) -> String {
    if rank.analysis.steps.source == StepSource::WholeTrace {
        return String::new();
    }
    let (steps, mut phases) = (times::steps(rank), times::phases(rank));
    if rank.analysis.devices.is_empty() {
        phases = phases.without(|head| head.ends_with("\ndevice"));
    }
    times::graph_rows(rank, look, top) + &steps.to_text(look, top) + &phases.to_text(look, top)
}

/// The files of a rank with several of them: as many of the first six as fit two lines.
fn files(rank: &Rank, look: Look) -> String {
    const SHOWN: usize = 6;
    let inputs = &rank.trace.meta.inputs;
    let short = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let named = |place: usize| {
        let file = &inputs[place];
        format!("{} ({})", printable(&short(&file.name)), file.format)
    };
    let first = |shown: usize| {
        let number = std::iter::once(format!("{} files", inputs.len()));
        let rest = (inputs.len() > shown).then(|| format!("{} more", inputs.len() - shown));
        look.line(&number.chain((0..shown).map(named)).chain(rest).collect::<Vec<_>>())
    };
    let fits = |text: &String| text.lines().count() <= 2;
    (2..=SHOWN.min(inputs.len())).rev().map(first).find(fits).unwrap_or_else(|| first(1))
}

/// All ranks beside each other.
pub(crate) fn ranks<'a>(ranks: impl IntoIterator<Item = &'a Rank>, is_job: bool, look: Look) -> String {
    let heads = ["rank", "steps", "step", "device busy", "exposed\ncommunication", "idle in\ndata loading", "idle"];
    let rows = ranks.into_iter().map(|rank| {
        let steps = count(rank.analysis.average.steps);
        let tiles = tile_cells(rank, |time, share| with_share(time, Some(share)));
        [numbered(rank, &rank.file), steps].into_iter().chain(tiles).collect()
    });
    let title = if is_job { "Ranks, by their average step" } else { "Traces, by their average step" };
    Grid::new(title, heads, rows).to_text(look, 0)
}

/// The first ranks, with shares of the step alone: a line each on narrow screens, too.
fn few_ranks<'a>(ranks: impl IntoIterator<Item = &'a Rank>, look: Look, top: usize) -> String {
    let heads = ["rank", "step", "busy", "exposed", "loading", "idle"];
    let rows = ranks.into_iter().map(|rank| {
        let name = numbered(rank, &shortened(&printable(&rank.file), RANK_NAME));
        std::iter::once(name).chain(tile_cells(rank, |_, share| percent(share))).collect()
    });
    let table = Grid::new("Ranks, and shares of their average step", heads, rows).to_text(look, top);
    table.replace("--top 0 shows all", "--by all shows all")
}

/// A rank's number and a name.
fn numbered(rank: &Rank, name: &str) -> String {
    let number = rank.rank.map_or_else(|| "–".to_owned(), |number| number.to_string());
    format!("{number}  {name}")
}

/// The cells of a rank's tiles; `cell` formats a time with its share.
fn tile_cells(rank: &Rank, cell: impl Fn(Nanos, f64) -> String) -> Vec<String> {
    let text = |tile: &Tile| match tile.share {
        Some(share) => cell(tile.time, share),
        None if tile.name == "step" && rank.analysis.average.steps > 0 => duration(tile.time),
        // No device: a zero would claim that it was idle.
        None => "–".to_owned(),
    };
    overview(&rank.analysis, None).tiles.iter().map(text).collect()
}

/// The same for ranks of which hardly any has events; if none has a step, with their other contents.
pub(crate) fn ranks_of_tables(ranks: &[Rank], look: Look) -> String {
    if ranks.iter().any(|rank| rank.analysis.average.steps > 0) {
        return self::ranks(ranks, false, look);
    }
    let rows = ranks.iter().map(|rank| vec![numbered(rank, &rank.file), only_tables(rank)]);
    Grid::new("Traces", ["rank", "contents"], rows).to_text(look, 0)
}

/// The first screen of a job: its largest cause of lost time, its facts, budget and ranks; without a budget, the causes
/// of single ranks. `members` are its ranks; traces of other runs are only counted and named.
pub(crate) fn first_screen(
    ranks: &[Rank],
    (job, members, budget): (&Job, &[usize], Option<&JobBudget>),
    headlines: &[Option<(Headline, f64)>],
    look: Look,
) -> String {
    // Its branches alone.
    let BudgetText { first, tree, .. } =
        budget.map(|budget| BudgetText::of_job(budget, look, |_| 0)).unwrap_or_default();
    let mut text = if first.is_empty() { first } else { first + "\n" };
    text.push_str(&job::short(job, look, SHOWN_STRAGGLERS));
    let others: Vec<&Rank> =
        (0..).zip(ranks).filter(|(place, _)| !members.contains(place)).map(|(_, rank)| rank).collect();
    if !others.is_empty() {
        let named: Vec<String> = others.iter().take(SHOWN_OTHERS).map(|rank| printable(&rank.file)).collect();
        let more = if others.len() > SHOWN_OTHERS { ", …" } else { "" };
        let (count, are) = (count(others.len() as u64), if others.len() == 1 { "trace is" } else { "traces are" });
        text.push_str(&look.line(&[format!("{count} more {are} not of this job: {}{more}", named.join(", "))]));
    }
    text.push_str(&warnings_of_ranks(members.iter().map(|place| &ranks[*place]), look));
    let shown = members.iter().map(|place| &ranks[*place]);
    text.push_str(&tree);
    // Lines for the ranks: blank line, title and heads, the number of further ranks, and the text below.
    let left = SCREEN.saturating_sub(text.lines().count() + 6).min(SHOWN_RANKS);
    if left > 0 {
        text.push_str(&few_ranks(shown, look, left));
    }
    if budget.is_some() {
        return text;
    }
    let by_headline = runs::by_headline(members.iter().filter_map(|place| headlines.get(*place).copied().flatten()));
    if !by_headline.is_empty() {
        text.push_str(&format!("\n{}\n", look.title("Largest cause of lost time (--by budget shows each one's)")));
    }
    for (headline, shares) in by_headline.into_iter().take(SHOWN_CAUSES) {
        let whose = format!("{} of {} ranks", count(shares.len() as u64), count(members.len() as u64));
        text.push_str(&look.line(&[headline.sentence(&budget::share_of(&shares)), whose]));
    }
    text
}

/// The host's activity on so many lines, for the first screen of a trace without devices.
pub(crate) fn host_operators(rank: &Rank, choice: StepChoice, look: Look, lines: usize) -> String {
    /// Lines of a table that are not rows: one before it, its title, two of headings, and the number of further rows.
    const AROUND: usize = 5;
    let rows = |lines: usize| lines.saturating_sub(AROUND).max(1);
    let operators = work::operators(rank, choice, look, (rows(lines), None));
    let left = lines.saturating_sub(operators.lines().count());
    // Ranges get the lines that operators leave.
    if left <= AROUND { operators } else { work::operators(rank, choice, look, (rows(lines), Some(rows(left)))) }
}

/// One table of a rank; empty without rows.
pub(crate) fn table(
    rank: &Rank,
    table: Table,
    (grouping, choice): (KernelGrouping, StepChoice),
    look: Look,
    top: usize,
) -> String {
    let below = table.view().map(|view| work::view_tables(rank, view, choice, look, top)).unwrap_or_default();
    let own = match table {
        Table::Devices => times::devices(rank, choice).to_text(look, 0),
        Table::Budget => budget::budget_table(rank, look, top),
        Table::Steps => times::graph_rows(rank, look, top) + &times::steps(rank).to_text(look, top),
        Table::Phases => times::phases(rank).to_text(look, top),
        Table::Operators => work::operators(rank, choice, look, (top, Some(top))),
        Table::Kernels => work::kernels(rank, choice, look, top) + &recorded::kernels(rank, look, top),
        Table::KernelUse => kernel_use::kernel_use_tables(rank, grouping, choice, look, top),
        Table::Copies => work::copies(rank, choice, look, top),
        Table::StepTrace => steps::step_trace(rank).to_text(look, top),
        Table::Benchmark => steps::benchmark(rank).to_text(look, 0) + &recorded::costs(rank, look),
        Table::Pipeline => recorded::pipeline(rank, look, top) + &machine::loading(rank, look, top),
        Table::Recorded => recorded::tables(rank, look, top),
        Table::Resources => machine::resources_table(rank).to_text(look, top),
        Table::Launches => idle::launches(rank, look, top),
        Table::Queues => idle::queues(rank).to_text(look, top),
        Table::Idle => idle::idle(rank, choice).to_text(look, 0) + &idle::leaves(rank, choice).to_text(look, 0),
        Table::Gaps => idle::gaps(rank).to_text(look, top),
        // They are about all tables, or all ranks together.
        Table::All | Table::Advice | Table::Job | Table::DrillDown => String::new(),
        Table::Critical => critical::critical(rank, look, top),
        Table::Memory => memory::memory(rank, look, top),
    };
    own + &below
}

/// The values of the chosen definition; empty for ours.
pub(crate) fn definition(rank: &Rank, look: Look, top: usize) -> String {
    let found = &rank.analysis.definition;
    let text = |value: &Value| match value {
        Value::Time(time) => duration(*time),
        Value::Ratio(ratio) => percent_or_dash(*ratio),
    };
    let name = found.definition.name();
    let named = |key: &str| key.strip_suffix("_ns").unwrap_or(key).replace('_', " ");
    let values = found.values.iter().map(|(key, value)| vec![named(key), text(value)]);
    let mut tables = Grid::new(&format!("As {name} defines it"), ["", "value"], values).to_text(look, 0);
    if let Some((_, first)) = found.steps.first() {
        let heads: Vec<String> =
            std::iter::once("step".to_owned()).chain(first.iter().map(|(key, _)| named(key))).collect();
        let rows = found.steps.iter().map(|(step, values)| {
            std::iter::once(step.clone()).chain(values.iter().map(|(_, value)| text(value))).collect()
        });
        tables.push_str(&Grid::new(&format!("Steps as {name} defines them"), heads, rows).to_text(look, top));
    }
    let types = found.kernel_types.iter().map(|(kind, time)| vec![kind.clone(), duration(*time)]);
    let title = format!("Kernel types as {name} defines them");
    tables.push_str(&Grid::new(&title, ["type", "time"], types).to_text(look, 0));
    tables
}
