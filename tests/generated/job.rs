//! Jobs of many ranks, compared with their planted faults.

use stepscope::analyze::{
    AnalysisConfig, ClockSource, CollectiveSums, Job, JobCode, ParallelKind, ParallelSource, RankDigest,
    StragglerCause, StragglerPlace,
};
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::export::report_json::{digest_from_bytes, digest_to_bytes};
use stepscope::{Nanos, Rank, job_of};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec, Tells};

/// The job from its traces.
pub(super) fn job(spec: &JobSpec) -> Job {
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let ranks: Vec<Rank> = spec.traces().into_iter().enumerate().map(trace).collect();
    job_of(&ranks).expect("several ranks")
}

pub(super) fn codes(job: &Job) -> Vec<JobCode> {
    job.warnings.iter().map(|warning| warning.code).collect()
}

/// Kinds of parallelism with their sizes.
pub(super) fn sizes(job: &Job) -> Vec<(ParallelKind, u64)> {
    job.parallel.iter().map(|shared| (shared.kind, shared.size)).collect()
}

/// The stragglers: their place, their cause, and the ratio of their gain to the true gain.
#[expect(clippy::cast_precision_loss, reason = "a ratio, compared with a tolerance")]
pub(super) fn found(spec: &JobSpec) -> Vec<(StragglerPlace, StragglerCause, f64)> {
    let job = job(spec);
    let gain = spec.gain() as f64;
    let told = |gain: Option<Nanos>| gain.map_or(f64::NAN, |gain| gain.0 as f64);
    job.stragglers.iter().map(|one| (one.place, one.cause, told(one.gain) / gain)).collect()
}

#[track_caller]
pub(super) fn finds(spec: &JobSpec, place: StragglerPlace, cause: StragglerCause) {
    let found = found(spec);
    assert_eq!(found.len(), 1, "{found:?} of {:?}", spec.faults);
    let (found_place, found_cause, gain) = found[0];
    assert_eq!((found_place, found_cause), (place, cause), "{:?}", spec.faults);
    assert!((gain - 1.0).abs() < 0.1, "{gain} of the true gain of {:?}", spec.faults);
}

#[test]
fn nothing_is_found_in_healthy_jobs() {
    for seed in 0..6 {
        for spec in [
            JobSpec::data_parallel(seed),
            JobSpec { parallel: [2, 1, 1], ..JobSpec::data_parallel(seed) },
            JobSpec { parallel: [1, 4, 1], ..JobSpec::data_parallel(seed) },
            JobSpec { jitter: 20, ..JobSpec::data_parallel(seed) },
            JobSpec { tells: Tells::Names, ..JobSpec::data_parallel(seed) },
            JobSpec::three_dimensional(seed),
        ] {
            let job = job(&spec);
            assert_eq!(job.stragglers, [], "{spec:?}");
            assert_eq!((codes(&job), job.gain), (vec![], None), "{spec:?}");
        }
    }
}

#[test]
fn a_rank_that_computes_longer() {
    for tells in [Tells::All, Tells::NoSequence, Tells::Names] {
        let spec = JobSpec { faults: vec![Fault::Compute(5, 25)], tells, ..JobSpec::data_parallel(3) };
        finds(&spec, StragglerPlace::Rank(5), StragglerCause::LongerKernels);
    }
    // Nothing overlaps: each layer waits.
    let tensor = JobSpec { parallel: [1, 4, 1], ..JobSpec::data_parallel(4) };
    let spec = JobSpec { faults: vec![Fault::Compute(2, 30)], ..tensor };
    finds(&spec, StragglerPlace::Rank(2), StragglerCause::LongerKernels);
    let spec = JobSpec { faults: vec![Fault::Compute(1, 30)], parallel: [2, 1, 1], ..JobSpec::data_parallel(5) };
    finds(&spec, StragglerPlace::Rank(1), StragglerCause::LongerKernels);
}

/// Stages that wait for each other, too, and a slow rank outside of the first one.
#[test]
fn a_rank_of_a_pipeline_that_computes_longer() {
    for (parallel, slow) in [([8, 2, 4], 21), ([2, 1, 4], 3), ([2, 1, 4], 6)] {
        for seed in [1, 5] {
            let faults = vec![Fault::Compute(slow, 30)];
            let spec = JobSpec { parallel, faults, steps: 3, ..JobSpec::three_dimensional(seed) };
            finds(&spec, StragglerPlace::Rank(slow), StragglerCause::LongerKernels);
        }
    }
}

