//! Threads without end.

use std::path::Path;

use stepscope_collector::{name_thread, span, stop};
use stepscope_format::Kind;

use crate::recording::RecordedFolder;
use crate::role::{folder, play, record};

const WAVES: u64 = 100;
const AT_ONCE: u64 = 64;
const SPANS: u64 = 20;

pub(crate) fn storm(folder: &Path) {
    record(folder);
    for wave in 0..WAVES {
        std::thread::scope(|scope| {
            for number in 0..AT_ONCE {
                scope.spawn(move || {
                    name_thread(&format!("{wave} {number}"));
                    for span in 0..SPANS {
                        let _span = span!("of a short thread", wave << 32 | number << 16 | span);
                    }
                });
            }
        });
    }
    stop();
}

#[test]
fn short_threads_share_segments_and_keep_their_spans() {
    let folder = folder("storm");
    play("storm", &folder);
    let found = RecordedFolder::of(&folder);
    let mut threads = 0;
    for thread in found.threads.values().filter(|thread| !thread.records.is_empty()) {
        let spans: Vec<_> = thread.records.iter().filter(|record| record.kind == Kind::Span).collect();
        let (wave, number) = (spans[0].value >> 32, spans[0].value >> 16 & 0xFFFF);
        assert_eq!(thread.name, format!("{wave} {number}"));
        let values: Vec<u64> = spans.iter().map(|span| span.value).collect();
        assert_eq!(values, (0..SPANS).map(|span| wave << 32 | number << 16 | span).collect::<Vec<_>>());
        threads += 1;
    }
    assert_eq!(threads, WAVES * AT_ONCE);
    let bytes: u64 = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").metadata().expect("its size").len())
        .sum();
    // 6400 threads of a segment each would take 400 MiB.
    assert!(bytes < 64 << 20, "{bytes} bytes");
}
