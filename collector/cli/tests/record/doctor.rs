//! `stepscope doctor` on machines: copies of some of their files.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::{Run, folder, program};

/// Files of a machine on which all is well.
const GOOD: [(&str, &str); 15] = [
    ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
    ("proc/pressure/cpu", "some avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
    ("proc/self/schedstat", "1 2 3\n"),
    ("proc/self/children", ""),
    ("proc/self/status", "Name:\tsh\nCapEff:\t0000000000000000\n"),
    ("proc/self/cgroup", "0::/job/one\n"),
    ("proc/mounts", "proc /proc proc rw,nosuid 0 0\n/dev/sda / ext4 rw 0 0\n"),
    ("proc/sys/kernel/perf_event_paranoid", "1\n"),
    ("proc/sys/kernel/yama/ptrace_scope", "1\n"),
    ("proc/1/cgroup", "0::/init.scope\n"),
    ("etc/os-release", "NAME=x\nPRETTY_NAME=\"Test Linux 1\"\n"),
    ("proc/sys/kernel/osrelease", "6.1.0-test\n"),
    ("proc/cpuinfo", "processor\t: 0\nprocessor\t: 1\n"),
    ("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54  x\nGCC\n"),
    ("proc/driver/nvidia/params", "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 0\n"),
];

fn machine(test: &str, changes: &[(&str, &str)]) -> std::path::PathBuf {
    let root = folder(test);
    for (path, text) in GOOD.iter().chain(changes) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    std::fs::create_dir_all(root.join("dev/shm")).expect("a folder");
    std::fs::create_dir_all(root.join("usr/local/cuda-12.4/extras/CUPTI/lib64")).expect("a folder");
    std::fs::write(root.join("usr/local/cuda-12.4/extras/CUPTI/lib64/libcupti.so.2024.1.1"), "").expect("a file");
    root
}

/// The state of each check, with what was found and the fix.
fn looked(root: &Path) -> impl Fn(&str) -> (String, String) + use<> {
    let run = Run::of(program().args(["doctor", "--json", "--root"]).arg(root));
    assert_eq!(run.code, Some(0), "{}", run.err);
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}", run.out));
    assert_eq!(report["schema"], "stepscope.doctor/1");
    move |id: &str| {
        let checks = report["checks"].as_array().expect("checks");
        let check = checks.iter().find(|check| check["id"] == id).unwrap_or_else(|| panic!("no {id}: {report}"));
        let text = |key: &str| check[key].as_str().unwrap_or_default().to_owned();
        assert!(text("state") == "ok" || !text("fix").is_empty(), "{id}: what is not well has a way out");
        (text("state"), format!("{} {}", text("found"), text("fix")))
    }
}

const IDS: [&str; 12] = [
    "clock",
    "pressure",
    "thread_times",
    "process_tree",
    "other_processes",
    "perf_events",
    "ptrace",
    "container",
    "processor_limit",
    "memory_limit",
    "gpu_counters",
    "cupti",
];

#[test]
fn a_good_machine_is_well() {
    let check = looked(&machine("doctor-good", &[]));
    for id in IDS {
        assert_eq!(check(id).0, "ok", "{id}: {}", check(id).1);
    }
    assert!(check("cupti").1.contains("libcupti.so.2024.1.1"), "{}", check("cupti").1);
    assert!(check("cuda_driver").1.contains("550.54"));
}

/// A report of a problem begins with the version and the system.
#[test]
fn the_version_and_the_system_come_first() {
    let run = Run::of(program().args(["doctor", "--root"]).arg(machine("doctor-system", &[])));
    let arch = std::env::consts::ARCH;
    let first = format!("stepscope {} on Test Linux 1, Linux 6.1.0-test, {arch}", env!("CARGO_PKG_VERSION"));
    assert_eq!(run.out.lines().next(), Some(first.as_str()));
}

