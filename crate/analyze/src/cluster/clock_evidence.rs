//! Clocks by collectives, whose ends are one moment on all ranks.

use std::collections::VecDeque;

use super::clock::{ClockSource, Clocks};
use super::digest::RankDigest;
use super::matching::{Matched, Matching, PartOf};
use crate::statistics::{median, median_absolute_deviation};
use stepscope_base::{CompactSort as _, Nanos};

/// The collectives whose end is one moment on all ranks.
pub(super) fn telling(matching: &Matching) -> impl Iterator<Item = &Matched> {
    let tells = |of: &&Matched| (of.kind.synchronizes() || of.link.is_some()) && matching.parts(of).len() > 1;
    matching.collectives.iter().filter(tells)
}

/// Whether most of the evidence on clocks is sure.
pub(super) fn is_sure(matching: &Matching) -> bool {
    telling(matching).filter(|of| of.sure).count() * 2 > telling(matching).count()
}

/// Gives ranks offsets by those that are on the clock already, from rank to rank through their collectives. Returns the
/// spread of the evidence for each rank's offset.
pub(super) fn spread_out(
    clocks: &mut Clocks,
    ranks: &[RankDigest],
    matching: &Matching,
    telling: &[&Matched],
) -> Vec<Nanos> {
    // The collectives of each rank: each collective is looked at once.
    let mut of_rank: Vec<Vec<usize>> = vec![Vec::new(); ranks.len()];
    for (index, of) in telling.iter().enumerate() {
        for part in matching.parts(of) {
            of_rank[part.rank as usize].push(index);
        }
    }
    let mut known: VecDeque<usize> = (0..ranks.len()).filter(|rank| clocks.joined(*rank)).collect();
    let mut seen = vec![false; telling.len()];
    let mut spreads = vec![Nanos::ZERO; ranks.len()];
    while let Some(rank) = known.pop_front() {
        let mut differences: Vec<(usize, Nanos)> = Vec::new();
        for index in of_rank[rank].iter().copied() {
            if std::mem::replace(&mut seen[index], true) {
                continue;
            }
            let end = |part: &PartOf| ranks[part.rank as usize].parts[part.part as usize].span.end;
            let parts = matching.parts(telling[index]);
            let Some(own) = parts.iter().find(|part| part.rank as usize == rank) else { continue };
            let own = clocks.common(rank, end(own));
            let others = parts.iter().filter(|part| !clocks.joined(part.rank as usize));
            differences.extend(others.map(|part| (part.rank as usize, Nanos(own.0.saturating_sub(end(part).0)))));
        }
        differences.compact_sort();
        for of_other in differences.chunk_by(|a, b| a.0 == b.0) {
            let times: Vec<Nanos> = of_other.iter().map(|(_, difference)| *difference).collect();
            let other = of_other[0].0;
            let clock = &mut clocks.ranks[other];
            (clock.source, clock.offset) = (ClockSource::Solved, median(&times));
            spreads[other] = spreads[rank].max(median_absolute_deviation(&times));
            known.push_back(other);
        }
    }
    spreads
}
