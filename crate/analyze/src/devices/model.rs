//! A model of device, and its peaks.

use super::Precision;

/// Peaks of a device from its data sheet: without sparsity, at boost clock.
///
/// Rates are 10¹² floating-point operations per second, and zero where there is no such unit or no source gives the
/// rate. Bandwidth is in GB/s (10⁹ bytes).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peaks {
    /// The device's own memory.
    pub memory: f64,
    /// The link to the host, in one direction.
    pub link: f64,
    /// FP64 on ordinary cores.
    pub fp64: f64,
    /// FP64 on matrix units: tensor cores at NVIDIA, matrix cores at AMD.
    pub fp64_matrix: f64,
    /// FP32 on ordinary cores.
    pub fp32: f64,
    /// FP32 on matrix units, with all its bits.
    pub fp32_matrix: f64,
    /// FP32 inputs rounded to TF32 (AMD: xf32) on matrix units.
    pub tf32_matrix: f64,
    /// FP16 and BF16 on matrix units, with sums in FP32.
    pub half_matrix: f64,
    /// FP8 on matrix units.
    pub fp8_matrix: f64,
    /// FP4 on matrix units.
    pub fp4_matrix: f64,
    /// INT8 on matrix units, in 10¹² operations per second.
    pub int8_matrix: f64,
}

/// A model of device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceModel {
    /// Its name.
    pub name: &'static str,
    /// The words in its name in a trace, case-insensitive. All entries must match; an entry matches if all words of one
    /// of its alternatives (`|`) are there.
    pub(super) signs: &'static [&'static str],
    /// The least memory of the model in GB; 0 where the memory does not identify it.
    pub(super) memory_from: u64,
    /// Its multiprocessors, where they identify it; else 0.
    pub(super) multiprocessors: u32,
    /// Its peaks and limits.
    pub peaks: Peaks,
    /// The source of these numbers.
    pub source: &'static str,
}

impl Peaks {
    /// The numbers that make products in FP32 shorter, where the accuracy allows them: TF32 where it is faster and a switch of the
    /// framework turns it on, else 16 bits. AMD's xf32 needs more than that switch.
    #[must_use]
    pub fn instead_of_fp32(&self) -> Option<Precision> {
        if self.fp32_matrix == 0.0 && self.tf32_matrix > self.fp32 {
            return Some(Precision::Tf32);
        }
        (self.half_matrix > self.fp32.max(self.fp32_matrix)).then_some(Precision::Half)
    }

    /// The peak of a precision in FLOP per ns; `None` if unknown.
    ///
    /// Peaks of 16 bits and fewer are those of matrix units: there is no other peak. FP32 on matrix units is FP32 where
    /// the device has that, else TF32.
    #[must_use]
    pub fn of(&self, precision: Precision, matrix_units: bool) -> Option<f64> {
        let tera = match (precision, matrix_units) {
            (Precision::Fp64, false) => self.fp64,
            (Precision::Fp64, true) => self.fp64_matrix,
            (Precision::Fp32, false) => self.fp32,
            (Precision::Fp32, true) if self.fp32_matrix > 0.0 => self.fp32_matrix,
            (Precision::Fp32, true) | (Precision::Tf32, _) => self.tf32_matrix,
            (Precision::Half, _) => self.half_matrix,
            (Precision::Fp8, _) => self.fp8_matrix,
            (Precision::Fp4, _) => self.fp4_matrix,
            (Precision::Int8, _) => self.int8_matrix,
        };
        // 10¹² per second are 10³ per ns.
        (tera > 0.0).then_some(tera * 1e3)
    }

    /// The most FLOP per ns of ordinary cores with a precision: faster work uses matrix units. `None` if unknown.
    ///
    /// With 16 bits and fewer, no device's ordinary cores are more than four times as fast as with 32.
    #[must_use]
    pub fn of_ordinary_cores(&self, precision: Precision) -> Option<f64> {
        let tera = match precision {
            Precision::Fp64 => self.fp64,
            Precision::Fp32 | Precision::Tf32 => self.fp32,
            _ => 4.0 * self.fp32,
        };
        (tera > 0.0).then_some(tera * 1e3)
    }
}
