//! Rows, their lanes, and the slices found on them.

use super::*;
use stepscope_analyze::AnalysisConfig;
use stepscope_input::Loader;

fn rank(events: &[&str]) -> Rank {
    let text = format!(r#"{{"deviceProperties": [], "traceEvents": [{}]}}"#, events.join(","));
    let mut loader = Loader::new("t.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).unwrap();
    Rank::new("t.json", 0, loader.finish().unwrap(), &AnalysisConfig::standard())
}

const EVENTS: [&str; 12] = [
    r#"{"ph":"M","name":"process_name","pid":9,"args":{"name":"later"}}"#,
    r#"{"ph":"M","name":"process_sort_index","pid":9,"args":{"sort_index":50}}"#,
    r#"{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":90}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":1,"dur":20}"#,
    r#"{"ph":"X","cat":"python_function","name":"train.py(3): step","pid":1,"tid":1,"ts":0,"dur":80}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":2,"ts":5,"dur":3}"#,
    r#"{"ph":"X","cat":"cpu_op","name":"aten::sub","pid":9,"tid":2,"ts":5,"dur":3}"#,
    r#"{"ph":"C","name":"loss","pid":1,"ts":5,"args":{"value":3}}"#,
    r#"{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":10,"dur":20,"args":{"device":0,"stream":7}}"#,
    r#"{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":20,"dur":20,"args":{"device":0,"stream":7}}"#,
    r#"{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":20,"ts":30,"dur":30,
        "args":{"device":0,"stream":20,"Collective name":"allreduce","Process Group Name":"b"}}"#,
    r#"{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllGather","pid":0,"tid":21,"ts":70,"dur":9,
        "args":{"device":0,"stream":21,"Collective name":"allgather","Process Group Name":"a"}}"#,
];

/// A row as the user reads it, with its lanes.
fn told(timeline: &Timeline, ranks: &[Rank], row: usize) -> String {
    let trace = &ranks[0].trace;
    let name = match timeline.rows()[row].kind {
        RowKind::Steps => "steps".to_owned(),
        RowKind::Doing(_) => "doing".to_owned(),
        RowKind::Overlap(_, part) => part.name().to_owned(),
        RowKind::Share(_, part) => format!("share {}", part.name()),
        RowKind::Plane(device, group) => format!("plane {device} {}", trace.strings.get(group)),
        RowKind::Track(track) => {
            let of = &trace.tracks[track.index()];
            let process = trace.process_label(of.process);
            format!("{process} {} {}", of.layer.name(), of.thread.number())
        }
        RowKind::Layer(track, layer) => format!("{} {}", layer.name(), trace.tracks[track.index()].thread.number()),
        RowKind::Queue(_) => "queue".to_owned(),
        RowKind::Memory(..) => "memory".to_owned(),
        RowKind::Counter(place) => format!("counter {}", trace.strings.get(trace.counters[place].name)),
    };
    timeline.lanes(row).map_or(name.clone(), |lanes| format!("{name}: {lanes}"))
}

#[test]
fn devices_come_before_hosts_and_python_above_what_it_calls() {
    let ranks = [rank(&EVENTS)];
    let timeline = Timeline::of(&ranks, &[]);
    let rows: Vec<String> = (0..timeline.rows().len()).map(|row| told(&timeline, &ranks, row)).collect();
    assert_eq!(
        rows,
        [
            "steps: 1",
            "doing: 1",
            "compute: 1",
            "communication: 1",
            "exposed_communication: 1",
            "idle: 1",
            "before_first_activity: 1",
            "plane 0 a: 1",
            "plane 0 b: 1",
            "0 device 7: 2",
            "0 device 20: 1",
            "0 device 21: 1",
            "share compute",
            "share exposed_communication",
            "1 python 1: 1",
            "1 host 1: 2",
            "1 host 2: 1",
            "counter loss",
            "later host 2: 1",
        ]
    );
}

#[test]
fn a_stream_with_nothing_but_one_group_s_communication_names_the_group() {
    let group = |events: &[&str]| {
        let rank = rank(events);
        let of_devices = rank.trace.tracks.iter().filter(|track| track.stream.is_some());
        let text = |name| rank.trace.strings.get(name).to_owned();
        of_devices.map(|track| only_group(&rank.trace, track).map(text)).collect::<Vec<_>>()
    };
    let [b, a] = ["b", "a"].map(|name| Some(name.to_owned()));
    assert_eq!(group(&EVENTS), [None, b, a.clone()]);
    let copy = r#"{"ph":"X","cat":"gpu_memcpy","name":"Memcpy DtoD","pid":0,"tid":20,"ts":62,"dur":1,
        "args":{"device":0,"stream":20}}"#;
    let events: Vec<&str> = EVENTS.into_iter().chain([copy]).collect();
    assert_eq!(group(&events), [None, None, a], "it has other work, too");
    let unnamed = r#"{"ph":"X","cat":"kernel","name":"ncclDevKernel_AllReduce","pid":0,"tid":20,"ts":30,"dur":30,
        "args":{"device":0,"stream":20}}"#;
    assert_eq!(group(&[unnamed]), [Some(String::new())]);
}

