//! The reader, event by event.

use super::AnyChromeTrace;
use crate::reader::Reader;
use crate::{Head, Verdict};
use stepscope_input::Loader;
use stepscope_trace::{Class, Layer, Loaded, Trace};

fn read(text: &str) -> Loaded {
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    loader.finish().expect("a trace")
}

/// Every slice as `name start-end`, in µs from the trace's start.
fn slices(trace: &Trace) -> Vec<String> {
    let draw =
        |id| format!("{} {}-{}", trace.name_of(id), trace.slices.start(id).0 / 1000, trace.slices.end(id).0 / 1000);
    trace.slices.ids().map(draw).collect()
}

#[test]
fn a_list_or_a_phase_of_one_letter_tells() {
    let sniff = |text: &[u8], whole| AnyChromeTrace.sniff("", Head { bytes: text, whole });
    let yes: [&[u8]; 4] = [
        b"{\"traceEvents\": [",
        b"[{\"ph\":\"X\"",
        b"\xef\xbb\xbf [ {\"name\": \"ph\", \"ph\" : \"B\", ",
        b"{\"ph\":\"M\",\"pid\":1}\n{\"ph\":\"X\"}\n",
    ];
    for text in yes {
        assert_eq!(sniff(text, false), Verdict::Yes, "{}", String::from_utf8_lossy(text));
    }
    for undecided in [&b""[..], b"[{\"ph", b"{\"ph\": 7.2}", b"{\"ph\": \"acid\"}", b"{\"a\": \"ph\", \"ph\":"] {
        assert_eq!(sniff(undecided, false), Verdict::NeedMore, "{}", String::from_utf8_lossy(undecided));
        assert!(matches!(sniff(undecided, true), Verdict::No(_)));
    }
    assert!(matches!(sniff(b"ph,X", false), Verdict::No(_)));
}

#[test]
fn ends_find_their_beginnings_whatever_the_order_of_the_file() {
    let loaded = read(
        r#"[{"ph":"E","pid":1,"tid":1,"ts":9},{"ph":"B","name":"a","pid":1,"tid":1,"ts":0},
        {"ph":"e","cat":"c","id":1,"name":"x","pid":1,"tid":1,"ts":7},{"ph":"b","cat":"c","id":1,"name":"x","pid":1,"tid":2,"ts":3},
        {"ph":"B","name":"b","pid":1,"tid":1,"ts":2},{"ph":"E","pid":1,"tid":1,"ts":5}]"#,
    );
    assert_eq!(slices(&loaded.trace), ["a 0-9", "b 2-5", "x 3-7"]);
    let layers: Vec<Layer> = loaded.trace.tracks.iter().map(|track| track.layer).collect();
    assert_eq!(layers, [Layer::Host, Layer::Async]);
    assert_eq!(loaded.warnings.iter().filter(|warning| warning.code.name().contains("end")).count(), 0);
}

#[test]
fn operations_overlap_and_lie_in_nothing() {
    let text: Vec<String> = (0..50)
        .map(|id| {
            format!(
                r#"{{"ph":"b","cat":"c","id":{id},"name":"n","pid":1,"tid":1,"ts":{id}}},
                {{"ph":"e","cat":"c","id":{id},"name":"n","pid":1,"tid":1,"ts":{}}}"#,
                200 - id % 7 * 20
            )
        })
        .collect();
    let loaded = read(&format!("[{}]", text.join(",")));
    let trace = &loaded.trace;
    assert_eq!(trace.slices.len(), 50);
    assert!(trace.slices.ids().all(|id| trace.slices.parent(id).is_none() && trace.slices.class(id) == Class::Async));
    assert!(loaded.warnings.iter().all(|warning| !warning.code.name().starts_with("overlap")));
}

