//! The part of the module that is loaded when it is needed: `cargo xtask page` makes two modules of this one.

use std::cell::RefCell;

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

thread_local! {
    /// Loads the second module at once.
    static LOAD: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Says how the second module is loaded: `load` returns when it is there, or throws.
#[wasm_bindgen]
pub fn on_seldom(load: Function) {
    LOAD.set(Some(load));
}

/// Has the second module loaded. What calls one of its functions before it is there calls this first.
#[wasm_bindgen]
pub fn load_seldom() {
    let Some(load) = LOAD.with_borrow(Clone::clone) else { return };
    if let Err(error) = load.call0(&JsValue::NULL) {
        wasm_bindgen::throw_val(error);
    }
}
