//! Several ranks of one job: their common collectives, compared with plain computations on the files' text.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope::analyze::{
    AnalysisConfig, ApartReason, ClockSource, CollectiveKind, CollectiveSums, Job, JobCode, ParallelStrategy,
    RankDigest, RankRow, StragglerVerdict, job,
};
use stepscope::export::report_json::Summary;
use stepscope::{Nanos, Rank, job_of};
use stepscope_tests::files::{files_of, folder_ranks, load_file, real_traces, text_of};

struct Both {
    ranks: Vec<Rank>,
    texts: Vec<Value>,
}

impl Both {
    fn of(folder: &Path, names: [&str; 2]) -> Self {
        let path = |name: &&str| folder.join(name);
        let rank = |name: &str| {
            let file = fs::read(path(&name)).expect("a file");
            let loaded = load_file(name, &file, 1 << 18).expect("a trace");
            Rank::new(name, file.len() as u64, loaded, &AnalysisConfig::standard())
        };
        let texts = names.iter().map(|name| serde_json::from_slice(&text_of(&path(name))).expect("JSON"));
        Self { ranks: names.iter().map(|name| rank(name)).collect(), texts: texts.collect() }
    }

    fn digests(&self) -> Vec<RankDigest> {
        let digest = |rank: &Rank| RankDigest::of(&rank.trace, &rank.analysis, rank.rank.expect("a rank"), &rank.file);
        self.ranks.iter().map(digest).collect()
    }

    /// Start and end in ns since the trace's base, of the complete events that are wanted, by start.
    fn spans(&self, rank: usize, wanted: impl Fn(&Value) -> bool) -> Vec<(i64, i64)> {
        let events = self.texts[rank]["traceEvents"].as_array().expect("events");
        #[expect(clippy::cast_possible_truncation, reason = "microseconds of a text, to the nanosecond")]
        let nanos = |value: &Value| (value.as_f64().expect("a time") * 1000.0).round() as i64;
        let of = |event: &Value| (nanos(&event["ts"]), nanos(&event["ts"]) + nanos(&event["dur"]));
        let mut found: Vec<(i64, i64)> =
            events.iter().filter(|event| event["ph"] == "X" && wanted(event)).map(of).collect();
        found.sort_unstable();
        found
    }
}

fn lengths(job: &Job, digests: &[RankDigest]) -> Vec<(CollectiveKind, Vec<Nanos>)> {
    let matched = job.matching.collectives.iter().filter(|of| job.matching.parts(of).len() > 1);
    let length = |part: &stepscope::analyze::PartOf| digests[part.rank as usize].parts[part.part as usize].span.len();
    matched.map(|of| (of.kind, job.matching.parts(of).iter().map(length).collect())).collect()
}

/// Each file contains only some of its kernels, and not the same ones. Parts of a collective end together: five pairs
/// of ten and ten kernels. Their order would match others; their common moment identifies these five.
#[test]
fn two_sampled_ranks_of_128() {
    let Some(folder) = real_traces() else { return };
    let both = Both::of(&folder.join("pytorch"), ["sampled_rank0of128.json.gz", "sampled_rank1of128.json.gz"]);
    let digests = both.digests();
    let job = job(&digests);
    let is_nccl = |event: &Value| {
        event["cat"] == "kernel" && event["name"].as_str().is_some_and(|name| name.starts_with("ncclKernel"))
    };
    let mut together = Vec::new();
    for (start, end) in both.spans(0, is_nccl) {
        for (other_start, other_end) in both.spans(1, is_nccl) {
            if (end - other_end).abs() < 1_000_000 {
                together.push(vec![Nanos(end - start), Nanos(other_end - other_start)]);
            }
        }
    }
    assert_eq!(together.len(), 5, "{together:?}");
    let ours = lengths(&job, &digests);
    assert_eq!(ours.len(), 5, "{ours:?}");
    assert!(ours.iter().all(|(_, lengths)| together.contains(lengths)), "{ours:?} of {together:?}");
    let count = |kind| ours.iter().filter(|(of, _)| *of == kind).count();
    let kinds = [CollectiveKind::AllGather, CollectiveKind::AllReduce, CollectiveKind::AllToAll];
    assert_eq!(kinds.map(count), [2, 2, 1]);
    let codes: Vec<JobCode> = job.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [JobCode::MissingRanks, JobCode::MissingParts]);
    assert_eq!((job.world_size, job.warnings[1].count), (128, 10));
    assert!(job.clocks.ranks.iter().all(|clock| clock.source == ClockSource::Shared), "{:?}", job.clocks);
}

