//! Whether traces that are open together are ranks of one job. METRICS section 8 compares ranks of one job alone.

use std::collections::{BTreeMap, BTreeSet};

use super::clock::SLACK;
use super::digest::RankDigest;
use super::operation::CollectiveKind;
use crate::statistics::median_absolute_deviation;
use stepscope_base::{Interval, Nanos, sort_times};

/// Reason why a trace is no rank of the job of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ApartReason {
    /// Both are exports of one recording.
    SameRecording,
    /// Both are recordings of one rank.
    SameRank,
    /// They have different numbers of ranks.
    OtherWorld,
    /// They are of different frameworks.
    OtherFramework,
    /// They were recorded at different times.
    OtherTime,
    /// They are of different runs: their folders have ranks of the same numbers.
    OtherRun,
    /// They show different processes on one device of one host.
    SameDevice,
    /// One of them has neither its rank, nor the number of ranks, nor collectives; or nothing but the numbers of
    /// MindSpore's files relates them.
    NoRank,
}

impl ApartReason {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::SameRecording,
        Self::SameRank,
        Self::OtherWorld,
        Self::OtherFramework,
        Self::OtherTime,
        Self::OtherRun,
        Self::SameDevice,
        Self::NoRank,
    ];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SameRecording => "same_recording",
            Self::SameRank => "same_rank",
            Self::OtherWorld => "other_world",
            Self::OtherFramework => "other_framework",
            Self::OtherTime => "other_time",
            Self::OtherRun => "other_run",
            Self::SameDevice => "same_device",
            Self::NoRank => "no_rank",
        }
    }

    /// A description, for people.
    #[must_use]
    pub fn describe(self) -> &'static str {
        match self {
            Self::SameRecording => "a copy of another trace: the same recording",
            Self::SameRank => "another recording of the same rank",
            Self::OtherWorld => "of a run with another number of ranks",
            Self::OtherFramework => "of another framework",
            Self::OtherTime => "recorded at another time",
            Self::OtherRun => "of another run: its folder has ranks of the same numbers",
            Self::SameDevice => "another process on the same device of the same host",
            Self::NoRank => "nothing shows that it is a rank of the same job",
        }
    }
}

/// A trace that is no rank of a job with another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Apart {
    /// The trace, by its index.
    pub trace: usize,
    /// The reason.
    pub reason: ApartReason,
    /// The trace that it does not belong to, by its index.
    pub other: Option<usize>,
}

/// The relation of traces to each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Relation {
    /// Whether most of them are ranks of one job.
    pub is_job: bool,
    /// Those that are not; for traces that are no job, those that do not belong to the first of them.
    pub apart: Vec<Apart>,
    /// The traces of each run, by their indices: those that may be ranks of one job. A copy of another trace is in
    /// none.
    pub runs: Vec<Vec<usize>>,
}

/// Traces that may be ranks of one job.
struct Candidate<'a> {
    ranks: &'a [RankDigest],
    folders: &'a BTreeMap<&'a str, BTreeSet<u64>>,
    members: Vec<usize>,
    numbers: BTreeMap<u64, usize>,
    world: Option<(u64, usize)>,
    framework: Option<(&'a str, usize)>,
    /// The absolute time of all.
    time: Option<(Interval, usize)>,
}

