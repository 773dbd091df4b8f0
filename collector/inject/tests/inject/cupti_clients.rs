//! Other profilers in the process.

use std::ffi::c_void;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use stepscope_fake_nvidia::cupti::VERSIONS;
use stepscope_format::Kind;
use stepscope_format::about::{CUDA_AGAIN, CUDA_LEFT};
use stepscope_format::device::Activity;

use crate::cupti::{Fake, initialize, kernel};
use crate::library::function;
use crate::recording::RecordedFolder;
use crate::role::{command, folder, play};

/// Bytes of records that the other profiler got, and buffers that were not its own.
static RECORDS: AtomicU64 = AtomicU64::new(0);
static STRANGERS: AtomicU64 = AtomicU64::new(0);

/// Addresses of its buffers.
static OWN: Mutex<Vec<usize>> = Mutex::new(Vec::new());

unsafe extern "C" fn requested(buffer: *mut *mut u8, size: *mut usize, most: *mut usize) {
    let room = Box::leak(vec![0_u64; 4096].into_boxed_slice());
    OWN.lock().expect("addresses").push(room.as_ptr() as usize);
    // SAFETY: CUPTI gives three places to be written to.
    unsafe {
        (*buffer, *size, *most) = (room.as_mut_ptr().cast(), 4096 * 8, 0);
    }
}

unsafe extern "C" fn completed(_: *mut c_void, _: u32, buffer: *mut u8, _size: usize, valid: usize) {
    if !OWN.lock().expect("addresses").contains(&(buffer as usize)) {
        STRANGERS.fetch_add(1, Ordering::Relaxed);
    }
    RECORDS.fetch_add(valid as u64, Ordering::Relaxed);
}

unsafe extern "C" fn own_clock() -> u64 {
    7
}

type Register = extern "C" fn(
    unsafe extern "C" fn(*mut *mut u8, *mut usize, *mut usize),
    unsafe extern "C" fn(*mut c_void, u32, *mut u8, usize, usize),
) -> i32;

/// Ticks of the thread that looks after the session.
fn wait(ticks: u64) {
    std::thread::sleep(Duration::from_millis(400 * ticks + 300));
}

/// Records, is taken over as by PyTorch's profiler, and checks whether it comes back when that ends.
pub(crate) fn another(folder: &Path) {
    let fake = Fake::load(folder);
    let has_clock = std::env::var_os("FAKE_OWN_CLOCK").is_some();
    initialize();
    fake.emit(&kernel(fake.now(), 1));
    wait(2);
    // The other one begins.
    let register = function!(fake.0, "cuptiActivityRegisterCallbacks", Register);
    let enable = function!(fake.0, "cuptiActivityEnable", extern "C" fn(u32) -> i32);
    if has_clock {
        type Clock = extern "C" fn(unsafe extern "C" fn() -> u64) -> i32;
        function!(fake.0, "cuptiActivityRegisterTimestampCallback", Clock)(own_clock);
    }
    register(requested, completed);
    for kind in [10, 4] {
        enable(kind);
    }
    for correlation in 2..5 {
        fake.emit(&kernel(fake.now(), correlation));
        wait(1);
    }
    let its_own = RECORDS.load(Ordering::Relaxed);
    assert!(its_own >= 3 * 200, "it keeps what it took: {its_own} bytes");
    wait(2);
    fake.emit(&kernel(fake.now(), 5));
    fake.flush();
    assert!(RECORDS.load(Ordering::Relaxed) > its_own, "as long as it lasts");
    // It ends.
    function!(fake.0, "fake_session_ends", extern "C" fn(bool))(false);
    if has_clock {
        wait(3);
        fake.emit(&kernel(fake.now(), 6));
        // The end of the other client is invisible: it has to be reported.
        let library = crate::library::Library::open(&crate::role::injection());
        assert_eq!(function!(library, "stepscope_cuda_rearm", extern "C" fn() -> i32)(), 1);
    } else {
        wait(4);
    }
    fake.emit(&kernel(fake.now(), 7));
    wait(1);
}

/// Records, leaves CUPTI to another profiler that announces itself, and takes it back: nothing is lost before and after, and the other one
/// gets no buffer but its own.
pub(crate) fn announced(folder: &Path) {
    let fake = Fake::load(folder);
    initialize();
    let library = crate::library::Library::open(&crate::role::injection());
    let release = function!(library, "stepscope_cuda_release", extern "C" fn() -> i32);
    let rearm = function!(library, "stepscope_cuda_rearm", extern "C" fn() -> i32);
    fake.emit(&kernel(fake.now(), 1));
    assert_eq!(release(), 1);
    function!(fake.0, "cuptiActivityRegisterCallbacks", Register)(requested, completed);
    let enable = function!(fake.0, "cuptiActivityEnable", extern "C" fn(u32) -> i32);
    enable(10);
    fake.emit(&kernel(fake.now(), 2));
    wait(2);
    fake.emit(&kernel(fake.now(), 3));
    assert_eq!(RECORDS.load(Ordering::Relaxed), 0, "its buffers are not flushed");
    assert_eq!(release(), 0, "it is left already, and the kinds are the other one's");
    fake.emit(&kernel(fake.now(), 5));
    fake.flush();
    assert!(RECORDS.load(Ordering::Relaxed) >= 3 * 200);
    assert_eq!(STRANGERS.load(Ordering::Relaxed), 0, "ours came to us");
    function!(fake.0, "fake_session_ends", extern "C" fn(bool))(true);
    assert_eq!(rearm(), 1);
    fake.emit(&kernel(fake.now(), 4));
    wait(1);
}

