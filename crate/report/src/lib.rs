//! One HTML file with the contents of a summary: the verdict, advice, charts and all tables, for readers without an analyzer.
//!
//! It is made from the summary's JSON. So it has the same numbers as page, program and notebook, and the same bytes
//! on every platform. It needs no script. A report that carries the analyzer and the traces has their scripts, and a
//! policy that only allows these to run. Its texts are messages, most of them the page's.
//!
//! ```text
//! summary as JSON, messages ─► verdict, charts, tables ─► Report::before │ files, scripts │ Report::after
//! ```

mod advice;
mod budget;
mod carried;
mod cells;
mod charts;
mod clipped;
mod contents;
mod drill_down;
mod facts;
mod html;
mod markdown;
mod notes;
mod path;
mod quality;
mod rank_name;
mod tables;
mod texts;
mod verdict;

use serde_json::Value;

pub use self::carried::{Carried, PIECE, carried};
use self::html::Html;
pub use self::notes::Note;
pub use self::texts::Texts;
use crate::path::list;
use crate::rank_name::name_of;
use stepscope_present::text::count;
pub use stepscope_table::messages::Language;

/// The text before the hash of the analyzer's scripts.
const HASH: &str = "data-hash=\"";

/// Directives that `default-src` does not cover.
const NOWHERE: &str = "base-uri 'none'; form-action 'none'";

/// The number of rows of all tables; each table shows as many as leave room for the others.
const ROWS: usize = 8000;

/// The minimum and maximum number of rows of one table.
const ROWS_OF_ONE: (usize, usize) = (10, 200);

/// The most ranks with charts and tables of their own, as long as there is room.
const RANKS: usize = 128;

/// The number of ranks in the list of contents.
const LISTED: usize = 16;

/// The size in bytes from which no further rank's charts and tables are added: a report should fit into a mail.
const ENOUGH: usize = 1_100_000;

/// A report, without the files that it may carry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The text up to the place of files and scripts.
    pub before: String,
    /// The rest.
    pub after: &'static str,
}

/// Returns the report on a summary, given as the text that `stepscope summary --json` prints, with the user's notes.
/// If it carries the analyzer, `scripts` are those from the page's build, or just their first tag, which has their
/// hash.
///
/// # Errors
///
/// If the text is not a summary, or the scripts have no hash.
pub fn report(summary: &[u8], scripts: Option<&str>, notes: &[Note], texts: &Texts) -> Result<Report, String> {
    let summary = read(summary)?;
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
    let body = Body::of(&summary, notes, texts);
    let title = title(&summary, texts);
    let mut html = Html::default();
    head(&mut html, &policy, &title, texts);
    html.open("header", "");
    html.element("h1", "", &title);
    if scripts.is_some() {
        let [open, back] = ["report.open", "report.back"].map(|key| escaped(&texts.word(key)));
        html.raw(&format!("<div id=\"stepscope-explore\" data-open=\"{open}\" data-back=\"{back}\"><noscript>"));
        html.text(&texts.word("report.noscript"));
        html.raw("</noscript></div>");
    }
    html.close("header");
    html.open("main", "");
    html.append(&body.first);
    nav(&mut html, &body.contents, texts);
    html.append(&body.rest);
    html.close("main");
    Ok(Report { before: html.finish(), after: "</body>\n</html>\n" })
}

/// Returns the summary of a report as Markdown, to paste into an issue. It has the verdict, the step budget, causes
/// and advice with their gains, the user's notes, warnings, and facts about the traces.
///
/// # Errors
///
/// If the text is not a summary.
pub fn markdown(summary: &[u8], notes: &[Note], texts: &Texts) -> Result<String, String> {
    Ok(markdown::markdown(&read(summary)?, notes, texts))
}

/// Reads a summary, and adapts it to a report.
fn read(summary: &[u8]) -> Result<Value, String> {
    let mut summary: Value = serde_json::from_slice(summary).map_err(|error| format!("the summary: {error}"))?;
    for rank in summary.get_mut("ranks").and_then(Value::as_array_mut).into_iter().flatten() {
        rank.get_mut("average").into_iter().for_each(known_categories);
        rank.get_mut("steps").and_then(Value::as_array_mut).into_iter().flatten().for_each(known_categories);
    }
    Ok(summary)
}

