//! GPUs, by a management library that is made for the test: machines without a GPU have none.

use std::path::Path;
use std::process::Command;

use crate::support::{Run, folder, program, read, values};

/// NVML for the sampler: a few functions of C, with distinct values.
const LIBRARY: &str = r#"
#[unsafe(no_mangle)] pub extern "C" fn nvmlInit_v2() -> u32 { 0 }
#[unsafe(no_mangle)] pub extern "C" fn nvmlInitWithFlags(_: u32) -> u32 { 0 }
#[unsafe(no_mangle)] pub extern "C" fn nvmlShutdown() -> u32 { 0 }
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetCount_v2(count: *mut u32) -> u32 { unsafe { *count = 2 }; 0 }
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetHandleByIndex_v2(index: u32, device: *mut usize) -> u32 {
    unsafe { *device = index as usize + 1 }; 0
}
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetUtilizationRates(device: usize, rates: *mut [u32; 2]) -> u32 {
    unsafe { *rates = [40 + device as u32, 20] }; 0
}
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetMemoryInfo_v2(_: usize, memory: *mut [u64; 5]) -> u32 {
    unsafe { *memory = [2, 80 << 30, 0, 60 << 30, 20 << 30] }; 0
}
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetPowerUsage(_: usize, power: *mut u32) -> u32 {
    unsafe { *power = 312_500 }; 0
}
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvmlDeviceGetClockInfo(_: usize, clock: u32, value: *mut u32) -> u32 {
    unsafe { *value = 1000 + clock }; 0
}
"#;

/// Builds it; none where there is no compiler.
fn library(folder: &Path) -> Option<()> {
    let source = folder.join("nvml.rs");
    std::fs::write(&source, LIBRARY).expect("a file");
    let compiler = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let mut command = Command::new(compiler);
    command.args(["--edition", "2024", "--crate-type", "cdylib", "-C", "panic=abort", "-o"]);
    let built = command.arg(folder.join("libnvidia-ml.so.1")).arg(&source).output();
    match built {
        Ok(output) if output.status.success() => Some(()),
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(error) => {
            eprintln!("SKIPPED: rustc: {error}");
            None
        }
    }
}

#[test]
fn gpus_are_sampled_and_what_they_do_not_tell_is_left_out() {
    let folder = folder("gpu");
    if library(&folder).is_none() {
        return;
    }
    let output = folder.join("gpu.stepscope");
    let mut command = program();
    command.arg("record").arg("-o").arg(&output).args(["--no-summary", "--sample", "50", "--", "sleep", "0.5"]);
    let run = Run::of(command.env("LD_LIBRARY_PATH", &folder));
    assert!(run.err.contains("and 2 GPUs"), "{}", run.err);
    let trace = read(&output);
    for (name, value) in [
        ("GPU utilization (%), device 0", 41.0),
        ("GPU utilization (%), device 1", 42.0),
        ("GPU memory utilization (%), device 0", 20.0),
        ("GPU memory used (MiB), device 1", 20480.0),
        ("GPU power (W), device 0", 312.5),
        ("SM clock (MHz), device 0", 1001.0),
        ("memory clock (MHz), device 0", 1002.0),
    ] {
        let found = values(&trace, "machine", name);
        assert!(!found.is_empty() && found.iter().all(|one| *one == value), "{name}: {found:?}");
    }
    // The library has no such function.
    assert!(values(&trace, "machine", "temperature").is_empty());
}
