//! Files that are read in pieces: the result is the same, in every column and handle, however they are cut.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::cell::Cell;
use std::fmt::Write;

use proptest::prelude::{Strategy, any, prop_oneof};
use proptest::test_runner::{Config, TestRunner};
use serde::de::IgnoredAny;
use stepscope::trace::Trace;
use stepscope_tests::files::{files_of, load, load_in_pieces, real_traces, root, text_of};
use stepscope_tests::generator::Spec;
use stepscope_tests::oracle::{Mutations, small_trace};

/// Compares a file that is read in pieces with the same one read in order; returns the number of merged pieces.
#[track_caller]
fn check(name: &str, text: &[u8], places: &[usize], chunk: usize) -> usize {
    let (pieces, joined) = load_in_pieces(name, text, places, chunk);
    let whole = load(name, text, chunk);
    let same = match (&pieces, &whole) {
        (Ok(pieces), Ok(whole)) => format!("{pieces:?}") == format!("{whole:?}"),
        (Err(pieces), Err(whole)) => pieces.to_string() == whole.to_string(),
        _ => false,
    };
    if !same {
        let place = std::env::temp_dir().join("stepscope-pieces.json");
        let _ = std::fs::write(&place, text);
        let [pieces, whole] = [&pieces, &whole].map(|read| match read {
            Ok(loaded) => format!("{:?}\n{:#?}", loaded.warnings, loaded.trace),
            Err(error) => error.to_string(),
        });
        let differs = pieces.lines().zip(whole.lines()).find(|(a, b)| a != b);
        panic!("{name}, cut at {places:?}, {chunk} bytes at once ({}): {differs:?}", place.display());
    }
    joined
}

/// Bytes of white space that make a file long enough for its reader to be found before it ends.
const PADDING: usize = 66_000;

/// A file with white space early in it.
fn padded(mut text: Vec<u8>) -> Vec<u8> {
    if let Some(at) = text.windows(2).position(|two| two == b"},") {
        text.splice(at + 2..at + 2, [b' '; PADDING]);
    }
    text
}

/// Places at about this distance from each other, after such white space.
fn places(len: usize, step: usize, shift: usize) -> Vec<usize> {
    (1..).map(|piece| PADDING + piece * step + shift % step).take_while(|place| *place < len).collect()
}

fn trace(text: &[u8]) -> Trace {
    load("whole.json", text, 1 << 18).expect("a trace").trace
}

