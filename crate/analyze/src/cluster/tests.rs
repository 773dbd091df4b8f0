use proptest::prelude::{Strategy, any, prop_assert, prop_assert_eq, proptest};

use super::*;
use stepscope_base::Interval;
use stepscope_trace::{EventId, NO_COUNT, NO_SERIAL};

fn part(kind: CollectiveKind, group: u32, sequence: Option<u64>, step: u32, start: i64, length: i64) -> CollectivePart {
    CollectivePart {
        event: EventId(u32::try_from(start).unwrap()),
        kind,
        group,
        sequence: sequence.unwrap_or(NO_COUNT),
        step,
        span: Interval::new(Nanos(start), Nanos(start + length)),
        own: [Nanos(start), Nanos(start)],
        blocks: true,
        alone: Nanos(length),
        bytes: 1_000,
        peer: NO_SERIAL,
    }
}

fn step(name: &str, start: i64, end: i64) -> StepDigest {
    let span = Interval::new(Nanos(start), Nanos(end));
    StepDigest { name: name.into(), span, counts: true, own: [Nanos(start), Nanos(end)], ..StepDigest::default() }
}

fn rank(rank: u64, parts: Vec<CollectivePart>, steps: Vec<StepDigest>) -> RankDigest {
    let group = DigestGroup { name: "0".into(), ranks: vec![0, 1], size: Some(2), ..DigestGroup::default() };
    RankDigest { rank, origin: Some(0), marked_steps: true, groups: vec![group], parts, steps, ..RankDigest::default() }
}

fn codes(job: &Job) -> Vec<JobCode> {
    job.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn transfer_wait_skew_and_bandwidth() {
    let of = |number, start, length| {
        rank(number, vec![part(CollectiveKind::AllGather, 0, Some(1), 0, start, length)], vec![step("1", 0, 5_000)])
    };
    let job = job(&[of(0, 1_000, 500), of(1, 1_300, 200)]);
    let row = &job.collectives[0];
    let sums = row.sums.expect("matched");
    assert_eq!((sums.total(), sums.transfer, sums.wait), (Nanos(700), Nanos(400), Nanos(300)));
    assert_eq!((row.mean_skew, row.max_skew), (Some(Nanos(300)), Some(Nanos(300))));
    // 1000 bytes in 200 ns; half of them pass each of two links.
    assert_eq!((row.algorithm_bandwidth, row.bus_bandwidth), (Some(5e9), Some(2.5e9)));
    assert_eq!([job.ranks[0].votes, job.ranks[1].votes, job.ranks[0].voted], [0, 1, 1]);
}

#[test]
fn ranks_that_compute_longer_without_delay_are_named() {
    let of = |number, compute| {
        let parts = vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, 900_000, 100_000)];
        rank(number, parts, vec![StepDigest { compute: Nanos(compute), ..step("1", 0, 1_000_000) }])
    };
    let found = |computes: &[i64]| {
        let ranks: Vec<_> = computes.iter().zip(0..).map(|(compute, number)| of(number, *compute)).collect();
        job(&ranks).longer_compute()
    };
    let of_two = found(&[400_000, 500_000]).expect("a quarter longer");
    assert_eq!(of_two.ranks, [1]);
    assert!((of_two.by - 0.25).abs() < 1e-9, "{}", of_two.by);
    let of_many = found(&[400_000, 520_000, 400_000, 400_000, 400_000, 560_000]).expect("two of six");
    assert_eq!(of_many.ranks, [5, 1]);
    assert!((of_many.by - 0.4).abs() < 1e-9, "{}", of_many.by);
    assert_eq!(found(&[400_000, 410_000]), None, "no more than by chance");
    // One that is late by that is a straggler: it has its own line.
    let own = |number, own| {
        let parts = vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, own, 1_000_000 - own)];
        let step = StepDigest { own: [Nanos(0), Nanos(own)], compute: Nanos(own), ..step("1", 0, 1_000_000) };
        rank(number, parts, vec![step])
    };
    let late = job(&[own(0, 400_000), own(1, 600_000)]);
    assert_eq!((late.verdict, late.longer_compute()), (StragglerVerdict::Found, None));
}

