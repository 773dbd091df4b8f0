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
    let coverage = format!(
        "{} ({}) of a step's path lie on the host while devices run work that no recorded call launched",
        duration(unlinked),
        percent_or_dash(unlinked.ratio_of(paths.mean_length)),
    );
    if !paths.are_known() {
        return look.line(&["The critical path is not known".to_owned(), coverage]);
    }
    let mut classes: Vec<PathClass> = PathClass::ALL.to_vec();
    classes.retain(|class| paths.mean[*class as usize] > Nanos::ZERO);
    classes.sort_by_key(|class| std::cmp::Reverse(paths.mean[*class as usize]));
    let rows = classes.iter().map(|class| vec![said(*class), of_step(paths.mean[*class as usize])]);
    let title = format!("Critical path of a step, on average of {}", count(paths.counted));
    let mut text = Grid::new(&title, ["what it is", "per step"], rows).to_text(look, 0);
    if unlinked > Nanos::ZERO {
        text.push_str(&look.line(&[coverage, "it may wait for that".to_owned()]));
    }
    let inferred = paths.inferred_per_step();
    if inferred > Nanos::ZERO {
        let share = percent_or_dash(inferred.ratio_of(paths.mean_length));
        let part = format!("{} ({share}) of a step's path are inferred", duration(inferred));
        let reason = "the step's thread shows no work then, and other threads do".to_owned();
        text.push_str(&look.line(&[part, reason]));
    }
    let table = Table::of::<PathTable>(&paths.rows, &PathContext { trace, paths });
    let title = format!("Critical paths by name, of {}", counted(paths.counted, "step", "steps"));
    text.push_str(&Grid::of(&title, &table, units(rank)).to_text(look, top));
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
    let heads = ["what if", "step", "it would be", "gain", "of the step"];
    let rows = changes.iter().map(|change| {
        let replay = what_if(trace, steps, &graph, change);
        let [before, after] = replay.mean;
        if replay.changed == 0 {
            return vec![saying(change), duration(before), "–".to_owned(), "–".to_owned(), "–".to_owned()];
        }
        let gain = before - after;
        vec![saying(change), duration(before), duration(after), duration(gain), percent_or_dash(gain.ratio_of(before))]
    });
    let mut text =
        Grid::new("What if, on average of the steps; delays of unknown cause stay", heads, rows).to_text(look, 0);
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
