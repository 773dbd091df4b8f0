//! The place of a chart of curves.

/// Where a chart was drawn, in device pixels, and what it shows: for pointing at it.
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
    /// The part of the horizontal axis that is shown.
    pub shown: (f64, f64),
    /// All that the points cover of it.
    pub whole: (f64, f64),
    /// The lowest and the highest value that have a place.
    pub values: (f64, f64),
}