#[test]
fn rows_of_ranks_have_no_number_for_what_is_unknown() {
    let parts = vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, 900, 100)];
    let step = StepDigest { compute: Nanos(500), ..step("1", 0, 1_000) };
    let of = |number, origin| RankDigest {
        origin,
        flops: Some(2_000),
        flops_coverage: 0.25,
        ..rank(number, parts.clone(), vec![step.clone()])
    };
    // Nothing connects the second one's clock.
    let alone = RankDigest { groups: Vec::new(), parts: Vec::new(), ..of(1, None) };
    let found = job(&[of(0, Some(0)), alone]);
    let table = stepscope_table::Table::of::<RankTable>(&[0, 1], &found);
    let cells = |key: &str| [0, 1].map(|row| table.row(row).find(|(column, _)| column.key == key).expect(key).1);
    use stepscope_table::Count;
    use stepscope_table::Value::{Covered, Unknown, Whole, Word};
    assert_eq!(cells("clock.source"), [Word("shared"), Word("unknown")]);
    for key in ["clock.offset_ns", "clock.drift_ns"] {
        assert_eq!(cells(key), [Whole(0), Unknown], "{key}");
    }
    // Operations that are known for a part only come with that part.
    assert_eq!(cells("flops"), [const { Covered(Count::Whole(2_000), 0.25) }; 2]);
    assert_eq!(cells("flops_per_second")[0], Covered(Count::Mean(2_000.0 / 500.0 * 1e9), 0.25));
}

#[test]
fn ranks_that_start_at_once_wait_for_none() {
    let of = |number, start, length, on_host| RankDigest {
        on_host,
        ..rank(number, vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, start, length)], vec![step("1", 0, 900_000)])
    };
    let told = |starts: [i64; 2], lengths: [i64; 2], on_host: bool| {
        let ranks = [of(0, starts[0], lengths[0], on_host), of(1, starts[1], lengths[1], on_host)];
        let job = job(&ranks);
        let sums = job.collectives[0].sums.expect("matched");
        let peers = job.peers(&ranks.each_ref(), PartOf { rank: 0, part: 0 }).peers;
        let waits: Vec<_> = peers.iter().map(|peer| peer.part.expect("a part").wait.expect("known").0).collect();
        assert_eq!(waits.iter().sum::<i64>(), sums.wait.0);
        (sums.transfer.0, sums.wait.0)
    };
    let sums = |starts: [i64; 2], lengths: [i64; 2]| told(starts, lengths, true);
    // Parts on devices end together: a clock is off by the difference.
    assert_eq!(told([1_000, 1_000], [346_000, 484_000], false), (692_000, 138_000));
    // One ends 138 µs after the other: it transfers that long.
    assert_eq!(sums([1_000, 1_000], [346_000, 484_000]), (830_000, 0));
    assert_eq!(sums([1_000, 8_000], [484_000, 346_000]), (823_000, 7_000), "until the other one starts");
    // As far apart as their starts, it waits.
    assert_eq!(sums([1_000, 139_000], [484_000, 346_000]), (692_000, 138_000));
    assert_eq!(sums([1_000, 16_000], [361_000, 346_000]), (692_000, 15_000));
}

#[test]
fn a_restart_begins_the_numbers_anew() {
    let of = |number| {
        let numbered = [1, 2, 3, 1, 2].into_iter().zip(0..);
        let parts =
            numbered.map(|(sequence, at)| part(CollectiveKind::AllReduce, 0, Some(sequence), 0, 1_000 * at, 100));
        rank(number, parts.collect(), vec![step("1", 0, 9_000)])
    };
    let job = job(&[of(0), of(1)]);
    assert_eq!((codes(&job), job.matching.collectives.len()), (vec![JobCode::Restart], 5));
    assert!(job.matching.collectives.iter().all(|of| of.whole));
}

/// Two ranks with collectives of these numbers.
fn numbered(numbers: [&[u64]; 2]) -> Job {
    let of = |(number, numbers): (u64, &&[u64])| {
        let parts = (0..)
            .zip(*numbers)
            .map(|(at, sequence)| part(CollectiveKind::AllReduce, 0, Some(*sequence), 0, 1_000 * at, 100));
        rank(number, parts.collect(), vec![step("1", 0, 9_000)])
    };
    job(&[of((0, &numbers[0])), of((1, &numbers[1]))])
}