/// Gloo on two processes: the host's collectives, without numbers, on one clock.
#[test]
fn two_ranks_that_use_gloo() {
    let Some(folder) = real_traces() else { return };
    let both = Both::of(&folder.join("generated/torch/ddp"), ["rank0.json.gz", "rank1.json.gz"]);
    let digests = both.digests();
    let job = job(&digests);
    let spans = [0, 1]
        .map(|rank| both.spans(rank, |event| event["name"].as_str().is_some_and(|name| name.starts_with("gloo:"))));
    assert!(!spans[0].is_empty() && spans[0].len() == spans[1].len());
    let ours = lengths(&job, &digests);
    let pairs: Vec<Vec<Nanos>> =
        spans[0].iter().zip(&spans[1]).map(|(a, b)| vec![Nanos(a.1 - a.0), Nanos(b.1 - b.0)]).collect();
    assert_eq!(ours.iter().map(|(_, lengths)| lengths.clone()).collect::<Vec<_>>(), pairs);
    let sum = |of: fn(CollectiveSums) -> Nanos| -> i64 {
        job.collectives.iter().filter(|row| row.group.is_none()).filter_map(|row| row.sums).map(|sums| of(sums).0).sum()
    };
    // Where both start at once, but one ends later, it transfers that long.
    let of_pair = |(a, b): (&(i64, i64), &(i64, i64))| {
        let (lengths, skew) = ([a.1 - a.0, b.1 - b.0], (a.0 - b.0).abs());
        let longer = (lengths[0] - lengths[1]).abs();
        let first = if a.0 < b.0 { lengths[0] } else { lengths[1] };
        let wait = match skew <= 20_000 && longer > skew + 20_000 {
            true => skew.min(first - lengths[0].min(lengths[1])),
            false => longer,
        };
        lengths[0] + lengths[1] - wait
    };
    let transfer: i64 = spans[0].iter().zip(&spans[1]).map(of_pair).sum();
    let total: i64 = pairs.iter().flatten().map(|length| length.0).sum();
    assert_eq!((sum(|sums| sums.transfer), sum(|sums| sums.wait)), (transfer, total - transfer));
    // Three numbers from each of the two.
    let gathered = job.collectives.iter().find(|row| row.kind == CollectiveKind::AllGather).and_then(|row| row.bytes);
    assert_eq!(gathered, Some(5 * 2 * 3 * 4));
    let count = |kind| ours.iter().filter(|(of, _)| *of == kind).count();
    let kinds = [CollectiveKind::AllReduce, CollectiveKind::AllGather, CollectiveKind::Barrier, CollectiveKind::Send];
    assert_eq!(kinds.map(count), [20, 5, 5, 5]);
    assert!(job.clocks.ranks.iter().all(|clock| clock.source == ClockSource::Shared), "{:?}", job.clocks);
    assert_eq!(job.warnings, []);
}

