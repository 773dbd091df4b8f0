//! Events as Kineto's C++ exporter writes them.

use super::{BACKWARD_THREAD, BASE, CLOCK_OFFSET, MAIN_THREAD, PROCESS, Style, micros};
use crate::generator::simulate::{Event, Inputs, Kind, PRODUCT};
use crate::generator::truth::matrix_width;
use crate::generator::{KernelTruth, Spec};

#[derive(Debug, Default)]
pub(super) struct Kineto {
    spec: Spec,
    text: String,
    index: u64,
}

impl Style for Kineto {
    fn head(&mut self) {
        let Spec { rank, world_size, .. } = self.spec;
        let ranks: Vec<String> = (0..world_size).map(|rank| rank.to_string()).collect();
        self.text.push_str(&format!(
            r#"{{
  "schemaVersion": 1,
  "deviceProperties": [
    {{
      "id": 0, "name": "NVIDIA A100-SXM4-80GB", "totalGlobalMem": 84987740160,
      "computeMajor": 8, "computeMinor": 0,
      "maxThreadsPerBlock": 1024, "maxThreadsPerMultiprocessor": 2048,
      "regsPerBlock": 65536, "warpSize": 32,
      "sharedMemPerBlock": 49152, "numSms": 108
    , "regsPerMultiprocessor": 65536, "sharedMemPerBlockOptin": 166912, "sharedMemPerMultiprocessor": 167936
    }}
  ],
  "cuda_runtime_version": 12040, "cuda_driver_version": 12040,
  "distributedInfo": {{"backend": "nccl", "rank": {rank}, "world_size": {world_size}, "pg_count": 1, "pg_config": [{{"pg_name": "0", "pg_desc": "default_pg", "backend_config": "cuda:nccl", "pg_size": {world_size}, "ranks": [{}]}}], "nccl_version": "2.21.5"}},
  "record_shapes": {}, "profile_memory": {}, "with_stack": {},
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": {BASE},
  "traceEvents": ["#,
            ranks.join(", "),
            u8::from(self.spec.shapes),
            u8::from(self.spec.memory),
            u8::from(self.spec.python),
        ));
        let names = [
            (PROCESS, 0, "process_name", "\"name\": \"python3\"".to_owned()),
            (PROCESS, 0, "process_labels", "\"labels\": \"CPU\"".to_owned()),
            (PROCESS, 0, "process_sort_index", format!("\"sort_index\": {PROCESS}")),
            (0, 0, "process_name", "\"name\": \"python3\"".to_owned()),
            (0, 0, "process_labels", "\"labels\": \"GPU 0\"".to_owned()),
            (0, 0, "process_sort_index", "\"sort_index\": 5000000".to_owned()),
            (PROCESS, MAIN_THREAD, "thread_name", format!("\"name\": \"thread {MAIN_THREAD} (python3)\"")),
            (
                PROCESS,
                BACKWARD_THREAD,
                "thread_name",
                format!("\"name\": \"thread {BACKWARD_THREAD} (pt_autograd_0)\""),
            ),
            (0, 7, "thread_name", "\"name\": \"stream 7 \"".to_owned()),
            (0, 20, "thread_name", "\"name\": \"stream 20 \"".to_owned()),
        ];
        let at = micros(CLOCK_OFFSET);
        for (process, thread, name, args) in names {
            self.separate();
            self.text.push_str(&format!(
                "\n    \"name\": \"{name}\", \"ph\": \"M\", \"ts\": {at}, \"pid\": {process}, \"tid\": {thread},\n    \"args\": {{\n      {args}\n    }}\n  }}"
            ));
        }
    }

    fn event(&mut self, event: &Event) {
        let thread = if event.backward_thread { BACKWARD_THREAD } else { MAIN_THREAD };
        match &event.kind {
            Kind::Operator { .. } | Kind::Annotation { .. } | Kind::Python { .. } => self.host_slice(event, thread),
            Kind::Call { id, correlation, launches } => {
                let args = format!("\"External id\": {id}, \"cbid\": 211, \"correlation\": {correlation}");
                self.slice("cuda_runtime", event, PROCESS, thread, &args);
                if *launches {
                    self.flow("s", "ac2g", *correlation, event.start, PROCESS, thread);
                }
            }
            Kind::Kernel { .. } | Kind::Memcpy { .. } | Kind::Memset { .. } => self.activity(event),
            Kind::Wait { correlation, stream, event: awaited } => {
                let awaited = awaited.map_or_else(String::new, |(stream, record)| {
                    format!("\"wait_on_stream\": {stream}, \"wait_on_cuda_event_record_corr_id\": {record}, \"wait_on_cuda_event_id\": {record}, ")
                });
                let kind = &event.name;
                let args = format!(
                    "\"cuda_sync_kind\": \"{kind}\", {awaited}\n      \"stream\": {stream}, \"correlation\": {correlation},\n      \"device\": 0, \"context\": 1"
                );
                self.slice("cuda_sync", event, 0, stream.unsigned_abs(), &args);
            }
            Kind::ForwardBackward { id, end } => {
                self.flow(if *end { "f" } else { "s" }, "fwdbwd", *id, event.start, PROCESS, thread);
            }
            Kind::Memory { address, bytes, allocated, reserved } => {
                self.separate();
                let (at, index) = (micros(event.start + CLOCK_OFFSET), self.index);
                self.text.push_str(&format!(
                    "\n    \"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n    \"pid\": {PROCESS}, \"tid\": {thread},\n    \"ts\": {at},\n    \"args\": {{\n      \"Total Reserved\": {reserved}, \"Total Allocated\": {allocated}, \"Bytes\": {bytes}, \"Addr\": {address}, \"Device Id\": 0, \"Device Type\": 1, \"Ev Idx\": {index}\n    }}\n  }}"
                ));
            }
        }
    }

    fn tail(&mut self) {
        self.text.push_str("\n  ],\n  \"traceName\": \"generated.json\"\n}\n");
    }

    fn pending(&self) -> usize {
        self.text.len()
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.text).into_bytes()
    }
}

