//! Clocks that run away from the others, little by little or at once: how the ends of collectives tell it, and how it is
//! taken back.

use super::clocks::{Clocks, RankClock, SLACK, is_sure, spread_out, telling};
use super::digest::RankDigest;
use super::matching::{Matched, MatchedBy, Matching, PartOf, common_span};
use crate::analyze::statistics::{median, narrow};
use crate::sort::{CompactSort as _, sort_times};
use crate::units::Nanos;

/// How a clock runs away from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bend {
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
        /// Its first moment that is told so.
        at: Nanos,
        /// By so much.
        by: Nanos,
    },
}

impl Bend {
    /// By how much a moment of the clock is told too late.
    pub(super) fn at(self, moment: Nanos) -> Nanos {
        match self {
            Self::Jump { at, by } if moment >= at => by,
            Self::Drift { from, to, by } if from < to => {
                let (gone, all) = (i128::from(moment.0) - i128::from(from.0), i128::from(to.0) - i128::from(from.0));
                narrow((gone * i128::from(by.0)).div_euclid(all))
            }
            _ => Nanos::ZERO,
        }
    }

    /// A jump is known by the ends before and behind it. If it goes forward, it is where nothing is told for longest of
    /// what begins and ends between these two.
    fn in_gap(self, ends: &[End], rank: &RankDigest) -> Self {
        let Self::Jump { at, by } = self else { return self };
        let behind = ends.partition_point(|end| end.own < at);
        let (Some(first), Some(last)) = (behind.checked_sub(1).and_then(|at| ends.get(at)), ends.get(behind)) else {
            return self;
        };
        if by <= Nanos::ZERO {
            return self;
        }
        let moments = rank.parts.iter().flat_map(|part| [part.span.start, part.span.end]);
        let between = sorted(moments.filter(|moment| (first.own..=last.own).contains(moment)));
        let gaps = between.windows(2).map(|pair| (pair[1] - pair[0], pair[1]));
        gaps.max_by_key(|(gap, _)| *gap).map_or(self, |(_, at)| Self::Jump { at, by })
    }
}

/// The end of a part beside the middle of the ends of its collective.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// By the rank's clock.
    own: Nanos,
    /// By how much it is later.
    later: Nanos,
}

/// A rank's clock in a part of the time.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Its middle, by the rank's clock.
    own: Nanos,
    /// By how much it is later than the others.
    later: Nanos,
    /// How far what tells that is spread.
    spread: Nanos,
}

/// Parts of the time in which clocks are compared.
const WINDOWS: usize = 8;

/// Tells how far ends of collectives are apart on each clock, and whether it runs away from the others: that is taken back.
pub(super) fn tell_residuals(clocks: &mut Clocks, ranks: &[RankDigest], matching: &Matching) {
    for clock in &mut clocks.ranks {
        clock.bend = Bend::None;
    }
    let rigid = ends(clocks, ranks, matching);
    let windows = windows(clocks, ranks, matching);
    for (index, clock) in clocks.ranks.iter_mut().enumerate() {
        let ends = &rigid[index];
        (clock.drift, clock.bend) = bend(&windows[index], ends);
        clock.bend = clock.bend.in_gap(ends, &ranks[index]);
        if clock.drifts() {
            // What is told of its beginning is no better than of its end.
            let left = sorted(windows[index].iter().map(|window| window.later - clock.bend.at(window.own)));
            clock.offset = Nanos(clock.offset.0.saturating_sub(median(&left).0));
        }
    }
    let bent = if clocks.ranks.iter().any(RankClock::drifts) { ends(clocks, ranks, matching) } else { rigid };
    for (clock, ends) in clocks.ranks.iter_mut().zip(bent) {
        clock.collectives = ends.len() as u64;
        let sizes = sorted(ends.iter().map(|end| Nanos(end.later.0.saturating_abs())));
        clock.residual = (!sizes.is_empty()).then(|| median(&sizes));
    }
}

