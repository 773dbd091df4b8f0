//! Summary after recording a command: totals by name, like nvprof's. It goes to standard error: standard output is the
//! command's.

use std::collections::BTreeMap;

use stepscope::analyze::{KernelGrouping, Statistics, StepChoice, nvprof_summary};
use stepscope::present::text::{count, duration, percent_or_dash};
use stepscope::trace::Class;
use stepscope::{Nanos, Rank};
use stepscope_style::nvprof::{self, NvprofStyle};

use crate::args::Table;
use crate::grid::{Grid, Look, printable};
use crate::tables;

/// Rows of a table.
const TOP: usize = 15;

/// For each rank: its warnings, GPU activities and calls, ranges, and steps.
pub(super) fn text(ranks: &[Rank]) -> String {
    let look = Look::of_errors();
    let mut text = String::new();
    let mut has_own = ranks.len() > 1;
    for rank in ranks {
        text.push_str(&if ranks.len() > 1 { tables::heading(rank, look) } else { tables::warnings(rank) });
        let told = text.len();
        let gpu = nvprof::summary(&rank.trace, &nvprof_summary(&rank.trace), NvprofStyle::default());
        // Names come from the trace: control characters for the terminal are removed.
        text.push_str(&gpu.split('\n').map(printable).collect::<Vec<_>>().join("\n"));
        text.push_str(&ranges(rank).to_text(look, TOP));
        text.push_str(&tables::marked_steps(rank, look, TOP));
        has_own |= text.len() > told;
    }
    if !has_own {
        // There are no events of the command's own: prints its samples.
        for rank in ranks {
            text.push_str(&tables::table(rank, Table::Resources, (KernelGrouping::Name, StepChoice::Whole), look, TOP));
        }
    }
    text.trim_start_matches('\n').to_owned()
}

/// Spans of the host by name, the longest total first; the share is of the recording's length.
fn ranges(rank: &Rank) -> Grid {
    let trace = &rank.trace;
    let mut lengths: BTreeMap<&str, Vec<Nanos>> = BTreeMap::new();
    for class in [Class::Annotation, Class::Operator, Class::Async] {
        for event in trace.slices_of(class) {
            lengths.entry(trace.name_of(event)).or_default().push(trace.slices.length(event));
        }
    }
    let mut rows: Vec<(&str, Statistics)> =
        lengths.into_iter().map(|(name, mut lengths)| (name, Statistics::of(&mut lengths))).collect();
    rows.sort_by_key(|(_, time)| std::cmp::Reverse(time.total));
    let whole = trace.span().len();
    let heads = ["range", "time", "total", "calls", "avg", "min", "max"];
    let rows = rows.into_iter().map(|(name, time)| {
        vec![
            name.to_owned(),
            percent_or_dash(time.total.ratio_of(whole)),
            duration(time.total),
            count(time.calls),
            duration(time.mean),
            duration(time.min),
            duration(time.max),
        ]
    });
    Grid::new("Ranges", heads, rows.collect::<Vec<_>>())
}
