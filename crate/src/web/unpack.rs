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
    /// An unpacker for data in these layers, as named in the list of sources.
    ///
    /// # Errors
    ///
    /// If the text is invalid.
    #[wasm_bindgen(constructor)]
    pub fn new(layers: &str) -> Result<Self, JsValue> {
        Ok(Self { unpacker: Unpacker::new(&layers_of(layers)?), output: vec![0; 1 << 20] })
    }

    /// The number of unpacked bytes between its range of an archive and another one. None if the other range is
    /// before this one, or in other layers.
    ///
    /// # Errors
    ///
    /// If the layers are invalid.
    pub fn distance(&self, layers: &str) -> Result<Option<f64>, JsValue> {
        #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
        let distance = self.unpacker.distance(&layers_of(layers)?).map(|bytes| bytes as f64);
        Ok(distance)
    }

    /// Continues with another range of the same archive; returns whether it could, which `distance` shows beforehand.
    ///
    /// # Errors
    ///
    /// If the layers are invalid.
    pub fn go_on(&mut self, layers: &str) -> Result<bool, JsValue> {
        Ok(self.unpacker.go_on(&layers_of(layers)?))
    }

    /// Unpacks the next bytes and passes the output on in chunks. Returns the number of bytes used, which is all
    /// unless the range of an archive is complete.
    ///
    /// # Errors
    ///
    /// The error that `piece` throws.
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

    /// Whether the range of an archive is complete: further bytes do not belong to it.
    pub fn is_done(&self) -> bool {
        self.unpacker.is_done()
    }

    /// Passes on buffered bytes after the last input, and returns the damage; none if the data is complete.
    ///
    /// # Errors
    ///
    /// The error that `piece` throws.
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
