//! One clock for all ranks: the one that their traces share, else offsets solved from collectives, whose end coincides on
//! all ranks. METRICS section 8.

use std::collections::VecDeque;

use super::digest::RankDigest;
use super::matching::{Matched, Matching};
use crate::analyze::statistics::{median, median_absolute_deviation};
use crate::sort::{CompactSort as _, sort_times};
use crate::units::Nanos;

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
    /// How many collectives it has with others whose end tells of clocks.
    pub collectives: u64,
    /// By how much its ends differ from the others', in the middle (the median of the absolute differences); none without such collectives.
    pub residual: Option<Nanos>,
    /// By how much it runs away from the others from the first collectives to the last: later ends are positive.
    pub drift: Nanos,
    /// Whether that is no mere spread.
    pub drifts: bool,
    /// Whether all of it happens at one moment.
    pub jumps: bool,
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
        Nanos(moment.0.saturating_add(self.ranks.get(rank).map_or(0, |clock| clock.offset.0)))
    }

    /// Whether both are on it.
    pub(super) fn joined(&self, rank: usize) -> bool {
        self.ranks.get(rank).is_some_and(|clock| clock.source != ClockSource::Unknown)
    }
}

/// Clocks of hosts and devices agree no better than this.
pub(super) const SLACK: Nanos = Nanos(20_000);

/// A shared clock is not believed if more than one in so many collectives ends somewhere before it begins elsewhere.
const DOUBT: usize = 10;

/// Puts all ranks on one clock.
pub(super) fn clocks(ranks: &[RankDigest], matching: &Matching) -> Clocks {
    let telling: Vec<&Matched> = matching.collectives.iter().filter(|of| tells(matching, of)).collect();
    let origin = ranks.first().and_then(|rank| rank.origin);
    let shared = |rank: &RankDigest| {
        let offset = origin.zip(rank.origin).and_then(|(first, own)| own.checked_sub(first));
        RankClock {
            source: if offset.is_some() { ClockSource::Shared } else { ClockSource::Unknown },
            offset: Nanos(offset.unwrap_or_default()),
            ..RankClock::default()
        }
    };
    let mut found = Clocks { ranks: ranks.iter().map(shared).collect(), implausible: false };
    let contradicted = contradictions(&found, ranks, matching, &telling);
    if contradicted * DOUBT > telling.iter().filter(|of| of.kind.synchronizes()).count() {
        // Either the clocks are wrong, or collectives were matched that do not belong together: which are fewer with
        // other clocks only if it is the clocks.
        let mut solved = Clocks { ranks: vec![RankClock::default(); ranks.len()], implausible: true };
        solve(&mut solved, ranks, matching, &telling);
        if contradictions(&solved, ranks, matching, &telling) * 2 < contradicted {
            found = solved;
        }
    }
    solve(&mut found, ranks, matching, &telling);
    tell_residuals(&mut found, ranks, matching, &telling);
    found
}

/// Whether a collective's end is one moment on all ranks.
fn tells(matching: &Matching, of: &Matched) -> bool {
    (of.kind.synchronizes() || of.link.is_some()) && matching.parts(of).len() > 1
}

/// How many collectives end somewhere before they begin elsewhere.
fn contradictions(clocks: &Clocks, ranks: &[RankDigest], matching: &Matching, telling: &[&Matched]) -> usize {
    let contradicts = |of: &&&Matched| {
        let spans = matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize)).map(|part| {
            let rank = part.rank as usize;
            let span = ranks[rank].parts[part.part as usize].span;
            (clocks.common(rank, span.start), clocks.common(rank, span.end))
        });
        let (start, end) =
            spans.fold((Nanos::MIN, Nanos::MAX), |known, span| (known.0.max(span.0), known.1.min(span.1)));
        // A link's parts end with their own ends of it; only what all wait for proves anything.
        of.kind.synchronizes() && start > Nanos(end.0.saturating_add(SLACK.0))
    };
    telling.iter().filter(contradicts).count()
}

