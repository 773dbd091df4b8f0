//! Segments that are made before they are needed.

use std::path::Path;
use std::process::Command;

use stepscope_collector::{Options, mark, span, start, stop};
use stepscope_format::Kind;
use stepscope_format::raw::{HEADER_BYTES, segment_capacity};

use crate::recording::RecordedFolder;
use crate::role::{folder, play};

const SEGMENT: usize = 64 << 10;
const SPANS: u64 = 100_000;

/// The names and the blocked signals of this process's threads.
fn threads() -> Vec<(String, u64)> {
    let tasks = std::fs::read_dir("/proc/self/task").expect("threads").filter_map(Result::ok);
    let of = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).ok()?;
        let field = |key: &str| status.lines().find_map(|line| line.strip_prefix(key)).map(str::trim);
        Some((field("Name:")?.to_owned(), u64::from_str_radix(field("SigBlk:")?, 16).ok()?))
    };
    tasks.filter_map(of).collect()
}

pub(crate) fn roll(folder: &Path) {
    for round in 0..3 {
        let options = Options { segment_bytes: SEGMENT, ahead: true, ..Options::new(folder) };
        let file = start(&options).expect("a recording");
        for index in 0..SPANS {
            let _span = span!("span", round * SPANS + index);
        }
        let helpers: Vec<u64> =
            threads().into_iter().filter(|(name, _)| name == "stepscope").map(|(_, mask)| mask).collect();
        assert_eq!(helpers.len(), 1, "one for all recordings");
        // SIGKILL and SIGSTOP cannot be blocked, nor can the two that the library keeps.
        assert!(helpers[0].count_ones() >= 60, "{:x}", helpers[0]);
        let own = std::thread::current().name().map(str::to_owned);
        assert!(threads().iter().any(|(name, mask)| *mask == 0 && name != "stepscope"), "{own:?} has its signals");
        stop();
        let bytes = file.metadata().expect("its size").len() as usize - HEADER_BYTES;
        // The first record of each is its thread's; one has names, and one may have been ordered while the file was
        // closed.
        let needed = (SPANS as usize).div_ceil(segment_capacity(SEGMENT) - 1) + 1;
        assert!((needed..=needed + 1).contains(&(bytes / SEGMENT)) && bytes.is_multiple_of(SEGMENT), "{bytes}");
    }
    // A child process works, whatever thread started it.
    let output = Command::new("true").status().expect("a child");
    assert!(output.success());
    mark("too late", 0);
}

#[test]
fn segments_are_made_ahead_by_a_thread_that_hinders_nobody() {
    if !cfg!(target_os = "linux") {
        eprintln!("SKIPPED: threads are listed on Linux alone");
        return;
    }
    let folder = folder("ahead");
    play("ahead", &folder);
    let found = RecordedFolder::of(&folder);
    assert_eq!((found.recovered.processes, found.recovered.closed, found.recovered.dropped), (3, 3, 0));
    let mut values: Vec<u64> = found.named(Kind::Span, "span").iter().map(|span| span.value).collect();
    values.sort_unstable();
    assert!(values.iter().copied().eq(0..3 * SPANS));
}
