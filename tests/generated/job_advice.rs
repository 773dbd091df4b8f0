//! Advice on the ranks of a job: rules that compare them come first, each rule once, and waiting for others is no gain.

use std::collections::BTreeMap;

use serde_json::Value;
use stepscope::Rank;
use stepscope::analyze::{AdviceConfig, AnalysisConfig};
use stepscope::export::report_json::{AdviceReport, RankSet, ReportRequest, Summary, json, request};
use stepscope::job_of;
use stepscope_tests::files::rank;
use stepscope_tests::generator::{Fault, JobSpec};

use super::job::job;

fn ranks(spec: &JobSpec) -> Vec<Rank> {
    let trace = |(number, text): (usize, Vec<u8>)| {
        rank(&format!("rank{number}.json"), &text, &AnalysisConfig::standard()).expect("a trace")
    };
    let read: Vec<Rank> = spec.traces().into_iter().enumerate().map(trace).collect();
    // A copy takes no more memory than it needs.
    read.clone()
}

/// The applicable rules, in their order.
fn advice(ranks: &[Rank]) -> Vec<Value> {
    let summary: Value = serde_json::from_slice(&Summary::of(ranks).to_json()).expect("JSON");
    summary["advice"].as_array().expect("a list").clone()
}

fn of_rule<'a>(advice: &'a [Value], rule: &str) -> Vec<&'a Value> {
    advice.iter().filter(|one| one["rule"] == rule).collect()
}

/// A rank with longer computation, and sums so small that they take almost no time.
fn one_slow() -> JobSpec {
    let faults = vec![Fault::Compute(5, 60)];
    JobSpec { faults, bytes: [1_000, 400_000, 400_000], steps: 4, ..JobSpec::data_parallel(31) }
}

#[test]
fn what_compares_ranks_comes_first_and_each_rule_once() {
    let spec = one_slow();
    let ranks = ranks(&spec);
    let advice = advice(&ranks);
    assert_eq!(advice[0]["rule"], "slow_rank", "{advice:?}");
    let mut rules: Vec<&str> = advice.iter().filter_map(|one| one["rule"].as_str()).collect();
    let told = rules.len();
    rules.sort_unstable();
    rules.dedup();
    assert_eq!(rules.len(), told, "each rule is one card");
    let [small] = of_rule(&advice, "small_collectives")[..] else { panic!("{advice:?}") };
    let of_ranks = small["ranks"].as_array().expect("ranks");
    // The slow rank waits for no other rank: small collectives cost it less than a hundredth of its step.
    assert_eq!(of_ranks.len(), 7);
    let gains: Vec<i64> = of_ranks.iter().filter_map(|one| one["gain_ns_per_step"].as_i64()).collect();
    assert!(gains.len() == 7 && gains.is_sorted_by(|a, b| a >= b), "{gains:?}");
    assert_eq!(small["gain_ns_per_step"], gains[0], "the worst's, not the sum");
    assert_eq!(
        (&small["rank"], &small["input"]),
        (&of_ranks[0]["rank"], &format!("rank{}.json", of_ranks[0]["rank"]).into())
    );
    let median = small["median_gain_ns_per_step"].as_i64().expect("a median");
    assert!((gains[4]..=gains[3]).contains(&median), "{median} of {gains:?}");
    assert!(of_ranks.iter().all(|one| one["evidence"].as_array().is_some_and(|list| !list.is_empty())), "{small}");
}

