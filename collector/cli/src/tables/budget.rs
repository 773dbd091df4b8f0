//! The step budget: the largest cause, and where each nanosecond of the device's time goes.

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
    let Some(found) = rank.step_budget() else { return (String::new(), None) };
    let mut text = wrapped(&first_sentences(found, Language::English).join(" "), look.width);
    let longest = found.causes.first().and_then(|cause| cause.longest.first());
    if let Some((_, longest)) = longest
        && let Some(slice) = longest.host.or(longest.activity)
    {
        let when = format!("    Longest: {} at {}  ", duration(longest.span.len()), moment(longest.span.start));
        let name = printable(rank.trace.name_of(slice));
        text.push_str(&format!("{when}{}\n", shortened(&name, look.width.saturating_sub(when.len()).max(NAME))));
    }
    let windows = match found.windows {
        _ if !found.are_steps => "the whole trace".to_owned(),
        1 => "one step".to_owned(),
        windows => format!("mean of {} steps", count(windows)),
    };
    let devices = if found.devices > 1 { format!(", mean of {} devices", found.devices) } else { String::new() };
    let row = |BudgetRow { name, depth, portion }: &BudgetRow| {
        vec![format!("{}{name}", "  ".repeat(*depth)), percent(portion.share), duration(portion.time)]
    };
    let rows = budget_rows(found, most, Language::English);
    let title = format!("Budget, {windows}{devices}");
    text.push_str(&Grid::new(&title, ["", "share", "time"], rows.iter().map(row)).to_text(look, 0));
    if found.between > Nanos::ZERO && !rows.is_empty() {
        text.push_str(&format!("{} between two steps, on average, are no part of this\n", duration(found.between)));
    }
    (text, found.causes.first().map(|cause| (cause.wording, cause.share)))
}
