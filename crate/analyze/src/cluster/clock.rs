//! A rank's clock, and how its moments stand on the common one.

use crate::statistics::narrow;
use stepscope_base::{Nanos, sort_times};

/// How a clock runs away from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockCorrection {
    /// It does not, as far as one can tell.
    #[default]
    None,
    /// Little by little: by so much from one of its moments to another one.
    Drift {
        /// From here on.
        from: Nanos,
        /// Up to here.
        to: Nanos,
        /// By so much.
        by: Nanos,
    },
    /// All at once.
    Jump {
        /// Its last moment before.
        after: Nanos,
        /// Its first moment after that, as the clock has it.
        at: Nanos,
        /// By so much.
        by: Nanos,
    },
}

impl ClockCorrection {
    /// By how much the clock gives a moment too late.
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

    /// A jump, told more closely by moments of the clock of which it has none where it jumps over time, up to one that is
    /// after the jump.
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

/// Where a rank's place on the common clock is from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClockSource {
    /// Its trace tells its absolute time, and the collectives do not speak against it.
    Shared,
    /// From the collectives that it has with others.
    Solved,
    /// Nothing joins it to the others: its times are as they are.
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
    /// Where the offset is from.
    pub source: ClockSource,
    /// What is added to its times to be on the first rank's clock.
    pub offset: Nanos,
    /// How it runs away from that clock, which is taken back.
    pub bend: ClockCorrection,
    /// Whether it goes back in time: what came later may stand before what came earlier.
    pub goes_back: bool,
    /// How many collectives it has with others whose end tells of clocks.
    pub collectives: u64,
    /// By how much its ends differ from the others', in the middle (the median of the absolute differences), with all of
    /// the above; none without such collectives.
    pub residual: Option<Nanos>,
    /// By how much it runs away from the others from the first collectives to the last, as its trace tells: later ends are
    /// positive.
    pub drift: Nanos,
}

impl RankClock {
    /// Whether it runs away, little by little or at once.
    #[must_use]
    pub fn drifts(&self) -> bool {
        self.bend != ClockCorrection::None
    }

    /// Whether all of that happens at one moment.
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
    /// A rank's moment on the common clock.
    #[must_use]
    pub fn common(&self, rank: usize, moment: Nanos) -> Nanos {
        self.ranks.get(rank).map_or(moment, |clock| {
            let bent = clock.bend.at(moment);
            Nanos(moment.0.saturating_add(clock.offset.0).saturating_sub(bent.0))
        })
    }

    /// Whether both are on it.
    pub(super) fn joined(&self, rank: usize) -> bool {
        self.ranks.get(rank).is_some_and(|clock| clock.source != ClockSource::Unknown)
    }
}

/// Clocks of hosts and devices agree no better than this.
pub(super) const SLACK: Nanos = Nanos(20_000);
