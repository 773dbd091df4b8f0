//! Tables of a rank that every front end shows at the end of a [`View`](stepscope_table::View), without code of its own.

use crate::Analysis;
use crate::per_step::PerStep;
use crate::scope::Scope;
use stepscope_table::{Described, Description, Rows, Table, View};
use stepscope_trace::Trace;

/// The part of a trace that a table is of.
#[derive(Clone, Copy, Debug)]
pub struct TablePart<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its analysis.
    pub analysis: &'a Analysis,
    /// The steps; none for the whole trace.
    pub scope: Option<&'a Scope<'a>>,
    /// The divisor of sums.
    pub per: PerStep,
}

/// A kind of table that a view shows.
pub trait InView: Rows {
    /// Fills the table of a part of a trace.
    fn table(of: &TablePart<'_>) -> Table;
}

/// A table that a view shows.
#[derive(Clone, Copy, Debug)]
pub struct ViewTable {
    view: View,
    described: Described,
    fill: fn(&TablePart<'_>) -> Table,
}

impl ViewTable {
    /// The table of a kind.
    pub(crate) const fn of<T: InView>() -> Self {
        let view = T::VIEW.expect("a table without a view is shown nowhere");
        Self { view, described: Described::of::<T>(), fill: T::table }
    }

    /// The view that shows it.
    #[must_use]
    pub const fn view(&self) -> View {
        self.view
    }

    /// Its ID.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        self.described.id()
    }

    /// Its description.
    #[must_use]
    pub fn description(&self) -> Description {
        self.described.description()
    }

    pub(crate) fn table(&self, of: &TablePart<'_>) -> Table {
        (self.fill)(of)
    }
}