#[test]
fn a_rank_that_waits_for_data_or_its_host() {
    let spec = JobSpec { faults: vec![Fault::Data(2, 3_000_000)], ..JobSpec::data_parallel(6) };
    finds(&spec, StragglerPlace::Rank(2), StragglerCause::Data);
    let spec = JobSpec { faults: vec![Fault::Host(7, 2_500_000)], ..JobSpec::data_parallel(7) };
    finds(&spec, StragglerPlace::Rank(7), StragglerCause::Host);
}

#[test]
fn two_ranks_gain_only_together() {
    let faults = vec![Fault::Compute(1, 40), Fault::Compute(6, 40)];
    let spec = JobSpec { faults, ..JobSpec::data_parallel(8) };
    let job = job(&spec);
    let mut places: Vec<StragglerPlace> = job.stragglers.iter().map(|one| one.place).collect();
    places.sort_by_key(|place| if let StragglerPlace::Rank(rank) = place { *rank } else { u64::MAX });
    assert_eq!(places, [StragglerPlace::Rank(1), StragglerPlace::Rank(6)]);
    let gain = job.gain.expect("a gain").0;
    assert!((gain - spec.gain()).abs() * 10 < spec.gain(), "{gain} of {}", spec.gain());
    assert!(job.stragglers.iter().all(|one| one.gain.expect("a gain").0 * 3 < gain), "each alone gains little");
}

#[test]
fn a_slow_link() {
    let spec = JobSpec {
        parallel: [1, 1, 4],
        microbatches: 8,
        layers: 4,
        bytes: [40_000_000, 0, 0],
        faults: vec![Fault::Link(1, 2, 400)],
        ..JobSpec::data_parallel(9)
    };
    finds(&spec, StragglerPlace::Link([1, 2]), StragglerCause::Link);
    let job = job(&spec);
    let slow = job.links.iter().find(|link| (link.from, link.to) == (1, 2)).and_then(|link| link.bandwidth);
    // 40 MB in 8 + 400 µs, four times.
    let expected = 40e6 / (4.0 * 408e-6);
    assert!((slow.expect("a bandwidth") / expected - 1.0).abs() < 0.01, "{slow:?}, not {expected}");
}

#[test]
fn a_slow_group() {
    let spec = JobSpec {
        parallel: [4, 2, 1],
        faults: vec![Fault::Group(4, 300)],
        bytes: [0, 60_000_000, 1_000_000],
        ..JobSpec::data_parallel(10)
    };
    let job = job(&spec);
    let [slow] = &job.stragglers[..] else { panic!("{:?}", job.stragglers) };
    assert_eq!((slow.place.ranks(&job), slow.cause), (vec![4, 5], StragglerCause::Link));
    finds(&spec, slow.place, StragglerCause::Link);
}

#[test]
fn an_unbalanced_stage() {
    let spec = JobSpec { faults: vec![Fault::Stage(2, 60)], ..JobSpec::three_dimensional(11) };
    finds(&spec, StragglerPlace::Stage(2), StragglerCause::Stage);
    let job = job(&spec);
    assert_eq!(
        job.stages.iter().map(|stage| stage.ranks.clone()).collect::<Vec<_>>(),
        [vec![0, 1, 2, 3], vec![4, 5, 6, 7], vec![8, 9, 10, 11], vec![12, 13, 14, 15],]
    );
    let waits = |stage: usize| job.stages[stage].receive_alone;
    assert!(waits(2) < waits(1) && waits(2) < waits(3), "the slow one waits least");
}

#[test]
fn how_the_model_is_spread() {
    for (tells, source) in [(Tells::All, ParallelSource::Described), (Tells::NoPurpose, ParallelSource::Shape)] {
        let job = job(&JobSpec { tells, ..JobSpec::three_dimensional(12) });
        let expected = [(ParallelKind::Data, 2), (ParallelKind::Tensor, 2), (ParallelKind::Pipeline, 4)];
        assert_eq!(sizes(&job), expected, "{tells:?}");
        assert!(job.groups.iter().all(|group| group.parallel.is_some_and(|(_, found)| found == source)));
    }
}

#[test]
fn every_collective_is_matched_and_its_times_add_up() {
    for spec in [JobSpec::data_parallel(13), JobSpec::three_dimensional(13)] {
        for tells in [Tells::All, Tells::NoSequence] {
            let job = job(&JobSpec { tells, ..spec.clone() });
            assert_eq!((job.matching.unmatched, job.matching.uneven, job.matching.incomplete), (0, 0, 0));
            for of in &job.matching.collectives {
                let size = if of.link.is_some() { 2 } else { job.groups[of.group].ranks.len() };
                assert_eq!(job.matching.parts(of).len(), size);
            }
            for row in &job.collectives {
                assert_eq!((row.matched, row.sums.is_some()), (row.count, true));
            }
            let of = |group: bool| -> Nanos {
                let rows = job.collectives.iter().filter(|row| row.group.is_some() == group);
                rows.filter_map(|row| row.sums).map(CollectiveSums::total).sum()
            };
            assert_eq!(of(false), of(true), "the groups' sums are the operations'");
        }
    }
}

