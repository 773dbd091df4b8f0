//! Names and sort order of processes and threads.

use stepscope_trace::{NameId, RawId, SerializedRow, TraceBuilder};

/// The property of a process or thread that an event sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named {
    Process,
    Labels,
    ProcessOrder,
    Thread,
    ThreadOrder,
}

/// A name or sort index from a metadata event; the last one counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Naming {
    pub(super) what: Named,
    pub(super) process: RawId,
    pub(super) thread: RawId,
    pub(super) text: NameId,
    pub(super) sort_index: Option<i64>,
}

impl Naming {
    /// Sets it.
    pub(super) fn apply(self, builder: &mut TraceBuilder) {
        let Self { what, process, thread, text, sort_index } = self;
        match what {
            Named::Process => builder.process_mut(process).name = text,
            Named::Labels => builder.process_mut(process).labels = text,
            Named::ProcessOrder => builder.process_mut(process).sort_index = sort_index.unwrap_or_default(),
            Named::Thread => builder.name_thread(process, thread, text.get(), None),
            Named::ThreadOrder => builder.name_thread(process, thread, None, sort_index),
        }
    }
}

type AsRow = (u8, (RawId, (RawId, (NameId, Option<i64>))));

impl SerializedRow for Naming {
    const SIZE: usize = AsRow::SIZE;

    fn put(&self, place: &mut [u8]) {
        (self.what as u8, (self.process, (self.thread, (self.text, self.sort_index)))).put(place);
    }

    fn of(place: &[u8]) -> Self {
        const ALL: [Named; 5] = [Named::Process, Named::Labels, Named::ProcessOrder, Named::Thread, Named::ThreadOrder];
        let (what, (process, (thread, (text, sort_index)))) = AsRow::of(place);
        Self { what: ALL[usize::from(what).min(ALL.len() - 1)], process, thread, text, sort_index }
    }
}
