//! Slow ranks, links, groups and stages among any number of others: they are found, nothing else is, and the gain is
//! that of a run without them.

use stepscope::analyze::{AnalysisConfig, Job, OutlierRule, StragglerCause, StragglerPlace, StragglerVerdict};
use stepscope::{Nanos, Rank, job_of};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec};

use super::job::{finds, job};

/// Ranks in groups of two; the sums of the groups take most of the time.
fn groups(count: u64, faults: Vec<Fault>) -> JobSpec {
    JobSpec { parallel: [count, 2, 1], bytes: [0, 60_000_000, 1_000_000], faults, ..JobSpec::data_parallel(50) }
}

/// Stages, whose messages take most of the time.
fn stages(count: u64, faults: Vec<Fault>) -> JobSpec {
    let bytes = [40_000_000, 0, 0];
    JobSpec { parallel: [1, 1, count], microbatches: 8, layers: 4, bytes, faults, ..JobSpec::data_parallel(51) }
}

#[test]
fn a_slow_group_of_few_or_many() {
    for count in [2, 3, 4, 8] {
        for percent in [140, 300] {
            let last = 2 * (count - 1);
            let spec = groups(count, vec![Fault::Group(last, percent)]);
            let job = job(&spec);
            let [slow] = &job.stragglers[..] else { panic!("{count} {percent}: {:?}", job.stragglers) };
            assert_eq!(slow.place.ranks(&job), [last, last + 1]);
            // 8 µs and 60 MB at 100 GB/s.
            assert!((slow.usual / (60e6 / 608e-6) - 1.0).abs() < 0.01, "of others: {}", slow.usual);
            finds(&spec, slow.place, StragglerCause::Link);
        }
    }
}

#[test]
fn a_slow_link_of_few_or_many() {
    for count in [2, 3, 4, 5] {
        for percent in [150, 400] {
            let [from, to] = [count - 2, count - 1];
            let spec = stages(count, vec![Fault::Link(from, to, percent)]);
            finds(&spec, StragglerPlace::Link([from, to]), StragglerCause::Link);
        }
    }
}

#[test]
fn an_unbalanced_stage_of_few_or_many() {
    for (count, percent) in [(2, 25), (2, 45), (3, 25), (3, 30), (4, 25), (8, 25)] {
        for width in [1, 2] {
            let spec = JobSpec {
                parallel: [width, 1, count],
                faults: vec![Fault::Stage(count - 1, percent)],
                ..JobSpec::three_dimensional(52)
            };
            let stage = u32::try_from(count - 1).expect("few");
            finds(&spec, StragglerPlace::Stage(stage), StragglerCause::Stage);
        }
    }
}

#[test]
fn a_slow_rank_of_few_or_many() {
    for (ranks, seeds) in [(2, 0..5), (3, 0..10), (4, 0..5), (16, 0..1)] {
        for seed in seeds {
            for jitter in [1, 3, 5] {
                let healthy = JobSpec { parallel: [ranks, 1, 1], jitter, ..JobSpec::data_parallel(seed) };
                assert_eq!(job(&healthy).stragglers, [], "{healthy:?}");
                let percent = [15, 30, 50][usize::try_from(seed % 3).expect("few")];
                let spec = JobSpec { faults: vec![Fault::Compute(ranks - 1, percent)], ..healthy };
                finds(&spec, StragglerPlace::Rank(ranks - 1), StragglerCause::LongerKernels);
            }
        }
    }
}

/// Each step of the rank takes as long as the others', and the next one starts 17 ms later: nothing within its steps
/// shows that.
#[test]
fn a_rank_that_pauses_between_steps() {
    for (ranks, slow) in [(2, 1), (4, 0), (8, 5)] {
        let healthy = JobSpec { parallel: [ranks, 1, 1], steps: 16, ..JobSpec::data_parallel(57) };
        let spec = JobSpec { faults: vec![Fault::Pause(slow, 17_000_000)], ..healthy };
        let job = job(&spec);
        let row = &job.ranks[usize::try_from(slow).expect("few")];
        let pause = row.between.expect("time between steps");
        assert_eq!((pause.length, pause.idle), (Nanos(17_000_000), Some(Nanos(17_000_000))), "{ranks}");
        assert!(job.ranks.iter().filter(|other| other.rank != slow).all(|other| other.between.is_none()));
        assert_eq!(job.verdict, StragglerVerdict::Found);
        finds(&spec, StragglerPlace::Rank(slow), StragglerCause::Host);
        let [found] = &job.stragglers[..] else { panic!("{:?}", job.stragglers) };
        let host = found.excess[2].0;
        assert!((host - 17_000_000).abs() < 500_000, "the host takes all of it: {:?}", found.excess);
    }
}

