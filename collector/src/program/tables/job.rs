//! What a job's ranks say together.

use stepscope::Nanos;
use stepscope::analyze::{ClockSource, Job, Mark, ParallelStrategy, RankClock, RankRow, Straggler, StragglerPlace};
use stepscope::present::text::{bytes, count, duration, gigabytes_per_second, percent};

use crate::grid::{Grid, Look, printable};

/// The ranks of a group that are named one by one.
const NAMED: usize = 8;

/// Every table of a job, the stragglers first.
pub(crate) fn job(job: &Job, look: Look, top: usize) -> String {
    let mut text = look.line(&facts(job));
    for warning in &job.warnings {
        let of = if warning.ranks.is_empty() { String::new() } else { format!(": rank {}", ranks(&warning.ranks)) };
        text.push_str(&format!("warning: {} ({}){of}\n", warning.code.describe().trim_end_matches('.'), warning.count));
    }
    text.push_str(&strategy(job.strategy.as_ref(), look));
    text.push_str(&stragglers(job).to_text(look, top));
    text.push_str(&rows(job).to_text(look, top));
    text.push_str(&stages(job).to_text(look, top));
    text.push_str(&collectives(job).to_text(look, top));
    text.push_str(&links(job).to_text(look, top));
    text
}

/// How many ranks there are, how the model is spread, whose clocks.
fn facts(job: &Job) -> Vec<String> {
    let here = job.ranks.iter().filter(|row| !row.repeated).count();
    let mut facts = vec![format!("{here} of {} ranks", job.world_size)];
    facts.extend(job.parallel.iter().map(|(kind, size)| format!("{} parallel {size}", kind.name())));
    let of = |source: ClockSource| job.clocks.ranks.iter().filter(|clock| clock.source == source).count();
    let residual = job.clocks.ranks.iter().filter_map(|clock| clock.residual).fold(Nanos::ZERO, Nanos::max);
    let clocks = [(ClockSource::Shared, "shared clock"), (ClockSource::Solved, "clocks solved from collectives")];
    for (source, words) in clocks {
        if of(source) > 0 {
            facts.push(format!("{words}, ends within {}", duration(residual)));
        }
    }
    if let Some(gain) = job.gain {
        facts.push(format!("a step could be {} shorter without the stragglers", duration(gain)));
    }
    facts
}

/// How a `parallel_strategy` file says that the model is spread; nothing if there is none.
pub(crate) fn strategy(told: Option<&ParallelStrategy>, look: Look) -> String {
    let Some(told) = told else { return String::new() };
    let mut facts = vec![format!("parallel strategy {}", printable(&told.mode))];
    let stages = (0..).zip(&told.stages).map(|(stage, list): (u32, _)| format!("stage {stage}: ranks {}", ranks(list)));
    facts.extend(stages);
    // Of what is cut in many ways, those that most operators go.
    let cuts =
        told.cuts.iter().take(NAMED).map(|(parts, count)| format!("{count} operators cut as {}", printable(parts)));
    facts.extend(cuts);
    look.line(&facts)
}

/// Ranks by their numbers, the first of many.
pub(super) fn ranks(list: &[u64]) -> String {
    let named: Vec<String> = list.iter().take(NAMED).map(u64::to_string).collect();
    let more = if list.len() > NAMED { format!(", … ({})", list.len()) } else { String::new() };
    named.join(", ") + &more
}

fn or_dash(time: Option<Nanos>) -> String {
    time.map_or_else(|| "–".to_owned(), duration)
}

/// What holds the others up, in words.
pub(super) fn place(job: &Job, place: StragglerPlace) -> String {
    match place {
        StragglerPlace::Rank(rank) => format!("rank {rank}"),
        StragglerPlace::Link([from, to]) => format!("link {from} → {to}"),
        StragglerPlace::Group(_) => format!("links of ranks {}", ranks(&place.ranks(job))),
        StragglerPlace::Stage(stage) => format!("stage {stage}"),
    }
}

fn stragglers(job: &Job) -> Grid {
    let row = |one: &Straggler| {
        let place = place(job, one.place);
        #[expect(clippy::cast_possible_truncation, reason = "it was whole nanoseconds")]
        let value = |value: f64| match one.place {
            StragglerPlace::Rank(_) | StragglerPlace::Stage(_) => duration(Nanos(value as i64)),
            _ => gigabytes_per_second(Some(value / 1e9)),
        };
        let votes = if one.voted > 0 { format!("{} of {}", one.votes, one.voted) } else { "–".to_owned() };
        vec![
            place,
            one.cause.name().to_owned(),
            value(one.value),
            value(one.usual),
            votes,
            one.rule.name().replace('_', " "),
            or_dash(one.gain),
        ]
    };
    let heads = ["", "cause", "per step,\nor rate", "of others", "last in\ncollectives", "rule", "gain\nper step"];
    Grid::new("Stragglers", heads, job.stragglers.iter().map(row))
}

