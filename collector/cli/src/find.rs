//! `stepscope find`: the events that match a query.

use std::ops::Range;

use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, HitEvent, Hits, HitsByTime, StepOf, find, find_instants, unmatched};
use stepscope::export::report_json::FindReport;
use stepscope::present::kernel_names::short_name;
use stepscope::present::text::{count, duration};

use crate::args::{FindOptions, InputOptions};
use crate::grid::{Grid, Look, printable};
use crate::open;
use crate::output::print;
use crate::query_option::AskedQuery;
use crate::result::Result;

/// Prints what is found in a file.
pub(crate) fn run(options: &FindOptions) -> Result {
    let input = InputOptions {
        files: vec![options.file.clone()],
        rank: Vec::new(),
        verbose: options.verbose,
        steps: options.steps.clone(),
    };
    let mut ranks = open::ranks(&input, &AnalysisConfig::standard())?;
    if let Some(number) = options.rank {
        ranks.retain(|rank| rank.rank == Some(number));
        if ranks.is_empty() {
            return Err(format!("{}: it has no rank {number}", options.file.display()));
        }
    }
    let limit = if options.limit == 0 { usize::MAX } else { options.limit };
    if options.json {
        let mut json = FindReport::of(&ranks, &options.query.text, &options.query.query, limit).to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    let look = Look::of_output();
    let tables: Vec<String> =
        ranks.iter().map(|rank| table(rank, &options.query, ranks.len() > 1, look, options.limit)).collect();
    print(tables.join("\n").trim_start_matches('\n').as_bytes())
}

/// The events found in a rank, by start; several ranks are named.
fn table(rank: &Rank, AskedQuery { text, query }: &AskedQuery, is_named: bool, look: Look, limit: usize) -> String {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let (slices, instants) = (find(trace, steps, query, short_name), find_instants(trace, steps, query));
    let hits = Hits { slices: &slices, instants: &instants };
    let events = if hits.len() == 1 { "event" } else { "events" };
    let mut title = format!("{} {events}", count(hits.len() as u64));
    if is_named {
        title = format!("{}: {title}", printable(&rank.file));
    }
    if hits.is_empty() {
        return format!("{}\n{}\n", look.title(&title), nothing(text, &unmatched(trace, steps, query, short_name)));
    }
    let step_of = StepOf::new(trace, steps);
    // Rows beyond the limit are only counted: the table needs one row more to show that it is truncated.
    let most = if limit == 0 { usize::MAX } else { limit };
    let rows = HitsByTime::new(trace, hits).take(most).filter_map(|event| {
        let (name, at, length, track, step) = match event {
            HitEvent::Slice(id) => {
                let [start, length] = [trace.slices.start(id), trace.slices.length(id)];
                (trace.name_of(id), start, duration(length), trace.slices.track(id), step_of.index(id))
            }
            HitEvent::Instant(index) => {
                let mark = trace.instants.get(index)?;
                (trace.strings.get(mark.name), mark.at, "instant".to_owned(), mark.track, step_of.at(mark.at))
            }
        };
        let step = step.map_or_else(|| "-".to_owned(), |step| printable(&steps.steps[step].name));
        let place = printable(&trace.place_label(&trace.tracks[track.index()]));
        Some(vec![name.to_owned(), duration(at), length, place, step])
    });
    let mut text = Grid::new(&title, ["name", "start", "duration", "place", "step"], rows).to_text(look, 0);
    if hits.len() > most {
        text.push_str(&format!("… and {} more (--limit 0 for all)\n", count((hits.len() - most) as u64)));
    }
    text
}

/// Explains an empty result: the parts of a query that match nothing on their own.
fn nothing(text: &str, unmatched: &[Range<usize>]) -> String {
    let parts: Vec<String> = unmatched
        .iter()
        .filter_map(|part| text.get(part.clone()))
        .map(|part| format!("`{}`", printable(part)))
        .collect();
    match &parts[..] {
        [] => "each part of the query matches events, but no event matches all of them".to_owned(),
        [part] => format!("no event matches {part}"),
        parts => format!("no event matches any of these: {}", parts.join(", ")),
    }
}
