//! The place of a chart of curves.

/// The place of a chart in device pixels, and the shown ranges: for pointing at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// The left edge of the area of curves.
    pub left: i32,
    /// Its upper edge.
    pub top: i32,
    /// Its right edge.
    pub right: i32,
    /// Its lower edge.
    pub bottom: i32,
    /// The shown part of the horizontal axis.
    pub shown: (f64, f64),
    /// The part of it that the points cover.
    pub whole: (f64, f64),
    /// The lowest and the highest value of the vertical axis.
    pub values: (f64, f64),
}
