//! Collectives by operation and group, and links between two ranks. METRICS section 8.

use std::collections::BTreeMap;

use super::clock::{Clocks, RankClock, SLACK};
use super::digest::RankDigest;
use super::groups::JobGroup;
use super::matching::{Matched, Matching, PartOf};
use super::operation::CollectiveKind;
use super::tasks::CollectiveTasks;
use stepscope_base::{CompactSort as _, Interval, Nanos};
use stepscope_table::{Field, Rows, Unit, Value};
use stepscope_trace::NO_COUNT;

/// Times of a matched collective. Its parts' durations are their transfers, and their waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollectiveTimes {
    /// Its shortest part: the time once all ranks are there.
    pub transfer: Nanos,
    /// The total time of the parts beyond that, without [`uneven`](Self::uneven) time.
    pub wait: Nanos,
    /// The total time by which parts take longer than the shortest one though no rank was late: transfer, too.
    pub uneven: Nanos,
    /// The last start on the common clock, where the hosts of all ranks start at once but end apart.
    at_once: Option<Nanos>,
    /// From the first start to the last, where all ranks are on one clock.
    pub skew: Option<Nanos>,
    /// Bytes as nccl-tests counts them.
    pub bytes: Option<u64>,
}

impl CollectiveTimes {
    /// The waiting of a part, by its length and its start on the common clock: what it takes beyond the shortest one.
    ///
    /// Where the hosts of all ranks start a collective at once, within the precision of clocks, a part that takes longer than their starts
    /// explain still transfers: its waiting ends with the last start.
    #[must_use]
    pub(super) fn wait_of(&self, length: Nanos, start: Nanos) -> Nanos {
        let longer = length - self.transfer;
        self.at_once.map_or(longer, |last| longer.min((last - start).max(Nanos::ZERO)))
    }
}

/// The total times of the parts of matched collectives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CollectiveSums {
    /// The time without waiting: the shortest part, for each, and what longer parts take where no rank was late.
    pub transfer: Nanos,
    /// The time beyond that.
    pub wait: Nanos,
}

impl CollectiveSums {
    /// The sum of both.
    #[must_use]
    pub fn total(self) -> Nanos {
        self.transfer + self.wait
    }
}

/// The collectives of an operation in a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveRow {
    /// The operation.
    pub kind: CollectiveKind,
    /// The group, by its index among the job's; none for all together.
    pub group: Option<usize>,
    /// Number of ranks of the group; for all groups together, of the largest.
    pub size: u64,
    /// Number of collectives.
    pub count: u64,
    /// Number of them that have parts of several ranks.
    pub matched: u64,
    /// Number of these that lack the part of a present rank.
    pub incomplete: u64,
    /// Number of parts of matched collectives.
    pub parts: u64,
    /// The total times of these; none if none is matched.
    pub sums: Option<CollectiveSums>,
    /// The tasks of these parts, and the total length of the parts whose tasks are known; none if none are.
    pub tasks: Option<(CollectiveTasks, Nanos)>,
    /// The mean time from the first start to the last.
    pub mean_skew: Option<Nanos>,
    /// The longest.
    pub max_skew: Option<Nanos>,
    /// Total bytes of the collectives whose bytes are known.
    pub bytes: Option<u64>,
    /// Bytes per second during the transfers, of matched collectives whose bytes are known.
    pub algorithm_bandwidth: Option<f64>,
    /// The load of a link at that, as in nccl-tests.
    pub bus_bandwidth: Option<f64>,
}

impl CollectiveRow {
    /// The part of these times for which the tasks are known; none where no device shows tasks.
    #[must_use]
    pub fn tasks_known(&self) -> Option<f64> {
        self.tasks.zip(self.sums).and_then(|((_, known), sums)| known.ratio_of(sums.total()))
    }
}

/// The messages from one rank to another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JobLink {
    /// The sender.
    pub from: u64,
    /// The receiver.
    pub to: u64,
    /// Whether the two are on different hosts, if both hosts are known.
    pub across_hosts: Option<bool>,
    /// Number of messages.
    pub count: u64,
    /// Total bytes of the messages whose bytes are known.
    pub bytes: Option<u64>,
    /// Total time of the transfers, once both ranks are there.
    pub transfer: Nanos,
    /// Total time that the two wait for each other.
    pub wait: Nanos,
    /// Bytes per second during the transfers.
    pub bandwidth: Option<f64>,
}

/// The table of collectives by operation and group.
pub enum CollectiveTable {}

