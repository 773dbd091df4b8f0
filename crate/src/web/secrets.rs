//! Masking of secrets in files of a report, and in texts of the user.

use stepscope_format::secrets::{CopyMask, masked};
use wasm_bindgen::prelude::wasm_bindgen;

/// Copies a file's text without its secrets; see [`CopyMask`].
#[wasm_bindgen]
#[derive(Default)]
pub struct SecretMask {
    mask: CopyMask,
    copy: Vec<u8>,
}

#[wasm_bindgen]
impl SecretMask {
    /// A mask in the first pass, which searches secrets.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The mask in the second pass, which copies.
    #[must_use]
    pub fn again(self) -> Self {
        Self { mask: self.mask.again(), copy: Vec::new() }
    }

    /// Takes the next bytes in the first pass.
    pub fn look(&mut self, bytes: &[u8]) {
        self.copy.clear();
        self.mask.push(bytes, &mut self.copy, &mut ());
    }

    /// Takes the next bytes, and returns the finished part of the copy.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut copy = Vec::new();
        self.mask.push(bytes, &mut copy, &mut ());
        copy
    }

    /// Returns the rest of the copy.
    pub fn finish(&mut self) -> Vec<u8> {
        let mut copy = Vec::new();
        self.mask.finish(&mut copy, &mut ());
        copy
    }

    /// The names of the secrets found so far; empty if there are none.
    #[must_use]
    pub fn names(&self) -> String {
        self.mask.found().list()
    }

    /// Whether a copy has no secrets.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.mask.is_clean()
    }
}

/// A text without its secrets, such as a note's.
#[wasm_bindgen]
#[must_use]
pub fn mask_secrets(text: String) -> String {
    masked(text, &mut ())
}
