//! Who wrote a trace, by signs in it.

/// Signs of producers, gathered event by event.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signs {
    /// Processes are called `/host:…` or `/device:…`, as xprof's planes are.
    pub(super) xprof: bool,
    /// Arguments that TensorFlow alone writes.
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

    /// What the framework is called.
    pub(super) fn framework(self) -> &'static str {
        if self.viztracer {
            "VizTracer"
        } else if self.xprof && self.tensorflow {
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
