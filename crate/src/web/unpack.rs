//! Unpacking, in the source worker.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::input::{Layer, Unpacker};

/// Unpacks a file.
#[wasm_bindgen]
pub struct Unpack {
    unpacker: Unpacker,
    output: Vec<u8>,
}

#[wasm_bindgen]
impl Unpack {
    /// An unpacker at the beginning of what is packed in these layers, as the list of sources names them.
    ///
    /// # Errors
    ///
    /// If they are no such text.
    #[wasm_bindgen(constructor)]
    pub fn new(layers: &str) -> Result<Self, JsValue> {
        let layers: Result<Vec<Layer>, ()> = layers.split_whitespace().map(str::parse).collect();
        let layers = layers.map_err(|()| JsValue::from_str("these are no layers"))?;
        Ok(Self { unpacker: Unpacker::new(&layers), output: vec![0; 1 << 20] })
    }

    /// Unpacks the next bytes and hands over what they give, in pieces.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn push(&mut self, input: &[u8], piece: &Function) -> Result<(), JsValue> {
        let mut rest = input;
        loop {
            let (used, written) = self.unpacker.push(rest, &mut self.output);
            rest = &rest[used..];
            if written > 0 {
                piece.call1(&JsValue::NULL, Uint8Array::from(&self.output[..written]).unchecked_ref())?;
            }
            if rest.is_empty() && written < self.output.len() {
                return Ok(());
            }
        }
    }

    /// Whether nothing of what still comes is wanted.
    pub fn is_done(&self) -> bool {
        self.unpacker.is_done()
    }

    /// After the last bytes: hands over what was held back, and says what is wrong; nothing if all is whole.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn finish(&mut self, piece: &Function) -> Result<Option<String>, JsValue> {
        loop {
            let written = self.unpacker.end(&mut self.output);
            if written == 0 {
                return Ok(self.unpacker.damage());
            }
            piece.call1(&JsValue::NULL, Uint8Array::from(&self.output[..written]).unchecked_ref())?;
        }
    }
}
