use super::*;
use crate::{AnalysisConfig, RankDigest, analyze};
use stepscope_input::Loader;
use stepscope_trace::{Collective, NO_COUNT};

fn loaded(events: &[&str]) -> (Trace, Analysis) {
    let text = [r#"{"deviceProperties": [], "traceEvents": ["#, &events.join(","), "]}"].concat();
    let mut loader = Loader::new("test.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("JSON");
    let trace = loader.finish().expect("events").trace;
    let analysis = analyze(&trace, &AnalysisConfig::standard());
    (trace, analysis)
}

fn named(trace: &Trace, name: &str) -> EventId {
    trace.slices.ids().find(|id| trace.name_of(*id) == name).expect("a slice of that name")
}

fn look(trace: &Trace, analysis: &Analysis, event: EventId) -> EventDetail {
    event_detail(trace, analysis, event, EventConfig::standard()).expect("a slice")
}

/// The links of an event by kind, as names.
fn links(trace: &Trace, found: &EventDetail) -> Vec<(LinkKind, Vec<String>)> {
    let names = |link: &Link| link.first.iter().map(|event| trace.name_of(*event).to_owned()).collect();
    found.links.iter().map(|link| (link.kind, names(link))).collect()
}

const HOST: [&str; 6] = [
    r#"{"ph":"X","cat":"python_function","name":"train","pid":1,"tid":1,"ts":0,"dur":100}"#,
    r#"{"ph":"X","cat":"python_function","name":"forward","pid":1,"tid":1,"ts":5,"dur":60}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"outer","pid":1,"tid":1,"ts":10,"dur":50,"args":{"Sequence number":7,"Fwd thread id":0}}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"inner","pid":1,"tid":1,"ts":12,"dur":20}"#,
    r#"{"ph":"X","cat":"cuda_runtime","name":"launch","pid":1,"tid":1,"ts":15,"dur":5,"args":{"correlation":1}}"#,
    r#"{"ph":"X","cat":"cuda_runtime","name":"launch twice","pid":1,"tid":1,"ts":40,"dur":5,"args":{"correlation":2}}"#,
];

const DEVICE: [&str; 4] = [
    r#"{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":50,"dur":10,"args":{"device":0,"stream":7,"correlation":1}}"#,
    r#"{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":60,"dur":10,"args":{"device":0,"stream":7,"correlation":2}}"#,
    r#"{"ph":"X","cat":"kernel","name":"b","pid":0,"tid":7,"ts":80,"dur":5,"args":{"device":0,"stream":7,"correlation":2}}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"backward","pid":1,"tid":2,"ts":200,"dur":50,"args":{"Sequence number":7,"Fwd thread id":1}}"#,
];

fn both() -> (Trace, Analysis) {
    loaded(&[&HOST[..], &DEVICE[..]].concat())
}

#[test]
fn a_family_has_its_self_time_and_its_stack() {
    let (trace, analysis) = both();
    let outer = look(&trace, &analysis, named(&trace, "outer"));
    assert_eq!((outer.own, outer.children, outer.first_children.len()), (Nanos(25_000), 2, 2));
    let frames: Vec<&str> = outer.stack.frames.iter().map(|frame| trace.name_of(*frame)).collect();
    assert_eq!(frames, ["forward", "train"], "the innermost first");
    // A kernel's stack is that of its call.
    let kernel = look(&trace, &analysis, named(&trace, "a"));
    assert_eq!((trace.name_of(kernel.stack.of), kernel.stack.frames.len()), ("launch", 2));
    let frame = look(&trace, &analysis, named(&trace, "forward"));
    assert_eq!(frame.stack.frames, [named(&trace, "train")]);
    let behind = look(&trace, &analysis, named(&trace, "backward"));
    assert_eq!(behind.stack, EventStack { of: behind.event, ..EventStack::default() });
}

#[test]
fn launches_are_linked_both_ways_and_drawn_from_their_calls() {
    let (trace, analysis) = both();
    let text = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let outer = look(&trace, &analysis, named(&trace, "outer"));
    let expected = [(LinkKind::Launched, text(&["a", "b", "b"])), (LinkKind::Backward, text(&["backward"]))];
    assert_eq!(links(&trace, &outer), expected);
    assert_eq!(outer.flow_count, 4);
    assert_eq!(trace.name_of(outer.flows[0].from), "launch");
    assert_eq!(trace.name_of(outer.flows[2].from), "launch twice");
    let frame = look(&trace, &analysis, named(&trace, "forward"));
    assert_eq!(links(&trace, &frame), [(LinkKind::Launched, text(&["a", "b", "b"]))]);
    let kernel = look(&trace, &analysis, named(&trace, "a"));
    assert_eq!(links(&trace, &kernel), [(LinkKind::Call, text(&["launch"])), (LinkKind::Operator, text(&["inner"]))]);
    assert_eq!(kernel.flows.len(), 1, "the call's alone");
    let backward = look(&trace, &analysis, named(&trace, "backward"));
    assert_eq!(links(&trace, &backward), [(LinkKind::Forward, text(&["outer"]))]);
    let few = EventConfig { linked: 1, flows: 2, ..EventConfig::standard() };
    let short = event_detail(&trace, &analysis, outer.event, few).expect("a slice");
    assert_eq!((short.links[0].count, short.links[0].first.len()), (3, 1));
    assert_eq!((short.flows.len(), short.flow_count), (2, 4));
}

#[test]
fn a_queue_counts_calls_that_wait_before() {
    let (trace, analysis) = both();
    let queued = |event| look(&trace, &analysis, event).queued;
    let [a, b, second] = [0, 1, 2].map(|index| trace.activities[index].event);
    assert_eq!(queued(a), Some(QueuePlace { delay: Nanos(30_000), ahead: 0 }));
    assert_eq!(queued(b), Some(QueuePlace { delay: Nanos(15_000), ahead: 1 }));
    assert_eq!(queued(second).map(|found| found.delay), Some(Nanos(35_000)));
    assert_eq!(queued(named(&trace, "outer")), None);
}

#[test]
fn a_name_has_its_numbers_places_and_neighbours() {
    let (trace, analysis) = both();
    let [b, second] = [1, 2].map(|index| trace.activities[index].event);
    let (first, last) = (look(&trace, &analysis, b).same, look(&trace, &analysis, second).same);
    assert_eq!((first.times.calls, first.times.total, first.longer), (2, Nanos(15_000), 0));
    assert_eq!((first.previous, first.next), (EventId::NONE, second));
    assert_eq!((last.longer, last.previous, last.next), (1, b, EventId::NONE));
}

#[test]
fn waits_lead_to_their_calls_and_to_what_was_recorded() {
    let events = [
        r#"{"ph":"X","cat":"cuda_runtime","name":"record","pid":1,"tid":1,"ts":0,"dur":5,"args":{"correlation":1}}"#,
        r#"{"ph":"X","cat":"cuda_runtime","name":"wait","pid":1,"tid":1,"ts":10,"dur":5,"args":{"correlation":2}}"#,
        r#"{"ph":"X","cat":"cuda_sync","name":"Stream Wait Event","pid":0,"tid":7,"ts":12,"dur":3,"args":{"device":0,"stream":7,"correlation":2,"wait_on_stream":9,"wait_on_cuda_event_record_corr_id":1}}"#,
    ];
    let (trace, analysis) = loaded(&events);
    let found = look(&trace, &analysis, named(&trace, "Stream Wait Event"));
    let text = |name: &str| vec![name.to_owned()];
    assert_eq!(links(&trace, &found), [(LinkKind::Call, text("wait")), (LinkKind::Awaited, text("record"))]);
    let record = look(&trace, &analysis, named(&trace, "record"));
    assert_eq!(links(&trace, &record), [(LinkKind::AwaitedBy, text("Stream Wait Event"))]);
    let wait = look(&trace, &analysis, named(&trace, "wait"));
    assert_eq!(links(&trace, &wait), [(LinkKind::Synchronization, text("Stream Wait Event"))]);
}

/// A rank's collectives: by name, number, start and length.
fn rank(collectives: &[(&str, u32, u32, u32)]) -> (Trace, Analysis) {
    let events: Vec<String> = collectives
        .iter()
        .map(|(name, number, start, length)| {
            format!(
                r#"{{"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,"ts":{start},"dur":{length},"args":{{"device":0,"stream":7,
                "Collective name":"{name}","Process Group Name":"0","dtype":"BFloat16","In msg nelems":8,"Seq":{number},"correlation":{number}}}}}"#
            )
        })
        .collect();
    let step = r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":900}"#;
    let host = [
        r#"{"ph":"X","cat":"cpu_op","name":"record_param_comms","pid":1,"tid":1,"ts":5,"dur":9,"args":{"Collective name":"allreduce","External id":3}}"#,
        r#"{"ph":"X","cat":"cuda_runtime","name":"launch","pid":1,"tid":1,"ts":7,"dur":2,"args":{"correlation":6}}"#,
    ];
    let events: Vec<&str> = events.iter().map(String::as_str).chain([step]).chain(host).collect();
    loaded(&events)
}

