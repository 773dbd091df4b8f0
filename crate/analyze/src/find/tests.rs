//! Found slices against the definition: each term is tested on each slice.

use std::borrow::Cow;

use proptest::prelude::*;

use super::*;
use crate::{IntervalSet, Steps, StepsConfig, steps};
use stepscope_base::{Nanos, Warnings};
use stepscope_trace::{
    Activity, Call, Class, Collective, EventId, InstantEvent, LaunchConfig, Layer, NameId, NewSlice, Operation, RawId,
    Stream, Trace, TraceBuilder,
};

/// The fields of a slice: class, lane, name, start, length, number.
type SliceSpec = (u8, i64, u8, i64, i64, u32);

const NAMES: [&str; 5] = ["aten::mm", "aten::Add", "ampere_gemm_64x128", "Memcpy HtoD", "模型 GEMM"];
const SHAPES: [&str; 3] = ["[[64, 3], [3]]", "[[8]]", ""];

fn as_recorded(name: &str) -> Cow<'_, str> {
    name.into()
}

fn trace(made: &[SliceSpec]) -> Trace {
    let mut builder = TraceBuilder::default();
    for (class, lane, name, start, length, number) in made {
        let class =
            [Class::Operator, Class::RuntimeCall, Class::Kernel, Class::Memcpy, Class::Annotation][usize::from(*class)];
        let stream = class.is_activity().then_some(Stream { device: lane % 2, stream: *lane });
        let layer = if stream.is_some() { Layer::Device } else { Layer::Host };
        let track = builder.track(RawId::Number(i64::from(stream.is_some())), RawId::Number(*lane), layer, stream);
        let category = builder.category(class.name().as_bytes());
        let name = builder.intern(NAMES[usize::from(*name)].as_bytes());
        let (start, end) = (Nanos(*start), Nanos(start + length));
        let row = builder.slice(NewSlice { track, class, category, name, start, end, position: 0 });
        let text = builder.intern(SHAPES[*number as usize % 3].as_bytes());
        match class {
            Class::Operator => builder.operation(
                row,
                Operation {
                    external: *number,
                    sequence: number + 1,
                    shapes: text,
                    types: text,
                    ..Operation::default()
                },
            ),
            Class::RuntimeCall => builder.call(row, Call { correlation: *number, external: number + 1 }),
            Class::Kernel | Class::Memcpy => {
                let config = builder.config(LaunchConfig {
                    grid: [*number, 2, 1],
                    block: [64, *number, 1],
                    ..LaunchConfig::default()
                });
                let bytes = u64::from(*number) * 1000;
                builder.activity(
                    row,
                    Activity { correlation: *number, external: *number, config, bytes, ..Activity::default() },
                );
            }
            _ => {
                let group = builder.intern(b"data parallel");
                let collective = Collective {
                    name: NameId::NONE,
                    dtype: text,
                    group,
                    group_description: NameId::NONE,
                    ranks: NameId::NONE,
                    group_size: 2,
                    input_elements: 1,
                    output_elements: 1,
                    sequence: u64::from(*number),
                    source: 0,
                    destination: 0,
                };
                builder.collective(row, collective);
            }
        }
    }
    builder.finish(&mut Warnings::default()).expect("few slices")
}

