//! The step budget: the largest cause, and where each nanosecond of the device's time goes.

use stepscope::analyze::{budget, causes};
use stepscope::present::budget::{BudgetRow, budget_rows, first_sentences};
use stepscope::present::text::{count, duration, moment, percent};
use stepscope::table::messages::Language;
use stepscope::{Nanos, Rank};

use super::advice::wrapped;
use crate::grid::{Grid, Look, printable, shortened};

/// Rows of the tree.
const ROWS: usize = 15;

/// Columns that a name has at the least.
const NAME: usize = 20;

/// The first lines and the tree, of so many rows at most.
pub(super) fn budget_table(rank: &Rank, look: Look) -> String {
    of_budget(rank, look, ROWS).0
}

/// The same, with what several ranks may have in common: the message of the first cause, and its share.
pub(crate) fn of_budget(rank: &Rank, look: Look, most: usize) -> (String, Option<(&'static str, f64)>) {
    let found = budget(&rank.trace, &rank.analysis);
    let (causes, first) = causes(&found);
    let sentences = first_sentences(&found, &causes, first, Language::English);
    let mut text = wrapped(&sentences.join(" "), look.width);
    let longest = causes.first().and_then(|cause| cause.longest.first());
    if let Some((_, longest)) = longest
        && let Some(slice) = longest.host.or(longest.activity)
    {
        let when = format!("    Longest: {} at {}  ", duration(longest.span.len()), moment(longest.span.start));
        let name = printable(rank.trace.name_of(slice));
        text.push_str(&format!("{when}{}\n", shortened(&name, look.width.saturating_sub(when.len()).max(NAME))));
    }
    let counted = found.counted.len() as u64;
    let windows = if found.are_steps {
        match counted {
            1 => "one step".to_owned(),
            _ => format!("mean of {} steps", count(counted)),
        }
    } else {
        "the whole trace".to_owned()
    };
    let devices =
        if found.devices.len() > 1 { format!(", mean of {} devices", found.devices.len()) } else { String::new() };
    let row = |row: &BudgetRow| {
        vec![format!("{}{}", "  ".repeat(row.depth), row.name), percent(row.share), duration(row.time)]
    };
    let rows = budget_rows(&found, most, Language::English);
    let title = format!("Budget, {windows}{devices}");
    text.push_str(&Grid::new(&title, ["", "share", "time"], rows.iter().map(row)).to_text(look, 0));
    if found.between > Nanos::ZERO && !rows.is_empty() {
        text.push_str(&format!("{} between two steps, on average, are no part of this\n", duration(found.between)));
    }
    (text, causes.first().map(|cause| (cause.wording, cause.share)))
}