/// Gives the ranks that are on no clock yet an offset, from rank to rank through what they have in common.
fn solve(clocks: &mut Clocks, ranks: &[RankDigest], matching: &Matching, telling: &[&Matched]) {
    if clocks.ranks.iter().all(|clock| clock.source != ClockSource::Unknown) {
        return;
    }
    // The collectives of each rank, and how many of their ranks are on the clock: each collective is looked at once per rank.
    let mut of_rank: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for (index, of) in telling.iter().enumerate() {
        for part in matching.parts(of) {
            of_rank[part.rank as usize].push(index);
        }
    }
    let mut known: VecDeque<usize> = (0..ranks.len()).filter(|rank| clocks.joined(*rank)).collect();
    if known.is_empty() && !ranks.is_empty() {
        let most =
            (0..ranks.len()).max_by_key(|rank| (of_rank[*rank].len(), std::cmp::Reverse(*rank))).unwrap_or_default();
        if !of_rank[most].is_empty() {
            clocks.ranks[most].source = ClockSource::Solved;
            known.push_back(most);
        }
    }
    let mut seen = vec![false; telling.len()];
    while let Some(rank) = known.pop_front() {
        let mut differences: Vec<(usize, Nanos)> = Vec::new();
        for index in of_rank[rank].iter().copied() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let end = |part: &super::matching::PartOf| ranks[part.rank as usize].parts[part.part as usize].span.end;
            let parts = matching.parts(telling[index]);
            let Some(own) = parts.iter().find(|part| part.rank as usize == rank) else { continue };
            let own = clocks.common(rank, end(own));
            let others = parts.iter().filter(|part| !clocks.joined(part.rank as usize));
            differences.extend(others.map(|part| (part.rank as usize, Nanos(own.0.saturating_sub(end(part).0)))));
        }
        differences.compact_sort();
        for of_other in differences.chunk_by(|a, b| a.0 == b.0) {
            let times: Vec<Nanos> = of_other.iter().map(|(_, difference)| *difference).collect();
            let clock = &mut clocks.ranks[of_other[0].0];
            (clock.source, clock.offset) = (ClockSource::Solved, median(&times));
            known.push_back(of_other[0].0);
        }
    }
    // On the first rank's clock.
    let first = clocks.ranks.first().map_or(Nanos::ZERO, |clock| clock.offset);
    for clock in clocks.ranks.iter_mut().filter(|clock| clock.source != ClockSource::Unknown) {
        clock.offset = Nanos(clock.offset.0.saturating_sub(first.0));
    }
}

/// What is left between the ends, and whether it grows.
fn tell_residuals(clocks: &mut Clocks, ranks: &[RankDigest], matching: &Matching, telling: &[&Matched]) {
    let mut of_rank: Vec<Vec<(Nanos, Nanos)>> = vec![Vec::new(); ranks.len()];
    for of in telling {
        let joined = matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let ends = joined.map(|part| {
            let rank = part.rank as usize;
            (rank, clocks.common(rank, ranks[rank].parts[part.part as usize].span.end))
        });
        let ends: Vec<(usize, Nanos)> = ends.collect();
        if ends.len() < 2 {
            continue;
        }
        let mut times: Vec<Nanos> = ends.iter().map(|(_, end)| *end).collect();
        sort_times(&mut times);
        let middle = median(&times);
        for (rank, end) in ends {
            of_rank[rank].push((end, Nanos(end.0.saturating_sub(middle.0))));
        }
    }
    for (clock, mut differences) in clocks.ranks.iter_mut().zip(of_rank) {
        differences.compact_sort();
        clock.collectives = differences.len() as u64;
        let values: Vec<Nanos> = differences.into_iter().map(|(_, difference)| difference).collect();
        let mut sizes: Vec<Nanos> = values.iter().map(|difference| Nanos(difference.0.saturating_abs())).collect();
        sort_times(&mut sizes);
        clock.residual = (!sizes.is_empty()).then(|| median(&sizes));
        (clock.drift, clock.drifts, clock.jumps) = drift(&values);
    }
}

/// How differences change over time, whether they do, and whether they do so at once.
fn drift(values: &[Nanos]) -> (Nanos, bool, bool) {
    const WINDOWS: usize = 8;
    if values.len() < 2 * WINDOWS {
        return (Nanos::ZERO, false, false);
    }
    let windows = values.chunks(values.len().div_ceil(WINDOWS)).map(|window| {
        let mut window = window.to_vec();
        sort_times(&mut window);
        (median(&window), median_absolute_deviation(&window))
    });
    let windows: Vec<(Nanos, Nanos)> = windows.collect();
    let spread = windows.iter().map(|(_, spread)| *spread).fold(Nanos::ZERO, Nanos::max);
    let size = |time: Nanos| time.0.saturating_abs();
    let change = windows[windows.len() - 1].0 - windows[0].0;
    let largest = windows.windows(2).map(|pair| size(pair[1].0 - pair[0].0)).max().unwrap_or_default();
    let drifts = size(change) > SLACK.0.max(spread.0.saturating_mul(4));
    (change, drifts, drifts && largest.saturating_mul(5) > size(change).saturating_mul(4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drift_and_jumps_are_told_apart() {
        let values = |of: fn(i64) -> i64| -> Vec<Nanos> { (0..80).map(|at| Nanos(of(at))).collect() };
        assert!(!drift(&values(|at| (at % 7) * 900)).1);
        let (change, drifts, jumps) = drift(&values(|at| at * 10_000));
        assert_eq!((change, drifts, jumps), (Nanos(700_000), true, false));
        let (change, drifts, jumps) = drift(&values(|at| if at < 40 { 0 } else { 5_000_000 }));
        assert_eq!((change, drifts, jumps), (Nanos(5_000_000), true, true));
        assert_eq!(drift(&values(|at| at * 10_000)[..15]), (Nanos::ZERO, false, false), "too few to tell");
    }
}
