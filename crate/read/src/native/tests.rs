use stepscope_format::compact::{Process, Thread, Writer};
use stepscope_format::{ArgumentValue as Value, Category, Kind, OF_MARK, Record, about};

use stepscope_analyze as analyze;
use stepscope_base::Code;
use stepscope_input::Loader;
use stepscope_trace::Loaded;
use stepscope_trace::Trace;

const NAMES: [&str; 8] = ["outer", "inner", "mark", "rate", "file", "a.bin", "count", "seq"];
const OUTER: u32 = 1;
const INNER: u32 = 2;
const MARK: u32 = 3;
const RATE: u32 = 4;
const FILE: u32 = 5;
const A_BIN: u32 = 6;
const COUNT: u32 = 7;
const SEQUENCE: u32 = 8;

fn span(name: u32, depth: u16, at: u64, extent: u64) -> Record {
    Record { kind: Kind::Span, category: Category::General, aux: depth, name, at, extent, value: 0 }
}

fn argument(key: u32, of: u16, at: u64, value: Value) -> Record {
    let [extent, value] = value.words();
    Record { kind: Kind::Argument, category: Category::General, aux: of, name: key, at, extent, value }
}

fn trace(records: &[Record]) -> Trace {
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..Process::default() });
    for (number, text) in (1..).zip(NAMES) {
        writer.name(0, number, text);
    }
    for thread in 1..3 {
        writer.thread(&Thread { process: 0, serial: thread, id: thread, name: 0 });
        records.iter().for_each(|record| writer.record(0, thread, *record));
    }
    load(&writer.finish())
}

fn load(file: &[u8]) -> Trace {
    let loaded = load_warned(file);
    assert_eq!(loaded.warnings.len(), 0);
    loaded.trace
}

fn load_warned(file: &[u8]) -> Loaded {
    let mut loader = Loader::new("input");
    loader.space(file.len()).copy_from_slice(file);
    loader.advance(file.len()).expect("it is read");
    loader.finish().expect("a trace")
}

/// The arguments of the slices with a name, as `key=value`.
fn said(trace: &Trace, name: &str) -> Vec<Vec<String>> {
    let slices = trace.slices.ids().filter(|id| trace.name_of(*id) == name);
    let text = |argument: &stepscope_trace::Argument| {
        format!("{}={}", trace.strings.get(argument.key), argument.value.to_text(&trace.strings))
    };
    slices.map(|id| trace.arguments_of(id).map(text).collect()).collect()
}

#[test]
fn arguments_are_their_spans() {
    let mut outer = span(OUTER, 0, 100, 80);
    outer.value = 9;
    let trace = trace(&[
        argument(RATE, 0, 100, Value::Float(0.5)),
        argument(COUNT, 1, 110, Value::Unsigned(u64::MAX)),
        argument(FILE, 1, 110, Value::Text(A_BIN)),
        argument(COUNT, 0, 100, Value::Signed(-3)),
        span(INNER, 1, 110, 10),
        // Arguments of a dropped span, and then of the next one at its depth.
        argument(COUNT, 1, 130, Value::Bool(false)),
        argument(COUNT, 1, 140, Value::Bool(true)),
        span(INNER, 1, 140, 10),
        argument(COUNT, 1, 155, Value::Bool(false)),
        span(INNER, 1, 160, 10),
        outer,
    ]);
    let inner = [vec!["count=18446744073709551615", "file=a.bin"], vec!["count=true"], vec![]];
    assert_eq!(said(&trace, "inner"), inner.iter().chain(&inner).cloned().collect::<Vec<_>>());
    assert_eq!(said(&trace, "outer"), [["value=9", "rate=0.5", "count=-3"]; 2]);
}

#[test]
fn arguments_follow_their_marks_wherever_these_are_sorted_to() {
    let mark = |at, value| Record { kind: Kind::Mark, value, extent: 0, ..span(MARK, 0, at, 0) };
    let trace = trace(&[
        mark(300, 5),
        argument(FILE, OF_MARK, 300, Value::Text(A_BIN)),
        mark(200, 0),
        argument(RATE, OF_MARK, 200, Value::Float(2.0)),
        // An argument of a missing instant event.
        argument(COUNT, OF_MARK, 250, Value::Bool(true)),
        span(OUTER, 0, 100, 300),
    ]);
    let texts: Vec<Vec<String>> = (0..trace.instants.len())
        .map(|mark| trace.arguments_of_instant(mark).map(|argument| argument.value.to_text(&trace.strings)).collect())
        .collect();
    assert_eq!(texts, [vec!["2"], vec!["2"], vec!["5", "a.bin"], vec!["5", "a.bin"]]);
}

