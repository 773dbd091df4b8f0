//! The tokenizer compared with `serde_json`, on valid documents of every shape and on damaged ones.
//!
//! The portable path is tested by `cargo test -p stepscope-tests --features stepscope/scalar`.

#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::time::{Duration, Instant};

use stepscope::parse::FaultKind;
use stepscope_tests::files::{files_of, root};
use stepscope_tests::oracle::{Documents, Mutations, check_tokenizer, check_trace, small_trace, tokenize};

const CHUNKS: [usize; 6] = [1, 2, 3, 7, 64, 1000];

#[track_caller]
fn check(text: &[u8], what: &str) {
    if let Err(error) = check_tokenizer(text, &CHUNKS) {
        panic!("{what}: {error}\n{}", String::from_utf8_lossy(text));
    }
}

#[test]
fn valid_documents_are_what_serde_json_reads() {
    let mut accepted = 0;
    let mut events = 0;
    for seed in 0..2500 {
        let text = Documents::new(seed).document();
        check(&text, &format!("document {seed}"));
        if serde_json::from_slice::<serde::de::IgnoredAny>(&text).is_ok() {
            accepted += 1;
            events += tokenize(&text, 1 << 20).events.len();
        }
    }
    // The others nest too deep.
    assert!(accepted > 2400 && events > 7_000, "{accepted} documents accepted, with {events} events");
}

#[test]
fn generated_traces_are_what_serde_json_reads() {
    for seed in 0..5 {
        let text = small_trace(seed);
        let found = check_tokenizer(&text, &CHUNKS).expect("a valid trace");
        assert!(found.events.len() > 40 && found.faults.is_empty(), "{} events", found.events.len());
    }
}

/// Damages texts and checks them until there were enough, or the time is up; at least a tenth of them.
fn mutations(seed: u64, wanted: usize, limit: Duration, mut check: impl FnMut(&[u8], &str)) {
    let begin = Instant::now();
    let mut damage = Mutations::new(seed);
    let traces: Vec<Vec<u8>> = (0..8).map(small_trace).collect();
    let mut documents = Documents::new(seed);
    for round in 0..wanted {
        if round > wanted / 10 && begin.elapsed() > limit {
            eprintln!("{round} of {wanted} mutations in {limit:?}");
            return;
        }
        let text =
            if round % 4 == 0 { damage.damage(&traces[round / 4 % 8]) } else { damage.damage(&documents.document()) };
        check(&text, &format!("seed {seed}, round {round}"));
    }
}

#[test]
fn damaged_documents_give_no_event_that_serde_json_does_not_read() {
    mutations(1, 6000, Duration::from_secs(8), check);
}

#[test]
fn damaged_traces_are_read_or_refused_clearly() {
    let begin = Instant::now();
    let mut damage = Mutations::new(2);
    let traces: Vec<Vec<u8>> = (0..8).map(small_trace).collect();
    for round in 0..1500 {
        let text = damage.damage(&traces[round % 8]);
        if let Err(error) = check_trace("a file.json", &text) {
            panic!("round {round}: {error}\n{}", String::from_utf8_lossy(&text));
        }
        if round > 150 && begin.elapsed() > Duration::from_secs(8) {
            break;
        }
    }
}

/// Pairs of events, ids, flows, samples: whichever of them are lost, the export is still read back unchanged.
#[test]
fn damaged_chrome_traces_are_read_or_refused_clearly() {
    let begin = Instant::now();
    let mut damage = Mutations::new(3);
    let cases = std::fs::read_dir(root().join("tests/fixtures/chrome")).expect("the fixtures");
    let mut folders: Vec<_> = cases.map(|case| case.expect("a folder").path()).collect();
    folders.sort();
    let input = |folder: &std::path::PathBuf| {
        ["input.json", "input.cpuprofile"].iter().find_map(|name| std::fs::read(folder.join(name)).ok())
    };
    let inputs: Vec<Vec<u8>> = folders.iter().filter_map(input).collect();
    assert!(inputs.len() > 15, "{} fixtures", inputs.len());
    for round in 0..1500 {
        let text = damage.damage(&inputs[round % inputs.len()]);
        if let Err(error) = check_trace("a file.json", &text) {
            panic!("round {round}: {error}\n{}", String::from_utf8_lossy(&text));
        }
        if round > 150 && begin.elapsed() > Duration::from_secs(8) {
            break;
        }
    }
}