/// Context of the rows of [`CollectiveTable`].
pub struct CollectiveContext<'a> {
    /// The job's groups.
    pub groups: &'a [JobGroup],
}

impl CollectiveContext<'_> {
    fn group(&self, row: &CollectiveRow) -> Option<&JobGroup> {
        self.groups.get(row.group?)
    }
}

impl Rows for CollectiveTable {
    const ID: &'static str = "collectives";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("operation", Unit::Word("collective"), |row, _| Value::Word(row.kind.name())),
        Field::<Self>::new("group", Unit::Text, |row, of| {
            of.group(row).map(|group| group.name.as_str()).filter(|name| !name.is_empty()).into()
        }),
        Field::<Self>::new("group_ranks", Unit::Ids, |row, of| of.group(row).map(|group| &group.ranks[..]).into()),
        Field::<Self>::new("group_size", Unit::Count, |row, _| row.size.into()),
        Field::<Self>::new("count", Unit::Count, |row, _| row.count.into()),
        Field::<Self>::new("matched", Unit::Count, |row, _| row.matched.into()),
        Field::<Self>::new("incomplete", Unit::Count, |row, _| row.incomplete.into()).wide(),
        Field::<Self>::new("parts", Unit::Count, |row, _| row.parts.into()).wide(),
        Field::<Self>::new("total_ns", Unit::Duration, |row, _| row.sums.map(CollectiveSums::total).into()).part(),
        Field::<Self>::new("transfer_ns", Unit::Duration, |row, _| row.sums.map(|sums| sums.transfer).into()),
        Field::<Self>::new("wait_ns", Unit::Duration, |row, _| row.sums.map(|sums| sums.wait).into()),
        Field::<Self>::new("task_transfer_ns", Unit::Duration, |row, _| {
            row.tasks.map(|(tasks, _)| tasks.transfer).into()
        })
        .wide(),
        Field::<Self>::new("task_wait_ns", Unit::Duration, |row, _| row.tasks.map(|(tasks, _)| tasks.wait).into())
            .wide(),
        Field::<Self>::new("task_reduce_ns", Unit::Duration, |row, _| row.tasks.map(|(tasks, _)| tasks.reduce).into())
            .wide(),
        Field::<Self>::new("tasks_known", Unit::Share, |row, _| row.tasks_known().into()).wide(),
        Field::<Self>::new("mean_skew_ns", Unit::Duration, |row, _| row.mean_skew.into()),
        Field::<Self>::new("max_skew_ns", Unit::Duration, |row, _| row.max_skew.into()),
        Field::<Self>::new("bytes", Unit::Bytes, |row, _| row.bytes.into()),
        Field::<Self>::new("algorithm_bytes_per_second", Unit::BytesPerSecond, |row, _| row.algorithm_bandwidth.into()),
        Field::<Self>::new("bus_bytes_per_second", Unit::BytesPerSecond, |row, _| row.bus_bandwidth.into()),
    ];
    const SORT: &'static str = "total_ns";
    type Row = CollectiveRow;
    type Context<'a> = CollectiveContext<'a>;
}

/// The table of links between ranks.
pub enum LinkTable {}

impl Rows for LinkTable {
    const ID: &'static str = "job.links";
    const FIELDS: &'static [Field<Self>] = &[
        Field::<Self>::new("from", Unit::Id, |row, ()| Value::id(row.from)),
        Field::<Self>::new("to", Unit::Id, |row, ()| Value::id(row.to)),
        Field::<Self>::new("across_hosts", Unit::Flag, |row, ()| row.across_hosts.into()),
        Field::<Self>::new("count", Unit::Count, |row, ()| row.count.into()),
        Field::<Self>::new("bytes", Unit::Bytes, |row, ()| row.bytes.into()),
        Field::<Self>::new("transfer_ns", Unit::Duration, |row, ()| row.transfer.into()).part(),
        Field::<Self>::new("wait_ns", Unit::Duration, |row, ()| row.wait.into()),
        Field::<Self>::new("bytes_per_second", Unit::BytesPerSecond, |row, ()| row.bandwidth.into()),
    ];
    const SORT: &'static str = "transfer_ns";
    type Row = JobLink;
    type Context<'a> = ();
}

/// The part that indices refer to.
pub(super) fn part_of(ranks: &[RankDigest], of: PartOf) -> &super::digest::CollectivePart {
    &ranks[of.rank as usize].parts[of.part as usize]
}