impl Relation {
    /// Groups traces by the job that each may be a rank of. The largest group is the job; if two are the largest, there
    /// is none.
    #[must_use]
    pub fn of(ranks: &[RankDigest]) -> Self {
        let folders = numbers_in(ranks);
        let mut jobs: Vec<Candidate<'_>> = Vec::new();
        let mut why: Vec<Option<(ApartReason, usize)>> = Vec::with_capacity(ranks.len());
        for index in 0..ranks.len() {
            let conflicts: Vec<Option<(ApartReason, usize)>> = jobs.iter().map(|job| job.conflict(index)).collect();
            // A copy of any trace is a copy, whatever else differs from the others, and belongs to no job of its own.
            let first = conflicts.iter().flatten().min_by_key(|(reason, _)| *reason).copied();
            why.push(first);
            if first.is_some_and(|(reason, _)| reason == ApartReason::SameRecording) {
                continue;
            }
            match conflicts.iter().position(Option::is_none) {
                Some(job) => jobs[job].add(index),
                None => {
                    let mut job = Candidate::new(ranks, &folders);
                    job.add(index);
                    jobs.push(job);
                }
            }
        }
        let most = jobs.iter().map(|job| job.members.len()).max().unwrap_or_default();
        let largest = || jobs.iter().filter(|job| job.members.len() == most);
        let job = largest().next().filter(|_| most > 1 && largest().count() == 1);
        let members: BTreeSet<usize> =
            largest().next().map_or_else(BTreeSet::new, |job| job.members.iter().copied().collect());
        let apart = |trace: usize| {
            let found = why[trace].or_else(|| jobs.iter().find_map(|job| job.conflict_of_others(trace)))?;
            Some(Apart { trace, reason: found.0, other: Some(found.1) })
        };
        let others = (0..ranks.len()).filter(|trace| !members.contains(trace));
        let (is_job, apart) = (job.is_some(), others.filter_map(apart).collect());
        Self { is_job, apart, runs: jobs.into_iter().map(|job| job.members).collect() }
    }
}

impl Relation {
    /// Returns the run of a trace, by its index in [`Self::runs`]; none for a copy.
    #[must_use]
    pub fn run_of(&self, trace: usize) -> Option<usize> {
        self.runs.iter().position(|run| run.contains(&trace))
    }

    /// Returns the trace of which a trace is a copy, both by their indices.
    #[must_use]
    pub fn copy_of(&self, trace: usize) -> Option<usize> {
        let is_copy = |apart: &&Apart| apart.trace == trace && apart.reason == ApartReason::SameRecording;
        self.apart.iter().find(is_copy)?.other
    }

    /// Returns the number of traces that are copies of others.
    #[must_use]
    pub fn copies(&self) -> usize {
        self.apart.iter().filter(|apart| apart.reason == ApartReason::SameRecording).count()
    }

    /// The traces that are no ranks of the job. Several recordings of one rank are none of these: the first is
    /// compared, without other ranks.
    pub(super) fn strangers(&self, ranks: &[RankDigest]) -> BTreeMap<usize, ApartReason> {
        let number = |trace: usize| ranks[trace].rank;
        let is_repeated = |apart: &Apart| match apart.reason {
            ApartReason::SameRank => true,
            ApartReason::SameRecording => apart.other.is_some_and(|other| number(other) == number(apart.trace)),
            _ => false,
        };
        let strangers = self.apart.iter().filter(|apart| self.is_job && !is_repeated(apart));
        strangers.map(|apart| (apart.trace, apart.reason)).collect()
    }
}

impl<'a> Candidate<'a> {
    fn new(ranks: &'a [RankDigest], folders: &'a BTreeMap<&'a str, BTreeSet<u64>>) -> Self {
        Self { ranks, folders, members: Vec::new(), numbers: BTreeMap::new(), world: None, framework: None, time: None }
    }

    fn add(&mut self, index: usize) {
        let rank = &self.ranks[index];
        self.members.push(index);
        if !rank.unnumbered {
            self.numbers.entry(rank.rank).or_insert(index);
        }
        self.world = self.world.or(rank.world_size.map(|world| (world, index)));
        self.framework = self.framework.or(framework(rank).map(|name| (name, index)));
        self.time = match (self.time, absolute(rank)) {
            (Some((all, by)), Some(own)) => Some((Interval::new(all.start.min(own.start), all.end.max(own.end)), by)),
            (known, own) => known.or(own.map(|own| (own, index))),
        };
    }

