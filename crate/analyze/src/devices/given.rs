//! Peaks that the user gives, in place of the table's.

use super::model::{DeviceModel, Peaks};
use stepscope_base::CompactSort;
use stepscope_trace::Device;

/// The kind of a peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PeakKind {
    /// Memory bandwidth in GB/s.
    Memory,
    /// Bandwidth of the link to the host in GB/s, in one direction.
    Link,
    /// FP64 on ordinary cores, in TFLOP/s like all that follow.
    Fp64,
    /// FP64 on matrix units.
    Fp64Matrix,
    /// FP32 on ordinary cores.
    Fp32,
    /// FP32 on matrix units.
    Fp32Matrix,
    /// TF32 (xf32) on matrix units.
    Tf32Matrix,
    /// FP16 and BF16 on matrix units.
    HalfMatrix,
    /// FP8 on matrix units.
    Fp8Matrix,
    /// FP4 on matrix units.
    Fp4Matrix,
    /// INT8 on matrix units.
    Int8Matrix,
}

impl PeakKind {
    /// All kinds, with their names in JSON and on the command line.
    pub const ALL: [(Self, &'static str); 11] = [
        (Self::Memory, "memory"),
        (Self::Link, "link"),
        (Self::Fp64, "fp64"),
        (Self::Fp64Matrix, "fp64_matrix"),
        (Self::Fp32, "fp32"),
        (Self::Fp32Matrix, "fp32_matrix"),
        (Self::Tf32Matrix, "tf32_matrix"),
        (Self::HalfMatrix, "half_matrix"),
        (Self::Fp8Matrix, "fp8_matrix"),
        (Self::Fp4Matrix, "fp4_matrix"),
        (Self::Int8Matrix, "int8_matrix"),
    ];

    /// Other names that the user may write.
    const ALIASES: [(&'static str, Self); 9] = [
        ("hbm", Self::Memory),
        ("pcie", Self::Link),
        ("tf32", Self::Tf32Matrix),
        ("bf16", Self::HalfMatrix),
        ("fp16", Self::HalfMatrix),
        ("half", Self::HalfMatrix),
        ("fp8", Self::Fp8Matrix),
        ("fp4", Self::Fp4Matrix),
        ("int8", Self::Int8Matrix),
    ];

    /// Returns the kind with that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let own = Self::ALL.iter().find(|(_, own)| *own == name).map(|(kind, _)| *kind);
        own.or_else(|| Self::ALIASES.iter().find(|(alias, _)| *alias == name).map(|(_, kind)| *kind))
    }

    /// Returns the peak of this kind.
    #[must_use]
    pub fn of(self, peaks: &Peaks) -> f64 {
        match self {
            Self::Memory => peaks.memory,
            Self::Link => peaks.link,
            Self::Fp64 => peaks.fp64,
            Self::Fp64Matrix => peaks.fp64_matrix,
            Self::Fp32 => peaks.fp32,
            Self::Fp32Matrix => peaks.fp32_matrix,
            Self::Tf32Matrix => peaks.tf32_matrix,
            Self::HalfMatrix => peaks.half_matrix,
            Self::Fp8Matrix => peaks.fp8_matrix,
            Self::Fp4Matrix => peaks.fp4_matrix,
            Self::Int8Matrix => peaks.int8_matrix,
        }
    }

    fn set(self, peaks: &mut Peaks, value: f64) {
        let place = match self {
            Self::Memory => &mut peaks.memory,
            Self::Link => &mut peaks.link,
            Self::Fp64 => &mut peaks.fp64,
            Self::Fp64Matrix => &mut peaks.fp64_matrix,
            Self::Fp32 => &mut peaks.fp32,
            Self::Fp32Matrix => &mut peaks.fp32_matrix,
            Self::Tf32Matrix => &mut peaks.tf32_matrix,
            Self::HalfMatrix => &mut peaks.half_matrix,
            Self::Fp8Matrix => &mut peaks.fp8_matrix,
            Self::Fp4Matrix => &mut peaks.fp4_matrix,
            Self::Int8Matrix => &mut peaks.int8_matrix,
        };
        *place = value;
    }
}

/// Peaks that the user gives. They replace those of the table of devices, for all devices.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenPeaks(Vec<(PeakKind, f64)>);

impl GivenPeaks {
    /// Gives a peak: TFLOP/s or GB/s. Returns whether the value is a positive number; others change nothing.
    pub fn give(&mut self, kind: PeakKind, value: f64) -> bool {
        let is_rate = value.is_finite() && value > 0.0;
        if is_rate {
            self.0.retain(|(other, _)| *other != kind);
            self.0.push((kind, value));
            self.0.compact_sort_by_key(|(kind, _)| *kind);
        }
        is_rate
    }

    /// Reads peaks such as `bf16=989,hbm=3350`: TFLOP/s and GB/s.
    ///
    /// ```
    /// use stepscope::analyze::{GivenPeaks, PeakKind};
    ///
    /// let given = GivenPeaks::named("bf16=989, hbm=3350").expect("two peaks");
    /// assert_eq!(given.list(), [(PeakKind::Memory, 3350.0), (PeakKind::HalfMatrix, 989.0)]);
    /// assert_eq!(GivenPeaks::named("bf16=fast"), Err("bf16=fast"));
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the part that is not `NAME=NUMBER` with a known name and a positive number.
    pub fn named(text: &str) -> Result<Self, &str> {
        let mut given = Self::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').ok_or(part)?;
            let kind = PeakKind::named(name).ok_or(part)?;
            let value = value.trim().parse().map_err(|_| part)?;
            if !given.give(kind, value) {
                return Err(part);
            }
        }
        Ok(given)
    }

    /// Adds other given peaks; the others take precedence.
    pub fn extend(&mut self, other: &Self) {
        for (kind, value) in &other.0 {
            self.give(*kind, *value);
        }
    }

    /// The given peaks, by kind.
    #[must_use]
    pub fn list(&self) -> &[(PeakKind, f64)] {
        &self.0
    }

    /// Returns the peaks of a device: those of its model, replaced by given ones. `None` if there are neither.
    #[must_use]
    pub fn of_device(&self, device: Option<&Device>) -> Option<Peaks> {
        let model = device.and_then(DeviceModel::of);
        if model.is_none() && self.0.is_empty() {
            return None;
        }
        let mut peaks = model.map(|model| model.peaks).unwrap_or_default();
        for (kind, value) in &self.0 {
            kind.set(&mut peaks, *value);
        }
        Some(peaks)
    }
}
