//! One HTML file that says what a summary says: the verdict, advice, charts and all tables, for who has no analyzer at hand.
//!
//! It is made of the summary's JSON, so that it holds the same numbers as page, program and notebook, and is the same bytes
//! wherever it is made. It needs no script; one that carries the analyzer and the traces has theirs, and a policy that lets
//! nothing but these run.
//!
//! ```text
//! summary as JSON ─► verdict, charts, tables ─► Report::before │ files, scripts │ Report::after
//! ```

mod budget;
mod carried;
mod cells;
mod charts;
mod contents;
mod drill_down;
mod html;
mod tables;
mod verdict;

use serde_json::Value;

pub use self::carried::{Carried, PIECE, carried};
use self::html::Html;

/// What stands before the hash of the analyzer's scripts.
const HASH: &str = "data-hash=\"";

/// What no other directive forbids.
const NOWHERE: &str = "base-uri 'none'; form-action 'none'";

/// Rows of all tables together; each table shows as many as leave room for the others.
const ROWS: usize = 8000;

/// The fewest and the most rows of one table.
const ROWS_OF_ONE: (usize, usize) = (10, 200);

/// Ranks whose own charts and tables are shown, as long as there is room.
const RANKS: usize = 128;

/// Bytes after which no further rank's own charts and tables come: a report is to be sent by mail.
const ENOUGH: usize = 1_100_000;

/// A report, but for what it may carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The text up to where files and scripts stand.
    pub before: String,
    /// The rest.
    pub after: &'static str,
}

/// The report on a summary, given as the text that `stepscope summary --json` prints. If it is to carry the analyzer, its
/// scripts are given: as the page's build makes them, or the first tag of that, which says their hash.
///
/// # Errors
///
/// If the text is not a summary, or the scripts do not say their hash.
pub fn report(summary: &[u8], scripts: Option<&str>) -> Result<Report, String> {
    let mut summary: Value = serde_json::from_slice(summary).map_err(|error| format!("the summary: {error}"))?;
    for rank in summary.get_mut("ranks").and_then(Value::as_array_mut).into_iter().flatten() {
        rank.get_mut("average").into_iter().for_each(known_categories);
        rank.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten().for_each(known_categories);
    }
    let policy = match scripts {
        None => format!("default-src 'none'; style-src 'unsafe-inline'; img-src data:; {NOWHERE}"),
        Some(scripts) => {
            let hash = hash_of(scripts).ok_or("the scripts have no hash")?;
            format!(
                "default-src 'none'; script-src '{hash}' 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; \
                 img-src data: blob:; connect-src 'none'; {NOWHERE}"
            )
        }
    };
    let ranks = tables::list(&summary["ranks"]);
    let mut html = Html::default();
    head(&mut html, &policy, &title(ranks));
    html.open("header", "");
    html.element("h1", "", &title(ranks));
    if scripts.is_some() {
        html.raw(
            "<div id=\"stepscope-explore\" data-open=\"Open in the analyzer\" data-back=\"Back to the report\">\
             <noscript>Scripts are off: the trace that this file carries cannot be explored.</noscript></div>",
        );
    }
    html.close("header");
    html.open("main", "");
    budget::budget(&mut html, tables::list(&summary["ranks"]));
    verdict::verdict(&mut html, &summary);
    verdict::advice(&mut html, &summary);
    drill_down::not_a_job(&mut html, &summary["not_a_job"]);
    drill_down::drill_down(&mut html, &summary["job"]);
    charts::of_job(&mut html, &summary["job"]);
    let all: usize = ranks.iter().take(RANKS).map(tables::count_of_rank).sum();
    let top = (ROWS / all.max(1)).clamp(ROWS_OF_ONE.0, ROWS_OF_ONE.1);
    tables::of_job(&mut html, &summary, top);
    let mut shown = 0;
    for (index, rank) in ranks.iter().enumerate().take(RANKS) {
        if html.len() > ENOUGH {
            break;
        }
        shown += 1;
        // One is what a person came for; of several they choose.
        html.raw(if ranks.len() == 1 { "<details class=\"rank\" open>" } else { "<details class=\"rank\">" });
        html.element("summary", "", &name_of(rank, index));
        charts::of_rank(&mut html, rank);
        tables::of_rank(&mut html, rank, top);
        html.close("details");
    }
    if shown < ranks.len() {
        let words = "more ranks, whose own tables would make this file too large: a report on some of them has these.";
        html.element("p", "hint", &format!("… and {} {words}", ranks.len() - shown));
    }
    tables::inputs(&mut html, &summary, top);
    html.close("main");
    Ok(Report { before: html.finish(), after: "</body>\n</html>\n" })
}

/// The hash by which the policy knows the scripts.
fn hash_of(scripts: &str) -> Option<&str> {
    let (hash, _) = scripts.split_once(HASH)?.1.split_once('"')?;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "+/=-".contains(character);
    hash.chars().all(is_plain).then_some(hash)
}

fn head(html: &mut Html, policy: &str, title: &str) {
    html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.raw(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.element("title", "", &format!("{title} – Stepscope"));
    html.raw(&format!("<meta name=\"generator\" content=\"stepscope {}\">\n", env!("CARGO_PKG_VERSION")));
    html.raw(&format!("<style>\n{}</style>\n</head>\n<body>\n", include_str!("report.css")));
}

/// Leaves the host's own categories while a device's state is unknown out of a step's categories: they are a part of their own.
fn known_categories(step: &mut Value) {
    let Some(early) = step["categories_before_first_activity"].as_object().cloned() else { return };
    for (category, early) in early {
        if let Some(time) = step.get_mut("categories").and_then(|categories| categories.get_mut(&category))
            && let (Some(whole), Some(early)) = (time.as_i64(), early.as_i64())
        {
            *time = Value::from(whole - early);
        }
    }
}

/// What the report is about.
fn title(ranks: &[Value]) -> String {
    match ranks {
        [] => "Stepscope".to_owned(),
        [one] => cells::text(&one["input"]),
        several => format!("{} ranks", several.len()),
    }
}

/// A rank's number, and the file that it was read from.
fn name_of(rank: &Value, index: usize) -> String {
    let number =
        rank["rank"].as_u64().map_or_else(|| format!("Trace {}", index + 1), |number| format!("Rank {number}"));
    format!("{number} · {}", cells::text(&rank["input"]))
}

/// The paths of the lists of a summary of which a report has tables: `[]` goes into each item of a list.
pub fn tables() -> impl Iterator<Item = String> {
    let of_ranks = contents::OF_RANK.iter().map(|(_, path, _)| format!("ranks[].{path}"));
    let others = contents::OF_JOB.iter().chain(&contents::OF_INPUTS);
    of_ranks.chain(others.map(|(_, path, _)| (*path).to_owned()))
}

/// Text as it may stand in HTML, also between quotation marks.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut html = Html::default();
    html.text(text);
    html.finish()
}