/// Ranges of PyTorch's `emit_nvtx` have sequence numbers, which relate backward to forward operators.
#[test]
fn operators_have_sequence_numbers() {
    let operator = Record { category: Category::Operator, ..span(OUTER, 0, 100, 80) };
    let sequence = argument(SEQUENCE, 0, 100, Value::Unsigned(12));
    let sequences = |records: &[Record]| -> Vec<Option<u32>> {
        let trace = trace(records);
        trace.slices.ids().map(|id| trace.operation(id).map(|operation| operation.sequence)).collect()
    };
    assert_eq!(sequences(&[sequence, operator]), [Some(12), Some(12)]);
    assert_eq!(sequences(&[sequence, span(OUTER, 0, 100, 80)]), [None, None], "no operator");
    assert_eq!(sequences(&[argument(COUNT, 0, 100, Value::Unsigned(12)), operator]), [None, None]);
}

#[test]
fn steps_say_their_samples_and_whether_they_warm_up() {
    let names = ["step", "warm_up", "samples"];
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..Process::default() });
    for (number, text) in (1..).zip(names) {
        writer.name(0, number, text);
    }
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    for step in 0..4_u64 {
        let at = step * 1_000;
        writer.record(0, 1, argument(2, 0, at, Value::Bool(step < 2)));
        writer.record(0, 1, argument(3, 0, at, Value::Unsigned(10 * step)));
        writer.record(0, 1, Record { category: Category::Step, value: step, ..span(1, 0, at, 1_000) });
    }
    let trace = load(&writer.finish());
    let steps = analyze::steps(&trace, &analyze::StepsConfig::default());
    let said: Vec<(bool, Option<u64>)> = steps.steps.iter().map(|step| (step.warm_up, step.samples)).collect();
    assert_eq!(said, [(true, Some(0)), (true, Some(10)), (false, Some(20)), (false, Some(30))]);
    let phases = analyze::phases(&trace, &steps);
    let found =
        analyze::benchmark(&steps, &phases, analyze::BenchmarkConfig::default()).expect("a step with a next one");
    assert_eq!((found.steps, found.samples), (1, Some(20)));
    assert_eq!((found.ips.avg, found.ips.max, found.ips.min), (20e6, 20e6, 20e6));
}

/// As in an export, which has one value for a key: the last one counts.
#[test]
fn the_last_number_of_samples_counts_if_it_is_one() {
    let samples = |said: &[(u16, Value)]| {
        let mut writer = Writer::new();
        writer.process(&Process { id: 7, ..Process::default() });
        writer.name(0, 1, "step");
        writer.name(0, 2, "samples");
        writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
        said.iter().for_each(|(depth, value)| writer.record(0, 1, argument(2, *depth, 100, *value)));
        // Two spans of one time are the same step.
        for depth in [1, 0] {
            writer.record(0, 1, Record { category: Category::Step, ..span(1, depth, 100, 1_000) });
        }
        let steps = analyze::steps(&load(&writer.finish()), &analyze::StepsConfig::default());
        assert_eq!(steps.steps.len(), 1);
        steps.steps[0].samples
    };
    assert_eq!(samples(&[(0, Value::Unsigned(8)), (0, Value::Signed(9))]), Some(9));
    assert_eq!(samples(&[(0, Value::Unsigned(8)), (0, Value::Signed(-1))]), None);
    assert_eq!(samples(&[(0, Value::Unsigned(8)), (0, Value::Float(1.5))]), None);
    assert_eq!(samples(&[(0, Value::Unsigned(8)), (1, Value::Signed(-1))]), Some(8));
}

#[test]
fn what_could_not_be_recorded_is_warned_of() {
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..Process::default() });
    writer.name(0, 1, "kernels that had not ended");
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    writer.record(0, 1, span(1, 0, 90, 10));
    for value in [2, 3] {
        let (kind, category, aux) = (Kind::Process, Category::General, about::LOST);
        writer.record(0, 1, Record { kind, category, aux, name: 1, at: 100, extent: 0, value });
    }
    let loaded = load_warned(&writer.finish());
    let told: Vec<_> = loaded.warnings.iter().map(|warning| (warning.code, warning.count, &*warning.example)).collect();
    assert_eq!(told, [(Code::ProfilerErrors, 5, "kernels that had not ended")]);
    assert_eq!(loaded.trace.processes.len(), 1);
}

/// Otherwise they would be the latest records, and open spans would last for years.
#[test]
fn records_of_absurd_times_are_left_out() {
    let open = Record { kind: Kind::Open, ..span(OUTER, 0, 100, 10) };
    let mark = Record { kind: Kind::Mark, ..span(MARK, 0, 1 << 63, 0) };
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..Process::default() });
    for (number, text) in (1..).zip(NAMES) {
        writer.name(0, number, text);
    }
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    [mark, span(INNER, 1, 1, 1 << 62), open].iter().for_each(|record| writer.record(0, 1, *record));
    let loaded = load_warned(&writer.finish());
    let told: Vec<_> = loaded.warnings.iter().map(|warning| (warning.code, warning.count)).collect();
    assert_eq!(told, [(Code::BadTime, 2), (Code::UnclosedSlice, 1)]);
    let lengths: Vec<i64> = loaded.trace.slices.ids().map(|id| loaded.trace.slices.length(id).0).collect();
    assert_eq!((lengths, loaded.trace.instants.len()), (vec![10], 0));
}