/// Contents that a path decides: raw times, tables, logs of a profiler's folder.
#[test]
fn damaged_files_of_profilers_folders_are_read_or_refused_clearly() {
    let begin = Instant::now();
    let mut damage = Mutations::new(4);
    let folders = ["mindspore", "mindspore_tables", "folders"].map(|kind| root().join("tests/fixtures").join(kind));
    let cases = folders.iter().flat_map(|kind| std::fs::read_dir(kind).expect("the fixtures"));
    let mut inputs: Vec<_> = cases.map(|case| case.expect("a folder").path().join("input")).collect();
    inputs.retain(|input| input.is_dir());
    inputs.sort();
    let files: Vec<(String, Vec<u8>)> = inputs.iter().flat_map(|input| files_of(input)).collect();
    assert!(files.len() > 100, "{} files", files.len());
    for round in 0..20 * files.len() {
        let (path, whole) = &files[round % files.len()];
        let text = if round < files.len() { whole.clone() } else { damage.damage(whole) };
        if let Err(error) = check_trace(path, &text) {
            panic!("{path}, round {round}: {error}\n{}", String::from_utf8_lossy(&text));
        }
        if round > 2 * files.len() && begin.elapsed() > Duration::from_secs(8) {
            break;
        }
    }
}

#[test]
fn a_broken_event_costs_itself_and_at_most_the_next_one() {
    let event = |index: usize| format!("{{\"ph\":\"X\",\"id\":{index},\"args\":{{\"stream\":7}},\"name\":\"a\"}}");
    let breaks = ["\u{1}", "\"", "\\", "\\q", "NaN", ":", "}", "{", "]", "tru", "\u{0}"];
    for broken in breaks {
        for at in 1..event(5).len() {
            let events: Vec<String> = (0..10).map(event).collect();
            let mut text = format!("{{\"traceEvents\":[{}]}}", events.join(","));
            let start = text.find("\"id\":5").expect("the sixth event") - "{\"ph\":\"X\",".len();
            text.insert_str(start + at, broken);
            let found = tokenize(text.as_bytes(), text.len());
            let kept = |index: usize| found.events.iter().any(|found| found.text == event(index).as_bytes());
            let lost: Vec<usize> = (0..10).filter(|index| !kept(*index)).collect();
            let closes_the_list = broken == "]" || broken == "}";
            let most: &[usize] = if closes_the_list { &[5, 6, 7, 8, 9] } else { &[5, 6] };
            assert!(lost.iter().all(|index| most.contains(index)), "{broken:?} at {at} loses {lost:?}: {text}");
        }
    }
}

#[test]
fn what_is_no_json_but_common_is_told() {
    let faults = |text: &str| tokenize(text.as_bytes(), 5).faults.iter().map(|fault| fault.kind).collect::<Vec<_>>();
    assert_eq!(faults("[]"), []);
    assert_eq!(faults("[{\"a\":1},]"), [FaultKind::Punctuation]);
    assert_eq!(faults("[,{\"a\":1},,{\"a\":2},,]"), [FaultKind::Punctuation; 4]);
    assert_eq!(faults("[{\"a\":1},3,]"), [FaultKind::NotAnObject, FaultKind::Punctuation]);
    assert_eq!(faults("[{\"a\":1} {\"a\":2}]"), [FaultKind::Punctuation]);
    assert_eq!(faults("[{\"a\":1},3,{\"a\":2}]"), [FaultKind::NotAnObject]);
    assert_eq!(faults("[{\"a\":NaN},{\"a\":2}]"), [FaultKind::Word]);
    assert_eq!(faults("[{\"a\":#!:},{\"a\":2}]"), [FaultKind::MalformedObject]);
    assert_eq!(faults("[{\"a\":1}] x"), [FaultKind::TrailingText]);
    assert_eq!(faults("[{\"a\":1}, {\"a\":"), [FaultKind::Truncated]);
    assert_eq!(tokenize(b"[{\"a\":1},,{\"a\":2},,]", 3).events.len(), 2);
    assert_eq!(faults("{\"a\":b:d,\"traceEvents\":[{}]}"), [FaultKind::MalformedMember]);
}