#[test]
fn ranks_stand_where_their_clocks_do() {
    let ranks = [rank(&EVENTS), rank(&EVENTS), rank(&EVENTS)];
    let clock = |source, offset| Some(RankClock { source, offset: Nanos(offset), ..RankClock::default() });
    let shifts = |clocks: &[Option<RankClock>]| {
        let timeline = Timeline::of(&ranks, clocks);
        [0, 1, 2].map(|rank| timeline.shift(rank).0)
    };
    let clocks = [clock(ClockSource::Solved, 0), clock(ClockSource::Solved, -700), None];
    assert_eq!(shifts(&clocks), [700, 0, 0], "the third one starts with the first of those that are known");
    assert_eq!(shifts(&[clock(ClockSource::Unknown, 5), None, None]), [0, 0, 0]);
    assert_eq!(shifts(&[]), [0, 0, 0]);
}

#[test]
fn every_slice_is_found_where_it_is() {
    let ranks = [rank(&EVENTS)];
    let mut timeline = Timeline::of(&ranks, &[]);
    for event in ranks[0].trace.slices.ids() {
        let found = timeline.place_of(&ranks, 0, event).expect("a place");
        assert_eq!(timeline.text(&ranks, found.row, found.number), ranks[0].trace.name_of(event));
        assert_eq!(timeline.hit(&ranks, found.row, found.lane, found.span.start, Nanos::ZERO), Some(found));
    }
    let plane = timeline.rows().iter().position(|row| matches!(row.kind, RowKind::Plane(..))).expect("a plane");
    let found = timeline.hit(&ranks, plane, 0, Nanos(75_000), Nanos::ZERO).expect("a collective");
    assert_eq!(timeline.text(&ranks, plane, found.number), "ncclDevKernel_AllGather");
    assert_eq!(timeline.label(&ranks, plane, found.number), "ncclDevKernel_AllGather");
    assert_eq!(timeline.neighbour(&ranks, &found, Direction::After), None);
}

/// The page may still use numbers of a trace that was replaced by another one.
#[test]
fn what_is_not_there_is_not_found() {
    let ranks = [rank(&EVENTS)];
    let mut timeline = Timeline::of(&ranks, &[]);
    let rows = timeline.rows().len();
    for row in 0..=rows {
        let from = TimelineSlice { row, lane: 0, place: 999, number: 999, span: Interval::default() };
        for direction in [Direction::Before, Direction::After, Direction::Out, Direction::In] {
            assert_eq!(timeline.neighbour(&ranks, &from, direction), None, "{row} {direction:?}");
        }
        assert_eq!(timeline.text(&ranks, row, 999), "");
        assert_eq!(timeline.hit(&ranks, row, 999, Nanos::ZERO, Nanos::MAX), None);
    }
    assert_eq!(timeline.value(&ranks, rows, Nanos::ZERO), None);
    assert_eq!(timeline.place_of(&ranks, 0, EventId(999)), None);
    assert_eq!(timeline.place_of(&ranks, 7, EventId(0)), None);
    let drawing = Drawing { view: View { start: 0.0, pixel: 1.0, width: 3 }, dark: false, labelled: 26.0 };
    let nowhere = Strip { row: 999, first: 5, count: 2 };
    assert!(timeline.paint(&ranks, &drawing, &[nowhere]).pixels.iter().all(|part| *part == 0));
}

