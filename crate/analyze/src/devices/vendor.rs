//! Makers of devices: they decide the names of units.

use super::model::DeviceModel;
use stepscope_trace::{Device, Trace};

/// A maker of devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Vendor {
    /// NVIDIA: tensor cores, streaming multiprocessors (SM), warps.
    Nvidia,
    /// AMD: matrix cores, compute units (CU), wavefronts.
    Amd,
    /// Huawei Ascend: cube units, AI cores.
    Ascend,
    /// Another one, or not known.
    #[default]
    Unknown,
}

impl Vendor {
    /// Returns the vendor of a device by its name. A device without a name is AMD's if its wavefronts have 64 threads,
    /// as no others do.
    ///
    /// ```
    /// use stepscope::analyze::Vendor;
    /// use stepscope::trace::Device;
    ///
    /// let named = |name: &str| Vendor::of(&Device { name: name.to_owned(), ..Device::default() });
    /// assert_eq!(named("NVIDIA H100 80GB HBM3"), Vendor::Nvidia);
    /// assert_eq!(named("Tesla V100-SXM2-16GB"), Vendor::Nvidia);
    /// assert_eq!(named("AMD Radeon Graphics"), Vendor::Amd);
    /// assert_eq!((named(""), named("ARTEMIS")), (Vendor::Unknown, Vendor::Unknown));
    /// let unnamed = Device { warp_size: Some(64), ..Device::default() };
    /// assert_eq!(Vendor::of(&unnamed), Vendor::Amd);
    /// ```
    #[must_use]
    pub fn of(device: &Device) -> Self {
        const NAMES: [(Vendor, &[&str]); 3] = [
            (Vendor::Nvidia, &["nvidia", "tesla", "geforce", "quadro", "titan"]),
            (Vendor::Amd, &["amd", "radeon", "instinct"]),
            (Vendor::Ascend, &["ascend"]),
        ];
        let name = device.name.to_ascii_lowercase();
        let mut words = name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        let is_named = |(_, names): &&(Self, &[&str])| {
            words.clone().any(|word| names.contains(&word) || (word.starts_with("ascend") && names[0] == "ascend"))
        };
        if let Some((vendor, _)) = NAMES.iter().find(is_named) {
            return *vendor;
        }
        // A known model without its maker's name: its data sheet names the maker.
        let maker = DeviceModel::of(device).and_then(|model| model.source.split(' ').next());
        match maker {
            Some("NVIDIA") => return Self::Nvidia,
            Some("AMD") => return Self::Amd,
            _ => {}
        }
        if words.next().is_none() && device.warp_size == Some(64) { Self::Amd } else { Self::Unknown }
    }

    /// Returns the vendor of all devices of a trace; [`Vendor::Unknown`] if they differ or none is listed.
    #[must_use]
    pub fn of_trace(trace: &Trace) -> Self {
        let mut vendors = trace.meta.devices.iter().map(Self::of);
        let first = vendors.next().unwrap_or_default();
        if vendors.all(|other| other == first) { first } else { Self::Unknown }
    }

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nvidia => "nvidia",
            Self::Amd => "amd",
            Self::Ascend => "ascend",
            Self::Unknown => "unknown",
        }
    }
}