/// An event in any of the ways that a producer may write it.
fn events() -> impl Strategy<Value = Vec<String>> {
    let names = [
        "op",
        "a \\\"quoted\\\" {name}",
        "}, {\\\"ph\\\": \\\"X\\\"",
        "名",
        "mm",
        "",
        "cudaLaunchKernel",
        "ncclDevKernel_AllReduce",
    ];
    let categories = [
        "cpu_op",
        "kernel",
        "cuda_runtime",
        "python_function",
        "user_annotation",
        "gpu_memcpy",
        "ac2g",
        "cuda_profiler_range",
        "own",
        "v8",
        "",
    ];
    let kind = (0..24_usize, 0..names.len(), 0..categories.len(), 0..4_u64, 0..4_u64, any::<u16>(), 0..7_u64);
    let event = kind.prop_map(move |(kind, name, category, process, thread, at, id)| {
        let (name, category) = (names[name], categories[category]);
        let thread = if thread == 3 { "\"Spans\"".to_owned() } else { thread.to_string() };
        let process = if process == 3 { "\"Traces\"".to_owned() } else { process.to_string() };
        let common = format!("\"cat\": \"{category}\", \"name\": \"{name}\", \"pid\": {process}, \"tid\": {thread}, \"ts\": {at}.{id}");
        let text_id = ["1", "\"0x12\"", "\"one\"", "\"two\"", "\"three\"", "7", "\"名\""][usize::try_from(id).unwrap_or(0)];
        match kind {
            0..=5 => format!("{{\"ph\": \"X\", {common}, \"dur\": {id}.5, \"args\": {{\"correlation\": {at}, \"External id\": {id}, \"stream\": {id}, \"device\": 0, \"grid\": [{id}, 1, 1], \"Input Dims\": [[{at}, {id}]], \"x\": [{{\"ph\": \"X\", \"ts\": 1, \"dur\": 2, \"name\": \"inner\"}}, {{\"ph\": \"X\"}}], \"secret {}\": \"{name}\"}}}}", at % 16),
            6 => format!("{{\"ph\": \"X\", {common}, \"dur\": 3, \"args\": {{\"Collective name\": \"allreduce {id}\", \"Process Group Name\": \"group {at}\", \"dtype\": \"Float\", \"In msg nelems\": {at}}}}}"),
            7 | 8 => format!("{{\"ph\": \"B\", {common}}}"),
            9 | 10 => format!("{{\"ph\": \"E\", {common}}}"),
            11 => format!("{{\"ph\": \"b\", {common}, \"id\": {text_id}}}"),
            12 => format!("{{\"ph\": \"e\", {common}, \"id\": {text_id}}}"),
            13 => format!("{{\"ph\": \"b\", {common}, \"id2\": {{\"local\": {text_id}}}}}"),
            14 => format!("{{\"ph\": \"e\", {common}, \"id2\": {{\"local\": {text_id}}}}}"),
            15 => format!("{{\"ph\": \"s\", {common}, \"id\": {text_id}}}"),
            16 => format!("{{\"ph\": \"f\", {common}, \"id\": {text_id}, \"bp\": \"e\"}}"),
            17 => format!("{{\"ph\": \"C\", {common}, \"args\": {{\"bytes {id}\": {at}, \"odd\": \"{name}\"}}}}"),
            18 => format!("{{\"ph\": \"M\", {common}, \"args\": {{\"name\": \"{name} {at}\", \"sort_index\": {id}}}}}").replace(&format!("\"name\": \"{name}\", \"pid\""), ["\"name\": \"process_name\", \"pid\"", "\"name\": \"thread_name\", \"pid\"", "\"name\": \"process_sort_index\", \"pid\"", "\"name\": \"thread_sort_index\", \"pid\""][usize::from(at % 4)]),
            19 => format!("{{\"ph\": \"i\", {common}, \"s\": \"t\"}}"),
            20 => format!("{{\"ph\": \"i\", \"name\": \"[memory]\", \"pid\": {process}, \"tid\": {thread}, \"ts\": {at}, \"args\": {{\"Bytes\": -{id}, \"Addr\": {at}, \"Device Type\": 1, \"Device Id\": 0}}}}"),
            21 => format!("{{\"ph\": \"P\", {common}, \"sf\": {id}}}"),
            22 => format!("{{\"name\": \"ProfilerStep#{id}\", \"cat\": \"user_annotation\", \"ph\": \"X\", \"pid\": {process}, \"tid\": {thread}, \"ts\": {at}, \"dur\": 50, \"args\": {{\"stepscope_step\": \"step {id}\"}}}}"),
            _ => [
                "{\"ph\": \"X\", \"name\": \"a \"b\" c\", \"cat\": \"cpu_op\", \"ts\": 1, \"dur\": 2}",
                "{\"ph\": \"X\", \"name\": \"cut",
                "{\"ph\": 'X'}",
                "17",
                "{\"ph\": \"Q\", \"ts\": 1}, {}",
                "{\"ph\": \"X\", \"ts\": NaN, \"name\": \"n\"},,",
                "{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 9, \"args\": {\"name\": \"/device:GPU:0\"}}",
            ][usize::try_from(id).unwrap_or(0)].to_owned(),
        }
    });
    proptest::collection::vec(event, 20..200)
}

