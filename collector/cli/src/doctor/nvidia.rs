//! The injection library, and NVIDIA's libraries that it needs.

use std::path::{Path, PathBuf};

use nvml_wrapper::error::NvmlError;

use super::check::Check;
use super::root::Root;
use super::system;
use crate::record::environment::{LIBRARY_VARIABLE, library};

/// The version of the C interface that belongs to this program; a test compares it with the header's.
const ABI: u32 = 5;

/// The injection library: whether it is there, can be loaded, and is no older than this program.
pub(super) fn injection() -> Check {
    let (id, title) = ("injection", "injection library");
    let variable = std::env::var_os(LIBRARY_VARIABLE);
    let Some(path) = library(variable.clone()) else {
        let place = variable.map_or_else(
            || "neither beside this program nor in ../lib".to_owned(),
            |path| format!("{LIBRARY_VARIABLE} says {}, where there is none", path.to_string_lossy()),
        );
        let fix = format!(
            "put libstepscope_inject.so beside this program, or set {LIBRARY_VARIABLE}; without it there are neither NVTX ranges nor CUDA activity"
        );
        return Check::missing(id, title, place, fix);
    };
    match system::load(&path, Some(c"InitializeInjectionNvtx2")) {
        Ok(()) if system::abi_version(&path).is_none_or(|version| version < ABI) => {
            let fix = format!("take the library of this program's version ({})", env!("CARGO_PKG_VERSION"));
            let found =
                format!("{}: too old for this program and its Python package, which records nothing", path.display());
            Check::limited(id, title, found, fix)
        }
        Ok(()) => Check::ok(id, title, path.display().to_string()),
        Err(error) => {
            let fix = "programs would ignore it without a word. `version GLIBC_… not found` means that it was built on a newer system than this";
            Check::missing(id, title, format!("{}: {error}", path.display()), fix)
        }
    }
}

pub(super) fn checks(root: &Root, packages: &[PathBuf]) -> Vec<Check> {
    let driver = root.text("/proc/driver/nvidia/version");
    let mut checks = vec![self::driver(root, driver.as_deref()), cupti(root, packages)];
    if driver.is_some() {
        checks.push(counters(root));
    }
    checks.push(nvml(root));
    checks
}

fn driver(root: &Root, version: Option<&str>) -> Check {
    let (id, title) = ("cuda_driver", "CUDA driver");
    let Some(version) = version else {
        let fix = "no GPU of NVIDIA's is used without it; in a container: docker --gpus all";
        return Check::missing(id, title, "no /proc/driver/nvidia", fix);
    };
    let version = version.lines().next().unwrap_or_default().trim_start_matches("NVRM version:").trim().to_owned();
    let loaded = if root.is_here() { system::load(Path::new("libcuda.so.1"), None) } else { Ok(()) };
    match loaded {
        Ok(()) => Check::ok(id, title, version),
        Err(error) => Check::limited(
            id,
            title,
            format!("{version}; {error}"),
            "in a container: NVIDIA_DRIVER_CAPABILITIES must have `compute` (and `utility` for NVML)",
        ),
    }
}

/// Checks for CUPTI, first for the copies that frameworks include.
fn cupti(root: &Root, packages: &[PathBuf]) -> Check {
    let (id, title) = ("cupti", "CUPTI");
    let mut folders: Vec<PathBuf> = Vec::new();
    for package in packages {
        folders.extend(["nvidia/cuda_cupti/lib", "nvidia/cu13/lib"].map(|folder| package.join(folder)));
    }
    let toolkits = std::fs::read_dir(root.path("/usr/local")).into_iter().flatten().flatten();
    let mut toolkits: Vec<PathBuf> = toolkits
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("cuda"))
        .map(|entry| entry.path())
        .collect();
    toolkits.sort();
    for toolkit in toolkits.iter().rev() {
        folders.extend(["extras/CUPTI/lib64", "lib64"].map(|folder| toolkit.join(folder)));
    }
    folders
        .extend(["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"].map(|path| root.path(path)));
    let mut found = Vec::new();
    for folder in folders {
        let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = files.map(|file| file.path()).collect();
        files.retain(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libcupti.so")));
        files.sort();
        // The longest name has the version.
        if let Some(file) = files.pop() {
            let real = file.canonicalize().unwrap_or(file);
            if !found.contains(&real) {
                found.push(real);
            }
        }
    }
    if found.is_empty() {
        let fix = "pip install nvidia-cuda-cupti-cu12 (or nvidia-cuda-cupti for CUDA 13), which PyTorch brings along; or the CUDA toolkit";
        return Check::missing(id, title, "no libcupti.so", fix);
    }
    let names: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
    Check::ok(id, title, names.join(", "))
}

/// Access to hardware counters: the driver's parameter that makes CUPTI report `ERR_NVGPUCTRPERM`.
fn counters(root: &Root) -> Check {
    const CAP_SYS_ADMIN: u32 = 21;
    let (id, title) = ("gpu_counters", "GPU's hardware counters");
    let parameters = root.text("/proc/driver/nvidia/params").unwrap_or_default();
    let value =
        |name: &str| parameters.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim);
    // The module's parameter is shown under the name that the resource manager has for it.
    let restricted = ["RmProfilingAdminOnly", "RestrictProfilingToAdminUsers"].into_iter().find_map(value) != Some("0");
    let status = root.text("/proc/self/status").unwrap_or_default();
    let effective = status.lines().find_map(|line| line.strip_prefix("CapEff:"));
    let effective = effective.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or_default();
    match (restricted, effective >> CAP_SYS_ADMIN & 1 == 1) {
        (false, _) => Check::ok(id, title, "for all users"),
        (true, true) => Check::ok(id, title, "for administrators, which this is"),
        (true, false) => Check::limited(
            id,
            title,
            "for administrators only (ERR_NVGPUCTRPERM); kernels and copies are recorded nevertheless",
            "`options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d/nvidia.conf, then reload the \
             module or restart\nin a container: docker --cap-add SYS_ADMIN",
        ),
    }
}

/// Reason for missing samples of GPUs. The loader's own message would name unexpected files.
fn why_no_nvml(error: &NvmlError) -> String {
    match error {
        NvmlError::LibloadingError(cause) => {
            let cause = cause.to_string();
            // Otherwise it exists, but one of its dependencies does not.
            if cause.starts_with("libnvidia-ml.so") && cause.contains("No such file") {
                return "libnvidia-ml.so.1 was not found: no driver of NVIDIA's, so no samples of GPUs".to_owned();
            }
            format!("libnvidia-ml.so.1 cannot be loaded, so no samples of GPUs: {cause}")
        }
        error => format!("{error}: no samples of GPUs"),
    }
}

fn nvml(root: &Root) -> Check {
    let (id, title) = ("nvml", "GPU samples (NVML)");
    if !root.is_here() {
        return Check::limited(id, title, "not looked for: these are another machine's files", "run doctor there");
    }
    match stepscope_collector::sample::open_nvml() {
        Ok(nvml) => {
            let count = nvml.device_count().unwrap_or_default();
            let driver = nvml.sys_driver_version().unwrap_or_default();
            Check::ok(id, title, format!("{count} GPUs, driver {driver}"))
        }
        Err(error) => {
            let fix =
                "libnvidia-ml.so.1 comes with the driver; in a container: NVIDIA_DRIVER_CAPABILITIES with `utility`";
            Check::missing(id, title, why_no_nvml(&error), fix)
        }
    }
}
