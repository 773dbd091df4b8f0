//! Jobs with a clock that jumps, goes back or drifts, or with a rank whose trace lacks collectives.

use std::collections::BTreeMap;

use stepscope::analyze::{
    AnalysisConfig, DigestGroup, Job, JobCode, JobConfig, RankDigest, RankRow, StepDigest, StragglerCause,
    StragglerPlace,
};
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::{Nanos, Rank, job_of, job_of_digests};
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec};

use super::job::{codes, finds, job};
use super::job_troubles::unmarked;

fn ranks(texts: Vec<Vec<u8>>) -> Vec<Rank> {
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    texts.into_iter().enumerate().map(trace).collect()
}

/// Eight steps, and the last rank's clock jumps in the fourth.
fn jumping(by: i64, seed: u64) -> JobSpec {
    let clock_jump = Some(3);
    JobSpec { steps: 8, clock_jump, clock_jump_by: by, clock_jump_inside: 40, ..JobSpec::data_parallel(seed) }
}

fn steps_left_out(job: &Job) -> Vec<(u64, &str)> {
    let found = job.warnings.iter().find(|warning| warning.code == JobCode::StepsLeftOut);
    found.into_iter().flat_map(|warning| &warning.steps).map(|(rank, step)| (*rank, step.as_str())).collect()
}

fn told(time: Option<Nanos>) -> i64 {
    time.expect("a time that is known").0
}

