//! `trace_view.json`, as MindSpore's profiler writes it for a run on an Ascend device.

use super::{BACKWARD_THREAD, MAIN_THREAD, Style, micros};
use crate::generator::simulate::{Event, Kind};

const HOST: u64 = 1;
const CANN: u64 = 2_900_320;
const HARDWARE: u64 = 2_900_328;

/// The generator's zero, in ns since 1970.
const EPOCH: i64 = 1_795_230_800_000_000_000;

#[derive(Debug, Default)]
pub(super) struct MindSpore {
    text: String,
}

impl Style for MindSpore {
    fn head(&mut self) {
        let rows = [(HOST, "MindSpore", "CPU"), (CANN, "CANN", "CPU"), (HARDWARE, "Ascend Hardware", "NPU")];
        let rows = rows.map(|(process, name, label)| {
            format!(
                "{{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": {process}, \"tid\": 0, \"args\": {{\"name\": \"{name}\"}}}}, \
                 {{\"name\": \"process_labels\", \"ph\": \"M\", \"pid\": {process}, \"tid\": 0, \"args\": {{\"labels\": \"{label}\"}}}}"
            )
        });
        self.text.push_str(&format!("[{}", rows.join(", ")));
    }

    fn event(&mut self, event: &Event) {
        let thread = if event.backward_thread { BACKWARD_THREAD } else { MAIN_THREAD };
        let task = |kind: &str, stream: u64, id: u64| {
            format!(
                "{{\"Model Id\": 4294967295, \"Task Type\": \"{kind}\", \"Stream Id\": {stream}, \"Task Id\": {}, \
                 \"Batch Id\": 0, \"connection_id\": {id}}}",
                id % 65_536
            )
        };
        let (process, thread, args) = match &event.kind {
            Kind::Operator { .. } | Kind::Annotation { .. } | Kind::Python { .. } => (HOST, thread, "{}".to_owned()),
            Kind::Call { correlation, launches, .. } => {
                let link = if *launches { format!("\"connection_id\": {correlation}, ") } else { String::new() };
                (CANN, thread, format!("{{{link}\"Thread Id\": {thread}}}"))
            }
            Kind::Kernel { correlation, stream, .. } => (HARDWARE, *stream, task("AI_CORE", *stream, *correlation)),
            Kind::Memcpy { correlation, .. } => (HARDWARE, 7, task("MEMCPY_ASYNC", 7, *correlation)),
            Kind::Memset { correlation, .. } => (HARDWARE, 7, task("MEMSET", 7, *correlation)),
            Kind::Wait { .. } | Kind::ForwardBackward { .. } | Kind::Memory { .. } => return,
        };
        let (start, length) = (micros(event.start + EPOCH), micros(event.length));
        self.text.push_str(&format!(
            ", {{\"ph\": \"X\", \"name\": \"{}\", \"pid\": {process}, \"tid\": {thread}, \"ts\": \"{start}\", \
             \"dur\": \"{length}\", \"cat\": \"\", \"args\": {args}}}",
            event.name
        ));
    }

    fn tail(&mut self) {
        self.text.push_str("]\n");
    }

    fn pending(&self) -> usize {
        self.text.len()
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }
}
