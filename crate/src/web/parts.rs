//! The parts of the module that are loaded when they are needed: `cargo xtask page` makes several modules of this one.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Loads a part at once.
    static LOAD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Says how parts are loaded: `load` is given a part's name, and returns when it is there, or throws.
#[wasm_bindgen]
pub fn on_part(load: Function) {
    LOAD.set(Some(load));
}

/// Has the part loaded that seldom traces and views need. A function of it that is called before it is there calls this first.
#[wasm_bindgen]
pub fn load_seldom() {
    load("seldom");
}

/// Likewise the part that exports and reports need.
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
