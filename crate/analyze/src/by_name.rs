//! Properties of names, each examined once.

use stepscope_trace::{NameId, Trace};

/// A property of names, found at its first use: most strings of a trace are no names of the slices in question.
pub(crate) struct ByName<T> {
    known: Vec<Option<T>>,
    of: fn(&str) -> T,
}

impl<T: Copy> ByName<T> {
    pub(crate) fn of(trace: &Trace, of: fn(&str) -> T) -> Self {
        Self { known: vec![None; trace.strings.len()], of }
    }

    #[inline]
    pub(crate) fn get(&mut self, trace: &Trace, name: NameId) -> T {
        let Self { known, of } = self;
        *known[name.index()].get_or_insert_with(|| of(trace.strings.get(name)))
    }
}