#[test]
fn a_clock_that_goes_back_is_told_from_a_restart() {
    let restarts = |numbers| numbered(numbers).matching.restarts;
    // The numbers restart for all ranks, or occur again.
    assert_eq!(restarts([&[100, 101, 102, 1, 2, 3], &[100, 101, 102, 1, 2, 3]]), 2);
    assert_eq!(restarts([&[1, 2, 3, 4], &[1, 2, 1, 2]]), 1);
    // A rank whose recording ends before the other one's restart is no evidence.
    assert_eq!(restarts([&[100, 101, 102], &[100, 101, 102, 1, 2]]), 1);
    // The numbers continue where the clock went back, as they or the other rank show.
    for numbers in [
        [&[1, 2, 3, 4, 5, 6][..], &[4, 5, 6, 1, 2, 3]],
        [&[4, 5, 6, 1, 2, 3], &[4, 5, 6, 1, 2, 3]],
        [&[1, 2, 3, 100, 101], &[100, 101, 1, 2, 3]],
        [&[1, 2, 3, 4, 5, 6], &[1, 2, 5, 3, 6, 4]],
    ] {
        let job = numbered(numbers);
        assert_eq!(job.matching.restarts, 0, "{numbers:?}");
        let warning = job.warnings.iter().find(|warning| warning.code == JobCode::ClockJump).expect("a jump");
        assert_eq!(warning.ranks.last(), Some(&1), "{numbers:?}");
    }
}

#[test]
fn ranks_that_are_joined_only_through_others_have_no_step_in_common() {
    let of = |number: u64, first: u64| {
        let at = |name: u64| i64::try_from(name).unwrap() * 10_000;
        let numbered = (0..).zip([first, first + 1]);
        let parts = numbered.map(|(index, name)| part(CollectiveKind::AllReduce, 0, Some(name), index, at(name), 100));
        let steps = [first, first + 1].map(|name| step(&name.to_string(), at(name), at(name + 1)));
        let found = rank(number, parts.collect(), steps.to_vec());
        RankDigest { groups: vec![DigestGroup { ranks: vec![0, 1, 2], ..found.groups[0].clone() }], ..found }
    };
    let found = job(&[of(0, 1), of(1, 2), of(2, 3)]);
    let warning = found.warnings.iter().find(|warning| warning.code == JobCode::NoCommonStep).expect("none in common");
    assert_eq!(warning.ranks, [0, 1, 2]);
    assert!(!codes(&found).contains(&JobCode::LackingParts), "those of steps that it has not are not its");
    assert!(!codes(&job(&[of(0, 1), of(1, 2), of(2, 1)])).contains(&JobCode::NoCommonStep));
}

#[test]
fn a_rank_that_occurs_again_is_left_out() {
    let of =
        |number| rank(number, vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, 0, 100)], vec![step("1", 0, 900)]);
    let job = job(&[of(0), of(1), of(1)]);
    assert!(codes(&job).contains(&JobCode::RepeatedRank), "{:?}", job.warnings);
    assert_eq!(job.matching.parts(&job.matching.collectives[0]).len(), 2);
}

#[test]
fn each_side_of_a_message_counts_its_own() {
    let message = |kind, peer, sequence, start| CollectivePart { peer, ..part(kind, 0, Some(sequence), 0, start, 50) };
    let first = vec![message(CollectiveKind::Send, 1, 7, 0), message(CollectiveKind::Receive, 1, 8, 200)];
    let second = vec![message(CollectiveKind::Receive, 0, 1, 0), message(CollectiveKind::Send, 0, 2, 200)];
    let steps = || vec![step("1", 0, 900)];
    let job = job(&[rank(0, first, steps()), rank(1, second, steps())]);
    let links: Vec<_> = job.links.iter().map(|link| (link.from, link.to, link.count, link.transfer)).collect();
    assert_eq!(links, [(0, 1, 1, Nanos(50)), (1, 0, 1, Nanos(50))]);
    assert_eq!(job.stages.iter().map(|stage| stage.ranks.clone()).collect::<Vec<_>>(), [[0], [1]]);
    assert_eq!(codes(&job), []);
}

/// The peers of the first rank's part: the criterion of the match, and the part of each rank.
fn peers_of(ranks: &[RankDigest], part: u32) -> (Option<MatchedBy>, Vec<(u64, Option<PeerPart>)>) {
    let all: Vec<&RankDigest> = ranks.iter().collect();
    let job = job(ranks);
    let found = job.peers(&all, PartOf { rank: 0, part });
    (found.by, found.peers.iter().map(|peer| (job.ranks[peer.rank].rank, peer.part)).collect())
}

