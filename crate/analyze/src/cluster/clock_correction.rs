//! Detection and correction of clock drift and clock jumps, by the ends of collectives.

use std::collections::{BTreeMap, BTreeSet};

use super::clock::{ClockCorrection, Clocks, RankClock, SLACK};
use super::clock_evidence::{is_sure, spread_out, telling};
use super::digest::RankDigest;
use super::matching::{Matched, MatchedBy, Matching, PartOf, common_span};
use super::together::Joined;
use crate::statistics::median;
use stepscope_base::{CompactSort as _, Interval, Nanos, sort_times};

impl ClockCorrection {
    /// Places a jump between the ends before and after it. A forward jump is in the longest gap between the starts and
    /// ends of parts there.
    fn in_gap(self, ends: &[End], rank: &RankDigest) -> Self {
        let Self::Jump { at, .. } = self else { return self };
        let Some(last) = ends.get(ends.partition_point(|end| end.own < at)) else { return self };
        self.within(last.own, rank.parts.iter().flat_map(|part| [part.span.start, part.span.end]))
    }
}

/// The end of a part, compared with the median of its collective's ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct End {
    /// By the rank's clock.
    own: Nanos,
    /// Its distance from the median; positive if later.
    later: Nanos,
}

/// A rank's clock in a part of the time.
#[derive(Clone, Copy, Debug)]
struct Window {
    /// Its middle, by the rank's clock.
    own: Nanos,
    /// Its lateness against the other clocks.
    later: Nanos,
    /// The spread of the evidence for that.
    spread: Nanos,
}

/// Number of parts of the time in which clocks are compared.
const WINDOWS: usize = 8;

