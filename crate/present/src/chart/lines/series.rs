//! Curves.

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The class whose color it has; see [`crate::colors`].
    pub class: String,
    /// Its points, sorted by the first number; a value that is no number leaves a gap.
    pub points: Vec<(f64, f64)>,
    /// Whether a value is true until the next point, and the last one to the axis's end; else points are joined.
    pub step: bool,
    /// Whether the area between curve and zero is tinted.
    pub filled: bool,
}
