//! Recordings that begin and end while the program runs.

use std::ffi::CString;
use std::path::Path;

use stepscope_format::device::{Activity, Detail};
use stepscope_format::{Kind, about};

use crate::cupti::{Fake, Fields, initialize, kernel};
use crate::library::{Library, function};
use crate::recording::RecordedFolder;
use crate::role::{command, folder, injection};

/// Begins a recording in a folder.
fn start(library: Library, folder: &Path) {
    let options = format!(r#"{{"output":"{}"}}"#, folder.display());
    let options = CString::new(options).expect("a text");
    let start = function!(library, "stepscope_start", unsafe extern "C" fn(*const std::ffi::c_char) -> i32);
    // SAFETY: the text ends with a zero.
    assert_eq!(unsafe { start(options.as_ptr()) }, 0);
}

/// CUDA is initialized while nothing is recorded; two recordings follow.
pub(crate) fn windows(folder: &Path) {
    let fake = Fake::load(folder);
    let library = Library::open(&injection());
    let stop = function!(library, "stepscope_stop", extern "C" fn());
    let set_busy = function!(fake.0, "fake_set_busy", extern "C" fn(bool));
    initialize();
    let before = kernel(fake.now(), 1);
    start(library, &folder.join("one"));
    fake.emit(&Fields::new(8).at(44, 132).at(112, 1).text(136, c"NVIDIA H200"));
    fake.emit(&before);
    fake.emit(&kernel(fake.now(), 2));
    let late = kernel(fake.now(), 3);
    // Not the last activity of the device, and unfinished.
    fake.emit(&kernel(0, 4).times(16, 0, 0));
    set_busy(true);
    stop();
    set_busy(false);
    // A context that CUPTI reports while nothing is recorded.
    fake.emit(&Fields::new(9).at(4, 5).at(8, 1));
    fake.emit(&kernel(fake.now(), 5));
    fake.flush();
    fake.emit(&late);
    start(library, &folder.join("two"));
    fake.emit(&kernel(fake.now(), 6));
    fake.emit(&Fields::new(38).at(4, 3).times(8, fake.now(), fake.now() + 9).at(24, 7).at(28, 5).at(36, u32::MAX));
    stop();
}

/// Correlations and devices of activities, models of devices, and how many activities had not ended.
fn told(folder: &Path) -> (Vec<(u32, u16)>, Vec<String>, Vec<u64>) {
    let found = RecordedFolder::of(folder);
    let records = || found.threads.values().flat_map(|thread| &thread.records);
    let activities = records().filter_map(Activity::of).map(|activity| (activity.correlation, activity.device));
    let models = records().filter_map(|record| match Detail::of(record) {
        Some(Detail::Device { name, .. }) => Some(found.name(0, name)),
        _ => None,
    });
    let lost = records().filter(|record| record.kind == Kind::Process && record.aux == about::LOST);
    (activities.collect(), models.collect(), lost.map(|record| record.value).collect())
}

/// Each recording has all activities of its time, to the last one, and the devices.
#[test]
fn recordings_have_what_was_done_in_their_time() {
    let folder = folder("windows");
    let output = command("windows", &folder, "").env_remove("STEPSCOPE_OPTIONS").output().expect("an end");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");
    let device = || vec!["NVIDIA H200".to_owned()];
    assert_eq!(told(&folder.join("one")), (vec![(2, 1)], device(), vec![1]));
    assert_eq!(told(&folder.join("two")), (vec![(6, 1), (7, 1)], device(), vec![]));
}
