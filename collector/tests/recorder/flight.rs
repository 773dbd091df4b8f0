//! The flight recorder: only the latest part is kept.

use std::path::Path;
use std::time::Duration;

use stepscope_collector::{Keep, Options, mark, span, start};
use stepscope_format::Kind;

use crate::recording::RecordedFolder;
use crate::role::{begin, folder};

const SPANS: u64 = 400_000;
const BYTES: u64 = 2 << 20;

pub(crate) fn fly(folder: &Path) {
    let keep = Some(Keep { time: Duration::from_secs(3600), bytes: BYTES });
    start(&Options { segment_bytes: 64 << 10, keep, ..Options::new(folder) }).expect("a recording");
    mark("take-off", 0);
    let _outer = span!("outer");
    for index in 0..SPANS {
        let _span = span!("span", index);
    }
    std::process::abort();
}

#[test]
fn a_flight_recorder_keeps_the_latest() {
    let folder = folder("flight");
    assert!(!begin("flight", &folder).wait().expect("an end").success());
    let found = RecordedFolder::of(&folder);
    let size: u64 = std::fs::read_dir(&folder)
        .expect("the folder")
        .map(|entry| entry.expect("an entry").metadata().expect("its size").len())
        .sum();
    assert!(size <= BYTES, "{size} bytes");
    let spans = found.named(Kind::Span, "span");
    let first = SPANS - spans.len() as u64;
    assert!(spans.iter().zip(first..).all(|(span, index)| span.value == index), "what is kept has no gap");
    // Two of the 31 segments have names, or are being filled.
    assert!(spans.len() > 29 * 1_400, "{} spans", spans.len());
    assert!(found.processes[0].reused > 100, "{} segments were given up", found.processes[0].reused);
    assert!(found.named(Kind::Mark, "take-off").is_empty());
    assert_eq!(found.named(Kind::Open, "outer").len(), 1);
}