#[test]
fn times_at_the_limits_are_drawn() {
    // 10 years, and 73.
    for micros in [315_360_000_000_000_i64, i64::MAX / 4000] {
        let long = format!(r#"{{"ph":"X","cat":"cpu_op","name":"long","pid":1,"tid":1,"ts":1,"dur":{micros}}}"#);
        let moment = r#"{"ph":"X","cat":"cpu_op","name":"moment","pid":1,"tid":1,"ts":1,"dur":0}"#;
        let ranks = [rank(&[&long, moment])];
        let mut timeline = Timeline::of(&ranks, &[]);
        let whole = timeline.span(&ranks).len().0 as f64;
        let rows = 0..timeline.rows().len();
        let strips: Vec<Strip> =
            rows.map(|row| Strip { row, first: 0, count: timeline.lanes(row).unwrap_or(3) }).collect();
        for pixel in [whole / 8.0, 1.0, 0.0, f64::NAN, f64::INFINITY] {
            for start in [0.0, -1e19, 1e19, f64::NAN] {
                let drawing = Drawing { view: View { start, pixel, width: 8 }, dark: true, labelled: 1.0 };
                let picture = timeline.paint(&ranks, &drawing, &strips);
                if start == 0.0 && pixel == whole / 8.0 {
                    assert!(picture.pixels[..8 * 4].iter().skip(3).step_by(4).all(|alpha| *alpha > 0), "{micros}");
                }
            }
        }
    }
}

#[test]
fn kernels_have_the_colour_of_their_family() {
    let kernel = |name: &str, start: u32| {
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"{name}","pid":0,"tid":7,"ts":{start},"dur":100,"args":{{"device":0,"stream":7}}}}"#
        )
    };
    let names = ["nvjet_gemm", "fmha_fwd", "no_known_work", "ncclDevKernel_AllReduce"];
    let events: Vec<String> = (0..).step_by(100).zip(names).map(|(start, name)| kernel(name, start)).collect();
    let ranks = [rank(&events.iter().map(String::as_str).collect::<Vec<_>>())];
    let trace = &ranks[0].trace;
    let tints = Tints::of_trace(trace);
    let classes = trace.activities.iter().map(|activity| tints.of(trace, activity.event).class_color().name);
    assert_eq!(classes.collect::<Vec<_>>(), ["matrix", "attention", "kernel", "communication"]);
}

/// Paddle exports a thread's Python layer above the native one, on one track of the model: both have rows that fold
/// separately.
#[test]
fn a_thread_of_paddle_has_a_row_for_each_layer() {
    let event = |category: &str, layer: &str, start: u32, length: u32| {
        let end = start + length;
        format!(
            r#"{{"ph":"X","cat":"{category}","name":"{category}[1.000 us]","pid":1,"tid":"7({layer})","ts":{start},"dur":{length},
                "args":{{"start_time":"{start}.000 us","end_time":"{end}.000 us"}}}}"#
        )
    };
    let events = [
        event("ProfileStep", "Python", 0, 100),
        event("Forward", "Python", 5, 60),
        event("Operator", "C++", 10, 30),
        event("OperatorInner", "C++", 12, 20),
        event("Operator", "C++", 80, 5),
    ];
    let text = format!(r#"{{"span_index": "0", "traceEvents": [{}, {{}}]}}"#, events.join(","));
    let mut loader = Loader::new("worker0.paddle_trace.json");
    loader.space(text.len()).copy_from_slice(text.as_bytes());
    loader.advance(text.len()).expect("a trace");
    let ranks = [Rank::new("worker0", 0, loader.finish().expect("a trace"), &AnalysisConfig::standard())];
    let mut timeline = Timeline::of(&ranks, &[]);
    let rows: Vec<String> = (0..timeline.rows().len()).map(|row| told(&timeline, &ranks, row)).collect();
    assert_eq!(rows, ["steps: 1", "python 7: 2", "host 7: 2"]);
    assert_eq!(
        (timeline.slices_of_layer(1), timeline.slices_of_layer(2), timeline.slices_of_layer(0)),
        (Some(2), Some(3), None)
    );

    // Each slice is found on its own row, and the Python call is around the native ones.
    let places: Vec<(usize, usize, usize)> = (0..5)
        .map(|event| {
            let found = timeline.place_of(&ranks, 0, EventId(event)).expect("a place");
            assert_eq!(found.number, event);
            (found.row, found.lane, found.place)
        })
        .collect();
    assert_eq!(places, [(1, 0, 0), (1, 1, 0), (2, 0, 0), (2, 1, 0), (2, 0, 1)]);
    let operator = timeline.place_of(&ranks, 0, EventId(2)).expect("a place");
    let around = timeline.neighbour(&ranks, &operator, Direction::Out).expect("the forward pass");
    assert_eq!((around.row, timeline.text(&ranks, around.row, around.number)), (1, "Forward"));
    timeline.mark(0, Some(vec![EventId(1), EventId(3)]));
    let mut marked = |row: usize| -> Vec<u32> {
        timeline.prepare_marks(&ranks, row);
        let Some(Prepared::Lanes { marked: Some(lanes), .. }) = &timeline.prepared[row] else { return Vec::new() };
        lanes.iter().flat_map(|lane| (0..lane.items.len()).map(|place| lane.items.number(place))).collect()
    };
    assert_eq!([marked(1), marked(2)], [[1], [3]]);
}
