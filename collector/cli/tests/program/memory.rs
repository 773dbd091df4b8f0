//! `stepscope summary --by memory`, and memory in the JSON.

use std::fs;

use serde_json::{Value, json};
use stepscope_tests::generator::Spec;

use crate::support::{Printed, fixture, folder, program};

#[test]
fn tables_and_json_tell_what_is_true() {
    let path = folder("memory").join("trace.json");
    let (text, truth) = Spec::small(3).generate();
    fs::write(&path, text).expect("a trace");
    let truth = truth.memory;
    let text = Printed::of(program().args(["summary", "--by", "memory", "--top", "3"]).arg(&path)).success();
    for expected in ["Memory by operator, device 0", "Live at the peak of device 0", "(not explained by events)"] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    let json = Printed::of(program().args(["summary", "--json"]).arg(&path)).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let place = &json["ranks"][0]["memory"]["places"][0];
    assert_eq!(place["allocated"]["peak_bytes"], json!(truth.peak));
    assert_eq!(place["blocks"]["allocations"], json!(truth.blocks.iter().filter(|block| block.1.is_some()).count()));
    let operators = place["operators"].as_array().expect("operators");
    let sums = truth.operators.values().map(|row| row.2 - row.3).sum::<i64>();
    assert_eq!(operators.iter().filter_map(|row| row["net_bytes"].as_i64()).sum::<i64>(), sums);
    // A curve's columns are of the same length, by time, and reach the peak.
    let numbers = |key: &str| -> Vec<i64> {
        place["curve"][key].as_array().expect(key).iter().filter_map(Value::as_i64).collect()
    };
    let (times, bytes) = (numbers("at_ns"), numbers("allocated_bytes"));
    assert_eq!(times.len(), bytes.len());
    assert!(times.is_sorted());
    assert_eq!(bytes.iter().max(), Some(&truth.peak));
}

#[test]
fn what_mindspore_plans_and_records_is_told() {
    let of = |case: &str| {
        let folder = fixture(&format!("mindspore_tables/{case}/input"));
        Printed::of(program().args(["summary", "--by", "memory"]).arg(folder)).success()
    };
    let planned = of("gpu");
    for expected in
        ["Memory that graphs plan to use", "512 MiB", "32.0 GiB", "4.7 %", "Tensors of graph 0", "Conv2D-op1:0"]
    {
        assert!(planned.contains(expected), "{expected} in\n{planned}");
    }
    let recorded = of("new_layout");
    for expected in ["MindSpore NPU:1", "APP NPU:1", "Memory by operator, as recorded", "MatMul"] {
        assert!(recorded.contains(expected), "{expected} in\n{recorded}");
    }
}

#[test]
fn a_summary_of_mindspore_without_details_shows_what_it_has() {
    let folder = folder("memory_summary_alone");
    let summary = r#"{"capacity": 32.0, "peak_mem": 1.5, "static_mem": 0.5, "allocations": 3, "deallocations": 3}"#;
    fs::write(folder.join("memory_usage_summary_0.json"), summary).expect("a file");
    let text = Printed::of(program().args(["summary", "--by", "memory"]).arg(&folder)).success();
    for expected in ["Memory that graphs plan to use", "all", "512 MiB", "1.50 GiB", "1.00 GiB", "32.0 GiB", "4.7 %"] {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
    let json = Printed::of(program().args(["summary", "--json", "--by", "memory"]).arg(&folder)).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let planned = &json["ranks"][0]["memory"]["planned"];
    assert_eq!(
        (&planned[0]["peak_bytes"], &planned[0]["total_bytes"]),
        (&1_610_612_736_u64.into(), &Value::Array(vec![]))
    );
}

#[test]
fn a_trace_without_memory_has_no_such_table() {
    let path = folder("no-memory").join("trace.json");
    fs::write(&path, Spec { memory: false, ..Spec::small(3) }.generate().0).expect("a trace");
    let text = Printed::of(program().args(["summary", "--by", "memory"]).arg(&path)).success();
    assert!(text.contains("nothing for this table"), "{text}");
    let all = Printed::of(program().args(["summary", "--by", "all"]).arg(&path)).success();
    assert!(!all.contains("nothing for"), "{all}");
    let json = Printed::of(program().args(["summary", "--json"]).arg(&path)).success();
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert!(json["ranks"][0].get("memory").is_none());
}
