//! Critical paths and replays of any trace.

use stepscope::analyze::{Change, ExecutionGraph, critical_path, critical_paths, what_if};
use stepscope::{Nanos, Rank};

/// Checks the identities of METRICS section 11.
///
/// # Errors
///
/// The check that fails, with its numbers.
pub fn critical_identities(rank: &Rank) -> Result<(), String> {
    let (trace, steps) = (&rank.trace, &rank.analysis.steps);
    let graph = ExecutionGraph::of(trace, steps);
    let all = critical_paths(trace, steps, &graph);
    for (index, step) in steps.steps.iter().enumerate() {
        let path = critical_path(trace, steps, &graph, index).ok_or_else(|| format!("step {}: no path", step.name))?;
        let mut until = step.span.start;
        for piece in &path.pieces {
            if piece.span.start != until || piece.span.is_empty() {
                return Err(format!("step {}: {piece:?} does not begin at {until:?}", step.name));
            }
            until = piece.span.end;
        }
        let sum: Nanos = path.times.iter().copied().sum();
        if until != step.span.end || path.span != step.span || sum != step.span.len() || path.times != all.steps[index]
        {
            return Err(format!("step {}: the path ends at {until:?}, {sum:?} are not {:?}", step.name, step.span));
        }
    }
    if all.rows.iter().map(|row| row.total).sum::<Nanos>()
        != steps.counted().iter().map(|step| steps.steps[*step].span.len()).sum()
    {
        return Err("the rows' sum is not that of the steps".to_owned());
    }
    for change in [Change::Nothing, Change::Overlap, Change::Data, Change::Launches, faster(2.0), faster(1e6)] {
        let replay = what_if(trace, steps, &graph, &change);
        let unchanged = change == Change::Nothing;
        for (step, recorded) in replay.steps.iter().zip(&steps.steps) {
            let fine = step.before == recorded.span
                && step.after.end <= step.before.end
                && (!unchanged || step.after == step.before);
            if !fine {
                return Err(format!(
                    "step {}: with {change:?} {:?} becomes {:?}",
                    recorded.name, step.before, step.after
                ));
            }
        }
        if replay.mean[1] > replay.mean[0] || (unchanged && replay.changed > 0) {
            return Err(format!("{change:?}: {:?}, {} changed", replay.mean, replay.changed));
        }
    }
    Ok(())
}

fn faster(factor: f64) -> Change {
    Change::Kernel { name: "*".to_owned(), factor }
}