/// The parts of a report, with the list of its contents between them.
struct Body {
    /// The verdict and the facts.
    first: Html,
    rest: Html,
    /// The anchors of sections and their titles.
    contents: Vec<(String, String)>,
}

impl Body {
    fn of(summary: &Value, notes: &[Note], texts: &Texts) -> Self {
        let mut body = Self { first: Html::default(), rest: Html::default(), contents: Vec::new() };
        let ranks = list(&summary["ranks"]);
        budget::first_section(&mut body.first, summary, texts);
        facts_section(&mut body.first, summary, texts);
        let html = &mut body.rest;
        match ranks {
            [one] => charts::of_budget(html, &one["budget"], texts),
            _ => charts::of_job(html, &summary["job"], texts),
        }
        verdict::average(html, summary, texts);
        body.part("notes", &texts.word("notes"), |html| notes::section(html, ranks, notes, texts));
        body.part("quality", &texts.word("quality"), |html| quality::quality(html, summary, texts));
        body.part("advice", &texts.word("report.advice"), |html| advice::advice(html, summary, texts));
        let drill_down = texts.word("report.drill_down");
        body.part("job", &drill_down, |html| drill_down::drill_down(html, &summary["job"], texts));
        body.rest.element("p", "print-only hint", &texts.word("report.print.closed"));
        body.part("markdown", &texts.word("report.markdown"), |html| markdown_section(html, summary, notes, texts));
        let all: usize = ranks.iter().take(RANKS).map(tables::count_of_rank).sum();
        let top = (ROWS / all.max(1)).clamp(ROWS_OF_ONE.0, ROWS_OF_ONE.1);
        body.section(&contents::OF_JOB, ("of-job", "h2"), summary, top, texts);
        match ranks {
            [one] => body.rank(one, ("", "h2"), top, texts),
            several => body.ranks(several, top, texts),
        }
        body.section(&contents::OF_INPUTS, ("files", "h2"), summary, top, texts);
        body
    }

    /// Writes a part, and adds it to the list of contents, if it is not empty.
    fn part(&mut self, id: &str, title: &str, write: impl FnOnce(&mut Html)) {
        let before = self.rest.len();
        write(&mut self.rest);
        if self.rest.len() > before {
            self.contents.push((id.to_owned(), title.to_owned()));
        }
    }

    /// Writes a section of tables, if it has any.
    fn section(
        &mut self,
        section: &contents::Section,
        (id, heading): (&str, &str),
        root: &Value,
        top: usize,
        texts: &Texts,
    ) {
        if !tables::has_rows(section, root) {
            return;
        }
        // Parts within a rank are not in the list of contents.
        if heading == "h2" {
            self.contents.push((id.to_owned(), texts.word(section.name)));
        }
        tables::section(&mut self.rest, (section, id, heading), root, top, texts);
    }

    /// Charts and tables of a rank.
    fn rank(&mut self, rank: &Value, (prefix, heading): (&str, &str), top: usize, texts: &Texts) {
        let mut charts = Html::default();
        charts::of_rank(&mut charts, rank, texts);
        if charts.len() > 0 {
            let id = format!("{prefix}charts");
            if heading == "h2" {
                self.contents.push((id.clone(), texts.word("report.charts")));
            }
            self.rest.open_at("section", "charts", &id);
            self.rest.element(heading, "", &texts.word("report.charts"));
            self.rest.append(&charts);
            self.rest.close("section");
        }
        for section in &contents::OF_RANK {
            let name = section.name.rsplit('.').next().unwrap_or_default();
            self.section(section, (&format!("{prefix}{name}"), heading), rank, top, texts);
        }
    }