/// A stage of two is half as slow as its slow rank, and yet has no more to do.
#[test]
fn a_slow_rank_is_not_its_stage() {
    let spec = JobSpec {
        parallel: [2, 1, 4],
        faults: vec![Fault::Compute(3, 60)],
        steps: 3,
        ..JobSpec::three_dimensional(53)
    };
    finds(&spec, StragglerPlace::Rank(3), StragglerCause::LongerKernels);
}

#[expect(clippy::cast_precision_loss, reason = "a ratio, compared with a tolerance")]
fn finds_together(spec: &JobSpec, expected: &[u64]) {
    let job: Job = job(spec);
    let mut places: Vec<u64> = job.stragglers.iter().flat_map(|one| one.place.ranks(&job)).collect();
    places.sort_unstable();
    assert_eq!(places, expected, "{:?}", spec.faults);
    let gain = job.gain.expect("a gain").0 as f64 / spec.gain() as f64;
    assert!((gain - 1.0).abs() < 0.1, "{gain} of the true gain of {:?}", spec.faults);
}

#[test]
fn a_slow_minority() {
    let of = |ranks, slow: &[u64], percent| JobSpec {
        parallel: [ranks, 1, 1],
        faults: slow.iter().map(|rank| Fault::Compute(*rank, percent)).collect(),
        ..JobSpec::data_parallel(54)
    };
    finds_together(&of(16, &[1, 4, 7, 9, 14], 30), &[1, 4, 7, 9, 14]);
    finds_together(&of(16, &[0, 1, 2, 3, 4, 5, 6], 20), &[0, 1, 2, 3, 4, 5, 6]);
    finds_together(&of(5, &[2, 3], 40), &[2, 3]);
    // Two late ranks arrive before a later one, and are found, too.
    let mut spec = of(8, &[2, 5], 20);
    spec.faults.push(Fault::Compute(6, 60));
    finds_together(&spec, &[2, 5, 6]);
    // Two of four groups, two of five stages.
    let spec = groups(4, vec![Fault::Group(0, 200), Fault::Group(4, 200)]);
    finds_together(&spec, &[0, 1, 4, 5]);
    let faults = vec![Fault::Stage(1, 40), Fault::Stage(3, 40)];
    let spec = JobSpec { parallel: [1, 1, 5], faults, ..JobSpec::three_dimensional(55) };
    finds_together(&spec, &[1, 3]);
}

/// Ranks that never wait for each other are compared, and do not hold each other up.
#[test]
fn unrelated_traces_hold_nobody_up() {
    let alone = |(number, kernel): (u64, i64)| {
        let spec = JobSpec { parallel: [1, 1, 1], kernel, ..JobSpec::data_parallel(56) };
        let trace = spec.traces().swap_remove(0);
        let rank = rank("trace.json", &trace, &AnalysisConfig::standard()).expect("a trace");
        Rank { rank: Some(number), ..rank }
    };
    for kernels in [&[400_000, 900_000][..], &[400_000, 400_000, 400_000, 900_000]] {
        let ranks: Vec<Rank> = (0..).zip(kernels.iter().copied()).map(alone).collect();
        let job = job_of(&ranks).expect("several ranks");
        assert_eq!((&job.stragglers[..], job.gain), (&[][..], None));
        let marks = &job.ranks.last().expect("ranks").marks;
        let rules = [OutlierRule::LargerOfTwo, OutlierRule::BeyondSpread];
        assert!(marks.iter().any(|mark| mark.column == "own" && rules.contains(&mark.rule)), "{marks:?}");
    }
}
