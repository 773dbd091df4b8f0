//! The browser's edge: converts, calls one function, converts back.
//!
//! ```text
//! page (js/page/main.js) ─ requests ─► session worker (js/session/worker.js) ─► SourceList, RankLoad, Session: the traces live here
//!    │                                   ▲ batches of text
//!    │                                source worker (js/loaders/source.js) ─► Unpack
//!    └─ charts, texts ─► draw_stacked_bars, duration, …                    another instance, on the page
//! ```

pub mod charts;
mod error;
pub mod event_text;
pub mod load;
pub mod parts;
mod recorded;
pub mod row_charts;
pub mod search;
pub mod secrets;
pub mod session;
pub mod sources;
pub mod style;
pub mod table;
pub mod text;
pub mod timeline;
mod timeline_rows;
pub mod unpack;
pub mod warm_up;

use wasm_bindgen::prelude::wasm_bindgen;

/// Makes a panic, should one happen, readable in the browser's console.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}
