//! Cases that no small file can cause: values and members that are too long.

use stepscope::analyze::AnalysisConfig;
use stepscope::export::perfetto::{ExportConfig, Level, write};
use stepscope::{Code, Rank};
use stepscope_tests::files::load;
use stepscope_tests::oracle::check_tokenizer;

/// Feeds a trace whose metadata has a text of `length` bytes; returns the warnings and the number of slices.
fn with_long_member(length: usize) -> (Vec<(Code, u64)>, usize) {
    let mut text = br#"{"deviceProperties": [], "source": ""#.to_vec();
    text.resize(text.len() + length, b'x');
    text.extend_from_slice(
        br#"\"]}", "after": 1, "traceEvents": [
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":2}]}"#,
    );
    let loaded = load("long.json", &text, 1 << 20).expect("a trace");
    let codes = loaded.warnings.iter().map(|warning| (warning.code, warning.count)).collect();
    (codes, loaded.trace.slices.len())
}

#[test]
fn metadata_of_64_megabytes_is_skipped_and_told() {
    assert_eq!(with_long_member(70 << 20), (vec![(Code::MetadataTooLong, 1)], 1));
    assert_eq!(with_long_member(3 << 20), (vec![], 1));
}

#[test]
fn an_event_without_an_end_is_dropped_and_told() {
    let mut text = br#"{"deviceProperties": [], "traceEvents": [
        {"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":2},
        {"ph":"X","cat":"cpu_op","name":""#
        .to_vec();
    text.resize(text.len() + (70 << 20), b'x');
    text.extend_from_slice(
        br#"","pid":1,"tid":1,"ts":1,"dur":2},
        {"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":1,"dur":2}]}"#,
    );
    let loaded = load("long.json", &text, 1 << 20).expect("a trace");
    assert_eq!(loaded.trace.slices.len(), 2);
    assert_eq!(loaded.warnings.iter().map(|warning| warning.code).collect::<Vec<_>>(), [Code::MalformedEvent]);
}

/// Values of megabytes are not scanned again with every chunk; the result must be the same.
#[test]
fn values_of_megabytes_in_any_chunks() {
    let long = "x\\n\u{e9}".repeat(700_000);
    let list = "[1.5, {\"a\": null}], ".repeat(100_000);
    let event =
        |id: usize, name: &str| format!("{{\"ph\":\"X\",\"id\":{id},\"name\":\"{name}\",\"args\":{{\"stream\":7}}}}");
    let events = [event(1, "a"), event(2, &long), event(3, "b"), event(4, &long), event(5, "c")].join(",");
    let text =
        format!("{{\"source\": \"{long}\", \"list\": [{list} 0], \"traceEvents\": [{events}], \"after\": \"{long}\"}}");
    let found = check_tokenizer(text.as_bytes(), &[1 << 16, 700_001, 1 << 20, 3 << 20]).expect("a valid document");
    assert_eq!((found.events.len(), found.members.len(), found.faults.len()), (5, 3, 0));
    // Cut anywhere, the events before the cut are found.
    for cut in [text.len() / 2, text.len() - 100, text.len() - 3_000_000] {
        check_tokenizer(&text.as_bytes()[..cut], &[1 << 16, 1 << 20]).expect("a cut document");
    }
}

/// Loads a trace of one operator that counts from an absolute time.
fn rank_from(base: i64) -> Rank {
    let text = format!(
        r#"{{"baseTimeNanoseconds": {base}, "deviceProperties": [], "traceEvents": [
        {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":2}}]}}"#
    );
    let loaded = load("base.json", text.as_bytes(), 1 << 20).expect("a trace");
    Rank::new("base.json", text.len() as u64, loaded, &AnalysisConfig::standard())
}

#[test]
fn ranks_that_start_ages_apart_are_exported_together() {
    let ranks = [rank_from(i64::MIN), rank_from(i64::MAX)];
    let mut export = Vec::new();
    let written =
        write(&[&ranks[0], &ranks[1]], ExportConfig::of(Level::Detail), &mut export).expect("memory takes all");
    assert_eq!(written.slices, 4, "two operators and the step made of each");
    // 584 years are more than a trace can span: their clocks are not aligned, and they start together.
    let again = load("merged.json", &export, 1 << 20).expect("a trace");
    assert!(again.warnings.iter().all(|warning| warning.code != Code::BadTime));
}
