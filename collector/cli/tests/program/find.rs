//! `stepscope find`.

use serde_json::Value;

use crate::support::{Printed, folder, program, trace};

#[test]
fn what_is_found_is_printed_by_time_and_as_json() {
    let path = trace(&folder("find"), "trace.json", 0);
    let found = |query: &str, options: &[&str]| {
        Printed::of(program().arg("find").arg(&path).arg(query).args(options)).success()
    };
    let json: Value = serde_json::from_str(&found("class:kernel gemm", &["--json", "--limit", "0"])).expect("JSON");
    assert_eq!((&json["schema"], &json["query"]), (&"stepscope.find/1".into(), &"class:kernel gemm".into()));
    let rank = &json["ranks"][0];
    let events = rank["events"].as_array().expect("a list");
    assert!(events.len() > 2, "{json}");
    assert_eq!(rank["count"], events.len());
    assert!(events.iter().all(|event| event["class"] == "kernel"), "{rank}");
    assert!(
        events.iter().all(|event| event["name"].as_str().expect("a name").to_lowercase().contains("gemm")),
        "{rank}"
    );
    assert!(events.is_sorted_by_key(|event| event["start_ns"].as_i64()));
    let one: Value = serde_json::from_str(&found("class:kernel gemm", &["--json", "--limit", "1"])).expect("JSON");
    let few = &one["ranks"][0];
    assert_eq!(
        (&few["count"], &few["events"][0], few["events"].as_array().map(Vec::len)),
        (&rank["count"], &events[0], Some(1))
    );
    let text = found("class:kernel gemm", &["--limit", "1"]);
    assert!(text.starts_with(&format!("{} events\n", events.len())), "{text}");
    assert!(text.contains(&format!("… and {} more (--limit 0 for all)\n", events.len() - 1)), "{text}");
    assert!(text.contains(events[0]["place"].as_str().expect("a place")), "{text}");
    let none = "0 events\neach part of the query matches events, but no event matches all of them\n";
    assert_eq!(found("class:kernel -class:kernel", &[]), none);
    assert_eq!(found("-class:kernel class:kernel", &[]), none, "a query may begin with a minus");
}

#[test]
fn instant_events_are_found_and_words_that_match_nothing_are_named() {
    let path = folder("find-instants").join("trace.json");
    let events = r#"{"schemaVersion": 1, "deviceProperties": [], "traceEvents": [
        {"ph": "X", "cat": "cpu_op", "name": "epoch 1", "pid": 1, "tid": 1, "ts": 10, "dur": 5},
        {"ph": "i", "name": "epoch ends", "pid": 1, "tid": 1, "ts": 20, "s": "t"}]}"#;
    std::fs::write(&path, events).expect("a file");
    let found = |query: &str, options: &[&str]| {
        Printed::of(program().arg("find").arg(&path).arg(query).args(options)).success()
    };
    let text = found("epoch", &[]);
    assert!(text.starts_with("2 events\n"), "{text}");
    let row = text.lines().find(|line| line.starts_with("epoch ends")).expect("a row");
    assert!(row.contains("instant"), "{row}");
    assert!(found("class:instant", &[]).starts_with("1 event\n"));
    let json: Value = serde_json::from_str(&found("epoch", &["--json"])).expect("JSON");
    let rank = &json["ranks"][0];
    assert_eq!((&rank["count"], &rank["instant_count"]), (&1.into(), &1.into()));
    assert_eq!(rank["instants"][0]["name"], "epoch ends");
    assert_eq!(found("epoch bogus", &[]), "0 events\nno event matches `bogus`\n");
    let json: Value = serde_json::from_str(&found("epoch bogus nothing", &["--json"])).expect("JSON");
    assert_eq!(json["ranks"][0]["unmatched"], serde_json::json!(["bogus", "nothing"]));
}

#[test]
fn a_query_that_cannot_be_read_is_bad_usage_and_says_where() {
    for (query, message) in
        [("gemm dur>5", "`5` is no time such as 1.5ms (character 10)"), (" ", "it asks for nothing")]
    {
        let printed = Printed::of(program().args(["find", "trace.json", query]));
        assert_eq!(printed.code, Some(2));
        assert!(printed.err.contains(message), "{}", printed.err);
    }
}

#[test]
fn a_rank_that_is_not_there_is_told() {
    let path = trace(&folder("find-rank"), "trace.json", 3);
    let message = Printed::of(program().arg("find").arg(&path).args(["gemm", "--rank", "7"])).failure(1);
    assert!(message.contains("it has no rank 7"), "{message}");
    assert!(Printed::of(program().arg("find").arg(&path).args(["gemm", "--rank", "3"])).success().contains("gemm"));
}