    /// The reason why a trace is no rank of this job, and the trace of it that shows the reason.
    fn conflict(&self, index: usize) -> Option<(ApartReason, usize)> {
        let (rank, first) = (&self.ranks[index], *self.members.first()?);
        if let Some(other) = self.members.iter().find(|other| is_same_recording(&self.ranks[**other], rank)) {
            return Some((ApartReason::SameRecording, *other));
        }
        if let Some((_, other)) = self.framework.filter(|(name, _)| framework(rank).is_some_and(|own| own != *name)) {
            return Some((ApartReason::OtherFramework, other));
        }
        if let Some((_, other)) = self.world.filter(|(world, _)| rank.world_size.is_some_and(|own| own != *world)) {
            return Some((ApartReason::OtherWorld, other));
        }
        let told = tells_of_job(rank) && tells_of_job(&self.ranks[first]);
        if !told && !self.members.iter().all(|other| runs_beside(&self.ranks[*other], rank)) {
            return Some((ApartReason::NoRank, first));
        }
        if let Some((time, other)) = self.time
            && absolute(rank).is_some_and(|own| is_apart(time, own))
            && !self.members.iter().any(|other| ends_coincide(&self.ranks[*other], rank))
        {
            return Some((ApartReason::OtherTime, other));
        }
        if let Some(other) = self.members.iter().find(|other| self.is_other_run(**other, index)) {
            return Some((ApartReason::OtherRun, *other));
        }
        if let Some(same) = self.numbers.get(&rank.rank).filter(|_| !rank.unnumbered) {
            return Some((ApartReason::SameRank, *same));
        }
        let disjoint = self.members.iter().find(|other| is_disjoint(&self.ranks[**other], rank));
        if let Some(other) = disjoint {
            return Some((ApartReason::OtherTime, *other));
        }
        let on_same_device = self.members.iter().find(|other| shares_device(&self.ranks[**other], rank));
        if let Some(other) = on_same_device {
            return Some((ApartReason::SameDevice, *other));
        }
        let named_apart = self.members.iter().find(|other| is_named_apart(&self.ranks[**other], rank));
        named_apart.map(|other| (ApartReason::NoRank, *other))
    }

    /// Whether two traces lie in folders of different runs: both have a rank of the same number.
    fn is_other_run(&self, one: usize, other: usize) -> bool {
        let [one, other] = [one, other].map(|index| &self.ranks[index]);
        let [of_one, of_other] = [one, other].map(|rank| self.folders.get(rank.folder.as_str()));
        one.folder != other.folder
            && of_one.zip(of_other).is_some_and(|(one, other)| !one.is_disjoint(other))
            && !ends_coincide(one, other)
    }

    /// The same for a trace that came before those of this job.
    fn conflict_of_others(&self, index: usize) -> Option<(ApartReason, usize)> {
        if self.members.contains(&index) { None } else { self.conflict(index) }
    }
}

/// The numbers of the ranks in each folder.
fn numbers_in(ranks: &[RankDigest]) -> BTreeMap<&str, BTreeSet<u64>> {
    let mut found: BTreeMap<&str, BTreeSet<u64>> = BTreeMap::new();
    for rank in ranks.iter().filter(|rank| !rank.unnumbered) {
        found.entry(rank.folder.as_str()).or_default().insert(rank.rank);
    }
    found
}

/// The framework that a trace names.
fn framework(rank: &RankDigest) -> Option<&str> {
    Some(rank.framework.as_str()).filter(|name| !name.is_empty())
}

/// Whether a trace shows that it is of a rank among others.
fn tells_of_job(rank: &RankDigest) -> bool {
    let alone = rank.world_size == Some(1);
    !alone && (!rank.unnumbered || rank.world_size.is_some() || !rank.parts.is_empty())
}

/// Whether nothing but the numbers of their files relates two traces of MindSpore, and their folders have names that differ
/// in more than a number. Such a number may be the device's of a training on it alone.
fn is_named_apart(one: &RankDigest, other: &RankDigest) -> bool {
    let may_be_alone = |rank: &RankDigest| {
        crate::Recorder::of_framework(&rank.framework) == crate::Recorder::MindSpore
            && rank.world_size.is_none()
            && !rank.folder.is_empty()
    };
    let without_number = |name: &str| name.replace(|of: char| of.is_ascii_digit(), "");
    let differing = || one.folder.split('/').zip(other.folder.split('/')).find(|(one, other)| one != other);
    !(communicates(one) && communicates(other))
        && may_be_alone(one)
        && may_be_alone(other)
        && differing().is_some_and(|(one, other)| without_number(one) != without_number(other))
}