#[test]
fn flows_continue_from_steps_and_end_in_the_next_slice() {
    let slice = |name: &str, thread: i64, start: i64, length: i64| {
        format!(r#"{{"ph":"X","name":"{name}","pid":1,"tid":{thread},"ts":{start},"dur":{length}}}"#)
    };
    let point = |phase: &str, id: &str, more: &str, thread: i64, at: i64| {
        format!(r#"{{"ph":"{phase}","cat":"c","name":"n","id":{id}{more},"pid":1,"tid":{thread},"ts":{at}}}"#)
    };
    let enclosing = r#","bp":"e""#;
    let events = [
        slice("send", 1, 0, 10),
        slice("relay", 2, 20, 10),
        slice("before", 3, 40, 10),
        slice("after", 3, 60, 10),
        point("s", "1", "", 1, 3),
        point("t", "1", "", 2, 25),
        // An end binds to the next slice, not to the one around it.
        point("f", "1", "", 3, 45),
        // The id is reused.
        point("s", "1", "", 2, 29),
        point("f", "1", enclosing, 3, 65),
        point("s", "\"é-1\"", "", 1, 1),
        point("f", "\"é-1\"", enclosing, 2, 21),
    ];
    let trace = read(&format!("[{}]", events.join(","))).trace;
    let mut flows: Vec<String> =
        trace.flows.iter().map(|flow| format!("{} → {}", trace.name_of(flow.from), trace.name_of(flow.to))).collect();
    flows.sort();
    assert_eq!(flows, ["relay → after", "relay → after", "send → relay", "send → relay"]);
}

#[test]
fn producers_are_told_by_their_signs() {
    let framework = |text: &str| read(text).trace.meta.framework;
    let slice = r#"{"ph":"X","name":"f","pid":1,"tid":1,"ts":1,"dur":2"#;
    let host = r#"{"ph":"M","name":"process_name","pid":1,"args":{"name":"/host:CPU"}}"#;
    assert_eq!(framework(&format!("[{slice}}}]")), "Chrome trace");
    assert_eq!(framework(&format!("[{host},{slice}}}]")), "JAX");
    assert_eq!(framework(&format!(r#"[{host},{slice},"args":{{"long_name":"f:Mul"}}}}]"#)), "TensorFlow");
    // A program of JAX that reads its data by tf.data.
    let jax = r#"{"ph":"X","name":"PjitFunction(step)","pid":1,"tid":2,"ts":1,"dur":2}"#;
    assert_eq!(framework(&format!(r#"[{host},{slice},"args":{{"long_name":"f:Mul"}}}},{jax}]"#)), "JAX");
    assert_eq!(framework(&format!(r#"[{slice},"cat":"node,node.fs"}}]"#)), "Node.js");
    assert_eq!(framework(&format!(r#"[{slice},"cat":"v8"}}]"#)), "V8");
    let browser = format!(r#"{{"traceEvents":[{slice}}}],"metadata":{{"command_line":"chrome"}}}}"#);
    assert_eq!(framework(&browser), "Chromium");
}

#[test]
fn rows_are_slices_by_category_and_by_thread() {
    use stepscope_analyze::{OperatorGrouping, OperatorsAre, OperatorsConfig, operators};
    let event = |name: &str, category: &str, thread: i64, start: i64, length: i64| {
        format!(r#"{{"ph":"X","cat":"{category}","name":"{name}","pid":1,"tid":{thread},"ts":{start},"dur":{length}}}"#)
    };
    let events = [event("f", "one", 1, 0, 10), event("g", "two", 1, 2, 4), event("f", "one", 2, 0, 3)];
    let trace = read(&format!("[{}]", events.join(","))).trace;
    let rows = |grouping| {
        let found = operators(&trace, OperatorsConfig { grouping, ..OperatorsConfig::standard() });
        assert_eq!(found.are, OperatorsAre::Slices);
        let row = |row: &stepscope_analyze::OperatorRow| {
            let thread =
                row.thread.get().map_or_else(String::new, |track| trace.place_label(&trace.tracks[track.index()]));
            format!("{} {thread} {} {}", row.name, row.calls, row.host_self.0 / 1000)
        };
        found.rows.iter().map(row).collect::<Vec<String>>()
    };
    assert_eq!(rows(OperatorGrouping::Name), ["f  2 9", "g  1 4"]);
    assert_eq!(rows(OperatorGrouping::Category), ["one  2 9", "two  1 4"]);
    assert_eq!(rows(OperatorGrouping::Thread), ["f 1 / 1 1 6", "g 1 / 1 1 4", "f 1 / 2 1 3"]);
}

#[test]
fn calls_of_xla_launch_or_wait() {
    let plane =
        |pid: i64, name: &str| format!(r#"{{"ph":"M","pid":{pid},"name":"process_name","args":{{"name":"{name}"}}}}"#);
    let slice = |name: &str, start: i64, more: &str| {
        format!(r#"{{"ph":"X","pid":701,"tid":1,"name":"{name}","ts":{start},"dur":5,"args":{{{more}}}}}"#)
    };
    let host = [
        plane(701, "/host:CPU"),
        // The call has the name and the operator of the kernel.
        slice("loop_fusion", 0, r#""correlation_id":"3","hlo_op":"loop_fusion""#),
        slice("$api.py:3154 block_until_ready", 10, ""),
        slice("CommonPjRtBuffer::Await", 20, ""),
    ]
    .join(",");
    let classes = |events: &str| -> Vec<Class> {
        let trace = read(&format!("[{events}]")).trace;
        let mut found: Vec<_> = trace.slices.ids().map(|id| (trace.slices.start(id), trace.slices.class(id))).collect();
        found.sort_by_key(|(start, _)| *start);
        found.into_iter().map(|(_, class)| class).collect()
    };
    let device = plane(1, "/device:GPU:0");
    assert_eq!(classes(&format!("{device},{host}")), [Class::RuntimeCall; 3]);
    // Without a device, the host waits for its own threads, and a correlation may be of any program.
    assert_eq!(classes(&host), [Class::Operator, Class::PythonFrame, Class::Annotation]);
}

/// Stages of tf.data have the arguments of operators, but they run ahead of the step. Eager operators have none of them.
#[test]
fn stages_of_tf_data_are_ranges_eager_operators_are_operators() {
    let slice = |name: &str, start: i64| {
        format!(
            r#"{{"ph":"X","pid":701,"tid":2,"name":"{name}","ts":{start},"dur":5,"args":{{"long_name":"x","id":"1"}}}}"#
        )
    };
    let process = r#"{"ph":"M","pid":701,"name":"process_name","args":{"name":"/host:CPU"}}"#;
    let classes = |slices: &[String]| -> Vec<Class> {
        let trace = read(&format!("[{process},{}]", slices.join(","))).trace;
        trace.slices.ids().map(|id| trace.slices.class(id)).collect()
    };
    let found = classes(&[slice("Iterator::BatchV2", 0), slice("MatMul", 10)]);
    assert_eq!(found, [Class::Annotation, Class::Operator]);
    // Operators outside of graphs have no such arguments.
    let eager = |name: &str, at: i64| {
        format!(r#"{{"ph":"X","pid":701,"tid":2,"name":"{name}","ts":{at},"dur":5,"args":{{"group_id":"0"}}}}"#)
    };
    let found = classes(&[eager("EagerLocalExecute: Conv2D", 0), eager("EagerKernelExecute", 10)]);
    assert_eq!(found, [Class::Operator, Class::Annotation]);
}
