//! Opened files and the content of their archives, in the session's worker.

use std::io;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use super::error::plain;
use crate::wire::{PlanReport, PlannedRankReport, ProblemReport, SourceReport};
use stepscope_base::{CachedAt, ReadAt, map_of};
use stepscope_input::Sources;

/// A Blob, read by a JavaScript function that returns the bytes for an offset and a length.
pub(super) struct BlobAt<'a> {
    read: &'a Function,
    len: u64,
}

impl<'a> BlobAt<'a> {
    /// A Blob of that size, with a cache of recent reads.
    pub(super) fn cached(read: &'a Function, size: f64) -> CachedAt<Self> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a file's size, from JavaScript")]
        CachedAt::new(Self { read, len: size.max(0.0) as u64 })
    }
}

impl ReadAt for BlobAt<'_> {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.len.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(left);
        if wanted == 0 {
            return Ok(0);
        }
        #[expect(clippy::cast_precision_loss, reason = "JavaScript's sizes")]
        let (offset, length) = (JsValue::from_f64(offset as f64), JsValue::from_f64(wanted as f64));
        let read = self.read.call2(&JsValue::NULL, &offset, &length).map_err(|error| {
            let message =
                js_sys::Reflect::get(&error, &JsValue::from_str("message")).ok().and_then(|text| text.as_string());
            io::Error::other(message.unwrap_or_else(|| "it cannot be read".to_owned()))
        })?;
        let bytes: &Uint8Array = read.unchecked_ref();
        let given = bytes.length().min(u32::try_from(wanted).unwrap_or(u32::MAX));
        let len = given as usize;
        bytes.subarray(0, given).copy_to(&mut buffer[..len]);
        Ok(len)
    }
}

/// The sources found in opened files.
#[wasm_bindgen]
pub struct SourceList {
    pub(super) sources: Sources,
}

#[wasm_bindgen]
impl SourceList {
    /// A list without files.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript knows no Default")]
    pub fn new() -> Self {
        Self { sources: Sources::default() }
    }

    /// Adds a file; `read` returns its bytes by offset and length. An unreadable file is added, too.
    pub fn add(&mut self, path: &str, size: f64, read: &Function) {
        self.sources.add(path, &mut BlobAt::cached(read, size));
    }

    /// The sources and their ranks: by the rules, with the user's changes `[source, rank or null]`.
    ///
    /// # Errors
    ///
    /// If the changes are not such pairs.
    pub fn plan(&self, changes: JsValue) -> Result<JsValue, JsValue> {
        let pairs: Vec<(usize, Option<u64>)> = serde_wasm_bindgen::from_value(changes)?;
        let plan = self.sources.plan(&map_of(pairs));
        let list = self.sources.list();
        let intake = self.sources.intake();
        let problems = map_of(plan.left_out.iter().map(|(number, error)| (*number, error)));
        let sources = list.iter().enumerate().map(|(number, source)| {
            let layers: Vec<String> = source.layers.iter().map(ToString::to_string).collect();
            SourceReport {
                path: source.path.clone(),
                file: source.file,
                start: source.start,
                len: source.len,
                bytes: source.bytes,
                layers: layers.join(" "),
                random: self.sources.is_random(number),
                apart: self.sources.reads_apart(number),
                title: intake.title(number),
                problem: problems.get(&number).map(|error| ProblemReport::of(error)),
            }
        });
        let ranks = plan.ranks.iter().map(|rank| PlannedRankReport {
            name: rank.name.clone(),
            rank: rank.rank,
            bytes: rank.files.iter().filter_map(|number| list.get(*number)).map(|source| source.bytes).sum(),
            sources: rank.files.clone(),
        });
        Ok(plain(&PlanReport { sources: sources.collect(), ranks: ranks.collect() }))
    }
}
