//! A rank's clock, and the conversion of its times to the common one.

use crate::statistics::narrow;
use stepscope_base::{Nanos, sort_times};

/// Correction of a clock that deviates from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockCorrection {
    /// No known deviation.
    #[default]
    None,
    /// A drift, in proportion to the time between two times of the clock.
    Drift {
        /// Start of that time.
        from: Nanos,
        /// End of that time.
        to: Nanos,
        /// Change of the clock error over it.
        by: Nanos,
    },
    /// A jump.
    Jump {
        /// The clock's last time before the jump.
        after: Nanos,
        /// The clock's first time after the jump.
        at: Nanos,
        /// Change of the clock error: positive when the clock goes forward.
        by: Nanos,
    },
}

impl ClockCorrection {
    /// Clock error at a time of the clock: positive when the clock runs ahead.
    #[must_use]
    pub fn at(self, moment: Nanos) -> Nanos {
        match self {
            Self::Jump { at, by, .. } if moment >= at => by,
            Self::Drift { from, to, by } if from < to => {
                let (gone, all) = (i128::from(moment.0) - i128::from(from.0), i128::from(to.0) - i128::from(from.0));
                narrow((gone * i128::from(by.0)).div_euclid(all))
            }
            _ => Nanos::ZERO,
        }
    }

    /// Narrows a forward jump down to the longest gap between times of the clock, up to one that is after the jump.
    #[must_use]
    pub fn within(self, last: Nanos, moments: impl Iterator<Item = Nanos>) -> Self {
        let Self::Jump { after, by, .. } = self else { return self };
        if by <= Nanos::ZERO {
            return self;
        }
        let inside = moments.filter(|moment| (after..=last).contains(moment));
        let mut between: Vec<Nanos> = inside.chain([after, last]).collect();
        sort_times(&mut between);
        let gaps = between.windows(2).map(|pair| (Nanos(pair[1].0.saturating_sub(pair[0].0)), pair));
        let longest = gaps.max_by_key(|(gap, _)| *gap);
        longest.map_or(self, |(_, pair)| Self::Jump { after: pair[0], at: pair[1], by })
    }
}

/// Source of a rank's position on the common clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// The absolute time in its trace, which the collectives do not contradict.
    Shared,
    /// The collectives that it shares with other ranks.
    Solved,
    /// Nothing connects it to the others: its times are unchanged.
    #[default]
    Unknown,
}

impl ClockSource {
    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Solved => "solved",
            Self::Unknown => "unknown",
        }
    }
}

/// A rank's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankClock {
    /// The source of the offset.
    pub source: ClockSource,
    /// The time added to its times to be on the first rank's clock.
    pub offset: Nanos,
    /// The correction of its deviation from that clock.
    pub bend: ClockCorrection,
    /// Whether it goes back in time: later events may have earlier times.
    pub goes_back: bool,
    /// Number of collectives shared with other ranks whose ends are evidence on clocks.
    pub collectives: u64,
    /// Median of the distances of its ends from the median end of each collective, with all of the above; none without
    /// such collectives.
    pub residual: Option<Nanos>,
    /// Its deviation from the others between the first collectives and the last, as its trace has it: later ends are
    /// positive.
    pub drift: Nanos,
}

impl RankClock {
    /// Whether it deviates, by a drift or a jump.
    #[must_use]
    pub fn drifts(&self) -> bool {
        self.bend != ClockCorrection::None
    }

    /// Whether it deviates by a jump.
    #[must_use]
    pub fn jumps(&self) -> bool {
        matches!(self.bend, ClockCorrection::Jump { .. })
    }
}

/// The clocks of all ranks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clocks {
    /// By rank.
    pub ranks: Vec<RankClock>,
    /// Whether the absolute times of the traces contradict the collectives, and are not used.
    pub implausible: bool,
}

impl Clocks {
    /// A rank's time on the common clock.
    #[must_use]
    pub fn common(&self, rank: usize, moment: Nanos) -> Nanos {
        self.ranks.get(rank).map_or(moment, |clock| {
            let bent = clock.bend.at(moment);
            Nanos(moment.0.saturating_add(clock.offset.0).saturating_sub(bent.0))
        })
    }

    /// Whether a rank is on the common clock.
    pub(super) fn joined(&self, rank: usize) -> bool {
        self.ranks.get(rank).is_some_and(|clock| clock.source != ClockSource::Unknown)
    }
}

/// The precision to which clocks of hosts and devices agree.
pub(super) const SLACK: Nanos = Nanos(20_000);