/// Whether a slice matches one term, by METRICS' words.
fn is_so(trace: &Trace, steps: &Steps, term: &str, id: EventId) -> bool {
    let slices = &trace.slices;
    let has = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
    let kept = |name: NameId| trace.strings.get(name).replace(' ', "");
    let (operation, call, activity) = (trace.operation(id), trace.call(id), trace.activity(id));
    let number_of = |term: &str| term.rsplit([':', '>', '<', '[']).next().unwrap().parse::<u32>().unwrap();
    let children = slices.ids().filter(|child| slices.parent(*child) == Some(id));
    let inside = IntervalSet::of(children.map(|child| slices.interval(child))).len();
    let track = &trace.tracks[slices.track(id).index()];
    let field = term.split([':', '<', '>']).next().unwrap();
    match field {
        "\"aten" => trace.name_of(id) == "aten::mm",
        "class" => has(slices.class(id).name(), &term[6..]),
        "cat" => has(trace.category_of(id), &term[4..]),
        "stream" => trace.stream_of(id).is_some_and(|stream| stream.stream == i64::from(number_of(term))),
        "device" => trace.stream_of(id).is_some_and(|stream| stream.device == i64::from(number_of(term))),
        "thread" => track.thread == RawId::Number(number_of(term).into()),
        "step" => match trace.activity_number(id) {
            Some(row) => steps.step_of_activity[row].is_some_and(|step| steps.steps[step as usize].name == term[5..]),
            None => {
                let at = slices.start(id);
                let inside = steps.steps.iter().filter(|step| step.host.start <= at && at < step.host.end);
                // The innermost: here no two steps begin together.
                inside.max_by_key(|step| step.host.start).is_some_and(|step| step.name == term[5..])
            }
        },
        "shape" => operation.is_some_and(|found| has(&kept(found.shapes), &term[6..])),
        "type" => {
            operation.is_some_and(|found| has(&kept(found.types), &term[5..]))
                || trace.collective(id).is_some_and(|found| has(&kept(found.dtype), &term[5..]))
        }
        "group" => trace.collective(id).is_some_and(|found| has(trace.strings.get(found.group), &term[6..])),
        "correlation" => {
            call.map(|call| call.correlation).or(activity.map(|found| found.correlation)) == Some(number_of(term))
        }
        "external" => {
            let found = operation.map(|found| found.external).or(call.map(|call| call.external));
            found.or(activity.map(|found| found.external)) == Some(number_of(term))
        }
        "seq" => {
            operation.is_some_and(|found| found.sequence == number_of(term))
                || trace.collective(id).is_some_and(|found| found.sequence == u64::from(number_of(term)))
        }
        "grid" => activity.and_then(|found| trace.config(found)).is_some_and(|found| found.grid[0] == number_of(term)),
        "block" => {
            activity.and_then(|found| trace.config(found)).is_some_and(|found| found.block[0] == number_of(term))
        }
        "dur" => slices.length(id).0 > 6,
        "self" => (slices.length(id) - inside).0 < 4,
        "at" => slices.start(id).0 >= 12,
        "bytes" => activity.is_some_and(|found| found.bytes != u64::MAX && found.bytes > 3000),
        _ => has(trace.name_of(id), term),
    }
}

fn term() -> impl Strategy<Value = String> {
    let numbered = (
        proptest::sample::select(vec![
            "stream:",
            "device:",
            "thread:",
            "correlation:",
            "external:",
            "seq:",
            "grid:[",
            "block:[",
        ]),
        proptest::sample::select(vec![0, 1, 2, 3, 64]),
    );
    let fixed = vec![
        "gemm",
        "ADD",
        "aten",
        "型",
        "mm",
        "nothing",
        "\"aten::mm\"",
        "class:mem",
        "class:kernel",
        "cat:call",
        "shape:[64,3",
        "type:8",
        "group:PARALLEL",
        "dur>6ns",
        "self<4ns",
        "at>=12ns",
        "bytes>3KB",
        "step:1",
        "step:2",
    ];
    prop_oneof![
        proptest::sample::select(fixed).prop_map(str::to_owned),
        numbered.prop_map(|(field, number)| format!("{field}{number}")),
    ]
}

fn slices() -> impl Strategy<Value = Vec<SliceSpec>> {
    proptest::collection::vec((0..5_u8, 0..3_i64, 0..5_u8, 0..30_i64, 1..12_i64, 0..6_u32), 1..40)
}

/// The steps of a trace of such slices: its annotations' names mark none.
fn two_steps(trace: &Trace) -> Steps {
    let mut found = steps(trace, &StepsConfig::default());
    if let Some(first) = found.steps.first().cloned() {
        let middle = Nanos(10).max(first.host.start + Nanos(1));
        found.steps = [("1", first.host.start, middle), ("2", middle, first.host.end.max(middle + Nanos(1)))]
            .map(|(name, start, end)| crate::Step {
                name: name.to_owned(),
                host: stepscope_base::Interval::new(start, end),
                ..first.clone()
            })
            .into();
        found.step_of_activity = (0..trace.activities.len()).map(|row| [None, Some(0), Some(1)][row % 3]).collect();
    }
    found
}

