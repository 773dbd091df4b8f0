//! `stepscope find`: the events that are what a query asks for.

use stepscope::Rank;
use stepscope::analyze::{AnalysisConfig, HitsByTime, Query, StepOf, find};
use stepscope::export::report_json::Found;
use stepscope::present::query::query_error;
use stepscope::present::text::{count, duration};

use crate::args::{FindOptions, InputOptions};
use crate::grid::{Grid, Look, printable};
use crate::{Result, open, print};

/// A query as the person wrote it, and what it asks for.
#[derive(Clone, Debug)]
pub(crate) struct Wanted {
    text: String,
    query: Query,
}

/// Reads a query from the command line.
pub(crate) fn wanted(text: &str) -> Result<Wanted> {
    let query = Query::parse(text).map_err(|error| query_error(text, &error))?;
    if query.is_empty() {
        return Err("it asks for nothing".to_owned());
    }
    Ok(Wanted { text: text.to_owned(), query })
}

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
    let Wanted { text, query } = &options.query;
    let limit = if options.limit == 0 { usize::MAX } else { options.limit };
    if options.json {
        let mut json = Found::of(&ranks, text, query, limit).to_json_pretty();
        json.push(b'\n');
        return print(&json);
    }
    let look = Look::of_output();
    let tables: Vec<String> =
        ranks.iter().map(|rank| table(rank, query, ranks.len() > 1, look, options.limit)).collect();
    print(tables.join("\n").trim_start_matches('\n').as_bytes())
}

/// What is found in a rank, by start; where there are several ranks, each is named.
fn table(rank: &Rank, query: &Query, is_named: bool, look: Look, limit: usize) -> String {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let hits = find(trace, steps, query);
    let events = if hits.len() == 1 { "event" } else { "events" };
    let mut title = format!("{} {events}", count(hits.len() as u64));
    if is_named {
        title = format!("{}: {title}", printable(&rank.file));
    }
    if hits.is_empty() {
        return format!("{}\n", look.title(&title));
    }
    let step_of = StepOf::new(trace, steps);
    // What is not printed is only counted: the table needs to know of one row more that it has left something out.
    let most = if limit == 0 { usize::MAX } else { limit };
    let rows = HitsByTime::new(trace, &hits).take(most).map(|id| {
        let track = &trace.tracks[trace.slices.track(id).index()];
        let step = step_of.index(id).map_or_else(|| "-".to_owned(), |step| printable(&steps.steps[step].name));
        let [start, length] = [trace.slices.start(id), trace.slices.length(id)].map(duration);
        vec![trace.name_of(id).to_owned(), start, length, printable(&trace.place_label(track)), step]
    });
    let mut text = Grid::new(&title, ["name", "start", "duration", "place", "step"], rows).to_text(look, 0);
    if hits.len() > most {
        text.push_str(&format!("… and {} more (--limit 0 for all)\n", count((hits.len() - most) as u64)));
    }
    text
}
