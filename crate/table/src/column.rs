//! The description of a column.

use super::unit::Unit;

/// The places in which a column is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    /// In all tables; left out if no row has a value.
    Always,
    /// The same; also left out if all values are zero, as in most traces.
    Seldom,
    /// In tables that scroll horizontally, not in a terminal.
    Wide,
    /// After the row's name, to distinguish rows of the same name.
    Name,
    /// Only in data: JSON, CSV, data frames.
    Data,
}

/// The description of a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its key in JSON, CSV and data frames, and the last part of its messages' keys.
    pub key: &'static str,
    /// The unit of its values.
    pub unit: Unit,
    /// Whether values have a coverage, the share of time for which they are known, as `KEY_coverage`.
    pub is_covered: bool,
    /// The places in which it is shown.
    pub show: Show,
    /// The bar drawn behind each value.
    pub bar: Bar,
    /// Whether its values are parts of a whole, which a chart of shares may show.
    pub is_part: bool,
    /// Whether it is meaningless if no device was recorded.
    pub is_of_device: bool,
    /// Whether JSON leaves out its key if a row has no value.
    pub is_omitted: bool,
    /// Whether its values are numbers of events, to which the rows' names link.
    pub is_event: bool,
    /// Whether JSON has null for the object around it if nothing in it is known, instead of no key.
    pub is_null: bool,
    /// The key of a column without whose value it has none, either. The message `KEY.without` stands for both.
    pub with: Option<&'static str>,
    /// The key of the column by whose values rows are sorted instead of these.
    pub order: Option<&'static str>,
    /// Whether each row has a value.
    pub is_known: bool,
    /// Whether rows are grouped by its words, in an order that is not alphabetical.
    pub is_ranked: bool,
}

impl Column {
    /// The last part of its key: `waves` of `launch.waves.waves`.
    #[must_use]
    pub fn last_key(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }
}

/// A bar behind the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bar {
    /// No bar.
    None,
    /// Each value as a share of the largest one.
    OfLargest,
    /// The shares of another column, by its key.
    Share(&'static str),
    /// Each value as a share of another column's value, by its key. The share stands after the value.
    PartOf(&'static str),
}
