//! Families of operators with formulas for their limits. INSIGHT section 4.

/// The kind of work of a kernel whose roof is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RoofFamily {
    /// Products of matrices.
    Matrix,
    /// Convolutions.
    Convolution,
    /// Attention.
    Attention,
    /// Layer, group, batch and RMS norms.
    Norm,
    /// Softmax and log-softmax.
    Softmax,
    /// Elementwise operators.
    Elementwise,
    /// Copies, transposes and concatenations by kernels.
    Copy,
}

impl RoofFamily {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Matrix, Self::Convolution, Self::Attention, Self::Norm, Self::Softmax, Self::Elementwise, Self::Copy];

    /// A stable name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Matrix => "matrix",
            Self::Convolution => "convolution",
            Self::Attention => "attention",
            Self::Norm => "norm",
            Self::Softmax => "softmax",
            Self::Elementwise => "elementwise",
            Self::Copy => "copy",
        }
    }
}