/// The times of a collective of which several ranks have a part.
pub(super) fn times_of(
    ranks: &[RankDigest],
    clocks: &Clocks,
    matching: &Matching,
    of: &Matched,
) -> Option<CollectiveTimes> {
    let parts = matching.parts(of);
    let lengths: Vec<Nanos> = parts.iter().map(|part| length_of(ranks, clocks, *part)).collect();
    let starts: Vec<Nanos> = parts.iter().map(|part| start_of(ranks, clocks, *part)).collect();
    let transfer = lengths.iter().copied().min().filter(|_| parts.len() > 1)?;
    let joined = parts.iter().all(|part| clocks.joined(part.rank as usize));
    let (last, first) = (starts.iter().copied().max()?, starts.iter().copied().min()?);
    let skew = last - first;
    let ends_apart = lengths.iter().copied().max()? - transfer > skew + SLACK;
    // Parts on devices end together: where these end apart, a clock is off.
    let on_host = parts.iter().all(|part| ranks[part.rank as usize].on_host);
    let bytes = parts.iter().map(|part| part_of(ranks, *part).bytes).filter(|bytes| *bytes != NO_COUNT).max();
    let times = CollectiveTimes {
        transfer,
        wait: Nanos::ZERO,
        uneven: Nanos::ZERO,
        at_once: Some(last).filter(|_| on_host && joined && skew <= SLACK && ends_apart),
        skew: Some(skew).filter(|_| joined),
        bytes,
    };
    let wait = lengths.iter().zip(&starts).map(|(length, start)| times.wait_of(*length, *start)).sum();
    let beyond: Nanos = lengths.iter().map(|length| *length - transfer).sum();
    Some(CollectiveTimes { wait, uneven: beyond - wait, ..times })
}

/// The length of a part.
pub(super) fn length_of(ranks: &[RankDigest], clocks: &Clocks, part: PartOf) -> Nanos {
    length_on(clocks, part.rank as usize, part_of(ranks, part).span)
}

/// The length of a part of a rank. The jump of its clock is not time of a part that runs during it.
pub(super) fn length_on(clocks: &Clocks, rank: usize, span: Interval) -> Nanos {
    if clocks.ranks.get(rank).is_some_and(RankClock::jumps) {
        (clocks.common(rank, span.end) - clocks.common(rank, span.start)).max(Nanos::ZERO)
    } else {
        span.len()
    }
}

/// The start of a part on the common clock.
pub(super) fn start_of(ranks: &[RankDigest], clocks: &Clocks, part: PartOf) -> Nanos {
    clocks.common(part.rank as usize, part_of(ranks, part).span.start)
}

/// Sums over the collectives of a row.
#[derive(Clone, Copy, Default)]
struct Sums {
    size: u64,
    count: u64,
    matched: u64,
    incomplete: u64,
    parts: u64,
    sums: CollectiveSums,
    tasks: (CollectiveTasks, Nanos),
    skew: (Nanos, u64, Nanos),
    bytes: Option<u64>,
    /// Bytes by the algorithm's and the bus' count, and the time of their transfers, of those with both.
    rate: (u64, f64, Nanos),
}

impl Sums {
    #[expect(clippy::cast_precision_loss, reason = "bytes, for a rate")]
    fn add(&mut self, of: &Matched, parts: u64, size: u64, own: Option<u64>, times: Option<CollectiveTimes>) {
        self.size = self.size.max(size);
        self.count += 1;
        if let Some(bytes) = own {
            self.bytes = Some(self.bytes.unwrap_or_default().saturating_add(bytes));
        }
        let Some(times) = times else { return };
        self.matched += 1;
        self.incomplete += u64::from(!of.whole);
        self.parts += parts;
        let transfer = Nanos(times.transfer.0.saturating_mul(i64::try_from(parts).unwrap_or(i64::MAX)));
        self.sums.transfer += transfer + times.uneven;
        self.sums.wait += times.wait;
        if let Some(skew) = times.skew {
            self.skew = (self.skew.0 + skew, self.skew.1 + 1, self.skew.2.max(skew));
        }
        if let Some(bytes) = times.bytes.filter(|_| times.transfer > Nanos::ZERO) {
            let bus = of.kind.bus_factor(size).unwrap_or_default() * bytes as f64;
            self.rate = (self.rate.0.saturating_add(bytes), self.rate.1 + bus, self.rate.2 + times.transfer);
        }
    }

