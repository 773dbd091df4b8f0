//! Critical paths, and predictions for changes.

use stepscope::analyze::{Change, ExecutionGraph, PathClass, PathContext, PathTable, what_if};
use stepscope::present::text::{count, counted, duration, percent_or_dash};
use stepscope::table::Table;
use stepscope::table::messages::word;
use stepscope::{Nanos, Rank};

use super::share::with_share;
use super::work::units;
use crate::grid::{Grid, Look, printable};

/// The average step's critical path, its composition, and each step's.
pub(super) fn critical(rank: &Rank, look: Look, top: usize) -> String {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let paths = rank.analysis.paths(trace);
    if paths.counted == 0 {
        return String::new();
    }
    let of_step = |time: Nanos| with_share(time, time.ratio_of(paths.mean_length));
    let unlinked = paths.unlinked_per_step();
    // It is the recorded time where no steps are marked.
    let is_whole = rank.analysis.averages_recorded_time();
    let coverage = format!(
        "{} ({}) of {} path lie on the host or between activities while devices run work that no recorded call launched",
        duration(unlinked),
        percent_or_dash(unlinked.ratio_of(paths.mean_length)),
        if is_whole { "the" } else { "a step's" },
    );
    if !paths.are_known() {
        return look.line(&["The critical path is not known".to_owned(), coverage]);
    }
    let mut classes: Vec<PathClass> = PathClass::ALL.to_vec();
    classes.retain(|class| paths.mean[*class as usize] > Nanos::ZERO);
    classes.sort_by_key(|class| std::cmp::Reverse(paths.mean[*class as usize]));
    let rows = classes.iter().map(|class| vec![said(*class), of_step(paths.mean[*class as usize])]);
    let (title, head) = if is_whole {
        ("Critical path of the recorded time".to_owned(), "time")
    } else {
        (format!("Critical path of a step, on average of {}", count(paths.counted)), "per step")
    };
    let mut text = Grid::new(&title, ["what it is", head], rows).to_text(look, 0);
    if unlinked > Nanos::ZERO {
        text.push_str(&look.line(&[coverage, "it may wait for that".to_owned()]));
    }
    let inferred = paths.inferred_per_step();
    if inferred > Nanos::ZERO {
        let share = percent_or_dash(inferred.ratio_of(paths.mean_length));
        let part = format!(
            "{} ({share}) of {} path are inferred",
            duration(inferred),
            if is_whole { "the" } else { "a step's" }
        );
        let reason = "the step's thread shows no work then, and other threads do".to_owned();
        text.push_str(&look.line(&[part, reason]));
    }
    let table = Table::of::<PathTable>(&paths.rows, &PathContext { trace, paths });
    let of = if is_whole { "the recorded time".to_owned() } else { counted(paths.counted, "step", "steps") };
    let title = format!("Critical paths by name, of {of}");
    text.push_str(&Grid::of(&title, &table, units(rank)).to_text(look, top));
    if is_whole && steps.steps.len() < 2 {
        return text;
    }
    let heads = ["step".to_owned(), "length".to_owned()].into_iter().chain(classes.iter().map(|class| said(*class)));
    let rows = steps.steps.iter().zip(&paths.steps).map(|(step, times)| {
        let times = classes.iter().map(|class| duration(times[*class as usize]));
        [step.name.clone(), duration(step.span.len())].into_iter().chain(times).collect()
    });
    text.push_str(&Grid::new("Critical paths of the steps", heads, rows).to_text(look, top));
    text
}

fn said(class: PathClass) -> String {
    word("path", class.name()).to_owned()
}

/// The average step with each change.
pub(crate) fn changes(rank: &Rank, changes: &[Change], look: Look) -> String {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let graph = ExecutionGraph::of(trace, steps);
    let is_whole = rank.analysis.averages_recorded_time();
    let [time, of] = if is_whole { ["recorded time", "of that time"] } else { ["step", "of the step"] };
    let heads = ["what if", time, "it would be", "gain", of];
    let rows = changes.iter().map(|change| {
        let replay = what_if(trace, steps, &graph, change);
        let [before, after] = replay.mean;
        if replay.changed == 0 {
            return vec![saying(change), duration(before), "–".to_owned(), "–".to_owned(), "–".to_owned()];
        }
        let gain = before - after;
        vec![saying(change), duration(before), duration(after), duration(gain), percent_or_dash(gain.ratio_of(before))]
    });
    let title = if is_whole {
        "The recorded time after a change; delays of unknown cause stay"
    } else {
        "What if, on average of the steps; delays of unknown cause stay"
    };
    let mut text = Grid::new(title, heads, rows).to_text(look, 0);
    if graph.size().0 == 0 {
        text.clear();
    }
    text
}

fn saying(change: &Change) -> String {
    match change {
        Change::Nothing => "nothing is changed".to_owned(),
        Change::Overlap => "communication is fully overlapped".to_owned(),
        Change::Data => "data is ready".to_owned(),
        Change::Launches => "launches are free".to_owned(),
        Change::Kernel { name, factor } => format!("{factor} × as fast: {}", printable(name)),
    }
}
