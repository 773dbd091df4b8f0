//! NVIDIA's GPUs, by their management library (NVML).

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::{Clock, TemperatureSensor};
use std::ffi::OsStr;

use super::files::mebibytes;
use super::out::Out;

/// The library and the number of GPUs; `None` without the library.
pub(super) struct Gpus(Option<(Nvml, u32)>);

/// GPUs that are sampled at most.
const MOST: u32 = 64;

/// Loads the library: by the name that drivers install, then by the one of development packages.
///
/// # Errors
///
/// If it is not there, or there is no driver.
pub fn open() -> Result<Nvml, nvml_wrapper::error::NvmlError> {
    let first = Nvml::builder().lib_path(OsStr::new("libnvidia-ml.so.1")).init();
    first.or_else(|error| Nvml::builder().lib_path(OsStr::new("libnvidia-ml.so")).init().map_err(|_| error))
}

impl Gpus {
    pub(super) fn open() -> Self {
        let known = open().ok().and_then(|nvml| nvml.device_count().ok().map(|count| (nvml, count.min(MOST))));
        Self(known)
    }

    pub(super) fn len(&self) -> u32 {
        self.0.as_ref().map_or(0, |(_, count)| *count)
    }

    /// Samples all GPUs; values that a GPU does not report are left out.
    pub(super) fn sample(&self, now: u64, out: &mut Out) {
        let Some((nvml, count)) = &self.0 else { return };
        for index in 0..*count {
            let Ok(device) = nvml.device_by_index(index) else { continue };
            let mut put = |name: &str, value: f64| out.put(0, &format!("{name}, device {index}"), now, value);
            if let Ok(utilization) = device.utilization_rates() {
                put("GPU utilization (%)", utilization.gpu.into());
                put("GPU memory utilization (%)", utilization.memory.into());
            }
            if let Ok(memory) = device.memory_info() {
                put("GPU memory used (MiB)", mebibytes(memory.used));
            }
            if let Ok(milliwatts) = device.power_usage() {
                put("GPU power (W)", f64::from(milliwatts) / 1000.0);
            }
            for (name, clock) in [("SM clock (MHz)", Clock::SM), ("memory clock (MHz)", Clock::Memory)] {
                if let Ok(megahertz) = device.clock_info(clock) {
                    put(name, megahertz.into());
                }
            }
            if let Ok(degrees) = device.temperature(TemperatureSensor::Gpu) {
                put("GPU temperature (°C)", degrees.into());
            }
        }
    }
}
