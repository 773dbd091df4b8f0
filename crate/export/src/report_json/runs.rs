//! Runs that are open together, to choose from.

use schemars::JsonSchema;
use serde::Serialize;

use stepscope_analyze::{Job, Rank, run_name, run_steps, runs_of};

/// A run: ranks that belong together.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct RunReport {
    /// The name of its only trace, of its folder, or of its first trace.
    name: String,
    /// The number of its traces that are not in the name.
    others: usize,
    /// The indices of its ranks.
    ranks: Vec<usize>,
    /// The shortest and the longest average step of its ranks, in ns; none without steps.
    step_ns: Option<[i64; 2]>,
}

impl RunReport {
    /// The runs of all ranks, given their job and the row of each in it.
    pub(super) fn all(ranks: &[Rank], job: Option<&Job>, rows: &[Option<usize>]) -> Vec<Self> {
        let report = |run: Vec<usize>| {
            let (name, others) = run_name(ranks, &run);
            let step_ns = run_steps(ranks, &run).map(|(least, most)| [least.0, most.0]);
            Self { name: name.to_owned(), others, ranks: run, step_ns }
        };
        runs_of(ranks, job, rows).into_iter().map(report).collect()
    }
}
