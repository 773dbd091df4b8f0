//! Starting, stopping, and files.

use std::ffi::c_char;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use stepscope_collector::{
    EnvironmentOptions, Options, VARIABLE, create_private, is_recording, recording_path, recover, recover_file, start,
    stop,
};

use super::error::{ARGUMENT, INTERNAL, OK, failed, failed_with};
use super::text::{copy, text};
use crate::cupti;
use crate::guard::guard;

/// Version on which a header and a library must agree: one more with each release that adds functions.
const ABI: u32 = 5;

/// The version of this interface.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_abi_version() -> u32 {
    ABI
}

/// The library's version.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Starts to record this process; options as JSON, or null.
///
/// # Safety
///
/// The text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_start(options: *const c_char) -> i32 {
    guard(INTERNAL, || {
        // SAFETY: as the caller promises.
        let options = match unsafe { text(options) } {
            Some(options) => said(&options),
            None => EnvironmentOptions::get().map(Option::unwrap_or_default),
        };
        match options.and_then(|options| start(&Options::from(&options))) {
            Ok(_) => OK,
            Err(error) => failed_with(&error),
        }
    })
}

/// Options from the program. Unknown ones are an error, which its author can fix.
fn said(options: &str) -> io::Result<EnvironmentOptions> {
    let wrong = |text: &str| {
        let text = text.strip_prefix(VARIABLE).unwrap_or(text);
        io::Error::new(io::ErrorKind::InvalidInput, format!("options{text}"))
    };
    let options = EnvironmentOptions::parse(options).map_err(|error| wrong(&error.to_string()))?;
    match options.unknown.as_slice() {
        [] => Ok(options),
        unknown => Err(wrong(&format!(": not understood: {}", unknown.join(", ")))),
    }
}

/// Stops recording.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_stop() {
    guard((), stop);
}

/// Leaves CUDA's profiling interface to another profiler of this process, until [`stepscope_cuda_rearm`]: 1 if it was left, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_cuda_release() -> i32 {
    guard(0, || cupti::release().into())
}

/// Takes CUDA's profiling interface back from another profiler of this process that has ended: 1 if it could, or 0.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_cuda_rearm() -> i32 {
    guard(0, || cupti::rearm().into())
}

/// Whether this process is being recorded: 1 or 0.
#[unsafe(no_mangle)]
pub extern "C" fn stepscope_is_recording() -> i32 {
    guard(0, || is_recording().into())
}

/// The file that this process is recorded into; returns its length.
///
/// # Safety
///
/// The buffer has room for so many bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_path(buffer: *mut c_char, size: usize) -> usize {
    guard(0, || {
        let path = recording_path().unwrap_or_default();
        // SAFETY: as the caller promises.
        unsafe { copy(path.as_os_str().as_bytes(), buffer, size) }
    })
}

/// Makes a compact file of a raw recording or of a folder of them.
///
/// # Safety
///
/// The texts end with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn stepscope_recover(recordings: *const c_char, output: *const c_char) -> i32 {
    guard(INTERNAL, || {
        // SAFETY: as the caller promises.
        let (Some(recordings), Some(output)) = (unsafe { text(recordings) }, unsafe { text(output) }) else {
            return failed(ARGUMENT, "expected a recording and an output");
        };
        match make(Path::new(&*recordings), Path::new(&*output)) {
            Ok(()) => OK,
            Err(error) => failed_with(&error),
        }
    })
}

fn make(recordings: &Path, output: &Path) -> io::Result<()> {
    let mut file = create_private(output)
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", output.display())))?;
    let made = if recordings.is_dir() { recover(recordings, &mut file) } else { recover_file(recordings, &mut file) };
    if made.is_err() {
        // Half a file would be taken for the recording.
        let _ = std::fs::remove_file(output);
    }
    made.map(drop)
}