impl Kineto {
    pub(super) fn new(spec: &Spec) -> Self {
        Self { spec: spec.clone(), ..Self::default() }
    }

    /// Begins an event.
    fn separate(&mut self) {
        self.text.push_str(if self.index == 0 { "\n  {" } else { ",\n  {" });
        self.index += 1;
    }

    fn host_slice(&mut self, event: &Event, thread: u64) {
        let index = self.index;
        match &event.kind {
            Kind::Operator { id, sequence, backward, collective, inputs } => {
                let mut args = format!("\"External id\": {id},\"Record function id\": 0, ");
                if let Some(sequence) = sequence {
                    args.push_str(&format!("\"Sequence number\": {sequence}, "));
                }
                args.push_str(&format!("\"Fwd thread id\": {}, ", u8::from(*backward)));
                if let Some(sequence) = collective {
                    args.push_str(&collective_args(*sequence, &self.spec));
                }
                if let Some(Inputs { types, dims, concrete }) = inputs {
                    args.push_str(&format!(
                        "\"Concrete Inputs\": {concrete}, \"Input type\": {types}, \"Input Dims\": {dims}, "
                    ));
                } else if self.spec.shapes && collective.is_none() {
                    args.push_str(&shapes(*id, event.name == PRODUCT));
                }
                args.push_str(&format!("\"Ev Idx\": {index}"));
                self.slice("cpu_op", event, PROCESS, thread, &args);
            }
            Kind::Annotation { id } => {
                let args = format!("\"External id\": {id},\"Record function id\": 0, \"Ev Idx\": {index}");
                self.slice("user_annotation", event, PROCESS, thread, &args);
            }
            Kind::Python { id, parent } => {
                let args = format!("\"Python parent id\": {parent}, \"Python id\": {id}, \"Ev Idx\": {index}");
                self.slice("python_function", event, PROCESS, thread, &args);
            }
            _ => {}
        }
    }

