//! One clock for all ranks: the one that their traces share, else offsets solved from collectives, whose end coincides
//! on all ranks. METRICS section 8.

use super::clock::{ClockSource, Clocks, RankClock, SLACK};
use super::clock_correction::bent;
use super::clock_evidence::{is_sure, spread_out, telling};
use super::digest::RankDigest;
use super::groups::JobGroups;
use super::matching::{Matched, Matching, Realigned, common_span, matching};
use crate::statistics::median;
use stepscope_base::{Nanos, sort_times};

/// A shared clock is rejected if more than one in this many collectives ends on one rank before it begins on another.
const DOUBT: usize = 10;

/// The matching of all ranks, and the clocks for it.
pub(super) struct Settled {
    pub(super) matching: Matching,
    pub(super) clocks: Clocks,
    /// Number of collectives that match by order, have no common moment, and are left out.
    pub(super) apart: u64,
}

/// Matches all ranks' collectives and puts all ranks on one clock.
///
/// If the absolute times of the traces and the matching by order contradict each other, either may be wrong:
/// 1. The shared clock may be right but for a jump or a drift, which the ends of collectives show.
/// 2. The shared clock may be right and the order wrong, as where a profiler began later: then collectives that run at
///    one moment on it end at one moment, nearly as well as with
/// 3. other clocks, solved from the matching by order.
pub(super) fn settle(ranks: &[RankDigest], groups: &JobGroups) -> Settled {
    let by_order = matching(ranks, groups);
    let mut shared = shared(ranks);
    solve(&mut shared, ranks, &by_order);
    let shared_bent = bent(&shared, ranks, &by_order);
    let before = contradictions(&shared, ranks, &by_order);
    if before <= most(&by_order) || contradictions(&shared_bent, ranks, &by_order) <= most(&by_order) {
        return realigned(&shared, Some(shared_bent), by_order, ranks, groups);
    }
    let mut solved = Clocks { ranks: vec![RankClock::default(); ranks.len()], implausible: true };
    solve(&mut solved, ranks, &by_order);
    let solved_bent = bent(&solved, ranks, &by_order);
    let after = contradictions(&solved_bent, ranks, &by_order);
    let whole = by_order.whole();
    let by_moment = realigned(&shared, None, by_order.clone(), ranks, groups);
    let ends = |settled: &Settled| spread_of_ends(&settled.clocks, ranks, &settled.matching);
    // At least half of the collectives must be found again: a few run at one moment by chance.
    let is_found = by_moment.matching.whole() * 2 >= whole
        && contradictions(&by_moment.clocks, ranks, &by_moment.matching) <= most(&by_moment.matching);
    // Guessed groups may compare unrelated collectives: other clocks are accepted if they explain all.
    let explains_all = after <= most(&by_order) && spread_of_ends(&solved_bent, ranks, &by_order) <= SLACK;
    let is_solved = after * 2 < before && (is_sure(&by_order) || explains_all);
    let (rigid, told) = if is_solved { (solved, solved_bent) } else { (shared, shared_bent) };
    let by_order = realigned(&rigid, Some(told), by_order, ranks, groups);
    let near = |one: Nanos, other: Nanos| one.0 <= SLACK.0.max(other.0.saturating_mul(2));
    if is_found && near(ends(&by_moment), ends(&by_order)) { by_moment } else { by_order }
}

/// Matches by moment the collectives whose match by order cannot be right, then derives the clocks from the matching.
/// `told` are the clocks of the first matching.
fn realigned(
    rigid: &Clocks,
    told: Option<Clocks>,
    mut matching: Matching,
    ranks: &[RankDigest],
    groups: &JobGroups,
) -> Settled {
    let Realigned { apart, changed } = matching.realign(ranks, groups, told.as_ref().unwrap_or(rigid));
    let mut clocks = told.filter(|_| !changed).unwrap_or_else(|| bent(rigid, ranks, &matching));
    for rank in &matching.back {
        clocks.ranks[*rank].goes_back = true;
    }
    Settled { matching, clocks, apart }
}

/// The clocks by the absolute times of the traces.
fn shared(ranks: &[RankDigest]) -> Clocks {
    let origin = ranks.first().and_then(|rank| rank.origin);
    let clock = |rank: &RankDigest| {
        let offset = origin.zip(rank.origin).and_then(|(first, own)| own.checked_sub(first));
        RankClock {
            source: if offset.is_some() { ClockSource::Shared } else { ClockSource::Unknown },
            offset: Nanos(offset.unwrap_or_default()),
            ..RankClock::default()
        }
    };
    Clocks { ranks: ranks.iter().map(clock).collect(), implausible: false }
}

/// Largest number of collectives that may contradict accepted clocks.
fn most(matching: &Matching) -> usize {
    telling(matching).filter(|of| of.kind.synchronizes()).count() / DOUBT
}

/// Median distance between the first and the last end of a collective.
fn spread_of_ends(clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> Nanos {
    let spread = |of: &Matched| {
        let joined = || matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let ends = || joined().map(|part| common_span(ranks, clocks, *part).1);
        ends().max().zip(ends().min()).filter(|_| joined().count() > 1).map(|(last, first)| last - first)
    };
    let synchronizing = telling(matching).filter(|of| of.kind.synchronizes());
    let mut spreads: Vec<Nanos> = synchronizing.filter_map(spread).collect();
    sort_times(&mut spreads);
    median(&spreads)
}

/// Number of collectives that end on one rank before they begin on another.
fn contradictions(clocks: &Clocks, ranks: &[RankDigest], matching: &Matching) -> usize {
    let contradicts = |of: &&Matched| {
        let joined = matching.parts(of).iter().filter(|part| clocks.joined(part.rank as usize));
        let spans = joined.map(|part| common_span(ranks, clocks, *part));
        let (start, end) =
            spans.fold((Nanos::MIN, Nanos::MAX), |known, span| (known.0.max(span.0), known.1.min(span.1)));
        // The parts of a link may end at different times; only collectives that all ranks wait for prove anything.
        of.kind.synchronizes() && start > Nanos(end.0.saturating_add(SLACK.0))
    };
    telling(matching).filter(contradicts).count()
}

/// Gives offsets to the ranks that are on no clock yet, from rank to rank through their collectives.
fn solve(clocks: &mut Clocks, ranks: &[RankDigest], matching: &Matching) {
    if clocks.ranks.iter().all(|clock| clock.source != ClockSource::Unknown) {
        return;
    }
    let telling: Vec<&Matched> = telling(matching).collect();
    if !ranks.is_empty() && !(0..ranks.len()).any(|rank| clocks.joined(rank)) {
        let mut counts = vec![0_usize; ranks.len()];
        for part in telling.iter().flat_map(|of| matching.parts(of)) {
            counts[part.rank as usize] += 1;
        }
        let most = (0..ranks.len()).max_by_key(|rank| (counts[*rank], std::cmp::Reverse(*rank))).unwrap_or_default();
        if counts[most] > 0 {
            clocks.ranks[most].source = ClockSource::Solved;
        }
    }
    spread_out(clocks, ranks, matching, &telling);
    // On the first rank's clock.
    let first = clocks.ranks.first().map_or(Nanos::ZERO, |clock| clock.offset);
    for clock in clocks.ranks.iter_mut().filter(|clock| clock.source != ClockSource::Unknown) {
        clock.offset = Nanos(clock.offset.0.saturating_sub(first.0));
    }
}