#[test]
fn a_profiler_that_announces_itself_costs_nothing_but_its_time() {
    let folder = folder("announced client");
    assert_eq!(play("announced client", &folder, ""), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    assert_eq!(kernels(&found), [1, 4]);
    for text in [CUDA_LEFT, CUDA_AGAIN] {
        assert_eq!(found.named(Kind::Mark, text).len(), 1, "{text}");
    }
}

/// CUPTI is left to another profiler before the driver is initialized: nothing is taken from that until it ends.
pub(crate) fn announced_early(folder: &Path) {
    let fake = Fake::load(folder);
    let library = crate::library::Library::open(&crate::role::injection());
    let release = function!(library, "stepscope_cuda_release", extern "C" fn() -> i32);
    let rearm = function!(library, "stepscope_cuda_rearm", extern "C" fn() -> i32);
    assert_eq!(release(), 0, "nothing was recorded");
    function!(fake.0, "cuptiActivityRegisterCallbacks", Register)(requested, completed);
    function!(fake.0, "cuptiActivityEnable", extern "C" fn(u32) -> i32)(10);
    initialize();
    fake.emit(&kernel(fake.now(), 1));
    fake.flush();
    assert!(RECORDS.load(Ordering::Relaxed) >= 200, "it has CUPTI still");
    function!(fake.0, "fake_session_ends", extern "C" fn(bool))(true);
    assert_eq!((rearm(), rearm()), (1, 1), "again, and once more without effect");
    fake.emit(&kernel(fake.now(), 2));
    wait(1);
}

#[test]
fn a_profiler_that_announces_itself_before_the_driver_is_left_alone() {
    let folder = folder("announced early");
    assert_eq!(play("announced early", &folder, ""), "");
    let found = RecordedFolder::of(&folder.join("recordings"));
    assert_eq!(kernels(&found), [2]);
    for text in [CUDA_LEFT, CUDA_AGAIN] {
        assert_eq!(found.named(Kind::Mark, text).len(), 1, "{text}");
    }
}

fn run(version: u32, clock: bool) -> (RecordedFolder, String) {
    let folder = folder(&format!("another client {version} {clock}"));
    let mut command = command("another client", &folder, "");
    command.env("FAKE_VERSION", version.to_string()).stderr(std::process::Stdio::piped());
    if clock {
        command.env("FAKE_OWN_CLOCK", "1");
    }
    let output = command.output().expect("an end");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{version}: {errors}");
    (RecordedFolder::of(&folder.join("recordings")), errors)
}

fn kernels(found: &RecordedFolder) -> Vec<u32> {
    let records = found.threads.values().flat_map(|thread| &thread.records);
    let mut correlations: Vec<u32> = records.filter_map(Activity::of).map(|activity| activity.correlation).collect();
    correlations.sort_unstable();
    correlations
}

#[test]
fn another_profiler_is_left_alone_and_told_of() {
    std::thread::scope(|scope| {
        let seen = scope.spawn(|| run(24, false));
        let unseen = scope.spawn(|| run(28, true));
        let (found, errors) = seen.join().expect("an end");
        assert_eq!(kernels(&found), [1, 7]);
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with("stepscope: another profiler in this process has taken CUPTI"), "{errors}");
        assert_eq!(found.named(Kind::Mark, errors.trim_end().trim_start_matches("stepscope: ")).len(), 1);
        assert_eq!(found.named(Kind::Mark, "CUDA is recorded again").len(), 1);
        let (found, errors) = unseen.join().expect("an end");
        assert_eq!(kernels(&found), [1, 7]);
        assert_eq!(errors.lines().count(), 1, "{errors}");
    });
}

/// From 13.3 on there may be several, who do not see each other.
#[test]
fn several_clients_share_what_can_be_shared() {
    std::thread::scope(|scope| {
        let several = VERSIONS.into_iter().filter(|version| *version >= 130_301);
        let runs: Vec<_> = several.map(|version| (version, scope.spawn(move || run(version, false)))).collect();
        for (version, run) in runs {
            let (found, errors) = run.join().expect("an end");
            assert_eq!(kernels(&found), [1, 2, 3, 4, 5, 7], "{version}");
            assert_eq!(errors, "", "{version}");
        }
    });
}