#[test]
fn a_part_of_a_collective_is_found_by_its_kernel_and_by_what_is_around_it() {
    let (trace, analysis) = rank(&[("allreduce", 5, 20, 6), ("allreduce", 6, 100, 60)]);
    let digest = RankDigest::of(&trace, &analysis, 0, "");
    let found = |name| digest.part_of(&trace, named(&trace, name));
    assert_eq!(digest.parts.iter().map(|part| part.sequence).collect::<Vec<_>>(), [5, 6]);
    assert_eq!(digest.part_of(&trace, trace.activities[1].event), Some(1));
    assert_eq!(found("record_param_comms"), Some(1), "the operator that launched it");
    assert_eq!(found("ProfilerStep#1"), None, "a step is no collective");
    let (trace, analysis) = both();
    let digest = RankDigest::of(&trace, &analysis, 0, "");
    assert_eq!(digest.part_of(&trace, trace.activities[0].event), None, "a kernel that computes has none");
}

#[test]
fn bytes_of_a_collective_are_its_elements_times_their_size() {
    let (trace, _) = rank(&[("allreduce", 1, 0, 10)]);
    let collective = *trace.collective(trace.activities[0].event).expect("arguments");
    assert_eq!(collective_bytes(&trace, &collective), Some(16));
    assert_eq!(collective_bytes(&trace, &Collective { dtype: NameId::NONE, ..collective }), None);
    assert_eq!(collective_bytes(&trace, &Collective { input_elements: NO_COUNT, ..collective }), None);
}
