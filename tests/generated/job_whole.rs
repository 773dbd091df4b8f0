//! Evidence for a job's verdict: transfers without a recorded launch, time between steps, unmatched collectives, traces
//! that are not ranks of one job.

use serde_json::{Value, json};
use stepscope::analyze::{AnalysisConfig, DrillDownKind, DrillDownNumber, Job, StragglerVerdict, drill_down};
use stepscope::export::report_json::Summary;
use stepscope::{Nanos, Rank, job_of};
use stepscope_tests::files::rank;
use stepscope_tests::generator::JobSpec;

/// Four steps of 15 ms, which start every 33 ms: 6 ms of computing, then a sum over all ranks. No launching call is
/// recorded, as in MindSpore's traces of a device. Computing takes `late` longer between steps.
fn text(number: u64, world: u64, base: u64, late: u64) -> Vec<u8> {
    let mut events = Vec::new();
    let mut add = |cat: &str, name: &str, tid: u64, ts: u64, dur: u64| {
        let pid = u64::from(cat != "kernel") * 100;
        events.push(json!({"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur}));
    };
    for step in 0..4 {
        let start = step * 33_000;
        add("user_annotation", &format!("ProfilerStep#{step}"), 1, start, 15_000);
        add("kernel", "gemm", 7, start, 6_000 + number);
        add("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", 8, start + 6_100, 8_800);
        if late > 0 {
            add("kernel", "gather", 7, start + 16_000, late);
        }
    }
    let info = json!({"rank": number, "world_size": world});
    let base = base * 1_000_000_000;
    let text =
        json!({"deviceProperties": [], "distributedInfo": info, "baseTimeNanoseconds": base, "traceEvents": events});
    serde_json::to_vec(&text).expect("JSON")
}

fn read(name: &str, text: &[u8]) -> Rank {
    rank(name, text, &AnalysisConfig::standard()).expect("a trace")
}

fn two(late: u64) -> Vec<Rank> {
    vec![read("rank0.json", &text(0, 2, 0, 0)), read("rank1.json", &text(1, 2, 0, late))]
}

fn advice(ranks: &[Rank], rule: &str) -> Option<Value> {
    let summary: Value = serde_json::from_slice(&Summary::of(ranks).to_json()).expect("JSON");
    summary["advice"].as_array()?.iter().find(|one| one["rule"] == rule).cloned()
}

#[test]
fn transfers_that_nobody_launched_belong_to_the_step_of_their_time() {
    let ranks = two(0);
    let [alone, together] = [&ranks[..1], &ranks].map(|some| advice(some, "exposed_communication").expect("it holds"));
    assert_eq!((&alone["value"], &alone["gain_ns_per_step"]), (&together["value"], &together["gain_ns_per_step"]));
    let job = job_of(&ranks).expect("several ranks");
    assert_eq!(
        (job.verdict, job.coverage.ranks, job.coverage.matched, job.coverage.collectives),
        (StragglerVerdict::None, 2, 4, 4)
    );
    assert!(
        job.ranks.iter().all(|row| row.waiting.is_some_and(|waiting| waiting.all == Nanos::ZERO)),
        "{:?}",
        job.ranks
    );
}

fn entry(job: &Job) -> Vec<(&'static str, DrillDownNumber)> {
    let steps = drill_down(job);
    let found = steps.iter().find(|step| step.kind == DrillDownKind::Entry).expect("an entry");
    found.numbers.clone()
}

#[test]
fn time_between_steps_is_time_of_the_job() {
    let job = job_of(&two(0)).expect("several ranks");
    let between = job.ranks[0].between.expect("time between steps");
    assert_eq!(
        (job.ranks[0].step, between.length, between.idle),
        (Nanos(15_000_000), Nanos(18_000_000), Some(Nanos(18_000_000)))
    );
    let numbers = entry(&job);
    assert!(numbers.contains(&("between_steps", DrillDownNumber::Time(Nanos(18_000_000)))), "{numbers:?}");
    let shares: f64 = numbers
        .iter()
        .filter_map(|(_, number)| if let DrillDownNumber::Share(share) = number { Some(share) } else { None })
        .sum();
    // The rest is before the first recorded activity, whose launching call the trace does not show.
    assert!((0.97..1.001).contains(&shares), "{numbers:?}");
    assert!(
        numbers
            .iter()
            .any(|(name, number)| *name == "idle" && matches!(number, DrillDownNumber::Share(share) if *share > 0.5))
    );
    // A rank that works longer between its steps is a straggler like one that works longer within them.
    let slow = job_of(&two(10_000)).expect("several ranks");
    assert_eq!(slow.ranks[1].between.map(|between| between.compute), Some(Nanos(10_000_000)));
}

#[test]
fn what_nothing_matches_is_not_judged() {
    let without = |number: u64| {
        let text = String::from_utf8(text(number, 2, 0, 0)).expect("text");
        let text = text.replace("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)", "axpy");
        read(&format!("rank{number}.json"), text.as_bytes())
    };
    let ranks = [without(0), without(1)];
    let job = job_of(&ranks).expect("several ranks");
    assert_eq!((job.verdict, job.coverage.ranks), (StragglerVerdict::NoCollectives, 0));
    assert!(job.is_one(), "they tell that they are ranks of one job");
    // One of several collectives a step on one of them.
    let other = String::from_utf8(text(1, 2, 0, 0)).expect("text").replace("AllReduce", "AllGather");
    let ranks = [read("rank0.json", &text(0, 2, 0, 0)), read("rank1.json", other.as_bytes())];
    let job = job_of(&ranks).expect("several ranks");
    assert_eq!((job.verdict, job.coverage.matched, job.coverage.collectives), (StragglerVerdict::NothingMatched, 0, 8));
    assert!(job.ranks.iter().all(|row| row.waiting.is_none()), "nothing tells what of it is waiting");
    assert_eq!(advice(&ranks, "slow_rank"), None);
}

#[test]
fn traces_that_are_no_job_are_shown_by_themselves() {
    let first = || read("a.json", &text(0, 2, 0, 0));
    let cases = [
        (read("b.json", &text(0, 2, 0, 0)), "same_recording"),
        (read("b.json", &text(0, 2, 0, 5_000)), "same_rank"),
        (read("b.json", &text(3, 8, 0, 0)), "other_world"),
        (read("b.json", &text(1, 2, 86_400, 5_000)), "other_time"),
    ];
    for (other, reason) in cases {
        let ranks = [first(), other];
        let summary: Value = serde_json::from_slice(&Summary::of(&ranks).to_json()).expect("JSON");
        let recordings = if reason == "same_recording" { 1 } else { 2 };
        let traces = json!([{"input": "b.json", "reason": reason, "other": "a.json"}]);
        let told = json!({"recordings": recordings, "traces": traces});
        if reason == "other_time" {
            // Their collectives end together to the microsecond: a clock may be wrong by a day.
            assert_eq!((&summary["not_a_job"], summary["job"].is_object()), (&Value::Null, true));
            continue;
        }
        assert_eq!(
            (&summary["not_a_job"], &summary["job"], &summary["stragglers"]),
            (&told, &Value::Null, &Value::Null)
        );
        let rules: Vec<&Value> = summary["advice"].as_array().expect("advice").iter().map(|one| &one["rule"]).collect();
        assert!(rules.iter().all(|rule| *rule != "slow_rank"), "{rules:?}");
    }
}

/// A rank's own report and the job's table have the same exposed communication.
#[test]
fn exposed_communication_is_the_same_alone_and_together() {
    for spec in [
        JobSpec::data_parallel(71),
        JobSpec { parallel: [2, 2, 1], ..JobSpec::data_parallel(72) },
        JobSpec::three_dimensional(73),
    ] {
        let texts = spec.traces().into_iter().enumerate();
        let ranks: Vec<Rank> = texts.map(|(number, text)| read(&format!("rank{number}.json"), &text)).collect();
        let job = job_of(&ranks).expect("several ranks");
        assert!(job.is_one() && job.verdict == StragglerVerdict::None, "{:?} {:?}", job.verdict, job.relation);
        for (rank, row) in ranks.iter().zip(&job.ranks) {
            let own = &rank.analysis.average;
            assert_eq!(row.communication_alone, Some(own.device.exposed_communication), "rank {}", row.rank);
            assert_eq!(
                (row.compute, row.idle, row.step),
                (Some(own.device.compute), Some(own.device.idle), own.length)
            );
        }
    }
}
