//! Events of the threads, except NVTX.

use super::{Report, thread_of};
use crate::cupti::{HostSlice, span};
use stepscope_trace::Class;

/// Libraries whose calls are operators: the table, the column of the name, and a prefix of the name.
const LIBRARIES: [(&str, &str, &str); 6] = [
    ("CUBLAS_EVENTS", "nameId", ""),
    ("CUDNN_EVENTS", "nameId", ""),
    ("MPI_COLLECTIVES_EVENTS", "textId", "mpi:"),
    ("MPI_P2P_EVENTS", "textId", "mpi:"),
    ("MPI_START_WAIT_EVENTS", "textId", "mpi:"),
    ("MPI_OTHER_EVENTS", "textId", ""),
];

impl Report<'_, '_> {
    /// Calls of the CUDA runtime and driver, which are in one table.
    pub(super) fn calls(&mut self) {
        const DRIVER: i64 = 1;
        const COLUMNS: [&str; 6] = ["start", "end", "globalTid", "correlationId", "nameId", "eventClass"];
        let Self { tables, builder, warnings, strings, categories, correlations, .. } = self;
        tables.scan("CUPTI_ACTIVITY_KIND_RUNTIME", &COLUMNS, warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, thread, correlation, name, class]: [Option<i64>; 6] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let category = if class == Some(DRIVER) { categories.driver } else { categories.runtime };
            let process = thread.map(|_| thread_of(thread).0);
            let call = HostSlice {
                class: Class::RuntimeCall,
                category,
                name: strings.call(builder, name),
                span,
                thread: thread_of(thread),
                position: row.position,
            };
            call.add_call(builder, correlations.unique(process, correlation));
        });
    }

    /// Calls of other libraries and of the operating system, and the profiler's own overhead.
    pub(super) fn libraries(&mut self) {
        let (operator, system, overhead) = (self.categories.operator, self.categories.system, self.categories.overhead);
        for (table, column, prefix) in LIBRARIES {
            self.named(table, column, prefix, Class::Operator, operator);
        }
        self.named("OSRT_API", "nameId", "", Class::Other, system);
        self.named("PROFILER_OVERHEAD", "nameId", "", Class::Overhead, overhead);
    }

    fn named(&mut self, table: &str, column: &str, prefix: &str, class: Class, category: u16) {
        let Self { tables, builder, warnings, strings, .. } = self;
        let mut text = prefix.as_bytes().to_vec();
        tables.scan(table, &["start", "end", "globalTid", column], warnings, |row, warnings| {
            builder.meta.events += 1;
            let [start, end, thread, name]: [Option<i64>; 4] = row.integers();
            let Some(span) = span(start, end, row.position, warnings) else { return };
            let name = match name.and_then(|name| strings.bytes(name)) {
                Some(name) if !prefix.is_empty() => {
                    text.truncate(prefix.len());
                    text.extend_from_slice(name);
                    builder.intern(&text)
                }
                _ => strings.name(builder, name),
            };
            let thread = thread_of(thread);
            HostSlice { class, category, name, span, thread, position: row.position }.add(builder);
        });
    }
}
