//! A machine whose clock is set while it records.
//!
//! Setting it for real would harm other programs. Instead, this program's own `clock_gettime`, which takes precedence
//! over the system's, returns another time of day. Times come from `CLOCK_MONOTONIC`, which cannot be set.
#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "it stands in for a function of the system")]
#![expect(clippy::panic, reason = "a test says so what is wrong")]

use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime};

use stepscope_collector::{ClockSource, Options, recover, span, start, stop};
use stepscope_format::compact::{Item, Reader};
use stepscope_format::{Kind, Record};

/// Seconds by which the clock was set.
static STEP: AtomicI64 = AtomicI64::new(0);

#[unsafe(no_mangle)]
extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> libc::c_int {
    // SAFETY: the same call, without the library's function around it; the caller's pointer is good for it.
    let result = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) };
    if result == 0 && clock == libc::CLOCK_REALTIME {
        // SAFETY: the call above just wrote there.
        unsafe { (*time).tv_sec += STEP.load(Ordering::Relaxed) };
    }
    libc::c_int::try_from(result).unwrap_or(-1)
}

const HOUR: i64 = 3_600;

/// Spans of 100 µs and more, while the clock is set back, forth, and to before 1970.
fn record(folder: &Path, clock: ClockSource) -> (Vec<Record>, i64, Duration) {
    STEP.store(0, Ordering::Relaxed);
    let begun = SystemTime::UNIX_EPOCH.elapsed().expect("a time after 1970");
    start(&Options { clock, segment_bytes: 16 << 10, ..Options::new(folder) }).expect("a recording");
    let _outer = span!("outer");
    for (index, step) in (0..).zip([0, -HOUR, 24 * HOUR, -20 * 365 * 24 * HOUR, -100 * 365 * 24 * HOUR, 5]) {
        let _during = span!("during", index);
        STEP.store(step, Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(4));
        // Enough for some segments, each with the time at which it was taken.
        for _ in 0..1_000 {
            let _short = span!("short", index);
        }
    }
    drop(_outer);
    stop();
    let mut file = Vec::new();
    let recovered = recover(folder, &mut file).expect("a recording");
    assert_eq!((recovered.closed, recovered.damages.len(), recovered.open), (1, 0, 0));
    let mut reader = Reader::new();
    reader.feed(&file);
    reader.close();
    let (mut spans, mut offset) = (Vec::new(), 0);
    while let Some(item) = reader.next() {
        match item {
            Item::Process(process) => offset = process.unix_offset,
            Item::Records { records, .. } => spans.extend(records),
            Item::Damage(damage) => panic!("{damage}"),
            _ => {}
        }
    }
    (spans, offset, begun)
}

#[test]
fn setting_the_clock_moves_no_span() {
    let shifted = || SystemTime::UNIX_EPOCH.elapsed().expect("a time after 1970").as_secs().cast_signed();
    let before = shifted();
    STEP.store(24 * HOUR, Ordering::Relaxed);
    let moved = shifted() - before;
    assert!((24 * HOUR..24 * HOUR + 60).contains(&moved), "the clock of this program can be set: {moved} s");
    for clock in [ClockSource::Monotonic, ClockSource::Counter] {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("clock_steps_{clock:?}"));
        let _ = std::fs::remove_dir_all(&folder);
        let (spans, offset, begun) = record(&folder, clock);
        assert!(spans.iter().all(|span| span.kind == Kind::Span) && spans.len() == 6 * 1_001 + 1, "{}", spans.len());
        assert!(spans.windows(2).all(|pair| pair[0].end() <= pair[1].end()), "spans end in their order");
        let outer = spans.last().expect("the outer span");
        let during: Vec<&Record> = spans.iter().filter(|span| span.extent >= 4_000_000 && *span != outer).collect();
        assert!(during.len() >= 6, "{} spans of 4 ms", during.len());
        let total: u64 = during.iter().map(|span| span.extent).sum();
        assert!(outer.extent >= total && outer.extent < 60_000_000_000, "{clock:?}: {} ns", outer.extent);
        // The time of day is that at the beginning of the recording.
        let at = i128::from(outer.at) + i128::from(offset);
        let late = at - i128::try_from(begun.as_nanos()).expect("this century");
        assert!((0..60_000_000_000).contains(&late), "{clock:?}: it began {late} ns after it began");
    }
}