/// The same two: each rank's own time and the last rank, counted on the texts. Rank 1 makes numbers and multiplies them
/// in each step, but rank 0 is delayed for longer than all that in one step. By their means rank 0 is the slower one;
/// without that step rank 1 is. Neither is last often enough to be a straggler.
#[test]
fn a_slower_rank_that_chance_hides() {
    let Some(folder) = real_traces() else { return };
    let both = Both::of(&folder.join("generated/torch/ddp"), ["rank0.json.gz", "rank1.json.gz"]);
    let digests = both.digests();
    let job = job(&digests);
    let is =
        |start: &'static str| move |event: &Value| event["name"].as_str().is_some_and(|name| name.starts_with(start));
    let mut owns = Vec::new();
    for (rank, row) in job.ranks.iter().enumerate() {
        let steps = both.spans(rank, is("ProfilerStep#"));
        let gloo = both.spans(rank, is("gloo:"));
        let counted = digests[rank].steps.iter().zip(steps).filter(|(step, _)| step.counts);
        // Operators of the program's own thread at the same time end exposed communication, except those that load data
        // or wait.
        let operators = both.spans(rank, |event| event["cat"] == "cpu_op" && event["tid"] == event["pid"]);
        let held = both.spans(rank, |event| {
            is("enumerate(DataLoader)")(event) || (is("gloo:")(event) && event["tid"] == event["pid"])
        });
        let within = |spans: &[(i64, i64)], at: i64| spans.iter().any(|(start, end)| *start <= at && at < *end);
        let alone = |step: (i64, i64)| {
            let edges = [&gloo, &operators, &held].into_iter().flatten().flat_map(|(start, end)| [*start, *end]);
            let mut edges: Vec<i64> = edges.filter(|at| step.0 < *at && *at < step.1).chain([step.0, step.1]).collect();
            edges.sort_unstable();
            let parts = edges.windows(2).filter(|part| {
                let is_computing = within(&operators, part[0]) && !within(&held, part[0]);
                within(&gloo, part[0]) && !is_computing
            });
            parts.map(|part| part[1] - part[0]).sum::<i64>()
        };
        let own: Vec<i64> = counted.map(|(_, step)| step.1 - step.0 - alone(step)).collect();
        let count = i64::try_from(own.len()).expect("a few steps");
        let told = row.own.expect("steps");
        assert!(count >= 4 && (told.0 * count - own.iter().sum::<i64>()).abs() <= count, "{row:?} of {own:?}");
        assert_eq!(row.communication_alone, Some(row.step - told));
        assert!(row.communication > row.communication_alone && row.compute > Some(Nanos::ZERO), "{row:?}");
        owns.push(own);
    }
    let sum = |own: &[i64]| own.iter().sum::<i64>();
    let held_up = owns[0].iter().max().expect("steps");
    assert!(sum(&owns[0]) * 10 > sum(&owns[1]) * 11, "{owns:?}");
    assert!((sum(&owns[0]) - held_up) * 4 < sum(&owns[1]) * 3, "{owns:?}");
    assert_eq!((job.stragglers.len(), job.gain), (0, None), "{:?}", job.stragglers);
    // Sums, gathers and barriers make all ranks wait for each other; the one with the shorter wait came last.
    let synchronizes = |name: &str| ["all_reduce", "all_gather", "barrier"].iter().any(|word| name.ends_with(word));
    let collectives = [0, 1].map(|rank| {
        both.spans(rank, |event| {
            event["name"].as_str().is_some_and(|name| name.starts_with("gloo:") && synchronizes(name))
        })
    });
    let step_of = |rank: usize, at: i64| {
        let steps = both.spans(rank, is("ProfilerStep#"));
        let step = steps.iter().position(|(start, end)| *start <= at && at < *end);
        step.is_some_and(|step| digests[rank].steps[step].counts)
    };
    let pairs = collectives[0].iter().zip(&collectives[1]).filter(|(a, b)| step_of(0, a.0) && step_of(1, b.0));
    let last: Vec<bool> = pairs.map(|(a, b)| b.1 - b.0 < a.1 - a.0).collect();
    let ones = last.iter().filter(|second| **second).count() as u64;
    let votes: Vec<[u64; 2]> = job.ranks.iter().map(|row| [row.votes, row.voted]).collect();
    let all = last.len() as u64;
    assert_eq!(votes, [[all - ones, all], [ones, all]]);
    assert!(all >= 20 && votes.iter().all(|[last, _]| last * 4 <= all * 3), "{votes:?}");
}

