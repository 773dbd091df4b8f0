//! The parts of a job that others wait for.

use crate::{Job, StragglerPlace};
use stepscope_base::Nanos;

/// A part of a job that others wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Late {
    /// A rank by its number.
    Rank(u64),
    /// The way from one rank to another one.
    Link([u64; 2]),
    /// The links between these ranks.
    Links(Vec<u64>),
    /// A stage from 0.
    Stage(u32),
}

impl Late {
    pub(super) fn of(place: StragglerPlace, job: &Job) -> Self {
        match place {
            StragglerPlace::Rank(rank) => Self::Rank(rank),
            StragglerPlace::Link(link) => Self::Link(link),
            StragglerPlace::Group(_) => Self::Links(place.ranks(job)),
            StragglerPlace::Stage(stage) => Self::Stage(stage),
        }
    }
}

/// A cause that costs a late rank more than the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LateRankCause {
    /// The rank by its number.
    pub rank: u64,
    /// The last part of the cause's messages' keys, on that rank.
    pub wording: &'static str,
    /// The time per window by which it costs more than the mean of the ranks that are not late.
    pub more: Nanos,
}

/// The split of a rank's exposed communication, by the traces of the other ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InJob {
    /// The part in which it waits for other ranks, per window.
    pub waiting: Nanos,
    /// The part of transfers; none where ranks of the job are missing, which it may also wait for.
    pub transfer: Option<Nanos>,
    /// The other parts of the job that are late.
    pub late: Vec<Late>,
}
