//! Devices: their peaks, and the limits of a multiprocessor. A small table with its sources, since traces contain a
//! device's limits only in part, and no peaks.

mod given;
mod limits;
mod model;
mod table;
mod vendor;

pub use self::model::{DeviceModel, Peaks};
pub use given::{GivenPeaks, PeakKind};
pub use limits::SmLimits;
pub use vendor::Vendor;

use stepscope_trace::{Device, Trace};

/// The format of numbers that an operator computes with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// 64 bits.
    Fp64,
    /// 32 bits.
    Fp32,
    /// 32 bits of which matrix units use 19.
    Tf32,
    /// 16 bits, of either kind.
    Half,
    /// 8 bits.
    Fp8,
    /// 4 bits.
    Fp4,
    /// Integers of 8 bits.
    Int8,
}

impl Precision {
    /// Whether numbers have 16 bits or fewer.
    #[must_use]
    pub fn is_short(self) -> bool {
        matches!(self, Self::Half | Self::Fp8 | Self::Fp4 | Self::Int8)
    }
}

/// The device with that number in the trace's list. Some producers list the devices that a process sees by other
/// numbers than those at which they worked: if all devices are alike, any of them is returned.
pub(super) fn device_of(trace: &Trace, id: i64) -> Option<&Device> {
    let devices = &trace.meta.devices;
    let first = devices.first()?;
    let alike = || devices.iter().all(|other| Device { id: first.id, ..other.clone() } == *first);
    devices.iter().find(|device| device.id == id).or_else(|| alike().then_some(first))
}

#[cfg(test)]
mod tests {
    use super::table::MODELS;
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
            ("AMD Instinct MI355X", 309, 256, "MI355X"),
            ("NVIDIA GB200", 198, 152, "GB200"),
            ("NVIDIA GH200 480GB", 102, 132, "GH200"),
            ("Tesla V100S-PCIE-32GB", 34, 80, "V100S PCIe"),
            ("NVIDIA H20", 102, 78, "H20"),
            ("Ascend910", 32, 32, "Ascend 910"),
            ("Ascend 910A", 32, 32, "Ascend 910"),
            ("Ascend910_9392", 64, 24, "Ascend 910C (one die)"),
            ("Ascend910B2C", 64, 24, "Ascend 910B2C"),
            ("NVIDIA B300 SXM6 AC", 288, 148, "B300"),
            ("NVIDIA L40", 48, 142, "L40"),
            ("NVIDIA L20", 48, 92, "L20"),
            ("HL-225", 96, 24, "Gaudi 2"),
            ("Intel Gaudi 3", 128, 64, "Gaudi 3"),
            ("TPU v4", 32, 2, "TPU v4"),
            ("TPU v5 lite", 16, 1, "TPU v5e"),
            ("TPU v5", 95, 2, "TPU v5p"),
            ("TPU v6 lite", 32, 1, "TPU v6e"),
        ];
        for (name, gigabytes, multiprocessors, expected) in known {
            assert_eq!(model(name, gigabytes, multiprocessors), Some(expected), "{name}");
        }
        // An Ascend 910B has variants by its number, and no data sheet gives the peaks of most.
        for name in [
            "Ascend910B",
            "Ascend910B2",
            "TPU",
            "NVIDIA A1000",
            "AMD Radeon Graphics",
            "Ascend",
            "NVIDIA GeForce RTX 4090 Laptop GPU",
            "",
        ] {
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
            let mut loader = stepscope_input::Loader::new("devices.json");
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
            let Peaks { memory, link, fp32, half_matrix, fp8_matrix, .. } = model.peaks;
            assert!(model.source.len() > 20, "{} has no source", model.name);
            assert!(model.signs.iter().all(|sign| **sign == sign.to_ascii_lowercase()), "{}", model.name);
            assert!(memory < 1.0 || ((200.0..=8_000.0).contains(&memory) && link < memory), "{}", model.name);
            for (kind, name) in PeakKind::ALL {
                assert!((0.0..=14_000.0).contains(&kind.of(&model.peaks)), "{} {name}", model.name);
            }
            assert!(half_matrix > fp32 && (fp8_matrix < 1.0 || fp8_matrix >= half_matrix), "{}", model.name);
        }
    }
}
