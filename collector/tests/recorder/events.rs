//! Each kind of event, and events while nothing is recorded.

use std::path::Path;

use stepscope_collector::{
    ClockSource, MemoryDevice, Name, Options, Span, StaticName, allocated, async_begin, async_end, counter, end_span,
    flow_end, flow_start, flow_step, freed, is_recording, mark, name_thread, span, start, stop,
};
use stepscope_format::{Category, HOST, Kind};

use crate::recording::RecordedFolder;
use crate::role::{folder, play};

pub(crate) fn every(folder: &Path) {
    mark("too early", 1);
    let early = span!("too early");
    assert!(!is_recording() && !end_span());
    let facts = vec![("model".to_owned(), "small".to_owned())];
    start(&Options { facts, ..Options::new(folder) }).expect("a recording");
    assert!(is_recording());
    drop(early);
    name_thread("the only one");
    {
        let step = span!("step", in Category::Step, 7);
        static FORWARD: StaticName = StaticName::new("forward");
        let _forward = Span::with(Category::Forward, &FORWARD, 0);
        step.set_value(8);
        mark("mark", 3);
        counter(Name::new("loss"), -0.25);
        async_begin("request", 5);
        flow_start("arrow", 6);
        flow_step("arrow", 6);
        flow_end("arrow", 6);
        async_end("request", 5);
        allocated(MemoryDevice::Device(2), 0xFF00, 4096);
        freed(MemoryDevice::Host, 0xFF00, 4096);
    }
    let late = span!("late");
    stop();
    mark("too late", 1);
    drop(late);
}

#[test]
fn every_kind_of_event_is_recorded_as_it_was_said() {
    let folder = folder("events");
    play("every event", &folder);
    let found = RecordedFolder::of(&folder);
    assert_eq!((found.recovered.closed, found.recovered.dropped, found.threads.len()), (1, 0, 1));
    let thread = found.threads.values().next().expect("a thread");
    assert_eq!(thread.name, "the only one");
    let events: Vec<_> = thread
        .records
        .iter()
        .map(|record| (record.kind, found.name(0, record.name), record.category, record.aux, record.value))
        .collect();
    let general = |kind, name: &str, aux, value| (kind, name.to_owned(), Category::General, aux, value);
    assert_eq!(
        events,
        [
            general(Kind::Mark, "mark", 0, 3),
            general(Kind::Counter, "loss", 0, (-0.25_f64).to_bits()),
            general(Kind::AsyncBegin, "request", 0, 5),
            general(Kind::FlowStart, "arrow", 0, 6),
            general(Kind::FlowStep, "arrow", 0, 6),
            general(Kind::FlowEnd, "arrow", 0, 6),
            general(Kind::AsyncEnd, "request", 0, 5),
            general(Kind::Memory, "", 2, 4096),
            general(Kind::Memory, "", HOST, (-4096_i64).cast_unsigned()),
            (Kind::Span, "forward".into(), Category::Forward, 1, 0),
            (Kind::Span, "step".into(), Category::Step, 0, 8),
            general(Kind::Span, "late", 0, 0),
        ]
    );
    let times: Vec<u64> = thread.records.iter().map(stepscope_format::Record::end).collect();
    assert!(times.is_sorted(), "{times:?}");
    let facts = &found.processes[0].facts;
    let fact = |key: &str| facts.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str());
    assert_eq!((fact("model"), fact("rank")), (Some("small"), None));
    assert!(fact("command").is_some_and(|command| command.contains("plays_its_role")));
}

/// One recording after another, on the processor's counter where there is one.
pub(crate) fn twice(folder: &Path) {
    for round in 0..2 {
        let options = Options { clock: ClockSource::Counter, ..Options::new(folder) };
        start(&options).expect("a recording");
        assert!(start(&options).is_err(), "one at a time");
        for _ in 0..10 {
            let _span = span!("twenty milliseconds", round);
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        stop();
    }
}

#[test]
fn recordings_follow_each_other_and_a_counter_tells_the_time() {
    let folder = folder("twice");
    play("twice", &folder);
    let found = RecordedFolder::of(&folder);
    assert_eq!((found.recovered.processes, found.recovered.closed), (2, 2));
    let spans = found.named(Kind::Span, "twenty milliseconds");
    assert_eq!(spans.iter().map(|span| span.value).sum::<u64>(), 10);
    let shortest = spans.iter().map(|span| span.extent).min().expect("spans");
    // The counter's speed is known to some hundredths of a per cent.
    assert!((19_900_000..30_000_000).contains(&shortest), "{shortest} ns");
    let offsets: Vec<i64> = found.processes.iter().map(|process| process.unix_offset).collect();
    assert!(offsets[0].abs_diff(offsets[1]) < 50_000_000, "{offsets:?}");
}
