//! Makes the browser compile the module well before the user needs it.
//!
//! A browser first compiles a module quickly without optimization, and later recompiles functions that run often. A
//! first trace would be read before that: it takes up to twice as long as the same trace once more.

use std::fmt::Write;

use wasm_bindgen::prelude::wasm_bindgen;

use stepscope_analyze::AnalysisConfig;
use stepscope_analyze::Rank;
use stepscope_export::report_json::{ReportRequest, Summary, request, topic};
use stepscope_input::Loader;

/// Steps of the synthetic trace, and operators in each.
const STEPS: u32 = 4;
const OPERATORS: u32 = 1500;

/// Reads and analyzes a small synthetic trace and discards it, which takes some tens of milliseconds.
///
/// Meant for an idle worker.
#[wasm_bindgen]
pub fn warm_up() {
    let text = synthetic();
    let mut loader = Loader::new("");
    for chunk in text.as_bytes().chunks(1 << 20) {
        loader.space(chunk.len()).copy_from_slice(chunk);
        if loader.advance(chunk.len()).is_err() {
            return;
        }
    }
    let Ok(loaded) = loader.finish() else { return };
    let rank = Rank::new("", 0, loaded, &AnalysisConfig::standard());
    drop(std::hint::black_box(topic(&rank, &ReportRequest::Selection(request::Selection::default()))));
    drop(std::hint::black_box(Summary::without_tables(&[rank]).to_json()));
}

/// A trace in PyTorch's form: operators, calls, kernels and flows.
fn synthetic() -> String {
    let mut text = String::from("{\n  \"schemaVersion\": 1,\n  \"traceEvents\": [\n");
    for step in 0..STEPS {
        for operator in 0..OPERATORS {
            event(&mut text, step, operator);
        }
        let start = 8 * OPERATORS * step;
        let _ = write!(
            text,
            "  {{\n    \"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#{step}\", \"pid\": 9, \
             \"tid\": 9,\n    \"ts\": {start}.000, \"dur\": {}.000\n  }},\n",
            8 * OPERATORS
        );
    }
    text.push_str("  {}\n  ]\n}");
    text
}

/// An operator with its call, kernel and flow.
fn event(text: &mut String, step: u32, operator: u32) {
    let id = step * OPERATORS + operator;
    let (name, start) = (operator % 97, 8 * id);
    let _ = write!(
        text,
        r#"  {{
    "ph": "X", "cat": "cpu_op", "name": "aten::operator_{name}", "pid": 9, "tid": 9,
    "ts": {start}.125, "dur": 7.250,
    "args": {{
      "External id": {id},"Record function id": 0, "Sequence number": {id}, "Fwd thread id": 0, "Ev Idx": {id}, "Input Dims": [[2, 128, 64, 64], []], "Input type": ["float", "Scalar"]
    }}
  }},
  {{
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 9, "tid": 9,
    "ts": {start}.250, "dur": 5.500,
    "args": {{
      "External id": {id}, "cbid": 211, "correlation": {id}
    }}
  }},
  {{
    "ph": "s", "id": {id}, "pid": 9, "tid": 9, "ts": {start}.250,
    "cat": "ac2g", "name": "ac2g"
  }},
  {{
    "ph": "X", "cat": "kernel", "name": "void kernel_{name}<float, 4>(float const*, float*)", "pid": 0, "tid": 7,
    "ts": {start}.500, "dur": 6.001,
    "args": {{
      "External id": {id}, "queued": 0, "device": 0, "context": 1,
      "stream": 7, "correlation": {id},
      "registers per thread": 32, "shared memory": 0,
      "blocks per SM": 1.25, "warps per SM": 10,
      "grid": [270, 1, 1], "block": [256, 1, 1],
      "est. achieved occupancy %": 30
    }}
  }},
"#
    );
}