fn rows(job: &Job) -> Grid {
    let heads = [
        "rank",
        "step",
        "own",
        "compute",
        "communi-\ncation",
        "exposed",
        "memcpy",
        "idle",
        "interval",
        "fp+bp",
        "tail",
        "receive\nalone",
        "last in",
        "clock",
        "marked",
    ];
    let mark = |mark: &Mark| {
        let sign = if mark.by < 0.0 { '−' } else { '+' };
        format!("{} {sign}{}", mark.column.replace('_', " "), percent(mark.by.abs()))
    };
    let row = |(row, clock): (&RankRow, &RankClock)| {
        let of_trace = |index: usize| or_dash(row.step_trace.map(|times| times[index]));
        let stage = row.stage.map_or_else(String::new, |stage| format!("  stage {stage}"));
        vec![
            format!("{}{stage}", row.rank),
            duration(row.step),
            duration(row.own),
            duration(row.compute),
            duration(row.communication),
            duration(row.communication_alone),
            duration(row.memcpy),
            duration(row.idle),
            of_trace(0),
            of_trace(1),
            of_trace(2),
            or_dash(row.receive_alone),
            if row.voted > 0 { format!("{} of {}", row.votes, row.voted) } else { "–".to_owned() },
            clock.source.name().to_owned(),
            row.marks.iter().map(mark).collect::<Vec<_>>().join(", "),
        ]
    };
    Grid::new("Ranks of the job, by their average step", heads, job.ranks.iter().zip(&job.clocks.ranks).map(row))
}

fn stages(job: &Job) -> Grid {
    let row = |stage: &stepscope::analyze::StageRow| {
        let sign = if stage.above_mean < 0.0 { '−' } else { '+' };
        vec![
            stage.stage.to_string(),
            ranks(&stage.ranks),
            duration(stage.time),
            duration(stage.compute),
            duration(stage.receive_alone),
            duration(stage.collective_alone),
            format!("{sign}{}", percent(stage.above_mean.abs())),
        ]
    };
    let heads =
        ["stage", "ranks", "stage time", "compute", "receive\nalone", "other\ncommunication", "compute to\nthe mean"];
    Grid::new("Stages", heads, job.stages.iter().map(row))
}

fn collectives(job: &Job) -> Grid {
    let row = |row: &stepscope::analyze::CollectiveRow| {
        let group = row.group.and_then(|group| job.groups.get(group));
        let group = group
            .map_or_else(|| "all".to_owned(), |group| printable(&format!("{}  {}", group.name, ranks(&group.ranks))));
        vec![
            row.kind.name().replace('_', " "),
            group,
            count(row.count),
            row.bytes.map_or_else(|| "–".to_owned(), bytes),
            duration(row.total),
            duration(row.transfer),
            duration(row.wait),
            or_dash(row.mean_skew),
            or_dash(row.max_skew),
            gigabytes_per_second(row.algorithm_bandwidth.map(|rate| rate / 1e9)),
            gigabytes_per_second(row.bus_bandwidth.map(|rate| rate / 1e9)),
        ]
    };
    let heads = [
        "operation",
        "group",
        "count",
        "bytes",
        "all ranks'\ntime",
        "transfer",
        "wait",
        "mean\nskew",
        "max\nskew",
        "algorithm\nGB/s",
        "bus\nGB/s",
    ];
    Grid::new("Collectives", heads, job.collectives.iter().map(row))
}

fn links(job: &Job) -> Grid {
    let row = |link: &stepscope::analyze::JobLink| {
        vec![
            format!("{} → {}", link.from, link.to),
            count(link.count),
            link.bytes.map_or_else(|| "–".to_owned(), bytes),
            duration(link.transfer),
            duration(link.wait),
            gigabytes_per_second(link.bandwidth.map(|rate| rate / 1e9)),
        ]
    };
    let heads = ["link", "messages", "bytes", "transfer", "wait", "rate"];
    Grid::new("Links between ranks", heads, job.links.iter().map(row))
}
