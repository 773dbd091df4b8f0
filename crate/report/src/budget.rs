//! Where the time goes, said first: the budget's sentences, and its mean window as a bar.

use serde_json::Value;

use super::html::Html;
use super::tables::list;
use super::{cells, charts, name_of};

/// Ranks whose sentence is said.
const RANKS: usize = 16;

/// The sentences of the report's ranks; of a single one with its bar.
pub(super) fn budget(html: &mut Html, ranks: &[Value]) {
    match ranks {
        [one] => of_one(html, &one["budget"]),
        several => of_several(html, several),
    }
}

fn sentences(budget: &Value) -> impl Iterator<Item = String> {
    list(&budget["sentences"]).iter().map(cells::text)
}

fn of_one(html: &mut Html, budget: &Value) {
    let mut said = sentences(budget);
    let Some(first) = said.next() else { return };
    html.open("section", "advice budget");
    html.element("h2", "", &first);
    let rest: Vec<String> = said.collect();
    if !rest.is_empty() {
        html.element("p", "", &rest.join(" "));
    }
    html.close("section");
    charts::of_budget(html, budget);
}

fn of_several(html: &mut Html, ranks: &[Value]) {
    let said = ranks.iter().enumerate().filter_map(|(place, rank)| {
        let sentence = sentences(&rank["budget"]).next()?;
        Some(format!("{}: {sentence}", name_of(rank, place)))
    });
    let said: Vec<String> = said.collect();
    html.short_list("advice budget", "Where each rank's time goes", &said, RANKS, "");
}