/// Whether a trace has a collective, or its profiler's tables have time of communication.
fn communicates(rank: &RankDigest) -> bool {
    let times = rank.recorded.and_then(|recorded| recorded.times);
    !rank.parts.is_empty() || times.is_some_and(|times| times.communication_alone > Nanos::ZERO)
}

/// Whether two processes of one recording run the same program on different devices, as ranks do.
fn runs_beside(one: &RankDigest, other: &RankDigest) -> bool {
    let same = |of: fn(&RankDigest) -> &str| of(one) == of(other) && !of(one).is_empty();
    let devices = |rank: &RankDigest| rank.devices.iter().map(|(device, _)| *device).collect::<BTreeSet<i64>>();
    let [own, its] = [one, other].map(devices);
    same(|rank| &rank.program)
        && same(|rank| &rank.folder)
        && !own.is_empty()
        && !its.is_empty()
        && own.is_disjoint(&its)
}

/// The absolute time of a trace, if it is known.
fn absolute(rank: &RankDigest) -> Option<Interval> {
    let (origin, span) = (rank.origin?, rank.fingerprint.span);
    let at = |moment: Nanos| Nanos(moment.0.saturating_add(origin));
    (!span.is_empty()).then(|| Interval::new(at(span.start), at(span.end)))
}

/// Whether two traces of one host, and so of one clock, have no time in common. Ranks without numbers are of one job by
/// their collectives alone, so for these an unknown host counts as the same one.
fn is_disjoint(one: &RankDigest, other: &RankDigest) -> bool {
    let Some((own, its)) = absolute(one).zip(absolute(other)) else { return false };
    let numbered = !one.unnumbered && !other.unnumbered;
    let same_host = one.host == other.host && (!one.host.is_empty() || !numbered);
    let is_disjoint = own.end <= its.start || its.end <= own.start;
    // A host's name may be that of several machines, and an unknown host may be another one: their clocks may differ.
    let may_differ = numbered || one.host.is_empty();
    same_host && is_disjoint && !(may_differ && ends_coincide(one, other))
}

/// Whether two processes used one device, and neither their numbers nor their collectives show that they are ranks of
/// one job: a process may count only the devices that are visible to it.
fn shares_device(one: &RankDigest, other: &RankDigest) -> bool {
    let of = |rank: &RankDigest| rank.devices.iter().map(|(device, _)| *device).collect::<BTreeSet<i64>>();
    let unnumbered = one.unnumbered || other.unnumbered;
    let same_host = one.host == other.host && !one.host.is_empty();
    unnumbered && same_host && !of(one).is_disjoint(&of(other)) && !ends_coincide(one, other)
}

/// Whether two times are so far apart that clocks of two machines do not explain it.
fn is_apart(one: Interval, other: Interval) -> bool {
    const MINUTE: Nanos = Nanos(60_000_000_000);
    let between = one.start.max(other.start) - one.end.min(other.end);
    between > MINUTE.max(Nanos(one.len().max(other.len()).0.saturating_mul(10)))
}

/// Whether the collectives of two traces end at the same moments but for a wrong clock: as many of a kind, at a
/// constant difference.
fn ends_coincide(one: &RankDigest, other: &RankDigest) -> bool {
    let mut differences: Vec<Nanos> = Vec::new();
    for kind in CollectiveKind::ALL.into_iter().filter(|kind| kind.synchronizes()) {
        let ends = |rank: &RankDigest| -> Vec<Nanos> {
            rank.parts.iter().filter(|part| part.kind == kind).map(|part| part.span.end).collect()
        };
        let (one, other) = (ends(one), ends(other));
        if one.len() == other.len() {
            differences.extend(one.iter().zip(&other).map(|(one, other)| *one - *other));
        }
    }
    sort_times(&mut differences);
    let spread = median_absolute_deviation(&differences);
    differences.len() > 2 && spread <= Nanos(SLACK.0.saturating_mul(5))
}

