//! Events as PaddlePaddle's chrome tracing exporter writes them (2.x: `span_indx`).

use super::{BACKWARD_THREAD, MAIN_THREAD, PROCESS, Style, micros};
use crate::generator::simulate::{Event, Kind};

/// The generator's zero in ns since 1970.
const ZERO: i64 = 1_790_795_520_000_000_000;

#[derive(Debug, Default)]
pub(super) struct Paddle {
    text: String,
    /// The start of the first event, from which all `start_time`s count.
    first: Option<i64>,
}

impl Style for Paddle {
    fn head(&mut self) {
        self.text.push_str(
            r#"
  {
    "displayTimeUnit": "ms",
    "schemaVersion": "1.0.2",
    "span_indx": "0",
    "deviceProperties": [
  {
    "id": 0, "name": "NVIDIA A100-SXM4-40GB", "totalGlobalMem": 42505273344,
    "computeMajor": 8, "computeMinor": 0,
    "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
    "regsPerBlock": 65536, "regsPerMultiprocessor": 65536, "warpSize": 32,
    "sharedMemPerBlock": 49152, "sharedMemPerMultiprocessor": 167936,
    "smCount": 108, "sharedMemPerBlockOptin": 166912
  }],
    "traceEvents": ["#,
        );
    }

    fn event(&mut self, event: &Event) {
        let thread = if event.backward_thread { BACKWARD_THREAD } else { MAIN_THREAD };
        let host = |layer: &str| format!("\"{thread}({layer})\"");
        match &event.kind {
            Kind::Operator { .. } => self.slice("Operator", &event.name, event, PROCESS, &host("C++"), ""),
            Kind::Annotation { .. } => {
                let (category, name) = annotation(&event.name);
                self.slice(category, &name, event, PROCESS, &host("Python"), "");
            }
            Kind::Call { correlation, .. } => {
                let args = format!(",\n      \"correlation id\": {correlation}");
                self.slice("CudaRuntime", &event.name, event, PROCESS, &host("C++"), &args);
            }
            Kind::Kernel { id, correlation, stream, .. } => {
                let blocks = 8 << (id % 12);
                let args = format!(
                    ",\n      \"device\": 0, \"context\": 1,\n      \"stream\": {stream}, \"correlation id\": {correlation},\n      \"registers per thread\": 40,\n      \"shared memory\": 400,\n      \"blocks per SM\": {:.6},\n      \"warps per SM\": {:.6},\n      \"grid\": [{blocks}, 1, 1],\n      \"block\": [256, 1, 1],\n      \"theoretical achieved occupancy %\": 25.0",
                    f64::from(blocks) / 108.0,
                    f64::from(blocks) * 8.0 / 108.0,
                );
                self.slice("Kernel", &event.name, event, 0, &stream.to_string(), &args);
            }
            Kind::Memcpy { correlation, bytes, .. } => {
                let args = format!(
                    ",\n      \"stream\": 7, \"correlation id\": {correlation},\n      \"bytes\": {bytes},\n      \"memory bandwidth (GB/s)\": 16.384"
                );
                self.slice("Memcpy", &event.name, event, 0, "7", &args);
            }
            Kind::Memset { correlation, bytes, .. } => {
                let args = format!(
                    ",\n      \"device\": 0, \"context\": 1,\n      \"stream\": 7, \"correlation id\": {correlation},\n      \"bytes\": {bytes}, \"value\": 0"
                );
                self.slice("Memset", &event.name, event, 0, "7", &args);
            }
            Kind::Python { .. } | Kind::Wait { .. } | Kind::ForwardBackward { .. } | Kind::Memory { .. } => {}
        }
    }

    fn tail(&mut self) {
        self.text.push_str(&format!(
            r#"
  {{
    "name": "thread_name", "pid": {PROCESS}, "tid": "{MAIN_THREAD}(Python)",
    "ph": "M", "args": {{ "name": "thread {MAIN_THREAD}:MainThread(Python)" }}
  }},
  {{}}
  ],
    "ExtraInfo": {{
    "{MAIN_THREAD}": "MainThread",
    "Process Cpu Utilization": "0.500000",
    "System Cpu Utilization": "1.000000"
    }}
  }}
  "#
        ));
    }

    fn pending(&self) -> usize {
        self.text.len()
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }
}

impl Paddle {
    fn slice(&mut self, category: &str, name: &str, event: &Event, process: u64, thread: &str, args: &str) {
        let first = *self.first.get_or_insert(event.start);
        let length = if event.length > 1_000_000 {
            format!("{}.{:03} ms", event.length / 1_000_000, event.length / 1000 % 1000)
        } else {
            format!("{} us", micros(event.length))
        };
        let (start, end) = (event.start - first, event.start - first + event.length);
        let sign = |time: i64| if time < 0 { format!("-{}", micros(-time)) } else { micros(time) };
        self.text.push_str(&format!(
            "\n  {{\n    \"name\": \"{name}[{length}]\", \"pid\": {process}, \"tid\": {thread},\n    \"ts\": {}, \"dur\": {},\n    \"ph\": \"X\", \"cat\": \"{category}\",\n    \"cname\": \"thread_state_runnable\",\n    \"args\": {{\n      \"start_time\": \"{} us\",\n      \"end_time\": \"{} us\"{args}\n    }}\n  }},\n  ",
            (ZERO + event.start) / 1000,
            micros(event.length),
            sign(start),
            sign(end),
        ));
    }
}

/// The category of a range and its name there.
fn annotation(name: &str) -> (&'static str, String) {
    if let Some(step) = name.strip_prefix("ProfilerStep#") {
        ("ProfileStep", format!("ProfileStep#{step}"))
    } else if name.starts_with("enumerate(DataLoader)") {
        ("Dataloader", name.to_owned())
    } else if name.starts_with("Optimizer.step") {
        ("Optimization", name.to_owned())
    } else {
        ("PythonUserDefined", name.to_owned())
    }
}