#[test]
fn waiting_for_a_slow_rank_is_no_gain_of_other_rules() {
    let spec = one_slow();
    let ranks = ranks(&spec);
    let job = job(&spec);
    let advice = advice(&ranks);
    // Sums of 400 kB take 8 µs and 7 µs on the wire.
    let transfer = 12 * spec.microbatches as i64 * 15_000;
    for one in of_rule(&advice, "small_collectives") {
        let gain = one["gain_ns_per_step"].as_i64().expect("a gain");
        assert!(gain > 0 && gain < 2 * transfer, "{gain} of {transfer}");
    }
    // Each of the others waits for long, and nothing else is exposed.
    let waits =
        |row: &stepscope::analyze::RankRow| row.communication_alone.is_some_and(|alone| alone.0 * 10 > row.step.0);
    assert!(job.ranks.iter().filter(|row| waits(row)).count() >= 7, "{:?}", job.ranks);
    assert!(of_rule(&advice, "exposed_communication").is_empty(), "{advice:?}");
    // Large sums are never small collectives, and their gain is never negative.
    let large = self::ranks(&JobSpec { bytes: [1_000, 40_000_000, 400_000_000], ..spec.clone() });
    let report = AdviceReport::of(&large[0], &AdviceConfig::default());
    let report: Value = serde_json::from_slice(&json(&report)).expect("JSON");
    let [small] = of_rule(report["rules"].as_array().expect("rules"), "small_collectives")[..] else {
        panic!("{report}")
    };
    assert_eq!(small["value"].to_string(), "0.0");
    let healthy = JobSpec { faults: vec![], bytes: [1_000, 400_000, 800_000_000], ..spec };
    let ranks = self::ranks(&healthy);
    let advice = self::advice(&ranks);
    let [exposed] = of_rule(&advice, "exposed_communication")[..] else { panic!("{advice:?}") };
    assert_eq!(exposed["ranks"].as_array().map(Vec::len), Some(8), "what is not waiting stays");
}

/// A rule is judged for a rank before its clock's jump is known; the time of the jump is no gain.
#[test]
fn a_jump_of_a_clock_is_no_gain() {
    let even = JobSpec { steps: 8, ..JobSpec::data_parallel(62) };
    let gains = |spec: &JobSpec| -> BTreeMap<String, i64> {
        let of_rank = |one: &Value| {
            let of_ranks = one["ranks"].as_array().map(Vec::as_slice).unwrap_or_default();
            let own = of_ranks.iter().chain([one]).find(|of| of["rank"] == 7)?;
            Some((one["rule"].as_str()?.to_owned(), own["gain_ns_per_step"].as_i64()?))
        };
        advice(&ranks(spec)).iter().filter_map(of_rank).collect()
    };
    let expected = gains(&even);
    for inside in [1, 40] {
        let jumping = JobSpec { clock_jump: Some(3), clock_jump_inside: inside, ..even.clone() };
        for (rule, gain) in gains(&jumping) {
            let even = expected.get(&rule).copied().unwrap_or_default();
            assert!(gain <= even + 100_000, "{inside}: {rule} {gain}, not {even}");
        }
    }
}

/// Whichever traces are kept, the page's advice for each rank is the program's for all.
#[test]
fn ranks_that_were_dropped_are_judged_as_before() {
    let ranks = ranks(&one_slow());
    let mut some = RankSet::new(2 * ranks[0].bytes_held());
    ranks.iter().enumerate().for_each(|(origin, rank)| some.add(rank.clone(), origin));
    assert!(!some.is_held(7) && some.is_held(0));
    let report = some.report(0, &ReportRequest::of("advice").expect("a topic")).expect("advice").json;
    let job = job_of(&ranks);
    let expected = AdviceReport::among(&ranks, &ranks[0], job.as_ref(), &AdviceConfig::default());
    assert_eq!(String::from_utf8(report.clone()), String::from_utf8(json(&expected)));
    let report: Value = serde_json::from_slice(&report).expect("JSON");
    let holding: Vec<&Value> =
        report["rules"].as_array().expect("rules").iter().filter(|one| one["verdict"] == "holds").collect();
    let told = advice(&ranks);
    let key = |one: &Value| {
        ["rule", "value", "gain_ns_per_step", "median_gain_ns_per_step", "ranks"].map(|key| one[key].clone())
    };
    assert_eq!(holding.into_iter().map(key).collect::<Vec<_>>(), told.iter().map(key).collect::<Vec<_>>());
    // With other thresholds, ranks without a trace give no advice.
    let rule_thresholds = vec![("small_collectives".to_owned(), 0.3)];
    let request = ReportRequest::Advice(request::Advice { rule_thresholds, ..request::Advice::default() });
    let report: Value = serde_json::from_slice(&some.report(0, &request).expect("advice").json).expect("JSON");
    let held = (0..8).filter(|rank| some.is_held(*rank)).count();
    assert_eq!((&report["ranks"], &report["ranks_judged"]), (&8.into(), &held.into()));
}