/// `MindSpore`'s strategy of two ranks, as `MindInsight` reads it: its mode, the devices of each stage.
#[test]
fn a_parallel_strategy() {
    let Some(folder) = real_traces() else { return };
    let folder = folder.join("mindspore");
    let expected: Value =
        serde_json::from_slice(&text_of(&folder.join("parallel_strategy_expected.json"))).expect("JSON");
    let found = folder_ranks(&files_of(&folder.join("parallel_strategy")), 1 << 12, &AnalysisConfig::standard());
    for rank in found.expect("ranks").ranks {
        let strategy = ParallelStrategy::of(&rank.trace).expect("a strategy");
        assert_eq!(expected["data"]["parallel_type"], strategy.mode.as_str());
        let stages = expected["data"]["stage_devices"].as_object().expect("stages");
        assert_eq!(stages.len(), strategy.stages.len());
        for (stage, devices) in strategy.stages.iter().enumerate() {
            assert_eq!(stages[&stage.to_string()], serde_json::json!(devices));
        }
        assert!(!strategy.cuts.is_empty(), "{strategy:?}");
    }
}

/// The folders of traces of several ranks of one job, and the evidence for their verdict.
const JOBS: [(&str, &[&str]); 5] = [
    ("generated/torch/ddp", &["rank0.json.gz", "rank1.json.gz"]),
    ("generated/paddle/ddp", &["rank0.paddle_trace.pb", "rank1.paddle_trace.pb"]),
    ("pytorch", &["sampled_rank0of128.json.gz", "sampled_rank1of128.json.gz"]),
    (
        "mindspore/profiler",
        &["PROF_000001_20230818142704322_COJGGGCANRMICFBC", "PROF_000001_20230818142704567_GQFAMHBKGODKJMLA"],
    ),
    ("mindspore/cluster_propose", &[""]),
];

/// The ranks of some of a folder's files or folders.
fn some_of(folder: &Path, names: &[&str]) -> Vec<Rank> {
    let files = files_of(folder).into_iter().filter(|(path, _)| names.iter().any(|name| path.starts_with(name)));
    let found = folder_ranks(&files.collect::<Vec<_>>(), 1 << 18, &AnalysisConfig::standard());
    found.unwrap_or_else(|error| panic!("{}: {error}", folder.display())).ranks
}

/// A rank's own report and the job's table have the same exposed communication; and if ranks are compared, their
/// collectives are matched.
#[test]
fn exposed_communication_alone_and_in_the_job() {
    let Some(folder) = real_traces() else { return };
    for (place, names) in JOBS {
        let ranks = some_of(&folder.join(place), names);
        let job = job_of(&ranks).unwrap_or_else(|| panic!("{place}: several ranks"));
        assert!(job.is_one(), "{place}: {:?}", job.relation);
        assert_eq!(job.verdict.is_known(), job.coverage.ranks > 1 || !job.stragglers.is_empty(), "{place}");
        for (rank, row) in ranks.iter().zip(&job.ranks).filter(|(rank, _)| !rank.analysis.devices.is_empty()) {
            let own = &rank.analysis.average;
            assert_eq!(row.communication_alone, Some(own.device.exposed_communication), "{place}: rank {}", row.rank);
            assert_eq!((row.compute, row.step), (Some(own.device.compute), own.length), "{place}: rank {}", row.rank);
        }
        // Exposed communication has one number for hosts, too.
        for (rank, row) in ranks.iter().zip(&job.ranks).filter(|(rank, _)| rank.analysis.devices.is_empty()) {
            let exposed = rank.analysis.average.exposed_on_hosts;
            assert!(exposed.is_none() || row.communication_alone == exposed, "{place}: rank {}: {exposed:?}", row.rank);
        }
        // A rank that is marked as slow is a straggler, or the reason why it is not is given.
        let computes_longer = |row: &&RankRow| row.marks.iter().any(|mark| mark.column == "compute" && mark.by > 0.0);
        let named = |rank| {
            let of_own = job.slow_alone.iter().any(|one| one.rank == rank);
            of_own || job.longer_compute().is_some_and(|found| found.ranks.contains(&rank))
        };
        for row in job.averaged().filter(computes_longer).filter(|_| job.verdict == StragglerVerdict::None) {
            assert!(named(row.rank), "{place}: {:?}", row.marks);
        }
        let is_slow = |row: &&RankRow| row.marks.iter().any(|mark| mark.column == "own" && mark.by > 0.02);
        for row in job.ranks.iter().filter(is_slow) {
            let is_straggler = job.stragglers.iter().any(|one| one.place.ranks(&job).contains(&row.rank));
            let why = job.slow_alone.iter().find(|one| one.rank == row.rank);
            assert!(is_straggler || why.is_some_and(|one| one.blamed <= one.needed), "{place}: {:?}", row.marks);
        }
    }
}