    fn activity(&mut self, event: &Event) {
        let (category, id, correlation, stream, more) = match &event.kind {
            Kind::Kernel { id, correlation, stream, collective } => {
                let blocks = KernelTruth::blocks(*id);
                let mut more = format!(
                    ",\n      \"registers per thread\": 40,\n      \"shared memory\": 400,\n      \"blocks per SM\": {:.6},\n      \"warps per SM\": {:.6},\n      \"grid\": [{blocks}, 1, 1],\n      \"block\": [256, 1, 1],\n      \"est. achieved occupancy %\": {}",
                    f64::from(blocks) / 108.0,
                    f64::from(blocks) * 8.0 / 108.0,
                    (blocks * 8 / 108).min(75)
                );
                if let Some(sequence) = collective {
                    more.push_str(",\n      ");
                    more.push_str(collective_args(*sequence, &self.spec).trim_end_matches(", "));
                }
                ("kernel", *id, *correlation, *stream, more)
            }
            Kind::Memcpy { id, correlation, stream, bytes } => {
                ("gpu_memcpy", *id, *correlation, *stream, bandwidth(*bytes, event.length))
            }
            Kind::Memset { id, correlation, bytes } => {
                ("gpu_memset", *id, *correlation, 7, bandwidth(*bytes, event.length))
            }
            _ => return,
        };
        let external = if id == 0 { String::new() } else { format!("\"External id\": {id}, ") };
        let args = format!(
            "{external}\"queued\": 0, \"device\": 0, \"context\": 1,\n      \"stream\": {stream}, \"correlation\": {correlation}{more}"
        );
        self.slice(category, event, 0, stream, &args);
        self.flow("f", "ac2g", correlation, event.start, 0, stream);
    }

    fn slice(&mut self, category: &str, event: &Event, process: u64, thread: u64, args: &str) {
        self.separate();
        let (start, length) = (micros(event.start + CLOCK_OFFSET), micros(event.length));
        self.text.push_str(&format!(
            "\n    \"ph\": \"X\", \"cat\": \"{category}\", \"name\": \"{}\", \"pid\": {process}, \"tid\": {thread},\n    \"ts\": {start}, \"dur\": {length},\n    \"args\": {{\n      {args}\n    }}\n  }}",
            event.name
        ));
    }

    fn flow(&mut self, phase: &str, kind: &str, id: u64, at: i64, process: u64, thread: u64) {
        self.separate();
        let at = micros(at + CLOCK_OFFSET);
        let binding = if phase == "f" { ", \"bp\": \"e\"" } else { "" };
        self.text.push_str(&format!(
            "\n    \"ph\": \"{phase}\", \"id\": {id}, \"pid\": {process}, \"tid\": {thread}, \"ts\": {at},\n    \"cat\": \"{kind}\", \"name\": \"{kind}\"{binding}\n  }}"
        ));
    }
}

fn collective_args(sequence: u64, spec: &Spec) -> String {
    let Spec { world_size: size, elements, .. } = spec;
    format!(
        "\"Collective name\": \"allreduce\", \"In msg nelems\": {elements}, \"Out msg nelems\": {elements}, \"Group size\": {size}, \"dtype\": \"Float\", \"Process Group Name\": \"0\", \"Process Group Description\": \"default_pg\", \"Process Group Ranks\": \"[0, 1]\", \"Seq\": {sequence}, "
    )
}

fn shapes(id: u64, product: bool) -> String {
    let width = matrix_width(id);
    if product {
        return format!(
            "\"Concrete Inputs\": [\"\", \"\", \"\", \"1\", \"1\"], \"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\", \"Scalar\"], \"Input Dims\": [[{width}], [32, {width}], [{width}, {width}], [], []], "
        );
    }
    format!(
        "\"Concrete Inputs\": [\"\", \"\", \"1\"], \"Input type\": [\"c10::BFloat16\", \"c10::BFloat16\", \"Scalar\"], \"Input Strides\": [[{width}, 1], [{width}, 1], []], \"Input Dims\": [[32, {width}], [{width}, {width}], []], "
    )
}

fn bandwidth(bytes: u64, length: i64) -> String {
    // As Kineto computes it; the float is never read back.
    #[expect(clippy::cast_precision_loss, reason = "a number as the profiler prints it")]
    let rate = bytes as f64 / length as f64;
    format!(", \"bytes\": {bytes}, \"memory bandwidth (GB/s)\": {rate}")
}
