//! Names of a device's units, by its maker.

use stepscope_analyze::Vendor;

/// Names of a device's units. For unknown devices, they are neutral.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitNames {
    /// The units that multiply matrices: tensor cores.
    pub matrix_units: &'static str,
    /// One of the units that run blocks, abbreviated: SM.
    pub unit: &'static str,
    /// Threads that run in lockstep: warps.
    pub warps: &'static str,
}

impl UnitNames {
    /// Returns a vendor's names.
    ///
    /// ```
    /// use stepscope::analyze::Vendor;
    /// use stepscope::present::UnitNames;
    ///
    /// assert_eq!(UnitNames::of(Vendor::Nvidia).matrix_units, "tensor cores");
    /// assert_eq!(UnitNames::of(Vendor::Amd).unit, "CU");
    /// assert_eq!(UnitNames::of(Vendor::Unknown).matrix_units, "matrix units");
    /// ```
    #[must_use]
    pub fn of(vendor: Vendor) -> Self {
        let (matrix_units, unit, warps) = match vendor {
            Vendor::Nvidia => ("tensor cores", "SM", "warps"),
            Vendor::Amd => ("matrix cores", "CU", "wavefronts"),
            Vendor::Ascend => ("cube units", "AI core", "thread groups"),
            Vendor::Unknown => ("matrix units", "compute unit", "thread groups"),
        };
        Self { matrix_units, unit, warps }
    }

    /// Returns the names of a vendor by its stable name; neutral ones for other names.
    #[must_use]
    pub fn named(vendor: &str) -> Self {
        let all = [Vendor::Nvidia, Vendor::Amd, Vendor::Ascend];
        Self::of(all.into_iter().find(|one| one.name() == vendor).unwrap_or_default())
    }
}