#[test]
fn bandwidth_is_that_of_the_wire() {
    // 20 MB among 8: 1.75 times that on the bus, at 100 GB/s, and 8 µs before it.
    let job = job(&JobSpec::data_parallel(14));
    let [row, _] = &job.collectives[..] else { panic!("{:?}", job.collectives) };
    let seconds = 8e-6 + 35e6 / 100e9;
    for (found, expected) in [(row.algorithm_bandwidth, 20e6 / seconds), (row.bus_bandwidth, 35e6 / seconds)] {
        assert!((found.expect("a bandwidth") / expected - 1.0).abs() < 1e-3, "{found:?}, not {expected}");
    }
    assert_eq!(row.bytes, Some(20_000_000 * 12 * 6));
}

#[test]
fn clocks_are_solved_where_nothing_tells_them() {
    let spec = JobSpec { base: false, clock_offset: 7_000_000, ..JobSpec::three_dimensional(15) };
    let solved = job(&spec);
    for (rank, clock) in (0..).zip(&solved.clocks.ranks) {
        assert_eq!(clock.source, ClockSource::Solved, "rank {rank}");
        // Times count from each trace's first event, which is at the same true time in all of them.
        assert!(clock.offset.0.abs() < 10_000 && clock.residual.expect("collectives").0 < 2_000, "{rank}: {clock:?}");
    }
    let skew = |job: &Job| job.collectives.iter().map(|row| row.mean_skew.expect("a skew").0).collect::<Vec<_>>();
    let shared = job(&JobSpec::three_dimensional(15));
    assert!(shared.clocks.ranks.iter().all(|clock| clock.source == ClockSource::Shared));
    let pairs = skew(&solved).into_iter().zip(skew(&shared));
    assert!(pairs.clone().all(|(solved, shared)| (solved - shared).abs() < 10_000), "{:?}", pairs.collect::<Vec<_>>());
}

#[test]
fn clocks_that_are_wrong_are_told() {
    let job = job(&JobSpec { clock_offset: 7_000_000, ..JobSpec::data_parallel(16) });
    assert_eq!(codes(&job), [JobCode::ImplausibleClock]);
    for (rank, clock) in (0..).zip(&job.clocks.ranks) {
        let there = job.clocks.common(usize::try_from(rank).expect("a rank"), Nanos::ZERO);
        assert!(clock.offset.0.abs() < 10_000, "{rank}: {clock:?} {there:?}");
    }
}

