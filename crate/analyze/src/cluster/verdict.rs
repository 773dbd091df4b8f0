//! Whether stragglers can be found, and for which part of the job.

use super::digest::RankDigest;
use super::matching::Matching;
use super::row_source::RowSource;
use super::rows::RankRow;
use super::stragglers::Straggler;
use super::together::Joined;

/// The verdict on a job's stragglers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StragglerVerdict {
    /// There are some.
    Found,
    /// There is none among the ranks that are compared.
    None,
    /// No rank has events: their profiler's tables, or their steps alone, do not show stragglers.
    OnlyTables,
    /// No rank's trace has collectives.
    #[default]
    NoCollectives,
    /// Collectives are recorded, but none that ranks share is in a step that counts.
    NothingMatched,
}

impl StragglerVerdict {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::None => "none",
            Self::OnlyTables => "only_tables",
            Self::NoCollectives => "no_collectives",
            Self::NothingMatched => "nothing_matched",
        }
    }

    /// Whether anything is known of stragglers.
    #[must_use]
    pub fn is_known(self) -> bool {
        matches!(self, Self::Found | Self::None)
    }

    pub(super) fn of(stragglers: &[Straggler], rows: &[RankRow], coverage: &Coverage) -> Self {
        match () {
            () if !stragglers.is_empty() => Self::Found,
            () if coverage.ranks > 1 => Self::None,
            () if !rows.iter().any(|row| row.source == RowSource::Events) => Self::OnlyTables,
            () if coverage.collectives == 0 => Self::NoCollectives,
            () => Self::NothingMatched,
        }
    }
}

/// The part of a job that the verdict covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Number of ranks that are compared: those that wait for another one in collectives of the steps that count.
    pub ranks: u64,
    /// Number of collectives with matched parts of several ranks.
    pub matched: u64,
    /// Number of collectives with a recorded part; parts without a match count as one each.
    pub collectives: u64,
}

impl Coverage {
    pub(super) fn of(ranks: &[RankDigest], rows: &[RankRow], matching: &Matching, together: &Joined) -> Self {
        let is_compared = |rank: usize| rows[rank].is_compared() && !ranks[rank].parts.is_empty();
        let several = matching.collectives.iter().filter(|of| matching.parts(of).len() > 1);
        Self {
            ranks: together.count(is_compared),
            matched: several.count() as u64,
            collectives: matching.collectives.len() as u64 + matching.unmatched + matching.uneven,
        }
    }
}
