//! Spans as numbers.

use std::path::Path;

use stepscope_collector::{Category, Name, NameNumber, Options, SpanHandle, start, stop};
use stepscope_format::{Kind, about};

use crate::recording::RecordedFolder;
use crate::role::{folder, play};

fn open(name: &str) -> SpanHandle {
    SpanHandle::open(Category::General, NameNumber::from(Name::new(name)), 0)
}

/// Uses spans where they are not open: on another thread, in another recording, deeper than numbers go.
pub(crate) fn strangers(folder: &Path) {
    start(&Options::new(folder.join("one"))).expect("a recording");
    let outer = open("outer");
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let own = open("of the thread");
            outer.set_value(7);
            outer.argument(Name::new("key"), 1);
            outer.discard();
            outer.close();
            own.set_value(5);
            own.close();
        });
        // One that never recorded anything.
        scope.spawn(|| SpanHandle::from_number(outer.number()).close());
    });
    SpanHandle::NONE.close();
    outer.close();
    outer.close();
    let late = open("late");
    stop();
    start(&Options::new(folder.join("two"))).expect("a recording");
    let next = open("next");
    late.close();
    next.close();
    let mut spans: Vec<SpanHandle> = (0..(1 << 20) + 10).map(|_| open("deep")).collect();
    assert_eq!(spans.split_off(1 << 20), [SpanHandle::NONE; 10]);
    for span in spans.into_iter().rev() {
        span.discard();
    }
    open("on top again").close();
    stop();
}

#[test]
fn spans_are_closed_by_the_thread_that_opened_them() {
    let folder = folder("handles");
    play("handles", &folder);
    let found = RecordedFolder::of(&folder.join("one"));
    let spans = |found: &RecordedFolder| {
        let mut spans = Vec::new();
        for thread in found.threads.values() {
            for record in thread.records.iter().filter(|record| matches!(record.kind, Kind::Span | Kind::Open)) {
                spans.push((record.kind, found.name(0, record.name), record.aux, record.value));
            }
        }
        spans.sort();
        spans
    };
    let span = |name: &str, depth, value| (Kind::Span, name.to_owned(), depth, value);
    let late = (Kind::Open, "late".to_owned(), 0, 0);
    assert_eq!(spans(&found), [span("of the thread", 0, 5), span("outer", 0, 0), late]);
    let lost = |found: &RecordedFolder| -> u64 {
        let records = found.threads.values().flat_map(|thread| &thread.records);
        records
            .filter(|record| record.kind == Kind::Process && record.aux == about::LOST)
            .map(|record| record.value)
            .sum()
    };
    assert_eq!((lost(&found), found.recovered.lost), (5, 5));
    let found = RecordedFolder::of(&folder.join("two"));
    assert_eq!(spans(&found), [span("next", 0, 0), span("on top again", 0, 0)]);
    assert_eq!(lost(&found), 0);
}
