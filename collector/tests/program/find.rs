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
    assert_eq!(found("class:kernel -class:kernel", &[]), "0 events\n");
    assert_eq!(found("-class:kernel class:kernel", &[]), "0 events\n", "a query may begin with a minus");
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