/// A document around events.
fn document(kineto: bool, bare: bool, separator: &str, events: &[String]) -> String {
    let mut text = String::new();
    let head = if kineto { "\"deviceProperties\": [], " } else { "" };
    let begin = if bare { "[" } else { "\"traceEvents\": [" };
    let _ =
        write!(text, "{}{begin}\n{}]", if bare { String::new() } else { format!("{{{head}") }, events.join(separator));
    if !bare {
        text.push_str(", \"last\": \"{\\\"ph\\\": 1}, {\\\"ph\\\": 2}\", \"more\": [{\"a\": 1}, {\"ph\": \"X\"}]}");
    }
    text
}

#[test]
fn events_of_every_kind() {
    let joined = Cell::new(0);
    let shape = (any::<[bool; 3]>(), prop_oneof![",", ",\n", ", \n  "], 1..2000_usize, any::<u16>());
    let chunk = prop_oneof![1..50_usize, 1..100_000_usize];
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let result =
        runner.run(&(events(), shape, chunk), |(events, ([kineto, bare, sound], separator, step, shift), chunk)| {
            let is_sound = |event: &&String| {
                event.starts_with('{')
                    && !event.contains("/device")
                    && serde_json::from_str::<IgnoredAny>(event).is_ok()
            };
            let events: Vec<String> = if sound { events.iter().filter(is_sound).cloned().collect() } else { events };
            let text = padded(document(kineto, bare, &separator, &events).into_bytes());
            let places = places(text.len(), step + 100, shift.into());
            joined.set(joined.get() + check("rank0.json", &text, &places, chunk));
            Ok(())
        });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(joined.get() > 2000, "{} pieces", joined.get());
}

#[test]
fn traces_of_a_profiler() {
    let mut joined = 0;
    for seed in 0..24 {
        let text = Spec::small(seed).generate().0;
        let (step, chunk) = [(700, 100), (5000, 1 << 16), (20_000, 4096)][usize::try_from(seed % 3).unwrap_or(0)];
        joined += check("rank0.json", &text, &places(text.len(), step, 977), chunk);
    }
    assert!(joined > 1000, "{joined} pieces");
}

#[test]
fn damaged_traces() {
    let mut damage = Mutations::new(7);
    let traces: Vec<Vec<u8>> = (0..4).map(small_trace).collect();
    let mut joined = 0;
    for round in 0..600 {
        let text = damage.damage(&padded(traces[round % 4].clone()));
        joined +=
            check("rank0.json", &text, &places(text.len(), 400 + 37 * (round % 50), round), 1 + 97 * (round % 40));
    }
    assert!(joined > 1000, "{joined}");
}

#[test]
fn fixtures_and_real_traces() {
    let mut folders: Vec<_> =
        ["chrome", "kineto", "damaged", "stepscope"].map(|name| root().join("tests/fixtures").join(name)).into();
    folders.extend(real_traces().map(|folder| folder.join("pytorch")));
    let (mut files, mut joined) = (0, 0);
    for folder in folders {
        for (path, file) in files_of(&folder)
            .into_iter()
            .filter(|(path, _)| path.contains(".json") && !path.contains("expected/") && !path.contains("gzip"))
        {
            let text = padded(if path.ends_with(".gz") { text_of(&folder.join(&path)) } else { file });
            if text.len() > 24 << 20
                || !text.trim_ascii_start().starts_with(b"{") && !text.trim_ascii_start().starts_with(b"[")
            {
                continue;
            }
            files += 1;
            for parts in [3, 7, 40] {
                let step = (text.len().saturating_sub(PADDING) / parts).max(60);
                joined += check("input.json", &text, &places(text.len(), step, parts), 1 << 14);
                if text.len() > 1 << 20 {
                    break;
                }
            }
        }
    }
    assert!(files > 60 && joined > 300, "{joined} pieces of {files} files");
}

#[test]
fn pieces_take_over_most_of_a_trace() {
    let text = Spec { steps: 60, ..Spec::small(3) }.generate().0;
    let cuts = places(text.len(), (text.len() - PADDING) / 6 + 1, 0);
    assert_eq!(check("rank0.json", &text, &cuts, 1 << 16), cuts.len());
    assert!(trace(&text).slices.len() > 1000);
}
