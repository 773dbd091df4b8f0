//! Spans of a thread.

use std::marker::PhantomData;

use stepscope_format::Category;

use super::argument::Value;
use super::name::AsName;
use super::state::is_recording;
use super::thread::{self, Open};

/// A span from its making to its dropping, on the thread that made it.
///
/// Costs two reads of the clock and some 10 ns if segments are made [ahead](crate::Options::ahead), else 20 to 40 ns,
/// mostly for the file system; a relaxed load while nothing is recorded. A killed process's recording shows the spans
/// that were open.
#[derive(Debug)]
#[must_use = "a span that is dropped at once takes no time"]
pub struct Span {
    open: Open,
    /// It is its thread's.
    not_send: PhantomData<*const ()>,
}

impl Span {
    /// Opens a span.
    #[inline]
    pub fn enter(name: impl AsName) -> Self {
        Self::with(Category::General, name, 0)
    }

    /// Opens a span of a category, with a number of the program's, such as a step's.
    #[inline]
    pub fn with(category: Category, name: impl AsName, value: u64) -> Self {
        let open = if is_recording() { thread::begin(name.number(), category, value) } else { Open::NONE };
        Self { open, not_send: PhantomData }
    }

    /// Whether it is being recorded: if not, its arguments need not be made.
    #[inline]
    #[must_use]
    pub fn is_recorded(&self) -> bool {
        self.open != Open::NONE
    }

    /// Adds an argument to it, which is in the file at once, like its beginning. Costs no read of the clock.
    ///
    /// ```
    /// use stepscope_collector::span;
    ///
    /// let span = span!("decode", file = "0.bin");
    /// let bytes = 4096_u64; // what was decoded
    /// span.argument("bytes", bytes);
    /// ```
    #[inline]
    pub fn argument<'a>(&self, key: impl AsName, value: impl Into<Value<'a>>) {
        if self.is_recorded() {
            thread::argument(self.open, key.number(), value.into().words());
        }
    }

    /// Discards it, as if it had not been opened.
    pub fn discard(mut self) {
        thread::discard(std::mem::replace(&mut self.open, Open::NONE));
    }

    /// Changes its number, as long as it is open.
    pub fn set_value(&self, value: u64) {
        thread::set_value(self.open, value);
    }
}

impl Drop for Span {
    #[inline]
    fn drop(&mut self) {
        thread::end(self.open);
    }
}

/// Opens a span that [`end_span`] closes, for callers that have no place for a [`Span`].
pub fn begin_span(category: Category, name: impl AsName, value: u64) {
    if is_recording() {
        thread::begin(name.number(), category, value);
    }
}

/// Closes the innermost open span of this thread; returns whether there was one.
pub fn end_span() -> bool {
    thread::end_innermost()
}

/// Opens a [`Span`](crate::Span) whose name is in the program's text; it lasts until the end of the scope it is bound in.
///
/// After the name come, all of them optional, its category, a number, and arguments, which are only evaluated while the
/// process is being recorded.
///
/// ```
/// use stepscope_collector::{Category, span};
///
/// fn train(batches: u64, path: &str) {
///     for batch in 0..batches {
///         let _step = span!("train step", in Category::Step, batch);
///         let _forward = span!("forward", in Category::Forward, training = true);
///         let _layer = span!("attention", heads = 12, scale = 0.125, weights = path);
///     }
/// }
/// # train(2, "weights.bin");
/// ```
#[macro_export]
macro_rules! span {
    ($name:literal $(,)?) => {
        $crate::span!($name, in $crate::Category::General, 0)
    };
    ($name:literal, $($key:ident = $argument:expr),+ $(,)?) => {
        $crate::span!($name, in $crate::Category::General, 0, $($key = $argument),+)
    };
    ($name:literal, in $category:expr, $($key:ident = $argument:expr),+ $(,)?) => {
        $crate::span!($name, in $category, 0, $($key = $argument),+)
    };
    ($name:literal, in $category:expr $(,)?) => {
        $crate::span!($name, in $category, 0)
    };
    ($name:literal, in $category:expr, $value:expr $(,)?) => {{
        static NAME: $crate::StaticName = $crate::StaticName::new($name);
        $crate::Span::with($category, &NAME, $value)
    }};
    ($name:literal, in $category:expr, $value:expr, $($key:ident = $argument:expr),+ $(,)?) => {{
        let span = $crate::span!($name, in $category, $value);
        $crate::__arguments!(span, $($key = $argument),+);
        span
    }};
    ($name:literal, $value:expr $(,)?) => {
        $crate::span!($name, in $crate::Category::General, $value)
    };
    ($name:literal, $value:expr, $($key:ident = $argument:expr),+ $(,)?) => {
        $crate::span!($name, in $crate::Category::General, $value, $($key = $argument),+)
    };
}

/// Records an instant event on this thread, under a name in the program's text, with arguments:
/// `mark!("name", key = value)`.
///
/// ```
/// use stepscope_collector::mark;
///
/// mark!("checkpoint", path = "model.bin", epoch = 3, best = true);
/// ```
#[macro_export]
macro_rules! mark {
    ($name:literal $(, $key:ident = $argument:expr)* $(,)?) => {{
        static NAME: $crate::StaticName = $crate::StaticName::new($name);
        let mark = $crate::Mark::record(&NAME, 0);
        $crate::__arguments!(mark, $($key = $argument),*);
    }};
}

#[doc(hidden)]
#[macro_export]
macro_rules! __arguments {
    ($of:ident, $($key:ident = $argument:expr),*) => {
        if $of.is_recorded() {
            $({
                static KEY: $crate::StaticName = $crate::StaticName::new(stringify!($key));
                $of.argument(&KEY, $argument);
            })*
        }
    };
}