/// Whether a rank's means are about those of the others.
#[track_caller]
fn is_like_the_others(job: &Job, rank: usize) {
    type Column = (&'static str, fn(&RankRow) -> i64);
    let columns: [Column; 6] = [
        ("step", |row| row.step.0),
        ("own", |row| told(row.own)),
        ("compute", |row| told(row.compute)),
        ("communication", |row| told(row.communication)),
        ("alone", |row| told(row.communication_alone)),
        ("idle", |row| told(row.idle)),
    ];
    for (name, of) in columns {
        let others: Vec<i64> =
            job.ranks.iter().enumerate().filter(|(of, _)| *of != rank).map(|(_, row)| of(row)).collect();
        let mean = others.iter().sum::<i64>() / i64::try_from(others.len()).expect("few");
        let step = job.ranks[rank].step.0;
        assert!((of(&job.ranks[rank]) - mean).abs() * 20 < step, "{name}: {}, others {mean}", of(&job.ranks[rank]));
    }
    assert_eq!(job.ranks[rank].marks, []);
}

#[test]
fn a_step_in_which_a_clock_jumps_is_left_out() {
    for (by, base, world) in
        [(50_000_000, true, 8), (50_000_000, false, 8), (4_000_000_000, true, 8), (50_000_000, true, 3)]
    {
        let spec = JobSpec { base, parallel: [world, 1, 1], ..jumping(by, 50) };
        let found = job(&spec);
        assert!(codes(&found).contains(&JobCode::ClockJump), "{:?}", found.warnings);
        assert_eq!(steps_left_out(&found), [(world - 1, "4")], "{by} {base} {:?}", found.clocks);
        assert_eq!((&found.stragglers[..], found.gain), (&[][..], None));
        is_like_the_others(&found, usize::try_from(world - 1).expect("few"));
        let even = job(&JobSpec { clock_jump: None, ..spec.clone() });
        for (row, even) in found.collectives.iter().zip(&even.collectives) {
            let [found, expected] = [row, even].map(|row| row.sums.expect("matched"));
            assert!((found.wait.0 - expected.wait.0).abs() * 50 < expected.total().0, "{row:?}, not {even:?}");
        }
        for slow in [1, world - 1] {
            let faults = vec![Fault::Compute(slow, 30)];
            finds(&JobSpec { faults, ..spec.clone() }, StragglerPlace::Rank(slow), StragglerCause::LongerKernels);
        }
    }
    // A step whose device works on into the next one counts for its device, too.
    let between = job(&JobSpec { clock_jump_inside: 0, ..jumping(50_000_000, 51) });
    assert_eq!(steps_left_out(&between), [(7, "3")]);
    is_like_the_others(&between, 7);
    // With two ranks it is unknown whose clock it is.
    let two = job(&JobSpec { parallel: [2, 1, 1], ..jumping(50_000_000, 52) });
    assert!(steps_left_out(&two).contains(&(1, "4")), "{:?}", two.warnings);
    assert_eq!(two.stragglers, []);
}

/// There is no correct time to compare with others.
#[test]
fn a_rank_without_marked_steps_whose_clock_jumps_is_not_compared() {
    let digests =
        ranks(jumping(50_000_000, 58).traces()).iter().map(|rank| (rank.rank, rank.digest().map(unmarked))).collect();
    let found = job_of_digests(digests, &JobConfig::default()).expect("several ranks");
    assert_eq!((steps_left_out(&found), found.ranks[7].steps), (vec![(7, "trace")], 0));
    assert_eq!(found.stragglers, []);
    assert!(found.ranks.iter().all(|row| row.marks.is_empty()), "{:?}", found.ranks);
}

#[test]
fn a_clock_that_goes_back_is_no_restart() {
    for by in [-30_000_000_000, -5_000_000, -40_000_000] {
        for base in [true, false] {
            let spec = JobSpec { base, ..jumping(by, 53) };
            let found = job(&spec);
            let codes = codes(&found);
            assert!(codes.contains(&JobCode::ClockJump) && !codes.contains(&JobCode::Restart), "{by}: {codes:?}");
            assert_eq!(found.stragglers, [], "{by}");
            let clock = found.clocks.ranks[7];
            assert!(clock.goes_back && clock.residual.is_some_and(|residual| residual.0 < 20_000), "{by}: {clock:?}");
            // If it goes back over most of them, hardly any step is correct.
            if found.ranks[7].steps > 2 {
                is_like_the_others(&found, 7);
            }
            // The profiler keeps an event that ends before its beginning as an instant event, which does not count.
            let step_four = steps_left_out(&found).contains(&(7, "4"));
            assert!(step_four != (by < -5_000_000), "{by}: {:?}", found.warnings);
        }
    }
}

/// A clock that goes back is wrong in itself: with two clocks the other one is right, and so are its times.
#[test]
fn of_two_clocks_one_that_goes_back_is_taken_back_alone() {
    for by in [-30_000_000_000, -40_000_000] {
        for base in [true, false] {
            let healthy = JobSpec { base, parallel: [2, 1, 1], ..jumping(by, 59) };
            for faults in [vec![], vec![Fault::Compute(0, 30)], vec![Fault::Compute(1, 30)]] {
                let spec = JobSpec { faults, ..healthy.clone() };
                let found = job(&spec);
                let told: Vec<_> =
                    found.warnings.iter().filter(|one| one.code == JobCode::ClockJump).map(|one| &one.ranks).collect();
                assert_eq!(told, [&[1]], "{by} {base} {:?}", found.warnings);
                let [right, wrong] = &found.clocks.ranks[..] else { panic!("{:?}", found.clocks) };
                assert!(!right.drifts() && wrong.goes_back, "{:?}", found.clocks);
                assert!(steps_left_out(&found).iter().all(|(rank, _)| *rank == 1), "{:?}", found.warnings);
                let even = job(&JobSpec { clock_jump: None, ..spec.clone() });
                assert_eq!(found.ranks[0].own, even.ranks[0].own);
                let places = |job: &Job| job.stragglers.iter().map(|one| one.place).collect::<Vec<_>>();
                assert_eq!(places(&found), places(&even), "{by} {base} {:?}", spec.faults);
            }
        }
    }
}

/// With two clocks, one that jumps within a collective has no other event there, and the other one's part is shorter.
#[test]
fn of_two_clocks_one_that_jumps_within_a_collective_is_taken_back_alone() {
    // Sums take longer than what is computed, so that each follows another one.
    let even = JobSpec { parallel: [2, 1, 1], steps: 8, bytes: [0, 0, 200_000_000], ..JobSpec::data_parallel(60) };
    for base in [true, false] {
        let spec = JobSpec { clock_jump: Some(3), clock_jump_inside: 80, base, ..even.clone() };
        let found = job(&spec);
        assert_eq!(codes(&found), [JobCode::ClockJump, JobCode::StepsLeftOut], "{:?}", found.clocks);
        assert_eq!((&found.warnings[0].ranks[..], steps_left_out(&found)), (&[1][..], vec![(1, "4")]));
        assert_eq!(found.stragglers, []);
        let (found, expected) = (slices(&spec), slices(&JobSpec { base, ..even.clone() }));
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let is_near = |a: i64, b: i64| (a - b).abs() < 40_000;
            assert_eq!(found.0, expected.0);
            assert!(is_near(found.1, expected.1) && is_near(found.2, expected.2), "{found:?}, not {expected:?}");
        }
    }
}

/// If parts usually take as long as that, the longer one may be the right one.
#[test]
fn of_two_clocks_one_that_jumps_little_is_not_told() {
    let spec = JobSpec { parallel: [2, 1, 1], bytes: [0, 0, 400_000_000], ..jumping(1_000_000, 60) };
    let found = job(&JobSpec { clock_jump_inside: 80, ..spec });
    assert_eq!(codes(&found), [JobCode::OneClockJumps, JobCode::StepsLeftOut], "{:?}", found.clocks);
}

