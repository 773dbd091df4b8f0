//! The parts of a job that others wait for.

use crate::{Job, StragglerPlace};

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
