//! The slices of a thread in Paddle's Python layer: it exports a thread's slices as two rows, `123(Python)` and
//! `123(C++)`.

use stepscope_trace::{EventId, Trace};

/// The categories of slices that Python begins and ends; Paddle exports all others of a host as its native layer.
const CATEGORIES: [&str; 7] =
    ["ProfileStep", "Dataloader", "Forward", "Backward", "Optimization", "PythonOp", "PythonUserDefined"];

/// The Python layer of a trace of Paddle's.
#[derive(Clone, Debug)]
pub struct PythonLayer {
    /// Its categories by their numbers in the trace.
    categories: Vec<u16>,
}

impl PythonLayer {
    /// The Python layer of a trace. None for other frameworks, whose readers put Python on tracks of its own, and where
    /// it is empty.
    ///
    /// ```
    /// use stepscope::Loader;
    /// use stepscope::analyze::PythonLayer;
    ///
    /// let event = |category: &str, thread: &str, start: u32, end: u32| format!(
    ///     r#"{{"ph":"X","cat":"{category}","name":"{category}[1.000 us]","pid":1,"tid":"7({thread})","ts":7,"dur":1,
    ///         "args":{{"start_time":"{start}.000 us","end_time":"{end}.000 us"}}}}"#
    /// );
    /// let events = [event("Forward", "Python", 0, 90), event("Operator", "C++", 10, 40), event("OperatorInner", "C++", 12, 32)];
    /// let text = format!(r#"{{"span_index": "0", "traceEvents": [{}, {{}}]}}"#, events.join(","));
    /// # let mut loader = Loader::new("worker0.paddle_trace.json");
    /// # loader.space(text.len()).copy_from_slice(text.as_bytes());
    /// # loader.advance(text.len())?;
    /// let trace = loader.finish()?.trace;
    /// let layer = PythonLayer::of(&trace).expect("a trace of Paddle's");
    /// let of_python: Vec<bool> = trace.tracks[0].events().map(|event| layer.has(&trace, event)).collect();
    /// assert_eq!((trace.tracks.len(), of_python), (1, vec![true, false, false]));
    /// # Ok::<(), stepscope::Error>(())
    /// ```
    #[must_use]
    pub fn of(trace: &Trace) -> Option<Self> {
        if trace.meta.framework != "PaddlePaddle" {
            return None;
        }
        let categories: Vec<u16> = CATEGORIES.iter().filter_map(|name| trace.category_named(name)).collect();
        (!categories.is_empty()).then_some(Self { categories })
    }

    /// Whether a slice is in it.
    #[must_use]
    pub fn has(&self, trace: &Trace, event: EventId) -> bool {
        self.categories.contains(&trace.slices.category(event))
    }
}
