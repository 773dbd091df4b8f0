//! Devices: what one can do at most, and what one multiprocessor holds. A small table with its sources, since traces tell
//! of a device's limits only in part, and of its peaks not at all.

mod limits;
mod table;

pub use limits::SmLimits;
use table::MODELS;

use crate::trace::{Device, Trace};

/// The most a device can do, from its data sheet: without sparsity, at boost clock.
///
/// Rates are 10¹² floating-point operations per second, and zero where there is no such unit or nobody tells. Bandwidth
/// is in GB/s (10⁹ bytes).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peaks {
    /// The device's own memory.
    pub memory: f64,
    /// The link to the host, in one direction.
    pub link: f64,
    /// FP64 on ordinary cores.
    pub fp64: f64,
    /// FP64 on tensor (matrix) cores.
    pub fp64_matrix: f64,
    /// FP32 on ordinary cores.
    pub fp32: f64,
    /// FP32 inputs on tensor cores: TF32 at NVIDIA, FP32 at AMD.
    pub fp32_matrix: f64,
    /// FP16 and BF16 on tensor cores, with sums in FP32.
    pub half_matrix: f64,
    /// FP8 on tensor cores.
    pub fp8_matrix: f64,
}

/// A model of device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceModel {
    /// What people call it.
    pub name: &'static str,
    /// What its name in a trace contains, case-insensitive: all of it.
    signs: &'static [&'static str],
    /// The memory in GB that it has at least; 0 where that tells nothing.
    memory_from: u64,
    /// Its multiprocessors, where that tells it apart; else 0.
    multiprocessors: u32,
    /// What it can do.
    pub peaks: Peaks,
    /// Where that stands.
    pub source: &'static str,
}

/// The kind of numbers that an operator computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// 64 bits.
    Fp64,
    /// 32 bits; on tensor cores, whatever those make of them.
    Fp32,
    /// 16 bits, of either kind.
    Half,
    /// 8 bits.
    Fp8,
}

impl Peaks {
    /// The peak of a precision in FLOP per ns; `None` if unknown.
    ///
    /// 16 and 8 bits are computed with on tensor cores wherever somebody cares for speed: there is no other peak.
    #[must_use]
    pub fn of(&self, precision: Precision, tensor_cores: bool) -> Option<f64> {
        let tera = match (precision, tensor_cores) {
            (Precision::Fp64, false) => self.fp64,
            (Precision::Fp64, true) => self.fp64_matrix,
            (Precision::Fp32, false) => self.fp32,
            (Precision::Fp32, true) => self.fp32_matrix,
            (Precision::Half, _) => self.half_matrix,
            (Precision::Fp8, _) => self.fp8_matrix,
        };
        // 10¹² per second are 10³ per ns.
        (tera > 0.0).then_some(tera * 1e3)
    }
}

impl DeviceModel {
    /// The model of a device by its name and what else the trace tells of it; `None` if the table does not have it.
    ///
    /// ```
    /// use stepscope::analyze::DeviceModel;
    /// use stepscope::trace::Device;
    ///
    /// let named = |name: &str| DeviceModel::of(&Device { name: name.to_owned(), ..Device::default() });
    /// assert_eq!(named("NVIDIA H100 PCIe").map(|model| model.name), Some("H100 PCIe"));
    /// assert_eq!(named("NVIDIA H100 80GB HBM3").map(|model| model.name), Some("H100 SXM"));
    /// assert_eq!(named("Quadro of tomorrow"), None);
    /// ```
    #[must_use]
    pub fn of(device: &Device) -> Option<&'static Self> {
        let name = device.name.to_ascii_lowercase();
        // Words, so that `L40S` is no `L4` and `A100` no `A10`.
        let has = |sign: &&str| {
            sign.split(' ')
                .all(|word| name.split(|letter: char| !letter.is_ascii_alphanumeric()).any(|one| one == word))
        };
        let fits = |model: &&Self| {
            model.signs.iter().all(has)
                && device.memory_bytes.is_none_or(|bytes| bytes >= model.memory_from * 1_000_000_000)
                && (model.multiprocessors == 0 || device.multiprocessors == Some(model.multiprocessors))
        };
        MODELS.iter().find(fits)
    }
}