/// A process that was killed during a step.
#[test]
fn a_step_that_was_never_ended_is_partial() {
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..Process::default() });
    writer.name(0, 1, "step");
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    for step in 0..4_u64 {
        let kind = if step == 3 { Kind::Open } else { Kind::Span };
        let record = Record { kind, category: Category::Step, value: step, ..span(1, 0, step * 1_000, 1_000) };
        writer.record(0, 1, Record { extent: if step == 3 { 10 } else { 1_000 }, ..record });
    }
    let loaded = load_warned(&writer.finish());
    let steps = analyze::steps(&loaded.trace, &analyze::StepsConfig::default());
    let partial: Vec<bool> = steps.steps.iter().map(|step| step.partial).collect();
    assert_eq!((partial, steps.counted()), (vec![false, false, false, true], vec![0, 1, 2]));
}

#[test]
fn steps_of_several_processes_are_warned_of() {
    let mut writer = Writer::new();
    for process in 0..3 {
        writer.process(&Process { number: process, id: 7 + process, ..Process::default() });
        writer.name(process, 1, "step");
        writer.thread(&Thread { process, serial: 1, id: 1, name: 0 });
        for at in [0, 100] {
            // The last one has no steps of its own.
            let category = if process == 2 { Category::General } else { Category::Step };
            writer.record(process, 1, Record { category, ..span(1, 0, at, 50) });
        }
    }
    let loaded = load_warned(&writer.finish());
    let rank = analyze::Rank::new("a.stepscope", 0, loaded, &analyze::AnalysisConfig::standard());
    let told = rank.warnings.iter().filter(|warning| warning.code == Code::SeveralRuns);
    assert_eq!(
        told.map(|warning| (warning.count, &*warning.example)).collect::<Vec<_>>(),
        [(1, "process 8 besides 7")]
    );
}

/// The lengths of two open spans. One began at 100, in a process whose last record is at 110 and that a sampler saw
/// as given. The other was left open at 90 by a thread that ended.
fn sampled(first: &Process, seen: &[Record]) -> Vec<u64> {
    let mut writer = Writer::new();
    writer.process(&Process { id: 7, ..first.clone() });
    writer.name(0, 1, "outer");
    writer.thread(&Thread { process: 0, serial: 1, id: 1, name: 0 });
    writer.record(0, 1, Record { kind: Kind::Open, ..span(1, 0, 100, 10) });
    writer.thread(&Thread { process: 0, serial: 2, id: 2, name: 0 });
    writer.record(0, 2, Record { kind: Kind::Open, ..span(1, 0, 85, 5) });
    writer.process(&Process { number: 1, id: 9, closed: true, ..Process::default() });
    writer.name(1, 1, "RSS (MiB)");
    writer.thread(&Thread { process: 1, serial: 1, id: 2, name: 0 });
    seen.iter().for_each(|record| writer.record(1, 1, *record));
    let trace = load_warned(&writer.finish()).trace;
    trace.slices.ids().map(|id| trace.slices.length(id).0.cast_unsigned()).collect()
}

#[test]
fn a_span_is_open_until_its_process_was_last_seen() {
    let seen = |process: u64, at| {
        let value = 1.0_f64.to_bits();
        Record { kind: Kind::Counter, extent: process, value, ..span(1, 0, at, 0) }
    };
    let ended =
        |process: u64, at| Record { kind: Kind::Process, aux: about::END, extent: process, ..span(0, 0, at, 0) };
    let killed = Process::default();
    assert_eq!(sampled(&killed, &[]), [10, 5], "nobody saw it");
    assert_eq!(sampled(&killed, &[seen(7, 105)]), [10, 5], "its own record was later");
    assert_eq!(sampled(&killed, &[seen(7, 150), seen(7, 200), seen(8, 300), seen(0, 300)]), [100, 5]);
    // When it ends, its curves go to zero; and ids are reused.
    let again = [ended(7, 50), seen(7, 150), seen(7, 200), ended(7, 200), seen(7, 300), ended(7, 310)];
    assert_eq!(sampled(&killed, &again), [50, 5]);
    let facts = vec![("recordings".to_owned(), "7@90 7@180 9@10".to_owned())];
    let replaced = Process { facts, ..Process::default() };
    assert_eq!(sampled(&replaced, &[seen(7, 150), seen(7, 200)]), [50, 5], "it became another program");
    let closed = Process { closed: true, ..Process::default() };
    assert_eq!(sampled(&closed, &[seen(7, 200)]), [10, 5], "it is known when it was closed");
}