    /// Writes several ranks, from which a reader chooses.
    fn ranks(&mut self, ranks: &[Value], top: usize, texts: &Texts) {
        let mut shown = 0;
        for (index, rank) in ranks.iter().enumerate().take(RANKS) {
            if self.rest.len() > ENOUGH {
                break;
            }
            shown += 1;
            let name = name_of(rank, index, texts);
            let id = format!("rank-{index}");
            if index < LISTED {
                self.contents.push((id.clone(), name.clone()));
            }
            self.rest.raw("<details class=\"rank\">");
            self.rest.element("summary", "", &name);
            self.rest.raw(&format!("<div id=\"{id}\">"));
            self.rank(rank, (&format!("{id}-"), "h3"), top, texts);
            self.rest.close("div");
            self.rest.close("details");
        }
        if shown < ranks.len() {
            let left = count((ranks.len() - shown) as u64);
            self.rest.element("p", "hint", &texts.say("report.ranks.more", &[("count", &left)]));
        }
    }
}

fn facts_section(html: &mut Html, summary: &Value, texts: &Texts) {
    html.open("dl", "card facts");
    for (name, value) in facts::facts(summary, texts).into_iter().chain([facts::tool(texts)]) {
        html.raw("<div>");
        html.element("dt", "", &name);
        html.element("dd", "", &value);
        html.raw("</div>");
    }
    html.close("dl");
}

/// Links to the sections.
fn nav(html: &mut Html, contents: &[(String, String)], texts: &Texts) {
    html.raw("<nav aria-labelledby=\"contents\"><h2 id=\"contents\">");
    html.text(&texts.word("report.contents"));
    html.raw("</h2><ul>");
    for (id, title) in contents {
        html.raw(&format!("<li><a href=\"#{id}\">"));
        html.text(title);
        html.raw("</a></li>");
    }
    html.raw("</ul>");
    html.close("nav");
}

/// The summary as Markdown, to be copied as a whole: a click selects it without a script.
fn markdown_section(html: &mut Html, summary: &Value, notes: &[Note], texts: &Texts) {
    html.open("details", "card markdown");
    html.element("summary", "", &texts.word("report.markdown"));
    html.raw("<div id=\"markdown\">");
    html.element("p", "hint", &texts.word("report.markdown.why"));
    html.raw("<pre tabindex=\"0\">");
    html.text(&markdown::markdown(summary, notes, texts));
    html.raw("</pre></div>");
    html.close("details");
}

/// The hash by which the policy allows the scripts.
fn hash_of(scripts: &str) -> Option<&str> {
    let (hash, _) = scripts.split_once(HASH)?.1.split_once('"')?;
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "+/=-".contains(character);
    hash.chars().all(is_plain).then_some(hash)
}

fn head(html: &mut Html, policy: &str, title: &str, texts: &Texts) {
    html.raw(&format!("<!doctype html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n", texts.code()));
    html.raw(&format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"));
    html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.raw("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.element("title", "", &format!("{title} – Stepscope"));
    html.raw(&format!("<meta name=\"generator\" content=\"stepscope {}\">\n", facts::VERSION));
    let dark = charts::dark_rules();
    html.raw(&format!(
        "<style>\n{}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n</style>\n</head>\n<body>\n",
        include_str!("report.css")
    ));
}

/// Removes the host's categories during unknown device states from a step's categories: they are shown as a part of
/// their own.
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

/// The title of the report.
fn title(summary: &Value, texts: &Texts) -> String {
    match list(&summary["ranks"]) {
        [] => "Stepscope".to_owned(),
        [one] => cells::text(&one["input"]),
        several => {
            // Traces of several runs are not ranks of one job.
            let key = if summary["job"].is_null() { "report.traces" } else { "report.ranks" };
            texts.say(key, &[("count", &count(several.len() as u64))])
        }
    }
}

/// The paths of a summary's lists for which a report has tables: `[]` enters each item of a list.
pub fn tables() -> impl Iterator<Item = String> {
    let of_ranks = contents::OF_RANK.iter().flat_map(contents::Section::tables);
    let of_ranks = of_ranks.map(|(_, path, _)| format!("ranks[].{path}"));
    let others = [&contents::OF_JOB, &contents::OF_INPUTS].into_iter().flat_map(contents::Section::tables);
    of_ranks.chain(others.map(|(_, path, _)| path.to_owned()))
}

/// Text escaped for HTML, also between quotation marks.
#[must_use]
pub fn escaped(text: &str) -> String {
    let mut html = Html::default();
    html.text(text);
    html.finish()
}