proptest! {
    #[test]
    fn what_is_found_is_what_each_term_says_of_each_slice(
        made in slices(),
        terms in proptest::collection::vec((any::<bool>(), term()), 1..4),
    ) {
        let trace = trace(&made);
        let steps = two_steps(&trace);
        let text: Vec<String> = terms.iter().map(|(not, term)| format!("{}{term}", if *not { "-" } else { "" })).collect();
        let query = Query::parse(&text.join(" ")).expect("well formed");
        let expected: Vec<EventId> = trace
            .slices
            .ids()
            .filter(|id| terms.iter().all(|(not, term)| is_so(&trace, &steps, term, *id) != *not))
            .collect();
        prop_assert_eq!(find(&trace, &steps, &query, as_recorded), expected, "{:?}", text);
    }

    #[test]
    fn hits_follow_each_other_by_start_and_go_round(
        made in slices(),
        marks in proptest::collection::vec(0..45_i64, 0..6),
        chosen in proptest::collection::vec(any::<bool>(), 46),
        at in 0..45_i64,
    ) {
        let mut trace = trace(&made);
        let track = stepscope_trace::TrackId(0);
        trace.instants = marks.iter().map(|at| InstantEvent { at: Nanos(*at), track, name: NameId::NONE }).collect();
        trace.instants.sort_by_key(|mark| mark.at);
        let slices: Vec<EventId> = trace.slices.ids().filter(|id| chosen[id.index()]).collect();
        let instants: Vec<usize> = (0..trace.instants.len()).filter(|index| chosen[40 + index]).collect();
        let hits = Hits { slices: &slices, instants: &instants };
        let time = |event: &HitEvent| match *event {
            HitEvent::Slice(id) => trace.slices.start(id),
            HitEvent::Instant(index) => trace.instants[index].at,
        };
        let key = |event: &HitEvent| (time(event), *event);
        let mut by_time: Vec<HitEvent> = slices.iter().copied().map(HitEvent::Slice).collect();
        by_time.extend(instants.iter().copied().map(HitEvent::Instant));
        by_time.sort_by_key(key);
        prop_assert_eq!(HitsByTime::new(&trace, hits).collect::<Vec<_>>(), by_time.clone());
        let go = |from, direction| next_hit(&trace, hits, from, direction);
        if by_time.is_empty() {
            prop_assert_eq!(go(HitPlace::Time(Nanos(at)), Direction::Next), None);
            return Ok(());
        }
        let len = by_time.len();
        let hit = |number: usize| Some(Hit { event: by_time[number % len], number: number % len });
        let events = trace.slices.ids().map(HitEvent::Slice).chain((0..trace.instants.len()).map(HitEvent::Instant));
        for event in events {
            let before = by_time.iter().filter(|hit| key(hit) < key(&event)).count();
            let passed = by_time.iter().filter(|hit| key(hit) <= key(&event)).count();
            prop_assert_eq!(go(HitPlace::Event(event), Direction::Next), hit(passed));
            prop_assert_eq!(go(HitPlace::Event(event), Direction::Previous), hit(before + len - 1));
        }
        let before = by_time.iter().filter(|hit| time(hit) < Nanos(at)).count();
        prop_assert_eq!(go(HitPlace::Time(Nanos(at)), Direction::Next), hit(before));
        prop_assert_eq!(go(HitPlace::Time(Nanos(at)), Direction::Previous), hit(before + len - 1));
    }
}

/// A trace with instant events, which are found by their name, place and time.
fn with_instants() -> (Trace, Steps) {
    let mut trace = trace(&[(0, 0, 0, 0, 20, 1), (2, 1, 2, 5, 5, 1)]);
    let names = ["aten::mm", "ampere_gemm_64x128"].map(|name| trace.strings.find(name).expect("it is there"));
    let mark = |at, track, name| InstantEvent { at: Nanos(at), track: stepscope_trace::TrackId(track), name };
    trace.instants = vec![mark(2, 0, names[0]), mark(7, 1, names[1]), mark(9, 0, names[1])];
    let steps = two_steps(&trace);
    (trace, steps)
}

