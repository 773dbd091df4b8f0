//! Parts of the module that are loaded on demand: `cargo xtask page` splits this module into several.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Loads a part synchronously.
    static LOAD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Sets the loader of parts: `load` gets a part's name, and returns when the part is loaded, or throws.
#[wasm_bindgen]
pub fn on_part(load: Function) {
    LOAD.set(Some(load));
}

/// Loads the part for rare traces and views. Its functions call this first if it is not loaded.
#[wasm_bindgen]
pub fn load_seldom() {
    load("seldom");
}

/// Loads the part for exports and reports.
#[wasm_bindgen]
pub fn load_output() {
    load("output");
}

fn load(part: &str) {
    let Some(load) = LOAD.with_borrow(Clone::clone) else { return };
    if let Err(error) = load.call1(&JsValue::NULL, &JsValue::from_str(part)) {
        wasm_bindgen::throw_val(error);
    }
}
