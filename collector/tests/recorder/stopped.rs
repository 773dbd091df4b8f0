//! Recordings that another process ends.

#![expect(unsafe_code, reason = "fork and _exit are the system's C interface")]

use std::io::ErrorKind;
use std::path::Path;

use stepscope_collector::{Options, is_recording, mark, recording_path, span, start, stop, stop_recordings};
use stepscope_format::Kind;
use stepscope_format::raw::segment_capacity;

use crate::recording::RecordedFolder;
use crate::role::{folder, play};

const SEGMENT: usize = 64 << 10;

pub(crate) fn stopped(folder: &Path) {
    let place = folder.join("place");
    let options = Options { segment_bytes: SEGMENT, ahead: false, make_output: false, ..Options::new(&place) };
    let begins = || start(&options).map_err(|error| error.kind());
    assert_eq!(begins(), Err(ErrorKind::NotFound), "there is no folder");
    assert!(!place.exists());
    std::fs::create_dir(&place).expect("a folder");
    let path = begins().expect("a recording");
    mark("before", 0);
    stop_recordings(&place).expect("files that can be written");
    let mut spans = 0;
    while is_recording() && spans < 2 * segment_capacity(SEGMENT) {
        let _span = span!("span");
        spans += 1;
    }
    assert!(!is_recording() && spans <= segment_capacity(SEGMENT), "{spans} spans");
    assert!(path.exists() && recording_path().is_none());
    mark("after", 0);
    stop();
    assert_eq!(begins(), Err(ErrorKind::NotFound), "nobody wants it");
    std::fs::rename(&place, folder.join("kept")).expect("the folder");
    assert_eq!(begins(), Err(ErrorKind::NotFound), "the folder is gone");
    assert!(!place.exists());
    // A recording with a folder of its own starts in any case.
    start(&Options::new(&place)).expect("a recording");
    mark("again", 0);
    stop();
}

/// Forks once the folder is gone.
pub(crate) fn orphaned(folder: &Path) {
    let place = folder.join("place");
    std::fs::create_dir(&place).expect("a folder");
    start(&Options { make_output: false, ..Options::new(&place) }).expect("a recording");
    mark("before", 0);
    std::fs::rename(&place, folder.join("kept")).expect("the folder");
    // SAFETY: the child calls the recorder, which is made for it, and `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0);
    if child == 0 {
        mark("in the child", 0);
        let code = i32::from(is_recording());
        // SAFETY: it ends the process.
        unsafe { libc::_exit(code) }
    }
    let mut status = 0;
    // SAFETY: it writes the status alone.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status, 0, "the child is not recorded, and knows it");
    assert!(!place.exists());
    mark("in the parent", 0);
    stop();
}

#[test]
fn a_child_of_what_is_still_recorded_makes_no_folder() {
    let folder = folder("orphaned");
    play("orphaned", &folder);
    let found = RecordedFolder::of(&folder.join("kept"));
    assert_eq!((found.recovered.processes, found.named(Kind::Mark, "in the parent").len()), (1, 1));
}

#[test]
fn who_made_the_folder_ends_what_is_recorded_into_it() {
    let folder = folder("stopped");
    play("stopped", &folder);
    let found = RecordedFolder::of(&folder.join("kept"));
    assert_eq!((found.recovered.processes, found.recovered.closed, found.recovered.dropped), (1, 1, 0));
    assert_eq!((found.named(Kind::Mark, "before").len(), found.named(Kind::Mark, "after").len()), (1, 0));
    assert!(found.named(Kind::Span, "span").len() > 1000);
    assert_eq!(RecordedFolder::of(&folder.join("place")).named(Kind::Mark, "again").len(), 1);
}