#[test]
fn instant_events_are_found_by_name_place_and_time() {
    let (trace, steps) = with_instants();
    let found = |text: &str| find_instants(&trace, &steps, &Query::parse(text).expect("well formed"));
    assert_eq!(found("GEMM"), [1, 2]);
    assert_eq!(found("\"aten::mm\""), [0]);
    assert_eq!(found("class:instant"), [0, 1, 2]);
    assert_eq!(found("class:instant at>=7ns"), [1, 2]);
    assert_eq!(found("gemm stream:1"), [1]);
    assert_eq!(found("gemm -stream:1"), [2]);
    assert_eq!(found("-class:kernel -gemm"), [0]);
    // They have no length, class or category.
    for text in ["class:kernel", "dur<1s", "cat:op", "gemm bytes>0B", ""] {
        assert_eq!(found(text), [0_usize; 0], "{text}");
    }
    let slices = |text: &str| find(&trace, &steps, &Query::parse(text).expect("well formed"), as_recorded).len();
    assert_eq!((slices("class:instant"), slices("-class:instant")), (0, 2));
}

/// Names of the host are shown as they are recorded.
#[test]
fn a_kernel_is_found_by_the_name_that_is_shown_too() {
    // A kernel and an operator of the same name.
    let trace = trace(&[(2, 7, 2, 0, 4, 0), (0, 1, 2, 5, 4, 0), (2, 7, 1, 9, 4, 0)]);
    let steps = two_steps(&trace);
    fn shown(name: &str) -> Cow<'_, str> {
        if name.starts_with("ampere") { "product of 64 rows".into() } else { name.into() }
    }
    let found = |text: &str| find(&trace, &steps, &Query::parse(text).expect("well formed"), shown).len();
    assert_eq!((found("rows"), found("product rows"), found("\"product of 64 rows\"")), (1, 1, 1));
    assert_eq!((found("ampere"), found("-product"), found("-ampere"), found("rows class:operator")), (2, 2, 1, 0));
    let query = Query::parse("rows aten").expect("well formed");
    assert_eq!(unmatched(&trace, &steps, &query, shown), []);
}

#[test]
fn terms_that_match_nothing_are_named() {
    let (trace, steps) = with_instants();
    let parts = |text: &'static str| -> Vec<&str> {
        let query = Query::parse(text).expect("well formed");
        unmatched(&trace, &steps, &query, as_recorded).into_iter().map(|at| &text[at]).collect()
    };
    assert_eq!(parts("gemm  gemmm stream:9"), ["gemmm", "stream:9"]);
    assert_eq!(parts("-class:kernel -at>=0ns"), ["-at>=0ns"]);
    // Each matches, but not together.
    assert_eq!(parts("gemm aten"), [""; 0]);
}

#[test]
fn nothing_asked_for_is_nothing_found() {
    let trace = trace(&[(0, 0, 0, 0, 5, 1)]);
    assert_eq!(find(&trace, &two_steps(&trace), &Query::default(), as_recorded), []);
}

/// Each name is tested once, however many slices have it.
#[test]
fn each_name_is_tested_once() {
    static NAMES_SHOWN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    fn counted(name: &str) -> Cow<'_, str> {
        NAMES_SHOWN.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        as_recorded(name)
    }
    let made: Vec<SliceSpec> = (0..10_000).map(|row| (2, row % 3, (row % 5) as u8, row, 1, 0)).collect();
    let trace = trace(&made);
    let query = Query::parse("gemm -64x").expect("well formed");
    assert_eq!(find(&trace, &two_steps(&trace), &query, counted).len(), 2_000);
    let shown = NAMES_SHOWN.load(std::sync::atomic::Ordering::Relaxed);
    assert!((1..=query.terms.len() * NAMES.len()).contains(&shown), "{shown} names");
}
