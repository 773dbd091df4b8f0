//! From CUPTI's records to the printed summary: a program with a simulated device. Its libraries are the fakes of the
//! injection library's own tests; it runs only if both were built.
#![expect(unsafe_code, reason = "libraries are loaded, and their functions called, as the driver does it")]

use std::ffi::{CStr, CString, c_void};
use std::path::{Path, PathBuf};

use crate::role::script;
use crate::support::{Run, built, folder, injection_library, program};

/// The variable that names the library for the driver to load.
const INJECTION: &str = "CUDA_INJECTION64_PATH";

const MS: u64 = 1_000_000;

fn load(path: &Path) -> *mut c_void {
    let name = CString::new(path.to_str().expect("a path")).expect("a path");
    // SAFETY: it is one of those that were built for tests.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
    assert!(!handle.is_null(), "{} cannot be loaded", path.display());
    handle
}

/// A function of a library by name and signature.
macro_rules! function {
    ($library:expr, $name:literal, $($signature:tt)+) => {{
        // SAFETY: the library stays loaded.
        let symbol = unsafe { libc::dlsym($library, $name.as_ptr()) };
        assert!(!symbol.is_null(), "no {:?}", $name);
        // SAFETY: the function has that signature.
        unsafe { std::mem::transmute::<*mut c_void, $($signature)+>(symbol) }
    }};
}

/// A record of CUPTI, by its fields' offsets.
struct Fields([u8; 256]);

impl Fields {
    fn new(kind: u32) -> Self {
        Self([0; 256]).at(0, kind)
    }

    fn at(mut self, offset: usize, value: u32) -> Self {
        self.0[offset..offset + 4].copy_from_slice(&value.to_ne_bytes());
        self
    }

    fn wide(mut self, offset: usize, value: u64) -> Self {
        self.0[offset..offset + 8].copy_from_slice(&value.to_ne_bytes());
        self
    }
}

/// The scenario: three kernels of one name and one of another, a memcpy, and their calls; lengths in ms.
fn scenario(base: u64) -> Vec<Fields> {
    let mut correlation = 0;
    let mut all = Vec::new();
    let names: [&'static CStr; 2] = [c"_Z4gemmPfi", c"_Z4reluv"];
    for (name, begin, length) in [(0, 1, 1), (0, 4, 2), (0, 7, 3), (1, 11, 2)] {
        correlation += 1;
        let (begin, end) = (base + begin * MS, base + (begin + length) * MS);
        let call = Fields::new(5).at(4, 211).wide(8, begin - MS).wide(16, begin - MS / 2);
        all.push(call.at(28, 4242).at(32, correlation));
        let kernel = Fields::new(10).wide(16, begin).wide(24, end).at(40, 0).at(44, 1).at(48, 7);
        let kernel = kernel.at(52, 8).at(56, 1).at(60, 1).at(64, 128).at(68, 1).at(72, 1);
        all.push(kernel.at(92, correlation).wide(104, names[name].as_ptr() as u64));
    }
    let call = Fields::new(5).at(4, 41).wide(8, base + 13 * MS).wide(16, base + 17 * MS);
    all.push(call.at(28, 4242).at(32, 9));
    // From the host's pageable memory to the device's.
    let copy = Fields::new(1).at(4, u32::from_ne_bytes([1, 1, 3, 0])).wide(8, 1 << 20);
    all.push(copy.wide(16, base + 14 * MS).wide(24, base + 16 * MS).at(36, 1).at(40, 7).at(44, 9));
    all
}

/// Loads the library that the environment names, as `cuInit` does, works in three ranges, and emits all of the
/// scenario.
pub(crate) fn uses_a_device(cupti: &Path) {
    let fake = load(cupti);
    function!(fake, c"fake_set_version", extern "C" fn(u32))(24);
    let library = load(&PathBuf::from(std::env::var_os(INJECTION).expect("what the driver is to load")));
    assert_eq!(function!(library, c"InitializeInjection", extern "C" fn() -> i32)(), 1);
    let name = function!(library, c"stepscope_name", unsafe extern "C" fn(*const libc::c_char) -> u32);
    let begin = function!(library, c"stepscope_begin", extern "C" fn(u32, u32, u64) -> u64);
    let end = function!(library, c"stepscope_end", extern "C" fn(u64));
    // SAFETY: the text ends with a zero.
    let range = unsafe { name(c"train batch".as_ptr()) };
    for batch in 0..3 {
        end(begin(range, 0, batch));
    }
    let base = function!(fake, c"fake_now", extern "C" fn() -> u64)();
    let emit = function!(fake, c"fake_record", unsafe extern "C" fn(*const u8, usize));
    for record in scenario(base) {
        // SAFETY: so many bytes stand there.
        unsafe { emit(record.0.as_ptr(), record.0.len()) };
    }
}

/// The printed rows of the scenario: its times are those of the records.
const ROWS: [&str; 5] = [
    "GPU activities: 60.00% 6.0000ms 3 2.0000ms 1.0000ms 3.0000ms gemm(float*, int)",
    "20.00% 2.0000ms 1 2.0000ms 2.0000ms 2.0000ms [CUDA memcpy HtoD]",
    "20.00% 2.0000ms 1 2.0000ms 2.0000ms 2.0000ms relu()",
    "API calls: 66.67% 4.0000ms 1 4.0000ms 4.0000ms 4.0000ms cudaMemcpyAsync",
    "33.33% 2.0000ms 4 500.00us 500.00us 500.00us cudaLaunchKernel",
];

#[test]
fn the_summary_has_kernels_calls_and_ranges_with_their_times() {
    let (Some(library), Some(fakes)) = (injection_library(), built("libstepscope_fake_nvidia.so")) else {
        eprintln!("SKIPPED: the injection library and its stand-ins for NVIDIA's were not built");
        return;
    };
    let folder = folder("device");
    let cupti = folder.join("libcupti.so.12");
    std::fs::copy(fakes, &cupti).expect("a copy under NVIDIA's name");
    let mut command = program();
    command.env("STEPSCOPE_LIBRARY", library).arg("record").arg("-o").arg(folder.join("device.stepscope"));
    let role = format!("{} >/dev/null", script(&format!("device {}", cupti.display())));
    let run = Run::of(command.args(["--sample", "0", "--", "sh", "-c", &role]));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = run.err.lines().map(words).collect();
    let place = |row: &str| lines.iter().position(|line| line == row);
    let first = place("Type Time(%) Time Calls Avg Min Max Name").unwrap_or_else(|| panic!("{}", run.err));
    assert_eq!(lines[first + 1..][..ROWS.len()], ROWS, "{}", run.err);
    let ranges = place("range time total calls avg min max").unwrap_or_else(|| panic!("{}", run.err));
    let row: Vec<&str> = lines[ranges + 1].split(' ').collect();
    // The share and the total are two words each; the durations are not known.
    assert_eq!((row[..2].join(" "), row[6]), ("train batch".to_owned(), "3"), "{}", run.err);
}