/// For a device that marks its own iterations, the transfers lie in them, and the time between them is the job's.
#[test]
fn two_devices_of_mindspore_together() {
    let Some(folder) = real_traces() else { return };
    let (place, names) = JOBS[3];
    let ranks = some_of(&folder.join(place), names);
    let job = job_of(&ranks).expect("two ranks");
    assert_eq!(
        (job.verdict, job.coverage.ranks, job.coverage.matched, job.coverage.collectives),
        (StragglerVerdict::None, 2, 10, 10)
    );
    let summary: Value = serde_json::from_slice(&Summary::of(&ranks).to_json()).expect("JSON");
    let advice = summary["advice"].as_array().expect("advice");
    let exposed = advice.iter().find(|one| one["rule"] == "exposed_communication").expect("it holds");
    assert!(exposed["value"].as_f64().is_some_and(|value| value > 0.5), "{exposed}");
    for row in &job.ranks {
        let between = row.between.expect("time between iterations");
        assert!(between.length > Nanos(15_000_000) && between.idle > Some(Nanos(15_000_000)), "{row:?}");
    }
}

/// Traces of different jobs, and one trace under two names, are not ranks of one job.
#[test]
fn traces_that_are_no_job() {
    let Some(folder) = real_traces() else { return };
    let of = |name: &str| {
        let path = folder.join(name);
        let file = fs::read(&path).expect("a file");
        let loaded = load_file(name, &file, 1 << 18).expect("a trace");
        Rank::new(name, file.len() as u64, loaded, &AnalysisConfig::standard())
    };
    let named = |name: &str, of: Rank| Rank { file: name.to_owned(), ..of };
    let sampled = || of("pytorch/sampled_rank0of128.json.gz");
    let cases = [
        ([of("pytorch/a100_rank0of2_nccl.json.gz"), sampled()], ApartReason::OtherWorld),
        ([sampled(), named("copy.json", sampled())], ApartReason::SameRecording),
        ([of("generated/torch/cnn/cnn_lean.json.gz"), of("generated/torch/gpt/gpt_lean.json.gz")], ApartReason::NoRank),
        (
            [
                of("generated/torch/tb/worker0.1795229092641321325.pt.trace.json.gz"),
                of("generated/torch/tb/worker0.1795229102961071227.pt.trace.json.gz"),
            ],
            ApartReason::SameRank,
        ),
        (
            [of("generated/paddle/ddp/rank0.paddle_trace.pb"), of("generated/paddle/ddp/rank0.paddle_trace.json.gz")],
            ApartReason::SameRecording,
        ),
    ];
    for (ranks, reason) in cases {
        let job = job_of(&ranks).expect("two traces");
        let found: Vec<ApartReason> = job.relation.apart.iter().map(|one| one.reason).collect();
        assert_eq!((job.is_one(), found), (false, vec![reason]), "{} {}", ranks[0].file, ranks[1].file);
    }
}

/// Two processes that each see one GPU: the synchronizations of both have device 0. Each waits for its own device, so that
/// both ranks save as much without their copies.
#[test]
fn synchronizations_are_of_the_device_that_their_process_uses() {
    let Some(folder) = real_traces() else { return };
    let path = folder.join("more/nsight/nsys_2026.2_h100_2gpu_1s.sqlite");
    if !path.is_file() {
        eprintln!("SKIPPED: no {}", path.display());
        return;
    }
    let file = (path.display().to_string(), fs::read(&path).expect("an export"));
    let found = folder_ranks(&[file], 1 << 18, &AnalysisConfig::standard()).expect("two ranks");
    let least: Vec<i64> = found
        .ranks
        .iter()
        .map(|rank| rank.step_budget().and_then(|budget| budget.causes.first()?.saving).expect("copies").low.0)
        .collect();
    let [a, b] = least[..] else { panic!("{least:?}") };
    assert!(a > 400_000_000 && (a - b).abs() * 100 < a, "{least:?}");
}
