//! Events as any writer of Chrome traces might: a bare list, one event per line.

use super::{BACKWARD_THREAD, CLOCK_OFFSET, MAIN_THREAD, PROCESS, Style, micros};
use crate::generator::simulate::{Event, Kind};

#[derive(Debug, Default)]
pub(super) struct Chrome {
    text: String,
}

impl Style for Chrome {
    fn head(&mut self) {
        self.text.push_str(&format!(
            "[{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{PROCESS},\"tid\":0,\"args\":{{\"name\":\"program\"}}}}"
        ));
    }

    fn event(&mut self, event: &Event) {
        let thread = if event.backward_thread { BACKWARD_THREAD } else { MAIN_THREAD };
        let (category, thread, id) = match &event.kind {
            Kind::Operator { id, .. } => ("work", thread, *id),
            Kind::Annotation { id } => ("phase", thread, *id),
            Kind::Python { id, .. } => ("function", thread, *id),
            Kind::Call { id, .. } => ("call", thread, *id),
            Kind::Kernel { id, stream, .. } => ("queue", *stream, *id),
            Kind::Memcpy { id, .. } | Kind::Memset { id, .. } => ("queue", 7, *id),
            Kind::Wait { .. } | Kind::ForwardBackward { .. } | Kind::Memory { .. } => return,
        };
        // With PyTorch's own name, the trace would be taken for PyTorch's.
        let name = event.name.replace("ProfilerStep#", "step ");
        let (start, length) = (micros(event.start + CLOCK_OFFSET), micros(event.length));
        self.text.push_str(&format!(
            ",\n{{\"name\":\"{name}\",\"cat\":\"{category}\",\"ph\":\"X\",\"pid\":{PROCESS},\"tid\":{thread},\"ts\":{start},\"dur\":{length},\"args\":{{\"id\":{id}}}}}"
        ));
    }

    fn tail(&mut self) {
        self.text.push_str("\n]\n");
    }

    fn pending(&self) -> usize {
        self.text.len()
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }
}
