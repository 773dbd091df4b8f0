//! Generated jobs, compared with HolisticTraceAnalysis and TraceLens on the same traces, all ranks together:
//! `fixtures/make/job_tools.py` ran them.

use serde_json::Value;
use stepscope::analyze::{AnalysisConfig, CollectiveRow, Job};
use stepscope::{Rank, job_of};
use stepscope_tests::files::{rank, root};
use stepscope_tests::generator::{Fault, JobSpec, Schedule};

use super::check_against_list;
use super::comparison::{Comparison, float};

/// The jobs by their names in the script.
fn jobs() -> [(&'static str, JobSpec); 3] {
    let of = |seed| JobSpec { steps: 3, ..JobSpec::three_dimensional(seed) };
    [
        ("sharded", JobSpec { parallel: [4, 2, 1], sharded: true, ..of(81) }),
        ("experts", JobSpec { parallel: [8, 1, 1], experts: 4, ..of(82) }),
        (
            "pipeline",
            JobSpec {
                parallel: [2, 2, 2],
                schedule: Schedule::OneForwardOneBackward,
                faults: vec![Fault::Compute(5, 30)],
                ..of(83)
            },
        ),
    ]
}

fn job(spec: &JobSpec) -> Job {
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let ranks: Vec<Rank> = spec.traces().into_iter().enumerate().map(trace).collect();
    job_of(&ranks).expect("several ranks")
}

fn reference(name: &str) -> Value {
    let path = root().join("tests/fixtures/references/jobs.json");
    let all: Value = serde_json::from_slice(&std::fs::read(path).expect("jobs.json")).expect("JSON");
    all[name].clone()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// HTA's percents have two decimals; its times are whole microseconds.
#[test]
#[expect(clippy::cast_precision_loss, reason = "a count of steps")]
fn hta_finds_the_same_overlap_on_all_ranks() {
    let mut found = Vec::new();
    for (name, spec) in jobs() {
        let (job, hta) = (job(&spec), reference(name)["hta"].clone());
        let hta = hta.as_array().expect("ranks");
        assert_eq!(job.ranks.len(), hta.len());
        for (row, of) in job.ranks.iter().zip(hta) {
            let [alone, all, compute] = [row.communication_alone, row.communication, row.compute]
                .map(|time| float(time.expect("a time that events tell")));
            let overlap = 100.0 * (1.0 - alone / all);
            let compute = compute * row.steps as f64 / 1000.0;
            let mut compare = |key: &str, expected: &Value, ours: f64, tolerance| {
                let key = format!("rank {} {key}", row.rank);
                found.push(Comparison::close("hta jobs", name, key, number(expected), ours, tolerance));
            };
            compare("overlap", &of["overlap_percent"], overlap, 0.006);
            compare("compute", &of["compute_us"], compute, 1.0);
        }
    }
    assert!(found.len() >= 48);
    check_against_list("hta jobs", &found);
}

/// `TraceLens`' times are doubles near 2^42 µs: each is off by up to half a nanosecond.
#[test]
#[expect(clippy::cast_precision_loss, reason = "bytes and counts")]
fn tracelens_finds_the_same_collectives() {
    const MEBI: f64 = 1_048_576.0;
    let mut found = Vec::new();
    for (name, spec) in jobs() {
        let (job, tracelens) = (job(&spec), reference(name)["tracelens"].clone());
        for (operation, groups) in tracelens.as_object().expect("operations") {
            for (ranks, of) in groups.as_object().expect("groups") {
                let kind = stepscope::analyze::CollectiveKind::of_name(operation);
                let such = |row: &&CollectiveRow| {
                    let group = row.group.map(|group| format!("{:?}", job.groups[group].ranks));
                    Some(row.kind) == kind && group.as_ref() == Some(ranks)
                };
                let row = job.collectives.iter().find(such).unwrap_or_else(|| panic!("{operation} of {ranks}"));
                let mut compare = |key: &str, expected: f64, ours: f64, tolerance: f64| {
                    let key = format!("{operation} {ranks} {key}");
                    found.push(Comparison::close("tracelens jobs", name, key, expected, ours, tolerance));
                };
                let count = row.count as f64;
                let bytes = row.bytes.map_or(0.0, |bytes| bytes as f64);
                compare("count", number(&of["count"]), count, 0.0);
                compare("bytes", number(&of["mib"]) * MEBI, bytes, 1.0);
                let sums = row.sums.expect("matched");
                let transfer = float(sums.transfer) / row.size as f64;
                compare("transfer", number(&of["latency_us"]) * 1e3, transfer, count);
                compare("wait", number(&of["wait_us"]) * 1e3, float(sums.wait), count * row.size as f64);
                let [mean, max] = [row.mean_skew, row.max_skew].map(|skew| float(skew.expect("a clock")));
                compare("mean skew", number(&of["mean_skew_us"]) * 1e3, mean, 1.0);
                compare("max skew", number(&of["max_skew_us"]) * 1e3, max, 1.0);
                let bus = row.bus_bandwidth.expect("a rate") / MEBI / 1024.0;
                for end in of["bus_gib_per_s"].as_array().expect("least and most") {
                    compare("bus", number(end), bus, 1e-4 * bus);
                }
            }
        }
    }
    assert!(found.len() >= 150, "{}", found.len());
    check_against_list("tracelens jobs", &found);
}