/// The slices of an export with their times in ns, those of a kind in their order.
fn slices(spec: &JobSpec) -> Vec<(String, i64, i64)> {
    let ranks = ranks(spec.traces());
    let ranks: Vec<&Rank> = ranks.iter().collect();
    let mut export = Vec::new();
    write(&ranks, ExportConfig::of(Level::Detail), &mut export).expect("memory takes all");
    let export = String::from_utf8(export).expect("text");
    let field = |line: &str, key: &str| -> Option<String> {
        let (_, rest) = line.split_once(&format!("\"{key}\":"))?;
        Some(rest.split([',', '}']).next()?.trim_matches('"').to_owned())
    };
    let nanos = |text: String| text.replace('.', "").parse::<i64>().expect("a time");
    let lines = export.lines().filter(|line| line.starts_with("{\"ph\":\"X\""));
    let slice = |line: &str| {
        let kind = [field(line, "pid")?, field(line, "tid")?, field(line, "name")?].join(" ");
        Some((kind, nanos(field(line, "ts")?), nanos(field(line, "dur")?)))
    };
    let mut slices: Vec<_> = lines.filter_map(slice).collect();
    slices.sort();
    slices
}

#[test]
fn an_export_takes_back_what_a_clock_runs_away() {
    let even = JobSpec { steps: 8, ..JobSpec::data_parallel(54) };
    let expected = slices(&even);
    assert!(expected.len() > 5_000);
    for spec in [
        jumping(50_000_000, 54),
        JobSpec { clock_jump_inside: 0, ..jumping(50_000_000, 54) },
        JobSpec { base: false, ..jumping(900_000_000, 54) },
    ] {
        let found = slices(&spec);
        assert_eq!(found.len(), expected.len(), "{spec:?}");
        for (found, expected) in found.iter().zip(&expected) {
            let is_near = |a: i64, b: i64| (a - b).abs() < 40_000;
            assert_eq!(found.0, expected.0);
            assert!(is_near(found.1, expected.1) && is_near(found.2, expected.2), "{found:?}, not {expected:?}");
        }
    }
}

#[test]
fn an_export_takes_drifts_back() {
    let spec = JobSpec { steps: 8, clock_drift: 600, ..JobSpec::data_parallel(54) };
    let mut ends: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for (kind, at, length) in slices(&spec).into_iter().filter(|(kind, ..)| kind.contains("ncclDev")) {
        ends.entry(kind).or_default().push(at + length);
    }
    let mut ends: Vec<Vec<i64>> = ends.into_values().collect();
    ends.iter_mut().for_each(|ends| ends.sort_unstable());
    assert_eq!(ends.len(), 8);
    for collective in 0..ends[0].len() {
        let of_ranks = ends.iter().map(|ends| ends[collective]);
        let apart = of_ranks.clone().max().zip(of_ranks.min()).map(|(last, first)| last - first);
        assert!(apart < Some(20_000), "{apart:?}");
    }
}

#[test]
fn what_comes_later_is_behind_in_an_export_though_its_clock_went_back() {
    let spec = jumping(-30_000_000_000, 54);
    let [found, even] = [spec.clone(), JobSpec { clock_jump: None, ..spec }].map(|spec| {
        let kernels = slices(&spec).into_iter().filter(|(kind, ..)| kind.contains("gemm"));
        let mut times: Vec<i64> = kernels.map(|(_, at, _)| at).collect();
        times.sort_unstable();
        times
    });
    assert_eq!(found.len(), even.len());
    assert!(found.iter().zip(&even).all(|(found, even)| (found - even).abs() < 40_000));
}

/// Two jobs beside each other, whose clocks are unrelated.
fn beside(one: &JobSpec, other: &JobSpec) -> Job {
    let digests = |spec: &JobSpec| -> Vec<RankDigest> {
        ranks(spec.traces())
            .iter()
            .map(|rank| rank.digest().expect("events"))
            .enumerate()
            .map(|(number, digest)| RankDigest { rank: number as u64, ..digest })
            .collect()
    };
    let further = digests(other).into_iter().map(|digest| RankDigest {
        rank: digest.rank + 8,
        world_size: None,
        groups: digest
            .groups
            .iter()
            .map(|group| DigestGroup {
                name: format!("other {}", group.name),
                ranks: group.ranks.iter().map(|rank| rank + 8).collect(),
                ..group.clone()
            })
            .collect(),
        steps: digest
            .steps
            .iter()
            .map(|step| StepDigest { name: format!("other {}", step.name), ..step.clone() })
            .collect(),
        ..digest
    });
    let one = digests(one).into_iter().map(|digest| RankDigest { world_size: None, ..digest });
    let all = one.chain(further).map(|digest| (Some(digest.rank), Some(digest))).collect();
    job_of_digests(all, &JobConfig::default()).expect("several ranks")
}

