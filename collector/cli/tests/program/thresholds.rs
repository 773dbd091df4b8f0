//! `stepscope summary --slow-call`, `--late`, `--kernel-wait`, `--long-gap`.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stepscope_tests::generator::Spec;

use crate::support::{Printed, folder, program};

fn idle(path: &Path, options: &[&str]) -> Value {
    let text = Printed::of(program().arg("summary").arg("--json").args(options).arg(path)).success();
    let json: Value = serde_json::from_str(&text).expect("JSON");
    json["ranks"][0].clone()
}

#[test]
fn thresholds_are_as_asked_and_told() {
    let path = folder("thresholds").join("trace.json");
    fs::write(&path, Spec::small(3).generate().0).expect("a file");
    let usual = idle(&path, &[]);
    assert_eq!(usual["launches"]["slow_threshold_ns"], 50_000);
    let found = idle(&path, &["--slow-call", "0ns", "--late", "0.5us", "--kernel-wait", "2us", "--long-gap", "1.5ms"]);
    let launches = &found["launches"];
    assert_eq!((&launches["slow_threshold_ns"], &launches["late_threshold_ns"]), (&0.into(), &500.into()));
    assert_eq!(launches["slow"], launches["calls"]);
    assert!(launches["late"].as_u64() > usual["launches"]["late"].as_u64(), "{launches}");
    let device = &found["idle"][0];
    assert_eq!(device["kernel_wait_threshold_ns"], 2_000);
    assert_eq!(device["long_gaps"]["threshold_ns"], 1_500_000);
    assert!(device["kernel_wait_ns"].as_i64() < usual["idle"][0]["kernel_wait_ns"].as_i64(), "{device}");
    assert_eq!(device["idle_ns"], usual["idle"][0]["idle_ns"]);
    let text = Printed::of(program().args(["summary", "--by", "launches", "--slow-call", "7us"]).arg(&path)).success();
    assert!(text.contains("over 7 µs"), "{text}");
}

#[test]
fn a_time_without_a_unit_is_bad_usage() {
    let printed = Printed::of(program().args(["summary", "--late", "50", "trace.json"]));
    assert_eq!(printed.code, Some(2));
    assert!(printed.err.contains("`50` is no time such as 50us"), "{}", printed.err);
}