#[test]
fn each_trouble_is_told_with_what_to_do() {
    let root = machine(
        "doctor-bad",
        &[
            ("sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n"),
            ("proc/pressure/cpu", ""),
            ("proc/self/schedstat", ""),
            ("proc/mounts", "proc /proc proc rw,hidepid=invisible 0 0\nserver:/x / nfs4 rw 0 0\n"),
            ("proc/sys/kernel/perf_event_paranoid", "4\n"),
            ("proc/sys/kernel/yama/ptrace_scope", "3\n"),
            ("proc/1/cgroup", "0::/kubepods/pod1\n"),
            ("sys/fs/cgroup/job/one/cpu.max", "max 100000\n"),
            ("sys/fs/cgroup/job/cpu.max", "150000 100000\n"),
            ("sys/fs/cgroup/job/one/memory.max", "1073741824\n"),
            ("proc/driver/nvidia/params", "RmProfilingAdminOnly: 1\n"),
        ],
    );
    std::fs::remove_file(root.join("proc/self/children")).expect("it was there");
    std::fs::remove_dir_all(root.join("usr")).expect("it was there");
    let check = looked(&root);
    for (id, state, part) in [
        ("clock", "limited", "hpet"),
        ("pressure", "missing", "psi=1"),
        ("thread_times", "limited", "CONFIG_SCHED_INFO"),
        ("process_tree", "limited", "CONFIG_PROC_CHILDREN"),
        ("other_processes", "limited", "hidepid=invisible"),
        ("perf_events", "limited", "is 4"),
        ("ptrace", "limited", "is 3"),
        ("container", "limited", "kubepods"),
        ("processor_limit", "limited", "1.50 of 2"),
        ("memory_limit", "limited", "1.00 GiB"),
        ("gpu_counters", "limited", "ERR_NVGPUCTRPERM"),
        ("output", "limited", "--temporary"),
    ] {
        let (found, text) = check(id);
        assert!(found == state && text.contains(part), "{id}: {found}, {text}");
    }
    // Root may read counters whatever the parameter says.
    std::fs::write(root.join("proc/self/status"), "CapEff:\t000001ffffffffff\n").expect("a file");
    assert_eq!(looked(&root)("gpu_counters").0, "ok");
}

#[test]
fn this_machine_is_looked_at() {
    let folder = folder("doctor-here");
    let library = folder.join("libstepscope_inject.so");
    std::fs::write(&library, "no library").expect("a file");
    let run = Run::of(program().arg("doctor").env("STEPSCOPE_LIBRARY", &library));
    assert_eq!(run.code, Some(0), "{}", run.err);
    assert!(run.out.contains("missing  injection library: ") && run.out.contains(" ok, "), "{}", run.out);
    // Where NVIDIA's library is, it is another line.
    let nvml = run.out.lines().find(|line| line.contains("GPU samples (NVML): ")).expect("a line about NVML");
    assert!(!nvml.contains("libloading"), "{nvml}");
    if nvml.starts_with("missing") && !nvml.contains("cannot be loaded") {
        let told = "libnvidia-ml.so.1 was not found: no driver of NVIDIA's, so no samples of GPUs";
        assert!(nvml.ends_with(told), "{nvml}");
    }
    assert!(["C library", "recordings' folder", "/dev/shm"].iter().all(|part| run.out.contains(part)), "{}", run.out);
}

/// A library that is too old for the program is reported.
#[test]
fn an_old_injection_library_is_told_of() {
    let folder = folder("doctor-old");
    let (source, library) = (folder.join("old.c"), folder.join("libstepscope_inject.so"));
    let text = "int InitializeInjectionNvtx2(void) { return 0; } unsigned stepscope_abi_version(void) { return 1; }";
    std::fs::write(&source, text).expect("a file");
    let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
    if !compiled.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: there is no C compiler");
        return;
    }
    let run = Run::of(program().arg("doctor").env("STEPSCOPE_LIBRARY", &library));
    assert!(run.out.contains("\n\nlimited  injection library: ") && run.out.contains("too old"), "{}", run.out);
}

/// Header, library, program and Python package agree on the interface's version.
#[test]
fn the_c_interface_has_one_version() {
    let collector = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the collector");
    for (path, before) in [
        ("inject/include/stepscope.h", "#define STEPSCOPE_ABI_VERSION "),
        ("inject/src/c_api/recording.rs", "const ABI: u32 = "),
        ("cli/src/doctor/nvidia.rs", "const ABI: u32 = "),
        ("python/stepscope/_library.py", "_ABI = "),
    ] {
        let text = std::fs::read_to_string(collector.join(path)).expect(path);
        let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("{path}: no {before}"));
        let number: String = rest.chars().take_while(char::is_ascii_digit).collect();
        assert_eq!(number, "5", "{path}");
    }
}