/// The device of that number, as the trace lists it. Some producers list the devices that a process sees by other numbers
/// than those at which they worked: of devices that are all of one kind, one tells of any.
pub(super) fn device_of(trace: &Trace, id: i64) -> Option<&Device> {
    let devices = &trace.meta.devices;
    let first = devices.first()?;
    let alike = || devices.iter().all(|other| Device { id: first.id, ..other.clone() } == *first);
    devices.iter().find(|device| device.id == id).or_else(|| alike().then_some(first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str, gigabytes: u64, multiprocessors: u32) -> Option<&'static str> {
        let device = Device {
            name: name.to_owned(),
            memory_bytes: Some(gigabytes * 1_000_000_000),
            multiprocessors: Some(multiprocessors),
            ..Device::default()
        };
        DeviceModel::of(&device).map(|model| model.name)
    }

    #[test]
    fn names_as_drivers_give_them() {
        let known = [
            ("Tesla V100-SXM2-16GB", 16, 80, "V100 SXM2"),
            ("Tesla V100-PCIE-32GB", 34, 80, "V100 PCIe"),
            ("Tesla T4", 15, 40, "T4"),
            ("NVIDIA A100-SXM4-40GB", 42, 108, "A100 40GB"),
            ("NVIDIA A100-PG509-200", 42, 108, "A100 40GB"),
            ("NVIDIA A100-SXM4-80GB", 84, 108, "A100 80GB SXM"),
            ("NVIDIA A100 80GB PCIe", 84, 108, "A100 80GB PCIe"),
            ("NVIDIA A10", 23, 72, "A10"),
            ("NVIDIA H100 80GB HBM3", 85, 132, "H100 SXM"),
            ("NVIDIA H100 NVL", 99, 132, "H100 NVL"),
            ("NVIDIA H200", 150, 132, "H200"),
            ("NVIDIA B200", 191, 148, "B200"),
            ("NVIDIA L4", 23, 58, "L4"),
            ("NVIDIA L40S", 47, 142, "L40S"),
            ("NVIDIA GeForce RTX 3090", 25, 82, "RTX 3090"),
            ("NVIDIA GeForce RTX 4090", 25, 128, "RTX 4090"),
            ("AMD Instinct MI210", 68, 104, "MI210"),
            ("AMD Instinct MI250X", 68, 110, "MI250X (one die)"),
            ("AMD Instinct MI300X VF", 205, 304, "MI300X"),
        ];
        for (name, gigabytes, multiprocessors, expected) in known {
            assert_eq!(model(name, gigabytes, multiprocessors), Some(expected), "{name}");
        }
        for name in ["NVIDIA A1000", "AMD Radeon Graphics", "Ascend", "NVIDIA GeForce RTX 4090 Laptop GPU", ""] {
            assert_eq!(model(name, 24, 16), None, "{name}");
        }
    }

    #[test]
    fn a_device_that_is_listed_by_another_number_is_one_of_those() {
        let listed = |names: &[&str]| {
            let devices: Vec<String> =
                names.iter().enumerate().map(|(id, name)| format!(r#"{{"id": {id}, "name": "{name}"}}"#)).collect();
            let text = format!(
                r#"{{"deviceProperties": [{}], "traceEvents": [{{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":1}}]}}"#,
                devices.join(", ")
            );
            let mut loader = crate::input::Loader::new("devices.json");
            loader.space(text.len()).copy_from_slice(text.as_bytes());
            loader.advance(text.len()).expect("a trace");
            loader.finish().expect("a trace").trace
        };
        let name = |trace: &Trace, id| device_of(trace, id).map(|device| device.name.clone());
        assert_eq!(name(&listed(&["MI300X"]), 2).as_deref(), Some("MI300X"));
        assert_eq!(name(&listed(&["A100", "A100"]), 7).as_deref(), Some("A100"));
        let mixed = listed(&["A100", "T4"]);
        assert_eq!((name(&mixed, 1).as_deref(), name(&mixed, 7), name(&listed(&[]), 0)), (Some("T4"), None, None));
    }

    #[test]
    fn each_peak_is_plausible_and_has_a_source() {
        for model in MODELS {
            let Peaks { memory, link, fp64, fp64_matrix, fp32, fp32_matrix, half_matrix, fp8_matrix } = model.peaks;
            assert!(model.source.len() > 20, "{} has no source", model.name);
            assert!(model.signs.iter().all(|sign| **sign == sign.to_ascii_lowercase()), "{}", model.name);
            assert!((200.0..10_000.0).contains(&memory) && link < memory, "{}", model.name);
            for rate in [fp64, fp64_matrix, fp32, fp32_matrix, half_matrix, fp8_matrix] {
                assert!((0.0..5_000.0).contains(&rate), "{}", model.name);
            }
            assert!(half_matrix > fp32 && (fp8_matrix < 1.0 || fp8_matrix > half_matrix), "{}", model.name);
        }
    }
}