#[test]
fn peers_of_a_collective_are_those_of_its_group_on_one_clock() {
    let all_reduce =
        |group, number, start, length| part(CollectiveKind::AllReduce, group, Some(number), 0, start, length);
    let here = rank(0, vec![all_reduce(0, 5, 100, 60)], vec![step("1", 0, 900)]);
    // It has one more, and its clock began 1000 ns later.
    let there = rank(1, vec![all_reduce(0, 4, 90, 10), all_reduce(0, 5, 130, 30)], vec![step("1", 0, 900)]);
    let there = RankDigest { origin: Some(1_000), ..there };
    let outside = rank(2, vec![all_reduce(0, 5, 130, 30)], vec![step("1", 0, 900)]);
    let outside =
        RankDigest { groups: vec![DigestGroup { ranks: vec![2, 3], ..outside.groups[0].clone() }], ..outside };
    let (by, peers) = peers_of(&[here.clone(), there, outside], 0);
    assert_eq!(by, Some(MatchedBy::Sequence));
    let [(0, Some(own)), (1, Some(other))] = peers[..] else { panic!("{peers:?}") };
    assert_eq!((own.offset, own.wait, own.length), (Some(Nanos(0)), Some(Nanos(30)), Nanos(60)));
    assert_eq!((other.offset, other.wait, other.start), (Some(Nanos(1_030)), Some(Nanos(0)), Nanos(130)));
    // A rank of the group without a part is listed, without waits of others.
    let lacks = rank(1, vec![all_reduce(0, 6, 130, 30)], vec![step("1", 0, 900)]);
    let (by, peers) = peers_of(&[here, lacks], 0);
    let [(0, Some(own)), (1, None)] = peers[..] else { panic!("{peers:?}") };
    assert_eq!((by, own.wait), (None, None));
}

#[test]
fn peers_without_numbers_are_told_by_order_or_by_their_moment() {
    let parts = |starts: &[i64]| {
        starts.iter().map(|start| part(CollectiveKind::AllReduce, 0, None, 0, *start, 100_000)).collect()
    };
    let of = |number, starts| rank(number, parts(starts), vec![step("1", 0, 900_000)]);
    let starts = |ranks: &[RankDigest], part| -> (Option<MatchedBy>, Vec<Option<i64>>) {
        let (by, peers) = peers_of(ranks, part);
        (by, peers.iter().map(|(_, part)| part.map(|part| part.start.0)).collect())
    };
    let (even, short) = (of(1, &[0, 410_000, 810_000]), of(1, &[410_000, 810_000]));
    let own = || of(0, &[0, 400_000, 800_000]);
    assert_eq!(starts(&[own(), even], 1), (Some(MatchedBy::Order), vec![Some(400_000), Some(410_000)]));
    assert_eq!(starts(&[own(), short.clone()], 1), (Some(MatchedBy::Moment), vec![Some(400_000), Some(410_000)]));
    assert_eq!(starts(&[own(), short], 0), (None, vec![Some(0), None]));
}

/// Equally many collectives of two ranks, of which the second one's profiler began later and ended later: a match by
/// order is never right.
fn recorded_later(seed: i64) -> [RankDigest; 2] {
    // They come at odd intervals, and the two arrive at odd times.
    let noise = |at: i64, most: i64| (at * 7_919 + seed * 104_729) * 1_103 % most;
    let of = |number: u64, from: i64| {
        let arrives = |at: i64| at * 10_000_000 + noise(at, 4_000_000);
        let parts = (from..from + 40).map(|at| {
            let late = if number == 0 { 0 } else { noise(at + 1, 300_000) };
            // Both end at one moment.
            part(CollectiveKind::AllReduce, 0, None, 0, arrives(at) + late, 1_000_000 - late)
        });
        rank(number, parts.collect(), vec![step("1", 0, 500_000_000)])
    };
    [of(0, 0), of(1, 3)]
}

#[test]
fn a_shared_clock_that_is_right_is_believed_where_the_order_is_wrong() {
    for seed in 0..10 {
        let found = job(&recorded_later(seed));
        assert_eq!((codes(&found), found.clocks.implausible), (vec![JobCode::MissingParts], false), "{seed}");
        let clocks: Vec<_> =
            found.clocks.ranks.iter().map(|clock| (clock.source, clock.offset, clock.residual)).collect();
        assert_eq!(clocks, vec![(ClockSource::Shared, Nanos(0), Some(Nanos(0))); 2], "{seed}");
        assert_eq!(found.clocks.ranks.iter().map(|clock| clock.collectives).collect::<Vec<_>>(), [37, 37]);
        assert!(found.collectives[0].max_skew.is_some_and(|skew| skew < Nanos(300_000)), "{:?}", found.collectives);
        // The same order, and a clock that is wrong: there is no moment at which all run.
        let [first, _] = recorded_later(seed);
        let same = RankDigest { rank: 1, origin: Some(3_141_592_653), ..first.clone() };
        let found = job(&[first, same]);
        assert_eq!((codes(&found), found.collectives[0].max_skew), (vec![JobCode::ImplausibleClock], Some(Nanos(0))));
    }
}