/// The clocks with their deviations corrected, and their residuals after that. Offsets are those of otherwise even
/// clocks.
pub(super) fn bent(rigid: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Clocks {
    let mut wrong = matching.back.clone();
    let clocks = bent_beside(&wrong, rigid, ranks, matching);
    let pairs = joined(ranks.len(), matching).pairs();
    let jumping: Vec<usize> =
        pairs.into_iter().filter_map(|pair| jumps_inside(pair, &clocks, ranks, matching)).collect();
    if jumping.is_empty() {
        return clocks;
    }
    wrong.extend(jumping);
    bent_beside(&wrong, rigid, ranks, matching)
}

/// The same with ranks known to be wrong: these are compared with the others, if there are any, not with the median of
/// all.
fn bent_beside(wrong: &BTreeSet<usize>, rigid: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Clocks {
    let mut clocks = rigid.clone();
    let of_rigid = ends(wrong, rigid, ranks, matching);
    let windows = windows(wrong, rigid, ranks, matching);
    for (index, clock) in clocks.ranks.iter_mut().enumerate() {
        let ends = &of_rigid[index];
        (clock.drift, clock.bend) = bend(&windows[index], ends);
        clock.bend = clock.bend.in_gap(ends, &ranks[index]);
        if clock.drifts() {
            // The evidence at its start is no better than at its end.
            let left = sorted(windows[index].iter().map(|window| window.later - clock.bend.at(window.own)));
            clock.offset = Nanos(clock.offset.0.saturating_sub(median(&left).0));
        }
    }
    let left =
        if clocks.ranks.iter().any(RankClock::drifts) { ends(wrong, &clocks, ranks, matching) } else { of_rigid };
    for (clock, ends) in clocks.ranks.iter_mut().zip(left) {
        clock.collectives = ends.len() as u64;
        let sizes = sorted(ends.iter().map(|end| Nanos(end.later.0.saturating_abs())));
        clock.residual = (!sizes.is_empty()).then(|| median(&sizes));
    }
    clocks
}

/// The collectives that are evidence on deviations of clocks: a match by moment presumes the clocks.
fn evidence(matching: &Matching) -> impl Iterator<Item = &Matched> {
    let is_sure = is_sure(matching);
    telling(matching).filter(move |of| if is_sure { of.sure } else { of.by != MatchedBy::Moment })
}

/// Joins ranks, of so many, by evidence on each other's clocks.
pub(super) fn joined(ranks: usize, matching: &Matching) -> Joined {
    Joined::by(ranks, evidence(matching).map(|of| matching.parts(of)))
}

/// The rank that jumps, of two whose clocks deviate by half each, as far as is known. It jumps within its part of a
/// collective if it has nothing there but its start and its end, as far apart as the jump. The other rank's part is
/// shorter by as much, and no other part takes so long. Else the other rank would have been idle for just as long as
/// its clock goes back.
fn jumps_inside(pair: [usize; 2], clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Option<usize> {
    let jump = |rank: usize| match clocks.ranks[rank].bend {
        ClockCorrection::Jump { after, at, by } => Some((by, rank, Interval { start: after, end: at })),
        _ => None,
    };
    let mut jumps = [jump(pair[0])?, jump(pair[1])?];
    jumps.compact_sort_by_key(|(by, ..)| *by);
    let [(back, ..), (forth, rank, gap)] = jumps;
    if back >= Nanos::ZERO || forth <= Nanos::ZERO {
        return None;
    }
    let by = forth - back;
    let least = by - SLACK.max(Nanos(by.0 >> 3));
    let is_inside = |of: &Matched| {
        let span = |part: &PartOf| ranks[part.rank as usize].parts[part.part as usize].span;
        let parts = matching.parts(of);
        let own = parts.iter().find(|part| part.rank as usize == rank).map(span);
        let other = parts.iter().find(|part| part.rank as usize != rank).map(span);
        let holds = |own: Interval| own.start <= gap.start && gap.end <= own.end;
        own.zip(other).is_some_and(|(own, other)| holds(own) && own.len() - other.len() >= least)
    };
    // If other parts take as long, a part that is too short would be as much evidence.
    let long = pair.iter().flat_map(|rank| &ranks[*rank].parts).filter(|part| part.span.len() >= least);
    (gap.len() >= least && long.count() == 1 && evidence(matching).any(is_inside)).then_some(rank)
}

/// The median over ranks, each with its index, without those of wrong clocks if there are others.
fn middle(wrong: &BTreeSet<usize>, of_ranks: impl Iterator<Item = (usize, Nanos)> + Clone) -> Nanos {
    let right = of_ranks.clone().filter(|(rank, _)| !wrong.contains(rank)).map(|(_, time)| time);
    let right = sorted(right);
    median(&if right.is_empty() { sorted(of_ranks.map(|(_, time)| time)) } else { right })
}

/// By rank: the ends of its collectives with others, in order.
fn ends(wrong: &BTreeSet<usize>, clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Vec<Vec<End>> {
    let mut of_rank: Vec<Vec<End>> = vec![Vec::new(); ranks.len()];
    for of in telling(matching) {
        let joined = || matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let common = |part: &PartOf| common_span(ranks, clocks, *part).1;
        if joined().count() < 2 {
            continue;
        }
        let middle = middle(wrong, joined().map(|part| (part.rank as usize, common(part))));
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

/// By rank: its clock in each part of the time in which it has collectives with others. Clocks are solved in each part
/// alone, so that a rank does not seem to deviate because its partners do. A match by moment presumes the clocks, so it
/// is no evidence. Nor are ranks without a connection evidence on each other's clocks.
fn windows(wrong: &BTreeSet<usize>, clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Vec<Vec<Window>> {
    let mut found: Vec<Vec<Window>> = vec![Vec::new(); ranks.len()];
    let first = |of: &Matched| matching.parts(of).iter().map(|part| common_span(ranks, clocks, *part).1).min();
    let joined = joined(ranks.len(), matching);
    let first_rank = |of: &Matched| matching.parts(of).first().map(|part| joined.first(part.rank as usize));
    let mut ordered: Vec<_> = evidence(matching).map(|of| (first_rank(of), first(of), of)).collect();
    // Collectives of the same moment keep their order.
    ordered.compact_sort_by_key(|(together, end, _)| (*together, *end));
    let mut counts = vec![0_usize; ranks.len()];
    for part in evidence(matching).flat_map(|of| matching.parts(of)) {
        counts[part.rank as usize] += 1;
    }
    let mut references: BTreeMap<usize, usize> = BTreeMap::new();
    for rank in (0..ranks.len()).filter(|rank| clocks.joined(*rank)) {
        let reference = references.entry(joined.first(rank)).or_insert(rank);
        if counts[rank] > counts[*reference] {
            *reference = rank;
        }
    }
    // By part of the time: the collectives of connected ranks.
    let mut parts: Vec<Vec<&Matched>> = vec![Vec::new(); WINDOWS];
    for of_some in ordered.chunk_by(|a, b| a.0 == b.0).filter(|of_some| of_some.len() >= 2 * WINDOWS) {
        for (part, window) in parts.iter_mut().zip(of_some.chunks(of_some.len().div_ceil(WINDOWS))) {
            part.extend(window.iter().map(|(.., of)| *of));
        }
    }
    for window in parts.iter().filter(|window| !window.is_empty()) {
        let telling = Telling { collectives: window, joined: &joined, references: &references, wrong };
        add_window(&telling, clocks, ranks, matching, &mut found);
    }
    // A clock that goes back has its first window last.
    for windows in &mut found {
        windows.compact_sort_by_key(|window| window.own);
    }
    // Guessed groups may compare unrelated collectives: then ends are far apart.
    if !is_sure(matching) {
        for windows in &mut found {
            if windows.iter().any(|window| window.spread > SLACK) {
                windows.clear();
            }
        }
    }
    found
}

/// Evidence on clocks in a part of the time.
struct Telling<'a> {
    collectives: &'a [&'a Matched],
    joined: &'a Joined,
    /// The ranks that others are compared with, by the first rank of those connected.
    references: &'a BTreeMap<usize, usize>,
    /// The ranks whose clocks are known to be wrong.
    wrong: &'a BTreeSet<usize>,
}

fn add_window(
    telling: &Telling<'_>,
    clocks: &Clocks,
    ranks: &[RankDigest],
    matching: &Matching,
    found: &mut [Vec<Window>],
) {
    let mut alone = Clocks { ranks: vec![RankClock::default(); ranks.len()], implausible: false };
    let Telling { collectives, joined, references, wrong } = *telling;
    for reference in references.values() {
        alone.ranks[*reference] = clocks.ranks[*reference];
    }
    let mut spreads = spread_out(&mut alone, ranks, matching, collectives);
    let mut moments: Vec<Vec<Nanos>> = vec![Vec::new(); ranks.len()];
    for part in collectives.iter().flat_map(|of| matching.parts(of)) {
        moments[part.rank as usize].push(ranks[part.rank as usize].parts[part.part as usize].span.end);
    }
    let mut together: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for rank in (0..ranks.len()).filter(|rank| alone.joined(*rank) && clocks.joined(*rank)) {
        together.entry(joined.first(rank)).or_default().push(rank);
    }
    let later = |rank: usize| clocks.ranks[rank].offset - alone.ranks[rank].offset;
    for (first, some) in together {
        // The others are compared with the reference: its spread is like theirs.
        if let Some(reference) = references.get(&first) {
            let others = some.iter().filter(|rank| *rank != reference);
            spreads[*reference] = median(&sorted(others.map(|rank| spreads[*rank])));
        }
        // Lateness is compared with most of them.
        let middle = middle(wrong, some.iter().map(|rank| (*rank, later(*rank))));
        for rank in some.into_iter().filter(|rank| !moments[*rank].is_empty()) {
            let own = median(&sorted(moments[rank].iter().copied()));
            found[rank].push(Window { own, later: later(rank) - middle, spread: spreads[rank] });
        }
    }
}

fn sorted(times: impl Iterator<Item = Nanos>) -> Vec<Nanos> {
    let mut times: Vec<Nanos> = times.collect();
    sort_times(&mut times);
    times
}

/// The change of a clock over time, and its correction if that is more than spread.
fn bend(windows: &[Window], ends: &[End]) -> (Nanos, ClockCorrection) {
    let [first, .., last] = windows else { return (Nanos::ZERO, ClockCorrection::None) };
    if ends.len() < 2 * WINDOWS {
        return (Nanos::ZERO, ClockCorrection::None);
    }
    let spread = windows.iter().map(|window| window.spread).fold(Nanos::ZERO, Nanos::max);
    let size = |time: Nanos| time.0.saturating_abs();
    let change = last.later - first.later;
    if size(change) <= SLACK.0.max(spread.0.saturating_mul(4)) {
        return (change, ClockCorrection::None);
    }
    let largest = windows.windows(2).map(|pair| size(pair[1].later - pair[0].later)).max().unwrap_or_default();
    if largest.saturating_mul(5) > size(change).saturating_mul(4) {
        return (change, jump(ends, change));
    }
    (change, ClockCorrection::Drift { from: first.own, to: last.own, by: change })
}

/// The jump of ends from one value to another one, at the place with the fewest ends on the wrong side.
fn jump(ends: &[End], by: Nanos) -> ClockCorrection {
    let part = ends.len().div_ceil(WINDOWS);
    let middle = |ends: &[End]| median(&sorted(ends.iter().map(|end| end.later)));
    let (first, last) = (middle(&ends[..part]), middle(&ends[ends.len() - part..]));
    // In a collective of two or three ranks, the rank itself moves the median, so a quarter of the change is late.
    let is_late = |end: &End| (end.later - first).0.unsigned_abs() > (last - first).0.unsigned_abs() >> 2;
    // Number of ends out of place if the jump is before the first one, then before each next one.
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
    // Parts that begin just after the last end before the jump count as the next end does.
    let after = place.checked_sub(1).map_or(Nanos::MIN, |before| ends[before].own);
    ClockCorrection::Jump { after, at: Nanos(after.0.saturating_add(1)), by }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::median_absolute_deviation;

    fn ends(of: fn(i64) -> i64) -> Vec<End> {
        (0..80).map(|at| End { own: Nanos(at * 1_000_000), later: Nanos(of(at)) }).collect()
    }

    /// The correction of a clock that is compared with a right one.
    fn bend_of(ends: &[End]) -> (Nanos, ClockCorrection) {
        let window = |ends: &[End]| {
            let later = sorted(ends.iter().map(|end| end.later));
            Window { own: ends[ends.len() / 2].own, later: median(&later), spread: median_absolute_deviation(&later) }
        };
        let windows: Vec<Window> = ends.chunks(ends.len().div_ceil(WINDOWS)).map(window).collect();
        bend(&windows, ends)
    }

    #[test]
    fn drift_and_jumps_are_told_apart_and_taken_back() {
        assert_eq!(bend_of(&ends(|at| (at % 7) * 900)).1, ClockCorrection::None);
        let drifting = ends(|at| at * 10_000);
        let (change, drift) = bend_of(&drifting);
        let expected = ClockCorrection::Drift { from: Nanos(5_000_000), to: Nanos(75_000_000), by: Nanos(700_000) };
        assert_eq!((change, drift), (Nanos(700_000), expected));
        for end in &drifting {
            assert_eq!(end.later - drift.at(end.own), Nanos(50_000));
        }
        assert_eq!(bend_of(&drifting[..15]), (Nanos::ZERO, ClockCorrection::None), "too few to tell");
        // It jumps within a window, too.
        let late = ends(|at| if at < 40 { 0 } else { 5_000_000 });
        let early = ends(|at| if at < 43 { 100 } else { -5_000_000 });
        for (jumping, at) in [(late, 39), (early, 42)] {
            let (change, jump) = bend_of(&jumping);
            let after = Nanos(at * 1_000_000);
            assert_eq!(jump, ClockCorrection::Jump { after, at: after + Nanos(1), by: change });
            let left: Vec<Nanos> = jumping.iter().map(|end| end.later - jump.at(end.own)).collect();
            assert_eq!(left, vec![left[0]; 80]);
        }
    }
}
