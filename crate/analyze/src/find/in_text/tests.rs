//! Hits in a text against each event's own text, in chunks of all sizes.

use proptest::prelude::*;

use super::*;
use stepscope_input::Loader;

/// A trace as its file would be read.
fn read(name: &str, text: &str) -> Trace {
    let mut loader = Loader::new(name);
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("it is read");
    loader.finish().expect("there are events").trace
}

fn found(trace: &Trace, text: &[u8], wanted: &str, chunk: usize, rows: usize) -> Vec<EventId> {
    let mut search = FindInText::new(trace, wanted);
    while !search.prepare(trace, rows) {}
    search.begin(&trace.meta.inputs[0]);
    text.chunks(chunk).for_each(|chunk| search.push(trace, chunk));
    assert!(search.end());
    search.hits()
}

/// The definition: an event's own text contains the searched text.
fn expected(trace: &Trace, text: &str, wanted: &str) -> Vec<EventId> {
    let has = |id: &EventId| {
        let from = &text[usize::try_from(trace.slices.position(*id)).unwrap()..];
        let mut objects = serde_json::Deserializer::from_str(from).into_iter::<serde_json::Value>();
        objects.next().expect("an object").expect("of JSON");
        from[..objects.byte_offset()].to_ascii_lowercase().contains(&wanted.to_ascii_lowercase())
    };
    trace.slices.ids().filter(has).collect()
}

/// Events with and without slices, and with various arguments.
fn event() -> impl Strategy<Value = String> {
    let value = proptest::sample::select(vec!["ab", "AB}", "{a", "\\\"b{", "x\\\\", "", "bab", "}{\\\\\\\""]);
    let between = proptest::sample::select(vec!["", " ", "\n  "]);
    (0..4_u8, 0..50_u32, value, between).prop_map(|(kind, at, value, between)| match kind {
        0 | 1 => format!(
            r#"{{"ph":"X","cat":"cpu_op","name":"n{at}",{between}"pid":1,"tid":{kind},"ts":{at},"dur":3,"args":{{"k":"{value}","o":{{"i":[{{"a":1}}]}}}}}}{between}"#
        ),
        2 => format!(r#"{{"ph":"C","name":"count","pid":1,"ts":{at},"args":{{"ab":{at}}}}}{between}"#),
        _ => format!(r#"{{"ph":"M","name":"process_name","pid":1,"args":{{"name":"{value}"}}}}{between}"#),
    })
}

proptest! {
    #[test]
    fn what_is_found_is_what_events_texts_have(
        events in proptest::collection::vec(event(), 1..30),
        wanted in proptest::sample::select(vec!["ab", "b", "a", "\"k\":\"ab\"", "}", "{", "n1", "count", "AB}"]),
        chunk in 1_usize..300,
        rows in 1_usize..20,
    ) {
        let text = format!("{{\"deviceProperties\": [], \"traceEvents\": [{}], \"ab\": 1}}", events.join(","));
        let one = r#"{"ph":"X","cat":"cpu_op","name":"one","pid":1,"tid":9,"ts":0,"dur":3}"#;
        let text = text.replacen('[', &format!("[{one},"), 2).replacen(&format!("[{one},"), "[", 1);
        let trace = read("made.json", &text);
        prop_assert_eq!(found(&trace, text.as_bytes(), wanted, chunk, rows), expected(&trace, &text, wanted));
    }
}

#[test]
fn escapes_and_what_must_be_escaped_are_found() {
    let text = r#"{"deviceProperties": [], "traceEvents": [
      {"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":4,"args":{"file":"模型😀"}},
      {"ph":"X","cat":"cpu_op","name":"b","pid":1,"tid":1,"ts":5,"dur":4,"args":{"file":"\u6A21\u578b\ud83d\ude00"}},
      {"ph":"X","cat":"cpu_op","name":"c","pid":1,"tid":1,"ts":10,"dur":4,"args":{"file":"C:\\a \"b\""}}
    ]}"#;
    let trace = read("made.json", text);
    let names = |wanted: &str| -> Vec<&str> {
        let all: Vec<Vec<EventId>> =
            (1..text.len()).map(|chunk| found(&trace, text.as_bytes(), wanted, chunk, 1)).collect();
        assert!(all.windows(2).all(|two| two[0] == two[1]), "{wanted}: whatever the chunks");
        all[0].iter().map(|id| trace.name_of(*id)).collect()
    };
    assert_eq!(names("模型😀"), ["a", "b"]);
    assert_eq!(names("c:\\A \"B"), ["c"]);
    assert_eq!(names("\"tid\":1,\"ts\":5"), ["b"]);
    assert_eq!(names("traceEvents"), [""; 0], "that is no event's");
    assert_eq!(names(""), [""; 0]);
}

#[test]
fn texts_of_no_objects_are_told() {
    let text = "{\"deviceProperties\": [], \"traceEvents\": [{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"a\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":4}]}";
    let trace = read("made.json", text);
    let mut search = FindInText::new(&trace, "a");
    while !search.prepare(&trace, 7) {}
    search.begin(&trace.meta.inputs[0]);
    search.push(&trace, text.replace('{', "(").as_bytes());
    assert!(!search.end());
    assert_eq!(search.hits(), []);
}