#[test]
fn clocks_are_told_of_by_what_is_matched_in_the_end() {
    // One rank lacks the first collective: the others are matched anew, by their moment.
    let [first, mut second] = recorded_later(1).map(|rank| RankDigest { parts: rank.parts[..12].to_vec(), ..rank });
    second.parts = first.parts.iter().skip(1).copied().collect();
    let found = job(&[first, second]);
    let clocks: Vec<_> = found.clocks.ranks.iter().map(|clock| (clock.collectives, clock.residual)).collect();
    assert_eq!(clocks, [(11, Some(Nanos(0))); 2]);
}

fn digests() -> impl Strategy<Value = Vec<RankDigest>> {
    let numbers =
        (0..13_usize, 0..3_u32, any::<Option<u8>>(), 0..4_u32, 0..90_000_i64, 0..9_000_i64, any::<bool>(), 0..5_u32);
    let one = (0..5_u64, any::<Option<i32>>(), proptest::collection::vec(numbers, 0..30), any::<[bool; 3]>());
    let ranks = proptest::collection::vec(one, 0..6);
    ranks.prop_map(|ranks| {
        let digest = |(number, origin, parts, told): (u64, Option<i32>, Vec<_>, [bool; 3])| {
            let parts = parts.into_iter().map(|(kind, group, sequence, step, start, length, blocks, peer)| {
                let kind: usize = kind;
                let sequence: Option<u8> = sequence;
                let sequence = sequence.map(|sequence| u64::from(sequence % 8));
                let found = part(CollectiveKind::ALL[kind], group, sequence, step, start, length);
                CollectivePart { blocks, peer: if peer == 4 { NO_SERIAL } else { peer }, ..found }
            });
            let mut parts: Vec<CollectivePart> = parts.collect();
            parts.sort_by_key(|part| part.span.start);
            let steps = vec![step("1", 0, 30_000), step("2", 30_000, 60_000), step("1", 60_000, 99_000)];
            let groups = (0..3_u64).zip(told).map(|(group, told)| DigestGroup {
                name: group.to_string(),
                ranks: if told { vec![0, group + 1] } else { Vec::new() },
                ..DigestGroup::default()
            });
            let origin = origin.map(i64::from);
            RankDigest { origin, groups: groups.collect(), ..rank(number, parts, steps) }
        };
        ranks.into_iter().map(digest).collect()
    })
}

proptest! {
    #[test]
    fn whatever_ranks_hold_the_times_add_up(ranks in digests()) {
        let job = job(&ranks);
        let parts: usize = job.matching.collectives.iter().map(|of| job.matching.parts(of).len()).sum();
        prop_assert!(parts <= ranks.iter().map(|rank| rank.parts.len()).sum());
        for (of, times) in job.matching.collectives.iter().zip(&job.times) {
            let parts = job.matching.parts(of);
            let mut own: Vec<u32> = parts.iter().map(|part| part.rank).collect();
            own.dedup();
            prop_assert_eq!(own.len(), parts.len(), "a rank has one part");
            if let Some(times) = times {
                let lengths = parts.iter().map(|part| ranks[part.rank as usize].parts[part.part as usize].span.len());
                let count = i64::try_from(parts.len()).expect("few");
                let transfers = Nanos(times.transfer.0 * count) + times.uneven;
                prop_assert_eq!(lengths.clone().sum::<Nanos>(), transfers + times.wait);
                prop_assert_eq!(lengths.min(), Some(times.transfer));
            }
        }
        for row in &job.collectives {
            prop_assert_eq!(row.sums.is_some(), row.matched > 0);
            prop_assert!(row.matched <= row.count && row.incomplete <= row.matched);
        }
        let sum = |grouped: bool| -> Nanos {
            let rows = job.collectives.iter().filter(|row| row.group.is_some() == grouped);
            rows.filter_map(|row| row.sums).map(CollectiveSums::total).sum()
        };
        prop_assert_eq!(sum(true), sum(false));
        for row in &job.ranks {
            prop_assert!(row.votes <= row.voted);
            prop_assert!(row.own_steps <= row.steps);
            if row.own_steps == row.steps {
                let own = row.own.unwrap_or_default();
                prop_assert_eq!(own, row.step, "the digests have no communication alone");
            }
        }
    }

    #[test]
    fn the_order_in_which_ranks_come_does_not_matter(mut ranks in digests()) {
        ranks.sort_by_key(|rank| rank.rank);
        ranks.dedup_by_key(|rank| rank.rank);
        let forward = job(&ranks);
        ranks.reverse();
        let backward = job(&ranks);
        let rows = |job: &Job| {
            let of = |row: &CollectiveRow| (row.kind, row.count, row.matched, row.sums.map(CollectiveSums::total), row.sums.map(|sums| sums.wait), row.bytes);
            let mut rows: Vec<_> = job.collectives.iter().filter(|row| row.group.is_none()).map(of).collect();
            rows.sort_unstable();
            rows
        };
        // Clocks count from the first rank. Without sequence numbers, dropped collectives may depend on it.
        if ranks.iter().all(|rank| rank.parts.iter().all(|part| part.sequence != NO_COUNT)) {
            prop_assert_eq!(rows(&forward), rows(&backward));
        }
    }
}

