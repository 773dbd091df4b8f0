//! A process that is killed at any moment.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use stepscope_collector::{Name, Options, Span, begin_span, name_thread, span, start};
use stepscope_format::{Category, Kind, Record};

use crate::recording::RecordedFolder;
use crate::role::{begin, folder, record};

const THREADS: u64 = 2;
/// Kills and finished spans without which nothing is shown.
const KILLS: u64 = 40;
const SPANS: usize = 100_000;

/// Threads at full speed, each inside of a span that never ends, writing how many spans they finished.
pub(crate) fn busy(folder: &Path) {
    // Half of the processes have their segments made ahead.
    let ahead = std::process::id().is_multiple_of(2);
    start(&Options { segment_bytes: 64 << 10, ahead, ..Options::new(folder) }).expect("a recording");
    let finished = File::create(folder.join("finished")).expect("a file");
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let finished = &finished;
            scope.spawn(move || {
                name_thread(&format!("busy {thread}"));
                let _never_ends = span!("outer", thread);
                for index in 0_u64.. {
                    {
                        let _middle = span!("middle", 2 * index);
                        let _inner = span!("inner", 2 * index + 1);
                    }
                    if index % 64 == 0 {
                        finished.write_all_at(&(index + 1).to_le_bytes(), thread * 8).expect("room");
                    }
                }
            });
        }
    });
}

#[test]
fn a_kill_loses_no_finished_span_and_shows_the_open_ones() {
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let (mut spans, mut in_middle, mut kills) = (0, 0, 0);
    // On a slow machine more are needed.
    while kills < KILLS || spans < SPANS || in_middle == 0 {
        kills += 1;
        assert!(
            kills <= 10 * KILLS,
            "{spans} spans, {in_middle} threads inside of further ones: the kills come too early"
        );
        let kill = kills;
        let folder = folder("kill");
        let mut child = begin("busy", &folder);
        // Number of finished spans by thread; `None` until all have some.
        let told = || {
            let told = std::fs::read(folder.join("finished")).unwrap_or_default();
            let told = told.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")));
            Some(told.collect::<Vec<_>>()).filter(|told| told.len() == THREADS as usize && !told.contains(&0))
        };
        let begun = Instant::now();
        while told().is_none() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never tells of a span");
            std::thread::sleep(Duration::from_millis(1));
        }
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        std::thread::sleep(Duration::from_micros((random >> 33) % 60_000));
        child.kill().expect("SIGKILL");
        let status = child.wait().expect("an end");
        assert!(!status.success(), "it was killed: {status}");
        let told = told().expect("they told of spans");
        let found = RecordedFolder::of(&folder);
        assert!(!found.processes[0].closed);
        for thread in 0..THREADS {
            let told = told[thread as usize];
            let name = format!("busy {thread}");
            let of_thread = found.threads.iter().find(|(_, found)| found.name == name);
            let ((process, _), of_thread) = of_thread.unwrap_or_else(|| panic!("kill {kill}: no {name}"));
            let (open, closed): (Vec<Record>, Vec<Record>) =
                of_thread.records.iter().partition(|record| record.kind == Kind::Open);
            // Inner spans end first: 1, 0, 3, 2, …
            for (index, span) in (0_u64..).zip(&closed) {
                assert_eq!((span.kind, span.value), (Kind::Span, index ^ 1), "kill {kill}: a span is missing");
            }
            assert!(closed.len() as u64 >= 2 * told, "kill {kill}: {} of {} spans", closed.len(), 2 * told);
            let names: Vec<String> = open.iter().map(|span| found.name(*process, span.name)).collect();
            let expected = ["outer", "middle", "inner"];
            assert!(
                !names.is_empty() && expected.starts_with(&names.iter().map(String::as_str).collect::<Vec<_>>()),
                "kill {kill}: open are {names:?}"
            );
            assert_eq!(open[0].value, thread);
            // The next to end is still open, or was not begun.
            if let Some(inner) = open.get(2) {
                assert_eq!(inner.value, closed.len() as u64 ^ 1, "kill {kill}");
            }
            spans += closed.len();
            in_middle += usize::from(open.len() > 1);
        }
    }
    println!("{kills} kills, {spans} spans, {in_middle} threads inside of further ones");
}

/// Ten times as many open spans as a segment can hold, some closed before those inside of them.
pub(crate) fn deep(folder: &Path) {
    record(folder);
    let name = Name::new("deep");
    let mut spans: Vec<Span> = (0..2_500).map(|depth| Span::with(Category::Operator, name, depth)).collect();
    spans.swap(10, 2_400);
    spans.swap(100, 200);
    for span in spans.drain(5..) {
        drop(span);
    }
    for _ in 0..5_000 {
        begin_span(Category::General, name, 9);
        assert!(stepscope_collector::end_span());
    }
    spans.truncate(3);
    std::process::abort();
}

#[test]
fn spans_end_in_any_order_and_as_deep_as_they_like() {
    let folder = folder("deep");
    assert!(!begin("deep", &folder).wait().expect("an end").success());
    let found = RecordedFolder::of(&folder);
    let values = |kind| {
        let spans = found.named(kind, "deep").into_iter().filter(|span| span.category == Category::Operator);
        let mut values: Vec<u64> = spans.map(|span| span.value).collect();
        values.sort_unstable();
        values
    };
    assert_eq!(values(Kind::Open), [0, 1, 2]);
    assert_eq!(values(Kind::Span), (3..2_500).collect::<Vec<_>>());
    let later = found.named(Kind::Span, "deep").into_iter().filter(|span| span.value == 9 && span.aux == 5);
    assert_eq!(later.count(), 5_000);
}
