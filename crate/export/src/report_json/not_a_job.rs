//! Traces that are open together and are not ranks of one job.

use schemars::JsonSchema;
use serde::Serialize;

use stepscope_analyze::{Apart, Job};

/// Why the traces are not ranks of one job.
#[derive(Debug, JsonSchema, Serialize)]
pub(super) struct NotAJobReport {
    /// The number of distinct recordings.
    recordings: usize,
    /// The traces that do not belong to the first one.
    traces: Vec<ApartReport>,
}

/// A trace that is not part of the job.
#[derive(Debug, JsonSchema, Serialize)]
struct ApartReport {
    input: String,
    /// `same_recording`, `same_rank`, `other_world`, `other_framework`, `other_time`, `other_run`, `same_device` or
    /// `no_rank`.
    reason: &'static str,
    /// The trace that it was compared with.
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

impl NotAJobReport {
    /// The reasons of several traces; none if they are ranks of one job.
    pub(super) fn of(job: &Job) -> Option<Self> {
        let file = |trace: usize| job.ranks.get(trace).map(|row| row.file.clone());
        let apart = |apart: &Apart| {
            let reason = apart.reason.name();
            Some(ApartReport { input: file(apart.trace)?, reason, other: apart.other.and_then(file) })
        };
        let recordings = job.ranks.len() - job.relation.copies();
        (!job.is_one()).then(|| Self { recordings, traces: job.relation.apart.iter().filter_map(apart).collect() })
    }
}
