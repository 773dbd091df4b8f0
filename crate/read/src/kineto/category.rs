//! The categories of a trace's events.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use stepscope_trace::{CategoryKind, NameId, TraceBuilder};

/// A category that occurred.
#[derive(Clone, Copy, Debug)]
pub(super) struct Category {
    /// Its number in the trace.
    pub(super) number: u16,
    /// Its meaning.
    pub(super) kind: CategoryKind,
}

/// The categories that occurred so far, by their name's handle. The last one is the likeliest.
#[derive(Default)]
pub(super) struct Categories {
    known: HashMap<NameId, Category, FxBuildHasher>,
    last: Option<(Vec<u8>, Category)>,
}

impl Categories {
    #[inline]
    pub(super) fn get(&mut self, builder: &mut TraceBuilder, text: &[u8]) -> Category {
        if let Some((last, category)) = &self.last
            && *last == text
        {
            return *category;
        }
        self.find(builder, text)
    }

    fn find(&mut self, builder: &mut TraceBuilder, text: &[u8]) -> Category {
        let name = builder.intern(text);
        let new = || Category { number: builder.category(text), kind: CategoryKind::of(text) };
        let category = *self.known.entry(name).or_insert_with(new);
        let last = self.last.get_or_insert_with(|| (Vec::new(), category));
        text.clone_into(&mut last.0);
        last.1 = category;
        category
    }
}