/// A rank with its steps, and its profiler's sums of each.
fn told(number: u64, compute: i64, strategy: Option<&ParallelStrategy>) -> RankDigest {
    let times = RecordedTimes {
        compute: Nanos(compute),
        communication_alone: Nanos(3_000),
        stage: Some(Nanos(compute + 2_000)),
        receive_alone: Some(Nanos(1_000)),
    };
    RankDigest {
        step_trace: Some([Nanos(10), Nanos(20), Nanos(30)]),
        strategy: strategy.cloned(),
        recorded: Some(RecordedRank { times: Some(times), flops: Some([7_000, 9]) }),
        groups: Vec::new(),
        ..rank(number, Vec::new(), vec![step("1", 0, 10_000)])
    }
}

/// An unknown stage time of a rank is not zero: stages are not compared by it.
#[test]
fn stages_whose_time_is_not_known_are_not_judged_by_it() {
    let strategy = ParallelStrategy { stages: vec![vec![0, 1], vec![2, 3]], ..ParallelStrategy::default() };
    let mut ranks: Vec<RankDigest> =
        (0..4).map(|number| told(number, if number < 2 { 2_000 } else { 6_000 }, Some(&strategy))).collect();
    let judges = |ranks: &[RankDigest]| {
        let walk = drill_down(&job(ranks));
        let by_time = walk.iter().any(|step| step.kind == DrillDownKind::Metric(DrillDownMetric::StageTime));
        [by_time, walk.iter().any(|step| step.stage.is_some())]
    };
    assert_eq!(judges(&ranks), [true, true]);
    let of_one = ranks[2].recorded.as_mut().and_then(|recorded| recorded.times.as_mut()).expect("times");
    of_one.stage = None;
    assert_eq!(judges(&ranks), [false, false]);
}

#[test]
fn ranks_with_tables_alone_show_what_these_tell_and_no_zeros() {
    let strategy = ParallelStrategy { stages: vec![vec![0, 1], vec![2, 3]], ..ParallelStrategy::default() };
    // One rank's file is that of all.
    let mut ranks: Vec<RankDigest> =
        (0..4).map(|number| told(number, if number < 2 { 2_000 } else { 6_000 }, None)).collect();
    ranks[1].strategy = Some(strategy.clone());
    let job = job(&ranks);
    assert_eq!(job.world_size, 4);
    let pipeline = Shared { kind: ParallelKind::Pipeline, size: 2, source: ParallelSource::Strategy };
    assert_eq!(job.parallel, [pipeline]);
    let row = &job.ranks[3];
    assert_eq!(
        (row.source, row.stage, row.step, row.compute),
        (RowSource::Tables, Some(1), Nanos(10_000), Some(Nanos(6_000)))
    );
    assert_eq!((row.stage_time, row.receive_alone), (Some(Nanos(8_000)), Some(Nanos(1_000))));
    assert_eq!((row.flops, row.flop_rate), (Some(7_000), Some(9.0)));
    assert_eq!([row.own, row.idle, row.memcpy, row.communication], [None; 4]);
    let stages: Vec<[Nanos; 3]> =
        job.stages.iter().map(|stage| [stage.compute, stage.time, stage.collective_alone]).collect();
    assert_eq!(stages, [[2_000, 4_000, 2_000], [6_000, 8_000, 2_000]].map(|times| times.map(Nanos)));
    // The stage is too large by METRICS' fifth; there is nothing to replay, and no kernels to look at.
    let [slow] = job.stragglers.as_slice() else { panic!("{:?}", job.stragglers) };
    assert_eq!((slow.place, slow.gain, job.gain), (StragglerPlace::Stage(1), None, None));
    let walk = drill_down(&job);
    let names: Vec<&str> = walk[0].numbers.iter().map(|(name, _)| *name).collect();
    let of_job = ["ranks", "world_size", "step", "only_tables", "compute", "exposed_communication"];
    assert_eq!(names, [&of_job[..], &["compared", "matched", "collectives"]].concat());
    assert!(walk.iter().all(|step| step.kind != DrillDownKind::Metric(DrillDownMetric::Own)), "{walk:?}");
    assert_eq!(walk.last().map(|step| step.look), Some(DrillDownLook::Ranks), "{walk:?}");
    assert!(walk.iter().all(|step| step.look != DrillDownLook::Kernels), "{walk:?}");

    // Without a table of its times a rank has its steps alone.
    for rank in &mut ranks {
        rank.recorded = Some(RecordedRank::default());
    }
    let job = super::job(&ranks);
    assert_eq!(job.ranks[0].compute, None);
    assert_eq!((job.stages.len(), job.stragglers.len(), job.parallel[0].kind), (0, 0, ParallelKind::Pipeline));
}