/// Whether two traces are exports of one recording: they begin at the same moment, as far as that is known, and have
/// the same events.
fn is_same_recording(one: &RankDigest, other: &RankDigest) -> bool {
    const MOMENT: u64 = 1_000_000;
    let begin = |rank: &RankDigest| Some(rank.origin?.saturating_add(rank.fingerprint.span.start.0));
    let is_apart = begin(one).zip(begin(other)).is_some_and(|(one, other)| one.abs_diff(other) > MOMENT);
    // A number may be in the name of one file alone.
    let numbers = one.unnumbered || other.unnumbered || one.rank == other.rank;
    let steps = |rank: &RankDigest| rank.steps.len();
    numbers && !is_apart && steps(one) == steps(other) && one.fingerprint.is_same(&other.fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::{CollectivePart, Fingerprint, RecordedRank, RecordedTimes};
    use stepscope_trace::{EventId, NO_COUNT, NO_SERIAL};

    const SECOND: i64 = 1_000_000_000;

    /// A rank that was recorded for a second, with that many collectives.
    fn rank(number: u64, world: Option<u64>, at: i64, collectives: i64) -> RankDigest {
        let part = |place: i64| CollectivePart {
            event: EventId(0),
            kind: CollectiveKind::AllReduce,
            group: 0,
            sequence: NO_COUNT,
            step: 0,
            span: Interval::new(Nanos(place * 10_000_000), Nanos(place * 10_000_000 + 1_000_000)),
            own: [Nanos::ZERO; 2],
            blocks: true,
            alone: Nanos::ZERO,
            bytes: NO_COUNT,
            peer: NO_SERIAL,
        };
        let busy = Nanos(SECOND - i64::try_from(number).expect("a number") * 1_000_000);
        RankDigest {
            rank: number,
            world_size: world,
            origin: Some(at * SECOND),
            fingerprint: Fingerprint {
                span: Interval::new(Nanos::ZERO, Nanos(SECOND)),
                activities: 100,
                activity_time: busy,
                ..Fingerprint::default()
            },
            parts: (0..collectives).map(part).collect(),
            ..RankDigest::default()
        }
    }

    fn found(ranks: &[RankDigest]) -> (bool, Vec<(usize, ApartReason)>) {
        let Relation { is_job, apart, .. } = Relation::of(ranks);
        (is_job, apart.into_iter().map(|one| (one.trace, one.reason)).collect())
    }

    #[test]
    fn ranks_of_one_job() {
        let ranks: Vec<RankDigest> = (0..4).map(|number| rank(number, Some(4), 0, 3)).collect();
        assert_eq!(found(&ranks), (true, vec![]));
        let unnumbered: Vec<RankDigest> =
            ranks.iter().map(|rank| RankDigest { unnumbered: true, world_size: None, ..rank.clone() }).collect();
        assert_eq!(found(&unnumbered), (true, vec![]), "they have collectives");
        // A clock that is wrong by a day: the collectives end together all the same.
        let wrong = RankDigest { origin: Some(86_400 * SECOND), ..ranks[1].clone() };
        assert_eq!(found(&[ranks[0].clone(), wrong]), (true, vec![]));
        assert_eq!(found(&[]), (false, vec![]));
    }

    #[test]
    fn unrelated_traces_are_no_job() {
        use ApartReason as R;
        let first = rank(0, Some(2), 0, 3);
        let cases = [
            (rank(3, Some(8), 0, 3), R::OtherWorld),
            (rank(1, Some(2), 3_600, 4), R::OtherTime),
            (
                RankDigest { fingerprint: Fingerprint { activities: 7, ..first.fingerprint }, ..first.clone() },
                R::SameRank,
            ),
            (first.clone(), R::SameRecording),
            (RankDigest { file: "other.db".into(), framework: "PyTorch".into(), ..first.clone() }, R::SameRecording),
            (RankDigest { unnumbered: true, world_size: None, parts: vec![], ..rank(1, None, 0, 0) }, R::NoRank),
            (rank(1, Some(1), 0, 0), R::OtherWorld),
        ];
        for (other, reason) in cases {
            assert_eq!(found(&[first.clone(), other]), (false, vec![(1, reason)]), "{reason:?}");
        }
        let of = |framework: &str, number| RankDigest { framework: framework.into(), ..rank(number, Some(2), 0, 3) };
        assert_eq!(found(&[of("PyTorch", 0), of("MindSpore", 1)]), (false, vec![(1, R::OtherFramework)]));
    }

    /// Runs of one program, one after another, on one host: each has collectives of a group of two.
    #[test]
    fn runs_without_common_time_or_on_one_device_are_no_job() {
        use ApartReason as R;
        let run = |number: u64, at: i64, host: &str, device: i64| RankDigest {
            unnumbered: true,
            host: host.into(),
            devices: vec![(device, String::new())],
            ..rank(number, None, at, 3 + i64::try_from(number).expect("a number"))
        };
        let of = |at, host: &str, device| found(&[run(0, 0, "vm", 0), run(1, at, host, device)]);
        assert_eq!(of(5, "vm", 0), (false, vec![(1, R::OtherTime)]));
        assert_eq!(of(5, "vm", 1), (false, vec![(1, R::OtherTime)]));
        assert_eq!(of(0, "vm", 0), (false, vec![(1, R::SameDevice)]));
        assert_eq!(of(0, "vm", 1), (true, vec![]), "two devices at one time");
        assert_eq!(of(5, "other", 0), (true, vec![]), "another machine's clock may differ");
        // Numbers show a job, unless the clock of their host shows that they ran at different times.
        let numbered = |at| rank(1, Some(2), at, 4);
        let on = |host: &str, rank: RankDigest| RankDigest { host: host.into(), ..rank };
        let first = || on("vm", rank(0, Some(2), 0, 3));
        assert_eq!(found(&[first(), on("vm", numbered(5))]), (false, vec![(1, R::OtherTime)]));
        assert_eq!(found(&[first(), on("other", numbered(5))]), (true, vec![]));
    }

    /// A copy is one whatever rank its file's name has, and copies of two ranks are no second job.
    #[test]
    fn copies_are_told_whatever_their_number() {
        use ApartReason as R;
        let alone = RankDigest { unnumbered: true, world_size: None, parts: vec![], ..rank(0, None, 0, 0) };
        let named = RankDigest { unnumbered: false, rank: 7, ..alone.clone() };
        let relation = Relation::of(&[alone, named]);
        assert_eq!((relation.is_job, relation.copy_of(1), relation.copies()), (false, Some(0), 1));
        let ranks = [rank(0, Some(2), 0, 3), rank(1, Some(2), 0, 3), rank(0, Some(2), 0, 3), rank(1, Some(2), 0, 3)];
        assert_eq!(found(&ranks), (true, vec![(2, R::SameRecording), (3, R::SameRecording)]));
    }

    /// Two processes on two devices whose long copies take the same time; their kernels do not.
    #[test]
    fn processes_that_copy_the_same_are_two_recordings() {
        let of = |kernel_time: i64| {
            let alone = RankDigest { unnumbered: true, world_size: None, parts: vec![], ..rank(0, None, 0, 0) };
            let fingerprint = Fingerprint { kernels: 60, kernel_time: Nanos(kernel_time), ..alone.fingerprint };
            RankDigest { fingerprint, ..alone }
        };
        assert_eq!(found(&[of(22_385_163), of(22_444_359)]), (false, vec![(1, ApartReason::NoRank)]));
        assert_eq!(found(&[of(22_385_163), of(22_385_900)]), (false, vec![(1, ApartReason::SameRecording)]));
    }

    #[test]
    fn folders_with_the_same_numbers_are_several_runs() {
        use ApartReason as R;
        let of = |folder: &str, number: u64, collectives: i64| {
            let own = rank(number, None, 0, collectives);
            let activities = own.fingerprint.activities + collectives.unsigned_abs();
            let fingerprint = Fingerprint { activities, ..own.fingerprint };
            RankDigest { folder: folder.into(), origin: None, fingerprint, ..own }
        };
        let first = [of("a", 0, 3), of("a", 1, 3), of("a", 2, 3)];
        let second = [of("b", 1, 4), of("b", 5, 5)];
        let all = [&first[..], &second[..]].concat();
        assert_eq!(found(&all), (true, vec![(3, R::OtherRun), (4, R::OtherRun)]), "rank 5 is of the second run, too");
        assert!(!found(&[&first[..2], &second[..]].concat()).0, "two runs of two ranks");
        // A folder of its own for each rank shows nothing.
        let apart: Vec<RankDigest> = (0..3).map(|number| of(&number.to_string(), number, 3)).collect();
        assert_eq!(found(&apart), (true, vec![]));
    }

    #[test]
    fn numbers_of_files_alone_do_not_join_folders_of_other_names() {
        let joined = |folders: [&str; 2], world: Option<u64>, collectives: i64| {
            let of = |number: u64, folder: &str| RankDigest {
                folder: folder.to_owned(),
                framework: "MindSpore".to_owned(),
                origin: None,
                ..rank(number, world, 0, collectives * i64::try_from(number).expect("a number"))
            };
            found(&[of(0, folders[0]), of(1, folders[1])]).0
        };
        assert!(!joined(["trainings/JOB1", "trainings/run_1/profiler"], None, 0));
        assert!(!joined(["trainings/JOB1", "trainings/run_1/profiler"], None, 3), "one of them has no collectives");
        assert!(joined(["job/rank_0", "job/rank_1/profiler"], None, 0), "the names differ in the number");
        assert!(joined(["job", "job/more"], None, 0), "a folder in the other");
        assert!(joined(["first", "second"], Some(2), 0), "both are of a world of two");
        let by_tables = |number: u64, folder: &str| {
            let times = RecordedTimes { communication_alone: Nanos(1), ..RecordedTimes::default() };
            let recorded = Some(RecordedRank { times: Some(times), flops: None });
            let framework = "MindSpore".to_owned();
            RankDigest { folder: folder.to_owned(), framework, recorded, ..rank(number, None, 0, 0) }
        };
        assert!(found(&[by_tables(0, "first"), by_tables(1, "second")]).0, "both communicate by their tables");
        let of_others = |number: u64, folder: &str| RankDigest {
            folder: folder.to_owned(),
            framework: "PyTorch".to_owned(),
            ..rank(number, None, 0, 0)
        };
        assert!(found(&[of_others(0, "first"), of_others(1, "second")]).0, "others have the number of the rank");
    }

    /// Two processes of one report, on a device each: nothing else shows that they are ranks.
    #[test]
    fn processes_of_one_program_on_a_device_each_are_ranks() {
        use ApartReason as R;
        let of = |device: i64, program: &str, folder: &str| RankDigest {
            unnumbered: true,
            world_size: None,
            parts: vec![],
            program: program.into(),
            folder: folder.into(),
            devices: vec![(device, String::new())],
            ..rank(u64::try_from(device).expect("a number"), None, 0, 0)
        };
        let first = of(0, "python3, 2 processes", "two.sqlite");
        assert_eq!(found(&[first.clone(), of(1, "python3, 2 processes", "two.sqlite")]), (true, vec![]));
        for other in [of(1, "", "two.sqlite"), of(1, "python3, 2 processes", "other.sqlite")] {
            assert_eq!(found(&[first.clone(), other]), (false, vec![(1, R::NoRank)]));
        }
        let same_device = RankDigest { rank: 1, ..of(0, "python3, 2 processes", "two.sqlite") };
        let kernels = Fingerprint { kernels: 7, ..same_device.fingerprint };
        assert!(!found(&[first, RankDigest { fingerprint: kernels, ..same_device }]).0);
    }

    #[test]
    fn the_job_is_what_the_most_belong_to() {
        use ApartReason as R;
        let stray = rank(7, Some(16), 0, 3);
        let ranks = [stray.clone(), rank(0, Some(2), 0, 3), rank(1, Some(2), 0, 3)];
        assert_eq!(found(&ranks), (true, vec![(0, R::OtherWorld)]));
        let two = [&ranks[..], &[rank(8, Some(16), 0, 3)]].concat();
        assert!(!found(&two).0, "two jobs of two ranks");
        assert_eq!(Relation::of(&two).runs, [[0, 3], [1, 2]]);
        let copied = [rank(0, Some(2), 0, 3), rank(1, Some(2), 0, 3), rank(1, Some(2), 0, 3)];
        assert_eq!(found(&copied), (true, vec![(2, R::SameRecording)]));
        let relation = Relation::of(&copied);
        assert_eq!((relation.run_of(1), relation.run_of(2)), (Some(0), None), "a copy is no run of its own");
    }
}