/// Of each rank the ends of its collectives with others, in their order.
fn ends(clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Vec<Vec<End>> {
    let mut of_rank: Vec<Vec<End>> = vec![Vec::new(); ranks.len()];
    for of in telling(matching) {
        let joined = || matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let common = |part: &PartOf| common_span(ranks, clocks, *part).1;
        let times = sorted(joined().map(common));
        if times.len() < 2 {
            continue;
        }
        let middle = median(&times);
        for part in joined() {
            let own = ranks[part.rank as usize].parts[part.part as usize].span.end;
            of_rank[part.rank as usize].push(End { own, later: Nanos(common(part).0.saturating_sub(middle.0)) });
        }
    }
    for ends in &mut of_rank {
        ends.compact_sort();
    }
    of_rank
}

/// Of each rank its clock in each part of the time in which it has collectives with others: all clocks are solved in each
/// part alone, so that a rank is not taken to run away since those do with which it communicates. What is matched by its
/// moment presumes the clocks.
fn windows(clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Vec<Vec<Window>> {
    let mut found: Vec<Vec<Window>> = vec![Vec::new(); ranks.len()];
    let first = |of: &Matched| matching.parts(of).iter().map(|part| common_span(ranks, clocks, *part).1).min();
    let is_sure = is_sure(matching);
    let evidence = telling(matching).filter(|of| if is_sure { of.sure } else { of.by != MatchedBy::Moment });
    let mut ordered: Vec<(Option<Nanos>, &Matched)> = evidence.map(|of| (first(of), of)).collect();
    // Those of the same moment stay in their order.
    ordered.sort_by_key(|(end, _)| *end);
    let telling: Vec<&Matched> = ordered.into_iter().map(|(_, of)| of).collect();
    let mut counts = vec![0_usize; ranks.len()];
    for part in telling.iter().flat_map(|of| matching.parts(of)) {
        counts[part.rank as usize] += 1;
    }
    let joined = (0..ranks.len()).filter(|rank| clocks.joined(*rank));
    let Some(reference) = joined.max_by_key(|rank| (counts[*rank], std::cmp::Reverse(*rank))) else { return found };
    if telling.len() < 2 * WINDOWS {
        return found;
    }
    for window in telling.chunks(telling.len().div_ceil(WINDOWS)) {
        let mut alone = Clocks { ranks: vec![RankClock::default(); ranks.len()], implausible: false };
        alone.ranks[reference] = clocks.ranks[reference];
        let mut spreads = spread_out(&mut alone, ranks, matching, window);
        let known = |rank: &usize| alone.joined(*rank) && clocks.joined(*rank);
        // The others are put beside it: it is known as well as they are.
        let others = (0..ranks.len()).filter(|rank| *rank != reference && known(rank));
        spreads[reference] = median(&sorted(others.map(|rank| spreads[rank])));
        let later = |rank: usize| clocks.ranks[rank].offset - alone.ranks[rank].offset;
        // Later than most.
        let middle = median(&sorted((0..ranks.len()).filter(known).map(later)));
        let mut moments: Vec<Vec<Nanos>> = vec![Vec::new(); ranks.len()];
        for part in window.iter().flat_map(|of| matching.parts(of)) {
            moments[part.rank as usize].push(ranks[part.rank as usize].parts[part.part as usize].span.end);
        }
        for (rank, moments) in
            moments.into_iter().enumerate().filter(|(rank, moments)| known(rank) && !moments.is_empty())
        {
            let own = median(&sorted(moments.into_iter()));
            found[rank].push(Window { own, later: later(rank) - middle, spread: spreads[rank] });
        }
    }
    // Where groups are guessed, what does not belong together is put beside each other: then ends are far apart.
    if !is_sure {
        for windows in &mut found {
            if windows.iter().any(|window| window.spread > SLACK) {
                windows.clear();
            }
        }
    }
    found
}

fn sorted(times: impl Iterator<Item = Nanos>) -> Vec<Nanos> {
    let mut times: Vec<Nanos> = times.collect();
    sort_times(&mut times);
    times
}

/// How a clock changes over time, and whether that is no mere spread.
fn bend(windows: &[Window], ends: &[End]) -> (Nanos, Bend) {
    let [first, .., last] = windows else { return (Nanos::ZERO, Bend::None) };
    if ends.len() < 2 * WINDOWS {
        return (Nanos::ZERO, Bend::None);
    }
    let spread = windows.iter().map(|window| window.spread).fold(Nanos::ZERO, Nanos::max);
    let size = |time: Nanos| time.0.saturating_abs();
    let change = last.later - first.later;
    if size(change) <= SLACK.0.max(spread.0.saturating_mul(4)) {
        return (change, Bend::None);
    }
    let largest = windows.windows(2).map(|pair| size(pair[1].later - pair[0].later)).max().unwrap_or_default();
    if largest.saturating_mul(5) > size(change).saturating_mul(4) {
        return (change, jump(ends, change));
    }
    (change, Bend::Drift { from: first.own, to: last.own, by: change })
}

/// Where ends change from one value to another one: at the place at which the fewest are on the wrong side.
fn jump(ends: &[End], by: Nanos) -> Bend {
    let part = ends.len().div_ceil(WINDOWS);
    let middle = |ends: &[End]| median(&sorted(ends.iter().map(|end| end.later)));
    let (first, last) = (middle(&ends[..part]), middle(&ends[ends.len() - part..]));
    // Of those who share a collective with one or two others, these are the middle as much as it is itself.
    let is_late = |end: &End| (end.later - first).0.unsigned_abs() > (last - first).0.unsigned_abs() >> 2;
    // How many there are out of place if it jumps before the first one, and then one by one.
    let mut wrong = ends.iter().filter(|end| !is_late(end)).count();
    let mut best = (wrong, 0);
    for (index, end) in ends.iter().enumerate() {
        if is_late(end) {
            wrong += 1;
        } else {
            wrong -= 1;
        }
        best = best.min((wrong, index + 1));
    }
    let (_, place) = best;
    // What begins just after the last end before it is told as the next end is.
    let before = place.checked_sub(1).map_or(Nanos::MIN, |before| ends[before].own);
    Bend::Jump { at: Nanos(before.0.saturating_add(1)), by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::statistics::median_absolute_deviation;

    fn ends(of: fn(i64) -> i64) -> Vec<End> {
        (0..80).map(|at| End { own: Nanos(at * 1_000_000), later: Nanos(of(at)) }).collect()
    }

    /// What comes of a clock that is compared with one that is right.
    fn bend_of(ends: &[End]) -> (Nanos, Bend) {
        let window = |ends: &[End]| {
            let later = sorted(ends.iter().map(|end| end.later));
            Window { own: ends[ends.len() / 2].own, later: median(&later), spread: median_absolute_deviation(&later) }
        };
        let windows: Vec<Window> = ends.chunks(ends.len().div_ceil(WINDOWS)).map(window).collect();
        bend(&windows, ends)
    }

    #[test]
    fn drift_and_jumps_are_told_apart_and_taken_back() {
        assert_eq!(bend_of(&ends(|at| (at % 7) * 900)).1, Bend::None);
        let drifting = ends(|at| at * 10_000);
        let (change, drift) = bend_of(&drifting);
        let expected = Bend::Drift { from: Nanos(5_000_000), to: Nanos(75_000_000), by: Nanos(700_000) };
        assert_eq!((change, drift), (Nanos(700_000), expected));
        for end in &drifting {
            assert_eq!(end.later - drift.at(end.own), Nanos(50_000));
        }
        assert_eq!(bend_of(&drifting[..15]), (Nanos::ZERO, Bend::None), "too few to tell");
        // It jumps amid a window, too.
        let late = ends(|at| if at < 40 { 0 } else { 5_000_000 });
        let early = ends(|at| if at < 43 { 100 } else { -5_000_000 });
        for (jumping, at) in [(late, 39), (early, 42)] {
            let (change, jump) = bend_of(&jumping);
            assert_eq!(jump, Bend::Jump { at: Nanos(at * 1_000_000 + 1), by: change });
            let left: Vec<Nanos> = jumping.iter().map(|end| end.later - jump.at(end.own)).collect();
            assert_eq!(left, vec![left[0]; 80]);
        }
    }
}
