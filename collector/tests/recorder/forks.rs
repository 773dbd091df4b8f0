//! Processes that fork while threads record.

#![expect(unsafe_code, reason = "fork and _exit are the system's C interface")]

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use stepscope_collector::{Name, Span, mark, span};
use stepscope_format::{Category, Kind};

use crate::recording::RecordedFolder;
use crate::role::{folder, play, record};

const CHILDREN: u64 = 20;

/// The child: records under names from before and after the fork, and exits without closing anything.
fn child(number: u64, before: Name) -> ! {
    {
        let _span = Span::with(Category::General, before, number);
        let _other = span!("in a child", number);
        mark(&format!("child {number}"), number);
    }
    // SAFETY: it ends the process.
    unsafe { libc::_exit(0) }
}

pub(crate) fn forks(folder: &Path) {
    let before = Name::new("before any recording");
    record(folder);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // They take the lock for names all the time, and segments.
        for thread in 0..3 {
            let stop = &stop;
            scope.spawn(move || {
                for index in 0_u64.. {
                    // More than a thread remembers.
                    let _span = Span::enter(&format!("{thread} {}", index % 5_000));
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                }
            });
        }
        let _around = span!("around the forks");
        for number in 0..CHILDREN {
            // SAFETY: the child calls the recorder, which is made for it, and `_exit`.
            let pid = unsafe { libc::fork() };
            assert!(pid >= 0);
            if pid == 0 {
                child(number, before);
            }
            let mut status = 0;
            // SAFETY: it writes the status alone.
            assert_eq!(unsafe { libc::waitpid(pid, &raw mut status, 0) }, pid);
            assert_eq!(status, 0, "child {number}");
            let _parent = span!("in the parent", number);
        }
        stop.store(true, Ordering::Relaxed);
    });
    stepscope_collector::stop();
}

#[test]
fn each_child_has_a_recording_with_the_right_names() {
    let folder = folder("forks");
    play("forks", &folder);
    let found = RecordedFolder::of(&folder);
    assert_eq!(u64::from(found.recovered.processes), CHILDREN + 1);
    assert_eq!((found.recovered.closed, found.recovered.open), (1, 0));
    let parents: Vec<_> = found.processes.iter().filter(|process| process.closed).collect();
    let numbers = |name: &str| {
        let mut numbers: Vec<u64> = found.named(Kind::Span, name).iter().map(|span| span.value).collect();
        numbers.sort_unstable();
        numbers
    };
    let all: Vec<u64> = (0..CHILDREN).collect();
    for name in ["before any recording", "in a child", "in the parent"] {
        assert_eq!(numbers(name), all, "{name}");
    }
    assert_eq!(found.named(Kind::Span, "around the forks").len(), 1);
    for number in 0..CHILDREN {
        let marks = found.named(Kind::Mark, &format!("child {number}"));
        assert_eq!(marks.iter().map(|mark| mark.value).collect::<Vec<_>>(), [number]);
    }
    for process in found.processes.iter().filter(|process| !process.closed) {
        assert_eq!(process.parent, parents[0].id);
    }
    for ((process, _), thread) in &found.threads {
        for record in &thread.records {
            // Panics on a number without a name.
            let name = found.name(*process, record.name);
            if found.processes[*process as usize].closed {
                assert!(!name.starts_with("child") && name != "in a child", "{name} in the parent's file");
            }
        }
    }
}
