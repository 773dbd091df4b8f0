//! Unpacking, in the source worker.

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use stepscope_input::{Layer, Unpacker};

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
        Ok(Self { unpacker: Unpacker::new(&layers_of(layers)?), output: vec![0; 1 << 20] })
    }

    /// How many unpacked bytes lie between this piece of an archive and another one, packed in the same; nothing if
    /// that one is behind, or packed otherwise.
    ///
    /// # Errors
    ///
    /// If these are no layers.
    pub fn distance(&self, layers: &str) -> Result<Option<f64>, JsValue> {
        #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
        let distance = self.unpacker.distance(&layers_of(layers)?).map(|bytes| bytes as f64);
        Ok(distance)
    }

    /// Goes on to another piece of the same archive: whether it could, which `distance` tells before.
    ///
    /// # Errors
    ///
    /// If these are no layers.
    pub fn go_on(&mut self, layers: &str) -> Result<bool, JsValue> {
        Ok(self.unpacker.go_on(&layers_of(layers)?))
    }

    /// Unpacks the next bytes and hands over what they give, in pieces; gives how many of them were used, which is all
    /// unless the piece of an archive is whole.
    ///
    /// # Errors
    ///
    /// What `piece` throws.
    pub fn push(&mut self, input: &[u8], piece: &Function) -> Result<usize, JsValue> {
        let mut rest = input;
        loop {
            let (used, written) = self.unpacker.push(rest, &mut self.output);
            rest = &rest[used..];
            if written > 0 {
                piece.call1(&JsValue::NULL, Uint8Array::from(&self.output[..written]).unchecked_ref())?;
            }
            if (rest.is_empty() || self.unpacker.is_done()) && written < self.output.len() {
                return Ok(input.len() - rest.len());
            }
        }
    }

    /// Whether the piece of an archive is whole: nothing of what still comes is its.
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

fn layers_of(text: &str) -> Result<Vec<Layer>, JsValue> {
    let layers: Result<Vec<Layer>, ()> = text.split_whitespace().map(str::parse).collect();
    layers.map_err(|()| JsValue::from_str("these are no layers"))
}
