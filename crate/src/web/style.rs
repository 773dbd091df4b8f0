//! Tables of a rank in the layout of other tools.

use serde::Deserialize;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::session::Session;
use stepscope_style::TimeUnit;
use stepscope_style::choice::{NvprofTable, Tables};
use stepscope_style::nvprof::NvprofStyle;
use stepscope_style::paddle::{PaddleStyle, SortKey, View};

/// The page's options by name; each tool uses those that it has.
#[derive(Deserialize)]
struct PrintRequest {
    tool: String,
    /// The tool's own unit if none.
    unit: Option<String>,
    sort: Option<String>,
    /// All tables if none; `benchmark` is Paddle's table of throughput.
    view: Option<String>,
    #[serde(default)]
    no_detail: bool,
    #[serde(default)]
    thread_sep: bool,
    /// Whether the layout is that of CUDA 5 to 8.
    #[serde(default)]
    before_9: bool,
}

impl PrintRequest {
    /// The tables; none for an unknown tool.
    fn tables(&self) -> Option<Tables> {
        let unit = self.unit.as_deref().and_then(TimeUnit::named);
        Some(match self.tool.as_str() {
            "paddle" => {
                let view = self.view.as_deref();
                Tables::Paddle {
                    style: PaddleStyle {
                        flops: false,
                        unit: unit.unwrap_or(TimeUnit::Milliseconds),
                        sort: self.sort.as_deref().and_then(SortKey::named).unwrap_or_default(),
                        detail: !self.no_detail,
                        views: view.map(|name| View::named(name).into_iter().collect()),
                    },
                    thread_sep: self.thread_sep,
                    benchmark: view.is_none_or(|name| name == "benchmark"),
                }
            }
            "nvprof" => Tables::Nvprof {
                table: NvprofTable::Summary,
                style: NvprofStyle { csv: false, unit, before_9: self.before_9 },
            },
            "mindspore" => Tables::MindSpore { unit: unit.unwrap_or(TimeUnit::Milliseconds), csv: false },
            "tensorboard" => Tables::TensorBoard(unit.unwrap_or(TimeUnit::Microseconds)),
            _ => return None,
        })
    }
}

#[wasm_bindgen]
impl Session {
    /// Tables of a rank, whose trace must be in memory, in another tool's layout; none if the tool has none for such
    /// a trace.
    ///
    /// # Errors
    ///
    /// If an option has the wrong type.
    pub fn as_printed(&self, rank: usize, request: JsValue) -> Result<Option<String>, JsValue> {
        let request: PrintRequest = serde_wasm_bindgen::from_value(request)?;
        let rank = self.ranks.list().get(rank);
        Ok(request.tables().zip(rank).and_then(|(tables, rank)| tables.of(rank)))
    }
}
