//! The producer of a trace, by signs in it.

use crate::Export;
use crate::Head;
use stepscope_parse::Decimal;

/// Signs of producers, gathered event by event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    /// Processes have names of xprof's planes: `/host:…` or `/device:…`.
    pub(super) xprof: bool,
    /// Names of slices that only JAX writes.
    pub(super) jax: bool,
    /// Arguments of TensorFlow, which programs of JAX have from its data pipeline.
    pub(super) tensorflow: bool,
    /// The member `viztracer_metadata`.
    pub(super) viztracer: bool,
    /// Categories of Node.
    pub(super) node: bool,
    /// Categories of V8 and of browsers.
    pub(super) v8: bool,
    /// The browser's own metadata.
    pub(super) chromium: bool,
}

impl Signs {
    /// Looks at a category.
    #[inline]
    pub(super) fn category(&mut self, category: &[u8]) {
        self.node |= category.starts_with(b"node,node.");
        self.v8 |= category == b"v8" || category.ends_with(b"v8.gc");
    }

    /// The name of the framework.
    pub(super) fn framework(self) -> &'static str {
        if self.viztracer {
            "VizTracer"
        } else if self.xprof && self.tensorflow && !self.jax {
            "TensorFlow"
        } else if self.xprof {
            "JAX"
        } else if self.node {
            "Node.js"
        } else if self.chromium {
            "Chromium"
        } else if self.v8 {
            "V8"
        } else {
            "Chrome trace"
        }
    }
}

/// A file of xprof as one of the exports of a recording. Exports of one folder belong together if their first times,
/// relative to the session's start, are equal.
pub(super) fn xprof_export(path: &str, head: Head<'_>) -> Option<Export> {
    const KEY: &[u8] = b"\"ts\":";
    let is_xprof = ["\"/host:", "\"/device:"].iter().any(|sign| head.contains(sign));
    let first = memchr::memmem::find(head.bytes, KEY).filter(|_| is_xprof)?;
    let text = head.bytes[first + KEY.len()..].trim_ascii_start();
    let end = text.iter().position(|byte| matches!(byte, b',' | b'}') || byte.is_ascii_whitespace())?;
    // The same number has 17 digits in one file and the fewest digits needed in the other.
    let (nanos, _) = Decimal::parse(&text[..end])?.nanos_from_micros()?;
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let format = match file {
        _ if file.starts_with("perfetto_trace.") => 1,
        _ if file.contains("trace_viewer.") => 2,
        _ => 0,
    };
    Some(Export::one(format!("xprof {folder} {}", nanos.0), format, path))
}