    fn add_tasks(&mut self, ranks: &[RankDigest], part: PartOf) {
        let known = ranks[part.rank as usize].tasks.get(part.part as usize).copied().flatten();
        let Some(CollectiveTasks { reduce, transfer, wait }) = known else { return };
        let (sums, length) = &mut self.tasks;
        sums.reduce += reduce;
        sums.transfer += transfer;
        sums.wait += wait;
        *length += part_of(ranks, part).span.len();
    }

    #[expect(clippy::cast_precision_loss, reason = "bytes and lengths, for a rate")]
    fn into_row(self, kind: CollectiveKind, group: Option<usize>) -> CollectiveRow {
        let (bytes, bus, time) = self.rate;
        let per_second = |bytes: f64| (time > Nanos::ZERO).then(|| bytes / time.0 as f64 * 1e9);
        let (skew, skews, most) = self.skew;
        CollectiveRow {
            kind,
            group,
            size: self.size,
            count: self.count,
            matched: self.matched,
            incomplete: self.incomplete,
            parts: self.parts,
            sums: Some(self.sums).filter(|_| self.matched > 0),
            tasks: Some(self.tasks).filter(|(_, known)| *known > Nanos::ZERO),
            mean_skew: (skews > 0).then(|| crate::mean(skew, skews)),
            max_skew: (skews > 0).then_some(most),
            bytes: self.bytes,
            algorithm_bandwidth: per_second(bytes as f64),
            bus_bandwidth: per_second(bus).filter(|_| kind.bus_factor(2).is_some()),
        }
    }
}

/// The rows of all collectives: first by operation, the one that takes the most time first; then the same by group.
pub(super) fn collectives(
    ranks: &[RankDigest],
    groups: &[JobGroup],
    matching: &Matching,
    times: &[Option<CollectiveTimes>],
) -> Vec<CollectiveRow> {
    let mut sums: BTreeMap<(bool, CollectiveKind, Option<usize>), Sums> = BTreeMap::new();
    for (of, times) in matching.collectives.iter().zip(times) {
        let parts = matching.parts(of);
        let own = parts.iter().map(|part| part_of(ranks, *part).bytes).filter(|bytes| *bytes != NO_COUNT).max();
        let size = if of.link.is_some() { 2 } else { groups[of.group].size };
        for group in [None, Some(of.group)] {
            let sums = sums.entry((group.is_some(), of.kind, group)).or_default();
            sums.add(of, parts.len() as u64, size, own, *times);
            if times.is_some() {
                parts.iter().for_each(|part| sums.add_tasks(ranks, *part));
            }
        }
    }
    let mut rows: Vec<CollectiveRow> =
        sums.into_iter().map(|((_, kind, group), sums)| sums.into_row(kind, group)).collect();
    rows.compact_sort_by_key(|row| {
        (row.group.is_some(), std::cmp::Reverse(row.sums.map(CollectiveSums::total)), row.kind, row.group)
    });
    rows
}

/// The link matrix, by sender and receiver.
#[expect(clippy::cast_precision_loss, reason = "bytes and lengths, for a rate")]
pub(super) fn links(ranks: &[RankDigest], matching: &Matching, times: &[Option<CollectiveTimes>]) -> Vec<JobLink> {
    let mut links: BTreeMap<[u64; 2], (JobLink, (u64, Nanos))> = BTreeMap::new();
    let host = |number: u64| ranks.iter().find(|rank| rank.rank == number).map(|rank| rank.host.as_str());
    for (of, times) in matching.collectives.iter().zip(times) {
        let (Some(ends), Some(times)) = (of.link, times) else { continue };
        let [from, to] = ends;
        let (link, rate) = links.entry(ends).or_insert_with(|| {
            let hosts = host(from).zip(host(to)).filter(|(a, b)| !a.is_empty() && !b.is_empty());
            let across_hosts = hosts.map(|(a, b)| a != b);
            let (transfer, wait) = (Nanos::ZERO, Nanos::ZERO);
            (
                JobLink { from, to, across_hosts, count: 0, bytes: None, transfer, wait, bandwidth: None },
                (0, Nanos::ZERO),
            )
        });
        link.count += 1;
        link.transfer += times.transfer;
        link.wait += times.wait;
        if let Some(bytes) = times.bytes {
            link.bytes = Some(link.bytes.unwrap_or_default().saturating_add(bytes));
            *rate = (rate.0.saturating_add(bytes), rate.1 + times.transfer);
        }
    }
    let rated = links.into_values().map(|(link, (bytes, time))| JobLink {
        bandwidth: (time > Nanos::ZERO).then(|| bytes as f64 / time.0 as f64 * 1e9),
        ..link
    });
    rated.collect()
}