#[test]
fn jobs_that_nothing_joins_are_judged_apart() {
    let even = JobSpec { steps: 8, ..JobSpec::data_parallel(55) };
    for base in [true, false] {
        let other = JobSpec { base, ..jumping(50_000_000, 56) };
        let both = beside(&even, &other);
        let jumps: Vec<u64> = both
            .ranks
            .iter()
            .zip(&both.clocks.ranks)
            .filter(|(_, clock)| clock.jumps())
            .map(|(row, _)| row.rank)
            .collect();
        assert_eq!(jumps, if base { vec![15] } else { vec![] }, "{base}: {:?}", codes(&both));
        assert_eq!(both.stragglers, []);
    }
    // For two ranks without a link to a third one it is unknown whose clock it is, however many others there are.
    let two = JobSpec { parallel: [2, 1, 1], ..jumping(50_000_000, 52) };
    let both = beside(&two, &even);
    let told = both.warnings.iter().find(|one| one.code == JobCode::OneClockJumps);
    assert_eq!(told.map(|one| (one.count, &one.ranks[..])), Some((1, &[0, 1][..])), "{:?}", both.warnings);
    assert!(!codes(&both).contains(&JobCode::ClockJump), "{:?}", both.warnings);
    // Steps of a missing job do not reduce the gain.
    let spec = JobSpec {
        faults: vec![Fault::Compute(4, 30)],
        steps: 12,
        recorded: Some((2, 3, 12)),
        ..JobSpec::data_parallel(33)
    };
    let (alone, both) = (job(&spec), beside(&spec, &even));
    let gains = |job: &Job| job.stragglers.iter().map(|one| (one.place, one.gain)).collect::<Vec<_>>();
    assert_eq!(gains(&both), gains(&alone));
    assert!(!codes(&both).contains(&JobCode::NoCommonStep));
}

/// The job, with some kernels of collectives lost from one rank's trace.
fn lossy(spec: &JobSpec, of: usize, is_lost: fn(usize) -> bool) -> Job {
    let mut texts = spec.traces();
    let text = String::from_utf8(std::mem::take(&mut texts[of])).expect("text");
    let mut count = 0;
    let mut is_kept = |line: &&str| {
        let is_collective = line.contains("\"cat\": \"kernel\"") && line.contains("nccl") && line.ends_with(',');
        count += usize::from(is_collective);
        !is_collective || !is_lost(count)
    };
    let kept: Vec<&str> = text.lines().filter(|line| is_kept(line)).collect();
    texts[of] = kept.join("\n").into_bytes();
    job_of(&ranks(texts)).expect("several ranks")
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "a ratio, compared with a tolerance")]
fn lost_collectives_make_no_straggler() {
    // With little computation at the same time, so that lost events would seem to be the rank's own time.
    let healthy = JobSpec { bytes: [0, 0, 200_000_000], ..JobSpec::data_parallel(57) };
    let some = lossy(&healthy, 3, |count| count > 36);
    assert!(codes(&some).contains(&JobCode::LackingParts), "{:?}", some.warnings);
    assert_eq!(some.stragglers, []);
    let [own, other] = [3, 4].map(|rank| told(some.ranks[rank].own));
    assert!((own - other).abs() * 20 < other, "{own}, not {other}");
    // Without a complete step it is not known.
    let all = lossy(&healthy, 3, |count| count.is_multiple_of(2));
    assert_eq!((all.ranks[3].own, &all.stragglers[..]), (None, &[][..]));
    // That hides no other straggler.
    let slow = JobSpec { faults: vec![Fault::Compute(5, 40)], ..healthy };
    for is_lost in [|count: usize| count > 36, |count: usize| count.is_multiple_of(2)] {
        let found = lossy(&slow, 3, is_lost);
        let [one] = &found.stragglers[..] else { panic!("{:?}", found.stragglers) };
        let gain = one.gain.expect("a gain").0 as f64 / slow.gain() as f64;
        assert_eq!(one.place, StragglerPlace::Rank(5));
        assert!((gain - 1.0).abs() < 0.15, "{gain} of the true gain");
    }
}