/// A rank with nothing but a table of steps eight times as long does not change the others' average.
#[test]
fn averages_are_over_ranks_that_are_comparable() {
    let with = |interval: i64, rank: RankDigest| RankDigest { step_trace: Some([Nanos(interval); 3]), ..rank };
    let of = |number: u64| with(1_000, rank(number, Vec::new(), vec![step("1", 0, 10_000)]));
    let alone =
        RankDigest { recorded: Some(RecordedRank::default()), ..rank(10, Vec::new(), vec![step("1", 0, 80_000)]) };
    let job = job(&[of(0), of(1), with(9_000, alone)]);
    assert!(job.ranks.iter().all(|row| row.marks.is_empty()), "{:?}", job.ranks);
    assert_eq!(job.averaged().map(|row| row.rank).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(job.ranks.iter().map(|row| job.is_aside(row)).collect::<Vec<_>>(), [false, false, true]);
    let entry = &drill_down(&job)[0];
    let number = |wanted: &str| entry.numbers.iter().find(|(name, _)| *name == wanted).map(|(_, number)| *number);
    assert_eq!(number("step"), Some(DrillDownNumber::Time(Nanos(10_000))));
    assert_eq!(
        (number("ranks"), number("not_averaged")),
        (Some(DrillDownNumber::Count(3)), Some(DrillDownNumber::Count(1)))
    );
}

#[test]
fn a_strategy_tells_what_groups_are_for_that_nobody_describes() {
    let part = |start| part(CollectiveKind::AllReduce, 0, Some(1), 0, start, 100);
    let of = |number: u64, group: [u64; 2], strategy: &ParallelStrategy| RankDigest {
        groups: vec![DigestGroup { name: format!("{group:?}"), ranks: group.to_vec(), ..DigestGroup::default() }],
        strategy: Some(strategy.clone()),
        ..rank(number, vec![part(1_000)], vec![step("1", 0, 5_000)])
    };
    let strategy = ParallelStrategy { stages: vec![vec![0, 1], vec![2, 3]], ..ParallelStrategy::default() };
    let kinds = |job: &Job| job.groups.iter().map(|group| group.parallel).collect::<Vec<_>>();
    let apart = job(&[of(0, [0, 2], &strategy), of(2, [0, 2], &strategy)]);
    assert_eq!(kinds(&apart), [Some((ParallelKind::Pipeline, ParallelSource::Strategy))]);
    let data = ParallelStrategy { mode: "data_parallel".into(), stages: vec![vec![0, 1]], cuts: Vec::new() };
    let together = job(&[of(0, [0, 1], &data), of(1, [0, 1], &data)]);
    assert_eq!(kinds(&together), [Some((ParallelKind::Data, ParallelSource::Strategy))]);

    // The layout by the user is shown beside that by the traces.
    let config = JobConfig { parallel: ParallelGrid::named("tp=2").ok() };
    let given = job_as(&[of(0, [0, 1], &data), of(1, [0, 1], &data)], &config);
    assert_eq!((given.parallel[0].kind, given.parallel[0].source), (ParallelKind::Tensor, ParallelSource::Given));
    assert_eq!(
        given.parallel_told,
        Some(vec![Shared { kind: ParallelKind::Data, size: 2, source: ParallelSource::Strategy }])
    );
    assert_eq!(together.parallel_told, None);
}

/// Collectives that MindSpore puts into the graph have a hint in the drill-down of their layout, on the rank where they
/// cost the most.
#[test]
fn hints_stand_in_the_walk_of_their_layout() {
    let walk = |mode: &str, inserted: [InsertedCollectives; 2]| {
        let strategy = ParallelStrategy { mode: mode.into(), stages: vec![vec![0, 1]], cuts: Vec::new() };
        let ranks = inserted.into_iter().zip(0..).map(|(inserted, number)| RankDigest {
            groups: vec![DigestGroup { name: "all".into(), ranks: vec![0, 1], ..DigestGroup::default() }],
            strategy: Some(strategy.clone()),
            inserted: Some(inserted),
            ..rank(number, vec![part(CollectiveKind::AllReduce, 0, Some(1), 0, 1_000, 100)], vec![step("1", 0, 5_000)])
        });
        let steps = drill_down(&job(&ranks.collect::<Vec<_>>()));
        let depths: Vec<u8> = steps.iter().map(|step| step.depth).collect();
        assert!(depths.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{depths:?}");
        let found = steps.iter().filter_map(|step| match step.kind {
            DrillDownKind::Hint(hint) => Some((hint, step.ranks.clone(), step.off)),
            _ => None,
        });
        found.collect::<Vec<_>>()
    };
    let small = |alone: i64| InsertedCollectives {
        all_reduces: 20,
        small: 12,
        small_alone: Nanos(alone),
        ..InsertedCollectives::default()
    };
    let moved = |alone: i64| InsertedCollectives {
        resharding: 2,
        resharding_alone: Nanos(alone),
        ..InsertedCollectives::default()
    };
    assert_eq!(walk("data_parallel", [small(200), small(900)]), [(DrillDownHint::FuseAllReduces, vec![1], true)]);
    assert_eq!(walk("model-parallel", [moved(900), moved(200)]), [(DrillDownHint::CutAlike, vec![0], true)]);
    // Too little, or of another layout.
    assert_eq!(walk("data_parallel", [small(90), small(0)]), []);
    assert_eq!(walk("data_parallel", [moved(900), moved(900)]), []);
    assert_eq!(walk("model-parallel", [small(900), small(900)]), []);
}

/// With a step trace the drill-down of data compares its three parts; that of models compares its interval alone. An
/// interval that is long on all ranks is off though none is slower.
#[test]
fn walks_compare_the_step_trace_by_their_layout() {
    use DrillDownMetric as M;
    let walk = |mode: &str, long: [Option<bool>; 2]| {
        let strategy = ParallelStrategy { mode: mode.into(), stages: vec![vec![0, 1]], cuts: Vec::new() };
        let ranks = long.into_iter().zip(0..).map(|(long_interval, number)| RankDigest {
            strategy: Some(strategy.clone()),
            step_trace: Some([Nanos(1_000); 3]),
            long_interval,
            ..rank(number, Vec::new(), vec![step("1", 0, 5_000)])
        });
        drill_down(&job(&ranks.collect::<Vec<_>>()))
    };
    let metrics = |steps: &[DrillDownStep]| -> Vec<DrillDownMetric> {
        let metric = |step: &DrillDownStep| match step.kind {
            DrillDownKind::Metric(metric) => Some(metric),
            _ => None,
        };
        steps.iter().filter_map(metric).collect()
    };
    let data = walk("data_parallel", [Some(true), Some(false)]);
    assert_eq!(metrics(&data), [M::Own, M::IterationInterval, M::ForwardAndBackward, M::Tail]);
    let model = walk("model-parallel", [None, None]);
    assert_eq!(metrics(&model), [M::Own, M::IterationInterval, M::Compute]);
    let is_off = |steps: &[DrillDownStep]| {
        let interval = steps.iter().find(|step| step.kind == DrillDownKind::Metric(M::IterationInterval));
        interval.map(|step| (step.off, step.numbers.iter().any(|(name, _)| *name == "long")))
    };
    assert_eq!(is_off(&data), Some((false, true)));
    assert_eq!(is_off(&model), Some((false, false)), "not known");
    assert_eq!(is_off(&walk("data_parallel", [Some(true), Some(true)])), Some((true, true)));
}