/// Ranks without a number are numbered by their index, in an export as in the tables.
#[test]
fn an_export_of_ranks_without_numbers_has_one_clock() {
    let spec = JobSpec { clock_offset: 7_000_000, ..JobSpec::data_parallel(16) };
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let numbered: Vec<Rank> = spec.traces().into_iter().enumerate().map(trace).collect();
    let unnumbered: Vec<Rank> = numbered.iter().map(|rank| Rank { rank: None, ..rank.clone() }).collect();
    let times = |ranks: &[Rank]| -> Vec<String> {
        let ranks: Vec<&Rank> = ranks.iter().collect();
        let mut export = Vec::new();
        write(&ranks, ExportConfig::of(Level::Detail), &mut export).expect("memory takes all");
        let export = String::from_utf8(export).expect("text");
        let times = export.lines().filter_map(|line| line.split_once(r#""ts":"#)?.1.split_once(','));
        times.map(|(time, _)| time.to_owned()).collect()
    };
    assert!(times(&numbered).len() > 1000);
    assert!(times(&numbered) == times(&unnumbered), "their clocks are solved, too");
}

#[test]
fn clocks_that_drift_or_jump_are_told() {
    let drifting = job(&JobSpec { clock_drift: 300, steps: 12, ..JobSpec::data_parallel(17) });
    assert!(codes(&drifting).contains(&JobCode::ClockDrift), "{:?}", drifting.clocks);
    let jumping = job(&JobSpec { clock_jump: Some(3), ..JobSpec::data_parallel(18) });
    let warning = jumping.warnings.iter().find(|warning| warning.code == JobCode::ClockJump).expect("a jump");
    assert_eq!(warning.ranks, [7]);
    assert_eq!(jumping.stragglers, []);
}

#[test]
fn what_a_clock_runs_away_is_taken_back() {
    let skews = |job: &Job| -> Vec<f64> {
        let nanos = |skew: Option<Nanos>| skew.expect("a skew").0 as f64;
        job.collectives.iter().flat_map(|row| [nanos(row.mean_skew), nanos(row.max_skew)]).collect()
    };
    for spec in [JobSpec { steps: 12, ..JobSpec::data_parallel(17) }, JobSpec::three_dimensional(18)] {
        let expected = skews(&job(&spec));
        let bent = [
            JobSpec { clock_jump: Some(3), ..spec.clone() },
            JobSpec { clock_jump: Some(3), base: false, ..spec.clone() },
            JobSpec { clock_drift: 60, ..spec.clone() },
            JobSpec { clock_drift: 60, base: false, ..spec.clone() },
        ];
        for spec in bent {
            let job = job(&spec);
            for (found, expected) in skews(&job).into_iter().zip(&expected) {
                assert!((found - expected).abs() < 20_000.0 + expected / 10.0, "{found}, not {expected}: {spec:?}");
            }
            let residuals: Vec<_> = job.clocks.ranks.iter().filter_map(|clock| clock.residual).collect();
            assert!(residuals.iter().all(|residual| residual.0 < 20_000), "{residuals:?} {spec:?}");
        }
    }
}

#[test]
fn missing_and_uneven_parts_are_told_and_give_no_nonsense() {
    let cut = |tells| job(&JobSpec { cut: Some(3), tells, ..JobSpec::data_parallel(19) });
    let numbered = cut(Tells::All);
    assert_eq!(codes(&numbered), [JobCode::MissingParts]);
    assert!(numbered.matching.incomplete > 0 && numbered.matching.uneven == 0);
    // Without numbers, parts are matched by their common moment; without a common clock, nothing is guessed.
    let ordered = cut(Tells::NoSequence);
    assert_eq!(codes(&ordered), [JobCode::MissingParts]);
    let parts = |job: &Job| {
        let mut all: Vec<_> = job.matching.collectives.iter().map(|of| job.matching.parts(of).to_vec()).collect();
        all.sort_by_key(|parts| parts.iter().map(|part| (part.rank, part.part)).collect::<Vec<_>>());
        all
    };
    assert_eq!(parts(&ordered), parts(&numbered));
    assert_eq!(ordered.matching.incomplete, numbered.matching.incomplete);
    let alone = job(&JobSpec {
        parallel: [2, 1, 1],
        steps: 1,
        cut: Some(1),
        base: false,
        tells: Tells::NoSequence,
        ..JobSpec::data_parallel(19)
    });
    assert_eq!(codes(&alone), [JobCode::UnequalCounts, JobCode::UnknownClock, JobCode::LackingParts]);
    assert!(alone.matching.uneven > 0);
    assert_eq!((numbered.stragglers, ordered.stragglers), (vec![], vec![]));

    let spec = JobSpec { faults: vec![Fault::Compute(5, 25)], ..JobSpec::data_parallel(3) };
    let some = spec.traces().into_iter().enumerate().filter(|(number, _)| number % 2 == 1);
    let trace =
        |(number, text): (usize, Vec<u8>)| rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard());
    let some: Vec<Rank> = some.map(|one| trace(one).expect("a trace")).collect();
    let job = job_of(&some).expect("several ranks");
    assert_eq!(codes(&job), [JobCode::MissingRanks]);
    assert_eq!(job.stragglers.iter().map(|one| one.place).collect::<Vec<_>>(), [StragglerPlace::Rank(5)]);
}

#[test]
fn a_digest_is_small_and_comes_back() {
    let spec = JobSpec::three_dimensional(20);
    let trace = spec.traces().swap_remove(5);
    let rank = rank("rank5.json", &trace, &AnalysisConfig::standard()).expect("a trace");
    let digest = RankDigest::of(&rank.trace, &rank.analysis, 5, &rank.file);
    let bytes = digest_to_bytes(&digest);
    let parts = digest.parts.len();
    // Per step and part of the batch, in each direction: a message from one side and one to the other, and a sum for
    // each of three layers; plus the gradients of these.
    assert_eq!(parts, 6 * (8 * 2 * (2 + 3) + 3));
    assert!(bytes.len() < 100 * parts, "{} of {}, {parts} parts", bytes.len(), trace.len());
    assert_eq!(digest_from_bytes(&bytes), Some(digest));
}
